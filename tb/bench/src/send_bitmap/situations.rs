//! Situations one by one: the spec's example, rates, turns, and what a random mixture comes to too rarely.

use super::{Ask, Bench, Feedback, Inputs, Registers, Shape};
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::bitmap::sender::{Config, Mode, State};
use rdma_rtl_sim::Model;

/// One situation.
pub type Situation = fn(&mut dyn Model, Shape) -> Result<(), String>;

/// All of them.
pub const ALL: &[(&str, Situation)] = &[
    ("worked example", example),
    ("one number per clock", numbers),
    ("a full window, and its wrap", full),
    ("modes", modes),
    ("queue pairs take turns", turns),
    ("few at a time", few),
    ("a timer, twice, and the end", timer),
    ("the rate", rate),
    ("the rate after a reset", rate_after_reset),
    ("one time window", dedup),
    ("impossible feedback", impossible),
    ("what the receiver allows", told),
    ("a consumer that takes nothing", stalled),
];

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:x?}, expected {expected:x?}")) }
}

fn with(config: Config) -> Registers {
    Registers { config, ..Registers::default() }
}

fn patient() -> Config {
    Config { rto: 1_000_000, rto_cap: 1_000_000, ..Config::DEFAULT }
}

fn ack(psn: u32) -> Ask {
    Ask::Feedback(0, Feedback::Ack { psn: psn % psn::SPACE, credits: 31 })
}

fn message(base: u32, start: u32, length: u32) -> Ask {
    Ask::Feedback(0, Feedback::Message { base, start, length })
}

fn started(model: &mut dyn Model, shape: Shape, registers: Registers, first: u32, sent: u32) -> Result<Bench<'_>, String> {
    let mut bench = Bench::new(model, shape, registers)?;
    bench.run(Ask::Open { qp: 0, psn: first })?;
    expect("sent", bench.send(0, sent)?, sent)?;
    Ok(bench)
}

/// PSN 1000 ..= 1015 are sent; 1003 is lost; it alone is sent again, and its arrival releases the window.
fn example(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let mut bench = started(model, shape, with(patient()), 1000, 16)?;
    bench.run(ack(1002))?;
    let done = bench.run(message(1003, 1003, 1))?;
    expect("fresh", done.count, 1)?;
    expect("sent again", bench.runs(100)?, vec![(1003, 1)])?;
    expect("state", bench.golden.state(0, 1003), Some(State::Retransmitted))?;
    let done = bench.run(ack(1005))?;
    expect("base", (done.base, done.moved), (1006, true))?;
    expect("sent again", bench.runs(100)?, vec![])
}

/// Of one queue pair and of several in turn, a number in every clock until the windows are full; acknowledgements one after the other, in
/// the clocks that the block says.
fn numbers(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let used = shape.queue_pairs.min(4);
    let mut bench = Bench::new(model, shape, with(patient()))?;
    for qp in 0..used {
        bench.run(Ask::Open { qp, psn: 77 + qp })?;
    }
    for clock in 0..used * shape.window + 2 {
        let send = (clock < used * shape.window).then_some(clock % used);
        let seen = bench.step(Inputs { send, ..Inputs::default() })?;
        if clock >= 2 {
            expect("reason", seen.answer.map(|answer| answer.reason), Some(0))?;
        }
    }
    Ok(())
}

/// Clocks per acknowledgement, one after the other of one queue pair that sends in every clock, each for `packets` more.
/// # Errors
/// What the model does not allow.
pub fn acknowledgements(model: &mut dyn Model, shape: Shape, packets: u32) -> Result<u64, String> {
    let mut bench = started(model, shape, with(patient()), 5, shape.window)?;
    let (mut next, many) = (5 + packets - 1, 200);
    let (mut taken, from) = (0, bench.clocks());
    while taken < many {
        let inputs = Inputs { send: Some(0), feedback: Some((0, Feedback::Ack { psn: next, credits: 31 })), ..Inputs::default() };
        if bench.step(inputs)?.feedback_taken {
            taken += 1;
            next += packets;
        }
    }
    Ok((bench.clocks() - from).div_ceil(many))
}

/// Clocks per range acknowledgement, one after the other, each of the next packet in the second half of a window whose base stays.
/// # Errors
/// What the model does not allow.
pub fn ranges(model: &mut dyn Model, shape: Shape) -> Result<u64, String> {
    let mut bench = started(model, shape, with(patient()), 5, shape.window)?;
    let (ahead, many) = (shape.window / 2, u64::from(shape.window / 2 - 1).min(100));
    let (mut taken, from) = (0, bench.clocks());
    while taken < many {
        let range = Feedback::Range { base: 5, start: 5 + ahead + taken as u32, length: 1 };
        taken += u64::from(bench.step(Inputs { feedback: Some((0, range)), ..Inputs::default() })?.feedback_taken);
    }
    Ok((bench.clocks() - from).div_ceil(many))
}

