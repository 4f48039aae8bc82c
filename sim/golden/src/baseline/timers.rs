//! A timer per packet and nothing else, as the operation table has it: each packet is acknowledged by itself, whatever is missing before
//! it, and is sent again when its timer runs out, which doubles with each try up to a cap.

use super::Config;
use crate::bitmap::psn;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

/// The receiver of many queue pairs: every packet that arrives is acknowledged by itself, also a second time.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    /// first packet that is missing, and those beyond that have arrived
    queue_pairs: BTreeMap<u32, (u32, BTreeSet<u32>)>,
}

impl Receiver {
    pub fn open(&mut self, qp: u32, initial: u32) {
        self.queue_pairs.insert(qp, (initial % psn::SPACE, BTreeSet::new()));
    }

    /// First packet that has not arrived.
    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.0)
    }

    /// A packet arrives: whether it is new; `None`: the queue pair is not open.
    pub fn arrive(&mut self, qp: u32, number: u32) -> Option<bool> {
        let (base, above) = self.queue_pairs.get_mut(&qp)?;
        if psn::before(number, *base) || !above.insert(number) {
            return Some(false);
        }
        while above.remove(base) {
            *base = psn::add(*base, 1);
        }
        Some(true)
    }
}

#[derive(Clone, Copy, Debug)]
struct Packet {
    acknowledged: bool,
    tries: u32,
}

#[derive(Clone, Debug, Default)]
struct QueuePair {
    base: u32,
    packets: VecDeque<Packet>,
}

/// The sender of many queue pairs.
#[derive(Clone, Debug)]
pub struct Sender {
    config: Config,
    now: u64,
    queue_pairs: BTreeMap<u32, QueuePair>,
    /// the last tick for which each waits: the earliest first
    timers: BinaryHeap<Reverse<(u64, u32, u32)>>,
    due: VecDeque<(u32, u32)>,
    pub timeouts: u64,
}

impl Sender {
    pub fn new(config: Config) -> Sender {
        let (timers, due) = (BinaryHeap::new(), VecDeque::new());
        Sender { config, now: 0, queue_pairs: BTreeMap::new(), timers, due, timeouts: 0 }
    }

    pub fn open(&mut self, qp: u32, initial: u32) {
        self.queue_pairs.insert(qp, QueuePair { base: initial % psn::SPACE, packets: VecDeque::new() });
    }

    /// First packet that is not acknowledged.
    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.base)
    }

    fn packet(&mut self, qp: u32, number: u32) -> Option<&mut Packet> {
        let at = self.queue_pairs.get_mut(&qp)?;
        at.packets.get_mut(psn::ahead(at.base, number) as usize)
    }

    /// A new packet, if there is room.
    pub fn send(&mut self, qp: u32) -> Option<u32> {
        let (now, config) = (self.now, self.config);
        let at = self.queue_pairs.get_mut(&qp).filter(|at| (at.packets.len() as u32) < config.window)?;
        let number = psn::add(at.base, at.packets.len() as u32);
        at.packets.push_back(Packet { acknowledged: false, tries: 0 });
        self.timers.push(Reverse((now + config.patience(0), qp, number)));
        Some(number)
    }

    /// The next packet that is sent again, of any queue pair: its timer begins anew.
    pub fn again(&mut self) -> Option<(u32, u32)> {
        let (now, config) = (self.now, self.config);
        while let Some((qp, number)) = self.due.pop_front() {
            let Some(packet) = self.packet(qp, number).filter(|packet| !packet.acknowledged) else { continue };
            packet.tries += 1;
            let patience = config.patience(packet.tries);
            self.timers.push(Reverse((now + patience, qp, number)));
            return Some((qp, number));
        }
        None
    }

    /// One packet has arrived.
    pub fn ack(&mut self, qp: u32, number: u32) {
        if let Some(packet) = self.packet(qp, number) {
            packet.acknowledged = true;
        }
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        while at.packets.front().is_some_and(|packet| packet.acknowledged) {
            at.packets.pop_front();
            at.base = psn::add(at.base, 1);
        }
    }

    /// Time is `now` ticks.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        while let Some(&Reverse((until, qp, number))) = self.timers.peek()
            && until < self.now
        {
            self.timers.pop();
            if self.packet(qp, number).is_some_and(|packet| !packet.acknowledged) {
                self.due.push_back((qp, number));
                self.timeouts += 1;
            }
        }
    }
}
