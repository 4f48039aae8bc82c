//! `ReceiveBitmap` beside the golden receiver: what depends on the order of packets is equal; a feedback message may come from the moment
//! on at which its gap is lost for the model, which takes the hardware's moment over, and is missed when it does not come in time.
//!
//! The hardware drops events of a queue pair when they come faster than it takes them, and later reads the bitmap instead: one record may
//! then stand for several gaps of the model. Such a queue pair is held to what no order changes while it lags; when it has caught up, what
//! it sees from then on is held to everything again at once, and what it found in the bitmap from its first message on, which is due like
//! that of a gap seen then.
//!
//! Where a reported record gives way to a gap that is seen, the model here has as many records as it needs: which record gives way and when
//! is the hardware's to say. It may be one only that has been told, and what is told again of it is what has not arrived.

mod life;
mod paths;
mod ranges;
mod region;
mod streams;

pub use ranges::Range;
pub use streams::Message;

use super::{Bench, Command, Header, Seen};
use life::{Life, Owed};
use rdma_rtl_golden::bitmap::{Cause, Config, DepthMode, Gap, GapState, Params, PathStatistics, Verdict, psn};
use rdma_rtl_sim::Model;
use std::collections::{HashMap, VecDeque};
use streams::Report;

/// Clocks for which the records may be behind the packets, if no ends are searched: a full queue of events, 4 clocks each, and what is in
/// the engine.
const BEHIND: u64 = 64 * 4 + 64;

/// Clocks of an event, and of what the scan may have found and is queued with it in turn.
const EVENT: u64 = 4 + 4;

/// Clocks, beyond those of the events before it, from a verdict to the message that it causes: 32 from its header.
const PROMPT: u64 = 32 - super::LATENCY;

const MORE: [&str; 51] = [
    "prescale",
    "now",
    "depth",
    "by_arrivals",
    "wait_ticks",
    "stall",
    "stall_packets",
    "feedback_threshold",
    "feedback_wait",
    "refeedback",
    "ffm_valid",
    "ffm_ready",
    "ffm_qp",
    "ffm_start",
    "ffm_length",
    "ffm_edge",
    "ffm_base",
    "ffm_timestamp",
    "ffm_status",
    "ffm_depth",
    "ffm_repeat",
    "ffm_misjudged",
    "ack_valid",
    "ack_ready",
    "ack_qp",
    "ack_psn",
    "range_ack",
    "ack_hold",
    "range_valid",
    "range_ready",
    "range_qp",
    "range_base",
    "range_start",
    "range_length",
    "evt_gap",
    "evt_lost",
    "evt_report",
    "evt_repeat",
    "told_qp",
    "told_start",
    "told_end",
    "evt_misjudged",
    "evt_folded",
    "evt_dropped",
    "evt_falls_behind",
    "dropped_qp",
    "evt_rebuilt",
    "rebuilt_qp",
    "rebuilt_edge",
    "verdict_base",
    "verdict_max",
];

/// What the hardware decided, in a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Verdict(Header, Verdict),
    /// queue pair and base
    Ack(u32, u32),
    /// a gap is reported: queue pair, first and last packet
    Gap(u32, u32, u32),
    Message(Message),
    Range(Range),
}

/// Events of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub gaps: u64,
    pub lost: u64,
    pub reports: u64,
    pub repeats: u64,
    pub misjudged: u64,
    pub folded: u64,
    /// records that have given way
    pub spilled: u64,
    /// messages about what has no record any more, and walks over it
    pub walked: u64,
    pub walks: u64,
    pub dropped: u64,
    pub rebuilt: u64,
    pub acks: u64,
    pub ranges: u64,
    /// windows that have passed the end of the numbers
    pub wraps: u64,
    pub causes: [u64; 5],
    /// the most clocks for which a queue pair lagged
    pub behind: u64,
    /// the most clocks from a packet above the base to the range that tells of it
    pub longest_untold: u64,
}

