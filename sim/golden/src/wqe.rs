//! The work-queue-element header: every data packet says to which work queue element (WQE) it belongs, where in it, and how long the whole
//! is. Both ends of it.
//!
//! Spec: WQE extension header. Packets, messages and ticks in, decisions and messages out; time is a number of ticks that comes from
//! outside. [`Sender`] and [`Receiver`] know nothing of each other: what passes between them is [`Packet`], [`Ack`](crate::bitmap::Ack) and
//! [`Indication`], each of which has its frame.
//!
//! Decisions that depend on order are exact. One that depends on time is made at its own moment by `tick`; who follows hardware tells the
//! model the hardware's moment instead ([`Receiver::indicated`], [`Receiver::idled`], [`Sender::expired`], [`Sender::indication_judged`]),
//! and the model checks it against the earliest and the latest legal one.

mod entry;
pub mod fault;
mod missing;
mod packet;
mod params;
mod pool;
mod queue_pair;
mod receiver;
mod sender;
#[cfg(test)]
pub(crate) mod tests;

pub use fault::Fault;
pub use packet::{Indication, Packet, Part};
pub use params::{Open, ReceiverConfig, ReceiverParams, Region, SenderConfig};
pub use receiver::{Completion, CopyOut, Event, Receive, Receiver, ReceiverCounters, Request};
pub use sender::{Done, Handed, Outcome, Refusal, Sender, SenderCounters, Work, WorkKind};

/// Most packets of a work queue element.
pub const MAX_PACKETS: u32 = 4096;

/// `to` is after `from`, as serial numbers modulo 2^32; exactly half of them apart counts as after.
pub(crate) fn ahead(from: u32, to: u32) -> Option<u32> {
    Some(to.wrapping_sub(from)).filter(|&distance| distance <= 1 << 31)
}

/// Why a packet is dropped. The text is the name in decision files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// the queue pair is not open
    #[error("unknown_qp")]
    UnknownQp,
    /// an operation that this transport does not have
    #[error("unsupported")]
    Unsupported,
    /// a reserved bit of the total length is set
    #[error("reserved_bit")]
    ReservedBit,
    /// the total length has more than 4096 packets, or a request asks for more
    #[error("too_long")]
    TooLong,
    /// the offset is no multiple of the MTU
    #[error("misaligned_offset")]
    MisalignedOffset,
    /// offset and payload reach beyond the total length
    #[error("beyond_total")]
    BeyondTotal,
    /// not the last packet and not one MTU, or the last one and not up to the total length
    #[error("wrong_length")]
    WrongLength,
    /// the opcode says first, middle, last or only, and the offset something else
    #[error("wrong_position")]
    WrongPosition,
    /// the length in RETH is not the total length
    #[error("reth_length")]
    RethLength,
    /// the place reaches beyond the address space
    #[error("wraps")]
    Wraps,
    /// no memory region of this R_Key holds the place
    #[error("access")]
    Access,
    /// the WQE is too far ahead of the oldest that is not complete
    #[error("beyond_open")]
    BeyondOpen,
    /// the PSN is beyond the window
    #[error("beyond_window")]
    BeyondWindow,
    /// PSN and offset are not those of this WQE
    #[error("psn_mismatch")]
    PsnMismatch,
    /// the WQE was opened with another total length or fence
    #[error("total_mismatch")]
    TotalMismatch,
    /// the WQE was opened by a SEND, and this is an RDMA WRITE, or the other way round
    #[error("kind_mismatch")]
    KindMismatch,
    /// further ahead in its WQE than the bitmap reaches
    #[error("beyond_bitmap")]
    BeyondBitmap,
    /// no pages, and the first packet of the RDMA WRITE, which is the oldest WQE, has not arrived
    #[error("first_missing")]
    FirstMissing,
    /// no pages, and the host has posted no receive for the SEND, which is the oldest WQE
    #[error("no_receive")]
    NoReceive,
    /// the receive of the SEND is shorter than its data
    #[error("receive_too_short")]
    ReceiveTooShort,
    /// as many READ and atomic requests wait as there are places
    #[error("requests_full")]
    RequestsFull,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 21] = [
        Reason::UnknownQp,
        Reason::Unsupported,
        Reason::ReservedBit,
        Reason::TooLong,
        Reason::MisalignedOffset,
        Reason::BeyondTotal,
        Reason::WrongLength,
        Reason::WrongPosition,
        Reason::RethLength,
        Reason::Wraps,
        Reason::Access,
        Reason::BeyondOpen,
        Reason::BeyondWindow,
        Reason::PsnMismatch,
        Reason::TotalMismatch,
        Reason::KindMismatch,
        Reason::BeyondBitmap,
        Reason::FirstMissing,
        Reason::NoReceive,
        Reason::ReceiveTooShort,
        Reason::RequestsFull,
    ];
}

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// its payload is to be written to host memory, from `address` on
    Direct {
        address: u64,
    },
    /// its payload is in the pages of its WQE
    Buffered,
    /// its WQE has no pages and no place yet: it is not kept, and not asked for until there is a place
    Deferred,
    /// it has arrived before
    Duplicate,
    /// a READ or atomic request: it is given to the host when everything before it has arrived
    Request,
    Dropped(Reason),
}
