//! `SentryStep` held to the golden Sentry, decision by decision. The bench is what a Sentry has around it: it keeps the states and the bits
//! of the flows, and shows no event of a flow before the step of the one before has left.

use super::sentry_pins::{EPISODE, EXPECTED, FIELDS, FROM, LAST, MSN, Pins, Ports, SET, SURE, UNA, UNTIL};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, ahead, sub};
use rdma_rtl_golden::lr2::fault::Fault;
use rdma_rtl_golden::lr2::packet::{Gap, Key, Kind, Origin, Packet};
use rdma_rtl_golden::lr2::params::{SentryConfig, SentryParams, Variant};
use rdma_rtl_golden::lr2::sentry::{Sentry, Stats};
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_golden::lr2::{Emit, Gate, Verdict};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Clocks from an event to its step.
pub const LATENCY: u64 = 4;

/// A visit among the kinds of events.
const VISIT: u64 = 7;

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub flows: u32,
    /// clocks with an event, in percent
    pub offer: u32,
    pub aware: bool,
    pub config: SentryConfig,
    /// flows start unset
    pub unset: bool,
    /// the golden model has this fault
    pub fault: Option<Fault>,
}

impl Mix {
    /// Everything has a time.
    pub const CONFIG: SentryConfig =
        SentryConfig { local: 20, filter: 60, renack: 10, probe: 0, follow: true, cnp: 12, spare: 15, unfiltered: false, idle: 0 };
    pub const PLAIN: Mix = Mix { flows: 16, offer: 100, aware: false, config: Mix::CONFIG, unset: false, fault: None };
}

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub verdicts: BTreeMap<Verdict, u64>,
    pub sentry_nacks: u64,
    pub passed: u64,
    pub cnps: u64,
    pub probes: u64,
    pub flushed: u64,
    pub lives: u64,
    pub clipped: u64,
    pub timeout_replays: u64,
    pub clears: u64,
    pub marks: u64,
    pub events: u64,
    pub clocks: u64,
}

impl Seen {
    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Seen) -> Seen {
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        self.sentry_nacks += other.sentry_nacks;
        self.passed += other.passed;
        self.cnps += other.cnps;
        self.probes += other.probes;
        self.flushed += other.flushed;
        self.lives += other.lives;
        self.clipped += other.clipped;
        self.timeout_replays += other.timeout_replays;
        self.clears += other.clears;
        self.marks += other.marks;
        self.events += other.events;
        self.clocks += other.clocks;
        self
    }
}

/// What the golden model has decided about an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expect {
    /// none: a visit
    pub verdict: Option<Verdict>,
    pub forward: bool,
    pub priority: bool,
    /// passed on, PSN, MSN
    pub nack: Option<(bool, u32, u32)>,
    pub notify: bool,
    pub probe: Option<(u32, u32)>,
    pub clipped: u64,
    pub timeout_replay: bool,
    pub life: bool,
    pub flushed: bool,
}

/// An event in the pipeline.
struct Under {
    flow: usize,
    due: u64,
    what: String,
    expect: Expect,
    registers: Option<(u32, u32, u32)>,
    /// the episode afterwards, of an event that looks at it
    episode: Option<Option<(u32, u32)>>,
}

/// A flow as its owner keeps it.
struct Flow {
    key: Key,
    reverse: Key,
    state: [u64; 26],
    bits: Vec<bool>,
    busy: bool,
    /// it has had a packet since it was opened
    begun: bool,
}

pub(super) fn code(verdict: Verdict) -> Option<u64> {
    Some(match verdict {
        Verdict::Untouched => 0,
        Verdict::Forwarded => 1,
        Verdict::Asked => 2,
        Verdict::Replayed => 3,
        Verdict::Filtered => 4,
        Verdict::Gap => 5,
        Verdict::Passed => 6,
        Verdict::Noted => 7,
        Verdict::Stale => 8,
        Verdict::Strange => 9,
        _ => return None,
    })
}

pub(super) fn kind(packet: &Packet) -> u64 {
    match (packet.kind, packet.origin) {
        (Kind::Data, _) => 0,
        (Kind::Request, _) => 1,
        (Kind::Ack, _) => 2,
        (Kind::Response, _) => 3,
        (Kind::Nak, Origin::Depot) => 6,
        (Kind::Nak | Kind::Rnr, _) => 4,
        _ => 5,
    }
}

