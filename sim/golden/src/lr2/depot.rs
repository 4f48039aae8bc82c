//! Depot, near the receiver: holds what arrives before its turn, asks the Sentry for what is missing, and sends again itself what the
//! receiving data centre loses.
//!
//! What the contract leaves open is decided here:
//! - `ePSN` is the first PSN that has not been let on. What a filled hole makes forwardable stays in its slot until the buckets let it go,
//!   so a flow that drains is one whose slot of `ePSN` is valid, and a packet that arrives meanwhile is one more beyond `ePSN`.
//! - "Past the expected" of a new life of the queue pair is past `ePSN_D`: past `ePSN` a card without a window may send more than `R` while
//!   a hole is open. The first packet so far off passes as it came and moves nothing, the next one, if it is as far off, begins the new
//!   life with its own PSN.
//! - An acknowledgement counts up to the highest PSN ever let on, also behind a reopened gap: what the card has need not come again. `ePSN`
//!   follows it.
//! - A NAK of another PSN during a replay says that the replay itself has lost that packet: the replay begins anew there.
//! - A packet of a flow that drains or replays waits at the input while the pool is full, and everything behind it: time alone frees a
//!   slot. A packet of another flow is dropped, and so is one beyond the flow's quota or `R`, for one flow must not hold up the others.
//! - A request that reaches into PSNs which are held (a READ asked for anew, from further back) takes their slots; the rest of what it
//!   pushes out is absent.
//! - In a replay, the first PSN without a copy ends it and is reopened, for the card has thrown away everything behind.
//! - READ requests and their like do not arm `T_out`: there is no copy of them, and a slow answer is no loss.
//! - A held READ request occupies the valid bits of all its PSNs. One that is dropped because the pool is full moves `ePSN_D` behind all of
//!   them.
//! - A request that begins before `ePSN` and ends behind it (a READ asked for again after `ePSN` was set back into its answer) moves `ePSN`
//!   to its end.
//! - A probe never goes on, whosever it is.
//! - Tolerance waits for its packets **and** its ticks.
//! - A flow that starts unset does not know `una`: the packet that set it need not have been the first. Until the receiving card has said
//!   something there is no NACK to a standard card, and a packet below starts the flow anew. Then what is missing is told at once.
//! - The map of a flow is a ring of `R` PSNs, so its first and its last PSNs may share a segment. The copies have a ring of `R` too: a
//!   packet `R` or more past `una` gets none, as if the backup pool were full. When `ePSN` goes back, what is held `R` or more past it is
//!   dropped. When the receiving card says of a flow that started unset that `una` lies further back, so are the copies `R` or more past
//!   it.
//! - A request is held only if as many segments of the map are free as it touches.
//! - Packets that are forwarded as they arrive use the output first and no tokens. What waits for tokens starts when the output is free.

mod back;
mod buckets;
mod pools;
mod release;
mod steps;

use super::fault::Fault;
use super::packet::{ACK_BYTES, Gap, Key, Kind, LR2_BYTES, Origin, Packet};
use super::params::{DepotConfig, DepotParams, Variant};
use super::table::{Entry, Mode, Table};
use super::{Emit, Gate, Verdict};
use crate::bitmap::psn::{add, ahead, before, sub};
pub use buckets::Buckets;
use pools::{Pools, Slot};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// A gap that tolerance has not let through yet.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    start: u32,
    end: u32,
    packets: u32,
    since: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Flow {
    entry: Entry,
    bypass: bool,
    /// the registers hold something
    set: bool,
    /// `una` is known: the entry had an initial PSN, or the receiving card has said something
    sure: bool,
    /// first PSN that the receiving card has not acknowledged
    una: u32,
    /// `ePSN`
    expected: u32,
    /// `ePSN_D`
    edge: u32,
    /// behind the highest PSN that was let on
    top: u32,
    /// from `ePSN` on; what is beyond the end is absent
    slots: VecDeque<Slot>,
    /// slots of the pool
    used: usize,
    /// valid bits in each segment of the map
    segments: BTreeMap<u32, u32>,
    /// in order
    copies: VecDeque<Packet>,
    /// the next and the end of what is sent again from the backup pool
    replay: Option<(u32, u32)>,
    /// where it began: a NAK of that PSN asks for nothing new
    replay_from: u32,
    /// `paper`: everything is held until the acknowledgement is there
    recover: Option<u32>,
    msn: u32,
    credits: u8,
    strange: bool,
    /// behind the last PSN whose acknowledgement was asked for
    due: Option<u32>,
    retry_at: Option<u64>,
    retries: u32,
    renack_at: Option<u64>,
    reacked: Option<u64>,
    seen: u64,
    doubts: VecDeque<Doubt>,
    scheduled: Option<u64>,
}

