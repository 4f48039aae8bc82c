//! One situation each. The model looks at every event; what is said here besides is what the model leaves open.

use super::{Bench, Inputs};
use rdma_rtl_golden::send::op_table::{Ack, Config, Params};
use rdma_rtl_golden::send::{OpKind, status};
use rdma_rtl_sim::Model;

/// Short times, so that a run is short.
pub const CONFIG: Config = Config { prescale: 4, timeout: 300, backoff_cap: 1000, retry_limit: 3, t_life: 20 };

/// A situation.
pub type Directed = fn(&mut dyn Model, Params) -> Result<(), String>;

/// All of them.
pub const ALL: &[(&str, Directed)] = &[
    ("forged acknowledgements", forged),
    ("late acknowledgements", late),
    ("late acknowledgements without a gap", late_without_gap),
    ("tries, their patience and their limit", retry_limit),
    ("an acknowledgement around the timeout", ack_meets_timeout),
    ("an acknowledgement around the last timeout", ack_meets_last_timeout),
    ("negative acknowledgements", negative),
    ("ends of every kind", ends),
    ("table full", table_full),
    ("released before, with and after its end", released),
    ("timers from every clock of a tick", timer_bounds),
    ("acknowledgements of one op back to back", back_to_back),
    ("failures while acknowledgements come in every clock", saturated),
];

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

fn packets(op: u32, mask: u64) -> Ack {
    Ack::Packets { op, first: 0, status: 0, mask }
}

fn done(op: u32) -> Ack {
    Ack::Completion { op, status: 0 }
}

/// An op with `count` packets, all sent.
fn sent(bench: &mut Bench, count: u16) -> Result<u32, String> {
    let op = bench.allocate(count)?;
    for packet in 0..count {
        bench.sent(op, packet, 0)?;
    }
    Ok(op)
}

fn forged(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    let op = bench.allocate(4)?;
    let beyond = [packets(op, 1), done(op), Ack::Completion { op, status: 7 }, Ack::Completion { op, status: 9 }];
    for ack in beyond {
        bench.ack(ack)?;
    }
    bench.sent(op, 0, 0)?;
    // The clock in which it is sent is too early, the next one is not.
    bench.step(Inputs { sent: Some((op, 1, 0)), ack: Some(packets(op, 2)), ..Default::default() })?;
    bench.ack(done(op))?;
    bench.ack(packets(op, 0b1100))?;
    bench.ack(packets(op, 0))?;
    for first in [1, 32, 63, 64, 128, 256, 0x8000] {
        bench.ack(Ack::Packets { op, first, status: 0, mask: u64::MAX })?;
    }
    for other in (0..16).map(|bit| op ^ 1 << bit) {
        for ack in [packets(other, 3), done(other), Ack::Completion { op: other, status: 3 }, Ack::Completion { op: other, status: 7 }] {
            bench.ack(ack)?;
        }
        bench.ack(Ack::Packets { op: other, first: 0, status: 1, mask: 3 })?;
    }
    let none = bench.idle(20)?;
    expect("what followed", none.len(), 0)?;
    expect("acknowledged", bench.golden.acknowledged(op), Some(vec![false; 4]))?;
    bench.ack(packets(op, 0b1001))?;
    for packet in 2..4 {
        bench.sent(op, packet, 0)?;
    }
    bench.ack(packets(op, 0b0110))?;
    bench.ack(packets(op, 0b1000))?;
    expect("end", bench.end(op, 40)?, (0, false))?;
    bench.finish().map(drop)
}

fn late(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    // All but one index stay in use, so that the last is used again and again.
    let kept: Vec<u32> = (0..params.ops - 1).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    let mut before: Vec<u32> = Vec::new();
    for uses in 0..12 {
        let op = bench.allocate(2)?;
        for packet in 0..2 {
            for &old in &before {
                bench.ack(packets(old, 3))?;
                bench.ack(done(old))?;
                bench.ack(Ack::Completion { op: old, status: 4 })?;
                bench.ack(Ack::Packets { op: old, first: 0, status: 4, mask: 3 })?;
            }
            bench.sent(op, packet, 0)?;
        }
        bench.ack(packets(op, 1))?;
        bench.ack(if uses % 2 == 0 { packets(op, 2) } else { done(op) })?;
        // Right behind the one that ends it.
        bench.ack(done(op))?;
        bench.ack(packets(op, 3))?;
        expect("end", bench.end(op, 40)?, (0, false))?;
        before.push(op);
        if before.len() > 3 {
            before.remove(0);
        }
    }
    for op in kept {
        bench.sent(op, 0, 0)?;
        bench.ack(done(op))?;
        bench.end(op, 40)?;
    }
    bench.finish().map(drop)
}

