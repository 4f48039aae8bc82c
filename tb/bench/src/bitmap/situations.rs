//! `ReceiveBitmap`: the spec's examples, situations one by one, and a random mixture.

use super::deep;
use super::follow::{Counts, Follow, Message};
use super::held;
use super::mixture::{Mix, Order, Sender, header};
use super::pooled::Seen;
use super::ranged;
use super::region;
use super::{Command, Header};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::{Config, DepthMode, Params, PathMode, psn};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// One situation.
pub type Situation = fn(&mut dyn Model, Params) -> Result<(), String>;

/// All of them.
pub const ALL: &[(&str, Situation)] = &[
    ("worked example of the tolerance", tolerance),
    ("worked example of the sender", sender),
    ("a gap that shrinks, splits and is filled", shapes),
    ("more gaps than records", folding),
    ("told again", repeated),
    ("enough, or long enough", threshold),
    ("later packets instead of distance", arrivals),
    ("a stall by packets", stall_packets),
    ("a gap that the queue pair before left", reopened),
    ("events faster than they are taken", lagging),
    ("a wire that takes nothing", blocked),
    ("the acknowledgement was lost", lost_ack),
    ("a packet moves a base that lies below it", moved_from_above),
    ("the first of two gaps gets too deep", deep::first_of_two),
    ("later packets in successive clocks", deep::later_in_a_row),
    ("many gaps too deep at once", deep::many_at_once),
    ("late packets below a gap", deep::late_below),
    ("a look behind an event that knows more", deep::look_behind_event),
    ("acknowledgements that wait", held::steady),
    ("an acknowledgement that waits alone", held::alone),
    ("ranges that wait", held::behind_a_gap),
    ("ranges one by one", ranged::one_by_one),
    ("ranges over segments", ranged::over_segments),
    ("ranges before a message that covers them", ranged::before_folded),
    ("ranges that wait", ranged::merged),
    ("ranges of a queue pair that is opened again", ranged::opened_again),
    ("ranges that the base passes", ranged::passed_meanwhile),
    ("a range soon, or none", ranged::soon_or_never),
    ("more gaps than records, each told once", region::told_once),
    ("what has no record arrives", region::filled),
    ("what has no record is longer than a segment", region::over_segments),
    ("what has no record any more ends", region::ends),
    ("closed with gaps that have no record", region::closed),
    ("a wire that takes nothing of a walk", region::held),
];

pub(super) const PRESCALE: u64 = 20;

pub(super) fn defaults() -> Config {
    Config { range_ack: false, refeedback: 1_000_000, ..Config::defaults(1) }
}

pub(super) fn packet(psn: u32) -> Option<Header> {
    Some(Header { psn: psn % psn::SPACE, ..Header::default() })
}

/// The packets of queue pair 0, one every `spacing` clocks, and the messages meanwhile.
pub(super) fn all(follow: &mut Follow, packets: impl IntoIterator<Item = u32>, spacing: u64) -> Result<Vec<Message>, String> {
    let mut messages = Vec::new();
    for psn in packets {
        messages.extend(follow.step(packet(psn), None)?.1);
        messages.extend(follow.idle(spacing - 1)?);
    }
    Ok(messages)
}

pub(super) fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:x?}, expected {expected:x?}")) }
}

pub(super) fn ranges(messages: &[Message]) -> Vec<(u32, u32)> {
    messages.iter().map(|message| (message.start, message.length)).collect()
}

/// Until `ticks` have passed.
fn wait(follow: &mut Follow, ticks: u64) -> Result<Vec<Message>, String> {
    follow.idle(ticks * PRESCALE)
}

fn tolerance(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // D = 8 packets, T_wait = 50, T_stall = 80 ticks.
    let scan = 16 * params.queue_pairs as u64 + 40;
    for (later, ticks, expected) in [(3, 20, None), (8, 20, None), (9, 20, Some(0)), (3, 49, None), (3, 51 + scan / PRESCALE + 1, Some(1))]
    {
        let mut follow = Follow::new(model, params, defaults(), PRESCALE)?;
        follow.run(Command::Open { qp: 0, psn: 1000 })?;
        let mut messages = all(&mut follow, 1001..=1000 + later, 1)?;
        messages.extend(wait(&mut follow, ticks)?);
        let status = messages.first().map(|message| message.status);
        expect(&format!("{later} later packets, {ticks} ticks"), status, expected)?;
    }
    for (ticks, expected) in [(79, None), (81 + scan / PRESCALE + 1, Some(2))] {
        let mut follow = Follow::new(model, params, Config { wait: 1000, ..defaults() }, PRESCALE)?;
        follow.run(Command::Open { qp: 0, psn: 1000 })?;
        let mut messages = all(&mut follow, 1001..=1003, 1)?;
        messages.extend(wait(&mut follow, ticks)?);
        expect(&format!("a stall of {ticks} ticks"), messages.first().map(|message| message.status), expected)?;
    }
    Ok(())
}

