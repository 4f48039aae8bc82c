use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// How many segments a window is to have: the packets of one bandwidth-delay product, with headroom and load, less under congestion,
/// between two bounds.
///
/// `clamp(ceil(ceil(ceil(ceil(bandwidth * rtt / P) * headroom / 16) * load / 16) * (16 - congestion) / 16 / S), base, max)`, by one adder,
/// over and over: what is changed shows within two rounds. Bandwidth and round trip are less than 2^24, so that nothing overflows.
/// Latency: 58 clocks a round. Reset: the shortest window, until the first round is over.
///
/// `SEGMENT_BITS`: a segment has `2^SEGMENT_BITS` packets.
#[derive(Default, Described, LogicBlock)]
pub struct WindowLength {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bytes per tick
    pub bandwidth: Signal<In, Bits<24>>,
    /// round trip in ticks
    pub rtt: Signal<In, Bits<24>>,
    /// payload bytes of a packet are 2 to the power of this
    pub packet_bits: Signal<In, Bits<4>>,
    /// sixteenths
    pub headroom: Signal<In, Bits<8>>,
    /// sixteenths
    pub load: Signal<In, Bits<8>>,
    /// sixteenths that congestion takes away, 16 at most
    pub congestion: Signal<In, Bits<5>>,
    /// segments at least
    pub base_length: Signal<In, Bits<16>>,
    /// segments at most; less than `base_length` counts as that
    pub max_length: Signal<In, Bits<16>>,
    /// segments
    pub length: Signal<Out, Bits<16>>,
    // 0 bandwidth and round trip, 1 headroom, 2 load, 3 congestion, 4 the bounds.
    part: State<Bits<3>>,
    step: State<Bits<5>>,
    sum: State<Bits<56>>,
    factor: Reg<Bits<56>>,
    bits_left: Reg<Bits<24>>,
    last: Signal<Local, Bit>,
    shift: Signal<Local, Bits<4>>,
    below: Signal<Local, Bits<16>>,
    up: Signal<Local, Bits<56>>,
    quotient: Reg<Bits<56>>,
    divided: State<Bit>,
    most: Reg<Bits<16>>,
    result: Reg<Bits<16>>,
}

impl Logic for WindowLength {
    #[kernel]
    fn update(&mut self) {
        self.length.next = self.result.q.val();
        self.most.d.next = self.max_length.val();
        if self.max_length.val() < self.base_length.val() {
            self.most.d.next = self.base_length.val();
        }

        // What a product is divided by, a power of two, and less one for the rounding.
        self.shift.next = bits::<4>(4);
        self.last.next = self.step.q.val() == bits::<5>(8);
        if !self.part.q.val().any() {
            self.shift.next = self.packet_bits.val();
            self.last.next = self.step.q.val() == bits::<5>(24);
        }
        if self.part.q.val() == bits::<3>(4) {
            self.shift.next = SEGMENT_BITS.to_bits::<4>();
            self.last.next = true;
        }
        self.below.next = (bits::<16>(1) << bit_cast::<16, 4>(self.shift.val())) - 1;
        self.up.next = self.sum.q.val() + bit_cast::<56, 16>(self.below.val());
        self.quotient.d.next = self.up.val() >> bit_cast::<56, 4>(self.shift.val());

        self.step.d.next = self.step.q.val() + 1;
        self.divided.d.next = false;
        if self.divided.q.val() {
            // The next part begins with the quotient.
            self.part.d.next = self.part.q.val() + 1;
            self.step.d.next = bits::<5>(0);
            self.sum.d.next = bits::<56>(0);
            self.factor.d.next = self.quotient.q.val();
            self.bits_left.d.next = bit_cast::<24, 8>(self.headroom.val());
            if self.part.q.val() == bits::<3>(1) {
                self.bits_left.d.next = bit_cast::<24, 8>(self.load.val());
            }
            if self.part.q.val() == bits::<3>(2) {
                self.bits_left.d.next = bits::<24>(16) - bit_cast::<24, 5>(self.congestion.val());
                if self.congestion.val().get_bit(4) {
                    self.bits_left.d.next = bits::<24>(0);
                }
            }
            if self.part.q.val() == bits::<3>(3) {
                self.sum.d.next = self.quotient.q.val();
            }
            if self.part.q.val() == bits::<3>(4) {
                self.part.d.next = bits::<3>(0);
                self.factor.d.next = bit_cast::<56, 24>(self.bandwidth.val());
                self.bits_left.d.next = self.rtt.val();
                self.result.d.next = self.quotient.q.val().get_bits::<16>(0);
                if self.quotient.q.val() < bit_cast::<56, 16>(self.base_length.val()) {
                    self.result.d.next = self.base_length.val();
                }
                if self.quotient.q.val() > bit_cast::<56, 16>(self.most.q.val()) {
                    self.result.d.next = self.most.q.val();
                }
            }
        } else if self.last.val() {
            self.step.d.next = self.step.q.val();
            self.divided.d.next = true;
        } else {
            if self.bits_left.q.val().get_bit(0) {
                self.sum.d.next = self.sum.q.val() + self.factor.q.val();
            }
            self.factor.d.next = self.factor.q.val() << 1;
            self.bits_left.d.next = self.bits_left.q.val() >> 1;
        }
        if self.rst.val() {
            self.factor.d.next = bit_cast::<56, 24>(self.bandwidth.val());
            self.bits_left.d.next = self.rtt.val();
            self.result.d.next = self.base_length.val();
        }
    }
}
