use crate::describe::{BlockDescription, Described, Field, Node, Role};
use rust_hdl::prelude::*;

/// D flip-flops: `q` takes `d` at the rising edge.
///
/// It has no reset and no enable: a kernel assigns `d` where the value changes, and the emitter turns the register with its
/// assignments into one `always @(posedge clk)` of the owner. A `Reg` has the block's `clk` and holds its value where the kernel
/// assigns none: see `wiring`. Power-up value: zero. Use `State` for a register that reset clears, `Register` for one with ports of its
/// own.
/// Latency: 1 clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct Reg<T: Synth> {
    /// next value
    pub d: Signal<In, T>,
    /// value
    pub q: Signal<Out, T>,
    /// clock, rising edge
    pub clock: Signal<In, Clock>,
}

/// A `Reg` that the block's `rst` makes `T::default()`, whatever the kernel assigns.
///
/// Another value after reset is an assignment of the kernel, in its last `if`.
pub type State<T> = Reg<T>;

impl<T: Synth> Default for Reg<T> {
    // Blocks have dozens of registers and are made once: inlined, this was a third of the code of every block.
    #[inline(never)]
    fn default() -> Self {
        Self { d: Default::default(), q: Default::default(), clock: Default::default() }
    }
}

impl<T: Synth> Logic for Reg<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }
}

impl<T: Synth> Described for Reg<T> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "Reg",
            params: vec![("WIDTH", T::BITS as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "",
            file: file!(),
            line: line!(),
            role: Role::Register,
            fields: vec![Field::plain("clock", &self.clock), Field::plain("d", &self.d), Field::plain("q", &self.q)],
            hdl: Verilog::Empty,
        }))
    }
}

crate::settle::leaf!([T: Synth] Reg<T>, clock d => q);

crate::wiring::register!(Reg);
