//! The op table beside its golden model: situations one by one, a random mixture, one of each per clock; verilated, and in lockstep with
//! the Rust.

use rdma_rtl_golden::send::op_table::Params;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::send::op_table::directed;
use rdma_rtl_tb::send::op_table::full::one_of_each;
use rdma_rtl_tb::send::op_table::mixture::{Mix, Seen, run};
use rdma_rtl_tb::send::together::{self, Commands};
use rdma_rtl_tb::under_test::{seed, verilated};

fn design(profile: &str) -> (Design, Params) {
    let design = catalogue::find("op_table", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap() as usize;
    let params = Params { ops: parameter("ops"), mask_bits: parameter("mask_bits") };
    (design, params)
}

/// Seeds from the one of the run, or that one alone if it was given.
fn seeds(many: u64) -> std::ops::Range<u64> {
    let first = seed();
    first..first + if std::env::var_os("RDMA_RTL_SEED").is_some() { 1 } else { many }
}

fn mixed(model: &mut dyn Model, params: Params, ops: usize, seed: u64, test: &str) -> Seen {
    let mix = Mix::random(params, ops, seed);
    run(model, params, mix, seed).unwrap_or_else(|difference| {
        panic!("{difference}\n{mix:?}\nagain with RDMA_RTL_SEED={seed} cargo nextest run -p rdma-rtl-tests op_table::{test}")
    })
}

/// Every trouble must have been there: a mixture in which something never happens tests nothing of it.
fn covered(all: &[Seen], params: Params) {
    let some = |what: &str, of: &dyn Fn(&Seen) -> u64| assert!(all.iter().any(|seen| of(seen) > 0), "{what} never came");
    some("a retransmission", &|seen| seen.counted.retransmissions);
    some("a time-out", &|seen| seen.counted.timeouts);
    some("a duplicate", &|seen| seen.counted.duplicate_acks);
    some("a negative acknowledgement", &|seen| seen.counted.nacks);
    some("a stale one", &|seen| seen.counted.stale_acks);
    some("a failure", &|seen| seen.failed);
    if params.ops < 1024 {
        some("a full table", &|seen| u64::from(seen.high_water == params.ops as u64));
    }
    some("a clock with a segment, a packet and an acknowledgement", &|seen| seen.all_at_once);
}

fn everything_mixed(profile: &str, ops: usize, many: u64, test: &str) {
    let (design, params) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Seen> = seeds(many).map(|seed| mixed(&mut model, params, ops, seed, test)).collect();
    if seen.len() > 1 {
        covered(&seen, params);
    }
}

fn everything_directed(profile: &str) {
    let (design, params) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    for (what, situation) in directed::ALL {
        situation(&mut model, params).unwrap_or_else(|difference| panic!("{profile}, {what}: {difference}"));
    }
}

#[test]
fn mixture_small() {
    everything_mixed("small", 1000, 40, "mixture_small");
}

#[test]
fn mixture_default() {
    everything_mixed("default", 1500, 16, "mixture_default");
}

#[test]
fn mixture_large() {
    everything_mixed("large", 1500, 8, "mixture_large");
}

#[test]
fn directed_small() {
    everything_directed("small");
}

#[test]
fn directed_default() {
    everything_directed("default");
}

/// The generations of `small` are sixteen times as many, and take as much longer.
#[test]
fn an_index_is_used_no_more_often_than_it_may_be() {
    let (design, params) = design("large");
    directed::too_often(&mut verilated(&design.elaborate().unwrap()), params).unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn one_of_each_per_clock() {
    for profile in ["small", "default", "large"] {
        let (design, params) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        // Each index many times, in generations that follow each other.
        let rate = one_of_each(&mut model, params, 66_500, 0, 1).unwrap_or_else(|difference| panic!("{profile}: {difference}"));
        assert!(rate.clocks > 66_000 && rate.ops > 1 << 16, "{profile}: {rate:?}");
        let clocks = 5 * params.scan_period();
        let rate = one_of_each(&mut model, params, clocks, 2, 1).unwrap_or_else(|difference| panic!("{profile}: {difference}"));
        assert!(rate.timeouts >= 4, "{profile}: {rate:?}");
    }
}

/// A packet lives for a second, as after a reset, and every operation of 300 us in which one begins with every clock gets its number at
/// once.
#[test]
fn no_operation_waits_for_a_generation() {
    let (design, params) = design("default");
    let second = 322_265_625;
    let rate = one_of_each(&mut verilated(&design.elaborate().unwrap()), params, 100_500, 0, second);
    let rate = rate.unwrap_or_else(|difference| panic!("{difference}"));
    assert!(rate.clocks > 100_000 && rate.ops > 100_000, "{rate:?}");
}

/// A segment cut, an op number given, a packet sent, one acknowledged and a word of timers looked at, in every clock.
#[test]
fn one_of_each_behind_the_splitter() {
    for profile in ["small", "default", "large"] {
        let (design, params) = design(profile);
        let mut table = verilated(&design.elaborate().unwrap());
        let splitter = catalogue::find("splitter", profile).unwrap();
        let mut cutter = verilated(&splitter.elaborate().unwrap());
        let commands = Commands { packet: splitter.parameter("packet_size").unwrap() as u32, segments: 100 };
        let clocks = 5 * params.scan_period();
        let rate = together::one_of_each(&mut cutter, &mut table, params, commands, clocks)
            .unwrap_or_else(|difference| panic!("{profile}: {difference}"));
        assert!(rate.clocks >= clocks - 1 && rate.ops >= clocks && rate.commands > clocks / 100 - 2, "{profile}: {rate:?}");
        assert!(rate.timeouts >= 4, "{profile}: {rate:?}");
    }
}

fn in_lockstep(profile: &str, ops: usize, seeds: std::ops::Range<u64>) {
    let (design, params) = design(profile);
    let verilated = verilated(&design.elaborate().unwrap());
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
    for seed in seeds {
        mixed(&mut model, params, ops, seed, "the_rust_and_its_verilog_agree");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    in_lockstep("small", 60, seeds(6));
    in_lockstep("default", 40, seeds(2));
}

#[test]
fn the_rust_and_its_verilog_agree_on_situations() {
    let (design, params) = design("small");
    let verilated = verilated(&design.elaborate().unwrap());
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
    let few = ["forged acknowledgements", "negative acknowledgements", "ends of every kind"];
    for (what, situation) in directed::ALL.iter().filter(|(what, _)| few.contains(what)) {
        situation(&mut model, params).unwrap_or_else(|difference| panic!("{what}: {difference}"));
    }
}
