use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A 64-bit address and a number of bytes added, and whether the range between goes past the end of the address space. It may end at 2^64.
///
/// Latency: 2 clocks, each with a carry of 32 bits. Throughput: one per clock. No reset: nothing is kept.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AddressSum {
    /// clock
    pub clk: Signal<In, Clock>,
    /// an address
    pub start: Signal<In, Bits<64>>,
    /// bytes from there on
    pub bytes: Signal<In, Bits<32>>,
    /// where they end, modulo 2^64
    pub sum: Signal<Out, Bits<64>>,
    /// they go past the end of the address space; never if there are none
    pub past: Signal<Out, Bit>,

    low: Reg<Bits<33>>,
    high: Reg<Bits<32>>,
    low2: Reg<Bits<32>>,
    rest: Reg<Bit>,
    high2: Reg<Bits<33>>,
}

impl Logic for AddressSum {
    #[kernel]
    fn update(&mut self) {
        self.low.d.next = bit_cast::<33, 32>(self.start.val().get_bits::<32>(0)) + bit_cast::<33, 32>(self.bytes.val());
        self.high.d.next = self.start.val().get_bits::<32>(32);
        self.low2.d.next = self.low.q.val().get_bits::<32>(0);
        self.rest.d.next = self.low.q.val().get_bits::<32>(0).any();
        self.high2.d.next = bit_cast::<33, 32>(self.high.q.val()) + bit_cast::<33, 1>(self.low.q.val().get_bits::<1>(32));
        self.sum.next = bit_cast::<64, 32>(self.low2.q.val()) | (bit_cast::<64, 32>(self.high2.q.val().get_bits::<32>(0)) << 32);
        // A carry that leaves something behind: exactly 2^64 is no more than the end.
        self.past.next = self.high2.q.val().get_bit(32) && (self.high2.q.val().get_bits::<32>(0).any() || self.rest.q.val());
    }
}
