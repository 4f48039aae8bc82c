//! `FeedbackIntake` against frames of the golden model: what a sender hears is what a receiver has told, the newest of what merges.

use super::control_builder::poke;
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::bitmap::psn::{self, SPACE};
use rdma_rtl_golden::bitmap::{Ack, Cause, Ffm, Message, RangeAck};
use rdma_rtl_golden::wire::{Aeth, Bth, Control, Frame, Opcode};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Messages that wait besides acknowledgements.
const ROOM: usize = 16;
/// Range acknowledgements among them, and one that has left the queue.
const RANGES: usize = 8;
/// Clocks from a header to the place where it waits.
const INTAKE: u64 = 2;
/// Clocks from the look-up of what is newest to the output.
const LOOK: u64 = 1;

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub acks: u64,
    /// acknowledgements that went on
    pub told: u64,
    pub others: u64,
    pub dropped: u64,
    pub negative: u64,
    pub malformed: u64,
    pub unknown: u64,
    /// most clocks from an acknowledgement that is told, and least from another message, until it is offered
    pub latency: [u64; 2],
}

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// percent of the clocks with a header
    pub offer: u32,
    /// percent of the headers that are acknowledgements
    pub acks: u32,
    /// percent of the messages that are range acknowledgements
    pub ranges: u32,
    /// percent of the clocks in which feedback is taken
    pub take: u32,
}

/// What is known of a queue pair: each newest acknowledgement with the clock of its header.
struct Heard {
    newest: Vec<(u64, u32, u8)>,
    /// the one that went on last
    told: Option<(u32, u8)>,
}

fn body(frame: &Frame) -> [u32; 7] {
    // BTH begins at byte 42 of a frame without options and tag; what follows it is cut or filled to 28 bytes.
    let bytes = frame.to_bytes();
    let mut rest = bytes[54..bytes.len() - 4].to_vec();
    rest.resize(28, 0x5a);
    let mut words = [0; 7];
    for (word, four) in words.iter_mut().rev().zip(rest.chunks(4)) {
        *word = four.iter().fold(0, |value, &byte| value << 8 | u32::from(byte));
    }
    words
}

/// A header of any kind.
fn a_frame(rng: &mut ChaCha8Rng, pace: Pace, to: u32, near: u32) -> Frame {
    let qp = 0;
    let wide = |rng: &mut ChaCha8Rng| rng.random_range(0..SPACE) | if rng.random_bool(0.05) { 1 << rng.random_range(24..32) } else { 0 };
    if chance(rng, pace.acks) {
        // Mostly a little ahead of what was said before, at times behind it, at times far away.
        let psn = match rng.random_range(0..20) {
            0 => rng.random_range(0..SPACE),
            1..=4 => psn::sub(near, rng.random_range(0..50)),
            _ => psn::add(near, rng.random_range(0..20)),
        };
        let mut frame = Message::Ack(Ack { qp, psn, credits: rng.random_range(0..32) }).frame(to, rng.random_range(0..SPACE));
        if rng.random_bool(0.05) {
            frame.aeth = Some(Aeth { syndrome: rng.random_range(0x20..=0xff), msn: 0 });
        }
        return frame;
    }
    match (rng.random_range(0..8), chance(rng, pace.ranges)) {
        (0, _) => {
            let mut frame = Frame::new(Bth::new(Opcode::REMOTE_COMPLETION, to, 0));
            frame.control = Some(Control::Completion { op: rng.random_range(0..1 << OP_BITS), status: 0, packets: rng.random() });
            frame
        }
        (_, true) => {
            let mut frame = Frame::new(Bth::new(Opcode::RANGE_ACK, to, 0));
            frame.control = Some(Control::RangeAck { base: wide(rng), start: wide(rng), length: rng.random() });
            frame
        }
        _ => {
            let status = Cause::Depth;
            let (start, length, edge, base) = (0, 0, 0, 0);
            let ffm = Ffm { qp, start, length, edge, base, timestamp: 0, path: 0, status, depth: 0, repeat: 0, misjudged: 0 };
            let mut frame = Message::Ffm(ffm).frame(to, 0);
            frame.control = Some(Control::Feedback {
                start: wide(rng),
                length: rng.random(),
                edge: rng.random(),
                base: wide(rng),
                timestamp: rng.random(),
                path: rng.random(),
                status: rng.random(),
                depth: rng.random(),
                repeat: rng.random(),
                misjudged: rng.random_range(0..SPACE),
            });
            frame
        }
    }
}

