//! `BlockRam`: random reads and writes against a shadow, many at the same word.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Writes every word, then reads and writes at random; `latency` is 1, or 2 with the output register.
pub fn bench(model: &mut dyn Model, latency: usize, seed: u64, cycles: u64) -> Result<(), String> {
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
    let mut reads: Vec<Words> = Vec::new();
    for _ in 0..cycles {
        let read = rng.random_range(0..words);
        // A quarter of the writes meet the read.
        let write = if chance(&mut rng, 25) { read } else { rng.random_range(0..words) };
        let (enable, data) = (chance(&mut rng, 50), random(&mut rng, width));
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
    Ok(())
}
