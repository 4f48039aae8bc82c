use super::{ArrivalGate, FeedbackPath, ImmediateList};
use crate::bitmap::some;
use crate::bus::{Frames, LocalAddress, NodeEntry, TaggedWrites};
use crate::csr::bundles::{GapConfig, PsnEvents};
use crate::memory::{MemoryWriter, PacketBuffer};
use crate::primitives::{Reg, SkidBuffer, TickCounter};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The receive side in the transport profile *bitmap*, but its registers, its parser and its ring: every packet is a message of its own
/// that says where it belongs, and its sequence number alone says whether it is written.
///
/// ```text
///  header, payload ─▶ packet buffer ─▶ arrival gate ─▶ memory writer ─▶ m_axi
///                        ▲  slots ───────┴─────────────────┘
///     arrival gate, memory writer ─▶ feedback path ─┬─▶ out
///                   arrival gate ─▶ immediate list ◀┘
///                                       └─▶ complete
/// ```
///
/// What each part does is in its own documentation. A packet is taken when there is a slot for it and, if it has an immediate, a place in
/// the list of those; else it is thrown away before its number is marked, and comes again. It is acknowledged when the memory has answered
/// its write. An immediate is told when everything before it and its own packet are acknowledged. A queue pair one of whose writes fails is
/// closed: nothing more of it is written or acknowledged until software opens it again. A request that cannot be served (`header_refused`)
/// has a number as any other. If that is new the queue pair is closed in the same way, and it counts in `evt_frame_foreign`: its number is
/// no gap, and nothing is acknowledged that nobody stored.
/// Latency: that of its blocks, and 1 clock before the gate. Throughput: one beat of payload and one header per clock.
/// Reset: empty, every queue pair closed; `ready` when the tables are clear.
/// Spec: overview, "Who acknowledges what", profile bitmap; bitmap loss detection, "Receiver".
#[derive(Default, Described, LogicBlock)]
pub struct BitmapReceivePath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a header is there
    pub header_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `header_valid` is high too
    pub header_ready: Signal<Out, Bit>,
    /// it is a request for one of our queue pairs
    pub header_registry: Signal<In, Bit>,
    /// ... that cannot be served: no RDMA WRITE ONLY of as many bytes as it has, and no more than a slot has
    pub header_refused: Signal<In, Bit>,
    /// target address
    pub header_addr: Signal<In, Bits<64>>,
    /// payload bytes; if there are any, one payload belongs to it
    pub header_bytes: Signal<In, Bits<16>>,
    /// an immediate comes with it
    pub header_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub header_imm: Signal<In, Bits<32>>,
    /// index of its queue pair
    pub header_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number
    pub header_psn: Signal<In, Bits<24>>,
    /// path that it took
    pub header_path: Signal<In, Bits<4>>,
    /// it has been sent before
    pub header_retransmission: Signal<In, Bit>,
    /// a beat of payload
    pub payload_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub payload_data: Signal<In, Bits<DATA_WIDTH>>,
    /// last beat of this payload
    pub payload_last: Signal<In, Bit>,
    /// with the last beat: this payload has no header
    pub payload_drop: Signal<In, Bit>,
    /// a transfer happens in a clock in which `payload_valid` is high too
    pub payload_ready: Signal<Out, Bit>,
    /// an immediate is told
    pub complete_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `complete_valid` is high too
    pub complete_ready: Signal<In, Bit>,
    /// node of its queue pair
    pub complete_src: Signal<Out, Bits<16>>,
    /// where the payload of its packet lies
    pub complete_base: Signal<Out, Bits<64>>,
    /// bytes of it
    pub complete_bytes: Signal<Out, Bits<32>>,
    /// the immediate
    pub complete_imm: Signal<Out, Bits<32>>,
    /// writes to memory
    pub m_axi: TaggedWrites<WRITE_BITS, DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// clocks per tick
    pub cfg_prescale: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// queue pair of `cfg_node`
    pub cfg_node_qp: Signal<In, Bits<24>>,
    /// a queue pair is to be opened or closed
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// index of the queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `command`
    pub command_psn: Signal<In, Bits<24>>,
    /// the command that was taken has been carried out
    pub command_done: Signal<Out, Bit>,
    #[port = "cfg"]
    pub cfg_gap: GapConfig,
    /// depth is the later packets since the gap was seen, else highest number less the gap's first
    pub cfg_by_arrivals: Signal<In, Bit>,
    /// one length: a window moves in steps of so many packets
    pub cfg_slide_step: Vec<Signal<In, Bits<7>>>,
    /// pool: segments of a window at least, beyond that of its base
    pub cfg_base_length: Vec<Signal<In, Bits<16>>>,
    /// pool: ... at most
    pub cfg_max_length: Vec<Signal<In, Bits<16>>>,
    /// pool: bytes per tick
    pub cfg_bandwidth: Vec<Signal<In, Bits<24>>>,
    /// pool: round trip in ticks
    pub cfg_rtt: Vec<Signal<In, Bits<24>>>,
    /// pool: payload bytes of a packet are 2 to the power of this
    pub cfg_packet_bits: Vec<Signal<In, Bits<4>>>,
    /// pool: what a window has beyond bandwidth and round trip, sixteenths
    pub cfg_headroom: Vec<Signal<In, Bits<8>>>,
    /// pool: what the load makes of that, sixteenths
    pub cfg_load: Vec<Signal<In, Bits<8>>>,
    /// pool: sixteenths that congestion takes away
    pub cfg_congestion: Vec<Signal<In, Bits<5>>>,
    /// pool: segments that a queue pair may hold, 0: any number
    pub cfg_qp_limit: Vec<Signal<In, Bits<16>>>,
    /// a queue pair was closed because a write of it has failed
    pub failed_valid: Signal<Out, Bit>,
    /// queue pair of `failed`
    pub failed_qp: Signal<Out, Bits<NODE_BITS>>,
    /// current tick
    pub now: Signal<Out, Bits<32>>,
    /// headers are taken: the tables are clear
    pub ready: Signal<Out, Bit>,
    /// a packet, a notification or a completion is under way; one in the middle of the builder does not show
    pub busy: Signal<Out, Bit>,
    /// no write is under way
    pub writes_idle: Signal<Out, Bit>,
    /// counts responses that are errors
    pub evt_memory_errors: Signal<Out, Bit>,
    /// counts packets thrown away: no slot was free
    pub evt_frame_no_slot: Signal<Out, Bit>,
    /// counts headers thrown away: no request for one of our queue pairs, or one that is new and cannot be served
    pub evt_frame_foreign: Signal<Out, Bit>,
    /// counts bursts answered
    pub evt_memory_bursts: Signal<Out, Bit>,
    /// counts packets that are written
    pub evt_accepted: Signal<Out, Bit>,
    /// counts packets that came before
    pub evt_duplicate: Signal<Out, Bit>,
    /// counts packets thrown away: too many immediates wait
    pub evt_immediate_full: Signal<Out, Bit>,
    #[port = "evt"]
    pub evt_psn: PsnEvents,
    /// pool: the command that was carried out has opened nothing, for there was no segment
    pub command_refused: Vec<Signal<Out, Bit>>,
    /// pool: segments that no window has
    pub pool_free: Vec<Signal<Out, Bits<16>>>,
    /// pool: counts segments that a queue pair asked for while there was none
    pub evt_psn_pool_exhausted: Vec<Signal<Out, Bit>>,
    /// pool: counts windows that have become shorter by a segment
    pub evt_psn_window_shrunk: Vec<Signal<Out, Bit>>,

    buffer: PacketBuffer,
    packets: SkidBuffer<BITMAP_PACKET_BITS>,
    gate: ArrivalGate,
    writer: MemoryWriter,
    feedback: FeedbackPath,
    _fixed: usize,
    _pools: usize,
    immediates: ImmediateList<NODE_BITS, NODES, WAITING_IMMEDIATE_BITS>,
    ticks: TickCounter,
    good: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    // Refused packets to be counted. Of each header one counter is told, so that no more wait than are between here and the gate's verdict.
    refusals: Reg<Bits<6>>,
}

