//! The flows of a Depot with their pools: verilated, in lockstep with the Rust, with faults in the hardware and faults in the golden model.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::fault::Fault as Golden;
use rdma_rtl_golden::lr2::params::DepotConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::depot_events::{Mix, Seen};
use rdma_rtl_tb::lr2::depot_flows::{Measured, bench};
use rdma_rtl_tb::lr2::depot_rates::{EVENTS, rates};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// Standard and aware cards, known and unknown `una`, all flows and one, a slow drain that fills the pools and a fast one, idle clocks.
const MIXES: [Mix; 6] = [
    Mix { flows: 1024, ..Mix::PLAIN },
    Mix { flows: 1024, aware: true, offer: 50, drain: 10, ..Mix::PLAIN },
    Mix { flows: 1024, unset: true, config: DepotConfig { idle: 300, reack: 60, ..SLOW }, offer: 30, ..Mix::PLAIN },
    Mix { flows: 1024, config: DepotConfig { renack: 900, retry: 400, quota: 3, idle: 4000, ..SLOW }, offer: 5, drain: 2, ..Mix::PLAIN },
    Mix { flows: 1, unset: true, aware: true, config: SLOW, drain: 3, ..Mix::PLAIN },
    Mix { flows: 2, config: DepotConfig { retries: 1, retry: 100, renack_max: 2, ..SLOW }, drain: 1, offer: 20, ..Mix::PLAIN },
];
const SLOW: DepotConfig = DepotConfig { renack: 200, retry: 150, reack: 40, ..Mix::CONFIG };

fn run(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> (Seen, Measured) {
    bench(model, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// Packets of each mixture.
fn packets() -> u64 {
    std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000)
}

#[test]
fn every_decision_is_the_golden_one() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("depot_flows", profile).unwrap().elaborate().unwrap());
        let (mut all, mut measured) = (Seen::default(), Measured::default());
        for (seed, mix) in (seed()..).zip(MIXES) {
            let (seen, worst) = run(&mut model, packets(), mix, seed);
            println!("{profile}: {seen:?}, {worst:?}");
            (all, measured) = (all.and(&seen), measured.and(worst));
        }
        println!("{profile}: {measured:?}");
        use Verdict::*;
        for verdict in [Untouched, Forwarded, Held, Full, Duplicate, Replayed, Reacknowledged, Consumed, Intercepted, Stale, Strange] {
            assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 20), "{profile}: {verdict:?} is rare: {all:?}");
        }
        assert!(profile == "default" || all.verdicts.get(&Waits).is_some_and(|&count| count > 20), "{profile}: {all:?}");
        let rare = [all.gaps, all.walked, all.reacks, all.replayed, all.drained, all.timeouts, all.reopened, all.again, all.lives];
        assert!(rare.iter().chain(&[all.flushed, all.requests]).all(|&count| count > 20), "{profile}: {all:?}");
    }
}

