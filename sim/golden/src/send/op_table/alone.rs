//! The model without hardware: it decides everything at its earliest moment.

use super::{Ended, OpTable, Retransmit};
use crate::registry::Mismatch;
use crate::send::status;

/// What the table does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Ended(Ended),
    Abort(u32),
    Retransmit(Retransmit),
}

impl OpTable {
    /// The op number that the allocator gives out now; `None`: every index is in use, or the next one was used too often within `t_life`.
    pub fn next_op(&self) -> Option<u32> {
        let &(index, _) = self.free.front()?;
        let usable = self.life(index).is_none_or(|life| life.may(self.now));
        usable.then(|| self.generation(index) << self.params.index_bits() | index as u32)
    }

    /// What the table does next, and the earliest clock at which it may. Of things due at the same clock the first is that of the lowest
    /// index.
    pub fn due(&self) -> Option<(u64, Due)> {
        let now = self.now.clock;
        let aborts = self.aborts.iter().map(|&(op, _)| (now, Due::Abort(op)));
        let entries = self.entries.values().filter_map(|entry| {
            let ended = |status| Due::Ended(Ended { op: entry.op.op, command: entry.op.command, kind: entry.op.kind, status });
            if let Some(end) = entry.end {
                return (!end.seen).then(|| (now, ended(end.status)));
            }
            let packets = entry.packets.iter().zip(0..).filter(|(packet, _)| packet.acked.is_none() && packet.queued.is_empty());
            let due = packets.filter_map(|(packet, at)| {
                let clock = if packet.nacked.is_some() { now } else { packet.timer?.earliest().max(now) };
                let retransmit = Retransmit { op: entry.op.op, packet: at, tries: packet.tries.saturating_add(1) };
                let fails = packet.tries >= self.config.retry_limit;
                Some((clock, if fails { ended(status::RETRY_LIMIT) } else { Due::Retransmit(retransmit) }))
            });
            due.min_by_key(|&(clock, _)| clock)
        });
        entries.chain(aborts).min_by_key(|&(clock, _)| clock)
    }

    /// Lets `due` happen now. An end is taken at once.
    /// # Errors
    /// It is not due.
    pub fn perform(&mut self, due: Due) -> Result<(), Mismatch> {
        match due {
            Due::Ended(ended) => {
                self.ended(ended)?;
                self.ended_taken(ended.op)
            }
            Due::Abort(op) => self.abort(op),
            Due::Retransmit(retransmit) => self.retransmit(retransmit),
        }
    }
}
