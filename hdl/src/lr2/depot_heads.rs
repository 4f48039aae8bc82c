use super::{FlowEntry, FlowEntryReader, FlowWrites, Lr2FlowTable, Lr2HeadsSink};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a Depot is told of the frames of both its sides, and what becomes of those of the back side: between two `Lr2Head`, `DepotPath`
/// and `Lr2FrameEdit`.
///
/// ```text
///  onward ─▶ table ─▶ FIFO ─▶ head                (DepotPath)
///  back ───▶ table ─▶ FIFO ─┬─▶ event ─▶ answer ─┐ (DepotPath)
///                           └─▶ waiting ─────────┴─▶ order (Lr2FrameEdit)
/// ```
///
/// Each head of `onward` becomes one of `head`, in their order; one that is of no flow, or not a SEND, WRITE, request or probe, is not
/// `head_known`. Each head of `back` becomes one `order`, in their order: of a flow's acknowledgement, NAK or response what `answer` says,
/// else that the frame goes on. A bad frame goes nowhere. A NAK that a box has made is none of the receiving card's, and passes.
/// Latency: 6 clocks from a head to `head` or `event`, 7 from a head of no flow to its order. Throughput: one head per clock in each
/// direction, but for one clock of an entry that is written. Reset: nothing is under way, no entry is there. Spec: LR2, "Flows", "Depot".
#[derive(Default, Described, LogicBlock)]
pub struct DepotHeads {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries may be written
    pub ready: Signal<Out, Bit>,
    pub onward: Lr2HeadsSink,
    pub back: Lr2HeadsSink,
    /// what the next frame of the onward side is
    pub head_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `head_valid` is high too
    pub head_ready: Signal<In, Bit>,
    /// it is of a flow, and of one of the following kinds
    pub head_known: Signal<Out, Bit>,
    /// number of the flow
    pub head_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// `LR2_DATA`, `LR2_REQUEST` or `LR2_PROBE`
    pub head_kind: Signal<Out, Bits<4>>,
    /// PSN; of a probe `ePSN_s`
    pub head_psn: Signal<Out, Bits<24>>,
    /// PSNs that it consumes
    pub head_span: Signal<Out, Bits<24>>,
    /// it asks for an acknowledgement, or is the last of its message
    pub head_asks: Signal<Out, Bit>,
    /// a packet of the back side, of a flow
    pub event_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `event_valid` is high too
    pub event_ready: Signal<In, Bit>,
    /// number of the flow
    pub event_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// `LR2_ACK`, `LR2_RESPONSE`, `LR2_NAK`, `LR2_REFUSAL` or `LR2_RNR`
    pub event_kind: Signal<Out, Bits<4>>,
    /// PSN
    pub event_psn: Signal<Out, Bits<24>>,
    /// message sequence number
    pub event_msn: Signal<Out, Bits<24>>,
    /// credits
    pub event_credits: Signal<Out, Bits<5>>,
    /// what becomes of it, in the order of the events
    pub answer_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `answer_valid` is high too
    pub answer_ready: Signal<Out, Bit>,
    /// it is a NAK, and goes on as an acknowledgement
    pub answer_ack: Signal<In, Bit>,
    /// of this PSN
    pub answer_psn: Signal<In, Bits<24>>,
    /// with this MSN
    pub answer_msn: Signal<In, Bits<24>>,
    /// and these credits
    pub answer_credits: Signal<In, Bits<5>>,
    /// what becomes of the next frame of the back side
    pub order_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `order_valid` is high too
    pub order_ready: Signal<In, Bit>,
    /// it does not go on
    pub order_drop: Signal<Out, Bit>,
    /// it becomes an acknowledgement
    pub order_ack: Signal<Out, Bit>,
    /// of this PSN
    pub order_psn: Signal<Out, Bits<24>>,
    /// with this MSN
    pub order_msn: Signal<Out, Bits<24>>,
    /// and these credits
    pub order_credits: Signal<Out, Bits<5>>,
    /// byte of the frame at which UDP begins
    pub order_offset: Signal<Out, Bits<7>>,
    #[port = "write"]
    pub writes: FlowWrites,
    pub write: FlowEntry,
    /// number of a flow
    pub read_flow: Signal<In, Bits<FLOW_BITS>>,
    /// its entry, two clocks later
    pub read: FlowEntryReader,

