//! Captured frames through a receive endpoint: what memory, ring, control packets and counters must be after them.

use super::{Endpoint, counter};
use crate::capture::{CapturedFrame, ETHERNET};
use rdma_rtl_golden::memory::ENTRY;
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::{Frame, FrameError, Reader, parse, parse_judged};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of memory that one start may open: the largest operation of any profile.
const LARGEST: u64 = 256 * 4096;
/// What makes an operation whose packets are all there fail to complete, or complete twice.
const TROUBLE: [&str; 8] = [
    "count_op_timeout",
    "count_escape_timeout",
    "count_escape_full",
    "count_quota",
    "count_superseded",
    "count_aborted",
    "count_write_error",
    "count_frame_no_slot",
];

/// What a packet size that is not the sender's leads to.
const SIZE: [&str; 3] = ["count_reject_count_mismatch", "count_reject_misaligned_offset", "count_reject_wrong_length"];

/// An entry of the completion ring, as software reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub base: u64,
    pub bytes: u32,
    pub src: u16,
    pub op: u32,
    /// 0: complete
    pub status: u8,
    /// a data arrival instruction, whose bytes came another way
    pub arrival: bool,
}

/// What a capture did.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    pub clocks: u64,
    pub completions: Vec<Entry>,
    /// bytes of completed operations, each compared with what was sent
    pub compared: u64,
    /// bytes beside them that were written, of operations that did not complete, each compared with what was sent
    pub beside: u64,
    /// data arrivals that were told, each compared with its frame
    pub arrivals: u64,
    /// sound frames with payload
    pub with_payload: u64,
    /// bytes of the largest payload
    pub largest_payload: usize,
    /// control packets, each with the node that it went to
    pub control: Vec<(u16, Frame)>,
    /// counters that are not zero
    pub counters: BTreeMap<String, u64>,
}

impl Replay {
    /// Why the run has shown nothing: frames brought payload, and no byte of it was written, or no frame asked for anything that can be
    /// compared.
    pub fn nothing(&self, packet_size: usize) -> Option<String> {
        if self.compared + self.beside > 0 || self.with_payload == 0 && self.arrivals > 0 {
            return None;
        }
        if self.with_payload == 0 {
            return Some("no frame of the capture brings payload, and no data arrival was told".into());
        }
        let refused = |name: &&String| name.starts_with("count_reject_") || name.as_str() == "count_frame_no_slot";
        let refused: Vec<String> = self.counters.iter().filter(|(name, _)| refused(name)).map(named).collect();
        let why = if refused.is_empty() { String::new() } else { format!("; refused: {}", refused.join(", ")) };
        let of_size = SIZE.iter().any(|name| self.counters.contains_key(*name)) && self.largest_payload != packet_size;
        let size = match of_size {
            true => format!(
                "; the largest payload is {} bytes and this profile's packets have {packet_size}: another --profile may be meant",
                self.largest_payload
            ),
            false => String::new(),
        };
        Some(format!("none of the {} packets with payload was written, so that no memory could be compared{why}{size}", self.with_payload))
    }
}

/// `count_reject_wraps`, 2: `2 reject_wraps`.
fn named((name, count): (&String, &u64)) -> String {
    format!("{count} {}", name.trim_start_matches("count_"))
}

/// What the frames say, by the golden reader.
#[derive(Default)]
struct Sent {
    /// what was sent to each address: one byte, but where operations share it
    bytes: BTreeMap<u64, Vec<u8>>,
    /// bytes of each payload
    payloads: Vec<usize>,
    /// data arrivals: source, operation, address, bytes
    arrivals: BTreeSet<(u16, u32, u64, u32)>,
    /// ranges that starts open
    ranges: Vec<(u64, u64)>,
    /// operations whose start and every packet is there
    whole: BTreeSet<(u16, u32)>,
    errors: BTreeMap<String, u64>,
}

