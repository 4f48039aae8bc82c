//! Tolerance: which gaps reordering can no longer explain.

use super::gap::Gap;
use super::params::{Config, DepthMode, Params, PathMode};
use super::psn;
use super::window::{NO_PATH, Window};
use crate::paths::Fault;
use std::collections::BTreeSet;

/// Status of a feedback message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    #[default]
    Depth = 0,
    Age = 1,
    Stall = 2,
    Overtaken = 3,
    Repeated = 4,
    Dropped = 5,
}

impl Cause {
    /// All of them; the index is the code on the wire.
    pub const ALL: [Cause; 6] = [Cause::Depth, Cause::Age, Cause::Stall, Cause::Overtaken, Cause::Repeated, Cause::Dropped];

    /// Of the status byte, where it is one.
    pub fn from_code(code: u8) -> Option<Cause> {
        Cause::ALL.get(usize::from(code)).copied()
    }
}

/// Everything that a gap is judged by.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub params: &'a Params,
    pub config: &'a Config,
    pub mode: PathMode,
    pub window: &'a Window,
    pub now: u64,
    /// accepted packets
    pub arrivals: u64,
    /// when the base last moved, and the accepted packets until then
    pub advanced: (u64, u64),
    /// when each path last delivered
    pub paths: &'a [Option<u64>],
    /// when a packet last came by another path than that of its number; empty where nobody tells
    pub strayed: &'a [Option<u64>],
    /// what is wrong on purpose
    pub fault: Option<Fault>,
}

impl View<'_> {
    /// Path of a PSN that both ends know.
    pub fn striped(&self, number: u32) -> Option<u8> {
        let stripes = number / self.config.stripe % u32::from(self.params.paths);
        (self.mode == PathMode::Striped).then_some(stripes as u8)
    }

    /// Paths that have delivered within `path_idle` ticks before now.
    pub fn active(&self) -> u16 {
        self.paths.iter().enumerate().filter(|(_, last)| self.is_recent(last)).fold(0, |mask, (path, _)| mask | 1 << path)
    }

    fn is_recent(&self, last: &Option<u64>) -> bool {
        last.is_some_and(|last| self.now - last <= self.config.path_idle.into())
    }

    /// Numbers of this path may have taken another.
    pub fn strays(&self, path: u8) -> bool {
        self.strayed.get(usize::from(path)).is_some_and(|last| self.is_recent(last))
    }

    /// Paths that the numbers of the missing packets of a gap say; `None`: they need not have taken them, or they say none.
    fn covered(&self, gap: &Gap) -> Option<BTreeSet<u8>> {
        let covered: Option<BTreeSet<u8>> = self.window.missing(gap.start, gap.end).map(|number| self.striped(number)).collect();
        covered.filter(|covered| !covered.iter().any(|&path| self.strays(path)))
    }

    /// Path that is named for the loss of a gap whose first packet is `start`, as far as anybody here can know it.
    pub fn named(&self, start: u32) -> u8 {
        self.striped(start).filter(|&path| !self.strays(path)).unwrap_or(NO_PATH)
    }

    /// Later packets are ahead of the gap because they took another path.
    fn cross_path(&self, gap: &Gap) -> bool {
        let next = self.striped(psn::add(gap.end, 1));
        match (self.mode, self.covered(gap)) {
            (PathMode::Off, _) => false,
            // From end to end every packet of the gap must be on the path that went on: what another path has yet to bring is not lost.
            (PathMode::Striped, Some(covered)) if !self.strayed.is_empty() => covered.into_iter().any(|path| Some(path) != next),
            (PathMode::Striped, Some(_)) => next != self.striped(gap.start),
            _ => (self.active() | gap.active).count_ones() > 1,
        }
    }

    /// No path can bring the gap's packets any more.
    fn overtaken(&self, gap: &Gap) -> bool {
        if self.mode == PathMode::Off || self.fault == Some(Fault::ReceiverNeverOvertaken) {
            return false;
        }
        let active = self.active() | gap.active;
        let judged: Vec<u8> = match self.covered(gap) {
            Some(covered) => covered.into_iter().collect(),
            None => (0..self.params.paths).filter(|path| active >> path & 1 == 1).collect(),
        };
        let passed = |&path: &u8| self.window.later(gap.end, path) >= self.config.overtake;
        match self.fault {
            Some(Fault::ReceiverOvertakenByOne) => judged.iter().any(passed),
            // Where no packet has named a path there is nothing to be overtaken on.
            _ => !judged.is_empty() && judged.iter().all(passed),
        }
    }

    /// Depth of the gap.
    pub fn depth(&self, gap: &Gap) -> u32 {
        match self.config.depth_mode {
            DepthMode::Distance => psn::ahead(gap.start, self.window.max()),
            DepthMode::Arrivals => gap.later,
        }
    }

    /// Why a waiting gap is lost, if it is.
    pub fn lost(&self, gap: &Gap) -> Option<Cause> {
        let config = self.config;
        let is_crossed = self.cross_path(gap);
        let relax = if is_crossed { u64::from(config.relax.max(1)) } else { 1 };
        // Skew between paths is many times what any factor covers: `relax` 0 leaves age and overtaking to judge.
        let is_depth_tested = !is_crossed || config.relax > 0 || self.fault == Some(Fault::ReceiverDepthTested);
        let beyond = |value: u64, limit: u32| value > u64::from(limit) * relax;
        let at_base = gap.start == self.window.base();
        let stalled = self.now - gap.first_seen.max(self.advanced.0);
        let stalled_packets = self.arrivals - gap.arrivals.max(self.advanced.1);
        if is_depth_tested && beyond(self.depth(gap).into(), config.depth) {
            Some(Cause::Depth)
        } else if beyond(self.now - gap.first_seen, config.wait) {
            Some(Cause::Age)
        } else if at_base && (beyond(stalled, config.stall) || config.stall_packets > 0 && beyond(stalled_packets, config.stall_packets)) {
            Some(Cause::Stall)
        } else {
            self.overtaken(gap).then_some(Cause::Overtaken)
        }
    }
}
