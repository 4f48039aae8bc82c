//! Two tops that send and receive, face to face: each has commands for the other at the same time, frames are lost both ways.

use super::{Endpoint, NODE_QP};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::splitter::{Block, Command};
use rdma_rtl_golden::wire::{Reader, parse_judged};
use std::collections::{BTreeMap, VecDeque};

/// Where each host's data lies, and where the other one writes.
const SOURCE: u64 = 0x40_0000_0000;
const SOURCE_BYTES: usize = 1 << 18;
const TARGET: u64 = 0x50_0000_0000;
/// Bytes between two targets.
const PLACE: u64 = 1 << 17;
/// Clocks of the wire.
const DELAY: u64 = 200;
/// In ticks of 4 clocks.
const TIMEOUT: u64 = 400;
const BACKOFF_CAP: u64 = 1600;
/// First packet sequence number of either side, where there are some: soon it begins anew.
const FIRST: u32 = 0xff_ffe0;

/// What is sent, and how it goes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    /// of each side
    pub commands: usize,
    /// bytes of the largest
    pub most: u32,
    /// packet size of the profile
    pub packet_size: u32,
    /// percent of the frames that are lost
    pub lost: u32,
    /// clocks after which it must be over
    pub patience: u64,
}

/// What came of it, both sides together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub commands: u64,
    pub operations: u64,
    pub arrivals: u64,
    pub frames: u64,
    pub lost: u64,
    pub clocks: u64,
}

struct Side<'a> {
    endpoint: Endpoint<'a>,
    data: Vec<u8>,
    to_post: VecDeque<Command>,
    posted: BTreeMap<u16, Command>,
    /// arrivals that its host has not been told of
    arrivals: usize,
}

impl Side<'_> {
    fn bytes(&self, command: &Command) -> Vec<u8> {
        let piece = |block: &Block| {
            let at = (block.source - SOURCE) as usize;
            self.data[at..at + block.bytes as usize].iter().copied()
        };
        command.blocks.iter().flat_map(piece).collect()
    }
}

fn commands(rng: &mut ChaCha8Rng, plan: &Plan, node: u16) -> VecDeque<Command> {
    let mut one = |id: usize| {
        let most = if rng.random() { plan.packet_size } else { plan.most };
        let total = rng.random_range(1..=most);
        let pieces = rng.random_range(1..=4u32.min(total));
        let mut block = |i: u32| {
            let bytes = total / pieces + if i == 0 { total % pieces } else { 0 };
            Block { source: SOURCE + rng.random_range(0..(SOURCE_BYTES as u64 - u64::from(bytes))), bytes }
        };
        Command {
            id: id as u16,
            target: TARGET + id as u64 * PLACE,
            node,
            qp: 7,
            blocks: (0..pieces).map(&mut block).collect(),
            arrival: rng.random_bool(0.3),
            imm: rng.random_bool(0.3).then(|| rng.random()),
            ..Command::default()
        }
    };
    (0..plan.commands).map(&mut one).collect()
}

