//! `IcrcCheck` and `IcrcInsert` against the golden model, which takes the CRC bit by bit: every beat that leaves is the one that must, in
//! its order.

use super::frames::{self, Case};
use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{IcrcVerdict, Reader, icrc, icrc_inserted, icrc_verdict};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Percent of clocks in which the next beat of a frame is offered, its first beat is offered, a beat is taken.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub offer: u32,
    pub begin: u32,
    pub take: u32,
}

impl Pace {
    /// Nobody waits for anybody: `in_ready` must never fall.
    pub const FULL: Pace = Pace { offer: 100, begin: 100, take: 100 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// frames without ICRC
    pub absent: u64,
    /// frames that came with the right one
    pub hold: u64,
    /// frames that came with a wrong one, or without room for it
    pub wrong: u64,
    pub beats: u64,
    /// clocks from the first beat that was taken in to the last that left
    pub clocks: u64,
    /// clocks that a beat spent inside, least and most
    pub latency: Option<(u64, u64)>,
}

/// A beat as it must leave.
struct Due {
    data: Words,
    keep: Words,
    last: bool,
    user: bool,
    first: bool,
    frame: usize,
    since: u64,
}

fn pack(bytes: &[u8], words: usize) -> Words {
    let mut packed: Words = bytes.chunks(4).map(|chunk| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect();
    packed.resize(words, 0);
    packed
}

/// A frame on its way in, and what of it must come out.
struct Entering {
    beats: VecDeque<(Words, Due)>,
    /// what the design says of it besides
    verdict: IcrcVerdict,
}

/// Where the ICRC of a frame begins that has one.
fn icrc_at(bytes: &[u8]) -> usize {
    let ip = if [[0x81, 0], [0x88, 0xa8]].iter().any(|tag| bytes[12..14] == *tag) { 18 } else { 14 };
    let length = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    ip + if bytes[ip] >> 4 == 4 { length(ip + 2) } else { 40 + length(ip + 4) } - 4
}

/// `check` is the block that finds what is wrong, and not the one that writes what is right: what that one gets has mostly an ICRC that
/// is wrong. `stale` is what earlier frames have left in the lanes.
fn entering(rng: &mut ChaCha8Rng, bytes: &[u8], frame: usize, beat: usize, check: bool, stale: &mut Vec<u8>) -> Entering {
    let verdict = icrc_verdict(bytes);
    let after = if check { bytes.to_vec() } else { icrc_inserted(bytes) };
    let mut bytes = bytes.to_vec();
    if !check && verdict == IcrcVerdict::Holds && rng.random_bool(0.9) {
        let at = icrc_at(&bytes);
        rng.fill_bytes(&mut bytes[at..at + 4]);
    }
    // A frame that fills its beats may end with one more beat that has no byte.
    let spare = bytes.is_empty() || bytes.len().is_multiple_of(beat) && rng.random_bool(0.1);
    let count = bytes.len().div_ceil(beat) + usize::from(spare);
    if stale.len() < count * beat {
        stale.resize(count * beat, 0xff);
    }
    stale[..bytes.len()].copy_from_slice(&bytes);
    let old = rng.random_bool(0.5);
    let beats = (0..count).map(|number| {
        let part = |of: &[u8]| of[of.len().min(number * beat)..of.len().min((number + 1) * beat)].to_vec();
        let before = part(&bytes);
        // What does not count is anything, and leaves as it came.
        let mut data = if old { pack(&stale[number * beat..(number + 1) * beat], beat / 4) } else { random(rng, 8 * beat) };
        let last = number + 1 == count;
        let mut place = |bytes: &[u8]| {
            for (lane, byte) in bytes.iter().enumerate() {
                let (word, shift) = (lane / 4, 8 * (lane % 4));
                data[word] = data[word] & !(0xff << shift) | u32::from(*byte) << shift;
            }
            data.clone()
        };
        let (offered, data) = (place(&before), place(&part(&after)));
        let kept: Vec<u8> = (0..beat.div_ceil(8)).map(|i| (0..8).fold(0, |k, b| k | u8::from(8 * i + b < before.len()) << b)).collect();
        // The keep of a beat that is not the last has no meaning, and goes through.
        let keep = if !last && rng.random_bool(0.05) { random(rng, beat) } else { pack(&kept, beat.div_ceil(32)) };
        let user = check && rng.random_bool(0.01);
        let wrong = check && last && verdict == IcrcVerdict::Wrong;
        (offered, Due { data, keep, last, user: user || wrong, first: number == 0, frame, since: 0 })
    });
    Entering { beats: beats.collect(), verdict }
}

/// Runs `frames` through the block after a reset.
///
/// Every clock: a beat that is offered stays until it is taken; each one that leaves has the data, the keep, the last and the `tuser`
/// that it must. A frame that comes without a pause, and whose taker does not pause, leaves without one. At [`Pace::FULL`] `in_ready`
/// never falls. The events are counted against the verdicts. # Errors The first difference.
pub fn bench(model: &mut dyn Model, frames: &[Vec<u8>], pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let check = pins.has("in_user");
    let beat = pins.width("in_data") / 8;
    pins.reset(2);
    // Room is there a clock after reset.
    pins.clock();
    let mut seen = Seen::default();
    let mut events = (0u64, 0u64);
    let mut entry = VecDeque::new();
    let mut stale = Vec::new();
    let mut due: VecDeque<Due> = VecDeque::new();
    let (mut next, mut offered, mut began, mut quiet) = (0, false, 0, 0);
    // What was offered and not taken; whether the beat before was not the last of its frame.
    let (mut held, mut inside, mut silent): (Option<Vec<u32>>, bool, u32) = (None, false, 0);
    while next < frames.len() || !entry.is_empty() || !due.is_empty() || quiet < 8 {
        let now = pins.cycle();
        let fail = |what: String| Err(format!("cycle {now}: {what}"));
        if entry.is_empty() && next < frames.len() {
            let new = entering(&mut rng, &frames[next], next, beat, check, &mut stale);
            match new.verdict {
                IcrcVerdict::Absent => seen.absent += 1,
                IcrcVerdict::Holds => seen.hold += 1,
                IcrcVerdict::Wrong => seen.wrong += 1,
            }
            (entry, next) = (new.beats, next + 1);
        }
        if let Some((data, beat)) = entry.front() {
            offered |= chance(&mut rng, if beat.first { pace.begin } else { pace.offer });
            if offered {
                pins.set_words("in_data", data);
                pins.set_words("in_keep", &beat.keep);
                pins.set("in_last", beat.last.into());
                // With the last beat the verdict is part of what is due.
                if check {
                    pins.set("in_user", (beat.user && !(beat.last && icrc_verdict(&frames[beat.frame]) == IcrcVerdict::Wrong)).into());
                }
            }
        }
        pins.set("in_valid", offered.into());
        let take = chance(&mut rng, pace.take);
        pins.set("out_ready", take.into());
        pins.eval();
        if let Some(failure) = pins.failure() {
            return fail(failure);
        }

        let valid = pins.get("out_valid") == 1;
        let mut ports = vec!["out_data", "out_keep", "out_last"];
        ports.extend(check.then_some("out_user"));
        let shows = valid.then(|| ports.iter().flat_map(|port| pins.get_words(port)).collect::<Vec<u32>>());
        if held.is_some() && held != shows {
            return fail("a beat that was offered has changed".into());
        }
        held = shows.filter(|_| !take);
        if inside && !valid && pace.offer == 100 && pace.take == 100 {
            return fail("a frame that came without a pause leaves with one".into());
        }
        if valid && take {
            let Some(beat) = due.pop_front() else { return fail("a beat that nobody has sent".into()) };
            let named = |what: String| format!("{what}; frame {}: {:02x?}", beat.frame, frames[beat.frame]);
            pins.check_words("out_data", &beat.data).map_err(named)?;
            pins.check_words("out_keep", &beat.keep).map_err(named)?;
            pins.check("out_last", beat.last.into()).map_err(named)?;
            if check {
                pins.check("out_user", beat.user.into()).map_err(named)?;
            }
            inside = !beat.last;
            seen.beats += 1;
            seen.clocks = now + 1 - began;
            let spent = now - beat.since;
            let (least, most) = seen.latency.unwrap_or((spent, spent));
            seen.latency = Some((least.min(spent), most.max(spent)));
        }
        if check {
            let (good, bad) = (pins.get("evt_good"), pins.get("evt_bad"));
            events = (events.0 + good, events.1 + bad);
        }
        let ready = pins.get("in_ready") == 1;
        if !ready && pace.offer == 100 && pace.begin == 100 && pace.take == 100 {
            return fail("`in_ready` falls although nothing stalls".into());
        }
        silent = if offered && ready || take && valid { 0 } else { silent + 1 };
        if silent > 5000 {
            return fail("nothing moves".into());
        }
        if offered && ready {
            let (_, mut beat) = entry.pop_front().unwrap_or_else(|| unreachable!("a beat is offered"));
            beat.since = now;
            if seen.beats == 0 && due.is_empty() {
                began = now;
            }
            due.push_back(beat);
            offered = false;
        }
        quiet = if due.is_empty() && entry.is_empty() { quiet + 1 } else { 0 };
        if due.len() > 64 {
            return fail("more beats are inside than there are places".into());
        }
        pins.clock();
    }
    if check && events != (seen.hold, seen.wrong) {
        return Err(format!("evt_good, evt_bad were high in {events:?} clocks, expected {:?}", (seen.hold, seen.wrong)));
    }
    Ok(seen)
}

/// Leaves a block in the middle of what it does: some beats of `frames` in it, and its output stalled.
pub fn leave_in_the_middle(model: &mut dyn Model, frames: &[Vec<u8>], clocks: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let beat = pins.width("in_data") / 8;
    let check = pins.has("in_user");
    pins.reset(1);
    let mut stale = Vec::new();
    let mut beats = frames.iter().flat_map(|bytes| entering(&mut rng, bytes, 0, beat, check, &mut stale).beats);
    for _ in 0..clocks {
        let Some((data, due)) = beats.next() else { return };
        pins.set("in_valid", 1);
        pins.set_words("in_data", &data);
        pins.set_words("in_keep", &due.keep);
        pins.set("in_last", due.last.into());
        pins.clock();
    }
}

/// How a frame begins: behind a tag or not, IPv4 with words of header, or IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// type of the tag, if there is one
    pub tag: Option<u16>,
    /// words of four bytes of an IPv4 header, 5 to 15; none: IPv6
    pub words: Option<u8>,
}

impl Form {
    /// Every one of them.
    pub fn all() -> Vec<Form> {
        let words = (5..=15).map(Some).chain([None]);
        words.flat_map(|words| [None, Some(0x8100), Some(0x88a8)].map(|tag| Form { tag, words })).collect()
    }

