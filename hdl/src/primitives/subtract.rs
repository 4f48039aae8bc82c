use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `a - b` modulo 2^`W`, one clock later, with carry chains of half the length: the borrow of the lower half counts in the second clock.
///
/// For ages and limits of timers, where a clock does not matter and a carry over `W` bits would be the longest path around.
/// `H` is `W / 2`; both are checked. Latency: 1 clock, and a carry of `H` bits behind it. Throughput: one per clock. No reset: nothing is kept.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct Subtract<const W: usize, const H: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// minuend
    pub a: Signal<In, Bits<W>>,
    /// subtrahend
    pub b: Signal<In, Bits<W>>,
    /// difference of the clock before
    pub difference: Signal<Out, Bits<W>>,

    a_low: Signal<Local, Bits<H>>,
    b_low: Signal<Local, Bits<H>>,
    low: Reg<Bits<H>>,
    high: Reg<Bits<H>>,
    borrow: Reg<Bit>,
    upper: Signal<Local, Bits<H>>,
}

impl<const W: usize, const H: usize> Default for Subtract<W, H> {
    fn default() -> Self {
        assert!(W == 2 * H && H > 0, "Subtract: H = {H} with W = {W}, must be {}", W / 2);
        Self::blank()
    }
}

impl<const W: usize, const H: usize> Logic for Subtract<W, H> {
    #[kernel]
    fn update(&mut self) {
        self.a_low.next = self.a.val().get_bits::<H>(0);
        self.b_low.next = self.b.val().get_bits::<H>(0);
        self.low.d.next = self.a_low.val() - self.b_low.val();
        self.borrow.d.next = self.a_low.val() < self.b_low.val();
        self.high.d.next = self.a.val().get_bits::<H>(H) - self.b.val().get_bits::<H>(H);
        self.upper.next = self.high.q.val();
        if self.borrow.q.val() {
            self.upper.next = self.high.q.val() - 1;
        }
        self.difference.next = bit_cast::<W, H>(self.low.q.val()) | (bit_cast::<W, H>(self.upper.val()) << H.to_bits::<8>());
    }
}