/// The golden reader's word on a frame as the hardware gets it: of one that the capture cut off the MAC side says that its ICRC is wrong.
fn read(frame: &CapturedFrame) -> Result<Frame, FrameError> {
    if frame.cut { parse_judged(&frame.bytes, false, &Reader::registry()) } else { parse(&frame.bytes, false, &Reader::registry()) }
}

fn sent(frames: &[CapturedFrame], packet_size: usize) -> Sent {
    let mut sent = Sent::default();
    let mut packets: Vec<Header> = Vec::new();
    for frame in frames.iter().filter(|frame| frame.link == ETHERNET) {
        match read(frame) {
            Err(error) => *sent.errors.entry(counter(error).to_string()).or_default() += 1,
            Ok(parsed) => {
                let Some(header) = parsed.header() else { continue };
                if !parsed.payload.is_empty() {
                    sent.payloads.push(parsed.payload.len());
                }
                if header.kind == Kind::Arrival {
                    sent.arrivals.insert((header.src, header.op, header.addr, header.op_bytes));
                }
                for (i, &byte) in parsed.payload.iter().enumerate() {
                    let there = sent.bytes.entry(header.addr.wrapping_add(i as u64)).or_default();
                    if !there.contains(&byte) {
                        there.push(byte);
                    }
                }
                packets.push(header);
            }
        }
    }
    for start in packets.iter().filter(|h| h.kind == Kind::Start) {
        let size = u64::from(start.op_bytes).min(LARGEST);
        // One may end with the last address there is.
        if size > 0 && start.addr.checked_add(size - 1).is_some() {
            sent.ranges.push((start.addr, size));
        }
        let position = |h: &Header| h.addr.wrapping_sub(start.addr) / packet_size as u64;
        let found: BTreeSet<u64> = packets.iter().filter(|h| (h.src, h.op) == (start.src, start.op)).map(position).collect();
        // An older operation of the same place in the done table can make this one stale, or the other way round.
        let alone = packets.iter().all(|h| h.src != start.src || h.op == start.op || (h.op ^ start.op) & 0x3f != 0);
        if alone && start.count > 0 && (0..u64::from(start.count)).all(|i| found.contains(&i)) {
            sent.whole.insert((start.src, start.op));
        }
    }
    sent.ranges.sort_unstable();
    sent
}

/// Where completed operations lie: by their base, each with the furthest last byte up to it.
struct Over(Vec<(u64, u64)>);

impl Over {
    fn of(completions: &[Entry]) -> Over {
        let whole = completions.iter().filter(|e| e.status == 0 && !e.arrival && e.bytes > 0);
        let mut ranges: Vec<(u64, u64)> = whole.map(|e| (e.base, e.base.saturating_add(u64::from(e.bytes) - 1))).collect();
        ranges.sort_unstable();
        let mut furthest = 0;
        ranges.iter_mut().for_each(|(_, last)| {
            furthest = furthest.max(*last);
            *last = furthest;
        });
        Over(ranges)
    }

    fn has(&self, address: u64) -> bool {
        let before = self.0.partition_point(|(base, _)| *base <= address);
        before.checked_sub(1).is_some_and(|at| self.0[at].1 >= address)
    }
}

/// Ranges that are closer together than a page, as one: their guards would lie in each other.
fn merged(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for &(base, size) in ranges {
        match merged.last_mut() {
            Some((first, length)) if base <= first.saturating_add(*length).saturating_add(4096) => {
                *length = (*length).max((base - *first) + size);
            }
            _ => merged.push((base, size)),
        }
    }
    merged
}

