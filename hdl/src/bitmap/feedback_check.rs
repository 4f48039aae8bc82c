use crate::primitives::Reg;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an operation on a queue pair may do: whether feedback names what it can, and the bounds of its walk over the segments.
///
/// Operations: 0 acknowledgement of everything up to `psn`; 1 acknowledgement of everything before `psn`, and of a range; 2 of a range
/// alone; 3 feedback message, its window base in `psn`; 4 management; 5 the queue pair is opened at `psn`; 7 timer. An acknowledgement
/// whose edge is not in base ..= next, or whose range is empty or not in the window, is not accepted; a range of the others is cut to the
/// window, an edge that is not in it left out. Bounds count from the start of the segment of the base. The limit of the window, the first
/// number that may not be sent, never moves back: it is the acknowledged edge and the window, or less of it (`untold`), or, once the
/// receiver has told how much it takes (`credits` `c` below 23: `2^c` packets, at most the window), and that alone from then on, that.
/// Latency: 4 clocks, from inputs that stay. Spec: bitmap loss detection, "Sender". `WINDOW_BITS` is the width of an offset in the window;
/// `SEGMENT_BITS`, `WINDOW_SEGMENTS_COUNT_BITS`, `WINDOW_COUNT_BITS` see `SegmentMasks`.
#[derive(Default, Described, LogicBlock)]
pub struct FeedbackCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// operation
    pub kind: Signal<In, Bits<4>>,
    /// number that it names, a clock before the rest
    pub psn: Signal<In, Bits<24>>,
    /// first of a range
    pub start: Signal<In, Bits<24>>,
    /// packets of the range
    pub length: Signal<In, Bits<32>>,
    /// window that the receiver tells
    pub credits: Signal<In, Bits<5>>,
    /// packets of the window while it has told none, 0 or too many: all
    pub untold: Signal<In, Bits<16>>,
    /// the queue pair is open
    pub open: Signal<In, Bit>,
    /// first packet that is not acknowledged
    pub base: Signal<In, Bits<24>>,
    /// next packet to be sent
    pub next_psn: Signal<In, Bits<24>>,
    /// first packet that may not be sent
    pub limit: Signal<In, Bits<24>>,
    /// the receiver has told its window
    pub told: Signal<In, Bit>,
    /// it may be done
    pub accepted: Signal<Out, Bit>,
    /// nothing has been sent
    pub empty: Signal<Out, Bit>,
    /// end of what is acknowledged
    pub edge_end: Signal<Out, Bits<WINDOW_COUNT_BITS>>,
    /// first packet of the range
    pub range_start: Signal<Out, Bits<WINDOW_COUNT_BITS>>,
    /// end of the range
    pub range_end: Signal<Out, Bits<WINDOW_COUNT_BITS>>,
    /// next packet to be sent
    pub window_end: Signal<Out, Bits<WINDOW_COUNT_BITS>>,
    /// last segment with a packet
    pub last_k: Signal<Out, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// that from then on
    pub new_limit: Signal<Out, Bits<24>>,
    /// the receiver has told its window by then
    pub new_told: Signal<Out, Bit>,
    named0: Reg<Bits<24>>,
    size0: Reg<Bits<24>>,
    tells0: Reg<Bit>,
    edge1: Reg<Bits<24>>,
    sent1: Reg<Bits<24>>,
    start1: Reg<Bits<24>>,
    allowed1: Reg<Bits<24>>,
    sum2: Reg<Bits<25>>,
    start_in2: Reg<Bit>,
    edge_in2: Reg<Bit>,
    length_in2: Reg<Bit>,
    window_end2: Reg<Bits<WINDOW_COUNT_BITS>>,
    ahead2: Reg<Bits<24>>,
    has_edge2: Signal<Local, Bit>,
    beyond: Signal<Local, Bit>,
    low_sum: Signal<Local, Bits<24>>,
    end_before: Signal<Local, Bits<WINDOW_COUNT_BITS>>,
    accepted3: Reg<Bit>,
    edge_offset3: Reg<Bits<WINDOW_COUNT_BITS>>,
    start_offset3: Reg<Bits<WINDOW_COUNT_BITS>>,
    end_offset3: Reg<Bits<WINDOW_COUNT_BITS>>,
    last_k3: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    moves3: Reg<Bit>,
    tells3: Reg<Bit>,
    place: Signal<Local, Bits<WINDOW_COUNT_BITS>>,
    edge_end4: Reg<Bits<WINDOW_COUNT_BITS>>,
    range_start4: Reg<Bits<WINDOW_COUNT_BITS>>,
    range_end4: Reg<Bits<WINDOW_COUNT_BITS>>,
    new_limit4: Reg<Bits<24>>,
    new_told4: Reg<Bit>,
    accepted4: Reg<Bit>,
    empty2: Reg<Bit>,
}

