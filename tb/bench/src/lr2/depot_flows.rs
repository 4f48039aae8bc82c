//! `DepotFlows` held to the golden Depot: the bench follows the hardware, step by step, visits and what is let go included.
//! `DepotPools`, `DepotTickets` and `DepotWord`, its parts, have none of their own.

use super::depot_events::{Expect, Mix, Nack, RELEASE, Seen, VISIT, code, expected, kind, likely};
use super::depot_pools::{InUse, Rings};
use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, sub};
use rdma_rtl_golden::lr2::depot::{Depot, Stats};
use rdma_rtl_golden::lr2::packet::{Gap, Key, Kind, Packet};
use rdma_rtl_golden::lr2::params::{DepotConfig, DepotParams, Variant};
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_golden::lr2::{Emit, Gate, Verdict};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Clocks from an event to its step.
pub const LATENCY: u64 = 7;
/// Clocks from `release_ready` to the step of what is let go.
pub const RELEASE_LATENCY: u64 = 16;

/// What a run has measured, in clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// most between two visits of a flow, without an entry written meanwhile
    pub unvisited: u64,
    /// most that an event has waited to be taken
    pub waited: u64,
    /// most from a step to the place of what it holds or copies
    pub placed: u64,
}

impl Measured {
    /// The worse of both.
    #[must_use]
    pub fn and(self, other: Measured) -> Measured {
        Measured {
            unvisited: self.unvisited.max(other.unvisited),
            waited: self.waited.max(other.waited),
            placed: self.placed.max(other.placed),
        }
    }
}

/// What a step changes in a pool: packets that go, and one that comes.
struct Change {
    gone: Vec<(usize, u32)>,
    comes: Option<(usize, u32)>,
    /// a copy for which there is no place
    refused: bool,
    clock: u64,
}

/// The places of one pool, as the hardware has given them out.
#[derive(Default)]
struct Places {
    at: BTreeMap<(usize, u32), u64>,
    taken: BTreeSet<u64>,
    changes: VecDeque<Change>,
}

impl Places {
    fn go(&mut self, gone: &[(usize, u32)]) -> Result<(), String> {
        for packet in gone {
            let place = self.at.remove(packet).ok_or_else(|| format!("{packet:x?} never had a place"))?;
            self.taken.remove(&place);
        }
        Ok(())
    }

    /// The pool says that the next packet has this place, or none. Returns the clock of its step.
    fn comes(&mut self, place: Option<u64>) -> Result<u64, String> {
        while let Some(change) = self.changes.pop_front() {
            self.go(&change.gone)?;
            match (change.comes, place) {
                (None, _) => {}
                (Some(packet), Some(place)) if !change.refused => {
                    if !self.taken.insert(place) {
                        return Err(format!("place {place} is given to {packet:x?}, another packet has it"));
                    }
                    self.at.insert(packet, place);
                    return Ok(change.clock);
                }
                (Some(_), None) if change.refused => return Ok(change.clock),
                (Some(packet), _) => return Err(format!("{packet:x?} has place {place:?}, refused is {}", change.refused)),
            }
        }
        Err(format!("place {place:?} for nobody"))
    }

    fn waits(&self) -> bool {
        self.changes.iter().any(|change| change.comes.is_some())
    }
}

/// A flow as the bench knows it.
struct Flow {
    key: Key,
    reverse: Key,
    aware: bool,
    begun: bool,
    rings: Rings,
    /// PSNs of what is held, and of the copies
    held: BTreeSet<u32>,
    copies: BTreeSet<u32>,
    works: bool,
    /// clock of its last visit
    visited: u64,
}

/// An event under way.
struct Given {
    flow: usize,
    packet: Packet,
    clock: u64,
}

/// What a clock is offered.
#[derive(Default)]
struct Offer {
    event: Option<(usize, Packet)>,
    since: u64,
    release: Option<usize>,
    entry: Option<(usize, Entry)>,
}

/// A step as the golden model decides it.
struct Decided {
    /// The packet of an event.
    packet: Option<Packet>,
    /// What goes on, if the step lets it.
    goes: Option<Packet>,
    verdict: Option<Verdict>,
    expect: Expect,
}

