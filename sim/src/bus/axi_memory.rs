//! AXI4 memory: a slave with regions, each between guard bytes.

use super::{Agent, Channel, Dice, Reset, Stalls, Violation, axi_check::Burst};
use crate::{Error, Model};
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

/// Bytes before and behind each region that nobody may touch.
const GUARD: u64 = 64;

/// How a memory behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOptions {
    pub seed: u64,
    pub stalls: Stalls,
    /// clocks from the last beat of a burst, or from a read address, to its answer: least and most
    pub latency: (u64, u64),
    /// answers of different IDs may overtake each other
    pub reorder: bool,
    /// bursts answered by SLVERR without effect, in percent
    pub errors: u32,
    /// bursts under way from which on no further address is taken
    pub outstanding: usize,
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions { seed: 1, stalls: Stalls::NONE, latency: (1, 1), reorder: false, errors: 0, outstanding: 64 }
    }
}

struct Region {
    base: u64,
    /// with both guards
    bytes: Vec<u8>,
}

impl Region {
    /// Where `count` bytes from `address` on lie in it, guards aside. A region may end with the last address there is.
    fn inside(&self, address: u64, count: usize) -> Option<Range<usize>> {
        let at = usize::try_from(address.wrapping_sub(self.base)).ok()?.checked_add(GUARD as usize)?;
        let end = at.checked_add(count)?;
        (end <= self.bytes.len() - GUARD as usize).then_some(at..end)
    }
}

fn guard_byte(address: u64) -> u8 {
    0xa5 ^ (address as u8).wrapping_mul(29)
}

/// A write that waits for its answer, which is also when it takes effect: who looks before sees the old bytes.
struct Write {
    id: u64,
    ready_at: u64,
    bytes: Vec<(u64, u8)>,
    response: u8,
}

struct Read {
    id: u64,
    ready_at: u64,
    burst: Burst,
    next: u64,
    response: u8,
}

/// AXI4 slave of any data width. The read channels may be missing. Reset makes it forget what is under way.
pub struct AxiMemory {
    aw: Channel,
    w: Channel,
    b: Channel,
    read: Option<(Channel, Channel)>,
    reset: Reset,
    width: u64,
    options: MemoryOptions,
    dice: Dice,
    regions: Vec<Region>,
    failing: Vec<Range<u64>>,
    addresses: VecDeque<Burst>,
    beats: Vec<(Vec<u8>, Vec<bool>)>,
    bursts: VecDeque<Vec<(Vec<u8>, Vec<bool>)>>,
    writes: Vec<Write>,
    reads: Vec<Read>,
    /// what is being offered
    answer: Option<usize>,
    beat: Option<usize>,
    injected: Vec<RangeInclusive<u64>>,
    answered: u64,
}

impl AxiMemory {
    /// At the ports that begin with `prefix`, for example `m_axi_`.
    /// # Errors
    /// A channel's ports are missing.
    pub fn new(model: &dyn Model, prefix: &str, options: MemoryOptions) -> Result<Self, Error> {
        let channel = |name: &str| Channel::find(model, &format!("{prefix}{name}"));
        let w = channel("w")?;
        let Some((_, width)) = w.field("data") else {
            return Err(Error::Bus { bus: prefix.to_string(), detail: format!("there is no port `{prefix}wdata`") });
        };
        let read = match channel("ar") {
            Ok(ar) => Some((ar, channel("r")?)),
            Err(_) => None,
        };
        Ok(AxiMemory {
            aw: channel("aw")?,
            b: channel("b")?,
            w,
            read,
            reset: Reset::find(model),
            width: width as u64 / 8,
            options,
            dice: Dice::new(options.seed),
            regions: Vec::new(),
            failing: Vec::new(),
            addresses: VecDeque::new(),
            beats: Vec::new(),
            bursts: VecDeque::new(),
            writes: Vec::new(),
            reads: Vec::new(),
            answer: None,
            beat: None,
            injected: Vec::new(),
            answered: 0,
        })
    }

    /// Memory of `bytes` zeros at `base`, with guard bytes around.
    pub fn region(&mut self, base: u64, bytes: usize) {
        // Zeros that nobody has written yet cost no memory.
        let mut all = vec![0; bytes + 2 * GUARD as usize];
        for i in 0..GUARD {
            all[i as usize] = guard_byte(base.wrapping_sub(GUARD).wrapping_add(i));
            all[(GUARD + i) as usize + bytes] = guard_byte(base.wrapping_add(bytes as u64).wrapping_add(i));
        }
        self.regions.push(Region { base, bytes: all });
    }

    /// Bursts that touch these addresses are answered by SLVERR, without effect.
    pub fn fail(&mut self, addresses: Range<u64>) {
        self.failing.push(addresses);
    }

