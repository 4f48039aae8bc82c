//! The receiver's state of one queue pair, and what follows from an arrival for its other WQEs: places, order, completions.

use super::entry::{Claim, Entry, Place, Round, Store};
use super::pool::Pool;
use super::receiver::{Completion, Event, Receive, Request};
use super::{Fault, Reason};
use crate::bitmap::psn;
use std::collections::VecDeque;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueuePair {
    pub qp: u32,
    pub mtu: u32,
    /// first packet that is not acknowledged: everything before is in host memory, or was given to the host
    pub edge: u32,
    /// oldest WQE that is not complete
    pub wqe_base: u32,
    /// open WQEs from the oldest on
    pub entries: VecDeque<Option<Entry>>,
    /// READ and atomic requests that wait, in the order of their PSNs
    pub requests: Vec<Request>,
    /// receives that the host has posted and no complete WQE has taken
    pub receives: VecDeque<Receive>,
    /// the packet after the highest seen, each with the moment at which it became that
    pub highest: VecDeque<(u32, u64)>,
    /// pages that it holds
    pub held: u32,
    /// packets whose WQE nobody knows
    pub unknown: Round,
    pub ack_due: bool,
    /// WQEs that are complete and requests that the host has, 24 bits
    pub complete: u32,
    pub strict: bool,
    pub fault: Option<Fault>,
}

