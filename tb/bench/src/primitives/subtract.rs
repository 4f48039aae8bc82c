//! `Subtract`: difference modulo 2^W, `W` up to 32.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Every pair where the borrow between the halves turns, then `pairs` random ones.
pub fn bench(model: &mut dyn Model, width: usize, seed: u64, pairs: usize) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (all_ones, half) = ((1u64 << width) - 1, 1u64 << (width / 2));
    let edges = [0, 1, half - 1, half, half + 1, all_ones - half, all_ones - 1, all_ones];
    let mut all: Vec<(u64, u64)> = edges.iter().flat_map(|&a| edges.map(|b| (a, b))).collect();
    all.extend((0..pairs).map(|_| (rng.random_range(0..=all_ones), rng.random_range(0..=all_ones))));
    for (a, b) in all {
        pins.set("a", a);
        pins.set("b", b);
        pins.clock();
        pins.check("difference", a.wrapping_sub(b) & all_ones)?;
    }
    Ok(())
}
