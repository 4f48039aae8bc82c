//! What the hardware tells: reports of gaps, their messages, acknowledgements.

use super::life::Life;
use super::{Follow, Told};
use rdma_rtl_golden::bitmap::{Cause, DepthMode, Gap, GapState, PathMode, psn};

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
    pub path: u32,
    /// clock in which it was made
    pub made: u64,
}

/// A gap that was told, and whose message is on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) made: u64,
    pub(super) qp: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// nothing was known of its record
    pub(super) vague: bool,
    /// it has none any more
    pub(super) walk: bool,
    /// packets before its first one that were missing when it was judged, and have come since
    pub(super) filled: u32,
}

impl Follow<'_> {
    /// The hardware tells of a gap.
    pub(super) fn report(&mut self) -> Result<(), String> {
        if self.bench.get("evt_report") == 0 {
            return Ok(());
        }
        let (clock, now) = (self.bench.clocks(), self.now);
        let [qp, start, end] = ["told_qp", "told_start", "told_end"].map(|name| self.get(name));
        let again = self.bench.get("evt_repeat") == 1;
        self.note(clock, Told::Gap(qp, start, end));
        self.counts.reports += 1;
        let (late, grouped) = (self.late(), self.grouped());
        let mut filled = 0;
        self.owed.retain(|owed| {
            let ahead = psn::ahead(owed.start, start);
            let inside = owed.qp == qp && ahead <= psn::ahead(owed.start, owed.end);
            filled = filled.max(if inside { ahead } else { 0 });
            !inside && (owed.qp != qp || psn::ahead(start, owed.start) > psn::ahead(start, end))
        });
        let walk = self.regions && self.bench.get("told_walk") == 1;
        self.told.push_back(Report { made: clock, qp, start, end, vague: false, walk, filled });
        if walk {
            return self.walked(qp, start, end);
        }
        let Some(window) = self.bench.golden.window(qp) else { return Ok(()) };
        let (base, max) = (window.base(), window.max());
        let Some(life) = self.lives.get_mut(&qp) else { return Ok(()) };
        life.ranges.retain(|&(_, end)| !psn::before(end, base));
        life.ranges.push((start, end));
        let error = |why: &str| Err(format!("queue pair {qp} tells of {start:#x} to {end:#x}, {why}"));
        // An end may have arrived not long ago; nothing behind it is known.
        for number in [start, end] {
            let arrived = !psn::before(max, number) && window.has(number);
            if arrived && life.accepted.get(&number).is_none_or(|at| at + late < clock) && !life.loose() {
                return error(&format!("{number:#x} arrived long ago; base {base:#x}"));
            }
        }
        if psn::ahead(start, end) >= self.bench.golden.params().packets() || psn::before(max, end) {
            return error(&format!("which is more than there is up to {max:#x}"));
        }
        self.bench.golden.part(qp, start, end);
        let were = self.bench.golden.adopt(qp, start, end);
        if life.loose() {
            return Ok(());
        }
        let vague = !life.known(start, end);
        if vague {
            self.bench.golden.merge(qp, start, end);
            self.told.iter_mut().last().into_iter().for_each(|report| report.vague = true);
        }
        let recent = |number: u32| life.accepted.get(&number).is_some_and(|at| at + late >= clock);
        // First of the packets that have come right before the gap not long ago: it was one with them when it was judged. Of several paths
        // each has its own packets before a gap, so that this would excuse what is wrong with paths.
        let mut first = start;
        while recent(psn::sub(first, 1)) {
            first = psn::sub(first, 1);
        }
        let by_distance = self.config.depth_mode == DepthMode::Distance && self.bench.golden.params().paths == 1;
        let was_deeper = first != start && by_distance && psn::ahead(first, max) > self.config.depth;
        let own = |gap: &Gap| match gap.state {
            // By the number of a packet that came behind the gap's first one, which waits in the queue, or did when it was judged.
            GapState::Waiting => recent(start) || was_deeper,
            GapState::Lost => !again,
            // The hardware has the tick of two clocks before.
            GapState::Reported => again && now + 1 - gap.reported_at > u64::from(self.config.refeedback),
        };
        let one = were.iter().any(own);
        // The packet that has completed a group between two gaps need not lie beside one.
        let within = |(&number, &at): (&u32, &u64)| psn::ahead(start, number) <= psn::ahead(start, end) && at + late >= clock;
        let completed = grouped && life.accepted.iter().any(within);
        for gap in &were {
            // The packets that have split the gap may wait in the queue.
            let whole = [(gap.start != start, psn::sub(gap.start, 1)), (gap.end != end, psn::add(gap.end, 1))];
            let joined =
                gap.state == GapState::Waiting && one && whole.iter().any(|&(other, number)| other && (completed || recent(number)));
            let due = vague || own(gap) || joined;
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
    pub(super) fn ffm(&mut self) -> Result<Option<Message>, String> {
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
        let path = if self.bench.golden.params().paths > 1 { self.bench.get("ffm_path") } else { 0 };
        let values: Vec<u64> = names.iter().map(|name| self.bench.get(name)).chain([path]).collect();
        if self.offered.take().is_some_and(|offered| offered != values) {
            return Err("a message that was offered has changed".into());
        }
        if !ready {
            self.offered = Some(values);
            self.blocked = true;
            return Ok(None);
        }
        let v = |at: usize| values[at] as u32;
        let Some(Report { made, qp, start, end, vague, walk, filled }) = self.told.pop_front() else {
            return Err("a message about nothing".into());
        };
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
            path: v(10),
            made,
        };
        self.counts.causes[message.status as usize % 5] += 1;
        if (message.qp, message.start, message.length) != (qp, start, psn::ahead(start, end) + 1) {
            return Err(format!("{message:x?}, but told was {start:#x} to {end:#x} of {qp}"));
        }
        self.note(self.bench.clocks(), Told::Message(message));
        self.fields(&message, vague, walk, filled)?;
        Ok(Some(message))
    }

    /// What a message says besides its range.
    fn fields(&self, message: &Message, vague: bool, walk: bool, filled: u32) -> Result<(), String> {
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
        if walk {
            let as_it_is = !psn::before(window.base(), base) && !psn::before(start, base) && depth == psn::ahead(start, edge).min(0xffff);
            let said = (status, repeat) == (Cause::Repeated as u32, 1) && as_it_is;
            return if said { Ok(()) } else { error(format!("told again without a record; the base is {:#x}", window.base())) };
        }
        let loose = vague || self.lives.get(&qp).is_none_or(|life| life.loose() || message.made <= life.rebuilt + 2);
        if psn::before(window.base(), base) || !loose && psn::before(start, base) {
            return error(format!("the base is {:#x}", window.base()));
        }
        let by_distance = self.config.depth_mode == DepthMode::Distance && self.bench.golden.params().paths == 1;
        if by_distance && depth != psn::ahead(start, edge).min(0xffff) {
            return error("depth of another gap".into());
        }
        let filled = if self.config.depth_mode == DepthMode::Distance { filled } else { 0 };
        if status == Cause::Depth as u32 && depth + filled <= self.config.depth && !loose {
            return error("it is not that deep".into());
        }
        if (status == Cause::Repeated as u32) != (repeat > 0) && !loose && status == Cause::Repeated as u32 {
            return error("repeated for the first time".into());
        }
        if let Some(gap) = self.bench.golden.gaps(qp).iter().find(|gap| gap.start == start)
            && !loose
        {
            // A record that stood for several gaps, or for a part of one, was told as often as the bench cannot know.
            let counted = self.lives.get(&qp).is_some_and(|life| life.rebuilt == 0 && life.folds == 0);
            if counted && u32::from(gap.repeat) != repeat {
                return error(format!("repeat is not that of {gap:x?}"));
            }
            if counted && message.path != u32::from(gap.path) && !self.begun_before(qp, message) {
                return error(format!("the path is not that of {gap:x?}"));
            }
            let open = self.now - gap.first_seen;
            if status == Cause::Age as u32 && open <= u64::from(self.config.wait) {
                return error(format!("{gap:x?} has been open for {open}"));
            }
        }
        Ok(())
    }

    /// Groups of packets, paths by number: when the gap was searched, its first packet was another than when it was seen, this one or one
    /// that has come since.
    fn begun_before(&self, qp: u32, message: &Message) -> bool {
        let paths = u32::from(self.bench.golden.params().paths);
        let path = |number: u32| number / self.config.stripe % paths;
        let first = |number: u32| !psn::before(message.start, number) && path(number) == message.path;
        let came = |life: &Life| life.accepted.keys().any(|&number| first(number));
        let one = first(message.start) || self.lives.get(&qp).is_some_and(came);
        one && self.grouped() && self.bench.mode(qp) == PathMode::Striped
    }

    /// The stream of acknowledgements.
    pub(super) fn ack(&mut self) -> Result<(), String> {
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
        self.note(clock, Told::Ack(qp, psn::add(number, 1)));
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
        (life.acked, life.acked_at) = (Some(number), since);
        if life.owes_ack.is_some_and(|owed| owed + 3 <= since) && next == base {
            life.owes_ack = None;
        }
        Ok(())
    }
}
