//! The syntax trees of kernels, as `#[kernel]` writes them down.

use crate::wiring::{Owner, Said, statements};
use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogLink, VerilogLiteral, VerilogLoop,
    VerilogMatch, VerilogOp, VerilogOpUnary, VerilogStatement,
};
use rust_hdl::prelude::{LogicJoin, LogicLink, Verilog};

/// A kernel, or a part of one, as the macro writes it down.
pub struct Kernel {
    /// Places that it assigns somewhere, see [`Said`].
    pub assigned: &'static [&'static str],
    /// Places that it assigns in every clock.
    pub always: &'static [&'static str],
    /// Its statements.
    pub text: &'static str,
    /// What expressions name: in the tree their values stand.
    pub constants: Vec<(&'static str, u64)>,
    /// What the text refers to by position.
    pub numbers: Vec<u64>,
    /// Bundles that it connects, by position.
    pub links: Vec<Links>,
    /// Parts that it calls, by position.
    pub parts: Vec<Kernel>,
}

impl Kernel {
    fn places(&self, list: fn(&Kernel) -> &'static [&'static str]) -> Vec<&'static str> {
        list(self).iter().copied().chain(self.parts.iter().flat_map(|part| part.places(list))).collect()
    }

    fn statements(self) -> VerilogBlock {
        let Kernel { text, constants, numbers, links, parts, .. } = self;
        let parts = parts.into_iter().map(Kernel::statements).collect();
        Tree { words: text.split(' '), constants: &constants, numbers: &numbers, links, parts }.block()
    }
}

/// rust-hdl's tree of a kernel, with what every block says between.
///
/// # Panics
/// A text that the macro does not write.
#[must_use]
pub fn verilog(owner: &(impl Owner + ?Sized), kernel: Kernel) -> Verilog {
    let (assigned, always) = (kernel.places(|part| part.assigned), kernel.places(|part| part.always));
    let (mut statements, reset) = statements(owner, Said { assigned: &assigned, always: &always });
    statements.extend(kernel.statements());
    match (reset, statements.last_mut()) {
        (None, _) => {}
        // One reset, where the kernel ends with values of its own for it.
        (Some(reset), Some(VerilogStatement::If(own))) if is_reset(own, &reset) => own.then.extend(reset.then),
        (Some(reset), _) => statements.push(VerilogStatement::If(reset)),
    }
    Verilog::Combinatorial(statements)
}

/// An `if` without `else` on the signal that resets.
fn is_reset(own: &VerilogConditional, reset: &VerilogConditional) -> bool {
    let same = matches!((&own.test, &reset.test), (VerilogExpression::Signal(a), VerilogExpression::Signal(b)) if a == b);
    same && matches!(own.otherwise, VerilogBlockOrConditional::None)
}

/// The links of a bundle, and the names of those of its signals that `gate` shuts.
pub type Links = (Vec<VerilogLink>, &'static [&'static str]);

/// A bundle of which `gate` shuts some signals.
pub trait Gate {
    /// Their names.
    fn gated() -> &'static [&'static str];
}

/// What `B::link` connects.
#[must_use]
pub fn link<B: LogicLink>(_: &B, this: &str, that: &str) -> Links {
    (B::link_hdl("", this, that), &[])
}

/// What `B::join` connects.
#[must_use]
pub fn join<B: LogicJoin>(_: &B, this: &str, that: &str) -> Links {
    (B::join_hdl("", this, that), &[])
}

/// What `B::gate` connects.
#[must_use]
pub fn gate<B: LogicLink + Gate>(_: &B, this: &str, that: &str) -> Links {
    (B::link_hdl("", this, that), B::gated())
}

fn signal_of(link: &VerilogLink) -> &str {
    let (VerilogLink::Forward(l) | VerilogLink::Backward(l) | VerilogLink::Bidirectional(l)) = link;
    l.my_name.trim_start_matches('.')
}

/// What a link assigns, and what to.
fn ends(link: VerilogLink) -> (VerilogExpression, VerilogExpression) {
    let (VerilogLink::Forward(l) | VerilogLink::Backward(l) | VerilogLink::Bidirectional(l)) = &link;
    let signal = |owner: &str| VerilogExpression::Signal(format!("{owner}${}", l.my_name.trim_start_matches('.')));
    let (mine, other) = (signal(&l.owner_name), signal(&l.other_name));
    if matches!(link, VerilogLink::Forward(_)) { (other, mine) } else { (mine, other) }
}

struct Tree<'a> {
    words: std::str::Split<'a, char>,
    constants: &'a [(&'a str, u64)],
    numbers: &'a [u64],
    links: Vec<Links>,
    parts: Vec<VerilogBlock>,
}

