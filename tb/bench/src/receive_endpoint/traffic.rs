//! Senders in front of a receive endpoint: operations in packets, reordered, duplicated, with lost starts that are sent again until the
//! sender has been told; and the host, who checks memory at each completion.

use super::{Endpoint, QP};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::memory::{Completion, ENTRY, What};
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::{Control, Frame, Ip};

/// Where the places of the operations lie, and how far apart.
const DATA: u64 = 0x12_3400_0000;
const APART: u64 = 1 << 24;

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    /// operations in all, and at a time
    pub operations: usize,
    pub live: usize,
    pub sources: u16,
    pub packet_size: usize,
    /// packets of the largest operation
    pub packets: usize,
    pub mask_bits: usize,
    /// packets among which the next one is chosen
    pub window: usize,
    /// clocks after which a sender sends again what it has heard nothing of
    pub again: u64,
    /// percent of the packets that come twice, of the starts that are lost at first, of the operations that are data arrivals
    pub duplicates: u32,
    pub lost_starts: u32,
    pub arrivals: u32,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub operations: u64,
    pub arrivals: u64,
    pub frames: u64,
    pub bytes: u64,
    pub sent_again: u64,
    pub control_packets: u64,
    pub clocks: u64,
}

struct Operation {
    src: u16,
    op: u32,
    place: usize,
    base: u64,
    payload: Vec<u8>,
    imm: Option<u32>,
    arrival: bool,
    acknowledged: Vec<bool>,
    completed: bool,
    told: bool,
    again: u64,
}

impl Operation {
    fn header(&self, packet: usize, plan: &Plan) -> Header {
        let count = self.acknowledged.len();
        let at = packet * plan.packet_size;
        let bytes = self.payload.len().saturating_sub(at).min(plan.packet_size);
        let kind = match (self.arrival, packet) {
            (true, _) => Kind::Arrival,
            (false, 0) => Kind::Start,
            (false, _) => Kind::Body,
        };
        Header {
            kind,
            src: self.src,
            op: self.op,
            addr: self.base + at as u64,
            bytes: if self.arrival { 0 } else { bytes as u16 },
            op_bytes: if self.arrival { 0x1234 } else { self.payload.len() as u32 },
            count: if kind == Kind::Start { count as u16 } else { 0 },
            rkey: 0x77,
            imm: self.imm.filter(|_| packet + 1 == count),
        }
    }

    fn completion(&self, plan: &Plan) -> Completion {
        let ends = !self.arrival;
        Completion {
            what: if self.arrival { What::Arrival } else { What::Operation },
            src: self.src,
            op: self.op,
            base: self.base,
            bytes: if ends { self.payload.len() as u32 } else { 0x1234 },
            packets: if ends { self.acknowledged.len() as u16 } else { 0 },
            status: 0,
            imm: self.imm,
            mask: vec![u32::MAX; plan.mask_bits / 32],
        }
    }
}

struct Traffic {
    plan: Plan,
    rng: ChaCha8Rng,
    live: Vec<Operation>,
    places: Vec<usize>,
    next_op: Vec<u32>,
    /// frames that are on their way to the endpoint, not yet offered
    network: Vec<Vec<u8>>,
    begun: usize,
    done: Done,
}

/// Frames of random size and place around the headers: IPv4 with options, IPv6, VLAN.
fn frame(rng: &mut ChaCha8Rng, header: &Header, payload: &[u8]) -> Vec<u8> {
    let mut frame = Frame::carrying(header, rng.random_range(0..1 << 24));
    frame.bth.destination_qp = QP;
    if header.kind.has_payload() {
        frame.payload = payload.to_vec();
    }
    frame.vlan = rng.random_bool(0.3).then(|| rng.random());
    if rng.random_bool(0.3) {
        frame.ip = Ip::V6 { source: rng.random::<u128>().into(), destination: rng.random::<u128>().into() };
    } else if rng.random_bool(0.2) {
        frame.ip_options = vec![1; 4 * rng.random_range(1..=10)];
    }
    frame.to_bytes()
}

impl Traffic {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn send(&mut self, at: usize, packet: usize) {
        let header = self.live[at].header(packet, &self.plan);
        let from = packet * self.plan.packet_size;
        let payload = self.live[at].payload.get(from..from + usize::from(header.bytes)).unwrap_or_default().to_vec();
        let copies = if self.chance(self.plan.duplicates) { 2 } else { 1 };
        for _ in 0..copies {
            let bytes = frame(&mut self.rng, &header, &payload);
            self.network.push(bytes);
        }
    }

