//! What is fixed when the block is made, what is set at run time, and what enters and leaves it.

use serde::Serialize;

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// live operations
    pub entries: usize,
    /// packets of the largest operation
    pub mask_bits: usize,
    /// payload bytes of every packet but the last of an operation, a power of two
    pub packet_size: u32,
    pub sources: usize,
    /// width of the index part of an op number; the rest is its generation
    pub index_bits: u32,
    pub escape_slots: usize,
    /// writes that may wait for the memory's answer
    pub writes: usize,
    /// memory regions, 0: every address is allowed
    pub regions: usize,
}

impl Params {
    /// The profile `default`.
    pub const DEFAULT: Params =
        Params { entries: 16, mask_bits: 32, packet_size: 4096, sources: 16, index_bits: 8, escape_slots: 64, writes: 64, regions: 0 };
    /// `default` with the packets of the worked examples.
    pub const WORKED: Params = Params { packet_size: 512, ..Params::DEFAULT };
    /// The profile `small`.
    pub const SMALL: Params =
        Params { entries: 4, packet_size: 256, sources: 4, index_bits: 6, escape_slots: 16, writes: 16, ..Params::DEFAULT };
    /// The profile `large`.
    pub const LARGE: Params =
        Params { entries: 64, mask_bits: 256, packet_size: 4096, sources: 64, index_bits: 10, escape_slots: 256, writes: 64, regions: 0 };

    /// Payload slots: those that may wait in the escape channel and those whose write may be under way.
    pub fn payload_slots(&self) -> usize {
        self.escape_slots + self.writes
    }

    /// Words of the done table.
    pub fn done_words(&self) -> usize {
        self.sources << self.index_bits
    }

    /// Index part of an op number.
    pub fn index(&self, op: u32) -> u16 {
        (op & ((1 << self.index_bits) - 1)) as u16
    }

    /// Generation part of an op number.
    pub fn generation(&self, op: u32) -> u32 {
        op >> self.index_bits
    }

    /// Whether the generation of `op` is behind that of `stored`: serial, exactly half the space counts as behind.
    pub fn behind(&self, op: u32, stored: u32) -> bool {
        let space = 1u32 << (crate::OP_BITS - self.index_bits);
        let ahead = self.generation(op).wrapping_sub(self.generation(stored)) % space;
        ahead >= space / 2
    }
}

/// Runtime registers. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// clocks per tick
    pub prescale: u16,
    pub op_timeout: u32,
    pub escape_timeout: u32,
    pub t_life: u32,
    pub renotify: u32,
    pub ack_wait: u32,
    pub entry_quota: u8,
    pub escape_quota: u16,
}

impl Config {
    /// Names of the runtime registers, as in the spec.
    pub const NAMES: [&str; 8] =
        ["prescale", "op_timeout", "escape_timeout", "t_life", "renotify", "ack_wait", "entry_quota", "escape_quota"];

    /// The defaults of the spec for `params`.
    pub fn defaults(params: &Params) -> Config {
        Config {
            prescale: 322,
            op_timeout: 100_000,
            escape_timeout: 1000,
            t_life: 1_000_000,
            renotify: 100,
            ack_wait: 0,
            entry_quota: params.entries as u8,
            escape_quota: params.escape_slots as u16,
        }
    }

    /// Sets the register `name`.
    /// # Errors
    /// An unknown name, or a value that the register cannot hold; the text says what is allowed.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        let ticks = (1 << 31) - 1;
        let (low, high) = match name {
            "prescale" => (1, 0xffff),
            "entry_quota" => (0, 0xff),
            "escape_quota" => (0, 0xffff),
            _ => (0, ticks),
        };
        if Config::NAMES.contains(&name) && !(low..=high).contains(&value) {
            return Err(format!("register `{name}`: {value} is out of range; {low} to {high} is allowed"));
        }
        match name {
            "prescale" => self.prescale = value as u16,
            "op_timeout" => self.op_timeout = value as u32,
            "escape_timeout" => self.escape_timeout = value as u32,
            "t_life" => self.t_life = value as u32,
            "renotify" => self.renotify = value as u32,
            "ack_wait" => self.ack_wait = value as u32,
            "entry_quota" => self.entry_quota = value as u8,
            "escape_quota" => self.escape_quota = value as u16,
            _ => return Err(format!("no register `{name}`; the receive registry has {}", Config::NAMES.join(", "))),
        }
        Ok(())
    }
}

/// A memory region that starts may write to; length 0 matches nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    pub rkey: u32,
    pub base: u64,
    pub length: u64,
}

/// What a header announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Body = 0,
    Start = 1,
    /// data arrival, from 0xc4 with status 0
    Arrival = 2,
    /// abort, from 0xc4 with status 1
    Abort = 3,
}

impl Kind {
    /// Whether the packet brings payload, which lies in a slot.
    pub fn has_payload(self) -> bool {
        matches!(self, Kind::Body | Kind::Start)
    }
}

