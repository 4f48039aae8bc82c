use crate::Described;
use crate::primitives::{LutRam, Reg};
use rust_hdl::prelude::*;

/// Everything of a frame in front of its payload, and its lengths: Ethernet, one VLAN tag if it is on, IPv4 or IPv6 by node, UDP, BTH, and RETH, immediate
/// and OpETH of a packet, or the message of a data arrival or an abort.
///
/// A packet is an RDMA WRITE ONLY, with immediate if it is the last one of an operation that has one. Its packet sequence number is op number * 256 +
/// number in the operation: the same each time it is sent, and no state. UDP's checksum is 0. The template counts for jobs that come four clocks
/// after it was set, or later. A job for a node that the table does not have is `unknown`.
/// Latency: 5 clocks. Throughput: one per clock, never stalls. Reset: the node table is empty.
/// Spec: wire format.
///
/// Parameters: packets of `2^PW` bytes, `PC` = `PW + 1`, `AW` = `64 - PW`, `MC` bits of a number of packets, `SW` bits of a slot, `RW` = `SW + MC + 203` (`PacketJobs`), `2^NW` = `NN` nodes.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PacketHeader<
    const PW: usize,
    const PC: usize,
    const AW: usize,
    const MC: usize,
    const SW: usize,
    const RW: usize,
    const NW: usize,
    const NN: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a job
    pub job_valid: Signal<In, Bit>,
    /// its operation
    pub job_op: Signal<In, Bits<16>>,
    /// packet of the operation
    pub job_packet: Signal<In, Bits<8>>,
    /// 0 packet, 1 packet sent again, 2 abort, 3 fence
    pub job_kind: Signal<In, Bits<2>>,
    /// what the operation says
    pub job_record: Signal<In, Bits<RW>>,
    /// a header
    pub out_valid: Signal<Out, Bit>,
    /// its operation
    pub out_op: Signal<Out, Bits<16>>,
    /// packet of the operation
    pub out_packet: Signal<Out, Bits<8>>,
    /// kind of its job
    pub out_kind: Signal<Out, Bits<2>>,
    /// it is no frame: a fence, or there is no such node
    pub out_nothing: Signal<Out, Bit>,
    /// slot of its payload
    pub out_slot: Signal<Out, Bits<SW>>,
    /// bytes of its payload
    pub out_bytes: Signal<Out, Bits<PC>>,
    /// the same with padding
    pub out_padded: Signal<Out, Bits<PC>>,
    /// bytes of the header, at most 106
    pub out_length: Signal<Out, Bits<7>>,
    /// the header, first byte in the highest bits of 128 bytes
    pub out_header: Signal<Out, Bits<1024>>,
    /// our node number
    pub cfg_node: Signal<In, Bits<16>>,
    /// our MAC address, first byte in the highest bits as in all addresses here
    pub cfg_mac: Signal<In, Bits<48>>,
    /// our IPv4 address
    pub cfg_ip4: Signal<In, Bits<32>>,
    /// our IPv6 address
    pub cfg_ip6: Signal<In, Bits<128>>,
    /// frames carry a VLAN tag
    pub cfg_vlan_on: Signal<In, Bit>,
    /// its tag control information
    pub cfg_vlan: Signal<In, Bits<16>>,
    /// traffic class or type of service
    pub cfg_traffic_class: Signal<In, Bits<8>>,
    /// time to live or hop limit
    pub cfg_hop_limit: Signal<In, Bits<8>>,
    /// UDP source port
    pub cfg_udp_source: Signal<In, Bits<16>>,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    /// set one node of the table
    pub cfg_node_write: Signal<In, Bit>,
    /// which
    pub cfg_node_index: Signal<In, Bits<NW>>,
    /// there is such a node
    pub cfg_node_valid: Signal<In, Bit>,
    /// its MAC address
    pub cfg_node_mac: Signal<In, Bits<48>>,
    /// it has an IPv6 address
    pub cfg_node_six: Signal<In, Bit>,
    /// its IP address; IPv4 in the low 32 bits
    pub cfg_node_ip: Signal<In, Bits<128>>,
    /// counts frames that were not made: no such node
    pub evt_unknown_node: Signal<Out, Bit>,

    // IP 128, IPv6 1, MAC 48
    nodes: LutRam<177, NW>,
    there: Reg<Bits<NN>>,
    place: Signal<Local, Bits<NN>>,
    node: Signal<Local, Bits<NW>>,
    found: Signal<Local, Bit>,
    // The part of the IPv4 checksum that no frame changes.
    own_ip: Reg<Bits<20>>,
    own: Reg<Bits<20>>,
    own_class: Signal<Local, Bits<20>>,

    record: Signal<Local, Bits<RW>>,
    message: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    rest: Signal<Local, Bits<PC>>,

    // Clock 1: place and bytes of the packet, and the node.
    valid1: Reg<Bit>,
    op1: Reg<Bits<16>>,
    packet1: Reg<Bits<8>>,
    kind1: Reg<Bits<2>>,
    message1: Reg<Bit>,
    first1: Reg<Bit>,
    imm1: Reg<Bit>,
    address1: Reg<Bits<AW>>,
    bytes1: Reg<Bits<PC>>,
    record1: Reg<Bits<RW>>,
    node1: Reg<Bits<177>>,
    found1: Reg<Bit>,
    padded1: Signal<Local, Bits<PC>>,

    // Clock 2: lengths.
    valid2: Reg<Bit>,
    op2: Reg<Bits<16>>,
    packet2: Reg<Bits<8>>,
    kind2: Reg<Bits<2>>,
    message2: Reg<Bit>,
    first2: Reg<Bit>,
    imm2: Reg<Bit>,
    address2: Reg<Bits<AW>>,
    bytes2: Reg<Bits<PC>>,
    padded2: Reg<Bits<PC>>,
    udp2: Reg<Bits<16>>,
    record2: Reg<Bits<RW>>,
    node2: Reg<Bits<177>>,
    nothing2: Reg<Bit>,
    sum2: Reg<Bits<20>>,
    flags2: Signal<Local, Bits<8>>,
    bth: Signal<Local, Bits<96>>,
    dma_bytes: Signal<Local, Bits<32>>,
    op_eth: Signal<Local, Bits<64>>,
    reth: Signal<Local, Bits<128>>,
    base: Signal<Local, Bits<64>>,
    status: Signal<Local, Bits<8>>,

    // Clock 3: UDP and what is in it, 48 bytes, first one highest.
    valid3: Reg<Bit>,
    op3: Reg<Bits<16>>,
    packet3: Reg<Bits<8>>,
    kind3: Reg<Bits<2>>,
    nothing3: Reg<Bit>,
    slot3: Reg<Bits<SW>>,
    bytes3: Reg<Bits<PC>>,
    padded3: Reg<Bits<PC>>,
    udp3: Reg<Bits<16>>,
    length3: Reg<Bits<7>>,
    node3: Reg<Bits<177>>,
    sum3: Reg<Bits<17>>,
    transport3: Reg<Bits<384>>,
    checksum: Signal<Local, Bits<16>>,

    // Clock 4: IP, 88 bytes.
    valid4: Reg<Bit>,
    op4: Reg<Bits<16>>,
    packet4: Reg<Bits<8>>,
    kind4: Reg<Bits<2>>,
    nothing4: Reg<Bit>,
    slot4: Reg<Bits<SW>>,
    bytes4: Reg<Bits<PC>>,
    padded4: Reg<Bits<PC>>,
    length4: Reg<Bits<7>>,
    mac4: Reg<Bits<48>>,
    six4: Reg<Bit>,
    network4: Reg<Bits<704>>,
    ether_type: Signal<Local, Bits<16>>,

    // Clock 5: all of it.
    valid5: Reg<Bit>,
    op5: Reg<Bits<16>>,
    packet5: Reg<Bits<8>>,
    kind5: Reg<Bits<2>>,
    nothing5: Reg<Bit>,
    slot5: Reg<Bits<SW>>,
    bytes5: Reg<Bits<PC>>,
    padded5: Reg<Bits<PC>>,
    length5: Reg<Bits<7>>,
    header5: Reg<Bits<1024>>,
}

