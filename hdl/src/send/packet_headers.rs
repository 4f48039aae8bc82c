use super::TRY_BITS;
use crate::bitmap::some;
use crate::bus::{LocalAddress, NodeEntry};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::wire::{NetworkHeader, NodeTable};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What stands in front of each packet's payload, how long its frame is, and which payload it has.
///
/// A packet is an RDMA WRITE ONLY with its own target address, with immediate if it is the last of an operation that has one; it carries
/// OpETH. A data arrival and an abort are 0xc4 with PSN 0. What is sent again has its flag set, an abort has not. A job without frame, and
/// one for a node that the table does not have, goes on without a head and asks for no payload; the latter counts in `evt_unknown_node`.
/// Latency: 4 clocks, 2 to the payload's request. Throughput: one job per clock; it never stalls. Reset: the node table is empty, no job is
/// under way.
/// Spec: wire format, "BTH", "Extension headers", "Control packets".
///
/// With `plain` packets carry no OpETH, as any RoCEv2 peer expects them; then there are no data arrivals and no aborts.
///
/// A record, low bits first: target 64, bytes 32, rkey 32, immediate 32, queue pair 24, node 16, immediate is there, large, arrival, slot,
/// packets.
// With `refetch` the payload of what is sent again lies in the last slot, at its place.
#[derive(Default, Described, LogicBlock)]
pub struct PacketHeaders {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a job
    pub in_valid: Signal<In, Bit>,
    /// it becomes a frame
    pub in_frame: Signal<In, Bit>,
    /// it is an abort
    pub in_abort: Signal<In, Bit>,
    /// it has been sent before
    pub in_again: Signal<In, Bit>,
    /// it ends a first transmission
    pub in_last: Signal<In, Bit>,
    /// nothing of its operation follows any more
    pub in_closed: Signal<In, Bit>,
    /// operation of `in`
    pub in_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub in_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub in_try: Signal<In, Bits<TRY_BITS>>,
    /// packet sequence number of the operation's first packet
    pub in_psn: Signal<In, Bits<24>>,
    /// what its packets say
    pub in_record: Signal<In, Bits<OP_RECORD_BITS>>,
    /// refetch: where the payload of what is sent again lies in the last slot
    pub in_place: Vec<Signal<In, Bits<PULL_PLACE_BITS>>>,
    /// a payload is to be read
    pub read_valid: Signal<Out, Bit>,
    /// slot of `read`
    pub read_slot: Signal<Out, Bits<SEND_SLOT_BITS>>,
    /// where in the slot it begins
    pub read_offset: Signal<Out, Bits<OPERATION_BITS>>,
    /// bytes of `read`
    pub read_bytes: Signal<Out, Bits<13>>,
    /// a job
    pub out_valid: Signal<Out, Bit>,
    /// it has a frame
    pub out_frame: Signal<Out, Bit>,
    /// it counts as sent
    pub out_sent: Signal<Out, Bit>,
    /// it ends a first transmission
    pub out_last: Signal<Out, Bit>,
    /// nothing of its operation follows any more
    pub out_closed: Signal<Out, Bit>,
    /// operation of `out`
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub out_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it is
    pub out_try: Signal<Out, Bits<TRY_BITS>>,
    /// bytes of its head, one of six: 78, 82, 86, and 20 more with IPv6
    pub out_form: Signal<Out, Bits<6>>,
    /// bytes of its frame
    pub out_total: Signal<Out, Bits<13>>,
    /// bytes of its payload
    pub out_bytes: Signal<Out, Bits<13>>,
    /// head of `out`, first byte in the lowest bits; zero behind it
    pub out_head: Signal<Out, Bits<848>>,
    /// our own node number
    pub cfg_src: Signal<In, Bits<16>>,
    /// a node knows us by that and its own number added
    pub cfg_src_each: Signal<In, Bit>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// counts packets and aborts without a frame: no such node
    pub evt_unknown_node: Signal<Out, Bit>,

    #[variant]
    _plain: usize,
    nodes: NodeTable<NODE_BITS, NODES>,
    network: NetworkHeader<320, 704>,