struct Run<'a, 'm> {
    rng: &'a mut ChaCha8Rng,
    pins: Pins<'m>,
    mix: Mix,
    golden: Depot,
    flows: Vec<Flow>,
    all: InUse,
    held: Places,
    kept: Places,
    given: VecDeque<Given>,
    /// flow and clock of what is to be let go
    looks: Option<(usize, u64)>,
    nacks: VecDeque<(usize, Nack)>,
    /// Depot-NACKs of walks so far: due, and taken
    asked: u64,
    told: u64,
    now: u64,
    start: u32,
    seen: Seen,
    measured: Measured,
    /// clock of the last entry
    opened: u64,
}

impl Run<'_, '_> {
    fn entry(&mut self, flow: usize) -> Entry {
        let initial = (!self.mix.unset || self.rng.random_bool(0.3)).then(|| add(self.start, self.rng.random_range(0..4)));
        let number = flow as u32;
        // Each flow has cards of its own.
        let mode = if self.mix.aware != flow.is_multiple_of(3) { Mode::Aware } else { Mode::Standard };
        Entry { key: Key { source: number, destination: 1000 + number, qp: number }, peer_qp: 5000 + number, mode, initial }
    }

    fn drive(&mut self, offer: &Offer) {
        let pins = &mut self.pins;
        pins.set("tick", self.now & 0xffff_ffff);
        pins.set("event_valid", offer.event.is_some().into());
        if let Some((flow, packet)) = &offer.event {
            let probe = packet.kind == Kind::Probe;
            for (name, value) in [
                ("flow", *flow as u64),
                ("kind", kind(packet)),
                ("psn", if probe { packet.gap.edge } else { packet.psn }.into()),
                ("span", if probe { 1 } else { packet.span.max(1) }.into()),
                ("asks", (packet.ack_request || packet.last).into()),
                ("msn", packet.msn.into()),
                ("credits", packet.credits.into()),
            ] {
                pins.set(&format!("event_{name}"), value);
            }
        }
        pins.set("release_valid", offer.release.is_some().into());
        pins.set("release_flow", offer.release.unwrap_or(0) as u64);
        pins.set("open_valid", offer.entry.is_some().into());
        if let Some((flow, entry)) = &offer.entry {
            pins.set("open_flow", *flow as u64);
            pins.set("open_aware", (entry.mode == Mode::Aware).into());
            pins.set("open_set", entry.initial.is_some().into());
            pins.set("open_psn", entry.initial.unwrap_or(0).into());
        }
        let takes_nack = chance(self.rng, 70);
        pins.set("nack_ready", takes_nack.into());
        pins.eval();
    }

    /// One clock. What was taken of the offer is gone from it; the number of what was taken.
    fn clock(&mut self, offer: &mut Offer) -> Result<u64, String> {
        self.drive(offer);
        let clock = self.pins.cycle();
        if self.pins.get("held") == 1 {
            let since = self.held.comes(Some(self.pins.get("held_at")))?;
            self.measured.placed = self.measured.placed.max(clock - since);
        }
        if self.pins.get("kept") == 1 {
            let since = self.kept.comes(Some(self.pins.get("kept_at")))?;
            self.measured.placed = self.measured.placed.max(clock - since);
        }
        if self.pins.get("uncopied") == 1 {
            self.kept.comes(None)?;
        }
        self.nack(clock)?;
        if self.pins.get("done") == 1 {
            self.step().map_err(|text| format!("cycle {clock}: {text}"))?;
        }
        let [event, release, opens] = ["event_ready", "release_ready", "open_ready"].map(|name| self.pins.get(name) == 1);
        if event {
            let (flow, packet) = offer.event.take().ok_or_else(|| format!("cycle {clock}: an event is taken that nobody offers"))?;
            self.measured.waited = self.measured.waited.max(clock - offer.since);
            self.given.push_back(Given { flow, packet, clock });
            self.seen.events += 1;
        }
        if release {
            let flow = offer.release.take().ok_or_else(|| format!("cycle {clock}: a flow is let go that nobody offers"))?;
            if let Some((flow, since)) = self.looks.replace((flow, clock)) {
                return Err(format!("cycle {clock}: flow {flow} is looked at since {since}, and another one too"));
            }
        }
        if opens {
            let (flow, entry) = offer.entry.take().ok_or_else(|| format!("cycle {clock}: an entry is opened that nobody wants"))?;
            self.open(flow, &entry, event || release, clock)?;
        }
        if let Some(late) = self.given.front().filter(|given| clock > given.clock + LATENCY) {
            return Err(format!("cycle {clock}: no step of {:?}", late.packet));
        }
        if let Some((flow, since)) = self.looks.filter(|(_, since)| clock > since + RELEASE_LATENCY) {
            return Err(format!("cycle {clock}: nothing of flow {flow}, which is looked at since {since}"));
        }
        self.pins.clock();
        self.seen.clocks += 1;
        self.pins.failure().map_or(Ok(u64::from(event) + u64::from(release) + u64::from(opens)), Err)
    }

