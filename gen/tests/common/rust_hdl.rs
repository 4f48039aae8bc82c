//! rust-hdl's own Verilog of one block, from its description.
//!
//! rust-hdl cannot write a kernel in which a const generic is an index: it knows loop variables only. So each const generic becomes a
//! loop of one pass around the kernel, which rust-hdl resolves as it does for the others.
#![allow(dead_code)]

use ::rust_hdl::prelude::ast::{VerilogLoop, VerilogStatement};
use ::rust_hdl::prelude::*;
use rdma_rtl_hdl::describe::{BlockDescription, Node, SignalDescription};

/// The module `top`; children and registers are instances of empty modules.
pub fn text(block: &BlockDescription) -> String {
    generate_verilog_unchecked(&Replay { block, children: true })
}

/// A description that plays a block.
struct Replay<'a> {
    block: &'a BlockDescription,
    children: bool,
}

impl Logic for Replay<'_> {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        let Verilog::Combinatorial(kernel) = &self.block.hdl else { return Verilog::Empty };
        if !self.children {
            return Verilog::Empty;
        }
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
        self.block.fields.iter().for_each(|f| self.visit(f.name, &f.node, probe));
        probe.visit_end_scope(name, self);
    }
}

impl Replay<'_> {
    fn visit(&self, name: &str, node: &Node, probe: &mut dyn Probe) {
        match node {
            Node::Signal(signal) => probe.visit_atom(name, &Played(signal)),
            Node::Array(elements) => {
                elements.iter().enumerate().for_each(|(i, e)| self.visit(&format!("{name}${i}"), e, probe));
            }
            Node::Block(block) if self.children => Replay { block, children: false }.accept(name, probe),
            Node::Block(_) => {}
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
