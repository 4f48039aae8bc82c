//! An ideal card: it keeps whatever arrives, knows of every loss one round trip after it, also of what was sent again, and sends again that
//! alone.
//!
//! Its acknowledgements name the transmission that they answer and which of the 64 before it arrived. On a way that does not reorder, what
//! was sent before an answered transmission and has not arrived is lost. The end of a flow has only the timer, which is that of the other
//! cards.

use super::card::{Config, tag};
use super::packet::{ACK_BYTES, Gap, Key, Kind, Packet};
use crate::bitmap::psn::{SPACE, add, ahead, before};
use std::collections::VecDeque;

/// The sending side.
#[derive(Clone, Debug)]
pub struct Requester {
    config: Config,
    key: Key,
    una: u32,
    done: u64,
    next: u32,
    end: u32,
    /// from `una` on: whether it has arrived
    arrived: VecDeque<bool>,
    /// transmissions that are not answered, in order
    flight: VecDeque<(u32, u32)>,
    lost: VecDeque<u32>,
    transmission: u32,
    since: u64,
    retries: u32,
    failed: bool,
    pub sent: u64,
    pub resent: u64,
    pub timeouts: u64,
}

impl Requester {
    pub fn new(key: Key, initial: u32, config: Config) -> Requester {
        let at = initial % SPACE;
        let (arrived, flight, lost) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
        Requester {
            config,
            key,
            una: at,
            done: 0,
            next: at,
            end: at,
            arrived,
            flight,
            lost,
            transmission: 0,
            since: 0,
            retries: 0,
            failed: false,
            sent: 0,
            resent: 0,
            timeouts: 0,
        }
    }

    pub fn write(&mut self, packets: u32) {
        self.end = add(self.end, packets);
    }

    pub fn progress(&self) -> (u32, u64) {
        (self.una, self.done)
    }

    pub fn finished(&self) -> bool {
        self.una == self.end
    }

    pub fn failed(&self) -> bool {
        self.failed
    }

    fn missing(&self, psn: u32) -> bool {
        !before(psn, self.una) && !self.arrived.get(ahead(self.una, psn) as usize).copied().unwrap_or(false)
    }

    pub fn ready(&self) -> bool {
        !self.failed && (self.next != self.end || !self.lost.is_empty())
    }

    pub fn take(&mut self, now: u64) -> Option<Packet> {
        if self.failed {
            return None;
        }
        let mut again = None;
        while let Some(psn) = self.lost.pop_front() {
            if self.missing(psn) {
                again = Some(psn);
                break;
            }
        }
        let psn = match again {
            Some(psn) => psn,
            None if self.next == self.end => return None,
            None => self.next,
        };
        if self.una == self.next {
            self.since = now;
        }
        if again.is_some() {
            self.resent += 1;
        } else {
            self.next = add(psn, 1);
            self.arrived.push_back(false);
        }
        self.sent += 1;
        self.transmission = self.transmission.wrapping_add(1);
        self.flight.push_back((self.transmission, psn));
        let number = self.done + u64::from(ahead(self.una, psn));
        let last = self.next == self.end;
        Some(Packet {
            tag: tag(self.key.qp, number),
            last: add(psn, 1) == self.end,
            ack_request: last || number % u64::from(self.config.ack_every) == u64::from(self.config.ack_every) - 1,
            gap: Gap { start: self.transmission, ..Gap::default() },
            ..Packet::data(self.key, psn, self.config.payload)
        })
    }

