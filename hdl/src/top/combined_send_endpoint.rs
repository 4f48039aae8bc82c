use super::{BusDrain, FrameGate};
use crate::bus::{BufferBus, CdmaBus, CommandsIn, DescriptorBus, FramesIn, FramesOut, RegisterBus, Writes};
use crate::csr::bundles::{NumberConfigSource, NumberEvents, SendConfigSource, SendEvents};
use crate::csr::combined_send_endpoint::Parameters;
use crate::csr::{CombinedSendEndpointRegisters, RegisterMap};
use crate::memory::CompletionQueue;
use crate::primitives::{Reg, SkidBuffer, State};
use crate::send::{CombinedSendPath, CommandIntake};
use crate::sizes::*;
use crate::wire::FrameParser;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Send endpoint in the transport profile *combined*: as [`SendEndpoint`](super::SendEndpoint), commands in, payload through an AXI CDMA, Ethernet frames out, acknowledgements in, completions in a ring.
///
/// ```text
///  s_axis_command, registers ─▶ intake ─▶ send path ─▶ m_axis_tx
///  s_axis_rx ─▶ gate ─▶ parser ─▶ (acks) ───▲ │ ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer
///  s_axi_ctrl ─▶ registers                    └─▶ completion queue ─▶ m_axi
/// ```
///
/// The CDMA reads host memory and writes the send buffer at `buffer_base` through `s_axi_buffer`; it reads its descriptors at `sg_base` through `s_axi_sg`; its
/// registers are at `m_axi_cdma`. Commands are taken once software has set `control.enable`. `control.soft_reset` lets the CDMA finish what it was told, and
/// bursts and the frame that is going out come to their end, then resets all but the registers and counters. `aresetn` resets everything at once: the
/// CDMA and the interconnect with it.
///
/// A send bitmap gives each packet its sequence number and decides what is sent again: `CombinedSendPath`. Queue pair `k` is that of node `k`; what receivers tell is for our queue pair
/// `feedback_qp` and `k`. Software opens it with its first sequence number (`connection`) before the first command for its node, and anew after a soft reset. A queue pair whose
/// retry limit is reached interrupts; when its operations have ended, it may be opened again.
///
/// With `plain` the transport profile is *bitmap*, and the receiver may be any RoCEv2 peer that tells what has arrived by its number.
///
/// Only what a receive endpoint of this profile tells is looked at among the frames that come in; op acknowledgements (0xc3) change nothing, the others count as foreign. A completion has the number of its
/// command in `op`, our own node in `src`, its bytes and its status.
/// Latency and throughput: those of `CombinedSendPath`.
/// Spec: send path; overview, "Who acknowledges what", profile combined.
#[derive(Default, Described, LogicBlock)]
#[described(reset = "drain.restart")]
pub struct CombinedSendEndpoint {
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
    pub m_axi: Writes<DATA_WIDTH, DATA_BYTES>,
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
    begun: Signal<Local, Bit>,
    seen: State<Bit>,
    flows: Signal<Local, Bit>,
    gate: FrameGate,
    drain: BusDrain<10>,
    registers: CombinedSendEndpointRegisters,
    parser: FrameParser,
    intake: CommandIntake,
    path: CombinedSendPath,
    completions: SkidBuffer<56>,
    queue: CompletionQueue,
    opens: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
    remote: Signal<Local, Bit>,
    // An open or close is under way, and has not been taken.
    known: Signal<Local, Bit>,
    commanded: Reg<Bit>,
    offered: Reg<Bit>,
    opening: Reg<Bit>,
    failed: Reg<Bits<8>>,
}

impl CombinedSendEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with(false)
    }

    /// As `new`, in the transport profile *bitmap*: see `CombinedSendPath`.
    pub fn plain() -> Self {
        Self::with(true)
    }

    fn with(plain: bool) -> Self {
        let parameters = Parameters {
            commands: COMMANDS as u32,
            packet_size: 1 << PACKET_BITS,
            mask_bits: 1 << POSITION_BITS,
            ops: 1 << OP_INDEX_BITS,
            slots: SLOTS as u32,
            nodes: NODES as u32,
            ring: 1 << DESCRIPTOR_BITS,
            length_bits: BTT_BITS as u32,
            data_width: DATA_WIDTH as u32,
            dma_width: 8 << DMA_LANE_BITS,
            realign: REALIGN as u32,
            queue_pairs: QUEUE_PAIRS as u32,
            window: 1 << WINDOW_BITS,
            plain,
        };
        Self {
            registers: CombinedSendEndpointRegisters::new(&parameters),
            parser: FrameParser::new(),
            path: if plain { CombinedSendPath::plain() } else { CombinedSendPath::new() },
            ..Default::default()
        }
    }

    /// The registers that software sees.
    pub fn map(&self) -> &RegisterMap {
        self.registers.map()
    }
}

