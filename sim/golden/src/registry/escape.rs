//! The escape channel: packets that wait for their operation, and starts that wait for an entry.

use super::{Commit, Drop, Event, Header, Mismatch, Moment, Registry, Seen, Status, Trace, Verdict, commit::Outcome, mismatch};

/// Why a start waits for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// the registry is full, or an older start waits because it was
    Full,
    /// its source is at its quota, or an older start of that source waits because it was
    Quota,
}

/// Unstalled clocks that the try of one packet may take: for so long it may be on its way past one that becomes eligible meanwhile.
const IN_FLIGHT: u64 = 64;

/// One waiting packet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub header: Header,
    pub frame: u64,
    pub slot: u32,
    pub arrived: Moment,
    /// since when it may be replayed
    pub eligible: Option<Moment>,
    /// a start that waits for an entry; a body waits for its operation
    pub need: Option<Need>,
}

impl Registry {
    /// What a start that needs an entry has to wait for, at position `older` in the age order; `None`: it may have one.
    ///
    /// A new one goes behind every start that waits for a full registry and behind every start of its own source. A replayed one goes
    /// behind those that are older, but may have been on its way already when the oldest became eligible: `registered` says that hardware
    /// let it through. Past an older one of its own operation it may be so only as [`Registry::replay`] says.
    pub(super) fn entry_need(&self, src: u16, older: usize, registered: bool) -> Option<Need> {
        let held = self.entries.iter().filter(|entry| entry.src == src).count();
        let replayed = older < self.escape.len();
        let blocks = |waiting: &&Waiting| waiting.need == Some(Need::Full) || (waiting.need.is_some() && waiting.header.src == src);
        let blocker = self.escape[..older].iter().find(blocks);
        let on_its_way = |blocker: &Waiting| {
            let same = replayed && blocker.header.src == src && blocker.header.op == self.escape[older].header.op;
            let in_time = |since: Moment| self.now.unstalled <= since.unstalled + IN_FLIGHT;
            registered && replayed && blocker.eligible.is_some_and(|since| in_time(since) && (!same || self.under_way_at(since)))
        };
        // behind a start that waits for a full registry, a new one waits for the same, whatever else it would wait for
        let behind = !replayed && self.escape.iter().any(|waiting| waiting.need == Some(Need::Full));
        if self.entries.len() >= self.params.entries {
            return Some(Need::Full);
        }
        if held < usize::from(self.config.entry_quota) {
            let blocker = blocker.filter(|blocker| !on_its_way(blocker))?;
            return Some(if behind || blocker.need == Some(Need::Full) { Need::Full } else { Need::Quota });
        }
        Some(if behind { Need::Full } else { Need::Quota })
    }

    /// A packet that found nothing goes in, or is dropped.
    pub(super) fn enter_escape(&mut self, frame: u64, slot: u32, header: &Header, need: Option<Need>) -> Outcome {
        let held = self.escape.iter().filter(|waiting| waiting.header.src == header.src).count();
        if held >= usize::from(self.config.escape_quota) {
            return Outcome::silent(Verdict::Dropped(Drop::Quota));
        }
        if self.escape.len() >= self.params.escape_slots {
            return Outcome::silent(Verdict::Dropped(Drop::EscapeFull));
        }
        self.escape.push(Waiting { header: *header, frame, slot, arrived: self.now, eligible: None, need });
        self.events.push(Event::Escaped);
        Outcome::Wait(need)
    }

    /// A registration, or a done word written: what waits for this op index may be replayed.
    pub(super) fn wake(&mut self, src: u16, index: u16) {
        for waiting in &mut self.escape {
            if waiting.header.src == src && self.params.index(waiting.header.op) == index {
                waiting.eligible.get_or_insert(self.now);
            }
        }
    }

    /// The oldest start that waits for a full registry, and the oldest of each source at its quota, if their need is gone.
    pub(super) fn wake_starts(&mut self) {
        if self.entries.len() >= self.params.entries {
            return;
        }
        if let Some(first) = self.escape.iter().position(|waiting| waiting.need == Some(Need::Full)) {
            self.escape[first].eligible.get_or_insert(self.now);
        }
        for at in 0..self.escape.len() {
            let Waiting { need, header, .. } = &self.escape[at];
            let src = header.src;
            if *need == Some(Need::Quota)
                && !self.escape[..at].iter().any(|older| older.header.src == src && older.need == Some(Need::Quota))
                && self.entry_need(src, at, false).is_none()
            {
                self.escape[at].eligible.get_or_insert(self.now);
            }
        }
    }

