//! Hardware that has read its bitmap anew, and whose records stand for other runs of missing packets than the model's.

use super::super::gap::Gap;
use super::super::psn;
use super::Receiver;

impl Receiver {
    /// Hardware keeps one record of `start ..= end`: the gaps in it are one.
    pub fn merge(&mut self, qp: u32, start: u32, end: u32) {
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let inside = |gap: &Gap| psn::ahead(start, gap.start) <= psn::ahead(start, end);
        let Some(first) = at.records.all.iter().position(inside) else { return };
        let count = at.records.all[first..].iter().take_while(|gap| inside(gap)).count();
        let parts: Vec<Gap> = at.records.all.drain(first..first + count).collect();
        let (last, repeat) = (parts[count - 1].end, parts.iter().map(|gap| gap.repeat).max());
        at.records.all.insert(first, Gap { end: last, repeat: repeat.unwrap_or_default(), ..parts[0] });
    }

    /// Hardware keeps a record that begins at `start` and ends at `end`: a gap that covers more is parted there, if a packet between has
    /// arrived.
    pub fn part(&mut self, qp: u32, start: u32, end: u32) {
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        for last in [psn::sub(start, 2), end] {
            let arrived = psn::add(last, 1);
            let Some(index) = at.records.all.iter().position(|gap| gap.holds(arrived)) else { continue };
            let gap = at.records.all[index];
            let parts = (at.window.missing_between(gap.start, last), at.window.missing_between(psn::add(last, 2), gap.end));
            if let (true, (Some(left), Some(right))) = (at.window.has(arrived), parts) {
                at.records.all[index] = Gap { start: left.0, end: left.1, ..gap };
                at.records.all.insert(index + 1, Gap { start: right.0, end: right.1, ..gap });
            }
        }
    }
}
