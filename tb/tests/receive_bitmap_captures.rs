//! Captures of soft-RoCE through the receive bitmaps: a Go-Back-N peer, under loss, reordering and duplication, as an independent witness.
//!
//! The small ones are in `tb/vectors/soft_roce`; RDMA_RTL_CAPTURES names a folder with more of them.

use rdma_rtl_golden::bitmap::Params;
use rdma_rtl_golden::decision::{Decision, Line};
use rdma_rtl_sim::Model;
use rdma_rtl_tb::bitmap::registers::Registers;
use rdma_rtl_tb::bitmap::replay::{Replayed, replay};
use rdma_rtl_tb::bitmap::requests::Requests;
use rdma_rtl_tb::bitmap::soft_roce::{Compared, compare};
use rdma_rtl_tb::capture::{self, CapturedFrame, Timing};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::under_test::verilated;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn captures() -> BTreeMap<String, PathBuf> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/soft_roce");
    let folders = [Some(ours), std::env::var_os("RDMA_RTL_CAPTURES").map(PathBuf::from)];
    let files = folders.iter().flatten().flat_map(|folder| {
        std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).map(|entry| entry.unwrap().path())
    });
    let named = files.filter(|path| path.extension().is_some_and(|extension| extension == "pcap"));
    named.map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path)).collect()
}

fn small() -> (impl Model, Params) {
    let design = catalogue::find("receive_bitmap", "small").unwrap();
    (verilated(&design.elaborate().unwrap()), Params::new(16, 128))
}

fn requests(frames: &[CapturedFrame], timing: Timing, name: &str) -> (Registers, Requests) {
    let mut registers = Registers::default();
    registers.set("mtu", if name.contains("pmtu4096") { 4096 } else { 1024 }).unwrap();
    let requests = Requests::of(frames, timing, registers.mtu, &[], 128, 16).unwrap_or_else(|e| panic!("{name}: {e}"));
    (registers, requests)
}

fn run(model: &mut dyn Model, params: Params, registers: &Registers, requests: &Requests, name: &str) -> Replayed {
    replay(model, params, registers, requests, 0, true).unwrap_or_else(|difference| panic!("{name}: {difference}"))
}

/// Every request of both ends, back to back.
#[test]
fn hardware_and_golden_model_agree_on_every_capture() {
    let (mut model, params) = small();
    for (name, path) in captures() {
        let frames = capture::read(&path).unwrap();
        let (registers, requests) = requests(&frames, Timing::LineRate { bytes_per_clock: 64 }, &name);
        assert_eq!(requests.errors.len(), 0, "{name}: {:?}", requests.errors);
        let done = run(&mut model, params, &registers, &requests, &name);
        let sum = |of: fn(&rdma_rtl_golden::bitmap::Statistics) -> u64| done.queue_pairs.iter().map(|at| of(&at.statistics)).sum::<u64>();
        println!("{name}: {:?} of {} frames, {:?}", done.verdicts, frames.len(), done.counts);
        assert_eq!(done.verdicts[2] + done.verdicts[3], 0, "{name}: beyond the window, or of nobody");
        assert_eq!(done.counts.dropped, 0, "{name}: no event is lost at this pace");
        // Where the frames were sent, before anything was lost, and where nothing can be lost.
        if name.ends_with(".a") || name.starts_with("clean") || name.starts_with("duplicate") || name.starts_with("ackloss") {
            assert_eq!(sum(|statistics| statistics.gaps), 0, "{name}");
        }
        for at in &done.queue_pairs {
            assert_eq!((at.base, at.statistics.out_of_window), ((at.max + 1) % (1 << 24), 0), "{name}: {at:x?} is not complete");
        }
        // Each number that a READ request consumes is that of a response.
        if name.starts_with("clean-read") {
            assert_eq!(sum(|statistics| statistics.accepted), requests.ignored, "{name}");
        }
    }
}

#[test]
fn the_first_gap_is_what_a_go_back_n_peer_names_and_the_base_is_never_behind_it() {
    let (mut model, params) = small();
    let mut sum = Compared::default();
    for (name, path) in captures().into_iter().filter(|(name, _)| name.ends_with(".b") && !name.starts_with("rnr")) {
        let frames = capture::read(&path).unwrap();
        let (mut registers, requests) = requests(&frames, Timing::Idle(64), &name);
        registers.set("depth", 0).unwrap();
        registers.set("refeedback", 1 << 30).unwrap();
        let done = run(&mut model, params, &registers, &requests, &name);
        let compared = compare(&frames, &requests, &done.lines).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name}: {compared:?}");
        sum.episodes += compared.episodes;
        sum.acks += compared.acks;
        sum.naks += compared.naks;
        sum.naks_of_what_is_here += compared.naks_of_what_is_here;
        if name.starts_with("loss") && !name.contains("read") {
            assert!(compared.episodes > 0 && compared.naks > 0, "{name}: {compared:?}");
        }
        if name == "loss5-send.b" {
            is_alive(&frames, &requests, &done.lines);
        }
    }
    assert!(sum.episodes > 0 && sum.acks > 50 && sum.naks_of_what_is_here > 0, "{sum:?}");
}

/// What the comparison must notice.
fn is_alive(frames: &[CapturedFrame], requests: &Requests, good: &[Line]) {
    let without_gaps = || good.iter().filter(|line| !matches!(line.decision, Decision::Gap { .. })).cloned().collect::<Vec<_>>();
    let (mut other_gap, mut behind) = (good.to_vec(), without_gaps());
    for line in other_gap.iter_mut().chain(&mut behind) {
        match &mut line.decision {
            Decision::Gap { start, .. } => *start += 1,
            Decision::Ack { base, .. } => *base -= 2,
            _ => {}
        }
    }
    other_gap.retain(|line| !matches!(line.decision, Decision::Ack { .. }));
    // The peer's first NAK is not in the capture.
    let nak = |line: &&Line| matches!(line.decision, Decision::Ignored { frame: 9, .. });
    let silent: Vec<Line> = good.iter().filter(|line| !nak(line)).cloned().collect();
    for (lines, text) in [
        (other_gap, "the first gap begins at"),
        (without_gaps(), "which the hardware has not told"),
        (behind, "which is further than the hardware"),
        (silent, "is missing"),
    ] {
        let error = compare(frames, requests, &lines).unwrap_err();
        assert!(error.contains(text), "{error}");
    }
}
