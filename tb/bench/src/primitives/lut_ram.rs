//! `LutRam`: random writes and combinational reads against a shadow.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Writes every word, then reads and writes at random, many at the same word.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (width, words) = (pins.width("read_data"), 1usize << pins.width("read_address"));
    let mut shadow: Vec<Words> = Vec::new();
    for address in 0..words {
        let data = random(&mut rng, width);
        pins.set("write_enable", 1);
        pins.set("write_address", address as u64);
        pins.set_words("write_data", &data);
        pins.clock();
        shadow.push(data);
    }
    for _ in 0..cycles {
        let read = rng.random_range(0..words);
        let write = if chance(&mut rng, 25) { read } else { rng.random_range(0..words) };
        let (enable, data) = (chance(&mut rng, 50), random(&mut rng, width));
        pins.set("read_address", read as u64);
        pins.set("write_address", write as u64);
        pins.set("write_enable", enable.into());
        pins.set_words("write_data", &data);
        pins.eval();
        pins.check_words("read_data", &shadow[read])?;
        pins.clock();
        if enable {
            shadow[write] = data;
        }
        pins.check_words("read_data", &shadow[read])?;
    }
    Ok(())
}
