//! What is fixed when the block is made, what is set at run time, and what enters and leaves it.

use crate::send::OpKind;

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// payload bytes of every packet but the last of an operation, a power of two
    pub packet_size: u32,
    /// packets of the largest operation
    pub mask_bits: u32,
    /// commands in flight
    pub commands: usize,
    /// source blocks of one command
    pub sgl: usize,
    /// width of the bytes field of a descriptor
    pub btt_width: u32,
    /// bytes to which sources must be aligned; 1: the CDMA realigns
    pub alignment: u32,
    /// commands that wait in each queue
    pub queue_depth: usize,
}

impl Params {
    /// The profile `default`, with a CDMA that realigns.
    pub const DEFAULT: Params =
        Params { packet_size: 4096, mask_bits: 32, commands: 64, sgl: 4, btt_width: 26, alignment: 1, queue_depth: 16 };
    /// `default` with the packets of the worked examples.
    pub const WORKED: Params = Params { packet_size: 512, ..Params::DEFAULT };
    /// The profile `small`.
    pub const SMALL: Params = Params { packet_size: 256, commands: 16, ..Params::DEFAULT };
    /// The profile `large`.
    pub const LARGE: Params = Params { packet_size: 4096, mask_bits: 256, ..Params::DEFAULT };

    /// Bytes of the largest operation.
    pub fn operation_bytes(&self) -> u64 {
        u64::from(self.packet_size) * u64::from(self.mask_bits)
    }
}

/// Runtime registers, in bytes. What a command finds when it is taken holds for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// commands with more bytes are large
    pub threshold: u32,
    /// bytes of every segment of a large command but the last
    pub segment: u32,
}

impl Config {
    /// The defaults of the spec.
    pub const DEFAULT: Config = Config { threshold: 16384, segment: 65536 };

    /// Whether every command is refused under this configuration.
    pub fn is_bad(&self, params: &Params) -> bool {
        let (segment, largest) = (u64::from(self.segment), params.operation_bytes());
        segment < u64::from(params.packet_size)
            || segment > largest
            || !self.segment.is_multiple_of(params.packet_size)
            || u64::from(self.threshold) > largest
    }
}

/// Bytes that lie together in the sender's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub source: u64,
    pub bytes: u32,
}

/// What the host posts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// the host's name for it; it comes back with the completion
    pub id: u16,
    pub target: u64,
    pub node: u16,
    pub qp: u32,
    pub rkey: u32,
    pub imm: Option<u32>,
    /// the receiver's host is told when all data has arrived
    pub arrival: bool,
    /// 1 to `sgl`
    pub blocks: Vec<Block>,
}

impl Command {
    /// Sum of its blocks.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.bytes)).sum()
    }
}

/// Why a command is refused: the first in this order that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    BytesZero = 48,
    MisalignedTarget = 49,
    Wraps = 50,
    MisalignedSource = 51,
    BadConfiguration = 52,
    TooLong = 53,
}

impl Refusal {
    /// Every reason, in order.
    pub const ALL: [Refusal; 6] = [
        Refusal::BytesZero,
        Refusal::MisalignedTarget,
        Refusal::Wraps,
        Refusal::MisalignedSource,
        Refusal::BadConfiguration,
        Refusal::TooLong,
    ];

    /// What is wrong with `command`.
    pub fn of(command: &Command, params: &Params, config: &Config) -> Option<Refusal> {
        let bytes = command.bytes();
        let end = |base: u64, bytes: u64| u128::from(base) + u128::from(bytes);
        let alignment = u64::from(params.alignment);
        let inner = &command.blocks[..command.blocks.len().saturating_sub(1)];
        let longest = if bytes > u64::from(config.threshold) { bytes.min(config.segment.into()) } else { bytes };
        let holds = |refusal: &Refusal| match refusal {
            Refusal::BytesZero => command.blocks.is_empty() || command.blocks.iter().any(|block| block.bytes == 0),
            Refusal::MisalignedTarget => !command.target.is_multiple_of(params.packet_size.into()),
            Refusal::Wraps => {
                bytes > u32::MAX.into()
                    || end(command.target, bytes) > 1 << 64
                    || command.blocks.iter().any(|block| end(block.source, block.bytes.into()) > 1 << 64)
            }
            Refusal::MisalignedSource => {
                command.blocks.iter().any(|block| !block.source.is_multiple_of(alignment))
                    || inner.iter().any(|block| !u64::from(block.bytes).is_multiple_of(alignment))
            }
            Refusal::BadConfiguration => config.is_bad(params),
            Refusal::TooLong => longest >> params.btt_width != 0,
        };
        Refusal::ALL.into_iter().find(holds)
    }
}

/// One operation to be allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// index in the command table
    pub command: u16,
    pub kind: OpKind,
    /// no segment of the command's data follows. Means nothing in an arrival
    pub last: bool,
    /// of the large queue. Means nothing in an arrival
    pub large: bool,
    pub target: u64,
    pub node: u16,
    pub qp: u32,
    pub rkey: u32,
    /// of the last segment only
    pub imm: Option<u32>,
    pub bytes: u32,
    /// packets
    pub count: u16,
    /// what it takes of each block in order, without those of which it takes nothing
    pub pieces: Vec<Block>,
}

/// One beat to the host. `bytes` means nothing where `status` is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    pub id: u16,
    /// 0, of the wire, of [`status`](crate::send::status), or a [`Refusal`]
    pub status: u8,
    pub bytes: u32,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// taken into a queue
    pub commands: u64,
    pub segments: u64,
    /// per reason, in the order of [`Refusal::ALL`]
    pub refused: [u64; 6],
    /// told to the host, refusals not among them
    pub completed: u64,
    pub failed: u64,
    /// failed commands of which something was never cut
    pub discarded: u64,
    /// data-arrival operations that failed after their command was completed
    pub arrivals_failed: u64,
    /// most commands at a time
    pub high_water: u64,
}
