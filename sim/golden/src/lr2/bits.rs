//! Which packets of a flow were asked for again: a bit for each of `F` PSNs.

use crate::bitmap::psn::add;

/// The bits of a flow, that of a PSN at the PSN modulo their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterBits {
    words: Vec<u64>,
}

impl FilterBits {
    /// `count` bits, a power of two and 64 at least.
    pub fn new(count: u32) -> FilterBits {
        FilterBits { words: vec![0; count as usize / 64] }
    }

    /// How many there are.
    pub fn reach(&self) -> u32 {
        self.words.len() as u32 * 64
    }

    fn place(&self, psn: u32) -> (usize, u64) {
        let bit = psn as usize & (self.words.len() * 64 - 1);
        (bit / 64, 1 << (bit % 64))
    }

    pub fn get(&self, psn: u32) -> bool {
        let (word, mask) = self.place(psn);
        self.words[word] & mask != 0
    }

    pub fn set(&mut self, psn: u32, value: bool) {
        let (word, mask) = self.place(psn);
        if value { self.words[word] |= mask } else { self.words[word] &= !mask }
    }

    /// `length` bits from `start` on.
    pub fn fill(&mut self, start: u32, length: u32, value: bool) {
        for on in 0..length.min(self.reach()) {
            self.set(add(start, on), value);
        }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_wraps_with_the_numbers_and_with_the_bits() {
        let mut bits = FilterBits::new(1024);
        bits.fill(0xff_fffe, 4, true);
        let set: Vec<u32> = (0..1024).filter(|&psn| bits.get(psn)).collect();
        assert_eq!(set, [0, 1, 1022, 1023]);
        bits.fill(0, 5000, true);
        bits.fill(1, 1023, false);
        assert!(bits.get(0) && bits.get(1024) && !bits.get(1) && !bits.get(1023));
        bits.clear();
        assert_eq!(bits, FilterBits::new(1024));
    }
}
