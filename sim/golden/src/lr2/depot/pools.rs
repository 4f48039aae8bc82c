//! The reordering pool with the segments of its map, and the backup pool.

use super::Flow;
use crate::bitmap::psn::{add, ahead, before};
use crate::lr2::fault::Fault;
use crate::lr2::packet::Packet;
use crate::lr2::params::DepotParams;

/// What the map says of a PSN.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    Absent,
    Held(Packet),
    /// one of the PSNs of a request that is held
    Covered,
}

/// What is in use of the pools that the flows share.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    most_slots: usize,
    most_backups: usize,
    most_segments: usize,
    reach: u32,
    pub slots: usize,
    pub backups: usize,
    pub segments: usize,
    pub bytes: u64,
    pub backup_bytes: u64,
    pub peak_backup_bytes: u64,
    fault: Option<Fault>,
}

impl Pools {
    pub fn new(params: &DepotParams) -> Pools {
        Pools {
            most_slots: params.slots,
            most_backups: params.backups,
            most_segments: params.segments,
            reach: params.reach,
            slots: 0,
            backups: 0,
            segments: 0,
            bytes: 0,
            backup_bytes: 0,
            peak_backup_bytes: 0,
            fault: params.fault,
        }
    }

    /// Segment of a flow's map in which a PSN is: the map is a ring of as many PSNs as can be held.
    fn segment(&self, psn: u32) -> u32 {
        (psn & (self.reach - 1)) >> 6
    }

    /// There is no room for one packet more of this flow at `psn`, its quota aside.
    pub fn full(&self, flow: &Flow, psn: u32) -> bool {
        self.slots >= self.most_slots || (self.segments >= self.most_segments && !flow.segments.contains_key(&self.segment(psn)))
    }

    /// Segments of the map that `[psn, psn + span)` needs and the flow does not have.
    fn new_segments(&self, flow: &Flow, psn: u32, span: u32) -> usize {
        // of a long request only whole segments lie between its first and its last
        let touched = (0..span).step_by(64).map(|on| add(psn, on)).chain([add(psn, span - 1)]).map(|psn| self.segment(psn));
        let mut new: Vec<u32> = touched.filter(|segment| !flow.segments.contains_key(segment)).collect();
        new.sort_unstable();
        new.dedup();
        new.len()
    }

    /// Segments that have to be free for it. Of a request it is as many as it touches, those that the flow has among them: nobody counts
    /// these before.
    fn needed_segments(&self, flow: &Flow, psn: u32, span: u32) -> usize {
        if span == 1 { self.new_segments(flow, psn, span) } else { (psn % 64 + span).div_ceil(64) as usize }
    }

    /// Puts a packet into its slot; `false`: there is no room for it. A request that reaches into held PSNs takes their place.
    pub fn hold(&mut self, flow: &mut Flow, packet: Packet, reach: u32, quota: usize) -> bool {
        let at = ahead(flow.expected, packet.psn);
        let span = packet.span.max(1);
        if at >= reach || span > reach - at || self.slots >= self.most_slots || (quota != 0 && flow.used >= quota) {
            return false;
        }
        if self.segments + self.needed_segments(flow, packet.psn, span) > self.most_segments {
            return false;
        }
        if self.fault != Some(Fault::DepotOverwrites) {
            self.vacate(flow, packet.psn, span);
        }
        // again, for what was vacated may have been all of a segment
        self.segments += self.new_segments(flow, packet.psn, span);
        for on in 0..span {
            *flow.segments.entry(self.segment(add(packet.psn, on))).or_insert(0) += 1;
        }
        let end = (at + span) as usize;
        if flow.slots.len() < end {
            flow.slots.resize(end, Slot::Absent);
        }
        flow.slots[at as usize] = Slot::Held(packet);
        for on in at as usize + 1..end {
            flow.slots[on] = Slot::Covered;
        }
        flow.used += 1;
        self.slots += 1;
        self.bytes += u64::from(packet.bytes);
        true
    }

