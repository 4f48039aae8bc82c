use super::{FrameJoin, OpRecords, PacketHeaders, PacketScheduler, TRY_BITS};
use crate::bitmap::some;
use crate::bus::Frames;
use crate::primitives::{FifoLut, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Operations whose payload lies in the send buffer, as Ethernet frames: each packet once, and again as often as it is asked for.
///
/// Frames are Ethernet with one VLAN tag if it is on, IPv4 or IPv6 by node, UDP, BTH, RETH, immediate on the last packet if there is one, OpETH, payload,
/// pad. The ICRC is four bytes of zero: the MAC side writes it. Frames for IPv4 are 86 bytes at least, so none is padded by Ethernet.
///
/// Rules:
/// * Packets are sent for the first time operation by operation. While some of them wait and a retransmission, an abort or a close too, each kind goes in turn;
///   up to 32 packets may be on their way before.
/// * Packet sequence numbers are consecutive per node, given when the operation's first packet has its turn. A retransmission repeats its own.
/// * A retransmission or abort counts for an operation of whose packets one has been sent and that is not closed; others are thrown away and count in
///   `evt_stale`.
/// * After `close` come neither. `closed_valid` says when its slot and its number may be used again: everything that was taken before has left, and the
///   first transmission of all packets too. A close for an operation of which nothing has been sent yet is thrown away.
/// * Before a packet goes for the first time it is shown (`first_valid`) and waits for `first_go`, the others behind it; retransmissions, aborts and closes do not. With `first_void` it
///   makes no frame and does not count as sent, and no packet of its operation is sent again. `number_valid` sets the next packet sequence number of a node.
/// * A packet for a node that the table does not have makes no frame, but counts as sent: its operation goes the way of one whose packets are lost.
///
/// Latency: 13 clocks from an operation to the first beat of its first frame, if the wire is free. Throughput: one beat per clock, frames back to back.
/// Reset: no operation, no node, all sequence numbers begin with 0; a frame under way ends there. Operations are taken `2^OP_INDEX_BITS` clocks later.
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
    /// an operation whose payload lies in its slot
    pub op_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `op_valid` is high too
    pub op_ready: Signal<Out, Bit>,
    /// number of `op`
    pub op_op: Signal<In, Bits<OP_BITS>>,
    /// slot of `op`
    pub op_slot: Signal<In, Bits<SEND_SLOT_BITS>>,
    /// packets of `op`
    pub op_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// bytes of `op`; of a data arrival those of the whole command
    pub op_bytes: Signal<In, Bits<32>>,
    /// target address of `op`
    pub op_target: Signal<In, Bits<64>>,
    /// the node that it is for
    pub op_node: Signal<In, Bits<16>>,
    /// queue pair there
    pub op_qp: Signal<In, Bits<24>>,
    /// remote key
    pub op_rkey: Signal<In, Bits<32>>,
    /// its last packet carries an immediate
    pub op_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub op_imm: Signal<In, Bits<32>>,
    /// it is a segment of a large transfer
    pub op_large: Signal<In, Bit>,
    /// 0 data, 1 data arrival: one packet without payload
    pub op_kind: Signal<In, Bit>,
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
    /// the receiver is to be told that an operation will not go on
    pub abort_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `abort_valid` is high too
    pub abort_ready: Signal<Out, Bit>,
    /// the operation
    pub abort_op: Signal<In, Bits<OP_BITS>>,
    /// an operation is over: no retransmission and no abort of it comes any more
    pub close_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `close_valid` is high too
    pub close_ready: Signal<Out, Bit>,
    /// the operation
    pub close_op: Signal<In, Bits<OP_BITS>>,
    /// a packet is to be sent for the first time
    pub first_valid: Signal<Out, Bit>,
    /// it goes
    pub first_take: Signal<Out, Bit>,
    /// operation of `first`
    pub first_op: Signal<Out, Bits<OP_BITS>>,
    /// its number there
    pub first_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// it is the operation's last
    pub first_last: Signal<Out, Bit>,
    /// it is a data arrival
    pub first_kind: Signal<Out, Bit>,
    /// the node that it is for
    pub first_node: Signal<Out, Bits<16>>,
    /// it may go
    pub first_go: Signal<In, Bit>,
    /// without a frame
    pub first_void: Signal<In, Bit>,
    /// the next sequence number of a node is set
    pub number_valid: Signal<In, Bit>,
    /// it is
    pub number_ready: Signal<Out, Bit>,
    /// node of `number`
    pub number_node: Signal<In, Bits<NODE_BITS>>,
    /// to this
    pub number_psn: Signal<In, Bits<24>>,
    /// a payload is to be read from the send buffer
    pub read_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `read_valid` is high too
    pub read_ready: Signal<In, Bit>,
    /// slot of `read`
    pub read_slot: Signal<Out, Bits<SEND_SLOT_BITS>>,
    /// where in the slot it begins
    pub read_offset: Signal<Out, Bits<OPERATION_BITS>>,
    /// bytes of `read`
    pub read_bytes: Signal<Out, Bits<13>>,
    /// a beat of payload, in the order of the reads
    pub payload_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `payload_valid` is high too
    pub payload_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub payload_data: Signal<In, Bits<DATA_WIDTH>>,
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
    /// our MAC address, first byte in the highest bits as in all addresses here
    pub cfg_mac: Signal<In, Bits<48>>,
    /// our IPv4 address
    pub cfg_ip4: Signal<In, Bits<32>>,
    /// our IPv6 address
    pub cfg_ip6: Signal<In, Bits<128>>,
    /// frames carry a VLAN tag
    pub cfg_vlan_on: Signal<In, Bit>,
    /// its tag control information
    pub cfg_vlan: Signal<In, Bits<16>>,
    /// traffic class or type of service
    pub cfg_traffic_class: Signal<In, Bits<8>>,
    /// time to live or hop limit
    pub cfg_hop_limit: Signal<In, Bits<8>>,
    /// UDP source port
    pub cfg_udp_source: Signal<In, Bits<16>>,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    /// set one node of the table
    pub cfg_node_write: Signal<In, Bit>,
    /// index of `cfg_node`
    pub cfg_node_index: Signal<In, Bits<NODE_BITS>>,
    /// there is such a node
    pub cfg_node_valid: Signal<In, Bit>,
    /// MAC address of `cfg_node`
    pub cfg_node_mac: Signal<In, Bits<48>>,
    /// it has an IPv6 address
    pub cfg_node_six: Signal<In, Bit>,
    /// IP address of `cfg_node`; IPv4 in the low 32 bits
    pub cfg_node_ip: Signal<In, Bits<128>>,
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
        Self { headers: PacketHeaders::plain(), join: FrameJoin::plain(), ..Self::new() }
    }
}

