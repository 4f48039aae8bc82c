//! Packets by their sequence numbers, from a sender through a network to a receiver: nothing of frames, payload or memory.
//!
//! ```text
//! File ── Scenario ──▶ Sender ── packets ──▶ Network ──▶ Receiver
//!                        ▲                                  │        Watch sees all of it ──▶ Report
//!                        └───── notes ◀── Network ◀─────────┘
//! ```
//!
//! The ends are bitmaps, verilated beside their golden models or these alone, or what bitmaps are compared with, which are golden models
//! alone.

mod baseline;
mod ends;
mod file;
mod golden;
mod report;
mod run;
mod verilated;
mod watch;

pub use baseline::{GoBackNReceiver, GoBackNSender, TimersReceiver, TimersSender};
pub use ends::{Decision, Receiver, Sender, Told, Verdict};
pub use file::{Mode, Scenario, Scheme, Traffic};
pub use golden::{GoldenReceiver, GoldenSender};
pub use report::Report;
pub use run::{Drop, Parts, run};
pub use verilated::{VerilatedReceiver, VerilatedSender};
pub use watch::Watch;

use rdma_rtl_sim::network::Carried;

/// Bytes of a packet besides its payload: Ethernet, IPv4, UDP, BTH, ICRC.
const HEADERS: u64 = 14 + 20 + 8 + 12 + 4;

/// A packet of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packet {
    pub qp: u32,
    pub psn: u32,
    /// it has been sent before
    pub again: bool,
    /// bytes of payload
    pub payload: u32,
}

/// What a receiver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// everything up to `psn` has arrived
    Ack { qp: u32, psn: u32, credits: u8 },
    /// everything before `base`, and the range
    Range { qp: u32, base: u32, start: u32, length: u32 },
    /// this one has arrived
    Single { qp: u32, psn: u32 },
    /// the range is missing; everything before `base` has arrived
    Feedback { qp: u32, base: u32, start: u32, length: u32, edge: u32, status: u8, repeat: u8 },
    /// this one is missing, everything before has arrived
    Nak { qp: u32, psn: u32 },
}

impl Note {
    pub fn qp(&self) -> u32 {
        match *self {
            Note::Ack { qp, .. } | Note::Range { qp, .. } | Note::Single { qp, .. } | Note::Feedback { qp, .. } | Note::Nak { qp, .. } => {
                qp
            }
        }
    }
}

/// What the network carries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    Packet(Packet),
    Note(Note),
}

impl Carried for Thing {
    /// Those of the frame that it would be: AETH, range acknowledgement (0xc5), acknowledgement of an operation's packets (0xc3), feedback
    /// (0xc0).
    fn bytes(&self) -> u64 {
        HEADERS
            + match self {
                Thing::Packet(packet) => packet.payload.into(),
                Thing::Note(Note::Ack { .. } | Note::Nak { .. }) => 4,
                Thing::Note(Note::Range { .. }) => 12,
                Thing::Note(Note::Single { .. }) => 16,
                Thing::Note(Note::Feedback { .. }) => 28,
            }
    }

    fn flow(&self) -> u64 {
        match self {
            Thing::Packet(packet) => packet.qp.into(),
            Thing::Note(note) => note.qp().into(),
        }
    }
}
