//! Two tops that send and receive, face to face: each has commands for the other at the same time, over a network that is bad both ways.

use super::{Endpoint, NODE_QP};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::splitter::{Block, Command};
use rdma_rtl_golden::wire::{FrameError, Reader, parse, parse_judged};
use rdma_rtl_sim::network::{self, Network};
use std::collections::{BTreeMap, VecDeque};

/// Where each host's data lies, and where the other one writes.
const SOURCE: u64 = 0x40_0000_0000;
const SOURCE_BYTES: usize = 1 << 18;
const TARGET: u64 = 0x50_0000_0000;
/// Bytes between two targets.
const PLACE: u64 = 1 << 17;
/// Picoseconds of a clock.
const CLOCK: u64 = 3103;
/// In ticks of 4 clocks.
const TIMEOUT: u64 = 400;
const BACKOFF_CAP: u64 = 1600;
/// First packet sequence number of either side, where there are some: soon it begins anew.
const FIRST: u32 = 0xff_ffe0;

/// Nodes 0 and 1.
const SIDES: [network::Side; 2] = [network::Side::A, network::Side::B];

/// What is sent, and how it goes.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    /// of each side
    pub commands: usize,
    /// bytes of the largest
    pub most: u32,
    /// packet size of the profile
    pub packet_size: u32,
    pub network: network::Config,
    /// clocks after which it must be over
    pub patience: u64,
}

/// What came of it, both sides together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub commands: u64,
    pub operations: u64,
    pub arrivals: u64,
    pub immediates: u64,
    pub frames: u64,
    pub lost: u64,
    /// frames sent again, in the transport profiles *combined* and *bitmap* those that were asked for by their number
    pub again: u64,
    pub clocks: u64,
}

struct Side<'a> {
    endpoint: Endpoint<'a>,
    data: Vec<u8>,
    to_post: VecDeque<Command>,
    posted: BTreeMap<u16, Command>,
    /// arrivals and immediates that its host has not been told of
    arrivals: usize,
    immediates: Vec<u32>,
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

/// Commands for `node`, in the transport profile *bitmap* for its queue pair `plain`.
fn commands(rng: &mut ChaCha8Rng, plan: &Plan, node: u16, plain: Option<u32>) -> VecDeque<Command> {
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
            qp: plain.unwrap_or(7),
            blocks: (0..pieces).map(&mut block).collect(),
            // Of operations nothing is known where there is no registry.
            arrival: rng.random_bool(0.3) && plain.is_none(),
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
            ("timeout_floor", TIMEOUT),
            ("ack_delay", 0),
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
        // A queue pair takes data and what is told of it.
        let plain = endpoint.has("data_qp").then_some(NODE_QP + node as u32);
        if plain.is_some() {
            endpoint.write("data_qp", NODE_QP.into())?;
        }
        let to_post = commands(&mut rng, plan, 1 - node as u16, plain);
        sides.push(Side { endpoint, data, to_post, posted: BTreeMap::new(), arrivals: 0, immediates: Vec::new() });
    }
    let plain = sides[0].endpoint.has("data_qp");
    let reader = if plain { Reader::default() } else { Reader::registry() };
    for node in 0..2 {
        let commands = &sides[1 - node].to_post;
        let (arrivals, immediates) = (commands.iter().filter(|c| c.arrival).count(), commands.iter().filter_map(|c| c.imm).collect());
        (sides[node].arrivals, sides[node].immediates) = (arrivals, immediates);
    }
    let mut network = Network::<Vec<u8>>::new(&plan.network).map_err(|e| e.to_string())?;
    let mut done = Done::default();
    let (mut quiet, mut frames) = (0, 0);
    for clock in 0..plan.patience {
        for arrival in network.poll(clock * CLOCK) {
            // the MAC side's word on the ICRC
            let wrong = arrival.corrupted && parse(&arrival.frame, false, &reader) == Err(FrameError::BadIcrc);
            sides[arrival.to as usize].endpoint.frames.packet(&arrival.frame, if wrong { 2 } else { 0 });
        }
        for node in 0..2 {
            let at = |e: String| format!("clock {clock}, node {node}: {e}");
            let other = 1 - node;
            if sides[node].endpoint.commands.as_ref().is_some_and(|stream| stream.waiting() == 0)
                && let Some(command) = sides[node].to_post.pop_front()
            {
                sides[node].endpoint.command(&command);
                sides[node].posted.insert(command.id, command);
            }
            sides[node].endpoint.clock();
            for bytes in sides[node].endpoint.transmitted() {
                let frame = parse_judged(&bytes, true, &reader).map_err(|e| at(format!("{e}: {bytes:02x?}")))?;
                done.frames += 1;
                network.send(clock * CLOCK, SIDES[node], frame.to_bytes());
            }
            for entry in sides[node].endpoint.poll().map_err(at)? {
                if entry[23] & 2 == 2 {
                    let imm = u32::from_le_bytes([entry[12], entry[13], entry[14], entry[15]]);
                    let owed = sides[node].immediates.iter().position(|owed| *owed == imm);
                    sides[node].immediates.swap_remove(owed.ok_or_else(|| at(format!("immediate {imm:#x} too many")))?);
                    done.immediates += 1;
                    // Everything before it is there; what its sender was told of has been compared.
                    if plain && let Some(command) = sides[other].posted.values().find(|command| command.imm == Some(imm)) {
                        let sent = sides[other].bytes(command);
                        if sides[node].endpoint.memory.bytes(command.target, sent.len()) != Some(&sent[..]) {
                            return Err(at(format!("immediate {imm:#x}: memory at {:#x} is not what was sent", command.target)));
                        }
                    }
                }
                match entry[23] & 5 {
                    4 => {
                        let id = u16::from_le_bytes([entry[20], entry[21]]);
                        let command =
                            sides[node].posted.remove(&id).ok_or_else(|| at(format!("command {id} ends, which is not under way")))?;
                        let sent = sides[node].bytes(&command);
                        let bytes = u32::from_le_bytes([entry[8], entry[9], entry[10], entry[11]]);
                        if (entry[60], bytes as usize) != (0, sent.len()) {
                            return Err(at(format!(
                                "command {id} of {} bytes ends with status {} and {bytes} bytes",
                                sent.len(),
                                entry[60]
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
                    _ if entry[60] == 0 => done.operations += 1,
                    _ => return Err(at(format!("an operation ends at the receiver with status {}", entry[60]))),
                }
            }
            sides[node].endpoint.sound().map_err(at)?;
        }
        let over = |side: &Side| side.to_post.is_empty() && side.posted.is_empty() && side.arrivals == 0 && side.immediates.is_empty();
        // an answer that was lost is asked for again after the longest back-off
        let still = frames == done.frames && network.in_flight() == 0;
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
            let value = if side.endpoint.has(name) { side.endpoint.read(name)? } else { 0 };
            if value != 0 {
                return Err(format!("node {node}: `{name}` is {value} in the end"));
            }
        }
        if let Some(address) = side.endpoint.memory.damaged().first() {
            return Err(format!("node {node}: the guard byte at {address:#x} was written"));
        }
        side.endpoint.sound().map_err(|e| format!("node {node}: {e}"))?;
        let again = ["count_selective_retransmissions", "count_retransmissions"].into_iter().find(|name| side.endpoint.has(name));
        done.again += again.map_or(Ok(0), |name| side.endpoint.read(name))?;
        done.lost += network.stats(SIDES[node]).lost_random;
    }
    Ok(done)
}
