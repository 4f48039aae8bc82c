//! `Lr2FrameMaker` and `Lr2FrameEdit` against the golden builder of frames, byte by byte.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{Aeth, Bth, Frame, Ip, Lr2Eth, Opcode};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks from an order to the first beat of its frame, when nobody waits.
pub const MAKING: u64 = 7;

/// Percent of the clocks with an order, with a beat that is offered, and in which a beat goes on.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub order: u32,
    pub offer: u32,
    pub out: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub frames: u64,
    pub beats: u64,
    pub clocks: u64,
    /// clocks from an order to the first beat, least and most
    pub latency: Option<(u64, u64)>,
}

/// Beats that come out, as frames.
#[derive(Default)]
struct Outlet {
    bytes: Vec<u8>,
    shown: Option<[Words; 3]>,
}

impl Outlet {
    /// A clock, settled; a whole frame when its last beat goes on.
    fn look(&mut self, pins: &Pins<'_>, takes: bool, always: bool) -> Result<Option<Vec<u8>>, String> {
        let now = pins.cycle();
        let beat = (pins.get("out_valid") == 1).then(|| ["out_data", "out_keep", "out_last"].map(|port| pins.get_words(port)));
        if always && self.shown.is_some() && beat != self.shown {
            return Err(format!("cycle {now}: a beat that was offered has changed"));
        }
        self.shown = beat.clone().filter(|_| !takes);
        let Some([data, keep, last]) = beat.filter(|_| takes) else { return Ok(None) };
        let width = pins.width("out_keep");
        let count = if last[0] == 1 { keep.iter().map(|word| word.count_ones() as usize).sum() } else { width };
        if (0..width).any(|i| (keep[i / 32] >> (i % 32) & 1 == 1) != (i < count)) {
            return Err(format!("cycle {now}: bytes that count are {keep:x?}, last {}", last[0]));
        }
        self.bytes.extend((0..count).map(|i| (data[i / 4] >> (8 * (i % 4))) as u8));
        Ok((last[0] == 1).then(|| std::mem::take(&mut self.bytes)))
    }
}

fn words(value: u128) -> Words {
    (0..4).map(|i| (value >> (32 * i)) as u32).collect()
}

fn number(ip: Ip) -> (bool, u128, u128) {
    match ip {
        Ip::V4 { source, destination } => (false, source.to_bits().into(), destination.to_bits().into()),
        Ip::V6 { source, destination } => (true, source.to_bits(), destination.to_bits()),
    }
}

