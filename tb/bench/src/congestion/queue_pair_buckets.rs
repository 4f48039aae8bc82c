//! `QueuePairBuckets` held to a golden bucket for each queue pair, and as the limiter of a port, judged by every window.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::bucket::Bucket;
use rdma_rtl_golden::congestion::fault::Fault;
use rdma_rtl_golden::congestion::meter::Meter;
use rdma_rtl_golden::congestion::rate::{FRACTION, Rate};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks from `ask` to `answer`.
const LATENCY: u64 = 9;

/// How a run goes: percent of the clocks in which something is offered.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet asks
    pub ask: u32,
    /// a rate is set
    pub set: u32,
    /// bytes come back
    pub back: u32,
    /// queue pairs that take part
    pub pairs: usize,
    /// clocks for which one of them is alone, then the next, 0: all at once
    pub phase: u64,
    /// `cfg_burst`
    pub burst: u16,
    /// nobody offers anything for up to so many clocks, now and then
    pub idle: u64,
    /// what is wrong with the golden buckets
    pub fault: Option<Fault>,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub granted: u64,
    pub refused: u64,
    pub sets: u64,
    pub backs: u64,
    /// clocks in which nobody could be served for a visit
    pub visits: u64,
    pub clocks: u64,
}

/// Behind a reset, with the memories clear.
fn begin(pins: &mut Pins, limit: bool, burst: u16) -> Result<(), String> {
    pins.set("cfg_limit", limit.into());
    pins.set("cfg_burst", burst.into());
    pins.reset(2);
    for _ in 0..1u32 << pins.width("ask_qp") {
        pins.check("ready", 0)?;
        pins.check("ask_ready", 0)?;
        pins.clock();
    }
    pins.check("ready", 1)
}

/// An operation that is offered: queue pair, and bytes or the rate.
type Offer = Option<(usize, u64)>;

