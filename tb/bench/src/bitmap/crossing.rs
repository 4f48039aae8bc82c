//! Gaps over several paths: crossed ones are given more, overtaken ones are told early, statistics of each path.

use super::follow::{Follow, Message};
use super::situations::{PRESCALE, Situation, defaults, expect, ranges};
use super::{Command, Header};
use rdma_rtl_golden::bitmap::{Cause, Config, DepthMode, Params, PathMode, PathStatistics, psn};
use rdma_rtl_sim::Model;

/// All of them; for blocks with four paths or more.
pub const ALL: &[(&str, Situation)] = &[
    ("reordering across paths is given more", crossed),
    ("a gap that its own path has passed", overtaken),
    ("a gap of several stripes waits for all of their paths", covered),
    ("tagged, every active path has to pass", tagged),
    ("a path that is not active does not hold a gap", inactive),
    ("a path that was active when the gap was seen does", active_then),
    ("without path ids", without),
    ("not crossed any more", uncrossed),
    ("the second gap is too deep before the first", second_first),
    ("numbers that a path had in another life", another_life),
    ("numbers in disorder, one and three clocks apart", disorder),
    ("a stall of a crossed gap", stalled),
    ("what is counted of each path", statistics),
];

/// Depth alone, or paths, make a gap lost.
fn by_paths() -> Config {
    Config { wait: 1_000_000, stall: 1_000_000, ..defaults() }
}

fn start<'a>(model: &'a mut dyn Model, params: Params, config: Config, mode: PathMode, first: u32) -> Result<Follow<'a>, String> {
    let mut follow = Follow::new(model, params, config, PRESCALE)?;
    follow.bench.modes = vec![mode];
    follow.run(Command::Open { qp: 0, psn: first })?;
    Ok(follow)
}

/// Packets with the paths that they say, one every `spacing` clocks, and the messages until the scan has come round.
fn send(follow: &mut Follow, packets: impl IntoIterator<Item = (u32, u8)>, spacing: u64) -> Result<Vec<Message>, String> {
    let mut messages = Vec::new();
    for (psn, path) in packets {
        messages.extend(follow.step(Some(Header { psn: psn % psn::SPACE, path, ..Header::default() }), None)?.1);
        messages.extend(follow.idle(spacing - 1)?);
    }
    let queue_pairs = follow.bench.golden.params().queue_pairs as u64;
    messages.extend(follow.idle(60 + 16 * queue_pairs)?);
    Ok(messages)
}

fn told(messages: &[Message]) -> Vec<(u32, u32, u32, u32)> {
    messages.iter().map(|m| (m.start, m.length, m.status, m.path)).collect()
}

fn crossed(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let paths = u32::from(params.paths);
    for mode in [DepthMode::Distance, DepthMode::Arrivals] {
        let config = Config { depth_mode: mode, ..by_paths() };
        let mut follow = start(model, params, config, PathMode::Striped, 1000 * paths)?;
        // Nothing comes over path 0. Three of four packets are later ones, if those count.
        let first = 1000 * paths;
        let later: Vec<u32> = (1..).filter(|at| at % paths != 0).take(40).collect();
        let deep = later.iter().position(|&at| match mode {
            DepthMode::Distance => at > 4 * 8,
            DepthMode::Arrivals => later.iter().filter(|&&other| other <= at).count() > 4 * 8,
        });
        let deep = deep.ok_or("a window that is too short")?;
        let messages = send(&mut follow, later[..deep].iter().map(|at| (first + at, 0)), 6)?;
        expect(&format!("{mode:?}: as deep as a crossed gap may be"), ranges(&messages), vec![])?;
        let messages = send(&mut follow, [(first + later[deep], 0)], 6)?;
        expect(&format!("{mode:?}: deeper"), told(&messages), vec![(first, 1, Cause::Depth as u32, 0)])?;
    }
    // The packet behind it is on its path.
    let mut follow = start(model, params, Config { stripe: 16, ..by_paths() }, PathMode::Striped, 1600)?;
    let messages = send(&mut follow, [1600, 1601, 1602].into_iter().chain(1604..1612).map(|at| (at, 0)), 6)?;
    expect("a gap that is not crossed, overtaken", told(&messages), vec![(1603, 1, Cause::Overtaken as u32, (1600 / 16 % paths))])?;
    let mut follow = start(model, params, Config { stripe: 16, overtake: 4, depth: 2, ..by_paths() }, PathMode::Striped, 1600)?;
    let messages = send(&mut follow, [1601, 1602].map(|at| (at, 0)), 6)?;
    expect("a gap that is not crossed, not too deep", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(1603, 0)], 6)?;
    expect("a gap that is not crossed, too deep", ranges(&messages), vec![(1600, 1)])
}

