//! `icrc_check` and `icrc_insert` at every beat width, verilated; at three of them in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_golden::wire::icrc_inserted;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::icrc::{
    Form, Pace, Seen, bench, every_bit, every_cut, every_form_and_end, every_length, good, leave_in_the_middle, mixture,
};
use rdma_rtl_tb::{capture, catalogue};
use std::path::{Path, PathBuf};

const BLOCKS: [&str; 2] = ["icrc_check", "icrc_insert"];

fn block(name: &str, data_width: u64) -> ir::Design {
    design_at(name, &[("data_width", data_width)])
}

fn run(model: &mut dyn Model, frames: &[Vec<u8>], pace: Pace, seed: u64) -> Seen {
    bench(model, frames, pace, seed).unwrap_or_else(|difference| panic!("{difference} (seed {seed})"))
}

/// Idle clocks in a frame and between frames, and a taker that waits.
fn paces() -> impl Iterator<Item = Pace> {
    const PERCENTS: [u32; 3] = [100, 60, 10];
    let offers = PERCENTS.into_iter().flat_map(|offer| PERCENTS.map(|begin| (offer, begin)));
    offers.flat_map(|(offer, begin)| PERCENTS.map(|take| Pace { offer, begin, take }))
}

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// All frames of a folder's captures.
fn captures(folder: &Path) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pcap"));
    files.sort();
    files.iter().flat_map(|file| capture::read(file).unwrap()).map(|frame| frame.bytes).collect()
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// All of it at one width. The most clocks that a beat spends inside when nobody waits.
fn everything(name: &str, data_width: u64, latency: u64) {
    let mut model = verilated(&block(name, data_width));
    let beat = data_width as usize / 8;
    let seed = seed();
    let mut rng = random(seed);
    let small = mixture(&mut rng, beat, 400);
    for pace in paces() {
        let seen = run(&mut model, &small, pace, seed);
        assert!(seen.hold > 100 && seen.wrong > 50 && seen.absent > 10, "{seen:?}");
    }
    for clocks in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
        leave_in_the_middle(&mut model, &small, clocks, seed);
        run(&mut model, &small[..20], Pace::FULL, seed);
    }
    // Back to back: what goes in comes out at the pace of the wire.
    let lengths = every_length(&mut rng, (0..500).chain(4096..4096 + 2 * beat));
    for frames in [mixture(&mut rng, beat, 3000), lengths, every_form_and_end(&mut rng, beat)] {
        let seen = run(&mut model, &frames, Pace::FULL, seed);
        let (_, most) = seen.latency.unwrap();
        assert_eq!(most, latency, "{seen:?}");
        assert!(seen.clocks <= seen.beats + latency, "{seen:?}");
    }
    // Every beat of frames that all have the first 32 bytes takes the same time.
    let longer: Vec<Vec<u8>> = (64..200).map(|end| good(&mut rng, end, 0)).collect();
    let seen = run(&mut model, &longer, Pace::FULL, seed);
    assert_eq!(seen.latency, Some((latency, latency)));
    assert_eq!(seen.clocks, seen.beats + latency);
    // The longest IP packet, and a frame that is longer than any.
    let longest = icrc_inserted(&Form { tag: None, words: Some(5) }.frame(&mut rng, 14 + 65535, 0));
    let mut giant = longest.clone();
    giant.resize(300_000, 0x5a);
    let cut = longest[..60_000].to_vec();
    let six = icrc_inserted(&Form { tag: Some(0x8100), words: None }.frame(&mut rng, 18 + 40 + 65535, 3));
    let seen = run(&mut model, &[longest, small[0].clone(), giant, cut, six, small[1].clone()], Pace::FULL, seed);
    assert!(seen.hold >= 3, "{seen:?}");
}

#[test]
fn check_of_64_bits() {
    everything("icrc_check", 64, 11);
}

#[test]
fn check_of_128_bits() {
    everything("icrc_check", 128, 10);
}

#[test]
fn check_of_256_bits() {
    everything("icrc_check", 256, 10);
}

#[test]
fn check_of_512_bits() {
    everything("icrc_check", 512, 11);
}

#[test]
fn check_of_1024_bits() {
    everything("icrc_check", 1024, 12);
}

