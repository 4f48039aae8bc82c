//! The window of one queue pair: which packets have arrived, and where it begins and ends.

use super::psn;
use std::collections::VecDeque;

/// Path of a packet that has arrived and counts for none: it names none, or it was sent again.
pub const NO_PATH: u8 = u8::MAX;

/// Where a PSN lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Below,
    /// packets beyond the window's start
    Inside(u32),
    Above,
}

/// The window.
#[derive(Clone, Debug)]
pub struct Window {
    granularity: u32,
    start: u32,
    base: u32,
    max: u32,
    /// packets from the start to the right edge
    size: u32,
    /// packets that the window is to have; while it is to have fewer than it has, the right edge stands still
    target: u32,
    /// path of each packet that has arrived, from the start on
    arrived: VecDeque<Option<u8>>,
    /// groups before it have been looked at for gaps
    horizon: u32,
}

impl Window {
    /// A window of `size` packets from `initial` on, nothing of which has arrived.
    pub fn new(initial: u32, size: u32, granularity: u32) -> Window {
        let initial = initial % psn::SPACE;
        let (target, arrived) = (size, VecDeque::new());
        Window { granularity, start: initial, base: initial, max: psn::sub(initial, 1), size, target, arrived, horizon: initial }
    }

    /// First PSN that a bit stands for.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// First PSN that has not arrived.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Highest PSN that has arrived.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// First PSN behind the last group that is complete, of all that have been.
    pub fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Packets from the start to the right edge.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Packets from the base to the right edge.
    pub fn open(&self) -> u32 {
        self.size - psn::ahead(self.start, self.base)
    }

    pub fn place(&self, number: u32) -> Place {
        self.place_from(self.start, number)
    }

    /// As [`place`](Window::place), for a window that has moved to `start` only: what it has yet to move over has arrived.
    pub fn place_from(&self, start: u32, number: u32) -> Place {
        match (psn::ahead(start, number), psn::ahead(self.start, number)) {
            (offset, inside) if offset < self.size && inside < self.size => Place::Inside(inside),
            (offset, _) if offset < self.size || offset > psn::HALF => Place::Below,
            _ => Place::Above,
        }
    }

    /// The packet has arrived, or lies before the window.
    pub fn has(&self, number: u32) -> bool {
        match psn::ahead(self.start, number) {
            offset if offset > psn::HALF => true,
            offset => self.path(offset).is_some(),
        }
    }

    fn path(&self, offset: u32) -> Option<u8> {
        self.arrived.get(offset as usize).copied().flatten()
    }

    /// The packet `offset` beyond the start arrives over `path`.
    pub fn set(&mut self, offset: u32, path: u8) {
        let number = psn::add(self.start, offset);
        if self.arrived.len() <= offset as usize {
            self.arrived.resize(offset as usize + 1, None);
        }
        self.arrived[offset as usize] = Some(path);
        // The highest may be the one before the window.
        if psn::before(self.max, number) {
            self.max = number;
        }
    }

    /// All packets of the group of `number` have arrived.
    pub fn complete(&self, number: u32) -> bool {
        let first = self.group(number);
        (0..self.granularity).all(|at| self.has(psn::add(first, at)))
    }

    /// First packet of the group of `number`.
    fn group(&self, number: u32) -> u32 {
        let offset = psn::ahead(self.start, number);
        psn::add(self.start, offset - offset % self.granularity)
    }

    /// If the arrival of `number` has completed a group beyond all that were complete: first and last missing packet between them, if any.
    pub fn new_gap(&mut self, number: u32) -> Option<(u32, u32)> {
        let group = self.group(number);
        if !self.complete(number) || psn::before(group, self.horizon) {
            return None;
        }
        let from = if psn::before(self.horizon, self.start) { self.start } else { self.horizon };
        self.horizon = psn::add(group, self.granularity);
        self.missing_between(from, psn::sub(group, 1))
    }

    /// First and last missing packet of `from ..= to`; `to` may be the one before `from`.
    pub fn missing_between(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let count = psn::ahead(from, psn::add(to, 1));
        let first = (0..count).map(|at| psn::add(from, at)).find(|&at| !self.has(at))?;
        let last = (0..count).map(|at| psn::sub(to, at)).find(|&at| !self.has(at))?;
        Some((first, last))
    }

    /// Missing packets of `from ..= to`.
    pub fn missing(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        (0..=psn::ahead(from, to)).map(move |at| psn::add(from, at)).filter(|&at| !self.has(at))
    }

    /// A group of packets inside `start ..= end` around `number` is complete: the missing packets on both sides, if there are on both.
    pub fn split(&self, start: u32, end: u32, number: u32) -> Option<[(u32, u32); 2]> {
        let group = self.group(number);
        let after = psn::add(group, self.granularity);
        if !self.complete(number) || !psn::before(start, group) || psn::before(end, after) {
            return None;
        }
        Some([self.missing_between(start, psn::sub(group, 1))?, self.missing_between(after, end)?])
    }

    /// Moves the base over what has arrived, and the start in multiples of `step` behind it. Whether the base has moved.
    pub fn advance(&mut self, step: u32) -> bool {
        let before = self.base;
        while self.path(psn::ahead(self.start, self.base)).is_some() {
            self.base = psn::add(self.base, 1);
        }
        while psn::ahead(self.start, self.base) >= step {
            self.arrived.drain(..step as usize);
            self.start = psn::add(self.start, step);
            self.size = (self.size - step).max(self.target);
        }
        if psn::before(self.horizon, self.start) {
            self.horizon = self.start;
        }
        self.base != before
    }

    /// The window is to have `target` packets: more at once, fewer as it advances.
    pub fn resize(&mut self, target: u32) {
        self.target = target;
        self.size = self.size.max(target);
    }

    /// The window ends before `edge`, wherever it begins: of hardware that moves its edge by itself.
    pub fn end_at(&mut self, edge: u32) {
        self.target = 0;
        self.size = psn::ahead(self.start, edge);
    }

    /// The run of packets that have arrived, around `number`, which has.
    pub fn run(&self, number: u32) -> (u32, u32) {
        let offset = psn::ahead(self.start, number);
        let first = (0..=offset).rev().take_while(|&at| self.path(at).is_some()).last().unwrap_or(offset);
        let last = (offset..).take_while(|&at| self.path(at).is_some()).last().unwrap_or(offset);
        (psn::add(self.start, first), psn::add(self.start, last))
    }

    /// Packets after `number` that have arrived over `path`.
    pub fn later(&self, number: u32, path: u8) -> u32 {
        let from = psn::ahead(self.start, number) as usize + 1;
        self.arrived.iter().skip(from).filter(|&&over| over == Some(path)).count() as u32
    }
}
