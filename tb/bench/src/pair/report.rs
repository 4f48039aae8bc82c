//! What came of a scenario of packets, in numbers.

use super::file::{Expect, Scenario, Scheme};
use super::watch::Watch;
use crate::scenario::{Latency, lost};
use rdma_rtl_sim::network::Stats;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that was counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub title: String,
    pub scheme: Scheme,
    pub seed: u64,
    pub profile: String,
    pub sender: &'static str,
    pub receiver: &'static str,
    /// packets of a window, gap records of a queue pair
    pub window: u32,
    pub records: usize,
    pub queue_pairs: u32,
    /// picoseconds of a clock
    pub clock: u64,
    pub clocks: u64,
    pub packets: u64,
    /// payload that was new at the receiver, over the time from the first to the last of it
    pub goodput_gbps: f64,
    pub retransmissions: u64,
    /// of packets of which a copy had been at the receiver or was on its way to it
    pub redundant: u64,
    /// copies that the network lost
    pub lost: u64,
    /// retransmissions for each of them
    pub per_lost: f64,
    /// packets that arrived again
    pub duplicates: u64,
    /// packets that arrived and that the receiver could not use
    pub dropped: u64,
    pub timeouts: u64,
    pub acknowledgements: u64,
    pub feedback: u64,
    /// from the sender to the receiver
    pub forward: Stats,
    pub backward: Stats,
    /// of flows, until their sender knew
    pub latency: Latency,
    pub sender_counters: BTreeMap<String, u64>,
    pub receiver_counters: BTreeMap<String, u64>,
}

impl Report {
    /// Names for `expect.bounds`.
    pub const NUMBERS: [&str; 19] = [
        "clocks",
        "packets",
        "goodput_gbps",
        "retransmissions",
        "redundant",
        "lost",
        "per_lost",
        "duplicates",
        "dropped",
        "timeouts",
        "acknowledgements",
        "feedback",
        "acknowledgements_lost",
        "reordered",
        "duplicated",
        "misjudged",
        "gaps",
        "folded",
        "latency_p99_ns",
    ];

    pub(super) fn new(scenario: &Scenario, sizes: (u32, usize), clocks: u64, watch: &Watch, network: [Stats; 2]) -> Report {
        let counts = &watch.counts;
        let [new, duplicates, dropped] = counts.verdicts;
        let nanoseconds = watch.span.map_or(0, |(first, last)| last - first) as f64 * scenario.clock() as f64 / 1000.0;
        let losses = lost(&network[0]);
        // the first packet begins the time
        let bits = new.saturating_sub(1) as f64 * f64::from(scenario.traffic.payload) * 8.0;
        let hardware = scenario.scheme == Scheme::Bitmap;
        let engine = |engine: crate::scenario::Engine| if hardware { engine.name() } else { "golden" };
        Report {
            title: scenario.title.clone(),
            scheme: scenario.scheme,
            seed: scenario.seed,
            profile: scenario.profile.clone(),
            sender: engine(scenario.sender.engine),
            receiver: engine(scenario.receiver.engine),
            window: sizes.0,
            records: sizes.1,
            queue_pairs: scenario.traffic.queue_pairs,
            clock: scenario.clock(),
            clocks,
            packets: new,
            goodput_gbps: if nanoseconds > 0.0 { bits / nanoseconds } else { 0.0 },
            retransmissions: counts.again,
            redundant: counts.redundant,
            lost: losses,
            per_lost: if losses > 0 { counts.again as f64 / losses as f64 } else { 0.0 },
            duplicates,
            dropped,
            timeouts: counts.timeouts,
            acknowledgements: counts.acknowledgements,
            feedback: counts.feedback,
            forward: network[0],
            backward: network[1],
            latency: Latency::new("flows", &watch.flows, scenario.clock()),
            sender_counters: BTreeMap::new(),
            receiver_counters: BTreeMap::new(),
        }
    }

    /// A number by its name; 0 for one that was never counted.
    pub fn number(&self, name: &str) -> f64 {
        match name {
            "clocks" => self.clocks as f64,
            "packets" => self.packets as f64,
            "goodput_gbps" => self.goodput_gbps,
            "retransmissions" => self.retransmissions as f64,
            "redundant" => self.redundant as f64,
            "lost" => self.lost as f64,
            "per_lost" => self.per_lost,
            "duplicates" => self.duplicates as f64,
            "dropped" => self.dropped as f64,
            "timeouts" => self.timeouts as f64,
            "acknowledgements" => self.acknowledgements as f64,
            "feedback" => self.feedback as f64,
            "acknowledgements_lost" => lost(&self.backward) as f64,
            "reordered" => self.forward.reordered as f64,
            "duplicated" => self.forward.duplicated as f64,
            "latency_p99_ns" => self.latency.p99,
            _ => self.receiver_counters.get(name).copied().unwrap_or(0) as f64,
        }
    }

    /// What is not as expected, one sentence each.
    pub fn judge(&self, expect: &Expect) -> Vec<String> {
        crate::scenario::judge_bounds(&expect.bounds, |name| self.number(name))
    }
}

pub(super) fn check(expect: &Expect) -> Result<(), String> {
    crate::scenario::check_bounds(&expect.bounds, &Report::NUMBERS)
}
