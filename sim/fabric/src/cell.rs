//! One cell of the matrix with one seed: a job.

use super::flows::{Workload, poisson};
use super::link::{Ecn, Loss};
use super::net::{Control, FAR, NEAR, Net, Sample, Shape};
use super::{MICRO, SECOND, per_byte};
use rdma_rtl_golden::congestion::dcqcn;
use rdma_rtl_golden::lr2::card::Config as Card;
use rdma_rtl_golden::lr2::code;
use rdma_rtl_golden::lr2::depot::Depot;
use rdma_rtl_golden::lr2::packet::{BTH, FRAME};
use rdma_rtl_golden::lr2::params::{self, DepotConfig, DepotParams, SentryConfig, SentryParams};
use rdma_rtl_golden::lr2::sentry::Sentry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How losses are recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    GoBackN,
    /// ideal selective repeat
    Ideal,
    /// both boxes, cards as they are
    Lr2,
    /// both boxes, cards that know a NAK of theirs
    Aware,
    Probe,
    /// what is known of the paper's boxes
    Paper,
    /// replays pass whole
    NoFilter,
    NoBackup,
    SentryOnly,
    /// a copy of every packet
    FullCopy,
    /// EC(32,8) on the long haul
    Code,
}

impl Variant {
    pub const ALL: [Variant; 11] = [
        Variant::GoBackN,
        Variant::Ideal,
        Variant::Lr2,
        Variant::Aware,
        Variant::Paper,
        Variant::Probe,
        Variant::NoFilter,
        Variant::NoBackup,
        Variant::SentryOnly,
        Variant::FullCopy,
        Variant::Code,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Variant::GoBackN => "Go-Back-N",
            Variant::Ideal => "ideal selective repeat",
            Variant::Lr2 => "LR2 standard",
            Variant::Aware => "LR2 aware",
            Variant::Probe => "LR2 with probe",
            Variant::Paper => "paper",
            Variant::NoFilter => "no filter",
            Variant::NoBackup => "no backup",
            Variant::SentryOnly => "Sentry only",
            Variant::FullCopy => "full copy",
            Variant::Code => "EC(32,8)",
        }
    }
}

/// Everything that decides a job's result but the seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub hosts: usize,
    pub host_rate: u64,
    pub haul_rate: u64,
    /// microseconds: one way of the long haul, round trip inside a data centre
    pub delay: u64,
    pub local: u64,
    pub loss: f64,
    /// mean length of a burst of losses, 0: they are independent
    pub burst: f64,
    pub local_loss: f64,
    pub workload: Workload,
    pub load: f64,
    pub flows: usize,
    pub variant: Variant,
    /// slots of the reordering pool and of the backup pool
    pub slots: usize,
    pub backups: usize,
    /// `renack` in long-haul round trips, 0: off
    pub renack: u64,
    pub dcqcn: bool,
    /// a NAK is a try of the card as a time-out is
    pub counts_naks: bool,
    /// the Sentry as the contract has it: no `follow`, and marks of packets that it drops are lost
    pub literal: bool,
}

impl Cell {
    /// The topology of the core matrix: four hosts on each side, 10 Gb/s everywhere, Websearch.
    pub fn core(variant: Variant, delay: u64, loss: f64, load: f64) -> Cell {
        let rate = 10_000_000_000;
        Cell {
            hosts: 4,
            host_rate: rate,
            haul_rate: rate,
            delay,
            local: 20,
            loss,
            burst: 0.0,
            local_loss: 0.0,
            workload: Workload::Websearch,
            load,
            flows: 2000,
            variant,
            // four times the bandwidth-delay product at 400 us: a lost retransmission is found after two round trips more
            slots: 4096,
            backups: 48,
            renack: 2,
            dcqcn: true,
            counts_naks: false,
            literal: false,
        }
    }

    /// Round trip from card to card with nothing in queues, picoseconds.
    pub fn round_trip(&self) -> u64 {
        2 * (self.delay + self.local) * MICRO
    }

    /// 4.096 us x 2^n of at least four round trips.
    pub fn timeout(&self) -> u64 {
        (0..32).map(|n| 4_096_000_u64 << n).find(|&timeout| timeout >= 4 * self.round_trip()).unwrap_or(u64::MAX)
    }

    pub fn card(&self) -> Card {
        Card {
            timeout: self.timeout(),
            aware: matches!(self.variant, Variant::Aware | Variant::Paper),
            counts_naks: self.counts_naks,
            flags: self.variant == Variant::Paper,
            cnp: if self.dcqcn { 50 * MICRO } else { 0 },
            ..Card::default()
        }
    }

