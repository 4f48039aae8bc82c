//! The send buffer at every kind of beat width, verilated; at two profiles in lockstep with the Rust; with deliberate faults.

use rdma_rtl_gen::ir;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::send::send_buffer::{Pace, Seen, bench};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// So many slots of so many bytes.
fn buffer(data_width: u64, slots: u64, bytes: u64) -> ir::Design {
    design_at("send_buffer", &[("data_width", data_width), ("packet_size", bytes / 32), ("mask_bits", 32), ("slots", slots)])
}

fn run(model: &mut dyn Model, slots: usize, bytes: usize, packet: usize, bursts: usize, pace: Pace) -> Seen {
    bench(model, slots, bytes, packet, bursts, pace, seed())
        .unwrap_or_else(|difference| panic!("{difference}\n{pace:?}; again with RDMA_RTL_SEED={}", seed()))
}

const MIXED: Pace = Pace { write: 80, response: 60, read: 60, take: 60, wrong: 20 };

fn everything(model: &mut dyn Model, slots: usize, bytes: usize, packet: usize) {
    for pace in [MIXED, Pace { write: 100, wrong: 5, ..MIXED }, Pace { take: 15, ..MIXED }, Pace { response: 10, read: 90, ..MIXED }] {
        let seen = run(model, slots, bytes, packet, 300, pace);
        assert!(seen.refused > 5 && seen.reads_refused > 0 && seen.payloads > 20, "{seen:?}");
    }
    let seen = run(model, slots, bytes, packet, 600, Pace::FULL);
    println!("{seen:?}");
    assert_eq!((seen.refused, seen.write_stalls, seen.read_idle, seen.latency), (0, 0, 0, 4), "{seen:?}");
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&buffer(64, 4, 8192)), 4, 8192, 256);
}

#[test]
fn beats_of_512_bits() {
    everything(&mut verilated(&buffer(512, 4, 16384)), 4, 16384, 512);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&buffer(2048, 4, 131072)), 4, 131072, 4096);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, bursts) in [("small", 60), ("worked", 40)] {
        let buffer = catalogue::find("send_buffer", profile).unwrap();
        let parameter = |name| buffer.parameter(name).unwrap() as usize;
        let design = buffer.elaborate().unwrap();
        let mut model = Lockstep::new(("native", buffer.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let bytes = parameter("packet_size") * parameter("mask_bits");
        run(&mut model, parameter("slots"), bytes, parameter("packet_size"), bursts, MIXED);
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let texts = catalogue::sources(&buffer(64, 4, 8192));
    let edits = [
        ("buffer_write", "s_axi_awburst != 2'd1", "1'b0"),
        ("buffer_write", "s_axi_awsize != 3'd3", "1'b0"),
        ("buffer_write", "s_axi_wlast == (|left)", "1'b0"),
        ("buffer_write", "wrong = bad ||", "wrong ="),
        ("byte_ram", "write_enable[3]", "write_enable[2]"),
        ("send_buffer", "left <= beat", "left < beat"),
        ("send_buffer", "busy && !held[4]", "busy"),
    ];
    let missed = missed(&texts, &edits, |model| {
        let runs = (seed()..seed() + 3).flat_map(|seed| [(MIXED, seed), (Pace { take: 15, ..MIXED }, seed)]);
        runs.into_iter().try_for_each(|(pace, seed)| bench(model, 4, 8192, 256, 200, pace, seed).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
