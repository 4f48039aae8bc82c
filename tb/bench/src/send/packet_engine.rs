//! `PacketEngine` against the golden packets, byte by byte. The bench plays operation table, send buffer and wire.

mod follow;
mod places;
mod without_a_frame;

use crate::pins::{Pins, chance, random};
use crate::wire::control_builder::configure;
use follow::{Follow, Operation, Told};
use places::Places;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::packets::Sender;
use rdma_rtl_golden::send::splitter::Segment;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;
pub use without_a_frame::without_a_frame;

/// Clocks without a beat after which nothing comes any more: many times what the slowest pace leaves between two.
const STANDSTILL: u64 = 20_000;

/// Sizes of the block.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    pub packet_size: usize,
    pub mask_bits: usize,
    pub index_bits: usize,
    pub slots: usize,
    /// what is sent again lies in the last slot, at a place of its own
    pub refetch: bool,
}

/// How a run goes: percentages of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// an operation is offered
    pub offer: u32,
    /// a read is taken, a beat of payload is there
    pub payload: u32,
    /// a beat is taken by the wire
    pub take: u32,
    /// a packet is to be sent again
    pub again: u32,
    /// operations that fail: of 100 that end, so many are aborted
    pub abort: u32,
    /// operations that are closed while packets of them have not been sent
    pub early: u32,
}

impl Pace {
    /// Nobody waits for anybody, and nothing is lost.
    pub const FULL: Pace = Pace { offer: 100, payload: 100, take: 100, again: 0, abort: 0, early: 0 };
}

/// Bytes of the operations.
#[derive(Clone, Copy, Debug)]
pub enum Sizes {
    /// from one byte to the largest, small and full ones more often, arrivals among them
    Any,
    /// all alike, for nodes that exist, no immediate
    Fixed(usize),
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub frames: u64,
    pub beats: u64,
    /// clocks from the first beat to the last one in which the wire was ready and had nothing
    pub idle: u64,
    pub again: u64,
    pub aborts: u64,
    pub arrivals: u64,
    pub stale: u64,
    pub unknown: u64,
    /// clocks from the first operation to its first beat
    pub latency: u64,
    /// most packets in a row that were sent again while others waited, and the other way round
    pub longest_again: u64,
    pub longest_first: u64,
}

struct Read {
    slot: usize,
    at: usize,
    left: usize,
}

