//! `PacketBuffer` against the golden slots: every packet in order with its fields, every byte of its payload read back before it is freed,
//! and no slot with two packets.

use super::Ports;
use crate::pins::{chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::memory::{Fate, Frame, Slots};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// A frame as the parser tells of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub frame: Frame,
    /// its payload ends with `payload_drop`, and it has no header
    pub dropped: bool,
}

/// How a run goes: percents of clocks, and clocks that a slot is held at most.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub payload: u32,
    pub header: u32,
    pub packet: u32,
    pub hold: u64,
}

impl Pace {
    /// Nobody waits for anybody.
    pub const FULL: Pace = Pace { payload: 100, header: 100, packet: 100, hold: 8 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub packets: u64,
    pub no_slot: u64,
    pub foreign: u64,
    /// most slots held at once
    pub held: usize,
    /// clocks in which a beat was offered and not taken
    pub stalled: u64,
    /// beats of payload
    pub beats: u64,
    pub cycles: u64,
    /// clocks from a header and the last beat of its payload to its packet, least and most
    pub latency: Option<(u64, u64)>,
}

/// Clocks after which a slot that came back can be used again.
const BACK: u64 = 6;

/// A field's value that follows from the number of its frame, so that a mix-up shows.
fn field(frame: usize, salt: u64, bits: u32) -> u64 {
    let mixed = (frame as u64 ^ salt << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29) >> (64 - bits)
}

const FIELDS: [(&str, u32); 7] = [("src", 16), ("op", 16), ("addr", 64), ("op_bytes", 32), ("count", 16), ("rkey", 32), ("imm_valid", 1)];

/// Packets that have a slot: to be read, and then to come back.
struct Held {
    frame: usize,
    slot: u32,
    free_at: u64,
    beats_read: usize,
    beats_seen: usize,
}

/// Frames with payloads up to `most` bytes, some longer, some dropped, some not for the registry, some empty.
pub fn mixture(rng: &mut ChaCha8Rng, most: usize, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for _ in 0..count {
        let bytes = match rng.random_range(0..10) {
            0 => 0,
            1 => 1,
            2..=4 => rng.random_range(1..=most),
            5 => rng.random_range(most..=2 * most),
            6 => rng.random_range(1..=80.min(most)),
            _ => most,
        };
        let mut payload = vec![0; bytes];
        rng.fill(payload.as_mut_slice());
        let registry = rng.random_range(0..10) > 0;
        let kind = if rng.random_range(0..8) == 0 { rng.random_range(2..4) } else { rng.random_range(0..2) };
        let dropped = !payload.is_empty() && rng.random_range(0..6) == 0;
        cases.push(Case { frame: Frame { registry, kind, payload }, dropped });
    }
    cases
}

/// Good frames of one size.
pub fn steady(bytes: usize, count: usize) -> Vec<Case> {
    let frame = |i: usize| Frame { registry: true, kind: 0, payload: (0..bytes).map(|b| (b * 7 + i) as u8).collect() };
    (0..count).map(|i| Case { frame: frame(i), dropped: false }).collect()
}

/// After a reset, all `cases`. `slots` of `bytes`.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, slots: usize, bytes: usize, cases: &[Case], pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut golden = Slots::new(slots, bytes);
    let mut p = Ports(model);
    let beat = p.0.ports()[p.at("payload_data")].width / 8;
    for name in ["payload_valid", "header_valid", "packet_ready", "slot_free_valid", "slot_read_valid"] {
        p.set(name, 0);
    }
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    p.0.eval();
    let start = p.0.cycle();
    let mut seen = Seen::default();
    let (mut frame_in, mut byte_in, mut beat_offered) = (0, 0, false);
    let (mut header_in, mut header_offered) = (0, false);
    // Frames that may have a slot: begun, and not yet a packet. Slots that came back lately.
    let mut under_way: VecDeque<usize> = VecDeque::new();
    let mut back: VecDeque<u64> = VecDeque::new();
    // What nobody could have had when the frame needed it.
    let mut sure: BTreeMap<usize, usize> = BTreeMap::new();
    let mut known_at: BTreeMap<usize, u64> = BTreeMap::new();
    let mut resolved = 0;
    let (mut no_slot, mut foreign) = (0u64, 0u64);
    let mut held: Vec<Held> = Vec::new();
    let mut reading: VecDeque<(u64, u32, usize)> = VecDeque::new();
    let (mut freeing, mut returning): (Option<usize>, Option<usize>) = (None, None);
    let mut shown: Option<Vec<u64>> = None;
    let mut quiet = 0;
    let needs_header = |i: usize| !cases[i].dropped;
    let fail = |cycle: u64, what: String| Err(format!("cycle {cycle}: {what}"));
    while frame_in < cases.len() || header_in < cases.len() || resolved < cases.len() || !held.is_empty() {
        let now = p.0.cycle();
        // What is no payload, or no header, is passed over.
        while frame_in < cases.len() && byte_in == 0 && !beat_offered && cases[frame_in].frame.payload.is_empty() {
            frame_in += 1;
        }
        while header_in < cases.len() && !needs_header(header_in) {
            header_in += 1;
        }
        // A header comes at the earliest with the second last beat of its payload, as the parser may.
        let payload_near = |i: usize, frame_in: usize, byte_in: usize| {
            frame_in > i
                || cases[i].frame.payload.is_empty() && frame_in + 8 > i
                || frame_in == i && byte_in + 2 * beat >= cases[i].frame.payload.len()
        };
        beat_offered = beat_offered || frame_in < cases.len() && chance(&mut rng, pace.payload);
        p.set("payload_valid", beat_offered.into());
        let mut last = false;
        if beat_offered {
            let payload = &cases[frame_in].frame.payload;
            let part = &payload[byte_in..payload.len().min(byte_in + beat)];
            last = byte_in + beat >= payload.len();
            let mut data: Vec<u8> = random(&mut rng, 8 * beat).iter().flat_map(|w| w.to_le_bytes()).collect();
            data[..part.len()].copy_from_slice(part);
            p.set_bytes("payload_data", &data);
            p.set("payload_last", last.into());
            p.set("payload_drop", (last && cases[frame_in].dropped).into());
        }
        header_offered =
            header_offered || header_in < cases.len() && payload_near(header_in, frame_in, byte_in) && chance(&mut rng, pace.header);
        p.set("header_valid", header_offered.into());
        if header_offered {
            let frame = &cases[header_in].frame;
            p.set("header_registry", frame.registry.into());
            p.set("header_kind", frame.kind.into());
            p.set("header_bytes", frame.payload.len() as u64);
            p.set("header_imm", header_in as u64);
            for (salt, (name, bits)) in FIELDS.into_iter().enumerate() {
                p.set(&format!("header_{name}"), field(header_in, salt as u64, bits));
            }
        }
        let take = chance(&mut rng, pace.packet);
        p.set("packet_ready", take.into());
        // Slots come back by either way, once they are read.
        let due = |h: &Held, held_beats: usize| h.free_at <= now && h.beats_seen >= held_beats;
        let beats_of = |h: &Held| cases[h.frame].frame.payload.len().min(bytes).div_ceil(beat);
        for (name, place) in [("slot_free", &mut freeing), ("slot_read", &mut returning)] {
            if place.is_none() && chance(&mut rng, 70) {
                *place = held.iter().position(|h| due(h, beats_of(h)) && (h.slot % 2 == 0) == (name == "slot_free"));
            }
            p.set(&format!("{name}_valid"), place.is_some().into());
            if let Some(i) = *place {
                p.set(&format!("{name}_slot"), held[i].slot.into());
            }
        }
        // One beat of some slot is read in every clock.
        if let Some(h) = held.iter_mut().find(|h| h.beats_read < cases[h.frame].frame.payload.len().min(bytes).div_ceil(beat)) {
            p.set("read_slot", h.slot.into());
            p.set("read_beat", h.beats_read as u64);
            reading.push_back((now, h.slot, h.beats_read));
            h.beats_read += 1;
        }
        p.0.eval();

        while let Some(&(cycle, slot, index)) = reading.front() {
            if now < cycle + 2 {
                break;
            }
            reading.pop_front();
            let payload = golden.payload(slot);
            let expected = &payload[index * beat..payload.len().min((index + 1) * beat)];
            let found = p.get_bytes("read_data");
            if found[..expected.len()] != *expected {
                return fail(now, format!("beat {index} of slot {slot} is {found:02x?}, expected {expected:02x?}"));
            }
            held.iter_mut().filter(|h| h.slot == slot).for_each(|h| h.beats_seen += 1);
        }

        no_slot += p.get("evt_frame_no_slot");
        foreign += p.get("evt_foreign");
        let valid = p.get("packet_valid") == 1;
        let names = FIELDS.map(|(name, _)| name).into_iter().chain(["kind", "bytes", "imm", "slot"]);
        let fields: Option<Vec<u64>> = valid.then(|| names.map(|name| p.get(&format!("packet_{name}"))).collect());
        if shown.is_some() && shown != fields {
            return fail(now, "a packet that was offered has changed".to_string());
        }
        let first_shown = shown.is_none();
        shown = fields.clone().filter(|_| !take);
        let arrived = fields.as_ref().map(|f| f[9] as usize);
        if let Some(frame) = arrived.filter(|_| first_shown) {
            let latency = now - known_at.get(&frame).copied().unwrap_or(now);
            let (least, most) = seen.latency.unwrap_or((latency, latency));
            seen.latency = Some((least.min(latency), most.max(latency)));
        }
        // The packet, and what before it did not become one.
        let ends = frame_in == cases.len() && header_in == cases.len() && !beat_offered && !header_offered && quiet > 30;
        let until = match arrived.filter(|_| take) {
            Some(frame) if frame < resolved || frame >= cases.len() => return fail(now, format!("a packet of frame {frame} out of order")),
            Some(frame) => frame + 1,
            None if ends => cases.len(),
            None => resolved,
        };
        while resolved < until {
            let i = resolved;
            resolved += 1;
            if cases[i].dropped {
                continue;
            }
            let frame = cases[i].frame.clone();
            golden.frame(frame.clone(), sure.remove(&i).unwrap_or(slots));
            under_way.retain(|&f| f != i);
            let fate = if Some(i) == arrived && take {
                frame.fate()
            } else if frame.registry {
                Fate::NoSlot
            } else {
                Fate::Foreign
            };
            golden.fate(fate).map_err(|e| format!("cycle {now}: frame {i}: {e}"))?;
            match fate {
                Fate::NoSlot => (seen.no_slot, no_slot) = (seen.no_slot + 1, no_slot.wrapping_sub(1)),
                Fate::Foreign => (seen.foreign, foreign) = (seen.foreign + 1, foreign.wrapping_sub(1)),
                Fate::Bare | Fate::Kept => {
                    let found = fields.clone().unwrap_or_default();
                    for (salt, (name, bits)) in FIELDS.into_iter().enumerate() {
                        if found[salt] != field(i, salt as u64, bits) {
                            return fail(now, format!("`packet_{name}` of frame {i} is {:#x}", found[salt]));
                        }
                    }
                    if found[7] != u64::from(frame.kind) || found[8] != frame.payload.len() as u64 {
                        return fail(now, format!("frame {i}: kind {}, {} bytes", found[7], found[8]));
                    }
                    seen.packets += 1;
                    if fate == Fate::Kept {
                        golden.hold(found[10] as u32, &frame).map_err(|e| format!("cycle {now}: frame {i}: {e}"))?;
                        let free_at = now + rng.random_range(0..=pace.hold);
                        held.push(Held { frame: i, slot: found[10] as u32, free_at, beats_read: 0, beats_seen: 0 });
                    } else if !frame.payload.is_empty() {
                        back.push_back(now);
                    }
                }
            }
            if fate == Fate::Foreign && !frame.payload.is_empty() {
                back.push_back(now);
            }
        }
        if no_slot > 64 || foreign > 64 {
            return fail(now, format!("events without frames: {no_slot} no_slot, {foreign} foreign"));
        }
        seen.held = seen.held.max(golden.held());
        while back.front().is_some_and(|&at| at + BACK < now) {
            back.pop_front();
        }

        let moved = beat_offered && p.get("payload_ready") == 1;
        seen.stalled += u64::from(beat_offered && !moved);
        let spare = slots.saturating_sub(golden.held() + back.len() + under_way.len());
        // What needs a slot and has no payload may wait for the payloads of a few clocks.
        for (i, least) in sure.iter_mut() {
            if cases[*i].frame.payload.is_empty() {
                *least = (*least).min(spare);
            }
        }
        if moved {
            if byte_in == 0 {
                sure.insert(frame_in, spare);
                under_way.push_back(frame_in);
            }
            byte_in += beat;
            seen.beats += 1;
            beat_offered = false;
            if last {
                if cases[frame_in].dropped {
                    under_way.retain(|&f| f != frame_in);
                    sure.remove(&frame_in);
                } else {
                    known_at.entry(frame_in).and_modify(|at| *at = now).or_insert(now);
                }
                (frame_in, byte_in) = (frame_in + 1, 0);
            }
        }
        if header_offered && p.get("header_ready") == 1 {
            known_at.entry(header_in).and_modify(|at| *at = now).or_insert(now);
            if cases[header_in].frame.payload.is_empty() {
                sure.insert(header_in, spare);
                under_way.push_back(header_in);
            }
            header_in += 1;
            header_offered = false;
        }
        let mut gone: Vec<usize> = Vec::new();
        for (name, place) in [("slot_free", &mut freeing), ("slot_read", &mut returning)] {
            if let Some(i) = place.filter(|_| p.get(&format!("{name}_ready")) == 1) {
                golden.free(held[i].slot);
                back.push_back(now);
                gone.push(i);
                *place = None;
            }
        }
        let busy = moved || (valid && take) || !gone.is_empty();
        gone.sort_unstable();
        for i in gone.into_iter().rev() {
            held.remove(i);
            for place in [&mut freeing, &mut returning] {
                *place = place.map(|at| if at > i { at - 1 } else { at });
            }
        }
        p.0.clock();
        if let Some(reason) = p.0.failure() {
            return Err(reason.to_string());
        }
        quiet = if busy { 0 } else { quiet + 1 };
        if quiet > 3000 {
            return fail(now, format!("nothing moves any more, at frame {frame_in}, header {header_in}, {} slots held", golden.held()));
        }
    }
    seen.cycles = p.0.cycle() - start;
    if no_slot != 0 || foreign != 0 {
        return Err(format!("events without frames: {no_slot} no_slot, {foreign} foreign"));
    }
    // The last slot came back in the last clock, and once is enough.
    for name in ["slot_free_valid", "slot_read_valid"] {
        p.set(name, 0);
    }
    for _ in 0..8 {
        p.0.clock();
    }
    if p.get("idle") != 1 || p.get("packet_valid") == 1 {
        return Err("it is not idle at the end".to_string());
    }
    Ok(seen)
}

/// Payload and headers for some clocks, and nothing taken: for what a reset must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, cases: &[Case], clocks: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut p = Ports(model);
    p.set("packet_ready", 0);
    for i in 0..clocks {
        let case = &cases[i as usize % cases.len()];
        p.set("payload_valid", 1);
        p.set("payload_last", chance(&mut rng, 30).into());
        p.set("payload_drop", 0);
        p.set("header_valid", 1);
        p.set("header_registry", 1);
        p.set("header_kind", case.frame.kind.into());
        p.set("header_bytes", case.frame.payload.len() as u64);
        p.0.clock();
    }
}
