//! A look at every signal of a design, without its kernels.
//!
//! rust-hdl's own visit, `Block::accept`, hands out each block as a whole. Whoever calls it has the compiler make the syntax tree of every
//! kernel as well, which is most of what the code of a block is. `#[derive(Described)]` implements [`Signals`] for every block.

use rust_hdl::prelude::*;

/// A part of a design, as a probe sees it.
pub trait Signals {
    /// Shows the probe all signals from here on down, in the order of `Block::accept`, under its names. The blocks that it gets are empty.
    fn signals(&self, name: &str, probe: &mut dyn Probe);
}

/// What a probe is shown in place of a block.
struct Anonymous;

impl Logic for Anonymous {
    fn update(&mut self) {}
}

impl Block for Anonymous {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, _: &str, _: &mut dyn Probe) {}
}

/// A block: `fields` shows what is in it.
pub fn scope(name: &str, probe: &mut dyn Probe, fields: impl FnOnce(&mut dyn Probe)) {
    probe.visit_start_scope(name, &Anonymous);
    fields(probe);
    probe.visit_end_scope(name, &Anonymous);
}

/// A design for functions of rust-hdl that ask for a block and do no more than visit it.
pub struct Shown<'a>(pub &'a dyn Signals);

impl Logic for Shown<'_> {
    fn update(&mut self) {}
}

impl Block for Shown<'_> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.0.signals(name, probe);
    }
}

impl<D: Direction, T: Synth> Signals for Signal<D, T> {
    fn signals(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

impl<T: Synth> Signals for Constant<T> {
    fn signals(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

impl<T: Signals> Signals for Vec<T> {
    fn signals(&self, name: &str, probe: &mut dyn Probe) {
        self.as_slice().signals(name, probe);
    }
}

impl<T: Signals, const LENGTH: usize> Signals for [T; LENGTH] {
    fn signals(&self, name: &str, probe: &mut dyn Probe) {
        self.as_slice().signals(name, probe);
    }
}

impl<T: Signals> Signals for [T] {
    fn signals(&self, name: &str, probe: &mut dyn Probe) {
        for (i, element) in self.iter().enumerate() {
            element.signals(&format!("{name}${i}"), probe);
        }
    }
}
