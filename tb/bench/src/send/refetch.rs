//! `Refetch` against the golden model: what decides, the CDMA, the packet engine and the op table are played.
//!
//! Operations begin, packets of them are wanted again, they are closed, and their index is used again. What the golden model says of each
//! event is checked in its clock.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::refetch::{End, Params, Pull, Refetch, Wanted};
use rdma_rtl_golden::send::splitter::{Block, Segment};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Packets that may be pulled at a time.
pub const PLACES: usize = 32;
/// Clocks without an event after which nothing comes any more.
const STANDSTILL: u64 = 2000;

/// How a run goes: percent of the clocks, where nothing else is said.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet is wanted
    pub offer: u32,
    /// an operation is closed, with an abort before it in half of the cases
    pub close: u32,
    /// each stream is taken
    pub take: u32,
    /// the CDMA answers
    pub answer: u32,
    /// percent of pulls that fail
    pub fail: u32,
    /// the packet engine has sent a packet, or thrown it away
    pub send: u32,
    /// percent of operations that are data arrivals
    pub arrivals: u32,
}

impl Pace {
    /// Never a pause, nothing fails.
    pub const FULL: Pace = Pace { offer: 100, close: 2, take: 100, answer: 100, fail: 0, send: 100, arrivals: 0 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub clocks: u64,
    pub pulls: u64,
    pub again: u64,
    pub failed: u64,
    pub aborts: u64,
    pub closes: u64,
    /// packets that went on without a load: of data arrivals, and of operations that were closed
    pub arrivals: u64,
    pub closed: u64,
    /// packets whose bytes lay in more than one piece
    pub cut: u64,
    /// clocks in which every place was used, and in which an end waited for a pull
    pub full: u64,
    pub behind: u64,
    /// shortest: packet to load, close to `close_out`
    pub latency: [Option<u64>; 2],
}

fn shortest(best: &mut Option<u64>, found: u64) {
    *best = Some(best.map_or(found, |best| best.min(found)));
}

struct Live {
    op: u32,
    segment: Segment,
}

fn segment(rng: &mut ChaCha8Rng, params: &Params, arrivals: u32) -> Segment {
    let arrival = chance(rng, arrivals);
    let most = params.slot_bytes as u32;
    // From one packet to as many as there may be, in up to four pieces, of which any may be missing.
    let bytes = if rng.random_bool(0.2) { most - rng.random_range(0..3) } else { rng.random_range(1..=4 * params.packet_size) };
    let mut left = bytes;
    let mut pieces = Vec::new();
    for i in 0..4 {
        let take = if i == 3 { left } else { rng.random_range(0..=left.min(3 * params.packet_size)) };
        let take = if rng.random_bool(0.3) && i < 3 { 0 } else { take };
        left -= take;
        pieces.push(Block { source: rng.random(), bytes: take });
    }
    Segment {
        command: 0,
        kind: if arrival { OpKind::Arrival } else { OpKind::Data },
        last: true,
        large: false,
        target: 0,
        node: 0,
        qp: 0,
        rkey: 0,
        imm: None,
        bytes,
        count: if arrival { 1 } else { bytes.div_ceil(params.packet_size) as u16 },
        pieces,
    }
}

/// `count` packets are wanted. At the end everything has gone on, failed or been closed, and every place is free.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, params: Params, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let base = 0x4400_0000_0000 + params.slots * params.slot_bytes;
    pins.set("cfg_buffer_base", base);
    pins.reset(2);
    let tries = 1u8 << pins.width("wanted_try");
    let mut golden = Refetch::new(params, base);
    let mut seen = Seen::default();
    // Few indices, so that each is used often.
    let mut free: VecDeque<u32> = (0..6.min(params.ops as u32)).map(|index| (1 << OP_BITS) - params.ops as u32 + index).collect();
    let mut live: Vec<Live> = Vec::new();
    let mut gone: Vec<u32> = Vec::new();
    let mut wanted: Option<Wanted> = None;
    let (mut abort, mut close): (Option<u32>, Option<u32>) = (None, None);
    let mut closes_next: Option<u32> = None;
    let mut loads: Vec<usize> = Vec::new();
    let mut answer: Option<(usize, u8)> = None;
    let mut sending: Vec<usize> = Vec::new();
    let (mut asked, mut came, mut closed_at): (u64, Option<u64>, VecDeque<u64>) = (0, None, VecDeque::new());
    let mut held: Vec<(&str, Vec<u64>)> = Vec::new();
    let mut quiet = 0;
    let start = pins.cycle();
    while asked < count || wanted.is_some() || !live.is_empty() || !golden.idle() || abort.is_some() || close.is_some() {
        let now = pins.cycle();
        let mut moved = false;
        // An operation begins.
        let mut begins = None;
        if asked < count
            && chance(&mut rng, 5)
            && let Some(op) = free.pop_front()
        {
            let segment = segment(&mut rng, &params, pace.arrivals);
            begins = Some(Live { op, segment });
        }
        pins.set("keep_valid", begins.is_some().into());
        if let Some(Live { op, segment }) = &begins {
            pins.set("keep_op", (*op).into());
            pins.set("keep_kind", segment.kind as u64);
            let sources: Vec<u32> = segment.pieces.iter().flat_map(|piece| [piece.source as u32, (piece.source >> 32) as u32]).collect();
            let lengths: Vec<u32> = segment.pieces.iter().map(|piece| piece.bytes).collect();
            pins.set_words("keep_sources", &sources);
            pins.set_words("keep_lengths", &lengths);
        }
        if wanted.is_none() && asked < count && chance(&mut rng, pace.offer) {
            let tries = rng.random_range(1..tries);
            // Now and then of an operation that is no more, mostly of the last one: nobody has its index yet.
            wanted = match rng.random_range(0..8) {
                0 if !gone.is_empty() => {
                    let back = if rng.random_bool(0.8) { 1 } else { rng.random_range(1..=gone.len()) };
                    Some(Wanted { op: gone[gone.len() - back], packet: 0, tries })
                }
                _ if !live.is_empty() => {
                    let Live { op, segment } = &live[rng.random_range(0..live.len())];
                    Some(Wanted { op: *op, packet: rng.random_range(0..segment.count), tries })
                }
                _ => None,
            };
            asked += u64::from(wanted.is_some());
            came = came.or(wanted.map(|_| now));
        }
        let ends = if asked < count { pace.close } else { 30 };
        let before = close.is_some();
        // Nothing of it may be wanted behind its close.
        let over = live.iter().position(|live| wanted.is_none_or(|wanted| wanted.op != live.op));
        if abort.is_none()
            && close.is_none()
            && closes_next.is_none()
            && let Some(at) = over.filter(|_| chance(&mut rng, ends))
        {
            let Live { op, .. } = live.remove(at);
            if rng.random() {
                (abort, closes_next) = (Some(op), Some(op));
            } else {
                close = Some(op);
            }
        } else if abort.is_none() && close.is_none() {
            close = closes_next.take();
        }
        if close.is_some() && !before {
            closed_at.push_back(now);
        }
        if answer.is_none() && !loads.is_empty() && chance(&mut rng, pace.answer) {
            // One that is refused is answered out of turn.
            let status = if chance(&mut rng, pace.fail) { rng.random_range(33..=35) } else { 0 };
            let at = if status == 35 { rng.random_range(0..loads.len()) } else { 0 };
            answer = Some((loads.remove(at), status));
        }
        for (name, op) in [("wanted", wanted.map(|wanted| wanted.op)), ("abort", abort), ("close", close)] {
            pins.set(&format!("{name}_valid"), op.is_some().into());
            pins.set(&format!("{name}_op"), op.unwrap_or_else(|| rng.random_range(0..1 << OP_BITS)).into());
        }
        if let Some(wanted) = wanted {
            pins.set("wanted_packet", wanted.packet.into());
            pins.set("wanted_try", wanted.tries.into());
        }
        pins.set("loaded_valid", answer.is_some().into());
        let (place, status) = answer.unwrap_or_else(|| (rng.random_range(0..PLACES), rng.random()));
        pins.set("loaded_place", place as u64);
        pins.set("loaded_status", status.into());
        let mut sent = [None; 2];
        for (name, sent) in ["done", "dropped"].into_iter().zip(&mut sent) {
            if !sending.is_empty() && chance(&mut rng, pace.send) {
                *sent = Some(sending.swap_remove(rng.random_range(0..sending.len())));
            }
            pins.set(&format!("{name}_valid"), sent.is_some().into());
            pins.set(&format!("{name}_place"), sent.unwrap_or_else(|| rng.random_range(0..PLACES)) as u64);
        }
        for name in ["load", "again", "fail", "abort_out", "close_out"] {
            pins.set(&format!("{name}_ready"), chance(&mut rng, pace.take).into());
        }
        pins.eval();

        let fail = |text: String| format!("cycle {now}: {text}");
        let say = |e: rdma_rtl_golden::registry::Mismatch| format!("cycle {now}: {e}");
        let valid = |pins: &Pins, name: &str| pins.get(&format!("{name}_valid")) == 1;
        let fires = |pins: &Pins, name: &str| pins.get(&format!("{name}_valid")) == 1 && pins.get(&format!("{name}_ready")) == 1;
        // What was offered stays.
        let of = |pins: &Pins, names: &[&str]| names.iter().map(|name| pins.get(name)).collect::<Vec<u64>>();
        let streams: [(&str, &[&str]); 5] = [
            ("load", &["load_place", "load_destination"]),
            ("again", &["again_op", "again_packet", "again_try", "again_place"]),
            ("fail", &["fail_op", "fail_status"]),
            ("abort_out", &["end_op"]),
            ("close_out", &["end_op"]),
        ];
        for (name, values) in &held {
            let fields = streams.iter().find(|stream| stream.0 == *name).map(|stream| of(&pins, stream.1));
            if !valid(&pins, name) || fields.as_ref() != Some(values) {
                return Err(fail(format!("`{name}` was offered and has changed")));
            }
        }
        let waits = streams.iter().filter(|(name, _)| valid(&pins, name) && !fires(&pins, name));
        held = waits.map(|(name, fields)| (*name, of(&pins, fields))).collect();

        pins.check("idle", golden.idle().into())?;
        if fires(&pins, "load") {
            let (sources, lengths) = (pins.get_words("load_sources"), pins.get_words("load_lengths"));
            let block = |i: usize| Block { source: u64::from(sources[2 * i]) | u64::from(sources[2 * i + 1]) << 32, bytes: lengths[i] };
            let pieces: Vec<Block> = (0..4).map(block).filter(|piece| piece.bytes > 0).collect();
            seen.cut += u64::from(pieces.len() > 1);
            let pull = Pull { place: pins.get("load_place") as usize, pieces, destination: pins.get("load_destination") };
            golden.load(&pull).map_err(say)?;
            if seen.pulls == 0 && seen.again == 0 {
                shortest(&mut seen.latency[0], now - came.unwrap_or(now));
            }
            seen.pulls += 1;
            loads.push(pull.place);
            moved = true;
        }
        if (pins.get("evt_pulls") == 1) != fires(&pins, "load") {
            return Err(fail("`evt_pulls` and what is loaded differ".into()));
        }
        if valid(&pins, "again") {
            let [op, packet, tries, place] = ["op", "packet", "try", "place"].map(|name| pins.get(&format!("again_{name}")));
            let wanted = Wanted { op: op as u32, packet: packet as u16, tries: tries as u8 };
            if fires(&pins, "again") {
                let pulled = golden.pulled(place as usize);
                golden.again(wanted, place as usize).map_err(say)?;
                let arrives = live.iter().any(|live| live.op == wanted.op && live.segment.kind == OpKind::Arrival);
                seen.arrivals += u64::from(!pulled && arrives);
                seen.closed += u64::from(!pulled && gone.contains(&wanted.op));
                seen.again += 1;
                sending.push(place as usize);
                moved = true;
            }
        }
        let (is_good, is_bad) = (answer.is_some_and(|(_, status)| status == 0), answer.is_some_and(|(_, status)| status != 0));
        if valid(&pins, "fail") != is_bad {
            return Err(fail(format!("`fail_valid` is {}, the answer is {answer:?}", valid(&pins, "fail"))));
        }
        let taken = pins.get("loaded_ready") == 1;
        if (is_good && !taken) || (is_bad && taken != fires(&pins, "fail")) {
            return Err(fail(format!("the answer {answer:?} and what follows from it are not taken in one clock")));
        }
        if let Some((place, status)) = answer.filter(|_| taken) {
            let op = golden.loading(place).map_err(say)?;
            if is_bad && (pins.get("fail_op"), pins.get("fail_status")) != (op.into(), status.into()) {
                return Err(fail(format!(
                    "op {:#06x} fails with {}, expected {op:#06x} with {status}",
                    pins.get("fail_op"),
                    pins.get("fail_status")
                )));
            }
            golden.loaded(place, status).map_err(say)?;
            seen.failed += u64::from(is_bad);
            answer = None;
            moved = true;
        }
        for place in sent.into_iter().flatten() {
            golden.done(place).map_err(say)?;
            moved = true;
        }
        seen.full += u64::from(golden.full());
        for (name, end) in [("abort_out", End::Abort as fn(u32) -> End), ("close_out", End::Close as fn(u32) -> End)] {
            if valid(&pins, name) {
                let op = pins.get("end_op") as u32;
                golden.ends(end(op)).map_err(say)?;
                if fires(&pins, name) {
                    golden.ended();
                    moved = true;
                    if name == "abort_out" {
                        seen.aborts += 1;
                    } else {
                        seen.closes += 1;
                        shortest(&mut seen.latency[1], now - closed_at.pop_front().unwrap_or(0));
                        gone.push(op);
                        gone.drain(..gone.len().saturating_sub(8));
                        free.push_back((op + params.ops as u32) % (1 << OP_BITS));
                    }
                }
            }
        }
        seen.behind += u64::from(golden.behind());
        // What comes in counts from the next clock on.
        if fires(&pins, "wanted")
            && let Some(one) = wanted.take()
        {
            golden.wanted(one);
            moved = true;
        }
        if fires(&pins, "abort")
            && let Some(op) = abort.take()
        {
            golden.end(End::Abort(op));
            moved = true;
        }
        if fires(&pins, "close")
            && let Some(op) = close.take()
        {
            golden.end(End::Close(op));
            moved = true;
        }
        if let Some(begun) = begins {
            golden.keep(begun.op, &begun.segment);
            live.push(begun);
            moved = true;
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        quiet = if moved { 0 } else { quiet + 1 };
        if quiet > STANDSTILL {
            return Err(fail(format!("nothing moves any more: {golden:x?}")));
        }
    }
    pins.eval();
    pins.check("idle", 1)?;
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
