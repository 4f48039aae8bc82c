//! Which path carried each packet that is not acknowledged.

use crate::bitmap::psn;
use std::collections::VecDeque;

/// A packet under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    /// path of its last try
    pub path: u8,
    /// when it was sent first
    pub sent_at: u64,
    pub is_repeat: bool,
    /// a message has asked for it since it was last sent
    pub is_named: bool,
}

/// The packets of a queue pair, from the base on; `None`: acknowledged.
#[derive(Clone, Debug)]
pub(super) struct Flights {
    base: u32,
    all: VecDeque<Option<Flight>>,
}

impl Flights {
    pub fn new(initial: u32) -> Flights {
        Flights { base: initial % psn::SPACE, all: VecDeque::new() }
    }

    fn get(&mut self, number: u32) -> Option<&mut Flight> {
        self.all.get_mut(psn::ahead(self.base, number) as usize)?.as_mut()
    }

    /// The next packet is sent.
    pub fn push(&mut self, path: u8, now: u64) {
        self.all.push_back(Some(Flight { path, sent_at: now, is_repeat: false, is_named: false }));
    }

    /// Path of the last try of a packet.
    pub fn path(&mut self, number: u32) -> Option<u8> {
        self.get(number).map(|flight| flight.path)
    }

    /// A message asks for a packet.
    pub fn name(&mut self, number: u32) {
        if let Some(flight) = self.get(number) {
            flight.is_named = true;
        }
    }

    /// A packet is sent again over `path`: what it was before.
    pub fn again(&mut self, number: u32, path: u8) -> Option<Flight> {
        let flight = self.get(number)?;
        let before = *flight;
        *flight = Flight { path, is_repeat: true, is_named: false, ..before };
        Some(before)
    }

    /// Everything before `edge` and all of `range` has arrived: what was under way of it.
    pub fn settle(&mut self, edge: u32, range: Option<(u32, u32)>) -> Vec<Flight> {
        let mut settled = Vec::new();
        if psn::ahead(self.base, edge) as usize <= self.all.len() {
            settled.extend(self.all.drain(..psn::ahead(self.base, edge) as usize).flatten());
            self.base = edge;
        }
        for number in range.into_iter().flat_map(|(start, length)| (0..length).map(move |offset| psn::add(start, offset))) {
            settled.extend(self.all.get_mut(psn::ahead(self.base, number) as usize).and_then(Option::take));
        }
        settled
    }

    /// Paths of all that is under way.
    pub fn paths(&self) -> impl Iterator<Item = u8> {
        self.all.iter().flatten().map(|flight| flight.path)
    }
}
