use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a token bucket gains in a time: rate times clocks, exactly, up to what a bucket can hold.
///
/// A rate is bytes per clock with 20 bits behind the binary point, and so is what is gained. From 65,536 bytes on it is all ones: no bucket
/// is deeper. `QueuePairBuckets` has one. The product is made of four of 16 bits each way, which is what a DSP slice takes.
/// Latency: 3 clocks. Throughput: 1 per clock. Reset: none, what comes out is of what went in.
/// Spec: congestion state on the acknowledgement, "Sender". Decided here: the fraction.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct TokenGain {
    /// clock
    pub clk: Signal<In, Clock>,
    /// bytes per clock, 20 bits of them behind the binary point
    pub rate: Signal<In, Bits<28>>,
    /// clocks
    pub elapsed: Signal<In, Bits<24>>,
    /// bytes, 20 bits behind the binary point
    pub gained: Signal<Out, Bits<36>>,

    rate_low: Signal<Local, Bits<16>>,
    rate_high: Signal<Local, Bits<16>>,
    elapsed_low: Signal<Local, Bits<16>>,
    elapsed_high: Signal<Local, Bits<16>>,
    low1: Reg<Bits<32>>,
    cross1: Reg<Bits<32>>,
    crossed1: Reg<Bits<32>>,
    high1: Reg<Bits<32>>,
    base2: Reg<Bits<36>>,
    middle2: Reg<Bits<33>>,
    over2: Reg<Bit>,
    sum3: Reg<Bits<37>>,
    over3: Reg<Bit>,
}

impl Logic for TokenGain {
    #[kernel]
    fn update(&mut self) {
        self.rate_low.next = self.rate.val().get_bits::<16>(0);
        self.rate_high.next = bit_cast::<16, 12>(self.rate.val().get_bits::<12>(16));
        self.elapsed_low.next = self.elapsed.val().get_bits::<16>(0);
        self.elapsed_high.next = bit_cast::<16, 8>(self.elapsed.val().get_bits::<8>(16));
        self.low1.d.next = self.rate_low.val() * self.elapsed_low.val();
        self.cross1.d.next = self.rate_high.val() * self.elapsed_low.val();
        self.crossed1.d.next = self.rate_low.val() * self.elapsed_high.val();
        self.high1.d.next = self.rate_high.val() * self.elapsed_high.val();

        self.base2.d.next = bit_cast::<36, 32>(self.low1.q.val()) | (bit_cast::<36, 4>(self.high1.q.val().get_bits::<4>(0)) << 32);
        self.middle2.d.next = bit_cast::<33, 32>(self.cross1.q.val()) + bit_cast::<33, 32>(self.crossed1.q.val());
        self.over2.d.next = self.high1.q.val().get_bits::<28>(4).any();

        self.sum3.d.next = bit_cast::<37, 36>(self.base2.q.val()) + (bit_cast::<37, 20>(self.middle2.q.val().get_bits::<20>(0)) << 16);
        self.over3.d.next = self.over2.q.val() || self.middle2.q.val().get_bits::<13>(20).any();

        self.gained.next = self.sum3.q.val().get_bits::<36>(0);
        if self.over3.q.val() || self.sum3.q.val().get_bit(36) {
            self.gained.next = !bits::<36>(0);
        }
    }
}
