//! The two ends and the network between them, clock by clock.

use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_sim::network::{Network, Side};
use std::collections::BTreeMap;
use std::ops::Range;

/// Frames that an end has given to the wire, each with the clock in which its first bit left.
pub type Frames = Vec<(u64, Vec<u8>)>;

/// What both ends have in common. Times are clocks from the start of the scenario; an error is one sentence that ends the run.
pub trait End {
    /// Everything that happens up to and with clock `clock`. May end later, where software had to wait for a register.
    /// # Errors
    /// A rule of a bus or of the contract was broken.
    fn run_to(&mut self, clock: u64) -> Result<(), String>;

    /// Clock at which something happens by itself: what runs clock by clock gives the next one. `None`: nothing will.
    fn next(&self) -> Option<u64>;

    /// A frame is there in full, at `clock` or before, up to which everything else has happened. `corrupted`: the network flipped bits of
    /// it, so that it may be dropped.
    /// # Errors
    /// It is not read as it was meant, though nobody has touched it.
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String>;

    /// Frames since the last call, in order.
    fn transmit(&mut self) -> Frames;

    /// Nothing is under way, as far as can be seen without asking.
    fn idle(&self) -> bool;

    /// At the end of a run: every table is empty, nothing is owed, no rule was broken.
    /// # Errors
    /// What is left.
    fn finish(&mut self) -> Result<(), String>;

    /// Counters by the names of the contract, without those that are zero.
    /// # Errors
    /// They cannot be read.
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String>;
}

/// The end that commands are posted to. Its memory holds [`source`](super::source) at every address of [`SOURCES`](super::SOURCES).
pub trait Sender: End {
    /// Offers a command at `clock`, up to which everything else has happened; whether it was taken.
    /// # Errors
    /// As [`End::run_to`].
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String>;

    /// What the host was told since the last call.
    /// # Errors
    /// As [`End::run_to`].
    fn completions(&mut self) -> Result<Vec<Completion>, String>;

    /// Data arrivals that were given up since the start, as software reads them once no command is under way; `None`: one is, or it was
    /// asked a moment ago. The completion does not tell of them, for it does not wait.
    /// # Errors
    /// As [`End::run_to`].
    fn given_up(&mut self) -> Result<Option<u64>, String>;
}

/// What the receiver's host was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// a data arrival; else an operation ended
    pub arrival: bool,
    pub base: u64,
    pub bytes: u32,
    pub status: u8,
    pub imm: Option<u32>,
}

/// The end whose memory is written.
pub trait Receiver: End {
    /// Memory of `bytes` zeros at `base`, with guard bytes around; once, before everything else.
    fn furnish(&mut self, base: u64, bytes: usize);

    /// Writes to these addresses are answered with an error, without effect.
    fn fail(&mut self, addresses: Range<u64>);

    /// What is in memory; `None` where there is none.
    fn memory(&self, address: u64, bytes: usize) -> Option<&[u8]>;

    /// Software puts bytes there.
    fn put(&mut self, address: u64, bytes: &[u8]);

    /// What the host was told since the last call.
    /// # Errors
    /// As [`End::run_to`].
    fn completions(&mut self) -> Result<Vec<Told>, String>;
}

/// A sender and a receiver with a network between them.
pub struct Ends<'a> {
    pub sender: &'a mut dyn Sender,
    pub receiver: &'a mut dyn Receiver,
    pub network: Network,
    /// picoseconds of a clock
    pub clock: u64,
    now: u64,
}

impl<'a> Ends<'a> {
    /// Both at clock 0.
    pub fn new(sender: &'a mut dyn Sender, receiver: &'a mut dyn Receiver, network: Network, clock: u64) -> Self {
        Ends { sender, receiver, network, clock, now: 0 }
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    /// Everything that happens in this clock: frames arrive, both ends go on, frames leave. `lost` says of a frame, of its side and the
    /// clock in which its first bit left, that it never arrives.
    /// # Errors
    /// As [`End::run_to`].
    pub fn step(&mut self, lost: &mut dyn FnMut(Side, u64, &[u8]) -> bool) -> Result<(), String> {
        for arrival in self.network.poll(self.now * self.clock) {
            match arrival.to {
                Side::A => self.sender.receive(self.now, arrival.frame, arrival.corrupted),
                Side::B => self.receiver.receive(self.now, arrival.frame, arrival.corrupted),
            }?;
        }
        self.sender.run_to(self.now)?;
        self.receiver.run_to(self.now)?;
        for (side, frames) in [(Side::A, self.sender.transmit()), (Side::B, self.receiver.transmit())] {
            for (clock, frame) in frames {
                if !lost(side, clock, &frame) {
                    self.network.send(clock * self.clock, side, frame);
                }
            }
        }
        Ok(())
    }

    /// Goes on to the next clock at which anything happens, `other` included; false: nothing will.
    pub fn advance(&mut self, other: Option<u64>) -> bool {
        let arrival = self.network.next_arrival().map(|at| at.div_ceil(self.clock));
        match [self.sender.next(), self.receiver.next(), arrival, other].into_iter().flatten().min() {
            Some(next) => {
                self.now = next.max(self.now + 1);
                true
            }
            None => false,
        }
    }

    /// Nothing is under way.
    pub fn idle(&self) -> bool {
        self.sender.idle() && self.receiver.idle() && self.network.in_flight() == 0
    }
}
