use crate::describe::{BlockDescription, Described, Field, Node, Role};
use rust_hdl::prelude::*;

/// D flip-flops that take values of another clock: a [`Reg`](super::Reg) whose `reg` carries the attribute `async_reg`.
///
/// Only for the chains of `Synchronizer` and blocks like it: behind the first of them a value may be undecided for most of a clock, so
/// nothing but the next of the chain may look at it.
/// Latency: 1 clock.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct CrossingReg<T: Synth> {
    /// next value
    pub d: Signal<In, T>,
    /// value
    pub q: Signal<Out, T>,
    /// clock, rising edge
    pub clock: Signal<In, Clock>,
}

impl<T: Synth> Logic for CrossingReg<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }
}

impl<T: Synth> Described for CrossingReg<T> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "CrossingReg",
            params: vec![("WIDTH", T::BITS as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "",
            file: file!(),
            line: line!(),
            role: Role::Crossing,
            fields: vec![Field::plain("clock", &self.clock), Field::plain("d", &self.d), Field::plain("q", &self.q)],
            hdl: Verilog::Empty,
        }))
    }
}

crate::settle::leaf!([T: Synth] CrossingReg<T>, clock d => q);

crate::wiring::register!(CrossingReg);
