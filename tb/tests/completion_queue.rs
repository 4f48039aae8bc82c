//! Completions in a ring and as a stream, and the merge of two writers into one bus, at every width, verilated; at the profiles in lockstep
//! with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_hdl::memory::CompletionStream;
use rdma_rtl_sim::bus::{MemoryOptions, Stalls};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Version, missed};
use rdma_rtl_tb::memory::axi_write_merge;
use rdma_rtl_tb::memory::completion_queue::{Pace, bench, bench_stream, interrupt_by_age, leave_in_the_middle, random_completion};
use rdma_rtl_tb::under_test::{design_at, elaborated, seed, verilated};

/// A queue at a width of a beat and of a mask.
fn queue(data_width: u64, mask_bits: u64) -> ir::Design {
    design_at("completion_queue", &[("data_width", data_width), ("mask_bits", mask_bits)])
}

fn again<T>(result: Result<T, String>, what: impl std::fmt::Debug) -> T {
    result.unwrap_or_else(|difference| panic!("{difference}\n{what:?}; again with RDMA_RTL_SEED={}", seed()))
}

fn memories() -> Vec<MemoryOptions> {
    let none = MemoryOptions::default();
    vec![
        none,
        MemoryOptions { latency: (1, 60), ..none },
        MemoryOptions { stalls: Stalls::all(40), ..none },
        MemoryOptions { stalls: Stalls { idle: 0, backpressure: 70 }, errors: 20, latency: (1, 40), ..none },
        MemoryOptions { latency: (200, 200), outstanding: 1, ..none },
    ]
}

fn everything(model: &mut dyn Model, mask_bits: usize, clocks_each: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let cases: Vec<_> = (0..300).map(|_| random_completion(&mut rng, mask_bits)).collect();
    let mut full = 0;
    for (i, memory) in memories().into_iter().enumerate() {
        for (size, software, count) in [(0, 100, 1), (1, 20, 2), (3, 10, 3), (4, 100, 0), (4, 2, 5), (9, 50, 1)] {
            let pace = Pace { offer: [100, 100, 60, 100, 100][i], software, size, count, memory };
            let few = if memory.outstanding == 1 { 30 } else { 300 };
            let seen = again(bench(model, &cases[..few], pace, seed()), pace);
            full += seen.full;
            assert!(count == 0 || size == 0 || memory.outstanding == 1 || seen.interrupted > 0, "{pace:?}: {seen:?}");
        }
    }
    assert!(full > 0);
    let pace = Pace { offer: 100, software: 100, size: 8, count: 1, memory: MemoryOptions { outstanding: 100, ..Default::default() } };
    let seen = again(bench(model, &cases[..200], pace, seed()), pace);
    // The first one comes right after reset: two clocks more.
    assert_eq!((seen.latency, seen.clocks), (4, 4 + 199 * clocks_each), "{seen:?}");
    for clocks in [1, 2, 3, 5, 8, 13, 21, 55] {
        leave_in_the_middle(model, clocks, clocks);
        again(bench(model, &cases[..40], pace, seed()), pace);
    }
    // At least so many full ticks, and at most one more and a few clocks.
    for phase in 0..7 {
        for delay in [1, 2, 9] {
            let clocks = again(interrupt_by_age(model, delay, 7, phase), (phase, delay));
            assert!((delay * 7..=(delay + 1) * 7 + 6).contains(&clocks), "{delay} ticks of 7 clocks: {clocks}");
        }
    }
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&queue(64, 32)), 32, 8);
}

#[test]
fn beats_of_128_bits() {
    everything(&mut verilated(&queue(128, 256)), 256, 4);
}

#[test]
fn beats_of_256_bits() {
    everything(&mut verilated(&queue(256, 64)), 64, 3);
}

#[test]
fn beats_of_512_bits() {
    everything(&mut verilated(&queue(512, 32)), 32, 3);
}

