//! What should have happened by now.

use super::{Counters, EACH, LATENCY, Op, OpTable};
use crate::registry::{Mismatch, mismatch};

impl OpTable {
    /// Looks for anything that should have been told by now.
    /// # Errors
    /// The first thing that is overdue.
    pub fn overdue(&self) -> Result<(), Mismatch> {
        let now = self.since();
        for entry in self.entries.values() {
            let Op { op, .. } = entry.op;
            if let Some(end) = entry.end {
                if !end.seen && end.decided.late(now) {
                    return mismatch!(
                        "the end of op {op:#06x} with status {} is overdue since clock {}",
                        end.status,
                        end.decided.moment.clock
                    );
                }
                continue;
            }
            for (at, packet) in entry.packets.iter().enumerate().filter(|(_, packet)| packet.acked.is_none() && packet.queued.is_empty()) {
                let what = if packet.tries < self.config.retry_limit { "a retransmission" } else { "the failure" };
                if let Some(since) = packet.nacked.filter(|&since| since.late(now)) {
                    return mismatch!("{what} of packet {at} of op {op:#06x} is overdue: negative since clock {}", since.moment.clock);
                }
                let bound = self.params.scan_period() + LATENCY + EACH * (self.told - packet.told);
                if let Some(timer) = packet.timer.filter(|timer| timer.overdue(self.now, bound)) {
                    return mismatch!(
                        "{what} of packet {at} of op {op:#06x} is overdue: its timer runs since clock {}",
                        timer.since().clock
                    );
                }
            }
        }
        match self.aborts.iter().find(|(_, since)| since.late(now)) {
            Some((op, since)) => mismatch!("the abort of op {op:#06x} is overdue since clock {}", since.moment.clock),
            None => Ok(()),
        }
    }

    /// At the end of a run: nothing is live, held or owed.
    /// # Errors
    /// What is left, or operations that were neither completed nor failed.
    pub fn finish(&self) -> Result<(), Mismatch> {
        let Counters { allocated, completed, failures, .. } = self.counters;
        if let Some(entry) = self.entries.values().next() {
            return mismatch!(
                "the run ended, and op {:#06x} is {}",
                entry.op.op,
                if entry.end.is_none() { "live" } else { "not released" }
            );
        }
        if let Some((op, _)) = self.aborts.first() {
            return mismatch!("the run ended with the abort of op {op:#06x} missing");
        }
        if allocated != completed + failures {
            return mismatch!("{allocated} operations were allocated, but {completed} completed and {failures} failed");
        }
        Ok(())
    }
}
