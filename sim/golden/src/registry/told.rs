//! What is told to host and sender: a ring in verdict order, whose head leaves when the write that it is about is answered.

use super::{Commit, Complete, Event, Mismatch, Moment, Notify, Registry, Status, Trace, Write, mismatch};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One message.
#[derive(Clone, Debug)]
pub(super) enum Tell {
    Notify(Notify),
    Complete(Complete),
}

/// Everything that one commit tells, and the write that it waits for.
#[derive(Clone, Debug)]
pub(super) struct Item {
    src: u16,
    op: u32,
    /// the operation ends with this item
    ends: bool,
    pub write: Option<Write>,
    answer: Option<bool>,
    tells: Vec<Tell>,
}

impl Item {
    pub fn about(src: u16, op: u32, ends: bool, tells: Vec<Tell>) -> Item {
        Item { src, op, ends, write: None, answer: None, tells }
    }
}

/// A done word that must be rewritten.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewrite {
    pub src: u16,
    pub op: u32,
    pub since: Moment,
}

/// The ring, and what has left it but was not yet seen on the ports.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// `first` is the number of the ring's head
    ring: VecDeque<Item>,
    first: u64,
    /// items whose write is still to be seen on the write stream
    unwritten: VecDeque<u64>,
    /// write tag -> item
    in_flight: BTreeMap<u16, u64>,
    /// operations with a failed write that have not ended yet
    marked: BTreeSet<(u16, u32)>,
    pub rewrites: Vec<Rewrite>,
    complete: VecDeque<(Complete, Moment)>,
    notify: VecDeque<(Notify, Moment)>,
    /// messages that may have been consumed, as counts from the front of `notify`: merging leaves a choice when a repeated
    /// acknowledgement may or may not be part of a message already seen
    consumed: BTreeSet<usize>,
    /// the message seen last: an acknowledgement may say it once more
    last: Option<Notify>,
}

impl Told {
    pub fn push(&mut self, item: Item, now: Moment) {
        if item.write.is_none() && item.tells.is_empty() {
            return;
        }
        if item.write.is_some() {
            self.unwritten.push_back(self.first + self.ring.len() as u64);
        }
        self.ring.push_back(item);
        self.pump(now);
    }

    /// Lets go everything at the head that has its answer.
    fn pump(&mut self, now: Moment) {
        while self.ring.front().is_some_and(|item| item.write.is_none() || item.answer.is_some()) {
            let Some(item) = self.ring.pop_front() else { return };
            self.first += 1;
            let key = (item.src, item.op);
            if item.answer == Some(false) {
                self.marked.insert(key);
                if !item.ends {
                    continue;
                }
            }
            let failed = item.ends && self.marked.remove(&key);
            let status = |status: u8| if failed && status == 0 { Status::WriteError as u8 } else { status };
            if failed && item.tells.iter().any(|tell| matches!(tell, Tell::Complete(complete) if complete.status == 0)) {
                self.rewrites.push(Rewrite { src: item.src, op: item.op, since: now });
            }
            for tell in item.tells {
                match tell {
                    Tell::Notify(notify) => self.notify.push_back((Notify { status: status(notify.status), ..notify }, now)),
                    Tell::Complete(complete) => {
                        self.complete.push_back((Complete { status: status(complete.status), ..complete }, now));
                    }
                }
            }
        }
    }

    pub fn waits_for_memory(&self) -> bool {
        !self.in_flight.is_empty()
    }

    pub fn settled(&self) -> bool {
        self.ring.is_empty() && self.complete.is_empty() && (self.notify.is_empty() || self.consumed.contains(&self.notify.len()))
    }

    pub fn finish(&self) -> Result<(), Mismatch> {
        if let Some(&number) = self.unwritten.front() {
            let item = &self.ring[(number - self.first) as usize];
            return mismatch!("the run ended with a write missing: {:?} of src {} op {:#06x}", item.write, item.src, item.op);
        }
        if let Some(tag) = self.in_flight.keys().next() {
            return mismatch!("the run ended before the memory answered the write with tag {tag}");
        }
        if let Some((complete, _)) = self.complete.front() {
            return mismatch!("the run ended with a message to the host missing: {complete:?}");
        }
        match self.notify.get(self.consumed.last().copied().unwrap_or(0)) {
            Some((notify, _)) => mismatch!("the run ended with a message to the sender missing: {notify:?}"),
            None => Ok(()),
        }
    }

