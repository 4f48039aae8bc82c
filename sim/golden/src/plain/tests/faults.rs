//! Every trace holds for ends without a fault, and every fault is found by a trace.

use super::*;
use crate::fault::broken;

fn traces() -> impl Iterator<Item = &'static (&'static str, Trace)> {
    asking::ALL.iter().chain(responding::ALL).chain(receiving::ALL).chain(rejects::ALL)
}

#[test]
fn ends_without_a_fault_keep_every_trace() {
    let wrong: Vec<String> = traces().filter_map(|(name, trace)| trace(None).err().map(|wrong| format!("{name}: {wrong}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a fault is found first.
fn found(fault: Fault) -> Option<String> {
    traces().find_map(|(name, trace)| broken(|| trace(Some(fault))).map(|wrong| format!("{name}: {wrong}")))
}

#[test]
fn every_fault_is_found() {
    let mut missed = Vec::new();
    for &fault in Fault::ALL {
        match found(fault) {
            Some(wrong) => println!("{fault:?}: {}", wrong.chars().take(200).collect::<String>()),
            None => missed.push(fault),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert!(Fault::ALL.len() >= 70);
}
