//! Range acknowledgements, situation by situation.

use super::follow::{Follow, Range, Told};
use super::situations::{PRESCALE, all, defaults, expect, packet};
use super::{Command, Header};
use rdma_rtl_golden::bitmap::{Config, Params, psn};
use rdma_rtl_sim::Model;

/// Gaps that stay as they are.
fn config() -> Config {
    Config { range_ack: true, depth: 1_000_000, wait: 1_000_000, stall: 1_000_000, ..defaults() }
}

fn begin<'a>(model: &'a mut dyn Model, params: Params, config: Config, first: u32) -> Result<Follow<'a>, String> {
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: first })?;
    follow.log = Some(Vec::new());
    Ok(follow)
}

/// What has been told since it was last asked.
fn told(follow: &mut Follow) -> Vec<Range> {
    let log = follow.log.replace(Vec::new()).unwrap_or_default();
    log.into_iter().filter_map(|(_, told)| if let Told::Range(range) = told { Some(range) } else { None }).collect()
}

fn runs(ranges: &[Range]) -> Vec<(u32, u32)> {
    ranges.iter().map(|range| (range.start, range.length)).collect()
}

/// The worked example: each packet above the hole is told with those before it, none when the hole is filled; a packet that comes again is
/// told again.
/// # Errors
/// Another range.
pub fn one_by_one(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = begin(model, params, config(), 1000)?;
    all(&mut follow, [1000, 1001, 1002, 1004, 1005, 1005, 1007], 100)?;
    let range = |start, length| Range { qp: 0, base: 1003, start, length };
    let expected = vec![range(1004, 1), range(1004, 2), range(1004, 2), range(1004, 2), range(1007, 1)];
    expect("ranges", told(&mut follow), expected)?;
    all(&mut follow, [1003], 100)?;
    expect("what the base has passed", told(&mut follow), vec![])?;
    follow.settle_ranges()
}

/// One run through several segments is one message; one that goes on in the first packets of a segment begins with the segment before; the
/// end of the numbers is nothing special, nor is the window's last packet, which lies in the slot before that of the base.
/// # Errors
/// Another range.
pub fn over_segments(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let first = psn::SPACE - params.segment_packets() - 7;
    let mut follow = begin(model, params, config(), first)?;
    let last = params.packets() - 1;
    for at in 1..=last {
        all(&mut follow, [psn::add(first, at)], if at + 1 >= last { 200 } else { 2 })?;
    }
    let ranges = told(&mut follow);
    let top = psn::add(first, last);
    let back = psn::sub(top, 8);
    let before = back - back % params.segment_packets();
    let start = if psn::before(before, first) { psn::add(first, 1) } else { before };
    expect("the last range", ranges.last().map(|at| (at.base, at.start, at.length)), Some((first, start, psn::ahead(start, top) + 1)))?;
    follow.settle_ranges()?;
    all(&mut follow, [first], 300)?;
    follow.settle_ranges()
}

/// When a message about a record that covers more than one gap goes out, all that has arrived in it has been told.
/// # Errors
/// The sender would send it again.
pub fn before_folded(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // A gap is seen when all records are in use and the first of them waits still.
    let depth = 7 * (params.records as u32 + 2);
    let mut follow = begin(model, params, Config { depth, ..config() }, 0)?;
    let came: Vec<u32> = (0..params.packets() - 1).filter(|at| at % 7 != 0).collect();
    let messages = all(&mut follow, came.iter().copied(), 700)?;
    let log = follow.log.replace(Vec::new()).unwrap_or_default();
    let covering = messages.iter().filter(|message| message.length > 1).count();
    if covering == 0 {
        return Err("no record covers more than a gap".into());
    }
    let mut known = Vec::new();
    for (clock, told) in log {
        match told {
            Told::Range(range) => known.push(range),
            Told::Message(message) => {
                let arrived = came.iter().filter(|&&at| (message.start..message.start + message.length).contains(&at));
                let untold = arrived.copied().find(|&at| !known.iter().any(|range| psn::ahead(range.start, at) < range.length));
                if let Some(at) = untold {
                    return Err(format!("clock {clock}: {message:x?}, but no range has told of {at:#x}"));
                }
            }
            _ => {}
        }
    }
    follow.settle_ranges()
}

