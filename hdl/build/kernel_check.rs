//! What `#[hdl_gen]` takes silently for something else. rustc and rust-hdl accept it, native simulation runs what is written, and the
//! syntax tree, from which the Verilog is made, says another thing; so the build stops.

use proc_macro2::Span;
use std::fmt;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Arm, ExprCall, ExprForLoop, ImplItemFn, RangeLimits};

/// One place that must be written otherwise.
#[derive(Debug, PartialEq, Eq)]
pub struct Trap {
    pub file: PathBuf,
    pub line: usize,
    pub what: &'static str,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.what)
    }
}

pub const GUARD: &str = "#[hdl_gen] drops a match guard: put an `if` inside the arm";
pub const INCLUSIVE: &str = "#[hdl_gen] takes `..=` for `..`: write the end plus one";
pub const CALL: &str = "#[hdl_gen] takes every function whose name begins like a cast for that cast: only bits, bit_cast, signed_cast, \
                        signed_bit_cast and unsigned_cast can be called";

/// The functions that rust-hdl means by their names' beginnings.
const CASTS: [&str; 5] = ["bits", "bit_cast", "signed_cast", "signed_bit_cast", "unsigned_cast"];

/// The traps in one file; a file that does not parse has none, for rustc will say so itself.
pub fn in_source(file: &Path, text: &str) -> Vec<Trap> {
    let Ok(parsed) = syn::parse_file(text) else { return Vec::new() };
    let mut finder = Finder { file, found: Vec::new(), inside: false };
    finder.visit_file(&parsed);
    finder.found
}

/// The traps in every Rust file under `folder`, in the order of the paths.
pub fn in_folder(folder: &Path) -> std::io::Result<Vec<Trap>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(in_folder(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.extend(in_source(&path, &std::fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}

struct Finder<'a> {
    file: &'a Path,
    found: Vec<Trap>,
    inside: bool,
}

impl Finder<'_> {
    fn trap(&mut self, span: Span, what: &'static str) {
        self.found.push(Trap { file: self.file.to_path_buf(), line: span.start().line, what });
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        let kernel = function.attrs.iter().any(|a| a.path().segments.last().is_some_and(|s| s.ident == "hdl_gen"));
        let outer = std::mem::replace(&mut self.inside, kernel);
        visit::visit_impl_item_fn(self, function);
        self.inside = outer;
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if self.inside
            && let Some((token, _)) = &arm.guard
        {
            self.trap(token.span, GUARD);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_for_loop(&mut self, l: &'ast ExprForLoop) {
        if self.inside
            && let syn::Expr::Range(range) = &*l.expr
            && let RangeLimits::Closed(token) = &range.limits
        {
            self.trap(token.spans[0], INCLUSIVE);
        }
        visit::visit_expr_for_loop(self, l);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if self.inside
            && let syn::Expr::Path(path) = &*call.func
            && let Some(first) = path.path.segments.first()
        {
            let name = first.ident.to_string();
            let like_a_cast = name.starts_with("bits") || CASTS.iter().any(|c| name.starts_with(c));
            if like_a_cast && !CASTS.contains(&name.as_str()) {
                self.trap(first.ident.span(), CALL);
            }
        }
        visit::visit_expr_call(self, call);
    }
}
