//! The drain is paced: which flow lets something go next, and when.

use std::collections::VecDeque;

/// Token buckets of what leaves the pools, one for all of it and one per flow, and the flows that have something, in turn.
///
/// A bucket saves up nothing: it says when the next packet may go, in 1/65536 ticks. A packet goes when its bucket and that of all are
/// free; then both are charged with its bytes.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    /// flows that have something, the next one first
    list: VecDeque<usize>,
    listed: Vec<bool>,
    /// when the bucket of each flow is free, and that of all
    ready: Vec<u64>,
    all: u64,
}

impl Buckets {
    /// Of so many flows, which have nothing.
    pub fn new(flows: usize) -> Buckets {
        Buckets { list: VecDeque::new(), listed: vec![false; flows], ready: vec![0; flows], all: 0 }
    }

    /// A flow has something: it has its turn behind the others.
    pub fn enlist(&mut self, flow: usize) {
        if !self.listed[flow] {
            self.listed[flow] = true;
            self.list.push_back(flow);
        }
    }

    /// The flow ends, or begins anew.
    pub fn forget(&mut self, flow: usize) {
        self.list.retain(|&at| at != flow);
        (self.listed[flow], self.ready[flow]) = (false, 0);
    }

    /// Whose turn it is at `clock`; `works`: it has something still.
    pub fn next(&mut self, clock: u64, works: impl Fn(usize) -> bool) -> Option<usize> {
        if self.all > clock {
            return None;
        }
        for _ in 0..self.list.len() {
            let flow = self.list.pop_front()?;
            if !works(flow) {
                self.listed[flow] = false;
                continue;
            }
            self.list.push_back(flow);
            if self.ready[flow] <= clock {
                return Some(flow);
            }
        }
        None
    }

    /// The flow has let `bytes` go; `pace` and `flow_pace` are 1/65536 ticks per byte.
    pub fn charge(&mut self, clock: u64, flow: usize, bytes: u64, pace: u64, flow_pace: u64) {
        self.all = self.all.max(clock) + bytes * pace;
        self.ready[flow] = self.ready[flow].max(clock) + bytes * flow_pace;
    }

    /// When the bucket of the flow is free.
    pub fn own(&self, flow: usize) -> u64 {
        self.ready[flow]
    }

    /// When the flow may go.
    pub fn due(&self, flow: usize) -> u64 {
        self.ready[flow].max(self.all)
    }

    /// When the next packet may go, if any flow works.
    pub fn earliest(&self, works: impl Fn(usize) -> bool) -> Option<u64> {
        let flow = self.list.iter().filter(|&&flow| works(flow)).map(|&flow| self.ready[flow]).min()?;
        Some(flow.max(self.all))
    }
}