impl Flow {
    fn new(entry: &Entry) -> Flow {
        let initial = entry.initial.unwrap_or(0);
        Flow {
            entry: *entry,
            bypass: false,
            set: entry.initial.is_some(),
            sure: entry.initial.is_some(),
            una: initial,
            expected: initial,
            edge: initial,
            top: initial,
            slots: VecDeque::new(),
            used: 0,
            segments: BTreeMap::new(),
            copies: VecDeque::new(),
            replay: None,
            replay_from: initial,
            recover: None,
            msn: 0,
            credits: 0x1f,
            strange: false,
            due: None,
            retry_at: None,
            retries: 0,
            renack_at: None,
            reacked: None,
            seen: 0,
            doubts: VecDeque::new(),
            scheduled: None,
        }
    }

    fn absent(&self, psn: u32) -> bool {
        !matches!(self.slots.get(ahead(self.expected, psn) as usize), Some(Slot::Held(_) | Slot::Covered))
    }

    fn drains(&self) -> bool {
        matches!(self.slots.front(), Some(Slot::Held(_)))
    }

    fn copy(&self, psn: u32) -> Option<&Packet> {
        let at = self.copies.partition_point(|copy| before(copy.psn, psn));
        self.copies.get(at).filter(|copy| copy.psn == psn)
    }
}

/// What a Depot counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub untouched: u64,
    pub unsound: u64,
    pub forwarded: u64,
    pub held: u64,
    pub duplicates: u64,
    pub full: u64,
    pub gaps: u64,
    /// Depot-NACKs, those of `renack` among them
    pub nacks: u64,
    pub renacks: u64,
    /// losses of the receiving data centre, told by its card
    pub naks: u64,
    pub naks_in_replay: u64,
    pub replayed: u64,
    pub timeouts: u64,
    pub reopened: u64,
    pub uncopied: u64,
    pub reacks: u64,
    pub lives: u64,
    pub strange: u64,
    pub flushed: u64,
    pub cancelled: u64,
    pub bypassed: u64,
    /// packets that waited at the input, and the most bytes of them at once
    pub waited: u64,
    pub peak_waiting_bytes: u64,
    pub peak_bytes: u64,
    pub peak_slots: u64,
    pub peak_backup_bytes: u64,
}

#[derive(Clone, Debug)]
pub struct Depot {
    params: DepotParams,
    pub config: DepotConfig,
    table: Table<Flow>,
    pools: Pools,
    /// what has arrived and finds no room, with the soundness of each
    input: VecDeque<(Packet, bool)>,
    buckets: Buckets,
    timers: BinaryHeap<Reverse<(u64, u32)>>,
    /// when the output is free, in 1/65536 ticks
    line: u64,
    pub stats: Stats,
}

impl Depot {
    /// # Errors
    /// A parameter that cannot be.
    pub fn new(params: DepotParams, config: DepotConfig) -> Result<Depot, String> {
        params.check()?;
        if params.variant == Variant::Paper && config.renack != 0 {
            return Err(format!("renack {}: the paper's Depot never asks twice; set it to 0", config.renack));
        }
        let (table, pools) = (Table::new(params.flows), Pools::new(&params));
        let (buckets, timers) = (Buckets::new(params.flows), BinaryHeap::new());
        Ok(Depot { params, config, table, pools, input: VecDeque::new(), buckets, timers, line: 0, stats: Stats::default() })
    }

