//! The network of one bottleneck: what can be computed without it, and ends that are wrong on purpose.

use rdma_rtl_fabric::MICRO;
use rdma_rtl_fabric::congestion::cell::{Case, Cell, Outcome, RuleSet};
use rdma_rtl_fabric::congestion::ends::Scheme;
use rdma_rtl_fabric::congestion::table::{BURST_HEAD, INCAST_HEAD, Row};
use rdma_rtl_golden::congestion::fault::Fault;

const BURST: Case = Case::Burst { senders: 2 };

fn run(case: Case, rules: RuleSet, seed: u64) -> Outcome {
    Cell::new(case, rules).run(seed).expect("a cell runs")
}

/// A burst with senders and receivers that have this fault.
fn wrong(fault: Fault) -> Outcome {
    let cell = Cell::new(BURST, RuleSet::Level);
    let Scheme::Ceth { mut settings, mut receiver } = cell.scheme() else { panic!("rule (1) is CETH") };
    (settings.fault, receiver.degree.fault) = (Some(fault), Some(fault));
    cell.run_with(Scheme::Ceth { settings, receiver }, 1).expect("a cell runs")
}

#[test]
fn without_a_competitor_nobody_is_marked_and_nobody_waits() {
    let cell = Cell::new(BURST, RuleSet::Level);
    let mut network = cell.network(cell.scheme(), 1).expect("a cell runs");
    // the competitor starts at 200 us; queue pairs start within 10 us
    network.run(50 * MICRO);
    let before = network.bottleneck.stats.bytes;
    network.run(190 * MICRO);
    let utilisation = network.utilisation(before, 140 * MICRO);
    assert!((utilisation - 0.95).abs() < 0.002, "{utilisation}");
    assert_eq!((network.seen.marks, network.seen.full_since), (0, Some(0)));
    // two senders that are paced meet once in a while: a frame waits, and no more
    assert!(network.bottleneck.stats.peak_queue <= 2 * 1106, "{}", network.bottleneck.stats.peak_queue);
}

#[test]
fn the_first_change_takes_the_way_of_the_mark_and_no_longer() {
    for rules in [RuleSet::Level, RuleSet::Depth, RuleSet::Delay, RuleSet::Dcqcn900] {
        let outcome = run(BURST, rules, 1);
        let first = outcome.first_change_us.expect("a sender slows");
        // 400 KB before it, 2 us to the receiver, 4 us back, and a packet of each on the way
        assert!((38.0..41.0).contains(&first), "{rules:?}: {first}");
    }
}

#[test]
fn every_rule_recovers_in_two_windows_once_the_queue_is_below_its_threshold() {
    for rules in [RuleSet::Level, RuleSet::Depth, RuleSet::Delay] {
        let outcome = run(BURST, rules, 2);
        let full = outcome.full_again_us.expect("all are at full rate");
        // the last marked packet leaves the queue after 128 us at most
        assert!(full > 6.0 && full < 32.0 + 4.0 * 8.5 + 40.0, "{rules:?}: {full}");
        assert!(outcome.overflows == 0 && outcome.utilisation > 0.945, "{rules:?}: {outcome:?}");
    }
}

#[test]
fn ends_that_are_wrong_show() {
    let right = run(BURST, RuleSet::Level, 1);
    assert_eq!(wrong(Fault::NeverRises).full_again_us, None);
    assert_eq!(wrong(Fault::HoldRises), right);
    let wait = wrong(Fault::MarkWaits).first_change_us.expect("a sender slows");
    assert!(wait >= right.first_change_us.expect("a sender slows"), "{wait}");
    // who rises although marks come fills the queue
    assert!(wrong(Fault::RisesInMarkedWindow).queue_mean_kb > 1.2 * right.queue_mean_kb);
}

#[test]
fn who_does_nothing_fills_the_buffer_and_loses() {
    let cell = Cell { buffer: 1_000_000, ..Cell::new(Case::Burst { senders: 8 }, RuleSet::None) };
    let outcome = cell.run(1).expect("a cell runs");
    // 55 Gb/s too much for 500 us are 3.4 MB
    assert!(outcome.overflows > 2000 && outcome.resent > 2000, "{outcome:?}");
    assert!(outcome.queue_p99_kb <= 1000.0 && outcome.queue_p99_kb > 990.0, "{}", outcome.queue_p99_kb);
    let level = Cell { rules: RuleSet::Level, buffer: 3_000_000, ..cell };
    assert_eq!(level.run(1).expect("a cell runs").overflows, 0);
}

#[test]
fn the_same_seed_gives_the_same_figures_and_every_row_its_line() {
    let text = |seed| serde_json::to_string(&run(BURST, RuleSet::Level, seed)).expect("an outcome is text");
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
    let columns = |line: &str| line.matches('|').count();
    for (case, head) in [(BURST, BURST_HEAD), (Case::Incast { senders: 2 }, INCAST_HEAD)] {
        let cell = Cell::new(case, RuleSet::None);
        let row = Row::new(&cell, &[run(BURST, RuleSet::None, 1), run(BURST, RuleSet::None, 2)]);
        assert!(head.lines().all(|line| columns(line) == columns(&row.line())), "{}", row.line());
    }
}
