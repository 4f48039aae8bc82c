//! What a network is like, as a scenario describes it.

use super::chance::Chance;
use serde::Deserialize;

/// Both ways between end A and end B. Either `both`, or each way by its name; a way that is not described loses nothing.
///
/// ```toml
/// seed = 7
/// [forward]                  # from A to B
/// spread = "random"
/// [[forward.path]]
/// count = 4
/// delay_ns = 2000
/// loss = 0.01
/// [backward]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// the same seed gives the same network
    pub seed: u64,
    pub both: Option<Way>,
    pub forward: Option<Way>,
    pub backward: Option<Way>,
}

/// One way: parallel paths, and which frame takes which.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Way {
    pub spread: Spread,
    /// none: one path with all defaults
    pub path: Vec<Path>,
}

/// Which path a frame takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// one after the other
    #[default]
    RoundRobin,
    Random,
    /// by addresses and UDP source port, so a flow keeps its path
    Flow,
    /// by the path id in the base transport header, modulo the number of paths
    PathId,
}

/// One path: a queue, a link, and what happens to frames on the way.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Path {
    /// how many paths are like this
    pub count: u32,
    pub rate_gbps: f64,
    /// from the last bit sent to the last bit there
    pub delay_ns: f64,
    /// the delay from a time on, in the order of time: a frame that leaves later may arrive first
    pub delay_changes: Vec<DelayChange>,
    /// most that is added to the delay, evenly distributed: frames may overtake each other
    pub jitter_ns: f64,
    /// bytes beside the frame that it occupies the link for: preamble, check sequence, gap
    pub overhead_bytes: u32,
    /// probability that a frame is lost, each for itself
    pub loss: f64,
    /// losses in bursts, besides
    pub burst: Option<Burst>,
    /// probability that a frame comes twice
    pub duplicate: f64,
    /// probability that bits of a frame are flipped
    pub corrupt: f64,
    pub corrupt_bits: u32,
    /// bytes that wait for the link at most, or what comes is dropped; 0: any number
    pub queue_bytes: u64,
    pub ecn: Option<Ecn>,
}

impl Default for Path {
    fn default() -> Self {
        Path {
            count: 1,
            rate_gbps: 100.0,
            delay_ns: 1000.0,
            delay_changes: Vec::new(),
            jitter_ns: 0.0,
            overhead_bytes: 24,
            loss: 0.0,
            burst: None,
            duplicate: 0.0,
            corrupt: 0.0,
            corrupt_bits: 1,
            queue_bytes: 0,
            ecn: None,
        }
    }
}

/// Another way through the network, of another length.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayChange {
    /// of the last bit of the first frame that has this delay
    pub at_us: f64,
    pub delay_ns: f64,
}

/// Gilbert-Elliott: the path is good or bad, changes with probabilities per frame, and loses frames accordingly.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// good to bad, before a frame
    pub enter: f64,
    /// bad to good, before a frame: its inverse is the mean length of a burst
    pub leave: f64,
    #[serde(default)]
    pub good_loss: f64,
    #[serde(default = "one")]
    pub bad_loss: f64,
}

fn one() -> f64 {
    1.0
}

impl Burst {
    /// Part of all frames that is lost in the long run.
    pub fn mean_loss(&self) -> f64 {
        let bad = self.enter / (self.enter + self.leave);
        bad * self.bad_loss + (1.0 - bad) * self.good_loss
    }
}

/// When a queue marks frames with "congestion experienced": never below `from_bytes`, always from `to_bytes`, between them with a
/// probability that rises evenly from 0 to `probability`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ecn {
    pub from_bytes: u64,
    pub to_bytes: u64,
    #[serde(default = "one")]
    pub probability: f64,
}

/// A value that no network has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("network: `{key}` is {value}; {allowed}")]
pub struct ConfigError {
    pub key: String,
    pub value: String,
    pub allowed: String,
}

fn refuse<T>(key: &str, value: impl ToString, allowed: &str) -> Result<T, ConfigError> {
    Err(ConfigError { key: key.to_string(), value: value.to_string(), allowed: allowed.to_string() })
}

fn number(key: String, value: f64, low: f64, high: f64) -> Result<(), ConfigError> {
    if (low..=high).contains(&value) { Ok(()) } else { refuse(&key, value, &format!("{low} to {high} is allowed")) }
}

/// Most parallel paths of one way.
pub(super) const PATHS: u64 = 64;

impl Config {
    /// Makes every path of both ways lose this part of the frames, each for itself; what else the paths do stays.
    pub fn set_loss(&mut self, loss: f64) {
        self.each_path(|path| path.loss = loss);
    }

    /// The same with what is added to the delay at most, in nanoseconds.
    pub fn set_jitter(&mut self, jitter: f64) {
        self.each_path(|path| path.jitter_ns = jitter);
    }