fn mac(bytes: [u8; 6]) -> u64 {
    bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Another hop limit than the golden builder's.
fn with_hops(mut bytes: Vec<u8>, six: bool, hops: u8) -> Vec<u8> {
    if six {
        bytes[14 + 7] = hops;
        return bytes;
    }
    bytes[14 + 8] = hops;
    bytes[14 + 10..14 + 12].fill(0);
    let sum: u32 = bytes[14..34].chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    let folded = (folded & 0xffff) + (folded >> 16);
    bytes[24..26].copy_from_slice(&(!folded as u16).to_be_bytes());
    bytes
}

/// `count` frames of all kinds that are made.
/// # Errors
/// The first difference.
pub fn make(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let flows = 1usize << pins.width("order_flow");
    let (class, hops): (u8, u8) = (rng.random(), rng.random());
    // Of each flow the beginning of the frames for its sender.
    let entries: Vec<Frame> = (0..flows)
        .map(|_| {
            let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, rng.random_range(0..1 << 24), 0));
            (frame.destination_mac, frame.source_mac, frame.udp_source) = (rng.random(), rng.random(), rng.random());
            frame.bth.partition_key = rng.random();
            let (source, mut destination): (u32, u32) = (rng.random(), rng.random());
            if chance(&mut rng, 30) {
                // The sum of the header is all ones and a carry, which is a carry again.
                let others =
                    0x8511 + 48 + u32::from(class) + (u32::from(hops) << 8) + (source >> 16) + (source & 0xffff) + (destination >> 16);
                destination = destination & 0xffff_0000 | !others & 0xffff;
            }
            frame.ip = match chance(&mut rng, 40) {
                true => Ip::V6 { source: rng.random::<u128>().into(), destination: rng.random::<u128>().into() },
                false => Ip::V4 { source: source.into(), destination: destination.into() },
            };
            frame
        })
        .collect();
    pins.set("cfg_traffic_class", class.into());
    pins.set("cfg_hop_limit", hops.into());
    pins.reset(3);
    let mut seen = Seen::default();
    let mut owed: VecDeque<(u64, Vec<u8>)> = VecDeque::new();
    let mut outlet = Outlet::default();
    let mut reads: VecDeque<usize> = VecDeque::from([0, 0]);
    let mut order: Option<(usize, Frame)> = None;
    let (mut ordered, mut made, mut quiet) = (0, 0, 0);
    let began = pins.cycle();
    while seen.frames < count || quiet < 20 {
        let now = pins.cycle();
        if order.is_none() && ordered < count && chance(&mut rng, pace.order) {
            let flow = rng.random_range(0..flows);
            let mut frame = entries[flow].clone();
            frame.traffic_class = class;
            let kind = rng.random_range(0..5);
            let [psn, msn, start, length, border] = std::array::from_fn(|_| rng.random_range(0..1u32 << 24));
            let credits = rng.random_range(0..32);
            pins.set("order_kind", kind);
            pins.set("order_flow", flow as u64);
            let numbers = [("psn", psn), ("msn", msn), ("start", start), ("length", length), ("border", border), ("credits", credits)];
            numbers.iter().for_each(|&(name, value)| pins.set(&format!("order_{name}"), value.into()));
            if kind == 4 {
                (frame.bth.opcode, frame.bth.becn, frame.payload) = (Opcode::CNP, true, vec![0; 16]);
            } else {
                frame.bth.psn = psn;
                frame.bth.reserved6 = [0, 2, 4, 4][kind as usize];
                frame.aeth = Some(Aeth { syndrome: if kind == 0 { credits as u8 } else { 0x60 }, msn });
                frame.lr2_eth = (kind == 2).then_some(Lr2Eth { gap_start: start, gap_length: length, expected: border });
            }
            order = Some((flow, frame));
        }
        // The entry that was asked for two clocks ago.
        let entry = &entries[reads.pop_front().unwrap_or_default()];
        let (six, source, destination) = number(entry.ip);
        pins.set("entry_six", six.into());
        // The frame goes the other way.
        pins.set_words("entry_source", &words(destination));
        pins.set_words("entry_destination", &words(source));
        pins.set("entry_peer_qp", entry.bth.destination_qp.into());
        pins.set("entry_partition_key", entry.bth.partition_key.into());
        pins.set("entry_udp_source", entry.udp_source.into());
        pins.set("entry_to_mac", mac(entry.destination_mac));
        pins.set("entry_from_mac", mac(entry.source_mac));
        let takes = chance(&mut rng, pace.out);
        pins.set("order_valid", order.is_some().into());
        pins.set("out_ready", takes.into());
        pins.eval();
        reads.push_back(pins.get("read_flow") as usize);
        if pins.get("out_valid") == 1
            && outlet.bytes.is_empty()
            && outlet.shown.is_none()
            && let Some((at, _)) = owed.front()
        {
            let latency = now - at;
            let (least, most) = seen.latency.unwrap_or((latency, latency));
            seen.latency = Some((least.min(latency), most.max(latency)));
        }
        seen.beats += u64::from(takes && pins.get("out_valid") == 1);
        made += pins.get("evt_frame");
        if let Some(frame) = outlet.look(&pins, takes, true)? {
            let Some((_, mut expected)) = owed.pop_front() else { return Err(format!("cycle {now}: a frame that nobody ordered")) };
            let end = expected.len() - 4;
            expected[end..].fill(0);
            if frame != expected {
                return Err(format!("cycle {now}: frame {} is {frame:02x?}, expected {expected:02x?}", seen.frames));
            }
            seen.frames += 1;
            quiet = 0;
        }
        if pins.get("order_ready") == 1
            && let Some((_, frame)) = order.take()
        {
            owed.push_back((now, with_hops(frame.to_bytes(), number(frame.ip).0, hops)));
            ordered += 1;
        }
        quiet += 1;
        if quiet > 2000 {
            return Err(format!("cycle {now}: nothing comes any more"));
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - began;
    if made != count || !outlet.bytes.is_empty() {
        return Err(format!("{made} frames are counted, {count} were made"));
    }
    Ok(seen)
}

/// A frame that passes, what becomes of it, and what it is then.
struct Passing {
    bytes: Vec<u8>,
    ack: bool,
    drop: bool,
    psn: u32,
    msn: u32,
    credits: u8,
    offset: u64,
    expected: Option<Vec<u8>>,
}

fn passing(rng: &mut ChaCha8Rng) -> Passing {
    let (psn, msn, credits) = (rng.random_range(0..1 << 24), rng.random_range(0..1 << 24), rng.random_range(0..32));
    let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, rng.random_range(0..1 << 24), rng.random_range(0..1 << 24)));
    frame.aeth = Some(Aeth { syndrome: 0x60, msn: rng.random_range(0..1 << 24) });
    frame.vlan = chance(rng, 40).then(|| rng.random());
    if chance(rng, 40) {
        frame.ip = Ip::V6 { source: rng.random::<u128>().into(), destination: rng.random::<u128>().into() };
    } else if chance(rng, 60) {
        frame.ip_options = vec![1; 4 * rng.random_range(1..=10)];
    }
    frame.bth.becn = rng.random();
    let more = [0, 4, 12, 16, rng.random_range(0..300)][rng.random_range(0..5)];
    frame.payload = (0..more).map(|_| rng.random()).collect();
    let bytes = frame.to_bytes();
    let udp = bytes.len() - more - 4 - 4 - 12 - 8;
    let (ack, drop) = (chance(rng, 60), chance(rng, 25));
    frame.bth.psn = psn;
    frame.aeth = Some(Aeth { syndrome: credits, msn });
    let mut expected = if ack { frame.to_bytes() } else { bytes.clone() };
    // The ICRC is made anew by whoever comes behind.
    let icrc = bytes.len() - 4;
    expected[icrc..].copy_from_slice(&bytes[icrc..]);
    Passing { bytes, ack, drop, psn, msn, credits, offset: udp as u64, expected: (!drop).then_some(expected) }
}