/// One header beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: Kind,
    pub src: u16,
    pub op: u32,
    pub addr: u64,
    pub bytes: u16,
    /// start: bytes of the operation
    pub op_bytes: u32,
    /// start: packets of the operation
    pub count: u16,
    pub rkey: u32,
    pub imm: Option<u32>,
}

/// Status codes of the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Done = 0,
    CountZero = 1,
    BytesZero = 2,
    CountMismatch = 3,
    Oversize = 4,
    MisalignedBase = 5,
    Wraps = 6,
    Overlap = 7,
    MisalignedOffset = 8,
    WrongLength = 9,
    UnknownSource = 10,
    Conflict = 11,
    Superseded = 12,
    WriteError = 13,
    OpTimeout = 14,
    Aborted = 15,
    Access = 16,
}

/// Why a packet is dropped that found no operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Drop {
    EscapeTimeout = 32,
    EscapeFull = 33,
    Quota = 34,
}

/// Final word on one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    Written,
    Duplicate,
    Stale,
    Rejected(Status),
    Dropped(Drop),
}

impl Verdict {
    /// `verdict_code` of the port.
    pub fn code(self) -> u8 {
        match self {
            Verdict::Written => 0,
            Verdict::Duplicate => 1,
            Verdict::Stale => 2,
            Verdict::Rejected(_) => 3,
            Verdict::Dropped(_) => 4,
        }
    }

    /// `verdict_reason` of the port.
    pub fn reason(self) -> u8 {
        match self {
            Verdict::Rejected(status) => status as u8,
            Verdict::Dropped(drop) => drop as u8,
            _ => 0,
        }
    }
}

/// A message to the sender: 0xc1 (remote completion) or 0xc3 (op acknowledgement).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notify {
    pub kind: u8,
    pub src: u16,
    pub op: u32,
    /// first packet index of `mask`
    pub index: u16,
    pub status: u8,
    pub mask: u64,
    /// 0xc1 of a finished operation, else 0
    pub packets: u16,
}

/// A message to the host. `mask` has `mask_bits` bits, lowest first in 64-bit words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complete {
    /// a data arrival, not the end of an operation
    pub arrival: bool,
    pub src: u16,
    pub op: u32,
    pub base: u64,
    pub bytes: u32,
    pub packets: u16,
    pub status: u8,
    pub imm: Option<u32>,
    pub mask: Vec<u64>,
}

/// A payload write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub slot: u32,
    pub addr: u64,
    pub bytes: u16,
}

/// A verdict beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictBeat {
    pub tag: u16,
    pub verdict: Verdict,
    /// the packet has been in the escape channel
    pub escaped: bool,
}

macro_rules! events {
    ($($variant:ident = $name:literal,)*) => {
        /// Counter events, one per `evt_` output.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Event { $($variant,)* }

        impl Event {
            /// Every event.
            pub const ALL: &[Event] = &[$(Event::$variant,)*];

            /// Name of the counter.
            pub fn name(self) -> &'static str {
                match self { $(Event::$variant => $name,)* }
            }
        }
    };
}

events! {
    Accepted = "accepted",
    Duplicate = "duplicate",
    Completed = "completed",
    Registered = "registered",
    Escaped = "escaped",
    Replayed = "replayed",
    EscapeTimeout = "escape_timeout",
    EscapeFull = "escape_full",
    Quota = "quota",
    OpTimeout = "op_timeout",
    Stale = "stale",
    Renotified = "renotified",
    Superseded = "superseded",
    Aborted = "aborted",
    Arrivals = "arrivals",
    WriteError = "write_error",
    RejectCountZero = "reject_count_zero",
    RejectBytesZero = "reject_bytes_zero",
    RejectCountMismatch = "reject_count_mismatch",
    RejectOversize = "reject_oversize",
    RejectMisalignedBase = "reject_misaligned_base",
    RejectWraps = "reject_wraps",
    RejectOverlap = "reject_overlap",
    RejectMisalignedOffset = "reject_misaligned_offset",
    RejectWrongLength = "reject_wrong_length",
    RejectUnknownSource = "reject_unknown_source",
    RejectConflict = "reject_conflict",
    RejectAccess = "reject_access",
}

impl Event {
    /// The counter of a reject reason.
    pub fn reject(status: Status) -> Event {
        match status {
            Status::CountZero => Event::RejectCountZero,
            Status::BytesZero => Event::RejectBytesZero,
            Status::CountMismatch => Event::RejectCountMismatch,
            Status::Oversize => Event::RejectOversize,
            Status::MisalignedBase => Event::RejectMisalignedBase,
            Status::Wraps => Event::RejectWraps,
            Status::Overlap => Event::RejectOverlap,
            Status::MisalignedOffset => Event::RejectMisalignedOffset,
            Status::WrongLength => Event::RejectWrongLength,
            Status::UnknownSource => Event::RejectUnknownSource,
            Status::Conflict => Event::RejectConflict,
            Status::Access => Event::RejectAccess,
            Status::Done | Status::Superseded | Status::WriteError | Status::OpTimeout | Status::Aborted => {
                unreachable!("not a reject reason: {status:?}")
            }
        }
    }
}
