//! What has been told and has no record any more: reported records that have given way, and walks over what is missing of them.

use super::{Follow, Life};
use rdma_rtl_golden::bitmap::{GapState, psn};
use std::collections::BTreeMap;

/// Ports of a block whose reported records give way.
pub(super) const PORTS: [&str; 3] = ["evt_spilled", "spilled_edge", "told_walk"];

/// Clocks from the bits of a segment to the message about them, and those by which the bits are behind the packets.
const WALK: u64 = 64;

/// Clocks between two looks for what has not been told again.
const LOOK: u64 = 256;

/// Of one queue pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    edge: u32,
    /// tick from which on the next walk is waited for
    since: u64,
    /// the hardware may know an earlier one
    unsure: bool,
    /// first packet of the last message
    last: Option<u32>,
    /// clock in which the base has passed the edge
    left: Option<u64>,
    /// when each missing packet was last told
    told: BTreeMap<u32, u64>,
}

impl Life {
    /// The base has come so far.
    pub(super) fn left_region(&mut self, base: u32, clock: u64) {
        let passed = |region: &&mut Region| psn::before(region.edge, base);
        if let Some(region) = self.region.as_mut().filter(passed) {
            region.left.get_or_insert(clock);
            region.told.clear();
        }
    }
}

impl Follow<'_> {
    /// Clocks until a region ends whose edge the base has passed: the scan comes to it, and its look waits for its turn.
    fn leaving(&self) -> u64 {
        self.slow() + self.longest()
    }

    /// A record covers more, or one gives way.
    pub(super) fn gives_way(&mut self) -> Result<(), String> {
        let (qp, clock, now) = (self.get("rebuilt_qp"), self.bench.clocks(), self.now);
        let leaving = self.leaving();
        if self.bench.get("evt_folded") == 1
            && let Some(life) = self.lives.get_mut(&qp)
        {
            life.folded = true;
            life.folds += 1;
        }
        if self.bench.get("evt_spilled") == 0 {
            return Ok(());
        }
        self.counts.spilled += 1;
        let edge = self.get("spilled_edge");
        let gaps = self.bench.golden.gaps(qp);
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        let below: Vec<_> = gaps.iter().filter(|gap| !psn::before(edge, gap.start)).collect();
        if let Some(gap) = below.iter().find(|gap| gap.state != GapState::Reported && !life.loose()) {
            return Err(format!("the record up to {edge:#x} of queue pair {qp} gives way, but {gap:x?} has not been told"));
        }
        let before = life.region.take().filter(|region| region.left.is_none_or(|left| left + leaving >= clock));
        if let Some(before) = before.as_ref().filter(|region| !psn::before(region.edge, edge)) {
            return Err(format!("the record up to {edge:#x} of queue pair {qp} gives way, but those up to {:#x} have", before.edge));
        }
        let first = below.iter().map(|gap| gap.reported_at).min();
        let mut region = match before {
            Some(region) if region.left.is_none() => region,
            other => Region { since: first.unwrap_or(now), unsure: other.is_some() || first.is_none(), ..Region::default() },
        };
        region.edge = edge;
        for gap in below {
            for number in (0..gap.length()).map(|at| psn::add(gap.start, at)) {
                region.told.entry(number).or_insert(gap.reported_at);
            }
        }
        life.region = Some(region);
        Ok(())
    }

    /// The hardware tells of `start ..= end`, which has no record.
    pub(super) fn walked(&mut self, qp: u32, start: u32, end: u32) -> Result<(), String> {
        let (clock, now, blocked) = (self.bench.clocks(), self.now, self.blocked);
        let apart = u64::from(self.config.refeedback / 4);
        let segments = u64::from(self.bench.golden.params().segments());
        // From the moment at which a walk begins to its first message.
        let slack = (64 + 12 * segments) / self.prescale + 2;
        let segment = self.bench.golden.params().segment_packets();
        self.counts.walked += 1;
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        let gaps = self.bench.golden.gaps(qp);
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        let error = |why: String| Err(format!("queue pair {qp} tells {start:#x} to {end:#x} again, {why}"));
        let loose = life.loose();
        let Some(region) = life.region.as_mut() else { return error("and no record has given way".into()) };
        if psn::before(region.edge, end) || psn::before(end, start) || start / segment != end / segment {
            return error(format!("in a region up to {:#x}", region.edge));
        }
        for number in (0..=psn::ahead(start, end)).map(|at| psn::add(start, at)) {
            if window.has(number) {
                if life.accepted.get(&number).is_none_or(|at| at + WALK < clock) {
                    return error(format!("but {number:#x} arrived long ago; the base is {:#x}", window.base()));
                }
                continue;
            }
            if !loose && !gaps.iter().any(|gap| gap.holds(number) && gap.state == GapState::Reported) {
                return error(format!("but {number:#x} has not been told"));
            }
            region.told.insert(number, now);
        }
        if region.last.is_none_or(|last| !psn::before(last, start)) {
            self.counts.walks += 1;
            if !loose && !blocked && !region.unsure && now + 1 + slack <= region.since + apart {
                return error(format!("now {now:#x}, but it is waited since {:#x}", region.since));
            }
            (region.since, region.unsure) = (now, blocked);
        }
        region.last = Some(start);
        life.ranges.retain(|&(_, end)| !psn::before(end, window.base()));
        life.ranges.push((start, end));
        Ok(())
    }

    /// What has given way and is missing still is told again `refeedback` after its record has told it at the latest, or a walk's time after
    /// the one before. One walk serves all queue pairs.
    pub(super) fn walks_overdue(&mut self) -> Result<(), String> {
        let (clock, now) = (self.bench.clocks(), self.now);
        if !self.regions || self.blocked || !clock.is_multiple_of(LOOK) {
            return Ok(());
        }
        let params = *self.bench.golden.params();
        let busy = params.queue_pairs as u64 * (u64::from(params.packets()) * 16 + 12 * u64::from(params.segments()));
        let most = u64::from(self.config.refeedback)
            + u64::from(self.config.refeedback / 4)
            + (busy + self.late() + self.slow() + self.longest()) / self.prescale
            + 4;
        for (&qp, life) in self.lives.iter_mut().filter(|(_, life)| !life.loose()) {
            let Some(window) = self.bench.golden.window(qp) else { continue };
            let Some(region) = life.region.as_mut().filter(|region| region.left.is_none()) else { continue };
            for number in window.missing(window.base(), region.edge) {
                let told = *region.told.entry(number).or_insert(now);
                if now - told > most {
                    return Err(format!("{number:#x} of queue pair {qp} was told at {told:#x}, now {now:#x}, and has no record"));
                }
            }
            region.told.retain(|&number, _| !window.has(number));
        }
        Ok(())
    }
}