/// What waits for the wire merges: two segments of runs are told once.
/// # Errors
/// More messages than runs, or fewer.
pub fn merged(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = begin(model, params, config(), 0)?;
    follow.wire = 0;
    let came: Vec<u32> = (1..2 * params.segment_packets()).filter(|at| at % 4 != 0).collect();
    all(&mut follow, came.iter().rev().copied(), 3)?;
    follow.idle(100)?;
    follow.settle_ranges()?;
    follow.idle(400)?;
    // What was read before the first message had to wait comes out as it was.
    let ranges = runs(&told(&mut follow));
    let expected: Vec<(u32, u32)> = (0..2 * params.segment_packets() / 4).map(|at| (4 * at + 1, 3)).collect();
    let before = ranges.len().checked_sub(expected.len()).filter(|&before| before <= 4);
    expect("ranges", before.map(|before| &ranges[before..]), Some(&expected[..]))
}

/// A queue pair that is opened again, any time after packets above its base: nothing of its old life is told, the numbers of which lie in
/// its new window.
/// # Errors
/// As the model says.
pub fn opened_again(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for delay in 0..70 {
        let mut follow = begin(model, params, config(), 100)?;
        all(&mut follow, [109, 107, 103, 102, 101], 1)?;
        follow.idle(delay)?;
        follow.run(Command::Open { qp: 0, psn: 99 })?;
        all(&mut follow, [104, 106], 1)?;
        follow.settle_ranges()?;
    }
    // One that waits meanwhile, behind another whose message is not taken.
    if params.queue_pairs > 1 {
        for (first, second) in [(100, 90), (100, 3_000_000), (100, 8_388_700), (8_388_800, 100), (100, 16_000_000)] {
            let mut follow = begin(model, params, config(), first)?;
            follow.run(Command::Open { qp: 1, psn: 0 })?;
            follow.wire = 0;
            for number in [3, 5, 7] {
                follow.step(Some(Header { qp: 1, psn: number, ..Header::default() }), None)?;
            }
            follow.idle(200)?;
            all(&mut follow, [first + 9, first + 70], 1)?;
            follow.idle(40)?;
            follow.run(Command::Open { qp: 0, psn: second })?;
            all(&mut follow, [second + 5, second + 66], 1)?;
            follow.idle(40)?;
            follow.settle_ranges()?;
            let ranges: Vec<(u32, u32)> = runs(&told(&mut follow)).into_iter().filter(|&(start, _)| start > 20).collect();
            expect("of the new life", ranges, vec![(second + 5, 1), (second + 66, 1)])?;
        }
        // What waits begins with the segment that shares its word with that of the new base, and ends beyond the window.
        let slots = params.packets() / params.segment_packets();
        let (first, second) = ((16 + slots) * params.segment_packets() + params.segment_packets() - 4, 16 * params.segment_packets() + 10);
        let mut follow = begin(model, params, config(), first)?;
        follow.run(Command::Open { qp: 1, psn: 0 })?;
        follow.wire = 0;
        for number in [3, 5, 7] {
            follow.step(Some(Header { qp: 1, psn: number, ..Header::default() }), None)?;
        }
        follow.idle(200)?;
        all(&mut follow, [first + 9, first + params.segment_packets() + 6], 1)?;
        follow.idle(40)?;
        follow.run(Command::Open { qp: 0, psn: second })?;
        follow.settle_ranges()?;
        follow.idle(400)?;
        expect("of a life without packets", runs(&told(&mut follow)).into_iter().filter(|&(start, _)| start > 20).collect(), vec![])?;
    }
    Ok(())
}

/// The base passes what is being told, any time after it has come.
/// # Errors
/// As the model says.
pub fn passed_meanwhile(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for delay in 0..60 {
        let mut follow = begin(model, params, config(), 40)?;
        all(&mut follow, [41, 42, 44, 46, 47, 70], 1)?;
        follow.idle(delay)?;
        all(&mut follow, [40, 43], 1)?;
        follow.settle_ranges()?;
        all(&mut follow, [45], 1)?;
        follow.settle_ranges()?;
    }
    Ok(())
}

/// How soon one is told if nobody else waits, and nothing is told if it is not to be.
/// # Errors
/// It takes longer, or something is told.
pub fn soon_or_never(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = begin(model, params, config(), 0)?;
    let since = follow.bench.clocks();
    follow.step(packet(2), None)?;
    follow.idle(100)?;
    let log = follow.log.replace(Vec::new()).unwrap_or_default();
    let at = log.iter().find(|(_, told)| matches!(told, Told::Range(_))).map(|&(clock, _)| clock - since);
    expect("clocks from the header to its range", at, Some(super::LATENCY + SOON))?;
    let mut follow = begin(model, params, Config { range_ack: false, ..config() }, 0)?;
    all(&mut follow, [2, 3, 9], 100)?;
    expect("ranges", told(&mut follow), vec![])
}

/// Clocks from a verdict to its range.
const SOON: u64 = 29;
