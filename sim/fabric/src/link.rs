//! A link in one direction, with the queue before it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a link loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    #[default]
    None,
    /// each packet by itself
    Random(f64),
    /// Gilbert-Elliott: in the bad state everything is lost, on average `length` packets
    Bursts { mean: f64, length: f64 },
}

/// Loss with its state.
#[derive(Clone, Debug)]
struct Losses {
    loss: Loss,
    random: ChaCha8Rng,
    /// packets until the next loss, or until the state changes
    left: u64,
    bad: bool,
}

impl Losses {
    fn new(loss: Loss, seed: u64, stream: u64) -> Losses {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        let mut losses = Losses { loss, random, left: u64::MAX, bad: false };
        losses.left = match loss {
            Loss::None => u64::MAX,
            Loss::Random(p) => losses.run(p),
            Loss::Bursts { mean, length } => losses.run(mean / (length * (1.0 - mean))),
        };
        losses
    }

    /// Trials before one that succeeds with probability `p`.
    fn run(&mut self, p: f64) -> u64 {
        if p <= 0.0 {
            return u64::MAX;
        }
        let u: f64 = self.random.random_range(f64::MIN_POSITIVE..1.0);
        (u.ln() / (1.0 - p.min(1.0 - 1e-12)).ln()) as u64
    }

    fn lost(&mut self) -> bool {
        match self.loss {
            Loss::None => false,
            Loss::Random(p) => {
                let lost = self.left == 0;
                self.left = if lost { self.run(p) } else { self.left - 1 };
                lost
            }
            Loss::Bursts { mean, length } => {
                if self.left == 0 {
                    self.bad = !self.bad;
                    let leave = if self.bad { 1.0 / length } else { mean / (length * (1.0 - mean)) };
                    // at least one packet in each state
                    self.left = self.run(leave) + 1;
                }
                self.left = self.left.saturating_sub(1);
                self.bad
            }
        }
    }
}

/// What a link carries.
pub trait Carried: Copy {
    /// Bytes on the wire.
    fn bytes(&self) -> u32;
}

impl Carried for Packet {
    fn bytes(&self) -> u32 {
        self.bytes
    }
}

/// RED marking, bytes of queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ecn {
    pub least: u64,
    pub most: u64,
    pub share: f64,
}

/// What a link counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub packets: u64,
    pub bytes: u64,
    pub lost: u64,
    pub peak_queue: u64,
}

/// Where a link ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Host(usize),
    Switch(usize),
    /// a box, and whether the packets come from the sending side
    Box(usize, bool),
}

#[derive(Clone, Debug)]
pub struct Link<P = Packet> {
    pub end: End,
    /// the switch whose buffer its queue is in
    pub switch: Option<usize>,
    /// the host that it begins at
    pub host: Option<usize>,
    per_byte: u64,
    delay: u64,
    losses: Losses,
    pub ecn: Option<Ecn>,
    /// most bytes of its own queue
    pub limit: u64,
    queues: [VecDeque<P>; 2],
    pub queued: u64,
    pub free_at: u64,
    /// an event will come when it is free
    pub waiting: bool,
    flight: VecDeque<(u64, P)>,
    pub stats: Stats,
}

impl<P: Carried> Link<P> {
    pub fn new(end: End, rate: u64, delay: u64, loss: Loss, seed: u64, stream: u64) -> Link<P> {
        Link {
            end,
            switch: None,
            host: None,
            per_byte: super::per_byte(rate),
            delay,
            losses: Losses::new(loss, seed, stream),
            ecn: None,
            limit: u64::MAX,
            queues: [VecDeque::new(), VecDeque::new()],
            queued: 0,
            free_at: 0,
            waiting: false,
            flight: VecDeque::new(),
            stats: Stats::default(),
        }
    }

    pub fn idle(&self, now: u64) -> bool {
        self.free_at <= now && self.queued == 0
    }

    /// Whether a packet that joins the queue is marked.
    pub fn marks(&self, random: &mut ChaCha8Rng) -> bool {
        let Some(ecn) = self.ecn.filter(|ecn| self.queued > ecn.least) else { return false };
        self.queued > ecn.most || random.random::<f64>() < ecn.share * (self.queued - ecn.least) as f64 / (ecn.most - ecn.least) as f64
    }

    pub fn push(&mut self, packet: P, priority: bool) {
        self.queued += u64::from(packet.bytes());
        self.stats.peak_queue = self.stats.peak_queue.max(self.queued);
        self.queues[usize::from(!priority)].push_back(packet);
    }

    pub fn pop(&mut self) -> Option<P> {
        let packet = self.queues[0].pop_front().or_else(|| self.queues[1].pop_front())?;
        self.queued -= u64::from(packet.bytes());
        Some(packet)
    }

    /// Sends a packet; when it arrives, if nothing that is under way arrives before.
    pub fn transmit(&mut self, now: u64, packet: P) -> Option<u64> {
        self.free_at = now + u64::from(packet.bytes()) * self.per_byte;
        self.stats.packets += 1;
        self.stats.bytes += u64::from(packet.bytes());
        if self.losses.lost() {
            self.stats.lost += 1;
            return None;
        }
        let at = self.free_at + self.delay;
        self.flight.push_back((at, packet));
        (self.flight.len() == 1).then_some(at)
    }

    /// The packet that arrives, and when the next one does.
    pub fn arrive(&mut self) -> Option<(P, Option<u64>)> {
        let (_, packet) = self.flight.pop_front()?;
        Some((packet, self.flight.front().map(|&(at, _)| at)))
    }
}
