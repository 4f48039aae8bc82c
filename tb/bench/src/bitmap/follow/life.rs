//! What is known of a queue pair besides the model, and how it catches up after it has lagged.

use super::Follow;
use super::region::Region;
use rdma_rtl_golden::bitmap::{GapState, psn};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What is known of a queue pair besides the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Life {
    /// clock of each packet that was accepted not long ago
    pub(super) accepted: HashMap<u32, u64>,
    pub(super) recent: VecDeque<(u64, u32)>,
    /// a record was missing: which of them cover more differs, until there are none
    pub(super) folded: bool,
    /// how often one was missing so far
    pub(super) folds: u64,
    /// since when the model has no gap
    pub(super) clean: Option<u64>,
    /// since when it lags, and again before it has caught up
    pub(super) behind: VecDeque<u64>,
    /// where one record of the hardware may stand for several gaps
    pub(super) vague: Vec<(u32, u32)>,
    /// when it caught up
    pub(super) rebuilt: u64,
    /// since when an acknowledgement is owed, and the last one
    pub(super) owes_ack: Option<u64>,
    pub(super) acked: Option<u32>,
    /// when that was offered
    pub(super) acked_at: u64,
    /// packets above the base that no range has told of, and since when
    pub(super) untold: BTreeMap<u32, u64>,
    /// the model's base after the last packet
    pub(super) unwrapped: u32,
    pub(super) base: u32,
    pub(super) since: u64,
    pub(super) ranges: Vec<(u32, u32)>,
    /// what has been told and has no record any more
    pub(super) region: Option<Region>,
}

impl Life {
    /// Its records are not those of the model.
    pub(super) fn loose(&self) -> bool {
        self.folded || !self.behind.is_empty()
    }

    pub(super) fn is_vague(&self, number: u32) -> bool {
        self.vague.iter().any(|&(start, end)| psn::ahead(start, number) <= psn::ahead(start, end))
    }

    /// The hardware has told of `start ..= end`: that is one record. Whether it was known before.
    pub(super) fn known(&mut self, start: u32, end: u32) -> bool {
        let meets =
            |at: &(u32, u32)| psn::ahead(at.0, start) <= psn::ahead(at.0, at.1) || psn::ahead(start, at.0) <= psn::ahead(start, end);
        let (met, mut left): (Vec<_>, Vec<_>) = self.vague.drain(..).partition(meets);
        for &(first, last) in &met {
            left.extend(psn::before(first, start).then(|| (first, psn::sub(start, 1))));
            left.extend(psn::before(end, last).then(|| (psn::add(end, 1), last)));
        }
        self.vague = left;
        met.is_empty()
    }
}

/// A gap that is lost and is to be told until a clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed {
    pub(super) qp: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) until: u64,
    /// what all events had taken until then
    pub(super) work: u64,
}

impl Follow<'_> {
    /// Ticks after which a record that the hardware has begun anew is told, in clocks.
    pub(super) fn anew(&self) -> u64 {
        let ticks = self.config.wait.max(self.config.stall) as u64 * self.relaxed() + u64::from(self.config.feedback_wait) + 4;
        ticks * self.prescale
    }

    /// By what limits are multiplied at most.
    pub(super) fn relaxed(&self) -> u64 {
        if self.bench.golden.params().paths > 1 { self.config.relax.into() } else { 1 }
    }

    /// Clocks in which the scan comes round.
    pub(super) fn slow(&self) -> u64 {
        16 * self.bench.golden.params().queue_pairs as u64 + 600 + u64::from(self.config.feedback_threshold > 1) * 1_000_000
    }

    /// Several packets to a bit: the ends of all gaps are searched.
    pub(super) fn grouped(&self) -> bool {
        self.bench.golden.params().granularity > 1
    }

    /// Clocks of a search up and down through all segments.
    pub(super) fn search(&self) -> u64 {
        14 + 10 * u64::from(self.bench.golden.params().segments())
    }

    /// Clocks for which a queue pair may lag: the scan comes to it behind all others, and the queue is full; an event of each with three
    /// searches.
    pub(super) fn longest(&self) -> u64 {
        (64 + self.bench.golden.params().queue_pairs as u64) * 3 * self.search()
    }

    /// The hardware reads the records of a queue pair from the bitmap, up to `edge`.
    pub(super) fn caught_up(&mut self, qp: u32, edge: u32) -> Result<(), String> {
        let clock = self.bench.clocks();
        let work = (self.records as u64 + 1) * self.search();
        (self.backlog, self.work) = (self.backlog + work, self.work + work);
        let until = clock + self.backlog + self.slow() + self.anew();
        self.soonest = self.soonest.min(until);
        let (bound, work) = (self.longest(), self.work);
        let Some(base) = self.bench.golden.window(qp).map(|window| window.base()) else { return Ok(()) };
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        let Some(since) = life.behind.pop_front() else { return Err(format!("queue pair {qp} has caught up, but did not lag")) };
        self.counts.behind = self.counts.behind.max(clock - since);
        if clock - since > bound {
            return Err(format!("queue pair {qp} has lagged for {} clocks, {bound} are possible", clock - since));
        }
        life.rebuilt = clock;
        life.vague = if psn::before(edge, base) { Vec::new() } else { vec![(base, edge)] };
        if life.behind.is_empty() {
            let untold = self.bench.golden.gaps(qp).iter().filter(|gap| gap.state != GapState::Reported && !psn::before(edge, gap.start));
            self.owed.extend(untold.map(|gap| Owed { qp, start: gap.start, end: gap.end, until, work }));
        }
        Ok(())
    }
}
