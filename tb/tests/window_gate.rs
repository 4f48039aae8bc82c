//! First transmissions and their numbers: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, one, zero};
use rdma_rtl_tb::send::window_gate::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const FULL: Pace = Pace { take: 100, refuse: 0, ready: 100, close: 0 };
const PACES: [Pace; 4] = [
    FULL,
    Pace { take: 60, refuse: 30, ready: 60, close: 1 },
    Pace { take: 100, refuse: 80, ready: 100, close: 3 },
    Pace { take: 20, refuse: 10, ready: 20, close: 1 },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn every_packet_has_its_number() {
    for profile in ["small", "default", "large"] {
        let mut model = verilated(&catalogue::find("window_gate", profile).unwrap().elaborate().unwrap());
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 300, pace, seed);
            assert!(seen.given > 100 && seen.arrivals > 10 && seen.failed > 5 && seen.void > seen.failed, "{profile}: {seen:?}");
            if pace.take == 100 && pace.refuse == 0 {
                // Six clocks for each, a few between operations.
                assert!(seen.clocks < 6 * seen.given + 3 * seen.void + 10 * 300, "{profile}: {seen:?}");
            }
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let gate = catalogue::find("window_gate", "small").unwrap();
    let mut model = Lockstep::new(("native", gate.native().unwrap()), ("verilated", verilated(&gate.elaborate().unwrap()))).unwrap();
    for pace in PACES {
        run(&mut model, 30, pace, seed());
    }
}

const FAULTS: &[Fault] = &[
    fault("every packet may go", "window_gate", "first_go", one),
    fault("every node is there", "window_gate", "beyond", zero),
    fault("no packet is without a frame", "window_gate", "first_void", zero),
    fault("what follows one without a frame has one", "window_gate", "torn", zero),
    fault("a data arrival waits for a number", "window_gate", "is_arrival", zero),
    fault("a number is one less", "window_gate", "sent_psn", less),
    fault("operations do not fail", "window_gate", "fail_valid", zero),
    fault("numbers are waited for", "window_gate", "ending", zero),
    fault("what goes without a frame is not counted", "window_gate", "evt_void", zero),
    fault("no clock of waiting is counted", "window_gate", "evt_held", zero),
    fault("every clock is one of waiting", "window_gate", "evt_held", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("window_gate", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(&mut model, 60, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
