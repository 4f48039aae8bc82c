//! What every block does that passes words on in order: FIFOs and skid buffer.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Percentages of offered words and of clocks in which the consumer is ready: idle x backpressure, each held for a while.
const PACES: [(u32, u32); 9] = [(100, 100), (100, 0), (0, 100), (100, 50), (50, 100), (50, 50), (90, 10), (10, 90), (100, 95)];

/// A queue of at most `capacity` words whose oldest word shows `latency` clocks after it was taken, never later: with both bounds exact,
/// full throughput and the use of every word follow.
///
/// Checked in every clock: `in_ready`, `out_valid`, `out_data`, `count` if there is one. An offered word stays until it is taken.
pub fn bench(model: &mut dyn Model, capacity: usize, latency: u64, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("in_data");
    let counted = pins.has("count");
    let mut held: VecDeque<(u64, Words)> = VecDeque::new();
    let mut offered: Option<Words> = None;
    let (mut offer, mut take) = (0, 0);
    pins.reset(2);
    for now in 0..cycles {
        if now % 97 == 0 {
            (offer, take) = PACES[rng.random_range(0..PACES.len())];
        }
        if now % 1009 == 1008 {
            pins.set("in_valid", 0);
            pins.reset(1);
            held.clear();
            offered = None;
        }
        if offered.is_none() && chance(&mut rng, offer) {
            offered = Some(random(&mut rng, width));
        }
        let ready = chance(&mut rng, take);
        pins.set("in_valid", offered.is_some().into());
        // Without `valid` the data is anything.
        let data = offered.clone().unwrap_or_else(|| random(&mut rng, width));
        pins.set_words("in_data", &data);
        pins.set("out_ready", ready.into());
        pins.eval();

        let shows = held.front().is_some_and(|(taken, _)| now - taken >= latency);
        pins.check("in_ready", (held.len() < capacity).into())?;
        pins.check("out_valid", shows.into())?;
        if let (true, Some((_, word))) = (shows, held.front()) {
            pins.check_words("out_data", word)?;
        }
        if counted {
            pins.check("count", held.len() as u64)?;
        }
        let room = held.len() < capacity;
        if shows && ready {
            held.pop_front();
        }
        if room && let Some(word) = offered.take() {
            held.push_back((now, word));
        }
        pins.clock();
    }
    Ok(())
}

/// Words of a FIFO whose `count` is one bit wider than its addresses.
pub fn capacity(model: &mut dyn Model) -> usize {
    1 << (Pins::new(model).width("count") - 1)
}
