//! `SkidBuffer`: two words, one clock.

use crate::primitives::queue;
use rdma_rtl_sim::Model;

/// Runs the queue bench.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    queue::bench(model, 2, 1, seed, cycles)
}
