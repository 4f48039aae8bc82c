use super::{CdmaDriver, OpLoader, OpTable, PacketEngine, PacketTimeout, Refetch, SendBuffer, Splitter, StartGate, TRY_BITS};
use crate::Described;
use crate::bitmap::some;
use crate::bus::{
    BufferBus, CdmaBus, CommandResults, CommandsSink, DescriptorBus, EndedOps, EndedSegments, Frames, LocalAddress, NodeEntry,
    NumberRequests, OpNumbers, Operations, Segments, SlotPayload, SlotReads,
};
use crate::csr::bundles::{SendConfig, SendEvents};
use crate::primitives::{FifoLut, TickCounter};
use crate::sizes::*;
use rust_hdl::prelude::*;

/// The whole send side but its registers: commands of the host to frames, acknowledgements to completions.
///
/// ```text
///  command ─▶ splitter ─▶ loader ─▶ CDMA driver ⇄ CDMA ─▶ send buffer
///  completion ◀─┘  ▲      │  ▲ │                             │
///                  │      ▼  │ └──▶ packet engine ◀──────────┘──▶ frames
///                  └── op table ──▶ start gate ───────┘
///                         ▲ acknowledgements
/// ```
///
/// What each part does is in its own documentation. `cfg_pause` lets no further load begin and throws away what is loaded from then on, so
/// that `bus_idle` comes once the CDMA has done what it was told: only then may this be reset, for its buses are the CDMA's, and there is
/// no way back but a reset.
/// Latency: splitter 12 clocks, op number and load 2, descriptor and tail 11, then the CDMA's; from the beat of its status write 3 to the
/// op, 13 to the first beat of its first frame. Throughput: one beat of a frame per clock; a load per 2 clocks and 8 for each of its
/// descriptors.
/// Reset: empty; `ready` when the tables are clear.
/// Spec: send path.
// With `refetch` a slot is free once the wire has taken its packets, and `Refetch` stands between start gate and packet engine: what goes
// again is loaded again, and each completion is told when no pull of its operation is under way. The start of an operation waits for its
// pull before it goes again, and its timer begins after that; the timers of the packets behind it do not wait. So those that begin anew use
// up no try but one, or they would end an operation whose start has tries left. With a retry limit of 1 they still do.
#[derive(Default, Described, LogicBlock)]
pub struct SendPath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
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
    /// an acknowledgement; always taken
    pub ack_valid: Signal<In, Bit>,
    /// 0: op acknowledgement (0xc3), 1: remote completion (0xc1)
    pub ack_kind: Signal<In, Bit>,
    /// op number
    pub ack_op: Signal<In, Bits<OP_BITS>>,
    /// 0xc3: first packet of the mask
    pub ack_first: Signal<In, Bits<16>>,
    /// status code
    pub ack_status: Signal<In, Bits<8>>,
    /// 0xc3: packets, from the first
    pub ack_mask: Signal<In, Bits<64>>,
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
    splitter: Splitter,
    table: OpTable,
    driver: CdmaDriver,
    buffer: SendBuffer,
    engine: PacketEngine,
    timeout: PacketTimeout,
    gate: StartGate,
    aborts: Signal<Local, Bit>,
    loader: OpLoader,
    refetch: Vec<Refetch>,
    // The answer is that of a pull.
    is_pull: Vec<Signal<Local, Bit>>,
    answers: Vec<FifoLut<LOADED_BITS, SEND_SLOT_BITS, SEND_SLOT_COUNT_BITS>>,
}

impl SendPath {
    /// A new one.
    pub fn new() -> Self {
        Self {
            splitter: Splitter::new(),
            table: OpTable::new(),
            driver: CdmaDriver::new(),
            buffer: SendBuffer::new(),
            engine: PacketEngine::new(),
            loader: OpLoader::new(),
            refetch: some(REFETCH),
            is_pull: some(REFETCH),
            answers: some(REFETCH),
            ..Default::default()
        }
    }
}

