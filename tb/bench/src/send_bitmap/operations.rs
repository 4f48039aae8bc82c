//! What an operation made of a queue pair, held against the model.

use super::{Ask, Bench, Done, Feedback};
use rdma_rtl_golden::bitmap::sender::{Sender, State};
use rdma_rtl_golden::bitmap::{Ack, Cause, Ffm, RangeAck, psn};
use std::collections::{BTreeMap, VecDeque};

/// Moments that are the block's choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// queue pairs that can send again, since which clock
    ready: BTreeMap<u32, u64>,
    /// queue pairs whose timer is overdue
    late: BTreeMap<u32, u64>,
    /// refused because of an operation of a timer, which is to be told
    blocked: BTreeMap<u32, u64>,
    /// queue pairs in error, which are to be told
    pub(super) failed: VecDeque<u32>,
    /// packets that were sent again, in which operation last
    again: BTreeMap<(u32, u32), u64>,
    /// operations were not taken, since the last look at what is overdue
    pub(super) stalled: bool,
    /// last clock without a token
    empty: u64,
    /// clock until which tokens may be kept for what is to be sent again
    kept: u64,
    slack: u64,
}

/// Clocks from a tick to its tokens.
const TOKENS_LATE: u64 = 8;

/// Clocks until it is known that nothing waits for tokens any more, besides the timers that go first.
const TOKENS_KEPT: u64 = 200;
/// Clocks of a timer that has run out, besides its segments.
const TIMER: u64 = 20;

impl Watch {
    pub(super) fn just_ready(&self, qp: u32, at: u64) -> bool {
        self.ready.get(&qp).is_none_or(|&since| at < since + self.slack)
    }

    /// Tokens of a tick come, when there were so many: the block may use those up before it has made the new ones.
    pub(super) fn filled(&mut self, at: u64, before: u64) {
        if before < TOKENS_LATE {
            self.empty = at + TOKENS_LATE;
        }
    }

    /// A token may be on its way, or kept for what is to be sent again.
    pub(super) fn starves(&self, at: u64) -> bool {
        at <= self.empty || at < self.kept
    }

    pub(super) fn about_tokens(&self) -> String {
        format!("none or kept until clocks {} and {}", self.empty, self.kept)
    }

    pub(super) fn blocked(&mut self, qp: u32, at: u64) {
        self.blocked.entry(qp).or_insert(at);
    }
}

