//! Register banks under a test made from their description: every word of the address space is read and written through AXI4-Lite
//! with random stalls, every port of the hardware watched.

mod pins;
mod software;

use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_hdl::csr::{Access, RegisterMap};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Agent, Answer, AxiLiteCheck, AxiLiteMaster, Stalls, Violation, step};

pub use pins::HardwarePins;
pub use software::Expected;

/// A bank, the master at its bus and what should be in it.
pub struct Bench<'a> {
    pub model: &'a mut dyn Model,
    pub master: AxiLiteMaster,
    pub pins: HardwarePins,
    pub expected: Expected,
    check: AxiLiteCheck,
    violations: Vec<Violation>,
    rng: ChaCha8Rng,
}

impl<'a> Bench<'a> {
    /// Resets the model.
    /// # Errors
    /// A port that the map asks for is missing.
    pub fn new(model: &'a mut dyn Model, map: &RegisterMap, seed: u64, stalls: Stalls) -> Result<Self, String> {
        let text = |e: rdma_rtl_sim::Error| e.to_string();
        let master = AxiLiteMaster::new(model, "s_axi_", seed, stalls).map_err(text)?;
        let check = AxiLiteCheck::new(model, "s_axi_").map_err(text)?;
        let pins = HardwarePins::new(model, map, seed ^ 0x55)?;
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let mut bench = Bench { model, master, pins, expected: Expected::new(map), check, violations: Vec::new(), rng };
        bench.reset(3);
        Ok(bench)
    }

    /// Resets the model in the middle of whatever it does.
    pub fn reset(&mut self, clocks: usize) {
        let Some(rst) = self.model.port("rst") else { return };
        self.model.poke_u64(rst, 1);
        self.pins.begin_reset();
        self.master.forget();
        self.master.answers();
        for _ in 0..clocks {
            self.clock();
        }
        self.model.poke_u64(rst, 0);
        self.expected.reset();
        self.pins.end_reset();
    }

    /// One clock.
    pub fn clock(&mut self) {
        let mut agents: [&mut dyn Agent; 3] = [&mut self.master, &mut self.pins, &mut self.check];
        step(self.model, &mut agents, &mut self.violations);
    }

    /// Clocks until everything queued is answered, and the hardware has seen it.
    /// # Errors
    /// No answer in 10000 clocks; a broken rule.
    pub fn finish(&mut self) -> Result<Vec<Answer>, String> {
        for clocks in 0.. {
            if self.master.idle() {
                break;
            }
            if clocks == 10_000 {
                return Err(format!("cycle {}: the bus has not answered for 10000 clocks", self.model.cycle()));
            }
            self.clock();
        }
        for _ in 0..2 {
            self.clock();
        }
        self.rules()?;
        Ok(self.master.answers())
    }

    fn rules(&self) -> Result<(), String> {
        if let Some(failure) = self.model.failure() {
            return Err(failure.to_string());
        }
        self.violations.first().map_or(Ok(()), |v| Err(v.to_string()))
    }

    /// Reads a word and compares.
    /// # Errors
    /// A value or response that is not the expected one.
    pub fn read(&mut self, offset: u32) -> Result<u32, String> {
        self.pins.change_status();
        let status = self.pins.status().clone();
        self.clock();
        self.master.read(u64::from(offset));
        let answer = self.finish()?[0];
        match self.expected.read(offset, &status) {
            None if answer.response == 2 => Ok(0),
            None => Err(format!("cycle {}: a read of {offset:#x}, where nothing is, gave response {}", answer.cycle, answer.response)),
            Some(_) if answer.response != 0 => {
                Err(format!("cycle {}: a read of {offset:#x} gave response {}", answer.cycle, answer.response))
            }
            Some((value, mask)) if (answer.data ^ value) & mask != 0 => {
                let name = self.expected.name(offset);
                Err(format!("cycle {}: {name} at {offset:#x} is {:#x}, expected {value:#x}", answer.cycle, answer.data))
            }
            Some(_) => Ok(answer.data),
        }
    }

    /// Writes a word, compares the response and every port of the hardware.
    /// # Errors
    /// A difference.
    pub fn write(&mut self, offset: u32, data: u32, strobe: u8) -> Result<(), String> {
        self.master.write_bytes(u64::from(offset), data, strobe);
        let answer = self.finish()?[0];
        let allowed = self.expected.write(offset, data, strobe);
        let response = if allowed { 0 } else { 2 };
        if answer.response != response {
            return Err(format!("cycle {}: a write to {offset:#x} gave response {}, expected {response}", answer.cycle, answer.response));
        }
        self.pins.compare(self.model, &self.expected)
    }

    /// A 64-bit counter as software reads it: low word, then high word.
    /// # Errors
    /// A response that is not OKAY.
    pub fn counter(&mut self, offset: u32) -> Result<u64, String> {
        let low = self.read(offset)?;
        let high = self.read(offset + 4)?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }
}

