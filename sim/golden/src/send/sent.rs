//! Numbers that packets were given, in the transport profiles whose send bitmap decides what is sent again.
//!
//! Spec: overview, "Who acknowledges what"; send path, "DMA operation table": a packet that has a PSN is never cancelled while its queue
//! pair lives, and a retransmission repeats PSN, op, address, kind and length. So each number of a window stands for one packet of one
//! operation until it is acknowledged.

use crate::bitmap::psn;
use std::collections::{BTreeMap, VecDeque};

/// A packet of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub op: u32,
    pub packet: u16,
    /// no packet of the operation has a later number
    pub last: bool,
}

#[derive(Clone, Debug, Default)]
struct Numbers {
    base: u32,
    places: VecDeque<Place>,
}

/// The model.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    queue_pairs: BTreeMap<u32, Numbers>,
}

impl Sent {
    /// `first` is the first number that is going to be given.
    pub fn open(&mut self, qp: u32, first: u32) {
        self.queue_pairs.insert(qp, Numbers { base: first, places: VecDeque::new() });
    }

    /// The next number of `qp` is given to a packet: which number.
    pub fn give(&mut self, qp: u32, place: Place) -> Option<u32> {
        let at = self.queue_pairs.get_mut(&qp)?;
        at.places.push_back(place);
        Some(psn::add(at.base, at.places.len() as u32 - 1))
    }

    /// The packets of a run of numbers, those that are not acknowledged.
    pub fn again(&self, qp: u32, start: u32, count: u32) -> Vec<Place> {
        let Some(at) = self.queue_pairs.get(&qp) else { return Vec::new() };
        (0..count).filter_map(|offset| at.places.get(psn::ahead(at.base, psn::add(start, offset)) as usize)).copied().collect()
    }

    /// Everything before `base` is acknowledged: the operations of which nothing is left.
    pub fn acknowledge(&mut self, qp: u32, base: u32) -> Vec<u32> {
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return Vec::new() };
        let count = (psn::ahead(at.base, base) as usize).min(at.places.len());
        at.base = psn::add(at.base, count as u32);
        at.places.drain(..count).filter(|place| place.last).map(|place| place.op).collect()
    }

    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.base)
    }

    /// Numbers that are not acknowledged.
    pub fn open_numbers(&self, qp: u32) -> u32 {
        self.queue_pairs.get(&qp).map_or(0, |at| at.places.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_packet_until_it_is_acknowledged() {
        let mut sent = Sent::default();
        sent.open(7, 0xff_fffe);
        let place = |op, packet, last| Place { op, packet, last };
        for (op, count) in [(3, 3), (4, 1), (5, 2)] {
            for packet in 0..count {
                sent.give(7, place(op, packet, packet + 1 == count));
            }
        }
        assert_eq!(sent.again(7, 0xff_ffff, 3), [place(3, 1, false), place(3, 2, true), place(4, 0, true)]);
        assert!(sent.acknowledge(7, 0).is_empty());
        assert_eq!(sent.again(7, 0xff_ffff, 2), [place(3, 2, true)]);
        assert_eq!(sent.acknowledge(7, 3), [3, 4]);
        assert_eq!((sent.base(7), sent.open_numbers(7)), (Some(3), 1));
        assert_eq!(sent.acknowledge(7, 4), [5]);
        assert_eq!(sent.give(7, place(6, 0, true)), Some(4));
        assert_eq!(sent.give(8, place(6, 0, true)), None);
    }
}
