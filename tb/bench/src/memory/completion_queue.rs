//! `CompletionQueue` with software on the other side of the ring, and `CompletionStream`: every completion once, in order, byte by byte;
//! the producer index never ahead of the memory's answers; nothing written over what software has not taken.

use super::Ports;
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::memory::{Completion, ENTRY, What, entry_address};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{
    Agent, AxiCheck, AxiMemory, Channel, ChannelCheck, MemoryOptions, Stalls, StreamCheck, StreamSink, Violation, step,
};
use std::collections::VecDeque;

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// percent of clocks in which a completion is offered
    pub offer: u32,
    /// percent of clocks in which software looks
    pub software: u32,
    /// log2 of the ring's entries
    pub size: u32,
    /// entries that interrupt
    pub count: u32,
    pub memory: MemoryOptions,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub completions: u64,
    pub failed: u64,
    /// clocks with a completion waiting for room
    pub full: u64,
    pub interrupted: u64,
    /// clocks from the first completion to its address
    pub latency: u64,
    /// clocks from the first to the last address
    pub clocks: u64,
}

/// A multiple of 64 and of nothing more, so that a ring crosses 4 KB.
pub const BASE: u64 = 0x0123_4567_89ab_c7c0;

/// Anything that can be told, with masks of so many bits.
pub fn random_completion(rng: &mut ChaCha8Rng, bits: usize) -> Completion {
    let mut mask: Vec<u32> = (0..bits.div_ceil(32)).map(|_| rng.random()).collect();
    if !bits.is_multiple_of(32) {
        mask[bits / 32] &= (1 << (bits % 32)) - 1;
    }
    Completion {
        what: [What::Operation, What::Arrival, What::Command][rng.random_range(0..3)],
        src: rng.random(),
        op: rng.random_range(0..1 << OP_BITS),
        base: rng.random(),
        bytes: rng.random(),
        packets: rng.random(),
        status: rng.random(),
        imm: rng.random::<bool>().then(|| rng.random()),
        mask,
    }
}

fn offer<'a, M: std::ops::DerefMut<Target = dyn Model + 'a>>(p: &mut Ports<M>, completion: Option<&Completion>) {
    p.set("complete_valid", completion.is_some().into());
    if let Some(c) = completion {
        p.set("complete_kind", c.what as u64);
        p.set("complete_src", c.src.into());
        p.set("complete_op", c.op.into());
        p.set("complete_base", c.base);
        p.set("complete_bytes", c.bytes.into());
        p.set("complete_packets", c.packets.into());
        p.set("complete_status", c.status.into());
        p.set("complete_imm_valid", c.imm.is_some().into());
        // An immediate that does not count may be anything, and is not shown.
        p.set("complete_imm", c.imm.unwrap_or(0x5a5a_a5a5).into());
        let mask: Vec<u8> = c.mask.iter().flat_map(|w| w.to_le_bytes()).collect();
        p.set_bytes("complete_mask", &mask);
    }
}

fn reset(model: &mut dyn Model) {
    let mut p = Ports(model);
    for port in 0..p.0.ports().len() {
        if p.0.ports()[port].direction == rdma_rtl_sim::Direction::Input {
            let zero = vec![0; p.0.ports()[port].words()];
            p.0.poke(port, &zero);
        }
    }
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    p.0.eval();
}

struct Hardware<'a> {
    rng: ChaCha8Rng,
    pace: Pace,
    cases: &'a [Completion],
    offered: bool,
    next: usize,
    addresses: u32,
    /// of each entry that was answered: it is in memory
    answers: Vec<bool>,
    errors_told: u64,
    counted: u64,
    consumer: u32,
    producer: u32,
    /// clocks for which the number of entries that wait has been the same, and that number
    steady: (u64, u32),
    /// consumer index, and clocks for which it has been the same
    taken: u32,
    untouched: u64,
    first: Option<u64>,
    seen: Seen,
    difference: Option<String>,
}

