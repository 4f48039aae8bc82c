//! Time of the sender: one timer per queue pair, and the rate.

use super::{Sender, State};
use crate::bitmap::psn;

/// Token bucket, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// bytes per tick
    pub rate: u64,
    /// most that may be saved up
    pub burst: u64,
    pub tokens: u64,
}

impl Default for Bucket {
    /// No limit.
    fn default() -> Bucket {
        Bucket { rate: 0, burst: u64::MAX, tokens: u64::MAX }
    }
}

impl Bucket {
    /// `rate` bytes per tick, at most `burst` at once; full.
    pub fn new(rate: u64, burst: u64) -> Bucket {
        Bucket { rate, burst, tokens: burst }
    }

    fn fill(&mut self, ticks: u64) {
        self.tokens = self.tokens.saturating_add(self.rate.saturating_mul(ticks)).min(self.burst);
    }

    pub(super) fn has(&self, bytes: u32) -> u64 {
        if self.burst == u64::MAX { u64::MAX } else { self.tokens / u64::from(bytes.max(1)) }
    }

    pub(super) fn take(&mut self, bytes: u32) -> bool {
        let enough = self.has(bytes) > 0;
        if enough && self.burst != u64::MAX {
            self.tokens -= u64::from(bytes);
        }
        enough
    }
}

impl Sender {
    /// Time is `now` ticks. Queue pairs whose retry limit has ended them now: their commands complete, with error.
    pub fn tick(&mut self, now: u64) -> Vec<u32> {
        self.fill(now.saturating_sub(self.now));
        self.pass(now);
        let open: Vec<u32> = self.queue_pairs.keys().copied().collect();
        open.into_iter().filter(|&qp| self.run_out(qp) == Some(true)).collect()
    }

    /// Bytes of so many ticks come into the bucket.
    pub fn fill(&mut self, ticks: u64) {
        self.bucket.fill(ticks);
    }

    /// Time is `now` ticks; what a timer that has run out by then does is left to [`Sender::run_out`].
    pub fn pass(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// Ticks by which the timer of a queue pair is overdue.
    pub fn overdue(&self, qp: u32) -> Option<u64> {
        let at = self.queue_pairs.get(&qp).filter(|at| !at.error && !at.slots.is_empty())?;
        (self.now - at.started).checked_sub(self.config.patience(at.expiries) + 1)
    }

    /// The timer of a queue pair runs out, if it may: whether its retry limit has ended it.
    ///
    /// What was sent is suspected, what was sent again only if `dedup` ticks have passed since: it may be on its way, and the next message
    /// about it would send it once more for nothing. The lowest and the last packet go again in any case.
    pub fn run_out(&mut self, qp: u32) -> Option<bool> {
        let dedup = self.config.dedup.into();
        self.run_out_judged(qp, |_, passed| passed > dedup)
    }

    /// `due` says of a packet that was sent again so many ticks ago whether that is long enough.
    pub fn run_out_judged(&mut self, qp: u32, due: impl Fn(u32, u64) -> bool) -> Option<bool> {
        self.overdue(qp)?;
        let (now, config) = (self.now, self.config);
        let at = self.queue_pairs.get_mut(&qp)?;
        at.started = now;
        at.expiries += 1;
        self.counters.timeouts += 1;
        if at.expiries >= config.retry_limit {
            at.error = true;
            at.pending_since = None;
            self.counters.errors += 1;
            return Some(true);
        }
        let base = at.base;
        for (number, slot) in at.slots.iter_mut().enumerate().map(|(offset, slot)| (psn::add(base, offset as u32), slot)) {
            let suspected = match slot.state {
                State::Sent => true,
                State::Retransmitted => due(number, now - slot.again),
                _ => false,
            };
            if suspected {
                slot.state = State::Suspected;
            }
        }
        // The last packet shows the receiver what is missing before it.
        for number in [base, psn::sub(at.next(), 1)] {
            let out = |state| matches!(state, State::Sent | State::Suspected | State::Retransmitted);
            if let Some(slot) = at.slot(number).filter(|slot| out(slot.state)) {
                slot.state = State::Pending;
                at.pending_since.get_or_insert(now);
            }
        }
        Some(false)
    }
}
