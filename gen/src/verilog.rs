//! The design as Verilog-2005: one file per module, written to be read.

mod body;
mod expr;
mod interface;
mod memory;
mod order;
mod ports;
mod unused;

pub use expr::intermediates;

use crate::interface::is_packaged;
use crate::ir::{Design, Kind, Module, Process, SignalId};

/// Vivado keeps the flip-flops of a chain of these in one slice, and optimises nothing between them.
const ASYNC_REG: &str = "(* async_reg = \"true\" *)";

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// File name without a folder: the module's name and `.v`.
    pub name: String,
    pub text: String,
}

/// One file per module, children before their owners. Same design, same text.
///
/// A top whose clock is `aclk` carries the attributes by which Vivado's IP integrator knows its buses.
///
/// The text is free of `verilator --lint-only -Wall` and `yosys check` messages: nothing is implicit, every width agrees, and what is
/// not read goes into a named sink.
pub fn emit(design: &Design) -> Vec<SourceFile> {
    design.modules.iter().map(|m| SourceFile { name: format!("{}.v", m.name), text: module(m, m.name == design.top) }).collect()
}

/// As [`emit`], for files that other people put together: a module that is read twice, because two blocks have it, is there once.
///
/// The guard has a number made from the content. Another content of the same name is no copy: the tool that reads both reports the name, as
/// it does without a guard, and does not leave one of them out.
pub fn emit_guarded(design: &Design) -> Vec<SourceFile> {
    let mut files = emit(design);
    for file in &mut files {
        let hash = crate::identifier::hash(&file.text);
        let name = format!("{}_{hash:08X}", file.name.trim_end_matches(".v").to_uppercase());
        if let Some((comment, code)) = file.text.split_once("\n`default_nettype none\n") {
            file.text = format!("{comment}\n`ifndef {name}\n`define {name}\n`default_nettype none\n{code}`endif\n");
        }
    }
    files
}

fn module(module: &Module, top: bool) -> String {
    let mut out = header(module);
    out.push_str("\n`default_nettype none\n\n");
    let variables = variables(module);
    out.push_str(&format!("module {} {}", module.name, ports::text(module, &variables, top && is_packaged(module))));
    match &module.memory {
        Some(memory) => {
            out.push('\n');
            out.push_str(&memory::text(memory));
        }
        None => out.push_str(&body::Body::new(module).text()),
    }
    out.push_str("\nendmodule\n\n`default_nettype wire\n");
    out
}

/// The port list of a top without anything behind it: no output is a variable.
pub(crate) fn port_list(top: &Module) -> String {
    ports::text(top, &[], is_packaged(top))
}

/// Outputs that a procedure assigns.
fn variables(module: &Module) -> Vec<SignalId> {
    if let Some(memory) = &module.memory {
        let clocked = memory.style != rdma_rtl_hdl::describe::MemoryStyle::Distributed;
        return module.find("read_data").filter(|_| clocked).into_iter().collect();
    }
    let procedural = module.processes.iter().filter(|p| !matches!(p, Process::Assign { .. }));
    procedural.flat_map(Process::targets).filter(|id| module.signal(*id).kind == Kind::Output).collect()
}

/// The doc comment, then where the module comes from.
fn header(module: &Module) -> String {
    let mut out = String::new();
    let mut lines = module.origin.doc.lines();
    let first = lines.next().unwrap_or_default();
    out.push_str(format!("// {}: {first}", module.name).trim_end_matches([' ', ':']));
    out.push('\n');
    for line in lines {
        out.push_str(format!("// {line}").trim_end());
        out.push('\n');
    }
    let params: Vec<String> = module.origin.params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let params = if params.is_empty() { String::new() } else { format!(", {}", params.join(", ")) };
    out.push_str(&format!("// From {}{params}.\n", module.origin.file));
    out
}

/// `[7:0]`, or nothing for one bit.
pub(crate) fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}