    fn is(&self, fault: Fault) -> bool {
        self.params.fault == Some(fault)
    }

    /// `una`, `ePSN`, `ePSN_D` of a flow.
    pub fn registers(&self, key: &Key) -> Option<(u32, u32, u32)> {
        self.table.find(key).map(|index| self.table.get(index)).map(|flow| (flow.una, flow.expected, flow.edge))
    }

    /// Slots, backup slots and map segments in use.
    pub fn in_use(&self) -> (usize, usize, usize) {
        (self.pools.slots, self.pools.backups, self.pools.segments)
    }

    /// Everything that a flow holds is dropped; its registers stay but for `ePSN_D`, which falls back to `ePSN`.
    fn flush(&mut self, index: usize) {
        let flow = self.table.get_mut(index);
        self.stats.flushed += flow.used as u64 + flow.copies.len() as u64;
        self.pools.flush_slots(flow);
        self.pools.flush_copies(flow, flow.una);
        flow.edge = flow.expected;
        flow.doubts.clear();
        (flow.replay, flow.recover, flow.due, flow.retry_at, flow.renack_at, flow.retries) = (None, None, None, None, None, 0);
    }

    fn restart(&mut self, index: usize, psn: u32) {
        self.flush(index);
        let flow = self.table.get_mut(index);
        (flow.una, flow.expected, flow.edge, flow.top, flow.set, flow.strange) = (psn, psn, psn, psn, true, false);
        flow.sure = false;
    }

    /// A packet in order goes on: `ePSN` and, if it was there, `ePSN_D` advance.
    fn pass(&mut self, now: u64, index: usize, packet: Packet, out: &mut Vec<Emit>) {
        let span = if self.is(Fault::DepotRequestOne) { 1 } else { packet.span.max(1) };
        let copied = packet.kind == Kind::Data || self.is(Fault::DepotRequestCopied);
        let wanted = copied && !self.is(Fault::DepotNoCopy);
        let flow = self.table.get_mut(index);
        let near = ahead(flow.una, packet.psn) < self.params.reach;
        if !(wanted && near && self.pools.copy(flow, packet)) && copied {
            self.stats.uncopied += 1;
        }
        self.stats.peak_backup_bytes = self.pools.peak_backup_bytes;
        self.pools.advance(flow, add(flow.expected, span));
        if before(flow.top, flow.expected) {
            flow.top = flow.expected;
        }
        if packet.kind == Kind::Data && (packet.ack_request || packet.last) && self.config.retry != 0 {
            flow.due = Some(flow.expected);
            flow.retry_at = flow.retry_at.or(Some(now + self.config.retry));
        }
        self.restart_renack(now, index);
        self.stats.forwarded += 1;
        self.occupy(now, packet.bytes);
        out.push(Emit::onward(packet));
    }

    fn restart_renack(&mut self, now: u64, index: usize) {
        let flow = self.table.get_mut(index);
        flow.renack_at = (flow.expected != flow.edge && self.config.renack != 0).then_some(now + self.config.renack);
    }

    /// A Depot-NACK for `[start, end)`.
    fn nack(&mut self, now: u64, index: usize, start: u32, end: u32, out: &mut Vec<Emit>) {
        let (edge, off_by_one, long) = (self.is(Fault::DepotNackAtGap), self.is(Fault::DepotGapOffByOne), self.is(Fault::DepotGapTooLong));
        let start = if off_by_one { add(start, 1) } else { start };
        let end = if long { add(end, 1) } else { end };
        self.restart_renack(now, index);
        let flow = self.table.get_mut(index);
        if !flow.sure && flow.entry.mode == Mode::Standard {
            return;
        }
        let psn = if flow.entry.mode == Mode::Aware || edge { start } else { flow.una };
        let nack = Packet {
            origin: Origin::Depot,
            credits: 0,
            bytes: ACK_BYTES + LR2_BYTES,
            gap: Gap { start, length: ahead(start, end), edge: flow.edge },
            ..Packet::nak(flow.entry.reverse(), psn, flow.msn)
        };
        self.stats.nacks += 1;
        out.push(Emit::back(nack).urgent());
    }

