//! Latency, throughput and counters of a run.

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

    pub(super) fn latency(&mut self, clocks: u64) {
        let (low, high) = self.latency.unwrap_or((clocks, clocks));
        self.latency = Some((low.min(clocks), high.max(clocks)));
    }

    /// How often `event` happened.
    pub fn event(&self, event: Event) -> u64 {
        self.events.get(event.name()).copied().unwrap_or(0)
    }
}