impl BitmapReceivePath {
    /// A new one.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        let pools = usize::from(pool != 0);
        Self {
            buffer: PacketBuffer::new(),
            gate: ArrivalGate::new(),
            writer: MemoryWriter::new(),
            feedback: FeedbackPath::with(true, false, pool),
            cfg_slide_step: some(1 - pools),
            cfg_base_length: some(pools),
            cfg_max_length: some(pools),
            cfg_bandwidth: some(pools),
            cfg_rtt: some(pools),
            cfg_packet_bits: some(pools),
            cfg_headroom: some(pools),
            cfg_load: some(pools),
            cfg_congestion: some(pools),
            cfg_qp_limit: some(pools),
            command_refused: some(pools),
            pool_free: some(pools),
            evt_psn_pool_exhausted: some(pools),
            evt_psn_window_shrunk: some(pools),
            _fixed: 1 - pools,
            _pools: pools,
            immediates: Default::default(),
            ..Default::default()
        }
    }
}

impl Logic for BitmapReceivePath {
    #[kernel]
    fn update(&mut self) {
        // Payload waits in its slot, headers go on.
        self.buffer.payload_valid.next = self.payload_valid.val();
        self.buffer.payload_data.next = self.payload_data.val();
        self.buffer.payload_last.next = self.payload_last.val();
        self.buffer.payload_drop.next = self.payload_drop.val();
        self.buffer.header_valid.next = self.header_valid.val();
        self.buffer.header_registry.next = self.header_registry.val();
        // A kind that has a slot: of what is refused payload and verdict keep their order with those of others.
        self.buffer.header_kind.next = bit_cast::<2, 1>(self.header_refused.val().into());
        self.buffer.header_src.next = bit_cast::<16, NODE_BITS>(self.header_qp.val());
        self.buffer.header_op.next = bits::<OP_BITS>(0);
        self.buffer.header_addr.next = self.header_addr.val();
        self.buffer.header_bytes.next = self.header_bytes.val();
        self.buffer.header_op_bytes.next = bits::<32>(0);
        self.buffer.header_count.next = bits::<16>(0);
        self.buffer.header_rkey.next = bits::<32>(0);
        self.buffer.header_imm_valid.next = self.header_imm_valid.val() && !self.header_refused.val();
        self.buffer.header_imm.next = bit_cast::<IMMEDIATE_BITS, 32>(self.header_imm.val())
            | (bit_cast::<IMMEDIATE_BITS, 24>(self.header_psn.val()) << 32)
            | (bit_cast::<IMMEDIATE_BITS, 4>(self.header_path.val()) << 56)
            | (bit_cast::<IMMEDIATE_BITS, 1>(self.header_retransmission.val().into()) << 60);

        // What becomes of each packet. No path runs from one block's `ready` through the next one's.
        self.packets.in_valid.next = self.buffer.packet_valid.val();
        self.buffer.packet_ready.next = self.packets.in_ready.val();
        self.packets.in_data.next = bit_cast::<BITMAP_PACKET_BITS, NODE_BITS>(self.buffer.packet_src.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<BITMAP_PACKET_BITS, 64>(self.buffer.packet_addr.val()) << NODE_BITS.to_bits::<8>())
            | (bit_cast::<BITMAP_PACKET_BITS, 16>(self.buffer.packet_bytes.val()) << (NODE_BITS + 64).to_bits::<8>())
            | (bit_cast::<BITMAP_PACKET_BITS, 1>(self.buffer.packet_imm_valid.val().into()) << (NODE_BITS + 80).to_bits::<8>())
            | (bit_cast::<BITMAP_PACKET_BITS, IMMEDIATE_BITS>(self.buffer.packet_imm.val()) << (NODE_BITS + 81).to_bits::<8>())
            | (bit_cast::<BITMAP_PACKET_BITS, SLOT_BITS>(self.buffer.packet_slot.val()) << (NODE_BITS + 142).to_bits::<8>())
            | (bit_cast::<BITMAP_PACKET_BITS, 1>(self.buffer.packet_kind.val().get_bit(0).into())
                << (NODE_BITS + SLOT_BITS + 142).to_bits::<8>());
        self.good.next = !self.packets.out_data.val().get_bit(NODE_BITS + 80) || self.immediates.room.val();
        self.goes.next = self.gate.packet_ready.val() && self.feedback.room.val();
        self.gate.packet_valid.next = self.packets.out_valid.val() && self.feedback.room.val();
        self.packets.out_ready.next = self.goes.val();
        self.gate.packet_good.next = self.good.val();
        self.gate.packet_qp.next = self.packets.out_data.val().get_bits::<NODE_BITS>(0);
        self.gate.packet_addr.next = self.packets.out_data.val().get_bits::<64>(NODE_BITS);
        self.gate.packet_refused.next = self.packets.out_data.val().get_bit(NODE_BITS + SLOT_BITS + 142);
        self.gate.packet_bytes.next = self.packets.out_data.val().get_bits::<16>(NODE_BITS + 64);
        self.gate.packet_imm_valid.next = self.packets.out_data.val().get_bit(NODE_BITS + 80);
        self.gate.packet_imm.next = self.packets.out_data.val().get_bits::<32>(NODE_BITS + 81);
        self.gate.packet_psn.next = self.packets.out_data.val().get_bits::<24>(NODE_BITS + 113);
        self.gate.packet_slot.next = self.packets.out_data.val().get_bits::<SLOT_BITS>(NODE_BITS + 142);
        self.gate.packet_tag.next = self.feedback.packet_tag.val();
        self.evt_immediate_full.next = self.packets.out_valid.val() && self.goes.val() && !self.good.val();
        self.buffer.slot_free_valid.next = self.gate.slot_free_valid.val();
        self.gate.slot_free_ready.next = self.buffer.slot_free_ready.val();
        self.buffer.slot_free_slot.next = self.gate.slot_free_slot.val();
        self.buffer.slot_read_valid.next = self.writer.slot_read_valid.val();
        self.writer.slot_read_ready.next = self.buffer.slot_read_ready.val();
        self.buffer.slot_read_slot.next = self.writer.slot_read_slot.val();
        self.gate.command_valid.next = self.command_valid.val();
        self.command_ready.next = self.gate.command_ready.val();
        self.gate.command_open.next = self.command_open.val();
        self.gate.command_qp.next = self.command_qp.val();
        self.gate.command_psn.next = self.command_psn.val();
        self.command_done.next = self.gate.command_done.val();
        self.failed_valid.next = self.gate.failed_valid.val();
        self.failed_qp.next = self.gate.failed_qp.val();

        // Payload to memory.
        self.writer.write_valid.next = self.gate.write_valid.val();
        self.gate.write_ready.next = self.writer.write_ready.val();
        self.writer.write_tag.next = self.gate.write_tag.val();
        self.writer.write_slot.next = self.gate.write_slot.val();
        self.writer.write_addr.next = self.gate.write_addr.val();
        self.writer.write_bytes.next = self.gate.write_bytes.val();
        self.gate.write_done_valid.next = self.writer.write_done_valid.val();
        self.gate.write_done_tag.next = self.writer.write_done_tag.val();
        self.gate.write_done_ok.next = self.writer.write_done_ok.val();
        self.buffer.read_slot.next = self.writer.read_slot.val();
        self.buffer.read_beat.next = self.writer.read_beat.val();
        self.writer.read_data.next = self.buffer.read_data.val();
        TaggedWrites::link(&mut self.m_axi, &mut self.writer.m_axi);

        // What the host is told.
        self.immediates.reserve.next =
            self.packets.out_valid.val() && self.goes.val() && self.good.val() && self.packets.out_data.val().get_bit(NODE_BITS + 80);
        self.immediates.lost.next = self.gate.imm_valid.val() && !self.gate.imm_new.val();
        self.immediates.in_valid.next = self.gate.imm_valid.val() && self.gate.imm_new.val();
        self.immediates.in_qp.next = self.gate.imm_qp.val();
        self.immediates.in_psn.next = self.gate.imm_psn.val();
        self.immediates.in_imm.next = self.gate.imm.val();
        self.immediates.in_addr.next = self.gate.imm_addr.val();
        self.immediates.in_bytes.next = self.gate.imm_bytes.val();
        self.immediates.open_valid.next = self.gate.feedback_valid.val() && self.feedback.command_ready.val();
        self.immediates.open_open.next = self.gate.feedback_open.val();
        self.immediates.open_qp.next = self.gate.feedback_qp.val();
        self.immediates.open_psn.next = self.gate.feedback_psn.val();
        self.immediates.told_valid.next = self.feedback.told_valid[0].val();
        self.immediates.told_qp.next = self.feedback.told_qp[0].val();
        self.immediates.told_psn.next = self.feedback.told_psn[0].val();
        self.complete_valid.next = self.immediates.out_valid.val();
        self.immediates.out_ready.next = self.complete_ready.val();
        self.complete_src.next = bit_cast::<16, NODE_BITS>(self.immediates.out_qp.val());
        self.complete_base.next = self.immediates.out_addr.val();
        self.complete_bytes.next = bit_cast::<32, 16>(self.immediates.out_bytes.val());
        self.complete_imm.next = self.immediates.out_imm.val();

        // What senders are told of each packet, once it is written.
        self.feedback.packet_valid.next = self.packets.out_valid.val() && self.goes.val();
        self.feedback.packet_counts.next = true;
        self.feedback.packet_qp.next = self.packets.out_data.val().get_bits::<NODE_BITS>(0);
        self.feedback.packet_psn.next = self.packets.out_data.val().get_bits::<24>(NODE_BITS + 113);
        self.feedback.packet_path.next = self.packets.out_data.val().get_bits::<4>(NODE_BITS + 137);
        self.feedback.packet_retransmission.next = self.packets.out_data.val().get_bit(NODE_BITS + 141);
        self.feedback.packet_slot.next = self.packets.out_data.val().get_bits::<SLOT_BITS>(NODE_BITS + 142);
        self.feedback.verdict_valid.next = self.gate.verdict_valid.val();
        self.feedback.verdict_tag.next = self.gate.verdict_tag.val();
        self.feedback.verdict_code.next = self.gate.verdict_code.val();
        self.feedback.verdict_reason.next = bits::<8>(0);
        self.feedback.write_valid.next = (self.gate.write_valid.val() && self.writer.write_ready.val()) || self.gate.refused_valid.val();
        self.feedback.write_tag.next = self.gate.write_tag.val();
        self.feedback.write_slot.next = self.gate.write_slot.val();
        self.feedback.write_done_valid.next = self.gate.done_valid.val();
        self.feedback.write_done_tag.next = self.gate.done_tag.val();
        self.feedback.command_valid.next = self.gate.feedback_valid.val();
        self.gate.feedback_ready.next = self.feedback.command_ready.val();
        self.feedback.command_open.next = self.gate.feedback_open.val();
        self.feedback.command_qp.next = self.gate.feedback_qp.val();
        self.feedback.command_psn.next = self.gate.feedback_psn.val();
        self.gate.feedback_done.next = self.feedback.command_done.val();
        self.feedback.cfg_prescale.next = self.cfg_prescale.val();
        GapConfig::link(&mut self.cfg_gap, &mut self.feedback.cfg_gap);
        self.feedback.cfg_by_arrivals.next = self.cfg_by_arrivals.val();
        self.gate.feedback_refused.next = false;
        for w in 0..self._fixed {
            self.feedback.cfg_slide_step[w].next = self.cfg_slide_step[w].val();
        }
        for w in 0..self._pools {
            self.feedback.cfg_base_length[w].next = self.cfg_base_length[w].val();
            self.feedback.cfg_max_length[w].next = self.cfg_max_length[w].val();
            self.feedback.cfg_bandwidth[w].next = self.cfg_bandwidth[w].val();
            self.feedback.cfg_rtt[w].next = self.cfg_rtt[w].val();
            self.feedback.cfg_packet_bits[w].next = self.cfg_packet_bits[w].val();
            self.feedback.cfg_headroom[w].next = self.cfg_headroom[w].val();
            self.feedback.cfg_load[w].next = self.cfg_load[w].val();
            self.feedback.cfg_congestion[w].next = self.cfg_congestion[w].val();
            self.feedback.cfg_qp_limit[w].next = self.cfg_qp_limit[w].val();
            self.gate.feedback_refused.next = self.feedback.command_refused[w].val();
            self.command_refused[w].next = self.gate.command_refused.val();
            self.pool_free[w].next = self.feedback.pool_free[w].val();
            self.evt_psn_pool_exhausted[w].next = self.feedback.evt_exhausted[w].val();
            self.evt_psn_window_shrunk[w].next = self.feedback.evt_shrunk[w].val();
        }
        LocalAddress::link(&mut self.cfg_local, &mut self.feedback.cfg_local);
        self.feedback.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.feedback.cfg_node);
        self.feedback.cfg_node_qp.next = self.cfg_node_qp.val();
        Frames::link(&mut self.out, &mut self.feedback.out);

