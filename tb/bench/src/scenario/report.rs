//! What came of a scenario, in numbers.

use super::file::{Scenario, Transport};
use super::golden_sender::{OVERHEAD, SenderParams};
use super::hosts::Hosts;
use rdma_rtl_sim::network::Stats;
use serde::Serialize;
use std::collections::BTreeMap;

/// Bytes of a packet before its payload: Ethernet, IPv4, UDP, BTH, RETH; and the ICRC behind it.
const HEADERS: usize = 14 + 20 + 8 + 12 + 16 + 4;
/// Bytes of OpETH.
const OP_ETH: u64 = 8;

/// How long commands of a kind took, from the post to the completion at the sender's host, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    pub name: String,
    pub commands: u64,
    pub least: f64,
    pub mean: f64,
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub p999: f64,
    pub most: f64,
    /// every one, sorted
    #[serde(skip)]
    pub all: Vec<f64>,
}

impl Latency {
    /// Of `clocks`, each `clock` picoseconds.
    pub fn new(name: &str, clocks: &[u64], clock: u64) -> Latency {
        let mut all: Vec<f64> = clocks.iter().map(|&clocks| clocks as f64 * clock as f64 / 1000.0).collect();
        all.sort_unstable_by(f64::total_cmp);
        // the smallest that so many are not above
        let at = |part: f64| all.get(((all.len() as f64 * part).ceil() as usize).max(1) - 1).copied().unwrap_or(0.0);
        Latency {
            name: name.to_string(),
            commands: all.len() as u64,
            least: at(0.0),
            mean: if all.is_empty() { 0.0 } else { all.iter().sum::<f64>() / all.len() as f64 },
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p999: at(0.999),
            most: at(1.0),
            all,
        }
    }
}

/// Everything that was counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub title: String,
    pub seed: u64,
    pub profile: String,
    pub sender: &'static str,
    pub receiver: &'static str,
    /// picoseconds of a clock
    pub clock: u64,
    /// from the first post to the last completion
    pub clocks: u64,
    pub commands: u64,
    pub completed: u64,
    pub failed: u64,
    /// failures by status
    pub statuses: BTreeMap<u8, u64>,
    /// of completed commands
    pub bytes: u64,
    /// bytes of completed commands over the time from the first post to the last completion
    pub goodput_gbps: f64,
    /// bytes of the commands that complete after a tenth of all commands has, until nine tenths have, over that time; 0 where that is no
    /// time
    pub steady_gbps: f64,
    pub queue_pairs: u16,
    /// Jain's index of what the queue pairs had meanwhile
    pub fairness: f64,
    /// what of the sender's rate is payload in full packets
    pub wire_gbps: f64,
    /// bytes of the frame of a full packet, with preamble, frame check sequence and gap
    pub frame_bytes: u64,
    /// payload bytes of a full packet
    pub packet_bytes: u64,
    /// from the sender to the receiver
    pub forward: Stats,
    pub backward: Stats,
    /// frames that left while the network was cut
    pub blackout: u64,
    pub latency: Vec<Latency>,
    pub sender_counters: BTreeMap<String, u64>,
    pub receiver_counters: BTreeMap<String, u64>,
}

impl Report {
    /// Names for `expect.bounds`.
    pub const NUMBERS: [&str; 24] = [
        "clocks",
        "bytes",
        "goodput_gbps",
        "steady_gbps",
        "steady_of_wire",
        "fairness",
        "frames",
        "lost",
        "duplicated",
        "reordered",
        "corrupted",
        "acknowledgement_frames",
        "acknowledgements_lost",
        "retransmissions",
        "timeouts",
        "nacks",
        "arrivals_failed",
        "duplicate_acks",
        "escaped",
        "replayed",
        "selective_retransmissions",
        "bitmap_timeouts",
        "feedback_messages",
        "latency_p99_ns",
    ];

    pub(super) fn new(scenario: &Scenario, hosts: &Hosts, network: [Stats; 2], blackout: u64, sender: &SenderParams) -> Report {
        let (bytes, completed) = hosts.completed();
        let gbps = |(bytes, clocks): (u64, u64)| {
            let nanoseconds = clocks as f64 * scenario.clock() as f64 / 1000.0;
            if nanoseconds > 0.0 { bytes as f64 * 8.0 / nanoseconds } else { 0.0 }
        };
        let packet = u64::from(sender.splitter.packet_size);
        let frame = packet + (HEADERS + OVERHEAD) as u64 + if scenario.transport == Transport::Bitmap { 0 } else { OP_ETH };
        let kinds = scenario.commands.iter().zip(hosts.latencies());
        Report {
            title: scenario.title.clone(),
            seed: scenario.seed,
            profile: scenario.profile.clone(),
            sender: scenario.sender.engine.name(),
            receiver: scenario.receiver.engine.name(),
            clock: scenario.clock(),
            clocks: hosts.span(),
            commands: hosts.progress().1,
            completed,
            failed: hosts.statuses().values().sum(),
            statuses: hosts.statuses().clone(),
            bytes,
            goodput_gbps: gbps((bytes, hosts.span())),
            steady_gbps: gbps(hosts.steady()),
            queue_pairs: scenario.queue_pairs,
            fairness: hosts.fairness(),
            wire_gbps: 8000.0 / sender.byte * packet as f64 / frame as f64,
            frame_bytes: frame,
            packet_bytes: packet,
            forward: network[0],
            backward: network[1],
            blackout,
            latency: kinds.map(|(group, clocks)| Latency::new(&group.name, clocks, scenario.clock())).collect(),
            sender_counters: BTreeMap::new(),
            receiver_counters: BTreeMap::new(),
        }
    }

    /// A number by its name; 0 for one that was never counted.
    pub fn number(&self, name: &str) -> f64 {
        let of = |counters: &BTreeMap<String, u64>| counters.get(name).copied().unwrap_or(0) as f64;
        match name {
            "clocks" => self.clocks as f64,
            "bytes" => self.bytes as f64,
            "goodput_gbps" => self.goodput_gbps,
            "steady_gbps" => self.steady_gbps,
            "steady_of_wire" => self.steady_gbps / self.wire_gbps,
            "fairness" => self.fairness,
            "frames" => self.forward.sent as f64,
            "lost" => lost(&self.forward) as f64,
            "duplicated" => (self.forward.duplicated + self.backward.duplicated) as f64,
            "reordered" => (self.forward.reordered + self.backward.reordered) as f64,
            "corrupted" => (self.forward.corrupted + self.backward.corrupted) as f64,
            "acknowledgement_frames" => self.backward.sent as f64,
            "acknowledgements_lost" => lost(&self.backward) as f64,
            "latency_p99_ns" => self.latency.iter().map(|latency| latency.p99).fold(0.0, f64::max),
            "escaped" | "replayed" | "feedback_messages" => of(&self.receiver_counters),
            _ => of(&self.sender_counters),
        }
    }
}

/// Frames that the network did not deliver.
pub fn lost(stats: &Stats) -> u64 {
    stats.lost_random + stats.lost_burst + stats.queue_dropped
}