impl Logic for CombinedSendEndpoint {
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
        self.parser.payload_ready.next = true;
        self.parser.header_ready.next = true;

        // What receivers tell: remote completions, acknowledgements by number, feedback messages. Whatever else there is passes by.
        self.path.header.valid.next = self.parser.header_valid.val();
        self.path.header.opcode.next = self.parser.header_opcode.val();
        self.path.header.dest_qp.next = self.parser.header_dest_qp.val();
        self.path.header.psn.next = self.parser.header_psn.val();
        self.path.header.body.next = self.parser.header_body.val();
        self.remote.next = self.parser.header_opcode.val() == bits::<8>(0xc1)
            || self.parser.header_opcode.val() == bits::<8>(0x11)
            || self.parser.header_opcode.val() == bits::<8>(0xc0)
            || self.parser.header_opcode.val() == bits::<8>(0xc5);
        self.ack.next = self.parser.header_opcode.val() == bits::<8>(0xc3);

        // Queue pairs, one command after the other.
        self.known.next = !(self.registers.cfg_connection_index.val() >> NODE_BITS.to_bits::<4>()).any();
        if (self.registers.do_connection_open.val() || self.registers.do_connection_close.val())
            && self.known.val()
            && !self.commanded.q.val()
        {
            self.commanded.d.next = true;
            self.offered.d.next = true;
            self.opening.d.next = self.registers.do_connection_open.val();
        }
        self.path.connect_valid.next = self.offered.q.val();
        self.path.connect_open.next = self.opening.q.val();
        self.path.connect_qp.next = self.registers.cfg_connection_index.val().get_bits::<NODE_BITS>(0);
        self.path.connect_psn.next = self.registers.cfg_connection_psn.val();
        if self.offered.q.val() && self.path.connect_ready.val() {
            self.offered.d.next = false;
        }
        if self.path.connect_done.val() {
            self.commanded.d.next = false;
        }
        if self.path.connect_error.val() {
            self.failed.d.next = bit_cast::<8, NODE_BITS>(self.path.connect_error_qp.val());
        }
        self.registers.status_connection_state_busy.next = self.commanded.q.val();
        self.registers.status_connection_failed.next = self.failed.q.val();
        self.registers.set_interrupt_status_connection_failed.next = self.path.connect_error.val();
        NumberConfigSource::join(&mut self.registers.cfg_number, &mut self.path.cfg_number);
        self.path.cfg_limit.next = self.registers.cfg_rate_limit_on.val();
        self.path.cfg_burst.next = self.registers.cfg_rate_limit_burst.val();
        self.path.cfg_packet.next = self.registers.cfg_rate_packet.val();

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
        self.path.command.valid.next = self.intake.command_valid.val() && self.opens.val();
        self.intake.command_ready.next = self.path.command.ready.val() && self.opens.val();
        self.path.command.id.next = self.intake.command_id.val();
        self.path.command.target.next = self.intake.command_target.val();
        self.path.command.node.next = self.intake.command_node.val();
        self.path.command.qp.next = self.intake.command_qp.val();
        self.path.command.rkey.next = self.intake.command_rkey.val();
        self.path.command.imm_valid.next = self.intake.command_imm_valid.val();
        self.path.command.imm.next = self.intake.command_imm.val();
        self.path.command.arrival.next = self.intake.command_arrival.val();
        self.path.command.sources.next = self.intake.command_sources.val();
        self.path.command.lengths.next = self.intake.command_lengths.val();
        self.path.command.blocks.next = self.intake.command_blocks.val();
        self.registers.status_command_state_busy.next = self.intake.busy.val();
        self.registers.set_interrupt_status_post_dropped.next = self.intake.evt_posts_dropped.val();
        self.registers.evt_posts_dropped.next = self.intake.evt_posts_dropped.val();

