//! `DepotHeads`: each head with its flow, in order; each frame of the back side with what becomes of it.

use super::lr2_flow_table::{Address, Entry, set_address};
use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::head::span;
use rdma_rtl_golden::lr2::packet::Key;
use rdma_rtl_golden::lr2::table::{self, Table};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// Clocks from a head to what the Depot is told, when nobody waits.
pub const TELLING: u64 = 6;
/// And from one of no flow to the order of its frame.
pub const PASSING: u64 = 7;

/// Percent of the clocks with a head, and in which a head, an event, an answer, an order goes on.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub offer: u32,
    pub head: u32,
    pub event: u32,
    pub answer: u32,
    pub order: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub known: u64,
    pub unknown: u64,
    pub events: u64,
    pub acks: u64,
    pub drops: u64,
    pub passes: u64,
    /// least clocks from a head to `head`
    pub latency: Option<u64>,
    /// and from one of no flow to its order
    pub passing: Option<u64>,
    pub clocks: u64,
}

/// A head, as far as it matters here.
#[derive(Clone, Copy, Debug)]
struct Head {
    address: Address,
    kind: u64,
    origin: u64,
    psn: u64,
    read: u32,
    asks: bool,
    msn: u64,
    credits: u64,
    offset: u64,
    bad: bool,
}

fn any_head(rng: &mut ChaCha8Rng, pool: &[Entry], back: bool) -> Head {
    let entry = pool[rng.random_range(0..pool.len())];
    let mut address = if back != chance(rng, 5) { entry.reverse() } else { entry.key };
    if chance(rng, 15) {
        address = address.flipped(rng.random_range(0..281));
    }
    let bad = chance(rng, 10);
    let kinds: [u64; 8] = if back { [2, 2, 3, 4, 5, 8, 0, 10] } else { [0, 0, 0, 1, 6, 2, 4, 11] };
    let kind = if bad { 12 } else { kinds[rng.random_range(0..8)] };
    Head {
        address,
        kind,
        origin: if matches!(kind, 4 | 5) && chance(rng, 25) { 1 } else { 2 * u64::from(kind == 10) },
        psn: rng.random_range(0..1 << 24),
        read: if kind == 1 && chance(rng, 70) { rng.random_range(0..1 << 20) } else { 0 },
        asks: rng.random(),
        msn: rng.random_range(0..1 << 24),
        credits: rng.random_range(0..32),
        offset: rng.random_range(34..79),
        bad,
    }
}

fn show(pins: &mut Pins<'_>, side: &str, head: &Head) {
    set_address(pins, side, &head.address);
    let numbers = [
        ("kind", head.kind),
        ("origin", head.origin),
        ("psn", head.psn),
        ("read", head.read.into()),
        ("asks", head.asks.into()),
        ("msn", head.msn),
        ("credits", head.credits),
        ("offset", head.offset),
        ("bad", head.bad.into()),
    ];
    numbers.iter().for_each(|(name, value)| pins.set(&format!("{side}_{name}"), *value));
}

/// The ports of a stream, which stay while it waits.
fn stays(pins: &Pins<'_>, name: &str, fields: &[&str], before: &mut Option<Vec<u64>>, takes: bool) -> Result<bool, String> {
    let now = (pins.get(&format!("{name}_valid")) == 1)
        .then(|| fields.iter().map(|field| pins.get(&format!("{name}_{field}"))).collect::<Vec<_>>());
    if before.is_some() && now != *before {
        return Err(format!("cycle {}: what `{name}` offered has changed", pins.cycle()));
    }
    let there = now.is_some();
    *before = now.filter(|_| !takes);
    Ok(there && takes)
}