/// What the page on LR2 says of its speed.
#[test]
fn it_is_as_fast_as_it_says() {
    let mut model = verilated(&catalogue::find("depot_flows", "default").unwrap().elaborate().unwrap());
    let found = rates(&mut model).unwrap();
    println!("{found:?}");
    assert!(found.unchanged <= EVENTS * 11 / 10, "{found:?}");
    assert!(found.alone <= EVENTS * 9, "{found:?}");
    assert!(found.copied <= EVENTS * 11, "{found:?}");
    assert_eq!(found.gap, 7, "{found:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let flows = catalogue::find("depot_flows", "small").unwrap();
    let mut model = Lockstep::new(("native", flows.native().unwrap()), ("verilated", verilated(&flows.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 100, mix, seed);
    }
}

/// Clocks without a visit of one flow of four, at most.
const UNVISITED: u64 = 3000;
const FAULTS: &[Fault] = &[
    // Who may come.
    fault("an event does not wait for its flow", "depot_tickets", "first_waits", zero),
    fault("a look does not wait for its flow", "depot_tickets", "second_waits", zero),
    fault("a flow does not wait for what is held", "depot_tickets", "held", zero),
    fault("a flow does not wait for its copies", "depot_tickets", "copies", zero),
    fault("an entry is opened beside events", "depot_tickets", "busy", zero),
    fault("requests do not go alone", "depot_flows", "alone", zero),
    fault("looks go before what goes alone", "depot_flows", "lone", zero),
    fault("there is room for all who are under way", "depot_pools", "tight", zero),
    // Looks.
    fault("always the same flow is visited", "depot_flows", "visited", zero),
    fault("whoever is looked at is visited", "depot_flows", "look_visits", one),
    fault("a request that is let go is a packet", "depot_flows", "look_request", zero),
    fault("a request that is let go has one PSN", "depot_flows", "look_span", one),
    fault("what is let go asks for nothing", "depot_flows", "look_asks", zero),
    fault("what is let go lies elsewhere", "depot_flows", "gone_place", not),
    fault("copies are packets that were held", "depot_flows", "gone_copy", zero),
    // Steps and states.
    fault("cards are standard", "depot_flows", "aware_3", zero),
    fault("states are forgotten", "depot_flows", "states_write_enable", zero),
    fault("states are the first flow's", "depot_flows", "states_write_address", zero),
    fault("quotas are none", "depot_flows", "step_spare", one),
    fault("a visit is an event", "depot_flows", "done_kind", zero),
    fault("a state loses its credits", "depot_word", "kept_credits", zero),
    fault("a state loses the end of a replay", "depot_word", "kept_replay_end", zero),
    fault("a state loses `T_out`", "depot_word", "kept_retry_since", zero),
    // Pools.
    fault("an entry keeps its pools", "depot_flows", "opening", zero),
    fault("walks are forgotten", "depot_pools", "wants_walk", zero),
    fault("a walk begins again", "depot_pools", "walked", zero),
    fault("what is held has no place", "depot_pools", "wants_change", zero),
    fault("copies have no place", "depot_pools", "wants_copy", zero),
    fault("copies stay", "depot_pools", "wants_drop", zero),
    fault("there is always a place for a copy", "depot_pools", "full", zero),
    fault("the NACK of a walk says what is missing, and not una", "depot_pools", "nack_psn", not),
    fault("the NACK of a walk has no MSN", "depot_pools", "nack_msn", zero),
    fault("a NACK of a walk is another flow's", "depot_pools", "nack_flow", zero),
    fault("copies are asked for where the packet is", "depot_flows", "pools_ask_copy", zero),
];

#[test]
fn every_fault_is_found() {
    // A request may take more segments than are kept free.
    let good = design_at("depot_flows", &[("reach", 1024)]);
    let hold = |model: &mut dyn Model| {
        MIXES.iter().zip(1..).chain(MIXES.iter().zip(11..)).try_for_each(|(&mix, seed)| match bench(model, 2500, mix, seed) {
            Ok((_, Measured { unvisited, .. })) if unvisited > UNVISITED => Err(format!("{unvisited} clocks without a visit")),
            ended => ended.map(|_| ()),
        })
    };
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// What is wrong on purpose with the golden Depot, and only its flows together show.
#[test]
fn a_golden_model_with_a_fault_is_another_one() {
    use Golden::*;
    let mut model = verilated(&catalogue::find("depot_flows", "small").unwrap().elaborate().unwrap());
    for fault in
        [DepotNackAtGap, DepotSegmentLeak, DepotNoQuota, DepotDropsWhileDraining, DepotOverwrites, DepotCopiesStay, DepotRenackUnlimited]
    {
        let same = MIXES.iter().zip(1..).all(|(&mix, seed)| bench(&mut model, 2500, Mix { fault: Some(fault), ..mix }, seed).is_ok());
        assert!(!same, "{fault:?} makes no difference");
    }
}
