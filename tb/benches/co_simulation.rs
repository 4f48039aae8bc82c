//! `cargo bench -p rdma-rtl-tb`: cycles per second of each back end on emitted blocks, as tables.
//!
//! The smallest block shows what a call costs, the registry what a user gets.

use rdma_rtl_hdl::describe::Described;
use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::receive::{MaskUnit, ReceiveRegistry};
use rdma_rtl_sim::Error;
use rdma_rtl_sim::speed::{Lengths, Stimulus, compare};
use rdma_rtl_sim::verilated::design_of_block;
use rust_hdl::prelude::Block;

/// The registry at four entries of 32 packets.
type Registry =
    ReceiveRegistry<2, 2, 14, 4, 84, 14, 4, 8, 16, 3, 4, 32, 5, 6, 12, 20, 13, 47, 4, 3, 4, 4, 5, 16, 8, 252, 238, 241, 196, 28, 92, 2, 0>;

/// Reset in the first cycle, then random bits on every input; outputs are taken at once.
fn measure<B: Block + Described + Ports + Send + 'static>(name: &str, make: fn() -> B, lengths: Lengths) -> Result<(), Error> {
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

fn main() -> std::process::ExitCode {
    let small = Lengths { verilated: 10_000_000, native: 500_000, simulation: 10_000, runs: 5 };
    let large = Lengths { verilated: 500_000, native: 10_000, simulation: 2_000, runs: 5 };
    let results = [
        measure("MaskUnit<32>", MaskUnit::<32>::default, small),
        measure("MaskUnit<256>", MaskUnit::<256>::default, small),
        measure("ReceiveRegistry, 4 entries of 32 packets", || Registry::new(4), large),
    ];
    for result in results {
        if let Err(error) = result {
            eprintln!("{error}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
