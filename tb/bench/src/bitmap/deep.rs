//! Gaps that get too deep: which, when, and how soon it is told.

use super::follow::{Follow, Message};
use super::situations::{PRESCALE, all, defaults, expect, packet, ranges};
use super::{Command, Header};
use rdma_rtl_golden::bitmap::{Config, DepthMode, Params, psn};
use rdma_rtl_sim::Model;
use std::collections::HashMap;

/// Depth alone makes a gap lost.
fn by_depth(depth: u32, depth_mode: DepthMode) -> Config {
    Config { depth, depth_mode, wait: 1_000_000, stall: 1_000_000, ..defaults() }
}

/// Of two gaps that wait the first is the one to watch, by its number and by its packets.
/// # Errors
/// It is told too early, too late, or not at all.
pub fn first_of_two(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for (mode, shown) in [(DepthMode::Distance, 37), (DepthMode::Arrivals, 38)] {
        let mut follow = Follow::new(model, params, by_depth(20, mode), PRESCALE)?;
        follow.run(Command::Open { qp: 0, psn: 0 })?;
        let came = (0..shown).filter(|at| ![16, 32].contains(at));
        let mut messages = all(&mut follow, came, 6)?;
        messages.extend(follow.idle(60)?);
        expect(&format!("{mode:?}: 20 later packets"), ranges(&messages), vec![])?;
        let mut messages = all(&mut follow, [shown], 6)?;
        messages.extend(follow.idle(60)?);
        expect(&format!("{mode:?}: 21"), ranges(&messages), vec![(16, 1)])?;
        let mut messages = all(&mut follow, shown + 1..shown + 15, 6)?;
        messages.extend(follow.idle(60)?);
        expect(&format!("{mode:?}: the second, 20 later packets"), ranges(&messages), vec![])?;
        let mut messages = all(&mut follow, shown + 15..=shown + 16, 6)?;
        messages.extend(follow.idle(60)?);
        expect(&format!("{mode:?}: the second, 21"), ranges(&messages), vec![(32, 1)])?;
    }
    Ok(())
}

/// Later packets are counted one by one, also in successive clocks and with those of others between them.
/// # Errors
/// One too many is needed, or too few.
pub fn later_in_a_row(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let others = params.queue_pairs > 1;
    for spacing in 1..=5 {
        for between in [false, true].into_iter().filter(|&between| others || !between) {
            let what = format!("{spacing} clocks apart, others between {between}");
            let mut follow = Follow::new(model, params, by_depth(8, DepthMode::Arrivals), PRESCALE)?;
            for qp in 0..1 + u32::from(between) {
                follow.run(Command::Open { qp, psn: 0 })?;
            }
            let send = |follow: &mut Follow, numbers: std::ops::Range<u32>| {
                let mut messages = Vec::new();
                for psn in numbers {
                    messages.extend(follow.step(packet(psn), None)?.1);
                    for at in 1..spacing {
                        let other = Header { qp: 1, psn: psn * 4 + at, ..Header::default() };
                        messages.extend(follow.step(between.then_some(other), None)?.1);
                    }
                }
                messages.extend(follow.idle(200)?);
                Ok::<_, String>(messages.into_iter().filter(|message| message.qp == 0).map(|m| (m.start, m.depth)).collect::<Vec<_>>())
            };
            expect(&format!("{what}: eight"), send(&mut follow, 1..9)?, vec![])?;
            expect(&format!("{what}: nine"), send(&mut follow, 9..10)?, vec![(0, 9)])?;
        }
    }
    Ok(())
}

