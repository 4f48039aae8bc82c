//! The whole way, and checks of what it must keep: card - segment - Sentry - long haul - Depot - segment - card.
//!
//! Every segment loses, doubles, delays and spoils packets in both directions, at random or as told. The cards check every payload;
//! besides, nothing may tell a sending card that something has arrived which the receiving card does not have.

use super::card::{Config as Card, Requester, Responder};
use super::packet::{Gap, Key, Kind, Packet};
use super::table::{Entry, Mode, turned};
use super::{Emit, Gate};
use crate::bitmap::psn::{ahead, before};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a segment does to packets, in either direction. Shares are in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub delay: u64,
    pub lose: u32,
    pub double: u32,
    pub spoil: u32,
    /// share of packets that come later, by up to
    pub late: u32,
    /// this much
    pub jitter: u64,
}

/// The segments, in order from the sending card.
pub const NEAR: usize = 0;
pub const HAUL: usize = 1;
pub const FAR: usize = 2;

/// A packet that is lost as told: the `nth` (from 0) of this kind and PSN that passes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    pub segment: usize,
    pub onward: bool,
    pub kind: Kind,
    pub psn: u32,
    pub nth: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub segments: [Segment; 3],
    /// ticks between two packets of a card
    pub interval: u64,
    pub card: Card,
    /// receives are posted every so many ticks, so many at once
    pub posts: Option<(u64, u32)>,
    pub limit: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Arrive(usize),
    Send(usize),
    Timer(usize),
    Wake(bool),
    Post,
}

struct Flow {
    requester: Requester,
    responder: Responder,
    key: Key,
    reverse: Key,
    timer: Option<u64>,
    sending: bool,
}

/// A packet under way: where it goes.
#[derive(Clone, Copy)]
struct Transit {
    packet: Packet,
    segment: usize,
    onward: bool,
    sound: bool,
}

/// The way between the cards of some flows.
pub struct Path<S: Gate, D: Gate> {
    pub sentry: S,
    pub depot: D,
    config: Config,
    flows: Vec<Flow>,
    transits: Vec<Transit>,
    free: Vec<usize>,
    events: BinaryHeap<Reverse<(u64, u64, What)>>,
    order: u64,
    now: u64,
    wakes: [Option<u64>; 2],
    random: ChaCha8Rng,
    losses: Vec<(Loss, u32)>,
    /// what was wrong, at most a few
    pub wrong: Vec<String>,
    /// data and requests that crossed the long haul, and all bytes
    pub crossed: u64,
    pub packets: u64,
}

impl<S: Gate, D: Gate> Path<S, D> {
    pub fn new(sentry: S, depot: D, config: Config, seed: u64) -> Path<S, D> {
        Path {
            sentry,
            depot,
            config,
            flows: Vec::new(),
            transits: Vec::new(),
            free: Vec::new(),
            events: BinaryHeap::new(),
            order: 0,
            now: 0,
            wakes: [None; 2],
            random: ChaCha8Rng::seed_from_u64(seed),
            losses: Vec::new(),
            wrong: Vec::new(),
            crossed: 0,
            packets: 0,
        }
    }

    /// A flow whose first PSN is `initial`.
    /// # Errors
    /// A box has no room for it.
    pub fn flow(&mut self, initial: u32, messages: &[(u32, bool)]) -> Result<usize, String> {
        let number = self.flows.len() as u32;
        let key = Key { source: 0x0a00_0000 + number, destination: 0x0b00_0000 + number, qp: 0x100 + number };
        let peer_qp = 0x8000 + number;
        let mode = if self.config.card.aware { Mode::Aware } else { Mode::Standard };
        let entry = Entry { key, peer_qp, mode, initial: number.is_multiple_of(2).then_some(initial) };
        self.sentry.open(&entry)?;
        self.depot.open(&entry)?;
        let reverse = turned(&key, peer_qp);
        let mut requester = Requester::new(key, initial, self.config.card);
        for &(packets, read) in messages {
            if read {
                requester.read(packets);
            } else {
                requester.write(packets);
            }
        }
        let mut responder = Responder::new(reverse, key.qp, initial, self.config.card);
        responder.posted = self.config.posts.map(|_| 0);
        self.flows.push(Flow { requester, responder, key, reverse, timer: None, sending: false });
        self.wake_card(number as usize);
        Ok(number as usize)
    }

    /// Loses a packet as told.
    pub fn lose(&mut self, loss: Loss) {
        self.losses.push((loss, 0));
    }

