//! Bench of `PacketEngine`: every frame byte by byte against the golden model's, every `sent` one clock behind its frame, every release behind all that names its
//! index.
//!
//! In which order the packets of an operation and what is asked for besides take turns is the engine's choice; each of the two is in order.

use crate::pins::chance;
use crate::wire::control_builder::{Node, Template, mac, poke, set_hops};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{Bth, Control, Frame, Ip, OpEth, Opcode, Reth};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Channel, ChannelCheck};
use std::collections::{HashMap, HashSet, VecDeque};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Sizes of the design.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub packet_size: u32,
    pub mask_bits: u32,
    pub ops: u16,
    pub slots: u16,
    pub nodes: u16,
}

/// How a run goes, in percent of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// an operation, a repetition, an abort or a fence is offered
    pub offer: u32,
    /// a beat is taken
    pub take: u32,
    /// repetitions per hundred packets that were sent
    pub again: u32,
    /// only full packets to known nodes
    pub full: bool,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub frames: u64,
    pub again: u64,
    pub arrivals: u64,
    pub aborts: u64,
    pub unknown: u64,
    pub released: u64,
    pub beats: u64,
    /// clocks without a beat although a second operation waits behind the one that is being sent
    pub bubbles: u64,
    /// from the first operation to its first beat
    pub latency: u64,
}

#[derive(Clone, Debug)]
struct Operation {
    op: u16,
    arrival: bool,
    large: bool,
    slot: u16,
    target: u64,
    node: u16,
    qp: u32,
    rkey: u32,
    imm: Option<u32>,
    bytes: u32,
    count: u16,
}

/// What is asked for besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Again { op: u16, packet: u8 },
    Abort { op: u16 },
    Fence { index: u16 },
}

/// Byte `at` of packet `packet` in slot `slot`.
fn byte(slot: u16, packet: u8, at: u32) -> u8 {
    let mixed = (u32::from(slot) << 20 ^ u32::from(packet) << 12 ^ at).wrapping_mul(0x9e37_79b1);
    (mixed >> 23) as u8
}

struct World {
    sizes: Sizes,
    template: Template,
    own: u16,
    nodes: Vec<Option<Node>>,
}

impl World {
    /// `None`: there is no such node.
    fn frame(&self, o: &Operation, packet: u8, again: bool, abort: bool) -> Option<Vec<u8>> {
        let node = (*self.nodes.get(usize::from(o.node))?)?;
        let p = self.sizes.packet_size;
        let at = u32::from(packet) * p;
        let sequence = u32::from(o.op) << 8 | u32::from(packet);
        let mut frame = if o.arrival || abort {
            let mut frame = Frame::new(Bth::new(Opcode::DATA_ARRIVAL, o.qp, 0));
            let bytes = o.bytes.into();
            frame.control = Some(Control::DataArrival { op: o.op, src: self.own, status: abort.into(), address: o.target, bytes });
            frame
        } else {
            let last = u16::from(packet) + 1 == o.count;
            let imm = o.imm.filter(|_| last);
            let opcode = if imm.is_some() { Opcode::WRITE_ONLY_IMM } else { Opcode::WRITE_ONLY };
            let mut frame = Frame::new(Bth::new(opcode, o.qp, sequence));
            let bytes = if last { o.bytes - at } else { p };
            let start = packet == 0;
            let length = if start { o.bytes } else { bytes };
            frame.reth = Some(Reth { address: o.target + u64::from(at), rkey: o.rkey, length });
            frame.imm = imm;
            let count = if start { o.count } else { 0 };
            frame.op_eth = Some(OpEth { kind: start.into(), flags: o.large.into(), op: o.op, count, src: self.own });
            frame.payload = (0..bytes).map(|i| byte(o.slot, packet, i)).collect();
            frame.bth.pad = (4 - bytes % 4) as u8 % 4;
            frame
        };
        frame.bth.reserved6 = again.into();
        let t = &self.template;
        frame.bth.partition_key = t.partition_key;
        frame.destination_mac = mac(node.mac);
        frame.source_mac = mac(t.mac);
        frame.vlan = t.vlan;
        frame.ip = match node.ip {
            Ok(four) => Ip::V4 { source: Ipv4Addr::from(t.ip4), destination: Ipv4Addr::from(four) },
            Err(six) => Ip::V6 { source: Ipv6Addr::from(t.ip6), destination: Ipv6Addr::from(six) },
        };
        frame.traffic_class = t.traffic_class;
        frame.udp_source = t.udp_source;
        let mut bytes = frame.to_bytes();
        let icrc = bytes.len() - 4;
        bytes[icrc..].fill(0);
        set_hops(&mut bytes, 14 + if t.vlan.is_some() { 4 } else { 0 }, t.hop_limit);
        Some(bytes)
    }
}

