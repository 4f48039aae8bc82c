//! Which packets are sent again.

use super::{IN_FLIGHT, OpTable, Packet, Since};
use crate::registry::{Mismatch, mismatch};
use crate::send::Moment;

/// One beat of the retransmit stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retransmit {
    pub op: u32,
    pub packet: u16,
    /// 1 for the first repetition
    pub tries: u8,
}

impl Packet {
    /// Whether there may be a reason to send it again.
    pub(super) fn may_be_repeated(&self, now: Since) -> bool {
        self.nacked.is_some() || self.spare.iter().any(|since| !since.late(now)) || self.timer.is_some_and(|timer| timer.may(now.moment))
    }
}

impl OpTable {
    /// The retransmit stream offers this.
    /// # Errors
    /// There is no reason for it: the operation has ended, the packet is acknowledged, was never sent, its timer cannot have run out yet,
    /// was served before, or the number of the try is wrong.
    pub fn retransmit(&mut self, seen: Retransmit) -> Result<(), Mismatch> {
        let Retransmit { op, packet: at, tries } = seen;
        let (since, now, limit) = (self.since(), self.now, self.config.retry_limit);
        let settled = |since: Moment| now.clock > since.clock + IN_FLIGHT;
        let Some(entry) = self.entries.get_mut(&self.params.index(op)).filter(|entry| entry.op.op == op) else {
            return mismatch!("retransmit stream gave {seen:?}, but op {op:#06x} is free");
        };
        if let Some(end) = entry.end.filter(|end| settled(end.decided.moment)) {
            return mismatch!("retransmit stream gave {seen:?}, but op {op:#06x} ended at clock {}", end.decided.moment.clock);
        }
        let Some(packet) = entry.packets.get_mut(usize::from(at)) else {
            return mismatch!("retransmit stream gave {seen:?}, but packet {at} of op {op:#06x} was not sent yet");
        };
        if let Some(acked) = packet.acked.filter(|&acked| settled(acked)) {
            return mismatch!("retransmit stream gave {seen:?}, but it is acknowledged since clock {}", acked.clock);
        }
        packet.spare.retain(|spare| !spare.late(since));
        if !packet.may_be_repeated(since) {
            return match packet.timer {
                Some(timer) => mismatch!(
                    "retransmit stream gave {seen:?} at clock {}, but its timer runs since clock {} until clock {} at least",
                    now.clock,
                    timer.since().clock,
                    timer.earliest()
                ),
                None => mismatch!("retransmit stream gave {seen:?}, but it is asked for already"),
            };
        }
        // an entry made for a cause that another has answered may be older than the last try
        let old = packet.nacked.is_none() && !packet.spare.is_empty();
        if tries > limit || !(tries == packet.tries + 1 || old && tries == packet.tries && tries > 0) {
            return mismatch!("retransmit stream gave {seen:?}, but that packet was sent {} times again, of {limit}", packet.tries);
        }
        let expired = packet.timer.is_some_and(|timer| timer.may(now));
        if packet.nacked.take().is_some() {
            // if it was the timer after all, the negative acknowledgement's own entry is still to come
            packet.spare.extend(expired.then_some(since));
        } else if expired {
            packet.timer = None;
            if !packet.spare.is_empty() {
                self.uncertain_timeouts += 1;
            } else {
                self.counters.timeouts += 1;
            }
        } else {
            packet.spare.remove(0);
        }
        packet.queued.push_back(tries);
        self.told += 1;
        Ok(())
    }
}