    fn begin(&mut self, now: u64) {
        let Some(place) = self.places.pop() else { return };
        let src = self.rng.random_range(0..self.plan.sources);
        let op = self.next_op[usize::from(src)];
        self.next_op[usize::from(src)] = (op + 1) % (1 << OP_BITS);
        let arrival = self.chance(self.plan.arrivals);
        let largest = self.plan.packets * self.plan.packet_size;
        // Most by the logarithm: as many of a few bytes as of a few packets, so that a clock brings more of what an operation begins and
        // ends with.
        let bytes = match self.rng.random_range(0..16) {
            0 => self.plan.packet_size * self.rng.random_range(1..=self.plan.packets),
            1 => self.rng.random_range(1..=largest),
            _ => ((largest as f64).powf(self.rng.random()) as usize).clamp(1, largest),
        };
        let mut payload = vec![0; if arrival { 0 } else { bytes }];
        self.rng.fill_bytes(&mut payload);
        let count = payload.len().div_ceil(self.plan.packet_size).max(1);
        let imm = (!arrival && self.rng.random_bool(0.3)).then(|| self.rng.random());
        let base = DATA + APART * place as u64;
        let acknowledged = vec![false; count];
        self.live.push(Operation {
            src,
            op,
            place,
            base,
            payload,
            imm,
            arrival,
            acknowledged,
            completed: false,
            told: false,
            again: now + self.plan.again,
        });
        self.begun += 1;
        let at = self.live.len() - 1;
        for packet in 0..count {
            if packet > 0 || !self.chance(self.plan.lost_starts) {
                self.send(at, packet);
            }
        }
    }

    /// What nobody has acknowledged; the start, if all is but nobody has told of the end.
    fn send_again(&mut self, now: u64) {
        for at in 0..self.live.len() {
            if self.live[at].told || self.live[at].again > now {
                continue;
            }
            self.live[at].again = now + self.plan.again;
            let mut missing: Vec<usize> = (0..self.live[at].acknowledged.len()).filter(|&i| !self.live[at].acknowledged[i]).collect();
            if missing.is_empty() {
                missing.push(0);
            }
            self.done.sent_again += missing.len() as u64;
            missing.into_iter().for_each(|packet| self.send(at, packet));
        }
    }

    /// What the network delivers: any of the first `window` frames.
    fn deliver(&mut self, endpoint: &mut Endpoint) {
        while !self.network.is_empty() && endpoint.frames.waiting() < 200 {
            let at = self.rng.random_range(0..self.network.len().min(self.plan.window));
            let bytes = self.network.remove(at);
            endpoint.frames.packet(&bytes, 0);
            self.done.frames += 1;
        }
    }

    fn hear(&mut self, node: u16, frame: &Frame) -> Result<(), String> {
        self.done.control_packets += 1;
        match frame.control {
            Some(Control::Completion { op, status: 0, packets }) => {
                // A late copy of a packet may be answered when nobody waits any more.
                let Some(found) = self.live.iter_mut().find(|o| (o.src, o.op) == (node, op)) else { return Ok(()) };
                let expected = if found.arrival { 0 } else { found.acknowledged.len() as u32 };
                if packets != expected && packets != 0 {
                    return Err(format!("node {node} op {op:#x}: told of {packets} packets, it has {expected}"));
                }
                found.told = true;
                Ok(())
            }
            Some(Control::OpAck { op, index, status: 0, mask }) => {
                let Some(found) = self.live.iter_mut().find(|o| (o.src, o.op) == (node, op)) else { return Ok(()) };
                for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                    match found.acknowledged.get_mut(usize::from(index) + bit) {
                        Some(packet) => *packet = true,
                        None => return Err(format!("node {node} op {op:#x}: packet {} acknowledged", usize::from(index) + bit)),
                    }
                }
                Ok(())
            }
            _ => Err(format!("node {node} hears {:?}", frame.control)),
        }
    }

    /// One completion: its operation, once, with all its bytes in memory and none beside.
    fn complete(&mut self, endpoint: &Endpoint, entry: &[u8; ENTRY]) -> Result<(), String> {
        let (src, op) = (u16::from_le_bytes([entry[16], entry[17]]), u32::from_le_bytes([entry[20], entry[21], entry[22], 0]));
        let plan = self.plan;
        let found = self.live.iter_mut().find(|o| (o.src, o.op) == (src, op) && !o.completed);
        let found = found.ok_or_else(|| format!("completion of source {src} op {op:#x}, which is not live"))?;
        let number = u32::from_le_bytes([entry[56], entry[57], entry[58], entry[59]]);
        let expected = found.completion(&plan).entry(number, super::RING_LOG2);
        if *entry != expected {
            return Err(format!("completion of source {src} op {op:#x} is {entry:02x?}, expected {expected:02x?}"));
        }
        let bytes = endpoint.memory.bytes(found.base, plan.packets * plan.packet_size).unwrap_or_default();
        let wrong = bytes.iter().enumerate().find(|(i, b)| **b != found.payload.get(*i).copied().unwrap_or(0));
        if let Some((at, byte)) = wrong {
            return Err(format!("source {src} op {op:#x}: byte {at} of {} in memory is {byte:#04x}", found.payload.len()));
        }
        found.completed = true;
        if found.arrival {
            self.done.arrivals += 1;
        } else {
            self.done.operations += 1;
            self.done.bytes += found.payload.len() as u64;
        }
        Ok(())
    }

    fn retire(&mut self, endpoint: &mut Endpoint) {
        let size = self.plan.packets * self.plan.packet_size;
        let (over, live) = self.live.drain(..).partition(|o| o.completed && o.told);
        self.live = live;
        for operation in over {
            let operation: Operation = operation;
            endpoint.memory.put(operation.base, &vec![0; size]);
            self.places.insert(0, operation.place);
        }
    }
}

