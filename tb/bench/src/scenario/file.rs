//! A scenario as it is written: TOML, read strictly.

use super::expect::{Expect, Outcome};
use super::golden_sender::SenderParams;
use rdma_rtl_golden::registry::{Config, Params};
use rdma_rtl_golden::send::{op_table, splitter};
use rdma_rtl_golden::wire::Reader;
use rdma_rtl_sim::network;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// Bytes of the longest scenario file: nobody has written a longer one.
const LONGEST: u64 = 1 << 20;
/// Most queue pairs: places of the largest node table.
const PAIRS: f64 = 64.0;
/// Commands have numbers of 16 bits, each its own.
const COMMANDS: u64 = 1 << 16;
/// Bytes of the largest command.
const LARGEST: u32 = 16 << 20;

/// What is wrong with a scenario file: one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// A whole scenario.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// one line that says what it shows
    pub title: String,
    /// of commands and buses; the network has its own
    #[serde(default = "one")]
    pub seed: u64,
    /// static sizes of both ends
    #[serde(default = "profile")]
    pub profile: String,
    /// what both ends are made of, where they are hardware
    #[serde(default)]
    pub top: Top,
    /// who acknowledges what
    #[serde(default)]
    pub transport: Transport,
    #[serde(default = "clock_mhz")]
    pub clock_mhz: f64,
    /// no register of either end is written but addresses, nodes, first numbers and enables
    #[serde(default)]
    pub reset_values: bool,
    /// between the two ends; each has its queues of commands of its own, one of each kind
    #[serde(default = "one_pair")]
    pub queue_pairs: u16,
    pub commands: Vec<Group>,
    #[serde(default)]
    pub sender: SenderSide,
    #[serde(default)]
    pub receiver: ReceiverSide,
    #[serde(default)]
    pub network: network::Config,
    #[serde(default)]
    pub faults: Faults,
    #[serde(default)]
    pub expect: Expect,
}

fn one() -> u64 {
    1
}

fn one_pair() -> u16 {
    1
}

fn profile() -> String {
    "default".into()
}

fn clock_mhz() -> f64 {
    322.265625
}

/// Commands of one kind: a queue of the host.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    pub name: String,
    pub count: u64,
    /// bytes of the smallest and of the largest command
    pub least: u32,
    pub most: u32,
    pub distribution: Distribution,
    pub process: Process,
    /// nanoseconds between commands, or their mean
    pub interval_ns: f64,
    /// from the beginning to the first command
    pub start_ns: f64,
    /// commands of this queue in flight, of each queue pair
    pub in_flight: usize,
    /// part of the commands that end with a data arrival, that have immediate data
    pub arrivals: f64,
    pub immediates: f64,
    /// most source blocks of a command
    pub blocks: usize,
}

impl Default for Group {
    fn default() -> Self {
        Group {
            name: "commands".into(),
            count: 100,
            least: 1,
            most: 1 << 20,
            distribution: Distribution::LogUniform,
            process: Process::AtOnce,
            interval_ns: 0.0,
            start_ns: 0.0,
            in_flight: 64,
            arrivals: 0.3,
            immediates: 0.2,
            blocks: 3,
        }
    }
}

/// How sizes are distributed between `least` and `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// every power of two as often as every other
    LogUniform,
    Uniform,
}

/// When commands come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Process {
    /// each as soon as there is room for it
    AtOnce,
    /// one every `interval_ns`
    Periodic,
    /// independent of each other, `interval_ns` between them on average
    Poisson,
}

/// The tops of both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Top {
    /// `send_endpoint` and `receive_endpoint`
    #[default]
    Halves,
    /// `endpoint` at both
    Endpoint,
}

/// The transport profile of both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// each packet by its operation
    #[default]
    Registry,
    /// each packet by its sequence number, once the registry has judged it
    Combined,
    /// each packet by its sequence number alone
    Bitmap,
}

impl Transport {
    /// How its frames are read.
    pub fn reader(self) -> Reader {
        match self {
            Transport::Registry | Transport::Combined => Reader::registry(),
            Transport::Bitmap => Reader::default(),
        }
    }
}