/// What came out of the golden model.
pub(super) fn expected(verdict: Verdict, packet: &Packet, out: &[Emit], stats: (&Stats, &Stats)) -> Result<Expect, String> {
    let (old, new) = stats;
    let mut expect = Expect {
        verdict: Some(verdict),
        clipped: new.clipped - old.clipped,
        timeout_replay: new.timeout_replays != old.timeout_replays,
        life: new.lives != old.lives,
        ..Expect::default()
    };
    for emit in out {
        match emit.packet.kind {
            _ if emit.packet == *packet => (expect.forward, expect.priority) = (true, emit.priority),
            Kind::Cnp if expect.nack.is_none() => expect.notify = true,
            Kind::Nak if emit.priority && emit.packet.origin != Origin::Card => {
                expect.nack = Some((emit.packet.origin == Origin::Depot, emit.packet.psn, emit.packet.msn));
            }
            _ => return Err(format!("the bench does not know what {emit:?} is")),
        }
    }
    Ok(expect)
}

/// A packet of a flow that is likely, or on an edge, or nonsense. `begun`: bits of the filter, once a packet has been there; the first is
/// near `first`.
pub(super) fn likely(rng: &mut ChaCha8Rng, registers: (u32, u32, u32), keys: (Key, Key), begun: Option<u32>, first: u32) -> Packet {
    let ((una, expected, last), (key, reverse)) = (registers, keys);
    let open = ahead(una, expected).min(1 << 20);
    let near = add(una, rng.random_range(0..=open.min(24)));
    let plain = Packet { marked: rng.random_bool(0.3), ..Packet::data(key, last, 1024) };
    let ack = Packet::ack(reverse, sub(near, 1), rng.random_range(0..1 << 24));
    let of = |psn: u32| Packet { psn, ..plain };
    let Some(filter) = begun else {
        return of(if rng.random_bool(0.5) { last } else { add(first, rng.random_range(0..4)) });
    };
    match rng.random_range(0..1000) {
        // what the card has under way goes on
        0..380 => plain,
        380..450 => of(add(expected, rng.random_range(1..5))),
        450..530 => of(add(una, rng.random_range(0..3))),
        530..560 => of(add(una, rng.random_range(0..=open))),
        560..580 => of(sub(una, rng.random_range(0..4))),
        580..590 => of(add(expected, filter - 1 + rng.random_range(0..3))),
        590..596 => of(sub(una, filter - 1 + rng.random_range(0..3))),
        596..600 => of(add([una, expected][rng.random_range(0..2)], (1 << 23) - 1 + rng.random_range(0..3))),
        600..603 => of(rng.random_range(0..1 << 24)),
        603..640 => {
            let psn = add(last, [0, 0, 0, 1, (1 << 24) - 3][rng.random_range(0..5)]);
            let span = [1, 2, rng.random_range(1..30), rng.random_range(1..filter + 20)][rng.random_range(0..4)];
            Packet { kind: Kind::Request, span, ..of(psn) }
        }
        640..790 => ack,
        790..800 => Packet { psn: sub(add(expected, rng.random_range(0..3)), 1), ..ack },
        800..802 => Packet { psn: add(una, (1 << 23) - 2 + rng.random_range(0..3)), ..ack },
        802..804 => Packet { psn: sub(una, filter + rng.random_range(0..3)), ..ack },
        804..806 => Packet { psn: rng.random_range(0..1 << 24), ..ack },
        806..830 => Packet { kind: Kind::Response, ..ack },
        830..850 => {
            let kind = [Kind::Nak, Kind::Rnr][rng.random_range(0..2)];
            let origin = [Origin::Card, Origin::Sentry][rng.random_range(0..2)];
            Packet { kind, origin, psn: near, ..ack }
        }
        850 => Packet { kind: Kind::Refusal, ..ack },
        _ => {
            let start = match rng.random_range(0..20) {
                0..14 => sub(add(una, rng.random_range(0..open + 6)), 3),
                14..18 => sub(last, rng.random_range(0..3)),
                18 => add(una, filter - 2 + rng.random_range(0..4)),
                _ => rng.random_range(0..1 << 24),
            };
            let length = match rng.random_range(0..20) {
                0 => 0,
                1..14 => rng.random_range(1..5),
                14..17 => rng.random_range(1..100),
                17 => filter - 2 + rng.random_range(0..4),
                18 => open + rng.random_range(0..3),
                _ => rng.random_range(0..1 << 24),
            };
            let psn = if rng.random_bool(0.8) { una } else { near };
            Packet { kind: Kind::Nak, origin: Origin::Depot, psn, gap: Gap { start, length, edge: expected }, ..ack }
        }
    }
}