/// Operations of all kinds until `count` packets have asked. Every answer comes in its clock and is the golden one; what waits is served in
/// the order of the kinds.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, limit: bool, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    begin(&mut pins, limit, pace.burst)?;
    let all = 1usize << pins.width("ask_qp");
    // They are apart: a step of 5 comes by all.
    let first = rng.random_range(0..all);
    let places: Vec<usize> = (0..pace.pairs.min(all)).map(|number| (first + number * 5) % all).collect();
    let bucket = Bucket::new(Rate::default(), pace.burst.into(), pins.cycle(), pace.fault);
    let mut golden = vec![bucket; all];
    let mut due: VecDeque<(u64, usize, bool, u32)> = VecDeque::new();
    let mut seen = Seen::default();
    // in the order in which they are served
    let names = ["set", "back", "ask"];
    let mut offers: [Offer; 3] = [None; 3];
    let (mut asked, mut quiet) = (0, 0);
    let start = pins.cycle();
    while asked < count || !due.is_empty() {
        let now = pins.cycle();
        if quiet == 0 && chance(&mut rng, 1) && rng.random_bool(0.1) {
            quiet = rng.random_range(0..=pace.idle);
        }
        quiet = quiet.saturating_sub(1);
        for (kind, percent) in [pace.set, pace.back, if asked < count { pace.ask } else { 0 }].into_iter().enumerate() {
            if offers[kind].is_none() && quiet == 0 && chance(&mut rng, percent) {
                let magnitude = rng.random_range(0..=28);
                let value = match kind {
                    // From nothing to the greatest.
                    0 => rng.random_range(0..1u64 << magnitude),
                    1 => rng.random_range(0..=2000),
                    _ if rng.random_bool(0.05) => rng.random_range(0..=u16::MAX.into()),
                    _ => rng.random_range(0..=4096),
                };
                let place = match pace.phase {
                    0 => rng.random_range(0..places.len()),
                    phase => (now / phase) as usize % places.len(),
                };
                offers[kind] = Some((places[place], value));
            }
            pins.set(&format!("{}_valid", names[kind]), offers[kind].is_some().into());
            let (pair, value) = offers[kind].unwrap_or_else(|| (rng.random_range(0..all), rng.random_range(0..1 << 16)));
            pins.set(&format!("{}_qp", names[kind]), pair as u64);
            pins.set(
                if kind == 0 {
                    "set_rate"
                } else if kind == 1 {
                    "back_bytes"
                } else {
                    "ask_bytes"
                },
                value,
            );
        }
        pins.eval();

        // A visit goes before all of them; else the first that is offered is served.
        let open = pins.get("set_ready") == 1;
        seen.visits += u64::from(!open);
        pins.check("back_ready", (open && offers[0].is_none()).into())?;
        pins.check("ask_ready", (open && offers[0].is_none() && offers[1].is_none()).into())?;
        let first = offers.iter().position(Option::is_some).filter(|_| open);
        if let Some(kind) = first
            && let Some((pair, value)) = offers[kind].take()
        {
            let bucket = &mut golden[pair];
            match kind {
                0 => {
                    bucket.set_rate(now, Rate::from_steps(value));
                    seen.sets += 1;
                }
                1 => {
                    bucket.give_back(now, if limit { value as u32 } else { 0 });
                    seen.backs += 1;
                }
                _ => {
                    let goes = bucket.take(now, if limit { value as u32 } else { 0 });
                    let left = if limit { bucket.left(now) } else { u16::MAX.into() };
                    due.push_back((now + LATENCY, pair, goes || !limit, left));
                    asked += 1;
                }
            }
        }
        let answer = due.front().copied().filter(|&(at, ..)| at == now);
        pins.check("answer_valid", answer.is_some().into())?;
        if let Some((_, pair, goes, left)) = answer {
            pins.check("answer_qp", pair as u64)?;
            pins.check("answer_granted", goes.into())?;
            pins.check("answer_left", left.into())?;
            seen.granted += u64::from(goes);
            seen.refused += u64::from(!goes);
            due.pop_front();
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}

/// Clocks for which a queue pair that pauses has nothing to send.
const PAUSE: u64 = 20_000;
/// `cfg_burst` of a port.
const BURST: u16 = 8192;

/// A port with `pairs` queue pairs of different rates, which ask in turn and nearly always have something to send, until `count` packets
/// have gone. What exceeds the rate most, in bytes.
/// # Errors
/// A window of any length up to 100,000 clocks has more than its rate and the burst, a queue pair waits for longer than its rate says, or
/// sends less than 99 % of what it may.
pub fn port(model: &mut dyn Model, pairs: usize, count: u64, seed: u64) -> Result<u64, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    begin(&mut pins, true, BURST)?;
    let all = 1usize << pins.width("ask_qp");
    if pairs > all {
        return Err(format!("{pairs} queue pairs of {all}"));
    }
    // Places are apart, and neighbours too.
    let places: Vec<usize> = (0..pairs).map(|number| number * 5 % all).collect();
    let mut meters = vec![None; all];
    pins.set("set_valid", 1);
    for &place in &places {
        let rate = Rate::from_steps(((200.0 / pairs as f64) * rng.random_range(0.2..1.0) * f64::from(1 << FRACTION)) as u64);
        meters[place] = Some(Meter::new(rate));
        pins.set("set_qp", place as u64);
        pins.set("set_rate", rate.steps().into());
        pins.eval();
        if pins.get("set_ready") == 0 {
            pins.clock();
        }
        pins.clock();
    }
    pins.set("set_valid", 0);
    let size = |rng: &mut ChaCha8Rng| if rng.random_bool(0.05) { 4096 } else { rng.random_range(64..=1024) };
    // Who asks next. One that is alone has several packets under way.
    let mut turn: VecDeque<(usize, u32)> = VecDeque::new();
    (0..12usize.div_ceil(pairs)).for_each(|_| places.iter().for_each(|&place| turn.push_back((place, size(&mut rng)))));
    let most_turn = turn.len() as u64 + LATENCY + 2;
    let mut under_way: VecDeque<(u64, usize, u32)> = VecDeque::new();
    let mut back: VecDeque<(u64, usize)> = VecDeque::new();
    let mut paused = vec![0; all];
    let (mut gone, start) = (0, pins.cycle());
    while gone < count {
        let now = pins.cycle() - start;
        while back.front().is_some_and(|&(until, _)| until <= now) {
            turn.extend(back.pop_front().map(|(_, place)| (place, size(&mut rng))));
        }
        let next = turn.front().copied();
        pins.set("ask_valid", next.is_some().into());
        if let Some((place, bytes)) = next {
            pins.set("ask_qp", place as u64);
            pins.set("ask_bytes", bytes.into());
        }
        pins.eval();
        if next.is_some() && pins.get("ask_ready") == 1 {
            turn.pop_front();
            under_way.extend(next.map(|(place, bytes)| (now, place, bytes)));
        }
        if pins.get("answer_valid") == 1 {
            let (asked, place, bytes) = under_way.pop_front().ok_or("an answer that nobody waits for")?;
            pins.check("answer_qp", place as u64)?;
            if pins.get("answer_granted") == 0 {
                turn.push_back((place, bytes));
            } else {
                meters[place].as_mut().ok_or("a queue pair that has no rate")?.sent(asked, bytes);
                gone += 1;
                // Now and then it pauses, and sends from a full bucket then.
                if chance(&mut rng, 1) && pairs > 1 {
                    back.push_back((now + PAUSE, place));
                    paused[place] += PAUSE;
                } else {
                    turn.push_back((place, size(&mut rng)));
                }
            }
        }
        pins.clock();
    }
    let end = pins.cycle() - start;
    let mut worst = 0;
    for (place, meter) in meters.iter().enumerate().filter_map(|(place, meter)| meter.as_ref().map(|meter| (place, meter))) {
        let about = format!("{pairs} queue pairs, {place}");
        if meter.worst > i128::from(BURST) << FRACTION {
            return Err(format!("{about}: a window exceeds its rate by {} bytes, the burst is {BURST}", meter.worst >> FRACTION));
        }
        worst = worst.max((meter.worst >> FRACTION) as u64);
        // It sends again after the time of the largest packet, its turn, and a pause.
        let most = ((4096_i128 << FRACTION) / meter.rate) as u64 + PAUSE + 2 * most_turn;
        if meter.packets == 0 || meter.longest > most {
            return Err(format!("{about} waited {} clocks, {most} are due", meter.longest));
        }
        let due = (meter.rate * i128::from(end.saturating_sub(paused[place]))) >> FRACTION;
        if meter.bytes >> FRACTION < due * 99 / 100 - i128::from(2 * i32::from(BURST)) {
            return Err(format!("{about} sent {} of {due} bytes", meter.bytes >> FRACTION));
        }
    }
    Ok(worst)
}