fn sender(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, defaults(), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 1000 })?;
    let early = all(&mut follow, [1000, 1001, 1002, 1004, 1005], 3)?;
    expect("before the tolerance is over", early.len(), 0)?;
    let messages = wait(&mut follow, 60 + params.queue_pairs as u64)?;
    let [message] = messages[..] else { return Err(format!("one message expected: {messages:x?}")) };
    let Message { start, length, edge, base, status, repeat, misjudged, .. } = message;
    expect("message", (start, length, edge, base, status, repeat, misjudged), (1003, 1, 1005, 1003, 1, 0, 0))?;
    follow.step(Some(Header { psn: 1003, retransmission: true, ..Header::default() }), None)?;
    follow.idle(60)?;
    expect("misjudgements", follow.counts.misjudged, 0)?;
    expect("the base", follow.bench.golden.window(0).map(|window| window.base()), Some(1006))?;
    follow.settle(PRESCALE)?;
    expect("messages", follow.counts.reports, 1)
}

fn shapes(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for spacing in [1, 2, 3, 4, 5, 9, 30] {
        let mut follow = Follow::new(model, params, Config { depth: 1000, ..defaults() }, PRESCALE)?;
        follow.run(Command::Open { qp: 0, psn: psn::SPACE - 5 })?;
        let first = psn::SPACE - 5;
        all(&mut follow, [10, 4, 0, 3, 9].map(|at| first + at), spacing)?;
        let messages = wait(&mut follow, 70 + 4 * params.queue_pairs as u64)?;
        let parts = vec![((first + 1) % psn::SPACE, 2), ((first + 5) % psn::SPACE, 4)];
        expect(&format!("{spacing} clocks apart"), ranges(&messages), parts)?;
        // Packets that were late only: a misjudgement each.
        all(&mut follow, [1, 2, 6, 5, 8, 7].map(|at| first + at), spacing)?;
        follow.settle(PRESCALE)?;
        expect("misjudgements", follow.counts.misjudged, 6)?;
        expect("base", follow.bench.golden.window(0).map(|window| window.base()), Some((first + 11) % psn::SPACE))?;
    }
    Ok(())
}

fn folding(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let records = params.records as u32;
    let mut follow = Follow::new(model, params, Config { depth: 1000, ..defaults() }, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    // Four gaps more than records: the last covers 9.
    all(&mut follow, (0..records + 4).map(|at| 2 * at + 1), 8)?;
    follow.idle(40)?;
    expect("folded", follow.counts.folded, 4)?;
    let last = 2 * (records - 1);
    // Its first packet arrives, and packets in the middle; then its last.
    all(&mut follow, [last, last + 4, last + 8], 60)?;
    let messages = wait(&mut follow, 70 + 4 * params.queue_pairs as u64)?;
    let expected: Vec<(u32, u32)> = (0..records - 1).map(|at| (2 * at, 1)).chain([(last + 2, 5)]).collect();
    expect("with more gaps than records", ranges(&messages), expected)?;
    all(&mut follow, [last + 2, last + 6], 60)?;
    all(&mut follow, (0..records - 1).map(|at| 2 * at), 8)?;
    follow.settle(PRESCALE)?;
    // Nothing is left, and records are free again.
    all(&mut follow, [last + 20], 8)?;
    let messages = wait(&mut follow, 70 + 4 * params.queue_pairs as u64)?;
    expect("afterwards", ranges(&messages), vec![(last + 10, 10)])
}

fn repeated(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, Config { refeedback: 30, ..defaults() }, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 70 })?;
    let mut messages = all(&mut follow, [71, 75], 1)?;
    messages.extend(wait(&mut follow, 160 + 2 * params.queue_pairs as u64)?);
    let first: Vec<(u32, u32, u32)> = messages.iter().filter(|m| m.start == 70).map(|m| (m.length, m.status, m.repeat)).take(4).collect();
    expect("told again", first, vec![(1, 1, 0), (1, 4, 1), (1, 4, 2), (1, 4, 3)])?;
    let second: Vec<(u32, u32)> = messages.iter().filter(|m| m.start == 72).map(|m| (m.length, m.repeat)).take(2).collect();
    expect("the other", second, vec![(3, 0), (3, 1)])?;
    expect("lost", follow.counts.lost, 2)
}

