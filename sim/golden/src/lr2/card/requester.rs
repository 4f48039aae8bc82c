use super::{Config, tag};
use crate::bitmap::psn::{SPACE, add, ahead, before};
use crate::lr2::packet::{BTH, FRAME, Key, Kind, Origin, Packet};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct Message {
    first: u32,
    packets: u32,
    read: bool,
}

/// What a requester counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub sent: u64,
    pub resent: u64,
    pub timeouts: u64,
    pub naks: u64,
    pub rnrs: u64,
    /// responses with what was not asked for
    pub wrong: u64,
}

/// The sending side of one queue pair.
#[derive(Clone, Debug)]
pub struct Requester {
    config: Config,
    key: Key,
    messages: VecDeque<Message>,
    una: u32,
    /// PSNs before `una`
    done: u64,
    /// what is sent next
    cursor: u32,
    /// what has never been sent
    next: u32,
    /// behind the last message
    end: u32,
    since: u64,
    retries: u32,
    rnr_until: u64,
    /// where it went back without a NAK: a response was missing
    implied: Option<u32>,
    /// the present pass was asked for by a box
    asked: bool,
    failed: bool,
    pub stats: Stats,
}

impl Requester {
    pub fn new(key: Key, initial: u32, config: Config) -> Requester {
        let at = initial % SPACE;
        Requester {
            config,
            key,
            messages: VecDeque::new(),
            una: at,
            done: 0,
            cursor: at,
            next: at,
            end: at,
            since: 0,
            retries: 0,
            rnr_until: 0,
            implied: None,
            asked: false,
            failed: false,
            stats: Stats::default(),
        }
    }

    /// A WRITE of `packets` packets.
    pub fn write(&mut self, packets: u32) {
        self.post(packets, false);
    }

    /// A READ of `packets` packets.
    pub fn read(&mut self, packets: u32) {
        self.post(packets, true);
    }

    fn post(&mut self, packets: u32, read: bool) {
        self.messages.push_back(Message { first: self.end, packets, read });
        self.end = add(self.end, packets);
    }

    /// First PSN that is not acknowledged, and how many were before it.
    pub fn progress(&self) -> (u32, u64) {
        (self.una, self.done)
    }

    /// Everything posted is acknowledged.
    pub fn finished(&self) -> bool {
        self.una == self.end
    }

    /// The queue pair has given up.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// When there is something to send: from which moment on.
    pub fn ready(&self) -> Option<u64> {
        let open = self.config.window == 0 || ahead(self.una, self.cursor) < self.config.window || self.cursor != self.next;
        (self.cursor != self.end && open && !self.failed).then_some(self.rnr_until)
    }

    /// The next packet.
    pub fn take(&mut self, now: u64) -> Option<Packet> {
        self.ready().filter(|&at| at <= now)?;
        let at = self.messages.partition_point(|message| !before(self.cursor, message.first)) - 1;
        let message = self.messages[at];
        let on = ahead(message.first, self.cursor);
        let again = self.cursor != self.next && before(self.cursor, self.next);
        if self.una == self.next {
            self.since = now;
        }
        let number = self.done + u64::from(ahead(self.una, self.cursor));
        let mut packet = Packet::data(self.key, self.cursor, self.config.payload);
        packet.tag = tag(self.key.qp, number);
        packet.again = again && self.asked && self.config.flags;
        if message.read {
            packet.kind = Kind::Request;
            packet.span = message.packets - on;
            packet.bytes = FRAME + BTH + 16;
            packet.last = true;
        } else {
            packet.last = on + 1 == message.packets;
            packet.ack_request = packet.last || on % self.config.ack_every == self.config.ack_every - 1;
        }
        self.cursor = add(self.cursor, packet.span);
        self.stats.sent += 1;
        if again {
            self.stats.resent += 1;
        }
        if before(self.next, self.cursor) {
            (self.next, self.asked) = (self.cursor, false);
        }
        Some(packet)
    }

