//! The control builder at every beat width, verilated; at three of them in lockstep with the Rust.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::control_builder::{Seen, bench};

fn run(model: &mut dyn Model, count: usize, offer: u32, take: u32, seed: u64) -> Seen {
    bench(model, count, offer, take, seed).unwrap_or_else(|difference| panic!("{difference} (seed {seed})"))
}

/// Templates with and without VLAN, nodes of both kinds of IP, every pace; at the full one a beat in every clock.
fn everything(data_width: u64, nodes: u64) {
    let mut model = verilated(&design_at("control_builder", &[("data_width", data_width), ("nodes", nodes)]));
    for seed in seed()..seed() + 6 {
        for (offer, take) in [(100, 50), (50, 100), (30, 30), (100, 10)] {
            run(&mut model, 200, offer, take, seed);
        }
        let seen = run(&mut model, 300, 100, 100, seed);
        assert_eq!(seen.latency, 6);
        assert!(seen.unknown > 0 && seen.frames > 100, "{seen:?}");
        // Besides the beats: the pipeline, the quiet clocks at the end, and a clock for each notification without a frame.
        assert!(seen.clocks <= seen.beats + seen.unknown + 27, "{seen:?}");
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
        let builder = catalogue::find("control_builder", profile).unwrap();
        let design = builder.elaborate().unwrap();
        let mut model = Lockstep::new(("native", builder.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        run(&mut model, 60, 80, 80, seed());
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit.
#[test]
fn the_bench_notices() {
    let good = catalogue::sources(&design_at("control_builder", &[("data_width", 64), ("nodes", 16)]));
    let edits = [
        ("control_builder", "20'h0_8511", "20'h0_8512"),
        ("control_builder", "0000_12b7_0000", "0000_12b6_0000"),
        ("control_builder", "16'd52", "16'd51"),
        ("control_builder", "16'h86dd", "16'h86de"),
        ("control_builder", "0000_1100_0000", "0000_1200_0000"),
    ];
    let missed = missed(&good, &edits, |model| (seed()..seed() + 6).try_for_each(|seed| bench(model, 100, 100, 100, seed).map(|_| ())));
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
