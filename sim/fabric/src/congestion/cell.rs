//! One case with one rule set and one seed: a job.

use super::ends::{Pair, Scheme};
use super::network::{Competitor, Network, Shape};
use super::{CLOCK, HERTZ};
use crate::link::Ecn;
use crate::stats::quantile;
use crate::{MICRO, SECOND, per_byte};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::dcqcn;
use rdma_rtl_golden::congestion::degree::DegreeConfig;
use rdma_rtl_golden::congestion::rate::{Rate, Window};
use rdma_rtl_golden::congestion::receiver::ReceiverConfig;
use rdma_rtl_golden::congestion::rules::{DelayRule, DepthRule, LevelRule, Rules};
use rdma_rtl_golden::congestion::sender::{Recovery, Settings};
use rdma_rtl_golden::lr2::card::Config as Card;
use rdma_rtl_golden::lr2::packet::{BTH, FRAME};
use serde::Serialize;

/// What the senders do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleSet {
    /// CETH, rule (1)
    Level,
    /// CETH, rule (2)
    Depth,
    /// CETH, rule (3)
    Delay,
    /// as cards have it, a rise every 900 us
    Dcqcn900,
    /// a rise every 55 us
    Dcqcn55,
    /// a rise every 55 us; cuts, steps of alpha and CNPs no closer than the round trip
    DcqcnRoundTrip,
    /// full rate whatever happens
    None,
}

impl RuleSet {
    pub const ALL: [RuleSet; 7] =
        [RuleSet::Level, RuleSet::Depth, RuleSet::Delay, RuleSet::Dcqcn900, RuleSet::Dcqcn55, RuleSet::DcqcnRoundTrip, RuleSet::None];

    pub fn name(self) -> &'static str {
        match self {
            RuleSet::Level => "CETH (1) level",
            RuleSet::Depth => "CETH (2) depth",
            RuleSet::Delay => "CETH (3) delay",
            RuleSet::Dcqcn900 => "DCQCN 900 us",
            RuleSet::Dcqcn55 => "DCQCN 55 us",
            RuleSet::DcqcnRoundTrip => "DCQCN 55 us, round trip",
            RuleSet::None => "none",
        }
    }
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Senders that together fill 95 % of the bottleneck, and a competitor of 60 % that starts at 200 us and stops 500 us later.
    Burst { senders: usize },
    /// Senders of 25 Gb/s each begin within 100 us and send 50 MB each; the bottleneck is far away.
    Incast { senders: usize },
}

/// The bottleneck, bits a second.
pub const BOTTLENECK: u64 = 100_000_000_000;
const BURST_START: u64 = 200 * MICRO;
const BURST_STOP: u64 = 700 * MICRO;
/// End of a burst case: time enough for the slowest recovery.
const HORIZON: u64 = 20_000 * MICRO;
const INCAST_BYTES: u64 = 50_000_000;

/// Everything that decides a job's result but the seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    pub case: Case,
    pub rules: RuleSet,
    /// payload bytes of a packet
    pub payload: u32,
    /// an acknowledgement is due every this many packets
    pub ack_every: u32,
    /// bytes of queue: RED's thresholds and share, and the buffer
    pub least: u64,
    pub most: u64,
    pub share: f64,
    pub buffer: u64,
    /// one way, nanoseconds: to the switch, and from it
    pub near: u64,
    pub far: u64,
}

impl Cell {
    /// The settings that a case is published with.
    ///
    /// Short ways: thresholds of HPCC's published configuration for 100 Gb/s. Long way: 640 km, thresholds and buffer of a router for it.
    pub fn new(case: Case, rules: RuleSet) -> Cell {
        let short = Cell {
            case,
            rules,
            payload: 1024,
            ack_every: 4,
            least: 400_000,
            most: 1_600_000,
            share: 0.2,
            buffer: 4_000_000,
            near: 2_000,
            far: 2_000,
        };
        match case {
            Case::Burst { .. } => short,
            Case::Incast { .. } => {
                Cell { payload: 4096, least: 4_000_000, most: 16_000_000, buffer: 128_000_000, near: 3_200_000 - 2_000, ..short }
            }
        }
    }

    fn senders(&self) -> usize {
        match self.case {
            Case::Burst { senders } | Case::Incast { senders } => senders.max(1),
        }
    }

    /// Full rate of a sender, bits a second.
    fn full(&self) -> u64 {
        match self.case {
            Case::Burst { .. } => BOTTLENECK / 100 * 95 / self.senders() as u64,
            Case::Incast { .. } => 25_000_000_000,
        }
    }

    fn frame(&self) -> u32 {
        FRAME + BTH + self.payload
    }