fn overtaken(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let paths = u32::from(params.paths);
    for overtake in 1..=4 {
        for first in [0, psn::SPACE - 2 * paths] {
            let mut follow = start(model, params, Config { overtake, depth: 100, ..by_paths() }, PathMode::Striped, first)?;
            let came = (1..paths * overtake).map(|at| (first + at, 0));
            let messages = send(&mut follow, came, 1)?;
            expect(&format!("{} later packets of its path", overtake - 1), ranges(&messages), vec![])?;
            let messages = send(&mut follow, [(first + paths * overtake, 0)], 1)?;
            expect(&format!("{overtake}"), told(&messages), vec![(first, 1, Cause::Overtaken as u32, 0)])?;
        }
    }
    Ok(())
}

fn covered(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let paths = u32::from(params.paths);
    let config = Config { overtake: 2, depth: 100, stripe: 4, ..by_paths() };
    // From the middle of the stripe of path 1 to that of path 2: both have to pass.
    let mut follow = start(model, params, config, PathMode::Striped, 0)?;
    let round = 4 * paths;
    let came = (0..6).chain(10..round + 8).filter(|&at| at < 12 || at >= round || at / 4 % paths > 2);
    let messages = send(&mut follow, came.map(|at| (at, 0)), 6)?;
    expect("of two paths", told(&messages), vec![(6, 4, Cause::Overtaken as u32, 1)])?;
    // As many packets as all paths but one have in turn, and one more: all paths.
    let mut follow = start(model, params, config, PathMode::Striped, 0)?;
    let long = 4 * (paths - 1) + 1;
    let next = long + 1;
    let enough = 2 * round - 7;
    let messages = send(&mut follow, [0].into_iter().chain(next..enough).map(|at| (at, 0)), 6)?;
    expect("one path has one later packet", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(enough, 0)], 6)?;
    expect("all paths have two", told(&messages), vec![(1, long, Cause::Overtaken as u32, 0)])?;
    // From a path round to the same one: that alone is not enough.
    let mut follow = start(model, params, config, PathMode::Striped, 0)?;
    let messages = send(&mut follow, (0..3).chain(round + 1..round + 4).map(|at| (at, 0)), 6)?;
    expect("round to the same path", ranges(&messages), vec![])
}

fn tagged(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for (a, b) in [(0, 1), (params.paths - 1, 1)] {
        let mut follow = start(model, params, Config { path_idle: 1_000_000, ..by_paths() }, PathMode::Tagged, 0)?;
        let came = [(0, a), (1, b), (3, a), (4, a), (5, a), (6, a), (7, b), (8, b), (9, a), (10, a), (11, a), (12, a)];
        let messages = send(&mut follow, came, 2)?;
        expect("one path has two later packets", ranges(&messages), vec![])?;
        let messages = send(&mut follow, [(13, b)], 2)?;
        expect("all active paths have passed", told(&messages), vec![(2, 1, Cause::Overtaken as u32, a.into())])?;
    }
    Ok(())
}