/// Windows that are full, at every position of the base in its segment, over the end of the numbers.
fn full(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let first = psn::sub(0, 3 * shape.window);
    let mut bench = started(model, shape, with(patient()), first, shape.window)?;
    let mut base = first;
    for step in (1..shape.segment + 3).chain([shape.window, shape.window - 1, 1, shape.window]) {
        expect("one more", bench.send(0, 1)?, 0)?;
        base = psn::add(base, step);
        // The last packets, then those before: the base moves over all of them at once.
        let rest = shape.window - step;
        if rest > 0 && step % 3 == 0 {
            let start = psn::add(base, rest / 2);
            bench.run(Ask::Feedback(0, Feedback::Range { base: psn::sub(base, step), start, length: rest - rest / 2 }))?;
            bench.run(Ask::Feedback(0, Feedback::Single { psn: base }))?;
            bench.run(message(psn::sub(base, step), psn::sub(base, 2 * step), shape.window))?;
            bench.idle(60)?;
            base = psn::add(base, 1);
            let done = bench.run(ack(psn::sub(base, 1)))?;
            expect("base", done.base, base)?;
            base = psn::add(base, rest - 1);
            bench.run(ack(psn::sub(base, 1)))?;
        } else {
            expect("base", bench.run(ack(psn::sub(base, 1)))?.base, base)?;
        }
        bench.send(0, shape.window)?;
        bench.run(ack(psn::sub(bench.golden.next(0).unwrap_or(0), 1)))?;
        base = bench.golden.next(0).unwrap_or(0);
        bench.send(0, shape.window)?;
    }
    Ok(())
}

fn modes(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    for (mode, expected) in [
        (Mode::Single, vec![(3, 1), (4, 1), (8, 1), (13, 1), (15, 1)]),
        (Mode::Interval, vec![(3, 2), (8, 1), (13, 1), (15, 1)]),
        (Mode::Aggregated, vec![(3, 11), (15, 1)]),
    ] {
        let mut bench = started(model, shape, with(Config { mode, ..patient() }), 0, 32)?;
        bench.run(Ask::Feedback(0, Feedback::Range { base: 0, start: 14, length: 1 }))?;
        for (start, length) in [(3, 2), (8, 1), (13, 3)] {
            bench.run(message(0, start, length))?;
        }
        expect("before the time is over", mode == Mode::Aggregated && !bench.sent_again.is_empty(), false)?;
        expect(&format!("{mode:?}"), bench.runs(400 + 4 * bench.registers.prescale)?, expected)?;
    }
    // A run over the end of a segment, and one to the end of the window.
    let mut bench = started(model, shape, with(Config { mode: Mode::Interval, ..patient() }), 7, shape.window)?;
    bench.run(message(7, 8, shape.window - 1))?;
    expect("a long run", bench.runs(1000 + 4 * u64::from(shape.window))?.iter().map(|run| run.1).collect(), vec![64])?;
    bench.run(message(7, 8, 1))?;
    bench.run(ack(7 + shape.window - 1))?;
    expect("all acknowledged", (bench.golden.base(0), bench.golden.next(0)), (Some(7 + shape.window), Some(7 + shape.window)))
}

fn turns(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let used = shape.queue_pairs.min(5);
    let mut bench = Bench::new(model, shape, with(patient()))?;
    for qp in 0..used {
        bench.run(Ask::Open { qp, psn: 0 })?;
        bench.send(qp, 8)?;
    }
    for qp in 0..used {
        // Who is asked for twice waits once.
        for start in [1, 3, 5] {
            bench.run(Ask::Feedback(qp, Feedback::Message { base: 0, start, length: 2 }))?;
        }
    }
    bench.idle(100 * u64::from(used) * 6)?;
    // Nobody has a second turn before everybody who waits has had one.
    let order: Vec<u32> = bench.sent_again.iter().map(|&(qp, ..)| qp).collect();
    expect("operations", order.len() as u32, 6 * used)?;
    for (at, qp) in order.iter().enumerate().skip(2 * used as usize) {
        let since = order[..at].iter().rposition(|other| other == qp).unwrap_or(at);
        expect("turns between two of one queue pair", at - since <= used as usize, true)?;
    }
    Ok(())
}

