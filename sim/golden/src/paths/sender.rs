//! The sender: a path for each packet, paths that are left out, windows that slide in steps, and less for repeats while constrained.

mod flight;
mod window;

use super::constrained::{AGGREGATE, Share};
use super::{Choice, Count, Fault, Packet, PathState, Rate, Refused, SenderConfig, Spread, Statistics, Table, check_mode};
use crate::bitmap::sender::{Bucket, Counters, Mode, Refusal, Retransmit, Sender as Bitmap, State};
use crate::bitmap::{Ack, Demand, Ffm, RangeAck, psn};
use flight::Flights;
use std::collections::{BTreeMap, VecDeque};
use window::Window;

/// Something that an event log has a line for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// a packet is sent again because a message asked for it; `path` had carried it
    Lost {
        qp: u32,
        psn: u32,
        path: u8,
    },
    /// the path has lost too much and rests
    LeftOut {
        path: u8,
    },
    TakenIn {
        path: u8,
    },
    /// an operation, and the path that it goes over
    Retransmission {
        qp: u32,
        start: u32,
        length: u32,
        path: u8,
    },
}

/// One queue pair.
#[derive(Clone, Debug)]
struct QueuePair {
    spread: Spread,
    window: Window,
    flights: Flights,
    /// path that was chosen last
    last: u8,
    is_constrained: bool,
    share: Share,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Sender {
    config: SenderConfig,
    bitmap: Bitmap,
    table: Table,
    queue_pairs: BTreeMap<u32, QueuePair>,
    statistics: Statistics,
    events: VecDeque<Event>,
    rate: Rate,
    now: u64,
}

impl Sender {
    /// The block after reset.
    ///
    /// # Errors
    /// The first setting that is not possible.
    pub fn new(config: SenderConfig) -> Result<Sender, Refused> {
        config.check()?;
        let SenderConfig { paths, path_bad, path_rest, fault, .. } = config;
        Ok(Sender {
            bitmap: Bitmap::new(config.window, config.sender),
            table: Table::new(paths, path_bad, path_rest, fault),
            queue_pairs: BTreeMap::new(),
            statistics: Statistics::new(paths, fault),
            events: VecDeque::new(),
            rate: Rate::default(),
            now: 0,
            config,
        })
    }

    /// A queue pair opens with empty counters.
    ///
    /// # Errors
    /// More tagged paths than a tag can name.
    pub fn open(&mut self, qp: u32, initial: u32, spread: Spread) -> Result<(), Refused> {
        check_mode(self.config.paths, spread.mode())?;
        self.close(qp);
        self.bitmap.open(qp, initial);
        self.statistics.reset(qp);
        let window = Window::new(initial, self.config.base_length);
        // The first of a turn is path 0.
        let last = self.config.paths - 1;
        let (is_constrained, share) = (false, Share::default());
        self.queue_pairs.insert(qp, QueuePair { spread, window, flights: Flights::new(initial), last, is_constrained, share });
        Ok(())
    }

    /// Whether it was open. What it has under way burdens no path any more; its counters stay until it opens again.
    pub fn close(&mut self, qp: u32) -> bool {
        if let Some(at) = self.queue_pairs.remove(&qp) {
            for path in at.flights.paths() {
                self.table.state(path).unacknowledged -= 1;
            }
        }
        self.bitmap.close(qp)
    }

    /// The states of packets, timers and the coordinator.
    pub fn bitmap(&self) -> &Bitmap {
        &self.bitmap
    }

    pub fn counters(&self) -> &Counters {
        self.bitmap.counters()
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What is known of each path, all queue pairs together.
    pub fn paths(&self) -> &[PathState] {
        self.table.states()
    }

    /// Bit k: path k may be chosen.
    pub fn usable_paths(&self) -> u16 {
        self.table.usable()
    }

    /// Software takes a path out, or lets it in again; one that does not exist is ignored.
    pub fn hold_path(&mut self, path: u8, is_out: bool) {
        if path < self.config.paths {
            self.table.hold(path, is_out);
        }
    }

    /// Software empties the counters of a queue pair.
    pub fn reset_statistics(&mut self, qp: u32) {
        self.statistics.reset(qp);
    }

    /// What has happened since it was last asked.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.events.drain(..).collect()
    }