    /// `[start, end)` is missing.
    fn announce(&mut self, now: u64, index: usize, start: u32, end: u32, out: &mut Vec<Emit>) {
        self.stats.gaps += 1;
        if (self.config.tolerance_packets == 0 && self.config.tolerance == 0) || self.is(Fault::DepotNoTolerance) {
            return self.nack(now, index, start, end, out);
        }
        self.table.get_mut(index).doubts.push_back(Doubt { start, end, packets: 0, since: now });
    }

    /// The maximal runs of absent PSNs in `[start, end)`, lowest first, at most `most`.
    fn runs(&self, index: usize, start: u32, end: u32, most: usize) -> Vec<(u32, u32)> {
        let flow = self.table.get(index);
        let mut runs = Vec::new();
        let mut at = start;
        while at != end && runs.len() < most {
            // beyond the slots everything is absent
            if ahead(flow.expected, at) as usize >= flow.slots.len() {
                runs.push((at, end));
                break;
            }
            if !flow.absent(at) {
                at = add(at, 1);
                continue;
            }
            let first = at;
            while at != end && flow.absent(at) && (ahead(flow.expected, at) as usize) < flow.slots.len() {
                at = add(at, 1);
            }
            let tail = at != end && ahead(flow.expected, at) as usize >= flow.slots.len();
            runs.push((first, if tail { end } else { at }));
            if tail {
                break;
            }
        }
        runs
    }

    /// `psn` was let on and is lost without a copy: from there on everything has to come again.
    fn reopen(&mut self, now: u64, index: usize, psn: u32, out: &mut Vec<Emit>) {
        let (drop, silent) = (self.is(Fault::DepotReopenDrops), self.is(Fault::DepotReopenSilent));
        let reach = self.params.reach;
        let flow = self.table.get_mut(index);
        let old = flow.expected;
        self.stats.reopened += 1;
        (flow.replay, flow.due, flow.retry_at, flow.retries) = (None, None, None, 0);
        self.pools.flush_copies(flow, psn);
        if drop {
            self.pools.flush_slots(flow);
        }
        self.pools.fall_back(flow, psn, reach);
        self.restart_renack(now, index);
        if !silent && psn != old {
            self.announce(now, index, psn, old, out);
        }
    }

