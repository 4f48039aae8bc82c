//! What a Sentry decides, packet by packet: verilated, in lockstep with the Rust, with faults in the hardware and faults in the golden model.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::fault::Fault as Golden;
use rdma_rtl_golden::lr2::params::SentryConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::sentry_step::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const OFF: SentryConfig =
    SentryConfig { local: 0, filter: 0, renack: 0, probe: 0, follow: false, cnp: 0, spare: 0, unfiltered: false, idle: 0 };
/// Standard and aware cards, known and unknown `una`, every register on and off, one flow and many, idle clocks.
const MIXES: [Mix; 10] = [
    Mix::PLAIN,
    Mix { aware: true, ..Mix::PLAIN },
    Mix { unset: true, config: SentryConfig { probe: 30, idle: 90, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { unset: true, aware: true, config: SentryConfig { probe: 50, idle: 200, cnp: 3, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { config: OFF, ..Mix::PLAIN },
    Mix { config: SentryConfig { follow: false, ..Mix::CONFIG }, offer: 40, ..Mix::PLAIN },
    Mix { config: SentryConfig { filter: 0, local: 200, spare: 0, renack: 3, ..Mix::CONFIG }, flows: 5, ..Mix::PLAIN },
    Mix { config: SentryConfig { unfiltered: true, ..Mix::CONFIG }, aware: true, flows: 8, ..Mix::PLAIN },
    Mix { flows: 1, unset: true, config: SentryConfig { probe: 9, idle: 30, filter: 500, local: 2, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { flows: 64, offer: 90, config: SentryConfig { filter: 2000, local: 400, renack: 100, probe: 900, idle: 3000, ..Mix::CONFIG }, ..Mix::PLAIN },
];

fn run(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// Packets of each mixture.
fn packets() -> u64 {
    std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

#[test]
fn every_decision_is_the_golden_one() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("sentry_step", profile).unwrap().elaborate().unwrap());
        let mut all = Seen::default();
        for (seed, mix) in (seed()..).zip(MIXES) {
            all = all.and(&run(&mut model, packets(), mix, seed));
        }
        use Verdict::*;
        for verdict in [Untouched, Forwarded, Asked, Replayed, Filtered, Gap, Passed, Noted, Stale, Strange] {
            assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 100), "{profile}: {verdict:?} is rare: {all:?}");
        }
        let rare = [all.sentry_nacks, all.passed, all.cnps, all.probes, all.flushed, all.lives, all.clipped, all.timeout_replays, all.clears];
        assert!(rare.iter().all(|&count| count > 100), "{profile}: {all:?}");
    }
}

#[test]
fn an_event_a_clock() {
    let mut model = verilated(&catalogue::find("sentry_step", "small").unwrap().elaborate().unwrap());
    let seen = run(&mut model, 5000, Mix::PLAIN, seed());
    assert!(seen.clocks < seen.events + seen.events / 20, "{seen:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let step = catalogue::find("sentry_step", "small").unwrap();
    let mut model = Lockstep::new(("native", step.native().unwrap()), ("verilated", verilated(&step.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 300, mix, seed);
    }
}