    /// The same with the time there and back, in nanoseconds: half of it is each way's delay, which does not change then.
    pub fn set_round_trip(&mut self, round_trip: f64) {
        self.each_path(|path| {
            path.delay_ns = round_trip / 2.0;
            path.delay_changes.clear();
        });
    }

    fn each_path(&mut self, change: impl Fn(&mut Path)) {
        if self.both.is_none() && self.forward.is_none() && self.backward.is_none() {
            self.both = Some(Way::default());
        }
        for way in [&mut self.both, &mut self.forward, &mut self.backward].into_iter().flatten() {
            if way.path.is_empty() {
                way.path.push(Path::default());
            }
            way.path.iter_mut().for_each(&change);
        }
    }

    /// Forward and backward, each with one entry per path, all values possible.
    /// # Errors
    /// The first that is not.
    pub(super) fn ways(&self) -> Result<[Way; 2], ConfigError> {
        let named = [("forward", &self.forward), ("backward", &self.backward)];
        if self.both.is_some()
            && let Some((name, _)) = named.iter().find(|(_, way)| way.is_some())
        {
            return refuse(name, "given beside `both`", "give either `both`, or `forward` and `backward`");
        }
        let way = |(name, own): (&str, &Option<Way>)| match own {
            Some(way) => way.checked(name),
            None => self.both.clone().unwrap_or_default().checked("both"),
        };
        Ok([way(named[0])?, way(named[1])?])
    }
}

impl Way {
    fn checked(&self, name: &str) -> Result<Way, ConfigError> {
        let mut paths = Vec::new();
        for (at, path) in self.path.iter().enumerate() {
            let key = format!("{name}.path[{at}]");
            path.check(&key)?;
            if paths.len() as u64 + u64::from(path.count) > PATHS {
                return refuse(&format!("{key}.count"), path.count, &format!("all paths together are at most {PATHS}"));
            }
            paths.extend(std::iter::repeat_n(path.clone(), path.count as usize));
        }
        if paths.is_empty() {
            paths.push(Path::default());
        }
        Ok(Way { spread: self.spread, path: paths })
    }
}

impl Path {
    fn check(&self, key: &str) -> Result<(), ConfigError> {
        let key = |name: &str| format!("{key}.{name}");
        if self.count == 0 {
            return refuse(&key("count"), 0, &format!("1 to {PATHS} is allowed"));
        }
        number(key("rate_gbps"), self.rate_gbps, 0.001, 10_000.0)?;
        number(key("delay_ns"), self.delay_ns, 0.0, 1e9)?;
        let mut before = 0.0;
        for (at, change) in self.delay_changes.iter().enumerate() {
            number(key(&format!("delay_changes[{at}].at_us")), change.at_us, before, 1e6)?;
            number(key(&format!("delay_changes[{at}].delay_ns")), change.delay_ns, 0.0, 1e9)?;
            before = change.at_us;
        }
        number(key("jitter_ns"), self.jitter_ns, 0.0, 1e9)?;
        number(key("overhead_bytes"), self.overhead_bytes.into(), 0.0, 1024.0)?;
        number(key("loss"), self.loss, 0.0, 1.0)?;
        number(key("duplicate"), self.duplicate, 0.0, 1.0)?;
        number(key("corrupt"), self.corrupt, 0.0, 1.0)?;
        number(key("corrupt_bits"), self.corrupt_bits.into(), 1.0, 1024.0)?;
        if let Some(burst) = &self.burst {
            number(key("burst.enter"), burst.enter, 0.0, 1.0)?;
            number(key("burst.leave"), burst.leave, 0.0, 1.0)?;
            number(key("burst.good_loss"), burst.good_loss, 0.0, 1.0)?;
            number(key("burst.bad_loss"), burst.bad_loss, 0.0, 1.0)?;
            if Chance::new(burst.enter).never() && Chance::new(burst.leave).never() {
                return refuse(&key("burst.leave"), burst.leave, "with `enter` 0 it must be above 0; leave `burst` out for no bursts");
            }
        }
        if let Some(ecn) = &self.ecn {
            number(key("ecn.probability"), ecn.probability, 0.0, 1.0)?;
            if ecn.to_bytes < ecn.from_bytes {
                let allowed = format!("`from_bytes` ({}) or more is allowed", ecn.from_bytes);
                return refuse(&key("ecn.to_bytes"), ecn.to_bytes, &allowed);
            }
            if self.queue_bytes > 0 && ecn.from_bytes >= self.queue_bytes {
                let allowed = format!("less than `queue_bytes` ({}) is allowed, or nothing is ever marked", self.queue_bytes);
                return refuse(&key("ecn.from_bytes"), ecn.from_bytes, &allowed);
            }
        }
        Ok(())
    }
}
