//! What the core does with descriptors and transfers.

use super::master::Master;
use super::memory::CopyMemory;
use super::mover::Mover;
use super::pins::Pins;
use super::registers::*;
use super::{Data, Fault, Options};
use crate::bus::Dice;
use std::collections::VecDeque;

/// A descriptor that is being read.
struct Fetch {
    address: u64,
    bytes: Vec<u8>,
    worst: u8,
}

struct Fetched {
    address: u64,
    words: [u32; 8],
    response: u8,
}

enum Step {
    /// data moves on the ports
    Ports(Mover),
    /// data is read inside from this clock on, and written on the ports
    Written(Mover, u64),
    /// data is copied inside in this clock
    Inside(u64),
    /// the status write waits for its response
    Status,
    Hang,
}

/// What is being done: a descriptor, or a simple transfer.
struct Job {
    descriptor: Option<u64>,
    source: u64,
    target: u64,
    bytes: usize,
    fault: Option<Fault>,
    errors: u32,
    step: Step,
}

pub(super) struct Engine {
    options: Options,
    descriptors: Master,
    data: Master,
    pub memory: CopyMemory,
    pub hang_in_reset: bool,
    pub resets: u64,
    pub begun: u64,
    pub completed: u64,
    pub tails: Vec<u64>,
    plan: Vec<(u64, Fault)>,
    random: (u32, Vec<Fault>),
    /// SGMode was switched on: CURDESC says where to begin
    fresh: bool,
    /// between a start and the pause at the tail
    running: bool,
    next: u64,
    last_fetched: Option<u64>,
    fetching: Option<Fetch>,
    fetched: VecDeque<Fetched>,
    simple: bool,
    job: Option<Job>,
    resetting: Option<u32>,
    idle_clocks: u32,
    delay_over: bool,
}

/// Clocks of a unit of IRQDelay.
const DELAY_UNIT: u32 = 125;

impl Engine {
    pub fn new(pins: &mut Pins, options: &Options) -> Self {
        let bits = options.address_bits as usize;
        Engine {
            descriptors: Master::new(pins, "m_axi_sg_", 32, bits),
            data: Master::new(pins, "m_axi_", options.data_width, bits),
            memory: CopyMemory::default(),
            hang_in_reset: false,
            resets: 0,
            begun: 0,
            completed: 0,
            tails: Vec::new(),
            plan: Vec::new(),
            random: (0, Vec::new()),
            fresh: false,
            running: false,
            next: 0,
            last_fetched: None,
            fetching: None,
            fetched: VecDeque::new(),
            simple: false,
            job: None,
            resetting: None,
            idle_clocks: 0,
            delay_over: true,
            options: options.clone(),
        }
    }

    pub fn inject(&mut self, after: u64, fault: Fault) {
        self.plan.push((self.begun + after, fault));
    }

    pub fn inject_at_random(&mut self, permille: u32, kinds: &[Fault]) {
        self.random = (permille, kinds.to_vec());
    }

    pub fn hard_reset(&mut self, pins: &mut Pins) {
        self.descriptors.reset(pins);
        self.data.reset(pins);
        self.stop();
        self.resetting = None;
    }

    /// Forgets all that was to be done.
    fn stop(&mut self) {
        self.descriptors.forget();
        self.data.forget();
        (self.fresh, self.running, self.simple) = (false, false, false);
        (self.job, self.fetching, self.last_fetched) = (None, None, None);
        self.fetched.clear();
        (self.idle_clocks, self.delay_over) = (0, true);
    }

    /// A register was written.
    pub fn told(&mut self, told: Told, registers: &mut Registers) {
        if told.reset {
            self.resets += 1;
            self.resetting = Some(self.options.reset_clocks);
            registers.resetting = true;
        }
        if told.threshold || told.sg_on {
            registers.threshold_left = registers.threshold();
        }
        if told.sg_on {
            (self.fresh, self.last_fetched) = (true, None);
        }
        if told.tail {
            self.tails.push(registers.tail);
            if self.fresh {
                self.next = registers.current;
                registers.threshold_left = registers.threshold();
            }
            (self.fresh, self.running) = (false, true);
            registers.idle = false;
        }
        if told.simple {
            self.simple = true;
            registers.idle = false;
        }
    }

