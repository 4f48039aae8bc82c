//! Two endpoints face to face, both directions at once, in each transport profile.

use rdma_rtl_golden::send::splitter::{Block, Command};
use rdma_rtl_golden::wire::{Reader, parse_judged};
use rdma_rtl_sim::network::{Config, Path, Way};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::endpoint::both_ways::{Done, Plan, both_ways};
use rdma_rtl_tb::endpoint::{Endpoint, NODE_QP, PATIENCE, Pace};
use rdma_rtl_tb::under_test::{self, seed};

const TOPS: [&str; 3] = ["endpoint", "combined_endpoint", "bitmap_endpoint"];

fn find(top: &str, profile: &str) -> Design {
    catalogue::find(top, profile).unwrap_or_else(|e| panic!("{e}"))
}

/// Frames are lost; on a rough path they are repeated, damaged and overtaken too.
fn plan(design: &Design, commands: usize, loss: f64, rough: bool) -> Plan {
    let packet_size = design.parameter("packet_size").unwrap() as u32;
    let mut path = Path { loss, ..Path::default() };
    if rough {
        path = Path { duplicate: 0.05, corrupt: 0.01, jitter_ns: 500.0, ..path };
    }
    let network = Config { seed: seed(), both: Some(Way { path: vec![path], ..Way::default() }), ..Config::default() };
    Plan { seed: seed(), commands, most: 16 * packet_size, packet_size, network, patience: 20_000_000 }
}

fn run(design: &Design, mut models: [Box<dyn Model>; 2], plan: &Plan, stalls: u32) -> Done {
    let [a, b] = &mut models;
    let mut node = 0;
    let ends = [a, b].map(|model| {
        node += 1;
        Endpoint::new(&mut **model, design.register_map().unwrap().unwrap(), Pace::random(plan.seed + node, stalls)).unwrap()
    });
    both_ways(ends, plan).unwrap_or_else(|e| panic!("seed {}: {e}", plan.seed))
}

fn verilated(design: &Design) -> Box<dyn Model> {
    Box::new(under_test::verilated(&design.elaborate().unwrap_or_else(|e| panic!("{e}"))))
}

#[test]
fn both_ways_at_once() {
    for top in TOPS {
        for (profile, commands, stalls, loss, rough) in
            [("small", 60, 20, 0.05, true), ("worked", 60, 0, 0.0, false), ("worked", 100, 0, 0.01, false), ("worked", 60, 20, 0.05, true)]
        {
            let design = find(top, profile);
            let plan = plan(&design, commands, loss, rough);
            let done = run(&design, [verilated(&design), verilated(&design)], &plan, stalls);
            println!("{top}, {profile}, stalls {stalls}: {done:?}");
            assert_eq!(done.commands, 2 * commands as u64, "{top}: {done:?}");
            // Without a registry the host is told of immediates alone.
            let told = if top == "bitmap_endpoint" { done.operations == done.immediates } else { done.operations >= done.commands };
            assert!(told && done.immediates > 0 && (done.arrivals > 0) == (top != "bitmap_endpoint"), "{top}: {done:?}");
            let lossy = loss > 0.0;
            assert_eq!((done.lost > 0, done.again > 0), (lossy, lossy), "{top}: {done:?}");
        }
    }
}

/// What is lost is pulled from the host's memory again, and slots are free before anything is acknowledged.
#[test]
fn both_ways_with_packets_that_are_pulled_again() {
    for top in TOPS {
        let design = find(top, "refetch");
        for (commands, stalls, loss, rough) in [(60, 0, 0.0, false), (60, 20, 0.05, true)] {
            let plan = plan(&design, commands, loss, rough);
            let done = run(&design, [verilated(&design), verilated(&design)], &plan, stalls);
            println!("{top}, stalls {stalls}: {done:?}");
            assert_eq!((done.commands, done.lost > 0, done.again > 0), (2 * commands as u64, loss > 0.0, loss > 0.0), "{top}: {done:?}");
        }
    }
}

/// One of the two ends is the Rust and its Verilog at once.
#[test]
fn the_rust_and_its_verilog_agree() {
    for (top, profile) in ["small", "refetch"].into_iter().flat_map(|profile| TOPS.map(|top| (top, profile))) {
        let design = find(top, profile);
        let plan = plan(&design, 6, 0.05, true);
        let lockstep = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let done = run(&design, [Box::new(lockstep), verilated(&design)], &plan, 10);
        assert_eq!(done.commands, 12, "{top}: {done:?}");
    }
}

/// A queue pair one of whose writes fails, and another one that nobody answers.
#[test]
fn software_hears_of_a_queue_pair_that_fails_either_way() {
    const BAD: u64 = 0x50_0000_0000;
    const SOURCE: u64 = 0x40_0000_0000;
    const WRITE_ERROR: u64 = 1 << 2;
    const CONNECTION_FAILED: u64 = 1 << 8;
    let design = find("bitmap_endpoint", "small");
    let mut model = verilated(&design);
    let mut end = Endpoint::new(&mut *model, design.register_map().unwrap().unwrap(), Pace::full(seed())).unwrap();
    while end.read("state").unwrap() & 2 == 0 {}
    end.set_up_for_all(3).unwrap();
    let qp = u64::from(NODE_QP);
    let registers =
        [("data_qp", qp), ("feedback_qp", qp), ("threshold", 1024), ("segment", 512), ("rto", 400), ("rto_cap", 400), ("rto_limit", 1)];
    for (register, value) in registers {
        end.write(register, value).unwrap();
    }
    end.connect(1, 0).unwrap();
    end.connect(2, 0).unwrap();
    end.write("interrupt_status", u64::from(u32::MAX)).unwrap();
    end.write("interrupt_enable", CONNECTION_FAILED).unwrap();
    end.memory.region(BAD, 256);
    end.memory.fail(BAD..BAD + 256);
    let memory = end.cdma.as_mut().unwrap().inner_mut().memory();
    memory.region(SOURCE, 256);
    memory.put(SOURCE, &[7; 256]);
    // To node 1, but to our own queue pair of node 2: what leaves comes back.
    let blocks = vec![Block { source: SOURCE, bytes: 200 }];
    end.command(&Command { id: 3, target: BAD, node: 1, qp: NODE_QP + 2, blocks, ..Command::default() });
    let mut returned = 0;
    let mut failed = |end: &mut Endpoint<'_>| {
        let limit = end.now() + PATIENCE;
        while !end.interrupt() {
            assert!(end.now() < limit, "no interrupt, {returned} frames");
            end.clock();
            for bytes in end.transmitted() {
                end.frames.packet(&parse_judged(&bytes, true, &Reader::default()).unwrap().to_bytes(), 0);
                returned += 1;
            }
        }
        let found = ["interrupt_status", "connection_failed", "write_failed"].map(|name| end.read(name).unwrap());
        end.write("interrupt_status", u64::from(u32::MAX)).unwrap();
        found
    };
    assert_eq!(failed(&mut end), [CONNECTION_FAILED | WRITE_ERROR, 2, 2]);
    let [status, connection, write] = failed(&mut end);
    assert_eq!((status & (CONNECTION_FAILED | WRITE_ERROR), connection, write), (CONNECTION_FAILED, 1, 2));
    end.settle().unwrap();
    let ended = end.poll().unwrap();
    assert_eq!(ended.iter().map(|entry| (entry[20], entry[60])).collect::<Vec<_>>(), [(3, 32)]);
    end.sound().unwrap();
}
