use super::{AckFacts, AckIntake, AckMask, DeadlineScan, DeadlineWriter, OpAllocator, OpEnds, RetryQueue, TRY_BITS};
use crate::bus::{EndedOps, NumberRequestsSink, OpNumbers};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// DMA operation table: op numbers for segments, timers and acknowledgements of their packets, retransmissions, ends.
///
/// Every memory has one writer, and a copy for each reader; what changes an op goes by one of five ways:
///
/// | written by | what | read by |
/// | --- | --- | --- |
/// | allocator | next generation and quarters of `t_life` per index | itself |
/// | allocator | record of an op: phase, generation, count, command, kind, base | acknowledgements, transmitter, scanner, retransmit queue |
/// | transmitter (`sent`) | deadlines, 8 in a word; packets sent per op | scanner; scanner, acknowledgements, allocator (phase) |
/// | acknowledgements | mask and state of an op: live, words touched and full | themselves, scanner, retransmit queue |
/// | scanner | a bit per packet: its timer has been told | itself, transmitter |
/// | ends, releases | a bit per index each | each other |
///
/// Everything that decides about an op passes the acknowledgement pipeline, one at a time, in order: acknowledgements, and between them the
/// failures that the scanner found or that come in by `fail`. So an acknowledgement that meets a timeout wins if it comes before the
/// failure has found its clock, an op ends once, and one that has ended is found by nobody. The retransmit queue and the scanner may see
/// what was true a few clocks before; what they find is checked again when it is taken out, or in the pipeline. Nothing that remains of an
/// earlier op of an index counts for a later one: its mask is forgotten by the write that ended it, its count of sent packets has the wrong
/// phase, its deadlines belong to packets that were not sent yet, its entries in the retransmit queue have another generation.
///
/// A packet that is asked for is not asked for again before it was sent. A 0xc1 `overlap` counts as negative, and changes nothing: the
/// timer of the start, which runs since it was sent, is its back-off, and the repetition its try. A message counts for those of its packets
/// that were sent in an earlier clock than it came. The end of an op comes before its abort, and no retransmission of it is offered
/// afterwards. `sent` and `fail` name an op after its `allocated` was taken, `release` when nobody will name it any more. Acknowledgements
/// before `ready` are not seen.
///
/// Throughput: one segment, one packet sent, one acknowledgement and one word of eight timers per clock, all at once. Latency: 1 clock from
/// a segment to its number, 13 from an acknowledgement to the end of its op. Scan period: `2^DEADLINE_ADDRESS_BITS` clocks. A failure waits
/// for a clock without an acknowledgement, but not for long: see `AckIntake`.
/// Reset: `ready` is low for `2^DEADLINE_ADDRESS_BITS` clocks.
/// Spec: send path, "DMA operation table".
#[derive(Default, Described, LogicBlock)]
pub struct OpTable {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every table is clear
    pub ready: Signal<Out, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// tries after the first
    pub cfg_retry_limit: Signal<In, Bits<TRY_BITS>>,
    /// ticks that a packet may live in the network, less than 2^31
    pub cfg_t_life: Signal<In, Bits<32>>,

    pub segment: NumberRequestsSink<COMMAND_BITS, POSITION_COUNT_BITS>,
    pub allocated: OpNumbers,
    /// command of the segment
    pub allocated_command: Signal<Out, Bits<COMMAND_BITS>>,
    /// kind of the segment
    pub allocated_kind: Signal<Out, Bit>,
    /// packets of the segment
    pub allocated_count: Signal<Out, Bits<POSITION_COUNT_BITS>>,

    /// the wire took the last beat of a packet
    pub sent_valid: Signal<In, Bit>,
    /// op number
    pub sent_op: Signal<In, Bits<OP_BITS>>,
    /// packet of the op; for the first time in order
    pub sent_packet: Signal<In, Bits<POSITION_BITS>>,
    /// number of the try, as it was asked for; 0 is the first
    pub sent_try: Signal<In, Bits<TRY_BITS>>,
    /// it waits so many ticks for its acknowledgement, less than 2^29: see `PacketTimeout`
    pub sent_ticks: Signal<In, Bits<TICK_BITS>>,

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

    /// the payload of an op was not fetched
    pub fail_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `fail_valid` is high too
    pub fail_ready: Signal<Out, Bit>,
    /// op number
    pub fail_op: Signal<In, Bits<OP_BITS>>,
    /// status of its end
    pub fail_status: Signal<In, Bits<8>>,

