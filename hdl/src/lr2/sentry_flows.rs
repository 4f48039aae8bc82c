use super::{SentryBits, SentryConfig, SentryStep, SentryWord};
use crate::primitives::{ClearedRam, FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a Sentry decides about the packets of its flows: their states, their bits, and one step after the other.
///
/// Events of both directions come in one order, each with the number of its flow, which is not bypassed by whoever looks it up; the steps
/// leave in that order. An event waits while one of its flow is under way, and while bits of any flow change: an answer must see what came
/// before it. In idle clocks, and in one of 64 at least, the flows are visited one after the other, for what has run out; a visit leaves
/// among the steps, of kind `LR2_VISIT`. An entry is opened when nothing is under way: `open_ready` is the clock in which it is, and its
/// bits are cleared.
/// Latency: 5 clocks from an event to its step. Throughput: one event per clock, of one flow one per 6 clocks. A packet that was asked for
/// changes a bit, which takes 9 clocks from its event; acknowledgements of a flow without marks change none.
/// Reset: every entry and every bit is cleared, `ready` comes then.
/// Spec: LR2, "Flows", "Sentry".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryFlows {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries may be opened
    pub ready: Signal<Out, Bit>,
    /// an event
    pub event_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `event_valid` is high too
    pub event_ready: Signal<Out, Bit>,
    /// number of the flow
    pub event_flow: Signal<In, Bits<FLOW_BITS>>,
    /// `LR2_DATA` to `LR2_DEPOT_NACK`
    pub event_kind: Signal<In, Bits<3>>,
    /// PSN of the packet
    pub event_psn: Signal<In, Bits<24>>,
    /// PSNs that a packet of the sending card consumes, 1 at least
    pub event_span: Signal<In, Bits<24>>,
    /// congestion was experienced
    pub event_congested: Signal<In, Bit>,
    /// message sequence number of an acknowledgement or NACK
    pub event_msn: Signal<In, Bits<24>>,
    /// Depot-NACK: first PSN of the gap
    pub event_gap_start: Signal<In, Bits<24>>,
    /// and its length
    pub event_gap_length: Signal<In, Bits<24>>,
    /// an entry is written; it stays until it is ready
    pub open_valid: Signal<In, Bit>,
    /// it is written in this clock
    pub open_ready: Signal<Out, Bit>,
    /// number of the flow
    pub open_flow: Signal<In, Bits<FLOW_BITS>>,
    /// its cards tell a NACK of the boxes from another one
    pub open_aware: Signal<In, Bit>,
    /// it has an initial PSN
    pub open_set: Signal<In, Bit>,
    /// psn of `open`
    pub open_psn: Signal<In, Bits<24>>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// the registers
    pub settings: SentryConfig,

    /// a step is done: all of the following
    pub done: Signal<Out, Bit>,
    /// the flow
    pub done_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// the kind of the event
    pub done_kind: Signal<Out, Bits<3>>,
    /// when it came
    pub done_tick: Signal<Out, Bits<32>>,
    /// `SENTRY_UNTOUCHED` to `SENTRY_STRANGE`
    pub verdict: Signal<Out, Bits<4>>,
    /// the packet goes on
    pub forward: Signal<Out, Bit>,
    /// with priority
    pub urgent: Signal<Out, Bit>,
    /// a NACK goes to the sending card
    pub nack: Signal<Out, Bit>,
    /// it is the Depot-NACK that came, without its gap; else a Sentry-NACK
    pub nack_passed: Signal<Out, Bit>,
    /// PSN of `nack`
    pub nack_psn: Signal<Out, Bits<24>>,
    /// MSN of `nack`
    pub nack_msn: Signal<Out, Bits<24>>,
    /// a CNP goes to the sending card
    pub notify: Signal<Out, Bit>,
    /// a probe goes to the Depot
    pub probe: Signal<Out, Bit>,
    /// first PSN that is not acknowledged
    pub una: Signal<Out, Bits<24>>,
    /// `ePSN_s`
    pub expected: Signal<Out, Bits<24>>,
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

    states: ClearedRam<SENTRY_FLOW_BITS, FLOW_BITS, 0>,
    bits: SentryBits,
    changes: FifoLut<SENTRY_CHANGE_BITS, 3, 4>,
    change: Signal<Local, Bits<SENTRY_CHANGE_BITS>>,
    step: SentryStep,
    word: SentryWord,

    // Events under way: the first one reads, the last one's step is done.
    valid: [State<Bit>; 5],
    flow: [Reg<Bits<FLOW_BITS>>; 5],
    kind: [Reg<Bits<3>>; 5],
    aware: [Reg<Bit>; 4],
    ticks: [Reg<Bits<32>>; 5],
    psn: Reg<Bits<24>>,
    span: Reg<Bits<24>>,
    congested: Reg<Bit>,
    msn: Reg<Bits<24>>,
    gap_start: Reg<Bits<24>>,
    gap_length: Reg<Bits<24>>,

    busy: Signal<Local, Bit>,
    event_waits: Signal<Local, Bit>,
    visit_waits: Signal<Local, Bit>,
    quiet: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    visits: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    pause: State<Bits<6>>,
    visited: State<Bits<FLOW_BITS>>,
    chosen: Signal<Local, Bits<FLOW_BITS>>,
}

