use super::{DepotConfig, DepotFlows, DepotFrames, DepotOrdersWriter, DepotPace};
use crate::bus::{Frames, FramesSink};
use crate::primitives::{FifoLut, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A Depot between whoever reads its frames and whoever makes its answers: decisions, pools, the frames themselves and the pace of the
/// drain.
///
/// ```text
///  in ─▶ frames ──────────────── slots ─────────────▶ out
///  head ─▶ onward events ─┐                      ▲
///  back ─▶ back events ───┴─▶ flows ─▶ steps ────┴──▶ answer, reply
///                              ▲  │
///                              └─ pace
/// ```
///
/// `head` says of each frame of `in`, in their order, what it is; a frame whose head is not `head_known` goes on untouched, one that was
/// bad is gone, and its head with it. A packet of verdict `DEPOT_WAITS` keeps its slot, and comes again before any other frame of `in`.
/// `back` says of a packet of the other direction what it is; `answer` says what becomes of each, in their order: it goes on, or,
/// `answer_ack`, a NAK becomes an acknowledgement of what is before its PSN. `reply` is what the Depot itself sends to the source:
/// Depot-NACKs, and acknowledgements of everything before `una`.
/// Latency: 6 clocks from a step to the first beat; a step is 9 clocks behind its head at least. Throughput: one beat per clock in and out,
/// events as `DepotFlows` has them. Reset: every entry is cleared, nothing is held, `ready` comes then.
/// Spec: LR2, "Flows", "Depot".
#[derive(Default, Described, LogicBlock)]
pub struct DepotPath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries may be opened
    pub ready: Signal<Out, Bit>,
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    /// with the last beat: the frame is bad
    pub in_bad: Signal<In, Bit>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// what the next frame is
    pub head_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `head_valid` is high too
    pub head_ready: Signal<Out, Bit>,
    /// it is of a flow, and of one of the following kinds
    pub head_known: Signal<In, Bit>,
    /// number of the flow
    pub head_flow: Signal<In, Bits<FLOW_BITS>>,
    /// `LR2_DATA`, `LR2_REQUEST` or `LR2_PROBE`
    pub head_kind: Signal<In, Bits<4>>,
    /// PSN; of a probe, `ePSN_s`
    pub head_psn: Signal<In, Bits<24>>,
    /// PSNs that it consumes, 1 at least
    pub head_span: Signal<In, Bits<24>>,
    /// it asks for an acknowledgement, or is the last of its message
    pub head_asks: Signal<In, Bit>,
    /// a packet of the other direction
    pub back_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `back_valid` is high too
    pub back_ready: Signal<Out, Bit>,
    /// number of the flow
    pub back_flow: Signal<In, Bits<FLOW_BITS>>,
    /// `LR2_ACK`, `LR2_RESPONSE`, `LR2_NAK`, `LR2_REFUSAL` or `LR2_RNR`
    pub back_kind: Signal<In, Bits<4>>,
    /// PSN
    pub back_psn: Signal<In, Bits<24>>,
    /// message sequence number
    pub back_msn: Signal<In, Bits<24>>,
    /// credits
    pub back_credits: Signal<In, Bits<5>>,
    /// what becomes of it
    pub answer_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `answer_valid` is high too
    pub answer_ready: Signal<In, Bit>,
    /// it is a NAK, and goes on as an acknowledgement
    pub answer_ack: Signal<Out, Bit>,
    /// of this PSN
    pub answer_psn: Signal<Out, Bits<24>>,
    /// with this MSN
    pub answer_msn: Signal<Out, Bits<24>>,
    /// and these credits
    pub answer_credits: Signal<Out, Bits<5>>,
    /// something goes to the source
    pub reply_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `reply_valid` is high too
    pub reply_ready: Signal<In, Bit>,
    /// a Depot-NACK, else an acknowledgement
    pub reply_nack: Signal<Out, Bit>,
    /// number of the flow
    pub reply_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// PSN
    pub reply_psn: Signal<Out, Bits<24>>,
    /// MSN
    pub reply_msn: Signal<Out, Bits<24>>,
    /// credits of an acknowledgement
    pub reply_credits: Signal<Out, Bits<5>>,
    /// Depot-NACK: first PSN of its gap
    pub reply_start: Signal<Out, Bits<24>>,
    /// length of the gap
    pub reply_length: Signal<Out, Bits<24>>,
    /// `ePSN_D`
    pub reply_border: Signal<Out, Bits<24>>,

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
    /// `renack_max`, 1 at least
    pub walk_most: Signal<In, Bits<8>>,
    /// ticks per byte of all that leaves the pools, 16 bits of it a fraction; 0: as fast as it goes
    pub pace: Signal<In, Bits<24>>,
    /// the same of one flow
    pub flow_pace: Signal<In, Bits<24>>,

    /// a step is done: what was decided, and the flow's registers
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
    /// a copy found no place
    pub evt_uncopied: Signal<Out, Bit>,
    /// counts frames that were longer than a slot
    pub evt_long: Signal<Out, Bit>,
    /// counts frames that went on untouched
    pub evt_untouched: Signal<Out, Bit>,

    flows: DepotFlows,
    store: DepotFrames,
    drain: DepotPace,
    // Frames that wait until their flow has let something go.
    again: FifoLut<WAITING_HEAD_BITS, 4, 5>,
    // What is under way: of frames their slot and what is needed to ask again.
    under_way: FifoLut<WAITING_HEAD_BITS, 4, 5>,
    answers: FifoLut<54, 5, 6>,
    replies: FifoLut<DEPOT_REPLY_BITS, 5, 6>,

    head: Signal<Local, Bits<WAITING_HEAD_BITS>>,
    joined: Signal<Local, Bit>,
    retries: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    offered: Signal<Local, Bits<WAITING_HEAD_BITS>>,
    bads: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    may: Signal<Local, Bit>,
    turn: State<Bit>,
    picks_back: Signal<Local, Bit>,
    onward_taken: Signal<Local, Bit>,
    gone: Signal<Local, Bits<WAITING_HEAD_BITS>>,
    is_onward: Signal<Local, Bit>,
    is_back: Signal<Local, Bit>,
    is_release: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    owed: State<Bit>,
    owes1: State<Bit>,
    owes2: State<Bit>,
    q_room: State<Bit>,
    reply: Signal<Local, Bits<DEPOT_REPLY_BITS>>,
    reply_front: Signal<Local, Bits<DEPOT_REPLY_BITS>>,
    nack_done: State<Bit>,
    both: Signal<Local, Bit>,
    before: Signal<Local, Bits<24>>,
    acked: Signal<Local, Bits<24>>,
    untouched: State<Bit>,
}

