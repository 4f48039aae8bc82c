//! `InitialMask`: every count, either form.

use crate::pins::{Pins, from_bits};
use rdma_rtl_sim::Model;

/// Every count from 0 to the width of the mask.
pub fn bench(model: &mut dyn Model) -> Result<(), String> {
    let mut pins = Pins::new(model);
    let width = pins.width("mask");
    for count in 0..=width {
        pins.set("count", count as u64);
        pins.eval();
        pins.check_words("mask", &from_bits(width, |i| i == 0 || i >= count))?;
    }
    Ok(())
}