        // What is seen of it.
        self.ticks.prescale.next = self.cfg_prescale.val();
        self.now.next = self.ticks.now.val();
        self.payload_ready.next = self.buffer.payload_ready.val();
        self.header_ready.next = self.buffer.header_ready.val();
        self.evt_psn.psn_new.next = self.feedback.evt_new.val();
        self.evt_psn.psn_duplicate.next = self.feedback.evt_duplicate.val();
        self.evt_psn.psn_gap.next = self.feedback.evt_gap.val();
        self.evt_psn.psn_report.next = self.feedback.evt_report.val();
        self.evt_psn.psn_repeat.next = self.feedback.evt_repeat.val();
        self.evt_psn.psn_misjudged.next = self.feedback.evt_misjudged.val();
        self.evt_psn.psn_folded.next = self.feedback.evt_folded.val();
        self.evt_psn.psn_dropped.next = self.feedback.evt_dropped.val();
        self.evt_psn.psn_falls_behind.next = self.feedback.evt_falls_behind.val();
        self.evt_psn.psn_rebuilt.next = self.feedback.evt_rebuilt.val();
        self.evt_psn.psn_ack.next = self.feedback.evt_ack.val();
        self.evt_psn.psn_ffm.next = self.feedback.evt_ffm.val();
        self.evt_psn.psn_range.next = self.feedback.evt_range.val();
        self.evt_psn.psn_unknown_node.next = self.feedback.evt_unknown_node.val();
        self.evt_psn.psn_out_of_window.next = self.gate.evt_out_of_window.val();
        self.evt_psn.psn_closed.next = self.gate.evt_closed.val();
        self.evt_accepted.next = self.gate.evt_new.val();
        self.evt_duplicate.next = self.gate.evt_duplicate.val();
        self.evt_memory_errors.next = self.writer.evt_memory_errors.val();
        self.evt_memory_bursts.next = self.writer.evt_memory_bursts.val();
        self.evt_frame_no_slot.next = self.buffer.evt_frame_no_slot.val();
        self.evt_frame_foreign.next = self.buffer.evt_foreign.val() || self.refusals.q.val().any();
        self.refusals.d.next = self.refusals.q.val() + bit_cast::<6, 1>(self.gate.refused_valid.val().into());
        if self.refusals.q.val().any() && !self.buffer.evt_foreign.val() {
            self.refusals.d.next = self.refusals.q.val() + bit_cast::<6, 1>(self.gate.refused_valid.val().into()) - 1;
        }
        if self.rst.val() {
            self.refusals.d.next = bits::<6>(0);
        }
        self.ready.next = self.gate.ready.val() && self.feedback.room.val() && self.writer.write_ready.val();
        self.writes_idle.next = self.writer.idle.val();
        self.busy.next = !self.buffer.idle.val()
            || self.packets.out_valid.val()
            || !self.gate.idle.val()
            || !self.feedback.idle.val()
            || !self.immediates.idle.val();
    }
}
