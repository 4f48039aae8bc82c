//! How congested each queue pair's way is: verilated at each profile, in lockstep with the Rust, with faults in the hardware and in the
//! golden model, and from a mark to its level in 8 clocks.

use rdma_rtl_gen::{Options, elaborate, ir};
use rdma_rtl_golden::congestion::fault::Fault as Golden;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::congestion::congestion_degree::{Pace, Seen, bench};
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, one, zero};
use rdma_rtl_tb::under_test::{seed, sized, verilated};

const PACE: Pace =
    Pace { arrive: 100, ask: 10, prompt: false, telemetry: 0, pairs: 3, phase: 0, quiet: 0, idle: 0, marks: [1, 16, 32], fault: None };

const PACES: [Pace; 8] = [
    Pace { pairs: 1, ..PACE },
    // A packet and an acknowledgement in every clock, of two queue pairs.
    Pace { ask: 100, telemetry: 50, pairs: 2, ..PACE },
    // Every mark is told at once.
    Pace { ask: 0, prompt: true, telemetry: 10, pairs: 4, ..PACE },
    Pace { arrive: 50, ask: 2, telemetry: 30, pairs: 2, quiet: 300, idle: 100, ..PACE },
    Pace { arrive: 20, ask: 20, pairs: 16, quiet: 2000, idle: 1000, ..PACE },
    // Always a packet arrives; each queue pair is silent for longer than a time of 12 bits.
    Pace { ask: 5, pairs: 4, phase: 3000, idle: 2048, ..PACE },
    Pace { arrive: 5, ask: 50, prompt: true, telemetry: 100, quiet: 50, idle: 7, ..PACE },
    // Thresholds that do not ascend, and one that every packet reaches.
    Pace { arrive: 80, ask: 3, pairs: 2, quiet: 200, idle: 150, marks: [64, 0, 40], ..PACE },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

/// 16 queue pairs whose time wraps every 4096 clocks: one visit in 128.
fn short_time() -> ir::Design {
    let sizes = [("RATES", 16), ("DEGREE_TIME_BITS", 12)];
    elaborate(&sized("congestion::CongestionDegree", "default()", &sizes), &Options::default()).unwrap()
}

#[test]
fn every_answer_is_the_golden_one() {
    for profile in ["small", "default", "large"] {
        let mut model = verilated(&catalogue::find("congestion_degree", profile).unwrap().elaborate().unwrap());
        let mut levels = [0; 4];
        let (mut clear, mut enhanced) = (0, 0);
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 5000, pace, seed);
            (0..4).for_each(|level| levels[level] += seen.levels[level]);
            (clear, enhanced) = (clear + seen.clear, enhanced + seen.enhanced);
        }
        assert!(levels.iter().all(|&count| count > 100), "{profile}: {levels:?}");
        assert!(clear > 1000 && enhanced > 1000, "{profile}: {clear} clear, {enhanced} enhanced");
    }
}

#[test]
fn a_level_is_told_8_clocks_behind_its_mark() {
    let mut model = verilated(&catalogue::find("congestion_degree", "default").unwrap().elaborate().unwrap());
    let seen = run(&mut model, 5000, PACES[2], seed());
    assert!(seen.longest == 8 && seen.dues > 500, "{seen:?}");
    // Packets one per clock, and acknowledgements too: the last answer comes 7 clocks later.
    let seen = run(&mut model, 5000, PACES[1], seed());
    assert!((5000..=5016).contains(&seen.clocks), "{seen:?}");
}

#[test]
fn pauses_times_packets_times_acknowledgements() {
    let mut model = verilated(&short_time());
    let mut number = seed();
    for idle in [0, 1, 5, 64, 2048] {
        for quiet in [0, 3, 100, 5000] {
            for arrive in [3, 50, 100] {
                for ask in [1, 30, 100] {
                    let pace = Pace { arrive, ask, quiet, idle, telemetry: 20, pairs: 1 + number as usize % 5, ..PACE };
                    run(&mut model, 150, pace, number);
                    number += 1;
                }
            }
        }
    }
}