impl Top {
    /// The blocks of sender and receiver.
    pub fn blocks(self, transport: Transport) -> [&'static str; 2] {
        match (self, transport) {
            (Top::Halves, Transport::Registry) => ["send_endpoint", "receive_endpoint"],
            (Top::Halves, Transport::Combined) => ["combined_send_endpoint", "combined_receive_endpoint"],
            (Top::Halves, Transport::Bitmap) => ["bitmap_send_endpoint", "bitmap_receive_endpoint"],
            (Top::Endpoint, Transport::Registry) => ["endpoint", "endpoint"],
            (Top::Endpoint, Transport::Combined) => ["combined_endpoint", "combined_endpoint"],
            (Top::Endpoint, Transport::Bitmap) => ["bitmap_endpoint", "bitmap_endpoint"],
        }
    }
}

/// Which registers of an end software writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetUp {
    /// times and sizes too
    All,
    /// addresses, nodes, first numbers, enables
    Addresses,
}

/// What an end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    Golden,
    Verilator,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Golden => "golden",
            Engine::Verilator => "verilator",
        }
    }
}

/// The sender; what is not given has the default of the profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SenderSide {
    pub engine: Engine,
    /// of its wire; default: as many bits per clock as the profile's buses have, at most 100
    pub rate_gbps: Option<f64>,
    /// payload slots; default: as many as the receiver has entries
    pub slots: Option<usize>,
    /// in bytes
    pub threshold: Option<u32>,
    pub segment: Option<u32>,
    /// clocks per tick
    pub prescale: u16,
    /// in ticks
    pub timeout: u32,
    pub backoff_cap: u32,
    pub t_life: u32,
    pub retry_limit: u8,
    /// packets that may be open while the receiver has not told its window, 0: as many as the window has; in the transport profiles
    /// *combined* and *bitmap*
    pub untold_window: u16,
}

impl Default for SenderSide {
    fn default() -> Self {
        SenderSide {
            engine: Engine::Verilator,
            rate_gbps: None,
            slots: None,
            threshold: None,
            segment: None,
            prescale: 32,
            timeout: 150,
            backoff_cap: 1200,
            t_life: 50_000,
            retry_limit: 7,
            untold_window: 0,
        }
    }
}

/// The receiver.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReceiverSide {
    pub engine: Engine,
    /// percent of the clocks in which each bus of the hardware stalls
    pub stalls: u32,
    /// clocks from a write to its answer, least and most; with different ones answers overtake each other
    pub memory_latency: [u64; 2],
    /// the hardware tells what has arrived above a gap, in the transport profiles *combined* and *bitmap*
    pub range_acknowledgements: bool,
    /// registers by name: of the registry, or of [`NUMBERS`]
    pub registers: BTreeMap<String, u64>,
}

/// Registers of the hardware's windows, in the transport profiles *combined* and *bitmap*.
pub const NUMBERS: [&str; 7] = ["slide_step", "window_length", "bandwidth", "round_trip", "window_factors", "qp_limit", "ack_hold"];

/// What each of [`NUMBERS`] is set to, if at all.
pub type Numbers = [Option<u64>; NUMBERS.len()];

impl Default for ReceiverSide {
    fn default() -> Self {
        ReceiverSide {
            engine: Engine::Verilator,
            stalls: 0,
            memory_latency: [1, 1],
            range_acknowledgements: false,
            registers: BTreeMap::new(),
        }
    }
}

/// What goes wrong besides.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// places of the receiver's memory that answer every write with an error: the first commands lie there
    pub bad_places: usize,
    /// the network is cut
    pub blackout: Vec<Blackout>,
}

/// A time in which nothing comes through.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blackout {
    pub from_us: f64,
    pub for_us: f64,
    #[serde(default)]
    pub way: Cut,
}

/// Which way is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    #[default]
    Both,
    /// from the sender to the receiver
    Forward,
    /// what the receiver tells
    Backward,
}

impl Blackout {
    /// A frame of this side does not come through whose first bit leaves then.
    pub fn cuts(&self, side: network::Side, microseconds: f64) -> bool {
        let way = match self.way {
            Cut::Both => true,
            Cut::Forward => side == network::Side::A,
            Cut::Backward => side == network::Side::B,
        };
        way && (self.from_us..self.from_us + self.for_us).contains(&microseconds)
    }
}

