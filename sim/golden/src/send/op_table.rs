//! DMA operation table: op numbers, acknowledgements, timers and retransmissions, one event at a time.
//!
//! Spec: send path. Two ways to use [`OpTable`]:
//! - beside hardware: the bench reports every event at the block's ports in the clock in which it was first offered, acknowledgements
//!   before anything else of the same clock; every method agrees or returns a [`Mismatch`]. What depends on order alone must be equal;
//!   what depends on time must lie between its earliest and latest legal moment, and is then adopted;
//! - alone: [`OpTable::next_op`] is the op number to allocate and [`OpTable::due`] what the table does next, at its earliest moment.

mod ack;
mod alone;
mod end;
mod overdue;
mod params;
mod retransmit;
#[cfg(test)]
mod tests;

pub use ack::{Ack, Effect};
pub use alone::Due;
pub use params::{Config, Counters, Ended, Op, Params};
pub use retransmit::Retransmit;

use super::Moment;
use super::time::Timer;
use crate::registry::{Mismatch, mismatch};
use std::collections::{BTreeMap, VecDeque};

/// Clocks for which a decision may be on its way to a port while something that contradicts it comes in.
pub const IN_FLIGHT: u64 = 16;

/// Clocks from a cause to its event at a port, if nothing else is to be done first.
const LATENCY: u64 = 64;

/// Clocks that one event more to tell may delay every other.
const EACH: u64 = 4;

/// One packet that has been sent.
#[derive(Clone, Debug)]
struct Packet {
    acked: Option<Moment>,
    /// retransmissions of it that the wire accepted
    tries: u8,
    /// `None`: it has fired since the packet was sent
    timer: Option<Timer>,
    /// events told when the timer was set
    told: u64,
    /// negative acknowledgement not yet answered by a retransmission
    nacked: Option<Since>,
    /// retransmissions that may come soon, for causes that another has already answered
    spare: Vec<Since>,
    /// retransmissions asked for and not yet sent: their try
    queued: VecDeque<u8>,
}

/// A moment, and how many events had been told then: each event since may have delayed what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Since {
    moment: Moment,
    told: u64,
}

