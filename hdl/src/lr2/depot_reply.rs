use super::{DepotCase, DepotOrdersWriter, DepotPlaces};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a Depot makes of an event: the verdict on its packet, changes of the pools, NACKs.
///
/// Latency: 1 clock. Throughput: one per clock. Reset: nothing is made.
/// Spec: LR2, "Depot", "No NAK made in the network may acknowledge what the card has not".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotReply {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event
    pub valid: Signal<In, Bit>,
    /// which: `LR2_DATA` to `LR2_RELEASE`
    pub kind: Signal<In, Bits<4>>,
    /// cards that tell NACKs of the boxes
    pub aware: Signal<In, Bit>,
    /// what is let go is a request
    pub request: Signal<In, Bit>,
    /// a packet of this PSN is held
    pub there: Signal<In, Bit>,
    /// its case
    pub case: DepotCase,
    /// where its PSNs lie
    pub places: DepotPlaces,
    /// the flow had values
    pub begun: Signal<In, Bit>,
    /// its `una` is known afterwards
    pub known: Signal<In, Bit>,
    /// `una` before
    pub una: Signal<In, Bits<24>>,
    /// `una` afterwards
    pub first: Signal<In, Bits<24>>,
    /// `ePSN` before
    pub expected: Signal<In, Bits<24>>,
    /// `ePSN_D` before
    pub border: Signal<In, Bits<24>>,
    /// MSN before
    pub msn: Signal<In, Bits<24>>,
    /// what follows from it
    pub orders: DepotOrdersWriter,

    clears: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    reopened: Signal<Local, Bit>,
    lowers: Signal<Local, Bit>,
    walks: Signal<Local, Bit>,
    gap_first: Signal<Local, Bits<24>>,
    rest: Signal<Local, Bits<REACH_COUNT_BITS>>,

    q_verdict: Reg<Bits<4>>,
    q_forward: State<Bit>,
    q_intercepted: State<Bit>,
    q_free: State<Bit>,
    q_free_start: Reg<Bits<24>>,
    q_free_length: Reg<Bits<REACH_COUNT_BITS>>,
    q_drop: State<Bit>,
    q_drop_start: Reg<Bits<24>>,
    q_drop_length: Reg<Bits<REACH_COUNT_BITS>>,
    q_hold: State<Bit>,
    q_hold_clears: Reg<Bit>,
    q_copy: State<Bit>,
    q_walk: State<Bit>,
    q_walk_start: Reg<Bits<24>>,
    q_walk_end: Reg<Bits<24>>,
    q_walk_msn: Reg<Bits<24>>,
    q_reack: State<Bit>,
    q_nack: State<Bit>,
    q_nack_psn: Reg<Bits<24>>,
    q_gap_start: Reg<Bits<24>>,
    q_gap_length: Reg<Bits<24>>,
    q_evt_life: State<Bit>,
    q_evt_flushed: State<Bit>,
    q_evt_timeout: State<Bit>,
    q_evt_reopened: State<Bit>,
    q_evt_again: State<Bit>,
}