impl<'a> Tree<'a> {
    fn word(&mut self) -> &'a str {
        self.words.next().expect("a word")
    }

    fn number(&mut self) -> u64 {
        let word = self.word();
        match word.strip_prefix('@') {
            Some(slot) => self.numbers[slot.parse::<usize>().expect("a position")],
            None => word.parse().expect("a number"),
        }
    }

    /// A name with the values of the constants that stand in its indices.
    fn place(&self, word: &str) -> String {
        if !word.contains('[') {
            return word.into();
        }
        let mut out = String::new();
        let mut rest = word;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let end = rest[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(rest.len(), |end| start + end);
            let name = &rest[start..end];
            out.push_str(&rest[..start]);
            match self.constants.iter().find(|(constant, _)| *constant == name) {
                Some((_, value)) => out.push_str(&value.to_string()),
                None => out.push_str(name),
            }
            rest = &rest[end..];
        }
        out + rest
    }

    fn block(&mut self) -> VerilogBlock {
        (0..self.number()).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> VerilogStatement {
        match self.word() {
            "=" => VerilogStatement::Assignment(self.signal(), self.value()),
            "[" => {
                let base = self.signal();
                VerilogStatement::SliceAssignment { base, width: self.number() as usize, offset: self.value(), replacement: self.value() }
            }
            "?" => VerilogStatement::If(self.conditional()),
            "m" => {
                let test = self.value();
                let arm = |tree: &mut Self| VerilogCase { condition: tree.word().into(), block: tree.block() };
                VerilogStatement::Match(VerilogMatch { test, cases: (0..self.number()).map(|_| arm(self)).collect() })
            }
            "l" => VerilogStatement::Loop(VerilogLoop {
                index: self.word().into(),
                from: self.number().into(),
                to: self.number().into(),
                block: self.block(),
            }),
            "k" => {
                let position = self.number() as usize;
                VerilogStatement::Link(std::mem::take(&mut self.links[position]).0)
            }
            "g" => {
                let position = self.number() as usize;
                let (links, gated) = std::mem::take(&mut self.links[position]);
                let open = self.value();
                let (gated, plain): (Vec<_>, Vec<_>) = links.into_iter().partition(|link| gated.contains(&signal_of(link)));
                let shut = |link| {
                    let (target, source) = ends(link);
                    let value = VerilogExpression::Binary(Box::new(source), VerilogOp::LogicalAnd, Box::new(open.clone()));
                    VerilogStatement::Assignment(target, value)
                };
                VerilogStatement::Macro(gated.into_iter().map(shut).chain([VerilogStatement::Link(plain)]).collect())
            }
            "p" => VerilogStatement::Macro(self.block()),
            "c" => {
                let position = self.number() as usize;
                VerilogStatement::Macro(std::mem::take(&mut self.parts[position]))
            }
            other => panic!("no statement begins with `{other}`"),
        }
    }

    fn conditional(&mut self) -> VerilogConditional {
        let (test, then) = (self.value(), self.block());
        let otherwise = match self.word() {
            "." => VerilogBlockOrConditional::None,
            "{" => VerilogBlockOrConditional::Block(self.block()),
            _ => VerilogBlockOrConditional::Conditional(Box::new(VerilogStatement::If(self.conditional()))),
        };
        VerilogConditional { test, then, otherwise }
    }

    fn signal(&mut self) -> VerilogExpression {
        let word = self.word();
        VerilogExpression::Signal(self.place(word))
    }

    fn operand(&mut self) -> Box<VerilogExpression> {
        Box::new(self.value())
    }

    fn value(&mut self) -> VerilogExpression {
        use VerilogExpression::*;
        let binary = |tree: &mut Self, operator| Binary(tree.operand(), operator, tree.operand());
        match self.word() {
            "$" => {
                let word = self.word();
                match self.constants.iter().find(|(constant, _)| *constant == word) {
                    Some((_, value)) => Literal((*value).into()),
                    None => Signal(self.place(word)),
                }
            }
            "#" => Literal(self.literal()),
            "(" => Paren(self.operand()),
            "!" => Unary(VerilogOpUnary::Not, self.operand()),
            "-" => Unary(VerilogOpUnary::Neg, self.operand()),
            "all" => Unary(VerilogOpUnary::All, self.operand()),
            "any" => Unary(VerilogOpUnary::Any, self.operand()),
            "xor" => Unary(VerilogOpUnary::Xor, self.operand()),
            "signed" => Signed(self.operand()),
            "unsigned" => Unsigned(self.operand()),
            "-2" => binary(self, VerilogOp::Sub),
            "+" => binary(self, VerilogOp::Add),
            "*" => binary(self, VerilogOp::Mul),
            "&&" => binary(self, VerilogOp::LogicalAnd),
            "||" => binary(self, VerilogOp::LogicalOr),
            "^" => binary(self, VerilogOp::BitXor),
            "&" => binary(self, VerilogOp::BitAnd),
            "|" => binary(self, VerilogOp::BitOr),
            "<<" => binary(self, VerilogOp::Shl),
            ">>" => binary(self, VerilogOp::Shr),
            "==" => binary(self, VerilogOp::Eq),
            "!=" => binary(self, VerilogOp::Ne),
            "<" => binary(self, VerilogOp::Lt),
            "<=" => binary(self, VerilogOp::Le),
            ">" => binary(self, VerilogOp::Gt),
            ">=" => binary(self, VerilogOp::Ge),
            "cast" => {
                let width = self.number() as usize;
                Cast(self.operand(), width)
            }
            "slice" => {
                let width = self.number() as usize;
                Slice(self.operand(), width, self.operand())
            }
            "bit" => Index(self.operand(), self.operand()),
            "put" => IndexReplace(self.operand(), self.operand(), self.operand()),
            other => panic!("no expression begins with `{other}`"),
        }
    }

    fn literal(&mut self) -> VerilogLiteral {
        let word = self.word();
        if let Some(position) = word.strip_prefix('@') {
            return self.numbers[position.parse::<usize>().expect("a position")].into();
        }
        let (digits, suffix) = word.split_at(word.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(word.len()));
        let number = || digits.parse::<u64>().expect("a literal of 64 bits");
        match (digits, suffix) {
            ("", truth) => (truth == "true").into(),
            // As Rust has it: an integer without a type is an `i32` where it fits.
            (_, "" | "i32") => i32::try_from(number()).map_or_else(|_| number().into(), Into::into),
            (_, "u8") => (number() as u8).into(),
            (_, "u16") => (number() as u16).into(),
            (_, "u32") => (number() as u32).into(),
            (_, _) => number().into(),
        }
    }
}
