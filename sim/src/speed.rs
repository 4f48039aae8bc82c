//! How fast one block runs in each back end: same stimulus, same outputs read, same checksum.
//!
//! [`compare`] measures Rust on the Verilated model, a C++ bench on the same Verilog built by Verilator's own makefile, [`Native`] and
//! rust-hdl's `Simulation`. The stimulus is a table of input words, so that no back end pays for making it.

use crate::model::{Direction, Model, Port};
use crate::verilated::{Design, Library, Optimize, Options, Tools};
use crate::{Error, Native};
use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::settle::Settle;
use rust_hdl::prelude::{Block, Sim, Simulation};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Instant;

mod cpp;

/// Input words of every cycle; it starts again at its end.
#[derive(Clone, Debug)]
pub struct Stimulus {
    rows: Arc<Vec<u32>>,
    /// Words of one cycle: those of all inputs, in the order of the ports.
    width: usize,
}

impl Stimulus {
    /// `cycles` rows from a function that fills in one cycle: row number, input port, its words.
    pub fn new(ports: &[Port], cycles: usize, mut fill: impl FnMut(usize, &Port, &mut [u32])) -> Self {
        let inputs: Vec<&Port> = ports.iter().filter(|p| p.direction == Direction::Input).collect();
        let width: usize = inputs.iter().map(|p| p.words()).sum();
        let mut rows = vec![0; width * cycles];
        for (cycle, row) in rows.chunks_mut(width.max(1)).enumerate() {
            let mut rest = row;
            for port in &inputs {
                let (words, tail) = rest.split_at_mut(port.words());
                fill(cycle, port, words);
                // C++ writes whole storage words: bits above the width must not be there.
                if port.width % 32 != 0
                    && let Some(last) = words.last_mut()
                {
                    *last &= (1 << (port.width % 32)) - 1;
                }
                rest = tail;
            }
        }
        Stimulus { rows: Arc::new(rows), width }
    }

    #[inline]
    fn row(&self, at: usize) -> &[u32] {
        &self.rows[at..at + self.width]
    }

    #[inline]
    fn words(&self) -> usize {
        self.rows.len()
    }
}

/// Runs `cycles` cycles: pokes every input, clocks, reads every output. Returns a checksum of all outputs.
pub fn drive(model: &mut impl Model, stimulus: &Stimulus, cycles: u64) -> u64 {
    let mut narrow_in = Vec::new();
    let mut wide_in = Vec::new();
    let mut outputs = Vec::new();
    let mut at = 0;
    for (i, port) in model.ports().iter().enumerate() {
        let words = port.words();
        match port.direction {
            Direction::Input if words == 1 => narrow_in.push((i, at)),
            Direction::Input => wide_in.push((i, at, words)),
            Direction::Output => outputs.push((i, words)),
        }
        if port.direction == Direction::Input {
            at += words;
        }
    }
    let mut buffer = vec![0; outputs.iter().map(|o| o.1).max().unwrap_or(0)];
    let (mut at, mut sum) = (0, 0u64);
    for _ in 0..cycles {
        let row = stimulus.row(at);
        for &(port, word) in &narrow_in {
            model.poke_u64(port, u64::from(row[word]));
        }
        for &(port, word, words) in &wide_in {
            model.poke(port, &row[word..word + words]);
        }
        model.clock();
        for &(port, words) in &outputs {
            if words == 1 {
                sum = mix(sum, model.peek_u64(port) as u32);
            } else {
                model.peek(port, &mut buffer[..words]);
                for &word in &buffer[..words] {
                    sum = mix(sum, word);
                }
            }
        }
        at += stimulus.width;
        if at == stimulus.words() {
            at = 0;
        }
    }
    sum
}

