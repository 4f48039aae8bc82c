use super::{BusDrain, FrameGate};
use crate::bus::{Completions, FramesIn, FramesOut, RegisterBus, TaggedWrites};
use crate::csr::bundles::{RegistryConfigSource, RegistryEvents};
use crate::csr::receive_endpoint::Parameters;
use crate::csr::{ReceiveEndpointRegisters, RegisterMap};
use crate::memory::{AxiWriteMerge, CompletionQueue};
use crate::primitives::Reg;
use crate::receive::ReceivePath;
use crate::sizes::*;
use crate::wire::FrameParser;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Receive endpoint in the registry transport profile: Ethernet frames in, payload in memory, completions in a ring, control packets out, registers.
///
/// ```text
///  s_axis_rx ─▶ gate ─▶ parser ─▶ packet buffer ─▶ registry ─▶ memory writer ─┐
///                                    ▲  slots ───────┴─────────────┘          ├─ merge ─▶ m_axi
///  s_axi_ctrl ─▶ registers           registry ─▶ completion queue ────────────┘
///  irq ◀────────────┘                registry ─▶ control builder ─▶ m_axis_tx
/// ```
///
/// A packet is acknowledged, and an operation completed, only when the memory has answered the writes that it is about. Frames pass once software has
/// set `control.enable`; without it they are taken and thrown away. `control.soft_reset` lets bursts and the frame that is going out come to their end, then resets all but
/// the registers and counters. `aresetn` resets everything at once: the interconnect with it.
///
/// `s_axis_rx_tuser` is zero for a frame that is sound; a MAC side without ICRC check ties bit 1 low. A frame that the MAC found damaged is counted as such, and by the first
/// check that it fails, `frame_icrc` at the latest.
/// Latency: that of its blocks, and 1 clock each before the registry, the completion queue and the builder. Throughput: one beat of a frame per clock, one
/// packet per clock.
/// Spec: overview, "Who acknowledges what", profile registry; receive registry; wire format.
#[derive(Default, Described, LogicBlock)]
#[described(reset = "drain.restart")]
pub struct ReceiveEndpoint {
    /// clock of everything
    pub aclk: Signal<In, Clock>,
    /// synchronous reset, active low, 4 clocks at least
    pub aresetn: Signal<In, Bit>,
    /// frames from the MAC
    pub s_axis_rx: FramesIn<DATA_WIDTH, DATA_BYTES>,
    /// frames for the MAC
    pub m_axis_tx: FramesOut<DATA_WIDTH, DATA_BYTES>,
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
    registers: ReceiveEndpointRegisters,
    parser: FrameParser,
    path: ReceivePath,
    queue: CompletionQueue,
    merge: AxiWriteMerge,
    // Clocks without anything under way but writes.
    quiet: Reg<Bits<6>>,
    up: Reg<Bit>,
    busy: Signal<Local, Bit>,
}

impl ReceiveEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        let parameters = Parameters {
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
            completion_stream: 0,
        };
        Self {
            registers: ReceiveEndpointRegisters::new(&parameters),
            parser: FrameParser::new(),
            path: ReceivePath::new(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }

    /// The registers that software sees.
    pub fn map(&self) -> &RegisterMap {
        self.registers.map()
    }
}

impl Logic for ReceiveEndpoint {
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
        self.path.payload_valid.next = self.parser.payload_valid.val();
        self.path.payload_data.next = self.parser.payload_data.val();
        self.path.payload_last.next = self.parser.payload_last.val();
        self.path.payload_drop.next = self.parser.payload_drop.val();
        self.parser.payload_ready.next = self.path.payload_ready.val();
        self.path.header_valid.next = self.parser.header_valid.val();
        self.parser.header_ready.next = self.path.header_ready.val();
        self.path.header_registry.next = self.parser.header_registry.val();
        self.path.header_kind.next = self.parser.header_kind.val();
        self.path.header_src.next = self.parser.header_src.val();
        self.path.header_op.next = self.parser.header_op.val();
        self.path.header_addr.next = self.parser.header_addr.val();
        self.path.header_bytes.next = self.parser.header_bytes.val();
        self.path.header_op_bytes.next = self.parser.header_op_bytes.val();
        self.path.header_count.next = self.parser.header_count.val();
        self.path.header_rkey.next = self.parser.header_rkey.val();
        self.path.header_imm_valid.next = self.parser.header_imm_valid.val();
        self.path.header_imm.next = self.parser.header_imm.val();

        // How it is set.
        self.path.cfg_prescale.next = self.registers.cfg_prescale.val();
        self.path.cfg_repeat_completion.next = self.registers.cfg_repeat_completion.val();
        RegistryConfigSource::join(&mut self.registers.cfg_registry, &mut self.path.cfg_registry);
        self.path.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.path.cfg_region_write.next = self.registers.do_region_load.val();

        // What the host is told.
        Completions::join(&mut self.path.complete, &mut self.queue.complete);
        self.queue.now.next = self.path.now.val();
        self.queue.cfg_ring_base.next = self.registers.cfg_ring_base.val();
        self.queue.cfg_ring_size_log2.next = self.registers.cfg_ring_size_log2.val();
        self.queue.cfg_ring_consumer.next = self.registers.cfg_ring_consumer.val();
        self.queue.cfg_coalesce_count.next = self.registers.cfg_coalesce_count.val();
        self.queue.cfg_coalesce_delay.next = self.registers.cfg_coalesce_delay.val();

