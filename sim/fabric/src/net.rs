//! The network and its events.

use super::boxes::Wire;
use super::flows::Spec;
use super::host::{Flow, Host, Rate};
use super::link::{Ecn, End, Link, Loss};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::dcqcn::{self, Dcqcn};
use rdma_rtl_golden::lr2::card::Config as Card;
use rdma_rtl_golden::lr2::packet::{Kind, Packet};
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_golden::lr2::{Emit, Gate};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Hosts - switch - box - long haul - box - switch - hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// hosts on each side
    pub hosts: usize,
    pub host_rate: u64,
    pub haul_rate: u64,
    /// round trip between a host and its box
    pub local: u64,
    /// of the long haul, one way
    pub delay: u64,
    pub haul_loss: Loss,
    pub local_loss: Loss,
    /// shared buffer of a switch
    pub buffer: u64,
    pub ecn: Option<Ecn>,
    /// the near box has a queue of its own, with marks: it sends more than it gets
    pub box_queue: bool,
}

/// What cards do about congestion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    Fixed,
    Dcqcn(dcqcn::Config),
}

/// Near and far box.
pub const NEAR: usize = 0;
pub const FAR: usize = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Start(u32),
    Arrive(u32),
    Free(u32),
    Host(u32),
    Timer(u32),
    Wake(u32),
    Sample,
}

/// What a network counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// arrivals of a packet at a node
    pub packets: u64,
    pub events: u64,
    /// lost because a switch had no room
    pub overflows: u64,
    pub marks: u64,
    pub misdirected: u64,
}

/// Bytes of the pools at a moment: time, reordering, backup.
pub type Sample = (u64, u64, u64);

pub struct Net {
    pub now: u64,
    shape: Shape,
    pub links: Vec<Link>,
    hosts: Vec<Host>,
    /// by host: the link from its switch
    down: Vec<usize>,
    /// by switch: the link to the box
    up: [usize; 2],
    /// onward over the long haul, and back
    pub haul: [usize; 2],
    buffers: [u64; 2],
    pub boxes: [Box<dyn Gate>; 2],
    wakes: [Option<u64>; 2],
    pub flows: Vec<Flow>,
    events: BinaryHeap<Reverse<(u64, u64, What)>>,
    order: u64,
    open: usize,
    random: ChaCha8Rng,
    mode: Mode,
    sampling: u64,
    pub samples: Vec<Sample>,
    pub stats: Stats,
    emits: Vec<Emit>,
    answers: Vec<Packet>,
}

