use crate::primitives::{ByteReverse, Reg, State};
use crate::sizes::*;
use crate::wire::OpcodeShape;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The headers of a frame as the boxes of a long haul read them: addresses from the window of the frame, the rest from UDP on.
///
/// `out` stays until the next frame's is there. Opcodes have their standard headers, and a NAK of a Depot LR2ETH.
/// Latency: 3 clocks from `in_transport`, 7 from `in_window`, which is 4 before it. Throughput: one frame per clock.
/// Spec: LR2, "Flows", "On the wire"; wire format, "BTH", "Reserved bits we use".
///
/// `out_head`, from bit 0: kind 4, origin 2, IPv6, asks, low bits of the syndrome 5, place of UDP 7, PSN 24, queue pair 24, MSN 24, bytes
/// to read 32, `ePSN_D` 24, length and start of the gap 24 each, destination 128, source 128.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Lr2HeadRead {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// first 144 bytes of a frame, first byte in the lowest bits; 4 clocks before `in_valid`
    pub in_window: Signal<In, Bits<1152>>,
    /// of `in_window`: a VLAN tag comes first
    pub in_tagged: Signal<In, Bit>,
    /// a frame is there
    pub in_valid: Signal<In, Bit>,
    /// 60 bytes from the first of UDP, first byte in the highest bits
    pub in_transport: Signal<In, Bits<512>>,
    /// it is UDP, whole and no fragment
    pub in_ip_good: Signal<In, Bit>,
    /// bytes from UDP to the end of the IP packet; two's complement
    pub in_bytes: Signal<In, Bits<17>>,
    /// where UDP begins in the frame
    pub in_offset: Signal<In, Bits<7>>,
    /// nothing is wrong with it, as far as its headers say
    pub out_good: Signal<Out, Bit>,
    /// bytes of the frame up to the end of its IP packet
    pub out_end: Signal<Out, Bits<18>>,
    /// its head
    pub out_head: Signal<Out, Bits<LR2_HEAD_BITS>>,

    shape: OpcodeShape<0, 0, 0>,
    reverse: ByteReverse<256, 5>,
    // The addresses.
    fixed1: Reg<Bits<256>>,
    six1: Reg<Bit>,
    addresses: [Reg<Bits<256>>; LR2_ADDRESS_CLOCKS],
    sixes: [Reg<Bit>; LR2_ADDRESS_CLOCKS],
    turned: Signal<Local, Bits<256>>,
    // The fields by themselves.
    valid5: State<Bit>,
    good5: Reg<Bit>,
    even5: Reg<Bit>,
    data5: Reg<Bit>,
    request5: Reg<Bit>,
    read5: Reg<Bit>,
    response5: Reg<Bit>,
    ack5: Reg<Bit>,
    cnp5: Reg<Bit>,
    probe5: Reg<Bit>,
    asks5: Reg<Bit>,
    marked5: Reg<Bit>,
    nak5: Reg<Bit>,
    words5: Reg<Bits<4>>,
    pad5: Reg<Bits<2>>,
    origin5: Reg<Bits<2>>,
    bytes5: Reg<Bits<17>>,
    offset5: Reg<Bits<7>>,
    qp5: Reg<Bits<24>>,
    psn5: Reg<Bits<24>>,
    ext5: Reg<Bits<128>>,
    // What the packet is.
    valid6: State<Bit>,
    good6: Reg<Bit>,
    kind6: Reg<Bits<4>>,
    origin6: Reg<Bits<2>>,
    asks6: Reg<Bit>,
    need6: Reg<Bits<8>>,
    bytes6: Reg<Bits<17>>,
    end6: Reg<Bits<18>>,
    offset6: Reg<Bits<7>>,
    qp6: Reg<Bits<24>>,
    psn6: Reg<Bits<24>>,
    read6: Reg<Bits<32>>,
    ext6: Reg<Bits<128>>,
    // All of it.
    good7: Reg<Bit>,
    end7: Reg<Bits<18>>,
    head7: Reg<Bits<LR2_HEAD_BITS>>,

    opcode: Signal<Local, Bits<8>>,
    ext: Signal<Local, Bits<128>>,
    nak: Signal<Local, Bit>,
    high: Signal<Local, Bits<24>>,
    over: Signal<Local, Bit>,
    lacks: Signal<Local, Bits<17>>,
    words: Signal<Local, Bits<8>>,
    fixed: Signal<Local, Bits<8>>,
}