impl Counts {
    /// Those of another run as well.
    pub fn add(&mut self, other: &Self) {
        self.spilled += other.spilled;
        self.walked += other.walked;
        self.walks += other.walks;
        let Self { gaps, lost, reports, repeats, misjudged, folded, dropped, rebuilt, acks, ranges, .. } = self;
        let Self { wraps, causes, behind, longest_untold, .. } = self;
        *longest_untold = other.longest_untold.max(*longest_untold);
        *behind = other.behind.max(*behind);
        let mine = [gaps, lost, reports, repeats, misjudged, folded, dropped, rebuilt, acks, ranges, wraps];
        let theirs = [
            other.gaps,
            other.lost,
            other.reports,
            other.repeats,
            other.misjudged,
            other.folded,
            other.dropped,
            other.rebuilt,
            other.acks,
            other.ranges,
            other.wraps,
        ];
        mine.into_iter().zip(theirs).chain(causes.iter_mut().zip(other.causes)).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// Bench, lives, what is owed.
pub struct Follow<'a> {
    pub bench: Bench<'a>,
    config: Config,
    /// reported records give way
    regions: bool,
    /// gap records of a queue pair
    records: usize,
    prescale: u64,
    lives: HashMap<u32, Life>,
    told: VecDeque<Report>,
    owed: Vec<Owed>,
    /// until then none of it is late
    soonest: u64,
    /// clocks that the events before will take
    backlog: u64,
    /// clocks that all events so far have taken
    work: u64,
    pub counts: Counts,
    /// of 100 clocks, those in which the wire takes a message
    pub wire: u32,
    offered: Option<Vec<u64>>,
    offered_ack: Option<(u64, u64)>,
    ack_since: u64,
    offered_range: Option<(u64, Range)>,
    range_since: u64,
    /// clocks in which everybody has a turn, and when that was so
    rounds: VecDeque<(u64, u64)>,
    /// since when the wire is as it is
    wire_since: u64,
    state: u32,
    /// a message was not taken at once: nothing is prompt any more
    blocked: bool,
    now: u64,
    command: Option<Command>,
    /// if it is to be kept: with the clock
    pub log: Option<Vec<(u64, Told)>>,
    /// path of the packet of the clock before, and whether it was a duplicate; `None` if its queue pair was closed right behind it
    delivered: Option<Option<(u8, bool)>>,
    /// arrivals of each path of a queue pair
    arrivals: HashMap<u32, Vec<u64>>,
    /// what the hardware has told of each path
    pub on_paths: Vec<PathStatistics>,
}

impl<'a> Follow<'a> {
    /// Resets the block and sets its registers.
    /// # Errors
    /// As [`Bench::with`].
    pub fn new(model: &'a mut dyn Model, params: Params, config: Config, prescale: u64) -> Result<Self, String> {
        let many = params.paths > 1;
        let regions = params.tells();
        let more = paths::PORTS.into_iter().filter(|_| many).chain(region::PORTS.into_iter().filter(|_| regions));
        let ports: Vec<&str> = MORE.into_iter().chain(more).collect();
        let ideal = Params { records: if regions { usize::MAX } else { params.records }, ..params };
        let bench = Bench::with(model, ideal, config, &ports)?;
        let mut follow = Self {
            bench,
            config,
            regions,
            records: params.records,
            prescale,
            lives: HashMap::new(),
            told: VecDeque::new(),
            owed: Vec::new(),
            soonest: u64::MAX,
            backlog: 0,
            work: 0,
            counts: Counts::default(),
            wire: 100,
            offered: None,
            offered_ack: None,
            ack_since: 0,
            offered_range: None,
            range_since: 0,
            rounds: VecDeque::new(),
            wire_since: 0,
            state: 1,
            blocked: false,
            now: 0,
            command: None,
            log: None,
            delivered: Some(None),
            arrivals: HashMap::new(),
            on_paths: vec![PathStatistics::default(); params.paths.into()],
        };
        if many {
            follow.path_registers();
        }
        for (name, value) in [
            ("prescale", prescale),
            ("depth", config.depth.into()),
            ("by_arrivals", u64::from(config.depth_mode == DepthMode::Arrivals)),
            ("wait_ticks", config.wait.into()),
            ("stall", config.stall.into()),
            ("stall_packets", config.stall_packets.into()),
            ("feedback_threshold", config.feedback_threshold.into()),
            ("feedback_wait", config.feedback_wait.into()),
            ("refeedback", config.refeedback.into()),
            ("range_ack", config.range_ack.into()),
            ("ack_hold", config.ack_hold.into()),
        ] {
            follow.bench.set(name, value);
        }
        Ok(follow)
    }