    /// Bytes that may be sent, and the rate that they come at; below its preset every queue pair is constrained.
    pub fn set_rate(&mut self, rate: Rate, bucket: Bucket) {
        self.rate = rate;
        self.bitmap.set_bucket(bucket);
        self.refresh_all();
    }

    /// Packets of a queue pair that congestion control allows in flight; one that has as many is constrained.
    pub fn set_congestion_window(&mut self, qp: u32, packets: u32) {
        self.bitmap.set_congestion_window(qp, packets);
        self.refresh(qp);
    }

    /// The window of a queue pair is to follow a demand, whose load counts while the queue pair is constrained.
    pub fn set_demand(&mut self, qp: u32, wanted: Demand) {
        if let Some(at) = self.queue_pairs.get_mut(&qp) {
            at.window.follow(wanted, &self.config);
        }
    }

    /// First packet of the sender's own window, and the first behind it.
    pub fn window(&self, qp: u32) -> Option<(u32, u32)> {
        self.queue_pairs.get(&qp).map(|at| at.window.span())
    }

    /// The queue pair is in the congestion-constrained state.
    pub fn is_constrained(&self, qp: u32) -> bool {
        self.queue_pairs.get(&qp).is_some_and(|at| at.is_constrained)
    }

    fn refresh_all(&mut self) {
        let queue_pairs: Vec<u32> = self.queue_pairs.keys().copied().collect();
        queue_pairs.into_iter().for_each(|qp| self.refresh(qp));
    }

    /// Enters the constrained state, or leaves it with all that it means.
    fn refresh(&mut self, qp: u32) {
        let (fault, config) = (self.config.fault, self.config);
        let is_full = self.bitmap.is_congestion_window_full(qp) && fault != Some(Fault::SenderFullIsFree);
        let is_constrained = self.rate.is_below() || is_full;
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let stays = fault == Some(Fault::SenderConstrainedStays) && at.is_constrained;
        if is_constrained == at.is_constrained || stays {
            return;
        }
        at.is_constrained = is_constrained;
        at.share = Share::default();
        at.window.refresh(is_constrained, &config);
        let is_patient = is_constrained && fault != Some(Fault::SenderAggregatesAsEver);
        self.bitmap.set_aggregate_factor(qp, if is_patient { AGGREGATE } else { 1 });
    }

    /// Time is `now` ticks. Queue pairs whose retry limit has ended them now.
    pub fn tick(&mut self, now: u64) -> Vec<u32> {
        self.bitmap.fill(now.saturating_sub(self.now));
        self.now = self.now.max(now);
        self.bitmap.pass(now);
        for path in self.table.taken_in(self.now) {
            self.events.push_back(Event::TakenIn { path });
        }
        let mut ended = Vec::new();
        for qp in self.queue_pairs.keys().copied() {
            if let Some(is_over) = self.bitmap.run_out(qp) {
                self.statistics.count(qp, None, Count::TimeOuts, 1);
                ended.extend(is_over.then_some(qp));
            }
        }
        ended
    }

    /// What a queue pair sends next; `waiting` says that it has something new to send. Nothing while windows or rate hold it back.
    ///
    /// Packets that are to be sent again go first. While constrained and while something new waits and could go, they have their share
    /// only.
    pub fn next(&mut self, qp: u32, waiting: bool) -> Vec<Packet> {
        self.refresh(qp);
        let Some(at) = self.queue_pairs.get(&qp) else { return Vec::new() };
        let is_open = at.window.allows(self.bitmap.next(qp).unwrap_or_default(), self.config.fault);
        let can_send = waiting && is_open && self.bitmap.held_back(qp).is_none();
        let room = match at.is_constrained && can_send && self.config.fault != Some(Fault::SenderShareIgnored) {
            true => at.share.room(self.config.share),
            false => u32::MAX,
        };
        if room > 0
            && let Some(operation) = self.bitmap.retransmit_of(qp, room)
        {
            return self.repeat(&operation);
        }
        if !can_send {
            return Vec::new();
        }
        self.bitmap.send_anyway(qp).map(|number| self.first(qp, number)).into_iter().collect()
    }

    /// Why a new packet of a queue pair would not be sent now.
    pub fn refusal(&self, qp: u32) -> Option<Refusal> {
        let is_open = |at: &QueuePair| at.window.allows(self.bitmap.next(qp).unwrap_or_default(), self.config.fault);
        self.bitmap.refusal(qp).or_else(|| (!self.queue_pairs.get(&qp).is_some_and(is_open)).then_some(Refusal::Window))
    }

