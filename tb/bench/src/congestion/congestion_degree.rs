//! `CongestionDegree` held to a golden receiver for each queue pair, answer by answer and clock by clock.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::degree::{DegreeConfig, Telemetry};
use rdma_rtl_golden::congestion::fault::Fault;
use rdma_rtl_golden::congestion::receiver::{Answer, Arrival, Receiver, ReceiverConfig};
use rdma_rtl_golden::congestion::{Level, Notice, Scene};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks from `ask` to `answer`.
const LATENCY: u64 = 7;

/// How a run goes; percentages are of clocks, or of packets.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet arrives
    pub arrive: u32,
    /// an acknowledgement goes out that nobody asked for
    pub ask: u32,
    /// an acknowledgement goes out in the clock of its `due`
    pub prompt: bool,
    /// packets with telemetry
    pub telemetry: u32,
    /// queue pairs that take part
    pub pairs: usize,
    /// clocks for which one of them is alone, then the next, 0: all at once
    pub phase: u64,
    /// nothing happens for up to so many clocks, now and then
    pub quiet: u64,
    /// `cfg_idle`
    pub idle: u64,
    /// marks from which on the level is light, medium, heavy
    pub marks: [u16; 3],
    /// what is wrong with the golden receivers
    pub fault: Option<Fault>,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub arrivals: u64,
    /// acknowledgements with BECN 0
    pub clear: u64,
    /// with BECN 1, by level
    pub levels: [u64; 4],
    /// of these, with fields
    pub enhanced: u64,
    /// acknowledgements that must not wait
    pub dues: u64,
    /// clocks in which no packet could arrive
    pub visits: u64,
    pub clocks: u64,
    /// most clocks from a packet whose acknowledgement must not wait to the level in one, if all are prompt
    pub longest: u64,
}

/// A threshold of a few steps, the greatest value now and then: nothing reaches it, or what is absent.
fn threshold<T: From<u8> + Copy>(rng: &mut ChaCha8Rng, most: T) -> T {
    if rng.random_bool(0.1) { most } else { T::from(rng.random_range(0..8)) }
}

fn telemetry(rng: &mut ChaCha8Rng) -> Telemetry {
    let all_ones = |rng: &mut ChaCha8Rng| rng.random_bool(0.3);
    Telemetry {
        level: if rng.random_bool(0.3) { Level::of(rng.random()) } else { Level::None },
        delay: if all_ones(rng) { u32::MAX } else { rng.random() },
        depth: if all_ones(rng) { u16::MAX } else { rng.random_range(0..10) },
        occupancy: if rng.random_bool(0.02) { u8::MAX } else { rng.random_range(0..5) },
        point: if all_ones(rng) { u16::MAX } else { rng.random() },
    }
}

/// Shares of marks, so that every level comes: a queue pair stays with one for some packets.
const SHARES: [u32; 4] = [0, 5, 40, 90];

fn arrival(rng: &mut ChaCha8Rng, share: u32, with_telemetry: u32) -> Arrival {
    let scene = if rng.random_bool(0.8) { 1 } else { rng.random_range(0..16) };
    let telemetry = chance(rng, with_telemetry).then(|| telemetry(rng));
    Arrival { scene: Scene::of(scene), marked: chance(rng, share), telemetry }
}

fn drive(pins: &mut Pins, pair: usize, arrival: &Arrival, rng: &mut ChaCha8Rng) {
    let telemetry = arrival.telemetry.unwrap_or_else(|| telemetry(rng));
    pins.set("arrive_qp", pair as u64);
    pins.set("arrive_marked", arrival.marked.into());
    pins.set("arrive_scene", arrival.scene.code().into());
    pins.set("telemetry_valid", arrival.telemetry.is_some().into());
    pins.set("telemetry_level", telemetry.level as u64);
    pins.set("telemetry_delay", telemetry.delay.into());
    pins.set("telemetry_depth", telemetry.depth.into());
    pins.set("telemetry_occupancy", telemetry.occupancy.into());
    pins.set("telemetry_point", telemetry.point.into());
}

fn configure(pins: &mut Pins, pace: &Pace, rng: &mut ChaCha8Rng) -> DegreeConfig {
    let config = DegreeConfig {
        arrivals: 64,
        marks: pace.marks,
        idle: pace.idle,
        depths: [threshold(rng, u16::MAX), threshold(rng, u16::MAX), threshold(rng, u16::MAX)],
        occupancies: [threshold(rng, u8::MAX), threshold(rng, u8::MAX), threshold(rng, u8::MAX)],
        fault: pace.fault,
    };
    for (step, name) in ["light", "medium", "heavy"].into_iter().enumerate() {
        pins.set(&format!("cfg_marks_{name}"), config.marks[step].into());
        pins.set(&format!("cfg_depth_{name}"), config.depths[step].into());
        pins.set(&format!("cfg_occupancy_{name}"), config.occupancies[step].into());
    }
    pins.set("cfg_idle", config.idle);
    config
}

