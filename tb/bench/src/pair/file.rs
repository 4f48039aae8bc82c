//! A scenario of packets as it is written: TOML, read strictly.

use crate::bitmap::registers::Registers as ReceiverRegisters;
use crate::scenario::file::{Error, network_check, parse, refuse, text, within};
use crate::scenario::{Engine, Range};
use rdma_rtl_golden::bitmap::{psn, sender};
use rdma_rtl_sim::network;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Packets of all flows together.
const PACKETS: u64 = 1 << 32;

/// A whole scenario.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// one line that says what it shows
    pub title: String,
    /// that it is one of packets
    pub ends: Kind,
    /// of the flows; the network has its own
    #[serde(default = "one")]
    pub seed: u64,
    /// static sizes of both ends
    #[serde(default = "profile")]
    pub profile: String,
    #[serde(default)]
    pub scheme: Scheme,
    #[serde(default = "clock_mhz")]
    pub clock_mhz: f64,
    #[serde(default)]
    pub traffic: Traffic,
    #[serde(default)]
    pub sizes: Sizes,
    #[serde(default)]
    pub sender: SenderSide,
    #[serde(default)]
    pub receiver: ReceiverSide,
    #[serde(default)]
    pub network: network::Config,
    #[serde(default)]
    pub expect: Expect,
}

fn one() -> u64 {
    1
}

fn profile() -> String {
    "small".into()
}

fn clock_mhz() -> f64 {
    322.265625
}

/// What tells this file from one of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Bitmap,
}

/// How what is lost is found and sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// bitmaps at both ends
    #[default]
    Bitmap,
    /// as reliable connections of RoCEv2 have it
    GoBackN,
    /// a timer per packet, as the operation table has it
    Timers,
}

impl Scheme {
    pub const ALL: [Scheme; 3] = [Scheme::Bitmap, Scheme::GoBackN, Scheme::Timers];

    pub fn name(self) -> &'static str {
        match self {
            Scheme::Bitmap => "bitmap",
            Scheme::GoBackN => "go_back_n",
            Scheme::Timers => "timers",
        }
    }
}

/// What is to be sent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Traffic {
    pub queue_pairs: u32,
    /// of each queue pair
    pub flows: u64,
    /// packets of the smallest and of the largest flow, every power of two as often as every other
    pub least: u64,
    pub most: u64,
    /// each flow of a queue pair is posted when the sender knows that the one before has arrived; else all of them at once
    pub one_by_one: bool,
    /// sequence number of the first packet of each queue pair
    pub first: u32,
    /// bytes of a packet
    pub payload: u32,
}

impl Default for Traffic {
    fn default() -> Self {
        let (least, most) = (1000, 1000);
        Traffic { queue_pairs: 1, flows: 1, least, most, one_by_one: false, first: psn::SPACE - 100, payload: 1024 }
    }
}

/// Static sizes, where no end is hardware; else those of the profile stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sizes {
    /// packets of a window
    pub window: Option<u32>,
    /// gap records of a queue pair
    pub records: Option<usize>,
}

/// What becomes of packets that are to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Single,
    Interval,
    Aggregated,
}

/// The sender. Times are in ticks of `prescale` clocks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SenderSide {
    pub engine: Engine,
    /// of its wire
    pub rate_gbps: f64,
    /// of payload, by the token bucket; without it there is none
    pub limit_gbps: Option<f64>,
    /// packets that the token bucket saves up
    pub burst: u16,
    pub prescale: u16,
    pub rto: u32,
    pub rto_cap: u32,
    pub retry_limit: u32,
    pub dedup: u32,
    pub mode: Mode,
    pub aggregate: u32,
    pub merge: u32,
    pub rtx_window: u32,
}

impl Default for SenderSide {
    fn default() -> Self {
        let sender::Config { dedup, aggregate, merge, rtx_window, rto, rto_cap, retry_limit, .. } = sender::Config::DEFAULT;
        SenderSide {
            engine: Engine::Verilator,
            rate_gbps: 100.0,
            limit_gbps: None,
            burst: 16,
            prescale: 322,
            rto,
            rto_cap,
            retry_limit,
            dedup,
            mode: Mode::Interval,
            aggregate,
            merge,
            rtx_window,
        }
    }
}

/// The receiver.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReceiverSide {
    pub engine: Engine,
    /// range acknowledgements
    pub range_ack: bool,
    /// registers by name
    pub registers: BTreeMap<String, u64>,
}

impl Default for ReceiverSide {
    fn default() -> Self {
        ReceiverSide { engine: Engine::Verilator, range_ack: false, registers: BTreeMap::new() }
    }
}

/// Bounds on what was counted. That everything arrives is expected always.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// numbers of the report by name
    pub bounds: BTreeMap<String, Range>,
}

impl Scenario {
    /// Whether a file is a scenario of packets: its `ends` says so.
    pub fn is_one(path: &Path) -> bool {
        let ends = |text: String| toml::from_str::<toml::Table>(&text).ok()?.get("ends").cloned();
        text(path).ok().and_then(ends).is_some()
    }

    /// Reads a file.
    /// # Errors
    /// It cannot be read, is no TOML, has a key that nobody knows, or a value that is not allowed: file, line, key, value and what is.
    pub fn load(path: &Path) -> Result<Scenario, Error> {
        Scenario::read(&path.display().to_string(), &text(path)?)
    }

    /// Reads the text of a file called `file`.
    /// # Errors
    /// As [`Scenario::load`].
    pub fn read(file: &str, text: &str) -> Result<Scenario, Error> {
        let scenario: Scenario = parse(file, text, "`title` and `ends`")?;
        scenario.check().map_err(|text| Error(format!("{file}: {text}")))?;
        Ok(scenario)
    }

