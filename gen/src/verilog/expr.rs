//! Expressions as text.
//!
//! Every operand stands in a context of its own width, so Verilog's rule that a context widens its operands changes nothing. What
//! Verilog can select bits of is a name; anything else gets a name first: an intermediate net.

use super::body::filled;
use super::sizes::Sizes;
use crate::ir::{Binary, Compare, Expr, ExprKind, Module, Reduce, Shift};
use num_bigint::BigUint;

/// How tightly the text of an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Conditional,
    Operator(&'static str),
    Unary,
    Primary,
}

/// The subexpressions that need a name of their own, in the order in which they must be declared.
pub fn intermediates<'a>(module: &Module, expr: &'a Expr) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    collect(module, expr, &mut found);
    found
}

fn collect<'a>(module: &Module, expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    for operand in expr.operands() {
        collect(module, operand, found);
    }
    let selected = match &expr.kind {
        ExprKind::Slice(value, _) | ExprKind::SliceAt(value, _) | ExprKind::Bit(value, _) | ExprKind::SignExtend(value) => value,
        _ => return,
    };
    let named = match selected.kind {
        // Some signals of a loop are selections themselves.
        ExprKind::Signal(id) => !module.signal(id).name.ends_with(']'),
        ExprKind::Constant(_) => true,
        _ => false,
    };
    if !named && !found.contains(&selected.as_ref()) {
        found.push(selected);
    }
}

/// Writes expressions of one module. `named` are the intermediates that have a name by now.
pub struct Writer<'a> {
    pub module: &'a Module,
    pub sizes: &'a Sizes,
    pub named: Vec<(Expr, String)>,
}

