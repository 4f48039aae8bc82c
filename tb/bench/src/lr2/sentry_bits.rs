//! `SentryBits` held to the golden bits of every flow.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::bits::FilterBits;
use rdma_rtl_sim::Model;

/// Percent of the clocks with a question, and of those in which a change may come.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub ask: u32,
    pub change: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub questions: u64,
    /// of which so many were of a packet that was asked for
    pub set: u64,
    pub changes: u64,
    /// with both ranges
    pub both: u64,
    pub clocks: u64,
}

/// A range that is likely, or ends on an edge of a word, or is everything.
fn range(rng: &mut ChaCha8Rng, reach: u32, near: u32) -> (u32, u32) {
    let edge = rng.random_range(0..4) * 64 + [63, 0, 1][rng.random_range(0..3)];
    let start = [near, near.wrapping_add(edge), edge, rng.random_range(0..1 << 24)][rng.random_range(0..4)] % (1 << 24);
    let length = match rng.random_range(0..10) {
        0..5 => rng.random_range(1..5),
        5..7 => rng.random_range(1..200),
        7 => 64 * rng.random_range(1..4),
        8 => reach - rng.random_range(0..66).min(reach - 1),
        _ => rng.random_range(1..=reach),
    };
    (start, length)
}

/// Words that a range touches.
fn words(start: u32, length: u32) -> u64 {
    u64::from((start % 64 + length).div_ceil(64))
}

/// `count` changes. Every answer is the golden one, and `ready` comes and goes in its clock.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (flows, reach) = (1u32 << pins.width("ask_flow"), 1u32 << (pins.width("clear_length") - 1));
    pins.reset(2);
    let start = pins.cycle();
    while pins.get("ready") == 0 {
        pins.clock();
        pins.eval();
        if pins.cycle() - start > u64::from(flows * reach / 64) {
            return Err("the bits are not clear in time".to_string());
        }
    }
    let mut golden = vec![FilterBits::new(reach); flows as usize];
    let mut near: u32 = rng.random_range(0..1 << 24);
    let mut seen = Seen::default();
    let mut ready_at = pins.cycle();
    while seen.changes < count {
        let now = pins.cycle();
        let ready = now >= ready_at;
        pins.check("ready", ready.into())?;
        let asks = ready && chance(&mut rng, pace.ask);
        let changes = ready && chance(&mut rng, pace.change);
        if rng.random_range(0..50) == 0 {
            near = rng.random_range(0..1 << 24);
        }
        // What does not count is anything.
        let flow = rng.random_range(0..flows);
        let psn = [near.wrapping_add(rng.random_range(0..70)), rng.random_range(0..1 << 24)][rng.random_range(0..2)] % (1 << 24);
        pins.set("ask_flow", flow.into());
        pins.set("ask_psn", psn.into());
        let changed = rng.random_range(0..flows);
        let ((clear_start, clear_length), (mark_start, mark_length)) = (range(&mut rng, reach, near), range(&mut rng, reach, near));
        let (clears, marks) = [(true, false), (false, true), (true, true), (false, false)][rng.random_range(0..4)];
        pins.set("change", changes.into());
        pins.set("change_flow", changed.into());
        pins.set("clear", clears.into());
        pins.set("clear_start", clear_start.into());
        pins.set("clear_length", clear_length.into());
        pins.set("mark", marks.into());
        pins.set("mark_start", mark_start.into());
        pins.set("mark_length", mark_length.into());
        pins.clock();
        pins.eval();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        let due = golden[flow as usize].get(psn);
        if changes {
            seen.changes += 1;
            seen.both += u64::from(clears && marks);
            let bits = &mut golden[changed as usize];
            let mut clocks = 0;
            if clears {
                bits.fill(clear_start, clear_length, false);
                clocks += words(clear_start, clear_length) + 1;
            }
            if marks {
                bits.fill(mark_start, mark_length, true);
                clocks += words(mark_start, mark_length) + if clears { 1 } else { 2 };
            }
            ready_at = now + 1 + clocks;
        } else if asks {
            seen.questions += 1;
            seen.set += u64::from(due);
            pins.check("answer", due.into())?;
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
