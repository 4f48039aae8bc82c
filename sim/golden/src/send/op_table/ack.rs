//! What acknowledgements do.

use super::{IN_FLIGHT, OpTable};
use crate::send::status;
use bitvec::prelude::*;

/// One acknowledgement, as the parser gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ack {
    /// 0xc3: packets from `first`, one per bit of `mask`; any status but 0 is negative
    Packets { op: u32, first: u16, status: u8, mask: u64 },
    /// 0xc1: the whole operation
    Completion { op: u32, status: u8 },
}

/// What it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// nothing: another generation, an operation that has ended, or packets that were not sent
    Stale,
    /// nothing: what it says was known
    Duplicate,
    /// so many packets are newly acknowledged; the operation is complete with them, or not
    Acknowledged { packets: usize, completed: bool },
    /// packets are repeated, at once or after the back-off
    Negative,
    /// the operation failed
    Failed,
}

/// Wire status of a start that meets another operation's range: transient.
const OVERLAP: u8 = 7;

impl OpTable {
    /// The parser gave `ack`.
    ///
    /// Only packets that were sent count: others that the same message names are left out. A message that names no packet that was sent
    /// is stale, and so is a 0xc1 with status 0 before all were sent, and one with any status before the first was.
    pub fn ack(&mut self, ack: Ack) -> Effect {
        let (Ack::Packets { op, .. } | Ack::Completion { op, .. }) = ack;
        let Some(entry) = self.entry(op).filter(|entry| entry.end.is_none()) else {
            return self.count(Effect::Stale);
        };
        let might_fail = self.might_fail(entry);
        let (sent, all) = (entry.packets.len(), entry.packets.len() == usize::from(entry.op.count));
        let effect = match ack {
            Ack::Packets { first, .. } if !first.is_multiple_of(64) => Effect::Stale,
            Ack::Packets { first, status, mask, .. } => {
                let first = usize::from(first);
                let named: Vec<usize> = mask.view_bits::<Lsb0>().iter_ones().map(|bit| first + bit).filter(|&at| at < sent).collect();
                match (named.is_empty(), status) {
                    (true, _) => Effect::Stale,
                    (false, status::DONE) => self.acknowledge(op, &named),
                    (false, _) => self.repeat(op, &named),
                }
            }
            Ack::Completion { status: status::DONE, .. } if all => self.acknowledge(op, &(0..sent).collect::<Vec<_>>()),
            Ack::Completion { status, .. } if status == status::DONE || sent == 0 => Effect::Stale,
            Ack::Completion { status: OVERLAP, .. } => self.back_off(op),
            Ack::Completion { status, .. } => {
                if might_fail {
                    self.note_might_have_failed(op);
                }
                self.end(op, status);
                Effect::Failed
            }
        };
        self.uncertain_acks += u64::from(might_fail && effect != Effect::Stale);
        self.count(effect)
    }

    fn count(&mut self, effect: Effect) -> Effect {
        let counters = &mut self.counters;
        let counter = match effect {
            Effect::Stale => &mut counters.stale_acks,
            Effect::Duplicate => &mut counters.duplicate_acks,
            Effect::Acknowledged { .. } => &mut counters.acks,
            Effect::Negative | Effect::Failed => &mut counters.nacks,
        };
        *counter += 1;
        effect
    }

    /// Hardware may have ended `op` by the retry limit before what comes now.
    fn note_might_have_failed(&mut self, op: u32) {
        let since = self.since();
        if let Some(entry) = self.entries.get_mut(&self.params.index(op)) {
            entry.might_have_failed = Some(since);
        }
    }

    /// Positive, for packets that were sent.
    fn acknowledge(&mut self, op: u32, named: &[usize]) -> Effect {
        if self.entry(op).is_some_and(|entry| self.might_fail(entry)) {
            self.note_might_have_failed(op);
        }
        let now = self.now;
        let Some(entry) = self.entries.get_mut(&self.params.index(op)) else { return Effect::Stale };
        let mut packets = 0;
        for &at in named {
            let packet = &mut entry.packets[at];
            if packet.acked.is_some() {
                continue;
            }
            packet.acked = Some(now);
            packets += 1;
            if packet.timer.is_some_and(|timer| timer.earliest() <= now.clock + IN_FLIGHT) {
                // its retransmission may be in a queue, where dropping it takes time
                self.uncertain_timeouts += 1;
                self.told += 1;
            }
            self.told += u64::from(packet.nacked.is_some());
        }
        let count = usize::from(entry.op.count);
        let completed = entry.packets.iter().filter(|packet| packet.acked.is_some()).count() == count;
        if completed {
            self.end(op, status::DONE);
        }
        if packets == 0 { Effect::Duplicate } else { Effect::Acknowledged { packets, completed } }
    }

    /// Negative 0xc3: each packet that is not acknowledged is repeated at once, and that is a try.
    fn repeat(&mut self, op: u32, named: &[usize]) -> Effect {
        let since = self.since();
        let Some(entry) = self.entries.get_mut(&self.params.index(op)) else { return Effect::Stale };
        let mut effect = Effect::Duplicate;
        for &at in named {
            let packet = &mut entry.packets[at];
            if packet.acked.is_some() {
                continue;
            }
            effect = Effect::Negative;
            if packet.nacked.is_some() || !packet.queued.is_empty() {
                // a repetition is on its way, and one that hardware asks for besides would be legal
                packet.spare.push(since);
            } else {
                packet.nacked = Some(since);
            }
        }
        effect
    }

    /// 0xc1 `overlap`: the start is sent again when its timer runs out, which doubles with each try. That is the back-off, counted from
    /// when it was sent.
    fn back_off(&mut self, op: u32) -> Effect {
        match self.entry(op).and_then(|entry| entry.packets.first()) {
            None => Effect::Stale,
            Some(start) if start.acked.is_some() => Effect::Duplicate,
            Some(_) => Effect::Negative,
        }
    }
}