    /// Everything before `to` is with the receiver: as far as no response is missing. Where one is, it is asked for again.
    fn advance(&mut self, now: u64, to: u32) {
        let missing = self.messages.iter().find(|message| message.read && before(self.una, add(message.first, message.packets)));
        let limit = missing.map(|message| if before(message.first, self.una) { self.una } else { message.first });
        let (to, missing) = match limit {
            Some(limit) if before(limit, to) => (limit, true),
            _ => (to, false),
        };
        self.move_to(now, to);
        if missing && self.implied != Some(to) {
            self.implied = Some(to);
            self.back(now, to, false);
        }
    }

    fn move_to(&mut self, now: u64, to: u32) {
        if to == self.una {
            return;
        }
        self.done += u64::from(ahead(self.una, to));
        (self.una, self.since, self.retries, self.implied) = (to, now, 0, None);
        if before(self.cursor, to) {
            self.cursor = to;
        }
        while self.messages.front().is_some_and(|message| !before(to, add(message.first, message.packets))) {
            self.messages.pop_front();
        }
    }

    fn back(&mut self, now: u64, to: u32, asked: bool) {
        (self.cursor, self.since, self.asked) = (to, now, asked);
    }

    /// A try without progress.
    fn again(&mut self, now: u64, to: u32, asked: bool) {
        self.retries += 1;
        if self.retries > self.config.retries {
            self.failed = true;
        }
        self.back(now, to, asked);
    }

    fn known(&self, to: u32) -> bool {
        ahead(self.una, to) <= ahead(self.una, self.next)
    }

    /// A packet for the requester.
    pub fn receive(&mut self, now: u64, packet: &Packet) {
        let psn = packet.psn;
        match packet.kind {
            Kind::Ack if self.known(add(psn, 1)) && add(psn, 1) != self.una => self.advance(now, add(psn, 1)),
            Kind::Response => self.response(now, packet),
            Kind::Nak if packet.origin != Origin::Card && self.config.aware => {
                let to = if before(psn, self.una) { self.una } else { psn };
                if ahead(self.una, to) < ahead(self.una, self.next) {
                    self.stats.naks += 1;
                    self.back(now, to, true);
                }
            }
            Kind::Nak if self.known(psn) && psn != self.next => {
                self.stats.naks += 1;
                self.advance(now, psn);
                let una = self.una;
                let asked = packet.origin != Origin::Card;
                if self.config.counts_naks { self.again(now, una, asked) } else { self.back(now, una, asked) }
            }
            Kind::Nak if self.known(psn) => self.advance(now, psn),
            Kind::Rnr if self.known(psn) && psn != self.next => {
                self.stats.rnrs += 1;
                self.advance(now, psn);
                let una = self.una;
                self.back(now, una, false);
                self.rnr_until = now + self.config.rnr_wait;
            }
            Kind::Refusal => self.failed = true,
            _ => {}
        }
    }

    fn response(&mut self, now: u64, packet: &Packet) {
        let psn = packet.psn;
        if !self.known(psn) || psn == self.next {
            return;
        }
        let Some(message) = self.messages.iter().find(|message| message.read && before(self.una, add(message.first, message.packets)))
        else {
            return;
        };
        let at = if before(message.first, self.una) { self.una } else { message.first };
        if psn == at {
            // it acknowledges what was before it, too
            self.move_to(now, at);
            let right = packet.tag == tag(self.key.qp, self.done);
            self.stats.wrong += u64::from(!right);
            self.move_to(now, add(psn, 1));
        } else if before(at, psn) && self.implied != Some(at) {
            self.move_to(now, at);
            self.implied = Some(at);
            self.back(now, at, false);
        }
    }

    /// When its timer runs out.
    pub fn deadline(&self) -> Option<u64> {
        (self.config.timeout != 0 && self.una != self.next && !self.failed).then(|| self.since.max(self.rnr_until) + self.config.timeout)
    }

    /// Time is `now`.
    pub fn tick(&mut self, now: u64) {
        if self.deadline().is_some_and(|at| at <= now) {
            self.stats.timeouts += 1;
            self.implied = None;
            let una = self.una;
            self.again(now, una, false);
        }
    }
}
