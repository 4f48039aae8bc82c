//! What the receiving card says.

use super::*;

impl Depot {
    /// Everything before `una` is with the receiving card. `false`: that cannot be.
    fn acknowledged(&mut self, now: u64, index: usize, una: u32, out: &mut Vec<Emit>) -> bool {
        let keep = self.is(Fault::DepotCopiesStay);
        let reach = self.params.reach;
        let flow = self.table.get_mut(index);
        if flow.set && !flow.sure {
            if before(una, flow.una) && ahead(una, flow.una) <= reach {
                (flow.una, flow.sure) = (una, true);
                self.pools.flush_copies(flow, add(una, reach));
            } else if ahead(flow.una, una) <= ahead(flow.una, flow.top) {
                flow.sure = true;
                let missing = flow.expected != flow.edge;
                let known = self.acknowledged(now, index, una, out);
                if missing {
                    self.renack(now, index, out);
                }
                return known;
            }
        }
        let flow = self.table.get_mut(index);
        if !flow.set || before(una, flow.una) {
            return false;
        }
        if ahead(flow.una, una) > ahead(flow.una, flow.top) {
            // its registers are not the cards': the next packet sets them
            self.flush(index);
            self.table.get_mut(index).set = false;
            self.stats.lives += 1;
            return false;
        }
        if una == flow.una {
            return true;
        }
        flow.una = una;
        if !keep {
            self.pools.acknowledge(flow, una);
        }
        flow.retries = 0;
        if before(flow.expected, una) {
            self.pools.advance(flow, una);
            self.restart_renack(now, index);
        }
        let flow = self.table.get_mut(index);
        if flow.due.is_some_and(|due| !before(una, due)) {
            (flow.due, flow.retry_at) = (None, None);
        } else if flow.due.is_some() {
            flow.retry_at = Some(now + self.config.retry);
        }
        if let Some((next, end)) = flow.replay {
            flow.replay = before(una, end).then_some((if before(next, una) { una } else { next }, end));
        }
        if flow.recover.is_some_and(|until| !before(una, until)) {
            flow.recover = None;
        }
        true
    }

    /// Sends again everything from `psn` on that was let on.
    fn replay(&mut self, now: u64, index: usize, psn: u32, out: &mut Vec<Emit>) {
        let one = self.is(Fault::DepotReplaysOne);
        let flow = self.table.get_mut(index);
        if !before(psn, flow.expected) {
            return;
        }
        if flow.copy(psn).is_none() {
            return self.reopen(now, index, psn, out);
        }
        let end = if one { add(psn, 1) } else { flow.expected };
        (flow.replay, flow.replay_from) = (Some((psn, end)), psn);
        if self.params.variant == Variant::Paper {
            flow.recover = Some(end);
        }
    }

    /// `T_out` has run out.
    pub(super) fn retry(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        let retries = self.config.retries;
        let flow = self.table.get_mut(index);
        flow.retry_at = Some(now + self.config.retry);
        if flow.replay.is_some() {
            return;
        }
        self.stats.timeouts += 1;
        let una = flow.una;
        if flow.retries >= retries {
            return self.reopen(now, index, una, out);
        }
        flow.retries += 1;
        self.replay(now, index, una, out);
    }

    fn sequence_error(&mut self, now: u64, index: usize, packet: Packet, out: &mut Vec<Emit>) -> Verdict {
        let wrong = self.is(Fault::DepotNakAcknowledges);
        let deaf = self.is(Fault::DepotReplayDeaf);
        let restarts = self.is(Fault::DepotReplayRestarts);
        if !self.acknowledged(now, index, packet.psn, out) {
            out.push(Emit::back(packet));
            return Verdict::Stale;
        }
        let flow = self.table.get_mut(index);
        flow.msn = packet.msn;
        self.stats.naks += 1;
        let ack = Packet {
            kind: Kind::Ack,
            credits: flow.credits,
            psn: if wrong { packet.psn } else { sub(packet.psn, 1) },
            echo: packet.echo && self.params.fault != Some(Fault::DepotNakLosesEcho),
            ..packet
        };
        let ack = if self.is(Fault::DepotNakPasses) { packet } else { ack };
        out.push(Emit::back(ack));
        let flow = self.table.get(index);
        if flow.replay.is_some() && (flow.replay_from == packet.psn || deaf) && !restarts {
            self.stats.naks_in_replay += 1;
        } else {
            self.replay(now, index, packet.psn, out);
        }
        Verdict::Intercepted
    }

    pub(super) fn answer(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        let verdict = self.said(now, packet, sound, out);
        if !matches!(verdict, Verdict::Unsound) {
            self.release(now, out);
            self.admit(now, out);
        }
        verdict
    }

    /// What is decided about it: nothing leaves the pools.
    pub(super) fn said(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        if !sound && !self.is(Fault::DepotUnsound) {
            self.stats.unsound += 1;
            return Verdict::Unsound;
        }
        let ours =
            matches!(packet.kind, Kind::Ack | Kind::Nak | Kind::Rnr | Kind::Refusal | Kind::Response) && packet.origin == Origin::Card;
        let found = if ours { self.table.find_reverse(&packet.key) } else { None };
        let Some(index) = found.filter(|&index| !self.table.get(index).bypass) else {
            self.stats.untouched += 1;
            out.push(Emit::back(packet));
            return Verdict::Untouched;
        };
        let verdict = match packet.kind {
            Kind::Nak => self.sequence_error(now, index, packet, out),
            Kind::Ack | Kind::Response => {
                let known = self.acknowledged(now, index, add(packet.psn, 1), out);
                if known && packet.kind == Kind::Ack {
                    let flow = self.table.get_mut(index);
                    (flow.msn, flow.credits) = (packet.msn, packet.credits);
                }
                out.push(Emit::back(packet));
                Verdict::Untouched
            }
            Kind::Rnr => {
                if self.acknowledged(now, index, packet.psn, out) && !self.is(Fault::DepotRnrHolds) {
                    let flow = self.table.get_mut(index);
                    self.pools.flush_slots(flow);
                    self.pools.flush_copies(flow, packet.psn);
                    flow.doubts.clear();
                    (flow.expected, flow.edge, flow.replay, flow.recover) = (packet.psn, packet.psn, None, None);
                    (flow.due, flow.retry_at, flow.renack_at) = (None, None, None);
                }
                out.push(Emit::back(packet));
                Verdict::Untouched
            }
            _ => {
                if !self.is(Fault::DepotRefusalIgnored) {
                    self.flush(index);
                    self.table.get_mut(index).bypass = true;
                    self.stats.bypassed += 1;
                }
                out.push(Emit::back(packet));
                Verdict::Untouched
            }
        };
        self.settle(index);
        verdict
    }
}