    fn get(&self, name: &str) -> u32 {
        self.bench.get(name) as u32
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.state >> 8) % 100 < percent
    }

    /// One clock: what the verdict was, and the message that was taken.
    /// # Errors
    /// What the model does not allow.
    pub fn step(&mut self, header: Option<Header>, command: Option<Command>) -> Result<(Seen, Option<Message>), String> {
        let clock = self.bench.clocks();
        let context = |e: String| format!("clock {clock}: {e}");
        self.time();
        self.report().map_err(context)?;
        let message = self.ffm().map_err(context)?;
        self.ack().map_err(context)?;
        self.range().map_err(context)?;
        self.count().map_err(context)?;
        self.on_path().map_err(context)?;
        let seen = self.bench.step(header, command)?;
        self.delivered = self.arrived(seen.verdict);
        if seen.command_done {
            // Nothing is owed of what it was before.
            if let Some(command) = self.command {
                self.owed.retain(|owed| owed.qp != command.qp());
            }
            match self.command.take() {
                Some(Command::Open { qp, .. }) if seen.refused => {
                    self.lives.remove(&qp);
                }
                Some(Command::Open { qp, psn }) => {
                    self.lives.insert(qp, Life { base: psn, unwrapped: psn, since: clock, ..Life::default() });
                }
                Some(Command::Close { qp }) => {
                    self.lives.remove(&qp);
                }
                None => {}
            }
        }
        if seen.command_taken {
            self.command = command;
        }
        if let Some((header, verdict)) = seen.verdict {
            self.note(clock, Told::Verdict(header, verdict));
            self.verdict(header, verdict);
            self.owes_range(header.qp, header.psn, verdict);
        }
        if let Some((qp, base)) = seen.advance
            && let Some(life) = self.lives.get_mut(&qp)
            && psn::before(life.base, base)
        {
            life.base = base;
            life.owes_ack.get_or_insert(clock);
        }
        self.events();
        // More than the queue holds is dropped.
        self.backlog = self.backlog.saturating_sub(1).min(self.longest());
        self.overdue().map_err(context)?;
        self.ranges_overdue().map_err(context)?;
        self.walks_overdue().map_err(context)?;
        Ok((seen, message))
    }

    fn note(&mut self, clock: u64, told: Told) {
        if let Some(log) = &mut self.log {
            log.push((clock, told));
        }
    }

    fn time(&mut self) {
        let now = self.bench.get("now");
        if now != self.now {
            self.now = now;
            self.bench.golden.tick(now);
        }
    }

    fn count(&mut self) -> Result<(), String> {
        let counts = &mut self.counts;
        for (name, count) in [
            ("evt_gap", &mut counts.gaps),
            ("evt_lost", &mut counts.lost),
            ("evt_repeat", &mut counts.repeats),
            ("evt_misjudged", &mut counts.misjudged),
            ("evt_folded", &mut counts.folded),
            ("evt_dropped", &mut counts.dropped),
            ("evt_rebuilt", &mut counts.rebuilt),
        ] {
            *count += self.bench.get(name);
        }
        if self.bench.get("evt_dropped") == 1 {
            let (qp, clock) = (self.get("dropped_qp"), self.bench.clocks());
            if let Some(life) = self.lives.get_mut(&qp) {
                life.behind.extend((self.bench.get("evt_falls_behind") == 1).then_some(clock));
                if life.behind.is_empty() {
                    return Err(format!("an event of queue pair {qp} is dropped, which does not lag"));
                }
            }
            self.owed.retain(|owed| owed.qp != qp);
        }
        if self.regions {
            self.gives_way()?;
        }
        if self.bench.get("evt_rebuilt") == 1 {
            self.caught_up(self.get("rebuilt_qp"), self.get("rebuilt_edge"))?;
        }
        Ok(())
    }

    /// Clocks for which the records may be behind the packets now.
    fn late(&self) -> u64 {
        BEHIND + self.backlog
    }

