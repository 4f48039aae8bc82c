use super::SentryPlaces;
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What kind of step an event is for its flow, and the PSNs that follow from it.
///
/// A packet of the sending card restarts the flow, is odd, or is one of `again`, `fresh`, `hole`. What the receiving card says moves `una`,
/// or shows that the flow is another than the box knows, or neither.
/// Latency: 1 clock. Throughput: one per clock. Reset: no step.
/// Spec: LR2, "Flows", "No NAK made in the network may acknowledge what the card has not", "Sentry".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryChoice {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event
    pub valid: Signal<In, Bit>,
    /// which: `LR2_DATA` to `LR2_VISIT`
    pub kind: Signal<In, Bits<3>>,
    /// cards that tell NACKs of the boxes
    pub aware: Signal<In, Bit>,
    /// the packet was asked for
    pub asked_for: Signal<In, Bit>,
    /// PSNs that it consumes
    pub span: Signal<In, Bits<24>>,
    /// first PSN of a gap
    pub gap_start: Signal<In, Bits<24>>,
    /// length of `gap`
    pub gap_length: Signal<In, Bits<24>>,
    /// the flow: its registers have values
    pub begun: Signal<In, Bit>,
    /// `una` is known
    pub sure: Signal<In, Bit>,
    /// packets pass untouched
    pub bypass: Signal<In, Bit>,
    /// the last packet was too far away
    pub strange: Signal<In, Bit>,
    /// bits may be set
    pub marked: Signal<In, Bit>,
    /// first PSN that is not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// `ePSN_s`
    pub expected: Signal<In, Bits<24>>,
    /// where the event's PSNs lie
    pub places: SentryPlaces,
    /// the flow is idle
    pub idle: Signal<In, Bit>,
    /// a probe is due
    pub late: Signal<In, Bit>,

    /// the packet sets the flow's registers
    pub restart: Signal<Out, Bit>,
    /// it is so far away that the next such one will
    pub odd: Signal<Out, Bit>,
    /// it is before `expected`
    pub again: Signal<Out, Bit>,
    /// it is the next one
    pub fresh: Signal<Out, Bit>,
    /// something is missing before it
    pub hole: Signal<Out, Bit>,
    /// a repeated one was asked for
    pub asked: Signal<Out, Bit>,
    /// what was acknowledged has never been let on
    pub loses: Signal<Out, Bit>,
    /// a NAK of the receiving card's own
    pub nak: Signal<Out, Bit>,
    /// one that ends the flow
    pub refusal: Signal<Out, Bit>,
    /// the MSN is that of the event
    pub tells_msn: Signal<Out, Bit>,
    /// a Depot-NACK
    pub gap: Signal<Out, Bit>,
    /// that says nothing new
    pub stale: Signal<Out, Bit>,
    /// its gap begins before `una`
    pub clipped: Signal<Out, Bit>,
    /// it ends behind `expected`
    pub gap_ends_past: Signal<Out, Bit>,
    /// an idle flow
    pub flush: Signal<Out, Bit>,
    /// a probe
    pub probe: Signal<Out, Bit>,
    /// `una` afterwards
    pub now_una: Signal<Out, Bits<24>>,
    /// the registers have values afterwards
    pub now_set: Signal<Out, Bit>,
    /// `una` is known afterwards
    pub now_sure: Signal<Out, Bit>,
    /// bits may be set afterwards
    pub now_marked: Signal<Out, Bit>,
    /// what a NACK for this event says
    pub say: Signal<Out, Bits<24>>,
    /// first PSN that a Depot-NACK marks
    pub start: Signal<Out, Bits<24>>,
    /// how many
    pub length: Signal<Out, Bits<24>>,
    /// how many there can be
    pub reach: Signal<Out, Bits<FILTER_COUNT_BITS>>,
    /// bits are to be cleared
    pub clear: Signal<Out, Bit>,
    /// from here on
    pub clear_start: Signal<Out, Bits<24>>,
    /// so many, or all
    pub clear_length: Signal<Out, Bits<24>>,

    live: Signal<Local, Bit>,
    onward: Signal<Local, Bit>,
    answer: Signal<Local, Bit>,
    depot: Signal<Local, Bit>,
    visit: Signal<Local, Bit>,
    far: Signal<Local, Bit>,
    plain: Signal<Local, Bit>,
    repeats: Signal<Local, Bit>,
    restarts: Signal<Local, Bit>,
    lowers: Signal<Local, Bit>,
    moved: Signal<Local, Bit>,
    lost: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    there: Signal<Local, Bit>,
    first: Signal<Local, Bits<24>>,
    mute: Signal<Local, Bit>,
    wanted: Signal<Local, Bit>,
    flushes: Signal<Local, Bit>,
    hollow: Signal<Local, Bit>,
    to_start: Signal<Local, Bits<24>>,
    to_end: Signal<Local, Bits<24>>,
    to_expected: Signal<Local, Bits<24>>,
    clips: Signal<Local, Bit>,
    old: Signal<Local, Bit>,

    q_restart: State<Bit>,
    q_odd: State<Bit>,
    q_again: State<Bit>,
    q_fresh: State<Bit>,
    q_hole: State<Bit>,
    q_asked: Reg<Bit>,
    q_loses: State<Bit>,
    q_nak: State<Bit>,
    q_refusal: State<Bit>,
    q_tells_msn: State<Bit>,
    q_gap: State<Bit>,
    q_stale: Reg<Bit>,
    q_clipped: Reg<Bit>,
    q_past: Reg<Bit>,
    q_flush: State<Bit>,
    q_probe: State<Bit>,
    q_una: Reg<Bits<24>>,
    q_set: Reg<Bit>,
    q_sure: Reg<Bit>,
    q_marked: Reg<Bit>,
    q_say: Reg<Bits<24>>,
    q_start: Reg<Bits<24>>,
    q_length: Reg<Bits<24>>,
    q_reach: Reg<Bits<FILTER_COUNT_BITS>>,
    q_clear: State<Bit>,
    q_clear_start: Reg<Bits<24>>,
    q_clear_length: Reg<Bits<24>>,
}

