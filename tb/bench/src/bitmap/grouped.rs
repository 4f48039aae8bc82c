//! Gaps in groups of packets: when one is seen, where it begins and ends, and what splits it.

use super::follow::Follow;
use super::situations::{PRESCALE, Situation, all, defaults, expect, ranges};
use super::{Command, LATENCY};
use rdma_rtl_golden::bitmap::{Config, Params, psn};
use rdma_rtl_sim::Model;

/// All of them.
pub const ALL: &[(&str, Situation)] = &[
    ("nothing is missing", nothing),
    ("a gap is seen behind the group after it", seen),
    ("a gap covers what has arrived between its ends", covers),
    ("a complete group splits a gap", splits),
    ("the last group is complete, the one before is not", skipped),
    ("a gap that is filled while it is searched", filled_meanwhile),
    ("a base within a group", base_within),
    ("more gaps than records", folding),
    ("opened again with another phase", opened_again),
];

fn slow() -> Config {
    Config { depth: 1000, ..defaults() }
}

/// First numbers, of every phase, that wrap soon.
fn firsts(params: &Params) -> impl Iterator<Item = u32> {
    (0..params.granularity).map(|phase| psn::SPACE - 16 + phase)
}

/// Until every gap is old enough to be told.
fn ages(follow: &mut Follow, params: &Params) -> Result<Vec<(u32, u32)>, String> {
    Ok(ranges(&follow.idle((u64::from(defaults().wait) + 20) * PRESCALE + 16 * params.queue_pairs as u64)?))
}

fn open(model: &mut dyn Model, params: Params, first: u32) -> Result<Follow<'_>, String> {
    let mut follow = Follow::new(model, params, slow(), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: first })?;
    Ok(follow)
}

fn nothing(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for first in firsts(&params) {
        let mut follow = open(model, params, first)?;
        // Within their groups the packets come the wrong way round.
        all(&mut follow, (0..6 * params.granularity).map(|at| first + (at ^ 1)), 3)?;
        expect("messages", ages(&mut follow, &params)?, vec![])?;
        expect("gaps", follow.counts.gaps, 0)?;
    }
    Ok(())
}

fn seen(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for first in firsts(&params) {
        let mut follow = open(model, params, first)?;
        // One of the first group is missing, and the last of the second.
        all(&mut follow, (0..2 * group - 1).filter(|&at| at != 1).map(|at| first + at), 3)?;
        expect("before the group after it is complete", ages(&mut follow, &params)?, vec![])?;
        expect("gaps", follow.counts.gaps, 0)?;
        all(&mut follow, [first + 2 * group - 1], 1)?;
        expect("then", ages(&mut follow, &params)?, vec![(psn::add(first, 1), 1)])?;
        // Nothing is known of what comes behind the last group that is complete.
        all(&mut follow, (2 * group + 1..3 * group).map(|at| first + at), 3)?;
        expect("the end", ages(&mut follow, &params)?, vec![])?;
        all(&mut follow, [first + 1], 60)?;
        follow.settle(PRESCALE)?;
        expect("the base", follow.bench.golden.window(0).map(|window| window.base()), Some(psn::add(first, 2 * group)))?;
        expect("reports", (follow.counts.gaps, follow.counts.reports), (1, 1))?;
    }
    Ok(())
}

fn covers(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for first in firsts(&params) {
        for spacing in [1, 5, 40] {
            let mut follow = open(model, params, first)?;
            let at = |at: u32| first + at;
            // Of four groups the last is complete; of the others one packet each has arrived, and the first of all.
            all(&mut follow, [0, group + 1, 2 * group + 1].into_iter().chain(3 * group..4 * group).map(at), spacing)?;
            let whole = (psn::add(first, 1), 3 * group - 1 - u32::from(group == 2));
            expect("first to last", ages(&mut follow, &params)?, vec![whole])?;
            // It shrinks over what has arrived.
            all(&mut follow, (1..group + 1).map(at), spacing)?;
            follow.idle(LATENCY)?;
            let shorter = (psn::add(first, group + 2), whole.1 - group - 1);
            let told = follow.bench.golden.gaps(0).iter().map(|gap| (gap.start, gap.length())).collect::<Vec<_>>();
            expect("the model", told, vec![shorter])?;
            all(&mut follow, (group + 2..2 * group + 1).chain(2 * group + 2..3 * group).map(at), spacing)?;
            follow.settle(PRESCALE)?;
            expect("the base", follow.bench.golden.window(0).map(|window| window.base()), Some(psn::add(first, 4 * group)))?;
        }
    }
    Ok(())
}

fn splits(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for first in firsts(&params) {
        for spacing in [1, 5, 40] {
            let mut follow = open(model, params, first)?;
            let at = |at: u32| first + at;
            // Five groups: nothing of the second and third, all but the first of the fourth.
            all(&mut follow, (0..group - 1).chain(3 * group + 1..5 * group).map(at), spacing)?;
            // All but one of the third, in any order.
            all(&mut follow, (2 * group + 1..3 * group).rev().map(at), spacing)?;
            let length = 2 * group + 2;
            let told = ages(&mut follow, &params)?;
            expect("no group in it is complete", told, vec![(psn::add(first, group - 1), length)])?;
            all(&mut follow, [first + 2 * group], spacing)?;
            follow.idle(400)?;
            let mut expected = Follow::new(model, params, Config { refeedback: 60, ..slow() }, PRESCALE)?;
            expected.run(Command::Open { qp: 0, psn: first })?;
            let came = (0..group - 1).chain(3 * group + 1..5 * group).chain((2 * group + 1..3 * group).rev()).chain([2 * group]);
            let mut messages = all(&mut expected, came.map(at), spacing)?;
            messages.extend(expected.idle(60 * PRESCALE + 64 * params.queue_pairs as u64)?);
            let parts = vec![(psn::add(first, group - 1), group + 1), (psn::add(first, 3 * group), 1)];
            expect("split", ranges(&messages[..2.min(messages.len())]), parts)?;
        }
    }
    Ok(())
}

