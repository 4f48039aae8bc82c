//! `FrameParser` against the golden model's reader: every frame's verdict in order, every field, every byte of payload.

use super::expect::{self, Expected};
use super::frames::Case;
use crate::pins::{chance, random};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{Frame, FrameError, Reader, parse_judged};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// Percent of clocks in which a beat is offered, payload is taken, a header is taken.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub offer: u32,
    pub payload: u32,
    pub header: u32,
}

impl Pace {
    /// Nobody waits for anybody: `in_ready` must never fall.
    pub const FULL: Pace = Pace { offer: 100, payload: 100, header: 100 };
}

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// frames by verdict: `good`, or the reason
    pub verdicts: BTreeMap<String, u64>,
    /// beats in
    pub beats: u64,
    /// payloads that ended with `payload_drop`
    pub dropped_payloads: u64,
    /// clocks from the last beat of a good frame to its header, least and most
    pub header_latency: Option<(u64, u64)>,
    /// clocks from the last beat of a good frame to the last of its payload, least and most
    pub payload_latency: Option<(u64, u64)>,
}

impl Seen {
    /// Frames with this verdict.
    pub fn count(&self, verdict: &str) -> u64 {
        self.verdicts.get(verdict).copied().unwrap_or(0)
    }
}

const EVENTS: [&str; 10] =
    ["good", "not_rocev2", "truncated", "bad_version", "bad_opcode", "bad_pad", "bad_length", "bad_icrc", "bad_extension", "unknown_qp"];

/// The ports of a beat that is offered.
type Shown = Vec<Vec<u32>>;

