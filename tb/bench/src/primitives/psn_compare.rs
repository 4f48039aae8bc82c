//! `PsnCompare`: serial arithmetic of 24 bits, at the edges of the half circle and at random.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

const CIRCLE: u64 = 1 << 24;

/// Every pair of a random start with the distances at the edges, and `pairs` random pairs.
pub fn bench(model: &mut dyn Model, seed: u64, pairs: usize) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let half = CIRCLE / 2;
    for _ in 0..pairs {
        for distance in [0, 1, 2, half - 1, half, half + 1, CIRCLE - 1, rng.random_range(0..CIRCLE)] {
            for a in [0, half - 1, half, CIRCLE - 1, rng.random_range(0..CIRCLE)] {
                pins.set("a", a);
                pins.set("b", (a + distance) % CIRCLE);
                pins.eval();
                pins.check("distance", distance)?;
                pins.check("is_before", (1..half).contains(&distance).into())?;
                pins.check("is_same", (distance == 0).into())?;
                pins.check("is_after", (half + 1..CIRCLE).contains(&distance).into())?;
            }
        }
    }
    Ok(())
}
