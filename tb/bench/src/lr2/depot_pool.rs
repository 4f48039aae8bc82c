//! `DepotPool` held to the rings that the bench of a Depot's step keeps, which that one holds to the golden Depot.
//! `DepotMap`, its memory, has none of its own.

use super::depot_pools::{InUse, Rings};
use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, ahead, sub};
use rdma_rtl_golden::lr2::packet::{Key, Packet};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Clocks from a question to its answer.
pub const LATENCY: u64 = 3;

/// How a run goes, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// clocks with a question
    pub ask: u32,
    /// orders that hold a packet
    pub hold: u32,
    /// packets that consume several PSNs
    pub long: u32,
    /// clocks in which a run may leave
    pub run: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub questions: u64,
    /// while something was at work
    pub beside: u64,
    pub there: u64,
    pub leads: u64,
    pub held: u64,
    pub freed: u64,
    pub cleared: u64,
    pub runs: u64,
    /// packets for which there was no place, or no segment
    pub refused: u64,
    pub most_clocks: u64,
}

/// What a question is to be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Answer {
    there: bool,
    leads: Option<u64>,
    /// there is room, and what is needed is scarce: while nothing is at work
    room: Option<(bool, bool)>,
    used: u64,
}

/// A question under way.
struct Question {
    flow: usize,
    due: u64,
    /// nothing was at work that changes what all flows share
    alone: bool,
    answer: Answer,
}

/// A flow: its ring, the PSN that it has come to, and which place each packet has.
struct Flow {
    rings: Rings,
    base: u32,
    places: BTreeMap<u32, u64>,
}

/// An order or a walk at work.
enum Work {
    Order { flow: usize, started: u64, most: u64, hold: Option<u32> },
    Walk { flow: usize, started: u64, runs: VecDeque<(u32, u32)> },
}

fn segments(psn: u32, span: u32) -> u32 {
    (psn % 64 + span).div_ceil(64)
}

