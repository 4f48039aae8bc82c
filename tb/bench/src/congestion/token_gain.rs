//! `TokenGain` held to the golden rate: exact, up to all ones.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::rate::Rate;
use rdma_rtl_sim::Model;

/// Clocks from a rate to what it gains.
const LATENCY: u64 = 3;
/// Where it ends.
const MOST: u64 = (1 << 36) - 1;

/// A pair in every clock, of every magnitude, in which each product of parts is all there is now and then. How many were below the end, and
/// how many at it.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, seed: u64) -> Result<[u64; 2], String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let mut due = std::collections::VecDeque::new();
    let mut seen = [0; 2];
    let any = |rng: &mut ChaCha8Rng, bits: u32| {
        let below = rng.random_range(0..=bits);
        let value = rng.random_range(0..1u64 << below);
        if rng.random_bool(0.2) { (1 << below) - 1 } else { value }
    };
    for _ in 0..count + LATENCY {
        let (rate, elapsed) = (any(&mut rng, 28), any(&mut rng, 24));
        pins.set("rate", rate);
        pins.set("elapsed", elapsed);
        let gained = Rate::from_steps(rate).over(elapsed as u32);
        seen[usize::from(gained >= MOST)] += 1;
        due.push_back(gained.min(MOST));
        if due.len() as u64 > LATENCY {
            pins.eval();
            pins.check("gained", due.pop_front().unwrap_or_default())?;
        }
        pins.clock();
    }
    pins.failure().map_or(Ok(seen), Err)
}
