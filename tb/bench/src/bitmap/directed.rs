//! Situations one by one, and what the pipeline sustains.

use super::{Bench, Command, Header, LATENCY};
use rdma_rtl_golden::bitmap::{Config, Params, Verdict, psn};
use rdma_rtl_sim::Model;

/// One situation.
pub type Situation = fn(&mut dyn Model, Params) -> Result<(), String>;

/// All of them.
pub const ALL: &[(&str, Situation)] = &[
    ("edges of the window", edges),
    ("a window that moves in steps", steps),
    ("the same packet back to back", back_to_back),
    ("highest numbers back to back", highest),
    ("every distance between packets of a segment", distances),
    ("a window over several rounds", rounds),
    ("a queue pair that comes and goes", comes_and_goes),
    ("a window opened anywhere", opened_anywhere),
    ("bits that come while the window moves", while_moving),
    ("bits that come while the window moves twice", while_moving_twice),
    ("headers without a queue pair", unknown),
    ("many windows at once", many_windows),
    ("closed while its window moves", closed_while_moving),
];

fn header(psn: u32) -> Header {
    Header { psn: psn % psn::SPACE, ..Header::default() }
}

fn packet(qp: u32, psn: u32) -> Option<Header> {
    Some(Header { qp, ..header(psn) })
}

/// The packets one after the other, one per clock, when nothing else is under way: their verdicts.
fn all(bench: &mut Bench, packets: impl IntoIterator<Item = u32>) -> Result<Vec<Verdict>, String> {
    bench.idle(LATENCY)?;
    let mut verdicts = Vec::new();
    for psn in packets {
        verdicts.extend(bench.step(Some(header(psn)), None)?.verdict);
    }
    verdicts.extend(bench.idle(LATENCY)?.into_iter().filter_map(|seen| seen.verdict));
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

fn expect(what: &str, found: &[Verdict], expected: &[Verdict]) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: verdicts {found:?}, expected {expected:?}")) }
}

const NEW: Verdict = Verdict::New;
const AGAIN: Verdict = Verdict::Duplicate;
const OUT: Verdict = Verdict::OutOfWindow;

fn steps(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if model.port("slide_step").is_none() {
        return Ok(());
    }
    let length = params.packets();
    for step in [1, 2, 8, params.segment_packets()].map(|step| step.max(params.granularity)) {
        for first in [0, 1001, psn::SPACE - length, psn::SPACE - 3] {
            let config = Config { range_ack: false, slide_step: step, ..Config::defaults(1) };
            let mut bench = Bench::with(model, params, config, &[])?;
            bench.run(Command::Open { qp: 0, psn: first })?;
            all(&mut bench, (1..step).map(|at| first + at - 1))?;
            let found = all(&mut bench, [first + length, first + length - 1])?;
            expect("all of a step but one", &found, &[OUT, NEW])?;
            let found = all(&mut bench, [first + step - 1])?;
            expect("the last of a step", &found, &[NEW])?;
            bench.idle(60)?;
            let found = all(&mut bench, [length, length + step - 1, length + step].map(|at| first + at))?;
            let in_step = if step == 1 { AGAIN } else { NEW };
            expect("a step", &found, &[NEW, in_step, OUT])?;
            bench.settle()?;
        }
    }
    Ok(())
}

fn edges(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let length = params.packets();
    for first in [0, 1000, psn::SPACE - 1, psn::SPACE - length, psn::HALF - 3] {
        let mut bench = Bench::new(model, params)?;
        bench.run(Command::Open { qp: 0, psn: first })?;
        let found = all(&mut bench, [1, length - 1, length, psn::HALF - 1, psn::HALF, psn::HALF + 1, psn::SPACE - 1].map(|at| first + at))?;
        expect("before the first", &found, &[NEW, NEW, OUT, OUT, OUT, AGAIN, AGAIN])?;
        let found = all(&mut bench, [first, first])?;
        expect("the first", &found, &[NEW, AGAIN])?;
        bench.idle(40)?;
        // The window begins with the group of the third.
        let moved = 2 / params.granularity * params.granularity;
        let behind = [0, 1, 2];
        let found = all(&mut bench, behind.map(|at| first + length + at))?;
        expect("behind it", &found, &behind.map(|at| if at < moved { NEW } else { OUT }))?;
    }
    Ok(())
}

fn back_to_back(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    bench.run(Command::Open { qp: 0, psn: 7 })?;
    let found = all(&mut bench, [9, 9, 9, 9, 9, 9])?;
    expect("six times", &found, &[NEW, AGAIN, AGAIN, AGAIN, AGAIN, AGAIN])?;
    // Once more after every distance, with nothing or another packet between.
    for distance in 1..12 {
        let psn = 10 + 2 * distance;
        let mut verdicts = Vec::new();
        for clock in 0..distance + 1 + LATENCY as u32 {
            let offered = if clock == 0 || clock == distance { Some(header(psn)) } else { None };
            verdicts.extend(bench.step(offered, None)?.verdict.map(|(_, verdict)| verdict));
        }
        expect(&format!("{distance} clocks later"), &verdicts, &[NEW, AGAIN])?;
    }
    Ok(())
}

