//! The network of one bottleneck and its events.

use super::ends::{Crossing, Pair};
use crate::link::{Ecn, End, Link, Loss};
use crate::{SECOND, per_byte};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::Level;
use rdma_rtl_golden::congestion::degree::Telemetry;
use rdma_rtl_golden::lr2::packet::{Key, Packet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Senders, each with its port, into one switch and out of one port. Rates are in bits a second, times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub port: u64,
    pub bottleneck: u64,
    /// from a sender to the switch
    pub near: u64,
    /// from the switch to the receiver
    pub far: u64,
    pub ecn: Ecn,
    /// bytes of the bottleneck's queue
    pub buffer: u64,
    /// the switch says depth, occupancy and point of each packet
    pub telemetry: bool,
}

/// A sender that nobody slows: it competes from `start` to `stop` with `bits` a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Competitor {
    pub start: u64,
    pub stop: u64,
    pub bits: u64,
    /// bytes of its packets on the wire
    pub frame: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Start(usize),
    Send(usize),
    Timer(usize),
    Rate(usize),
    Notify(usize),
    /// at the switch, from a sender
    Switch(usize),
    /// at the receiver
    Receiver,
    /// at the senders
    Senders,
    FreeBottleneck,
    FreeReverse,
    Compete,
    Sample,
}

/// What was seen. Moments are in picoseconds.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub first_mark: Option<u64>,
    pub last_mark: Option<u64>,
    /// the first time that a sender became slower
    pub first_change: Option<u64>,
    /// since when all senders have their full rate; `None`: one has not
    pub full_since: Option<u64>,
    pub marks: u64,
    pub overflows: u64,
    /// bytes of the queue, every so often
    pub queue: Vec<f64>,
    pub reverse_packets: u64,
    pub events: u64,
}

/// The point that telemetry names.
const POINT: u16 = 1;
const COMPETITOR: u32 = 0xff_ffff;

pub struct Network {
    pub now: u64,
    shape: Shape,
    pub pairs: Vec<Pair>,
    slow: Vec<bool>,
    ports: Vec<Link<Crossing>>,
    pub bottleneck: Link<Crossing>,
    reverse: Link<Crossing>,
    competitor: Option<Competitor>,
    events: BinaryHeap<Reverse<(u64, u64, What)>>,
    order: u64,
    open: usize,
    sampling: u64,
    random: ChaCha8Rng,
    pub seen: Seen,
}

impl Network {
    pub fn new(shape: Shape, pairs: Vec<Pair>, competitor: Option<Competitor>, seed: u64) -> Network {
        let link = |rate, delay, stream| Link::new(End::Switch(0), rate, delay, Loss::None, seed, stream);
        let mut bottleneck = link(shape.bottleneck, shape.far, 1);
        (bottleneck.ecn, bottleneck.limit) = (Some(shape.ecn), shape.buffer);
        let ports = (0..pairs.len()).map(|number| link(shape.port, shape.near, number as u64 + 3)).collect();
        let seen = Seen { full_since: Some(0), ..Seen::default() };
        let mut network = Network {
            now: 0,
            shape,
            slow: vec![false; pairs.len()],
            open: pairs.len(),
            pairs,
            ports,
            bottleneck,
            reverse: link(shape.bottleneck, shape.near + shape.far, 2),
            competitor,
            events: BinaryHeap::new(),
            order: 0,
            sampling: 0,
            random: ChaCha8Rng::seed_from_u64(seed ^ 0x5eed),
            seen,
        };
        for number in 0..network.pairs.len() {
            let start = network.pairs[number].start;
            network.at(start, What::Start(number));
        }
        if let Some(competitor) = competitor {
            network.at(competitor.start, What::Compete);
        }
        network
    }

    /// The queue's bytes from `from` on, every `every`.
    pub fn sample(&mut self, from: u64, every: u64) {
        self.sampling = every;
        self.at(from, What::Sample);
    }

    fn at(&mut self, time: u64, what: What) {
        self.order += 1;
        self.events.push(Reverse((time, self.order, what)));
    }

