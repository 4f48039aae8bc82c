//! `SentryFlows` held to the golden Sentry: the bench follows the hardware, event by event in the order of the steps, visits included.

use super::sentry_step::{Expect, Mix, Seen, code, expected, kind, likely};
use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, sub};
use rdma_rtl_golden::lr2::Gate;
use rdma_rtl_golden::lr2::packet::{Key, Kind, Packet};
use rdma_rtl_golden::lr2::params::{SentryParams, Variant};
use rdma_rtl_golden::lr2::sentry::Sentry;
use rdma_rtl_golden::lr2::table::{Entry, Mode};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks from an event to its step.
pub const LATENCY: u64 = 5;

const VISIT: u64 = 7;

/// A flow as the bench knows it.
#[derive(Clone, Copy, Debug)]
struct Flow {
    key: Key,
    reverse: Key,
    begun: bool,
    /// clock of its last visit
    visited: u64,
}

/// An event under way.
struct Given {
    flow: usize,
    packet: Packet,
    clock: u64,
}

struct Run<'a, 'm> {
    rng: &'a mut ChaCha8Rng,
    pins: Pins<'m>,
    mix: Mix,
    golden: Sentry,
    flows: Vec<Flow>,
    given: VecDeque<Given>,
    now: u64,
    start: u32,
    seen: Seen,
    /// most clocks between two visits of a flow, without an entry written meanwhile
    gap: u64,
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

    /// One clock. `offer`: an event that waits, `open`: an entry that does. Whether they were taken.
    fn clock(&mut self, offer: Option<(usize, &Packet)>, open: Option<(usize, &Entry)>) -> Result<(bool, bool), String> {
        let Run { pins, .. } = self;
        pins.set("tick", self.now & 0xffff_ffff);
        pins.set("event_valid", offer.is_some().into());
        if let Some((flow, packet)) = offer {
            pins.set("event_flow", flow as u64);
            pins.set("event_kind", kind(packet));
            for (name, value) in [
                ("psn", packet.psn),
                ("span", packet.span),
                ("congested", packet.marked.into()),
                ("msn", packet.msn),
                ("gap_start", packet.gap.start),
                ("gap_length", packet.gap.length),
            ] {
                pins.set(&format!("event_{name}"), value.into());
            }
        }
        pins.set("open_valid", open.is_some().into());
        if let Some((flow, entry)) = open {
            pins.set("open_flow", flow as u64);
            pins.set("open_aware", (entry.mode == Mode::Aware).into());
            pins.set("open_set", entry.initial.is_some().into());
            pins.set("open_psn", entry.initial.unwrap_or(0).into());
        }
        pins.eval();
        if pins.get("done") == 1 {
            self.step()?;
        }
        let taken = (self.pins.get("event_ready") == 1, self.pins.get("open_ready") == 1);
        let clock = self.pins.cycle();
        if taken.0 {
            let Some((flow, &packet)) = offer else { return Err(format!("cycle {clock}: an event is taken that nobody offers")) };
            self.given.push_back(Given { flow, packet, clock });
            self.seen.events += 1;
        }
        if taken.1 {
            let Some((flow, entry)) = open else { return Err(format!("cycle {clock}: an entry is opened that nobody wants")) };
            if !self.given.is_empty() || taken.0 {
                return Err(format!("cycle {clock}: an entry is opened with events under way"));
            }
            self.golden.open(entry)?;
            self.flows[flow].begun = false;
            self.opened = clock;
        }
        if let Some(late) = self.given.front().filter(|given| clock > given.clock + LATENCY) {
            return Err(format!("cycle {clock}: no step of {:?}", late.packet));
        }
        self.pins.clock();
        self.seen.clocks += 1;
        self.pins.failure().map_or(Ok(taken), Err)
    }

