use super::{DepotCaseWriter, DepotPlaces};
use crate::primitives::State;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What kind of step an event is for its flow.
///
/// A packet of the sending card is odd, or one of `passes`, `below`, `reacks`, `twice`, `holds`, `full`, `waits`. What the receiving card
/// says is `known`, or `lost`, or says nothing.
/// Latency: 1 clock. Throughput: one per clock. Reset: no step.
/// Spec: LR2, "Flows", "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotChoice {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event
    pub valid: Signal<In, Bit>,
    /// which: `LR2_DATA` to `LR2_RELEASE`
    pub kind: Signal<In, Bits<4>>,
    /// PSN of the packet is held
    pub there: Signal<In, Bit>,
    /// a copy of the packet is there
    pub copied: Signal<In, Bit>,
    /// the pool has a place for it and the segments of its PSNs
    pub room: Signal<In, Bit>,
    /// it has no place, or no segment of its first PSN
    pub scarce: Signal<In, Bit>,
    /// the quota of the flow lets it in
    pub spare: Signal<In, Bit>,
    /// the flow: its registers have values
    pub begun: Signal<In, Bit>,
    /// `una` is known
    pub sure: Signal<In, Bit>,
    /// packets pass untouched
    pub bypass: Signal<In, Bit>,
    /// the last packet was too far away
    pub strange: Signal<In, Bit>,
    /// what is held begins at `expected`
    pub drains: Signal<In, Bit>,
    /// copies are sent again
    pub replaying: Signal<In, Bit>,
    /// no replay without progress is left
    pub tired: Signal<In, Bit>,
    /// `T_out` has run out
    pub retry_due: Signal<In, Bit>,
    /// `renack` has
    pub renack_due: Signal<In, Bit>,
    /// the last answer to a packet below `una` is too new
    pub reacked: Signal<In, Bit>,
    /// the flow is idle
    pub idle: Signal<In, Bit>,
    /// where the event's PSNs lie
    pub places: DepotPlaces,

    /// the case
    pub case: DepotCaseWriter,

    live: Signal<Local, Bit>,
    onward: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    request: Signal<Local, Bit>,
    answer: Signal<Local, Bit>,
    visit: Signal<Local, Bit>,
    letting: Signal<Local, Bit>,
    is_nak: Signal<Local, Bit>,
    is_rnr: Signal<Local, Bit>,
    far: Signal<Local, Bit>,
    lowest: Signal<Local, Bit>,
    restarts: Signal<Local, Bit>,
    plain: Signal<Local, Bit>,
    behind: Signal<Local, Bit>,
    now: Signal<Local, Bit>,
    held: Signal<Local, Bit>,
    copy: Signal<Local, Bit>,
    waiting: Signal<Local, Bit>,
    tries: Signal<Local, Bit>,
    holding: Signal<Local, Bit>,
    lowers: Signal<Local, Bit>,
    learning: Signal<Local, Bit>,
    knows: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    replay_goes_on: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    back: Signal<Local, Bit>,
    flushes: Signal<Local, Bit>,
    retries: Signal<Local, Bit>,
    gives_up: Signal<Local, Bit>,

    q_odd: State<Bit>,
    q_restart: State<Bit>,
    q_life: State<Bit>,
    q_passes: State<Bit>,
    q_pushes: State<Bit>,
    q_below: State<Bit>,
    q_reacks: State<Bit>,
    q_answers: State<Bit>,
    q_twice: State<Bit>,
    q_holds: State<Bit>,
    q_full: State<Bit>,
    q_waits: State<Bit>,
    q_gap: State<Bit>,
    q_probe: State<Bit>,
    q_known: State<Bit>,
    q_moved: State<Bit>,
    q_learns: State<Bit>,
    q_advances: State<Bit>,
    q_lost: State<Bit>,
    q_ack: State<Bit>,
    q_nak: State<Bit>,
    q_stale: State<Bit>,
    q_again: State<Bit>,
    q_replays: State<Bit>,
    q_reopens: State<Bit>,
    q_rnr: State<Bit>,
    q_refusal: State<Bit>,
    q_flush: State<Bit>,
    q_renack: State<Bit>,
    q_timeout: State<Bit>,
    q_try_more: State<Bit>,
    q_late: State<Bit>,
    q_copies: State<Bit>,
}