    pub fn shape(&self) -> Shape {
        let loss = |mean: f64, burst: f64| match (mean, burst) {
            (0.0, _) => Loss::None,
            (mean, 0.0) => Loss::Random(mean),
            (mean, length) => Loss::Bursts { mean, length },
        };
        // thresholds of the published simulator's configuration, 100 and 400 KB at 25 Gb/s, in proportion
        let scaled = |kilobytes: u64| kilobytes * 1000 * self.haul_rate / 25_000_000_000;
        let ecn = Ecn { least: scaled(100), most: scaled(400), share: 0.2 };
        Shape {
            hosts: self.hosts,
            host_rate: self.host_rate,
            haul_rate: self.haul_rate,
            local: self.local * MICRO,
            delay: self.delay * MICRO,
            haul_loss: loss(self.loss, self.burst),
            local_loss: loss(self.local_loss, 0.0),
            buffer: 4_000_000,
            ecn: self.dcqcn.then_some(ecn),
            box_queue: self.variant == Variant::Code,
        }
    }

    pub fn depot(&self) -> Result<Depot, String> {
        let paper = self.variant == Variant::Paper;
        let backups = match self.variant {
            Variant::NoBackup => 0,
            Variant::FullCopy => 1 << 20,
            _ => self.backups,
        };
        let params = DepotParams {
            flows: 1024,
            slots: self.slots,
            backups,
            reach: 16384,
            segments: 1 << 16,
            variant: if paper { params::Variant::Paper } else { params::Variant::Ours },
            fault: None,
        };
        let pace = |rate: u64| per_byte(rate) << 16;
        let config = DepotConfig {
            renack: if paper { 0 } else { self.renack * 2 * self.delay * MICRO },
            retry: 2 * self.local * MICRO,
            reack: self.local * MICRO,
            pace: pace(self.host_rate),
            flow_pace: pace(self.host_rate),
            line: pace(self.haul_rate),
            ..DepotConfig::default()
        };
        Depot::new(params, config)
    }

    pub fn sentry(&self) -> Result<Sentry, String> {
        let paper = self.variant == Variant::Paper;
        let variant = if paper { params::Variant::Paper } else { params::Variant::Ours };
        let params = SentryParams { flows: 1024, bits: 16384, variant, fault: None };
        let config = SentryConfig {
            local: 10 * self.local * MICRO,
            filter: 3 * 2 * self.delay * MICRO,
            renack: 2 * self.local * MICRO,
            probe: if self.variant == Variant::Probe { 5 * self.local * MICRO } else { 0 },
            unfiltered: self.variant == Variant::NoFilter,
            idle: 0,
            follow: !self.literal,
            cnp: if self.literal { 0 } else { 50 * MICRO },
            spare: 0,
        };
        Sentry::new(params, config)
    }

    /// The network of this cell, its flows waiting.
    /// # Errors
    /// A parameter that cannot be.
    pub fn net(&self, seed: u64) -> Result<Net, String> {
        let mut net = Net::new(self.shape(), seed);
        match self.variant {
            Variant::GoBackN | Variant::Ideal => {}
            Variant::SentryOnly => net.boxes[NEAR] = Box::new(self.sentry()?),
            Variant::Code => {
                let (encoder, decoder) = code::ends(20 * MICRO, 200 * MICRO);
                (net.boxes[NEAR], net.boxes[FAR]) = (Box::new(encoder), Box::new(decoder));
            }
            _ => (net.boxes[NEAR], net.boxes[FAR]) = (Box::new(self.sentry()?), Box::new(self.depot()?)),
        }
        // arrivals are the same for all variants
        let specs = poisson(self.workload, self.flows, self.hosts, self.load, self.haul_rate, seed);
        let line = self.host_rate as f64;
        let control = if self.dcqcn { Control::Dcqcn(dcqcn::Config::published(line, SECOND as f64)) } else { Control::Fixed };
        net.load(&specs, self.card(), self.variant == Variant::Ideal, control);
        Ok(net)
    }

    /// Runs the job.
    /// # Errors
    /// A parameter that cannot be, or a card that took what was not due.
    pub fn run(&self, seed: u64) -> Result<Outcome, String> {
        let mut net = self.net(seed)?;
        let last = net.flows.iter().map(|flow| flow.start).max().unwrap_or(0);
        let over = net.run(last)?;
        let delivered_at_last = net.delivered();
        if !over {
            net.run(last + 100 * SECOND)?;
        }
        self.outcome(&net, last, delivered_at_last, seed)
    }

