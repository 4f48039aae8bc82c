//! A network of several paths: it loses, repeats and reorders frames.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How bad it is. Shares are of 10 000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub lost: u32,
    pub repeated: u32,
    /// delay of each path, in ticks
    pub paths: [u64; 4],
    /// most that is added to it at random
    pub jitter: u64,
}

impl Way {
    /// Four paths that are up to `skew` ticks apart.
    pub fn new(lost: u32, repeated: u32, skew: u64) -> Way {
        Way { lost, repeated, paths: [20, 20 + skew / 5, 20 + skew / 2, 20 + skew], jitter: skew / 10 }
    }

    /// Longest way.
    pub fn longest(&self) -> u64 {
        self.paths.iter().max().unwrap_or(&0) + self.jitter
    }
}

/// Frames under way in one direction.
pub struct Network {
    way: Way,
    random: ChaCha8Rng,
    under_way: BinaryHeap<Reverse<(u64, u64, Vec<u8>)>>,
    serial: u64,
    pub lost: u64,
    pub repeated: u64,
}

impl Network {
    pub fn new(way: Way, seed: u64) -> Network {
        let random = ChaCha8Rng::seed_from_u64(seed);
        Network { way, random, under_way: BinaryHeap::new(), serial: 0, lost: 0, repeated: 0 }
    }

    pub fn send(&mut self, now: u64, frame: Vec<u8>) {
        if self.random.random_range(0..10_000) < self.way.lost {
            self.lost += 1;
            return;
        }
        if self.random.random_range(0..10_000) < self.way.repeated {
            self.repeated += 1;
            self.carry(now, frame.clone());
        }
        self.carry(now, frame);
    }

    fn carry(&mut self, now: u64, frame: Vec<u8>) {
        let path = self.way.paths[self.random.random_range(0..4)];
        let delay = path + self.random.random_range(0..=self.way.jitter);
        self.serial += 1;
        self.under_way.push(Reverse((now + delay, self.serial, frame)));
    }

    /// The next frame that has arrived by now.
    pub fn arrive(&mut self, now: u64) -> Option<Vec<u8>> {
        if self.under_way.peek().is_none_or(|Reverse((when, ..))| *when > now) {
            return None;
        }
        self.under_way.pop().map(|Reverse((_, _, frame))| frame)
    }

    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }
}
