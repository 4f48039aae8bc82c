//! The receive endpoint through its buses, verilated: directed operations, random traffic at full speed and with every bus stalling, resets
//! in the middle.

use rdma_rtl_sim::verilated::{Library, Optimize, Options};
use rdma_rtl_sim::{Lockstep, Model, Verilated};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::receive_endpoint::hostile::hostile;
use rdma_rtl_tb::receive_endpoint::replay::{Replay, replay};
use rdma_rtl_tb::receive_endpoint::saturation::{saturate, saturate_by_copies};
use rdma_rtl_tb::receive_endpoint::traffic::{Plan, furnish, run};
use rdma_rtl_tb::receive_endpoint::{Endpoint, Pace, directed};
use rdma_rtl_tb::under_test::{self, seed};
use std::path::Path;

/// A completion ring that software need not hurry for: base, log2 of its entries.
const LONG_RING: (u64, u32) = (0x7_8000_0000, 12);

fn find(profile: &str) -> Design {
    catalogue::find("receive_endpoint", profile).unwrap_or_else(|e| panic!("{e}"))
}

fn verilated(design: &Design) -> Verilated {
    let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{e}"));
    under_test::verilated(&elaborated)
}

fn plan(design: &Design, operations: usize) -> Plan {
    let parameter = |name: &str| design.parameter(name).unwrap_or_else(|| panic!("no parameter {name}")) as usize;
    Plan {
        seed: seed(),
        operations,
        live: parameter("entries"),
        sources: parameter("sources").min(8) as u16,
        packet_size: parameter("packet_size"),
        packets: parameter("mask_bits").min(32),
        mask_bits: parameter("mask_bits"),
        window: 24,
        again: 6000,
        duplicates: 10,
        lost_starts: 10,
        arrivals: 10,
    }
}

fn endpoint<'a>(model: &'a mut dyn Model, design: &Design, pace: Pace) -> Endpoint<'a> {
    let map = design.register_map().unwrap().unwrap_or_else(|| panic!("no register map"));
    Endpoint::new(model, map, pace).unwrap_or_else(|e| panic!("{e}"))
}

fn traffic(model: &mut dyn Model, design: &Design, plan: Plan, pace: Pace) {
    let mut endpoint = endpoint(model, design, pace);
    furnish(&mut endpoint, &plan);
    endpoint.set_up(plan.sources).unwrap();
    let done = run(&mut endpoint, &plan, None).unwrap_or_else(|e| panic!("seed {}: {e}", plan.seed)).unwrap();
    assert_eq!(done.operations + done.arrivals, plan.operations as u64);
    assert!(done.sent_again > 0 && done.arrivals > 0 && done.frames > done.operations, "{done:?}");
}

#[test]
fn one_operation_and_what_is_dropped() {
    for profile in ["small", "worked"] {
        let design = find(profile);
        let (mut model, plan) = (verilated(&design), plan(&design, 1));
        let mut endpoint = endpoint(&mut model, &design, Pace::random(seed(), 10));
        endpoint.set_up(plan.sources).unwrap();
        directed::one_operation(&mut endpoint, plan.packet_size, plan.mask_bits).unwrap();
        directed::acknowledgements(&mut endpoint, plan.packet_size).unwrap();
        directed::what_is_dropped(&mut endpoint, plan.packet_size).unwrap();
    }
}

#[test]
fn random_traffic_small() {
    let design = find("small");
    let mut model = verilated(&design);
    for percent in [0, 10, 40] {
        traffic(&mut model, &design, plan(&design, 300), if percent == 0 { Pace::full(seed()) } else { Pace::random(seed(), percent) });
    }
}

/// Operations at one width of the buses: a thousand, or `RDMA_RTL_OPERATIONS`.
fn operations() -> usize {
    std::env::var("RDMA_RTL_OPERATIONS").ok().and_then(|s| s.parse().ok()).unwrap_or(1000)
}

fn random_traffic(profile: &str) {
    let operations = operations();
    let design = find(profile);
    // What optimisation costs, a long run gives back.
    let optimize = if operations > 10_000 { Optimize::Full } else { Optimize::Quick };
    let sources = catalogue::sources(&design.elaborate().unwrap());
    let library = Library::build(&sources, &Options { optimize, ..Default::default() }).unwrap();
    traffic(&mut library.instance().unwrap(), &design, plan(&design, operations), Pace::random(seed(), 20));
}

