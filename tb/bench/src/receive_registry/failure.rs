//! What a failed run says.

use rdma_rtl_golden::decision::Line;
use std::collections::VecDeque;
use std::fmt;

/// Why a run failed, where, and what happened just before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// clock after reset
    pub cycle: u64,
    pub text: String,
    /// the last things that happened on the ports, oldest first
    pub recent: Vec<String>,
    /// the command that repeats the run
    pub replay: String,
    /// decision lines up to it, if they were asked for
    pub lines: Vec<Line>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "clock {}: {}", self.cycle, self.text)?;
        if !self.recent.is_empty() {
            writeln!(f, "just before:")?;
        }
        for line in &self.recent {
            writeln!(f, "  {line}")?;
        }
        if !self.replay.is_empty() {
            write!(f, "run it again: {}", self.replay)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// The last happenings, made into text only when they are asked for.
#[derive(Debug, Default)]
pub(super) struct Recent(VecDeque<(u64, Happening)>);

/// Something on the ports.
#[derive(Debug)]
pub(super) enum Happening {
    Header(u64, rdma_rtl_golden::registry::Header),
    Commit(rdma_rtl_golden::registry::Commit),
    Write(u16, rdma_rtl_golden::registry::Write),
    WriteDone(u16, bool),
    SlotFree(u32),
    Complete(rdma_rtl_golden::registry::Complete),
    Notify(rdma_rtl_golden::registry::Notify),
    Verdict(rdma_rtl_golden::registry::VerdictBeat),
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Happening::Header(frame, header) => write!(f, "header     frame {frame}: {header:x?}"),
            Happening::Commit(commit) => write!(f, "commit     {commit:x?}"),
            Happening::Write(tag, write) => write!(f, "write      tag {tag}: {write:x?}"),
            Happening::WriteDone(tag, ok) => write!(f, "write_done tag {tag}: {}", if *ok { "ok" } else { "failed" }),
            Happening::SlotFree(slot) => write!(f, "slot_free  {slot}"),
            Happening::Complete(complete) => write!(f, "complete   {complete:x?}"),
            Happening::Notify(notify) => write!(f, "notify     {notify:x?}"),
            Happening::Verdict(beat) => write!(f, "verdict    {beat:x?}"),
        }
    }
}

impl Recent {
    const KEPT: usize = 24;

    pub fn push(&mut self, cycle: u64, happening: Happening) {
        if self.0.len() == Self::KEPT {
            self.0.pop_front();
        }
        self.0.push_back((cycle, happening));
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.iter().map(|(cycle, happening)| format!("{cycle:>8} {happening}")).collect()
    }
}
