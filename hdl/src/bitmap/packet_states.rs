use super::{PERIOD_BITS, STATE_KINDS, SegmentMasks, SetCount, StateAges, StateChange};
use crate::primitives::{BlockRam, FindFirst, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The send bitmaps: a state per packet, a segment per word in three bit planes, read, changed and written back, one segment per clock.
///
/// What a state means changes with each round: the three bits of a packet are inverted in every other one. So an acknowledged packet, 111,
/// is a free one, 000, of the next round; nothing has to be cleared behind the base, and sending a packet changes nothing here: packets
/// from `next` on are free, before it sent. Only a new window is cleared, with kind 5. In each word stands the period of time in which it
/// was written; what was sent again grows older by the difference when it is read. A walk over segments first loads the bounds. Its results
/// count from `start`: the first packet from the base on that is not acknowledged, the first one that is pending, how many have begun and
/// ceased to be pending, and how many have begun or ceased to count as sent again. A word that is read again must have been written:
/// `writing` is low then.
/// Latency: 5 clocks from `go` to the word, 8 to the results. Throughput: one segment per clock. Contents are unknown until written. Reset:
/// nothing is under way. Block RAM: `3 SEGMENT + 24` bits per segment. Spec: bitmap loss detection, "Sender" and "Large windows".
///
/// `SEGMENT_BITS`, `SEGMENT_COUNT_BITS`, `WINDOW_SEGMENTS_BITS`, `WINDOW_SEGMENTS_COUNT_BITS`, `WINDOW_COUNT_BITS` see `SegmentMasks`;
/// `SEGMENT_ADDRESS_BITS` is the width of a segment's address, `SEGMENT_WORD_BITS` = `3 SEGMENT + 24`.
#[derive(Default, Described, LogicBlock)]
pub struct PacketStates {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current period of time
    pub period: Signal<In, Bits<PERIOD_BITS>>,
    /// a walk begins: bounds are taken over, results forgotten
    pub start: Signal<In, Bit>,
    /// 0: what is below `edge_end` and the range are acknowledged; 1: what is below `edge_end` is acknowledged, the range asked for; 2: the
    /// range becomes pending; 3: so do the range and what is below `edge_end`, and what was sent, or sent again long ago, is suspected; 4:
    /// the range is sent again; 5: everything is cleared; 6: nothing happens
    pub kind: Signal<In, Bits<STATE_KINDS>>,
    /// bounds, see `SegmentMasks`
    pub base: Signal<In, Bits<SEGMENT_BITS>>,
    /// end of what is acknowledged
    pub edge_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// first packet that is named
    pub range_start: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// end of these
    pub range_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// next packet to be sent
    pub window_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// a segment, from the clock after `start` on
    pub go: Signal<In, Bit>,
    /// its number from that of the base
    pub k: Signal<In, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// bit `LB` of its packets' numbers
    pub k_lap: Signal<In, Bit>,
    /// its address
    pub segment: Signal<In, Bits<SEGMENT_ADDRESS_BITS>>,
    /// a segment is on its way to be written
    pub writing: Signal<Out, Bit>,
    /// a segment is on its way to the results
    pub busy: Signal<Out, Bit>,
    /// a word, 5 clocks after `go`
    pub word_valid: Signal<Out, Bit>,
    /// its states, upper bits
    pub high: Signal<Out, Bits<SEGMENT>>,
    /// middle bits
    pub middle: Signal<Out, Bits<SEGMENT>>,
    /// lower bits
    pub low: Signal<Out, Bits<SEGMENT>>,
    /// results of some segment are there
    pub passed: Signal<Out, Bit>,
    /// the last of them
    pub passed_k: Signal<Out, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// a packet is not acknowledged
    pub is_open: Signal<Out, Bit>,
    /// the first: its segment
    pub open_k: Signal<Out, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// its position there
    pub open_at: Signal<Out, Bits<SEGMENT_BITS>>,
    /// a packet is pending
    pub is_pending: Signal<Out, Bit>,
    /// the first: its segment
    pub pending_k: Signal<Out, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// its position there
    pub pending_at: Signal<Out, Bits<SEGMENT_BITS>>,
    /// packets that have begun to be pending
    pub begun_count: Signal<Out, Bits<16>>,
    /// packets that have ceased to be pending
    pub ceased_count: Signal<Out, Bits<16>>,
    /// packets that have begun or ceased to count as sent again
    pub again_count: Signal<Out, Bits<16>>,
    masks: SegmentMasks,
    ram: BlockRam<SEGMENT_WORD_BITS, SEGMENT_ADDRESS_BITS, 1>,
    ages: StateAges,
    change: StateChange<SEGMENT>,
    open_find: FindFirst<SEGMENT, SEGMENT_BITS>,
    pending_find: FindFirst<SEGMENT, SEGMENT_BITS>,
    begun_set: SetCount,
    ceased_set: SetCount,
    again_set: SetCount,
    valid1: State<Bit>,
    valid2: State<Bit>,
    valid3: State<Bit>,
    valid4: State<Bit>,
    valid5: State<Bit>,
    valid6: State<Bit>,
    valid7: State<Bit>,
    segment1: Reg<Bits<SEGMENT_ADDRESS_BITS>>,
    segment2: Reg<Bits<SEGMENT_ADDRESS_BITS>>,
    segment3: Reg<Bits<SEGMENT_ADDRESS_BITS>>,
    segment4: Reg<Bits<SEGMENT_ADDRESS_BITS>>,
    segment5: Reg<Bits<SEGMENT_ADDRESS_BITS>>,
    k1: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k2: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k3: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k4: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k5: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k6: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    k7: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    // Of the whole walk: an age is counted from what it was written with.
    walk_period: Reg<Bits<PERIOD_BITS>>,
    past2: Signal<Local, Bits<PERIOD_BITS>>,
    periods3: Reg<Bits<2>>,
    high3: Reg<Bits<SEGMENT>>,
    middle3: Reg<Bits<SEGMENT>>,
    low3: Reg<Bits<SEGMENT>>,
    lap3: Reg<Bits<SEGMENT>>,
    high4: Reg<Bits<SEGMENT>>,
    middle4: Reg<Bits<SEGMENT>>,
    low4: Reg<Bits<SEGMENT>>,
    lap4: Reg<Bits<SEGMENT>>,
    acknowledge4: Reg<Bits<SEGMENT>>,
    ask4: Reg<Bits<SEGMENT>>,
    demand4: Reg<Bits<SEGMENT>>,
    suspect4: Reg<Bits<SEGMENT>>,
    resend4: Reg<Bits<SEGMENT>>,
    clear4: Reg<Bit>,
    high5: Reg<Bits<SEGMENT>>,
    middle5: Reg<Bits<SEGMENT>>,
    low5: Reg<Bits<SEGMENT>>,
    lap5: Reg<Bits<SEGMENT>>,
    visible5: Reg<Bits<SEGMENT>>,
    begun_change5: Reg<Bits<SEGMENT>>,
    ceased_change5: Reg<Bits<SEGMENT>>,
    again_change5: Reg<Bits<SEGMENT>>,
    wide_high: Signal<Local, Bits<SEGMENT_WORD_BITS>>,
    wide_middle: Signal<Local, Bits<SEGMENT_WORD_BITS>>,
    wide_low: Signal<Local, Bits<SEGMENT_WORD_BITS>>,
    wide_period: Signal<Local, Bits<SEGMENT_WORD_BITS>>,
    open6: Reg<Bits<SEGMENT>>,
    pending6: Reg<Bits<SEGMENT>>,
    any_open7: Reg<Bit>,
    open_at7: Reg<Bits<SEGMENT_BITS>>,
    any_pending7: Reg<Bit>,
    pending_at7: Reg<Bits<SEGMENT_BITS>>,
    passed8: Reg<Bit>,
    passed_k8: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    found_open: Reg<Bit>,
    found_open_k: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    found_open_at: Reg<Bits<SEGMENT_BITS>>,
    found_pending: Reg<Bit>,
    found_pending_k: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    found_pending_at: Reg<Bits<SEGMENT_BITS>>,
    begun_total: Reg<Bits<16>>,
    ceased_total: Reg<Bits<16>>,
    again_total: Reg<Bits<16>>,
}

impl Logic for PacketStates {
    #[kernel]
    fn update(&mut self) {
        self.masks.load.next = self.start.val();
        self.masks.base.next = self.base.val();
        self.masks.edge_end.next = self.edge_end.val();
        self.masks.range_start.next = self.range_start.val();
        self.masks.range_end.next = self.range_end.val();
        self.masks.window_end.next = self.window_end.val();
        self.masks.k.next = self.k.val();
        self.masks.k_lap.next = self.k_lap.val();
        self.ram.read_address.next = self.segment.val();

        // Stage 2: the word is there, and how old it is.
        self.past2.next = self.walk_period.q.val() - self.ram.read_data.val().get_bits::<PERIOD_BITS>(0);
        self.periods3.d.next = self.past2.val().get_bits::<2>(0);
        if self.past2.val().get_bits::<22>(2).any() {
            self.periods3.d.next = bits::<2>(3);
        }
        self.low3.d.next = self.ram.read_data.val().get_bits::<SEGMENT>(24);
        self.middle3.d.next = self.ram.read_data.val().get_bits::<SEGMENT>(24 + SEGMENT);
        self.high3.d.next = self.ram.read_data.val().get_bits::<SEGMENT>(24 + SEGMENT + SEGMENT);
        self.lap3.d.next = self.masks.lap.val();

        // Stage 3: states as they are now.
        self.ages.periods.next = self.periods3.q.val();
        self.ages.high.next = self.high3.q.val() ^ self.lap3.q.val();
        self.ages.middle.next = self.middle3.q.val() ^ self.lap3.q.val();
        self.ages.low.next = self.low3.q.val() ^ self.lap3.q.val();
        self.high4.d.next = self.ages.new_high.val();
        self.middle4.d.next = self.ages.new_middle.val();
        self.low4.d.next = self.ages.new_low.val();
        self.lap4.d.next = self.lap3.q.val();
        self.acknowledge4.d.next = bits::<SEGMENT>(0);
        self.ask4.d.next = bits::<SEGMENT>(0);
        self.demand4.d.next = bits::<SEGMENT>(0);
        self.suspect4.d.next = bits::<SEGMENT>(0);
        self.resend4.d.next = bits::<SEGMENT>(0);
        if self.kind.val() == bits::<STATE_KINDS>(0) {
            self.acknowledge4.d.next = self.masks.below.val() | self.masks.range.val();
        } else if self.kind.val() == bits::<STATE_KINDS>(1) {
            self.acknowledge4.d.next = self.masks.below.val();
            self.ask4.d.next = self.masks.range.val() & !self.masks.below.val();
        } else if self.kind.val() == bits::<STATE_KINDS>(2) {
            self.demand4.d.next = self.masks.range.val();
        } else if self.kind.val() == bits::<STATE_KINDS>(3) {
            self.demand4.d.next = self.masks.below.val() | self.masks.range.val();
            self.suspect4.d.next = self.masks.window.val() & !(self.masks.below.val() | self.masks.range.val());
        } else if self.kind.val() == bits::<STATE_KINDS>(4) {
            self.resend4.d.next = self.masks.range.val();
        }
        self.clear4.d.next = self.kind.val() == bits::<STATE_KINDS>(5);

        // Stage 4: what becomes of them.
        self.change.acknowledge.next = self.acknowledge4.q.val();
        self.change.ask.next = self.ask4.q.val();
        self.change.demand.next = self.demand4.q.val();
        self.change.suspect.next = self.suspect4.q.val();
        self.change.resend.next = self.resend4.q.val();
        self.change.clear.next = self.clear4.q.val();
        self.change.high.next = self.high4.q.val();
        self.change.middle.next = self.middle4.q.val();
        self.change.low.next = self.low4.q.val();
        self.high5.d.next = self.change.new_high.val();
        self.middle5.d.next = self.change.new_middle.val();
        self.low5.d.next = self.change.new_low.val();
        self.lap5.d.next = self.lap4.q.val();
        self.visible5.d.next = self.masks.visible.val();
        self.begun_change5.d.next = self.change.begun.val();
        self.ceased_change5.d.next = self.change.ceased.val();
        self.again_change5.d.next = self.change.again_change.val();

        // Stage 5: written.
        self.word_valid.next = self.valid5.q.val();
        self.high.next = self.high5.q.val();
        self.middle.next = self.middle5.q.val();
        self.low.next = self.low5.q.val();
        self.wide_high.next = bit_cast::<SEGMENT_WORD_BITS, SEGMENT>(self.high5.q.val() ^ self.lap5.q.val());
        self.wide_middle.next = bit_cast::<SEGMENT_WORD_BITS, SEGMENT>(self.middle5.q.val() ^ self.lap5.q.val());
        self.wide_low.next = bit_cast::<SEGMENT_WORD_BITS, SEGMENT>(self.low5.q.val() ^ self.lap5.q.val());
        self.wide_period.next = bit_cast::<SEGMENT_WORD_BITS, PERIOD_BITS>(self.walk_period.q.val());
        self.ram.write_enable.next = self.valid5.q.val();
        self.ram.write_address.next = self.segment5.q.val();
        self.ram.write_data.next = (self.wide_high.val() << (24 + SEGMENT + SEGMENT).to_bits::<8>())
            | (self.wide_middle.val() << (24 + SEGMENT).to_bits::<8>())
            | (self.wide_low.val() << 24)
            | self.wide_period.val();
        self.open6.d.next = !(self.high5.q.val() & self.middle5.q.val() & self.low5.q.val()) & self.visible5.q.val();
        self.pending6.d.next = !self.high5.q.val() & self.middle5.q.val() & !self.low5.q.val() & self.visible5.q.val();
        self.begun_set.bits_in.next = self.begun_change5.q.val();
        self.ceased_set.bits_in.next = self.ceased_change5.q.val();
        self.again_set.bits_in.next = self.again_change5.q.val();

        // Stage 6.
        self.open_find.request.next = self.open6.q.val();
        self.pending_find.request.next = self.pending6.q.val();
        self.any_open7.d.next = self.open_find.any.val();
        self.open_at7.d.next = self.open_find.index.val();
        self.any_pending7.d.next = self.pending_find.any.val();
        self.pending_at7.d.next = self.pending_find.index.val();

        // Stage 7: results.
        self.passed.next = self.passed8.q.val();
        self.passed_k.next = self.passed_k8.q.val();
        self.is_open.next = self.found_open.q.val();
        self.open_k.next = self.found_open_k.q.val();
        self.open_at.next = self.found_open_at.q.val();
        self.is_pending.next = self.found_pending.q.val();
        self.pending_k.next = self.found_pending_k.q.val();
        self.pending_at.next = self.found_pending_at.q.val();
        self.begun_count.next = self.begun_total.q.val();
        self.ceased_count.next = self.ceased_total.q.val();
        self.again_count.next = self.again_total.q.val();
        if self.valid7.q.val() {
            self.passed8.d.next = true;
            self.passed_k8.d.next = self.k7.q.val();
            self.begun_total.d.next = self.begun_total.q.val() + bit_cast::<16, 8>(self.begun_set.count.val());
            self.ceased_total.d.next = self.ceased_total.q.val() + bit_cast::<16, 8>(self.ceased_set.count.val());
            self.again_total.d.next = self.again_total.q.val() + bit_cast::<16, 8>(self.again_set.count.val());
            if !self.found_open.q.val() {
                self.found_open.d.next = self.any_open7.q.val();
                self.found_open_k.d.next = self.k7.q.val();
                self.found_open_at.d.next = self.open_at7.q.val();
            }
            if !self.found_pending.q.val() {
                self.found_pending.d.next = self.any_pending7.q.val();
                self.found_pending_k.d.next = self.k7.q.val();
                self.found_pending_at.d.next = self.pending_at7.q.val();
            }
        }
        if self.start.val() {
            self.walk_period.d.next = self.period.val();
            self.passed8.d.next = false;
            self.found_open.d.next = false;
            self.found_pending.d.next = false;
            self.begun_total.d.next = bits::<16>(0);
            self.ceased_total.d.next = bits::<16>(0);
            self.again_total.d.next = bits::<16>(0);
        }

        // What passes along.
        self.writing.next = self.valid1.q.val() || self.valid2.q.val() || self.valid3.q.val() || self.valid4.q.val() || self.valid5.q.val();
        self.busy.next = self.writing.val() || self.valid6.q.val() || self.valid7.q.val();
        self.valid1.d.next = self.go.val();
        self.valid2.d.next = self.valid1.q.val();
        self.valid3.d.next = self.valid2.q.val();
        self.valid4.d.next = self.valid3.q.val();
        self.valid5.d.next = self.valid4.q.val();
        self.valid6.d.next = self.valid5.q.val();
        self.valid7.d.next = self.valid6.q.val();
        self.segment1.d.next = self.segment.val();
        self.segment2.d.next = self.segment1.q.val();
        self.segment3.d.next = self.segment2.q.val();
        self.segment4.d.next = self.segment3.q.val();
        self.segment5.d.next = self.segment4.q.val();
        self.k1.d.next = self.k.val();
        self.k2.d.next = self.k1.q.val();
        self.k3.d.next = self.k2.q.val();
        self.k4.d.next = self.k3.q.val();
        self.k5.d.next = self.k4.q.val();
        self.k6.d.next = self.k5.q.val();
        self.k7.d.next = self.k6.q.val();
    }
}
