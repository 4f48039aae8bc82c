//! How commands are cut, and which is cut next.

use super::{Arrival, Block, Entry, OpKind, Segment, Since, Splitter, status};
use crate::registry::{Mismatch, mismatch};

/// What `bytes` from position `at` of a command take of each of its blocks, in order.
pub fn pieces(blocks: &[Block], at: u64, bytes: u64) -> Vec<Block> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for block in blocks {
        let end = start + u64::from(block.bytes);
        let (from, to) = (start.max(at), end.min(at + bytes));
        if from < to {
            pieces.push(Block { source: block.source.wrapping_add(from - start), bytes: (to - from) as u32 });
        }
        start = end;
    }
    pieces
}

impl Entry {
    /// The next segment of its data.
    fn cut(&self, index: u16, packet_size: u32) -> Segment {
        let bytes = self.segment.min(self.bytes - self.at);
        let last = self.at + bytes == self.bytes;
        let command = &self.command;
        Segment {
            command: index,
            kind: OpKind::Data,
            last,
            large: self.large,
            target: command.target + u64::from(self.at),
            node: command.node,
            qp: command.qp,
            rkey: command.rkey,
            imm: command.imm.filter(|_| last),
            bytes,
            count: bytes.div_ceil(packet_size) as u16,
            pieces: pieces(&command.blocks, self.at.into(), bytes.into()),
        }
    }

    /// The segment that tells the receiver.
    fn arrival(&self, index: u16) -> Segment {
        Segment {
            target: self.command.target,
            bytes: self.bytes,
            count: 1,
            kind: OpKind::Arrival,
            last: true,
            imm: None,
            pieces: Vec::new(),
            ..self.cut(index, 1)
        }
    }

    /// After a segment ended: the host may have to be told, and then the receiver.
    pub(super) fn settle(&mut self, since: Since) {
        if self.outstanding > 0 || self.told || self.failed.is_none() && self.at < self.bytes {
            return;
        }
        self.due = Some((self.failed.map_or(status::DONE, |(status, _)| status), since));
        if self.failed.is_none() && self.command.arrival {
            self.arrival = Arrival::Due(since);
        }
    }
}

impl Splitter {
    /// The command at the head of a queue.
    fn head(&self, large: bool) -> Option<usize> {
        self.entries.iter().position(|entry| entry.large == large && entry.uncut())
    }

    /// The segment stream offers this.
    /// # Errors
    /// It is not the next of its command, its command is not at the head of its queue, the other queue's turn has come, or its index is
    /// another command's.
    pub fn segment(&mut self, seen: &Segment) -> Result<(), Mismatch> {
        let now = self.since();
        if seen.kind == OpKind::Arrival {
            return self.arrival_segment(seen);
        }
        // one that was on its way when its command failed
        let late = |entry: &Entry| {
            let recently = entry.failed.is_some_and(|(_, since)| !since.settled(now.moment));
            recently && entry.index == Some(seen.command) && entry.at < entry.bytes
        };
        let found = self.entries.iter().position(late);
        let Some(at) = found.or_else(|| self.head(seen.large)) else {
            return mismatch!("segment stream gave {seen:?}, but no such command is to be cut");
        };
        let other = self.head(!seen.large).filter(|_| found.is_none() && self.served.is_some_and(|(large, _)| large == seen.large));
        if let Some(waiting) = other.map(|other| &self.entries[other])
            && waiting.taken.settled(now.moment)
            && self.changed[usize::from(!seen.large)].settled(now.moment)
        {
            let (id, clock) = (waiting.command.id, waiting.taken.moment.clock);
            return mismatch!("segment stream gave {seen:?}, but it is the turn of command {id:#06x}, taken at clock {clock}");
        }
        let entry = &self.entries[at];
        if entry.index.is_none() {
            let used = self.entries.iter().any(|entry| entry.index == Some(seen.command));
            if used || usize::from(seen.command) >= self.params.commands {
                return mismatch!("segment stream gave {seen:?}, but index {} is not free", seen.command);
            }
        }
        let expected = entry.cut(entry.index.unwrap_or(seen.command), self.params.packet_size);
        if *seen != expected {
            return mismatch!("segment stream gave {seen:?}, but the next of command {:#06x} is {expected:?}", entry.command.id);
        }
        let entry = &mut self.entries[at];
        entry.index = Some(seen.command);
        entry.at += seen.bytes;
        entry.outstanding += 1;
        entry.due = None;
        self.served = Some((seen.large, now));
        self.counters.segments += 1;
        self.told += 1;
        Ok(())
    }

    fn arrival_segment(&mut self, seen: &Segment) -> Result<(), Mismatch> {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.index == Some(seen.command)) else {
            return mismatch!("segment stream gave {seen:?}, but there is no such command");
        };
        if !matches!(entry.arrival, Arrival::Due(_)) {
            return mismatch!("segment stream gave {seen:?}, but command {:#06x} is not to be announced now", entry.command.id);
        }
        let expected = Segment { last: seen.last, large: seen.large, ..entry.arrival(seen.command) };
        if *seen != expected {
            return mismatch!("segment stream gave {seen:?}, but due is {expected:?}");
        }
        entry.arrival = Arrival::Outstanding;
        self.counters.segments += 1;
        self.told += 1;
        Ok(())
    }

    /// The segment that comes next: announcements first, then the queues in turn. A new command gets the lowest free index.
    pub fn next_segment(&self) -> Option<Segment> {
        let due = |entry: &&Entry| matches!(entry.arrival, Arrival::Due(_));
        if let Some(entry) = self.entries.iter().find(due) {
            return Some(entry.arrival(entry.index?));
        }
        let turn = !self.served.is_some_and(|(large, _)| large);
        let entry = &self.entries[self.head(turn).or_else(|| self.head(!turn))?];
        let free = (0..).find(|&index| self.entries.iter().all(|entry| entry.index != Some(index)))?;
        Some(entry.cut(entry.index.unwrap_or(free), self.params.packet_size))
    }

    /// Something is to be cut, and nothing has been for long.
    pub(super) fn overdue_segment(&self) -> Result<(), Mismatch> {
        let now = self.since();
        let idle = self.served.is_none_or(|(_, since)| since.late(now));
        let late = |large: bool| {
            let entry = &self.entries[self.head(large)?];
            (idle && entry.taken.late(now) && self.changed[usize::from(large)].late(now)).then_some(entry)
        };
        match late(false).or_else(|| late(true)) {
            Some(Entry { command, at, bytes, taken, .. }) => mismatch!(
                "command {:#06x}, taken at clock {}, is cut up to byte {at} of {bytes}, and nothing more comes",
                command.id,
                taken.moment.clock
            ),
            None => Ok(()),
        }
    }
}
