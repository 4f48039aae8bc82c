//! How operations end, and when their index is free again.

use super::{End, Ended, Entry, Op, OpTable, Packet, Since};
use crate::registry::{Mismatch, mismatch};
use crate::send::status;

impl OpTable {
    /// The payload of `op` could not be fetched: it ends with [`status::CDMA_ERROR`] or [`status::CDMA_DEAD`], and no packet of it was
    /// sent.
    pub fn load_failed(&mut self, op: u32, status: u8) {
        if self.is_live(op) {
            self.end(op, status);
        }
    }

    /// The ended stream offers this.
    /// # Errors
    /// The operation has not ended so, or it was told before.
    pub fn ended(&mut self, ended: Ended) -> Result<(), Mismatch> {
        let number = ended.op;
        let Some(entry) = self.entry(number) else {
            return mismatch!("ended stream gave {ended:?}, but op {number:#06x} is free");
        };
        let Op { command, kind, .. } = entry.op;
        if (command, kind) != (ended.command, ended.kind) {
            return mismatch!("ended stream gave {ended:?}, but op {number:#06x} is of command {command}, {kind:?}");
        }
        if entry.end.is_some_and(|end| end.seen) {
            return mismatch!("ended stream gave {ended:?}, but op {number:#06x} has ended before");
        }
        let decided = entry.end.map(|end| end.status);
        if decided != Some(ended.status) {
            if ended.status != status::RETRY_LIMIT || !self.might_fail(entry) {
                return match decided {
                    Some(status) => mismatch!("ended stream gave {ended:?}, but op {number:#06x} ends with status {status}"),
                    None => mismatch!("ended stream gave {ended:?}, but op {number:#06x} is live"),
                };
            }
            self.fail_by_retries(number);
        }
        if let Some(end) = self.end_of(number) {
            end.seen = true;
        }
        self.told += 1;
        Ok(())
    }

    /// The ended stream's consumer took the beat of `op`.
    /// # Errors
    /// [`OpTable::ended`] was not called before.
    pub fn ended_taken(&mut self, op: u32) -> Result<(), Mismatch> {
        match self.end_of(op) {
            Some(end) if end.seen && !end.taken => end.taken = true,
            _ => return mismatch!("the end of op {op:#06x} was taken, but the ended stream did not offer it"),
        }
        self.make_free(op);
        Ok(())
    }

    /// Nobody names `op` any more: no descriptor, no packet on its way, no retransmission taken.
    /// # Errors
    /// It was released before: a fault of whoever releases.
    pub fn release(&mut self, op: u32) -> Result<(), Mismatch> {
        match self.entries.get_mut(&self.params.index(op)).filter(|entry| entry.op.op == op && !entry.released) {
            Some(entry) => entry.released = true,
            None => return mismatch!("op {op:#06x} was released, but it is free or was released before"),
        }
        self.make_free(op);
        Ok(())
    }

    /// The index of `op` is free again if its end was taken and nobody names it.
    fn make_free(&mut self, op: u32) {
        let index = self.params.index(op);
        if self.entry(op).is_some_and(|entry| entry.released && entry.end.is_some_and(|end| end.taken)) {
            self.entries.remove(&index);
            self.free.push_back((index, self.now));
        }
    }

    fn end_of(&mut self, op: u32) -> Option<&mut End> {
        self.entries.get_mut(&self.params.index(op)).filter(|entry| entry.op.op == op)?.end.as_mut()
    }

    pub(super) fn since(&self) -> Since {
        Since { moment: self.now, told: self.told }
    }

    /// Ends a live operation.
    pub(super) fn end(&mut self, op: u32, status: u8) {
        let decided = self.since();
        if let Some(entry) = self.entries.get_mut(&self.params.index(op)) {
            entry.end = Some(End { status, decided, seen: false, taken: false });
            // the scanner may look at its timers until somebody else has the index, and dropping what it finds takes time
            let armed = entry.packets.iter().filter(|packet| packet.acked.is_none() && packet.timer.is_some()).count() as u64;
            self.uncertain_timeouts += armed;
            self.told += armed;
        }
        *if status == status::DONE { &mut self.counters.completed } else { &mut self.counters.failures } += 1;
    }

    /// The retry limit ended `op`, whatever else seemed to have ended it: see [`OpTable::might_fail`].
    pub(super) fn fail_by_retries(&mut self, op: u32) {
        if let Some(end) = self.entry(op).and_then(|entry| entry.end) {
            *if end.status == status::DONE { &mut self.counters.completed } else { &mut self.counters.failures } -= 1;
        }
        self.end(op, status::RETRY_LIMIT);
        self.aborts.push((op, self.since()));
    }

    /// Whether the retry limit may have ended this operation by now.
    pub(super) fn might_fail(&self, entry: &Entry) -> bool {
        let by =
            |packet: &Packet| packet.acked.is_none() && packet.tries >= self.config.retry_limit && packet.may_be_repeated(self.since());
        if entry.end.is_some_and(|end| end.seen) {
            return false;
        }
        entry.end.is_none() && entry.packets.iter().any(by) || entry.might_have_failed.is_some_and(|since| !since.late(self.since()))
    }

    /// The abort stream offers `op`.
    /// # Errors
    /// The operation was not ended by the retry limit, or its abort was told before.
    pub fn abort(&mut self, op: u32) -> Result<(), Mismatch> {
        if !self.aborts.iter().any(|&(owed, _)| owed == op) {
            if !self.entry(op).is_some_and(|entry| self.might_fail(entry)) {
                return mismatch!("abort stream gave op {op:#06x}, which the retry limit did not end, or whose abort was told before");
            }
            self.fail_by_retries(op);
        }
        self.aborts.retain(|&(owed, _)| owed != op);
        self.told += 1;
        Ok(())
    }
}
