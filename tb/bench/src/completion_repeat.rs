//! `CompletionRepeat` against the golden one.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::registry::{CompletionRepeat, Notify, REPEAT_PLACES, Status};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks in which nothing else is told, from the one in which a completion is due again until it is told, at most: those of the FIFO.
pub const LATENCY: u64 = 3;

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a notification comes
    pub come: u32,
    /// what is offered is taken
    pub take: u32,
    /// clocks per tick
    pub prescale: u16,
    /// ticks until it is told again
    pub repeat: u8,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub told: u64,
    pub again: u64,
    /// completions that found no place
    pub full: u64,
    /// clocks in which a repetition waited and something else came
    pub beside: u64,
}

fn word(notify: &Notify) -> [u32; 5] {
    let &Notify { kind, src, op, index, status, mask, packets } = notify;
    let low = u128::from(kind) | u128::from(src) << 8 | u128::from(op) << 24 | u128::from(index) << 48 | u128::from(status) << 64;
    let low = low | u128::from(mask) << 72;
    let high = (mask >> 56) as u32 | u32::from(packets) << 8;
    [low as u32, (low >> 32) as u32, (low >> 64) as u32, (low >> 96) as u32, high]
}

/// `count` notifications: each goes through in its turn and in its clock, each completion is told again when it is due, as the golden model
/// has it, and nothing else is told.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    pins.set("cfg_prescale", pace.prescale.into());
    pins.set("cfg_repeat", pace.repeat.into());
    pins.reset(2);
    let begin = pins.cycle();
    let mut golden = CompletionRepeat::new(pace.repeat);
    let mut due: VecDeque<Notify> = VecDeque::new();
    let (mut seen, mut left, mut offered) = (Seen::default(), count, None::<Notify>);
    let (mut stays, mut free, mut quiet) = (None::<Vec<u32>>, 0, 0);
    while quiet < 300 * u64::from(pace.prescale.max(1)) {
        let tick = (pins.cycle() - begin) / u64::from(pace.prescale.max(1));
        if offered.is_none() && left > 0 && chance(&mut rng, pace.come) {
            left -= 1;
            let status = if chance(&mut rng, 80) { 0 } else { rng.random_range(0..17) };
            let kind = if chance(&mut rng, 60) { 0xc1 } else { 0xc3 };
            let (index, mask, packets) = if kind == 0xc1 { (0, 0, rng.random_range(0..1 << 10)) } else { (rng.random(), rng.random(), 0) };
            offered = Some(Notify { kind, src: rng.random(), op: rng.random_range(0..1 << 24), index, status, mask, packets });
        }
        while let Some(notify) = golden.again(tick) {
            due.push_back(notify);
        }
        let takes = chance(&mut rng, pace.take);
        pins.set("in_valid", offered.is_some().into());
        pins.set_words("in_data", &offered.as_ref().map_or([0; 5], word));
        pins.set("out_ready", takes.into());
        pins.eval();
        let wrong = |what: String| format!("cycle {}: {what}", pins.cycle());
        let (valid, ready) = (pins.get("out_valid") == 1, pins.get("in_ready") == 1);
        let data = pins.get_words("out_data").to_vec();
        if let Some(before) = stays.take()
            && (!valid || data != before)
        {
            return Err(wrong("what is offered does not stay until it is taken".into()));
        }
        let is_in = offered.as_ref().is_some_and(|notify| word(notify).to_vec() == data);
        let is_again = due.front().is_some_and(|notify| word(notify).to_vec() == data);
        seen.beside += u64::from(offered.is_some() && is_again);
        if valid && !is_in && !is_again {
            return Err(wrong(format!("{data:08x?} is told; offered is {offered:x?}, due again {:x?}", due.front())));
        }
        if offered.is_some() && (!valid || ready != (takes && is_in)) {
            return Err(wrong(format!("a notification is offered: out_valid {valid}, in_ready {ready}, out_ready {takes}")));
        }
        if valid && !takes {
            stays = Some(data);
        }
        free = if offered.is_none() && !due.is_empty() && !valid { free + 1 } else { 0 };
        if free > LATENCY {
            return Err(wrong(format!("{:x?} is due again, and is not told for {free} clocks", due.front())));
        }
        if valid && takes {
            if is_in {
                let notify = offered.take().ok_or("nothing is offered")?;
                // In the hardware what is due keeps its place until it is told.
                if golden.held() + due.len() < REPEAT_PLACES {
                    golden.tell(tick, &notify);
                } else if pace.repeat > 0 && notify.kind == 0xc1 && notify.status != Status::Overlap as u8 {
                    seen.full += 1;
                }
                seen.told += 1;
            } else {
                due.pop_front();
                seen.again += 1;
            }
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        quiet = if left == 0 && offered.is_none() && due.is_empty() && golden.held() == 0 { quiet + 1 } else { 0 };
        if pins.cycle() - begin > 100 * count + 200_000 * u64::from(pace.prescale.max(1)) {
            return Err(format!("{} notifications are not told at the end", left + due.len() as u64));
        }
    }
    Ok(seen)
}
