//! Sentry, near the sender: passes the Depot's NACKs on in a form that a card takes, and drops from the card's replay what nobody is
//! missing.
//!
//! What the contract leaves open is decided here:
//! - A NACK is *answered* when the card has gone back, that is, by a packet before `last`. A repeated packet of the pass that was under way
//!   before is none.
//! - A NACK that waits for its answer keeps back those whose gap starts at or after its own PSN. Below that the answer would not reach.
//! - An episode ends at its bound only after an answer: what the card sends before it has heard is new data.
//! - A Depot-NACK to a standard card's flow carries the Depot's `una`, which is an acknowledgement like any other.
//! - An ordinary NAK, or an RNR NAK, ends the episode: the receiving card has thrown away what follows, so the replay passes whole.
//! - The time between two Sentry-NACKs counts from the last one for the same `ePSN_s`; a loss after that is answered at once.
//! - A flow that starts unset does not know `una`: the packet that set it need not have been the first. Until something is acknowledged,
//!   nothing is asked for from a standard card: what is beyond a gap is forwarded, and the Depot finds the gap.
//! - A request that begins before `ePSN_s` and ends behind it moves `ePSN_s` to its end.
//! - An acknowledgement of what a box has not let on shows that its registers are not the cards': it starts unset again. The Depot has the
//!   same rule.
//! - Bits stand for `F` PSNs from `una`.
//! - With the probe, the highest PSN of an episode is always forwarded.