    pub fn requester(&self, flow: usize) -> &Requester {
        &self.flows[flow].requester
    }

    pub fn responder(&self, flow: usize) -> &Responder {
        &self.flows[flow].responder
    }

    pub fn key(&self, flow: usize) -> Key {
        self.flows[flow].key
    }

    fn at(&mut self, time: u64, what: What) {
        self.order += 1;
        self.events.push(Reverse((time, self.order, what)));
    }

    fn complain(&mut self, what: String) {
        if self.wrong.len() < 8 {
            self.wrong.push(format!("at {}: {what}", self.now));
        }
    }

    fn chance(&mut self, millionths: u32) -> bool {
        millionths != 0 && self.random.random_range(0..1_000_000) < millionths
    }

    fn put(&mut self, packet: Packet, segment: usize, onward: bool) {
        self.packets += 1;
        if segment == HAUL && onward && matches!(packet.kind, Kind::Data | Kind::Request) {
            self.crossed += 1;
        }
        let mut lost = false;
        for (loss, passed) in &mut self.losses {
            let same = loss.segment == segment && loss.onward == onward && loss.kind == packet.kind;
            if same && (loss.psn == packet.psn || loss.psn == u32::MAX) {
                *passed += 1;
                lost |= *passed == loss.nth + 1;
            }
        }
        if lost {
            return;
        }
        let way = self.config.segments[segment];
        if self.chance(way.lose) {
            return;
        }
        let copies = 1 + u32::from(self.chance(way.double));
        for _ in 0..copies {
            let sound = !self.chance(way.spoil);
            let late = if self.chance(way.late) { self.random.random_range(0..=way.jitter) } else { 0 };
            let transit = Transit { packet, segment, onward, sound };
            let index = match self.free.pop() {
                Some(index) => {
                    self.transits[index] = transit;
                    index
                }
                None => {
                    self.transits.push(transit);
                    self.transits.len() - 1
                }
            };
            self.at(self.now + way.delay + late, What::Arrive(index));
        }
    }

    fn wake_card(&mut self, flow: usize) {
        let (now, interval) = (self.now, self.config.interval);
        let at = &mut self.flows[flow];
        if !at.sending
            && let Some(ready) = at.requester.ready()
        {
            at.sending = true;
            self.at(ready.max(now + interval), What::Send(flow));
        }
        let at = &mut self.flows[flow];
        if let Some(deadline) = at.requester.deadline()
            && at.timer.is_none_or(|timer| deadline < timer)
        {
            at.timer = Some(deadline);
            self.at(deadline, What::Timer(flow));
        }
    }

    /// What a box sends: `depot` or not.
    fn emitted(&mut self, depot: bool, out: &[Emit]) {
        for emit in out {
            let segment = match (depot, emit.onward) {
                (false, false) => NEAR,
                (true, true) => FAR,
                _ => HAUL,
            };
            self.put(emit.packet, segment, emit.onward);
        }
        let wake = if depot { self.depot.wake() } else { self.sentry.wake() };
        let known = &mut self.wakes[usize::from(depot)];
        if let Some(at) = wake.map(|at| at.max(self.now))
            && known.is_none_or(|known| at < known)
        {
            *known = Some(at);
            self.at(at, What::Wake(depot));
        }
    }

    fn arrive(&mut self, transit: Transit) {
        let Transit { packet, segment, onward, sound } = transit;
        let now = self.now;
        let mut out = Vec::new();
        match (segment, onward) {
            (NEAR, true) => {
                self.sentry.onward(now, packet, sound, &mut out);
                self.emitted(false, &out);
            }
            (HAUL, true) => {
                self.depot.onward(now, packet, sound, &mut out);
                self.emitted(true, &out);
            }
            (FAR, false) => {
                self.depot.back(now, packet, sound, &mut out);
                self.emitted(true, &out);
            }
            (HAUL, false) => {
                self.sentry.back(now, packet, sound, &mut out);
                self.emitted(false, &out);
            }
            (FAR, true) => self.reach_responder(&packet, sound),
            _ => self.reach_requester(&packet, sound),
        }
    }

