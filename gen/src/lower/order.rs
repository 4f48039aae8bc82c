//! Reads between two assignments of the same signal.
//!
//! A kernel runs from top to bottom, Verilog's nets have one value. A read that sees what nobody assigns later reads the net. One
//! that sees a value which is assigned again later reads a net of its own, the signal as it is at that point: a snapshot. Only a
//! signal's own assignments keep reading the signal, for they stand in one process and run in the same order.

use super::scope::{Entry, Part, Scope};
use super::slice::{covered, slice};
use crate::error::What;
use crate::ir::{SignalId, Statement, ones};
use num_bigint::BigUint;
use std::collections::HashMap;

/// A signal that carries the value of `of` as `body` leaves it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub of: SignalId,
    pub net: SignalId,
    pub body: Vec<Statement>,
}

/// Redirects early reads to snapshots, which are added to the scope.
pub fn separate(program: &mut [Statement], scope: &mut Scope) -> Result<Vec<Snapshot>, What> {
    let mut order = Order { scope, snapshots: Vec::new() };
    order.block(program, &mut Vec::new(), &mut HashMap::new())?;
    Ok(order.snapshots)
}

struct Order<'a> {
    scope: &'a mut Scope,
    snapshots: Vec<Snapshot>,
}

type Later = HashMap<SignalId, usize>;

fn count(statement: &Statement, later: &mut Later, step: isize) {
    let mut targets = Vec::new();
    statement.targets(&mut targets);
    for target in targets {
        let n = later.entry(target).or_default();
        *n = n.wrapping_add_signed(step);
    }
}

impl Order<'_> {
    /// `prefix` is everything that has run before, `later` how often each signal is assigned after the block.
    fn block(&mut self, block: &mut [Statement], prefix: &mut Vec<Statement>, later: &mut Later) -> Result<(), What> {
        let start = prefix.len();
        for statement in block.iter() {
            count(statement, later, 1);
        }
        for statement in block.iter_mut() {
            self.reads(statement, prefix, later)?;
            count(statement, later, -1);
            for inner in statement.blocks_mut() {
                self.block(inner, prefix, later)?;
            }
            prefix.push(statement.clone());
        }
        prefix.truncate(start);
        Ok(())
    }

    fn reads(&mut self, statement: &mut Statement, prefix: &[Statement], later: &Later) -> Result<(), What> {
        let mut seen = Vec::new();
        for read in statement.expression().signals() {
            let entry = &self.scope.entries[read.0];
            let variable = matches!(entry.part, Part::Local | Part::Output);
            if !variable || seen.contains(&read) || later.get(&read).is_none_or(|n| *n == 0) {
                continue;
            }
            seen.push(read);
            let (width, signal) = (entry.ty.width, entry.rust.clone());
            let body = slice(prefix, &[read]);
            let before = covered(&body, read, width);
            let own = matches!(statement, Statement::Assign { target, .. } if *target == read);
            if before == BigUint::ZERO && body.is_empty() {
                if own {
                    return Err(What::Loop { signals: vec![signal] });
                }
            } else if before != ones(width) {
                return Err(What::EarlyRead { signal });
            } else if !own {
                let net = self.snapshot(read, body);
                statement.expression_mut().rename(read, net);
            }
        }
        Ok(())
    }

    fn snapshot(&mut self, of: SignalId, body: Vec<Statement>) -> SignalId {
        if let Some(known) = self.snapshots.iter().find(|s| s.of == of && s.body == body) {
            return known.net;
        }
        let net = SignalId(self.scope.entries.len());
        let entry = Entry { part: Part::Snapshot, doc: String::new(), ..self.scope.entries[of.0].clone() };
        self.scope.entries.push(entry);
        self.snapshots.push(Snapshot { of, net, body });
        net
    }
}