    arrival: Signal<Local, Bit>,
    final_packet: Signal<Local, Bit>,
    valid4: State<Bit>,
    frame4: Reg<Bit>,
    abort4: Reg<Bit>,
    again4: Reg<Bit>,
    last4: Reg<Bit>,
    closed4: Reg<Bit>,
    op4: Reg<Bits<OP_BITS>>,
    packet4: Reg<Bits<POSITION_BITS>>,
    try4: Reg<Bits<TRY_BITS>>,
    control4: Reg<Bit>,
    start4: Reg<Bit>,
    psn4: Reg<Bits<24>>,
    address4: Reg<Bits<64>>,
    bytes4: Reg<Bits<32>>,
    rkey4: Reg<Bits<32>>,
    imm4: Reg<Bits<32>>,
    imm_valid4: Reg<Bit>,
    large4: Reg<Bit>,
    // Our number, as the node knows it.
    src4: Reg<Bits<16>>,
    qp4: Reg<Bits<24>>,
    slot4: Reg<Bits<SEND_SLOT_BITS>>,
    // Packets of the slot that lie before the payload.
    place4: Vec<Reg<Bits<POSITION_BITS>>>,
    count4: Reg<Bits<POSITION_COUNT_BITS>>,
    size4: Reg<Bits<PACKET_COUNT_BITS>>,

    framed: Signal<Local, Bit>,
    padded: Signal<Local, Bits<16>>,
    pad: Signal<Local, Bits<2>>,
    udp_bytes: Signal<Local, Bits<16>>,
    opcode: Signal<Local, Bits<8>>,
    length: Signal<Local, Bits<32>>,
    count: Signal<Local, Bits<POSITION_COUNT_BITS>>,
    bth: Signal<Local, Bits<96>>,
    extension: Signal<Local, Bits<224>>,

    valid5: State<Bit>,
    frame5: Reg<Bit>,
    sent5: Reg<Bit>,
    last5: Reg<Bit>,
    closed5: Reg<Bit>,
    op5: Reg<Bits<OP_BITS>>,
    packet5: Reg<Bits<POSITION_BITS>>,
    try5: Reg<Bits<TRY_BITS>>,
    size5: Reg<Bits<PACKET_COUNT_BITS>>,
    imm5: Reg<Bit>,
    six5: Reg<Bit>,
    udp5: Reg<Bits<13>>,
    read5: State<Bit>,
    slot5: Reg<Bits<SEND_SLOT_BITS>>,
    place5: Vec<Reg<Bits<POSITION_BITS>>>,
    unknown5: State<Bit>,
    network_bytes: Signal<Local, Bits<13>>,
    tags: Signal<Local, Bits<3>>,

    valid6: State<Bit>,
    frame6: Reg<Bit>,
    sent6: Reg<Bit>,
    last6: Reg<Bit>,
    closed6: Reg<Bit>,
    op6: Reg<Bits<OP_BITS>>,
    packet6: Reg<Bits<POSITION_BITS>>,
    try6: Reg<Bits<TRY_BITS>>,
    size6: Reg<Bits<PACKET_COUNT_BITS>>,
    total6: Reg<Bits<13>>,
    form6: Reg<Bits<6>>,

    valid7: State<Bit>,
    frame7: Reg<Bit>,
    sent7: Reg<Bit>,
    last7: Reg<Bit>,
    closed7: Reg<Bit>,
    op7: Reg<Bits<OP_BITS>>,
    packet7: Reg<Bits<POSITION_BITS>>,
    try7: Reg<Bits<TRY_BITS>>,
    size7: Reg<Bits<PACKET_COUNT_BITS>>,
    total7: Reg<Bits<13>>,
    form7: Reg<Bits<6>>,
}

impl PacketHeaders {
    /// A new one.
    pub fn new() -> Self {
        Self {
            nodes: NodeTable::new(),
            network: NetworkHeader::new(),
            in_place: some(REFETCH),
            place4: some(REFETCH),
            place5: some(REFETCH),
            ..Default::default()
        }
    }

    /// As `new`, without OpETH.
    pub fn plain() -> Self {
        Self { _plain: 1, ..Self::new() }
    }
}