    fn ip(self) -> usize {
        14 + if self.tag.is_some() { 4 } else { 0 }
    }

    fn header(self) -> usize {
        self.words.map_or(40, |words| 4 * usize::from(words))
    }

    /// Bytes of the shortest frame with an ICRC.
    pub fn least(self) -> usize {
        self.ip() + self.header() + 8 + 12 + 4
    }

    /// A frame of RoCEv2 whose IP packet ends after `end` bytes, `padding` bytes behind it. What no block looks at is anything, and so is
    /// the ICRC.
    pub fn frame(self, rng: &mut ChaCha8Rng, end: usize, padding: usize) -> Vec<u8> {
        let mut bytes = vec![0; end + padding];
        rng.fill_bytes(&mut bytes);
        let mut put = |at: usize, value: &[u8]| {
            if let Some(place) = bytes.get_mut(at..at + value.len()) {
                place.copy_from_slice(value);
            }
        };
        let ip = self.ip();
        if let Some(tag) = self.tag {
            put(12, &tag.to_be_bytes());
        }
        let packet = end - ip;
        if let Some(words) = self.words {
            put(ip - 2, &[8, 0]);
            put(ip, &[0x40 | words]);
            put(ip + 2, &(packet as u16).to_be_bytes());
            // no fragment; UDP
            put(ip + 6, &[0x40, 0]);
            put(ip + 9, &[17]);
        } else {
            put(ip - 2, &[0x86, 0xdd]);
            put(ip, &[0x60 | rng.random_range(0..16u8)]);
            put(ip + 4, &((packet - 40) as u16).to_be_bytes());
            put(ip + 6, &[17]);
        }
        put(ip + self.header() + 2, &[0x12, 0xb7]);
        bytes
    }
}

/// A frame of any form whose ICRC holds; its IP packet ends after `end` bytes, where there is a form so short.
pub fn good(rng: &mut ChaCha8Rng, end: usize, padding: usize) -> Vec<u8> {
    let forms: Vec<Form> = Form::all().into_iter().filter(|form| form.least() <= end).collect();
    if forms.is_empty() {
        let mut bytes = vec![0; end + padding];
        rng.fill_bytes(&mut bytes);
        return bytes;
    }
    let form = forms[rng.random_range(0..forms.len())];
    icrc_inserted(&form.frame(rng, end, padding))
}

/// `count` frames of every kind: good ones, ones with a wrong ICRC, ones that somebody has been at, and what is no RoCEv2.
pub fn mixture(rng: &mut ChaCha8Rng, beat: usize, count: usize) -> Vec<Vec<u8>> {
    let mut cases = frames::mixture(rng, &Reader::registry(), beat, count / 2, 40).into_iter().map(|Case { bytes, .. }| bytes);
    (0..count)
        .map(|_| {
            let longest = if rng.random_bool(0.02) { 4400 } else { 60 + 6 * beat.min(64) };
            let end = rng.random_range(58..longest);
            let padding = if rng.random_bool(0.3) { rng.random_range(0..2 * beat) } else { 0 };
            let mut bytes = good(rng, end, padding);
            match rng.random_range(0..8) {
                // one bit, some bytes in a row
                0 => {
                    let at = rng.random_range(0..bytes.len());
                    bytes[at] ^= 1 << rng.random_range(0..8);
                }
                1 => {
                    let at = rng.random_range(0..bytes.len());
                    let many = rng.random_range(1..9);
                    bytes[at..].iter_mut().take(many).for_each(|byte| *byte = rng.random());
                }
                2 => bytes.truncate(rng.random_range(0..=bytes.len())),
                3 | 4 => bytes = cases.next().unwrap_or(bytes),
                _ => {}
            }
            bytes
        })
        .collect()
}

/// Frames of each length in `lengths`, with a wrong one after every seventh.
pub fn every_length(rng: &mut ChaCha8Rng, lengths: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
    let one = |length: usize| {
        let mut bytes = good(rng, length, 0);
        if length % 7 == 6 {
            let at = rng.random_range(length * 3 / 4..length);
            bytes[at] ^= 0x10;
        }
        bytes
    };
    lengths.map(one).collect()
}

/// Every form with its IP packet ending in every lane, and in each distance from the end of the frame up to a beat and a half.
pub fn every_form_and_end(rng: &mut ChaCha8Rng, beat: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for form in Form::all() {
        for more in 0..beat.min(64) + 4 {
            let padding = if more % 3 == 0 { rng.random_range(0..beat * 3 / 2) } else { 0 };
            all.push(icrc_inserted(&form.frame(rng, form.least() + more, padding)));
        }
        // no room for BTH and ICRC: the packet ends too early
        for less in 1..=24 {
            let padding = less + rng.random_range(0..40usize);
            let mut bytes = form.frame(rng, form.least() - less, padding);
            // The CRC may be right all the same.
            if less <= 7 {
                let at = form.least() - less - 4;
                let crc = icrc(&bytes[form.ip()..at], form.header());
                bytes[at..at + 4].copy_from_slice(&crc.to_le_bytes());
            }
            all.push(bytes);
        }
    }
    all
}

/// The frame with each of its bits the other way, one at a time.
pub fn every_bit(frame: &[u8]) -> Vec<Vec<u8>> {
    let turned = |bit: usize| {
        let mut bytes = frame.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    (0..8 * frame.len()).map(turned).collect()
}

/// The frame, and cut after each of its bytes.
pub fn every_cut(frame: &[u8]) -> Vec<Vec<u8>> {
    (0..=frame.len()).rev().map(|length| frame[..length].to_vec()).collect()
}