/// `count` orders. Every answer is what the rings say, every place is in use once, and an order takes no longer than it may.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, reach: u32, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (flows, most) = (1usize << pins.width("ask_flow"), 1usize << (pins.width("used") - 1));
    pins.reset(2);
    pins.until_ready(flows as u64 * u64::from(reach / 64) + 2)?;
    let mut all = InUse::default();
    let mut state: Vec<Flow> =
        (0..flows).map(|_| Flow { rings: Rings::new(reach), base: sub(0, rng.random_range(0..reach)), places: BTreeMap::new() }).collect();
    let mut taken: BTreeSet<u64> = BTreeSet::new();
    let mut work: Option<Work> = None;
    let mut asked: VecDeque<Question> = VecDeque::new();
    let mut seen = Seen::default();
    let mut orders = 0;
    let packet = |psn: u32, span: u32| Packet { span, ..Packet::data(Key::default(), psn, 64) };
    while orders < count || work.is_some() || !asked.is_empty() {
        let now = pins.cycle();
        // Outputs of this clock.
        let due = asked.front().is_some_and(|question| question.due == now);
        if let Some(question) = due.then(|| asked.pop_front()).flatten() {
            let found = Answer {
                there: pins.get("there") == 1,
                leads: (pins.get("leads") == 1).then(|| pins.get("leads_place")),
                room: question.alone.then(|| (pins.get("room") == 1, pins.get("scarce") == 1)),
                used: pins.get("flow_used"),
            };
            if found != question.answer {
                return Err(format!("cycle {now}: {found:?}, expected {:?}", question.answer));
            }
        }
        if pins.get("placed") == 1 {
            let place = pins.get("place");
            let Some(Work::Order { flow, hold: Some(psn), .. }) = &work else { return Err(format!("cycle {now}: a place for nobody")) };
            if !taken.insert(place) || place >= most as u64 {
                return Err(format!("cycle {now}: place {place} is given out twice"));
            }
            state[*flow].places.insert(*psn, place);
        }
        let free = pins.get("ready") == 1;
        let run = pins.get("run_valid") == 1;
        let takes_run = run && chance(&mut rng, pace.run);
        pins.set("run_ready", takes_run.into());
        if takes_run {
            let found = (pins.get("run_start") as u32, pins.get("run_length") as u32);
            let due = match &mut work {
                Some(Work::Walk { runs, .. }) => runs.pop_front(),
                _ => None,
            };
            if due != Some(found) {
                return Err(format!("cycle {now}: a run {found:x?}, expected {due:x?}"));
            }
            seen.runs += 1;
        }
        if free {
            match work.take() {
                Some(Work::Walk { runs, .. }) if !runs.is_empty() => return Err(format!("cycle {now}: the walk ends without {runs:x?}")),
                Some(Work::Order { flow, started, most, hold }) => {
                    seen.most_clocks = seen.most_clocks.max(now - started);
                    if now - started > most {
                        return Err(format!("cycle {now}: an order of flow {flow} took {} clocks, at most {most} are due", now - started));
                    }
                    if hold.is_some_and(|psn| !state[flow].places.contains_key(&psn)) {
                        return Err(format!("cycle {now}: a packet without a place"));
                    }
                    let used = (pins.get("used") as usize, pins.get("segments_used") as usize);
                    if used != (all.slots, all.segments) {
                        return Err(format!("cycle {now}: {used:?} places and segments, expected {:?}", (all.slots, all.segments)));
                    }
                }
                _ => {}
            }
        }
        let late = match &work {
            Some(Work::Order { started, most, .. }) => now > started + most,
            Some(Work::Walk { started, .. }) => now > started + u64::from(reach) * 10 + 100,
            None => false,
        };
        if late {
            return Err(format!("cycle {now}: an order or a walk does not end"));
        }
        pins.set("order", 0);
        pins.set("walk", 0);
        let at = rng.random_range(0..flows);
        let is_asked = asked.iter().any(|question| question.flow == at);
        if free && work.is_none() && orders < count && !is_asked && rng.random_bool(0.3) {
            orders += 1;
            let flow = &mut state[at];
            let near = |rng: &mut ChaCha8Rng| match rng.random_range(0..6) {
                0..3 => rng.random_range(0..20),
                3 => rng.random_range(0..reach),
                4 => 64 * rng.random_range(0..reach / 64) + 63,
                _ => reach - 1 - rng.random_range(0..3),
            };
            pins.set("flow", at as u64);
            if rng.random_bool(0.2) {
                let start = add(flow.base, near(&mut rng));
                let length =
                    [rng.random_range(1..30), rng.random_range(1..reach), reach, rng.random_range(1..1 << 24)][rng.random_range(0..4)];
                let limit: u32 = [1, 2, 8, 255][rng.random_range(0..4)];
                pins.set("walk", 1);
                pins.set("walk_start", start.into());
                pins.set("walk_length", length.into());
                pins.set("walk_most", limit.into());
                let runs = flow.rings.runs(start, add(start, length), limit).into();
                work = Some(Work::Walk { flow: at, started: now, runs });
            } else {
                let psn = add(flow.base, near(&mut rng));
                let left = reach - ahead(flow.base, psn);
                let span = if chance(&mut rng, pace.long) { rng.random_range(1..=left.min(150)) } else { 1 };
                let single = span == 1;
                let new = segments(psn % reach, span) as usize;
                let mapped = flow.rings.mapped(psn);
                let room = all.slots < most && if single { mapped || all.segments < most } else { all.segments + new <= most };
                let hold = chance(&mut rng, pace.hold) && room;
                seen.refused += u64::from(!room);
                // Packets that were held before keep their order: what is free first is behind, or all, or anything.
                let (free_start, free_length) = match rng.random_range(0..10) {
                    0..5 => (flow.base, rng.random_range(1..9)),
                    5..8 => (flow.base, rng.random_range(1..=reach)),
                    8 => (psn, rng.random_range(1..=left)),
                    _ => (rng.random_range(0..1 << 24), reach),
                };
                let frees = !hold || rng.random_bool(0.3);
                let old: Vec<u32> = flow.places.keys().copied().collect();
                let mut before = all.slots as u64;
                let mut clocks = 3;
                if frees {
                    // The rest of the last packet, up to the PSN that shows its end; of a range that ends with its segment the next one is
                    // looked at.
                    let (behind, rest) = (add(free_start, free_length), flow.rings.rest(free_start, free_length));
                    if free_length < reach && (rest > 0 || behind.is_multiple_of(64)) {
                        clocks += 7 * u64::from(segments(behind % reach, rest + 1));
                    }
                    flow.rings.free(free_start, free_length, &mut all);
                    clocks += 7 * u64::from(segments(free_start % reach, free_length)) + (before - all.slots as u64);
                    if free_start == flow.base && rng.random_bool(0.7) && ahead(add(free_start, free_length), psn) < reach {
                        flow.base = add(free_start, free_length);
                    }
                }
                let clears = hold && (!single || flow.rings.there(psn) || rng.random_bool(0.1));
                let fits = ahead(flow.base, psn) + span <= reach;
                let hold = hold && fits;
                if !frees && !hold {
                    orders -= 1;
                    continue;
                }
                if hold {
                    before = all.slots as u64;
                    flow.rings.hold(packet(psn, span), clears, &mut all)?;
                    clocks += 8 + 6 * new as u64;
                    // What goes beside, and the rest of the last one of these.
                    clocks += if clears { 14 * u64::from(reach / 64 + 1) + (before + 1 - all.slots as u64) } else { 0 };
                    seen.held += 1;
                    seen.cleared += u64::from(clears);
                }
                for psn in old {
                    let stays = flow.rings.packet(psn).is_some_and(|held| held.psn == psn);
                    if !stays {
                        let place = flow.places.remove(&psn).unwrap_or_default();
                        taken.remove(&place);
                        seen.freed += 1;
                    }
                }
                // One that takes the place of another of the same PSN.
                if hold && let Some(place) = flow.places.remove(&psn) {
                    taken.remove(&place);
                    seen.freed += 1;
                }
                for (name, value) in [
                    ("order", 1),
                    ("free", frees.into()),
                    ("free_start", free_start.into()),
                    ("free_length", free_length.into()),
                    ("hold", hold.into()),
                    ("hold_clears", (hold && clears).into()),
                    ("psn", psn.into()),
                    ("span", span.into()),
                ] {
                    pins.set(name, value);
                }
                work = Some(Work::Order { flow: at, started: now, most: clocks, hold: hold.then_some(psn) });
            }
        }
        // A question, of a flow that nothing is done with.
        let at = rng.random_range(0..flows);
        let busy = work.as_ref().is_some_and(|work| match work {
            Work::Order { flow, .. } | Work::Walk { flow, .. } => *flow == at,
        });
        if !busy && orders < count && chance(&mut rng, pace.ask) {
            let flow = &state[at];
            let mut near = || {
                let most = [20, reach][rng.random_range(0..2)];
                add(flow.base, rng.random_range(0..most))
            };
            let (psn, behind) = (near(), near());
            let span = if chance(&mut rng, pace.long) { rng.random_range(2..=reach) } else { 1 };
            for (name, value) in
                [("ask_flow", at as u64), ("ask_psn", psn.into()), ("ask_behind", behind.into()), ("ask_span", span.into())]
            {
                pins.set(name, value);
            }
            let leads = flow.rings.packet(behind).and_then(|held| flow.places.get(&held.psn).copied());
            let (mapped, left) = (flow.rings.mapped(psn), most.saturating_sub(all.segments));
            let fits = if span == 1 { mapped || left != 0 } else { segments(psn % reach % 64, span) as usize <= left };
            let answer = Answer {
                there: flow.rings.there(psn),
                leads,
                room: work.is_none().then_some((all.slots < most && fits, all.slots >= most || (left == 0 && !mapped))),
                used: flow.rings.used as u64,
            };
            seen.questions += 1;
            seen.there += u64::from(answer.there);
            seen.beside += u64::from(work.is_some());
            seen.leads += u64::from(leads.is_some());
            asked.push_back(Question { flow: at, due: now + LATENCY, alone: work.is_none(), answer });
        }
        pins.clock();
        pins.eval();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    Ok(seen)
}