#[inline]
fn mix(sum: u64, word: u32) -> u64 {
    (sum ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Cycles per second of one back end: the median of the runs, or why it does not run the block.
#[derive(Clone, Debug)]
pub struct Speed {
    pub back_end: &'static str,
    pub cycles: u64,
    pub per_second: Result<f64, String>,
}

/// The back ends side by side. Displayed as a table in Markdown.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub subject: String,
    /// C++, Rust, native, `Simulation`.
    pub speeds: Vec<Speed>,
    /// Runs that each median is of.
    pub runs: usize,
    /// What the models were built with.
    pub tools: String,
    /// Seconds to have the model of an unchanged design again.
    pub second_build: f64,
}

impl Comparison {
    /// Speed of verilated from Rust as a fraction of the C++ bench's.
    pub fn rust_over_cpp(&self) -> f64 {
        let speed = |i: usize| self.speeds[i].per_second.as_ref().copied().unwrap_or(f64::NAN);
        speed(1) / speed(0)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}, median of {}:\n", self.subject, self.runs)?;
        writeln!(f, "| back end | cycles | cycles per second | of C++ |\n| --- | ---: | ---: | ---: |")?;
        for speed in &self.speeds {
            match (&speed.per_second, &self.speeds[0].per_second) {
                (Ok(per_second), Ok(cpp)) => {
                    let ratio = per_second / cpp;
                    let ratio = if ratio >= 0.1 { format!("{ratio:.2}") } else { format!("1/{:.0}", 1.0 / ratio) };
                    writeln!(f, "| {} | {} | {per_second:.0} | {ratio} |", speed.back_end, speed.cycles)?;
                }
                (Err(reason), _) | (_, Err(reason)) => writeln!(f, "| {} | | {reason} | |", speed.back_end)?,
            }
        }
        writeln!(f, "\n{}; second build of the unchanged design {:.3} s", self.tools, self.second_build)
    }
}

/// How long each back end runs, in cycles.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    pub verilated: u64,
    pub native: u64,
    pub simulation: u64,
    /// Runs of each; an odd number.
    pub runs: usize,
}

/// Measures all four back ends on one block. Before that it runs each for `lengths.simulation` cycles and requires equal checksums.
///
/// Errors: what building the model or the C++ bench may give; [`Error::Unequal`] if two back ends disagree.
pub fn compare<B, F>(subject: &str, design: &Design, make: F, stimulus: &Stimulus, lengths: Lengths) -> Result<Comparison, Error>
where
    B: Block + Ports + Settle + Send + 'static,
    F: Fn() -> B,
{
    let options = Options { optimize: Optimize::Full, ..Options::default() };
    let library = Library::build(design, &options)?;
    let start = Instant::now();
    Library::build(design, &options)?.instance()?;
    let second_build = start.elapsed().as_secs_f64();
    let tools = Tools::find(None, None)?;
    let program = cpp::Program::build(&tools, design, stimulus)?;

    let check = lengths.simulation;
    let expected = drive(&mut library.instance()?, stimulus, check);
    let equal = |back_end: &str, sum: u64| {
        let detail = || Error::Unequal { subject: subject.to_string(), back_end: back_end.to_string(), cycles: check };
        if sum == expected { Ok(()) } else { Err(detail()) }
    };
    equal("C++", program.run(check)?.1)?;
    equal("native", drive(&mut Native::new(make())?, stimulus, check))?;
    // rust-hdl looks for loops by signal, not by bit and path: it refuses blocks that have none.
    let refused = match simulation(make(), &design.ports, stimulus, check) {
        Ok((_, sum)) => equal("Simulation", sum).map(|()| None)?,
        Err(Error::Simulation { detail }) if detail.contains("LogicLoops") => Some("refuses the block: sees a loop".to_string()),
        Err(other) => return Err(other),
    };

    // Taken in turns: what slows the machine down slows both.
    let (mut cpp, mut rust) = (Vec::new(), Vec::new());
    for _ in 0..lengths.runs {
        cpp.push(program.run(lengths.verilated)?.0);
        let mut model = library.instance()?;
        let start = Instant::now();
        std::hint::black_box(drive(&mut model, stimulus, lengths.verilated));
        rust.push(start.elapsed().as_secs_f64());
    }
    let mut native = Vec::new();
    for _ in 0..lengths.runs {
        let mut model = Native::new(make())?;
        let start = Instant::now();
        std::hint::black_box(drive(&mut model, stimulus, lengths.native));
        native.push(start.elapsed().as_secs_f64());
    }
    let mut threads = Vec::new();
    for _ in 0..if refused.is_none() { lengths.runs } else { 0 } {
        threads.push(simulation(make(), &design.ports, stimulus, lengths.simulation)?.0);
    }
    let speed = |back_end, cycles: u64, mut seconds: Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied();
        Speed { back_end, cycles, per_second: median.map(|m| cycles as f64 / m).ok_or_else(|| refused.clone().unwrap_or_default()) }
    };
    let speeds = vec![
        speed("Verilator, C++ bench", lengths.verilated, cpp),
        speed("Verilator, from Rust", lengths.verilated, rust),
        speed("native", lengths.native, native),
        speed("rust-hdl `Simulation`", lengths.simulation, threads),
    ];
    Ok(Comparison {
        subject: subject.to_string(),
        speeds,
        runs: lengths.runs,
        tools: format!("Verilator {}, {}", tools.verilator_version, tools.compiler_version),
        second_build,
    })
}