impl Since {
    /// What follows from it must have been told by `now`.
    fn late(self, now: Since) -> bool {
        now.moment.unstalled > self.moment.unstalled + LATENCY + EACH * (now.told - self.told)
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    status: u8,
    decided: Since,
    /// the ended stream offered it
    seen: bool,
    /// the ended stream's consumer took it
    taken: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    op: Op,
    end: Option<End>,
    packets: Vec<Packet>,
    released: bool,
    /// when the retry limit may last have ended it, by a packet that was acknowledged then
    might_have_failed: Option<Since>,
}

/// One index of the table.
#[derive(Clone, Debug, Default)]
struct Index {
    generation: Option<u32>,
    /// the last uses, at most [`Params::use_limit`]
    uses: VecDeque<Moment>,
}

/// The model.
#[derive(Clone, Debug)]
pub struct OpTable {
    params: Params,
    config: Config,
    now: Moment,
    /// by index: those that are not free
    entries: BTreeMap<usize, Entry>,
    indices: Vec<Index>,
    /// in the order in which they became free
    free: VecDeque<(usize, Moment)>,
    /// owed to the receiver
    aborts: Vec<(u32, Since)>,
    counters: Counters,
    /// events told, and acknowledgements that made one needless: what the table was busy with
    told: u64,
    uncertain_acks: u64,
    uncertain_timeouts: u64,
}

impl OpTable {
    /// The block after reset. `params.ops` is a power of two, at most 2^14.
    pub fn new(params: Params, config: Config) -> OpTable {
        OpTable {
            params,
            config,
            now: Moment::default(),
            entries: BTreeMap::new(),
            indices: vec![Index::default(); params.ops],
            free: (0..params.ops).map(|index| (index, Moment::default())).collect(),
            aborts: Vec::new(),
            counters: Counters::default(),
            told: 0,
            uncertain_acks: 0,
            uncertain_timeouts: 0,
        }
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Sets the runtime registers. Timers that run keep the time that they were set to.
    pub fn set_config(&mut self, config: Config) {
        self.config = config;
    }

    /// `clocks` pass. `stalled`: a consumer did not take what the table offers.
    pub fn advance(&mut self, clocks: u64, stalled: bool) {
        self.now.advance(clocks, stalled);
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Acknowledgements of operations that the retry limit may have ended just before: hardware may count each of them as stale.
    pub fn uncertain_acks(&self) -> u64 {
        self.uncertain_acks
    }

    /// Timers that may have run out without a visible consequence: hardware may count as many more.
    pub fn uncertain_timeouts(&self) -> u64 {
        self.uncertain_timeouts
    }

    /// Operations that have not ended.
    pub fn live(&self) -> usize {
        self.entries.values().filter(|entry| entry.end.is_none()).count()
    }

    /// Whether a negative acknowledgement of the packet has not been answered yet.
    pub fn is_refused(&self, op: u32, packet: u16) -> bool {
        self.entry(op).and_then(|entry| entry.packets.get(usize::from(packet))).is_some_and(|packet| packet.nacked.is_some())
    }

    /// Operations whose index is not free: those that have not ended, and those that somebody still names.
    pub fn held(&self) -> usize {
        self.entries.len()
    }

    /// Whether `op` was allocated and has not ended.
    pub fn is_live(&self, op: u32) -> bool {
        self.entry(op).is_some_and(|entry| entry.end.is_none())
    }

    /// Packets of `op` that are acknowledged, lowest first; `None`: it holds no entry.
    pub fn acknowledged(&self, op: u32) -> Option<Vec<bool>> {
        let entry = self.entry(op)?;
        Some((0..usize::from(entry.op.count)).map(|at| entry.packets.get(at).is_some_and(|packet| packet.acked.is_some())).collect())
    }

    fn entry(&self, op: u32) -> Option<&Entry> {
        self.entries.get(&self.params.index(op)).filter(|entry| entry.op.op == op)
    }

    fn generation(&self, index: usize) -> u32 {
        let space = 1u32 << (crate::OP_BITS - self.params.index_bits());
        self.indices[index].generation.map_or(0, |last| (last + 1) % space)
    }

    /// Timers of the last `use_limit` uses, the first of them: it must have run out before the next use.
    fn life(&self, index: usize) -> Option<Timer> {
        let uses = &self.indices[index].uses;
        let full = uses.len() >= self.params.use_limit();
        uses.front().filter(|_| full).map(|&first| Timer::new(first, self.config.t_life.into(), self.config.prescale))
    }

    /// The allocator gave out `op`.
    /// # Errors
    /// No such index is free, one that is free for longer should have gone first, the generation is not the next one, the index was used
    /// too often within `t_life`, or the operation has no packets or too many.
    pub fn allocated(&mut self, op: Op) -> Result<(), Mismatch> {
        let (index, number) = (self.params.index(op.op), op.op);
        let Some(at) = self.free.iter().position(|&(free, _)| free == index) else {
            return mismatch!("op {number:#06x} was allocated, but index {index} is not free");
        };
        let (head, since) = self.free[0];
        if self.free[at].1.clock > since.clock + IN_FLIGHT {
            return mismatch!("op {number:#06x} was allocated, but index {head} has been free for longer");
        }
        let generation = self.generation(index);
        if number >> self.params.index_bits() != generation {
            return mismatch!("op {number:#06x} was allocated, but the next generation of index {index} is {generation:#x}");
        }
        if op.count == 0 || usize::from(op.count) > self.params.mask_bits {
            return mismatch!("op {number:#06x} was allocated for {} packets; 1 to {} are possible", op.count, self.params.mask_bits);
        }
        if self.life(index).is_some_and(|life| !life.may(self.now)) {
            let limit = self.params.use_limit();
            return mismatch!("op {number:#06x} is use {} of index {index} within t_life; {limit} are allowed", limit + 1);
        }
        self.free.remove(at);
        let slot = &mut self.indices[index];
        slot.generation = Some(generation);
        if slot.uses.len() >= self.params.use_limit() {
            slot.uses.pop_front();
        }
        slot.uses.push_back(self.now);
        let entry = Entry { op, end: None, packets: Vec::new(), released: false, might_have_failed: None };
        self.entries.insert(index, entry);
        self.counters.allocated += 1;
        self.counters.high_water = self.counters.high_water.max(self.live() as u64);
        Ok(())
    }

    /// Whether an allocator that keeps one time for an eighth of the generations, in quarters of `t_life`, still waits for `index`: three
    /// eighths of them have been used within five quarters.
    fn may_wait(&self, index: usize) -> bool {
        let uses = &self.indices[index].uses;
        let three_eighths = 3 * (self.params.use_limit() + 1) / 4;
        let five_quarters = 5 * (u64::from(self.config.t_life) / 4 + 2);
        uses.len()
            .checked_sub(three_eighths)
            .is_some_and(|at| !Timer::new(uses[at], five_quarters, self.config.prescale).must(self.now, LATENCY))
    }

    /// Whether the allocator must have answered a segment that it was offered at `since`. It may be stricter than the use limit: three
    /// quarters of its uses must be possible within `t_life` and a quarter.
    /// # Errors
    /// It must: an index is free and was not used too often.
    pub fn overdue_allocation(&self, since: Moment) -> Result<(), Mismatch> {
        let late = |since: Moment| self.now.unstalled > since.unstalled + LATENCY;
        match self.free.front() {
            Some(&(index, freed)) if late(since) && late(freed) && !self.may_wait(index) => {
                mismatch!("a segment waits since clock {}, but index {index} is free since clock {}", since.clock, freed.clock)
            }
            _ => Ok(()),
        }
    }

    /// The wire took the last beat of a packet.
    /// # Errors
    /// Nobody may name the operation any more, or the packet is not the next one, or nobody asked for its retransmission. All of these are
    /// faults of the packet engine, not of the table.
    pub fn sent(&mut self, op: u32, packet: u16, retransmission: bool) -> Result<(), Mismatch> {
        let (now, told, config) = (self.now, self.told, self.config);
        let mut uncertain = false;
        let Some(entry) = self.entries.get_mut(&self.params.index(op)).filter(|entry| entry.op.op == op && !entry.released) else {
            return mismatch!("packet {packet} of op {op:#06x} was sent, but the op was released");
        };
        let timer = |tries| Some(Timer::new(now, config.patience(tries), config.prescale));
        if retransmission {
            let Some(sent) = entry.packets.get_mut(usize::from(packet)).filter(|sent| !sent.queued.is_empty()) else {
                return mismatch!("packet {packet} of op {op:#06x} was sent again, but nobody asked for it");
            };
            sent.tries = sent.queued.pop_front().unwrap_or_default();
            uncertain = sent.timer.is_some_and(|timer| timer.may(now)) && sent.acked.is_none();
            sent.timer = timer(sent.tries);
            sent.told = told;
            self.counters.retransmissions += 1;
        } else {
            if usize::from(packet) != entry.packets.len() || packet >= entry.op.count {
                return mismatch!("packet {packet} of op {op:#06x} was sent, but {} of {} have been", entry.packets.len(), entry.op.count);
            }
            let queued = VecDeque::new();
            entry.packets.push(Packet { acked: None, tries: 0, timer: timer(0), told, nacked: None, spare: Vec::new(), queued });
        }
        self.counters.packets += 1;
        self.uncertain_timeouts += u64::from(uncertain);
        Ok(())
    }
}
