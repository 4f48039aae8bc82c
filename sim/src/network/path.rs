//! One path: a queue before a link, and what happens to frames on it.

use super::chance::{Chance, Dice};
use super::config::Path as Config;
use super::{Carried, Stats};

/// A frame that comes out at the other end.
pub(super) struct Out<F> {
    /// picoseconds
    pub at: u64,
    pub frame: F,
    pub corrupted: bool,
    pub duplicate: bool,
    pub marked: bool,
}

pub(super) struct Path {
    config: Config,
    /// femtoseconds for which a byte occupies the link
    byte: u64,
    /// when the link is free: femtoseconds
    free: u128,
    bad: bool,
    losses: Dice,
    bursts: Dice,
    duplicates: Dice,
    corruptions: Dice,
    jitters: Dice,
    marks: Dice,
    pub stats: Stats,
}

/// Shortest frame on an Ethernet, without its check sequence.
const SHORTEST: u64 = 60;

fn picoseconds(nanoseconds: f64) -> u64 {
    (nanoseconds * 1000.0).round() as u64
}

impl Path {
    /// `number`: of all paths of the network.
    pub fn new(config: Config, seed: u64, number: u64) -> Path {
        let dice = |kind: u64| Dice::new(seed, number * 8 + kind);
        Path {
            byte: (8e6 / config.rate_gbps).round() as u64,
            free: 0,
            bad: false,
            losses: dice(0),
            bursts: dice(1),
            duplicates: dice(2),
            corruptions: dice(3),
            jitters: dice(4),
            marks: dice(5),
            stats: Stats::default(),
            config,
        }
    }

    /// Bytes that wait for the link, or are on it, at `now` (femtoseconds).
    fn backlog(&self, now: u128) -> u64 {
        (self.free.saturating_sub(now)).div_ceil(self.byte.into()) as u64
    }

    /// `frame` arrives at the queue at `now` (picoseconds); what comes out of the path of it.
    pub fn send<F: Carried>(&mut self, now: u64, mut frame: F) -> Vec<Out<F>> {
        let now = u128::from(now) * 1000;
        let bytes = frame.bytes().max(SHORTEST) + u64::from(self.config.overhead_bytes);
        let backlog = self.backlog(now);
        self.stats.sent += 1;
        if self.config.queue_bytes > 0 && backlog + bytes > self.config.queue_bytes {
            self.stats.queue_dropped += 1;
            return Vec::new();
        }
        self.stats.most_queued = self.stats.most_queued.max(backlog + bytes);
        let marked = self.wants_mark(backlog) && frame.mark();
        self.stats.marked += u64::from(marked);
        self.free = self.free.max(now) + u128::from(bytes) * u128::from(self.byte);
        if self.loses() {
            return Vec::new();
        }
        let duplicated = self.duplicates.happens(Chance::new(self.config.duplicate));
        self.stats.duplicated += u64::from(duplicated);
        let mut outs = Vec::new();
        for duplicate in [false, true].into_iter().take(1 + usize::from(duplicated)) {
            let mut frame = frame.clone();
            let corrupted = self.corrupt(&mut frame);
            outs.push(Out { at: self.arrival(), frame, corrupted, duplicate, marked });
        }
        outs
    }

    fn wants_mark(&mut self, backlog: u64) -> bool {
        let Some(ecn) = self.config.ecn else { return false };
        let chance = if backlog >= ecn.to_bytes {
            1.0
        } else if backlog < ecn.from_bytes {
            0.0
        } else {
            ecn.probability * (backlog - ecn.from_bytes) as f64 / (ecn.to_bytes - ecn.from_bytes) as f64
        };
        self.marks.happens(Chance::new(chance))
    }

    fn loses(&mut self) -> bool {
        let random = self.losses.happens(Chance::new(self.config.loss));
        let burst = self.config.burst.is_some_and(|burst| {
            let change = if self.bad { burst.leave } else { burst.enter };
            self.bad ^= self.bursts.happens(Chance::new(change));
            self.bursts.happens(Chance::new(if self.bad { burst.bad_loss } else { burst.good_loss }))
        });
        self.stats.lost_random += u64::from(random);
        self.stats.lost_burst += u64::from(burst && !random);
        random || burst
    }

    /// Flips bits, all different ones.
    fn corrupt(&mut self, frame: &mut impl Carried) -> bool {
        if !self.corruptions.happens(Chance::new(self.config.corrupt)) || frame.bytes() == 0 {
            return false;
        }
        let bits = frame.bytes() * 8;
        let mut flipped = std::collections::BTreeSet::new();
        while (flipped.len() as u64) < bits.min(self.config.corrupt_bits.into()) {
            flipped.insert(self.corruptions.below(bits));
        }
        for bit in flipped {
            frame.flip(bit);
        }
        self.stats.corrupted += 1;
        true
    }

    /// When a frame whose last bit has just been sent is there.
    fn arrival(&mut self) -> u64 {
        let sent = self.free.div_ceil(1000) as u64;
        let jitter = self.jitters.below(picoseconds(self.config.jitter_ns) + 1);
        let changed = self.config.delay_changes.iter().take_while(|change| sent >= picoseconds(change.at_us * 1000.0)).last();
        sent + picoseconds(changed.map_or(self.config.delay_ns, |change| change.delay_ns)) + jitter
    }
}
