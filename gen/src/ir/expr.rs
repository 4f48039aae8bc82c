//! Expressions. Every node has a width, and its text in Verilog must mean the same in any context.

use super::{SignalId, fields};
use num_bigint::BigUint;

/// A value of `width` bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub width: usize,
    pub kind: ExprKind,
}

/// Forms of [`Expr`]. Operands have the width of the result unless a form says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Literal(BigUint),
    /// Index into [`super::Module::constants`].
    Constant(usize),
    Signal(SignalId),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// One bit from any width.
    Reduce(Reduce, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// One bit from two operands of equal width.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// The amount has a width of its own. Bits that leave are lost, zeros enter.
    Shift(Shift, Box<Expr>, Box<Expr>),
    /// Bits `low` and up of a wider operand.
    Slice(Box<Expr>, usize),
    /// Bits from a variable position that all exist.
    SliceAt(Box<Expr>, Box<Expr>),
    /// One bit at a variable position, which must exist.
    Bit(Box<Expr>, Box<Expr>),
    /// Value, position, new bit.
    ReplaceBit(Box<Expr>, Box<Expr>, Box<Expr>),
    /// First operand in the high bits; widths add up.
    Concat(Vec<Expr>),
    ZeroExtend(Box<Expr>),
    SignExtend(Box<Expr>),
    /// Condition of one bit, value if true, value if false.
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// Both operands have one bit.
    LogicalAnd,
    /// Both operands have one bit.
    LogicalOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Left,
    Right,
}

const WIDEST_AMOUNT: usize = 32;

/// All ones in `width` bits.
pub fn ones(width: usize) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

/// Bits that number the positions of `width` bits.
fn index_width(width: usize) -> usize {
    (usize::BITS - (width - 1).leading_zeros()).max(1) as usize
}

impl Expr {
    fn new(width: usize, kind: ExprKind) -> Self {
        Self { width, kind }
    }

    /// `value` modulo `2^width`.
    pub fn literal(width: usize, value: impl Into<BigUint>) -> Self {
        Self::new(width, ExprKind::Literal(value.into() & ones(width)))
    }

    pub fn bit(value: bool) -> Self {
        Self::literal(1, u8::from(value))
    }

    pub fn signal(id: SignalId, width: usize) -> Self {
        Self::new(width, ExprKind::Signal(id))
    }

    pub fn constant(index: usize, width: usize) -> Self {
        Self::new(width, ExprKind::Constant(index))
    }

    pub fn as_literal(&self) -> Option<&BigUint> {
        match &self.kind {
            ExprKind::Literal(v) => Some(v),
            _ => None,
        }
    }

    pub fn is_literal(&self, value: u32) -> bool {
        self.as_literal() == Some(&BigUint::from(value))
    }

    pub fn as_signal(&self) -> Option<SignalId> {
        match self.kind {
            ExprKind::Signal(id) => Some(id),
            _ => None,
        }
    }

    /// Bitwise complement.
    pub fn complement(self) -> Self {
        let width = self.width;
        match self.kind {
            ExprKind::Literal(v) => Self::literal(width, ones(width) ^ v),
            ExprKind::Not(inner) => *inner,
            _ => Self::new(width, ExprKind::Not(Box::new(self))),
        }
    }

    pub fn negate(self) -> Self {
        let width = self.width;
        match self.kind {
            ExprKind::Literal(v) => Self::literal(width, (ones(width) ^ v) + 1u8),
            _ => Self::new(width, ExprKind::Negate(Box::new(self))),
        }
    }

    pub fn reduce(self, op: Reduce) -> Self {
        if self.width == 1 {
            return self;
        }
        match &self.kind {
            ExprKind::Literal(v) => Self::bit(match op {
                Reduce::And => *v == ones(self.width),
                Reduce::Or => *v != BigUint::ZERO,
                Reduce::Xor => v.count_ones() % 2 == 1,
            }),
            _ => Self::new(1, ExprKind::Reduce(op, Box::new(self))),
        }
    }

