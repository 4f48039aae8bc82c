use super::{CompletionRepeat, FeedbackPath, ReceiveRegistry};
use crate::Described;
use crate::bitmap::some;
use crate::bus::{Completions, Frames, LocalAddress, NodeEntry, TaggedWrites};
use crate::csr::bundles::{GapConfig, PsnEvents, RegistryConfig, RegistryEvents};
use crate::memory::{MemoryWriter, PacketBuffer};
use crate::primitives::SkidBuffer;
use crate::sizes::*;
use crate::wire::{ControlBuilder, FrameMerge};
use rust_hdl::prelude::*;

/// The receive side in the transport profile *combined*, but its registers, its parser and its ring: as
/// [`ReceivePath`](super::ReceivePath), and besides packets are acknowledged by their sequence number once their verdict is final.
///
/// ```text
///  header, payload ─▶ packet buffer ─▶ registry ─▶ memory writer ─▶ m_axi
///                        ▲  slots ───────┴─────────────┘
///                                      registry ─▶ complete
///                                      registry ─▶ control builder ─┬─▶ out
///          registry, memory writer ─▶ feedback path ────────────────┘
/// ```
///
/// What each part does is in its own documentation. The queue pair of a packet is that of its sending node; a packet of a node beyond the
/// last one has none. The positive acknowledgements of the registry (0xc3 with status 0) are not sent; its negative ones, remote
/// completions, acknowledgements by number and feedback messages leave as whole frames in turn. A queue pair is opened and closed by a
/// command; while it is closed its packets are counted and not acknowledged.
/// Latency: that of its blocks, and 1 clock each before the registry, the completions and the builder. Throughput: one beat of payload and
/// one header per clock.
/// Reset: empty, every queue pair closed; `ready` when the tables are clear.
/// Spec: overview, "Who acknowledges what", profile combined; receive registry; bitmap loss detection, "Receiver".
#[derive(Default, Described, LogicBlock)]
pub struct CombinedReceivePath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a header is there
    pub header_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `header_valid` is high too
    pub header_ready: Signal<Out, Bit>,
    /// it is for the receive registry
    pub header_registry: Signal<In, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub header_kind: Signal<In, Bits<2>>,
    /// sending node
    pub header_src: Signal<In, Bits<16>>,
    /// the sender's op number
    pub header_op: Signal<In, Bits<OP_BITS>>,
    /// target address
    pub header_addr: Signal<In, Bits<64>>,
    /// payload bytes; if there are any, one payload belongs to it
    pub header_bytes: Signal<In, Bits<16>>,
    /// start: bytes of the whole operation
    pub header_op_bytes: Signal<In, Bits<32>>,
    /// start: packets of the whole operation
    pub header_count: Signal<In, Bits<16>>,
    /// remote key
    pub header_rkey: Signal<In, Bits<32>>,
    /// an immediate comes with it
    pub header_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub header_imm: Signal<In, Bits<32>>,
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
    pub complete: Completions<MASK_BITS>,
    /// writes to memory
    pub m_axi: TaggedWrites<WRITE_BITS, DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// clocks per tick
    pub cfg_prescale: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_registry: RegistryConfig,
    /// ticks after which a remote completion is told once more, 0: never
    pub cfg_repeat_completion: Signal<In, Bits<7>>,
    /// ticks that a done word lives
    pub cfg_t_life: Signal<In, Bits<32>>,
    /// load one memory region
    pub cfg_region_write: Signal<In, Bit>,
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
    /// current tick
    pub now: Signal<Out, Bits<32>>,
    /// most entries ever live
    pub high_water_entries: Signal<Out, Bits<ROW_COUNT_BITS>>,
    /// live entries, two clocks ago
    pub entries_live: Signal<Out, Bits<ROW_COUNT_BITS>>,
    /// most escape slots ever used
    pub high_water_escape: Signal<Out, Bits<ESCAPE_COUNT_BITS>>,
    /// escape slots used
    pub escape_used: Signal<Out, Bits<ESCAPE_COUNT_BITS>>,
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
    /// counts headers thrown away: not for the registry
    pub evt_frame_foreign: Signal<Out, Bit>,
    #[port = "evt"]
    pub evt_registry: RegistryEvents,
    /// counts bursts answered
    pub evt_memory_bursts: Signal<Out, Bit>,
    /// counts frames made
    pub evt_control_frames: Signal<Out, Bit>,
    /// counts notifications dropped: no such node
    pub evt_control_unknown_node: Signal<Out, Bit>,
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
    packets: SkidBuffer<COMBINED_PACKET_BITS>,
    registry: ReceiveRegistry,
    writer: MemoryWriter,
    completions: SkidBuffer<COMPLETION_BITS>,
    notifications: SkidBuffer<152>,
    retold: CompletionRepeat,
    builder: ControlBuilder,
    feedback: FeedbackPath,
    _fixed: usize,
    _pools: usize,
    merge: FrameMerge<DATA_WIDTH, DATA_BYTES>,
    goes: Signal<Local, Bit>,
    positive: Signal<Local, Bit>,
}

