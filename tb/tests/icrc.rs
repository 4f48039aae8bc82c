//! `icrc_check` and `icrc_insert` at every beat width, verilated; at three of them in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_golden::wire::icrc_inserted;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::icrc::{Form, Pace, Seen, bench, every_bit, every_cut, every_form_and_end, every_length, good, leave_in_the_middle, mixture};
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

/// The frames of a Linux kernel, and those of the vectors, of which some are bad.
#[test]
fn every_frame_of_the_captures_and_vectors() {
    let (linux, ours) = (captures(&vectors().join("soft_roce")), captures(&vectors()));
    for name in BLOCKS {
        let mut model = verilated(&block(name, 512));
        let seen = run(&mut model, &linux, Pace::FULL, seed());
        assert_eq!((seen.hold, seen.wrong, seen.absent), (1749, 0, 0));
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
            // MAC addresses, the tag's value, padding; type of service, time to live and checksum, or traffic class, flow label and hop limit;
            // the checksum of UDP and a byte of BTH.
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