impl DepotPath {
    /// A new one.
    pub fn new() -> Self {
        Self { store: DepotFrames::new(), ..Self::default() }
    }
}

impl Logic for DepotPath {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.flows.ready.val() && self.store.ready.val() && self.drain.ready.val();
        FramesSink::link(&mut self.frames, &mut self.store.frames);
        self.store.in_bad.next = self.in_bad.val();
        Frames::link(&mut self.out, &mut self.store.out);
        DepotConfig::link(&mut self.settings, &mut self.flows.settings);
        self.flows.quota.next = self.quota.val();
        self.flows.walk_most.next = self.walk_most.val();
        self.flows.tick.next = self.tick.val();
        self.flows.open_valid.next = self.open_valid.val();
        self.open_ready.next = self.flows.open_ready.val();
        self.flows.open_flow.next = self.open_flow.val();
        self.flows.open_aware.next = self.open_aware.val();
        self.flows.open_set.next = self.open_set.val();
        self.flows.open_psn.next = self.open_psn.val();

        // A frame and its head. What waits goes before it.
        self.q_room.d.next = !self.answers.count.val().get_bits::<2>(4).any() && !self.replies.count.val().get_bits::<2>(4).any();
        self.may.next = self.store.room.val() && self.q_room.q.val() && self.store.ready.val() && self.drain.ready.val();
        self.joined.next = self.head_valid.val() && self.store.stored_valid.val();
        self.head.next = bit_cast::<WAITING_HEAD_BITS, FRAME_SLOT_BITS>(self.store.stored_slot.val())
            | (bit_cast::<WAITING_HEAD_BITS, FLOW_BITS>(self.head_flow.val()) << FRAME_SLOT_BITS.to_bits::<7>())
            | (bit_cast::<WAITING_HEAD_BITS, 4>(self.head_kind.val()) << (FRAME_SLOT_BITS + FLOW_BITS).to_bits::<7>())
            | (bit_cast::<WAITING_HEAD_BITS, 24>(self.head_psn.val()) << (FRAME_SLOT_BITS + FLOW_BITS + 4).to_bits::<7>())
            | (bit_cast::<WAITING_HEAD_BITS, 24>(self.head_span.val()) << (FRAME_SLOT_BITS + FLOW_BITS + 28).to_bits::<7>())
            | (bit_cast::<WAITING_HEAD_BITS, 1>(self.head_asks.val().into()) << (FRAME_SLOT_BITS + FLOW_BITS + 52).to_bits::<7>());
        self.retries.next = self.again.out_valid.val();
        self.bads.next = self.joined.val() && !self.retries.val() && self.store.stored_bad.val();
        self.passes.next = self.joined.val()
            && !self.retries.val()
            && !self.store.stored_bad.val()
            && !self.head_known.val()
            && self.may.val()
            && !self.flows.done.val();
        self.offers.next =
            self.may.val() && (self.retries.val() || (self.joined.val() && !self.store.stored_bad.val() && self.head_known.val()));
        self.offered.next = self.head.val();
        if self.retries.val() {
            self.offered.next = self.again.out_data.val();
        }

