//! Bench of `OpLoader`: every event against the golden model, what must follow at once in its clock, streams that keep what they offer.
//!
//! Splitter, op table, CDMA and packet engine are played: numbers are given, loads answered in any order, well or not; what was sent ends,
//! some of it with an abort; closes are answered.

mod beats;

pub use beats::mixture;

use crate::memory::Ports;
use crate::pins::chance;
use beats::{pieces, put, same};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::loader::{Fetched, Load, Loader, Params, Told};
use rdma_rtl_golden::send::splitter::Segment;
use rdma_rtl_sim::bus::{Channel, ChannelCheck};
use rdma_rtl_sim::{Direction, Model};
use std::collections::{BTreeMap, VecDeque};

/// How a run goes. Percent of clocks, where nothing else is said.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a segment, a number, an answer of a load, an end, the answer of a close is offered, if there is one
    pub offer: u32,
    /// a request for a number, a load, an op, a failure, an end, an abort, a close is taken
    pub take: u32,
    /// percent of loads that fail
    pub fail: u32,
    /// percent of ops that end with an abort
    pub abort: u32,
    /// percent of segments that are data arrivals
    pub arrivals: u32,
    /// answers, ends and answers of closes wait until there are so many
    pub batch: usize,
}

impl Pace {
    /// Never a pause, nothing fails.
    pub const FULL: Pace = Pace { offer: 100, take: 100, fail: 0, abort: 0, arrivals: 0, batch: 1 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub clocks: u64,
    pub sent: u64,
    pub arrivals: u64,
    pub failed: u64,
    pub aborts: u64,
    pub released: u64,
    /// most operations at a time
    pub most: usize,
    /// clocks in which a segment waited for a slot
    pub no_slot: u64,
    /// clocks in which a close waited for an abort of another op, and in which one that was offered stayed though an abort came
    pub behind_abort: u64,
    pub before_abort: u64,
    /// clocks in which an op that was fetched waited behind a data arrival, and in which what was never sent waited for the answer of a
    /// close
    pub behind_arrival: u64,
    pub behind_closed: u64,
    /// shortest: segment to load, answer to op, end to close, a slot from its return until it is given out while others wait, and release
    /// to the failure that is told
    pub latency: [Option<u64>; 5],
    /// clocks in which a failure was told while an end that is well waited, and the other way round
    pub failure_first: u64,
    pub end_first: u64,
    /// longest run of clocks with an answer, an end, an answer of a close in each
    pub run: [u64; 3],
    /// clocks from the first load to the last
    pub load_clocks: u64,
    pub loads: u64,
}

/// Clocks after which a slot that came back is offered again.
const SLOT_RETURN: u64 = 4;
/// Clocks after which a failure is told, once its number is released and nobody else is told.
const FAILURE: u64 = 2;

const STREAMS: [&str; 10] = ["segment_", "number_", "allocated_", "load_", "loaded_", "op_", "fail_", "ended_", "told_", "close_"];

/// Beats that wait to be offered, the one that is, and how long they have come without a pause.
#[derive(Default)]
struct Source<T> {
    waiting: Vec<T>,
    offered: Option<T>,
    /// a batch is complete and goes out
    open: bool,
    run: u64,
}

impl<T> Source<T> {
    /// Whatever is offered in this clock: what was, or one of those that wait.
    fn offer(&mut self, rng: &mut ChaCha8Rng, percent: u32, batch: usize, hurry: bool) {
        self.open = !self.waiting.is_empty() && (self.open || hurry || self.waiting.len() >= batch);
        if self.offered.is_none() && self.open && chance(rng, percent) {
            let at = rng.random_range(0..self.waiting.len());
            self.offered = Some(self.waiting.swap_remove(at));
        }
    }

