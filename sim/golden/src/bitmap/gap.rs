//! Gap records: runs of missing packets with what is known of each.

use super::window::Window;
use super::{Cause, psn};

/// What is thought of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GapState {
    /// reordering may explain it
    Waiting,
    Lost,
    /// a feedback message has told it
    Reported,
}

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// first and last missing packet
    pub start: u32,
    pub end: u32,
    pub state: GapState,
    /// why it is lost
    pub cause: Cause,
    /// over which the packet came that showed it, or that its start should have come over
    pub path: u8,
    pub first_seen: u64,
    pub lost_at: u64,
    pub reported_at: u64,
    /// it is to be told now
    pub due: bool,
    /// messages about it after the first
    pub repeat: u8,
    /// later packets since it was seen
    pub later: u32,
    /// accepted packets of the queue pair when it was seen
    pub arrivals: u64,
    /// paths that were active when it was seen
    pub active: u16,
}

impl Gap {
    pub fn length(&self) -> u32 {
        psn::ahead(self.start, self.end) + 1
    }

    pub fn holds(&self, number: u32) -> bool {
        psn::ahead(self.start, number) < self.length()
    }
}

/// What an arrival did to the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// a record ended
    pub filled: Option<Gap>,
    /// it lay in a record, in this state
    pub hit: Option<GapState>,
    pub split: bool,
    /// a record was missing, and another covers more instead
    pub folded: bool,
}

/// Where nothing is left to say of a gap but that it is open still, and the bitmap says that: gaps that were told and have no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// all missing packets up to this one have been told
    pub edge: u32,
    /// since when the next walk over them is waited for
    pub since: u64,
    /// of a walk: the next packet and the last one
    pub walk: Option<(u32, u32)>,
}

/// What became of a gap that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    Kept,
    /// in the place of a record that was reported
    Spilled,
    /// into the last record
    Folded,
}

/// The records of one queue pair, in the order of their PSNs, and what lies before all of them.
#[derive(Clone, Debug, Default)]
pub struct Records {
    pub all: Vec<Gap>,
    pub region: Option<Region>,
}

impl Records {
    /// `number` has arrived and is in `window`. At most `most` records may be used.
    pub fn arrived(&mut self, window: &Window, number: u32, most: usize) -> Change {
        let mut change = Change::default();
        let Some(at) = self.all.iter().position(|gap| gap.holds(number)) else {
            change.hit = self.region.filter(|region| !psn::before(region.edge, number)).map(|_| GapState::Reported);
            return change;
        };
        let gap = self.all[at];
        change.hit = Some(gap.state);
        match (window.missing_between(gap.start, gap.end), window.split(gap.start, gap.end, number)) {
            (None, _) => change.filled = Some(self.all.remove(at)),
            (Some(_), Some([left, right])) if self.all.len() < most => {
                (self.all[at].start, self.all[at].end) = left;
                self.all.insert(at + 1, Gap { start: right.0, end: right.1, ..gap });
                change.split = true;
            }
            (Some((start, end)), split) => {
                (self.all[at].start, self.all[at].end) = (start, end);
                change.folded = split.is_some();
            }
        }
        change
    }

    /// A gap is seen, after all others. With `tells` the first record gives way to it if there is no other and it has been reported.
    pub fn push(&mut self, gap: Gap, most: usize, tells: bool) -> Pushed {
        let full = self.all.len() >= most.max(1);
        if full && tells && self.all[0].state == GapState::Reported {
            let first = self.all.remove(0);
            self.region = Some(match self.region {
                Some(region) => Region { edge: first.end, ..region },
                None => Region { edge: first.end, since: first.reported_at, walk: None },
            });
            self.all.push(gap);
            return Pushed::Spilled;
        }
        match self.all.last_mut().filter(|_| full) {
            Some(last) => {
                last.end = gap.end;
                if last.state == GapState::Reported {
                    last.state = GapState::Lost;
                    last.lost_at = gap.first_seen;
                    last.due = false;
                }
                Pushed::Folded
            }
            None => {
                self.all.push(gap);
                Pushed::Kept
            }
        }
    }

    /// The base has moved.
    pub fn moved(&mut self, window: &Window) {
        self.region = self.region.filter(|region| !psn::before(region.edge, window.base()));
    }

    /// The next run of missing packets of the region that is to be told again; a walk over all of them begins a quarter of `refeedback` ticks
    /// after the one before. A walk knows nothing of single packets, and the sender sends each again once in `dedup` ticks at most: the
    /// first walk that counts for one comes soon after those, and at the latest after `refeedback`.
    pub fn walk(&mut self, window: &Window, now: u64, refeedback: u32) -> Option<(u32, u32)> {
        let region = self.region.as_mut()?;
        if region.walk.is_none() && now - region.since > u64::from(refeedback / 4) {
            region.since = now;
            region.walk = Some((window.base(), region.edge));
        }
        let (next, edge) = region.walk?;
        let from = if psn::before(next, window.base()) { window.base() } else { next };
        let run = (!psn::before(edge, from)).then(|| window.missing(from, edge).next()).flatten().map(|start| {
            let end = window.missing(start, edge).zip(0..).take_while(|&(number, at)| number == psn::add(start, at)).last();
            (start, end.map_or(start, |(number, _)| number))
        });
        region.walk = run.map(|(_, end)| (psn::add(end, 1), edge));
        run
    }
}
