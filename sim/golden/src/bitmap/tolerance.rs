//! Tolerance: which gaps reordering can no longer explain.

use super::gap::Gap;
use super::params::{Config, DepthMode, Params, PathMode};
use super::psn;
use super::window::Window;
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
}

impl View<'_> {
    /// Path of a PSN that both ends know.
    pub fn striped(&self, number: u32) -> Option<u8> {
        let stripes = number / self.config.stripe % u32::from(self.params.paths);
        (self.mode == PathMode::Striped).then_some(stripes as u8)
    }

    /// Paths that have delivered within `path_idle` ticks before now.
    pub fn active(&self) -> u16 {
        let idle = u64::from(self.config.path_idle);
        let recent = |last: &Option<u64>| last.is_some_and(|last| self.now - last <= idle);
        self.paths.iter().enumerate().filter(|(_, last)| recent(last)).fold(0, |mask, (path, _)| mask | 1 << path)
    }

    /// Later packets are ahead of the gap because they took another path.
    fn cross_path(&self, gap: &Gap) -> bool {
        match self.mode {
            PathMode::Off => false,
            PathMode::Striped => self.striped(psn::add(gap.end, 1)) != self.striped(gap.start),
            PathMode::Tagged => (self.active() | gap.active).count_ones() > 1,
        }
    }

    /// No path can bring the gap's packets any more.
    fn overtaken(&self, gap: &Gap) -> bool {
        let overtake = self.config.overtake;
        let passed = |path| self.window.later(gap.end, path, |number| self.striped(number)) >= overtake;
        match self.mode {
            PathMode::Off => false,
            PathMode::Striped => {
                let covered: BTreeSet<u8> = self.window.missing(gap.start, gap.end).filter_map(|number| self.striped(number)).collect();
                covered.into_iter().all(passed)
            }
            PathMode::Tagged => {
                let active = self.active() | gap.active;
                (0..self.params.paths).filter(|path| active >> path & 1 == 1).all(passed)
            }
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
        let relax = if self.cross_path(gap) { u64::from(config.relax) } else { 1 };
        let beyond = |value: u64, limit: u32| value > u64::from(limit) * relax;
        let at_base = gap.start == self.window.base();
        let stalled = self.now - gap.first_seen.max(self.advanced.0);
        let stalled_packets = self.arrivals - gap.arrivals.max(self.advanced.1);
        if beyond(self.depth(gap).into(), config.depth) {
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
