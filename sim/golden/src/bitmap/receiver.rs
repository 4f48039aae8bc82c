//! The receiver: queue pairs, their windows and gaps, and what is told to the sender.

mod anew;
mod feedback;
mod paths;
mod statistics;

pub use feedback::{GapEvent, Message};
pub use paths::{Happening, What};
pub use statistics::{PathStatistics, Statistics};

use super::gap::{Gap, GapState, Pushed, Records, Region};
use super::tolerance::View;
use super::window::NO_PATH;
use super::{Cause, Config, Params, PathMode, Place, Verdict, Window, psn};
use crate::paths::Fault;
use std::collections::{BTreeMap, VecDeque};

/// One packet's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    pub verdict: Verdict,
    /// afterwards
    pub base: u32,
    pub max: u32,
}

/// One queue pair.
#[derive(Clone, Debug)]
struct QueuePair {
    mode: PathMode,
    window: Window,
    records: Records,
    /// segments taken from the pool, and those that it is to have
    held: u32,
    target: u32,
    statistics: Statistics,
    paths: Vec<PathStatistics>,
    /// when each path last delivered
    last: Vec<Option<u64>>,
    /// when a packet last came by another path than that of its number; empty unless paths are known from end to end
    strayed: Vec<Option<u64>>,
    /// when the base last moved, and the accepted packets until then
    advanced: (u64, u64),
    /// when the first of the gaps was lost that are not told yet
    waiting: Option<u64>,
    /// an acknowledgement waits for the wire
    ack_due: bool,
    /// newest packet above a hole whose range waits for the wire
    range_due: Option<u32>,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Receiver {
    params: Params,
    config: Config,
    now: u64,
    free: u32,
    queue_pairs: BTreeMap<u32, QueuePair>,
    unknown_qp: u64,
    pool_exhausted: u64,
    /// queue pair, PSN, path and time of the last duplicate
    last_duplicate: Option<(u32, u32, u8, u64)>,
    events: VecDeque<GapEvent>,
    /// queue pair whose messages went out last
    turn: u32,
    /// what has happened, where paths are known from end to end
    happened: Option<VecDeque<Happening>>,
    fault: Option<Fault>,
}

impl Receiver {
    /// The block after reset.
    /// # Errors
    /// Parameters that are not possible.
    pub fn new(params: Params, config: Config) -> Result<Receiver, String> {
        params.check()?;
        config.check(&params)?;
        Ok(Receiver {
            params,
            config,
            now: 0,
            free: params.pool,
            queue_pairs: BTreeMap::new(),
            unknown_qp: 0,
            pool_exhausted: 0,
            last_duplicate: None,
            events: VecDeque::new(),
            turn: 0,
            happened: None,
            fault: None,
        })
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    /// Queue pair `qp` begins at `initial`; one that is open is closed before. `false`: no more queue pairs or no segment is left.
    pub fn open(&mut self, qp: u32, initial: u32, mode: PathMode) -> bool {
        self.close(qp);
        if self.queue_pairs.len() >= self.params.queue_pairs || self.free == 0 {
            self.pool_exhausted += u64::from(self.free == 0);
            return false;
        }
        let target = self.limited(self.params.segments());
        let held = target.min(self.free);
        self.pool_exhausted += u64::from(held < target);
        self.free -= held;
        let paths = usize::from(self.params.paths);
        let queue_pair = QueuePair {
            mode,
            window: Window::new(initial, held * self.params.segment_packets(), self.params.granularity),
            records: Records::default(),
            held,
            target,
            statistics: Statistics::default(),
            paths: vec![PathStatistics::default(); paths],
            last: vec![None; paths],
            strayed: if self.happened.is_some() { vec![None; paths] } else { Vec::new() },
            advanced: (self.now, 0),
            waiting: None,
            ack_due: false,
            range_due: None,
        };
        self.queue_pairs.insert(qp, queue_pair);
        true
    }

    /// The queue pair is gone with all that was known of it. Whether it was open.
    pub fn close(&mut self, qp: u32) -> bool {
        let closed = self.queue_pairs.remove(&qp);
        self.free += closed.as_ref().map_or(0, |closed| closed.held);
        closed.is_some()
    }

    pub fn is_open(&self, qp: u32) -> bool {
        self.queue_pairs.contains_key(&qp)
    }

    /// Open queue pairs, in order.
    pub fn open_queue_pairs(&self) -> impl Iterator<Item = u32> {
        self.queue_pairs.keys().copied()
    }

    pub fn window(&self, qp: u32) -> Option<&Window> {
        self.queue_pairs.get(&qp).map(|at| &at.window)
    }

    /// Gap records, in the order of their PSNs.
    pub fn gaps(&self, qp: u32) -> &[Gap] {
        self.queue_pairs.get(&qp).map_or(&[], |at| &at.records.all)
    }

    /// What was told and has no record.
    pub fn region(&self, qp: u32) -> Option<Region> {
        self.queue_pairs.get(&qp).and_then(|at| at.records.region)
    }

    /// Segments that the queue pair holds.
    pub fn segments(&self, qp: u32) -> u32 {
        self.queue_pairs.get(&qp).map_or(0, |at| at.held)
    }

    /// Segments that no queue pair holds.
    pub fn free_segments(&self) -> u32 {
        self.free
    }

    fn limited(&self, segments: u32) -> u32 {
        let most = if self.config.qp_segments == 0 { u32::MAX } else { self.config.qp_segments };
        segments.clamp(1, most)
    }

    /// The queue pair is to have `segments`. It grows at once by what the pool has, and shrinks as it advances.
    pub fn set_target(&mut self, qp: u32, segments: u32) {
        let most = (psn::HALF - 1) / self.params.segment_packets();
        let target = self.limited(segments.min(most));
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        at.target = target;
        self.fit(qp);
        let short = self.queue_pairs.get(&qp).is_some_and(|at| at.held < at.target);
        self.pool_exhausted += u64::from(short);
    }

    /// The window of the queue pair ends before `edge`, as hardware says that decides for itself when a window grows. It may not go back.
    pub fn end_at(&mut self, qp: u32, edge: u32) {
        let packets = self.params.segment_packets();
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        at.target = 0;
        at.window.end_at(edge);
        let held = at.window.size().div_ceil(packets);
        self.free = (self.free + at.held).saturating_sub(held);
        at.held = held;
    }

    /// Takes segments that the queue pair is to have, returns those that its window no longer reaches.
    fn fit(&mut self, qp: u32) {
        let packets = self.params.segment_packets();
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let more = at.target.saturating_sub(at.held).min(self.free);
        self.free -= more;
        at.held += more;
        at.window.resize(at.target.min(at.held) * packets);
        let needed = at.window.size().div_ceil(packets);
        self.free += at.held - needed;
        at.held = needed;
    }

    /// A packet arrives.
    pub fn arrive(&mut self, qp: u32, number: u32, path: u8, retransmission: bool) -> Arrived {
        let start = self.window(qp).map_or(0, Window::start);
        self.arrive_within(qp, number, path, retransmission, start)
    }

    /// As [`arrive`](Receiver::arrive), for hardware whose window has moved to `start` only.
    pub fn arrive_within(&mut self, qp: u32, number: u32, path: u8, retransmission: bool, start: u32) -> Arrived {
        let path = path % self.params.paths;
        // What both ends know goes before what the packet says.
        let known =
            self.queue_pairs.get(&qp).map(|at| view(&self.params, &self.config, at, self.now, self.fault).striped(number % psn::SPACE));
        self.take(qp, number, known.flatten().or(Some(path)), retransmission, start)
    }

    /// A packet arrives over `path`, or over one that nobody knows.
    fn take(&mut self, qp: u32, number: u32, path: Option<u8>, retransmission: bool, start: u32) -> Arrived {
        let number = number % psn::SPACE;
        let now = self.now;
        let Some(at) = self.queue_pairs.get_mut(&qp) else {
            self.unknown_qp += 1;
            return Arrived { verdict: Verdict::UnknownQp, base: 0, max: 0 };
        };
        let mut on_path = path.and_then(|path| at.paths.get_mut(usize::from(path)));
        if let Some(on_path) = &mut on_path {
            on_path.arrivals += 1;
        }
        at.statistics.arrivals += 1;
        // It may have taken another path than its number says, or overtaken what was sent before it.
        let moves = self.happened.is_none() || !retransmission || self.fault == Some(Fault::ReceiverRepeatMoves);
        let verdict = match at.window.place_from(start, number) {
            Place::Above => Verdict::OutOfWindow,
            Place::Inside(offset) if !at.window.has(number) => {
                at.window.set(offset, path.filter(|_| moves).unwrap_or(NO_PATH));
                Verdict::New
            }
            _ => Verdict::Duplicate,
        };
        match verdict {
            Verdict::New => at.statistics.accepted += 1,
            Verdict::OutOfWindow => at.statistics.out_of_window += 1,
            _ => {
                at.statistics.duplicates += 1;
                if let Some(on_path) = on_path {
                    on_path.duplicates += 1;
                }
                self.last_duplicate = Some((qp, number, path.unwrap_or(NO_PATH), now));
                // The acknowledgement may have been lost.
                at.ack_due |= psn::before(number, at.window.base());
            }
        }
        self.happens(qp, path, What::Arrived(verdict));
        if verdict == Verdict::New {
            if let Some(path) = path.filter(|_| moves) {
                self.delivers(qp, path);
            }
            self.accepted(qp, number, path, retransmission);
            self.judge(qp);
        }
        let window = &self.queue_pairs[&qp].window;
        Arrived { verdict, base: window.base(), max: window.max() }
    }

    /// What follows from a new packet for base and gap records.
    fn accepted(&mut self, qp: u32, number: u32, path: Option<u8>, retransmission: bool) {
        let (now, fault, is_end_to_end) = (self.now, self.fault, self.happened.is_some());
        let most = match self.config.qp_records {
            0 => self.params.records,
            limit => limit.min(self.params.records),
        };
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let mut happened = Vec::new();
        if psn::before(number, at.window.max()) && !retransmission {
            happened.push((path, What::Late { depth: psn::ahead(number, at.window.max()) }));
        }
        let stalled = at.records.all.first().filter(|gap| gap.start == number && number == at.window.base());
        if let Some(gap) = stalled {
            happened.push((path, What::Stalled { ticks: now - gap.first_seen.max(at.advanced.0) }));
        }
        let change = at.records.arrived(&at.window, number, most);
        at.statistics.folded += u64::from(change.folded);
        let is_repeat = retransmission && fault != Some(Fault::ReceiverRepeatMisjudged);
        if change.hit == Some(GapState::Reported) && !is_repeat && fault != Some(Fault::ReceiverMisjudgedMissed) {
            at.statistics.misjudged += 1;
            if let Some(on_path) = path.and_then(|path| at.paths.get_mut(usize::from(path))) {
                on_path.misjudged += 1;
            }
            happened.push((path, What::Misjudged));
        }
        if let Some(gap) = change.filled {
            self.events.push_back(GapEvent::filled(qp, &gap));
        }
        for gap in at.records.all.iter_mut().filter(|gap| psn::before(gap.start, number)) {
            gap.later = gap.later.saturating_add(1);
        }
        let mut folded = change.folded;
        if let Some((start, end)) = at.window.new_gap(number) {
            let view = view(&self.params, &self.config, at, now, fault);
            let shower = path.unwrap_or(NO_PATH);
            let gap_path = match is_end_to_end && fault != Some(Fault::ReceiverBlamesNext) {
                true => view.named(start),
                false => view.striped(start).filter(|_| !is_end_to_end).unwrap_or(shower),
            };
            let gap = Gap {
                start,
                end,
                state: GapState::Waiting,
                cause: Cause::Depth,
                path: gap_path,
                first_seen: now,
                lost_at: 0,
                reported_at: 0,
                due: false,
                repeat: 0,
                later: 1,
                arrivals: at.statistics.accepted,
                active: view.active(),
            };
            if let Some(on_path) = at.paths.get_mut(usize::from(gap_path)) {
                on_path.gaps += 1;
            }
            at.statistics.gaps += 1;
            let pushed = at.records.push(gap, most, self.params.tells());
            at.statistics.folded += u64::from(pushed == Pushed::Folded);
            at.statistics.spilled += u64::from(pushed == Pushed::Spilled);
            folded |= pushed == Pushed::Folded;
            self.events.push_back(GapEvent::now(qp, &gap));
            happened.push((gap.path(), What::Gap));
        }
        if folded {
            happened.push((None, What::Folded));
        }
        if at.window.advance(self.config.slide_step) {
            at.advanced = (now, at.statistics.accepted);
            at.records.moved(&at.window);
            at.ack_due = true;
            self.fit(qp);
        } else if self.config.range_ack && psn::before(at.window.base(), number) {
            at.range_due = Some(number);
        }
        happened.into_iter().for_each(|(path, what)| self.happens(qp, path, what));
    }
}

fn view<'a>(params: &'a Params, config: &'a Config, at: &'a QueuePair, now: u64, fault: Option<Fault>) -> View<'a> {
    View {
        params,
        config,
        mode: at.mode,
        window: &at.window,
        now,
        arrivals: at.statistics.accepted,
        advanced: at.advanced,
        paths: &at.last,
        strayed: &at.strayed,
        fault,
    }
}
