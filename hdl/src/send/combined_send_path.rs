use super::{
    CdmaDriver, OpGate, OpLoader, OpTable, PacketEngine, PacketTimeout, Refetch, SendBuffer, SentPackets, Splitter, TRY_BITS, WindowGate,
};
use crate::Described;
use crate::bitmap::{SendBitmap, some};
use crate::bus::{
    AnswerHeadersSink, BufferBus, CdmaBus, CommandResults, CommandsSink, DescriptorBus, EndedOps, EndedSegments, FeedbackMessages,
    FirstPackets, Frames, LocalAddress, NodeEntry, NumberRequests, OpNumbers, Operations, PacketRuns, Segments, SentNumbers, SlotPayload,
    SlotReads,
};
use crate::csr::bundles::{NumberConfig, NumberEvents, SendConfig, SendEvents};
use crate::primitives::{FifoLut, LutRam, Reg, TickCounter};
use crate::sizes::*;
use crate::wire::FeedbackIntake;
use rust_hdl::prelude::*;

/// The whole send side in the transport profile *combined*, but its registers: as [`SendPath`](super::SendPath), and a send bitmap gives
/// the packet sequence numbers and decides what is sent again.
///
/// ```text
///  command ─▶ splitter ─▶ loader ─▶ CDMA driver ⇄ CDMA ─▶ send buffer
///  completion ◀─┘  ▲      │  ▲ │                             │
///                  │      ▼  │ └──▶ packet engine ◀──────────┘──▶ frames
///                  └── op table ──▶ op gate ──▶ ┤ ▲ first ─▶ window gate ─▶ send bitmap, sent packets
///                         ▲ remote completions  └─┴── again ◀─ sent packets ◀─ runs ─ send bitmap ◀─ feedback intake ◀─ headers
/// ```
///
/// What each part does is in its own documentation. The queue pair of a packet is that of its receiving node. The op table hears remote
/// completions alone; its retransmissions pass `OpGate`. What is sent again by its number goes as try 31 and is no event of the op table:
/// `cfg_retry_limit` counts as 30 at most. A queue pair is opened and closed by a command. When one is closed, or its retry limit is
/// reached, no number of it is waited for any more: what has been sent completes by its remote completion or fails by the op table's retry
/// limit, what has not fails at once, with status 32. Open it again when its operations have ended.
///
/// With `plain` the transport profile is *bitmap*: packets carry no OpETH, so that any RoCEv2 peer may receive them, and an operation ends
/// when all its numbers are acknowledged. What is not acknowledged when its queue pair is closed or has failed ends with status 32 at once.
/// A command's wish for a data arrival is not heard: nothing is known of operations there.
/// With `refetch` what goes again by its number, or as a start, is pulled from the host's memory again (`Refetch`). First packets that wait
/// for a number do not hold it up: the answers of their loads wait apart.
/// Latency: that of `SendPath`, and 5 clocks before each first transmission. Throughput: one beat of a frame per clock, one first
/// transmission per 6 clocks.
/// Reset: empty, every queue pair closed; `ready` when the tables are clear.
/// Spec: send path; overview, "Who acknowledges what", profile combined; bitmap loss detection, "Sender".
#[derive(Default, Described, LogicBlock)]
pub struct CombinedSendPath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    pub header: AnswerHeadersSink,
    /// a queue pair is to be opened or closed
    pub connect_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `connect_valid` is high too
    pub connect_ready: Signal<Out, Bit>,
    /// open, else close
    pub connect_open: Signal<In, Bit>,
    /// index of the queue pair
    pub connect_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `connect`
    pub connect_psn: Signal<In, Bits<24>>,
    /// a command has been carried out
    pub connect_done: Signal<Out, Bit>,
    /// the retry limit of a queue pair has been reached
    pub connect_error: Signal<Out, Bit>,
    /// queue pair of `connect_error`
    pub connect_error_qp: Signal<Out, Bits<NODE_BITS>>,
    #[port = "cfg"]
    pub cfg_number: NumberConfig,
    /// there is a limit of the rate
    pub cfg_limit: Signal<In, Bit>,
    /// packets that may be saved up
    pub cfg_burst: Signal<In, Bits<16>>,
    /// bytes of a packet
    pub cfg_packet: Signal<In, Bits<16>>,
    #[port = "evt"]
    pub evt_number: NumberEvents,
    /// ticks since reset
    pub now: Signal<Out, Bits<32>>,
    /// clocks per tick, 0 as 1
    pub cfg_prescale: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_send: SendConfig,
    /// no further load begins
    pub cfg_pause: Signal<In, Bit>,
    /// the CDMA has nothing to do and its buses are at rest
    pub bus_idle: Signal<Out, Bit>,
    /// nothing is under way
    pub idle: Signal<Out, Bit>,
    pub command: CommandsSink,
    pub completion: CommandResults,
    /// level: threshold and segment are not allowed, commands are refused
    pub config_error: Signal<Out, Bit>,
    /// commands under way
    pub status_commands: Signal<Out, Bits<COMMAND_COUNT_BITS>>,
    #[port = "evt"]
    pub evt_send: SendEvents,
    /// ticks that a packet may live in the network, less than 2^31
    pub cfg_t_life: Signal<In, Bits<32>>,
    /// ops that have not ended
    pub status_ops_live: Signal<Out, Bits<OP_COUNT_BITS>>,
    /// the most so far
    pub status_ops_live_max: Signal<Out, Bits<OP_COUNT_BITS>>,
    /// address of the ring as the CDMA sees it, a multiple of its size
    pub cfg_ring_base: Signal<In, Bits<64>>,
    /// the CDMA has addresses of more than 32 bits
    pub cfg_wide: Signal<In, Bit>,
    /// the configuration cannot be
    pub status_cdma_config_error: Signal<Out, Bit>,
    /// the engine is given up
    pub status_cdma_dead: Signal<Out, Bit>,
    /// descriptors that are out
    pub status_descriptors_out: Signal<Out, Bits<DESCRIPTOR_BITS>>,
    /// the engine has told its coalesced interrupt
    pub set_interrupt_status_loaded: Signal<Out, Bit>,
    /// descriptor ring
    pub s_axi_sg: DescriptorBus<DESCRIPTOR_BYTE_BITS>,
    pub m_axi_lite: CdmaBus<6>,
    /// send buffer
    pub s_axi_buffer: BufferBus<DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// our own node number
    pub cfg_src: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,

    ticks: TickCounter,
    bitmap: SendBitmap,
    sent: SentPackets,
    window: WindowGate<NODE_BITS, POSITION_BITS>,
    gate: OpGate,
    intake: FeedbackIntake,
    // The number behind the last one that was given, by queue pair.
    nexts: LutRam<24, NODE_BITS>,
    // 0 idle, 1 opens in the sent packets, 2 in the intake, 3 in the packet engine, 4 asks the bitmap, 5 waits for it, 6 lets the base move
    // to the next number, 7 is done.
    step: Reg<Bits<3>>,
    opens: Reg<Bit>,
    fails: Reg<Bit>,
    qp: Reg<Bits<NODE_BITS>>,
    first: Reg<Bits<24>>,
    by_number: Signal<Local, Bit>,
    counts: Signal<Local, Bit>,
    gives: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    #[variant]
    _plain: usize,
    // An operation was told to have ended a clock ago: with one in two clocks the op table never drops one.
    told: Vec<Reg<Bit>>,
    given_up: Vec<Signal<Local, Bit>>,
    acknowledged: Vec<Signal<Local, Bit>>,
    fails_up: Vec<Signal<Local, Bit>>,
    // The failure of a packet without a frame was offered, and not taken.
    fail_turn: Reg<Bit>,
    fail_void: Signal<Local, Bit>,
    is_completion: Signal<Local, Bit>,
    splitter: Splitter,
    table: OpTable,
    driver: CdmaDriver,
    buffer: SendBuffer,
    engine: PacketEngine,
    timeout: PacketTimeout,
    loader: OpLoader,
    refetch: Vec<Refetch>,
    // The answer is that of a pull.
    is_pull: Vec<Signal<Local, Bit>>,
    answers: Vec<FifoLut<LOADED_BITS, SEND_SLOT_BITS, SEND_SLOT_COUNT_BITS>>,
}

