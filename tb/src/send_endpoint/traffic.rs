//! Commands at a send endpoint, receivers behind a bad network, and the host who checks each completion.
//!
//! Every frame is compared byte by byte with the golden packets; what must follow from what was answered is kept per operation, as far as the wire shows it.

use super::Endpoint;
use super::addresses::Addresses;
use super::peer::{Address, Message, Mix, acknowledge, forge};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::memory::{self, ENTRY, What};
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::packets::Sender;
use rdma_rtl_golden::send::splitter::{self, Block, Command, Config as Cut, Refusal, Segment, Splitter};
use rdma_rtl_golden::send::{OpKind, status};
use rdma_rtl_golden::wire::{Control, Reader, parse_judged};
use rdma_rtl_sim::cdma::Fault;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where the sources lie, how far apart, and an address where there is no memory.
const SOURCES: u64 = 0x20_0000_0000;
const APART: u64 = 1 << 24;
const NOWHERE: u64 = 0x66_0000_0000;
/// Where the targets lie, each command at its own.
const TARGETS: u64 = 0x1000_0000_0000;
/// Clocks in which something must have happened.
const PATIENCE: u64 = 400_000;

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    pub commands: usize,
    /// commands of which the host waits for the completion at a time
    pub live: usize,
    /// bytes of the largest one
    pub largest: u32,
    pub nodes: u16,
    pub index_bits: u32,
    pub splitter: splitter::Params,
    pub cut: Cut,
    pub timers: Timers,
    pub mix: Mix,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub commands: u64,
    pub refused: u64,
    pub failed: u64,
    pub operations: u64,
    pub arrivals: u64,
    pub frames: u64,
    pub again: u64,
    pub aborts: u64,
    pub messages: u64,
    pub forged: u64,
    pub bytes: u64,
    pub cdma_errors: u64,
    pub clocks: u64,
}

/// A command of which something is still to come.
struct Posted {
    command: Command,
    segments: Vec<Segment>,
    payload: Vec<u8>,
    place: usize,
    refusal: Option<Refusal>,
    /// op number of each segment that has begun
    begun: Vec<Option<u16>>,
    /// statuses that its completion may have, but for success
    failures: BTreeSet<u8>,
    /// a source of it is no memory
    broken: bool,
    told: Option<u8>,
    arrival: Option<u16>,
}

struct Operation {
    id: u16,
    segment: Segment,
    psn: u32,
    /// of each packet: how often it was sent, when it last was, whether it may be sent before its time, and what the endpoint has been told
    tries: Vec<u32>,
    last: Vec<u64>,
    hurry: Vec<u32>,
    acknowledged: Vec<bool>,
    received: Vec<bool>,
    /// told to try later so often
    overlaps: u32,
    ended: Option<u8>,
    aborted: bool,
    dead: bool,
    rejects: Option<u8>,
}

impl Operation {
    fn sent(&self) -> usize {
        self.tries.iter().take_while(|&&n| n > 0).count()
    }

    /// A packet of it may have been tried as often as is allowed.
    fn exhausted(&self, timers: &Timers) -> bool {
        let most = self.tries.iter().zip(&self.hurry).map(|(n, hurry)| n + hurry).max().unwrap_or(0);
        most + self.overlaps > u32::from(timers.retry_limit)
    }
}

/// Both ends of a run. It goes on over resets.
pub struct Traffic {
    plan: Plan,
    rng: ChaCha8Rng,
    addresses: Addresses,
    sender: Sender,
    posted: BTreeMap<u16, Posted>,
    /// told, newest last: late packets of theirs may come
    past: VecDeque<u16>,
    operations: BTreeMap<u16, Operation>,
    messages: Vec<Message>,
    places: Vec<usize>,
    psn: Vec<u32>,
    next: u64,
    given: usize,
    moved: u64,
    counted: BTreeMap<&'static str, u64>,
    /// no more of the CDMA's failures is foreseen
    pub cdma_dead: bool,
    pub done: Done,
}

