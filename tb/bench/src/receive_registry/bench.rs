//! The clock loop.

use super::failure::Failure;
use super::follow::Follower;
use super::memory::{Slots, Writes};
use super::ports::{Ports, RawVerdict};
use super::{Model, Offer, Options, Params, Report, What, When};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::registry::{Complete, Header, Mismatch, Notify, Registry, Write};

/// Clocks without a disturbance from outside after which backlogs are gone and the bounds of the spec hold.
const CALM: u64 = 256;
/// Clocks without any sign of life after which a block that owes something is taken for wedged.
const WEDGED: u64 = 20_000;
/// Places of the ring that do not count as full for the golden model: answered and on their way out, or reserved for the packets in
/// the pipeline.
pub(super) const TOLD_PATH: usize = 9;
/// Superseded operations that may wait for the memory, or for the host, to answer what is before them.
const SUPERSEDED: usize = 8;
/// Clocks between two looks for what is overdue.
const OVERDUE_EVERY: u64 = 64;

/// Clocks between two looks at every done word.
const SWEEPS_EVERY: u64 = 8192;
/// Clocks between two looks for events without a commit.
const EVENTS_EVERY: u64 = 8;

/// Random readiness of one output, in bursts.
#[derive(Debug, Default)]
struct Ready {
    ready: bool,
    left: u32,
}

impl Ready {
    fn next(&mut self, percent: u8, rng: &mut ChaCha8Rng) -> bool {
        if percent == 0 {
            return true;
        }
        if self.left == 0 {
            self.ready = rng.random_range(0..100) >= percent.min(99);
            self.left = rng.random_range(1..=6);
        }
        self.left -= 1;
        self.ready
    }
}

/// The beats that stand on the outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outputs {
    verdict: Option<RawVerdict>,
    write: Option<(u16, Write)>,
    slot_free: Option<u32>,
    complete: Option<Complete>,
    notify: Option<Notify>,
}

/// One run over one model.
pub struct Bench<'a> {
    model: &'a mut dyn Model,
    ports: Ports,
    options: Options,
    follower: Follower,
    rng: ChaCha8Rng,
    writes: Writes,
    slots: Slots,
    /// clock after reset
    cycle: u64,
    /// clock in which something outside last held the block up
    disturbed: Option<u64>,
    /// clock of the last sign of life
    alive: u64,
    untold_limit: usize,
    readies: [Ready; 5],
}

impl<'a> Bench<'a> {
    /// Resets `model`, which was made with `params`, offers it everything that `offers` gives, and waits for the end of it.
    ///
    /// # Errors
    /// The first difference from the golden model, breach of the stream rules or of a bound, or a block that does nothing more.
    pub fn run(
        model: &'a mut dyn Model,
        params: &Params,
        options: Options,
        offers: &mut dyn Iterator<Item = Offer>,
    ) -> Result<Report, Failure> {
        let early = |text: String| Failure { cycle: 0, text, recent: Vec::new(), replay: options.replay.clone(), lines: Vec::new() };
        let ports = Ports::find(model, params.regions > 0).map_err(early)?;
        let mut golden = Registry::new(*params, options.config);
        for (at, region) in options.regions.iter().enumerate() {
            golden.set_region(at, *region);
        }
        let mut bench = Bench {
            model,
            ports,
            follower: Follower::new(golden, options.latency, options.log),
            rng: ChaCha8Rng::seed_from_u64(options.seed),
            writes: Writes::new(options.memory.clone()),
            slots: Slots::new(params.payload_slots()),
            options,
            cycle: 0,
            disturbed: None,
            alive: 0,
            untold_limit: params.writes.saturating_sub(TOLD_PATH).max(1),
            readies: Default::default(),
        };
        match bench.all(params, offers) {
            Ok(()) => {
                bench.follower.report.cycles = bench.cycle;
                Ok(bench.follower.report)
            }
            Err(Mismatch(text)) => {
                let recent = bench.follower.recent.lines();
                Err(Failure { cycle: bench.cycle, text, recent, replay: bench.options.replay, lines: bench.follower.report.lines })
            }
        }
    }