        // The buses of the CDMA.
        DescriptorBus::gate(&mut self.s_axi_sg, &mut self.path.s_axi_sg, !self.reset.q.val());
        CdmaBus::gate(&mut self.m_axi_cdma, &mut self.path.m_axi_lite, !self.reset.q.val());
        BufferBus::gate(&mut self.s_axi_buffer, &mut self.path.s_axi_buffer, !self.reset.q.val());
        self.path.cfg_pause.next = self.drain.draining.val();
        self.drain.hold.next = !self.path.bus_idle.val() || self.seen.q.val();

        // Frames out.
        self.drain.frame_valid.next = self.path.out.valid.val();
        self.drain.frame_ready.next = self.m_axis_tx.tready.val();
        self.drain.frame_last.next = self.path.out.last.val();
        self.m_axis_tx.tvalid.next = self.drain.frame_passes.val() && !self.reset.q.val();
        self.path.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
        self.m_axis_tx.tdata.next = self.path.out.data.val();
        self.m_axis_tx.tkeep.next = self.path.out.keep.val();
        self.m_axis_tx.tlast.next = self.path.out.last.val();

        // What the host is told.
        self.completions.in_valid.next = self.path.completion.valid.val();
        self.path.completion.ready.next = self.completions.in_ready.val();
        self.completions.in_data.next = bit_cast::<56, 16>(self.path.completion.id.val())
            | (bit_cast::<56, 8>(self.path.completion.status.val()) << 16)
            | (bit_cast::<56, 32>(self.path.completion.bytes.val()) << 24);
        self.queue.complete.valid.next = self.completions.out_valid.val();
        self.completions.out_ready.next = self.queue.complete.ready.val();
        self.queue.complete.kind.next = bits::<2>(2);
        self.queue.complete.src.next = self.registers.cfg_source_node.val();
        self.queue.complete.op.next = bit_cast::<OP_BITS, 16>(self.completions.out_data.val().get_bits::<16>(0));
        self.queue.complete.base.next = bits::<64>(0);
        self.queue.complete.bytes.next = self.completions.out_data.val().get_bits::<32>(24);
        self.queue.complete.packets.next = bits::<16>(0);
        self.queue.complete.status.next = self.completions.out_data.val().get_bits::<8>(16);
        self.queue.complete.imm_valid.next = false;
        self.queue.complete.imm.next = bits::<32>(0);
        self.queue.complete.mask.next = bits::<32>(0);
        self.queue.now.next = self.path.now.val();
        self.queue.cfg_ring_base.next = self.registers.cfg_ring_base.val();
        self.queue.cfg_ring_size_log2.next = self.registers.cfg_ring_size_log2.val();
        self.queue.cfg_ring_consumer.next = self.registers.cfg_ring_consumer.val();
        self.queue.cfg_coalesce_count.next = self.registers.cfg_coalesce_count.val();
        self.queue.cfg_coalesce_delay.next = self.registers.cfg_coalesce_delay.val();
        // A burst whose address the bus has seen goes on, and its data do not go before that: data without an address would be the next burst's.
        self.begun.next = self.queue.m_axi.awvalid.val() && (self.seen.q.val() || !self.drain.draining.val());
        self.seen.d.next = self.begun.val() && !self.m_axi.awready.val();
        self.m_axi.awvalid.next = self.begun.val() && !self.reset.q.val();
        self.queue.m_axi.awready.next = self.m_axi.awready.val() && self.begun.val();
        self.m_axi.awaddr.next = self.queue.m_axi.awaddr.val();
        self.m_axi.awlen.next = self.queue.m_axi.awlen.val();
        self.m_axi_awburst.next = self.queue.m_axi_awburst.val();
        self.flows.next = self.begun.val() || !self.queue.m_axi.awvalid.val();
        self.m_axi.wvalid.next = self.queue.m_axi.wvalid.val() && self.flows.val() && !self.reset.q.val();
        self.queue.m_axi.wready.next = self.m_axi.wready.val() && self.flows.val();
        self.m_axi.wdata.next = self.queue.m_axi.wdata.val();
        self.m_axi.wstrb.next = self.queue.m_axi.wstrb.val();
        self.m_axi.wlast.next = self.queue.m_axi.wlast.val();
        self.queue.m_axi.bvalid.next = self.m_axi.bvalid.val();
        self.m_axi.bready.next = self.queue.m_axi.bready.val();
        self.queue.m_axi.bresp.next = self.m_axi.bresp.val();
        self.m_axi_awsize.next = AXI_SIZE.to_bits::<3>();
        self.m_axi_awcache.next = bits::<4>(3);
        self.m_axi_awprot.next = bits::<3>(0);
        self.drain.begins.next = self.begun.val() && self.m_axi.awready.val();
        self.drain.answered.next = self.m_axi.bvalid.val() && self.queue.m_axi.bready.val();
        self.drain.request.next = self.registers.do_control_soft_reset.val();