/// What is still to come of a good frame.
struct Good {
    frame: usize,
    header: Vec<Expected>,
    leading: Vec<(&'static str, usize, Vec<u8>)>,
}

struct Ports {
    in_valid: usize,
    in_ready: usize,
    in_data: usize,
    in_keep: usize,
    in_last: usize,
    in_crc_ok: usize,
    payload: [usize; 4],
    payload_valid: usize,
    payload_ready: usize,
    header: Vec<usize>,
    header_valid: usize,
    header_ready: usize,
    events: [usize; 10],
}

fn ports(model: &dyn Model) -> Ports {
    let port = |name: &str| model.port(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"));
    let header = model.ports().iter().enumerate().filter(|(_, p)| p.name.starts_with("header_") && !p.name.ends_with("_ready"));
    Ports {
        in_valid: port("in_valid"),
        in_ready: port("in_ready"),
        in_data: port("in_data"),
        in_keep: port("in_keep"),
        in_last: port("in_last"),
        in_crc_ok: port("in_crc_ok"),
        payload: ["payload_data", "payload_keep", "payload_last", "payload_drop"].map(port),
        payload_valid: port("payload_valid"),
        payload_ready: port("payload_ready"),
        header: header.map(|(at, _)| at).collect(),
        header_valid: port("header_valid"),
        header_ready: port("header_ready"),
        events: EVENTS.map(|name| port(&format!("evt_{name}"))),
    }
}

fn words(model: &dyn Model, port: usize) -> Vec<u32> {
    let mut words = vec![0; model.ports()[port].words()];
    model.peek(port, &mut words);
    words
}

fn pack(bytes: &[u8], words: usize) -> Vec<u32> {
    let mut packed: Vec<u32> =
        bytes.chunks(4).map(|chunk| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect();
    packed.resize(words, 0);
    packed
}

/// Sets the queue-pair list of a model, and everything else of it to its state after reset.
pub fn reset(model: &mut dyn Model, reader: &Reader) {
    let port = |model: &dyn Model, name: &str| model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
    for name in ["in_valid", "payload_ready", "header_ready", "cfg_qp_write"] {
        let at = port(model, name);
        model.poke_u64(at, 0);
    }
    let rst = port(model, "rst");
    model.poke_u64(rst, 1);
    model.clock();
    model.poke_u64(rst, 0);
    let [write, index, number, valid] = ["cfg_qp_write", "cfg_qp_index", "cfg_qp_number", "cfg_qp_valid"].map(|name| port(model, name));
    // Places from the last on, so that none is there by chance of its number.
    for (i, qp) in reader.queue_pairs.iter().enumerate() {
        model.poke_u64(write, 1);
        model.poke_u64(index, 7 - i as u64);
        model.poke_u64(number, u64::from(*qp));
        model.poke_u64(valid, 1);
        model.clock();
    }
    model.poke_u64(write, 0);
    // The list counts for look-ups that begin after it.
    model.clock();
    model.eval();
}

/// Runs all `cases` through the parser.
///
/// Every clock: an offered beat or header stays until it is taken, at most one event, and verdicts in the order of the frames. Every good
/// frame: its fields, and its payload byte by byte. At [`Pace::FULL`]: `in_ready` never falls.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, reader: &Reader, cases: &[Case], pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let at = ports(model);
    let width = model.ports()[at.in_data].width;
    let beat = width / 8;
    reset(model, reader);
    let mut seen = Seen::default();
    let mut verdicts: VecDeque<(usize, Option<FrameError>)> = VecDeque::new();
    let mut headers: VecDeque<Good> = VecDeque::new();
    let mut payloads: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
    let mut ended: BTreeMap<usize, u64> = BTreeMap::new();
    let mut payload: Vec<u8> = Vec::new();
    let (mut held_payload, mut held_header): (Option<Shown>, Option<Shown>) = (None, None);
    let (mut next, mut place, mut spare) = (0, 0, false);
    let mut offered = false;
    let mut quiet = 0;
    let named = |frame: usize| format!("frame {frame} ({:02x?}, CRC {})", cases[frame].bytes, cases[frame].crc_ok);
    let place_of = |cycle: u64, what: String| format!("cycle {cycle}: {what}");
    // The end of a payload that is dropped may be there for longer than it is quiet, where few are taken.
    while next < cases.len() || !verdicts.is_empty() || !headers.is_empty() || !payloads.is_empty() || !payload.is_empty() || quiet < 40 {
        let now = model.cycle();
        let fail = |what: String| Err(place_of(now, what));
        if !offered && next < cases.len() && chance(&mut rng, pace.offer) {
            offered = true;
            // A frame that fills its beats may end with one more beat that has no byte.
            spare = place == 0 && chance(&mut rng, 25) || place > 0 && spare;
        }
        model.poke_u64(at.in_valid, offered.into());
        let length = if offered { cases[next].bytes.len() } else { 0 };
        let last = offered && if spare && length % beat == 0 { place >= length } else { place + beat >= length };
        if offered {
            let bytes = &cases[next].bytes;
            let part = &bytes[place.min(bytes.len())..bytes.len().min(place + beat)];
            // What does not count is anything.
            let mut data = random(&mut rng, width);
            let whole = pack(part, width / 32);
            for (i, word) in data.iter_mut().enumerate() {
                let held = part.len().saturating_sub(4 * i).min(4) as u32;
                let mask = if held == 4 { u32::MAX } else { (1 << (8 * held)) - 1 };
                *word = *word & !mask | whole[i] & mask;
            }
            model.poke(at.in_data, &data);
            let keep: Vec<u8> = (0..beat.div_ceil(8)).map(|i| (0..8).fold(0, |k, b| k | u8::from(8 * i + b < part.len()) << b)).collect();
            model.poke(at.in_keep, &pack(&keep, beat.div_ceil(32)));
            model.poke_u64(at.in_last, last.into());
            model.poke_u64(at.in_crc_ok, if last { cases[next].crc_ok } else { chance(&mut rng, 50) }.into());
        }
        let (take_payload, take_header) = (chance(&mut rng, pace.payload), chance(&mut rng, pace.header));
        model.poke_u64(at.payload_ready, take_payload.into());
        model.poke_u64(at.header_ready, take_header.into());
        model.eval();
        let ready = model.peek_u64(at.in_ready) == 1;
        // The first clock after reset may say no.
        if pace.offer == 100 && pace.payload == 100 && pace.header == 100 && !ready && next > 0 {
            return fail(format!("`in_ready` falls at {} although nothing stalls", named(next.min(cases.len() - 1))));
        }

        let events: Vec<usize> = (0..EVENTS.len()).filter(|&i| model.peek_u64(at.events[i]) == 1).collect();
        if events.len() > 1 {
            return fail(format!("{} events at once", events.len()));
        }
        if let Some(&event) = events.first() {
            let Some((frame, expected)) = verdicts.pop_front() else { return fail(format!("evt_{} without a frame", EVENTS[event])) };
            let expected = expected.map_or("good".to_string(), |reason| reason.to_string());
            if expected != EVENTS[event] {
                return fail(format!("{} is `{}`, expected `{expected}`", named(frame), EVENTS[event]));
            }
            *seen.verdicts.entry(expected).or_default() += 1;
        }

        let shows_payload = model.peek_u64(at.payload_valid) == 1;
        let beat_now = shows_payload.then(|| at.payload.map(|port| words(model, port)).to_vec());
        if held_payload.is_some() && beat_now != held_payload {
            return fail("a payload beat that was offered has changed".to_string());
        }
        held_payload = beat_now.clone().filter(|_| !take_payload);
        if let (true, Some(beat_now)) = (take_payload, beat_now) {
            let count = beat_now[1].iter().map(|word| word.count_ones()).sum::<u32>() as usize;
            let (ends, drops) = (beat_now[2][0] == 1, beat_now[3][0] == 1);
            let contiguous = (0..beat).all(|i| (beat_now[1][i / 32] >> (i % 32) & 1 == 1) == (i < count));
            if !contiguous || count == 0 || (!ends && count != beat) || (!ends && drops) {
                return fail(format!("a payload beat of {count} of {beat} bytes, last {ends}, drop {drops}"));
            }
            payload.extend((0..count).map(|i| (beat_now[0][i / 4] >> (8 * (i % 4))) as u8));
            if ends && drops {
                seen.dropped_payloads += 1;
                payload.clear();
            } else if ends {
                let Some((frame, expected)) = payloads.pop_front() else { return fail("a payload without a frame".to_string()) };
                if payload != expected {
                    return fail(format!("payload of {} is {payload:02x?}", named(frame)));
                }
                payload.clear();
                let latency = now - ended[&frame];
                let (least, most) = seen.payload_latency.unwrap_or((latency, latency));
                seen.payload_latency = Some((least.min(latency), most.max(latency)));
            }
        }

        let shows_header = model.peek_u64(at.header_valid) == 1;
        let fields = shows_header.then(|| at.header.iter().map(|&port| words(model, port)).collect::<Vec<_>>());
        if held_header.is_some() && fields != held_header {
            return fail("a header that was offered has changed".to_string());
        }
        held_header = fields.clone().filter(|_| !take_header);
        if shows_header && take_header {
            let Some(good) = headers.pop_front() else { return fail("a header without a frame".to_string()) };
            for (name, value) in &good.header {
                let port = model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
                let found = words(model, port);
                if found != *value {
                    return fail(format!("`{name}` of {} is {found:x?}, expected {value:x?}", named(good.frame)));
                }
            }
            for (name, width, value) in &good.leading {
                let port = model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
                let found = words(model, port);
                if !expect::begins_with(&found, *width, value) {
                    return fail(format!("`{name}` of {} is {found:x?}, expected to begin with {value:02x?}", named(good.frame)));
                }
            }
            let latency = now - ended[&good.frame];
            let (least, most) = seen.header_latency.unwrap_or((latency, latency));
            seen.header_latency = Some((least.min(latency), most.max(latency)));
        }

        if offered && ready {
            seen.beats += 1;
            place += beat;
            offered = false;
            if last {
                let verdict = parse_judged(&cases[next].bytes, cases[next].crc_ok, reader);
                ended.insert(next, now);
                if let Ok(frame) = &verdict {
                    expects(&mut headers, &mut payloads, next, frame, &cases[next].bytes);
                }
                verdicts.push_back((next, verdict.err()));
                (next, place) = (next + 1, 0);
            }
        }
        model.clock();
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        let stuck = 4000 + 200 * u64::from(pace.offer < 20 || pace.payload < 20 || pace.header < 20);
        quiet = if ready && next < cases.len() || shows_payload && take_payload || shows_header && take_header { 0 } else { quiet + 1 };
        if quiet > stuck {
            let begun = payload.len();
            return fail(format!("nothing moves any more, at {}; {begun} bytes of a payload are there", named(next.min(cases.len() - 1))));
        }
    }
    Ok(seen)
}

/// Frames until `clocks` are over, in the middle of whatever is under way; for what a reset must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, cases: &[Case], clocks: u64) {
    let at = ports(model);
    let width = model.ports()[at.in_data].width;
    let beats = cases.iter().flat_map(|case| {
        let count = case.bytes.chunks(width / 8).count();
        case.bytes.chunks(width / 8).enumerate().map(move |(i, beat)| (beat, i + 1 == count))
    });
    model.poke_u64(at.payload_ready, 0);
    model.poke_u64(at.header_ready, 0);
    for (beat, last) in beats.take(clocks as usize) {
        model.poke_u64(at.in_valid, 1);
        model.poke(at.in_data, &pack(beat, width / 32));
        let ones = vec![u32::MAX; model.ports()[at.in_keep].words()];
        model.poke(at.in_keep, &ones);
        model.poke_u64(at.in_last, last.into());
        model.poke_u64(at.in_crc_ok, 1);
        model.clock();
    }
}

fn expects(headers: &mut VecDeque<Good>, payloads: &mut VecDeque<(usize, Vec<u8>)>, number: usize, frame: &Frame, bytes: &[u8]) {
    headers.push_back(Good { frame: number, header: expect::header(frame), leading: expect::leading(frame, bytes) });
    if !frame.payload.is_empty() {
        payloads.push_back((number, frame.payload.clone()));
    }
}
