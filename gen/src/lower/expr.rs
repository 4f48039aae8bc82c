//! Expressions of a kernel, with the width and the meaning that Rust gives them.
//!
//! rust-hdl's tree has widths only at signals, casts and slices. A first look ([`Expressions::known`]) finds the width that a
//! subtree has by itself; what has none (an integer literal, a loop variable) takes it from the other operand or from the target.

use super::name::{Environment, resolve};
use super::scope::{Item, Scope, Type, literal_is_bool, literal_value};
use crate::error::What;
use crate::ir::{Binary, Compare, Expr, Reduce, Shift, SignalId};
use num_bigint::BigUint;
use rust_hdl::prelude::ast::{VerilogExpression as Ast, VerilogOp as Op, VerilogOpUnary as UnaryOp};

/// Widest integer that a `Bits` takes from a literal without a check (rust-hdl's short representation).
const CHECKED_LITERAL: usize = 32;
/// A literal that is shifted by a `Bits` becomes `Bits<64>`.
const SHIFTED_LITERAL: usize = 64;

pub struct Expressions<'a> {
    pub scope: &'a Scope,
    pub env: Environment,
}

impl Expressions<'_> {
    /// The type that `ast` has whatever stands around it.
    fn known(&self, ast: &Ast) -> Result<Option<Type>, What> {
        Ok(match ast {
            Ast::Signal(name) => {
                let name = resolve(name, &self.env)?;
                match self.scope.find(&name) {
                    Some(Item::Signal(i)) => Some(self.scope.entries[i].ty),
                    Some(Item::Constant(i)) => Some(self.scope.constants[i].ty),
                    None if self.env.get(&name).is_some() => None,
                    None => return Err(What::Unknown { name: name.replace('$', ".") }),
                }
            }
            Ast::Literal(literal) => literal_is_bool(literal).then_some(Type::bits(1)),
            Ast::Cast(_, width) | Ast::Slice(_, width, _) => Some(Type::bits(*width)),
            Ast::Paren(inner) => self.known(inner)?,
            Ast::Unsigned(inner) => self.known(inner)?.map(|t| Type::bits(t.width)),
            // The tree does not say to which width a signed value is cast.
            Ast::Signed(inner) => self.known(inner)?.filter(|t| !t.signed).map(|t| Type { signed: true, ..t }),
            Ast::Binary(left, op, right) => match op {
                Op::LogicalAnd | Op::LogicalOr | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Some(Type::bits(1)),
                Op::Shl | Op::Shr => match (self.known(left)?, self.known(right)?) {
                    (None, Some(_)) => Some(Type::bits(SHIFTED_LITERAL)),
                    (left, _) => left,
                },
                Op::Mul => match (self.known(left)?, self.known(right)?) {
                    (Some(l), Some(r)) => Some(Type { width: l.width + r.width, signed: l.signed }),
                    _ => None,
                },
                Op::Add | Op::Sub | Op::BitAnd | Op::BitOr | Op::BitXor => match self.known(left)? {
                    Some(t) => Some(t),
                    None => self.known(right)?,
                },
            },
            Ast::Unary(UnaryOp::All | UnaryOp::Any | UnaryOp::Xor, _) | Ast::Index(..) => Some(Type::bits(1)),
            Ast::Unary(UnaryOp::Not | UnaryOp::Neg, inner) | Ast::IndexReplace(inner, _, _) => self.known(inner)?,
        })
    }

    /// The number that `ast` is before the design runs: literals, loop variables, const generics.
    pub fn number(&self, ast: &Ast) -> Option<i128> {
        match ast {
            Ast::Signal(name) => {
                let name = resolve(name, &self.env).ok()?;
                if self.scope.find(&name).is_some() { None } else { self.env.get(&name) }
            }
            Ast::Literal(literal) if !literal_is_bool(literal) => i128::try_from(literal_value(literal)).ok(),
            Ast::Paren(inner) => self.number(inner),
            Ast::Unary(UnaryOp::Neg, inner) => self.number(inner).map(|v| -v),
            Ast::Binary(left, op, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match op {
                    Op::Add => Some(left + right),
                    Op::Sub => Some(left - right),
                    Op::Mul => left.checked_mul(right),
                    Op::BitAnd => Some(left & right),
                    Op::BitOr => Some(left | right),
                    Op::BitXor => Some(left ^ right),
                    Op::Shl => left.checked_shl(u32::try_from(right).ok()?),
                    Op::Shr => left.checked_shr(u32::try_from(right).ok()?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `ast` where a value of type `expected` is needed.
    pub fn value(&self, ast: &Ast, expected: Type) -> Result<Expr, What> {
        let (expr, _) = self.lower(ast, Some(expected))?;
        if expr.width != expected.width {
            return Err(What::Width { expression: describe(ast), found: expr.width, expected: expected.width });
        }
        Ok(expr)
    }

    /// `ast` as a condition.
    pub fn condition(&self, ast: &Ast) -> Result<Expr, What> {
        self.value(ast, Type::bits(1))
    }

    /// `ast` with whatever type it has.
    pub fn typed(&self, ast: &Ast) -> Result<(Expr, Type), What> {
        self.lower(ast, None)
    }

    fn lower(&self, ast: &Ast, context: Option<Type>) -> Result<(Expr, Type), What> {
        let known = self.known(ast)?;
        let ty = known.or(context);
        let need = || ty.ok_or_else(|| What::UnknownWidth { expression: describe(ast) });
        if known.is_none()
            && let Some(number) = self.number(ast)
        {
            let ty = need()?;
            return Ok((number_literal(number, ty)?, ty));
        }
        let expr = match ast {
            Ast::Signal(name) => {
                let name = resolve(name, &self.env)?;
                match self.scope.find(&name) {
                    Some(Item::Signal(i)) => Expr::signal(SignalId(i), need()?.width),
                    Some(Item::Constant(i)) => Expr::constant(i, need()?.width),
                    None => return Err(What::Unknown { name: name.replace('$', ".") }),
                }
            }
            Ast::Literal(literal) => number_literal(i128::try_from(literal_value(literal)).unwrap_or(i128::MAX), need()?)?,
            Ast::Cast(inner, width) => match self.number(inner).filter(|_| self.known(inner).is_ok_and(|t| t.is_none())) {
                Some(number) => number_literal(number, Type::bits(*width))?,
                None => self.lower(inner, Some(Type::bits(*width)))?.0.resize(*width),
            },
            Ast::Paren(inner) => return self.lower(inner, context),
            Ast::Unsigned(inner) => {
                let signed = context.map(|t| Type { signed: true, ..t });
                let (expr, ty) = self.lower(inner, signed)?;
                return Ok((expr, Type::bits(ty.width)));
            }
            Ast::Signed(inner) => {
                let (expr, from) = self.lower(inner, None)?;
                if !from.signed {
                    return Ok((expr, Type { signed: true, width: from.width }));
                }
                let ty = need()?;
                return Ok((expr.sign_resize(ty.width), Type { signed: true, ..ty }));
            }
            Ast::Binary(left, op, right) => return self.binary(ast, left, op, right, context),
            Ast::Unary(UnaryOp::Not, inner) => return self.lower(inner, context).map(|(e, t)| (e.complement(), t)),
            Ast::Unary(UnaryOp::Neg, inner) => return self.lower(inner, context).map(|(e, t)| (e.negate(), t)),
            Ast::Unary(UnaryOp::All, inner) => self.lower(inner, None)?.0.reduce(Reduce::And),
            Ast::Unary(UnaryOp::Any, inner) => self.lower(inner, None)?.0.reduce(Reduce::Or),
            Ast::Unary(UnaryOp::Xor, inner) => self.lower(inner, None)?.0.reduce(Reduce::Xor),
            Ast::Index(value, position) => {
                let value = self.lower(value, None)?.0;
                let position = self.position(position, value.width, "get_bit")?;
                value.bit_at(position)
            }
            Ast::Slice(value, width, position) => {
                let (value, from) = self.lower(value, None)?;
                // `get_bits` accepts a position just past the end.
                let position = self.position(position, value.width + 1, "get_bits")?;
                return Ok((value.slice_at(position, *width), Type { width: *width, signed: from.signed }));
            }
            Ast::IndexReplace(value, position, bit) => {
                let (value, ty) = self.lower(value, context)?;
                let position = self.position(position, value.width, "replace_bit")?;
                return Ok((value.replace_bit(position, self.condition(bit)?), ty));
            }
        };
        let ty = known.unwrap_or(Type::bits(expr.width));
        Ok((expr, ty))
    }

    /// A bit position below `end`: a number, or a value of its own width.
    fn position(&self, ast: &Ast, end: usize, method: &str) -> Result<Expr, What> {
        match self.number(ast) {
            Some(number) => match usize::try_from(number).ok().filter(|n| *n < end) {
                Some(number) => Ok(Expr::literal(usize::BITS as usize, number)),
                None => Err(What::Index { name: format!("{method}({number})"), reason: format!("allowed are 0 to {}", end - 1) }),
            },
            None => self.lower(ast, None).map(|(e, _)| e),
        }
    }

    fn binary(&self, ast: &Ast, left: &Ast, op: &Op, right: &Ast, context: Option<Type>) -> Result<(Expr, Type), What> {
        let bit = Type::bits(1);
        match op {
            Op::LogicalAnd | Op::LogicalOr => {
                let op = if matches!(op, Op::LogicalAnd) { Binary::LogicalAnd } else { Binary::LogicalOr };
                Ok((Expr::binary(op, self.condition(left)?, self.condition(right)?), bit))
            }
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => self.comparison(left, op, right).map(|e| (e, bit)),
            Op::Shl | Op::Shr => {
                let shift = if matches!(op, Op::Shl) { Shift::Left } else { Shift::Right };
                let (value, ty) = match (self.known(left)?, self.known(right)?) {
                    (None, Some(_)) => self.lower(left, Some(Type::bits(SHIFTED_LITERAL)))?,
                    _ => self.lower(left, context)?,
                };
                let amount = match self.number(right) {
                    Some(number) => number_literal(number, Type::bits(SHIFTED_LITERAL))?,
                    None => self.lower(right, None)?.0,
                };
                if amount.width > SHIFTED_LITERAL {
                    return Err(What::WideAmount { width: amount.width });
                }
                Ok((Expr::shift(shift, value, amount), ty))
            }
            Op::Mul => {
                let ((left, ty), (right, _)) = (self.lower(left, None)?, self.lower(right, None)?);
                let width = left.width + right.width;
                let wide = |e: Expr| if ty.signed { e.sign_resize(width) } else { e.zero_extend(width) };
                Ok((Expr::binary(Binary::Mul, wide(left), wide(right)), Type { width, signed: ty.signed }))
            }
            Op::Add | Op::Sub | Op::BitAnd | Op::BitOr | Op::BitXor => {
                let op = match op {
                    Op::Add => Binary::Add,
                    Op::Sub => Binary::Sub,
                    Op::BitAnd => Binary::And,
                    Op::BitOr => Binary::Or,
                    _ => Binary::Xor,
                };
                let ty = self.known(ast)?.or(context).ok_or_else(|| What::UnknownWidth { expression: describe(ast) })?;
                let left = self.value(left, ty)?;
                let right = match self.known(right)? {
                    // `Bits<N> + bool`
                    Some(t) if op == Binary::Add && t.width == 1 && ty.width > 1 => self.value(right, bit)?.zero_extend(ty.width),
                    _ => self.value(right, ty)?,
                };
                Ok((Expr::binary(op, left, right), ty))
            }
        }
    }

    fn comparison(&self, left: &Ast, op: &Op, right: &Ast) -> Result<Expr, What> {
        if let (Some(l), Some(r)) = (self.number(left), self.number(right)) {
            return Ok(Expr::bit(match op {
                Op::Eq => l == r,
                Op::Ne => l != r,
                Op::Lt => l < r,
                Op::Le => l <= r,
                Op::Gt => l > r,
                _ => l >= r,
            }));
        }
        let ty = match self.known(left)? {
            Some(t) => t,
            None => self.known(right)?.ok_or_else(|| What::UnknownWidth { expression: describe(left) })?,
        };
        let op = match (op, ty.signed) {
            (Op::Eq, _) => Compare::Equal,
            (Op::Ne, _) => Compare::NotEqual,
            (Op::Lt, false) => Compare::Less,
            (Op::Le, false) => Compare::LessEqual,
            (Op::Gt, false) => Compare::Greater,
            (_, false) => Compare::GreaterEqual,
            (Op::Lt, true) => Compare::SignedLess,
            (Op::Le, true) => Compare::SignedLessEqual,
            (Op::Gt, true) => Compare::SignedGreater,
            (_, true) => Compare::SignedGreaterEqual,
        };
        Ok(Expr::compare(op, self.value(left, ty)?, self.value(right, ty)?))
    }
}

/// An integer as Rust converts it: refused if it is too big for a short `Bits` or negative, cut for a long one.
fn number_literal(number: i128, ty: Type) -> Result<Expr, What> {
    let too_big = || What::TooBig { value: number.to_string(), width: ty.width };
    let magnitude = BigUint::from(number.unsigned_abs());
    if number < 0 {
        let fits = ty.signed && magnitude.bits() <= ty.width as u64;
        return if fits { Ok(Expr::literal(ty.width, magnitude).negate()) } else { Err(too_big()) };
    }
    if ty.width <= CHECKED_LITERAL && magnitude.bits() > ty.width as u64 {
        return Err(too_big());
    }
    Ok(Expr::literal(ty.width, magnitude))
}

/// The expression as a reader would find it in the source.
pub fn describe(ast: &Ast) -> String {
    match ast {
        Ast::Signal(name) => name.replace('$', "."),
        Ast::Literal(literal) => literal_value(literal).to_string(),
        Ast::Cast(inner, width) => format!("bit_cast::<{width}, _>({})", describe(inner)),
        Ast::Signed(inner) => format!("signed_cast({})", describe(inner)),
        Ast::Unsigned(inner) => format!("unsigned_cast({})", describe(inner)),
        Ast::Paren(inner) => format!("({})", describe(inner)),
        Ast::Binary(left, op, right) => {
            let op = match op {
                Op::Add => "+",
                Op::Sub => "-",
                Op::Mul => "*",
                Op::LogicalAnd => "&&",
                Op::LogicalOr => "||",
                Op::BitXor => "^",
                Op::BitAnd => "&",
                Op::BitOr => "|",
                Op::Shl => "<<",
                Op::Shr => ">>",
                Op::Eq => "==",
                Op::Lt => "<",
                Op::Le => "<=",
                Op::Ne => "!=",
                Op::Ge => ">=",
                Op::Gt => ">",
            };
            format!("{} {op} {}", describe(left), describe(right))
        }
        Ast::Unary(UnaryOp::Not, inner) => format!("!{}", describe(inner)),
        Ast::Unary(UnaryOp::Neg, inner) => format!("-{}", describe(inner)),
        Ast::Unary(UnaryOp::All, inner) => format!("{}.all()", describe(inner)),
        Ast::Unary(UnaryOp::Any, inner) => format!("{}.any()", describe(inner)),
        Ast::Unary(UnaryOp::Xor, inner) => format!("{}.xor()", describe(inner)),
        Ast::Index(value, position) => format!("{}.get_bit({})", describe(value), describe(position)),
        Ast::Slice(value, width, position) => format!("{}.get_bits::<{width}>({})", describe(value), describe(position)),
        Ast::IndexReplace(value, position, bit) => {
            format!("{}.replace_bit({}, {})", describe(value), describe(position), describe(bit))
        }
    }
}