        // Registers.
        RegisterBus::gate(&mut self.s_axi_ctrl, &mut self.registers.s_axi, !self.reset.q.val());
        self.irq.next = self.registers.irq.val();

        // What software sets and sees.
        self.path.cfg_prescale.next = self.registers.cfg_prescale.val();
        SendConfigSource::join(&mut self.registers.cfg_send, &mut self.path.cfg_send);
        self.path.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.path.cfg_ring_base.next = self.registers.cfg_sg_base.val();
        self.path.cfg_wide.next = self.registers.cfg_cdma_wide.val();
        self.path.cfg_src.next = self.registers.cfg_source_node.val();
        self.path.cfg_local.mac.next = self.registers.cfg_local_mac.val();
        self.path.cfg_local.ip4.next = self.registers.cfg_local_ip_3.val();
        self.path.cfg_local.ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
        self.path.cfg_local.vlan_on.next = self.registers.cfg_local_vlan_on.val();
        self.path.cfg_local.vlan.next = self.registers.cfg_local_vlan_tag.val();
        self.path.cfg_local.traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
        self.path.cfg_local.hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
        self.path.cfg_local.udp_source.next = self.registers.cfg_local_udp_source_port.val();
        self.path.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
        self.path.cfg_node.write.next =
            self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
        self.path.cfg_node.index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
        self.path.cfg_node.valid.next = self.registers.cfg_node_qp_valid.val();
        self.path.cfg_node.mac.next = self.registers.cfg_node_mac.val();
        self.path.cfg_node.six.next = self.registers.cfg_node_qp_ipv6.val();
        self.path.cfg_node.ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());
        SendEvents::join(&mut self.path.evt_send, &mut self.registers.evt_send);
        NumberEvents::join(&mut self.path.evt_number, &mut self.registers.evt_number);
        self.registers.status_commands_live.next = bit_cast::<16, COMMAND_COUNT_BITS>(self.path.status_commands.val());
        self.registers.status_ops_live.next = bit_cast::<16, OP_COUNT_BITS>(self.path.status_ops_live.val());
        self.registers.status_ops_live_max.next = bit_cast::<16, OP_COUNT_BITS>(self.path.status_ops_live_max.val());
        self.registers.status_descriptors_out.next = bit_cast::<16, DESCRIPTOR_BITS>(self.path.status_descriptors_out.val());
        self.registers.status_send_state_config_error.next = self.path.config_error.val();
        self.registers.status_send_state_cdma_config_error.next = self.path.status_cdma_config_error.val();
        self.registers.status_send_state_cdma_dead.next = self.path.status_cdma_dead.val();
        self.registers.set_interrupt_status_cdma_dead.next = self.path.status_cdma_dead.val();
        self.registers.set_interrupt_status_config_error.next = self.path.config_error.val() || self.path.status_cdma_config_error.val();
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
        self.registers.evt_frame_mac_error.next =
            self.gate.out_valid.val() && self.parser.in_ready.val() && self.s_axis_rx.tlast.val() && self.s_axis_rx.tuser.val().get_bit(0);
        self.registers.evt_frame_foreign.next = self.parser.header_valid.val() && !self.ack.val() && !self.remote.val();
        self.registers.status_now.next = self.path.now.val();
        self.registers.status_ring_producer.next = self.queue.status_ring_producer.val();
        self.registers.set_interrupt_status_completion.next = self.queue.set_interrupt_status_completion.val();
        self.registers.set_interrupt_status_ring_full.next = self.queue.set_interrupt_status_ring_full.val();
        self.registers.set_interrupt_status_ring_error.next = self.queue.set_interrupt_status_ring_error.val();
        self.registers.evt_completions.next = self.queue.evt_completions.val();
        self.registers.status_state_idle.next =
            self.path.idle.val() && !self.intake.busy.val() && !self.completions.out_valid.val() && self.queue.idle.val();
        self.registers.status_state_ready.next = self.path.ready.val() && !self.drain.draining.val();
        if self.drain.restart.val() {
            self.commanded.d.next = false;
            self.offered.d.next = false;
        }
    }
}
