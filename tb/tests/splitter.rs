//! The splitter against the golden model, verilated; at the profiles in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_golden::send::splitter::{Block, Command, Config, Params};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::send::splitter::{Pace, Seen, bench, leave_in_the_middle, mixture, plain, reasons};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// `2^command_bits` commands, packets of `2^packet_bits` bytes, `2^position_bits` packets, sources aligned to `2^lane_bits` bytes, a byte
/// counter of `btt_bits`.
fn splitter(command_bits: u32, packet_bits: u32, position_bits: u32, lane_bits: u32, btt_bits: u64, realign: u64) -> ir::Design {
    design_at(
        "splitter",
        &[
            ("commands", 1 << command_bits),
            ("packet_size", 1 << packet_bits),
            ("mask_bits", 1 << position_bits),
            ("ops", 256),
            ("dma_width", 8 << lane_bits),
            ("btt_bits", btt_bits),
            ("realign", realign),
        ],
    )
}

const SMALL: Params = Params { packet_size: 256, mask_bits: 32, commands: 16, sgl: 4, btt_width: 26, alignment: 8, queue_depth: 16 };
const CONFIG: Config = Config { threshold: 3000, segment: 1024 };

fn small() -> impl Model {
    verilated(&splitter(4, 8, 5, 3, 26, 0))
}

fn run(model: &mut dyn Model, params: Params, config: Config, commands: &[Command], pace: Pace) -> Seen {
    bench(model, params, config, commands, pace, seed())
        .unwrap_or_else(|difference| panic!("{difference}\n{config:?} {pace:?}; again with RDMA_RTL_SEED={}", seed()))
}

/// The same values as the macro's, from a profile.
fn params(profile: &str) -> Params {
    let block = catalogue::find("splitter", profile).unwrap();
    let value = |name| block.parameter(name).unwrap();
    Params {
        packet_size: value("packet_size") as u32,
        mask_bits: value("mask_bits") as u32,
        commands: value("commands") as usize,
        sgl: 4,
        btt_width: value("btt_bits") as u32,
        alignment: if value("realign") == 1 { 1 } else { value("dma_width") as u32 / 8 },
        queue_depth: value("commands") as usize,
    }
}

#[test]
fn sizes_at_every_border() {
    let mut model = small();
    let (p, n, t, largest) = (SMALL.packet_size, CONFIG.segment, CONFIG.threshold, 8192);
    let borders = [1, p, 2 * p, 3 * p, n, 2 * n, 3 * n, 4 * n, 7 * n, t, largest, 2 * largest, 1 << 20];
    let sizes = borders.into_iter().flat_map(|b| [b - 1, b, b + 1]).filter(|&b| b > 0);
    let commands: Vec<Command> = sizes.enumerate().map(|(id, bytes)| plain(id as u16, bytes, &SMALL)).collect();
    for config in [
        CONFIG,
        Config { threshold: 0, segment: p },
        Config { threshold: largest, segment: largest },
        Config { threshold: p, segment: 7 * p },
    ] {
        let seen = run(&mut model, SMALL, config, &commands, Pace::FULL);
        assert_eq!((seen.completed, seen.refused), (commands.len() as u64, 0), "{config:?}");
    }
}

/// The most bytes that there may be, in one block and in four, to the last byte of both address spaces; and one more.
#[test]
fn four_gigabytes() {
    let mut model = small();
    let config = Config { threshold: 8192, segment: 8192 };
    let blocks = |lengths: &[u32]| -> Vec<Block> {
        lengths.iter().map(|&bytes| Block { source: u64::from(bytes).wrapping_neg() & !7, bytes }).collect()
    };
    let four = Command { target: u64::MAX << 32, blocks: blocks(&[1 << 31, 1 << 30, (1 << 30) - 8, 7]), ..plain(4, 1, &SMALL) };
    let five = Command { blocks: blocks(&[1 << 31, 1 << 30, (1 << 30) - 8, 8]), ..four.clone() };
    let six = Command { blocks: blocks(&[u32::MAX - 7; 4]), ..four.clone() };
    let seen = run(&mut model, SMALL, config, &[plain(1, u32::MAX, &SMALL), five, four, six], Pace::FULL);
    assert_eq!((seen.completed, seen.refused, seen.segments), (2, 2, 2 << 19), "{seen:?}");
    assert_eq!(seen.segment_clocks, 2 << 19);
}

