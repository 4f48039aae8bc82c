use crate::primitives::{FifoBlock, State, TickCounter};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Notifications on their way to frames, and each remote completion once more some ticks later: a sender that the network keeps from
/// hearing of one would have to send a packet again to be told.
///
/// A notification is, low bits first: kind 8, node 16, op number 24, index 16, status 8, mask 64, packets 16. Each goes through in its
/// turn. A remote completion (kind 0xc1) is remembered, and told again `cfg_repeat` ticks after it went through, or later, for what comes
/// in goes first. One with status 7 (overlap) is told once, because the sender counts it as a try. So is one that finds all 256 places
/// taken.
/// Latency: none. Throughput: one per clock. Reset: nothing is remembered; what waits to be told again is no reason not to reset.
/// Spec: receive registry, "Done table": the same is told to a sender that asks; decided here: it is told before it asks.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CompletionRepeat {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// clocks per tick, 0 as 1
    pub cfg_prescale: Signal<In, Bits<16>>,
    /// ticks after which a remote completion is told again, 0: never
    pub cfg_repeat: Signal<In, Bits<7>>,
    /// a notification is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the notification
    pub in_data: Signal<In, Bits<152>>,
    /// one is offered
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the notification
    pub out_data: Signal<Out, Bits<152>>,

    ticks: TickCounter,
    // Low bits first: tick from which it is due 16, node 16, op number 24, status 6, packets 10: no operation has more than 256.
    waiting: FifoBlock<72, 8, 9>,
    // A repetition is offered, and not taken: it stays.
    chosen: State<Bit>,
    again: Signal<Local, Bit>,
    late: Signal<Local, Bits<16>>,
    due: Signal<Local, Bits<16>>,
    repeats: Signal<Local, Bit>,
}

impl Logic for CompletionRepeat {
    #[kernel]
    fn update(&mut self) {
        self.ticks.prescale.next = self.cfg_prescale.val();
        self.late.next = self.ticks.now.val().get_bits::<16>(0) - self.waiting.out_data.val().get_bits::<16>(0);
        self.again.next = self.chosen.q.val() || (!self.in_valid.val() && self.waiting.out_valid.val() && !self.late.val().get_bit(15));
        self.chosen.d.next = self.again.val() && !self.out_ready.val();
        self.waiting.out_ready.next = self.again.val() && self.out_ready.val();
        self.in_ready.next = self.out_ready.val() && !self.again.val();
        self.out_valid.next = self.in_valid.val() || self.again.val();
        self.out_data.next = self.in_data.val();
        if self.again.val() {
            self.out_data.next = bit_cast::<152, 8>(bits::<8>(0xc1))
                | (bit_cast::<152, 40>(self.waiting.out_data.val().get_bits::<40>(16)) << 8)
                | (bit_cast::<152, 6>(self.waiting.out_data.val().get_bits::<6>(56)) << 64)
                | (bit_cast::<152, 10>(self.waiting.out_data.val().get_bits::<10>(62)) << 136);
        }
        self.repeats.next = self.in_data.val().get_bits::<8>(0) == bits::<8>(0xc1)
            && self.in_data.val().get_bits::<8>(64) != bits::<8>(7)
            && self.cfg_repeat.val().any();
        self.waiting.in_valid.next = self.in_valid.val() && self.in_ready.val() && self.repeats.val() && self.waiting.in_ready.val();
        self.due.next = self.ticks.now.val().get_bits::<16>(0) + bit_cast::<16, 7>(self.cfg_repeat.val());
        self.waiting.in_data.next = bit_cast::<72, 16>(self.due.val())
            | (bit_cast::<72, 40>(self.in_data.val().get_bits::<40>(8)) << 16)
            | (bit_cast::<72, 6>(self.in_data.val().get_bits::<6>(64)) << 56)
            | (bit_cast::<72, 10>(self.in_data.val().get_bits::<10>(136)) << 62);
    }
}
