//! The length of a window beside the golden model, for values of every size; and that this is noticed if it is wrong.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::{Demand, target_segments};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, one, ones, zero};
use rdma_rtl_tb::under_test::{seed, verilated};

/// Clocks of a round.
const ROUND: u64 = 58;

fn run(model: &mut dyn Model, segment: u32, many: u32, seed: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ports = ["bandwidth", "rtt", "packet_bits", "headroom", "load", "congestion", "base_length", "max_length"];
    let ports = ports.map(|name| model.port(name).expect(name));
    let [rst, length] = ["rst", "length"].map(|name| model.port(name).expect(name));
    model.poke_u64(rst, 1);
    for port in ports {
        model.poke_u64(port, 0);
    }
    model.clock();
    model.poke_u64(rst, 0);
    for _ in 0..many {
        let size = rng.random_range(0..25);
        let mut below = |bits: u32| rng.random_range(0..1u64 << bits);
        let values = [below(size), below(24 - size / 2), 8 + below(3), below(8), below(8), below(5), below(6), below(16)];
        for (port, value) in ports.into_iter().zip(values) {
            model.poke_u64(port, value);
        }
        for _ in 0..2 * ROUND {
            model.clock();
        }
        model.eval();
        let [bandwidth, rtt, packet_bits, headroom, load, congestion, base, max] = values;
        let [headroom, load, congestion, base, max] = [headroom, load, congestion, base, max].map(|value| value as u32);
        let demand = Demand { bandwidth, rtt, mtu: 1 << packet_bits, headroom, load, congestion };
        let (found, expected) = (model.peek_u64(length), target_segments(&demand, segment, base, max));
        if let Some(reason) = model.failure() {
            return Err(reason.into());
        }
        if found != u64::from(expected) {
            return Err(format!("{found} segments, the model has {expected}: {demand:?}, {base} to {max} segments"));
        }
    }
    Ok(())
}

fn design(profile: &str) -> (Design, u32) {
    let design = catalogue::find("window_length", profile).unwrap();
    (design, design.parameter("segment").unwrap() as u32)
}

#[test]
fn lengths_are_those_of_the_model() {
    for profile in ["small", "worked"] {
        let (design, segment) = design(profile);
        run(&mut verilated(&design.elaborate().unwrap()), segment, 20_000, seed()).unwrap();
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let (design, segment) = design("small");
    let verilated = verilated(&design.elaborate().unwrap());
    run(&mut Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap(), segment, 200, seed()).unwrap();
}

const FAULTS: &[Fault] = &[
    fault("lengths are rounded down", "window_length", "below", zero),
    fault("a part more is left out", "window_length", "part", less),
    fault("products lack their last bit", "window_length", "last", one),
    fault("a product is not shifted", "window_length", "shift", zero),
    fault("the longest length is ignored", "window_length", "most", ones),
    fault("the longest length is the shortest", "window_length", "most", zero),
];

#[test]
fn every_fault_is_found() {
    let (design, segment) = design("small");
    let missed = missed_values(&design.elaborate().unwrap(), FAULTS, |make| run(&mut make(), segment, 3000, 1));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
