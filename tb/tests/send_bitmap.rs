//! The send bitmaps beside the golden sender: situations one by one, a random mixture, how fast acknowledgements are; verilated, and in
//! lockstep with the Rust.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::send_bitmap::mixture::{Mix, Report, run};
use rdma_rtl_tb::send_bitmap::{Shape, situations};
use rdma_rtl_tb::under_test::{seed, verilated};

fn design(profile: &str) -> (Design, Shape) {
    let design = catalogue::find("send_bitmap", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap() as u32;
    let shape = Shape { queue_pairs: parameter("queue_pairs"), window: parameter("window"), segment: parameter("segment") };
    (design, shape)
}

/// Seeds from the one of the run, or that one alone if it was given.
fn seeds(many: u64) -> std::ops::Range<u64> {
    let first = seed();
    first..first + if std::env::var_os("RDMA_RTL_SEED").is_some() { 1 } else { many }
}

fn mixed(model: &mut dyn Model, shape: Shape, clocks: u64, seed: u64, test: &str) -> Report {
    let mix = Mix::random(shape, clocks, seed);
    run(model, shape, mix, seed).unwrap_or_else(|difference| {
        panic!("{difference}\n{mix:?}\nagain with RDMA_RTL_SEED={seed} cargo nextest run -p rdma-rtl-tests send_bitmap::{test}")
    })
}

fn everything_mixed(profile: &str, clocks: u64, many: u64, test: &str) {
    let (design, shape) = design(profile);
    let mut model = verilated(&design.elaborate().unwrap());
    let seen: Vec<Report> = seeds(many).map(|seed| mixed(&mut model, shape, clocks, seed, test)).collect();
    let sum = |of: &dyn Fn(&Report) -> u64| seen.iter().map(of).sum::<u64>();
    let counts: Vec<u64> = (0..9).map(|kind| sum(&|report| report.counts.done[kind])).collect();
    let answers: Vec<u64> = (0..6).map(|reason| sum(&|report| report.counts.answers[reason])).collect();
    println!("{profile}: {} clocks, operations {counts:?}, answers {answers:?}", sum(&|report| report.clocks));
    if seen.len() >= 10 {
        assert!(
            counts.iter().chain(&answers).all(|&count| count > 0),
            "something never happened: operations {counts:?}, answers {answers:?}"
        );
        for (what, count) in [
            ("wraps", sum(&|report| report.wraps)),
            ("bad acknowledgements", sum(&|report| report.counts.bad)),
            ("suppressed", sum(&|report| report.counts.suppressed)),
            ("sent again", sum(&|report| report.counts.sent_again)),
            ("errors", sum(&|report| report.counts.errors)),
            ("moments that the block chose", sum(&|report| report.counts.chosen)),
            ("closed", sum(&|report| report.closed)),
        ] {
            assert!(count > 0, "{what}: never");
        }
    }
}

#[test]
fn mixture_small() {
    everything_mixed("small", 20_000, 30, "mixture_small");
}

#[test]
fn mixture_of_one_queue_pair() {
    everything_mixed("window128_q1", 20_000, 9, "mixture_of_one_queue_pair");
}

#[test]
fn mixture_of_many_queue_pairs() {
    everything_mixed("worked", 30_000, 6, "mixture_of_many_queue_pairs");
    everything_mixed("window1024", 30_000, 6, "mixture_of_many_queue_pairs");
}

#[test]
fn situations() {
    for profile in ["small", "window128_q1", "window1024"] {
        let (design, shape) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for (what, situation) in situations::ALL {
            situation(&mut model, shape).unwrap_or_else(|difference| panic!("{profile}, {what}: {difference}"));
        }
    }
}

#[test]
fn acknowledgements_while_a_number_is_given_out_in_every_clock() {
    for profile in ["small", "window1024"] {
        let (design, shape) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for packets in [1, 8, 16] {
            let clocks = situations::acknowledgements(&mut model, shape, packets).unwrap_or_else(|e| panic!("{profile}: {e}"));
            println!("{profile}: an acknowledgement of {packets} packets takes {clocks} clocks");
            assert!(clocks <= 20 + u64::from(packets.div_ceil(shape.segment)), "{profile}: {packets} packets take {clocks} clocks");
        }
    }
}

#[test]
fn a_range_costs_as_much_wherever_it_lies() {
    for profile in ["small", "window1024"] {
        let (design, shape) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        let clocks = situations::ranges(&mut model, shape).unwrap_or_else(|e| panic!("{profile}: {e}"));
        println!("{profile}: a range acknowledgement takes {clocks} clocks");
        assert!(clocks <= 21, "{profile}: {clocks} clocks");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let (design, shape) = design("small");
    let verilated = verilated(&design.elaborate().unwrap());
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
    for seed in seeds(4) {
        mixed(&mut model, shape, 1500, seed, "the_rust_and_its_verilog_agree");
    }
}
