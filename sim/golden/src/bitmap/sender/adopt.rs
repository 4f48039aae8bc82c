//! What whoever follows a sender that chooses its own moments has to know, and to decide for the model.

use super::{Sender, Slot, State};
use crate::bitmap::{Ffm, psn};

/// Why no new packet is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// the queue pair is not open, or in error
    Closed,
    /// a packet can be sent again first
    Retransmission,
    /// the receiver or congestion control allows no more
    Window,
    Rate,
}

impl Sender {
    /// Why a new packet would not be sent now.
    pub fn refusal(&self, qp: u32) -> Option<Refusal> {
        if self.queue_pairs.get(&qp).is_none_or(|at| at.error) {
            return Some(Refusal::Closed);
        }
        if self.ready(qp).is_some() {
            return Some(Refusal::Retransmission);
        }
        self.held_back(qp)
    }

    /// As [`Sender::refusal`], whatever can be sent again first.
    pub fn held_back(&self, qp: u32) -> Option<Refusal> {
        let Some(at) = self.queue_pairs.get(&qp).filter(|at| !at.error) else { return Some(Refusal::Closed) };
        if self.is_congestion_window_full(qp) || !psn::before(at.next(), at.edge) {
            return Some(Refusal::Window);
        }
        (self.bucket.has(self.config.mtu) == 0).then_some(Refusal::Rate)
    }

    /// As many packets are in flight as congestion control allows.
    pub fn is_congestion_window_full(&self, qp: u32) -> bool {
        self.queue_pairs.get(&qp).is_some_and(|at| {
            let most = at.congestion_window;
            at.slots.len() as u32 >= most && at.count(&[State::Sent, State::Retransmitted]) >= most
        })
    }

    /// A new packet is sent although one could be sent again first; windows and rate hold.
    pub fn send_anyway(&mut self, qp: u32) -> Option<u32> {
        let now = self.now;
        let at = self.queue_pairs.get_mut(&qp).filter(|at| !at.error)?;
        let number = at.next();
        if !psn::before(number, at.edge) || !self.bucket.take(self.config.mtu) {
            return None;
        }
        if at.slots.is_empty() {
            at.started = now;
        }
        at.slots.push_back(Slot { state: State::Sent, again: 0 });
        self.counters.sent += 1;
        Some(number)
    }

    /// Packets of a queue pair are pending, may be sent again, and have waited for long enough.
    pub fn can_send_again(&self, qp: u32) -> bool {
        self.ready(qp).is_some()
    }

    /// Packets that the rate allows now.
    pub fn tokens(&self) -> u64 {
        self.bucket.has(self.config.mtu)
    }

    /// Ticks since a packet was last sent again, if that is what it was.
    pub fn sent_again(&self, qp: u32, number: u32) -> Option<u64> {
        let at = self.queue_pairs.get(&qp)?;
        let slot = at.slots.get(psn::ahead(at.base, number) as usize)?;
        (slot.state == State::Retransmitted).then(|| self.now - slot.again)
    }

    /// As [`Sender::feedback`]; `due` says of a packet that was sent again so many ticks ago whether that is long enough.
    pub fn feedback_judged(&mut self, ffm: &Ffm, due: impl Fn(u32, u64) -> bool) -> u32 {
        self.counters.feedback += 1;
        if self.known_edge(ffm.qp, ffm.base) {
            self.acknowledge(ffm.qp, ffm.base, None);
        }
        self.demand(ffm.qp, ffm.start, ffm.length, due)
    }
}
