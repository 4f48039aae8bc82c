//! `SendBitmap` beside the golden sender: every number, every refusal, every operation and what it made of the queue pair; moments that the
//! hardware chooses are checked for being neither too early nor too late, and adopted.

pub mod mixture;
mod operations;
pub mod situations;

use operations::Watch;
use rdma_rtl_golden::bitmap::Sender;
use rdma_rtl_golden::bitmap::sender::{Bucket, Config, Mode, Refusal};
use rdma_rtl_sim::{Direction, Model};
use std::collections::{HashMap, VecDeque};

/// Clocks from a request to its answer.
pub const LATENCY: u64 = 2;

/// Clocks by which a tick that the block works with may be older than that of its input when an operation is told.
const TICK_AGE: u64 = 3;

/// Static parameters of the block.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub queue_pairs: u32,
    pub window: u32,
    pub segment: u32,
}

impl Shape {
    pub fn segments(&self) -> u64 {
        u64::from(self.window / self.segment)
    }
}

/// Runtime registers.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    pub config: Config,
    /// bytes per tick, and packets that may be saved up
    pub rate: Option<(u32, u16)>,
    /// clocks of a tick
    pub prescale: u64,
}

impl Default for Registers {
    fn default() -> Self {
        Self { config: Config::DEFAULT, rate: None, prescale: 40 }
    }
}

/// Something that a queue pair's peer, or management, says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    Ack {
        psn: u32,
        credits: u8,
    },
    Range {
        base: u32,
        start: u32,
        length: u32,
    },
    Single {
        psn: u32,
    },
    Message {
        base: u32,
        start: u32,
        length: u32,
    },
    Manage {
        start: u32,
        length: u32,
    },
    /// a kind that there is not
    Unknown {
        kind: u8,
    },
}

/// An operation that the bench asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    Feedback(u32, Feedback),
    Open { qp: u32, psn: u32 },
    Close { qp: u32 },
}

impl Ask {
    pub fn qp(&self) -> u32 {
        match *self {
            Ask::Feedback(qp, _) | Ask::Open { qp, .. } | Ask::Close { qp } => qp,
        }
    }
}

/// What the block says it has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub kind: u64,
    pub qp: u32,
    pub accepted: bool,
    pub base: u32,
    pub moved: bool,
    pub count: u32,
    /// first packet and reasons, of packets sent again
    pub start: u32,
    pub reason: u64,
    pub suppressed: u64,
}

/// An answer to a request for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub qp: u32,
    pub psn: u32,
    pub reason: u64,
}

/// What a clock's inputs are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    pub send: Option<u32>,
    pub feedback: Option<(u32, Feedback)>,
    pub command: Option<Ask>,
    /// operations and errors are not taken
    pub stall: bool,
}

/// What a clock has brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub feedback_taken: bool,
    pub command_taken: bool,
    pub answer: Option<Answer>,
    pub done: Option<Done>,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Done(Done),
    /// bytes of a tick come into the bucket
    Fill,
    Send(u32),
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// answers by reason
    pub answers: [u64; 6],
    /// operations by kind
    pub done: [u64; 9],
    pub bad: u64,
    pub suppressed: u64,
    pub fresh: u64,
    pub sent_again: u64,
    pub errors: u64,
    /// packets that were sent again and for which the moment was the block's choice
    pub chosen: u64,
}

/// The block, the model, and the clock.
pub struct Bench<'a> {
    model: &'a mut dyn Model,
    ports: HashMap<String, usize>,
    pub shape: Shape,
    pub registers: Registers,
    pub golden: Sender,
    pub counts: Counts,
    now: u64,
    /// ticks that the model has still to see, with their clocks
    ticks: VecDeque<(u64, u64)>,
    events: VecDeque<(u64, Event)>,
    /// taken, and not told yet: of two, the first is told and the model has still to see it
    under_way: VecDeque<Ask>,
    /// errors that were offered and are not taken yet
    failed: VecDeque<u32>,
    watch: Watch,
    /// queue pairs from 0 on that have ever been open
    used: u32,
    /// what was sent again: queue pair, first packet, packets
    pub sent_again: Vec<(u32, u32, u32)>,
    clocks: u64,
}