/// The text of a scenario's file.
/// # Errors
/// It cannot be read, is too long, or no text.
pub fn text(path: &Path) -> Result<String, Error> {
    let fail = |text: String| Error(format!("{}: {text}", path.display()));
    let bytes = std::fs::metadata(path).map_err(|e| fail(format!("cannot read scenario: {e}")))?.len();
    if bytes > LONGEST {
        return Err(fail(format!("{bytes} bytes are no scenario; at most {LONGEST} are read")));
    }
    let bytes = std::fs::read(path).map_err(|e| fail(format!("cannot read scenario: {e}")))?;
    String::from_utf8(bytes).map_err(|_| fail("not a text file; a scenario is TOML in UTF-8".into()))
}

/// What the text of a file called `file` says, which needs `least`.
/// # Errors
/// It is no TOML, or has a key that nobody knows or a value of the wrong type: one line.
pub fn parse<T: DeserializeOwned>(file: &str, text: &str, least: &str) -> Result<T, Error> {
    let one_line = |text: &str| text.split('\n').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    if text.trim().is_empty() {
        return Err(Error(format!("{file}: an empty file is no scenario; it needs {least}")));
    }
    let at = |error: &toml::de::Error| match error.span() {
        Some(span) => format!("{file}:{}", text[..span.start.min(text.len())].matches('\n').count() + 1),
        None => file.to_string(),
    };
    let parsed = toml::Deserializer::parse(text).map_err(|e| Error(format!("{}: {}", at(&e), one_line(e.message()))))?;
    serde_path_to_error::deserialize(parsed).map_err(|error| {
        let (path, inner) = (error.path().to_string(), error.inner());
        let key = if path == "." { String::new() } else { format!("`{path}`: ") };
        Error(format!("{}: {key}{}", at(inner), one_line(inner.message())))
    })
}

pub(crate) fn refuse<T>(key: impl std::fmt::Display, value: impl std::fmt::Display, allowed: impl std::fmt::Display) -> Result<T, String> {
    Err(format!("`{key}` is {value}; {allowed}"))
}

pub(crate) fn within(key: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) { Ok(()) } else { refuse(key, value, format!("{low} to {high} is allowed")) }
}

/// A network that there can be.
pub(crate) fn network_check(config: &network::Config) -> Result<(), String> {
    match network::Network::<Vec<u8>>::new(config) {
        Ok(_) => Ok(()),
        Err(network::ConfigError { key, value, allowed }) => refuse(format!("network.{key}"), value, allowed),
    }
}

