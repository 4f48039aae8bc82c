//! More gaps than records: those that were told give way, and are told again from the bitmap.
//! `GapWalk` has no bench of its own: this one and `follow` hold every message of it to the bitmap.

use super::follow::{Follow, Message};
use super::situations::{PRESCALE, all, defaults, expect, ranges};
use super::{Command, Header};
use rdma_rtl_golden::bitmap::{Config, Params, psn};
use rdma_rtl_sim::Model;

/// Gaps of one packet that are open at once.
const MANY: u32 = 40;

/// Ticks after which those without a record are told again.
const AGAIN: u32 = 600;

/// Depth alone makes a gap lost, three packets of it.
fn config() -> Config {
    Config { depth: 3, wait: 1_000_000, stall: 1_000_000, refeedback: 4 * AGAIN, ..defaults() }
}

fn again(psn: u32) -> Option<Header> {
    Some(Header { psn: psn % psn::SPACE, retransmission: true, ..Header::default() })
}

/// Every other packet of queue pair 0 from `first` on is missing, as far as that makes `MANY`: each is told once and alone.
fn open_gaps(follow: &mut Follow, first: u32) -> Result<(), String> {
    follow.run(Command::Open { qp: 0, psn: first })?;
    let numbers = (0..MANY).map(|at| 2 * at + 1).chain(2 * MANY..2 * MANY + 4).map(|at| psn::add(first, at));
    let mut messages = all(follow, numbers, 40)?;
    messages.extend(follow.idle(100)?);
    let expected: Vec<(u32, u32)> = (0..MANY).map(|at| (psn::add(first, 2 * at), 1)).collect();
    expect("every gap once", ranges(&messages), expected)
}

/// Clocks between two walks.
fn round() -> u64 {
    u64::from(AGAIN + 1) * PRESCALE
}

/// Clocks from the last gap to the end of the first walk: the first of its gaps was told long before.
fn first_round(follow: &Follow) -> u64 {
    let params = follow.bench.golden.params();
    round() - 1000 + 30 * u64::from(MANY) + 16 * params.queue_pairs as u64 + 12 * u64::from(params.segments())
}

