//! `ReceiveBitmap` beside the golden receiver: what depends on the order of packets is equal; a feedback message may come from the moment on at which its gap
//! is lost for the model, which takes the hardware's moment over, and is missed when it does not come in time.

use super::{Bench, Command, Header, Seen};
use rdma_rtl_golden::bitmap::{Cause, Config, DepthMode, Gap, GapState, Params, Verdict, psn};
use rdma_rtl_sim::Model;
use std::collections::{HashMap, VecDeque};

/// Clocks for which the records may be behind the packets: a full queue of events, 4 clocks each, and what is in the engine.
const BEHIND: u64 = 64 * 4 + 64;

/// Clocks, beyond those of the events before it, from a verdict to the message that it causes: 32 from its header.
const PROMPT: u64 = 32 - super::LATENCY;

const MORE: [&str; 38] = [
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
    "evt_gap",
    "evt_report",
    "evt_repeat",
    "told_qp",
    "told_start",
    "told_end",
    "evt_misjudged",
    "evt_folded",
    "evt_dropped",
    "evt_rebuilt",
    "verdict_base",
    "verdict_max",
];

/// A feedback message as it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub qp: u32,
    pub start: u32,
    pub length: u32,
    pub edge: u32,
    pub base: u32,
    pub timestamp: u32,
    pub status: u32,
    pub depth: u32,
    pub repeat: u32,
    pub misjudged: u32,
    /// clock in which it was made
    pub made: u64,
}

/// Events of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub gaps: u64,
    pub reports: u64,
    pub repeats: u64,
    pub misjudged: u64,
    pub folded: u64,
    pub dropped: u64,
    pub rebuilt: u64,
    pub acks: u64,
    pub causes: [u64; 5],
}

/// What is known of a queue pair besides the model.
#[derive(Clone, Debug, Default)]
struct Life {
    /// clock of each packet that was accepted not long ago
    accepted: HashMap<u32, u64>,
    recent: VecDeque<(u64, u32)>,
    /// its records were not always those of the model: a record was missing, or it lagged
    loose: bool,
    /// since when an acknowledgement is owed, and the last one
    owes_ack: Option<u64>,
    acked: Option<u32>,
    base: u32,
    since: u64,
    ranges: Vec<(u32, u32)>,
}

/// A gap that is lost and is to be told until a clock.
#[derive(Clone, Copy, Debug)]
struct Owed {
    qp: u32,
    start: u32,
    end: u32,
    until: u64,
}

/// Bench, lives, what is owed.
pub struct Follow<'a> {
    pub bench: Bench<'a>,
    config: Config,
    lives: HashMap<u32, Life>,
    told: VecDeque<(u64, u32, u32, u32)>,
    owed: Vec<Owed>,
    /// clocks that the events before will take
    backlog: u64,
    pub counts: Counts,
    /// of 100 clocks, those in which the wire takes a message
    pub wire: u32,
    offered: Option<Vec<u64>>,
    offered_ack: Option<(u64, u64)>,
    ack_since: u64,
    state: u32,
    /// a message was not taken at once: nothing is prompt any more
    blocked: bool,
    pub lagging: bool,
    now: u64,
    command: Option<Command>,
}