    /// A Depot-NACK of a walk.
    fn nack(&mut self, clock: u64) -> Result<(), String> {
        if self.pins.get("nack_valid") == 0 || self.pins.get("nack_ready") == 0 {
            return Ok(());
        }
        let [flow, psn, msn, start, length, edge] =
            ["flow", "psn", "msn", "start", "length", "border"].map(|name| self.pins.get(&format!("nack_{name}")) as u32);
        let found = (flow as usize, (psn, msn, Gap { start, length, edge }));
        self.told += 1;
        let due = self.nacks.pop_front();
        if due != Some(found) {
            return Err(format!("cycle {clock}: Depot-NACK {found:x?}, expected {due:x?}"));
        }
        Ok(())
    }

    fn open(&mut self, flow: usize, entry: &Entry, beside: bool, clock: u64) -> Result<(), String> {
        if !self.given.is_empty() || self.looks.is_some() || beside || self.held.waits() || self.kept.waits() || !self.nacks.is_empty() {
            return Err(format!("cycle {clock}: an entry is opened with something under way"));
        }
        self.golden.open(entry)?;
        let (number, reach) = (flow, self.golden_reach());
        let Run { flows, all, held, kept, .. } = self;
        let flow = &mut flows[number];
        flow.rings.free(0, reach, all);
        flow.rings.drop(0, reach, all);
        let gone = |of: &mut BTreeSet<u32>| std::mem::take(of).into_iter().map(|psn| (number, psn)).collect();
        held.changes.push_back(Change { gone: gone(&mut flow.held), comes: None, refused: false, clock });
        kept.changes.push_back(Change { gone: gone(&mut flow.copies), comes: None, refused: false, clock });
        (flow.begun, flow.works, flow.aware) = (false, false, entry.mode == Mode::Aware);
        self.opened = clock;
        Ok(())
    }

    fn golden_reach(&self) -> u32 {
        1 << (self.pins.width("orders_free_length") - 1)
    }

    fn is(&self, name: &str) -> bool {
        self.pins.get(name) == 1
    }

    fn psn(&self, name: &str) -> u32 {
        self.pins.get(name) as u32
    }

