//! What a Depot decides, packet by packet: verilated, in lockstep with the Rust, with faults in the hardware and in the golden model.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::fault::Fault as Golden;
use rdma_rtl_golden::lr2::params::DepotConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::depot_events::{Mix, Seen};
use rdma_rtl_tb::lr2::depot_step::bench;
use rdma_rtl_tb::under_test::{seed, verilated};

const OFF: DepotConfig = DepotConfig { renack: 0, retry: 0, retries: 7, reack: 0, idle: 0, ..Mix::CONFIG };
/// Standard and aware cards, known and unknown `una`, every register on and off, pools from none to plenty, a slow drain and a fast one,
/// idle clocks.
const MIXES: [Mix; 10] = [
    Mix::PLAIN,
    Mix { aware: true, drain: 15, ..Mix::PLAIN },
    Mix { unset: true, config: DepotConfig { idle: 90, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { unset: true, aware: true, config: DepotConfig { idle: 200, reack: 3, ..Mix::CONFIG }, backups: 20, ..Mix::PLAIN },
    Mix { config: OFF, slots: 20, ..Mix::PLAIN },
    Mix { config: DepotConfig { quota: 3, retries: 0, ..Mix::CONFIG }, offer: 40, ..Mix::PLAIN },
    Mix { config: DepotConfig { renack: 200, renack_max: 2, retry: 4, ..Mix::CONFIG }, flows: 5, segments: 4, drain: 5, ..Mix::PLAIN },
    Mix { slots: 0, backups: 0, flows: 8, ..Mix::PLAIN },
    Mix { flows: 1, unset: true, config: DepotConfig { idle: 30, retry: 9, ..Mix::CONFIG }, slots: 4, backups: 6, ..Mix::PLAIN },
    Mix {
        flows: 64,
        offer: 90,
        config: DepotConfig { renack: 900, retry: 400, reack: 100, idle: 3000, ..Mix::CONFIG },
        slots: 400,
        backups: 400,
        segments: 400,
        ..Mix::PLAIN
    },
];

fn run(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// Packets of each mixture.
fn packets() -> u64 {
    std::env::var("RDMA_RTL_LR2_PACKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

#[test]
fn every_decision_is_the_golden_one() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("depot_step", profile).unwrap().elaborate().unwrap());
        let mut all = Seen::default();
        for (seed, mix) in (seed()..).zip(MIXES) {
            all = all.and(&run(&mut model, packets(), mix, seed));
        }
        use Verdict::*;
        for verdict in [Untouched, Forwarded, Held, Full, Duplicate, Replayed, Reacknowledged, Consumed, Intercepted, Stale, Strange, Waits]
        {
            assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 100), "{profile}: {verdict:?} is rare: {all:?}");
        }
        let rare = [
            all.gaps,
            all.walked,
            all.reacks,
            all.replayed,
            all.drained,
            all.timeouts,
            all.reopened,
            all.again,
            all.lives,
            all.flushed,
            all.requests,
        ];
        assert!(rare.iter().all(|&count| count > 100), "{profile}: {all:?}");
    }
}

