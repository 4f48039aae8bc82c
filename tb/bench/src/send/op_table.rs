//! `OpTable` beside its golden model: every event at its ports is told to the model in the clock in which it is first offered, and the
//! model says what may not be, and what should have been.

pub mod directed;
pub mod full;
pub mod mixture;

use rdma_rtl_golden::send::op_table::{Ack, Config, Effect, Ended, Op, OpTable, Params, Retransmit};
use rdma_rtl_golden::send::{Moment, OpKind, status};
use rdma_rtl_sim::{Direction, Model};
use std::collections::HashMap;

/// What goes in, in one clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// command, kind, packets
    pub segment: Option<(u16, OpKind, u16)>,
    /// op, packet, try
    pub sent: Option<(u32, u16, u8)>,
    pub ack: Option<Ack>,
    /// op, status
    pub fail: Option<(u32, u8)>,
    /// op
    pub release: Option<u32>,
    /// consumers that do not take what is offered
    pub hold_allocated: bool,
    pub hold_retransmit: bool,
    pub hold_ended: bool,
    pub hold_abort: bool,
}

/// What was taken, in one clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub segment: bool,
    pub fail: bool,
    pub allocated: Option<Op>,
    pub retransmit: Option<Retransmit>,
    pub ended: Option<Ended>,
    pub abort: Option<u32>,
}

/// Event outputs, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pub packets: u64,
    pub retransmissions: u64,
    pub acks: u64,
    pub duplicate_acks: u64,
    pub nacks: u64,
    pub stale_acks: u64,
    pub timeouts: u64,
    pub failures: u64,
    pub nacks_dropped: u64,
    pub acks_dropped: u64,
}

/// An output stream: what it offers, to see that it stays.
#[derive(Clone, Debug, Default)]
struct Offer {
    before: Option<Vec<u64>>,
}

impl Offer {
    /// What is offered for the first time in this clock.
    fn look(&mut self, name: &str, valid: bool, ready: bool, fields: Vec<u64>) -> Result<bool, String> {
        let first = valid && self.before.is_none();
        if let Some(before) = &self.before
            && !(valid && *before == fields)
        {
            return Err(format!("`{name}` offered {before:x?} and was not taken; now valid is {valid}, with {fields:x?}"));
        }
        self.before = (valid && !ready).then_some(fields);
        Ok(first)
    }
}

/// The table, its model, and the clock.
pub struct Bench<'a> {
    model: &'a mut dyn Model,
    ports: HashMap<String, usize>,
    pub golden: OpTable,
    pub config: Config,
    pub counted: Counted,
    /// current tick; begins shortly before it wraps
    now: u32,
    prescaler: u32,
    offers: [Offer; 4],
    /// since when the segment that is offered waits
    waits: Option<Moment>,
    /// of acknowledgements on their way: when they came, what is to be counted, and whether they may be stale instead
    effects: std::collections::VecDeque<(u64, Effect, bool)>,
    /// op of the last end
    last_ended: Option<u32>,
    /// retransmissions that were offered because their time was over
    expired: u64,
    clocks: u64,
    /// what a failure shows
    recent: std::collections::VecDeque<String>,
}

/// Clocks from an acknowledgement to the event that counts it, if none before it has waited for a failure, and by how many it may be later.
const ACK_LATENCY: u64 = 8;
const ACK_WAIT: u64 = 20;

