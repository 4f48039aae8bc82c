//! Random choices, each kind from a stream of its own: a network that loses more does not duplicate others.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A probability, as the part of all 64-bit numbers that are below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chance(u128);

impl Chance {
    /// `probability` is 0 to 1.
    pub fn new(probability: f64) -> Chance {
        Chance((probability * 2f64.powi(64)) as u128)
    }

    /// It does not happen.
    pub fn never(self) -> bool {
        self.0 == 0
    }
}

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Stream number `stream` of `seed`.
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Dice(generator)
    }

    /// Takes one number, whatever the chance is.
    pub fn happens(&mut self, chance: Chance) -> bool {
        u128::from(self.0.next_u64()) < chance.0
    }

    /// 0 to `bound` - 1; `bound` is above 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}
