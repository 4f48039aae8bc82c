//! `ClearedRam`: clears itself at power-up and after every reset, in as many clocks as it has words; else a block RAM.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Several lives, each from a reset, also one in the middle of the clearing. `latency` is 1, or 2 with the output register.
pub fn bench(model: &mut dyn Model, latency: usize, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (width, words) = (pins.width("read_data"), 1usize << pins.width("read_address"));
    for life in 0..4 {
        if life > 0 {
            pins.reset(1);
        }
        if life == 2 {
            for _ in 0..words / 2 {
                pins.clock();
            }
            pins.reset(1);
        }
        // Writes before `ready` must not count.
        for _ in 0..words {
            pins.check("ready", 0)?;
            pins.set("write_enable", 1);
            pins.set("write_address", rng.random_range(0..words) as u64);
            pins.set_words("write_data", &random(&mut rng, width));
            pins.clock();
        }
        let mut shadow: Vec<Words> = vec![vec![0; width.div_ceil(32)]; words];
        let mut reads: Vec<Words> = Vec::new();
        for now in 0..words + cycles as usize {
            pins.check("ready", 1)?;
            // First every word as it was cleared, then at random.
            let read = if now < words { now } else { rng.random_range(0..words) };
            let write = if chance(&mut rng, 25) { read } else { rng.random_range(0..words) };
            let (enable, data) = (now >= words && chance(&mut rng, 50), random(&mut rng, width));
            pins.set("read_address", read as u64);
            pins.set("write_address", write as u64);
            pins.set("write_enable", enable.into());
            pins.set_words("write_data", &data);
            pins.clock();
            reads.push(shadow[read].clone());
            if enable {
                shadow[write] = data;
            }
            if let Some(k) = reads.len().checked_sub(latency) {
                pins.check_words("read_data", &reads[k])?;
            }
        }
    }
    Ok(())
}
