//! Every trace holds for sound ends, and every fault is found by a trace or by a run over a bad network.

use super::harness::{Scenario, mixture, run};
use super::*;
use crate::fault::broken;

fn traces() -> impl Iterator<Item = &'static (&'static str, Trace)> {
    order::ALL.iter().chain(recovery::ALL).chain(pages::ALL).chain(rejects::ALL)
}

/// Short runs that faults of frames show in.
fn runs(fault: Option<Fault>) -> Vec<(&'static str, Scenario)> {
    let mut few = Scenario::new(40, 256, 500, 100, 1).with(fault);
    few.limit = 60_000;
    let mut scarce = few.clone();
    (scarce.receiver.pages, scarce.works, scarce.copies) = (6, vec![mixture(40, 256, 2)], 10);
    vec![("few", few), ("scarce", scarce)]
}

#[test]
fn sound_ends_keep_every_trace() {
    let wrong: Vec<String> = traces().filter_map(|(name, trace)| trace(None).err().map(|wrong| format!("{name}: {wrong}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, scenario) in runs(None) {
        run(&scenario).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}

/// Where a fault is found first.
fn found(fault: Fault) -> Option<String> {
    let by_trace = traces().find_map(|(name, trace)| broken(|| trace(Some(fault))).map(|wrong| format!("{name}: {wrong}")));
    let scenarios = runs(Some(fault));
    let mut by_run =
        scenarios.iter().filter_map(|(name, scenario)| broken(|| run(scenario).map(|_| ())).map(|wrong| format!("{name}: {wrong}")));
    by_trace.or_else(|| by_run.next())
}

#[test]
fn every_fault_is_found() {
    let mut missed = Vec::new();
    for &fault in Fault::ALL {
        match found(fault) {
            Some(wrong) => println!("{fault:?}: {}", wrong.chars().take(160).collect::<String>()),
            None => missed.push(fault),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert!(Fault::ALL.len() >= 60);
}