/// Sends the Ethernet frames, each at its clock after the first, and reads back what software would: completions, memory, control packets,
/// counters.
///
/// The endpoint has been set up, all queue pairs are its own, its counters are zero. A frame whose ICRC is wrong comes with the MAC side's
/// word of it.
/// # Errors
/// Memory that is not what was sent, or written where nothing was sent; an operation whose packets are all there and that does not complete
/// once; a frame that is counted by another reason than the golden reader's; a rule of a bus that was broken.
pub fn replay(endpoint: &mut Endpoint, frames: &[CapturedFrame], at: &[u64], packet_size: usize) -> Result<Replay, String> {
    let sent = sent(frames, packet_size);
    let (with_payload, largest_payload) = (sent.payloads.len() as u64, sent.payloads.iter().copied().max().unwrap_or(0));
    let regions = merged(&sent.ranges);
    for &(base, size) in &regions {
        endpoint.memory.region(base, size as usize);
    }
    let begin = endpoint.now();
    let mut done = Replay { with_payload, largest_payload, ..Replay::default() };
    for (frame, &clock) in frames.iter().zip(at).filter(|(frame, _)| frame.link == ETHERNET) {
        while endpoint.now() - begin < clock || endpoint.frames.waiting() > 1000 {
            endpoint.clock();
            take(endpoint, &mut done)?;
        }
        let user = if frame.cut || read(frame) == Err(FrameError::BadIcrc) { 2 } else { 0 };
        endpoint.frames.packet(&frame.bytes, user);
    }
    // A ring that is full holds the rest up: software goes on taking.
    let limit = endpoint.now() + super::PATIENCE;
    while endpoint.frames.waiting() > 0 || endpoint.read("state")? & 1 == 0 {
        endpoint.clock();
        take(endpoint, &mut done)?;
        if endpoint.now() > limit {
            return Err(format!("not idle {} clocks after the last frame", super::PATIENCE));
        }
    }
    take(endpoint, &mut done)?;
    endpoint.settle()?;
    done.clocks = endpoint.now() - begin;
    done.control.extend(endpoint.control_packets()?);
    done.counters = endpoint.counters()?;
    endpoint.sound()?;
    check(endpoint, &sent, &regions, &mut done)?;
    Ok(done)
}

fn take(endpoint: &mut Endpoint, done: &mut Replay) -> Result<(), String> {
    if !endpoint.interrupt() {
        return Ok(());
    }
    for e in endpoint.completions()? {
        let e: [u8; ENTRY] = e;
        done.completions.push(Entry {
            base: u64::from_le_bytes([e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]]),
            bytes: u32::from_le_bytes([e[8], e[9], e[10], e[11]]),
            src: u16::from_le_bytes([e[16], e[17]]),
            op: u32::from_le_bytes([e[20], e[21], e[22], 0]),
            status: e[60],
            arrival: e[23] & 1 == 1,
        });
    }
    endpoint.write("interrupt_status", 1)
}