#[test]
fn check_of_2048_bits() {
    everything("icrc_check", 2048, 13);
}

#[test]
fn insert_of_64_bits() {
    everything("icrc_insert", 64, 15);
}

#[test]
fn insert_of_128_bits() {
    everything("icrc_insert", 128, 14);
}

#[test]
fn insert_of_256_bits() {
    everything("icrc_insert", 256, 15);
}

#[test]
fn insert_of_512_bits() {
    everything("icrc_insert", 512, 16);
}

#[test]
fn insert_of_1024_bits() {
    everything("icrc_insert", 1024, 18);
}

#[test]
fn insert_of_2048_bits() {
    everything("icrc_insert", 2048, 19);
}

/// The frames of a Linux kernel, those of a folder that `RDMA_RTL_CAPTURES` names, if it does, and those of the vectors, some of them bad.
#[test]
fn every_frame_of_the_captures_and_vectors() {
    let (linux, ours) = (captures(&vectors().join("soft_roce")), captures(&vectors()));
    let more = std::env::var_os("RDMA_RTL_CAPTURES").map(|folder| captures(Path::new(&folder)));
    for name in BLOCKS {
        let mut model = verilated(&block(name, 512));
        let seen = run(&mut model, &linux, Pace::FULL, seed());
        assert_eq!((seen.hold, seen.wrong, seen.absent), (1749, 0, 0));
        if let Some(more) = &more {
            let seen = run(&mut model, more, Pace::FULL, seed());
            assert_eq!((seen.hold, seen.wrong, seen.absent), (more.len() as u64, 0, 0));
            assert_ne!(more.len(), 0, "no frame in the folder of RDMA_RTL_CAPTURES");
            println!("{name}: {} more frames hold", more.len());
        }
        let seen = run(&mut model, &ours, Pace::FULL, seed());
        assert_eq!((seen.hold, seen.wrong, seen.absent), (401, 7, 4));
    }
}

/// Each bit of a frame of each form the other way: found, but for those that the ICRC does not cover. And each frame cut after each byte.
#[test]
fn every_bit_and_every_cut() {
    let mut rng = random(seed());
    for data_width in [64, 512] {
        let mut model = verilated(&block("icrc_check", data_width));
        for form in Form::all() {
            let frame = icrc_inserted(&form.frame(&mut rng, form.least() + 37, 5));
            let seen = run(&mut model, &every_bit(&frame), Pace::FULL, seed());
            // MAC addresses, the tag's value, padding; type of service, time to live and checksum, or traffic class, flow label and hop
            // limit; the checksum of UDP and a byte of BTH.
            let link = 8 * (12 + 5 + if form.tag.is_some() { 2 } else { 0 });
            let free = link + if form.words.is_some() { 8 + 8 + 16 } else { 8 + 20 + 8 } + 16 + 8;
            // What turns one form into another, UDP into something else, or the packet into a fragment, leaves no ICRC to be wrong.
            assert_eq!(seen.wrong + seen.absent, 8 * frame.len() as u64 - free, "{form:?}");
            assert!(seen.absent < 100, "{form:?}: {seen:?}");
            run(&mut model, &every_cut(&frame), Pace::FULL, seed());
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default", "large"] {
        for name in BLOCKS {
            let block = catalogue::find(name, profile).unwrap();
            let design = block.elaborate().unwrap();
            let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated(&design))).unwrap();
            let beat = block.parameter("data_width").unwrap() as usize / 8;
            let frames = mixture(&mut random(seed()), beat, 150);
            run(&mut model, &frames, Pace { offer: 80, begin: 80, take: 80 }, seed());
        }
    }
}

