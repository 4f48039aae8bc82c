//! `RoundTrip` against its golden model, event by event and read by read.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::round_trip::{Acked, Again, Effect, Events, LONGEST, Limits, RoundTrips, Sent};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;
use std::rc::Rc;

/// Clocks until a read sees what an event did.
const SEEN_AFTER: usize = 4;
/// Clocks in which nothing is sent, before time jumps or the cap changes.
const PAUSE: u64 = 4;

/// How a run goes, in percent of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub sent: u32,
    pub again: u32,
    pub acked: u32,
    pub forget: u32,
    /// the tick moves on
    pub tick: u32,
    /// nodes that there are events for
    pub nodes: usize,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub begun: u64,
    pub sampled: u64,
    /// by an edge
    pub edges: u64,
    /// samples that were longer than a sample can be
    pub longest: u64,
    pub cancelled: u64,
    pub expired: u64,
    pub given_up: u64,
    /// reads of the initial timeout, of the floor, of the cap, of others
    pub reads: [u64; 4],
}

impl Seen {
    /// The sums.
    pub fn add(&mut self, other: Seen) {
        let reads = [0, 1, 2, 3].map(|i| self.reads[i] + other.reads[i]);
        *self = Seen {
            begun: self.begun + other.begun,
            sampled: self.sampled + other.sampled,
            edges: self.edges + other.edges,
            longest: self.longest + other.longest,
            cancelled: self.cancelled + other.cancelled,
            expired: self.expired + other.expired,
            given_up: self.given_up + other.given_up,
            reads,
        };
    }
}

/// A number of any size.
fn of_any_size(rng: &mut ChaCha8Rng, bits: u32) -> u32 {
    let size = rng.random_range(0..=bits);
    (rng.random::<u64>() & ((1u64 << size) - 1)) as u32
}

fn limits(rng: &mut ChaCha8Rng) -> Limits {
    let cap = of_any_size(rng, 32).max(2);
    // Mostly there is something between the two.
    let floor = if rng.random_bool(0.8) { of_any_size(rng, 32).min(cap) >> rng.random_range(0..8) } else { of_any_size(rng, 32) };
    Limits { initial: of_any_size(rng, 32), floor, cap }
}

/// A node, and a key that means something there, or nearly.
fn target(rng: &mut ChaCha8Rng, model: &RoundTrips, mix: &Mix, next: &[u32]) -> (usize, u32) {
    let node = rng.random_range(0..mix.nodes);
    let around = match model.timed(node) {
        Some(key) if rng.random_bool(0.8) => key,
        _ => next[node],
    };
    let away: i32 = match rng.random_range(0..20) {
        0..13 => 0,
        13..16 => rng.random_range(-2..3),
        16 => 1 << rng.random_range(0..24),
        17 => (1 << 23) + rng.random_range(-2..3),
        _ => rng.random_range(-100..100),
    };
    (node, around.wrapping_add_signed(away) & LONGEST)
}

