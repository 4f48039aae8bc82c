//! A network of several paths, each first-in first-out: it delays, loses and repeats frames, and counts what it did on each.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One path. Shares are of 10 000.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// ticks
    pub delay: u64,
    /// most that is added to it at random; no packet overtakes another on its path
    pub jitter: u64,
    pub lost: u32,
    pub repeated: u32,
}

/// What a path did to the frames of a queue pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub offered: u64,
    pub lost: u64,
    /// copies that are no frame's first
    pub repeated: u64,
    pub delivered: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.offered += other.offered;
        self.lost += other.lost;
        self.repeated += other.repeated;
        self.delivered += other.delivered;
    }
}

/// What is carried: when, in which order, of which queue pair, over which path.
type Carried<T> = Reverse<(u64, u64, u32, u8, T)>;

#[derive(Debug)]
pub struct Network<T: Ord> {
    ways: Vec<Way>,
    /// when the last frame of each path arrives
    last: Vec<u64>,
    tallies: Vec<Vec<Tally>>,
    under_way: BinaryHeap<Carried<T>>,
    serial: u64,
    random: ChaCha8Rng,
}

impl<T: Clone + Ord> Network<T> {
    pub fn new(ways: &[Way], queue_pairs: usize, seed: u64) -> Network<T> {
        Network {
            ways: ways.to_vec(),
            last: vec![0; ways.len()],
            tallies: vec![vec![Tally::default(); ways.len()]; queue_pairs],
            under_way: BinaryHeap::new(),
            serial: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    fn chance(&mut self, share: u32) -> bool {
        share > 0 && self.random.random_range(0..10_000) < share
    }

    pub fn send(&mut self, now: u64, qp: u32, path: u8, thing: &T) {
        let way = self.ways[usize::from(path)];
        let is_lost = self.chance(way.lost);
        let copies = if is_lost { 0 } else { 1 + u64::from(self.chance(way.repeated)) };
        for _ in 0..copies {
            let jitter = if way.jitter > 0 { self.random.random_range(0..=way.jitter) } else { 0 };
            let last = &mut self.last[usize::from(path)];
            *last = (*last).max(now + way.delay + jitter);
            self.serial += 1;
            self.under_way.push(Reverse((*last, self.serial, qp, path, thing.clone())));
        }
        let tally = Tally { offered: 1, lost: is_lost.into(), repeated: copies.saturating_sub(1), delivered: 0 };
        self.tallies[qp as usize][usize::from(path)].add(&tally);
    }

    /// The next thing that has arrived by now.
    pub fn arrive(&mut self, now: u64) -> Option<T> {
        self.under_way.peek().filter(|Reverse((when, ..))| *when <= now)?;
        let Reverse((_, _, qp, path, thing)) = self.under_way.pop()?;
        self.tallies[qp as usize][usize::from(path)].delivered += 1;
        Some(thing)
    }

    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Of one queue pair, each path.
    pub fn of(&self, qp: u32) -> &[Tally] {
        &self.tallies[qp as usize]
    }

    /// Of one path, those queue pairs that are asked for.
    pub fn on(&self, path: u8, is_asked: impl Fn(u32) -> bool) -> Tally {
        let mut sum = Tally::default();
        let asked = self.tallies.iter().zip(0..).filter(|&(_, qp)| is_asked(qp));
        asked.for_each(|(tallies, _)| sum.add(&tallies[usize::from(path)]));
        sum
    }

    pub fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        self.tallies.iter().flatten().for_each(|tally| sum.add(tally));
        sum
    }
}
