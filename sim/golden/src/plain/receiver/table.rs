//! The message table: messages of several packets that are begun and not complete.

use crate::bitmap::psn;

/// A message whose first packet has come. Its R_Key has been judged for the whole of it by then, and is kept no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub first: u32,
    pub address: u64,
    pub bytes: u32,
    pub packets: u32,
    /// packets that have not come
    left: u32,
}

impl Entry {
    pub fn new(first: u32, address: u64, bytes: u32, packets: u32) -> Entry {
        Entry { first, address, bytes, packets, left: packets }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
}

impl Table {
    pub fn new(entries: usize) -> Table {
        Table { entries: vec![None; entries] }
    }

    pub fn used(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    /// The message of a packet.
    pub fn find(&self, number: u32) -> Option<Entry> {
        self.entries.iter().flatten().find(|entry| psn::ahead(entry.first, number) < entry.packets).copied()
    }

    /// Whether there is an entry for one more message; the last one only if `last` says so.
    pub fn has_room(&self, last: bool) -> bool {
        self.entries.len() - self.used() > usize::from(!last)
    }

    /// Packets that have not come of the message that begins with `first`.
    pub fn left(&self, first: u32) -> u32 {
        self.entries.iter().flatten().find(|entry| entry.first == first).map_or(0, |entry| entry.left)
    }

    /// A packet of `entry` has come, which may be its first. The entry is free with the last.
    pub fn arrived(&mut self, entry: Entry, leak: bool) {
        let known = self.entries.iter().position(|at| at.is_some_and(|at| at.first == entry.first));
        let Some(at) = known.or_else(|| self.entries.iter().position(Option::is_none)) else { return };
        let left = entry.left - 1;
        self.entries[at] = Some(Entry { left, ..entry }).filter(|_| left > 0 || leak);
    }
}
