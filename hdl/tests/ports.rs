//! Values to words and back.

use rdma_rtl_hdl::ports::Wire;
use rust_hdl::prelude::*;

fn there_and_back<const N: usize>() {
    for pattern in [0, u32::MAX, 0x8000_0001, 0x1234_5678] {
        let words: Vec<u32> = (0..N.div_ceil(32) as u32).map(|i| pattern.rotate_left(i)).collect();
        let value = Bits::<N>::from_words(&words);
        for (i, word) in words.iter().enumerate() {
            for b in 0..32.min(N - 32 * i) {
                assert_eq!(value.get_bit(32 * i + b), word >> b & 1 == 1, "bit {b} of word {i} at {N} bits");
            }
        }
        let mut back = vec![0; words.len() + 1];
        value.to_words(&mut back);
        assert!(Bits::<N>::from_words(&back) == value && back[words.len()] == 0);
        let top = if N.is_multiple_of(32) { u32::MAX } else { (1 << (N % 32)) - 1 };
        assert_eq!(back[words.len() - 1], words[words.len() - 1] & top);
    }
}

#[test]
fn every_width() {
    there_and_back::<1>();
    there_and_back::<31>();
    there_and_back::<32>();
    there_and_back::<33>();
    there_and_back::<64>();
    there_and_back::<65>();
    there_and_back::<512>();
}