fn skipped(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for first in firsts(&params) {
        let mut follow = open(model, params, first)?;
        // Groups become complete from the highest down: each is a fill but the first.
        all(&mut follow, (3 * group..4 * group).map(|at| first + at), 2)?;
        all(&mut follow, (group..2 * group).map(|at| first + at), 2)?;
        let parts = vec![(first % psn::SPACE, group), (psn::add(first, 2 * group), group)];
        expect("two gaps", ages(&mut follow, &params)?, parts)?;
        all(&mut follow, (2 * group..3 * group).chain(0..group).map(|at| first + at), 1)?;
        follow.settle(PRESCALE)?;
    }
    Ok(())
}

fn filled_meanwhile(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for wait in 0..40 {
        let first = psn::SPACE - 16 + wait as u32 % group;
        let mut follow = open(model, params, first)?;
        all(&mut follow, (0..2 * group).filter(|&at| at != group - 1).map(|at| first + at), 1)?;
        follow.idle(wait)?;
        all(&mut follow, [first + group - 1], 1)?;
        // Nothing is left of it.
        all(&mut follow, (2 * group + 1..4 * group).map(|at| first + at), 1)?;
        expect("the gap after it", ages(&mut follow, &params)?, vec![(psn::add(first, 2 * group), 1)])?;
    }
    Ok(())
}

fn base_within(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for first in firsts(&params) {
        for came in 1..2 * group {
            let mut follow = open(model, params, first)?;
            all(&mut follow, (0..came).map(|at| first + at), 2)?;
            follow.idle(20)?;
            // The last packet of the window as it begins with the base's group, and the one behind it.
            let last = came / group * group + params.packets() - 1;
            all(&mut follow, [first + last, first + last + 1], 30)?;
            follow.idle(LATENCY)?;
            let window = follow.bench.golden.window(0).map(|window| (window.base(), window.max()));
            expect("base and highest number", window, Some((psn::add(first, came), psn::add(first, last))))?;
        }
    }
    Ok(())
}

fn folding(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let (group, records) = (params.granularity, params.records as u32);
    let mut follow = open(model, params, 0)?;
    // Of every second group one packet, and all of the others: four gaps more than records.
    let came = (0..records + 4).flat_map(|at| [2 * at * group].into_iter().chain((2 * at + 1) * group..(2 * at + 2) * group));
    let mut messages = ranges(&all(&mut follow, came, 12)?);
    messages.extend(ages(&mut follow, &params)?);
    expect("folded", follow.counts.folded, 4)?;
    let last = 2 * (records - 1) * group + 1;
    let expected = (0..records - 1).map(|at| (2 * at * group + 1, group - 1)).chain([(last, 9 * group - 1)]);
    expect("with more gaps than records", messages, expected.collect())?;
    all(&mut follow, (0..records + 4).flat_map(|at| 2 * at * group + 1..(2 * at + 1) * group), 60)?;
    follow.settle(PRESCALE)?;
    expect("the base", follow.bench.golden.window(0).map(|window| window.base()), Some((2 * records + 8) * group))
}

fn opened_again(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let group = params.granularity;
    for delay in [0, 1, 2, 5, 9, 13, 14, 15, 30] {
        let mut follow = open(model, params, 100)?;
        all(&mut follow, (101..100 + 2 * group).chain([130, 120, 140]), 1)?;
        follow.idle(delay)?;
        let first = 5000 + delay as u32;
        follow.run(Command::Open { qp: 0, psn: first })?;
        follow.idle(100)?;
        all(&mut follow, first + 1..first + 2 * group, 1)?;
        expect(&format!("{delay} clocks later"), ages(&mut follow, &params)?, vec![(first, 1)])?;
        follow.settle(PRESCALE)?;
    }
    Ok(())
}

/// One packet of each four groups is lost, of one queue pair, a packet per `spacing` clocks: the most clocks from the header that makes its
/// gap too deep to the message.
/// # Errors
/// A gap is not told.
pub fn prompt(model: &mut dyn Model, params: Params, spacing: u64) -> Result<(u64, u64), String> {
    let group = params.granularity;
    // Too deep by a packet behind the group after it.
    let config = Config { depth: 3 * group, wait: 1_000_000, stall: 1_000_000, ..defaults() };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    let first = psn::SPACE - 200;
    follow.run(Command::Open { qp: 0, psn: first })?;
    let mut offered = std::collections::HashMap::new();
    let mut messages = Vec::new();
    for at in 0..100 * group {
        // It comes again two turns later.
        let again = at.checked_sub(8 * group).filter(|at| at % (4 * group) == 1);
        for at in again.into_iter().chain((at % (4 * group) != 1).then_some(at)) {
            offered.entry(psn::add(first, at)).or_insert(follow.bench.clocks());
            messages.extend(all(&mut follow, [first + at], spacing)?);
        }
    }
    messages.extend(follow.idle(400)?);
    let (mut worst, mut told) = (0, 0);
    for message in messages {
        let past = psn::add(message.start, config.depth + 1);
        let Some(&since) = offered.get(&past) else { return Err(format!("{message:x?} came before {past:#x}")) };
        worst = worst.max(message.made + 1 - since);
        told += 1;
    }
    Ok((worst, told))
}
