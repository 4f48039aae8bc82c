//! Statements of a process that differ in a number alone, as one `for`; and what a process assigns for nothing, left out.

use super::expr::intermediates;
use super::rolled::{affine, bits, grows, shape};
use crate::ir::{Arm, Expr, ExprKind, Kind, Module, Process, Signal, SignalId, Statement};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};

/// Fewer statements are no shorter as a loop.
const FEWEST: usize = 4;
/// Verilator unrolls loops of that many passes; longer ones would be slow.
const MOST: usize = 64;
/// Bits of a number that an `integer` may give.
const NUMBER: usize = 16;

/// A process with loops.
pub struct Folded {
    /// The module, and signals that are known by a text that depends on the pass.
    pub module: Module,
    pub body: Vec<Statement>,
    /// Conditions that are none: what stands before a loop's body.
    pub heads: HashMap<SignalId, String>,
    /// The variable that counts.
    pub variable: String,
}

/// A combinational body with loops, if it has any. `taken` are names that the module has.
pub fn fold(module: &Module, body: &[Statement], taken: &HashSet<String>) -> Option<Folded> {
    let variable = ["n", "k", "number", "at_number"].into_iter().find(|name| !taken.contains(*name))?.to_string();
    let mut fold = Fold { module: module.clone(), heads: HashMap::new(), texts: HashMap::new(), variable };
    let body = fold.block(body);
    (!fold.heads.is_empty()).then_some(Folded { module: fold.module, body, heads: fold.heads, variable: fold.variable })
}

struct Fold {
    module: Module,
    heads: HashMap<SignalId, String>,
    texts: HashMap<String, SignalId>,
    variable: String,
}

type Steps<'g> = std::slice::Iter<'g, BigUint>;

impl Fold {
    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        let shapes: Vec<(String, Vec<BigUint>)> = block.iter().map(|s| shape(&self.module, s)).collect();
        let mut out = Vec::new();
        let mut at = 0;
        while at < block.len() {
            let alike = shapes[at..].iter().take(MOST).take_while(|(text, _)| *text == shapes[at].0).count();
            let run = (FEWEST..=alike).rev().find_map(|count| {
                let steps = grows(&shapes[at..at + count])?;
                self.run(&block[at], count, &steps).map(|statement| (count, statement))
            });
            match run {
                Some((count, statement)) => {
                    out.push(statement);
                    at += count;
                }
                None => {
                    out.push(self.inner(&block[at]));
                    at += 1;
                }
            }
        }
        out
    }

    /// A statement with loops in its blocks.
    fn inner(&mut self, statement: &Statement) -> Statement {
        let mut statement = statement.clone();
        for block in statement.blocks_mut() {
            *block = self.block(block);
        }
        statement
    }

    /// The loop over `count` statements of which this one is the first.
    fn run(&mut self, first: &Statement, count: usize, steps: &[BigUint]) -> Option<Statement> {
        if steps.iter().all(|step| *step == BigUint::ZERO) {
            return None;
        }
        let before = self.module.signals.len();
        let one = self.statement(first, &mut steps.iter());
        let plain = one.as_ref().is_some_and(|one| {
            let mut exprs = Vec::new();
            crate::ir::expressions(std::slice::from_ref(one), &mut exprs);
            exprs.into_iter().all(|e| intermediates(&self.module, e).is_empty())
        });
        if !plain {
            self.module.signals.truncate(before);
            self.texts.retain(|_, id| id.0 < before);
            return None;
        }
        let n = self.variable.clone();
        let head = SignalId(self.module.signals.len());
        self.push(String::new(), 1);
        self.heads.insert(head, format!("for ({n} = 0; {n} < {count}; {n} = {n} + 1)"));
        Some(Statement::If { condition: Expr::signal(head, 1), then: vec![one?], otherwise: Vec::new() })
    }

    fn push(&mut self, name: String, width: usize) {
        let (rust, doc) = (Vec::new(), String::new());
        self.module.signals.push(Signal { name, rust, width, kind: Kind::Output, clock: false, crossing: false, doc });
    }

    fn text(&mut self, text: String, width: usize) -> SignalId {
        let new = SignalId(self.module.signals.len());
        let id = *self.texts.entry(text.clone()).or_insert(new);
        if id == new {
            self.push(text, width);
        }
        id
    }

    /// Bits of a signal from a position that grows.
    fn selection(&mut self, base: SignalId, low: usize, step: &BigUint, width: usize) -> Option<SignalId> {
        let name = self.module.signal(base).name.clone();
        if name.ends_with(']') {
            return None;
        }
        let at = affine(&low.into(), step, &self.variable);
        let text = if width == 1 { format!("{name}[{at}]") } else { format!("{name}[{at} +: {width}]") };
        Some(self.text(text, width))
    }

    fn expression(&mut self, e: &Expr, steps: &mut Steps) -> Option<Expr> {
        match &e.kind {
            ExprKind::Literal(value) => {
                let step = steps.next()?;
                if *step == BigUint::ZERO {
                    return Some(e.clone());
                }
                let counts = *value == BigUint::ZERO && *step == BigUint::from(1u8) && e.width <= NUMBER;
                let n = &self.variable;
                let text = if e.width == 1 { format!("{n}[0]") } else { format!("{n}[{}:0]", e.width - 1) };
                counts.then(|| Expr::signal(self.text(text, e.width), e.width))
            }
            ExprKind::Slice(base, low) => {
                let step = steps.next()?;
                if *step == BigUint::ZERO {
                    let base = self.expression(base, steps)?;
                    return Some(Expr { width: e.width, kind: ExprKind::Slice(Box::new(base), *low) });
                }
                Some(Expr::signal(self.selection(base.as_signal()?, *low, step, e.width)?, e.width))
            }
            _ => {
                let mut e = e.clone();
                for operand in e.operands_mut() {
                    *operand = self.expression(operand, steps)?;
                }
                Some(e)
            }
        }
    }

    fn statement(&mut self, statement: &Statement, steps: &mut Steps) -> Option<Statement> {
        Some(match statement {
            Statement::Assign { target, low: Some(low), value } => {
                let step = steps.next()?;
                let grown = (*step != BigUint::ZERO).then(|| self.selection(*target, *low, step, value.width));
                let (target, low) = match grown {
                    Some(target) => (target?, None),
                    None => (*target, Some(*low)),
                };
                Statement::Assign { target, low, value: self.expression(value, steps)? }
            }
            Statement::Assign { target, low: None, value } => {
                Statement::Assign { target: *target, low: None, value: self.expression(value, steps)? }
            }
            Statement::If { condition, then, otherwise } => Statement::If {
                condition: self.expression(condition, steps)?,
                then: self.statements(then, steps)?,
                otherwise: self.statements(otherwise, steps)?,
            },
            Statement::Case { value, arms, default } => Statement::Case {
                value: self.expression(value, steps)?,
                arms: arms
                    .iter()
                    .map(|a| Some(Arm { pattern: self.expression(&a.pattern, steps)?, body: self.statements(&a.body, steps)? }))
                    .collect::<Option<_>>()?,
                default: self.statements(default, steps)?,
            },
        })
    }

    fn statements(&mut self, block: &[Statement], steps: &mut Steps) -> Option<Vec<Statement>> {
        block.iter().map(|s| self.statement(s, steps)).collect()
    }
}