/// Runs it to its end.
/// # Errors
/// What went wrong, with its clock.
pub fn both_ways<'a>(endpoints: [Endpoint<'a>; 2], plan: &Plan) -> Result<Done, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let mut sides = Vec::new();
    for (node, mut endpoint) in endpoints.into_iter().enumerate() {
        while endpoint.read("state")? & 2 == 0 {}
        endpoint.memory.region(TARGET, plan.commands * PLACE as usize);
        let data: Vec<u8> = (0..SOURCE_BYTES).map(|_| rng.random()).collect();
        let cdma = endpoint.cdma.as_mut().ok_or("the top has no CDMA")?.inner_mut();
        cdma.memory().region(SOURCE, SOURCE_BYTES);
        cdma.memory().put(SOURCE, &data);
        let registers = [
            ("source_node", node as u64),
            ("threshold", u64::from(4 * plan.packet_size)),
            ("segment", u64::from(2 * plan.packet_size)),
            ("timeout", TIMEOUT),
            ("backoff_cap", BACKOFF_CAP),
            ("retry_limit", 30),
        ];
        for (register, value) in registers {
            endpoint.write(register, value)?;
        }
        endpoint.set_up_for_all(2)?;
        if endpoint.has("connection") {
            // What this side tells the other one is for the queue pair there that has this side's number.
            let (node, other) = (node as u64, 1 - node as u64);
            let registers = [
                ("feedback_qp", NODE_QP.into()),
                ("rto", TIMEOUT),
                ("rto_cap", BACKOFF_CAP),
                ("rto_limit", 30),
                ("node_index", other),
                ("node_qp", (u64::from(NODE_QP) + node) | 1 << 31),
                ("node", 1),
            ];
            for (register, value) in registers {
                endpoint.write(register, value)?;
            }
            endpoint.connect(other, FIRST)?;
        }
        let to_post = commands(&mut rng, plan, 1 - node as u16);
        let arrivals = to_post.iter().filter(|command| command.arrival).count();
        sides.push(Side { endpoint, data, to_post, posted: BTreeMap::new(), arrivals });
    }
    // those of one side are told to the other's host
    let owed = [sides[1].arrivals, sides[0].arrivals];
    (sides[0].arrivals, sides[1].arrivals) = (owed[0], owed[1]);
    let mut wire: [VecDeque<(u64, Vec<u8>)>; 2] = Default::default();
    let mut done = Done::default();
    let (mut quiet, mut frames) = (0, 0);
    for clock in 0..plan.patience {
        for node in 0..2 {
            let at = |e: String| format!("clock {clock}, node {node}: {e}");
            let other = 1 - node;
            if sides[node].endpoint.commands.as_ref().is_some_and(|stream| stream.waiting() == 0)
                && let Some(command) = sides[node].to_post.pop_front()
            {
                sides[node].endpoint.command(&command);
                sides[node].posted.insert(command.id, command);
            }
            while wire[node].front().is_some_and(|(arrival, _)| *arrival <= clock) {
                if let Some((_, frame)) = wire[node].pop_front() {
                    sides[node].endpoint.frames.packet(&frame, 0);
                }
            }
            sides[node].endpoint.clock();
            for bytes in sides[node].endpoint.transmitted() {
                let frame = parse_judged(&bytes, true, &Reader::registry()).map_err(|e| at(format!("{e}: {bytes:02x?}")))?;
                done.frames += 1;
                if chance(&mut rng, plan.lost) {
                    done.lost += 1;
                } else {
                    wire[other].push_back((clock + DELAY, frame.to_bytes()));
                }
            }
            for entry in sides[node].endpoint.poll().map_err(at)? {
                match entry[23] & 5 {
                    4 => {
                        let id = u16::from_le_bytes([entry[18], entry[19]]);
                        let command =
                            sides[node].posted.remove(&id).ok_or_else(|| at(format!("command {id} ends, which is not under way")))?;
                        let sent = sides[node].bytes(&command);
                        let bytes = u32::from_le_bytes([entry[8], entry[9], entry[10], entry[11]]);
                        if (entry[22], bytes as usize) != (0, sent.len()) {
                            return Err(at(format!(
                                "command {id} of {} bytes ends with status {} and {bytes} bytes",
                                sent.len(),
                                entry[22]
                            )));
                        }
                        let written = sides[other].endpoint.memory.bytes(command.target, sent.len());
                        if written != Some(&sent[..]) {
                            return Err(at(format!("command {id}: memory at {:#x} is not what was sent", command.target)));
                        }
                        done.commands += 1;
                    }
                    1 => {
                        done.arrivals += 1;
                        sides[node].arrivals = sides[node].arrivals.checked_sub(1).ok_or_else(|| at("an arrival too many".into()))?;
                    }
                    _ if entry[22] == 0 => done.operations += 1,
                    _ => return Err(at(format!("an operation ends at the receiver with status {}", entry[22]))),
                }
            }
            sides[node].endpoint.sound().map_err(at)?;
        }
        let over = |side: &Side| side.to_post.is_empty() && side.posted.is_empty() && side.arrivals == 0;
        // an answer that was lost is asked for again after the longest back-off
        let still = frames == done.frames && wire.iter().all(VecDeque::is_empty);
        frames = done.frames;
        quiet = if still && sides.iter().all(over) { quiet + 1 } else { 0 };
        if quiet > 4 * BACKOFF_CAP + 1000 {
            done.clocks = clock;
            break;
        }
    }
    for (node, side) in sides.iter_mut().enumerate() {
        if done.clocks == 0 {
            let left: Vec<u16> = side.posted.keys().copied().collect();
            return Err(format!("node {node}: after {} clocks {} to post, {left:?} under way", plan.patience, side.to_post.len()));
        }
        side.endpoint.settle().map_err(|e| format!("node {node}: {e}"))?;
        for name in ["commands_live", "ops_live", "descriptors_out", "entries_live", "escape_used", "send_state"] {
            let value = side.endpoint.read(name)?;
            if value != 0 {
                return Err(format!("node {node}: `{name}` is {value} in the end"));
            }
        }
        if let Some(address) = side.endpoint.memory.damaged().first() {
            return Err(format!("node {node}: the guard byte at {address:#x} was written"));
        }
        side.endpoint.sound().map_err(|e| format!("node {node}: {e}"))?;
    }
    Ok(done)
}
