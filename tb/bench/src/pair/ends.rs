//! What a sender and a receiver of packets are, whatever is inside. Times are clocks from the start of a run; an error is one sentence that
//! ends it.

use super::{Note, Packet};
use std::collections::BTreeMap;

/// Packets that wait for the wire, from which on no new one is wanted.
pub const NEW: u64 = 2;

/// The same for packets that are sent again.
pub const AGAIN: u64 = 8;

/// What a sender has decided, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// a new packet
    Send { qp: u32, psn: u32 },
    /// a run of packets again
    Again { qp: u32, start: u32, length: u32 },
    /// a note has taken effect; packets that are to be sent again for it
    Applied { note: Note, pending: u32 },
    /// a timer has run out
    Timeout { qp: u32 },
    /// the retry limit has ended it
    Error { qp: u32 },
}

/// What became of a packet that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    New,
    Duplicate,
    /// not what the receiver can use now
    Dropped,
}

/// What a receiver has decided, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// of each packet that was given to it, in their order
    Verdict(Packet, Verdict),
    Note(Note),
}

/// The end that has packets to send.
pub trait Sender {
    /// A queue pair has so many more packets to send.
    fn offer(&mut self, qp: u32, packets: u64);

    /// A note has arrived at `clock`, up to which everything else has happened.
    fn receive(&mut self, note: Note);

    /// Everything that happens up to and with clock `clock`, while `queued` packets wait for the wire. New ones are wanted below [`NEW`],
    /// and runs of packets again, which may be longer, below [`AGAIN`].
    /// # Errors
    /// A model and its hardware differ.
    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String>;

    /// Clock at which something happens by itself. `None`: nothing will.
    fn next(&self) -> Option<u64>;

    /// First packet that is not acknowledged, and the next new one.
    fn window(&self, qp: u32) -> Option<(u32, u32)>;

    /// At the end of a run.
    /// # Errors
    /// Something that was to be told was not.
    fn finish(&mut self) -> Result<(), String>;

    /// By the names of the contract.
    fn counters(&self) -> BTreeMap<String, u64>;
}

/// The end that packets arrive at.
pub trait Receiver {
    /// A packet has arrived at the clock of the last step, or later.
    fn receive(&mut self, packet: Packet);

    /// Everything that happens up to and with clock `clock`.
    /// # Errors
    /// A model and its hardware differ.
    fn step(&mut self, clock: u64) -> Result<Vec<Told>, String>;

    /// Clock at which something happens by itself. `None`: nothing will.
    fn next(&self) -> Option<u64>;

    /// First packet that has not arrived.
    fn base(&self, qp: u32) -> Option<u32>;

    /// At the end of a run.
    /// # Errors
    /// Something that was to be told was not.
    fn finish(&mut self) -> Result<(), String>;

    /// By the names of the contract.
    fn counters(&self) -> BTreeMap<String, u64>;
}
