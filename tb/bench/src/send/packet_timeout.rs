//! `PacketTimeout` against its golden model, packet by packet.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::send::op_table::Ack;
use rdma_rtl_golden::send::packet_timeout::{Happens, PacketTimeouts};
use rdma_rtl_golden::send::round_trip::{Effect, Limits};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;
use std::rc::Rc;

/// Clocks from a packet to its ticks.
pub const LATENCY: usize = 6;
/// Clocks until a packet's ticks show what happened.
const SEEN_AFTER: usize = 4;
/// Clocks in which nothing is sent, before time jumps or the limits change.
const PAUSE: u64 = 10;

/// How a run goes, in percent of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub sent: u32,
    pub again: u32,
    pub ack: u32,
    pub open: u32,
    pub forget: u32,
    /// the tick moves on
    pub tick: u32,
    /// nodes that ops go to
    pub nodes: usize,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub packets: u64,
    pub sampled: u64,
    pub cancelled: u64,
    /// first tries with the initial timeout, and with another one
    pub initial: u64,
    pub measured: u64,
    /// further tries below the cap, and at it
    pub doubled: u64,
    pub capped: u64,
}

impl Seen {
    /// The sums.
    pub fn add(&mut self, other: Seen) {
        self.packets += other.packets;
        self.sampled += other.sampled;
        self.cancelled += other.cancelled;
        self.initial += other.initial;
        self.measured += other.measured;
        self.doubled += other.doubled;
        self.capped += other.capped;
    }
}

fn limits(rng: &mut ChaCha8Rng) -> Limits {
    let of_any_size = |rng: &mut ChaCha8Rng, bits: u32| {
        let bits = rng.random_range(1..=bits);
        rng.random_range(0..1u32 << bits)
    };
    Limits { initial: of_any_size(rng, 29), floor: of_any_size(rng, 8), cap: of_any_size(rng, 29).max(2) }
}

