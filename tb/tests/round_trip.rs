//! The measured round trip and its timeout: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Fault, fault, less, missed, missed_values, more, one, ones, zero};
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
        assert!(
            begun > 20_000 && sampled > 5000 && edges > 2000 && longest > 20 && cancelled > 1000 && expired > 500,
            "{profile}: {seen:?}"
        );
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
    fault("keys are compared with one packet only", "round_trip", "again_near3", zero),
    fault("the same for acknowledgements", "round_trip", "acked_near3", zero),
    fault("every key is that which was sent again", "round_trip", "again_fits", one),
    fault("every key is acknowledged", "round_trip", "acked_fits", one),
    fault("an edge is one less", "round_trip", "distance", less),
    fault("that of a packet of the clock before is one more", "round_trip", "distance_near", more),
    fault("what is sent again stays timed", "round_trip", "cuts", zero),
    fault("what is acknowledged stays timed", "round_trip", "hits", zero),
    fault("a new packet finds none that was cut off", "round_trip", "is_cut", zero),
    fault("nodes do not rest", "round_trip", "resting", zero),
    fault("a node that times one begins", "round_trip", "busy", zero),
    fault("all that is sent again doubles", "round_trip", "again_expired3", one),
    fault("nothing doubles", "round_trip_estimate", "more", zero),
    fault("doubling stays behind a sample", "round_trip_estimate", "over", zero),
    fault("every sample is the first", "round_trip_estimate", "first2", one),
    fault("no sample is the first", "round_trip_estimate", "first2", zero),
    fault("errors have no sign", "round_trip_estimate", "correction", zero),
    fault("the deviation does not grow", "round_trip_estimate", "carried", zero),
    fault("no deviation is no tick", "round_trip_estimate", "spread", zero),
    fault("the longest sample is the shortest", "round_trip_estimate", "length2", zero),
    fault("a sum is one less", "round_trip_estimate", "sum5", less),
    fault("every node is known", "round_trip_estimate", "is_known", one),
    fault("no node is known", "round_trip_estimate", "is_known", zero),
    fault("doubling does not show", "round_trip_estimate", "times", zero),
    fault("the first timeout has limits", "round_trip_estimate", "exact1", zero),
    fault("there is no cap", "round_trip_estimate", "exact1", one),
    fault("the cap is the largest number", "round_trip_estimate", "cap1", ones),
];

/// A condition less, or a bit.
const EDITS: &[Edit] = &[
    ("round_trip.v", "is_old = old3 && !(|(same3 & started))", "is_old = old3"),
    ("round_trip.v", "(age2 >> 1) >= cfg_cap", "(age2 >> 1) > cfg_cap"),
    ("round_trip.v", "sent_node == sent_node3, ", "1'b0, "),
    ("round_trip.v", "(left | fresh) & ~forget_hot3", "(left | fresh)"),
    ("round_trip.v", "sample4 <= |(hits & ~forget_hot3)", "sample4 <= |hits"),
    ("round_trip.v", "(resting | hits) & ~estimate_landed & ~forget_hot3", "(resting | hits) & ~estimate_landed"),
    ("round_trip.v", "hits = acked_fits ? (timing & ~cuts", "hits = acked_fits ? (timing"),
    ("round_trip.v", "fresh = sent_hot3 & ~resting & ~hits", "fresh = sent_hot3 & ~resting"),
    ("round_trip.v", "fresh = sent_hot3 & ~resting & ~hits", "fresh = sent_hot3 & ~hits"),
    ("round_trip_estimate", "sample_valid && !(forget_valid && (forget_node == sample_node))", "sample_valid"),
    ("round_trip_estimate", "valid2 <= valid1 && !(forget_valid && (forget_node == node1))", "valid2 <= valid1"),
    ("round_trip_estimate", "valid3 <= valid2 && !(forget_valid && (forget_node == node2))", "valid3 <= valid2"),
    ("round_trip_estimate", "valid4 <= valid3 && !(forget_valid && (forget_node == node3))", "valid4 <= valid3"),
    ("round_trip_estimate", "if (valid4 && !(forget_valid && (forget_node == node4)))", "if (valid4)"),
    ("round_trip_estimate", "(known | landed) & ~forgets", "known | landed"),
    ("round_trip_estimate", "doubles & ~(ones & twos & fours)", "doubles"),
    ("round_trip_estimate", "over = landed | forgets", "over = landed"),
    ("round_trip_estimate", "(|(ticks1 >> 24))", "(|(ticks1 >> 25))"),
    ("round_trip_estimate", "old_deviation - (old_deviation >> 2)", "old_deviation - (old_deviation >> 1)"),
    ("round_trip_estimate", "{deviation3, 1'b0} | 27'd1", "{deviation3, 1'b0} | 27'd0"),
    ("round_trip_estimate", "deviation3 <= {1'b0, length2, 1'b0}", "deviation3 <= {2'd0, length2}"),
    ("round_trip_estimate", "if (sum < cfg_floor)", "if (1'b0)"),
    ("round_trip_estimate", "else if ((|times) && (cfg_initial < cfg_floor))", "else if (cfg_initial < cfg_floor)"),
    ("round_trip_estimate", "else if ((|times) && (cfg_initial < cfg_floor))", "else if (1'b0)"),
    ("round_trip_estimate", "(doubled > {7'd0, cap1})", "(doubled[31:0] > cap1)"),
];

fn notices(model: &mut dyn Model) -> Result<(), String> {
    (1..3).try_for_each(|seed| MIXES.iter().try_for_each(|&mix| bench(model, 6000, mix, seed).map(|_| ())))
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("round_trip", "small").unwrap().elaborate().unwrap();
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make()));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model)));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}
