//! The send endpoint through its buses: random commands in lockstep and verilated, with every bus stalling and a bad network behind it.

use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::splitter::{Config as Cut, Params};
use rdma_rtl_sim::{Lockstep, Model, Verilated};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::send_endpoint::peer::Mix;
use rdma_rtl_tb::send_endpoint::traffic::{Done, Plan, Traffic};
use rdma_rtl_tb::send_endpoint::{Endpoint, Pace};
use rdma_rtl_tb::under_test::{self, seed};

fn find(profile: &str) -> Design {
    catalogue::find("send_endpoint", profile).unwrap_or_else(|e| panic!("{e}"))
}

fn verilated(design: &Design) -> Verilated {
    let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{e}"));
    under_test::verilated(&elaborated)
}

fn parameter(design: &Design, name: &str) -> u32 {
    design.parameter(name).unwrap_or_else(|| panic!("no parameter {name}")) as u32
}

fn plan(design: &Design, commands: usize, mix: Mix) -> Plan {
    let [packet_size, mask_bits] = ["packet_size", "mask_bits"].map(|name| parameter(design, name));
    let splitter = Params {
        packet_size,
        mask_bits,
        commands: parameter(design, "commands") as usize,
        sgl: 4,
        btt_width: parameter(design, "btt_bits"),
        alignment: 1,
        queue_depth: 16,
    };
    Plan {
        seed: seed(),
        commands,
        live: 12,
        largest: 3 * packet_size * mask_bits / 2,
        nodes: parameter(design, "nodes").min(5) as u16,
        index_bits: parameter(design, "ops").ilog2(),
        splitter,
        cut: Cut { threshold: packet_size * mask_bits / 2, segment: packet_size * mask_bits / 4 },
        timers: Timers { prescale: 4, timeout: 500, backoff_cap: 900, retry_limit: 7, t_life: 1 << 26 },
        mix,
    }
}

fn endpoint<'a>(model: &'a mut dyn Model, design: &Design, pace: Pace) -> Endpoint<'a> {
    let map = design.register_map().unwrap_or_else(|| panic!("no register map"));
    Endpoint::new(model, map, pace).unwrap_or_else(|e| panic!("{e}"))
}

fn traffic(model: &mut dyn Model, design: &Design, plan: &Plan, pace: Pace) -> Done {
    let mut endpoint = endpoint(model, design, pace);
    let mut traffic = Traffic::new(&mut endpoint, plan);
    traffic.set_up(&mut endpoint).unwrap();
    traffic.run(&mut endpoint, None).unwrap_or_else(|e| panic!("seed {}: {e}\n{:?}", plan.seed, traffic.done));
    println!("{:?}", traffic.done);
    traffic.done
}

/// Commands at one width of the buses: so many, or `RDMA_RTL_COMMANDS`.
fn commands(count: usize) -> usize {
    std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok()).unwrap_or(count)
}

/// Everything that can go wrong did.
fn eventful(done: &Done) {
    let seen = [done.refused, done.failed, done.arrivals, done.again, done.forged, done.cdma_errors, done.aborts];
    assert!(seen.iter().all(|&n| n > 0), "{done:?}");
}

#[test]
fn random_commands_on_64_bits() {
    let design = find("small");
    let mut model = verilated(&design);
    traffic(&mut model, &design, &plan(&design, commands(200), Mix::CLEAN), Pace::full(seed()));
    let done = traffic(&mut model, &design, &plan(&design, commands(500), Mix::BAD), Pace::random(seed(), 20));
    eventful(&done);
}

#[test]
fn random_commands_on_512_bits() {
    let design = find("default");
    let mut model = verilated(&design);
    traffic(&mut model, &design, &plan(&design, commands(200), Mix::CLEAN), Pace::full(seed()));
    let done = traffic(&mut model, &design, &plan(&design, commands(800), Mix::BAD), Pace::random(seed(), 20));
    eventful(&done);
}

#[test]
fn random_commands_in_lockstep() {
    let design = find("small");
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated(&design))).unwrap();
    let mut plan = plan(&design, 60, Mix { dead: 0, ..Mix::BAD });
    plan.largest = 3000;
    traffic(&mut model, &design, &plan, Pace::random(seed(), 20));
}
