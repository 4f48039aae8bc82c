//! The measured round trip and its timeout: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, one, ones, zero};
use rdma_rtl_tb::send::round_trip::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

/// All at once in one node and in a few; what a network does; packets that never come back; nodes that are forgotten; doubling.
const MIXES: [Mix; 7] = [
    Mix { sent: 100, again: 50, acked: 100, forget: 5, tick: 100, nodes: 1 },
    Mix { sent: 100, again: 30, acked: 100, forget: 2, tick: 50, nodes: 2 },
    Mix { sent: 60, again: 3, acked: 30, forget: 0, tick: 30, nodes: 4 },
    Mix { sent: 30, again: 1, acked: 2, forget: 0, tick: 100, nodes: 4 },
    Mix { sent: 80, again: 10, acked: 80, forget: 30, tick: 20, nodes: 3 },
    Mix { sent: 50, again: 60, acked: 3, forget: 1, tick: 50, nodes: 4 },
    Mix { sent: 20, again: 1, acked: 20, forget: 0, tick: 3, nodes: 2 },
];

fn run(model: &mut dyn Model, clocks: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, clocks, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, seed {seed})"))
}

/// Every mix, for that many clocks, `rounds` times.
fn sweep(profile: &str, clocks: u64, rounds: u64) -> Seen {
    let mut model = verilated(&catalogue::find("round_trip", profile).unwrap().elaborate().unwrap());
    let mut sum = Seen::default();
    for round in 0..rounds {
        for (number, mix) in MIXES.into_iter().enumerate() {
            sum.add(run(&mut model, clocks, mix, seed() + 10 * round + number as u64));
        }
    }
    println!("{profile}, seed {}: {sum:?}", seed());
    sum
}

#[test]
fn timeouts_are_those_of_the_model() {
    for profile in ["small", "default", "large"] {
        let seen = sweep(profile, 20_000, 2);
        let Seen { begun, sampled, edges, longest, cancelled, expired, given_up, reads } = seen;
        assert!(begun > 20_000 && sampled > 5000 && edges > 2000 && longest > 20 && cancelled > 1000 && expired > 500, "{profile}: {seen:?}");
        assert!(given_up > 1000 && reads.iter().all(|&count| count > 5000), "{profile}: {seen:?}");
    }
    // All nodes of a profile, few events for each.
    for (profile, nodes) in [("default", 16), ("large", 64)] {
        let mut model = verilated(&catalogue::find("round_trip", profile).unwrap().elaborate().unwrap());
        for mix in [MIXES[0], MIXES[2]] {
            run(&mut model, 50_000, Mix { nodes, ..mix }, seed());
        }
    }
}

#[test]
#[ignore = "an hour; RDMA_RTL_ROUNDS says how often"]
fn many_seeds() {
    let rounds = std::env::var("RDMA_RTL_ROUNDS").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
    for profile in ["small", "default", "large"] {
        sweep(profile, 20_000, rounds);
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let block = catalogue::find("round_trip", profile).unwrap();
        let models = (("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap())));
        let mut model = Lockstep::new(models.0, models.1).unwrap();
        for (seed, mix) in (seed()..).zip(MIXES) {
            run(&mut model, 300, mix, seed);
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("packets are never old", "round_trip", "is_old", zero),
    fault("packets are always old", "round_trip", "is_old", one),
    fault("a packet of the clock before is not known", "round_trip", "started", zero),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("round_trip", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..3).try_for_each(|seed| MIXES.iter().try_for_each(|&mix| bench(&mut model, 4000, mix, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
    let _ = (less, ones);
}
