//! Bus models: what stands at the AXI ports of a design in a bench.
//!
//! An [`Agent`] finds the ports of its bus by their prefix and is told of each clock twice: it drives inputs, then it sees what all
//! ports say just before the rising edge. [`step`] does that for a whole bench:
//! ```no_run
//! # use rdma_rtl_sim::{Model, bus::{self, AxiLiteMaster, Stalls}};
//! # fn f(model: &mut dyn Model) -> Result<(), Box<dyn std::error::Error>> {
//! let mut master = AxiLiteMaster::new(model, "s_axi_", 1, Stalls::all(30))?;
//! let mut check = bus::AxiLiteCheck::new(model, "s_axi_")?;
//! let mut violations = Vec::new();
//! master.read(0x10);
//! while !master.idle() {
//!     bus::step(model, &mut [&mut master, &mut check], &mut violations);
//! }
//! assert!(violations.is_empty());
//! println!("{:?}", master.answers());
//! # Ok(()) }
//! ```

mod axi_check;
mod axi_lite;
mod axi_memory;
mod channel;
mod joined;
mod stream;

pub use axi_check::{AxiCheck, AxiLiteCheck, StreamCheck};
pub use axi_lite::{Answer, AxiLiteMaster};
pub use axi_memory::{AxiMemory, MemoryOptions};
pub use channel::{Channel, ChannelCheck, Reset};
pub use joined::Joined;
pub use stream::{Beat, StreamSink, StreamSource};

use crate::Model;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What stands at some ports of a model.
pub trait Agent {
    /// Sets inputs for this clock.
    fn drive(&mut self, model: &mut dyn Model);
    /// Sees all ports, settled, just before the rising edge; adds what broke a rule.
    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>);
}

/// A broken rule of a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub cycle: u64,
    /// channel or bus: prefix of its ports
    pub bus: String,
    /// name of the rule
    pub rule: &'static str,
    /// what was seen
    pub detail: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cycle {}: {}: {}: {}", self.cycle, self.bus, self.rule, self.detail)
    }
}

/// One clock of a bench: all agents drive, the logic settles, all agents see it, the clock rises.
pub fn step(model: &mut dyn Model, agents: &mut [&mut dyn Agent], violations: &mut Vec<Violation>) {
    for agent in agents.iter_mut() {
        agent.drive(model);
    }
    model.eval();
    for agent in agents.iter_mut() {
        agent.observe(model, violations);
    }
    model.clock();
}

/// How often a bus model makes the other side wait, in percent of the clocks: 0 never, 100 always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// nothing is offered although something is there
    pub idle: u32,
    /// what is offered is not taken
    pub backpressure: u32,
}

impl Stalls {
    /// Never.
    pub const NONE: Stalls = Stalls { idle: 0, backpressure: 0 };

    /// Both in this many percent of the clocks.
    pub fn all(percent: u32) -> Self {
        Stalls { idle: percent, backpressure: percent }
    }
}

/// Random choices of a bus model: the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        percent > 0 && self.0.random_range(0..100) < percent
    }

    /// `from` to `to`, both included.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        self.0.random_range(from..=to.max(from))
    }

    /// Anything.
    pub fn words(&mut self, n: usize) -> Vec<u32> {
        let mut words = vec![0; n];
        self.fill(&mut words);
        words
    }

    /// Anything, in place.
    pub fn fill(&mut self, words: &mut [u32]) {
        words.iter_mut().for_each(|word| *word = self.0.random());
    }
}
