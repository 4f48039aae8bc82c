//! `ControlBuilder` against frames of the golden model, byte by byte.

use super::outlet::{Came, Outlet};
use crate::pins::{chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::wire::{Bth, Control, Frame, Ip, Opcode, Reader, parse_judged};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A node of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) mac: u64,
    pub(crate) ip: Result<u32, u128>,
    pub(crate) qp: u32,
}

/// What the host sets.
pub(crate) struct Template {
    pub(crate) mac: u64,
    pub(crate) ip4: u32,
    pub(crate) ip6: u128,
    pub(crate) vlan: Option<u16>,
    pub(crate) traffic_class: u8,
    pub(crate) hop_limit: u8,
    pub(crate) udp_source: u16,
    pub(crate) partition_key: u16,
}

#[derive(Clone, Copy, Debug)]
struct Notification {
    ack: bool,
    src: u16,
    op: u32,
    index: u16,
    status: u8,
    mask: u64,
    packets: u16,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub frames: u64,
    pub unknown: u64,
    pub beats: u64,
    pub clocks: u64,
    /// least clocks from a notification to the first beat of its frame
    pub latency: u64,
}

pub(crate) fn mac(value: u64) -> [u8; 6] {
    let bytes = value.to_be_bytes();
    [bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]
}

/// Another time to live or hop limit than the golden frame's, with its checksum.
pub(crate) fn set_hops(bytes: &mut [u8], ip: usize, hops: u8) {
    if bytes[ip] >> 4 == 6 {
        bytes[ip + 7] = hops;
        return;
    }
    bytes[ip + 8] = hops;
    bytes[ip + 10..ip + 12].fill(0);
    let words = bytes[ip..ip + 20].chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let sum = words.sum::<u32>();
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = !((sum & 0xffff) + (sum >> 16)) as u16;
    bytes[ip + 10..ip + 12].copy_from_slice(&sum.to_be_bytes());
}

impl Template {
    /// The bytes of `frame` when it goes from here to `node`; the ICRC is zero, for the MAC side to write.
    pub(crate) fn bytes(&self, mut frame: Frame, node: &Node) -> Vec<u8> {
        frame.bth.partition_key = self.partition_key;
        frame.destination_mac = mac(node.mac);
        frame.source_mac = mac(self.mac);
        frame.vlan = self.vlan;
        frame.ip = match node.ip {
            Ok(four) => Ip::V4 { source: Ipv4Addr::from(self.ip4), destination: Ipv4Addr::from(four) },
            Err(six) => Ip::V6 { source: Ipv6Addr::from(self.ip6), destination: Ipv6Addr::from(six) },
        };
        frame.traffic_class = self.traffic_class;
        frame.udp_source = self.udp_source;
        let mut bytes = frame.to_bytes();
        let icrc = bytes.len() - 4;
        bytes[icrc..].fill(0);
        set_hops(&mut bytes, 14 + if self.vlan.is_some() { 4 } else { 0 }, self.hop_limit);
        bytes
    }
}

/// The frame of a notification.
fn expected(template: &Template, node: &Node, told: &Notification) -> Vec<u8> {
    let opcode = if told.ack { Opcode::OP_ACK } else { Opcode::REMOTE_COMPLETION };
    let mut frame = Frame::new(Bth::new(opcode, node.qp, 0));
    frame.control = Some(if told.ack {
        Control::OpAck { op: told.op, index: told.index, status: told.status, mask: told.mask }
    } else {
        Control::Completion { op: told.op, status: told.status, packets: told.packets.into() }
    });
    template.bytes(frame, node)
}

