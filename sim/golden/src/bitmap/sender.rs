//! The sender: a state per packet, what acknowledges it, and what makes it be sent again.

mod adopt;
mod coordinator;
mod params;
mod timer;

pub use adopt::Refusal;
pub use coordinator::Retransmit;
pub use params::{Config, Counters, Mode};
pub use timer::Bucket;

use super::psn;
use super::{Ack, Ffm, RangeAck};
use std::collections::{BTreeMap, VecDeque};

/// What the sender knows of a PSN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// not sent yet
    Free,
    Sent,
    /// the timer ran out
    Suspected,
    /// to be sent again
    Pending,
    /// sent again
    Retransmitted,
    /// above a hole
    Acknowledged,
    /// below the base
    Completed,
}

/// A packet of the window.
#[derive(Clone, Copy, Debug)]
struct Slot {
    state: State,
    /// when it was last sent again
    again: u64,
}

#[derive(Clone, Debug)]
struct QueuePair {
    base: u32,
    /// the right edge that the receiver allows; it never moves back
    edge: u32,
    /// the receiver has told how far
    told: bool,
    slots: VecDeque<Slot>,
    /// packets that congestion control allows in flight
    congestion_window: u32,
    /// factor of the aggregation time
    aggregate: u32,
    /// when the timer was last started
    started: u64,
    expiries: u32,
    /// when the oldest packet became pending
    pending_since: Option<u64>,
    error: bool,
}

impl QueuePair {
    fn next(&self) -> u32 {
        psn::add(self.base, self.slots.len() as u32)
    }

    fn slot(&mut self, number: u32) -> Option<&mut Slot> {
        self.slots.get_mut(psn::ahead(self.base, number) as usize)
    }

    fn count(&self, states: &[State]) -> u32 {
        self.slots.iter().filter(|slot| states.contains(&slot.state)).count() as u32
    }
}

/// The model.
#[derive(Clone, Debug)]
pub struct Sender {
    config: Config,
    /// packets of a window whose size the receiver has not told
    window: u32,
    now: u64,
    bucket: Bucket,
    queue_pairs: BTreeMap<u32, QueuePair>,
    counters: Counters,
    /// queue pair that sent again last
    turn: u32,
}