impl Logic for Lr2HeadRead {
    #[kernel]
    fn update(&mut self) {
        // Bytes 8 to 39 of IP: both addresses of IPv6, and of IPv4 bytes 12 to 19.
        self.fixed1.d.next = self.in_window.val().get_bits::<256>(176);
        self.six1.d.next = self.in_window.val().get_bits::<4>(116) == bits::<4>(6);
        if self.in_tagged.val() {
            self.fixed1.d.next = self.in_window.val().get_bits::<256>(208);
            self.six1.d.next = self.in_window.val().get_bits::<4>(148) == bits::<4>(6);
        }
        self.reverse.data.next = self.fixed1.q.val();
        self.turned.next = self.reverse.reversed.val();
        self.addresses[0].d.next = bit_cast::<256, 32>(self.turned.val().get_bits::<32>(160))
            | (bit_cast::<256, 32>(self.turned.val().get_bits::<32>(192)) << 128);
        if self.six1.q.val() {
            self.addresses[0].d.next = self.turned.val();
        }
        self.sixes[0].d.next = self.six1.q.val();
        for k in 1..LR2_ADDRESS_CLOCKS {
            self.addresses[k].d.next = self.addresses[k - 1].q.val();
            self.sixes[k].d.next = self.sixes[k - 1].q.val();
        }

        // UDP's byte k ends at bit 504 - 8k, BTH's at 440 - 8k, that of the extension headers at 344 - 8k.
        self.opcode.next = self.in_transport.val().get_bits::<8>(440);
        self.ext.next = self.in_transport.val().get_bits::<128>(224);
        self.shape.opcode.next = self.opcode.val();
        self.valid5.d.next = self.in_valid.val();
        self.good5.d.next = self.in_ip_good.val()
            && self.in_transport.val().get_bits::<16>(480) == bits::<16>(4791)
            && !self.in_transport.val().get_bits::<4>(432).any();
        self.even5.d.next = bit_cast::<17, 16>(self.in_transport.val().get_bits::<16>(464)) == self.in_bytes.val();
        self.data5.d.next = self.opcode.val() < bits::<8>(0x0c) || (self.opcode.val() >> 1) == bits::<8>(0x0b);
        self.read5.d.next = self.opcode.val() == bits::<8>(0x0c);
        self.request5.d.next = self.opcode.val() == bits::<8>(0x0c)
            || self.opcode.val() == bits::<8>(0x13)
            || self.opcode.val() == bits::<8>(0x14)
            || (self.opcode.val() >> 1) == bits::<8>(0x0e);
        self.response5.d.next =
            (self.opcode.val() >= bits::<8>(0x0d) && self.opcode.val() <= bits::<8>(0x10)) || self.opcode.val() == bits::<8>(0x12);
        self.ack5.d.next = self.opcode.val() == bits::<8>(0x11);
        self.cnp5.d.next = self.opcode.val() == bits::<8>(0x81);
        self.probe5.d.next = self.opcode.val() == bits::<8>(0xe0);
        // AckReq, or the last of its message.
        self.asks5.d.next = self.in_transport.val().get_bit(383)
            || (self.opcode.val() >= bits::<8>(0x02) && self.opcode.val() <= bits::<8>(0x05))
            || self.opcode.val() >= bits::<8>(0x08);
        self.nak.next = self.opcode.val() == bits::<8>(0x11) && self.ext.val().get_bits::<3>(125) == bits::<3>(3);
        self.nak5.d.next = self.nak.val();
        self.origin5.d.next = bits::<2>(0);
        if self.nak.val() && !self.in_transport.val().get_bits::<2>(409).all() {
            self.origin5.d.next = self.in_transport.val().get_bits::<2>(409);
        }
        self.marked5.d.next = self.nak.val() && self.in_transport.val().get_bits::<2>(409) == LR2_FROM_DEPOT.to_bits::<2>();
        self.words5.d.next = self.shape.words.val();
        self.pad5.d.next = self.in_transport.val().get_bits::<2>(436);
        self.bytes5.d.next = self.in_bytes.val();
        self.offset5.d.next = self.in_offset.val();
        self.qp5.d.next = self.in_transport.val().get_bits::<24>(384);
        self.psn5.d.next = self.in_transport.val().get_bits::<24>(352);
        self.ext5.d.next = self.ext.val();

        // UDP, BTH and ICRC are 24 bytes, LR2ETH 12.
        self.valid6.d.next = self.valid5.q.val();
        self.good6.d.next = self.good5.q.val() && self.even5.q.val();
        self.words.next = bit_cast::<8, 4>(self.words5.q.val()) << 2;
        self.fixed.next = bits::<8>(24);
        if self.marked5.q.val() {
            self.fixed.next = bits::<8>(36);
        }
        self.need6.d.next = self.words.val() + self.fixed.val() + bit_cast::<8, 2>(self.pad5.q.val());
        self.bytes6.d.next = self.bytes5.q.val();
        self.end6.d.next = bit_cast::<18, 17>(self.bytes5.q.val()) + bit_cast::<18, 7>(self.offset5.q.val());
        self.offset6.d.next = self.offset5.q.val();
        self.qp6.d.next = self.qp5.q.val();
        self.origin6.d.next = self.origin5.q.val();
        self.asks6.d.next = self.data5.q.val() && self.asks5.q.val();
        self.psn6.d.next = self.psn5.q.val();
        self.read6.d.next = bits::<32>(0);
        self.ext6.d.next = self.ext5.q.val();
        self.high.next = (bit_cast::<24, 8>(self.ext5.q.val().get_bits::<8>(24)) << 16)
            | (bit_cast::<24, 8>(self.ext5.q.val().get_bits::<8>(56)) << 8)
            | bit_cast::<24, 8>(self.ext5.q.val().get_bits::<8>(88));
        self.over.next = self.ext5.q.val().get_bit(31) && self.ext5.q.val().get_bits::<31>(0).any();
        self.kind6.d.next = LR2_ELSE.to_bits::<4>();
        if self.data5.q.val() {
            self.kind6.d.next = LR2_DATA.to_bits::<4>();
        } else if self.request5.q.val() {
            if !self.read5.q.val() {
                self.kind6.d.next = LR2_REQUEST.to_bits::<4>();
            } else if !self.over.val() {
                self.kind6.d.next = LR2_REQUEST.to_bits::<4>();
                self.read6.d.next = self.ext5.q.val().get_bits::<32>(0);
            }
        } else if self.response5.q.val() {
            self.kind6.d.next = LR2_RESPONSE.to_bits::<4>();
        } else if self.cnp5.q.val() {
            self.kind6.d.next = LR2_CNP.to_bits::<4>();
        } else if self.probe5.q.val() {
            self.psn6.d.next = self.ext5.q.val().get_bits::<24>(96);
            if !self.ext5.q.val().get_bits::<8>(120).any() && !self.ext5.q.val().get_bits::<8>(88).any() {
                self.kind6.d.next = LR2_PROBE.to_bits::<4>();
            }
        } else if self.nak5.q.val() {
            if self.ext5.q.val().get_bits::<5>(120).any() {
                self.kind6.d.next = LR2_REFUSAL.to_bits::<4>();
            } else if !self.marked5.q.val() {
                self.kind6.d.next = LR2_NAK.to_bits::<4>();
            } else if !self.high.val().any() {
                self.kind6.d.next = LR2_GAP.to_bits::<4>();
            }
        } else if self.ack5.q.val() {
            if self.ext5.q.val().get_bits::<3>(125) == bits::<3>(0) {
                self.kind6.d.next = LR2_ACK.to_bits::<4>();
            } else if self.ext5.q.val().get_bits::<3>(125) == bits::<3>(1) {
                self.kind6.d.next = LR2_RNR.to_bits::<4>();
            }
        }

        self.lacks.next = self.bytes6.q.val() - bit_cast::<17, 8>(self.need6.q.val());
        if self.valid6.q.val() {
            self.good7.d.next = self.good6.q.val() && !self.lacks.val().get_bit(16);
            self.end7.d.next = self.end6.q.val();
            self.head7.d.next = bit_cast::<LR2_HEAD_BITS, 4>(self.kind6.q.val())
                | (bit_cast::<LR2_HEAD_BITS, 2>(self.origin6.q.val()) << 4)
                | (bit_cast::<LR2_HEAD_BITS, 1>(self.sixes[LR2_ADDRESS_CLOCKS - 1].q.val().into()) << 6)
                | (bit_cast::<LR2_HEAD_BITS, 1>(self.asks6.q.val().into()) << 7)
                | (bit_cast::<LR2_HEAD_BITS, 5>(self.ext6.q.val().get_bits::<5>(120)) << 8)
                | (bit_cast::<LR2_HEAD_BITS, 7>(self.offset6.q.val()) << 13)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.psn6.q.val()) << 20)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.qp6.q.val()) << 44)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.ext6.q.val().get_bits::<24>(96)) << 68)
                | (bit_cast::<LR2_HEAD_BITS, 32>(self.read6.q.val()) << 92)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.ext6.q.val().get_bits::<24>(0)) << 124)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.ext6.q.val().get_bits::<24>(32)) << 148)
                | (bit_cast::<LR2_HEAD_BITS, 24>(self.ext6.q.val().get_bits::<24>(64)) << 172)
                | (bit_cast::<LR2_HEAD_BITS, 256>(self.addresses[LR2_ADDRESS_CLOCKS - 1].q.val()) << 196);
        }
        self.out_good.next = self.good7.q.val();
        self.out_end.next = self.end7.q.val();
        self.out_head.next = self.head7.q.val();
    }
}
