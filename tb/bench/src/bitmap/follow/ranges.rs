//! Range acknowledgements: what is told has arrived and lies above the base, and what has arrived there is told in the time that it may
//! take.

use super::{Follow, Told};
use rdma_rtl_golden::bitmap::{Verdict, psn};

/// A range acknowledgement as it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub qp: u32,
    pub base: u32,
    pub start: u32,
    pub length: u32,
}

/// Clocks between two messages.
const PACE: u64 = 21;

/// Clocks of a queue pair's turn besides its segments and runs.
const TURN: u64 = 40;

/// The fewest clocks from one look at what is owed to the next, and what is looked at per clock.
const LOOK: (u64, u64) = (256, 16);

impl Follow<'_> {
    /// A packet that lies above the base is owed a range, also if it has come again.
    pub(super) fn owes_range(&mut self, qp: u32, number: u32, verdict: Verdict) {
        let clock = self.bench.clocks();
        let Some(window) = self.bench.golden.window(qp) else { return };
        let base = window.base();
        let Some(life) = self.lives.get_mut(&qp) else { return };
        if base < life.unwrapped && psn::before(life.unwrapped, base) {
            self.counts.wraps += 1;
        }
        if base != life.unwrapped {
            life.untold.retain(|&number, _| !psn::before(number, base));
        }
        life.unwrapped = base;
        if self.config.range_ack && matches!(verdict, Verdict::New | Verdict::Duplicate) && psn::before(base, number) {
            life.untold.entry(number).or_insert(clock);
        }
    }

    /// The stream of range acknowledgements.
    pub(super) fn range(&mut self) -> Result<(), String> {
        let ready = {
            let wire = self.wire;
            self.chance(wire)
        };
        self.bench.set("range_ready", ready.into());
        let clock = self.bench.clocks();
        if self.bench.get("range_valid") == 0 {
            return if self.offered_range.take().is_some() { Err("a range that was offered is gone".into()) } else { Ok(()) };
        }
        let [qp, base, start, length] = ["range_qp", "range_base", "range_start", "range_length"].map(|name| self.get(name));
        let range = Range { qp, base, start, length };
        let since = match self.offered_range.take() {
            Some((_, offered)) if offered != range => return Err("a range that was offered has changed".into()),
            Some((since, _)) => since,
            None => {
                self.judge_range(range).map_err(|why| format!("{range:x?}: {why}"))?;
                clock
            }
        };
        if !ready {
            self.offered_range = Some((since, range));
            return Ok(());
        }
        self.counts.ranges += 1;
        self.note(clock, Told::Range(range));
        Ok(())
    }

    /// Of a range that is offered for the first time.
    fn judge_range(&mut self, range: Range) -> Result<(), String> {
        let Range { qp, base, start, length } = range;
        if !self.config.range_ack {
            return Err("ranges are not to be told".into());
        }
        let clock = self.bench.clocks();
        if clock < self.range_since + PACE && self.counts.ranges > 0 {
            return Err(format!("the range before it was offered at {}", self.range_since));
        }
        self.range_since = clock;
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        let (truth, max) = (window.base(), window.max());
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        // Of an old life.
        if clock <= life.since + 1 {
            return Ok(());
        }
        if length == 0 || length > self.bench.golden.params().packets() {
            return Err("no length that there is".into());
        }
        if !psn::before(base, start) {
            return Err("it does not lie above its base".into());
        }
        if psn::before(truth, base) {
            return Err(format!("{truth:#x} is missing"));
        }
        if life.acked.is_some_and(|acked| life.acked_at + 2 < clock && psn::before(base, psn::add(acked, 1))) {
            return Err(format!("its base is behind what has been acknowledged, {:x?}", life.acked));
        }
        for number in (0..length).map(|at| psn::add(start, at)) {
            if psn::before(max, number) || !window.has(number) {
                return Err(format!("{number:#x} has not arrived; base {truth:#x}, highest {max:#x}"));
            }
            if let Some(since) = life.untold.remove(&number) {
                self.counts.longest_untold = self.counts.longest_untold.max(clock - since);
            }
        }
        Ok(())
    }

    /// Clocks in which every queue pair that waits has its turn: one with what it has above its base.
    fn round(&self) -> u64 {
        let message = PACE + 100 / u64::from(self.wire.max(1));
        let turn = |qp: u32| {
            let Some(window) = self.bench.golden.window(qp) else { return 0 };
            let (base, max) = (window.base(), window.max());
            if !psn::before(base, max) {
                return TURN;
            }
            let numbers = (0..=psn::ahead(base, max)).map(|at| psn::add(base, at));
            let runs = numbers.filter(|&at| window.has(at) && !window.has(psn::sub(at, 1))).count() as u64;
            TURN + 6 * (2 + u64::from(self.bench.golden.params().segments())) + runs * message
        };
        self.bench.golden.open_queue_pairs().map(turn).sum()
    }

    /// Nothing waits for longer than three rounds, the longest since it came: one that goes on, one of its own, and one for what has been
    /// told since.
    pub(super) fn ranges_overdue(&mut self) -> Result<(), String> {
        let clock = self.bench.clocks();
        let params = self.bench.golden.params();
        let look = LOOK.0.max(params.queue_pairs as u64 * u64::from(params.packets()) / LOOK.1);
        if !self.config.range_ack || self.wire == 0 || !clock.is_multiple_of(look) {
            return Ok(());
        }
        // One that is being closed or opened is owed nothing.
        let open = self.lives.iter().filter(|&(&qp, _)| self.bench.golden.is_open(qp));
        let oldest = open.filter_map(|(&qp, life)| Some((*life.untold.values().min()?, qp))).min();
        let (since, qp) = oldest.unwrap_or((clock, 0));
        let since = since.max(self.wire_since);
        while self.rounds.get(1).is_some_and(|&(at, _)| at <= since) {
            self.rounds.pop_front();
        }
        self.rounds.push_back((clock, self.round()));
        let held = (u64::from(self.config.ack_hold) + 2) * self.prescale;
        let bound = 400
            + if self.config.ack_hold == 0 { 0 } else { held }
            + 3 * self.rounds.iter().map(|&(_, round)| round).max().unwrap_or_default();
        if clock <= since + bound {
            return Ok(());
        }
        let numbers: Vec<u32> = self.lives[&qp].untold.iter().filter(|&(_, &at)| at <= since).map(|(&number, _)| number).collect();
        Err(format!("{numbers:x?} of queue pair {qp} came at {since}, {bound} clocks are enough, and no range has told of it"))
    }

    /// Waits until every range has been told.
    /// # Errors
    /// One is not.
    pub fn settle_ranges(&mut self) -> Result<(), String> {
        if self.wire < 100 {
            (self.wire, self.wire_since) = (100, self.bench.clocks());
        }
        while self.lives.values().any(|life| !life.untold.is_empty()) {
            self.step(None, None)?;
        }
        Ok(())
    }
}
