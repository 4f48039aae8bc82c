//! Scenarios: commands through a sender, a network and a receiver, as a TOML file describes them, with everything checked on the way.
//!
//! ```text
//! File ── Scenario ──▶ Ends { Sender ⇄ Network ⇄ Receiver } ◀──▶ Hosts (posts, completions, memory) ──▶ Report ──▶ Expect
//! ```
//!
//! Each end is a trait: a golden model or a verilated top. What is checked does not know which.

mod combined;
mod ends;
mod expect;
pub(crate) mod file;
mod golden_bitmap_receiver;
mod golden_memory;
mod golden_receiver;
mod golden_sender;
mod hosts;
mod report;
mod run;
mod traffic;
mod verilated_receiver;
mod verilated_sender;

pub use ends::{End, Ends, Frames, Receiver, Sender, Told};
pub use expect::{Expect, Outcome, Range};
pub(crate) use expect::{check_bounds, judge_bounds};
pub use file::{Blackout, Distribution, Engine, Error, Faults, Group, Process, ReceiverSide, Scenario, SenderSide, SetUp, Top, Transport};
pub use golden_bitmap_receiver::GoldenBitmapReceiver;
pub use golden_receiver::GoldenReceiver;
pub use golden_sender::{GoldenSender, SenderParams};
pub use hosts::Hosts;
pub use report::{Latency, Report, lost};
pub use run::{Parts, run};
pub use traffic::{Post, SOURCES, posts, source};
pub use verilated_receiver::{Registers, VerilatedReceiver};
pub use verilated_sender::VerilatedSender;