fn threshold(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { feedback_threshold: 3, feedback_wait: 10_000, depth: 2, wait: 100_000, stall: 100_000, ..defaults() };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let mut messages = all(&mut follow, [1, 2, 3, 4], 8)?;
    messages.extend(follow.idle(400 + 8 * params.queue_pairs as u64)?);
    expect("one packet is not enough", ranges(&messages), vec![])?;
    let mut messages = all(&mut follow, [7, 8, 9], 8)?;
    messages.extend(follow.idle(200)?);
    expect("three are", ranges(&messages), vec![(0, 1), (5, 2)])?;
    let mut follow = Follow::new(model, params, Config { feedback_wait: 10, ..config }, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let mut messages = all(&mut follow, [1, 2, 3], 8)?;
    messages.extend(wait(&mut follow, 8)?);
    expect("too early", ranges(&messages), vec![])?;
    let messages = wait(&mut follow, 6 + params.queue_pairs as u64)?;
    expect("long enough", ranges(&messages), vec![(0, 1)])
}

fn arrivals(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { depth_mode: DepthMode::Arrivals, wait: 100_000, stall: 100_000, ..defaults() };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    // The packets before the second gap, which come late, are later ones of the first alone.
    let mut messages = all(&mut follow, [40, 3, 4, 5, 60, 61, 62], 6)?;
    messages.extend(follow.idle(100 + 8 * params.queue_pairs as u64)?);
    expect("seven later packets", ranges(&messages), vec![])?;
    let mut messages = all(&mut follow, [63, 64], 6)?;
    messages.extend(follow.idle(60)?);
    expect("nine", messages.iter().map(|m| (m.start, m.length, m.depth)).collect::<Vec<_>>(), vec![(0, 3, 9)])?;
    let mut messages = all(&mut follow, 65..=67, 6)?;
    messages.extend(follow.idle(60)?);
    expect("of the part above", ranges(&messages), vec![(6, 34)])?;
    let mut messages = all(&mut follow, 68..=69, 6)?;
    messages.extend(follow.idle(60)?);
    expect("of the second", ranges(&messages), vec![(41, 19)])
}

fn stall_packets(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { depth: 100, stall_packets: 5, ..defaults() };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let scan = 16 * params.queue_pairs as u64 + 40;
    let mut messages = all(&mut follow, [1, 3, 4, 5, 6, 7], 6)?;
    messages.extend(follow.idle(scan.min(800))?);
    expect("five packets since", ranges(&messages), vec![])?;
    let mut messages = all(&mut follow, [8], 6)?;
    messages.extend(follow.idle(scan.min(700))?);
    if scan < 700 {
        expect("six", messages.iter().map(|m| (m.start, m.length, m.status)).collect::<Vec<_>>(), vec![(0, 1, 2)])?;
    }
    Ok(())
}

fn reopened(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for delay in [0, 1, 2, 5, 9, 13, 14, 15, 30] {
        let mut follow = Follow::new(model, params, defaults(), PRESCALE)?;
        follow.run(Command::Open { qp: 0, psn: 100 })?;
        all(&mut follow, [105, 103, 120, 110, 118], 1)?;
        follow.idle(delay)?;
        follow.run(Command::Open { qp: 0, psn: 5000 })?;
        follow.idle(100)?;
        let mut messages = all(&mut follow, [5001], 1)?;
        messages.extend(wait(&mut follow, 70 + 4 * params.queue_pairs as u64)?);
        expect(&format!("opened again {delay} clocks later"), ranges(&messages), vec![(5000, 1)])?;
    }
    Ok(())
}

fn lagging(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, Config { depth: 1000, ..defaults() }, PRESCALE)?;
    let many = (params.queue_pairs as u32).min(4);
    for qp in 0..many {
        follow.run(Command::Open { qp, psn: psn::SPACE - 900 })?;
    }
    // In each clock a gap event, for long; some packets never come.
    for clock in 0..6000u32 {
        let (qp, at) = (clock % many, clock / many);
        let psn = psn::add(psn::SPACE - 900, at ^ 1);
        follow.step((at % 50 != 48).then_some(Header { qp, psn, ..Header::default() }), None)?;
        let full = (0..many).any(|qp| {
            follow.bench.golden.window(qp).is_some_and(|window| {
                psn::ahead(window.base(), window.max()) + 4 > params.packets() && window.max() != psn::sub(window.base(), 1)
            })
        });
        if full {
            for qp in 0..many {
                let base = follow.bench.golden.window(qp).map_or(0, |window| window.base());
                follow.step(Some(Header { qp, psn: base, retransmission: true, ..Header::default() }), None)?;
            }
            follow.idle(12)?;
        }
    }
    if follow.counts.dropped == 0 || follow.counts.rebuilt == 0 {
        return Err(format!("nobody lagged: {:?}", follow.counts));
    }
    follow.settle(PRESCALE)
}