impl Logic for PacketHeaders {
    #[kernel]
    fn update(&mut self) {
        NodeEntry::link(&mut self.cfg_node, &mut self.nodes.cfg_node);
        // A command brings a queue pair of its own.
        self.nodes.cfg_node_qp.next = bits::<24>(0);
        self.nodes.moving.next = true;
        self.network.moving.next = true;
        LocalAddress::link(&mut self.cfg_local, &mut self.network.cfg_local);

        // Clock 1: the node, and which part of the operation this is.
        self.nodes.node.next = self.in_record.val().get_bits::<16>(184);
        self.arrival.next = self.in_record.val().get_bit(202);
        self.final_packet.next = (bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.in_packet.val()) + 1)
            == self.in_record.val().get_bits::<POSITION_COUNT_BITS>(203 + SEND_SLOT_BITS);
        self.valid4.d.next = self.in_valid.val();
        self.frame4.d.next = self.in_frame.val();
        self.abort4.d.next = self.in_abort.val();
        self.again4.d.next = self.in_again.val();
        self.last4.d.next = self.in_last.val();
        self.closed4.d.next = self.in_closed.val();
        self.op4.d.next = self.in_op.val();
        self.packet4.d.next = self.in_packet.val();
        self.try4.d.next = self.in_try.val();
        self.control4.d.next = self.arrival.val() || self.in_abort.val();
        self.start4.d.next = !self.in_packet.val().any();
        self.psn4.d.next = self.in_psn.val() + bit_cast::<24, POSITION_BITS>(self.in_packet.val());
        // Packets are as far apart as they are long: the low bits stay.
        self.address4.d.next = bit_cast::<64, PACKET_BITS>(self.in_record.val().get_bits::<PACKET_BITS>(0))
            | (bit_cast::<64, PACKET_ADDRESS_REST_BITS>(
                self.in_record.val().get_bits::<PACKET_ADDRESS_REST_BITS>(PACKET_BITS)
                    + bit_cast::<PACKET_ADDRESS_REST_BITS, POSITION_BITS>(self.in_packet.val()),
            ) << PACKET_BITS.to_bits::<4>());
        self.bytes4.d.next = self.in_record.val().get_bits::<32>(64);
        self.rkey4.d.next = self.in_record.val().get_bits::<32>(96);
        self.imm4.d.next = self.in_record.val().get_bits::<32>(128);
        self.src4.d.next = self.cfg_src.val();
        if self.cfg_src_each.val() {
            self.src4.d.next = self.cfg_src.val() + self.in_record.val().get_bits::<16>(184);
        }
        self.qp4.d.next = self.in_record.val().get_bits::<24>(160);
        self.imm_valid4.d.next =
            self.in_record.val().get_bit(200) && self.final_packet.val() && !self.arrival.val() && !self.in_abort.val();
        self.large4.d.next = self.in_record.val().get_bit(201);
        self.slot4.d.next = self.in_record.val().get_bits::<SEND_SLOT_BITS>(203);
        for r in 0..REFETCH {
            self.place4[r].d.next = self.in_packet.val();
            if self.in_again.val() {
                self.slot4.d.next = (SLOTS - 1).to_bits::<SEND_SLOT_BITS>();
                self.place4[r].d.next = bit_cast::<POSITION_BITS, PULL_PLACE_BITS>(self.in_place[r].val());
            }
        }
        self.count4.d.next = self.in_record.val().get_bits::<POSITION_COUNT_BITS>(203 + SEND_SLOT_BITS);
        self.size4.d.next = bits::<PACKET_COUNT_BITS>(1) << PACKET_BITS.to_bits::<4>();
        if self.final_packet.val() && self.in_record.val().get_bits::<PACKET_BITS>(64).any() {
            self.size4.d.next = bit_cast::<PACKET_COUNT_BITS, PACKET_BITS>(self.in_record.val().get_bits::<PACKET_BITS>(64));
        }
        if self.arrival.val() || self.in_abort.val() {
            self.size4.d.next = bits::<PACKET_COUNT_BITS>(0);
        }

