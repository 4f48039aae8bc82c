//! The sender: work requests into packets, and exactly those packets again that an indication names.
//!
//! Spec: WQE extension header, "Sender" and "Decided". What is decided here beyond it:
//! - READ and atomic requests carry no WqeETH and take no WQE sequence number. They are done when the receiver's host has them: their
//!   answers are somebody else's.
//! - No WQE is begun that is so far ahead of the oldest unacknowledged one that the receiver would drop it.
//! - `dedup` counts from the moment at which a packet was last sent again; before, while it waits for the builder, a second indication adds
//!   nothing. So an indication that overlaps an earlier one is suppressed however long the builder was busy in between.
//! - An indication that names a WQE names packets of that WQE only: others in it are counted and change nothing.
//! - The timer is that of a queue pair: restarted by every acknowledgement of something new, doubled at every expiry. On expiry the oldest
//!   and the newest packet are sent again; the newest shows the receiver the end of a WQE that was lost whole.

mod segment;
mod timed;
mod work;

pub use segment::Handed;
pub use work::{Done, Outcome, Refusal, SenderCounters, Work, WorkKind};

use super::{Fault, Indication, Open, SenderConfig};
use crate::bitmap::{Ack, psn};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use work::{Job, Slot};

#[derive(Clone, Debug)]
struct QueuePair {
    open: Open,
    /// first unacknowledged packet
    base: u32,
    /// the same, counted from the beginning without wrap
    count: u64,
    /// packets that are under way, from the base on
    slots: VecDeque<Slot>,
    /// packets that are to be sent again, as counted from the beginning
    pending: BTreeSet<u64>,
    /// work requests from the oldest that is not done on
    jobs: VecDeque<Job>,
    /// of the first of these, counted from the beginning
    first_job: u64,
    /// the first of them that is not sent whole
    next_job: usize,
    next_sequence: u32,
    /// packets from the base on that the receiver allows
    allowed: u32,
    /// when the timer was last started
    started: u64,
    expiries: u32,
    error: bool,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Sender {
    config: SenderConfig,
    now: u64,
    queue_pairs: BTreeMap<u32, QueuePair>,
    /// queue pair that sent last
    turn: u32,
    done: VecDeque<Done>,
    counters: SenderCounters,
}

impl Sender {
    /// The block after reset.
    /// # Errors
    /// A configuration that is not possible.
    pub fn new(config: SenderConfig) -> Result<Sender, String> {
        config.check()?;
        let counters = SenderCounters::default();
        Ok(Sender { config, now: 0, queue_pairs: BTreeMap::new(), turn: 0, done: VecDeque::new(), counters })
    }

    /// Opens a queue pair, instead of one with this number that was open.
    /// # Errors
    /// Its MTU is not possible.
    pub fn open(&mut self, open: Open) -> Result<(), String> {
        open.check()?;
        let queue_pair = QueuePair {
            open,
            base: open.psn,
            count: 0,
            slots: VecDeque::new(),
            pending: BTreeSet::new(),
            jobs: VecDeque::new(),
            first_job: 0,
            next_job: 0,
            next_sequence: open.sequence,
            allowed: self.config.window,
            started: self.now,
            expiries: 0,
            error: false,
        };
        self.queue_pairs.insert(open.qp, queue_pair);
        Ok(())
    }

    /// Closes a queue pair: its work requests are forgotten. Whether it was open.
    pub fn close(&mut self, qp: u32) -> bool {
        self.queue_pairs.remove(&qp).is_some()
    }

    pub fn counters(&self) -> &SenderCounters {
        &self.counters
    }

    /// Packets that are not acknowledged.
    pub fn in_flight(&self, qp: u32) -> usize {
        self.queue_pairs.get(&qp).map_or(0, |at| at.slots.len())
    }

    /// Work requests that are not done.
    pub fn outstanding(&self, qp: u32) -> usize {
        self.queue_pairs.get(&qp).map_or(0, |at| at.jobs.len())
    }

    /// Packets that wait to be sent again.
    pub fn pending(&self, qp: u32) -> usize {
        self.queue_pairs.get(&qp).map_or(0, |at| at.pending.len())
    }

    /// The next work request that is done, in the order in which they were posted.
    pub fn done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    fn is(&self, fault: Fault) -> bool {
        self.config.fault == Some(fault)
    }