/// The whole test.
/// # Errors
/// The first difference, with cycle, register and both values.
pub fn bench(model: &mut dyn Model, map: &RegisterMap, seed: u64, rounds: usize) -> Result<(), String> {
    let mut bench = Bench::new(model, map, seed, Stalls::all(20))?;
    // After reset, everywhere.
    bench.pins.compare(bench.model, &bench.expected)?;
    for offset in (0..map.size()).step_by(4) {
        bench.read(offset)?;
    }
    // Every word, written with ones, whole, in part, and with nothing.
    for offset in (0..map.size()).step_by(4) {
        bench.write(offset, u32::MAX, 0xf)?;
        for strobe in [0xf, bench.rng.random_range(0..16), 0] {
            let data = bench.rng.random();
            bench.write(offset, data, strobe)?;
        }
        bench.read(offset)?;
    }
    for round in 0..rounds {
        let stalls = Stalls::all(*[0, 20, 70].get(round % 3).unwrap_or(&0));
        bench.master.set_stalls(stalls);
        set_something(&mut bench, map)?;
        let offset = any_word(&mut bench);
        if chance(&mut bench.rng, 50) {
            let (data, strobe) = (bench.rng.random(), bench.rng.random_range(0..16));
            bench.write(offset, data, strobe)?;
        } else {
            bench.read(offset)?;
        }
    }
    interrupts(&mut bench, map)?;
    storm(&mut bench)?;
    counters(&mut bench, map)?;
    throughput(&mut bench, map)?;
    // A reset in the middle leaves nothing behind.
    for _ in 0..8 {
        bench.pins.event_percent = 50;
        for _ in 0..bench.rng.random_range(0..8) {
            let (offset, data) = (any_word(&mut bench), bench.rng.random());
            bench.master.write(u64::from(offset), data);
            bench.master.read(u64::from(offset));
        }
        for _ in 0..bench.rng.random_range(0..30) {
            bench.clock();
        }
        bench.reset(2);
        bench.pins.compare(bench.model, &bench.expected)?;
        for register in &map.registers {
            bench.read(register.offset)?;
        }
    }
    Ok(())
}

/// The hardware sets a bit that software clears.
fn set_something(bench: &mut Bench, map: &RegisterMap) -> Result<(), String> {
    for register in &map.registers {
        for field in register.fields.iter().filter(|f| f.access == Access::WriteOneToClear) {
            let Some(port) = register.port(field).filter(|_| chance(&mut bench.rng, 10)) else { continue };
            bench.pins.hold_set(&port, 1);
            bench.clock();
            bench.pins.hold_set(&port, 0);
            bench.expected.set_by_hardware(&register.name, field.low, 1);
            bench.read(register.offset)?;
            bench.pins.compare(bench.model, &bench.expected)?;
        }
    }
    Ok(())
}

/// Interrupts; and a bit that is set in the clock in which it is cleared stays set: of the clocks around a write, there is one in which
/// setting keeps the interrupt from falling at all.
fn interrupts(bench: &mut Bench, map: &RegisterMap) -> Result<(), String> {
    let Some((status, enable)) = &map.interrupt else { return Ok(()) };
    let (Some(status), Some(enable)) = (map.find(status), map.find(enable)) else { return Ok(()) };
    let (Some(irq), offset) = (bench.model.port("irq"), u64::from(status.offset)) else { return Ok(()) };
    bench.master.set_stalls(Stalls::NONE);
    for field in &status.fields {
        let (Some(port), mask) = (status.port(field), field.mask() as u32) else { continue };
        // Each bit interrupts where it is enabled, and no other does.
        for other in &enable.fields {
            bench.write(status.offset, u32::MAX, 0xf)?;
            bench.write(enable.offset, other.mask() as u32, 0xf)?;
            bench.pins.hold_set(&port, 1);
            bench.clock();
            bench.pins.hold_set(&port, 0);
            bench.expected.set_by_hardware(&status.name, field.low, 1);
            bench.finish()?;
            bench.pins.compare(bench.model, &bench.expected)?;
        }
        bench.write(status.offset, u32::MAX, 0xf)?;
        bench.write(enable.offset, mask, 0xf)?;
        let mut kept = 0;
        for delay in 0..12 {
            bench.pins.hold_set(&port, 1);
            bench.clock();
            bench.pins.hold_set(&port, 0);
            bench.finish()?;
            bench.master.write(offset, mask);
            let mut fell = false;
            for clock in 0..16 {
                bench.pins.hold_set(&port, u64::from(clock == delay));
                bench.clock();
                fell |= bench.model.peek_u64(irq) == 0;
            }
            bench.finish()?;
            kept += u32::from(!fell);
        }
        if kept != 1 {
            return Err(format!("`{port}` in one of 12 clocks around a write that clears kept the bit in {kept} of them, 1 is right"));
        }
        bench.write(status.offset, mask, 0xf)?;
        bench.read(status.offset)?;
    }
    Ok(())
}

