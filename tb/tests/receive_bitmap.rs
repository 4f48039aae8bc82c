//! The receive bitmaps with gaps, feedback and acknowledgements beside the golden receiver: situations one by one, a random mixture, how
//! prompt a message is; verilated, and in lockstep with the Rust.

use rdma_rtl_golden::bitmap::{DepthMode, Params};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::bitmap::mixture::Mix;
use rdma_rtl_tb::bitmap::situations::{self, Report, run};
use rdma_rtl_tb::bitmap::{crossing, deep, grouped};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::under_test::{seed, verilated};

fn design(profile: &str) -> (Design, Params) {
    let design = catalogue::find("receive_bitmap", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap();
    let mut params = Params::new(parameter("queue_pairs") as usize, parameter("window") as u32);
    params.granularity = parameter("granularity") as u32;
    params.segment = parameter("segment") as u32 / params.granularity;
    params.records = parameter("records") as usize;
    params.paths = parameter("paths") as u8;
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
        let registers = situations::registers(seed);
        panic!("{difference}\n{mix:?}\n{registers:?}\nagain with RDMA_RTL_SEED={seed} cargo nextest run -p rdma-rtl-tests receive_bitmap::{test}")
    })
}

fn everything_mixed(profile: &str, packets: u64, many: u64, test: &str) {
    let (design, params) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Report> = seeds(many).map(|seed| mixed(&mut model, params, packets, seed, test)).collect();
    let sum = |of: &dyn Fn(&Report) -> u64| seen.iter().map(of).sum::<u64>();
    let counts = [
        ("gaps", sum(&|report| report.counts.gaps)),
        ("reports", sum(&|report| report.counts.reports)),
        ("repeats", sum(&|report| report.counts.repeats)),
        ("misjudged", sum(&|report| report.counts.misjudged)),
        ("folded", sum(&|report| report.counts.folded)),
        ("acknowledgements", sum(&|report| report.counts.acks)),
        ("ranges", sum(&|report| report.counts.ranges)),
        ("wraps", sum(&|report| report.counts.wraps)),
        ("told for depth", sum(&|report| report.counts.causes[0])),
        ("told for age", sum(&|report| report.counts.causes[1])),
        ("told for stall", sum(&|report| report.counts.causes[2])),
    ];
    let overtaken = sum(&|report| report.counts.causes[3]);
    let without_record = ["spilled", "walked"].into_iter().zip([sum(&|report| report.counts.spilled), sum(&|report| report.counts.walked)]);
    let without_record: Vec<(&str, u64)> = without_record.filter(|_| params.tells()).collect();
    let behind = seen.iter().map(|report| report.counts.behind).max().unwrap_or_default();
    let untold = seen.iter().map(|report| report.counts.longest_untold).max().unwrap_or_default();
    println!(
        "{profile}: {counts:?}, {without_record:?}, {overtaken} told as overtaken, {} dropped, {} rebuilt, {behind} clocks behind, {untold} to a range",
        sum(&|r| r.counts.dropped),
        sum(&|r| r.counts.rebuilt)
    );
    if seen.len() > 4 {
        for (what, count) in counts.into_iter().chain(without_record) {
            assert!(count > 0, "{what}: never");
        }
        assert_eq!(overtaken > 0, params.paths > 1, "told because all paths have passed them: {overtaken}");
    }
}

#[test]
fn mixture_small() {
    everything_mixed("small", 10_000, 20, "mixture_small");
}

/// Nearly all queue pairs lag at once, and fall behind again as soon as they have caught up.
#[test]
fn mixture_in_which_all_lag() {
    let (design, params) = design("small");
    let mut model = verilated(&design.elaborate().unwrap());
    for seed in [24, 34] {
        let behind = mixed(&mut model, params, 10_000, seed, "mixture_in_which_all_lag").counts.behind;
        let rebuilds = params.queue_pairs as u64 * (params.records as u64 + 1) * 34;
        assert!(behind <= rebuilds, "{behind} clocks behind; a rebuild of each takes {rebuilds}");
    }
}

