use super::{FrameJoin, OpRecords, PacketHeaders, PacketScheduler, TRY_BITS};
use crate::bitmap::some;
use crate::bus::{FirstPackets, Frames, LocalAddress, NodeEntry, OpNumbersSink, OperationsSink, SlotPayloadSink, SlotReads};
use crate::primitives::{FifoLut, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Operations whose payload lies in the send buffer, as Ethernet frames: each packet once, and again as often as it is asked for.
///
/// Frames are Ethernet with one VLAN tag if it is on, IPv4 or IPv6 by node, UDP, BTH, RETH, immediate on the last packet if there is one,
/// OpETH, payload, pad. The ICRC is four bytes of zero: the MAC side writes it. Frames for IPv4 are 86 bytes at least, so none is padded by
/// Ethernet.
///
/// Rules:
/// * Packets are sent for the first time operation by operation. While some of them wait and a retransmission, an abort or a close too,
///   each kind goes in turn; up to 32 packets may be on their way before.
/// * Packet sequence numbers are consecutive per node, given when the operation's first packet has its turn. A retransmission repeats its
///   own.
/// * A retransmission or abort counts for an operation of whose packets one has been sent and that is not closed; others are thrown away
///   and count in `evt_stale`.
/// * After `close` come neither. `closed_valid` says when its slot and its number may be used again: everything that was taken before has
///   left, and the first transmission of all packets too. A close for an operation of which nothing has been sent yet is thrown away.
/// * Before a packet goes for the first time it is shown (`first_valid`) and waits for `first_go`, the others behind it; retransmissions,
///   aborts and closes do not. With `first_void` it makes no frame and does not count as sent, and no packet of its operation is sent
///   again. `number_valid` sets the next packet sequence number of a node.
/// * A packet for a node that the table does not have makes no frame, but counts as sent: its operation goes the way of one whose packets
///   are lost.
///
/// Latency: 13 clocks from an operation to the first beat of its first frame, if the wire is free. Throughput: one beat per clock, frames
/// back to back.
/// Reset: no operation, no node, all sequence numbers begin with 0; a frame under way ends there. Operations are taken `2^OP_INDEX_BITS`
/// clocks later.
/// Spec: send path; wire format.
// With `refetch` a packet that is sent again comes with the place of the last slot in which its payload lies. The place comes back once,
// with `done` when the wire has taken the packet, and with `dropped` when it was thrown away. What is sent again leaves in the order in
// which it came, so places go beside the packets in queues.
#[derive(Default, Described, LogicBlock)]
pub struct PacketEngine {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub op: OperationsSink<SEND_SLOT_BITS, POSITION_COUNT_BITS>,
    /// a packet is to be sent again
    pub retransmit_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `retransmit_valid` is high too
    pub retransmit_ready: Signal<Out, Bit>,
    /// operation of `retransmit`
    pub retransmit_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub retransmit_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub retransmit_try: Signal<In, Bits<TRY_BITS>>,
    /// refetch: where its payload lies in the last slot
    pub retransmit_place: Vec<Signal<In, Bits<PULL_PLACE_BITS>>>,
    /// refetch: one clock: the wire has taken a packet that was sent again
    pub done_valid: Vec<Signal<Out, Bit>>,
    /// refetch: its place
    pub done_place: Vec<Signal<Out, Bits<PULL_PLACE_BITS>>>,
    /// refetch: one clock: a packet that was to be sent again is thrown away
    pub dropped_valid: Vec<Signal<Out, Bit>>,
    /// refetch: its place
    pub dropped_place: Vec<Signal<Out, Bits<PULL_PLACE_BITS>>>,
    pub abort: OpNumbersSink,
    pub close: OpNumbersSink,
    pub first: FirstPackets<POSITION_BITS>,
    /// the next sequence number of a node is set
    pub number_valid: Signal<In, Bit>,
    /// it is
    pub number_ready: Signal<Out, Bit>,
    /// node of `number`
    pub number_node: Signal<In, Bits<NODE_BITS>>,
    /// to this
    pub number_psn: Signal<In, Bits<24>>,
    pub read: SlotReads<SEND_SLOT_BITS, OPERATION_BITS>,
    pub payload: SlotPayloadSink<DATA_WIDTH>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// one clock: the wire has taken the last beat of a packet, or its node is unknown
    pub sent_valid: Signal<Out, Bit>,
    /// operation of `sent`; also that of the next one
    pub sent_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub sent_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it was
    pub sent_try: Signal<Out, Bits<TRY_BITS>>,
    /// one clock: the first transmission of all packets of `sent_op` is over
    pub op_done_valid: Signal<Out, Bit>,
    /// one clock: nothing here names `closed_op` any more
    pub closed_valid: Signal<Out, Bit>,
    /// an operation that was closed
    pub closed_op: Signal<Out, Bits<OP_BITS>>,
    /// our own node number
    pub cfg_src: Signal<In, Bits<16>>,
    /// a node knows us by that and its own number added
    pub cfg_src_each: Signal<In, Bit>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// counts frames
    pub evt_frame: Signal<Out, Bit>,
    /// counts retransmissions and aborts thrown away: no such operation, it is over, or not all of it went
    pub evt_stale: Signal<Out, Bit>,
    /// counts packets and aborts without a frame: no such node
    pub evt_unknown_node: Signal<Out, Bit>,
    /// the tables are cleared
    pub ready: Signal<Out, Bit>,
    /// nothing waits and nothing is under way
    pub idle: Signal<Out, Bit>,

    #[variant]
    _plain: usize,
    scheduler: PacketScheduler<POSITION_BITS, POSITION_COUNT_BITS, FIRST_PASS_BITS, AGAIN_BITS>,
    records: OpRecords,
    headers: PacketHeaders,
    // As many as there may be jobs on their way: neither is ever full.
    reads: FifoLut<SEND_READ_BITS, 5, 6>,
    // Low bits first: head, form, bytes of the frame, of the payload, frame, sent, last, closed, operation, try, packet.
    heads: FifoLut<HEADERS_BITS, 5, 6>,
    join: FrameJoin,
    // Places of what is sent again: before its job is made, and until the wire has it. Neither is ever full: there are as many places.
    places: Vec<FifoLut<PULL_PLACE_BITS, PULL_PLACE_BITS, PULL_PLACE_COUNT_BITS>>,
    leaving: Vec<FifoLut<PULL_PLACE_BITS, PULL_PLACE_BITS, PULL_PLACE_COUNT_BITS>>,
    // Jobs on their way.
    jobs: State<Bits<6>>,
    taken: Signal<Local, Bit>,
}

impl PacketEngine {
    /// A new one.
    pub fn new() -> Self {
        Self {
            scheduler: PacketScheduler::new(),
            records: OpRecords::new(),
            headers: PacketHeaders::new(),
            retransmit_place: some(REFETCH),
            done_valid: some(REFETCH),
            done_place: some(REFETCH),
            dropped_valid: some(REFETCH),
            dropped_place: some(REFETCH),
            places: some(REFETCH),
            leaving: some(REFETCH),
            ..Default::default()
        }
    }

    /// As `new`, for packets without OpETH.
    pub fn plain() -> Self {
        Self { _plain: 1, headers: PacketHeaders::plain(), join: FrameJoin::plain(), ..Self::new() }
    }
}

impl Logic for PacketEngine {
    #[kernel]
    fn update(&mut self) {
        LocalAddress::link(&mut self.cfg_local, &mut self.headers.cfg_local);
        self.headers.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.headers.cfg_node);
        self.headers.cfg_src.next = self.cfg_src.val();
        self.headers.cfg_src_each.next = self.cfg_src_each.val();

        // What comes in.
        self.op.ready.next = self.scheduler.op_ready.val() && self.records.ready.val();
        self.taken.next = self.op.valid.val() && self.records.ready.val();
        self.scheduler.op_valid.next = self.taken.val();
        self.scheduler.op_op.next = self.op.op.val();
        self.scheduler.op_count.next = self.op.count.val();
        self.scheduler.op_kind.next = self.op.kind.val();
        self.scheduler.op_node.next = self.op.node.val();
        self.records.write_valid.next = self.taken.val() && self.scheduler.op_ready.val();
        self.records.write_op.next = self.op.op.val();
        self.records.write_record.next = bit_cast::<OP_RECORD_BITS, 64>(self.op.target.val())
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op.bytes.val()) << 64)
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op.rkey.val()) << 96)
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op.imm.val()) << 128)
            | (bit_cast::<OP_RECORD_BITS, 24>(self.op.qp.val()) << 160)
            | (bit_cast::<OP_RECORD_BITS, 16>(self.op.node.val()) << 184)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op.imm_valid.val().into()) << 200)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op.large.val().into()) << 201)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op.kind.val().into()) << 202)
            | (bit_cast::<OP_RECORD_BITS, SEND_SLOT_BITS>(self.op.slot.val()) << 203)
            | (bit_cast::<OP_RECORD_BITS, POSITION_COUNT_BITS>(self.op.count.val()) << (203 + SEND_SLOT_BITS).to_bits::<8>());
        self.scheduler.retransmit_valid.next = self.retransmit_valid.val();
        self.retransmit_ready.next = self.scheduler.retransmit_ready.val();
        self.scheduler.retransmit_op.next = self.retransmit_op.val();
        self.scheduler.retransmit_packet.next = self.retransmit_packet.val();
        self.scheduler.retransmit_try.next = self.retransmit_try.val();
        OpNumbersSink::link(&mut self.abort, &mut self.scheduler.abort);
        OpNumbersSink::link(&mut self.close, &mut self.scheduler.close);

        FirstPackets::link(&mut self.first, &mut self.scheduler.first);
        self.records.number_valid.next = self.number_valid.val();
        self.records.number_node.next = self.number_node.val();
        self.records.number_psn.next = self.number_psn.val();
        self.number_ready.next = self.records.number_ready.val();

        // Not more jobs than the queues behind hold.
        self.scheduler.room.next = self.records.ready.val() && !self.jobs.q.val().get_bit(5);
        self.jobs.d.next = self.jobs.q.val() + bit_cast::<6, 1>(self.scheduler.chosen.val().into())
            - bit_cast::<6, 1>(self.join.done.val().into())
            - bit_cast::<6, 1>(self.join.absorbed.val().into());
        self.records.job_valid.next = self.scheduler.job_valid.val();
        self.records.job_kind.next = self.scheduler.job_kind.val();
        self.records.job_op.next = self.scheduler.job_op.val();
        self.records.job_packet.next = self.scheduler.job_packet.val();
        self.records.job_try.next = self.scheduler.job_try.val();
        self.records.job_opens.next = self.scheduler.job_opens.val();
        self.records.job_last.next = self.scheduler.job_last.val();
        self.records.job_count.next = self.scheduler.job_count.val();
        self.records.job_arrival.next = self.scheduler.job_arrival.val();
        self.records.job_node.next = self.scheduler.job_node.val();
        self.records.job_void.next = self.scheduler.job_void.val();
        self.headers.in_valid.next = self.records.out_valid.val();
        self.headers.in_frame.next = self.records.out_frame.val();
        self.headers.in_abort.next = self.records.out_abort.val();
        self.headers.in_again.next = self.records.out_again.val();
        self.headers.in_last.next = self.records.out_last.val();
        self.headers.in_closed.next = self.records.out_closed.val();
        self.headers.in_op.next = self.records.out_op.val();
        self.headers.in_packet.next = self.records.out_packet.val();
        self.headers.in_try.next = self.records.out_try.val();
        self.headers.in_psn.next = self.records.out_psn.val();
        self.headers.in_record.next = self.records.out_record.val();

        // Payload is asked for ahead of its head.
        self.reads.in_valid.next = self.headers.read_valid.val();
        self.reads.in_data.next = bit_cast::<SEND_READ_BITS, 13>(self.headers.read_bytes.val())
            | (bit_cast::<SEND_READ_BITS, SEND_SLOT_BITS>(self.headers.read_slot.val()) << 13)
            | (bit_cast::<SEND_READ_BITS, OPERATION_BITS>(self.headers.read_offset.val()) << (13 + SEND_SLOT_BITS).to_bits::<6>());
        self.read.valid.next = self.reads.out_valid.val();
        self.reads.out_ready.next = self.read.ready.val();
        self.read.bytes.next = self.reads.out_data.val().get_bits::<13>(0);
        self.read.slot.next = self.reads.out_data.val().get_bits::<SEND_SLOT_BITS>(13);
        self.read.offset.next = self.reads.out_data.val().get_bits::<OPERATION_BITS>(13 + SEND_SLOT_BITS);
        self.heads.in_valid.next = self.headers.out_valid.val();
        self.heads.in_data.next = bit_cast::<HEADERS_BITS, 848>(self.headers.out_head.val())
            | (bit_cast::<HEADERS_BITS, 6>(self.headers.out_form.val()) << 848)
            | (bit_cast::<HEADERS_BITS, 13>(self.headers.out_total.val()) << 854)
            | (bit_cast::<HEADERS_BITS, 13>(self.headers.out_bytes.val()) << 867)
            | (bit_cast::<HEADERS_BITS, 1>(self.headers.out_frame.val().into()) << 880)
            | (bit_cast::<HEADERS_BITS, 1>(self.headers.out_sent.val().into()) << 881)
            | (bit_cast::<HEADERS_BITS, 1>(self.headers.out_last.val().into()) << 882)
            | (bit_cast::<HEADERS_BITS, 1>(self.headers.out_closed.val().into()) << 883)
            | (bit_cast::<HEADERS_BITS, OP_BITS>(self.headers.out_op.val()) << 884)
            | (bit_cast::<HEADERS_BITS, TRY_BITS>(self.headers.out_try.val()) << 908)
            | (bit_cast::<HEADERS_BITS, POSITION_BITS>(self.headers.out_packet.val()) << 913);
        self.join.head_valid.next = self.heads.out_valid.val();
        self.heads.out_ready.next = self.join.head_ready.val();
        self.join.head_data.next = self.heads.out_data.val().get_bits::<848>(0);
        self.join.head_form.next = self.heads.out_data.val().get_bits::<6>(848);
        self.join.head_total.next = self.heads.out_data.val().get_bits::<13>(854);
        self.join.head_bytes.next = self.heads.out_data.val().get_bits::<13>(867);
        self.join.head_frame.next = self.heads.out_data.val().get_bit(880);
        self.join.head_sent.next = self.heads.out_data.val().get_bit(881);
        self.join.head_last.next = self.heads.out_data.val().get_bit(882);
        self.join.head_closed.next = self.heads.out_data.val().get_bit(883);
        self.join.head_op.next = self.heads.out_data.val().get_bits::<OP_BITS>(884);
        self.join.head_try.next = self.heads.out_data.val().get_bits::<TRY_BITS>(908);
        self.join.head_packet.next = self.heads.out_data.val().get_bits::<POSITION_BITS>(913);
        self.join.payload_valid.next = self.payload.valid.val();
        self.payload.ready.next = self.join.payload_ready.val();
        self.join.payload_data.next = self.payload.data.val();
        Frames::link(&mut self.out, &mut self.join.out);
        self.sent_valid.next = self.join.sent_valid.val();
        self.sent_op.next = self.join.sent_op.val();
        self.sent_packet.next = self.join.sent_packet.val();
        self.sent_try.next = self.join.sent_try.val();
        self.op_done_valid.next = self.join.op_done_valid.val();
        self.closed_valid.next = self.join.closed_valid.val();
        self.closed_op.next = self.join.closed_op.val();
        for r in 0..REFETCH {
            self.places[r].in_valid.next = self.retransmit_valid.val() && self.scheduler.retransmit_ready.val();
            self.places[r].in_data.next = self.retransmit_place[r].val();
            self.places[r].out_ready.next = self.records.out_valid.val() && self.records.out_again.val();
            self.headers.in_place[r].next = self.places[r].out_data.val();
            self.leaving[r].in_valid.next = self.records.out_valid.val() && self.records.out_again.val() && self.records.out_frame.val();
            self.leaving[r].in_data.next = self.places[r].out_data.val();
            self.dropped_valid[r].next = self.records.out_valid.val() && self.records.out_again.val() && !self.records.out_frame.val();
            self.dropped_place[r].next = self.places[r].out_data.val();
            self.done_valid[r].next = self.join.sent_valid.val() && self.join.sent_try.val().any();
            self.leaving[r].out_ready.next = self.join.sent_valid.val() && self.join.sent_try.val().any();
            self.done_place[r].next = self.leaving[r].out_data.val();
        }
        self.evt_frame.next = self.join.evt_frame.val();
        self.evt_stale.next = self.records.evt_stale.val();
        self.evt_unknown_node.next = self.headers.evt_unknown_node.val();
        self.ready.next = self.records.ready.val();
        self.idle.next = self.scheduler.idle.val() && !self.jobs.q.val().any();
    }
}
