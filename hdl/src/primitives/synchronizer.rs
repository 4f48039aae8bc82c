use crate::primitives::CrossingReg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `STAGES` flip-flops in a row: a value of another clock, or of none, becomes one of `clk`.
///
/// Each bit crosses by itself, one clock sooner or later than its neighbour: `WIDTH` is 1, or the bits are of a Gray code, or they do not
/// belong together. For words take `FifoAsync`. `d` must come from a register and stay longer than a clock of `clk`.
/// Its constraints are `constraints/synchronizer.xdc`, scoped to the module.
/// Latency: `STAGES` clocks, one more or less as the edges fall. Throughput: one change per `STAGES` clocks. No reset: after power-up `q`
/// is zero.
///
/// Parameters: `STAGES` from 2; each one more is a clock, and makes an undecided value rarer by orders of magnitude.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct Synchronizer<const WIDTH: usize, const STAGES: usize> {
    /// clock that `q` is of
    pub clk: Signal<In, Clock>,
    /// from a register of another clock
    pub d: Signal<In, Bits<WIDTH>>,
    /// the same, in this clock
    pub q: Signal<Out, Bits<WIDTH>>,
    stage: [CrossingReg<Bits<WIDTH>>; STAGES],
}

impl<const WIDTH: usize, const STAGES: usize> Default for Synchronizer<WIDTH, STAGES> {
    fn default() -> Self {
        assert!((2..=8).contains(&STAGES), "Synchronizer: STAGES = {STAGES}, allowed are 2 to 8 flip-flops");
        Self { clk: Default::default(), d: Default::default(), q: Default::default(), stage: std::array::from_fn(|_| Default::default()) }
    }
}

impl<const WIDTH: usize, const STAGES: usize> Logic for Synchronizer<WIDTH, STAGES> {
    #[kernel]
    fn update(&mut self) {
        self.stage[0].d.next = self.d.val();
        for i in 1..STAGES {
            self.stage[i].d.next = self.stage[i - 1].q.val();
        }
        self.q.next = self.stage[STAGES - 1].q.val();
    }
}