        // Events of both directions, in turn.
        self.picks_back.next = self.back_valid.val() && self.may.val() && (!self.offers.val() || self.turn.q.val());
        self.flows.event_valid.next = self.offers.val() || self.picks_back.val();
        self.flows.event_flow.next = self.offered.val().get_bits::<FLOW_BITS>(FRAME_SLOT_BITS);
        self.flows.event_kind.next = self.offered.val().get_bits::<4>(FRAME_SLOT_BITS + FLOW_BITS);
        self.flows.event_psn.next = self.offered.val().get_bits::<24>(FRAME_SLOT_BITS + FLOW_BITS + 4);
        self.flows.event_span.next = self.offered.val().get_bits::<24>(FRAME_SLOT_BITS + FLOW_BITS + 28);
        self.flows.event_asks.next = self.offered.val().get_bit(FRAME_SLOT_BITS + FLOW_BITS + 52);
        self.flows.event_msn.next = self.back_msn.val();
        self.flows.event_credits.next = self.back_credits.val();
        if self.picks_back.val() {
            self.flows.event_flow.next = self.back_flow.val();
            self.flows.event_kind.next = self.back_kind.val();
            self.flows.event_psn.next = self.back_psn.val();
            self.flows.event_span.next = bits::<24>(1);
            self.flows.event_asks.next = false;
        }
        // Who is offered stays so: one that goes alone would not be waited for otherwise.
        if self.flows.event_valid.val() && self.flows.event_ready.val() {
            self.turn.d.next = !self.picks_back.val();
        }
        self.back_ready.next = self.picks_back.val() && self.flows.event_ready.val();
        self.onward_taken.next = self.offers.val() && !self.picks_back.val() && self.flows.event_ready.val();
        self.again.out_ready.next = self.onward_taken.val();
        self.head_ready.next =
            self.joined.val() && (self.bads.val() || self.passes.val() || (self.onward_taken.val() && !self.retries.val()));
        self.store.stored_ready.next =
            self.joined.val() && (self.bads.val() || self.passes.val() || (self.onward_taken.val() && !self.retries.val()));
        self.under_way.in_valid.next = self.onward_taken.val();
        self.under_way.in_data.next = self.offered.val();

