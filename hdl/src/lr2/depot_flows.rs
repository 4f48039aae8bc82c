use super::{DepotConfig, DepotOrdersWriter, DepotPools, DepotStep, DepotTickets, DepotWord};
use crate::primitives::{ClearedRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// How far a flow is looked at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DepotLook {
    /// none is
    Idle,
    /// its state is read
    State,
    /// the PSN is known that it would let go
    Known,
    /// the place of that is read
    Place,
    /// what is known of the packet there is read
    Packet,
    /// its event comes
    Due,
    /// its event is under way
    Step,
}

/// What a Depot decides about the packets of its flows: their states, its pools, and one step after the other.
///
/// Events of both directions come in one order, each with the number of its flow, which is not bypassed by whoever looks it up; the steps
/// leave in that order. An event waits while one of its flow is under way, or changes the pools; others go on. A request, and every event
/// while a pool has less room than events can be under way, goes alone. A flow is looked at before it lets something go and before it is
/// visited for what has run out: `release_valid` asks for a flow, which is one that `works`; visits go over all flows in turn, in idle
/// clocks and in one of 64 at least. Both leave among the steps, as `LR2_RELEASE` and `LR2_VISIT`; a flow that has nothing to let go is
/// visited. An event of verdict `DEPOT_WAITS` has changed nothing, and comes again when its flow has let something go. An entry is opened
/// when nothing is under way: `open_ready` is the clock in which it is, and what the flow held is free.
/// Latency: 7 clocks from an event to its step; 16 from `release_ready` to the step. Throughput: one event per clock, of one flow one per
/// 8 clocks when it changes nothing; changes of the pools as `DepotPool` has them, 10 clocks for a packet that goes on with a copy.
/// Reset: every entry is cleared, `ready` comes then.
/// Spec: LR2, "Flows", "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotFlows {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries may be opened
    pub ready: Signal<Out, Bit>,
    /// an event
    pub event_valid: Signal<In, Bit>,
    /// it is taken
    pub event_ready: Signal<Out, Bit>,
    /// number of the flow
    pub event_flow: Signal<In, Bits<FLOW_BITS>>,
    /// `LR2_DATA` to `LR2_PROBE`, or `LR2_RNR`
    pub event_kind: Signal<In, Bits<4>>,
    /// PSN of the packet; of a probe, `ePSN_s`
    pub event_psn: Signal<In, Bits<24>>,
    /// PSNs that a packet consumes, 1 at least
    pub event_span: Signal<In, Bits<24>>,
    /// it asks for an acknowledgement, or is the last of its message
    pub event_asks: Signal<In, Bit>,
    /// message sequence number of an acknowledgement or NACK
    pub event_msn: Signal<In, Bits<24>>,
    /// credits of an acknowledgement
    pub event_credits: Signal<In, Bits<5>>,
    /// a flow is to let something go
    pub release_valid: Signal<In, Bit>,
    /// it will
    pub release_ready: Signal<Out, Bit>,
    /// number of the flow
    pub release_flow: Signal<In, Bits<FLOW_BITS>>,
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
    /// which
    pub open_psn: Signal<In, Bits<24>>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// the registers
    pub settings: DepotConfig,
    /// places of one flow at most; 0: all
    pub quota: Signal<In, Bits<16>>,
    /// `renack_max`: Depot-NACKs of one look, at most; 1 at least
    pub walk_most: Signal<In, Bits<8>>,

    /// a step is done: all of the following
    pub done: Signal<Out, Bit>,
    /// the flow
    pub done_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// the kind of the event
    pub done_kind: Signal<Out, Bits<4>>,
    /// when it came
    pub done_tick: Signal<Out, Bits<32>>,
    /// PSN of the event
    pub done_psn: Signal<Out, Bits<24>>,
    /// what follows
    pub orders: DepotOrdersWriter,
    /// first PSN that is not acknowledged
    pub una: Signal<Out, Bits<24>>,
    /// `ePSN`
    pub expected: Signal<Out, Bits<24>>,
    /// `ePSN_D`
    pub border: Signal<Out, Bits<24>>,
    /// MSN of the last acknowledgement
    pub msn: Signal<Out, Bits<24>>,
    /// credits of it
    pub credits: Signal<Out, Bits<5>>,
    /// the flow has something to let go
    pub works: Signal<Out, Bit>,
    /// what is let go is a copy, else a packet that was held
    pub gone_copy: Signal<Out, Bit>,
    /// where it lies, until something else is held or copied
    pub gone_place: Signal<Out, Bits<DEPOT_PLACE_BITS>>,

    /// the oldest packet that is to be held has its place
    pub held: Signal<Out, Bit>,
    /// which
    pub held_at: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// the oldest packet that is to be copied has its place
    pub kept: Signal<Out, Bit>,
    /// which
    pub kept_at: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// it has none
    pub uncopied: Signal<Out, Bit>,

    /// a Depot-NACK of a walk
    pub nack_valid: Signal<Out, Bit>,
    /// it is taken
    pub nack_ready: Signal<In, Bit>,
    /// its flow
    pub nack_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// its PSN
    pub nack_psn: Signal<Out, Bits<24>>,
    /// its MSN
    pub nack_msn: Signal<Out, Bits<24>>,
    /// first PSN of its gap
    pub nack_start: Signal<Out, Bits<24>>,
    /// length of it
    pub nack_length: Signal<Out, Bits<24>>,
    /// `ePSN_D`
    pub nack_border: Signal<Out, Bits<24>>,

    states: ClearedRam<DEPOT_FLOW_BITS, FLOW_BITS, 0>,
    word: DepotWord,
    step: DepotStep,
    pools: DepotPools,
    tickets: DepotTickets,

    // Events under way: the first three wait for the pools' answers, the last one's step is done.
    valid: [State<Bit>; 7],
    flow: [Reg<Bits<FLOW_BITS>>; 7],
    kind: [Reg<Bits<4>>; 7],
    ticket: [Reg<Bits<TICKET_BITS>>; 7],
    ticks: [Reg<Bits<32>>; 7],
    psn: [Reg<Bits<24>>; 7],
    span: [Reg<Bits<24>>; 7],
    request: [Reg<Bit>; 7],
    asks: [Reg<Bit>; 7],
    msns: [Reg<Bits<24>>; 3],
    credit: [Reg<Bits<5>>; 3],
    aware: [Reg<Bit>; 4],

    look: State<DepotLook>,
    look_visits: Reg<Bit>,
    look_flow: Reg<Bits<FLOW_BITS>>,
    look_ticket: Reg<Bits<TICKET_BITS>>,
    look_psn: Reg<Bits<24>>,
    look_copy: Reg<Bit>,
    look_place: Reg<Bits<DEPOT_PLACE_BITS>>,
    look_span: Reg<Bits<24>>,
    look_request: Reg<Bit>,
    look_asks: Reg<Bit>,

    opening: State<Bit>,
    opened_flow: Reg<Bits<FLOW_BITS>>,
    opened_ticket: Reg<Bits<TICKET_BITS>>,
    solo: State<Bit>,
    turn: State<Bit>,
    pause: State<Bits<6>>,
    visited: State<Bits<FLOW_BITS>>,
    clear: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    alone: Signal<Local, Bit>,
    lone: Signal<Local, Bit>,
    visits_next: Signal<Local, Bit>,
    may_take: Signal<Local, Bit>,
    may_look: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    looks: Signal<Local, Bit>,
    resumes: Signal<Local, Bit>,
    behind: Signal<Local, Bits<24>>,
    works_now: Signal<Local, Bit>,
    stored: Signal<Local, Bits<DEPOT_FLOW_BITS>>,
}

