//! `MemoryWriter` between slots of its own and the AXI4 memory model: every burst in order, every byte in memory, guard bytes untouched, an
//! answer to each write after its last response and none before.

use super::Ports;
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::memory::{Burst, Writes};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Agent, AxiCheck, AxiMemory, MemoryOptions, Violation, step};
use std::collections::VecDeque;

/// A write of `bytes` random bytes.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub addr: u64,
    pub bytes: usize,
}

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// percent of clocks in which a write is offered
    pub offer: u32,
    /// percent of clocks in which a slot is taken back
    pub free: u32,
    pub memory: MemoryOptions,
}

impl Pace {
    /// Nobody waits for anybody.
    pub fn full() -> Self {
        Pace { offer: 100, free: 100, memory: MemoryOptions { outstanding: 1000, latency: (1, 1), ..Default::default() } }
    }
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub writes: u64,
    pub failed: u64,
    pub bursts: u64,
    pub beats: u64,
    /// clocks in which a beat could have passed and none was there, from the first to the last one
    pub bubbles: u64,
    /// clocks from a write to its address and to its first beat, of the first write
    pub address_latency: u64,
    pub data_latency: u64,
    /// most bursts without response
    pub open: u64,
    /// answers that came before that of an older write
    pub overtaken: u64,
}

/// Where the memory of a run begins.
pub const BASE: u64 = 0xfedc_ba98_7654_0000;

struct Bench<'a> {
    rng: ChaCha8Rng,
    pace: Pace,
    cases: &'a [Case],
    beat: usize,
    slots: Vec<Vec<u8>>,
    slot_free: Vec<bool>,
    tag_free: Vec<bool>,
    /// slots that wait to come back, in the order of their writes
    unread: VecDeque<u32>,
    order: VecDeque<u32>,
    offered: Option<(u32, u32)>,
    next: usize,
    expected: VecDeque<Burst>,
    golden: Writes,
    /// beats that were asked for: this clock's and that of the clock before
    asked: [Vec<u8>; 2],
    errors: u64,
    errors_told: u64,
    bursts_told: u64,
    done: usize,
    seen: Seen,
    first_write: Option<u64>,
    idle_beats: u64,
    quiet: u64,
    difference: Option<String>,
}

impl Bench<'_> {
    fn observe_all(&mut self, p: &Ports<&dyn Model>) -> Result<(), String> {
        let now = p.0.cycle();
        let fires = |name: &str| p.get(&format!("{name}valid")) == 1 && p.get(&format!("{name}ready")) == 1;
        let mut moved = false;
        if let Some((tag, slot)) = self.offered.filter(|_| fires("write_")) {
            let case = self.cases[self.next];
            let payload = &self.slots[slot as usize][..case.bytes];
            self.expected.extend(self.golden.begin(tag, case.addr, payload));
            self.unread.push_back(slot);
            self.order.push_back(tag);
            self.next += 1;
            self.offered = None;
            self.first_write.get_or_insert(now);
            moved = true;
        }
        if fires("m_axi_aw") {
            let burst = Burst { tag: p.get("m_axi_awid") as u32, addr: p.get("m_axi_awaddr"), beats: p.get("m_axi_awlen") + 1 };
            let expected = self.expected.pop_front();
            if expected != Some(burst) || p.get("m_axi_awburst") != 1 {
                return Err(format!("burst {burst:x?}, expected {expected:x?}"));
            }
            if self.seen.bursts == 0 {
                self.seen.address_latency = now - self.first_write.unwrap_or(now);
            }
            self.seen.bursts += 1;
        }
        if fires("m_axi_w") {
            if self.seen.beats == 0 {
                self.seen.data_latency = now - self.first_write.unwrap_or(now);
            }
            self.seen.beats += 1;
            self.seen.bubbles += std::mem::take(&mut self.idle_beats);
            moved = true;
        } else if self.seen.beats > 0 && p.get("m_axi_wready") == 1 {
            self.idle_beats += 1;
        }
        self.bursts_told += p.get("evt_memory_bursts");
        if p.get("evt_memory_errors") == 1 {
            self.errors_told += 1;
            if p.get("error_code") != 2 || self.tag_free[p.get("error_tag") as usize] {
                return Err(format!("an error {} of tag {}", p.get("error_code"), p.get("error_tag")));
            }
        }
        // An answer before the response that came in this clock.
        if p.get("write_done_valid") == 1 {
            let (tag, ok) = (p.get("write_done_tag") as u32, p.get("write_done_ok") == 1);
            self.golden.done(tag, ok)?;
            self.tag_free[tag as usize] = true;
            let place = self.order.iter().position(|&t| t == tag).unwrap_or(0);
            self.seen.overtaken += u64::from(place > 0);
            self.order.remove(place);
            self.done += 1;
            self.seen.writes += 1;
            self.seen.failed += u64::from(!ok);
            moved = true;
        }
        if fires("m_axi_b") {
            let code = p.get("m_axi_bresp");
            self.errors += u64::from(code != 0);
            self.golden.answer(p.get("m_axi_bid") as u32, code == 0)?;
        }
        if fires("slot_read_") {
            let slot = p.get("slot_read_slot") as u32;
            if self.unread.pop_front() != Some(slot) {
                return Err(format!("slot {slot} comes back out of order"));
            }
            self.slot_free[slot as usize] = true;
        }
        let at = p.get("read_beat") as usize * self.beat;
        let slot = &self.slots[p.get("read_slot") as usize % self.slots.len()];
        let beat = slot.get(at..at + self.beat).map_or(vec![0x5a; self.beat], <[u8]>::to_vec);
        self.asked = [beat, std::mem::take(&mut self.asked[0])];
        // What came back may be overwritten from now on.
        if fires("slot_read_") {
            let slot = p.get("slot_read_slot") as usize;
            let mut noise = vec![0; self.slots[slot].len()];
            self.rng.fill(noise.as_mut_slice());
            self.slots[slot] = noise;
        }
        let open = p.get("bursts_open");
        if open > 1 << (p.0.ports()[p.at("bursts_open")].width - 1) {
            return Err(format!("{open} bursts without response"));
        }
        self.seen.open = self.seen.open.max(open);
        self.quiet = if moved { 0 } else { self.quiet + 1 };
        if self.quiet > 5000 {
            return Err(format!("nothing moves any more, at write {} of {}, {} answered", self.next, self.cases.len(), self.done));
        }
        Ok(())
    }
}

