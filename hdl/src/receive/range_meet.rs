use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where a packet lies beside one operation: its block number against that of the base, and, of a start, whether the ranges meet.
///
/// Block numbers have `BLOCK_BITS` upper bits and `POSITION_BITS` lower ones; a range has at most `2^POSITION_BITS` blocks. So ranges meet
/// only if the upper bits of their bases are equal or neighbours. One neighbour of a number differs in the lowest bit alone, so two
/// comparisons of the other bits tell all three: with the number and with `beside`, its other neighbour.
/// Latency: 1 clock. Throughput: one packet per clock. Reset: none. Spec: receive registry, "Matching", "Decided" (overlap).
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RangeMeet<const BLOCK_BITS: usize, const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// packet: block number, upper bits
    pub s1_up: Signal<In, Bits<BLOCK_BITS>>,
    /// packet: block number, lower bits
    pub s1_lo: Signal<In, Bits<POSITION_BITS>>,
    /// packet: packets of the operation, if it is a start
    pub s1_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// operation: block number of its base, upper bits
    pub up: Signal<In, Bits<BLOCK_BITS>>,
    /// operation: of the neighbours of `up`, the one that differs in more than the lowest bit
    pub beside: Signal<In, Bits<BLOCK_BITS>>,
    /// operation: block number of its base, lower bits
    pub lo: Signal<In, Bits<POSITION_BITS>>,
    /// operation: packets
    pub count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// the upper bits of the packet are those of the base
    pub equal: Signal<Out, Bit>,
    /// they are one more
    pub above: Signal<Out, Bit>,
    /// the range of the start meets that of the operation
    pub meets: Signal<Out, Bit>,

    distance: Signal<Local, Bits<POSITION_BITS>>,
    reach: Signal<Local, Bits<POSITION_BITS>>,
    borrow: Signal<Local, Bit>,
    same_bit: Signal<Local, Bit>,
    bit_above: Signal<Local, Bit>,
    bit_below: Signal<Local, Bit>,
    // In two parts: 2 * (UP - 1) bits are much for one clock.
    same_low: Reg<Bit>,
    same_high: Reg<Bit>,
    next_low: Reg<Bit>,
    next_high: Reg<Bit>,
    equal_low: Reg<Bit>,
    same_above: Reg<Bit>,
    next_below: Reg<Bit>,
    same_low_now: Signal<Local, Bit>,
    fits: Reg<Bit>,
    reaches: Reg<Bit>,
    around: Reg<Bit>,
    neighbour: Reg<Bit>,
    same_pair: Signal<Local, Bit>,
    next_pair: Signal<Local, Bit>,
    right_pair: Signal<Local, Bit>,
}

impl<const BLOCK_BITS: usize, const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize> Logic
    for RangeMeet<BLOCK_BITS, POSITION_BITS, POSITION_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.distance.next = self.s1_lo.val() - self.lo.val();
        self.reach.next = self.lo.val() - self.s1_lo.val();
        self.borrow.next = self.s1_lo.val() < self.lo.val();
        self.same_bit.next = self.s1_up.val().get_bit(0) == self.up.val().get_bit(0);
        self.bit_above.next = self.s1_up.val().get_bit(0) && !self.up.val().get_bit(0);
        self.bit_below.next = !self.s1_up.val().get_bit(0) && self.up.val().get_bit(0);
        self.same_low_now.next = bit_cast::<24, BLOCK_BITS>(self.s1_up.val() >> 1) == bit_cast::<24, BLOCK_BITS>(self.up.val() >> 1);
        self.same_low.d.next = self.same_low_now.val();
        self.same_high.d.next = (self.s1_up.val() >> 25) == (self.up.val() >> 25);
        self.next_low.d.next = bit_cast::<24, BLOCK_BITS>(self.s1_up.val() >> 1) == bit_cast::<24, BLOCK_BITS>(self.beside.val() >> 1);
        self.next_high.d.next = (self.s1_up.val() >> 25) == (self.beside.val() >> 25);
        // With the lowest bit. Of neighbours in two pairs, the lower one ends in 1.
        self.next_below.d.next = self.bit_below.val();
        self.equal_low.d.next = self.same_low_now.val() && self.same_bit.val();
        self.same_above.d.next = self.same_low_now.val() && self.bit_above.val();
        self.fits.d.next = bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.distance.val()) < self.count.val();
        self.reaches.d.next =
            self.distance.val().any() && (bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.reach.val()) < self.s1_count.val());
        // A start begins inside of the operation, or begins before and reaches around its base; the upper bits are those of the base or of
        // its neighbour.
        self.around.d.next = (self.same_bit.val() && self.borrow.val()) || (!self.same_bit.val() && !self.borrow.val());
        self.neighbour.d.next = (self.bit_below.val() && self.borrow.val()) || (self.bit_above.val() && !self.borrow.val());

        self.same_pair.next = self.same_low.q.val() && self.same_high.q.val();
        self.next_pair.next = self.next_low.q.val() && self.next_high.q.val();
        self.right_pair.next = (self.neighbour.q.val() && self.next_pair.val()) || (!self.neighbour.q.val() && self.same_pair.val());
        self.meets.next =
            ((self.around.q.val() && self.reaches.q.val()) || (!self.around.q.val() && self.fits.q.val())) && self.right_pair.val();
        self.equal.next = self.equal_low.q.val() && self.same_high.q.val();
        self.above.next = (self.same_above.q.val() && self.same_high.q.val())
            || (self.next_below.q.val() && self.next_low.q.val() && self.next_high.q.val());
    }
}