        // A step, and the frame that it is about.
        self.is_onward.next = self.flows.done.val()
            && (self.flows.done_kind.val() == LR2_DATA.to_bits::<4>()
                || self.flows.done_kind.val() == LR2_REQUEST.to_bits::<4>()
                || self.flows.done_kind.val() == LR2_PROBE.to_bits::<4>());
        self.is_release.next = self.flows.done.val()
            && (self.flows.done_kind.val() == LR2_RELEASE.to_bits::<4>() || self.flows.done_kind.val() == LR2_VISIT.to_bits::<4>());
        self.is_back.next = self.flows.done.val() && !self.is_onward.val() && !self.is_release.val();
        self.gone.next = self.under_way.out_data.val();
        self.under_way.out_ready.next = self.is_onward.val();
        self.waits.next = self.is_onward.val() && self.flows.orders.verdict.val() == DEPOT_WAITS.to_bits::<4>();
        self.again.in_valid.next = self.waits.val();
        self.again.in_data.next = self.gone.val();
        self.store.step.next = (self.is_onward.val() && !self.waits.val()) || self.is_release.val() || self.passes.val();
        self.store.step_from.next = FRAME_CAME.to_bits::<2>();
        self.store.step_slot.next = self.gone.val().get_bits::<FRAME_SLOT_BITS>(0);
        self.store.step_place.next = self.flows.gone_place.val();
        self.store.send.next = self.flows.orders.forward.val();
        self.store.hold.next = self.flows.orders.hold.val();
        self.store.copy.next = self.flows.orders.copy.val();
        if self.is_release.val() {
            self.store.step_from.next = FRAME_NONE.to_bits::<2>();
            if self.flows.orders.forward.val() {
                self.store.step_from.next = FRAME_HELD.to_bits::<2>();
                if self.flows.gone_copy.val() {
                    self.store.step_from.next = FRAME_COPY.to_bits::<2>();
                }
            }
        }
        if self.passes.val() {
            self.store.step_slot.next = self.store.stored_slot.val();
            self.store.send.next = true;
            self.store.hold.next = false;
            self.store.copy.next = false;
        }
        self.store.held.next = self.flows.held.val();
        self.store.held_at.next = self.flows.held_at.val();
        self.store.kept.next = self.flows.kept.val();
        self.store.kept_at.next = self.flows.kept_at.val();
        self.store.uncopied.next = self.flows.uncopied.val();
        self.untouched.d.next = self.passes.val();
        self.evt_untouched.next = self.untouched.q.val();
        self.evt_long.next = self.store.evt_long.val();
        self.evt_uncopied.next = self.flows.uncopied.val();

        // The drain. A flow that was to let something go has, or was visited instead.
        self.drain.tick.next = self.tick.val();
        self.drain.cfg_pace.next = self.pace.val();
        self.drain.cfg_flow_pace.next = self.flow_pace.val();
        self.drain.step.next = self.flows.done.val();
        self.drain.step_flow.next = self.flows.done_flow.val();
        self.drain.step_works.next = self.flows.works.val();
        self.drain.line_free.next = self.store.line_free.val();
        self.flows.release_valid.next = self.drain.release_valid.val() && self.may.val();
        self.flows.release_flow.next = self.drain.release_flow.val();
        self.drain.release_ready.next = self.flows.release_ready.val() && self.may.val();
        if self.is_release.val() {
            self.owed.d.next = false;
        }
        if self.flows.release_ready.val() && self.flows.release_valid.val() {
            self.owed.d.next = true;
        }
        self.owes1.d.next = self.is_release.val() && self.owed.q.val();
        self.owes2.d.next = self.owes1.q.val();
        self.drain.sent.next = self.owes2.q.val();
        self.drain.sent_bytes.next = bits::<16>(0);
        if self.store.told.val() && self.store.told_bytes.val().any() {
            self.drain.sent_bytes.next = self.store.told_bytes.val() + FRAME_OVERHEAD.to_bits::<16>();
        }

        // What becomes of packets of the other direction.
        self.before.next = self.flows.done_psn.val() - 1;
        self.answers.in_valid.next = self.is_back.val();
        self.answers.in_data.next = bit_cast::<54, 24>(self.before.val())
            | (bit_cast::<54, 24>(self.flows.msn.val()) << 24)
            | (bit_cast::<54, 5>(self.flows.credits.val()) << 48)
            | (bit_cast::<54, 1>(self.flows.orders.intercepted.val().into()) << 53);
        self.answer_valid.next = self.answers.out_valid.val();
        self.answers.out_ready.next = self.answer_ready.val();
        self.answer_psn.next = self.answers.out_data.val().get_bits::<24>(0);
        self.answer_msn.next = self.answers.out_data.val().get_bits::<24>(24);
        self.answer_credits.next = self.answers.out_data.val().get_bits::<5>(48);
        self.answer_ack.next = self.answers.out_data.val().get_bit(53);