/// Entries of `pool` under their numbers, then `count` heads of each side.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, pool: &[Entry], count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let flows = 1usize << pins.width("write_flow");
    pins.reset(2);
    let began = pins.cycle();
    pins.until_ready(2 * flows as u64 + 2)?;
    let mut numbers: BTreeMap<(bool, u128), u32> = BTreeMap::new();
    let mut key = |address: &Address| {
        let mut number = |of: u128| {
            let next = numbers.len() as u32;
            *numbers.entry((address.six, of)).or_insert(next)
        };
        Key { source: number(address.source), destination: number(address.destination), qp: address.qp }
    };
    let mut golden: Table<usize> = Table::new(flows);
    for (flow, entry) in pool.iter().take(flows).enumerate() {
        pins.set("write_flow", flow as u64);
        pins.set("write_set", 1);
        pins.set("write_mtu", entry.mtu);
        set_address(&mut pins, "write", &entry.key);
        pins.set("write_peer_qp", entry.peer_qp.into());
        pins.set("write_valid", 1);
        pins.eval();
        while pins.get("write_ready") == 0 {
            pins.clock();
            pins.eval();
            if pins.cycle() > began + 100 * flows as u64 + 100 {
                return Err("an entry is not written".into());
            }
        }
        if pins.get("write_refused") == 0 {
            let written = table::Entry { key: key(&entry.key), peer_qp: entry.peer_qp, ..table::Entry::default() };
            golden.open(&written, flow)?;
        }
        pins.clock();
    }
    pins.set("write_valid", 0);

    let mut seen = Seen::default();
    let mut offered: [Option<Head>; 2] = [None; 2];
    let mut sent = [0u64; 2];
    let (mut heads, mut events, mut frames) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
    // What is said of events, and whether the answer of an event is there.
    let mut answers: VecDeque<[u64; 4]> = VecDeque::new();
    let mut said: VecDeque<[u64; 4]> = VecDeque::new();
    let mut answering = false;
    let (mut head_shown, mut event_shown, mut order_shown) = (None, None, None);
    let mut quiet = 0;
    let start = pins.cycle();
    while sent.iter().any(|&sent| sent < count) || !heads.is_empty() || !frames.is_empty() || quiet < 15 {
        let now = pins.cycle();
        let fail = |what: String| Err(format!("cycle {now}: {what}"));
        for (back, side) in ["onward", "back"].into_iter().enumerate() {
            if offered[back].is_none() && sent[back] < count && chance(&mut rng, pace.offer) {
                let head = any_head(&mut rng, pool, back == 1);
                show(&mut pins, side, &head);
                offered[back] = Some(head);
                sent[back] += 1;
            }
            pins.set(&format!("{side}_valid"), offered[back].is_some().into());
        }
        answering = !answers.is_empty() && (answering || chance(&mut rng, pace.answer));
        if let Some([ack, psn, msn, credits]) = answers.front().copied() {
            [("ack", ack), ("psn", psn), ("msn", msn), ("credits", credits)]
                .iter()
                .for_each(|&(name, value)| pins.set(&format!("answer_{name}"), value));
        }
        pins.set("answer_valid", answering.into());
        let takes = [pace.head, pace.event, pace.order].map(|percent| chance(&mut rng, percent));
        ["head", "event", "order"].iter().zip(takes).for_each(|(name, takes)| pins.set(&format!("{name}_ready"), takes.into()));
        pins.eval();

        if stays(&pins, "head", &["known", "flow", "kind", "psn", "span", "asks"], &mut head_shown, takes[0])? {
            let Some((head, flow, at)): Option<(Head, Option<usize>, u64)> = heads.pop_front() else {
                return fail("a head too many".into());
            };
            let about = |difference| format!("{difference} of {head:?}");
            pins.check("head_known", flow.is_some().into()).map_err(about)?;
            if let Some(flow) = flow {
                pins.check("head_flow", flow as u64).map_err(about)?;
                pins.check("head_kind", head.kind).map_err(about)?;
                pins.check("head_psn", head.psn).map_err(about)?;
                pins.check("head_asks", head.asks.into()).map_err(about)?;
                pins.check("head_span", span(head.read, 256 << pool[flow].mtu).into()).map_err(about)?;
            }
            seen.known += u64::from(flow.is_some());
            seen.unknown += u64::from(flow.is_none());
            seen.latency = Some(seen.latency.map_or(now - at, |least| least.min(now - at)));
            quiet = 0;
        }
        if stays(&pins, "event", &["flow", "kind", "psn", "msn", "credits"], &mut event_shown, takes[1])? {
            let Some((head, flow)): Option<(Head, usize)> = events.pop_front() else { return fail("an event too many".into()) };
            let expected = [("flow", flow as u64), ("kind", head.kind), ("psn", head.psn), ("msn", head.msn), ("credits", head.credits)];
            for (name, value) in expected {
                pins.check(&format!("event_{name}"), value).map_err(|difference| format!("{difference} of {head:?}"))?;
            }
            let ack = u64::from(head.kind == 4 && chance(&mut rng, 70));
            let answer = [ack, rng.random_range(0..1 << 24), rng.random_range(0..1 << 24), rng.random_range(0..32)];
            answers.push_back(answer);
            said.push_back(answer);
            seen.events += 1;
        }
        let answered = answering && pins.get("answer_ready") == 1;
        if stays(&pins, "order", &["drop", "ack", "offset"], &mut order_shown, takes[2])? {
            let Some((head, known, at)): Option<(Head, bool, u64)> = frames.pop_front() else { return fail("an order too many".into()) };
            let about = |difference| format!("{difference} of {head:?}");
            let answer = if known { said.pop_front() } else { None };
            if answered != known {
                return fail(format!("an answer {} taken for {head:?}", if known { "is not" } else { "is" }));
            }
            let ack = answer.is_some_and(|[ack, ..]| ack == 1);
            pins.check("order_drop", head.bad.into()).map_err(about)?;
            pins.check("order_ack", ack.into()).map_err(about)?;
            if let Some([1, psn, msn, credits]) = answer {
                let expected = [("psn", psn), ("msn", msn), ("credits", credits), ("offset", head.offset)];
                for (name, value) in expected {
                    pins.check(&format!("order_{name}"), value).map_err(about)?;
                }
            }
            if !known {
                seen.passing = Some(seen.passing.map_or(now - at, |least| least.min(now - at)));
            }
            seen.acks += u64::from(ack);
            seen.drops += u64::from(head.bad);
            seen.passes += u64::from(!head.bad && !ack);
            quiet = 0;
        } else if answered {
            return fail("an answer is taken without an order".into());
        }
        if answered {
            answers.pop_front();
            answering = false;
        }
        for (back, side) in ["onward", "back"].into_iter().enumerate() {
            let taken = offered[back].filter(|_| pins.get(&format!("{side}_ready")) == 1);
            let Some(head) = taken else { continue };
            offered[back] = None;
            let key = key(&head.address);
            let index = if back == 1 { golden.find_reverse(&key) } else { golden.find(&key) };
            let ours = if back == 1 { matches!(head.kind, 2..=5 | 8) && head.origin == 0 } else { matches!(head.kind, 0 | 1 | 6) };
            let flow = index.filter(|_| ours).map(|index| *golden.get(index));
            if back == 0 {
                heads.push_back((head, flow, now));
            } else {
                frames.push_back((head, flow.is_some(), now));
                events.extend(flow.map(|flow| (head, flow)));
            }
        }
        quiet += 1;
        if quiet > 3000 {
            return fail("nothing moves any more".into());
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
