use super::{OpcodeShape, QueuePairList};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// UDP and base transport header: port, opcode, lengths, queue pair; then the checks of the extension headers. Makes the record of a frame
/// that everything behind it works from.
///
/// All of this needs no more than the header; the checks against the bytes that really came are `FrameVerdict`'s.
/// Latency: 4 clocks. Throughput: one header per clock; it never stalls. Spec: wire format, "BTH", "Extension headers", "Reading frames".
///
/// Record, from bit 0: not_rocev2, truncated, bad_version, bad_opcode, bad_pad, bad_length, bad_extension, length of a body that is not its
/// payload, unknown_qp, any of these but the length of a body, payload to pass on; bytes of the frame without payload and pad 8, the same
/// with pad 8, end of the IP packet 18, payload bytes 16, beat in which the payload ends if it begins a beat 14, traffic class 8, BTH 96,
/// extension headers `TRANSPORT_HEADER_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct BthDecode {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a header comes
    pub in_valid: Signal<In, Bit>,
    /// 60 bytes from the first of UDP, first byte in the highest bits
    pub in_transport: Signal<In, Bits<512>>,
    /// no RoCEv2
    pub in_not_rocev2: Signal<In, Bit>,
    /// ends before UDP's ports do, or is a fragment
    pub in_truncated: Signal<In, Bit>,
    /// first fragment of several
    pub in_more_fragments: Signal<In, Bit>,
    /// bytes from UDP to the end of the IP packet; two's complement
    pub in_bytes: Signal<In, Bits<17>>,
    /// where UDP begins in the frame
    pub in_offset: Signal<In, Bits<7>>,
    /// traffic class
    pub in_traffic_class: Signal<In, Bits<8>>,
    /// set one place of the queue-pair list
    pub cfg_qp_write: Signal<In, Bit>,
    /// index of `cfg_qp`
    pub cfg_qp_index: Signal<In, Bits<QUEUE_PAIR_BITS>>,
    /// queue pair
    pub cfg_qp_number: Signal<In, Bits<24>>,
    /// the place counts
    pub cfg_qp_valid: Signal<In, Bit>,
    /// a record is there
    pub out_valid: Signal<Out, Bit>,
    /// the record
    pub out_record: Signal<Out, Bits<DECODED_BITS>>,

    shape: OpcodeShape<OP_ETH, WQE_ETH, LR2_ETH>,
    queue_pairs: QueuePairList<QUEUE_PAIRS, QUEUE_PAIR_BITS>,
    valid6: State<Bit>,
    not_rocev2_6: Reg<Bit>,
    truncated_6: Reg<Bit>,
    bad_version6: Reg<Bit>,
    bad_opcode6: Reg<Bit>,
    bad_length6: Reg<Bit>,
    words6: Reg<Bits<4>>,
    ceth_words6: Reg<Bits<4>>,
    only6: Reg<Bit>,
    ack6: Reg<Bit>,
    arrival6: Reg<Bit>,
    bytes6: Reg<Bits<17>>,
    offset6: Reg<Bits<7>>,
    class6: Reg<Bits<8>>,
    bth6: Reg<Bits<96>>,
    ext6: Reg<Bits<TRANSPORT_HEADER_BITS>>,
    valid7: State<Bit>,
    not_rocev2_7: Reg<Bit>,
    truncated_7: Reg<Bit>,
    bad_version7: Reg<Bit>,
    bad_opcode7: Reg<Bit>,
    bad_length7: Reg<Bit>,
    bad_other7: Reg<Bit>,
    rest7: Reg<Bits<17>>,
    need7: Reg<Bits<8>>,
    end7: Reg<Bits<18>>,
    only7: Reg<Bit>,
    op_eth7: Reg<Bits<64>>,
    class7: Reg<Bits<8>>,
    bth7: Reg<Bits<96>>,
    ext7: Reg<Bits<TRANSPORT_HEADER_BITS>>,
    valid8: State<Bit>,
    not_rocev2_8: Reg<Bit>,
    truncated_8: Reg<Bit>,
    bad_version8: Reg<Bit>,
    bad_opcode8: Reg<Bit>,
    bad_length8: Reg<Bit>,
    bad_extension8: Reg<Bit>,
    body8: Reg<Bit>,
    long8: Reg<Bit>,
    payload8: Reg<Bits<17>>,
    before8: Reg<Bits<16>>,
    need8: Reg<Bits<8>>,
    padded8: Reg<Bits<8>>,
    end8: Reg<Bits<18>>,
    class8: Reg<Bits<8>>,
    bth8: Reg<Bits<96>>,
    ext8: Reg<Bits<TRANSPORT_HEADER_BITS>>,
    valid9: State<Bit>,
    record9: Reg<Bits<DECODED_BITS>>,

    ceth_nibble: Signal<Local, Bits<4>>,
    bad_ceth: Signal<Local, Bit>,
    words: Signal<Local, Bits<17>>,
    pad: Signal<Local, Bits<2>>,
    start: Signal<Local, Bits<17>>,
    last_beat: Signal<Local, Bits<FRAME_PLACE_BITS>>,
    bad_body: Signal<Local, Bit>,
    early: Signal<Local, Bit>,
}

