//! `OpGate` between an op table, a loader and a packet engine that are played, held to the golden model.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::gate::{Gate, Goes};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// an event of each kind is offered
    pub offer: u32,
    /// what goes on is taken, each stream
    pub take: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub again: u64,
    pub restarts: u64,
    pub closes: u64,
    pub events: u64,
    pub clocks: u64,
    /// least clocks from an event to what goes on for it
    pub latency: u64,
}

/// An operation that has begun.
#[derive(Clone, Copy, Debug)]
struct Op {
    number: u32,
    is_acknowledged: bool,
    is_closed: bool,
    /// its close has gone on
    is_over: bool,
    attempt: u8,
}

/// An event of the three streams that wait.
#[derive(Clone, Copy, Debug)]
enum Offer {
    Acked(u32),
    Wanted(u32, u16, u8),
    Close(u32),
}

/// `count` operations begin. What goes on is what the golden model says of the events in the order in which they were taken.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, index_bits: u32, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let packets = 1u16 << pins.width("wanted_packet");
    pins.reset(2);
    let mut golden = Gate::new(index_bits);
    let mut live: Vec<Op> = Vec::new();
    let mut generation = vec![0u32; 1 << index_bits];
    let mut seen = Seen { latency: u64::MAX, ..Seen::default() };
    let mut offers: [Option<Offer>; 3] = [None; 3];
    // A refusal is known a clock after it came, if no later one has taken its place.
    let mut refusal: Option<u32> = None;
    let mut goes: VecDeque<(u64, Goes)> = VecDeque::new();
    let (mut begun, mut quiet) = (0, 0);
    let start = pins.cycle();
    while quiet < 20 {
        let now = pins.cycle();
        let index = rng.random_range(0..1usize << index_bits);
        let is_free = !live.iter().any(|op| op.number as usize & ((1 << index_bits) - 1) == index);
        let begins = begun < count && is_free && chance(&mut rng, pace.offer / 2);
        pins.set("begin_valid", begins.into());
        if begins {
            begun += 1;
            generation[index] = generation[index].wrapping_add(1);
            let number = (generation[index] << index_bits) | index as u32;
            let is_arrival = rng.random_bool(0.2);
            pins.set("begin_op", number.into());
            pins.set("begin_kind", is_arrival.into());
            golden.begin(number, is_arrival);
            // Nothing of it happens before the next clock.
            live.push(Op { number, is_acknowledged: is_arrival, is_closed: false, is_over: false, attempt: 0 });
        }
        let known = live.len() - usize::from(begins);
        let pick = |rng: &mut ChaCha8Rng, live: &[Op], which: &dyn Fn(&Op) -> bool| {
            let some: Vec<usize> = (0..known).filter(|&at| which(&live[at])).collect();
            (!some.is_empty()).then(|| some[rng.random_range(0..some.len())])
        };
        // At the end everything is acknowledged and closed.
        let percent = if begun == count { 50 } else { pace.offer };
        if offers[0].is_none()
            && chance(&mut rng, percent / 2)
            && let Some(at) = pick(&mut rng, &live, &|op| !op.is_acknowledged)
        {
            live[at].is_acknowledged = true;
            offers[0] = Some(Offer::Acked(live[at].number));
        }
        if offers[1].is_none()
            && begun < count
            && chance(&mut rng, pace.offer)
            && let Some(at) = pick(&mut rng, &live, &|op| !op.is_closed && op.attempt < 31)
        {
            let packet = if rng.random_bool(0.7) { 0 } else { rng.random_range(0..packets) };
            live[at].attempt += u8::from(packet == 0);
            offers[1] = Some(Offer::Wanted(live[at].number, packet, live[at].attempt));
        }
        if offers[2].is_none()
            && chance(&mut rng, percent / 2)
            && let Some(at) = pick(&mut rng, &live, &|op| !op.is_closed)
        {
            live[at].is_closed = true;
            offers[2] = Some(Offer::Close(live[at].number));
        }
        let refuses = if begun < count && chance(&mut rng, pace.offer / 10) { pick(&mut rng, &live, &|op| !op.is_closed) } else { None };
        pins.set("overlap_valid", refuses.is_some().into());
        if let Some(at) = refuses {
            pins.set("overlap_op", live[at].number.into());
        }
        for (name, offer) in ["acked", "wanted", "close"].iter().zip(offers) {
            pins.set(&format!("{name}_valid"), offer.is_some().into());
            match offer {
                Some(Offer::Acked(op) | Offer::Close(op)) => pins.set(&format!("{name}_op"), op.into()),
                Some(Offer::Wanted(op, packet, attempt)) => {
                    pins.set("wanted_op", op.into());
                    pins.set("wanted_packet", packet.into());
                    pins.set("wanted_try", attempt.into());
                }
                None => {}
            }
        }
        let takes = [0; 3].map(|_| chance(&mut rng, pace.take));
        for (name, take) in ["again", "restart", "closed"].iter().zip(takes) {
            pins.set(&format!("{name}_ready"), take.into());
        }
        pins.eval();

        // What goes on, each stream in its order.
        for (stream, name) in ["again", "restart", "closed"].iter().enumerate() {
            if pins.get(&format!("{name}_valid")) == 0 {
                continue;
            }
            let op = pins.get(&format!("{name}_op")) as u32;
            let found = match stream {
                0 => Goes::Again { op, attempt: pins.get("again_try") as u8 },
                1 => Goes::Restart { op, attempt: pins.get("restart_try") as u8 },
                _ => Goes::Close { op },
            };
            let kind = std::mem::discriminant(&found);
            let at = goes.iter().position(|(_, one)| std::mem::discriminant(one) == kind);
            let expected = at.map(|at| goes[at]);
            let Some((at, (since, _))) = at.zip(expected.filter(|expected| expected.1 == found)) else {
                return Err(format!("cycle {now}: {found:?} goes on, expected {expected:?}"));
            };
            seen.latency = seen.latency.min(now - since);
            if takes[stream] {
                goes.remove(at);
                match found {
                    Goes::Again { .. } => seen.again += 1,
                    Goes::Restart { .. } => seen.restarts += 1,
                    Goes::Close { op } => {
                        seen.closes += 1;
                        live.iter_mut().filter(|one| one.number == op).for_each(|one| one.is_over = true);
                    }
                }
            }
            quiet = 0;
        }
        // What is taken: at most one, refusals between acknowledgements and the others.
        let ready = ["acked", "wanted", "close"].map(|name| pins.get(&format!("{name}_ready")) == 1);
        let taken: Vec<usize> = (0..3).filter(|&at| ready[at] && offers[at].is_some()).collect();
        if taken.len() > 1 || (begins && !taken.is_empty()) {
            return Err(format!("cycle {now}: {} events are taken at once", taken.len() + usize::from(begins)));
        }
        let became = if let Some(&at) = taken.first() {
            match offers[at].take() {
                Some(Offer::Acked(op)) => golden.acknowledged(op),
                Some(Offer::Wanted(op, packet, attempt)) => golden.wanted(op, packet, attempt),
                Some(Offer::Close(op)) => golden.close(op),
                None => Vec::new(),
            }
        } else if ready[0]
            && let Some(op) = refusal.take()
        {
            golden.refused(op)
        } else {
            Vec::new()
        };
        if let Some(at) = refuses {
            refusal = Some(live[at].number);
        }
        seen.events += taken.len() as u64 + u64::from(begins);
        goes.extend(became.into_iter().map(|one| (now, one)));
        // An index is free when its close has gone on and nothing of it waits.
        let waits = |op: &Op| {
            goes.iter()
                .any(|(_, one)| matches!(one, Goes::Again { op: number, .. } | Goes::Restart { op: number, .. } if *number == op.number))
                || refusal == Some(op.number)
                || offers.iter().flatten().any(|offer| match offer {
                    Offer::Acked(number) | Offer::Wanted(number, ..) | Offer::Close(number) => *number == op.number,
                })
        };
        live.retain(|op| !op.is_over || waits(op));
        quiet += u64::from(begun == count && live.is_empty() && goes.is_empty());
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if pins.cycle() - start > 200 * (count + 200) {
            return Err(format!("cycle {now}: nothing moves any more, {} operations are left", live.len()));
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
