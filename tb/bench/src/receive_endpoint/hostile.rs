//! What a network may also bring: frames that somebody has been at, a good operation right behind each.

use super::{Endpoint, QP, RING_LOG2, counter};
use crate::wire::frames::well_formed;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::memory::{Completion, What};
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::{Frame, Reader, parse_judged};
use std::collections::BTreeMap;

/// Where the operations of a round lie, and how far apart.
const BASE: u64 = 0x66_0000_0000;
const APART: u64 = 1 << 16;
/// Operations of a round: their completions fit the ring.
const ROUND: usize = 12;

/// Mutations of one frame: cut at every byte, every bit of its headers flipped.
fn systematic(frame: &Frame) -> Vec<Vec<u8>> {
    let bytes = frame.to_bytes();
    let headers = bytes.len() - frame.payload.len() - 4 - usize::from(frame.bth.pad);
    let cut = (1..bytes.len()).map(|length| bytes[..length].to_vec());
    let flipped = (0..8 * headers).map(|bit| {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 0x80 >> (bit % 8);
        flipped
    });
    cut.chain(flipped).collect()
}

/// One mutated frame: of a good one with any opcode, some bytes changed, cut or added; or garbage from runt to jumbo.
fn mutated(rng: &mut ChaCha8Rng, reader: &Reader) -> Vec<u8> {
    if rng.random_bool(0.15) {
        let length = if rng.random_bool(0.1) { rng.random_range(1500..9000) } else { rng.random_range(1..200) };
        let mut bytes = vec![0; length];
        rng.fill_bytes(&mut bytes);
        return bytes;
    }
    let opcode = [0x0a, 0x0b, 0x0a, 0xc4, 0x11, 0xc1, 0x06][rng.random_range(0..7)];
    let payload = if rng.random_bool(0.02) { rng.random_range(1500..9000) } else { rng.random_range(0..300) };
    let mut frame = well_formed(rng, reader, opcode, payload);
    frame.bth.destination_qp = if rng.random_bool(0.8) { QP } else { rng.random_range(0..1 << 24) };
    let mut bytes = frame.to_bytes();
    for _ in 0..rng.random_range(1..=2) {
        let at = rng.random_range(0..bytes.len().min(130));
        match rng.random_range(0..4) {
            0 => bytes[at] = rng.random(),
            1 => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => bytes.truncate(at + 1),
            _ => bytes.extend((0..rng.random_range(1..80)).map(|_| 0u8)),
        }
    }
    bytes
}

