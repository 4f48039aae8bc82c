use crate::bus::{Frames, LocalAddress, NodeEntry};
use crate::primitives::{ByteReverse, LutRam, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Notifications of the receive registry as frames: remote completion (0xc1) and op acknowledgement (0xc3), from a template that the host
/// sets.
///
/// Ethernet with one VLAN tag if it is on, IPv4 or IPv6 by node, UDP, BTH with PSN 0, the message. IP length and IPv4 checksum are
/// computed, UDP's checksum is 0. The ICRC is four bytes of zero: the MAC side, which checks it on receipt, writes it. No frame is shorter
/// than 66 bytes, so none is padded. A notification for a node that the table does not have is dropped and counted. The template counts for
/// notifications taken four clocks after it was set, or later.
///
/// Latency: 6 clocks from a notification to the first beat of its frame. Throughput: one beat per clock, frames back to back.
/// Reset: the node table is empty, a frame under way ends there.
/// Spec: wire format, "Control packets", "BTH".
#[derive(Default, Described, LogicBlock)]
pub struct ControlBuilder {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a sender is to be told
    pub notify_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `notify_valid` is high too
    pub notify_ready: Signal<Out, Bit>,
    /// 0xc1 remote completion, 0xc3 op acknowledgement
    pub notify_kind: Signal<In, Bits<8>>,
    /// node to tell
    pub notify_src: Signal<In, Bits<16>>,
    /// op number
    pub notify_op: Signal<In, Bits<OP_BITS>>,
    /// op acknowledgement: first packet of the mask
    pub notify_index: Signal<In, Bits<16>>,
    /// status code
    pub notify_status: Signal<In, Bits<8>>,
    /// op acknowledgement: packets from the first on
    pub notify_mask: Signal<In, Bits<64>>,
    /// remote completion: packets of the operation
    pub notify_packets: Signal<In, Bits<16>>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// queue pair of `cfg_node`
    pub cfg_node_qp: Signal<In, Bits<24>>,
    /// counts frames made
    pub evt_frame: Signal<Out, Bit>,
    /// counts notifications dropped: no such node
    pub evt_unknown_node: Signal<Out, Bit>,

    // MAC 48, IPv6 1, IP 128, queue pair 24
    nodes: LutRam<201, NODE_BITS>,
    there: State<Bits<NODES>>,
    place: Signal<Local, Bits<NODES>>,
    node: Signal<Local, Bits<NODE_BITS>>,
    found: Signal<Local, Bit>,
    moving: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,

    // The part of the IPv4 checksum that no frame changes.
    own_ip: Reg<Bits<20>>,
    own: Reg<Bits<20>>,

    valid1: State<Bit>,
    ack1: Reg<Bit>,
    src1: Reg<Bits<16>>,
    message1: Reg<Bits<128>>,
    valid2: State<Bit>,
    ack2: Reg<Bit>,
    message2: Reg<Bits<128>>,
    node2: Reg<Bits<201>>,
    unknown2: State<Bit>,
    valid3: State<Bit>,
    ack3: Reg<Bit>,
    message3: Reg<Bits<128>>,
    node3: Reg<Bits<201>>,
    sum3: Reg<Bits<20>>,
    valid4: State<Bit>,
    ack4: Reg<Bit>,
    message4: Reg<Bits<128>>,
    node4: Reg<Bits<201>>,
    sum4: Reg<Bits<17>>,
    valid5: State<Bit>,
    network5: Reg<Bits<640>>,
    mac5: Reg<Bits<48>>,
    six5: Reg<Bit>,
    bytes5: Reg<Bits<9>>,
    left: Reg<Bits<9>>,
    frame: Reg<Bits<1024>>,
    busy: State<Bit>,
    made: State<Bit>,

    own_class: Signal<Local, Bits<20>>,
    ip_sum: Signal<Local, Bits<20>>,
    checksum: Signal<Local, Bits<16>>,
    udp_bytes: Signal<Local, Bits<16>>,
    ip_bytes: Signal<Local, Bits<16>>,
    transport: Signal<Local, Bits<320>>,
    ether: Signal<Local, Bits<1024>>,
    ether_type: Signal<Local, Bits<16>>,
    reverse: ByteReverse<1024, 7>,
    beyond: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    count: Signal<Local, Bits<LANE_COUNT_BITS>>,
    more: Reg<Bit>,
    loaded: Signal<Local, Bits<9>>,
    beat: Signal<Local, Bits<9>>,
}

impl ControlBuilder {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for ControlBuilder {
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

        // The template's part of the checksum: version, class, do not fragment, hops and UDP, our address.
        self.own_class.next =
            bit_cast::<20, 8>(self.cfg_local.traffic_class.val()) | (bit_cast::<20, 8>(self.cfg_local.hop_limit.val()) << 8);
        self.own_ip.d.next = bit_cast::<20, 16>(self.cfg_local.ip4.val().get_bits::<16>(0))
            + bit_cast::<20, 16>(self.cfg_local.ip4.val().get_bits::<16>(16));
        self.own.d.next = self.own_ip.q.val() + self.own_class.val() + 0x8511;

        // Clock 1: the notification. Its message has the first byte in the highest bits, and the ICRC's place behind.
        if self.moving.val() {
            self.valid1.d.next = self.notify_valid.val();
            self.ack1.d.next = self.notify_kind.val().get_bit(1);
            self.src1.d.next = self.notify_src.val();
            if self.notify_kind.val().get_bit(1) {
                self.message1.d.next = (bit_cast::<128, OP_BITS>(self.notify_op.val()) << 104)
                    | (bit_cast::<128, 8>(self.notify_status.val()) << 96)
                    | (bit_cast::<128, 16>(self.notify_index.val()) << 80)
                    | bit_cast::<128, 64>(self.notify_mask.val());
            } else {
                self.message1.d.next = (bit_cast::<128, OP_BITS>(self.notify_op.val()) << 104)
                    | (bit_cast::<128, 8>(self.notify_status.val()) << 96)
                    | (bit_cast::<128, 16>(self.notify_packets.val()) << 64);
            }
        }

        // Clock 2: the node.
        self.node.next = self.src1.q.val().get_bits::<NODE_BITS>(0);
        self.nodes.read_address.next = self.node.val();
        self.found.next = ((self.there.q.val() >> self.node.val()) & 1).any() && !(self.src1.q.val() >> NODE_BITS.to_bits::<5>()).any();
        self.unknown2.d.next = self.moving.val() && self.valid1.q.val() && !self.found.val();
        if self.moving.val() {
            self.valid2.d.next = self.valid1.q.val() && self.found.val();
            self.ack2.d.next = self.ack1.q.val();
            self.message2.d.next = self.message1.q.val();
            self.node2.d.next = self.nodes.read_data.val();
        }

        // Clocks 3 to 5: the checksum, over a header whose own field is zero.
        self.ip_sum.next = self.own.q.val()
            + bit_cast::<20, 16>(self.node2.q.val().get_bits::<16>(24))
            + bit_cast::<20, 16>(self.node2.q.val().get_bits::<16>(40));
        if self.moving.val() {
            self.valid3.d.next = self.valid2.q.val();
            self.ack3.d.next = self.ack2.q.val();
            self.message3.d.next = self.message2.q.val();
            self.node3.d.next = self.node2.q.val();
            self.sum3.d.next = self.ip_sum.val();
            self.valid4.d.next = self.valid3.q.val();
            self.ack4.d.next = self.ack3.q.val();
            self.message4.d.next = self.message3.q.val();
            self.node4.d.next = self.node3.q.val();
            self.sum4.d.next = bit_cast::<17, 16>(self.sum3.q.val().get_bits::<16>(0))
                + bit_cast::<17, 4>(self.sum3.q.val().get_bits::<4>(16))
                + bit_cast::<17, 16>(self.ip_bytes.val());
        }
        self.ip_bytes.next = bits::<16>(52);
        if self.ack3.q.val() {
            self.ip_bytes.next = bits::<16>(60);
        }
        self.checksum.next = !(self.sum4.q.val().get_bits::<16>(0) + bit_cast::<16, 1>(self.sum4.q.val().get_bits::<1>(16)));
        self.udp_bytes.next = bits::<16>(32);
        if self.ack4.q.val() {
            self.udp_bytes.next = bits::<16>(40);
        }
        self.transport.next = (bit_cast::<320, 16>(self.cfg_local.udp_source.val()) << 304)
            | (bit_cast::<320, 16>(bits::<16>(4791)) << 288)
            | (bit_cast::<320, 16>(self.udp_bytes.val()) << 272)
            | (bit_cast::<320, 8>(bits::<8>(0xc1)) << 248)
            | (bit_cast::<320, 1>(self.ack4.q.val().into()) << 249)
            | (bit_cast::<320, 16>(self.cfg_partition_key.val()) << 224)
            | (bit_cast::<320, 24>(self.node4.q.val().get_bits::<24>(0)) << 192)
            | (bit_cast::<320, 128>(self.message4.q.val()) << 32);
        if self.moving.val() {
            self.valid5.d.next = self.valid4.q.val();
            self.mac5.d.next = self.node4.q.val().get_bits::<48>(153);
            self.six5.d.next = self.node4.q.val().get_bit(152);
            self.bytes5.d.next = bit_cast::<9, 16>(self.udp_bytes.val()) + 34;
            if self.node4.q.val().get_bit(152) {
                self.bytes5.d.next = bit_cast::<9, 16>(self.udp_bytes.val()) + 54;
                self.network5.d.next = (bit_cast::<640, 4>(bits::<4>(6)) << 636)
                    | (bit_cast::<640, 8>(self.cfg_local.traffic_class.val()) << 628)
                    | (bit_cast::<640, 16>(self.udp_bytes.val()) << 592)
                    | (bit_cast::<640, 8>(bits::<8>(0x11)) << 584)
                    | (bit_cast::<640, 8>(self.cfg_local.hop_limit.val()) << 576)
                    | (bit_cast::<640, 128>(self.cfg_local.ip6.val()) << 448)
                    | (bit_cast::<640, 128>(self.node4.q.val().get_bits::<128>(24)) << 320)
                    | bit_cast::<640, 320>(self.transport.val());
            } else {
                self.network5.d.next = (bit_cast::<640, 8>(bits::<8>(0x45)) << 632)
                    | (bit_cast::<640, 8>(self.cfg_local.traffic_class.val()) << 624)
                    | (bit_cast::<640, 16>(self.udp_bytes.val() + 20) << 608)
                    | (bit_cast::<640, 32>(bits::<32>(0x4000_0011)) << 560)
                    | (bit_cast::<640, 8>(self.cfg_local.hop_limit.val()) << 568)
                    | (bit_cast::<640, 16>(self.checksum.val()) << 544)
                    | (bit_cast::<640, 32>(self.cfg_local.ip4.val()) << 512)
                    | (bit_cast::<640, 32>(self.node4.q.val().get_bits::<32>(24)) << 480)
                    | (bit_cast::<640, 320>(self.transport.val()) << 160);
            }
        }

        // Clock 6: the frame, and its beats.
        self.ether_type.next = bits::<16>(0x0800);
        if self.six5.q.val() {
            self.ether_type.next = bits::<16>(0x86dd);
        }
        self.ether.next = (bit_cast::<1024, 48>(self.mac5.q.val()) << 976)
            | (bit_cast::<1024, 48>(self.cfg_local.mac.val()) << 928)
            | (bit_cast::<1024, 16>(self.ether_type.val()) << 912)
            | (bit_cast::<1024, 640>(self.network5.q.val()) << 272);
        if self.cfg_local.vlan_on.val() {
            self.ether.next = (bit_cast::<1024, 48>(self.mac5.q.val()) << 976)
                | (bit_cast::<1024, 48>(self.cfg_local.mac.val()) << 928)
                | (bit_cast::<1024, 16>(bits::<16>(0x8100)) << 912)
                | (bit_cast::<1024, 16>(self.cfg_local.vlan.val()) << 896)
                | (bit_cast::<1024, 16>(self.ether_type.val()) << 880)
                | (bit_cast::<1024, 640>(self.network5.q.val()) << 240);
        }
        self.reverse.data.next = self.ether.val();
        self.beat.next = bits::<9>(1) << LANE_BITS.to_bits::<4>();
        self.loaded.next = self.bytes5.q.val();
        if self.cfg_local.vlan_on.val() {
            self.loaded.next = self.bytes5.q.val() + 4;
        }
        self.ends.next = self.out.ready.val() && !self.more.q.val();
        self.moving.next = !self.valid5.q.val() || !self.busy.q.val() || self.ends.val();
        self.notify_ready.next = self.moving.val();
        self.made.d.next = false;
        if self.busy.q.val() && self.out.ready.val() {
            self.frame.d.next = self.frame.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.left.d.next = self.left.q.val() - self.beat.val();
            self.more.d.next = (self.left.q.val() - self.beat.val()) > self.beat.val();
            self.busy.d.next = self.more.q.val();
        }
        if self.valid5.q.val() && self.moving.val() {
            self.frame.d.next = self.reverse.reversed.val();
            self.left.d.next = self.loaded.val();
            self.more.d.next = self.loaded.val() > self.beat.val();
            self.busy.d.next = true;
            self.made.d.next = true;
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
        self.evt_frame.next = self.made.q.val();
        self.evt_unknown_node.next = self.unknown2.q.val();
    }
}
