use super::{BusDrain, FrameGate};
use crate::bus::{BufferBus, CdmaBus, CommandsIn, Completions, DescriptorBus, Frames, FramesIn, FramesOut, RegisterBus, TaggedWrites};
use crate::csr::bundles::{RegistryConfigSource, RegistryEvents, SendConfigSource, SendEvents};
use crate::csr::endpoint::Parameters;
use crate::csr::{EndpointRegisters, RegisterMap};
use crate::memory::{AxiWriteMerge, CompletionMerge, CompletionQueue};
use crate::primitives::{Reg, SkidBuffer};
use crate::receive::ReceivePath;
use crate::send::{CommandIntake, SendPath};
use crate::sizes::*;
use crate::wire::{FrameMerge, FrameParser};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Endpoint in the registry transport profile, both directions: commands and frames in, frames, memory and completions out.
///
/// ```text
///  s_axis_rx ─▶ gate ─▶ parser ─▶ receive path ─▶ memory writes ──┐
///                          └─▶ acknowledgements      │ │          ├─ merge ─▶ m_axi
///                                  ▼                 │ └▶ queue ──┘
///  s_axis_command ─▶ intake ─▶ send path ─▶ completions ──▲
///                          ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer    control packets, data ─▶ m_axis_tx
///  s_axi_ctrl ─▶ registers, irq
/// ```
///
/// `ReceiveEndpoint` and `SendEndpoint` in one, with one parser, one set of registers, one ring of completions and one way out: what they say of their ports and of reset
/// holds here. Acknowledgements go to the send side, everything else to the receive side, and neither waits for the other; of the frames that go out, control packets and
/// data take turns, frame by frame.
/// Latency and throughput: those of the two paths.
/// Spec: overview, "Who acknowledges what", profile registry; receive registry; send path; wire format.
#[derive(Default, Described, LogicBlock)]
#[described(reset = "drain.restart")]
pub struct Endpoint {
    /// clock of everything
    pub aclk: Signal<In, Clock>,
    /// synchronous reset, active low, 4 clocks at least
    pub aresetn: Signal<In, Bit>,
    /// frames from the MAC
    pub s_axis_rx: FramesIn<DATA_WIDTH, DATA_BYTES>,
    /// frames for the MAC
    pub m_axis_tx: FramesOut<DATA_WIDTH, DATA_BYTES>,
    /// commands
    pub s_axis_command: CommandsIn<608>,
    /// descriptor ring
    pub s_axi_sg: DescriptorBus<DESCRIPTOR_BYTE_BITS>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_sg_arsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_sg_arburst: Signal<In, Bits<2>>,
    /// not looked at: writes have one beat
    pub s_axi_sg_awlen: Signal<In, Bits<8>>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_sg_awsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_sg_awburst: Signal<In, Bits<2>>,
    /// registers of the CDMA
    pub m_axi_cdma: CdmaBus<6>,
    /// send buffer
    pub s_axi_buffer: BufferBus<DATA_WIDTH, DATA_BYTES>,
    /// not looked at: reads are refused
    pub s_axi_buffer_araddr: Signal<In, Bits<64>>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_buffer_arsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_buffer_arburst: Signal<In, Bits<2>>,
    /// writes to memory
    pub m_axi: TaggedWrites<WRITE_COUNT_BITS, DATA_WIDTH, DATA_BYTES>,
    /// log2 of the bytes of a beat
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    /// 1: INCR
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// 3: normal memory, not cached, bufferable
    pub m_axi_awcache: Signal<Out, Bits<4>>,
    /// 0: data, secure, unprivileged
    pub m_axi_awprot: Signal<Out, Bits<3>>,
    /// registers
    pub s_axi_ctrl: RegisterBus<12>,
    /// level: a bit is set in both interrupt registers
    pub irq: Signal<Out, Bit>,

