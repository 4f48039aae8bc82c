//! What a receiver says: gaps judged as time passes, acknowledgements and feedback messages when the wire has room.

use super::super::gap::{Gap, GapState};
use super::super::tolerance::View;
use super::super::{Ack, Cause, Ffm, RangeAck, credits, psn};
use super::{QueuePair, Receiver, What, view};
use crate::paths::Fault;

/// A message for the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    Ack(Ack),
    Range(RangeAck),
    Ffm(Ffm),
}

/// A gap record has come into a state; `None`: it is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapEvent {
    pub qp: u32,
    pub start: u32,
    pub length: u32,
    pub state: Option<GapState>,
}

impl GapEvent {
    pub(super) fn now(qp: u32, gap: &Gap) -> GapEvent {
        GapEvent { qp, start: gap.start, length: gap.length(), state: Some(gap.state) }
    }

    pub(super) fn filled(qp: u32, gap: &Gap) -> GapEvent {
        GapEvent { state: None, ..GapEvent::now(qp, gap) }
    }
}

/// Missing packets of the gaps that are lost and not yet told.
fn untold(at: &QueuePair) -> u64 {
    let lost = at.records.all.iter().filter(|gap| gap.state == GapState::Lost);
    lost.map(|gap| at.window.missing(gap.start, gap.end).count() as u64).sum()
}

/// Path that a gap is put down to. From end to end it is that of its first packet now: those before it have come since the gap was seen.
fn blamed(view: &View, gap: &Gap) -> u8 {
    let is_kept = matches!(view.fault, Some(Fault::ReceiverBlamesNext | Fault::ReceiverNamesOnce));
    if view.strayed.is_empty() || is_kept { gap.path } else { view.named(gap.start) }
}