/// Acknowledgements of the op before in every clock, so that what passes only ever meets itself, until the next op of the index has one of
/// its own.
fn late_without_gap(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    let kept: Vec<u32> = (0..params.ops - 1).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    let old = sent(&mut bench, 2)?;
    let (mut op, mut ended, mut released, mut next, mut offer) = (None, false, false, 0, Some((3, OpKind::Data, 2)));
    for clock in 0..100 {
        let release = (ended && !released).then_some(old);
        released |= ended;
        let segment = offer.filter(|_| ended);
        let sent = op.filter(|_| next < 2).map(|op| (op, next, 0));
        next += u16::from(sent.is_some());
        // At last the other packet of the new op: it must not be its end.
        let ack = match (clock, op) {
            (0, _) => packets(old, 1),
            (1, _) => packets(old, 2),
            (90, Some(op)) => packets(op, 2),
            _ => packets(old, 3),
        };
        let taken = bench.step(Inputs { segment, release, sent, ack: Some(ack), ..Default::default() })?;
        if taken.segment {
            offer = None;
        }
        ended |= taken.ended.is_some_and(|ended| ended.op == old);
        op = op.or(taken.allocated.map(|op| op.op));
    }
    let op = op.ok_or("the index does not come back")?;
    expect("acknowledged", bench.golden.acknowledged(op), Some(vec![false, true]))?;
    bench.ack(packets(op, 1))?;
    for op in kept {
        bench.sent(op, 0, 0)?;
        bench.ack(done(op))?;
        bench.end(op, 40)?;
    }
    bench.step(Inputs { release: Some(op), ..Default::default() })?;
    bench.finish().map(drop)
}

/// Sends what is asked for again until the op ends: the clocks of each request, and of the end.
fn repeat(bench: &mut Bench, op: u32, clocks: u64) -> Result<(Vec<u64>, u64, u8), String> {
    let (mut asked, mut again, mut aborted, mut end) = (Vec::new(), None, false, None);
    for _ in 0..clocks {
        let at = bench.clocks();
        let taken = bench.step(Inputs { sent: again.take(), ..Default::default() })?;
        if let Some(retransmit) = taken.retransmit {
            asked.push(at);
            again = Some((retransmit.op, retransmit.packet, retransmit.tries));
        }
        aborted |= taken.abort == Some(op);
        end = end.or(taken.ended.map(|ended| (at, ended.status)));
        if let Some((at, status)) = end
            && aborted == (status == status::RETRY_LIMIT)
        {
            bench.step(Inputs { release: Some(op), ..Default::default() })?;
            return Ok((asked, at, status));
        }
    }
    Err(format!("op {op:#06x} does not end in {clocks} clocks"))
}

fn retry_limit(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // A table that can hold no more tries than its numbers have bits for; a cap that no try, the ninth and the very last one have reached.
    for (retry_limit, timeout, backoff_cap) in
        [(0, 300, 1000), (1, 300, 1000), (7, 300, 1000), (31, 100, 150), (12, 5, 2500), (10, 1, 1 << 29)]
    {
        let config = Config { retry_limit, timeout, backoff_cap, ..CONFIG };
        let mut bench = Bench::new(model, params, config)?;
        let op = sent(&mut bench, 1)?;
        let begun = bench.clocks() - 1;
        let slack = params.scan_period() + 64 + 4;
        let patience: u64 = (0..=retry_limit).map(|tries| 4 * config.patience(tries) + slack).sum();
        let (asked, end, status) = repeat(&mut bench, op, patience + 1000)?;
        expect("status", status, status::RETRY_LIMIT)?;
        expect("tries", asked.len(), retry_limit.into())?;
        let mut from = begun;
        for (tries, at) in asked.into_iter().chain([end]).enumerate() {
            let least = 4 * config.patience(tries as u8);
            if !(least..=least + slack).contains(&(at - from)) {
                return Err(format!("try {tries} waits {} clocks, {least} to {} are right", at - from, least + slack));
            }
            from = at + 1;
        }
        // Too late.
        bench.ack(done(op))?;
        bench.ack(packets(op, 1))?;
        bench.finish()?;
    }
    Ok(())
}

/// Clocks from a packet to the request to send it again.
fn clocks_to_timeout(model: &mut dyn Model, params: Params, config: Config) -> Result<u64, String> {
    let mut bench = Bench::new(model, params, config)?;
    let op = sent(&mut bench, 1)?;
    let begun = bench.clocks();
    for _ in 0..4 * 400 + params.scan_period() + 100 {
        let taken = bench.step(Inputs::default())?;
        if taken.retransmit.is_some() || taken.ended.is_some_and(|ended| ended.op == op) {
            return Ok(bench.clocks() - begun);
        }
    }
    Err("nothing comes".to_string())
}