impl Logic for FeedbackCheck {
    #[kernel]
    fn update(&mut self) {
        // Before the queue pair's own numbers are there.
        self.named0.d.next = self.psn.val();
        self.tells0.d.next = false;
        self.size0.d.next = bits::<24>(1) << WINDOW_BITS.to_bits::<5>();
        if self.untold.val().any() && (self.untold.val() < (bits::<16>(1) << WINDOW_BITS.to_bits::<5>())) {
            self.size0.d.next = bit_cast::<24, 16>(self.untold.val());
        }
        if self.kind.val() == bits::<4>(0) {
            self.named0.d.next = self.psn.val() + 1;
            self.tells0.d.next = self.credits.val() < bits::<5>(23);
            if self.credits.val() < bits::<5>(23) {
                self.size0.d.next = bits::<24>(1) << WINDOW_BITS.to_bits::<5>();
            }
            if self.credits.val() < WINDOW_BITS.to_bits::<5>() {
                self.size0.d.next = bits::<24>(1) << self.credits.val();
            }
        }

        // 1: offsets. 2 and 3: where they lie.
        self.edge1.d.next = self.named0.q.val() - self.base.val();
        self.sent1.d.next = self.next_psn.val() - self.base.val();
        self.start1.d.next = self.start.val() - self.base.val();
        self.allowed1.d.next = self.named0.q.val() + self.size0.q.val();
        if self.kind.val() == bits::<4>(2) {
            self.edge1.d.next = bits::<24>(0);
            self.allowed1.d.next = self.base.val() + self.size0.q.val();
        }
        self.place.next = bit_cast::<WINDOW_COUNT_BITS, SEGMENT_BITS>(self.base.val().get_bits::<SEGMENT_BITS>(0));
        self.sum2.d.next = bit_cast::<25, 24>(self.start1.q.val()) + bit_cast::<25, 24>(self.length.val().get_bits::<24>(0));
        self.start_in2.d.next = self.start1.q.val() < self.sent1.q.val();
        self.edge_in2.d.next = !(self.sent1.q.val() < self.edge1.q.val());
        self.length_in2.d.next = !self.length.val().get_bits::<9>(23).any() && self.length.val().get_bits::<23>(0).any();
        self.window_end2.d.next = self.sent1.q.val().get_bits::<WINDOW_COUNT_BITS>(0) + self.place.val();
        self.empty2.d.next = !self.sent1.q.val().any();
        self.ahead2.d.next = self.allowed1.q.val() - self.limit.val();

        self.low_sum.next = self.sum2.q.val().get_bits::<24>(0);
        self.beyond.next = self.sent1.q.val() < self.low_sum.val();
        self.has_edge2.next = self.edge_in2.q.val();
        self.edge_offset3.d.next = bits::<WINDOW_COUNT_BITS>(0);
        self.start_offset3.d.next = bits::<WINDOW_COUNT_BITS>(0);
        self.end_offset3.d.next = bits::<WINDOW_COUNT_BITS>(0);
        self.accepted3.d.next = self.open.val();
        // Of a range alone the edge is the base itself.
        if (self.kind.val() < bits::<4>(4)) && self.has_edge2.val() {
            self.edge_offset3.d.next = self.edge1.q.val().get_bits::<WINDOW_COUNT_BITS>(0);
        }
        if (self.kind.val() == bits::<4>(0)) && !self.has_edge2.val() {
            self.accepted3.d.next = false;
        }
        if (self.kind.val() == bits::<4>(1)) || (self.kind.val() == bits::<4>(2)) {
            self.start_offset3.d.next = self.start1.q.val().get_bits::<WINDOW_COUNT_BITS>(0);
            self.end_offset3.d.next = self.low_sum.val().get_bits::<WINDOW_COUNT_BITS>(0);
            if !self.length_in2.q.val() || self.beyond.val() || self.sum2.q.val().get_bit(24) || !self.has_edge2.val() {
                self.accepted3.d.next = false;
            }
        }
        if (self.kind.val() == bits::<4>(3)) || (self.kind.val() == bits::<4>(4)) {
            if !self.length_in2.q.val() {
                self.accepted3.d.next = false;
            } else if self.start_in2.q.val() || self.sum2.q.val().get_bit(24) {
                // A range that begins below the base passes zero.
                self.end_offset3.d.next = self.low_sum.val().get_bits::<WINDOW_COUNT_BITS>(0);
                if self.beyond.val() {
                    self.end_offset3.d.next = self.sent1.q.val().get_bits::<WINDOW_COUNT_BITS>(0);
                }
                if self.start_in2.q.val() {
                    self.start_offset3.d.next = self.start1.q.val().get_bits::<WINDOW_COUNT_BITS>(0);
                }
            }
        }
        self.end_before.next = self.window_end2.q.val() - 1;
        self.last_k3.d.next = self.end_before.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
        self.tells3.d.next = self.tells0.q.val();
        self.moves3.d.next = !self.ahead2.q.val().get_bit(23) && (self.tells0.q.val() || !self.told.val());
        if !(self.kind.val() < bits::<4>(4)) || ((self.kind.val() == bits::<4>(3)) && !self.has_edge2.val()) {
            self.moves3.d.next = false;
            self.tells3.d.next = false;
        }

        // 4: from the start of the segment. A timer asks for the first packet and the last one.
        self.edge_end4.d.next = self.edge_offset3.q.val() + self.place.val();
        self.range_start4.d.next = self.start_offset3.q.val() + self.place.val();
        self.range_end4.d.next = self.end_offset3.q.val() + self.place.val();
        if self.kind.val() == bits::<4>(7) {
            self.edge_end4.d.next = self.place.val() + 1;
            self.range_start4.d.next = self.end_before.val();
            self.range_end4.d.next = self.window_end2.q.val();
        }
        self.new_limit4.d.next = self.limit.val();
        self.new_told4.d.next = self.told.val();
        if self.accepted3.q.val() || (self.kind.val() == bits::<4>(3)) {
            self.new_told4.d.next = self.told.val() || self.tells3.q.val();
            if self.moves3.q.val() {
                self.new_limit4.d.next = self.allowed1.q.val();
            }
        }
        if self.kind.val() == bits::<4>(5) {
            self.new_limit4.d.next = self.allowed1.q.val();
            self.new_told4.d.next = false;
        }
        self.accepted4.d.next = self.accepted3.q.val();
        self.accepted.next = self.accepted4.q.val();
        self.empty.next = self.empty2.q.val();
        self.edge_end.next = self.edge_end4.q.val();
        self.range_start.next = self.range_start4.q.val();
        self.range_end.next = self.range_end4.q.val();
        self.window_end.next = self.window_end2.q.val();
        self.last_k.next = self.last_k3.q.val();
        self.new_limit.next = self.new_limit4.q.val();
        self.new_told.next = self.new_told4.q.val();
    }
}
