//! What leaves the pools, and when; timers.

use super::*;

impl Depot {
    pub(super) fn has_work(flow: &Flow) -> bool {
        flow.replay.is_some() || (flow.drains() && flow.recover.is_none())
    }

    /// Puts a flow that has something to release on the list, and its next timer among the others.
    pub(super) fn settle(&mut self, index: usize) {
        let config = self.config;
        let flow = self.table.get_mut(index);
        if Self::has_work(flow) {
            self.buckets.enlist(index);
        }
        let doubt =
            flow.doubts.iter().filter(|doubt| doubt.packets >= config.tolerance_packets).map(|doubt| doubt.since + config.tolerance).min();
        let idle = (config.idle != 0 && (flow.used != 0 || !flow.copies.is_empty())).then_some(flow.seen + config.idle);
        let next = [flow.renack_at, flow.retry_at, doubt, idle].into_iter().flatten().min();
        if let Some(at) = next
            && flow.scheduled.is_none_or(|scheduled| at < scheduled)
        {
            flow.scheduled = Some(at);
            self.timers.push(Reverse((at, index as u32)));
        }
    }

    /// A packet has come that may end doubts, or make them last.
    pub(super) fn doubt(&mut self, now: u64, index: usize, psn: u32, out: &mut Vec<Emit>) {
        let config = self.config;
        let cancels = !self.is(Fault::DepotLateStays);
        let mut doubts = std::mem::take(&mut self.table.get_mut(index).doubts);
        let mut kept = VecDeque::new();
        while let Some(mut doubt) = doubts.pop_front() {
            doubt.packets += u32::from(!before(psn, doubt.end));
            let expected = self.table.get(index).expected;
            let start = if before(doubt.start, expected) { expected } else { doubt.start };
            let runs = match (cancels, before(start, doubt.end)) {
                (false, _) => vec![(doubt.start, doubt.end)],
                (true, true) => self.runs(index, start, doubt.end, usize::MAX),
                (true, false) => Vec::new(),
            };
            if runs.is_empty() {
                self.stats.cancelled += 1;
            } else if doubt.packets >= config.tolerance_packets && now >= doubt.since + config.tolerance {
                for (start, end) in runs {
                    self.nack(now, index, start, end, out);
                }
            } else {
                kept.push_back(doubt);
            }
        }
        self.table.get_mut(index).doubts = kept;
    }

    pub(super) fn renack(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        let flow = self.table.get(index);
        let (start, end) = (flow.expected, flow.edge);
        let most = if self.is(Fault::DepotRenackUnlimited) { usize::MAX } else { self.config.renack_max as usize };
        let runs = if self.is(Fault::DepotRenackWhole) { vec![(start, end)] } else { self.runs(index, start, end, most) };
        let runs = if self.is(Fault::DepotRenackNever) { Vec::new() } else { runs };
        self.stats.renacks += runs.len() as u64;
        for (start, end) in runs {
            self.nack(now, index, start, end, out);
        }
        self.restart_renack(now, index);
    }

    /// Timers that have run out.
    pub(super) fn expire(&mut self, now: u64, out: &mut Vec<Emit>) {
        while let Some(&Reverse((at, index))) = self.timers.peek() {
            if at > now {
                break;
            }
            self.timers.pop();
            let index = index as usize;
            if self.table.flows[index].as_ref().is_none_or(|flow| flow.scheduled != Some(at)) {
                continue;
            }
            self.look(now, index, out);
        }
    }

    /// What of one flow has run out.
    pub(super) fn look(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        self.table.get_mut(index).scheduled = None;
        let flow = self.table.get(index);
        if self.config.idle != 0 && now >= flow.seen + self.config.idle {
            self.flush(index);
            self.table.get_mut(index).seen = now;
        }
        if self.table.get(index).renack_at.is_some_and(|at| at <= now) {
            self.renack(now, index, out);
        }
        if self.table.get(index).retry_at.is_some_and(|at| at <= now) && !self.is(Fault::DepotNoTimeout) {
            self.retry(now, index, out);
        } else if self.is(Fault::DepotNoTimeout) {
            self.table.get_mut(index).retry_at = None;
        }
        if !self.table.get(index).doubts.is_empty() {
            let before_all = self.table.get(index).expected;
            self.doubt(now, index, sub(before_all, 1), out);
        }
        self.settle(index);
    }

    /// The output is busy for as long as `bytes` take.
    pub(super) fn occupy(&mut self, now: u64, bytes: u32) {
        self.line = self.line.max(now << 16) + u64::from(bytes) * self.config.line;
    }

    /// When something on the list may go.
    pub(super) fn next_release(&self) -> Option<u64> {
        let at = self.buckets.earliest(|index| Self::has_work(self.table.get(index)))?.max(self.line);
        Some(at.div_ceil(1 << 16))
    }

    /// The packet needs a slot, none is free, and what its own flow lets go will free one.
    pub(super) fn waits(&self, packet: &Packet, sound: bool) -> bool {
        if !sound || self.is(Fault::DepotDropsWhileDraining) || !matches!(packet.kind, Kind::Data | Kind::Request) {
            return false;
        }
        let Some(flow) = self.table.find(&packet.key).map(|index| self.table.get(index)) else { return false };
        let reach = self.params.reach;
        let quota = self.config.quota;
        let lawful = ahead(flow.expected, packet.psn) < reach && (quota == 0 || flow.used < quota);
        lawful && self.pools.full(flow, packet.psn) && !flow.bypass && flow.set && Self::has_work(flow) && flow.absent(packet.psn)
    }

    /// Lets in what has waited, as far as there is room.
    pub(super) fn admit(&mut self, now: u64, out: &mut Vec<Emit>) {
        while let Some((packet, sound)) = self.input.front().copied().filter(|(packet, sound)| !self.waits(packet, *sound)) {
            self.input.pop_front();
            self.take(now, packet, sound, out);
        }
    }

    /// Lets go what the buckets allow.
    pub(super) fn release(&mut self, now: u64, out: &mut Vec<Emit>) {
        let (pace, flow_pace) = if self.is(Fault::DepotUnpaced) { (0, 0) } else { (self.config.pace, self.config.flow_pace) };
        let clock = now << 16;
        while self.line <= clock {
            let Some(index) = self.buckets.next(clock, |index| Self::has_work(self.table.get(index))) else { break };
            let before = out.len();
            self.release_one(now, index, out);
            let bytes: u64 = out[before..].iter().filter(|emit| emit.onward).map(|emit| u64::from(emit.packet.bytes)).sum();
            self.buckets.charge(clock, index, bytes, pace, flow_pace);
            self.settle(index);
        }
    }

    pub(super) fn release_one(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        let flow = self.table.get_mut(index);
        if let Some((next, end)) = flow.replay {
            let Some(&copy) = flow.copy(next) else { return self.reopen(now, index, next, out) };
            let next = add(next, copy.span.max(1));
            flow.replay = before(next, end).then_some((next, end));
            if flow.replay.is_none() && flow.due.is_some() {
                flow.retry_at = Some(now + self.config.retry);
            }
            self.stats.replayed += 1;
            self.occupy(now, copy.bytes);
            out.push(Emit::onward(copy));
            return;
        }
        if let Some(&Slot::Held(packet)) = flow.slots.front() {
            self.pass(now, index, packet, out);
            if self.is(Fault::DepotDrainStops) {
                let flow = self.table.get_mut(index);
                self.pools.flush_slots(flow);
            }
        }
    }
}