fn few(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let mut bench = started(model, shape, with(Config { mode: Mode::Interval, rtx_window: 3, ..patient() }), 0, 8)?;
    bench.run(message(0, 0, 6))?;
    expect("at first", bench.runs(200)?, vec![(0, 3)])?;
    expect("and new ones", bench.send(0, 1)?, 1)?;
    bench.run(ack(1))?;
    expect("then", bench.runs(200)?, vec![(3, 2)])
}

fn timer(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let registers = Registers { config: Config { rto: 100, retry_limit: 3, ..Config::DEFAULT }, prescale: 64, ..Registers::default() };
    let mut bench = started(model, shape, registers, psn::sub(0, 2), 5)?;
    bench.run(Ask::Feedback(0, Feedback::Single { psn: psn::sub(0, 1) }))?;
    let turn = 8 * u64::from(shape.queue_pairs) + 200;
    expect("sent again", bench.runs(102 * 64 + turn)?, vec![(psn::sub(0, 2), 1), (2, 1)])?;
    expect("feedback names the rest", bench.run(message(psn::sub(0, 2), 0, 2))?.count, 2)?;
    expect("a second time", bench.runs(240 * 64 + turn)?.len(), 4)?;
    bench.idle(420 * 64 + turn)?;
    expect("the end", (bench.golden.in_error(0), bench.counts.errors), (true, 1))?;
    expect("no number", bench.send(0, 1)?, 0)?;
    bench.idle(1000 * 64)?;
    expect("once", bench.counts.errors, 1)?;
    bench.run(Ask::Open { qp: 0, psn: 9 })?;
    expect("opened again", bench.send(0, 3)?, 3)?;
    bench.run(ack(11))?;
    bench.idle(150 * 64)?;
    expect("nothing is out", bench.counts.done[7], 3)
}

fn rate(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let config = Config { mode: Mode::Interval, ..patient() };
    let registers = Registers { config, rate: Some((1500, 5)), prescale: 64 };
    let mut bench = started(model, shape, registers, 0, 5)?;
    let used = shape.queue_pairs.min(2);
    for qp in 1..used {
        bench.run(Ask::Open { qp, psn: 0 })?;
    }
    let mut sent = 5;
    for _ in 0..64 * 40 {
        let seen = bench.step(Inputs { send: Some(0), ..Inputs::default() })?;
        sent += u64::from(seen.answer.is_some_and(|answer| answer.reason == 0));
    }
    let most = 5 + 41 * 1500 / 1024;
    expect(&format!("{sent} packets in 40 ticks, at most {most}"), (most - 3..=most).contains(&sent), true)?;
    // Packets that are sent again go first, and keep to the rate.
    bench.run(message(0, 0, 30))?;
    let (mut again, mut new) = (0, 0);
    let (from, mut last) = (bench.clocks(), 0);
    for clock in 0..64 * 60 {
        let seen = bench.step(Inputs { send: Some(clock % used), ..Inputs::default() })?;
        again += seen.done.filter(|done| done.kind == 8).map_or(0, |done| done.count);
        if again < 30 {
            new += u32::from(seen.answer.is_some_and(|answer| answer.reason == 0));
            last = bench.clocks();
        }
    }
    // One before the first look at what is pending, one after the last.
    expect(&format!("{new} new packets"), new <= 2, true)?;
    let ticks = (last - from) / 64;
    expect(&format!("30 packets again in {ticks} ticks"), (19..=23).contains(&ticks), true)?;
    // An operation that needs less than there is leaves the rest.
    bench.run(ack(40))?;
    bench.idle(64 * 30)?;
    bench.run(Ask::Feedback(0, Feedback::Manage { start: 50, length: 1 }))?;
    bench.idle(63)?;
    expect("tokens", bench.golden.tokens() >= 4, true)?;
    expect("new packets", bench.send(0, 4)?, 4)
}

/// What an empty bucket and its tick leave is gone: it is full, and no more.
fn rate_after_reset(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let registers = Registers { rate: Some((1000, 5)), prescale: 64, ..with(patient()) };
    for _ in 0..2 {
        let mut bench = started(&mut *model, shape, registers, 0, 5)?;
        for _ in 0..64 * 4 + 32 {
            bench.step(Inputs { send: Some(0), ..Inputs::default() })?;
        }
    }
    Ok(())
}