impl Hardware<'_> {
    fn look(&mut self, p: &Ports<&dyn Model>) -> Result<(), String> {
        let now = p.0.cycle();
        let fires = |name: &str| p.get(&format!("{name}valid")) == 1 && p.get(&format!("{name}ready")) == 1;
        if self.offered && fires("complete_") {
            self.offered = false;
            self.next += 1;
            self.first.get_or_insert(now);
        }
        if fires("m_axi_aw") {
            let expected = entry_address(BASE, self.addresses, self.pace.size);
            if p.get("m_axi_awaddr") != expected {
                return Err(format!("entry {} goes to {:#x}, expected {expected:#x}", self.addresses, p.get("m_axi_awaddr")));
            }
            if self.addresses - self.consumer >= 1 << self.pace.size {
                return Err(format!("entry {} is written over one that is not taken", self.addresses));
            }
            if self.addresses == 0 {
                self.seen.latency = now - self.first.unwrap_or(now);
            }
            self.addresses += 1;
            self.seen.clocks = now - self.first.unwrap_or(now);
        }
        self.producer = p.get("status_ring_producer") as u32;
        if self.producer as usize > self.answers.len() {
            return Err(format!("producer {} with {} answers", self.producer, self.answers.len()));
        }
        self.errors_told += p.get("set_interrupt_status_ring_error");
        self.counted += p.get("evt_completions");
        if fires("m_axi_b") {
            self.answers.push(p.get("m_axi_bresp") == 0);
        }
        let full = p.get("set_interrupt_status_ring_full") == 1;
        self.seen.full += u64::from(full);
        // One more may have its address on the bus.
        let held = self.addresses - self.consumer + u32::from(p.get("m_axi_awvalid") == 1 && !fires("m_axi_aw"));
        self.untouched = if self.taken == self.consumer { self.untouched + 1 } else { 0 };
        self.taken = self.consumer;
        if full && held < 1 << self.pace.size && self.untouched > 3 {
            return Err(format!("the ring is full with {held} entries"));
        }
        let waiting = self.producer - self.consumer;
        self.steady = if waiting == self.steady.1 { (self.steady.0 + 1, waiting) } else { (0, waiting) };
        let interrupt = p.get("set_interrupt_status_completion") == 1;
        self.seen.interrupted += u64::from(interrupt);
        let enough = self.pace.count > 0 && waiting >= self.pace.count;
        if self.steady.0 > 3 && interrupt != enough {
            return Err(format!("interrupt {interrupt} with {waiting} entries, {} are enough", self.pace.count));
        }
        Ok(())
    }
}

impl Agent for Hardware<'_> {
    fn drive(&mut self, model: &mut dyn Model) {
        self.offered = self.offered || self.next < self.cases.len() && chance(&mut self.rng, self.pace.offer);
        let mut p = Ports(model);
        offer(&mut p, self.offered.then(|| &self.cases[self.next]));
        p.set("cfg_ring_consumer", self.consumer.into());
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        if self.difference.is_none() {
            self.difference = self.look(&Ports(model)).map_err(|e| format!("cycle {}: {e}", model.cycle())).err();
        }
    }
}

/// After a reset, all `cases` through the ring.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, cases: &[Completion], pace: Pace, seed: u64) -> Result<Seen, String> {
    reset(model);
    let mut p = Ports(&mut *model);
    // The low bits do not count.
    p.set("cfg_ring_base", BASE | seed & 63);
    p.set("cfg_ring_size_log2", pace.size.into());
    p.set("cfg_coalesce_count", pace.count.into());
    let mut memory = AxiMemory::new(model, "m_axi_", MemoryOptions { seed, ..pace.memory }).map_err(|e| e.to_string())?;
    memory.region(BASE, ENTRY << pace.size);
    let mut check = AxiCheck::new(model, "m_axi_").map_err(|e| e.to_string())?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut hardware = Hardware {
        rng: ChaCha8Rng::seed_from_u64(seed + 1),
        pace,
        cases,
        offered: false,
        next: 0,
        addresses: 0,
        answers: Vec::new(),
        errors_told: 0,
        counted: 0,
        consumer: 0,
        producer: 0,
        steady: (0, 0),
        taken: 0,
        untouched: 0,
        first: None,
        seen: Seen::default(),
        difference: None,
    };
    let mut violations = Vec::new();
    let (mut rest, mut quiet) = (20, 0);
    while (hardware.consumer as usize) < cases.len() || rest > 0 {
        rest = if (hardware.consumer as usize) < cases.len() { 20 } else { rest - 1 };
        let before = (hardware.next, hardware.producer, hardware.consumer);
        step(model, &mut [&mut hardware, &mut memory, &mut check], &mut violations);
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(difference) = hardware.difference.take() {
            return Err(difference);
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        // Software takes some of what there is.
        if hardware.producer != hardware.consumer && chance(&mut rng, pace.software) {
            for _ in 0..rng.random_range(1..=hardware.producer - hardware.consumer) {
                let number = hardware.consumer;
                let found = memory.bytes(entry_address(BASE, number, pace.size), ENTRY).unwrap_or(&[]);
                let Some(case) = cases.get(number as usize) else { return Err(format!("completion {number} of {}", cases.len())) };
                let expected = case.entry(number, pace.size);
                if hardware.answers[number as usize] && found != expected {
                    return Err(format!("entry {number} is {found:02x?}, expected {expected:02x?}"));
                }
                hardware.consumer += 1;
            }
        }
        quiet = if before == (hardware.next, hardware.producer, hardware.consumer) { quiet + 1 } else { 0 };
        if quiet > 3000 {
            return Err(format!("nothing moves any more, at completion {} of {}", hardware.next, cases.len()));
        }
    }
    if !memory.damaged().is_empty() {
        return Err(format!("guard bytes changed at {:x?}", memory.damaged()));
    }
    let failed = hardware.answers.iter().filter(|ok| !**ok).count() as u64;
    if hardware.errors_told != failed || hardware.counted + failed != cases.len() as u64 {
        return Err(format!("{} errors told of {failed}, {} completions counted", hardware.errors_told, hardware.counted));
    }
    if Ports(&*model).get("idle") != 1 {
        return Err("it is not idle at the end".to_string());
    }
    Ok(Seen { completions: cases.len() as u64, failed, ..hardware.seen })
}

