use super::{NetworkHeader, NodeTable};
use crate::bus::{Frames, LocalAddress, NodeEntry};
use crate::primitives::{Reg, RoundRobinArbiter, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a receive bitmap tells the sender as frames: acknowledgement (0x11 with AETH), range acknowledgement (0xc5) and fast feedback
/// message (0xc0), from a template that the host sets.
///
/// Ethernet with one VLAN tag if it is on, IPv4 or IPv6 by node, UDP, BTH, the message. An acknowledgement carries its PSN in BTH and says
/// the packets that may be sent from there on as credits of AETH; the PSN of the others is 0. The ICRC is four bytes of zero: the MAC side
/// writes it. No frame is shorter than 62 bytes, so none is padded. What is for a node that the table does not have is dropped and counted.
/// The three kinds go in turn. For notifications of the registry take `ControlBuilder`.
///
/// Latency: 6 clocks from a message to the first beat of its frame. Throughput: one beat per clock, frames back to back.
/// Reset: the node table is empty, a frame under way ends there.
/// Spec: wire format, "Control packets", "BTH"; bitmap loss detection, "Acknowledgement", "Fast feedback message".
#[derive(Default, Described, LogicBlock)]
pub struct FeedbackBuilder {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an acknowledgement
    pub ack_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `ack_valid` is high too
    pub ack_ready: Signal<Out, Bit>,
    /// node to tell
    pub ack_node: Signal<In, Bits<16>>,
    /// last packet before the first that is missing
    pub ack_psn: Signal<In, Bits<24>>,
    /// messages that are complete
    pub ack_msn: Signal<In, Bits<24>>,
    /// `2^c` packets may be sent from the first missing one on, 31: not said
    pub ack_credits: Signal<In, Bits<5>>,
    /// a range acknowledgement
    pub range_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `range_valid` is high too
    pub range_ready: Signal<Out, Bit>,
    /// node to tell
    pub range_node: Signal<In, Bits<16>>,
    /// first packet that is missing
    pub range_base: Signal<In, Bits<24>>,
    /// first packet of the range
    pub range_start: Signal<In, Bits<24>>,
    /// packets of the range
    pub range_length: Signal<In, Bits<24>>,
    /// a fast feedback message
    pub ffm_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `ffm_valid` is high too
    pub ffm_ready: Signal<Out, Bit>,
    /// node to tell
    pub ffm_node: Signal<In, Bits<16>>,
    /// first packet of the gap
    pub ffm_start: Signal<In, Bits<24>>,
    /// packets of the gap
    pub ffm_length: Signal<In, Bits<24>>,
    /// highest number received
    pub ffm_edge: Signal<In, Bits<24>>,
    /// first packet that is missing
    pub ffm_base: Signal<In, Bits<24>>,
    /// ticks
    pub ffm_timestamp: Signal<In, Bits<32>>,
    /// path of the gap
    pub ffm_path: Signal<In, Bits<4>>,
    /// 0 depth, 1 age, 2 stall, 3 overtaken, 4 repeated
    pub ffm_status: Signal<In, Bits<3>>,
    /// depth of the gap
    pub ffm_depth: Signal<In, Bits<16>>,
    /// messages about it after the first
    pub ffm_repeat: Signal<In, Bits<8>>,
    /// misjudgements of the queue pair
    pub ffm_misjudged: Signal<In, Bits<24>>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// queue pair of `cfg_node`
    pub cfg_node_qp: Signal<In, Bits<24>>,
    /// counts frames of acknowledgements
    pub evt_ack: Signal<Out, Bit>,
    /// counts frames of range acknowledgements
    pub evt_range: Signal<Out, Bit>,
    /// counts frames of feedback messages
    pub evt_ffm: Signal<Out, Bit>,
    /// counts messages dropped: no such node
    pub evt_unknown_node: Signal<Out, Bit>,

    turn: RoundRobinArbiter<3, 2>,
    nodes: NodeTable<NODE_BITS, NODES>,
    network: NetworkHeader<320, 704>,
    moving: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,

    // Kind: one bit each, acknowledgement, range, feedback.
    valid1: State<Bit>,
    kind1: Reg<Bits<3>>,
    node1: Reg<Bits<16>>,
    psn1: Reg<Bits<24>>,
    body1: Reg<Bits<224>>,
    valid2: State<Bit>,
    kind2: Reg<Bits<3>>,
    psn2: Reg<Bits<24>>,
    body2: Reg<Bits<224>>,
    unknown: State<Bit>,
    opcode: Signal<Local, Bits<8>>,
    bth: Signal<Local, Bits<96>>,
    udp_bytes: Signal<Local, Bits<16>>,
    valid3: State<Bit>,
    kind3: Reg<Bits<3>>,
    valid4: State<Bit>,
    kind4: Reg<Bits<3>>,
    valid5: State<Bit>,
    kind5: Reg<Bits<3>>,
    // Bytes of the frame but those of IP's header and of the VLAN tag.
    bytes5: Reg<Bits<9>>,
    network_bytes: Signal<Local, Bits<9>>,
    loaded: Signal<Local, Bits<9>>,
    left: Reg<Bits<9>>,
    more: Reg<Bit>,
    frame: Reg<Bits<1024>>,
    busy: State<Bit>,
    made: State<Bits<3>>,
    beyond: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    count: Signal<Local, Bits<LANE_COUNT_BITS>>,
    beat: Signal<Local, Bits<9>>,
}

impl FeedbackBuilder {
    /// A new one.
    pub fn new() -> Self {
        Self { nodes: NodeTable::new(), network: NetworkHeader::new(), ..Self::default() }
    }
}

impl Logic for FeedbackBuilder {
    #[kernel]
    fn update(&mut self) {
        NodeEntry::link(&mut self.cfg_node, &mut self.nodes.cfg_node);
        self.nodes.cfg_node_qp.next = self.cfg_node_qp.val();
        LocalAddress::link(&mut self.cfg_local, &mut self.network.cfg_local);

        // Clock 1: one of the three. Its message has the first byte in the highest bits.
        self.turn.request.next = bit_cast::<3, 1>(self.ack_valid.val().into())
            | (bit_cast::<3, 1>(self.range_valid.val().into()) << 1)
            | (bit_cast::<3, 1>(self.ffm_valid.val().into()) << 2);
        self.turn.accept.next = self.moving.val();
        self.ack_ready.next = self.moving.val() && self.turn.grant.val().get_bit(0);
        self.range_ready.next = self.moving.val() && self.turn.grant.val().get_bit(1);
        self.ffm_ready.next = self.moving.val() && self.turn.grant.val().get_bit(2);
        if self.moving.val() {
            self.valid1.d.next = self.turn.any.val();
            self.kind1.d.next = self.turn.grant.val();
            self.node1.d.next = self.ffm_node.val();
            self.psn1.d.next = bits::<24>(0);
            self.body1.d.next = (bit_cast::<224, 24>(self.ffm_start.val()) << 192)
                | (bit_cast::<224, 24>(self.ffm_length.val()) << 160)
                | (bit_cast::<224, 24>(self.ffm_edge.val()) << 128)
                | (bit_cast::<224, 24>(self.ffm_base.val()) << 96)
                | (bit_cast::<224, 32>(self.ffm_timestamp.val()) << 64)
                | (bit_cast::<224, 4>(self.ffm_path.val()) << 56)
                | (bit_cast::<224, 3>(self.ffm_status.val()) << 48)
                | (bit_cast::<224, 16>(self.ffm_depth.val()) << 32)
                | (bit_cast::<224, 8>(self.ffm_repeat.val()) << 24)
                | bit_cast::<224, 24>(self.ffm_misjudged.val());
            if self.turn.grant.val().get_bit(0) {
                self.node1.d.next = self.ack_node.val();
                self.psn1.d.next = self.ack_psn.val();
                self.body1.d.next = (bit_cast::<224, 5>(self.ack_credits.val()) << 216) | (bit_cast::<224, 24>(self.ack_msn.val()) << 192);
            }
            if self.turn.grant.val().get_bit(1) {
                self.node1.d.next = self.range_node.val();
                self.body1.d.next = (bit_cast::<224, 24>(self.range_base.val()) << 192)
                    | (bit_cast::<224, 24>(self.range_start.val()) << 160)
                    | (bit_cast::<224, 24>(self.range_length.val()) << 128);
            }
        }

        // Clock 2: the node.
        self.nodes.moving.next = self.moving.val();
        self.nodes.node.next = self.node1.q.val();
        if self.moving.val() {
            self.valid2.d.next = self.valid1.q.val();
            self.kind2.d.next = self.kind1.q.val();
            self.psn2.d.next = self.psn1.q.val();
            self.body2.d.next = self.body1.q.val();
        }

        // Clocks 3 to 5: what stands in front. UDP, BTH and ICRC are 24 bytes.
        self.unknown.d.next = self.moving.val() && self.valid2.q.val() && !self.nodes.found.val();
        self.opcode.next = bits::<8>(0x11);
        self.udp_bytes.next = bits::<16>(28);
        if self.kind2.q.val().get_bit(1) {
            self.opcode.next = bits::<8>(0xc5);
            self.udp_bytes.next = bits::<16>(36);
        }
        if self.kind2.q.val().get_bit(2) {
            self.opcode.next = bits::<8>(0xc0);
            self.udp_bytes.next = bits::<16>(52);
        }
        self.bth.next = (bit_cast::<96, 8>(self.opcode.val()) << 88)
            | (bit_cast::<96, 16>(self.cfg_partition_key.val()) << 64)
            | (bit_cast::<96, 24>(self.nodes.qp.val()) << 32)
            | bit_cast::<96, 24>(self.psn2.q.val());
        self.network.moving.next = self.moving.val();
        self.network.mac.next = self.nodes.mac.val();
        self.network.six.next = self.nodes.six.val();
        self.network.ip.next = self.nodes.ip.val();
        self.network.udp_bytes.next = self.udp_bytes.val();
        self.network.transport.next = (bit_cast::<320, 96>(self.bth.val()) << 224) | bit_cast::<320, 224>(self.body2.q.val());
        if self.moving.val() {
            self.valid3.d.next = self.valid2.q.val() && self.nodes.found.val();
            self.kind3.d.next = self.kind2.q.val();
            self.valid4.d.next = self.valid3.q.val();
            self.kind4.d.next = self.kind3.q.val();
            self.valid5.d.next = self.valid4.q.val();
            self.kind5.d.next = self.kind4.q.val();
            self.bytes5.d.next = bits::<9>(42);
            if self.kind4.q.val().get_bit(1) {
                self.bytes5.d.next = bits::<9>(50);
            }
            if self.kind4.q.val().get_bit(2) {
                self.bytes5.d.next = bits::<9>(66);
            }
        }

        // Clock 6: the frame, and its beats.
        self.network_bytes.next = bits::<9>(20);
        if self.network.head_six.val() && self.cfg_local.vlan_on.val() {
            self.network_bytes.next = bits::<9>(44);
        } else if self.network.head_six.val() {
            self.network_bytes.next = bits::<9>(40);
        } else if self.cfg_local.vlan_on.val() {
            self.network_bytes.next = bits::<9>(24);
        }
        self.loaded.next = self.bytes5.q.val() + self.network_bytes.val();
        self.beat.next = bits::<9>(1) << LANE_BITS.to_bits::<4>();
        self.ends.next = self.out.ready.val() && !self.more.q.val();
        self.moving.next = !self.valid5.q.val() || !self.busy.q.val() || self.ends.val();
        self.made.d.next = bits::<3>(0);
        if self.busy.q.val() && self.out.ready.val() {
            self.frame.d.next = self.frame.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.left.d.next = self.left.q.val() - self.beat.val();
            self.more.d.next = (self.left.q.val() - self.beat.val()) > self.beat.val();
            self.busy.d.next = self.more.q.val();
        }
        if self.valid5.q.val() && self.moving.val() {
            self.frame.d.next = self.network.head.val();
            self.left.d.next = self.loaded.val();
            self.more.d.next = self.loaded.val() > self.beat.val();
            self.busy.d.next = true;
            self.made.d.next = self.kind5.q.val();
        }
        self.count.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
        if !self.more.q.val() {
            self.count.next = self.left.q.val().get_bits::<LANE_COUNT_BITS>(0);
        }
        self.beyond.count.next = self.count.val();
        self.out.valid.next = self.busy.q.val();
        self.out.data.next = self.frame.q.val().get_bits::<DATA_WIDTH>(0);
        self.out.keep.next = !self.beyond.mask.val();
        self.out.last.next = !self.more.q.val();
        self.evt_ack.next = self.made.q.val().get_bit(0);
        self.evt_range.next = self.made.q.val().get_bit(1);
        self.evt_ffm.next = self.made.q.val().get_bit(2);
        self.evt_unknown_node.next = self.unknown.q.val();
    }
}
