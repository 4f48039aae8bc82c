//! The flows of a Sentry: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_golden::lr2::params::SentryConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, one, zero};
use rdma_rtl_tb::lr2::sentry_flows::bench;
use rdma_rtl_tb::lr2::sentry_step::{Mix, Seen};
use rdma_rtl_tb::under_test::{seed, verilated};

const MIXES: [Mix; 5] = [
    Mix::PLAIN,
    Mix { aware: true, offer: 50, ..Mix::PLAIN },
    Mix { unset: true, config: SentryConfig { probe: 60, idle: 300, ..Mix::CONFIG }, offer: 30, ..Mix::PLAIN },
    Mix { config: SentryConfig { filter: 400, local: 100, renack: 40, probe: 200, idle: 2000, ..Mix::CONFIG }, offer: 5, ..Mix::PLAIN },
    Mix { unset: true, aware: true, config: SentryConfig { probe: 100, idle: 100, follow: false, ..Mix::CONFIG }, ..Mix::PLAIN },
];

fn run(model: &mut dyn Model, filter: u32, count: u64, mix: Mix, seed: u64) -> (Seen, u64) {
    bench(model, filter, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// Packets of each mixture.
fn packets() -> u64 {
    std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000)
}

#[test]
fn every_decision_is_the_golden_one() {
    for (profile, filter, flows) in [("small", 1024, 4), ("default", 4096, 64)] {
        let mut model = verilated(&catalogue::find("sentry_flows", profile).unwrap().elaborate().unwrap());
        let mut all = Seen::default();
        for (seed, mix) in (seed()..).zip(MIXES) {
            let (seen, gap) = run(&mut model, filter, packets(), mix, seed);
            // A visit in 64 clocks, and what holds it up.
            println!("{profile}: {gap} clocks without a visit at most");
            assert!(gap < 64 * flows * 2 + 200, "{profile}: {gap} clocks without a visit; {seen:?}");
            all = all.and(&seen);
        }
        let rare = [all.sentry_nacks, all.passed, all.cnps, all.probes, all.flushed, all.lives, all.clipped, all.timeout_replays];
        assert!(all.verdicts.len() == 10 && rare.iter().all(|&count| count > 20), "{profile}: {all:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let flows = catalogue::find("sentry_flows", "small").unwrap();
    let mut model = Lockstep::new(("native", flows.native().unwrap()), ("verilated", verilated(&flows.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 1024, 200, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("an event does not wait for its flow", "sentry_flows", "event_waits", zero),
    fault("a visit does not wait for its flow", "sentry_flows", "visit_waits", zero),
    fault("an event does not wait for the bits", "sentry_flows", "quiet", one),
    fault("an entry is opened beside events", "sentry_flows", "busy", zero),
    fault("nobody is visited", "sentry_flows", "visits", zero),
    fault("nobody is visited while events come", "sentry_flows", "due", zero),
    fault("always the same flow is visited", "sentry_flows", "visited", zero),
    fault("cards are standard", "sentry_flows", "aware_3", zero),
    fault("bits change for the first flow", "sentry_flows", "bits_change_flow", zero),
    fault("changes of bits are forgotten", "sentry_flows", "changes_in_valid", zero),
    fault("states are forgotten", "sentry_flows", "states_write_enable", zero),
    fault("states are the first flow's", "sentry_flows", "states_write_address", zero),
    fault("an entry keeps its bits", "sentry_flows", "bits_clear_length", one),
    fault("a visit is an event", "sentry_flows", "done_kind", zero),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("sentry_flows", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| {
        MIXES.iter().zip(1..).try_for_each(|(&mix, seed)| {
            bench(model, 1024, 2500, mix, seed)
                .and_then(|(_, gap)| if gap < 712 { Ok(()) } else { Err(format!("{gap} clocks without a visit")) })
        })
    };
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
