//! What one packet does to the state, and what is told about it.

use super::escape::Need;
use super::told::{Item, Tell};
use super::{Complete, Done, Entry, Event, Header, Kind, Mismatch, Notify, Registry, Status, Verdict, VerdictBeat, initial_mask, mismatch};

/// Kinds of commits on the shared path, as `trace_kind` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// a header got its final verdict
    Header = 0,
    /// a header went to the escape channel
    Escaped = 1,
    /// a replayed packet got its final verdict
    Replay = 2,
    /// a replayed packet goes on waiting
    Stays = 3,
    /// an entry was freed for its time-out
    OpTimeout = 4,
    /// a done word was cleared for its age
    Sweep = 5,
    /// a done word was rewritten with write_error
    Rewrite = 6,
    /// without effect
    Nothing = 7,
}

/// What hardware decided about time; `None`: the model decides, at the earliest moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// the packet was stale and its op's completion was sent again
    pub renotified: Option<bool>,
    /// the packet was dropped because its escape timer ran out
    pub expired: Option<bool>,
    /// the packet became a live operation; asked only of a replayed start that older ones should have gone before
    pub registered: Option<bool>,
}

/// One commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub trace: Trace,
    /// frame number of the packet concerned, 0 if there is none
    pub frame: u64,
    pub src: u16,
    pub op: u32,
    pub verdict: Option<VerdictBeat>,
    /// counter events, sorted
    pub events: Vec<Event>,
}

/// How a packet comes out of the match.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Final { verdict: Verdict, tells: Vec<Tell>, ends: bool },
    Wait(Option<Need>),
}

impl Outcome {
    pub fn silent(verdict: Verdict) -> Outcome {
        Outcome::Final { verdict, tells: Vec::new(), ends: false }
    }

    fn told(verdict: Verdict, tell: Notify) -> Outcome {
        Outcome::Final { verdict, tells: vec![Tell::Notify(tell)], ends: false }
    }
}

fn completion(header: &Header, status: Status, packets: u16) -> Notify {
    Notify { kind: 0xc1, src: header.src, op: header.op, index: 0, status: status as u8, mask: 0, packets }
}

/// 0xc3 for one packet index: the first index of its group of 64, and its bit.
fn op_ack(header: &Header, position: u64, status: Status) -> Notify {
    let (index, mask) = ((position & !63) as u16, 1 << (position & 63));
    Notify { kind: 0xc3, src: header.src, op: header.op, index, status: status as u8, mask, packets: 0 }
}

impl Registry {
    /// The next header was committed.
    /// # Errors
    /// Hardware sent a completion again too early, or did not although it was time.
    pub fn header(&mut self, frame: u64, slot: u32, header: &Header, seen: Seen) -> Result<Commit, Mismatch> {
        let mut outcome = self.decide(header, self.escape.len(), seen)?;
        if let Outcome::Wait(need) = outcome {
            outcome = self.enter_escape(frame, slot, header, need);
        }
        match outcome {
            Outcome::Wait(_) => Ok(self.take_commit(Trace::Escaped, frame, header, None)),
            outcome => self.finish_packet(Trace::Header, frame, slot, header, outcome, false),
        }
    }