impl CombinedReceivePath {
    /// A new one.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        let pools = usize::from(pool != 0);
        Self {
            buffer: PacketBuffer::new(),
            registry: ReceiveRegistry::new(),
            writer: MemoryWriter::new(),
            builder: ControlBuilder::new(),
            feedback: FeedbackPath::with(false, true, pool),
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
            ..Default::default()
        }
    }
}

super::delivering! {
    CombinedReceivePath
    {
        // Payload waits in its slot, headers go on.
        self.buffer.payload_valid.next = self.payload_valid.val();
        self.buffer.payload_data.next = self.payload_data.val();
        self.buffer.payload_last.next = self.payload_last.val();
        self.buffer.payload_drop.next = self.payload_drop.val();
        self.buffer.header_valid.next = self.header_valid.val();
        self.buffer.header_registry.next = self.header_registry.val();
        self.buffer.header_kind.next = self.header_kind.val();
        self.buffer.header_src.next = self.header_src.val();
        self.buffer.header_op.next = self.header_op.val();
        self.buffer.header_addr.next = self.header_addr.val();
        self.buffer.header_bytes.next = self.header_bytes.val();
        self.buffer.header_op_bytes.next = self.header_op_bytes.val();
        self.buffer.header_count.next = self.header_count.val();
        self.buffer.header_rkey.next = self.header_rkey.val();
        self.buffer.header_imm_valid.next = self.header_imm_valid.val();
        self.buffer.header_imm.next = bit_cast::<IMMEDIATE_BITS, 32>(self.header_imm.val())
            | (bit_cast::<IMMEDIATE_BITS, 24>(self.header_psn.val()) << 32)
            | (bit_cast::<IMMEDIATE_BITS, 4>(self.header_path.val()) << 56)
            | (bit_cast::<IMMEDIATE_BITS, 1>(self.header_retransmission.val().into()) << 60);

        // Where each packet belongs. No path runs from one block's `ready` through the next one's.
        self.packets.in_valid.next = self.buffer.packet_valid.val();
        self.buffer.packet_ready.next = self.packets.in_ready.val();
        self.packets.in_data.next = bit_cast::<COMBINED_PACKET_BITS, 2>(self.buffer.packet_kind.val())
            | (bit_cast::<COMBINED_PACKET_BITS, 16>(self.buffer.packet_src.val()) << 2)
            | (bit_cast::<COMBINED_PACKET_BITS, OP_BITS>(self.buffer.packet_op.val()) << 18)
            | (bit_cast::<COMBINED_PACKET_BITS, 64>(self.buffer.packet_addr.val()) << 42)
            | (bit_cast::<COMBINED_PACKET_BITS, 16>(self.buffer.packet_bytes.val()) << 106)
            | (bit_cast::<COMBINED_PACKET_BITS, 32>(self.buffer.packet_op_bytes.val()) << 122)
            | (bit_cast::<COMBINED_PACKET_BITS, 16>(self.buffer.packet_count.val()) << 154)
            | (bit_cast::<COMBINED_PACKET_BITS, 32>(self.buffer.packet_rkey.val()) << 170)
            | (bit_cast::<COMBINED_PACKET_BITS, 1>(self.buffer.packet_imm_valid.val().into()) << 202)
            | (bit_cast::<COMBINED_PACKET_BITS, IMMEDIATE_BITS>(self.buffer.packet_imm.val()) << 203)
            | (bit_cast::<COMBINED_PACKET_BITS, SLOT_BITS>(self.buffer.packet_slot.val()) << 264);
        self.registry.header.valid.next = self.packets.out_valid.val() && self.feedback.room.val();
        self.goes.next = self.registry.header.ready.val() && self.feedback.room.val();
        self.packets.out_ready.next = self.goes.val();
        self.registry.header.slot.next = self.packets.out_data.val().get_bits::<SLOT_BITS>(264);
        self.registry.header.tag.next = self.feedback.packet_tag.val();

        // What senders are told.
        // A packet that has arrived is acknowledged by its number.
        self.positive.next = self.registry.notify.kind.val().get_bit(1) && !self.registry.notify.status.val().any();
        self.notifications.in_valid.next = self.registry.notify.valid.val() && !self.positive.val();
        self.registry.notify.ready.next = self.notifications.in_ready.val() || self.positive.val();
        self.notifications.in_data.next = bit_cast::<152, 8>(self.registry.notify.kind.val())
            | (bit_cast::<152, 16>(self.registry.notify.src.val()) << 8)
            | (bit_cast::<152, OP_BITS>(self.registry.notify.op.val()) << 24)
            | (bit_cast::<152, 16>(self.registry.notify.index.val()) << 48)
            | (bit_cast::<152, 8>(self.registry.notify.status.val()) << 64)
            | (bit_cast::<152, 64>(self.registry.notify.mask.val()) << 72)
            | (bit_cast::<152, 16>(self.registry.notify.packets.val()) << 136);
        self.retold.cfg_prescale.next = self.cfg_prescale.val();
        self.retold.cfg_repeat.next = self.cfg_repeat_completion.val();
        self.retold.in_valid.next = self.notifications.out_valid.val();
        self.notifications.out_ready.next = self.retold.in_ready.val();
        self.retold.in_data.next = self.notifications.out_data.val();
        self.builder.notify_valid.next = self.retold.out_valid.val();
        self.retold.out_ready.next = self.builder.notify_ready.val();
        self.builder.notify_kind.next = self.retold.out_data.val().get_bits::<8>(0);
        self.builder.notify_src.next = self.retold.out_data.val().get_bits::<16>(8);
        self.builder.notify_op.next = self.retold.out_data.val().get_bits::<OP_BITS>(24);
        self.builder.notify_index.next = self.retold.out_data.val().get_bits::<16>(48);
        self.builder.notify_status.next = self.retold.out_data.val().get_bits::<8>(64);
        self.builder.notify_mask.next = self.retold.out_data.val().get_bits::<64>(72);
        self.builder.notify_packets.next = self.retold.out_data.val().get_bits::<16>(136);
        LocalAddress::link(&mut self.cfg_local, &mut self.builder.cfg_local);
        self.builder.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.builder.cfg_node);
        self.builder.cfg_node_qp.next = self.cfg_node_qp.val();

        // What senders are told of each packet, once it has its verdict.
        self.feedback.packet_valid.next = self.packets.out_valid.val() && self.goes.val();
        self.feedback.packet_counts.next =
            !self.packets.out_data.val().get_bit(1) && !(self.packets.out_data.val().get_bits::<16>(2) >> NODE_BITS.to_bits::<5>()).any();
        self.feedback.packet_qp.next = self.packets.out_data.val().get_bits::<NODE_BITS>(2);
        self.feedback.packet_psn.next = self.packets.out_data.val().get_bits::<24>(235);
        self.feedback.packet_path.next = self.packets.out_data.val().get_bits::<4>(259);
        self.feedback.packet_retransmission.next = self.packets.out_data.val().get_bit(263);
        self.feedback.packet_slot.next = self.packets.out_data.val().get_bits::<SLOT_BITS>(264);
        self.feedback.verdict_valid.next = self.registry.verdict.valid.val();
        self.feedback.verdict_tag.next = self.registry.verdict.tag.val();
        self.feedback.verdict_code.next = self.registry.verdict.code.val();
        self.feedback.verdict_reason.next = self.registry.verdict.reason.val();
        self.feedback.write_valid.next = self.registry.write.valid.val() && self.writer.write_ready.val();
        self.feedback.write_tag.next = self.registry.write.tag.val();
        self.feedback.write_slot.next = self.registry.write.slot.val();
        self.feedback.write_done_valid.next = self.writer.write_done_valid.val();
        self.feedback.write_done_tag.next = self.writer.write_done_tag.val();
        self.feedback.command_valid.next = self.command_valid.val();
        self.command_ready.next = self.feedback.command_ready.val();
        self.feedback.command_open.next = self.command_open.val();
        self.feedback.command_qp.next = self.command_qp.val();
        self.feedback.command_psn.next = self.command_psn.val();
        self.command_done.next = self.feedback.command_done.val();
        self.feedback.cfg_prescale.next = self.cfg_prescale.val();
        GapConfig::link(&mut self.cfg_gap, &mut self.feedback.cfg_gap);
        self.feedback.cfg_by_arrivals.next = self.cfg_by_arrivals.val();
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
            self.command_refused[w].next = self.feedback.command_refused[w].val();
            self.pool_free[w].next = self.feedback.pool_free[w].val();
            self.evt_psn_pool_exhausted[w].next = self.feedback.evt_exhausted[w].val();
            self.evt_psn_window_shrunk[w].next = self.feedback.evt_shrunk[w].val();
        }
        LocalAddress::link(&mut self.cfg_local, &mut self.feedback.cfg_local);
        self.feedback.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.feedback.cfg_node);
        self.feedback.cfg_node_qp.next = self.cfg_node_qp.val();
        Frames::join(&mut self.builder.out, &mut self.merge.a);
        Frames::join(&mut self.feedback.out, &mut self.merge.b_frames);
        Frames::link(&mut self.out, &mut self.merge.out);

        // What is seen of it.
        self.payload_ready.next = self.buffer.payload_ready.val();
        self.header_ready.next = self.buffer.header_ready.val();
        self.complete.valid.next = self.completions.out_valid.val();
        self.now.next = self.registry.now.val();
        self.high_water_entries.next = self.registry.high_water_entries.val();
        self.entries_live.next = self.registry.entries_live.val();
        self.high_water_escape.next = self.registry.high_water_escape.val();
        self.escape_used.next = self.registry.escape_used.val();
        self.evt_memory_errors.next = self.writer.evt_memory_errors.val();
        self.evt_frame_no_slot.next = self.buffer.evt_frame_no_slot.val();
        self.evt_frame_foreign.next = self.buffer.evt_foreign.val();
        RegistryEvents::link(&mut self.evt_registry, &mut self.registry.evt_registry);
        self.evt_memory_bursts.next = self.writer.evt_memory_bursts.val();
        self.evt_control_frames.next = self.builder.evt_frame.val();
        self.evt_control_unknown_node.next = self.builder.evt_unknown_node.val();
        self.evt_psn.psn_new.next = self.feedback.evt_new.val();
        self.evt_psn.psn_duplicate.next = self.feedback.evt_duplicate.val();
        self.evt_psn.psn_out_of_window.next = self.feedback.evt_out_of_window.val();
        self.evt_psn.psn_closed.next = self.feedback.evt_closed.val();
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
        self.ready.next = self.goes.val();
        self.writes_idle.next = self.writer.idle.val();
        self.busy.next = !self.buffer.idle.val()
            || self.packets.out_valid.val()
            || !self.registry.idle.val()
            || !self.feedback.idle.val()
            || self.notifications.out_valid.val()
            || self.builder.out.valid.val()
            || self.completions.out_valid.val();
    }
}
