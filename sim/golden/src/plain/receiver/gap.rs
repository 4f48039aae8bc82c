//! The gap at the base: when it was seen, when it is lost, and what has been asked for.

use super::ReceiverConfig;
use crate::bitmap::psn;
use crate::plain::Fault;
use std::collections::VecDeque;

/// What is known beyond the base, of packets that were taken or dropped.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// highest packet seen; the one before the first, if none was
    highest: u32,
    /// when the highest packet came to be this one, newest last
    steps: VecDeque<(u32, u64)>,
    /// when the base moved, and the highest packet beyond it that has come since then
    moved: u64,
    since: Option<u32>,
    /// packets before this one were asked for
    covered: Option<u32>,
    /// when a NAK was last sent, and whether it was for this base
    last: Option<u64>,
    named: bool,
}

impl Gap {
    pub fn new(first: u32, now: u64) -> Gap {
        Gap { highest: psn::sub(first, 1), steps: VecDeque::new(), moved: now, since: None, covered: None, last: None, named: false }
    }

    pub fn highest(&self) -> u32 {
        self.highest
    }

    /// A packet at or beyond the base has come, whatever becomes of it.
    pub fn seen(&mut self, base: u32, number: u32, now: u64) {
        if psn::before(self.highest, number) {
            self.highest = number;
            self.steps.push_back((number, now));
        }
        if number != base && self.since.is_none_or(|since| psn::before(since, number)) {
            self.since = Some(number);
        }
    }

    /// The base has moved.
    pub fn moved(&mut self, base: u32, now: u64, fault: Option<Fault>) {
        (self.moved, self.since, self.named) = (now, None, false);
        self.covered = self.covered.filter(|&edge| psn::before(base, edge) && fault != Some(Fault::ReceiverCoversNothing));
        while self.steps.front().is_some_and(|&(edge, _)| psn::before(edge, base)) {
            self.steps.pop_front();
        }
    }

    /// Whether the peer is to be asked for the packet at the base now.
    pub fn is_lost(&self, base: u32, now: u64, config: &ReceiverConfig, fault: Option<Fault>) -> bool {
        if psn::before(self.highest, base) {
            return false;
        }
        let passed = |from: u64, ticks: u32| now.saturating_sub(from) > ticks.into();
        let again = self.last.is_some_and(|last| passed(last.max(self.moved), config.refeedback));
        let again = again && fault != Some(Fault::ReceiverAsksOnce);
        let deep = |edge: u32| psn::ahead(base, edge) > config.depth || fault == Some(Fault::ReceiverImpatient);
        if self.named {
            return again || fault == Some(Fault::ReceiverNaksEvery);
        }
        if self.covered.is_some() {
            return again || self.since.is_some_and(deep);
        }
        let first = self.steps.front().map_or(self.moved, |&(_, tick)| tick);
        let aged = passed(first, config.wait) || passed(first.max(self.moved), config.stall);
        deep(self.highest) || (aged && fault != Some(Fault::ReceiverAgeless))
    }

    /// The packet at the base has been asked for.
    pub fn asked(&mut self, now: u64) {
        (self.last, self.named, self.covered) = (Some(now), true, Some(psn::add(self.highest, 1)));
    }
}
