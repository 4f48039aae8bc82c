//! Every trace holds for sound boxes, and every fault is found by one.

use super::*;
use crate::fault::broken;

fn all() -> impl Iterator<Item = &'static (&'static str, Trace)> {
    depot::ALL.iter().chain(sentry::ALL).chain(way::ALL)
}

#[test]
fn sound_boxes_keep_every_trace() {
    let wrong: Vec<String> = all().filter_map(|(name, trace)| trace(None).err().map(|wrong| format!("{name}: {wrong}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fault_is_found_by_a_trace() {
    let mut missed = Vec::new();
    for &fault in Fault::ALL {
        let found = all().find(|(_, trace)| broken(|| trace(Some(fault))).is_some());
        match found {
            Some((name, _)) => println!("{fault:?}: {name}"),
            None => missed.push(fault),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}