/// Clocks from the first entry to the interrupt by age, with `delay` ticks of `prescale` clocks that begin `phase` clocks before.
/// # Errors
/// There is none, or it does not fall.
pub fn interrupt_by_age(model: &mut dyn Model, delay: u64, prescale: u64, phase: u64) -> Result<u64, String> {
    reset(model);
    let mut memory = AxiMemory::new(model, "m_axi_", MemoryOptions::default()).map_err(|e| e.to_string())?;
    memory.region(BASE, ENTRY << 3);
    let mut p = Ports(&mut *model);
    p.set("cfg_ring_base", BASE);
    p.set("cfg_ring_size_log2", 3);
    p.set("cfg_coalesce_delay", delay);
    offer(&mut p, Some(&Completion::default()));
    let mut since = None;
    for clock in 0..(delay + 20) * prescale + 100 {
        let mut p = Ports(&mut *model);
        // Near the wrap of the tick.
        p.set("now", (0xffff_fffe + (clock + phase) / prescale) & 0xffff_ffff);
        let wanted = clock > 0;
        if wanted {
            offer(&mut p, None);
        }
        step(model, &mut [&mut memory], &mut Vec::new());
        let p = Ports(&*model);
        if p.get("status_ring_producer") == 1 {
            since.get_or_insert(clock);
        }
        if let (1, Some(since)) = (p.get("set_interrupt_status_completion"), since) {
            let mut p = Ports(&mut *model);
            p.set("cfg_ring_consumer", 1);
            for _ in 0..5 {
                p.0.clock();
            }
            return if p.get("set_interrupt_status_completion") == 0 { Ok(clock - since) } else { Err("it does not fall".to_string()) };
        }
    }
    Err("no interrupt".to_string())
}

/// After a reset, all `cases` through a `CompletionStream`.
/// # Errors
/// The first difference.
pub fn bench_stream(model: &mut dyn Model, cases: &[Completion], stalls: Stalls, seed: u64) -> Result<(), String> {
    reset(model);
    let mut sink = StreamSink::new(model, "m_axis_completion_", seed, stalls).map_err(|e| e.to_string())?;
    let mut check = StreamCheck::new(model, "m_axis_completion_").map_err(|e| e.to_string())?;
    let mut input = ChannelCheck::new(model, Channel::find(model, "complete_").map_err(|e| e.to_string())?);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut violations = Vec::new();
    let mut beats = VecDeque::new();
    let (mut next, mut counted) = (0, 0);
    let mut offered = false;
    for _ in 0..cases.len() * 40 + 100 {
        offered = offered || next < cases.len() && !chance(&mut rng, stalls.idle);
        offer(&mut Ports(&mut *model), offered.then(|| &cases[next]));
        sink.drive(model);
        model.eval();
        sink.observe(model, &mut violations);
        check.observe(model, &mut violations);
        if input.observe(model, &mut violations) {
            next += 1;
            offered = false;
        }
        counted += Ports(&*model).get("evt_completions");
        model.clock();
        beats.extend(sink.beats());
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
    }
    let found: Vec<Vec<u8>> = beats.iter().filter(|b| b.last).map(|b| b.data.clone()).collect();
    let expected: Vec<Vec<u8>> = cases.iter().enumerate().map(|(i, c)| c.entry(i as u32, 32).to_vec()).collect();
    if found != expected || counted != cases.len() as u64 {
        let first = found.iter().zip(&expected).position(|(f, e)| f != e);
        return Err(format!("{} of {} completions, {counted} counted, the first that differs: {first:?}", found.len(), expected.len()));
    }
    Ok(())
}

/// Completions for some clocks, with a bus that takes little and answers nothing: for what a reset must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, clocks: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let bits = model.ports()[Ports(&*model).at("complete_mask")].width;
    let mut p = Ports(model);
    p.set("cfg_ring_size_log2", 4);
    p.set("cfg_coalesce_count", 1);
    for _ in 0..clocks {
        offer(&mut p, Some(&random_completion(&mut rng, bits)));
        for name in ["m_axi_awready", "m_axi_wready", "m_axi_bvalid"] {
            let percent = if name == "m_axi_bvalid" { 0 } else { 60 };
            p.set(name, chance(&mut rng, percent).into());
        }
        p.0.clock();
    }
}