fn inactive(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, Config { path_idle: 30, ..by_paths() }, PathMode::Tagged, 0)?;
    let messages = send(&mut follow, [(0, 1), (1, 0)], 2)?;
    expect("no gap", ranges(&messages), vec![])?;
    follow.idle(32 * PRESCALE)?;
    let messages = send(&mut follow, [(3, 0), (4, 0)], 2)?;
    expect("two later packets", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(5, 0)], 2)?;
    expect("of the only path", told(&messages), vec![(2, 1, Cause::Overtaken as u32, 0)])
}

fn active_then(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, Config { path_idle: 30, ..by_paths() }, PathMode::Tagged, 0)?;
    let mut messages = send(&mut follow, [(0, 1), (1, 0), (3, 0)], 2)?;
    messages.extend(follow.idle(40 * PRESCALE)?);
    messages.extend(send(&mut follow, (4..32).map(|at| (at, 0)), 2)?);
    expect("path 1 may still bring it", ranges(&messages), vec![])?;
    // It has been split since, and the part above goes on with what the whole had.
    let mut follow = start(model, params, Config { path_idle: 30, ..by_paths() }, PathMode::Tagged, 0)?;
    let mut messages = send(&mut follow, [(0, 1), (1, 0), (9, 0)], 2)?;
    messages.extend(follow.idle(40 * PRESCALE)?);
    messages.extend(send(&mut follow, [(4, 0), (10, 0), (11, 0), (12, 0), (13, 0)], 2)?);
    expect("nor parts of it", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(14, 1), (15, 1), (16, 1)], 2)?;
    expect("until it has passed", ranges(&messages), vec![(2, 2), (5, 4)])
}

fn without(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, by_paths(), PathMode::Off, 1000)?;
    let messages = send(&mut follow, (1001..1009).map(|at| (at, at as u8 % 16)), 6)?;
    expect("as deep as a gap may be", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(1009, 0)], 6)?;
    expect("deeper", told(&messages), vec![(1000, 1, Cause::Depth as u32, 1001 % u32::from(params.paths))])
}

fn uncrossed(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, Config { path_idle: 60, overtake: 4, depth: 4, ..by_paths() }, PathMode::Tagged, 0)?;
    let messages = send(&mut follow, [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)], 2)?;
    expect("two paths are active", ranges(&messages), vec![])?;
    // Path 0 was active when it was seen, path 1 was not.
    let early = follow.idle(40 * PRESCALE)?;
    expect("still", ranges(&early), vec![])?;
    let messages = follow.idle(30 * PRESCALE + 32 * params.queue_pairs as u64)?;
    expect("one is left", told(&messages), vec![(0, 1, Cause::Depth as u32, 0)])?;
    // The same of its age.
    let config = Config { path_idle: 60, overtake: 4, depth: 100, wait: 50, relax: 16, ..by_paths() };
    let mut follow = start(model, params, config, PathMode::Tagged, 0)?;
    let messages = send(&mut follow, [(1, 0), (2, 1)], 2)?;
    expect("neither is old", ranges(&messages), vec![])?;
    let messages = follow.idle(57 * PRESCALE - 60 - 16 * params.queue_pairs as u64)?;
    expect("older than one path allows", ranges(&messages), vec![])?;
    let messages = follow.idle(10 * PRESCALE + 32 * params.queue_pairs as u64)?;
    expect("one path is left", told(&messages), vec![(0, 1, Cause::Age as u32, 0)])
}

fn second_first(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, Config { stripe: 4, overtake: 4, relax: 16, ..by_paths() }, PathMode::Striped, 0)?;
    let came = (0..18).filter(|at| ![3, 9].contains(at));
    let messages = send(&mut follow, came.map(|at| (at, 0)), 6)?;
    expect("neither", ranges(&messages), vec![])?;
    let mut messages = follow.step(Some(Header { psn: 18, ..Header::default() }), None)?.1.into_iter().collect::<Vec<_>>();
    messages.extend(follow.idle(32)?);
    expect("the second, within 32 clocks", told(&messages), vec![(9, 1, Cause::Depth as u32, 2)])
}