impl Scenario {
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
        let scenario: Scenario = parse(file, text, "`title` and `[[commands]]`")?;
        scenario.check().map_err(|text| Error(format!("{file}: {text}")))?;
        Ok(scenario)
    }

    /// Commands in all.
    pub fn count(&self) -> u64 {
        self.commands.iter().map(|group| group.count).sum()
    }

    /// So many commands instead, each kind its part of them, at least one.
    /// # Errors
    /// Not a number of commands that there can be.
    pub fn set_count(&mut self, count: u64) -> Result<(), String> {
        let before = self.count();
        if count < self.commands.len() as u64 || count > COMMANDS {
            return refuse("--commands", count, format!("{} to {COMMANDS} is allowed", self.commands.len()));
        }
        let mut left = count;
        let groups = self.commands.len() as u64;
        for (group, after) in self.commands.iter_mut().zip((0..groups).rev()) {
            let part = (count * group.count / before).clamp(1, left - after);
            group.count = if after == 0 { left } else { part };
            left -= group.count;
        }
        Ok(())
    }

    /// Picoseconds of a clock.
    pub fn clock(&self) -> u64 {
        (1e6 / self.clock_mhz).round() as u64
    }

    /// Whether its values go with each other: what [`Scenario::read`] has found, and a caller may have changed.
    /// # Errors
    /// A value that does not: its key, it, and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        within("clock_mhz", self.clock_mhz, 1.0, 2000.0)?;
        if self.commands.is_empty() {
            return refuse("commands", "empty", "one `[[commands]]` or more are needed");
        }
        for (at, group) in self.commands.iter().enumerate() {
            group.check(&format!("commands[{at}]"))?;
        }
        if self.count() > COMMANDS {
            return refuse("commands", format!("{} in all", self.count()), format!("at most {COMMANDS} have numbers of their own"));
        }
        if self.transport == Transport::Bitmap
            && let Some(at) = self.commands.iter().position(|group| group.arrivals > 0.0)
        {
            let key = format!("commands[{at}].arrivals");
            return refuse(
                &key,
                self.commands[at].arrivals,
                "0 is needed with `transport` \"bitmap\", where nothing is known of operations",
            );
        }
        if self.transport != Transport::Registry && self.sender.engine == Engine::Verilator && self.sender.retry_limit > 30 {
            return refuse("sender.retry_limit", self.sender.retry_limit, "at most 30: try 31 is what goes again by its number");
        }
        if self.receiver.range_acknowledgements && (self.transport == Transport::Registry || self.receiver.engine != Engine::Verilator) {
            return refuse(
                "receiver.range_acknowledgements",
                true,
                "`transport` \"combined\" or \"bitmap\" and `engine` \"verilator\" are needed",
            );
        }
        within("queue_pairs", self.queue_pairs.into(), 1.0, PAIRS)?;
        if self.queue_pairs > 1 && (self.sender.engine != Engine::Verilator || self.receiver.engine != Engine::Verilator) {
            return refuse("queue_pairs", self.queue_pairs, "more than 1 go with `engine` \"verilator\" at both ends");
        }
        if self.reset_values {
            let sender = SenderSide { rate_gbps: self.sender.rate_gbps, ..SenderSide::default() };
            if self.sender != sender || !self.receiver.registers.is_empty() || self.receiver.engine != Engine::Verilator {
                return refuse(
                    "reset_values",
                    true,
                    "it goes with `engine` \"verilator\" at both ends, and with no register of `sender` or `receiver`",
                );
            }
        }
        self.sender.check()?;
        within("receiver.stalls", self.receiver.stalls.into(), 0.0, 90.0)?;
        let [least, most] = self.receiver.memory_latency;
        if least < 1 || most < least || most > 100_000 {
            return refuse("receiver.memory_latency", format!("[{least}, {most}]"), "1 to 100000, the least first, is allowed");
        }
        self.registers(&Params::DEFAULT)?;
        let has_numbers = self.transport != Transport::Registry && self.receiver.engine == Engine::Verilator;
        for (name, value) in NUMBERS.into_iter().zip(self.numbers()) {
            let key = format!("receiver.registers.{name}");
            match value {
                Some(value) if !has_numbers => {
                    return refuse(&key, value, "`transport` \"combined\" or \"bitmap\" and `engine` \"verilator\" are needed");
                }
                Some(value) => within(&key, value as f64, 0.0, u32::MAX.into())?,
                None => {}
            }
        }
        within("faults.bad_places", self.faults.bad_places as f64, 0.0, COMMANDS as f64)?;
        if self.faults.bad_places > 0 && self.expect.outcome == Outcome::AllComplete {
            return refuse(
                "faults.bad_places",
                self.faults.bad_places,
                "what lies there fails: `expect.outcome` is \"mixed\" or \"all_fail\" then",
            );
        }
        for (at, blackout) in self.faults.blackout.iter().enumerate() {
            within(&format!("faults.blackout[{at}].from_us"), blackout.from_us, 0.0, 1e6)?;
            within(&format!("faults.blackout[{at}].for_us"), blackout.for_us, 0.0, 1e6)?;
        }
        network_check(&self.network)?;
        self.expect.check()
    }

    /// The receiver's registers.
    /// # Errors
    /// An unknown one, or a value that it cannot hold.
    pub fn registers(&self, params: &Params) -> Result<Config, String> {
        let mut config = Config { prescale: 32, renotify: 50, t_life: 50_000, op_timeout: 100_000, ..Config::defaults(params) };
        for (name, &value) in self.receiver.registers.iter().filter(|(name, _)| !NUMBERS.contains(&name.as_str())) {
            config.set(name, value).map_err(|text| format!("`receiver.registers.{name}` is {value}: {text}"))?;
        }
        Ok(config)
    }

    /// Registers of the receiver's windows.
    pub fn numbers(&self) -> Numbers {
        NUMBERS.map(|name| self.receiver.registers.get(name).copied())
    }

    /// The golden sender before a receiver with these static sizes, with beats of `data_width` bits.
    /// # Errors
    /// A threshold or segment that the sizes do not allow.
    pub fn golden_sender(&self, receiver: &Params, data_width: u64, src: u16) -> Result<SenderParams, String> {
        let side = &self.sender;
        let params =
            splitter::Params { packet_size: receiver.packet_size, mask_bits: receiver.mask_bits as u32, ..splitter::Params::DEFAULT };
        let largest = params.operation_bytes() as u32;
        let cut = splitter::Config {
            threshold: side.threshold.unwrap_or(splitter::Config::DEFAULT.threshold.min(largest)),
            segment: side.segment.unwrap_or((16 * receiver.packet_size).min(largest)),
        };
        if cut.is_bad(&params) {
            let allowed = format!(
                "at this profile a threshold of at most {largest} bytes and segments of {} to {largest} in steps of {0} are allowed",
                receiver.packet_size
            );
            return refuse("sender.threshold`, `sender.segment", format!("{}, {}", cut.threshold, cut.segment), allowed);
        }
        let rate = side.rate_gbps.unwrap_or((data_width as f64 * self.clock_mhz / 1000.0).min(100.0));
        Ok(SenderParams {
            splitter: params,
            table: op_table::Params { ops: 1 << receiver.index_bits, mask_bits: receiver.mask_bits },
            cut,
            timers: op_table::Config {
                prescale: side.prescale,
                timeout: side.timeout,
                backoff_cap: side.backoff_cap,
                retry_limit: side.retry_limit,
                t_life: side.t_life,
            },
            slots: side.slots.unwrap_or(receiver.entries),
            refetch: false,
            untold_window: side.untold_window,
            src,
            queue_pairs: self.queue_pairs,
            clock: self.clock(),
            byte: 8000.0 / rate,
        })
    }
}