        // Clock 2: lengths, BTH and what follows it; the payload is asked for.
        self.framed.next = self.frame4.q.val() && self.nodes.found.val();
        self.pad.next = bits::<2>(0) - self.size4.q.val().get_bits::<2>(0);
        self.padded.next = bit_cast::<16, PACKET_COUNT_BITS>(self.size4.q.val()) + bit_cast::<16, 2>(self.pad.val());
        self.udp_bytes.next = self.padded.val() + 48;
        self.opcode.next = bits::<8>(0x0a);
        if self.imm_valid4.q.val() {
            self.udp_bytes.next = self.padded.val() + 52;
            self.opcode.next = bits::<8>(0x0b);
        }
        self.bth.next = (bit_cast::<96, 8>(self.opcode.val()) << 88)
            | (bit_cast::<96, 2>(self.pad.val()) << 84)
            | (bit_cast::<96, 16>(self.cfg_partition_key.val()) << 64)
            | (bit_cast::<96, 1>(self.again4.q.val().into()) << 56)
            | (bit_cast::<96, 24>(self.qp4.q.val()) << 32)
            | bit_cast::<96, 24>(self.psn4.q.val());
        self.length.next = bit_cast::<32, PACKET_COUNT_BITS>(self.size4.q.val());
        self.count.next = bits::<POSITION_COUNT_BITS>(0);
        if self.start4.q.val() {
            self.length.next = self.bytes4.q.val();
            self.count.next = self.count4.q.val();
        }
        self.extension.next = (bit_cast::<224, 64>(self.address4.q.val()) << 160)
            | (bit_cast::<224, 32>(self.rkey4.q.val()) << 128)
            | (bit_cast::<224, 32>(self.length.val()) << 96)
            | (bit_cast::<224, 1>(self.start4.q.val().into()) << 88)
            | (bit_cast::<224, 1>(self.large4.q.val().into()) << 89)
            | (bit_cast::<224, OP_BITS>(self.op4.q.val()) << 64)
            | (bit_cast::<224, POSITION_COUNT_BITS>(self.count.val()) << 48)
            | (bit_cast::<224, 16>(self.src4.q.val()) << 32);
        if self.imm_valid4.q.val() {
            self.extension.next = (bit_cast::<224, 64>(self.address4.q.val()) << 160)
                | (bit_cast::<224, 32>(self.rkey4.q.val()) << 128)
                | (bit_cast::<224, 32>(self.length.val()) << 96)
                | (bit_cast::<224, 32>(self.imm4.q.val()) << 64)
                | (bit_cast::<224, 1>(self.start4.q.val().into()) << 56)
                | (bit_cast::<224, 1>(self.large4.q.val().into()) << 57)
                | (bit_cast::<224, OP_BITS>(self.op4.q.val()) << 32)
                | (bit_cast::<224, POSITION_COUNT_BITS>(self.count.val()) << 16)
                | bit_cast::<224, 16>(self.src4.q.val());
        }
        if self.control4.q.val() {
            self.bth.next = (bit_cast::<96, 8>(bits::<8>(0xc4)) << 88)
                | (bit_cast::<96, 16>(self.cfg_partition_key.val()) << 64)
                | (bit_cast::<96, 1>(self.again4.q.val().into()) << 56)
                | (bit_cast::<96, 24>(self.qp4.q.val()) << 32);
            self.extension.next = (bit_cast::<224, OP_BITS>(self.op4.q.val()) << 200)
                | (bit_cast::<224, 1>(self.abort4.q.val().into()) << 192)
                | (bit_cast::<224, 16>(self.src4.q.val()) << 176)
                | (bit_cast::<224, 64>(self.address4.q.val()) << 96)
                | (bit_cast::<224, 32>(self.bytes4.q.val()) << 32);
        }
        for _plain in 0..self._plain {
            self.udp_bytes.next = self.padded.val() + 40;
            self.extension.next = (bit_cast::<224, 64>(self.address4.q.val()) << 160)
                | (bit_cast::<224, 32>(self.rkey4.q.val()) << 128)
                | (bit_cast::<224, PACKET_COUNT_BITS>(self.size4.q.val()) << 96);
            if self.imm_valid4.q.val() {
                self.udp_bytes.next = self.padded.val() + 44;
                self.extension.next = (bit_cast::<224, 64>(self.address4.q.val()) << 160)
                    | (bit_cast::<224, 32>(self.rkey4.q.val()) << 128)
                    | (bit_cast::<224, PACKET_COUNT_BITS>(self.size4.q.val()) << 96)
                    | (bit_cast::<224, 32>(self.imm4.q.val()) << 64);
            }
        }
        self.network.mac.next = self.nodes.mac.val();
        self.network.six.next = self.nodes.six.val();
        self.network.ip.next = self.nodes.ip.val();
        self.network.udp_bytes.next = self.udp_bytes.val();
        self.network.transport.next = (bit_cast::<320, 96>(self.bth.val()) << 224) | bit_cast::<320, 224>(self.extension.val());
        self.valid5.d.next = self.valid4.q.val();
        self.frame5.d.next = self.framed.val();
        self.sent5.d.next = self.frame4.q.val() && !self.abort4.q.val();
        self.last5.d.next = self.last4.q.val();
        self.closed5.d.next = self.closed4.q.val();
        self.op5.d.next = self.op4.q.val();
        self.packet5.d.next = self.packet4.q.val();
        self.try5.d.next = self.try4.q.val();
        self.size5.d.next = bits::<PACKET_COUNT_BITS>(0);
        if self.framed.val() {
            self.size5.d.next = self.size4.q.val();
        }
        self.imm5.d.next = self.imm_valid4.q.val();
        self.six5.d.next = self.nodes.six.val();
        self.udp5.d.next = bit_cast::<13, 16>(self.udp_bytes.val());
        self.read5.d.next = self.valid4.q.val() && self.framed.val() && !self.control4.q.val();
        self.slot5.d.next = self.slot4.q.val();
        self.unknown5.d.next = self.valid4.q.val() && self.frame4.q.val() && !self.nodes.found.val();
        self.read_valid.next = self.read5.q.val();
        self.read_slot.next = self.slot5.q.val();
        self.read_offset.next = bit_cast::<OPERATION_BITS, POSITION_BITS>(self.packet5.q.val()) << PACKET_BITS.to_bits::<4>();
        for r in 0..REFETCH {
            self.place5[r].d.next = self.place4[r].q.val();
            self.read_offset.next = bit_cast::<OPERATION_BITS, POSITION_BITS>(self.place5[r].q.val()) << PACKET_BITS.to_bits::<4>();
        }
        self.read_bytes.next = bit_cast::<13, PACKET_COUNT_BITS>(self.size5.q.val());