#[test]
fn an_event_a_clock() {
    let mut model = verilated(&catalogue::find("depot_step", "small").unwrap().elaborate().unwrap());
    let seen = run(&mut model, 5000, Mix::PLAIN, seed());
    assert!(seen.clocks < seen.events + seen.events / 20, "{seen:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let step = catalogue::find("depot_step", "small").unwrap();
    let mut model = Lockstep::new(("native", step.native().unwrap()), ("verilated", verilated(&step.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 300, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    // The flow's own kind.
    fault("a flow is never far from its packets", "depot_choice", "far", zero),
    fault("the first packet sets nothing", "depot_choice", "restarts", zero),
    fault("a bypassed flow is held", "depot_choice", "live", one),
    fault("a PSN below an unknown una is one", "depot_choice", "lowest", zero),
    // Order.
    fault("what is in order overtakes what drains", "depot_choice", "now", one),
    fault("nothing is in order", "depot_choice", "now", zero),
    fault("what is held is held again", "depot_choice", "held", zero),
    fault("nothing is behind", "depot_choice", "behind", zero),
    fault("a copy counts wherever it is", "depot_choice", "copy", one),
    fault("no copy counts", "depot_choice", "copy", zero),
    fault("a full pool drops what could wait", "depot_choice", "waiting", zero),
    fault("everything is held", "depot_choice", "holding", one),
    fault("requests are data", "depot_choice", "request", zero),
    fault("a request reaches beyond the map", "depot_distances", "places_fits", one),
    fault("the map is longer than it is", "depot_distances", "places_in_reach", one),
    fault("`drains` is forgotten", "depot_step", "after_drains", zero),
    fault("the border stays", "depot_distances", "places_end_past_border", zero),
    fault("a gap one longer", "depot_distances", "places_border_number", less),
    fault("nothing is a gap", "depot_distances", "places_past_border", zero),
    // The receiving card.
    fault("una is the first PSN that was seen", "depot_choice", "lowers", zero),
    fault("what is said of an unknown flow teaches nothing", "depot_choice", "learning", zero),
    fault("acknowledgements move nothing", "depot_choice", "moves", zero),
    fault("acknowledgements of what was not let on are believed", "depot_choice", "knows", one),
    fault("a NAK is no news", "depot_choice", "knows", zero),
    fault("every NAK begins a replay", "depot_choice", "same", zero),
    fault("no NAK begins a replay", "depot_choice", "back", zero),
    fault("a replay ends with an acknowledgement", "depot_choice", "replay_goes_on", zero),
    fault("an acknowledgement names the first PSN that is missing", "depot_distances", "number1", less),
    fault("the replay begins again after each copy", "depot_step", "after_replay_next", not),
    fault("a replay goes on for ever", "depot_step", "after_replaying", one),
    fault("the MSN of the acknowledgement before", "depot_step", "after_msn", zero),
    fault("credits of the acknowledgement before", "depot_step", "after_credits", zero),
    // Time.
    fault("`T_out` never runs out", "depot_ages", "retry", zero),
    fault("`T_out` has always run out", "depot_ages", "retry", one),
    fault("`renack` never runs out", "depot_ages", "renack", zero),
    fault("`renack` has always run out", "depot_ages", "renack", one),
    fault("every packet below una is answered", "depot_ages", "reacked", zero),
    fault("an idle flow stays", "depot_ages", "idle", zero),
    fault("replays without progress go on", "depot_choice", "gives_up", zero),
    fault("replays are not counted", "depot_step", "after_retries", zero),
    fault("`renack` goes on while nothing is missing", "depot_step", "opens", one),
    fault("`T_out` begins with the first packet", "depot_step", "after_retry_since", zero),
    // What is made.
    fault("the NACK says what is missing, and not una", "depot_reply", "orders_nack_psn", not),
    fault("a card that is not known is asked", "depot_step", "says", one),
    fault("the walk begins one early", "depot_reply", "orders_walk_start", less),
    fault("places stay in use", "depot_reply", "orders_free", zero),
    fault("copies out of reach stay where `una` turns out to be lower", "depot_reply", "lowers", zero),
    fault("copies stay", "depot_reply", "orders_drop", zero),
    fault("one place less is free", "depot_reply", "orders_free_length", less),
    fault("one copy less is free", "depot_reply", "orders_drop_length", less),
    fault("what a request reaches into stays", "depot_reply", "orders_hold_clears", zero),
    fault("nothing is copied", "depot_reply", "orders_copy", zero),
    fault("requests are copied", "depot_reply", "is_data", one),
    fault("what is held goes on", "depot_reply", "orders_forward", one),
    fault("a NAK goes on as it came", "depot_reply", "orders_intercepted", zero),
    fault("a step that stays", "depot_step", "done", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("depot_step", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| MIXES.iter().zip(1..).try_for_each(|(&mix, seed)| bench(model, 12_000, mix, seed).map(|_| ()));
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// What is wrong on purpose with the golden Depot is not what the hardware does.
#[test]
fn a_golden_model_with_a_fault_is_another_one() {
    use Golden::*;
    let mut model = verilated(&catalogue::find("depot_step", "small").unwrap().elaborate().unwrap());
    let faults = [
        DepotForwardsOutOfOrder,
        DepotGapOffByOne,
        DepotGapTooLong,
        DepotEdgeNotMoved,
        DepotDrainStops,
        DepotNoCopy,
        DepotCopiesStay,
        DepotDuplicateForwarded,
        DepotHoldsTwice,
        DepotFullKeepsEdge,
        DepotFullNacksDropped,
        DepotRenackWhole,
        DepotRenackNever,
        DepotRenackUnlimited,
        DepotReplayDeaf,
        DepotOverwrites,
        DepotReplaysOne,
        DepotReplayRestarts,
        DepotNakPasses,
        DepotNakAcknowledges,
        DepotReopenDrops,
        DepotReopenSilent,
        DepotNoTimeout,
        DepotNoReack,
        DepotReackAlways,
        DepotRnrHolds,
        DepotRefusalIgnored,
        DepotRequestOne,
        DepotRequestDropped,
        DepotRequestCopied,
        DepotNackAtGap,
        DepotOvertakes,
        DepotDropsWhileDraining,
        DepotNoQuota,
        DepotSegmentLeak,
    ];
    for fault in faults {
        let same = MIXES.iter().zip(1..).all(|(&mix, seed)| bench(&mut model, 3000, Mix { fault: Some(fault), ..mix }, seed).is_ok());
        assert!(!same, "{fault:?} makes no difference");
    }
}