    fn moved(&mut self, fires: bool) -> u64 {
        self.run = if fires { self.run + 1 } else { 0 };
        self.run
    }
}

struct Hardware<'a> {
    golden: Loader,
    params: Params,
    rng: ChaCha8Rng,
    pace: Pace,
    segments: &'a [Segment],
    next: usize,
    segment: Option<u64>,
    /// the number of this segment was asked for
    asked: bool,
    allocated: Option<u32>,
    free: VecDeque<u32>,
    loads: Source<(usize, u8)>,
    /// op, whether an abort comes with its end, what is told of it
    ends: Source<(u32, bool, Told)>,
    closes: Source<u32>,
    /// refetch: the wire has taken all packets of an op once
    firsts: Source<u32>,
    abort: Option<u32>,
    ended_at: BTreeMap<u32, u64>,
    /// when each slot came back
    returned: Vec<Option<u64>>,
    owners: BTreeMap<u32, usize>,
    close_before: bool,
    arriving_before: bool,
    /// when the number of each failure that is to be told was released
    failures: VecDeque<u64>,
    /// an end that is well was offered to the splitter, and not taken
    well_before: bool,
    first_load: Option<u64>,
    quiet: u64,
    seen: Seen,
}

impl Hardware<'_> {
    fn drive(&mut self, model: &mut dyn Model) {
        let now = model.cycle();
        let mut p = Ports(model);
        let Pace { offer, take, batch, .. } = self.pace;
        if self.segment.is_none() && self.next < self.segments.len() && chance(&mut self.rng, offer) {
            self.segment = Some(now);
        }
        p.set("segment_valid", self.segment.is_some().into());
        if self.segment.is_some() {
            put(&mut p, &self.segments[self.next]);
        }
        if self.asked && self.allocated.is_none() && chance(&mut self.rng, offer) {
            self.allocated = self.free.pop_front();
        }
        // Nothing new comes while nothing moves: what waits for its batch goes out.
        let hurry = self.quiet > 10;
        self.loads.offer(&mut self.rng, offer, batch, hurry);
        // An end waits until the abort of the one before is taken.
        if self.abort.is_none() || self.ends.offered.is_some() {
            let before = self.ends.offered.is_some();
            self.ends.offer(&mut self.rng, offer, batch, hurry);
            if let (Some((op, true, _)), false) = (self.ends.offered, before) {
                self.abort = Some(op);
                self.seen.aborts += 1;
            }
        }
        self.closes.offer(&mut self.rng, offer, batch, hurry);
        if self.params.refetch {
            self.firsts(batch, hurry);
            p.set("first_done_valid", self.firsts.offered.is_some().into());
            p.set("first_done_op", self.firsts.offered.unwrap_or_else(|| self.rng.random()).into());
        }
        p.set("allocated_valid", self.allocated.is_some().into());
        p.set("loaded_valid", self.loads.offered.is_some().into());
        p.set("ended_valid", self.ends.offered.is_some().into());
        p.set("abort_valid", self.abort.is_some().into());
        p.set("closed_valid", self.closes.offered.is_some().into());
        // What is not offered is anything.
        let (slot, status) = self.loads.offered.unwrap_or_else(|| (self.rng.random_range(0..self.params.slots), self.rng.random()));
        p.set("loaded_tag", slot as u64);
        p.set("loaded_status", status.into());
        p.set("allocated_op", self.allocated.unwrap_or_else(|| self.rng.random()).into());
        let any = Told { command: self.rng.random_range(0..16), kind: OpKind::Data, status: self.rng.random() };
        let (op, told) = self.ends.offered.map_or_else(|| (self.rng.random(), any), |(op, _, told)| (op, told));
        p.set("ended_op", op.into());
        p.set("ended_command", told.command.into());
        p.set("ended_kind", told.kind as u64);
        p.set("ended_status", told.status.into());
        p.set("closed_op", self.closes.offered.unwrap_or_else(|| self.rng.random()).into());
        // A table that is full does not take the request for a number.
        let number = !self.free.is_empty() && chance(&mut self.rng, take);
        p.set("number_ready", number.into());
        for name in ["load", "op", "fail", "told", "close"] {
            p.set(&format!("{name}_ready"), chance(&mut self.rng, take).into());
        }
    }

    /// Whose first transmission is over: at any time after the packet engine got it, and not behind the answer of its close.
    fn firsts(&mut self, batch: usize, hurry: bool) {
        self.firsts.offer(&mut self.rng, self.pace.offer, batch, hurry);
        let Some(op) = self.closes.offered.filter(|op| self.firsts.offered != Some(*op) && !self.golden.is_first_done(*op)) else { return };
        let at = self.firsts.waiting.iter().position(|waits| *waits == op);
        match at.filter(|_| self.firsts.offered.is_none()) {
            Some(at) => self.firsts.offered = Some(self.firsts.waiting.swap_remove(at)),
            None => {
                self.closes.offered = None;
                self.closes.waiting.push(op);
            }
        }
    }

    fn look(&mut self, p: &Ports<&dyn Model>) -> Result<(), String> {
        let now = p.0.cycle();
        let valid = |name: &str| p.get(&format!("{name}_valid")) == 1;
        let fires = |name: &str| p.get(&format!("{name}_valid")) == 1 && p.get(&format!("{name}_ready")) == 1;
        let must = |name: &str, expected: bool, why: &str| match valid(name) {
            found if found == expected => Ok(()),
            found => Err(format!("`{name}_valid` is {found}, but {why}")),
        };
        let say = |e: rdma_rtl_golden::registry::Mismatch| e.to_string();

        // A segment, its number, its load.
        let segment = self.segment.map(|_| &self.segments[self.next]);
        let data = segment.is_some_and(|segment| segment.kind == OpKind::Data);
        let early = |at: &Option<u64>| at.is_none_or(|at| now >= at + SLOT_RETURN);
        let free: Vec<usize> = (0..self.returned.len()).filter(|slot| !self.owners.values().any(|owner| owner == slot)).collect();
        match segment {
            Some(segment) if !self.asked => {
                if valid("number") {
                    self.golden.number(segment).map_err(say)?;
                } else if !data || free.iter().any(|slot| early(&self.returned[*slot])) {
                    return Err(format!("no number is asked for; slots {free:?} are free, and came back at {:?}", self.returned));
                } else {
                    self.seen.no_slot += 1;
                }
            }
            _ => must("number", false, "no segment waits for one")?,
        }
        if fires("number") {
            let segment = &self.segments[self.next];
            let asks = [("command", u64::from(segment.command)), ("kind", segment.kind as u64), ("count", segment.count.into())];
            for (name, expected) in asks {
                let found = p.get(&format!("number_{name}"));
                if found != expected {
                    return Err(format!("`number_{name}` is {found:#x}, expected {expected:#x}"));
                }
            }
        }
        must("load", data && self.allocated.is_some(), "a segment with payload and its number are there, or are not")?;
        if let (true, Some(segment), Some(op)) = (fires("load"), segment, self.allocated) {
            let load = Load { slot: p.get("load_tag") as usize, pieces: pieces(p), destination: p.get("load_destination") };
            self.golden.load(segment, op, &load).map_err(say)?;
            self.owners.insert(op, load.slot);
            let status = if chance(&mut self.rng, self.pace.fail) { *[33, 34, 35].choose(&mut self.rng).unwrap_or(&34) } else { 0 };
            self.loads.waiting.push((load.slot, status));
            shortest(&mut self.seen.latency[0], now - self.segment.unwrap_or(now));
            if let Some(at) = self.returned[load.slot].take() {
                shortest(&mut self.seen.latency[3], now - at);
            }
            self.seen.load_clocks = now - *self.first_load.get_or_insert(now);
            self.seen.loads += 1;
        }

        // What goes to the packet engine, and what cannot.
        let answer = self.loads.offered.map(|(slot, status)| self.golden.loaded(slot, status)).transpose().map_err(say)?;
        let arriving = p.get("op_valid") == 1 && p.get("op_kind") == 1;
        if arriving {
            match (segment, self.allocated) {
                (Some(segment), Some(op)) if !data => same(p, op, 0, segment)?,
                _ => return Err("a data arrival that no segment asked for".to_string()),
            }
        }
        match &answer {
            Some(Fetched::Sends { op, slot, segment }) if !arriving => {
                must("op", true, "its payload is there")?;
                same(p, *op, *slot, segment)?;
            }
            Some(Fetched::Sends { op, .. }) if !self.arriving_before => return Err(format!("a data arrival goes before op {op:#06x}")),
            Some(Fetched::Sends { .. }) => self.seen.behind_arrival += 1,
            _ => must("op", !data && self.asked && self.allocated.is_some(), "nothing was fetched, and a data arrival waits, or does not")?,
        }
        must("fail", matches!(answer, Some(Fetched::Fails { .. })), "a load has failed, or has not")?;
        if let Some(Fetched::Fails { op, status }) = answer
            && (p.get("fail_op"), p.get("fail_status")) != (op.into(), status.into())
        {
            return Err(format!("op {:#06x} fails with {}, expected op {op:#06x} with {status}", p.get("fail_op"), p.get("fail_status")));
        }
        if let (true, Some(op)) = (arriving && fires("op"), self.allocated) {
            self.golden.arrival(&self.segments[self.next], op).map_err(say)?;
            self.seen.arrivals += 1;
            self.firsts.waiting.extend(self.params.refetch.then_some(op));
            let aborts = chance(&mut self.rng, self.pace.abort);
            let end = self.end(op, aborts, false)?;
            self.ends.waiting.push(end);
        }
        self.arriving_before = arriving && !fires("op");
        let taken = fires("loaded");
        if taken != (fires("fail") || (fires("op") && !arriving)) {
            return Err("the answer of a load and what follows from it are not taken in one clock".to_string());
        }
        if let (true, Some(fetched)) = (taken, &answer) {
            self.golden.fetched(fetched).map_err(say)?;
            self.loads.offered = None;
            let (Fetched::Sends { op, .. } | Fetched::Fails { op, .. }) = *fetched;
            let fails = matches!(fetched, Fetched::Fails { .. });
            self.seen.sent += u64::from(!fails);
            self.seen.failed += u64::from(fails);
            self.firsts.waiting.extend((self.params.refetch && !fails).then_some(op));
            let aborts = !fails && chance(&mut self.rng, self.pace.abort);
            let end = self.end(op, aborts, fails)?;
            self.ends.waiting.push(end);
            self.seen.latency[1] = Some(0);
        }
        self.seen.run[0] = self.seen.run[0].max(self.loads.moved(taken));
        let consumed = fires("load") || (arriving && fires("op"));
        if fires("segment") != consumed || fires("allocated") != consumed {
            return Err("a segment, its number and what follows from them are not taken in one clock".to_string());
        }
        if consumed {
            (self.segment, self.allocated, self.asked) = (None, None, false);
            self.next += 1;
        }
        self.asked |= fires("number");

        self.over(p, now)
    }

    /// Ends, closes, and what comes back.
    fn over(&mut self, p: &Ports<&dyn Model>, now: u64) -> Result<(), String> {
        let valid = |name: &str| p.get(&format!("{name}_valid")) == 1;
        let fires = |name: &str| p.get(&format!("{name}_valid")) == 1 && p.get(&format!("{name}_ready")) == 1;
        let say = |e: rdma_rtl_golden::registry::Mismatch| e.to_string();
        // A slot that comes back goes before that of what was never sent.
        let is_first_done = self.firsts.offered.is_some();
        if let Some(op) = self.firsts.offered.take() {
            self.golden.first_done(op).map_err(say)?;
            if let Some(slot) = self.owners.remove(&op) {
                self.returned[slot] = Some(now);
            }
        }
        let oldest = self.golden.oldest_over();
        if (p.get("idle") == 1) != oldest.is_none() {
            return Err(format!("`idle` is {}, the oldest op that is over is {oldest:x?}", p.get("idle")));
        }
        if valid("close") {
            let op = p.get("close_op") as u32;
            self.golden.close(op, self.abort).map_err(say)?;
            if let Some(ended) = self.ended_at.get(&op).filter(|_| !self.close_before) {
                shortest(&mut self.seen.latency[2], now - ended);
            }
            self.seen.before_abort += u64::from(self.abort.is_some());
            if self.abort.is_some() && !self.close_before {
                return Err("a close is offered for the first time while an abort is".to_string());
            }
        } else if let Some((op, true)) = oldest {
            if self.abort.is_none() {
                return Err(format!("op {op:#06x} is over, and no close is offered"));
            }
            self.seen.behind_abort += u64::from(self.abort != Some(op));
        }
        self.close_before = valid("close") && !fires("close");
        if fires("close") {
            let op = p.get("close_op") as u32;
            self.golden.closing(op).map_err(say)?;
            self.closes.waiting.push(op);
        }
        // The answers of closes go first; behind them, what was never sent.
        let released = valid("release").then(|| p.get("release_index") as usize);
        if let Some(op) = self.closes.offered.take() {
            self.golden.closed(op).map_err(say)?;
            if released != Some(op as usize % self.params.ops) {
                return Err(format!("the close of op {op:#06x} was answered, and index {released:?} is released"));
            }
            self.give_back(op, now);
            self.seen.behind_closed += u64::from(oldest.is_some_and(|(_, sent)| !sent));
            let run = self.closes.moved(true);
            self.seen.run[2] = self.seen.run[2].max(run);
        } else {
            self.closes.moved(false);
            match (released, oldest) {
                (Some(index), _) => {
                    self.golden.forgotten(index).map_err(say)?;
                    let op = oldest.map_or(0, |(op, _)| op);
                    self.give_back(op, now);
                }
                (None, Some((op, false))) if !is_first_done => {
                    return Err(format!("op {op:#06x} was never sent, is over, and is not released"));
                }
                (None, _) => {}
            }
        }
        self.told(p, now)?;
        self.seen.run[1] = self.seen.run[1].max(self.ends.moved(fires("ended")));
        if chance(&mut self.rng, self.pace.take) {
            self.abort = None;
        }
        self.seen.most = self.seen.most.max(self.golden.live());
        Ok(())
    }

    /// How `op` is to end.
    fn end(&mut self, op: u32, aborts: bool, fails: bool) -> Result<(u32, bool, Told), String> {
        let segment = self.golden.segment(op).ok_or_else(|| format!("op {op:#06x} is unknown"))?;
        let (command, kind) = (segment.command, segment.kind);
        let rejected = chance(&mut self.rng, self.pace.fail);
        let status = if fails {
            34
        } else if aborts {
            32
        } else if rejected {
            self.rng.random_range(1..=16)
        } else {
            0
        };
        Ok((op, aborts, Told { command, kind, status }))
    }

    /// What the splitter is told: what ended well at once, failures when their number was released.
    fn told(&mut self, p: &Ports<&dyn Model>, now: u64) -> Result<(), String> {
        let valid = |name: &str| p.get(&format!("{name}_valid")) == 1;
        let fires = |name: &str| p.get(&format!("{name}_valid")) == 1 && p.get(&format!("{name}_ready")) == 1;
        let (command, kind, status) = (p.get("told_command"), p.get("told_kind"), p.get("told_status"));
        let same = |told: Told| (command, kind, status) == (told.command.into(), told.kind as u64, told.status.into());
        let shown = format!("the splitter is told of command {command}, kind {kind}, status {status}");
        let ends = self.ends.offered.map(|(op, _, told)| (op, told));
        let well = ends.filter(|(_, told)| !self.golden.is_late(told.status));
        let is_failure = valid("told") && self.golden.is_late(status as u8);
        let ready = self.failures.front().is_some_and(|at| now >= at + FAILURE);
        match self.golden.failure() {
            Some(failure) if is_failure && !same(failure) => return Err(format!("{shown}, expected {failure:?}")),
            None if is_failure => return Err(format!("{shown}, of no op that was released")),
            Some(failure) if ready && !is_failure && !self.well_before => return Err(format!("{failure:?} is not told")),
            _ => {}
        }
        match well {
            Some((op, _)) if !valid("told") => return Err(format!("op {op:#06x} has ended, and nobody is told")),
            Some((_, told)) if !is_failure && !same(told) => return Err(format!("{shown}, expected {told:?}")),
            None if valid("told") && !is_failure => return Err(format!("{shown}, and nothing has ended well")),
            _ => {}
        }
        let tells_well = valid("told") && !is_failure;
        self.seen.failure_first += u64::from(is_failure && well.is_some());
        self.seen.end_first += u64::from(tells_well && ready);
        self.well_before = tells_well && !fires("told");
        if is_failure && let Some(at) = self.failures.front() {
            shortest(&mut self.seen.latency[4], now - at);
        }
        let takes = match ends {
            Some((_, told)) if !self.golden.is_late(told.status) => tells_well && fires("told"),
            Some(_) => self.golden.owed() < self.params.ops,
            None => false,
        };
        if fires("ended") != takes {
            return Err(format!("an end is {}taken: {ends:?}, {} failures wait", if takes { "not " } else { "" }, self.golden.owed()));
        }
        if let (true, Some((op, told))) = (takes, ends) {
            self.golden.ended(op, told.status).map_err(|e| e.to_string())?;
            self.ended_at.insert(op, now);
            self.ends.offered = None;
        }
        if is_failure && fires("told") {
            self.golden.told();
            self.failures.pop_front();
        }
        Ok(())
    }

    fn give_back(&mut self, op: u32, now: u64) {
        self.failures.resize(self.golden.failures(), now);
        // the next use of the index is of another generation
        self.free.push_back((op + self.params.ops as u32) % (1 << OP_BITS));
        self.ended_at.remove(&op);
        self.seen.released += 1;
        if let Some(slot) = self.owners.remove(&op) {
            self.returned[slot] = Some(now);
        }
    }

    fn done(&self) -> bool {
        self.next == self.segments.len() && self.golden.live() == 0 && self.abort.is_none() && self.golden.owed() == 0
    }
}

