use super::{FrameBeats, PacketHeader, PacketJobs};
use crate::Described;
use rust_hdl::prelude::*;

/// Operations whose payload is in the send buffer to frames, one per packet; packets sent again; data arrivals and aborts.
///
/// An operation begins with `start`, when its payload is in its slot, and stays known under its index. Its packets go out in order; between them, in turn, what
/// `again`, `abort` and `fence` ask for. `sent` tells of each packet when the wire has taken its last beat. A packet that is sent again differs from the first
/// time in its retransmission flag only. A data arrival is an operation of one packet without payload (0xc4). An abort tells the receiver to forget an
/// operation (0xc4, status 1), and is not told as sent.
/// A fence comes out as `release` when every frame of its index that was asked for before has gone: then nothing here names the index or its
/// slot. Nobody may start an operation of that index between fence and release.
///
/// The ICRC is four bytes of zero: the MAC side, which checks it on receipt, writes it. No frame is shorter than 82 bytes, so none is padded. A
/// packet for a node that the table does not have is counted, and told as sent: the operation fails by its retry limit.
/// Latency: 22 clocks at 512 bits from an operation to its first beat. Throughput: one beat per clock, frames back to back. Reset: nothing under way, node table empty.
/// Spec: send path, "Where payload lives"; wire format.
///
/// Parameters: `W` bits and `KB` = `2^LB` bytes of a beat, `LC` = `LB + 1`, `WC` = `LB + 4`, `GS` = `LB / 2` rounded up, `GA` = `2 GS`, `GE` = `GS + 1`, `BW` bits of a beat's number in
/// a packet, `IW` bits of an operation's index, `SW` bits of a slot, packets of `2^PW` bytes, `PC` = `PW + 1`, `AW` = `64 - PW`, `MC` bits of a number of packets, `RW` = `SW + MC + 203`,
/// `2^NW` = `NN` nodes, widths of queues `HF` = `SW + 2 PC + 882`, `DF` = `W + LB + LC + 3`, `TF` = `LC + 28`, `BF` = `W + TF`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PacketEngine<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const BW: usize,
    const IW: usize,
    const SW: usize,
    const PW: usize,
    const PC: usize,
    const AW: usize,
    const MC: usize,
    const RW: usize,
    const NW: usize,
    const NN: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an operation begins
    pub start_valid: Signal<In, Bit>,
    /// it is taken
    pub start_ready: Signal<Out, Bit>,
    /// its number
    pub start_op: Signal<In, Bits<16>>,
    /// 0 data, 1 data arrival
    pub start_kind: Signal<In, Bit>,
    /// it is a segment of a large command
    pub start_large: Signal<In, Bit>,
    /// where its payload is
    pub start_slot: Signal<In, Bits<SW>>,
    /// target address, a multiple of a packet
    pub start_target: Signal<In, Bits<64>>,
    /// target node
    pub start_node: Signal<In, Bits<16>>,
    /// queue pair
    pub start_qp: Signal<In, Bits<24>>,
    /// remote key
    pub start_rkey: Signal<In, Bits<32>>,
    /// it has an immediate, for its last packet
    pub start_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub start_imm: Signal<In, Bits<32>>,
    /// its bytes; of a data arrival those of the command
    pub start_bytes: Signal<In, Bits<32>>,
    /// its packets, 1 for a data arrival
    pub start_count: Signal<In, Bits<MC>>,
    /// a packet is to be sent again
    pub again_valid: Signal<In, Bit>,
    /// it is taken
    pub again_ready: Signal<Out, Bit>,
    /// its operation
    pub again_op: Signal<In, Bits<16>>,
    /// its number in the operation
    pub again_packet: Signal<In, Bits<8>>,
    /// the receiver is to forget an operation
    pub abort_valid: Signal<In, Bit>,
    /// it is taken
    pub abort_ready: Signal<Out, Bit>,
    /// the operation
    pub abort_op: Signal<In, Bits<16>>,
    /// somebody wants to know when an index is not named any more
    pub fence_valid: Signal<In, Bit>,
    /// it is taken
    pub fence_ready: Signal<Out, Bit>,
    /// the index
    pub fence_index: Signal<In, Bits<IW>>,
    /// the wire has taken a packet
    pub sent_valid: Signal<Out, Bit>,
    /// its operation
    pub sent_op: Signal<Out, Bits<16>>,
    /// its number in the operation
    pub sent_packet: Signal<Out, Bits<8>>,
    /// it was not the first time
    pub sent_again: Signal<Out, Bit>,
    /// an index is not named any more
    pub release_valid: Signal<Out, Bit>,
    /// which
    pub release_index: Signal<Out, Bits<IW>>,
    /// slot that is read
    pub read_slot: Signal<Out, Bits<SW>>,
    /// packet in it
    pub read_packet: Signal<Out, Bits<8>>,
    /// beat of the packet
    pub read_beat: Signal<Out, Bits<BW>>,
    /// the beat, two clocks later
    pub read_data: Signal<In, Bits<W>>,
    /// a beat of a frame
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<W>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<KB>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
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
    /// counts frames of packets, data arrivals among them
    pub evt_packets: Signal<Out, Bit>,
    /// counts those that were not the first time
    pub evt_retransmissions: Signal<Out, Bit>,
    /// counts aborts
    pub evt_aborts: Signal<Out, Bit>,
    /// counts frames that were not made: no such node
    pub evt_unknown_node: Signal<Out, Bit>,

    jobs: PacketJobs<IW, SW, MC, RW>,
    header: PacketHeader<PW, PC, AW, MC, SW, RW, NW, NN>,
    beats: FrameBeats<W, KB, LB, LC, WC, GS, GA, GE, BW, SW, PC, HF, DF, TF, BF>,
}

