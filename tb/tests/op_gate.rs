//! What counts of the op table's wishes: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, one, zero};
use rdma_rtl_tb::send::op_gate::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const PACES: [Pace; 4] =
    [Pace { offer: 100, take: 100 }, Pace { offer: 60, take: 50 }, Pace { offer: 100, take: 10 }, Pace { offer: 10, take: 100 }];

const INDEX_BITS: [(&str, u32); 3] = [("small", 6), ("default", 8), ("large", 10)];

fn run(model: &mut dyn Model, index_bits: u32, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, index_bits, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn what_counts_goes_on() {
    for (profile, index_bits) in INDEX_BITS {
        let mut model = verilated(&catalogue::find("op_gate", profile).unwrap().elaborate().unwrap());
        let (mut again, mut restarts) = (0, 0);
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, index_bits, 1500, pace, seed);
            (again, restarts) = (again + seen.again, restarts + seen.restarts);
            assert_eq!((seen.closes, seen.latency), (1500, 2), "{profile}: {seen:?}");
        }
        assert!(again > 500 && restarts > 100, "{profile}: {again} again, {restarts} restarts");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, index_bits) in &INDEX_BITS[..2] {
        let gate = catalogue::find("op_gate", profile).unwrap();
        let mut model = Lockstep::new(("native", gate.native().unwrap()), ("verilated", verilated(&gate.elaborate().unwrap()))).unwrap();
        for pace in PACES {
            run(&mut model, *index_bits, 200, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("every start goes again at once", "op_gate", "is_acked", one),
    fault("no start goes again", "op_gate", "is_acked", zero),
    fault("every start counts as refused", "op_gate", "is_refused", one),
    fault("no start is refused", "op_gate", "is_refused", zero),
    fault("a kept start is forgotten", "op_gate", "is_kept", zero),
    fault("what was not asked for goes again", "op_gate", "is_kept", one),
    fault("a close that waits is forgotten", "op_gate", "waits_close", zero),
    fault("numbers that are acknowledged close", "op_gate", "waits_close", one),
    fault("tries begin anew", "op_gate", "kept_try", zero),
    fault("refusals are not heard", "op_gate", "refused", zero),
    fault("what goes on is overwritten", "op_gate", "moves", one),
    fault("timers are not begun anew", "op_gate", "restarts", zero),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("op_gate", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..4).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(&mut model, 6, 300, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
