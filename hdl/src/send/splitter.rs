use super::{CommandCheck, CommandTable, HostAnswers, SegmentCut, SegmentQueues};
use crate::bus::{CommandResults, CommandsSink, EndedSegmentsSink, Segments};
use crate::memory::SlotPool;
use crate::primitives::{FifoLut, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Commands of the host to segments, each of which becomes one operation; and from the ends of those operations one completion per command.
///
/// A command that is refused (`CommandCheck`) is told to the host with status 48 + reason and 0 bytes, and nothing of it is sent. A command
/// of more bytes than the threshold is cut into segments of `cfg_segment` bytes, every other one is one segment. Large commands, the others
/// and data arrivals have a queue each and take turns, segment by segment. A segment lists the pieces of the source blocks that lie in it;
/// a piece of zero bytes is not used.
///
/// The completion of a command is told once, when it is cut to its end and every operation of it has ended, with status 0 and its bytes. If
/// an operation fails, what is not yet cut is dropped, and the completion has the status of the first one that failed, when the last one
/// under way has ended: then the host may use its memory again. With `arrival`, a segment of kind 1 for the receiver's host follows the
/// completion of a command without failure; it has no completion of its own.
///
/// `2^COMMAND_BITS` commands may be under way, and as many completions, refusals among them, wait to be taken; then `command_ready` stays
/// low. An immediate goes with the last segment. More than 4 listed blocks count as 4. The configuration of the clock in which a command is
/// taken counts for it.
/// Latency: 12 clocks from a command to its segment, 13 if it is large, 5 from the end of an operation to the completion. Throughput: one
/// command, one segment, also of one command, and one end of an operation per clock. Reset: empty; `command_ready` after `2^COMMAND_BITS`
/// clocks.
/// Spec: send path, "Commands and the splitter".
#[derive(Default, Described, LogicBlock)]
pub struct Splitter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub command: CommandsSink,
    pub segment: Segments<COMMAND_BITS>,
    /// last one of its command
    pub segment_last: Signal<Out, Bit>,
    pub ended: EndedSegmentsSink<COMMAND_BITS>,
    pub completion: CommandResults,
    /// bytes above which a command is large
    pub cfg_threshold: Signal<In, Bits<32>>,
    /// bytes of a segment of a large command
    pub cfg_segment: Signal<In, Bits<32>>,
    /// level: threshold and segment are not allowed, commands are refused
    pub config_error: Signal<Out, Bit>,
    /// commands under way
    pub status_commands: Signal<Out, Bits<COMMAND_COUNT_BITS>>,
    /// counts commands that are not refused
    pub evt_commands: Signal<Out, Bit>,
    /// counts segments cut, data arrivals among them
    pub evt_segments: Signal<Out, Bit>,
    /// counts commands that ended with a failure
    pub evt_failures: Signal<Out, Bit>,
    /// counts data arrivals that were not acknowledged
    pub evt_arrival_failed: Signal<Out, Bit>,
    /// counts refusals: an empty block
    pub evt_refused_bytes_zero: Signal<Out, Bit>,
    /// counts refusals: target not a multiple of a packet
    pub evt_refused_misaligned_target: Signal<Out, Bit>,
    /// counts refusals: past 2^64, or too many bytes
    pub evt_refused_wraps: Signal<Out, Bit>,
    /// counts refusals: source not aligned to the DMA engine
    pub evt_refused_misaligned_source: Signal<Out, Bit>,
    /// counts refusals: threshold or segment not allowed
    pub evt_refused_bad_configuration: Signal<Out, Bit>,
    /// counts refusals: more than the DMA engine takes
    pub evt_refused_too_long: Signal<Out, Bit>,

    check: CommandCheck,
    queues: SegmentQueues,
    cut: SegmentCut,
    table: CommandTable<COMMAND_BITS, OUTSTANDING_BITS, OUTSTANDING_PAIR_BITS, OUTSTANDING_END_BITS>,
    answers: HostAnswers<COMMAND_BITS, COMMAND_COUNT_BITS, COMMAND_ANSWER_BITS>,
    places: SlotPool<COMMANDS, COMMAND_BITS, COMMAND_COUNT_BITS>,
    segments: FifoLut<COMMAND_SEGMENT_BITS, 4, 5>,

    accept: Signal<Local, Bit>,
    room: State<Bit>,
    used: State<Bits<COMMAND_COUNT_BITS>>,
    step: Signal<Local, Bits<COMMAND_COUNT_BITS>>,
    comes_back: Signal<Local, Bit>,
    segment_word: Signal<Local, Bits<COMMAND_SEGMENT_BITS>>,
    refused: Signal<Local, Bit>,
}

impl Splitter {
    /// A new one.
    pub fn new() -> Self {
        Self {
            check: CommandCheck::new(),
            queues: SegmentQueues::new(),
            cut: SegmentCut::new(),
            table: CommandTable::new(),
            answers: HostAnswers::new(),
            places: SlotPool::new(),
            ..Default::default()
        }
    }
}

