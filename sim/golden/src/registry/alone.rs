//! The model without hardware: it decides everything at its earliest moment.

use super::{Commit, Config, Event, Header, Mismatch, Params, Registry, Seen, Trace};
use crate::decision::{Decision, Line, Window};
use std::collections::BTreeMap;

/// What time alone makes happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// a waiting packet is tried again, because something changed or its timer ran out
    Replay {
        tag: u16,
        src: u16,
        op: u32,
    },
    OpTimeout {
        src: u16,
        op: u32,
    },
    Sweep {
        src: u16,
        op: u32,
    },
    Rewrite {
        src: u16,
        op: u32,
    },
}

impl Registry {
    /// The next thing that happens without a packet, and the earliest clock at which it may.
    pub fn due(&self) -> Option<(u64, Due)> {
        let rewrite = self.rewrite_due().map(|(src, op)| (self.now().clock, Due::Rewrite { src, op }));
        let replay = |waiting: &super::Waiting| Due::Replay { tag: waiting.frame as u16, src: waiting.header.src, op: waiting.header.op };
        let woken = self.escape.iter().filter_map(|waiting| Some((waiting.eligible?.clock, replay(waiting))));
        let expiring = self.escape.iter().map(|waiting| (self.earliest(waiting.arrived, self.config.escape_timeout), replay(waiting)));
        let ending = self
            .entries
            .iter()
            .map(|entry| (self.earliest(entry.progress, self.config.op_timeout), Due::OpTimeout { src: entry.src, op: entry.op }));
        let aged =
            self.done.iter().map(|(&(src, _), word)| (self.earliest(word.tick, self.config.t_life), Due::Sweep { src, op: word.op }));
        // of things due at the same clock the first named wins: a packet for an entry goes before its time-out
        rewrite.into_iter().chain(woken).chain(expiring).chain(ending).chain(aged).min_by_key(|&(clock, _)| clock)
    }

    /// Lets `due` happen now.
    /// # Errors
    /// It is not due.
    pub fn perform(&mut self, due: Due) -> Result<Commit, Mismatch> {
        match due {
            Due::Replay { tag, src, op } => self.replay(tag, src, op, Seen::default()),
            Due::OpTimeout { src, op } => self.op_timeout(src, op),
            Due::Sweep { src, op } => self.sweep(src, op),
            Due::Rewrite { src, op } => self.rewrite(src, op),
        }
    }
}

/// Runs frames through the model and writes down what it decides, with a memory that answers at once.
#[derive(Debug)]
pub struct Alone {
    registry: Registry,
    headers: BTreeMap<u64, Header>,
    /// frame and clock of the last progress of an operation
    progress: BTreeMap<(u16, u32), u64>,
    failing: Vec<u64>,
    lines: Vec<Line>,
}

impl Alone {
    /// `failing`: frames whose payload write the memory refuses.
    pub fn new(params: Params, config: Config, failing: Vec<u64>) -> Alone {
        let registry = Registry::new(params, config);
        Alone { registry, headers: BTreeMap::new(), progress: BTreeMap::new(), failing, lines: Vec::new() }
    }

    /// The model, for setting regions before the first frame.
    pub fn registry(&mut self) -> &mut Registry {
        &mut self.registry
    }

    /// A line of the frame side, in its place among the others.
    pub fn line(&mut self, decision: Decision) {
        self.lines.push(Line::new(None, decision));
    }

    /// `header` of `frame` arrives at `clock`; everything due before it happens first.
    /// # Errors
    /// Never for a model alone, unless clocks go backwards past a decision: a fault of the caller.
    pub fn header(&mut self, clock: u64, frame: u64, header: &Header) -> Result<(), Mismatch> {
        self.run_until(clock)?;
        self.headers.insert(frame, *header);
        let commit = self.registry.header(frame, frame as u32, header, Seen::default())?;
        self.note(commit)?;
        // what this packet woke is tried at once
        self.run_until(clock)
    }

    /// Lets everything happen that is due up to `clock`.
    /// # Errors
    /// As [`Alone::header`].
    pub fn run_until(&mut self, clock: u64) -> Result<(), Mismatch> {
        while let Some((at, due)) = self.registry.due().filter(|&(at, _)| at <= clock) {
            let now = self.registry.now().clock;
            self.registry.advance(at.saturating_sub(now), false);
            let commit = self.registry.perform(due)?;
            self.note(commit)?;
        }
        let now = self.registry.now().clock;
        self.registry.advance(clock.saturating_sub(now), false);
        Ok(())
    }

    /// Lets time pass until no packet waits and no operation is live. Sweeps do not count.
    /// # Errors
    /// As [`Alone::header`].
    pub fn run_dry(mut self) -> Result<Vec<Line>, Mismatch> {
        while self.registry.escape_used() + self.registry.entries_live() > 0 {
            match self.registry.due() {
                Some((at, _)) => self.run_until(at)?,
                None => break,
            }
        }
        self.registry.finish()?;
        Ok(self.lines)
    }

    /// Writes down a commit and everything told about it.
    fn note(&mut self, commit: Commit) -> Result<(), Mismatch> {
        let Commit { trace, frame, src, op, verdict, .. } = commit;
        let has = |event| commit.events.contains(&event);
        if let (Some(beat), Some(header)) = (verdict, self.headers.get(&frame)) {
            if has(Event::Registered) {
                self.lines.push(Line::new(None, Decision::registered(header)));
            }
            let mut line = Line::new(None, Decision::packet(frame, header, &beat));
            if has(Event::EscapeTimeout) {
                let not_before = self.registry.clocks(self.registry.config.escape_timeout);
                line.window = Some(Window { after: frame, not_before, not_after: self.registry.escape_timeout_bound() });
            }
            self.lines.push(line);
            if has(Event::Accepted) {
                self.progress.insert((src, op), frame);
            }
        }
        let window = (trace == Trace::OpTimeout).then(|| Window {
            after: self.progress.get(&(src, op)).copied().unwrap_or(0),
            not_before: self.registry.clocks(self.registry.config.op_timeout),
            not_after: self.registry.op_timeout_bound(),
        });
        while let Some(write) = self.registry.write_due() {
            self.registry.write(0, write)?;
            self.registry.write_done(0, !self.failing.contains(&frame))?;
        }
        while let Some(complete) = self.registry.complete_due().cloned() {
            self.registry.complete(&complete)?;
            self.lines.push(Line { window, ..Line::new(None, Decision::complete(&complete)) });
        }
        while let Some(notify) = self.registry.notify_due() {
            self.registry.notify(&notify)?;
            self.lines.push(Line { window, ..Line::new(None, Decision::notify(&notify)) });
        }
        if self.registry.verdict_due().is_some() {
            self.registry.verdicts.clear();
        }
        self.registry.frees.clear();
        Ok(())
    }
}