    /// Path that the number of a packet says.
    fn by_number(&self, number: u32) -> u8 {
        let stripe = if self.config.fault == Some(Fault::SenderStripeIgnored) { 1 } else { self.config.stripe };
        (number / stripe % u32::from(self.config.paths)) as u8
    }

    /// Paths that a packet of a queue pair may take away from that of its number: those that a tag can name, where one is among them.
    fn nameable(&self, spread: Spread) -> u16 {
        let usable = self.table.usable();
        match (spread, usable & 0x7fff) {
            (Spread::Striped, named) if named != 0 => named,
            _ => usable,
        }
    }

    /// A packet that has never been sent.
    fn first(&mut self, qp: u32, number: u32) -> Packet {
        let (home, usable) = (self.by_number(number), self.table.usable());
        let (spread, last) = self.queue_pairs.get(&qp).map_or((Spread::Striped, 0), |at| (at.spread, at.last));
        let chosen = match spread {
            Spread::Striped if usable >> home & 1 == 1 => Some(home),
            Spread::Striped => self.table.next(self.nameable(spread), last),
            Spread::Untagged(Choice::RoundRobin) | Spread::Tagged(Choice::RoundRobin) => self.table.next(usable, last),
            Spread::Untagged(_) | Spread::Tagged(_) => self.table.least(usable, last),
        };
        let path = if self.config.fault == Some(Fault::SenderPathStuck) { 0 } else { chosen.unwrap_or(home) };
        if let Some(at) = self.queue_pairs.get_mut(&qp) {
            at.last = if spread == Spread::Striped && path == home { at.last } else { path };
            at.flights.push(path, self.now);
            at.share.count(1, false);
        }
        self.carried(qp, number, path, false)
    }

    /// One operation: all of it over one path, other than that of its first packet's last try where there is another.
    fn repeat(&mut self, operation: &Retransmit) -> Vec<Packet> {
        let &Retransmit { qp, start, length, mode } = operation;
        let numbers: Vec<u32> = (0..length).map(|offset| psn::add(start, offset)).collect();
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return Vec::new() };
        at.share.count(length.into(), true);
        let (spread, last) = (at.spread, at.last);
        let before = at.flights.path(start).unwrap_or_default();
        let mask = match self.nameable(spread) {
            mask if mask & !(1 << before) != 0 => mask & !(1 << before),
            mask => mask,
        };
        let fault = self.config.fault;
        let path = match self.table.least(mask, last) {
            Some(path) if fault != Some(Fault::SenderRepeatsOnSamePath) => path,
            _ => before,
        };
        self.events.push_back(Event::Retransmission { qp, start, length, path });
        let count = match mode {
            Mode::Single => Count::RepeatedSingle,
            Mode::Interval => Count::RepeatedInterval,
            Mode::Aggregated => Count::RepeatedAggregated,
        };
        let over = |number: u32| match fault {
            Some(Fault::SenderOperationSplit) => (number % u32::from(self.config.paths)) as u8,
            _ => path,
        };
        let ways: Vec<(u32, u8)> = numbers.into_iter().map(|number| (number, over(number))).collect();
        ways.into_iter().map(|(number, path)| self.again(qp, number, path, count)).collect()
    }

    /// A packet goes again, over `path`.
    fn again(&mut self, qp: u32, number: u32, path: u8, count: Count) -> Packet {
        let (now, fault) = (self.now, self.config.fault);
        let flight = self.queue_pairs.get_mut(&qp).and_then(|at| at.flights.again(number, path));
        self.statistics.count(qp, Some(path), count, 1);
        if let Some(flight) = flight {
            self.table.state(flight.path).unacknowledged -= 1;
            if flight.is_named || fault == Some(Fault::SenderTimerIsLoss) {
                let path = if fault == Some(Fault::SenderLossOnNewPath) { path } else { flight.path };
                self.table.state(path).lost += 1;
                self.statistics.count(qp, Some(path), Count::Losses, 1);
                self.events.push_back(Event::Lost { qp, psn: number, path });
                self.judge(qp, path, true, now);
            }
        }
        self.table.state(path).repeated += 1;
        self.carried(qp, number, path, true)
    }

