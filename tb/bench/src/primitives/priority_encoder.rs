//! `PriorityEncoder`: the highest set bit, with the words of `FindFirst`.

use super::find_first::requests;
use crate::pins::{Pins, bit};
use rdma_rtl_sim::Model;

/// `any` and, with it, `index`.
pub fn bench(model: &mut dyn Model, seed: u64, words: usize) -> Result<(), String> {
    let mut pins = Pins::new(model);
    let width = pins.width("request");
    for request in requests(width, seed, words) {
        pins.set_words("request", &request);
        pins.eval();
        let highest = (0..width).rfind(|&i| bit(&request, i));
        pins.check("any", highest.is_some().into())?;
        if let Some(i) = highest {
            pins.check("index", i as u64)?;
        }
    }
    Ok(())
}