impl<const PW: usize, const PC: usize, const AW: usize, const MC: usize, const SW: usize, const RW: usize, const NW: usize, const NN: usize>
    PacketHeader<PW, PC, AW, MC, SW, RW, NW, NN>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        for (name, value, must) in [("PC", PC, PW + 1), ("AW", AW, 64 - PW), ("RW", RW, SW + MC + 203), ("NN", NN, 1 << NW)] {
            assert!(value == must, "PacketHeader: {name} = {value} with PW = {PW}, MC = {MC}, SW = {SW}, NW = {NW}, must be {must}");
        }
        Self::default()
    }
}

impl<const PW: usize, const PC: usize, const AW: usize, const MC: usize, const SW: usize, const RW: usize, const NW: usize, const NN: usize>
    Logic for PacketHeader<PW, PC, AW, MC, SW, RW, NW, NN>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, there, own_ip, own);
        dff_setup!(self, clk, valid1, op1, packet1, kind1, message1, first1, imm1, address1, bytes1, record1, node1, found1);
        dff_setup!(
            self, clk, valid2, op2, packet2, kind2, message2, first2, imm2, address2, bytes2, padded2, udp2, record2, node2, nothing2, sum2
        );
        dff_setup!(self, clk, valid3, op3, packet3, kind3, nothing3, slot3, bytes3, padded3, udp3, length3, node3, sum3, transport3);
        dff_setup!(self, clk, valid4, op4, packet4, kind4, nothing4, slot4, bytes4, padded4, length4, mac4, six4, network4);
        dff_setup!(self, clk, valid5, op5, packet5, kind5, nothing5, slot5, bytes5, padded5, length5, header5);

        self.nodes.clk.next = self.clk.val();
        self.nodes.write_enable.next = self.cfg_node_write.val();
        self.nodes.write_address.next = self.cfg_node_index.val();
        self.nodes.write_data.next = bit_cast::<177, 128>(self.cfg_node_ip.val())
            | (bit_cast::<177, 1>(self.cfg_node_six.val().into()) << 128)
            | (bit_cast::<177, 48>(self.cfg_node_mac.val()) << 129);
        self.place.next = bits::<NN>(1) << self.cfg_node_index.val();
        if self.cfg_node_write.val() {
            self.there.d.next = self.there.q.val() & !self.place.val();
            if self.cfg_node_valid.val() {
                self.there.d.next = self.there.q.val() | self.place.val();
            }
        }
        // Version, class, do not fragment, hops and UDP, our address.
        self.own_class.next = bit_cast::<20, 8>(self.cfg_traffic_class.val()) | (bit_cast::<20, 8>(self.cfg_hop_limit.val()) << 8);
        self.own_ip.d.next =
            bit_cast::<20, 16>(self.cfg_ip4.val().get_bits::<16>(0)) + bit_cast::<20, 16>(self.cfg_ip4.val().get_bits::<16>(16));
        self.own.d.next = self.own_ip.q.val() + self.own_class.val() + 0x8511;

        // Clock 1: where the packet is in its operation.
        self.record.next = self.job_record.val();
        self.message.next = self.job_kind.val().get_bit(1) || self.record.val().get_bit(202);
        self.last.next = (bit_cast::<MC, 8>(self.job_packet.val()) + 1) == self.record.val().get_bits::<MC>(203 + SW);
        self.rest.next = self.record.val().get_bits::<PC>(64) - (bit_cast::<PC, 8>(self.job_packet.val()) << PW.to_bits::<5>());
        self.valid1.d.next = self.job_valid.val();
        self.op1.d.next = self.job_op.val();
        self.packet1.d.next = self.job_packet.val();
        self.kind1.d.next = self.job_kind.val();
        self.message1.d.next = self.message.val();
        self.first1.d.next = !self.job_packet.val().any();
        self.imm1.d.next = self.last.val() && self.record.val().get_bit(200) && !self.message.val();
        self.address1.d.next = self.record.val().get_bits::<AW>(PW) + bit_cast::<AW, 8>(self.job_packet.val());
        self.bytes1.d.next = bits::<PC>(1) << PW.to_bits::<5>();
        if self.last.val() {
            self.bytes1.d.next = self.rest.val();
        }
        if self.message.val() {
            self.bytes1.d.next = bits::<PC>(0);
        }
        self.record1.d.next = self.record.val();
        self.node.next = self.record.val().get_bits::<NW>(184);
        self.nodes.read_address.next = self.node.val();
        self.node1.d.next = self.nodes.read_data.val();
        self.found.next =
            ((self.there.q.val() >> self.node.val()) & 1).any() && !(self.record.val().get_bits::<16>(184) >> NW.to_bits::<5>()).any();
        self.found1.d.next = self.found.val();

        // Clock 2: lengths. UDP holds at least BTH, RETH and OpETH, or BTH and 24 bytes of a message, and the ICRC.
        self.padded1.next = (self.bytes1.q.val() + 3) & !bits::<PC>(3);
        self.valid2.d.next = self.valid1.q.val();
        self.op2.d.next = self.op1.q.val();
        self.packet2.d.next = self.packet1.q.val();
        self.kind2.d.next = self.kind1.q.val();
        self.message2.d.next = self.message1.q.val();
        self.first2.d.next = self.first1.q.val();
        self.imm2.d.next = self.imm1.q.val();
        self.address2.d.next = self.address1.q.val();
        self.bytes2.d.next = self.bytes1.q.val();
        self.padded2.d.next = self.padded1.val();
        self.udp2.d.next = bit_cast::<16, PC>(self.padded1.val()) + 48;
        if self.imm1.q.val() {
            self.udp2.d.next = bit_cast::<16, PC>(self.padded1.val()) + 52;
        }
        self.record2.d.next = self.record1.q.val();
        self.node2.d.next = self.node1.q.val();
        self.nothing2.d.next = self.kind1.q.val().all() || !self.found1.q.val();
        self.evt_unknown_node.next = self.valid1.q.val() && !self.kind1.q.val().all() && !self.found1.q.val();
        self.sum2.d.next = self.own.q.val()
            + bit_cast::<20, 16>(self.node1.q.val().get_bits::<16>(0))
            + bit_cast::<20, 16>(self.node1.q.val().get_bits::<16>(16));

        // Clock 3: the headers inside of UDP.
        self.flags2.next = bit_cast::<8, 1>((self.kind2.q.val() == bits::<2>(1)).into());
        self.bth.next = (bit_cast::<96, 16>(self.cfg_partition_key.val()) << 64)
            | (bit_cast::<96, 8>(self.flags2.val()) << 56)
            | (bit_cast::<96, 24>(self.record2.q.val().get_bits::<24>(160)) << 32);
        self.base.next = bit_cast::<64, AW>(self.address2.q.val()) << PW.to_bits::<5>();
        self.dma_bytes.next = bit_cast::<32, PC>(self.bytes2.q.val());
        self.op_eth.next = (bit_cast::<64, 1>(self.record2.q.val().get_bits::<1>(201)) << 48)
            | (bit_cast::<64, 16>(self.op2.q.val()) << 32)
            | bit_cast::<64, 16>(self.cfg_node.val());
        if self.first2.q.val() {
            self.dma_bytes.next = self.record2.q.val().get_bits::<32>(64);
            self.op_eth.next = (bit_cast::<64, 1>(bits::<1>(1)) << 56)
                | (bit_cast::<64, 1>(self.record2.q.val().get_bits::<1>(201)) << 48)
                | (bit_cast::<64, 16>(self.op2.q.val()) << 32)
                | (bit_cast::<64, MC>(self.record2.q.val().get_bits::<MC>(203 + SW)) << 16)
                | bit_cast::<64, 16>(self.cfg_node.val());
        }
        self.reth.next = (bit_cast::<128, 64>(self.base.val()) << 64)
            | (bit_cast::<128, 32>(self.record2.q.val().get_bits::<32>(96)) << 32)
            | bit_cast::<128, 32>(self.dma_bytes.val());
        self.status.next = bit_cast::<8, 1>((self.kind2.q.val() == bits::<2>(2)).into());
        self.length3.d.next = bits::<7>(78);
        if self.imm2.q.val() {
            self.length3.d.next = bits::<7>(82);
            self.transport3.d.next = (bit_cast::<384, 96>(self.bth.val()) << 224)
                | (bit_cast::<384, 8>(bits::<8>(0x0b)) << 312)
                | (bit_cast::<384, 16>(self.op2.q.val()) << 232)
                | (bit_cast::<384, 8>(self.packet2.q.val()) << 224)
                | (bit_cast::<384, 128>(self.reth.val()) << 96)
                | (bit_cast::<384, 32>(self.record2.q.val().get_bits::<32>(128)) << 64)
                | bit_cast::<384, 64>(self.op_eth.val());
        } else {
            self.transport3.d.next = (bit_cast::<384, 96>(self.bth.val()) << 224)
                | (bit_cast::<384, 8>(bits::<8>(0x0a)) << 312)
                | (bit_cast::<384, 16>(self.op2.q.val()) << 232)
                | (bit_cast::<384, 8>(self.packet2.q.val()) << 224)
                | (bit_cast::<384, 128>(self.reth.val()) << 96)
                | (bit_cast::<384, 64>(self.op_eth.val()) << 32);
        }
        if self.message2.q.val() {
            self.transport3.d.next = (bit_cast::<384, 96>(self.bth.val()) << 224)
                | (bit_cast::<384, 8>(bits::<8>(0xc4)) << 312)
                | (bit_cast::<384, 16>(self.op2.q.val()) << 208)
                | (bit_cast::<384, 16>(self.cfg_node.val()) << 192)
                | (bit_cast::<384, 8>(self.status.val()) << 184)
                | (bit_cast::<384, 64>(self.record2.q.val().get_bits::<64>(0)) << 96)
                | (bit_cast::<384, 32>(self.record2.q.val().get_bits::<32>(64)) << 32);
        }
        self.valid3.d.next = self.valid2.q.val();
        self.op3.d.next = self.op2.q.val();
        self.packet3.d.next = self.packet2.q.val();
        self.kind3.d.next = self.kind2.q.val();
        self.nothing3.d.next = self.nothing2.q.val();
        self.slot3.d.next = self.record2.q.val().get_bits::<SW>(203);
        self.bytes3.d.next = self.bytes2.q.val();
        self.padded3.d.next = self.padded2.q.val();
        self.udp3.d.next = self.udp2.q.val();
        self.node3.d.next = self.node2.q.val();
        self.sum3.d.next = bit_cast::<17, 16>(self.sum2.q.val().get_bits::<16>(0))
            + bit_cast::<17, 4>(self.sum2.q.val().get_bits::<4>(16))
            + bit_cast::<17, 16>(self.udp2.q.val() + 20);

        // Clock 4: IP. Padding of UDP's payload is told in BTH.
        self.checksum.next = !(self.sum3.q.val().get_bits::<16>(0) + bit_cast::<16, 1>(self.sum3.q.val().get_bits::<1>(16)));
        self.valid4.d.next = self.valid3.q.val();
        self.op4.d.next = self.op3.q.val();
        self.packet4.d.next = self.packet3.q.val();
        self.kind4.d.next = self.kind3.q.val();
        self.nothing4.d.next = self.nothing3.q.val();
        self.slot4.d.next = self.slot3.q.val();
        self.bytes4.d.next = self.bytes3.q.val();
        self.padded4.d.next = self.padded3.q.val();
        self.length4.d.next = self.length3.q.val();
        self.mac4.d.next = self.node3.q.val().get_bits::<48>(129);
        self.six4.d.next = self.node3.q.val().get_bit(128);
        if self.node3.q.val().get_bit(128) {
            self.length4.d.next = self.length3.q.val() + 20;
            self.network4.d.next = (bit_cast::<704, 4>(bits::<4>(6)) << 700)
                | (bit_cast::<704, 8>(self.cfg_traffic_class.val()) << 692)
                | (bit_cast::<704, 16>(self.udp3.q.val()) << 656)
                | (bit_cast::<704, 8>(bits::<8>(0x11)) << 648)
                | (bit_cast::<704, 8>(self.cfg_hop_limit.val()) << 640)
                | (bit_cast::<704, 128>(self.cfg_ip6.val()) << 512)
                | (bit_cast::<704, 128>(self.node3.q.val().get_bits::<128>(0)) << 384)
                | bit_cast::<704, 384>(self.transport3.q.val())
                | (bit_cast::<704, 16>(self.cfg_udp_source.val()) << 368)
                | (bit_cast::<704, 16>(bits::<16>(4791)) << 352)
                | (bit_cast::<704, 16>(self.udp3.q.val()) << 336)
                | (bit_cast::<704, 2>(bit_cast::<2, PC>(self.padded3.q.val() - self.bytes3.q.val())) << 308);
        } else {
            self.network4.d.next = (bit_cast::<704, 8>(bits::<8>(0x45)) << 696)
                | (bit_cast::<704, 8>(self.cfg_traffic_class.val()) << 688)
                | (bit_cast::<704, 16>(self.udp3.q.val() + 20) << 672)
                | (bit_cast::<704, 32>(bits::<32>(0x4000_0011)) << 624)
                | (bit_cast::<704, 8>(self.cfg_hop_limit.val()) << 632)
                | (bit_cast::<704, 16>(self.checksum.val()) << 608)
                | (bit_cast::<704, 32>(self.cfg_ip4.val()) << 576)
                | (bit_cast::<704, 32>(self.node3.q.val().get_bits::<32>(0)) << 544)
                | (bit_cast::<704, 384>(self.transport3.q.val()) << 160)
                | (bit_cast::<704, 16>(self.cfg_udp_source.val()) << 528)
                | (bit_cast::<704, 16>(bits::<16>(4791)) << 512)
                | (bit_cast::<704, 16>(self.udp3.q.val()) << 496)
                | (bit_cast::<704, 2>(bit_cast::<2, PC>(self.padded3.q.val() - self.bytes3.q.val())) << 468);
        }

        // Clock 5: Ethernet.
        self.ether_type.next = bits::<16>(0x0800);
        if self.six4.q.val() {
            self.ether_type.next = bits::<16>(0x86dd);
        }
        self.valid5.d.next = self.valid4.q.val();
        self.op5.d.next = self.op4.q.val();
        self.packet5.d.next = self.packet4.q.val();
        self.kind5.d.next = self.kind4.q.val();
        self.nothing5.d.next = self.nothing4.q.val();
        self.slot5.d.next = self.slot4.q.val();
        self.bytes5.d.next = self.bytes4.q.val();
        self.padded5.d.next = self.padded4.q.val();
        self.length5.d.next = self.length4.q.val();
        self.header5.d.next = (bit_cast::<1024, 48>(self.mac4.q.val()) << 976)
            | (bit_cast::<1024, 48>(self.cfg_mac.val()) << 928)
            | (bit_cast::<1024, 16>(self.ether_type.val()) << 912)
            | (bit_cast::<1024, 704>(self.network4.q.val()) << 208);
        if self.cfg_vlan_on.val() {
            self.length5.d.next = self.length4.q.val() + 4;
            self.header5.d.next = (bit_cast::<1024, 48>(self.mac4.q.val()) << 976)
                | (bit_cast::<1024, 48>(self.cfg_mac.val()) << 928)
                | (bit_cast::<1024, 16>(bits::<16>(0x8100)) << 912)
                | (bit_cast::<1024, 16>(self.cfg_vlan.val()) << 896)
                | (bit_cast::<1024, 16>(self.ether_type.val()) << 880)
                | (bit_cast::<1024, 704>(self.network4.q.val()) << 176);
        }
        self.out_valid.next = self.valid5.q.val();
        self.out_op.next = self.op5.q.val();
        self.out_packet.next = self.packet5.q.val();
        self.out_kind.next = self.kind5.q.val();
        self.out_nothing.next = self.nothing5.q.val();
        self.out_slot.next = self.slot5.q.val();
        self.out_bytes.next = self.bytes5.q.val();
        self.out_padded.next = self.padded5.q.val();
        self.out_length.next = self.length5.q.val();
        self.out_header.next = self.header5.q.val();
        if self.rst.val() {
            self.there.d.next = bits::<NN>(0);
            self.valid1.d.next = false;
            self.valid2.d.next = false;
            self.valid3.d.next = false;
            self.valid4.d.next = false;
            self.valid5.d.next = false;
        }
    }
}