impl<'a> Bench<'a> {
    /// Resets the table and waits until it is ready.
    /// # Errors
    /// It is not, after as many clocks as it has words.
    pub fn new(model: &'a mut dyn Model, params: Params, config: Config) -> Result<Self, String> {
        for port in 0..model.ports().len() {
            if model.ports()[port].direction == Direction::Input {
                let zero = vec![0; model.ports()[port].words()];
                model.poke(port, &zero);
            }
        }
        let ports = model.ports().iter().enumerate().map(|(at, port)| (port.name.clone(), at)).collect();
        let golden = OpTable::new(params, config);
        let mut bench = Self {
            model,
            ports,
            golden,
            config,
            counted: Counted::default(),
            now: 0xffff_ff00,
            prescaler: 0,
            offers: Default::default(),
            waits: None,
            effects: Default::default(),
            last_ended: None,
            expired: 0,
            clocks: 0,
            recent: Default::default(),
        };
        bench.configure();
        bench.set("rst", 1);
        bench.model.clock();
        bench.set("rst", 0);
        let words = params.scan_period().max(4 * params.ops as u64);
        for clock in 0..words + 20 {
            bench.model.eval();
            if (bench.get("ready") == 1) != (clock >= words) {
                return Err(format!("`ready` is {} after {clock} clocks, {words} are to be cleared", bench.get("ready")));
            }
            bench.set("now", bench.now.into());
            bench.model.clock();
        }
        Ok(bench)
    }

    fn configure(&mut self) {
        for (name, value) in [("cfg_retry_limit", u64::from(self.config.retry_limit)), ("cfg_t_life", self.config.t_life.into())] {
            self.set(name, value);
        }
    }