/// One packet makes five gaps too deep: each is told 4 clocks after the one before.
/// # Errors
/// It takes longer.
pub fn many_at_once(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if params.records < 5 {
        return Ok(());
    }
    let mut follow = Follow::new(model, params, by_depth(20, DepthMode::Distance), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let mut messages = all(&mut follow, [1, 3, 5, 7], 8)?;
    messages.extend(follow.idle(60)?);
    expect("before", ranges(&messages), vec![])?;
    let since = follow.bench.clocks();
    let mut messages = all(&mut follow, [40], 8)?;
    messages.extend(follow.idle(400)?);
    expect("gaps", ranges(&messages), vec![(0, 1), (2, 1), (4, 1), (6, 1), (8, 32)])?;
    expect("lost", follow.counts.lost, 5)?;
    let clocks = messages.iter().map(|message| message.made + 1 - since).max().unwrap_or_default();
    if clocks > 32 + 4 * 4 {
        return Err(format!("five messages take {clocks} clocks"));
    }
    Ok(())
}

/// One packet of twelve is lost and comes again 52 later, of `spread` queue pairs in turn, a packet per clock: the most clocks from the
/// header that makes a gap too deep to its message, and how many messages there were.
/// # Errors
/// A gap is not told.
pub fn prompt(model: &mut dyn Model, params: Params, spread: u32, depth_mode: DepthMode) -> Result<(u64, u64), String> {
    let config = by_depth(6, depth_mode);
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    let first = psn::SPACE - 200;
    for qp in 0..spread {
        follow.run(Command::Open { qp, psn: first })?;
    }
    let mut order = Vec::new();
    for at in 0..3000u32 {
        if at % 12 == 9 && at > 52 {
            // 5 of the block four before.
            order.push((at - 52, true));
        }
        if at % 12 != 5 {
            order.push((at, false));
        }
    }
    let mut offered: HashMap<(u32, u32), u64> = HashMap::new();
    let (mut worst, mut told) = (0, 0);
    let mut messages = Vec::new();
    for (at, retransmission) in order {
        for qp in 0..spread {
            let number = psn::add(first, at);
            offered.entry((qp, number)).or_insert(follow.bench.clocks());
            messages.extend(follow.step(Some(Header { qp, psn: number, retransmission, ..Header::default() }), None)?.1);
        }
    }
    messages.extend(follow.idle(200)?);
    for message in messages {
        let past = psn::add(message.start, config.depth + 1);
        let Some(&since) = offered.get(&(message.qp, past)) else { return Err(format!("{message:x?} came before {past:#x}")) };
        worst = worst.max(message.made + 1 - since);
        told += 1;
    }
    Ok((worst, told))
}

/// One gap of each queue pair but the last, all open at once, each too old at a time of its own; with `loaded` packets of the last queue
/// pair meanwhile, one per clock. Returns the clocks from a gap's limit to its message, the most of all, and how many were told.
/// # Errors
/// What the bench finds.
pub fn aged(model: &mut dyn Model, params: Params, loaded: bool) -> Result<(u64, u64), String> {
    const APART: u64 = 1200;
    let many = params.queue_pairs as u32 - 1;
    let wait = many * (APART / PRESCALE) as u32 + 100;
    let config = Config { wait, stall: 1_000_000, ..defaults() };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    for qp in 0..=many {
        follow.run(Command::Open { qp, psn: 0 })?;
    }
    let (mut since, mut messages, mut next) = (Vec::new(), Vec::new(), 0);
    let clocks = u64::from(many + 2) * APART + u64::from(wait) * PRESCALE;
    for clock in 0..clocks {
        let shows = clock % APART == 0 && clock / APART < u64::from(many);
        let header = if shows {
            since.push(follow.bench.clocks());
            Some(Header { qp: since.len() as u32 - 1, psn: 1, ..Header::default() })
        } else if loaded {
            let psn = next;
            next += 1;
            Some(Header { qp: many, psn, ..Header::default() })
        } else {
            None
        };
        messages.extend(follow.step(header, None)?.1);
    }
    let late = |message: &Message| message.made.saturating_sub(since[message.qp as usize] + u64::from(wait) * PRESCALE);
    Ok((messages.iter().map(late).max().unwrap_or(u64::MAX), messages.len() as u64))
}

/// By packets, those that come late below a gap do not count for it.
/// # Errors
/// They do.
pub fn late_below(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = Follow::new(model, params, by_depth(8, DepthMode::Arrivals), PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    let mut messages = all(&mut follow, [40, 60].into_iter().chain(3..13), 8)?;
    messages.extend(follow.idle(100)?);
    expect("ten late ones", ranges(&messages), vec![(0, 3)])
}

/// What makes a look of the scan come to the records behind an event that was found after it: packets, and clocks after each.
const LOOK_BEHIND: [(u32, u64); 26] = [
    (1, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 0),
    (12, 0),
    (14, 3),
    (16, 4),
    (2, 0),
    (17, 0),
    (18, 3),
    (20, 2),
    (21, 69),
    (22, 0),
    (23, 29),
    (25, 0),
    (19, 0),
    (27, 0),
    (29, 12),
    (30, 1),
    (31, 0),
    (33, 0),
    (34, 0),
    (35, 8),
    (36, 0),
    (37, 0),
];

/// A gap that an event finds too deep, and that a look found earlier tells, is told as deep as the event knows it.
/// # Errors
/// The message says of a gap that is too deep that it is not.
pub fn look_behind_event(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { feedback_threshold: 2, feedback_wait: 0, ..by_depth(3, DepthMode::Arrivals) };
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: 0 })?;
    for (psn, idle) in LOOK_BEHIND {
        follow.step(packet(psn), None)?;
        follow.idle(idle)?;
    }
    follow.idle(300).map(|_| ())
}
