//! An erasure code on the long haul, another way out: 8 parity symbols for 32 packets, any 32 of the 40 give all of them back.
//!
//! The arithmetic is not modelled: a code with that property exists, so the two ends share the packets of a block, and the far one takes a
//! lost packet from there only when as many symbols have arrived as the block has packets. A block that stays open for too long is closed
//! with a share of parity symbols, rounded up. The far end lets packets go in order and keeps those behind a loss until the block is whole
//! or cannot be any more.

use super::packet::{Gap, Key, Kind, LR2_BYTES, Packet};
use super::table::Entry;
use super::{Emit, Gate, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Packets of a block, and parity symbols for them.
pub const PACKETS: u32 = 32;
pub const PARITY: u32 = 8;

type Store = Rc<RefCell<BTreeMap<u32, Vec<Packet>>>>;

/// The near end.
#[derive(Clone, Debug)]
pub struct Encoder {
    store: Store,
    block: u32,
    count: u32,
    most: u32,
    since: u64,
    close: u64,
    pub blocks: u64,
    pub symbols: u64,
}

/// The far end.
#[derive(Clone, Debug)]
pub struct Decoder {
    store: Store,
    block: u32,
    /// index of the packet that goes next
    next: u32,
    arrived: BTreeMap<u32, Packet>,
    symbols: u32,
    /// packets of the block, known from a parity symbol
    size: Option<u32>,
    since: u64,
    patience: u64,
    pub recovered: u64,
    pub given_up: u64,
    pub peak: u64,
}

/// Both ends. `close`: how long a block may stay open; `patience`: how long a packet waits behind a loss.
pub fn ends(close: u64, patience: u64) -> (Encoder, Decoder) {
    let store = Store::default();
    let encoder = Encoder { store: store.clone(), block: 0, count: 0, most: 0, since: 0, close, blocks: 0, symbols: 0 };
    let arrived = BTreeMap::new();
    let decoder =
        Decoder { store, block: 0, next: 0, arrived, symbols: 0, size: None, since: 0, patience, recovered: 0, given_up: 0, peak: 0 };
    (encoder, decoder)
}

impl Encoder {
    fn end(&mut self, out: &mut Vec<Emit>) {
        let parity = (self.count * PARITY).div_ceil(PACKETS);
        for index in 0..parity {
            let gap = Gap { start: self.block, length: PACKETS + index, edge: self.count };
            out.push(Emit::onward(Packet { kind: Kind::Parity, bytes: self.most, gap, ..Packet::default() }));
        }
        self.blocks += 1;
        self.symbols += u64::from(parity);
        (self.block, self.count, self.most) = (self.block + 1, 0, 0);
    }
}

impl Gate for Encoder {
    fn open(&mut self, _: &Entry) -> Result<(), String> {
        Ok(())
    }

    fn close(&mut self, _: Key) {}

    fn onward(&mut self, now: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        if self.count == 0 {
            self.since = now;
        }
        self.store.borrow_mut().entry(self.block).or_default().push(packet);
        let gap = Gap { start: self.block, length: self.count, edge: 0 };
        let coded = Packet { gap, bytes: packet.bytes + LR2_BYTES, ..packet };
        self.most = self.most.max(coded.bytes);
        self.count += 1;
        out.push(Emit::onward(coded));
        if self.count == PACKETS {
            self.end(out);
        }
        Verdict::Forwarded
    }

    fn back(&mut self, _: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        out.push(Emit::back(packet));
        Verdict::Untouched
    }

    fn tick(&mut self, now: u64, out: &mut Vec<Emit>) {
        if self.count != 0 && now >= self.since + self.close {
            self.end(out);
        }
    }

    fn wake(&self) -> Option<u64> {
        (self.count != 0).then_some(self.since + self.close)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![("blocks", self.blocks), ("symbols", self.symbols)]
    }
}

impl Decoder {
    fn let_go(&mut self, out: &mut Vec<Emit>) {
        while let Some(packet) = self.arrived.remove(&self.next) {
            self.next += 1;
            out.push(Emit::onward(packet));
        }
    }

    /// Lost packets of a block that is whole again, or what there is of one that never will be.
    fn finish(&mut self, now: u64, whole: bool, out: &mut Vec<Emit>) {
        let sent = self.store.borrow().get(&self.block).cloned().unwrap_or_default();
        let size = self.size.unwrap_or(sent.len() as u32);
        while self.next < size {
            if let Some(packet) = self.arrived.remove(&self.next) {
                out.push(Emit::onward(packet));
            } else if whole {
                self.recovered += 1;
                out.push(Emit::onward(sent[self.next as usize]));
            } else {
                self.given_up += 1;
            }
            self.next += 1;
        }
        self.since = now;
    }

    fn turn(&mut self, block: u32) {
        self.store.borrow_mut().retain(|&number, _| number >= block);
        self.arrived.clear();
        (self.block, self.next, self.symbols, self.size) = (block, 0, 0, None);
    }
}

impl Gate for Decoder {
    fn open(&mut self, _: &Entry) -> Result<(), String> {
        Ok(())
    }

    fn close(&mut self, _: Key) {}

    fn onward(&mut self, now: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        let Gap { start: block, length: index, edge } = packet.gap;
        if block < self.block {
            return Verdict::Stale;
        }
        while block > self.block {
            self.finish(now, false, out);
            self.turn(self.block + 1);
        }
        self.symbols += 1;
        if packet.kind == Kind::Parity {
            self.size = Some(edge);
        } else if index >= self.next {
            if self.arrived.is_empty() {
                self.since = now;
            }
            self.arrived.insert(index, Packet { gap: Gap::default(), bytes: packet.bytes - LR2_BYTES, ..packet });
        }
        self.let_go(out);
        self.peak = self.peak.max(self.arrived.len() as u64);
        let size = self.size.unwrap_or(PACKETS);
        if self.symbols >= size && self.next < size {
            self.finish(now, true, out);
        }
        Verdict::Forwarded
    }

    fn back(&mut self, _: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        out.push(Emit::back(packet));
        Verdict::Untouched
    }

    fn tick(&mut self, now: u64, out: &mut Vec<Emit>) {
        if !self.arrived.is_empty() && now >= self.since + self.patience {
            // what waits goes, and with it the hope for what is before it
            while let Some((&index, _)) = self.arrived.first_key_value() {
                self.given_up += u64::from(index - self.next);
                self.next = index;
                self.let_go(out);
            }
        }
    }

    fn wake(&self) -> Option<u64> {
        (!self.arrived.is_empty()).then_some(self.since + self.patience)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![("recovered", self.recovered), ("given_up", self.given_up), ("peak", self.peak)]
    }
}