/// An acknowledgement in every clock around the timeout: a request before, none after, and no other.
fn ack_meets_timeout(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let wait = clocks_to_timeout(model, params, CONFIG)?;
    let (mut before, mut switched) = (false, 0);
    for clock in wait - 40..wait + 4 {
        let mut bench = Bench::new(model, params, CONFIG)?;
        let op = sent(&mut bench, 1)?;
        let mut asked = bench.idle(clock)?.iter().any(|taken| taken.retransmit.is_some());
        asked |= bench.step(Inputs { ack: Some(packets(op, 1)), ..Default::default() })?.retransmit.is_some();
        for _ in 0..params.scan_period() + 60 {
            asked |= bench.step(Inputs::default())?.retransmit.is_some();
        }
        bench.step(Inputs { release: Some(op), ..Default::default() })?;
        let counted = bench.finish()?;
        expect("timeouts", counted.timeouts, asked.into())?;
        switched += u32::from(asked != before);
        before = asked;
    }
    expect("asked at the end, and how often that changed", (before, switched), (true, 1))
}

fn ack_meets_last_timeout(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { retry_limit: 0, ..CONFIG };
    let wait = clocks_to_timeout(model, params, config)?;
    let (mut before, mut switched) = (false, 0);
    for clock in wait - 40..wait + 4 {
        let mut bench = Bench::new(model, params, config)?;
        let op = sent(&mut bench, 1)?;
        let mut ends: Vec<u8> = bench.idle(clock)?.iter().filter_map(|taken| taken.ended.map(|ended| ended.status)).collect();
        let early = bench.step(Inputs { ack: Some(packets(op, 1)), ..Default::default() })?;
        ends.extend(early.ended.map(|ended| ended.status));
        for _ in 0..60 {
            ends.extend(bench.step(Inputs::default())?.ended.map(|ended| ended.status));
        }
        expect("ends", ends.len(), 1)?;
        bench.step(Inputs { release: Some(op), ..Default::default() })?;
        bench.finish()?;
        let failed = ends[0] == status::RETRY_LIMIT;
        switched += u32::from(failed != before);
        before = failed;
    }
    expect("failed at the end, and how often that changed", (before, switched), (true, 1))
}

fn negative(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, Config { timeout: 3000, backoff_cap: 6000, retry_limit: 2, ..CONFIG })?;
    let count = params.mask_bits.min(64) as u16;
    let op = sent(&mut bench, count)?;
    bench.ack(packets(op, 0b1001))?;
    let nack = |mask| Ack::Packets { op, first: 0, status: 13, mask };
    bench.ack(nack(0b1000))?;
    bench.ack(nack(u64::MAX))?;
    let begun = bench.clocks();
    let mut asked = Vec::new();
    let mut last = 0;
    for _ in 0..400 {
        if let Some(retransmit) = bench.step(Inputs::default())?.retransmit {
            expect("try", retransmit.tries, 1)?;
            asked.push(retransmit.packet);
            last = bench.clocks() - begun;
        }
    }
    expect("packets asked for", asked.clone(), (0..count).filter(|packet| ![0, 3].contains(packet)).collect())?;
    if last > 40 + 3 * u64::from(count) {
        return Err(format!("the last packet is asked for after {last} clocks"));
    }
    // Not again before it was sent.
    bench.ack(nack(u64::MAX))?;
    expect("asked for twice", bench.idle(100)?.len(), 0)?;
    for packet in asked {
        bench.sent(op, packet, 1)?;
    }
    // The second try, and the end of the third.
    bench.ack(nack(0b10))?;
    let again = bench.idle(60)?;
    expect("asked for again", again.iter().filter_map(|taken| taken.retransmit.map(|r| (r.packet, r.tries))).collect(), vec![(1, 2)])?;
    bench.sent(op, 1, 2)?;
    bench.ack(nack(0b10))?;
    expect("end", bench.end(op, 60)?, (status::RETRY_LIMIT, true))?;
    bench.finish().map(drop)
}

