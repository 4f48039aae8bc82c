//! Counts add up: over queue pairs, over paths, globally, and to what the network did.

use super::harness::{Scenario, run};
use super::network::Way;
use super::*;
use crate::bitmap::Params;

/// `queue_pairs` queue pairs in all modes, `packets` packets each, over four paths that lose, repeat and delay.
fn many(queue_pairs: usize, packets: u32, seed: u64) -> Scenario {
    let spreads = [
        Spread::Tagged(Choice::RoundRobin),
        Spread::Striped,
        Spread::Tagged(Choice::LeastUnacknowledged),
        Spread::Untagged(Choice::RoundRobin),
    ];
    let four = Scenario::four(Spread::Striped, packets, None, seed);
    let lost = [10, 0, 100, 30];
    let ways = four.ways.iter().zip(lost).map(|(&way, lost)| Way { lost, repeated: 100, ..way }).collect();
    let mut scenario = Scenario {
        spreads: spreads.into_iter().cycle().take(queue_pairs).collect(),
        params: Params { paths: 4, records: 16, ..Params::new(queue_pairs, 256) },
        ways,
        back: Way { lost: 50, repeated: 50, ..four.back },
        rate: 8,
        ..four
    };
    scenario.sender.path_bad = 2;
    scenario.sender.window = 256;
    (scenario.sender.base_length, scenario.sender.max_length) = (256, 256);
    scenario
}

fn add_up(queue_pairs: usize, packets: u32, seed: u64) {
    let scenario = many(queue_pairs, packets, seed);
    let report = run(&scenario).unwrap();
    let sum = report.onward.sum();
    println!(
        "{} packets offered, {} lost, {} repeated by the network, {} sent again, {} misjudged, {} ticks",
        sum.offered,
        sum.lost,
        sum.repeated,
        report.repeated(),
        report.misjudged(),
        report.ticks
    );
    assert!(sum.offered >= queue_pairs as u64 * u64::from(packets) && sum.lost > 0 && sum.repeated > 0);
    let duplicates = report.receiver.statistics().all().get(Count::Duplicates);
    assert!(duplicates > 0 && report.receiver.statistics().paths().iter().all(|row| row.get(Count::Packets) > 0));
}

#[test]
fn counts_add_up() {
    add_up(16, 4000, 7);
}

#[test]
fn counts_of_a_million_packets_add_up() {
    add_up(256, 3907, 8);
}
