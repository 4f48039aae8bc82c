//! A packet engine, a network and a receiver around the table: everything at once, with every trouble, from a seed.

use super::{Bench, Counted, Inputs, Taken};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::op_table::{Ack, Config, Params, Retransmit};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// How a run goes. Rates are in percent of clocks or of packets.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub ops: usize,
    pub segment: u32,
    pub sent: u32,
    pub hold: u32,
    /// clocks from one end to the other
    pub delay: (u64, u64),
    pub loss: u32,
    pub duplicates: u32,
    /// acknowledgements that say no
    pub negative: u32,
    /// operations that the receiver refuses, or for the moment
    pub refused: u32,
    pub overlap: u32,
    /// operations whose payload is not fetched
    pub fails: u32,
    /// acknowledgements that nobody sent
    pub forged: u32,
    /// acknowledgements that come again much later
    pub late: u32,
    /// packets of an operation, at most
    pub packets: u16,
    pub config: Config,
}

impl Mix {
    /// Some of everything, from a seed.
    pub fn random(params: Params, ops: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
        let mut pick = |from: &[u32]| from[rng.random_range(0..from.len())];
        let prescale = pick(&[1, 3, 8]) as u16;
        let delay = u64::from(pick(&[4, 40, 300]));
        // From far too short to long enough.
        let patience = (params.scan_period() + 3 * delay) as u32 / u32::from(prescale);
        let timeout = pick(&[1, patience / 4, patience, 3 * patience]).max(1);
        Self {
            ops,
            segment: pick(&[5, 50, 100]),
            sent: pick(&[30, 90, 100]),
            hold: pick(&[0, 0, 20, 60]),
            delay: (1, delay),
            loss: pick(&[0, 5, 20, 40]),
            duplicates: pick(&[0, 5, 30]),
            negative: pick(&[0, 0, 2]),
            refused: pick(&[0, 2, 10]),
            overlap: pick(&[0, 5]),
            fails: pick(&[0, 5]),
            forged: pick(&[0, 5, 30]),
            late: pick(&[0, 20]),
            packets: pick(&[1, 4, 20, 256]).min(params.mask_bits as u32) as u16,
            config: Config {
                prescale,
                timeout,
                backoff_cap: timeout.saturating_mul(pick(&[1, 3, 100])),
                retry_limit: pick(&[0, 1, 3, 7, 12, 31]) as u8,
                t_life: pick(&[0, 100, 3000]),
            },
        }
    }
}

/// An operation, as the engine knows it.
struct Entry {
    op: u32,
    count: u16,
    next: u16,
    ended: bool,
    fails: bool,
    again: VecDeque<(u16, u8)>,
    release_at: Option<u64>,
}

struct Received {
    count: u16,
    packets: Vec<bool>,
    refused: Option<u8>,
    overlaps: u32,
}

struct World {
    rng: ChaCha8Rng,
    mix: Mix,
    mask_bits: u16,
    entries: Vec<Entry>,
    receivers: HashMap<u32, Received>,
    /// by clock: packets that arrive, acknowledgements that come back
    forward: BTreeMap<u64, Vec<(u32, u16)>>,
    backward: BTreeMap<u64, Vec<Ack>>,
    acks: VecDeque<Ack>,
    old: VecDeque<Ack>,
    cut: usize,
    segment: Option<(u16, OpKind, u16)>,
    fail: Option<(u32, u8)>,
}

impl World {
    fn travel(&mut self) -> u64 {
        self.rng.random_range(self.mix.delay.0..=self.mix.delay.1)
    }

    fn lost(&mut self) -> bool {
        chance(&mut self.rng, self.mix.loss)
    }

    fn answer(&mut self, now: u64, ack: Ack) {
        if self.lost() {
            return;
        }
        let copies = 1 + usize::from(chance(&mut self.rng, self.mix.duplicates));
        for _ in 0..copies {
            let at = now + self.travel();
            self.backward.entry(at).or_default().push(ack);
        }
        self.old.push_back(ack);
        if self.old.len() > 200 {
            self.old.pop_front();
        }
    }

