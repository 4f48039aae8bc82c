use super::FlowEntry;
use crate::bus::Frames;
use crate::primitives::{ByteReverse, FifoLut, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Frames that a Depot or a Sentry makes itself, for the sending card of a flow: acknowledgements, NACKs, CNPs.
///
/// A Depot-NACK has LR2ETH behind AETH; the one that a Sentry gives to a card has none, and is made anew here, for the Depot's own ends
/// at the Sentry. A NACK has syndrome 0x60, and bits 2:1 of BTH's byte 4 say who made it; a CNP has BECN and 16 bytes of zero. Ethernet
/// without a tag, IPv4 or IPv6, UDP with checksum 0, BTH with pad 0. IP length and IPv4 checksum are computed. The last four bytes are
/// zero: the ICRC, which `IcrcInsert` writes. No frame is shorter than 62 bytes, so none is padded.
///
/// `read_flow` asks `Lr2FlowTable` for the entry of the flow, which is there two clocks later. An order for a flow without an entry makes
/// a frame of whatever was there. The registers count for orders that come two clocks after they were set, or later.
/// Latency: 7 clocks from an order to the first beat. Throughput: one beat per clock, frames back to back. Reset: what is under way is
/// lost.
/// Spec: LR2, "Depot", "Sentry", "On the wire"; wire format, "Reserved bits we use".
#[derive(Default, Described, LogicBlock)]
pub struct Lr2FrameMaker {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a frame is ordered
    pub order_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `order_valid` is high too
    pub order_ready: Signal<Out, Bit>,
    /// `LR2_MAKES_ACK`, `LR2_MAKES_SENTRY_NACK`, `LR2_MAKES_DEPOT_NACK`, `LR2_MAKES_CARD_NACK` or `LR2_MAKES_CNP`
    pub order_kind: Signal<In, Bits<3>>,
    /// number of the flow
    pub order_flow: Signal<In, Bits<FLOW_BITS>>,
    /// PSN
    pub order_psn: Signal<In, Bits<24>>,
    /// message sequence number
    pub order_msn: Signal<In, Bits<24>>,
    /// credits of an acknowledgement
    pub order_credits: Signal<In, Bits<5>>,
    /// Depot-NACK: first PSN of its gap
    pub order_start: Signal<In, Bits<24>>,
    /// length of the gap
    pub order_length: Signal<In, Bits<24>>,
    /// `ePSN_D`
    pub order_border: Signal<In, Bits<24>>,
    /// the flow whose entry is wanted
    pub read_flow: Signal<Out, Bits<FLOW_BITS>>,
    pub entry: FlowEntry,
    /// type of service or traffic class of what is made
    pub cfg_traffic_class: Signal<In, Bits<8>>,
    /// time to live or hop limit
    pub cfg_hop_limit: Signal<In, Bits<8>>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// counts frames made
    pub evt_frame: Signal<Out, Bit>,

    made: FifoLut<LR2_MADE_BITS, 4, 5>,
    room: State<Bit>,
    take: Signal<Local, Bit>,
    valid: [State<Bit>; 5],
    orders: [Reg<Bits<LR2_ORDER_BITS>>; 5],
    entries: [Reg<Bits<FLOW_ENTRY_BITS>>; 3],
    // The part of the IPv4 checksum that no frame changes.
    own: Reg<Bits<20>>,
    fixed3: Reg<Bits<20>>,
    source3: Reg<Bits<17>>,
    destination3: Reg<Bits<17>>,
    sum4: Reg<Bits<20>>,
    fold5: Reg<Bits<17>>,

    own_class: Signal<Local, Bits<20>>,
    order: Signal<Local, Bits<LR2_ORDER_BITS>>,
    entry2: Signal<Local, Bits<FLOW_ENTRY_BITS>>,
    kind2: Signal<Local, Bits<3>>,
    long2: Signal<Local, Bit>,
    checksum: Signal<Local, Bits<16>>,
    // The frame at the front.
    front: Signal<Local, Bits<LR2_MADE_BITS>>,
    kind: Signal<Local, Bits<3>>,
    long: Signal<Local, Bit>,
    six: Signal<Local, Bit>,
    opcode: Signal<Local, Bits<8>>,
    marks: Signal<Local, Bits<8>>,
    syndrome: Signal<Local, Bits<8>>,
    psn: Signal<Local, Bits<24>>,
    msn: Signal<Local, Bits<24>>,
    gap: Signal<Local, Bits<72>>,
    udp_bytes: Signal<Local, Bits<16>>,
    ip_bytes: Signal<Local, Bits<16>>,
    transport: Signal<Local, Bits<320>>,
    network: Signal<Local, Bits<640>>,
    ether_type: Signal<Local, Bits<16>>,
    ether: Signal<Local, Bits<1024>>,
    bytes: Signal<Local, Bits<9>>,
    reverse: ByteReverse<1024, 7>,
    loads: Signal<Local, Bit>,
    frame: Reg<Bits<1024>>,
    left: Reg<Bits<9>>,
    rest: Signal<Local, Bits<9>>,
    beat: Signal<Local, Bits<9>>,
    more: Reg<Bit>,
    busy: State<Bit>,
    begun: State<Bit>,
    count: Signal<Local, Bits<LANE_COUNT_BITS>>,
    beyond: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
}

impl Logic for Lr2FrameMaker {
    #[kernel]
    fn update(&mut self) {
        // Clock 1: the order; at most 6 are on their way while 7 wait.
        self.room.d.next = !self.made.count.val().get_bits::<2>(3).any();
        self.order_ready.next = self.room.q.val();
        self.take.next = self.order_valid.val() && self.room.q.val();
        self.read_flow.next = self.order_flow.val();
        self.order.next = bit_cast::<LR2_ORDER_BITS, 3>(self.order_kind.val())
            | (bit_cast::<LR2_ORDER_BITS, 5>(self.order_credits.val()) << 3)
            | (bit_cast::<LR2_ORDER_BITS, 24>(self.order_psn.val()) << 8)
            | (bit_cast::<LR2_ORDER_BITS, 24>(self.order_msn.val()) << 32)
            | (bit_cast::<LR2_ORDER_BITS, 24>(self.order_border.val()) << 56)
            | (bit_cast::<LR2_ORDER_BITS, 24>(self.order_length.val()) << 80)
            | (bit_cast::<LR2_ORDER_BITS, 24>(self.order_start.val()) << 104);
        self.valid[0].d.next = self.take.val();
        self.orders[0].d.next = self.order.val();
        for k in 1..5 {
            self.valid[k].d.next = self.valid[k - 1].q.val();
            self.orders[k].d.next = self.orders[k - 1].q.val();
        }

        // Clock 3: the entry; the frame's source is the flow's destination.
        self.own_class.next = bit_cast::<20, 8>(self.cfg_traffic_class.val()) | (bit_cast::<20, 8>(self.cfg_hop_limit.val()) << 8);
        self.own.d.next = self.own_class.val() + 0x8511;
        self.entry2.next = bit_cast::<FLOW_ENTRY_BITS, 24>(self.entry.peer_qp.val())
            | (bit_cast::<FLOW_ENTRY_BITS, 16>(self.entry.partition_key.val()) << 24)
            | (bit_cast::<FLOW_ENTRY_BITS, 16>(self.entry.udp_source.val()) << 40)
            | (bit_cast::<FLOW_ENTRY_BITS, 48>(self.entry.to_mac.val()) << 56)
            | (bit_cast::<FLOW_ENTRY_BITS, 48>(self.entry.from_mac.val()) << 104)
            | (bit_cast::<FLOW_ENTRY_BITS, 1>(self.entry.six.val().into()) << 152)
            | (bit_cast::<FLOW_ENTRY_BITS, 128>(self.entry.destination.val()) << 153)
            | (bit_cast::<FLOW_ENTRY_BITS, 128>(self.entry.source.val()) << 281);
        self.entries[0].d.next = self.entry2.val();
        for k in 1..3 {
            self.entries[k].d.next = self.entries[k - 1].q.val();
        }
        self.kind2.next = self.orders[1].q.val().get_bits::<3>(0);
        self.long2.next = self.kind2.val() == LR2_MAKES_DEPOT_NACK.to_bits::<3>() || self.kind2.val() == LR2_MAKES_CNP.to_bits::<3>();
        self.fixed3.d.next = self.own.q.val() + 48;
        if self.long2.val() {
            self.fixed3.d.next = self.own.q.val() + 60;
        }
        self.source3.d.next =
            bit_cast::<17, 16>(self.entry.source.val().get_bits::<16>(0)) + bit_cast::<17, 16>(self.entry.source.val().get_bits::<16>(16));
        self.destination3.d.next = bit_cast::<17, 16>(self.entry.destination.val().get_bits::<16>(0))
            + bit_cast::<17, 16>(self.entry.destination.val().get_bits::<16>(16));

        // Clocks 4 and 5: the checksum, over a header whose own field is zero.
        self.sum4.d.next = self.fixed3.q.val() + bit_cast::<20, 17>(self.source3.q.val()) + bit_cast::<20, 17>(self.destination3.q.val());
        self.fold5.d.next =
            bit_cast::<17, 16>(self.sum4.q.val().get_bits::<16>(0)) + bit_cast::<17, 4>(self.sum4.q.val().get_bits::<4>(16));
        self.checksum.next = !(self.fold5.q.val().get_bits::<16>(0) + bit_cast::<16, 1>(self.fold5.q.val().get_bits::<1>(16)));
        self.made.in_valid.next = self.valid[4].q.val();
        self.made.in_data.next = bit_cast::<LR2_MADE_BITS, LR2_ORDER_BITS>(self.orders[4].q.val())
            | (bit_cast::<LR2_MADE_BITS, FLOW_ENTRY_BITS>(self.entries[2].q.val()) << 128)
            | (bit_cast::<LR2_MADE_BITS, 16>(self.checksum.val()) << 537);

        // The frame, first byte in the highest bits.
        self.front.next = self.made.out_data.val();
        self.kind.next = self.front.val().get_bits::<3>(0);
        self.long.next = self.kind.val() == LR2_MAKES_DEPOT_NACK.to_bits::<3>() || self.kind.val() == LR2_MAKES_CNP.to_bits::<3>();
        self.six.next = self.front.val().get_bit(280);
        self.opcode.next = bits::<8>(0x11);
        self.marks.next = bits::<8>(0);
        self.syndrome.next = bits::<8>(0x60);
        self.psn.next = self.front.val().get_bits::<24>(8);
        self.msn.next = self.front.val().get_bits::<24>(32);
        self.gap.next = bits::<72>(0);
        if self.kind.val() == LR2_MAKES_ACK.to_bits::<3>() {
            self.syndrome.next = bit_cast::<8, 5>(self.front.val().get_bits::<5>(3));
        } else if self.kind.val() == LR2_MAKES_SENTRY_NACK.to_bits::<3>() {
            self.marks.next = bits::<8>(0x02);
        } else if self.kind.val() == LR2_MAKES_DEPOT_NACK.to_bits::<3>() {
            self.marks.next = bits::<8>(0x04);
            self.gap.next = self.front.val().get_bits::<72>(56);
        } else if self.kind.val() == LR2_MAKES_CARD_NACK.to_bits::<3>() {
            self.marks.next = bits::<8>(0x04);
        } else {
            self.opcode.next = bits::<8>(0x81);
            self.marks.next = bits::<8>(0x40);
            self.syndrome.next = bits::<8>(0);
            self.psn.next = bits::<24>(0);
            self.msn.next = bits::<24>(0);
        }
        self.udp_bytes.next = bits::<16>(28);
        self.ip_bytes.next = bits::<16>(48);
        if self.long.val() {
            self.udp_bytes.next = bits::<16>(40);
            self.ip_bytes.next = bits::<16>(60);
        }
        self.transport.next = (bit_cast::<320, 16>(self.front.val().get_bits::<16>(168)) << 304)
            | (bit_cast::<320, 16>(bits::<16>(4791)) << 288)
            | (bit_cast::<320, 16>(self.udp_bytes.val()) << 272)
            | (bit_cast::<320, 8>(self.opcode.val()) << 248)
            | (bit_cast::<320, 16>(self.front.val().get_bits::<16>(152)) << 224)
            | (bit_cast::<320, 8>(self.marks.val()) << 216)
            | (bit_cast::<320, 24>(self.front.val().get_bits::<24>(128)) << 192)
            | (bit_cast::<320, 24>(self.psn.val()) << 160)
            | (bit_cast::<320, 8>(self.syndrome.val()) << 152)
            | (bit_cast::<320, 24>(self.msn.val()) << 128)
            | (bit_cast::<320, 24>(self.gap.val().get_bits::<24>(48)) << 96)
            | (bit_cast::<320, 24>(self.gap.val().get_bits::<24>(24)) << 64)
            | (bit_cast::<320, 24>(self.gap.val().get_bits::<24>(0)) << 32);
        self.bytes.next = bit_cast::<9, 16>(self.udp_bytes.val()) + 34;
        self.ether_type.next = bits::<16>(0x0800);
        self.network.next = (bit_cast::<640, 8>(bits::<8>(0x45)) << 632)
            | (bit_cast::<640, 8>(self.cfg_traffic_class.val()) << 624)
            | (bit_cast::<640, 16>(self.ip_bytes.val()) << 608)
            | (bit_cast::<640, 32>(bits::<32>(0x4000_0011)) << 560)
            | (bit_cast::<640, 8>(self.cfg_hop_limit.val()) << 568)
            | (bit_cast::<640, 16>(self.front.val().get_bits::<16>(537)) << 544)
            | (bit_cast::<640, 32>(self.front.val().get_bits::<32>(281)) << 512)
            | (bit_cast::<640, 32>(self.front.val().get_bits::<32>(409)) << 480)
            | (bit_cast::<640, 320>(self.transport.val()) << 160);
        if self.six.val() {
            self.bytes.next = bit_cast::<9, 16>(self.udp_bytes.val()) + 54;
            self.ether_type.next = bits::<16>(0x86dd);
            self.network.next = (bit_cast::<640, 4>(bits::<4>(6)) << 636)
                | (bit_cast::<640, 8>(self.cfg_traffic_class.val()) << 628)
                | (bit_cast::<640, 16>(self.udp_bytes.val()) << 592)
                | (bit_cast::<640, 8>(bits::<8>(0x11)) << 584)
                | (bit_cast::<640, 8>(self.cfg_hop_limit.val()) << 576)
                | (bit_cast::<640, 128>(self.front.val().get_bits::<128>(281)) << 448)
                | (bit_cast::<640, 128>(self.front.val().get_bits::<128>(409)) << 320)
                | bit_cast::<640, 320>(self.transport.val());
        }
        self.ether.next = (bit_cast::<1024, 48>(self.front.val().get_bits::<48>(184)) << 976)
            | (bit_cast::<1024, 48>(self.front.val().get_bits::<48>(232)) << 928)
            | (bit_cast::<1024, 16>(self.ether_type.val()) << 912)
            | (bit_cast::<1024, 640>(self.network.val()) << 272);
        self.reverse.data.next = self.ether.val();

        // Its beats.
        self.beat.next = bits::<9>(1) << LANE_BITS.to_bits::<4>();
        self.rest.next = self.left.q.val() - self.beat.val();
        self.loads.next = !self.busy.q.val() || (self.out.ready.val() && !self.more.q.val());
        self.made.out_ready.next = self.loads.val();
        self.begun.d.next = self.loads.val() && self.made.out_valid.val();
        if self.loads.val() {
            self.busy.d.next = self.made.out_valid.val();
            self.frame.d.next = self.reverse.reversed.val();
            self.left.d.next = self.bytes.val();
            self.more.d.next = self.bytes.val() > self.beat.val();
        } else if self.out.ready.val() {
            self.frame.d.next = self.frame.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.left.d.next = self.rest.val();
            self.more.d.next = self.rest.val() > self.beat.val();
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
        self.evt_frame.next = self.begun.q.val();
    }
}