/// `count` frames that pass.
/// # Errors
/// The first difference.
pub fn edit(model: &mut dyn Model, count: usize, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("in_data");
    let beat = width / 8;
    let frames: Vec<Passing> = (0..count).map(|_| passing(&mut rng)).collect();
    let mut owed: VecDeque<(usize, &Vec<u8>)> = frames.iter().enumerate().filter_map(|(i, f)| Some((i, f.expected.as_ref()?))).collect();
    pins.reset(1);
    let mut seen = Seen::default();
    let mut outlet = Outlet::default();
    let (mut next, mut place, mut offered) = (0, 0, false);
    let (mut told, mut telling) = (0, false);
    let mut quiet = 0;
    let began = pins.cycle();
    while next < count || told < count || !owed.is_empty() || quiet < 10 {
        let now = pins.cycle();
        let fresh = !offered && next < count && chance(&mut rng, pace.offer);
        offered |= fresh;
        telling = telling || told < count && chance(&mut rng, pace.order);
        pins.set("in_valid", offered.into());
        if fresh {
            let bytes = &frames[next].bytes;
            let part = &bytes[place..bytes.len().min(place + beat)];
            let mut data = random(&mut rng, width);
            for (i, byte) in part.iter().enumerate() {
                data[i / 4] = data[i / 4] & !(0xff << (8 * (i % 4))) | u32::from(*byte) << (8 * (i % 4));
            }
            let keep: Words = (0..beat.div_ceil(32)).map(|w| (0..32).fold(0, |k, b| k | u32::from(32 * w + b < part.len()) << b)).collect();
            pins.set_words("in_data", &data);
            pins.set_words("in_keep", &keep);
            pins.set("in_last", (place + beat >= bytes.len()).into());
        }
        pins.set("order_valid", telling.into());
        if telling {
            let frame = &frames[told];
            let flags = [("drop", u64::from(frame.drop)), ("ack", frame.ack.into()), ("psn", frame.psn.into()), ("msn", frame.msn.into())];
            flags.iter().for_each(|&(name, value)| pins.set(&format!("order_{name}"), value));
            pins.set("order_credits", frame.credits.into());
            pins.set("order_offset", frame.offset);
        }
        let takes = chance(&mut rng, pace.out);
        pins.set("out_ready", takes.into());
        pins.eval();
        let (ready, ordered) = (pins.get("in_ready") == 1, pins.get("order_ready") == 1);
        if let Some(frame) = outlet.look(&pins, takes, true)? {
            let Some((number, expected)) = owed.pop_front() else { return Err(format!("cycle {now}: a frame too many")) };
            if frame != *expected {
                return Err(format!("cycle {now}: frame {number} is {frame:02x?}, expected {expected:02x?}"));
            }
            if number != next {
                return Err(format!("cycle {now}: frame {number} ends while {next} is offered"));
            }
            seen.frames += 1;
        }
        if offered && ready {
            (place, offered, quiet) = (place + beat, false, 0);
            seen.beats += 1;
            if place >= frames[next].bytes.len() {
                (next, place) = (next + 1, 0);
            }
        }
        if telling && ordered {
            (told, telling) = (told + 1, false);
        }
        quiet += 1;
        if quiet > 2000 {
            return Err(format!("cycle {now}: nothing moves any more, at frame {next}"));
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - began;
    Ok(seen)
}
