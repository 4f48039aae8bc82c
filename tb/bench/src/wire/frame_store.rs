//! `FrameStore` against its golden model: what leaves are whole frames in their order, without a pause, and what does not leave had no
//! room.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::FrameStore;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Percentages of offered beats and of clocks in which a beat is taken.
const PACES: [(u32, u32); 9] = [(100, 100), (100, 0), (0, 100), (100, 50), (50, 100), (50, 50), (90, 10), (10, 90), (100, 90)];

/// What a run came by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub kept: u64,
    pub lost: u64,
    pub dropped: u64,
    pub cut: u64,
    /// clocks in which a beat was not taken
    pub waited: u64,
}

/// A frame that is offered: beats to come, and whether it is to be thrown away.
struct Coming {
    left: usize,
    drop: bool,
}

/// `waits` is `in_waits`: a beat waits for room, or finds none.
///
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, beats: usize, waits: bool, seed: u64, clocks: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("in_word");
    let mut store: FrameStore<Words> = FrameStore::new(beats);
    let mut seen = Seen::default();
    let (mut coming, mut word, mut ended): (Option<Coming>, Words, Option<bool>) = (None, Vec::new(), None);
    let (mut offer, mut take, mut longest) = (100, 100, 4);
    // Of frames that are whole: the beat behind each, counted from the first of all, its length, and since when it is whole.
    let mut frames: VecDeque<(u64, u64, u64)> = VecDeque::new();
    let (mut offered, mut must_show, mut arrived, mut left, mut length, mut count) = (false, false, 0, 0, 0, 0);
    // Clocks in which no whole frame has been inside.
    let mut empty_for = 0;
    pins.reset(2);
    pins.set("in_waits", waits.into());
    for now in 0..clocks {
        if now % 127 == 0 {
            (offer, take) = PACES[rng.random_range(0..PACES.len())];
            longest = [1, 3, beats / 2, beats + beats / 4][rng.random_range(0..4)].max(1);
        }
        let frame = coming.get_or_insert_with(|| Coming { left: rng.random_range(1..=longest), drop: rng.random_bool(0.1) });
        if !offered && chance(&mut rng, offer) {
            offered = true;
            word = random(&mut rng, width);
        }
        let (last, ready) = (frame.left == 1, chance(&mut rng, take));
        let cut = rng.random_bool(0.004);
        pins.set("in_valid", offered.into());
        let shown = if offered { word.clone() } else { random(&mut rng, width) };
        pins.set_words("in_word", &shown);
        pins.set("in_last", if offered { last.into() } else { rng.random_range(0..2) });
        pins.set("in_drop", if offered && last { frame.drop.into() } else { rng.random_range(0..2) });
        pins.set("cut", cut.into());
        pins.set("out_ready", ready.into());
        pins.eval();

        // What became of the frame that ended a clock ago. One that is to be thrown away is no loss.
        let lost = pins.get("evt_lost") == 1;
        match ended.take() {
            Some(true) => {
                if lost {
                    return Err(format!("cycle {now}: a frame that was thrown away counts as lost"));
                }
                store.cut();
                seen.dropped += 1;
            }
            Some(false) => {
                store.end(lost).map_err(|e| format!("cycle {now}: {e}"))?;
                if lost && waits && length <= beats as u64 {
                    return Err(format!("cycle {now}: a frame of {length} beats was lost that could wait"));
                }
                if !lost {
                    arrived += length;
                    frames.push_back((arrived, length, now));
                }
                *if lost { &mut seen.lost } else { &mut seen.kept } += 1;
            }
            None if lost => return Err(format!("cycle {now}: `evt_lost` without the end of a frame")),
            None => {}
        }

        let accepts = pins.get("in_ready") == 1;
        empty_for = if store.whole() == 0 && pins.get("out_valid") == 0 { empty_for + 1 } else { 0 };
        if !waits {
            pins.check("in_ready", 1)?;
        } else if store.held() < beats || empty_for > 2 {
            // Room for sure, or nothing that will give any: the frame is too long, and goes.
            pins.check("in_ready", 1)?;
        } else if store.held() > beats && store.whole() > 1 {
            // None for sure, and whole frames that will give some.
            pins.check("in_ready", 0)?;
        }
        seen.waited += u64::from(offered && !accepts);

        // A whole frame leaves without a pause, and begins in time.
        let valid = pins.get("out_valid") == 1;
        match store.front() {
            None if valid => return Err(format!("cycle {now}: a beat of no whole frame leaves")),
            Some(front) if valid => pins.check_words("out_word", front)?,
            _ => {}
        }
        if !valid && (must_show || frames.front().is_some_and(|(_, _, since)| now >= since + 2)) {
            return Err(format!("cycle {now}: a whole frame does not leave, or pauses"));
        }
        if valid && ready {
            store.pop();
            left += 1;
            if frames.front().is_some_and(|(end, _, _)| left == *end) {
                frames.pop_front();
            }
        }
        must_show = (valid && !ready) || frames.front().is_some_and(|(end, beats, _)| left > end - beats);

        if cut {
            store.cut();
            (coming, offered, count) = (None, false, 0);
            seen.cut += 1;
        } else if offered && accepts {
            offered = false;
            store.beat(word.clone());
            count += 1;
            if let Some(frame) = coming.as_mut() {
                frame.left -= 1;
                if frame.left == 0 {
                    ended = Some(frame.drop);
                    (length, count) = (count, 0);
                    coming = None;
                }
            }
        }
        pins.clock();
        if let Some(failure) = pins.failure() {
            return Err(failure);
        }
    }
    Ok(seen)
}