/// What finds the faults: frames of every form, bits and cuts of some of them, a frame that is longer than any, and a pace with pauses.
fn not_noticed(name: &str, data_width: u64, edits: &[Edit]) -> Vec<String> {
    let mut rng = random(seed());
    let beat = data_width as usize / 8;
    let mut frames = mixture(&mut rng, beat, 1500);
    frames.extend(every_form_and_end(&mut rng, beat));
    // At 512 bits: an ICRC that ends in the first lanes of a beat, and in the next one, which is all of its frame.
    frames.extend((0..60).map(|more| if more % 2 == 0 { good(&mut rng, 65 + more / 20, 0) } else { good(&mut rng, 58 + more % 7, 0) }));
    for form in [Form { tag: None, words: Some(5) }, Form { tag: Some(0x88a8), words: Some(7) }, Form { tag: Some(0x8100), words: None }] {
        let frame = icrc_inserted(&form.frame(&mut rng, form.least() + 3, 4));
        frames.extend([every_bit(&frame), every_cut(&frame)].concat());
    }
    frames.push(good(&mut rng, 1000, 300_000));
    let mut paused = mixture(&mut rng, beat, 100);
    // An ICRC that lies in two beats, with more behind it than the window of narrow beats holds: a pause comes between the two.
    paused.extend((0..30).map(|more| good(&mut rng, 65 + more % 3, 40)));
    let pace = Pace { offer: 60, begin: 60, take: 60 };
    missed(&catalogue::sources(&block(name, data_width)), edits, |model| {
        bench(model, &paused, pace, seed())?;
        bench(model, &frames, Pace::FULL, seed()).map(|_| ())
    })
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn faults_of_the_check_are_noticed() {
    let missed = not_noticed(
        "icrc_check",
        64,
        &[
            ("icrc_check", "RESIDUE_3 = 32'hdebb_20e3", "RESIDUE_3 = 32'hdebb_20e1"),
            ("icrc_check", "held && !first", "held"),
            ("icrc_check", "!room || !holds", "!holds"),
            ("icrc_check", "|| syndrome_out_short", ""),
            ("icrc_check", "beats_out_data[73] || verdicts_out_data", "verdicts_out_data"),
            ("icrc_check", "last && roce && (", "last && ("),
            ("icrc_check", "!beats_count[5] && !(&beats_count[4:3])", "!beats_count[2]"),
            ("icrc_check", "!beats_count[5] && !(&beats_count[4:3])", "1'b1"),
            ("icrc_check", "beats_out_ready = out_ready && verdicts_out_valid", "beats_out_ready = out_ready"),
            ("icrc_syndrome", "FIXED_0   = 32'h781d_5905", "FIXED_0   = 32'h781d_5904"),
            ("icrc_syndrome", "FIXED_3   = 32'h1d6e_1baf", "FIXED_3   = 32'h1d6e_9baf"),
            ("icrc_syndrome", "MOVING_11 = 32'hb4cb_90a0", "MOVING_11 = 32'hb4cb_90a1"),
            ("icrc_syndrome", "kept_1 & 32'h00ff_ffff", "kept_1"),
            ("icrc_syndrome", "if (valid_1) begin", "begin"),
            ("crc_advance_bytes4", "ROW_5   = 32'h01a2_0300", "ROW_5   = 32'h01a2_0200"),
            ("crc_advance_bytes8", "state & ROW_0)", "state & ROW_4)"),
            ("icrc_fields", "16'ha888", "16'ha889"),
            ("icrc_fields", "16'hdd86", "16'hdd87"),
            ("icrc_fields", "from_0[69:64]", "from_0[68:64]"),
            ("icrc_fields", "from_1[79:72]", "from_1[78:72]"),
            ("icrc_fields", ">= 4'd5", ">= 4'd6"),
            ("icrc_fields", "(from_1[71:64] == 8'd17)", "1'b1"),
            ("icrc_fields", "== 16'hb712) && keep1[5]", "== 16'hb712)"),
            ("icrc_fields", "== 16'hb712) && keep1[1]", "== 16'hb713) && keep1[1]"),
            ("icrc_fields", "seen && !out_first", "seen"),
            ("icrc_fields", "bytes1 >= header_bytes", "bytes1 > header_bytes"),
            ("icrc_fields", "FIXED_2   = 96'h0000_0000_0000_0000_0023_ffff", "FIXED_2   = 96'h0000_0000_0000_0000_0063_ffff"),
            ("icrc_fields", "before_ = 17'd57", "before_ = 17'd56"),
            ("icrc_fields", "zero | beyond_mask", "zero"),
            ("icrc_fields", "if (!(&index1))", "if (1'b1)"),
            ("icrc_window", "valid_1 && (last_1 || whole_1)", "valid_1"),
            ("icrc_window", "inside_ <= !out_last", "inside_ <= 1'b1"),
        ],
    );
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn faults_of_the_insertion_are_noticed() {
    let missed = not_noticed(
        "icrc_insert",
        64,
        &[
            ("icrc_insert", "&& syndrome_out_roce ", ""),
            ("icrc_insert", "&& syndrome_out_room ", ""),
            ("icrc_insert", "&& !syndrome_out_short", ""),
            ("icrc_insert", "here && (distance_2 < 3'd4)", "here && (distance_2 < 3'd3)"),
            ("icrc_insert", "spilled && (distance_6 < 3'd4)", "here && (distance_6 < 3'd4)"),
            ("icrc_insert", "if (!place[2])", "if (!place[1])"),
            ("icrc_insert", "next_valid && next_beat[1]", "next_valid"),
            ("icrc_insert", "this_beat[0] || next_valid", "next_valid"),
            ("icrc_insert", "(difference << 24) | (difference >> 8)", "(difference << 24)"),
            ("icrc_insert", "going_0[3:2] == 2'd1", "going_0[3:2] == 2'd2"),
            ("icrc_insert", "!out_valid || out_ready", "1'b1"),
            ("icrc_insert", "out_last <= beats_out_data[72]", "out_last <= beats_out_data[71]"),
            ("icrc_insert", "patch & 32'h00ff_0000", "patch & 32'h007f_0000"),
            ("icrc_syndrome", "FIXED_1   = 32'h2cac_242b", "FIXED_1   = 32'h2cac_242a"),
            ("crc_advance_back_bytes4", "state & ROW_0)", "state & ROW_4)"),
        ],
    );
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
    let missed = not_noticed(
        "icrc_insert",
        512,
        &[
            // At 64 bits the window gives the last beats of a frame away one after the other.
            ("icrc_insert", "this_beat[0] || next_valid", "1'b1"),
            ("icrc_insert", "spills && !this_beat[1]", "spills"),
            ("icrc_insert", "state_1 <= back_5_moved", "state_1 <= back_4_moved"),
            ("icrc_insert", "state_2 <= back_8_moved", "state_2 <= back_7_moved"),
            // The last lanes of a beat, with the end in the next beat at its second lane; with the end in the last lane of this one.
            ("icrc_insert", "if (!place[5])", "if (!place[0])"),
            ("icrc_insert", "if (!place[5])", "if (1'b1)"),
            ("crc_advance_back_bytes12", "state & ROW_0)", "state & ROW_4)"),
            ("crc_advance_back_bytes48", "state & ROW_124)", "state & ROW_120)"),
            ("crc_advance_bytes32", "state & ROW_124)", "state & ROW_120)"),
            ("icrc_fields", "(out_words == PORT_10) && port2[10]", "(out_words == PORT_10) && port2[11]"),
        ],
    );
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

/// A million frames of every kind at each width, at changing paces, and a million random errors: half an hour.
#[test]
#[ignore = "a million frames at each width: half an hour; RDMA_RTL_FRAMES says another number"]
fn a_million_frames() {
    let frames = std::env::var("RDMA_RTL_FRAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000_000usize);
    for name in BLOCKS {
        for data_width in [64, 128, 256, 512, 1024, 2048] {
            let mut model = verilated(&block(name, data_width));
            let (mut rng, mut done, mut sum) = (random(seed() + data_width), 0, Seen::default());
            // All lengths of the specification first.
            let lengths = every_length(&mut rng, 0..4096 + 301);
            run(&mut model, &lengths, Pace::FULL, seed());
            while done < frames {
                let many = mixture(&mut rng, data_width as usize / 8, 5000);
                let pace = if done % 15_000 == 0 { Pace { offer: 70, begin: 40, take: 70 } } else { Pace::FULL };
                let seen = run(&mut model, &many, pace, seed() + done as u64);
                done += many.len();
                (sum.hold, sum.wrong, sum.absent) = (sum.hold + seen.hold, sum.wrong + seen.wrong, sum.absent + seen.absent);
            }
            println!("{name}, {data_width} bits: {} frames hold, {} are wrong, {} have none", sum.hold, sum.wrong, sum.absent);
        }
    }
}