#[test]
fn mixture_worked() {
    everything_mixed("worked", 20_000, 10, "mixture_worked");
}

#[test]
fn mixture_of_one_queue_pair() {
    everything_mixed("window128_q1", 10_000, 20, "mixture_of_one_queue_pair");
}

#[test]
fn mixture_of_long_windows() {
    everything_mixed("window1024", 20_000, 10, "mixture_of_long_windows");
}

/// Profiles in turn, and as many packets at each as `RDMA_RTL_BITMAP_PACKETS` says, which makes those of `more` worth their build: a
/// million takes minutes.
fn many_mixed(always: &[&str], more: &[&str], test: &str) {
    let packets = std::env::var("RDMA_RTL_BITMAP_PACKETS").map_or(20_000, |packets| packets.parse().expect("a number of packets"));
    let (runs, more) = if packets > 100_000 { (20, more) } else { (1, [].as_slice()) };
    for profile in always.iter().chain(more) {
        let since = std::time::Instant::now();
        everything_mixed(profile, packets / runs, runs, test);
        println!("{profile}: {packets} packets in {} s", since.elapsed().as_secs());
    }
}

#[test]
fn mixture_of_every_size() {
    let more = ["window128_q1", "small", "worked", "window1024_q16", "window1024", "paths4_q1", "paths4", "paths4_q256"];
    many_mixed(&["window1024_q1"], &more, "mixture_of_every_size");
}

#[test]
fn mixture_of_the_longest_windows() {
    many_mixed(&["window16384_q1", "window16384_q16", "window16384"], &[], "mixture_of_the_longest_windows");
}

#[test]
fn mixture_of_groups_of_every_size() {
    let more = ["group4_q1", "group4", "group4_q256", "group4_1024_q16", "group4_1024_q256", "group4_paths4"];
    many_mixed(&["group4_1024_q1"], &more, "mixture_of_groups_of_every_size");
}

/// Windows whose lengths change at random, from a pool that is empty and is not: no gap is forgotten and none invented.
#[test]
fn mixture_of_variable_windows() {
    let (design, params) = design("pool");
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Report> = seeds(20).map(|seed| mixed(&mut model, params, 10_000, seed, "mixture_of_variable_windows")).collect();
    let sum = |of: fn(&Report) -> u64| seen.iter().map(of).sum::<u64>();
    let counts = [
        ("gaps", sum(|report| report.counts.gaps)),
        ("reports", sum(|report| report.counts.reports)),
        ("ranges", sum(|report| report.counts.ranges)),
        ("rebuilt", sum(|report| report.counts.rebuilt)),
        ("edges moved", sum(|report| report.pool.moved)),
        ("windows shrunk", sum(|report| report.pool.shrunk)),
        ("windows short of segments", sum(|report| report.pool.exhausted)),
        ("refused", sum(|report| report.pool.refused)),
    ];
    println!("{counts:?}");
    if seen.len() > 1 {
        assert!(counts.iter().all(|&(_, count)| count > 0), "{counts:?}");
    }
}

#[test]
fn mixture_of_four_paths() {
    let packets = std::env::var("RDMA_RTL_PACKETS").ok().map_or(10_000, |packets| packets.parse().expect("packets"));
    everything_mixed("paths4", packets, 20, "mixture_of_four_paths");
}

#[test]
fn mixture_of_groups() {
    let packets = std::env::var("RDMA_RTL_PACKETS").ok().map_or(3_000, |packets| packets.parse().expect("packets"));
    for profile in ["group2", "group4", "group8_q1", "group4_paths4"] {
        everything_mixed(profile, packets, 20, "mixture_of_groups");
    }
}

/// The first packet of a gap arrives while its last one is searched, and the base is told later: no message has its end before its start.
#[test]
fn a_gap_that_is_filled_under_its_search() {
    let (design, params) = design("group4_q1");
    mixed(&mut verilated(&design.elaborate().unwrap()), params, 50_000, 3, "a_gap_that_is_filled_under_its_search");
}