    /// What the golden model decides about this step.
    fn decide(&mut self, flow: usize, at: u64, clock: u64) -> Result<Decided, String> {
        let (what, number) = (self.pins.get("done_kind"), self.psn("done_psn"));
        let key = self.flows[flow].key;
        let old: Stats = self.golden.stats;
        let mut out: Vec<Emit> = Vec::new();
        if what == VISIT || what == RELEASE {
            if let Some((looked, since)) = self.looks.filter(|(looked, since)| *looked == flow && clock > *since) {
                let latency = clock - since;
                if what == RELEASE && (latency != RELEASE_LATENCY || !self.flows[looked].works) {
                    return Err(format!("flow {looked} lets something go after {latency} clocks, works is {}", self.flows[looked].works));
                }
                if what == VISIT && self.flows[looked].works {
                    return Err(format!("flow {looked} is visited and has something to let go"));
                }
                self.looks = None;
            } else if what == RELEASE {
                return Err(format!("flow {flow} lets something go that nobody has asked for"));
            }
        }
        if what == VISIT {
            self.measured.unvisited = self.measured.unvisited.max(clock - self.flows[flow].visited.max(self.opened));
            self.flows[flow].visited = clock;
            self.golden.visit(at, &key, &mut out);
            return Ok(Decided { packet: None, goes: None, verdict: None, expect: expected(None, &out, (&old, &self.golden.stats))? });
        }
        if what == RELEASE {
            let next = self.golden.next_out(&key);
            let copy = self.is("gone_copy");
            let rings = &self.flows[flow].rings;
            let goes = if copy { rings.copy(number) } else { rings.packet(number) };
            if next.map(|(psn, held)| (psn, held.is_none())) != Some((number, copy)) {
                return Err(format!("{number:#x} is let go, a copy is {copy}, expected {next:?}"));
            }
            let places = if copy { &self.kept } else { &self.held };
            let due = places.at.get(&(flow, number)).copied();
            if goes.is_some() && due != Some(self.pins.get("gone_place")) {
                return Err(format!("{number:#x} lies at {due:?}, not at {}", self.pins.get("gone_place")));
            }
            self.golden.let_go(at, &key, &mut out);
            return Ok(Decided { packet: goes, goes, verdict: None, expect: expected(None, &out, (&old, &self.golden.stats))? });
        }
        let given = self.given.pop_front().ok_or("a step of nothing")?;
        if (given.flow, kind(&given.packet), given.clock + LATENCY) != (flow, what, clock) {
            return Err(format!(
                "a step of kind {what} of flow {flow}, due is {:?} of flow {} since {}",
                given.packet, given.flow, given.clock
            ));
        }
        let verdict = self.golden.decide(at, given.packet, &mut out);
        self.flows[flow].begun = true;
        let expect = expected(Some(&given.packet), &out, (&old, &self.golden.stats))?;
        Ok(Decided { packet: Some(given.packet), goes: Some(given.packet), verdict: Some(verdict), expect })
    }

    /// A step leaves.
    fn step(&mut self) -> Result<(), String> {
        let clock = self.pins.cycle();
        let number = self.pins.get("done_flow") as usize;
        let at = self.now - u64::from((self.now as u32).wrapping_sub(self.psn("done_tick")));
        if number >= self.flows.len() {
            return Err(format!("a step of flow {number}"));
        }
        let Decided { packet, goes, verdict, expect } = self.decide(number, at, clock)?;
        let about = format!("{packet:x?} of flow {number} at {at}");
        let (una, edge, msn) = (self.psn("una"), self.psn("border"), self.psn("msn"));
        let credits = self.pins.get("credits") as u8;
        let mut nacks = Vec::new();
        if self.is("orders_walk") {
            let (start, edge) = (self.psn("orders_walk_start"), self.psn("orders_walk_end"));
            for (start, length) in self.flows[number].rings.runs(start, edge, self.mix.config.renack_max) {
                let say = if self.flows[number].aware { start } else { una };
                nacks.push((say, self.psn("orders_walk_msn"), Gap { start, length, edge }));
            }
        }
        self.nacks.extend(nacks.iter().map(|nack| (number, *nack)));
        self.asked += nacks.len() as u64;
        self.seen.walked += nacks.len() as u64;
        if self.is("orders_nack") {
            let gap = Gap { start: self.psn("orders_gap_start"), length: self.psn("orders_gap_length"), edge };
            nacks.push((self.psn("orders_nack_psn"), msn, gap));
        }
        let taken = self.is("orders_intercepted");
        let found = Expect {
            forward: if self.is("orders_forward") && !taken { goes } else { None },
            intercepted: if taken { packet.map(|packet| (sub(packet.psn, 1), msn, credits)) } else { None },
            reack: self.is("orders_reack").then(|| (sub(una, 1), msn, credits)),
            nacks,
            life: self.is("orders_evt_life"),
            timeout: self.is("orders_evt_timeout"),
            reopened: self.is("orders_evt_reopened"),
            again: self.is("orders_evt_again"),
        };
        if found != expect {
            return Err(format!("{found:x?}, expected {expect:x?}; {about}"));
        }
        if let Some(verdict) = verdict {
            if code(verdict) != Some(self.pins.get("orders_verdict")) {
                return Err(format!("verdict {}, expected {verdict:?}; {about}", self.pins.get("orders_verdict")));
            }
            *self.seen.verdicts.entry(verdict).or_default() += 1;
        }
        let registers = (una, self.psn("expected"), edge);
        let due = self.golden.registers(&self.flows[number].key).unwrap_or_default();
        if self.flows[number].begun && registers != due {
            return Err(format!("una, ePSN, ePSN_D are {registers:x?}, expected {due:x?}; {about}"));
        }
        let works = self.golden.next_out(&self.flows[number].key).is_some();
        if self.is("works") != works {
            return Err(format!("`works` is {}, expected {works}; {about}", !works));
        }
        self.flows[number].works = works;
        self.change(number, packet, clock).map_err(|text| format!("{text}; {about}"))?;
        self.seen.gaps += u64::from(self.is("orders_nack"));
        self.seen.reacks += u64::from(found.reack.is_some());
        let (let_go, copy) = (self.pins.get("done_kind") == RELEASE, self.is("gone_copy"));
        self.seen.replayed += u64::from(let_go && copy && found.forward.is_some());
        self.seen.drained += u64::from(let_go && !copy);
        self.seen.timeouts += u64::from(found.timeout);
        self.seen.reopened += u64::from(found.reopened);
        self.seen.again += u64::from(found.again);
        self.seen.lives += u64::from(found.life);
        self.seen.flushed += self.pins.get("orders_evt_flushed");
        self.seen.requests += u64::from(self.is("orders_hold") && packet.is_some_and(|packet| packet.kind == Kind::Request));
        Ok(())
    }

