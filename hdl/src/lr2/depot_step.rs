use super::{
    DepotAges, DepotCase, DepotChoice, DepotConfig, DepotDistances, DepotOrdersWriter, DepotPlaces, DepotReply, DepotState,
    DepotStateWriter,
};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a Depot decides about one packet of a flow, what it makes, and the flow's state after it.
///
/// The owner keeps the states and the pools, finds the flow, and shows all of it here; it shows no event of a flow before the step of the
/// one before has left and the pools have changed as that one says: `free`, `drop`, then `hold` or `copy`. A visit has `psn` = `una`. A
/// release has the `psn` of what is let go, `replay_next` in a replay and else `expected`, and what is known of that packet. `leads` is
/// about the PSN behind the packet, or that an answer names first. What is made leaves in this order: a Depot-NACK for each run of absent
/// PSNs in `[walk_start, walk_end)`, as the pool was before, with `walk_msn`; the acknowledgement of `reack`; a Depot-NACK with the MSN
/// of the state. All of them say `una` to a standard card, which is what the receiving card has acknowledged, and nothing else; a flow
/// whose `una` is not known makes none for a standard card. Tolerance is 0: a gap is told at once. Replays without progress are counted
/// to 255.
/// Latency: 4 clocks. Throughput: one event per clock. Reset: nothing is under way; the state of a new flow is the owner's business.
/// Spec: LR2, "Flows", "No NAK made in the network may acknowledge what the card has not", "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotStep {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event
    pub valid: Signal<In, Bit>,
    /// which: `LR2_DATA` to `LR2_RELEASE`
    pub kind: Signal<In, Bits<4>>,
    /// the cards tell a NACK of the boxes by its kind, so that it acknowledges nothing; else they are standard cards
    pub aware: Signal<In, Bit>,
    /// PSN of the packet; of a probe, `ePSN_s`
    pub psn: Signal<In, Bits<24>>,
    /// PSNs that a packet of the sending card consumes, 1 at least
    pub span: Signal<In, Bits<24>>,
    /// what is let go is a request
    pub request: Signal<In, Bit>,
    /// the packet asks for an acknowledgement, or is the last of its message
    pub asks: Signal<In, Bit>,
    /// message sequence number of an acknowledgement or NACK
    pub packet_msn: Signal<In, Bits<24>>,
    /// credits of an acknowledgement
    pub packet_credits: Signal<In, Bits<5>>,
    /// a packet of this PSN is held
    pub there: Signal<In, Bit>,
    /// a copy of it is there
    pub copied: Signal<In, Bit>,
    /// a packet begins that is held, where this one ends
    pub leads: Signal<In, Bit>,
    /// the pool has a place for it and the segments of its PSNs
    pub room: Signal<In, Bit>,
    /// it has no place, or no segment of its first PSN
    pub scarce: Signal<In, Bit>,
    /// the quota of the flow lets it in
    pub spare: Signal<In, Bit>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// the flow
    pub before: DepotState,
    /// the registers
    pub settings: DepotConfig,

    /// the step of an event is done: the flow afterwards and all of the following
    pub done: Signal<Out, Bit>,
    /// the flow
    pub after: DepotStateWriter,
    /// what follows from it
    pub orders: DepotOrdersWriter,

    ages: DepotAges,
    distances: DepotDistances,
    choice: DepotChoice,
    reply: DepotReply,

    // What an event carries, 1, 2 and 3 clocks later.
    s_valid: [State<Bit>; 3],
    s_kind: [Reg<Bits<4>>; 3],
    s_aware: [Reg<Bit>; 3],
    s_request: [Reg<Bit>; 3],
    s_asks: [Reg<Bit>; 3],
    s_packet_msn: [Reg<Bits<24>>; 3],
    s_packet_credits: [Reg<Bits<5>>; 3],
    s_there: [Reg<Bit>; 3],
    s_leads: [Reg<Bit>; 3],
    s_tick: [Reg<Bits<32>>; 3],
    s_copied: [Reg<Bit>; 2],
    s_room: [Reg<Bit>; 2],
    s_scarce: [Reg<Bit>; 2],
    s_spare: [Reg<Bit>; 2],
    s_begun: [Reg<Bit>; 3],
    s_sure: [Reg<Bit>; 3],
    s_bypass: [Reg<Bit>; 3],
    s_strange: [Reg<Bit>; 3],
    s_drains: [Reg<Bit>; 3],
    s_replaying: [Reg<Bit>; 3],
    s_retry: [Reg<Bit>; 3],
    s_renack: [Reg<Bit>; 3],
    s_credits: [Reg<Bits<5>>; 3],
    s_retries: [Reg<Bits<8>>; 3],
    s_una: [Reg<Bits<24>>; 3],
    s_expected: [Reg<Bits<24>>; 3],
    s_border: [Reg<Bits<24>>; 3],
    s_top: [Reg<Bits<24>>; 3],
    s_msn: [Reg<Bits<24>>; 3],
    s_replay_next: [Reg<Bits<24>>; 3],
    s_replay_end: [Reg<Bits<24>>; 3],
    s_replay_from: [Reg<Bits<24>>; 3],
    s_retry_end: [Reg<Bits<24>>; 3],
    s_retry_since: [Reg<Bits<32>>; 3],
    s_renack_since: [Reg<Bits<32>>; 3],
    s_reacked_since: [Reg<Bits<32>>; 3],
    s_seen: [Reg<Bits<32>>; 3],
    s_tired: Reg<Bit>,

    // Of the second clock, in the third.
    p_reacked: Reg<Bit>,

    clears: Signal<Local, Bit>,
    arrives: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    asked: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    says: Signal<Local, Bit>,
    forgets: Signal<Local, Bit>,
    restarts_renack: Signal<Local, Bit>,
    missing: Signal<Local, Bit>,
    reopened: Signal<Local, Bit>,
    first: Signal<Local, Bits<24>>,

    q_done: State<Bit>,
    n_begun: Reg<Bit>,
    n_sure: Reg<Bit>,
    n_bypass: Reg<Bit>,
    n_strange: Reg<Bit>,
    n_drains: Reg<Bit>,
    n_replaying: Reg<Bit>,
    n_retry: Reg<Bit>,
    n_renack: Reg<Bit>,
    n_reacked: Reg<Bit>,
    n_credits: Reg<Bits<5>>,
    n_retries: Reg<Bits<8>>,
    n_una: Reg<Bits<24>>,
    n_expected: Reg<Bits<24>>,
    n_border: Reg<Bits<24>>,
    n_top: Reg<Bits<24>>,
    n_msn: Reg<Bits<24>>,
    n_replay_next: Reg<Bits<24>>,
    n_replay_end: Reg<Bits<24>>,
    n_replay_from: Reg<Bits<24>>,
    n_retry_end: Reg<Bits<24>>,
    n_retry_since: Reg<Bits<32>>,
    n_renack_since: Reg<Bits<32>>,
    n_reacked_since: Reg<Bits<32>>,
    n_seen: Reg<Bits<32>>,
}