fn blocked(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, Config { depth: 2, ..defaults() }, PRESCALE)?;
    let many = (params.queue_pairs as u32).min(16);
    for qp in 0..many {
        follow.run(Command::Open { qp, psn: 0 })?;
    }
    follow.wire = 0;
    for at in [3, 4, 5, 6, 9, 10, 11, 12] {
        for qp in 0..many {
            follow.step(Some(Header { qp, psn: at, ..Header::default() }), None)?;
        }
    }
    // Told of the second gap is what is left of it.
    follow.idle(300)?;
    for qp in 0..many {
        follow.step(Some(Header { qp, psn: 7, ..Header::default() }), None)?;
    }
    follow.idle(300)?;
    follow.settle(PRESCALE)
}

fn lost_ack(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, defaults(), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    all(&mut follow, 0..10, 20)?;
    let acks = follow.counts.acks;
    all(&mut follow, [9], 40)?;
    expect("acknowledgements of a duplicate", follow.counts.acks - acks, 1)?;
    all(&mut follow, [12, 12], 40)?;
    expect("acknowledgements of one above the base", follow.counts.acks - acks, 1)?;
    follow.settle(PRESCALE)
}

fn moved_from_above(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // Each waits with all of its first segment but one packet, and the first two of the next; then the engine has all their windows to
    // move, and a packet that has come before is sooner. Before or after the acknowledgement of the packet that was missing has read the
    // base.
    for (many, delay) in [(16, 0), (4, 14), (4, 20)] {
        let many = (params.queue_pairs as u32).min(many);
        let edge = params.segment_packets();
        let mut follow = Follow::new(model, params, Config { depth: 1000, ..defaults() }, PRESCALE)?;
        for qp in 0..many {
            follow.run(Command::Open { qp, psn: 0 })?;
        }
        for psn in (0..edge - 1).chain([edge, edge + 1, edge + 9]) {
            for qp in 0..many {
                follow.step(Some(Header { qp, psn, ..Header::default() }), None)?;
                follow.idle(3)?;
            }
        }
        follow.idle(200)?;
        for psn in [edge - 1, edge + 9] {
            for qp in 0..many {
                follow.step(Some(Header { qp, psn, ..Header::default() }), None)?;
            }
            follow.idle(delay)?;
        }
        follow.settle(PRESCALE)?;
    }
    Ok(())
}

/// What a run of the mixture had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub counts: Counts,
    pub clocks: u64,
    pub pool: Seen,
}

/// Registers of a run.
pub fn registers(seed: u64) -> (Config, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x9a9);
    let mut pick = |from: &[u32]| from[rng.random_range(0..from.len())];
    let config = Config {
        depth: pick(&[0, 3, 8, 8, 40, 200]),
        depth_mode: if pick(&[0, 0, 1]) == 1 { DepthMode::Arrivals } else { DepthMode::Distance },
        wait: pick(&[5, 50, 50, 400]),
        stall: pick(&[3, 80, 80]),
        stall_packets: pick(&[0, 0, 10]),
        feedback_threshold: pick(&[1, 1, 1, 4]),
        feedback_wait: pick(&[1, 20]),
        refeedback: pick(&[20, 100, 1000]),
        ..defaults()
    };
    let prescale = u64::from(pick(&[1, 3, 20]));
    let config = Config { range_ack: pick(&[0, 1, 1]) == 1, slide_step: pick(&[1, 1, 4, 16]), ..config };
    (Config { ack_hold: pick(&[0, 0, 1, 6]), ..config }, prescale)
}

