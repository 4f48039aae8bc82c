//! `BarrelShifter`: every amount, random and one-bit words.

use crate::pins::{Pins, Words, bit, from_bits, random};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// `data` shifted by `amount`, bit by bit.
pub fn shifted(data: &[u32], width: usize, amount: usize, left: bool) -> Words {
    from_bits(width, |i| if left { i >= amount && bit(data, i - amount) } else { i + amount < width && bit(data, i + amount) })
}

/// Every amount with all ones, one bit at each end and `words` random words.
pub fn bench(model: &mut dyn Model, left: bool, seed: u64, words: usize) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("data");
    for amount in 0..1usize << pins.width("amount") {
        pins.set("amount", amount as u64);
        let fixed = [from_bits(width, |_| true), from_bits(width, |i| i == 0), from_bits(width, |i| i == width - 1)];
        for data in fixed.into_iter().chain((0..words).map(|_| random(&mut rng, width))) {
            pins.set_words("data", &data);
            pins.eval();
            pins.check_words("shifted", &shifted(&data, width, amount, left))?;
        }
    }
    Ok(())
}