fn setup(model: &mut dyn Model, sizes: Sizes, rng: &mut ChaCha8Rng) -> World {
    for port in 0..model.ports().len() {
        if model.ports()[port].direction == rdma_rtl_sim::Direction::Input {
            let zero = vec![0; model.ports()[port].words()];
            model.poke(port, &zero);
        }
    }
    poke(model, "rst", 1);
    model.clock();
    poke(model, "rst", 0);
    let template = Template {
        mac: rng.random::<u64>() >> 16,
        ip4: rng.random(),
        ip6: rng.random(),
        vlan: rng.random_bool(0.5).then(|| rng.random()),
        traffic_class: rng.random(),
        hop_limit: rng.random(),
        udp_source: rng.random(),
        partition_key: rng.random(),
    };
    let own = rng.random();
    poke(model, "cfg_node", own as u128);
    poke(model, "cfg_mac", template.mac.into());
    poke(model, "cfg_ip4", template.ip4.into());
    poke(model, "cfg_ip6", template.ip6);
    poke(model, "cfg_vlan_on", template.vlan.is_some().into());
    poke(model, "cfg_vlan", template.vlan.unwrap_or(0xaaaa).into());
    poke(model, "cfg_traffic_class", template.traffic_class.into());
    poke(model, "cfg_hop_limit", template.hop_limit.into());
    poke(model, "cfg_udp_source", template.udp_source.into());
    poke(model, "cfg_partition_key", template.partition_key.into());
    let mut nodes = Vec::new();
    for number in 0..sizes.nodes {
        let node = Node {
            mac: rng.random::<u64>() >> 16,
            ip: match rng.random_range(0..6) {
                0 => Ok(u32::MAX),
                1 => Ok(0),
                2 | 3 => Ok(rng.random()),
                _ => Err(rng.random()),
            },
            qp: 0,
        };
        // Every fourth one is missing.
        let valid = number % 4 != 3;
        poke(model, "cfg_node_write", 1);
        poke(model, "cfg_node_index", number.into());
        poke(model, "cfg_node_mac", node.mac.into());
        poke(model, "cfg_node_six", node.ip.is_err().into());
        poke(model, "cfg_node_ip", node.ip.map_or_else(|six| six, u128::from));
        poke(model, "cfg_node_valid", valid.into());
        model.clock();
        nodes.push(valid.then_some(node));
    }
    poke(model, "cfg_node_write", 0);
    for _ in 0..4 {
        model.clock();
    }
    World { sizes, template, own, nodes }
}

fn operation(rng: &mut ChaCha8Rng, world: &World, index: u16, full: bool) -> Operation {
    let Sizes { packet_size, mask_bits, ops, slots, nodes } = world.sizes;
    let count = rng.random_range(1..=if full { 8 } else { mask_bits.min(20) }) as u16;
    let last = match rng.random_range(0..4) {
        _ if full => packet_size,
        0 => packet_size,
        1 => rng.random_range(1..9),
        _ => rng.random_range(1..=packet_size),
    };
    let arrival = !full && rng.random_ratio(1, 6);
    let data = (u32::from(count) - 1) * packet_size + last;
    Operation {
        op: rng.random::<u16>() & !(ops - 1) | index,
        arrival,
        large: rng.random(),
        slot: rng.random_range(0..slots),
        target: rng.random::<u64>() >> 1 & !u64::from(packet_size - 1),
        node: if full {
            0
        } else if rng.random_ratio(1, 20) {
            rng.random()
        } else {
            rng.random_range(0..nodes)
        },
        qp: rng.random_range(0..1 << 24),
        rkey: rng.random(),
        imm: (!full && rng.random()).then(|| rng.random()),
        bytes: if arrival { rng.random() } else { data },
        count: if arrival { 1 } else { count },
    }
}