struct Bench<'a> {
    model: &'a mut dyn Model,
    number: u32,
    queue_pairs: Vec<Heard>,
    /// messages that are not acknowledgements, with the clock of their header
    others: VecDeque<(u64, Message)>,
    seen: Seen,
    counted: [u64; 7],
    held: Option<[u64; 6]>,
}

const EVENTS: [&str; 7] = ["ack", "range", "ffm", "negative", "malformed", "unknown_qp", "dropped"];

impl Bench<'_> {
    fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.model.port(name).unwrap_or_else(|| panic!("no port `{name}`")))
    }

    fn set(&mut self, name: &str, value: u32) {
        poke(self.model, name, value.into());
    }

    /// What is offered, looked at and taken or not.
    fn look(&mut self, takes: bool) -> Result<(), String> {
        let now = self.model.cycle();
        for (count, event) in self.counted.iter_mut().zip(EVENTS) {
            *count += self.model.peek_u64(self.model.port(&format!("evt_{event}")).unwrap_or_else(|| panic!("no event `{event}`")));
        }
        if self.get("evt_dropped") == 1 {
            // It would have been the last of those that have got there.
            let at =
                self.others.iter().rposition(|&(came, _)| came + INTAKE < now).ok_or_else(|| format!("cycle {now}: nothing to drop"))?;
            let is_range = |message: &Message| matches!(message, Message::Range(_));
            if at < if is_range(&self.others[at].1) { RANGES } else { ROOM } {
                return Err(format!("cycle {now}: a message is dropped, {at} wait"));
            }
            let ranges = self.others.iter().take(at).filter(|(_, message)| is_range(message)).count();
            if !is_range(&self.others[at].1) && ranges > RANGES + 1 {
                return Err(format!("cycle {now}: a feedback message is dropped, and {ranges} ranges wait"));
            }
            self.others.remove(at);
            self.seen.dropped += 1;
        }
        if self.get("feedback_valid") == 0 {
            if self.held.is_some() {
                return Err(format!("cycle {now}: feedback that was offered has gone"));
            }
            return Ok(());
        }
        let shown = ["kind", "qp", "psn", "start", "length", "credits"].map(|field| self.get(&format!("feedback_{field}")));
        let [kind, qp, psn, start, length, credits] = shown;
        if self.held.is_some_and(|held| held != shown) {
            return Err(format!("cycle {now}: feedback that was offered has changed"));
        }
        let is_new = self.held.is_none();
        self.held = (!takes).then_some(shown);
        if !is_new {
            return Ok(());
        }
        let qp = qp as u32;
        if kind == 0 {
            let at = &mut self.queue_pairs[qp as usize];
            let said = (psn as u32, credits as u8);
            let known = at.newest.iter().rev().find(|newest| newest.0 + INTAKE + LOOK < now).map(|newest| (newest.1, newest.2));
            if known != Some(said) {
                return Err(format!("cycle {now}: queue pair {qp} hears {said:?}, the newest was {known:?}"));
            }
            if let Some(latest) = at.newest.last().filter(|newest| (newest.1, newest.2) == said) {
                self.seen.latency[0] = self.seen.latency[0].max(now - latest.0);
            }
            at.told = Some(said);
            self.seen.told += 1;
            return Ok(());
        }
        let message = match kind {
            1 => Message::Range(RangeAck { qp, base: psn as u32, start: start as u32, length: length as u32 }),
            _ => {
                let (status, base) = (Cause::Depth, psn as u32);
                let (start, length) = (start as u32, length as u32);
                Message::Ffm(Ffm { qp, start, length, base, edge: 0, timestamp: 0, path: 0, status, depth: 0, repeat: 0, misjudged: 0 })
            }
        };
        let Some((came, expected)) = self.others.pop_front() else { return Err(format!("cycle {now}: {message:?}, expected nothing")) };
        if message != expected || credits != 31 || ![1, 3].contains(&kind) {
            return Err(format!("cycle {now}: kind {kind}, {message:?}, credits {credits}, expected {expected:?}"));
        }
        self.seen.latency[1] = self.seen.latency[1].min(now - came);
        self.seen.others += 1;
        Ok(())
    }

    /// A header comes in this clock.
    fn header(&mut self, frame: &Frame) {
        let now = self.model.cycle();
        let bth = &frame.bth;
        let index = bth.destination_qp.wrapping_sub(self.number);
        let ours = (index as usize) < self.queue_pairs.len();
        let is_known = [Opcode::ACKNOWLEDGE, Opcode::RANGE_ACK, Opcode::FFM].contains(&bth.opcode);
        if is_known && !ours {
            self.seen.unknown += 1;
        }
        if !is_known || !ours {
            return;
        }
        match frame.message(index) {
            None if bth.opcode == Opcode::ACKNOWLEDGE => self.seen.negative += 1,
            None => self.seen.malformed += 1,
            Some(Message::Ack(ack)) => {
                self.seen.acks += 1;
                let at = &mut self.queue_pairs[index as usize];
                let is_newer = at.newest.last().is_none_or(|newest| !psn::before(ack.psn, newest.1));
                if is_newer {
                    at.newest.push((now, ack.psn, ack.credits));
                }
            }
            // Of a feedback message the sender sees the gap and the base.
            Some(Message::Ffm(Ffm { qp, start, length, base, .. })) => {
                let status = Cause::Depth;
                let ffm = Ffm { qp, start, length, base, edge: 0, timestamp: 0, path: 0, status, depth: 0, repeat: 0, misjudged: 0 };
                self.others.push_back((now, Message::Ffm(ffm)));
            }
            Some(range) => self.others.push_back((now, range)),
        }
    }

    /// Opens a queue pair, whatever was heard of it.
    fn open(&mut self, qp: u32, first: u32) -> Result<(), String> {
        self.set("open_valid", 1);
        self.set("open_qp", qp);
        self.set("open_psn", first);
        self.set("header_valid", 0);
        self.set("feedback_ready", 0);
        self.model.eval();
        if self.get("open_ready") == 0 {
            return Err("a queue pair is not opened although no header comes".to_string());
        }
        self.look(false)?;
        let now = self.model.cycle();
        let at = &mut self.queue_pairs[qp as usize];
        at.newest.push((now, psn::sub(first, 1), 31));
        at.told = None;
        self.clock()?;
        self.set("open_valid", 0);
        Ok(())
    }

    fn clock(&mut self) -> Result<(), String> {
        self.model.clock();
        self.model.failure().map_or(Ok(()), |reason| Err(reason.to_string()))
    }
}

