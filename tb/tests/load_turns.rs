//! Loads of several engines in turn: verilated and in lockstep with the Rust for one, two and four engines, and with faults.

use rdma_rtl_gen::ir::Design;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, more, not, one, zero};
use rdma_rtl_tb::send::load_turns::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const PACES: [Pace; 6] = [
    Pace { offer: 100, take: 100, answer: 40, told: 100, refuse: 0 },
    Pace { offer: 60, take: 50, answer: 50, told: 50, refuse: 20 },
    Pace { offer: 100, take: 100, answer: 100, told: 30, refuse: 50 },
    // One engine is far behind the other, and refuses what comes meanwhile.
    Pace { offer: 100, take: 80, answer: 5, told: 100, refuse: 30 },
    Pace { offer: 20, take: 100, answer: 100, told: 100, refuse: 10 },
    Pace { offer: 100, take: 100, answer: 60, told: 90, refuse: 100 },
];

/// Engines, slots.
const SIZES: [(u64, usize); 4] = [(1, 4), (2, 4), (2, 16), (4, 16)];

fn turns(engines: u64, slots: usize) -> Design {
    design_at("load_turns", &[("cdmas", engines), ("slots", slots as u64)])
}

fn run(model: &mut dyn Model, slots: usize, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, slots, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn loads_go_in_turn_and_answers_come_in_order() {
    for (engines, slots) in SIZES {
        let mut model = verilated(&turns(engines, slots));
        let mut all = Seen::default();
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, slots, 3000, pace, seed);
            all.early += seen.early;
            all.waited += seen.waited;
            all.most = all.most.max(seen.most);
        }
        assert!(all.early > 100 && all.most == slots && (engines == 1 || all.waited > 1000), "{engines}, {slots}: {all:?}");
        // A load and an answer per clock, for as long as there are slots.
        let seen = run(&mut model, slots, 3000, Pace::FULL, seed());
        assert!(seen.clocks <= 3000 + 4, "{engines}, {slots}: {seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["default", "large"] {
        let turns = catalogue::find("load_turns", profile).unwrap();
        let slots = turns.parameter("slots").unwrap() as usize;
        let mut model = Lockstep::new(("native", turns.native().unwrap()), ("verilated", verilated(&turns.elaborate().unwrap()))).unwrap();
        for pace in PACES {
            run(&mut model, slots, 300, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("all loads go to one engine", "load_turns", "turn", zero),
    fault("a load is taken that its engine does not take", "load_turns", "free", one),
    fault("whatever an engine answers is due", "load_turns", "is_due", one),
    fault("an answer out of turn is told at once", "load_turns", "holds", zero),
    fault("an answer out of turn is forgotten", "load_turns", "holds_here", zero),
    fault("the status of what was held is lost", "load_turns", "loaded_status", zero),
    fault("what was held is told for ever", "load_turns", "tells_here", zero),
    fault("a tag is another's", "load_turns", "due_tag", more),
    fault("the other engine is heard", "load_turns", "due_engine", not),
    fault("an answer is told again", "load_turns", "consumes", zero),
    fault("an answer goes that nobody has taken", "load_turns", "tells", one),
];

#[test]
fn every_fault_is_found() {
    let good = turns(2, 4);
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(&mut model, 4, 300, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