impl QueuePair {
    pub fn is(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// How far a PSN is after the edge; negative: before it.
    pub fn place_of(&self, number: u32) -> i64 {
        match psn::ahead(self.edge, number) {
            ahead if ahead < psn::HALF => ahead.into(),
            ahead => i64::from(ahead) - i64::from(psn::SPACE),
        }
    }

    /// The packet after the highest seen.
    pub fn highest(&self) -> u32 {
        self.highest.back().map_or(self.edge, |&(end, _)| end)
    }

    /// A packet with everything up to `end` was seen.
    pub fn saw(&mut self, end: u32, now: u64) {
        if psn::before(self.highest(), end) {
            self.highest.push_back((end, now));
        }
    }

    /// When a later packet than `number` was first seen.
    pub fn overtaken(&self, number: u32) -> Option<u64> {
        let at = self.highest.partition_point(|&(end, _)| self.place_of(end) <= self.place_of(number) + 1);
        self.highest.get(at).map(|&(_, when)| when)
    }

    /// First packet that has not arrived.
    pub fn expected(&self) -> u32 {
        let mut cursor = self.edge;
        let mut requests = self.requests.iter().peekable();
        let mut entries = self.entries.iter().map_while(Option::as_ref).peekable();
        loop {
            if let Some(request) = requests.next_if(|request| request.packet.psn == cursor) {
                cursor = psn::add(cursor, request.span);
            } else if let Some(entry) = entries.next_if(|entry| self.place_of(entry.claim.base) <= self.place_of(cursor)) {
                if entry.first_missing() < entry.claim.count {
                    return psn::add(entry.claim.base, entry.first_missing());
                }
                cursor = entry.end_psn();
            } else {
                return cursor;
            }
        }
    }

    /// A WQE that is not open yet lies between its neighbours, each of which takes one PSN at least.
    pub fn admits(&self, at: usize, claim: &Claim) -> bool {
        let (begin, end) = (self.place_of(claim.base), self.place_of(claim.base) + i64::from(claim.count));
        let open = |at: usize| self.entries.get(at).and_then(Option::as_ref).map(|entry| (at, entry));
        let before = (0..at).rev().find_map(open).map_or(at as i64, |(from, entry)| {
            let end = self.place_of(entry.claim.base) + i64::from(entry.claim.count);
            end + (at - from - 1) as i64
        });
        let after = (at + 1..self.entries.len()).find_map(open);
        let after = after.map_or(i64::MAX, |(to, entry)| self.place_of(entry.claim.base) - (to - at - 1) as i64);
        begin >= before.max(0) && end <= after && self.is_free(begin, end, false)
    }

    /// No request, and on demand no WQE, has a packet in `begin .. end` after the edge.
    pub fn is_free(&self, begin: i64, end: i64, entries: bool) -> bool {
        let meets = |from: u32, count: u32| {
            let from = self.place_of(from);
            from < end && begin < from + i64::from(count)
        };
        let no_request = !self.requests.iter().any(|request| meets(request.packet.psn, request.span));
        no_request && !(entries && self.entries.iter().flatten().any(|entry| meets(entry.claim.base, entry.claim.count)))
    }

    /// Gives back the pages of a WQE that nobody needs: all, or those without a packet.
    pub fn release(&mut self, at: usize, pool: &mut Pool, all: bool) {
        let (mtu, leak, early) = (self.mtu, self.is(Fault::ReceiverPagesLeak), self.is(Fault::ReceiverPagesFreedEarly));
        let Some(entry) = self.entries[at].as_mut() else { return };
        let Store::Pages(pages) = &mut entry.store else { return };
        let mut pages = std::mem::take(pages);
        let per_page = pool.page_bytes() / mtu;
        for (number, page) in pages.iter_mut().enumerate() {
            let packets = number as u32 * per_page..((number as u32 + 1) * per_page).min(entry.claim.count);
            let is_empty = !packets.into_iter().any(|index| entry.has(index));
            if let Some(taken) = page.take_if(|_| all || is_empty || early) {
                self.held -= 1;
                if !leak {
                    pool.give(taken);
                }
            }
        }
        if pages.iter().any(Option::is_some) {
            entry.store = Store::Pages(pages);
            return;
        }
        entry.store = Store::Free;
    }

    /// Looks for places that are known by now.
    fn resolve(&mut self, pool: &mut Pool) {
        let expected = if self.strict && !self.is(Fault::ReceiverStrictIgnored) { Some(self.expected()) } else { None };
        let mut ordinal = Some(0);
        let mut any = 0;
        for at in 0..self.entries.len() {
            let Some(entry) = self.entries[at].as_ref() else {
                ordinal = ordinal.filter(|_| self.is(Fault::ReceiverLostWholeSkipped));
                continue;
            };
            let fenced = entry.claim.fence && self.edge != entry.claim.base && !self.is(Fault::ReceiverFenceIgnored);
            if entry.place == Place::Unknown && !fenced {
                let ordinal = if self.is(Fault::ReceiverReceiveByArrival) { Some(any) } else { ordinal };
                if let Some(place) = self.place(at, ordinal, expected) {
                    self.placed(at, place, pool);
                }
            }
            let consumes = self.entries[at].as_ref().and_then(Entry::consumes);
            let immediate = |consumes: bool| consumes && (!self.is(Fault::ReceiverImmediateKeepsReceive) || self.is_send(at));
            any += usize::from(consumes.is_some_and(immediate));
            let unsure = if self.is(Fault::ReceiverWriteTakesNone) { Some(false) } else { None };
            ordinal = ordinal.zip(consumes.or(unsure)).map(|(ordinal, consumes)| ordinal + usize::from(immediate(consumes)));
        }
    }

    fn is_send(&self, at: usize) -> bool {
        self.entries[at].as_ref().is_some_and(|entry| entry.claim.is_send)
    }

    /// The place of a WQE, if it can be known: `ordinal` is the number of receives that WQEs before it take.
    fn place(&self, at: usize, ordinal: Option<usize>, expected: Option<u32>) -> Option<Place> {
        let entry = self.entries[at].as_ref()?;
        if !entry.claim.is_send {
            return entry.reth.map(|reth| Place::At(reth.address));
        }
        if expected.is_some_and(|expected| psn::before(expected, entry.claim.base)) {
            return None;
        }
        let receive = self.receives.get(ordinal?)?;
        let fits = receive.bytes >= entry.claim.bytes || self.is(Fault::ReceiverShortReceiveTaken);
        Some(if fits { Place::At(receive.address) } else { Place::Refused(Reason::ReceiveTooShort) })
    }

    /// The place of a WQE is known.
    fn placed(&mut self, at: usize, place: Place, pool: &mut Pool) {
        let Some(entry) = self.entries[at].as_mut() else { return };
        entry.place = place;
        match place {
            Place::At(_) => {
                if entry.store == Store::Deferred {
                    entry.store = Store::Free;
                }
                // What is empty lies in no page.
                if entry.claim.bytes == 0 && entry.has(0) {
                    entry.settle(0);
                }
                self.release(at, pool, false);
            }
            _ => {
                entry.forget();
                self.release(at, pool, true);
            }
        }
    }

    /// Everything that follows from a change: places, requests and completions whose turn it is, the edge.
    pub fn progress(&mut self, pool: &mut Pool, events: &mut VecDeque<Event>) {
        let before = self.edge;
        loop {
            self.resolve(pool);
            if !self.advance(events) {
                break;
            }
        }
        let edge = self.edge;
        self.ack_due |= edge != before;
        while self.highest.front().is_some_and(|&(end, _)| !psn::before(edge, end)) {
            self.highest.pop_front();
        }
    }

    /// Lets the next request or WQE go to the host, if it is complete. Whether one went.
    fn advance(&mut self, events: &mut VecDeque<Event>) -> bool {
        let early = self.is(Fault::ReceiverReadEarly);
        if self.requests.first().is_some_and(|request| request.packet.psn == self.edge || early) {
            let request = self.requests.remove(0);
            if request.packet.psn == self.edge {
                self.edge = psn::add(self.edge, request.span);
            }
            self.complete = psn::add(self.complete, 1);
            events.push_back(Event::Request(request));
            return true;
        }
        let Some(Some(entry)) = self.entries.front() else { return false };
        let claim = entry.claim;
        if psn::before(self.edge, claim.base) {
            return false;
        }
        let buffered = self.is(Fault::ReceiverCompletesBeforeCopy);
        let done = if buffered { entry.first_missing() } else { entry.done() };
        // Of an RDMA WRITE with immediate the last packet is acknowledged when the host has a receive for it.
        let consumes = entry.consumes() == Some(true) && (claim.is_send || !self.is(Fault::ReceiverImmediateKeepsReceive));
        let complete = done == claim.count && !(consumes && self.receives.is_empty());
        let short = u32::from(done == claim.count && !complete);
        let edge = psn::add(claim.base, done - short);
        if psn::before(self.edge, edge) {
            self.edge = edge;
        }
        if !complete {
            return false;
        }
        let immediate = entry.end.flatten();
        self.retire(consumes, immediate, claim, events);
        true
    }

    /// The oldest WQE is complete.
    fn retire(&mut self, consumes: bool, imm: Option<u32>, claim: Claim, events: &mut VecDeque<Event>) {
        let receive = if consumes { self.receives.pop_front().map(|receive| receive.id) } else { None };
        let &Claim { sequence, bytes, is_send, .. } = &claim;
        self.entries.pop_front();
        self.wqe_base = if self.is(Fault::ReceiverSequenceSaturates) { sequence.saturating_add(1) } else { sequence.wrapping_add(1) };
        self.complete = psn::add(self.complete, 1);
        events.push_back(Event::Completion(Completion { qp: self.qp, sequence, is_send, bytes, imm, receive }));
    }
}
