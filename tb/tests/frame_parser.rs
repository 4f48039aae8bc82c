//! The frame parser at every beat width, verilated; at three of them in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::{Frame, Reader};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::frame_parser::{Pace, Seen, bench, leave_in_the_middle};
use rdma_rtl_tb::wire::frames::{Case, OPCODES, cut_at_every_byte, every_header_bit, foreign_and_cut, mixture, well_formed};

/// The parser at a width of a beat; `more` switches on WqeETH, LR2ETH and CETH.
fn parser(data_width: u64, op_eth: u64, more: u64) -> ir::Design {
    design_at(
        "frame_parser",
        &[("data_width", data_width), ("op_eth", op_eth), ("wqe_eth", more), ("lr2_eth", more), ("ceth", more), ("queue_pairs", 8)],
    )
}

fn run(model: &mut dyn Model, reader: &Reader, cases: &[Case], pace: Pace) -> Seen {
    bench(model, reader, cases, pace, seed()).unwrap_or_else(|difference| panic!("{difference} (seed {})", seed()))
}

/// Paces that a stream knows, besides the full one.
const PACES: [Pace; 7] = [
    Pace { offer: 50, payload: 100, header: 100 },
    Pace { offer: 100, payload: 50, header: 100 },
    Pace { offer: 100, payload: 100, header: 10 },
    Pace { offer: 100, payload: 10, header: 100 },
    Pace { offer: 50, payload: 50, header: 50 },
    Pace { offer: 100, payload: 90, header: 90 },
    Pace { offer: 10, payload: 100, header: 100 },
];

/// All of it at one width: good frames, bad ones, every pace, cuts and flips of every opcode. Latency of a header and of a payload's end
/// after the last beat, the most of a saturated input.
fn everything(model: &mut dyn Model, reader: &Reader, header_latency: u64, payload_latency: u64) {
    let beat = model.ports()[model.port("in_data").unwrap()].width / 8;
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let good = mixture(&mut rng, reader, beat, 1500, 0);
    let seen = run(model, reader, &good, Pace::FULL);
    assert_eq!(seen.count("good"), 1500);
    assert_eq!(seen.header_latency.unwrap().1, header_latency);
    assert_eq!(seen.payload_latency.unwrap().1, payload_latency);

    let bad = mixture(&mut rng, reader, beat, 3000, 60);
    let seen = run(model, reader, &bad, Pace::FULL);
    for reason in ["not_rocev2", "truncated", "bad_version", "bad_opcode", "bad_length", "bad_icrc"] {
        assert!(seen.count(reason) > 0, "{reason} was never seen");
    }
    // The longest IP packet, and a frame that is longer than any.
    let longest = well_formed(&mut rng, reader, 0x0a, 65_000).to_bytes();
    let mut giant = longest.clone();
    giant.resize(140_000, 0);
    let cut = longest[..60_000].to_vec();
    let long = [longest, giant, cut].map(|bytes| [Case::good(bytes), good[0].clone()]).concat();
    let seen = run(model, reader, &long, Pace::FULL);
    assert_eq!((seen.count("good"), seen.count("bad_length")), (5, 1));
    for clocks in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
        leave_in_the_middle(model, &bad, clocks);
        run(model, reader, &good[..20], Pace::FULL);
    }
    for pace in PACES {
        run(model, reader, &bad[..800], pace);
    }
    let ours = Reader { queue_pairs: vec![5, 0xff_fffe, 77], ..reader.clone() };
    let seen = run(model, &ours, &mixture(&mut rng, &ours, beat, 600, 30), Pace::FULL);
    assert!(seen.count("unknown_qp") > 50 && seen.count("good") > 200, "{seen:?}");
    for opcode in OPCODES {
        let frame = well_formed(&mut rng, reader, opcode, 37);
        run(model, reader, &cut_at_every_byte(&frame), Pace::FULL);
        run(model, reader, &every_header_bit(&frame), Pace::FULL);
        run(model, reader, &foreign_and_cut(&frame), Pace::FULL);
    }
}

fn registry() -> Reader {
    Reader::registry()
}

fn all_extensions() -> Reader {
    Reader { op_eth: true, wqe_eth: true, lr2_eth: true, ceth: true, ..Reader::default() }
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&parser(64, 1, 0)), &registry(), 33, 33);
}

#[test]
fn beats_of_128_bits() {
    everything(&mut verilated(&parser(128, 1, 0)), &registry(), 24, 24);
}

#[test]
fn beats_of_256_bits() {
    everything(&mut verilated(&parser(256, 1, 0)), &registry(), 20, 21);
}

#[test]
fn beats_of_512_bits() {
    everything(&mut verilated(&parser(512, 1, 0)), &registry(), 18, 19);
}

#[test]
fn beats_of_1024_bits() {
    everything(&mut verilated(&parser(1024, 1, 0)), &registry(), 17, 19);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&parser(2048, 1, 0)), &registry(), 16, 18);
}

