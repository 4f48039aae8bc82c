//! Retransmission coordinator: what is pending becomes operations.

use super::{Mode, QueuePair, Sender, State};
use crate::bitmap::psn;

/// Packets that are sent again in one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retransmit {
    pub qp: u32,
    pub start: u32,
    pub length: u32,
    pub mode: Mode,
}

impl Sender {
    /// Where in its window the first packet lies that `qp` would send again now, and how many it may; rate aside.
    pub(super) fn ready(&self, qp: u32) -> Option<(usize, u32)> {
        let at = self.queue_pairs.get(&qp).filter(|at| !at.error)?;
        let since = at.pending_since?;
        if self.config.mode == Mode::Aggregated && self.now - since <= u64::from(self.config.aggregate) * u64::from(at.aggregate) {
            return None;
        }
        let first = at.slots.iter().position(|slot| slot.state == State::Pending)?;
        let again = at.count(&[State::Retransmitted]);
        let in_flight = again + at.count(&[State::Sent]);
        let room = self.config.rtx_window.saturating_sub(again).min(at.congestion_window.saturating_sub(in_flight));
        (room > 0).then_some((first, room))
    }

    /// How many packets from `first` on go together.
    fn length(&self, at: &QueuePair, first: usize, most: usize) -> usize {
        let reach = match self.config.mode {
            Mode::Single => return 1,
            Mode::Interval => 0,
            Mode::Aggregated => self.config.merge as usize,
        };
        let (mut length, mut apart) = (1, 0);
        for (slot, so_far) in at.slots.iter().skip(first + 1).zip(2..=most) {
            match slot.state {
                State::Pending => (length, apart) = (so_far, 0),
                // What has arrived, or may be about to for the second time, is never sent again for its neighbours' sake.
                State::Sent | State::Suspected => apart += 1,
                _ => break,
            }
            if apart > reach {
                break;
            }
        }
        length
    }

    /// The next operation: the lowest PSN first, queue pairs in turn.
    pub fn retransmit(&mut self) -> Option<Retransmit> {
        let open: Vec<u32> = self.queue_pairs.keys().copied().collect();
        let from = open.partition_point(|&qp| qp <= self.turn);
        let mut order = open[from..].iter().chain(&open[..from]).copied();
        let qp = order.find(|&qp| self.ready(qp).is_some())?;
        self.retransmit_of(qp, u32::MAX)
    }

    /// The next operation of a queue pair, if there is one, with at most so many packets.
    pub fn retransmit_of(&mut self, qp: u32, most: u32) -> Option<Retransmit> {
        let (first, room) = self.ready(qp)?;
        let most = u64::from(room.min(most)).min(self.bucket.has(self.config.mtu)) as usize;
        if most == 0 {
            return None;
        }
        let length = self.length(&self.queue_pairs[&qp], first, most);
        let (now, mtu, mode) = (self.now, self.config.mtu, self.config.mode);
        let at = self.queue_pairs.get_mut(&qp)?;
        for slot in at.slots.iter_mut().skip(first).take(length) {
            (slot.state, slot.again) = (State::Retransmitted, now);
            self.bucket.take(mtu);
        }
        if at.count(&[State::Pending]) == 0 {
            at.pending_since = None;
        }
        self.turn = qp;
        self.counters.operations += 1;
        self.counters.retransmitted += length as u64;
        Some(Retransmit { qp, start: psn::add(at.base, first as u32), length: length as u32, mode })
    }
}
