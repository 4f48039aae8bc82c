//! rust-hdl's own Verilog of one block or of a whole design, from its description.
//!
//! rust-hdl cannot write a kernel in which a const generic is an index: it knows loop variables only. So each const generic becomes a
//! loop of one pass around the kernel, which rust-hdl resolves as it does for the others.
#![allow(dead_code)]

use ::rust_hdl::prelude::ast::{VerilogLoop, VerilogStatement};
use ::rust_hdl::prelude::*;
use rdma_rtl_hdl::describe::{BlockDescription, MemoryStyle, Node, Role, SignalDescription};

/// The module `top`; children and registers are instances of empty modules.
pub fn text(block: &BlockDescription) -> String {
    generate_verilog_unchecked(&Replay { block, children: Children::Empty })
}

/// The module `top` with everything below it; registers and memories as rust-hdl's own `DFF` and `RAM` write themselves.
///
/// rust-hdl writes a field that is called like a keyword as it is, which no tool reads: here it gets an underscore.
pub fn whole(block: &BlockDescription) -> String {
    let text = generate_verilog_unchecked(&Replay { block, children: Children::Whole });
    text.lines().fold(String::new(), |all, line| all + &without_keywords(line) + "\n")
}

/// Fields of our blocks that are keywords.
const KEYWORDS: [&str; 5] = ["bit", "end", "initial", "release", "table"];

fn without_keywords(line: &str) -> String {
    let code = line.trim();
    if code == "end" || code.starts_with("end else") || code == "initial begin" {
        return line.to_string();
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' || c == '$' {
            word.push(c);
            continue;
        }
        out += &word;
        if KEYWORDS.contains(&word.as_str()) {
            out.push('_');
        }
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

#[derive(Clone, Copy, PartialEq)]
enum Children {
    /// The block itself is an empty module.
    None,
    Empty,
    Whole,
}

/// A description that plays a block.
struct Replay<'a> {
    block: &'a BlockDescription,
    children: Children,
}

impl Logic for Replay<'_> {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        if self.children == Children::None {
            return Verilog::Empty;
        }
        match &self.block.role {
            Role::Register | Role::Crossing => return Verilog::Custom(DFF.to_string()),
            Role::Memory(style) => return Verilog::Custom(self.memory(style)),
            Role::Block => {}
        }
        let Verilog::Combinatorial(kernel) = &self.block.hdl else { return Verilog::Empty };
        let wrap = |block, (name, value): &(&str, u64)| {
            let index = name.to_string();
            vec![VerilogStatement::Loop(VerilogLoop { index, from: (*value).into(), to: (value + 1).into(), block })]
        };
        Verilog::Combinatorial(self.block.params.iter().fold(kernel.clone(), wrap))
    }
}

impl Block for Replay<'_> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.block.fields.iter().for_each(|f| self.visit(&f.name, &f.node, probe));
        probe.visit_end_scope(name, self);
    }
}

const DFF: &str = "initial begin\n   q = 0;\nend\n\nalways @(posedge clock) begin\n   q <= d;\nend\n";

impl Replay<'_> {
    /// Like `RAM`, with the reads that it does not have.
    fn memory(&self, style: &MemoryStyle) -> String {
        let parameter = |name| self.block.params.iter().find(|p| p.0 == name).map_or(1, |p| p.1);
        let (width, last) = (parameter("WIDTH"), (1u64 << parameter("ADDRESS_BITS")) - 1);
        let read = match style {
            MemoryStyle::Block { output_register: true } => {
                "always @(posedge clk) begin\n   first <= mem[read_address];\n   read_data <= first;\nend\n"
            }
            MemoryStyle::Block { .. } | MemoryStyle::Queue | MemoryStyle::Bytes => {
                "always @(posedge clk) begin\n   read_data <= mem[read_address];\nend\n"
            }
            MemoryStyle::Distributed => "always @(*) read_data = mem[read_address];\n",
        };
        let write: String = if *style == MemoryStyle::Bytes {
            (0..width / 8)
                .map(|lane| {
                    format!("if (write_enable[{lane}]) mem[write_address][{0}:{1}] <= write_data[{0}:{1}];\n", 8 * lane + 7, 8 * lane)
                })
                .collect()
        } else {
            "if (write_enable) begin\n      mem[write_address] <= write_data;\n   end\n".to_string()
        };
        let first = if read.contains("first") { format!("reg[{}:0] first;\n", width - 1) } else { String::new() };
        format!("reg[{}:0] mem[{last}:0];\n{first}\n{read}\nalways @(posedge clk) begin\n   {write}end\n", width - 1)
    }

    fn visit(&self, name: &str, node: &Node, probe: &mut dyn Probe) {
        match node {
            Node::Signal(signal) => probe.visit_atom(name, &Played(signal)),
            Node::Array(elements) => {
                elements.iter().enumerate().for_each(|(i, e)| self.visit(&format!("{name}${i}"), e, probe));
            }
            Node::Block(block) => match self.children {
                Children::None => {}
                Children::Empty => Replay { block, children: Children::None }.accept(name, probe),
                Children::Whole => Replay { block, children: Children::Whole }.accept(name, probe),
            },
        }
    }
}

struct Played<'a>(&'a SignalDescription);

impl Atom for Played<'_> {
    fn bits(&self) -> usize {
        self.0.bits
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        self.0.kind
    }
    fn descriptor(&self) -> TypeDescriptor {
        self.0.descriptor.clone()
    }
    fn vcd(&self) -> VCDValue {
        false.into()
    }
    fn id(&self) -> usize {
        0
    }
    fn verilog(&self) -> VerilogLiteral {
        self.0.value.clone()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}