#[test]
fn random_traffic_on_64_bits() {
    random_traffic("bus64");
}

#[test]
fn random_traffic_on_128_bits() {
    random_traffic("bus128");
}

#[test]
fn random_traffic_on_256_bits() {
    random_traffic("bus256");
}

#[test]
fn random_traffic_on_512_bits() {
    random_traffic("worked");
}

#[test]
fn random_traffic_on_2048_bits() {
    random_traffic("bus2048");
}

/// Frames that somebody has been at: six thousand, or `RDMA_RTL_FRAMES`.
#[test]
fn mutated_frames() {
    let frames = std::env::var("RDMA_RTL_FRAMES").ok().and_then(|s| s.parse().ok()).unwrap_or(6000);
    let design = find("small");
    let (mut model, plan) = (verilated(&design), plan(&design, 1));
    let mut endpoint = endpoint(&mut model, &design, Pace::full(seed()));
    endpoint.set_up(plan.sources).unwrap();
    let counted = hostile(&mut endpoint, plan.packet_size, plan.mask_bits, frames, seed()).unwrap_or_else(|e| panic!("{e}"));
    println!("{counted:?}");
    assert_eq!(counted.len(), 9, "not every reason came: {counted:?}");
}

/// Beats of 512 bits that come with no pause: at least 95 % of those that a wire could bring are taken.
#[test]
fn saturated_by_frames() {
    for (profile, packets, operations) in [("worked", 32, 60), ("packet1024", 32, 40), ("packet4096", 16, 20)] {
        let design = find(profile);
        let (mut model, payload) = (verilated(&design), plan(&design, 1).packet_size);
        let mut endpoint = endpoint(&mut model, &design, Pace::full(seed()));
        endpoint.ring(LONG_RING.0, LONG_RING.1);
        endpoint.set_up(4).unwrap();
        let rate = saturate(&mut endpoint, 64, payload, packets, operations).unwrap_or_else(|e| panic!("{payload} bytes: {e}"));
        println!("{payload} bytes: {rate:?}, {:.1} % of the clocks", 100.0 * rate.share());
        assert!(rate.share() >= 0.95, "{payload} bytes: {rate:?}");
    }
}

/// Frames of 146 bytes have three beats: a header every three clocks, of copies and of operations that each begin, end and are told of.
#[test]
fn saturated_by_small_frames() {
    let design = find("worked");
    let mut model = verilated(&design);
    let mut endpoint = endpoint(&mut model, &design, Pace::full(seed()));
    endpoint.ring(LONG_RING.0, LONG_RING.1);
    endpoint.set_up(4).unwrap();
    let rate = saturate_by_copies(&mut endpoint, 64, plan(&design, 1).packet_size, 2000).unwrap();
    println!("copies of 64 bytes: {rate:?}");
    assert_eq!(rate.share(), 1.0, "{rate:?}");
    let rate = saturate(&mut endpoint, 64, 64, 1, 2000).unwrap();
    println!("operations of 64 bytes: {rate:?}");
    assert_eq!(rate.share(), 1.0, "{rate:?}");
}

fn replayed(model: &mut dyn Model, design: &Design, capture: &Path, pace: Pace) -> Result<Replay, String> {
    let frames = rdma_rtl_tb::capture::read(capture).unwrap();
    let mut endpoint = endpoint(model, design, pace);
    endpoint.set_up_for_all(4).unwrap();
    replay(&mut endpoint, &frames, &vec![0; frames.len()], plan(design, 1).packet_size)
}

/// Every committed capture: memory, completions and the counters of dropped frames are what the golden reader says.
#[test]
fn every_vector() {
    let design = find("default");
    let packet = plan(&design, 1).packet_size as u64;
    let elaborated = design.elaborate().unwrap();
    let library = Library::build(&catalogue::sources(&elaborated), &Options { optimize: Optimize::Quick, ..Default::default() }).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let (mut captures, mut compared) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "pcap") {
            let mut model = library.instance().unwrap();
            let found =
                replayed(&mut model, &design, &path, Pace::random(seed(), 20)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            captures += 1;
            compared += found.compared;
            // The one sound operation of this capture ends with the last byte there is.
            assert!(!path.ends_with("reject_wraps.pcap") || found.compared as u64 == 2 * packet, "{found:?}");
        }
    }
    assert!(captures >= 20 && compared > 10_000, "{captures} captures, {compared} bytes");
}

