//! Connections that are the same in every block, and that no kernel writes: clock and reset of what a block is made of, the hold of its
//! registers, and what reset does to them.
//!
//! `#[derive(Described)]` knows the fields, `#[kernel]` knows the statements; both meet here. What a kernel assigns itself stays as it
//! says. It is no block and has no bench: `gen/tests/wiring.rs` holds each rule, and the bench of every block runs with it.
//!
//! | field | gets |
//! | --- | --- |
//! | `Reg<T>` | the block's `clk`; holds its value where the kernel does not assign `d` |
//! | `State<T>` | the same; `rst` makes it `T::default()`, whatever the kernel assigns |
//! | a block or a memory | the block's `clk` and `rst`, where it has ports of these names |

use rust_hdl::prelude::ast::{VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLiteral, VerilogStatement};
use rust_hdl::prelude::*;

/// What an owner connects without saying so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A clock input, by its place in the owner's tree: `fifo$clk`.
    Clock(String),
    /// A reset input.
    Reset(String),
    /// A register, which takes `q` where nothing else is assigned.
    Hold(String),
}

/// Something that a block is made of.
pub trait Part {
    /// Drives clock and reset, as the owner's kernel runs; a register is given its own value. An owner without a reset has `None`.
    fn wire(&mut self, clk: Clock, rst: Option<bool>);
    /// Tells rust-hdl that these inputs are driven.
    fn claim(&mut self, reset: bool);
    /// What `wire` drives.
    fn wires(&self, name: &str, reset: bool, wires: &mut Vec<Wire>);
}

/// A register that reset clears.
pub trait Cleared {
    /// Its next value is the default one.
    fn clear(&mut self);
    /// Where that is assigned, and the value.
    fn cleared(&self, name: &str, values: &mut Vec<(String, VerilogLiteral)>);
}

/// A block, as one that has parts.
pub trait Owner {
    /// Before the kernel.
    fn before(&mut self);
    /// After the kernel.
    fn after(&mut self);
    /// Claims what `before` and `after` drive.
    fn claim_parts(&mut self);
    /// Name of the clock, and what `before` drives.
    fn parts(&self) -> Option<(&'static str, Vec<Wire>)>;
    /// The signal that resets, and what `after` assigns then.
    fn reset(&self) -> Option<(&'static str, Vec<(String, VerilogLiteral)>)>;
}

impl<T: Part> Part for [T] {
    fn wire(&mut self, clk: Clock, rst: Option<bool>) {
        self.iter_mut().for_each(|part| part.wire(clk, rst));
    }
    fn claim(&mut self, reset: bool) {
        self.iter_mut().for_each(|part| part.claim(reset));
    }
    fn wires(&self, name: &str, reset: bool, wires: &mut Vec<Wire>) {
        self.iter().enumerate().for_each(|(i, part)| part.wires(&format!("{name}[{i}]"), reset, wires));
    }
}

impl<T: Cleared> Cleared for [T] {
    fn clear(&mut self) {
        self.iter_mut().for_each(Cleared::clear);
    }
    fn cleared(&self, name: &str, values: &mut Vec<(String, VerilogLiteral)>) {
        self.iter().enumerate().for_each(|(i, part)| part.cleared(&format!("{name}[{i}]"), values));
    }
}

impl<T: Part, const LENGTH: usize> Part for [T; LENGTH] {
    fn wire(&mut self, clk: Clock, rst: Option<bool>) {
        self.as_mut_slice().wire(clk, rst);
    }
    fn claim(&mut self, reset: bool) {
        self.as_mut_slice().claim(reset);
    }
    fn wires(&self, name: &str, reset: bool, wires: &mut Vec<Wire>) {
        self.as_slice().wires(name, reset, wires);
    }
}

impl<T: Part> Part for Vec<T> {
    fn wire(&mut self, clk: Clock, rst: Option<bool>) {
        self.as_mut_slice().wire(clk, rst);
    }
    fn claim(&mut self, reset: bool) {
        self.as_mut_slice().claim(reset);
    }
    fn wires(&self, name: &str, reset: bool, wires: &mut Vec<Wire>) {
        self.as_slice().wires(name, reset, wires);
    }
}

impl<T: Cleared, const LENGTH: usize> Cleared for [T; LENGTH] {
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }
    fn cleared(&self, name: &str, values: &mut Vec<(String, VerilogLiteral)>) {
        self.as_slice().cleared(name, values);
    }
}

impl<T: Cleared> Cleared for Vec<T> {
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }
    fn cleared(&self, name: &str, values: &mut Vec<(String, VerilogLiteral)>) {
        self.as_slice().cleared(name, values);
    }
}