impl Bench<'_> {
    /// Clocks that a turn of all queue pairs may take.
    fn patience(&self) -> u64 {
        400 + u64::from(self.shape.queue_pairs) * (150 + 6 * self.shape.segments())
    }

    pub(super) fn done(&mut self, done: Done) -> Result<(), String> {
        let Done { kind, qp, accepted, base, count, .. } = done;
        self.counts.done[kind as usize % 9] += 1;
        let before = self.golden.base(qp);
        let ask = if kind < 7 { self.under_way.pop_front() } else { None };
        if kind != 0 && kind != 1 && kind != 2 && kind != 8 {
            self.watch.blocked.remove(&qp);
        }
        let expected = match (kind, ask) {
            (0, Some(Ask::Feedback(to, Feedback::Ack { psn, credits }))) if to == qp => {
                // More than the window has place for counts as the window.
                let credits = if credits < 23 { credits.min(self.shape.window.ilog2() as u8) } else { credits };
                (self.golden.ack(Ack { qp, psn, credits }), 0)
            }
            (1, Some(Ask::Feedback(to, Feedback::Range { base, start, length }))) if to == qp => {
                (self.golden.range_ack(RangeAck { qp, base, start, length }), 0)
            }
            (2, Some(Ask::Feedback(to, Feedback::Single { psn }))) if to == qp => {
                let base = before.unwrap_or(0);
                (self.golden.range_ack(RangeAck { qp, base, start: psn, length: 1 }), 0)
            }
            (2, Some(Ask::Feedback(to, Feedback::Unknown { .. }))) if to == qp => (false, 0),
            (3, Some(Ask::Feedback(to, Feedback::Message { base, start, length }))) if to == qp => {
                let fresh = self.message(qp, base, start, length, count);
                (before.is_some() && length > 0 && length < psn::HALF, fresh)
            }
            (4, Some(Ask::Feedback(to, Feedback::Manage { start, length }))) if to == qp => {
                (before.is_some() && length > 0 && length < psn::HALF, self.golden.manage(qp, start, length))
            }
            (5, Some(Ask::Open { qp: to, psn })) if to == qp => {
                self.golden.open(qp, psn);
                self.used = self.used.max(qp + 1);
                (true, 0)
            }
            (6, Some(Ask::Close { qp: to })) if to == qp => {
                self.golden.close(qp);
                self.watch.ready.remove(&qp);
                return Ok(());
            }
            (7, None) => return self.timer(qp, accepted, count),
            (8, None) => return self.again(done),
            _ => return Err(format!("{ask:x?} was under way")),
        };
        if expected != (accepted, count) {
            return Err(format!("accepted, packets: {:?}, the model has {expected:?} for {ask:x?}", (accepted, count)));
        }
        self.counts.fresh += u64::from(count);
        let suppressed = match ask {
            Some(Ask::Feedback(_, Feedback::Message { length, .. } | Feedback::Manage { length, .. })) if accepted => length - count,
            Some(Ask::Feedback(_, Feedback::Message { .. } | Feedback::Manage { .. })) => 1,
            _ => 0,
        };
        if done.suppressed != u64::from(suppressed) {
            return Err(format!("{} suppressed, the model has {suppressed} for {ask:x?}", done.suppressed));
        }
        let after = self.golden.base(qp);
        if accepted && kind != 5 && (after != Some(base) || (before != after) != done.moved) {
            return Err(format!("the model's base is {after:x?}, was {before:x?}, for {ask:x?}"));
        }
        self.note_ready();
        Ok(())
    }

    fn message(&mut self, qp: u32, base: u32, start: u32, length: u32, count: u32) -> u32 {
        let ffm = Ffm { qp, start, length, base, edge: 0, timestamp: 0, path: 0, status: Cause::Depth, depth: 0, repeat: 0, misjudged: 0 };
        let surely = self.surely();
        let mut trial = self.golden.clone();
        let certain = trial.feedback_judged(&ffm, |_, passed| passed > surely);
        let named = |number| length > 0 && length < psn::HALF && psn::ahead(start, number) < length;
        let due = self.due(&trial, qp, named, count.saturating_sub(certain) as usize);
        self.golden.feedback_judged(&ffm, |number, passed| passed > surely || due.contains(&number))
    }

    /// Ticks after which what was sent again is old enough in any case.
    fn surely(&self) -> u64 {
        let dedup = u64::from(self.golden.config().dedup);
        dedup + dedup / 2 + 4
    }

    /// Which of the packets that were sent again are old enough is the block's choice, between one and one and a half times `dedup`; those
    /// of the oldest operations go first. So many are, of those that `trial` has left.
    fn due(&mut self, trial: &Sender, qp: u32, named: impl Fn(u32) -> bool, chosen: usize) -> Vec<u32> {
        let dedup = u64::from(self.golden.config().dedup);
        let mut open: Vec<(u64, u32)> = Vec::new();
        let order = |number: u32| self.watch.again.get(&(qp, number)).copied().unwrap_or_default();
        if self.golden.base(qp).is_some() {
            let from = self.golden.base(qp).unwrap_or(0);
            let sent = psn::ahead(from, self.golden.next(qp).unwrap_or(from));
            for number in (0..sent).map(|offset| psn::add(from, offset)).filter(|&number| named(number)) {
                if let (Some(State::Retransmitted), Some(passed)) = (trial.state(qp, number), self.golden.sent_again(qp, number))
                    && passed > dedup
                {
                    open.push((order(number), number));
                }
            }
        }
        open.sort_unstable();
        // Those of one operation go together.
        let as_one = chosen == 0 || chosen >= open.len() || open[chosen - 1].0 != open[chosen].0;
        let due: Vec<u32> = open.iter().take(if as_one { chosen } else { 0 }).map(|&(_, number)| number).collect();
        self.counts.chosen += due.len() as u64;
        due
    }

    fn timer(&mut self, qp: u32, accepted: bool, count: u32) -> Result<(), String> {
        if !accepted {
            return Err("a timer of a queue pair that waits for nothing".into());
        }
        let surely = self.surely();
        let counted = |sender: &Sender| {
            let from = sender.base(qp).unwrap_or(0);
            let sent = psn::ahead(from, sender.next(qp).unwrap_or(from));
            (0..sent).filter(|&offset| sender.state(qp, psn::add(from, offset)) == Some(State::Retransmitted)).count()
        };
        let before = counted(&self.golden);
        let mut trial = self.golden.clone();
        trial.run_out_judged(qp, |_, passed| passed > surely);
        let certain = before - counted(&trial);
        let due = self.due(&trial, qp, |_| true, (count as usize).saturating_sub(certain));
        match self.golden.run_out_judged(qp, |number, passed| passed > surely || due.contains(&number)) {
            None => Err("the timer has not run out yet".into()),
            Some(_) if before - counted(&self.golden) != count as usize => {
                Err(format!("{count} packets count as sent again no more, the model has {}", before - counted(&self.golden)))
            }
            Some(is_error) => {
                self.watch.late.remove(&qp);
                self.counts.errors += u64::from(is_error);
                self.watch.failed.extend(is_error.then_some(qp));
                self.note_ready();
                Ok(())
            }
        }
    }

    fn again(&mut self, done: Done) -> Result<(), String> {
        let Done { qp, count, start, .. } = done;
        let most = if self.registers.rate.is_some() { count } else { u32::MAX };
        let found = self.golden.retransmit_of(qp, most).map(|operation| (operation.start, operation.length));
        if found != Some((start, count)) {
            return Err(format!("the model would send {found:x?}"));
        }
        if !(1..8).contains(&done.reason) {
            return Err(format!("reasons {:#b}", done.reason));
        }
        self.counts.sent_again += u64::from(count);
        self.sent_again.push((qp, start, count));
        let operation = self.counts.done[8];
        self.watch.again.extend((0..count).map(|at| ((qp, psn::add(start, at)), operation)));
        self.watch.ready.remove(&qp);
        self.note_ready();
        Ok(())
    }

    pub(super) fn note_ready(&mut self) {
        self.watch.slack = self.patience();
        if (0..self.used).any(|qp| self.golden.can_send_again(qp)) || !self.watch.ready.is_empty() {
            // Each queue pair's timer may go before the next look at who waits.
            let timers = u64::from(self.shape.queue_pairs) * (TIMER + self.shape.segments());
            self.watch.kept = self.clocks + TOKENS_KEPT + timers;
        }
        for qp in 0..self.used {
            if self.golden.can_send_again(qp) {
                self.watch.ready.entry(qp).or_insert(self.clocks);
            } else {
                self.watch.ready.remove(&qp);
            }
        }
    }

    /// Nothing waits for longer than it may.
    pub(super) fn overdue(&mut self) -> Result<(), String> {
        let stalled = std::mem::take(&mut self.watch.stalled);
        self.note_ready();
        let (now, patience) = (self.clocks, self.patience());
        for qp in 0..self.used {
            if self.golden.overdue(qp).is_some() {
                let since = *self.watch.late.entry(qp).or_insert(now);
                if stalled {
                    self.watch.late.insert(qp, now);
                } else if now > since + patience {
                    return Err(format!("the timer of queue pair {qp} was to run out on clock {since}"));
                }
            } else {
                self.watch.late.remove(&qp);
            }
        }
        if stalled || self.registers.rate.is_some() {
            self.watch.ready.values_mut().for_each(|since| *since = now);
        }
        if let Some((qp, since)) = self.watch.ready.iter().find(|&(_, &since)| now > since + patience) {
            return Err(format!("queue pair {qp} can send again since clock {since}, in mode {:?}", self.registers.config.mode));
        }
        if let Some((qp, since)) = self.watch.blocked.iter().find(|&(_, &since)| now > since + patience) {
            return Err(format!("queue pair {qp} was refused for an operation on clock {since} that is never told"));
        }
        Ok(())
    }
}
