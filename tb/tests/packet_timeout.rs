//! The ticks of each packet: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, more, one, zero};
use rdma_rtl_tb::send::packet_timeout::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

/// All at once at one node; what a network does; packets that never come back; indices that are taken anew all the time.
const MIXES: [Mix; 4] = [
    Mix { sent: 100, again: 20, ack: 100, open: 5, forget: 1, tick: 50, nodes: 1 },
    Mix { sent: 60, again: 2, ack: 30, open: 10, forget: 0, tick: 30, nodes: 4 },
    Mix { sent: 50, again: 40, ack: 4, open: 10, forget: 0, tick: 60, nodes: 3 },
    Mix { sent: 80, again: 5, ack: 80, open: 80, forget: 3, tick: 20, nodes: 4 },
];

const FAULTS: &[Fault] = &[
    fault("every packet begins a timing", "packet_timeout", "begins1", one),
    fault("none does", "packet_timeout", "begins1", zero),
    fault("all that is sent again doubles", "packet_timeout", "again_expired1", one),
    fault("nothing is sent again", "packet_timeout", "again1", zero),
    fault("every acknowledgement is an answer", "packet_timeout", "ack1", one),
    fault("tries do not double", "packet_timeout", "shift", zero),
    fault("they double once more", "packet_timeout", "shift", more),
    fault("nodes are not forgotten", "packet_timeout", "forget1", zero),
];

const EDITS: &[Edit] = &[
    ("packet_timeout.v", "names_first && !(|ack_first)", "names_first"),
    ("packet_timeout.v", "!(|in_packet) && !(|in_try)", "!(|in_packet)"),
    ("packet_timeout.v", "&& (|tries_3)", ""),
    ("packet_timeout.v", "ticks5 + {16'd0, cfg_delay}", "ticks5"),
];

fn run(model: &mut dyn Model, ops: usize, clocks: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, ops, clocks, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, seed {seed})"))
}

fn block(profile: &str) -> (catalogue::Design, usize) {
    let block = catalogue::find("packet_timeout", profile).unwrap();
    let ops = block.parameter("ops").unwrap() as usize;
    (block, ops)
}

#[test]
fn ticks_are_those_of_the_model() {
    for profile in ["small", "default", "large"] {
        let (block, ops) = block(profile);
        let mut model = verilated(&block.elaborate().unwrap());
        let mut seen = Seen::default();
        for (seed, mix) in (seed()..).zip(MIXES) {
            seen.add(run(&mut model, ops, 30_000, mix, seed));
        }
        println!("{profile}, seed {}: {seen:?}", seed());
        let Seen { packets, sampled, cancelled, initial, measured, doubled, capped } = seen;
        assert!(packets > 50_000 && sampled > 1000 && cancelled > 1000, "{profile}: {seen:?}");
        assert!([initial, measured, doubled, capped].iter().all(|&count| count > 1000), "{profile}: {seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let (block, ops) = block(profile);
        let models = (("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap())));
        let mut model = Lockstep::new(models.0, models.1).unwrap();
        for (seed, mix) in (seed()..).zip(MIXES) {
            run(&mut model, ops, 600, mix, seed);
        }
    }
}

fn notices(model: &mut dyn Model, ops: usize) -> Result<(), String> {
    (1..3).try_for_each(|seed| MIXES.iter().try_for_each(|&mix| bench(model, ops, 6000, mix, seed).map(|_| ())))
}

#[test]
fn every_fault_is_found() {
    let (block, ops) = block("small");
    let good = block.elaborate().unwrap();
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make(), ops));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model, ops)));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}