/// Memory for the places of a plan; once for an endpoint.
pub fn furnish(endpoint: &mut Endpoint, plan: &Plan) {
    for place in 0..plan.live {
        endpoint.memory.region(DATA + APART * place as u64, plan.packets * plan.packet_size);
    }
}

/// Runs a plan to its end, or until `stop` clocks have passed: then `None`. Without `stop` the counters must have been zero.
/// # Errors
/// Anything that is not as it should be, with the clock.
pub fn run(endpoint: &mut Endpoint, plan: &Plan, stop: Option<u64>) -> Result<Option<Done>, String> {
    let begin = endpoint.now();
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let next_op = (0..plan.sources).map(|_| rng.random_range(0..1 << OP_BITS)).collect();
    for place in 0..plan.live {
        endpoint.memory.put(DATA + APART * place as u64, &vec![0; plan.packets * plan.packet_size]);
    }
    let places = (0..plan.live).collect();
    let mut t = Traffic { plan: *plan, rng, live: Vec::new(), places, next_op, network: Vec::new(), begun: 0, done: Done::default() };
    let mut quiet_since = begin;
    while t.begun < plan.operations || !t.live.is_empty() || !t.network.is_empty() {
        let now = endpoint.now();
        if stop.is_some_and(|clocks| now - begin >= clocks) {
            return Ok(None);
        }
        let at = |e: String| format!("cycle {now}: {e}");
        while t.begun < plan.operations && t.live.len() < plan.live && t.network.len() < 200 {
            t.begin(now);
        }
        t.send_again(now);
        t.deliver(endpoint);
        for _ in 0..20 {
            endpoint.clock();
        }
        endpoint.sound().map_err(at)?;
        for (node, frame) in endpoint.control_packets().map_err(at)? {
            t.hear(node, &frame).map_err(at)?;
        }
        if endpoint.interrupt() {
            for entry in endpoint.completions().map_err(at)? {
                t.complete(endpoint, &entry).map_err(at)?;
                quiet_since = now;
            }
            endpoint.write("interrupt_status", 1).map_err(at)?;
        }
        t.retire(endpoint);
        if now - quiet_since > 40 * plan.again {
            let waiting: Vec<_> = t.live.iter().map(|o| (o.src, o.op, o.completed, o.told, o.acknowledged.len())).collect();
            return Err(at(format!("no completion for {} clocks, live: {waiting:?}", now - quiet_since)));
        }
    }
    endpoint.settle()?;
    if !endpoint.completions()?.is_empty() {
        return Err("a completion after the last operation was over".into());
    }
    let damaged = endpoint.memory.damaged();
    if let Some(address) = damaged.first() {
        return Err(format!("{} guard bytes written, the first at {address:#x}", damaged.len()));
    }
    endpoint.sound()?;
    // Every frame is counted once by what became of it.
    let counters = endpoint.counters()?;
    let count = |names: &[&str]| names.iter().map(|n| counters.get(&format!("count_{n}")).copied().unwrap_or(0)).sum::<u64>();
    let ends = count(&["accepted", "duplicate", "stale", "escape_timeout", "escape_full", "quota", "arrivals", "frame_no_slot"]);
    if stop.is_none() && (count(&["frames"]) != t.done.frames || ends != t.done.frames || count(&["memory_errors"]) != 0) {
        return Err(format!("{} frames were sent, counters are {counters:?}", t.done.frames));
    }
    if stop.is_none() && (count(&["completed"]), count(&["completions"])) != (t.done.operations, t.done.operations + t.done.arrivals) {
        return Err(format!("{:?}, counters are {counters:?}", t.done));
    }
    t.done.control_packets += endpoint.control_packets()?.len() as u64;
    t.done.clocks = endpoint.now() - begin;
    Ok(Some(t.done))
}