/// First packets, from `first` on, of those that are told again.
fn repeats(messages: &[Message], first: u32) -> Result<Vec<u32>, String> {
    if let Some(message) = messages.iter().find(|message| message.length != 1 || message.status != 4) {
        return Err(format!("told again is one packet each: {message:x?}"));
    }
    let mut numbers: Vec<u32> = messages.iter().map(|message| psn::ahead(first, message.start)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn spilled(follow: &Follow, params: Params) -> Result<u32, String> {
    let spilled = MANY - params.records as u32;
    expect("records that were missing", follow.counts.folded, 0)?;
    expect("records that have given way", follow.counts.spilled, spilled.into())?;
    Ok(spilled)
}

/// 40 gaps with 8 records, also past the end of the numbers.
/// # Errors
/// One is not told, not told again, or told with what has arrived.
pub fn told_once(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for first in [0, psn::SPACE - 50].into_iter().filter(|_| params.tells()) {
        let mut follow = Follow::new(model, params, config(), PRESCALE)?;
        open_gaps(&mut follow, first)?;
        let spilled = spilled(&follow, params)?;
        for turn in 1..=3 {
            let clocks = if turn == 1 { first_round(&follow) } else { round() };
            let messages = follow.idle(clocks)?;
            let expected: Vec<u32> = (0..spilled).map(|at| 2 * at).collect();
            expect(&format!("told again, {turn}"), repeats(&messages, first)?, expected)?;
            expect("by walks", follow.counts.walked, u64::from(spilled) * turn)?;
            expect("walks", follow.counts.walks, turn)?;
        }
    }
    Ok(())
}

/// Packets of it arrive, sent again or only late.
/// # Errors
/// They are told again, or are no misjudgements.
pub fn filled(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if !params.tells() {
        return Ok(());
    }
    let mut follow = Follow::new(model, params, config(), PRESCALE)?;
    let first = psn::SPACE - 31;
    open_gaps(&mut follow, first)?;
    spilled(&follow, params)?;
    for at in [0, 2, 20, 40] {
        follow.step(again(first + at), None)?;
        follow.idle(40)?;
    }
    expect("misjudgements of what was sent again", follow.counts.misjudged, 0)?;
    all(&mut follow, [6, 60, 62].map(|at| first + at), 40)?;
    expect("misjudgements of what was late", follow.counts.misjudged, 3)?;
    let clocks = first_round(&follow);
    let messages = follow.idle(clocks)?;
    let expected: Vec<u32> =
        (0..MANY - params.records as u32).map(|at| 2 * at).filter(|at| ![0, 2, 6, 20, 40, 60, 62].contains(at)).collect();
    expect("told again is the rest", repeats(&messages, first)?, expected)
}

/// A gap of more than a segment.
/// # Errors
/// What is told again is not what is missing.
pub fn over_segments(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if !params.tells() || params.segment > 64 {
        return Ok(());
    }
    let mut follow = Follow::new(model, params, config(), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let (records, edge) = (params.records as u32, params.segment);
    let behind = edge + 16;
    let mut messages = all(&mut follow, (0..10).chain([behind + 1]).chain((1..=records).map(|at| behind + 1 + 2 * at)), 60)?;
    messages.extend(all(&mut follow, (1..8).map(|at| behind + 1 + 2 * records + at), 40)?);
    let gaps = (1..=records).map(|at| (behind + 2 * at, 1));
    expect("told", ranges(&messages), [(10, behind - 9)].into_iter().chain(gaps).collect())?;
    expect("records that have given way", follow.counts.spilled, 1)?;
    // Its first packet, one in its middle, its last.
    for at in [10, 30, behind] {
        follow.step(again(at), None)?;
        follow.idle(40)?;
    }
    let clocks = first_round(&follow);
    let mut again = ranges(&follow.idle(clocks)?);
    again.sort_unstable();
    let expected = vec![(11, 19), (31, edge - 31), (edge, 16)];
    expect("told again", again, expected)
}

/// Nothing stalls before its end, and from then on what is at the base does.
/// # Errors
/// It does not, or before.
pub fn ends(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if !params.tells() {
        return Ok(());
    }
    let mut follow = Follow::new(model, params, Config { stall: 80, refeedback: 1_000_000, ..config() }, PRESCALE)?;
    open_gaps(&mut follow, 0)?;
    let spilled = spilled(&follow, params)?;
    // The first record is one that waits, above packets that have none.
    for at in spilled..MANY {
        follow.step(again(2 * at), None)?;
        follow.idle(20)?;
    }
    all(&mut follow, [2 * MANY + 5], 20)?;
    expect("no stall", ranges(&follow.idle(200 * PRESCALE)?), vec![])?;
    for at in 0..spilled {
        follow.step(again(2 * at), None)?;
        follow.idle(20)?;
    }
    expect("no stall yet", ranges(&follow.idle(70 * PRESCALE)?), vec![])?;
    let messages = follow.idle(20 * PRESCALE + 16 * params.queue_pairs as u64)?;
    let told: Vec<(u32, u32, u32)> = messages.iter().map(|message| (message.start, message.length, message.status)).collect();
    expect("a stall", told, vec![(2 * MANY + 4, 1, 2)])
}

/// The wire takes nothing while there is a walk, and its queue pair is closed or opened again.
/// # Errors
/// The new life hears of the old one.
pub fn closed(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for walking in [true, false].into_iter().filter(|_| params.tells()) {
        let mut follow = Follow::new(model, params, config(), PRESCALE)?;
        open_gaps(&mut follow, 0)?;
        if walking {
            follow.wire = 0;
            let clocks = first_round(&follow);
            follow.idle(clocks)?;
            expect("messages that wait are less than all", follow.counts.walked < u64::from(MANY) / 2, true)?;
        }
        follow.run(Command::Open { qp: 0, psn: 0 })?;
        follow.wire = 100;
        let walked = follow.counts.walked;
        all(&mut follow, 0..4, 40)?;
        let clocks = 2 * round();
        follow.idle(clocks)?;
        expect("told of the old life", follow.counts.walked - walked, 0)?;
    }
    Ok(())
}

/// The wire takes nothing while there is a walk: what arrives meanwhile is not asked for, nor what takes its places in the window.
/// # Errors
/// It is, or other gaps are not seen meanwhile.
pub fn held(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if !params.tells() {
        return Ok(());
    }
    let mut follow = Follow::new(model, params, config(), PRESCALE)?;
    open_gaps(&mut follow, 0)?;
    let spilled = spilled(&follow, params)?;
    follow.wire = 0;
    let clocks = first_round(&follow);
    follow.idle(clocks)?;
    let gaps = follow.counts.gaps;
    for at in 0..spilled / 2 {
        follow.step(again(2 * at), None)?;
        follow.idle(20)?;
    }
    all(&mut follow, (0..spilled - 2).filter(|at| at % 3 != 2).map(|at| params.packets() + at), 20)?;
    follow.idle(200)?;
    if follow.counts.gaps < gaps + 5 {
        return Err(format!("{} gaps seen while a walk waits", follow.counts.gaps - gaps));
    }
    follow.wire = 100;
    let clocks = first_round(&follow);
    follow.idle(clocks).map(|_| ())
}
