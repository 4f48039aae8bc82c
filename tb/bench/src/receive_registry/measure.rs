//! Latency, throughput and counters of a run.

use super::{Params, expected_events};
use rdma_rtl_golden::decision::Line;
use rdma_rtl_golden::registry::{Event, Trace};
use std::collections::BTreeMap;

/// What a run measured. All times in clocks.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// from the first clock after reset
    pub cycles: u64,
    /// until the block took its first header: the tables clear themselves
    pub clear_cycles: u64,
    /// headers taken
    pub headers: u64,
    /// frames dropped for want of a payload slot
    pub no_slot: u64,
    /// clocks in which a header was offered and not taken, with nothing outside holding the block up
    pub stalls: u64,
    /// clocks from the first to the last header taken, both included
    pub header_span: u64,
    /// unstalled clocks from header to commit, smallest and largest
    pub latency: Option<(u64, u64)>,
    /// headers whose latency was held to the bound: nothing outside had held the block up for a while
    pub latency_checked: u64,
    /// commits per trace kind
    pub commits: [u64; 8],
    /// counter events by name
    pub events: BTreeMap<&'static str, u64>,
    /// most live operations and most packets waiting, as the golden model counts them
    pub high_water: (usize, usize),
    /// writes that the memory refused
    pub failed_writes: u64,
    /// decision lines, if they were asked for, in the order of their clocks
    pub lines: Vec<Line>,
}

impl Report {
    pub(super) fn count(&mut self, trace: Trace, events: &[Event]) {
        self.commits[trace as usize] += 1;
        for event in events {
            *self.events.entry(event.name()).or_default() += 1;
        }
    }

    /// Adds a later run of the same model. `header_span` and `lines` belong to one run and stay the first's.
    pub fn add(&mut self, other: &Report) {
        self.cycles += other.cycles;
        self.clear_cycles += other.clear_cycles;
        self.headers += other.headers;
        self.no_slot += other.no_slot;
        self.stalls += other.stalls;
        self.latency_checked += other.latency_checked;
        self.failed_writes += other.failed_writes;
        if let Some((low, high)) = other.latency {
            self.latency(low);
            self.latency(high);
        }
        for (sum, count) in self.commits.iter_mut().zip(other.commits) {
            *sum += count;
        }
        for (name, count) in &other.events {
            *self.events.entry(name).or_default() += count;
        }
        self.high_water = (self.high_water.0.max(other.high_water.0), self.high_water.1.max(other.high_water.1));
    }

    /// What a long run of the random mixture at `params` must have seen and this one has not: counter events and kinds of commit.
    pub fn unseen(&self, params: &Params) -> Vec<String> {
        let events = expected_events(params).into_iter().filter(|&event| self.event(event) == 0).map(|event| event.name().to_string());
        let commits = self.commits.iter().enumerate().filter(|(_, count)| **count == 0).map(|(kind, _)| format!("commits of kind {kind}"));
        let full = (self.high_water.0 < params.entries).then(|| format!("{} live entries", params.entries));
        let waiting = (self.high_water.1 < params.escape_slots).then(|| format!("{} waiting packets", params.escape_slots));
        events.chain(commits).chain(full).chain(waiting).collect()
    }

    pub(super) fn latency(&mut self, clocks: u64) {
        let (low, high) = self.latency.unwrap_or((clocks, clocks));
        self.latency = Some((low.min(clocks), high.max(clocks)));
    }

    /// How often `event` happened.
    pub fn event(&self, event: Event) -> u64 {
        self.events.get(event.name()).copied().unwrap_or(0)
    }
}
