use crate::primitives::{Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the ICRC needs to know of a frame: whether it has one, where the IP packet ends, and which bytes of each beat it does not cover.
///
/// A frame has an ICRC if it is IPv4 or IPv6 behind at most one VLAN tag, carries UDP to port 4791 and is no fragment. The bytes that are
/// not covered are those before the IP header, those behind the IP packet, and the ones that change on the way; with IPv6 the whole first
/// byte, of which one half changes and the other is known.
/// Latency: 2 clocks. Throughput: one beat per clock; it never stalls. Spec: wire format, "ICRC", "Reading frames".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct IcrcFields {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count; read with the last beat alone
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// first beat of its frame
    pub in_first: Signal<In, Bit>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// with the first beat: the first 32 bytes
    pub in_head: Signal<In, Bits<256>>,
    /// a beat is there
    pub out_valid: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that the ICRC does not cover
    pub out_zero: Signal<Out, Bits<DATA_BYTES>>,
    /// first beat of its frame
    pub out_first: Signal<Out, Bit>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// the IP packet ends in this beat
    pub out_ends: Signal<Out, Bit>,
    /// the lane of its last byte
    pub out_end: Signal<Out, Bits<LANE_BITS>>,
    /// it ends there, but the frame does before it
    pub out_short: Signal<Out, Bit>,
    /// the IP packet has room for UDP, BTH and ICRC
    pub out_room: Signal<Out, Bit>,
    /// RoCEv2, as far as the beats up to this one tell
    pub out_roce: Signal<Out, Bit>,
    /// a VLAN tag comes first
    pub out_tagged: Signal<Out, Bit>,
    /// IPv6
    pub out_six: Signal<Out, Bit>,
    /// words of four bytes of tag and IP header
    pub out_words: Signal<Out, Bits<5>>,

    tagged: Signal<Local, Bit>,
    from_type: Signal<Local, Bits<96>>,
    // Without a tag and behind one, so that nothing waits for the tag.
    from: [Signal<Local, Bits<96>>; 2],
    four: [Signal<Local, Bit>; 2],
    six: [Signal<Local, Bit>; 2],
    six_udp: [Signal<Local, Bit>; 2],
    is_six: Signal<Local, Bit>,
    valid1: State<Bit>,
    data1: Reg<Bits<DATA_WIDTH>>,
    keep1: Reg<Bits<DATA_BYTES>>,
    first1: Reg<Bit>,
    last1: Reg<Bit>,
    index1: Reg<Bits<FRAME_PLACE_BITS>>,
    tagged1: Reg<Bit>,
    six1: Reg<Bit>,
    words1: Reg<Bits<4>>,
    bytes1: Reg<Bits<16>>,
    ours1: Reg<Bit>,

    before: Signal<Local, Bits<17>>,
    ip_end: Signal<Local, Bits<17>>,
    header_bytes: Signal<Local, Bits<16>>,
    head: Signal<Local, Bits<ICRC_HEAD_BYTES>>,
    words: Signal<Local, Bits<5>>,
    valid2: State<Bit>,
    data2: Reg<Bits<DATA_WIDTH>>,
    keep2: Reg<Bits<DATA_BYTES>>,
    first2: Reg<Bit>,
    last2: Reg<Bit>,
    index2: Reg<Bits<FRAME_PLACE_BITS>>,
    tagged2: Reg<Bit>,
    six2: Reg<Bit>,
    words2: Reg<Bits<5>>,
    ours2: Reg<Bit>,
    head2: Reg<Bits<ICRC_HEAD_BYTES>>,
    ends2: Reg<Bit>,
    end2: Reg<Bits<LANE_BITS>>,
    after2: Reg<Bits<LANE_COUNT_BITS>>,
    room2: Reg<Bit>,
    // Words that begin with the port of RoCEv2.
    port2: Reg<Bits<ICRC_PORT_WORDS>>,

    zero: Signal<Local, Bits<DATA_BYTES>>,
    beyond: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    hit: Signal<Local, Bit>,
    seen: State<Bit>,
    word: [Signal<Local, Bits<16>>; ICRC_PORT_WORDS],
    ports: Signal<Local, Bits<ICRC_PORT_WORDS>>,
    // Bytes without ICRC that the tag and the version decide, and those of UDP and BTH for each number of words.
    fixed: [Constant<Bits<ICRC_HEAD_BYTES>>; 4],
    moving: [Constant<Bits<ICRC_HEAD_BYTES>>; 12],
    count: [Constant<Bits<5>>; 12],
    number: [Constant<Bits<FRAME_PLACE_BITS>>; ICRC_HEAD_BEATS],
    // For each word of the beats with headers: the number of words of a header whose UDP port it is, 0 for none.
    port: [Constant<Bits<5>>; ICRC_HEAD_BEATS * CRC_WORDS],
}

