//! Simulation that evaluates what can change: rust-hdl's own `update_all` runs every kernel in every pass.
//!
//! A pass takes over what was written in the pass before (`next` becomes the value) and then runs the kernels that see a change. It is
//! the fixpoint that rust-hdl reaches, by the same steps: a kernel that sees no change would write what it wrote before.
//! `#[derive(Described)]` implements [`Settle`] for every block.

use crate::ports::PortAccess;
use rust_hdl::prelude::*;

/// What a pass is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// The design is new: every kernel runs, in this pass and those that follow until nothing changes.
    New,
    /// Ports were driven, or the pass before changed something.
    #[default]
    Change,
    /// The clock rises, for registers and memories alone. Kernels do nothing with a clock but hand it on, which the first edge, made by
    /// driving the port, has shown: from then on it can stand high, and no kernel runs only because it rose and fell.
    Edge,
}

/// What the passes know of each block of a design: the blocks have numbers, in the order in which a pass comes by.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    blocks: Vec<Activity>,
    next: usize,
    why: Why,
    changed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Activity {
    /// Blocks of the subtree, this one included.
    size: usize,
    /// The kernel ran in the last pass: what it wrote is still to be taken over.
    ran: bool,
    /// Something in the subtree changed in the last pass.
    active: bool,
}

/// A block that a pass is in.
#[derive(Debug)]
pub struct Visit {
    block: usize,
    outside: bool,
    /// The kernel ran in the last pass, or is to be taken as if it had.
    pub ran: bool,
}

impl Pass {
    /// One pass over the design; true if something changed.
    pub fn over(&mut self, design: &mut impl Settle, why: Why) -> bool {
        (self.next, self.why, self.changed) = (0, why, false);
        design.settle(self, true);
        self.changed
    }

    /// A block begins. `None` where nothing can have changed. `written` says that the owner's kernel ran in the last pass.
    #[inline]
    pub fn enter(&mut self, written: bool) -> Option<Visit> {
        let block = self.next;
        self.next += 1;
        if block == self.blocks.len() {
            self.blocks.push(Activity::default());
        }
        let Activity { size, ran, active } = self.blocks[block];
        if !(written || ran || active) && self.why == Why::Change {
            self.next = block + size;
            return None;
        }
        Some(Visit { block, outside: std::mem::take(&mut self.changed), ran: ran || self.why == Why::New })
    }

    /// The clock rises, for registers and memories alone.
    #[inline]
    pub fn edge(&self) -> bool {
        self.why == Why::Edge
    }

    /// True if the kernel is to run: a signal that it reads has changed.
    #[inline]
    pub fn runs(&self, changed: bool) -> bool {
        changed || self.why == Why::New
    }

    /// The block ends.
    #[inline]
    pub fn leave(&mut self, visit: Visit, ran: bool) {
        self.blocks[visit.block] = Activity { size: self.next - visit.block, ran, active: self.changed };
        self.changed |= visit.outside;
    }
}

/// A part of a design, as the passes see it.
pub trait Settle: crate::signals::Signals {
    /// Takes over what was written and runs the kernels that see a change. `written` says that the owner's kernel ran in the last
    /// pass. True if a port changed, which the owner's kernel may read: an input too.
    fn settle(&mut self, pass: &mut Pass, written: bool) -> bool;

    /// Ports of its owner that a field is: those of a bundle. They settle as the owner's own signals do.
    const PORTS: usize = 0;
    /// Their names in the bundle.
    fn bundle_names() -> &'static [&'static str]
    where
        Self: Sized,
    {
        &[]
    }
    /// One of them.
    fn bundle_port(&self, _: usize) -> Option<&dyn PortAccess> {
        None
    }
    /// The same, to drive it.
    fn bundle_port_mut(&mut self, _: usize) -> Option<&mut dyn PortAccess> {
        None
    }
}

impl<D: Direction, T: Synth> Settle for Signal<D, T> {
    #[inline]
    fn settle(&mut self, pass: &mut Pass, _: bool) -> bool {
        self.update_all();
        pass.changed |= self.changed;
        self.changed
    }
}

impl<T: Synth> Settle for Constant<T> {
    #[inline]
    fn settle(&mut self, _: &mut Pass, _: bool) -> bool {
        false
    }
}

impl<T: Settle> Settle for Vec<T> {
    #[inline]
    fn settle(&mut self, pass: &mut Pass, written: bool) -> bool {
        self.as_mut_slice().settle(pass, written)
    }
}

impl<T: Settle, const LENGTH: usize> Settle for [T; LENGTH] {
    #[inline]
    fn settle(&mut self, pass: &mut Pass, written: bool) -> bool {
        self.as_mut_slice().settle(pass, written)
    }
}

impl<T: Settle> Settle for [T] {
    #[inline]
    fn settle(&mut self, pass: &mut Pass, written: bool) -> bool {
        let mut changed = false;
        for element in self {
            changed |= element.settle(pass, written);
        }
        changed
    }
}

/// `Settle` and `Signals` of a register or memory, which is written by hand: clock, the other inputs, output.
macro_rules! leaf {
    ([$($generics:tt)*] $block:ty, $clock:ident $($input:ident)* => $output:ident) => {
        impl<$($generics)*> $crate::settle::Settle for $block {
            #[inline]
            fn settle(&mut self, pass: &mut $crate::settle::Pass, written: bool) -> bool {
                if pass.edge() {
                    self.$clock.changed = true;
                    self.update();
                    self.$clock.changed = false;
                    // At once: only kernels look at it, and each sees its own registers after this.
                    return self.$output.settle(pass, true);
                }
                if !(written || self.$clock.changed || self.$output.changed $(|| self.$input.changed)*) {
                    return false;
                }
                let mut changed = self.$clock.settle(pass, true);
                $(changed |= self.$input.settle(pass, true);)*
                let port = changed | self.$output.settle(pass, true);
                if pass.runs(changed) {
                    self.update();
                }
                port
            }
        }

        impl<$($generics)*> $crate::signals::Signals for $block {
            fn signals(&self, name: &str, probe: &mut dyn Probe) {
                $crate::signals::scope(name, probe, |probe| {
                    probe.visit_atom(stringify!($clock), &self.$clock);
                    $(probe.visit_atom(stringify!($input), &self.$input);)*
                    probe.visit_atom(stringify!($output), &self.$output);
                });
            }
        }
    };
}
pub(crate) use leaf;