impl Receiver {
    /// Time is `now` ticks: every gap is looked at.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        let open: Vec<u32> = self.open_queue_pairs().collect();
        open.into_iter().for_each(|qp| self.judge(qp));
    }

    /// Moves waiting gaps on that are lost.
    pub(super) fn judge(&mut self, qp: u32) {
        let now = self.now;
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return };
        let mut lost = Vec::new();
        for index in 0..at.records.all.len() {
            let gap = at.records.all[index];
            if gap.state != GapState::Waiting {
                continue;
            }
            let Some(cause) = view(&self.params, &self.config, at, now, self.fault).lost(&gap) else { continue };
            let gap = Gap {
                state: GapState::Lost,
                cause,
                lost_at: now,
                path: blamed(&view(&self.params, &self.config, at, now, self.fault), &gap),
                ..gap
            };
            at.records.all[index] = gap;
            at.statistics.losses += 1;
            if let Some(on_path) = at.paths.get_mut(usize::from(gap.path)) {
                on_path.losses += 1;
            }
            self.events.push_back(GapEvent::now(qp, &gap));
            lost.push((gap.path(), What::Lost { start: gap.start, length: gap.length() }));
        }
        at.waiting = at.records.all.iter().filter(|gap| gap.state == GapState::Lost).map(|gap| gap.lost_at).min();
        lost.into_iter().for_each(|(path, what)| self.happens(qp, path, what));
    }

    /// The gap whose feedback message goes out next, if one does. Once enough is lost, every gap that is lost then is told.
    fn feedback(&mut self, qp: u32) -> Option<usize> {
        let (now, config) = (self.now, self.config);
        let at = self.queue_pairs.get_mut(&qp)?;
        let late = at.waiting.is_some_and(|since| now - since > config.feedback_wait.into());
        if late || at.waiting.is_some() && untold(at) >= config.feedback_threshold.into() {
            at.records.all.iter_mut().for_each(|gap| gap.due |= gap.state == GapState::Lost);
        }
        let repeated = |gap: &Gap| gap.state == GapState::Reported && now - gap.reported_at > config.refeedback.into();
        at.records.all.iter().position(|gap| gap.due || repeated(gap))
    }

    /// The wire has room for a message of `qp`: feedback first, the acknowledgement last.
    pub fn message_of(&mut self, qp: u32) -> Option<Message> {
        let now = self.now;
        let feedback = self.feedback(qp);
        let at = self.queue_pairs.get_mut(&qp)?;
        let credits = if self.config.advertise { credits(at.window.open()) } else { 31 };
        let (base, edge) = (at.window.base(), at.window.max());
        if let Some(index) = feedback {
            let mut gap = at.records.all[index];
            gap.path = blamed(&view(&self.params, &self.config, at, now, self.fault), &gap);
            let again = gap.state == GapState::Reported;
            let repeat = gap.repeat.saturating_add(again.into());
            let told = Gap { state: GapState::Reported, reported_at: now, due: false, repeat, ..gap };
            at.records.all[index] = told;
            at.statistics.reports += 1;
            at.statistics.repeats += u64::from(again);
            self.events.push_back(GapEvent::now(qp, &told));
            let depth = view(&self.params, &self.config, &self.queue_pairs[&qp], now, self.fault).depth(&gap).min(0xffff) as u16;
            let misjudged = self.queue_pairs[&qp].statistics.misjudged.min(0xff_ffff) as u32;
            let status = if again { Cause::Repeated } else { gap.cause };
            // From end to end the message says it as the wire does: 0 none, else path + 1.
            let is_code = self.happened.is_some() && self.fault != Some(Fault::ReceiverMessageOffByOne);
            let path = if is_code { gap.path.wrapping_add(1) } else { gap.path };
            let (start, length, timestamp) = (gap.start, gap.length(), now as u32);
            self.happens(qp, gap.path(), What::Told);
            let ffm = Ffm { qp, start, length, edge, base, timestamp, path, status, depth, repeat, misjudged };
            return Some(Message::Ffm(ffm));
        }
        if let Some((start, end)) = at.records.walk(&at.window, now, self.config.refeedback) {
            at.statistics.reports += 1;
            at.statistics.repeats += 1;
            let depth = psn::ahead(start, edge).min(0xffff) as u16;
            let misjudged = at.statistics.misjudged.min(0xff_ffff) as u32;
            let (length, timestamp, status) = (psn::ahead(start, end) + 1, now as u32, Cause::Repeated);
            return Some(Message::Ffm(Ffm { qp, start, length, edge, base, timestamp, path: 0, status, depth, repeat: 1, misjudged }));
        }
        if let Some(number) = at.range_due.take().filter(|&number| psn::before(base, number)) {
            let (first, last) = at.window.run(number);
            return Some(Message::Range(RangeAck { qp, base, start: first, length: psn::ahead(first, last) + 1 }));
        }
        let due = std::mem::take(&mut at.ack_due);
        due.then_some(Message::Ack(Ack { qp, psn: psn::sub(base, 1), credits }))
    }

    /// Hardware has told of `start ..= end`: every gap that meets it counts as told now. What the gaps were before.
    pub fn adopt(&mut self, qp: u32, start: u32, end: u32) -> Vec<Gap> {
        let now = self.now;
        let Some(at) = self.queue_pairs.get_mut(&qp) else { return Vec::new() };
        let meets = |gap: &Gap| gap.holds(start) || psn::ahead(start, gap.start) <= psn::ahead(start, end);
        let mut were = Vec::new();
        for gap in at.records.all.iter_mut().filter(|gap| meets(gap)) {
            were.push(*gap);
            let again = gap.state == GapState::Reported;
            let repeat = gap.repeat.saturating_add(again.into());
            *gap = Gap { state: GapState::Reported, reported_at: now, due: false, repeat, ..*gap };
            at.statistics.reports += 1;
            at.statistics.repeats += u64::from(again);
        }
        at.waiting = at.records.all.iter().filter(|gap| gap.state == GapState::Lost).map(|gap| gap.lost_at).min();
        were
    }

    /// The wire has room: the next message, queue pairs in turn.
    pub fn message(&mut self) -> Option<Message> {
        let open: Vec<u32> = self.open_queue_pairs().collect();
        let first = open.partition_point(|&qp| qp <= self.turn);
        let order = open[first..].iter().chain(&open[..first]).copied();
        let (qp, message) = order.filter_map(|qp| Some((qp, self.message_of(qp)?))).next()?;
        self.turn = qp;
        Some(message)
    }

    /// What became of gaps since it was last asked.
    pub fn take_events(&mut self) -> Vec<GapEvent> {
        self.events.drain(..).collect()
    }
}
