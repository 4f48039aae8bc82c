//! Every trace holds for sound ends, and every fault is found by a trace or by a run over a network of paths.

use super::harness::{Scenario, run};
use super::*;
use crate::fault::broken;

fn traces() -> impl Iterator<Item = &'static (&'static str, Trace)> {
    sending::ALL.iter().chain(receiving::ALL)
}

/// Short runs over four paths, one of which loses packets.
fn runs(fault: Option<Fault>) -> Vec<(&'static str, Scenario)> {
    let run = |spread| Scenario::four(spread, 2000, Some((2, 300)), 3).with(fault);
    vec![("tagged", run(Spread::Tagged(Choice::RoundRobin))), ("striped", run(Spread::Striped))]
}

#[test]
fn sound_ends_keep_every_trace() {
    let wrong: Vec<String> = traces().filter_map(|(name, trace)| trace(None).err().map(|wrong| format!("{name}: {wrong}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, scenario) in runs(None) {
        run(&scenario).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}

/// Where a fault is found: by traces, and by runs.
fn found(fault: Fault) -> [Option<String>; 2] {
    let by_trace = traces().find_map(|(name, trace)| broken(|| trace(Some(fault))).map(|wrong| format!("{name}: {wrong}")));
    let scenarios = runs(Some(fault));
    let mut by_run =
        scenarios.iter().filter_map(|(name, scenario)| broken(|| run(scenario).map(|_| ())).map(|wrong| format!("{name}: {wrong}")));
    [by_trace, by_run.next()]
}

#[test]
fn every_fault_is_found() {
    let mut missed = Vec::new();
    let mut by_runs = 0;
    for &fault in Fault::ALL {
        let [by_trace, by_run] = found(fault);
        by_runs += usize::from(by_run.is_some());
        for wrong in [&by_trace, &by_run].into_iter().flatten() {
            println!("{fault:?}: {}", wrong.chars().take(160).collect::<String>());
        }
        if by_trace.is_none() && by_run.is_none() {
            missed.push(fault);
        }
    }
    println!("{} faults, {by_runs} of them found by runs", Fault::ALL.len());
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert!(Fault::ALL.len() >= 40 && by_runs >= 15, "{by_runs}");
}
