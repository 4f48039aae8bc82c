use super::{BusDrain, FrameGate, FrameMerge};
use crate::csr::endpoint::Parameters;
use crate::csr::{EndpointRegisters, RegisterMap};
use crate::memory::{AxiWriteMerge, CompletionMerge, CompletionQueue};
use crate::primitives::{Reg, SkidBuffer};
use crate::receive::ReceivePath;
use crate::send::{CommandIntake, SendPath};
use crate::sizes::*;
use crate::wire::FrameParser;
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
    /// a beat of a frame from the MAC
    pub s_axis_rx_tvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axis_rx_tready: Signal<Out, Bit>,
    /// first byte in the lowest bits; a frame begins at the start of a beat
    pub s_axis_rx_tdata: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count: contiguous from bit 0; read with the last beat alone
    pub s_axis_rx_tkeep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub s_axis_rx_tlast: Signal<In, Bit>,
    /// with the last beat, bit 0: the MAC found the frame damaged; bit 1: its ICRC is wrong
    pub s_axis_rx_tuser: Signal<In, Bits<2>>,
    /// a beat of a frame for the MAC
    pub m_axis_tx_tvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axis_tx_tready: Signal<In, Bit>,
    /// first byte in the lowest bits; four zero bytes stand where the ICRC goes
    pub m_axis_tx_tdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub m_axis_tx_tkeep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub m_axis_tx_tlast: Signal<Out, Bit>,
    /// a command
    pub s_axis_command_tvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axis_command_tready: Signal<Out, Bit>,
    /// its fields, the first one in the lowest bits: see `CommandIntake`
    pub s_axis_command_tdata: Signal<In, Bits<608>>,
    /// address of a read
    pub s_axi_sg_arvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_sg_arready: Signal<Out, Bit>,
    /// byte in the ring
    pub s_axi_sg_araddr: Signal<In, Bits<DESCRIPTOR_BYTE_BITS>>,
    /// beats less one
    pub s_axi_sg_arlen: Signal<In, Bits<8>>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_sg_arsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_sg_arburst: Signal<In, Bits<2>>,
    /// a beat
    pub s_axi_sg_rvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_sg_rready: Signal<In, Bit>,
    /// word of a descriptor
    pub s_axi_sg_rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY
    pub s_axi_sg_rresp: Signal<Out, Bits<2>>,
    /// last beat of its burst
    pub s_axi_sg_rlast: Signal<Out, Bit>,
    /// address of a write
    pub s_axi_sg_awvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_sg_awready: Signal<Out, Bit>,
    /// byte in the ring
    pub s_axi_sg_awaddr: Signal<In, Bits<DESCRIPTOR_BYTE_BITS>>,
    /// not looked at: writes have one beat
    pub s_axi_sg_awlen: Signal<In, Bits<8>>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_sg_awsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_sg_awburst: Signal<In, Bits<2>>,
    /// a beat
    pub s_axi_sg_wvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_sg_wready: Signal<Out, Bit>,
    /// value
    pub s_axi_sg_wdata: Signal<In, Bits<32>>,
    /// bytes that are written
    pub s_axi_sg_wstrb: Signal<In, Bits<4>>,
    /// last beat of its burst
    pub s_axi_sg_wlast: Signal<In, Bit>,
    /// a write is answered
    pub s_axi_sg_bvalid: Signal<Out, Bit>,
    /// the answer is taken
    pub s_axi_sg_bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_sg_bresp: Signal<Out, Bits<2>>,
    /// address of a write
    pub m_axi_cdma_awvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axi_cdma_awready: Signal<In, Bit>,
    /// byte address
    pub m_axi_cdma_awaddr: Signal<Out, Bits<6>>,
    /// value of a write
    pub m_axi_cdma_wvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axi_cdma_wready: Signal<In, Bit>,
    /// all four bytes of it
    pub m_axi_cdma_wdata: Signal<Out, Bits<32>>,
    /// a write is answered
    pub m_axi_cdma_bvalid: Signal<In, Bit>,
    /// the answer is taken
    pub m_axi_cdma_bready: Signal<Out, Bit>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub m_axi_cdma_bresp: Signal<In, Bits<2>>,
    /// address of a read
    pub m_axi_cdma_arvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axi_cdma_arready: Signal<In, Bit>,
    /// byte address
    pub m_axi_cdma_araddr: Signal<Out, Bits<6>>,
    /// a read is answered
    pub m_axi_cdma_rvalid: Signal<In, Bit>,
    /// the answer is taken
    pub m_axi_cdma_rready: Signal<Out, Bit>,
    /// value
    pub m_axi_cdma_rdata: Signal<In, Bits<32>>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub m_axi_cdma_rresp: Signal<In, Bits<2>>,
    /// a burst is there
    pub s_axi_buffer_awvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_buffer_awready: Signal<Out, Bit>,
    /// its address
    pub s_axi_buffer_awaddr: Signal<In, Bits<64>>,
    /// its beats but one
    pub s_axi_buffer_awlen: Signal<In, Bits<8>>,
    /// log2 of the bytes of a beat
    pub s_axi_buffer_awsize: Signal<In, Bits<3>>,
    /// 1 INCR
    pub s_axi_buffer_awburst: Signal<In, Bits<2>>,
    /// a beat is there
    pub s_axi_buffer_wvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_buffer_wready: Signal<Out, Bit>,
    /// the beat
    pub s_axi_buffer_wdata: Signal<In, Bits<DATA_WIDTH>>,
    /// its bytes that count
    pub s_axi_buffer_wstrb: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its burst
    pub s_axi_buffer_wlast: Signal<In, Bit>,
    /// a response is there
    pub s_axi_buffer_bvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_buffer_bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_buffer_bresp: Signal<Out, Bits<2>>,
    /// a read is there
    pub s_axi_buffer_arvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_buffer_arready: Signal<Out, Bit>,
    /// not looked at: reads are refused
    pub s_axi_buffer_araddr: Signal<In, Bits<64>>,
    /// its beats but one
    pub s_axi_buffer_arlen: Signal<In, Bits<8>>,
    /// not looked at: beats are as wide as the bus
    pub s_axi_buffer_arsize: Signal<In, Bits<3>>,
    /// not looked at: bursts are INCR
    pub s_axi_buffer_arburst: Signal<In, Bits<2>>,
    /// a beat of its answer
    pub s_axi_buffer_rvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_buffer_rready: Signal<In, Bit>,
    /// zero
    pub s_axi_buffer_rdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// 2 SLVERR
    pub s_axi_buffer_rresp: Signal<Out, Bits<2>>,
    /// last beat of its answer
    pub s_axi_buffer_rlast: Signal<Out, Bit>,
    /// address of a burst
    pub m_axi_awvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axi_awready: Signal<In, Bit>,
    /// highest bit 0: payload, the rest its tag; 1: completion
    pub m_axi_awid: Signal<Out, Bits<WRITE_COUNT_BITS>>,
    /// of the first beat
    pub m_axi_awaddr: Signal<Out, Bits<64>>,
    /// beats less one
    pub m_axi_awlen: Signal<Out, Bits<8>>,
    /// log2 of the bytes of a beat
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    /// 1: INCR
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// 3: normal memory, not cached, bufferable
    pub m_axi_awcache: Signal<Out, Bits<4>>,
    /// 0: data, secure, unprivileged
    pub m_axi_awprot: Signal<Out, Bits<3>>,
    /// a beat
    pub m_axi_wvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axi_wready: Signal<In, Bit>,
    /// lowest address in the lowest bits
    pub m_axi_wdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that are written
    pub m_axi_wstrb: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its burst
    pub m_axi_wlast: Signal<Out, Bit>,
    /// a response
    pub m_axi_bvalid: Signal<In, Bit>,
    /// it is taken: always
    pub m_axi_bready: Signal<Out, Bit>,
    /// ID of its burst
    pub m_axi_bid: Signal<In, Bits<WRITE_COUNT_BITS>>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub m_axi_bresp: Signal<In, Bits<2>>,
    /// write address is there
    pub s_axi_ctrl_awvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_ctrl_awready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_ctrl_awaddr: Signal<In, Bits<12>>,
    /// not looked at
    pub s_axi_ctrl_awprot: Signal<In, Bits<3>>,
    /// write data is there
    pub s_axi_ctrl_wvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_ctrl_wready: Signal<Out, Bit>,
    /// value
    pub s_axi_ctrl_wdata: Signal<In, Bits<32>>,
    /// which bytes count
    pub s_axi_ctrl_wstrb: Signal<In, Bits<4>>,
    /// a write is done
    pub s_axi_ctrl_bvalid: Signal<Out, Bit>,
    /// that is taken
    pub s_axi_ctrl_bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_ctrl_bresp: Signal<Out, Bits<2>>,
    /// read address is there
    pub s_axi_ctrl_arvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_ctrl_arready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_ctrl_araddr: Signal<In, Bits<12>>,
    /// not looked at
    pub s_axi_ctrl_arprot: Signal<In, Bits<3>>,
    /// a value is there
    pub s_axi_ctrl_rvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_ctrl_rready: Signal<In, Bit>,
    /// the value
    pub s_axi_ctrl_rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_ctrl_rresp: Signal<Out, Bits<2>>,
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
        self.gate.in_valid.next = self.s_axis_rx_tvalid.val() && !self.reset.q.val();
        self.s_axis_rx_tready.next = self.gate.in_ready.val() && !self.reset.q.val();
        self.gate.in_last.next = self.s_axis_rx_tlast.val();
        self.gate.out_ready.next = self.parser.in_ready.val();
        self.parser.in_valid.next = self.gate.out_valid.val();
        self.parser.in_data.next = self.s_axis_rx_tdata.val();
        self.parser.in_keep.next = self.s_axis_rx_tkeep.val();
        self.parser.in_last.next = self.s_axis_rx_tlast.val();
        self.parser.in_crc_ok.next = !self.s_axis_rx_tuser.val().any();
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
        self.send.ack_op.next = self.parser.header_body.val().get_bits::<16>(208);
        self.send.ack_first.next = self.parser.header_body.val().get_bits::<16>(192);
        self.send.ack_status.next = self.parser.header_body.val().get_bits::<8>(184);
        if self.remote.val() {
            self.send.ack_status.next = self.parser.header_body.val().get_bits::<8>(200);
        }
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
        self.intake.in_valid.next = self.s_axis_command_tvalid.val() && !self.reset.q.val();
        self.s_axis_command_tready.next = self.intake.in_ready.val() && !self.reset.q.val();
        self.intake.in_data.next = self.s_axis_command_tdata.val();

        // Nothing new begins while the buses come to rest.
        self.opens.next = self.registers.cfg_control_enable.val() && !self.drain.draining.val();
        self.send.command_valid.next = self.intake.command_valid.val() && self.opens.val();
        self.intake.command_ready.next = self.send.command_ready.val() && self.opens.val();
        self.send.command_id.next = self.intake.command_id.val();
        self.send.command_target.next = self.intake.command_target.val();
        self.send.command_node.next = self.intake.command_node.val();
        self.send.command_qp.next = self.intake.command_qp.val();
        self.send.command_rkey.next = self.intake.command_rkey.val();
        self.send.command_imm_valid.next = self.intake.command_imm_valid.val();
        self.send.command_imm.next = self.intake.command_imm.val();
        self.send.command_arrival.next = self.intake.command_arrival.val();
        self.send.command_sources.next = self.intake.command_sources.val();
        self.send.command_lengths.next = self.intake.command_lengths.val();
        self.send.command_blocks.next = self.intake.command_blocks.val();
        self.registers.status_command_state_busy.next = self.intake.busy.val();
        self.registers.set_interrupt_status_post_dropped.next = self.intake.evt_posts_dropped.val();
        self.registers.evt_posts_dropped.next = self.intake.evt_posts_dropped.val();

        // The buses of the CDMA.
        self.send.s_axi_sg_arvalid.next = self.s_axi_sg_arvalid.val() && !self.reset.q.val();
        self.s_axi_sg_arready.next = self.send.s_axi_sg_arready.val() && !self.reset.q.val();
        self.send.s_axi_sg_araddr.next = self.s_axi_sg_araddr.val();
        self.send.s_axi_sg_arlen.next = self.s_axi_sg_arlen.val();
        self.s_axi_sg_rvalid.next = self.send.s_axi_sg_rvalid.val() && !self.reset.q.val();
        self.send.s_axi_sg_rready.next = self.s_axi_sg_rready.val();
        self.s_axi_sg_rdata.next = self.send.s_axi_sg_rdata.val();
        self.s_axi_sg_rresp.next = self.send.s_axi_sg_rresp.val();
        self.s_axi_sg_rlast.next = self.send.s_axi_sg_rlast.val();
        self.send.s_axi_sg_awvalid.next = self.s_axi_sg_awvalid.val() && !self.reset.q.val();
        self.s_axi_sg_awready.next = self.send.s_axi_sg_awready.val() && !self.reset.q.val();
        self.send.s_axi_sg_awaddr.next = self.s_axi_sg_awaddr.val();
        self.send.s_axi_sg_wvalid.next = self.s_axi_sg_wvalid.val() && !self.reset.q.val();
        self.s_axi_sg_wready.next = self.send.s_axi_sg_wready.val() && !self.reset.q.val();
        self.send.s_axi_sg_wdata.next = self.s_axi_sg_wdata.val();
        self.send.s_axi_sg_wstrb.next = self.s_axi_sg_wstrb.val();
        self.send.s_axi_sg_wlast.next = self.s_axi_sg_wlast.val();
        self.s_axi_sg_bvalid.next = self.send.s_axi_sg_bvalid.val() && !self.reset.q.val();
        self.send.s_axi_sg_bready.next = self.s_axi_sg_bready.val();
        self.s_axi_sg_bresp.next = self.send.s_axi_sg_bresp.val();
        self.m_axi_cdma_awvalid.next = self.send.m_axi_lite_awvalid.val() && !self.reset.q.val();
        self.send.m_axi_lite_awready.next = self.m_axi_cdma_awready.val();
        self.m_axi_cdma_awaddr.next = self.send.m_axi_lite_awaddr.val();
        self.m_axi_cdma_wvalid.next = self.send.m_axi_lite_wvalid.val() && !self.reset.q.val();
        self.send.m_axi_lite_wready.next = self.m_axi_cdma_wready.val();
        self.m_axi_cdma_wdata.next = self.send.m_axi_lite_wdata.val();
        self.send.m_axi_lite_bvalid.next = self.m_axi_cdma_bvalid.val() && !self.reset.q.val();
        self.m_axi_cdma_bready.next = self.send.m_axi_lite_bready.val() && !self.reset.q.val();
        self.send.m_axi_lite_bresp.next = self.m_axi_cdma_bresp.val();
        self.m_axi_cdma_arvalid.next = self.send.m_axi_lite_arvalid.val() && !self.reset.q.val();
        self.send.m_axi_lite_arready.next = self.m_axi_cdma_arready.val();
        self.m_axi_cdma_araddr.next = self.send.m_axi_lite_araddr.val();
        self.send.m_axi_lite_rvalid.next = self.m_axi_cdma_rvalid.val() && !self.reset.q.val();
        self.m_axi_cdma_rready.next = self.send.m_axi_lite_rready.val() && !self.reset.q.val();
        self.send.m_axi_lite_rdata.next = self.m_axi_cdma_rdata.val();
        self.send.m_axi_lite_rresp.next = self.m_axi_cdma_rresp.val();
        self.send.s_axi_buffer_awvalid.next = self.s_axi_buffer_awvalid.val() && !self.reset.q.val();
        self.s_axi_buffer_awready.next = self.send.s_axi_buffer_awready.val() && !self.reset.q.val();
        self.send.s_axi_buffer_awaddr.next = self.s_axi_buffer_awaddr.val();
        self.send.s_axi_buffer_awlen.next = self.s_axi_buffer_awlen.val();
        self.send.s_axi_buffer_awsize.next = self.s_axi_buffer_awsize.val();
        self.send.s_axi_buffer_awburst.next = self.s_axi_buffer_awburst.val();
        self.send.s_axi_buffer_wvalid.next = self.s_axi_buffer_wvalid.val() && !self.reset.q.val();
        self.s_axi_buffer_wready.next = self.send.s_axi_buffer_wready.val() && !self.reset.q.val();
        self.send.s_axi_buffer_wdata.next = self.s_axi_buffer_wdata.val();
        self.send.s_axi_buffer_wstrb.next = self.s_axi_buffer_wstrb.val();
        self.send.s_axi_buffer_wlast.next = self.s_axi_buffer_wlast.val();
        self.s_axi_buffer_bvalid.next = self.send.s_axi_buffer_bvalid.val() && !self.reset.q.val();
        self.send.s_axi_buffer_bready.next = self.s_axi_buffer_bready.val();
        self.s_axi_buffer_bresp.next = self.send.s_axi_buffer_bresp.val();
        self.send.s_axi_buffer_arvalid.next = self.s_axi_buffer_arvalid.val() && !self.reset.q.val();
        self.s_axi_buffer_arready.next = self.send.s_axi_buffer_arready.val() && !self.reset.q.val();
        self.send.s_axi_buffer_arlen.next = self.s_axi_buffer_arlen.val();
        self.s_axi_buffer_rvalid.next = self.send.s_axi_buffer_rvalid.val() && !self.reset.q.val();
        self.send.s_axi_buffer_rready.next = self.s_axi_buffer_rready.val();
        self.s_axi_buffer_rdata.next = self.send.s_axi_buffer_rdata.val();
        self.s_axi_buffer_rresp.next = self.send.s_axi_buffer_rresp.val();
        self.s_axi_buffer_rlast.next = self.send.s_axi_buffer_rlast.val();
        self.send.cfg_pause.next = self.drain.draining.val();

        // How it is set.
        self.receive.cfg_prescale.next = self.registers.cfg_prescale.val();
        self.receive.cfg_op_timeout.next = self.registers.cfg_op_timeout.val();
        self.receive.cfg_escape_timeout.next = self.registers.cfg_escape_timeout.val();
        self.receive.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.receive.cfg_renotify.next = self.registers.cfg_renotify.val();
        self.receive.cfg_ack_wait.next = self.registers.cfg_ack_wait.val();
        self.receive.cfg_entry_quota.next = self.registers.cfg_entry_quota.val();
        self.receive.cfg_escape_quota.next = self.registers.cfg_escape_quota.val();
        self.receive.cfg_region_index.next = self.registers.cfg_region_index.val();
        self.receive.cfg_region_rkey.next = self.registers.cfg_region_rkey.val();
        self.receive.cfg_region_base.next = self.registers.cfg_region_base.val();
        self.receive.cfg_region_length.next = self.registers.cfg_region_length.val();
        self.receive.cfg_region_write.next = self.registers.do_region_load.val();

        // What the host is told.
        self.merged.receive_valid.next = self.receive.complete_valid.val();
        self.receive.complete_ready.next = self.merged.receive_ready.val();
        self.merged.receive_kind.next = self.receive.complete_kind.val();
        self.merged.receive_src.next = self.receive.complete_src.val();
        self.merged.receive_op.next = self.receive.complete_op.val();
        self.merged.receive_base.next = self.receive.complete_base.val();
        self.merged.receive_bytes.next = self.receive.complete_bytes.val();
        self.merged.receive_packets.next = self.receive.complete_packets.val();
        self.merged.receive_status.next = self.receive.complete_status.val();
        self.merged.receive_imm_valid.next = self.receive.complete_imm_valid.val();
        self.merged.receive_imm.next = self.receive.complete_imm.val();
        self.merged.receive_mask.next = self.receive.complete_mask.val();
        self.commands.in_valid.next = self.send.completion_valid.val();
        self.send.completion_ready.next = self.commands.in_ready.val();
        self.commands.in_data.next = bit_cast::<56, 16>(self.send.completion_id.val())
            | (bit_cast::<56, 8>(self.send.completion_status.val()) << 16)
            | (bit_cast::<56, 32>(self.send.completion_bytes.val()) << 24);
        self.merged.command_valid.next = self.commands.out_valid.val();
        self.commands.out_ready.next = self.merged.command_ready.val();
        self.merged.command_id.next = self.commands.out_data.val().get_bits::<16>(0);
        self.merged.command_status.next = self.commands.out_data.val().get_bits::<8>(16);
        self.merged.command_bytes.next = self.commands.out_data.val().get_bits::<32>(24);
        self.merged.cfg_source_node.next = self.registers.cfg_source_node.val();
        self.queue.complete_valid.next = self.merged.complete_valid.val();
        self.merged.complete_ready.next = self.queue.complete_ready.val();
        self.queue.complete_kind.next = self.merged.complete_kind.val();
        self.queue.complete_src.next = self.merged.complete_src.val();
        self.queue.complete_op.next = self.merged.complete_op.val();
        self.queue.complete_base.next = self.merged.complete_base.val();
        self.queue.complete_bytes.next = self.merged.complete_bytes.val();
        self.queue.complete_packets.next = self.merged.complete_packets.val();
        self.queue.complete_status.next = self.merged.complete_status.val();
        self.queue.complete_imm_valid.next = self.merged.complete_imm_valid.val();
        self.queue.complete_imm.next = self.merged.complete_imm.val();
        self.queue.complete_mask.next = self.merged.complete_mask.val();
        self.queue.now.next = self.receive.now.val();
        self.queue.cfg_ring_base.next = self.registers.cfg_ring_base.val();
        self.queue.cfg_ring_size_log2.next = self.registers.cfg_ring_size_log2.val();
        self.queue.cfg_ring_consumer.next = self.registers.cfg_ring_consumer.val();
        self.queue.cfg_coalesce_count.next = self.registers.cfg_coalesce_count.val();
        self.queue.cfg_coalesce_delay.next = self.registers.cfg_coalesce_delay.val();

        // One bus. While it drains no address passes, so no burst begins.
        self.merge.a_axi_awvalid.next = self.receive.m_axi_awvalid.val() && !self.drain.draining.val();
        self.receive.m_axi_awready.next = self.merge.a_axi_awready.val() && !self.drain.draining.val();
        self.merge.a_axi_awid.next = self.receive.m_axi_awid.val();
        self.merge.a_axi_awaddr.next = self.receive.m_axi_awaddr.val();
        self.merge.a_axi_awlen.next = self.receive.m_axi_awlen.val();
        self.merge.a_axi_wvalid.next = self.receive.m_axi_wvalid.val();
        self.merge.a_axi_wdata.next = self.receive.m_axi_wdata.val();
        self.merge.a_axi_wstrb.next = self.receive.m_axi_wstrb.val();
        self.merge.a_axi_wlast.next = self.receive.m_axi_wlast.val();
        self.merge.a_axi_bready.next = self.receive.m_axi_bready.val();
        self.receive.m_axi_wready.next = self.merge.a_axi_wready.val();
        self.receive.m_axi_bvalid.next = self.merge.a_axi_bvalid.val();
        self.receive.m_axi_bid.next = self.merge.a_axi_bid.val();
        self.receive.m_axi_bresp.next = self.merge.a_axi_bresp.val();
        self.merge.b_axi_awvalid.next = self.queue.m_axi_awvalid.val() && !self.drain.draining.val();
        self.queue.m_axi_awready.next = self.merge.b_axi_awready.val() && !self.drain.draining.val();
        self.merge.b_axi_awaddr.next = self.queue.m_axi_awaddr.val();
        self.merge.b_axi_awlen.next = self.queue.m_axi_awlen.val();
        self.merge.b_axi_wvalid.next = self.queue.m_axi_wvalid.val();
        self.merge.b_axi_wdata.next = self.queue.m_axi_wdata.val();
        self.merge.b_axi_wstrb.next = self.queue.m_axi_wstrb.val();
        self.merge.b_axi_wlast.next = self.queue.m_axi_wlast.val();
        self.merge.b_axi_bready.next = self.queue.m_axi_bready.val();
        self.queue.m_axi_wready.next = self.merge.b_axi_wready.val();
        self.queue.m_axi_bvalid.next = self.merge.b_axi_bvalid.val();
        self.queue.m_axi_bresp.next = self.merge.b_axi_bresp.val();
        self.m_axi_awvalid.next = self.merge.m_axi_awvalid.val() && !self.reset.q.val();
        self.m_axi_wvalid.next = self.merge.m_axi_wvalid.val() && !self.reset.q.val();
        self.m_axi_awid.next = self.merge.m_axi_awid.val();
        self.m_axi_awaddr.next = self.merge.m_axi_awaddr.val();
        self.m_axi_awlen.next = self.merge.m_axi_awlen.val();
        self.m_axi_awburst.next = self.merge.m_axi_awburst.val();
        self.m_axi_wdata.next = self.merge.m_axi_wdata.val();
        self.m_axi_wstrb.next = self.merge.m_axi_wstrb.val();
        self.m_axi_wlast.next = self.merge.m_axi_wlast.val();
        self.m_axi_bready.next = self.merge.m_axi_bready.val();
        self.merge.m_axi_awready.next = self.m_axi_awready.val();
        self.merge.m_axi_wready.next = self.m_axi_wready.val();
        self.merge.m_axi_bvalid.next = self.m_axi_bvalid.val();
        self.merge.m_axi_bid.next = self.m_axi_bid.val();
        self.merge.m_axi_bresp.next = self.m_axi_bresp.val();
        self.m_axi_awsize.next = AXI_SIZE.to_bits::<3>();
        self.m_axi_awcache.next = bits::<4>(3);
        self.m_axi_awprot.next = bits::<3>(0);
        self.drain.begins.next = (self.merge.a_axi_awvalid.val() && self.merge.a_axi_awready.val())
            || (self.merge.b_axi_awvalid.val() && self.merge.b_axi_awready.val());
        self.drain.answered.next = self.m_axi_bvalid.val() && self.merge.m_axi_bready.val();
        self.drain.hold.next = !self.send.bus_idle.val();
        self.drain.request.next = self.registers.do_control_soft_reset.val();

        // Frames out: control packets and data in turn.
        self.frames.a_valid.next = self.receive.out_valid.val();
        self.receive.out_ready.next = self.frames.a_ready.val();
        self.frames.a_data.next = self.receive.out_data.val();
        self.frames.a_keep.next = self.receive.out_keep.val();
        self.frames.a_last.next = self.receive.out_last.val();
        self.frames.b_valid.next = self.send.out_valid.val();
        self.send.out_ready.next = self.frames.b_ready.val();
        self.frames.b_data.next = self.send.out_data.val();
        self.frames.b_keep.next = self.send.out_keep.val();
        self.frames.b_last.next = self.send.out_last.val();
        self.drain.frame_valid.next = self.frames.out_valid.val();
        self.drain.frame_ready.next = self.m_axis_tx_tready.val();
        self.drain.frame_last.next = self.frames.out_last.val();
        self.m_axis_tx_tvalid.next = self.drain.frame_passes.val() && !self.reset.q.val();
        self.frames.out_ready.next = self.m_axis_tx_tready.val() && self.drain.frame_passes.val();
        self.m_axis_tx_tdata.next = self.frames.out_data.val();
        self.m_axis_tx_tkeep.next = self.frames.out_keep.val();
        self.m_axis_tx_tlast.next = self.frames.out_last.val();
        self.receive.cfg_mac.next = self.registers.cfg_local_mac.val();
        self.receive.cfg_ip4.next = self.registers.cfg_local_ip_3.val();
        self.receive.cfg_ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
        self.receive.cfg_vlan_on.next = self.registers.cfg_local_vlan_on.val();
        self.receive.cfg_vlan.next = self.registers.cfg_local_vlan_tag.val();
        self.receive.cfg_traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
        self.receive.cfg_hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
        self.receive.cfg_udp_source.next = self.registers.cfg_local_udp_source_port.val();
        self.receive.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
        self.receive.cfg_node_write.next =
            self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
        self.receive.cfg_node_index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
        self.receive.cfg_node_valid.next = self.registers.cfg_node_qp_valid.val();
        self.receive.cfg_node_mac.next = self.registers.cfg_node_mac.val();
        self.receive.cfg_node_six.next = self.registers.cfg_node_qp_ipv6.val();
        self.receive.cfg_node_ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());
        self.receive.cfg_node_qp.next = self.registers.cfg_node_qp_number.val();

        // What software sets and sees.
        self.send.cfg_prescale.next = self.registers.cfg_prescale.val();
        self.send.cfg_buffer_base.next = self.registers.cfg_buffer_base.val();
        self.send.cfg_threshold.next = self.registers.cfg_threshold.val();
        self.send.cfg_segment.next = self.registers.cfg_segment.val();
        self.send.cfg_timeout.next = self.registers.cfg_timeout.val();
        self.send.cfg_backoff_cap.next = self.registers.cfg_backoff_cap.val();
        self.send.cfg_retry_limit.next = self.registers.cfg_retry_limit.val();
        self.send.cfg_t_life.next = self.registers.cfg_t_life.val();
        self.send.cfg_ring_base.next = self.registers.cfg_sg_base.val();
        self.send.cfg_wide.next = self.registers.cfg_cdma_wide.val();
        self.send.cfg_irq_threshold.next = self.registers.cfg_irq_threshold.val();
        self.send.cfg_irq_delay.next = self.registers.cfg_irq_delay.val();
        self.send.cfg_reset_timeout.next = self.registers.cfg_reset_timeout.val();
        self.send.cfg_cdma_error_limit.next = self.registers.cfg_cdma_error_limit.val();
        self.send.cfg_src.next = self.registers.cfg_source_node.val();
        self.send.cfg_mac.next = self.registers.cfg_local_mac.val();
        self.send.cfg_ip4.next = self.registers.cfg_local_ip_3.val();
        self.send.cfg_ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
        self.send.cfg_vlan_on.next = self.registers.cfg_local_vlan_on.val();
        self.send.cfg_vlan.next = self.registers.cfg_local_vlan_tag.val();
        self.send.cfg_traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
        self.send.cfg_hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
        self.send.cfg_udp_source.next = self.registers.cfg_local_udp_source_port.val();
        self.send.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
        self.send.cfg_node_write.next =
            self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
        self.send.cfg_node_index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
        self.send.cfg_node_valid.next = self.registers.cfg_node_qp_valid.val();
        self.send.cfg_node_mac.next = self.registers.cfg_node_mac.val();
        self.send.cfg_node_six.next = self.registers.cfg_node_qp_ipv6.val();
        self.send.cfg_node_ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
            | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
            | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());

        // Registers.
        self.registers.s_axi_awvalid.next = self.s_axi_ctrl_awvalid.val() && !self.reset.q.val();
        self.s_axi_ctrl_awready.next = self.registers.s_axi_awready.val() && !self.reset.q.val();
        self.registers.s_axi_awaddr.next = self.s_axi_ctrl_awaddr.val();
        self.registers.s_axi_awprot.next = self.s_axi_ctrl_awprot.val();
        self.registers.s_axi_wvalid.next = self.s_axi_ctrl_wvalid.val() && !self.reset.q.val();
        self.s_axi_ctrl_wready.next = self.registers.s_axi_wready.val() && !self.reset.q.val();
        self.registers.s_axi_wdata.next = self.s_axi_ctrl_wdata.val();
        self.registers.s_axi_wstrb.next = self.s_axi_ctrl_wstrb.val();
        self.s_axi_ctrl_bvalid.next = self.registers.s_axi_bvalid.val() && !self.reset.q.val();
        self.registers.s_axi_bready.next = self.s_axi_ctrl_bready.val();
        self.s_axi_ctrl_bresp.next = self.registers.s_axi_bresp.val();
        self.registers.s_axi_arvalid.next = self.s_axi_ctrl_arvalid.val() && !self.reset.q.val();
        self.s_axi_ctrl_arready.next = self.registers.s_axi_arready.val() && !self.reset.q.val();
        self.registers.s_axi_araddr.next = self.s_axi_ctrl_araddr.val();
        self.registers.s_axi_arprot.next = self.s_axi_ctrl_arprot.val();
        self.s_axi_ctrl_rvalid.next = self.registers.s_axi_rvalid.val() && !self.reset.q.val();
        self.registers.s_axi_rready.next = self.s_axi_ctrl_rready.val();
        self.s_axi_ctrl_rdata.next = self.registers.s_axi_rdata.val();
        self.s_axi_ctrl_rresp.next = self.registers.s_axi_rresp.val();
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
            self.gate.out_valid.val() && self.parser.in_ready.val() && self.s_axis_rx_tlast.val() && self.s_axis_rx_tuser.val().get_bit(0);
        self.registers.evt_accepted.next = self.receive.evt_accepted.val();
        self.registers.evt_duplicate.next = self.receive.evt_duplicate.val();
        self.registers.evt_completed.next = self.receive.evt_completed.val();
        self.registers.evt_registered.next = self.receive.evt_registered.val();
        self.registers.evt_escaped.next = self.receive.evt_escaped.val();
        self.registers.evt_replayed.next = self.receive.evt_replayed.val();
        self.registers.evt_escape_timeout.next = self.receive.evt_escape_timeout.val();
        self.registers.evt_escape_full.next = self.receive.evt_escape_full.val();
        self.registers.evt_quota.next = self.receive.evt_quota.val();
        self.registers.evt_op_timeout.next = self.receive.evt_op_timeout.val();
        self.registers.evt_stale.next = self.receive.evt_stale.val();
        self.registers.evt_renotified.next = self.receive.evt_renotified.val();
        self.registers.evt_superseded.next = self.receive.evt_superseded.val();
        self.registers.evt_aborted.next = self.receive.evt_aborted.val();
        self.registers.evt_arrivals.next = self.receive.evt_arrivals.val();
        self.registers.evt_write_error.next = self.receive.evt_write_error.val();
        self.registers.evt_reject_count_zero.next = self.receive.evt_reject_count_zero.val();
        self.registers.evt_reject_bytes_zero.next = self.receive.evt_reject_bytes_zero.val();
        self.registers.evt_reject_count_mismatch.next = self.receive.evt_reject_count_mismatch.val();
        self.registers.evt_reject_oversize.next = self.receive.evt_reject_oversize.val();
        self.registers.evt_reject_misaligned_base.next = self.receive.evt_reject_misaligned_base.val();
        self.registers.evt_reject_wraps.next = self.receive.evt_reject_wraps.val();
        self.registers.evt_reject_overlap.next = self.receive.evt_reject_overlap.val();
        self.registers.evt_reject_misaligned_offset.next = self.receive.evt_reject_misaligned_offset.val();
        self.registers.evt_reject_wrong_length.next = self.receive.evt_reject_wrong_length.val();
        self.registers.evt_reject_unknown_source.next = self.receive.evt_reject_unknown_source.val();
        self.registers.evt_reject_conflict.next = self.receive.evt_reject_conflict.val();
        self.registers.evt_reject_access.next = self.receive.evt_reject_access.val();
        self.registers.evt_memory_bursts.next = self.receive.evt_memory_bursts.val();
        self.registers.evt_memory_errors.next = self.receive.evt_memory_errors.val();
        self.registers.evt_completions.next = self.queue.evt_completions.val();
        self.registers.evt_control_frames.next = self.receive.evt_control_frames.val();
        self.registers.evt_control_unknown_node.next = self.receive.evt_control_unknown_node.val();
        self.registers.evt_commands.next = self.send.evt_commands.val();
        self.registers.evt_segments.next = self.send.evt_segments.val();
        self.registers.evt_arrival_failed.next = self.send.evt_arrival_failed.val();
        self.registers.evt_refused_bytes_zero.next = self.send.evt_refused_bytes_zero.val();
        self.registers.evt_refused_misaligned_target.next = self.send.evt_refused_misaligned_target.val();
        self.registers.evt_refused_wraps.next = self.send.evt_refused_wraps.val();
        self.registers.evt_refused_misaligned_source.next = self.send.evt_refused_misaligned_source.val();
        self.registers.evt_refused_bad_configuration.next = self.send.evt_refused_bad_configuration.val();
        self.registers.evt_refused_too_long.next = self.send.evt_refused_too_long.val();
        self.registers.evt_packets.next = self.send.evt_packets.val();
        self.registers.evt_retransmissions.next = self.send.evt_retransmissions.val();
        self.registers.evt_acks.next = self.send.evt_acks.val();
        self.registers.evt_duplicate_acks.next = self.send.evt_duplicate_acks.val();
        self.registers.evt_nacks.next = self.send.evt_nacks.val();
        self.registers.evt_stale_acks.next = self.send.evt_stale_acks.val();
        self.registers.evt_timeouts.next = self.send.evt_timeouts.val();
        self.registers.evt_failures.next = self.send.evt_failures.val();
        self.registers.evt_acks_dropped.next = self.send.evt_acks_dropped.val();
        self.registers.evt_nacks_dropped.next = self.send.evt_nacks_dropped.val();
        self.registers.evt_descriptors.next = self.send.evt_descriptors.val();
        self.registers.evt_cdma_errors.next = self.send.evt_cdma_errors.val();
        self.registers.evt_cdma_resets.next = self.send.evt_cdma_resets.val();
        self.registers.evt_refused_loads.next = self.send.evt_refused_loads.val();
        self.registers.evt_buffer_write_refused.next = self.send.evt_buffer_write_refused.val();
        self.registers.evt_buffer_read_refused.next = self.send.evt_buffer_read_refused.val();
        self.registers.evt_data_frames.next = self.send.evt_data_frames.val();
        self.registers.evt_stale_packets.next = self.send.evt_stale_packets.val();
        self.registers.evt_unknown_node.next = self.send.evt_unknown_node.val();
        self.registers.evt_aborts.next = self.send.evt_aborts.val();
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
