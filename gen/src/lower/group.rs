//! Which signals share a process: those that the same `if`s and `match`es decide.

use crate::ir::{SignalId, Statement};
use std::collections::{HashMap, HashSet};

/// Positions in the program of the `if`s and `match`es that assign each signal.
pub fn controls(program: &[Statement]) -> HashMap<SignalId, Vec<usize>> {
    let mut found: HashMap<SignalId, Vec<usize>> = HashMap::new();
    for (i, statement) in program.iter().enumerate() {
        let mut targets = Vec::new();
        statement.targets(&mut targets);
        for target in targets {
            let list = found.entry(target).or_default();
            if !matches!(statement, Statement::Assign { .. }) && list.last() != Some(&i) {
                list.push(i);
            }
        }
    }
    found
}

/// Splits combinational groups until no group depends on itself through other groups.
///
/// `reads` says what each signal's own statements read. A loop between single signals stays: it is a loop of the design.
pub fn break_loops(groups: Vec<Vec<SignalId>>, reads: &HashMap<SignalId, Vec<SignalId>>) -> Vec<Vec<SignalId>> {
    let mut groups = groups;
    loop {
        let stuck: HashSet<usize> = stuck(&groups, reads).into_iter().filter(|g| groups[*g].len() > 1).collect();
        if stuck.is_empty() {
            return groups;
        }
        groups = groups
            .into_iter()
            .enumerate()
            .flat_map(|(i, g)| if stuck.contains(&i) { g.into_iter().map(|s| vec![s]).collect() } else { vec![g] })
            .collect();
    }
}

/// Groups on a loop, or between loops.
pub fn stuck(groups: &[Vec<SignalId>], reads: &HashMap<SignalId, Vec<SignalId>>) -> Vec<usize> {
    let owner: HashMap<SignalId, usize> = groups.iter().enumerate().flat_map(|(i, g)| g.iter().map(move |s| (*s, i))).collect();
    let edges: Vec<HashSet<usize>> = groups
        .iter()
        .map(|g| g.iter().flat_map(|s| reads.get(s).into_iter().flatten()).filter_map(|r| owner.get(r).copied()).collect())
        .collect();
    // What nothing waits for, and what waits only for that, is on no loop; the same against the direction of the edges.
    let mut alive: HashSet<usize> = (0..groups.len()).collect();
    loop {
        let read: HashSet<usize> = alive.iter().flat_map(|i| &edges[*i]).copied().collect();
        let next: HashSet<usize> =
            alive.iter().copied().filter(|i| read.contains(i) && edges[*i].iter().any(|e| alive.contains(e))).collect();
        if next.len() == alive.len() {
            let mut stuck: Vec<usize> = next.into_iter().collect();
            stuck.sort_unstable();
            return stuck;
        }
        alive = next;
    }
}
