//! Why a design cannot be written as Verilog.

/// A refused design: where, and what to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {block}: {what}")]
pub struct Error {
    /// Rust type of the block.
    pub block: String,
    /// Source file and line of that type.
    pub file: String,
    pub line: u32,
    pub what: What,
}

/// What is wrong with the block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum What {
    #[error("{signal} keeps its old value on some path: that is a latch. Assign it once before the first `if` or `match`")]
    Latch { signal: String },
    #[error("{signal} is never assigned. Assign it, or remove the field")]
    Unassigned { signal: String },
    #[error("{name}: there is no such signal, constant, loop variable or const generic in this block")]
    Unknown { name: String },
    #[error("{signal} cannot be assigned here: it is {role}")]
    NotAssignable { signal: String, role: &'static str },
    #[error(
        "{signal} is read where only some of the paths before have assigned it, and assigned again later. Assign it before the read on every path, or use a second signal"
    )]
    EarlyRead { signal: String },
    #[error("combinational loop through {}", signals.join(", "))]
    Loop { signals: Vec<String> },
    #[error("loop variable {name} has the name of a field: a kernel cannot tell them apart. Rename it")]
    Shadowed { name: String },
    #[error("index in {name}: {reason}")]
    Index { name: String, reason: String },
    #[error("the width of {expression} does not follow from what stands around it. Give it one: bits::<N>(..)")]
    UnknownWidth { expression: String },
    #[error("{expression} has {found} bits where {expected} are expected")]
    Width { expression: String, found: usize, expected: usize },
    #[error("{value} does not fit into {width} bits")]
    TooBig { value: String, width: usize },
    #[error("a shift by {width} bits of amount: rust-hdl converts the amount to 64 bits. Slice it first")]
    WideAmount { width: usize },
    #[error("match pattern {pattern}: only literals, enum variants and `_` can be matched")]
    Pattern { pattern: String },
    #[error("two ports would be called {name}")]
    DuplicateName { name: String },
    #[error(
        "two blocks would be the module {name} and have different contents. Say what differs in a const generic or in a field \
         `#[variant] _word: usize`"
    )]
    SameName { name: String },
    #[error("{signal} has no bits")]
    NoBits { signal: String },
    #[error("the value of {signal} needs an intermediate result that depends on {signal} itself. Compute it in a signal of its own")]
    Intermediate { signal: String },
    #[error("{what} cannot be written as Verilog. {instead}")]
    Unsupported { what: String, instead: &'static str },
    #[error("an elaborated block does not agree with itself ({detail}): please report it with the block")]
    Internal { detail: String },
}