#[test]
fn pieces_at_every_border() {
    let mut model = small();
    let mut commands = Vec::new();
    // Blocks that end just before, at and behind the borders of segments; sources up to the end of the address space.
    for first in [8, 1016, 1024, 1032, 2048, 3072] {
        for second in [8, 1016, 1024, 1032, 2040] {
            for (third, last) in [(8, 1), (1016, 1024), (1024, 9), (2048, 5000)] {
                let mut command = plain(commands.len() as u16, 1, &SMALL);
                command.blocks = [first, second, third, last]
                    .into_iter()
                    .enumerate()
                    .map(|(i, bytes)| Block { source: 0xffff_fff8 + ((i as u64) << 40), bytes })
                    .collect();
                command.blocks[3].source = u64::MAX - 8191;
                command.arrival = first == 8;
                commands.push(command);
            }
        }
    }
    for pace in [Pace::FULL, Pace { take: 30, end: 30, in_order: false, ..Pace::FULL }] {
        let seen = run(&mut model, SMALL, CONFIG, &commands, pace);
        assert_eq!((seen.completed, seen.arrivals), (commands.len() as u64, 20));
    }
}

/// As many segments as clocks: from one command, from commands of one segment, and of both kinds in turn.
#[test]
fn one_segment_per_clock() {
    let mut model = small();
    let one = [plain(1, 1 << 20, &SMALL)];
    let seen = run(&mut model, SMALL, CONFIG, &one, Pace::FULL);
    assert_eq!((seen.segments, seen.segment_clocks), (1024, 1024), "{seen:?}");
    assert_eq!((seen.segment_latency, seen.most), (13, 1), "{seen:?}");
    // Four in front of one another, each of five segments: nothing is lost between two commands.
    let few: Vec<Command> = (0..12).map(|id| plain(id, 5 * 1024 - 3, &SMALL)).collect();
    let seen = run(&mut model, SMALL, CONFIG, &few, Pace::FULL);
    assert_eq!((seen.segments, seen.segment_clocks), (60, 60), "{seen:?}");

    // 64 places, so that a command's life is no longer than the table.
    let mut model = verilated(&splitter(6, 8, 5, 3, 26, 0));
    let params = Params { commands: 64, queue_depth: 64, ..SMALL };
    let regular: Vec<Command> = (0..600).map(|id| plain(id, 1 + u32::from(id), &params)).collect();
    let seen = run(&mut model, params, CONFIG, &regular, Pace::FULL);
    assert_eq!((seen.segments, seen.segment_clocks, seen.waited), (600, 600, 64), "{seen:?}");
    assert_eq!((seen.segment_latency, seen.completion_latency, seen.completion_clocks), (12, 5, 600), "{seen:?}");
    let single: Vec<Command> = (0..600).map(|id| plain(id, 1000, &params)).collect();
    let seen = run(&mut model, params, Config { threshold: 10, segment: 1024 }, &single, Pace::FULL);
    assert_eq!((seen.segments, seen.segment_clocks), (600, 600), "{seen:?}");
    let both: Vec<Command> = (0..600).map(|id| plain(id, if id.is_multiple_of(2) { 3001 } else { 900 }, &params)).collect();
    let seen = run(&mut model, params, CONFIG, &both, Pace::FULL);
    assert_eq!((seen.segments, seen.segment_clocks), (1200, 1200), "{seen:?}");
}

