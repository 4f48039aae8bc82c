//! The statements that concern some signals, and which of their bits they assign for sure.

use crate::ir::{Arm, SignalId, Statement, ones};
use num_bigint::BigUint;

/// `program` without what does not assign one of `targets`.
pub fn slice(program: &[Statement], targets: &[SignalId]) -> Vec<Statement> {
    program.iter().filter_map(|statement| slice_one(statement, targets)).collect()
}

pub fn slice_one(statement: &Statement, targets: &[SignalId]) -> Option<Statement> {
    match statement {
        Statement::Assign { target, .. } => targets.contains(target).then(|| statement.clone()),
        Statement::If { condition, then, otherwise } => {
            let (then, otherwise) = (slice(then, targets), slice(otherwise, targets));
            match (then.is_empty(), otherwise.is_empty()) {
                (true, true) => None,
                (true, false) => Some(Statement::If { condition: condition.clone().complement(), then: otherwise, otherwise: then }),
                _ => Some(Statement::If { condition: condition.clone(), then, otherwise }),
            }
        }
        Statement::Case { value, arms, default } => {
            let default = slice(default, targets);
            let mut kept: Vec<Arm> = arms.iter().map(|arm| Arm { pattern: arm.pattern.clone(), body: slice(&arm.body, targets) }).collect();
            if default.is_empty() {
                // What an empty arm keeps from the others, the default keeps as well.
                kept.retain(|arm| !arm.body.is_empty());
            }
            let nothing = default.is_empty() && kept.is_empty();
            (!nothing).then(|| Statement::Case { value: value.clone(), arms: kept, default })
        }
    }
}

/// The bits of `signal` that are assigned on every path.
pub fn covered(block: &[Statement], signal: SignalId, width: usize) -> BigUint {
    let mut bits = BigUint::ZERO;
    for statement in block {
        bits |= match statement {
            Statement::Assign { target, .. } if *target != signal => BigUint::ZERO,
            Statement::Assign { low: None, .. } => ones(width),
            Statement::Assign { low: Some(low), value, .. } => ones(value.width) << *low,
            Statement::If { .. } | Statement::Case { .. } => {
                statement.blocks().into_iter().map(|b| covered(b, signal, width)).fold(ones(width), |a, b| a & b)
            }
        };
    }
    bits
}
