//! What a receiver that knows paths from end to end does otherwise, and what it tells to whoever counts.

use super::super::Verdict;
use super::super::window::NO_PATH;
use super::{Arrived, Receiver, Window, view};
use crate::bitmap::{Gap, PathMode, psn};
use crate::paths::Fault;
use std::collections::VecDeque;

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    pub qp: u32,
    /// `None`: on no path, or on one that nobody knows
    pub path: Option<u8>,
    pub what: What,
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// a packet of a queue pair that is open
    Arrived(Verdict),
    /// it came so many packets behind the highest
    Late {
        depth: u32,
    },
    /// the base goes on, and stood so long before a gap
    Stalled {
        ticks: u64,
    },
    Misjudged,
    Gap,
    Folded,
    /// a gap is found lost
    Lost {
        start: u32,
        length: u32,
    },
    /// a message goes out
    Told,
}

impl Gap {
    /// Its path, where one is known.
    pub fn path(&self) -> Option<u8> {
        Some(self.path).filter(|&path| path != NO_PATH)
    }
}

impl Receiver {
    /// From now on paths are known from end to end: a packet names its own or none, one that was sent again moves no record, a message says
    /// the path as the wire does, 0 for none, and what happens is told. Queue pairs must not be open yet.
    pub fn from_end_to_end(mut self, fault: Option<Fault>) -> Receiver {
        (self.happened, self.fault) = (Some(VecDeque::new()), fault);
        self
    }

    /// A packet arrives that names a path or none; a path that does not exist is none.
    pub fn arrive_tagged(&mut self, qp: u32, number: u32, tag: Option<u8>, retransmission: bool) -> Arrived {
        let start = self.window(qp).map_or(0, Window::start);
        let tag = tag.filter(|&path| path < self.params.paths);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return self.take(qp, number, None, retransmission, start) };
        let by_number = view(&self.params, &self.config, at, self.now, self.fault).striped(number % psn::SPACE);
        let path = match at.mode {
            PathMode::Off => None,
            _ => tag.or(by_number),
        };
        let home = by_number.filter(|_| path != by_number && !retransmission && self.fault != Some(Fault::ReceiverStrayUnseen));
        if let Some(last) = home.and_then(|home| at.strayed.get_mut(usize::from(home))) {
            *last = Some(self.now);
        }
        self.take(qp, number, path, retransmission, start)
    }

    /// A path has delivered a packet. Behind a silence of all paths nobody knows which of them the sender uses: all count.
    pub(super) fn delivers(&mut self, qp: u32, path: u8) {
        let (now, fault, is_end_to_end) = (self.now, self.fault, self.happened.is_some());
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let is_silent = view(&self.params, &self.config, at, now, fault).active() == 0;
        if is_end_to_end && is_silent && fault != Some(Fault::ReceiverStartsBlind) {
            at.last.fill(Some(now));
        }
        at.last[usize::from(path)] = Some(now);
    }

    pub(super) fn happens(&mut self, qp: u32, path: Option<u8>, what: What) {
        if let Some(happened) = &mut self.happened {
            happened.push_back(Happening { qp, path, what });
        }
    }

    /// What has happened since it was last asked.
    pub fn take_happened(&mut self) -> Vec<Happening> {
        self.happened.iter_mut().flat_map(|happened| happened.drain(..)).collect()
    }

    /// Time is `now` ticks; gaps are looked at when the next packet comes, or by [`Receiver::tick`].
    pub fn pass(&mut self, now: u64) {
        self.now = self.now.max(now);
    }
}
