use super::{SentryAges, SentryChoice, SentryConfig, SentryDistances, SentryPlaces, SentryState, SentryStateWriter};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a Sentry decides about one packet of a flow, what it makes, and the flow's state after it.
///
/// The owner keeps the states, finds the flow, and shows both here; it shows no event of a flow before the step of the one before has left,
/// nor before the bits have changed as that one says: first `clear`, then `mark`. `asked_for` is the flow's bit of `psn`. A bit that is not
/// in the `FILTER_BITS` from `una` has no meaning. What is made for the card leaves in this order: CNP, NACK. To a standard card a NACK
/// says `una`, which is what the receiving card has acknowledged, and nothing else; a flow whose `una` is not known makes none. A
/// Depot-NACK whose gap has 2^24 packets or more is not one. Not as the model of whole numbers has it: NACKs without an answer are counted
/// to 255.
/// Latency: 4 clocks. Throughput: one event per clock. Reset: nothing is under way; the state of a new flow is the owner's business.
/// Spec: LR2, "Flows", "No NAK made in the network may acknowledge what the card has not", "Sentry".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryStep {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event
    pub valid: Signal<In, Bit>,
    /// which: `LR2_DATA` to `LR2_VISIT`
    pub kind: Signal<In, Bits<3>>,
    /// the cards tell a NACK of the boxes by its kind, so that it acknowledges nothing; else they are standard cards
    pub aware: Signal<In, Bit>,
    /// PSN of the packet
    pub psn: Signal<In, Bits<24>>,
    /// PSNs that a packet of the sending card consumes, 1 at least
    pub span: Signal<In, Bits<24>>,
    /// congestion was experienced
    pub congested: Signal<In, Bit>,
    /// message sequence number of an acknowledgement or NACK
    pub packet_msn: Signal<In, Bits<24>>,
    /// Depot-NACK: first PSN of the gap
    pub gap_start: Signal<In, Bits<24>>,
    /// and its length
    pub gap_length: Signal<In, Bits<24>>,
    /// the packet was asked for
    pub asked_for: Signal<In, Bit>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// the flow
    pub before: SentryState,
    /// the registers
    pub settings: SentryConfig,

    /// the step of an event is done: the flow afterwards and all of the following
    pub done: Signal<Out, Bit>,
    /// the flow
    pub after: SentryStateWriter,
    /// `SENTRY_UNTOUCHED` to `SENTRY_STRANGE`
    pub verdict: Signal<Out, Bits<4>>,
    /// the packet goes on; else it is dropped
    pub forward: Signal<Out, Bit>,
    /// with priority
    pub urgent: Signal<Out, Bit>,
    /// a NACK goes to the sending card, its MSN is that of the flow
    pub nack: Signal<Out, Bit>,
    /// it is the Depot-NACK that came, without its gap; else a Sentry-NACK
    pub nack_passed: Signal<Out, Bit>,
    /// PSN of `nack`
    pub nack_psn: Signal<Out, Bits<24>>,
    /// a CNP goes to the sending card
    pub notify: Signal<Out, Bit>,
    /// a probe goes to the Depot
    pub probe: Signal<Out, Bit>,
    /// bits are to be cleared
    pub clear: Signal<Out, Bit>,
    /// from this PSN on
    pub clear_start: Signal<Out, Bits<24>>,
    /// so many, `FILTER_BITS` at most
    pub clear_length: Signal<Out, Bits<FILTER_COUNT_BITS>>,
    /// bits are to be set, afterwards
    pub mark: Signal<Out, Bit>,
    /// from this PSN on
    pub mark_start: Signal<Out, Bits<24>>,
    /// so many, `FILTER_BITS` at most
    pub mark_length: Signal<Out, Bits<FILTER_COUNT_BITS>>,
    /// a Depot-NACK's gap began before `una`
    pub evt_clipped_start: Signal<Out, Bit>,
    /// it ended behind `ePSN_s`
    pub evt_clipped_end: Signal<Out, Bit>,
    /// a packet of a replay that nobody asked for, the card's own time-out
    pub evt_timeout_replay: Signal<Out, Bit>,
    /// a new life of the queue pair
    pub evt_life: Signal<Out, Bit>,
    /// an idle flow was flushed
    pub evt_flushed: Signal<Out, Bit>,

    ages: SentryAges,
    distances: SentryDistances,
    choice: SentryChoice,

    // What an event carries, 1, 2 and 3 clocks later.
    s_valid: [State<Bit>; 3],
    s_kind: [Reg<Bits<3>>; 3],
    s_aware: [Reg<Bit>; 3],
    s_congested: [Reg<Bit>; 3],
    s_packet_msn: [Reg<Bits<24>>; 3],
    s_gap_start: [Reg<Bits<24>>; 2],
    s_gap_length: [Reg<Bits<24>>; 2],
    s_span: [Reg<Bits<24>>; 2],
    s_asked_for: [Reg<Bit>; 2],
    s_tick: [Reg<Bits<32>>; 3],
    s_begun: [Reg<Bit>; 3],
    s_sure: [Reg<Bit>; 2],
    s_bypass: [Reg<Bit>; 3],
    s_strange: [Reg<Bit>; 3],
    s_excuse: [Reg<Bits<2>>; 3],
    s_una: [Reg<Bits<24>>; 2],
    s_expected: [Reg<Bits<24>>; 3],
    s_last: [Reg<Bits<24>>; 3],
    s_msn: [Reg<Bits<24>>; 3],
    s_marked: [Reg<Bit>; 2],
    s_marks_end: [Reg<Bits<24>>; 3],
    s_from: [Reg<Bits<24>>; 3],
    s_until: [Reg<Bits<24>>; 3],
    s_since: [Reg<Bits<32>>; 3],
    s_answered: [Reg<Bit>; 3],
    s_owed: [Reg<Bits<8>>; 3],
    s_told_psn: [Reg<Bits<24>>; 3],
    s_told_since: [Reg<Bits<32>>; 3],
    s_nacked_since: [Reg<Bits<32>>; 3],
    s_notified_since: [Reg<Bits<32>>; 3],
    s_seen: [Reg<Bits<32>>; 3],

    // Of the second clock, in the third.
    p_end: Reg<Bits<24>>,
    p_before_last: Reg<Bit>,
    p_from_on: Reg<Bit>,
    p_before_until: Reg<Bit>,
    p_end_before_until: Reg<Bit>,
    p_end_at_until: Reg<Bit>,
    p_end_before_expected: Reg<Bit>,
    p_end_at_expected: Reg<Bit>,
    p_end_past_expected: Reg<Bit>,
    a_episode: Reg<Bit>,
    a_pending: Reg<Bit>,
    a_told: Reg<Bit>,
    a_nacked: Reg<Bit>,
    a_notified: Reg<Bit>,

    goes_back: Signal<Local, Bit>,
    episode: Signal<Local, Bit>,
    answers: Signal<Local, Bit>,
    follows: Signal<Local, Bit>,
    answered: Signal<Local, Bit>,
    covered: Signal<Local, Bit>,
    filters: Signal<Local, Bit>,
    at_end: Signal<Local, Bit>,
    before_end: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    request: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    filtered: Signal<Local, Bit>,
    hurries: Signal<Local, Bit>,
    finished: Signal<Local, Bit>,
    spared: Signal<Local, Bit>,
    start_last: Signal<Local, Bits<24>>,
    start_told: Signal<Local, Bits<24>>,
    from_say: Signal<Local, Bits<24>>,
    reached: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    makes: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    told_again: Signal<Local, Bit>,
    onward: Signal<Local, Bit>,
    owed: Signal<Local, Bits<8>>,

    q_done: State<Bit>,
    n_begun: Reg<Bit>,
    n_sure: Reg<Bit>,
    n_bypass: Reg<Bit>,
    n_strange: Reg<Bit>,
    n_excuse: Reg<Bits<2>>,
    n_una: Reg<Bits<24>>,
    n_expected: Reg<Bits<24>>,
    n_last: Reg<Bits<24>>,
    n_msn: Reg<Bits<24>>,
    n_marked: Reg<Bit>,
    n_marks_end: Reg<Bits<24>>,
    n_episode: Reg<Bit>,
    n_from: Reg<Bits<24>>,
    n_until: Reg<Bits<24>>,
    n_since: Reg<Bits<32>>,
    n_answered: Reg<Bit>,
    n_owed: Reg<Bits<8>>,
    n_pending: Reg<Bit>,
    n_told: Reg<Bit>,
    n_told_psn: Reg<Bits<24>>,
    n_told_since: Reg<Bits<32>>,
    n_nacked: Reg<Bit>,
    n_nacked_since: Reg<Bits<32>>,
    n_notified: Reg<Bit>,
    n_notified_since: Reg<Bits<32>>,
    n_seen: Reg<Bits<32>>,
    q_verdict: Reg<Bits<4>>,
    q_forward: State<Bit>,
    q_urgent: State<Bit>,
    q_nack: State<Bit>,
    q_nack_passed: Reg<Bit>,
    q_nack_psn: Reg<Bits<24>>,
    q_notify: State<Bit>,
    q_probe: State<Bit>,
    q_clear: State<Bit>,
    q_clear_start: Reg<Bits<24>>,
    q_clear_length: Reg<Bits<FILTER_COUNT_BITS>>,
    q_mark: State<Bit>,
    q_mark_start: Reg<Bits<24>>,
    q_mark_length: Reg<Bits<FILTER_COUNT_BITS>>,
    q_evt_clipped_start: State<Bit>,
    q_evt_clipped_end: State<Bit>,
    q_evt_timeout_replay: State<Bit>,
    q_evt_life: State<Bit>,
    q_evt_flushed: State<Bit>,
}