    pub fn clock(&mut self, pins: &mut Pins, registers: &mut Registers, dice: &mut Dice, cycle: u64) {
        self.descriptors.clock(pins, self.options.stalls, dice);
        self.data.clock(pins, self.options.stalls, dice);
        if let Some(left) = self.resetting {
            self.resetting = Some(left.saturating_sub(1));
            if left == 0 && self.descriptors.quiet() && self.data.quiet() && !self.hang_in_reset {
                self.resetting = None;
                self.stop();
                registers.reset(&self.options);
            }
            return;
        }
        self.fetch(registers);
        if self.job.is_none() {
            self.begin(registers, dice, cycle);
        }
        self.work(registers, cycle);
        let at_tail = self.last_fetched == Some(registers.tail) && !registers.cyclic();
        if self.running && at_tail && self.job.is_none() && self.fetched.is_empty() && self.fetching.is_none() {
            self.running = false;
            registers.idle = true;
        }
        self.delay(registers);
    }

    fn fetch(&mut self, registers: &Registers) {
        if let Some(fetch) = &mut self.fetching {
            while let Some((bytes, response)) = self.descriptors.read_done() {
                fetch.bytes.extend(bytes);
                fetch.worst = fetch.worst.max(response);
            }
            if fetch.bytes.len() == 32 {
                let word = |i: usize| fetch.bytes[4 * i..4 * i + 4].iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                let words = std::array::from_fn(word);
                self.next = registers.address(words[0] & !0x3f, if registers.is_wide() { words[1] } else { 0 });
                self.last_fetched = Some(fetch.address);
                let (address, response) = (fetch.address, fetch.worst);
                self.fetching = None;
                // After an error nothing is looked at any more.
                if registers.errors == 0 {
                    self.fetched.push_back(Fetched { address, words, response });
                }
            }
            return;
        }
        let at_tail = self.last_fetched == Some(registers.tail) && !registers.cyclic();
        let room = if self.job.is_none() { self.fetched.is_empty() } else { self.fetched.len() < self.options.prefetch };
        if self.running && !at_tail && room && registers.errors == 0 {
            self.fetching = Some(Fetch { address: self.next, bytes: Vec::new(), worst: 0 });
            for i in 0..8 / self.options.fetch_beats {
                self.descriptors.read(self.next + u64::from(4 * i * self.options.fetch_beats), self.options.fetch_beats as usize);
            }
        }
    }

    fn fault(&mut self, dice: &mut Dice) -> Option<Fault> {
        let planned = self.plan.iter().position(|(at, _)| *at == self.begun).map(|i| self.plan.remove(i).1);
        self.begun += 1;
        let (permille, kinds) = &self.random;
        if planned.is_some() || *permille == 0 || dice.between(0, 999) >= u64::from(*permille) {
            return planned;
        }
        Some(kinds[dice.between(0, kinds.len() as u64 - 1) as usize])
    }

    fn begin(&mut self, registers: &mut Registers, dice: &mut Dice, cycle: u64) {
        if self.simple {
            self.simple = false;
            let fault = self.fault(dice).filter(|f| f.in_status() || *f == Fault::Hang);
            let (source, target, bytes) = (registers.source, registers.destination, registers.bytes);
            self.start(None, (source, target, bytes), fault, registers, cycle);
            return;
        }
        let Some(Fetched { address, words, response }) = self.fetched.pop_front() else { return };
        let fault = self.fault(dice);
        registers.current = address;
        let error = match (fault, response) {
            (Some(Fault::FetchSlave), _) | (_, 2) => SG_SLAVE,
            (Some(Fault::FetchDecode), _) | (_, 3) => SG_DECODE,
            (Some(Fault::Stale), _) => SG_INTERNAL,
            _ if words[7] & COMPLETED != 0 && !registers.cyclic() => SG_INTERNAL,
            _ => 0,
        };
        if error != 0 {
            return self.halt(registers, error);
        }
        if words[7] & !COMPLETED != 0 {
            registers.complain(format!("descriptor at {address:#x} has status {:#x}", words[7]));
        }
        if words[6] & !registers.length_mask() != 0 {
            registers.complain(format!("descriptor at {address:#x} has control {:#x}: the bits above are to be zero", words[6]));
        }
        if words[0] & 0x3f != 0 {
            registers.complain(format!("descriptor at {address:#x} names {:#x} as the next, which is no multiple of 64", words[0]));
        }
        let wide = registers.is_wide();
        let full = |low: u32, high: u32| registers.address(low, if wide { high } else { 0 });
        let transfer = (full(words[2], words[3]), full(words[4], words[5]), words[6] & registers.length_mask());
        self.start(Some(address), transfer, fault, registers, cycle);
    }

