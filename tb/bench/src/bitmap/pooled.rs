//! Windows of variable length: the model's end where those of the hardware do, and those are held to the rules.

use super::directed::Situation;
use super::{Bench, Command, Event, Header, LATENCY};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::{Params, Verdict, psn};
use rdma_rtl_sim::Model;
use std::collections::{HashMap, VecDeque};

/// Clocks for which an edge may still move as registers have said.
const REGISTERS: u64 = 16;

/// What windows have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// edges that have moved
    pub moved: u64,
    pub exhausted: u64,
    pub shrunk: u64,
    pub refused: u64,
    /// segments of the longest and of the shortest window
    pub longest: u32,
    /// clocks with an empty pool
    pub empty: u64,
    pub changes: u64,
}

/// What the bench knows of the pool.
#[derive(Clone, Debug)]
pub struct Pool {
    pub segments: u64,
    /// clocks that a command may take longer
    pub longest_command: u32,
    /// of a window at most
    most: u32,
    /// segment before which the window of a queue pair ends; now, and for packets that have their verdicts
    told: HashMap<u32, u32>,
    edges: HashMap<u32, u32>,
    /// segments that a queue pair may have been given, with the clock from which on
    wanted: VecDeque<(u64, u32)>,
    pub seen: Seen,
}

impl Pool {
    /// That of a design, if it has one.
    pub(super) fn of(model: &dyn Model, params: &Params, ports: &mut HashMap<&'static str, usize>) -> Option<Pool> {
        model.port("edge_valid")?;
        for name in ["length", "limit", "command_refused", "edge_valid", "edge_qp", "edge_segment", "free", "evt_exhausted", "evt_shrunk"] {
            ports.insert(name, model.port(name)?);
        }
        let most = params.segments();
        Some(Pool {
            segments: params.pool.into(),
            longest_command: 400 + 8 * most,
            most,
            told: HashMap::new(),
            edges: HashMap::new(),
            wanted: VecDeque::from([(0, 1)]),
            seen: Seen::default(),
        })
    }

    fn wanted(&self) -> u32 {
        self.wanted.back().map_or(1, |&(_, wanted)| wanted)
    }
}

impl Bench<'_> {
    /// Windows are to have `length` segments beyond that of their base, and no queue pair more than `limit`, 0: any number.
    pub fn lengths(&mut self, length: u32, limit: u32) {
        self.set("length", length.into());
        self.set("limit", limit.into());
        let now = self.clocks;
        if let Some(pool) = &mut self.pool {
            let wanted = (length + 1).min(pool.most).min(if limit == 0 { u32::MAX } else { limit });
            pool.wanted.push_back((now, wanted));
            pool.seen.changes += 1;
        }
    }

    /// Other lengths, of a design that has a pool.
    pub(super) fn change(&mut self, rng: &mut ChaCha8Rng) {
        if let Some(pool) = &self.pool {
            let most = pool.most;
            let length = if rng.random_range(0..4) == 0 { rng.random_range(0..most + 3) } else { rng.random_range(0..most.min(4)) };
            let limit = if rng.random_range(0..3) == 0 { rng.random_range(1..most + 1) } else { 0 };
            self.lengths(length, limit);
        }
    }

    /// Segment of the base as the model has it.
    fn base_segment(&self, qp: u32) -> Option<u32> {
        Some(self.golden.window(qp)?.base() / self.golden.params().segment)
    }

    fn held(&self, qp: u32, edge: u32) -> Option<u32> {
        let segments = psn::SPACE / self.golden.params().segment;
        Some((edge + segments - self.base_segment(qp)?) % segments)
    }

    /// An edge moves by one segment, and only for a window that is to be so long.
    pub(super) fn edge(&mut self) -> Result<(), String> {
        if self.pool.is_none() {
            return Ok(());
        }
        let (now, qp, edge) = (self.clocks, self.get("edge_qp") as u32, self.get("edge_segment") as u32);
        let (valid, free, exhausted, shrunk) =
            (self.get("edge_valid"), self.get("free"), self.get("evt_exhausted"), self.get("evt_shrunk"));
        let commanded = self.command.map(|command| command.qp());
        let held = self.held(qp, edge).filter(|_| commanded != Some(qp));
        let segments = psn::SPACE / self.golden.params().segment;
        let Some(pool) = &mut self.pool else { return Ok(()) };
        pool.seen.exhausted += exhausted;
        pool.seen.shrunk += shrunk;
        pool.seen.empty += u64::from(free == 0);
        while pool.wanted.len() > 1 && pool.wanted[1].0 + REGISTERS < now {
            pool.wanted.pop_front();
        }
        if free > pool.segments {
            return Err(format!("{free} free segments of {}", pool.segments));
        }
        if valid == 0 {
            return Ok(());
        }
        pool.seen.moved += 1;
        if let Some(held) = held {
            let most = pool.wanted.iter().map(|&(_, wanted)| wanted).max().unwrap_or(1);
            if held > most {
                return Err(format!("the window of queue pair {qp} is to have {most} segments, and is given a {held}th"));
            }
            let before = pool.told.get(&qp);
            if before.is_none_or(|&before| (before + 1) % segments != edge) {
                return Err(format!("the edge of queue pair {qp} goes from segment {before:x?} to {edge:#x}"));
            }
            pool.seen.longest = pool.seen.longest.max(held);
        }
        pool.told.insert(qp, edge);
        self.events.push_back((now, Event::Edge(qp, edge)));
        Ok(())
    }

    /// The command that has been carried out has opened nothing.
    pub(super) fn refused(&mut self) -> Result<bool, String> {
        if self.pool.is_none() || self.get("command_refused") == 0 {
            return Ok(false);
        }
        let free = self.get("free");
        if let Some(pool) = &mut self.pool {
            pool.seen.refused += 1;
        }
        if !matches!(self.command, Some(super::Command::Open { .. })) {
            return Err(format!("{:?} is refused with {free} free segments", self.command));
        }
        Ok(true)
    }

    /// The edge counts for the packets that follow.
    pub(super) fn ends_at(&mut self, qp: u32, segment: u32) {
        if let Some(pool) = &mut self.pool {
            pool.edges.insert(qp, segment);
        }
        self.ends(qp);
    }

    /// The model's window ends where that of the hardware does.
    pub(super) fn ends(&mut self, qp: u32) {
        if let Some(&edge) = self.pool.as_ref().and_then(|pool| pool.edges.get(&qp)) {
            self.golden.end_at(qp, edge * self.golden.params().segment);
        }
    }

    /// When nothing is under way every segment is free or in a window, and no window is shorter than it is to be while one is free.
    pub(super) fn settled(&mut self) -> Result<(), String> {
        let Some(pool) = &self.pool else { return Ok(()) };
        let (free, wanted) = (self.get("free"), pool.wanted());
        let mut held = free;
        for qp in self.golden.open_queue_pairs() {
            let edge = pool.edges.get(&qp).ok_or_else(|| format!("queue pair {qp} has no edge"))?;
            let segments = self.held(qp, *edge).unwrap_or(0);
            held += u64::from(segments);
            if segments == 0 || segments < wanted && free > 0 {
                return Err(format!("the window of queue pair {qp} has {segments} segments, is to have {wanted}, and {free} are free"));
            }
        }
        if held != pool.segments {
            return Err(format!("{held} segments are free or in a window, of {}; {free} are free", pool.segments));
        }
        Ok(())
    }
}