impl<T: Synth> Part for Constant<T> {
    fn wire(&mut self, _: Clock, _: Option<bool>) {}
    fn claim(&mut self, _: bool) {}
    fn wires(&self, _: &str, _: bool, _: &mut Vec<Wire>) {}
}

/// `Part` of a register.
macro_rules! register {
    ($register:ident) => {
        impl<T: Synth> $crate::wiring::Part for $register<T> {
            #[inline]
            fn wire(&mut self, clk: Clock, _: Option<bool>) {
                self.clock.next = clk;
                self.d.next = self.q.val();
            }
            fn claim(&mut self, _: bool) {
                self.clock.connect();
                self.d.connect();
            }
            fn wires(&self, name: &str, _: bool, wires: &mut Vec<$crate::wiring::Wire>) {
                wires.push($crate::wiring::Wire::Clock(format!("{name}$clock")));
                wires.push($crate::wiring::Wire::Hold(name.into()));
            }
        }

        impl<T: Synth> $crate::wiring::Cleared for $register<T> {
            #[inline]
            fn clear(&mut self) {
                self.d.next = T::default();
            }
            fn cleared(&self, name: &str, values: &mut Vec<(String, rust_hdl::prelude::ast::VerilogLiteral)>) {
                values.push((name.into(), T::default().verilog()));
            }
        }
    };
}
pub(crate) use register;

/// `Part` of a memory, which has a clock and no reset.
macro_rules! memory {
    ([$($generics:tt)*] $block:ty) => {
        impl<$($generics)*> $crate::wiring::Part for $block {
            #[inline]
            fn wire(&mut self, clk: Clock, _: Option<bool>) {
                self.clk.next = clk;
            }
            fn claim(&mut self, _: bool) {
                self.clk.connect();
            }
            fn wires(&self, name: &str, _: bool, wires: &mut Vec<$crate::wiring::Wire>) {
                wires.push($crate::wiring::Wire::Clock(format!("{name}$clk")));
            }
        }
    };
}
pub(crate) use memory;

/// What a kernel says about places of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// Places that it assigns somewhere, without indices: `row[]$clk`.
    pub assigned: &'a [&'a str],
    /// Places that it assigns in every clock.
    pub always: &'a [&'a str],
}

impl Said<'_> {
    fn holds(list: &[&str], place: &str) -> bool {
        list.contains(&without_indices(place).as_str())
    }
}

/// `row[3]$clk` is `row[]$clk`.
fn without_indices(place: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in place.chars() {
        inside = c == '[' || inside && c != ']';
        if c == '[' || !inside {
            out.push(c);
        }
    }
    out
}

/// The statements in front of a kernel's own, and what reset does behind them.
pub fn statements(owner: &(impl Owner + ?Sized), said: Said) -> (Vec<VerilogStatement>, Option<VerilogConditional>) {
    let signal = |place: &str| VerilogExpression::Signal(place.into());
    let assign = |place: String, value| VerilogStatement::Assignment(VerilogExpression::Signal(place + "$next"), value);
    let reset = owner.reset();
    let mut before = Vec::new();
    if let Some((clock, wires)) = owner.parts() {
        for wire in wires {
            match wire {
                Wire::Clock(place) if !Said::holds(said.assigned, &place) => before.push(assign(place, signal(clock))),
                Wire::Reset(place) if !Said::holds(said.assigned, &place) => {
                    let (reset, _) = reset.as_ref().expect("a block that drives a reset has one");
                    before.push(assign(place, signal(reset)));
                }
                // A register that no statement assigns is a mistake, and is refused as any signal is that nothing drives.
                Wire::Hold(place) => {
                    let next = format!("{place}$d");
                    if Said::holds(said.assigned, &next) && !Said::holds(said.always, &next) {
                        before.push(assign(next, signal(&format!("{place}$q"))));
                    }
                }
                _ => {}
            }
        }
    }
    let after = reset.filter(|(_, values)| !values.is_empty()).map(|(reset, values)| {
        let then = values.into_iter().map(|(place, value)| assign(format!("{place}$d"), VerilogExpression::Literal(value))).collect();
        VerilogConditional { test: signal(reset), then, otherwise: VerilogBlockOrConditional::None }
    });
    (before, after)
}