fn answer(pins: &Pins, pair: usize, expected: Option<&Notice>) -> Result<(), String> {
    pins.check("answer_qp", pair as u64)?;
    pins.check("answer_becn", expected.is_some().into())?;
    let Some(notice) = expected else { return Ok(()) };
    pins.check("answer_level", notice.level as u64)?;
    pins.check("answer_scene", notice.scene.code().into())?;
    pins.check("answer_enhanced", notice.enhanced.into())?;
    pins.check("answer_depth", notice.depth.unwrap_or(u16::MAX).into())?;
    pins.check("answer_point", notice.point.unwrap_or(u16::MAX).into())?;
    pins.check("answer_delay", notice.delay.unwrap_or(u32::MAX).into())
}

/// `count` packets, and acknowledgements between them. Every answer comes in its clock and is the golden one.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let config = configure(&mut pins, &pace, &mut rng);
    pins.reset(2);
    let all = 1usize << pins.width("ask_qp");
    for _ in 0..all {
        pins.check("ready", 0)?;
        pins.check("arrive_ready", 0)?;
        pins.clock();
    }
    pins.check("ready", 1)?;
    // They are apart: a step of 5 comes by all.
    let first = rng.random_range(0..all);
    let places: Vec<usize> = (0..pace.pairs.min(all)).map(|number| (first + number * 5) % all).collect();
    let mut golden = vec![Receiver::new(ReceiverConfig { degree: config, gap: 0 })?; all];
    let mut shares = vec![0; all];
    let mut offer: Option<(usize, Arrival)> = None;
    // The queue pair whose acknowledgement must not wait, and the clock in which its packet arrived.
    let mut due: Option<(usize, u64)> = None;
    let mut answers: VecDeque<(u64, usize, Option<Notice>, Option<u64>)> = VecDeque::new();
    let (mut seen, mut quiet, start) = (Seen::default(), 0, pins.cycle());
    while seen.arrivals < count || !answers.is_empty() || due.is_some() {
        let now = pins.cycle();
        if quiet == 0 && pace.quiet > 0 && rng.random_bool(0.001) {
            quiet = rng.random_range(0..=pace.quiet);
        }
        quiet = u64::saturating_sub(quiet, 1);
        let place = |rng: &mut ChaCha8Rng| match pace.phase {
            0 => places[rng.random_range(0..places.len())],
            phase => places[(now / phase) as usize % places.len()],
        };
        if offer.is_none() && quiet == 0 && seen.arrivals < count && chance(&mut rng, pace.arrive) {
            let pair = place(&mut rng);
            if rng.random_bool(0.02) {
                shares[pair] = SHARES[rng.random_range(0..SHARES.len())];
            }
            offer = Some((pair, arrival(&mut rng, shares[pair], pace.telemetry)));
        }
        pins.set("arrive_valid", offer.is_some().into());
        let (pair, arrival) = offer.unwrap_or_else(|| (place(&mut rng), arrival(&mut rng, 100, 50)));
        drive(&mut pins, pair, &arrival, &mut rng);
        let ask = match due {
            Some((pair, at)) if pace.prompt => Some((pair, Some(at))),
            _ if quiet == 0 && seen.arrivals < count && chance(&mut rng, pace.ask) => Some((place(&mut rng), None)),
            _ => None,
        };
        pins.set("ask_valid", ask.is_some().into());
        pins.set("ask_qp", ask.map_or_else(|| rng.random_range(0..all), |(pair, _)| pair) as u64);
        pins.eval();

        pins.check("due_valid", due.is_some().into())?;
        if let Some((pair, _)) = due.take() {
            pins.check("due_qp", pair as u64)?;
            seen.dues += 1;
        }
        let open = pins.get("arrive_ready") == 1;
        seen.visits += u64::from(!open);
        if open && let Some((pair, arrival)) = offer.take() {
            seen.arrivals += 1;
            if golden[pair].arrive(now, &arrival) == Answer::Acknowledge {
                due = Some((pair, now));
            }
        }
        // It counts the packet that arrives in its clock.
        if let Some((pair, since)) = ask {
            answers.push_back((now + LATENCY, pair, golden[pair].acknowledge(now), since));
        }
        let told = answers.front().copied().filter(|&(at, ..)| at == now);
        pins.check("answer_valid", told.is_some().into())?;
        if let Some((_, pair, expected, since)) = told {
            answer(&pins, pair, expected.as_ref())?;
            match expected {
                Some(notice) => seen.levels[notice.level as usize] += 1,
                None => seen.clear += 1,
            }
            seen.enhanced += u64::from(expected.is_some_and(|notice| notice.enhanced));
            seen.longest = seen.longest.max(since.map_or(0, |since| now - since));
            answers.pop_front();
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
