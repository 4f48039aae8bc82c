//! `DepotFrames` held to plain lists of frames: what leaves is what was sent, byte by byte and in the order of the steps, whatever places
//! the pools give out.
//! `DepotMemory`, its memory, has none of its own.

use crate::pins::{Pins, Words, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

const CAME: u64 = 0;
const HELD: u64 = 1;
const COPY: u64 = 2;
const NONE: u64 = 3;
/// Steps that may be under way with orders of the pools.
const TICKETS: usize = 8;
/// Clocks for which steps still come after `room` has fallen.
const UNDER_WAY: usize = 12;
/// Clocks from a step to the first one in which its places may be given out, and from a place to a step of it.
const ORDER: u64 = 3;

/// How a run goes: percents of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// with a beat
    pub offer: u32,
    /// in which the output takes a beat
    pub take: u32,
    /// with a step
    pub steps: u32,
    /// in which a place is given out
    pub places: u32,
    /// of the frames: longer than a slot, or bad
    pub bad: u32,
    /// of the frames that come: at once on
    pub pass: u32,
    /// in which a frame that has come is taken
    pub stored: u32,
    /// bytes of a frame, 0: any length
    pub bytes: usize,
}

impl Mix {
    pub const PLAIN: Mix = Mix { offer: 80, take: 80, steps: 50, places: 50, bad: 10, pass: 10, stored: 80, bytes: 0 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub sent: u64,
    pub dropped: u64,
    pub held: u64,
    pub copied: u64,
    pub uncopied: u64,
    pub replayed: u64,
    pub flushed: u64,
    pub long: u64,
    pub bad: u64,
    /// clocks in which a beat was offered and not taken
    pub stalled: u64,
    /// clocks without room
    pub crowded: u64,
    /// least clocks from the last beat to `stored`, and from a step to its first beat
    pub stored: Option<u64>,
    pub first: Option<u64>,
    pub clocks: u64,
    /// beats that came
    pub beats: u64,
}

/// A pool: where frames lie, and what waits for a place.
#[derive(Default)]
struct Pool {
    /// place: frame, and the clock of it
    at: BTreeMap<u64, (usize, u64)>,
    /// places that are free since a clock
    free: Vec<(u64, u64)>,
    /// frame and clock of the step
    waits: VecDeque<(usize, u64)>,
}

impl Pool {
    fn give(&mut self, rng: &mut ChaCha8Rng, clock: u64) -> Option<(usize, u64)> {
        let &(frame, since) = self.waits.front()?;
        let free: Vec<usize> = (0..self.free.len()).filter(|&at| clock >= self.free[at].1 + ORDER).collect();
        if clock < since + ORDER || free.is_empty() {
            return None;
        }
        // The one that was free last, or any.
        let at = if rng.random_bool(0.7) { free[free.len() - 1] } else { free[rng.random_range(0..free.len())] };
        let (place, _) = self.free.remove(at);
        self.waits.pop_front();
        self.at.insert(place, (frame, clock));
        Some((frame, place))
    }

    /// A place whose frame lies there for a while.
    fn any(&self, rng: &mut ChaCha8Rng, clock: u64) -> Option<u64> {
        let ready: Vec<u64> = self.at.iter().filter(|(_, (_, since))| clock >= since + 2 * ORDER).map(|(&place, _)| place).collect();
        (!ready.is_empty()).then(|| ready[rng.random_range(0..ready.len())])
    }

