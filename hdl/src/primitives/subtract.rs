use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `a - b` modulo 2^`WIDTH`, one clock later, with carry chains of half the length: the borrow of the lower half counts in the second
/// clock.
///
/// For ages and limits of timers, where a clock does not matter and a carry over `WIDTH` bits would be the longest path around.
/// `HALF` is `WIDTH / 2`; both are checked. Latency: 1 clock, and a carry of `HALF` bits behind it. Throughput: one per clock. No reset:
/// nothing is kept.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct Subtract<const WIDTH: usize, const HALF: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// minuend
    pub a: Signal<In, Bits<WIDTH>>,
    /// subtrahend
    pub b: Signal<In, Bits<WIDTH>>,
    /// difference of the clock before
    pub difference: Signal<Out, Bits<WIDTH>>,

    a_low: Signal<Local, Bits<HALF>>,
    b_low: Signal<Local, Bits<HALF>>,
    low: Reg<Bits<HALF>>,
    high: Reg<Bits<HALF>>,
    borrow: Reg<Bit>,
    upper: Signal<Local, Bits<HALF>>,
}

impl<const WIDTH: usize, const HALF: usize> Default for Subtract<WIDTH, HALF> {
    fn default() -> Self {
        assert!(WIDTH == 2 * HALF && HALF > 0, "Subtract: HALF = {HALF} with WIDTH = {WIDTH}, must be {}", WIDTH / 2);
        Self::blank()
    }
}

impl<const WIDTH: usize, const HALF: usize> Logic for Subtract<WIDTH, HALF> {
    #[kernel]
    fn update(&mut self) {
        self.a_low.next = self.a.val().get_bits::<HALF>(0);
        self.b_low.next = self.b.val().get_bits::<HALF>(0);
        self.low.d.next = self.a_low.val() - self.b_low.val();
        self.borrow.d.next = self.a_low.val() < self.b_low.val();
        self.high.d.next = self.a.val().get_bits::<HALF>(HALF) - self.b.val().get_bits::<HALF>(HALF);
        self.upper.next = self.high.q.val();
        if self.borrow.q.val() {
            self.upper.next = self.high.q.val() - 1;
        }
        self.difference.next =
            bit_cast::<WIDTH, HALF>(self.low.q.val()) | (bit_cast::<WIDTH, HALF>(self.upper.val()) << HALF.to_bits::<8>());
    }
}