    pub fn overdue(&self, now: Moment, bound: u64) -> Result<(), Mismatch> {
        let late = |since: &Moment| now.quiet > since.quiet + bound;
        if let Some((complete, since)) = self.complete.front().filter(|(_, since)| late(since)) {
            return mismatch!("a message to the host is overdue since clock {}: {complete:?}", since.clock);
        }
        match self.notify.get(self.consumed.last().copied().unwrap_or(0)) {
            Some((notify, since)) if late(since) => mismatch!("a message to the sender is overdue since clock {}: {notify:?}", since.clock),
            _ => Ok(()),
        }
    }

    /// Counts from the front after `seen`, if `from` were consumed before: one message, several acknowledgements merged, or a completion in
    /// whose place acknowledgements of its operation may have waited. An acknowledgement may repeat what the message before it said of the
    /// same packets.
    fn after(&self, seen: &Notify, from: usize, merging: bool, into: &mut BTreeSet<usize>) {
        let same = |one: &Notify| Notify { mask: seen.mask, ..*one } == *seen;
        let told = self.last.filter(same).map_or(0, |last| last.mask);
        let mut mask = 0;
        for (at, (due, _)) in self.notify.iter().enumerate().skip(from) {
            if merging && seen.kind == 0xc1 && seen.status == 0 {
                let replaced = due.kind == 0xc3 && due.status == 0 && (due.src, due.op) == (seen.src, seen.op);
                if due == seen {
                    into.insert(at + 1);
                }
                match replaced {
                    true => continue,
                    false => return,
                }
            }
            if !merging || seen.kind != 0xc3 || seen.status != 0 {
                if due == seen {
                    into.insert(at + 1);
                }
                return;
            }
            if !same(due) || due.mask & !seen.mask != 0 {
                return;
            }
            mask |= due.mask;
            if seen.mask & !(mask | told) == 0 {
                into.insert(at + 1);
            }
        }
    }
}

impl Registry {
    /// The write stream gave `write` under `tag`: writes come in verdict order.
    /// # Errors
    /// Another write was due, none was, or the tag is in use.
    pub fn write(&mut self, tag: u16, write: Write) -> Result<(), Mismatch> {
        let told = &mut self.told;
        let Some(number) = told.unwritten.pop_front() else {
            return mismatch!("write stream gave {write:?}, but no write is due");
        };
        let due = told.ring[(number - told.first) as usize].write;
        if due != Some(write) {
            return mismatch!("write stream gave {write:?}, but {due:?} is due");
        }
        match told.in_flight.insert(tag, number) {
            Some(_) => mismatch!("write stream used tag {tag} again before the memory answered it"),
            None => Ok(()),
        }
    }

    /// The memory answered the write with `tag`.
    /// # Errors
    /// No such write is under way: a fault of the bench.
    pub fn write_done(&mut self, tag: u16, ok: bool) -> Result<(), Mismatch> {
        let Some(number) = self.told.in_flight.remove(&tag) else {
            return mismatch!("the memory answered tag {tag}, which is not under way");
        };
        let at = (number - self.told.first) as usize;
        self.told.ring[at].answer = Some(ok);
        self.told.pump(self.now);
        Ok(())
    }

    /// The complete stream gave `seen`.
    /// # Errors
    /// Another message was due, or none: its write, or one before it, has no answer yet.
    pub fn complete(&mut self, seen: &Complete) -> Result<(), Mismatch> {
        match self.told.complete.pop_front() {
            Some((due, _)) if due == *seen => Ok(()),
            Some((due, _)) => mismatch!("complete stream gave {seen:?}, but {due:?} is due"),
            None => mismatch!("complete stream gave {seen:?}, but nothing is due"),
        }
    }

