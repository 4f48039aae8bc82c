//! Splitter and command table: commands become segments, ends of operations become completions.
//!
//! Spec: send path. As with the operation table, the bench reports every event at the ports in the clock in which it was first offered;
//! the model agrees, or says in one sentence what is wrong. Alone, [`Splitter::next_segment`] and [`Splitter::next_completion`] say
//! what comes next.

mod cut;
mod params;
#[cfg(test)]
mod tests;

pub use cut::pieces;
pub use params::{Block, Command, Completion, Config, Counters, Params, Refusal, Segment};

use super::{Moment, OpKind, status};
use crate::registry::{Mismatch, mismatch};

/// Clocks for which a segment may be on its way to the port while something that contradicts it comes in: a pipeline, and a queue behind it
/// that is full when the port begins to move.
pub const IN_FLIGHT: u64 = 32;

/// Clocks from a cause to its event at a port, if nothing else is to be done first.
const LATENCY: u64 = 64;

/// Clocks that one event more to tell may delay every other.
const EACH: u64 = 4;

/// A moment, and how many events had been told then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Since {
    moment: Moment,
    told: u64,
}

impl Since {
    fn late(self, now: Since) -> bool {
        now.moment.unstalled > self.moment.unstalled + LATENCY + EACH * (now.told - self.told)
    }

    fn settled(self, now: Moment) -> bool {
        now.unstalled > self.moment.unstalled + IN_FLIGHT
    }
}

/// The operation that tells the receiver's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    /// not yet, or never
    No,
    Due(Since),
    Outstanding,
    Ended,
}

/// A command in flight.
#[derive(Clone, Debug)]
struct Entry {
    command: Command,
    bytes: u32,
    large: bool,
    /// of every segment but the last
    segment: u32,
    taken: Since,
    /// in the command table: known from its first segment
    index: Option<u16>,
    /// bytes that have been cut
    at: u32,
    /// data segments that have not ended
    outstanding: usize,
    failed: Option<(u8, Since)>,
    /// since when the host is to be told, and what
    due: Option<(u8, Since)>,
    told: bool,
    arrival: Arrival,
}

impl Entry {
    fn uncut(&self) -> bool {
        self.at < self.bytes && self.failed.is_none()
    }

    fn arrives(&self) -> bool {
        self.command.arrival && self.failed.is_none()
    }

    fn gone(&self) -> bool {
        self.told && !self.placed()
    }

    /// It must have its place in the command table: when all that is left is a completion on its way, it need not.
    fn placed(&self) -> bool {
        if self.arrives() { self.arrival != Arrival::Ended } else { self.due.is_none() && !self.told }
    }
}

/// The model.
#[derive(Clone, Debug)]
pub struct Splitter {
    params: Params,
    config: Config,
    now: Moment,
    /// in the order in which they were taken
    entries: Vec<Entry>,
    refusals: Vec<(Completion, Since)>,
    /// queue that was served last: whether the large one, and when
    served: Option<(bool, Since)>,
    /// when there was last no room for a command
    full: Moment,
    /// when a failure last changed the head of the regular and of the large queue
    changed: [Since; 2],
    counters: Counters,
    told: u64,
}

