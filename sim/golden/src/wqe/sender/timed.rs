//! The timer of a queue pair, by itself or at the moment that hardware says.

use super::work::Outcome;
use super::{QueuePair, Sender};
use crate::registry::{Mismatch, mismatch};
use crate::wqe::{Fault, SenderConfig};

impl QueuePair {
    /// Ticks of the timer as it runs now; `None`: it does not run.
    fn timer(&self, config: &SenderConfig) -> Option<u64> {
        let doubled = u64::from(config.rto) << self.expiries.min(32);
        (!self.error && !self.slots.is_empty()).then_some(doubled.min(config.rto_cap.max(config.rto).into()))
    }
}

impl Sender {
    /// It is `now`: timers that have run out expire by themselves.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        let config = self.config;
        let due = |at: &QueuePair| at.timer(&config).is_some_and(|ticks| now > at.started + ticks);
        let expired: Vec<u32> = self.queue_pairs.iter().filter(|(_, at)| due(at)).map(|(&qp, _)| qp).collect();
        if !self.is(Fault::SenderNoTimer) {
            expired.into_iter().for_each(|qp| self.expire(qp));
        }
    }

    /// Time passes, and somebody else says what it decides.
    pub fn pass(&mut self, now: u64) {
        self.now = now;
    }

    fn expire(&mut self, qp: u32) {
        let (now, limit, fault) = (self.now, self.config.retry_limit, self.config.fault);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        self.counters.timeouts += 1;
        at.expiries += 1;
        at.started = now;
        if at.expiries > limit {
            (at.error, self.counters.errors) = (true, self.counters.errors + 1);
            at.slots.clear();
            at.pending.clear();
            if fault != Some(Fault::SenderErrorUnsaid) {
                self.finish(qp, Outcome::RetryLimit);
            }
            return;
        }
        let Some(newest) = at.slots.len().checked_sub(1) else { return };
        let ends = if fault == Some(Fault::SenderTimerOldestOnly) { vec![0] } else { vec![0, newest] };
        for offset in ends {
            let slot = at.slots[offset];
            // A request is one packet, whatever numbers it takes.
            let back = if slot.spans { (slot.index as usize).min(offset) } else { 0 };
            at.pending.insert(at.count + (offset - back) as u64);
        }
    }

    /// The timer of hardware has expired now.
    /// # Errors
    /// It does not run, or has not run out.
    pub fn expired(&mut self, qp: u32) -> Result<(), Mismatch> {
        let now = self.now;
        let running = self.queue_pairs.get(&qp).and_then(|at| Some((at.started, at.timer(&self.config)?)));
        let Some((started, ticks)) = running else { return mismatch!("the timer of queue pair {qp:#x} expired, and does not run") };
        if now < started + ticks {
            return mismatch!("the timer of queue pair {qp:#x} expired at {now}; it runs for {ticks} ticks since {started}");
        }
        self.expire(qp);
        Ok(())
    }

    /// Looks for a timer that should have expired by now, if every queue pair is looked at once in `scan` ticks.
    /// # Errors
    /// The first one.
    pub fn overdue(&self, scan: u64) -> Result<(), Mismatch> {
        for (qp, at) in &self.queue_pairs {
            if let Some(ticks) = at.timer(&self.config).filter(|ticks| self.now > at.started + ticks + 1 + scan) {
                return mismatch!("the timer of queue pair {qp:#x} has not expired at {}: {ticks} ticks since {}", self.now, at.started);
            }
        }
        Ok(())
    }
}
