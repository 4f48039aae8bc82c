//! What a kernel assigns, and in which of it whatever the conditions.

use super::{Setup, next_of, place};
use std::collections::BTreeSet;
use syn::{Block, Expr, Macro, Member, Pat, Stmt};

/// The places that a kernel assigns, without `next` and without indices: `row[]$clk`.
#[derive(Default)]
pub struct Said {
    pub assigned: BTreeSet<String>,
}

impl Said {
    /// Those that the statements assign whatever the conditions.
    pub fn block(&mut self, block: &Block) -> BTreeSet<String> {
        let mut always = BTreeSet::new();
        for statement in &block.stmts {
            match statement {
                Stmt::Expr(e, _) => always.append(&mut self.statement(e)),
                Stmt::Macro(m) => always.append(&mut self.setup(&m.mac)),
                _ => {}
            }
        }
        always
    }

    fn statement(&mut self, e: &Expr) -> BTreeSet<String> {
        match e {
            Expr::Assign(a) => {
                let whole = matches!(&*a.left, Expr::Field(f) if matches!(&f.member, Member::Named(n) if n == "next"));
                let Some(signal) = next_of(&a.left) else { return BTreeSet::new() };
                let place = without_indices(&place(signal));
                self.assigned.insert(place.clone());
                if whole { BTreeSet::from([place]) } else { BTreeSet::new() }
            }
            Expr::Block(b) => self.block(&b.block),
            Expr::If(i) => {
                let then = self.block(&i.then_branch);
                let otherwise = i.else_branch.as_ref().map(|(_, e)| self.statement(e)).unwrap_or_default();
                then.intersection(&otherwise).cloned().collect()
            }
            Expr::Match(m) => {
                let arms: Vec<_> = m.arms.iter().map(|arm| (matches!(arm.pat, Pat::Wild(_)), self.statement(&arm.body))).collect();
                if !arms.iter().any(|(wild, _)| *wild) {
                    return BTreeSet::new();
                }
                arms.into_iter().map(|(_, places)| places).reduce(|a, b| a.intersection(&b).cloned().collect()).unwrap_or_default()
            }
            Expr::ForLoop(l) => self.block(&l.body),
            Expr::Macro(m) => self.setup(&m.mac),
            _ => BTreeSet::new(),
        }
    }

    /// `dff_setup!` connects clocks and holds.
    fn setup(&mut self, m: &Macro) -> BTreeSet<String> {
        let Ok(Setup { registers, .. }) = m.parse_body() else { return BTreeSet::new() };
        let places = registers.iter().map(|r| without_indices(&place(r)));
        let set: BTreeSet<String> = places.flat_map(|r| [format!("{r}$clock"), format!("{r}$d")]).collect();
        self.assigned.extend(set.iter().cloned());
        set
    }
}

/// `row[i]$clk` is `row[]$clk`.
fn without_indices(place: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in place.chars() {
        depth -= i32::from(c == ']');
        if depth == 0 {
            out.push(c);
        }
        depth += i32::from(c == '[');
    }
    out
}
