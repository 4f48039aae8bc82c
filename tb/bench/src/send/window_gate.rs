//! `WindowGate` between a packet scheduler and a send bitmap that are played.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::sent::{Place, Sent};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// clocks in which the scheduler has a packet and takes it when it may
    pub take: u32,
    /// requests that are refused for now
    pub refuse: u32,
    /// clocks in which what else comes out is taken
    pub ready: u32,
    /// operations before whose packets their queue pair is closed
    pub close: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub given: u64,
    pub void: u64,
    pub arrivals: u64,
    pub failed: u64,
    pub clocks: u64,
}

/// `count` operations. Every packet with a frame has the next number of its queue pair, whose word is written before it goes; what is for a
/// closed queue pair or no node has none, and its operation fails once, with its last packet.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (queue_pairs, packets) = (1u32 << pins.width("send_qp"), 1u16 << pins.width("first_packet"));
    pins.reset(2);
    let mut golden = Sent::default();
    for qp in 0..queue_pairs {
        golden.open(qp, rng.random_range(0..1 << 24));
    }
    let mut open = vec![true; queue_pairs as usize];
    let mut seen = Seen::default();
    // Operation at the head: number, node, arrival, packets; the next packet; one has gone without a frame.
    let mut head: Option<(u32, u32, bool, u16)> = None;
    let (mut packet, mut torn) = (0, false);
    // A number that was given and whose word is to be written; one whose word is.
    let mut given: Option<(u32, u32)> = None;
    let mut written: Option<u32> = None;
    // Answers with the clock in which they are due.
    let mut answers: VecDeque<(u64, u32, u32)> = VecDeque::new();
    // What is to be told at the end of an operation: 0 that it fails, 1 that nothing is waited for.
    let mut ends: [VecDeque<u32>; 2] = [VecDeque::new(), VecDeque::new()];
    let (mut begun, mut quiet, mut voids) = (0, 0, 0);
    // The packet at the head was told to wait.
    let mut held = false;
    let start = pins.cycle();
    while quiet < 10 {
        let now = pins.cycle();
        if head.is_none() && begun < count && chance(&mut rng, 80) {
            begun += 1;
            let node = if rng.random_bool(0.05) { queue_pairs << rng.random_range(0..8) } else { rng.random_range(0..queue_pairs) };
            let is_arrival = rng.random_bool(0.1);
            let total = if is_arrival { 1 } else { rng.random_range(1..=packets) };
            head = Some((begun as u32, node, is_arrival, total));
            (packet, torn) = (0, false);
        }
        // Closed before any packet of it, and opened again at times in the middle.
        if chance(&mut rng, pace.close) {
            let qp = rng.random_range(0..queue_pairs) as usize;
            open[qp] = !open[qp];
        }
        pins.set("first_valid", head.is_some().into());
        if let Some((op, node, is_arrival, total)) = head {
            pins.set("first_op", op.into());
            pins.set("first_node", node.into());
            pins.set("first_kind", is_arrival.into());
            pins.set("first_packet", packet.into());
            pins.set("first_last", (packet + 1 == total).into());
        }
        pins.set("first_take", 0);
        let ready = ["send", "sent", "fail", "acked"].map(|name| {
            let ready = chance(&mut rng, pace.ready);
            pins.set(&format!("{name}_ready"), ready.into());
            ready
        });
        pins.set("answer_valid", 0);
        let mut holds = held;
        if let Some((_, psn, reason)) = answers.front().copied().filter(|answer| answer.0 == now) {
            answers.pop_front();
            holds = reason > 1;
            pins.set("answer_valid", 1);
            pins.set("answer_psn", psn.into());
            pins.set("answer_reason", reason.into());
        }
        pins.eval();
        pins.check("evt_held", held.into())?;
        held = holds;
        if pins.get("evt_void") == 1 {
            voids += 1;
        }
        // A number is asked for.
        if pins.get("send_valid") == 1 && ready[0] {
            let Some((op, node, false, total)) = head.filter(|_| !torn && given.is_none() && written.is_none()) else {
                return Err(format!("cycle {now}: a number is asked for, {head:?} has {given:?} and {written:?}"));
            };
            let qp = pins.get("send_qp") as u32;
            if qp != node {
                return Err(format!("cycle {now}: a number of {qp} is asked for, expected {node}"));
            }
            if !open[qp as usize] {
                answers.push_back((now + 2, rng.random_range(0..1 << 24), 1));
            } else if chance(&mut rng, pace.refuse) {
                answers.push_back((now + 2, rng.random_range(0..1 << 24), rng.random_range(2..6)));
            } else {
                let psn = golden.give(qp, Place { op, packet, last: packet + 1 == total }).unwrap_or(0);
                given = Some((qp, psn));
                answers.push_back((now + 2, psn, 0));
            }
        }
        // Its word is written.
        if pins.get("sent_valid") == 1 && ready[1] {
            let found = ["qp", "psn", "op", "packet", "last"].map(|field| pins.get(&format!("sent_{field}")));
            let expected = head
                .zip(given)
                .map(|((op, _, _, total), (qp, psn))| [qp.into(), psn.into(), op.into(), packet.into(), (packet + 1 == total).into()]);
            if expected != Some(found) || !answers.is_empty() {
                return Err(format!("cycle {now}: the word {found:?} is written, expected {expected:?}"));
            }
            written = given.take().map(|number| number.1);
        }
        for (which, name) in ["fail", "acked"].into_iter().enumerate() {
            if pins.get(&format!("{name}_valid")) == 1 && ready[2 + which] {
                let op = pins.get(&format!("{name}_op")) as u32;
                let expected = ends[which].pop_front();
                if expected != Some(op) || (which == 1 && ends[0].contains(&op)) {
                    return Err(format!("cycle {now}: {name} of {op}, expected {expected:?}"));
                }
                seen.failed += u64::from(which == 0);
            }
        }
        // It goes.
        if pins.get("first_go") == 1 && head.is_some() && chance(&mut rng, pace.take) {
            let (op, node, is_arrival, total) = head.unwrap_or_default();
            let is_void = pins.get("first_void") == 1;
            let may = if is_arrival {
                seen.arrivals += 1;
                !is_void
            } else if is_void {
                // Of a node that is not there, after another one without a frame, or when the queue pair is closed: nothing was given.
                seen.void += 1;
                torn = true;
                written.is_none() && given.is_none()
            } else {
                seen.given += 1;
                written.take().is_some() && !torn && node < queue_pairs
            };
            if !may {
                return Err(format!("cycle {now}: packet {packet} of {head:?} goes, void {is_void}, with {written:?}"));
            }
            pins.set("first_take", 1);
            packet += 1;
            if packet == total {
                head = None;
                if torn {
                    ends.iter_mut().for_each(|queue| queue.push_back(op));
                }
            }
        }
        let is_over = begun == count && head.is_none() && ends.iter().all(VecDeque::is_empty);
        quiet = if is_over { quiet + 1 } else { 0 };
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if now - start > 300 * u64::from(packets) * (count + 10) {
            return Err(format!("cycle {now}: nothing moves any more, {head:?}, {ends:?}"));
        }
    }
    if voids != seen.void {
        return Err(format!("{voids} packets without a frame are counted, {} were", seen.void));
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
