//! The congestion degree of a queue pair: marks among its last arrivals, or what telemetry says.
//!
//! Follows the contract, "Congestion state on the acknowledgement", "Receiver".

use super::fault::Fault;
use super::header::Level;
use bitvec::prelude::*;

/// Runtime registers and the one static size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DegreeConfig {
    /// `W`, arrivals in the window; static, a power of two
    pub arrivals: usize,
    /// marks in the window from which on the level is light, medium, heavy
    pub marks: [u16; 3],
    /// clocks without a packet after which the window is empty, 0: it never is
    pub idle: u64,
    /// the same thresholds of a queue depth in units of 256 bytes
    pub depths: [u16; 3],
    /// and of an occupancy in 1/256 of the buffer
    pub occupancies: [u8; 3],
    pub fault: Option<Fault>,
}

impl Default for DegreeConfig {
    /// Depths of 100, 200 and 400 KB; occupancies of an eighth, a quarter and a half.
    fn default() -> DegreeConfig {
        DegreeConfig { arrivals: 64, marks: [1, 16, 32], idle: 0, depths: [390, 781, 1562], occupancies: [32, 64, 128], fault: None }
    }
}

/// Side band of a packet, from telemetry on its way. Depth, point and delay that are all ones are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// what the network says itself, none if it says nothing
    pub level: Level,
    /// nanoseconds
    pub delay: u32,
    /// units of 256 bytes
    pub depth: u16,
    /// 1/256 of the buffer
    pub occupancy: u8,
    pub point: u16,
}

/// How many of `thresholds` are reached; the highest that is counts, also if they do not ascend.
fn reached<T: PartialOrd>(value: T, thresholds: [T; 3], exclusive: bool) -> Level {
    let [light, medium, heavy] = thresholds.map(|threshold| if exclusive { value > threshold } else { value >= threshold });
    match (heavy, medium, light) {
        (true, _, _) => Level::Heavy,
        (_, true, _) => Level::Medium,
        (_, _, true) => Level::Light,
        _ => Level::None,
    }
}

impl DegreeConfig {
    /// The level that telemetry comes to: the worst of depth, occupancy and what the network says itself.
    pub fn of_telemetry(&self, telemetry: &Telemetry) -> Level {
        let depth = if telemetry.depth == u16::MAX { Level::None } else { reached(telemetry.depth, self.depths, false) };
        if self.fault == Some(Fault::DepthAlone) {
            return depth;
        }
        depth.max(reached(telemetry.occupancy, self.occupancies, false)).max(telemetry.level)
    }
}

/// The window of one queue pair. Arrivals that have not been count as unmarked.
#[derive(Clone, Debug)]
pub struct Degree {
    config: DegreeConfig,
    window: BitVec,
    /// where the next arrival goes
    next: usize,
    marked: u16,
    last: u64,
}

impl Degree {
    /// # Errors
    /// `arrivals` is not a power of two from 1 to 32768.
    pub fn new(config: DegreeConfig) -> Result<Degree, String> {
        let arrivals = config.arrivals;
        if !arrivals.is_power_of_two() || arrivals > 1 << 15 {
            return Err(format!("congestion window of {arrivals} arrivals: it is a power of two from 1 to 32768"));
        }
        let length = if config.fault == Some(Fault::WindowOneShort) { (arrivals - 1).max(1) } else { arrivals };
        Ok(Degree { config, window: bitvec![0; length], next: 0, marked: 0, last: 0 })
    }

    /// Empties the window if nothing has arrived for `idle` clocks.
    fn age(&mut self, now: u64) {
        let idle = self.config.idle;
        if idle != 0 && now.saturating_sub(self.last) >= idle && self.config.fault != Some(Fault::IdleNeverClears) {
            self.window.fill(false);
            self.marked = 0;
        }
    }

    /// A packet arrives; one that was sent before counts as any other.
    pub fn arrive(&mut self, now: u64, marked: bool) {
        self.age(now);
        let left = self.window.replace(self.next, marked);
        self.next = (self.next + 1) % self.window.len();
        self.marked += u16::from(marked);
        if self.config.fault != Some(Fault::MarksStay) {
            self.marked -= u16::from(left);
        }
        self.last = now;
    }

    /// The level at `now`.
    pub fn level(&mut self, now: u64) -> Level {
        self.age(now);
        reached(self.marked, self.config.marks, self.config.fault == Some(Fault::ThresholdExclusive))
    }
}
