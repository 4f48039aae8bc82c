//! The receiver: the bitmaps of all queue pairs, with paths as the wire says them, windows that congestion shortens, and counts.

use super::constrained::demand;
use super::{Count, Fault, Packet, Peak, Rate, Refused, Statistics, check_mode};
use crate::bitmap::{self, Arrived, Config, Demand, Message, Params, PathMode, Verdict, What, target_segments};
use std::collections::BTreeMap;

/// What is known of a packet that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub qp: u32,
    pub psn: u32,
    /// path that it names, from 0 on
    pub tag: Option<u8>,
    pub retransmission: bool,
    pub marked: bool,
}

impl From<Packet> for Arrival {
    fn from(packet: Packet) -> Arrival {
        let Packet { qp, psn, tag, retransmission, marked, .. } = packet;
        Arrival { qp, psn, tag, retransmission, marked }
    }
}

/// Settings of the receiver: those of the bitmap, and runtime registers of windows whose length follows a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverConfig {
    pub bitmap: Config,
    /// segments of a window that follows a demand
    pub base_length: u32,
    pub max_length: u32,
    /// what is left of such a window while constrained, in sixteenths
    pub load: u32,
    /// what is wrong on purpose
    pub fault: Option<Fault>,
}

impl ReceiverConfig {
    /// The defaults with paths: depth is not tested while a gap crosses them.
    pub fn new(params: &Params) -> ReceiverConfig {
        let segments = params.segments();
        let bitmap = Config { relax: 0, ..Config::defaults(params.granularity) };
        ReceiverConfig { bitmap, base_length: segments, max_length: segments, load: 16, fault: None }
    }
}

/// The model.
#[derive(Clone, Debug)]
pub struct Receiver {
    bitmap: bitmap::Receiver,
    config: ReceiverConfig,
    statistics: Statistics,
    demands: BTreeMap<u32, Demand>,
    rate: Rate,
    exhausted: u64,
}

impl Receiver {
    /// The block after reset.
    ///
    /// # Errors
    /// Parameters or settings that are not possible.
    pub fn new(params: Params, config: ReceiverConfig) -> Result<Receiver, Refused> {
        check_mode(params.paths, PathMode::Off)?;
        let bitmap = bitmap::Receiver::new(params, config.bitmap).map_err(Refused::Receiver)?.from_end_to_end(config.fault);
        let statistics = Statistics::new(params.paths, config.fault);
        Ok(Receiver { bitmap, config, statistics, demands: BTreeMap::new(), rate: Rate::default(), exhausted: 0 })
    }

    /// The bitmaps, their windows and gap records.
    pub fn bitmap(&self) -> &bitmap::Receiver {
        &self.bitmap
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// A queue pair opens with empty counters.
    ///
    /// # Errors
    /// Its mode is not possible with so many paths, or nothing is left for it.
    pub fn open(&mut self, qp: u32, initial: u32, mode: PathMode) -> Result<(), Refused> {
        check_mode(self.bitmap.params().paths, mode)?;
        self.demands.remove(&qp);
        let is_open = self.bitmap.open(qp, initial, mode);
        self.statistics.reset(qp);
        self.count_exhausted(qp);
        if is_open { Ok(()) } else { Err(Refused::Full(qp)) }
    }

    /// Whether it was open. Its counters stay until it opens again.
    pub fn close(&mut self, qp: u32) -> bool {
        self.demands.remove(&qp);
        self.bitmap.close(qp)
    }

    /// Software empties the counters of a queue pair.
    pub fn reset_statistics(&mut self, qp: u32) {
        self.statistics.reset(qp);
    }

    fn count_exhausted(&mut self, qp: u32) {
        let exhausted = self.bitmap.pool_exhausted();
        self.statistics.count(qp, None, Count::Exhausted, exhausted - self.exhausted);
        self.exhausted = exhausted;
    }

    /// The window of a queue pair is to follow a demand, whose load counts while the queue pair is constrained.
    pub fn set_demand(&mut self, qp: u32, wanted: Demand) {
        if self.bitmap.is_open(qp) {
            self.demands.insert(qp, wanted);
            self.fit(qp);
        }
    }

    /// The one rate that there is: below its preset every queue pair is constrained, and windows that follow a demand are shorter.
    pub fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
        let queue_pairs: Vec<u32> = self.demands.keys().copied().collect();
        queue_pairs.into_iter().for_each(|qp| self.fit(qp));
    }

