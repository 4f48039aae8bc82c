//! The rows of the page: each mode over four paths that are 0, 5, 20 and 80 us apart.

use super::harness::{Report, Scenario, run};
use super::*;
use crate::bitmap::PathMode;
use crate::bitmap::sender::Mode;

const TAGGED: Spread = Spread::Tagged(Choice::RoundRobin);
const BY_LOAD: Spread = Spread::Tagged(Choice::LeastUnacknowledged);
const UNTAGGED: Spread = Spread::Untagged(Choice::RoundRobin);

/// Packets of a run.
const PACKETS: u32 = 20_000;

/// A row of the page.
fn row(name: &str, scenario: &Scenario) -> Report {
    let report = run(scenario).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let count = |is: fn(&Event) -> bool| report.events.iter().filter(|event| is(event)).count();
    let out = count(|event| matches!(event, Event::LeftOut { .. }));
    let taken_in = count(|event| matches!(event, Event::TakenIn { .. }));
    println!(
        "| {name} | {} | {} | {} | {:.3} | {} | {out} / {taken_in} | {} |",
        scenario.packets,
        report.lost(),
        report.repeated(),
        report.waste(),
        report.misjudged(),
        report.ticks
    );
    report
}

fn four(spread: Spread, bad: Option<(usize, u32)>) -> Scenario {
    Scenario::four(spread, PACKETS, bad, 1)
}

#[test]
fn nothing_is_sent_again_without_loss() {
    for (name, spread) in [("tagged", TAGGED), ("tagged, least", BY_LOAD), ("striped", Spread::Striped)] {
        let report = row(name, &four(spread, None));
        assert_eq!((report.lost(), report.repeated(), report.misjudged()), (0, 0, 0), "{name}");
        assert!(report.events.is_empty(), "{name}: {:?}", report.events);
        // Acknowledgement delay: the way there, at most 3 ticks of jitter, what waits behind a frame, the way back.
        for (state, skew) in report.sender.paths().iter().zip(harness::SKEW) {
            let delay = state.delay / 8;
            assert!((skew + 20..=skew + 27).contains(&delay), "{name}: {delay} on the path of {skew}");
        }
    }
}

/// Loss on one path: what was sent again for it, and who is blamed.
fn loses_on_one(name: &str, scenario: &Scenario, bad: u8) {
    let report = row(name, scenario);
    assert!(report.lost() > 10 && report.waste() <= 1.05, "{name}: {} for {}", report.repeated(), report.lost());
    assert_eq!(report.misjudged(), 0, "{name}");
    // The sender puts each loss down to its path; what the timer found counts on none.
    let states = report.sender.paths();
    let lost: Vec<u64> = states.iter().map(|state| state.lost).collect();
    assert!(lost.iter().zip(0..).all(|(&lost, path)| lost == 0 || path == bad), "{name}: {lost:?}");
    let named = lost[usize::from(bad)];
    assert!(named <= report.lost() && named + 2 * report.sender.counters().timeouts >= report.lost(), "{name}: {named}");
    // So does the receiver, and says so in its messages, where a number says the path; else it says that it does not know.
    let by = if scenario.spreads == [Spread::Striped] { usize::from(bad) + 1 } else { 0 };
    let others: u64 = report.named.iter().zip(0..).filter(|&(_, path)| path != by && path != 0).map(|(named, _)| named).sum();
    assert!(report.named[by] > 0 && others == 0, "{name}: {:?}", report.named);
    let rows = report.receiver.statistics().paths();
    assert!(rows[by].get(Count::Losses) > 0 && rows[by].get(Count::Messages) > 0);
    // It rests, and comes back, and others do neither.
    let out = |path| report.events.iter().filter(|event| **event == Event::LeftOut { path }).count();
    let taken_in = |path| report.events.iter().filter(|event| **event == Event::TakenIn { path }).count();
    assert!(out(bad) > 0 && taken_in(bad) > 0 && taken_in(bad) + 1 >= out(bad), "{name}: {} {}", out(bad), taken_in(bad));
    assert!((0..4).filter(|&path| path != bad).all(|path| out(path) == 0));
    assert!(report.events.iter().any(|event| matches!(event, Event::Lost { path, .. } if *path == bad)));
}

#[test]
fn one_lossy_path_is_named_left_out_and_taken_in() {
    for bad in 0..4 {
        for (name, spread) in [("tagged", TAGGED), ("tagged, least", BY_LOAD), ("striped", Spread::Striped)] {
            loses_on_one(&format!("{name}, path {bad} loses 1 %"), &four(spread, Some((bad, 100))), bad as u8);
        }
    }
}

#[test]
fn operations_of_every_mode_cost_the_same() {
    for mode in [Mode::Single, Mode::Interval, Mode::Aggregated] {
        for spread in [TAGGED, Spread::Striped] {
            let mut scenario = four(spread, Some((1, 100)));
            scenario.sender.sender.mode = mode;
            loses_on_one(&format!("{spread:?} {mode:?}"), &scenario, 1);
        }
    }
}

