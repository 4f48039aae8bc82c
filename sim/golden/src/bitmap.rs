//! Bitmap loss detection: what a receiver knows of the packets of each queue pair and says about it, and what a sender sends again.
//!
//! Spec: bitmap loss detection. One packet, message or tick at a time; time is a number of ticks that comes from outside.
//! [`Receiver`] and [`Sender`] know nothing of each other: what passes between them is [`Ack`], [`RangeAck`] and [`Ffm`].

mod gap;
pub mod immediates;
mod length;
mod params;
pub mod psn;
mod receiver;
pub mod sender;
mod settled;
mod tolerance;
mod window;

#[cfg(test)]
mod tests;

pub use gap::{Gap, GapState, Region};
pub use length::{Demand, credits, target_segments};
pub use params::{Config, DepthMode, Params, PathMode};
pub use receiver::{Arrived, GapEvent, Happening, Message, PathStatistics, Receiver, Statistics, What};
pub use sender::Sender;
pub use settled::TwoFacts;
pub use tolerance::Cause;
pub use window::{Place, Window};

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    New,
    Duplicate,
    OutOfWindow,
    UnknownQp,
}

/// Acknowledgement: everything up to `psn` has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    pub qp: u32,
    /// the receiver's base - 1
    pub psn: u32,
    /// `2^credits` packets may be sent from the base on; 31: not said
    pub credits: u8,
}

/// Range acknowledgement (0xc5): a run above a hole has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeAck {
    pub qp: u32,
    pub base: u32,
    pub start: u32,
    pub length: u32,
}

/// Fast feedback message (0xc0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ffm {
    pub qp: u32,
    pub start: u32,
    pub length: u32,
    /// highest PSN received
    pub edge: u32,
    pub base: u32,
    pub timestamp: u32,
    pub path: u8,
    pub status: Cause,
    pub depth: u16,
    pub repeat: u8,
    pub misjudged: u32,
}
