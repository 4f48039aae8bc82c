//! `DepotStep` held to the golden Depot, decision by decision. The bench is what a Depot has around it: it keeps the states and the pools
//! of the flows, and shows no event of a flow before the step of the one before has left.
//! Its parts, `DepotAges`, `DepotCase`, `DepotChoice`, `DepotDistances`, `DepotReply`, `DepotState`, have none of their own.

use super::depot_events::{Expect, Mix, RELEASE, Seen, VISIT, code, expected, kind, likely};
use super::depot_pools::{InUse, Rings};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, sub};
use rdma_rtl_golden::lr2::depot::Depot;
use rdma_rtl_golden::lr2::packet::{Gap, Key, Kind, Packet};
use rdma_rtl_golden::lr2::params::{DepotConfig, DepotParams, Variant};
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_golden::lr2::{Gate, Verdict};
use rdma_rtl_sim::{Direction, Model};
use std::collections::{BTreeMap, VecDeque};

/// Clocks from an event to its step.
pub const LATENCY: u64 = 4;

/// What a state consists of, as the ports call it.
const FIELDS: [&str; 24] = [
    "begun",
    "sure",
    "bypass",
    "strange",
    "drains",
    "replaying",
    "retry",
    "renack",
    "reacked",
    "credits",
    "retries",
    "una",
    "expected",
    "border",
    "top",
    "msn",
    "replay_next",
    "replay_end",
    "replay_from",
    "retry_end",
    "retry_since",
    "renack_since",
    "reacked_since",
    "seen",
];
/// Positions in it.
const SET: usize = 0;
const SURE: usize = 1;
const DRAINS: usize = 4;
const REPLAYING: usize = 5;
const CREDITS: usize = 9;
const UNA: usize = 11;
const EXPECTED: usize = 12;
const BORDER: usize = 13;
const TOP: usize = 14;
const MSN: usize = 15;
const REPLAY_NEXT: usize = 16;

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Packet(Packet),
    /// of `una`
    Visit(u32),
    /// PSN, and the packet if it is held
    Release(u32, Option<Packet>),
}

/// An event in the pipeline.
struct Under {
    flow: usize,
    due: u64,
    what: What,
    text: String,
    verdict: Option<Verdict>,
    expect: Expect,
    registers: (u32, u32, u32),
    in_use: (usize, usize, usize),
    /// what is let go next: its PSN, and whether it is a copy
    next: Option<(u32, bool)>,
}

/// A flow as its owner keeps it.
struct Flow {
    key: Key,
    reverse: Key,
    state: [u64; FIELDS.len()],
    rings: Rings,
    busy: bool,
}

struct Run<'a, 'm> {
    rng: &'a mut ChaCha8Rng,
    model: &'m mut dyn Model,
    before: Vec<usize>,
    after: Vec<usize>,
    ports: BTreeMap<String, usize>,
    mix: Mix,
    golden: Depot,
    flows: Vec<Flow>,
    all: InUse,
    under: VecDeque<Under>,
    now: u64,
    start: u32,
    reach: u32,
    seen: Seen,
}

impl Run<'_, '_> {
    fn set(&mut self, name: &str, value: u64) {
        self.model.poke_u64(self.ports[name], value);
    }

    fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.ports[name])
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) == 1
    }

    fn psn(&self, name: &str) -> u32 {
        self.get(name) as u32
    }

    fn registers(&self, flow: usize) -> (u32, u32, u32) {
        self.golden.registers(&self.flows[flow].key).unwrap_or_default()
    }

    /// Writes the entry of a flow anew: its owner empties its pools.
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
        (state[UNA], state[EXPECTED], state[BORDER], state[TOP], state[CREDITS]) = (psn, psn, psn, psn, 0x1f);
        let opened = Flow { key, reverse: entry.reverse(), state, rings: Rings::new(self.reach), busy: false };
        match self.flows.get_mut(flow) {
            Some(old) => {
                old.rings.free(0, self.reach, &mut self.all);
                old.rings.drop(0, self.reach, &mut self.all);
                *old = opened;
            }
            None => self.flows.push(opened),
        }
        Ok(())
    }

    /// Something happens to a flow.
    fn event(&mut self, flow: usize) -> Result<(), String> {
        let Flow { key, reverse, state, .. } = self.flows[flow];
        let next = self.golden.next_out(&key);
        let what = match next {
            Some((psn, held)) if chance(self.rng, self.mix.drain) => What::Release(psn, held),
            _ if self.rng.random_bool(0.08) => What::Visit(state[UNA] as u32),
            _ => {
                let begun = (state[SET] == 1).then_some(self.reach);
                What::Packet(likely(self.rng, self.registers(flow), (key, reverse), begun, self.start))
            }
        };
        let old = self.golden.stats;
        let mut out = Vec::new();
        let (mut room, mut verdict) = ((false, false, false), None);
        let packet = match what {
            What::Packet(packet) => {
                room = self.golden.room(&packet);
                verdict = Some(self.golden.decide(self.now, packet, &mut out));
                Some(packet)
            }
            What::Visit(_) => {
                self.golden.visit(self.now, &key, &mut out);
                None
            }
            What::Release(..) => {
                self.golden.let_go(self.now, &key, &mut out);
                None
            }
        };
        let expect = expected(packet.as_ref(), &out, (&old, &self.golden.stats))?;
        let (number, psn, span, shown) = match what {
            What::Packet(packet) if packet.kind == Kind::Probe => (6, packet.gap.edge, 1, packet),
            What::Packet(packet) => (kind(&packet), packet.psn, packet.span.max(1), packet),
            What::Visit(una) => (VISIT, una, 1, Packet::default()),
            What::Release(psn, held) => (RELEASE, psn, held.map_or(1, |packet| packet.span.max(1)), held.unwrap_or_default()),
        };
        let behind = match number {
            0 | 1 | RELEASE => add(psn, span),
            2 | 3 => add(psn, 1),
            _ => psn,
        };
        let copy = if matches!(number, 2 | 3) { add(psn, 1) } else { psn };
        let rings = &self.flows[flow].rings;
        let (there, leads, copied) = (rings.there(psn), rings.leads(behind), rings.copy(copy).is_some());
        for (&port, value) in self.before.iter().zip(state) {
            self.model.poke_u64(port, value);
        }
        for (name, value) in [
            ("valid", 1),
            ("kind", number),
            ("aware", self.mix.aware.into()),
            ("psn", psn.into()),
            ("span", span.into()),
            ("request", (shown.kind == Kind::Request).into()),
            ("asks", (shown.ack_request || shown.last).into()),
            ("packet_msn", shown.msn.into()),
            ("packet_credits", shown.credits.into()),
            ("there", there.into()),
            ("copied", copied.into()),
            ("leads", leads.into()),
            ("room", room.0.into()),
            ("scarce", room.1.into()),
            ("spare", room.2.into()),
            ("tick", self.now & 0xffff_ffff),
        ] {
            self.set(name, value);
        }
        self.flows[flow].busy = true;
        self.seen.events += 1;
        self.under.push_back(Under {
            flow,
            due: self.model.cycle() + LATENCY,
            what,
            text: format!("{what:?} at {}, flow {:?}", self.now, FIELDS.iter().zip(state).collect::<Vec<_>>()),
            verdict,
            expect,
            registers: self.registers(flow),
            in_use: self.golden.in_use(),
            next: self.golden.next_out(&key).map(|(psn, held)| (psn, held.is_none())),
        });
        Ok(())
    }

    /// One clock, and what leaves in it.
    fn clock(&mut self) -> Result<(), String> {
        self.model.clock();
        self.set("valid", 0);
        self.model.eval();
        self.seen.clocks += 1;
        let now = self.model.cycle();
        if let Some(reason) = self.model.failure() {
            return Err(reason.to_string());
        }
        let due = self.under.front().is_some_and(|under| under.due == now);
        if self.is("done") != due {
            return Err(format!("cycle {now}: `done` is {}, due {:?}", !due, self.under.front().map(|under| under.due)));
        }
        let Some(under) = due.then(|| self.under.pop_front()).flatten() else { return Ok(()) };
        self.step(&under).map_err(|text| format!("cycle {now}: {text}; {}", under.text))
    }

    /// The step of an event: what was decided, what becomes of the pools, and the flow afterwards.
    fn step(&mut self, under: &Under) -> Result<(), String> {
        let mut state = [0; FIELDS.len()];
        for (value, &port) in state.iter_mut().zip(&self.after) {
            *value = self.model.peek_u64(port);
        }
        let (una, msn, credits) = (state[UNA] as u32, state[MSN] as u32, state[CREDITS] as u8);
        let edge = state[BORDER] as u32;
        let rings = &self.flows[under.flow].rings;
        let mut nacks = Vec::new();
        if self.is("orders_walk") {
            let (start, edge) = (self.psn("orders_walk_start"), self.psn("orders_walk_end"));
            for (start, length) in rings.runs(start, edge, self.mix.config.renack_max) {
                let say = if self.mix.aware { start } else { una };
                nacks.push((say, self.psn("orders_walk_msn"), Gap { start, length, edge }));
            }
        }
        let walked = nacks.len() as u64;
        if self.is("orders_nack") {
            let gap = Gap { start: self.psn("orders_gap_start"), length: self.psn("orders_gap_length"), edge };
            nacks.push((self.psn("orders_nack_psn"), msn, gap));
        }
        let (packet, goes) = match under.what {
            What::Packet(packet) => (Some(packet), Some(packet)),
            What::Visit(_) => (None, None),
            What::Release(psn, None) => (rings.copy(psn), rings.copy(psn)),
            What::Release(psn, Some(_)) => (rings.packet(psn), rings.packet(psn)),
        };
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
        if found != under.expect {
            return Err(format!("{found:?}, expected {:?}", under.expect));
        }
        if let Some(verdict) = under.verdict {
            if code(verdict) != Some(self.get("orders_verdict")) {
                return Err(format!("verdict {}, expected {verdict:?}", self.get("orders_verdict")));
            }
            *self.seen.verdicts.entry(verdict).or_default() += 1;
        }
        let registers = (una, state[EXPECTED] as u32, edge);
        if registers != under.registers {
            return Err(format!("una, ePSN, ePSN_D are {registers:x?}, expected {:x?}", under.registers));
        }
        if !self.mix.aware && !found.nacks.iter().all(|nack| state[SET] == 1 && state[SURE] == 1 && nack.0 == una) {
            return Err(format!("a NACK acknowledges what nobody has: {:?}", found.nacks));
        }

        // The pools do what they are told.
        let (free, drop, hold, copy) = (self.is("orders_free"), self.is("orders_drop"), self.is("orders_hold"), self.is("orders_copy"));
        let (free_start, free_length) = (self.psn("orders_free_start"), self.psn("orders_free_length"));
        let (drop_start, drop_length) = (self.psn("orders_drop_start"), self.psn("orders_drop_length"));
        let clears = self.is("orders_hold_clears");
        if (free && free_length > self.reach) || (drop && drop_length > self.reach) {
            return Err(format!("{free_length} and {drop_length} places of {}", self.reach));
        }
        let Run { flows, all, .. } = self;
        let flow = &mut flows[under.flow];
        if free {
            flow.rings.free(free_start, free_length, all);
        }
        if drop {
            flow.rings.drop(drop_start, drop_length, all);
        }
        if hold || copy {
            let Some(packet) = packet else { return Err("nothing is held, or copied".into()) };
            if hold {
                flow.rings.hold(packet, clears, all)?;
            }
            if copy {
                flow.rings.keep(packet, all)?;
            }
        }
        let in_use = (all.slots, all.backups, all.segments);
        if in_use != under.in_use {
            return Err(format!("places, copies and segments in use are {in_use:?}, expected {:?}", under.in_use));
        }
        let drains = flow.rings.leads(registers.1);
        if state[SET] == 1 && (state[DRAINS] == 1) != drains {
            return Err(format!("`drains` is {}, what is held says {drains}", state[DRAINS]));
        }
        let next = match (state[REPLAYING], state[DRAINS]) {
            (1, _) => Some((state[REPLAY_NEXT] as u32, true)),
            (_, 1) => Some((registers.1, false)),
            _ => None,
        };
        if next != under.next {
            return Err(format!("what is let go next is {next:x?}, expected {:x?}", under.next));
        }
        flow.state = state;
        flow.busy = false;
        self.seen.gaps += u64::from(self.is("orders_nack"));
        self.seen.walked += walked;
        self.seen.reacks += u64::from(found.reack.is_some());
        self.seen.replayed += u64::from(matches!(under.what, What::Release(_, None)) && found.forward.is_some());
        self.seen.drained += u64::from(matches!(under.what, What::Release(_, Some(_))));
        self.seen.timeouts += u64::from(found.timeout);
        self.seen.reopened += u64::from(found.reopened);
        self.seen.again += u64::from(found.again);
        self.seen.lives += u64::from(found.life);
        self.seen.flushed += self.get("orders_evt_flushed");
        self.seen.requests += u64::from(hold && packet.is_some_and(|packet| packet.kind == Kind::Request));
        Ok(())
    }
}

