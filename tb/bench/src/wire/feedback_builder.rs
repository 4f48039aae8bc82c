//! `FeedbackBuilder` against frames of the golden model, byte by byte.

use super::control_builder::{Node, Template, configure, poke};
use super::outlet::{Came, Outlet};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::SPACE;
use rdma_rtl_golden::bitmap::{Ack, Cause, Ffm, Message, RangeAck};
use rdma_rtl_golden::wire::{Reader, parse_judged};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// The three streams, in the order of the events.
const STREAMS: [&str; 3] = ["ack", "range", "ffm"];

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// of each kind
    pub frames: [u64; 3],
    pub unknown: u64,
    pub beats: u64,
    pub clocks: u64,
    /// least clocks from a message to the first beat of its frame
    pub latency: u64,
    /// most messages of other streams that went between two of one that waited
    pub passed: u64,
}

/// A message, the node that it is for, and the messages that are complete.
type Told = (Message, u16, u32);

fn a_message(rng: &mut ChaCha8Rng, stream: usize) -> Message {
    let number = |rng: &mut ChaCha8Rng| if rng.random_bool(0.1) { SPACE - 1 } else { rng.random_range(0..SPACE) };
    let qp = 0;
    match stream {
        0 => Message::Ack(Ack { qp, psn: number(rng), credits: rng.random_range(0..32) }),
        1 => Message::Range(RangeAck { qp, base: number(rng), start: number(rng), length: number(rng) }),
        _ => Message::Ffm(Ffm {
            qp,
            start: number(rng),
            length: number(rng),
            edge: number(rng),
            base: number(rng),
            timestamp: rng.random(),
            path: rng.random_range(0..16),
            status: [Cause::Depth, Cause::Age, Cause::Stall, Cause::Overtaken, Cause::Repeated][rng.random_range(0..5)],
            depth: rng.random(),
            repeat: rng.random(),
            misjudged: number(rng),
        }),
    }
}

/// Offers a message at its stream.
fn offer(model: &mut dyn Model, (message, node, msn): Told) {
    let mut set = |name: &str, value: u32| poke(model, name, value.into());
    match message {
        Message::Ack(ack) => {
            set("ack_node", node.into());
            set("ack_psn", ack.psn);
            set("ack_msn", msn);
            set("ack_credits", ack.credits.into());
        }
        Message::Range(range) => {
            set("range_node", node.into());
            set("range_base", range.base);
            set("range_start", range.start);
            set("range_length", range.length);
        }
        Message::Ffm(ffm) => {
            set("ffm_node", node.into());
            set("ffm_start", ffm.start);
            set("ffm_length", ffm.length);
            set("ffm_edge", ffm.edge);
            set("ffm_base", ffm.base);
            set("ffm_timestamp", ffm.timestamp);
            set("ffm_path", ffm.path.into());
            set("ffm_status", ffm.status as u32);
            set("ffm_depth", ffm.depth.into());
            set("ffm_repeat", ffm.repeat.into());
            set("ffm_misjudged", ffm.misjudged);
        }
    }
}

fn setup(model: &mut dyn Model, rng: &mut ChaCha8Rng) -> (Template, Vec<Option<Node>>) {
    for name in ["ack_valid", "range_valid", "ffm_valid", "out_ready", "cfg_node_write"] {
        poke(model, name, 0);
    }
    poke(model, "rst", 1);
    model.clock();
    poke(model, "rst", 0);
    configure(model, rng)
}