impl Sender {
    /// The block after reset, with windows of `window` packets.
    pub fn new(window: u32, config: Config) -> Sender {
        let bucket = Bucket::default();
        Sender { config, window, now: 0, bucket, queue_pairs: BTreeMap::new(), counters: Counters::default(), turn: 0 }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Bytes that may be sent: new packets and old ones alike.
    pub fn set_bucket(&mut self, bucket: Bucket) {
        self.bucket = bucket;
    }

    /// Packets of a window whose size the receiver has not told.
    fn untold(&self) -> u32 {
        match self.config.base_length {
            0 => self.window,
            length => length.min(self.window),
        }
    }

    pub fn open(&mut self, qp: u32, initial: u32) {
        let base = initial % psn::SPACE;
        let edge = psn::add(base, self.untold());
        let queue_pair = QueuePair {
            base,
            edge,
            told: false,
            slots: VecDeque::new(),
            congestion_window: u32::MAX,
            aggregate: 1,
            started: self.now,
            expiries: 0,
            pending_since: None,
            error: false,
        };
        self.queue_pairs.insert(qp, queue_pair);
    }

    /// Ends what is pending with everything else.
    pub fn close(&mut self, qp: u32) -> bool {
        self.queue_pairs.remove(&qp).is_some()
    }

    pub fn set_congestion_window(&mut self, qp: u32, packets: u32) {
        if let Some(at) = self.queue_pairs.get_mut(&qp) {
            at.congestion_window = packets;
        }
    }

    /// Packets wait `factor` times as long for others that are to be sent again.
    pub fn set_aggregate_factor(&mut self, qp: u32, factor: u32) {
        if let Some(at) = self.queue_pairs.get_mut(&qp) {
            at.aggregate = factor;
        }
    }

    pub fn base(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(|at| at.base)
    }

    pub fn next(&self, qp: u32) -> Option<u32> {
        self.queue_pairs.get(&qp).map(QueuePair::next)
    }

    /// The retry limit has ended it.
    pub fn in_error(&self, qp: u32) -> bool {
        self.queue_pairs.get(&qp).is_some_and(|at| at.error)
    }

    pub fn state(&self, qp: u32, number: u32) -> Option<State> {
        let at = self.queue_pairs.get(&qp)?;
        Some(match psn::ahead(at.base, number) {
            offset if offset > psn::HALF => State::Completed,
            offset => at.slots.get(offset as usize).map_or(State::Free, |slot| slot.state),
        })
    }

    /// Sends a new packet: its PSN, or nothing while a window, the rate or a packet that is to be sent again holds it back.
    pub fn send(&mut self, qp: u32) -> Option<u32> {
        if self.refusal(qp).is_some() {
            return None;
        }
        self.send_anyway(qp)
    }

    /// An acknowledgement has come. `false`: it names what it cannot, and changes nothing.
    pub fn ack(&mut self, ack: Ack) -> bool {
        let edge = psn::add(ack.psn, 1);
        let good = self.known_edge(ack.qp, edge);
        self.counters.bad_ack += u64::from(!good);
        if good {
            if ack.credits < 23 {
                self.allow(ack.qp, edge, 1 << ack.credits, true);
            }
            self.acknowledge(ack.qp, edge, None);
        }
        good
    }

    /// A range acknowledgement has come; a range of one is that of a PSN.
    pub fn range_ack(&mut self, range: RangeAck) -> bool {
        let good = self.known_edge(range.qp, range.base)
            && self.queue_pairs.get(&range.qp).is_some_and(|at| {
                let sent = at.slots.len() as u32;
                range.length > 0 && range.length <= sent && psn::ahead(at.base, range.start) <= sent - range.length
            });
        self.counters.bad_ack += u64::from(!good);
        if good {
            self.acknowledge(range.qp, range.base, Some((range.start, range.length)));
        }
        good
    }

    /// `edge` lies in base ..= next.
    fn known_edge(&self, qp: u32, edge: u32) -> bool {
        self.queue_pairs.get(&qp).is_some_and(|at| psn::ahead(at.base, edge) as usize <= at.slots.len())
    }

    /// `packets` may be sent from `base` on: as the receiver has told, or as it is known to have if it has told nothing.
    fn allow(&mut self, qp: u32, base: u32, packets: u32, told: bool) {
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        at.told |= told;
        let edge = psn::add(base, packets);
        if at.told == told && psn::before(at.edge, edge) {
            at.edge = edge;
        }
    }

    /// Everything before `edge` and all of `range` has arrived.
    fn acknowledge(&mut self, qp: u32, edge: u32, range: Option<(u32, u32)>) {
        let (now, window) = (self.now, self.untold());
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let below = (0..psn::ahead(at.base, edge)).map(|offset| psn::add(at.base, offset));
        let above = range.into_iter().flat_map(|(start, length)| (0..length).map(move |offset| psn::add(start, offset)));
        for number in below.chain(above).collect::<Vec<u32>>() {
            if let Some(slot) = at.slot(number) {
                slot.state = State::Acknowledged;
            }
        }
        let before = at.base;
        while at.slots.front().is_some_and(|slot| slot.state == State::Acknowledged) {
            at.slots.pop_front();
            at.base = psn::add(at.base, 1);
        }
        if at.base != before {
            (at.started, at.expiries) = (now, 0);
        }
        if at.count(&[State::Pending]) == 0 {
            at.pending_since = None;
        }
        self.allow(qp, edge, window, false);
    }

    /// A feedback message has come: how many packets are to be sent again for it.
    pub fn feedback(&mut self, ffm: &Ffm) -> u32 {
        let dedup = self.config.dedup.into();
        self.feedback_judged(ffm, |_, passed| passed > dedup)
    }

    /// Management wants packets to be sent again, however recently they were.
    pub fn manage(&mut self, qp: u32, start: u32, length: u32) -> u32 {
        self.demand(qp, start, length, |_, _| true)
    }

    /// `due` says of a packet that was sent again so many ticks ago whether that is long enough.
    fn demand(&mut self, qp: u32, start: u32, length: u32, due: impl Fn(u32, u64) -> bool) -> u32 {
        let now = self.now;
        let Some(at) = self.queue_pairs.get_mut(&qp).filter(|_| length > 0 && length < psn::HALF) else {
            self.counters.suppressed += 1;
            return 0;
        };
        let mut fresh = 0;
        for number in (0..length).map(|offset| psn::add(start, offset)) {
            let wanted = at.slot(number).filter(|slot| match slot.state {
                State::Sent | State::Suspected => true,
                State::Retransmitted => due(number, now - slot.again),
                _ => false,
            });
            if let Some(slot) = wanted {
                slot.state = State::Pending;
                fresh += 1;
            }
        }
        self.counters.suppressed += u64::from(length - fresh);
        if fresh > 0 {
            at.pending_since.get_or_insert(now);
        }
        fresh
    }
}