    fn all(&mut self, params: &Params, offers: &mut dyn Iterator<Item = Offer>) -> Result<(), Mismatch> {
        self.reset();
        self.wait_for_ready(params)?;
        let start = self.cycle;
        let (mut first_taken, mut idle) = (None, 0);
        // the last eight clocks in which a header was offered in vain with nothing outside to blame
        let mut stalls = 0u8;
        let mut slot = None;
        let mut next = offers.next();
        let mut last_taken = start;
        while let Some(offer) = next.take() {
            let due = match offer.when {
                When::At(clock) => self.cycle >= start + clock,
                When::After(clocks) => idle >= clocks,
            };
            let header = match &offer.what {
                What::Line(decision) if due => {
                    self.follower.note(self.cycle, decision.clone());
                    next = offers.next();
                    continue;
                }
                What::Header(header) if due => Some(*header),
                _ => None,
            };
            if header.is_some_and(|header| header.kind.has_payload() && slot.is_none()) {
                slot = self.slots.take(offer.frame);
                if slot.is_none() && self.options.drop_without_slot {
                    self.follower.note(self.cycle, Decision::NoSlot { frame: offer.frame });
                    self.follower.report.no_slot += 1;
                    next = offers.next();
                    continue;
                }
            }
            let ready_to_go = header.filter(|header| slot.is_some() || !header.kind.has_payload());
            let taken = self.clock(ready_to_go.map(|header| (offer.frame, slot.unwrap_or(0), header)))?;
            stalls <<= 1;
            if taken {
                first_taken.get_or_insert(self.cycle);
                last_taken = self.cycle;
                (idle, slot) = (0, None);
                next = offers.next();
                continue;
            }
            if ready_to_go.is_some() && self.calm() {
                stalls |= 1;
                self.follower.report.stalls += 1;
                if stalls.count_ones() > 1 {
                    return Err(Mismatch("the header input was stalled twice in 8 clocks with nothing outside holding it up".into()));
                }
            }
            idle += 1;
            next = Some(offer);
        }
        self.follower.report.header_span = first_taken.map_or(0, |first| last_taken - first + 1);
        self.drain(params)
    }

    fn reset(&mut self) {
        let inputs: Vec<usize> =
            (0..self.model.ports().len()).filter(|&port| self.model.ports()[port].direction == rdma_rtl_sim::Direction::Input).collect();
        for port in inputs {
            let words = vec![0; self.model.ports()[port].width.div_ceil(32)];
            self.model.poke(port, &words);
        }
        self.ports.set_config(self.model, &self.options.config);
        self.model.poke_u64(self.ports.rst, 1);
        for _ in 0..4 {
            self.model.clock();
        }
        self.model.poke_u64(self.ports.rst, 0);
        for at in 0..self.options.regions.len() {
            self.ports.set_region(self.model, Some((at, &self.options.regions[at])));
            self.model.clock();
        }
        self.ports.set_region(self.model, None);
    }

    /// The tables clear themselves before the first header.
    fn wait_for_ready(&mut self, params: &Params) -> Result<(), Mismatch> {
        let limit = 4 * params.done_words() as u64 + 1000;
        loop {
            self.model.eval();
            if self.model.peek_u64(self.ports.header_ready) == 1 {
                self.follower.report.clear_cycles = self.cycle;
                return Ok(());
            }
            if self.cycle > limit {
                return Err(Mismatch(format!("the block takes no header {limit} clocks after reset")));
            }
            self.clock(None)?;
        }
    }