        // What goes to the source: of a step, else of a walk.
        self.acked.next = self.flows.una.val() - 1;
        self.reply.next = bit_cast::<DEPOT_REPLY_BITS, 24>(self.flows.orders.nack_psn.val())
            | (bit_cast::<DEPOT_REPLY_BITS, 24>(self.flows.msn.val()) << 24)
            | (bit_cast::<DEPOT_REPLY_BITS, 24>(self.flows.orders.gap_start.val()) << 48)
            | (bit_cast::<DEPOT_REPLY_BITS, 24>(self.flows.orders.gap_length.val()) << 72)
            | (bit_cast::<DEPOT_REPLY_BITS, 24>(self.flows.border.val()) << 96)
            | (bit_cast::<DEPOT_REPLY_BITS, 24>(self.acked.val()) << 120)
            | (bit_cast::<DEPOT_REPLY_BITS, 5>(self.flows.credits.val()) << 144)
            | (bit_cast::<DEPOT_REPLY_BITS, 1>(self.flows.orders.nack.val().into()) << 149)
            | (bit_cast::<DEPOT_REPLY_BITS, 1>(self.flows.orders.reack.val().into()) << 150)
            | (bit_cast::<DEPOT_REPLY_BITS, FLOW_BITS>(self.flows.done_flow.val()) << 151);
        self.replies.in_valid.next = self.flows.done.val() && (self.flows.orders.nack.val() || self.flows.orders.reack.val());
        self.replies.in_data.next = self.reply.val();
        self.reply_front.next = self.replies.out_data.val();
        self.both.next = self.reply_front.val().get_bit(149) && self.reply_front.val().get_bit(150) && !self.nack_done.q.val();
        self.replies.out_ready.next = self.reply_ready.val() && !self.both.val();
        if self.replies.out_valid.val() && self.reply_ready.val() {
            self.nack_done.d.next = self.both.val();
        }
        self.reply_valid.next = self.replies.out_valid.val() || self.flows.nack_valid.val();
        self.flows.nack_ready.next = self.reply_ready.val() && !self.replies.out_valid.val();
        self.reply_nack.next = self.reply_front.val().get_bit(149) && !self.nack_done.q.val();
        self.reply_flow.next = self.reply_front.val().get_bits::<FLOW_BITS>(151);
        self.reply_psn.next = self.reply_front.val().get_bits::<24>(0);
        self.reply_msn.next = self.reply_front.val().get_bits::<24>(24);
        self.reply_credits.next = self.reply_front.val().get_bits::<5>(144);
        self.reply_start.next = self.reply_front.val().get_bits::<24>(48);
        self.reply_length.next = self.reply_front.val().get_bits::<24>(72);
        self.reply_border.next = self.reply_front.val().get_bits::<24>(96);
        if !self.reply_front.val().get_bit(149) || self.nack_done.q.val() {
            self.reply_psn.next = self.reply_front.val().get_bits::<24>(120);
        }
        if !self.replies.out_valid.val() {
            self.reply_nack.next = true;
            self.reply_flow.next = self.flows.nack_flow.val();
            self.reply_psn.next = self.flows.nack_psn.val();
            self.reply_msn.next = self.flows.nack_msn.val();
            self.reply_start.next = self.flows.nack_start.val();
            self.reply_length.next = self.flows.nack_length.val();
            self.reply_border.next = self.flows.nack_border.val();
        }

        self.done.next = self.flows.done.val();
        self.done_flow.next = self.flows.done_flow.val();
        self.done_kind.next = self.flows.done_kind.val();
        self.done_tick.next = self.flows.done_tick.val();
        self.done_psn.next = self.flows.done_psn.val();
        DepotOrdersWriter::link(&mut self.orders, &mut self.flows.orders);
        self.una.next = self.flows.una.val();
        self.expected.next = self.flows.expected.val();
        self.border.next = self.flows.border.val();
    }
}
