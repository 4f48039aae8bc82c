//! Time, and the bounds within which decisions that depend on it must fall.

use super::{Mismatch, Registry, escape::Waiting, mismatch};

/// A point in time: all clocks since reset; those in which nothing outside held the block up; those in which, besides, no
/// write waited for the memory. Earliest moments count all clocks, latest moments only those that the block could use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    pub clock: u64,
    pub unstalled: u64,
    pub quiet: u64,
}

/// Clocks by which the sampling of a tick inside the pipeline may differ from the moment of the commit.
const SAMPLING: u64 = 8;

impl Registry {
    /// `clocks` pass. `stalled`: a consumer or the memory held the block up.
    pub fn advance(&mut self, clocks: u64, stalled: bool) {
        self.now.clock += clocks;
        if !stalled {
            self.now.unstalled += clocks;
            if !self.told.waits_for_memory() {
                self.now.quiet += clocks;
            }
        }
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    pub(super) fn clocks(&self, ticks: u32) -> u64 {
        u64::from(ticks) * u64::from(self.config.prescale.max(1))
    }

    /// Clocks after which a timer of `ticks` has run out if nobody says when: one more than the ticks last.
    pub(super) fn earliest(&self, since: Moment, ticks: u32) -> u64 {
        since.clock + self.clocks(ticks) + 1
    }

    /// Whether `ticks` full ticks can have passed since.
    pub(super) fn may_have_expired(&self, since: Moment, ticks: u32) -> bool {
        self.now.clock + SAMPLING > since.clock + self.clocks(ticks)
    }

    /// Whether more than `ticks` ticks must have passed since, whatever clock was sampled.
    pub(super) fn must_have_expired(&self, since: Moment, ticks: u32) -> bool {
        self.now.clock >= since.clock + self.clocks(ticks + 1) + SAMPLING
    }

    /// Clocks for which work that waits for the shared path may have to wait: 8 for each that may wait before it.
    fn injection_bound(&self) -> u64 {
        let waiting = self.params.escape_slots + self.params.entries + self.params.writes + 8;
        8 * waiting as u64 + 2 * self.params.escape_slots as u64 + 64
    }

    /// The same for a packet in the escape channel: each of the others may be tried twice before it, in the pass over them that has left it
    /// behind and in the next.
    fn replay_bound(&self) -> u64 {
        self.injection_bound() + 8 * self.params.escape_slots as u64
    }

    /// Latest moment, in unstalled clocks after its cause, of an escape time-out.
    pub fn escape_timeout_bound(&self) -> u64 {
        self.clocks(self.config.escape_timeout + 1) + self.replay_bound()
    }

    /// Latest moment, in unstalled clocks after its cause, of an op time-out.
    pub fn op_timeout_bound(&self) -> u64 {
        self.clocks(self.config.op_timeout + 1) + self.params.entries as u64 + 3 + self.injection_bound()
    }

    /// Looks for anything but a sweep that should have happened by now.
    /// # Errors
    /// The first thing that is overdue.
    pub fn overdue(&self) -> Result<(), Mismatch> {
        let late = |since: Moment, bound: u64| self.now.unstalled > since.unstalled + bound;
        for entry in &self.entries {
            if late(entry.progress, self.op_timeout_bound()) {
                return mismatch!(
                    "op time-out of src {} op {:#06x} is overdue: no progress since clock {}, now {}",
                    entry.src,
                    entry.op,
                    entry.progress.clock,
                    self.now.clock
                );
            }
        }
        for Waiting { header, frame, arrived, eligible, .. } in &self.escape {
            if let Some(since) = eligible.filter(|&since| late(since, self.replay_bound())) {
                return mismatch!(
                    "replay of frame {frame} (src {} op {:#06x}) is overdue: eligible since clock {}, now {}",
                    header.src,
                    header.op,
                    since.clock,
                    self.now.clock
                );
            }
            if late(*arrived, self.escape_timeout_bound()) {
                return mismatch!(
                    "escape time-out of frame {frame} (src {} op {:#06x}) is overdue: it waits since clock {}, now {}",
                    header.src,
                    header.op,
                    arrived.clock,
                    self.now.clock
                );
            }
        }
        let messages = self.clocks(self.config.ack_wait + 1) + self.injection_bound();
        self.told.overdue(self.now, messages)?;
        match self.told.rewrites.first() {
            Some(rewrite) if self.rewrite_due().is_some() && late(rewrite.since, 8 * 32 + self.injection_bound()) => mismatch!(
                "src {} op {:#06x} ended in write_error at clock {}, and its done word is still not rewritten",
                rewrite.src,
                rewrite.op,
                rewrite.since.clock
            ),
            _ => Ok(()),
        }
    }

    /// Looks for a done word that should have been swept by now: apart from [`Registry::overdue`], for there are many.
    /// # Errors
    /// The first one.
    pub fn overdue_sweep(&self) -> Result<(), Mismatch> {
        // the sweep needs clocks without a header, so only clocks in which nothing moved are held against it
        let sweep = self.clocks(self.config.t_life + 1) + 3 * 64 * self.params.done_words() as u64;
        for (&(src, _), word) in &self.done {
            if self.now.quiet > word.tick.quiet + sweep {
                return mismatch!(
                    "the done word of src {src} op {:#06x} should have been swept: written at clock {}, now {}",
                    word.op,
                    word.tick.clock,
                    self.now.clock
                );
            }
        }
        Ok(())
    }
}