/// Bytes without ICRC by their place in the frame.
fn mask(bytes: impl Iterator<Item = usize>) -> Constant<Bits<ICRC_HEAD_BYTES>> {
    Constant::new(bytes.fold(Bits::default(), |mask: Bits<ICRC_HEAD_BYTES>, byte| mask.replace_bit(byte, true)))
}

impl Default for IcrcFields {
    fn default() -> Self {
        // In the order of the tag, then the version.
        let fixed = |kind: usize| {
            let ip = 14 + 4 * (kind & 1);
            let bytes: &[usize] = if kind < 2 { &[1, 8, 10, 11] } else { &[0, 1, 2, 3, 7] };
            mask((0..ip).chain(bytes.iter().map(|byte| ip + byte)))
        };
        let port = |place: usize| Constant::new(bits::<5>(if (9..=20).contains(&place) { place as u64 - 4 } else { 0 }));
        Self {
            fixed: std::array::from_fn(fixed),
            moving: std::array::from_fn(|at| mask([6, 7, 12].into_iter().map(|byte| 14 + 4 * (at + 5) + byte))),
            count: std::array::from_fn(|at| Constant::new(bits::<5>(at as u64 + 5))),
            number: std::array::from_fn(|k| Constant::new(bits::<FRAME_PLACE_BITS>(k as u64))),
            port: std::array::from_fn(port),
            ..Self::blank()
        }
    }
}