impl Agent for Bench<'_> {
    fn drive(&mut self, model: &mut dyn Model) {
        if self.offered.is_none() && self.next < self.cases.len() && chance(&mut self.rng, self.pace.offer) {
            let free = |all: &[bool]| all.iter().enumerate().filter(|(_, f)| **f).map(|(i, _)| i).collect::<Vec<_>>();
            let (tags, slots) = (free(&self.tag_free), free(&self.slot_free));
            if !tags.is_empty() && !slots.is_empty() {
                let (tag, slot) = (tags[self.rng.random_range(0..tags.len())], slots[self.rng.random_range(0..slots.len())]);
                self.tag_free[tag] = false;
                self.slot_free[slot] = false;
                self.offered = Some((tag as u32, slot as u32));
            }
        }
        let mut p = Ports(model);
        p.set("write_valid", self.offered.is_some().into());
        if let Some((tag, slot)) = self.offered {
            p.set("write_tag", tag.into());
            p.set("write_slot", slot.into());
            p.set("write_addr", self.cases[self.next].addr);
            p.set("write_bytes", self.cases[self.next].bytes as u64);
        }
        p.set_bytes("read_data", &self.asked[1]);
        let free = chance(&mut self.rng, self.pace.free);
        p.set("slot_read_ready", free.into());
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        if self.difference.is_none() {
            self.difference = self.observe_all(&Ports(model)).map_err(|e| format!("cycle {}: {e}", model.cycle())).err();
        }
    }
}

/// Writes of random sizes up to `most` bytes, most packed close, many over the end of a 4 KB block.
pub fn mixture(rng: &mut ChaCha8Rng, most: usize, beat: usize, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut addr = BASE + rng.random_range(0..beat as u64);
    for _ in 0..count {
        let bytes = match rng.random_range(0..10) {
            0 => rng.random_range(0..=3),
            1..=3 => rng.random_range(1..=most),
            4 => most - rng.random_range(0..2),
            _ => rng.random_range(1..=(4 * beat).min(most)),
        };
        match rng.random_range(0..6) {
            // On a beat, on a 4 KB block, or over its end.
            0 => addr = addr.next_multiple_of(beat as u64),
            1 => addr = addr.next_multiple_of(4096),
            2 => addr = (addr + bytes as u64).next_multiple_of(4096) - rng.random_range(0..=bytes as u64),
            _ => {}
        }
        cases.push(Case { addr, bytes });
        addr += bytes as u64;
        if rng.random_range(0..4) == 0 {
            addr = addr.next_multiple_of(beat as u64) + beat as u64 + rng.random_range(0..beat as u64);
        }
    }
    cases
}