    pub fn receive(&mut self, now: u64, packet: &Packet) {
        if packet.kind != Kind::Sack {
            return;
        }
        // which of the transmissions arrived, this one and 64 before it
        while let Some(&(transmission, psn)) = self.flight.front() {
            let back = packet.gap.start.wrapping_sub(transmission);
            if back > u32::MAX / 2 {
                break;
            }
            self.flight.pop_front();
            let known = back == 0 || (back <= 64 && packet.tag >> (back - 1) & 1 == 1);
            if known && !before(psn, self.una) {
                let at = ahead(self.una, psn) as usize;
                self.arrived[at] = true;
            } else if !before(psn, packet.psn) && self.missing(psn) {
                self.lost.push_back(psn);
            }
        }
        let (una, to) = (self.una, packet.psn);
        if ahead(una, to) <= ahead(una, self.next) && una != to {
            for _ in 0..ahead(una, to) {
                self.arrived.pop_front();
            }
            self.done += u64::from(ahead(una, to));
            (self.una, self.since, self.retries) = (to, now, 0);
        }
    }

    pub fn deadline(&self) -> Option<u64> {
        (self.config.timeout != 0 && self.una != self.next && !self.failed).then(|| self.since + self.config.timeout)
    }

    pub fn tick(&mut self, now: u64) {
        if self.deadline().is_none_or(|at| at > now) {
            return;
        }
        self.timeouts += 1;
        self.retries += 1;
        self.failed = self.retries > self.config.retries;
        self.since = now;
        self.flight.clear();
        self.lost = (0..ahead(self.una, self.next)).map(|on| add(self.una, on)).filter(|&psn| self.missing(psn)).collect();
    }
}

/// The receiving side.
#[derive(Clone, Debug)]
pub struct Responder {
    config: Config,
    key: Key,
    qp: u32,
    expected: u32,
    done: u64,
    /// from `expected` on: what has arrived
    kept: VecDeque<bool>,
    history: u64,
    transmission: u32,
    cnp_at: u64,
    pub wrong: u64,
    pub duplicates: u64,
    pub cnps: u64,
}

impl Responder {
    pub fn new(key: Key, qp: u32, initial: u32, config: Config) -> Responder {
        let expected = initial % SPACE;
        Responder {
            config,
            key,
            qp,
            expected,
            done: 0,
            kept: VecDeque::new(),
            history: 0,
            transmission: 0,
            cnp_at: 0,
            wrong: 0,
            duplicates: 0,
            cnps: 0,
        }
    }

    pub fn progress(&self) -> (u32, u64) {
        (self.expected, self.done)
    }

    pub fn receive(&mut self, now: u64, packet: &Packet, out: &mut Vec<Packet>) {
        if packet.marked && self.config.cnp != 0 && now >= self.cnp_at {
            self.cnp_at = now + self.config.cnp;
            self.cnps += 1;
            out.push(Packet::cnp(self.key));
        }
        let skipped = packet.gap.start.wrapping_sub(self.transmission);
        if skipped == 0 || skipped > u32::MAX / 2 {
            return;
        }
        self.history = if skipped > 64 { 0 } else { self.history.checked_shl(skipped).unwrap_or(0) };
        if (1..=64).contains(&skipped) && self.transmission != 0 {
            self.history |= 1 << (skipped - 1);
        }
        self.transmission = packet.gap.start;
        let lost = skipped > 1;
        if before(packet.psn, self.expected) {
            self.duplicates += 1;
        } else {
            let at = ahead(self.expected, packet.psn) as usize;
            self.wrong += u64::from(packet.tag != tag(self.qp, self.done + at as u64));
            if self.kept.len() <= at {
                self.kept.resize(at + 1, false);
            }
            self.duplicates += u64::from(std::mem::replace(&mut self.kept[at], true));
            while self.kept.front() == Some(&true) {
                self.kept.pop_front();
                (self.expected, self.done) = (add(self.expected, 1), self.done + 1);
            }
        }
        if lost || packet.ack_request || !self.kept.is_empty() {
            let gap = Gap { start: self.transmission, ..Gap::default() };
            out.push(Packet {
                key: self.key,
                kind: Kind::Sack,
                psn: self.expected,
                gap,
                tag: self.history,
                bytes: ACK_BYTES + 20,
                ..Packet::default()
            });
        }
    }
}
