//! The packet engine against frames of the golden model, verilated at every width; at the profiles in lockstep with the Rust.

use rdma_rtl_hdl::send::PacketEngine;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::send::packet_engine::{Pace, Seen, Sizes, bench};
use rdma_rtl_tb::under_test::{elaborated, seed, soon, verilated};

/// Beats of `$w` bits, packets of `2^$pw` bytes, 32 of them, 64 operations, 4 slots, 4 nodes.
macro_rules! engine {
    ($w:literal, $pw:literal) => {{
        const LB: usize = ($w as usize).ilog2() as usize - 3;
        const GS: usize = LB.div_ceil(2);
        const BEATS: usize = $pw - LB;
        PacketEngine::<
            $w,
            { $w / 8 },
            LB,
            { LB + 1 },
            { LB + 4 },
            GS,
            { 2 * GS },
            { GS + 1 },
            { if BEATS == 0 { 1 } else { BEATS } },
            6,
            2,
            $pw,
            { $pw + 1 },
            { 64 - $pw },
            6,
            211,
            2,
            4,
            { 886 + 2 * $pw },
            { $w + 2 * LB + 4 },
            { LB + 29 },
            { $w + LB + 29 },
        >::new()
    }};
}

fn sizes(packet_size: u32) -> Sizes {
    Sizes { packet_size, mask_bits: 32, ops: 64, slots: 4, nodes: 4 }
}

fn run(model: &mut dyn Model, sizes: Sizes, number: usize, pace: Pace, round: u64) -> Seen {
    bench(model, sizes, number, pace, seed() + 1000 * round)
        .unwrap_or_else(|difference| panic!("{difference}\n{pace:?}, round {round}; again with RDMA_RTL_SEED={}", seed()))
}

fn everything(model: &mut dyn Model, packet_size: u32) {
    let mut all = Seen::default();
    for (round, (offer, take, again)) in
        [(100, 100, 10), (100, 100, 0), (100, 40, 20), (10, 100, 50), (60, 60, 90), (100, 5, 10)].into_iter().enumerate()
    {
        let seen = run(model, sizes(packet_size), if take < 10 { 20 } else { 120 }, Pace { offer, take, again, full: false }, round as u64);
        all.frames += seen.frames;
        all.again += seen.again;
        all.aborts += seen.aborts;
        all.arrivals += seen.arrivals;
        all.unknown += seen.unknown;
        all.released += seen.released;
    }
    assert!(all.again > 500 && all.aborts > 20 && all.arrivals > 30 && all.unknown > 300 && all.released == 620, "{all:?}");
    // No clock without a beat but those of fences, whatever takes turns.
    for (round, again) in [(10, 0), (11, 30)] {
        let seen = run(model, sizes(packet_size), 60, Pace { offer: 100, take: 100, again, full: true }, round);
        assert!(seen.bubbles <= seen.released && seen.beats > 500, "{seen:?}");
    }
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&elaborated(engine!(64, 8))), 256);
}

#[test]
fn beats_of_128_bits() {
    everything(&mut verilated(&elaborated(engine!(128, 12))), 4096);
}

#[test]
fn beats_of_256_bits() {
    everything(&mut verilated(&elaborated(engine!(256, 9))), 512);
}

#[test]
fn beats_of_512_bits() {
    let mut model = verilated(&elaborated(engine!(512, 9)));
    everything(&mut model, 512);
    let seen = run(&mut model, sizes(512), 1, Pace { offer: 100, take: 100, again: 0, full: true }, 0);
    assert_eq!(seen.latency, 22);
}

#[test]
fn beats_of_1024_bits() {
    everything(&mut verilated(&elaborated(engine!(1024, 10))), 1024);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&elaborated(engine!(2048, 12))), 4096);
}

/// A packet of one beat.
#[test]
fn beats_as_long_as_a_packet() {
    everything(&mut verilated(&elaborated(engine!(2048, 8))), 256);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, number) in [("small", 40), ("default", 25), ("large", 5)] {
        let block = catalogue::find("packet_engine", profile).unwrap();
        let value = |name| block.parameter(name).unwrap();
        let sizes = Sizes {
            packet_size: value("packet_size") as u32,
            mask_bits: value("mask_bits") as u32,
            ops: value("ops") as u16,
            slots: value("slots") as u16,
            nodes: value("nodes") as u16,
        };
        let verilated = verilated(&block.elaborate().unwrap());
        let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated)).unwrap();
        run(&mut model, sizes, number, Pace { offer: 60, take: 70, again: 30, full: false }, 0);
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let texts = catalogue::sources(&elaborated(engine!(64, 8)));
    let missed: Vec<_> = FAULTS
        .iter()
        .filter(|(file, from, to)| {
            let mut faulty = texts.clone();
            let source = faulty.sources.iter_mut().find(|s| s.name.starts_with(file)).unwrap();
            assert!(source.text.contains(from), "{file} has no `{from}`:\n{}", source.text);
            source.text = source.text.replace(from, to);
            let mut model = soon(&faulty);
            // Other templates too: with a tag and without.
            let found = (0..4).find_map(|round| {
                let (offer, take) = if round % 2 == 0 { (100, 100) } else { (60, 40) };
                bench(&mut model, sizes(256), 100, Pace { offer, take, again: 30, full: false }, seed() + round).err()
            });
            println!("{file}: `{from}` became `{to}`: {}", found.as_deref().unwrap_or("not found"));
            found.is_none()
        })
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

const FAULTS: &[(&str, &str, &str)] = &[
    // A fence does not wait for its own operation; a packet too many; an operation forgets what it says.
    ("packet_jobs", "fence_valid && !meets", "fence_valid"),
    ("packet_jobs", "left == 6'd1", "left == 6'd0"),
    ("packet_jobs", "packet1 <= again_packet", "packet1 <= next_"),
    // Lengths, flags, the immediate.
    ("packet_header", "bytes1 + 9'd3", "bytes1 + 9'd4"),
    ("packet_header", "kind2 == 2'd1", "kind2 == 2'd0"),
    ("packet_header", "kind2 == 2'd2", "kind2 == 2'd3"),
    ("packet_header", "&& record_[200]", ""),
    ("packet_header", "length4 + 7'd4", "length4"),
    // Beats: the payload one beat late or early, bytes behind its end, before its begin, the wrong keep, beats lost when nobody takes them.
    ("frame_beats", "to_head <= to_head - 9'd1", "to_head <= to_head - 9'd2"),
    ("frame_beats", "header2 | (data2 & from2 & upto2)", "header2 | (data2 & from2)"),
    ("frame_beats", "header2 | (data2 & from2 & upto2)", "header2 | (data2 & upto2)"),
    ("frame_beats", "!(|beats_count[5:4])", "!beats_count[5]"),
    ("frame_beats", "beat <= beat + 5'd1", "beat <= beat"),
];
