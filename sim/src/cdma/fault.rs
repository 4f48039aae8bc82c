//! Faults on demand.

/// How a descriptor, or a simple transfer, goes wrong. Those of the data are written into the descriptor's status, after half of the bytes
/// have been moved; those of the descriptor port are not, and leave the status zero unless the write reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// DMAIntErr
    DataInternal,
    /// DMASlvErr
    DataSlave,
    /// DMADecErr
    DataDecode,
    /// SGIntErr: as if the descriptor were one that is completed
    Stale,
    /// SGSlvErr on the read of the descriptor
    FetchSlave,
    /// SGDecErr on the read of the descriptor
    FetchDecode,
    /// SGSlvErr on the write of its status; whether the write has an effect
    StatusSlave { written: bool },
    /// SGDecErr on the write of its status; whether the write has an effect
    StatusDecode { written: bool },
    /// the transfer does not end; only a reset helps
    Hang,
}

impl Fault {
    /// Every kind that ends in an error bit.
    pub const ERRORS: [Fault; 10] = [
        Fault::DataInternal,
        Fault::DataSlave,
        Fault::DataDecode,
        Fault::Stale,
        Fault::FetchSlave,
        Fault::FetchDecode,
        Fault::StatusSlave { written: false },
        Fault::StatusSlave { written: true },
        Fault::StatusDecode { written: false },
        Fault::StatusDecode { written: true },
    ];

    /// The error is one of the data: the status of the descriptor has it.
    pub fn in_status(self) -> bool {
        matches!(self, Fault::DataInternal | Fault::DataSlave | Fault::DataDecode)
    }
}