    table: Lr2FlowTable,
    onwards: FifoLut<DEPOT_HEAD_BITS, 4, 5>,
    backs: FifoLut<DEPOT_BACK_BITS, 4, 5>,
    waiting: FifoLut<9, 5, 6>,
    onward_room: State<Bit>,
    back_room: State<Bit>,
    // What of the heads waits for the table.
    onward_rest: [Reg<Bits<30>>; 5],
    back_rest: [Reg<Bits<66>>; 5],
    onward_ours: Signal<Local, Bit>,
    back_ours: Signal<Local, Bit>,
    onward_word: Signal<Local, Bits<30>>,
    back_word: Signal<Local, Bits<66>>,
    front: Signal<Local, Bits<DEPOT_HEAD_BITS>>,
    event: Signal<Local, Bits<DEPOT_BACK_BITS>>,
    known: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    asked: Signal<Local, Bit>,
}

impl Logic for DepotHeads {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.table.ready.val();
        FlowWrites::link(&mut self.writes, &mut self.table.writes);
        FlowEntry::link(&mut self.write, &mut self.table.write);
        self.table.read_flow.next = self.read_flow.val();
        FlowEntryReader::link(&mut self.read, &mut self.table.read);

        // The onward side. At most 7 heads are on their way while 7 wait.
        self.onward_room.d.next = !self.onwards.count.val().get_bits::<2>(3).any();
        self.onward.ready.next = self.onward_room.q.val() && self.table.onward_ready.val();
        self.table.onward_valid.next = self.onward.valid.val() && self.onward_room.q.val();
        self.table.onward_six.next = self.onward.six.val();
        self.table.onward_source.next = self.onward.source.val();
        self.table.onward_destination.next = self.onward.destination.val();
        self.table.onward_qp.next = self.onward.qp.val();
        self.table.onward_read.next = self.onward.read.val();
        self.onward_ours.next = self.onward.kind.val() == LR2_DATA.to_bits::<4>()
            || self.onward.kind.val() == LR2_REQUEST.to_bits::<4>()
            || self.onward.kind.val() == LR2_PROBE.to_bits::<4>();
        self.onward_rest[0].d.next = bit_cast::<30, 4>(self.onward.kind.val())
            | (bit_cast::<30, 24>(self.onward.psn.val()) << 4)
            | (bit_cast::<30, 1>(self.onward.asks.val().into()) << 28)
            | (bit_cast::<30, 1>(self.onward_ours.val().into()) << 29);
        self.onward_word.next = self.onward_rest[4].q.val();
        self.onwards.in_valid.next = self.table.onward_done.val();
        self.onwards.in_data.next = bit_cast::<DEPOT_HEAD_BITS, 29>(self.onward_word.val().get_bits::<29>(0))
            | (bit_cast::<DEPOT_HEAD_BITS, 24>(self.table.onward_span.val()) << 29)
            | (bit_cast::<DEPOT_HEAD_BITS, 1>((self.table.onward_known.val() && self.onward_word.val().get_bit(29)).into()) << 53)
            | (bit_cast::<DEPOT_HEAD_BITS, FLOW_BITS>(self.table.onward_flow.val()) << 54);
        self.front.next = self.onwards.out_data.val();
        self.onwards.out_ready.next = self.head_ready.val();
        self.head_valid.next = self.onwards.out_valid.val();
        self.head_kind.next = self.front.val().get_bits::<4>(0);
        self.head_psn.next = self.front.val().get_bits::<24>(4);
        self.head_asks.next = self.front.val().get_bit(28);
        self.head_span.next = self.front.val().get_bits::<24>(29);
        self.head_known.next = self.front.val().get_bit(53);
        self.head_flow.next = self.front.val().get_bits::<FLOW_BITS>(54);

