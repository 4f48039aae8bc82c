//! `rdma-rtl`: Verilog from the blocks, and the blocks under test.
//!
//! Exit code 0: done; 1: a check failed; 2: the call was wrong or there was nothing to test; 3: a tool is missing or failed.

mod cache;
mod cosim;
mod emit;
mod fail;
mod folder;
mod hash;
mod lint;
mod list;
mod output;
mod profiles;
mod project;
mod report;
mod suggest;
mod vectors;
mod verdict;

use clap::{Parser, Subcommand};
use fail::Fail;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// A native design lives on the stack while it is made: the largest has some ten megabytes of signals.
const STACK: usize = 1 << 30;

#[derive(Parser)]
#[command(
    name = "rdma-rtl",
    version,
    about = "RDMA blocks for FPGAs: Verilog out, co-simulation against golden models in",
    after_help = "Exit code 0: done, and all that was checked is good; 1: a check failed; 2: the call was wrong, or there was nothing to test; 3: a tool is missing or failed, or a file cannot be written.",
    max_term_width = 110
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Blocks, profiles, their parameters, ports, latencies and registers
    List(list::Args),
    /// Verilog, file list and names of a block
    Gen(emit::Args),
    /// Hashes of what blocks are, whatever their parts are called
    Hash(hash::Args),
    /// Verilator -Wall and Yosys check on the Verilog of a block
    Lint(lint::Args),
    /// Packets through hardware and golden model, side by side
    Cosim(Box<cosim::Args>),
    /// Resources, logic depth and frequency from open tools, Vivado's report files; against budgets and an earlier report
    Report(Box<report::Args>),
    /// Vivado projects for boards, and their check without Vivado
    Project(project::Args),
    /// What is kept from call to call: how much, where, and away with it
    Cache(cache::Args),
    /// Test vectors: captures and what must be decided about them
    Vectors(vectors::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Err(e) = rdma_rtl_process::end_on_signals() {
        eprintln!("rdma-rtl: {e}: an interrupt leaves what was begun");
    }
    // A panic is a fault of this program; what the user sees of it is one line.
    std::panic::set_hook(Box::new(|info| {
        let at = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        eprintln!("rdma-rtl: internal error{at}; please report the command that you gave");
    }));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        catch_unwind(std::panic::AssertUnwindSafe(|| {
            profiles::load()?;
            match cli.verb {
                Verb::List(args) => list::run(&args),
                Verb::Gen(args) => emit::run(&args),
                Verb::Hash(args) => hash::run(&args),
                Verb::Lint(args) => lint::run(&args),
                Verb::Cosim(args) => cosim::run(&args),
                Verb::Report(args) => report::run(&args),
                Verb::Project(args) => project::run(&args),
                Verb::Cache(args) => cache::run(&args),
                Verb::Vectors(args) => vectors::run(&args),
            }
        }))
    });
    let result = match thread.map(|t| t.join()) {
        Ok(Ok(Ok(result))) => result,
        Ok(_) => return ExitCode::from(3),
        Err(e) => Err(Fail::Tool(format!("cannot start a thread with {} MiB of stack: {e}", STACK >> 20))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => {
            let text = fail.to_string();
            eprintln!("rdma-rtl: {text}{}", suggest::of_key(&text).unwrap_or_default());
            ExitCode::from(fail.code())
        }
    }
}