impl Logic for DepotChoice {
    #[kernel]
    fn update(&mut self) {
        self.live.next = self.valid.val() && !self.bypass.val();
        self.request.next = self.kind.val() == LR2_REQUEST.to_bits::<4>();
        self.onward.next = self.live.val() && (self.kind.val() == LR2_DATA.to_bits::<4>() || self.request.val());
        self.is_nak.next = self.kind.val() == LR2_NAK.to_bits::<4>();
        self.is_rnr.next = self.kind.val() == LR2_RNR.to_bits::<4>();
        self.answer.next = self.live.val()
            && (self.kind.val() == LR2_ACK.to_bits::<4>()
                || self.kind.val() == LR2_RESPONSE.to_bits::<4>()
                || self.is_nak.val()
                || self.is_rnr.val());
        self.visit.next = self.live.val() && self.kind.val() == LR2_VISIT.to_bits::<4>();
        self.letting.next = self.live.val() && self.kind.val() == LR2_RELEASE.to_bits::<4>();

        // A packet that waits changes nothing, whatever else is said of it.
        self.waiting.next = self.onward.val()
            && self.begun.val()
            && self.places.in_reach.val()
            && (self.replaying.val() || self.drains.val())
            && self.scarce.val()
            && self.spare.val()
            && !(self.there.val() && self.places.in_reach.val());
        self.comes.next = self.onward.val() && !self.waiting.val();

        // A packet of the sending card. Of a flow whose `una` is not known the lowest PSN is the first.
        self.far.next = self.places.far_ahead.val() || (self.places.before_una.val() && self.places.far_behind.val());
        self.lowest.next = !self.sure.val() && self.places.before_una.val();
        self.restarts.next =
            self.comes.val() && (!self.begun.val() || (self.far.val() && self.strange.val()) || (!self.far.val() && self.lowest.val()));
        self.plain.next = self.comes.val() && self.begun.val() && !self.far.val() && !self.lowest.val();
        self.q_odd.d.next = self.comes.val() && self.begun.val() && self.far.val() && !self.strange.val();
        self.q_restart.d.next = self.restarts.val();
        self.q_life.d.next = self.comes.val() && self.begun.val() && self.far.val() && self.strange.val();
        self.behind.next = self.plain.val() && self.places.before_expected.val();
        self.copy.next = self.copied.val() && self.places.copy_fits.val();
        self.q_below.d.next = self.behind.val() && (self.request.val() || (!self.places.before_una.val() && !self.copy.val()));
        self.q_pushes.d.next = self.behind.val() && self.request.val() && self.places.end_past_expected.val();
        self.q_reacks.d.next = self.behind.val() && !self.request.val() && self.places.before_una.val();
        self.q_answers.d.next = self.behind.val() && !self.request.val() && self.places.before_una.val() && !self.reacked.val();

        // While something waits that was let on before, what is in order has its turn behind that.
        self.now.next = self.places.at_expected.val() && !self.drains.val();
        self.q_passes.d.next = self.restarts.val()
            || (self.plain.val() && self.now.val() && !self.replaying.val())
            || (self.letting.val() && !self.replaying.val() && self.drains.val());
        self.held.next = self.there.val() && self.places.in_reach.val() && !self.now.val();
        self.tries.next =
            self.plain.val() && !self.places.before_expected.val() && !(self.now.val() && !self.replaying.val()) && !self.held.val();
        self.holding.next = self.tries.val() && self.places.fits.val() && self.room.val() && self.spare.val();
        self.q_holds.d.next = self.holding.val();
        self.q_full.d.next = self.tries.val() && !(self.places.fits.val() && self.room.val() && self.spare.val());
        self.q_waits.d.next = self.waiting.val();
        self.q_gap.d.next = self.tries.val() && self.places.past_border.val();
        self.q_twice.d.next = (self.plain.val() && !self.places.before_expected.val() && self.held.val())
            || (self.behind.val() && !self.request.val() && !self.places.before_una.val() && self.copy.val());
        self.q_probe.d.next = self.live.val()
            && self.kind.val() == LR2_PROBE.to_bits::<4>()
            && self.begun.val()
            && self.places.past_border.val()
            && !self.places.far_ahead.val();

        // What the receiving card has: it may lower `una` until it is known, and moves it afterwards.
        self.lowers.next =
            self.answer.val() && self.begun.val() && !self.sure.val() && self.places.before_una.val() && !self.places.far_behind.val();
        self.learning.next =
            self.answer.val() && self.begun.val() && !self.sure.val() && !self.lowers.val() && !self.places.overtakes.val();
        self.knows.next =
            self.lowers.val() || (self.answer.val() && self.begun.val() && !self.places.before_una.val() && !self.places.overtakes.val());
        self.moves.next = self.knows.val() && !self.lowers.val() && !self.places.at_una.val();
        self.q_known.d.next = self.knows.val();
        self.q_moved.d.next = self.moves.val();
        self.q_learns.d.next = self.learning.val();
        self.q_advances.d.next = self.moves.val() && self.places.past_expected.val();
        self.q_lost.d.next =
            self.answer.val() && self.begun.val() && !self.lowers.val() && !self.places.before_una.val() && self.places.overtakes.val();
        self.q_ack.d.next = self.knows.val() && self.kind.val() == LR2_ACK.to_bits::<4>();
        self.q_nak.d.next = self.knows.val() && self.is_nak.val();
        self.q_stale.d.next = self.live.val() && self.is_nak.val() && !self.knows.val();
        self.q_rnr.d.next = self.knows.val() && self.is_rnr.val();
        self.q_refusal.d.next = self.live.val() && self.kind.val() == LR2_REFUSAL.to_bits::<4>();
        self.replay_goes_on.next = self.replaying.val() && (!self.moves.val() || self.places.before_replay_end.val());
        self.same.next = self.replay_goes_on.val() && self.places.at_replay_from.val();
        self.q_again.d.next = self.knows.val() && self.is_nak.val() && self.same.val();
        self.back.next = self.knows.val() && self.is_nak.val() && !self.same.val() && self.places.before_expected.val();

        // What has run out.
        self.flushes.next = self.visit.val() && self.idle.val();
        self.q_flush.d.next = self.flushes.val();
        self.q_renack.d.next = self.visit.val() && !self.flushes.val() && self.renack_due.val();
        self.q_late.d.next = self.visit.val() && !self.flushes.val() && self.retry_due.val();
        self.retries.next = self.visit.val() && !self.flushes.val() && self.retry_due.val() && !self.replaying.val();
        self.q_timeout.d.next = self.retries.val();
        self.gives_up.next = self.retries.val() && (self.tired.val() || (self.places.before_expected.val() && !self.copy.val()));
        self.q_try_more.d.next = self.retries.val() && !self.gives_up.val();
        self.q_replays.d.next =
            (self.back.val() && self.copy.val()) || (self.retries.val() && !self.gives_up.val() && self.places.before_expected.val());
        self.q_copies.d.next = self.letting.val() && self.replaying.val() && self.copy.val();
        self.q_reopens.d.next = (self.back.val() && !self.copy.val())
            || self.gives_up.val()
            || (self.letting.val() && self.replaying.val() && !self.copy.val());

        self.case.odd.next = self.q_odd.q.val();
        self.case.restart.next = self.q_restart.q.val();
        self.case.life.next = self.q_life.q.val();
        self.case.passes.next = self.q_passes.q.val();
        self.case.pushes.next = self.q_pushes.q.val();
        self.case.below.next = self.q_below.q.val();
        self.case.reacks.next = self.q_reacks.q.val();
        self.case.answers.next = self.q_answers.q.val();
        self.case.twice.next = self.q_twice.q.val();
        self.case.holds.next = self.q_holds.q.val();
        self.case.full.next = self.q_full.q.val();
        self.case.waits.next = self.q_waits.q.val();
        self.case.gap.next = self.q_gap.q.val();
        self.case.probe.next = self.q_probe.q.val();
        self.case.known.next = self.q_known.q.val();
        self.case.moved.next = self.q_moved.q.val();
        self.case.learns.next = self.q_learns.q.val();
        self.case.advances.next = self.q_advances.q.val();
        self.case.lost.next = self.q_lost.q.val();
        self.case.ack.next = self.q_ack.q.val();
        self.case.nak.next = self.q_nak.q.val();
        self.case.stale.next = self.q_stale.q.val();
        self.case.again.next = self.q_again.q.val();
        self.case.replays.next = self.q_replays.q.val();
        self.case.reopens.next = self.q_reopens.q.val();
        self.case.rnr.next = self.q_rnr.q.val();
        self.case.refusal.next = self.q_refusal.q.val();
        self.case.flush.next = self.q_flush.q.val();
        self.case.renack.next = self.q_renack.q.val();
        self.case.timeout.next = self.q_timeout.q.val();
        self.case.try_more.next = self.q_try_more.q.val();
        self.case.late.next = self.q_late.q.val();
        self.case.copies.next = self.q_copies.q.val();
    }
}
