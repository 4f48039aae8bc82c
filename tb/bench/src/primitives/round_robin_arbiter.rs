//! `RoundRobinArbiter`: order, one grant to one that asks, and nobody waits for more than `N - 1` others.

use crate::pins::{Pins, Words, bit, chance, from_bits, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Requests that stay until they are accepted, at all densities, with and without `accept`.
pub fn bench(model: &mut dyn Model, seed: u64, cycles: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let n = pins.width("request");
    let mut request: Words = from_bits(n, |_| false);
    let mut passed_over = vec![0; n];
    let mut next = 0;
    let (mut density, mut pace) = (0, 0);
    pins.reset(1);
    for now in 0..cycles {
        if now % 97 == 0 {
            (density, pace) = (rng.random_range(0..4), [100, 50, 10][rng.random_range(0..3)]);
        }
        if now % 1009 == 1008 {
            pins.set("accept", 0);
            pins.reset(1);
            next = 0;
            passed_over.fill(0);
        }
        let mut more = random(&mut rng, n);
        match density {
            0 => (0..3).for_each(|_| more.iter_mut().zip(random(&mut rng, n)).for_each(|(a, b)| *a &= b)),
            1 => {}
            2 => more = from_bits(n, |_| true),
            _ => more.fill(0),
        }
        request.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
        let accept = chance(&mut rng, pace);
        pins.set_words("request", &request);
        pins.set("accept", accept.into());
        pins.eval();
        let chosen = (next..n).chain(0..next).find(|&i| bit(&request, i));
        pins.check("any", chosen.is_some().into())?;
        pins.check_words("grant", &from_bits(n, |i| Some(i) == chosen))?;
        if let Some(i) = chosen {
            pins.check("index", i as u64)?;
            if accept {
                next = (i + 1) % n;
                passed_over[i] = 0;
                request = from_bits(n, |k| k != i && bit(&request, k));
                for k in (0..n).filter(|&k| bit(&request, k)) {
                    passed_over[k] += 1;
                    if passed_over[k] >= n {
                        return Err(format!("cycle {now}: requester {k} was passed over {} times, allowed are {}", passed_over[k], n - 1));
                    }
                }
            }
        }
        pins.clock();
    }
    Ok(())
}