impl Logic for Splitter {
    #[kernel]
    fn update(&mut self) {
        // A command is taken with a place, and with room for what the host will be told of it.
        self.command.ready.next = self.places.out_valid.val() && self.table.ready.val() && self.answers.ready.val();
        self.accept.next = self.command.valid.val() && self.places.out_valid.val() && self.table.ready.val() && self.answers.ready.val();
        self.places.out_ready.next = self.accept.val();
        self.answers.accept.next = self.accept.val();
        self.check.accept.next = self.accept.val();
        self.check.index.next = self.places.out_slot.val();
        self.check.id.next = self.command.id.val();
        self.check.target.next = self.command.target.val();
        self.check.arrival.next = self.command.arrival.val();
        self.check.sources.next = self.command.sources.val();
        self.check.lengths.next = self.command.lengths.val();
        self.check.blocks.next = self.command.blocks.val();
        self.check.cfg_threshold.next = self.cfg_threshold.val();
        self.check.cfg_segment.next = self.cfg_segment.val();
        self.config_error.next = self.check.config_error.val();
        self.cut.put_valid.next = self.accept.val();
        self.cut.put_index.next = self.places.out_slot.val();
        self.cut.put_sources.next = self.command.sources.val();
        self.cut.put_target.next = self.command.target.val();
        self.cut.put_node.next = self.command.node.val();
        self.cut.put_qp.next = self.command.qp.val();
        self.cut.put_rkey.next = self.command.rkey.val();
        self.cut.put_imm_valid.next = self.command.imm_valid.val();
        self.cut.put_imm.next = self.command.imm.val();
        self.cut.sums_valid.next = self.check.sums_valid.val();
        self.cut.sums_index.next = self.check.sums_index.val();
        self.cut.sums_ends.next = self.check.sums_ends.val();
        self.table.put_valid.next = self.check.sums_valid.val();
        self.table.put_index.next = self.check.sums_index.val();
        self.table.put_id.next = self.check.sums_id.val();
        self.table.put_total.next = self.check.sums_total.val();
        self.refused.next = self.check.checked_valid.val() && self.check.checked_refused.val();
        self.answers.refused_valid.next = self.refused.val();
        self.answers.refused_index.next = self.check.checked_index.val();
        self.answers.refused_id.next = self.check.checked_id.val();
        self.answers.refused_reason.next = self.check.checked_reason.val();

        // Segment by segment. Up to seven are on their way when an eighth is seen in the queue.
        self.queues.add_valid.next = self.check.checked_valid.val() && !self.check.checked_refused.val();
        self.queues.add_large.next = self.check.checked_large.val();
        self.queues.add_index.next = self.check.checked_index.val();
        self.queues.add_wants.next = self.check.checked_arrival.val();
        self.queues.add_single.next = self.check.checked_single.val();
        self.queues.add_total.next = self.check.checked_total.val();
        self.queues.add_packets.next = self.check.checked_packets.val();
        self.queues.arrival_valid.next = self.table.arrival_valid.val();
        self.queues.arrival_index.next = self.table.event_index.val();
        self.queues.arrival_total.next = self.table.over_total.val();
        self.queues.failed_valid.next = self.table.failed_valid.val();
        self.queues.failed_index.next = self.table.event_index.val();
        self.room.d.next = !self.segments.count.val().get_bits::<2>(3).any();
        self.queues.room.next = self.room.q.val();
        self.cut.token_valid.next = self.queues.token_valid.val();
        self.cut.token_index.next = self.queues.token_index.val();
        self.cut.token_kind.next = self.queues.token_kind.val();
        self.cut.token_large.next = self.queues.token_large.val();
        self.cut.token_last.next = self.queues.token_last.val();
        self.cut.token_position.next = self.queues.token_position.val();
        self.cut.token_bytes.next = self.queues.token_bytes.val();
        self.table.cut_valid.next = self.queues.token_valid.val() && !self.queues.token_kind.val();
        self.table.cut_index.next = self.queues.token_index.val();
        self.table.cut_last.next = self.queues.token_last.val();
        self.table.cut_wants.next = self.queues.token_wants.val();
        self.table.discard_valid.next = self.queues.discard_valid.val();
        self.table.discard_index.next = self.queues.discard_index.val();
        self.segments.in_valid.next = self.cut.out_valid.val();
        self.segments.in_data.next = self.cut.out_data.val();
        self.segments.out_ready.next = self.segment.ready.val();
        self.segment_word.next = self.segments.out_data.val();
        self.segment.valid.next = self.segments.out_valid.val();
        self.segment.sources.next = self.segment_word.val().get_bits::<256>(0);
        self.segment.lengths.next = bit_cast::<128, OPERATION_COUNT_BITS>(self.segment_word.val().get_bits::<OPERATION_COUNT_BITS>(256))
            | (bit_cast::<128, OPERATION_COUNT_BITS>(self.segment_word.val().get_bits::<OPERATION_COUNT_BITS>(256 + OPERATION_COUNT_BITS))
                << 32)
            | (bit_cast::<128, OPERATION_COUNT_BITS>(
                self.segment_word.val().get_bits::<OPERATION_COUNT_BITS>(256 + 2 * OPERATION_COUNT_BITS),
            ) << 64)
            | (bit_cast::<128, OPERATION_COUNT_BITS>(
                self.segment_word.val().get_bits::<OPERATION_COUNT_BITS>(256 + 3 * OPERATION_COUNT_BITS),
            ) << 96);
        self.segment.target.next = self.segment_word.val().get_bits::<64>(256 + 4 * OPERATION_COUNT_BITS);
        self.segment.bytes.next = self.segment_word.val().get_bits::<32>(320 + 4 * OPERATION_COUNT_BITS);
        self.segment.node.next = self.segment_word.val().get_bits::<16>(352 + 4 * OPERATION_COUNT_BITS);
        self.segment.qp.next = self.segment_word.val().get_bits::<24>(368 + 4 * OPERATION_COUNT_BITS);
        self.segment.rkey.next = self.segment_word.val().get_bits::<32>(392 + 4 * OPERATION_COUNT_BITS);
        self.segment.imm.next = self.segment_word.val().get_bits::<32>(424 + 4 * OPERATION_COUNT_BITS);
        self.segment.imm_valid.next = self.segment_word.val().get_bit(456 + 4 * OPERATION_COUNT_BITS);
        self.segment.kind.next = self.segment_word.val().get_bit(457 + 4 * OPERATION_COUNT_BITS);
        self.segment.large.next = self.segment_word.val().get_bit(458 + 4 * OPERATION_COUNT_BITS);
        self.segment_last.next = self.segment_word.val().get_bit(459 + 4 * OPERATION_COUNT_BITS);
        self.segment.count.next =
            bit_cast::<16, POSITION_COUNT_BITS>(self.segment_word.val().get_bits::<POSITION_COUNT_BITS>(460 + 4 * OPERATION_COUNT_BITS));
        self.segment.command.next = self.segment_word.val().get_bits::<COMMAND_BITS>(460 + POSITION_COUNT_BITS + 4 * OPERATION_COUNT_BITS);

        // What has ended, and what the host is told.
        self.table.ended_valid.next = self.ended.valid.val();
        self.ended.ready.next = self.table.ended_ready.val();
        self.table.ended_index.next = self.ended.command.val();
        self.table.ended_kind.next = self.ended.kind.val();
        self.table.ended_status.next = self.ended.status.val();
        self.answers.over_valid.next = self.table.over_valid.val();
        self.answers.over_id.next = self.table.over_id.val();
        self.answers.over_status.next = self.table.over_status.val();
        self.answers.over_total.next = self.table.over_total.val();
        self.completion.valid.next = self.answers.completion_valid.val();
        self.answers.completion_ready.next = self.completion.ready.val();
        self.completion.id.next = self.answers.completion_id.val();
        self.completion.status.next = self.answers.completion_status.val();
        self.completion.bytes.next = self.answers.completion_bytes.val();

        // A place comes back from one side per clock.
        self.places.internal_valid.next = self.table.freed_valid.val();
        self.places.internal_slot.next = self.table.event_index.val();
        self.places.first_valid.next = self.answers.back_valid.val();
        self.places.first_slot.next = self.answers.back_index.val();
        self.answers.back_ready.next = self.places.first_ready.val();
        self.places.second_valid.next = false;
        self.places.second_slot.next = bits::<COMMAND_BITS>(0);
        self.comes_back.next = self.table.freed_valid.val() || self.answers.back_valid.val();
        self.step.next = bits::<COMMAND_COUNT_BITS>(1);
        if self.comes_back.val() {
            self.step.next = !bits::<COMMAND_COUNT_BITS>(0);
        }
        if self.accept.val() != self.comes_back.val() {
            self.used.d.next = self.used.q.val() + self.step.val();
        }
        self.status_commands.next = self.used.q.val();

        self.evt_commands.next = self.check.checked_valid.val() && !self.check.checked_refused.val();
        self.evt_segments.next = self.queues.token_valid.val();
        self.evt_failures.next = self.table.over_valid.val() && self.table.over_status.val().any();
        self.evt_arrival_failed.next = self.table.evt_arrival_failed.val();
        self.evt_refused_bytes_zero.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(0));
        self.evt_refused_misaligned_target.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(1));
        self.evt_refused_wraps.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(2));
        self.evt_refused_misaligned_source.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(3));
        self.evt_refused_bad_configuration.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(4));
        self.evt_refused_too_long.next = self.refused.val() && (self.check.checked_reason.val() == bits::<3>(5));
    }
}
