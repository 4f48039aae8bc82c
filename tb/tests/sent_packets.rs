//! Numbers and their packets: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, more, one, zero};
use rdma_rtl_tb::send::sent_packets::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const PACES: [Pace; 5] = [
    Pace { give: 100, run: 100, moved: 10, again: 100, acked: 100 },
    Pace { give: 60, run: 30, moved: 30, again: 50, acked: 50 },
    // The wire is busy.
    Pace { give: 30, run: 50, moved: 20, again: 5, acked: 90 },
    Pace { give: 50, run: 5, moved: 5, again: 100, acked: 100 },
    Pace { give: 100, run: 50, moved: 50, again: 100, acked: 10 },
];

const WINDOWS: [(&str, u32); 3] = [("small", 128), ("worked", 128), ("large", 1024)];

fn run(model: &mut dyn Model, window: u32, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, window, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn every_number_is_its_packet() {
    for (profile, window) in WINDOWS {
        let mut model = verilated(&catalogue::find("sent_packets", profile).unwrap().elaborate().unwrap());
        let mut all = Seen { latency: u64::MAX, ..Seen::default() };
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, window, 10_000, pace, seed);
            assert!(seen.runs > 100 && seen.again > seen.runs && seen.acked > 100 && seen.wraps > 0, "{profile}: {seen:?}");
            all.latency = all.latency.min(seen.latency);
        }
        assert_eq!(all.latency, 3, "{profile}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, window) in &WINDOWS[..2] {
        let packets = catalogue::find("sent_packets", profile).unwrap();
        let mut model =
            Lockstep::new(("native", packets.native().unwrap()), ("verilated", verilated(&packets.elaborate().unwrap()))).unwrap();
        for pace in PACES {
            run(&mut model, *window, 500, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("a run is one packet", "sent_packets", "busy", zero),
    fault("a run is as long as it wants", "sent_packets", "left", more),
    fault("a run of one queue pair is another's", "sent_packets", "rtx_qp1", zero),
    fault("packets go lost when nobody takes them", "sent_packets", "again_wants", one),
    fault("nothing is sent again beside a walk", "sent_packets", "reads_again", zero),
    fault("a walk takes what a run reads", "sent_packets", "is_walk1", one),
    fault("a walk begins where the last but one ended", "sent_packets", "released_write_enable", zero),
    fault("a walk ends too early", "sent_packets", "arrives", one),
    fault("a number takes the word of another one", "sent_packets", "ahead", zero),
    fault("a base is another queue pair's", "sent_packets", "moved_qp1", zero),
    fault("operations go lost when nobody takes them", "sent_packets", "walk_wants", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("sent_packets", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..3).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(&mut model, 128, 1000, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