    /// Goes on until everything has come out, then compares the levels.
    fn drain(&mut self, params: &Params) -> Result<(), Mismatch> {
        let end = self.cycle + self.options.drain;
        let busy = |bench: &Bench| {
            let golden = &bench.follower.golden;
            !bench.follower.settled() || golden.entries_live() > 0 || golden.escape_used() > 0
        };
        while busy(self) && self.cycle < end {
            self.clock(None)?;
        }
        // a look at a done word takes the pipeline for a moment, so `idle` need not be high in every clock
        let mut idle = false;
        for _ in 0..64 {
            self.clock(None)?;
            idle |= self.model.peek_u64(self.ports.idle) == 1;
        }
        if !self.follower.settled() && self.cycle >= end {
            self.follower.golden.finish()?;
            return Err(Mismatch(format!("a header was taken and never committed, {} clocks after the last", self.options.drain)));
        }
        self.model.eval();
        let golden = &self.follower.golden;
        let high = self.follower.report.high_water;
        let levels = [
            ("entries_live", self.ports.entries_live, golden.entries_live()),
            ("escape_used", self.ports.escape_used, golden.escape_used()),
            ("high_water_entries", self.ports.high_water_entries, high.0),
            ("high_water_escape", self.ports.high_water_escape, high.1),
        ];
        for (name, port, due) in levels {
            let value = self.model.peek_u64(port);
            if value != due as u64 && golden.settled() {
                return Err(Mismatch(format!("`{name}` is {value} at the end of the run, but {due} is due")));
            }
        }
        if !idle && golden.settled() {
            return Err(Mismatch("`idle` stayed low for 64 clocks with nothing left to do".into()));
        }
        if self.slots.used() != golden.escape_used() {
            let (used, waiting, all) = (self.slots.used(), golden.escape_used(), params.payload_slots());
            return Err(Mismatch(format!("{used} of {all} payload slots are in use at the end of the run, but {waiting} packets wait")));
        }
        Ok(())
    }

    fn calm(&self) -> bool {
        self.disturbed.is_none_or(|last| self.cycle > last + CALM)
    }

    /// One clock, with a header offered or not; says whether it was taken.
    fn clock(&mut self, offer: Option<(u64, u32, Header)>) -> Result<bool, Mismatch> {
        let ready = self.ready();
        let (ports, cycle) = (&self.ports, self.cycle);
        self.model.poke_u64(ports.header_valid, offer.is_some().into());
        match &offer {
            Some((frame, slot, header)) => ports.set_header(self.model, header, *slot, *frame as u16),
            // what stands there without valid must not matter
            None => self.model.poke_u64(ports.header_op, self.rng.random_range(0..0x10000)),
        }
        let answer = self.writes.answer(cycle);
        self.model.poke_u64(ports.write_done_valid, answer.is_some().into());
        if let Some(answer) = answer {
            self.model.poke_u64(ports.write_done_tag, answer.tag.into());
            self.model.poke_u64(ports.write_done_ok, answer.ok.into());
        }
        for (port, ready) in
            [ports.verdict_ready, ports.write_ready, ports.slot_free_ready, ports.complete_ready, ports.notify_ready].into_iter().zip(ready)
        {
            self.model.poke_u64(port, ready.into());
        }
        self.model.eval();
        let taken = offer.filter(|_| self.model.peek_u64(self.ports.header_ready) == 1);
        let outputs = self.outputs();
        let blocked = [
            outputs.verdict.is_some(),
            outputs.write.is_some(),
            outputs.slot_free.is_some(),
            outputs.complete.is_some(),
            outputs.notify.is_some(),
        ]
        .iter()
        .zip(&ready)
        .any(|(valid, ready)| *valid && !ready);
        let golden = &self.follower.golden;
        let memory_is_slow = || golden.untold() >= self.untold_limit || golden.superseded_untold() >= SUPERSEDED;
        if blocked || (!self.options.strict && memory_is_slow()) {
            self.disturbed = Some(cycle);
        }
        let calm = self.calm();
        self.observe(&outputs, &ready, calm)?;
        if let Some(answer) = answer {
            self.slots.free(answer.slot).map_err(Mismatch)?;
            self.follower.write_done(cycle, answer.tag, answer.ok)?;
        }
        if let Some((frame, slot, header)) = taken {
            self.follower.take(cycle, frame, slot, header, calm);
            self.follower.report.headers += 1;
            self.alive = cycle;
        }
        if cycle > self.alive + WEDGED && (offer.is_some() || !self.follower.settled()) && !blocked {
            let owed =
                self.follower.golden.finish().map_or_else(|Mismatch(text)| text, |()| "a header is not committed or not taken".into());
            return Err(Mismatch(format!("nothing has moved for {WEDGED} clocks: {owed}")));
        }
        if cycle.is_multiple_of(OVERDUE_EVERY) {
            self.follower.golden.overdue()?;
        }
        if cycle.is_multiple_of(SWEEPS_EVERY) {
            self.follower.golden.overdue_sweep()?;
        }
        self.model.clock();
        self.stable(outputs, &ready)?;
        self.cycle += 1;
        self.follower.golden.advance(1, !calm);
        Ok(taken.is_some())
    }