    fn reach_responder(&mut self, packet: &Packet, sound: bool) {
        if packet.kind == Kind::Probe || packet.gap != Gap::default() {
            self.complain(format!("a header of the boxes reaches the receiving card: {packet:?}"));
        }
        let Some(flow) = self.flows.iter().position(|flow| flow.key == packet.key).filter(|_| sound) else { return };
        let mut out = Vec::new();
        let at = &mut self.flows[flow];
        at.responder.receive(self.now, packet, &mut out);
        if at.responder.stats.wrong != 0 {
            self.complain(format!("flow {flow}: the receiving card has taken {packet:?}, which is not what was due"));
        }
        for answer in out {
            self.put(answer, FAR, false);
        }
    }

    fn reach_requester(&mut self, packet: &Packet, sound: bool) {
        if packet.gap != Gap::default() {
            self.complain(format!("a header of the boxes reaches the sending card: {packet:?}"));
        }
        let Some(flow) = self.flows.iter().position(|flow| flow.reverse == packet.key).filter(|_| sound) else { return };
        let aware = self.config.card.aware;
        let at = &mut self.flows[flow];
        let (una, done) = at.requester.progress();
        let (_, arrived) = at.responder.progress();
        let claims = match packet.kind {
            Kind::Ack => Some(packet.psn.wrapping_add(1) & 0xff_ffff),
            Kind::Nak if packet.origin == super::packet::Origin::Card || !aware => Some(packet.psn),
            _ => None,
        };
        let claim = claims.filter(|&psn| !before(psn, una)).map(|psn| done + u64::from(ahead(una, psn)));
        if claim.is_some_and(|claim| claim > arrived) {
            self.complain(format!("flow {flow}: {packet:?} acknowledges what the receiving card does not have ({arrived} arrived)"));
        }
        let at = &mut self.flows[flow];
        at.requester.receive(self.now, packet);
        if at.requester.stats.wrong != 0 {
            self.complain(format!("flow {flow}: a response that was not due: {packet:?}"));
        }
        self.wake_card(flow);
    }

    /// Every flow has finished, or failed.
    pub fn over(&self) -> bool {
        self.flows.iter().all(|flow| flow.requester.finished() || flow.requester.failed())
    }

    /// Runs until every flow is over, or nothing happens, or the limit.
    /// # Errors
    /// What was wrong, or what has not finished.
    pub fn run(&mut self) -> Result<u64, String> {
        if let Some((every, _)) = self.config.posts {
            self.at(every, What::Post);
        }
        while let Some(Reverse((time, _, what))) = self.events.pop() {
            if time > self.config.limit || !self.wrong.is_empty() || self.over() {
                break;
            }
            self.now = time;
            match what {
                What::Arrive(index) => {
                    let transit = self.transits[index];
                    self.free.push(index);
                    self.arrive(transit);
                }
                What::Send(flow) => {
                    self.flows[flow].sending = false;
                    if let Some(packet) = self.flows[flow].requester.take(time) {
                        self.put(packet, NEAR, true);
                    }
                    self.wake_card(flow);
                }
                What::Timer(flow) => {
                    if self.flows[flow].timer != Some(time) {
                        continue;
                    }
                    self.flows[flow].timer = None;
                    self.flows[flow].requester.tick(time);
                    self.wake_card(flow);
                }
                What::Wake(depot) => {
                    if self.wakes[usize::from(depot)] != Some(time) {
                        continue;
                    }
                    self.wakes[usize::from(depot)] = None;
                    let mut out = Vec::new();
                    if depot {
                        self.depot.tick(time, &mut out)
                    } else {
                        self.sentry.tick(time, &mut out)
                    }
                    self.emitted(depot, &out);
                }
                What::Post => {
                    let (every, count) = self.config.posts.unwrap_or((1, 0));
                    for flow in &mut self.flows {
                        flow.responder.posted = flow.responder.posted.map(|posted| posted + count);
                    }
                    self.at(time + every, What::Post);
                }
            }
        }
        if let Some(first) = self.wrong.first() {
            return Err(first.clone());
        }
        for (number, flow) in self.flows.iter().enumerate() {
            if !flow.requester.finished() {
                let (una, done) = flow.requester.progress();
                return Err(format!(
                    "flow {number}: not finished at {} (failed: {}), {done} acknowledged, una {una:#x}, receiver {:?}, Sentry {:?}, Depot {:?}",
                    self.now,
                    flow.requester.failed(),
                    flow.responder.progress(),
                    self.sentry.counters(),
                    self.depot.counters()
                ));
            }
            if flow.responder.progress().1 != flow.requester.progress().1 {
                return Err(format!("flow {number}: the sending card has finished, the receiving one has not"));
            }
        }
        Ok(self.now)
    }
}
