use crate::bus::NodeEntry;
use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Nodes by their number, as the host sets them: MAC address, IP address, queue pair.
///
/// Latency: 1 clock from `node` to the rest, while `moving`; without it the answer stays. A node that is set counts from the next clock on.
/// Throughput: one per clock. Reset: there is no node.
/// Spec: wire format, "node table".
///
/// Parameters: `2^NODE_BITS` = `NODES` nodes.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct NodeTable<const NODE_BITS: usize, const NODES: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// queue pair of `cfg_node`
    pub cfg_node_qp: Signal<In, Bits<24>>,
    /// look one up
    pub moving: Signal<In, Bit>,
    /// which
    pub node: Signal<In, Bits<16>>,
    /// there is such a node
    pub found: Signal<Out, Bit>,
    /// its MAC address
    pub mac: Signal<Out, Bits<48>>,
    /// it has an IPv6 address
    pub six: Signal<Out, Bit>,
    /// its IP address
    pub ip: Signal<Out, Bits<128>>,
    /// its queue pair
    pub qp: Signal<Out, Bits<24>>,

    // Queue pair 24, IP 128, IPv6 1, MAC 48.
    nodes: LutRam<201, NODE_BITS>,
    there: State<Bits<NODES>>,
    place: Signal<Local, Bits<NODES>>,
    at: Signal<Local, Bits<NODE_BITS>>,
    q_node: Reg<Bits<201>>,
    q_found: Reg<Bit>,
}

impl<const NODE_BITS: usize, const NODES: usize> NodeTable<NODE_BITS, NODES> {
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(NODES == 1 << NODE_BITS, "NodeTable: NODES = {NODES} with NODE_BITS = {NODE_BITS}, must be {}", 1 << NODE_BITS);
        Self::default()
    }
}

impl<const NODE_BITS: usize, const NODES: usize> Logic for NodeTable<NODE_BITS, NODES> {
    #[kernel]
    fn update(&mut self) {
        self.nodes.write_enable.next = self.cfg_node.write.val();
        self.nodes.write_address.next = self.cfg_node.index.val();
        self.nodes.write_data.next = bit_cast::<201, 24>(self.cfg_node_qp.val())
            | (bit_cast::<201, 128>(self.cfg_node.ip.val()) << 24)
            | (bit_cast::<201, 1>(self.cfg_node.six.val().into()) << 152)
            | (bit_cast::<201, 48>(self.cfg_node.mac.val()) << 153);
        self.place.next = bits::<NODES>(1) << self.cfg_node.index.val();
        if self.cfg_node.write.val() {
            self.there.d.next = self.there.q.val() & !self.place.val();
            if self.cfg_node.valid.val() {
                self.there.d.next = self.there.q.val() | self.place.val();
            }
        }
        self.at.next = self.node.val().get_bits::<NODE_BITS>(0);
        self.nodes.read_address.next = self.at.val();
        if self.moving.val() {
            self.q_node.d.next = self.nodes.read_data.val();
            self.q_found.d.next = ((self.there.q.val() >> self.at.val()) & 1).any() && !(self.node.val() >> NODE_BITS.to_bits::<5>()).any();
        }
        self.found.next = self.q_found.q.val();
        self.qp.next = self.q_node.q.val().get_bits::<24>(0);
        self.ip.next = self.q_node.q.val().get_bits::<128>(24);
        self.six.next = self.q_node.q.val().get_bit(152);
        self.mac.next = self.q_node.q.val().get_bits::<48>(153);
    }
}
