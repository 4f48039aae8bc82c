//! Beats in, golden model alongside: every commit in the order of the trace, every message in the order of its stream.

use super::failure::{Happening, Recent};
use super::measure::Report;
use super::ports::{RawVerdict, TraceBeat};
use rdma_rtl_golden::decision::{Decision, Line};
use rdma_rtl_golden::registry::{Commit, Complete, Event, Header, Mismatch, Notify, Registry, Seen, Write};
use std::collections::{HashMap, VecDeque};

/// A header that the block has taken and not committed yet.
#[derive(Clone, Copy, Debug)]
struct Taken {
    frame: u64,
    slot: u32,
    header: Header,
    unstalled: u64,
    calm: bool,
}

/// The golden model beside the hardware.
#[derive(Debug)]
pub(super) struct Follower {
    pub golden: Registry,
    pub report: Report,
    pub recent: Recent,
    taken: VecDeque<Taken>,
    /// header of every frame without a final verdict
    waiting: HashMap<u64, Header>,
    /// committed frames whose verdict is not out yet
    decided: VecDeque<(u64, Header)>,
    latency: u64,
    log: bool,
}

fn names(events: &[Event]) -> String {
    events.iter().map(|event| event.name()).collect::<Vec<_>>().join(" ")
}

fn fail<T>(text: String) -> Result<T, Mismatch> {
    Err(Mismatch(text))
}

impl Follower {
    pub fn new(golden: Registry, latency: u64, log: bool) -> Follower {
        Follower {
            golden,
            report: Report::default(),
            recent: Recent::default(),
            taken: VecDeque::new(),
            waiting: HashMap::new(),
            decided: VecDeque::new(),
            latency,
            log,
        }
    }

    /// Whether everything that was taken has come out.
    pub fn settled(&self) -> bool {
        self.taken.is_empty() && self.decided.is_empty() && self.golden.settled()
    }

    fn line(&mut self, cycle: u64, decision: impl FnOnce() -> Decision) {
        if self.log {
            self.report.lines.push(Line::new(Some(cycle), decision()));
        }
    }

    /// A line that is none of the block's doing.
    pub fn note(&mut self, cycle: u64, decision: Decision) {
        self.line(cycle, || decision);
    }

    /// The block took a header.
    pub fn take(&mut self, cycle: u64, frame: u64, slot: u32, header: Header, calm: bool) {
        self.recent.push(cycle, Happening::Header(frame, header));
        self.taken.push_back(Taken { frame, slot, header, unstalled: self.golden.now().unstalled, calm });
        self.waiting.insert(frame, header);
    }

    /// A trace beat with the events of its clock.
    pub fn trace(&mut self, cycle: u64, beat: TraceBeat, events: &[Event], calm: bool) -> Result<(), Mismatch> {
        let seen = Seen {
            renotified: Some(events.contains(&Event::Renotified)),
            expired: Some(events.contains(&Event::EscapeTimeout)),
            registered: Some(events.contains(&Event::Registered)),
        };
        let TraceBeat { kind, src, op, tag } = beat;
        let commit = match kind {
            0 | 1 => self.header(beat, seen, calm)?,
            2 | 3 => self.golden.replay(tag, src, op, seen)?,
            4 => self.golden.op_timeout(src, op)?,
            5 => self.golden.sweep(src, op)?,
            6 => self.golden.rewrite(src, op)?,
            _ => self.golden.nothing(src, op),
        };
        self.recent.push(cycle, Happening::Commit(commit.clone()));
        if commit.trace as u8 != kind {
            let seen = names(events);
            return fail(format!(
                "trace says kind {kind} [{seen}] for tag {tag} (src {src} op {op:#06x}), but the golden model has {commit:x?}"
            ));
        }
        if commit.events != events {
            let (seen, due) = (names(events), names(&commit.events));
            return fail(format!("counter events are [{seen}], but [{due}] are due with {commit:x?}"));
        }
        self.committed(cycle, &commit);
        Ok(())
    }

    /// The next header taken is committed.
    fn header(&mut self, beat: TraceBeat, seen: Seen, calm: bool) -> Result<Commit, Mismatch> {
        let Some(Taken { frame, slot, header, unstalled, calm: was_calm }) = self.taken.pop_front() else {
            return fail(format!("trace shows a header ({beat:x?}), but every header taken has been committed"));
        };
        if (header.src, header.op, frame as u16) != (beat.src, beat.op, beat.tag) {
            return fail(format!("trace shows {beat:x?}, but frame {frame} is next: {header:x?}"));
        }
        let clocks = self.golden.now().unstalled - unstalled;
        if calm && was_calm {
            self.report.latency(clocks);
            self.report.latency_checked += 1;
            if clocks > self.latency {
                return fail(format!("frame {frame} was committed {clocks} clocks after it was taken; {} are allowed", self.latency));
            }
        }
        self.golden.header(frame, slot, &header, seen)
    }

    fn committed(&mut self, cycle: u64, commit: &Commit) {
        self.report.count(commit.trace, &commit.events);
        let high = &mut self.report.high_water;
        *high = (high.0.max(self.golden.entries_live()), high.1.max(self.golden.escape_used()));
        if commit.verdict.is_none() {
            return;
        }
        if let Some(header) = self.waiting.remove(&commit.frame) {
            self.decided.push_back((commit.frame, header));
            if commit.events.contains(&Event::Registered) {
                self.line(cycle, || Decision::registered(&header));
            }
        }
    }

    pub fn verdict(&mut self, cycle: u64, raw: RawVerdict) -> Result<(), Mismatch> {
        let Some(due) = self.golden.verdict_due() else {
            return fail(format!("verdict stream gave {raw:?}, but no verdict is due"));
        };
        let expected = RawVerdict { tag: due.tag, code: due.verdict.code(), reason: due.verdict.reason(), escaped: due.escaped };
        if raw != expected {
            return fail(format!("verdict stream gave {raw:?}, but {expected:?} ({due:?}) is due"));
        }
        self.recent.push(cycle, Happening::Verdict(due));
        if let Some((frame, header)) = self.decided.pop_front() {
            self.line(cycle, || Decision::packet(frame, &header, &due));
        }
        self.golden.verdict(due)
    }

    pub fn write(&mut self, cycle: u64, tag: u16, write: Write) -> Result<(), Mismatch> {
        self.recent.push(cycle, Happening::Write(tag, write));
        self.golden.write(tag, write)
    }

    pub fn write_done(&mut self, cycle: u64, tag: u16, ok: bool) -> Result<(), Mismatch> {
        self.recent.push(cycle, Happening::WriteDone(tag, ok));
        self.report.failed_writes += u64::from(!ok);
        self.golden.write_done(tag, ok)
    }

    pub fn slot_free(&mut self, cycle: u64, slot: u32) -> Result<(), Mismatch> {
        self.recent.push(cycle, Happening::SlotFree(slot));
        self.golden.slot_free(slot)
    }

    pub fn complete(&mut self, cycle: u64, complete: Complete) -> Result<(), Mismatch> {
        self.golden.complete(&complete)?;
        self.line(cycle, || Decision::complete(&complete));
        self.recent.push(cycle, Happening::Complete(complete));
        Ok(())
    }

    pub fn notify(&mut self, cycle: u64, notify: Notify) -> Result<(), Mismatch> {
        self.golden.notify(&notify)?;
        self.line(cycle, || Decision::notify(&notify));
        self.recent.push(cycle, Happening::Notify(notify));
        Ok(())
    }
}
