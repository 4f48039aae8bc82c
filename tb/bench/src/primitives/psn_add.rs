//! `PsnAdd`: addition modulo 2^24.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// The edges of the circle, then `pairs` random pairs.
pub fn bench(model: &mut dyn Model, seed: u64, pairs: usize) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let edges = [0, 1, 0x7f_ffff, 0x80_0000, 0xff_ffff];
    let mut all: Vec<(u64, u64)> = edges.iter().flat_map(|&a| edges.map(|b| (a, b))).collect();
    all.extend((0..pairs).map(|_| (rng.random_range(0..1 << 24), rng.random_range(0..1 << 24))));
    for (psn, packets) in all {
        pins.set("psn", psn);
        pins.set("packets", packets);
        pins.eval();
        pins.check("sum", (psn + packets) % (1 << 24))?;
    }
    Ok(())
}
