//! The design as Verilog-2005: one file per module, written to be read.

mod body;
mod expr;
mod fold;
mod interface;
mod memory;
mod order;
mod paths;
mod ports;
mod primitive;
mod rolled;
mod sizes;
mod unused;

pub use expr::intermediates;

use crate::interface::is_packaged;
use crate::ir::{Design, Instance, Kind, Module, Process, SignalId};
use paths::Paths;
use primitive::{Primitive, Use};
use rolled::{Rolled, roll};
use sizes::Sizes;
use std::collections::{HashMap, HashSet};

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
/// A memory, a queue or a buffer of a stream is one module with Verilog parameters, whatever sizes of it the design has.
///
/// A top whose clock is `aclk` carries the attributes by which Vivado's IP integrator knows its buses.
///
/// The text is free of `verilator --lint-only -Wall` and `yosys check` messages: nothing is implicit, every width agrees, and what is
/// not read goes into a named sink.
pub fn emit(design: &Design) -> Vec<SourceFile> {
    emit_beside(design, &[])
}

/// As [`emit`], for a design whose files stand beside those of other tops, which have the names `tops`: a primitive gives way to them.
pub fn emit_beside(design: &Design, tops: &[String]) -> Vec<SourceFile> {
    let uses = primitive::uses(design, tops);
    let paths = Paths::new(design);
    let mut written: HashSet<String> = HashSet::new();
    let mut files = Vec::new();
    for module in &design.modules {
        match uses.get(&module.name) {
            None => {
                let style = Style { uses: &uses, own: None, plain: Sizes::default() };
                let tidy = fold::tidy(module);
                let rolled = roll(&tidy, &paths);
                let text = text(&tidy, rolled.as_ref(), module.name == design.top, &style);
                files.push(SourceFile { name: format!("{}.v", module.name), text });
            }
            Some(used) if written.insert(used.name()) => {
                let primitive = &primitive::all()[used.primitive];
                let style = Style { uses: &uses, own: Some((primitive, used)), plain: Sizes::default() };
                let mut module = Module { name: used.name(), ..primitive.module.clone() };
                module.signals.iter_mut().for_each(|s| s.doc = primitive.in_words(&s.doc));
                files.push(SourceFile { name: format!("{}.v", module.name), text: text(&module, None, false, &style) });
            }
            Some(_) => {}
        }
    }
    files
}

/// As [`emit_beside`], for files that other people put together: a module that is read twice, because two blocks have it, is there once.
///
/// The guard has a number made from the content. Another content of the same name is no copy: the tool that reads both reports the name, as
/// it does without a guard, and does not leave one of them out.
pub fn emit_guarded(design: &Design, tops: &[String]) -> Vec<SourceFile> {
    let mut files = emit_beside(design, tops);
    for file in &mut files {
        let hash = crate::identifier::hash(&file.text);
        let name = format!("{}_{hash:08X}", file.name.trim_end_matches(".v").to_uppercase());
        if let Some((comment, code)) = file.text.split_once("\n`default_nettype none\n") {
            file.text = format!("{comment}\n`ifndef {name}\n`define {name}\n`default_nettype none\n{code}`endif\n");
        }
    }
    files
}

/// What the text calls signals and instances of a module that it calls otherwise than the design, each by its position.
pub(crate) type Renamed = (HashMap<SignalId, String>, HashMap<usize, String>);

/// The same of each module of a design.
pub(crate) fn places(design: &Design) -> HashMap<&str, Renamed> {
    let paths = Paths::new(design);
    let rolled = |module| roll(&fold::tidy(module), &paths).map(|r| (r.signals, r.instances));
    design.modules.iter().filter_map(|m| Some((m.name.as_str(), rolled(m)?))).collect()
}

/// How a module is written that has parameters, or children that do.
struct Style<'a> {
    uses: &'a HashMap<String, Use>,
    /// The primitive that is written, and a use of it.
    own: Option<(&'a Primitive, &'a Use)>,
    plain: Sizes,
}

impl Style<'_> {
    fn sizes(&self) -> &Sizes {
        self.own.map_or(&self.plain, |(primitive, _)| &primitive.sizes)
    }

    /// Module of an instance, with the values of its parameters.
    fn module_of(&self, instance: &Instance) -> String {
        let (name, primitive, values) = match self.own.and_then(|(p, used)| Some((used, primitive::inner(p, &instance.module)?))) {
            Some((used, (inner, values))) => (used.named(inner), inner, values),
            None => match self.uses.get(&instance.module) {
                Some(used) => (used.name(), used.primitive, used.values.clone()),
                None => return instance.module.clone(),
            },
        };
        let parameters = primitive::all()[primitive].parameters.iter().zip(values);
        let values: Vec<String> = parameters.map(|(p, value)| format!(".{}({})", p.0, self.sizes().number(value))).collect();
        format!("{name} #({})", values.join(", "))
    }

    /// The parameters of the module, before its ports.
    fn parameters(&self) -> String {
        let Some((primitive, _)) = self.own else { return String::new() };
        let column = primitive.parameters.iter().map(|p| p.0.len()).max().unwrap_or_default();
        let last = primitive.parameters.len() - 1;
        let line = |(i, p): (usize, &primitive::Parameter)| {
            let comma = if i < last { "," } else { " " };
            format!("    parameter {:column$} = 8{comma}  // {}\n", p.0, p.2)
        };
        format!("#(\n{}) ", primitive.parameters.iter().enumerate().map(line).collect::<String>())
    }
}

fn text(module: &Module, rolled: Option<&Rolled>, top: bool, style: &Style) -> String {
    let module = rolled.map_or(module, |r| &r.module);
    let mut out = header(module, style.own.map(|(primitive, _)| primitive));
    out.push_str("\n`default_nettype none\n\n");
    let variables = variables(module);
    let ports = ports::text(module, &variables, top && is_packaged(module), style.sizes());
    out.push_str(&format!("module {} {}{ports}", module.name, style.parameters()));
    match &module.memory {
        Some(memory) => {
            out.push('\n');
            out.push_str(&memory::text(memory, style.sizes()));
        }
        None => {
            let body = body::Body::new(module, style);
            let text = match rolled {
                Some(rolled) => body.rolled(rolled),
                None => body.text(),
            };
            out.push_str(&text);
        }
    }
    out.push_str("\nendmodule\n\n`default_nettype wire\n");
    out
}

/// The port list of a top without anything behind it: no output is a variable.
pub(crate) fn port_list(top: &Module) -> String {
    ports::text(top, &[], is_packaged(top), &Sizes::default())
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
fn header(module: &Module, primitive: Option<&Primitive>) -> String {
    let doc = primitive.map_or_else(|| module.origin.doc.clone(), |p| p.doc());
    let mut out = String::new();
    let mut lines = doc.lines();
    let first = lines.next().unwrap_or_default();
    out.push_str(format!("// {}: {first}", module.name).trim_end_matches([' ', ':']));
    out.push('\n');
    for line in lines {
        out.push_str(format!("// {line}").trim_end());
        out.push('\n');
    }
    let params: Vec<String> = module.origin.params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let params = if params.is_empty() || primitive.is_some() { String::new() } else { format!(", {}", params.join(", ")) };
    out.push_str(&format!("// From {}{params}.\n", module.origin.file));
    out
}

/// `[7:0]`, or nothing for one bit.
pub(crate) fn range(width: usize) -> String {
    Sizes::default().range(width)
}