struct Run<'a, 'm> {
    rng: &'a mut ChaCha8Rng,
    pins: Pins<'m>,
    mix: Mix,
    golden: Sentry,
    flows: Vec<Flow>,
    under: VecDeque<Under>,
    now: u64,
    start: u32,
    filter: u32,
    seen: Seen,
}

impl Run<'_, '_> {
    fn registers(&self, flow: usize) -> (u32, u32, u32) {
        self.golden.registers(&self.flows[flow].key).unwrap_or_default()
    }

    fn packet(&mut self, flow: usize) -> Packet {
        let registers = self.registers(flow);
        let Flow { key, reverse, begun, .. } = self.flows[flow];
        likely(self.rng, registers, (key, reverse), begun.then_some(self.filter), self.start)
    }

    /// Writes the entry of a flow anew: its owner clears the bits.
    fn open(&mut self, flow: usize) -> Result<(), String> {
        let initial = (!self.mix.unset || self.rng.random_bool(0.3)).then(|| add(self.start, self.rng.random_range(0..4)));
        let mode = if self.mix.aware { Mode::Aware } else { Mode::Standard };
        let number = flow as u32;
        let key = Key { source: number, destination: 1000 + number, qp: number };
        let entry = Entry { key, peer_qp: 5000 + number, mode, initial };
        self.golden.open(&entry)?;
        let mut state = [0; FIELDS.len()];
        let psn = u64::from(initial.unwrap_or(0));
        (state[SET], state[SURE]) = (initial.is_some().into(), initial.is_some().into());
        (state[UNA], state[EXPECTED], state[LAST]) = (psn, psn, psn);
        let opened = Flow { key, reverse: entry.reverse(), state, bits: vec![false; self.filter as usize], busy: false, begun: false };
        match self.flows.get_mut(flow) {
            Some(old) => *old = opened,
            None => self.flows.push(opened),
        }
        Ok(())
    }

    /// Shows an event in this clock.
    fn show(&mut self, flow: usize, packet: Option<&Packet>) {
        let state = self.flows[flow].state;
        for (&port, value) in self.pins.ports.before.iter().zip(state) {
            self.pins.model.poke_u64(port, value);
        }
        let none = Packet::default();
        let shown = packet.unwrap_or(&none);
        let bit = self.flows[flow].bits[shown.psn as usize % self.flows[flow].bits.len()];
        self.pins.set("valid", 1);
        self.pins.set("kind", packet.map_or(VISIT, kind));
        self.pins.set("aware", self.mix.aware.into());
        self.pins.set("psn", shown.psn.into());
        self.pins.set("span", shown.span.into());
        self.pins.set("congested", shown.marked.into());
        self.pins.set("packet_msn", shown.msn.into());
        self.pins.set("gap_start", shown.gap.start.into());
        self.pins.set("gap_length", shown.gap.length.into());
        self.pins.set("asked_for", bit.into());
        self.pins.set("tick", self.now & 0xffff_ffff);
        self.flows[flow].busy = true;
        self.seen.events += 1;
    }

    /// A packet of a flow.
    fn event(&mut self, flow: usize) -> Result<(), String> {
        let packet = self.packet(flow);
        let old = self.golden.stats;
        let mut out = Vec::new();
        let onward = matches!(packet.kind, Kind::Data | Kind::Request);
        let gate = if onward { Sentry::onward } else { Sentry::back };
        let verdict = gate(&mut self.golden, self.now, packet, true, &mut out);
        let expect = expected(verdict, &packet, &out, (&old, &self.golden.stats))?;
        self.flows[flow].begun = true;
        let looks = verdict != Verdict::Untouched && verdict != Verdict::Strange;
        let episode = looks.then(|| self.golden.episode(&self.flows[flow].key));
        let under = Under {
            flow,
            due: self.pins.model.cycle() + LATENCY,
            what: format!("{packet:?} at {}, flow {:?}", self.now, self.flows[flow].state),
            expect,
            registers: Some(self.registers(flow)),
            episode,
        };
        self.show(flow, Some(&packet));
        self.under.push_back(under);
        Ok(())
    }