impl Logic for DepotFlows {
    #[kernel]
    fn update(&mut self) {
        // Who may come. A flow that is looked at has its turn first, an event and a look in turn.
        self.clear.next = self.states.ready.val() && self.pools.ready.val();
        self.ready.next = self.states.ready.val();
        self.due.next = self.pause.q.val().all();
        self.visits_next.next = self.due.val() || !self.release_valid.val();
        self.tickets.first_flow.next = self.event_flow.val();
        self.tickets.second_flow.next = self.release_flow.val();
        if self.visits_next.val() {
            self.tickets.second_flow.next = self.visited.q.val();
        }
        self.alone.next = self.event_span.val() != bits::<24>(1) || self.pools.tight.val();
        // One that goes alone would wait for ever, if flows were looked at meanwhile.
        self.lone.next = self.event_valid.val() && self.alone.val();
        self.resumes.next = self.look.q.val() == DepotLook::Known || self.look.q.val() == DepotLook::Due;
        self.opens.next = self.open_valid.val() && self.clear.val() && !self.tickets.busy.val() && !self.opening.q.val();
        self.open_ready.next = self.opens.val();
        self.may_take.next = self.event_valid.val()
            && self.states.ready.val()
            && !self.open_valid.val()
            && self.tickets.free.val()
            && !self.tickets.first_waits.val()
            && !self.solo.q.val()
            && !(self.alone.val() && self.tickets.busy.val());
        self.may_look.next = self.states.ready.val()
            && !self.open_valid.val()
            && self.tickets.free.val()
            && !self.tickets.second_waits.val()
            && !self.solo.q.val()
            && self.look.q.val() == DepotLook::Idle;
        self.looks.next = self.may_look.val()
            && !self.resumes.val()
            && (!(self.may_take.val() || self.lone.val()) || self.turn.q.val() && (self.due.val() || self.release_valid.val()));
        self.takes.next = self.may_take.val() && !self.resumes.val() && !self.looks.val();
        self.event_ready.next = self.takes.val();
        self.release_ready.next = self.looks.val() && !self.visits_next.val();
        if !self.due.val() {
            self.pause.d.next = self.pause.q.val() + 1;
        }
        if self.takes.val() {
            self.turn.d.next = true;
            self.solo.d.next = self.alone.val();
        } else if !self.tickets.busy.val() {
            self.solo.d.next = false;
        }
        if self.looks.val() {
            self.turn.d.next = false;
            self.look.d.next = DepotLook::State;
            self.look_visits.d.next = self.visits_next.val();
            self.look_flow.d.next = self.release_flow.val();
            self.look_ticket.d.next = self.tickets.number.val();
            if self.visits_next.val() {
                self.look_flow.d.next = self.visited.q.val();
                self.pause.d.next = bits::<6>(0);
                self.visited.d.next = self.visited.q.val() + 1;
            }
        }
        if self.resumes.val() {
            self.look.d.next = DepotLook::Place;
            if self.look.q.val() == DepotLook::Due {
                self.look.d.next = DepotLook::Step;
            }
        }
        self.tickets.take.next = self.takes.val() || self.looks.val() || self.opens.val();
        self.tickets.take_flow.next = self.event_flow.val();
        if self.looks.val() {
            self.tickets.take_flow.next = self.release_flow.val();
            if self.visits_next.val() {
                self.tickets.take_flow.next = self.visited.q.val();
            }
        }
        if self.opens.val() {
            self.tickets.take_flow.next = self.open_flow.val();
        }

        // The pools are asked; the flow's word is read so that it comes with the answers.
        self.valid[0].d.next = self.takes.val() || self.looks.val() || self.resumes.val();
        self.flow[0].d.next = self.event_flow.val();
        self.kind[0].d.next = self.event_kind.val();
        self.ticket[0].d.next = self.tickets.number.val();
        self.ticks[0].d.next = self.tick.val();
        self.psn[0].d.next = self.event_psn.val();
        self.span[0].d.next = self.event_span.val();
        self.request[0].d.next = self.event_kind.val() == LR2_REQUEST.to_bits::<4>();
        self.asks[0].d.next = self.event_asks.val();
        self.msns[0].d.next = self.event_msn.val();
        self.credit[0].d.next = self.event_credits.val();
        self.pools.ask_flow.next = self.event_flow.val();
        self.pools.ask_psn.next = self.event_psn.val();
        self.pools.ask_span.next = self.event_span.val();
        self.pools.ask_copy.next = self.event_psn.val();
        self.behind.next = self.event_psn.val();
        if self.event_kind.val() == LR2_DATA.to_bits::<4>() || self.event_kind.val() == LR2_REQUEST.to_bits::<4>() {
            self.behind.next = self.event_psn.val() + self.event_span.val();
        }
        if self.event_kind.val() == LR2_ACK.to_bits::<4>() || self.event_kind.val() == LR2_RESPONSE.to_bits::<4>() {
            self.behind.next = self.event_psn.val() + 1;
            self.pools.ask_copy.next = self.event_psn.val() + 1;
        }
        if self.resumes.val() {
            self.flow[0].d.next = self.look_flow.q.val();
            self.ticket[0].d.next = self.look_ticket.q.val();
            self.psn[0].d.next = self.look_psn.q.val();
            self.span[0].d.next = self.look_span.q.val();
            self.request[0].d.next = self.look_request.q.val();
            self.asks[0].d.next = self.look_asks.q.val();
            self.kind[0].d.next = LR2_RELEASE.to_bits::<4>();
            self.pools.ask_flow.next = self.look_flow.q.val();
            self.pools.ask_psn.next = self.look_psn.q.val();
            self.pools.ask_copy.next = self.look_psn.q.val();
            self.pools.ask_span.next = bits::<24>(1);
            self.behind.next = self.look_psn.q.val() + self.look_span.q.val();
            if self.look_visits.q.val() {
                self.kind[0].d.next = LR2_VISIT.to_bits::<4>();
            }
            if self.look.q.val() == DepotLook::Known {
                self.kind[0].d.next = LR2_PEEK.to_bits::<4>();
                self.behind.next = self.look_psn.q.val();
            }
        } else if self.looks.val() {
            self.kind[0].d.next = LR2_PEEK.to_bits::<4>();
            self.flow[0].d.next = self.release_flow.val();
            if self.visits_next.val() {
                self.flow[0].d.next = self.visited.q.val();
            }
        }
        self.pools.ask_behind.next = self.behind.val();
        for i in 1..7 {
            self.valid[i].d.next = self.valid[i - 1].q.val();
            self.flow[i].d.next = self.flow[i - 1].q.val();
            self.kind[i].d.next = self.kind[i - 1].q.val();
            self.ticket[i].d.next = self.ticket[i - 1].q.val();
            self.ticks[i].d.next = self.ticks[i - 1].q.val();
            self.psn[i].d.next = self.psn[i - 1].q.val();
            self.span[i].d.next = self.span[i - 1].q.val();
            self.request[i].d.next = self.request[i - 1].q.val();
            self.asks[i].d.next = self.asks[i - 1].q.val();
        }
        for i in 1..3 {
            self.msns[i].d.next = self.msns[i - 1].q.val();
            self.credit[i].d.next = self.credit[i - 1].q.val();
        }
        self.states.read_address.next = self.flow[1].q.val();
        self.stored.next = self.states.read_data.val();
        self.word.stored.next = self.stored.val().get_bits::<DEPOT_STATE_BITS>(0);
        self.aware[0].d.next = self.stored.val().get_bit(DEPOT_STATE_BITS);
        for i in 1..4 {
            self.aware[i].d.next = self.aware[i - 1].q.val();
        }

        // A look: what the flow would let go, or what its visit is about.
        self.works_now.next = self.word.kept.replaying.val() || self.word.kept.drains.val();
        self.pools.record_place.next = self.pools.held_place.val();
        if self.valid[2].q.val() && self.kind[2].q.val() == LR2_PEEK.to_bits::<4>() {
            if self.look.q.val() == DepotLook::State {
                self.look_copy.d.next = self.word.kept.replaying.val();
                self.look_span.d.next = bits::<24>(1);
                self.look_request.d.next = false;
                self.look_asks.d.next = false;
                self.look_psn.d.next = self.word.kept.expected.val();
                self.look.d.next = DepotLook::Known;
                if self.word.kept.replaying.val() {
                    self.look_psn.d.next = self.word.kept.replay_next.val();
                }
                if self.look_visits.q.val() || !self.works_now.val() {
                    self.look_visits.d.next = true;
                    self.look_psn.d.next = self.word.kept.una.val();
                    self.look.d.next = DepotLook::Due;
                }
            } else {
                self.look_place.d.next = self.pools.held_place.val();
                if self.look_copy.q.val() {
                    self.look_place.d.next = self.pools.copy_place.val();
                }
                self.look.d.next = DepotLook::Packet;
            }
        }
        if self.look.q.val() == DepotLook::Packet {
            self.look.d.next = DepotLook::Due;
            if !self.look_copy.q.val() {
                self.look_span.d.next = self.pools.record.val().get_bits::<24>(0);
                self.look_request.d.next = self.pools.record.val().get_bit(24);
                self.look_asks.d.next = self.pools.record.val().get_bit(25);
            }
        }
        if self.look.q.val() == DepotLook::Step
            && self.valid[6].q.val()
            && (self.kind[6].q.val() == LR2_VISIT.to_bits::<4>() || self.kind[6].q.val() == LR2_RELEASE.to_bits::<4>())
        {
            self.look.d.next = DepotLook::Idle;
        }

        // The step.
        DepotConfig::link(&mut self.settings, &mut self.step.settings);
        self.step.valid.next = self.valid[2].q.val() && !(self.kind[2].q.val() == LR2_PEEK.to_bits::<4>());
        self.step.kind.next = self.kind[2].q.val();
        self.step.aware.next = self.stored.val().get_bit(DEPOT_STATE_BITS);
        self.step.psn.next = self.psn[2].q.val();
        self.step.span.next = self.span[2].q.val();
        self.step.request.next = self.request[2].q.val();
        self.step.asks.next = self.asks[2].q.val();
        self.step.packet_msn.next = self.msns[2].q.val();
        self.step.packet_credits.next = self.credit[2].q.val();
        self.step.there.next = self.pools.there.val();
        self.step.copied.next = self.pools.copied.val();
        self.step.leads.next = self.pools.leads.val();
        self.step.room.next = self.pools.room.val();
        self.step.scarce.next = self.pools.scarce.val();
        self.step.spare.next = !self.quota.val().any()
            || bit_cast::<24, DEPOT_PLACE_COUNT_BITS>(self.pools.flow_used.val()) < bit_cast::<24, 16>(self.quota.val());
        self.step.tick.next = self.ticks[2].q.val();
        self.step.before.begun.next = self.word.kept.begun.val();
        self.step.before.sure.next = self.word.kept.sure.val();
        self.step.before.bypass.next = self.word.kept.bypass.val();
        self.step.before.strange.next = self.word.kept.strange.val();
        self.step.before.drains.next = self.word.kept.drains.val();
        self.step.before.replaying.next = self.word.kept.replaying.val();
        self.step.before.retry.next = self.word.kept.retry.val();
        self.step.before.renack.next = self.word.kept.renack.val();
        self.step.before.reacked.next = self.word.kept.reacked.val();
        self.step.before.credits.next = self.word.kept.credits.val();
        self.step.before.retries.next = self.word.kept.retries.val();
        self.step.before.una.next = self.word.kept.una.val();
        self.step.before.expected.next = self.word.kept.expected.val();
        self.step.before.border.next = self.word.kept.border.val();
        self.step.before.top.next = self.word.kept.top.val();
        self.step.before.msn.next = self.word.kept.msn.val();
        self.step.before.replay_next.next = self.word.kept.replay_next.val();
        self.step.before.replay_end.next = self.word.kept.replay_end.val();
        self.step.before.replay_from.next = self.word.kept.replay_from.val();
        self.step.before.retry_end.next = self.word.kept.retry_end.val();
        self.step.before.retry_since.next = self.word.kept.retry_since.val();
        self.step.before.renack_since.next = self.word.kept.renack_since.val();
        self.step.before.reacked_since.next = self.word.kept.reacked_since.val();
        self.step.before.seen.next = self.word.kept.seen.val();

        // The word goes back; an entry that is opened has one of its own.
        self.word.state.begun.next = self.step.after.begun.val();
        self.word.state.sure.next = self.step.after.sure.val();
        self.word.state.bypass.next = self.step.after.bypass.val();
        self.word.state.strange.next = self.step.after.strange.val();
        self.word.state.drains.next = self.step.after.drains.val();
        self.word.state.replaying.next = self.step.after.replaying.val();
        self.word.state.retry.next = self.step.after.retry.val();
        self.word.state.renack.next = self.step.after.renack.val();
        self.word.state.reacked.next = self.step.after.reacked.val();
        self.word.state.credits.next = self.step.after.credits.val();
        self.word.state.retries.next = self.step.after.retries.val();
        self.word.state.una.next = self.step.after.una.val();
        self.word.state.expected.next = self.step.after.expected.val();
        self.word.state.border.next = self.step.after.border.val();
        self.word.state.top.next = self.step.after.top.val();
        self.word.state.msn.next = self.step.after.msn.val();
        self.word.state.replay_next.next = self.step.after.replay_next.val();
        self.word.state.replay_end.next = self.step.after.replay_end.val();
        self.word.state.replay_from.next = self.step.after.replay_from.val();
        self.word.state.retry_end.next = self.step.after.retry_end.val();
        self.word.state.retry_since.next = self.step.after.retry_since.val();
        self.word.state.renack_since.next = self.step.after.renack_since.val();
        self.word.state.reacked_since.next = self.step.after.reacked_since.val();
        self.word.state.seen.next = self.step.after.seen.val();
        self.states.write_enable.next = self.step.done.val() || self.opens.val();
        self.states.write_address.next = self.flow[6].q.val();
        self.states.write_data.next = bit_cast::<DEPOT_FLOW_BITS, DEPOT_STATE_BITS>(self.word.word.val())
            | (bit_cast::<DEPOT_FLOW_BITS, 1>(self.aware[3].q.val().into()) << DEPOT_STATE_BITS.to_bits::<9>());
        if self.opens.val() {
            self.states.write_address.next = self.open_flow.val();
            self.states.write_data.next = bit_cast::<DEPOT_FLOW_BITS, DEPOT_STATE_BITS>(self.word.word.val())
                | (bit_cast::<DEPOT_FLOW_BITS, 1>(self.open_aware.val().into()) << DEPOT_STATE_BITS.to_bits::<9>());
            self.word.state.begun.next = self.open_set.val();
            self.word.state.sure.next = self.open_set.val();
            self.word.state.bypass.next = false;
            self.word.state.strange.next = false;
            self.word.state.drains.next = false;
            self.word.state.replaying.next = false;
            self.word.state.retry.next = false;
            self.word.state.renack.next = false;
            self.word.state.reacked.next = false;
            self.word.state.credits.next = bits::<5>(31);
            self.word.state.retries.next = bits::<8>(0);
            self.word.state.una.next = self.open_psn.val();
            self.word.state.expected.next = self.open_psn.val();
            self.word.state.border.next = self.open_psn.val();
            self.word.state.top.next = self.open_psn.val();
            self.word.state.msn.next = bits::<24>(0);
            self.word.state.replay_next.next = self.open_psn.val();
            self.word.state.replay_end.next = self.open_psn.val();
            self.word.state.replay_from.next = self.open_psn.val();
            self.word.state.retry_end.next = self.open_psn.val();
            self.word.state.retry_since.next = self.tick.val();
            self.word.state.renack_since.next = self.tick.val();
            self.word.state.reacked_since.next = self.tick.val();
            self.word.state.seen.next = self.tick.val();
        }

        // What the pools change, in the order of the steps. Whatever an entry that is opened had there is free.
        self.opening.d.next = self.opens.val();
        self.opened_flow.d.next = self.open_flow.val();
        self.opened_ticket.d.next = self.tickets.number.val();
        self.pools.step.next = self.step.done.val() || self.opening.q.val();
        self.pools.orders.verdict.next = self.step.orders.verdict.val();
        self.pools.orders.forward.next = self.step.orders.forward.val();
        self.pools.orders.intercepted.next = self.step.orders.intercepted.val();
        self.pools.orders.free.next = self.step.orders.free.val();
        self.pools.orders.free_start.next = self.step.orders.free_start.val();
        self.pools.orders.free_length.next = self.step.orders.free_length.val();
        self.pools.orders.drop.next = self.step.orders.drop.val();
        self.pools.orders.drop_start.next = self.step.orders.drop_start.val();
        self.pools.orders.drop_length.next = self.step.orders.drop_length.val();
        self.pools.orders.hold.next = self.step.orders.hold.val();
        self.pools.orders.hold_clears.next = self.step.orders.hold_clears.val();
        self.pools.orders.copy.next = self.step.orders.copy.val();
        self.pools.orders.walk.next = self.step.orders.walk.val();
        self.pools.orders.walk_start.next = self.step.orders.walk_start.val();
        self.pools.orders.walk_end.next = self.step.orders.walk_end.val();
        self.pools.orders.walk_msn.next = self.step.orders.walk_msn.val();
        self.pools.orders.reack.next = self.step.orders.reack.val();
        self.pools.orders.nack.next = self.step.orders.nack.val();
        self.pools.orders.nack_psn.next = self.step.orders.nack_psn.val();
        self.pools.orders.gap_start.next = self.step.orders.gap_start.val();
        self.pools.orders.gap_length.next = self.step.orders.gap_length.val();
        self.pools.orders.evt_life.next = self.step.orders.evt_life.val();
        self.pools.orders.evt_flushed.next = self.step.orders.evt_flushed.val();
        self.pools.orders.evt_timeout.next = self.step.orders.evt_timeout.val();
        self.pools.orders.evt_reopened.next = self.step.orders.evt_reopened.val();
        self.pools.orders.evt_again.next = self.step.orders.evt_again.val();
        self.pools.ticket.next = self.ticket[6].q.val();
        self.pools.flow.next = self.flow[6].q.val();
        if self.opening.q.val() {
            self.pools.orders.free.next = true;
            self.pools.orders.free_length.next = REACH.to_bits::<REACH_COUNT_BITS>();
            self.pools.orders.drop.next = true;
            self.pools.orders.drop_length.next = REACH.to_bits::<REACH_COUNT_BITS>();
            self.pools.orders.hold.next = false;
            self.pools.orders.copy.next = false;
            self.pools.orders.walk.next = false;
            self.pools.ticket.next = self.opened_ticket.q.val();
            self.pools.flow.next = self.opened_flow.q.val();
        }
        self.pools.aware.next = self.aware[3].q.val();
        self.pools.una.next = self.step.after.una.val();
        self.pools.psn.next = self.psn[6].q.val();
        self.pools.span.next = self.span[6].q.val();
        self.pools.request.next = self.request[6].q.val();
        self.pools.asks.next = self.asks[6].q.val();
        self.pools.walk_most.next = self.walk_most.val();
        self.tickets.step_done.next = self.step.done.val() || self.opening.q.val();
        self.tickets.step_ticket.next = self.ticket[6].q.val();
        if self.opening.q.val() {
            self.tickets.step_ticket.next = self.opened_ticket.q.val();
        }
        self.tickets.step_held.next = self.pools.step_held.val();
        self.tickets.step_copies.next = self.pools.step_copies.val();
        self.tickets.held_done.next = self.pools.held_done.val();
        self.tickets.held_ticket.next = self.pools.held_ticket.val();
        self.tickets.copies_done.next = self.pools.copies_done.val();
        self.tickets.copies_ticket.next = self.pools.copies_ticket.val();

        self.done.next = self.step.done.val();
        self.done_flow.next = self.flow[6].q.val();
        self.done_kind.next = self.kind[6].q.val();
        self.done_tick.next = self.ticks[6].q.val();
        self.done_psn.next = self.psn[6].q.val();
        DepotOrdersWriter::link(&mut self.orders, &mut self.step.orders);
        self.una.next = self.step.after.una.val();
        self.expected.next = self.step.after.expected.val();
        self.border.next = self.step.after.border.val();
        self.msn.next = self.step.after.msn.val();
        self.credits.next = self.step.after.credits.val();
        self.works.next = self.step.after.replaying.val() || self.step.after.drains.val();
        self.gone_copy.next = self.look_copy.q.val();
        self.gone_place.next = self.look_place.q.val();
        self.held.next = self.pools.held.val();
        self.held_at.next = self.pools.held_at.val();
        self.kept.next = self.pools.kept.val();
        self.kept_at.next = self.pools.kept_at.val();
        self.uncopied.next = self.pools.uncopied.val();
        self.nack_valid.next = self.pools.nack_valid.val();
        self.pools.nack_ready.next = self.nack_ready.val();
        self.nack_flow.next = self.pools.nack_flow.val();
        self.nack_psn.next = self.pools.nack_psn.val();
        self.nack_msn.next = self.pools.nack_msn.val();
        self.nack_start.next = self.pools.nack_start.val();
        self.nack_length.next = self.pools.nack_length.val();
        self.nack_border.next = self.pools.nack_border.val();
    }
}
