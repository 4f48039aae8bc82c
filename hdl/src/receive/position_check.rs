use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where a packet lies in an operation: combinational.
///
/// Addresses are block numbers, one block is P bytes, and the bytes behind the start of the block; `POSITION_BITS` are the lower bits of
/// the number. An operation has at most `2^POSITION_BITS` blocks, so the upper bits of its blocks are those of its base or one more:
/// whoever knows the operation says which. `PACKET_COUNT_BITS` bits hold 0 to P. What takes long to compare comes as an output of its own,
/// for a register of its own.
/// Latency: 0 clocks. Spec: receive registry, "Matching", "Decided".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PositionCheck<const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize, const PACKET_COUNT_BITS: usize> {
    /// the upper bits of the block numbers of packet and base are equal
    pub up_equal: Signal<In, Bit>,
    /// those of the packet are one more
    pub up_above: Signal<In, Bit>,
    /// packet: block number, lower bits
    pub lo: Signal<In, Bits<POSITION_BITS>>,
    /// packet: bytes behind the start of the block
    pub offset: Signal<In, Bits<PACKET_COUNT_BITS>>,
    /// packet: payload bytes, all ones if they do not fit
    pub length: Signal<In, Bits<PACKET_COUNT_BITS>>,
    /// packet: the payload is P bytes
    pub full_length: Signal<In, Bit>,
    /// packet: packets of the operation, if it is a start
    pub count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// packet: bytes of the operation, if it is a start
    pub op_bytes: Signal<In, Bits<32>>,
    /// operation: block number of its base, lower bits
    pub base_lo: Signal<In, Bits<POSITION_BITS>>,
    /// operation: packets
    pub base_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// operation: block number of its last packet, lower bits
    pub base_end: Signal<In, Bits<POSITION_BITS>>,
    /// operation: the lower bits wrap between the first block and the last
    pub base_wraps: Signal<In, Bit>,
    /// operation: bytes of the last packet
    pub base_last_length: Signal<In, Bits<PACKET_COUNT_BITS>>,
    /// operation: bytes
    pub base_op_bytes: Signal<In, Bits<32>>,
    /// the lower bits of the packet's block are those of one of the operation
    pub fits: Signal<Out, Bit>,
    /// the lower bits of the packet's block are below those of the base: the upper bits must be one more
    pub before: Signal<Out, Bit>,
    /// they are above those of the last block
    pub past: Signal<Out, Bit>,
    /// the upper bits go with the lower ones
    pub right_up: Signal<Out, Bit>,
    /// and if it is the last one, the first byte is one of it
    pub before_end: Signal<Out, Bit>,
    /// position in the operation, if it is one of its blocks
    pub position: Signal<Out, Bits<POSITION_BITS>>,
    /// the payload is what the position carries
    pub length_ok: Signal<Out, Bit>,
    /// a start has the packets of the one that registered the operation, and with equal upper bits its base
    pub same_place: Signal<Out, Bit>,
    /// and the lower half of its bytes
    pub same_bytes_low: Signal<Out, Bit>,
    /// and the upper half
    pub same_bytes_high: Signal<Out, Bit>,

    at_last: Signal<Local, Bit>,
}

impl<const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize, const PACKET_COUNT_BITS: usize> Logic
    for PositionCheck<POSITION_BITS, POSITION_COUNT_BITS, PACKET_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.before.next = self.lo.val() < self.base_lo.val();
        self.past.next = self.lo.val() > self.base_end.val();
        self.at_last.next = self.lo.val() == self.base_end.val();
        self.fits.next = (!self.before.val() && !self.past.val()) || (self.base_wraps.val() && (!self.before.val() || !self.past.val()));
        self.right_up.next = (self.up_equal.val() && !self.before.val()) || (self.up_above.val() && self.before.val());
        self.before_end.next = !self.at_last.val() || (self.offset.val() < self.base_last_length.val());
        self.position.next = self.lo.val() - self.base_lo.val();
        self.length_ok.next =
            (self.at_last.val() && (self.length.val() == self.base_last_length.val())) || (!self.at_last.val() && self.full_length.val());
        self.same_place.next = (self.lo.val() == self.base_lo.val()) && (self.count.val() == self.base_count.val());
        self.same_bytes_low.next = self.op_bytes.val().get_bits::<16>(0) == self.base_op_bytes.val().get_bits::<16>(0);
        self.same_bytes_high.next = self.op_bytes.val().get_bits::<16>(16) == self.base_op_bytes.val().get_bits::<16>(16);
    }
}