    /// Visits every flow that has begun: what is due by now is found, and nothing else.
    fn visit(&mut self) -> Result<(), String> {
        while !self.under.is_empty() {
            self.clock()?;
        }
        let (old, before) = (self.golden.stats.flushed, self.seen.flushed);
        let mut out = Vec::new();
        self.golden.tick(self.now, &mut out);
        let mut probes: BTreeSet<(Key, u32, u32)> = out
            .iter()
            .filter(|emit| emit.packet.kind == Kind::Probe)
            .map(|emit| (emit.packet.key, emit.packet.gap.start, emit.packet.gap.edge))
            .collect();
        for flow in 0..self.flows.len() {
            if !self.flows[flow].begun {
                continue;
            }
            let key = self.flows[flow].key;
            let probe = probes.iter().find(|probe| probe.0 == key).copied();
            probe.inspect(|probe| {
                probes.remove(probe);
            });
            let expect = Expect { probe: probe.map(|(_, una, edge)| (una, edge)), ..Expect::default() };
            let what = format!("a visit at {}, flow {:?}", self.now, self.flows[flow].state);
            let due = self.pins.model.cycle() + LATENCY;
            self.show(flow, None);
            self.under.push_back(Under { flow, due, what, expect, registers: Some(self.registers(flow)), episode: None });
            self.clock()?;
        }
        while !self.under.is_empty() {
            self.clock()?;
        }
        let (flushed, due) = (self.seen.flushed - before, self.golden.stats.flushed - old);
        if flushed != due || !probes.is_empty() {
            return Err(format!("visits at {}: {flushed} flows were flushed, {due} are due; no probe of {probes:?}", self.now));
        }
        Ok(())
    }

    /// One clock, and what leaves in it.
    fn clock(&mut self) -> Result<(), String> {
        self.pins.model.clock();
        self.pins.set("valid", 0);
        self.pins.model.eval();
        self.seen.clocks += 1;
        let now = self.pins.model.cycle();
        if let Some(reason) = self.pins.model.failure() {
            return Err(reason.to_string());
        }
        let due = self.under.front().is_some_and(|under| under.due == now);
        if self.pins.is("done") != due {
            return Err(format!("cycle {now}: `done` is {}, due {:?}", !due, self.under.front().map(|under| under.due)));
        }
        if !due {
            return Ok(());
        }
        let Some(under) = self.under.pop_front() else { return Ok(()) };
        self.step(&under).map_err(|text| format!("cycle {now}: {text}; {}", under.what))
    }

    /// The step of an event: what was decided, and the flow afterwards.
    fn step(&mut self, under: &Under) -> Result<(), String> {
        let mut state = [0; FIELDS.len()];
        for (value, &port) in state.iter_mut().zip(&self.pins.ports.after) {
            *value = self.pins.model.peek_u64(port);
        }
        let pins = &self.pins;
        let number = |name: &str| pins.get(name) as u32;
        let (psn, msn) = (number("nack_psn"), state[MSN] as u32);
        let is_set = state[SET] == 1;
        let visit = under.expect.verdict.is_none();
        let found = Expect {
            verdict: under.expect.verdict,
            forward: pins.is("forward"),
            priority: pins.is("urgent"),
            nack: pins.is("nack").then(|| (pins.is("nack_passed"), psn, msn)),
            notify: pins.is("notify"),
            probe: pins.is("probe").then(|| (state[UNA] as u32, state[EXPECTED] as u32)),
            clipped: pins.get("evt_clipped_start") + pins.get("evt_clipped_end"),
            timeout_replay: pins.is("evt_timeout_replay"),
            life: pins.is("evt_life"),
            // Of visits all together are counted.
            flushed: !visit && pins.is("evt_flushed"),
        };
        if found != under.expect {
            return Err(format!("{found:?}, expected {:?}", under.expect));
        }
        let verdict = under.expect.verdict.unwrap_or(Verdict::Untouched);
        if code(verdict) != Some(pins.get("verdict")) {
            return Err(format!("verdict {}, expected {verdict:?}", pins.get("verdict")));
        }
        let registers = (state[UNA] as u32, state[EXPECTED] as u32, state[LAST] as u32);
        if under.registers != Some(registers) {
            return Err(format!("una, expected, last are {registers:?}, expected {:?}", under.registers));
        }
        let episode = (state[EPISODE] == 1).then(|| (state[FROM] as u32, state[UNTIL] as u32));
        if under.episode.is_some_and(|due| due != episode) {
            return Err(format!("the episode is {episode:?}, expected {:?}", under.episode));
        }
        if !self.mix.aware && pins.is("nack") && !(is_set && state[SURE] == 1 && psn == registers.0) {
            return Err(format!("a NACK acknowledges up to {psn:#x}, which nobody has: {state:?}"));
        }
        let ranges = [
            (pins.is("clear"), number("clear_start"), number("clear_length")),
            (pins.is("mark"), number("mark_start"), number("mark_length")),
        ];
        if visit {
            self.seen.flushed += self.pins.get("evt_flushed");
        } else {
            *self.seen.verdicts.entry(verdict).or_default() += 1;
        }
        self.seen.sentry_nacks += u64::from(found.nack.is_some_and(|nack| !nack.0));
        self.seen.passed += u64::from(found.nack.is_some_and(|nack| nack.0));
        self.seen.cnps += u64::from(found.notify);
        self.seen.probes += u64::from(found.probe.is_some());
        self.seen.lives += u64::from(found.life);
        self.seen.clipped += found.clipped;
        self.seen.timeout_replays += u64::from(found.timeout_replay);
        self.seen.clears += u64::from(ranges[0].0);
        self.seen.marks += u64::from(ranges[1].0);
        let filter = self.filter;
        let flow = &mut self.flows[under.flow];
        for ((there, start, length), value) in ranges.into_iter().zip([false, true]) {
            if there && (length == 0 || length > filter) {
                return Err(format!("{length} bits of {filter}"));
            }
            for on in 0..if there { length } else { 0 } {
                flow.bits[add(start, on) as usize % filter as usize] = value;
            }
        }
        flow.state = state;
        flow.busy = false;
        Ok(())
    }
}

