//! What tests of blocks have in common: the seed of a run, and the block under Verilator.
//!
//! All of it panics with the tool's own message: there is nothing left to test.

use crate::catalogue;
use crate::never_full::guarded;
use rdma_rtl_gen::ir;
use rdma_rtl_hdl::describe::Described;
use rdma_rtl_sim::verilated::{Design, Optimize, Options};
use rdma_rtl_sim::{Verilated, verilate};
use rust_hdl::prelude::Block;

/// Seed of a run: another one with `RDMA_RTL_SEED`, which a failure names.
pub fn seed() -> u64 {
    std::env::var("RDMA_RTL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

/// The block as it is emitted.
/// # Panics
/// A kernel that has no meaning as hardware.
pub fn elaborated<B: Block + Described>(mut block: B) -> ir::Design {
    block.connect_all();
    rdma_rtl_gen::elaborate(&block.describe(), &Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The emitted text under Verilator, for runs of more than a few thousand clocks. A word that comes to a full queue which nobody asks for room stops it.
/// # Panics
/// Verilator or the compiler fails.
pub fn verilated(design: &ir::Design) -> Verilated {
    built(&guarded(catalogue::sources(design)), Optimize::Quick)
}

/// The text as it is, faults and all, built in the least time, for short runs.
/// # Panics
/// Verilator or the compiler fails.
pub fn soon(text: &Design) -> Verilated {
    built(text, Optimize::None)
}

fn built(text: &Design, optimize: Optimize) -> Verilated {
    verilate(text, &Options { optimize, ..Default::default() }).unwrap_or_else(|e| panic!("{e}"))
}