    /// Runs it with the bytes of the Depot's pools sampled.
    /// # Errors
    /// As `run`.
    pub fn sampled(&self, seed: u64, every: u64, until: u64) -> Result<Vec<Sample>, String> {
        let mut net = self.net(seed)?;
        net.sample(every);
        net.run(until)?;
        Ok(net.samples)
    }

    fn outcome(&self, net: &Net, last: u64, delivered_at_last: u64, seed: u64) -> Result<Outcome, String> {
        let micro = |from: u64, to: u64| (to - from) as f64 / MICRO as f64;
        let (mut outcome, mut unique) = (Outcome { cell: *self, seed, ..Outcome::empty(*self) }, 0);
        for flow in &net.flows {
            let (beyond, naks, duplicates, wrong) = flow.receiver.seen();
            if wrong != 0 {
                return Err(format!("seed {seed}: a receiving card took {wrong} packets that were not due"));
            }
            if flow.sender.done() > flow.receiver.done() {
                return Err(format!("seed {seed}: a sending card believes in more than has arrived"));
            }
            let (sent, resent, timeouts) = flow.sender.sent();
            outcome.sent += sent;
            outcome.resent += resent;
            outcome.timeouts += timeouts;
            outcome.card_beyond += beyond;
            outcome.card_naks += naks;
            outcome.card_duplicates += duplicates;
            outcome.cnps += flow.receiver.cnps();
            unique += flow.bytes.min(flow.receiver.done() * u64::from(flow.payload)) + flow.receiver.done() * u64::from(FRAME + BTH);
            outcome.packets += flow.receiver.done();
            outcome.payload += flow.bytes;
            outcome.unfinished += u64::from(flow.received.is_none() || flow.acknowledged.is_none());
            outcome.failed += u64::from(flow.sender.failed());
            outcome.bytes.push(flow.bytes);
            outcome.received.push(flow.received.map(|at| micro(flow.start, at)));
            outcome.acknowledged.push(flow.acknowledged.map(|at| micro(flow.start, at)));
        }
        let haul = &net.links[net.haul[0]].stats;
        outcome.haul_packets = haul.packets;
        outcome.haul_lost = haul.lost;
        outcome.haul_bytes = haul.bytes;
        outcome.efficiency = unique as f64 / haul.bytes as f64;
        outcome.seconds = net.now as f64 / SECOND as f64;
        outcome.utilisation = delivered_at_last as f64 * 8.0 / (last as f64 / SECOND as f64) / self.haul_rate as f64;
        outcome.overflows = net.stats.overflows;
        outcome.marks = net.stats.marks;
        outcome.events = net.stats.packets;
        let named = |at: usize| net.boxes[at].counters().into_iter().map(|(name, count)| (name.to_string(), count)).collect();
        (outcome.near, outcome.far) = (named(NEAR), named(FAR));
        Ok(outcome)
    }
}

/// What came of a job. Times of flows are in microseconds; what has not finished has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub cell: Cell,
    pub seed: u64,
    pub packets: u64,
    pub payload: u64,
    pub unfinished: u64,
    pub failed: u64,
    pub sent: u64,
    pub resent: u64,
    pub timeouts: u64,
    /// what the receiving cards still see of losses
    pub card_beyond: u64,
    pub card_naks: u64,
    pub card_duplicates: u64,
    pub cnps: u64,
    pub haul_packets: u64,
    pub haul_lost: u64,
    pub haul_bytes: u64,
    /// bytes of packets that arrived, each once, per byte on the long haul
    pub efficiency: f64,
    /// payload that had arrived when the last flow began, per bit that the long haul could have carried until then
    pub utilisation: f64,
    pub seconds: f64,
    pub overflows: u64,
    pub marks: u64,
    pub events: u64,
    pub near: BTreeMap<String, u64>,
    pub far: BTreeMap<String, u64>,
    pub bytes: Vec<u64>,
    pub received: Vec<Option<f64>>,
    pub acknowledged: Vec<Option<f64>>,
}

impl Outcome {
    fn empty(cell: Cell) -> Outcome {
        Outcome {
            cell,
            seed: 0,
            packets: 0,
            payload: 0,
            unfinished: 0,
            failed: 0,
            sent: 0,
            resent: 0,
            timeouts: 0,
            card_beyond: 0,
            card_naks: 0,
            card_duplicates: 0,
            cnps: 0,
            haul_packets: 0,
            haul_lost: 0,
            haul_bytes: 0,
            efficiency: 0.0,
            utilisation: 0.0,
            seconds: 0.0,
            overflows: 0,
            marks: 0,
            events: 0,
            near: BTreeMap::new(),
            far: BTreeMap::new(),
            bytes: Vec::new(),
            received: Vec::new(),
            acknowledged: Vec::new(),
        }
    }
}
