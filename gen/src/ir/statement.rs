//! Statements of a process.

use super::{Expr, SignalId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// All of `target`, or the bits from `low` that `value` is wide.
    Assign {
        target: SignalId,
        low: Option<usize>,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Case {
        value: Expr,
        arms: Vec<Arm>,
        default: Vec<Statement>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    pub pattern: Expr,
    pub body: Vec<Statement>,
}

impl Statement {
    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Self::Assign { .. } => vec![],
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Case { arms, default, .. } => arms.iter().map(|a| a.body.as_slice()).chain([default.as_slice()]).collect(),
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Self::Assign { .. } => vec![],
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Case { arms, default, .. } => arms.iter_mut().map(|a| &mut a.body).chain([default]).collect(),
        }
    }

    /// The value or condition of the statement itself.
    pub fn expression(&self) -> &Expr {
        match self {
            Self::Assign { value, .. } | Self::Case { value, .. } => value,
            Self::If { condition, .. } => condition,
        }
    }

    pub fn expression_mut(&mut self) -> &mut Expr {
        match self {
            Self::Assign { value, .. } | Self::Case { value, .. } => value,
            Self::If { condition, .. } => condition,
        }
    }

    /// Targets in it, each as often as it is assigned.
    pub fn targets(&self, found: &mut Vec<SignalId>) {
        if let Self::Assign { target, .. } = self {
            found.push(*target);
        }
        for block in self.blocks() {
            for statement in block {
                statement.targets(found);
            }
        }
    }
}

pub(crate) fn expressions<'a>(block: &'a [Statement], found: &mut Vec<&'a Expr>) {
    for statement in block {
        found.push(statement.expression());
        if let Statement::Case { arms, .. } = statement {
            found.extend(arms.iter().map(|a| &a.pattern));
        }
        for inner in statement.blocks() {
            expressions(inner, found);
        }
    }
}

pub(crate) fn for_each_expression_mut(block: &mut [Statement], f: &mut dyn FnMut(&mut Expr)) {
    for statement in block {
        f(statement.expression_mut());
        if let Statement::Case { arms, .. } = statement {
            arms.iter_mut().for_each(|arm| f(&mut arm.pattern));
        }
        for inner in statement.blocks_mut() {
            for_each_expression_mut(inner, f);
        }
    }
}
