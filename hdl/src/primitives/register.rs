use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Register with enable and synchronous reset to zero: `q` takes `d` at a rising edge with `enable`.
///
/// For a register with ports of its own. Inside a block use `Reg`, which the emitter writes into the owner's `always`; for a
/// stream use `SkidBuffer`, which can stall without losing a word.
/// Latency: 1 clock. Throughput: one per clock. Reset: `q` is zero from the clock after `rst`, whatever `enable` says.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Register<const WIDTH: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// take `d`
    pub enable: Signal<In, Bit>,
    /// next value
    pub d: Signal<In, Bits<WIDTH>>,
    /// value
    pub q: Signal<Out, Bits<WIDTH>>,
    value: State<Bits<WIDTH>>,
}

impl<const WIDTH: usize> Logic for Register<WIDTH> {
    #[kernel]
    fn update(&mut self) {
        self.q.next = self.value.q.val();
        if self.enable.val() {
            self.value.d.next = self.d.val();
        }
    }
}