impl<'a> Follow<'a> {
    /// Resets the block and sets its registers.
    /// # Errors
    /// As [`Bench::with`].
    pub fn new(model: &'a mut dyn Model, params: Params, config: Config, prescale: u64) -> Result<Self, String> {
        let bench = Bench::with(model, params, config, &MORE)?;
        let mut follow = Self {
            bench,
            config,
            lives: HashMap::new(),
            told: VecDeque::new(),
            owed: Vec::new(),
            backlog: 0,
            counts: Counts::default(),
            wire: 100,
            offered: None,
            offered_ack: None,
            ack_since: 0,
            state: 1,
            blocked: false,
            lagging: false,
            now: 0,
            command: None,
        };
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
        self.count();
        let seen = self.bench.step(header, command)?;
        if seen.command_done {
            match self.command.take() {
                Some(Command::Open { qp, psn }) => {
                    self.lives.insert(qp, Life { base: psn, since: clock, loose: self.lagging, ..Life::default() });
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
            self.verdict(header, verdict);
        }
        if let Some((qp, base)) = seen.advance
            && let Some(life) = self.lives.get_mut(&qp)
            && psn::before(life.base, base)
        {
            life.base = base;
            life.owes_ack.get_or_insert(clock);
        }
        self.events();
        self.backlog = self.backlog.saturating_sub(1);
        self.overdue().map_err(context)?;
        Ok((seen, message))
    }

    fn time(&mut self) {
        let now = self.bench.get("now");
        if now != self.now {
            self.now = now;
            self.bench.golden.tick(now);
        }
    }

    fn count(&mut self) {
        let counts = &mut self.counts;
        for (name, count) in [
            ("evt_gap", &mut counts.gaps),
            ("evt_repeat", &mut counts.repeats),
            ("evt_misjudged", &mut counts.misjudged),
            ("evt_folded", &mut counts.folded),
            ("evt_dropped", &mut counts.dropped),
            ("evt_rebuilt", &mut counts.rebuilt),
        ] {
            *count += self.bench.get(name);
        }
        if self.bench.get("evt_dropped") == 1 {
            // Not known of which queue pair.
            self.lives.values_mut().for_each(|life| life.loose = true);
            self.blocked = true;
            self.lagging = true;
        }
    }

    fn verdict(&mut self, header: Header, verdict: Verdict) {
        let clock = self.bench.clocks();
        let (qp, number) = (header.qp, header.psn);
        let Some(window) = self.bench.golden.window(qp) else { return };
        let (base, max) = (window.base(), window.max());
        let folded = self.bench.golden.statistics(qp).is_some_and(|statistics| statistics.folded > 0);
        let Some(life) = self.lives.get_mut(&qp) else { return };
        life.loose |= folded;
        if verdict == Verdict::New {
            // A split or shorter gap is an event too.
            self.backlog += 4 * u64::from(number != max);
            life.accepted.insert(number, clock);
            life.recent.push_back((clock, number));
            while life.recent.front().is_some_and(|&(at, _)| at + 2 * BEHIND < clock) {
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
        let slow = 16 * self.bench.golden.params().queue_pairs as u64 + 600;
        for event in self.bench.golden.take_events() {
            self.backlog += 4;
            if event.state != Some(GapState::Lost) {
                continue;
            }
            let gaps = self.bench.golden.gaps(event.qp);
            let Some(gap) = gaps.iter().find(|gap| gap.start == event.start) else { continue };
            let at_once = gap.cause == Cause::Depth && self.config.feedback_threshold <= 1;
            let late = u64::from(self.config.feedback_threshold > 1) * 1_000_000;
            // The scan may have found as much to do.
            let until = clock + 2 * self.backlog + 12 + late + if at_once { PROMPT } else { slow };
            self.owed.push(Owed { qp: event.qp, start: gap.start, end: gap.end, until });
        }
    }

    fn overdue(&mut self) -> Result<(), String> {
        let clock = self.bench.clocks();
        if self.blocked || self.owed.iter().all(|owed| owed.until >= clock) {
            return Ok(());
        }
        let golden = &self.bench.golden;
        self.owed.retain(|owed| {
            let still = |gap: &Gap| {
                gap.state == GapState::Lost
                    && (gap.holds(owed.start) || psn::ahead(owed.start, gap.start) <= psn::ahead(owed.start, owed.end))
            };
            golden.gaps(owed.qp).iter().any(still)
        });
        match self.owed.iter().find(|owed| owed.until < clock) {
            Some(owed) => Err(format!("{owed:x?} has not been told; the model has {:x?}", golden.gaps(owed.qp))),
            None => Ok(()),
        }
    }

    /// The hardware tells of a gap.
    fn report(&mut self) -> Result<(), String> {
        if self.bench.get("evt_report") == 0 {
            return Ok(());
        }
        let (clock, now) = (self.bench.clocks(), self.now);
        let [qp, start, end] = ["told_qp", "told_start", "told_end"].map(|name| self.get(name));
        let again = self.bench.get("evt_repeat") == 1;
        self.told.push_back((clock, qp, start, end));
        self.counts.reports += 1;
        self.owed.retain(|owed| {
            owed.qp != qp
                || psn::ahead(start, owed.start) > psn::ahead(start, end)
                    && psn::ahead(owed.start, start) > psn::ahead(owed.start, owed.end)
        });
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        let (base, max) = (window.base(), window.max());
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        life.ranges.retain(|&(_, end)| !psn::before(end, base));
        life.ranges.push((start, end));
        let error = |why: &str| Err(format!("queue pair {qp} tells of {start:#x} to {end:#x}, {why}"));
        // An end may have arrived not long ago; nothing behind it is known.
        for number in [start, end] {
            let arrived = !psn::before(max, number) && window.has(number);
            if arrived && life.accepted.get(&number).is_none_or(|at| at + BEHIND < clock) && !life.loose {
                return error(&format!("{number:#x} arrived long ago; base {base:#x}"));
            }
        }
        if psn::ahead(start, end) >= self.bench.golden.params().bits || psn::before(max, end) {
            return error(&format!("which is more than there is up to {max:#x}"));
        }
        let were = self.bench.golden.adopt(qp, start, end);
        if life.loose {
            return Ok(());
        }
        for gap in &were {
            let due = match gap.state {
                // By the number of a packet that came behind the gap's first one, which waits in the queue.
                GapState::Waiting => life.accepted.get(&start).is_some_and(|at| at + BEHIND >= clock),
                GapState::Lost => !again,
                // The hardware has the tick of two clocks before.
                GapState::Reported => again && now + 1 - gap.reported_at > u64::from(self.config.refeedback),
            };
            if !due {
                return error(&format!("again {again}, now {now:#x}; the model had {gap:x?}"));
            }
            if psn::before(gap.start, start) || psn::before(end, gap.end) {
                return error(&format!("which is part of {gap:x?}"));
            }
        }
        Ok(())
    }

    /// The stream of feedback messages.
    fn ffm(&mut self) -> Result<Option<Message>, String> {
        let ready = {
            let wire = self.wire;
            self.chance(wire)
        };
        self.bench.set("ffm_ready", ready.into());
        if self.bench.get("ffm_valid") == 0 {
            return if self.offered.take().is_some() { Err("a message that was offered is gone".into()) } else { Ok(None) };
        }
        let names = [
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
        ];
        let values: Vec<u64> = names.iter().map(|name| self.bench.get(name)).collect();
        if self.offered.take().is_some_and(|offered| offered != values) {
            return Err("a message that was offered has changed".into());
        }
        if !ready {
            self.offered = Some(values);
            self.blocked = true;
            return Ok(None);
        }
        let v = |at: usize| values[at] as u32;
        let Some((made, qp, start, end)) = self.told.pop_front() else { return Err("a message about nothing".into()) };
        let message = Message {
            qp: v(0),
            start: v(1),
            length: v(2),
            edge: v(3),
            base: v(4),
            timestamp: v(5),
            status: v(6),
            depth: v(7),
            repeat: v(8),
            misjudged: v(9),
            made,
        };
        self.counts.causes[message.status as usize % 5] += 1;
        if (message.qp, message.start, message.length) != (qp, start, psn::ahead(start, end) + 1) {
            return Err(format!("{message:x?}, but told was {start:#x} to {end:#x} of {qp}"));
        }
        self.fields(&message)?;
        Ok(Some(message))
    }

    /// What a message says besides its range.
    fn fields(&self, message: &Message) -> Result<(), String> {
        let error = |why: String| Err(format!("{message:x?}: {why}"));
        let Message { qp, start, edge, base, status, depth, repeat, .. } = *message;
        if !(message.timestamp as u64..=message.timestamp as u64 + 100_000).contains(&self.now) {
            return error(format!("it is {:#x} now", self.now));
        }
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        if self.blocked || self.lives.get(&qp).is_none_or(|life| life.since > message.made) {
            return Ok(());
        }
        if psn::before(window.max(), edge) {
            return error(format!("the highest number is {:#x}", window.max()));
        }
        let loose = self.lives.get(&qp).is_none_or(|life| life.loose);
        if psn::before(window.base(), base) || !loose && psn::before(start, base) {
            return error(format!("the base is {:#x}", window.base()));
        }
        let by_distance = self.config.depth_mode == DepthMode::Distance;
        if by_distance && depth != psn::ahead(start, edge).min(0xffff) {
            return error("depth of another gap".into());
        }
        if status == Cause::Depth as u32 && depth <= self.config.depth && !loose {
            return error("it is not that deep".into());
        }
        if (status == Cause::Repeated as u32) != (repeat > 0) && !loose && status == Cause::Repeated as u32 {
            return error("repeated for the first time".into());
        }
        if let Some(gap) = self.bench.golden.gaps(qp).iter().find(|gap| gap.start == start)
            && !loose
        {
            if u32::from(gap.repeat) != repeat {
                return error(format!("repeat is not that of {gap:x?}"));
            }
            let open = self.now - gap.first_seen;
            if status == Cause::Age as u32 && open <= u64::from(self.config.wait) {
                return error(format!("{gap:x?} has been open for {open}"));
            }
        }
        Ok(())
    }

    /// The stream of acknowledgements.
    fn ack(&mut self) -> Result<(), String> {
        let ready = {
            let wire = self.wire;
            self.chance(wire)
        };
        self.bench.set("ack_ready", ready.into());
        let clock = self.bench.clocks();
        if self.bench.get("ack_valid") == 0 {
            return if self.offered_ack.take().is_some() { Err("an acknowledgement that was offered is gone".into()) } else { Ok(()) };
        }
        let ack = (self.bench.get("ack_qp"), self.bench.get("ack_psn"));
        match self.offered_ack.take() {
            Some(offered) if offered != ack => return Err("an acknowledgement that was offered has changed".into()),
            Some(_) => {}
            None => self.ack_since = clock,
        }
        if !ready {
            self.offered_ack = Some(ack);
            return Ok(());
        }
        self.counts.acks += 1;
        let (qp, number, since) = (ack.0 as u32, ack.1 as u32, self.ack_since);
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        let base = window.base();
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        // Of an old life: its base was read just before the new one was written.
        if since < life.since + 5 {
            return Ok(());
        }
        let next = psn::add(number, 1);
        if psn::before(base, next) {
            return Err(format!("{number:#x} of queue pair {qp} is acknowledged, but {base:#x} is missing"));
        }
        if life.acked.is_some_and(|last| psn::before(number, last)) {
            return Err(format!("{number:#x} of queue pair {qp} is acknowledged after {:#x}", life.acked.unwrap_or_default()));
        }
        life.acked = Some(number);
        if life.owes_ack.is_some_and(|owed| owed + 3 <= since) && next == base {
            life.owes_ack = None;
        }
        Ok(())
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
        self.wire = 100;
        let queue_pairs = self.bench.golden.params().queue_pairs as u64;
        let ticks = u64::from(self.config.wait) + u64::from(self.config.feedback_wait) + 4;
        self.idle(ticks * prescale + 800 * queue_pairs + 4000)?;
        let clock = self.bench.clocks();
        if let Some(left) = self.told.front().filter(|left| left.0 + 60 < clock) {
            return Err(format!("{left:x?} was told and has not come out"));
        }
        for qp in self.bench.golden.open_queue_pairs().collect::<Vec<_>>() {
            let Some(window) = self.bench.golden.window(qp) else { continue };
            let (base, max) = (window.base(), window.max());
            let Some(life) = self.lives.get(&qp) else { continue };
            // Records that were folded or read anew are not those of the model: what is missing is looked for below.
            let untold = |gap: &&Gap| gap.state != GapState::Reported && !life.loose;
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