    /// A packet comes to the receiver.
    fn arrive(&mut self, now: u64, op: u32, packet: u16) {
        let (refuses, why) = (chance(&mut self.rng, self.mix.refused), self.rng.random_range(1..=16));
        let (negative, overlaps) = (chance(&mut self.rng, self.mix.negative), chance(&mut self.rng, self.mix.overlap));
        let wide = chance(&mut self.rng, 30);
        let Some(received) = self.receivers.get_mut(&op) else { return };
        if packet == 0 && !received.packets[0] && received.refused.is_none() {
            if overlaps && received.overlaps < 3 {
                received.overlaps += 1;
                return self.answer(now, Ack::Completion { op, status: 7 });
            }
            received.refused = (refuses && why != 7).then_some(why);
        }
        if let Some(status) = received.refused {
            return self.answer(now, Ack::Completion { op, status });
        }
        let first = packet & !63;
        if negative && !received.packets[usize::from(packet)] {
            return self.answer(now, Ack::Packets { op, first, status: 13, mask: 1 << (packet - first) });
        }
        received.packets[usize::from(packet)] = true;
        let mut mask = 1 << (packet - first);
        if wide {
            for at in 0..64.min(received.count - first) {
                mask |= u64::from(received.packets[usize::from(first + at)]) << at;
            }
        }
        let done = received.packets.iter().all(|&p| p);
        self.answer(now, Ack::Packets { op, first, status: 0, mask });
        if done {
            self.answer(now, Ack::Completion { op, status: 0 });
        }
    }

    /// What goes in.
    fn inputs(&mut self, now: u64) -> Inputs {
        while let Some(entry) = self.forward.first_entry().filter(|entry| *entry.key() <= now) {
            for (op, packet) in entry.remove() {
                self.arrive(now, op, packet);
            }
        }
        while let Some(entry) = self.backward.first_entry().filter(|entry| *entry.key() <= now) {
            self.acks.extend(entry.remove());
        }
        if self.segment.is_none() && self.cut < self.mix.ops && chance(&mut self.rng, self.mix.segment) {
            let count = match self.rng.random_range(0..4) {
                0 => 1,
                1 => self.mix.packets,
                _ => self.rng.random_range(1..=self.mix.packets),
            };
            let kind = if self.rng.random_range(0..8) == 0 { OpKind::Arrival } else { OpKind::Data };
            self.segment = Some((self.rng.random_range(0..16), kind, count));
            self.cut += 1;
        }
        let mut ack = None;
        if chance(&mut self.rng, self.mix.forged) && chance(&mut self.rng, 10) {
            ack = Some(self.forge());
        } else if chance(&mut self.rng, self.mix.late) && chance(&mut self.rng, 5) && !self.old.is_empty() {
            ack = Some(self.old[self.rng.random_range(0..self.old.len())]);
        }
        // A clock without an acknowledgement now and then, for the failures that wait.
        if ack.is_none() && !chance(&mut self.rng, 25) {
            ack = self.acks.pop_front();
        }
        let (hold, mix) = (self.mix.hold, self.mix);
        let mut held = || chance(&mut self.rng, hold);
        let holds = [held(), held(), held(), held()];
        let sent = if chance(&mut self.rng, mix.sent) { self.send(now) } else { None };
        let release = self.entries.iter().position(|entry| entry.release_at.is_some_and(|at| at <= now));
        Inputs {
            segment: self.segment,
            sent,
            ack,
            fail: self.fail,
            release: release.map(|at| self.entries.swap_remove(at).op),
            hold_allocated: holds[0],
            hold_retransmit: holds[1],
            hold_ended: holds[2],
            hold_abort: holds[3],
        }
    }

    /// A packet that goes out: one that is asked for again, or the next one of an operation.
    fn send(&mut self, now: u64) -> Option<(u32, u16, u8)> {
        let ready: Vec<usize> = (0..self.entries.len())
            .filter(|&at| {
                let entry = &self.entries[at];
                !entry.fails && (!entry.again.is_empty() || (!entry.ended && entry.next < entry.count))
            })
            .take(8)
            .collect();
        let at = *ready.get(self.rng.random_range(0..ready.len().max(1)))?;
        let entry = &mut self.entries[at];
        let (packet, tries) = match entry.again.pop_front() {
            Some(again) => again,
            None => {
                entry.next += 1;
                (entry.next - 1, 0)
            }
        };
        let op = entry.op;
        let copies = 1 + usize::from(chance(&mut self.rng, self.mix.duplicates));
        for _ in 0..copies {
            if !self.lost() {
                let at = now + 1 + self.travel();
                self.forward.entry(at).or_default().push((op, packet));
            }
        }
        self.settle(at, now);
        Some((op, packet, tries))
    }

    /// An operation that has ended, and of which no packet is left to send, is released some time.
    fn settle(&mut self, at: usize, now: u64) {
        let wait = self.rng.random_range(1..20);
        let entry = &mut self.entries[at];
        if entry.ended && entry.again.is_empty() && entry.release_at.is_none() {
            entry.release_at = Some(now + wait);
        }
    }