#[test]
fn situations_of_groups() {
    let mut failures = Vec::new();
    for profile in ["group2", "group4", "group8_q1"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for (what, situation) in grouped::ALL {
            failures.extend(situation(&mut model, params).err().map(|difference| format!("{profile}, {what}: {difference}")));
        }
        for spacing in [1, 4, 8] {
            let (clocks, messages) = grouped::prompt(&mut model, params, spacing).unwrap_or_else(|e| panic!("{profile}: {e}"));
            println!("{profile}, a packet per {spacing} clocks: {clocks} clocks at most, {messages} messages");
            // More gaps than that are more than can be searched.
            assert!(spacing < 8 || (clocks <= 32 && messages >= 20), "{profile}: {messages} messages, the latest after {clocks} clocks");
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn situations_one_by_one() {
    let mut failures = Vec::new();
    for profile in ["small", "window128_q1", "worked", "window1024", "paths4"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for (what, situation) in situations::ALL {
            failures.extend(situation(&mut model, params).err().map(|difference| format!("{profile}, {what}: {difference}")));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn situations_of_several_paths() {
    let (design, params) = design("paths4");
    let mut model = verilated(&design.elaborate().unwrap());
    let failures: Vec<String> =
        crossing::ALL.iter().filter_map(|(what, situation)| Some(format!("{what}: {}", situation(&mut model, params).err()?))).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_message_within_32_clocks() {
    for profile in ["small", "window128_q1", "worked", "window1024", "paths4"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for mode in [DepthMode::Distance, DepthMode::Arrivals] {
            for spread in [1, 2, 5].into_iter().filter(|&spread| spread <= params.queue_pairs as u32) {
                let (clocks, messages) = deep::prompt(&mut model, params, spread, mode).unwrap_or_else(|e| panic!("{profile}: {e}"));
                println!("{profile}, {spread} queue pairs, {mode:?}: {clocks} clocks at most, {messages} messages");
                assert!(messages >= 240 * u64::from(spread), "{profile}: {messages} messages");
                // Those of other queue pairs may be queued in front.
                assert!(
                    clocks <= if mode == DepthMode::Distance { 32 } else { 48 } + 12 * u64::from(spread - 1),
                    "{profile}: a message {clocks} clocks after the header"
                );
            }
        }
    }
}

/// The scan comes to every queue pair within four clocks for each: 1024 at 256. What it finds is a message within 32 clocks, and a tick is
/// 20.
#[test]
fn every_gap_is_looked_at_in_time() {
    for profile in ["small", "worked"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for loaded in [false, true] {
            let (clocks, messages) = deep::aged(&mut model, params, loaded).unwrap_or_else(|e| panic!("{profile}: {e}"));
            println!("{profile}, {loaded}: {clocks} clocks at most, {messages} messages");
            assert_eq!(messages, params.queue_pairs as u64 - 1, "{profile}");
            assert!(
                clocks <= 4 * params.queue_pairs as u64 + 32 + 20,
                "{profile}: a message {clocks} clocks after the limit, loaded: {loaded}"
            );
        }
    }
}

fn lockstep(profile: &str) -> (impl Model, Params) {
    let (design, params) = design(profile);
    let verilated = verilated(&design.elaborate().unwrap());
    (Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap(), params)
}

/// As many packets of each as `RDMA_RTL_LOCKSTEP_PACKETS` says.
#[test]
fn the_rust_and_its_verilog_agree() {
    let packets = std::env::var("RDMA_RTL_LOCKSTEP_PACKETS").map_or(1000, |packets| packets.parse().expect("a number of packets"));
    for profile in ["small", "group4"] {
        let (mut model, params) = lockstep(profile);
        for seed in seeds(1) {
            mixed(&mut model, params, packets, seed, "the_rust_and_its_verilog_agree");
        }
    }
}
