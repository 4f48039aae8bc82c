//! Commands at a send endpoint, receivers behind a bad network, and the host who checks each completion.
//!
//! Every frame is compared byte by byte with the golden packets; what must follow from what was answered is kept per operation, as far as
//! the wire shows it.

mod answers;
mod frames;
mod host;
mod operation;

use super::Endpoint;
use super::addresses::Addresses;
use super::peer::{Message, Mix};
use operation::{Operation, Posted, segments};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::packets::Sender;
use rdma_rtl_golden::send::splitter::{self, Block, Command, Config as Cut, Refusal};
use rdma_rtl_sim::cdma::Fault;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where the sources lie, how far apart, and an address where there is no memory.
const SOURCES: u64 = 0x20_0000_0000;
const APART: u64 = 1 << 24;
const NOWHERE: u64 = 0x66_0000_0000;
/// Where the targets lie, each command at its own.
const TARGETS: u64 = 0x1000_0000_0000;
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
    /// clocks in which something must have happened
    pub patience: u64,
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

/// Both ends of a run. It goes on over resets.
pub struct Traffic {
    plan: Plan,
    rng: ChaCha8Rng,
    addresses: Addresses,
    sender: Sender,
    posted: BTreeMap<u16, Posted>,
    /// told, newest last: late packets of theirs may come
    past: VecDeque<u16>,
    operations: BTreeMap<u32, Operation>,
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
            sender: Sender { packet_size: plan.splitter.packet_size, src: addresses.src, each: addresses.each },
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

    /// The endpoint was reset. A command of the stream that it has not taken is still there; nothing else is.
    pub fn forget(&mut self, endpoint: &Endpoint) {
        let stays = endpoint.commands.as_ref().is_some_and(|stream| stream.waiting() > 0);
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
        let alignment = self.plan.splitter.alignment;
        let gap = |rng: &mut ChaCha8Rng| u64::from(rng.random_range(0..64) / alignment * alignment);
        let mut at = SOURCES + APART * place as u64 + gap(rng);
        for after in (0..rng.random_range(1..=4u32)).rev() {
            let some = if after == 0 || left == 1 { left } else { rng.random_range(1..left) };
            // every block but the last is a multiple of it
            let size = if after > 0 && some >= alignment { some / alignment * alignment } else { left };
            blocks.push(Block { source: at, bytes: size });
            at += u64::from(size) + gap(rng);
            left -= size;
            if left == 0 {
                break;
            }
        }
        if alignment == 1 {
            let swap = rng.random_range(0..blocks.len());
            blocks.swap(0, swap);
        }
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
            match rng.random_range(0..6) {
                0 => command.blocks.clear(),
                5 if alignment > 1 => command.blocks[0].source += u64::from(rng.random_range(1..alignment)),
                5 => command.blocks[0].bytes = 0,
                1 => command.blocks[0].bytes = 0,
                2 => command.target += u64::from(rng.random_range(1..packet)),
                3 if command.bytes() > u64::from(packet) => command.target = u64::MAX - u64::from(packet) + 1,
                3 => command.blocks[0].bytes = 0,
                _ => command.blocks[0].source = u64::MAX - rng.random_range(0..u64::from(command.blocks[0].bytes)),
            }
        }
        command
    }

    /// Posts a command on the stream if there is a place for it.
    fn post(&mut self, endpoint: &mut Endpoint) {
        if self.given < self.plan.commands && endpoint.commands.as_ref().is_some_and(|stream| stream.waiting() == 0) {
            let command = self.next_command(endpoint);
            command.into_iter().for_each(|command| endpoint.command(&command));
        }
    }

    /// Posts a command by registers, if there is a place for it.
    /// # Errors
    /// As [`Endpoint::write`], or commands that were posted before are not taken.
    pub fn post_by_registers(&mut self, endpoint: &mut Endpoint) -> Result<(), String> {
        let Some(command) = self.next_command(endpoint) else { return Ok(()) };
        super::directed::write_command(endpoint, &command)?;
        endpoint.write("command", 1)
    }

    /// The next command, in a free place, of which everything that comes is awaited from now on.
    fn next_command(&mut self, endpoint: &mut Endpoint) -> Option<Command> {
        // the newest number has been used by nobody for long
        let id = self.next as u16;
        if self.posted.contains_key(&id) {
            return None;
        }
        let place = self.places.pop()?;
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
        let (failures, expected) = (BTreeSet::new(), command.clone());
        let posted = Posted { command: expected, segments, payload, place, refusal, begun, failures, broken, told: None, arrival: None };
        self.posted.insert(id, posted);
        Some(command)
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

    /// Runs the plan's commands to their end, or for so many clocks; at the end the counters must be what was seen since they were zero.
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
            if now > self.moved + self.plan.patience {
                let left: Vec<_> = self.posted.values().filter(|p| p.told.is_none()).map(|p| (p.command.id, &p.begun)).collect();
                return Err(format!("clock {now}: nothing for {} clocks; open are {left:x?}", self.plan.patience));
            }
        }
        self.done.clocks = endpoint.now() - begin;
        self.finish(endpoint)
    }
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