/// All situations of a design with a pool of at least two segments per queue pair, and less than all windows could have.
pub const ALL: &[(&str, Situation)] = &[
    ("grows at once", grows),
    ("shrinks as it advances", shrinks),
    ("a pool that is empty, and filled again", empties),
    ("moves on while every clock has a header", under_load),
    ("many rounds of the longest window", rounds),
];

fn at(qp: u32, psn: u32) -> Option<Header> {
    Some(Header { qp, psn: psn % psn::SPACE, ..Header::default() })
}

impl Bench<'_> {
    fn edge_of(&self, qp: u32) -> Result<u32, String> {
        let edge = self.pool.as_ref().and_then(|pool| pool.told.get(&qp));
        edge.map(|edge| edge * self.golden.params().segment).ok_or_else(|| format!("queue pair {qp} has no edge"))
    }

    /// The verdict on one packet, when nothing else is under way.
    fn one(&mut self, qp: u32, psn: u32) -> Result<Verdict, String> {
        self.step(at(qp, psn), None)?;
        let seen = self.idle(LATENCY)?;
        seen.iter().find_map(|seen| seen.verdict).map(|(_, verdict)| verdict).ok_or_else(|| "no verdict".into())
    }
}

/// A window that is to be longer is so within the clocks of one round over all queue pairs and of its own segments.
fn grows(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let (most, segment) = (params.segments(), params.segment);
    let mut bench = Bench::new(model, params)?;
    bench.lengths(1, 0);
    for first in [5, psn::SPACE - 3] {
        bench.run(Command::Open { qp: 0, psn: first })?;
        let begins = first / segment * segment;
        let expect = |what: &str, found: u32, segments: u32| match psn::ahead(begins, found) == segments * segment {
            true => Ok(()),
            false => Err(format!("{what}: the edge is {found:#x}, {segments} segments from {begins:#x} were to be")),
        };
        expect("opened", bench.edge_of(0)?, 2)?;
        bench.idle(LATENCY + 1)?;
        if (bench.one(0, first + 2 * segment)?, bench.one(0, begins + 2 * segment - 1)?) != (Verdict::OutOfWindow, Verdict::New) {
            return Err("the window does not end at its edge".into());
        }
        bench.lengths(most - 1, 0);
        let mut clocks = 0;
        while psn::ahead(begins, bench.edge_of(0)?) < most * segment {
            bench.step(None, None)?;
            clocks += 1;
            if clocks > 8 * u64::from(params.queue_pairs as u32) + 4 * u64::from(most) {
                return Err(format!("after {clocks} clocks the edge is {:#x}", bench.edge_of(0)?));
            }
        }
        bench.lengths(most + 3, 0);
        bench.idle(40 + 8 * params.queue_pairs as u64)?;
        expect("longer than the longest", bench.edge_of(0)?, most)?;
        if (bench.one(0, begins + most * segment - 1)?, bench.one(0, begins + most * segment)?) != (Verdict::New, Verdict::OutOfWindow) {
            return Err("the longest window does not end at its edge".into());
        }
        bench.lengths(1, 0);
        bench.run(Command::Close { qp: 0 })?;
        bench.settle()?;
    }
    Ok(())
}