    fn fit(&mut self, qp: u32) {
        let Some(&wanted) = self.demands.get(&qp) else { return };
        let is_constrained = self.rate.is_below() && self.config.fault != Some(Fault::ReceiverLoadIgnored);
        let wanted = demand(wanted, is_constrained, self.config.load);
        let packets = self.bitmap.params().segment_packets();
        self.bitmap.set_target(qp, target_segments(&wanted, packets, self.config.base_length, self.config.max_length));
        self.count_exhausted(qp);
    }

    /// A packet arrives. A tag that no path has is none, and is counted.
    pub fn arrive(&mut self, arrival: &Arrival) -> Arrived {
        let &Arrival { qp, psn, retransmission, .. } = arrival;
        let paths = self.bitmap.params().paths;
        let tag = match (arrival.tag, self.config.fault) {
            (tag, Some(Fault::ReceiverTagOffByOne)) => tag.map(|path| path + 1),
            (None, Some(Fault::ReceiverNoneIsFirst)) => Some(0),
            (tag, _) => tag,
        };
        let good = tag.filter(|&path| path < paths);
        let arrived = self.bitmap.arrive_tagged(qp, psn, good, retransmission);
        if arrived.verdict != Verdict::UnknownQp {
            self.statistics.count(qp, None, Count::BadTag, u64::from(good != tag));
        }
        for happening in self.bitmap.take_happened() {
            let bitmap::Happening { path, what, .. } = happening;
            if arrival.marked && matches!(what, What::Arrived(_)) {
                self.statistics.count(qp, path, Count::Marked, 1);
            }
            self.happens(&happening);
        }
        arrived
    }

    /// Time is `now` ticks: every gap is looked at.
    pub fn tick(&mut self, now: u64) {
        self.bitmap.tick(now);
        self.count_happened();
    }

    /// Time is `now` ticks; a gap is looked at when a packet of its queue pair comes, or by [`Receiver::tick`].
    pub fn pass(&mut self, now: u64) {
        self.bitmap.pass(now);
    }

    /// The wire has room: the next message, queue pairs in turn.
    pub fn message(&mut self) -> Option<Message> {
        let message = self.bitmap.message();
        self.count_happened();
        message
    }

    /// The wire has room for a message of `qp`.
    pub fn message_of(&mut self, qp: u32) -> Option<Message> {
        let message = self.bitmap.message_of(qp);
        self.count_happened();
        message
    }

    /// States of gaps since it was last asked.
    pub fn take_gap_events(&mut self) -> Vec<bitmap::GapEvent> {
        self.bitmap.take_events()
    }

    fn count_happened(&mut self) {
        self.bitmap.take_happened().iter().for_each(|happening| self.happens(happening));
    }

    fn happens(&mut self, happening: &bitmap::Happening) {
        let &bitmap::Happening { qp, path, what } = happening;
        let count = match what {
            What::Arrived(verdict) => {
                self.statistics.count(qp, path, Count::Duplicates, u64::from(verdict == Verdict::Duplicate));
                Count::Packets
            }
            What::Late { depth } => return self.statistics.peak(qp, path, Peak::Depth, depth.into()),
            What::Stalled { ticks } => return self.statistics.peak(qp, path, Peak::Stall, ticks),
            What::Misjudged => Count::Misjudged,
            What::Gap => Count::Gaps,
            What::Folded => Count::Folded,
            What::Lost { .. } => Count::Losses,
            What::Told => Count::Messages,
        };
        self.statistics.count(qp, path, count, 1);
    }
}
