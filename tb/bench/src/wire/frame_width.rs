//! `FrameWidth` and `FramePad`: the bytes of each frame as they came, or with zeros up to the shortest frame.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{SHORTEST, padded};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Percentages of offered beats and of clocks in which a beat is taken.
const PACES: [(u32, u32); 7] = [(100, 100), (100, 50), (50, 100), (50, 50), (90, 10), (10, 90), (100, 0)];

/// A frame, and what goes along with it.
type Marked = (Vec<u8>, bool);

/// What a run came by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub frames: u64,
    /// beats in and out of the part at full pace, and its clocks
    pub beats_in: u64,
    pub beats_out: u64,
    pub clocks: u64,
}

/// The beat of `bytes` as words; above them what `rng` gives.
fn beat(rng: &mut ChaCha8Rng, bytes: &[u8], width: usize) -> Words {
    let mut words = random(rng, width);
    for (at, &byte) in bytes.iter().enumerate() {
        words[at / 4] = words[at / 4] & !(0xff << (8 * (at % 4))) | u32::from(byte) << (8 * (at % 4));
    }
    words
}

fn byte(words: &[u32], at: usize) -> u8 {
    (words[at / 4] >> (8 * (at % 4))) as u8
}

/// The lowest `count` bits.
fn ones(count: usize, width: usize) -> Words {
    (0..width.div_ceil(32)).map(|word| u32::MAX.checked_shr(32 - (count.saturating_sub(32 * word)).min(32) as u32).unwrap_or(0)).collect()
}

/// Random frames of every length around the beats of both sides at every pace. `pads` says that short ones grow.
///
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, pads: bool, seed: u64, clocks: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (from, to) = (pins.width("in_data"), pins.width("out_data"));
    let (from_bytes, to_bytes) = (from / 8, to / 8);
    let marks = pins.has("in_mark");
    let mut due: VecDeque<Marked> = VecDeque::new();
    let mut coming: Option<(Marked, usize)> = None;
    let mut offered: Option<(Words, Words, bool)> = None;
    let mut held: Option<(Words, Words, u64)> = None;
    let (mut at, mut offer, mut take) = (0, 100, 100);
    let mut seen = Seen::default();
    let full = clocks / 4;
    pins.reset(2);
    for now in 0..clocks {
        // The first part is at full pace: each side is limited by the other alone.
        if now >= full && now % 101 == 0 {
            (offer, take) = PACES[rng.random_range(0..PACES.len())];
        }
        if now > full && now % 1013 == 0 {
            pins.set("in_valid", 0);
            pins.reset(1);
            due.clear();
            (coming, offered, held, at) = (None, None, None, 0);
        }
        let (frame, sent) = coming.get_or_insert_with(|| {
            let wide = from_bytes.max(to_bytes);
            let mut bytes = vec![0; rng.random_range(1..=2 * wide + SHORTEST)];
            rng.fill_bytes(&mut bytes);
            ((bytes, rng.random_bool(0.3)), 0)
        });
        let rest = &frame.0[*sent..];
        let (count, last) = (rest.len().min(from_bytes), rest.len() <= from_bytes);
        if offered.is_none() && chance(&mut rng, offer) {
            // Without `last` nobody reads `keep`.
            let keep = if last { ones(count, from_bytes) } else { random(&mut rng, from_bytes) };
            offered = Some((beat(&mut rng, &rest[..count], from), keep, last));
        }
        let ready = chance(&mut rng, take);
        pins.set("in_valid", offered.is_some().into());
        let (data, keep, is_last) = offered.clone().unwrap_or_else(|| (random(&mut rng, from), random(&mut rng, from_bytes), rng.random()));
        pins.set_words("in_data", &data);
        pins.set_words("in_keep", &keep);
        pins.set("in_last", is_last.into());
        if marks {
            pins.set("in_mark", if is_last { frame.1.into() } else { rng.random_range(0..2) });
        }
        pins.set("out_ready", ready.into());
        pins.eval();

        let valid = pins.get("out_valid") == 1;
        let shown = (pins.get_words("out_data"), pins.get_words("out_keep"), pins.get("out_last"));
        if held.as_ref().is_some_and(|held| !valid || *held != shown) {
            return Err(format!("cycle {now}: a beat that waits changes"));
        }
        held = (valid && !ready).then(|| shown.clone());
        let accepts = offered.is_some() && pins.get("in_ready") == 1;
        if accepts {
            seen.beats_in += u64::from(now < full);
            *sent += count;
            offered = None;
            // A block without a register shows the frame in the clock in which it ends.
            if last {
                due.extend(coming.take().map(|(frame, _)| frame));
            }
        }
        if valid {
            let partial = coming.as_ref().map(|(frame, sent)| (&frame.0[..*sent], frame.1, false));
            let whole = due.front().map(|(bytes, mark)| (bytes.as_slice(), *mark, true));
            let Some((bytes, mark, ended)) = whole.or(partial) else {
                // What is offered and not accepted may show, where nothing stands between.
                if ready {
                    return Err(format!("cycle {now}: a beat of no frame leaves"));
                }
                pins.clock();
                continue;
            };
            let wanted = if pads && ended { padded(bytes) } else { bytes.to_vec() };
            let count = wanted.len().saturating_sub(at).min(to_bytes);
            let is_last = ended && wanted.len() <= at + to_bytes;
            if ready {
                if pins.get("out_last") != u64::from(is_last) {
                    return Err(format!("cycle {now}: `out_last` is {}, byte {at} of {}", shown.2, wanted.len()));
                }
                if shown.1 != ones(count, to_bytes) || count == 0 {
                    return Err(format!("cycle {now}: `out_keep` is {:x?}, {count} bytes are due", shown.1));
                }
                if let Some(wrong) = (0..count).find(|&i| byte(&shown.0, i) != wanted[at + i]) {
                    return Err(format!("cycle {now}: byte {} of a frame of {} is {:#x}", at + wrong, wanted.len(), byte(&shown.0, wrong)));
                }
                if pads && (count..to_bytes).any(|i| byte(&shown.0, i) != 0) {
                    return Err(format!("cycle {now}: what is behind the end of a frame leaves"));
                }
                if marks && is_last {
                    pins.check("out_mark", mark.into())?;
                }
                seen.beats_out += u64::from(now < full);
                at += to_bytes;
                if is_last {
                    due.pop_front();
                    seen.frames += 1;
                    at = 0;
                }
            }
        }
        pins.clock();
        seen.clocks = full;
        if let Some(failure) = pins.failure() {
            return Err(failure);
        }
    }
    // At full pace no clock is without a beat on one of the sides, but for the frames' ends that both have.
    if seen.beats_in.max(seen.beats_out) + 2 < full {
        return Err(format!("{} beats in and {} out in {full} clocks", seen.beats_in, seen.beats_out));
    }
    Ok(seen)
}