impl CombinedSendPath {
    /// A new one.
    pub fn new() -> Self {
        Self {
            splitter: Splitter::new(),
            table: OpTable::new(),
            driver: CdmaDriver::new(),
            buffer: SendBuffer::new(),
            engine: PacketEngine::new(),
            loader: OpLoader::new(),
            bitmap: SendBitmap::new(),
            sent: SentPackets::new(),
            intake: FeedbackIntake::new(),
            refetch: some(REFETCH),
            is_pull: some(REFETCH),
            answers: some(REFETCH),
            ..Default::default()
        }
    }

    /// As `new`, in the transport profile *bitmap*.
    pub fn plain() -> Self {
        Self {
            _plain: 1,
            engine: PacketEngine::plain(),
            sent: SentPackets::with_ends(),
            told: vec![Default::default()],
            given_up: vec![Default::default()],
            acknowledged: vec![Default::default()],
            fails_up: vec![Default::default()],
            ..Self::new()
        }
    }
}

super::loading! {
    CombinedSendPath
    {
        // Each waits for its number.
        FirstPackets::join(&mut self.engine.first, &mut self.window.first);
        self.bitmap.send_valid.next = self.window.send_valid.val();
        self.window.send_ready.next = self.bitmap.send_ready.val();
        self.bitmap.send_qp.next = self.window.send_qp.val();
        self.window.answer_valid.next = self.bitmap.answer_valid.val();
        self.window.answer_psn.next = self.bitmap.answer_psn.val();
        self.window.answer_reason.next = self.bitmap.answer_reason.val();
        SentNumbers::join(&mut self.window.sent, &mut self.sent.sent);
        self.evt_number.void.next = self.window.evt_void.val();
        self.evt_number.held.next = self.window.evt_held.val();

        // What the receivers tell, and what is sent again for it.
        self.intake.cfg_number.next = self.cfg_number.feedback_qp.val();
        AnswerHeadersSink::link(&mut self.header, &mut self.intake.header);
        FeedbackMessages::join(&mut self.intake.feedback, &mut self.bitmap.feedback);
        self.bitmap.now.next = self.ticks.now.val();
        self.bitmap.cfg_dedup.next = self.cfg_number.dedup.val();
        self.bitmap.cfg_rtx_mode.next = self.cfg_number.rtx_mode.val();
        self.bitmap.cfg_aggregate.next = self.cfg_number.aggregate.val();
        self.bitmap.cfg_merge.next = self.cfg_number.merge.val();
        self.bitmap.cfg_rtx_window.next = self.cfg_number.rtx_window.val();
        self.bitmap.cfg_untold_window.next = self.cfg_number.untold_window.val();
        self.bitmap.cfg_rto.next = self.cfg_number.rto.val();
        self.bitmap.cfg_rto_cap.next = self.cfg_number.rto_cap.val();
        self.bitmap.cfg_retry_limit.next = self.cfg_number.rto_limit.val();
        self.bitmap.cfg_limit.next = self.cfg_limit.val();
        self.bitmap.cfg_rate.next = self.cfg_number.rate.val();
        self.bitmap.cfg_burst.next = self.cfg_burst.val();
        self.bitmap.cfg_packet.next = self.cfg_packet.val();
        PacketRuns::join(&mut self.bitmap.rtx, &mut self.sent.rtx);
        // A start that the op table wants goes first: there are few.
        self.engine.retransmit_valid.next = self.gate.again_valid.val() || self.sent.again_valid.val();
        self.gate.again_ready.next = self.engine.retransmit_ready.val();
        self.sent.again_ready.next = self.engine.retransmit_ready.val() && !self.gate.again_valid.val();
        self.engine.retransmit_op.next = self.sent.again_op.val();
        self.engine.retransmit_packet.next = self.sent.again_packet.val();
        self.engine.retransmit_try.next = bits::<TRY_BITS>(31);
        if self.gate.again_valid.val() {
            self.engine.retransmit_op.next = self.gate.again_op.val();
            self.engine.retransmit_packet.next = bits::<POSITION_BITS>(0);
            self.engine.retransmit_try.next = self.gate.again_try.val();
        }
        self.evt_number.number_ack.next = self.intake.evt_ack.val();
        self.evt_number.number_range.next = self.intake.evt_range.val();
        self.evt_number.number_ffm.next = self.intake.evt_ffm.val();
        self.evt_number.number_negative.next = self.intake.evt_negative.val();
        self.evt_number.number_malformed.next = self.intake.evt_malformed.val();
        self.evt_number.number_unknown_qp.next = self.intake.evt_unknown_qp.val();
        self.evt_number.number_dropped.next = self.intake.evt_dropped.val();
        self.evt_number.bad_ack.next = self.bitmap.evt_bad_ack.val();
        self.evt_number.rto.next = self.bitmap.evt_timeout.val();

        // Operations of which no number is waited for.
        self.gate.acked_valid.next = self.sent.acked_valid.val() || self.window.acked_valid.val();
        self.sent.acked_ready.next = self.gate.acked_ready.val();
        self.window.acked_ready.next = self.gate.acked_ready.val() && !self.sent.acked_valid.val();
        self.gate.acked_op.next = self.window.acked_op.val();
        if self.sent.acked_valid.val() {
            self.gate.acked_op.next = self.sent.acked_op.val();
        }
        self.gate.begin_valid.next = self.loader.op.valid.val() && self.engine.op.ready.val();
        self.gate.begin_op.next = self.loader.op.op.val();
        self.gate.begin_kind.next = self.loader.op.kind.val();

        // Queue pairs: opened where their numbers are known before the bitmap gives one; when one has ended its base moves to its next
        // number.
        self.nexts.write_enable.next = self.gives.val();
        self.nexts.write_address.next = self.window.sent.qp.val();
        self.nexts.write_data.next = self.window.sent.psn.val() + 1;
        self.gives.next = self.window.sent.valid.val() && self.sent.sent.ready.val();
        self.nexts.read_address.next = self.qp.q.val();
        self.connect_ready.next = !self.step.q.val().any() && !self.bitmap.error_valid.val() && !self.gives.val();
        self.bitmap.error_ready.next = !self.step.q.val().any() && !self.gives.val();
        self.connect_error.next = self.bitmap.error_valid.val() && self.bitmap.error_ready.val();
        self.connect_error_qp.next = self.bitmap.error_qp.val();
        self.evt_number.queue_pair_errors.next = self.connect_error.val();
        self.connect_done.next = self.step.q.val() == bits::<3>(7) && !self.fails.q.val();
        self.sent.open_valid.next = self.step.q.val() == bits::<3>(1);
        self.sent.open_qp.next = self.qp.q.val();
        self.sent.open_psn.next = self.first.q.val();
        self.intake.open_valid.next = self.step.q.val() == bits::<3>(2);
        self.intake.open_qp.next = self.qp.q.val();
        self.intake.open_psn.next = self.first.q.val();
        self.engine.number_valid.next = self.step.q.val() == bits::<3>(3);
        self.engine.number_node.next = self.qp.q.val();
        self.engine.number_psn.next = self.first.q.val();
        self.bitmap.command_valid.next = self.step.q.val() == bits::<3>(4);
        self.bitmap.command_open.next = self.opens.q.val();
        self.bitmap.command_qp.next = self.qp.q.val();
        self.bitmap.command_psn.next = self.first.q.val();
        // A number that has been given is still to be written.
        self.moves.next = self.step.q.val() == bits::<3>(6) && !self.window.sent.valid.val() && !self.bitmap.done_moved.val();
        self.sent.moved_valid.next = (self.bitmap.done_valid.val() && self.bitmap.done_moved.val()) || self.moves.val();
        self.sent.moved_qp.next = self.bitmap.done_qp.val();
        self.sent.moved_base.next = self.bitmap.done_base.val();
        if self.moves.val() {
            self.sent.moved_qp.next = self.qp.q.val();
            self.sent.moved_base.next = self.nexts.read_data.val();
        }
        if self.step.q.val() == bits::<3>(0) {
            self.fails.d.next = self.bitmap.error_valid.val();
            self.opens.d.next = self.connect_open.val() && !self.bitmap.error_valid.val();
            self.qp.d.next = self.connect_qp.val();
            self.first.d.next = self.connect_psn.val();
            if self.bitmap.error_valid.val() {
                self.qp.d.next = self.bitmap.error_qp.val();
                if !self.gives.val() {
                    self.step.d.next = bits::<3>(6);
                }
            } else if self.connect_valid.val() && !self.gives.val() {
                self.step.d.next = bits::<3>(4);
                if self.connect_open.val() {
                    self.step.d.next = bits::<3>(1);
                    self.nexts.write_enable.next = true;
                    self.nexts.write_address.next = self.connect_qp.val();
                    self.nexts.write_data.next = self.connect_psn.val();
                }
            }
        } else if self.step.q.val() == bits::<3>(1) {
            if self.sent.open_ready.val() {
                self.step.d.next = bits::<3>(2);
            }
        } else if self.step.q.val() == bits::<3>(2) {
            if self.intake.open_ready.val() {
                self.step.d.next = bits::<3>(3);
            }
        } else if self.step.q.val() == bits::<3>(3) {
            if self.engine.number_ready.val() {
                self.step.d.next = bits::<3>(4);
            }
        } else if self.step.q.val() == bits::<3>(4) {
            if self.bitmap.command_ready.val() {
                self.step.d.next = bits::<3>(5);
            }
        } else if self.step.q.val() == bits::<3>(5) {
            if self.bitmap.done_valid.val() && (self.bitmap.done_kind.val() == bits::<4>(5) || self.bitmap.done_kind.val() == bits::<4>(6))
            {
                self.step.d.next = bits::<3>(6);
                if self.opens.q.val() {
                    self.step.d.next = bits::<3>(7);
                }
            }
        } else if self.step.q.val() == bits::<3>(6) {
            if self.moves.val() {
                self.step.d.next = bits::<3>(7);
            }
        } else {
            self.step.d.next = bits::<3>(0);
        }

        // What happens to them.
        self.table.cfg_retry_limit.next = self.cfg_send.retry_limit.val();
        if self.cfg_send.retry_limit.val().all() {
            self.table.cfg_retry_limit.next = bits::<TRY_BITS>(30);
        }
        self.table.cfg_t_life.next = self.cfg_t_life.val();
        // Remote completions alone, with their op and status behind BTH.
        self.is_completion.next = self.header.valid.val() && self.header.opcode.val() == bits::<8>(0xc1);
        self.table.ack_valid.next = self.is_completion.val();
        self.table.ack_kind.next = true;
        self.table.ack_op.next = self.header.body.val().get_bits::<OP_BITS>(200);
        self.table.ack_first.next = bits::<16>(0);
        self.table.ack_status.next = self.header.body.val().get_bits::<8>(192);
        self.table.ack_mask.next = bits::<64>(0);
        self.gate.overlap_valid.next = self.is_completion.val() && self.header.body.val().get_bits::<8>(192) == bits::<8>(7);
        self.gate.overlap_op.next = self.header.body.val().get_bits::<OP_BITS>(200);
        self.status_ops_live.next = self.table.status_live.val();
        self.status_ops_live_max.next = self.table.status_live_max.val();
        // The op table hears of a timer that starts anew as of a packet: what is counted is what the wire took.
        self.evt_send.packets.next = self.counts.val();
        self.evt_send.retransmissions.next = self.counts.val() && self.engine.sent_try.val().any();
        self.evt_send.acks.next = self.table.evt_acks.val();
        self.evt_send.duplicate_acks.next = self.table.evt_duplicate_acks.val();
        self.evt_send.nacks.next = self.table.evt_nacks.val();
        self.evt_send.stale_acks.next = self.table.evt_stale_acks.val();
        self.evt_send.timeouts.next = self.table.evt_timeouts.val();
        self.evt_send.failures.next = self.table.evt_failures.val();
        self.evt_send.acks_dropped.next = self.table.evt_acks_dropped.val();
        self.evt_send.nacks_dropped.next = self.table.evt_nacks_dropped.val();
        self.table.now.next = self.ticks.now.val();
        self.by_number.next = self.engine.sent_try.val().all();
        self.counts.next = self.engine.sent_valid.val() && !self.by_number.val();
        self.evt_number.selective_retransmissions.next = self.engine.sent_valid.val() && self.by_number.val();
        self.timeout.now.next = self.ticks.now.val();
        self.timeout.cfg_initial.next = self.cfg_send.timeout.val();
        self.timeout.cfg_floor.next = self.cfg_send.timeout_floor.val();
        self.timeout.cfg_cap.next = self.cfg_send.backoff_cap.val();
        self.timeout.cfg_delay.next = self.cfg_send.ack_delay.val();
        self.timeout.open_valid.next = self.loader.op.valid.val() && self.engine.op.ready.val();
        self.timeout.open_op.next = self.loader.op.op.val();
        self.timeout.open_node.next = self.loader.op.node.val();
        self.timeout.in_valid.next = self.counts.val() || self.gate.restart_valid.val();
        self.gate.restart_ready.next = !self.counts.val();
        self.timeout.in_op.next = self.engine.sent_op.val();
        self.timeout.in_packet.next = self.engine.sent_packet.val();
        self.timeout.in_try.next = self.engine.sent_try.val();
        if !self.counts.val() {
            self.timeout.in_op.next = self.gate.restart_op.val();
            self.timeout.in_packet.next = bits::<POSITION_BITS>(0);
            self.timeout.in_try.next = self.gate.restart_try.val();
        }
        self.timeout.again_valid.next = self.engine.retransmit_ready.val() && (self.gate.again_valid.val() || self.sent.again_valid.val());
        self.timeout.again_op.next = self.sent.again_op.val();
        if self.gate.again_valid.val() {
            self.timeout.again_op.next = self.gate.again_op.val();
        }
        self.timeout.again_expired.next = self.gate.again_valid.val();
        self.timeout.ack_valid.next = self.is_completion.val();
        self.timeout.ack_kind.next = true;
        self.timeout.ack_op.next = self.header.body.val().get_bits::<OP_BITS>(200);
        self.timeout.ack_first.next = bits::<16>(0);
        self.timeout.ack_names_first.next = true;
        self.timeout.forget_valid.next = self.cfg_node.write.val();
        self.timeout.forget_node.next = self.cfg_node.index.val();
        self.table.sent_valid.next = self.timeout.out_valid.val();
        self.table.sent_op.next = self.timeout.out_op.val();
        self.table.sent_packet.next = self.timeout.out_packet.val();
        self.table.sent_try.next = self.timeout.out_try.val();
        self.table.sent_ticks.next = self.timeout.out_ticks.val();
        // What was not fetched, and what went without a frame.
        self.fail_void.next = self.window.fail_valid.val() && (self.fail_turn.q.val() || !self.loader.fail_valid.val());
        self.table.fail_valid.next = self.loader.fail_valid.val() || self.window.fail_valid.val();
        self.fail_turn.d.next = self.fail_void.val() && !self.table.fail_ready.val();
        self.loader.fail_ready.next = self.table.fail_ready.val() && !self.fail_void.val();
        self.window.fail_ready.next = self.table.fail_ready.val() && self.fail_void.val();
        self.table.fail_op.next = self.loader.fail_op.val();
        self.table.fail_status.next = self.loader.fail_status.val();
        if self.fail_void.val() {
            self.table.fail_op.next = self.window.fail_op.val();
            self.table.fail_status.next = bits::<8>(32);
        }
        self.gate.wanted_valid.next = self.table.retransmit_valid.val();
        self.table.retransmit_ready.next = self.gate.wanted_ready.val();
        self.gate.wanted_op.next = self.table.retransmit_op.val();
        self.gate.wanted_packet.next = self.table.retransmit_packet.val();
        self.gate.wanted_try.next = self.table.retransmit_try.val();
        self.engine.abort.valid.next = self.table.abort.valid.val();
        self.table.abort.ready.next = self.engine.abort.ready.val();
        self.engine.abort.op.next = self.table.abort.op.val();
        self.evt_send.aborts.next = self.table.abort.valid.val() && self.engine.abort.ready.val();

        // How they end.
        EndedOps::join(&mut self.table.ended, &mut self.loader.ended);
        EndedSegments::join(&mut self.loader.told, &mut self.splitter.ended);
        self.loader.abort_valid.next = self.table.abort.valid.val();
        OpNumbers::join(&mut self.loader.close, &mut self.gate.close);
        OpNumbers::join(&mut self.gate.closed, &mut self.engine.close);
        self.loader.closed_valid.next = self.engine.closed_valid.val();
        self.loader.closed_op.next = self.engine.closed_op.val();
        self.table.release_valid.next = self.loader.release_valid.val();
        self.table.release_index.next = self.loader.release_index.val();
        for p in 0..self._plain {
            self.told[p].d.next = self.told[p].q.val();
            // Operations end with their numbers, not by what a registry says.
            self.splitter.command.arrival.next = false;
            self.gate.overlap_valid.next = false;
            self.sent.moved_ends[p].next = self.moves.val();
            self.given_up[p].next = self.sent.acked_valid.val() && self.sent.acked_ends[p].val();
            self.acknowledged[p].next = self.sent.acked_valid.val() && !self.sent.acked_ends[p].val() && !self.told[p].q.val();
            self.fails_up[p].next = self.given_up[p].val() && !self.loader.fail_valid.val() && !self.window.fail_valid.val();
            for r in 0..REFETCH {
                self.fails_up[p].next = self.given_up[p].val()
                    && !self.loader.fail_valid.val()
                    && !self.window.fail_valid.val()
                    && !self.refetch[r].fail_valid.val();
            }
            self.gate.acked_valid.next = self.acknowledged[p].val() || (self.fails_up[p].val() && self.table.fail_ready.val());
            if !self.sent.acked_valid.val() {
                self.gate.acked_valid.next = self.window.acked_valid.val();
            }
            self.sent.acked_ready.next = self.gate.acked_ready.val() && self.gate.acked_valid.val();
            self.told[p].d.next = self.acknowledged[p].val() && self.gate.acked_ready.val();
            self.table.ack_valid.next = self.acknowledged[p].val() && self.gate.acked_ready.val();
            self.table.ack_op.next = self.sent.acked_op.val();
            self.table.ack_status.next = bits::<8>(0);
            if self.fails_up[p].val() {
                self.table.fail_valid.next = self.gate.acked_ready.val();
                self.table.fail_op.next = self.sent.acked_op.val();
                self.table.fail_status.next = bits::<8>(32);
            }
            // Timers of operations end none.
            self.table.cfg_retry_limit.next = bits::<TRY_BITS>(30);
            // Nothing goes again but by its number, and nobody there has to be told of what does not go on.
            self.engine.retransmit_valid.next = self.sent.again_valid.val();
            self.engine.retransmit_op.next = self.sent.again_op.val();
            self.engine.retransmit_packet.next = self.sent.again_packet.val();
            self.engine.retransmit_try.next = bits::<TRY_BITS>(31);
            self.sent.again_ready.next = self.engine.retransmit_ready.val();
            self.gate.again_ready.next = true;
            self.gate.restart_ready.next = true;
            self.timeout.in_valid.next = self.counts.val();
            self.timeout.again_valid.next = false;
            self.engine.abort.valid.next = false;
            self.table.abort.ready.next = true;
        }

        // Packets that go again are pulled again, whoever wants them, and a close comes behind them.
        for r in 0..REFETCH {
            self.refetch[r].wanted_valid.next = self.gate.again_valid.val() || self.sent.again_valid.val();
            self.refetch[r].wanted_op.next = self.sent.again_op.val();
            self.refetch[r].wanted_packet.next = self.sent.again_packet.val();
            self.refetch[r].wanted_try.next = bits::<TRY_BITS>(31);
            if self.gate.again_valid.val() {
                self.refetch[r].wanted_op.next = self.gate.again_op.val();
                self.refetch[r].wanted_packet.next = bits::<POSITION_BITS>(0);
                self.refetch[r].wanted_try.next = self.gate.again_try.val();
            }
            self.gate.again_ready.next = self.refetch[r].wanted_ready.val();
            self.sent.again_ready.next = self.refetch[r].wanted_ready.val() && !self.gate.again_valid.val();
            self.timeout.again_valid.next =
                self.refetch[r].wanted_ready.val() && (self.gate.again_valid.val() || self.sent.again_valid.val());
            self.refetch[r].abort_valid.next = self.table.abort.valid.val();
            self.refetch[r].abort_op.next = self.table.abort.op.val();
            self.table.abort.ready.next = self.refetch[r].abort_ready.val();
            self.evt_send.aborts.next = self.refetch[r].abort_valid.val() && self.refetch[r].abort_ready.val();
            self.refetch[r].close_valid.next = self.gate.closed.valid.val();
            self.refetch[r].close_op.next = self.gate.closed.op.val();
            self.gate.closed.ready.next = self.refetch[r].close_ready.val();
            // What was not pulled goes first: it is rare, and keeps a place.
            self.refetch[r].fail_ready.next = self.table.fail_ready.val();
            if self.refetch[r].fail_valid.val() {
                self.table.fail_valid.next = true;
                self.table.fail_op.next = self.refetch[r].fail_op.val();
                self.table.fail_status.next = self.refetch[r].fail_status.val();
                self.loader.fail_ready.next = false;
                self.window.fail_ready.next = false;
            }
            for _plain in 0..self._plain {
                self.refetch[r].wanted_valid.next = self.sent.again_valid.val();
                self.refetch[r].wanted_op.next = self.sent.again_op.val();
                self.refetch[r].wanted_packet.next = self.sent.again_packet.val();
                self.refetch[r].wanted_try.next = bits::<TRY_BITS>(31);
                self.sent.again_ready.next = self.refetch[r].wanted_ready.val();
                self.gate.again_ready.next = true;
                self.timeout.again_valid.next = false;
                self.refetch[r].abort_valid.next = false;
                self.table.abort.ready.next = true;
            }
        }
        self.ticks.prescale.next = self.cfg_prescale.val();
        self.now.next = self.ticks.now.val();
        self.ready.next = self.table.ready.val()
            && self.engine.ready.val()
            && self.bitmap.ready.val()
            && self.sent.ready.val()
            && self.intake.ready.val();
        self.bus_idle.next = self.driver.idle.val() && self.buffer.bus_idle.val();
        self.idle.next = self.driver.idle.val()
            && self.buffer.idle.val()
            && self.engine.idle.val()
            && self.loader.idle.val()
            && !self.splitter.status_commands.val().any()
            && !self.step.q.val().any()
            && !self.table.status_live.val().any();
        for r in 0..REFETCH {
            self.idle.next = self.driver.idle.val()
                && self.buffer.idle.val()
                && self.engine.idle.val()
                && self.loader.idle.val()
                && self.refetch[r].idle.val()
                && !self.splitter.status_commands.val().any()
                && !self.step.q.val().any()
                && !self.table.status_live.val().any();
        }
        if self.rst.val() {
            self.step.d.next = bits::<3>(0);
            self.fail_turn.d.next = false;
        }
        for p in 0..self._plain {
            if self.rst.val() {
                self.told[p].d.next = false;
            }
        }
    }
}