    /// Runs until all have received everything, or until `limit`; whether all have.
    pub fn run(&mut self, limit: u64) -> bool {
        while let Some(&Reverse((time, _, what))) = self.events.peek() {
            if time > limit || self.open == 0 {
                break;
            }
            self.events.pop();
            self.now = time;
            self.seen.events += 1;
            self.happen(what);
        }
        self.now = self.now.max(if self.open == 0 { 0 } else { limit });
        self.open == 0
    }

    fn happen(&mut self, what: What) {
        let now = self.now;
        match what {
            What::Start(number) => self.push_on(number),
            What::Send(number) => {
                if self.pairs[number].send_at == Some(now) {
                    self.pairs[number].send_at = None;
                    self.push_on(number);
                }
            }
            What::Timer(number) => {
                if self.pairs[number].timer_at == Some(now) {
                    self.pairs[number].timer_at = None;
                    self.pairs[number].requester.tick(now);
                    self.push_on(number);
                }
            }
            What::Rate(number) => {
                if self.pairs[number].rate_at == Some(now) {
                    self.pairs[number].rate_at = None;
                    self.push_on(number);
                }
            }
            What::Notify(number) => {
                if self.pairs[number].notify_at == Some(now) {
                    self.pairs[number].notify_at = None;
                    if let Some(crossing) = self.pairs[number].notify(now) {
                        self.answer(crossing);
                    }
                    self.watch_notification(number);
                }
            }
            What::Switch(number) => self.arrive_at_switch(number),
            What::Receiver => self.arrive_at_receiver(),
            What::Senders => self.arrive_at_senders(),
            What::FreeBottleneck => self.free(true),
            What::FreeReverse => self.free(false),
            What::Compete => self.compete(),
            What::Sample => {
                self.seen.queue.push(self.bottleneck.queued as f64);
                self.at(now + self.sampling, What::Sample);
            }
        }
    }

    /// After anything that may have changed what a sender does: its rate, its next packet, its timer.
    fn push_on(&mut self, number: usize) {
        let now = self.now;
        self.rate(number);
        while let Some(at) = self.pairs[number].ready(now) {
            let at = at.max(self.ports[number].free_at);
            if at > now {
                if self.pairs[number].send_at.is_none_or(|known| at < known || known <= now) {
                    self.pairs[number].send_at = Some(at);
                    self.at(at, What::Send(number));
                }
                break;
            }
            let Some(packet) = self.pairs[number].take(now) else { break };
            if let Some(at) = self.ports[number].transmit(now, Crossing::new(packet, now)) {
                self.at(at, What::Switch(number));
            }
        }
        let pair = &mut self.pairs[number];
        if let Some(at) = pair.requester.deadline()
            && pair.timer_at.is_none_or(|timer| at < timer)
        {
            pair.timer_at = Some(at);
            self.at(at, What::Timer(number));
        }
    }

    fn rate(&mut self, number: usize) {
        let now = self.now;
        let (slow, fell) = self.pairs[number].update(now);
        if fell && self.seen.first_mark.is_some() && self.seen.first_change.is_none() {
            self.seen.first_change = Some(now);
        }
        if slow != self.slow[number] {
            self.slow[number] = slow;
            self.seen.full_since = (!self.slow.contains(&true)).then_some(now);
        }
        let pair = &mut self.pairs[number];
        if let Some(at) = pair.rate_wake().map(|at| at.max(now + 1))
            && pair.rate_at.is_none_or(|known| at < known)
        {
            pair.rate_at = Some(at);
            self.at(at, What::Rate(number));
        }
    }