    /// One way with nothing in the queue, from the first byte sent to the last that arrives, picoseconds.
    fn way(&self) -> u64 {
        (self.near + self.far) * 1000 + 2 * u64::from(self.frame()) * per_byte(BOTTLENECK)
    }

    /// Round trip, picoseconds.
    pub fn round_trip(&self) -> u64 {
        self.way() + (self.near + self.far) * 1000
    }

    fn card(&self) -> Card {
        let timeout = (0..32).map(|n| 4_096_000_u64 << n).find(|&timeout| timeout >= 4 * self.round_trip() + 1000 * MICRO);
        Card {
            payload: self.payload,
            timeout: timeout.unwrap_or(u64::MAX),
            counts_naks: false,
            retries: u32::MAX,
            ack_every: self.ack_every,
            ..Card::default()
        }
    }

    /// What CETH's senders are set to.
    fn rules(&self) -> Rules {
        let (preset, window) = (Rate::from_bits(self.full(), HERTZ), self.window());
        let off = Rules { level: None, depth: None, delay: None, step: 128, floor: Rate::from_bits(100_000_000, HERTZ) };
        match self.rules {
            RuleSet::Depth => {
                // at the depth where marks begin a window's worth at the preset rate, and less beyond
                let limit = (preset.over(window.clocks()) >> 20) + self.least;
                let limits = [u32::try_from(limit).unwrap_or(u32::MAX); 16];
                Rules { depth: Some(DepthRule { limits, packet_bits: self.payload.ilog2(), least: 1, most: u16::MAX }), ..off }
            }
            RuleSet::Delay => {
                let base = (self.way() / 1000) as u32;
                Rules { delay: Some(DelayRule { base, factors: self.delay_factors(), of_present: false }), ..off }
            }
            _ => Rules { level: Some(LevelRule { factors: [192, 192, 128, 64], of_present: false }), ..off },
        }
    }

    /// Rule (3) by powers of two of the delay. On short ways marks begin at about nine times the base, on the long one at 1.1 times.
    fn delay_factors(&self) -> [u16; 8] {
        match self.case {
            Case::Burst { .. } => [224, 224, 224, 128, 64, 32, 16, 8],
            Case::Incast { .. } => [112, 64, 32, 16, 8, 4, 2, 1],
        }
    }

    fn window(&self) -> Window {
        Window::new((self.round_trip() / CLOCK) as u32)
    }

    /// What the ends do, with the settings of this cell.
    pub fn scheme(&self) -> Scheme {
        let line = self.full() as f64;
        let card = |rise| dcqcn::Config::card(line, SECOND as f64, rise);
        let gap = 4 * MICRO;
        match self.rules {
            RuleSet::None => Scheme::None,
            RuleSet::Dcqcn900 => Scheme::Dcqcn { config: card(900.0), gap },
            RuleSet::Dcqcn55 => Scheme::Dcqcn { config: card(55.0), gap },
            RuleSet::DcqcnRoundTrip => {
                let (card, round_trip) = (card(55.0), self.round_trip());
                let config =
                    dcqcn::Config { cut_timer: card.cut_timer.max(round_trip), alpha_timer: card.alpha_timer.max(round_trip), ..card };
                Scheme::Dcqcn { config, gap: gap.max(round_trip) }
            }
            _ => {
                let settings = Settings {
                    rules: self.rules(),
                    window: self.window(),
                    preset: Rate::from_bits(self.full(), HERTZ),
                    recovery: Recovery::Preset,
                    unacknowledged: false,
                    fault: None,
                };
                let degree = DegreeConfig { marks: [1, 8, 32], idle: 8 * u64::from(self.window().clocks()), ..DegreeConfig::default() };
                Scheme::Ceth { settings, receiver: ReceiverConfig { degree, gap: 0 } }
            }
        }
    }