    fn leave(&mut self, place: u64, clock: u64) -> usize {
        self.free.push((place, clock));
        self.at.remove(&place).map_or(0, |(frame, _)| frame)
    }
}

struct Frame {
    bytes: Vec<u8>,
    bad: bool,
    ended: u64,
}

/// A beat that begins with these bytes.
pub(super) fn words(bytes: &[u8], beat: usize) -> Words {
    let mut padded = bytes.to_vec();
    padded.resize(beat, 0);
    padded.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// As many bytes of a beat.
pub(super) fn keep(bytes: usize, beat: usize) -> Words {
    (0..beat.div_ceil(32)).map(|word| (0..32).filter(|bit| word * 32 + bit < bytes).fold(0, |mask, bit| mask | 1 << bit)).collect()
}

/// `count` frames of a block with slots of `slot` bytes.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, slot: usize, count: usize, mix: Mix, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let places = 1u64 << pins.width("held_at");
    let beat = pins.width("in_data") / 8;
    pins.reset(2);
    pins.until_ready(places + 2)?;
    let began = pins.cycle();
    let (mut held, mut copies) = (Pool::default(), Pool::default());
    for pool in [&mut held, &mut copies] {
        pool.free = (0..places).map(|place| (place, 0)).collect();
    }
    let mut frames: Vec<Frame> = Vec::new();
    let mut seen = Seen::default();
    let mut at = 0;
    let mut offered = false;
    // Frames that are stored: of the bench, then with their slot.
    let mut stored: VecDeque<usize> = VecDeque::new();
    let mut came: VecDeque<(usize, u64)> = VecDeque::new();
    let mut told: VecDeque<(u64, u64)> = VecDeque::new();
    // Frames that leave: number and clock of the step.
    let mut leaving: VecDeque<(usize, u64)> = VecDeque::new();
    let mut leaves_at = 0;
    let mut shown: Option<(Words, Words, u64)> = None;
    let mut room: VecDeque<bool> = VecDeque::new();
    let mut ending = false;
    let mut long = 0;
    let mut moved = began;
    loop {
        let clock = pins.cycle();
        let about = format!("cycle {clock}");
        if frames.is_empty() || (at == frames[frames.len() - 1].bytes.len() && frames.len() < count) {
            let longer = chance(&mut rng, mix.bad);
            let length = match rng.random_range(0..4) {
                _ if mix.bytes != 0 => mix.bytes,
                0 => rng.random_range(60..=slot.min(120)),
                1 => slot,
                2 if longer => rng.random_range(slot + 1..slot + 300),
                _ => rng.random_range(1..=slot),
            };
            let mut bytes = vec![0; length];
            rng.fill(bytes.as_mut_slice());
            frames.push(Frame { bytes, bad: chance(&mut rng, mix.bad), ended: 0 });
            at = 0;
        }
        let number = frames.len() - 1;
        let rest = frames[number].bytes.len() - at;
        offered = rest > 0 && (offered || chance(&mut rng, mix.offer));
        pins.set("in_valid", offered.into());
        let last = rest <= beat;
        if offered {
            let now = rest.min(beat);
            pins.set_words("in_data", &words(&frames[number].bytes[at..at + now], beat));
            pins.set_words("in_keep", &keep(if last { now } else { rng.random_range(0..=beat) }, beat));
            pins.set("in_last", last.into());
            pins.set("in_bad", (last && frames[number].bad).into());
        }
        let takes_stored = chance(&mut rng, mix.stored);
        pins.set("stored_ready", takes_stored.into());

        // A step.
        let may = room.len() < UNDER_WAY || room.iter().any(|&room| room);
        let tickets = held.waits.len() + copies.waits.len() < TICKETS;
        let mut step: Option<(u64, u64, bool, bool, bool, usize)> = None;
        if may && chance(&mut rng, mix.steps) {
            let pick = rng.random_range(0..100);
            if pick < mix.pass || ending && !came.is_empty() {
                step = came.pop_front().map(|(frame, slot)| (CAME, slot, true, false, false, frame));
            } else if tickets && pick < 80 {
                let copy = rng.random_bool(0.7);
                step = match rng.random_range(0..8) {
                    0 => came.pop_front().map(|(frame, slot)| (CAME, slot, false, false, false, frame)),
                    1 | 2 => came.pop_front().map(|(frame, slot)| (CAME, slot, true, false, copy, frame)),
                    3 | 4 if held.waits.len() < held.free.len() => {
                        came.pop_front().map(|(frame, slot)| (CAME, slot, false, true, false, frame))
                    }
                    _ => held.any(&mut rng, clock).map(|place| (HELD, place, true, false, copy, held.leave(place, clock))),
                };
            } else if pick < 95 {
                step = copies.any(&mut rng, clock).map(|place| (COPY, place, true, false, false, copies.at[&place].0));
            } else {
                step = Some((NONE, rng.random_range(0..places), rng.random(), rng.random(), rng.random(), 0));
            }
        }
        pins.set("step", step.is_some().into());
        if let Some((from, whose, send, hold, copy, frame)) = step {
            for (name, value) in [("step_from", from), ("send", send.into()), ("hold", hold.into()), ("copy", copy.into())] {
                pins.set(name, value);
            }
            let junk = rng.random_range(0..places);
            pins.set("step_slot", if from == CAME { whose } else { junk });
            pins.set("step_place", if from == HELD || from == COPY { whose } else { junk });
            if from != NONE {
                told.push_back((clock + 2, if send { frames[frame].bytes.len() as u64 } else { 0 }));
                if send {
                    leaving.push_back((frame, clock));
                    seen.replayed += u64::from(from == COPY);
                }
                if hold {
                    held.waits.push_back((frame, clock));
                }
                if copy {
                    copies.waits.push_back((frame, clock));
                }
                seen.dropped += u64::from(!send && !hold);
            }
        }

        // Places, and what the pools forget.
        let given = if chance(&mut rng, mix.places) { held.give(&mut rng, clock) } else { None };
        pins.set("held", given.is_some().into());
        pins.set("held_at", given.map_or_else(|| rng.random_range(0..places), |(_, place)| place));
        seen.held += u64::from(given.is_some());
        let refused = chance(&mut rng, 10) && copies.waits.front().is_some_and(|&(_, since)| clock >= since + ORDER);
        let given = if !refused && chance(&mut rng, mix.places) { copies.give(&mut rng, clock) } else { None };
        if refused {
            copies.waits.pop_front();
        }
        pins.set("uncopied", refused.into());
        pins.set("kept", given.is_some().into());
        pins.set("kept_at", given.map_or_else(|| rng.random_range(0..places), |(_, place)| place));
        seen.copied += u64::from(given.is_some());
        seen.uncopied += u64::from(refused);
        for pool in [&mut held, &mut copies] {
            let often = if pool.free.len() < 4 { 30 } else { 2 };
            if let Some(place) = pool.any(&mut rng, clock).filter(|_| chance(&mut rng, often)) {
                pool.leave(place, clock);
                seen.flushed += 1;
            }
        }
        let takes = chance(&mut rng, mix.take);
        pins.set("out_ready", takes.into());
        pins.eval();

        // What comes.
        if offered && pins.get("in_ready") == 1 {
            at += rest.min(beat);
            offered = false;
            seen.beats += 1;
            moved = clock;
            if last {
                frames[number].ended = clock;
                stored.push_back(number);
            }
        } else {
            seen.stalled += u64::from(offered);
        }
        if pins.get("stored_valid") == 1 && takes_stored {
            let frame = stored.pop_front().ok_or_else(|| format!("{about}: a frame is stored that has not come"))?;
            let Frame { bytes, bad, ended } = &frames[frame];
            if *ended >= clock {
                return Err(format!("{about}: frame {frame} is stored, its last beat came in {ended}"));
            }
            let unfit = *bad || bytes.len() > slot;
            pins.check("stored_bad", unfit.into())?;
            if unfit {
                seen.bad += u64::from(*bad);
                long += u64::from(!*bad);
            } else {
                came.push_back((frame, pins.get("stored_slot")));
            }
            seen.stored = Some(seen.stored.map_or(clock - ended, |least| least.min(clock - ended)));
        }
        seen.long += pins.get("evt_long");

        // What is told and what leaves.
        let due = told.front().copied().filter(|(at, _)| *at == clock);
        pins.check("told", due.is_some().into())?;
        if let Some((_, bytes)) = due {
            pins.check("told_bytes", bytes)?;
            told.pop_front();
        }
        if pins.get("out_valid") == 1 {
            let now = (pins.get_words("out_data"), pins.get_words("out_keep"), pins.get("out_last"));
            if shown.as_ref().is_some_and(|shown| *shown != now) {
                return Err(format!("{about}: a beat changes that was not taken"));
            }
            if takes {
                let &(frame, since) = leaving.front().ok_or_else(|| format!("{about}: a beat leaves that nobody has sent"))?;
                let rest = &frames[frame].bytes[leaves_at..];
                let part = rest.len().min(beat);
                let mut found = now.0.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
                found.truncate(part);
                if found != rest[..part] || now.1 != keep(part, beat) || (now.2 == 1) != (rest.len() <= beat) {
                    return Err(format!("{about}: byte {leaves_at} of frame {frame}: {found:x?}, keep {:x?}, last {}", now.1, now.2));
                }
                if leaves_at == 0 {
                    seen.first = Some(seen.first.map_or(clock - since, |least| least.min(clock - since)));
                }
                leaves_at += part;
                moved = clock;
                if now.2 == 1 {
                    leaving.pop_front();
                    leaves_at = 0;
                    seen.sent += 1;
                }
                shown = None;
            } else {
                shown = Some(now);
            }
        } else if shown.is_some() {
            return Err(format!("{about}: a beat is not offered any more that was not taken"));
        }
        room.push_back(pins.get("room") == 1);
        seen.crowded += u64::from(pins.get("room") == 0);
        if room.len() > UNDER_WAY {
            room.pop_front();
        }
        ending = frames.len() == count && at == frames[count - 1].bytes.len();
        let quiet = held.waits.is_empty() && copies.waits.is_empty() && leaving.is_empty() && told.is_empty();
        if ending && stored.is_empty() && came.is_empty() && quiet {
            break;
        }
        if clock > moved + 6000 {
            return Err(format!("{about}: nothing moves any more"));
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    if seen.long != long {
        return Err(format!("{} frames are counted that were too long, expected {long}", seen.long));
    }
    seen.clocks = pins.cycle() - began;
    Ok(seen)
}