impl Logic for SentryStep {
    #[kernel]
    fn update(&mut self) {
        self.s_valid[0].d.next = self.valid.val();
        self.s_kind[0].d.next = self.kind.val();
        self.s_aware[0].d.next = self.aware.val();
        self.s_congested[0].d.next = self.congested.val();
        self.s_packet_msn[0].d.next = self.packet_msn.val();
        self.s_gap_start[0].d.next = self.gap_start.val();
        self.s_gap_length[0].d.next = self.gap_length.val();
        self.s_span[0].d.next = self.span.val();
        self.s_asked_for[0].d.next = self.asked_for.val();
        self.s_tick[0].d.next = self.tick.val();
        self.s_begun[0].d.next = self.before.begun.val();
        self.s_sure[0].d.next = self.before.sure.val();
        self.s_bypass[0].d.next = self.before.bypass.val();
        self.s_strange[0].d.next = self.before.strange.val();
        self.s_excuse[0].d.next = self.before.excuse.val();
        self.s_una[0].d.next = self.before.una.val();
        self.s_expected[0].d.next = self.before.expected.val();
        self.s_last[0].d.next = self.before.last.val();
        self.s_msn[0].d.next = self.before.msn.val();
        self.s_marked[0].d.next = self.before.marked.val();
        self.s_marks_end[0].d.next = self.before.marks_end.val();
        self.s_from[0].d.next = self.before.from.val();
        self.s_until[0].d.next = self.before.until.val();
        self.s_since[0].d.next = self.before.since.val();
        self.s_answered[0].d.next = self.before.answered.val();
        self.s_owed[0].d.next = self.before.owed.val();
        self.s_told_psn[0].d.next = self.before.told_psn.val();
        self.s_told_since[0].d.next = self.before.told_since.val();
        self.s_nacked_since[0].d.next = self.before.nacked_since.val();
        self.s_notified_since[0].d.next = self.before.notified_since.val();
        self.s_seen[0].d.next = self.before.seen.val();
        for i in 1..3 {
            self.s_valid[i].d.next = self.s_valid[i - 1].q.val();
            self.s_kind[i].d.next = self.s_kind[i - 1].q.val();
            self.s_aware[i].d.next = self.s_aware[i - 1].q.val();
            self.s_congested[i].d.next = self.s_congested[i - 1].q.val();
            self.s_packet_msn[i].d.next = self.s_packet_msn[i - 1].q.val();
            self.s_tick[i].d.next = self.s_tick[i - 1].q.val();
            self.s_begun[i].d.next = self.s_begun[i - 1].q.val();
            self.s_bypass[i].d.next = self.s_bypass[i - 1].q.val();
            self.s_strange[i].d.next = self.s_strange[i - 1].q.val();
            self.s_excuse[i].d.next = self.s_excuse[i - 1].q.val();
            self.s_expected[i].d.next = self.s_expected[i - 1].q.val();
            self.s_last[i].d.next = self.s_last[i - 1].q.val();
            self.s_msn[i].d.next = self.s_msn[i - 1].q.val();
            self.s_marks_end[i].d.next = self.s_marks_end[i - 1].q.val();
            self.s_from[i].d.next = self.s_from[i - 1].q.val();
            self.s_until[i].d.next = self.s_until[i - 1].q.val();
            self.s_since[i].d.next = self.s_since[i - 1].q.val();
            self.s_answered[i].d.next = self.s_answered[i - 1].q.val();
            self.s_owed[i].d.next = self.s_owed[i - 1].q.val();
            self.s_told_psn[i].d.next = self.s_told_psn[i - 1].q.val();
            self.s_told_since[i].d.next = self.s_told_since[i - 1].q.val();
            self.s_nacked_since[i].d.next = self.s_nacked_since[i - 1].q.val();
            self.s_notified_since[i].d.next = self.s_notified_since[i - 1].q.val();
            self.s_seen[i].d.next = self.s_seen[i - 1].q.val();
        }
        self.s_gap_start[1].d.next = self.s_gap_start[0].q.val();
        self.s_gap_length[1].d.next = self.s_gap_length[0].q.val();
        self.s_span[1].d.next = self.s_span[0].q.val();
        self.s_asked_for[1].d.next = self.s_asked_for[0].q.val();
        self.s_sure[1].d.next = self.s_sure[0].q.val();
        self.s_una[1].d.next = self.s_una[0].q.val();
        self.s_marked[1].d.next = self.s_marked[0].q.val();

        self.ages.was_episode.next = self.before.episode.val();
        self.ages.was_pending.next = self.before.pending.val();
        self.ages.was_told.next = self.before.told.val();
        self.ages.was_nacked.next = self.before.nacked.val();
        self.ages.was_notified.next = self.before.notified.val();
        self.ages.since.next = self.before.since.val();
        self.ages.told_since.next = self.before.told_since.val();
        self.ages.nacked_since.next = self.before.nacked_since.val();
        self.ages.notified_since.next = self.before.notified_since.val();
        self.ages.seen.next = self.before.seen.val();
        SentryConfig::link(&mut self.settings, &mut self.ages.settings);
        self.ages.tick.next = self.tick.val();
        self.distances.una.next = self.before.una.val();
        self.distances.expected.next = self.before.expected.val();
        self.distances.last.next = self.before.last.val();
        self.distances.marks_end.next = self.before.marks_end.val();
        self.distances.from.next = self.before.from.val();
        self.distances.until.next = self.before.until.val();
        self.distances.psn.next = self.psn.val();
        self.distances.behind.next = self.kind.val() == LR2_ACK.to_bits::<3>() || self.kind.val() == LR2_RESPONSE.to_bits::<3>();
        self.distances.span.next = self.span.val();
        self.distances.gap_start.next = self.gap_start.val();
        self.distances.gap_length.next = self.gap_length.val();

        SentryPlaces::join(&mut self.choice.places, &mut self.distances.places);
        self.choice.valid.next = self.s_valid[1].q.val();
        self.choice.kind.next = self.s_kind[1].q.val();
        self.choice.aware.next = self.s_aware[1].q.val();
        self.choice.asked_for.next = self.s_asked_for[1].q.val();
        self.choice.span.next = self.s_span[1].q.val();
        self.choice.gap_start.next = self.s_gap_start[1].q.val();
        self.choice.gap_length.next = self.s_gap_length[1].q.val();
        self.choice.begun.next = self.s_begun[1].q.val();
        self.choice.sure.next = self.s_sure[1].q.val();
        self.choice.bypass.next = self.s_bypass[1].q.val();
        self.choice.strange.next = self.s_strange[1].q.val();
        self.choice.marked.next = self.s_marked[1].q.val();
        self.choice.una.next = self.s_una[1].q.val();
        self.choice.expected.next = self.s_expected[1].q.val();
        self.choice.idle.next = self.ages.idle.val();
        self.choice.late.next = self.ages.probe.val();
        self.p_end.d.next = self.distances.past.val();
        self.p_before_last.d.next = self.distances.before_last.val();
        self.p_from_on.d.next = self.distances.from_on.val();
        self.p_before_until.d.next = self.distances.before_until.val();
        self.p_end_before_until.d.next = self.distances.end_before_until.val();
        self.p_end_at_until.d.next = self.distances.end_at_until.val();
        self.p_end_before_expected.d.next = self.distances.end_before_expected.val();
        self.p_end_at_expected.d.next = self.distances.end_at_expected.val();
        self.p_end_past_expected.d.next = self.distances.end_past_expected.val();
        self.a_episode.d.next = self.ages.episode.val();
        self.a_pending.d.next = self.ages.pending.val();
        self.a_told.d.next = self.ages.told.val();
        self.a_nacked.d.next = self.ages.nacked.val();
        self.a_notified.d.next = self.ages.notified.val();

        // A repeated packet and the episode. A return to which no NACK led is the card's own time-out.
        self.goes_back.next = self.choice.again.val() && self.p_before_last.q.val();
        self.episode.next =
            self.a_episode.q.val() && !(self.goes_back.val() && self.settings.follow.val() && !self.s_owed[2].q.val().any());
        self.answers.next = self.goes_back.val() && self.episode.val();
        self.follows.next = self.answers.val() && self.settings.follow.val() && !self.s_answered[2].q.val();
        self.answered.next = self.s_answered[2].q.val() || self.answers.val();
        self.covered.next = self.p_from_on.q.val() && (self.follows.val() || self.p_before_until.q.val());
        self.filters.next = self.episode.val() && self.covered.val();
        self.at_end.next = self.p_end_at_until.q.val();
        self.before_end.next = self.p_end_before_until.q.val();
        if self.follows.val() {
            self.at_end.next = self.p_end_at_expected.q.val();
            self.before_end.next = self.p_end_before_expected.q.val();
        }
        // With the probe the highest PSN of an episode always goes on.
        self.due.next = self.choice.asked.val() || (self.settings.probe.val().any() && self.episode.val() && self.at_end.val());
        self.request.next = self.s_kind[2].q.val().get_bit(0);
        self.whole.next = !self.filters.val() || self.settings.unfiltered.val() || self.request.val();
        self.filtered.next = self.choice.again.val() && !self.whole.val() && !self.due.val();
        self.hurries.next = self.choice.again.val() && !self.whole.val() && self.due.val();
        self.finished.next = (self.choice.again.val() || self.choice.fresh.val()) && self.answered.val() && !self.before_end.val();

        // A NACK for the card.
        self.spared.next = !self.s_aware[2].q.val() && self.a_told.q.val() && self.s_told_psn[2].q.val() == self.choice.say.val();
        self.makes.next = self.choice.hole.val() && !self.a_nacked.q.val() && !self.spared.val();
        self.start_last.next = self.s_last[2].q.val() - self.choice.start.val();
        self.reached.next = !self.start_last.val().any() || self.start_last.val().get_bit(23);
        self.start_told.next = self.s_told_psn[2].q.val() - self.choice.start.val();
        self.waits.next = self.a_pending.q.val() && (!self.start_told.val().any() || self.start_told.val().get_bit(23));
        self.opens.next = self.choice.gap.val() && !self.choice.stale.val();
        self.passes.next = self.opens.val() && !self.reached.val() && !self.waits.val() && !self.spared.val();
        self.begins.next = self.makes.val() || self.passes.val();
        self.from_say.next = self.choice.say.val() - self.s_from[2].q.val();

        // A mark on a packet that goes no further.
        self.told_again.next = (self.filtered.val() || self.choice.hole.val())
            && self.s_congested[2].q.val()
            && self.settings.cnp.val().any()
            && !self.a_notified.q.val();

        // The flow afterwards.
        self.onward.next = self.choice.restart.val() || self.choice.again.val() || self.choice.fresh.val() || self.choice.hole.val();
        self.n_begun.d.next = self.choice.now_set.val();
        self.n_sure.d.next = self.choice.now_sure.val();
        self.n_bypass.d.next = self.s_bypass[2].q.val() || self.choice.refusal.val();
        self.n_strange.d.next = (self.s_strange[2].q.val() && !self.onward.val()) || self.choice.odd.val();
        self.n_excuse.d.next = self.s_excuse[2].q.val();
        if self.goes_back.val() && self.s_excuse[2].q.val() == bits::<2>(1) {
            self.n_excuse.d.next = bits::<2>(2);
        }
        if self.choice.restart.val() || (self.choice.fresh.val() && self.s_excuse[2].q.val() == bits::<2>(2)) {
            self.n_excuse.d.next = bits::<2>(0);
        }
        if self.choice.nak.val() {
            self.n_excuse.d.next = bits::<2>(1);
        }
        self.n_una.d.next = self.choice.now_una.val();
        self.n_expected.d.next = self.s_expected[2].q.val();
        if self.choice.restart.val()
            || self.choice.fresh.val()
            || (self.choice.again.val() && self.request.val() && self.p_end_past_expected.q.val())
        {
            self.n_expected.d.next = self.p_end.q.val();
        }
        self.n_last.d.next = self.s_last[2].q.val();
        if self.onward.val() {
            self.n_last.d.next = self.p_end.q.val();
        }
        self.n_msn.d.next = self.s_msn[2].q.val();
        if self.choice.tells_msn.val() {
            self.n_msn.d.next = self.s_packet_msn[2].q.val();
        }
        self.n_marked.d.next = self.choice.now_marked.val();
        self.n_marks_end.d.next = self.s_marks_end[2].q.val();
        if self.opens.val() {
            self.n_marks_end.d.next = self.s_expected[2].q.val();
        }
        self.n_episode.d.next = self.begins.val()
            || (self.episode.val()
                && !self.finished.val()
                && !self.choice.restart.val()
                && !self.choice.loses.val()
                && !self.choice.nak.val()
                && !self.choice.flush.val());
        self.n_from.d.next = self.s_from[2].q.val();
        if self.begins.val() && !(self.episode.val() && self.from_say.val().any() && !self.from_say.val().get_bit(23)) {
            self.n_from.d.next = self.choice.say.val();
        }
        self.n_until.d.next = self.s_until[2].q.val();
        if self.begins.val() || self.follows.val() {
            self.n_until.d.next = self.s_expected[2].q.val();
        }
        self.n_since.d.next = self.s_since[2].q.val();
        if self.begins.val() || (self.choice.again.val() && self.settings.follow.val() && self.answered.val()) {
            self.n_since.d.next = self.s_tick[2].q.val();
        }
        self.n_answered.d.next = self.answered.val() && !self.begins.val();
        self.owed.next = self.s_owed[2].q.val();
        if self.answers.val() && self.s_owed[2].q.val().any() {
            self.owed.next = self.s_owed[2].q.val() - 1;
        }
        if self.begins.val() && !self.s_owed[2].q.val().all() {
            self.owed.next = self.s_owed[2].q.val() + 1;
        }
        if self.begins.val() && !self.episode.val() {
            self.owed.next = bits::<8>(1);
        }
        self.n_owed.d.next = self.owed.val();
        self.n_pending.d.next = self.begins.val()
            || (self.a_pending.q.val()
                && !self.goes_back.val()
                && !self.choice.restart.val()
                && !self.choice.loses.val()
                && !self.choice.nak.val()
                && !self.choice.flush.val());
        self.n_told.d.next = self.begins.val() || self.a_told.q.val();
        self.n_told_psn.d.next = self.s_told_psn[2].q.val();
        self.n_told_since.d.next = self.s_told_since[2].q.val();
        if self.begins.val() {
            self.n_told_psn.d.next = self.choice.say.val();
            self.n_told_since.d.next = self.s_tick[2].q.val();
        }
        self.n_nacked.d.next = self.makes.val()
            || (self.a_nacked.q.val() && !self.choice.fresh.val() && !self.choice.restart.val() && !self.choice.flush.val());
        self.n_nacked_since.d.next = self.s_nacked_since[2].q.val();
        if self.makes.val() {
            self.n_nacked_since.d.next = self.s_tick[2].q.val();
        }
        self.n_notified.d.next = self.told_again.val() || self.a_notified.q.val();
        self.n_notified_since.d.next = self.s_notified_since[2].q.val();
        if self.told_again.val() {
            self.n_notified_since.d.next = self.s_tick[2].q.val();
        }
        self.n_seen.d.next = self.s_seen[2].q.val();
        if self.onward.val() || self.choice.odd.val() || self.choice.flush.val() || self.choice.probe.val() {
            self.n_seen.d.next = self.s_tick[2].q.val();
        }

        // What happens.
        self.q_done.d.next = self.s_valid[2].q.val();
        self.q_verdict.d.next = SENTRY_UNTOUCHED.to_bits::<4>();
        if self.choice.restart.val() || self.choice.fresh.val() {
            self.q_verdict.d.next = SENTRY_FORWARDED.to_bits::<4>();
        }
        if self.choice.again.val() {
            self.q_verdict.d.next = SENTRY_REPLAYED.to_bits::<4>();
        }
        if self.hurries.val() {
            self.q_verdict.d.next = SENTRY_ASKED.to_bits::<4>();
        }
        if self.filtered.val() {
            self.q_verdict.d.next = SENTRY_FILTERED.to_bits::<4>();
        }
        if self.choice.hole.val() {
            self.q_verdict.d.next = SENTRY_GAP.to_bits::<4>();
        }
        if self.choice.gap.val() {
            self.q_verdict.d.next = SENTRY_NOTED.to_bits::<4>();
        }
        if self.passes.val() {
            self.q_verdict.d.next = SENTRY_PASSED.to_bits::<4>();
        }
        if self.choice.gap.val() && self.choice.stale.val() {
            self.q_verdict.d.next = SENTRY_STALE.to_bits::<4>();
        }
        if self.choice.odd.val() {
            self.q_verdict.d.next = SENTRY_STRANGE.to_bits::<4>();
        }
        self.q_forward.d.next = self.s_valid[2].q.val()
            && !(self.s_kind[2].q.val() == LR2_VISIT.to_bits::<3>())
            && !self.choice.gap.val()
            && !self.choice.hole.val()
            && !self.filtered.val();
        self.q_urgent.d.next = self.hurries.val();
        self.q_nack.d.next = self.begins.val();
        self.q_nack_passed.d.next = self.passes.val();
        self.q_nack_psn.d.next = self.choice.say.val();
        self.q_notify.d.next = self.told_again.val();
        self.q_probe.d.next = self.choice.probe.val();
        self.q_clear.d.next = self.choice.clear.val();
        self.q_clear_start.d.next = self.choice.clear_start.val();
        self.q_clear_length.d.next = FILTER_BITS.to_bits::<FILTER_COUNT_BITS>();
        if self.choice.clear_length.val() < FILTER_BITS.to_bits::<24>() {
            self.q_clear_length.d.next = self.choice.clear_length.val().get_bits::<FILTER_COUNT_BITS>(0);
        }
        self.q_mark.d.next = self.opens.val() && self.choice.reach.val().any() && self.choice.length.val().any();
        self.q_mark_start.d.next = self.choice.start.val();
        self.q_mark_length.d.next = self.choice.reach.val();
        if self.choice.length.val() < bit_cast::<24, FILTER_COUNT_BITS>(self.choice.reach.val()) {
            self.q_mark_length.d.next = self.choice.length.val().get_bits::<FILTER_COUNT_BITS>(0);
        }
        self.q_evt_clipped_start.d.next = self.opens.val() && self.choice.clipped.val();
        self.q_evt_clipped_end.d.next = self.opens.val() && self.choice.gap_ends_past.val();
        self.q_evt_timeout_replay.d.next =
            self.choice.again.val() && self.whole.val() && !self.filters.val() && !self.s_excuse[2].q.val().any();
        self.q_evt_life.d.next = (self.choice.restart.val() && self.s_begun[2].q.val()) || self.choice.loses.val();
        self.q_evt_flushed.d.next = self.choice.flush.val();

        self.done.next = self.q_done.q.val();
        self.after.begun.next = self.n_begun.q.val();
        self.after.sure.next = self.n_sure.q.val();
        self.after.bypass.next = self.n_bypass.q.val();
        self.after.strange.next = self.n_strange.q.val();
        self.after.excuse.next = self.n_excuse.q.val();
        self.after.una.next = self.n_una.q.val();
        self.after.expected.next = self.n_expected.q.val();
        self.after.last.next = self.n_last.q.val();
        self.after.msn.next = self.n_msn.q.val();
        self.after.marked.next = self.n_marked.q.val();
        self.after.marks_end.next = self.n_marks_end.q.val();
        self.after.episode.next = self.n_episode.q.val();
        self.after.from.next = self.n_from.q.val();
        self.after.until.next = self.n_until.q.val();
        self.after.since.next = self.n_since.q.val();
        self.after.answered.next = self.n_answered.q.val();
        self.after.owed.next = self.n_owed.q.val();
        self.after.pending.next = self.n_pending.q.val();
        self.after.told.next = self.n_told.q.val();
        self.after.told_psn.next = self.n_told_psn.q.val();
        self.after.told_since.next = self.n_told_since.q.val();
        self.after.nacked.next = self.n_nacked.q.val();
        self.after.nacked_since.next = self.n_nacked_since.q.val();
        self.after.notified.next = self.n_notified.q.val();
        self.after.notified_since.next = self.n_notified_since.q.val();
        self.after.seen.next = self.n_seen.q.val();
        self.verdict.next = self.q_verdict.q.val();
        self.forward.next = self.q_forward.q.val();
        self.urgent.next = self.q_urgent.q.val();
        self.nack.next = self.q_nack.q.val();
        self.nack_passed.next = self.q_nack_passed.q.val();
        self.nack_psn.next = self.q_nack_psn.q.val();
        self.notify.next = self.q_notify.q.val();
        self.probe.next = self.q_probe.q.val();
        self.clear.next = self.q_clear.q.val();
        self.clear_start.next = self.q_clear_start.q.val();
        self.clear_length.next = self.q_clear_length.q.val();
        self.mark.next = self.q_mark.q.val();
        self.mark_start.next = self.q_mark_start.q.val();
        self.mark_length.next = self.q_mark_length.q.val();
        self.evt_clipped_start.next = self.q_evt_clipped_start.q.val();
        self.evt_clipped_end.next = self.q_evt_clipped_end.q.val();
        self.evt_timeout_replay.next = self.q_evt_timeout_replay.q.val();
        self.evt_life.next = self.q_evt_life.q.val();
        self.evt_flushed.next = self.q_evt_flushed.q.val();
    }
}
