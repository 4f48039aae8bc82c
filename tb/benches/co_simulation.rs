//! `cargo bench -p rdma-rtl-tests`: cycles per second of each back end on emitted blocks, as tables.
//!
//! The smallest block shows what a call costs, the registry what a user gets.

use rdma_rtl_hdl::describe::Described;
use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::receive::MaskUnit;
use rdma_rtl_hdl::settle::Settle;
use rdma_rtl_sim::Error;
use rdma_rtl_sim::speed::{Lengths, Stimulus, compare};
use rdma_rtl_sim::verilated::design_of_block;
use rdma_rtl_sized::receive::ReceiveRegistry;
use rust_hdl::prelude::Block;

/// A native design lives on the stack while it is made.
const STACK: usize = 1 << 30;

/// Reset in the first cycle, then random bits on every input; outputs are taken at once.
fn measure<B: Block + Described + Ports + Settle + Send + 'static>(name: &str, make: fn() -> B, lengths: Lengths) -> Result<(), Error> {
    let design = design_of_block(make())?;
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let stimulus = Stimulus::new(&design.ports, 4096, |cycle, port, words| match port.name.as_str() {
        "rst" => words[0] = u32::from(cycle == 0),
        name if name.ends_with("_ready") => words[0] = 1,
        _ => words.fill_with(&mut random),
    });
    println!("{}", compare(name, &design, make, &stimulus, lengths)?);
    Ok(())
}

fn all() -> Result<(), Error> {
    let unit = Lengths { verilated: 10_000_000, native: 500_000, simulation: 10_000, runs: 5 };
    let registry = Lengths { verilated: 500_000, native: 2_000, simulation: 100, runs: 5 };
    measure("`mask_unit`, 32 bits", MaskUnit::<32>::default, unit)?;
    measure("`mask_unit`, 256 bits", MaskUnit::<256>::default, unit)?;
    measure("`receive_registry` at the schema's own values, those of `default`", ReceiveRegistry::new, registry)
}

fn main() -> std::process::ExitCode {
    let result = std::thread::Builder::new().stack_size(STACK).spawn(all).map(|thread| thread.join());
    match result {
        Ok(Ok(Ok(()))) => return std::process::ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => eprintln!("{error}"),
        Ok(Err(_)) => eprintln!("the measurement has panicked"),
        Err(error) => eprintln!("cannot start a thread: {error}"),
    }
    std::process::ExitCode::FAILURE
}
