//! `cargo bench -p rdma-rtl-sim`: cycles per second of each back end on the mask unit, as a table.

use rdma_rtl_hdl::receive::MaskUnit;
use rdma_rtl_sim::speed::{Lengths, Stimulus, compare};
use rdma_rtl_sim::verilated::{Design, Source};
use rdma_rtl_sim::{Error, Model, Native};

fn measure<const M: usize>() -> Result<(), Error> {
    let text = include_str!("../tests/verilog/mask_unit.v").replace("M = 32", &format!("M = {M}"));
    let ports = Native::new(MaskUnit::<M>::default())?.ports().to_vec();
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let stimulus = Stimulus::new(&ports, 4096, |cycle, port, words| match port.name.as_str() {
        "rst" => words[0] = u32::from(cycle == 0),
        "start_valid" => words[0] = u32::from(random().is_multiple_of(16)),
        "arrival_bits" => {
            let bit = random() as usize % M;
            words[bit / 32] = 1 << (bit % 32);
        }
        _ => words.fill_with(&mut random),
    });
    let design = Design { sources: vec![Source::new("mask_unit.v", text)], top: "mask_unit".into(), clock: Some("clk".into()), ports };
    let lengths = Lengths { verilated: 20_000_000, native: 500_000, simulation: 20_000, runs: 5 };
    println!("{}", compare(&format!("MaskUnit<{M}>"), &design, MaskUnit::<M>::default, &stimulus, lengths)?);
    Ok(())
}

fn main() -> std::process::ExitCode {
    for result in [measure::<32>(), measure::<256>()] {
        if let Err(error) = result {
            eprintln!("{error}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
