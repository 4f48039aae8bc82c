//! `FindFirst`: the lowest set bit, for every single bit, none, and random words of every density.

use crate::pins::{Pins, Words, bit, from_bits, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Nothing, each bit alone, each with all above and all below it, then `words` random words.
pub fn requests(width: usize, seed: u64, words: usize) -> Vec<Words> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = vec![from_bits(width, |_| false)];
    for k in 0..width {
        all.extend([from_bits(width, |i| i == k), from_bits(width, |i| i >= k), from_bits(width, |i| i <= k)]);
    }
    for _ in 0..words {
        // Each AND halves the density.
        let mut word = random(&mut rng, width);
        for _ in 0..rng.random_range(0..8) {
            word.iter_mut().zip(random(&mut rng, width)).for_each(|(a, b)| *a &= b);
        }
        all.push(word);
    }
    all
}

/// `any` and, with it, `index`.
pub fn bench(model: &mut dyn Model, seed: u64, words: usize) -> Result<(), String> {
    let mut pins = Pins::new(model);
    let width = pins.width("request");
    for request in requests(width, seed, words) {
        pins.set_words("request", &request);
        pins.eval();
        let first = (0..width).find(|&i| bit(&request, i));
        pins.check("any", first.is_some().into())?;
        if let Some(i) = first {
            pins.check("index", i as u64)?;
        }
    }
    Ok(())
}
