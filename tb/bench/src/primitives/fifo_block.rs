//! `FifoBlock`: all its words, three clocks.

use crate::primitives::queue;
use rdma_rtl_sim::Model;

/// Runs the queue bench; the capacity follows from the width of `count`.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    let capacity = queue::capacity(model);
    queue::bench(model, capacity, 3, seed, cycles)
}
