//! `TickCounter`: `prescale` clocks per tick, whatever it was before.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Prescales 0, 1, 2 and random ones, changed at random moments, with resets.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (mut passed, mut now, mut tick) = (0, 0u64, false);
    let mut prescale = 0;
    pins.reset(1);
    for _ in 0..cycles {
        if rng.random_range(0..200) == 0 {
            prescale = match rng.random_range(0..6) {
                small @ 0..=2 => small,
                3 => 0xffff,
                _ => rng.random_range(0..40),
            };
            pins.set("prescale", prescale);
        }
        if rng.random_range(0..2000) == 0 {
            pins.reset(1);
            (passed, now, tick) = (0, 0, false);
        }
        pins.eval();
        pins.check("tick", tick.into())?;
        pins.check("now", now)?;
        passed += 1;
        tick = passed >= prescale;
        if tick {
            passed = 0;
            now += 1;
        }
        pins.clock();
    }
    Ok(())
}