/// After a reset, all `cases`. `slots` of `bytes`, tags of so many bits as the design has.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, slots: usize, bytes: usize, cases: &[Case], pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut p = Ports(&mut *model);
    for name in ["write_valid", "slot_read_ready", "m_axi_awready", "m_axi_wready", "m_axi_bvalid"] {
        p.set(name, 0);
    }
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    p.0.eval();
    let beat = p.0.ports()[p.at("m_axi_wdata")].width / 8;
    let tags = 1 << p.0.ports()[p.at("write_tag")].width;
    let slot = |rng: &mut ChaCha8Rng| {
        let mut slot = vec![0; bytes];
        rng.fill(slot.as_mut_slice());
        slot
    };
    let mut memory = AxiMemory::new(model, "m_axi_", MemoryOptions { seed, ..pace.memory }).map_err(|e| e.to_string())?;
    let end = cases.iter().map(|c| c.addr + c.bytes as u64).max().unwrap_or(BASE) + 1;
    // A beat around the first and the last write belongs to nobody.
    let start = BASE - beat as u64;
    let size = (end.next_multiple_of(beat as u64) - start) as usize + beat;
    memory.region(start, size);
    let mut check = AxiCheck::new(model, "m_axi_").map_err(|e| e.to_string())?;
    let mut bench = Bench {
        pace,
        cases,
        beat,
        slots: (0..slots).map(|_| slot(&mut rng)).collect(),
        slot_free: vec![true; slots],
        tag_free: vec![true; tags],
        unread: VecDeque::new(),
        order: VecDeque::new(),
        offered: None,
        next: 0,
        expected: VecDeque::new(),
        golden: Writes::new(beat as u64),
        asked: [vec![0; beat], vec![0; beat]],
        errors: 0,
        errors_told: 0,
        bursts_told: 0,
        done: 0,
        seen: Seen::default(),
        first_write: None,
        idle_beats: 0,
        quiet: 0,
        difference: None,
        rng,
    };
    let mut violations = Vec::new();
    let mut rest = 20;
    while bench.done < cases.len() || rest > 0 {
        rest = if bench.done < cases.len() || !bench.unread.is_empty() { 20 } else { rest - 1 };
        step(model, &mut [&mut bench, &mut memory, &mut check], &mut violations);
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(difference) = bench.difference.take() {
            return Err(difference);
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
    }
    let p = Ports(model);
    if !memory.damaged().is_empty() {
        return Err(format!("guard bytes changed at {:x?}", memory.damaged()));
    }
    if let Some(found) = memory.bytes(start, size) {
        for (i, byte) in found.iter().enumerate() {
            let at = start + i as u64;
            let expected = bench.golden.byte(at).unwrap_or(0);
            if *byte != expected {
                return Err(format!("memory at {at:#x} is {byte:#04x}, expected {expected:#04x}"));
            }
        }
    }
    if bench.errors != bench.errors_told || bench.seen.bursts != bench.bursts_told || !bench.unread.is_empty() {
        return Err(format!(
            "{} errors told of {}, {} bursts told of {}, {} slots missing",
            bench.errors_told,
            bench.errors,
            bench.bursts_told,
            bench.seen.bursts,
            bench.unread.len()
        ));
    }
    if p.get("idle") != 1 || p.get("bursts_open") != 0 {
        return Err(format!("not idle at the end, {} bursts open", p.get("bursts_open")));
    }
    Ok(bench.seen)
}

/// Writes for some clocks, with a bus that takes little and answers nothing: for what a reset must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, clocks: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut p = Ports(model);
    p.set("m_axi_bvalid", 0);
    for i in 0..clocks {
        p.set("write_valid", 1);
        p.set("write_tag", i % 16);
        p.set("write_slot", i % 8);
        p.set("write_addr", rng.random());
        p.set("write_bytes", rng.random_range(1..=256));
        for name in ["m_axi_awready", "m_axi_wready", "slot_read_ready"] {
            p.set(name, chance(&mut rng, 60).into());
        }
        p.0.clock();
    }
}