impl<'a> Bench<'a> {
    /// Resets the block and waits until it is ready.
    /// # Errors
    /// It is not, after as many clocks as it has queue pairs.
    pub fn new(model: &'a mut dyn Model, shape: Shape, registers: Registers) -> Result<Self, String> {
        let ports: HashMap<String, usize> = model.ports().iter().enumerate().map(|(at, port)| (port.name.clone(), at)).collect();
        for port in (0..model.ports().len()).filter(|&port| model.ports()[port].direction == Direction::Input).collect::<Vec<_>>() {
            model.poke_u64(port, 0);
        }
        let mut golden = Sender::new(shape.window, registers.config);
        if let Some((rate, burst)) = registers.rate {
            golden.set_bucket(Bucket::new(rate.into(), u64::from(burst) * u64::from(registers.config.mtu)));
        }
        let mut bench = Self {
            model,
            ports,
            shape,
            registers,
            golden,
            counts: Counts::default(),
            now: 0,
            ticks: VecDeque::new(),
            events: VecDeque::new(),
            under_way: VecDeque::new(),
            failed: VecDeque::new(),
            watch: Watch::default(),
            used: 0,
            sent_again: Vec::new(),
            clocks: 0,
        };
        bench.configure();
        bench.set("rst", 1);
        bench.model.clock();
        bench.set("rst", 0);
        let words = u64::from(shape.queue_pairs.max(2));
        for clock in 0..words + 2 {
            bench.model.eval();
            if (bench.get("ready") == 1) != (clock >= words) {
                return Err(format!("`ready` is {} after {clock} clocks, {words} are to be cleared", bench.get("ready")));
            }
            bench.model.clock();
        }
        Ok(bench)
    }

    fn configure(&mut self) {
        let Registers { config, rate, .. } = self.registers;
        let mode = match config.mode {
            Mode::Single => 0,
            Mode::Interval => 1,
            Mode::Aggregated => 2,
        };
        for (name, value) in [
            ("cfg_dedup", config.dedup.into()),
            ("cfg_rtx_mode", mode),
            ("cfg_aggregate", config.aggregate.into()),
            ("cfg_merge", config.merge.into()),
            ("cfg_rtx_window", config.rtx_window.into()),
            ("cfg_untold_window", config.base_length.into()),
            ("cfg_rto", config.rto.into()),
            ("cfg_rto_cap", config.rto_cap.into()),
            ("cfg_retry_limit", config.retry_limit.into()),
            ("cfg_limit", rate.is_some().into()),
            ("cfg_rate", rate.map_or(0, |(rate, _)| rate.into())),
            ("cfg_burst", rate.map_or(0, |(_, burst)| burst.into())),
            ("cfg_packet", config.mtu.into()),
        ] {
            self.set(name, value);
        }
    }

    fn set(&mut self, name: &str, value: u64) {
        self.model.poke_u64(self.ports[name], value);
    }

    fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.ports[name])
    }

    /// Clocks since the block was ready.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// An operation that was asked for is under way on a queue pair.
    pub fn busy(&self, qp: u32) -> bool {
        self.under_way.iter().any(|ask| ask.qp() == qp)
    }

    /// No operation that was asked for is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// One clock. What is offered must be offered until it is taken.
    /// # Errors
    /// What the model does not allow.
    pub fn step(&mut self, inputs: Inputs) -> Result<Seen, String> {
        if self.clocks % self.registers.prescale == self.registers.prescale - 1 {
            self.now += 1;
            self.ticks.push_back((self.clocks, self.now));
        }
        self.set("now", self.now % (1 << 32));
        self.drive(inputs);
        self.model.eval();
        let seen = self.look(inputs);
        if let Some(reason) = self.model.failure() {
            return Err(reason.to_string());
        }
        let seen = seen.map_err(|e| format!("clock {}, tick {}: {e}; so far {:?}", self.clocks, self.now, self.counts))?;
        self.model.clock();
        self.clocks += 1;
        Ok(seen)
    }

    fn drive(&mut self, inputs: Inputs) {
        self.set("send_valid", inputs.send.is_some().into());
        self.set("send_qp", inputs.send.unwrap_or(0).into());
        self.set("rtx_ready", (!inputs.stall).into());
        self.set("error_ready", (!inputs.stall).into());
        self.set("command_valid", inputs.command.is_some().into());
        if let Some(command) = inputs.command {
            self.set("command_open", matches!(command, Ask::Open { .. }).into());
            self.set("command_qp", command.qp().into());
            self.set("command_psn", if let Ask::Open { psn, .. } = command { psn.into() } else { 0 });
        }
        self.set("feedback_valid", inputs.feedback.is_some().into());
        if let Some((qp, feedback)) = inputs.feedback {
            let (kind, psn, start, length, credits) = match feedback {
                Feedback::Ack { psn, credits } => (0, psn, 0, 0, credits),
                Feedback::Range { base, start, length } => (1, base, start, length, 31),
                Feedback::Single { psn } => (2, 0, psn, 1, 31),
                Feedback::Message { base, start, length } => (3, base, start, length, 31),
                Feedback::Manage { start, length } => (4, 0, start, length, 31),
                Feedback::Unknown { kind } => (kind.into(), 1, 2, 3, 4),
            };
            self.set("feedback_kind", kind);
            self.set("feedback_qp", qp.into());
            self.set("feedback_psn", psn.into());
            self.set("feedback_start", start.into());
            self.set("feedback_length", length.into());
            self.set("feedback_credits", credits.into());
        }
    }

    fn look(&mut self, inputs: Inputs) -> Result<Seen, String> {
        let now = self.clocks;
        let mut seen = Seen::default();
        if self.get("done_valid") == 1 {
            let done = Done {
                kind: self.get("done_kind"),
                qp: self.get("done_qp") as u32,
                accepted: self.get("done_accepted") == 1,
                base: self.get("done_base") as u32,
                moved: self.get("done_moved") == 1,
                count: self.get("done_count") as u32,
                start: self.get("rtx_start") as u32,
                reason: self.get("rtx_reason"),
                suppressed: self.get("evt_suppressed"),
            };
            if done.kind == 8
                && (self.get("rtx_valid"), self.get("rtx_qp"), self.get("rtx_count")) != (1, done.qp.into(), done.count.into())
            {
                return Err(format!("{done:x?} is not what is offered to be sent again"));
            }
            let bad = done.kind < 3 && !done.accepted;
            if (self.get("evt_bad_ack") == 1) != bad || (self.get("evt_timeout") == 1) != (done.kind == 7 && done.accepted) {
                return Err(format!("events do not fit {done:x?}"));
            }
            self.counts.bad += u64::from(bad);
            self.counts.suppressed += done.suppressed;
            seen.done = Some(done);
            self.events.push_back((now, Event::Done(done)));
        } else if self.get("evt_bad_ack") == 1 || self.get("evt_suppressed") != 0 || self.get("evt_timeout") == 1 {
            return Err("an event without an operation".into());
        }
        if self.get("error_valid") == 1 && !inputs.stall {
            let qp = self.get("error_qp") as u32;
            self.failed.push_back(qp);
        }
        if self.ticks.back().is_some_and(|&(since, _)| since == now) {
            self.events.push_back((now, Event::Fill));
        }
        if let Some(qp) = inputs.send
            && self.get("send_ready") == 1
        {
            self.events.push_back((now, Event::Send(qp)));
        }
        let taken = |valid: &str, is_offered: bool| is_offered && self.get(valid) == 1;
        let feedback = inputs.feedback.filter(|_| taken("feedback_ready", true)).map(|(qp, feedback)| Ask::Feedback(qp, feedback));
        let command = inputs.command.filter(|_| taken("command_ready", true));
        (seen.feedback_taken, seen.command_taken) = (feedback.is_some(), command.is_some());
        let mut answered = false;
        while let Some(&(at, event)) = self.events.front().filter(|(at, _)| at + LATENCY <= now) {
            self.events.pop_front();
            // A tick counts for operations that are told some clocks later.
            while let Some(&(_, tick)) = self.ticks.front().filter(|(since, _)| since + TICK_AGE <= at) {
                self.ticks.pop_front();
                self.golden.pass(tick);
            }
            match event {
                Event::Done(done) => self.done(done).map_err(|e| format!("{e}; after {done:x?}"))?,
                Event::Fill => {
                    self.watch.filled(at, self.golden.tokens());
                    self.golden.fill(1);
                }
                Event::Send(qp) => {
                    answered = true;
                    seen.answer = Some(self.answer(qp, at)?);
                }
            }
        }
        if answered != (self.get("answer_valid") == 1) {
            return Err(format!("`answer_valid` is {} {LATENCY} clocks after a request", self.get("answer_valid")));
        }
        self.under_way.extend(feedback.or(command));
        if self.under_way.len() > 2 {
            return Err(format!("one after the other, not {:x?}", self.under_way));
        }
        // An error is offered from the clock on in which its operation is told, and may be taken before the model has seen that.
        while let (Some(&found), Some(&expected)) = (self.failed.front(), self.watch.failed.front()) {
            if found != expected {
                return Err(format!("queue pair {found} in error, expected {expected}"));
            }
            self.failed.pop_front();
            self.watch.failed.pop_front();
        }
        self.watch.stalled |= inputs.stall;
        if self.clocks.is_multiple_of(256) {
            self.overdue()?;
        }
        Ok(seen)
    }

    /// `clocks` clocks without anything, and what was sent again since it was last asked: first packets and how many.
    /// # Errors
    /// As [`Bench::step`].
    pub fn runs(&mut self, clocks: u64) -> Result<Vec<(u32, u32)>, String> {
        self.idle(clocks)?;
        Ok(self.sent_again.drain(..).map(|(_, start, count)| (start, count)).collect())
    }

    /// Everything that was to be said has been said.
    /// # Errors
    /// An error of a queue pair that was not told, or told without one.
    pub fn finish(&mut self) -> Result<(), String> {
        self.idle(300)?;
        if self.failed.is_empty() && self.watch.failed.is_empty() {
            return Ok(());
        }
        Err(format!("errors that were told: {:?}, those of the model: {:?}", self.failed, self.watch.failed))
    }

    fn answer(&mut self, qp: u32, asked: u64) -> Result<Answer, String> {
        let answer = Answer { qp: self.get("answer_qp") as u32, psn: self.get("answer_psn") as u32, reason: self.get("answer_reason") };
        if answer.qp != qp {
            return Err(format!("{answer:x?} to a request of queue pair {qp}"));
        }
        let mut refusal = self.golden.refusal(qp);
        if answer.reason == 5 {
            self.note_ready();
        }
        // Until the queue pair has had its turn it is not known that it has waited for long enough.
        let is_aggregated = self.registers.config.mode == Mode::Aggregated;
        if is_aggregated && answer.reason != 3 && refusal == Some(Refusal::Retransmission) && self.watch.just_ready(qp, asked) {
            refusal = self.golden.held_back(qp);
        }
        self.counts.answers[answer.reason as usize % 6] += 1;
        match (answer.reason, refusal) {
            (0, None) => {}
            (1, Some(Refusal::Closed)) | (3, Some(Refusal::Retransmission)) | (4, Some(Refusal::Window)) | (5, Some(Refusal::Rate)) => {
                return Ok(answer);
            }
            (2, _) => {
                self.watch.blocked(qp, asked);
                return Ok(answer);
            }
            // What is to be sent again has the first right to the tokens, of whatever queue pair.
            (5, None) if self.registers.rate.is_some() && self.watch.starves(asked) => return Ok(answer),
            _ => {
                let next = self.golden.next(qp);
                return Err(format!(
                    "{answer:x?} to what was asked on clock {asked}; the model has {refusal:?}, next {next:x?}, {} tokens, {}",
                    self.golden.tokens(),
                    self.watch.about_tokens()
                ));
            }
        }
        match self.golden.send_anyway(qp) {
            Some(psn) if psn == answer.psn => Ok(answer),
            other => Err(format!("{answer:x?} on clock {asked}; the model sends {other:x?}")),
        }
    }

    /// `clocks` clocks without anything.
    /// # Errors
    /// As [`Bench::step`].
    pub fn idle(&mut self, clocks: u64) -> Result<Vec<Done>, String> {
        let mut done = Vec::new();
        for _ in 0..clocks {
            done.extend(self.step(Inputs::default())?.done);
        }
        Ok(done)
    }

    /// Carries an operation out.
    /// # Errors
    /// It takes longer than it may.
    pub fn run(&mut self, ask: Ask) -> Result<Done, String> {
        let mut inputs = match ask {
            Ask::Feedback(qp, feedback) => Inputs { feedback: Some((qp, feedback)), ..Inputs::default() },
            command => Inputs { command: Some(command), ..Inputs::default() },
        };
        for _ in 0..200 + 4 * self.shape.segments() {
            let seen = self.step(inputs)?;
            if seen.feedback_taken || seen.command_taken {
                inputs = Inputs::default();
            }
            if let Some(done) = seen.done.filter(|done| done.kind < 7) {
                self.idle(LATENCY)?;
                return Ok(done);
            }
        }
        Err(format!("{ask:x?} is not carried out"))
    }

    /// Sends packets of a queue pair, one per clock: how many it may.
    /// # Errors
    /// As [`Bench::step`].
    pub fn send(&mut self, qp: u32, packets: u32) -> Result<u32, String> {
        let mut sent = 0;
        for at in 0..packets + LATENCY as u32 {
            let seen = self.step(Inputs { send: (at < packets).then_some(qp), ..Inputs::default() })?;
            sent += u32::from(seen.answer.is_some_and(|answer| answer.reason == 0));
        }
        Ok(sent)
    }
}