impl Logic for BthDecode {
    #[kernel]
    fn update(&mut self) {
        // Clock 6: the fields by themselves. UDP's byte k ends at bit 504 - 8k, BTH's at 440 - 8k.
        self.shape.opcode.next = self.in_transport.val().get_bits::<8>(440);
        self.valid6.d.next = self.in_valid.val();
        self.not_rocev2_6.d.next = self.in_not_rocev2.val();
        self.truncated_6.d.next = self.in_truncated.val();
        if !self.in_not_rocev2.val() && !self.in_truncated.val() {
            if self.in_transport.val().get_bits::<16>(480) != bits::<16>(4791) {
                self.not_rocev2_6.d.next = true;
            } else if self.in_more_fragments.val() {
                self.truncated_6.d.next = true;
            }
        }
        self.bad_version6.d.next = self.in_transport.val().get_bits::<4>(432).any();
        self.bad_opcode6.d.next = !self.shape.known.val();
        self.bad_length6.d.next = bit_cast::<17, 16>(self.in_transport.val().get_bits::<16>(464)) != self.in_bytes.val();
        self.words6.d.next = self.shape.words.val();
        self.only6.d.next = false;
        for _on in 0..OP_ETH {
            self.only6.d.next = self.shape.only.val();
        }
        self.ack6.d.next = self.shape.ack.val();
        self.arrival6.d.next = self.shape.arrival.val();
        self.ceth_nibble.next = bits::<4>(0);
        for _on in 0..CETH {
            self.ceth_nibble.next = self.in_transport.val().get_bits::<4>(312 - 96 * LR2_ETH);
        }
        self.ceth_words6.d.next = bits::<4>(0);
        if self.shape.ack.val() {
            self.ceth_words6.d.next = self.ceth_nibble.val();
        }
        self.bytes6.d.next = self.in_bytes.val();
        self.offset6.d.next = self.in_offset.val();
        self.class6.d.next = self.in_traffic_class.val();
        self.bth6.d.next = self.in_transport.val().get_bits::<96>(352);
        self.ext6.d.next = self.in_transport.val().get_bits::<TRANSPORT_HEADER_BITS>(352 - TRANSPORT_HEADER_BITS);

        // Clock 7: lengths. UDP, BTH and ICRC are 24 bytes.
        self.queue_pairs.cfg_write.next = self.cfg_qp_write.val();
        self.queue_pairs.cfg_index.next = self.cfg_qp_index.val();
        self.queue_pairs.cfg_number.next = self.cfg_qp_number.val();
        self.queue_pairs.cfg_valid.next = self.cfg_qp_valid.val();
        self.queue_pairs.number.next = self.bth6.q.val().get_bits::<24>(32);
        self.valid7.d.next = self.valid6.q.val();
        self.not_rocev2_7.d.next = self.not_rocev2_6.q.val();
        self.truncated_7.d.next = self.truncated_6.q.val();
        self.bad_version7.d.next = self.bad_version6.q.val();
        self.bad_opcode7.d.next = self.bad_opcode6.q.val();
        self.bad_length7.d.next = self.bad_length6.q.val();
        self.words.next = (bit_cast::<17, 4>(self.words6.q.val()) + bit_cast::<17, 4>(self.ceth_words6.q.val())) << 2;
        self.rest7.d.next = self.bytes6.q.val() - self.words.val() - 24;
        self.need7.d.next = self.words.val().get_bits::<8>(0) + bit_cast::<8, 7>(self.offset6.q.val()) + 24;
        self.end7.d.next = bit_cast::<18, 17>(self.bytes6.q.val()) + bit_cast::<18, 7>(self.offset6.q.val());
        self.only7.d.next = self.only6.q.val();
        // OpETH follows RETH and, in opcode 0x0b, the immediate.
        self.op_eth7.d.next = self.ext6.q.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 192);
        if self.bth6.q.val().get_bit(88) {
            self.op_eth7.d.next = self.ext6.q.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 224);
        }
        self.bad_ceth.next = false;
        for _on in 0..CETH {
            self.bad_ceth.next = self.ack6.q.val()
                && (!self.ceth_words6.q.val().any()
                    || self.ceth_words6.q.val() > bits::<4>(4)
                    || self.ext6.q.val().get_bits::<17>(TRANSPORT_HEADER_BITS - 64 - 96 * LR2_ETH).any());
        }
        self.bad_other7.d.next =
            self.bad_ceth.val() || (self.arrival6.q.val() && self.ext6.q.val().get_bits::<7>(TRANSPORT_HEADER_BITS - 31).any());
        self.class7.d.next = self.class6.q.val();
        self.bth7.d.next = self.bth6.q.val();
        self.ext7.d.next = self.ext6.q.val();

        // Clock 8: payload.
        self.valid8.d.next = self.valid7.q.val();
        self.not_rocev2_8.d.next = self.not_rocev2_7.q.val();
        self.truncated_8.d.next = self.truncated_7.q.val() || (!self.not_rocev2_7.q.val() && self.rest7.q.val().get_bit(16));
        self.bad_version8.d.next = self.bad_version7.q.val();
        self.bad_opcode8.d.next = self.bad_opcode7.q.val();
        self.bad_length8.d.next = self.bad_length7.q.val();
        self.pad.next = self.bth7.q.val().get_bits::<2>(84);
        self.payload8.d.next = self.rest7.q.val() - bit_cast::<17, 2>(self.pad.val());
        self.before8.d.next = (self.rest7.q.val() - bit_cast::<17, 2>(self.pad.val()) - 1).get_bits::<16>(0);
        self.need8.d.next = self.need7.q.val();
        self.padded8.d.next = self.need7.q.val() + bit_cast::<8, 2>(self.pad.val());
        self.end8.d.next = self.end7.q.val();
        self.bad_extension8.d.next = self.bad_other7.q.val()
            || (self.only7.q.val()
                && (self.op_eth7.q.val().get_bits::<6>(58).any()
                    || (!self.op_eth7.q.val().get_bit(56) && self.op_eth7.q.val().get_bits::<16>(16).any())));
        self.body8.d.next = self.only7.q.val() && !self.op_eth7.q.val().get_bit(56);
        self.long8.d.next = self.ext7.q.val().get_bits::<16>(TRANSPORT_HEADER_BITS - 112).any();
        self.class8.d.next = self.class7.q.val();
        self.bth8.d.next = self.bth7.q.val();
        self.ext8.d.next = self.ext7.q.val();

        // Clock 9: the record. Payload begins where the ICRC would without it.
        self.valid9.d.next = self.valid8.q.val();
        self.start.next = bit_cast::<17, 8>(self.need8.q.val()) - 4;
        self.last_beat.next = self.start.val().get_bits::<FRAME_PLACE_BITS>(LANE_BITS)
            + bit_cast::<17, 16>(self.before8.q.val()).get_bits::<FRAME_PLACE_BITS>(LANE_BITS);
        self.bad_body.next = self.body8.q.val()
            && (self.long8.q.val()
                || self.ext8.q.val().get_bits::<16>(TRANSPORT_HEADER_BITS - 128) != self.payload8.q.val().get_bits::<16>(0));
        self.early.next = self.not_rocev2_8.q.val()
            || self.truncated_8.q.val()
            || self.bad_version8.q.val()
            || self.bad_opcode8.q.val()
            || self.payload8.q.val().get_bit(16)
            || self.bad_length8.q.val()
            || self.bad_extension8.q.val()
            || self.queue_pairs.unknown.val();
        self.record9.d.next = bit_cast::<DECODED_BITS, 1>(self.not_rocev2_8.q.val().into())
            | (bit_cast::<DECODED_BITS, 1>(self.truncated_8.q.val().into()) << 1)
            | (bit_cast::<DECODED_BITS, 1>(self.bad_version8.q.val().into()) << 2)
            | (bit_cast::<DECODED_BITS, 1>(self.bad_opcode8.q.val().into()) << 3)
            | (bit_cast::<DECODED_BITS, 1>(self.payload8.q.val().get_bit(16).into()) << 4)
            | (bit_cast::<DECODED_BITS, 1>(self.bad_length8.q.val().into()) << 5)
            | (bit_cast::<DECODED_BITS, 1>(self.bad_extension8.q.val().into()) << 6)
            | (bit_cast::<DECODED_BITS, 1>(self.bad_body.val().into()) << 7)
            | (bit_cast::<DECODED_BITS, 1>(self.queue_pairs.unknown.val().into()) << 8)
            | (bit_cast::<DECODED_BITS, 1>(self.early.val().into()) << 9)
            | (bit_cast::<DECODED_BITS, 1>((!self.early.val() && self.payload8.q.val().any()).into()) << 10)
            | (bit_cast::<DECODED_BITS, 8>(self.need8.q.val()) << 11)
            | (bit_cast::<DECODED_BITS, 8>(self.padded8.q.val()) << 19)
            | (bit_cast::<DECODED_BITS, 18>(self.end8.q.val()) << 27)
            | (bit_cast::<DECODED_BITS, 16>(self.payload8.q.val().get_bits::<16>(0)) << 45)
            | (bit_cast::<DECODED_BITS, FRAME_PLACE_BITS>(self.last_beat.val()) << 61)
            | (bit_cast::<DECODED_BITS, 8>(self.class8.q.val()) << 75)
            | (bit_cast::<DECODED_BITS, 96>(self.bth8.q.val()) << 83)
            | (bit_cast::<DECODED_BITS, TRANSPORT_HEADER_BITS>(self.ext8.q.val()) << 179);
        self.out_valid.next = self.valid9.q.val();
        self.out_record.next = self.record9.q.val();
    }
}
