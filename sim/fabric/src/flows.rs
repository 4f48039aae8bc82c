//! Flows: sizes from a distribution, arrivals at random.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// A published distribution of flow sizes; see `workloads/README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Workload {
    Websearch,
    Hadoop,
    Alistorage,
}

impl Workload {
    /// Bytes and cumulative share, ascending.
    pub fn points(self) -> Vec<(f64, f64)> {
        let text = match self {
            Workload::Websearch => include_str!("../workloads/websearch.csv"),
            Workload::Hadoop => include_str!("../workloads/fbhadoop.csv"),
            Workload::Alistorage => include_str!("../workloads/alistorage2019.csv"),
        };
        let parse =
            |line: &str| line.split_once(',').and_then(|(bytes, share)| Some((bytes.parse().ok()?, share.parse::<f64>().ok()? / 100.0)));
        text.lines().filter_map(parse).collect()
    }

    /// Mean bytes of a flow.
    pub fn mean(self) -> f64 {
        self.points().windows(2).map(|pair| (pair[0].0 + pair[1].0) / 2.0 * (pair[1].1 - pair[0].1)).sum()
    }
}

/// One flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    pub source: usize,
    pub destination: usize,
    pub bytes: u64,
    pub start: u64,
}

/// `count` flows from the hosts `0..hosts` to `hosts..2 * hosts`, Poisson, so that their payload is `load` of `rate` bits a second.
pub fn poisson(workload: Workload, count: usize, hosts: usize, load: f64, rate: u64, seed: u64) -> Vec<Spec> {
    let (points, mut random) = (workload.points(), ChaCha8Rng::seed_from_u64(seed));
    let between = workload.mean() * 8.0 / (load * rate as f64) * super::SECOND as f64;
    let mut now = 0.0;
    (0..count)
        .map(|_| {
            now += -between * random.random_range(f64::MIN_POSITIVE..1.0_f64).ln();
            let share: f64 = random.random();
            let at = points.partition_point(|point| point.1 <= share).clamp(1, points.len() - 1);
            let ((low, from), (high, to)) = (points[at - 1], points[at]);
            let bytes = low + (high - low) * (share - from) / (to - from);
            let (source, destination) = (random.random_range(0..hosts), hosts + random.random_range(0..hosts));
            Spec { source, destination, bytes: (bytes as u64).max(1), start: now as u64 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_medians_are_those_of_the_published_numbers() {
        for (workload, mean, median) in
            [(Workload::Websearch, 1_711_250.0, 73_077.0), (Workload::Hadoop, 120_421.0, 700.0), (Workload::Alistorage, 40_870.0, 6_340.0)]
        {
            assert!((workload.mean() - mean).abs() < 1.0, "{workload:?}: {}", workload.mean());
            let flows = poisson(workload, 100_001, 4, 0.3, 10_000_000_000, 7);
            let mut sizes: Vec<u64> = flows.iter().map(|flow| flow.bytes).collect();
            sizes.sort_unstable();
            let half = sizes[50_000] as f64;
            assert!((half / median - 1.0).abs() < 0.03, "{workload:?}: median {half}");
            let load = flows.iter().map(|flow| flow.bytes as f64 * 8.0).sum::<f64>() / (flows[100_000].start as f64 / 1e12) / 1e10;
            assert!((load / 0.3 - 1.0).abs() < 0.03, "{workload:?}: load {load}");
        }
    }
}