/// Headers of `count` frames, of all kinds and for all queue pairs, some of which are not ours; some are opened again on the way.
///
/// An acknowledgement that goes on is the newest that its queue pair has heard at that moment. At the end each has heard its newest. Other
/// messages go on in order, but for those that are dropped while `ROOM` wait.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: usize, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let width = model.ports()[model.port("feedback_qp").unwrap_or_else(|| panic!("no port `feedback_qp`"))].width;
    let queue_pairs = 1u32 << width;
    let number = rng.random_range(0..SPACE) & !(queue_pairs - 1);
    for name in ["header_valid", "open_valid", "feedback_ready"] {
        poke(model, name, 0);
    }
    poke(model, "cfg_number", (number | rng.random_range(0..queue_pairs)).into());
    poke(model, "rst", 1);
    model.clock();
    poke(model, "rst", 0);
    let heard = (0..queue_pairs).map(|_| Heard { newest: Vec::new(), told: None }).collect();
    let seen = Seen { latency: [0, u64::MAX], ..Seen::default() };
    let mut bench = Bench { model, number, queue_pairs: heard, others: VecDeque::new(), seen, counted: [0; 7], held: None };
    let begin = bench.model.cycle();
    bench.model.eval();
    while bench.get("ready") == 0 {
        bench.clock()?;
        bench.model.eval();
        if bench.model.cycle() - begin > u64::from(queue_pairs) + 2 {
            return Err("the tables are not clear in time".to_string());
        }
    }
    for qp in 0..queue_pairs {
        bench.open(qp, rng.random_range(0..SPACE))?;
    }
    let mut sent = 0;
    let mut quiet = 0;
    while quiet < 40 {
        if sent < count && rng.random_bool(0.002) {
            bench.open(rng.random_range(0..queue_pairs), rng.random_range(0..SPACE))?;
            continue;
        }
        let comes = sent < count && chance(&mut rng, pace.offer);
        let mut frame = None;
        if comes {
            sent += 1;
            // Few queue pairs, so that they merge; one in fifty is another's.
            let index = if rng.random_bool(0.5) { rng.random_range(0..queue_pairs.min(2)) } else { rng.random_range(0..queue_pairs) };
            let far = if rng.random_bool(0.02) { 1 << rng.random_range(width..24) } else { 0 };
            let near = bench.queue_pairs[index as usize].newest.last().map_or(0, |newest| newest.1);
            frame = Some(a_frame(&mut rng, pace, (number + index) ^ far, near));
        }
        bench.set("header_valid", comes.into());
        if let Some(frame) = &frame {
            bench.set("header_opcode", frame.bth.opcode.0.into());
            bench.set("header_dest_qp", frame.bth.destination_qp);
            bench.set("header_psn", frame.bth.psn);
            let words = body(frame);
            let port = bench.model.port("header_body").unwrap_or_else(|| panic!("no port `header_body`"));
            bench.model.poke(port, &words);
        }
        let takes = if sent == count { chance(&mut rng, pace.take.max(20)) } else { chance(&mut rng, pace.take) };
        bench.set("feedback_ready", takes.into());
        bench.model.eval();
        bench.look(takes)?;
        if let Some(frame) = &frame {
            bench.header(frame);
        }
        quiet = if sent < count || bench.held.is_some() || bench.get("feedback_valid") == 1 { 0 } else { quiet + 1 };
        bench.clock()?;
        if bench.model.cycle() - begin > 200 * (count as u64 + 100) + u64::from(queue_pairs) * 100 {
            return Err("nothing moves any more".to_string());
        }
    }
    for (qp, at) in bench.queue_pairs.iter().enumerate() {
        let newest = at.newest.last().map(|newest| (newest.1, newest.2));
        // Nothing is told of one that has heard nothing since it was opened.
        let opened = newest.is_some_and(|newest| newest.1 == 31) && at.told.is_none();
        if at.told != newest && !opened {
            return Err(format!("queue pair {qp} has heard {:?} last, the newest is {newest:?}", at.told));
        }
    }
    if !bench.others.is_empty() {
        return Err(format!("{} messages never came", bench.others.len()));
    }
    let seen = bench.seen;
    let counted =
        (bench.counted[0], bench.counted[1] + bench.counted[2], bench.counted[3], bench.counted[4], bench.counted[5], bench.counted[6]);
    let expected = (seen.acks, seen.others + seen.dropped, seen.negative, seen.malformed, seen.unknown, seen.dropped);
    if counted != expected {
        return Err(format!("counted {counted:?}, expected {expected:?}"));
    }
    Ok(seen)
}