fn ends(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    for status in (1..=16).filter(|&status| status != 7) {
        let op = bench.allocate(3)?;
        bench.sent(op, 0, 0)?;
        // Another one is transient, and does nothing but count.
        bench.ack(Ack::Completion { op, status: 7 })?;
        bench.ack(Ack::Completion { op, status })?;
        bench.ack(Ack::Completion { op, status: 1 })?;
        bench.sent(op, 1, 0)?;
        expect("end", bench.end(op, 40)?, (status, false))?;
    }
    for status in [33, 34] {
        let op = bench.allocate(3)?;
        let mut fail = Some((op, status));
        while bench.step(Inputs { fail, ..Default::default() })?.fail {
            fail = None;
        }
        expect("end", bench.end(op, 40)?, (status, false))?;
    }
    // Data arrival, complete by its first packet's answer; its fields come back.
    let mut offer = Some((9, OpKind::Arrival, 1));
    let mut op = None;
    for _ in 0..20 {
        let taken = bench.step(Inputs { segment: offer, ..Default::default() })?;
        if taken.segment {
            offer = None;
        }
        op = op.or(taken.allocated);
    }
    let op = op.ok_or("no op number")?;
    expect("given out", (op.command, op.kind, op.count), (9, OpKind::Arrival, 1))?;
    bench.sent(op.op, 0, 0)?;
    bench.ack(done(op.op))?;
    expect("end", bench.end(op.op, 40)?, (0, false))?;
    let counted = bench.finish()?;
    expect("failures", counted.failures, 17)
}

fn table_full(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, Config { timeout: 1 << 20, backoff_cap: 1 << 20, ..CONFIG })?;
    let all: Vec<u32> = (0..params.ops).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    expect("op numbers", all.clone(), (0..params.ops as u32).collect())?;
    let offer = Some((1, OpKind::Data, 1));
    for _ in 0..100 {
        let taken = bench.step(Inputs { segment: offer, ..Default::default() })?;
        expect("taken by a full table", (taken.segment, taken.allocated), (false, None))?;
    }
    // All end while nobody takes an end.
    for &op in &all {
        bench.sent(op, 0, 0)?;
    }
    for &op in &all {
        bench.step(Inputs { ack: Some(done(op)), hold_ended: true, ..Default::default() })?;
    }
    let mut ended = Vec::new();
    for _ in 0..params.ops + 20 {
        ended.extend(bench.step(Inputs::default())?.ended.map(|ended| ended.op));
    }
    expect("ends", ended, all.clone())?;
    // Their indices come back in the order of their releases.
    for &op in all.iter().rev() {
        bench.step(Inputs { release: Some(op), ..Default::default() })?;
    }
    let again: Vec<u32> = (0..params.ops).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    expect("op numbers", again.clone(), all.iter().rev().map(|op| op + params.ops as u32).collect())?;
    for op in again {
        bench.sent(op, 0, 0)?;
        bench.ack(packets(op, 1))?;
        bench.end(op, 40)?;
    }
    bench.finish().map(drop)
}

fn released(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    let rounds = 2 * params.ops as u64;
    for round in 0..rounds {
        let op = sent(&mut bench, 1)?;
        bench.ack(done(op))?;
        // Held until a release before, in, or after the clock in which it is taken.
        for _ in 0..20 {
            bench.step(Inputs { hold_ended: true, ..Default::default() })?;
        }
        let take = 10;
        for clock in 0..20 {
            let release = (clock == take + round % 5 - 2).then_some(op);
            bench.step(Inputs { hold_ended: clock < take, release, ..Default::default() })?;
        }
    }
    // None is lost: all can be had at once.
    let all: Vec<u32> = (0..params.ops).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    for op in all {
        bench.sent(op, 0, 0)?;
        bench.ack(done(op))?;
        bench.end(op, 40)?;
    }
    bench.finish().map(drop)
}

fn timer_bounds(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // A tick is longer than the way to the output, which would hide one that is missing.
    let (timeout, tick) = (2, 200);
    let config = Config { timeout, backoff_cap: timeout, prescale: tick as u16, ..CONFIG };
    let whole = u64::from(timeout) * tick;
    let mut bench = Bench::new(model, params, config)?;
    let period = params.scan_period();
    let (mut least, mut most) = (u64::MAX, 0);
    for round in 0..40 {
        let op = sent(&mut bench, 1)?;
        let begun = bench.clocks() - 1;
        loop {
            if bench.step(Inputs::default())?.retransmit.is_some() {
                break;
            }
        }
        let took = bench.clocks() - 1 - begun;
        (least, most) = (least.min(took), most.max(took));
        bench.sent(op, 0, 1)?;
        bench.ack(done(op))?;
        expect("end", bench.end(op, 40)?, (0, false))?;
        bench.idle(round * 37 % 211)?;
    }
    // All its whole ticks at least; one more, a scan, and the way to the output at most.
    if least < whole || most > whole + tick + period + 24 {
        return Err(format!("timers run out after {least} to {most} clocks, {whole} to {} are right", whole + tick + period + 24));
    }
    // Over so many clocks of a period, the scanner was once nearly all of it away.
    if most < period / 2 {
        return Err(format!("timers run out after {most} clocks at most, which is no scan period of {period}"));
    }
    bench.finish().map(drop)
}