impl Splitter {
    /// The block after reset.
    pub fn new(params: Params, config: Config) -> Splitter {
        let start = Since { moment: Moment::default(), told: 0 };
        Splitter {
            params,
            config,
            now: Moment::default(),
            entries: Vec::new(),
            refusals: Vec::new(),
            served: None,
            full: Moment::default(),
            changed: [start; 2],
            counters: Counters::default(),
            told: 0,
        }
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Sets the runtime registers, for commands taken from now on.
    pub fn set_config(&mut self, config: Config) {
        self.config = config;
    }

    /// `clocks` pass. `stalled`: a consumer did not take what the block offers.
    pub fn advance(&mut self, clocks: u64, stalled: bool) {
        if !self.room() {
            self.full = self.now;
        }
        self.now.advance(clocks, stalled);
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Commands that must have a place in the table.
    pub fn live(&self) -> usize {
        self.entries.iter().filter(|entry| entry.placed()).count()
    }

    /// Commands of which something is still to come.
    pub fn open(&self) -> usize {
        self.entries.len()
    }

    fn since(&self) -> Since {
        Since { moment: self.now, told: self.told }
    }

    /// The block took `command`. `Some`: it is refused, and the host is to be told.
    /// # Errors
    /// There is no room for it in the command table.
    pub fn command(&mut self, command: &Command) -> Result<Option<Refusal>, Mismatch> {
        let since = self.since();
        if let Some(refusal) = Refusal::of(command, &self.params, &self.config) {
            let completion = Completion { id: command.id, status: refusal as u8, bytes: 0 };
            self.refusals.push((completion, since));
            self.counters.refused[refusal as usize - Refusal::ALL[0] as usize] += 1;
            return Ok(Some(refusal));
        }
        if self.live() >= self.params.commands {
            return mismatch!("command {:#06x} was taken, but {} are in flight already", command.id, self.params.commands);
        }
        let bytes = command.bytes() as u32;
        let large = bytes > self.config.threshold;
        self.entries.push(Entry {
            command: command.clone(),
            bytes,
            large,
            segment: if large { self.config.segment } else { bytes },
            taken: since,
            index: None,
            at: 0,
            outstanding: 0,
            failed: None,
            due: None,
            told: false,
            arrival: Arrival::No,
        });
        self.counters.commands += 1;
        self.counters.high_water = self.counters.high_water.max(self.live() as u64);
        Ok(None)
    }

    /// An operation of the command at `index` ended.
    /// # Errors
    /// None is under way: a fault of the bench.
    pub fn ended(&mut self, index: u16, kind: OpKind, status: u8) -> Result<(), Mismatch> {
        let since = self.since();
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.index == Some(index)) else {
            return mismatch!("an operation of the command at index {index} ended, but there is no such command");
        };
        match kind {
            OpKind::Arrival if entry.arrival == Arrival::Outstanding => {
                entry.arrival = Arrival::Ended;
                self.counters.arrivals_failed += u64::from(status != status::DONE);
            }
            OpKind::Data if entry.outstanding > 0 => {
                entry.outstanding -= 1;
                if status != status::DONE && entry.failed.is_none() {
                    if entry.uncut() {
                        self.changed[usize::from(entry.large)] = since;
                    }
                    entry.failed = Some((status, since));
                }
                entry.settle(since);
            }
            _ => return mismatch!("an operation of the command at index {index} ended, {kind:?}, but none is under way"),
        }
        self.entries.retain(|entry| !entry.gone());
        Ok(())
    }

    /// The completion stream offers this.
    /// # Errors
    /// No command with this id is to be told so, or it was told before.
    pub fn completion(&mut self, seen: Completion) -> Result<(), Mismatch> {
        let Completion { id, status, bytes } = seen;
        self.told += 1;
        if let Some(at) = self.refusals.iter().position(|(due, _)| (due.id, due.status) == (id, status)) {
            self.refusals.remove(at);
            return Ok(());
        }
        let matches = |entry: &&mut Entry| entry.command.id == id && entry.due.is_some_and(|(due, _)| due == status);
        let Some(entry) = self.entries.iter_mut().find(matches) else {
            return match self.entries.iter().find(|entry| entry.command.id == id && !entry.told) {
                None => mismatch!("completion stream gave {seen:?}, but no command {id:#06x} is in flight"),
                Some(Entry { due: Some((due, _)), .. }) => mismatch!("completion stream gave {seen:?}, but its status is {due}"),
                Some(Entry { outstanding, at, bytes, .. }) => {
                    mismatch!("completion stream gave {seen:?}, but {at} of {bytes} bytes are cut and {outstanding} segments are under way")
                }
            };
        };
        if status == status::DONE && bytes != entry.bytes {
            return mismatch!("completion stream gave {seen:?}, but the command has {} bytes", entry.bytes);
        }
        entry.due = None;
        entry.told = true;
        self.counters.discarded += u64::from(entry.at < entry.bytes);
        *if status == status::DONE { &mut self.counters.completed } else { &mut self.counters.failed } += 1;
        self.entries.retain(|entry| !entry.gone());
        Ok(())
    }

    /// What the host is to be told next.
    pub fn next_completion(&self) -> Option<Completion> {
        let due = self.entries.iter().filter_map(|entry| {
            let (status, _) = entry.due?;
            Some(Completion { id: entry.command.id, status, bytes: if status == status::DONE { entry.bytes } else { 0 } })
        });
        self.refusals.first().map(|&(completion, _)| completion).into_iter().chain(due).next()
    }

    /// Looks for anything that should have been told by now.
    /// # Errors
    /// The first thing that is overdue.
    pub fn overdue(&self) -> Result<(), Mismatch> {
        let now = self.since();
        if let Some((completion, since)) = self.refusals.iter().find(|(_, since)| since.late(now)) {
            return mismatch!("the refusal {completion:?} is overdue since clock {}", since.moment.clock);
        }
        for Entry { command, due, arrival, .. } in &self.entries {
            if let Some((status, since)) = due.filter(|(_, since)| since.late(now)) {
                return mismatch!("completion {status} of command {:#06x} is overdue since clock {}", command.id, since.moment.clock);
            }
            if let Arrival::Due(since) = arrival
                && since.late(now)
            {
                return mismatch!("the arrival segment of command {:#06x} is overdue since clock {}", command.id, since.moment.clock);
            }
        }
        self.overdue_segment()
    }

    /// A command has room in the table, and in either queue.
    fn room(&self) -> bool {
        let waiting = |large| self.entries.iter().filter(|entry| entry.large == large && entry.uncut()).count();
        self.entries.len() < self.params.commands && [true, false].into_iter().all(|large| waiting(large) < self.params.queue_depth)
    }

    /// Whether the block must have taken a command that it was offered at `since`.
    /// # Errors
    /// It must: there has been room for long.
    pub fn overdue_command(&self, since: Moment) -> Result<(), Mismatch> {
        let since = if self.full.clock > since.clock { self.full } else { since };
        if self.room() && self.now.unstalled > since.unstalled + LATENCY {
            return mismatch!("a command waits since clock {}, though {} are in flight", since.clock, self.entries.len());
        }
        Ok(())
    }

    /// At the end of a run: nothing is in flight or owed.
    /// # Errors
    /// What is left.
    pub fn finish(&self) -> Result<(), Mismatch> {
        if let Some((refusal, _)) = self.refusals.first() {
            return mismatch!("the run ended with a refusal missing: {refusal:?}");
        }
        match self.entries.first() {
            Some(Entry { command, at, bytes, outstanding, told, .. }) => mismatch!(
                "the run ended with command {:#06x} in flight: {at} of {bytes} bytes cut, {outstanding} segments under way, {}",
                command.id,
                if *told { "told" } else { "not told" }
            ),
            None => Ok(()),
        }
    }
}
