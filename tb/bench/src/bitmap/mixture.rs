//! Senders of many kinds, a network that loses, reorders and repeats, and queue pairs that come and go, from a seed.

use super::pooled::Seen;
use super::{Bench, Command, Header};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::{Config, Params, Verdict, psn};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Whose packet comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    One,
    Two,
    RoundRobin,
    Random,
    /// mostly a few of them
    Hot,
}

/// How a run goes. Rates are in percent.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub packets: u64,
    pub order: Order,
    /// clocks with a header
    pub rate: u32,
    /// packets that the network keeps back
    pub late: u32,
    /// how many it keeps back at most
    pub kept: usize,
    pub loss: u32,
    pub duplicates: u32,
    /// packets anywhere in the window, and beyond
    pub stray: u32,
    /// packets with any number
    pub wild: u32,
    /// of 10,000 clocks in which no command is under way, those in which one comes
    pub commands: u32,
    /// packets that a window moves by
    pub slide_step: u32,
}

impl Mix {
    /// Some of everything, from a seed.
    pub fn random(params: Params, packets: u64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xb17);
        let mut pick = |from: &[u32]| from[rng.random_range(0..from.len())];
        let order = [Order::One, Order::Two, Order::RoundRobin, Order::Random, Order::Hot][seed as usize % 5];
        Self {
            packets,
            order,
            rate: pick(&[50, 90, 97]),
            late: pick(&[0, 10, 50]),
            kept: pick(&[4, 40, params.packets() * 3 / 4]) as usize,
            loss: pick(&[0, 2, 20]),
            duplicates: pick(&[0, 5, 30]),
            stray: pick(&[0, 2, 20]),
            wild: pick(&[0, 1]),
            commands: pick(&[0, 20, 100]),
            slide_step: pick(&[1, 1, 4, 16, params.segment_packets()]),
        }
    }
}

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub clocks: u64,
    pub verdicts: [u64; 4],
    pub advances: u64,
    pub opened: u64,
    pub closed: u64,
    /// windows that have passed the end of the numbers
    pub wraps: u64,
    pub oldest: u64,
    pub pool: Seen,
}

/// One sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Sender {
    pub(super) next: u32,
    pub(super) kept: VecDeque<u32>,
}

/// Runs the pipeline beside the model.
/// # Errors
/// The first difference.
pub fn run(model: &mut dyn Model, params: Params, mix: Mix, seed: u64) -> Result<Report, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let config = Config { range_ack: false, slide_step: mix.slide_step, ..Config::defaults(1) };
    let mut bench = Bench::with(model, params, config, &[])?;
    let (mut report, many) = (Report::default(), params.queue_pairs as u32);
    let used = match mix.order {
        Order::One => 1,
        Order::Two => many.min(2),
        _ => many,
    };
    let mut senders = vec![Sender::default(); params.queue_pairs];
    let mut command = None;
    let mut begin = |qp: u32, rng: &mut ChaCha8Rng, senders: &mut Vec<Sender>| {
        // Most wrap soon.
        let psn = if chance(rng, 80) { psn::sub(0, rng.random_range(0..100)) } else { rng.random_range(0..psn::SPACE) };
        senders[qp as usize] = Sender { next: psn, kept: VecDeque::new() };
        report.opened += 1;
        Command::Open { qp, psn }
    };
    bench.change(&mut rng);
    for qp in 0..used {
        let open = begin(qp, &mut rng, &mut senders);
        bench.run(open)?;
    }
    let (mut sent, mut turn, mut closed) = (0, 0, 0);
    while sent < mix.packets {
        if command.is_none() && !bench.busy() && rng.random_range(0..10_000) < mix.commands {
            let qp = rng.random_range(0..used);
            command = Some(if chance(&mut rng, 15) { Command::Close { qp } } else { begin(qp, &mut rng, &mut senders) });
            closed += u64::from(matches!(command, Some(Command::Close { .. })));
        }
        let header = if chance(&mut rng, mix.rate) {
            turn += 1;
            let qp = match mix.order {
                Order::One => 0,
                Order::Two | Order::RoundRobin => turn % used,
                Order::Random => rng.random_range(0..used),
                Order::Hot if chance(&mut rng, 80) => rng.random_range(0..used.min(3)),
                Order::Hot => rng.random_range(0..used),
            };
            sent += 1;
            Some(header(qp, &mix, &params, &bench, &mut senders[qp as usize], &mut rng))
        } else {
            None
        };
        if rng.random_range(0..400) == 0 {
            bench.change(&mut rng);
        }
        if bench.step(header, command)?.command_taken {
            command = None;
        }
        report.wraps += u64::from(header.is_some_and(|header| header.psn == 0));
    }
    while bench.busy() {
        bench.step(None, None)?;
    }
    bench.settle()?;
    report.closed = closed;
    report.pool = bench.pool.as_ref().map(|pool| pool.seen).unwrap_or_default();
    Ok(Report { clocks: bench.clocks(), verdicts: bench.verdicts, advances: bench.advances, oldest: bench.oldest, ..report })
}

/// The next packet of a queue pair.
pub(super) fn header(qp: u32, mix: &Mix, params: &Params, bench: &Bench, sender: &mut Sender, rng: &mut ChaCha8Rng) -> Header {
    let base = bench.golden.window(qp).map_or(sender.next, |window| window.base());
    // A sender is told how long a window of variable length is.
    let reach = bench.golden.window(qp).filter(|_| bench.pool.is_some()).map_or(params.packets(), |window| window.open().max(1));
    let path = rng.random_range(0..16);
    let packet = |psn: u32, retransmission| Header { qp, psn: psn % psn::SPACE, path, retransmission };
    if chance(rng, mix.wild) {
        return packet(rng.random(), false);
    }
    if chance(rng, mix.stray) {
        return packet(psn::add(base, rng.random_range(0..reach + 20)), false);
    }
    if chance(rng, mix.duplicates) {
        return packet(psn::sub(sender.next, rng.random_range(0..reach + 20)), true);
    }
    // What is late comes in any order, and must if the window is full.
    let ahead = psn::ahead(base, sender.next);
    let full = (reach..psn::HALF).contains(&ahead) || sender.kept.len() > mix.kept;
    if full || chance(rng, mix.late / 2) {
        if !sender.kept.is_empty() && chance(rng, 70) {
            let at = rng.random_range(0..sender.kept.len());
            return packet(sender.kept.swap_remove_back(at).unwrap_or(base), false);
        }
        return packet(base, true);
    }
    loop {
        let psn = sender.next;
        sender.next = psn::add(psn, 1);
        if chance(rng, mix.late) && sender.kept.len() <= mix.kept {
            sender.kept.push_back(psn);
        } else if !chance(rng, mix.loss) {
            return packet(psn, false);
        }
    }
}

/// Verdicts of a kind.
pub fn count(report: &Report, verdict: Verdict) -> u64 {
    report.verdicts[verdict as usize]
}
