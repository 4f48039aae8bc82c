//! The pace of a Depot's drain: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed, missed_values, one, zero};
use rdma_rtl_tb::lr2::depot_pace::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

/// One bucket, the other, both, none; a flow that is slower than all of them; ticks that go round while a flow has nothing.
const MIXES: [Mix; 6] = [
    Mix { pace: 6553, flow_pace: 0, ..PLAIN },
    Mix { pace: 0, flow_pace: 30_000, ..PLAIN },
    Mix { works: 90, free: 60, ..PLAIN },
    Mix { pace: 0, flow_pace: 0, steps: 5, works: 50, ..PLAIN },
    Mix { steps: 2, works: 10, ..PLAIN },
    Mix { pace: (1 << 24) - 1, flow_pace: (1 << 24) - 1, steps: 3, works: 20, leaps: true, ..PLAIN },
];
const PLAIN: Mix = Mix { pace: 6553, flow_pace: 9999, steps: 40, works: 60, free: 90, leaps: false };

fn run(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn flows_go_in_their_turn_and_at_their_time() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("depot_pace", profile).unwrap().elaborate().unwrap());
        for (seed, mix) in (seed()..).zip(MIXES) {
            let seen = run(&mut model, 2000, mix, seed);
            println!("{profile}: {seen:?}");
            assert!(seen.nothing > 100, "{profile}: {seen:?}");
            assert!(mix.pace == 0 || mix.leaps || seen.all > 500, "{profile}: {seen:?}");
            assert!(mix.flow_pace == 0 || mix.leaps || seen.own > 500, "{profile}: {seen:?}");
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let pace = catalogue::find("depot_pace", "small").unwrap();
    let mut model = Lockstep::new(("native", pace.native().unwrap()), ("verilated", verilated(&pace.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 60, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("nobody is listed", "depot_pace", "enlists", zero),
    fault("whoever works is listed again", "depot_pace", "listed", zero),
    fault("who has nothing stays", "depot_pace", "leaves", zero),
    fault("a step that has just come is not seen", "depot_pace", "touched", zero),
    fault("the bucket of all is always free", "depot_pace", "whole_busy", zero),
    fault("the bucket of all is never free", "depot_pace", "whole_owes", one),
    fault("the bucket of a flow is always free", "depot_pace", "busy", zero),
    fault("old buckets stay", "depot_pace", "pause", zero),
    fault("always the same bucket is looked at", "depot_pace", "old", zero),
    fault("a digit less", "depot_pace", "digits", less),
    fault("three is none", "depot_pace", "triple", zero),
    fault("three is none for a flow", "depot_pace", "flow_triple", zero),
    fault("packets cost nothing", "depot_pace", "part", zero),
    fault("packets of a flow cost nothing", "depot_pace", "flow_part", zero),
    fault("who is taken has told its bytes", "depot_pace", "told", one),
    fault("the buckets begin at 0", "depot_pace", "base", zero),
    fault("who is taken is not waited for", "depot_pace", "taken", zero),
    fault("another flow goes behind", "depot_pace", "flow", zero),
    fault("what was there at power-up stays", "cleared_ram", "ready", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("depot_pace", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| MIXES.iter().zip(1..).try_for_each(|(&mix, seed)| bench(model, 600, mix, seed).map(|_| ()));
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    // The output is always free.
    let edits = missed(&catalogue::sources(&good), &[("depot_pace", "list_out_valid && line_free &&", "list_out_valid &&")], |version| {
        hold(version)
    });
    assert!(values.is_empty() && edits.is_empty(), "not found: {values:?} {edits:?}");
}