impl Traffic {
    /// Sources are furnished, and what the plan says of the CDMA holds from now on.
    pub fn new(endpoint: &mut Endpoint, plan: &Plan) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        let addresses = Addresses::random(&mut rng, plan.nodes);
        if let Some(cdma) = &mut endpoint.cdma {
            for place in 0..plan.live {
                let room = plan.largest as usize + 512;
                cdma.inner_mut().memory().region(SOURCES + APART * place as u64, room);
            }
        }
        let mut traffic = Traffic {
            sender: Sender { packet_size: plan.splitter.packet_size, src: addresses.src },
            addresses,
            rng,
            posted: BTreeMap::new(),
            past: VecDeque::new(),
            operations: BTreeMap::new(),
            messages: Vec::new(),
            places: (0..plan.live).collect(),
            psn: vec![0; plan.nodes.into()],
            next: 0,
            given: 0,
            moved: 0,
            counted: BTreeMap::new(),
            cdma_dead: false,
            done: Done::default(),
            plan: *plan,
        };
        traffic.change(endpoint, plan.commands, plan.mix);
        traffic
    }

    /// So many commands more, and another network, from now on.
    pub fn change(&mut self, endpoint: &mut Endpoint, commands: usize, mix: Mix) {
        (self.plan.commands, self.plan.mix, self.given) = (commands, mix, 0);
        if let Some(cdma) = &mut endpoint.cdma {
            cdma.inner_mut().inject_at_random(mix.cdma, &Fault::ERRORS);
        }
    }

    /// Everything that software sets.
    /// # Errors
    /// As [`super::addresses::set_up`].
    pub fn set_up(&self, endpoint: &mut Endpoint) -> Result<(), String> {
        super::addresses::set_up(endpoint, &self.addresses, self.plan.cut, self.plan.timers)
    }

    /// The endpoint was reset. A command that it has not taken is still there if `stays`; nothing else is.
    pub fn forget(&mut self, stays: bool) {
        let newest = if stays { self.next.checked_sub(1).map(|n| n as u16) } else { None };
        self.posted.retain(|id, _| Some(*id) == newest);
        self.past.clear();
        self.operations.clear();
        self.messages.clear();
        self.psn.fill(0);
        let used: Vec<usize> = self.posted.values().map(|posted| posted.place).collect();
        self.places = (0..self.plan.live).filter(|place| !used.contains(place)).collect();
        self.counted.clear();
    }

    fn count(&mut self, what: &'static str) {
        *self.counted.entry(what).or_default() += 1;
    }

    /// A command of any size, whose blocks lie anywhere in its place.
    fn draw(&mut self, place: usize) -> Command {
        let packet = self.plan.splitter.packet_size;
        let rng = &mut self.rng;
        let bytes = match rng.random_range(0..8) {
            0 => rng.random_range(1..=8),
            1 | 2 => rng.random_range(1..=2 * packet),
            3 => packet * rng.random_range(1..=4) - rng.random_range(0..3),
            4 => self.plan.cut.threshold - rng.random_range(0..2) + rng.random_range(0..2),
            _ => rng.random_range(1..=self.plan.largest),
        }
        .min(self.plan.largest);
        let mut left = bytes;
        let mut blocks = Vec::new();
        let mut at = SOURCES + APART * place as u64 + rng.random_range(0..64u64);
        for after in (0..rng.random_range(1..=4u32)).rev() {
            let size = if after == 0 || left == 1 { left } else { rng.random_range(1..left) };
            blocks.push(Block { source: at, bytes: size });
            at += u64::from(size) + rng.random_range(0..64u64);
            left -= size;
            if left == 0 {
                break;
            }
        }
        let swap = rng.random_range(0..blocks.len());
        blocks.swap(0, swap);
        if rng.random_range(0..100) < self.plan.mix.broken {
            let which = rng.random_range(0..blocks.len());
            blocks[which].source = NOWHERE;
        }
        let mut command = Command {
            id: self.next as u16,
            target: TARGETS + APART * (self.next & 0xffff),
            node: rng.random_range(0..self.plan.nodes),
            qp: rng.random_range(0..1 << 24),
            rkey: rng.random(),
            imm: rng.random::<bool>().then(|| rng.random()),
            arrival: rng.random_range(0..3) == 0,
            blocks,
        };
        if rng.random_range(0..100) < self.plan.mix.refused {
            match rng.random_range(0..5) {
                0 => command.blocks.clear(),
                1 => command.blocks[0].bytes = 0,
                2 => command.target += u64::from(rng.random_range(1..packet)),
                3 if command.bytes() > u64::from(packet) => command.target = u64::MAX - u64::from(packet) + 1,
                3 => command.blocks[0].bytes = 0,
                _ => command.blocks[0].source = u64::MAX - rng.random_range(0..u64::from(command.blocks[0].bytes)),
            }
        }
        command
    }

    /// Posts a command if there is a place for it.
    fn post(&mut self, endpoint: &mut Endpoint) {
        if self.given >= self.plan.commands || endpoint.commands.as_ref().is_none_or(|c| c.waiting() > 0) {
            return;
        }
        // the newest number has been used by nobody for long
        let id = self.next as u16;
        if self.posted.contains_key(&id) {
            return;
        }
        let Some(place) = self.places.pop() else { return };
        let command = self.draw(place);
        let refusal = Refusal::of(&command, &self.plan.splitter, &self.plan.cut);
        let mut bytes = vec![0; self.plan.largest as usize + 512];
        self.rng.fill_bytes(&mut bytes);
        let (mut payload, mut broken) = (Vec::new(), false);
        if let Some(cdma) = endpoint.cdma.as_mut().filter(|_| refusal.is_none()) {
            let memory = cdma.inner_mut().memory();
            memory.put(SOURCES + APART * place as u64, &bytes);
            for block in &command.blocks {
                let found = memory.bytes(block.source, block.bytes as usize);
                broken |= found.is_none();
                payload.extend(found.unwrap_or(&vec![0; block.bytes as usize]));
            }
        }
        let segments = if refusal.is_none() { segments(&self.plan, &command) } else { Vec::new() };
        endpoint.command(&command);
        self.done.commands += 1;
        self.given += 1;
        self.next += 1;
        match refusal {
            None => self.count("count_commands"),
            Some(reason) => {
                self.done.refused += 1;
                self.count(REASONS[reason as usize - Refusal::ALL[0] as usize]);
            }
        }
        let begun = vec![None; segments.len()];
        let posted =
            Posted { command, segments, payload, place, refusal, begun, failures: BTreeSet::new(), broken, told: None, arrival: None };
        self.posted.insert(id, posted);
    }

    /// The first packet of an operation: which one it is.
    fn begin(&mut self, header: &Header) -> Result<(), String> {
        let Header { op, addr, kind, .. } = *header;
        if kind == Kind::Body {
            return Err(format!("a packet of {op:#06x}, of which there was none before, is no start"));
        }
        if let Some(old) = self.operations.get(&op).filter(|o| o.ended.is_none() && !o.exhausted(&self.plan.timers)) {
            return Err(format!("{op:#06x} begins for {addr:#x}, but is live for {:#x}", old.segment.target));
        }
        let id = (addr.wrapping_sub(TARGETS) / APART) as u16;
        let posted = self.posted.get_mut(&id).ok_or_else(|| format!("{op:#06x} begins at {addr:#x}, where no command is"))?;
        let segment = if kind == Kind::Arrival {
            if posted.told != Some(status::DONE) && !all_acknowledged(posted, &self.operations) {
                return Err(format!("command {id:#06x} arrives before its data"));
            }
            if !posted.command.arrival || posted.arrival.replace(op).is_some() {
                return Err(format!("command {id:#06x} arrives, and should not"));
            }
            let (bytes, first) = (posted.command.bytes() as u32, &posted.segments[0]);
            Segment {
                kind: OpKind::Arrival,
                target: posted.command.target,
                bytes,
                count: 1,
                imm: None,
                pieces: Vec::new(),
                ..first.clone()
            }
        } else {
            if let Some(told) = posted.told {
                return Err(format!("command {id:#06x} goes on after it was told to have ended with {told}"));
            }
            let at = posted.segments.iter().position(|s| s.target == addr).ok_or_else(|| format!("no segment begins at {addr:#x}"))?;
            if let Some(other) = posted.begun[at].replace(op) {
                return Err(format!("{op:#06x} begins at {addr:#x} as {other:#06x} did"));
            }
            posted.segments[at].clone()
        };
        let psn = &mut self.psn[usize::from(segment.node)];
        let first = *psn;
        if segment.kind == OpKind::Data {
            *psn = (*psn + u32::from(segment.count)) & 0xff_ffff;
            self.done.operations += 1;
        } else {
            self.done.arrivals += 1;
        }
        let count = usize::from(segment.count);
        let mix = self.plan.mix;
        let dead = self.rng.random_range(0..100) < mix.dead;
        let rejects = (self.rng.random_range(0..100) < mix.rejected).then(|| [1, 4, 5, 9, 13, 15, 16][self.rng.random_range(0..7)]);
        let operation = Operation {
            id,
            segment,
            psn: first,
            tries: vec![0; count],
            last: vec![0; count],
            hurry: vec![0; count],
            acknowledged: vec![false; count],
            received: vec![false; count],
            overlaps: 0,
            ended: None,
            aborted: false,
            dead,
            rejects,
        };
        self.operations.insert(op, operation);
        Ok(())
    }

    /// A frame has left at `now`.
    fn frame(&mut self, now: u64, bytes: &[u8]) -> Result<(), String> {
        let read = parse_judged(bytes, true, &Reader::registry()).map_err(|reason| format!("{bytes:02x?} reads as {reason}"))?;
        let header = read.header().ok_or_else(|| format!("{bytes:02x?} is no packet of an operation"))?;
        let (op, again) = (header.op, read.bth.reserved6 & 1 == 1);
        self.count("count_data_frames");
        self.done.frames += 1;
        let timers = self.plan.timers;
        let known = |t: &Self| t.operations.contains_key(&op);
        let expected = if header.kind == Kind::Abort {
            self.count("count_aborts");
            self.done.aborts += 1;
            let operation = self.operations.get_mut(&op).ok_or_else(|| format!("an abort of {op:#06x}, which never was"))?;
            if operation.aborted || !operation.exhausted(&timers) {
                return Err(format!("{op:#06x} is aborted, tried {:?} times", operation.tries));
            }
            operation.aborted = true;
            self.sender.abort(&operation.segment, op)
        } else {
            if !again && (header.kind != Kind::Body || !known(self)) {
                self.begin(&header)?;
            }
            let operation = self.operations.get_mut(&op).ok_or_else(|| format!("{op:#06x} is sent again, which never was"))?;
            let at = header.addr.wrapping_sub(operation.segment.target);
            let packet = if operation.segment.kind == OpKind::Arrival { 0 } else { (at / u64::from(self.sender.packet_size)) as usize };
            let tries = operation.tries.get(packet).copied().ok_or_else(|| format!("packet {packet} of {op:#06x}"))?;
            if again != (tries > 0) || (!again && packet != operation.sent()) {
                return Err(format!("packet {packet} of {op:#06x}, again: {again}, after {:?}", operation.tries));
            }
            if again {
                if tries > u32::from(timers.retry_limit) {
                    return Err(format!("packet {packet} of {op:#06x} was sent {tries} times before"));
                }
                // clocks since its timer was started; a tick that has begun counts as a whole one
                let least = timers.patience(tries as u8 - 1).saturating_sub(1) * u64::from(timers.prescale);
                let waited = now - operation.last[packet];
                if operation.hurry[packet] > 0 {
                    operation.hurry[packet] -= 1;
                } else if waited < least {
                    return Err(format!("packet {packet} of {op:#06x} is sent again after {waited} clocks, {least} are the least"));
                }
                self.done.again += 1;
            }
            operation.tries[packet] += 1;
            operation.last[packet] = now;
            let posted = self.posted.get(&operation.id).ok_or_else(|| format!("{op:#06x}: its command is long over"))?;
            let (at, size) = self.sender.place(&operation.segment, packet as u16);
            let from = (operation.segment.target - posted.command.target) as usize + at as usize;
            let payload = posted.payload.get(from..from + size as usize).map(<[u8]>::to_vec).unwrap_or_default();
            self.done.bytes += payload.len() as u64;
            let psn = (operation.psn + packet as u32) & 0xff_ffff;
            let frame = self.sender.frame(&operation.segment, op, packet as u16, again, psn, payload);
            self.count("count_packets");
            if again {
                self.count("count_retransmissions");
            }
            self.answer(now, op, packet);
            frame
        };
        let segment = &self.operations[&op].segment;
        let node = &self.addresses.nodes[usize::from(segment.node)];
        let expected = self.addresses.template.bytes(expected, node);
        if expected != bytes {
            let at = expected.iter().zip(bytes).position(|(a, b)| a != b).unwrap_or(expected.len().min(bytes.len()));
            let (found, wanted) = (bytes.len(), expected.len());
            return Err(format!("{op:#06x}: byte {at} differs, {found} bytes, expected {wanted}\n{bytes:02x?}\n{expected:02x?}"));
        }
        Ok(())
    }

    fn say(&mut self, due: u64, control: Control, address: Address) {
        self.messages.push(Message { due, control, address });
    }

    /// The network and the receiver do with a packet what they do.
    fn answer(&mut self, now: u64, op: u16, packet: usize) {
        let (mix, timers) = (self.plan.mix, self.plan.timers);
        let Some(operation) = self.operations.get_mut(&op) else { return };
        let rng = &mut self.rng;
        let mut percent = |p: u32| rng.random_range(0..100) < p;
        let (lost, negative, silent, late, doubled) =
            (percent(mix.lost), percent(mix.negative), percent(mix.silent), percent(mix.late), percent(mix.doubled));
        let (overlap, forged, alone, whole) = (percent(mix.overlap), percent(mix.forged), percent(60), percent(50));
        let patience = timers.patience(0) * u64::from(timers.prescale);
        let delay = if late { rng.random_range(patience..3 * patience) } else { rng.random_range(1..patience / 3) };
        let soon = now + delay;
        let count = operation.tries.len();
        if forged {
            let (control, address) = forge(rng, op, operation.sent(), count, self.plan.index_bits);
            let due = now + rng.random_range(0..200);
            self.messages.push(Message { due, control, address });
            self.done.forged += 1;
        }
        if operation.dead {
            return;
        }
        let mut said = Vec::new();
        if lost {
            if negative && operation.segment.kind == OpKind::Data {
                let mut bits = vec![false; count];
                bits[packet] = true;
                said = acknowledge(op, &bits, 11);
            }
        } else if let Some(status) = operation.rejects {
            said.push(Control::Completion { op, status, packets: 0 });
        } else if overlap && operation.segment.kind == OpKind::Data && !operation.received[0] {
            // the receiver knows nothing of it yet
            said.push(Control::Completion { op, status: 7, packets: 0 });
        } else {
            operation.received[packet] = true;
            let all = operation.received.iter().all(|&received| received);
            if all && (whole || operation.segment.kind == OpKind::Arrival) {
                said.push(Control::Completion { op, status: 0, packets: count as u32 });
            } else if alone {
                let mut bits = vec![false; count];
                bits[packet] = true;
                said = acknowledge(op, &bits, 0);
            } else {
                said = acknowledge(op, &operation.received, 0);
            }
        }
        for control in said {
            if !silent {
                self.say(soon, control.clone(), Address::Ours);
            }
            if doubled {
                let later = soon + self.rng.random_range(0..100);
                self.say(later, control, Address::Ours);
            }
        }
    }

    /// What a message changes when it comes in.
    fn hear(&mut self, control: &Control) {
        let (Control::Completion { op, .. } | Control::OpAck { op, .. }) = *control else { return };
        let Some(operation) = self.operations.get_mut(&op).filter(|o| o.ended.is_none()) else { return };
        let sent = operation.sent();
        match *control {
            Control::OpAck { index, status, mask, .. } if index % 64 == 0 => {
                for packet in (usize::from(index)..sent).take(64).filter(|packet| mask >> (packet % 64) & 1 == 1) {
                    if status == 0 {
                        operation.acknowledged[packet] = true;
                    } else if !operation.acknowledged[packet] {
                        operation.hurry[packet] += 1;
                    }
                }
            }
            Control::Completion { status: 0, .. } if sent == operation.tries.len() => operation.acknowledged.fill(true),
            Control::Completion { status: 7, .. } if sent > 0 => operation.overlaps += 1,
            Control::Completion { status, .. } if status != 0 && sent > 0 => operation.ended = Some(status),
            _ => {}
        }
        if operation.acknowledged.iter().all(|&acknowledged| acknowledged) {
            operation.ended = Some(status::DONE);
        }
        let (ended, kind) = (operation.ended, operation.segment.kind);
        if let Some(status) = ended.filter(|&status| status != status::DONE && kind == OpKind::Data)
            && let Some(posted) = self.posted.get_mut(&operation.id)
        {
            posted.failures.insert(status);
        }
    }

    /// Messages whose time has come.
    fn deliver(&mut self, endpoint: &mut Endpoint) {
        let now = endpoint.now();
        let mut at = 0;
        while at < self.messages.len() {
            if self.messages[at].due > now {
                at += 1;
                continue;
            }
            let message = self.messages.swap_remove(at);
            let early = match message.control {
                Control::Completion { op, status: 0, .. } => {
                    self.operations.get(&op).filter(|o| o.ended.is_none() && o.sent() < o.tries.len())
                }
                _ => None,
            };
            // It is a lie only while enough is still to be sent.
            if message.address == Address::Ours
                && early.is_some_and(|o| o.sent() + 8 > o.tries.len() || o.sent() == 0 || endpoint.frames.waiting() > 0)
            {
                continue;
            }
            let (bytes, user) = message.frame();
            endpoint.frames.packet(&bytes, user);
            self.done.messages += 1;
            match message.address {
                Address::Ours => {
                    self.count("messages");
                    self.hear(&message.control);
                }
                Address::Other => self.count("count_frame_not_our_qp"),
                Address::Damaged => self.count("count_frame_icrc"),
                Address::Foreign => self.count("count_frame_foreign"),
            }
        }
    }

    /// The host finds a completion.
    fn told(&mut self, endpoint: &mut Endpoint, entry: &[u8; ENTRY]) -> Result<(), String> {
        let word = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let (id, status, bytes, number) = (u16::from_le_bytes([entry[18], entry[19]]), entry[22], word(8), word(56));
        self.count("count_completions");
        let completion =
            memory::Completion { what: What::Command, src: self.addresses.src, op: id, bytes, status, ..memory::Completion::default() };
        if *entry != completion.entry(number, endpoint.ring_log2()) {
            return Err(format!("the ring has {entry:02x?}"));
        }
        let posted = self.posted.get(&id).ok_or_else(|| format!("command {id:#06x} is told, which is not there"))?;
        if let Some(before) = posted.told {
            return Err(format!("command {id:#06x} is told twice, with {before} and {status}"));
        }
        let mut may = posted.failures.clone();
        if let Some(refusal) = posted.refusal {
            may = BTreeSet::from([refusal as u8]);
        } else if all_acknowledged(posted, &self.operations) {
            may.insert(status::DONE);
        }
        let exhausted = posted.begun.iter().flatten().filter_map(|op| self.operations.get(op)).any(|o| o.exhausted(&self.plan.timers));
        if exhausted {
            may.insert(status::RETRY_LIMIT);
        }
        if posted.refusal.is_none() && (posted.broken || self.plan.mix.cdma > 0) {
            may.insert(status::CDMA_ERROR);
        }
        if posted.refusal.is_none() && self.cdma_dead {
            may.insert(status::CDMA_DEAD);
        }
        if !may.contains(&status) {
            let states: Vec<_> =
                posted.begun.iter().map(|op| op.and_then(|op| self.operations.get(&op)).map(|o| (o.ended, &o.tries))).collect();
            return Err(format!("command {id:#06x} ends with {status}, allowed are {may:?}: {states:?}"));
        }
        if status == status::DONE && u64::from(bytes) != posted.command.bytes() {
            return Err(format!("command {id:#06x} has {bytes} bytes, not {}", posted.command.bytes()));
        }
        // Its memory is the host's again.
        let place = posted.place;
        let mut noise = vec![0; self.plan.largest as usize + 512];
        self.rng.fill_bytes(&mut noise);
        if let Some(cdma) = &mut endpoint.cdma {
            cdma.inner_mut().memory().put(SOURCES + APART * place as u64, &noise);
        }
        self.places.insert(0, place);
        self.done.failed += u64::from(status != status::DONE);
        self.done.cdma_errors += u64::from(status == status::CDMA_ERROR);
        if let Some(posted) = self.posted.get_mut(&id) {
            posted.told = Some(status);
        }
        self.past.push_back(id);
        if self.past.len() > 200
            && let Some(old) = self.past.pop_front()
        {
            self.posted.remove(&old);
            self.operations.retain(|_, o| o.id != old);
        }
        Ok(())
    }

    /// Commands of which something is still to come.
    fn open(&self) -> usize {
        let arrives = |posted: &Posted| {
            let over = posted.arrival.and_then(|op| self.operations.get(&op)).is_some_and(|o| o.ended.is_some() || o.aborted);
            posted.told == Some(status::DONE) && posted.command.arrival && !over
        };
        self.posted.values().filter(|posted| posted.told.is_none() || arrives(posted)).count()
    }

    /// One clock of everything.
    fn clock(&mut self, endpoint: &mut Endpoint) -> Result<(), String> {
        endpoint.clock();
        let now = endpoint.now();
        for frame in endpoint.transmitted() {
            self.frame(now, &frame)?;
            self.moved = now;
        }
        for entry in endpoint.poll()? {
            self.told(endpoint, &entry)?;
            self.moved = now;
        }
        self.deliver(endpoint);
        self.post(endpoint);
        Ok(())
    }

    /// Runs the plan's commands to their end, or for so many clocks; then the counters are read, which must have been zero at the beginning.
    /// # Errors
    /// Anything that is not as it should be, with the clock.
    pub fn run(&mut self, endpoint: &mut Endpoint, stop: Option<u64>) -> Result<(), String> {
        let begin = endpoint.now();
        self.moved = begin;
        while self.given < self.plan.commands || self.open() > 0 || !self.messages.is_empty() {
            let now = endpoint.now();
            if stop.is_some_and(|clocks| now - begin >= clocks) {
                return endpoint.sound();
            }
            self.clock(endpoint).map_err(|e| format!("clock {now}: {e}"))?;
            if now > self.moved + PATIENCE {
                let left: Vec<_> = self.posted.values().filter(|p| p.told.is_none()).map(|p| (p.command.id, &p.begun)).collect();
                return Err(format!("clock {now}: nothing for {PATIENCE} clocks; open are {left:x?}"));
            }
        }
        self.done.clocks = endpoint.now() - begin;
        self.finish(endpoint)
    }

    /// Nothing is left, and the counters say what was seen.
    fn finish(&mut self, endpoint: &mut Endpoint) -> Result<(), String> {
        let limit = endpoint.now() + PATIENCE;
        while endpoint.read("state")? & 1 == 0 {
            for _ in 0..50 {
                self.clock(endpoint)?;
            }
            if endpoint.now() > limit {
                let left = ["commands_live", "ops_live", "descriptors_out", "command_state"].map(|name| (name, endpoint.read(name)));
                return Err(format!("not idle {PATIENCE} clocks after the last completion: {left:?}"));
            }
        }
        endpoint.settle()?;
        for name in ["commands_live", "ops_live", "descriptors_out", "command_state"] {
            let value = endpoint.read(name)?;
            if value != 0 {
                return Err(format!("`{name}` is {value} in the end"));
            }
        }
        if !endpoint.transmitted().is_empty() || !endpoint.poll()?.is_empty() {
            return Err("more comes after the end".into());
        }
        if let Some(complaint) = endpoint.cdma.as_ref().and_then(|cdma| cdma.inner().complaints().first()) {
            return Err(format!("the CDMA complains: {complaint}"));
        }
        if let Some(address) = endpoint.memory.damaged().first() {
            return Err(format!("the guard byte at {address:#x} was written"));
        }
        endpoint.sound()?;
        let counters = endpoint.counters()?;
        let counter = |name: &str| counters.get(name).copied().unwrap_or(0);
        for name in COUNTED.iter().chain(&REASONS) {
            let expected = self.counted.get(name).copied().unwrap_or(0);
            if counter(name) != expected {
                return Err(format!("`{name}` is {}, expected {expected}: {counters:?}", counter(name)));
            }
        }
        // every message is counted once, as one of these
        let heard: u64 = ["count_acks", "count_duplicate_acks", "count_nacks", "count_stale_acks"].iter().map(|name| counter(name)).sum();
        let said = self.counted.get("messages").copied().unwrap_or(0);
        if heard != said {
            return Err(format!("{said} messages, of which {heard} are counted: {counters:?}"));
        }
        for name in NEVER {
            if counter(name) > 0 {
                return Err(format!("`{name}` is {}: {counters:?}", counter(name)));
            }
        }
        Ok(())
    }
}