    fn forge(&mut self) -> Ack {
        let op = match self.entries.len() {
            0 => self.rng.random(),
            n if self.rng.random() => self.entries[self.rng.random_range(0..n)].op ^ (1 << self.rng.random_range(0..16)),
            n => self.entries[self.rng.random_range(0..n)].op,
        };
        let live = self.entries.iter().any(|entry| entry.op == op);
        // What would count must not be true by chance, or nothing is ever sent again: of live operations, packets that do not exist.
        let beyond = self.mask_bits.div_ceil(64) * 64;
        match self.rng.random_range(0..3) {
            0 if !live => Ack::Completion { op, status: self.rng.random_range(0..18) },
            1 => Ack::Packets { op, first: beyond, status: self.rng.random_range(0..2), mask: self.rng.random() },
            _ => Ack::Packets {
                op,
                first: self.rng.random_range(0..16) * 64 + self.rng.random_range(1..64),
                status: 0,
                mask: self.rng.random(),
            },
        }
    }

    /// What came out.
    fn outputs(&mut self, now: u64, taken: &Taken) {
        if taken.segment {
            self.segment = None;
        }
        if taken.fail {
            self.fail = None;
        }
        if let Some(op) = taken.allocated {
            let fails = chance(&mut self.rng, self.mix.fails) && self.fail.is_none();
            if fails {
                self.fail = Some((op.op, self.rng.random_range(33..=34)));
            }
            let packets = vec![false; op.count.into()];
            self.receivers.insert(op.op, Received { count: op.count, packets, refused: None, overlaps: 0 });
            self.entries.push(Entry { op: op.op, count: op.count, next: 0, ended: false, fails, again: VecDeque::new(), release_at: None });
        }
        if let Some(Retransmit { op, packet, tries }) = taken.retransmit
            && let Some(entry) = self.entries.iter_mut().find(|entry| entry.op == op)
        {
            entry.again.push_back((packet, tries));
        }
        if let Some(ended) = taken.ended
            && let Some(at) = self.entries.iter().position(|entry| entry.op == ended.op)
        {
            self.entries[at].ended = true;
            // What is asked for and not on its way any more may be dropped, or go out all the same.
            if self.rng.random() {
                self.entries[at].again.clear();
            }
            self.settle(at, now);
        }
    }
}

/// What a run was like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub clocks: u64,
    pub counted: Counted,
    pub completed: u64,
    pub failed: u64,
    pub high_water: u64,
    /// clocks in which a segment, a packet and an acknowledgement came at once
    pub all_at_once: u64,
}

/// After a reset, `mix.ops` operations until the table is empty.
/// # Errors
/// The first difference.
pub fn run(model: &mut dyn Model, params: Params, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut bench = Bench::new(model, params, mix.config)?;
    let mut world = World {
        rng: ChaCha8Rng::seed_from_u64(seed),
        mix,
        mask_bits: params.mask_bits as u16,
        entries: Vec::new(),
        receivers: HashMap::new(),
        forward: BTreeMap::new(),
        backward: BTreeMap::new(),
        acks: VecDeque::new(),
        old: VecDeque::new(),
        cut: 0,
        segment: None,
        fail: None,
    };
    let mut all_at_once = 0;
    let mut quiet = 0;
    let patience =
        3 * params.scan_period() + 6 * u64::from(mix.config.prescale) * (mix.config.patience(7) + u64::from(mix.config.t_life)) + 5000;
    let mut before = (0, 0);
    // A segment that was taken has its number in the next clock, in which nothing is held yet.
    while bench.golden.counters().allocated < mix.ops as u64 || bench.golden.held() > 0 || !world.entries.is_empty() {
        let now = bench.clocks();
        let inputs = world.inputs(now);
        all_at_once += u64::from(inputs.segment.is_some() && inputs.sent.is_some() && inputs.ack.is_some());
        let taken = bench.step(inputs)?;
        world.outputs(now, &taken);
        let counters = bench.golden.counters();
        let at = (counters.allocated, counters.packets + counters.completed + counters.failures);
        quiet = if at == before { quiet + 1 } else { 0 };
        before = at;
        if quiet > patience {
            return Err(format!("nothing moves any more, {} operations are held", bench.golden.held()));
        }
    }
    // What is still on its way back is stale.
    for (_, late) in std::mem::take(&mut world.backward) {
        for ack in late {
            bench.ack(ack)?;
        }
    }
    let clocks = bench.clocks();
    let counted = bench.finish()?;
    let golden = bench.golden.counters();
    Ok(Seen { clocks, counted, completed: golden.completed, failed: golden.failures, high_water: golden.high_water, all_at_once })
}
