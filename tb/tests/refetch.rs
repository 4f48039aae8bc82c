//! Packets that are pulled from the host's memory again: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_golden::send::refetch::Params;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, more, one, zero};
use rdma_rtl_tb::send::refetch::{PLACES, Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const PACES: [Pace; 5] = [
    Pace { offer: 100, close: 5, take: 100, answer: 100, fail: 10, send: 100, arrivals: 20 },
    Pace { offer: 100, close: 10, take: 60, answer: 30, fail: 20, send: 5, arrivals: 10 },
    Pace { offer: 30, close: 30, take: 50, answer: 15, fail: 5, send: 50, arrivals: 10 },
    Pace { offer: 100, close: 3, take: 15, answer: 80, fail: 0, send: 30, arrivals: 0 },
    Pace { offer: 100, close: 20, take: 100, answer: 3, fail: 50, send: 100, arrivals: 5 },
];

fn find(profile: &str) -> (Design, Params) {
    let design = catalogue::find("refetch", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap();
    let params = Params {
        ops: parameter("ops") as usize,
        slots: parameter("slots"),
        slot_bytes: parameter("packet_size") * parameter("mask_bits"),
        packet_size: parameter("packet_size") as u32,
        places: PLACES,
    };
    (design, params)
}

fn run(model: &mut dyn Model, params: Params, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, params, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn a_mixture_at_every_pace() {
    for profile in ["small", "default", "large"] {
        let (design, params) = find(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        let seen: Vec<Seen> = (seed()..).zip(PACES).map(|(seed, pace)| run(&mut model, params, 1500, pace, seed)).collect();
        // Every trouble must have been there.
        let some = |what: &str, of: &dyn Fn(&Seen) -> u64| assert!(seen.iter().any(|s| of(s) > 0), "{profile}: {what} never came");
        some("a pull that failed", &|s| s.failed);
        some("an abort", &|s| s.aborts);
        some("a data arrival", &|s| s.arrivals);
        some("a packet of an operation that is closed", &|s| s.closed);
        some("a packet in several pieces", &|s| s.cut);
        some("a packet without a place", &|s| s.full);
        some("an end behind a pull", &|s| s.behind);
        assert!(seen.iter().all(|s| s.again + s.failed == 1500), "{profile}: {seen:?}");
    }
}

/// What the documentation of the block says.
#[test]
fn latencies_and_rates() {
    let (design, params) = find("small");
    let seen = run(&mut verilated(&design.elaborate().unwrap()), params, 2000, Pace::FULL, seed());
    assert_eq!(seen.latency[0], Some(7), "{seen:?}");
    // What needs no pull is held up by none.
    let idle = run(&mut verilated(&design.elaborate().unwrap()), params, 300, Pace { offer: 2, close: 20, ..Pace::FULL }, seed());
    assert_eq!(idle.latency[1], Some(2), "{idle:?}");
    let clocks = seen.clocks as f64 / seen.again as f64;
    // What is closed already needs no load.
    assert!((6.5..7.3).contains(&clocks), "{clocks} clocks per packet: {seen:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let (design, params) = find(profile);
        let models = (("native", design.native().unwrap()), ("verilated", verilated(&design.elaborate().unwrap())));
        let mut model = Lockstep::new(models.0, models.1).unwrap();
        for pace in PACES {
            run(&mut model, params, 120, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("an end does not wait for pulls", "refetch", "awaited", zero),
    fault("a place is given twice", "refetch", "used", zero),
    fault("an operation that is closed is pulled", "refetch", "is_closed", zero),
    fault("every operation is closed", "refetch", "is_closed", one),
    fault("a data arrival is pulled", "refetch", "pulls", one),
    fault("nothing is skipped", "refetch", "beyond", zero),
    fault("a piece is a byte longer", "refetch", "cut", more),
    fault("a place that failed stays used", "refetch", "failed", zero),
    fault("a place that was sent from stays used", "refetch", "done", zero),
    fault("a place that was thrown away stays used", "refetch", "dropped", zero),
    fault("a packet that was handed on holds every end", "refetch", "handed", zero),
    fault("no end has its turn", "refetch", "takes_other", zero),
];

const EDITS: &[Edit] = &[
    ("refetch.v", "(rest < left)", "(left < rest)"),
    ("refetch.v", "!keep_valid && (!ending", "(!ending"),
    ("refetch.v", "(&step) && !good", "(&step)"),
];

#[test]
fn every_fault_is_found() {
    let (design, params) = find("small");
    let good = design.elaborate().unwrap();
    let notices = |model: &mut dyn Model| {
        (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(model, params, 400, pace, seed).map(|_| ())))
    };
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make()));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model)));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}
