//! What tests of blocks have in common: the seed of a run, and the block under Verilator.
//!
//! All of it panics with the tool's own message: there is nothing left to test.

use crate::catalogue;
use crate::never_full::guarded;
use rdma_rtl_gen::ir;
use rdma_rtl_hdl::describe::{Described, Node};
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

/// The block as it is emitted at `small`, with other values of some parameters, be they allowed or not.
/// # Panics
/// The block has no such parameter.
pub fn design_at(block: &str, values: &[(&str, u64)]) -> ir::Design {
    let design = catalogue::find(block, "small").unwrap_or_else(|e| panic!("{e}")).with(values);
    design.elaborate().unwrap_or_else(|e| panic!("{e}"))
}

/// What a block says of itself at sizes that no profile has: see [`catalogue::describe_at`].
/// # Panics
/// Sizes that do not fit each other.
pub fn sized(path: &str, make: &str, sizes: &[(&str, u64)]) -> Node {
    catalogue::describe_at(path, make, sizes).unwrap_or_else(|e| panic!("{e}"))
}

/// The emitted text under Verilator, for runs of more than a few thousand clocks. A word that comes to a full queue which nobody asks for
/// room stops it.
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
