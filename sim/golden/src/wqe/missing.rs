//! What has failed and is asked for, and what is forgotten because nothing comes any more: everything that time decides.
//!
//! A packet fails `t_fail` ticks after the earlier of two moments: its WQE opened or last advanced; a packet with a higher PSN was first
//! seen. At least `t_fail` full ticks pass, at most one more and a scan period. One *round* asks for everything of a WQE that has failed,
//! with as many indications as it takes; the next round of it comes `refeedback` ticks later. Packets whose WQE nobody knows have rounds of
//! their own.

use super::entry::{Entry, Place, Round, Store};
use super::queue_pair::QueuePair;
use super::receiver::Receiver;
use super::{Fault, Indication};
use crate::bitmap::psn;
use crate::registry::{Mismatch, mismatch};

/// Something that is asked for in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// the WQE that is so many after the oldest
    Wqe(usize),
    Unknown,
}

/// A packet that is asked for when it has failed, and since when it is absent.
type Absent = (u32, u64);

impl QueuePair {
    fn units(&self) -> impl Iterator<Item = Unit> {
        let open = (0..self.entries.len()).filter(|&at| self.entries[at].is_some());
        open.map(Unit::Wqe).chain([Unit::Unknown])
    }

    fn unit_name(&self, unit: Unit) -> Option<u32> {
        let Unit::Wqe(at) = unit else { return None };
        self.entries.get(at)?.as_ref().map(|entry| entry.claim.sequence)
    }

    fn round(&mut self, unit: Unit) -> Option<&mut Round> {
        match unit {
            Unit::Wqe(at) => self.entries.get_mut(at)?.as_mut().map(|entry| &mut entry.round),
            Unit::Unknown => Some(&mut self.unknown),
        }
    }

    /// Packets of a unit that can be asked for, in order.
    fn absent(&self, unit: Unit, bitmap: u32) -> Vec<Absent> {
        match unit {
            Unit::Wqe(at) => self.entries.get(at).and_then(Option::as_ref).map_or(Vec::new(), |entry| self.absent_of(at, entry, bitmap)),
            Unit::Unknown => self.absent_unknown(),
        }
    }

    fn absent_of(&self, at: usize, entry: &Entry, bitmap: u32) -> Vec<Absent> {
        let first = entry.first_missing();
        let end = match (entry.place, &entry.store) {
            (Place::Refused(_), _) => 0,
            (Place::Unknown, Store::Deferred) if self.is(Fault::ReceiverDeferredAsked) => entry.claim.count,
            (Place::Unknown, Store::Deferred) if at == 0 && !entry.claim.is_send && entry.reth.is_none() => 1,
            (Place::Unknown, Store::Deferred) => 0,
            _ => entry.claim.count.min(first + bitmap),
        };
        let number = |index: u32| psn::add(entry.claim.base, index);
        let since = |index: u32| {
            let overtaken = self.overtaken(number(index));
            if self.is(Fault::ReceiverTailNotAsked) {
                return overtaken.unwrap_or(u64::MAX);
            }
            overtaken.map_or(entry.advanced, |when| when.min(entry.advanced))
        };
        entry.missing(first.min(end), end).map(|index| (number(index), since(index))).collect()
    }

    /// Packets up to the highest seen that no open WQE and no request has.
    fn absent_unknown(&self) -> Vec<Absent> {
        if self.is(Fault::ReceiverLostWholeNotAsked) {
            return Vec::new();
        }
        let open = self.entries.iter().flatten().map(|entry| (entry.claim.base, entry.claim.count));
        let waiting = self.requests.iter().map(|request| (request.packet.psn, request.span));
        let mut known: Vec<(i64, i64)> =
            open.chain(waiting).map(|(from, count)| (self.place_of(from), self.place_of(from) + i64::from(count))).collect();
        known.sort_unstable();
        let end = self.place_of(self.highest());
        let (mut cursor, mut absent) = (0, Vec::new());
        for (from, to) in known.into_iter().chain([(end, end)]) {
            absent.extend((cursor..from.min(end)).map(|at| {
                let number = psn::add(self.edge, at as u32);
                (number, self.overtaken(number).unwrap_or(u64::MAX))
            }));
            cursor = cursor.max(to);
        }
        absent
    }
}