    /// A path has carried a packet to its end. What carries no tag says nothing of a path: its receiver takes reordering for loss.
    fn judge(&mut self, qp: u32, path: u8, is_lost: bool, now: u64) {
        let is_known = self.queue_pairs.get(&qp).is_some_and(|at| !matches!(at.spread, Spread::Untagged(_)));
        if is_known && self.table.outcome(path, is_lost, now) {
            self.events.push_back(Event::LeftOut { path });
        }
    }

    /// The packet goes out over `path`.
    fn carried(&mut self, qp: u32, number: u32, path: u8, retransmission: bool) -> Packet {
        let (fault, home) = (self.config.fault, self.by_number(number));
        let state = self.table.state(path);
        state.sent += 1;
        state.unacknowledged += 1;
        self.statistics.count(qp, Some(path), Count::Packets, 1);
        let is_stray = path != home && fault != Some(Fault::SenderStrayUntagged);
        let tag = match self.queue_pairs.get(&qp).map(|at| at.spread) {
            _ if fault == Some(Fault::SenderTagLost) => None,
            Some(Spread::Tagged(_)) if fault == Some(Fault::SenderTagOffByOne) => path.checked_sub(1),
            Some(Spread::Tagged(_)) => Some(path),
            Some(Spread::Striped) if is_stray => Some(path).filter(|&path| path < super::params::MOST_TAGGED),
            _ => None,
        };
        let port = if fault == Some(Fault::SenderPortStays) { 0 } else { u16::from(path) };
        Packet {
            qp,
            psn: number,
            path,
            tag,
            udp_source: self.config.udp_base + port,
            retransmission: retransmission && fault != Some(Fault::SenderRepeatFlagLost),
            marked: false,
        }
    }

    /// An acknowledgement has come. `false`: it names what it cannot, and changes nothing.
    pub fn ack(&mut self, ack: Ack) -> bool {
        let is_good = self.bitmap.ack(ack);
        if is_good {
            self.settle(ack.qp, psn::add(ack.psn, 1), None);
        }
        is_good
    }

    /// A range acknowledgement has come.
    pub fn range_ack(&mut self, range: RangeAck) -> bool {
        let is_good = self.bitmap.range_ack(range);
        if is_good {
            let is_whole = self.config.fault != Some(Fault::SenderRangeKeepsPath);
            self.settle(range.qp, range.base, Some((range.start, range.length)).filter(|_| is_whole));
        }
        is_good
    }

    /// A feedback message has come: how many packets are to be sent again for it.
    pub fn feedback(&mut self, ffm: &Ffm) -> u32 {
        let &Ffm { qp, start, length, base, .. } = ffm;
        let path = ffm.path.checked_sub(1).filter(|&path| path < self.config.paths);
        self.statistics.count(qp, path, Count::Messages, 1);
        let before = *self.bitmap.counters();
        let fresh = self.bitmap.feedback(ffm);
        let suppressed = self.bitmap.counters().suppressed - before.suppressed;
        self.statistics.count(qp, path, Count::Suppressed, suppressed);
        if self.bitmap.base(qp).is_some_and(|now| psn::ahead(base, now) < psn::HALF) {
            self.settle(qp, base, None);
        }
        if let Some(at) = self.queue_pairs.get_mut(&qp).filter(|_| fresh > 0) {
            for number in (0..length).map(|offset| psn::add(start, offset)) {
                if self.bitmap.state(qp, number) == Some(State::Pending) {
                    at.flights.name(number);
                }
            }
        }
        fresh
    }

    /// Management wants packets to be sent again, however recently they were.
    pub fn manage(&mut self, qp: u32, start: u32, length: u32) -> u32 {
        self.bitmap.manage(qp, start, length)
    }

    /// Everything before `edge` and all of `range` has arrived.
    fn settle(&mut self, qp: u32, edge: u32, range: Option<(u32, u32)>) {
        let (now, config) = (self.now, self.config);
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let settled = at.flights.settle(edge, range);
        at.window.advance(self.bitmap.base(qp).unwrap_or(edge), &config);
        for flight in settled {
            let state = self.table.state(flight.path);
            state.unacknowledged -= 1;
            state.acknowledged += 1;
            if !flight.is_repeat || config.fault == Some(Fault::SenderDelayOfRepeats) {
                let delay = 8 * (now - flight.sent_at);
                state.delay = if state.delay == 0 { delay } else { state.delay - state.delay / 8 + delay / 8 };
            }
            self.judge(qp, flight.path, false, now);
        }
        self.refresh(qp);
    }
}
