//! What the host wants to be sent, and what becomes of it.

use crate::wire::Opcode;

/// What a work request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    Send,
    /// RDMA WRITE to this place
    Write {
        address: u64,
        rkey: u32,
    },
    /// RDMA READ from this place; its answer is not of this model
    Read {
        address: u64,
        rkey: u32,
    },
    /// fetch and add at this place; its answer is not of this model
    FetchAdd {
        address: u64,
        rkey: u32,
        add: u64,
    },
}

/// A work request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// the host's own name for it
    pub id: u64,
    pub kind: WorkKind,
    pub bytes: u32,
    /// of a SEND or RDMA WRITE
    pub imm: Option<u32>,
    /// of a SEND or RDMA WRITE: nothing of it is visible before all earlier ones are complete
    pub fence: bool,
}

impl Work {
    /// A SEND or RDMA WRITE: it takes a WQE sequence number.
    pub fn is_data(&self) -> bool {
        matches!(self.kind, WorkKind::Send | WorkKind::Write { .. })
    }
}

/// Why a work request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    #[error("the queue pair is not open")]
    Closed,
    #[error("the queue pair is in error")]
    Error,
    #[error("the queue is full")]
    Full,
    /// more than 4096 packets
    #[error("longer than 4096 packets")]
    TooLong,
    /// an immediate or a fence of a READ or atomic request
    #[error("an immediate or a fence without data")]
    NoData,
}

/// How a work request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// the receiver has all of it
    Success,
    /// the retry limit has ended the queue pair
    RetryLimit,
}

/// A work request is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub qp: u32,
    pub id: u64,
    pub outcome: Outcome,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounters {
    /// new packets
    pub sent: u64,
    /// packets sent again
    pub retransmitted: u64,
    pub indications: u64,
    /// packets that were named and not sent again for it
    pub suppressed: u64,
    /// indications for a queue pair that is not open, and packets named with the wrong WQE
    pub bad_indication: u64,
    pub bad_ack: u64,
    pub timeouts: u64,
    /// queue pairs that ended in error
    pub errors: u64,
}

/// A work request that is not done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub work: Work,
    /// packets
    pub count: u32,
    /// packet sequence numbers
    pub span: u32,
    /// once it is begun: its WQE sequence number, if it takes one
    pub sequence: Option<u32>,
    /// once it is begun: its first packet, counted from the beginning of the queue pair
    pub begin: Option<u64>,
    /// packets that were handed out
    pub sent: u32,
}

impl Job {
    /// The packet after its last, once all were handed out.
    pub fn end(&self) -> Option<u64> {
        self.begin.filter(|_| self.sent == self.count).map(|begin| begin + u64::from(self.span))
    }

    pub fn opcode(&self) -> Opcode {
        match self.work.kind {
            WorkKind::Read { .. } => Opcode::READ_REQUEST,
            _ => Opcode(0x14),
        }
    }
}

/// A packet sequence number under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// work request, counted from the beginning of the queue pair
    pub job: u64,
    /// which number of the work request it is
    pub index: u32,
    /// its work request is one packet, however many numbers that takes
    pub spans: bool,
    /// when it was last sent again
    pub again: Option<u64>,
}
