//! A box that takes its steps one by one: nothing leaves the pools but with [`let_go`](Depot::let_go).

use super::*;

impl Depot {
    /// What is decided about a packet of either direction. One that has to wait is not kept, so that it comes again.
    pub fn decide(&mut self, now: u64, packet: Packet, out: &mut Vec<Emit>) -> Verdict {
        if matches!(packet.kind, Kind::Data | Kind::Request | Kind::Probe) {
            if self.waits(&packet, true) {
                return Verdict::Waits;
            }
            return self.admitted(now, packet, true, out);
        }
        self.said(now, packet, true, out)
    }

    /// Looks at one flow: a box that goes over its flows in turn finds what has run out somewhat later than [`tick`](Gate::tick).
    pub fn visit(&mut self, now: u64, key: &Key, out: &mut Vec<Emit>) {
        if let Some(index) = self.table.find(key).filter(|&index| !self.table.get(index).bypass) {
            self.look(now, index, out);
        }
    }

    /// Lets one packet of a flow go, whatever the buckets say; `false`: there is none.
    pub fn let_go(&mut self, now: u64, key: &Key, out: &mut Vec<Emit>) -> bool {
        let found = self.table.find(key).filter(|&index| Self::has_work(self.table.get(index)));
        if let Some(index) = found {
            self.release_one(now, index, out);
            self.settle(index);
        }
        found.is_some()
    }

    /// What is let go next: its PSN, and the packet if it is held.
    pub fn next_out(&self, key: &Key) -> Option<(u32, Option<Packet>)> {
        let flow = self.table.find(key).map(|index| self.table.get(index)).filter(|flow| Self::has_work(flow))?;
        Some(match (flow.replay, flow.slots.front()) {
            (Some((next, _)), _) => (next, None),
            (None, Some(Slot::Held(packet))) => (flow.expected, Some(*packet)),
            _ => return None,
        })
    }

    /// For a packet of a flow: the pool has a place and the segments for it; it lacks a place or the segment of its first PSN; the flow's
    /// quota lets it in.
    pub fn room(&self, packet: &Packet) -> (bool, bool, bool) {
        let Some(index) = self.table.find(&packet.key) else { return (false, true, false) };
        let flow = self.table.get(index);
        let spare = self.config.quota == 0 || flow.used < self.config.quota;
        (self.pools.has_room(flow, packet), self.pools.full(flow, packet.psn), spare)
    }
}
