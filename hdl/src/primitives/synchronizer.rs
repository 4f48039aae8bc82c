use crate::primitives::CrossingReg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `N` flip-flops in a row: a value of another clock, or of none, becomes one of `clk`.
///
/// Each bit crosses by itself, one clock sooner or later than its neighbour: `W` is 1, or the bits are of a Gray code, or they do not
/// belong together. For words take `FifoAsync`. `d` must come from a register and stay longer than a clock of `clk`.
/// Its constraints are `constraints/synchronizer.xdc`, scoped to the module.
/// Latency: `N` clocks, one more or less as the edges fall. Throughput: one change per `N` clocks. No reset: after power-up `q` is zero.
///
/// Parameters: `N` from 2; each one more is a clock, and makes an undecided value rarer by orders of magnitude.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct Synchronizer<const W: usize, const N: usize> {
    /// clock that `q` is of
    pub clk: Signal<In, Clock>,
    /// from a register of another clock
    pub d: Signal<In, Bits<W>>,
    /// the same, in this clock
    pub q: Signal<Out, Bits<W>>,
    stage: [CrossingReg<Bits<W>>; N],
}

impl<const W: usize, const N: usize> Default for Synchronizer<W, N> {
    fn default() -> Self {
        assert!((2..=8).contains(&N), "Synchronizer: N = {N}, allowed are 2 to 8 flip-flops");
        Self { clk: Default::default(), d: Default::default(), q: Default::default(), stage: std::array::from_fn(|_| Default::default()) }
    }
}

impl<const W: usize, const N: usize> Logic for Synchronizer<W, N> {
    #[kernel]
    fn update(&mut self) {
        self.stage[0].d.next = self.d.val();
        for i in 1..N {
            self.stage[i].d.next = self.stage[i - 1].q.val();
        }
        self.q.next = self.stage[N - 1].q.val();
    }
}