/// Sends `count` random messages, each stream offering in `offers` percent of the clocks in which it has none, beats taken in `take`
/// percent.
///
/// Every clock: an offered beat stays until it is taken. Every frame: byte by byte what the golden model makes of the message, in the order
/// in which messages were taken; it reads as that message. None waits for more than one of each other stream.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: usize, offers: u32, take: u32, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (template, nodes) = setup(model, &mut rng);
    let port = |model: &dyn Model, name: &str| model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
    let ready = STREAMS.map(|stream| port(model, &format!("{stream}_ready")));
    let made = STREAMS.map(|stream| port(model, &format!("evt_{stream}")));
    let unknown = port(model, "evt_unknown_node");
    let mut outlet = Outlet::new(model);
    let mut frames: VecDeque<(u64, Message, Vec<u8>)> = VecDeque::new();
    let (mut seen, mut missing) = (Seen { latency: u64::MAX, ..Seen::default() }, 0);
    let mut offered: [Option<Told>; 3] = [None; 3];
    let mut passed = [0u64; 3];
    let (mut sent, mut expected) = (0, [0u64; 3]);
    let mut quiet = 0;
    let start = model.cycle();
    while quiet < 20 {
        let now = model.cycle();
        for stream in 0..3 {
            if offered[stream].is_none() && sent < count && chance(&mut rng, offers) {
                sent += 1;
                let far = if rng.random_bool(0.05) { 1 << rng.random_range(0..16) } else { 0 };
                let node = rng.random_range(0..nodes.len()) as u16 ^ far;
                let told = (a_message(&mut rng, stream), node, rng.random_range(0..SPACE));
                offered[stream] = Some(told);
                offer(model, told);
            }
            poke(model, &format!("{}_valid", STREAMS[stream]), offered[stream].is_some().into());
        }
        let takes = chance(&mut rng, take);
        poke(model, "out_ready", takes.into());
        model.eval();
        for (frames, made) in seen.frames.iter_mut().zip(made) {
            *frames += model.peek_u64(made);
        }
        seen.unknown += model.peek_u64(unknown);
        let came = outlet.look(model, takes)?;
        if let Came::Nothing { offered: shows } = came {
            quiet += u64::from(sent == count && !shows && offered.iter().all(Option::is_none));
        } else {
            quiet = 0;
            let Some((told, message, frame)) = frames.front() else { return Err(format!("cycle {now}: a frame without a message")) };
            if let Came::Beat { first: true } | Came::Frame { first: true, .. } = came {
                seen.latency = seen.latency.min(now - told);
            }
            if let Came::Frame { bytes, .. } = came {
                if bytes != *frame {
                    return Err(format!("cycle {now}: frame {bytes:02x?}, expected {frame:02x?}"));
                }
                let read = parse_judged(frame, true, &Reader::registry())
                    .map_err(|reason| format!("cycle {now}: {bytes:02x?} reads as {reason}"))?;
                if read.message(0) != Some(*message) {
                    return Err(format!("cycle {now}: {bytes:02x?} reads as {:?}, expected {message:?}", read.message(0)));
                }
                frames.pop_front();
            }
        }
        let taken: Vec<usize> = (0..3).filter(|&stream| offered[stream].is_some() && model.peek_u64(ready[stream]) == 1).collect();
        if taken.len() > 1 {
            return Err(format!("cycle {now}: streams {taken:?} are taken at once"));
        }
        for stream in taken {
            for other in (0..3).filter(|&other| other != stream && offered[other].is_some()) {
                passed[other] += 1;
                seen.passed = seen.passed.max(passed[other]);
            }
            passed[stream] = 0;
            let Some((message, node, msn)) = offered[stream].take() else { continue };
            match nodes.get(usize::from(node)).copied().flatten() {
                Some(node) => {
                    expected[stream] += 1;
                    frames.push_back((now, message, template.bytes(message.frame(node.qp, msn), &node)));
                }
                None => missing += 1,
            }
        }
        model.clock();
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        if model.cycle() - start > 2000 * (count as u64 + 10) {
            return Err(format!("cycle {now}: nothing moves any more"));
        }
    }
    if !frames.is_empty() || outlet.is_inside() {
        return Err(format!("{} frames never came", frames.len()));
    }
    if seen.unknown != missing || seen.frames != expected {
        return Err(format!("{:?} frames and {} unknown nodes counted, expected {expected:?} and {missing}", seen.frames, seen.unknown));
    }
    if seen.passed > 2 {
        return Err(format!("a message has waited for {} others", seen.passed));
    }
    seen.beats = outlet.beats;
    seen.clocks = model.cycle() - start;
    Ok(seen)
}