/// A word, more often one where something is.
fn any_word(bench: &mut Bench) -> u32 {
    let words = bench.expected.words();
    if chance(&mut bench.rng, 90) {
        words[bench.rng.random_range(0..words.len())]
    } else {
        4 * bench.rng.random_range(0..bench.expected.size() / 4)
    }
}

/// More under way than there is room for, and answers that are hardly taken.
fn storm(bench: &mut Bench) -> Result<(), String> {
    bench.master.set_stalls(Stalls { idle: 0, backpressure: 90 });
    let writes: Vec<(u32, u32, u8)> = (0..60).map(|_| (any_word(bench), bench.rng.random(), bench.rng.random_range(0..16))).collect();
    for (offset, data, strobe) in &writes {
        bench.master.write_bytes(u64::from(*offset), *data, *strobe);
    }
    let answers = bench.finish()?;
    for ((offset, data, strobe), answer) in writes.iter().zip(&answers) {
        if bench.expected.write(*offset, *data, *strobe) != answer.ok() {
            return Err(format!("cycle {}: of many writes, the one to {offset:#x} gave response {}", answer.cycle, answer.response));
        }
    }
    bench.pins.compare(bench.model, &bench.expected)?;
    let status = bench.pins.status().clone();
    let reads: Vec<u32> = (0..60).map(|_| any_word(bench)).collect();
    for offset in &reads {
        bench.master.read(u64::from(*offset));
    }
    let answers = bench.finish()?;
    for (offset, answer) in reads.iter().zip(&answers) {
        let sound = match bench.expected.read(*offset, &status) {
            None => answer.response == 2,
            Some((value, mask)) => answer.ok() && (answer.data ^ value) & mask == 0,
        };
        if !sound {
            let name = bench.expected.name(*offset);
            return Err(format!("cycle {}: of many reads, {name} gave {:#x}, response {}", answer.cycle, answer.data, answer.response));
        }
    }
    Ok(())
}

/// Events in every clock and seldom; the values are near while they come and exact when they have ended.
fn counters(bench: &mut Bench, map: &RegisterMap) -> Result<(), String> {
    let offsets: Vec<u32> = map.counters().map(|r| r.offset).collect();
    if offsets.is_empty() {
        return Ok(());
    }
    let late = (offsets.len() as u64).next_power_of_two().max(4) + 4;
    for percent in [100, 40, 2] {
        bench.pins.event_percent = percent;
        for _ in 0..30 {
            let i = bench.rng.random_range(0..offsets.len());
            let before = bench.pins.counts()[i];
            let value = bench.counter(offsets[i])?;
            let after = bench.pins.counts()[i];
            if value + late < before || value > after {
                return Err(format!("counter {i} reads as {value}, between {before} and {after} had been counted; it may lack {late}"));
            }
        }
        bench.pins.event_percent = 0;
        for _ in 0..late {
            bench.clock();
        }
        for (i, offset) in offsets.iter().enumerate() {
            let (value, counted) = (bench.counter(*offset)?, bench.pins.counts()[i]);
            if value != counted {
                return Err(format!("counter {i} is {value}, {counted} had been counted"));
            }
        }
    }
    let Some((register, field)) = &map.clear_counters else { return Ok(()) };
    let Some(register) = map.find(register) else { return Ok(()) };
    let bit = register.fields.iter().find(|f| f.name == *field).map_or(0, |f| f.low);
    // The last is cleared last: it is read before the sweep has come to it.
    bench.master.set_stalls(Stalls::NONE);
    bench.write(register.offset, 1 << bit, 1 << (bit / 8))?;
    bench.pins.forget_counts();
    for i in (0..offsets.len()).rev() {
        let value = bench.counter(offsets[i])?;
        if value != 0 {
            return Err(format!("counter {i} is {value} after all were cleared"));
        }
    }
    Ok(())
}

/// Reads and writes back to back: one of each per 2 clocks.
fn throughput(bench: &mut Bench, map: &RegisterMap) -> Result<(), String> {
    bench.master.set_stalls(Stalls::NONE);
    let offset = map.registers.iter().find(|r| r.writable()).map_or(0, |r| r.offset);
    let start = bench.model.cycle();
    for i in 0..200 {
        bench.master.write(u64::from(offset), i);
        bench.master.read(u64::from(offset));
        bench.expected.write(offset, i, 0xf);
    }
    bench.finish()?;
    let clocks = bench.model.cycle() - start;
    if clocks > 400 + 20 {
        return Err(format!("200 reads and 200 writes took {clocks} clocks, 2 for each pair are allowed, and the way there and back"));
    }
    bench.pins.compare(bench.model, &bench.expected)
}
