use super::{Config, tag};
use crate::bitmap::psn::{SPACE, add, ahead, before, sub};
use crate::lr2::packet::{BTH, FRAME, Key, Kind, Packet};

/// What a responder counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub delivered: u64,
    pub duplicates: u64,
    /// packets beyond a gap
    pub beyond: u64,
    pub naks: u64,
    pub rnrs: u64,
    pub cnps: u64,
    /// payload that is not the one that was due
    pub wrong: u64,
}

/// The receiving side of one queue pair.
#[derive(Clone, Debug)]
pub struct Responder {
    config: Config,
    /// of what it sends
    key: Key,
    qp: u32,
    expected: u32,
    done: u64,
    msn: u32,
    asked: bool,
    not_ready: bool,
    inside: bool,
    waiting: u32,
    marked: bool,
    cnp_at: u64,
    /// receives that are posted; `None`: as many as it takes
    pub posted: Option<u32>,
    pub stats: Stats,
}

impl Responder {
    /// `key`: of what it sends; `qp`: its own queue pair.
    pub fn new(key: Key, qp: u32, initial: u32, config: Config) -> Responder {
        Responder {
            config,
            key,
            qp,
            expected: initial % SPACE,
            done: 0,
            msn: 0,
            asked: false,
            not_ready: false,
            inside: false,
            waiting: 0,
            marked: false,
            cnp_at: 0,
            posted: None,
            stats: Stats::default(),
        }
    }

    /// First PSN that has not arrived, and how many were before it.
    pub fn progress(&self) -> (u32, u64) {
        (self.expected, self.done)
    }

    fn acknowledge(&mut self, psn: u32) -> Packet {
        let echo = std::mem::take(&mut self.marked) && self.config.echo;
        self.waiting = 0;
        Packet { echo, ..Packet::ack(self.key, psn, self.msn) }
    }

    fn responses(&self, psn: u32, number: u64, span: u32, out: &mut Vec<Packet>) {
        for on in 0..span {
            let bytes = FRAME + BTH + 4 + self.config.payload;
            let tag = tag(self.qp, number + u64::from(on));
            out.push(Packet {
                key: self.key,
                kind: Kind::Response,
                psn: add(psn, on),
                msn: self.msn,
                bytes,
                tag,
                credits: 0x1f,
                ..Packet::default()
            });
        }
    }

    /// A packet arrives; what it answers goes to `out`.
    pub fn receive(&mut self, now: u64, packet: &Packet, out: &mut Vec<Packet>) {
        if packet.marked {
            self.marked = true;
            if self.config.cnp != 0 && now >= self.cnp_at {
                self.cnp_at = now + self.config.cnp;
                self.stats.cnps += 1;
                out.push(Packet::cnp(self.key));
            }
        }
        let psn = packet.psn;
        if before(psn, self.expected) {
            self.stats.duplicates += 1;
            if packet.kind == Kind::Request {
                let number = self.done - u64::from(ahead(psn, self.expected));
                self.responses(psn, number, packet.span, out);
            } else if packet.ack_request {
                let ack = self.acknowledge(sub(self.expected, 1));
                out.push(ack);
            }
            return;
        }
        if psn != self.expected {
            self.stats.beyond += 1;
            if !self.asked && !self.not_ready {
                self.asked = true;
                self.stats.naks += 1;
                let echo = std::mem::take(&mut self.marked) && self.config.echo;
                out.push(Packet { echo, ..Packet::nak(self.key, self.expected, self.msn) });
            }
            return;
        }
        self.in_order(packet, out);
    }

    fn in_order(&mut self, packet: &Packet, out: &mut Vec<Packet>) {
        let psn = packet.psn;
        if packet.kind == Kind::Data && !self.inside && self.posted == Some(0) {
            self.not_ready = true;
            self.stats.rnrs += 1;
            out.push(Packet { kind: Kind::Rnr, ..Packet::ack(self.key, psn, self.msn) });
            if self.config.nak_after_rnr {
                out.push(Packet::nak(self.key, psn, self.msn));
            }
            return;
        }
        (self.asked, self.not_ready) = (false, false);
        self.stats.wrong += u64::from(packet.tag != tag(self.qp, self.done));
        let (number, span) = (self.done, packet.span.max(1));
        self.stats.delivered += 1;
        (self.expected, self.done) = (add(psn, span), number + u64::from(span));
        if packet.kind == Kind::Request {
            self.msn = add(self.msn, 1);
            self.responses(psn, number, span, out);
            return;
        }
        if !self.inside && self.posted.is_some() {
            self.posted = self.posted.map(|posted| posted - 1);
        }
        self.inside = !packet.last;
        if packet.last {
            self.msn = add(self.msn, 1);
        }
        if packet.ack_request {
            self.waiting += 1;
            if packet.last || self.waiting >= self.config.coalesce {
                let ack = self.acknowledge(psn);
                out.push(ack);
            }
        }
    }
}