        // Clocks 3 and 4: beside the checksum.
        self.network_bytes.next = bits::<13>(34);
        if self.six5.q.val() {
            self.network_bytes.next = bits::<13>(54);
        }
        self.tags.next = bits::<3>(1);
        if self.imm5.q.val() && self.cfg_local.vlan_on.val() {
            self.tags.next = bits::<3>(4);
        } else if self.imm5.q.val() || self.cfg_local.vlan_on.val() {
            self.tags.next = bits::<3>(2);
        }
        self.valid6.d.next = self.valid5.q.val();
        self.frame6.d.next = self.frame5.q.val();
        self.sent6.d.next = self.sent5.q.val();
        self.last6.d.next = self.last5.q.val();
        self.closed6.d.next = self.closed5.q.val();
        self.op6.d.next = self.op5.q.val();
        self.packet6.d.next = self.packet5.q.val();
        self.try6.d.next = self.try5.q.val();
        self.size6.d.next = self.size5.q.val();
        self.total6.d.next = self.udp5.q.val() + self.network_bytes.val();
        if self.cfg_local.vlan_on.val() {
            self.total6.d.next = self.udp5.q.val() + self.network_bytes.val() + 4;
        }
        self.form6.d.next = bit_cast::<6, 3>(self.tags.val());
        if self.six5.q.val() {
            self.form6.d.next = bit_cast::<6, 3>(self.tags.val()) << 3;
        }
        self.valid7.d.next = self.valid6.q.val();
        self.frame7.d.next = self.frame6.q.val();
        self.sent7.d.next = self.sent6.q.val();
        self.last7.d.next = self.last6.q.val();
        self.closed7.d.next = self.closed6.q.val();
        self.op7.d.next = self.op6.q.val();
        self.packet7.d.next = self.packet6.q.val();
        self.try7.d.next = self.try6.q.val();
        self.size7.d.next = self.size6.q.val();
        self.total7.d.next = self.total6.q.val();
        self.form7.d.next = self.form6.q.val();

        self.out_valid.next = self.valid7.q.val();
        self.out_frame.next = self.frame7.q.val();
        self.out_sent.next = self.sent7.q.val();
        self.out_last.next = self.last7.q.val();
        self.out_closed.next = self.closed7.q.val();
        self.out_op.next = self.op7.q.val();
        self.out_packet.next = self.packet7.q.val();
        self.out_try.next = self.try7.q.val();
        self.out_form.next = self.form7.q.val();
        self.out_total.next = self.total7.q.val();
        self.out_bytes.next = bit_cast::<13, PACKET_COUNT_BITS>(self.size7.q.val());
        self.out_head.next = self.network.head.val().get_bits::<848>(0);
        self.evt_unknown_node.next = self.unknown5.q.val();
    }
}