    /// Picoseconds of a clock.
    pub fn clock(&self) -> u64 {
        (1e6 / self.clock_mhz).round() as u64
    }

    /// About so many packets in all instead: fewer flows or more, and shorter ones where there is one.
    /// # Errors
    /// Fewer than queue pairs.
    pub fn set_packets(&mut self, packets: u64) -> Result<(), String> {
        let each = packets / u64::from(self.traffic.queue_pairs);
        if each == 0 {
            return refuse("--packets", packets, format!("{} or more is allowed, one of each queue pair", self.traffic.queue_pairs));
        }
        let traffic = &mut self.traffic;
        if traffic.flows == 1 {
            (traffic.least, traffic.most) = (each, each);
        } else {
            traffic.flows = (each / traffic.most).max(1);
        }
        self.check()
    }

    /// Where nothing is hardware.
    pub fn all_golden(&self) -> bool {
        self.scheme != Scheme::Bitmap || self.sender.engine == Engine::Golden && self.receiver.engine == Engine::Golden
    }

    fn check(&self) -> Result<(), String> {
        within("clock_mhz", self.clock_mhz, 1.0, 2000.0)?;
        let Traffic { queue_pairs, flows, least, most, first, payload, .. } = self.traffic;
        within("traffic.queue_pairs", queue_pairs.into(), 1.0, 1024.0)?;
        within("traffic.flows", flows as f64, 1.0, 1e6)?;
        within("traffic.least", least as f64, 1.0, PACKETS as f64)?;
        if most < least || u64::from(queue_pairs) * flows > PACKETS / most {
            return refuse("traffic.most", most, format!("`least` ({least}) or more, and {PACKETS} packets in all at most"));
        }
        within("traffic.first", first.into(), 0.0, f64::from(psn::SPACE - 1))?;
        within("traffic.payload", payload.into(), 64.0, 9000.0)?;
        let side = &self.sender;
        within("sender.rate_gbps", side.rate_gbps, 0.001, 10_000.0)?;
        if let Some(limit) = side.limit_gbps {
            within("sender.limit_gbps", limit, 0.001, 10_000.0)?;
            within("sender.limit_gbps` x `sender.prescale", f64::from(self.bucket().map_or(1, |at| at.0)), 1.0, f64::from((1 << 24) - 1))?;
        }
        within("sender.burst", side.burst.into(), 1.0, 65535.0)?;
        within("sender.prescale", side.prescale.into(), 1.0, 65535.0)?;
        let ticks = f64::from((1u32 << 30) - 1);
        within("sender.rto", side.rto.into(), 1.0, ticks)?;
        within("sender.rto_cap", side.rto_cap.into(), side.rto.into(), ticks)?;
        within("sender.retry_limit", side.retry_limit.into(), 1.0, 255.0)?;
        within("sender.dedup", side.dedup.into(), 0.0, ticks)?;
        within("sender.aggregate", side.aggregate.into(), 0.0, ticks)?;
        within("sender.merge", side.merge.into(), 0.0, 255.0)?;
        within("sender.rtx_window", side.rtx_window.into(), 1.0, 65535.0)?;
        self.receiver_registers()?;
        if let Some(window) = self.sizes.window {
            within("sizes.window", window.into(), 64.0, 1_048_576.0)?;
            if !window.is_multiple_of(64) {
                return refuse("sizes.window", window, "a multiple of 64 is needed");
            }
        }
        within("sizes.records", self.sizes.records.unwrap_or(8) as f64, 1.0, 4096.0)?;
        if (self.sizes.window.is_some() || self.sizes.records.is_some()) && !self.all_golden() {
            return refuse("sizes", "given", "the profile's stand where an end is hardware; both engines \"golden\" take any");
        }
        network_check(&self.network)?;
        super::report::check(&self.expect)
    }

    /// The receiver's registers; time is that of the sender.
    /// # Errors
    /// An unknown one, or a value that it cannot hold.
    pub fn receiver_registers(&self) -> Result<ReceiverRegisters, String> {
        let mut registers = ReceiverRegisters { prescale: self.sender.prescale, ..ReceiverRegisters::default() };
        registers.config.range_ack = self.receiver.range_ack;
        for (name, &value) in &self.receiver.registers {
            if name == "prescale" || name == "mtu" {
                return refuse(format!("receiver.registers.{name}"), value, "both ends have `sender.prescale` and `traffic.payload`");
            }
            registers.set(name, value).map_err(|text| format!("`receiver.registers.{name}` is {value}: {text}"))?;
        }
        Ok(registers)
    }

    /// Bytes per tick and packets of the token bucket.
    pub fn bucket(&self) -> Option<(u32, u16)> {
        let tick = f64::from(self.sender.prescale) / self.clock_mhz * 1e3;
        self.sender.limit_gbps.map(|gbps| ((gbps / 8.0 * tick).round() as u32, self.sender.burst))
    }

    /// The sender's registers.
    pub fn sender_registers(&self) -> sender::Config {
        let SenderSide { rto, rto_cap, retry_limit, dedup, mode, aggregate, merge, rtx_window, .. } = self.sender;
        let mode = match mode {
            Mode::Single => sender::Mode::Single,
            Mode::Interval => sender::Mode::Interval,
            Mode::Aggregated => sender::Mode::Aggregated,
        };
        sender::Config { dedup, aggregate, merge, mode, rtx_window, base_length: 0, rto, rto_cap, retry_limit, mtu: self.traffic.payload }
    }
}
