//! The op table beside its golden model: directed and random, verilated and in lockstep with the Rust.

use rdma_rtl_golden::send::op_table::Params;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::send::op_table::directed;
use rdma_rtl_tb::send::op_table::mixture::{Mix, Seen, run};
use rdma_rtl_tb::under_test::{seed, verilated};

fn design(profile: &str) -> (Design, Params) {
    let design = catalogue::find("op_table", profile).unwrap().clone();
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
        panic!("{difference}\n{mix:?}\nagain with RDMA_RTL_SEED={seed} cargo nextest run -p rdma-rtl-tb --test op_table {test}")
    })
}

#[test]
fn mixture_small() {
    let (design, params) = design("small");
    let mut model = verilated(&design.elaborate().unwrap());
    for seed in seeds(100) {
        let seen = mixed(&mut model, params, 1000, seed, "mixture_small");
        println!("{seed}: {seen:?}");
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
fn directed_small() {
    everything_directed("small");
}