/// Sends at least `frames` mutated frames, first every cut and every flipped header bit of six frames of three kinds, then random ones, a
/// good operation of one packet right behind each. Every mutated frame must be counted by the golden reader's reason and nothing else,
/// every operation must complete.
///
/// A mutation that leaves a readable frame comes with the MAC side's word that its ICRC is wrong, as it would.
/// The endpoint has been set up for two nodes at least, and its counters are zero. Returns the frames by counter.
/// # Errors
/// The first round with a difference.
pub fn hostile(
    endpoint: &mut Endpoint,
    packet_size: usize,
    mask_bits: usize,
    frames: usize,
    seed: u64,
) -> Result<BTreeMap<&'static str, u64>, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let reader = Reader { queue_pairs: vec![QP], ..Reader::registry() };
    for place in 0..ROUND {
        endpoint.memory.region(BASE + APART * place as u64, packet_size);
    }
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    for opcode in [0x0a, 0x0b, 0xc4] {
        for _ in 0..2 {
            let mut frame = well_formed(&mut rng, &reader, opcode, if opcode == 0xc4 { 0 } else { 70 });
            frame.bth.destination_qp = QP;
            waiting.extend(systematic(&frame));
        }
    }
    while waiting.len() < frames {
        waiting.push(mutated(&mut rng, &reader));
    }
    let mut expected: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut number = 0u32;
    for round in waiting.chunks(ROUND) {
        let mut payloads = Vec::new();
        for (place, bytes) in round.iter().enumerate() {
            let readable = parse_judged(bytes, true, &reader).is_ok();
            let icrc_ok = !readable && rng.random_bool(0.5);
            let Err(reason) = parse_judged(bytes, icrc_ok, &reader) else {
                return Err(format!("the golden reader accepts {bytes:02x?} although its ICRC is wrong"));
            };
            endpoint.frames.packet(bytes, if icrc_ok { 0 } else { 2 });
            *expected.entry(counter(reason)).or_default() += 1;
            let mut payload = vec![0; rng.random_range(1..=packet_size)];
            rng.fill_bytes(&mut payload);
            let header = good(number.wrapping_add(place as u32), place, payload.len());
            let mut frame = Frame::carrying(&header, 0);
            frame.bth.destination_qp = QP;
            frame.payload = payload.clone();
            endpoint.frames.packet(&frame.to_bytes(), 0);
            payloads.push((header, payload));
        }
        let begin = number;
        let broken = |what: String| {
            let frames: Vec<String> = round.iter().map(|b| b.iter().map(|b| format!("{b:02x}")).collect()).collect();
            format!("seed {seed}, round from operation {begin}: {what}; the frames were {}", frames.join(" "))
        };
        endpoint.settle().map_err(broken)?;
        let entries = endpoint.completions().map_err(broken)?;
        if entries.len() != payloads.len() {
            return Err(broken(format!("{} completions of {} operations", entries.len(), payloads.len())));
        }
        for (header, payload) in &payloads {
            let at = |entry: &&[u8; 64]| u32::from_le_bytes([entry[20], entry[21], entry[22], 0]) == header.op;
            let Some(entry) = entries.iter().find(at) else { return Err(broken(format!("no completion of op {:#x}", header.op))) };
            let index = u32::from_le_bytes([entry[56], entry[57], entry[58], entry[59]]);
            let completion = Completion {
                what: What::Operation,
                src: 1,
                op: header.op,
                base: header.addr,
                bytes: payload.len() as u32,
                packets: 1,
                status: 0,
                imm: None,
                mask: vec![u32::MAX; mask_bits / 32],
            };
            if *entry != completion.entry(index, RING_LOG2) {
                return Err(broken(format!("the completion of op {:#x} is {entry:02x?}", header.op)));
            }
            if endpoint.memory.bytes(header.addr, payload.len()) != Some(&payload[..]) {
                return Err(broken(format!("memory of op {:#x} is not what was sent", header.op)));
            }
        }
        endpoint.control_packets().map_err(broken)?;
        number = number.wrapping_add(round.len() as u32);
        let mut counters = endpoint.counters().map_err(broken)?;
        // How many bursts and control packets there are depends on when acknowledgements merge and where a buffer lies.
        for name in ["count_memory_bursts", "count_control_frames"] {
            counters.remove(name);
        }
        let good = u64::from(number);
        let mut all: BTreeMap<String, u64> = expected.iter().map(|(name, count)| (name.to_string(), *count)).collect();
        for (name, count) in [("frames", 2 * good), ("accepted", good), ("completed", good), ("completions", good)] {
            all.insert(format!("count_{name}"), count);
        }
        if counters != all {
            return Err(broken(format!("counters are {counters:?}, expected {all:?}")));
        }
        if !endpoint.memory.damaged().is_empty() {
            return Err(broken("guard bytes written".into()));
        }
        endpoint.sound().map_err(broken)?;
    }
    Ok(expected)
}

/// The operation of one packet behind a mutated frame.
fn good(number: u32, place: usize, bytes: usize) -> Header {
    Header {
        kind: Kind::Start,
        src: 1,
        op: number,
        addr: BASE + APART * place as u64,
        bytes: bytes as u16,
        op_bytes: bytes as u32,
        count: 1,
        rkey: 0,
        imm: None,
    }
}
