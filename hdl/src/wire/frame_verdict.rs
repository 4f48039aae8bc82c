use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What becomes of a frame, when its last byte has come: good, or the first of its errors in the order of the spec.
///
/// Latency: 3 clocks. Throughput: one frame per clock; it never stalls. Spec: wire format, "Reading frames".
/// Parameters: `DECODED_BITS` bits of a record (see `BthDecode`), `PACKET_HEADER_BITS` = `DECODED_BITS - 59` bits of the header of a good
/// frame: payload bytes 16, traffic class 8, BTH 96, extension headers.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FrameVerdict<const DECODED_BITS: usize, const PACKET_HEADER_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the end of a frame
    pub in_valid: Signal<In, Bit>,
    /// record of `in`
    pub in_record: Signal<In, Bits<DECODED_BITS>>,
    /// bytes of `in`
    pub in_length: Signal<In, Bits<18>>,
    /// CRC held of `in_crc`
    pub in_crc_ok: Signal<In, Bit>,
    /// the frame is good
    pub out_good: Signal<Out, Bit>,
    /// the frame is dropped
    pub out_drop: Signal<Out, Bit>,
    /// header of `out`
    pub out_header: Signal<Out, Bits<PACKET_HEADER_BITS>>,
    /// counts frames dropped: not IP, UDP port 4791
    pub evt_not_rocev2: Signal<Out, Bit>,
    /// counts frames dropped: ends before its headers do, or a fragment
    pub evt_truncated: Signal<Out, Bit>,
    /// counts frames dropped: header version
    pub evt_bad_version: Signal<Out, Bit>,
    /// counts frames dropped: unknown opcode
    pub evt_bad_opcode: Signal<Out, Bit>,
    /// counts frames dropped: more pad than payload
    pub evt_bad_pad: Signal<Out, Bit>,
    /// counts frames dropped: lengths disagree
    pub evt_bad_length: Signal<Out, Bit>,
    /// counts frames dropped: CRC
    pub evt_bad_icrc: Signal<Out, Bit>,
    /// counts frames dropped: impossible values in an extension header
    pub evt_bad_extension: Signal<Out, Bit>,
    /// counts frames dropped: queue pair is not ours
    pub evt_unknown_qp: Signal<Out, Bit>,
    valid0: State<Bit>,
    record0: Reg<Bits<DECODED_BITS>>,
    length0: Reg<Bits<18>>,
    crc_ok0: Reg<Bit>,
    valid1: State<Bit>,
    flags1: Reg<Bits<9>>,
    header1: Reg<Bits<PACKET_HEADER_BITS>>,
    truncated1: Reg<Bit>,
    bad_pad1: Reg<Bit>,
    bad_length1: Reg<Bit>,
    crc_ok1: Reg<Bit>,
    header2: Reg<Bits<PACKET_HEADER_BITS>>,
    good: State<Bit>,
    drop: State<Bit>,
    not_rocev2: State<Bit>,
    truncated: State<Bit>,
    bad_version: State<Bit>,
    bad_opcode: State<Bit>,
    bad_pad: State<Bit>,
    bad_length: State<Bit>,
    bad_icrc: State<Bit>,
    bad_extension: State<Bit>,
    unknown_qp: State<Bit>,
    short: Signal<Local, Bit>,
    low: Signal<Local, Bits<8>>,
}

impl<const DECODED_BITS: usize, const PACKET_HEADER_BITS: usize> Logic for FrameVerdict<DECODED_BITS, PACKET_HEADER_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.valid0.d.next = self.in_valid.val();
        self.record0.d.next = self.in_record.val();
        self.length0.d.next = self.in_length.val();
        self.crc_ok0.d.next = self.in_crc_ok.val();

        self.valid1.d.next = self.valid0.q.val();
        self.flags1.d.next = self.record0.q.val().get_bits::<9>(0);
        self.header1.d.next = (bit_cast::<PACKET_HEADER_BITS, 16>(self.record0.q.val().get_bits::<16>(45)))
            | ((self.record0.q.val() >> 75).get_bits::<PACKET_HEADER_BITS>(0) << 16);
        self.short.next = !self.length0.q.val().get_bits::<10>(8).any();
        self.low.next = self.length0.q.val().get_bits::<8>(0);
        self.truncated1.d.next =
            self.record0.q.val().get_bit(1) || (self.short.val() && self.low.val() < self.record0.q.val().get_bits::<8>(11));
        self.bad_pad1.d.next =
            self.record0.q.val().get_bit(4) || (self.short.val() && self.low.val() < self.record0.q.val().get_bits::<8>(19));
        self.bad_length1.d.next = self.record0.q.val().get_bit(5) || self.length0.q.val() < self.record0.q.val().get_bits::<18>(27);
        self.crc_ok1.d.next = self.crc_ok0.q.val();

        self.header2.d.next = self.header1.q.val();
        self.good.d.next = false;
        self.drop.d.next = false;
        self.not_rocev2.d.next = false;
        self.truncated.d.next = false;
        self.bad_version.d.next = false;
        self.bad_opcode.d.next = false;
        self.bad_pad.d.next = false;
        self.bad_length.d.next = false;
        self.bad_icrc.d.next = false;
        self.bad_extension.d.next = false;
        self.unknown_qp.d.next = false;
        if self.valid1.q.val() {
            self.drop.d.next = true;
            if self.flags1.q.val().get_bit(0) {
                self.not_rocev2.d.next = true;
            } else if self.truncated1.q.val() {
                self.truncated.d.next = true;
            } else if self.flags1.q.val().get_bit(2) {
                self.bad_version.d.next = true;
            } else if self.flags1.q.val().get_bit(3) {
                self.bad_opcode.d.next = true;
            } else if self.bad_pad1.q.val() {
                self.bad_pad.d.next = true;
            } else if self.bad_length1.q.val() {
                self.bad_length.d.next = true;
            } else if !self.crc_ok1.q.val() {
                self.bad_icrc.d.next = true;
            } else if self.flags1.q.val().get_bit(6) {
                self.bad_extension.d.next = true;
            } else if self.flags1.q.val().get_bit(7) {
                self.bad_length.d.next = true;
            } else if self.flags1.q.val().get_bit(8) {
                self.unknown_qp.d.next = true;
            } else {
                self.drop.d.next = false;
                self.good.d.next = true;
            }
        }
        self.out_good.next = self.good.q.val();
        self.out_drop.next = self.drop.q.val();
        self.out_header.next = self.header2.q.val();
        self.evt_not_rocev2.next = self.not_rocev2.q.val();
        self.evt_truncated.next = self.truncated.q.val();
        self.evt_bad_version.next = self.bad_version.q.val();
        self.evt_bad_opcode.next = self.bad_opcode.q.val();
        self.evt_bad_pad.next = self.bad_pad.q.val();
        self.evt_bad_length.next = self.bad_length.q.val();
        self.evt_bad_icrc.next = self.bad_icrc.q.val();
        self.evt_bad_extension.next = self.bad_extension.q.val();
        self.evt_unknown_qp.next = self.unknown_qp.q.val();
    }
}