    fn ready(&mut self) -> [bool; 5] {
        let stall = self.options.stall;
        let resting = stall.breathe > 0 && (self.cycle / stall.breathe) % 2 == 1;
        let percents = [stall.verdict, stall.write, stall.slot_free, stall.complete, stall.notify];
        let mut ready = [true; 5];
        if !resting {
            for (at, percent) in percents.into_iter().enumerate() {
                ready[at] = self.readies[at].next(percent, &mut self.rng);
            }
        }
        ready
    }

    fn outputs(&self) -> Outputs {
        let (ports, model) = (&self.ports, &*self.model);
        let valid = |port: usize| model.peek_u64(port) == 1;
        Outputs {
            verdict: valid(ports.verdict_valid).then(|| ports.verdict(model)),
            write: valid(ports.write_valid).then(|| ports.write(model)),
            slot_free: valid(ports.slot_free_valid).then(|| model.peek_u64(ports.slot_free_slot) as u32),
            complete: valid(ports.complete_valid).then(|| ports.complete(model)),
            notify: valid(ports.notify_valid).then(|| ports.notify(model)),
        }
    }

    /// Everything that the block says in this clock, commits first.
    fn observe(&mut self, outputs: &Outputs, ready: &[bool; 5], calm: bool) -> Result<(), Mismatch> {
        let cycle = self.cycle;
        let mut life = false;
        if self.model.peek_u64(self.ports.trace_valid) == 1 {
            let events = self.ports.events(self.model);
            self.follower.trace(cycle, self.ports.trace(self.model), &events, calm)?;
            life = true;
        } else if cycle.is_multiple_of(EVENTS_EVERY) {
            let events = self.ports.events(self.model);
            if !events.is_empty() {
                return Err(Mismatch(format!("counter events without a commit: {events:?}")));
            }
        }
        if let Some(raw) = outputs.verdict.filter(|_| ready[0]) {
            self.follower.verdict(cycle, raw)?;
            life = true;
        }
        if let Some((tag, write)) = outputs.write.filter(|_| ready[1]) {
            self.follower.write(cycle, tag, write)?;
            let frame = self.slots.frame(write.slot);
            self.writes.write(cycle, tag, write.slot, frame, &mut self.rng);
            life = true;
        }
        if let Some(slot) = outputs.slot_free.filter(|_| ready[2]) {
            self.follower.slot_free(cycle, slot)?;
            self.slots.free(slot).map_err(Mismatch)?;
            life = true;
        }
        if let Some(complete) = outputs.complete.as_ref().filter(|_| ready[3]) {
            self.follower.complete(cycle, complete.clone())?;
            life = true;
        }
        if let Some(notify) = outputs.notify.filter(|_| ready[4]) {
            self.follower.notify(cycle, notify)?;
            life = true;
        }
        if life {
            self.alive = cycle;
        }
        Ok(())
    }

    /// A beat that was not taken must stand unchanged in the next clock.
    fn stable(&self, mut before: Outputs, ready: &[bool; 5]) -> Result<(), Mismatch> {
        if ready.iter().all(|&ready| ready) {
            return Ok(());
        }
        let mut now = self.outputs();
        macro_rules! hold {
            ($($at:literal $field:ident),*) => { $(
                if ready[$at] || before.$field.is_none() {
                    (before.$field, now.$field) = (None, None);
                }
                if before.$field != now.$field {
                    let (before, now) = (before.$field, now.$field);
                    let stream = stringify!($field);
                    return Err(Mismatch(format!("stream {stream} changed while it was not ready: {before:x?}, then {now:x?}")));
                }
            )* };
        }
        hold!(0 verdict, 1 write, 2 slot_free, 3 complete, 4 notify);
        Ok(())
    }
}
