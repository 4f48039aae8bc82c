//! The memory writer at every bus width, verilated; at the profiles in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_sim::bus::{MemoryOptions, Stalls};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::memory::memory_writer::{BASE, Case, Pace, Seen, bench, leave_in_the_middle, mixture};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// A writer with 64 slots of `packet_size` bytes, 64 tags and `2^burst_bits` bursts.
fn writer(data_width: u64, packet_size: u64, burst_bits: u32) -> ir::Design {
    design_at(
        "memory_writer",
        &[("data_width", data_width), ("packet_size", packet_size), ("escape_slots", 0), ("writes", 64), ("bursts", 1 << burst_bits)],
    )
}

fn run(model: &mut dyn Model, bytes: usize, cases: &[Case], pace: Pace) -> Seen {
    bench(model, 64, bytes, cases, pace, seed())
        .unwrap_or_else(|difference| panic!("{difference}\n{pace:?}; again with RDMA_RTL_SEED={}", seed()))
}

/// Buses that stall, that are slow, that answer out of order, that fail.
fn memories() -> Vec<MemoryOptions> {
    let none = MemoryOptions::default();
    let slow = MemoryOptions { latency: (1, 60), reorder: true, ..none };
    vec![
        none,
        slow,
        MemoryOptions { stalls: Stalls::all(30), ..none },
        MemoryOptions { stalls: Stalls { idle: 0, backpressure: 70 }, errors: 20, ..slow },
        MemoryOptions { stalls: Stalls { idle: 60, backpressure: 0 }, errors: 5, ..slow },
        MemoryOptions { latency: (300, 300), outstanding: 1, ..none },
        MemoryOptions { stalls: Stalls::all(90), ..slow },
    ]
}

fn everything(model: &mut dyn Model, bytes: usize, shifts: u64, bursts: u64) {
    let beat = model.ports()[model.port("m_axi_wdata").unwrap()].width / 8;
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    // Every offset in a beat with every number of bytes up to three beats; with long beats one in some.
    let step = (beat / 16).max(1);
    let near = |i: usize| i.is_multiple_of(step) || (i % beat) < 2 || (i % beat) + 2 > beat;
    let mut at = BASE;
    let mut all = Vec::new();
    for offset in (0..beat).filter(|&o| near(o)) {
        for length in (0..=(3 * beat).min(bytes)).filter(|&l| near(l)) {
            all.push(Case { addr: at + offset as u64, bytes: length });
            at += 4 * beat as u64;
        }
    }
    let seen = run(model, bytes, &all, Pace::full());
    assert_eq!((seen.writes, seen.failed), (all.len() as u64, 0));
    // Over a 4 KB boundary at every place of it.
    let mut crossing = Vec::new();
    for i in 0..=64.min(bytes as u64) {
        crossing.push(Case { addr: BASE + 8192 * (i + 1) - i * (bytes as u64 / 64).max(1), bytes });
    }
    run(model, bytes, &crossing, Pace::full());

    let (mut overtaken, mut most) = (0, 0);
    for (i, memory) in memories().into_iter().enumerate() {
        let cases = mixture(&mut rng, bytes, beat, if memory.outstanding == 1 { 60 } else { 500 });
        let pace = Pace { offer: [100, 100, 50, 100, 100, 100, 30][i], free: [100, 100, 40, 100, 100, 100, 20][i], memory };
        let seen = run(model, bytes, &cases, pace);
        assert!(memory.errors == 0 || seen.failed > 0, "{seen:?}");
        overtaken += seen.overtaken;
        most = most.max(seen.open);
    }
    assert!(overtaken > 0);
    assert_eq!(most, bursts, "as many bursts as there may be are under way");

    // Whole packets at multiples of their size: no beat is missing between the first and the last.
    let whole: Vec<Case> = (0..200).map(|i| Case { addr: BASE + i * bytes as u64, bytes }).collect();
    let seen = run(model, bytes, &whole, Pace::full());
    assert_eq!((seen.bubbles, seen.beats), (0, (200 * bytes / beat) as u64), "{seen:?}");
    assert_eq!((seen.address_latency, seen.data_latency), (4, 10 + shifts), "{seen:?}");
    // Anything, as long as each write fills its beats.
    let mut at = BASE;
    let ragged: Vec<Case> = (0..200)
        .map(|i| {
            let case = Case { addr: at, bytes: if i % 3 == 0 { beat } else { bytes } };
            at += case.bytes as u64;
            case
        })
        .collect();
    let seen = run(model, bytes, &ragged, Pace::full());
    assert_eq!(seen.bubbles, 0, "{seen:?}");

    for clocks in [1, 65, 66, 67, 69, 72, 77, 82, 100, 300] {
        leave_in_the_middle(model, clocks, clocks);
        run(model, bytes, &whole[..40], Pace::full());
    }
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&writer(64, 256, 3)), 256, 2, 8);
}