impl Net {
    pub fn new(shape: Shape, seed: u64) -> Net {
        let mut links = Vec::new();
        let mut add = |end, rate, delay, loss| {
            links.push(Link::new(end, rate, delay, loss, seed, links.len() as u64 + 1));
            links.len() - 1
        };
        // a quarter of the local round trip on each of the two links between host and box
        let part = shape.local / 4;
        let (mut hosts, mut down) = (Vec::new(), Vec::new());
        let mut ends = Vec::new();
        for host in 0..2 * shape.hosts {
            let switch = host / shape.hosts;
            let link = add(End::Switch(switch), shape.host_rate, part, Loss::None);
            hosts.push(Host { link, ..Host::default() });
            ends.push((link, None, Some(host)));
            down.push(add(End::Host(host), shape.host_rate, part, Loss::None));
            ends.push((down[host], Some(switch), None));
        }
        let up = [
            add(End::Box(NEAR, true), shape.haul_rate, part, shape.local_loss),
            add(End::Box(FAR, false), shape.haul_rate, part, shape.local_loss),
        ];
        let haul = [
            add(End::Box(FAR, true), shape.haul_rate, shape.delay, shape.haul_loss),
            add(End::Box(NEAR, false), shape.haul_rate, shape.delay, shape.haul_loss),
        ];
        let off =
            [add(End::Switch(0), shape.haul_rate, part, shape.local_loss), add(End::Switch(1), shape.haul_rate, part, shape.local_loss)];
        ends.extend([(up[0], Some(0), None), (up[1], Some(1), None)]);
        for (link, switch, host) in ends {
            (links[link].switch, links[link].host) = (switch, host);
            if switch.is_some() {
                links[link].ecn = shape.ecn;
            }
        }
        if shape.box_queue {
            (links[haul[0]].ecn, links[haul[0]].limit) = (shape.ecn, shape.buffer);
        }
        debug_assert_eq!(off[1], off[0] + 1);
        Net {
            now: 0,
            shape,
            links,
            hosts,
            down,
            up,
            haul,
            buffers: [0; 2],
            boxes: [Box::new(Wire), Box::new(Wire)],
            wakes: [None; 2],
            flows: Vec::new(),
            events: BinaryHeap::new(),
            order: 0,
            open: 0,
            random: ChaCha8Rng::seed_from_u64(seed ^ 0x5eed),
            mode: Mode::Standard,
            sampling: 0,
            samples: Vec::new(),
            stats: Stats::default(),
            emits: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The flows that run, their cards and what these do about congestion.
    pub fn load(&mut self, specs: &[Spec], card: Card, ideal: bool, control: Control) {
        self.mode = if card.aware { Mode::Aware } else { Mode::Standard };
        for spec in specs {
            let rate = match control {
                Control::Fixed => Rate::Fixed(self.shape.host_rate as f64),
                Control::Dcqcn(config) => Rate::Dcqcn(Dcqcn::new(config)),
            };
            let number = self.flows.len();
            self.flows.push(Flow::new(number, (spec.source, spec.destination), (spec.bytes, spec.start), card, ideal, rate));
            self.at(spec.start, What::Start(number as u32));
        }
        self.open = self.flows.len();
    }

    /// Bytes of the far box's pools every so often.
    pub fn sample(&mut self, every: u64) {
        self.sampling = every;
        self.at(0, What::Sample);
    }

    fn at(&mut self, time: u64, what: What) {
        self.order += 1;
        self.events.push(Reverse((time, self.order, what)));
    }

    /// Puts a packet before a link.
    fn enqueue(&mut self, index: usize, mut packet: Packet, priority: bool) {
        let link = &mut self.links[index];
        let bytes = u64::from(packet.bytes);
        if !link.idle(self.now) {
            if let Some(switch) = link.switch {
                if self.buffers[switch] + bytes > self.shape.buffer {
                    self.stats.overflows += 1;
                    return;
                }
                self.buffers[switch] += bytes;
            } else if link.queued + bytes > link.limit {
                self.stats.overflows += 1;
                return;
            }
            if packet.kind == Kind::Data && link.marks(&mut self.random) {
                packet.marked = true;
                self.stats.marks += 1;
            }
            link.push(packet, priority);
            if !link.waiting {
                link.waiting = true;
                let at = link.free_at;
                self.at(at, What::Free(index as u32));
            }
            return;
        }
        if let Some(at) = link.transmit(self.now, packet) {
            self.at(at, What::Arrive(index as u32));
        }
    }

    /// A link is free: the next packet of its queue, or, of a host, of its queue pairs.
    fn free(&mut self, index: usize) {
        let link = &mut self.links[index];
        link.waiting = false;
        if let Some(packet) = link.pop() {
            if let Some(switch) = link.switch {
                self.buffers[switch] -= u64::from(packet.bytes);
            }
            let arrival = link.transmit(self.now, packet);
            let (free_at, again) = (link.free_at, link.queued != 0 || link.host.is_some());
            link.waiting = again;
            if let Some(at) = arrival {
                self.at(at, What::Arrive(index as u32));
            }
            if again {
                self.at(free_at, What::Free(index as u32));
            }
        } else if let Some(host) = link.host {
            self.pull(host);
        }
    }

    /// A host sends the next packet that may go, if its port is free.
    fn pull(&mut self, host: usize) {
        let now = self.now;
        let index = self.hosts[host].link;
        if !self.links[index].idle(now) {
            let link = &mut self.links[index];
            if !link.waiting {
                link.waiting = true;
                let at = link.free_at;
                self.at(at, What::Free(index as u32));
            }
            return;
        }
        while let Some(&Reverse((at, _, number))) = self.hosts[host].ready.peek() {
            if at > now {
                if self.hosts[host].wake.is_none_or(|wake| at < wake) {
                    self.hosts[host].wake = Some(at);
                    self.at(at, What::Host(host as u32));
                }
                return;
            }
            self.hosts[host].ready.pop();
            let flow = &mut self.flows[number as usize];
            flow.listed = false;
            let Some(packet) = flow.take(now) else { continue };
            self.list(number as usize);
            let link = &mut self.links[index];
            let arrival = link.transmit(now, packet);
            let free_at = link.free_at;
            if !link.waiting {
                link.waiting = true;
                self.at(free_at, What::Free(index as u32));
            }
            if let Some(at) = arrival {
                self.at(at, What::Arrive(index as u32));
            }
            self.timer(number as usize);
            return;
        }
    }

    /// A flow that has something to send waits for its turn.
    fn list(&mut self, number: usize) {
        let flow = &mut self.flows[number];
        if flow.listed || !flow.sender.ready() {
            return;
        }
        flow.listed = true;
        let (at, source) = (flow.next.max(self.now), flow.source);
        let host = &mut self.hosts[source];
        host.order += 1;
        host.ready.push(Reverse((at, host.order, number as u32)));
    }

    fn timer(&mut self, number: usize) {
        let flow = &mut self.flows[number];
        if let Some(at) = flow.sender.deadline()
            && flow.timer.is_none_or(|timer| at < timer)
        {
            flow.timer = Some(at);
            self.at(at, What::Timer(number as u32));
        }
    }

    /// After anything that may have changed what a flow sends.
    fn settle(&mut self, number: usize) {
        let flow = &mut self.flows[number];
        if !flow.closed && (flow.sender.finished() || flow.sender.failed()) {
            flow.closed = true;
            if flow.sender.finished() {
                flow.acknowledged = Some(self.now);
            }
            let key = flow.key;
            self.open -= 1;
            for at in 0..2 {
                self.boxes[at].close(key);
            }
            return;
        }
        self.list(number);
        self.timer(number);
        let source = self.flows[number].source;
        self.pull(source);
    }

    fn emitted(&mut self, at: usize) {
        let mut emits = std::mem::take(&mut self.emits);
        for emit in emits.drain(..) {
            let link = match (at, emit.onward) {
                (NEAR, true) => self.haul[0],
                (FAR, true) => self.haul[1] + 2,
                (NEAR, false) => self.haul[1] + 1,
                _ => self.haul[1],
            };
            self.enqueue(link, emit.packet, emit.priority);
        }
        self.emits = emits;
        if let Some(time) = self.boxes[at].wake().map(|time| time.max(self.now))
            && self.wakes[at].is_none_or(|wake| time < wake)
        {
            self.wakes[at] = Some(time);
            self.at(time, What::Wake(at as u32));
        }
    }

    fn arrive(&mut self, index: usize) {
        let link = &mut self.links[index];
        let end = link.end;
        let Some((packet, next)) = link.arrive() else { return };
        if let Some(at) = next {
            self.at(at, What::Arrive(index as u32));
        }
        self.stats.packets += 1;
        match end {
            End::Switch(switch) => {
                let host = packet.key.destination as usize;
                let link = if host / self.shape.hosts == switch { self.down[host] } else { self.up[switch] };
                // what is no data goes before data, as cards send CNPs and acknowledgements
                self.enqueue(link, packet, packet.kind != Kind::Data);
            }
            End::Box(at, onward) => {
                let now = self.now;
                if onward {
                    self.boxes[at].onward(now, packet, true, &mut self.emits);
                } else {
                    self.boxes[at].back(now, packet, true, &mut self.emits);
                }
                self.emitted(at);
            }
            End::Host(host) => self.deliver(host, &packet),
        }
    }

    fn deliver(&mut self, host: usize, packet: &Packet) {
        let number = (packet.key.qp & 0x7f_ffff) as usize;
        let back = packet.key.qp & 0x80_0000 != 0;
        let Some(flow) = self.flows.get_mut(number).filter(|flow| (if back { flow.source } else { flow.destination }) == host) else {
            self.stats.misdirected += 1;
            return;
        };
        if back {
            if packet.kind == Kind::Cnp {
                if let Rate::Dcqcn(control) = &mut flow.rate {
                    control.notified(self.now);
                }
            } else if !flow.closed {
                flow.sender.receive(self.now, packet);
                self.settle(number);
            }
            return;
        }
        let mut answers = std::mem::take(&mut self.answers);
        flow.receiver.receive(self.now, packet, &mut answers);
        if flow.received.is_none() && flow.receiver.done() == flow.packets {
            flow.received = Some(self.now);
        }
        let link = self.hosts[host].link;
        for answer in answers.drain(..) {
            self.enqueue(link, answer, true);
        }
        self.answers = answers;
    }

    fn start(&mut self, number: usize) -> Result<(), String> {
        let flow = &self.flows[number];
        let entry = Entry { key: flow.key, peer_qp: flow.reverse.qp, mode: self.mode, initial: Some(flow.initial()) };
        for at in 0..2 {
            self.boxes[at].open(&entry)?;
        }
        self.settle(number);
        Ok(())
    }

    /// Payload that has arrived in order.
    pub fn delivered(&self) -> u64 {
        self.flows.iter().map(|flow| flow.bytes.min(flow.receiver.done() * u64::from(flow.payload))).sum()
    }

    /// Runs until all flows are over or `until`. Whether they are.
    /// # Errors
    /// A box has no room for a flow.
    pub fn run(&mut self, until: u64) -> Result<bool, String> {
        while let Some(&Reverse((time, _, what))) = self.events.peek() {
            if self.open == 0 || time > until {
                break;
            }
            self.events.pop();
            self.now = time;
            self.stats.events += 1;
            match what {
                What::Arrive(link) => self.arrive(link as usize),
                What::Free(link) => self.free(link as usize),
                What::Start(flow) => self.start(flow as usize)?,
                What::Host(host) => {
                    // one that an earlier one replaced would put itself there again for ever
                    if self.hosts[host as usize].wake == Some(time) {
                        self.hosts[host as usize].wake = None;
                        self.pull(host as usize);
                    }
                }
                What::Timer(flow) => {
                    if self.flows[flow as usize].timer != Some(time) {
                        continue;
                    }
                    self.flows[flow as usize].timer = None;
                    if !self.flows[flow as usize].closed {
                        self.flows[flow as usize].sender.tick(time);
                        self.settle(flow as usize);
                    }
                }
                What::Wake(at) => {
                    if self.wakes[at as usize] != Some(time) {
                        continue;
                    }
                    self.wakes[at as usize] = None;
                    self.boxes[at as usize].tick(time, &mut self.emits);
                    self.emitted(at as usize);
                }
                What::Sample => {
                    let (reordering, backup) = self.boxes[FAR].held();
                    self.samples.push((time, reordering, backup));
                    self.at(time + self.sampling, What::Sample);
                }
            }
        }
        Ok(self.open == 0)
    }
}
