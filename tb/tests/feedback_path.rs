//! From the registry's verdicts to what senders hear: over a network and a registry that lose packets, verilated; in lockstep with the
//! Rust; with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, more, one, zero};
use rdma_rtl_tb::feedback_path::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const CLEAN: Pace = Pace { offer: 30, loss: 0, reorder: 1, dropped: 0, escaped: 0, answer: 100, take: 100 };
const PACES: [Pace; 5] = [
    Pace { offer: 30, loss: 1, reorder: 4, dropped: 0, escaped: 2, answer: 80, take: 100 },
    Pace { offer: 50, loss: 20, reorder: 8, dropped: 5, escaped: 5, answer: 50, take: 80 },
    // The memory is slow.
    Pace { offer: 90, loss: 5, reorder: 8, dropped: 2, escaped: 0, answer: 8, take: 100 },
    // The wire is.
    Pace { offer: 60, loss: 5, reorder: 4, dropped: 2, escaped: 1, answer: 80, take: 30 },
    Pace { offer: 90, loss: 0, reorder: 8, dropped: 20, escaped: 10, answer: 90, take: 90 },
];

fn run(model: &mut dyn Model, window: u32, count: u32, pace: Pace, seed: u64) -> Seen {
    bench(model, window, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn every_sender_hears_that_all_is_there() {
    for (profile, window) in [("small", 128), ("worked", 128)] {
        let mut model = verilated(&catalogue::find("feedback_path", profile).unwrap().elaborate().unwrap());
        // Nothing is missing: nobody is told so.
        let clean = run(&mut model, window, 500, CLEAN, seed());
        assert_eq!((clean.ffms, clean.again, clean.timeouts, clean.ranges), (0, 0, 0, 0), "{profile}: {clean:?}");
        // Nor when bodies wait in the escape channel for longer than a gap may be open: what is behind them is told as received, and they
        // are not asked for.
        let waits = run(&mut model, window, 500, Pace { escaped: 5, ..CLEAN }, seed());
        assert_eq!((waits.ffms, waits.again, waits.timeouts), (0, 0, 0), "{profile}: {waits:?}");
        assert!(waits.ranges > 10, "{profile}: {waits:?}");
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, window, 500, pace, seed);
            assert!(seen.ffms > 10 && seen.again > 10 && seen.ranges > 10, "{profile}: {pace:?}: {seen:?}");
            assert_eq!(seen.dropped > 0, pace.dropped > 0, "{profile}: {pace:?}: {seen:?}");
        }
    }
}

#[test]
fn senders_stay_in_the_windows_that_they_are_told() {
    let mut model = verilated(&catalogue::find("feedback_path", "pool").unwrap().elaborate().unwrap());
    let mut all = Seen { shortest: 256, ..Seen::default() };
    for (seed, pace) in (seed()..).zip(PACES.into_iter().chain([CLEAN])) {
        let seen = run(&mut model, 256, 500, pace, seed);
        all.longest = all.longest.max(seen.longest);
        all.shortest = all.shortest.min(seen.shortest);
        all.exhausted += seen.exhausted;
        all.shrunk += seen.shrunk;
    }
    assert!(all.longest >= 64 && all.shortest <= 2 && all.exhausted > 10 && all.shrunk > 10, "{all:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let path = catalogue::find("feedback_path", "small").unwrap();
    let mut model = Lockstep::new(("native", path.native().unwrap()), ("verilated", verilated(&path.elaborate().unwrap()))).unwrap();
    run(&mut model, 128, 60, PACES[1], seed());
}

const FAULTS: &[Fault] = &[
    fault("what has no verdict yet is acknowledged", "verdict_ring", "leaves", one),
    fault("what the memory has not answered is acknowledged", "verdict_ring", "waits1", zero),
    fault("what is dropped is acknowledged", "verdict_ring", "kept1", one),
    fault("packets of all nodes are those of one", "verdict_ring", "report_qp", zero),
    fault("one message more is complete", "feedback_path", "ack_first", less),
    fault("another packet is acknowledged", "feedback_path", "ack_psn", more),
    fault("another node is told", "feedback_path", "ack_qp", zero),
    fault("a range has packets that have not come", "range_stream", "range_length", more),
    fault("windows are told whole, wherever they begin", "feedback_path", "steps_0", zero),
    fault("nothing is acknowledged", "feedback_path", "ack_valid", zero),
    fault("what is dropped is not asked for", "verdict_ring", "dropped_valid", zero),
    fault("another packet than the dropped one is asked for", "verdict_ring", "dropped_psn", more),
    fault("what has come is asked for", "receive_bitmap", "header_valid", zero),
    fault("what has not settled is acknowledged", "receive_bitmap", "settle_valid", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("feedback_path", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        PACES.iter().try_for_each(|&pace| {
            let seen = bench(&mut model, 128, 150, pace, 1)?;
            if pace.loss > 0 && seen.ffms == seen.dropped { Err("no gap is told".into()) } else { Ok(()) }
        })
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}

const FAULTS_OF_POOLS: &[Fault] = &[
    fault("more is told than is open", "window_credits", "out_credits", more),
    fault("what was told for another acknowledgement is told", "feedback_path", "ack_credits_0", more),
    fault("an acknowledgement waits with another queue pair's window", "window_credits", "out_qp", zero),
    fault("windows end where they do not", "window_credits", "segment", more),
];

#[test]
fn every_fault_of_pools_is_found() {
    let good = catalogue::find("feedback_path", "pool").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS_OF_POOLS, |make| {
        let mut model = make();
        PACES.iter().try_for_each(|&pace| bench(&mut model, 256, 150, pace, 1).map(|_| ()))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