    reset: Reg<Bit>,
    gate: FrameGate,
    drain: BusDrain<10>,
    registers: EndpointRegisters,
    parser: FrameParser,
    receive: ReceivePath,
    intake: CommandIntake,
    send: SendPath,
    commands: SkidBuffer<56>,
    merged: CompletionMerge<MASK_BITS>,
    queue: CompletionQueue,
    merge: AxiWriteMerge,
    frames: FrameMerge<DATA_WIDTH, DATA_BYTES>,
    // Clocks without anything under way but writes.
    quiet: Reg<Bits<6>>,
    up: Reg<Bit>,
    busy: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
    remote: Signal<Local, Bit>,
    acknowledges: Signal<Local, Bit>,
}

impl Endpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        let parameters = Parameters {
            completion_stream: 0,
            entries: ROWS as u32 - 4,
            mask_bits: MASK_BITS as u32,
            packet_size: 1 << PACKET_BITS,
            sources: NODES as u32,
            index_bits: OP_INDEX_BITS as u32,
            escape_slots: ESCAPE_SLOTS as u32,
            writes: WRITES as u32,
            data_width: DATA_WIDTH as u32,
            regions: REGIONS as u32,
            queue_pairs: QUEUE_PAIRS as u32,
            commands: COMMANDS as u32,
            slots: SLOTS as u32,
            ring: 1 << DESCRIPTOR_BITS,
            length_bits: BTT_BITS as u32,
            dma_width: 8 << DMA_LANE_BITS,
            realign: REALIGN as u32,
            ops: 1 << OP_INDEX_BITS,
        };
        Self {
            registers: EndpointRegisters::new(&parameters),
            parser: FrameParser::new(),
            receive: ReceivePath::new(),
            send: SendPath::new(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }

    /// The registers that software sees.
    pub fn map(&self) -> &RegisterMap {
        self.registers.map()
    }
}

