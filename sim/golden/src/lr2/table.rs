//! The flow table of both boxes.

use super::packet::{Address, Key};
use crate::bitmap::psn;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// What the cards of a flow are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A NAK acknowledges everything before it, whoever made it.
    #[default]
    Standard,
    /// The sending card tells a NAK of the boxes by its origin; such a NAK acknowledges nothing.
    Aware,
}

/// An entry as it is written through the register map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub key: Key,
    /// queue pair of the sending card: what the reverse direction is found by
    pub peer_qp: u32,
    pub mode: Mode,
    /// `None`: the first data packet sets it
    pub initial: Option<u32>,
}

impl Entry {
    /// The key of what the receiving card sends.
    pub fn reverse(&self) -> Key {
        Key { source: self.key.destination, destination: self.key.source, qp: self.peer_qp }
    }
}

/// Where a flow was found, by the key of one direction.
#[derive(Clone, Debug)]
pub struct Table<T> {
    onward: HashMap<Key, u32, FixedState>,
    reverse: HashMap<Key, u32, FixedState>,
    pub flows: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Table<T> {
    /// A table of `entries` entries, at most 1024 of them in hardware.
    pub fn new(entries: usize) -> Table<T> {
        let map = || HashMap::with_hasher(FixedState::default());
        Table { onward: map(), reverse: map(), flows: (0..entries).map(|_| None).collect(), free: (0..entries as u32).rev().collect() }
    }

    /// Writes an entry; one of the same key is written anew.
    /// # Errors
    /// The table is full, or a number has more than 24 bits, or the reverse key is another flow's.
    pub fn open(&mut self, entry: &Entry, flow: T) -> Result<usize, String> {
        if entry.key.qp >= psn::SPACE || entry.peer_qp >= psn::SPACE || entry.initial.is_some_and(|psn| psn >= psn::SPACE) {
            return Err(format!("entry {entry:?}: queue pairs and PSNs have 24 bits; write numbers below {:#x}", psn::SPACE));
        }
        if let Some(&other) = self.reverse.get(&entry.reverse())
            && self.onward.get(&entry.key) != Some(&other)
        {
            return Err(format!("entry {entry:?}: the reverse direction belongs to flow {other}; clear that entry first"));
        }
        if let Some(&index) = self.onward.get(&entry.key) {
            self.reverse.retain(|_, at| *at != index);
            self.reverse.insert(entry.reverse(), index);
            self.flows[index as usize] = Some(flow);
            return Ok(index as usize);
        }
        let Some(index) = self.free.pop() else {
            return Err(format!("entry {entry:?}: all {} entries are in use; clear one first", self.flows.len()));
        };
        self.onward.insert(entry.key, index);
        self.reverse.insert(entry.reverse(), index);
        self.flows[index as usize] = Some(flow);
        Ok(index as usize)
    }

    /// Clears an entry, and returns where it was and what it held.
    pub fn close(&mut self, key: Key) -> Option<(usize, T)> {
        let index = self.onward.remove(&key)?;
        self.reverse.retain(|_, at| *at != index);
        self.free.push(index);
        self.flows[index as usize].take().map(|flow| (index as usize, flow))
    }

    pub fn find(&self, key: &Key) -> Option<usize> {
        self.onward.get(key).map(|&index| index as usize)
    }

    pub fn find_reverse(&self, key: &Key) -> Option<usize> {
        self.reverse.get(key).map(|&index| index as usize)
    }

    pub fn get(&self, index: usize) -> &T {
        self.flows[index].as_ref().expect("a flow that was found")
    }

    pub fn get_mut(&mut self, index: usize) -> &mut T {
        self.flows[index].as_mut().expect("a flow that was found")
    }
}

/// The addresses of a flow's ends, the other way round.
pub fn turned(key: &Key, qp: u32) -> Key {
    let (source, destination): (Address, Address) = (key.destination, key.source);
    Key { source, destination, qp }
}