fn check(endpoint: &Endpoint, sent: &Sent, regions: &[(u64, u64)], done: &mut Replay) -> Result<(), String> {
    for entry in done.completions.iter().filter(|e| e.status == 0 && !e.arrival) {
        let Some(memory) = endpoint.memory.bytes(entry.base, entry.bytes as usize) else {
            return Err(format!(
                "source {} op {:#x} completes at {:#x}, where no start of the capture lies",
                entry.src, entry.op, entry.base
            ));
        };
        for (i, &found) in memory.iter().enumerate() {
            let address = entry.base.wrapping_add(i as u64);
            let Some(bytes) = sent.bytes.get(&address) else {
                return Err(format!("source {} op {:#x} completes, but no packet brought address {address:#x}", entry.src, entry.op));
            };
            if !bytes.contains(&found) {
                return Err(format!(
                    "source {} op {:#x}: memory at {address:#x} is {found:#04x}, sent was {bytes:02x?}",
                    entry.src, entry.op
                ));
            }
            done.compared += 1;
        }
    }
    for entry in done.completions.iter().filter(|e| e.arrival) {
        if !sent.arrivals.contains(&(entry.src, entry.op, entry.base, entry.bytes)) {
            return Err(format!("{entry:x?} is told, which no data arrival of the capture says"));
        }
        done.arrivals += 1;
    }
    let over = Over::of(&done.completions);
    for &(base, size) in regions {
        let memory = endpoint.memory.bytes(base, size as usize).unwrap_or_default();
        let stray = memory
            .iter()
            .enumerate()
            .find(|(i, byte)| **byte != 0 && sent.bytes.get(&(base + *i as u64)).is_none_or(|sent| !sent.contains(byte)));
        if let Some((i, byte)) = stray {
            return Err(format!("memory at {:#x} is {byte:#04x}, which nobody sent there", base + i as u64));
        }
        done.beside += memory.iter().enumerate().filter(|(i, byte)| **byte != 0 && !over.has(base + *i as u64)).count() as u64;
    }
    if let Some(address) = endpoint.memory.damaged().first() {
        return Err(format!("guard byte at {address:#x} was written"));
    }
    let errors = |(name, count): (&String, &u64)| name.starts_with("count_frame_").then(|| (name.clone(), *count));
    let mut counted: BTreeMap<String, u64> = done.counters.iter().filter_map(errors).collect();
    for beside in ["count_frame_no_slot", "count_frame_foreign", "count_frame_mac_error"] {
        counted.remove(beside);
    }
    if counted != sent.errors {
        return Err(format!("dropped frames are counted as {counted:?}, the golden reader says {:?}", sent.errors));
    }
    let trouble = done.counters.keys().any(|name| TROUBLE.contains(&name.as_str()) || name.starts_with("count_reject_"));
    let completed: Vec<(u16, u32)> = done.completions.iter().filter(|c| c.status == 0 && !c.arrival).map(|c| (c.src, c.op)).collect();
    for op in sent.whole.iter().filter(|_| !trouble) {
        let times = completed.iter().filter(|one| *one == op).count();
        if times != 1 {
            return Err(format!("source {} op {:#x}: every packet came, {times} completions", op.0, op.1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_compared_no_memory_says_so() {
        let count = |name: &str, n| (String::from(name), n);
        let refused = Replay {
            with_payload: 10,
            largest_payload: 512,
            counters: BTreeMap::from([count("count_reject_count_mismatch", 3), count("count_stale", 10)]),
            arrivals: 1,
            ..Replay::default()
        };
        let said = refused.nothing(256).unwrap();
        assert!(
            said.contains("none of the 10 packets") && said.contains("refused: 3 reject_count_mismatch") && said.contains("512"),
            "{said}"
        );
        assert!(!refused.nothing(512).unwrap().contains("another --profile"));
        assert_eq!(Replay { compared: 1, ..refused.clone() }.nothing(256), None);
        assert_eq!(Replay { beside: 1, ..refused.clone() }.nothing(256), None);
        // Without payload the arrivals are what there is to compare.
        assert_eq!(Replay { with_payload: 0, ..refused.clone() }.nothing(256), None);
        assert!(
            Replay { with_payload: 0, arrivals: 0, ..refused }.nothing(256).unwrap().contains("no frame of the capture brings payload")
        );
    }

    #[test]
    fn what_lies_in_a_completed_operation() {
        let entry = |base, bytes, status, arrival| Entry { base, bytes, src: 1, op: 1, status, arrival };
        let over = Over::of(&[entry(100, 50, 0, false), entry(110, 2, 0, false), entry(200, 10, 3, false), entry(300, 10, 0, true)]);
        assert_eq!([99, 100, 149, 150, 205, 305].map(|at| over.has(at)), [false, true, true, false, false, false]);
    }

    #[test]
    fn ranges_that_touch_or_nearly_are_one() {
        assert_eq!(merged(&[(0x1000, 16), (0x1010, 16), (0x1800, 1), (0x9000, 8)]), [(0x1000, 0x801), (0x9000, 8)]);
        assert_eq!(merged(&[(0x1000, 0x8000), (0x2000, 16)]), [(0x1000, 0x8000)]);
        assert_eq!(merged(&[(u64::MAX - 0x3ff, 0x400), (u64::MAX - 0x1ff, 0x200)]), [(u64::MAX - 0x3ff, 0x400)]);
    }
}
