//! Which packets of a flow were asked for again: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, ones, zero};
use rdma_rtl_tb::lr2::sentry_bits::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const PACES: [Pace; 4] =
    [Pace { ask: 100, change: 5 }, Pace { ask: 100, change: 30 }, Pace { ask: 50, change: 100 }, Pace { ask: 20, change: 1 }];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn every_answer_is_the_golden_one() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("sentry_bits", profile).unwrap().elaborate().unwrap());
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 3000, pace, seed);
            assert!(seen.both > 500 && (pace.change > 50 || seen.set > 100), "{profile}: {seen:?}");
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let bits = catalogue::find("sentry_bits", "small").unwrap();
    let mut model = Lockstep::new(("native", bits.native().unwrap()), ("verilated", verilated(&bits.elaborate().unwrap()))).unwrap();
    for (seed, pace) in (seed()..).zip(PACES) {
        run(&mut model, 60, pace, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("a change is forgotten", "sentry_bits", "active", zero),
    fault("the range that waits is forgotten", "sentry_bits", "waiting", zero),
    fault("the range that waits begins at once", "sentry_bits", "free", one),
    fault("every range ends with its word", "sentry_bits", "last", one),
    fault("a range goes on to the end of its word", "sentry_bits", "last", zero),
    fault("a range ends one bit early", "sentry_bits", "end_", less),
    fault("a range begins with its word", "sentry_bits", "begin_", zero),
    fault("a word is changed whole", "sentry_bits", "mask", ones),
    fault("the bits that stay are changed", "sentry_bits", "mask", not),
    fault("bits are cleared alone", "sentry_bits", "write_value", zero),
    fault("bits are set alone", "sentry_bits", "write_value", one),
    fault("another word is written", "sentry_bits", "write_address", not),
    fault("nothing is written", "sentry_bits", "write", zero),
    fault("another bit is the answer", "sentry_bits", "place", less),
    fault("the flow is always the first", "sentry_bits", "flow", zero),
    fault("what was there at power-up stays", "cleared_ram", "ready", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("sentry_bits", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| PACES.iter().zip(1..).try_for_each(|(&pace, seed)| bench(model, 300, pace, seed).map(|_| ()));
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