#[test]
fn with_every_extension_header_or_none() {
    everything(&mut verilated(&parser(64, 1, 1)), &all_extensions(), 33, 33);
    everything(&mut verilated(&parser(512, 1, 1)), &all_extensions(), 18, 19);
    everything(&mut verilated(&parser(512, 0, 0)), &Reader::default(), 18, 19);
}

/// Each of the 256 opcodes, with the headers that it has and with no payload, some, more than a beat.
#[test]
fn every_opcode_has_its_answer() {
    opcodes(&mut verilated(&parser(512, 1, 0)), &registry());
    opcodes(&mut verilated(&parser(512, 0, 0)), &Reader::default());
    opcodes(&mut verilated(&parser(64, 1, 1)), &all_extensions());
    let small = catalogue::find("frame_parser", "small").unwrap();
    let design = small.elaborate().unwrap();
    let mut model = Lockstep::new(("native", small.native().unwrap()), ("verilated", verilated(&design))).unwrap();
    opcodes(&mut model, &registry());
}

fn opcodes(model: &mut dyn Model, reader: &Reader) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let frames = (0..=u8::MAX).flat_map(|opcode| [0, 8, 300].map(|payload| (opcode, payload)));
    let cases: Vec<Case> = frames.map(|(opcode, payload)| Case::good(well_formed(&mut rng, reader, opcode, payload).to_bytes())).collect();
    let seen = run(model, reader, &cases, Pace::FULL);
    let known = OPCODES.len() as u64;
    assert_eq!((seen.count("good"), seen.count("bad_opcode")), (3 * known, 3 * (256 - known)));
}

/// Payloads of one size back to back: what goes in comes out at the pace of the wire, and the headers as well.
#[test]
fn one_beat_per_clock_at_every_frame_size() {
    let mut model = verilated(&parser(512, 1, 0));
    for bytes in [0, 1, 17, 18, 19, 50, 64, 82, 83, 146, 147, 512, 1024, 4096, 9000] {
        let header = Header { kind: Kind::Start, src: 1, op: 2, addr: 0x1000, bytes, op_bytes: 1 << 20, count: 9, rkey: 3, imm: None };
        let cases = vec![Case::good(Frame::carrying(&header, 7).to_bytes()); 100];
        let before = model.cycle();
        let seen = run(&mut model, &registry(), &cases, Pace::FULL);
        assert_eq!(seen.count("good"), 100);
        // The reset, and the quiet clocks at the end.
        let clocks = model.cycle() - before;
        assert!(clocks < seen.beats + 70, "{clocks} clocks for {} beats with {bytes} bytes of payload", seen.beats);
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, frames) in [("small", 150), ("default", 400), ("large", 150)] {
        let parser = catalogue::find("frame_parser", profile).unwrap();
        let design = parser.elaborate().unwrap();
        let mut model = Lockstep::new(("native", parser.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let beat = parser.parameter("data_width").unwrap() as usize / 8;
        let reader = Reader { queue_pairs: vec![5, 77], ..registry() };
        let cases = mixture(&mut ChaCha8Rng::seed_from_u64(seed()), &reader, beat, frames, 50);
        run(&mut model, &reader, &cases, Pace { offer: 80, payload: 80, header: 80 });
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten register.
#[test]
fn the_bench_notices() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let mut cases = mixture(&mut rng, &registry(), 64, 600, 50);
    cases.extend((0..=u8::MAX).map(|opcode| Case::good(well_formed(&mut rng, &registry(), opcode, 40).to_bytes())));
    for _ in 0..8 {
        cases.extend(foreign_and_cut(&well_formed(&mut rng, &registry(), 0x0a, 9)));
    }
    let good = parser(512, 1, 0);
    assert!(bench(&mut verilated(&good), &registry(), &cases, Pace::FULL, seed()).is_ok());
    let edits = [
        ("ip_udp_check", "16'hdd86", "16'hdd87"),
        ("ip_udp_check", "10'd18", "10'd19"),
        ("header_window", "16'ha888", "16'ha889"),
        ("bth_decode", "16'h12b7", "16'h12b6"),
        ("opcode_shape", "words = 4'd7", "words = 4'd6"),
        ("opcode_shape", "words = 4'd5", "words = 4'd4"),
        ("opcode_shape", "opcode == 8'd22", "opcode == 8'd21"),
        ("opcode_shape", "opcode == 8'd23", "opcode == 8'd24"),
        ("opcode_shape", "opcode == 8'd29", "opcode == 8'd30"),
        ("opcode_shape", "opcode < 8'd32", "opcode < 8'd21"),
        ("opcode_shape", "opcode < 8'd32", "opcode < 8'd33"),
        ("opcode_shape", "opcode <= 8'd197", "opcode <= 8'd198"),
        ("opcode_shape", "opcode == 8'd224", "opcode == 8'd198"),
        ("frame_verdict", "!crc_ok1", "crc_ok1"),
        ("payload_align", "[527:16]", "[528:17]"),
        ("payload_align", "pending <= 1'b1", "pending <= 1'b0"),
        ("header_fields", "8'd196", "8'd197"),
    ];
    let missed = missed(&catalogue::sources(&good), &edits, |model| bench(model, &registry(), &cases, Pace::FULL, seed()).map(|_| ()));
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
