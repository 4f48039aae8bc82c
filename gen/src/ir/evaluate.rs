//! The meaning of an expression, as a function.

use super::{Binary, Compare, Expr, ExprKind, Reduce, Shift, ones};
use num_bigint::{BigInt, BigUint};

impl Expr {
    /// The value, given those of signals and constants; `None` where one is not given.
    pub fn evaluate(&self, leaf: &dyn Fn(&ExprKind) -> Option<BigUint>) -> Option<BigUint> {
        let of = |e: &Expr| e.evaluate(leaf);
        let truth = |b: bool| BigUint::from(u8::from(b));
        let mask = ones(self.width);
        let value = match &self.kind {
            ExprKind::Literal(v) => v.clone(),
            ExprKind::Constant(_) | ExprKind::Signal(_) => leaf(&self.kind)?,
            ExprKind::Not(a) => of(a)? ^ &mask,
            ExprKind::Negate(a) => (of(a)? ^ &mask) + 1u8,
            ExprKind::Reduce(Reduce::And, a) => truth(of(a)? == ones(a.width)),
            ExprKind::Reduce(Reduce::Or, a) => truth(of(a)? != BigUint::ZERO),
            ExprKind::Reduce(Reduce::Xor, a) => truth(of(a)?.count_ones() % 2 == 1),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                match op {
                    Binary::Add => a + b,
                    Binary::Sub => a + (BigUint::from(1u8) << self.width) - b,
                    Binary::Mul => a * b,
                    Binary::And | Binary::LogicalAnd => a & b,
                    Binary::Or | Binary::LogicalOr => a | b,
                    Binary::Xor => a ^ b,
                }
            }
            ExprKind::Compare(op, a, b) => {
                let signed = |e: &Expr| Some(as_signed(of(e)?, e.width));
                truth(match op {
                    Compare::Equal => of(a)? == of(b)?,
                    Compare::NotEqual => of(a)? != of(b)?,
                    Compare::Less => of(a)? < of(b)?,
                    Compare::LessEqual => of(a)? <= of(b)?,
                    Compare::Greater => of(a)? > of(b)?,
                    Compare::GreaterEqual => of(a)? >= of(b)?,
                    Compare::SignedLess => signed(a)? < signed(b)?,
                    Compare::SignedLessEqual => signed(a)? <= signed(b)?,
                    Compare::SignedGreater => signed(a)? > signed(b)?,
                    Compare::SignedGreaterEqual => signed(a)? >= signed(b)?,
                })
            }
            ExprKind::Shift(op, a, b) => {
                let by = clamp(&of(b)?, self.width);
                if *op == Shift::Left { of(a)? << by } else { of(a)? >> by }
            }
            ExprKind::Slice(a, low) => of(a)? >> *low,
            ExprKind::SliceAt(a, b) | ExprKind::Bit(a, b) => of(a)? >> clamp(&of(b)?, a.width),
            ExprKind::ReplaceBit(a, b, c) => {
                let (mut value, at) = (of(a)?, clamp(&of(b)?, self.width));
                value.set_bit(at as u64, of(c)? != BigUint::ZERO);
                value
            }
            ExprKind::Concat(parts) => {
                let mut value = BigUint::ZERO;
                for part in parts {
                    value = (value << part.width) | of(part)?;
                }
                value
            }
            ExprKind::ZeroExtend(a) => of(a)?,
            ExprKind::SignExtend(a) => {
                let value = of(a)?;
                if value.bit(a.width as u64 - 1) { value | (&mask ^ ones(a.width)) } else { value }
            }
            ExprKind::Mux(c, a, b) => {
                if of(c)? == BigUint::ZERO {
                    of(b)?
                } else {
                    of(a)?
                }
            }
        };
        Some(value & mask)
    }
}

/// A shift by the width or more takes every bit away.
fn clamp(amount: &BigUint, width: usize) -> usize {
    usize::try_from(amount).unwrap_or(usize::MAX).min(width)
}

fn as_signed(value: BigUint, width: usize) -> BigInt {
    let negative = value.bit(width as u64 - 1);
    let value = BigInt::from(value);
    if negative { value - (BigInt::from(1u8) << width) } else { value }
}