fn highest(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // The bench compares the highest number of each.
    let mut bench = Bench::new(model, params)?;
    bench.run(Command::Open { qp: 0, psn: psn::SPACE - 20 })?;
    let first = psn::SPACE - 20;
    all(&mut bench, [5, 3, 4, 9, 2, 30, 6, 7, 31, 8, 10, 50, 49, 48, 47, 46, 51].map(|at| first + at))?;
    for gap in 1..6 {
        let high = first + 52 + 6 * gap;
        bench.step(Some(header(high)), None)?;
        bench.idle(u64::from(gap) - 1)?;
        all(&mut bench, [high - 3])?;
    }
    Ok(())
}

fn distances(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let segment = params.segment_packets();
    for distance in 1..8u32 {
        bench.run(Command::Open { qp: 0, psn: 0 })?;
        // Bits of two segments in turn, each marked `distance` clocks after the one before, from the top down, so that the base stays.
        for at in (1..segment).rev() {
            bench.step(Some(header(at)), None)?;
            bench.idle(u64::from(distance) - 1)?;
            bench.step(Some(header(segment + at)), None)?;
            bench.idle(u64::from(distance) - 1)?;
        }
        let again = all(&mut bench, (1..segment).chain(segment + 1..2 * segment))?;
        expect("all marked", &again, &vec![AGAIN; 2 * segment as usize - 2])?;
        expect("the last two", &all(&mut bench, [segment, 0])?, &[NEW, NEW])?;
        bench.settle()?;
    }
    Ok(())
}

fn rounds(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let first = psn::SPACE - params.packets() - 9;
    bench.run(Command::Open { qp: 0, psn: first })?;
    // In pairs the wrong way round.
    let packets = (0..5 * params.packets()).map(|at| first + (at ^ 1));
    let found = all(&mut bench, packets)?;
    if let Some(at) = found.iter().position(|&verdict| verdict != NEW) {
        return Err(format!("packet {at} is {:?}", found[at]));
    }
    bench.settle()
}

fn comes_and_goes(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let mut state = 1u32;
    for round in 0..200u32 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let first = if round % 3 == 0 { psn::SPACE - 1 - (state >> 20) % 300 } else { state >> 8 };
        bench.run(Command::Open { qp: 0, psn: first })?;
        let step = 1 + state % 3;
        let found = all(&mut bench, (0..params.packets().min(300)).step_by(step as usize).map(|at| first + at))?;
        if found.iter().any(|&verdict| verdict != NEW) {
            return Err(format!("round {round}: something is left of the queue pair before"));
        }
        if round % 4 == 0 {
            bench.run(Command::Close { qp: 0 })?;
            expect("closed", &all(&mut bench, [first])?, &[Verdict::UnknownQp])?;
        }
    }
    Ok(())
}

fn opened_anywhere(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    for offset in 0..params.segment_packets() {
        let first = psn::SPACE - params.packets() - 2 * params.segment_packets() + offset * 3;
        bench.run(Command::Open { qp: 0, psn: first })?;
        let found = all(&mut bench, (0..params.packets().min(512)).rev().map(|at| first + at))?;
        if found.iter().any(|&verdict| verdict != NEW) {
            return Err(format!("opened at {first:#x}: a packet was there"));
        }
        bench.settle()?;
    }
    Ok(())
}

fn while_moving(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let segment = params.segment_packets();
    // The base reaches the end of a segment; the first packet of the next comes so many clocks before or after.
    for delay in 0..40u64 {
        for second in [segment, segment + 1] {
            bench.run(Command::Open { qp: 0, psn: 0 })?;
            all(&mut bench, (1..segment).chain((segment..segment + 5).filter(|&at| at != second)))?;
            bench.step(Some(header(0)), None)?;
            bench.idle(delay)?;
            bench.step(Some(header(second)), None)?;
            bench.settle()?;
        }
    }
    Ok(())
}

fn while_moving_twice(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let segment = params.segment_packets();
    // Behind the first segment one packet is missing in the second, and the first of the third: each comes while the engine is at work for
    // the one before.
    for first in 0..9u64 {
        for second in 2..34u64 {
            bench.run(Command::Open { qp: 0, psn: 0 })?;
            all(&mut bench, (1..2 * segment).filter(|&at| at != segment + 9))?;
            for (psn, wait) in [(0, first), (segment + 9, second), (2 * segment, 0)] {
                bench.step(Some(header(psn)), None)?;
                bench.idle(wait)?;
            }
            bench.settle()?;
        }
    }
    Ok(())
}