    fn at(&self, name: &str) -> usize {
        *self.ports.get(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"))
    }

    fn set(&mut self, name: &str, value: u64) {
        let at = self.at(name);
        self.model.poke_u64(at, value);
    }

    pub fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.at(name))
    }

    /// Clocks since the table was ready.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    fn drive(&mut self, inputs: &Inputs) {
        let now = self.now;
        self.set("now", now.into());
        self.set("segment_valid", inputs.segment.is_some().into());
        if let Some((command, kind, count)) = inputs.segment {
            self.set("segment_command", command.into());
            self.set("segment_kind", kind as u64);
            self.set("segment_count", count.into());
        }
        self.set("sent_valid", inputs.sent.is_some().into());
        if let Some((op, packet, tries)) = inputs.sent {
            self.set("sent_op", op.into());
            self.set("sent_packet", packet.into());
            self.set("sent_try", tries.into());
            self.set("sent_ticks", self.config.patience(tries));
        }
        self.set("ack_valid", inputs.ack.is_some().into());
        match inputs.ack {
            Some(Ack::Packets { op, first, status, mask }) => {
                for (name, value) in [("kind", 0), ("op", op.into()), ("first", first.into()), ("status", status.into()), ("mask", mask)] {
                    self.set(&format!("ack_{name}"), value);
                }
            }
            Some(Ack::Completion { op, status }) => {
                // What a remote completion does not have may be anything.
                for (name, value) in [("kind", 1), ("op", op.into()), ("first", 0x41), ("status", status.into()), ("mask", !self.clocks)] {
                    self.set(&format!("ack_{name}"), value);
                }
            }
            None => {}
        }
        self.set("fail_valid", inputs.fail.is_some().into());
        if let Some((op, status)) = inputs.fail {
            self.set("fail_op", op.into());
            self.set("fail_status", status.into());
        }
        self.set("release_valid", inputs.release.is_some().into());
        if let Some(op) = inputs.release {
            self.set("release_index", self.golden.params().index(op) as u64);
        }
        self.set("allocated_ready", (!inputs.hold_allocated).into());
        self.set("retransmit_ready", (!inputs.hold_retransmit).into());
        self.set("ended_ready", (!inputs.hold_ended).into());
        self.set("abort_ready", (!inputs.hold_abort).into());
    }

    /// One clock.
    /// # Errors
    /// What the model does not allow, or misses.
    pub fn step(&mut self, inputs: Inputs) -> Result<Taken, String> {
        self.drive(&inputs);
        self.model.eval();
        let result = self.look(&inputs);
        if let Some(reason) = self.model.failure() {
            return Err(reason.to_string());
        }
        let taken = result.map_err(|e| {
            let recent: String = self.recent.iter().map(|line| format!("\n  {line}")).collect();
            format!("clock {}: {e}; counted {:?}; before it:{recent}", self.clocks, self.counted)
        })?;
        self.model.clock();
        self.clocks += 1;
        self.prescaler += 1;
        if self.prescaler >= self.config.prescale.max(1).into() {
            self.prescaler = 0;
            self.now = self.now.wrapping_add(1);
        }
        Ok(taken)
    }

    fn note(&mut self, what: impl std::fmt::Debug) {
        self.recent.push_back(format!("{}: {what:x?}", self.clocks));
        if self.recent.len() > 24 {
            self.recent.pop_front();
        }
    }

    fn look(&mut self, inputs: &Inputs) -> Result<Taken, String> {
        let mut taken = Taken::default();
        let wrong = |e: rdma_rtl_golden::registry::Mismatch| e.to_string();
        // The model wants acknowledgements before anything else of the clock.
        if let Some(ack) = inputs.ack {
            let uncertain = self.golden.uncertain_acks();
            let effect = self.golden.ack(ack);
            self.effects.push_back((self.clocks, effect, self.golden.uncertain_acks() > uncertain));
            self.note((ack, effect));
        }
        if let Some((op, status)) = inputs.fail
            && self.get("fail_ready") == 1
        {
            taken.fail = true;
            self.golden.load_failed(op, status);
            self.note(("fail", op, status));
        }
        let kind = |value| if value == 0 { OpKind::Data } else { OpKind::Arrival };
        let names = ["allocated", "retransmit", "ended", "abort"];
        let fields: [&[&str]; 4] =
            [&["op", "command", "kind", "count"], &["op", "packet", "try"], &["op", "command", "kind", "status"], &["op"]];
        let mut stalled = false;
        let mut asked = None;
        for (at, name) in names.into_iter().enumerate() {
            let values: Vec<u64> = fields[at].iter().map(|field| self.get(&format!("{name}_{field}"))).collect();
            let ready = ![inputs.hold_allocated, inputs.hold_retransmit, inputs.hold_ended, inputs.hold_abort][at];
            let valid = self.get(&format!("{name}_valid")) == 1;
            stalled |= valid && !ready;
            let first = self.offers[at].look(name, valid, ready, values.clone())?;
            if !valid {
                continue;
            }
            let op = values[0] as u32;
            if first {
                self.note((name, &values));
            }
            match at {
                0 => {
                    self.last_ended = self.last_ended.filter(|last| *last != op);
                    let op = Op { op, command: values[1] as u16, kind: kind(values[2]), count: values[3] as u16 };
                    if first {
                        self.golden.allocated(op).map_err(wrong)?;
                    }
                    taken.allocated = ready.then_some(op);
                }
                1 => {
                    let retransmit = Retransmit { op, packet: values[1] as u16, tries: values[2] as u8 };
                    asked = Some(op);
                    if first {
                        self.expired += self.get("retransmit_expired");
                        self.golden.retransmit(retransmit).map_err(wrong)?;
                        if self.last_ended == Some(op) {
                            return Err(format!("a retransmission of op {op:#06x} is offered after its end"));
                        }
                    }
                    taken.retransmit = ready.then_some(retransmit);
                }
                2 => {
                    let ended = Ended { op, command: values[1] as u16, kind: kind(values[2]), status: values[3] as u8 };
                    if first {
                        self.golden.ended(ended).map_err(wrong)?;
                        self.last_ended = Some(op);
                        if asked == Some(op) {
                            return Err(format!("op {op:#06x} ends while a retransmission of it is offered"));
                        }
                    }
                    if ready {
                        self.golden.ended_taken(op).map_err(wrong)?;
                        taken.ended = Some(ended);
                    }
                }
                _ => {
                    if first {
                        self.golden.abort(op).map_err(wrong)?;
                    }
                    taken.abort = ready.then_some(op);
                }
            }
        }
        if let Some((op, packet, tries)) = inputs.sent {
            self.golden.sent(op, packet, tries > 0).map_err(wrong)?;
            self.note(("sent", op, packet, tries));
        }
        if let Some(op) = inputs.release {
            self.golden.release(op).map_err(wrong)?;
            self.note(("release", op));
        }
        taken.segment = inputs.segment.is_some() && self.get("segment_ready") == 1;
        self.waits = match inputs.segment {
            Some(_) if !taken.segment => self.waits.or(Some(self.golden.now())),
            _ => None,
        };
        if let Some(since) = self.waits.filter(|_| !inputs.hold_allocated) {
            self.golden.overdue_allocation(since).map_err(wrong)?;
        }
        self.count()?;
        self.golden.advance(1, stalled);
        // It looks at every packet of every op.
        if self.clocks.is_multiple_of((self.golden.params().scan_period() / 16).max(16)) {
            self.golden.overdue().map_err(wrong)?;
        }
        Ok(taken)
    }

    /// An acknowledgement is counted: as what, in the order in which they came.
    fn effect(&mut self, events: [bool; 4]) -> Result<(), String> {
        let expected = self.effects.pop_front();
        let right = match expected {
            None => false,
            Some((since, ..)) if self.clocks < since + ACK_LATENCY => false,
            Some((_, _, true)) if events == [false, false, false, true] => true,
            Some((_, Effect::Acknowledged { .. }, _)) => events == [true, false, false, false],
            Some((_, Effect::Duplicate, _)) => events == [false, true, false, false],
            Some((_, Effect::Negative | Effect::Failed, _)) => events == [false, false, true, false],
            Some((_, Effect::Stale, _)) => events == [false, false, false, true],
        };
        if right {
            return Ok(());
        }
        Err(format!("acknowledged, duplicate, negative, stale are {events:?}; {expected:?} is to be counted"))
    }

    fn count(&mut self) -> Result<(), String> {
        let events = ["acks", "duplicate_acks", "nacks", "stale_acks"].map(|name| self.get(&format!("evt_{name}")) == 1);
        if let Some((since, effect, _)) = self.effects.front()
            && self.clocks > since + ACK_LATENCY + ACK_WAIT
        {
            return Err(format!("{effect:?} of the acknowledgement at clock {since} is not counted"));
        }
        if events != [false; 4] {
            self.effect(events)?;
        }
        let Counted { packets, retransmissions, acks, duplicate_acks, nacks, stale_acks, timeouts, failures, nacks_dropped, acks_dropped } =
            self.counted;
        let more = |name: &str, so_far: u64| so_far + self.get(&format!("evt_{name}"));
        self.counted = Counted {
            packets: more("packets", packets),
            retransmissions: more("retransmissions", retransmissions),
            acks: more("acks", acks),
            duplicate_acks: more("duplicate_acks", duplicate_acks),
            nacks: more("nacks", nacks),
            stale_acks: more("stale_acks", stale_acks),
            timeouts: more("timeouts", timeouts),
            failures: more("failures", failures),
            nacks_dropped: more("nacks_dropped", nacks_dropped),
            acks_dropped: more("acks_dropped", acks_dropped),
        };
        Ok(())
    }

    /// Nothing is left, and what was counted is what the model counted.
    /// # Errors
    /// What is left, or the first counter that is wrong.
    pub fn finish(&mut self) -> Result<Counted, String> {
        for _ in 0..40 {
            self.step(Inputs::default())?;
        }
        self.golden.finish().map_err(|e| e.to_string())?;
        let (expected, found) = (*self.golden.counters(), self.counted);
        // An op that the retry limit ended was live for the model until its end was told.
        let live_least = if expected.failures == 0 { expected.high_water } else { 1 };
        let (more_stale, more_timeouts) = (self.golden.uncertain_acks(), self.golden.uncertain_timeouts());
        let known = |acks: u64, duplicates: u64, nacks: u64, stale: u64| acks + duplicates + nacks + stale;
        for (name, found, least, most) in [
            ("packets", found.packets, expected.packets, expected.packets),
            ("retransmissions", found.retransmissions, expected.retransmissions, expected.retransmissions),
            ("acks", found.acks, expected.acks.saturating_sub(more_stale), expected.acks),
            ("duplicate_acks", found.duplicate_acks, expected.duplicate_acks.saturating_sub(more_stale), expected.duplicate_acks),
            ("nacks", found.nacks, expected.nacks.saturating_sub(more_stale), expected.nacks),
            ("stale_acks", found.stale_acks, expected.stale_acks, expected.stale_acks + more_stale),
            (
                "all acknowledgements",
                known(found.acks, found.duplicate_acks, found.nacks, found.stale_acks),
                known(expected.acks, expected.duplicate_acks, expected.nacks, expected.stale_acks),
                known(expected.acks, expected.duplicate_acks, expected.nacks, expected.stale_acks),
            ),
            ("timeouts", found.timeouts, expected.timeouts, expected.timeouts + more_timeouts),
            ("retransmit_expired", self.expired, found.timeouts, found.timeouts),
            ("failures", found.failures, expected.failures, expected.failures),
            ("nacks_dropped", found.nacks_dropped, 0, 0),
            ("acks_dropped", found.acks_dropped, 0, 0),
            ("status_live", self.get("status_live"), 0, 0),
            ("status_live_max", self.get("status_live_max"), live_least, self.golden.params().ops as u64),
        ] {
            if !(least..=most).contains(&found) {
                return Err(format!("`{name}` is {found} at the end, expected {least} to {most}"));
            }
        }
        Ok(found)
    }

    /// `clocks` clocks in which nothing comes and everything is taken: what was.
    /// # Errors
    /// As [`Bench::step`].
    pub fn idle(&mut self, clocks: u64) -> Result<Vec<Taken>, String> {
        let all: Result<Vec<Taken>, String> = (0..clocks).map(|_| self.step(Inputs::default())).collect();
        Ok(all?.into_iter().filter(|taken| *taken != Taken::default()).collect())
    }

    /// An op number for `count` packets.
    /// # Errors
    /// None comes.
    pub fn allocate(&mut self, count: u16) -> Result<u32, String> {
        let mut offer = Some((3, OpKind::Data, count));
        for _ in 0..10_000 {
            let taken = self.step(Inputs { segment: offer, ..Default::default() })?;
            if taken.segment {
                offer = None;
            }
            if let Some(op) = taken.allocated {
                return Ok(op.op);
            }
        }
        Err(format!("no op number comes in 10000 clocks, {} are live", self.golden.live()))
    }

    /// A packet goes out.
    /// # Errors
    /// As [`Bench::step`].
    pub fn sent(&mut self, op: u32, packet: u16, tries: u8) -> Result<(), String> {
        self.step(Inputs { sent: Some((op, packet, tries)), ..Default::default() }).map(drop)
    }

    /// An acknowledgement comes.
    /// # Errors
    /// As [`Bench::step`].
    pub fn ack(&mut self, ack: Ack) -> Result<(), String> {
        self.step(Inputs { ack: Some(ack), ..Default::default() }).map(drop)
    }

    /// Waits for the end of `op` and releases it: its status and whether it was aborted.
    /// # Errors
    /// It does not end within `clocks`.
    pub fn end(&mut self, op: u32, clocks: u64) -> Result<(u8, bool), String> {
        let (mut status, mut aborted) = (None, false);
        for _ in 0..clocks {
            let taken = self.step(Inputs::default())?;
            aborted |= taken.abort == Some(op);
            status = status.or(taken.ended.filter(|ended| ended.op == op).map(|ended| ended.status));
            if let Some(found) = status
                && (aborted || found != status::RETRY_LIMIT)
            {
                self.step(Inputs { release: Some(op), ..Default::default() })?;
                return Ok((found, aborted));
            }
        }
        Err(format!("op {op:#06x} does not end within {clocks} clocks"))
    }
}
