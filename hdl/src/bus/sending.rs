//! What passes between the parts of the send side.

use crate::Bundle;
use crate::wire::OP_BITS;
use rust_hdl::prelude::*;

/// Commands of the host, as the block has them that takes them in.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CommandsSink"]
#[mirror]
pub struct Commands {
    /// a command is there
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// the host's number of it
    pub id: Signal<Out, Bits<16>>,
    /// target address
    pub target: Signal<Out, Bits<64>>,
    /// the node that it is for
    pub node: Signal<Out, Bits<16>>,
    /// queue pair there
    pub qp: Signal<Out, Bits<24>>,
    /// remote key
    pub rkey: Signal<Out, Bits<32>>,
    /// the immediate counts
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// the receiver's host is to be told when the data has arrived
    pub arrival: Signal<Out, Bit>,
    /// addresses of the source blocks, 64 bits each, first one lowest
    pub sources: Signal<Out, Bits<256>>,
    /// bytes of each, 32 bits each
    pub lengths: Signal<Out, Bits<128>>,
    /// source blocks, 1 to 4
    pub blocks: Signal<Out, Bits<3>>,
}

/// How commands ended, as the splitter tells the host.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CommandResultsSink"]
#[mirror]
pub struct CommandResults {
    /// the host is to be told
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// the host's number of the command
    pub id: Signal<Out, Bits<16>>,
    /// 0 done, 48 to 53 refused, else why its first operation failed
    pub status: Signal<Out, Bits<8>>,
    /// bytes of the command, 0 if it was refused
    pub bytes: Signal<Out, Bits<32>>,
}

/// Segments of commands, as the splitter cuts them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SegmentsSink"]
#[mirror]
pub struct Segments<const COMMAND_BITS: usize> {
    /// a segment is there
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// place of its command, to come back with its end
    pub command: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub kind: Signal<Out, Bit>,
    /// one of a large command
    pub large: Signal<Out, Bit>,
    /// target address
    pub target: Signal<Out, Bits<64>>,
    /// the node that it is for
    pub node: Signal<Out, Bits<16>>,
    /// queue pair there
    pub qp: Signal<Out, Bits<24>>,
    /// remote key
    pub rkey: Signal<Out, Bits<32>>,
    /// it has an immediate
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// bytes; of a data arrival those of the command
    pub bytes: Signal<Out, Bits<32>>,
    /// packets
    pub count: Signal<Out, Bits<16>>,
    /// addresses of its pieces, 64 bits each, first one lowest
    pub sources: Signal<Out, Bits<256>>,
    /// bytes of each, 32 bits each, 0: not used
    pub lengths: Signal<Out, Bits<128>>,
}

/// Segments that ask the op table for an op number.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "NumberRequestsSink"]
#[mirror]
pub struct NumberRequests<const COMMAND_BITS: usize, const POSITION_COUNT_BITS: usize> {
    /// an op number is asked for
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// place of the command
    pub command: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub kind: Signal<Out, Bit>,
    /// packets
    pub count: Signal<Out, Bits<POSITION_COUNT_BITS>>,
}

/// One operation a transfer, by its number.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "OpNumbersSink"]
#[mirror]
pub struct OpNumbers {
    /// an op number is there
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// the op number
    pub op: Signal<Out, Bits<OP_BITS>>,
}

/// Operations whose payload lies in its slot, as the loader gives them to the packet engine.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "OperationsSink"]
#[mirror]
pub struct Operations<const SLOT_BITS: usize, const POSITION_COUNT_BITS: usize> {
    /// an operation may be sent
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// its op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// its slot; a data arrival has none and says 0
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
    /// packets
    pub count: Signal<Out, Bits<POSITION_COUNT_BITS>>,
    /// bytes; of a data arrival those of the whole command
    pub bytes: Signal<Out, Bits<32>>,
    /// target address
    pub target: Signal<Out, Bits<64>>,
    /// the node that it is for
    pub node: Signal<Out, Bits<16>>,
    /// queue pair there
    pub qp: Signal<Out, Bits<24>>,
    /// remote key
    pub rkey: Signal<Out, Bits<32>>,
    /// its last packet carries an immediate
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// a segment of a large command
    pub large: Signal<Out, Bit>,
    /// 0 data, 1 data arrival: one packet without payload
    pub kind: Signal<Out, Bit>,
}

