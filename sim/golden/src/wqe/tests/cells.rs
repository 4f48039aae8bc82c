//! Random work requests over bad networks.

use super::harness::{Report, Scenario, run};
use super::*;

/// Work requests of a cell of the default tests.
const SMALL: usize = 120;

fn small(lost: u32, seed: u64) -> Scenario {
    Scenario::new(SMALL, 256, lost, 200, seed)
}

fn go(name: &str, scenario: &Scenario) -> Report {
    let report = run(scenario).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let Report { ticks, lost, sender, receiver } = &report;
    println!(
        "{name}: {ticks} ticks, {} sent, {lost} lost, {} sent again, {} time-outs; direct {}, buffered {}, deferred {}, duplicates {}, dropped {:?}",
        sender.sent,
        sender.retransmitted,
        sender.timeouts,
        receiver.direct,
        receiver.buffered,
        receiver.deferred,
        receiver.duplicates,
        receiver.dropped
    );
    report
}

#[test]
fn every_loss_rate() {
    for lost in [0, 100, 500, 2000] {
        for seed in 0..4 {
            let report = go(&format!("{lost} of 10 000, seed {seed}"), &small(lost, seed));
            assert!(lost == 0 || report.sender.retransmitted >= report.lost);
        }
    }
}