    fn start(&mut self, descriptor: Option<u64>, transfer: (u64, u64, u32), fault: Option<Fault>, registers: &mut Registers, cycle: u64) {
        let (source, target, bytes) = transfer;
        let mut errors = 0;
        if bytes == 0 {
            errors = DMA_INTERNAL;
        }
        let width = self.options.data_width as u64 / 8;
        if !self.options.realign && source % width != target % width {
            registers.complain(format!("{source:#x} to {target:#x}: they lie differently in a beat of {width} bytes, without realignment"));
            errors = DMA_INTERNAL;
        }
        if registers.control & (KEY_HOLE_READ | KEY_HOLE_WRITE) != 0 {
            registers.complain("a key hole transfer, which this model does not have");
            errors = DMA_INTERNAL;
        }
        let half = fault.is_some_and(Fault::in_status);
        let bytes = if errors != 0 { 0 } else { bytes as usize / if half { 2 } else { 1 } };
        let step = match self.options.data {
            _ if fault == Some(Fault::Hang) => Step::Hang,
            Data::Ports => Step::Ports(Mover::new(source, target, bytes, self.options.burst as usize, false)),
            Data::Written { latency } => {
                Step::Written(Mover::new(source, target, bytes, self.options.burst as usize, true), cycle + latency)
            }
            Data::Inside { latency, rate } => Step::Inside(cycle + latency + (bytes as u64).div_ceil(rate.max(1))),
        };
        self.job = Some(Job { descriptor, source, target, bytes, fault, errors, step });
    }

    fn work(&mut self, registers: &mut Registers, cycle: u64) {
        let Some(mut job) = self.job.take() else { return };
        let moved = match &mut job.step {
            Step::Hang => None,
            Step::Ports(mover) => mover.clock(&mut self.data),
            Step::Written(_, from) if *from > cycle => None,
            Step::Written(mover, _) => {
                mover.fetch(&self.memory, self.data.width);
                mover.clock(&mut self.data)
            }
            Step::Inside(at) if *at > cycle => None,
            Step::Inside(_) => Some(self.memory.copy(job.source, job.target, job.bytes)),
            Step::Status => match self.descriptors.write_done() {
                None => None,
                Some(response) => return self.end(&job, response, registers),
            },
        };
        let Some(errors) = moved else {
            self.job = Some(job);
            return;
        };
        job.errors |= errors
            | match job.fault {
                Some(Fault::DataInternal) => DMA_INTERNAL,
                Some(Fault::DataSlave) => DMA_SLAVE,
                Some(Fault::DataDecode) => DMA_DECODE,
                _ => 0,
            };
        let Some(address) = job.descriptor else {
            if job.errors != 0 {
                return self.halt(registers, job.errors);
            }
            self.completed += 1;
            registers.idle = true;
            registers.interrupts |= IRQ_COMPLETE;
            return;
        };
        match job.fault {
            Some(Fault::StatusSlave { written: false }) => return self.halt(registers, SG_SLAVE),
            Some(Fault::StatusDecode { written: false }) => return self.halt(registers, SG_DECODE),
            _ => {}
        }
        let completes = job.errors == 0 || self.options.error_completes;
        let status = job.errors << 24 | if completes { COMPLETED } else { 0 };
        self.descriptors.write(address + 0x1c, &status.to_le_bytes());
        if self.options.early_error > 0 && job.errors != 0 {
            self.descriptors.hold_writes = self.options.early_error;
            registers.errors |= job.errors;
            registers.interrupts |= IRQ_ERROR;
        }
        job.step = Step::Status;
        self.job = Some(job);
    }

    /// The status write of a descriptor has been answered.
    fn end(&mut self, job: &Job, response: u8, registers: &mut Registers) {
        let errors = job.errors
            | match (job.fault, response) {
                (Some(Fault::StatusSlave { .. }), _) | (_, 2) => SG_SLAVE,
                (Some(Fault::StatusDecode { .. }), _) | (_, 3) => SG_DECODE,
                _ => 0,
            };
        if errors != 0 {
            return self.halt(registers, errors);
        }
        self.completed += 1;
        registers.threshold_left = registers.threshold_left.saturating_sub(1);
        if registers.threshold_left == 0 {
            registers.interrupts |= IRQ_COMPLETE;
            registers.threshold_left = registers.threshold();
        }
    }

    fn halt(&mut self, registers: &mut Registers, errors: u32) {
        registers.errors |= errors;
        registers.interrupts |= IRQ_ERROR;
        registers.idle = true;
        self.running = false;
        self.fetched.clear();
    }

    fn delay(&mut self, registers: &mut Registers) {
        if !registers.idle {
            (self.idle_clocks, self.delay_over) = (0, false);
            registers.delay_count = 0;
        } else if registers.delay() != 0 && registers.sg_mode() && !self.delay_over {
            self.idle_clocks += 1;
            registers.delay_count = (self.idle_clocks / DELAY_UNIT) as u8;
            if registers.delay_count == registers.delay() {
                registers.interrupts |= IRQ_DELAY;
                registers.threshold_left = registers.threshold();
                self.delay_over = true;
            }
        }
    }
}
