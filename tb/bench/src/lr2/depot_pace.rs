//! `DepotPace` held to the golden buckets: no flow before its time, none long after it, each in its turn.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::depot::Buckets;
use rdma_rtl_sim::Model;
use std::collections::BTreeSet;

/// Clocks from a step to the first one in which its flow is in the list.
const KNOWN: u64 = 6;

/// And to the first one in which a flow that has nothing is not offered any more.
const FORGOTTEN: u64 = 5;
/// Clocks from the one in which the output is looked at to an offer.
const LOOKED: u64 = 3;

/// Ticks of a clock by the number of flows: all buckets have been looked at before the ticks are half way round.
const LEAP: u64 = 1 << 24;

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// 1/65536 ticks per byte
    pub pace: u64,
    pub flow_pace: u64,
    /// percent of the clocks with a step
    pub steps: u32,
    /// percent of the steps after which a flow has something
    pub works: u32,
    /// percent of the clocks in which the output is free
    pub free: u32,
    /// ticks go round while a flow has nothing, else there is about one per clock
    pub leaps: bool,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub taken: u64,
    pub nothing: u64,
    /// flows that had to wait for their own bucket, and for that of all
    pub own: u64,
    pub all: u64,
    /// most clocks that a flow that might go was not offered
    pub late: u64,
    pub clocks: u64,
}

/// A flow as the bench knows it.
#[derive(Clone, Default)]
struct Flow {
    works: bool,
    /// clock of its last step
    stepped: u64,
    /// clock since which it might have gone
    due: Option<u64>,
    /// flows that were taken since
    passed: BTreeSet<usize>,
}

/// `count` packets that go, of all flows of the block.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let flows = 1usize << pins.width("step_flow");
    pins.set("cfg_pace", mix.pace);
    pins.set("cfg_flow_pace", mix.flow_pace);
    pins.reset(2);
    pins.until_ready(flows as u64 + 2)?;
    let began = pins.cycle();
    let mut golden = Buckets::new(flows);
    let mut known = vec![Flow { stepped: began, ..Flow::default() }; flows];
    let mut seen = Seen::default();
    // Ticks wrap soon.
    let mut now = (1u64 << 32) - 3000;
    // The flow that was taken, its tick, and the clock in which it tells its bytes.
    let mut going: Option<(usize, u64, u64)> = None;
    let mut idle = began;
    // Whether the output was free in the clocks before, and a flow was offered that was not taken.
    let mut lines = [false; LOOKED as usize];
    let mut was_offered = false;
    while seen.taken < count {
        let clock = pins.cycle();
        let about = format!("cycle {clock}");
        now += rng.random_range(0..=2 * if mix.leaps { LEAP / flows as u64 } else { 1 });
        let free = chance(&mut rng, mix.free);
        let takes = chance(&mut rng, 60);
        let tells = going.filter(|(_, _, tells)| clock >= *tells);
        let bytes = [0, rng.random_range(64..200), 1024, rng.random_range(0..1 << 16)][rng.random_range(0..4)];
        let mut step = chance(&mut rng, mix.steps).then(|| rng.random_range(0..flows));
        // A flow that has let something go has had a step.
        step = tells.map(|(flow, _, _)| flow).or(step).filter(|&flow| clock > known[flow].stepped + 2);
        let works = chance(&mut rng, mix.works);
        pins.set("tick", now & 0xffff_ffff);
        pins.set("line_free", free.into());
        pins.set("release_ready", takes.into());
        pins.set("sent", tells.is_some().into());
        pins.set("sent_bytes", bytes);
        pins.set("step", step.is_some().into());
        pins.set("step_flow", step.unwrap_or_else(|| rng.random_range(0..flows)) as u64);
        pins.set("step_works", works.into());
        pins.eval();

        // What is offered.
        let offered = (pins.get("release_valid") == 1).then(|| pins.get("release_flow") as usize);
        let begins = offered.is_some() && !was_offered;
        if let Some(flow) = offered {
            if let Some((other, ..)) = going {
                return Err(format!("{about}: flow {flow} is offered while {other} has not told its bytes"));
            }
            if golden.due(flow) > now << 16 {
                return Err(format!("{about}: flow {flow} is offered at {now}, its time is {:#x}/65536", golden.due(flow)));
            }
            if begins && !known[flow].works && clock >= known[flow].stepped + FORGOTTEN {
                return Err(format!("{about}: flow {flow} is offered, it has nothing since {}", known[flow].stepped));
            }
            if begins && !lines[(clock % LOOKED) as usize] {
                return Err(format!("{about}: flow {flow} is offered, the output was not free"));
            }
        }
        lines[(clock % LOOKED) as usize] = free;
        was_offered = offered.is_some() && !takes;
        if offered.is_some() && takes {
            let flow = offered.unwrap_or_default();
            for (number, other) in known.iter_mut().enumerate().filter(|(number, _)| *number != flow) {
                if other.due.is_some() && !other.passed.insert(flow) {
                    return Err(format!("{about}: flow {flow} goes twice while {number} waits"));
                }
            }
            known[flow].due = None;
            going = Some((flow, now, clock + rng.random_range(4..30)));
            seen.taken += 1;
        }

        // Who might go.
        let may = going.is_none() && golden.earliest(|flow| known[flow].works).is_some_and(|at| at <= now << 16);
        if offered.is_some() || !may || !free {
            idle = clock;
        }
        seen.late = seen.late.max(clock - idle);
        if clock - idle > 5 * flows as u64 + 60 {
            return Err(format!("{about}: nothing is offered since {idle}"));
        }
        for (number, flow) in known.iter_mut().enumerate() {
            seen.own += u64::from(flow.works && golden.own(number) > now << 16);
            let due = flow.works && golden.own(number) <= now << 16 && going.is_none_or(|(going, ..)| going != number);
            if !due {
                (flow.due, flow.passed) = (None, BTreeSet::new());
            } else if clock > flow.stepped + KNOWN {
                flow.due = flow.due.or(Some(clock));
            }
        }
        if let Some((flow, at, _)) = tells {
            golden.charge(at << 16, flow, bytes, mix.pace, mix.flow_pace);
            seen.nothing += u64::from(bytes == 0);
            seen.all += u64::from(golden.due(flow) > now << 16);
            going = None;
            idle = clock;
        }
        if let Some(flow) = step {
            known[flow].works = works;
            known[flow].stepped = clock;
            if works {
                golden.enlist(flow);
            }
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - began;
    Ok(seen)
}