    /// An acknowledgement has come. `false`: it names what was not sent, and changes nothing.
    pub fn ack(&mut self, ack: Ack) -> bool {
        let (now, config) = (self.now, self.config);
        let Some(at) = self.queue_pairs.get_mut(&ack.qp).filter(|at| !at.error) else {
            self.counters.bad_ack += 1;
            return false;
        };
        let edge = psn::add(ack.psn, 1);
        let moved = psn::ahead(at.base, edge);
        if moved as usize > at.slots.len() {
            // An old acknowledgement that was overtaken names what is acknowledged already.
            let old = psn::before(edge, at.base);
            self.counters.bad_ack += u64::from(!old);
            return old;
        }
        if ack.credits < 23 {
            at.allowed = config.window.min(1 << ack.credits);
        }
        at.slots.drain(..moved as usize);
        (at.base, at.count) = (edge, at.count + u64::from(moved));
        at.pending = at.pending.split_off(&at.count);
        if moved > 0 {
            (at.started, at.expiries) = (now, 0);
        }
        self.finish(ack.qp, Outcome::Success);
        true
    }

    /// Work requests whose packets are all acknowledged, or in error all, are done.
    fn finish(&mut self, qp: u32, outcome: Outcome) {
        let early = self.is(Fault::SenderCompletesWhenSent);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        while let Some(job) = at.jobs.front() {
            let acknowledged = job.end().is_some_and(|end| end <= at.count || early);
            if !acknowledged && outcome == Outcome::Success {
                break;
            }
            self.done.push_back(Done { qp, id: job.work.id, outcome });
            at.jobs.pop_front();
            at.first_job += 1;
            at.next_job = at.next_job.saturating_sub(1);
        }
    }

    /// A retransmission indication has come: how many packets are to be sent again for it.
    pub fn indication(&mut self, indication: &Indication) -> u32 {
        let dedup = u64::from(self.config.dedup);
        self.indication_judged(indication, |_, passed| passed > dedup)
    }

    /// As [`Sender::indication`]; `due` says of a packet that was sent again so many ticks ago whether that is long enough.
    pub fn indication_judged(&mut self, indication: &Indication, due: impl Fn(u32, u64) -> bool) -> u32 {
        let (now, fault) = (self.now, self.config.fault);
        self.counters.indications += 1;
        let open = self.queue_pairs.get_mut(&indication.qp).filter(|at| !at.error);
        let Some(at) = open.filter(|_| indication.wqe.is_some() || fault != Some(Fault::SenderUnknownUnheard)) else {
            self.counters.bad_indication += 1;
            return 0;
        };
        let mut fresh = 0;
        let mut named: Vec<u32> = indication.packets().collect();
        match fault {
            Some(Fault::SenderResendsAll) => {
                let count = at.slots.len() as u32;
                named = (psn::ahead(at.base, indication.first)..count).map(|offset| psn::add(at.base, offset)).collect();
            }
            Some(Fault::SenderResendsNext) => named.iter_mut().for_each(|number| *number = psn::add(*number, 1)),
            Some(Fault::SenderHighBitsUnheard) => named.retain(|&number| psn::ahead(indication.first, number) < 32),
            _ => {}
        }
        for number in named {
            let offset = psn::ahead(at.base, number);
            let Some(&Slot { job, index, spans, .. }) = at.slots.get(offset as usize) else {
                self.counters.suppressed += 1;
                continue;
            };
            let job = at.jobs.get((job - at.first_job) as usize);
            if indication.wqe.is_some() && job.and_then(|job| job.sequence) != indication.wqe {
                self.counters.bad_indication += 1;
                continue;
            }
            // A request is one packet, whatever numbers it takes.
            let first = if spans { offset - index.min(offset) } else { offset };
            let (position, again) = (at.count + u64::from(first), at.slots[first as usize].again);
            let recent = match fault {
                Some(Fault::SenderNoDedup) => false,
                // The source asks for it packet by packet.
                Some(Fault::SenderDedupForEver) => again.is_some(),
                _ => again.is_some_and(|before| !due(number, now.saturating_sub(before))),
            };
            if recent || at.pending.contains(&position) {
                self.counters.suppressed += 1;
                continue;
            }
            at.pending.insert(position);
            fresh += 1;
        }
        fresh
    }
}
