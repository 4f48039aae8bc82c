//! `BitmapPipeline` beside the golden receiver: every verdict 9 clocks after its header, every base and highest number; commands in
//! between.

pub mod crossing;
pub mod deep;
pub mod directed;
pub mod follow;
pub mod grouped;
pub mod held;
pub mod mixture;
pub mod pooled;
pub mod ranged;
pub mod region;
pub mod registers;
pub mod replay;
pub mod requests;
pub mod situations;
pub mod soft_roce;

use pooled::Pool;
use rdma_rtl_golden::bitmap::{Config, Params, PathMode, Receiver, Verdict, psn};
use rdma_rtl_sim::{Direction, Model};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Clocks from a header to its verdict.
pub const LATENCY: u64 = 9;

/// Clocks for which a base may be older than the packets that have had their verdicts, while no window moves over segments.
const BASE_AGE: u64 = 9;

/// One header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub qp: u32,
    pub psn: u32,
    pub path: u8,
    pub retransmission: bool,
}

/// Opens at a number, or closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Open { qp: u32, psn: u32 },
    Close { qp: u32 },
}

impl Command {
    pub fn qp(self) -> u32 {
        match self {
            Command::Open { qp, .. } | Command::Close { qp } => qp,
        }
    }
}

/// What one clock brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub verdict: Option<(Header, Verdict)>,
    /// queue pair and base
    pub advance: Option<(u32, u32)>,
    pub command_taken: bool,
    pub command_done: bool,
    /// ... and there was no segment to open it with
    pub refused: bool,
}

/// What is under way, in the order in which it counts.
#[derive(Clone, Copy, Debug)]
enum Event {
    Header(Header),
    Open(u32, u32),
    Close(u32),
    Edge(u32, u32),
}

/// The pipeline, the model, and the clock.
pub struct Bench<'a> {
    model: &'a mut dyn Model,
    ports: HashMap<&'static str, usize>,
    pub golden: Receiver,
    events: VecDeque<(u64, Event)>,
    command: Option<Command>,
    /// how the paths of a queue pair's packets are known: those of queue pair `k` as the `k`th, in turn
    pub modes: Vec<PathMode>,
    /// bases that the model had, with the clock from which on
    history: BTreeMap<u32, VecDeque<(u64, u32)>>,
    /// the highest base told of each queue pair
    reached: BTreeMap<u32, VecDeque<(u64, u32)>>,
    clocks: u64,
    pub verdicts: [u64; 4],
    pub advances: u64,
    /// the longest time for which a base was behind
    pub oldest: u64,
    /// what is known of groups is told
    groups: bool,
    /// windows of variable length
    pub pool: Option<Pool>,
}

const INPUTS: [&str; 10] = [
    "rst",
    "header_valid",
    "header_qp",
    "header_psn",
    "header_path",
    "header_retransmission",
    "command_valid",
    "command_open",
    "command_qp",
    "command_psn",
];

const OUTPUTS: [&str; 14] = [
    "ready",
    "command_ready",
    "command_done",
    "verdict_valid",
    "verdict_code",
    "verdict_qp",
    "verdict_psn",
    "verdict_path",
    "verdict_retransmission",
    "verdict_base",
    "verdict_max",
    "advance_valid",
    "advance_qp",
    "advance_base",
];

/// Ports of a pipeline with groups.
const GROUPS: [&str; 3] = ["verdict_complete", "verdict_edge", "verdict_prior"];

fn verdict(code: u64) -> Verdict {
    [Verdict::New, Verdict::Duplicate, Verdict::OutOfWindow, Verdict::UnknownQp][code as usize & 3]
}

impl<'a> Bench<'a> {
    /// Resets the pipeline and waits until it is ready.
    /// # Errors
    /// It is not, after as many clocks as it has queue pairs.
    pub fn new(model: &'a mut dyn Model, params: Params) -> Result<Self, String> {
        Self::with(model, params, Config { range_ack: false, ..Config::defaults(1) }, &[])
    }