/// The same run under rust-hdl's own simulator: seconds and checksum.
fn simulation<B>(block: B, ports: &[Port], stimulus: &Stimulus, cycles: u64) -> Result<(f64, u64), Error>
where
    B: Block + Ports + Send + 'static,
{
    const HALF: u64 = 5;
    let index = |name: &str| B::port_names().iter().position(|n| n == name);
    let names = B::port_names();
    let clock = (0..names.len()).find(|&i| block.port(i).is_some_and(|p| p.is_clock() && p.is_input()));
    let order: Vec<(usize, usize, bool)> =
        ports.iter().filter_map(|p| Some((index(&p.name)?, p.words(), p.direction == Direction::Input))).collect();
    let mut simulation: Simulation<B> = Simulation::new();
    simulation.add_clock(HALF, move |block: &mut Box<B>| {
        if let Some(port) = clock.and_then(|c| block.port_mut(c)) {
            let mut now = [0];
            port.get(&mut now);
            port.set(&[1 - now[0]]);
        }
    });
    let sum = Arc::new(Mutex::new(0));
    let (result, stimulus) = (sum.clone(), stimulus.clone());
    simulation.add_testbench(move |mut sim: Sim<B>| {
        let mut block = sim.init()?;
        let mut buffer = vec![0; order.iter().map(|o| o.1).max().unwrap_or(0)];
        let (mut at, mut sum) = (0, 0);
        for _ in 0..cycles {
            // Inputs change while the clock is low; outputs are read after the rising edge.
            let mut row = stimulus.row(at);
            for &(port, words, _) in order.iter().filter(|o| o.2) {
                let (mine, rest) = row.split_at(words);
                block.port_mut(port).into_iter().for_each(|p| _ = p.set(mine));
                row = rest;
            }
            block = sim.wait(HALF + 1, block)?;
            for &(port, words, _) in order.iter().filter(|o| !o.2) {
                block.port(port).into_iter().for_each(|p| p.get(&mut buffer[..words]));
                sum = buffer[..words].iter().fold(sum, |s, &w| mix(s, w));
            }
            block = sim.wait(HALF - 1, block)?;
            at = (at + stimulus.width) % stimulus.words();
        }
        *result.lock().unwrap_or_else(|e| e.into_inner()) = sum;
        sim.done(block)
    });
    let start = Instant::now();
    let end = simulation.run(Box::new(block), (cycles + 2) * 2 * HALF);
    let seconds = start.elapsed().as_secs_f64();
    end.map_err(|e| Error::Simulation { detail: format!("{e:?}") })?;
    let sum = *sum.lock().unwrap_or_else(|e| e.into_inner());
    Ok((seconds, sum))
}