    pub fn set_options(&mut self, options: MemoryOptions) {
        self.options = options;
    }

    /// The bytes at an address; `None` where no region has them all.
    pub fn bytes(&self, address: u64, count: usize) -> Option<&[u8]> {
        self.regions.iter().find_map(|region| Some(&region.bytes[region.inside(address, count)?]))
    }

    /// Puts bytes there, as software would. False where no region has room for them all.
    pub fn put(&mut self, address: u64, bytes: &[u8]) -> bool {
        let place = self.regions.iter_mut().find_map(|region| region.inside(address, bytes.len()).map(|at| &mut region.bytes[at]));
        let Some(place) = place else { return false };
        place.copy_from_slice(bytes);
        true
    }

    /// Addresses of guard bytes that are not what they were.
    pub fn damaged(&self) -> Vec<u64> {
        let mut found = Vec::new();
        for region in &self.regions {
            let start = region.base.wrapping_sub(GUARD);
            let behind = region.bytes.len() as u64 - GUARD;
            for i in (0..GUARD).chain(behind..behind + GUARD) {
                let address = start.wrapping_add(i);
                if region.bytes[i as usize] != guard_byte(address) {
                    found.push(address);
                }
            }
        }
        found
    }

    /// Bursts that were answered by an error, by the addresses that they meant.
    pub fn injected(&self) -> &[RangeInclusive<u64>] {
        &self.injected
    }

    /// Write bursts answered.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    /// Nothing is under way.
    pub fn idle(&self) -> bool {
        self.addresses.is_empty() && self.beats.is_empty() && self.bursts.is_empty() && self.writes.is_empty() && self.reads.is_empty()
    }

    /// Forgets what is under way, as after a reset; memory stays.
    pub fn forget(&mut self) {
        self.addresses.clear();
        self.beats.clear();
        self.bursts.clear();
        self.writes.clear();
        self.reads.clear();
        (self.answer, self.beat) = (None, None);
    }

    fn place(&mut self, address: u64) -> Option<&mut u8> {
        let region = self.regions.iter_mut().find(|r| address.wrapping_sub(r.base.wrapping_sub(GUARD)) < r.bytes.len() as u64)?;
        let at = address.wrapping_sub(region.base.wrapping_sub(GUARD)) as usize;
        region.bytes.get_mut(at)
    }

    fn is_inside(&self, address: u64) -> bool {
        self.regions.iter().any(|region| region.inside(address, 1).is_some())
    }

    fn latency(&mut self, cycle: u64) -> u64 {
        cycle + self.dice.between(self.options.latency.0, self.options.latency.1)
    }

    /// The answer that a burst gets: an error that was asked for, else OKAY.
    fn response(&mut self, burst: &Burst) -> u8 {
        let span = burst.span(self.width);
        let asked = self.failing.iter().any(|f| f.start <= *span.end() && *span.start() < f.end);
        if asked || self.dice.chance(self.options.errors) {
            self.injected.push(span);
            return 2;
        }
        0
    }

    /// An address and a whole burst of data are a write.
    fn pair(&mut self, cycle: u64, violations: &mut Vec<Violation>) {
        while !self.addresses.is_empty() && !self.bursts.is_empty() {
            let (Some(burst), Some(beats)) = (self.addresses.pop_front(), self.bursts.pop_front()) else { return };
            let mut response = self.response(&burst);
            let mut bytes = Vec::new();
            for (i, (data, strobe)) in beats.iter().enumerate() {
                let base = burst.address_of(i as u64) / self.width * self.width;
                let set = (0..self.width).filter(|lane| strobe[*lane as usize]);
                bytes.extend(set.map(|lane| (base + lane, data[lane as usize])));
            }
            if let Some((address, _)) = bytes.iter().find(|(address, _)| !self.is_inside(*address)) {
                let detail = format!("a write of {} beats at {:#x} touches {address:#x}", beats.len(), burst.address);
                violations.push(Violation { cycle, bus: self.w.prefix.clone(), rule: "outside of memory", detail });
                response = 3;
            }
            let ready_at = self.latency(cycle);
            self.writes.push(Write { id: burst.id, ready_at, bytes, response });
        }
    }

    /// The next of some answers to give: the oldest of its ID, and due.
    fn choose(dice: &mut Dice, reorder: bool, cycle: u64, waiting: &[(u64, u64)]) -> Option<usize> {
        let first_of_id = |i: &usize| waiting[..*i].iter().all(|w| w.0 != waiting[*i].0);
        let due: Vec<usize> = (0..waiting.len()).filter(first_of_id).filter(|i| waiting[*i].1 <= cycle).collect();
        match (reorder, due.first()) {
            (_, None) => None,
            (true, _) => Some(due[dice.between(0, due.len() as u64 - 1) as usize]),
            (false, Some(0)) => Some(0),
            (false, _) => None,
        }
    }
}