#[test]
fn without_tags_the_global_bitmap_is_right_and_slower() {
    for bad in [None, Some((1, 100))] {
        let report = row("untagged", &four(UNTAGGED, bad));
        // Skew looks like loss to one bitmap, and no path is blamed for it.
        assert!(report.repeated() > 500 && report.misjudged() > 500 && report.named[1..].iter().all(|&named| named == 0));
        assert!(report.events.iter().all(|event| !matches!(event, Event::LeftOut { .. })));
        assert!(report.ticks > row("tagged", &four(TAGGED, bad)).ticks);
    }
}

#[test]
fn a_dead_path_carries_little() {
    for spread in [TAGGED, BY_LOAD, Spread::Striped] {
        let report = row(&format!("{spread:?}, path 1 dead"), &four(spread, Some((1, 10_000))));
        let share = report.sender.paths()[1].sent as f64 / f64::from(PACKETS);
        assert!(share < 0.05, "{share}");
    }
}

#[test]
fn fifteen_tagged_paths_are_the_most_and_sixteen_striped_work() {
    let wide = |spread, paths: u8, bad: Option<usize>| {
        let mut scenario = Scenario::four(spread, 20_000, None, 5);
        scenario.ways = (0..usize::from(paths)).map(|path| scenario.ways[path % 4]).collect();
        if let Some(bad) = bad {
            scenario.ways[bad].lost = 100;
        }
        (scenario.params.paths, scenario.sender.paths) = (paths, paths);
        (scenario.params.records, scenario.receiver.bitmap.wait) = (128, 400);
        run(&scenario)
    };
    let reason = "16 tagged paths; 15 is the most, as a tag has 4 bits and 0 says none; striped mode has up to 16";
    assert_eq!(wide(TAGGED, 16, None).map(|_| ()), Err(reason.to_owned()));
    assert_eq!(check_mode(16, PathMode::Tagged), Err(Refused::Tagged(16)));
    for (spread, paths) in [(TAGGED, 15), (Spread::Striped, 15), (Spread::Striped, 16)] {
        assert_eq!(wide(spread, paths, None).unwrap().repeated(), 0);
        for bad in [3, usize::from(paths) - 1] {
            let report = wide(spread, paths, Some(bad)).unwrap();
            assert!(report.lost() > 0 && report.misjudged() == 0, "{} {}", report.lost(), report.misjudged());
            assert!(report.repeated() <= report.lost() + 2 * report.sender.counters().timeouts);
        }
    }
}

#[test]
fn settings_that_are_not_possible_are_refused() {
    let good = SenderConfig::new(4, 256);
    assert_eq!(good.check(), Ok(()));
    let refused = |config: SenderConfig| Sender::new(config).err().map(|refused| refused.to_string()).unwrap_or_default();
    assert_eq!(refused(SenderConfig { paths: 0, ..good }), "paths 0; 1 to 16 are possible");
    assert_eq!(refused(SenderConfig { paths: 17, ..good }), "paths 17; 1 to 16 are possible");
    assert!(refused(SenderConfig { udp_base: 0xfffd, ..good }).starts_with("UDP source ports from 65533 for 4 paths"));
    assert_eq!(refused(SenderConfig { udp_base: 0xfffc, ..good }), "");
    for window in [0, 1 << 23] {
        let reason = format!("a window of {window} packets; 1 to 8388607 are possible");
        assert_eq!(refused(SenderConfig { window, ..good }), reason);
    }
    assert!(refused(SenderConfig { slide_step: 3, ..good }).starts_with("slide_step 3"));
    assert!(refused(SenderConfig { slide_step: 512, ..good }).starts_with("slide_step 512"));
    assert!(refused(SenderConfig { slide_step: 16, base_length: 40, ..good }).starts_with("window length from 40 to 256"));
    assert!(refused(SenderConfig { base_length: 256, max_length: 128, ..good }).starts_with("window length from 256 to 128"));
    assert!(refused(SenderConfig { stripe: 0, ..good }).starts_with("stripe 0"));
    assert!(refused(SenderConfig { path_bad: 64, ..good }).starts_with("path_bad 64"));
    assert!(refused(SenderConfig { share: 256, ..good }).starts_with("share 256"));
    let params = crate::bitmap::Params { paths: 4, ..crate::bitmap::Params::new(1, 128) };
    let config = ReceiverConfig::new(&params);
    let relax = crate::bitmap::Config { relax: 17, ..config.bitmap };
    assert!(Receiver::new(params, ReceiverConfig { bitmap: relax, ..config }).is_err());
    let mut receiver = Receiver::new(params, config).unwrap();
    assert_eq!(receiver.open(1, 0, PathMode::Striped), Ok(()));
    assert_eq!(receiver.open(2, 0, PathMode::Striped), Err(Refused::Full(2)));
}