pub(crate) fn poke(model: &mut dyn Model, name: &str, value: u128) {
    let port = model.port(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"));
    let words: Vec<u32> = (0..model.ports()[port].words()).map(|i| (value >> (32 * i)) as u32).collect();
    model.poke(port, &words);
}

fn setup(model: &mut dyn Model, rng: &mut ChaCha8Rng) -> (Template, Vec<Option<Node>>) {
    for name in ["notify_valid", "out_ready", "cfg_node_write"] {
        poke(model, name, 0);
    }
    poke(model, "rst", 1);
    model.clock();
    poke(model, "rst", 0);
    configure(model, rng)
}

/// Sets a random template and random nodes, of which some are missing.
pub(crate) fn configure(model: &mut dyn Model, rng: &mut ChaCha8Rng) -> (Template, Vec<Option<Node>>) {
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
    poke(model, "cfg_mac", template.mac.into());
    poke(model, "cfg_ip4", template.ip4.into());
    poke(model, "cfg_ip6", template.ip6);
    poke(model, "cfg_vlan_on", template.vlan.is_some().into());
    poke(model, "cfg_vlan", template.vlan.unwrap_or(0xaaaa).into());
    poke(model, "cfg_traffic_class", template.traffic_class.into());
    poke(model, "cfg_hop_limit", template.hop_limit.into());
    poke(model, "cfg_udp_source", template.udp_source.into());
    poke(model, "cfg_partition_key", template.partition_key.into());
    let index = model.port("cfg_node_index").map_or(0, |port| model.ports()[port].width);
    let mut nodes = vec![None; 1 << index];
    for (number, place) in nodes.iter_mut().enumerate() {
        let node = Node {
            mac: rng.random::<u64>() >> 16,
            // addresses of all ones and zero are where a checksum carries most and least
            ip: match rng.random_range(0..6) {
                0 => Ok(u32::MAX),
                1 => Ok(0),
                2 | 3 => Ok(rng.random()),
                _ => Err(rng.random()),
            },
            qp: rng.random_range(0..1 << 24),
        };
        let valid = rng.random_bool(0.9);
        poke(model, "cfg_node_write", 1);
        poke(model, "cfg_node_index", number as u128);
        poke(model, "cfg_node_mac", node.mac.into());
        poke(model, "cfg_node_six", node.ip.is_err().into());
        poke(model, "cfg_node_ip", node.ip.map_or_else(|six| six, u128::from));
        // Where commands bring their own, nodes have none.
        if model.port("cfg_node_qp").is_some() {
            poke(model, "cfg_node_qp", node.qp.into());
        }
        poke(model, "cfg_node_valid", valid.into());
        model.clock();
        *place = valid.then_some(node);
    }
    poke(model, "cfg_node_write", 0);
    for _ in 0..4 {
        model.clock();
    }
    (template, nodes)
}

/// Sends `count` random notifications, `offer` and `take` percent of the clocks in which one is offered and a beat is taken.
///
/// Every clock: an offered beat stays until it is taken. Every frame: byte by byte, in the order of the notifications. Every frame reads as
/// what it says, once its ICRC is trusted.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: usize, offer: u32, take: u32, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (template, nodes) = setup(model, &mut rng);
    let port = |model: &dyn Model, name: &str| model.port(name).unwrap_or_else(|| panic!("no port `{name}`"));
    let [ready, made, unknown] = ["notify_ready", "evt_frame", "evt_unknown_node"].map(|name| port(model, name));
    let mut outlet = Outlet::new(model);
    let mut frames: VecDeque<(u64, Vec<u8>)> = VecDeque::new();
    let (mut seen, mut missing) = (Seen { latency: u64::MAX, ..Seen::default() }, 0);
    let mut offered: Option<Notification> = None;
    let mut sent = 0;
    let mut quiet = 0;
    let start = model.cycle();
    while quiet < 20 {
        let now = model.cycle();
        if offered.is_none() && sent < count && chance(&mut rng, offer) {
            let far = if rng.random_bool(0.05) { 1 << rng.random_range(0..16) } else { 0 };
            offered = Some(Notification {
                ack: rng.random(),
                src: rng.random_range(0..nodes.len()) as u16 ^ far,
                op: rng.random_range(0..1 << OP_BITS),
                index: rng.random(),
                status: rng.random_range(0..17),
                mask: rng.random(),
                packets: rng.random(),
            });
        }
        poke(model, "notify_valid", offered.is_some().into());
        if let Some(told) = offered {
            poke(model, "notify_kind", if told.ack { 0xc3 } else { 0xc1 });
            poke(model, "notify_src", told.src.into());
            poke(model, "notify_op", told.op.into());
            poke(model, "notify_index", told.index.into());
            poke(model, "notify_status", told.status.into());
            poke(model, "notify_mask", told.mask.into());
            poke(model, "notify_packets", told.packets.into());
        } else {
            let junk = u128::from(random(&mut rng, 16)[0]);
            poke(model, "notify_src", junk);
            poke(model, "notify_op", junk);
        }
        let takes = chance(&mut rng, take);
        poke(model, "out_ready", takes.into());
        model.eval();
        seen.frames += model.peek_u64(made);
        seen.unknown += model.peek_u64(unknown);
        let came = outlet.look(model, takes)?;
        if let Came::Nothing { offered: shows } = came {
            quiet += u64::from(sent == count && !shows);
        } else {
            quiet = 0;
            let Some((told, frame)) = frames.front() else { return Err(format!("cycle {now}: a frame without a notification")) };
            if let Came::Beat { first: true } | Came::Frame { first: true, .. } = came {
                seen.latency = seen.latency.min(now - told);
            }
            if let Came::Frame { bytes, .. } = came {
                if bytes != *frame {
                    return Err(format!("cycle {now}: frame {bytes:02x?}, expected {frame:02x?}"));
                }
                parse_judged(frame, true, &Reader::registry()).map_err(|reason| format!("cycle {now}: {bytes:02x?} reads as {reason}"))?;
                frames.pop_front();
            }
        }
        if let Some(told) = offered.filter(|_| model.peek_u64(ready) == 1) {
            match nodes.get(usize::from(told.src)).copied().flatten() {
                Some(node) => frames.push_back((now, expected(&template, &node, &told))),
                None => missing += 1,
            }
            (sent, offered) = (sent + 1, None);
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
    if seen.unknown != missing || seen.frames != count as u64 - missing {
        return Err(format!(
            "{} frames and {} unknown nodes counted, expected {} and {missing}",
            seen.frames,
            seen.unknown,
            count as u64 - missing
        ));
    }
    seen.beats = outlet.beats;
    seen.clocks = model.cycle() - start;
    Ok(seen)
}