    /// Whether the packet whose verdict comes now can have been on its way at `since`: one is tried at a time, so its try began after the
    /// verdict of the one before.
    fn under_way_at(&self, since: Moment) -> bool {
        self.tried.is_none_or(|before| before < since.clock) && self.now.unstalled <= since.unstalled + IN_FLIGHT
    }

    /// A packet of (src, op) with this tag (frame number modulo 2^16) was replayed.
    ///
    /// Older packets of its operation that may be replayed go before it, unless they became eligible when it was on its way. One whose time
    /// is up may be dropped while an older start waits for an entry that is free. `seen.expired`: it was dropped for its timer.
    /// # Errors
    /// No such packet waits, an older one of its operation should have gone first, or its timer cannot have run out yet.
    pub fn replay(&mut self, tag: u16, src: u16, op: u32, seen: Seen) -> Result<Commit, Mismatch> {
        let found = self.escape.iter().position(|w| w.frame as u16 == tag && w.header.src == src && w.header.op == op);
        let Some(at) = found else {
            return mismatch!("tag {tag} (src {src} op {op:#06x}) was replayed, but no such packet waits in the escape channel");
        };
        let first = self.escape[..at].iter().find(|older| {
            older.header.src == src && older.header.op == op && older.eligible.is_some_and(|since| !self.under_way_at(since))
        });
        let overtaken = first.map(|older| older.frame);
        let Waiting { header, frame, slot, arrived, eligible, .. } = self.escape[at].clone();
        let mut outcome = self.decide(&header, at, seen)?;
        self.tried = Some(self.now.clock);
        if let Outcome::Wait(need) = outcome {
            let expired = seen.expired.unwrap_or(self.now.clock >= self.earliest(arrived, self.config.escape_timeout));
            if expired && !self.may_have_expired(arrived, self.config.escape_timeout) {
                return mismatch!(
                    "frame {frame} was dropped for its time-out at clock {}, but it waits only since clock {}",
                    self.now.clock,
                    arrived.clock
                );
            }
            if expired {
                outcome = Outcome::silent(Verdict::Dropped(Drop::EscapeTimeout));
            } else {
                self.escape[at].eligible = None;
                self.escape[at].need = need;
                self.wake_starts();
                return Ok(self.take_commit(Trace::Stays, frame, &header, None));
            }
        } else if seen.expired == Some(true) {
            return mismatch!("frame {frame} was dropped for its time-out, but its verdict is {outcome:?}");
        }
        // a try that changes nothing overtakes nobody, nor does one that only its time ended
        let dropped = matches!(outcome, Outcome::Final { verdict: Verdict::Dropped(_), .. });
        if let Some(older) = overtaken.filter(|_| eligible.is_some() || !dropped) {
            return mismatch!(
                "frame {frame} (src {src} op {op:#06x}) was replayed before frame {older}, which arrived before it and is eligible"
            );
        }
        let waiting = self.escape.remove(at);
        debug_assert_eq!(waiting.frame, frame);
        if !dropped {
            self.events.push(Event::Replayed);
        }
        self.finish_packet(Trace::Replay, frame, slot, &header, outcome, true)
    }

    /// The entry of (src, op) was freed for its time-out.
    /// # Errors
    /// There is no such entry, or it made progress too lately.
    pub fn op_timeout(&mut self, src: u16, op: u32) -> Result<Commit, Mismatch> {
        let Some(at) = self.live(src, op) else {
            return mismatch!("op time-out of src {src} op {op:#06x}, which is not live");
        };
        let progress = self.entries[at].progress;
        if !self.may_have_expired(progress, self.config.op_timeout) {
            return mismatch!(
                "op time-out of src {src} op {op:#06x} at clock {}, but it made progress at clock {}",
                self.now.clock,
                progress.clock
            );
        }
        self.events.push(Event::OpTimeout);
        let entry = self.end_entry(at, Status::OpTimeout);
        self.tell_end(&entry, Status::OpTimeout, true);
        self.wake_starts();
        Ok(self.take_state_commit(Trace::OpTimeout, src, op))
    }

    /// The sweeper cleared the done word of `src` at the index of `op`; a word has no other name.
    /// # Errors
    /// There is no such word, or it is too young.
    pub fn sweep(&mut self, src: u16, op: u32) -> Result<Commit, Mismatch> {
        let key = (src, self.params.index(op));
        let Some(word) = self.done.get(&key).copied() else {
            return mismatch!("the done word of src {src} index {} was swept, but there is none", key.1);
        };
        if !self.may_have_expired(word.tick, self.config.t_life) {
            return mismatch!(
                "the done word of src {src} op {op:#06x} was swept at clock {}, but it was written at clock {}",
                self.now.clock,
                word.tick.clock
            );
        }
        self.done.remove(&key);
        Ok(self.take_state_commit(Trace::Sweep, src, op))
    }
}