/// Refusals one per clock too, and every reason.
#[test]
fn refusals() {
    let mut model = small();
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let commands = mixture(&mut rng, &SMALL, &CONFIG, 2000);
    assert_eq!(reasons(&commands, &SMALL, &CONFIG), 4, "all but configuration and length are in the mixture");
    let bad = Config { threshold: 8193, segment: 1024 };
    assert!(run(&mut model, SMALL, bad, &commands, Pace::FULL).refused == 2000);
    for (threshold, segment) in [(8192, 8192), (8192, 256), (0, 256)] {
        assert_eq!(run(&mut model, SMALL, Config { threshold, segment }, &[plain(0, 9000, &SMALL)], Pace::FULL).refused, 0);
    }
    for (threshold, segment) in [(8193, 8192), (0, 0), (0, 255), (0, 257), (0, 8448), (1 << 31, 256), (0, 1 << 31 | 256)] {
        assert_eq!(run(&mut model, SMALL, Config { threshold, segment }, &[plain(0, 9000, &SMALL)], Pace::FULL).refused, 1);
    }
    // Commands are taken as fast as the host takes what it is told; each place comes back.
    let wrong: Vec<Command> = (0..300).map(|id| Command { target: 1, ..plain(id, 1, &SMALL) }).collect();
    let seen = run(&mut model, SMALL, CONFIG, &wrong, Pace::FULL);
    assert_eq!((seen.refused, seen.completion_clocks), (300, 300), "{seen:?}");

    // A byte counter of 12 bits: 4095 bytes are one descriptor, 4096 are too many.
    let mut model = verilated(&splitter(4, 8, 5, 3, 12, 1));
    let params = Params { btt_width: 12, alignment: 1, ..SMALL };
    for (threshold, segment, bytes, refused) in
        [(8192, 256, 4095, 0), (8192, 256, 4096, 1), (4095, 256, 4096, 0), (0, 4096, 4096, 1), (0, 4096, 4095, 0)]
    {
        let seen = run(&mut model, params, Config { threshold, segment }, &[plain(0, bytes, &params)], Pace::FULL);
        assert_eq!(seen.refused, refused, "{threshold} {segment} {bytes}");
    }
    let commands = mixture(&mut rng, &params, &CONFIG, 1000);
    assert!(reasons(&commands, &params, &Config { threshold: 8192, segment: 1024 }) == 4);
    run(&mut model, params, Config { threshold: 8192, segment: 1024 }, &commands, Pace::FULL);
}

/// All pauses against one another, with failures and with a configuration that changes.
fn sweep(model: &mut dyn Model, params: Params, config: Config, number: usize) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let mut all = Seen::default();
    for offer in [100, 20] {
        for take in [100, 25] {
            for (end, host) in [(100, 100), (100, 10), (15, 100), (50, 50)] {
                for (fail, change) in [(0, 0), (10, 0), (1, 5)] {
                    let commands = mixture(&mut rng, &params, &config, number);
                    let pace = Pace { offer, take, end, host, fail, change, in_order: end == 50 };
                    let seen = run(model, params, config, &commands, pace);
                    all.failed += seen.failed;
                    all.discarded += seen.discarded;
                    all.completed += seen.completed;
                    all.arrivals += seen.arrivals;
                    all.arrivals_failed += seen.arrivals_failed;
                    all.refused += seen.refused;
                    all.most = all.most.max(seen.most);
                    all.clocks += seen.clocks;
                    all.segments += seen.segments;
                }
            }
        }
    }
    all
}

#[test]
fn a_mixture_at_every_pace() {
    let seen = sweep(&mut small(), SMALL, CONFIG, 300);
    println!("{seen:?}");
    assert!(
        seen.failed > 500
            && seen.discarded > 100
            && seen.completed > 5000
            && seen.arrivals_failed > 10
            && seen.refused > 500
            && seen.most == 16,
        "{seen:?}"
    );
}

#[test]
fn what_a_reset_forgets() {
    let mut model = small();
    let commands: Vec<Command> = (0..30).map(|id| plain(id, 20 * u32::from(id * id) + 1, &SMALL)).collect();
    for clocks in 1..60 {
        leave_in_the_middle(&mut model, &commands, clocks, clocks as u64);
        run(&mut model, SMALL, CONFIG, &commands[..20], Pace::FULL);
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, number) in [("small", 12), ("worked", 8), ("large", 8)] {
        let block = catalogue::find("splitter", profile).unwrap();
        let verilated = verilated(&block.elaborate().unwrap());
        let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated)).unwrap();
        let params = params(profile);
        let config = Config { threshold: 4 * params.packet_size, segment: 2 * params.packet_size };
        let mut rng = ChaCha8Rng::seed_from_u64(seed());
        for (take, fail, change) in [(100, 0, 0), (40, 10, 0), (100, 3, 10)] {
            let commands: Vec<Command> = mixture(&mut rng, &params, &config, 20 * number)
                .into_iter()
                .filter(|c| c.bytes() < 100 * u64::from(params.packet_size))
                .collect();
            let pace = Pace { offer: 70, take, end: 60, host: 60, fail, change, in_order: false };
            run(&mut model, params, config, &commands, pace);
        }
    }
}