fn unknown(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let found = all(&mut bench, [0, 1, psn::HALF])?;
    expect("never opened", &found, &[Verdict::UnknownQp; 3])?;
    // In every clock around the commands: the model knows from which on it counts.
    let mut command = Some(Command::Open { qp: 0, psn: 100 });
    let (mut left, mut offered_at) = (3, 0);
    for clock in 0..100_000 {
        let valid = clock % 8 != 7;
        let offered = command.filter(|_| clock >= offered_at);
        let seen = bench.step(valid.then(|| header(100 + clock % params.packets())), offered)?;
        if seen.command_taken {
            command = None;
        }
        if seen.command_done {
            left -= 1;
            offered_at = clock + 5 + 10 * left;
            command = match left {
                2 => Some(Command::Close { qp: 0 }),
                1 => Some(Command::Open { qp: 0, psn: 90 }),
                _ => break,
            };
        }
    }
    bench.idle(20)?;
    if left > 0 || bench.verdicts[Verdict::UnknownQp as usize] < 10 || bench.verdicts[0] < 10 {
        return Err(format!("{left} commands are left, verdicts {:?}", bench.verdicts));
    }
    Ok(())
}

fn many_windows(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    let many = params.queue_pairs as u32;
    for qp in 0..many {
        bench.run(Command::Open { qp, psn: psn::SPACE - 30 })?;
    }
    // All but the first packet, then the first of each: every window moves at once.
    for at in 1..params.packets().min(150) {
        for qp in 0..many {
            bench.step(packet(qp, psn::SPACE - 30 + at), None)?;
        }
    }
    for qp in 0..many {
        bench.step(packet(qp, psn::SPACE - 30), None)?;
    }
    bench.settle()
}

fn closed_while_moving(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params)?;
    for delay in 0..36u64 {
        bench.run(Command::Open { qp: 0, psn: 0 })?;
        all(&mut bench, 1..params.packets())?;
        bench.step(Some(header(0)), None)?;
        bench.idle(delay)?;
        bench.run(Command::Open { qp: 0, psn: 5 * params.packets() + 3 })?;
        expect("opened again", &all(&mut bench, [5 * params.packets() + 3])?, &[NEW])?;
        bench.settle()?;
    }
    Ok(())
}

/// Clocks from the verdict on the packet that was missing to the last base, for a window of which everything behind it has arrived.
/// # Errors
/// The base does not get there.
pub fn advance(model: &mut dyn Model, params: Params, segments: u32) -> Result<u64, String> {
    let mut bench = Bench::new(model, params)?;
    bench.run(Command::Open { qp: 0, psn: 0 })?;
    let end = segments * params.segment_packets() + 3;
    all(&mut bench, 1..end)?;
    bench.step(Some(header(0)), None)?;
    let mut verdict = None;
    for _ in 0..100 + segments {
        let seen = bench.step(None, None)?;
        verdict = verdict.or(seen.verdict.map(|_| bench.clocks()));
        if let (Some(since), Some((_, base))) = (verdict, seen.advance)
            && base == end
        {
            return Ok(bench.clocks() - since);
        }
    }
    Err(format!("the base does not come to {end}"))
}

/// Whose packet comes in a clock, and which: queue pair and place behind its first number.
pub type Pattern = fn(u32, &Params) -> (u32, u32);

/// Packets in such an order that each is new and lies in its window.
pub const PATTERNS: &[(&str, Pattern)] = &[
    ("round robin", |clock, params| (clock % params.queue_pairs as u32, clock / params.queue_pairs as u32)),
    ("one queue pair", |clock, _| (0, clock)),
    ("one segment, any order", |clock, _| (0, clock / 32 * 32 + clock * 7 % 32)),
    ("two in turn", |clock, params| if params.queue_pairs == 1 { (0, clock) } else { (clock % 2, clock / 2) }),
    ("pairs the wrong way round", |clock, _| (0, clock ^ 1)),
];

/// A header in every clock, each of them new: how old a base was at most.
/// # Errors
/// A packet was refused.
pub fn sustained(model: &mut dyn Model, params: Params, clocks: u32, of: Pattern) -> Result<u64, String> {
    let mut bench = Bench::new(model, params)?;
    for qp in 0..params.queue_pairs as u32 {
        bench.run(Command::Open { qp, psn: psn::SPACE - 1000 })?;
    }
    for clock in 0..clocks {
        let (qp, at) = of(clock, &params);
        bench.step(packet(qp, psn::SPACE - 1000 + at), None)?;
    }
    bench.idle(LATENCY)?;
    if bench.verdicts != [clocks.into(), 0, 0, 0] {
        return Err(format!("of {clocks} packets in as many clocks, new, duplicate, out of window, unknown are {:?}", bench.verdicts));
    }
    let oldest = bench.oldest;
    bench.settle()?;
    Ok(oldest)
}