    /// Rules for one packet, in the order of the spec. `older` packets have waited longer than this one.
    pub(super) fn decide(&mut self, header: &Header, older: usize, seen: Seen) -> Result<Outcome, Mismatch> {
        let (src, op) = (header.src, header.op);
        let key = (src, self.params.index(op));
        if usize::from(src) >= self.params.sources {
            return Ok(Outcome::silent(Verdict::Rejected(Status::UnknownSource)));
        }
        if let Some(at) = self.live(src, op) {
            return Ok(self.decide_live(header, at));
        }
        if let Some(word) = self.done.get(&key).copied() {
            if word.op == op {
                return self.decide_done(header, word, seen);
            }
            if self.params.behind(op, word.op) {
                return Ok(Outcome::silent(Verdict::Stale));
            }
        }
        let older_entry = self.entries.iter().position(|entry| (entry.src, self.params.index(entry.op)) == key);
        if older_entry.is_some_and(|at| self.params.behind(op, self.entries[at].op)) {
            return Ok(Outcome::silent(Verdict::Stale));
        }
        Ok(match header.kind {
            Kind::Body => Outcome::Wait(None),
            Kind::Start => match self.check_start(header) {
                Err(reason) => self.reject_start(header, reason),
                Ok(()) if self.overlaps(header) => {
                    Outcome::told(Verdict::Rejected(Status::Overlap), completion(header, Status::Overlap, 0))
                }
                Ok(()) => self.start(header, older_entry, older, seen),
            },
            Kind::Arrival => {
                self.store_done(src, op, Status::Done);
                let complete = Complete {
                    arrival: true,
                    src,
                    op,
                    base: header.addr,
                    bytes: header.op_bytes,
                    packets: 0,
                    status: 0,
                    imm: header.imm,
                    mask: Vec::new(),
                };
                let tells = vec![self.complete_with_all_ones(complete), Tell::Notify(completion(header, Status::Done, 0))];
                Outcome::Final { verdict: Verdict::Written, tells, ends: false }
            }
            Kind::Abort => {
                self.store_done(src, op, Status::Aborted);
                Outcome::told(Verdict::Written, completion(header, Status::Aborted, 0))
            }
        })
    }

    /// The packet's own operation is live.
    fn decide_live(&mut self, header: &Header, at: usize) -> Outcome {
        let conflict = Outcome::told(Verdict::Rejected(Status::Conflict), completion(header, Status::Conflict, 0));
        match header.kind {
            Kind::Body => self.body(header, at),
            Kind::Start => {
                let entry = &self.entries[at];
                let same = entry.base == header.addr && entry.op_bytes == header.op_bytes && entry.count == header.count;
                match self.check_start(header) {
                    Err(reason) => self.reject_start(header, reason),
                    Ok(()) if same => Outcome::told(Verdict::Duplicate, op_ack(header, 0, Status::Done)),
                    Ok(()) => conflict,
                }
            }
            Kind::Arrival => conflict,
            Kind::Abort => {
                let entry = self.end_entry(at, Status::Aborted);
                let tells = vec![Tell::Complete(entry.complete(Status::Aborted)), Tell::Notify(completion(header, Status::Aborted, 0))];
                Outcome::Final { verdict: Verdict::Written, tells, ends: true }
            }
        }
    }

    /// The packet's own operation has ended: stale, and its sender may not have heard of it.
    fn decide_done(&mut self, header: &Header, word: Done, seen: Seen) -> Result<Outcome, Mismatch> {
        let limit = self.config.renotify;
        let renotify = seen.renotified.unwrap_or(self.now.clock >= self.earliest(word.notified, limit));
        let (src, op, now, then) = (header.src, header.op, self.now.clock, word.notified.clock);
        if renotify && !self.may_have_expired(word.notified, limit) {
            return mismatch!("0xc1 of src {src} op {op:#06x} was sent again at clock {now}, too soon after clock {then}");
        }
        if !renotify && self.must_have_expired(word.notified, limit) {
            return mismatch!("0xc1 of src {src} op {op:#06x} was not sent again at clock {now}, though last at clock {then}");
        }
        if !renotify {
            return Ok(Outcome::silent(Verdict::Stale));
        }
        self.events.push(Event::Renotified);
        if let Some(stored) = self.done.get_mut(&(src, self.params.index(op))) {
            stored.notified = self.now;
        }
        Ok(Outcome::told(Verdict::Stale, completion(header, word.status, 0)))
    }

