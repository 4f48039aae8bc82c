//! What software writes before it posts: addresses and timers, drawn at random or plain.

use crate::endpoint::{Endpoint, PATIENCE};
use crate::wire::control_builder::{Node, Template};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::splitter::Config as Cut;

/// Template of the frames and the nodes that they go to.
pub struct Addresses {
    pub(crate) template: Template,
    pub(crate) nodes: Vec<Node>,
    /// our own number
    pub src: u16,
    /// each node knows us by another
    pub each: bool,
}

impl Addresses {
    /// Any template, and so many nodes, of IPv4 and of IPv6.
    pub fn random(rng: &mut ChaCha8Rng, nodes: u16) -> Self {
        let ip6: u128 = rng.random();
        let template = Template {
            mac: rng.random::<u64>() >> 16,
            // a host has one address register: IPv4 takes its last word
            ip4: ip6 as u32,
            ip6,
            vlan: rng.random::<bool>().then(|| rng.random()),
            traffic_class: rng.random(),
            hop_limit: rng.random(),
            udp_source: rng.random(),
            partition_key: rng.random(),
        };
        let node = |rng: &mut ChaCha8Rng| Node {
            mac: rng.random::<u64>() >> 16,
            ip: if rng.random() { Ok(rng.random()) } else { Err(rng.random()) },
            qp: 0,
        };
        let nodes = (0..nodes).map(|_| node(rng)).collect();
        let src: u16 = rng.random();
        // Of half of them, without a draw of its own: what is drawn behind it is as it was.
        Addresses { template, nodes, src, each: src % 2 == 1 }
    }

    /// The registers that say so.
    /// # Errors
    /// As [`Endpoint::write`].
    pub fn write(&self, endpoint: &mut Endpoint) -> Result<(), String> {
        let t = &self.template;
        let word = |ip: u128, i: u32| u64::from((ip >> (96 - 32 * i)) as u32);
        let udp = u64::from(t.traffic_class) << 24 | u64::from(t.hop_limit) << 16 | u64::from(t.udp_source);
        let vlan = t.vlan.map_or(0, |tag| u64::from(tag) | 1 << 31);
        let plain = [("local_mac", t.mac), ("local_udp", udp), ("local_pkey", t.partition_key.into()), ("local_vlan", vlan)];
        for (register, value) in plain {
            endpoint.write(register, value)?;
        }
        for i in 0..4 {
            endpoint.write(&format!("local_ip_{i}"), word(t.ip6, i))?;
        }
        endpoint.write("source_node", self.src.into())?;
        endpoint.write("source_each", self.each.into())?;
        for (number, node) in self.nodes.iter().enumerate() {
            endpoint.write("node_index", number as u64)?;
            endpoint.write("node_mac", node.mac)?;
            let (ip, six) = match node.ip {
                Ok(four) => (u128::from(four), 0),
                Err(six) => (six, 1 << 30),
            };
            for i in 0..4 {
                endpoint.write(&format!("node_ip_{i}"), word(ip, i))?;
            }
            endpoint.write("node_qp", 1 << 31 | six)?;
            endpoint.write("node", 1)?;
        }
        Ok(())
    }
}

/// Waits until the tables are clear, then sets everything up, `enable` last.
/// # Errors
/// The endpoint does not become ready, or a register does not answer.
pub fn set_up(endpoint: &mut Endpoint, addresses: &Addresses, cut: Cut, timers: Timers) -> Result<(), String> {
    endpoint.clear_ring();
    let limit = endpoint.now() + PATIENCE;
    while endpoint.read("state")? & 2 == 0 {
        if endpoint.now() > limit {
            return Err(format!("`state.ready` is not set {PATIENCE} clocks after the reset"));
        }
    }
    let registers = [
        ("threshold", cut.threshold.into()),
        ("segment", cut.segment.into()),
        ("timeout", timers.timeout.into()),
        // No timer runs out before the static one does.
        ("timeout_floor", timers.timeout.into()),
        ("ack_delay", 0),
        ("backoff_cap", timers.backoff_cap.into()),
        ("retry_limit", timers.retry_limit.into()),
    ];
    for (register, value) in registers {
        endpoint.write(register, value)?;
    }
    endpoint.set_up(0)?;
    addresses.write(endpoint)?;
    for (register, value) in [("prescale", timers.prescale.into()), ("t_life", timers.t_life.into())] {
        endpoint.write(register, value)?;
    }
    // the configuration before this one may have been none
    endpoint.write("interrupt_status", u64::from(u32::MAX))
}