#[test]
fn a_time_that_wraps_is_never_seen() {
    let mut model = verilated(&short_time());
    let (mut visits, mut clocks) = (0, 0);
    for (seed, pace) in (seed()..).zip(PACES) {
        let seen = run(&mut model, 20_000, pace, seed);
        (visits, clocks) = (visits + seen.visits, clocks + seen.clocks);
    }
    // A visit takes a clock from packets only if they come in each: then one in 128.
    assert!(visits > 100 && visits <= clocks / 128 + PACES.len() as u64, "{visits} visits in {clocks} clocks");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let degree = catalogue::find("congestion_degree", "small").unwrap();
    let models = (("native", degree.native().unwrap()), ("verilated", verilated(&degree.elaborate().unwrap())));
    let mut model = Lockstep::new(models.0, models.1).unwrap();
    for (seed, pace) in (seed()..).zip(PACES) {
        run(&mut model, 200, Pace { quiet: pace.quiet.min(100), ..pace }, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("no mark is told", "congestion_degree", "first3", zero),
    fault("no telemetry is known", "congestion_degree", "worse3", zero),
    fault("the latest telemetry is told", "congestion_degree", "worse3", one),
    fault("an acknowledgement finds nothing untold", "congestion_degree", "told_live3", zero),
    fault("a mark stays told", "congestion_degree", "epochs_write_enable", zero),
    fault("what was told is still untold", "congestion_degree", "live3", one),
    fault("an arrival forgets what is untold", "congestion_degree", "live3", zero),
    fault("what a CNP tells an acknowledgement tells too", "congestion_degree", "mine3", one),
    fault("the one in front is not seen", "congestion_degree", "same2", zero),
    fault("always the one in front is seen", "congestion_degree", "same2", one),
    fault("what is untold of the one in front is not seen", "congestion_degree", "same3", zero),
    fault("what is untold is always that of the one in front", "congestion_degree", "same3", one),
    fault("no window is ever empty", "congestion_degree", "stale2", zero),
    fault("every window is", "congestion_degree", "stale2", one),
    fault("the last packet is forgotten by arrivals", "congestion_degree", "lasts_write_enable", zero),
    fault("the last packet is forgotten by acknowledgements", "congestion_degree", "lasts_told_write_enable", zero),
    fault("nobody is visited", "congestion_degree", "visits", zero),
    fault("nobody is visited while packets come", "congestion_degree", "late", zero),
    fault("always the same queue pair is visited", "congestion_degree", "visited", zero),
    fault("the time stands still", "congestion_degree", "now", zero),
    fault("a visit counts as a packet", "congestion_degree", "counts_0", one),
    fault("depth and occupancy say nothing", "congestion_degree", "heavy1", zero),
    fault("a share is never heavy", "congestion_degree", "heavy6", zero),
    fault("no acknowledgement is hurried", "congestion_degree", "due_valid", zero),
    fault("what was there at power-up stays", "cleared_ram", "ready", one),
];

const EDITS: &[Edit] = &[
    // Telemetry of the same level does not replace what is known; every mark hurries an acknowledgement.
    ("congestion_degree.v", "level3 < old3[8:7]", "level3 <= old3[8:7]"),
    ("congestion_degree.v", "arrive_scene == 4'd1", "1'b1"),
    // Windows, numbers of marks, and what is untold are forgotten.
    ("congestion_degree.v", "(windows_ready),\n        .write_enable  (valid_2)", "(windows_ready),\n        .write_enable  (1'b0)"),
    ("congestion_degree.v", "(marks_told_ready),\n        .write_enable  (valid_2)", "(marks_told_ready),\n        .write_enable  (1'b0)"),
    ("congestion_degree.v", "(untold_ready),\n        .write_enable  (valid_3)", "(untold_ready),\n        .write_enable  (1'b0)"),
    (
        "congestion_degree.v",
        "(untold_told_ready),\n        .write_enable  (valid_3)",
        "(untold_told_ready),\n        .write_enable  (1'b0)",
    ),
];

#[test]
fn every_fault_is_found() {
    let good = short_time();
    let notices = |model: &mut dyn Model| {
        PACES.iter().zip(1..).try_for_each(|(&pace, seed)| bench(model, if pace.phase > 0 { 40_000 } else { 3000 }, pace, seed).map(|_| ()))
    };
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make()));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model)));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}

#[test]
fn faults_of_the_golden_receiver_are_found() {
    let mut model = verilated(&catalogue::find("congestion_degree", "small").unwrap().elaborate().unwrap());
    let faults = [
        Golden::MarksStay,
        Golden::WindowOneShort,
        Golden::IdleNeverClears,
        Golden::ThresholdExclusive,
        Golden::ShareBeatsTelemetry,
        Golden::DepthAlone,
        Golden::LastMarkAlone,
        Golden::MarkStaysTold,
        Golden::MarkWaits,
        Golden::ResponseUnnotified,
        Golden::MessageNotified,
    ];
    for fault in faults {
        let found = PACES.iter().any(|&pace| bench(&mut model, 2000, Pace { fault: Some(fault), ..pace }, 1).is_err());
        assert!(found, "{fault:?}");
    }
}