/// Payload that the packet engine reads from the send buffer.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SlotReadsSink"]
#[mirror]
pub struct SlotReads<const SLOT_BITS: usize, const OPERATION_BITS: usize> {
    /// a payload is to be read
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// its slot
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
    /// where in the slot it begins, in bytes
    pub offset: Signal<Out, Bits<OPERATION_BITS>>,
    /// its bytes
    pub bytes: Signal<Out, Bits<13>>,
}

/// The payload, in the order of the reads.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SlotPayloadSink"]
#[mirror]
pub struct SlotPayload<const DATA_WIDTH: usize> {
    /// a beat of payload
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub data: Signal<Out, Bits<DATA_WIDTH>>,
}

/// The packet that is to be sent for the first time next, as the scheduler shows it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FirstPacketsSink"]
#[mirror]
pub struct FirstPackets<const POSITION_BITS: usize> {
    /// a packet is to be sent for the first time
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// it goes
    pub take: Signal<Out, Bit>,
    /// its operation
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// its number there
    pub packet: Signal<Out, Bits<POSITION_BITS>>,
    /// the operation's last
    pub last: Signal<Out, Bit>,
    /// it is a data arrival
    pub kind: Signal<Out, Bit>,
    /// the node that it is for
    pub node: Signal<Out, Bits<16>>,
    /// it may go
    pub go: Signal<In, Bit>,
    /// without a frame
    pub void: Signal<In, Bit>,
}

/// Packets and the packet sequence numbers that they were given.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SentNumbersSink"]
#[mirror]
pub struct SentNumbers<const NODE_BITS: usize, const POSITION_BITS: usize> {
    /// a packet has its number
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// index of its queue pair
    pub qp: Signal<Out, Bits<NODE_BITS>>,
    /// its packet sequence number
    pub psn: Signal<Out, Bits<24>>,
    /// its operation
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// its number there
    pub packet: Signal<Out, Bits<POSITION_BITS>>,
    /// the operation's last
    pub last: Signal<Out, Bit>,
}

/// Operations that have ended, as the op table tells.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "EndedOpsSink"]
#[mirror]
pub struct EndedOps<const COMMAND_BITS: usize> {
    /// an operation has ended
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// its op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// place of its command
    pub command: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub kind: Signal<Out, Bit>,
    /// 0 done, else why not
    pub status: Signal<Out, Bits<8>>,
}

/// Segments that have ended, as the splitter hears of them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "EndedSegmentsSink"]
#[mirror]
pub struct EndedSegments<const COMMAND_BITS: usize> {
    /// a segment has ended
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// place of its command
    pub command: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub kind: Signal<Out, Bit>,
    /// 0 done, else why not
    pub status: Signal<Out, Bits<8>>,
}

/// Headers of frames that may be feedback.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "AnswerHeadersSink"]
#[mirror]
pub struct AnswerHeaders {
    /// a good frame has come
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// opcode
    pub opcode: Signal<Out, Bits<8>>,
    /// destination queue pair
    pub dest_qp: Signal<Out, Bits<24>>,
    /// packet sequence number
    pub psn: Signal<Out, Bits<24>>,
    /// 28 bytes behind BTH, the first in the highest bits
    pub body: Signal<Out, Bits<224>>,
}

/// Feedback for the send bitmap.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FeedbackMessagesSink"]
#[mirror]
pub struct FeedbackMessages<const NODE_BITS: usize> {
    /// feedback is there
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// 0 acknowledgement, 1 range acknowledgement, 2 of a range alone, 3 feedback message, 4 management
    pub kind: Signal<Out, Bits<3>>,
    /// index of the queue pair
    pub qp: Signal<Out, Bits<NODE_BITS>>,
    /// last packet that has arrived, or window base; of the others the first that is missing
    pub psn: Signal<Out, Bits<24>>,
    /// first packet of the range
    pub start: Signal<Out, Bits<24>>,
    /// packets of the range
    pub length: Signal<Out, Bits<32>>,
    /// window that the receiver tells, 31: none
    pub credits: Signal<Out, Bits<5>>,
}

/// Runs of packets that are to be sent again by their number.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "PacketRunsSink"]
#[mirror]
pub struct PacketRuns<const NODE_BITS: usize> {
    /// packets are to be sent again
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// index of their queue pair
    pub qp: Signal<Out, Bits<NODE_BITS>>,
    /// first packet sequence number
    pub start: Signal<Out, Bits<24>>,
    /// packets
    pub count: Signal<Out, Bits<16>>,
}