impl Receiver {
    /// It is `now`: decides everything whose time has come by itself.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        if now < self.scanned + u64::from(self.params.scan) {
            return;
        }
        self.scanned = now;
        for qp in self.queue_pairs.keys().copied().collect::<Vec<u32>>() {
            self.scan(qp);
        }
    }

    fn scan(&mut self, qp: u32) {
        let (now, bitmap) = (self.now, self.params.bitmap);
        let fault = self.params.fault;
        let t_fail = if fault == Some(Fault::ReceiverFailsAtOnce) { 0 } else { self.config.t_fail };
        let Some(at) = self.queue_pairs.get(&qp) else { return };
        let idle: Vec<u32> =
            at.entries.iter().flatten().filter(|entry| self.is_idle(entry, now)).map(|entry| entry.claim.sequence).collect();
        if fault != Some(Fault::ReceiverNeverIdle) {
            idle.into_iter().for_each(|sequence| self.idle(qp, sequence));
        }
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        for unit in at.units().collect::<Vec<Unit>>() {
            let asked = at.round(unit).and_then(|round| round.asked);
            let again = match fault {
                Some(Fault::ReceiverRefeedbackUnlimited) => true,
                Some(Fault::ReceiverAsksOnce) => asked.is_none(),
                _ => asked.is_none_or(|asked| passed(now, asked, self.config.refeedback)),
            };
            if !again {
                continue;
            }
            let failed: Vec<u32> =
                at.absent(unit, bitmap).into_iter().filter(|&(_, since)| passed(now, since, t_fail)).map(|(at, _)| at).collect();
            let (Some(&first), Some(&last)) = (failed.first(), failed.last()) else { continue };
            let name = match fault {
                Some(Fault::ReceiverUnknownUnsaid) => at.unit_name(unit).or(Some(at.wqe_base)),
                _ => at.unit_name(unit),
            };
            let (messages, named) = gather(qp, name, first, &failed, fault);
            self.counters.indications += messages.len() as u64;
            self.counters.indicated += named;
            self.counters.indicated_unknown += if unit == Unit::Unknown { named } else { 0 };
            self.indications.extend(messages);
            if let Some(round) = at.round(unit) {
                *round = Round { asked: Some(now), told: psn::add(last, 1) };
            }
        }
    }

    fn is_idle(&self, entry: &Entry, now: u64) -> bool {
        let holds = matches!((entry.place, &entry.store), (Place::Unknown, Store::Pages(_)));
        holds && passed(now, entry.touched, self.config.wqe_idle)
    }

    /// A WQE loses its pages.
    fn idle(&mut self, qp: u32, sequence: u32) {
        let keeps = self.params.fault == Some(Fault::ReceiverIdleKeepsBits);
        let Some(pair) = self.queue_pairs.get_mut(&qp) else { return };
        let at = sequence.wrapping_sub(pair.wqe_base) as usize;
        if let Some(entry) = pair.entries.get_mut(at).and_then(Option::as_mut).filter(|_| !keeps) {
            entry.forget();
        }
        pair.release(at, &mut self.pool, true);
        if let Some(entry) = pair.entries.get_mut(at).and_then(Option::as_mut) {
            entry.store = Store::Deferred;
        }
        self.counters.idled += 1;
    }

    /// Time passes, and somebody else says what it decides.
    pub fn pass(&mut self, now: u64) {
        self.now = now;
    }

    /// Hardware has sent an indication now.
    /// # Errors
    /// It names a packet that is not missing or has not failed, names the wrong WQE, or comes before its time.
    pub fn indicated(&mut self, indication: &Indication) -> Result<(), Mismatch> {
        let (now, bitmap, config) = (self.now, self.params.bitmap, self.config);
        let scan = u64::from(self.params.scan);
        let Some(at) = self.queue_pairs.get_mut(&indication.qp) else {
            return mismatch!("an indication for queue pair {:#x}, which is not open", indication.qp);
        };
        let unit = match indication.wqe {
            Some(sequence) => Unit::Wqe(sequence.wrapping_sub(at.wqe_base) as usize),
            None => Unit::Unknown,
        };
        let absent = at.absent(unit, bitmap);
        let mut last = None;
        for number in indication.packets() {
            let Some(&(_, since)) = absent.iter().find(|&&(absent, _)| absent == number) else {
                return mismatch!("{indication:x?} names packet {number:#08x}, which is not missing there");
            };
            if now < since.saturating_add(config.t_fail.into()) {
                return mismatch!("{indication:x?} names packet {number:#08x}, which is absent since {since} only; it is {now}");
            }
            last = Some(number);
        }
        let Some(last) = last else { return mismatch!("{indication:x?} names no packet") };
        let Some(round) = at.round(unit) else { return mismatch!("{indication:x?} names a WQE that is not open") };
        // Indications of one round follow each other within a scan period.
        let same = round.asked.is_some_and(|asked| now <= asked + scan) && !psn::before(indication.first, round.told);
        if !same {
            if let Some(asked) = round.asked.filter(|asked| now < asked + u64::from(config.refeedback)) {
                return mismatch!("{indication:x?} comes at {now}; the round before began at {asked}");
            }
            round.asked = Some(now);
        }
        round.told = psn::add(last, 1);
        Ok(())
    }

    /// Hardware has taken back the pages of a WQE now.
    /// # Errors
    /// It has none that nobody needs, or a packet of it came too recently.
    pub fn idled(&mut self, qp: u32, sequence: u32) -> Result<(), Mismatch> {
        let (now, idle) = (self.now, u64::from(self.config.wqe_idle));
        let entry = self.queue_pairs.get(&qp).and_then(|at| at.entries.iter().flatten().find(|entry| entry.claim.sequence == sequence));
        match entry {
            Some(entry) if matches!((entry.place, &entry.store), (Place::Unknown, Store::Pages(_))) => {
                if now < entry.touched + idle {
                    return mismatch!("WQE {sequence:#x} lost its pages at {now}; a packet of it came at {}", entry.touched);
                }
            }
            _ => return mismatch!("WQE {sequence:#x} lost its pages, and has none that nobody needs"),
        }
        self.idle(qp, sequence);
        Ok(())
    }

    /// Looks for something that time should have decided by now.
    /// # Errors
    /// The first thing that is overdue.
    pub fn overdue(&self) -> Result<(), Mismatch> {
        let (now, scan) = (self.now, u64::from(self.params.scan));
        let latest = |since: u64, ticks: u32| since.saturating_add(u64::from(ticks) + 1 + scan);
        for at in self.queue_pairs.values() {
            for entry in at.entries.iter().flatten() {
                let holds = matches!((entry.place, &entry.store), (Place::Unknown, Store::Pages(_)));
                if holds && now > latest(entry.touched, self.config.wqe_idle) {
                    return mismatch!("WQE {:#x} still has its pages at {now}: no packet since {}", entry.claim.sequence, entry.touched);
                }
            }
            for unit in at.units() {
                let round = match unit {
                    Unit::Wqe(place) => at.entries[place].as_ref().map(|entry| entry.round).unwrap_or_default(),
                    Unit::Unknown => at.unknown,
                };
                let again = round.asked.map_or(0, |asked| latest(asked, self.config.refeedback));
                let due = |since: u64| latest(since, self.config.t_fail).max(again);
                if let Some((number, since)) = at.absent(unit, self.params.bitmap).into_iter().find(|&(_, since)| now > due(since)) {
                    return mismatch!("packet {number:#08x} is absent since {since}, and was not asked for until {now}");
                }
            }
        }
        Ok(())
    }
}

/// `ticks` full ticks have passed, whatever part of a tick `since` was in.
fn passed(now: u64, since: u64, ticks: u32) -> bool {
    now > since.saturating_add(ticks.into())
}

/// As many indications as name all of `failed`, and how many packets they name.
fn gather(qp: u32, wqe: Option<u32>, first: u32, failed: &[u32], fault: Option<Fault>) -> (Vec<Indication>, u64) {
    let mut messages: Vec<Indication> = Vec::new();
    for &number in failed {
        let from = messages.last().map_or(first, |message| message.first);
        let bit = psn::ahead(from, number);
        match messages.last_mut().filter(|_| bit < 64) {
            Some(message) => message.missing |= 1 << bit,
            None => messages.push(Indication { qp, wqe, first: number, missing: 1 }),
        }
    }
    match fault {
        Some(Fault::ReceiverIndicatesArrived) => messages.iter_mut().for_each(|message| message.missing = !message.missing),
        Some(Fault::ReceiverIndicatesOne) => messages.iter_mut().for_each(|message| message.missing = 1),
        Some(Fault::ReceiverIndicatesNext) => messages.iter_mut().for_each(|message| message.first = psn::add(message.first, 1)),
        _ => {}
    }
    (messages, failed.len() as u64)
}