impl<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const BW: usize,
    const IW: usize,
    const SW: usize,
    const PW: usize,
    const PC: usize,
    const AW: usize,
    const MC: usize,
    const RW: usize,
    const NW: usize,
    const NN: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> PacketEngine<W, KB, LB, LC, WC, GS, GA, GE, BW, IW, SW, PW, PC, AW, MC, RW, NW, NN, HF, DF, TF, BF>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        Self { jobs: PacketJobs::new(), header: PacketHeader::new(), beats: FrameBeats::new(), ..Default::default() }
    }
}

impl<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const BW: usize,
    const IW: usize,
    const SW: usize,
    const PW: usize,
    const PC: usize,
    const AW: usize,
    const MC: usize,
    const RW: usize,
    const NW: usize,
    const NN: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> Logic for PacketEngine<W, KB, LB, LC, WC, GS, GA, GE, BW, IW, SW, PW, PC, AW, MC, RW, NW, NN, HF, DF, TF, BF>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.jobs.clk.next = self.clk.val();
        self.jobs.rst.next = self.rst.val();
        self.header.clk.next = self.clk.val();
        self.header.rst.next = self.rst.val();
        self.beats.clk.next = self.clk.val();
        self.beats.rst.next = self.rst.val();
        self.jobs.start_valid.next = self.start_valid.val();
        self.start_ready.next = self.jobs.start_ready.val();
        self.jobs.start_op.next = self.start_op.val();
        self.jobs.start_count.next = self.start_count.val();
        self.jobs.start_record.next = bit_cast::<RW, 64>(self.start_target.val())
            | (bit_cast::<RW, 32>(self.start_bytes.val()) << 64)
            | (bit_cast::<RW, 32>(self.start_rkey.val()) << 96)
            | (bit_cast::<RW, 32>(self.start_imm.val()) << 128)
            | (bit_cast::<RW, 24>(self.start_qp.val()) << 160)
            | (bit_cast::<RW, 16>(self.start_node.val()) << 184)
            | (bit_cast::<RW, 1>(self.start_imm_valid.val().into()) << 200)
            | (bit_cast::<RW, 1>(self.start_large.val().into()) << 201)
            | (bit_cast::<RW, 1>(self.start_kind.val().into()) << 202)
            | (bit_cast::<RW, SW>(self.start_slot.val()) << 203)
            | (bit_cast::<RW, MC>(self.start_count.val()) << (203 + SW).to_bits::<9>());
        self.jobs.again_valid.next = self.again_valid.val();
        self.again_ready.next = self.jobs.again_ready.val();
        self.jobs.again_op.next = self.again_op.val();
        self.jobs.again_packet.next = self.again_packet.val();
        self.jobs.abort_valid.next = self.abort_valid.val();
        self.abort_ready.next = self.jobs.abort_ready.val();
        self.jobs.abort_op.next = self.abort_op.val();
        self.jobs.fence_valid.next = self.fence_valid.val();
        self.fence_ready.next = self.jobs.fence_ready.val();
        self.jobs.fence_index.next = self.fence_index.val();
        self.jobs.room.next = self.beats.room.val();

        self.header.job_valid.next = self.jobs.job_valid.val();
        self.header.job_op.next = self.jobs.job_op.val();
        self.header.job_packet.next = self.jobs.job_packet.val();
        self.header.job_kind.next = self.jobs.job_kind.val();
        self.header.job_record.next = self.jobs.job_record.val();
        self.header.cfg_node.next = self.cfg_node.val();
        self.header.cfg_mac.next = self.cfg_mac.val();
        self.header.cfg_ip4.next = self.cfg_ip4.val();
        self.header.cfg_ip6.next = self.cfg_ip6.val();
        self.header.cfg_vlan_on.next = self.cfg_vlan_on.val();
        self.header.cfg_vlan.next = self.cfg_vlan.val();
        self.header.cfg_traffic_class.next = self.cfg_traffic_class.val();
        self.header.cfg_hop_limit.next = self.cfg_hop_limit.val();
        self.header.cfg_udp_source.next = self.cfg_udp_source.val();
        self.header.cfg_partition_key.next = self.cfg_partition_key.val();
        self.header.cfg_node_write.next = self.cfg_node_write.val();
        self.header.cfg_node_index.next = self.cfg_node_index.val();
        self.header.cfg_node_valid.next = self.cfg_node_valid.val();
        self.header.cfg_node_mac.next = self.cfg_node_mac.val();
        self.header.cfg_node_six.next = self.cfg_node_six.val();
        self.header.cfg_node_ip.next = self.cfg_node_ip.val();
        self.evt_unknown_node.next = self.header.evt_unknown_node.val();

        self.beats.in_valid.next = self.header.out_valid.val();
        self.beats.in_op.next = self.header.out_op.val();
        self.beats.in_packet.next = self.header.out_packet.val();
        self.beats.in_kind.next = self.header.out_kind.val();
        self.beats.in_nothing.next = self.header.out_nothing.val();
        self.beats.in_slot.next = self.header.out_slot.val();
        self.beats.in_bytes.next = self.header.out_bytes.val();
        self.beats.in_padded.next = self.header.out_padded.val();
        self.beats.in_length.next = self.header.out_length.val();
        self.beats.in_header.next = self.header.out_header.val();
        self.read_slot.next = self.beats.read_slot.val();
        self.read_packet.next = self.beats.read_packet.val();
        self.read_beat.next = self.beats.read_beat.val();
        self.beats.read_data.next = self.read_data.val();
        self.beats.out_ready.next = self.out_ready.val();
        self.out_valid.next = self.beats.out_valid.val();
        self.out_data.next = self.beats.out_data.val();
        self.out_keep.next = self.beats.out_keep.val();
        self.out_last.next = self.beats.out_last.val();

        self.sent_valid.next = self.beats.gone_valid.val() && !self.beats.gone_kind.val().get_bit(1);
        self.sent_op.next = self.beats.gone_op.val();
        self.sent_packet.next = self.beats.gone_packet.val();
        self.sent_again.next = self.beats.gone_kind.val().get_bit(0);
        self.release_valid.next = self.beats.gone_valid.val() && self.beats.gone_kind.val().all();
        self.release_index.next = self.beats.gone_op.val().get_bits::<IW>(0);
        self.evt_packets.next = self.beats.gone_valid.val() && !self.beats.gone_nothing.val() && !self.beats.gone_kind.val().get_bit(1);
        self.evt_retransmissions.next =
            self.beats.gone_valid.val() && !self.beats.gone_nothing.val() && (self.beats.gone_kind.val() == bits::<2>(1));
        self.evt_aborts.next =
            self.beats.gone_valid.val() && !self.beats.gone_nothing.val() && (self.beats.gone_kind.val() == bits::<2>(2));
    }
}
