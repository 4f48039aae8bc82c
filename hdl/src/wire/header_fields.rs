use crate::bus::FrameHeaders;
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The header of a good frame as fields: those that the receive registry takes, BTH, and the extension headers as they came.
///
/// Which fields mean something follows from the opcode; the others hold other bytes of the frame. An extension header of ours that is off
/// is zero.
/// Latency: 1 clock. Throughput: one header per clock. Spec: wire format, "BTH", "Extension headers", "Control packets".
#[derive(Default, Described, LogicBlock)]
pub struct HeaderFields {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a header comes
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// payload bytes 16, traffic class 8, BTH 96, extension headers
    pub in_header: Signal<In, Bits<PACKET_HEADER_BITS>>,
    pub header: FrameHeaders,
    valid: State<Bit>,
    registry: Reg<Bit>,
    kind: Reg<Bits<2>>,
    flags: Reg<Bits<8>>,
    src: Reg<Bits<16>>,
    op: Reg<Bits<OP_BITS>>,
    addr: Reg<Bits<64>>,
    op_bytes: Reg<Bits<32>>,
    over: Reg<Bit>,
    count: Reg<Bits<16>>,
    imm_valid: Reg<Bit>,
    imm: Reg<Bits<32>>,
    rest: Reg<Bits<PACKET_HEADER_BITS>>,
    wqe: Reg<Bits<96>>,
    lr2: Reg<Bits<96>>,
    ceth: Reg<Bits<128>>,
    take: Signal<Local, Bit>,
    ext: Signal<Local, Bits<TRANSPORT_HEADER_BITS>>,
    opcode: Signal<Local, Bits<8>>,
    only: Signal<Local, Bit>,
    with_imm: Signal<Local, Bit>,
    one_word: Signal<Local, Bit>,
    arrival: Signal<Local, Bit>,
    op_eth: Signal<Local, Bits<64>>,
}

