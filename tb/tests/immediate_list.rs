//! Immediates until they are told: native, verilated, in lockstep, and with faults.

use rdma_rtl_hdl::receive::ImmediateList;
use rdma_rtl_sim::{Lockstep, Model, Native};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::immediate_list::{LATENCY, Pace, Seen, all_places, bench, beside_an_opening};
use rdma_rtl_tb::under_test::{elaborated, seed, verilated};

/// Four queue pairs.
type List = ImmediateList<2, 4, 138>;

const PACES: [Pace; 5] = [
    Pace { take: 80, arrive: 80, lost: 10, acknowledge: 40, host: 80, close: 0 },
    // All places are taken most of the time.
    Pace { take: 100, arrive: 100, lost: 0, acknowledge: 2, host: 100, close: 0 },
    Pace { take: 100, arrive: 90, lost: 20, acknowledge: 3, host: 30, close: 0 },
    Pace { take: 100, arrive: 80, lost: 5, acknowledge: 5, host: 90, close: 1 },
    Pace { take: 30, arrive: 20, lost: 50, acknowledge: 60, host: 50, close: 3 },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn sixteen_wait_and_each_is_told_once() {
    all_places(&mut Native::new(List::default()).unwrap()).unwrap();
    all_places(&mut verilated(&elaborated(List::default()))).unwrap();
}

#[test]
fn an_acknowledgement_beside_an_opening_counts() {
    beside_an_opening(&mut Native::new(List::default()).unwrap()).unwrap();
    beside_an_opening(&mut verilated(&elaborated(List::default()))).unwrap();
}

#[test]
fn each_is_told_once() {
    let mut model = verilated(&elaborated(List::default()));
    let mut all = Seen::default();
    for (seed, pace) in (seed()..).zip(PACES) {
        let seen = run(&mut model, 4000, pace, seed);
        all.full += seen.full;
        all.round += seen.round;
        all.closed += seen.closed;
        all.beside += seen.beside;
        all.latency = all.latency.max(seen.latency);
    }
    assert!(all.round > 1000 && all.full > all.round && all.closed > 50 && all.beside > 5, "{all:?}");
    assert!(all.latency <= LATENCY && all.latency > LATENCY / 2, "{all:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let native = Native::new(List::default()).unwrap();
    let mut model = Lockstep::new(("native", native), ("verilated", verilated(&elaborated(List::default())))).unwrap();
    for pace in PACES {
        run(&mut model, 300, pace, seed());
    }
}

const FAULTS: &[Edit] = &[
    // A list of sixteen words takes no push in the clock in which the one that goes round is popped.
    ("immediate_list", "waiting_in_valid = in_valid || returns", "waiting_in_valid = in_valid || (returns && !waiting_count[4])"),
    ("immediate_list", "waiting_in_valid = in_valid || returns", "waiting_in_valid = in_valid"),
    ("immediate_list", "waiting_out_ready = leaves || returns", "waiting_out_ready = leaves"),
    ("immediate_list", "waiting_out_ready = leaves || returns", "waiting_out_ready = returns"),
    ("immediate_list", "&& !is_due && !in_valid", "&& !is_due"),
    ("immediate_list", "is_due = is_open && !behind[23]", "is_due = is_open"),
    ("immediate_list", "is_due = is_open && !behind[23]", "is_due = !behind[23]"),
    ("immediate_list", "room = !reserved[4]", "room = 1'b1"),
    // An acknowledgement in the clock in which another queue pair is opened or closed is lost; one of a queue pair that is closed opens it;
    // what was acknowledged of it before counts.
    ("immediate_list", ".write_enable  (told_valid)", ".write_enable  (told_valid && !open_valid)"),
    ("immediate_list", "is_open = beginnings_read_data[24]", "is_open = beginnings_read_data[24] || moves[waiting_out_data[1:0]]"),
    (
        "immediate_list",
        "moved <= (moved || (told_valid && (told_qp == INDEX))) && !(open_valid && (open_qp == INDEX))",
        "moved <= moved || (told_valid && (told_qp == INDEX))",
    ),
    ("immediate_list", ".write_enable  (told_valid)", ".write_enable  (1'b0)"),
    ("immediate_list", "before_ = open_psn - 24'd1", "before_ = open_psn + 24'd8"),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::sources(&elaborated(List::default()));
    let missed = missed(&good, FAULTS, |model| {
        all_places(model)?;
        beside_an_opening(model)?;
        (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(model, 300, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
