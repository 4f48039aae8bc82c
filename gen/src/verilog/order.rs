//! Combinational processes in an order in which every net is declared before it is read.

use crate::ir::{Kind, Module, Process, SignalId};
use std::collections::{HashMap, HashSet};

/// The processes, and the nets that need a declaration ahead of them all because they depend on each other.
pub fn declare_before_use(module: &Module) -> (Vec<&Process>, Vec<SignalId>) {
    let mut waiting: Vec<&Process> = module.processes.iter().filter(|p| !matches!(p, Process::Clocked { .. })).collect();
    let mut early = Vec::new();
    let mut owner: HashMap<SignalId, usize> = HashMap::new();
    for (i, process) in waiting.iter().enumerate() {
        for target in process.targets() {
            if module.signal(target).kind == Kind::Net {
                owner.insert(target, i);
            }
        }
    }
    let needs: Vec<HashSet<usize>> = waiting
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let reads = p.expressions().into_iter().flat_map(crate::ir::Expr::signals);
            reads.filter_map(|s| owner.get(&s).copied()).filter(|o| *o != i).collect()
        })
        .collect();
    let mut done: HashSet<usize> = HashSet::new();
    let mut order = Vec::new();
    while order.len() < waiting.len() {
        let ready = (0..waiting.len()).find(|i| !done.contains(i) && needs[*i].is_subset(&done));
        let next = ready.or_else(|| {
            let stuck = (0..waiting.len()).find(|i| !done.contains(i))?;
            early.extend(needs[stuck].iter().filter(|n| !done.contains(n)).flat_map(|n| waiting[*n].targets()));
            Some(stuck)
        });
        let Some(next) = next else { break };
        done.insert(next);
        order.push(next);
    }
    early.retain(|id| module.signal(*id).kind == Kind::Net);
    early.sort();
    early.dedup();
    let sorted = order.into_iter().map(|i| waiting[i]).collect();
    waiting.clear();
    (sorted, early)
}