    /// What a step orders of the pools, as the rings do it at once, and the hardware in its time.
    fn change(&mut self, number: usize, packet: Option<Packet>, clock: u64) -> Result<(), String> {
        let [free, drop, hold, copy] = ["free", "drop", "hold", "copy"].map(|name| self.is(&format!("orders_{name}")));
        let (free_start, free_length) = (self.psn("orders_free_start"), self.psn("orders_free_length"));
        let (drop_start, drop_length) = (self.psn("orders_drop_start"), self.psn("orders_drop_length"));
        let clears = self.is("orders_hold_clears");
        let Run { flows, all, held, kept, golden, .. } = self;
        let flow = &mut flows[number];
        if free {
            flow.rings.free(free_start, free_length, all);
        }
        if drop {
            flow.rings.drop(drop_start, drop_length, all);
        }
        let here = |psn: u32| (number, psn);
        let mut comes = (None, None, false);
        if hold || copy {
            let packet = packet.ok_or("nothing is held, or copied")?;
            if hold {
                flow.rings.hold(packet, clears, all)?;
                comes.0 = Some(here(packet.psn));
            }
            if copy {
                flow.rings.keep(packet, all)?;
                (comes.1, comes.2) = (Some(here(packet.psn)), flow.rings.copy(packet.psn).is_none());
            }
        }
        let new = |psn: u32| comes.0 == Some(here(psn));
        let (stay, gone): (BTreeSet<u32>, BTreeSet<u32>) =
            flow.held.iter().partition(|&&psn| !new(psn) && flow.rings.packet(psn).is_some_and(|held| held.psn == psn));
        held.changes.push_back(Change { gone: gone.into_iter().map(here).collect(), comes: comes.0, refused: false, clock });
        flow.held = stay;
        flow.held.extend(comes.0.map(|(_, psn)| psn));
        let (stay, gone): (BTreeSet<u32>, BTreeSet<u32>) =
            flow.copies.iter().partition(|&&psn| flow.rings.copy(psn).is_some_and(|copy| copy.psn == psn));
        kept.changes.push_back(Change { gone: gone.into_iter().map(here).collect(), comes: comes.1, refused: comes.2, clock });
        flow.copies = stay;
        flow.copies.extend(comes.1.filter(|_| !comes.2).map(|(_, psn)| psn));
        let (in_use, due) = ((all.slots, all.backups, all.segments), golden.in_use());
        if in_use != due {
            return Err(format!("places, copies and segments in use are {in_use:?}, expected {due:?}"));
        }
        Ok(())
    }

    /// Nothing is under way, and so many Depot-NACKs of walks have come: visits ask for more of them as long as something is missing.
    fn is_quiet(&self, due: u64) -> bool {
        self.given.is_empty() && self.looks.is_none() && self.told >= due && !self.held.waits() && !self.kept.waits()
    }
}