    /// Tries to hold a packet beyond `ePSN`, or one that has to wait its turn.
    fn hold(&mut self, index: usize, packet: Packet) -> Verdict {
        let quota = if self.is(Fault::DepotNoQuota) { 0 } else { self.config.quota };
        let span = packet.span.max(1);
        let flow = self.table.get_mut(index);
        let held = self.pools.hold(flow, packet, self.params.reach, quota);
        let end = add(packet.psn, span);
        if before(flow.edge, end) && (held || self.params.fault != Some(Fault::DepotFullKeepsEdge)) {
            flow.edge = end;
        }
        if !held {
            self.stats.full += 1;
            return Verdict::Full;
        }
        self.stats.held += 1;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.pools.bytes);
        self.stats.peak_slots = self.stats.peak_slots.max(self.pools.slots as u64);
        Verdict::Held
    }

    fn data(&mut self, now: u64, index: usize, packet: Packet, out: &mut Vec<Emit>) -> Verdict {
        let reach = self.params.reach;
        let number = packet.psn;
        let flow = self.table.get_mut(index);
        if !flow.set {
            self.restart(index, number);
        }
        let flow = self.table.get_mut(index);
        flow.seen = now;
        let past = !before(number, flow.edge) && ahead(flow.edge, number) > reach;
        let below = before(number, flow.una) && ahead(number, flow.una) > reach;
        if past || below {
            if !flow.strange {
                flow.strange = true;
                self.stats.strange += 1;
                out.push(Emit::onward(packet));
                return Verdict::Strange;
            }
            self.stats.lives += 1;
            self.restart(index, number);
        }
        let flow = self.table.get(index);
        if !flow.sure && before(number, flow.una) {
            self.restart(index, number);
        }
        let flow = self.table.get_mut(index);
        flow.strange = false;
        let request = packet.kind == Kind::Request && self.params.fault != Some(Fault::DepotRequestDropped);
        if before(number, flow.expected) {
            return self.below(now, index, packet, request, out);
        }
        if number == flow.expected && !flow.drains() {
            // while something waits that was let on before, it has its turn behind that
            if flow.replay.is_none() && flow.recover.is_none() {
                self.pass(now, index, packet, out);
                return Verdict::Forwarded;
            }
            return self.hold(index, packet);
        }
        if !flow.absent(number) && !self.is(Fault::DepotHoldsTwice) {
            self.stats.duplicates += 1;
            return Verdict::Duplicate;
        }
        if self.is(Fault::DepotForwardsOutOfOrder) || (self.is(Fault::DepotOvertakes) && self.table.get(index).drains()) {
            out.push(Emit::onward(packet));
            return Verdict::Forwarded;
        }
        let old = self.table.get(index).edge;
        let verdict = self.hold(index, packet);
        if before(old, number) {
            let end = if verdict == Verdict::Full && self.is(Fault::DepotFullNacksDropped) { add(number, 1) } else { number };
            self.announce(now, index, old, end, out);
        } else if self.is(Fault::DepotEdgeNotMoved) {
            self.announce(now, index, self.table.get(index).expected, number, out);
        }
        if !self.table.get(index).doubts.is_empty() {
            self.doubt(now, index, number, out);
        }
        verdict
    }

    /// A packet that was let on before.
    fn below(&mut self, now: u64, index: usize, packet: Packet, request: bool, out: &mut Vec<Emit>) -> Verdict {
        let keep = self.is(Fault::DepotDuplicateForwarded);
        let flow = self.table.get_mut(index);
        if request {
            let end = add(packet.psn, packet.span.max(1));
            if before(flow.expected, end) {
                self.pools.advance(flow, end);
                flow.top = if before(flow.top, end) { end } else { flow.top };
                self.restart_renack(now, index);
            }
            out.push(Emit::onward(packet));
            return Verdict::Replayed;
        }
        if !before(packet.psn, flow.una) {
            if flow.copy(packet.psn).is_some() && !keep {
                self.stats.duplicates += 1;
                return Verdict::Duplicate;
            }
            out.push(Emit::onward(packet));
            return Verdict::Replayed;
        }
        if self.params.variant == Variant::Paper {
            self.pools.flush_slots(flow);
            (flow.expected, flow.edge, flow.replay, flow.recover) = (flow.una, flow.una, None, None);
            self.pools.flush_copies(flow, flow.una);
            out.push(Emit::onward(packet));
            return Verdict::Replayed;
        }
        let (una, msn, credits, reverse, reacked) = (flow.una, flow.msn, flow.credits, flow.entry.reverse(), flow.reacked);
        let wait = if self.is(Fault::DepotReackAlways) { 0 } else { self.config.reack };
        if reacked.is_none_or(|at| now >= at + wait) && !self.is(Fault::DepotNoReack) {
            self.table.get_mut(index).reacked = Some(now);
            self.stats.reacks += 1;
            out.push(Emit::back(Packet { credits, ..Packet::ack(reverse, sub(una, 1), msn) }));
        }
        Verdict::Reacknowledged
    }

    /// What a Sentry says of the end of a flow that has fallen silent.
    fn probe(&mut self, now: u64, index: usize, edge: u32, out: &mut Vec<Emit>) {
        let reach = self.params.reach;
        let flow = self.table.get_mut(index);
        flow.seen = now;
        let old = flow.edge;
        if flow.set && before(old, edge) && ahead(old, edge) <= reach {
            flow.edge = edge;
            self.announce(now, index, old, edge, out);
        }
    }

    /// A packet that the input lets in.
    fn take(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        let verdict = self.admitted(now, packet, sound, out);
        self.release(now, out);
        verdict
    }

    /// What is decided about it: nothing leaves the pools.
    fn admitted(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        if !sound && !self.is(Fault::DepotUnsound) {
            self.stats.unsound += 1;
            return Verdict::Unsound;
        }
        let ours = matches!(packet.kind, Kind::Data | Kind::Request | Kind::Probe);
        let found = if ours { self.table.find(&packet.key) } else { None };
        let Some(index) = found.filter(|&index| !self.table.get(index).bypass) else {
            if packet.kind == Kind::Probe {
                return Verdict::Consumed;
            }
            self.stats.untouched += 1;
            self.occupy(now, packet.bytes);
            out.push(Emit::onward(packet));
            return Verdict::Untouched;
        };
        let verdict = if packet.kind == Kind::Probe {
            self.probe(now, index, packet.gap.edge, out);
            Verdict::Consumed
        } else {
            self.data(now, index, packet, out)
        };
        self.settle(index);
        verdict
    }
}