    /// A frame before the bottleneck.
    fn enqueue(&mut self, mut crossing: Crossing) {
        let (now, link) = (self.now, &mut self.bottleneck);
        if self.shape.telemetry {
            let depth = (link.queued / 256).min(0xfffe) as u16;
            let occupancy = (link.queued * 256 / self.shape.buffer.max(1)).min(255) as u8;
            crossing.telemetry = Some(Telemetry { level: Level::None, delay: 0, depth, occupancy, point: POINT });
        }
        if link.idle(now) {
            if let Some(at) = link.transmit(now, crossing) {
                self.at(at, What::Receiver);
            }
            return;
        }
        if link.queued + u64::from(crossing.packet.bytes) > link.limit {
            self.seen.overflows += 1;
            return;
        }
        if link.marks(&mut self.random) {
            crossing.packet.marked = true;
            self.seen.marks += 1;
            self.seen.first_mark.get_or_insert(now);
            self.seen.last_mark = Some(now);
        }
        link.push(crossing, false);
        if !link.waiting {
            link.waiting = true;
            let at = link.free_at;
            self.at(at, What::FreeBottleneck);
        }
    }

    fn answer(&mut self, crossing: Crossing) {
        self.seen.reverse_packets += 1;
        let (now, link) = (self.now, &mut self.reverse);
        if link.idle(now) {
            if let Some(at) = link.transmit(now, crossing) {
                self.at(at, What::Senders);
            }
            return;
        }
        link.push(crossing, true);
        if !link.waiting {
            link.waiting = true;
            let at = link.free_at;
            self.at(at, What::FreeReverse);
        }
    }

    fn free(&mut self, bottleneck: bool) {
        let (link, arrives, free) = if bottleneck {
            (&mut self.bottleneck, What::Receiver, What::FreeBottleneck)
        } else {
            (&mut self.reverse, What::Senders, What::FreeReverse)
        };
        link.waiting = false;
        let Some(crossing) = link.pop() else { return };
        let arrival = link.transmit(self.now, crossing);
        link.waiting = link.queued != 0;
        let (again, free_at) = (link.waiting, link.free_at);
        if let Some(at) = arrival {
            self.at(at, arrives);
        }
        if again {
            self.at(free_at, free);
        }
    }

    fn arrive_at_switch(&mut self, number: usize) {
        let Some((crossing, next)) = self.ports[number].arrive() else { return };
        if let Some(at) = next {
            self.at(at, What::Switch(number));
        }
        self.enqueue(crossing);
    }

    fn arrive_at_receiver(&mut self) {
        let Some((crossing, next)) = self.bottleneck.arrive() else { return };
        if let Some(at) = next {
            self.at(at, What::Receiver);
        }
        let number = crossing.packet.key.qp as usize;
        let Some(pair) = self.pairs.get_mut(number) else { return };
        let mut answers = Vec::new();
        let before = pair.received.is_some();
        pair.arrive(self.now, &crossing, &mut answers);
        self.open -= usize::from(pair.received.is_some() != before);
        for answer in answers {
            self.answer(answer);
        }
        self.watch_notification(number);
    }

    fn watch_notification(&mut self, number: usize) {
        let pair = &mut self.pairs[number];
        if let Some(at) = pair.notify_wake()
            && pair.notify_at.is_none_or(|known| at < known)
        {
            pair.notify_at = Some(at);
            self.at(at, What::Notify(number));
        }
    }

    fn arrive_at_senders(&mut self) {
        let Some((crossing, next)) = self.reverse.arrive() else { return };
        if let Some(at) = next {
            self.at(at, What::Senders);
        }
        let number = crossing.packet.key.qp as usize;
        self.pairs[number].heard(self.now, &crossing);
        self.push_on(number);
    }

    fn compete(&mut self) {
        let Some(competitor) = self.competitor.filter(|competitor| self.now < competitor.stop) else { return };
        let key = Key { source: COMPETITOR, destination: u32::MAX, qp: COMPETITOR };
        let packet = Packet { key, bytes: competitor.frame, span: 1, ..Packet::default() };
        self.enqueue(Crossing::new(packet, self.now));
        self.at(self.now + u64::from(competitor.frame) * per_byte(competitor.bits), What::Compete);
    }

    /// Bytes that the bottleneck sent since it had sent `before`, beside what it can send in `time`.
    pub fn utilisation(&self, before: u64, time: u64) -> f64 {
        let most = self.shape.bottleneck as f64 / 8.0 * (time as f64 / SECOND as f64);
        (self.bottleneck.stats.bytes - before) as f64 / most
    }
}
