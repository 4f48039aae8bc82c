//! Lint of emitted Verilog: Verilator on each block as a whole, Yosys on each distinct module.
//!
//! Blocks share most of their modules, and profiles share many. Yosys reads a module once, with its children as black boxes ([`modules`]),
//! and what it found is kept by content. `check` does not look through instances, so nothing is lost by that; a loop that runs through
//! several modules is found here, from which outputs of each depend on which inputs without a register between ([`paths`], [`loops`]).

mod error;
pub mod loops;
pub mod modules;
pub mod paths;
mod tool;
pub mod verilator;

pub use error::Error;
pub use modules::Input;
pub use tool::Tool;

use rdma_rtl_report::cache::Cache;

/// What the tools said of one block; both empty if it is clean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub verilator: String,
    pub yosys: String,
}

/// Both tools on every block, on as many cores as there are. `step` is told what is done of how much.
/// # Errors
/// A tool that does not run; Verilog that is not the emitter's. What the tools find wrong is no error.
pub fn lint(
    inputs: &[Input],
    verilator: &Tool,
    yosys: &Tool,
    cache: &Cache,
    step: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Said>, Error> {
    let modules = modules::read(inputs)?;
    // Read once: an entry can be removed from the cache while its block is checked.
    let mut outcomes = modules.known(yosys, cache);
    let batches = modules.batches(&outcomes);
    let steps = inputs.len() + batches.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let told = || step(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, steps);
    step(0, steps);
    enum Made {
        Said(String),
        Checked(Vec<(String, modules::Outcome)>),
    }
    let jobs: Vec<usize> = (0..steps).collect();
    // Batches first: they are all of a size, and the blocks behind them are sorted by nothing.
    let made = tool::at_once(&jobs, |&i| {
        let made = match batches.get(i) {
            Some(batch) => modules.check(batch, yosys, cache).map(Made::Checked),
            None => verilator::lint(&inputs[i - batches.len()], verilator, cache).map(Made::Said),
        };
        told();
        made
    });
    let mut verilator = Vec::new();
    for made in made {
        match made? {
            Made::Said(text) => verilator.push(text),
            Made::Checked(found) => outcomes.extend(found),
        }
    }
    let said = |(input, verilator): (&Input, String)| Ok(Said { verilator, yosys: modules.verdict(input, &outcomes)? });
    inputs.iter().zip(verilator).map(said).collect()
}
