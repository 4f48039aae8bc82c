//! What the engine has been given, and what it must say of it.

use super::Seen;
use crate::wire::control_builder::{Node, Template};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::packets::Sender;
use rdma_rtl_golden::send::splitter::Segment;
use rdma_rtl_golden::wire::{Control, Reader, parse_judged};
use std::collections::{HashMap, VecDeque};

/// An operation as the engine is given it.
pub struct Operation {
    pub op: u32,
    pub segment: Segment,
    pub slot: Option<usize>,
    payload: Vec<u8>,
    psn: u32,
    /// packets told as sent for the first time
    sent: u16,
    aborted: bool,
    close_given: bool,
    closing: bool,
}

impl Operation {
    pub fn new(op: u32, segment: Segment, slot: Option<usize>, payload: Vec<u8>) -> Self {
        Self { op, segment, slot, payload, psn: 0, sent: 0, aborted: false, close_given: false, closing: false }
    }
}

struct Again {
    op: u32,
    packet: u16,
    tries: u8,
    /// its operation is being closed: it may be thrown away
    optional: bool,
    /// first transmissions that ended since it was taken
    waited: u64,
}

/// Told as sent: operation, packet, try.
pub type Told = (u32, u16, u8);

pub struct Follow {
    sender: Sender,
    template: Template,
    nodes: Vec<Option<Node>>,
    live: HashMap<u32, Operation>,
    gone: VecDeque<u32>,
    /// next sequence number of each node
    psn: Vec<u32>,
    first: VecDeque<(u32, u16)>,
    again: VecDeque<Again>,
    aborts: VecDeque<u32>,
    /// a frame ended in the clock before
    expected: Option<Told>,
    stale: u64,
    unknown: u64,
    frames: u64,
    run: u64,
    pub seen: Seen,
}

