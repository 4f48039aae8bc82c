//! The sender's own window: its length, and the steps that it slides in.
//!
//! The start moves in multiples of `slide_step` from the initial PSN on. The right edge never moves back: a shorter window takes effect as
//! the base advances. What the receiver and congestion control allow holds besides.

use crate::bitmap::{Demand, psn, target_segments};
use crate::paths::constrained::demand;
use crate::paths::{Fault, SenderConfig};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    start: u32,
    edge: u32,
    /// packets that it is to have
    length: u32,
    /// what the length is derived from, if from anything
    demand: Option<Demand>,
    is_constrained: bool,
}

impl Window {
    pub fn new(initial: u32, length: u32) -> Window {
        let start = initial % psn::SPACE;
        Window { start, edge: psn::add(start, length), length, demand: None, is_constrained: false }
    }

    /// First packet of the window, and first behind it.
    pub fn span(&self) -> (u32, u32) {
        (self.start, self.edge)
    }

    /// A packet lies before the right edge.
    pub fn allows(&self, number: u32, fault: Option<Fault>) -> bool {
        fault == Some(Fault::SenderLengthIgnored) || psn::before(number, self.edge)
    }

    /// The length follows a demand from now on.
    pub fn follow(&mut self, wanted: Demand, config: &SenderConfig) {
        self.demand = Some(wanted);
        self.resize(config);
    }

    /// The queue pair becomes constrained, or is so no longer.
    pub fn refresh(&mut self, is_constrained: bool, config: &SenderConfig) {
        self.is_constrained = is_constrained;
        self.resize(config);
    }

    fn resize(&mut self, config: &SenderConfig) {
        let Some(wanted) = self.demand else { return };
        let is_less = self.is_constrained && config.fault != Some(Fault::SenderLoadIgnored);
        let (wanted, step) = (demand(wanted, is_less, config.load), config.slide_step);
        self.length = step * target_segments(&wanted, step, config.base_length / step, config.max_length / step);
        self.stretch(config.fault);
    }

    fn stretch(&mut self, fault: Option<Fault>) {
        let edge = psn::add(self.start, self.length);
        if psn::before(self.edge, edge) || fault == Some(Fault::SenderEdgeMovesBack) {
            self.edge = edge;
        }
    }

    /// The first packet that is not acknowledged is `base`.
    pub fn advance(&mut self, base: u32, config: &SenderConfig) {
        let step = if config.fault == Some(Fault::SenderSlideIgnored) { 1 } else { config.slide_step };
        let whole = psn::ahead(self.start, base) / step * step;
        self.start = psn::add(self.start, whole);
        self.stretch(config.fault);
    }
}