impl Group {
    fn check(&self, key: &str) -> Result<(), String> {
        let key = |name: &str| format!("{key}.{name}");
        within(&key("count"), self.count as f64, 1.0, COMMANDS as f64)?;
        within(&key("least"), self.least.into(), 1.0, LARGEST.into())?;
        if self.most < self.least || self.most > LARGEST {
            return refuse(key("most"), self.most, format!("`least` ({}) to {LARGEST} is allowed", self.least));
        }
        within(&key("in_flight"), self.in_flight as f64, 1.0, 1024.0)?;
        within(&key("arrivals"), self.arrivals, 0.0, 1.0)?;
        within(&key("immediates"), self.immediates, 0.0, 1.0)?;
        within(&key("blocks"), self.blocks as f64, 1.0, splitter::Params::DEFAULT.sgl as f64)?;
        within(&key("start_ns"), self.start_ns, 0.0, 1e9)?;
        match self.process {
            Process::AtOnce if self.interval_ns != 0.0 => {
                refuse(key("interval_ns"), self.interval_ns, "`process = \"at_once\"` has no interval; take \"periodic\" or \"poisson\"")
            }
            Process::AtOnce => Ok(()),
            _ => within(&key("interval_ns"), self.interval_ns, 1.0, 1e9),
        }
    }
}

impl SenderSide {
    fn check(&self) -> Result<(), String> {
        if let Some(rate) = self.rate_gbps {
            within("sender.rate_gbps", rate, 0.001, 10_000.0)?;
        }
        if let Some(slots) = self.slots {
            if self.engine != Engine::Golden {
                return refuse("sender.slots", slots, "the profile's stand for a verilated sender; `sender.engine` \"golden\" takes any");
            }
            within("sender.slots", slots as f64, 1.0, 64.0)?;
        }
        within("sender.prescale", self.prescale.into(), 1.0, 65535.0)?;
        // As the registers have it.
        let ticks = f64::from((1u32 << 29) - 1);
        within("sender.timeout", self.timeout.into(), 1.0, ticks)?;
        within("sender.backoff_cap", self.backoff_cap.into(), self.timeout.into(), ticks)?;
        within("sender.retry_limit", self.retry_limit.into(), 0.0, 31.0)?;
        within("sender.t_life", self.t_life.into(), 1.0, f64::from((1u32 << 31) - 1))
    }
}
