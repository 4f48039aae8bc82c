//! A Depot between its frames and its answers: verilated beside the golden Depot, in lockstep with the Rust, and with faults.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::fault::Fault as Golden;
use rdma_rtl_golden::lr2::params::DepotConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::depot_events::Mix;
use rdma_rtl_tb::lr2::depot_path::{Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

/// Standard and aware cards, known and unknown `una`, a slow output and a fast one, a paced drain, full pools; the last number is the
/// percent of the clocks in which the output takes a beat.
const MIXES: [(Mix, u32); 5] = [
    (Mix { flows: 1024, ..Mix::PLAIN }, 100),
    (Mix { flows: 1024, aware: true, config: DepotConfig { pace: 3000, flow_pace: 5000, ..SLOW }, ..Mix::PLAIN }, 90),
    (Mix { flows: 1024, unset: true, config: DepotConfig { reack: 60, ..SLOW }, offer: 30, ..Mix::PLAIN }, 60),
    (Mix { flows: 1, unset: true, aware: true, config: DepotConfig { pace: 9000, ..SLOW }, ..Mix::PLAIN }, 30),
    (Mix { flows: 2, config: DepotConfig { retries: 1, flow_pace: 20_000, ..SLOW }, ..Mix::PLAIN }, 80),
];
const SLOW: DepotConfig = DepotConfig { renack: 2000, retry: 1500, reack: 40, ..Mix::CONFIG };

/// Places of a pool.
fn places(profile: &str) -> usize {
    if profile == "small" { 16 } else { 1024 }
}

fn run(model: &mut dyn Model, profile: &str, count: usize, (mix, take): (Mix, u32), seed: u64) -> Seen {
    let mix = Mix { slots: places(profile), ..mix };
    bench(model, count, mix, take, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

fn frames_go(profile: &str) {
    let mut model = verilated(&catalogue::find("depot_path", profile).unwrap().elaborate().unwrap());
    let mut all = Seen::default();
    for (seed, mix) in (seed()..).zip(MIXES) {
        let seen = run(&mut model, profile, 5000, mix, seed);
        println!("{profile}: {seen:?}");
        all = all.and(&seen);
    }
    use Verdict::*;
    for verdict in [Untouched, Forwarded, Held, Duplicate, Replayed, Reacknowledged, Consumed, Intercepted] {
        assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 20), "{profile}: {verdict:?} is rare: {all:?}");
    }
    assert!(profile == "default" || all.verdicts.get(&Waits).is_some_and(|&count| count > 20), "{profile}: {all:?}");
    let rare = [all.sent, all.drained, all.replayed, all.untouched, all.bad, all.nacks, all.reacks, all.intercepted];
    assert!(rare.iter().all(|&count| count > 20), "{profile}: {all:?}");
}

#[test]
fn frames_go_as_the_golden_depot_lets_them() {
    frames_go("small");
}

#[test]
#[ignore = "many minutes, with 1,024 places in each pool"]
fn frames_go_as_the_golden_depot_lets_them_with_full_pools() {
    frames_go("default");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let path = catalogue::find("depot_path", "small").unwrap();
    let mut model = Lockstep::new(("native", path.native().unwrap()), ("verilated", verilated(&path.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, "small", 60, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("an event comes without room", "depot_path", "may", one),
    fault("a frame that waits has its step", "depot_path", "waits", zero),
    fault("bad frames have a step", "depot_path", "bads", zero),
    fault("unknown frames stay", "depot_path", "passes", zero),
    fault("the other direction has no turn", "depot_path", "picks_back", zero),
    fault("the other direction is a packet", "depot_path", "is_back", zero),
    fault("what is let go stays", "depot_path", "is_release", zero),
    fault("nobody says what has gone", "depot_path", "owes1", zero),
    fault("what is let go has no bytes", "depot_path", "drain_sent_bytes", zero),
    fault("held packets are copies", "depot_path", "store_step_from", zero),
    fault("a step of one frame sends another", "depot_path", "store_step_slot", zero),
    fault("of two replies one is lost", "depot_path", "both", not),
    fault("an acknowledgement has another PSN", "depot_path", "acked", not),
    fault("walks are lost", "depot_path", "flows_nack_ready", one),
];

/// What is handed to a part, another value: one bucket, the other, the place of another pool.
const EDITS: &[Edit] = &[
    ("depot_path", ".cfg_pace      (pace)", ".cfg_pace      (24'd0)"),
    ("depot_path", ".cfg_flow_pace (flow_pace)", ".cfg_flow_pace (24'd0)"),
    ("depot_path", ".held_at      (flows_held_at)", ".held_at      (flows_kept_at)"),
];

#[test]
#[ignore = "many minutes: a Depot that has stopped is waited for in every mix"]
fn every_fault_is_found() {
    let good = catalogue::find("depot_path", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| {
        MIXES.iter().zip(1..).try_for_each(|(&(mix, take), seed)| {
            let config = DepotConfig { quota: 5, ..mix.config };
            bench(model, 1000, Mix { slots: 16, config, ..mix }, take, seed).map(|_| ())
        })
    };
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    let edits = missed(&catalogue::sources(&good), EDITS, |version| hold(version));
    assert!(values.is_empty() && edits.is_empty(), "not found: {values:?} {edits:?}");
}

/// What is wrong on purpose with the golden Depot makes another one of it.
#[test]
fn a_golden_model_with_a_fault_is_another_one() {
    use Golden::*;
    let mut model = verilated(&catalogue::find("depot_path", "small").unwrap().elaborate().unwrap());
    for fault in [DepotNackAtGap, DepotDropsWhileDraining, DepotNakAcknowledges, DepotNoCopy, DepotReplaysOne] {
        let same = MIXES
            .iter()
            .zip(1..)
            .all(|(&(mix, take), seed)| bench(&mut model, 2000, Mix { slots: 16, fault: Some(fault), ..mix }, take, seed).is_ok());
        assert!(!same, "{fault:?} makes no difference");
    }
}