impl Logic for IcrcFields {
    #[kernel]
    fn update(&mut self) {
        // Clock 1: the fields, behind the tag. Numbers of two bytes are written as they lie in the beat.
        self.tagged.next =
            self.in_head.val().get_bits::<16>(96) == bits::<16>(0x0081) || self.in_head.val().get_bits::<16>(96) == bits::<16>(0xa888);
        self.from[0].next = self.in_head.val().get_bits::<96>(96);
        self.from[1].next = self.in_head.val().get_bits::<96>(128);
        for t in 0..2 {
            self.four[t].next = self.from[t].val().get_bits::<16>(0) == bits::<16>(0x0008)
                && self.from[t].val().get_bits::<4>(20) == bits::<4>(4)
                && self.from[t].val().get_bits::<4>(16) >= bits::<4>(5)
                && !self.from[t].val().get_bits::<6>(64).any()
                && !self.from[t].val().get_bits::<8>(72).any()
                && self.from[t].val().get_bits::<8>(88) == bits::<8>(17);
            self.six[t].next = self.from[t].val().get_bits::<16>(0) == bits::<16>(0xdd86);
            self.six_udp[t].next = self.six[t].val()
                && self.from[t].val().get_bits::<4>(20) == bits::<4>(6)
                && self.from[t].val().get_bits::<8>(64) == bits::<8>(17);
        }
        self.from_type.next = self.from[0].val();
        self.is_six.next = self.six[0].val();
        if self.tagged.val() {
            self.from_type.next = self.from[1].val();
            self.is_six.next = self.six[1].val();
        }
        self.valid1.d.next = self.in_valid.val();
        if self.in_valid.val() {
            self.data1.d.next = self.in_data.val();
            self.keep1.d.next = !bits::<DATA_BYTES>(0);
            if self.in_last.val() {
                self.keep1.d.next = self.in_keep.val();
            }
            self.first1.d.next = self.in_first.val();
            self.last1.d.next = self.in_last.val();
            if self.in_first.val() {
                self.index1.d.next = bits::<FRAME_PLACE_BITS>(0);
                self.tagged1.d.next = self.tagged.val();
                self.six1.d.next = self.is_six.val();
                self.words1.d.next = self.from_type.val().get_bits::<4>(16);
                self.bytes1.d.next = (bit_cast::<16, 8>(self.from_type.val().get_bits::<8>(32)) << 8)
                    | bit_cast::<16, 8>(self.from_type.val().get_bits::<8>(40));
                self.ours1.d.next = self.four[0].val() || self.six_udp[0].val();
                if self.tagged.val() {
                    self.ours1.d.next = self.four[1].val() || self.six_udp[1].val();
                }
                if self.is_six.val() {
                    self.words1.d.next = bits::<4>(10);
                    self.bytes1.d.next = (bit_cast::<16, 8>(self.from_type.val().get_bits::<8>(48)) << 8)
                        | bit_cast::<16, 8>(self.from_type.val().get_bits::<8>(56));
                }
            } else if !self.index1.q.val().all() {
                self.index1.d.next = self.index1.q.val() + 1;
            }
        }

        // Clock 2: where the IP packet ends, and which bytes of the headers are not covered.
        self.words.next = bit_cast::<5, 4>(self.words1.q.val());
        self.before.next = bits::<17>(13);
        self.head.next = self.fixed[0].val();
        if self.six1.q.val() {
            self.before.next = bits::<17>(53);
            self.head.next = self.fixed[2].val();
        }
        if self.tagged1.q.val() {
            self.words.next = bit_cast::<5, 4>(self.words1.q.val()) + 1;
            self.before.next = bits::<17>(17);
            self.head.next = self.fixed[1].val();
            if self.six1.q.val() {
                self.before.next = bits::<17>(57);
                self.head.next = self.fixed[3].val();
            }
        }
        for k in 0..12 {
            if self.words.val() == self.count[k].val() {
                self.head.next = self.head.val() | self.moving[k].val();
            }
        }
        self.ip_end.next = bit_cast::<17, 16>(self.bytes1.q.val()) + self.before.val();
        self.ports.next = bits::<ICRC_PORT_WORDS>(0);
        for w in 0..ICRC_PORT_WORDS {
            self.word[w].next = self.data1.q.val().get_bits::<16>(32 * w);
            if self.word[w].val() == bits::<16>(0xb712) && self.keep1.q.val().get_bit(4 * w + 1) {
                self.ports.next = self.ports.val().replace_bit(w, true);
            }
        }
        self.header_bytes.next = bits::<16>(24);
        if !self.six1.q.val() {
            self.header_bytes.next = (bit_cast::<16, 4>(self.words1.q.val()) << 2) + 24;
        }
        self.valid2.d.next = self.valid1.q.val();
        if self.valid1.q.val() {
            self.data2.d.next = self.data1.q.val();
            self.keep2.d.next = self.keep1.q.val();
            self.first2.d.next = self.first1.q.val();
            self.last2.d.next = self.last1.q.val();
            self.index2.d.next = self.index1.q.val();
            self.tagged2.d.next = self.tagged1.q.val();
            self.six2.d.next = self.six1.q.val();
            self.words2.d.next = self.words.val();
            self.ours2.d.next = self.ours1.q.val();
            self.head2.d.next = self.head.val();
            self.ends2.d.next = self.ip_end.val().get_bits::<FRAME_PLACE_BITS>(LANE_BITS) == self.index1.q.val();
            self.end2.d.next = self.ip_end.val().get_bits::<LANE_BITS>(0);
            self.after2.d.next = bit_cast::<LANE_COUNT_BITS, LANE_BITS>(self.ip_end.val().get_bits::<LANE_BITS>(0)) + 1;
            self.port2.d.next = self.ports.val();
            self.room2.d.next = self.bytes1.q.val() >= self.header_bytes.val();
        }

        // The UDP port is there, in this beat or an earlier one.
        self.hit.next = self.seen.q.val() && !self.first2.q.val();
        for b in 0..ICRC_HEAD_BEATS {
            for w in 0..ICRC_PORT_WORDS {
                if self.index2.q.val() == self.number[b].val()
                    && self.words2.q.val() == self.port[b * CRC_WORDS + w].val()
                    && self.port2.q.val().get_bit(w)
                {
                    self.hit.next = true;
                }
            }
        }
        if self.valid2.q.val() {
            self.seen.d.next = self.hit.val();
        }

        self.beyond.count.next = self.after2.q.val();
        self.zero.next = bits::<DATA_BYTES>(0);
        for b in 0..ICRC_HEAD_BEATS {
            if self.index2.q.val() == self.number[b].val() {
                self.zero.next = self.head2.q.val().get_bits::<DATA_BYTES>(b * DATA_BYTES);
            }
        }
        self.out_zero.next = self.zero.val();
        if self.ends2.q.val() {
            self.out_zero.next = self.zero.val() | self.beyond.mask.val();
        }
        self.out_valid.next = self.valid2.q.val();
        self.out_data.next = self.data2.q.val();
        self.out_first.next = self.first2.q.val();
        self.out_last.next = self.last2.q.val();
        self.out_ends.next = self.ends2.q.val();
        self.out_end.next = self.end2.q.val();
        // The bytes of a beat are contiguous: the last of the packet is the one before those beyond it.
        self.out_short.next = self.ends2.q.val() && (!self.keep2.q.val() & !self.beyond.mask.val()).any();
        self.out_room.next = self.room2.q.val();
        self.out_roce.next = self.ours2.q.val() && self.hit.val();
        self.out_tagged.next = self.tagged2.q.val();
        self.out_six.next = self.six2.q.val();
        self.out_words.next = self.words2.q.val();
    }
}
