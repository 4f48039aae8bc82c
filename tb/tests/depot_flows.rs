//! The flows of a Depot with their pools: verilated, in lockstep with the Rust, with faults in the hardware and faults in the golden model.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::params::DepotConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::lr2::depot_events::{Mix, Seen};
use rdma_rtl_tb::lr2::depot_flows::{Measured, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

/// Standard and aware cards, known and unknown `una`, all flows and one, a slow drain that fills the pools and a fast one, idle clocks.
const MIXES: [Mix; 6] = [
    Mix { flows: 1024, ..Mix::PLAIN },
    Mix { flows: 1024, aware: true, offer: 50, drain: 10, ..Mix::PLAIN },
    Mix { flows: 1024, unset: true, config: DepotConfig { idle: 300, reack: 60, ..SLOW }, offer: 30, ..Mix::PLAIN },
    Mix { flows: 1024, config: DepotConfig { renack: 900, retry: 400, quota: 3, idle: 4000, ..SLOW }, offer: 5, drain: 2, ..Mix::PLAIN },
    Mix { flows: 1, unset: true, aware: true, config: SLOW, drain: 3, ..Mix::PLAIN },
    Mix { flows: 2, config: DepotConfig { retries: 1, retry: 100, renack_max: 2, ..SLOW }, drain: 1, offer: 20, ..Mix::PLAIN },
];
const SLOW: DepotConfig = DepotConfig { renack: 200, retry: 150, reack: 40, ..Mix::CONFIG };

fn run(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> (Seen, Measured) {
    bench(model, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// Packets of each mixture.
fn packets() -> u64 {
    std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000)
}

#[test]
fn every_decision_is_the_golden_one() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("depot_flows", profile).unwrap().elaborate().unwrap());
        let (mut all, mut measured) = (Seen::default(), Measured::default());
        for (seed, mix) in (seed()..).zip(MIXES) {
            let (seen, worst) = run(&mut model, packets(), mix, seed);
            println!("{profile}: {seen:?}, {worst:?}");
            (all, measured) = (all.and(&seen), measured.and(worst));
        }
        println!("{profile}: {measured:?}");
        use Verdict::*;
        for verdict in [Untouched, Forwarded, Held, Full, Duplicate, Replayed, Reacknowledged, Consumed, Intercepted, Stale, Strange] {
            assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 20), "{profile}: {verdict:?} is rare: {all:?}");
        }
        assert!(profile == "default" || all.verdicts.get(&Waits).is_some_and(|&count| count > 20), "{profile}: {all:?}");
        let rare = [all.gaps, all.walked, all.reacks, all.replayed, all.drained, all.timeouts, all.reopened, all.again, all.lives];
        assert!(rare.iter().chain(&[all.flushed, all.requests]).all(|&count| count > 20), "{profile}: {all:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let flows = catalogue::find("depot_flows", "small").unwrap();
    let mut model = Lockstep::new(("native", flows.native().unwrap()), ("verilated", verilated(&flows.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 100, mix, seed);
    }
}