        // One bus. While it drains no address passes, so no burst begins.
        self.merge.a_axi.awvalid.next = self.path.m_axi.awvalid.val() && !self.drain.draining.val();
        self.path.m_axi.awready.next = self.merge.a_axi.awready.val() && !self.drain.draining.val();
        self.merge.a_axi.awid.next = self.path.m_axi.awid.val();
        self.merge.a_axi.awaddr.next = self.path.m_axi.awaddr.val();
        self.merge.a_axi.awlen.next = self.path.m_axi.awlen.val();
        self.merge.a_axi.wvalid.next = self.path.m_axi.wvalid.val();
        self.merge.a_axi.wdata.next = self.path.m_axi.wdata.val();
        self.merge.a_axi.wstrb.next = self.path.m_axi.wstrb.val();
        self.merge.a_axi.wlast.next = self.path.m_axi.wlast.val();
        self.merge.a_axi.bready.next = self.path.m_axi.bready.val();
        self.path.m_axi.wready.next = self.merge.a_axi.wready.val();
        self.path.m_axi.bvalid.next = self.merge.a_axi.bvalid.val();
        self.path.m_axi.bid.next = self.merge.a_axi.bid.val();
        self.path.m_axi.bresp.next = self.merge.a_axi.bresp.val();
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
        self.drain.hold.next = false;
        self.drain.request.next = self.registers.do_control_soft_reset.val();

        // What senders are told.
        self.drain.frame_valid.next = self.path.out.valid.val();
        self.drain.frame_ready.next = self.m_axis_tx.tready.val();
        self.drain.frame_last.next = self.path.out.last.val();
        self.m_axis_tx.tvalid.next = self.drain.frame_passes.val() && !self.reset.q.val();
        self.path.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
        self.m_axis_tx.tdata.next = self.path.out.data.val();
        self.m_axis_tx.tkeep.next = self.path.out.keep.val();
        self.m_axis_tx.tlast.next = self.path.out.last.val();
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
        self.path.cfg_node_qp.next = self.registers.cfg_node_qp_number.val();

        // Registers.
        RegisterBus::gate(&mut self.s_axi_ctrl, &mut self.registers.s_axi, !self.reset.q.val());
        self.irq.next = self.registers.irq.val();
        self.registers.status_now.next = self.path.now.val();
        self.registers.status_ring_producer.next = self.queue.status_ring_producer.val();
        self.registers.status_high_water_entries.next = bit_cast::<16, ROW_COUNT_BITS>(self.path.high_water_entries.val());
        self.registers.status_entries_live.next = bit_cast::<16, ROW_COUNT_BITS>(self.path.entries_live.val());
        self.registers.status_high_water_escape.next = bit_cast::<16, ESCAPE_COUNT_BITS>(self.path.high_water_escape.val());
        self.registers.status_escape_used.next = bit_cast::<16, ESCAPE_COUNT_BITS>(self.path.escape_used.val());
        self.registers.set_interrupt_status_completion.next = self.queue.set_interrupt_status_completion.val();
        self.registers.set_interrupt_status_ring_full.next = self.queue.set_interrupt_status_ring_full.val();
        self.registers.set_interrupt_status_ring_error.next = self.queue.set_interrupt_status_ring_error.val();
        self.registers.set_interrupt_status_write_error.next = self.path.evt_memory_errors.val();
        self.registers.set_interrupt_status_frame_dropped.next = self.path.evt_frame_no_slot.val();
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
        self.registers.evt_frame_no_slot.next = self.path.evt_frame_no_slot.val();
        self.registers.evt_frame_foreign.next = self.path.evt_frame_foreign.val();
        self.registers.evt_frame_mac_error.next =
            self.gate.out_valid.val() && self.parser.in_ready.val() && self.s_axis_rx.tlast.val() && self.s_axis_rx.tuser.val().get_bit(0);
        RegistryEvents::join(&mut self.path.evt_registry, &mut self.registers.evt_registry);
        self.registers.evt_memory_bursts.next = self.path.evt_memory_bursts.val();
        self.registers.evt_memory_errors.next = self.path.evt_memory_errors.val();
        self.registers.evt_completions.next = self.queue.evt_completions.val();
        self.registers.evt_control_frames.next = self.path.evt_control_frames.val();
        self.registers.evt_control_unknown_node.next = self.path.evt_control_unknown_node.val();
        // A frame in the parser, or a notification in the builder, shows within 64 clocks.
        self.busy.next =
            self.gate.out_valid.val() || self.parser.payload_valid.val() || self.parser.header_valid.val() || self.path.busy.val();
        if !self.quiet.q.val().all() {
            self.quiet.d.next = self.quiet.q.val() + 1;
        }
        if self.busy.val() {
            self.quiet.d.next = bits::<6>(0);
        }
        self.registers.status_state_idle.next = self.quiet.q.val().all() && self.path.writes_idle.val() && self.queue.idle.val();
        // The registry takes headers once its tables are clear.
        if self.path.ready.val() {
            self.up.d.next = true;
        }
        self.registers.status_state_ready.next = self.up.q.val() && !self.drain.draining.val();
        if self.drain.restart.val() {
            self.quiet.d.next = bits::<6>(0);
            self.up.d.next = false;
        }
    }
}
