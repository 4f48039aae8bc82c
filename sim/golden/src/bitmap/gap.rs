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

/// The records of one queue pair, in the order of their PSNs.
#[derive(Clone, Debug, Default)]
pub struct Records {
    pub all: Vec<Gap>,
}

impl Records {
    /// `number` has arrived and is in `window`. At most `most` records may be used.
    pub fn arrived(&mut self, window: &Window, number: u32, most: usize) -> Change {
        let mut change = Change::default();
        let Some(at) = self.all.iter().position(|gap| gap.holds(number)) else { return change };
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

    /// A gap is seen, after all others. Whether it was folded into the last record.
    pub fn push(&mut self, gap: Gap, most: usize) -> bool {
        let full = self.all.len() >= most.max(1);
        match self.all.last_mut().filter(|_| full) {
            Some(last) => {
                last.end = gap.end;
                if last.state == GapState::Reported {
                    last.state = GapState::Lost;
                    last.lost_at = gap.first_seen;
                    last.due = false;
                }
                true
            }
            None => {
                self.all.push(gap);
                false
            }
        }
    }
}
