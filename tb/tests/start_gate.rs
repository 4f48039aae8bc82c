//! Which timers count before a start is known to have arrived: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, one, zero};
use rdma_rtl_tb::send::start_gate::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const PACES: [Pace; 4] = [
    Pace { offer: 100, ack: 20, take: 100 },
    Pace { offer: 60, ack: 100, take: 50 },
    Pace { offer: 100, ack: 5, take: 10 },
    Pace { offer: 10, ack: 5, take: 100 },
];

fn run(model: &mut dyn Model, index_bits: u32, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, index_bits, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn what_counts_goes_on() {
    for profile in ["small", "default", "large"] {
        let gate = catalogue::find("start_gate", profile).unwrap();
        let index_bits = gate.parameter("ops").unwrap().ilog2();
        let mut model = verilated(&gate.elaborate().unwrap());
        let (mut again, mut restarts) = (0, 0);
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, index_bits, 2000, pace, seed);
            (again, restarts) = (again + seen.again, restarts + seen.restarts);
            // One per clock, and one clock more for the last.
            if (pace.offer, pace.take) == (100, 100) {
                assert_eq!(seen.clocks, 2001, "{profile}: {seen:?}");
            }
        }
        assert!(again > 1000 && restarts > 1000, "{profile}: {again} again, {restarts} restarts");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let gate = catalogue::find("start_gate", profile).unwrap();
        let index_bits = gate.parameter("ops").unwrap().ilog2();
        let models = (("native", gate.native().unwrap()), ("verilated", verilated(&gate.elaborate().unwrap())));
        let mut model = Lockstep::new(models.0, models.1).unwrap();
        for pace in PACES {
            run(&mut model, index_bits, 300, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("every start counts as arrived", "start_gate", "is_known", one),
    fault("no start does", "start_gate", "is_known", zero),
    fault("what waits is overwritten", "start_gate", "takes", one),
    fault("every timer begins anew", "start_gate", "restarts", one),
    fault("none does", "start_gate", "restarts", zero),
];

const EDITS: &[Edit] = &[("start_gate.v", "&& (|wanted_packet)", ""), ("start_gate.v", "wanted_expired && (|", "(|")];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("start_gate", "small").unwrap().elaborate().unwrap();
    let notices =
        |model: &mut dyn Model| (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(model, 6, 500, pace, seed).map(|_| ())));
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make()));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model)));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}