impl Follow {
    pub fn new(sender: Sender, template: Template, nodes: Vec<Option<Node>>) -> Self {
        Self {
            sender,
            template,
            psn: vec![0; nodes.len()],
            nodes,
            live: HashMap::new(),
            gone: VecDeque::new(),
            first: VecDeque::new(),
            again: VecDeque::new(),
            aborts: VecDeque::new(),
            expected: None,
            stale: 0,
            unknown: 0,
            frames: 0,
            run: 0,
            seen: Seen::default(),
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, segment: &Segment) -> Option<&Node> {
        self.nodes.get(usize::from(segment.node)).and_then(Option::as_ref)
    }

    /// What a packet carries; nothing if nobody knows its operation.
    pub fn payload(&self, op: u32, packet: u16) -> Vec<u8> {
        let Some(operation) = self.live.get(&op) else { return Vec::new() };
        let (at, size) = self.sender.place(&operation.segment, packet);
        operation.payload.get(at as usize..(at + size) as usize).map(<[u8]>::to_vec).unwrap_or_default()
    }

    /// Where the payload of an operation lies for its first transmission.
    pub fn slot(&self, op: u32) -> Option<usize> {
        self.live.get(&op).and_then(|operation| operation.slot)
    }

    /// Nothing is owed any more.
    pub fn over(&self) -> bool {
        self.live.is_empty() && self.again.is_empty() && self.aborts.is_empty() && self.expected.is_none()
    }

    pub fn what_is_left(&self) -> String {
        let owed = format!("{:?} first, {} again, {} aborts", self.first.front(), self.again.len(), self.aborts.len());
        format!("{} operations live, {owed}", self.live.len())
    }

    pub fn begin(&mut self, mut operation: Operation) {
        let segment = &operation.segment;
        if segment.kind == OpKind::Data
            && let Some(next) = self.psn.get_mut(usize::from(segment.node))
        {
            operation.psn = *next;
            *next = (*next + u32::from(segment.count)) & 0xff_ffff;
        }
        self.first.extend((0..segment.count).map(|packet| (operation.op, packet)));
        self.live.insert(operation.op, operation);
    }

    /// The keys in an order that does not depend on the map.
    fn numbers(&self, wanted: impl Fn(&Operation) -> bool) -> Vec<u32> {
        let mut found: Vec<u32> = self.live.values().filter(|o| wanted(o)).map(|o| o.op).collect();
        found.sort_unstable();
        found
    }

    pub fn pick_again(&self, rng: &mut ChaCha8Rng) -> Option<Told> {
        let found = self.numbers(|o| o.sent > 0 && !o.close_given);
        let op = *found.get(rng.random_range(0..found.len().max(1)))?;
        Some((op, rng.random_range(0..self.live[&op].sent), rng.random_range(1..32)))
    }

    pub fn pick_stale(&self, rng: &mut ChaCha8Rng, offered: Option<u32>) -> Option<u32> {
        let op = *self.gone.get(rng.random_range(0..self.gone.len().max(1)))?;
        (!self.live.contains_key(&op) && offered != Some(op)).then_some(op)
    }

    pub fn pick_abort(&mut self, rng: &mut ChaCha8Rng, percent: u32) -> Option<u32> {
        let found = self.numbers(|o| o.sent > 0 && !o.close_given && !o.aborted);
        let op = *found.get(rng.random_range(0..found.len().max(1)))?;
        // Whoever lives for long is asked often.
        if !rng.random_bool(f64::from(percent) / 1000.0) {
            return None;
        }
        if let Some(operation) = self.live.get_mut(&op) {
            operation.aborted = true;
        }
        Some(op)
    }

    pub fn pick_close(&mut self, rng: &mut ChaCha8Rng, early: f64, abort: Option<u32>, again: Option<u32>) -> Option<u32> {
        let early = rng.random_bool(early);
        let found = self.numbers(|o| {
            (o.sent == o.segment.count || (early && o.sent > 0)) && !o.close_given && Some(o.op) != abort && Some(o.op) != again
        });
        let op = *found.get(rng.random_range(0..found.len().max(1)))?;
        if let Some(operation) = self.live.get_mut(&op) {
            operation.close_given = true;
        }
        Some(op)
    }

    pub fn again(&mut self, op: u32, packet: u16, tries: u8) {
        match self.live.get(&op) {
            Some(_) => self.again.push_back(Again { op, packet, tries, optional: false, waited: 0 }),
            None => self.stale += 1,
        }
    }

    pub fn abort(&mut self, op: u32) {
        if self.node(&self.live[&op].segment).is_some() {
            self.aborts.push_back(op);
        } else {
            self.unknown += 1;
        }
    }

    pub fn close(&mut self, op: u32) {
        self.again.iter_mut().filter(|a| a.op == op).for_each(|a| a.optional = true);
        if let Some(operation) = self.live.get_mut(&op) {
            operation.closing = true;
        }
    }

    /// Takes this packet from those to be sent again, and those before it that were thrown away.
    fn take_again(&mut self, op: u32, packet: u16) -> Result<Again, String> {
        while let Some(front) = self.again.pop_front() {
            if (front.op, front.packet) == (op, packet) {
                return Ok(front);
            }
            if !front.optional {
                return Err(format!("packet {packet} of {op:#x} again, next is {} of {:#x}", front.packet, front.op));
            }
            self.stale += 1;
        }
        Err(format!("packet {packet} of {op:#x} again without being asked for"))
    }

    fn take_first(&mut self, op: u32, packet: u16) -> Result<(), String> {
        let next = self.first.pop_front();
        if next != Some((op, packet)) {
            return Err(format!("packet {packet} of {op:#x}, next is {next:x?}"));
        }
        self.again.iter_mut().for_each(|a| a.waited += 1);
        Ok(())
    }

    /// What the engine says has left, in this clock.
    pub fn told(&mut self, told: Option<Told>, over: bool, over_op: u32) -> Result<(), String> {
        let expected = self.expected.take();
        if expected.is_some() && expected != told {
            return Err(format!("told {told:x?}, sent {expected:x?}"));
        }
        let mut ends = false;
        if let Some((op, packet, tries)) = told {
            if expected.is_none() {
                // Only a packet for nobody leaves without a frame.
                if tries == 0 {
                    self.take_first(op, packet)?;
                } else if self.take_again(op, packet)?.tries != tries {
                    return Err(format!("packet {packet} of {op:#x} told with try {tries}"));
                }
                self.unknown += 1;
                let operation = self.live.get(&op).ok_or_else(|| format!("told a packet of {op:#x}, which is over"))?;
                if self.node(&operation.segment).is_some() {
                    return Err(format!("packet {packet} of {op:#x} told without a frame"));
                }
            }
            let operation = self.live.get_mut(&op).ok_or_else(|| format!("told a packet of {op:#x}, which is over"))?;
            if tries == 0 {
                operation.sent += 1;
                ends = operation.sent == operation.segment.count;
            }
        }
        if over != ends || (over && told.map(|t| t.0) != Some(over_op)) {
            return Err(format!("first transmission of {over_op:#x} over: {over}, expected {ends}"));
        }
        Ok(())
    }

    pub fn closed(&mut self, op: u32) -> Result<Operation, String> {
        let operation = self.live.remove(&op).ok_or_else(|| format!("{op:#x} closed, and is not live"))?;
        if !operation.closing || operation.sent != operation.segment.count {
            return Err(format!("{op:#x} closed after {} of {} packets", operation.sent, operation.segment.count));
        }
        // What was still to be sent again is thrown away.
        let before = self.again.len();
        self.again.retain(|a| a.op != op);
        self.stale += (before - self.again.len()) as u64;
        if self.aborts.contains(&op) {
            return Err(format!("{op:#x} closed before its abort"));
        }
        self.gone.push_back(op);
        self.gone.truncate(8);
        if self.gone.len() == 8 {
            self.gone.pop_front();
        }
        Ok(operation)
    }

    /// A frame has left.
    pub fn frame(&mut self, bytes: &[u8]) -> Result<(), String> {
        let read = parse_judged(bytes, true, &Reader::registry()).map_err(|reason| format!("{bytes:02x?} reads as {reason}"))?;
        let header = read.header().ok_or_else(|| format!("{bytes:02x?} is no packet of an operation"))?;
        self.frames += 1;
        let op = header.op;
        let operation = self.live.get(&op).ok_or_else(|| format!("a frame of {op:#x}, which is over"))?;
        let segment = operation.segment.clone();
        let (psn, target) = (operation.psn, segment.target);
        let packet = (header.addr.wrapping_sub(target) / u64::from(self.sender.packet_size)) as u16;
        let retransmitted = read.bth.reserved6 & 1 == 1;
        let frame = if matches!(read.control, Some(Control::DataArrival { status: 1, .. })) {
            self.seen.aborts += 1;
            if self.aborts.pop_front() != Some(op) {
                return Err(format!("an abort of {op:#x} out of order"));
            }
            self.sender.abort(&segment, op)
        } else {
            let tries = if retransmitted {
                self.seen.again += 1;
                self.run += u64::from(!self.first.is_empty());
                self.seen.longest_again = self.seen.longest_again.max(self.run);
                let again = self.take_again(op, packet)?;
                self.seen.longest_first = self.seen.longest_first.max(again.waited);
                again.tries
            } else {
                self.run = 0;
                self.take_first(op, packet)?;
                0
            };
            self.seen.arrivals += u64::from(segment.kind == OpKind::Arrival);
            self.expected = Some((op, packet, tries));
            let payload = self.payload(op, packet);
            self.sender.frame(&segment, op, packet, retransmitted, (psn + u32::from(packet)) & 0xff_ffff, payload)
        };
        let node = self.node(&segment).ok_or_else(|| format!("a frame of {op:#x}, whose node is unknown"))?;
        let expected = self.template.bytes(frame, node);
        if expected != bytes {
            let at = expected.iter().zip(bytes).position(|(a, b)| a != b).unwrap_or(expected.len().min(bytes.len()));
            let (found, wanted) = (bytes.len(), expected.len());
            return Err(format!(
                "packet {packet} of {op:#x}: byte {at} differs, {found} bytes, expected {wanted}\n{bytes:02x?}\n{expected:02x?}"
            ));
        }
        Ok(())
    }

    /// What the counters must say.
    pub fn finish(self) -> Result<Seen, String> {
        let (seen, own) = ([self.seen.frames, self.seen.stale, self.seen.unknown], [self.frames, self.stale, self.unknown]);
        if seen != own {
            return Err(format!("frames, stale, unknown counted as {seen:?}, expected {own:?}"));
        }
        Ok(self.seen)
    }
}