/// 512 beats in a packet: bursts end at 256.
#[test]
fn packets_of_512_beats() {
    everything(&mut verilated(&writer(64, 4096, 4)), 4096, 2, 16);
}

#[test]
fn beats_of_128_bits() {
    everything(&mut verilated(&writer(128, 4096, 4)), 4096, 2, 16);
}

#[test]
fn beats_of_256_bits() {
    everything(&mut verilated(&writer(256, 1024, 4)), 1024, 3, 16);
}

#[test]
fn beats_of_512_bits() {
    everything(&mut verilated(&writer(512, 512, 5)), 512, 3, 32);
}

#[test]
fn beats_of_1024_bits() {
    everything(&mut verilated(&writer(1024, 4096, 5)), 4096, 4, 32);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&writer(2048, 4096, 5)), 4096, 4, 32);
}

/// A slot of one beat.
#[test]
fn beats_as_long_as_a_packet() {
    everything(&mut verilated(&writer(2048, 256, 5)), 256, 4, 32);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, writes) in [("small", 120), ("worked", 60), ("large", 20)] {
        let writer = catalogue::find("memory_writer", profile).unwrap();
        let parameter = |name| writer.parameter(name).unwrap() as usize;
        let design = writer.elaborate().unwrap();
        let mut model = Lockstep::new(("native", writer.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let (bytes, beat) = (parameter("packet_size"), parameter("data_width") / 8);
        let cases = mixture(&mut ChaCha8Rng::seed_from_u64(seed()), bytes, beat, writes);
        let memory = MemoryOptions { stalls: Stalls::all(30), errors: 5, latency: (1, 40), reorder: true, ..Default::default() };
        let slots = parameter("escape_slots") + parameter("writes");
        bench(&mut model, slots, bytes, &cases, Pace { offer: 80, free: 80, memory }, seed())
            .unwrap_or_else(|difference| panic!("{profile}: {difference}; again with RDMA_RTL_SEED={}", seed()));
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let cases = mixture(&mut rng, 256, 8, 600);
    let texts = catalogue::sources(&writer(64, 256, 3));
    let missed = missed(&texts, FAULTS, |model| {
        let mut paces = memories().into_iter().map(|memory| Pace { offer: 100, free: 60, memory });
        paces.try_for_each(|pace| bench(model, 64, 256, &cases, pace, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

const FAULTS: &[Edit] = &[
    // A burst that ends with its block is cut; the second burst of a write is too short; a write of nothing has two beats.
    ("burst_splitter", "left2 <= {2'd0, room2}", "left2 < {2'd0, room2}"),
    ("burst_splitter", "room2 <= 8'd255", "room2 <= room2"),
    ("burst_splitter", "left2 <= 10'd0", "left2 <= 10'd1"),
    // The error of the first burst is forgotten; a write is over with its first response, or with those of the bursts so far.
    ("write_responses", "error1 || answered_read_data[0]", "error1"),
    ("write_responses", "&& (issued_read_data[2:1] == answered_read_data[2:1])", ""),
    ("write_responses", "issued_read_data[0] && (", "("),
    // Bytes of another beat; bytes before and behind the write; a wrong turn.
    ("beat_shifter", "before_ <= turned_1", "before_ <= turned_0"),
    ("beat_shifter", "head_strobe & tail_strobe", "tail_strobe"),
    ("beat_shifter", "head_strobe & tail_strobe", "head_strobe"),
    ("beat_shifter", "from_1 >> ONCE_BACK_1", "from_1 >> TWICE_BACK_1"),
    // A slot comes back with its first burst; more beats are read than there is room for; a write begins where the last one stopped, or
    // again with its second burst; too many bursts.
    ("memory_writer", "steps && tail;", "steps && at_last;"),
    ("memory_writer", "&& q_room &&", "&&"),
    ("memory_writer", "beat <= 5'd0", "beat <= beat + 5'd1"),
    ("memory_writer", "bursts_out_valid && next_burst[9]", "next_burst[9]"),
    ("memory_writer", "!bursts_open[3]", "1'b1"),
];