impl Logic for SentryFlows {
    #[kernel]
    fn update(&mut self) {
        // Who may come. A change that waits, or is being made, stops everybody.
        self.quiet.next = self.states.ready.val() && self.bits.ready.val() && !self.changes.out_valid.val();
        self.ready.next = self.states.ready.val() && self.bits.ready.val();
        self.busy.next = false;
        self.event_waits.next = false;
        self.visit_waits.next = false;
        for i in 0..5 {
            if self.valid[i].q.val() {
                self.busy.next = true;
            }
            if self.valid[i].q.val() && self.flow[i].q.val() == self.event_flow.val() {
                self.event_waits.next = true;
            }
            if self.valid[i].q.val() && self.flow[i].q.val() == self.visited.q.val() {
                self.visit_waits.next = true;
            }
        }
        self.due.next = self.pause.q.val().all();
        self.opens.next = self.open_valid.val() && self.quiet.val() && !self.busy.val();
        self.open_ready.next = self.opens.val();
        self.takes.next =
            self.event_valid.val() && self.quiet.val() && !self.open_valid.val() && !self.event_waits.val() && !self.due.val();
        self.event_ready.next = self.takes.val();
        self.visits.next =
            self.quiet.val() && !self.open_valid.val() && !self.visit_waits.val() && (self.due.val() || !self.event_valid.val());
        if !self.due.val() {
            self.pause.d.next = self.pause.q.val() + 1;
        }
        if self.visits.val() {
            self.pause.d.next = bits::<6>(0);
            self.visited.d.next = self.visited.q.val() + 1;
        }

        // The flow's word and its bit are read.
        self.chosen.next = self.event_flow.val();
        if self.visits.val() {
            self.chosen.next = self.visited.q.val();
        }
        self.states.read_address.next = self.chosen.val();
        self.bits.ask_flow.next = self.event_flow.val();
        self.bits.ask_psn.next = self.event_psn.val();
        self.valid[0].d.next = self.takes.val() || self.visits.val();
        self.flow[0].d.next = self.chosen.val();
        self.kind[0].d.next = self.event_kind.val();
        if self.visits.val() {
            self.kind[0].d.next = LR2_VISIT.to_bits::<3>();
        }
        self.ticks[0].d.next = self.tick.val();
        self.psn.d.next = self.event_psn.val();
        self.span.d.next = self.event_span.val();
        self.congested.d.next = self.event_congested.val();
        self.msn.d.next = self.event_msn.val();
        self.gap_start.d.next = self.event_gap_start.val();
        self.gap_length.d.next = self.event_gap_length.val();
        for i in 1..5 {
            self.valid[i].d.next = self.valid[i - 1].q.val();
            self.flow[i].d.next = self.flow[i - 1].q.val();
            self.kind[i].d.next = self.kind[i - 1].q.val();
            self.ticks[i].d.next = self.ticks[i - 1].q.val();
        }
        self.aware[0].d.next = self.states.read_data.val().get_bit(SENTRY_STATE_BITS);
        for i in 1..4 {
            self.aware[i].d.next = self.aware[i - 1].q.val();
        }

        self.word.stored.next = self.states.read_data.val().get_bits::<SENTRY_STATE_BITS>(0);
        SentryConfig::link(&mut self.settings, &mut self.step.settings);
        self.step.valid.next = self.valid[0].q.val();
        self.step.kind.next = self.kind[0].q.val();
        self.step.aware.next = self.states.read_data.val().get_bit(SENTRY_STATE_BITS);
        self.step.psn.next = self.psn.q.val();
        self.step.span.next = self.span.q.val();
        self.step.congested.next = self.congested.q.val();
        self.step.packet_msn.next = self.msn.q.val();
        self.step.gap_start.next = self.gap_start.q.val();
        self.step.gap_length.next = self.gap_length.q.val();
        self.step.asked_for.next = self.bits.answer.val();
        self.step.tick.next = self.ticks[0].q.val();
        self.step.before.begun.next = self.word.kept.begun.val();
        self.step.before.sure.next = self.word.kept.sure.val();
        self.step.before.bypass.next = self.word.kept.bypass.val();
        self.step.before.strange.next = self.word.kept.strange.val();
        self.step.before.marked.next = self.word.kept.marked.val();
        self.step.before.episode.next = self.word.kept.episode.val();
        self.step.before.answered.next = self.word.kept.answered.val();
        self.step.before.pending.next = self.word.kept.pending.val();
        self.step.before.told.next = self.word.kept.told.val();
        self.step.before.nacked.next = self.word.kept.nacked.val();
        self.step.before.notified.next = self.word.kept.notified.val();
        self.step.before.excuse.next = self.word.kept.excuse.val();
        self.step.before.owed.next = self.word.kept.owed.val();
        self.step.before.una.next = self.word.kept.una.val();
        self.step.before.expected.next = self.word.kept.expected.val();
        self.step.before.last.next = self.word.kept.last.val();
        self.step.before.msn.next = self.word.kept.msn.val();
        self.step.before.marks_end.next = self.word.kept.marks_end.val();
        self.step.before.from.next = self.word.kept.from.val();
        self.step.before.until.next = self.word.kept.until.val();
        self.step.before.told_psn.next = self.word.kept.told_psn.val();
        self.step.before.since.next = self.word.kept.since.val();
        self.step.before.told_since.next = self.word.kept.told_since.val();
        self.step.before.nacked_since.next = self.word.kept.nacked_since.val();
        self.step.before.notified_since.next = self.word.kept.notified_since.val();
        self.step.before.seen.next = self.word.kept.seen.val();

        // The word goes back; an entry that is opened has one of its own.
        self.word.state.begun.next = self.step.after.begun.val();
        self.word.state.sure.next = self.step.after.sure.val();
        self.word.state.bypass.next = self.step.after.bypass.val();
        self.word.state.strange.next = self.step.after.strange.val();
        self.word.state.marked.next = self.step.after.marked.val();
        self.word.state.episode.next = self.step.after.episode.val();
        self.word.state.answered.next = self.step.after.answered.val();
        self.word.state.pending.next = self.step.after.pending.val();
        self.word.state.told.next = self.step.after.told.val();
        self.word.state.nacked.next = self.step.after.nacked.val();
        self.word.state.notified.next = self.step.after.notified.val();
        self.word.state.excuse.next = self.step.after.excuse.val();
        self.word.state.owed.next = self.step.after.owed.val();
        self.word.state.una.next = self.step.after.una.val();
        self.word.state.expected.next = self.step.after.expected.val();
        self.word.state.last.next = self.step.after.last.val();
        self.word.state.msn.next = self.step.after.msn.val();
        self.word.state.marks_end.next = self.step.after.marks_end.val();
        self.word.state.from.next = self.step.after.from.val();
        self.word.state.until.next = self.step.after.until.val();
        self.word.state.told_psn.next = self.step.after.told_psn.val();
        self.word.state.since.next = self.step.after.since.val();
        self.word.state.told_since.next = self.step.after.told_since.val();
        self.word.state.nacked_since.next = self.step.after.nacked_since.val();
        self.word.state.notified_since.next = self.step.after.notified_since.val();
        self.word.state.seen.next = self.step.after.seen.val();
        self.states.write_enable.next = self.step.done.val() || self.opens.val();
        self.states.write_address.next = self.flow[4].q.val();
        self.states.write_data.next = bit_cast::<SENTRY_FLOW_BITS, SENTRY_STATE_BITS>(self.word.word.val())
            | (bit_cast::<SENTRY_FLOW_BITS, 1>(self.aware[3].q.val().into()) << SENTRY_STATE_BITS.to_bits::<9>());
        if self.opens.val() {
            self.states.write_address.next = self.open_flow.val();
            self.states.write_data.next = bit_cast::<SENTRY_FLOW_BITS, SENTRY_STATE_BITS>(self.word.word.val())
                | (bit_cast::<SENTRY_FLOW_BITS, 1>(self.open_aware.val().into()) << SENTRY_STATE_BITS.to_bits::<9>());
            self.word.state.begun.next = self.open_set.val();
            self.word.state.sure.next = self.open_set.val();
            self.word.state.bypass.next = false;
            self.word.state.strange.next = false;
            self.word.state.marked.next = false;
            self.word.state.episode.next = false;
            self.word.state.answered.next = false;
            self.word.state.pending.next = false;
            self.word.state.told.next = false;
            self.word.state.nacked.next = false;
            self.word.state.notified.next = false;
            self.word.state.excuse.next = bits::<2>(0);
            self.word.state.owed.next = bits::<8>(0);
            self.word.state.una.next = self.open_psn.val();
            self.word.state.expected.next = self.open_psn.val();
            self.word.state.last.next = self.open_psn.val();
            self.word.state.msn.next = bits::<24>(0);
            self.word.state.marks_end.next = self.open_psn.val();
            self.word.state.from.next = self.open_psn.val();
            self.word.state.until.next = self.open_psn.val();
            self.word.state.told_psn.next = self.open_psn.val();
            self.word.state.since.next = self.tick.val();
            self.word.state.told_since.next = self.tick.val();
            self.word.state.nacked_since.next = self.tick.val();
            self.word.state.notified_since.next = self.tick.val();
            self.word.state.seen.next = self.tick.val();
        }

        // Changes of the bits, in the order of the steps.
        self.changes.in_valid.next = self.step.done.val() && (self.step.clear.val() || self.step.mark.val());
        self.changes.in_data.next = bit_cast::<SENTRY_CHANGE_BITS, 24>(self.step.clear_start.val())
            | (bit_cast::<SENTRY_CHANGE_BITS, 24>(self.step.mark_start.val()) << 24)
            | (bit_cast::<SENTRY_CHANGE_BITS, 1>(self.step.clear.val().into()) << 48)
            | (bit_cast::<SENTRY_CHANGE_BITS, 1>(self.step.mark.val().into()) << 49)
            | (bit_cast::<SENTRY_CHANGE_BITS, FLOW_BITS>(self.flow[4].q.val()) << 50)
            | (bit_cast::<SENTRY_CHANGE_BITS, FILTER_COUNT_BITS>(self.step.clear_length.val()) << (FLOW_BITS + 50).to_bits::<7>())
            | (bit_cast::<SENTRY_CHANGE_BITS, FILTER_COUNT_BITS>(self.step.mark_length.val())
                << (FLOW_BITS + FILTER_COUNT_BITS + 50).to_bits::<7>());
        self.changes.out_ready.next = self.bits.ready.val();
        self.change.next = self.changes.out_data.val();
        self.bits.change.next = self.changes.out_valid.val() || self.opens.val();
        self.bits.change_flow.next = self.change.val().get_bits::<FLOW_BITS>(50);
        self.bits.clear.next = self.change.val().get_bit(48);
        self.bits.clear_start.next = self.change.val().get_bits::<24>(0);
        self.bits.clear_length.next = self.change.val().get_bits::<FILTER_COUNT_BITS>(FLOW_BITS + 50);
        self.bits.mark.next = self.change.val().get_bit(49);
        self.bits.mark_start.next = self.change.val().get_bits::<24>(24);
        self.bits.mark_length.next = self.change.val().get_bits::<FILTER_COUNT_BITS>(FLOW_BITS + FILTER_COUNT_BITS + 50);
        if self.opens.val() {
            self.bits.change_flow.next = self.open_flow.val();
            self.bits.clear.next = true;
            self.bits.clear_start.next = bits::<24>(0);
            self.bits.clear_length.next = FILTER_BITS.to_bits::<FILTER_COUNT_BITS>();
            self.bits.mark.next = false;
        }

        self.done.next = self.step.done.val();
        self.done_flow.next = self.flow[4].q.val();
        self.done_kind.next = self.kind[4].q.val();
        self.done_tick.next = self.ticks[4].q.val();
        self.nack_msn.next = self.step.after.msn.val();
        self.una.next = self.step.after.una.val();
        self.expected.next = self.step.after.expected.val();
        self.verdict.next = self.step.verdict.val();
        self.forward.next = self.step.forward.val();
        self.urgent.next = self.step.urgent.val();
        self.nack.next = self.step.nack.val();
        self.nack_passed.next = self.step.nack_passed.val();
        self.nack_psn.next = self.step.nack_psn.val();
        self.notify.next = self.step.notify.val();
        self.probe.next = self.step.probe.val();
        self.evt_clipped_start.next = self.step.evt_clipped_start.val();
        self.evt_clipped_end.next = self.step.evt_clipped_end.val();
        self.evt_timeout_replay.next = self.step.evt_timeout_replay.val();
        self.evt_life.next = self.step.evt_life.val();
        self.evt_flushed.next = self.step.evt_flushed.val();
    }
}