/// A window that is to be shorter keeps its edge until its base comes near, and gives its segments back one by one.
fn shrinks(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let (most, segment) = (params.segments(), params.segment);
    let mut bench = Bench::new(model, params)?;
    bench.lengths(most - 1, 0);
    bench.run(Command::Open { qp: 0, psn: 0 })?;
    bench.idle(40)?;
    let edge = bench.edge_of(0)?;
    bench.lengths(1, 0);
    for number in 0..(most - 2) * segment {
        bench.step(at(0, number), None)?;
        if bench.edge_of(0)? != edge {
            return Err(format!("at packet {number} the edge is {:#x}, was {edge:#x}", bench.edge_of(0)?));
        }
    }
    bench.settle()?;
    let free = u64::from(params.pool) - 2;
    if bench.get("free") != free {
        return Err(format!("{} segments are free, not {free}", bench.get("free")));
    }
    for number in (most - 2) * segment..4 * most * segment {
        bench.step(at(0, number), None)?;
    }
    bench.settle()
}

/// With every segment in a window none grows and none is opened; each goes on with what it has, and takes what another one gives back.
fn empties(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let (most, segment, many) = (params.segments(), params.segment, params.queue_pairs as u32);
    let mut bench = Bench::new(model, params)?;
    bench.lengths(most - 1, 0);
    let full = params.pool / most;
    if full + 1 >= many {
        return Err(format!("{} segments are enough for all", params.pool));
    }
    for qp in 0..full {
        bench.run(Command::Open { qp, psn: 1000 * qp })?;
    }
    if bench.get("free") != 0 {
        return Err(format!("{} segments are free", bench.get("free")));
    }
    bench.run(Command::Open { qp: full, psn: 0 })?;
    bench.idle(LATENCY + 1)?;
    if bench.one(full, 0)? != Verdict::UnknownQp {
        return Err("a queue pair is opened without a segment".into());
    }
    // What is dirty comes back clean.
    for number in 0..most * segment - 1 {
        bench.step(at(0, number * 7 % (most * segment - 1) + 1), None)?;
    }
    bench.lengths(1, 0);
    bench.run(Command::Close { qp: 0 })?;
    for qp in [0, full] {
        bench.run(Command::Open { qp, psn: 3 * segment })?;
    }
    bench.lengths(most - 1, 0);
    bench.idle(60 + 8 * u64::from(many) + 8 * u64::from(most))?;
    for number in 3 * segment..40 * segment {
        for qp in [0, full] {
            bench.step(at(qp, number), None)?;
        }
    }
    bench.settle()
}

/// Packets that a window is longer than a segment, so that a sender with a header in every clock never comes to its end.
const AHEAD: u32 = 64;

/// A header in every clock, of packets in order: none comes to the end of its window, though no clock is left for clearing.
fn under_load(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for queue_pairs in [1, 3, 6] {
        let mut bench = Bench::new(model, params)?;
        bench.lengths(AHEAD / params.segment, 0);
        for qp in 0..queue_pairs {
            bench.run(Command::Open { qp, psn: psn::SPACE - 40 })?;
        }
        for number in 0..(20_000 / queue_pairs) {
            for qp in 0..queue_pairs {
                bench.step(at(qp, psn::SPACE - 40 + number), None)?;
            }
        }
        bench.idle(LATENCY)?;
        if bench.verdicts[Verdict::OutOfWindow as usize] != 0 {
            return Err(format!("{queue_pairs} queue pairs: {} packets were beyond their window", bench.verdicts[2]));
        }
        let shrunk = bench.pool.as_ref().map_or(0, |pool| pool.seen.shrunk);
        if shrunk != 0 {
            return Err(format!("{queue_pairs} queue pairs: windows of one length have become shorter {shrunk} times"));
        }
        bench.settle()?;
    }
    Ok(())
}

/// Whole windows of the longest length, the last packet first, so that every segment is passed at once.
fn rounds(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let (most, segment) = (params.segments(), params.segment);
    let mut bench = Bench::new(model, params)?;
    bench.lengths(most - 1, 0);
    let mut first = psn::SPACE - 3 * most * segment - 2 * segment;
    bench.run(Command::Open { qp: 0, psn: first })?;
    for _ in 0..8 {
        bench.idle(40 + 8 * params.queue_pairs as u64 + 8 * u64::from(most))?;
        let edge = bench.edge_of(0)?;
        if psn::ahead(first, edge) != most * segment {
            return Err(format!("from {first:#x} on, the edge is {edge:#x}"));
        }
        for number in (0..most * segment).rev() {
            bench.step(at(0, first + number), None)?;
        }
        first = edge;
    }
    bench.settle()
}