/// Runs `operations` operations of `sizes` through the block.
///
/// Every clock: offered beats stay. Every frame: bytes, and its place in the order of its kind. Every packet: told as sent in the clock
/// after its last beat. At the end: every operation sent as a whole, closed once, everything counted.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, params: &Params, operations: usize, sizes: Sizes, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Pins::new(model).reset(1);
    let (template, nodes) = configure(model, &mut rng);
    let known: Vec<u16> = (0..nodes.len() as u16).filter(|&n| nodes[usize::from(n)].is_some()).collect();
    let sender = Sender { packet_size: params.packet_size as u32, src: rng.random(), each: rng.random() };
    let mut pins = Pins::over(model);
    pins.set("cfg_src", sender.src.into());
    pins.set("cfg_src_each", sender.each.into());
    pins.set("first_go", 1);
    let beat = pins.width("out_data") / 8;
    let mut slots: Vec<Vec<u8>> = vec![vec![0; params.packet_size * params.mask_bits]; params.slots];
    let mut free_slots: Vec<usize> = (0..params.slots - usize::from(params.refetch)).collect();
    let mut places = Places::default();
    let mut indices: VecDeque<usize> = (0..1 << params.index_bits).collect();
    let mut generations = vec![0u32; 1 << params.index_bits];
    let mut follow = Follow::new(sender, template, nodes);
    let mut offered: Option<Operation> = None;
    let (mut again, mut abort, mut close) = (None::<Told>, None, None);
    let mut reads: VecDeque<Read> = VecDeque::new();
    let mut shown = false;
    let (mut bytes, mut held): (Vec<u8>, Option<Vec<u32>>) = (Vec::new(), None);
    let (mut given, mut quiet, mut still, mut pending_idle) = (0, 0u64, 0u64, 0u64);
    let mut begun: Option<u64> = None;
    let start = pins.cycle();
    for _ in 0..(1 << params.index_bits) + 4 {
        pins.clock();
    }
    while given < operations || !follow.over() || quiet < 80 {
        let now = pins.cycle();
        if offered.is_none() && given < operations && chance(&mut rng, pace.offer) {
            let arrival = matches!(sizes, Sizes::Any) && rng.random_range(0..8) == 0;
            let slot = if arrival { Some(0) } else { free_slots.pop() };
            if let (Some(slot), Some(&index)) = (slot, indices.front().filter(|_| slot.is_some())) {
                indices.pop_front();
                let largest = params.packet_size * params.mask_bits;
                let size = match sizes {
                    Sizes::Fixed(size) => size,
                    Sizes::Any => match rng.random_range(0..6) {
                        0 => rng.random_range(1..=8),
                        1 => params.packet_size * rng.random_range(1..=3) - rng.random_range(0..3),
                        2 => rng.random_range(1..=largest.min(40 * beat)),
                        3 if rng.random_range(0..4) == 0 => largest - rng.random_range(0..5),
                        _ => rng.random_range(1..=2 * params.packet_size),
                    },
                };
                let node = match sizes {
                    Sizes::Fixed(_) => known[rng.random_range(0..known.len())],
                    Sizes::Any if rng.random_range(0..20) == 0 => rng.random(),
                    Sizes::Any => rng.random_range(0..follow.nodes() as u16),
                };
                let any = matches!(sizes, Sizes::Any);
                let segment = Segment {
                    command: 0,
                    kind: if arrival { OpKind::Arrival } else { OpKind::Data },
                    last: true,
                    large: rng.random(),
                    target: rng.random::<u64>() >> 1,
                    node,
                    qp: rng.random_range(0..1 << 24),
                    rkey: rng.random(),
                    imm: (any && !arrival && rng.random()).then(|| rng.random()),
                    bytes: if arrival { rng.random() } else { size as u32 },
                    count: if arrival { 1 } else { size.div_ceil(params.packet_size) as u16 },
                    pieces: Vec::new(),
                };
                let op = (generations[index] << params.index_bits) | index as u32;
                generations[index] = generations[index].wrapping_add(1);
                if !arrival {
                    slots[slot].iter_mut().for_each(|byte| *byte = rng.random());
                }
                let payload = if arrival { Vec::new() } else { slots[slot][..size].to_vec() };
                offered = Some(Operation::new(op, segment, (!arrival).then_some(slot), payload));
            }
        }
        let slow = |rng: &mut ChaCha8Rng| rng.random_range(0..4) == 0;
        // At the end the last operation is not kept alive for ever.
        let often = if given < operations { pace.again } else { pace.again.min(10) };
        if again.is_none() && chance(&mut rng, often) && (!params.refetch || places.is_free()) {
            again = follow.pick_again(&mut rng);
            if again.is_none() && !follow.over() && rng.random_range(0..20) == 0 {
                // Of an operation that is no more, or never was.
                again = follow.pick_stale(&mut rng, offered.as_ref().map(|o| o.op)).map(|op| (op, 0, 1));
            }
            if let Some(told) = again.filter(|_| params.refetch) {
                let at = places.take(&mut rng, told) * params.packet_size;
                let payload = follow.payload(told.0, told.1);
                slots[params.slots - 1][at..at + payload.len()].copy_from_slice(&payload);
            }
        }
        if abort.is_none() && pace.abort > 0 && slow(&mut rng) {
            abort = follow.pick_abort(&mut rng, pace.abort);
        }
        if close.is_none() && slow(&mut rng) {
            close = follow.pick_close(&mut rng, chance_of(pace.early), abort, again.map(|a| a.0));
        }

        pins.set("op_valid", offered.is_some().into());
        if let Some(o) = &offered {
            let s = &o.segment;
            pins.set("op_op", o.op.into());
            pins.set("op_slot", o.slot.unwrap_or(0) as u64);
            pins.set("op_count", s.count.into());
            pins.set("op_bytes", s.bytes.into());
            pins.set("op_target", s.target);
            pins.set("op_node", s.node.into());
            pins.set("op_qp", s.qp.into());
            pins.set("op_rkey", s.rkey.into());
            pins.set("op_imm_valid", s.imm.is_some().into());
            pins.set("op_imm", s.imm.unwrap_or_else(|| rng.random()).into());
            pins.set("op_large", s.large.into());
            pins.set("op_kind", (s.kind == OpKind::Arrival).into());
        }
        pins.set("retransmit_valid", again.is_some().into());
        if let Some((op, packet, tries)) = again {
            pins.set("retransmit_op", op.into());
            pins.set("retransmit_packet", packet.into());
            pins.set("retransmit_try", tries.into());
            if params.refetch {
                pins.set("retransmit_place", places.last() as u64);
            }
        }
        pins.set("abort_valid", abort.is_some().into());
        pins.set("abort_op", abort.unwrap_or(0).into());
        pins.set("close_valid", close.is_some().into());
        pins.set("close_op", close.unwrap_or(0).into());
        pins.set("read_ready", (reads.len() < 6 && chance(&mut rng, pace.payload)).into());
        // A beat that was offered stays.
        let shows = reads.front().is_some() && (shown || chance(&mut rng, pace.payload));
        pins.set("payload_valid", shows.into());
        let mut data = random(&mut rng, 8 * beat);
        if let Some(read) = reads.front().filter(|_| shows) {
            for (i, &byte) in slots[read.slot][read.at..read.at + read.left.min(beat)].iter().enumerate() {
                data[i / 4] = data[i / 4] & !(0xff << (8 * (i % 4))) | u32::from(byte) << (8 * (i % 4));
            }
        }
        pins.set_words("payload_data", &data);
        let takes = chance(&mut rng, pace.take);
        pins.set("out_ready", takes.into());
        pins.eval();

        let fail = |text: String| format!("cycle {now}: {text}");
        // What was told of the clock before comes first: a packet that is told has left.
        let told =
            (pins.get("sent_valid") == 1).then(|| (pins.get("sent_op") as u32, pins.get("sent_packet") as u16, pins.get("sent_try") as u8));
        let over = pins.get("op_done_valid") == 1;
        follow.told(told, over, pins.get("sent_op") as u32).map_err(fail)?;
        let mut freed = None;
        if params.refetch {
            for place in places.back(&pins, told)?.into_iter().flatten() {
                let at = place * params.packet_size;
                slots[params.slots - 1][at..at + params.packet_size].iter_mut().for_each(|byte| *byte = rng.random());
            }
            if over {
                freed = follow.slot(pins.get("sent_op") as u32);
            }
        }
        if pins.get("closed_valid") == 1 {
            let done = follow.closed(pins.get("closed_op") as u32).map_err(fail)?;
            if !params.refetch {
                freed = done.slot;
            }
            indices.push_back(done.op as usize & ((1 << params.index_bits) - 1));
        }
        if let Some(slot) = freed {
            free_slots.push(slot);
            // Nobody reads it any more.
            slots[slot].iter_mut().for_each(|byte| *byte = rng.random());
        }
        follow.seen.stale += pins.get("evt_stale");
        follow.seen.unknown += pins.get("evt_unknown_node");
        follow.seen.frames += pins.get("evt_frame");
        let valid = pins.get("out_valid") == 1;
        let what = valid.then(|| [pins.get_words("out_data"), pins.get_words("out_keep"), pins.get_words("out_last")].concat());
        if held.is_some() && held != what {
            return Err(fail("a beat that was offered has changed".into()));
        }
        held = what.filter(|_| !takes);
        let mut moved = told.is_some();
        if valid && takes {
            moved = true;
            if follow.seen.beats == 0 {
                follow.seen.latency = now - begun.unwrap_or(now);
            }
            follow.seen.beats += 1;
            follow.seen.idle += std::mem::take(&mut pending_idle);
            let (data, keep, ends) = (pins.get_words("out_data"), pins.get_words("out_keep"), pins.get("out_last") == 1);
            let kept = keep.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
            if (0..beat).any(|i| (keep[i / 32] >> (i % 32) & 1 == 1) != (i < kept)) || (!ends && kept != beat) {
                return Err(fail(format!("a beat of {kept} of {beat} bytes, last {ends}, keep {keep:x?}")));
            }
            bytes.extend((0..kept).map(|i| (data[i / 4] >> (8 * (i % 4))) as u8));
            if ends {
                follow.frame(&std::mem::take(&mut bytes)).map_err(fail)?;
            }
        } else if follow.seen.beats > 0 && takes {
            pending_idle += 1;
        }
        if pins.get("payload_ready") == 1
            && shows
            && let Some(read) = reads.front_mut()
        {
            let step = read.left.min(beat);
            (read.at, read.left) = (read.at + step, read.left - step);
            if read.left == 0 {
                reads.pop_front();
            }
            shown = false;
        } else {
            shown = shows;
        }
        if pins.get("read_valid") == 1 && pins.get("read_ready") == 1 {
            let read =
                Read { slot: pins.get("read_slot") as usize, at: pins.get("read_offset") as usize, left: pins.get("read_bytes") as usize };
            if read.left == 0 || read.at + read.left > slots[0].len() {
                return Err(fail(format!("{} bytes at {} of slot {}", read.left, read.at, read.slot)));
            }
            reads.push_back(read);
        }
        if pins.get("op_ready") == 1
            && let Some(operation) = offered.take()
        {
            begun.get_or_insert(now);
            given += 1;
            follow.begin(operation);
            moved = true;
        }
        if pins.get("retransmit_ready") == 1
            && let Some((op, packet, tries)) = again.take()
        {
            follow.again(op, packet, tries);
        }
        if pins.get("abort_ready") == 1
            && let Some(op) = abort.take()
        {
            follow.abort(op);
        }
        if pins.get("close_ready") == 1
            && let Some(op) = close.take()
        {
            follow.close(op);
        }
        quiet = if moved || given < operations || !follow.over() { 0 } else { quiet + 1 };
        still = if moved { 0 } else { still + 1 };
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        let too_long = pins.cycle() - start > 3000 * (operations as u64 + 10) + (4 * operations * slots[0].len() / beat) as u64;
        if too_long || still > STANDSTILL {
            return Err(format!("cycle {now}: nothing moves any more: {}", follow.what_is_left()));
        }
    }
    if pins.get("idle") != 1 {
        return Err("not idle at the end".into());
    }
    places.finish()?;
    follow.finish()
}

/// A fraction of a hundred, for those who draw themselves.
fn chance_of(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}