/// `count` packets of all flows of the block, which has `places` in each pool, that come as `mix.offer` says, and flows that let something
/// go as `mix.drain` says. The steps leave in the order of the events, each in its clock; all that they say is what the golden model
/// decides about the same event at the same tick, and the pools do what they say.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Result<(Seen, Measured), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (flows, places) = (1usize << pins.width("event_flow"), 1usize << pins.width("held_at"));
    let reach = 1u32 << (pins.width("orders_free_length") - 1);
    let config = mix.config;
    let DepotConfig { renack, retry, retries, reack, idle, .. } = config;
    for (name, value) in [("renack", renack), ("retry", retry), ("retries", retries.into()), ("reack", reack), ("idle", idle)] {
        pins.set(&format!("settings_{name}"), value);
    }
    pins.set("quota", config.quota as u64);
    pins.set("walk_most", config.renack_max.into());
    pins.reset(2);
    pins.until_ready(flows as u64 + 2)?;
    let params = DepotParams { flows, slots: places, backups: places, reach, segments: places, variant: Variant::Ours, fault: mix.fault };
    let golden = Depot::new(params, config)?;
    let start = sub(0, rng.random_range(0..64));
    let begin = pins.cycle();
    let known = (0..flows as u32).map(|number| Flow {
        key: Key { source: number, destination: 1000 + number, qp: number },
        reverse: Key { source: 1000 + number, destination: number, qp: 5000 + number },
        aware: false,
        begun: false,
        rings: Rings::new(reach),
        held: BTreeSet::new(),
        copies: BTreeSet::new(),
        works: false,
        visited: begin,
    });
    let flows_known: Vec<Flow> = known.collect();
    let mut run = Run {
        rng: &mut rng,
        pins,
        mix,
        golden,
        flows: flows_known,
        all: InUse { most_backups: places, ..InUse::default() },
        held: Places::default(),
        kept: Places::default(),
        given: VecDeque::new(),
        looks: None,
        nacks: VecDeque::new(),
        asked: 0,
        told: 0,
        // Ticks wrap soon.
        now: (1 << 32) - 2000,
        start,
        seen: Seen::default(),
        measured: Measured::default(),
        opened: begin,
    };
    let mut opening: VecDeque<usize> = (0..flows).collect();
    let mut offer = Offer::default();
    let mut stuck = 0;
    // Depot-NACKs that were due when the last event had come.
    let mut due = None;
    loop {
        if run.seen.events >= count && offer.entry.is_none() && opening.is_empty() && run.is_quiet(*due.get_or_insert(run.asked)) {
            break;
        }
        run.now += [0, 0, 0, 0, 0, 1, 1, 5][run.rng.random_range(0..8)];
        if opening.is_empty() && run.seen.events < count && run.rng.random_bool(0.0005) {
            opening.push_back(run.rng.random_range(0..flows));
        }
        if offer.entry.is_none()
            && offer.event.is_none()
            && let Some(flow) = opening.pop_front()
        {
            offer.entry = Some((flow, run.entry(flow)));
        }
        if offer.event.is_none() && offer.entry.is_none() && run.seen.events < count && chance(run.rng, mix.offer) {
            let at = run.rng.random_range(0..flows.min(mix.flows as usize));
            let Flow { key, reverse, begun, .. } = run.flows[at];
            let under = run.given.iter().any(|given| given.flow == at);
            let registers = run.golden.registers(&key).unwrap_or_default();
            offer.event = Some((at, likely(run.rng, registers, (key, reverse), (begun || under).then_some(reach), start)));
            offer.since = run.pins.cycle();
        }
        if offer.release.is_none() && chance(run.rng, mix.drain) {
            let from = run.rng.random_range(0..flows);
            let looked = run.looks.map(|(flow, _)| flow);
            offer.release = (0..flows).map(|on| (from + on) % flows).find(|&flow| run.flows[flow].works && Some(flow) != looked);
        }
        stuck = if run.clock(&mut offer)? != 0 { 0 } else { stuck + 1 };
        if stuck > 4000 + 200 * u64::from(reach / 64) && (offer.event.is_some() || offer.entry.is_some() || !run.is_quiet(run.asked)) {
            return Err(format!("cycle {}: nothing moves any more", run.pins.cycle()));
        }
    }
    let (end, opened) = (run.pins.cycle(), run.opened);
    let unseen = run.flows.iter().map(|flow| end - flow.visited.max(opened)).max().unwrap_or(0);
    run.measured.unvisited = run.measured.unvisited.max(unseen);
    Ok((run.seen, run.measured))
}