impl Logic for HeaderFields {
    #[kernel]
    fn update(&mut self) {
        self.take.next = !self.valid.q.val() || self.header.ready.val();
        self.in_ready.next = self.take.val();
        self.ext.next = self.in_header.val().get_bits::<TRANSPORT_HEADER_BITS>(120);
        self.opcode.next = self.in_header.val().get_bits::<8>(112);
        self.arrival.next = self.opcode.val() == bits::<8>(0xc4);
        self.only.next = false;
        for _on in 0..OP_ETH {
            self.only.next = (self.opcode.val() >> 1) == bits::<8>(0x05);
        }
        self.with_imm.next = self.opcode.val() == bits::<8>(0x03)
            || self.opcode.val() == bits::<8>(0x05)
            || self.opcode.val() == bits::<8>(0x09)
            || self.opcode.val() == bits::<8>(0x0b);
        // An immediate or IETH alone.
        self.one_word.next = self.with_imm.val() || self.opcode.val() == bits::<8>(0x16) || self.opcode.val() == bits::<8>(0x17);
        self.op_eth.next = self.ext.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 192);
        if self.opcode.val().get_bit(0) {
            self.op_eth.next = self.ext.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 224);
        }
        if self.take.val() {
            self.valid.d.next = self.in_valid.val();
            self.rest.d.next = self.in_header.val();
            self.registry.d.next = self.only.val() || self.arrival.val();
            self.imm_valid.d.next = self.with_imm.val();
            self.imm.d.next = self.ext.val().get_bits::<32>(TRANSPORT_HEADER_BITS - 32);
            if self.opcode.val().get_bit(3) && self.opcode.val().get_bit(1) {
                self.imm.d.next = self.ext.val().get_bits::<32>(TRANSPORT_HEADER_BITS - 160);
            }
            self.kind.d.next = bits::<2>(0);
            self.flags.d.next = bits::<8>(0);
            self.count.d.next = bits::<16>(0);
            self.src.d.next = bits::<16>(0);
            self.op.d.next = bits::<OP_BITS>(0);
            if self.only.val() {
                self.kind.d.next = bit_cast::<2, 1>(self.op_eth.val().get_bits::<1>(56));
                self.flags.d.next = self.op_eth.val().get_bits::<8>(56);
                self.op.d.next = self.op_eth.val().get_bits::<OP_BITS>(32);
                self.count.d.next = self.op_eth.val().get_bits::<16>(16);
                self.src.d.next = self.op_eth.val().get_bits::<16>(0);
            }
            self.addr.d.next = self.ext.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 64);
            self.op_bytes.d.next = self.ext.val().get_bits::<32>(TRANSPORT_HEADER_BITS - 128);
            self.over.d.next = self.arrival.val() && self.ext.val().get_bits::<32>(TRANSPORT_HEADER_BITS - 160).any();
            if self.arrival.val() {
                self.kind.d.next = bits::<2>(2);
                if self.ext.val().get_bit(TRANSPORT_HEADER_BITS - 32) {
                    self.kind.d.next = bits::<2>(3);
                }
                self.op.d.next = self.ext.val().get_bits::<OP_BITS>(TRANSPORT_HEADER_BITS - 24);
                self.src.d.next = self.ext.val().get_bits::<16>(TRANSPORT_HEADER_BITS - 48);
                self.addr.d.next = self.ext.val().get_bits::<64>(TRANSPORT_HEADER_BITS - 128);
                self.op_bytes.d.next = self.ext.val().get_bits::<32>(TRANSPORT_HEADER_BITS - 192);
            }
            self.wqe.d.next = bits::<96>(0);
            for _on in 0..WQE_ETH {
                if self.only.val() && self.opcode.val().get_bit(0) {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 320);
                } else if self.only.val() {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 288);
                } else if self.opcode.val() == bits::<8>(0x0b) {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 256);
                } else if self.opcode.val() == bits::<8>(0x0a) || self.opcode.val() == bits::<8>(0x06) {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 224);
                } else if self.one_word.val() {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 128);
                } else {
                    self.wqe.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 96);
                }
            }
            self.lr2.d.next = bits::<96>(0);
            for _on in 0..LR2_ETH {
                self.lr2.d.next = self.ext.val().get_bits::<96>(TRANSPORT_HEADER_BITS - 128);
            }
            self.ceth.d.next = bits::<128>(0);
            for _on in 0..CETH {
                self.ceth.d.next = self.ext.val().get_bits::<128>(TRANSPORT_HEADER_BITS - 160 - 96 * LR2_ETH);
            }
        }
        self.header.valid.next = self.valid.q.val();
        self.header.registry.next = self.registry.q.val();
        self.header.kind.next = self.kind.q.val();
        self.header.flags.next = self.flags.q.val();
        self.header.src.next = self.src.q.val();
        self.header.op.next = self.op.q.val();
        self.header.addr.next = self.addr.q.val();
        self.header.bytes.next = self.rest.q.val().get_bits::<16>(0);
        self.header.op_bytes.next = self.op_bytes.q.val();
        if self.over.q.val() {
            self.header.op_bytes.next = !bits::<32>(0);
        }
        self.header.count.next = self.count.q.val();
        self.header.rkey.next = self.rest.q.val().get_bits::<32>(PACKET_HEADER_BITS - 96);
        self.header.imm_valid.next = self.imm_valid.q.val();
        self.header.imm.next = self.imm.q.val();
        self.header.traffic_class.next = self.rest.q.val().get_bits::<8>(16);
        self.header.psn.next = self.rest.q.val().get_bits::<24>(24);
        self.header.reserved7.next = self.rest.q.val().get_bits::<7>(48);
        self.header.ack_request.next = self.rest.q.val().get_bit(55);
        self.header.dest_qp.next = self.rest.q.val().get_bits::<24>(56);
        self.header.reserved6.next = self.rest.q.val().get_bits::<6>(80);
        self.header.becn.next = self.rest.q.val().get_bit(86);
        self.header.fecn.next = self.rest.q.val().get_bit(87);
        self.header.partition_key.next = self.rest.q.val().get_bits::<16>(88);
        self.header.pad.next = self.rest.q.val().get_bits::<2>(108);
        self.header.migration.next = self.rest.q.val().get_bit(110);
        self.header.solicited.next = self.rest.q.val().get_bit(111);
        self.header.opcode.next = self.rest.q.val().get_bits::<8>(112);
        self.header.body.next = self.rest.q.val().get_bits::<224>(PACKET_HEADER_BITS - 224);
        self.header.wqe.next = self.wqe.q.val();
        self.header.lr2.next = self.lr2.q.val();
        self.header.ceth.next = self.ceth.q.val();
    }
}
