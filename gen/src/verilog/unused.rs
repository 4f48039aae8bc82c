//! Bits that nothing reads. Each goes into a named sink, so that no tool warns and a reader sees that it is meant.

use crate::ir::{Connected, Expr, ExprKind, Kind, Module, Process, SignalId, ones};
use num_bigint::BigUint;
use std::collections::HashMap;

/// One sink: the signal, ranges of bits as (low, width), and why.
#[derive(Clone, Debug)]
pub struct Unused {
    pub signal: SignalId,
    pub ranges: Vec<(usize, usize)>,
    pub reason: String,
}

pub fn find(module: &Module) -> Vec<Unused> {
    let mut used: HashMap<SignalId, BigUint> = HashMap::new();
    let mut producers: HashMap<SignalId, &str> = HashMap::new();
    for process in &module.processes {
        process.expressions().into_iter().for_each(|e| mark(module, e, &mut used));
        if let Process::Clocked { clock, .. } = process {
            used.insert(*clock, ones(1));
        }
    }
    for instance in &module.instances {
        for connection in &instance.connections {
            match &connection.value {
                Connected::Input(value) => mark(module, value, &mut used),
                Connected::Output(id) => {
                    producers.insert(*id, &instance.name);
                }
            }
        }
    }
    if module.memory.is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (i, signal) in module.signals.iter().enumerate().filter(|(_, s)| s.kind != Kind::Output) {
        let id = SignalId(i);
        let read = used.remove(&id).unwrap_or_default();
        if read == ones(signal.width) {
            continue;
        }
        let some = if read == BigUint::ZERO { "" } else { "these bits: " };
        let reason = match (signal.kind, producers.get(&id)) {
            (Kind::Input, _) => format!("{some}nothing in this block depends on the input"),
            (_, Some(instance)) => format!("{some}an output of {instance} that is not needed here"),
            _ => format!("{some}assigned, and not read"),
        };
        found.push(Unused { signal: id, ranges: gaps(&read, signal.width), reason });
    }
    found
}

fn mark(module: &Module, expr: &Expr, used: &mut HashMap<SignalId, BigUint>) {
    match &expr.kind {
        ExprKind::Signal(id) => {
            used.insert(*id, ones(module.signal(*id).width));
        }
        ExprKind::Slice(value, low) if value.as_signal().is_some() => {
            if let Some(id) = value.as_signal() {
                *used.entry(id).or_default() |= ones(expr.width) << *low;
            }
        }
        _ => expr.operands().into_iter().for_each(|e| mark(module, e, used)),
    }
}

/// Runs of zeros in `read`, the highest first.
fn gaps(read: &BigUint, width: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for bit in 0..width {
        if read.bit(bit as u64) {
            continue;
        }
        match found.last_mut() {
            Some((low, run)) if *low + *run == bit => *run += 1,
            _ => found.push((bit, 1)),
        }
    }
    found.reverse();
    found
}
