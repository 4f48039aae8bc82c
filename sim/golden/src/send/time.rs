//! Time of the send path: clocks and ticks.

/// A point in time: all clocks since reset, and those in which no consumer held the block up. Earliest moments count all clocks, latest
/// moments only those that the block could use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    pub clock: u64,
    pub unstalled: u64,
}

impl Moment {
    /// `clocks` later. `stalled`: a consumer held the block up meanwhile.
    pub(super) fn advance(&mut self, clocks: u64, stalled: bool) {
        self.clock += clocks;
        if !stalled {
            self.unstalled += clocks;
        }
    }
}

/// A timer that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    since: Moment,
    /// its ticks, in clocks
    clocks: u64,
    /// clocks of one tick
    tick: u64,
}

impl Timer {
    pub fn new(since: Moment, ticks: u64, prescale: u16) -> Timer {
        let tick = u64::from(prescale.max(1));
        Timer { since, clocks: ticks * tick, tick }
    }

    pub fn since(&self) -> Moment {
        self.since
    }

    /// First clock at which it may have run out: never before all its ticks have passed, whatever part of a tick it began in.
    pub fn earliest(&self) -> u64 {
        self.since.clock + self.clocks
    }

    /// It may have run out.
    pub fn may(&self, now: Moment) -> bool {
        now.clock >= self.earliest()
    }

    /// It must have run out and been served `bound` clocks ago: one tick is lost to the moment it began, and stalls do not count.
    pub fn overdue(&self, now: Moment, bound: u64) -> bool {
        now.unstalled > self.since.unstalled + self.clocks + self.tick + bound
    }

    /// It has run out, whatever part of a tick it began in and within how many of `slack` clocks it began.
    pub fn must(&self, now: Moment, slack: u64) -> bool {
        now.clock >= self.since.clock + self.clocks + self.tick + slack
    }
}