fn offer_start(model: &mut dyn Model, o: &Operation) {
    poke(model, "start_op", o.op.into());
    poke(model, "start_kind", o.arrival.into());
    poke(model, "start_large", o.large.into());
    poke(model, "start_slot", o.slot.into());
    poke(model, "start_target", o.target.into());
    poke(model, "start_node", o.node.into());
    poke(model, "start_qp", o.qp.into());
    poke(model, "start_rkey", o.rkey.into());
    poke(model, "start_imm_valid", o.imm.is_some().into());
    poke(model, "start_imm", o.imm.unwrap_or(0x1234_5678).into());
    poke(model, "start_bytes", o.bytes.into());
    poke(model, "start_count", o.count.into());
}

/// What the engine has taken and not yet shown.
#[derive(Default)]
struct Owed {
    starts: VecDeque<(Operation, u8)>,
    asks: VecDeque<Ask>,
    known: HashMap<u16, Operation>,
    /// told in this clock at the latest: op, packet, again
    sent: Option<(u16, u8, bool)>,
}

impl Owed {
    /// The next of each side: operation, packet, again, abort.
    fn candidates(&self, ops: u16) -> Vec<(Operation, u8, bool, bool)> {
        let start = self.starts.front().map(|(o, packet)| (o.clone(), *packet, false, false));
        let ask = self.asks.front().and_then(|ask| match *ask {
            Ask::Again { op, packet } => Some((self.known.get(&(op & (ops - 1)))?.clone(), packet, true, false)),
            Ask::Abort { op } => Some((self.known.get(&(op & (ops - 1)))?.clone(), 0, false, true)),
            Ask::Fence { .. } => None,
        });
        start.into_iter().chain(ask).collect()
    }

    /// Takes away aborts in front that leave no trace: to a node that is not there.
    fn lost_aborts(&mut self, world: &World) -> u64 {
        let mut lost = 0;
        while let Some(Ask::Abort { op }) = self.asks.front()
            && self.known.get(&(op & (world.sizes.ops - 1))).is_some_and(|o| world.frame(o, 0, false, true).is_none())
        {
            self.asks.pop_front();
            lost += 1;
        }
        lost
    }

    fn settle(&mut self, again: bool, abort: bool) {
        if again || abort {
            self.asks.pop_front();
        } else if let Some((o, packet)) = self.starts.front_mut() {
            if u16::from(*packet) + 1 == o.count {
                self.starts.pop_front();
            } else {
                *packet += 1;
            }
        }
    }
}

