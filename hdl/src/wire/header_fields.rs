use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The header of a good frame as fields: those that the receive registry takes, BTH, and the extension headers as they came.
///
/// Which fields mean something follows from the opcode; the others hold other bytes of the frame. An extension header of ours that is off is zero.
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
    /// a header is there
    pub header_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `header_valid` is high too
    pub header_ready: Signal<In, Bit>,
    /// the frame is for the receive registry: a data packet with OpETH, or a data arrival
    pub header_registry: Signal<Out, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub header_kind: Signal<Out, Bits<2>>,
    /// OpETH: flags, bit 0 of a start, bit 1 of a segment of a large transfer
    pub header_flags: Signal<Out, Bits<8>>,
    /// sending node
    pub header_src: Signal<Out, Bits<16>>,
    /// the sender's op number
    pub header_op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub header_addr: Signal<Out, Bits<64>>,
    /// payload bytes of this frame; if there are any, one payload comes with it
    pub header_bytes: Signal<Out, Bits<16>>,
    /// length field of RETH; of a data arrival its bytes, at most 2^32 - 1
    pub header_op_bytes: Signal<Out, Bits<32>>,
    /// OpETH: packets of the operation
    pub header_count: Signal<Out, Bits<16>>,
    /// remote key
    pub header_rkey: Signal<Out, Bits<32>>,
    /// an immediate comes with it
    pub header_imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub header_imm: Signal<Out, Bits<32>>,
    /// opcode
    pub header_opcode: Signal<Out, Bits<8>>,
    /// solicited event
    pub header_solicited: Signal<Out, Bit>,
    /// migration
    pub header_migration: Signal<Out, Bit>,
    /// bytes of padding behind the payload
    pub header_pad: Signal<Out, Bits<2>>,
    /// partition key
    pub header_partition_key: Signal<Out, Bits<16>>,
    /// forward congestion notification
    pub header_fecn: Signal<Out, Bit>,
    /// backward congestion notification
    pub header_becn: Signal<Out, Bit>,
    /// reserved bits of BTH byte 4: bit 0 retransmission, bits 2:1 kind of NAK
    pub header_reserved6: Signal<Out, Bits<6>>,
    /// destination queue pair
    pub header_dest_qp: Signal<Out, Bits<24>>,
    /// an acknowledgement is asked for
    pub header_ack_request: Signal<Out, Bit>,
    /// reserved bits of BTH byte 8: bits 3:0 path
    pub header_reserved7: Signal<Out, Bits<7>>,
    /// packet sequence number
    pub header_psn: Signal<Out, Bits<24>>,
    /// IP traffic class; its low two bits 3: congestion experienced
    pub header_traffic_class: Signal<Out, Bits<8>>,
    /// 28 bytes behind BTH, the first in the highest bits: AETH, AtomicETH, IETH, FETH or control message, as the opcode says
    pub header_body: Signal<Out, Bits<224>>,
    /// WqeETH, its first byte in the highest bits
    pub header_wqe: Signal<Out, Bits<96>>,
    /// LR2ETH, its first byte in the highest bits
    pub header_lr2: Signal<Out, Bits<96>>,
    /// CETH, its first byte in the highest bits
    pub header_ceth: Signal<Out, Bits<128>>,
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
        self.take.next = !self.valid.q.val() || self.header_ready.val();
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
        self.header_valid.next = self.valid.q.val();
        self.header_registry.next = self.registry.q.val();
        self.header_kind.next = self.kind.q.val();
        self.header_flags.next = self.flags.q.val();
        self.header_src.next = self.src.q.val();
        self.header_op.next = self.op.q.val();
        self.header_addr.next = self.addr.q.val();
        self.header_bytes.next = self.rest.q.val().get_bits::<16>(0);
        self.header_op_bytes.next = self.op_bytes.q.val();
        if self.over.q.val() {
            self.header_op_bytes.next = !bits::<32>(0);
        }
        self.header_count.next = self.count.q.val();
        self.header_rkey.next = self.rest.q.val().get_bits::<32>(PACKET_HEADER_BITS - 96);
        self.header_imm_valid.next = self.imm_valid.q.val();
        self.header_imm.next = self.imm.q.val();
        self.header_traffic_class.next = self.rest.q.val().get_bits::<8>(16);
        self.header_psn.next = self.rest.q.val().get_bits::<24>(24);
        self.header_reserved7.next = self.rest.q.val().get_bits::<7>(48);
        self.header_ack_request.next = self.rest.q.val().get_bit(55);
        self.header_dest_qp.next = self.rest.q.val().get_bits::<24>(56);
        self.header_reserved6.next = self.rest.q.val().get_bits::<6>(80);
        self.header_becn.next = self.rest.q.val().get_bit(86);
        self.header_fecn.next = self.rest.q.val().get_bit(87);
        self.header_partition_key.next = self.rest.q.val().get_bits::<16>(88);
        self.header_pad.next = self.rest.q.val().get_bits::<2>(108);
        self.header_migration.next = self.rest.q.val().get_bit(110);
        self.header_solicited.next = self.rest.q.val().get_bit(111);
        self.header_opcode.next = self.rest.q.val().get_bits::<8>(112);
        self.header_body.next = self.rest.q.val().get_bits::<224>(PACKET_HEADER_BITS - 224);
        self.header_wqe.next = self.wqe.q.val();
        self.header_lr2.next = self.lr2.q.val();
        self.header_ceth.next = self.ceth.q.val();
    }
}