impl Logic for Endpoint {
    #[kernel]
    fn update(&mut self) {
        // One register inverts the reset: the registers, the gate and the drain have it, everything else the drain. It is late by a clock, in
        // which no handshake may happen; so it also stands before every `valid`, and every `ready` that may be high.
        self.reset.d.next = !self.aresetn.val();
        self.drain.rst.next = self.reset.q.val();
        self.gate.rst.next = self.reset.q.val();
        self.registers.rst.next = self.reset.q.val();

        // Frames in.
        self.gate.enable.next = self.registers.cfg_control_enable.val() && !self.drain.draining.val();
        self.gate.cut.next = self.drain.draining.val();
        self.gate.in_valid.next = self.s_axis_rx.tvalid.val() && !self.reset.q.val();
        self.s_axis_rx.tready.next = self.gate.in_ready.val() && !self.reset.q.val();
        self.gate.in_last.next = self.s_axis_rx.tlast.val();
        self.gate.out_ready.next = self.parser.in_ready.val();
        self.parser.in_valid.next = self.gate.out_valid.val();
        self.parser.in_data.next = self.s_axis_rx.tdata.val();
        self.parser.in_keep.next = self.s_axis_rx.tkeep.val();
        self.parser.in_last.next = self.s_axis_rx.tlast.val();
        self.parser.in_crc_ok.next = !self.s_axis_rx.tuser.val().any();
        self.parser.cfg_qp_write.next =
            self.registers.do_qp_load.val() && !(self.registers.cfg_qp_index.val() >> QUEUE_PAIR_BITS.to_bits::<4>()).any();
        self.parser.cfg_qp_index.next = self.registers.cfg_qp_index.val().get_bits::<QUEUE_PAIR_BITS>(0);
        self.parser.cfg_qp_number.next = self.registers.cfg_qp_entry_number.val();
        self.parser.cfg_qp_valid.next = self.registers.cfg_qp_entry_valid.val();
        self.receive.payload_valid.next = self.parser.payload_valid.val();
        self.receive.payload_data.next = self.parser.payload_data.val();
        self.receive.payload_last.next = self.parser.payload_last.val();
        self.receive.payload_drop.next = self.parser.payload_drop.val();
        self.parser.payload_ready.next = self.receive.payload_ready.val();
        self.acknowledges.next = self.ack.val() || self.remote.val();
        self.receive.header_valid.next = self.parser.header_valid.val() && !self.acknowledges.val();
        self.parser.header_ready.next = self.receive.header_ready.val() || self.acknowledges.val();
        self.receive.header_registry.next = self.parser.header_registry.val();
        self.receive.header_kind.next = self.parser.header_kind.val();
        self.receive.header_src.next = self.parser.header_src.val();
        self.receive.header_op.next = self.parser.header_op.val();
        self.receive.header_addr.next = self.parser.header_addr.val();
        self.receive.header_bytes.next = self.parser.header_bytes.val();
        self.receive.header_op_bytes.next = self.parser.header_op_bytes.val();
        self.receive.header_count.next = self.parser.header_count.val();
        self.receive.header_rkey.next = self.parser.header_rkey.val();
        self.receive.header_imm_valid.next = self.parser.header_imm_valid.val();
        self.receive.header_imm.next = self.parser.header_imm.val();

        // Acknowledgements in: 0xc3 and 0xc1. Everything else goes to the receive side.
        self.ack.next = self.parser.header_opcode.val() == bits::<8>(0xc3);
        self.remote.next = self.parser.header_opcode.val() == bits::<8>(0xc1);
        self.send.ack_valid.next = self.parser.header_valid.val() && (self.ack.val() || self.remote.val());
        self.send.ack_kind.next = self.remote.val();
        self.send.ack_op.next = self.parser.header_body.val().get_bits::<OP_BITS>(200);
        self.send.ack_first.next = self.parser.header_body.val().get_bits::<16>(176);
        self.send.ack_status.next = self.parser.header_body.val().get_bits::<8>(192);
        self.send.ack_mask.next = self.parser.header_body.val().get_bits::<64>(96);

        // Commands, of software and of a stream.
        self.intake.post.next = self.registers.do_command_post.val();
        self.intake.post_data.next = bit_cast::<608, 16>(self.registers.cfg_command_id.val())
            | (bit_cast::<608, 16>(self.registers.cfg_command_node.val()) << 16)
            | (bit_cast::<608, 24>(self.registers.cfg_command_qp.val()) << 32)
            | (bit_cast::<608, 32>(self.registers.cfg_command_rkey.val()) << 64)
            | (bit_cast::<608, 64>(self.registers.cfg_command_target.val()) << 96)
            | (bit_cast::<608, 32>(self.registers.cfg_command_imm.val()) << 160)
            | (bit_cast::<608, 1>(self.registers.cfg_command_options_imm_valid.val().into()) << 192)
            | (bit_cast::<608, 1>(self.registers.cfg_command_options_arrival.val().into()) << 193)
            | (bit_cast::<608, 3>(self.registers.cfg_command_options_blocks.val()) << 200)
            | (bit_cast::<608, 64>(self.registers.cfg_command_source_0.val()) << 224)
            | (bit_cast::<608, 64>(self.registers.cfg_command_source_1.val()) << 288)
            | (bit_cast::<608, 64>(self.registers.cfg_command_source_2.val()) << 352)
            | (bit_cast::<608, 64>(self.registers.cfg_command_source_3.val()) << 416)
            | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_0.val()) << 480)
            | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_1.val()) << 512)
            | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_2.val()) << 544)
            | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_3.val()) << 576);
        self.intake.in_valid.next = self.s_axis_command.tvalid.val() && !self.reset.q.val();
        self.s_axis_command.tready.next = self.intake.in_ready.val() && !self.reset.q.val();
        self.intake.in_data.next = self.s_axis_command.tdata.val();

        // Nothing new begins while the buses come to rest.
        self.opens.next = self.registers.cfg_control_enable.val() && !self.drain.draining.val();
        self.send.command.valid.next = self.intake.command_valid.val() && self.opens.val();
        self.intake.command_ready.next = self.send.command.ready.val() && self.opens.val();
        self.send.command.id.next = self.intake.command_id.val();
        self.send.command.target.next = self.intake.command_target.val();
        self.send.command.node.next = self.intake.command_node.val();
        self.send.command.qp.next = self.intake.command_qp.val();
        self.send.command.rkey.next = self.intake.command_rkey.val();
        self.send.command.imm_valid.next = self.intake.command_imm_valid.val();
        self.send.command.imm.next = self.intake.command_imm.val();
        self.send.command.arrival.next = self.intake.command_arrival.val();
        self.send.command.sources.next = self.intake.command_sources.val();
        self.send.command.lengths.next = self.intake.command_lengths.val();
        self.send.command.blocks.next = self.intake.command_blocks.val();
        self.registers.status_command_state_busy.next = self.intake.busy.val();
        self.registers.set_interrupt_status_post_dropped.next = self.intake.evt_posts_dropped.val();
        self.registers.evt_posts_dropped.next = self.intake.evt_posts_dropped.val();

        // The buses of the CDMA.
        DescriptorBus::gate(&mut self.s_axi_sg, &mut self.send.s_axi_sg, !self.reset.q.val());
        CdmaBus::gate(&mut self.m_axi_cdma, &mut self.send.m_axi_lite, !self.reset.q.val());
        BufferBus::gate(&mut self.s_axi_buffer, &mut self.send.s_axi_buffer, !self.reset.q.val());
        self.send.cfg_pause.next = self.drain.draining.val();

        // How it is set.
        self.receive.cfg_prescale.next = self.registers.cfg_prescale.val();
        self.receive.cfg_repeat_completion.next = self.registers.cfg_repeat_completion.val();
        RegistryConfigSource::join(&mut self.registers.cfg_registry, &mut self.receive.cfg_registry);
        self.receive.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.receive.cfg_region_write.next = self.registers.do_region_load.val();

        // What the host is told.
        Completions::join(&mut self.receive.complete, &mut self.merged.receive);
        self.commands.in_valid.next = self.send.completion.valid.val();
        self.send.completion.ready.next = self.commands.in_ready.val();
        self.commands.in_data.next = bit_cast::<56, 16>(self.send.completion.id.val())
            | (bit_cast::<56, 8>(self.send.completion.status.val()) << 16)
            | (bit_cast::<56, 32>(self.send.completion.bytes.val()) << 24);
        self.merged.command_valid.next = self.commands.out_valid.val();
        self.commands.out_ready.next = self.merged.command_ready.val();
        self.merged.command_id.next = self.commands.out_data.val().get_bits::<16>(0);
        self.merged.command_status.next = self.commands.out_data.val().get_bits::<8>(16);
        self.merged.command_bytes.next = self.commands.out_data.val().get_bits::<32>(24);
        self.merged.cfg_source_node.next = self.registers.cfg_source_node.val();
        Completions::join(&mut self.merged.complete, &mut self.queue.complete);
        self.queue.now.next = self.receive.now.val();
        self.queue.cfg_ring_base.next = self.registers.cfg_ring_base.val();
        self.queue.cfg_ring_size_log2.next = self.registers.cfg_ring_size_log2.val();
        self.queue.cfg_ring_consumer.next = self.registers.cfg_ring_consumer.val();
        self.queue.cfg_coalesce_count.next = self.registers.cfg_coalesce_count.val();
        self.queue.cfg_coalesce_delay.next = self.registers.cfg_coalesce_delay.val();

        // One bus. While it drains no address passes, so no burst begins.
        self.merge.a_axi.awvalid.next = self.receive.m_axi.awvalid.val() && !self.drain.draining.val();
        self.receive.m_axi.awready.next = self.merge.a_axi.awready.val() && !self.drain.draining.val();
        self.merge.a_axi.awid.next = self.receive.m_axi.awid.val();
        self.merge.a_axi.awaddr.next = self.receive.m_axi.awaddr.val();
        self.merge.a_axi.awlen.next = self.receive.m_axi.awlen.val();
        self.merge.a_axi.wvalid.next = self.receive.m_axi.wvalid.val();
        self.merge.a_axi.wdata.next = self.receive.m_axi.wdata.val();
        self.merge.a_axi.wstrb.next = self.receive.m_axi.wstrb.val();
        self.merge.a_axi.wlast.next = self.receive.m_axi.wlast.val();
        self.merge.a_axi.bready.next = self.receive.m_axi.bready.val();
        self.receive.m_axi.wready.next = self.merge.a_axi.wready.val();
        self.receive.m_axi.bvalid.next = self.merge.a_axi.bvalid.val();
        self.receive.m_axi.bid.next = self.merge.a_axi.bid.val();
        self.receive.m_axi.bresp.next = self.merge.a_axi.bresp.val();
        self.merge.b_axi.awvalid.next = self.queue.m_axi.awvalid.val() && !self.drain.draining.val();
        self.queue.m_axi.awready.next = self.merge.b_axi.awready.val() && !self.drain.draining.val();
        self.merge.b_axi.awaddr.next = self.queue.m_axi.awaddr.val();
        self.merge.b_axi.awlen.next = self.queue.m_axi.awlen.val();
        self.merge.b_axi.wvalid.next = self.queue.m_axi.wvalid.val();
        self.merge.b_axi.wdata.next = self.queue.m_axi.wdata.val();
        self.merge.b_axi.wstrb.next = self.queue.m_axi.wstrb.val();
        self.merge.b_axi.wlast.next = self.queue.m_axi.wlast.val();
        self.merge.b_axi.bready.next = self.queue.m_axi.bready.val();
        self.queue.m_axi.wready.next = self.merge.b_axi.wready.val();
        self.queue.m_axi.bvalid.next = self.merge.b_axi.bvalid.val();
        self.queue.m_axi.bresp.next = self.merge.b_axi.bresp.val();
        TaggedWrites::gate(&mut self.m_axi, &mut self.merge.m_axi, !self.reset.q.val());
        self.m_axi_awburst.next = self.merge.m_axi_awburst.val();
        self.m_axi_awsize.next = AXI_SIZE.to_bits::<3>();
        self.m_axi_awcache.next = bits::<4>(3);
        self.m_axi_awprot.next = bits::<3>(0);
        self.drain.begins.next = (self.merge.a_axi.awvalid.val() && self.merge.a_axi.awready.val())
            || (self.merge.b_axi.awvalid.val() && self.merge.b_axi.awready.val());
        self.drain.answered.next = self.m_axi.bvalid.val() && self.merge.m_axi.bready.val();
        self.drain.hold.next = !self.send.bus_idle.val();
        self.drain.request.next = self.registers.do_control_soft_reset.val();

        // Frames out: control packets and data in turn.
        Frames::join(&mut self.receive.out, &mut self.frames.a);
        Frames::join(&mut self.send.out, &mut self.frames.b_frames);
        self.drain.frame_valid.next = self.frames.out.valid.val();
        self.drain.frame_ready.next = self.m_axis_tx.tready.val();
        self.drain.frame_last.next = self.frames.out.last.val();
        self.m_axis_tx.tvalid.next = self.drain.frame_passes.val() && !self.reset.q.val();
        self.frames.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
        self.m_axis_tx.tdata.next = self.frames.out.data.val();
        self.m_axis_tx.tkeep.next = self.frames.out.keep.val();
        self.m_axis_tx.tlast.next = self.frames.out.last.val();
        self.receive.cfg_local.mac.next = self.registers.cfg_local_mac.val();
        self.receive.cfg_local.ip4.next = self.registers.cfg_local_ip_3.val();
        self.receive.cfg_local.ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
        self.receive.cfg_local.vlan_on.next = self.registers.cfg_local_vlan_on.val();
        self.receive.cfg_local.vlan.next = self.registers.cfg_local_vlan_tag.val();
        self.receive.cfg_local.traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
        self.receive.cfg_local.hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
        self.receive.cfg_local.udp_source.next = self.registers.cfg_local_udp_source_port.val();
        self.receive.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
        self.receive.cfg_node.write.next =
            self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
        self.receive.cfg_node.index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
        self.receive.cfg_node.valid.next = self.registers.cfg_node_qp_valid.val();
        self.receive.cfg_node.mac.next = self.registers.cfg_node_mac.val();
        self.receive.cfg_node.six.next = self.registers.cfg_node_qp_ipv6.val();
        self.receive.cfg_node.ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());
        self.receive.cfg_node_qp.next = self.registers.cfg_node_qp_number.val();

        // What software sets and sees.
        self.send.cfg_prescale.next = self.registers.cfg_prescale.val();
        SendConfigSource::join(&mut self.registers.cfg_send, &mut self.send.cfg_send);
        self.send.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.send.cfg_ring_base.next = self.registers.cfg_sg_base.val();
        self.send.cfg_wide.next = self.registers.cfg_cdma_wide.val();
        self.send.cfg_src.next = self.registers.cfg_source_node.val();
        self.send.cfg_local.mac.next = self.registers.cfg_local_mac.val();
        self.send.cfg_local.ip4.next = self.registers.cfg_local_ip_3.val();
        self.send.cfg_local.ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
        self.send.cfg_local.vlan_on.next = self.registers.cfg_local_vlan_on.val();
        self.send.cfg_local.vlan.next = self.registers.cfg_local_vlan_tag.val();
        self.send.cfg_local.traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
        self.send.cfg_local.hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
        self.send.cfg_local.udp_source.next = self.registers.cfg_local_udp_source_port.val();
        self.send.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
        self.send.cfg_node.write.next =
            self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
        self.send.cfg_node.index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
        self.send.cfg_node.valid.next = self.registers.cfg_node_qp_valid.val();
        self.send.cfg_node.mac.next = self.registers.cfg_node_mac.val();
        self.send.cfg_node.six.next = self.registers.cfg_node_qp_ipv6.val();
        self.send.cfg_node.ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());

        // Registers.
        RegisterBus::gate(&mut self.s_axi_ctrl, &mut self.registers.s_axi, !self.reset.q.val());
        self.irq.next = self.registers.irq.val();
        self.registers.status_now.next = self.receive.now.val();
        self.registers.status_ring_producer.next = self.queue.status_ring_producer.val();
        self.registers.status_high_water_entries.next = bit_cast::<16, ROW_COUNT_BITS>(self.receive.high_water_entries.val());
        self.registers.status_entries_live.next = bit_cast::<16, ROW_COUNT_BITS>(self.receive.entries_live.val());
        self.registers.status_high_water_escape.next = bit_cast::<16, ESCAPE_COUNT_BITS>(self.receive.high_water_escape.val());
        self.registers.status_escape_used.next = bit_cast::<16, ESCAPE_COUNT_BITS>(self.receive.escape_used.val());
        self.registers.set_interrupt_status_completion.next = self.queue.set_interrupt_status_completion.val();
        self.registers.set_interrupt_status_ring_full.next = self.queue.set_interrupt_status_ring_full.val();
        self.registers.set_interrupt_status_ring_error.next = self.queue.set_interrupt_status_ring_error.val();
        self.registers.set_interrupt_status_write_error.next = self.receive.evt_memory_errors.val();
        self.registers.set_interrupt_status_frame_dropped.next = self.receive.evt_frame_no_slot.val();
        self.registers.evt_frames.next = self.gate.passed.val();
        self.registers.evt_frame_not_udp_4791.next = self.parser.evt_not_rocev2.val();
        self.registers.evt_frame_truncated.next = self.parser.evt_truncated.val();
        self.registers.evt_frame_bad_version.next = self.parser.evt_bad_version.val();
        self.registers.evt_frame_unknown_opcode.next = self.parser.evt_bad_opcode.val();
        self.registers.evt_frame_bad_pad.next = self.parser.evt_bad_pad.val();
        self.registers.evt_frame_bad_length.next = self.parser.evt_bad_length.val();
        self.registers.evt_frame_icrc.next = self.parser.evt_bad_icrc.val();
        self.registers.evt_frame_bad_extension.next = self.parser.evt_bad_extension.val();
        self.registers.evt_frame_not_our_qp.next = self.parser.evt_unknown_qp.val();
        self.registers.evt_frame_no_slot.next = self.receive.evt_frame_no_slot.val();
        self.registers.evt_frame_foreign.next = self.receive.evt_frame_foreign.val();
        self.registers.evt_frame_mac_error.next =
            self.gate.out_valid.val() && self.parser.in_ready.val() && self.s_axis_rx.tlast.val() && self.s_axis_rx.tuser.val().get_bit(0);
        RegistryEvents::join(&mut self.receive.evt_registry, &mut self.registers.evt_registry);
        self.registers.evt_memory_bursts.next = self.receive.evt_memory_bursts.val();
        self.registers.evt_memory_errors.next = self.receive.evt_memory_errors.val();
        self.registers.evt_completions.next = self.queue.evt_completions.val();
        self.registers.evt_control_frames.next = self.receive.evt_control_frames.val();
        self.registers.evt_control_unknown_node.next = self.receive.evt_control_unknown_node.val();
        SendEvents::join(&mut self.send.evt_send, &mut self.registers.evt_send);
        self.registers.status_commands_live.next = bit_cast::<16, COMMAND_COUNT_BITS>(self.send.status_commands.val());
        self.registers.status_ops_live.next = bit_cast::<16, OP_COUNT_BITS>(self.send.status_ops_live.val());
        self.registers.status_ops_live_max.next = bit_cast::<16, OP_COUNT_BITS>(self.send.status_ops_live_max.val());
        self.registers.status_descriptors_out.next = bit_cast::<16, DESCRIPTOR_BITS>(self.send.status_descriptors_out.val());
        self.registers.status_send_state_config_error.next = self.send.config_error.val();
        self.registers.status_send_state_cdma_config_error.next = self.send.status_cdma_config_error.val();
        self.registers.status_send_state_cdma_dead.next = self.send.status_cdma_dead.val();
        self.registers.set_interrupt_status_cdma_dead.next = self.send.status_cdma_dead.val();
        self.registers.set_interrupt_status_config_error.next = self.send.config_error.val() || self.send.status_cdma_config_error.val();

        // A frame in the parser, or a notification in the builder, shows within 64 clocks.
        self.busy.next =
            self.gate.out_valid.val() || self.parser.payload_valid.val() || self.parser.header_valid.val() || self.receive.busy.val();
        if !self.quiet.q.val().all() {
            self.quiet.d.next = self.quiet.q.val() + 1;
        }
        if self.busy.val() {
            self.quiet.d.next = bits::<6>(0);
        }
        self.registers.status_state_idle.next = self.quiet.q.val().all()
            && self.receive.writes_idle.val()
            && self.queue.idle.val()
            && self.send.idle.val()
            && !self.intake.busy.val()
            && !self.commands.out_valid.val();
        // The registry takes headers once its tables are clear.
        if self.receive.ready.val() {
            self.up.d.next = true;
        }
        self.registers.status_state_ready.next = self.up.q.val() && self.send.ready.val() && !self.drain.draining.val();
        if self.drain.restart.val() {
            self.quiet.d.next = bits::<6>(0);
            self.up.d.next = false;
        }
    }
}