/// `number` operations with repetitions, aborts and fences, after a reset.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, sizes: Sizes, number: usize, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let world = setup(model, sizes, &mut rng);
    let find = |model: &dyn Model, name: &str| Channel::find(model, name).map_err(|e| e.to_string());
    let mut checks = vec![ChannelCheck::new(model, find(model, "out_")?)];
    let streams = [find(model, "start_")?, find(model, "again_")?, find(model, "abort_")?, find(model, "fence_")?];
    let port = |model: &dyn Model, name: &str| model.port(name).ok_or_else(|| format!("no port `{name}`"));
    let (data, keep) = (port(model, "out_data")?, port(model, "out_keep")?);
    let read = port(model, "read_data")?;
    let beat = model.ports()[data].width / 8;
    let get = |model: &dyn Model, name: &str| model.peek_u64(model.port(name).unwrap_or_default());
    let mask = sizes.ops - 1;

    let mut owed = Owed::default();
    let mut seen = Seen::default();
    let mut free: VecDeque<u16> = (0..sizes.ops).collect();
    // Operations of which so many packets have been sent; those that are to be fenced.
    let mut live: HashMap<u16, (Operation, u16)> = HashMap::new();
    let mut fenced: HashSet<u16> = HashSet::new();
    let mut offered: [Option<Operation>; 1] = [None];
    let mut asks: [Option<Ask>; 3] = [None; 3];
    let mut wishes: VecDeque<Ask> = VecDeque::new();
    let mut reads: VecDeque<Vec<u32>> = VecDeque::from(vec![vec![0; beat.div_ceil(4)]; 2]);
    let (mut begun, mut frame) = (0, Vec::new());
    let (mut first_start, mut first_beat, mut quiet, mut rest) = (None, None, 0, 30);
    let mut counted = [0u64; 4];
    while rest > 0 {
        let done = begun == number && live.is_empty() && owed.starts.is_empty() && owed.asks.is_empty() && offered[0].is_none();
        rest = if done { rest - 1 } else { 30 };
        // Drive.
        if offered[0].is_none()
            && begun < number
            && chance(&mut rng, pace.offer)
            && let Some(index) = free.pop_front()
        {
            let o = operation(&mut rng, &world, index, pace.full);
            offer_start(model, &o);
            offered[0] = Some(o);
            begun += 1;
        }
        for _ in 0..2 {
            if let Some(&wish) = wishes.front()
                && chance(&mut rng, pace.offer)
            {
                let place = match wish {
                    Ask::Again { .. } => 0,
                    Ask::Abort { .. } => 1,
                    Ask::Fence { .. } => 2,
                };
                // A fence is asked for when what goes before it has been taken.
                if asks[place].is_none() && (place < 2 || asks[0].is_none() && asks[1].is_none()) {
                    match wish {
                        Ask::Again { op, packet } => {
                            poke(model, "again_op", op.into());
                            poke(model, "again_packet", packet.into());
                        }
                        Ask::Abort { op } => poke(model, "abort_op", op.into()),
                        Ask::Fence { index } => poke(model, "fence_index", index.into()),
                    }
                    asks[place] = Some(wish);
                    wishes.pop_front();
                }
            }
        }
        streams[0].set_valid(model, offered[0].is_some());
        for (stream, ask) in streams[1..].iter().zip(&asks) {
            stream.set_valid(model, ask.is_some());
        }
        poke(model, "out_ready", chance(&mut rng, pace.take).into());
        let words = reads.pop_front().unwrap_or_default();
        model.poke(read, &words);
        model.eval();

        // Look.
        let now = model.cycle();
        let wrong = |text: String| Err(format!("cycle {now}: {text}"));
        for (count, name) in counted.iter_mut().zip(["evt_packets", "evt_retransmissions", "evt_aborts", "evt_unknown_node"]) {
            *count += get(model, name);
        }
        let (slot, packet, number_of) = (get(model, "read_slot") as u16, get(model, "read_packet") as u8, get(model, "read_beat") as u32);
        let bytes: Vec<u8> = (0..beat as u32)
            .map(|i| number_of * beat as u32 + i)
            .map(|at| if at < sizes.packet_size { byte(slot, packet, at) } else { 0xee })
            .collect();
        reads.push_back(bytes.chunks(4).map(|c| c.iter().rev().fold(0, |word, b| word << 8 | u32::from(*b))).collect());

        let told = (get(model, "sent_valid") == 1)
            .then(|| (get(model, "sent_op") as u16, get(model, "sent_packet") as u8, get(model, "sent_again") == 1));
        if told.is_some() || owed.sent.is_some() {
            let expected = owed.sent.take();
            if told != expected {
                seen.unknown += owed.lost_aborts(&world);
                // A packet for a node that is not there is told without a frame.
                let ghost = owed.candidates(sizes.ops).into_iter().find(|(o, packet, again, abort)| {
                    !abort
                        && expected.is_none()
                        && told == Some((o.op, *packet, *again))
                        && world.frame(o, *packet, *again, false).is_none()
                });
                let Some((_, _, again, _)) = ghost else { return wrong(format!("`sent` is {told:?}, expected {expected:?}")) };
                owed.settle(again, false);
                seen.unknown += 1;
            }
            let (op, packet, again) = told.unwrap_or_default();
            if let Some((o, sent)) = live.get_mut(&(op & mask)) {
                if !again {
                    *sent += 1;
                }
                // Nothing more is asked for once the fence is.
                let open = (*sent < o.count || !again) && !fenced.contains(&(op & mask));
                if open && chance(&mut rng, pace.again) {
                    wishes.push_back(Ask::Again { op, packet: rng.random_range(0..=packet) });
                }
                if *sent == o.count && !again && !fenced.contains(&(op & mask)) {
                    if rng.random_ratio(1, 8) {
                        wishes.push_back(Ask::Abort { op });
                    }
                    wishes.push_back(Ask::Fence { index: op & mask });
                }
            }
        }
        if get(model, "release_valid") == 1 {
            let index = get(model, "release_index") as u16;
            seen.unknown += owed.lost_aborts(&world);
            if owed.asks.pop_front() != Some(Ask::Fence { index }) || owed.starts.iter().any(|(o, _)| o.op & mask == index) {
                return wrong(format!("index {index} is released too early"));
            }
            live.remove(&index);
            fenced.remove(&index);
            free.push_back(index);
            seen.released += 1;
        }
        if get(model, "out_valid") == 1 && get(model, "out_ready") == 1 {
            first_beat.get_or_insert(now);
            seen.beats += 1;
            let mut words = vec![0; model.ports()[data].words()];
            model.peek(data, &mut words);
            let mut kept = vec![0; model.ports()[keep].words()];
            model.peek(keep, &mut kept);
            let count = (0..beat).take_while(|i| kept[i / 32] >> (i % 32) & 1 == 1).count();
            let last = get(model, "out_last") == 1;
            if count == 0 || !last && count < beat || (count..beat).any(|i| kept[i / 32] >> (i % 32) & 1 == 1) {
                return wrong(format!("keep {kept:08x?}, last {last}"));
            }
            frame.extend(words.iter().flat_map(|w| w.to_le_bytes()).take(count));
            if last {
                seen.unknown += owed.lost_aborts(&world);
                let candidates = owed.candidates(sizes.ops);
                let matches = |(o, packet, again, abort): &&(Operation, u8, bool, bool)| {
                    world.frame(o, *packet, *again, *abort).as_ref() == Some(&frame)
                };
                let Some((o, packet, again, abort)) = candidates.iter().find(matches) else {
                    let first = candidates.iter().map(|(o, packet, again, abort)| {
                        let expected = world.frame(o, *packet, *again, *abort).unwrap_or_default();
                        let at = expected.iter().zip(&frame).position(|(a, b)| a != b);
                        format!("{o:?} packet {packet} again {again} abort {abort}: {} bytes, differs at {at:?}", expected.len())
                    });
                    let first: Vec<String> = first.collect();
                    return wrong(format!("a frame of {} bytes is none of {first:#?}", frame.len()));
                };
                seen.frames += 1;
                seen.again += u64::from(*again);
                seen.aborts += u64::from(*abort);
                seen.arrivals += u64::from(o.arrival && !again && !abort);
                owed.sent = (!abort).then_some((o.op, *packet, *again));
                let (again, abort) = (*again, *abort);
                owed.settle(again, abort);
                frame.clear();
            }
        }
        if get(model, "out_valid") == 0 && first_beat.is_some() && owed.starts.len() > 1 {
            seen.bubbles += 1;
        }
        if streams[0].fires(model)
            && let Some(o) = offered[0].take()
        {
            first_start.get_or_insert(now);
            owed.known.insert(o.op & mask, o.clone());
            // Now and then the fence comes while the operation is being sent.
            if rng.random_ratio(1, 8) {
                wishes.push_back(Ask::Fence { index: o.op & mask });
                fenced.insert(o.op & mask);
            }
            live.insert(o.op & mask, (o.clone(), 0));
            owed.starts.push_back((o, 0));
        }
        for (stream, ask) in streams[1..].iter().zip(&mut asks) {
            if stream.fires(model) {
                owed.asks.extend(ask.take());
            }
        }
        let mut violations = Vec::new();
        for check in &mut checks {
            check.observe(model, &mut violations);
        }
        let before = quiet;
        quiet = if told.is_some() || get(model, "out_valid") == 1 { 0 } else { before + 1 };
        model.clock();
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        if quiet > 3000 {
            return wrong(format!("nothing moves any more: {begun} operations, {} live, {:?}", live.len(), owed.asks));
        }
    }
    let expected = [seen.frames - seen.aborts, seen.again, seen.aborts, seen.unknown];
    if counted != expected {
        return Err(format!("packets, repetitions, aborts and unknown nodes counted {counted:?}, expected {expected:?}"));
    }
    seen.latency = first_beat.unwrap_or(0).saturating_sub(first_start.unwrap_or(0));
    Ok(seen)
}
