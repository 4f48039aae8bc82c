//! Many queue pairs on one port: each has its token bucket, and those that may send take turns.
//!
//! The golden model knows at once who may send. A block looks at its queue pairs one after another and may be late by its scan period.

use super::bucket::Bucket;
use super::fault::Fault;
use super::rate::Rate;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// A queue pair with what it has to send.
#[derive(Clone, Debug)]
struct Lane {
    bucket: Bucket,
    /// bytes of each packet; packets that are sent again stand in the same queue
    packets: VecDeque<u32>,
    /// when it is due to be looked at, if it waits for tokens
    due: Option<u64>,
}

/// The port.
#[derive(Clone, Debug)]
pub struct Shaper {
    lanes: Vec<Lane>,
    /// lanes with a packet and its tokens
    ready: BTreeSet<usize>,
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    /// whose turn it is
    turn: usize,
    fault: Option<Fault>,
}

impl Shaper {
    /// `count` queue pairs whose buckets hold `burst` bytes; no packet has more than `largest` bytes.
    /// # Errors
    /// No queue pair, or a burst below the largest packet: it would go whenever the bucket is full, and so beyond the bound.
    pub fn new(count: usize, rate: Rate, burst: u32, largest: u32, fault: Option<Fault>) -> Result<Shaper, String> {
        if count == 0 {
            return Err("a shaper of 0 queue pairs: name at least 1".to_string());
        }
        if burst < largest {
            return Err(format!("a burst of {burst} bytes is below the largest packet, {largest} bytes; make it at least as large"));
        }
        let lane = Lane { bucket: Bucket::new(rate, burst, 0, fault), packets: VecDeque::new(), due: None };
        Ok(Shaper { lanes: vec![lane; count], ready: BTreeSet::new(), waiting: BinaryHeap::new(), turn: 0, fault })
    }

    /// Puts lane `number` where it belongs at `now`.
    fn place(&mut self, now: u64, number: usize) {
        self.ready.remove(&number);
        let lane = &mut self.lanes[number];
        lane.due = None;
        let Some(&bytes) = lane.packets.front() else { return };
        match lane.bucket.ready(now, bytes) {
            Some(at) if at <= now => _ = self.ready.insert(number),
            Some(at) => {
                lane.due = Some(at);
                self.waiting.push(Reverse((at, number)));
            }
            None => {}
        }
    }

    /// Sets the rate of a queue pair; one that does not exist is ignored.
    pub fn set_rate(&mut self, now: u64, number: usize, rate: Rate) {
        if let Some(lane) = self.lanes.get_mut(number) {
            lane.bucket.set_rate(now, rate);
            self.place(now, number);
        }
    }

    /// A packet of `bytes` for queue pair `number`, new or sent again.
    /// # Errors
    /// There is no such queue pair.
    pub fn offer(&mut self, now: u64, number: usize, bytes: u32) -> Result<(), String> {
        let count = self.lanes.len();
        let lane = self.lanes.get_mut(number).ok_or_else(|| format!("queue pair {number} of {count}: there is none"))?;
        lane.packets.push_back(bytes);
        if lane.packets.len() == 1 {
            self.place(now, number);
        }
        Ok(())
    }

    /// The packet that goes at `now`: of the next queue pair in turn that has one and its tokens.
    pub fn serve(&mut self, now: u64) -> Option<(usize, u32)> {
        while let Some(&Reverse((at, number))) = self.waiting.peek() {
            if at > now {
                break;
            }
            self.waiting.pop();
            if self.lanes[number].due == Some(at) {
                self.place(now, number);
            }
        }
        let number = self.ready.range(self.turn..).next().or_else(|| self.ready.first()).copied()?;
        let lane = &mut self.lanes[number];
        let bytes = lane.packets.pop_front()?;
        lane.bucket.take(now, bytes);
        if self.fault != Some(Fault::TurnNotPassed) {
            self.turn = number + 1;
        }
        self.place(now, number);
        Some((number, bytes))
    }

    /// The next clock at which a packet may go, if nothing changes before. It may be early, when a queue pair was put elsewhere since.
    pub fn wake(&self, now: u64) -> Option<u64> {
        if self.ready.is_empty() { self.waiting.peek().map(|&Reverse((at, _))| at.max(now)) } else { Some(now) }
    }

    /// Packets of a queue pair that have not gone.
    pub fn queued(&self, number: usize) -> usize {
        self.lanes.get(number).map_or(0, |lane| lane.packets.len())
    }
}