fn another_life(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut follow = start(model, params, Config { path_idle: 1_000_000, ..by_paths() }, PathMode::Tagged, 5000)?;
    send(&mut follow, (5000..5090).map(|at| (at, at as u8 & 1)), 1)?;
    // Path 0 alone is active then.
    follow.run(Command::Open { qp: 0, psn: 5000 })?;
    let messages = send(&mut follow, [(5001, 0), (5002, 0)], 1)?;
    expect("two later packets", ranges(&messages), vec![])?;
    let messages = send(&mut follow, [(5003, 0)], 1)?;
    expect("three", told(&messages), vec![(5000, 1, Cause::Overtaken as u32, 0)])
}

fn disorder(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { path_idle: 1_000_000, overtake: 4, depth: 1000, ..by_paths() };
    for spacing in 1..=5 {
        // The fourth highest number of the path is not that of the fourth packet.
        let mut follow = start(model, params, config, PathMode::Tagged, 0)?;
        let messages = send(&mut follow, [(20, 0), (9, 0), (15, 0), (5, 0)], spacing)?;
        expect(&format!("{spacing} clocks apart, four above the first"), ranges(&messages), vec![(0, 5)])?;
        let messages = send(&mut follow, [(6, 0), (7, 0)], spacing)?;
        expect("three above the last", ranges(&messages), vec![])?;
        let messages = send(&mut follow, [(16, 0), (10, 0)], spacing)?;
        expect("more above", ranges(&messages), vec![(8, 1)])?;
        let messages = send(&mut follow, [(21, 0), (22, 0)], spacing)?;
        expect("four above", ranges(&messages), vec![(11, 4)])?;
    }
    Ok(())
}

fn stalled(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let scan = (16 * params.queue_pairs as u64 + 60) / PRESCALE + 2;
    let config = Config { wait: 1_000_000, depth: 100, stall: 30, relax: 3, path_idle: 1_000_000, ..defaults() };
    let mut follow = start(model, params, config, PathMode::Striped, 0)?;
    let mut messages = send(&mut follow, [(1, 0)], 1)?;
    messages.extend(follow.idle((89 - scan) * PRESCALE)?);
    expect("a stall that is allowed to it", ranges(&messages), vec![])?;
    let messages = follow.idle((scan + 4) * PRESCALE + 32 * params.queue_pairs as u64)?;
    expect("one that is not", told(&messages), vec![(0, 1, Cause::Stall as u32, 0)])
}

fn statistics(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for mode in [PathMode::Off, PathMode::Striped, PathMode::Tagged] {
        let mut follow = start(model, params, Config { path_idle: 1_000_000, stripe: 2, depth: 3, relax: 1, ..by_paths() }, mode, 0)?;
        let late = [3, 4, 9, 20, 21, 30];
        for at in (0..40).filter(|at| !late.contains(at)) {
            send(&mut follow, [(at, (at * 7 % 5) as u8)], 1)?;
        }
        // Each has been told: that they come is a misjudgement. Some are duplicates, far below and above the base.
        send(&mut follow, [(3, 2), (9, 1), (21, 3), (20, 3), (9, 0), (0, 3), (39, 3), (500, 1)], 9)?;
        let golden: Vec<PathStatistics> = follow.bench.golden.path_statistics(0).to_vec();
        expect(&format!("{mode:?}"), follow.on_paths.clone(), golden.clone())?;
        let all = golden.iter().map(|path| (path.gaps, path.losses, path.misjudged, path.duplicates));
        let sum = all.fold([0; 4], |sum, path| [sum[0] + path.0, sum[1] + path.1, sum[2] + path.2, sum[3] + path.3]);
        expect(&format!("{mode:?}, of all paths"), sum, [4, 4, 4, 3])?;
    }
    Ok(())
}
