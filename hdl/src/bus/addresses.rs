//! What software says of this endpoint and of its peers.

use crate::Bundle;
use rust_hdl::prelude::*;

/// Our own address, and what else the headers of all frames have in common. In all addresses the first byte is in the highest bits.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "LocalAddressSource"]
#[mirror]
pub struct LocalAddress {
    /// our MAC address, first byte in the highest bits as in all addresses here
    pub mac: Signal<In, Bits<48>>,
    /// our IPv4 address
    pub ip4: Signal<In, Bits<32>>,
    /// our IPv6 address
    pub ip6: Signal<In, Bits<128>>,
    /// frames carry a VLAN tag
    pub vlan_on: Signal<In, Bit>,
    /// its tag control information
    pub vlan: Signal<In, Bits<16>>,
    /// traffic class or type of service
    pub traffic_class: Signal<In, Bits<8>>,
    /// time to live or hop limit
    pub hop_limit: Signal<In, Bits<8>>,
    /// UDP source port
    pub udp_source: Signal<In, Bits<16>>,
}

/// An entry of the node table, as software writes it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "NodeEntrySource"]
#[mirror]
pub struct NodeEntry<const NODE_BITS: usize> {
    /// set one node of the table
    pub write: Signal<In, Bit>,
    /// index of `cfg_node`
    pub index: Signal<In, Bits<NODE_BITS>>,
    /// there is such a node
    pub valid: Signal<In, Bit>,
    /// MAC address of `cfg_node`
    pub mac: Signal<In, Bits<48>>,
    /// it has an IPv6 address
    pub six: Signal<In, Bit>,
    /// IP address of `cfg_node`; IPv4 in the low 32 bits
    pub ip: Signal<In, Bits<128>>,
}