impl Gate for Depot {
    fn open(&mut self, entry: &Entry) -> Result<(), String> {
        self.close(entry.key);
        self.table.open(entry, Flow::new(entry)).map(|_| ())
    }

    fn close(&mut self, key: Key) {
        if let Some(index) = self.table.find(&key) {
            self.flush(index);
            self.buckets.forget(index);
            self.table.close(key);
        }
    }

    fn onward(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        if !self.input.is_empty() || self.waits(&packet, sound) {
            self.input.push_back((packet, sound));
            self.stats.waited += 1;
            let bytes = self.input.iter().map(|(packet, _)| u64::from(packet.bytes)).sum();
            self.stats.peak_waiting_bytes = self.stats.peak_waiting_bytes.max(bytes);
            return Verdict::Waits;
        }
        self.take(now, packet, sound, out)
    }

    fn back(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        self.answer(now, packet, sound, out)
    }

    fn tick(&mut self, now: u64, out: &mut Vec<Emit>) {
        self.expire(now, out);
        self.release(now, out);
        self.admit(now, out);
    }

    fn wake(&self) -> Option<u64> {
        let timer = self.timers.peek().map(|&Reverse((at, _))| at);
        let due = self.input.front().is_some_and(|(packet, sound)| !self.waits(packet, *sound)).then_some(0);
        [timer, self.next_release(), due].into_iter().flatten().min()
    }

    fn held(&self) -> (u64, u64) {
        (self.pools.bytes, self.pools.backup_bytes)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let s = &self.stats;
        vec![
            ("untouched", s.untouched),
            ("unsound", s.unsound),
            ("forwarded", s.forwarded),
            ("held", s.held),
            ("duplicates", s.duplicates),
            ("full", s.full),
            ("gaps", s.gaps),
            ("nacks", s.nacks),
            ("renacks", s.renacks),
            ("naks", s.naks),
            ("naks_in_replay", s.naks_in_replay),
            ("replayed", s.replayed),
            ("timeouts", s.timeouts),
            ("reopened", s.reopened),
            ("uncopied", s.uncopied),
            ("reacks", s.reacks),
            ("lives", s.lives),
            ("strange", s.strange),
            ("flushed", s.flushed),
            ("cancelled", s.cancelled),
            ("bypassed", s.bypassed),
            ("waited", s.waited),
            ("peak_waiting_bytes", s.peak_waiting_bytes),
            ("peak_bytes", s.peak_bytes),
            ("peak_slots", s.peak_slots),
            ("peak_backup_bytes", s.peak_backup_bytes),
        ]
    }
}
