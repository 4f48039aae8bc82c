//! `OneHotFirst`: the lowest set bit alone, with the words of `FindFirst`.

use super::find_first::requests;
use crate::pins::{Pins, bit, from_bits};
use rdma_rtl_sim::Model;

/// `first`.
pub fn bench(model: &mut dyn Model, seed: u64, words: usize) -> Result<(), String> {
    let mut pins = Pins::new(model);
    let width = pins.width("request");
    for request in requests(width, seed, words) {
        pins.set_words("request", &request);
        pins.eval();
        let first = (0..width).find(|&i| bit(&request, i));
        pins.check_words("first", &from_bits(width, |i| Some(i) == first))?;
    }
    Ok(())
}