impl Logic for SentryChoice {
    #[kernel]
    fn update(&mut self) {
        self.live.next = self.valid.val() && !self.bypass.val();
        self.onward.next = self.live.val() && !self.kind.val().get_bit(1) && !self.kind.val().get_bit(2);
        self.depot.next = self.live.val() && self.kind.val() == LR2_DEPOT_NACK.to_bits::<3>();
        self.visit.next = self.valid.val() && self.kind.val() == LR2_VISIT.to_bits::<3>();
        self.answer.next = (self.depot.val() && !self.aware.val())
            || (self.live.val()
                && (self.kind.val() == LR2_ACK.to_bits::<3>()
                    || self.kind.val() == LR2_RESPONSE.to_bits::<3>()
                    || self.kind.val() == LR2_NAK.to_bits::<3>()));

        // A packet of the sending card.
        self.far.next = self.places.far_ahead.val() || self.places.far_behind.val();
        self.restarts.next = self.onward.val() && (!self.begun.val() || (self.strange.val() && self.far.val()));
        self.plain.next = self.onward.val() && self.begun.val() && !self.far.val();
        self.repeats.next = self.plain.val() && self.places.before_expected.val();
        self.q_restart.d.next = self.restarts.val();
        self.q_odd.d.next = self.onward.val() && self.begun.val() && !self.strange.val() && self.far.val();
        self.q_again.d.next = self.repeats.val();
        // From a standard card whose `una` is not known nothing is asked for: what is beyond a gap goes on.
        self.mute.next = !self.sure.val() && !self.aware.val();
        self.q_fresh.d.next = self.plain.val() && !self.places.before_expected.val() && (self.places.at_expected.val() || self.mute.val());
        self.q_hole.d.next = self.plain.val() && !self.places.before_expected.val() && !self.places.at_expected.val() && !self.mute.val();

        // `una`: until something is acknowledged, it is the lowest PSN that was seen.
        self.lowers.next =
            (self.plain.val() || self.answer.val()) && !self.sure.val() && self.places.before_una.val() && !self.places.far_behind.val();
        self.moved.next =
            self.answer.val() && self.begun.val() && (self.lowers.val() || (!self.places.before_una.val() && !self.places.overtakes.val()));
        self.lost.next = self.answer.val() && self.begun.val() && !self.places.before_una.val() && self.places.overtakes.val();
        self.first.next = self.una.val();
        if self.restarts.val() || self.lowers.val() || self.moved.val() {
            self.first.next = self.places.number.val();
        }
        self.there.next = (self.begun.val() && !self.lost.val()) || self.restarts.val();
        self.known.next = (self.sure.val() && !self.restarts.val()) || self.moved.val();
        self.q_una.d.next = self.first.val();
        self.q_set.d.next = self.there.val();
        self.q_sure.d.next = self.known.val();
        self.q_loses.d.next = self.lost.val();
        self.q_nak.d.next = self.live.val() && self.kind.val() == LR2_NAK.to_bits::<3>();
        self.q_refusal.d.next = self.live.val() && self.kind.val() == LR2_REFUSAL.to_bits::<3>();
        self.q_tells_msn.d.next = self.depot.val() || (self.live.val() && self.kind.val() == LR2_ACK.to_bits::<3>());

        // A gap, seen from the `una` that its NACK may have moved.
        self.to_start.next = self.places.una_start.val();
        self.to_end.next = self.places.una_end.val();
        self.to_expected.next = self.places.una_expected.val();
        if self.lowers.val() || self.moved.val() {
            self.to_start.next = self.places.number_start.val();
            self.to_end.next = self.places.number_end.val();
            self.to_expected.next = self.places.number_expected.val();
        }
        self.hollow.next = !self.to_end.val().any() || self.to_end.val().get_bit(23) || !self.gap_length.val().any();
        self.old.next = !self.there.val() || (!self.known.val() && !self.aware.val()) || self.hollow.val() || !self.places.gap_open.val();
        self.clips.next = self.to_start.val().get_bit(23) && self.to_start.val().get_bits::<23>(0).any();
        self.q_gap.d.next = self.depot.val();
        self.q_stale.d.next = self.old.val();
        self.q_clipped.d.next = self.clips.val();
        self.q_past.d.next = self.places.gap_past.val();
        self.q_start.d.next = self.gap_start.val();
        self.q_length.d.next = self.gap_length.val();
        if self.places.gap_past.val() {
            self.q_length.d.next = self.places.start_expected.val();
        }
        self.q_reach.d.next = bits::<FILTER_COUNT_BITS>(0);
        if self.to_start.val() < FILTER_BITS.to_bits::<24>() {
            self.q_reach.d.next = FILTER_BITS.to_bits::<FILTER_COUNT_BITS>() - self.to_start.val().get_bits::<FILTER_COUNT_BITS>(0);
        }
        if self.clips.val() {
            self.q_start.d.next = self.first.val();
            self.q_length.d.next = self.to_end.val();
            if self.places.gap_past.val() {
                self.q_length.d.next = self.to_expected.val();
            }
            self.q_reach.d.next = FILTER_BITS.to_bits::<FILTER_COUNT_BITS>();
        }

        // To a standard card `una` and nothing else.
        self.q_say.d.next = self.first.val();
        if self.aware.val() && !self.depot.val() {
            self.q_say.d.next = self.expected.val();
        }
        if self.aware.val() && self.depot.val() && !self.clips.val() {
            self.q_say.d.next = self.gap_start.val();
        }

        // The bits that go: of the packet, of what is acknowledged, or all.
        self.flushes.next = self.visit.val() && self.begun.val() && self.idle.val();
        self.q_flush.d.next = self.flushes.val();
        self.q_probe.d.next =
            self.visit.val() && self.live.val() && self.begun.val() && self.late.val() && self.places.open.val() && !self.flushes.val();
        self.wanted.next = self.asked_for.val() && (self.lowers.val() || self.places.within.val());
        self.q_asked.d.next = self.wanted.val();
        self.q_clear.d.next = (self.repeats.val() && self.wanted.val())
            || (self.moved.val() && !self.lowers.val() && self.marked.val() && self.places.acked.val().any())
            || ((self.restarts.val() || self.flushes.val()) && self.marked.val() && self.places.marks.val().any());
        self.q_clear_start.d.next = self.una.val();
        self.q_clear_length.d.next = self.places.marks.val();
        if self.repeats.val() {
            self.q_clear_start.d.next = self.places.number.val();
            self.q_clear_length.d.next = self.span.val();
        }
        if self.answer.val() {
            self.q_clear_length.d.next = self.places.acked.val();
        }
        self.q_marked.d.next = (self.depot.val() && !self.old.val())
            || (self.marked.val()
                && !self.restarts.val()
                && !self.flushes.val()
                && !(self.moved.val() && !self.lowers.val() && !self.places.before_edge.val()));

        self.restart.next = self.q_restart.q.val();
        self.odd.next = self.q_odd.q.val();
        self.again.next = self.q_again.q.val();
        self.fresh.next = self.q_fresh.q.val();
        self.hole.next = self.q_hole.q.val();
        self.asked.next = self.q_asked.q.val();
        self.loses.next = self.q_loses.q.val();
        self.nak.next = self.q_nak.q.val();
        self.refusal.next = self.q_refusal.q.val();
        self.tells_msn.next = self.q_tells_msn.q.val();
        self.gap.next = self.q_gap.q.val();
        self.stale.next = self.q_stale.q.val();
        self.clipped.next = self.q_clipped.q.val();
        self.gap_ends_past.next = self.q_past.q.val();
        self.flush.next = self.q_flush.q.val();
        self.probe.next = self.q_probe.q.val();
        self.now_una.next = self.q_una.q.val();
        self.now_set.next = self.q_set.q.val();
        self.now_sure.next = self.q_sure.q.val();
        self.now_marked.next = self.q_marked.q.val();
        self.say.next = self.q_say.q.val();
        self.start.next = self.q_start.q.val();
        self.length.next = self.q_length.q.val();
        self.reach.next = self.q_reach.q.val();
        self.clear.next = self.q_clear.q.val();
        self.clear_start.next = self.q_clear_start.q.val();
        self.clear_length.next = self.q_clear_length.q.val();
    }
}
