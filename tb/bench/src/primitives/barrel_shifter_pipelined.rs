//! `BarrelShifterPipelined`: the shifts of `BarrelShifter`, and a pipeline that moves as a whole.

use super::barrel_shifter::shifted;
use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// A pipeline of `latency` clocks: `in_ready`, `out_valid` and `out_data` checked in every clock, idle x backpressure.
pub fn bench(model: &mut dyn Model, left: bool, latency: usize, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (width, amount_bits) = (pins.width("in_data"), pins.width("in_amount"));
    let mut pipe: VecDeque<Option<Words>> = vec![None; latency].into();
    let mut offered: Option<(Words, usize)> = None;
    let (mut offer, mut take) = (0, 0);
    pins.reset(1);
    for now in 0..cycles {
        if now % 97 == 0 {
            (offer, take) = [(100, 100), (100, 50), (50, 100), (50, 50), (100, 0), (10, 90)][rng.random_range(0..6)];
        }
        if now % 1009 == 1008 {
            pins.set("in_valid", 0);
            pins.reset(1);
            pipe.iter_mut().for_each(|word| *word = None);
            offered = None;
        }
        if offered.is_none() && chance(&mut rng, offer) {
            offered = Some((random(&mut rng, width), rng.random_range(0..1 << amount_bits)));
        }
        let ready = chance(&mut rng, take);
        pins.set("in_valid", offered.is_some().into());
        if let Some((data, amount)) = &offered {
            pins.set_words("in_data", data);
            pins.set("in_amount", *amount as u64);
        }
        pins.set("out_ready", ready.into());
        pins.eval();
        let last = pipe.back().cloned().flatten();
        let moving = ready || last.is_none();
        pins.check("in_ready", moving.into())?;
        pins.check("out_valid", last.is_some().into())?;
        if let Some(word) = last {
            pins.check_words("out_data", &word)?;
        }
        if moving {
            pipe.pop_back();
            pipe.push_front(offered.take().map(|(data, amount)| shifted(&data, width, amount, left)));
        }
        pins.clock();
    }
    Ok(())
}