impl Logic for DepotReply {
    #[kernel]
    fn update(&mut self) {
        self.clears.next = self.case.restart.val() || self.case.lost.val() || self.case.refusal.val() || self.case.flush.val();
        self.is_data.next =
            self.kind.val() == LR2_DATA.to_bits::<4>() || (self.kind.val() == LR2_RELEASE.to_bits::<4>() && !self.request.val());
        self.reopened.next = self.case.reopens.val() && self.places.before_expected.val();

        // What becomes of the packet.
        self.q_verdict.d.next = DEPOT_UNTOUCHED.to_bits::<4>();
        if self.case.passes.val() {
            self.q_verdict.d.next = DEPOT_FORWARDED.to_bits::<4>();
        }
        if self.case.holds.val() {
            self.q_verdict.d.next = DEPOT_HELD.to_bits::<4>();
        }
        if self.case.full.val() {
            self.q_verdict.d.next = DEPOT_FULL.to_bits::<4>();
        }
        if self.case.twice.val() {
            self.q_verdict.d.next = DEPOT_DUPLICATE.to_bits::<4>();
        }
        if self.case.below.val() || self.case.copies.val() {
            self.q_verdict.d.next = DEPOT_REPLAYED.to_bits::<4>();
        }
        if self.case.reacks.val() {
            self.q_verdict.d.next = DEPOT_REACKNOWLEDGED.to_bits::<4>();
        }
        if self.kind.val() == LR2_PROBE.to_bits::<4>() {
            self.q_verdict.d.next = DEPOT_CONSUMED.to_bits::<4>();
        }
        if self.case.nak.val() {
            self.q_verdict.d.next = DEPOT_INTERCEPTED.to_bits::<4>();
        }
        if self.case.stale.val() {
            self.q_verdict.d.next = DEPOT_STALE.to_bits::<4>();
        }
        if self.case.odd.val() {
            self.q_verdict.d.next = DEPOT_STRANGE.to_bits::<4>();
        }
        if self.case.waits.val() {
            self.q_verdict.d.next = DEPOT_WAITS.to_bits::<4>();
        }
        self.q_forward.d.next = self.valid.val()
            && !(self.kind.val() == LR2_PROBE.to_bits::<4>())
            && !(self.kind.val() == LR2_VISIT.to_bits::<4>())
            && !(self.kind.val() == LR2_RELEASE.to_bits::<4>() && !self.case.passes.val() && !self.case.copies.val())
            && !self.case.holds.val()
            && !self.case.full.val()
            && !self.case.twice.val()
            && !self.case.reacks.val()
            && !self.case.waits.val();
        self.q_intercepted.d.next = self.case.nak.val();

        // What changes in the pools. The map is a ring: where `ePSN` goes back to, there was what is now out of its reach.
        self.q_free.d.next = (self.clears.val() && self.begun.val())
            || self.case.rnr.val()
            || (self.case.passes.val()
                && (self.kind.val() == LR2_RELEASE.to_bits::<4>()
                    || self.there.val()
                    || self.places.held_end.val() != bits::<REACH_COUNT_BITS>(1)))
            || self.case.pushes.val()
            || self.case.advances.val()
            || self.reopened.val();
        self.q_free_start.d.next = self.expected.val();
        self.q_free_length.d.next = self.places.held_end.val();
        if self.case.advances.val() {
            self.q_free_length.d.next = self.places.held_number.val();
        }
        if self.reopened.val() {
            self.q_free_start.d.next = self.places.number.val();
            self.q_free_length.d.next = self.places.back.val();
        }
        if self.clears.val() || self.case.rnr.val() {
            self.q_free_length.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        }
        // The copies are a ring too: of a flow whose `una` turns out to be lower, those out of its reach lie where the first ones will.
        self.lowers.next = self.case.known.val() && self.places.before_una.val();
        self.rest.next = REACH.to_bits::<REACH_COUNT_BITS>() - self.places.acked.val();
        self.q_drop.d.next = (self.clears.val() && self.begun.val())
            || self.case.rnr.val()
            || self.case.moved.val()
            || self.lowers.val()
            || (self.case.reopens.val() && (!(self.kind.val() == LR2_RELEASE.to_bits::<4>()) || self.places.copy_fits.val()));
        self.q_drop_start.d.next = self.una.val();
        self.q_drop_length.d.next = self.places.acked.val();
        if self.lowers.val() {
            self.q_drop_start.d.next = self.places.number.val();
            self.q_drop_length.d.next = self.places.lowered.val();
        }
        if self.clears.val() || self.case.rnr.val() || self.case.reopens.val() {
            self.q_drop_length.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        }
        if self.case.reopens.val() && self.kind.val() == LR2_RELEASE.to_bits::<4>() {
            self.q_drop_start.d.next = self.places.number.val();
            self.q_drop_length.d.next = self.rest.val();
        }
        self.q_hold.d.next = self.case.holds.val();
        self.q_hold_clears.d.next = self.there.val() || self.kind.val() == LR2_REQUEST.to_bits::<4>();
        self.q_copy.d.next = self.case.passes.val() && self.is_data.val() && (self.case.restart.val() || self.places.copy_fits.val());

        // What is asked for.
        self.walks.next = self.case.renack.val() || (self.case.learns.val() && self.places.open.val());
        self.q_walk.d.next = self.walks.val() && (self.known.val() || self.aware.val());
        self.q_walk_start.d.next = self.expected.val();
        self.q_walk_end.d.next = self.border.val();
        if self.case.advances.val() {
            self.q_walk_start.d.next = self.places.number.val();
            if self.places.past_border.val() {
                self.q_walk_end.d.next = self.places.number.val();
            }
        }
        self.q_walk_msn.d.next = self.msn.val();
        self.q_reack.d.next = self.case.answers.val();
        self.q_nack.d.next =
            (self.case.gap.val() || self.case.probe.val() || self.reopened.val()) && (self.known.val() || self.aware.val());
        self.gap_first.next = self.border.val();
        self.q_gap_length.d.next = self.places.border_number.val();
        if self.case.reopens.val() {
            self.gap_first.next = self.places.number.val();
            self.q_gap_length.d.next = self.places.number_expected.val();
        }
        self.q_gap_start.d.next = self.gap_first.val();
        // To a standard card `una` and nothing else.
        self.q_nack_psn.d.next = self.first.val();
        if self.aware.val() {
            self.q_nack_psn.d.next = self.gap_first.val();
        }
        self.q_evt_life.d.next = self.case.life.val() || self.case.lost.val();
        self.q_evt_flushed.d.next = self.case.flush.val();
        self.q_evt_timeout.d.next = self.case.timeout.val();
        self.q_evt_reopened.d.next = self.case.reopens.val();
        self.q_evt_again.d.next = self.case.again.val();

        self.orders.verdict.next = self.q_verdict.q.val();
        self.orders.forward.next = self.q_forward.q.val();
        self.orders.intercepted.next = self.q_intercepted.q.val();
        self.orders.free.next = self.q_free.q.val();
        self.orders.free_start.next = self.q_free_start.q.val();
        self.orders.free_length.next = self.q_free_length.q.val();
        self.orders.drop.next = self.q_drop.q.val();
        self.orders.drop_start.next = self.q_drop_start.q.val();
        self.orders.drop_length.next = self.q_drop_length.q.val();
        self.orders.hold.next = self.q_hold.q.val();
        self.orders.hold_clears.next = self.q_hold_clears.q.val();
        self.orders.copy.next = self.q_copy.q.val();
        self.orders.walk.next = self.q_walk.q.val();
        self.orders.walk_start.next = self.q_walk_start.q.val();
        self.orders.walk_end.next = self.q_walk_end.q.val();
        self.orders.walk_msn.next = self.q_walk_msn.q.val();
        self.orders.reack.next = self.q_reack.q.val();
        self.orders.nack.next = self.q_nack.q.val();
        self.orders.nack_psn.next = self.q_nack_psn.q.val();
        self.orders.gap_start.next = self.q_gap_start.q.val();
        self.orders.gap_length.next = self.q_gap_length.q.val();
        self.orders.evt_life.next = self.q_evt_life.q.val();
        self.orders.evt_flushed.next = self.q_evt_flushed.q.val();
        self.orders.evt_timeout.next = self.q_evt_timeout.q.val();
        self.orders.evt_reopened.next = self.q_evt_reopened.q.val();
        self.orders.evt_again.next = self.q_evt_again.q.val();
    }
}