    /// Both operands have the width of the result.
    pub fn binary(op: Binary, left: Self, right: Self) -> Self {
        let width = left.width;
        if width == 1 && matches!(op, Binary::LogicalAnd | Binary::LogicalOr) {
            let absorbing = u32::from(op == Binary::LogicalOr);
            for (one, other) in [(&left, &right), (&right, &left)] {
                if one.is_literal(absorbing) {
                    return one.clone();
                }
                if one.is_literal(1 - absorbing) {
                    return other.clone();
                }
            }
        }
        if op == Binary::Or
            && let (Some(l), Some(r)) = (fields::fields(&left), fields::fields(&right))
            && let Some(both) = fields::merged(l, r)
        {
            return fields::joined(both, width);
        }
        Self::new(width, ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    /// Comparisons that have one answer for every value are folded: a constant comparison is a lint warning.
    pub fn compare(op: Compare, left: Self, right: Self) -> Self {
        use Compare::*;
        let width = left.width;
        if let Some(value) = right.as_literal() {
            let (zero, full) = (*value == BigUint::ZERO, *value == ones(width));
            match op {
                GreaterEqual if zero => return Self::bit(true),
                Less if zero => return Self::bit(false),
                LessEqual if full => return Self::bit(true),
                Greater if full => return Self::bit(false),
                Equal | NotEqual if width == 1 && left.as_literal().is_none() => {
                    return if full == (op == Equal) { left } else { left.complement() };
                }
                _ => {}
            }
            if let Some(other) = left.as_literal() {
                match op {
                    Equal => return Self::bit(other == value),
                    NotEqual => return Self::bit(other != value),
                    Less => return Self::bit(other < value),
                    LessEqual => return Self::bit(other <= value),
                    Greater => return Self::bit(other > value),
                    GreaterEqual => return Self::bit(other >= value),
                    _ => {}
                }
            }
        } else if left.as_literal().is_some() {
            let mirrored = match op {
                Less => Greater,
                LessEqual => GreaterEqual,
                Greater => Less,
                GreaterEqual => LessEqual,
                SignedLess => SignedGreater,
                SignedLessEqual => SignedGreaterEqual,
                SignedGreater => SignedLess,
                SignedGreaterEqual => SignedLessEqual,
                same => same,
            };
            return Self::compare(mirrored, right, left);
        }
        Self::new(1, ExprKind::Compare(op, Box::new(left), Box::new(right)))
    }

    pub fn shift(op: Shift, value: Self, amount: Self) -> Self {
        let width = value.width;
        if let Some(by) = amount.as_literal() {
            if *by == BigUint::ZERO {
                return value;
            }
            let Some(by) = u32::try_from(by).ok().filter(|by| (*by as usize) < width) else {
                return Self::literal(width, 0u8);
            };
            if let ExprKind::Literal(v) = &value.kind {
                return Self::literal(width, if op == Shift::Left { v << by } else { v >> by });
            }
            if let (Shift::Left, Some(parts)) = (op, fields::fields(&value)) {
                return fields::joined(fields::moved(parts, by as usize, width), width);
            }
        }
        if amount.width > WIDEST_AMOUNT {
            // Simulators shift by 32 bits of amount at most; any more of it takes every bit away.
            let enough = (usize::BITS - width.leading_zeros()) as usize;
            let far = amount.clone().slice(enough, amount.width - enough).reduce(Reduce::Or);
            let near = Self::shift(op, value, amount.slice(0, enough));
            return Self::mux(far, Self::literal(width, 0u8), near);
        }
        Self::new(width, ExprKind::Shift(op, Box::new(value), Box::new(amount)))
    }

    /// `width` bits from `low`; bits past the end of the value are zero.
    pub fn slice(self, low: usize, width: usize) -> Self {
        if low >= self.width {
            return Self::literal(width, 0u8);
        }
        let inside = width.min(self.width - low);
        self.slice_inside(low, inside).zero_extend(width)
    }

    fn slice_inside(self, low: usize, width: usize) -> Self {
        if low == 0 && width == self.width {
            return self;
        }
        match self.kind {
            ExprKind::Literal(v) => Self::literal(width, v >> low),
            ExprKind::Slice(inner, base) => inner.slice_inside(base + low, width),
            ExprKind::ZeroExtend(inner) => inner.slice(low, width),
            ExprKind::Not(inner) => inner.slice_inside(low, width).complement(),
            ExprKind::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), l, r) => {
                Self::binary(op, l.slice_inside(low, width), r.slice_inside(low, width))
            }
            // The low bits of a sum, a difference and a product depend on the low bits of the operands only.
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), l, r) if low == 0 => {
                Self::binary(op, l.slice_inside(0, width), r.slice_inside(0, width))
            }
            ExprKind::Negate(inner) if low == 0 => inner.slice_inside(0, width).negate(),
            ExprKind::Mux(c, l, r) => Self::mux(*c, l.slice_inside(low, width), r.slice_inside(low, width)),
            ExprKind::Shift(op, value, amount) if amount.as_literal().is_some() => {
                let by = amount.as_literal().and_then(|v| usize::try_from(v).ok()).unwrap_or(usize::MAX / 4);
                match op {
                    Shift::Right => value.slice(low + by, width),
                    Shift::Left if low >= by => value.slice_inside(low - by, width),
                    Shift::Left if low + width <= by => Self::literal(width, 0u8),
                    Shift::Left => {
                        let zeros = by - low;
                        let bits = value.slice_inside(0, width - zeros);
                        Self::new(width, ExprKind::Concat(vec![bits, Self::literal(zeros, 0u8)]))
                    }
                }
            }
            kind => Self::new(width, ExprKind::Slice(Box::new(Self::new(self.width, kind)), low)),
        }
    }

    /// To a width that is not smaller.
    pub fn zero_extend(self, width: usize) -> Self {
        if width == self.width {
            return self;
        }
        match self.kind {
            ExprKind::Literal(v) => Self::literal(width, v),
            ExprKind::ZeroExtend(inner) => Self::new(width, ExprKind::ZeroExtend(inner)),
            kind => Self::new(width, ExprKind::ZeroExtend(Box::new(Self::new(self.width, kind)))),
        }
    }

    /// Low bits, or zeros above.
    pub fn resize(self, width: usize) -> Self {
        self.slice(0, width)
    }

    /// Low bits, or copies of the top bit above.
    pub fn sign_resize(self, width: usize) -> Self {
        if width <= self.width {
            return self.slice(0, width);
        }
        Self::new(width, ExprKind::SignExtend(Box::new(self)))
    }

    /// `width` bits from a variable position; positions past the end read as zero.
    pub fn slice_at(self, position: Self, width: usize) -> Self {
        if let Some(low) = position.as_literal() {
            return self.slice(usize::try_from(low).unwrap_or(usize::MAX), width);
        }
        let index = index_width(self.width);
        let inside = position.width <= index && (1 << position.width) - 1 + width <= self.width;
        if inside {
            let position = position.zero_extend(index);
            return Self::new(width, ExprKind::SliceAt(Box::new(self), Box::new(position)));
        }
        Self::shift(Shift::Right, self, position).resize(width)
    }

    /// The bit at a position that must exist.
    pub fn bit_at(self, position: Self) -> Self {
        if let Some(low) = position.as_literal() {
            return self.slice(usize::try_from(low).unwrap_or(usize::MAX), 1);
        }
        if self.width == 1 {
            return self;
        }
        let position = position.resize(index_width(self.width));
        Self::new(1, ExprKind::Bit(Box::new(self), Box::new(position)))
    }

    pub fn replace_bit(self, position: Self, bit: Self) -> Self {
        Self::new(self.width, ExprKind::ReplaceBit(Box::new(self), Box::new(position), Box::new(bit)))
    }

    pub fn mux(condition: Self, yes: Self, no: Self) -> Self {
        match condition.as_literal() {
            Some(v) if *v == BigUint::ZERO => no,
            Some(_) => yes,
            None => Self::new(yes.width, ExprKind::Mux(Box::new(condition), Box::new(yes), Box::new(no))),
        }
    }

    /// The direct operands.
    pub fn operands(&self) -> Vec<&Expr> {
        use ExprKind::*;
        match &self.kind {
            Literal(_) | Constant(_) | Signal(_) => vec![],
            Not(a) | Negate(a) | Reduce(_, a) | Slice(a, _) | ZeroExtend(a) | SignExtend(a) => vec![a],
            Binary(_, a, b) | Compare(_, a, b) | Shift(_, a, b) | SliceAt(a, b) | Bit(a, b) => vec![a, b],
            ReplaceBit(a, b, c) | Mux(a, b, c) => vec![a, b, c],
            Concat(parts) => parts.iter().collect(),
        }
    }

    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        use ExprKind::*;
        match &mut self.kind {
            Literal(_) | Constant(_) | Signal(_) => vec![],
            Not(a) | Negate(a) | Reduce(_, a) | Slice(a, _) | ZeroExtend(a) | SignExtend(a) => vec![a],
            Binary(_, a, b) | Compare(_, a, b) | Shift(_, a, b) | SliceAt(a, b) | Bit(a, b) => vec![a, b],
            ReplaceBit(a, b, c) | Mux(a, b, c) => vec![a, b, c],
            Concat(parts) => parts.iter_mut().collect(),
        }
    }

    /// Every node, this one first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        for operand in self.operands() {
            operand.walk(f);
        }
    }

    /// Every node, operands first.
    pub fn walk_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        for operand in self.operands_mut() {
            operand.walk_mut(f);
        }
        f(self);
    }

    /// The signals that the value depends on, each as often as it occurs.
    pub fn signals(&self) -> Vec<SignalId> {
        let mut found = Vec::new();
        self.walk(&mut |e| found.extend(e.as_signal()));
        found
    }

    /// Every read of `from` becomes a read of `to`, which has the same width.
    pub fn rename(&mut self, from: SignalId, to: SignalId) {
        self.walk_mut(&mut |e| {
            if e.kind == ExprKind::Signal(from) {
                e.kind = ExprKind::Signal(to);
            }
        });
    }
}