    /// Whatever is held in `[psn, psn + span)` is free, the whole of each packet.
    fn vacate(&mut self, flow: &mut Flow, psn: u32, span: u32) {
        let at = ahead(flow.expected, psn) as usize;
        let mut on = at;
        while on < flow.slots.len() && (on < at + span as usize || matches!(flow.slots[on], Slot::Covered)) {
            let slot = std::mem::replace(&mut flow.slots[on], Slot::Absent);
            self.free(flow, add(flow.expected, on as u32), slot);
            on += 1;
        }
    }

    fn free(&mut self, flow: &mut Flow, psn: u32, slot: Slot) {
        if let Slot::Held(packet) = slot {
            flow.used -= 1;
            self.slots -= 1;
            self.bytes -= u64::from(packet.bytes);
        }
        if !matches!(slot, Slot::Absent)
            && let Some(count) = flow.segments.get_mut(&self.segment(psn))
        {
            *count -= 1;
            if *count == 0 {
                flow.segments.remove(&self.segment(psn));
                if self.fault != Some(Fault::DepotSegmentLeak) {
                    self.segments -= 1;
                }
            }
        }
    }

    /// `ePSN` becomes `to`, and `ePSN_D` with it if it is behind. Slots on the way are free, and so is the rest of a request of which only
    /// the first PSNs lie before `to`: nobody would let it go, and nobody ask for what it covers.
    pub fn advance(&mut self, flow: &mut Flow, to: u32) {
        while flow.expected != to {
            let Some(slot) = flow.slots.pop_front() else { break };
            self.free(flow, flow.expected, slot);
            flow.expected = add(flow.expected, 1);
        }
        flow.expected = to;
        let rest = flow.slots.iter().take_while(|slot| matches!(slot, Slot::Covered)).count();
        for on in 0..rest {
            let slot = std::mem::replace(&mut flow.slots[on], Slot::Absent);
            self.free(flow, add(to, on as u32), slot);
        }
        if before(flow.edge, to) {
            flow.edge = to;
        }
    }

    /// `ePSN` goes back to `to`. What the map does not reach from there is free.
    pub fn fall_back(&mut self, flow: &mut Flow, to: u32, reach: u32) {
        let back = ahead(to, flow.expected);
        let keeps = reach.saturating_sub(back) as usize;
        while flow.slots.len() > keeps {
            let at = add(flow.expected, flow.slots.len() as u32 - 1);
            if let Some(slot) = flow.slots.pop_back() {
                self.free(flow, at, slot);
            }
        }
        for _ in 0..back.min(if flow.slots.is_empty() { 0 } else { reach }) {
            flow.slots.push_front(Slot::Absent);
        }
        flow.expected = to;
    }

    /// The pool has a place and the segments for a packet.
    pub fn has_room(&self, flow: &Flow, packet: &Packet) -> bool {
        let new = self.needed_segments(flow, packet.psn, packet.span.max(1).min(self.reach));
        self.slots < self.most_slots && self.segments + new <= self.most_segments
    }

    /// All slots of a flow are free.
    pub fn flush_slots(&mut self, flow: &mut Flow) {
        let mut at = flow.expected;
        while let Some(slot) = flow.slots.pop_front() {
            self.free(flow, at, slot);
            at = add(at, 1);
        }
    }

    /// Keeps a copy; `false`: the pool is full.
    pub fn copy(&mut self, flow: &mut Flow, packet: Packet) -> bool {
        if self.backups >= self.most_backups {
            return false;
        }
        self.backups += 1;
        self.backup_bytes += u64::from(packet.bytes);
        self.peak_backup_bytes = self.peak_backup_bytes.max(self.backup_bytes);
        flow.copies.push_back(packet);
        true
    }

    fn free_copy(&mut self, copy: Packet) {
        self.backups -= 1;
        self.backup_bytes -= u64::from(copy.bytes);
    }

    /// Everything before `una` is acknowledged.
    pub fn acknowledge(&mut self, flow: &mut Flow, una: u32) {
        while let Some(copy) = flow.copies.front().copied().filter(|copy| before(copy.psn, una)) {
            flow.copies.pop_front();
            self.free_copy(copy);
        }
    }

    /// Copies from `psn` on are free.
    pub fn flush_copies(&mut self, flow: &mut Flow, psn: u32) {
        while let Some(copy) = flow.copies.back().copied().filter(|copy| !before(copy.psn, psn)) {
            flow.copies.pop_back();
            self.free_copy(copy);
        }
    }
}
