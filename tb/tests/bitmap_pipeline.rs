//! The receive bitmaps beside the golden receiver: situations one by one, a random mixture, a header in every clock; verilated, and in
//! lockstep with the Rust.

use rdma_rtl_golden::bitmap::Params;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::bitmap::mixture::{Mix, Report, run};
use rdma_rtl_tb::bitmap::pooled::Seen;
use rdma_rtl_tb::bitmap::{directed, pooled};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::under_test::{seed, verilated};

fn design(profile: &str) -> (Design, Params) {
    let design = catalogue::find("bitmap_pipeline", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap();
    let mut params = Params::new(parameter("queue_pairs") as usize, parameter("window") as u32);
    params.granularity = parameter("granularity") as u32;
    params.segment = parameter("segment") as u32 / params.granularity;
    params.pool = match parameter("pool") {
        0 => params.queue_pairs as u32 * params.segments(),
        pool => pool as u32,
    };
    (design, params)
}

/// Seeds from the one of the run, or that one alone if it was given.
fn seeds(many: u64) -> std::ops::Range<u64> {
    let first = seed();
    first..first + if std::env::var_os("RDMA_RTL_SEED").is_some() { 1 } else { many }
}

fn mixed(model: &mut dyn Model, params: Params, packets: u64, seed: u64, test: &str) -> Report {
    let mix = Mix::random(params, packets, seed);
    run(model, params, mix, seed).unwrap_or_else(|difference| {
        panic!("{difference}\n{mix:?}\nagain with RDMA_RTL_SEED={seed} cargo nextest run -p rdma-rtl-tests bitmap_pipeline::{test}")
    })
}

fn everything_mixed(profile: &str, packets: u64, many: u64, test: &str) {
    let (design, params) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Report> = seeds(many).map(|seed| mixed(&mut model, params, packets, seed, test)).collect();
    let sum = |of: &dyn Fn(&Report) -> u64| seen.iter().map(of).sum::<u64>();
    let wraps = sum(&|report| report.wraps);
    println!(
        "{profile}: {} packets, {wraps} wraps, oldest base {:?}",
        sum(&|report| report.verdicts.iter().sum()),
        seen.iter().map(|report| report.oldest).max()
    );
    if seen.len() > 1 {
        for verdict in 0..4 {
            assert!(sum(&|report| report.verdicts[verdict]) > 0, "verdict {verdict} never came: {seen:?}");
        }
        assert!(wraps > 0 && sum(&|report| report.advances) > 0 && sum(&|report| report.closed) > 0, "{seen:?}");
    }
}

#[test]
fn mixture_small() {
    everything_mixed("small", 20_000, 15, "mixture_small");
}

#[test]
fn mixture_worked() {
    everything_mixed("worked", 30_000, 10, "mixture_worked");
}

#[test]
fn mixture_large() {
    everything_mixed("large", 40_000, 5, "mixture_large");
}

#[test]
fn mixture_of_one_queue_pair() {
    everything_mixed("window128_q1", 20_000, 15, "mixture_of_one_queue_pair");
    everything_mixed("window16384_q1", 100_000, 5, "mixture_of_one_queue_pair");
}

#[test]
fn mixture_of_long_windows() {
    everything_mixed("window1024", 40_000, 10, "mixture_of_long_windows");
    everything_mixed("window16384", 60_000, 5, "mixture_of_long_windows");
}

/// Lengths that change at random, and a pool that is empty and is not: every verdict, base and edge.
fn variable_windows(profile: &str, packets: u64, many: u64, test: &str) {
    let (design, params) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Report> = seeds(many).map(|seed| mixed(&mut model, params, packets, seed, test)).collect();
    let sum = |of: &dyn Fn(&Report) -> u64| seen.iter().map(of).sum::<u64>();
    let pool = |of: fn(&Seen) -> u64| sum(&|report| of(&report.pool));
    let counts = [
        ("edges moved", pool(|seen| seen.moved)),
        ("windows shrunk", pool(|seen| seen.shrunk)),
        ("windows short of segments", pool(|seen| seen.exhausted)),
        ("clocks with an empty pool", pool(|seen| seen.empty)),
        ("refused", pool(|seen| seen.refused)),
        ("lengths", pool(|seen| seen.changes)),
        ("wraps", sum(&|report| report.wraps)),
        ("windows of the longest length", seen.iter().filter(|report| report.pool.longest == params.segments()).count() as u64),
    ];
    println!("{profile}: {} packets, {counts:?}", sum(&|report| report.verdicts.iter().sum()));
    if seen.len() > 1 {
        assert!(counts.iter().all(|&(_, count)| count > 0), "{counts:?}");
    }
}

#[test]
fn mixture_of_variable_windows() {
    variable_windows("pool", 30_000, 15, "mixture_of_variable_windows");
}

#[test]
fn mixture_of_many_variable_windows() {
    variable_windows("pool1024", 60_000, 5, "mixture_of_many_variable_windows");
}

#[test]
fn situations_of_variable_windows() {
    let (design, params) = design("pool");
    let mut model = verilated(&design.elaborate().unwrap());
    let failures: Vec<String> =
        pooled::ALL.iter().filter_map(|(what, situation)| Some(format!("{what}: {}", situation(&mut model, params).err()?))).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn mixture_of_groups() {
    everything_mixed("group2", 20_000, 10, "mixture_of_groups");
    everything_mixed("group4", 20_000, 15, "mixture_of_groups");
    everything_mixed("group8_q1", 20_000, 10, "mixture_of_groups");
}

#[test]
fn situations() {
    for profile in ["small", "worked", "window128_q1", "window1024", "group2", "group4", "group8_q1"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for (what, situation) in directed::ALL {
            situation(&mut model, params).unwrap_or_else(|difference| panic!("{profile}, {what}: {difference}"));
        }
    }
}

#[test]
fn one_header_per_clock() {
    for profile in ["small", "worked", "window128_q1", "window1024", "window16384_q1", "group2", "group4", "group8_q1"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for &(what, of) in directed::PATTERNS {
            let oldest = directed::sustained(&mut model, params, 40_000, of).unwrap_or_else(|e| panic!("{profile}, {what}: {e}"));
            println!("{profile}, {what}: base {oldest} clocks old at most");
            assert!(oldest <= 32, "{profile}, {what}: a base is {oldest} clocks old");
        }
    }
}

#[test]
fn a_window_moves_by_one_segment_per_clock() {
    for profile in ["worked", "window1024", "window16384_q1", "group4"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for segments in [1, 2, 7, 15, 100, 255].into_iter().filter(|&segments| segments < params.segments()) {
            let clocks = directed::advance(&mut model, params, segments).unwrap();
            println!("{profile}: {segments} segments in {clocks} clocks from the verdict");
            assert!(clocks <= u64::from(segments) + 8, "{profile}: {segments} segments take {clocks} clocks");
        }
    }
}

fn lockstep(profile: &str) -> (impl Model, Params) {
    let (design, params) = design(profile);
    let verilated = verilated(&design.elaborate().unwrap());
    (Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap(), params)
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let (mut model, params) = lockstep("small");
    for seed in seeds(10) {
        mixed(&mut model, params, 10_000, seed, "the_rust_and_its_verilog_agree");
    }
    let (mut model, params) = lockstep("group4");
    for seed in seeds(2) {
        mixed(&mut model, params, 10_000, seed, "the_rust_and_its_verilog_agree");
    }
}

#[test]
fn the_rust_and_its_verilog_agree_on_situations() {
    let (mut model, params) = lockstep("small");
    for (what, situation) in directed::ALL.iter().filter(|(what, _)| ["edges of the window", "headers without a queue pair"].contains(what))
    {
        situation(&mut model, params).unwrap_or_else(|difference| panic!("{what}: {difference}"));
    }
}