    /// a packet is to be sent again
    pub retransmit_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `retransmit_valid` is high too
    pub retransmit_ready: Signal<In, Bit>,
    /// op number
    pub retransmit_op: Signal<Out, Bits<OP_BITS>>,
    /// packet of the op
    pub retransmit_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// number of the try, 1 is the first repetition
    pub retransmit_try: Signal<Out, Bits<TRY_BITS>>,
    /// its time was over
    pub retransmit_expired: Signal<Out, Bit>,

    pub ended: EndedOps<COMMAND_BITS>,
    pub abort: OpNumbers,
    /// nobody names the op of an index any more; always taken
    pub release_valid: Signal<In, Bit>,
    /// index of `release`
    pub release_index: Signal<In, Bits<OP_INDEX_BITS>>,

    /// ops that have not ended
    pub status_live: Signal<Out, Bits<OP_COUNT_BITS>>,
    /// the most so far
    pub status_live_max: Signal<Out, Bits<OP_COUNT_BITS>>,
    /// counts packets that the wire took, retransmissions too
    pub evt_packets: Signal<Out, Bit>,
    /// counts retransmissions that the wire took
    pub evt_retransmissions: Signal<Out, Bit>,
    /// counts messages that acknowledged something new
    pub evt_acks: Signal<Out, Bit>,
    /// counts messages about packets that were acknowledged before
    pub evt_duplicate_acks: Signal<Out, Bit>,
    /// counts negative messages about packets that were not acknowledged
    pub evt_nacks: Signal<Out, Bit>,
    /// counts messages about anything else; they change nothing
    pub evt_stale_acks: Signal<Out, Bit>,
    /// counts packets asked for because their timer ran out
    pub evt_timeouts: Signal<Out, Bit>,
    /// counts ops that failed
    pub evt_failures: Signal<Out, Bit>,
    /// counts acknowledgements that found no room: one has come in every clock for too long
    pub evt_acks_dropped: Signal<Out, Bit>,
    /// counts negative acknowledgements whose packets wait for their timers: too many at once
    pub evt_nacks_dropped: Signal<Out, Bit>,

    allocator: OpAllocator,
    intake: AckIntake,
    facts: AckFacts,
    acks: AckMask,
    writer: DeadlineWriter,
    scan: DeadlineScan,
    retry: RetryQueue,
    ends: OpEnds,

    // Clears all tables, one word per clock.
    cleared: State<Bit>,
    word: State<Bits<DEADLINE_ADDRESS_BITS>>,
    clear: Signal<Local, Bit>,
    // The op that is given out, and its record on its way to the tables.
    room: Signal<Local, Bit>,
    gives: Signal<Local, Bit>,
    given: State<Bit>,
    op: Reg<Bits<OP_BITS>>,
    command: Reg<Bits<COMMAND_BITS>>,
    kind: Reg<Bit>,
    count: Reg<Bits<POSITION_COUNT_BITS>>,
    base: Reg<Bit>,
    record: State<Bit>,
    record_write: Signal<Local, Bit>,
    record_index: Signal<Local, Bits<OP_INDEX_BITS>>,
    generation: Signal<Local, Bits<GENERATION_BITS>>,
    record_generation: Signal<Local, Bits<GENERATION_BITS>>,
    record_phase: Signal<Local, Bit>,
    record_base: Signal<Local, Bit>,
    count_write: Signal<Local, Bit>,
    count_index: Signal<Local, Bits<OP_INDEX_BITS>>,
    count_phase: Signal<Local, Bit>,
    live: State<Bits<OP_COUNT_BITS>>,
    live_max: State<Bits<OP_COUNT_BITS>>,
    step: Signal<Local, Bits<OP_COUNT_BITS>>,
    packets: State<Bit>,
    retransmissions: State<Bit>,
}

impl OpTable {
    /// A new one.
    pub fn new() -> Self {
        Self {
            allocator: OpAllocator::new(),
            facts: AckFacts::new(),
            acks: AckMask::new(),
            scan: DeadlineScan::new(),
            ..Default::default()
        }
    }
}

