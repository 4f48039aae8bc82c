//! A random mix, with everything that depends on time told anywhere between its earliest and its latest moment.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// What comes in at a clock.
#[derive(Clone, Copy, Debug)]
enum Input {
    Ack(Ack),
    Sent { op: u32, packet: u16, again: bool },
    Release(u32),
}

struct Mix {
    dice: ChaCha8Rng,
    table: OpTable,
    inputs: BTreeMap<u64, Vec<Input>>,
    /// what the receiver has of each operation; `None`: it rejected it
    receiver: BTreeMap<u32, Option<Vec<bool>>>,
    ended: BTreeMap<u32, u8>,
    left: usize,
}

impl Mix {
    fn chance(&mut self, percent: u32) -> bool {
        self.dice.random_range(0..100) < percent
    }

    fn after(&mut self, least: u64, most: u64, input: Input) {
        let at = self.table.now().clock + self.dice.random_range(least..=most);
        self.inputs.entry(at).or_default().push(input);
    }

    fn allocate(&mut self) {
        let Some(op) = self.table.next_op().filter(|_| self.left > 0) else { return };
        self.left -= 1;
        let count = self.dice.random_range(1..=128);
        self.ended.remove(&op);
        self.receiver.insert(op, Some(vec![false; count.into()]));
        self.table.allocated(Op { op, command: 3, kind: OpKind::Data, count }).unwrap();
        for packet in 0..count {
            let at = self.table.now().clock + 2 * u64::from(packet) + 1;
            self.inputs.entry(at).or_default().push(Input::Sent { op, packet, again: false });
        }
        // long after the last packet
        self.after(2000, 4000, Input::Release(op));
    }

    /// A packet arrives, and is answered.
    fn arrives(&mut self, op: u32, packet: u16) {
        let dead = Ack::Completion { op, status: 15 };
        let mut acks = Vec::new();
        let Some(have) = self.receiver.get_mut(&op) else { return };
        let Some(have) = have else { return self.after(30, 60, Input::Ack(dead)) };
        have[usize::from(packet)] = true;
        let whole = have.iter().all(|&had| had);
        match self.dice.random_range(0..1000) {
            0 => acks.push(Ack::Completion { op, status: 16 }),
            1..10 => acks.push(Ack::Packets { op, first: packet & !63, status: 8, mask: 1 << (packet & 63) }),
            10..20 => acks.push(Ack::Completion { op, status: 7 }),
            20..30 => acks.push(Ack::Packets { op: self.dice.random(), first: self.dice.random(), status: 0, mask: self.dice.random() }),
            _ if whole => acks.push(Ack::Completion { op, status: 0 }),
            _ => acks.push(Ack::Packets { op, first: packet & !63, status: 0, mask: 1 << (packet & 63) }),
        }
        for ack in acks {
            for _ in 0..if self.chance(5) { 3 } else { 1 } {
                if !self.chance(10) {
                    self.after(30, 300, Input::Ack(ack));
                }
            }
        }
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Ack(ack) => {
                let (Ack::Packets { op, .. } | Ack::Completion { op, .. }) = ack;
                let dead = !self.table.is_live(op);
                assert!(!dead || self.table.ack(ack) == Effect::Stale);
                if !dead {
                    self.table.ack(ack);
                }
            }
            Input::Sent { op, packet, again } => {
                self.table.sent(op, packet, again).unwrap();
                if !self.chance(15) {
                    self.arrives(op, packet);
                }
            }
            Input::Release(op) => {
                // not while a retransmission is in the engine
                let waits = |input: &Input| matches!(input, Input::Sent { op: named, .. } if *named == op);
                if self.ended.contains_key(&op) && !self.inputs.values().flatten().any(waits) {
                    self.table.release(op).unwrap();
                } else {
                    self.after(1, 100, Input::Release(op));
                }
            }
        }
    }

    /// No packet of `op` may be repeated for a second cause.
    fn one_cause(&self, op: u32) -> bool {
        self.table.entry(op).is_none_or(|entry| entry.packets.iter().all(|packet| packet.spare.is_empty()))
    }

    /// The table does something that is due, at once or later; sometimes something that is not, which is refused.
    fn perform(&mut self) {
        let now = self.table.now().clock;
        while let Some((at, due)) = self.table.due() {
            if at > now {
                let (Due::Retransmit(Retransmit { op, .. }) | Due::Ended(Ended { op, .. }) | Due::Abort(op)) = due;
                if self.one_cause(op) && self.chance(2) {
                    assert!(self.table.clone().perform(due).is_err(), "{due:?} is due at {at} only, not at {now}");
                }
                return;
            }
            if self.table.told.is_multiple_of(3) && self.chance(80) {
                return;
            }
            self.table.perform(due).unwrap();
            let (Due::Retransmit(Retransmit { op, .. }) | Due::Ended(Ended { op, .. }) | Due::Abort(op)) = due;
            if self.one_cause(op) && self.chance(2) {
                assert!(self.table.clone().perform(due).is_err(), "{due:?} came twice");
            }
            match due {
                Due::Ended(ended) => assert_eq!(self.ended.insert(ended.op, ended.status), None),
                Due::Abort(op) => drop(self.receiver.insert(op, None)),
                Due::Retransmit(Retransmit { op, packet, .. }) => self.after(1, 50, Input::Sent { op, packet, again: true }),
            }
        }
    }
}

#[test]
fn a_random_mix_ends_every_operation_once() {
    let config = Config { prescale: 10, timeout: 60, backoff_cap: 200, retry_limit: 4, t_life: 100 };
    let (mut completed, mut failed, mut timeouts) = (0, 0, 0);
    for seed in 0..20 {
        let dice = ChaCha8Rng::seed_from_u64(seed);
        let table = OpTable::new(FOUR, config);
        let mut mix = Mix { dice, table, inputs: BTreeMap::new(), receiver: BTreeMap::new(), ended: BTreeMap::new(), left: 40 };
        while mix.left > 0 || mix.table.held() > 0 {
            let stalled = mix.chance(10);
            mix.table.advance(1, stalled);
            let now = mix.table.now().clock;
            // acknowledgements first
            let (acks, others) =
                mix.inputs.remove(&now).unwrap_or_default().into_iter().partition::<Vec<_>, _>(|i| matches!(i, Input::Ack(_)));
            // and nothing names an operation behind its release
            let (releases, others) = others.into_iter().partition::<Vec<_>, _>(|i| matches!(i, Input::Release(_)));
            for input in acks.into_iter().chain(others).chain(releases) {
                mix.input(input);
            }
            mix.perform();
            if mix.chance(5) {
                mix.allocate();
            }
            mix.table.overdue().unwrap();
            let counters = mix.table.counters();
            assert_eq!(counters.allocated, counters.completed + counters.failures + mix.table.live() as u64);
        }
        while let Some((_, due)) = mix.table.due() {
            mix.table.perform(due).unwrap();
        }
        mix.table.finish().unwrap();
        let counters = mix.table.counters();
        completed += counters.completed;
        failed += counters.failures;
        timeouts += counters.timeouts;
    }
    // the mix has all of it
    assert!(completed > 100 && failed > 20 && timeouts > 1000, "{completed} {failed} {timeouts}");
}