impl Agent for AxiMemory {
    fn drive(&mut self, model: &mut dyn Model) {
        if self.reset.active(model) {
            self.forget();
        }
        let stalls = self.options.stalls;
        let room = self.addresses.len() + self.writes.len() < self.options.outstanding;
        let ready = room && !self.dice.chance(stalls.backpressure);
        self.aw.set_ready(model, ready);
        let ready = !self.dice.chance(stalls.backpressure);
        self.w.set_ready(model, ready);
        if self.answer.is_none() {
            if !self.dice.chance(stalls.idle) && !self.writes.is_empty() {
                let waiting: Vec<(u64, u64)> = self.writes.iter().map(|w| (w.id, w.ready_at)).collect();
                self.answer = Self::choose(&mut self.dice, self.options.reorder, model.cycle(), &waiting);
            }
            self.b.set_valid(model, self.answer.is_some());
            self.b.garble(model, &mut self.dice);
            if let Some(i) = self.answer {
                self.b.set(model, "id", self.writes[i].id);
                self.b.set(model, "resp", u64::from(self.writes[i].response));
            }
        }
        let Some((ar, r)) = &self.read else { return };
        let ready = self.reads.len() < self.options.outstanding && !self.dice.chance(stalls.backpressure);
        ar.set_ready(model, ready);
        if self.beat.is_some() {
            return;
        }
        if !self.dice.chance(stalls.idle) && !self.reads.is_empty() {
            // A burst that has begun goes on.
            let begun = self.reads.iter().position(|read| read.next > 0);
            let waiting: Vec<(u64, u64)> = self.reads.iter().map(|read| (read.id, read.ready_at)).collect();
            self.beat = begun.or_else(|| Self::choose(&mut self.dice, self.options.reorder, model.cycle(), &waiting));
        }
        r.set_valid(model, self.beat.is_some());
        r.garble(model, &mut self.dice);
        if let Some(i) = self.beat {
            let read = &self.reads[i];
            let base = read.burst.address_of(read.next) / self.width * self.width;
            match self.bytes(base, self.width as usize) {
                Some(whole) => r.set_bytes(model, "data", whole),
                None => {
                    let byte = |lane: u64| self.bytes(base + lane, 1).map_or(0, |b| b[0]);
                    r.set_bytes(model, "data", &(0..self.width).map(byte).collect::<Vec<u8>>());
                }
            }
            r.set(model, "id", read.id);
            r.set(model, "resp", u64::from(read.response));
            r.set(model, "last", u64::from(read.next == read.burst.beats - 1));
        }
    }

    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) {
        if self.reset.active(model) {
            return;
        }
        let cycle = model.cycle();
        if let Some(i) = self.answer.filter(|_| self.b.fires(model)) {
            let write = self.writes.remove(i);
            self.answer = None;
            self.answered += 1;
            if write.response != 2 {
                for (address, byte) in write.bytes {
                    if let Some(place) = self.place(address) {
                        *place = byte;
                    }
                }
            }
        }
        if self.aw.fires(model) {
            self.addresses.push_back(Burst::of(&self.aw, model, self.width));
        }
        if self.w.fires(model) {
            let data = self.w.get_bytes(model, "data").unwrap_or_default();
            let strobe = super::stream::unpack(self.w.get_bytes(model, "strb"), data.len());
            self.beats.push((data, strobe));
            if self.w.get(model, "last") != Some(0) {
                self.bursts.push_back(std::mem::take(&mut self.beats));
            }
        }
        self.pair(cycle, violations);
        let Some((ar, r)) = &self.read else { return };
        if let Some(i) = self.beat.filter(|_| r.fires(model)) {
            self.beat = None;
            self.reads[i].next += 1;
            if self.reads[i].next == self.reads[i].burst.beats {
                self.reads.remove(i);
            }
        }
        if ar.fires(model) {
            let burst = Burst::of(ar, model, self.width);
            let mut response = self.response(&burst);
            if let Some(address) = burst.span(self.width).find(|a| !self.is_inside(*a)) {
                let detail = format!("a read of {} beats at {:#x} touches {address:#x}", burst.beats, burst.address);
                let bus = self.read.as_ref().map_or(String::new(), |(ar, _)| ar.prefix.clone());
                violations.push(Violation { cycle, bus, rule: "outside of memory", detail });
                response = 3;
            }
            let ready_at = self.latency(cycle);
            self.reads.push(Read { id: burst.id, ready_at, burst, next: 0, response });
        }
    }
}