/// `count` events of `mix.flows` flows. Every step leaves in its clock, with the decisions and the registers of the golden model, and
/// leaves the pools as that one has them.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ports: BTreeMap<String, usize> = model.ports().iter().enumerate().map(|(at, port)| (port.name.clone(), at)).collect();
    let port = |name: String| ports.get(&name).copied().ok_or_else(|| format!("the design has no port `{name}`"));
    let fields = |prefix: &str| FIELDS.iter().map(|field| port(format!("{prefix}_{field}"))).collect::<Result<Vec<_>, _>>();
    let (before, after) = (fields("before")?, fields("after")?);
    for at in 0..model.ports().len() {
        if model.ports()[at].direction == Direction::Input {
            let words = model.ports()[at].words();
            model.poke(at, &vec![0; words]);
        }
    }
    let DepotConfig { renack, retry, retries, reack, idle, .. } = mix.config;
    for (name, value) in [("renack", renack), ("retry", retry), ("retries", retries.into()), ("reack", reack), ("idle", idle)] {
        model.poke_u64(port(format!("settings_{name}"))?, value);
    }
    let reach = 1 << (model.ports()[port("orders_free_length".into())?].width - 1);
    let params = DepotParams {
        flows: mix.flows as usize,
        slots: mix.slots,
        backups: mix.backups,
        reach,
        segments: mix.segments,
        variant: Variant::Ours,
        fault: mix.fault,
    };
    let golden = Depot::new(params, mix.config)?;
    let start = sub(0, rng.random_range(0..64));
    let all = InUse { most_backups: mix.backups, ..InUse::default() };
    let rst = port("rst".into())?;
    model.poke_u64(rst, 1);
    model.clock();
    model.clock();
    model.poke_u64(rst, 0);
    // Ticks wrap soon.
    let now = (1 << 32) - 2000;
    let (flows, under, seen) = (Vec::new(), VecDeque::new(), Seen::default());
    let mut run = Run { rng: &mut rng, model, before, after, ports, mix, golden, flows, all, under, now, start, reach, seen };
    for flow in 0..mix.flows as usize {
        run.open(flow)?;
    }
    let mut given = 0;
    while given < count {
        run.now += [0, 0, 0, 1, 1, 2, 5, 40][run.rng.random_range(0..8)];
        let flow = run.rng.random_range(0..mix.flows as usize);
        if run.under.is_empty() && run.rng.random_bool(0.01) {
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
    while !run.under.is_empty() {
        run.clock()?;
    }
    Ok(run.seen)
}