    fn verdict(&mut self, header: Header, verdict: Verdict) {
        let clock = self.bench.clocks();
        let (qp, number) = (header.qp, header.psn);
        let Some(window) = self.bench.golden.window(qp) else { return };
        let (base, max) = (window.base(), window.max());
        let folds = self.bench.golden.statistics(qp).map_or(0, |statistics| statistics.folded);
        let no_gap = self.bench.golden.gaps(qp).is_empty();
        let (search, keep, grouped) = (self.search(), BEHIND + self.longest(), self.grouped());
        let edge = psn::sub(window.horizon(), 1);
        let regions = self.regions;
        let Some(life) = self.lives.get_mut(&qp) else { return };
        // Without a gap the hardware has no record either, once it has come so far.
        if self.backlog == 0 && life.clean.is_some_and(|since| since + BEHIND <= clock) {
            life.folded = false;
        }
        if regions {
            life.left_region(base, clock);
        } else {
            life.folded |= folds > life.folds;
            life.folds = folds;
        }
        life.clean = if no_gap { life.clean.or(Some(clock)) } else { None };
        if verdict == Verdict::New {
            // A split or shorter gap is an event too, and the ends of one that covers more are searched then.
            let searched = life.loose() || life.is_vague(number);
            let work = match grouped {
                // A split takes two.
                true => (EVENT + 2 * search) * u64::from(psn::before(number, edge)),
                false if searched => EVENT + search,
                false => EVENT * u64::from(number != max),
            };
            (self.backlog, self.work) = (self.backlog + work, self.work + work);
            life.accepted.insert(number, clock);
            life.recent.push_back((clock, number));
            while life.recent.front().is_some_and(|&(at, _)| at + keep < clock) {
                if let Some((at, number)) = life.recent.pop_front()
                    && life.accepted.get(&number) == Some(&at)
                {
                    life.accepted.remove(&number);
                }
            }
            if psn::before(life.base, base) && psn::before(number, base) {
                life.base = base;
                life.owes_ack.get_or_insert(clock);
            }
        } else if verdict == Verdict::Duplicate && psn::before(number, base) {
            life.owes_ack = Some(clock);
        }
    }

    /// What the model says of gaps.
    fn events(&mut self) {
        let clock = self.bench.clocks();
        let slow = self.slow();
        let work = EVENT + self.search() * u64::from(self.grouped());
        for event in self.bench.golden.take_events() {
            (self.backlog, self.work) = (self.backlog + work, self.work + work);
            if event.state != Some(GapState::Lost) {
                continue;
            }
            let gaps = self.bench.golden.gaps(event.qp);
            let Some(gap) = gaps.iter().find(|gap| gap.start == event.start) else { continue };
            // One that covers packets that have come is not told before all the paths between its ends have delivered.
            if gap.cause == Cause::Overtaken && self.lives.get(&event.qp).is_some_and(|life| life.folded) {
                continue;
            }
            let Some(life) = self.lives.get(&event.qp).filter(|life| life.behind.is_empty()) else { continue };
            // That a path is not active any more is seen by the scan.
            let at_once = gap.cause == Cause::Depth && self.config.feedback_threshold <= 1 && !self.has_tags(event.qp);
            let until = match life.is_vague(gap.start) {
                true => slow + self.anew(),
                false if at_once => PROMPT,
                false => slow,
            };
            let until = clock + self.backlog + 12 + until;
            self.soonest = self.soonest.min(until);
            self.owed.push(Owed { qp: event.qp, start: gap.start, end: gap.end, until, work: self.work });
        }
    }