fn shortest(best: &mut Option<u64>, found: u64) {
    *best = Some(best.map_or(found, |best| best.min(found)));
}

/// After a reset, all `segments` to the release of their operations.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, params: Params, segments: &[Segment], pace: Pace, seed: u64) -> Result<Seen, String> {
    let base = 0x4400_0000_0000 + params.slots as u64 * params.slot_bytes;
    for port in 0..model.ports().len() {
        if model.ports()[port].direction == Direction::Input {
            let zero = vec![0; model.ports()[port].words()];
            model.poke(port, &zero);
        }
    }
    let mut p = Ports(&mut *model);
    p.set("cfg_buffer_base", base);
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    let mut checks = Vec::new();
    for name in STREAMS {
        let channel = Channel::find(model, name).map_err(|e| e.to_string())?;
        checks.push(ChannelCheck::new(model, channel));
    }
    let mut hardware = Hardware {
        golden: Loader::new(params, base),
        params,
        rng: ChaCha8Rng::seed_from_u64(seed),
        pace,
        segments,
        next: 0,
        segment: None,
        asked: false,
        allocated: None,
        free: (0..params.ops as u32).map(|index| (1 << OP_BITS) - params.ops as u32 + index).collect(),
        loads: Source::default(),
        ends: Source::default(),
        closes: Source::default(),
        firsts: Source::default(),
        abort: None,
        ended_at: BTreeMap::new(),
        returned: vec![None; params.slots - usize::from(params.refetch)],
        owners: BTreeMap::new(),
        close_before: false,
        arriving_before: false,
        failures: VecDeque::new(),
        well_before: false,
        first_load: None,
        quiet: 0,
        seen: Seen::default(),
    };
    let start = model.cycle();
    let mut violations = Vec::new();
    while !hardware.done() {
        let before = (hardware.next, hardware.golden.live(), hardware.seen.released, hardware.seen.sent, hardware.ended_at.len());
        hardware.drive(model);
        model.eval();
        hardware.look(&Ports(&*model)).map_err(|e| format!("cycle {}: {e}", model.cycle()))?;
        for check in &mut checks {
            check.observe(model, &mut violations);
        }
        model.clock();
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        let after = (hardware.next, hardware.golden.live(), hardware.seen.released, hardware.seen.sent, hardware.ended_at.len());
        hardware.quiet = if before == after { hardware.quiet + 1 } else { 0 };
        if hardware.quiet > 4000 {
            return Err(format!("nothing moves any more, at segment {}: {} ops are live", hardware.next, hardware.golden.live()));
        }
    }
    let mut seen = hardware.seen;
    seen.clocks = model.cycle() - start;
    Ok(seen)
}