    /// The network of this cell, with ends that do `scheme`.
    /// # Errors
    /// A setting that cannot be.
    pub fn network(&self, scheme: Scheme, seed: u64) -> Result<Network, String> {
        let shape = Shape {
            port: if matches!(self.case, Case::Incast { .. }) { self.full() } else { BOTTLENECK },
            bottleneck: BOTTLENECK,
            near: self.near * 1000,
            far: self.far * 1000,
            ecn: Ecn { least: self.least, most: self.most, share: self.share },
            buffer: self.buffer,
            telemetry: matches!(self.rules, RuleSet::Depth | RuleSet::Delay),
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (spread, bytes, competitor) = match self.case {
            Case::Burst { .. } => {
                // more than can be sent until the end
                let bytes = self.full() / 8 * (HORIZON / MICRO) / 1_000_000 * 2;
                let bits = BOTTLENECK / 100 * 60;
                let burst = Competitor { start: BURST_START, stop: BURST_STOP, bits, frame: self.frame() };
                (10 * MICRO, bytes, Some(burst))
            }
            Case::Incast { .. } => (100 * MICRO, INCAST_BYTES, None),
        };
        let packets = bytes.div_ceil(u64::from(self.payload));
        let pair = |number| Pair::new(number, self.card(), scheme, self.full(), (packets, random.random_range(0..spread)));
        let pairs = (0..self.senders()).map(pair).collect::<Result<Vec<_>, _>>()?;
        Ok(Network::new(shape, pairs, competitor, seed))
    }

    /// Runs the job.
    /// # Errors
    /// A setting that cannot be.
    pub fn run(&self, seed: u64) -> Result<Outcome, String> {
        self.run_with(self.scheme(), seed)
    }

    /// Runs the job with ends that do `scheme`.
    /// # Errors
    /// As `run`.
    pub fn run_with(&self, scheme: Scheme, seed: u64) -> Result<Outcome, String> {
        let mut network = self.network(scheme, seed)?;
        match self.case {
            Case::Burst { .. } => {
                network.sample(BURST_START, MICRO);
                network.run(BURST_START);
                let begun = network.bottleneck.stats.bytes;
                network.run(BURST_STOP);
                let stopped = network.bottleneck.stats.bytes;
                let during = (stopped - begun) as f64 * 8.0 / BOTTLENECK as f64 / ((BURST_STOP - BURST_START) as f64 / SECOND as f64);
                network.run(HORIZON);
                Ok(self.outcome(&network, seed, begun, HORIZON - BURST_START, Some(during)))
            }
            Case::Incast { .. } => {
                network.sample(self.way(), 50 * MICRO);
                network.run(20 * SECOND);
                let time = network.now.saturating_sub(self.way());
                Ok(self.outcome(&network, seed, 0, time, None))
            }
        }
    }

    fn outcome(&self, network: &Network, seed: u64, before: u64, time: u64, during: Option<f64>) -> Outcome {
        let seen = &network.seen;
        let micro = |from: u64, to: u64| to.saturating_sub(from) as f64 / MICRO as f64;
        let burst = matches!(self.case, Case::Burst { .. });
        // of a burst the samples while it lasts, one a microsecond
        let samples = if burst { ((BURST_STOP - BURST_START) / MICRO) as usize } else { usize::MAX };
        let mut queue: Vec<f64> = seen.queue.iter().copied().take(samples).collect();
        let finished: Vec<f64> = network.pairs.iter().filter_map(|pair| pair.received.map(|at| micro(pair.start, at) / 1000.0)).collect();
        let tail = finished.iter().copied().max_by(f64::total_cmp);
        Outcome {
            first_change_us: seen.first_mark.zip(seen.first_change).map(|(from, to)| micro(from, to)),
            full_again_us: seen.last_mark.zip(seen.full_since).filter(|_| burst).map(|(from, to)| micro(from, to)),
            reverse_packets: seen.reverse_packets,
            cnps: network.pairs.iter().map(|pair| pair.cnps).sum(),
            data_packets: network.bottleneck.stats.packets,
            utilisation: network.utilisation(before, time),
            utilisation_in_burst: during,
            queue_mean_kb: queue.iter().sum::<f64>() / queue.len().max(1) as f64 / 1000.0,
            queue_p99_kb: quantile(&mut queue, 0.99) / 1000.0,
            marks: seen.marks,
            overflows: seen.overflows,
            resent: network.pairs.iter().map(|pair| pair.requester.stats.resent).sum(),
            unfinished: if burst { 0 } else { self.senders() - finished.len() },
            tail_ms: tail.filter(|_| !burst && finished.len() == self.senders()),
            events: seen.events,
            seed,
        }
    }
}

/// What came of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outcome {
    pub seed: u64,
    /// from the first mark to the first sender that is slower
    pub first_change_us: Option<f64>,
    /// from the last mark until all senders have their full rate; 0: they had it before
    pub full_again_us: Option<f64>,
    pub reverse_packets: u64,
    pub cnps: u64,
    /// on the bottleneck
    pub data_packets: u64,
    /// of the bottleneck: from the burst's start to the end of the run, or from the first arrival to the last
    pub utilisation: f64,
    pub utilisation_in_burst: Option<f64>,
    /// while the burst lasts, or from the first arrival to the last
    pub queue_mean_kb: f64,
    pub queue_p99_kb: f64,
    pub marks: u64,
    pub overflows: u64,
    pub resent: u64,
    pub unfinished: usize,
    /// completion of the last sender
    pub tail_ms: Option<f64>,
    pub events: u64,
}