fn back_to_back(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let mut bench = Bench::new(model, params, CONFIG)?;
    for distance in 0..5 {
        let ops = [sent(&mut bench, params.mask_bits as u16)?, sent(&mut bench, params.mask_bits as u16)?];
        for packet in 0..params.mask_bits as u16 {
            for op in ops.iter().take(1 + usize::from(distance > 3)) {
                let ack = Ack::Packets { op: *op, first: packet & !63, status: 0, mask: 1 << (packet & 63) };
                bench.ack(ack)?;
                bench.ack(ack)?;
            }
            bench.idle(distance % 4)?;
        }
        if distance < 4 {
            bench.ack(done(ops[1]))?;
        }
        let mut ended = 0;
        for _ in 0..30 {
            if let Some(found) = bench.step(Inputs::default())?.ended {
                expect("status", found.status, 0)?;
                ended += 1;
            }
        }
        // Both may have been taken before.
        if ended > 2 {
            return Err(format!("{ended} ends of two ops"));
        }
        for op in ops {
            bench.step(Inputs { release: Some(op), ..Default::default() })?;
        }
        bench.idle(20)?;
    }
    bench.finish().map(drop)
}

fn saturated(model: &mut dyn Model, params: Params) -> Result<(), String> {
    let config = Config { timeout: 50, backoff_cap: 50, retry_limit: 0, ..CONFIG };
    let mut bench = Bench::new(model, params, config)?;
    let ops: Vec<u32> = (0..10).map(|_| sent(&mut bench, 1)).collect::<Result<_, _>>()?;
    let mut failed = Vec::new();
    for clock in 0..50 * 4 + 2 * params.scan_period() + 400 {
        let ack = Some(packets(ops[clock as usize % 10] ^ 1 << 15, 1));
        let taken = bench.step(Inputs { ack, ..Default::default() })?;
        failed.extend(taken.ended.map(|ended| ended.op));
    }
    expect("failed, all of ten", failed.len(), 10)?;
    for op in ops {
        bench.step(Inputs { release: Some(op), ..Default::default() })?;
    }
    bench.finish().map(drop)
}

/// An index that is used as often as it may within the life of a packet, and half as often again: clocks go with the generations, of which
/// there are fewest where indices are most.
/// # Errors
/// It is used more often, or not at all any more.
pub fn too_often(model: &mut dyn Model, params: Params) -> Result<(), String> {
    // So short a timeout that nothing runs out is not needed: all is acknowledged at once.
    let limit = params.use_limit() as u64;
    let config = Config { prescale: 2, timeout: 1 << 20, backoff_cap: 1 << 20, t_life: 30 * limit as u32, ..CONFIG };
    let mut bench = Bench::new(model, params, config)?;
    let kept: Vec<u32> = (0..params.ops - 1).map(|_| bench.allocate(1)).collect::<Result<_, _>>()?;
    let (mut uses, mut waited) = (Vec::new(), 0);
    for _ in 0..limit + limit / 2 {
        let begun = bench.clocks();
        let op = {
            let mut offer = Some((3, OpKind::Data, 1));
            loop {
                let taken = bench.step(Inputs { segment: offer, ..Default::default() })?;
                if taken.segment {
                    offer = None;
                }
                if let Some(op) = taken.allocated {
                    break op.op;
                }
                if bench.clocks() - begun > 4 * u64::from(config.t_life) {
                    return Err("the index is not given out any more".to_string());
                }
            }
        };
        waited += u64::from(bench.clocks() - begun > 100);
        uses.push(bench.clocks());
        bench.sent(op, 0, 0)?;
        bench.ack(done(op))?;
        expect("end", bench.end(op, 40)?, (0, false))?;
    }
    let life = 2 * u64::from(config.t_life);
    if let Some(window) = uses.windows(limit as usize + 1).find(|window| window[limit as usize] - window[0] < life) {
        return Err(format!("{} uses from clock {} to {}, within {life} clocks", limit + 1, window[0], window[limit as usize]));
    }
    if waited == 0 {
        return Err("the allocator never waited".to_string());
    }
    for op in kept {
        bench.sent(op, 0, 0)?;
        bench.ack(done(op))?;
        bench.end(op, 40)?;
    }
    bench.finish().map(drop)
}
