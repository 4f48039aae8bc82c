//! Go-Back-N, as reliable connections of RoCEv2 have it: the receiver takes packets in order alone and answers the first one beyond a gap
//! with a negative acknowledgement, once; the sender goes back to the packet that it names. What is lost of that, or at the end, only a
//! timer finds.

use super::Config;
use crate::bitmap::psn;
use std::collections::BTreeMap;

/// What a receiver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// everything up to `psn` has arrived
    Ack { psn: u32 },
    /// `psn` is missing, everything before has arrived: AETH syndrome 0x60, PSN sequence error
    Nak { psn: u32 },
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    New,
    Duplicate,
    /// another one is expected: it is dropped
    OutOfOrder,
}

/// The responder of many queue pairs.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    /// expected packet, and whether it has been asked for
    queue_pairs: BTreeMap<u32, (u32, bool)>,
}

impl Receiver {
    pub fn open(&mut self, qp: u32, initial: u32) {
        self.queue_pairs.insert(qp, (initial % psn::SPACE, false));
    }

    /// First packet that has not arrived.
    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.0)
    }

    /// A packet arrives; `None`: the queue pair is not open.
    pub fn arrive(&mut self, qp: u32, number: u32) -> Option<(Verdict, Option<Answer>)> {
        let (expected, asked) = self.queue_pairs.get_mut(&qp)?;
        if number == *expected {
            (*expected, *asked) = (psn::add(number, 1), false);
            return Some((Verdict::New, Some(Answer::Ack { psn: number })));
        }
        if psn::before(number, *expected) {
            return Some((Verdict::Duplicate, Some(Answer::Ack { psn: psn::sub(*expected, 1) })));
        }
        let first = !std::mem::replace(asked, true);
        Some((Verdict::OutOfOrder, first.then_some(Answer::Nak { psn: *expected })))
    }
}

#[derive(Clone, Debug)]
struct QueuePair {
    base: u32,
    /// what is sent next
    cursor: u32,
    /// what has never been sent
    next: u32,
    started: u64,
    expiries: u32,
}

/// The requester of many queue pairs.
#[derive(Clone, Debug)]
pub struct Sender {
    config: Config,
    now: u64,
    queue_pairs: BTreeMap<u32, QueuePair>,
    pub timeouts: u64,
    pub naks: u64,
}

impl Sender {
    pub fn new(config: Config) -> Sender {
        Sender { config, now: 0, queue_pairs: BTreeMap::new(), timeouts: 0, naks: 0 }
    }

    pub fn open(&mut self, qp: u32, initial: u32) {
        let base = initial % psn::SPACE;
        self.queue_pairs.insert(qp, QueuePair { base, cursor: base, next: base, started: self.now, expiries: 0 });
    }

    /// First packet that is not acknowledged.
    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.base)
    }

    /// A new packet, if there is room and nothing is to be sent again first.
    pub fn send(&mut self, qp: u32) -> Option<u32> {
        let (now, window) = (self.now, self.config.window);
        let at = self.queue_pairs.get_mut(&qp)?;
        if at.cursor != at.next || psn::ahead(at.base, at.next) >= window {
            return None;
        }
        if at.base == at.next {
            at.started = now;
        }
        at.next = psn::add(at.next, 1);
        at.cursor = at.next;
        Some(psn::sub(at.next, 1))
    }

    /// The next packet that is sent again, if it has gone back.
    pub fn again(&mut self, qp: u32) -> Option<u32> {
        let at = self.queue_pairs.get_mut(&qp).filter(|at| at.cursor != at.next)?;
        at.cursor = psn::add(at.cursor, 1);
        Some(psn::sub(at.cursor, 1))
    }

    /// Everything before `edge` has arrived. `false`: it cannot.
    fn advance(&mut self, qp: u32, edge: u32) -> bool {
        let now = self.now;
        let known = |at: &&mut QueuePair| psn::ahead(at.base, edge) <= psn::ahead(at.base, at.next);
        let Some(at) = self.queue_pairs.get_mut(&qp).filter(known) else { return false };
        if psn::before(at.cursor, edge) {
            at.cursor = edge;
        }
        if at.base != edge {
            (at.base, at.started, at.expiries) = (edge, now, 0);
        }
        true
    }

    pub fn ack(&mut self, qp: u32, number: u32) {
        self.advance(qp, psn::add(number, 1));
    }

    /// Goes back to `number`.
    pub fn nak(&mut self, qp: u32, number: u32) {
        let known = self.advance(qp, number);
        if let Some(at) = self.queue_pairs.get_mut(&qp).filter(|at| known && number != at.next) {
            (at.cursor, at.started) = (number, self.now);
            self.naks += 1;
        }
    }

    /// Time is `now` ticks: where the timer runs out, it goes back to the base.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        for at in self.queue_pairs.values_mut().filter(|at| at.base != at.next) {
            if self.now - at.started > self.config.patience(at.expiries) {
                (at.cursor, at.started, at.expiries) = (at.base, self.now, at.expiries + 1);
                self.timeouts += 1;
            }
        }
    }
}