/// `clocks` clocks after a reset, of a block for `ops` operations.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, ops: usize, clocks: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (nodes, packets) = (1usize << pins.width("forget_node"), 1u32 << pins.width("in_packet"));
    pins.reset(1);
    let mut golden = PacketTimeouts::new(ops, nodes);
    let mut history: VecDeque<Rc<PacketTimeouts>> = (0..SEEN_AFTER).map(|_| Rc::new(golden.clone())).collect();
    // The op of each index; a few indices are in use, so that events meet.
    let few = ops.min(8);
    let mut live: Vec<u32> = (0..few as u32).collect();
    let mut now = rng.random_range(0..1000u32).wrapping_neg();
    let mut limit = limits(&mut rng);
    let mut delay: u16 = rng.random();
    let mut change = clocks.min(100);
    let mut due: VecDeque<Option<(u32, u16, u8, u32)>> = (0..LATENCY).map(|_| None).collect();
    let mut seen = Seen::default();
    for clock in 0..clocks {
        if clock == change {
            now = now.wrapping_add(if rng.random_bool(0.3) { rng.random() } else { 0 });
            limit = limits(&mut rng);
            delay = rng.random();
            change = clock + rng.random_range(PAUSE + 1..600);
        }
        now = now.wrapping_add(chance(&mut rng, mix.tick).into());
        let mut happens = Happens::default();
        // An index is taken anew: first each one of them.
        if clock < few as u64 || chance(&mut rng, mix.open) {
            let at = if clock < few as u64 { clock as usize } else { rng.random_range(0..few) };
            live[at] = (live[at] + ops as u32 * rng.random_range(1..4)) % (1 << OP_BITS);
            happens.open = Some((live[at], rng.random_range(0..mix.nodes)));
        }
        let opened = happens.open.map(|(op, _)| op);
        let settled = clock > few as u64;
        let pick = |rng: &mut ChaCha8Rng, timed: Option<u32>| match timed {
            Some(op) if rng.random_bool(0.7) => op,
            _ => live[rng.random_range(0..few)],
        };
        let timed = |rng: &mut ChaCha8Rng| golden.timed(rng.random_range(0..mix.nodes));
        if settled && change - clock > PAUSE && chance(&mut rng, mix.sent) {
            let tries = if rng.random_bool(0.7) { 0 } else { rng.random_range(0..32) };
            let packet = if rng.random_bool(0.6) { 0 } else { rng.random_range(0..packets) as u16 };
            happens.sent = Some((pick(&mut rng, None), packet, tries)).filter(|(op, ..)| Some(*op) != opened);
        }
        if settled && chance(&mut rng, mix.again) {
            let at = timed(&mut rng);
            happens.again = Some((pick(&mut rng, at), rng.random_bool(0.5)));
        }
        if settled && chance(&mut rng, mix.ack) {
            let at = timed(&mut rng);
            let mut op = pick(&mut rng, at);
            if rng.random_bool(0.1) {
                op ^= ops as u32;
            }
            let first = if rng.random_bool(0.8) { 0 } else { rng.random() };
            let mask = rng.random::<u64>() | u64::from(rng.random_bool(0.5));
            happens.ack = Some(match rng.random_bool(0.3) {
                true => Ack::Completion { op, status: rng.random() },
                false => Ack::Packets { op, first, status: rng.random(), mask },
            });
        }
        if chance(&mut rng, mix.forget) {
            happens.forget = Some(rng.random_range(0..mix.nodes));
        }

        for (name, value) in [("now", now), ("cfg_initial", limit.initial), ("cfg_floor", limit.floor), ("cfg_cap", limit.cap)] {
            pins.set(name, value.into());
        }
        pins.set("cfg_delay", delay.into());
        for (name, valid) in [
            ("open", happens.open.is_some()),
            ("in", happens.sent.is_some()),
            ("again", happens.again.is_some()),
            ("ack", happens.ack.is_some()),
            ("forget", happens.forget.is_some()),
        ] {
            pins.set(&format!("{name}_valid"), valid.into());
        }
        if let Some((op, node)) = happens.open {
            pins.set("open_op", op.into());
            pins.set("open_node", node as u64 | u64::from(rng.random::<u16>()) << nodes.ilog2() & 0xffff);
        }
        if let Some((op, packet, tries)) = happens.sent {
            pins.set("in_op", op.into());
            pins.set("in_packet", packet.into());
            pins.set("in_try", tries.into());
        }
        if let Some((op, expired)) = happens.again {
            pins.set("again_op", op.into());
            pins.set("again_expired", expired.into());
        }
        match happens.ack {
            Some(Ack::Packets { op, first, mask, .. }) => {
                let fields = [("kind", 0), ("op", op.into()), ("first", first.into()), ("names_first", mask & 1)];
                fields.into_iter().for_each(|(name, value)| pins.set(&format!("ack_{name}"), value));
            }
            // What a remote completion does not have may be anything.
            Some(Ack::Completion { op, .. }) => {
                let fields =
                    [("kind", 1), ("op", op.into()), ("first", rng.random::<u16>().into()), ("names_first", rng.random_range(0..2))];
                fields.into_iter().for_each(|(name, value)| pins.set(&format!("ack_{name}"), value));
            }
            None => {}
        }
        if let Some(node) = happens.forget {
            pins.set("forget_node", node as u64);
        }
        pins.eval();
        if let Some(failure) = pins.failure() {
            return Err(format!("cycle {}: {failure}", pins.cycle()));
        }
        let expected = due.pop_front().flatten();
        pins.check("out_valid", expected.is_some().into())?;
        if let Some((op, packet, tries, ticks)) = expected {
            for (name, value) in [("op", op.into()), ("packet", packet.into()), ("try", tries.into()), ("ticks", u64::from(ticks))] {
                pins.check(&format!("out_{name}"), value).map_err(|what| format!("{what}: op {op:#x}, try {tries}, {limit:?}"))?;
            }
            seen.packets += 1;
            *match (tries, ticks - u32::from(delay)) {
                (0, ticks) if ticks == limit.initial => &mut seen.initial,
                (0, _) => &mut seen.measured,
                (_, ticks) if ticks == limit.cap => &mut seen.capped,
                _ => &mut seen.doubled,
            } += 1;
        }
        let before = history.pop_front();
        // Its node is that of now.
        due.push_back(
            happens
                .sent
                .zip(before)
                .map(|((op, packet, tries), before)| (op, packet, tries, before.ticks_at(golden.node(op), tries, &limit, delay))),
        );
        for effect in golden.step(now, &happens, limit.cap) {
            seen.sampled += u64::from(matches!(effect, Effect::Sampled { .. }));
            seen.cancelled += u64::from(matches!(effect, Effect::Cancelled { .. }));
        }
        history.push_back(Rc::new(golden.clone()));
        pins.clock();
    }
    Ok(seen)
}
