//! What a run is made of.

use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::registry::{Config, Header, Params, Region};
use std::ops::RangeInclusive;

/// When something is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// not before this clock, counted from the first in which the block took headers
    At(u64),
    /// this many idle clocks after the one before was taken
    After(u64),
}

/// What is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// a header for the block
    Header(Header),
    /// nothing for the block: a line for the decision file, in its place
    Line(Decision),
}

/// One item of stimulus, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// 0-based number of the frame; its low 16 bits are the header's tag
    pub frame: u64,
    pub when: When,
    pub what: What,
}

/// Back-pressure on each output: percent of clocks not ready, 0-99, in bursts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    pub verdict: u8,
    pub write: u8,
    pub slot_free: u8,
    pub complete: u8,
    pub notify: u8,
    /// clocks between changes from stalling to not stalling and back; 0: stalling all the time
    pub breathe: u64,
}

impl Stall {
    /// The same on every output.
    pub fn all(percent: u8) -> Stall {
        Stall { verdict: percent, write: percent, slot_free: percent, complete: percent, notify: percent, breathe: 0 }
    }
}

/// The memory that answers payload writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// clocks from write to answer, drawn for each write; answers pass each other
    pub latency: RangeInclusive<u64>,
    /// failed writes in 1000
    pub fail_permille: u32,
    /// frames whose write fails
    pub failing: Vec<u64>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { latency: 16..=16, fail_permille: 0, failing: Vec::new() }
    }
}

/// How a run is done.
#[derive(Clone, Debug)]
pub struct Options {
    pub config: Config,
    pub regions: Vec<Region>,
    /// of stalls and memory; stimulus has its own
    pub seed: u64,
    pub stall: Stall,
    pub memory: Memory,
    /// a frame that finds no payload slot is dropped; otherwise it waits
    pub drop_without_slot: bool,
    /// the bounds hold however long the memory takes: writes under way are no excuse
    pub strict: bool,
    /// unstalled clocks from header accepted to verdict, at most
    pub latency: u64,
    /// keep decision lines in the report
    pub log: bool,
    /// clocks to go on at most after the last header, until every packet has its verdict and every operation its end
    pub drain: u64,
    /// the command that repeats this run, for the failure report
    pub replay: String,
}

impl Options {
    /// Nothing stalls, memory answers after 16 clocks, registers at their defaults.
    pub fn new(params: &Params) -> Options {
        Options {
            config: Config::defaults(params),
            regions: Vec::new(),
            seed: 0,
            stall: Stall::default(),
            memory: Memory::default(),
            drop_without_slot: false,
            strict: false,
            latency: if params.entries <= 16 { 4 } else { 6 },
            log: false,
            drain: 100_000,
            replay: String::new(),
        }
    }
}