    /// A body, or a copy of one, whose operation is live.
    fn body(&mut self, header: &Header, at: usize) -> Outcome {
        let packet_size = u64::from(self.params.packet_size);
        let now = self.now;
        let entry = &mut self.entries[at];
        if !entry.holds(header.addr) {
            return Outcome::Wait(None);
        }
        let offset = header.addr - entry.base;
        let position = offset / packet_size;
        let last = position == u64::from(entry.count) - 1;
        let expected = if last { u64::from(entry.op_bytes) - position * packet_size } else { packet_size };
        let negative = |status| Outcome::told(Verdict::Rejected(status), op_ack(header, position, status));
        if !offset.is_multiple_of(packet_size) {
            return negative(Status::MisalignedOffset);
        }
        if u64::from(header.bytes) != expected {
            return negative(Status::WrongLength);
        }
        if entry.mask[position as usize] {
            return Outcome::told(Verdict::Duplicate, op_ack(header, position, Status::Done));
        }
        entry.mask.set(position as usize, true);
        entry.progress = now;
        if header.imm.is_some() {
            entry.imm = header.imm;
        }
        if !entry.mask.all() {
            return Outcome::told(Verdict::Written, op_ack(header, position, Status::Done));
        }
        self.events.push(Event::Completed);
        let entry = self.end_entry(at, Status::Done);
        let tells = vec![Tell::Complete(entry.complete(Status::Done)), Tell::Notify(completion(header, Status::Done, entry.count))];
        Outcome::Final { verdict: Verdict::Written, tells, ends: true }
    }

    /// A start that passed every check. `superseded`: an older operation of the same index is live.
    fn start(&mut self, header: &Header, superseded: Option<usize>, older: usize, seen: Seen) -> Outcome {
        let single = header.count == 1;
        if !single
            && superseded.is_none()
            && let Some(need) = self.entry_need(header.src, older, seen.registered.unwrap_or(false))
        {
            return Outcome::Wait(Some(need));
        }
        if let Some(at) = superseded {
            self.events.push(Event::Superseded);
            let entry = self.end_entry(at, Status::Superseded);
            self.tell_end(&entry, Status::Superseded, false);
        }
        let entry = Entry {
            src: header.src,
            op: header.op,
            base: header.addr,
            op_bytes: header.op_bytes,
            count: header.count,
            mask: initial_mask(self.params.mask_bits, header.count),
            imm: header.imm,
            progress: self.now,
        };
        if single {
            self.events.push(Event::Completed);
            self.store_done(header.src, header.op, Status::Done);
            let tells = vec![Tell::Complete(entry.complete(Status::Done)), Tell::Notify(completion(header, Status::Done, 1))];
            return Outcome::Final { verdict: Verdict::Written, tells, ends: true };
        }
        self.events.push(Event::Registered);
        self.entries.push(entry);
        self.wake(header.src, self.params.index(header.op));
        Outcome::told(Verdict::Written, op_ack(header, 0, Status::Done))
    }

    /// Checks of a start that depend on the packet alone, `access` to `wrong_length`.
    fn check_start(&self, header: &Header) -> Result<(), Status> {
        let packet_size = self.params.packet_size;
        let (addr, bytes) = (u128::from(header.addr), u128::from(header.op_bytes));
        let inside = |region: &super::Region| {
            let end = u128::from(region.base) + u128::from(region.length);
            region.length != 0 && region.rkey == header.rkey && u128::from(region.base) <= addr && addr + bytes <= end
        };
        let checks = [
            (Status::Access, self.params.regions > 0 && !self.regions.iter().any(inside)),
            (Status::CountZero, header.count == 0),
            (Status::BytesZero, header.op_bytes == 0),
            (Status::CountMismatch, u32::from(header.count) != header.op_bytes.div_ceil(packet_size)),
            (Status::Oversize, usize::from(header.count) > self.params.mask_bits),
            (Status::MisalignedBase, !header.addr.is_multiple_of(packet_size.into())),
            (Status::Wraps, addr + bytes > 1 << 64),
            (Status::WrongLength, u32::from(header.bytes) != header.op_bytes.min(packet_size)),
        ];
        checks.iter().find(|(_, failed)| *failed).map_or(Ok(()), |&(status, _)| Err(status))
    }

    fn reject_start(&mut self, header: &Header, reason: Status) -> Outcome {
        self.store_done(header.src, header.op, reason);
        Outcome::told(Verdict::Rejected(reason), completion(header, reason, 0))
    }

