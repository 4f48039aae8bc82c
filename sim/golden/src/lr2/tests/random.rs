//! Random packets over everything that a way can do to them, with checking cards at both ends.

use super::*;
use crate::lr2::Gate;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One run: `flows` flows with about `packets` packets in all, everything else drawn from the seed.
fn run(flows: usize, packets: u32, seed: u64) -> Result<(u64, u64), String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let lossy = |random: &mut ChaCha8Rng, most: u32, delay: u64| {
        let hard = random.random_range(0..3) == 0;
        let share = |random: &mut ChaCha8Rng| if hard { random.random_range(0..most) } else { random.random_range(0..most / 20) };
        Segment {
            delay,
            lose: share(random),
            double: share(random) / 4,
            spoil: share(random) / 4,
            late: share(random) / 4,
            jitter: if random.random() { 0 } else { random.random_range(0..2000) },
        }
    };
    let haul = random.random_range(2_000..40_000);
    let segments = [lossy(&mut random, 20_000, 500), lossy(&mut random, 80_000, haul), lossy(&mut random, 20_000, 500)];
    let round = 2 * (haul + 1000);
    let card = Card {
        timeout: 4 * round + 20_000,
        retries: 1000,
        rnr_wait: random.random_range(1..3000),
        coalesce: random.random_range(1..4),
        aware: random.random(),
        nak_after_rnr: random.random(),
        ..Card::default()
    };
    let slots = [0, 1, 7, 64, 4096][random.random_range(0..5)];
    let backups = [0, 1, 16, 256][random.random_range(0..4)];
    let depot = DepotParams { flows: flows.max(2), slots, backups, segments: random.random_range(1..200), ..DepotParams::default() };
    let paced = random.random_range(0..3);
    let depot_config = DepotConfig {
        tolerance_packets: random.random_range(0..3),
        tolerance: random.random_range(0..2) * 300,
        renack: 2 * round,
        retry: 3000,
        reack: random.random_range(0..2) * 1000,
        quota: [0, 5, 100][random.random_range(0..3)],
        idle: [0, 100_000][random.random_range(0..2)],
        pace: [0, 3000, 7000][paced],
        flow_pace: [0, 6000, 7000][paced],
        line: [0, 3000, 7000][paced],
        ..DepotConfig::default()
    };
    let sentry = SentryParams { flows: flows.max(2), bits: 1 << random.random_range(10..14), ..SentryParams::default() };
    let probe = [0, round][random.random_range(0..2)];
    let sentry_config =
        SentryConfig { local: 4000, filter: 3 * round, renack: 3000, probe, follow: random.random(), ..SentryConfig::default() };
    let posts = (random.random_range(0..3) == 0).then_some((20_000, 2));
    let config = Config { segments, interval: random.random_range(100..400), card, posts, limit: 600_000_000 };
    let mut path = Path::new(Sentry::new(sentry, sentry_config)?, Depot::new(depot, depot_config)?, config, seed);
    for _ in 0..flows {
        let initial = if random.random() { 0xff_ffff - random.random_range(0..200) } else { random.random_range(0..1 << 24) };
        let (mut messages, mut left) = (Vec::new(), (packets / flows as u32).max(1));
        while left != 0 {
            let some = random.random_range(1..=left.min(60));
            messages.push((some, random.random_range(0..10) == 0));
            left -= some;
        }
        path.flow(initial, &messages)?;
    }
    path.run()?;
    // what is still held then is what nobody waits for; with the flows it is gone
    for flow in 0..flows {
        let key = path.key(flow);
        path.depot.close(key);
    }
    if path.depot.in_use() != (0, 0, 0) {
        return Err(format!("slots, backups, segments {:?} are still in use when no flow is open", path.depot.in_use()));
    }
    Ok((path.packets, path.crossed))
}

fn many(flows: usize, packets: u32, runs: u64, first: u64) {
    for seed in first..first + runs {
        if let Err(wrong) = run(flows, packets, seed) {
            panic!("{flows} flows, {packets} packets, seed {seed}: {wrong}");
        }
    }
}

/// `RDMA_RTL_LR2_PACKETS` packets in all, for each number of flows; a few seconds without.
#[test]
fn nothing_is_lost_nothing_comes_twice_nothing_out_of_order() {
    let packets: u32 = std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000);
    for (flows, each) in [(1, 2_000), (64, 6_400), (1024, 8_192)] {
        many(flows, each, u64::from((packets / each).max(1)), 1);
    }
}
