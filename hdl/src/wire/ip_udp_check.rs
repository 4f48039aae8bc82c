use crate::primitives::{ByteReverse, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Link and network layer of a header window: one VLAN tag, IPv4 with options or IPv6; where UDP begins, and what is wrong before it.
///
/// The window is moved by the tag first, then by the length of the IP header: two bits of its count of words per clock. `out_transport`
/// begins with UDP. A missing byte says `truncated`, a byte that is there and wrong `not_rocev2`; the first in the order of the frame
/// counts. The UDP port is left to `BthDecode`, and so is `out_more_fragments`, which counts after it.
/// Latency: 4 clocks. Throughput: one window per clock; it never stalls. Spec: wire format, "Reading frames".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct IpUdpCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a window comes
    pub in_valid: Signal<In, Bit>,
    /// first 144 bytes of the frame, first byte in the lowest bits
    pub in_window: Signal<In, Bits<1152>>,
    /// a VLAN tag comes first
    pub in_tagged: Signal<In, Bit>,
    /// bytes of the frame in the window, 511: all
    pub in_seen: Signal<In, Bits<9>>,
    /// a result is there
    pub out_valid: Signal<Out, Bit>,
    /// 60 bytes from the first of UDP, first byte in the highest bits; then zero
    pub out_transport: Signal<Out, Bits<512>>,
    /// no RoCEv2: type, version or protocol
    pub out_not_rocev2: Signal<Out, Bit>,
    /// ends before UDP's ports do, or is a fragment
    pub out_truncated: Signal<Out, Bit>,
    /// first fragment of several
    pub out_more_fragments: Signal<Out, Bit>,
    /// bytes from UDP to the end of the IP packet, by IP's length; two's complement
    pub out_bytes: Signal<Out, Bits<17>>,
    /// where UDP begins in the frame
    pub out_offset: Signal<Out, Bits<7>>,
    /// traffic class or type of service
    pub out_traffic_class: Signal<Out, Bits<8>>,

    reverse: ByteReverse<512, 6>,
    // Moved by the tag: bytes from the Ethernet type.
    valid2: State<Bit>,
    from_type2: Reg<Bits<1008>>,
    tagged2: Reg<Bit>,
    left2: Reg<Bits<10>>,
    // The IP header is read; bytes from IP's byte 20.
    valid3: State<Bit>,
    words3: Reg<Bits<832>>,
    left3: Reg<Bits<10>>,
    skip3: Reg<Bits<4>>,
    header3: Reg<Bits<4>>,
    tagged3: Reg<Bit>,
    bytes3: Reg<Bits<16>>,
    class3: Reg<Bits<8>>,
    type4: Reg<Bit>,
    type6: Reg<Bit>,
    version4: Reg<Bit>,
    version6: Reg<Bit>,
    long_enough: Reg<Bit>,
    protocol_udp: Reg<Bit>,
    next_udp: Reg<Bit>,
    next_fragment: Reg<Bit>,
    fragment_udp: Reg<Bit>,
    fragment: Reg<Bit>,
    more3: Reg<Bit>,
    has_1: Reg<Bit>,
    has_7: Reg<Bit>,
    has_10: Reg<Bit>,
    has_41: Reg<Bit>,
    // Moved by the lower bits of the count.
    valid4: State<Bit>,
    words4: Reg<Bits<736>>,
    skip4: Reg<Bits<2>>,
    left4: Reg<Bits<10>>,
    not_rocev2_4: Reg<Bit>,
    truncated_4: Reg<Bit>,
    more4: Reg<Bit>,
    bytes4: Reg<Bits<17>>,
    offset4: Reg<Bits<7>>,
    class4: Reg<Bits<8>>,
    // Moved by the upper bits.
    valid5: State<Bit>,
    words5: Reg<Bits<480>>,
    not_rocev2_5: Reg<Bit>,
    truncated_5: Reg<Bit>,
    more5: Reg<Bit>,
    bytes5: Reg<Bits<17>>,
    offset5: Reg<Bits<7>>,
    class5: Reg<Bits<8>>,

    six: Signal<Local, Bit>,
    header_bytes: Signal<Local, Bits<6>>,
    left: Signal<Local, Bits<9>>,
}