    /// A step leaves.
    fn step(&mut self) -> Result<(), String> {
        let clock = self.pins.cycle();
        let number = |name: &str| self.pins.get(name);
        let flow = number("done_flow") as usize;
        let at = self.now - u64::from((self.now as u32).wrapping_sub(number("done_tick") as u32));
        let is = |name: &str| number(name) == 1;
        let psn = |name: &str| number(name) as u32;
        let mut found = Expect {
            verdict: None,
            forward: is("forward"),
            priority: is("urgent"),
            nack: is("nack").then(|| (is("nack_passed"), psn("nack_psn"), psn("nack_msn"))),
            notify: is("notify"),
            probe: is("probe").then(|| (psn("una"), psn("expected"))),
            clipped: number("evt_clipped_start") + number("evt_clipped_end"),
            timeout_replay: is("evt_timeout_replay"),
            life: is("evt_life"),
            flushed: is("evt_flushed"),
        };
        let (what, verdict, registers) = (number("done_kind"), number("verdict"), (psn("una"), psn("expected")));
        let old = self.golden.stats;
        let mut out = Vec::new();
        let Some(known) = self.flows.get(flow).copied() else { return Err(format!("cycle {clock}: a step of flow {flow}")) };
        let (expect, about) = if what == VISIT {
            self.gap = self.gap.max(clock - known.visited.max(self.opened));
            self.flows[flow].visited = clock;
            if known.begun {
                self.golden.visit(at, &known.key, &mut out);
            } else {
                // Since it was opened nothing has come that could be flushed.
                found.flushed = false;
            }
            let probe = out.iter().find(|emit| emit.packet.kind == Kind::Probe).map(|emit| (emit.packet.gap.start, emit.packet.gap.edge));
            (
                Expect { probe, flushed: self.golden.stats.flushed != old.flushed, ..Expect::default() },
                format!("a visit of flow {flow} at {at}"),
            )
        } else {
            let Some(given) = self.given.pop_front() else { return Err(format!("cycle {clock}: a step of nothing")) };
            let about = format!("{:?} of flow {} at {at}", given.packet, given.flow);
            if (given.flow, kind(&given.packet), given.clock + LATENCY) != (flow, what, clock) {
                return Err(format!("cycle {clock}: a step of kind {what} of flow {flow}, due is {about} since {}", given.clock));
            }
            let onward = matches!(given.packet.kind, Kind::Data | Kind::Request);
            let gate = if onward { Sentry::onward } else { Sentry::back };
            let decided = gate(&mut self.golden, at, given.packet, true, &mut out);
            self.flows[flow].begun = true;
            let mut expect = expected(decided, &given.packet, &out, (&old, &self.golden.stats))?;
            if code(decided) != Some(verdict) {
                return Err(format!("cycle {clock}: verdict {verdict}, expected {decided:?}; {about}"));
            }
            *self.seen.verdicts.entry(decided).or_default() += 1;
            expect.verdict = None;
            (expect, about)
        };
        if found != expect {
            return Err(format!("cycle {clock}: {found:?}, expected {expect:?}; {about}"));
        }
        let due = self.golden.registers(&known.key).map(|(una, edge, _)| (una, edge));
        if known.begun && due != Some(registers) {
            return Err(format!("cycle {clock}: una and expected are {registers:?}, expected {due:?}; {about}"));
        }
        self.seen.sentry_nacks += u64::from(found.nack.is_some_and(|nack| !nack.0));
        self.seen.passed += u64::from(found.nack.is_some_and(|nack| nack.0));
        self.seen.cnps += u64::from(found.notify);
        self.seen.probes += u64::from(found.probe.is_some());
        self.seen.flushed += u64::from(found.flushed);
        self.seen.lives += u64::from(found.life);
        self.seen.clipped += found.clipped;
        self.seen.timeout_replays += u64::from(found.timeout_replay);
        Ok(())
    }
}

/// `count` packets of all flows of the block, which has `filter` bits of each, that come as `mix.offer` says. The steps leave in the order
/// of the events, each in its clock; all that they say is what the golden model decides about the same event at the same tick. Returns what
/// was seen, and the most clocks between two visits of a flow while no entry was written.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, filter: u32, count: u64, mix: Mix, seed: u64) -> Result<(Seen, u64), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let flows = 1usize << pins.width("event_flow");
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
        pins.set(&format!("settings_{name}"), value);
    }
    pins.reset(2);
    let words = flows as u64 * u64::from(filter / 64);
    pins.until_ready(words + 2)?;
    let golden = Sentry::new(SentryParams { flows, bits: filter, variant: Variant::Ours, fault: mix.fault }, config)?;
    let start = sub(0, rng.random_range(0..64));
    let begin = pins.cycle();
    let known = (0..flows as u32).map(|number| {
        let key = Key { source: number, destination: 1000 + number, qp: number };
        Flow { key, reverse: Key { source: 1000 + number, destination: number, qp: 5000 + number }, begun: false, visited: begin }
    });
    let flows_known: Vec<Flow> = known.collect();
    let mut run = Run {
        rng: &mut rng,
        pins,
        mix,
        golden,
        flows: flows_known,
        given: VecDeque::new(),
        now: (1 << 32) - 2000,
        start,
        seen: Seen::default(),
        gap: 0,
        opened: begin,
    };
    let mut opening: VecDeque<usize> = (0..flows).collect();
    let mut entry: Option<(usize, Entry)> = None;
    let mut offer: Option<(usize, Packet)> = None;
    let (mut given, mut stuck) = (0, 0);
    while given < count || !run.given.is_empty() {
        run.now += [0, 0, 0, 0, 0, 1, 1, 5][run.rng.random_range(0..8)];
        if opening.is_empty() && run.rng.random_bool(0.0005) {
            opening.push_back(run.rng.random_range(0..flows));
        }
        if entry.is_none()
            && offer.is_none()
            && let Some(flow) = opening.pop_front()
        {
            entry = Some((flow, run.entry(flow)));
        }
        if offer.is_none() && entry.is_none() && given < count && chance(run.rng, mix.offer) {
            let flow = run.rng.random_range(0..flows);
            let Flow { key, reverse, begun, .. } = run.flows[flow];
            let under = run.given.iter().any(|given| given.flow == flow);
            let registers = run.golden.registers(&key).unwrap_or_default();
            offer = Some((flow, likely(run.rng, registers, (key, reverse), (begun || under).then_some(filter), start)));
        }
        let (taken, opened) =
            run.clock(offer.as_ref().map(|(flow, packet)| (*flow, packet)), entry.as_ref().map(|(flow, entry)| (*flow, entry)))?;
        stuck += 1;
        if taken {
            (offer, given, stuck) = (None, given + 1, 0);
        }
        if opened {
            (entry, stuck) = (None, 0);
        }
        if stuck > 2000 + 10 * u64::from(filter / 64) && (offer.is_some() || entry.is_some()) {
            return Err(format!("cycle {}: nothing moves any more", run.pins.cycle()));
        }
    }
    let (end, opened) = (run.pins.cycle(), run.opened);
    let unseen = run.flows.iter().map(|flow| end - flow.visited.max(opened)).max().unwrap_or(0);
    Ok((run.seen, run.gap.max(unseen)))
}