/// Registers of several paths.
fn path_registers(config: &mut Config, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7a7);
    let mut pick = |from: &[u32]| from[rng.random_range(0..from.len())];
    config.stripe = pick(&[1, 2, 4, 16]);
    config.relax = pick(&[1, 2, 4, 16]);
    config.overtake = pick(&[1, 2, 3, 3, 4]);
    config.path_idle = pick(&[5, 30, 100, 1000]);
}

/// How the packets of a run say over which path they came: all in one way, or the queue pairs in turn.
fn modes(seed: u64) -> Vec<PathMode> {
    match seed % 4 {
        0 => vec![PathMode::Striped],
        1 => vec![PathMode::Tagged],
        2 => vec![PathMode::Off, PathMode::Striped, PathMode::Tagged],
        _ => vec![PathMode::Tagged, PathMode::Striped],
    }
}

/// Runs the block beside the model.
/// # Errors
/// The first difference.
pub fn run(model: &mut dyn Model, params: Params, mix: Mix, seed: u64) -> Result<Report, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut config, prescale) = registers(seed);
    // Faster, and repetitions are all that the engine does.
    config.refeedback = config.refeedback.max((64 * params.queue_pairs as u64 / prescale) as u32);
    if params.paths > 1 {
        path_registers(&mut config, seed);
    }
    let mut follow = Follow::new(model, params, config, prescale)?;
    if params.paths > 1 {
        follow.bench.modes = modes(seed);
    }
    let many = params.queue_pairs as u32;
    let used = match mix.order {
        Order::One => 1,
        Order::Two => many.min(2),
        _ => many,
    };
    let mut senders = vec![Sender::default(); params.queue_pairs];
    let mut command = None;
    let begin = |qp: u32, rng: &mut ChaCha8Rng, senders: &mut Vec<Sender>| {
        let psn = if chance(rng, 80) { psn::sub(0, rng.random_range(0..100)) } else { rng.random_range(0..psn::SPACE) };
        senders[qp as usize] = Sender { next: psn, kept: VecDeque::new() };
        Command::Open { qp, psn }
    };
    follow.bench.change(&mut rng);
    for qp in 0..used {
        let open = begin(qp, &mut rng, &mut senders);
        follow.run(open)?;
    }
    follow.wire = [100, 100, 100, 30, 3][seed as usize % 5];
    let (mut sent, mut turn) = (0, 0);
    while sent < mix.packets {
        if command.is_none() && !follow.bench.busy() && rng.random_range(0..10_000) < mix.commands {
            let qp = rng.random_range(0..used);
            command = Some(if chance(&mut rng, 15) { Command::Close { qp } } else { begin(qp, &mut rng, &mut senders) });
        }
        let offered = if chance(&mut rng, mix.rate) {
            turn += 1;
            let qp = match mix.order {
                Order::One => 0,
                Order::Two | Order::RoundRobin => turn % used,
                Order::Random => rng.random_range(0..used),
                Order::Hot if chance(&mut rng, 80) => rng.random_range(0..used.min(3)),
                Order::Hot => rng.random_range(0..used),
            };
            sent += 1;
            Some(header(qp, &mix, &params, &follow.bench, &mut senders[qp as usize], &mut rng))
        } else {
            None
        };
        if follow.bench.pool.is_some() && chance(&mut rng, 1) {
            follow.bench.change(&mut rng);
        }
        if follow.step(offered, command)?.0.command_taken {
            command = None;
        }
    }
    while follow.bench.busy() {
        follow.step(None, None)?;
    }
    follow.settle(prescale)?;
    let pool = follow.bench.pool.as_ref().map(|pool| pool.seen).unwrap_or_default();
    Ok(Report { counts: follow.counts, clocks: follow.bench.clocks(), pool })
}
