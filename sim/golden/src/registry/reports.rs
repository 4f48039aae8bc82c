//! What the receive bitmap hears of the registry: in the transport profile *combined*, the PSN of each packet that has its final verdict.
//!
//! Spec: overview, "Who acknowledges what". A packet with a verdict is acknowledged only after the memory has answered the write of its
//! payload, and everything told leaves in verdict order; a dropped packet leaves its bit clear, so that it is asked for again. So does,
//! decided here, a start that is rejected as `overlap`: that is transient, and its bodies get no verdict before it is registered.

use super::{Status, Verdict};
use std::collections::{BTreeMap, VecDeque};

/// A packet as the receive bitmap takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub qp: u32,
    pub psn: u32,
    pub path: u8,
    pub retransmission: bool,
}

/// The model. Packets go by the number of their payload slot, writes by their tag.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    packets: BTreeMap<u32, Report>,
    /// in the order of verdicts; the slot of a packet whose write is not answered
    ring: VecDeque<(Report, Option<u32>)>,
    writes: BTreeMap<u32, u32>,
}

impl Reports {
    /// The registry takes a packet.
    pub fn packet(&mut self, slot: u32, report: Report) {
        self.packets.insert(slot, report);
    }

    /// Its final verdict. The packet, if it was dropped.
    pub fn verdict(&mut self, slot: u32, verdict: Verdict) -> Option<Report> {
        let report = self.packets.remove(&slot)?;
        if !matches!(verdict, Verdict::Dropped(_) | Verdict::Rejected(Status::Overlap)) {
            self.ring.push_back((report, (verdict == Verdict::Written).then_some(slot)));
        }
        matches!(verdict, Verdict::Dropped(_)).then_some(report)
    }

    /// Its payload goes to memory as `tag`.
    pub fn write(&mut self, slot: u32, tag: u32) {
        self.writes.insert(tag, slot);
    }

    /// The memory has answered, well or not: the verdict stands.
    pub fn answer(&mut self, tag: u32) {
        let Some(slot) = self.writes.remove(&tag) else { return };
        // The slot may have had packets before; the newest has it.
        if let Some(place) = self.ring.iter_mut().rev().find(|place| place.1 == Some(slot)) {
            place.1 = None;
        }
    }

    /// The oldest verdict, if nothing is left to wait for.
    pub fn peek(&self) -> Option<Report> {
        self.ring.front().filter(|place| place.1.is_none()).map(|place| place.0)
    }

    /// It has been reported.
    pub fn pop(&mut self) -> Option<Report> {
        self.peek()?;
        self.ring.pop_front().map(|place| place.0)
    }

    /// Packets without verdict, and verdicts that are not reported.
    pub fn held(&self) -> usize {
        self.packets.len() + self.ring.len()
    }
}