    /// As [`Bench::new`], for a design with more ports: `more`, which [`Bench::set`] and [`Bench::get`] then know.
    /// # Errors
    /// As [`Bench::new`]; a configuration that is not possible.
    pub fn with(model: &'a mut dyn Model, params: Params, config: Config, more: &[&'static str]) -> Result<Self, String> {
        let groups = model.port(GROUPS[0]).is_some();
        let ports =
            INPUTS.into_iter().chain(OUTPUTS).chain(GROUPS.into_iter().filter(|_| groups)).chain(more.iter().copied()).map(|name| {
                let port = model.port(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"));
                (name, port)
            });
        let mut ports: HashMap<&str, usize> = ports.collect();
        let pool = Pool::of(model, &params, &mut ports);
        for port in (0..model.ports().len()).filter(|&port| model.ports()[port].direction == Direction::Input).collect::<Vec<_>>() {
            model.poke_u64(port, 0);
        }
        // Windows of variable length have no other steps than segments, which the hardware tells. Which segments are left is the hardware's
        // to say.
        let every = Params { pool: params.queue_pairs as u32 * params.segments(), ..params };
        let steps = model.port("slide_step");
        let slide_step = if steps.is_some() { config.slide_step.max(params.granularity) } else { params.granularity };
        let golden = Receiver::new(every, Config { slide_step, ..config })?;
        if let Some(port) = steps {
            model.poke_u64(port, slide_step.into());
        }
        let mut bench = Self {
            model,
            ports,
            golden,
            events: VecDeque::new(),
            command: None,
            modes: vec![PathMode::Off],
            history: BTreeMap::new(),
            reached: BTreeMap::new(),
            clocks: 0,
            verdicts: [0; 4],
            advances: 0,
            oldest: 0,
            groups,
            pool,
        };
        bench.set("rst", 1);
        bench.model.clock();
        bench.set("rst", 0);
        let words = bench.pool.as_ref().map_or(0, |pool| pool.segments).max(params.queue_pairs.max(2) as u64);
        for clock in 0..words + 4 {
            bench.model.eval();
            if (bench.get("ready") == 1) != (clock >= words) {
                return Err(format!("`ready` is {} after {clock} clocks, {words} are to be cleared", bench.get("ready")));
            }
            bench.model.clock();
        }
        Ok(bench)
    }

    /// Drives an input.
    pub fn set(&mut self, name: &str, value: u64) {
        self.model.poke_u64(self.ports[name], value);
    }

    /// An output, as it was before the last clock edge while nothing is evaluated since.
    pub fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.ports[name])
    }

    /// The same of a wide one, as words from the low bits on.
    pub fn words(&self, name: &str) -> Vec<u32> {
        let port = self.ports[name];
        let mut words = vec![0; self.model.ports()[port].width.div_ceil(32)];
        self.model.peek(port, &mut words);
        words
    }

    fn mode(&self, qp: u32) -> PathMode {
        self.modes[qp as usize % self.modes.len()]
    }

    /// Clocks since the pipeline was ready.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// A command is under way or waits.
    pub fn busy(&self) -> bool {
        self.command.is_some()
    }

    /// One clock. A command is offered until it is taken.
    /// # Errors
    /// What the model does not allow.
    pub fn step(&mut self, header: Option<Header>, command: Option<Command>) -> Result<Seen, String> {
        self.set("header_valid", header.is_some().into());
        if let Some(Header { qp, psn, path, retransmission }) = header {
            self.set("header_qp", qp.into());
            self.set("header_psn", psn.into());
            self.set("header_path", path.into());
            self.set("header_retransmission", retransmission.into());
        }
        self.set("command_valid", command.is_some().into());
        if let Some(command) = command {
            self.set("command_open", matches!(command, Command::Open { .. }).into());
            self.set("command_qp", command.qp().into());
            if self.golden.params().paths > 1 {
                self.set("command_path_mode", self.mode(command.qp()) as u64);
            }
            self.set("command_psn", if let Command::Open { psn, .. } = command { psn.into() } else { 0 });
        }
        self.model.eval();
        let seen = self.look(header, command);
        if let Some(reason) = self.model.failure() {
            return Err(reason.to_string());
        }
        let seen = seen.map_err(|e| format!("clock {}: {e}; verdicts so far {:?}", self.clocks, self.verdicts))?;
        self.model.clock();
        self.clocks += 1;
        Ok(seen)
    }

    fn look(&mut self, header: Option<Header>, command: Option<Command>) -> Result<Seen, String> {
        let now = self.clocks;
        let mut seen = Seen::default();
        // An edge counts for a header of the same clock.
        self.edge()?;
        // An open queue pair is open for a header of the same clock.
        if self.get("command_done") == 1 {
            seen.command_done = true;
            seen.refused = self.refused()?;
            match self.command.take() {
                Some(Command::Open { .. }) if seen.refused => {}
                Some(Command::Open { qp, psn }) => self.events.push_back((now, Event::Open(qp, psn))),
                Some(Command::Close { .. }) => {}
                None => return Err("`command_done` without a command".into()),
            }
        }
        self.events.extend(header.map(|header| (now, Event::Header(header))));
        if let Some(command) = command
            && self.get("command_ready") == 1
        {
            if let Some(other) = self.command {
                return Err(format!("{command:?} is taken while {other:?} is under way"));
            }
            seen.command_taken = true;
            self.command = Some(command);
            self.events.push_back((now, Event::Close(command.qp())));
        }
        let mut due = false;
        while let Some(&(_, event)) = self.events.front().filter(|(at, _)| at + LATENCY <= now) {
            self.events.pop_front();
            match event {
                Event::Header(header) => {
                    due = true;
                    if self.get("verdict_valid") == 0 {
                        return Err(format!("no verdict {LATENCY} clocks after {header:x?}"));
                    }
                    seen.verdict = Some((header, self.verdict(header)?));
                }
                Event::Edge(qp, segment) => self.ends_at(qp, segment),
                Event::Close(qp) => {
                    self.golden.close(qp);
                    self.history.remove(&qp);
                    self.reached.remove(&qp);
                }
                Event::Open(qp, psn) => {
                    self.golden.open(qp, psn, self.mode(qp));
                    self.ends(qp);
                    self.history.insert(qp, VecDeque::from([(now, psn)]));
                    self.reached.insert(qp, VecDeque::from([(now, psn)]));
                }
            }
        }
        if !due && self.get("verdict_valid") == 1 {
            return Err(format!("a verdict, but {LATENCY} clocks ago there was no header"));
        }
        if self.get("advance_valid") == 1 {
            let (qp, base) = (self.get("advance_qp") as u32, self.get("advance_base") as u32);
            self.advances += 1;
            seen.advance = Some((qp, base));
            // One that was closed just now may still be told.
            if self.golden.is_open(qp) {
                self.base(qp, base, "advance_base")?;
            }
        }
        Ok(seen)
    }

    fn verdict(&mut self, header: Header) -> Result<Verdict, String> {
        let found = Header {
            qp: self.get("verdict_qp") as u32,
            psn: self.get("verdict_psn") as u32,
            path: self.get("verdict_path") as u8,
            retransmission: self.get("verdict_retransmission") == 1,
        };
        if found != header {
            return Err(format!("a verdict on {found:x?}, expected one on {header:x?}"));
        }
        let code = verdict(self.get("verdict_code"));
        let (base, max) = (self.get("verdict_base") as u32, self.get("verdict_max") as u32);
        let Header { qp, psn, path, retransmission } = header;
        // A packet may be refused for a window that is on its way; what it had reached then is checked below.
        let start = match code {
            Verdict::OutOfWindow if self.pool.is_none() => self.start(qp, base),
            _ => self.golden.window(qp).map_or(0, |window| window.start()),
        };
        let prior = self.golden.window(qp).map_or(0, |window| psn::sub(window.horizon(), 1));
        let expected = self.golden.arrive_within(qp, psn, path, retransmission, start);
        self.verdicts[code as usize] += 1;
        let context = || format!("{header:x?} with base {base:#x}, max {max:#x}; the model has {expected:x?}");
        if code != expected.verdict {
            return Err(format!("verdict {code:?} on {}", context()));
        }
        if code == Verdict::UnknownQp {
            return Ok(code);
        }
        if max != expected.max {
            return Err(format!("highest number of {}", context()));
        }
        if self.groups {
            self.group(header, code, prior)?;
        }
        let history = self.history.get_mut(&qp).ok_or("no history of an open queue pair")?;
        if history.back().is_none_or(|&(_, last)| last != expected.base) {
            history.push_back((self.clocks, expected.base));
        }
        self.base(qp, base, "verdict_base")?;
        Ok(code)
    }

    /// First packet of a window whose base is `base`.
    fn start(&self, qp: u32, base: u32) -> u32 {
        let ahead = self.golden.window(qp).map_or(0, |window| psn::ahead(window.start(), base));
        psn::sub(base, ahead % self.golden.config().slide_step)
    }

    /// What was told of the packet's group, and of the last one that is complete, `prior` before the packet.
    fn group(&self, header: Header, code: Verdict, prior: u32) -> Result<(), String> {
        let Some(window) = self.golden.window(header.qp) else { return Ok(()) };
        let expected = [(code == Verdict::New && window.complete(header.psn)).into(), psn::sub(window.horizon(), 1), prior];
        let mut told = GROUPS.map(|name| self.get(name) as u32);
        // Of others it does not matter.
        told[0] &= u32::from(code == Verdict::New);
        if told == expected { Ok(()) } else { Err(format!("{header:x?}: {GROUPS:?} are {told:x?}, the model has {expected:x?}")) }
    }

    /// A base was told: the model must have come as far, and it must not fall behind what was told before.
    fn base(&mut self, qp: u32, base: u32, port: &str) -> Result<(), String> {
        let now = self.clocks;
        let truth = self.golden.window(qp).map_or(base, |window| window.base());
        let error = |why: &str| Err(format!("`{port}` of queue pair {qp} is {base:#x}, {why}; the model has {truth:#x}"));
        if psn::before(truth, base) {
            return error("a packet before it is missing");
        }
        let reached = self.reached.entry(qp).or_default();
        while reached.len() > 1 && reached[1].0 + BASE_AGE <= now {
            reached.pop_front();
        }
        if reached.front().is_some_and(|&(since, told)| since + BASE_AGE <= now && psn::before(base, told)) {
            return error("less than was told long ago");
        }
        if reached.back().is_none_or(|&(_, told)| psn::before(told, base)) {
            reached.push_back((now, base));
        }
        // How long the model has been beyond it.
        let history = self.history.entry(qp).or_default();
        while history.len() > 1 && !psn::before(base, history[1].1) {
            history.pop_front();
        }
        if let Some(&(since, _)) = history.get(1) {
            self.oldest = self.oldest.max(now - since);
        }
        Ok(())
    }

    /// `clocks` clocks without a header.
    /// # Errors
    /// As [`Bench::step`].
    pub fn idle(&mut self, clocks: u64) -> Result<Vec<Seen>, String> {
        (0..clocks).map(|_| self.step(None, None)).collect()
    }

    /// Carries a command out, without headers meanwhile.
    /// # Errors
    /// It takes longer than it may.
    pub fn run(&mut self, command: Command) -> Result<(), String> {
        let mut offer = Some(command);
        for _ in 0..100 + 2 * self.golden.params().segments() + self.pool.as_ref().map_or(0, |pool| pool.longest_command) {
            let seen = self.step(None, offer)?;
            if seen.command_taken {
                offer = None;
            }
            if seen.command_done && offer.is_none() {
                return Ok(());
            }
        }
        Err(format!("{command:?} is not carried out"))
    }

    /// A packet from far below, of every queue pair that is open: it moves nothing, and base and highest number must be those of the model
    /// now.
    /// # Errors
    /// A base has stayed behind.
    pub fn settle(&mut self) -> Result<(), String> {
        let clocks = 64 + 40 * self.golden.params().queue_pairs as u64 + 4 * u64::from(self.golden.params().segments());
        self.idle(clocks)?;
        for qp in self.golden.open_queue_pairs().collect::<Vec<_>>() {
            let Some(truth) = self.golden.window(qp).map(|window| window.base()) else { continue };
            self.idle(LATENCY)?;
            self.step(Some(Header { qp, psn: psn::sub(truth, 1 + self.golden.params().bits), ..Header::default() }), None)?;
            self.idle(LATENCY - 1)?;
            self.model.eval();
            let told = self.get("verdict_base") as u32;
            if told != truth {
                return Err(format!("the base of queue pair {qp} has stayed at {told:#x}, the model has {truth:#x}"));
            }
        }
        self.settled()
    }
}
