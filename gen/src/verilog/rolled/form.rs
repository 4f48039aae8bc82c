//! Parts of a module as texts and numbers: two that have the same text differ in their numbers alone.

use super::{Part, Search, What, element};
use crate::ir::{Connected, Expr, ExprKind, Module, Process, SignalId, Statement};
use num_bigint::BigUint;
use std::collections::HashMap;

/// A part without its index, and its numbers.
#[derive(Default)]
pub(super) struct Form {
    pub(super) text: String,
    pub(super) numbers: Vec<BigUint>,
}

impl Search<'_> {
    pub(super) fn form(&self, part: &Part) -> Form {
        let mut form = Form::default();
        match &part.what {
            What::Process(_, targets, process) => {
                for target in targets {
                    self.signal(*target, part.index, &mut form);
                }
                match process {
                    Process::Assign { value, .. } => {
                        form.text += "assign";
                        self.expression(value, part.index, &mut form);
                    }
                    Process::Combinational { body, .. } => {
                        form.text += "always";
                        self.block(body, part.index, &mut form);
                    }
                    Process::Clocked { clock, reset, body, .. } => {
                        form.text += &format!("clocked{}", clock.0);
                        if let Some((condition, values)) = reset {
                            form.text += "reset";
                            self.expression(condition, part.index, &mut form);
                            self.block(values, part.index, &mut form);
                        }
                        self.block(body, part.index, &mut form);
                    }
                }
            }
            What::Bits(process, target, low, value) => {
                form.text += &format!("bits{process} of {} {}", target.0, value.width);
                form.numbers.push((*low).into());
                self.expression(value, part.index, &mut form);
            }
            What::Instance(at) => {
                let instance = &self.module.instances[*at];
                let stem = element(&instance.rust).map(|(stem, _)| stem).unwrap_or_default();
                form.text += &format!("instance {stem} {} {}", instance.module, instance.doc);
                for connection in &instance.connections {
                    form.text += &format!(".{}", connection.port);
                    match &connection.value {
                        Connected::Input(value) => self.expression(value, part.index, &mut form),
                        Connected::Output(id) => self.signal(*id, part.index, &mut form),
                    }
                }
            }
        }
        form
    }

    fn signal(&self, id: SignalId, index: usize, form: &mut Form) {
        form.text += &match self.element(id) {
            Some((family, own)) if own == index => format!("F{family} "),
            _ => format!("S{} ", id.0),
        };
    }

    fn expression(&self, e: &Expr, index: usize, form: &mut Form) {
        let kind = match &e.kind {
            ExprKind::Literal(value) => {
                form.numbers.push(value.clone());
                "literal".to_string()
            }
            ExprKind::Constant(i) => format!("constant{i}"),
            ExprKind::Signal(id) => {
                self.signal(*id, index, form);
                return;
            }
            ExprKind::Not(_) => "not".into(),
            ExprKind::Negate(_) => "negate".into(),
            ExprKind::Reduce(op, _) => format!("{op:?}"),
            ExprKind::Binary(op, ..) => format!("{op:?}"),
            ExprKind::Compare(op, ..) => format!("{op:?}"),
            ExprKind::Shift(op, ..) => format!("{op:?}"),
            ExprKind::Slice(_, low) => {
                form.numbers.push((*low).into());
                "slice".into()
            }
            ExprKind::SliceAt(..) => "at".into(),
            ExprKind::Bit(..) => "bit".into(),
            ExprKind::ReplaceBit(..) => "replace".into(),
            ExprKind::Concat(parts) => format!("concat{}", parts.len()),
            ExprKind::ZeroExtend(_) => "zero".into(),
            ExprKind::SignExtend(_) => "sign".into(),
            ExprKind::Mux(..) => "mux".into(),
        };
        form.text += &format!("({kind}:{} ", e.width);
        e.operands().into_iter().for_each(|o| self.expression(o, index, form));
        form.text += ")";
    }

    fn block(&self, block: &[Statement], index: usize, form: &mut Form) {
        form.text += "{";
        for statement in block {
            match statement {
                Statement::Assign { target, low, value } => {
                    self.signal(*target, index, form);
                    form.text += if low.is_some() { "[]=" } else { "=" };
                    form.numbers.extend(low.map(BigUint::from));
                    self.expression(value, index, form);
                    form.text += ";";
                }
                Statement::If { condition, then, otherwise } => {
                    form.text += "if";
                    self.expression(condition, index, form);
                    self.block(then, index, form);
                    self.block(otherwise, index, form);
                }
                Statement::Case { value, arms, default } => {
                    form.text += &format!("case{}", arms.len());
                    self.expression(value, index, form);
                    for arm in arms {
                        self.expression(&arm.pattern, index, form);
                        self.block(&arm.body, index, form);
                    }
                    self.block(default, index, form);
                }
            }
        }
        form.text += "}";
    }
}

/// How much each number grows from pass to pass, if each grows by the same.
pub fn grows<T>(passes: &[(T, Vec<BigUint>)]) -> Option<Vec<BigUint>> {
    let (first, second) = (&passes[0].1, &passes[1].1);
    let mut steps = Vec::new();
    for (at, start) in first.iter().enumerate() {
        let next = second.get(at)?;
        if next < start {
            return None;
        }
        let step = next - start;
        let even = passes.iter().enumerate().all(|(i, (_, numbers))| numbers.get(at) == Some(&(start + &step * i)));
        // A genvar has 32 bits.
        if !even || (step != BigUint::ZERO && (start + &step * passes.len()).bits() > 30) {
            return None;
        }
        steps.push(step);
    }
    passes.iter().all(|(_, numbers)| numbers.len() == first.len()).then_some(steps)
}

/// A statement without its numbers, and those in the order in which they stand in it.
pub fn shape(module: &Module, statement: &Statement) -> (String, Vec<BigUint>) {
    let search = Search { module, families: Vec::new(), elements: HashMap::new(), active: Vec::new() };
    let mut form = Form::default();
    search.block(std::slice::from_ref(statement), 0, &mut form);
    (form.text, form.numbers)
}