/// A frame that is dropped for another reason than its own, or written in spite of it, does not pass.
#[test]
fn a_replay_notices() {
    let design = find("small");
    let good = catalogue::sources(&design.elaborate().unwrap());
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/frame_errors.pcap");
    let edits = [("receive_endpoint.v", "!(|s_axis_rx_tuser)", "!s_axis_rx_tuser[0]")];
    let missed = missed(&good, &edits, |model| match replayed(model, &design, &capture, Pace::full(seed())) {
        Err(difference) => {
            assert!(difference.contains("count_frame_icrc"), "{difference}");
            Err(difference)
        }
        Ok(_) => Ok(()),
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

/// Operations of few packets, and senders of less patience: the Rust runs one or two thousand clocks a second, and those of a large
/// operation's payload or of waiting show little.
fn in_lockstep(profile: &str) {
    let design = find(profile);
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated(&design))).unwrap();
    let plan = Plan { packets: 4, again: 2000, ..plan(&design, operations()) };
    assert!(plan.sources == 8);
    traffic(&mut model, &design, plan, Pace::random(seed(), 20));
    println!("{profile}: {} clocks", model.cycle());
}

#[test]
fn lockstep_on_64_bits() {
    in_lockstep("bus64");
}

#[test]
fn lockstep_on_128_bits() {
    in_lockstep("bus128");
}

#[test]
fn lockstep_on_256_bits() {
    in_lockstep("bus256");
}

#[test]
fn lockstep_on_512_bits() {
    in_lockstep("worked");
}

#[test]
fn lockstep_on_2048_bits() {
    in_lockstep("bus2048");
}

/// Nothing of what went on before is left, whether `aresetn` or software ended it.
#[test]
fn resets_in_the_middle() {
    let design = find("small");
    let (mut model, plan) = (verilated(&design), plan(&design, 40));
    let mut endpoint = endpoint(&mut model, &design, Pace::random(seed(), 20));
    furnish(&mut endpoint, &plan);
    endpoint.set_up(plan.sources).unwrap();
    for round in 0..20 {
        let broken = Plan { seed: plan.seed + 100 + round, ..plan };
        run(&mut endpoint, &broken, Some(300 + 211 * round)).unwrap_or_else(|e| panic!("round {round}: {e}"));
        if round % 2 == 0 {
            endpoint.reset();
        } else {
            endpoint.soft_reset().unwrap_or_else(|e| panic!("round {round}: {e}"));
        }
        endpoint.set_up(plan.sources).unwrap();
    }
    endpoint.write("control", 1 << 9 | 1).unwrap();
    run(&mut endpoint, &plan, None).unwrap_or_else(|e| panic!("after the resets: {e}"));
}

/// The bench sees what is wrong: each of these edits of the top is one wrong wire.
#[test]
fn the_bench_notices() {
    let design = find("small");
    let good = catalogue::sources(&design.elaborate().unwrap());
    let edits = [
        ("receive_endpoint.v", "m_axi_awsize = 3'd3", "m_axi_awsize = 3'd2"),
        ("receive_endpoint.v", "!(|s_axis_rx_tuser)", "!s_axis_rx_tuser[0]"),
        ("receive_endpoint.v", "= registers_cfg_control_enable", "= 1'b1"),
        ("receive_path", "imm_valid = completions_out_data[161]", "imm_valid = 1'b1"),
        // What is out of order waits; nothing is said once more; a completion takes nobody's place, or anybody's.
        ("ack_merge.v", "(ordered && same && (last_behind == in_position))", "1'b1"),
        ("ack_merge.v", "&& next_[81] && next_[83]", "&& 1'b0"),
        ("ack_merge.v", "&& next_[80] && next_[82]", "&& 1'b0"),
        ("ack_merge.v", "q_open && next_[2] && next_[80] && next_[82]", "q_open"),
    ];
    let missed = missed(&good, &edits, |model| {
        let plan = plan(&design, 20);
        let mut endpoint = endpoint(model, &design, Pace::random(seed(), 10));
        furnish(&mut endpoint, &plan);
        endpoint.set_up(plan.sources)?;
        directed::one_operation(&mut endpoint, plan.packet_size, plan.mask_bits)?;
        directed::acknowledgements(&mut endpoint, plan.packet_size)?;
        directed::what_is_dropped(&mut endpoint, plan.packet_size)?;
        endpoint.write("control", 1 << 9 | 1)?;
        run(&mut endpoint, &plan, None).map(|_| ())
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