use super::bits::FilterBits;
use super::fault::Fault;
use super::packet::{Gap, Key, Kind, LR2_BYTES, Origin, PROBE_BYTES, Packet};
use super::params::{SentryConfig, SentryParams, Variant};
use super::table::{Entry, Mode, Table};
use super::{Emit, Gate, Verdict};
use crate::bitmap::psn::{add, ahead, before};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What of a replay is filtered: `[from, until)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Episode {
    from: u32,
    until: u32,
    since: u64,
    answered: bool,
    /// NACKs to which the card has not gone back yet
    owed: u32,
}

/// Whether a replay that nobody in the network asked for is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excuse {
    No,
    Waiting,
    Under,
}

#[derive(Clone, Debug)]
struct Flow {
    entry: Entry,
    bypass: bool,
    set: bool,
    /// `una` is known
    sure: bool,
    una: u32,
    /// `ePSN_s`
    expected: u32,
    /// the PSN after the card's most recent packet
    last: u32,
    bits: FilterBits,
    episode: Option<Episode>,
    /// when a NACK was passed that is not answered, and its PSN
    pending: Option<(u64, u32)>,
    nacked: Option<u64>,
    /// the last NACK that was passed or made: when, and what it said
    told: Option<(u64, u32)>,
    /// from when on a mark may be told again
    notify_at: u64,
    excuse: Excuse,
    strange: bool,
    msn: u32,
    seen: u64,
    scheduled: Option<u64>,
}

impl Flow {
    fn reach(&self) -> u32 {
        self.bits.reach()
    }
}

/// What a Sentry counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub untouched: u64,
    pub unsound: u64,
    pub forwarded: u64,
    pub asked: u64,
    pub filtered: u64,
    pub timeout_replays: u64,
    pub gaps: u64,
    pub sentry_nacks: u64,
    pub depot_nacks: u64,
    pub passed: u64,
    pub stale: u64,
    pub clipped: u64,
    pub episodes: u64,
    pub probes: u64,
    /// marks of packets that were dropped, told to the card
    pub cnps: u64,
    pub lives: u64,
    pub strange: u64,
    pub bypassed: u64,
    pub flushed: u64,
}

#[derive(Clone, Debug)]
pub struct Sentry {
    params: SentryParams,
    pub config: SentryConfig,
    table: Table<Flow>,
    timers: BinaryHeap<Reverse<(u64, u32)>>,
    pub stats: Stats,
}

impl Sentry {
    /// # Errors
    /// A parameter that cannot be.
    pub fn new(params: SentryParams, config: SentryConfig) -> Result<Sentry, String> {
        params.check()?;
        Ok(Sentry { params, config, table: Table::new(params.flows), timers: BinaryHeap::new(), stats: Stats::default() })
    }

    fn is(&self, fault: Fault) -> bool {
        self.params.fault == Some(fault)
    }

    /// `una`, `ePSN_s`, `last` of a flow.
    pub fn registers(&self, key: &Key) -> Option<(u32, u32, u32)> {
        self.table.find(key).map(|index| self.table.get(index)).map(|flow| (flow.una, flow.expected, flow.last))
    }

    /// The PSNs of an episode.
    pub fn episode(&self, key: &Key) -> Option<(u32, u32)> {
        self.table.find(key).and_then(|index| self.table.get(index).episode).map(|episode| (episode.from, episode.until))
    }

    fn restart(&mut self, index: usize, psn: u32) {
        let flow = self.table.get_mut(index);
        (flow.una, flow.expected, flow.last, flow.set, flow.strange) = (psn, psn, psn, true, false);
        flow.sure = false;
        (flow.episode, flow.pending, flow.nacked, flow.excuse) = (None, None, None, Excuse::No);
        flow.bits.clear();
    }

    /// What has run out by now.
    fn lapse(&mut self, now: u64, index: usize) {
        let config = self.config;
        let (endless, forever) = (self.is(Fault::SentryEpisodeNeverLapses), self.is(Fault::SentryWaitsForever));
        let flow = self.table.get_mut(index);
        if config.filter != 0 && flow.episode.is_some_and(|episode| now >= episode.since + config.filter) && !endless {
            flow.episode = None;
        }
        if flow.pending.is_some_and(|(since, _)| now >= since + config.local) && !forever {
            flow.pending = None;
        }
    }

    /// A NACK goes to the card.
    fn begin(&mut self, now: u64, index: usize, psn: u32) {
        self.stats.episodes += 1;
        let flow = self.table.get_mut(index);
        let from = flow.episode.map(|episode| episode.from).filter(|&from| before(from, psn)).unwrap_or(psn);
        let owed = flow.episode.map_or(0, |episode| episode.owed) + 1;
        flow.episode = Some(Episode { from, until: flow.expected, since: now, answered: false, owed });
        flow.pending = Some((now, psn));
        flow.told = Some((now, psn));
    }

    /// A packet that goes no further was marked: the card hears of it here, for the receiver never will.
    fn mark(&mut self, now: u64, index: usize, packet: &Packet, out: &mut Vec<Emit>) {
        let config = self.config;
        let flow = self.table.get_mut(index);
        if packet.marked && config.cnp != 0 && now >= flow.notify_at {
            flow.notify_at = now + config.cnp;
            self.stats.cnps += 1;
            out.push(Emit::back(Packet::cnp(flow.entry.reverse())).urgent());
        }
    }

    /// A NACK that says the same again so soon would cost a standard card one of its tries.
    fn spared(&self, now: u64, index: usize, psn: u32) -> bool {
        let flow = self.table.get(index);
        flow.entry.mode == Mode::Standard && flow.told.is_some_and(|(at, told)| told == psn && now < at + self.config.spare)
    }

    /// What a NACK to the card may say.
    fn harmless(&self, index: usize, gap: u32) -> u32 {
        let flow = self.table.get(index);
        if flow.entry.mode == Mode::Aware || self.is(Fault::SentryNackAtGap) { gap } else { flow.una }
    }

    fn data(&mut self, now: u64, index: usize, packet: Packet, out: &mut Vec<Emit>) -> Verdict {
        if !self.table.get(index).set {
            self.restart(index, packet.psn);
        }
        self.lapse(now, index);
        let flow = self.table.get_mut(index);
        flow.seen = now;
        let reach = flow.reach();
        let number = packet.psn;
        let past = !before(number, flow.expected) && ahead(flow.expected, number) > reach;
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
        let span = packet.span.max(1);
        let follow = self.config.follow;
        let flow = self.table.get_mut(index);
        flow.strange = false;
        if !flow.sure && before(number, flow.una) {
            flow.una = number;
        }
        let mute = !flow.sure && flow.entry.mode == Mode::Standard;
        let back = before(number, flow.last);
        flow.last = add(number, span);
        if before(number, flow.expected) {
            if back {
                flow.pending = None;
                flow.excuse = if flow.excuse == Excuse::Waiting { Excuse::Under } else { flow.excuse };
                // nobody has sent it back: its own time-out
                flow.episode = flow.episode.filter(|episode| !follow || episode.owed != 0);
                if let Some(episode) = &mut flow.episode {
                    if follow && !episode.answered {
                        episode.until = flow.expected;
                    }
                    episode.answered = true;
                    episode.owed = episode.owed.saturating_sub(1);
                }
            }
            if let Some(episode) = &mut flow.episode
                && follow
                && episode.answered
                && self.params.fault != Some(Fault::SentryFilterFromNack)
            {
                episode.since = now;
            }
            let verdict = self.repeated(index, packet, span, out);
            if verdict == Verdict::Filtered {
                self.mark(now, index, &packet, out);
            }
            self.finish(index);
            return verdict;
        }
        if number == flow.expected || mute || self.params.fault == Some(Fault::SentryForwardsGap) {
            flow.expected = add(number, span);
            flow.nacked = None;
            flow.excuse = if flow.excuse == Excuse::Under { Excuse::No } else { flow.excuse };
            self.finish(index);
            self.stats.forwarded += 1;
            out.push(Emit::onward(packet));
            return Verdict::Forwarded;
        }
        self.mark(now, index, &packet, out);
        self.gap(now, index, out);
        Verdict::Gap
    }

    /// Something was lost before it reached the Sentry.
    fn gap(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        self.stats.gaps += 1;
        let (always, once) = (self.is(Fault::SentryNacksEvery), self.is(Fault::SentryNacksOnce));
        let flow = self.table.get(index);
        let due = flow.nacked.is_none_or(|at| (now >= at + self.config.renack && !once) || always);
        if !due {
            return;
        }
        let psn = self.harmless(index, flow.expected);
        if self.spared(now, index, psn) {
            return;
        }
        self.begin(now, index, psn);
        let flow = self.table.get_mut(index);
        flow.nacked = Some(now);
        let nack = Packet { origin: Origin::Sentry, credits: 0, ..Packet::nak(flow.entry.reverse(), psn, flow.msn) };
        self.stats.sentry_nacks += 1;
        out.push(Emit::back(nack).urgent());
    }

    /// The card has sent up to the bound of the episode.
    fn finish(&mut self, index: usize) {
        let endless = self.is(Fault::SentryEpisodeEndless);
        let flow = self.table.get_mut(index);
        if flow.episode.is_some_and(|episode| episode.answered && !before(flow.last, episode.until)) && !endless {
            flow.episode = None;
        }
    }

    fn repeated(&mut self, index: usize, packet: Packet, span: u32, out: &mut Vec<Emit>) -> Verdict {
        let (kept, quiet) = (self.is(Fault::SentryBitStays), self.is(Fault::SentryNoPriority));
        let filters_all = self.is(Fault::SentryFiltersOutside);
        let request = packet.kind == Kind::Request && !self.is(Fault::SentryRequestFiltered);
        let (paper, unfiltered, probe) = (self.params.variant == Variant::Paper, self.config.unfiltered, self.config.probe != 0);
        let flow = self.table.get_mut(index);
        let number = packet.psn;
        let covered = |episode: Episode| !before(number, episode.from) && before(number, episode.until);
        let inside = if paper { packet.again } else { flow.episode.is_some_and(covered) || filters_all };
        let end = add(number, span);
        let highest = probe && flow.episode.is_some_and(|episode| end == episode.until);
        let asked = !before(number, flow.una) && ahead(flow.una, number) < flow.reach() && flow.bits.get(number);
        if asked && !kept {
            flow.bits.fill(number, span, false);
        }
        if request && before(flow.expected, end) {
            flow.expected = end;
        }
        if !inside || unfiltered || request {
            if !inside && flow.excuse == Excuse::No {
                self.stats.timeout_replays += 1;
            }
            out.push(Emit::onward(packet));
            return Verdict::Replayed;
        }
        if !asked && !highest {
            self.stats.filtered += 1;
            return Verdict::Filtered;
        }
        self.stats.asked += 1;
        let emit = Emit::onward(packet);
        out.push(if quiet { emit } else { emit.urgent() });
        Verdict::Asked
    }

    fn acknowledged(&mut self, index: usize, una: u32) {
        let flow = self.table.get_mut(index);
        if !flow.sure && before(una, flow.una) && ahead(una, flow.una) <= flow.reach() {
            flow.una = una;
        }
        let on = ahead(flow.una, una);
        if !flow.set || before(una, flow.una) {
            return;
        }
        if on > ahead(flow.una, flow.expected) {
            // its registers are not the cards': the next packet sets them
            (flow.set, flow.episode, flow.pending) = (false, None, None);
            self.stats.lives += 1;
            return;
        }
        flow.bits.fill(flow.una, on, false);
        (flow.una, flow.sure) = (una, true);
    }

    /// A Depot-NACK.
    fn depot_nack(&mut self, now: u64, index: usize, packet: Packet, out: &mut Vec<Emit>) -> Verdict {
        self.stats.depot_nacks += 1;
        let flow = self.table.get_mut(index);
        flow.msn = packet.msn;
        if flow.entry.mode == Mode::Standard {
            self.acknowledged(index, packet.psn);
        }
        self.lapse(now, index);
        let shift = u32::from(self.is(Fault::SentryBitsOffByOne));
        let (unclipped, past) = (self.is(Fault::SentryUnclipped), self.is(Fault::SentryPassesStale));
        let flow = self.table.get_mut(index);
        let (mut start, mut end) = (packet.gap.start, add(packet.gap.start, packet.gap.length));
        let mute = !flow.sure && flow.entry.mode == Mode::Standard;
        if !flow.set || mute || packet.gap.length == 0 || !before(flow.una, end) || !before(start, flow.expected) {
            self.stats.stale += 1;
            if past {
                out.push(Emit::back(Packet { psn: start, ..packet }).urgent());
            }
            return Verdict::Stale;
        }
        if before(start, flow.una) && !unclipped {
            start = flow.una;
            self.stats.clipped += 1;
        }
        if before(flow.expected, end) {
            end = flow.expected;
            self.stats.clipped += 1;
        }
        let reach = if ahead(flow.una, start) < flow.reach() { flow.reach() - ahead(flow.una, start) } else { 0 };
        flow.bits.fill(add(start, shift), ahead(start, end).min(reach), true);
        let reached = !before(start, flow.last) && self.params.fault != Some(Fault::SentryPassesAhead);
        let waits = flow.pending.is_some_and(|(_, psn)| !before(start, psn)) && self.params.fault != Some(Fault::SentryPassesEvery);
        if reached || waits {
            return Verdict::Noted;
        }
        let psn = self.harmless(index, start);
        if self.spared(now, index, psn) {
            return Verdict::Noted;
        }
        self.begin(now, index, psn);
        self.stats.passed += 1;
        let nack = Packet { psn, gap: Gap::default(), bytes: packet.bytes - LR2_BYTES, ..packet };
        let nack = if self.is(Fault::SentryKeepsHeader) { Packet { psn, ..packet } } else { nack };
        out.push(Emit::back(nack).urgent());
        Verdict::Passed
    }

    /// What is due of a flow by now: it is flushed, or the Depot is told how far it is.
    fn look(&mut self, now: u64, index: usize, out: &mut Vec<Emit>) {
        let config = self.config;
        let flow = self.table.get_mut(index);
        flow.scheduled = None;
        if !flow.set {
            // it has become unset since; the packet that sets it schedules anew
        } else if config.idle != 0 && now >= flow.seen + config.idle {
            flow.bits.clear();
            (flow.episode, flow.pending, flow.nacked, flow.seen) = (None, None, None, now);
            self.stats.flushed += 1;
        } else if config.probe != 0 && before(flow.una, flow.expected) && now >= flow.seen + config.probe && !flow.bypass {
            flow.seen = now;
            let gap = Gap { start: flow.una, length: 0, edge: flow.expected };
            let probe = Packet { key: flow.entry.key, kind: Kind::Probe, bytes: PROBE_BYTES, gap, ..Packet::default() };
            self.stats.probes += 1;
            out.push(Emit::onward(probe).urgent());
        }
        self.settle(index);
    }

    /// Looks at one flow: a box that goes over its flows in turn finds what is due somewhat later than [`tick`](Gate::tick).
    pub fn visit(&mut self, now: u64, key: &Key, out: &mut Vec<Emit>) {
        if let Some(index) = self.table.find(key) {
            self.look(now, index, out);
        }
    }

    fn settle(&mut self, index: usize) {
        let config = self.config;
        let flow = self.table.get_mut(index);
        let probe = (config.probe != 0 && flow.set && !flow.bypass && before(flow.una, flow.expected)).then(|| flow.seen + config.probe);
        let idle = (config.idle != 0 && flow.set).then(|| flow.seen + config.idle);
        if let Some(at) = [probe, idle].into_iter().flatten().min()
            && flow.scheduled.is_none_or(|scheduled| at < scheduled)
        {
            flow.scheduled = Some(at);
            self.timers.push(Reverse((at, index as u32)));
        }
    }
}

impl Gate for Sentry {
    fn open(&mut self, entry: &Entry) -> Result<(), String> {
        let initial = entry.initial.unwrap_or(0);
        let flow = Flow {
            entry: *entry,
            bypass: false,
            set: entry.initial.is_some(),
            sure: entry.initial.is_some(),
            una: initial,
            expected: initial,
            last: initial,
            bits: FilterBits::new(self.params.bits),
            episode: None,
            pending: None,
            nacked: None,
            told: None,
            notify_at: 0,
            excuse: Excuse::No,
            strange: false,
            msn: 0,
            seen: 0,
            scheduled: None,
        };
        self.table.open(entry, flow).map(|_| ())
    }

    fn close(&mut self, key: Key) {
        self.table.close(key);
    }

    fn onward(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        if !sound && !self.is(Fault::SentryUnsound) {
            self.stats.unsound += 1;
            return Verdict::Unsound;
        }
        let ours = matches!(packet.kind, Kind::Data | Kind::Request);
        let found = if ours { self.table.find(&packet.key) } else { None };
        let Some(index) = found.filter(|&index| !self.table.get(index).bypass) else {
            self.stats.untouched += 1;
            out.push(Emit::onward(packet));
            return Verdict::Untouched;
        };
        let verdict = self.data(now, index, packet, out);
        self.settle(index);
        verdict
    }

    fn back(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        if !sound && !self.is(Fault::SentryUnsound) {
            self.stats.unsound += 1;
            return Verdict::Unsound;
        }
        let ours = matches!(packet.kind, Kind::Ack | Kind::Nak | Kind::Rnr | Kind::Refusal | Kind::Response);
        let found = if ours { self.table.find_reverse(&packet.key) } else { None };
        let Some(index) = found.filter(|&index| !self.table.get(index).bypass) else {
            self.stats.untouched += 1;
            out.push(Emit::back(packet));
            return Verdict::Untouched;
        };
        let keeps = self.is(Fault::SentryRnrKeepsEpisode);
        let verdict = match (packet.kind, packet.origin) {
            (Kind::Nak, Origin::Depot) => self.depot_nack(now, index, packet, out),
            (kind, _) => {
                match kind {
                    Kind::Ack if self.is(Fault::SentryUnaStays) => {}
                    Kind::Ack | Kind::Response => self.acknowledged(index, add(packet.psn, 1)),
                    Kind::Nak | Kind::Rnr => {
                        self.acknowledged(index, packet.psn);
                        let flow = self.table.get_mut(index);
                        if !keeps {
                            (flow.episode, flow.pending, flow.excuse) = (None, None, Excuse::Waiting);
                        }
                    }
                    _ => {
                        self.table.get_mut(index).bypass = !self.is(Fault::SentryRefusalIgnored);
                        self.stats.bypassed += 1;
                    }
                }
                if kind == Kind::Ack {
                    self.table.get_mut(index).msn = packet.msn;
                }
                out.push(Emit::back(packet));
                Verdict::Untouched
            }
        };
        self.settle(index);
        verdict
    }

    fn tick(&mut self, now: u64, out: &mut Vec<Emit>) {
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

    fn wake(&self) -> Option<u64> {
        self.timers.peek().map(|&Reverse((at, _))| at)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let s = &self.stats;
        vec![
            ("untouched", s.untouched),
            ("unsound", s.unsound),
            ("forwarded", s.forwarded),
            ("asked", s.asked),
            ("filtered", s.filtered),
            ("timeout_replays", s.timeout_replays),
            ("gaps", s.gaps),
            ("sentry_nacks", s.sentry_nacks),
            ("depot_nacks", s.depot_nacks),
            ("passed", s.passed),
            ("stale", s.stale),
            ("clipped", s.clipped),
            ("episodes", s.episodes),
            ("probes", s.probes),
            ("cnps", s.cnps),
            ("lives", s.lives),
            ("strange", s.strange),
            ("bypassed", s.bypassed),
            ("flushed", s.flushed),
        ]
    }
}