impl Logic for OpTable {
    #[kernel]
    fn update(&mut self) {
        self.clear.next = !self.cleared.q.val();
        self.ready.next = self.cleared.q.val();
        if !self.cleared.q.val() {
            self.word.d.next = self.word.q.val() + 1;
            self.cleared.d.next = self.word.q.val().all();
        }
        self.allocator.clear.next = self.clear.val();
        self.allocator.clear_word.next = self.word.q.val().get_bits::<OUTSTANDING_BITS>(0);
        self.acks.clear.next = self.clear.val();
        self.acks.clear_index.next = self.word.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.scan.clear.next = self.clear.val();
        self.scan.clear_word.next = self.word.q.val().get_bits::<DEADLINE_ADDRESS_BITS>(0);
        self.ends.clear.next = self.clear.val();
        self.ends.clear_index.next = self.word.q.val().get_bits::<OP_INDEX_BITS>(0);

        // Op numbers.
        self.allocator.now.next = self.now.val();
        self.allocator.cfg_t_life.next = self.cfg_t_life.val();
        self.room.next = !self.given.q.val() || self.allocated.ready.val();
        self.segment.ready.next = self.allocator.out_valid.val() && self.room.val();
        self.gives.next = self.segment.valid.val() && self.allocator.out_valid.val() && self.room.val();
        self.allocator.out_ready.next = self.segment.valid.val() && self.room.val();
        self.record.d.next = self.gives.val();
        if self.room.val() {
            self.given.d.next = self.segment.valid.val() && self.allocator.out_valid.val();
            self.op.d.next = bit_cast::<OP_BITS, OP_INDEX_BITS>(self.allocator.out_index.val())
                | (bit_cast::<OP_BITS, GENERATION_BITS>(self.allocator.out_generation.val()) << OP_INDEX_BITS.to_bits::<5>());
            self.command.d.next = self.segment.command.val();
            self.kind.d.next = self.segment.kind.val();
            self.count.d.next = self.segment.count.val();
            self.base.d.next = self.allocator.out_base.val();
        }
        self.allocated.valid.next = self.given.q.val();
        self.allocated.op.next = self.op.q.val();
        self.allocated_command.next = self.command.q.val();
        self.allocated_kind.next = self.kind.q.val();
        self.allocated_count.next = self.count.q.val();

        // Records. The phase of an op is the opposite of its generation's lowest bit, so that the first one of an index differs from a
        // clear state.
        self.generation.next = self.op.q.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.record_write.next = self.record.q.val();
        self.record_index.next = self.op.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.record_generation.next = self.generation.val();
        self.record_phase.next = !self.generation.val().get_bit(0);
        self.record_base.next = self.base.q.val();
        self.count_write.next = self.writer.count_write.val();
        self.count_index.next = self.writer.count_index.val();
        self.count_phase.next = self.writer.count_phase.val();
        if self.clear.val() {
            self.record_write.next = true;
            self.record_index.next = self.word.q.val().get_bits::<OP_INDEX_BITS>(0);
            self.record_generation.next = bits::<GENERATION_BITS>(0);
            self.record_phase.next = false;
            self.record_base.next = false;
            self.count_write.next = true;
            self.count_index.next = self.word.q.val().get_bits::<OP_INDEX_BITS>(0);
            self.count_phase.next = false;
        }
        self.facts.record_write.next = self.record_write.val();
        self.facts.record_index.next = self.record_index.val();
        self.facts.record_data.next = bit_cast::<TABLE_RECORD_BITS, 1>(self.record_phase.val().into())
            | (bit_cast::<TABLE_RECORD_BITS, 1>(self.record_base.val().into()) << 1)
            | (bit_cast::<TABLE_RECORD_BITS, 1>(self.kind.q.val().into()) << 2)
            | (bit_cast::<TABLE_RECORD_BITS, GENERATION_BITS>(self.record_generation.val()) << 3)
            | (bit_cast::<TABLE_RECORD_BITS, POSITION_COUNT_BITS>(self.count.q.val()) << (3 + GENERATION_BITS).to_bits::<6>())
            | (bit_cast::<TABLE_RECORD_BITS, COMMAND_BITS>(self.command.q.val())
                << (3 + GENERATION_BITS + POSITION_COUNT_BITS).to_bits::<6>());
        self.writer.record_write.next = self.record_write.val();
        self.writer.record_index.next = self.record_index.val();
        self.writer.record_generation.next = self.record_generation.val();
        self.writer.record_base.next = self.record_base.val();
        self.scan.record_write.next = self.record_write.val();
        self.scan.record_index.next = self.record_index.val();
        self.scan.record_data.next = bit_cast::<GENERATION_STATE_BITS, 1>(self.record_phase.val().into())
            | (bit_cast::<GENERATION_STATE_BITS, 1>(self.record_base.val().into()) << 1)
            | (bit_cast::<GENERATION_STATE_BITS, GENERATION_BITS>(self.record_generation.val()) << 2);
        self.retry.record_write.next = self.record_write.val();
        self.retry.record_index.next = self.record_index.val();
        self.retry.record_data.next = bit_cast::<GENERATION_COUNT_BITS, 1>(self.record_phase.val().into())
            | (bit_cast::<GENERATION_COUNT_BITS, GENERATION_BITS>(self.record_generation.val()) << 1);

        // Packets sent.
        self.writer.now.next = self.now.val();
        self.writer.sent_valid.next = self.sent_valid.val();
        self.writer.sent_op.next = self.sent_op.val();
        self.writer.sent_packet.next = self.sent_packet.val();
        self.writer.sent_try.next = self.sent_try.val();
        self.writer.sent_ticks.next = self.sent_ticks.val();
        self.writer.fired_write.next = self.scan.fired_write.val();
        self.writer.fired_word.next = self.scan.fired_word.val();
        self.writer.fired_bits.next = self.scan.fired_bits.val();
        self.scan.write_lanes.next = self.writer.write_lanes.val();
        self.scan.write_word.next = self.writer.write_word.val();
        self.scan.write_deadline.next = self.writer.write_deadline.val();
        self.allocator.count_write.next = self.count_write.val();
        self.allocator.count_index.next = self.count_index.val();
        self.allocator.count_phase.next = self.count_phase.val();
        self.facts.count_write.next = self.count_write.val();
        self.facts.count_index.next = self.count_index.val();
        self.facts.count_data.next = bit_cast::<POSITION_SUM_BITS, 1>(self.count_phase.val().into())
            | (bit_cast::<POSITION_SUM_BITS, POSITION_COUNT_BITS>(self.writer.count_packets.val()) << 1);
        self.scan.count_write.next = self.count_write.val();
        self.scan.count_index.next = self.count_index.val();
        self.scan.count_data.next = bit_cast::<POSITION_SUM_BITS, 1>(self.count_phase.val().into())
            | (bit_cast::<POSITION_SUM_BITS, POSITION_COUNT_BITS>(self.writer.count_packets.val()) << 1);

        // Acknowledgements and failures.
        self.intake.ack_valid.next = self.ack_valid.val() && self.cleared.q.val();
        self.intake.ack_kind.next = self.ack_kind.val();
        self.intake.ack_op.next = self.ack_op.val();
        self.intake.ack_first.next = self.ack_first.val();
        self.intake.ack_status.next = self.ack_status.val();
        self.intake.ack_mask.next = self.ack_mask.val();
        self.intake.kill_valid.next = self.scan.kill_valid.val();
        self.intake.kill_op.next = self.scan.kill_op.val();
        self.intake.kill_word.next = self.scan.kill_word.val();
        self.intake.kill_lanes.next = self.scan.kill_lanes.val();
        self.scan.kill_ready.next = self.intake.kill_ready.val();
        self.intake.fail_valid.next = self.fail_valid.val() && self.cleared.q.val();
        self.intake.fail_op.next = self.fail_op.val();
        self.intake.fail_status.next = self.fail_status.val();
        self.fail_ready.next = self.intake.fail_ready.val() && self.cleared.q.val();
        self.evt_acks_dropped.next = self.intake.evt_dropped.val();
        self.facts.s2_valid.next = self.intake.out_valid.val();
        self.facts.s2_what.next = self.intake.out_what.val();
        self.facts.s2_op.next = self.intake.out_op.val();
        self.facts.s2_word.next = self.intake.out_word.val();
        self.facts.s2_status.next = self.intake.out_status.val();
        self.facts.s2_bits.next = self.intake.out_bits.val();
        self.acks.s5_index.next = self.facts.s5_index.val();
        self.acks.s5_word.next = self.facts.s5_word.val();
        self.acks.s6_valid.next = self.facts.s6_valid.val();
        self.acks.s6_what.next = self.facts.s6_what.val();
        self.acks.s6_op.next = self.facts.s6_op.val();
        self.acks.s6_word.next = self.facts.s6_word.val();
        self.acks.s6_status.next = self.facts.s6_status.val();
        self.acks.s6_current.next = self.facts.s6_current.val();
        self.acks.s6_phase.next = self.facts.s6_phase.val();
        self.acks.s6_kind.next = self.facts.s6_kind.val();
        self.acks.s6_command.next = self.facts.s6_command.val();
        self.acks.s6_bits.next = self.facts.s6_bits.val();
        self.acks.s6_outside.next = self.facts.s6_outside.val();
        self.acks.s6_unneeded.next = self.facts.s6_unneeded.val();
        self.acks.s6_all_sent.next = self.facts.s6_all_sent.val();

        // Timers and retransmissions.
        self.scan.now.next = self.now.val();
        self.scan.cfg_retry_limit.next = self.cfg_retry_limit.val();
        self.acks.scan_address.next = self.scan.mask_address.val();
        self.scan.mask.next = self.acks.scan_mask.val();
        self.scan.state.next = self.acks.scan_state.val();
        self.scan.nack_valid.next = self.acks.nack_valid.val();
        self.scan.nack_op.next = self.acks.nack_op.val();
        self.scan.nack_word.next = self.acks.nack_word.val();
        self.scan.nack_bits.next = self.acks.nack_bits.val();
        self.retry.in_valid.next = self.scan.out_valid.val();
        self.retry.in_data.next = self.scan.out_data.val();
        self.scan.out_ready.next = self.retry.in_ready.val();
        self.acks.retry_address.next = self.retry.mask_address.val();
        self.retry.mask.next = self.acks.retry_mask.val();
        self.retry.state.next = self.acks.retry_state.val();
        self.retry.out_ready.next = self.retransmit_ready.val();
        self.retransmit_valid.next = self.retry.out_valid.val();
        self.retransmit_op.next = self.retry.out_op.val();
        self.retransmit_packet.next = self.retry.out_packet.val();
        self.retransmit_try.next = self.retry.out_try.val();
        self.retransmit_expired.next = self.retry.out_expired.val();

        // Ends.
        self.ends.end_valid.next = self.acks.end_valid.val();
        self.ends.end_data.next = self.acks.end_data.val();
        self.ends.retry_valid.next = self.retry.out_valid.val();
        self.ends.retry_index.next = self.retry.out_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.ends.ended_ready.next = self.ended.ready.val();
        self.ended.valid.next = self.ends.ended_valid.val();
        self.ended.op.next = self.ends.ended_op.val();
        self.ended.command.next = self.ends.ended_command.val();
        self.ended.kind.next = self.ends.ended_kind.val();
        self.ended.status.next = self.ends.ended_status.val();
        self.ends.abort_ready.next = self.abort.ready.val();
        self.abort.valid.next = self.ends.abort_valid.val();
        self.abort.op.next = self.ends.abort_op.val();
        self.ends.release_valid.next = self.release_valid.val();
        self.ends.release_index.next = self.release_index.val();
        self.allocator.back_valid.next = self.ends.back_valid.val();
        self.allocator.back_index.next = self.ends.back_index.val();

        // One adder for both directions: plus one, or plus all ones.
        self.step.next = bits::<OP_COUNT_BITS>(1);
        if self.acks.end_valid.val() {
            self.step.next = !bits::<OP_COUNT_BITS>(0);
        }
        if self.record.q.val() != self.acks.end_valid.val() {
            self.live.d.next = self.live.q.val() + self.step.val();
        }
        if self.live.q.val() > self.live_max.q.val() {
            self.live_max.d.next = self.live.q.val();
        }
        self.status_live.next = self.live.q.val();
        self.status_live_max.next = self.live_max.q.val();
        self.packets.d.next = self.sent_valid.val();
        self.retransmissions.d.next = self.sent_valid.val() && self.sent_try.val().any();
        self.evt_packets.next = self.packets.q.val();
        self.evt_retransmissions.next = self.retransmissions.q.val();
        self.evt_acks.next = self.acks.evt_acks.val();
        self.evt_duplicate_acks.next = self.acks.evt_duplicate_acks.val();
        self.evt_nacks.next = self.acks.evt_nacks.val();
        self.evt_stale_acks.next = self.acks.evt_stale_acks.val();
        self.evt_failures.next = self.acks.evt_failures.val();
        self.evt_timeouts.next = self.retry.evt_timeouts.val();
        self.evt_nacks_dropped.next = self.scan.evt_nacks_dropped.val();
    }
}