fn dedup(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let registers = Registers { config: Config { dedup: 10, ..patient() }, prescale: 64, ..Registers::default() };
    let mut bench = started(model, shape, registers, 0, 8)?;
    expect("at first", bench.run(message(0, 2, 1))?.count, 1)?;
    expect("again at once", bench.run(message(0, 2, 1))?.count, 0)?;
    bench.idle(100)?;
    let mut ticks = 0;
    while bench.run(message(0, 2, 1))?.count == 0 {
        bench.idle(64 - 30)?;
        ticks += 1;
        expect("ever", ticks < 100, true)?;
    }
    expect("packets sent again", bench.counts.sent_again, 1)?;
    bench.idle(100)?;
    expect("management", bench.run(Ask::Feedback(0, Feedback::Manage { start: 2, length: 1 }))?.count, 1)?;
    bench.idle(100)?;
    expect("packets sent again", bench.counts.sent_again, 3)
}

fn impossible(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let mut bench = started(model, shape, with(patient()), 0, 8)?;
    bench.run(ack(3))?;
    for bad in [
        ack(2),
        ack(8),
        ack(psn::HALF),
        ack(psn::HALF + 3),
        Ask::Feedback(shape.queue_pairs - 1, Feedback::Ack { psn: 5, credits: 31 }),
        Ask::Feedback(0, Feedback::Range { base: 4, start: 4, length: 0 }),
        Ask::Feedback(0, Feedback::Range { base: 4, start: 4, length: 5 }),
        Ask::Feedback(0, Feedback::Range { base: 4, start: 3, length: 1 }),
        Ask::Feedback(0, Feedback::Range { base: 9, start: 5, length: 1 }),
        Ask::Feedback(0, Feedback::Range { base: 4, start: 5, length: u32::MAX }),
        Ask::Feedback(0, Feedback::Range { base: 4, start: 5, length: 1 << 24 }),
        Ask::Feedback(0, Feedback::Unknown { kind: 5 }),
        Ask::Feedback(0, Feedback::Unknown { kind: 6 }),
        Ask::Feedback(0, Feedback::Unknown { kind: 7 }),
        Ask::Feedback(0, Feedback::Single { psn: 8 }),
        Ask::Feedback(0, Feedback::Single { psn: 3 }),
    ] {
        let alone = shape.queue_pairs == 1 && bad.qp() == 0 && bad == ack(5);
        if !alone {
            expect(&format!("{bad:x?}"), bench.run(bad)?.accepted, false)?;
        }
    }
    for (start, length, fresh) in [
        (0, 0, 0),
        (0, u32::MAX, 0),
        (8, 100, 0),
        (psn::sub(4, 100), 100, 0),
        (psn::sub(4, 100), 101, 1),
        (psn::HALF + 4, psn::HALF - 1, 0),
        (6, 1 << 20, 2),
    ] {
        expect(&format!("{start:x} and {length:x}"), bench.run(message(4, start, length))?.count, fresh)?;
    }
    bench.idle(100)?;
    expect("base", (bench.golden.base(0), bench.golden.next(0)), (Some(4), Some(8)))
}

fn told(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let mut bench = started(model, shape, with(patient()), 0, shape.window)?;
    let said = |psn, credits| Ask::Feedback(0, Feedback::Ack { psn, credits });
    expect("full", bench.send(0, 1)?, 0)?;
    // The whole window from 2 on; less does not move it back; and what was told goes before the base length.
    bench.run(said(1, 22))?;
    expect("two more", bench.send(0, 5)?, 2)?;
    bench.run(said(9, 4))?;
    bench.run(ack(12))?;
    expect("no more", bench.send(0, 5)?, 0)?;
    bench.run(said(shape.window, 5))?;
    expect("31 more", bench.send(0, 100)?, 31)
}

fn stalled(model: &mut dyn Model, shape: Shape) -> Result<(), String> {
    let registers = Registers { config: Config { rto: 30, retry_limit: 1, ..Config::DEFAULT }, prescale: 64, ..Registers::default() };
    let mut bench = started(model, shape, registers, 0, 8)?;
    bench.run(Ask::Feedback(0, Feedback::Manage { start: 0, length: 3 }))?;
    for _ in 0..200 {
        bench.step(Inputs { stall: true, ..Inputs::default() })?;
    }
    expect("operations while nothing is taken", bench.counts.done[8] <= 1, true)?;
    bench.idle(300)?;
    expect("operations", bench.counts.done[8], 3)?;
    for _ in 0..64 * 40 + 32 * shape.queue_pairs {
        bench.step(Inputs { stall: true, ..Inputs::default() })?;
    }
    expect("error", bench.golden.in_error(0), true)?;
    bench.idle(20)?;
    bench.finish()
}
