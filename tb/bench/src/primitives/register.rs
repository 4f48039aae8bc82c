//! `Register`: enable, and reset over enable.

use crate::pins::{Pins, Words, chance, random};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Random data, enable and reset.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("d");
    let mut value: Words = vec![0; width.div_ceil(32)];
    pins.reset(1);
    for _ in 0..cycles {
        let (enable, rst, d) = (chance(&mut rng, 50), chance(&mut rng, 10), random(&mut rng, width));
        pins.set("enable", enable.into());
        pins.set("rst", rst.into());
        pins.set_words("d", &d);
        pins.eval();
        pins.check_words("q", &value)?;
        pins.clock();
        if rst {
            value.iter_mut().for_each(|word| *word = 0);
        } else if enable {
            value = d;
        }
        pins.check_words("q", &value)?;
    }
    Ok(())
}
