//! `SentPackets` between a send bitmap and a packet engine that are played, held to the golden model.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::send::sent::{Place, Sent};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a number is given, while a window has room
    pub give: u32,
    /// a run is offered
    pub run: u32,
    /// a base moves
    pub moved: u32,
    /// a packet that is to be sent again is taken
    pub again: u32,
    /// an operation that is acknowledged is taken
    pub acked: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub runs: u64,
    pub again: u64,
    pub acked: u64,
    /// least clocks from a run that is taken to its first packet
    pub latency: u64,
    pub clocks: u64,
    pub wraps: u64,
}

/// A queue pair as its owner knows it.
struct QueuePair {
    next: u32,
    /// operation under way and packets that it still gets
    op: Option<(u32, u16, u16)>,
    /// operations that are acknowledged and not told yet
    acked: VecDeque<u32>,
}

/// `count` numbers are given. Packets of runs come in order, each as it was when its number was given; each operation is told once, when
/// all of its numbers lie below the base, in the order of its queue pair.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, window: u32, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let queue_pairs = 1u32 << pins.width("sent_qp");
    let packets = 1u16 << pins.width("sent_packet");
    pins.reset(2);
    pins.until_ready(u64::from(queue_pairs) + 2)?;
    let mut golden = Sent::default();
    let mut all = Vec::new();
    for qp in 0..queue_pairs {
        // Near the end of the numbers, so that they wrap.
        let first = psn::sub(0, rng.random_range(0..2 * window));
        pins.set("open_valid", 1);
        pins.set("open_qp", qp.into());
        pins.set("open_psn", first.into());
        pins.eval();
        pins.check("open_ready", 1)?;
        pins.clock();
        golden.open(qp, first);
        all.push(QueuePair { next: first, op: None, acked: VecDeque::new() });
    }
    pins.set("open_valid", 0);
    let mut seen = Seen { latency: u64::MAX, ..Seen::default() };
    let mut next_op: u32 = rng.random_range(0..1 << OP_BITS);
    let mut offered: Option<(u32, u32, VecDeque<Place>)> = None;
    // Runs under way: queue pair, start, clock, packets that are still to come.
    let mut runs: VecDeque<(u32, u32, u64, VecDeque<Place>)> = VecDeque::new();
    let mut fresh = false;
    let mut owner: Vec<(u32, u32)> = Vec::new();
    let (mut given, mut quiet) = (0, 0);
    // The number that is offered, and the one that was given in this clock.
    let mut giving: Option<(u32, Place)> = None;
    let mut new: Option<(u32, Place)> = None;
    let start = pins.cycle();
    // Half of it for few queue pairs.
    let pick = |rng: &mut ChaCha8Rng| if rng.random() { rng.random_range(0..queue_pairs.min(2)) } else { rng.random_range(0..queue_pairs) };
    while quiet < 40 {
        let now = pins.cycle();
        // A number for the next packet of a queue pair. Those of runs under way are not passed by a whole window meanwhile: they are not
        // acknowledged.
        if giving.is_none() && given < count && chance(&mut rng, pace.give) {
            let qp = pick(&mut rng);
            let at = &mut all[qp as usize];
            let base = golden.base(qp).unwrap_or(0);
            let low =
                runs.iter().filter(|run| run.0 == qp).map(|run| run.1).chain(offered.iter().filter(|run| run.0 == qp).map(|run| run.1));
            let oldest = low.map(|psn| psn::ahead(psn, at.next)).max().unwrap_or(0).max(psn::ahead(base, at.next));
            if oldest < window {
                let (op, packet, total) = at.op.unwrap_or_else(|| {
                    next_op = (next_op + 1) % (1 << OP_BITS);
                    let total = if rng.random_bool(0.3) { 1 } else { rng.random_range(1..=packets) };
                    owner.push((next_op, qp));
                    (next_op, 0, total)
                });
                let last = packet + 1 == total;
                at.op = (!last).then_some((op, packet + 1, total));
                giving = Some((qp, Place { op, packet, last }));
            }
        }
        pins.set("sent_valid", giving.is_some().into());
        if let Some((qp, place)) = giving {
            pins.set("sent_qp", qp.into());
            pins.set("sent_psn", all[qp as usize].next.into());
            pins.set("sent_op", place.op.into());
            pins.set("sent_packet", place.packet.into());
            pins.set("sent_last", place.last.into());
        }
        // A run of numbers that are not acknowledged and were given before this clock.
        if offered.is_none() && given < count && chance(&mut rng, pace.run) {
            let qp = pick(&mut rng);
            let open = golden.open_numbers(qp);
            if open > 0 {
                let offset = rng.random_range(0..open);
                let length = if rng.random() { 1 } else { rng.random_range(1..=open - offset) };
                let from = psn::add(golden.base(qp).unwrap_or(0), offset);
                // What is acknowledged before it is taken is still what it was.
                offered = Some((qp, from, golden.again(qp, from, length).into()));
            }
        }
        pins.set("rtx_valid", offered.is_some().into());
        if let Some((qp, from, packets)) = &offered {
            pins.set("rtx_qp", (*qp).into());
            pins.set("rtx_start", (*from).into());
            pins.set("rtx_count", packets.len() as u64);
        }
        let takes = [chance(&mut rng, pace.again), chance(&mut rng, pace.acked)];
        pins.set("again_ready", takes[0].into());
        pins.set("acked_ready", takes[1].into());
        // A base moves, at the end of the run to its very end.
        pins.set("moved_valid", 0);
        let wants = if given == count { chance(&mut rng, pace.moved.max(20)) } else { chance(&mut rng, pace.moved) };
        let mut moved = None;
        if wants {
            let qp = pick(&mut rng);
            let open = golden.open_numbers(qp);
            if open > 0 {
                let by = if given == count { open } else { rng.random_range(1..=open) };
                let base = psn::add(golden.base(qp).unwrap_or(0), by);
                pins.set("moved_valid", 1);
                pins.set("moved_qp", qp.into());
                pins.set("moved_base", base.into());
                moved = Some((qp, base));
            }
        }
        pins.eval();

        if pins.get("sent_ready") == 1
            && let Some((qp, place)) = giving.take()
        {
            let at = &mut all[qp as usize];
            new = Some((qp, place));
            at.next = psn::add(at.next, 1);
            seen.wraps += u64::from(at.next == 0);
            given += 1;
            quiet = 0;
        }
        if pins.get("rtx_ready") == 1
            && let Some((qp, from, packets)) = offered.take()
        {
            runs.push_back((qp, from, now, packets));
            fresh = true;
            seen.runs += 1;
        }
        if pins.get("again_valid") == 1 {
            let found = (pins.get("again_op") as u32, pins.get("again_packet") as u16);
            let front = runs.front_mut().ok_or_else(|| format!("cycle {now}: {found:?} is sent again, expected nothing"))?;
            let expected = front.3.front().map(|place| (place.op, place.packet));
            if expected != Some(found) {
                return Err(format!("cycle {now}: {found:?} is sent again, expected {expected:?}"));
            }
            if fresh && runs.len() == 1 {
                seen.latency = seen.latency.min(now - runs[0].2);
            }
            fresh = false;
            if takes[0] {
                seen.again += 1;
                runs[0].3.pop_front();
                if runs[0].3.is_empty() {
                    runs.pop_front();
                }
            }
            quiet = 0;
        }
        if pins.get("acked_valid") == 1 && takes[1] {
            let op = pins.get("acked_op") as u32;
            let qp = owner.iter().rev().find(|owner| owner.0 == op).map(|owner| owner.1);
            let qp = qp.ok_or_else(|| format!("cycle {now}: operation {op:#x} is acknowledged, nobody has it"))?;
            let expected = all[qp as usize].acked.pop_front();
            if expected != Some(op) {
                return Err(format!("cycle {now}: operation {op:#x} of {qp} is acknowledged, expected {expected:?}"));
            }
            seen.acked += 1;
            quiet = 0;
        }
        if let Some((qp, base)) = moved {
            let ops = golden.acknowledge(qp, base);
            all[qp as usize].acked.extend(ops);
            quiet = 0;
        }
        if let Some((qp, place)) = new.take() {
            golden.give(qp, place);
        }
        let is_told = all.iter().all(|at| at.acked.is_empty());
        let is_over =
            given == count && offered.is_none() && runs.is_empty() && is_told && (0..queue_pairs).all(|qp| golden.open_numbers(qp) == 0);
        quiet += u64::from(is_over);
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if pins.cycle() - start > 400 * (count + 200) {
            let untold: Vec<_> = all.iter().map(|at| &at.acked).collect();
            return Err(format!("cycle {now}: nothing moves any more; operations that were not told: {untold:?}"));
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
