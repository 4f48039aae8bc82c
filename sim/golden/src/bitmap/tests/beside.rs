//! The receiver beside sets of numbers that never wrap.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// What a queue pair should know, with PSNs counted on from the initial one.
struct Naive {
    initial: u32,
    seen: BTreeSet<u64>,
}

impl Naive {
    fn base(&self) -> u64 {
        (0..).find(|at| !self.seen.contains(at)).unwrap_or_default()
    }

    fn verdict(&mut self, at: i64, params: &Params, step: u64) -> Verdict {
        let start = self.base() / step * step;
        let size = u64::from(params.bits * params.granularity);
        match u64::try_from(at) {
            Ok(at) if at >= start + size => Verdict::OutOfWindow,
            Ok(at) if self.seen.insert(at) => Verdict::New,
            _ => Verdict::Duplicate,
        }
    }

    /// Runs of incomplete groups with a complete one after them, from their first to their last missing packet.
    fn gaps(&self, granularity: u64) -> Vec<(u64, u64)> {
        let complete = |group: u64| (0..granularity).all(|at| self.seen.contains(&(group * granularity + at)));
        let top = self.seen.last().map_or(0, |last| last / granularity + 1);
        let mut gaps: Vec<(u64, u64)> = Vec::new();
        let mut joined = false;
        let last_complete = (0..top).rev().find(|&group| complete(group)).unwrap_or(0);
        for group in 0..last_complete {
            let missing: Vec<u64> = (group * granularity..(group + 1) * granularity).filter(|at| !self.seen.contains(at)).collect();
            match (missing.first(), missing.last(), gaps.last_mut()) {
                (Some(_), Some(&last), Some(gap)) if joined => gap.1 = last,
                (Some(&first), Some(&last), _) => gaps.push((first, last)),
                _ => {}
            }
            joined = !missing.is_empty();
        }
        gaps
    }
}

fn mixture(params: Params, seed: u64, packets: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let step = params.granularity * [1, 2, 4][rng.random_range(0..3)];
    let config = Config { slide_step: step, ..Config::defaults(params.granularity) };
    let mut receiver = Receiver::new(params, config).unwrap();
    let window = i64::from(params.bits * params.granularity);
    let mut naive: Vec<Option<Naive>> = (0..4).map(|_| None).collect();
    let (mut verdicts, mut wraps) = ([0; 4], 0);
    for _ in 0..packets {
        let qp = rng.random_range(0..4u32);
        let slot = &mut naive[qp as usize];
        if rng.random_range(0..400) == 0 {
            let initial = psn::sub(0, rng.random_range(0..40));
            assert!(receiver.open(qp, initial, PathMode::Off));
            *slot = Some(Naive { initial, seen: BTreeSet::new() });
        } else if slot.is_some() && rng.random_range(0..3000) == 0 {
            assert!(receiver.close(qp));
            *slot = None;
        }
        let Some(naive) = slot else {
            assert_eq!(receiver.arrive(qp, rng.random(), 0, false).verdict, Verdict::UnknownQp);
            verdicts[3] += 1;
            continue;
        };
        let base = naive.base() as i64;
        let at = match rng.random_range(0..20) {
            0 => base + rng.random_range(-window..2 * window),
            1 => base + rng.random_range(0..window),
            2..10 => base,
            _ => base + rng.random_range(0..12),
        };
        let verdict = naive.verdict(at, &params, step.into());
        let number = psn::add(naive.initial, at.rem_euclid(psn::SPACE.into()) as u32);
        let arrived = receiver.arrive(qp, number, 0, false);
        let count = |at: u64| psn::add(naive.initial, at as u32);
        let max = naive.seen.last().map_or(psn::sub(naive.initial, 1), |&last| count(last));
        assert_eq!(arrived, Arrived { verdict, base: count(naive.base()), max }, "seed {seed}");
        verdicts[verdict as usize] += 1;
        wraps += usize::from(count(naive.base()) < naive.initial);
        let expected: Vec<(u32, u32)> =
            naive.gaps(params.granularity.into()).into_iter().map(|(first, last)| (count(first), count(last))).collect();
        let found: Vec<(u32, u32)> = receiver.gaps(qp).iter().map(|gap| (gap.start, gap.end)).collect();
        assert_eq!(found, expected, "seed {seed}");
    }
    assert!(verdicts.iter().all(|&count| count > 0) && wraps > 0, "{verdicts:?}, {wraps} after the wrap");
}

#[test]
fn every_verdict_base_and_gap() {
    // More records than gaps can be: what covers more than it should is in the tests of the gaps.
    for (seed, granularity) in [(1, 1), (2, 1), (3, 2), (4, 4), (5, 8)] {
        mixture(Params { granularity, records: 200, ..Params::new(4, 128) }, seed, 8000);
    }
    mixture(Params { records: 2000, ..Params::new(4, 1024) }, 6, 4000);
}

#[test]
fn few_records_cover_every_missing_packet() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for granularity in [1, 4] {
        let params = Params { granularity, records: 3, ..Params::new(1, 128) };
        let mut receiver = Receiver::new(params, Config::defaults(granularity)).unwrap();
        receiver.open(5, psn::SPACE - 100, PathMode::Off);
        for _ in 0..20_000 {
            let window = receiver.window(5).unwrap();
            let far = if rng.random() { 2 } else { 60 };
            let at = psn::add(window.base(), rng.random_range(0..far));
            receiver.arrive(5, at, 0, false);
            let (window, gaps) = (receiver.window(5).unwrap(), receiver.gaps(5));
            assert!(gaps.len() <= 3);
            // The highest complete group: what is missing before it is in a record.
            let top = (0..512).map(|back| psn::sub(window.max(), back)).find(|&at| {
                let first = psn::ahead(window.start(), at) / granularity * granularity;
                psn::ahead(window.start(), at) < 512 && (0..granularity).all(|on| window.has(psn::add(window.start(), first + on)))
            });
            for at in top.filter(|&top| psn::before(window.base(), top)).into_iter().flat_map(|top| window.missing(window.base(), top)) {
                assert!(gaps.iter().any(|gap| gap.holds(at)), "{at} is missing; {gaps:?}");
            }
            for gap in gaps {
                assert!(!window.has(gap.start) && !window.has(gap.end), "{gap:?}");
            }
            assert!(gaps.windows(2).all(|pair| psn::before(pair[0].end, pair[1].start)));
        }
    }
}