        // The back side, likewise.
        self.back_room.d.next = !self.backs.count.val().get_bits::<2>(3).any();
        self.back.ready.next = self.back_room.q.val() && self.table.back_ready.val();
        self.table.back_valid.next = self.back.valid.val() && self.back_room.q.val();
        self.table.back_six.next = self.back.six.val();
        self.table.back_source.next = self.back.source.val();
        self.table.back_destination.next = self.back.destination.val();
        self.table.back_qp.next = self.back.qp.val();
        self.back_ours.next = !self.back.origin.val().any()
            && (self.back.kind.val() == LR2_ACK.to_bits::<4>()
                || self.back.kind.val() == LR2_RESPONSE.to_bits::<4>()
                || self.back.kind.val() == LR2_NAK.to_bits::<4>()
                || self.back.kind.val() == LR2_REFUSAL.to_bits::<4>()
                || self.back.kind.val() == LR2_RNR.to_bits::<4>());
        self.back_rest[0].d.next = bit_cast::<66, 4>(self.back.kind.val())
            | (bit_cast::<66, 24>(self.back.psn.val()) << 4)
            | (bit_cast::<66, 24>(self.back.msn.val()) << 28)
            | (bit_cast::<66, 5>(self.back.credits.val()) << 52)
            | (bit_cast::<66, 7>(self.back.offset.val()) << 57)
            | (bit_cast::<66, 1>(self.back.bad.val().into()) << 64)
            | (bit_cast::<66, 1>(self.back_ours.val().into()) << 65);
        for k in 1..5 {
            self.onward_rest[k].d.next = self.onward_rest[k - 1].q.val();
            self.back_rest[k].d.next = self.back_rest[k - 1].q.val();
        }
        self.back_word.next = self.back_rest[4].q.val();
        self.backs.in_valid.next = self.table.back_done.val();
        self.backs.in_data.next = bit_cast::<DEPOT_BACK_BITS, 65>(self.back_word.val().get_bits::<65>(0))
            | (bit_cast::<DEPOT_BACK_BITS, 1>((self.table.back_known.val() && self.back_word.val().get_bit(65)).into()) << 65)
            | (bit_cast::<DEPOT_BACK_BITS, FLOW_BITS>(self.table.back_flow.val()) << 66);
        self.event.next = self.backs.out_data.val();
        self.known.next = self.event.val().get_bit(65);
        self.event_valid.next = self.backs.out_valid.val() && self.known.val() && self.waiting.in_ready.val();
        self.event_kind.next = self.event.val().get_bits::<4>(0);
        self.event_psn.next = self.event.val().get_bits::<24>(4);
        self.event_msn.next = self.event.val().get_bits::<24>(28);
        self.event_credits.next = self.event.val().get_bits::<5>(52);
        self.event_flow.next = self.event.val().get_bits::<FLOW_BITS>(66);
        self.goes.next = self.backs.out_valid.val() && self.waiting.in_ready.val() && (!self.known.val() || self.event_ready.val());
        self.backs.out_ready.next = self.goes.val();
        self.waiting.in_valid.next = self.goes.val();
        self.waiting.in_data.next = bit_cast::<9, 7>(self.event.val().get_bits::<7>(57))
            | (bit_cast::<9, 1>(self.event.val().get_bit(64).into()) << 7)
            | (bit_cast::<9, 1>(self.known.val().into()) << 8);

        // What becomes of its frames.
        self.asked.next = self.waiting.out_data.val().get_bit(8);
        self.order_valid.next = self.waiting.out_valid.val() && (!self.asked.val() || self.answer_valid.val());
        self.waiting.out_ready.next = self.order_ready.val() && (!self.asked.val() || self.answer_valid.val());
        self.answer_ready.next = self.waiting.out_valid.val() && self.asked.val() && self.order_ready.val();
        self.order_drop.next = self.waiting.out_data.val().get_bit(7);
        self.order_ack.next = self.asked.val() && self.answer_ack.val();
        self.order_psn.next = self.answer_psn.val();
        self.order_msn.next = self.answer_msn.val();
        self.order_credits.next = self.answer_credits.val();
        self.order_offset.next = self.waiting.out_data.val().get_bits::<7>(0);
    }
}
