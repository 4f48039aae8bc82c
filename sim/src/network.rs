//! The network between two ends: links that lose, repeat, delay, reorder, corrupt and mark frames, the same for the same seed.
//!
//! Time is in picoseconds and comes from outside: a bench multiplies its clock cycles by their length.
//! ```
//! use rdma_rtl_sim::network::{Config, Network, Side};
//! # fn main() -> Result<(), rdma_rtl_sim::network::ConfigError> {
//! let mut network = Network::new(&Config::default())?;
//! network.send(0, Side::A, vec![0; 1000]);
//! let there = network.next_arrival().unwrap_or_default();
//! assert_eq!(network.poll(there)[0].to, Side::B);
//! # Ok(()) }
//! ```
//!
//! Each way is a set of parallel paths. A frame waits in its path's queue (where it may be marked, or dropped because the queue is
//! full), occupies the link for as long as its bytes take, may be lost or duplicated, and each copy has its own corruption and delay.

mod chance;
mod config;
mod frame;
mod path;
#[cfg(test)]
mod tests;

pub use config::{Burst, Config, ConfigError, DelayChange, Ecn, Path, Spread, Way};
pub use frame::{Carried, ecn, flow, mark, path_id};

use chance::Dice;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    A = 0,
    B = 1,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// A frame, or whatever else is carried, that has come through.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival<F = Vec<u8>> {
    /// picoseconds
    pub at: u64,
    /// of all copies that the network has made, in the order in which their originals were sent
    number: u64,
    pub to: Side,
    pub frame: F,
    /// when it was sent: picoseconds
    pub sent: u64,
    pub path: usize,
    /// bits were flipped: a receiver whose link layer checks would drop it
    pub corrupted: bool,
    /// not the first copy
    pub duplicate: bool,
    /// by this network
    pub marked: bool,
}

/// What happened to the frames of one way or path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// given to the network
    pub sent: u64,
    pub lost_random: u64,
    pub lost_burst: u64,
    pub queue_dropped: u64,
    pub duplicated: u64,
    /// copies with flipped bits
    pub corrupted: u64,
    pub marked: u64,
    /// copies that came out
    pub delivered: u64,
    /// copies that came out after one that was sent later
    pub reordered: u64,
    /// most bytes that waited for a link
    pub most_queued: u64,
}

impl Stats {
    fn add(&mut self, other: &Stats) {
        self.sent += other.sent;
        self.lost_random += other.lost_random;
        self.lost_burst += other.lost_burst;
        self.queue_dropped += other.queue_dropped;
        self.duplicated += other.duplicated;
        self.corrupted += other.corrupted;
        self.marked += other.marked;
        self.delivered += other.delivered;
        self.reordered += other.reordered;
        self.most_queued = self.most_queued.max(other.most_queued);
    }
}

/// One way.
struct Lane {
    spread: Spread,
    paths: Vec<path::Path>,
    /// round robin: the next
    turn: usize,
    dice: Dice,
    /// highest number that came out
    newest: Option<u64>,
    delivered: u64,
    reordered: u64,
}

impl Lane {
    fn choose(&mut self, frame: &impl Carried) -> usize {
        let count = self.paths.len();
        let by = |number: u64| (number % count as u64) as usize;
        match self.spread {
            Spread::RoundRobin => {
                let turn = self.turn;
                self.turn = (turn + 1) % count;
                turn
            }
            Spread::Random => self.dice.below(count as u64) as usize,
            Spread::Flow => by(frame.flow()),
            Spread::PathId => by(frame.path_id()),
        }
    }
}

/// The network. It carries frames, or what a bench has instead of them.
pub struct Network<F = Vec<u8>> {
    lanes: [Lane; 2],
    on_the_way: BinaryHeap<Reverse<Arrival<F>>>,
    made: u64,
}

impl<F: Carried> Network<F> {
    /// A network with nothing on the way.
    /// # Errors
    /// A value of `config` is impossible: its key, what it is, and what is allowed.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        let lane = |side: u64, way: Way| {
            let numbered = way.path.into_iter().zip(side * config::PATHS..);
            let paths = numbered.map(|(path, number)| path::Path::new(path, config.seed, number)).collect();
            // the spread of a way has a stream of its own, behind those of the paths
            let dice = Dice::new(config.seed, u64::MAX - side);
            Lane { spread: way.spread, paths, turn: 0, dice, newest: None, delivered: 0, reordered: 0 }
        };
        let [forward, backward] = config.ways()?;
        let lanes = [lane(0, forward), lane(1, backward)];
        Ok(Network { lanes, on_the_way: BinaryHeap::new(), made: 0 })
    }

    /// The side `from` sends a frame, whose first bit leaves at `now` (picoseconds) at the earliest. Each side's times must not fall.
    pub fn send(&mut self, now: u64, from: Side, frame: F) {
        let lane = &mut self.lanes[from as usize];
        let path = lane.choose(&frame);
        for out in lane.paths[path].send(now, frame) {
            let path::Out { at, frame, corrupted, duplicate, marked } = out;
            let number = self.made;
            self.made += 1;
            let arrival = Arrival { at, number, to: from.other(), frame, sent: now, path, corrupted, duplicate, marked };
            self.on_the_way.push(Reverse(arrival));
        }
    }

    /// Everything that is there by `now` (picoseconds), earliest first.
    pub fn poll(&mut self, now: u64) -> Vec<Arrival<F>> {
        let mut there = Vec::new();
        while self.next_arrival().is_some_and(|at| at <= now) {
            let Some(Reverse(arrival)) = self.on_the_way.pop() else { break };
            let lane = &mut self.lanes[arrival.to.other() as usize];
            lane.delivered += 1;
            if lane.newest.is_some_and(|newest| newest > arrival.number) {
                lane.reordered += 1;
            } else {
                lane.newest = Some(arrival.number);
            }
            there.push(arrival);
        }
        there
    }

    /// When the next frame is there: picoseconds.
    pub fn next_arrival(&self) -> Option<u64> {
        self.on_the_way.peek().map(|Reverse(arrival)| arrival.at)
    }

    /// Frames on the way.
    pub fn in_flight(&self) -> usize {
        self.on_the_way.len()
    }

    /// What happened to the frames that `from` sent.
    pub fn stats(&self, from: Side) -> Stats {
        let lane = &self.lanes[from as usize];
        let mut all = Stats { delivered: lane.delivered, reordered: lane.reordered, ..Stats::default() };
        lane.paths.iter().for_each(|path| all.add(&path.stats));
        all
    }

    /// The same for each path. What came out is counted for the whole way only.
    pub fn path_stats(&self, from: Side) -> Vec<Stats> {
        self.lanes[from as usize].paths.iter().map(|path| path.stats).collect()
    }
}
