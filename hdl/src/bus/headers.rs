//! The header of a frame, as the parser hands it on.

use crate::Bundle;
use crate::wire::OP_BITS;
use rust_hdl::prelude::*;

/// The header of a good frame as fields. Which of them mean something follows from the opcode.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FrameHeadersSink"]
#[mirror]
pub struct FrameHeaders {
    /// a header is there
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    pub ready: Signal<In, Bit>,
    /// the frame is for the receive registry: a data packet with OpETH, or a data arrival
    pub registry: Signal<Out, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub kind: Signal<Out, Bits<2>>,
    /// OpETH: flags, bit 0 of a start, bit 1 of a segment of a large transfer
    pub flags: Signal<Out, Bits<8>>,
    /// sending node
    pub src: Signal<Out, Bits<16>>,
    /// the sender's op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub addr: Signal<Out, Bits<64>>,
    /// payload bytes of this frame; if there are any, one payload comes with it
    pub bytes: Signal<Out, Bits<16>>,
    /// length field of RETH; of a data arrival its bytes, at most 2^32 - 1
    pub op_bytes: Signal<Out, Bits<32>>,
    /// OpETH: packets of the operation
    pub count: Signal<Out, Bits<16>>,
    /// remote key
    pub rkey: Signal<Out, Bits<32>>,
    /// an immediate comes with it
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// opcode
    pub opcode: Signal<Out, Bits<8>>,
    /// solicited event
    pub solicited: Signal<Out, Bit>,
    /// migration
    pub migration: Signal<Out, Bit>,
    /// bytes of padding behind the payload
    pub pad: Signal<Out, Bits<2>>,
    /// partition key
    pub partition_key: Signal<Out, Bits<16>>,
    /// forward congestion notification
    pub fecn: Signal<Out, Bit>,
    /// backward congestion notification
    pub becn: Signal<Out, Bit>,
    /// reserved bits of BTH byte 4: bit 0 retransmission, bits 2:1 kind of NAK
    pub reserved6: Signal<Out, Bits<6>>,
    /// destination queue pair
    pub dest_qp: Signal<Out, Bits<24>>,
    /// an acknowledgement is asked for
    pub ack_request: Signal<Out, Bit>,
    /// reserved bits of BTH byte 8: bits 3:0 path
    pub reserved7: Signal<Out, Bits<7>>,
    /// packet sequence number
    pub psn: Signal<Out, Bits<24>>,
    /// IP traffic class; its low two bits 3: congestion experienced
    pub traffic_class: Signal<Out, Bits<8>>,
    /// 28 bytes behind BTH, the first in the highest bits: AETH, AtomicETH, IETH, FETH or control message, as the opcode says
    pub body: Signal<Out, Bits<224>>,
    /// WqeETH, its first byte in the highest bits
    pub wqe: Signal<Out, Bits<96>>,
    /// LR2ETH, its first byte in the highest bits
    pub lr2: Signal<Out, Bits<96>>,
    /// CETH, its first byte in the highest bits
    pub ceth: Signal<Out, Bits<128>>,
}