    /// Whether the range meets that of a live operation of the same source, other than the one that it would supersede.
    fn overlaps(&self, header: &Header) -> bool {
        let blocks = |base: u64, bytes: u32| {
            let size = u128::from(self.params.packet_size);
            let first = u128::from(base) / size;
            first..(u128::from(base) + u128::from(bytes)).div_ceil(size)
        };
        let new = blocks(header.addr, header.op_bytes);
        self.entries.iter().any(|entry| {
            let old = blocks(entry.base, entry.op_bytes);
            entry.src == header.src
                && self.params.index(entry.op) != self.params.index(header.op)
                && new.start < old.end
                && old.start < new.end
        })
    }

    pub(super) fn store_done(&mut self, src: u16, op: u32, status: Status) {
        let index = self.params.index(op);
        self.done.insert((src, index), Done { op, status, tick: self.now, notified: self.now });
        self.wake(src, index);
    }

    /// Frees an entry and writes its done word.
    pub(super) fn end_entry(&mut self, at: usize, status: Status) -> Entry {
        let entry = self.entries.remove(at);
        self.store_done(entry.src, entry.op, status);
        entry
    }

    /// Tells host and, unless it was superseded, sender of an end that no packet's write is about.
    pub(super) fn tell_end(&mut self, entry: &Entry, status: Status, notify: bool) {
        let mut tells = vec![Tell::Complete(entry.complete(status))];
        if notify {
            let status = status as u8;
            tells.push(Tell::Notify(Notify { kind: 0xc1, src: entry.src, op: entry.op, index: 0, status, mask: 0, packets: 0 }));
        }
        self.told.push(Item::about(entry.src, entry.op, true, tells), self.now);
    }

    fn complete_with_all_ones(&self, complete: Complete) -> Tell {
        let ones = bitvec::bitvec![u64, bitvec::order::Lsb0; 1; self.params.mask_bits];
        Tell::Complete(Complete { mask: super::words(&ones), ..complete })
    }

    /// Everything that follows from a final verdict.
    pub(super) fn finish_packet(
        &mut self,
        trace: Trace,
        frame: u64,
        slot: u32,
        header: &Header,
        outcome: Outcome,
        escaped: bool,
    ) -> Result<Commit, Mismatch> {
        let Outcome::Final { verdict, tells, ends } = outcome else {
            return mismatch!("frame {frame} still waits, and cannot have a final verdict");
        };
        self.events.push(match (verdict, header.kind) {
            (Verdict::Written, Kind::Arrival) => Event::Arrivals,
            (Verdict::Written, Kind::Abort) => Event::Aborted,
            (Verdict::Written, _) => Event::Accepted,
            (Verdict::Duplicate, _) => Event::Duplicate,
            (Verdict::Stale, _) => Event::Stale,
            (Verdict::Rejected(status), _) => Event::reject(status),
            (Verdict::Dropped(super::Drop::EscapeTimeout), _) => Event::EscapeTimeout,
            (Verdict::Dropped(super::Drop::EscapeFull), _) => Event::EscapeFull,
            (Verdict::Dropped(super::Drop::Quota), _) => Event::Quota,
        });
        let mut item = Item::about(header.src, header.op, ends, tells);
        if header.kind.has_payload() {
            if verdict == Verdict::Written {
                item.write = Some(super::Write { slot, addr: header.addr, bytes: header.bytes });
            } else {
                self.frees.push(slot);
            }
        }
        self.told.push(item, self.now);
        let beat = VerdictBeat { tag: frame as u16, verdict, escaped };
        self.verdicts.push_back(beat);
        self.wake_starts();
        Ok(self.take_commit(trace, frame, header, Some(beat)))
    }

    pub(super) fn take_commit(&mut self, trace: Trace, frame: u64, header: &Header, verdict: Option<VerdictBeat>) -> Commit {
        Commit { frame, verdict, ..self.take_state_commit(trace, header.src, header.op) }
    }

    pub(super) fn take_state_commit(&mut self, trace: Trace, src: u16, op: u32) -> Commit {
        let mut events = std::mem::take(&mut self.events);
        events.sort();
        Commit { trace, frame: 0, src, op, verdict: None, events }
    }
}
