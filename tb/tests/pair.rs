//! `send_bitmap` and `receive_bitmap` with a network between them: every committed scenario, the spec's example from end to end, what only a timer finds,
//! numbers that wrap; and that the harness finds what it is there for.

use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_sim::Verilated;
use rdma_rtl_sim::network::Side;
use rdma_rtl_tb::catalogue::Design;
use rdma_rtl_tb::pair::{Decision, Note, Packet, Parts, Receiver, Report, Scenario, Scheme, Sender, Thing, Told, Verdict, run};
use rdma_rtl_tb::scenario::Engine;
use rdma_rtl_tb::under_test::{seed, verilated};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/bitmap")
}

fn names() -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn load(name: &str) -> Scenario {
    Scenario::load(&folder().join(name)).unwrap_or_else(|e| panic!("{e}"))
}

fn read(text: &str) -> Scenario {
    Scenario::read("test", &format!("title = \"test\"\nends = \"bitmap\"\n{text}")).unwrap_or_else(|e| panic!("{e}"))
}

fn golden(mut scenario: Scenario) -> Scenario {
    (scenario.sender.engine, scenario.receiver.engine) = (Engine::Golden, Engine::Golden);
    scenario
}

fn model(design: Design, engine: Engine) -> Option<Verilated> {
    (engine == Engine::Verilator).then(|| verilated(&design.elaborate().unwrap()))
}

/// Runs it; `lost` is asked besides the network.
fn outcome(scenario: &Scenario, lost: &mut dyn FnMut(Side, u64, &Thing) -> bool) -> Result<Report, String> {
    let parts = Parts::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    let mut sending = model(parts.sending, scenario.sender.engine);
    let mut receiving = model(parts.receiving, scenario.receiver.engine);
    let mut sender = parts.sender(scenario, sending.as_mut().map(|model| model as _))?;
    let mut receiver = parts.receiver(scenario, receiving.as_mut().map(|model| model as _))?;
    run(scenario, &parts, &mut *sender, &mut *receiver, lost, &mut |_, _| {})
}

fn report(scenario: &Scenario, name: &str) -> Report {
    let report = outcome(scenario, &mut |_, _, _| false).unwrap_or_else(|e| {
        panic!("{name}: {e}\nagain with rdma-rtl cosim --scenario tb/scenarios/bitmap/{name} --seed {}", scenario.seed)
    });
    assert_eq!(report.judge(&scenario.expect), [] as [String; 0], "{name}: {report:?}");
    println!(
        "{name}: {} packets in {} clocks, {:.2} Gb/s, {} lost, {} sent again, {} of them for nothing, {} timeouts, {:?}, {:?}",
        report.packets,
        report.clocks,
        report.goodput_gbps,
        report.lost,
        report.retransmissions,
        report.redundant,
        report.timeouts,
        report.sender_counters,
        report.receiver_counters
    );
    report
}

/// As they are, or with `RDMA_RTL_PACKETS` packets each, and with `RDMA_RTL_RUNS` seeds each.
fn every_scenario(change: impl Fn(Scenario) -> Scenario) {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    for name in names() {
        let mut scenario = change(load(&name));
        if let Some(packets) = number("RDMA_RTL_PACKETS") {
            scenario.set_packets(packets).unwrap();
        }
        for run in 0..number("RDMA_RTL_RUNS").unwrap_or(1) {
            (scenario.seed, scenario.network.seed) = (seed() + run, seed() + run);
            report(&scenario, &name);
        }
    }
}

#[test]
fn every_scenario_verilated() {
    assert!(names().len() >= 5, "{:?}", names());
    every_scenario(|scenario| scenario);
}

#[test]
fn every_scenario_between_golden_models() {
    every_scenario(golden);
}