    fn overdue(&mut self) -> Result<(), String> {
        let clock = self.bench.clocks();
        // A gap that gets too deep before its record is there is looked at again, behind what has come since.
        let (work, longest) = (self.work, self.longest());
        let late = |owed: &Owed| owed.until + (work - owed.work).min(longest) < clock;
        if self.blocked || clock <= self.soonest {
            return Ok(());
        }
        if !self.owed.iter().any(late) {
            self.soonest = self.owed.iter().map(|owed| owed.until).min().map_or(u64::MAX, |until| until.max(clock + 16));
            return Ok(());
        }
        let (golden, lives) = (&self.bench.golden, &self.lives);
        self.owed.retain(|owed| {
            // Which record covers more differs once it has lagged: another may be lost again.
            if lives.get(&owed.qp).is_none_or(|life| life.folded && life.rebuilt > 0) {
                return false;
            }
            let still = |gap: &Gap| {
                // Split before the hardware came to it, only the part at the base has stalled.
                let stalls = gap.cause != Cause::Stall || golden.window(owed.qp).is_some_and(|window| window.base() == gap.start);
                gap.state == GapState::Lost
                    && stalls
                    && (gap.holds(owed.start) || psn::ahead(owed.start, gap.start) <= psn::ahead(owed.start, owed.end))
            };
            golden.gaps(owed.qp).iter().any(still)
        });
        match self.owed.iter().find(|owed| late(owed)) {
            Some(owed) => Err(format!("{owed:x?} has not been told; the model has {:x?}", golden.gaps(owed.qp))),
            None => Ok(()),
        }
    }
}

impl Follow<'_> {
    /// `clocks` clocks without a header: the messages.
    /// # Errors
    /// As [`Follow::step`].
    pub fn idle(&mut self, clocks: u64) -> Result<Vec<Message>, String> {
        let mut messages = Vec::new();
        for _ in 0..clocks {
            messages.extend(self.step(None, None)?.1);
        }
        Ok(messages)
    }

    /// Carries a command out.
    /// # Errors
    /// It takes longer than it may.
    pub fn run(&mut self, command: Command) -> Result<(), String> {
        let mut offer = Some(command);
        for _ in 0..2000 + 2 * self.bench.golden.params().segments() {
            let (seen, _) = self.step(None, offer)?;
            if seen.command_taken {
                offer = None;
            }
            if seen.command_done && offer.is_none() {
                return Ok(());
            }
        }
        Err(format!("{command:?} is not carried out"))
    }

    /// Waits until every gap is old enough to be told, and everything has been told and acknowledged.
    /// # Errors
    /// A gap or an acknowledgement is missing.
    pub fn settle(&mut self, prescale: u64) -> Result<(), String> {
        (self.wire, self.wire_since) = (100, self.bench.clocks());
        self.settle_ranges()?;
        let queue_pairs = self.bench.golden.params().queue_pairs as u64;
        let ticks = u64::from(self.config.wait) * self.relaxed() + u64::from(self.config.feedback_wait.max(self.config.ack_hold)) + 4;
        self.idle(ticks * prescale + 800 * queue_pairs + 4000)?;
        let clock = self.bench.clocks();
        if let Some(left) = self.told.front().filter(|left| left.made + 60 < clock) {
            return Err(format!("{left:x?} was told and has not come out"));
        }
        for qp in self.bench.golden.open_queue_pairs().collect::<Vec<_>>() {
            let Some(window) = self.bench.golden.window(qp) else { continue };
            // What lies behind the last group that is complete is not known to be missing.
            let (base, max) = (window.base(), psn::sub(window.horizon(), 1));
            let Some(life) = self.lives.get(&qp) else { continue };
            if let Some(since) = life.behind.front() {
                return Err(format!("queue pair {qp} lags since clock {since}"));
            }
            // Records that were folded are not those of the model: what is missing is looked for below.
            let untold = |gap: &&Gap| gap.state != GapState::Reported && !life.folded;
            if let Some(gap) = self.bench.golden.gaps(qp).iter().find(untold) {
                return Err(format!("{gap:x?} of queue pair {qp} has never been told"));
            }
            if psn::before(base, max) {
                let covered = |number: &u32| life.ranges.iter().any(|&(start, end)| psn::ahead(start, *number) <= psn::ahead(start, end));
                if let Some(number) = window.missing(base, max).find(|number| !covered(number)) {
                    return Err(format!("{number:#x} of queue pair {qp} is missing, and was never told; base {base:#x}, max {max:#x}"));
                }
            }
            if let Some(since) = life.owes_ack {
                return Err(format!("queue pair {qp} owes an acknowledgement since clock {since}; base {base:#x}, last {:x?}", life.acked));
            }
        }
        Ok(())
    }
}