#[test]
fn beats_of_1024_bits() {
    everything(&mut verilated(&queue(1024, 32)), 32, 3);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&queue(2048, 256)), 256, 3);
}

#[test]
fn a_stream_of_completions() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for bits in [32, 256] {
        let mut model = match bits {
            32 => verilated(&elaborated(CompletionStream::<32>::new())),
            _ => verilated(&elaborated(CompletionStream::<256>::new())),
        };
        let cases: Vec<_> = (0..200).map(|_| random_completion(&mut rng, bits)).collect();
        for stalls in [Stalls::NONE, Stalls::all(50), Stalls { idle: 0, backpressure: 80 }, Stalls { idle: 80, backpressure: 0 }] {
            again(bench_stream(&mut model, &cases, stalls, seed()), stalls);
        }
    }
}

#[test]
fn two_writers_on_one_bus() {
    let reorder = MemoryOptions { latency: (1, 60), reorder: true, outstanding: 200, ..Default::default() };
    let mut narrow = verilated(&design_at("axi_write_merge", &[("data_width", 64), ("writes", 16)]));
    let mut wide = verilated(&design_at("axi_write_merge", &[("data_width", 2048), ("writes", 64)]));
    for model in [&mut narrow, &mut wide] {
        for stalls in [Stalls::NONE, Stalls::all(30), Stalls { idle: 0, backpressure: 80 }] {
            for idle in [0, 50, 90] {
                let memory = MemoryOptions { stalls, ..reorder };
                again(axi_write_merge::bench(model, 300, 3, idle, memory, seed()), (stalls, idle));
            }
        }
        let (clocks, beats) = again(axi_write_merge::bench(model, 300, 10, 0, MemoryOptions { outstanding: 1000, ..reorder }, seed()), ());
        assert_eq!(clocks, beats, "a beat per clock");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for profile in ["small", "default", "large"] {
        let lockstep = |block: &str| {
            let design = catalogue::find(block, profile).unwrap();
            let verilated = verilated(&design.elaborate().unwrap());
            (Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap(), design)
        };
        let (mut queue, design) = lockstep("completion_queue");
        let bits = design.parameter("mask_bits").unwrap() as usize;
        let cases: Vec<_> = (0..60).map(|_| random_completion(&mut rng, bits)).collect();
        let memory = MemoryOptions { stalls: Stalls::all(30), errors: 5, latency: (1, 20), ..Default::default() };
        let pace = Pace { offer: 80, software: 10, size: 2, count: 2, memory };
        again(bench(&mut queue, &cases, pace, seed()), (profile, pace));
        again(bench_stream(&mut lockstep("completion_stream").0, &cases, Stalls::all(30), seed()), profile);
        let memory = MemoryOptions { reorder: true, ..memory };
        let memory = MemoryOptions { errors: 0, ..memory };
        again(axi_write_merge::bench(&mut lockstep("axi_write_merge").0, 25, 3, 30, memory, seed()), profile);
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let cases: Vec<_> = (0..200).map(|_| random_completion(&mut rng, 32)).collect();
    // Some show only where an entry has many beats, some where it has one.
    let designs = [queue(64, 32), queue(512, 32)].map(|design| catalogue::sources(&design));
    let hold = |model: &mut Version| {
        for memory in memories() {
            for (size, software, count) in [(1, 20, 2), (4, 3, 5), (9, 50, 1)] {
                bench(model, &cases, Pace { offer: 100, software, size, count, memory }, seed())?;
            }
        }
        [1, 9].into_iter().try_for_each(|delay| match interrupt_by_age(model, delay, 7, 3)? {
            clocks if (delay * 7..=(delay + 1) * 7 + 6).contains(&clocks) => Ok(()),
            clocks => Err(format!("an interrupt after {clocks} clocks, the delay is {delay} ticks of 7")),
        })
    };
    let [of_many, of_one] = designs.map(|texts| missed(&texts, FAULTS, hold));
    let missed: Vec<_> = of_many.into_iter().filter(|edit| of_one.contains(edit)).collect();
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

#[test]
fn the_bench_of_two_writers_notices() {
    let text = catalogue::sources(&design_at("axi_write_merge", &[("data_width", 64), ("writes", 16)]));
    let reorder = MemoryOptions { latency: (1, 60), reorder: true, outstanding: 200, ..Default::default() };
    let missed = missed(&text, MERGE_FAULTS, |model| {
        for stalls in [Stalls::NONE, Stalls::all(30), Stalls { idle: 0, backpressure: 80 }] {
            for idle in [0, 50] {
                axi_write_merge::bench(model, 200, 3, idle, MemoryOptions { stalls, ..reorder }, seed())?;
            }
        }
        match axi_write_merge::bench(model, 200, 10, 0, MemoryOptions { outstanding: 1000, ..reorder }, seed())? {
            (clocks, beats) if clocks == beats => Ok(()),
            (clocks, beats) => Err(format!("{clocks} clocks for {beats} beats")),
        }
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

const MERGE_FAULTS: &[Edit] = &[
    // Data of the other side, or of whoever has some; an address, a beat or a response that is lost; one that comes twice.
    ("axi_write_merge", "if (of_b) begin", "if (!of_b) begin"),
    ("axi_write_merge", "beat_valid = order_out_valid && a_axi_wvalid", "beat_valid = a_axi_wvalid"),
    ("axi_write_merge", "(!m_axi_awvalid || m_axi_awready) && order_in_ready", "order_in_ready"),
    ("axi_write_merge", "w_moves = !m_axi_wvalid || m_axi_wready", "w_moves = 1'b1"),
    ("axi_write_merge", "a_axi_wready = w_moves && order_out_valid && !of_b", "a_axi_wready = w_moves && order_out_valid"),
    ("axi_write_merge", "m_axi_bready = for_b ? b_axi_bready : a_axi_bready", "m_axi_bready = a_axi_bready"),
    ("axi_write_merge", "a_axi_bvalid = m_axi_bvalid && !for_b", "a_axi_bvalid = m_axi_bvalid"),
    ("axi_write_merge", "m_axi_awvalid <= announced", "m_axi_awvalid <= m_axi_awvalid || announced"),
    // The order of the addresses is not that of the data; a burst ends with its first beat; the ID of the other side.
    ("axi_write_merge", ".in_data   (b_axi_awvalid)", ".in_data   (b_axi_awvalid && a_goes)"),
    ("axi_write_merge", "takes && beat[72]", "takes"),
    ("axi_write_merge", "| 77'h1000_0000_0000_0000_0000", "| 77'h0"),
    // Both sides' addresses in one clock: the second one is taken and forgotten. One burst at a time is too few.
    ("axi_write_merge", "aw_moves && !b_axi_awvalid && a_axi_wvalid", "aw_moves && a_axi_wvalid"),
    ("axi_write_merge", "a_axi_wvalid && !a_open[1]", "a_axi_wvalid && !(|a_open)"),
];

const FAULTS: &[Edit] = &[
    // Entries that are not taken are written over; an entry goes where the one before it went; the phase stands still.
    ("completion_queue", "waits && room && ", "waits && "),
    ("completion_queue", "!(|settle) && aw_free", "aw_free"),
    ("completion_queue", "even <= !(|passes)", "even <= 1'b1"),
    // Data of the next entry comes too early; a wrong number; the producer moves before the answer.
    ("completion_queue", "(m_axi_wready && !(|w_left))", "m_axi_wready"),
    ("completion_queue", "issued, 448'd0", "issued + 32'd1, 448'd0"),
    ("completion_queue", "else if (answered) status_ring_producer", "else if (goes) status_ring_producer"),
    // One entry more than enough; a tick too early.
    ("interrupt_coalescer", ">= {16'd0, cfg_count}", "> {16'd0, cfg_count}"),
    ("interrupt_coalescer", "age > cfg_delay", "age >= cfg_delay"),
];