/// `clocks` clocks after a reset. In each one the timeout of a node is asked for, and must be that of the model four clocks before.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, clocks: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let nodes = 1usize << pins.width("read_node");
    pins.reset(1);
    let mut golden = RoundTrips::new(nodes);
    // What it was behind each of the last clocks.
    let mut history: VecDeque<Rc<RoundTrips>> = (0..SEEN_AFTER).map(|_| Rc::new(golden.clone())).collect();
    let mut next: Vec<u32> = (0..nodes).map(|_| rng.random_range(0..1 << 24)).collect();
    let mut now = (of_any_size(&mut rng, 10)).wrapping_neg();
    let mut limit = limits(&mut rng);
    // What a read of a clock ago gives, and one of two.
    let mut due: [Option<(u32, usize, Limits)>; 2] = [None, None];
    let mut change = rng.random_range(20..400);
    let mut seen = Seen::default();
    for clock in 0..clocks {
        if clock == change {
            if rng.random_bool(0.5) {
                now = now.wrapping_add(of_any_size(&mut rng, 32));
            }
            limit = limits(&mut rng);
            // A cap that a packet is longer on its way than, soon.
            if rng.random_bool(0.4) {
                limit.cap = rng.random_range(2..30);
            }
            change = clock + rng.random_range(PAUSE + 1..400);
        } else if chance(&mut rng, 5) {
            limit = Limits { cap: limit.cap, ..limits(&mut rng) };
        }
        now = now.wrapping_add(chance(&mut rng, mix.tick).into());

        let mut events = Events::default();
        if chance(&mut rng, mix.again) {
            let (node, key) = target(&mut rng, &golden, &mix, &next);
            events.again = Some(Again { node, key, expired: rng.random_bool(0.5) });
        }
        if chance(&mut rng, mix.acked) {
            // Often of the node, and the packet, that something else happens to.
            let (node, key) = target(&mut rng, &golden, &mix, &next);
            let (node, key) = events.again.filter(|_| rng.random_bool(0.3)).map_or((node, key), |again| (again.node, again.key));
            let edge = rng.random_bool(0.4);
            let ahead = u32::from(edge && rng.random_bool(0.5));
            events.acked = Some(Acked { node, key: (key + ahead) & LONGEST, edge });
        }
        if change - clock > PAUSE && chance(&mut rng, mix.sent) {
            let mut node = rng.random_range(0..mix.nodes);
            if rng.random_bool(0.3) {
                node = events.acked.map(|acked| acked.node).or(events.again.map(|again| again.node)).unwrap_or(node);
            }
            events.sent = Some(Sent { node, key: next[node] });
            next[node] = (next[node] + rng.random_range(1..3)) & LONGEST;
        }
        if chance(&mut rng, mix.forget) {
            events.forget = Some(rng.random_range(0..mix.nodes));
        }
        let read = if rng.random_bool(0.9) { rng.random_range(0..mix.nodes) } else { rng.random_range(0..nodes) };

        pins.set("now", now.into());
        pins.set("cfg_initial", limit.initial.into());
        pins.set("cfg_floor", limit.floor.into());
        pins.set("cfg_cap", limit.cap.into());
        let (sent, again, acked) = (events.sent, events.again, events.acked);
        pins.set("sent_valid", sent.is_some().into());
        pins.set("again_valid", again.is_some().into());
        pins.set("acked_valid", acked.is_some().into());
        pins.set("forget_valid", events.forget.is_some().into());
        // What is not valid says the same as before, or anything.
        if sent.is_some() || rng.random_bool(0.5) {
            let Sent { node, key } = sent.unwrap_or(Sent { node: rng.random_range(0..nodes), key: rng.random_range(0..1 << 24) });
            pins.set("sent_node", node as u64);
            pins.set("sent_key", key.into());
        }
        if let Some(Again { node, key, expired }) = again {
            pins.set("again_node", node as u64);
            pins.set("again_key", key.into());
            pins.set("again_expired", expired.into());
        }
        if let Some(Acked { node, key, edge }) = acked {
            pins.set("acked_node", node as u64);
            pins.set("acked_key", key.into());
            pins.set("acked_edge", edge.into());
        }
        if let Some(node) = events.forget {
            pins.set("forget_node", node as u64);
        }
        pins.set("read_node", read as u64);
        pins.eval();
        if let Some(failure) = pins.failure() {
            return Err(format!("cycle {}: {failure}", pins.cycle()));
        }
        if let Some((timeout, node, limits)) = due[1] {
            pins.check("timeout", timeout.into()).map_err(|what| format!("{what}: node {node}, {limits:?}"))?;
            let kind = [limits.initial, limits.floor, limits.cap].iter().position(|&limit| limit == timeout).unwrap_or(3);
            seen.reads[kind] += 1;
        }
        due = [history.pop_front().map(|model| (model.timeout(read, &limit), read, limit)), due[0]];

        for effect in golden.step(now, &events, limit.cap) {
            match effect {
                Effect::Begun { .. } => seen.begun += 1,
                Effect::GivenUp { .. } => seen.given_up += 1,
                Effect::Cancelled { .. } => {
                    seen.cancelled += 1;
                    seen.expired += u64::from(again.is_some_and(|again| again.expired));
                }
                Effect::Sampled { ticks, .. } => {
                    seen.sampled += 1;
                    seen.edges += u64::from(acked.is_some_and(|acked| acked.edge));
                    seen.longest += u64::from(ticks == LONGEST);
                }
            }
        }
        history.push_back(Rc::new(golden.clone()));
        pins.clock();
    }
    Ok(seen)
}
