//! `LoadTurns` between a loader and engines that are played, held to the golden model.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::load_turns::Turns;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes: percent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// clocks in which a load is offered
    pub offer: u32,
    /// clocks in which an engine takes a load, each
    pub take: u32,
    /// clocks in which an engine has an answer, each
    pub answer: u32,
    /// clocks in which an answer is taken
    pub told: u32,
    /// loads that an engine refuses out of turn
    pub refuse: u32,
}

impl Pace {
    /// Nobody waits for anybody.
    pub const FULL: Pace = Pace { offer: 100, take: 100, answer: 100, told: 100, refuse: 0 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub clocks: u64,
    /// answers that an engine gave out of turn
    pub early: u64,
    /// clocks in which an engine had an answer that was not due
    pub waited: u64,
    /// most loads that were out
    pub most: usize,
}

/// What an engine is played with.
#[derive(Clone, Debug, Default)]
struct Engine {
    loads: VecDeque<(u32, u8)>,
    /// the answer that is offered stays
    shown: Option<(u32, u8)>,
}

/// `count` loads of `slots` slots.
///
/// Every clock: a load is offered to the engine whose turn it is and to no other; what is offered stays. Every answer: the golden model's, in
/// its order, in the clock in which it is due. At the end nothing is out.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, slots: usize, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let engines = pins.width("engine_load_valid");
    let tag_bits = pins.width("load_tag");
    pins.reset(2);
    let mut golden = Turns::new(engines);
    let mut played = vec![Engine::default(); engines];
    let mut free: Vec<u32> = (0..slots as u32).collect();
    let mut offered: Option<u32> = None;
    let mut seen = Seen::default();
    let (mut given, mut told) = (0, 0);
    let start = pins.cycle();
    while told < count {
        let now = pins.cycle();
        let fail = |text: String| Err(format!("cycle {now}: {text}"));
        if offered.is_none() && given < count && !free.is_empty() && chance(&mut rng, pace.offer) {
            offered = Some(free.swap_remove(rng.random_range(0..free.len())));
        }
        pins.set("load_valid", offered.is_some().into());
        pins.set("load_tag", offered.unwrap_or_else(|| rng.random_range(0..slots as u32)).into());
        let takes: Vec<bool> = (0..engines).map(|_| chance(&mut rng, pace.take)).collect();
        let (mut valid, mut tags, mut statuses) = (0, 0, 0);
        for (k, engine) in played.iter_mut().enumerate() {
            if engine.shown.is_none() && !engine.loads.is_empty() && chance(&mut rng, pace.answer) {
                // What is refused does not wait for those before it.
                let refused = engine.loads.iter().position(|&(_, status)| status == 35);
                engine.shown = engine.loads.remove(refused.unwrap_or(0));
                seen.early += u64::from(refused.is_some_and(|at| at > 0));
            }
            let (tag, status) = engine.shown.unwrap_or_else(|| (rng.random_range(0..slots as u32), rng.random()));
            valid |= u64::from(engine.shown.is_some()) << k;
            tags |= u64::from(tag) << (k * tag_bits);
            statuses |= u64::from(status) << (8 * k);
        }
        pins.set("engine_load_ready", takes.iter().rev().fold(0, |all, &take| all << 1 | u64::from(take)));
        pins.set("engine_loaded_valid", valid);
        pins.set("engine_loaded_tag", tags);
        pins.set("engine_loaded_status", statuses);
        let takes_answer = chance(&mut rng, pace.told);
        pins.set("loaded_ready", takes_answer.into());
        pins.eval();

        // A load.
        for (k, take) in takes.iter().enumerate() {
            let expected = offered.is_some() && golden.engine() == k;
            if (pins.get("engine_load_valid") >> k & 1 == 1) != expected {
                return fail(format!(
                    "a load is {}offered to engine {k}, the turn is {}'s",
                    if expected { "not " } else { "" },
                    golden.engine()
                ));
            }
            if expected && (pins.get("load_ready") == 1) != *take {
                return fail(format!("engine {k} takes: {take}, the load is not the same"));
            }
        }
        // An answer: what the engines show has come, but is heard in its turn.
        let mut come = golden.clone();
        for (k, engine) in played.iter().enumerate() {
            if let Some((tag, status)) = engine.shown {
                come.answer(k, tag, status)?;
            }
        }
        let due = come.due();
        let found = (pins.get("loaded_valid") == 1).then(|| (pins.get("loaded_tag") as u32, pins.get("loaded_status") as u8));
        if found != due {
            return fail(format!("told is {found:?}, due is {due:?}"));
        }
        if let (Some((tag, _)), true) = (found, takes_answer) {
            told += 1;
            free.push(tag);
        }
        let mut heard = 0;
        for (k, engine) in played.iter_mut().enumerate() {
            let ready = pins.get("engine_loaded_ready") >> k & 1 == 1;
            let Some((tag, status)) = engine.shown.filter(|_| ready) else {
                seen.waited += u64::from(engine.shown.is_some());
                continue;
            };
            heard += 1;
            engine.shown = None;
            golden.answer(k, tag, status)?;
        }
        if heard > 1 {
            return fail(format!("{heard} engines are heard at once"));
        }
        if found.is_some() && takes_answer {
            if golden.due() != found {
                return fail(format!("{found:?} was told, and its engine was not heard"));
            }
            golden.told();
        }
        if let Some(tag) = offered.filter(|_| pins.get("load_ready") == 1) {
            let refused = rng.random_range(0..100) < pace.refuse;
            let status = if refused { 35 } else { [0, 0, 0, 33, 34][rng.random_range(0..5)] };
            played[golden.engine()].loads.push_back((tag, status));
            golden.load(tag);
            offered = None;
            given += 1;
            seen.most = seen.most.max(golden.out());
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if pins.cycle() - start > 400 * (count + 100) {
            return fail(format!("nothing moves any more: {given} loads, {told} answers of {count}"));
        }
    }
    seen.clocks = pins.cycle() - start;
    for _ in 0..4 {
        pins.set("load_valid", 0);
        pins.clock();
        pins.check("loaded_valid", 0)?;
    }
    Ok(seen)
}