impl Logic for DepotStep {
    #[kernel]
    fn update(&mut self) {
        self.s_valid[0].d.next = self.valid.val();
        self.s_kind[0].d.next = self.kind.val();
        self.s_aware[0].d.next = self.aware.val();
        self.s_request[0].d.next = self.request.val();
        self.s_asks[0].d.next = self.asks.val();
        self.s_packet_msn[0].d.next = self.packet_msn.val();
        self.s_packet_credits[0].d.next = self.packet_credits.val();
        self.s_there[0].d.next = self.there.val();
        self.s_leads[0].d.next = self.leads.val();
        self.s_tick[0].d.next = self.tick.val();
        self.s_copied[0].d.next = self.copied.val();
        self.s_room[0].d.next = self.room.val();
        self.s_scarce[0].d.next = self.scarce.val();
        self.s_spare[0].d.next = self.spare.val();
        self.s_begun[0].d.next = self.before.begun.val();
        self.s_sure[0].d.next = self.before.sure.val();
        self.s_bypass[0].d.next = self.before.bypass.val();
        self.s_strange[0].d.next = self.before.strange.val();
        self.s_drains[0].d.next = self.before.drains.val();
        self.s_replaying[0].d.next = self.before.replaying.val();
        self.s_retry[0].d.next = self.before.retry.val();
        self.s_renack[0].d.next = self.before.renack.val();
        self.s_credits[0].d.next = self.before.credits.val();
        self.s_retries[0].d.next = self.before.retries.val();
        self.s_una[0].d.next = self.before.una.val();
        self.s_expected[0].d.next = self.before.expected.val();
        self.s_border[0].d.next = self.before.border.val();
        self.s_top[0].d.next = self.before.top.val();
        self.s_msn[0].d.next = self.before.msn.val();
        self.s_replay_next[0].d.next = self.before.replay_next.val();
        self.s_replay_end[0].d.next = self.before.replay_end.val();
        self.s_replay_from[0].d.next = self.before.replay_from.val();
        self.s_retry_end[0].d.next = self.before.retry_end.val();
        self.s_retry_since[0].d.next = self.before.retry_since.val();
        self.s_renack_since[0].d.next = self.before.renack_since.val();
        self.s_reacked_since[0].d.next = self.before.reacked_since.val();
        self.s_seen[0].d.next = self.before.seen.val();
        for i in 1..3 {
            self.s_valid[i].d.next = self.s_valid[i - 1].q.val();
            self.s_kind[i].d.next = self.s_kind[i - 1].q.val();
            self.s_aware[i].d.next = self.s_aware[i - 1].q.val();
            self.s_request[i].d.next = self.s_request[i - 1].q.val();
            self.s_asks[i].d.next = self.s_asks[i - 1].q.val();
            self.s_packet_msn[i].d.next = self.s_packet_msn[i - 1].q.val();
            self.s_packet_credits[i].d.next = self.s_packet_credits[i - 1].q.val();
            self.s_there[i].d.next = self.s_there[i - 1].q.val();
            self.s_leads[i].d.next = self.s_leads[i - 1].q.val();
            self.s_tick[i].d.next = self.s_tick[i - 1].q.val();
            self.s_begun[i].d.next = self.s_begun[i - 1].q.val();
            self.s_sure[i].d.next = self.s_sure[i - 1].q.val();
            self.s_bypass[i].d.next = self.s_bypass[i - 1].q.val();
            self.s_strange[i].d.next = self.s_strange[i - 1].q.val();
            self.s_drains[i].d.next = self.s_drains[i - 1].q.val();
            self.s_replaying[i].d.next = self.s_replaying[i - 1].q.val();
            self.s_retry[i].d.next = self.s_retry[i - 1].q.val();
            self.s_renack[i].d.next = self.s_renack[i - 1].q.val();
            self.s_credits[i].d.next = self.s_credits[i - 1].q.val();
            self.s_retries[i].d.next = self.s_retries[i - 1].q.val();
            self.s_una[i].d.next = self.s_una[i - 1].q.val();
            self.s_expected[i].d.next = self.s_expected[i - 1].q.val();
            self.s_border[i].d.next = self.s_border[i - 1].q.val();
            self.s_top[i].d.next = self.s_top[i - 1].q.val();
            self.s_msn[i].d.next = self.s_msn[i - 1].q.val();
            self.s_replay_next[i].d.next = self.s_replay_next[i - 1].q.val();
            self.s_replay_end[i].d.next = self.s_replay_end[i - 1].q.val();
            self.s_replay_from[i].d.next = self.s_replay_from[i - 1].q.val();
            self.s_retry_end[i].d.next = self.s_retry_end[i - 1].q.val();
            self.s_retry_since[i].d.next = self.s_retry_since[i - 1].q.val();
            self.s_renack_since[i].d.next = self.s_renack_since[i - 1].q.val();
            self.s_reacked_since[i].d.next = self.s_reacked_since[i - 1].q.val();
            self.s_seen[i].d.next = self.s_seen[i - 1].q.val();
        }
        self.s_copied[1].d.next = self.s_copied[0].q.val();
        self.s_room[1].d.next = self.s_room[0].q.val();
        self.s_scarce[1].d.next = self.s_scarce[0].q.val();
        self.s_spare[1].d.next = self.s_spare[0].q.val();
        self.s_tired.d.next = self.s_retries[0].q.val() >= self.settings.retries.val();

        self.ages.was_retry.next = self.before.retry.val();
        self.ages.retry_since.next = self.before.retry_since.val();
        self.ages.was_renack.next = self.before.renack.val();
        self.ages.renack_since.next = self.before.renack_since.val();
        self.ages.was_reacked.next = self.before.reacked.val();
        self.ages.reacked_since.next = self.before.reacked_since.val();
        self.ages.seen.next = self.before.seen.val();
        DepotConfig::link(&mut self.settings, &mut self.ages.settings);
        self.ages.tick.next = self.tick.val();
        self.distances.una.next = self.before.una.val();
        self.distances.expected.next = self.before.expected.val();
        self.distances.border.next = self.before.border.val();
        self.distances.top.next = self.before.top.val();
        self.distances.replay_next.next = self.before.replay_next.val();
        self.distances.replay_end.next = self.before.replay_end.val();
        self.distances.replay_from.next = self.before.replay_from.val();
        self.distances.retry_end.next = self.before.retry_end.val();
        self.distances.psn.next = self.psn.val();
        self.distances.behind.next = self.kind.val() == LR2_ACK.to_bits::<4>() || self.kind.val() == LR2_RESPONSE.to_bits::<4>();
        self.distances.span.next = self.span.val();

        DepotPlaces::join(&mut self.choice.places, &mut self.distances.places);
        self.choice.valid.next = self.s_valid[1].q.val();
        self.choice.kind.next = self.s_kind[1].q.val();
        self.choice.there.next = self.s_there[1].q.val();
        self.choice.copied.next = self.s_copied[1].q.val();
        self.choice.room.next = self.s_room[1].q.val();
        self.choice.scarce.next = self.s_scarce[1].q.val();
        self.choice.spare.next = self.s_spare[1].q.val();
        self.choice.begun.next = self.s_begun[1].q.val();
        self.choice.sure.next = self.s_sure[1].q.val();
        self.choice.bypass.next = self.s_bypass[1].q.val();
        self.choice.strange.next = self.s_strange[1].q.val();
        self.choice.drains.next = self.s_drains[1].q.val();
        self.choice.replaying.next = self.s_replaying[1].q.val();
        self.choice.tired.next = self.s_tired.q.val();
        self.choice.retry_due.next = self.ages.retry.val();
        self.choice.renack_due.next = self.ages.renack.val();
        self.choice.reacked.next = self.ages.reacked.val();
        self.choice.idle.next = self.ages.idle.val();
        self.p_reacked.d.next = self.ages.reacked.val();

        // Everything that the flow holds is dropped.
        self.clears.next =
            self.choice.case.restart.val() || self.choice.case.lost.val() || self.choice.case.refusal.val() || self.choice.case.flush.val();
        self.forgets.next = self.clears.val() || self.choice.case.rnr.val() || self.choice.case.reopens.val();
        self.arrives.next = !self.s_bypass[2].q.val()
            && !self.choice.case.waits.val()
            && (self.s_kind[2].q.val() == LR2_DATA.to_bits::<4>() || self.s_kind[2].q.val() == LR2_REQUEST.to_bits::<4>());
        self.is_data.next = self.s_kind[2].q.val() == LR2_DATA.to_bits::<4>()
            || (self.s_kind[2].q.val() == LR2_RELEASE.to_bits::<4>() && !self.s_request[2].q.val());
        self.goes.next = self.choice.case.passes.val() || self.choice.case.pushes.val();
        self.asked.next = self.choice.case.passes.val() && self.is_data.val() && self.s_asks[2].q.val() && self.settings.retry.val().any();
        self.reopened.next = self.choice.case.reopens.val() && self.distances.later.before_expected.val();

        // The flow afterwards.
        self.n_begun.d.next = self.choice.case.restart.val() || (self.s_begun[2].q.val() && !self.choice.case.lost.val());
        self.says.next = !self.choice.case.restart.val() && (self.s_sure[2].q.val() || self.choice.case.known.val());
        self.n_sure.d.next = self.says.val();
        self.n_bypass.d.next = self.s_bypass[2].q.val() || self.choice.case.refusal.val();
        self.n_strange.d.next = self.choice.case.odd.val() || (self.s_strange[2].q.val() && !self.arrives.val());
        self.first.next = self.s_una[2].q.val();
        if self.choice.case.restart.val() || self.choice.case.known.val() {
            self.first.next = self.distances.later.number.val();
        }
        self.n_una.d.next = self.first.val();
        self.n_expected.d.next = self.s_expected[2].q.val();
        if self.goes.val() {
            self.n_expected.d.next = self.distances.later.end.val();
        }
        if self.choice.case.advances.val() || self.choice.case.rnr.val() || self.choice.case.reopens.val() {
            self.n_expected.d.next = self.distances.later.number.val();
        }
        self.n_border.d.next = self.s_border[2].q.val();
        if (self.goes.val() || self.choice.case.holds.val() || self.choice.case.full.val()) && self.distances.later.end_past_border.val() {
            self.n_border.d.next = self.distances.later.end.val();
        }
        if self.choice.case.restart.val() {
            self.n_border.d.next = self.distances.later.end.val();
        }
        if self.choice.case.probe.val()
            || (self.choice.case.advances.val() && self.distances.later.past_border.val())
            || self.choice.case.rnr.val()
        {
            self.n_border.d.next = self.distances.later.number.val();
        }
        if self.choice.case.lost.val() || self.choice.case.refusal.val() || self.choice.case.flush.val() {
            self.n_border.d.next = self.s_expected[2].q.val();
        }
        self.n_top.d.next = self.s_top[2].q.val();
        if self.choice.case.restart.val() || (self.goes.val() && self.distances.later.end_past_top.val()) {
            self.n_top.d.next = self.distances.later.end.val();
        }
        self.n_drains.d.next = self.s_drains[2].q.val() || (self.choice.case.holds.val() && self.distances.later.at_expected.val());
        if self.goes.val() {
            self.n_drains.d.next = self.s_leads[2].q.val() && self.distances.later.end_in_reach.val();
        }
        if self.choice.case.advances.val() {
            self.n_drains.d.next = self.s_leads[2].q.val() && self.distances.later.in_reach.val();
        }
        if self.clears.val() || self.choice.case.rnr.val() || self.reopened.val() {
            self.n_drains.d.next = false;
        }
        self.n_msn.d.next = self.s_msn[2].q.val();
        if self.choice.case.ack.val() || self.choice.case.nak.val() {
            self.n_msn.d.next = self.s_packet_msn[2].q.val();
        }
        self.n_credits.d.next = self.s_credits[2].q.val();
        if self.choice.case.ack.val() {
            self.n_credits.d.next = self.s_packet_credits[2].q.val();
        }

        // What is sent again from the backup pool.
        self.n_replaying.d.next = self.choice.case.replays.val()
            || (self.s_replaying[2].q.val()
                && !self.forgets.val()
                && !(self.choice.case.moved.val() && !self.distances.later.before_replay_end.val())
                && !(self.choice.case.copies.val() && !self.distances.later.end_before_replay_end.val()));
        self.n_replay_next.d.next = self.s_replay_next[2].q.val();
        if self.choice.case.replays.val() || (self.choice.case.moved.val() && self.distances.later.past_next.val()) {
            self.n_replay_next.d.next = self.distances.later.number.val();
        }
        if self.choice.case.copies.val() {
            self.n_replay_next.d.next = self.distances.later.end.val();
        }
        self.n_replay_end.d.next = self.s_replay_end[2].q.val();
        self.n_replay_from.d.next = self.s_replay_from[2].q.val();
        if self.choice.case.replays.val() {
            self.n_replay_end.d.next = self.s_expected[2].q.val();
            self.n_replay_from.d.next = self.distances.later.number.val();
        }

        // Timers. What waits for its acknowledgement waits anew when something is acknowledged, or when all of it was sent again.
        self.n_retry.d.next = self.asked.val()
            || (self.s_retry[2].q.val()
                && !self.forgets.val()
                && !(self.choice.case.moved.val() && !self.distances.later.before_retry_end.val()));
        self.n_retry_end.d.next = self.s_retry_end[2].q.val();
        if self.asked.val() {
            self.n_retry_end.d.next = self.distances.later.end.val();
        }
        self.n_retry_since.d.next = self.s_retry_since[2].q.val();
        if self.choice.case.moved.val()
            || self.choice.case.late.val()
            || (self.choice.case.copies.val() && !self.distances.later.end_before_replay_end.val())
            || (self.asked.val() && (!self.s_retry[2].q.val() || self.choice.case.restart.val()))
        {
            self.n_retry_since.d.next = self.s_tick[2].q.val();
        }
        self.n_retries.d.next = self.s_retries[2].q.val();
        if self.choice.case.try_more.val() {
            self.n_retries.d.next = self.s_retries[2].q.val() + 1;
        }
        if self.clears.val() || self.choice.case.reopens.val() || self.choice.case.moved.val() {
            self.n_retries.d.next = bits::<8>(0);
        }
        self.opens.next = self.distances.later.open.val();
        if self.goes.val() {
            self.opens.next =
                !self.choice.case.restart.val() && !self.distances.later.end_past_border.val() && !self.distances.later.end_at_border.val();
        }
        if self.choice.case.advances.val() {
            self.opens.next = !self.distances.later.past_border.val() && !self.distances.later.at_border.val();
        }
        if self.choice.case.gap.val() || self.choice.case.probe.val() || self.reopened.val() {
            self.opens.next = true;
        }
        self.restarts_renack.next = self.goes.val()
            || self.choice.case.gap.val()
            || self.choice.case.probe.val()
            || self.choice.case.advances.val()
            || self.choice.case.reopens.val()
            || self.choice.case.renack.val()
            || self.choice.case.learns.val();
        self.missing.next = self.s_renack[2].q.val();
        self.n_renack_since.d.next = self.s_renack_since[2].q.val();
        if self.restarts_renack.val() {
            self.missing.next = self.opens.val() && self.settings.renack.val().any();
            self.n_renack_since.d.next = self.s_tick[2].q.val();
        }
        self.n_renack.d.next = self.missing.val() && !self.clears.val() && !self.choice.case.rnr.val();
        self.n_reacked.d.next = self.p_reacked.q.val() || self.choice.case.answers.val();
        self.n_reacked_since.d.next = self.s_reacked_since[2].q.val();
        if self.choice.case.answers.val() {
            self.n_reacked_since.d.next = self.s_tick[2].q.val();
        }
        self.n_seen.d.next = self.s_seen[2].q.val();
        if self.arrives.val()
            || (self.s_kind[2].q.val() == LR2_PROBE.to_bits::<4>() && !self.s_bypass[2].q.val())
            || self.choice.case.flush.val()
        {
            self.n_seen.d.next = self.s_tick[2].q.val();
        }

        DepotCase::join(&mut self.reply.case, &mut self.choice.case);
        DepotPlaces::join(&mut self.reply.places, &mut self.distances.later);
        self.reply.valid.next = self.s_valid[2].q.val();
        self.reply.kind.next = self.s_kind[2].q.val();
        self.reply.aware.next = self.s_aware[2].q.val();
        self.reply.request.next = self.s_request[2].q.val();
        self.reply.there.next = self.s_there[2].q.val();
        self.reply.begun.next = self.s_begun[2].q.val();
        self.reply.known.next = self.says.val();
        self.reply.una.next = self.s_una[2].q.val();
        self.reply.first.next = self.first.val();
        self.reply.expected.next = self.s_expected[2].q.val();
        self.reply.border.next = self.s_border[2].q.val();
        self.reply.msn.next = self.s_msn[2].q.val();
        DepotOrdersWriter::link(&mut self.orders, &mut self.reply.orders);

        self.q_done.d.next = self.s_valid[2].q.val();
        self.done.next = self.q_done.q.val();
        self.after.begun.next = self.n_begun.q.val();
        self.after.sure.next = self.n_sure.q.val();
        self.after.bypass.next = self.n_bypass.q.val();
        self.after.strange.next = self.n_strange.q.val();
        self.after.drains.next = self.n_drains.q.val();
        self.after.replaying.next = self.n_replaying.q.val();
        self.after.retry.next = self.n_retry.q.val();
        self.after.renack.next = self.n_renack.q.val();
        self.after.reacked.next = self.n_reacked.q.val();
        self.after.credits.next = self.n_credits.q.val();
        self.after.retries.next = self.n_retries.q.val();
        self.after.una.next = self.n_una.q.val();
        self.after.expected.next = self.n_expected.q.val();
        self.after.border.next = self.n_border.q.val();
        self.after.top.next = self.n_top.q.val();
        self.after.msn.next = self.n_msn.q.val();
        self.after.replay_next.next = self.n_replay_next.q.val();
        self.after.replay_end.next = self.n_replay_end.q.val();
        self.after.replay_from.next = self.n_replay_from.q.val();
        self.after.retry_end.next = self.n_retry_end.q.val();
        self.after.retry_since.next = self.n_retry_since.q.val();
        self.after.renack_since.next = self.n_renack_since.q.val();
        self.after.reacked_since.next = self.n_reacked_since.q.val();
        self.after.seen.next = self.n_seen.q.val();
    }
}