super::loading! {
    SendPath
    {
        // Each goes as soon as it can.
        self.engine.first.go.next = true;
        self.engine.first.void.next = false;
        self.engine.number_valid.next = false;
        self.engine.number_node.next = bits::<NODE_BITS>(0);
        self.engine.number_psn.next = bits::<24>(0);

        // What happens to them.
        self.table.cfg_retry_limit.next = self.cfg_send.retry_limit.val();
        self.table.cfg_t_life.next = self.cfg_t_life.val();
        self.table.ack_valid.next = self.ack_valid.val();
        self.table.ack_kind.next = self.ack_kind.val();
        self.table.ack_op.next = self.ack_op.val();
        self.table.ack_first.next = self.ack_first.val();
        self.table.ack_status.next = self.ack_status.val();
        self.table.ack_mask.next = self.ack_mask.val();
        self.status_ops_live.next = self.table.status_live.val();
        self.status_ops_live_max.next = self.table.status_live_max.val();
        // What the wire took: the table knows timers that began anew, too.
        self.evt_send.packets.next = self.engine.sent_valid.val();
        self.evt_send.retransmissions.next = self.engine.sent_valid.val() && self.engine.sent_try.val().any();
        self.evt_send.acks.next = self.table.evt_acks.val();
        self.evt_send.duplicate_acks.next = self.table.evt_duplicate_acks.val();
        self.evt_send.nacks.next = self.table.evt_nacks.val();
        self.evt_send.stale_acks.next = self.table.evt_stale_acks.val();
        self.evt_send.timeouts.next = self.table.evt_timeouts.val();
        self.evt_send.failures.next = self.table.evt_failures.val();
        self.evt_send.acks_dropped.next = self.table.evt_acks_dropped.val();
        self.evt_send.nacks_dropped.next = self.table.evt_nacks_dropped.val();
        self.table.now.next = self.ticks.now.val();
        self.table.sent_valid.next = self.timeout.out_valid.val();
        self.table.sent_op.next = self.timeout.out_op.val();
        self.table.sent_packet.next = self.timeout.out_packet.val();
        self.table.sent_try.next = self.timeout.out_try.val();
        self.table.sent_ticks.next = self.timeout.out_ticks.val();
        self.timeout.now.next = self.ticks.now.val();
        self.timeout.cfg_initial.next = self.cfg_send.timeout.val();
        self.timeout.cfg_floor.next = self.cfg_send.timeout_floor.val();
        self.timeout.cfg_cap.next = self.cfg_send.backoff_cap.val();
        self.timeout.cfg_delay.next = self.cfg_send.ack_delay.val();
        self.timeout.open_valid.next = self.loader.op.valid.val() && self.engine.op.ready.val();
        self.timeout.open_op.next = self.loader.op.op.val();
        self.timeout.open_node.next = self.loader.op.node.val();
        // A timer that begins anew looks like a packet, in a clock without one.
        self.timeout.in_valid.next = self.engine.sent_valid.val() || self.gate.restart_valid.val();
        self.gate.restart_ready.next = !self.engine.sent_valid.val();
        self.timeout.in_op.next = self.gate.out_op.val();
        self.timeout.in_packet.next = self.gate.out_packet.val();
        self.timeout.in_try.next = self.gate.out_try.val();
        if self.engine.sent_valid.val() {
            self.timeout.in_op.next = self.engine.sent_op.val();
            self.timeout.in_packet.next = self.engine.sent_packet.val();
            self.timeout.in_try.next = self.engine.sent_try.val();
        }
        self.timeout.again_valid.next = self.gate.again_valid.val() && self.engine.retransmit_ready.val();
        self.timeout.again_op.next = self.gate.out_op.val();
        self.timeout.again_expired.next = self.gate.out_expired.val();
        self.timeout.ack_valid.next = self.ack_valid.val();
        self.timeout.ack_kind.next = self.ack_kind.val();
        self.timeout.ack_op.next = self.ack_op.val();
        self.timeout.ack_first.next = self.ack_first.val();
        self.timeout.ack_names_first.next = self.ack_mask.val().get_bit(0);
        self.timeout.forget_valid.next = self.cfg_node.write.val();
        self.timeout.forget_node.next = self.cfg_node.index.val();
        self.table.fail_valid.next = self.loader.fail_valid.val();
        self.loader.fail_ready.next = self.table.fail_ready.val();
        self.table.fail_op.next = self.loader.fail_op.val();
        self.table.fail_status.next = self.loader.fail_status.val();
        self.gate.ack_valid.next = self.ack_valid.val() && !self.ack_kind.val() && !self.ack_status.val().any();
        self.gate.ack_op.next = self.ack_op.val();
        self.gate.wanted_valid.next = self.table.retransmit_valid.val();
        self.table.retransmit_ready.next = self.gate.wanted_ready.val();
        self.gate.wanted_op.next = self.table.retransmit_op.val();
        self.gate.wanted_packet.next = self.table.retransmit_packet.val();
        self.gate.wanted_try.next = self.table.retransmit_try.val();
        self.gate.wanted_expired.next = self.table.retransmit_expired.val();
        self.engine.retransmit_valid.next = self.gate.again_valid.val();
        self.gate.again_ready.next = self.engine.retransmit_ready.val();
        self.engine.retransmit_op.next = self.gate.out_op.val();
        self.engine.retransmit_packet.next = self.gate.out_packet.val();
        self.engine.retransmit_try.next = self.gate.out_try.val();
        // An abort, and a close, come behind all that was wanted before them.
        self.engine.abort.valid.next = self.table.abort.valid.val() && self.gate.idle.val();
        self.table.abort.ready.next = self.engine.abort.ready.val() && self.gate.idle.val();
        self.engine.abort.op.next = self.table.abort.op.val();
        self.aborts.next = self.table.abort.valid.val() && self.engine.abort.ready.val() && self.gate.idle.val();
        self.evt_send.aborts.next = self.aborts.val();

        // How they end.
        EndedOps::join(&mut self.table.ended, &mut self.loader.ended);
        EndedSegments::join(&mut self.loader.told, &mut self.splitter.ended);
        self.loader.abort_valid.next = self.table.abort.valid.val();
        self.engine.close.valid.next = self.loader.close.valid.val() && self.gate.idle.val();
        self.loader.close.ready.next = self.engine.close.ready.val() && self.gate.idle.val();
        self.engine.close.op.next = self.loader.close.op.val();
        self.loader.closed_valid.next = self.engine.closed_valid.val();
        self.loader.closed_op.next = self.engine.closed_op.val();
        self.table.release_valid.next = self.loader.release_valid.val();
        self.table.release_index.next = self.loader.release_index.val();

        // Packets that go again are pulled again, between gate and packet engine.
        for r in 0..REFETCH {
            self.refetch[r].wanted_valid.next = self.gate.again_valid.val();
            self.gate.again_ready.next = self.refetch[r].wanted_ready.val();
            self.refetch[r].wanted_op.next = self.gate.out_op.val();
            self.refetch[r].wanted_packet.next = self.gate.out_packet.val();
            self.refetch[r].wanted_try.next = self.gate.out_try.val();
            self.timeout.again_valid.next = self.gate.again_valid.val() && self.refetch[r].wanted_ready.val();
            // A timer that begins anew is always the second try's: the start's tries alone end an operation that nobody answers.
            if !self.engine.sent_valid.val() {
                self.timeout.in_try.next = bits::<TRY_BITS>(1);
            }
            self.table.fail_valid.next = self.loader.fail_valid.val() || self.refetch[r].fail_valid.val();
            self.refetch[r].fail_ready.next = self.table.fail_ready.val();
            self.loader.fail_ready.next = self.table.fail_ready.val() && !self.refetch[r].fail_valid.val();
            if self.refetch[r].fail_valid.val() {
                self.table.fail_op.next = self.refetch[r].fail_op.val();
                self.table.fail_status.next = self.refetch[r].fail_status.val();
            }

            // An abort, and a close, come behind all that was wanted before them, here too.
            self.refetch[r].abort_valid.next = self.table.abort.valid.val() && self.gate.idle.val();
            self.refetch[r].abort_op.next = self.table.abort.op.val();
            self.refetch[r].close_valid.next = self.loader.close.valid.val() && self.gate.idle.val();
            self.refetch[r].close_op.next = self.loader.close.op.val();
            self.table.abort.ready.next = self.refetch[r].abort_ready.val() && self.gate.idle.val();
            self.loader.close.ready.next = self.refetch[r].close_ready.val() && self.gate.idle.val();
            self.aborts.next = self.refetch[r].abort_valid.val() && self.refetch[r].abort_ready.val();
            self.evt_send.aborts.next = self.aborts.val();
        }
        self.ticks.prescale.next = self.cfg_prescale.val();
        self.now.next = self.ticks.now.val();
        self.ready.next = self.table.ready.val() && self.engine.ready.val();
        self.bus_idle.next = self.driver.idle.val() && self.buffer.bus_idle.val();
        self.idle.next = self.driver.idle.val()
            && self.buffer.idle.val()
            && self.engine.idle.val()
            && self.loader.idle.val()
            && !self.splitter.status_commands.val().any()
            && !self.table.status_live.val().any();
        for r in 0..REFETCH {
            self.idle.next = self.driver.idle.val()
                && self.buffer.idle.val()
                && self.engine.idle.val()
                && self.loader.idle.val()
                && self.refetch[r].idle.val()
                && !self.splitter.status_commands.val().any()
                && !self.table.status_live.val().any();
        }
    }
}
