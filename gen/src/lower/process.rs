//! From slices of the kernel to processes.

use super::order::Snapshot;
use super::slice::{covered, slice};
use crate::ir::{Expr, Process, SignalId, Statement, ones};

/// Nodes of an expression that still read well on one line beside another.
const SHORT: usize = 6;

/// The process of combinational signals. Each of them is covered.
pub fn combinational(program: &[Statement], targets: &[SignalId], snapshots: &[Snapshot]) -> Process {
    let mut body = slice(program, targets);
    for snapshot in snapshots.iter().filter(|s| targets.contains(&s.of)) {
        crate::ir::for_each_expression_mut(&mut body, &mut |e| e.rename(snapshot.net, snapshot.of));
    }
    if let [target] = targets
        && let Some(value) = as_value(&body, *target)
    {
        return Process::Assign { target: *target, value };
    }
    Process::Combinational { targets: targets.to_vec(), body }
}

/// The process of a snapshot.
pub fn snapshot(snapshot: &Snapshot) -> Process {
    let mut body = snapshot.body.clone();
    retarget(&mut body, snapshot.of, snapshot.net);
    crate::ir::for_each_expression_mut(&mut body, &mut |e| e.rename(snapshot.of, snapshot.net));
    match as_value(&body, snapshot.net) {
        Some(value) => Process::Assign { target: snapshot.net, value },
        None => Process::Combinational { targets: vec![snapshot.net], body },
    }
}

pub fn retarget(block: &mut [Statement], from: SignalId, to: SignalId) {
    for statement in block {
        if let Statement::Assign { target, .. } = statement
            && *target == from
        {
            *target = to;
        }
        for inner in statement.blocks_mut() {
            retarget(inner, from, to);
        }
    }
}

/// One expression that says the same as `body`, if it is as easy to read.
pub fn as_value(body: &[Statement], target: SignalId) -> Option<Expr> {
    let whole = |statement: &Statement| match statement {
        Statement::Assign { low: None, value, .. } => Some(value.clone()),
        _ => None,
    };
    let short = |e: &Expr| {
        let mut nodes = 0;
        e.walk(&mut |_| nodes += 1);
        nodes <= SHORT
    };
    let value = match body {
        [one] => match one {
            Statement::If { condition, then, otherwise } => {
                let ([yes], [no]) = (then.as_slice(), otherwise.as_slice()) else { return None };
                let (yes, no) = (whole(yes)?, whole(no)?);
                if !(short(condition) && short(&yes) && short(&no)) {
                    return None;
                }
                Expr::mux(condition.clone(), yes, no)
            }
            _ => whole(one)?,
        },
        [first, Statement::If { condition, then, otherwise }] => {
            let ([yes], []) = (then.as_slice(), otherwise.as_slice()) else { return None };
            let (yes, no) = (whole(yes)?, whole(first)?);
            if !(short(condition) && short(&yes) && short(&no)) {
                return None;
            }
            Expr::mux(condition.clone(), yes, no)
        }
        _ => return None,
    };
    (!value.signals().contains(&target)).then_some(value)
}

/// Next value, value and width of a register.
pub type Register = (SignalId, SignalId, usize);

/// The process of registers that are all on `clock`.
pub fn clocked(program: &[Statement], registers: &[Register], clock: SignalId) -> Process {
    let nexts: Vec<SignalId> = registers.iter().map(|(next, _, _)| *next).collect();
    let mut body = slice(program, &nexts);
    // A register holds its value anyway, if only something else is said about it.
    for (next, value, _) in registers {
        let concerns: Vec<usize> = (0..body.len()).filter(|i| !slice(&body[*i..=*i], &[*next]).is_empty()).collect();
        if let [first, _, ..] = concerns[..]
            && let Statement::Assign { low: None, value: held, .. } = &body[first]
            && held.as_signal() == Some(*value)
        {
            body.remove(first);
        }
    }
    for (next, value, _) in registers {
        retarget(&mut body, *next, *value);
    }
    let reset = match body.last() {
        Some(Statement::If { condition, then, otherwise })
            if body.len() > 1
                && condition.as_signal().is_some()
                && otherwise.is_empty()
                && registers.iter().all(|(_, value, width)| covered(then, *value, *width) == ones(*width)) =>
        {
            Some((condition.clone(), then.clone()))
        }
        _ => None,
    };
    if reset.is_some() {
        body.pop();
    }
    let targets = registers.iter().map(|(_, value, _)| *value).collect();
    Process::Clocked { clock, targets, reset, body }
}
