//! Two endpoints face to face, both directions at once, in each transport profile.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::endpoint::both_ways::{Done, Plan, both_ways};
use rdma_rtl_tb::endpoint::{Endpoint, Pace};
use rdma_rtl_tb::under_test::{self, seed};

const TOPS: [&str; 2] = ["endpoint", "combined_endpoint"];

fn find(top: &str, profile: &str) -> Design {
    catalogue::find(top, profile).unwrap_or_else(|e| panic!("{e}"))
}

fn plan(design: &Design, commands: usize) -> Plan {
    let packet_size = design.parameter("packet_size").unwrap() as u32;
    Plan { seed: seed(), commands, most: 16 * packet_size, packet_size, lost: 5, patience: 20_000_000 }
}

fn run(design: &Design, mut models: [Box<dyn Model>; 2], plan: &Plan, stalls: u32) -> Done {
    let [a, b] = &mut models;
    let mut node = 0;
    let ends = [a, b].map(|model| {
        node += 1;
        Endpoint::new(&mut **model, design.register_map().unwrap(), Pace::random(plan.seed + node, stalls)).unwrap()
    });
    both_ways(ends, plan).unwrap_or_else(|e| panic!("seed {}: {e}", plan.seed))
}

fn verilated(design: &Design) -> Box<dyn Model> {
    Box::new(under_test::verilated(&design.elaborate().unwrap_or_else(|e| panic!("{e}"))))
}

#[test]
fn both_ways_at_once() {
    for top in TOPS {
        for (profile, commands, stalls) in [("small", 60, 20), ("default", 150, 0), ("default", 60, 20)] {
            let design = find(top, profile);
            let plan = plan(&design, commands);
            let done = run(&design, [verilated(&design), verilated(&design)], &plan, stalls);
            assert_eq!(done.commands, 2 * commands as u64, "{top}: {done:?}");
            assert!(done.operations >= done.commands && done.arrivals > 0 && done.lost > 0, "{top}: {done:?}");
            println!("{top}, {profile}, stalls {stalls}: {done:?}");
        }
    }
}

/// One of the two ends is the Rust and its Verilog at once.
#[test]
fn the_rust_and_its_verilog_agree() {
    for top in TOPS {
        let design = find(top, "small");
        let plan = plan(&design, 6);
        let lockstep = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let done = run(&design, [Box::new(lockstep), verilated(&design)], &plan, 10);
        assert_eq!(done.commands, 12, "{top}: {done:?}");
    }
}
