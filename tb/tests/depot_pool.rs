//! Places of packets by flow and PSN: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_gen::ir::Design;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, ones, zero};
use rdma_rtl_tb::lr2::depot_pool::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const PACES: [Pace; 4] = [
    Pace { ask: 100, hold: 70, long: 10, run: 100 },
    Pace { ask: 50, hold: 95, long: 30, run: 30 },
    Pace { ask: 100, hold: 50, long: 0, run: 50 },
    Pace { ask: 20, hold: 80, long: 80, run: 100 },
];

fn run(model: &mut dyn Model, reach: u32, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, reach, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn every_answer_is_that_of_the_rings() {
    for (profile, reach) in [("small", 256), ("default", 4096)] {
        let mut model = verilated(&catalogue::find("depot_pool", profile).unwrap().elaborate().unwrap());
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, reach, 5000, pace, seed);
            println!("{profile}: {seen:?}");
            let rare = [seen.beside, seen.there, seen.leads, seen.held, seen.freed, seen.runs, seen.cleared];
            assert!(rare.iter().all(|&count| count > 100), "{profile}: {seen:?}");
            assert!(profile == "default" || seen.refused > 20, "{profile}: {seen:?}");
        }
    }
}

/// The segments of all flows are more than there are, so that they run out before the places.
fn scarce() -> Design {
    design_at("depot_pool", &[("flows", 16)])
}

#[test]
fn segments_run_out() {
    let mut model = verilated(&scarce());
    for (seed, pace) in (seed()..).zip(PACES) {
        let seen = run(&mut model, 256, 5000, pace, seed);
        assert!(seen.refused > 200, "{seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let pool = catalogue::find("depot_pool", "small").unwrap();
    let mut model = Lockstep::new(("native", pool.native().unwrap()), ("verilated", verilated(&pool.elaborate().unwrap()))).unwrap();
    for (seed, pace) in (seed()..).zip(PACES) {
        run(&mut model, 256, 60, pace, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("nothing becomes free", "depot_pool", "freeing", zero),
    fault("places are not given back", "depot_pool", "gives", zero),
    fault("what a request reaches into stays", "depot_pool", "vacating", zero),
    fault("the rest of a request stays", "depot_pool", "trailing", zero),
    fault("the rest of every request goes", "depot_pool", "trailing", one),
    fault("a range ends with its word", "depot_pool", "last", one),
    fault("a range goes on to the end of its word", "depot_pool", "upto", ones),
    fault("a range begins with its word", "depot_pool", "offset", zero),
    fault("every PSN of a request begins one", "depot_pool", "begins", one),
    fault("no PSN begins a packet", "depot_pool", "begins", zero),
    fault("segments are never free again", "depot_pool", "empty", zero),
    fault("segments are always mapped", "depot_pool", "is_mapped", one),
    fault("segments are never mapped", "depot_pool", "is_mapped", zero),
    fault("a run ends one early", "depot_pool", "run_to", less),
    fault("what lies beyond the ring is forgotten", "depot_pool", "beyond", zero),
    fault("a walk never ends early", "depot_pool", "walk_left", ones),
    fault("places in use are not counted", "depot_pool", "used", zero),
    fault("places of a flow are not counted", "depot_pool", "got", zero),
    fault("a place less is free", "depot_pool", "freed", zero),
    fault("a long request needs no segments", "depot_pool", "enough2", one),
    fault("there is always a segment", "depot_pool", "has_segment", one),
    fault("there is always a place", "depot_pool", "has_place", one),
    fault("the flow is always the first", "depot_pool", "of_", zero),
    fault("another bit is the answer", "depot_map", "psn2", not),
    fault("the other answer is another bit", "depot_map", "behind2", not),
    fault("what was there at power-up stays", "cleared_ram", "ready", one),
];

#[test]
fn every_fault_is_found() {
    let good = scarce();
    let hold = |model: &mut dyn Model| PACES.iter().zip(1..).try_for_each(|(&pace, seed)| bench(model, 256, 1500, pace, seed).map(|_| ()));
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
