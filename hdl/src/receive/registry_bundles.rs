//! What passes between the receive registry and its neighbours, and between its parts.

use crate::Bundle;
use crate::sizes::*;
use rust_hdl::prelude::*;

/// Packets whose payload lies in its slot, as the registry has them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "RegistryHeadersSource"]
#[mirror]
pub struct RegistryHeaders {
    /// a packet whose payload is in its slot
    #[gated]
    pub valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<Out, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub kind: Signal<In, Bits<2>>,
    /// sending node
    pub src: Signal<In, Bits<16>>,
    /// the sender's op number: generation ++ index
    pub op: Signal<In, Bits<OP_BITS>>,
    /// target address of this packet's payload
    pub addr: Signal<In, Bits<64>>,
    /// payload bytes of this packet
    pub bytes: Signal<In, Bits<16>>,
    /// start: bytes of the whole operation
    pub op_bytes: Signal<In, Bits<32>>,
    /// start: packets of the whole operation
    pub count: Signal<In, Bits<16>>,
    /// remote key, for the region check
    pub rkey: Signal<In, Bits<32>>,
    /// an immediate comes with it
    pub imm_valid: Signal<In, Bit>,
    /// the immediate
    pub imm: Signal<In, Bits<32>>,
    /// comes back with the verdict
    pub tag: Signal<In, Bits<16>>,
    /// handle of the payload in the packet buffer
    pub slot: Signal<In, Bits<SLOT_BITS>>,
}

/// Payloads that go to memory.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "PayloadWritesSink"]
#[mirror]
pub struct PayloadWrites {
    /// a payload goes to memory
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// comes back with the answer
    pub tag: Signal<Out, Bits<WRITE_BITS>>,
    /// payload
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
    /// where
    pub addr: Signal<Out, Bits<64>>,
    /// how many bytes
    pub bytes: Signal<Out, Bits<16>>,
}

/// Writes that the memory has answered, as the block has them that waits for the answers.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "WriteAnswersSource"]
#[mirror]
pub struct WriteAnswers {
    /// a write has been answered; always taken
    #[gated]
    pub valid: Signal<In, Bit>,
    /// tag of the write
    pub tag: Signal<In, Bits<WRITE_BITS>>,
    /// it succeeded
    pub ok: Signal<In, Bit>,
}

/// Slots that are given back, because their payload is not written.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FreedSlotsSink"]
#[mirror]
pub struct FreedSlots {
    /// a payload that is not written
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// handle of the payload in the packet buffer
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
}

/// What the registry tells the host. `Completions` has one kind more: commands of this host.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "OperationsToldSink"]
#[mirror]
pub struct OperationsTold {
    /// the host is told
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// 0: an operation ended, 1: data arrival
    pub kind: Signal<Out, Bit>,
    /// sending node
    pub src: Signal<Out, Bits<16>>,
    /// op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub base: Signal<Out, Bits<64>>,
    /// bytes
    pub bytes: Signal<Out, Bits<32>>,
    /// packets
    pub packets: Signal<Out, Bits<16>>,
    /// status code
    pub status: Signal<Out, Bits<8>>,
    /// an immediate came
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// arrival mask at the end
    pub mask: Signal<Out, Bits<MASK_BITS>>,
}

/// What the registry tells senders.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "NotificationsSink"]
#[mirror]
pub struct Notifications {
    /// the sender is told
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// 0xc1 remote completion, 0xc3 op acknowledgement
    pub kind: Signal<Out, Bits<8>>,
    /// node to tell
    pub src: Signal<Out, Bits<16>>,
    /// op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// first packet of the mask
    pub index: Signal<Out, Bits<16>>,
    /// status code
    pub status: Signal<Out, Bits<8>>,
    /// packets from the first on
    pub mask: Signal<Out, Bits<64>>,
    /// packets of a finished operation
    pub packets: Signal<Out, Bits<16>>,
}

/// What becomes of each packet.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "PacketVerdictsSink"]
#[mirror]
pub struct PacketVerdicts {
    /// final verdict of a packet
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// the header's tag
    pub tag: Signal<Out, Bits<16>>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub code: Signal<Out, Bits<3>>,
    /// rejected: status code; dropped: 32 escape_timeout, 33 escape_full, 34 quota
    pub reason: Signal<Out, Bits<8>>,
    /// it went through the escape channel
    pub escaped: Signal<Out, Bit>,
}

/// The order in which stage 3 decided.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CommitTraceReader"]
#[mirror]
pub struct CommitTrace {
    /// something passed stage 3 in the clock before
    pub valid: Signal<Out, Bit>,
    /// 0 header: verdict, 1 header: escaped, 2 replay: verdict, 3 replay: stays, 4 op timeout, 5 swept, 6 write error, 7 no effect
    pub kind: Signal<Out, Bits<3>>,
    /// source
    pub src: Signal<Out, Bits<16>>,
    /// op
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// tag of the packet
    pub tag: Signal<Out, Bits<16>>,
}

/// The operation that ended at stage 4, as the table stores it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "EndedEntryReader"]
#[mirror]
pub struct EndedEntry {
    /// stage 4: the row that ended
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// its generation
    pub generation: Signal<Out, Bits<GENERATION_BITS>>,
    /// its base, block number, upper bits
    pub up: Signal<Out, Bits<BLOCK_BITS>>,
    /// its base, block number, lower bits
    pub lo: Signal<Out, Bits<POSITION_BITS>>,
    /// its packets
    pub count: Signal<Out, Bits<POSITION_COUNT_BITS>>,
    /// its bytes
    pub op_bytes: Signal<Out, Bits<32>>,
    /// its immediate is valid
    pub imm_valid: Signal<Out, Bit>,
    /// its immediate
    pub imm: Signal<Out, Bits<32>>,
    /// its mask
    pub mask: Signal<Out, Bits<MASK_BITS>>,
}

/// The operation at which the timer looks, one clock after it names the row.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "TimedEntryReader"]
#[mirror]
pub struct TimedEntry {
    /// source
    pub src: Signal<Out, Bits<NODE_BITS>>,
    /// generation
    pub generation: Signal<Out, Bits<GENERATION_BITS>>,
    /// op index
    pub index: Signal<Out, Bits<OP_INDEX_BITS>>,
}

/// Operations that were told complete before a write of theirs failed.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DoneRewritesSink"]
#[mirror]
pub struct DoneRewrites {
    /// the done word of an operation becomes write_error
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub take: Signal<In, Bit>,
    /// source
    pub src: Signal<Out, Bits<16>>,
    /// op
    pub op: Signal<Out, Bits<OP_BITS>>,
}