/// The profiles as Verilog, for longer.
#[test]
fn profiles() {
    for profile in ["worked", "large"] {
        let params = params(profile);
        let mut model = verilated(&catalogue::find("splitter", profile).unwrap().elaborate().unwrap());
        let config = Config { threshold: 16 * params.packet_size, segment: 8 * params.packet_size };
        let seen = sweep(&mut model, params, config, 100);
        assert!(seen.failed > 200 && seen.discarded > 20 && seen.completed > 1000 && seen.most == params.commands as u64, "{seen:?}");
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let commands = mixture(&mut rng, &SMALL, &CONFIG, 500);
    let paces = [
        Pace::FULL,
        Pace { take: 40, end: 100, fail: 10, in_order: false, ..Pace::FULL },
        Pace { end: 50, fail: 30, ..Pace::FULL },
        Pace { host: 5, fail: 2, ..Pace::FULL },
        Pace { change: 20, ..Pace::FULL },
    ];
    let texts = catalogue::sources(&splitter(4, 8, 5, 3, 26, 0));
    let missed = missed(&texts, FAULTS, |model| {
        paces.into_iter().try_for_each(|pace| bench(model, SMALL, CONFIG, &commands, pace, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

const FAULTS: &[Edit] = &[
    // A command that failed is cut on; the one that is dropped is never over; one segment too many, of no bytes.
    ("segment_queues", "wire hit = failed_valid", "wire hit = 1'b0"),
    ("segment_queues", "discard_valid <= drops", "discard_valid <= 1'b0"),
    ("segment_queues", "<= twice", "< twice"),
    ("command_check", "total2 <= segment", "total2 < segment"),
    // Two ends in a row of one command count once; the last failure is told, not the first; what is dropped is over too soon, or never.
    ("command_table", "(data && (index0 == index1)) ? word : ends_read_data", "ends_read_data"),
    ("command_table", "word1[10] ? word1[18:11] : status1", "status1"),
    ("command_table", "closed = discard1 || word1[19]", "closed = discard1"),
    ("command_table", "discard1 ? word1[9:0] :", "1'b0 ? word1[9:0] :"),
    ("command_table", "ended_ready = !discard_valid", "ended_ready = 1'b1"),
    // The receiver's host is told of what failed; a place is given away before its last operation has ended, or never; a data arrival
    // counts as a segment.
    ("command_table", "over && !bad && wants1", "over && wants1"),
    ("command_table", "(over && (bad || !wants1))", "over"),
    ("command_table", "|| (valid1 && kind1)", ""),
    ("splitter", "evt_segments && !queues_token_kind", "evt_segments"),
    // Answers are lost when the host is slow; a place is lost that comes back together with another one; a wrong code.
    ("host_answers", "assign ready = !full", "assign ready = 1'b1"),
    ("host_answers", "&& back_ready", ""),
    ("host_answers", "8'd48", "8'd40"),
    // A block is read from its end on; an immediate with every segment; a block in the middle has another one's length; a lost carry.
    ("segment_cut", "behind2_1 ? back2_1 : 32'd0", "back2_1"),
    ("segment_cut", "flags4[2] && ", ""),
    ("segment_cut", "border[77:64] - border[45:32]", "border[77:64] - border[13:0]"),
    ("segment_cut", "bytes1[13:8] + 6'd1", "bytes1[13:8]"),
    ("address_sum", "{32'd0, low[32]}", "33'd0"),
    // A range that ends with the address space is refused; 2^32 bytes are not; the threshold itself is too large; the last block's length
    // is looked at.
    ("address_sum", "((|high2[31:0]) || rest)", "1'b1"),
    ("address_sum", "|| rest)", ")"),
    ("command_check", "(|total2[33:32])", "1'b0"),
    ("command_check", "total2 > {", "total2 >= {"),
    ("command_check", "used >> 1", "used"),
    // The configuration of another clock; a threshold too high; segments are lost when nobody takes them.
    ("command_check", "bad3 <= setting_refused", "bad3 <= config_error"),
    ("split_config", "|| (cfg_threshold > largest)", ""),
    ("splitter", "!(|segments_count[4:3])", "!segments_count[4]"),
];