impl Logic for PacketEngine {
    #[kernel]
    fn update(&mut self) {
        self.headers.cfg_mac.next = self.cfg_mac.val();
        self.headers.cfg_ip4.next = self.cfg_ip4.val();
        self.headers.cfg_ip6.next = self.cfg_ip6.val();
        self.headers.cfg_vlan_on.next = self.cfg_vlan_on.val();
        self.headers.cfg_vlan.next = self.cfg_vlan.val();
        self.headers.cfg_traffic_class.next = self.cfg_traffic_class.val();
        self.headers.cfg_hop_limit.next = self.cfg_hop_limit.val();
        self.headers.cfg_udp_source.next = self.cfg_udp_source.val();
        self.headers.cfg_partition_key.next = self.cfg_partition_key.val();
        self.headers.cfg_node_write.next = self.cfg_node_write.val();
        self.headers.cfg_node_index.next = self.cfg_node_index.val();
        self.headers.cfg_node_valid.next = self.cfg_node_valid.val();
        self.headers.cfg_node_mac.next = self.cfg_node_mac.val();
        self.headers.cfg_node_six.next = self.cfg_node_six.val();
        self.headers.cfg_node_ip.next = self.cfg_node_ip.val();
        self.headers.cfg_src.next = self.cfg_src.val();

        // What comes in.
        self.op_ready.next = self.scheduler.op_ready.val() && self.records.ready.val();
        self.taken.next = self.op_valid.val() && self.records.ready.val();
        self.scheduler.op_valid.next = self.taken.val();
        self.scheduler.op_op.next = self.op_op.val();
        self.scheduler.op_count.next = self.op_count.val();
        self.scheduler.op_kind.next = self.op_kind.val();
        self.scheduler.op_node.next = self.op_node.val();
        self.records.write_valid.next = self.taken.val() && self.scheduler.op_ready.val();
        self.records.write_op.next = self.op_op.val();
        self.records.write_record.next = bit_cast::<OP_RECORD_BITS, 64>(self.op_target.val())
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op_bytes.val()) << 64)
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op_rkey.val()) << 96)
            | (bit_cast::<OP_RECORD_BITS, 32>(self.op_imm.val()) << 128)
            | (bit_cast::<OP_RECORD_BITS, 24>(self.op_qp.val()) << 160)
            | (bit_cast::<OP_RECORD_BITS, 16>(self.op_node.val()) << 184)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op_imm_valid.val().into()) << 200)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op_large.val().into()) << 201)
            | (bit_cast::<OP_RECORD_BITS, 1>(self.op_kind.val().into()) << 202)
            | (bit_cast::<OP_RECORD_BITS, SEND_SLOT_BITS>(self.op_slot.val()) << 203)
            | (bit_cast::<OP_RECORD_BITS, POSITION_COUNT_BITS>(self.op_count.val()) << (203 + SEND_SLOT_BITS).to_bits::<8>());
        self.scheduler.retransmit_valid.next = self.retransmit_valid.val();
        self.retransmit_ready.next = self.scheduler.retransmit_ready.val();
        self.scheduler.retransmit_op.next = self.retransmit_op.val();
        self.scheduler.retransmit_packet.next = self.retransmit_packet.val();
        self.scheduler.retransmit_try.next = self.retransmit_try.val();
        self.scheduler.abort_valid.next = self.abort_valid.val();
        self.abort_ready.next = self.scheduler.abort_ready.val();
        self.scheduler.abort_op.next = self.abort_op.val();
        self.scheduler.close_valid.next = self.close_valid.val();
        self.close_ready.next = self.scheduler.close_ready.val();
        self.scheduler.close_op.next = self.close_op.val();

        self.first_valid.next = self.scheduler.first_valid.val();
        self.first_take.next = self.scheduler.first_take.val();
        self.first_op.next = self.scheduler.first_op.val();
        self.first_packet.next = self.scheduler.first_packet.val();
        self.first_last.next = self.scheduler.first_last.val();
        self.first_kind.next = self.scheduler.first_kind.val();
        self.first_node.next = self.scheduler.first_node.val();
        self.scheduler.first_go.next = self.first_go.val();
        self.scheduler.first_void.next = self.first_void.val();
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
        self.read_valid.next = self.reads.out_valid.val();
        self.reads.out_ready.next = self.read_ready.val();
        self.read_bytes.next = self.reads.out_data.val().get_bits::<13>(0);
        self.read_slot.next = self.reads.out_data.val().get_bits::<SEND_SLOT_BITS>(13);
        self.read_offset.next = self.reads.out_data.val().get_bits::<OPERATION_BITS>(13 + SEND_SLOT_BITS);
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
        self.join.payload_valid.next = self.payload_valid.val();
        self.payload_ready.next = self.join.payload_ready.val();
        self.join.payload_data.next = self.payload_data.val();
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