/// The module without assignments that later ones in the same process cover before anything reads them, and with a vector that is put
/// together piece by piece as one value.
pub fn tidy(module: &Module) -> Module {
    let mut tidy = module.clone();
    for (at, process) in tidy.processes.iter_mut().enumerate() {
        let Process::Combinational { targets, body } = process else { continue };
        let [target] = targets[..] else { continue };
        let covers = |s: &Statement| matches!(s, Statement::Assign { low: None, value, .. } if !value.signals().contains(&target));
        let last = body.iter().rposition(covers).filter(|last| *last > 0);
        if let Some(last) = last {
            body.drain(..last);
        }
        let value = match bits(module, at) {
            None => concatenated(body, target, module.signal(target).width),
            Some(_) => None,
        };
        if let Some(value) = value.or_else(|| last.and_then(|_| crate::lower::as_value(body, target))) {
            *process = Process::Assign { target, value };
        }
    }
    tidy
}

/// More pieces are better read one by one.
const PIECES: usize = 24;

/// A literal in which pieces that do not overlap are replaced.
fn concatenated(body: &[Statement], target: SignalId, width: usize) -> Option<Expr> {
    let (first, rest) = body.split_first()?;
    let Statement::Assign { low: None, value: base, .. } = first else { return None };
    let base = base.as_literal()?;
    let mut pieces: Vec<(usize, &Expr)> = Vec::new();
    for statement in rest {
        let Statement::Assign { low: Some(low), value, .. } = statement else { return None };
        pieces.push((*low, value));
    }
    pieces.sort_by_key(|(low, _)| *low);
    if pieces.is_empty() || pieces.len() > PIECES {
        return None;
    }
    let mut parts: Vec<Expr> = Vec::new();
    let mut at = 0;
    for (low, value) in pieces {
        if low < at || value.signals().contains(&target) {
            return None;
        }
        if low > at {
            parts.push(Expr::literal(low - at, base.clone() >> at));
        }
        parts.push(value.clone());
        at = low + value.width;
    }
    if at < width {
        parts.push(Expr::literal(width - at, base.clone() >> at));
    }
    parts.reverse();
    let one = parts.len() == 1;
    if one { parts.pop() } else { Some(Expr { width, kind: ExprKind::Concat(parts) }) }
}
