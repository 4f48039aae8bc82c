use crate::primitives::{Reg, State, Subtract};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Quarters of `cfg_t_life`, counted: between two moments whose counts differ by five lies more than one life.
///
/// A quarter is `t_life / 4 + 1` ticks, rounded down, so the four whole ones between them are more than a life; they are at most six
/// quarters apart. The `QUARTER_BITS` bits of the count wrap: two moments that are `2^QUARTER_BITS` quarters apart look like one.
/// Latency: 3 clocks from the tick that ends a quarter. Reset: zero.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct LifeClock<const QUARTER_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that a packet may live in the network
    pub cfg_t_life: Signal<In, Bits<32>>,
    /// quarters so far
    pub quarter: Signal<Out, Bits<QUARTER_BITS>>,

    since: Subtract<32, 16>,
    began: Reg<Bits<32>>,
    passed: Reg<Bits<32>>,
    over: Reg<Bit>,
    count: State<Bits<QUARTER_BITS>>,
    // Clocks until `over` knows of the quarter that has begun.
    settle: Reg<Bits<2>>,
}

impl<const QUARTER_BITS: usize> Logic for LifeClock<QUARTER_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.since.a.next = self.now.val();
        self.since.b.next = self.began.q.val();
        self.passed.d.next = self.since.difference.val();
        self.over.d.next = bit_cast::<31, 30>(self.cfg_t_life.val().get_bits::<30>(2)) < self.passed.q.val().get_bits::<31>(0);
        if self.settle.q.val().any() {
            self.settle.d.next = self.settle.q.val() - 1;
        } else if self.over.q.val() || self.passed.q.val().get_bit(31) {
            self.settle.d.next = bits::<2>(3);
            self.began.d.next = self.now.val();
            self.count.d.next = self.count.q.val() + 1;
        }
        self.quarter.next = self.count.q.val();
        if self.rst.val() {
            self.began.d.next = self.now.val();
            self.settle.d.next = bits::<2>(3);
        }
    }
}
