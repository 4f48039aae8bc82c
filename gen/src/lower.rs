//! From the description of a block to a module of the IR.

mod connect;
mod expr;
mod group;
mod kernel;
mod module;
mod name;
mod names;
mod order;
mod process;
mod scope;
mod slice;

pub(crate) use process::as_value;
pub(crate) use slice::slice;

use crate::error::{Error, What};
use crate::identifier::{hash, safe, safe_in_verilog, snake_case};
use crate::ir::{Design, Kind, Module, Process, Signal};
use rdma_rtl_hdl::describe::{BlockDescription, Node, Role};
use std::collections::BTreeSet;

/// What may be chosen about an elaboration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Name of the top module instead of the type's name in snake case. One that Verilog has as a keyword gets a `_`.
    pub top_name: Option<String>,
    /// Every register and net of the top becomes an output `view_<name>` as well: for properties that look inside.
    pub formal_view: bool,
}

/// The design under `node`, which is what `Described::describe` gives for a block after `connect_all()`.
///
/// Children come before their owners; each distinct block (type, parameters, variants) is one module. The top has the plain name of its
/// type, a child that and its suffix, or its parameters where it has none, or a number made from them where that would be too long, and
/// then the words of its variants and, without a suffix, of those of its own children. What else stands in the design changes no name. Same
/// input, same design.
/// Errors: a block whose kernel has no meaning as hardware, with file, line, block and signal; two contents of one name; see [`What`].
pub fn elaborate(node: &Node, options: &Options) -> Result<Design, Error> {
    let Node::Block(block) = node else {
        let what = What::Unsupported { what: "a signal alone".into(), instead: "Give a block" };
        return Err(Error { block: String::new(), file: String::new(), line: 0, what });
    };
    let top_name = safe_in_verilog(options.top_name.as_deref().unwrap_or(&snake_case(block.type_name)));
    let mut modules = Modules { done: Vec::new(), top: top_name.clone() };
    let mut top = modules.body(block)?;
    top.name = top_name.clone();
    if options.formal_view {
        add_views(&mut top);
    }
    modules.done.push(top);
    let design = Design { modules: modules.done, top: top_name };
    match design.check() {
        Ok(()) => Ok(design),
        Err(detail) => Err(error(block, What::Internal { detail })),
    }
}

/// A What at a block.
pub(crate) fn error(block: &BlockDescription, what: What) -> Error {
    Error { block: block.type_name.to_string(), file: block.file.to_string(), line: block.line, what }
}

struct Modules {
    done: Vec<Module>,
    top: String,
}

impl Modules {
    fn body(&mut self, block: &BlockDescription) -> Result<Module, Error> {
        let mut children = Vec::new();
        for child in child_blocks(block) {
            children.push(self.child(child)?);
        }
        module::build(block, &children, &self.done).map_err(|what| error(block, what))
    }

    /// The name of the module of a child, made if there is none like it.
    fn child(&mut self, block: &BlockDescription) -> Result<String, Error> {
        let mut module = self.body(block)?;
        let params = || block.params.iter().map(|(name, value)| format!("_{}{value}", name.to_lowercase())).collect();
        let suffix = block.suffix.clone().unwrap_or_else(params);
        let mut name = shortened(format!("{}{suffix}", snake_case(block.type_name)), block.type_name);
        words(block).iter().for_each(|word| name.extend(["_", word]));
        let name = safe(&name);
        module.name.clone_from(&name);
        match self.done.iter().find(|m| m.name == name) {
            Some(same) if *same == module => {}
            None if name != self.top => self.done.push(module),
            _ => return Err(error(block, What::SameName { name })),
        }
        Ok(name)
    }
}

/// Words of the variants of a block, and of all that is in one whose parameters are its name: what is in it makes it another block too. A
/// block with a suffix has it from the profile that says what is in it.
fn words(block: &BlockDescription) -> BTreeSet<String> {
    let children = child_blocks(block).into_iter().filter(|_| block.suffix.is_none()).flat_map(words);
    block.variants.iter().cloned().chain(children).collect()
}

/// Longest name of a child: Verilator knows no file by a name of more than 127 characters, and folders have limits of their own.
/// The words of variants and a prefix come on top.
const LONGEST: usize = 100;

/// A name that is too long, with a number made from its parameters instead of them. The file says which they are.
fn shortened(name: String, type_name: &str) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let hash = hash(&name);
    format!("{}_p{hash:08x}", snake_case(type_name))
}

/// Children in the order of the scope.
fn child_blocks(block: &BlockDescription) -> Vec<&BlockDescription> {
    fn visit<'a>(node: &'a Node, found: &mut Vec<&'a BlockDescription>) {
        match node {
            Node::Signal(_) => {}
            Node::Array(elements) => elements.iter().for_each(|e| visit(e, found)),
            Node::Block(b) if matches!(b.role, Role::Register | Role::Crossing) => {}
            Node::Block(b) => found.push(b),
        }
    }
    let mut found = Vec::new();
    block.fields.iter().for_each(|f| visit(&f.node, &mut found));
    found
}

fn add_views(top: &mut Module) {
    for i in 0..top.signals.len() {
        let inner = &top.signals[i];
        if inner.kind != Kind::Net {
            continue;
        }
        let view = Signal {
            name: format!("view_{}", inner.name),
            kind: Kind::Output,
            crossing: false,
            doc: format!("`{}`", inner.name),
            rust: Vec::new(),
            ..inner.clone()
        };
        let value = crate::ir::Expr::signal(crate::ir::SignalId(i), inner.width);
        let target = crate::ir::SignalId(top.signals.len());
        top.signals.push(view);
        top.processes.push(Process::Assign { target, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_too_long_becomes_short_and_stays_distinct() {
        let long = |last: &str| shortened(format!("block_{}{last}", "a1_".repeat(40)), "Block");
        assert_eq!(shortened("block_a1".into(), "Block"), "block_a1");
        assert_eq!(long("x"), long("x"));
        assert_ne!(long("x"), long("y"));
        assert!(long("x").starts_with("block_p") && long("x").len() == 15, "{}", long("x"));
    }
}
