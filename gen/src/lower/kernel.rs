//! Statements of a kernel: loops unrolled, links and macros expanded, constant conditions decided.

use super::expr::{Expressions, describe};
use super::name::{integer, resolve};
use super::scope::{Item, Part, Type};
use crate::error::What;
use crate::ir::{Arm, Expr, ExprKind, SignalId, Statement};
use num_bigint::BigUint;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression as Ast, VerilogLink, VerilogLiteral, VerilogLoop, VerilogMatch,
    VerilogStatement,
};

impl Expressions<'_> {
    /// A block of the kernel, in program order.
    pub fn block(&mut self, block: &[VerilogStatement], out: &mut Vec<Statement>) -> Result<(), What> {
        block.iter().try_for_each(|statement| self.statement(statement, out))
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Statement>) -> Result<(), What> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let (target, ty) = self.target(target)?;
                out.push(assignment(target, self.value(value, ty)?));
                Ok(())
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (target, ty) = self.target(base)?;
                let Some(low) = self.number(offset).and_then(|n| usize::try_from(n).ok()).filter(|low| low + width <= ty.width) else {
                    return Err(What::Index { name: describe(base), reason: "the bits to assign must be constant and inside".into() });
                };
                out.push(Statement::Assign { target, low: Some(low), value: self.value(replacement, Type::bits(*width))? });
                Ok(())
            }
            VerilogStatement::If(conditional) => self.conditional(conditional, out),
            VerilogStatement::Match(m) => self.matching(m, out),
            VerilogStatement::Loop(l) => self.unroll(l, out),
            VerilogStatement::Comment(_) => Ok(()),
            VerilogStatement::Link(links) => links.iter().try_for_each(|link| self.link(link, out)),
            VerilogStatement::Macro(block) => self.block(block, out),
        }
    }

    fn target(&self, ast: &Ast) -> Result<(SignalId, Type), What> {
        let Ast::Signal(name) = ast else {
            return Err(What::Unsupported { what: format!("assignment to {}", describe(ast)), instead: "Assign to a signal" });
        };
        let name = resolve(name, &self.env)?;
        let Some(Item::Signal(i)) = self.scope.find(&name) else {
            return Err(What::Unknown { name: name.replace('$', ".") });
        };
        let entry = &self.scope.entries[i];
        let role = match entry.part {
            Part::Input => "an input of the block",
            Part::ChildOutput { .. } => "an output of a child",
            Part::RegisterValue => "the value of a register; assign its d",
            _ => return Ok((SignalId(i), entry.ty)),
        };
        Err(What::NotAssignable { signal: entry.rust.clone(), role })
    }

    fn conditional(&mut self, conditional: &VerilogConditional, out: &mut Vec<Statement>) -> Result<(), What> {
        let condition = self.condition(&conditional.test)?;
        let decided = self.decide(&condition);
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        if decided != Some(false) {
            self.block(&conditional.then, &mut then)?;
        }
        if decided != Some(true) {
            match &conditional.otherwise {
                VerilogBlockOrConditional::Block(block) => self.block(block, &mut otherwise)?,
                VerilogBlockOrConditional::Conditional(statement) => self.statement(statement, &mut otherwise)?,
                VerilogBlockOrConditional::None => {}
            }
        }
        match decided {
            Some(true) => out.append(&mut then),
            Some(false) => out.append(&mut otherwise),
            None => out.push(Statement::If { condition, then, otherwise }),
        }
        Ok(())
    }

    /// The value of a condition that constants alone decide.
    fn decide(&self, condition: &Expr) -> Option<bool> {
        let constants = &self.scope.constants;
        let value = condition.evaluate(&|leaf| match leaf {
            ExprKind::Constant(i) => Some(constants[*i].value.clone()),
            _ => None,
        })?;
        Some(value != BigUint::ZERO)
    }

    fn matching(&mut self, m: &VerilogMatch, out: &mut Vec<Statement>) -> Result<(), What> {
        let (value, ty) = self.typed(&m.test)?;
        let mut arms = Vec::new();
        let mut default = None;
        for case in &m.cases {
            let mut body = Vec::new();
            self.block(&case.block, &mut body)?;
            match self.pattern(&case.condition, ty)? {
                Some(pattern) => arms.push(Arm { pattern, body }),
                None => {
                    default = Some(body);
                    break;
                }
            }
        }
        // A match without `_` names every value that Rust knows: its last arm also takes the ones that only bits have.
        let default = match default {
            Some(body) => body,
            None => arms.pop().map(|arm| arm.body).unwrap_or_default(),
        };
        if ty.width == 1
            && let [arm] = arms.as_slice()
        {
            let condition = Expr::compare(crate::ir::Compare::Equal, value, arm.pattern.clone());
            out.push(Statement::If { condition, then: arm.body.clone(), otherwise: default });
        } else if arms.is_empty() {
            out.extend(default);
        } else {
            out.push(Statement::Case { value, arms, default });
        }
        Ok(())
    }

    /// A pattern's value; `None` for one that matches everything.
    fn pattern(&self, text: &str, ty: Type) -> Result<Option<Expr>, What> {
        if text == "default" {
            return Ok(None);
        }
        if let "true" | "false" = text {
            return Ok(Some(Expr::bit(text == "true")));
        }
        if let Some(number) = integer(text) {
            let value = BigUint::try_from(number).ok().filter(|v| v.bits() <= ty.width as u64);
            let too_big = || What::TooBig { value: text.to_string(), width: ty.width };
            return Ok(Some(Expr::literal(ty.width, value.ok_or_else(too_big)?)));
        }
        match self.scope.variant(&text.replace("::", "$"), ty.width) {
            Some(i) if self.scope.constants[i].ty.width == ty.width => Ok(Some(Expr::constant(i, ty.width))),
            _ => Err(What::Pattern { pattern: text.replace('$', "::") }),
        }
    }

    fn unroll(&mut self, l: &VerilogLoop, out: &mut Vec<Statement>) -> Result<(), What> {
        if self.scope.is_field(&l.index) {
            return Err(What::Shadowed { name: l.index.clone() });
        }
        let bound = |literal: &VerilogLiteral| {
            i128::try_from(super::scope::literal_value(literal))
                .map_err(|_| What::Index { name: l.index.clone(), reason: "a loop bound is too large".into() })
        };
        for i in bound(&l.from)?..bound(&l.to)? {
            self.env.push(&l.index, i);
            let result = self.block(&l.block, out);
            self.env.pop();
            result?;
        }
        Ok(())
    }

    fn link(&mut self, link: &VerilogLink, out: &mut Vec<Statement>) -> Result<(), What> {
        let path = |owner: &str, field: &str| {
            let field = field.trim_start_matches('.');
            Ast::Signal(if field.is_empty() { owner.to_string() } else { format!("{owner}${field}") })
        };
        let (target, source) = match link {
            VerilogLink::Forward(l) => (path(&l.other_name, &l.my_name), path(&l.owner_name, &l.my_name)),
            VerilogLink::Backward(l) => (path(&l.owner_name, &l.my_name), path(&l.other_name, &l.my_name)),
            VerilogLink::Bidirectional(l) => {
                let what = format!("link of the bidirectional {}", l.owner_name);
                return Err(What::Unsupported { what, instead: "Use an input, an output and an enable" });
            }
        };
        let (target, ty) = self.target(&target)?;
        out.push(assignment(target, self.value(&source, ty)?));
        Ok(())
    }
}

/// `x = x with one bit replaced` is an assignment to that bit.
fn assignment(target: SignalId, value: Expr) -> Statement {
    if let ExprKind::ReplaceBit(base, position, bit) = &value.kind
        && base.as_signal() == Some(target)
        && let Some(low) = position.as_literal().and_then(|p| usize::try_from(p).ok())
    {
        return Statement::Assign { target, low: Some(low), value: (**bit).clone() };
    }
    Statement::Assign { target, low: None, value }
}