    /// The notify stream gave `seen`, perhaps several acknowledgements merged.
    /// # Errors
    /// Another message was due, or none: its write, or one before it, has no answer yet.
    pub fn notify(&mut self, seen: &Notify) -> Result<(), Mismatch> {
        let told = &mut self.told;
        if told.consumed.is_empty() {
            told.consumed.insert(0);
        }
        let mut next = BTreeSet::new();
        for &from in &told.consumed {
            told.after(seen, from, self.config.ack_wait > 0, &mut next);
        }
        let Some(&least) = next.first() else {
            let due: Vec<_> = told.consumed.iter().map(|&from| told.notify.get(from).map(|(notify, _)| *notify)).collect();
            return match due.as_slice() {
                [None] => mismatch!("notify stream gave {seen:?}, but nothing is due"),
                due => mismatch!("notify stream gave {seen:?}, but due is {:?}", due.iter().flatten().next_back()),
            };
        };
        told.notify.drain(..least);
        told.consumed = next.iter().map(|count| count - least).collect();
        told.last = Some(*seen);
        Ok(())
    }

    /// Things that are still to be told: those that wait for the memory, and those that hardware may tell now.
    pub fn untold(&self) -> usize {
        self.told.ring.len() + self.told.complete.len().max(self.told.notify.len())
    }

    /// Superseded operations that the host is still to be told of.
    pub fn superseded_untold(&self) -> usize {
        let superseded = |complete: &Complete| complete.status == Status::Superseded as u8;
        let in_ring = self.told.ring.iter().flat_map(|item| &item.tells);
        let in_ring = in_ring.filter(|tell| matches!(tell, Tell::Complete(complete) if superseded(complete)));
        in_ring.count() + self.told.complete.iter().filter(|(complete, _)| superseded(complete)).count()
    }

    /// The next write that hardware owes.
    pub fn write_due(&self) -> Option<Write> {
        let number = self.told.unwritten.front()?;
        self.told.ring[(number - self.told.first) as usize].write
    }

    /// The next message that the host is owed.
    pub fn complete_due(&self) -> Option<&Complete> {
        self.told.complete.front().map(|(complete, _)| complete)
    }

    /// The next message that the sender is owed, none merged.
    pub fn notify_due(&self) -> Option<Notify> {
        let from = self.told.consumed.last().copied().unwrap_or(0);
        self.told.notify.get(from).map(|(notify, _)| *notify)
    }

    /// The first done word that must be rewritten with `write_error` and still is its operation's.
    pub(super) fn rewrite_due(&self) -> Option<(u16, u32)> {
        let owned = |rewrite: &&Rewrite| self.done_status(rewrite.src, rewrite.op).is_some();
        self.told.rewrites.iter().find(owned).map(|rewrite| (rewrite.src, rewrite.op))
    }

    /// A done word was rewritten with `write_error`: it is as young as one just written.
    /// # Errors
    /// The operation of (src, op) did not end so, or the word is another's by now.
    pub fn rewrite(&mut self, src: u16, op: u32) -> Result<Commit, Mismatch> {
        let at = self.told.rewrites.iter().position(|rewrite| (rewrite.src, rewrite.op) == (src, op));
        let word = self.done.get_mut(&(src, self.params.index(op))).filter(|word| word.op == op);
        let (Some(at), Some(word)) = (at, word) else {
            return mismatch!("the done word of src {src} op {op:#06x} was rewritten with write_error, which is not due");
        };
        *word = super::Done { op, status: Status::WriteError, tick: self.now, notified: self.now };
        self.told.rewrites.remove(at);
        self.events.push(Event::WriteError);
        Ok(self.take_state_commit(Trace::Rewrite, src, op))
    }

    /// Something of (src, op) passed the shared path without effect.
    pub fn nothing(&mut self, src: u16, op: u32) -> Commit {
        if self.done_status(src, op).is_none() {
            self.told.rewrites.retain(|rewrite| (rewrite.src, rewrite.op) != (src, op));
        }
        self.take_state_commit(Trace::Nothing, src, op)
    }
}
