//! Remote completions that are told once more: native, verilated, in lockstep, and with faults.

use rdma_rtl_hdl::receive::CompletionRepeat;
use rdma_rtl_sim::{Lockstep, Model, Native};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::completion_repeat::{Pace, Seen, bench};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::under_test::{elaborated, seed, verilated};

const PACES: [Pace; 6] = [
    Pace { come: 10, take: 80, prescale: 4, repeat: 10 },
    Pace { come: 2, take: 100, prescale: 1, repeat: 1 },
    Pace { come: 40, take: 60, prescale: 0, repeat: 30 },
    // All places are taken.
    Pace { come: 100, take: 100, prescale: 8, repeat: 127 },
    Pace { come: 60, take: 30, prescale: 3, repeat: 5 },
    Pace { come: 50, take: 90, prescale: 2, repeat: 0 },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn each_completion_is_told_twice() {
    let mut model = verilated(&elaborated(CompletionRepeat::default()));
    let mut all = Seen::default();
    for (seed, pace) in (seed()..).zip(PACES) {
        let seen = run(&mut model, 3000, pace, seed);
        assert_eq!(seen.told, 3000, "{pace:?}: {seen:?}");
        assert_eq!(seen.again > 0, pace.repeat > 0, "{pace:?}: {seen:?}");
        all.again += seen.again;
        all.full += seen.full;
        all.beside += seen.beside;
    }
    assert!(all.again > 5000 && all.full > 100 && all.beside > 100, "{all:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let native = Native::new(CompletionRepeat::default()).unwrap();
    let mut model = Lockstep::new(("native", native), ("verilated", verilated(&elaborated(CompletionRepeat::default())))).unwrap();
    for pace in PACES {
        run(&mut model, 400, pace, seed());
    }
}

const FAULTS: &[Edit] = &[
    ("completion_repeat", "again = chosen || (", "again = ("),
    ("completion_repeat", "!in_valid && waiting_out_valid && !late[15]", "waiting_out_valid && !late[15]"),
    ("completion_repeat", "!in_valid && waiting_out_valid && !late[15]", "!in_valid && waiting_out_valid"),
    ("completion_repeat", "in_ready = out_ready && !again", "in_ready = out_ready"),
    ("completion_repeat", "waiting_out_ready = again && out_ready", "waiting_out_ready = again"),
    ("completion_repeat", "waiting_in_valid = in_valid && in_ready &&", "waiting_in_valid = in_valid &&"),
    ("completion_repeat", "due = ticks_now[15:0] + ", "due = ticks_now[15:0] + 16'd1 + "),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::sources(&elaborated(CompletionRepeat::default()));
    let missed = missed(&good, FAULTS, |model| PACES.iter().try_for_each(|&pace| bench(model, 600, pace, 1).map(|_| ())));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