impl Logic for IpUdpCheck {
    #[kernel]
    fn update(&mut self) {
        // Clock 2: the tag. `left` is the number of bytes from the first of IP on; negative if IP is not reached.
        self.valid2.d.next = self.in_valid.val();
        self.tagged2.d.next = self.in_tagged.val();
        if self.in_tagged.val() {
            self.from_type2.d.next = self.in_window.val().get_bits::<1008>(128);
            self.left2.d.next = bit_cast::<10, 9>(self.in_seen.val()) - 18;
        } else {
            self.from_type2.d.next = self.in_window.val().get_bits::<1008>(96);
            self.left2.d.next = bit_cast::<10, 9>(self.in_seen.val()) - 14;
        }

        // Clock 3: the IP header. Its byte k is byte k + 2 here; 16-bit constants have their bytes as they lie in the frame.
        self.valid3.d.next = self.valid2.q.val();
        self.words3.d.next = self.from_type2.q.val().get_bits::<832>(176);
        self.left3.d.next = self.left2.q.val();
        self.tagged3.d.next = self.tagged2.q.val();
        self.type4.d.next = self.from_type2.q.val().get_bits::<16>(0) == bits::<16>(0x0008);
        self.type6.d.next = self.from_type2.q.val().get_bits::<16>(0) == bits::<16>(0xdd86);
        self.version4.d.next = self.from_type2.q.val().get_bits::<4>(20) == bits::<4>(4);
        self.six.next = self.from_type2.q.val().get_bits::<4>(20) == bits::<4>(6);
        self.version6.d.next = self.six.val();
        self.long_enough.d.next = self.from_type2.q.val().get_bits::<4>(16) >= bits::<4>(5);
        self.protocol_udp.d.next = self.from_type2.q.val().get_bits::<8>(88) == bits::<8>(17);
        self.next_udp.d.next = self.from_type2.q.val().get_bits::<8>(64) == bits::<8>(17);
        self.next_fragment.d.next = self.from_type2.q.val().get_bits::<8>(64) == bits::<8>(44);
        self.fragment_udp.d.next = self.from_type2.q.val().get_bits::<8>(336) == bits::<8>(17);
        self.fragment.d.next = self.from_type2.q.val().get_bits::<5>(64).any() || self.from_type2.q.val().get_bits::<8>(72).any();
        self.more3.d.next = self.from_type2.q.val().get_bit(69) && !self.six.val();
        self.left.next = self.left2.q.val().get_bits::<9>(0);
        self.has_1.d.next = self.left.val() >= bits::<9>(1);
        self.has_7.d.next = self.left.val() >= bits::<9>(7);
        self.has_10.d.next = self.left.val() >= bits::<9>(10);
        self.has_41.d.next = self.left.val() >= bits::<9>(41);
        if self.six.val() {
            self.header3.d.next = bits::<4>(10);
            self.skip3.d.next = bits::<4>(5);
            self.bytes3.d.next = (bit_cast::<16, 8>(self.from_type2.q.val().get_bits::<8>(48)) << 8)
                | bit_cast::<16, 8>(self.from_type2.q.val().get_bits::<8>(56));
            self.class3.d.next = (bit_cast::<8, 4>(self.from_type2.q.val().get_bits::<4>(16)) << 4)
                | bit_cast::<8, 4>(self.from_type2.q.val().get_bits::<4>(28));
        } else {
            self.header3.d.next = self.from_type2.q.val().get_bits::<4>(16);
            self.skip3.d.next = self.from_type2.q.val().get_bits::<4>(16) - 5;
            self.bytes3.d.next = (bit_cast::<16, 8>(self.from_type2.q.val().get_bits::<8>(32)) << 8)
                | bit_cast::<16, 8>(self.from_type2.q.val().get_bits::<8>(40));
            self.class3.d.next = self.from_type2.q.val().get_bits::<8>(24);
        }

        // Clock 4: what is wrong in the order of the bytes.
        self.valid4.d.next = self.valid3.q.val();
        self.more4.d.next = self.more3.q.val();
        self.class4.d.next = self.class3.q.val();
        self.skip4.d.next = self.skip3.q.val().get_bits::<2>(2);
        self.header_bytes.next = bit_cast::<6, 4>(self.header3.q.val()) << 2;
        self.left4.d.next = self.left3.q.val() - bit_cast::<10, 6>(self.header_bytes.val());
        self.offset4.d.next = bit_cast::<7, 6>(self.header_bytes.val()) + 14;
        if self.tagged3.q.val() {
            self.offset4.d.next = bit_cast::<7, 6>(self.header_bytes.val()) + 18;
        }
        self.bytes4.d.next = bit_cast::<17, 16>(self.bytes3.q.val());
        if !self.version6.q.val() {
            self.bytes4.d.next = bit_cast::<17, 16>(self.bytes3.q.val()) - bit_cast::<17, 6>(self.header_bytes.val());
        }
        self.words4.d.next = self.words3.q.val().get_bits::<736>(0);
        if self.skip3.q.val().get_bit(0) && self.skip3.q.val().get_bit(1) {
            self.words4.d.next = self.words3.q.val().get_bits::<736>(96);
        } else if self.skip3.q.val().get_bit(1) {
            self.words4.d.next = self.words3.q.val().get_bits::<736>(64);
        } else if self.skip3.q.val().get_bit(0) {
            self.words4.d.next = self.words3.q.val().get_bits::<736>(32);
        }
        self.not_rocev2_4.d.next = false;
        self.truncated_4.d.next = false;
        if self.left3.q.val().get_bit(9) {
            self.truncated_4.d.next = true;
        } else if !self.type4.q.val() && !self.type6.q.val() {
            self.not_rocev2_4.d.next = true;
        } else if !self.has_1.q.val() {
            self.truncated_4.d.next = true;
        } else if self.type4.q.val() {
            if !self.version4.q.val() || !self.long_enough.q.val() {
                self.not_rocev2_4.d.next = true;
            } else if !self.has_10.q.val() {
                self.truncated_4.d.next = true;
            } else if !self.protocol_udp.q.val() {
                self.not_rocev2_4.d.next = true;
            } else if self.fragment.q.val() {
                self.truncated_4.d.next = true;
            }
        } else {
            if !self.version6.q.val() {
                self.not_rocev2_4.d.next = true;
            } else if !self.has_7.q.val() {
                self.truncated_4.d.next = true;
            } else if self.next_fragment.q.val() {
                // A fragment whose own next header is not UDP is none of ours.
                self.truncated_4.d.next = !self.has_41.q.val() || self.fragment_udp.q.val();
                self.not_rocev2_4.d.next = self.has_41.q.val() && !self.fragment_udp.q.val();
            } else if !self.next_udp.q.val() {
                self.not_rocev2_4.d.next = true;
            }
        }

        // Clock 5: four bytes of UDP must be there to tell its port.
        self.valid5.d.next = self.valid4.q.val();
        self.not_rocev2_5.d.next = self.not_rocev2_4.q.val();
        self.truncated_5.d.next = self.truncated_4.q.val()
            || (!self.not_rocev2_4.q.val() && (self.left4.q.val().get_bit(9) || !self.left4.q.val().get_bits::<7>(2).any()));
        self.more5.d.next = self.more4.q.val();
        self.bytes5.d.next = self.bytes4.q.val();
        self.offset5.d.next = self.offset4.q.val();
        self.class5.d.next = self.class4.q.val();
        self.words5.d.next = self.words4.q.val().get_bits::<480>(0);
        if self.skip4.q.val().get_bit(1) {
            self.words5.d.next = self.words4.q.val().get_bits::<480>(256);
        } else if self.skip4.q.val().get_bit(0) {
            self.words5.d.next = self.words4.q.val().get_bits::<480>(128);
        }

        self.reverse.data.next = bit_cast::<512, 480>(self.words5.q.val());
        self.out_valid.next = self.valid5.q.val();
        self.out_transport.next = self.reverse.reversed.val();
        self.out_not_rocev2.next = self.not_rocev2_5.q.val();
        self.out_truncated.next = self.truncated_5.q.val();
        self.out_more_fragments.next = self.more5.q.val();
        self.out_bytes.next = self.bytes5.q.val();
        self.out_offset.next = self.offset5.q.val();
        self.out_traffic_class.next = self.class5.q.val();
    }
}
