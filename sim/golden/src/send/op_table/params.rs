//! What is fixed when the block is made, what is set at run time, and what enters and leaves it.

use crate::send::OpKind;

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// operations at a time, a power of two
    pub ops: usize,
    /// packets of the largest operation
    pub mask_bits: usize,
}

impl Params {
    /// The profile `default`.
    pub const DEFAULT: Params = Params { ops: 256, mask_bits: 32 };
    /// The profile `small`.
    pub const SMALL: Params = Params { ops: 64, mask_bits: 32 };
    /// The profile `large`.
    pub const LARGE: Params = Params { ops: 1024, mask_bits: 256 };

    /// Width of the index part of an op number; the rest is its generation.
    pub fn index_bits(&self) -> u32 {
        self.ops.ilog2()
    }

    /// Index part of an op number.
    pub fn index(&self, op: u32) -> usize {
        op as usize & (self.ops - 1)
    }

    /// Uses of one index within `t_life`.
    pub fn use_limit(&self) -> usize {
        (1 << (crate::OP_BITS - self.index_bits() - 1)) - 1
    }

    /// Clocks in which the scanner sees every timer once.
    pub fn scan_period(&self) -> u64 {
        (self.ops * self.mask_bits).div_ceil(8) as u64
    }
}

/// Runtime registers. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// clocks per tick
    pub prescale: u16,
    /// of the first try of a packet; doubles with each
    pub timeout: u32,
    /// of any try
    pub backoff_cap: u32,
    /// tries after the first
    pub retry_limit: u8,
    pub t_life: u32,
}

impl Config {
    /// The defaults of the spec.
    pub const DEFAULT: Config = Config { prescale: 322, timeout: 100, backoff_cap: 10_000, retry_limit: 7, t_life: 1_000_000 };

    /// Ticks for which try `tries` (0 is the first) waits for its acknowledgement.
    pub fn patience(&self, tries: u8) -> u64 {
        let doubled = u128::from(self.timeout) << tries.min(64);
        doubled.min(self.backoff_cap.into()) as u64
    }
}

/// What the splitter asks for, under the number that it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Op {
    pub op: u32,
    /// index in the command table
    pub command: u16,
    pub kind: OpKind,
    /// packets, 1 to `mask_bits`
    pub count: u16,
}

/// One beat of the `ended` stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub op: u32,
    pub command: u16,
    pub kind: OpKind,
    /// of the wire, or of [`status`](crate::send::status)(crate::send::status)
    pub status: u8,
}

/// How often things happened.
///
/// Two are not exact where a timer may have run out just before an acknowledgement came: see
/// [`OpTable::uncertain_acks`](super::OpTable::uncertain_acks) and [`OpTable::uncertain_timeouts`](super::OpTable::uncertain_timeouts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// accepted by the wire, retransmissions too
    pub packets: u64,
    /// messages that acknowledged something new
    pub acks: u64,
    /// messages about packets that were acknowledged before
    pub duplicate_acks: u64,
    /// negative messages about packets that were not acknowledged
    pub nacks: u64,
    /// messages about anything else: they change nothing
    pub stale_acks: u64,
    /// timers that ran out
    pub timeouts: u64,
    /// retransmissions accepted by the wire
    pub retransmissions: u64,
    pub allocated: u64,
    pub completed: u64,
    pub failures: u64,
    /// most operations at a time that had not ended
    pub high_water: u64,
}