impl Writer<'_> {
    pub fn text(&self, expr: &Expr) -> String {
        let text = self.bonded(expr).0;
        match &expr.kind {
            // Alone it cannot be misread.
            ExprKind::Reduce(..) if self.name_of(expr).is_none() => text[1..text.len() - 1].to_string(),
            _ => text,
        }
    }

    /// Lines of an expression, broken at its outermost operator if it is longer than `room`.
    pub fn lines(&self, expr: &Expr, room: usize) -> Vec<String> {
        let whole = self.text(expr);
        if whole.len() <= room || self.name_of(expr).is_some() {
            return vec![whole];
        }
        match &expr.kind {
            ExprKind::Binary(op, _, _) if associative(*op) => {
                let mut parts = Vec::new();
                chain(expr, *op, &mut parts);
                let sign = binary_sign(*op);
                let mut lines = Vec::new();
                for (i, part) in parts.into_iter().enumerate() {
                    let text = self.operand(part, Bond::Operator(sign));
                    lines.push(if i == 0 { text } else { format!("{sign} {text}") });
                }
                lines
            }
            ExprKind::Mux(condition, yes, no) => {
                let condition = self.operand(condition, Bond::Conditional);
                vec![condition, format!("? {}", self.operand(yes, Bond::Conditional)), format!(": {}", self.operand(no, Bond::Conditional))]
            }
            ExprKind::Concat(parts) => {
                let last = parts.len() - 1;
                let end = |i: usize| if i < last { "," } else { "}" };
                let texts: Vec<String> = parts.iter().enumerate().map(|(i, p)| format!("{}{}", self.text(p), end(i))).collect();
                let mut lines = filled(&texts, " ");
                lines.iter_mut().enumerate().for_each(|(i, line)| line.insert(0, if i == 0 { '{' } else { ' ' }));
                lines
            }
            _ => vec![whole],
        }
    }

    fn name_of(&self, expr: &Expr) -> Option<&str> {
        self.named.iter().find(|(e, _)| e == expr).map(|(_, name)| name.as_str())
    }

    /// Text, in parentheses unless it holds together in an operator of strength `outer`.
    fn operand(&self, expr: &Expr, outer: Bond) -> String {
        let (text, bond) = self.bonded(expr);
        let holds = match bond {
            Bond::Primary => true,
            Bond::Unary => outer != Bond::Unary,
            Bond::Operator(sign) => matches!(outer, Bond::Operator(other) if sign == other && "+&|^&&||".contains(sign)),
            Bond::Conditional => false,
        };
        if holds { text } else { format!("({text})") }
    }

    fn bonded(&self, expr: &Expr) -> (String, Bond) {
        if let Some(name) = self.name_of(expr) {
            return (name.to_string(), Bond::Primary);
        }
        let primary = |text: String| (text, Bond::Primary);
        let infix = |left: &Expr, sign: &'static str, right: &Expr| {
            let bond = Bond::Operator(sign);
            // A difference is not associative: its right side keeps its parentheses, and so does its left in a sum.
            (format!("{} {sign} {}", self.operand(left, bond), self.operand(right, bond)), bond)
        };
        match &expr.kind {
            ExprKind::Literal(value) => primary(self.sizes.literal(value, expr.width)),
            ExprKind::Constant(i) => primary(self.module.constants[*i].name.clone()),
            ExprKind::Signal(id) => primary(self.module.signal(*id).name.clone()),
            ExprKind::Not(a) => {
                let sign = if expr.width == 1 { "!" } else { "~" };
                (format!("{sign}{}", self.operand(a, Bond::Unary)), Bond::Unary)
            }
            ExprKind::Negate(a) => (format!("-{}", self.operand(a, Bond::Unary)), Bond::Unary),
            ExprKind::Reduce(op, a) => {
                let sign = match op {
                    Reduce::And => "&",
                    Reduce::Or => "|",
                    Reduce::Xor => "^",
                };
                let inner = self.operand(a, Bond::Unary);
                // `a & &b` is easily misread.
                (format!("({sign}{inner})"), Bond::Primary)
            }
            ExprKind::Binary(op, a, b) => infix(a, binary_sign(*op), b),
            ExprKind::Compare(op, a, b) => {
                let sign = compare_sign(*op);
                if is_signed(*op) {
                    let text = format!("$signed({}) {sign} $signed({})", self.text(a), self.text(b));
                    return (text, Bond::Operator(sign));
                }
                infix(a, sign, b)
            }
            ExprKind::Shift(op, a, b) => {
                let sign = if *op == Shift::Left { "<<" } else { ">>" };
                let bond = Bond::Operator(sign);
                let amount = b.as_literal().map_or_else(|| self.operand(b, bond), BigUint::to_string);
                (format!("{} {sign} {amount}", self.operand(a, bond)), bond)
            }
            ExprKind::Slice(a, low) => primary(self.select(a, *low, expr.width)),
            ExprKind::SliceAt(a, position) => {
                primary(format!("{}[{} +: {}]", self.text(a), self.text(position), self.sizes.number(expr.width)))
            }
            ExprKind::Bit(a, position) => primary(format!("{}[{}]", self.text(a), self.text(position))),
            ExprKind::ReplaceBit(a, position, bit) => self.bonded(&replaced(a, position, bit)),
            ExprKind::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.text(p)).collect();
                primary(format!("{{{}}}", parts.join(", ")))
            }
            ExprKind::ZeroExtend(a) => {
                primary(format!("{{{}, {}}}", self.sizes.literal(&BigUint::ZERO, expr.width - a.width), self.text(a)))
            }
            ExprKind::SignExtend(a) => {
                let sign = if a.width == 1 { self.text(a) } else { self.select(a, a.width - 1, 1) };
                primary(format!("{{{{{}{{{sign}}}}}, {}}}", self.sizes.times(expr.width - a.width), self.text(a)))
            }
            ExprKind::Mux(c, a, b) => {
                let outer = Bond::Conditional;
                let text = format!("{} ? {} : {}", self.operand(c, outer), self.operand(a, outer), self.operand(b, outer));
                (text, Bond::Conditional)
            }
        }
    }

    fn select(&self, value: &Expr, low: usize, width: usize) -> String {
        match width {
            1 => format!("{}[{}]", self.text(value), self.sizes.number(low)),
            _ => format!("{}[{}:{}]", self.text(value), self.sizes.number(low + width - 1), self.sizes.number(low)),
        }
    }
}

/// A bit replaced, said with what Verilog has.
fn replaced(value: &Expr, position: &Expr, bit: &Expr) -> Expr {
    let width = value.width;
    let at = |e: Expr| Expr::shift(Shift::Left, e, position.clone());
    let cleared = Expr::binary(Binary::And, value.clone(), at(Expr::literal(width, 1u8)).complement());
    Expr::binary(Binary::Or, cleared, at(bit.clone().zero_extend(width)))
}

fn associative(op: Binary) -> bool {
    !matches!(op, Binary::Sub)
}

fn chain<'a>(expr: &'a Expr, op: Binary, parts: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Binary(inner, a, b) if *inner == op => {
            chain(a, op, parts);
            chain(b, op, parts);
        }
        _ => parts.push(expr),
    }
}

fn binary_sign(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::LogicalAnd => "&&",
        Binary::LogicalOr => "||",
    }
}

fn compare_sign(op: Compare) -> &'static str {
    match op {
        Compare::Equal => "==",
        Compare::NotEqual => "!=",
        Compare::Less | Compare::SignedLess => "<",
        Compare::LessEqual | Compare::SignedLessEqual => "<=",
        Compare::Greater | Compare::SignedGreater => ">",
        Compare::GreaterEqual | Compare::SignedGreaterEqual => ">=",
    }
}

fn is_signed(op: Compare) -> bool {
    matches!(op, Compare::SignedLess | Compare::SignedLessEqual | Compare::SignedGreater | Compare::SignedGreaterEqual)
}
