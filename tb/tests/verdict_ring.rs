//! Verdicts of the registry on their way to the receive bitmap: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed, missed_values, more, not, one, zero};
use rdma_rtl_tb::under_test::{seed, verilated};
use rdma_rtl_tb::verdict_ring::{Pace, Seen, bench};

const FULL: Pace = Pace { offer: 100, judge: 100, write: 100, answer: 100, written: 80 };
const PACES: [Pace; 6] = [
    FULL,
    Pace { offer: 60, judge: 60, write: 50, answer: 60, written: 70 },
    // The memory is slow: what is not written waits behind what is.
    Pace { offer: 90, judge: 90, write: 90, answer: 4, written: 30 },
    Pace { offer: 90, judge: 90, write: 5, answer: 90, written: 50 },
    Pace { offer: 20, judge: 90, write: 90, answer: 90, written: 0 },
    Pace { offer: 100, judge: 30, write: 100, answer: 100, written: 90 },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn every_report_in_its_turn() {
    for profile in ["small", "default", "large"] {
        let mut model = verilated(&catalogue::find("verdict_ring", profile).unwrap().elaborate().unwrap());
        let mut all = Seen::default();
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 4000, pace, seed);
            all.stalled += seen.stalled;
            all.dropped += seen.dropped;
            all.foreign += seen.foreign;
        }
        assert!(all.dropped > 100 && all.foreign > 1000 && all.stalled > 100, "{profile}: {all:?}");
        // Full throughput: a packet, a verdict, a write, an answer and a report per clock, for as long as the slots last.
        let seen = run(&mut model, 4000, FULL, seed());
        if profile != "small" {
            assert!(seen.clocks < 4400, "{profile}: {seen:?}");
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let ring = catalogue::find("verdict_ring", profile).unwrap();
        let mut model = Lockstep::new(("native", ring.native().unwrap()), ("verilated", verilated(&ring.elaborate().unwrap()))).unwrap();
        for pace in PACES {
            run(&mut model, 300, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("what is dropped is reported", "verdict_ring", "kept1", one),
    fault("what has no number is reported", "verdict_ring", "valid1", one),
    fault("nothing waits for the memory", "verdict_ring", "waits1", zero),
    fault("everything waits for the memory", "verdict_ring", "waits1", one),
    fault("a verdict overtakes the write before it", "verdict_ring", "leaves", one),
    fault("answers are forgotten", "verdict_ring", "done1", zero),
    fault("an answer is for another packet", "verdict_ring", "done_place1", less),
    fault("a write is another packet's", "verdict_ring", "write_slot1", not),
    fault("the bits of a place say the contrary", "verdict_ring", "asked_write_data", not),
    fault("there is always room", "verdict_ring", "room", one),
    fault("there is never room again", "verdict_ring", "lost", zero),
    fault("a report is told again and again", "fifo_block", "out_ready", zero),
    fault("a report has no number", "verdict_ring", "report_psn", zero),
    fault("what is dropped is not told", "verdict_ring", "drops1", zero),
    fault("another number is dropped", "verdict_ring", "dropped_psn", more),
    fault("what is dropped is of one queue pair", "verdict_ring", "dropped_qp", zero),
    fault("tags do not say what counts", "verdict_ring", "packet_tag", zero),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("verdict_ring", "small").unwrap().elaborate().unwrap();
    let hold =
        |model: &mut dyn Model| (1..4).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(model, 300, pace, seed).map(|_| ())));
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(values.is_empty(), "not found: {values:?}");
    // Another reason than that of two operations in one range.
    let texts =
        missed(&catalogue::sources(&good), &[("verdict_ring", "verdict_reason == 8'd7", "verdict_reason == 8'd9")], |model| hold(model));
    assert!(texts.is_empty(), "not found: {texts:?}");
}
