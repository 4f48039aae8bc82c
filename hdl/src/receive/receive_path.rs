use super::{CompletionRepeat, ReceiveRegistry};
use crate::Described;
use crate::bus::{Completions, Frames, LocalAddress, NodeEntry, TaggedWrites};
use crate::csr::bundles::{RegistryConfig, RegistryEvents};
use crate::memory::{MemoryWriter, PacketBuffer};
use crate::primitives::SkidBuffer;
use crate::sizes::*;
use crate::wire::ControlBuilder;
use rust_hdl::prelude::*;

/// The receive side but its registers, its parser and its ring: headers and payload in, payload in memory, completions and control packets
/// out.
///
/// ```text
///  header, payload ─▶ packet buffer ─▶ registry ─▶ memory writer ─▶ m_axi
///                        ▲  slots ───────┴─────────────┘
///                                      registry ─▶ complete
///                                      registry ─▶ completion repeat ─▶ control builder ─▶ out
/// ```
///
/// What each part does is in its own documentation. A packet is acknowledged, and an operation completed, only when the memory has answered
/// the writes that it is about.
/// Latency: that of its blocks, and 1 clock each before the registry, the completions and the builder. Throughput: one beat of payload and
/// one header per clock.
/// Reset: empty; `ready` when the tables are clear.
/// Spec: overview, "Who acknowledges what", profile registry; receive registry.
#[derive(Default, Described, LogicBlock)]
pub struct ReceivePath {
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

    buffer: PacketBuffer,
    packets: SkidBuffer<REGISTRY_PACKET_BITS>,
    registry: ReceiveRegistry,
    writer: MemoryWriter,
    completions: SkidBuffer<COMPLETION_BITS>,
    notifications: SkidBuffer<152>,
    retold: CompletionRepeat,
    builder: ControlBuilder,
}

impl ReceivePath {
    /// A new one.
    pub fn new() -> Self {
        Self {
            buffer: PacketBuffer::new(),
            registry: ReceiveRegistry::new(),
            writer: MemoryWriter::new(),
            builder: ControlBuilder::new(),
            ..Default::default()
        }
    }
}

super::delivering! {
    ReceivePath
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
        self.buffer.header_imm.next = self.header_imm.val();

        // Where each packet belongs. No path runs from one block's `ready` through the next one's.
        self.packets.in_valid.next = self.buffer.packet_valid.val();
        self.buffer.packet_ready.next = self.packets.in_ready.val();
        self.packets.in_data.next = bit_cast::<REGISTRY_PACKET_BITS, 2>(self.buffer.packet_kind.val())
            | (bit_cast::<REGISTRY_PACKET_BITS, 16>(self.buffer.packet_src.val()) << 2)
            | (bit_cast::<REGISTRY_PACKET_BITS, OP_BITS>(self.buffer.packet_op.val()) << 18)
            | (bit_cast::<REGISTRY_PACKET_BITS, 64>(self.buffer.packet_addr.val()) << 42)
            | (bit_cast::<REGISTRY_PACKET_BITS, 16>(self.buffer.packet_bytes.val()) << 106)
            | (bit_cast::<REGISTRY_PACKET_BITS, 32>(self.buffer.packet_op_bytes.val()) << 122)
            | (bit_cast::<REGISTRY_PACKET_BITS, 16>(self.buffer.packet_count.val()) << 154)
            | (bit_cast::<REGISTRY_PACKET_BITS, 32>(self.buffer.packet_rkey.val()) << 170)
            | (bit_cast::<REGISTRY_PACKET_BITS, 1>(self.buffer.packet_imm_valid.val().into()) << 202)
            | (bit_cast::<REGISTRY_PACKET_BITS, 32>(self.buffer.packet_imm.val()) << 203)
            | (bit_cast::<REGISTRY_PACKET_BITS, SLOT_BITS>(self.buffer.packet_slot.val()) << 235);
        self.registry.header.valid.next = self.packets.out_valid.val();
        self.packets.out_ready.next = self.registry.header.ready.val();
        self.registry.header.slot.next = self.packets.out_data.val().get_bits::<SLOT_BITS>(235);
        self.registry.header.tag.next = bits::<16>(0);

        // What senders are told.
        self.notifications.in_valid.next = self.registry.notify.valid.val();
        self.registry.notify.ready.next = self.notifications.in_ready.val();
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
        Frames::link(&mut self.out, &mut self.builder.out);
        LocalAddress::link(&mut self.cfg_local, &mut self.builder.cfg_local);
        self.builder.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.builder.cfg_node);
        self.builder.cfg_node_qp.next = self.cfg_node_qp.val();

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
        self.ready.next = self.registry.header.ready.val();
        self.writes_idle.next = self.writer.idle.val();
        self.busy.next = !self.buffer.idle.val()
            || self.packets.out_valid.val()
            || !self.registry.idle.val()
            || self.notifications.out_valid.val()
            || self.builder.out.valid.val()
            || self.completions.out_valid.val();
    }
}
