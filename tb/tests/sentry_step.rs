//! What a Sentry decides, packet by packet: verilated, in lockstep with the Rust, with faults in the hardware and faults in the golden
//! model.

use rdma_rtl_golden::lr2::Verdict;
use rdma_rtl_golden::lr2::fault::Fault as Golden;
use rdma_rtl_golden::lr2::params::SentryConfig;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, ones, zero};
use rdma_rtl_tb::lr2::sentry_step::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{seed, verilated};

const OFF: SentryConfig =
    SentryConfig { local: 0, filter: 0, renack: 0, probe: 0, follow: false, cnp: 0, spare: 0, unfiltered: false, idle: 0 };
/// Standard and aware cards, known and unknown `una`, every register on and off, one flow and many, idle clocks.
const MIXES: [Mix; 10] = [
    Mix::PLAIN,
    Mix { aware: true, ..Mix::PLAIN },
    Mix { unset: true, config: SentryConfig { probe: 30, idle: 90, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { unset: true, aware: true, config: SentryConfig { probe: 50, idle: 200, cnp: 3, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix { config: OFF, ..Mix::PLAIN },
    Mix { config: SentryConfig { follow: false, ..Mix::CONFIG }, offer: 40, ..Mix::PLAIN },
    Mix { config: SentryConfig { filter: 0, local: 200, spare: 0, renack: 3, ..Mix::CONFIG }, flows: 5, ..Mix::PLAIN },
    Mix { config: SentryConfig { unfiltered: true, ..Mix::CONFIG }, aware: true, flows: 8, ..Mix::PLAIN },
    Mix { flows: 1, unset: true, config: SentryConfig { probe: 9, idle: 30, filter: 500, local: 2, ..Mix::CONFIG }, ..Mix::PLAIN },
    Mix {
        flows: 64,
        offer: 90,
        config: SentryConfig { filter: 2000, local: 400, renack: 100, probe: 900, idle: 3000, ..Mix::CONFIG },
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
        let mut model = verilated(&catalogue::find("sentry_step", profile).unwrap().elaborate().unwrap());
        let mut all = Seen::default();
        for (seed, mix) in (seed()..).zip(MIXES) {
            all = all.and(&run(&mut model, packets(), mix, seed));
        }
        use Verdict::*;
        for verdict in [Untouched, Forwarded, Asked, Replayed, Filtered, Gap, Passed, Noted, Stale, Strange] {
            assert!(all.verdicts.get(&verdict).is_some_and(|&count| count > 100), "{profile}: {verdict:?} is rare: {all:?}");
        }
        let rare =
            [all.sentry_nacks, all.passed, all.cnps, all.probes, all.flushed, all.lives, all.clipped, all.timeout_replays, all.clears];
        assert!(rare.iter().all(|&count| count > 100), "{profile}: {all:?}");
    }
}

#[test]
fn an_event_a_clock() {
    let mut model = verilated(&catalogue::find("sentry_step", "small").unwrap().elaborate().unwrap());
    let seen = run(&mut model, 5000, Mix::PLAIN, seed());
    assert!(seen.clocks < seen.events + seen.events / 20, "{seen:?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let step = catalogue::find("sentry_step", "small").unwrap();
    let mut model = Lockstep::new(("native", step.native().unwrap()), ("verilated", verilated(&step.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, 300, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    // The flow's own kind.
    fault("a flow is never far from its packets", "sentry_choice", "far", zero),
    fault("the first packet sets nothing", "sentry_choice", "restarts", zero),
    fault("a bypassed flow is filtered", "sentry_choice", "live", one),
    fault("a card that is not known is asked", "sentry_choice", "mute", zero),
    fault("nothing is repeated", "sentry_choice", "repeats", zero),
    // `una`.
    fault("una is the highest PSN that was seen", "sentry_choice", "lowers", zero),
    fault("acknowledgements move nothing", "sentry_choice", "moved", zero),
    fault("acknowledgements of anything move una", "sentry_choice", "moved", one),
    fault("acknowledgements of what was not sent are believed", "sentry_choice", "lost", zero),
    fault("una is always known", "sentry_choice", "known", one),
    fault("the NACK says what the card lacks, and not una", "sentry_choice", "say", not),
    fault("an acknowledgement names the first PSN that is missing", "sentry_distances", "number1", less),
    // Gaps.
    fault("no gap is stale", "sentry_choice", "old", zero),
    fault("every gap is stale", "sentry_choice", "old", one),
    fault("a gap that begins below una is not clipped", "sentry_choice", "clips", zero),
    fault("a gap without packets is one", "sentry_choice", "hollow", zero),
    fault("bits beyond the filter are set", "sentry_choice", "reach", ones),
    fault("a gap is one shorter", "sentry_choice", "length", less),
    fault("bits stay after their packet", "sentry_choice", "clear", zero),
    fault("flushed bits stay known", "sentry_choice", "now_marked", zero),
    fault("a packet is asked for whatever its bit", "sentry_choice", "wanted", one),
    // Episodes.
    fault("an episode never ends at its bound", "sentry_step", "finished", zero),
    fault("an episode ends with every packet", "sentry_step", "finished", one),
    fault("an episode never runs out", "sentry_ages", "episode", one),
    fault("an episode does not follow the card", "sentry_step", "follows", zero),
    fault("an episode is not answered", "sentry_step", "answers", zero),
    fault("everything is inside of an episode", "sentry_step", "filters", one),
    fault("requests are filtered", "sentry_step", "request", zero),
    fault("the highest PSN waits for its bit", "sentry_step", "at_end", zero),
    fault("a replay after a NAK is the card's own", "sentry_step", "after_excuse", zero),
    fault("NACKs are not counted", "sentry_step", "owed", zero),
    // NACKs.
    fault("the same is said again at once", "sentry_step", "spared", zero),
    fault("a Sentry-NACK for every packet", "sentry_ages", "nacked", zero),
    fault("a Sentry-NACK once", "sentry_ages", "nacked", one),
    fault("a NACK does not wait for the one before it", "sentry_step", "waits", zero),
    fault("a NACK waits for ever", "sentry_ages", "pending", one),
    fault("a gap ahead of the card is told", "sentry_step", "reached", zero),
    fault("a CNP for every mark", "sentry_ages", "notified", zero),
    fault("marks are not told", "sentry_step", "told_again", zero),
    fault("an idle flow stays", "sentry_ages", "idle", zero),
    fault("a probe whenever one looks", "sentry_ages", "probe", one),
    fault("the MSN of the NACK before", "sentry_choice", "tells_msn", zero),
    fault("a step that stays", "sentry_step", "done", one),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("sentry_step", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| MIXES.iter().zip(1..).try_for_each(|(&mix, seed)| bench(model, 12_000, mix, seed).map(|_| ()));
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// What is wrong on purpose with the golden Sentry is not what the hardware does.
#[test]
fn a_golden_model_with_a_fault_is_another_one() {
    use Golden::*;
    let mut model = verilated(&catalogue::find("sentry_step", "small").unwrap().elaborate().unwrap());
    let faults = [
        SentryForwardsGap,
        SentryNackAtGap,
        SentryNacksEvery,
        SentryNacksOnce,
        SentryPassesEvery,
        SentryPassesAhead,
        SentryPassesStale,
        SentryWaitsForever,
        SentryFiltersOutside,
        SentryBitStays,
        SentryBitsOffByOne,
        SentryUnclipped,
        SentryEpisodeEndless,
        SentryEpisodeNeverLapses,
        SentryFilterFromNack,
        SentryRnrKeepsEpisode,
        SentryRefusalIgnored,
        SentryUnaStays,
        SentryNoPriority,
        SentryRequestFiltered,
    ];
    for fault in faults {
        let same = MIXES.iter().zip(1..).all(|(&mix, seed)| bench(&mut model, 3000, Mix { fault: Some(fault), ..mix }, seed).is_ok());
        assert!(!same, "{fault:?} makes no difference");
    }
}
