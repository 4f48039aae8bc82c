//! The builder of acknowledgements and feedback messages at every beat width, verilated; at three of them in lockstep with the Rust.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed, missed_values, one, ones, zero};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::feedback_builder::{Seen, bench};

fn run(model: &mut dyn Model, count: usize, offer: u32, take: u32, seed: u64) -> Seen {
    bench(model, count, offer, take, seed).unwrap_or_else(|difference| panic!("{difference} (seed {seed})"))
}

/// Templates with and without VLAN, nodes of both kinds of IP, every pace; at the full one a beat in every clock.
fn everything(data_width: u64, nodes: u64) {
    let mut model = verilated(&design_at("feedback_builder", &[("data_width", data_width), ("nodes", nodes)]));
    for seed in seed()..seed() + 6 {
        for (offer, take) in [(100, 50), (50, 100), (30, 30), (100, 10), (3, 100)] {
            run(&mut model, 200, offer, take, seed);
        }
        let seen = run(&mut model, 300, 100, 100, seed);
        assert_eq!(seen.latency, 6);
        assert!(seen.unknown > 0 && seen.frames.iter().all(|&frames| frames > 50), "{seen:?}");
        // Besides the beats: the pipeline, the quiet clocks at the end, and a clock for each message without a frame.
        assert!(seen.clocks <= seen.beats + seen.unknown + 27, "{seen:?}");
        assert_eq!(seen.passed, 2, "{seen:?}");
    }
}

#[test]
fn every_beat_width() {
    everything(64, 16);
    everything(128, 16);
    everything(256, 4);
    everything(512, 64);
    everything(1024, 16);
    everything(2048, 16);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default", "large"] {
        let builder = catalogue::find("feedback_builder", profile).unwrap();
        let design = builder.elaborate().unwrap();
        let mut model = Lockstep::new(("native", builder.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        run(&mut model, 60, 80, 80, seed());
    }
}

const FAULTS: &[Fault] = &[
    fault("an acknowledgement has no number", "feedback_builder", "psn1", zero),
    fault("every message is one of feedback", "feedback_builder", "kind2", ones),
    fault("a length is one too small", "feedback_builder", "udp_bytes", less),
    fault("a frame ends too early", "feedback_builder", "more", zero),
    fault("a node that is not there is told", "feedback_builder", "valid3", one),
    fault("nobody is told", "feedback_builder", "valid3", zero),
    fault("who goes first goes always first", "round_robin_arbiter", "last", zero),
    fault("messages are overwritten", "feedback_builder", "moving", one),
    fault("messages without a node are not counted", "feedback_builder", "evt_unknown_node", zero),
    fault("frames of one kind are not counted", "feedback_builder", "evt_range", zero),
    fault("IP has no header", "feedback_builder", "network_bytes", zero),
];

/// The bench sees what is wrong.
#[test]
fn the_bench_notices() {
    let design = design_at("feedback_builder", &[("data_width", 64), ("nodes", 16)]);
    let hold = |model: &mut dyn Model| (seed()..seed() + 6).try_for_each(|seed| bench(model, 100, 60, 80, seed).map(|_| ()));
    let missed_faults = missed_values(&design, FAULTS, |make| hold(&mut make()));
    assert!(missed_faults.is_empty(), "not noticed: {missed_faults:?}");
    // Each of these is one wrong bit of the text.
    let edits = [
        ("feedback_builder", "opcode = 8'd197", "opcode = 8'd196"),
        ("feedback_builder", "16'd52", "16'd51"),
        ("feedback_builder", "opcode = 8'd17", "opcode = 8'd18"),
    ];
    let missed_edits = missed(&catalogue::sources(&design), &edits, |model| hold(model));
    assert!(missed_edits.is_empty(), "not noticed: {missed_edits:?}");
}