/// All data of a command has been acknowledged.
fn all_acknowledged(posted: &Posted, operations: &BTreeMap<u16, Operation>) -> bool {
    let over = |op: &Option<u16>| op.and_then(|op| operations.get(&op)).is_some_and(|o| o.ended == Some(status::DONE));
    !posted.begun.is_empty() && posted.begun.iter().all(over)
}

/// The segments of a command, by the golden splitter alone.
fn segments(plan: &Plan, command: &Command) -> Vec<Segment> {
    let mut splitter = Splitter::new(plan.splitter, plan.cut);
    let mut segments = Vec::new();
    if splitter.command(command).is_ok_and(|refusal| refusal.is_none()) {
        while let Some(segment) = splitter.next_segment() {
            if splitter.segment(&segment).is_err() {
                break;
            }
            segments.push(segment);
        }
    }
    segments
}

/// Counters of refusals, in the order of [`Refusal::ALL`].
const REASONS: [&str; 6] = [
    "count_refused_bytes_zero",
    "count_refused_misaligned_target",
    "count_refused_wraps",
    "count_refused_misaligned_source",
    "count_refused_bad_configuration",
    "count_refused_too_long",
];

/// Counters that must be what the bench has seen.
const COUNTED: [&str; 9] = [
    "count_commands",
    "count_packets",
    "count_retransmissions",
    "count_data_frames",
    "count_aborts",
    "count_completions",
    "count_frame_not_our_qp",
    "count_frame_icrc",
    "count_frame_foreign",
];

/// Counters of what cannot happen here.
const NEVER: [&str; 8] = [
    "count_acks_dropped",
    "count_refused_loads",
    "count_unknown_node",
    "count_buffer_write_refused",
    "count_buffer_read_refused",
    "count_posts_dropped",
    "count_frame_truncated",
    "count_frame_mac_error",
];