/// `count` packets of `mix.flows` flows. Every step leaves in its clock, with the decisions, the registers and the episode of the golden
/// model.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ports = Ports::new(model)?;
    for port in 0..model.ports().len() {
        let words = model.ports()[port].words();
        if model.ports()[port].direction == rdma_rtl_sim::Direction::Input {
            model.poke(port, &vec![0; words]);
        }
    }
    let config = mix.config;
    for (name, value) in [
        ("local", config.local),
        ("filter", config.filter),
        ("renack", config.renack),
        ("spare", config.spare),
        ("cnp", config.cnp),
        ("idle", config.idle),
        ("probe", config.probe),
        ("follow", config.follow.into()),
        ("unfiltered", config.unfiltered.into()),
    ] {
        let port = model.port(&format!("settings_{name}")).ok_or_else(|| format!("the design has no port `settings_{name}`"))?;
        model.poke_u64(port, value);
    }
    let width = model.ports()[ports.named["clear_length"]].width;
    let filter = 1 << (width - 1);
    let params = SentryParams { flows: mix.flows as usize, bits: filter, variant: Variant::Ours, fault: mix.fault };
    let golden = Sentry::new(params, config)?;
    let start = sub(0, rng.random_range(0..64));
    let mut pins = Pins { model, ports };
    pins.set("rst", 1);
    pins.model.clock();
    pins.model.clock();
    pins.set("rst", 0);
    // Ticks wrap soon.
    let mut run = Run {
        rng: &mut rng,
        pins,
        mix,
        golden,
        flows: Vec::new(),
        under: VecDeque::new(),
        now: (1 << 32) - 2000,
        start,
        filter,
        seen: Seen::default(),
    };
    for flow in 0..mix.flows as usize {
        run.open(flow)?;
    }
    let mut given = 0;
    while given < count {
        run.now += [0, 0, 0, 1, 1, 2, 5, 40][run.rng.random_range(0..8)];
        if run.golden.wake().is_some_and(|at| at <= run.now) || run.rng.random_bool(0.002) {
            run.visit()?;
        }
        let flow = run.rng.random_range(0..mix.flows as usize);
        if !run.flows[flow].busy && run.rng.random_bool(0.002) {
            run.open(flow)?;
        }
        if chance(run.rng, mix.offer) {
            let free = (0..run.flows.len()).map(|on| (flow + on) % run.flows.len()).find(|&flow| !run.flows[flow].busy);
            if let Some(flow) = free {
                run.event(flow)?;
                given += 1;
            }
        }
        run.clock()?;
    }
    run.visit()?;
    Ok(run.seen)
}
