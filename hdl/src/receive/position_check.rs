use crate::Described;
use rust_hdl::prelude::*;

/// Where a packet lies in an operation: combinational.
///
/// Addresses are block numbers, one block is P bytes: `UP` upper bits, `MW` lower ones, and the bytes behind the start of the block. An
/// operation has at most `2^MW` blocks, so its blocks have the `up` of its base or the next one: two comparisons instead of a subtraction
/// over the whole address. `LW` bits hold 0 to P.
/// Latency: 0 clocks. Spec: receive registry, "Matching", "Decided".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PositionCheck<const UP: usize, const MW: usize, const CW: usize, const LW: usize> {
    /// packet: block number, upper bits
    pub up: Signal<In, Bits<UP>>,
    /// `up - 1`
    pub up_before: Signal<In, Bits<UP>>,
    /// packet: block number, lower bits
    pub lo: Signal<In, Bits<MW>>,
    /// packet: bytes behind the start of the block
    pub offset: Signal<In, Bits<LW>>,
    /// packet: payload bytes, all ones if they do not fit
    pub length: Signal<In, Bits<LW>>,
    /// packet: the payload is P bytes
    pub full_length: Signal<In, Bit>,
    /// packet: packets of the operation, if it is a start
    pub count: Signal<In, Bits<CW>>,
    /// packet: bytes of the operation, if it is a start
    pub op_bytes: Signal<In, Bits<32>>,
    /// operation: block number of its base, upper bits
    pub base_up: Signal<In, Bits<UP>>,
    /// operation: block number of its base, lower bits
    pub base_lo: Signal<In, Bits<MW>>,
    /// operation: packets
    pub base_count: Signal<In, Bits<CW>>,
    /// operation: packets - 1
    pub base_last: Signal<In, Bits<MW>>,
    /// operation: bytes of the last packet
    pub base_last_length: Signal<In, Bits<LW>>,
    /// operation: bytes
    pub base_op_bytes: Signal<In, Bits<32>>,
    /// the first byte is in the range of the operation
    pub in_range: Signal<Out, Bit>,
    /// position in the operation, if it is in its range
    pub position: Signal<Out, Bits<MW>>,
    /// the payload is what the position carries
    pub length_ok: Signal<Out, Bit>,
    /// a start says the same as the one that registered the operation
    pub same_start: Signal<Out, Bit>,

    distance: Signal<Local, Bits<MW>>,
    borrow: Signal<Local, Bit>,
    up_equal: Signal<Local, Bit>,
    up_above: Signal<Local, Bit>,
    at_last: Signal<Local, Bit>,
}

impl<const UP: usize, const MW: usize, const CW: usize, const LW: usize> Logic for PositionCheck<UP, MW, CW, LW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.distance.next = self.lo.val() - self.base_lo.val();
        self.borrow.next = self.lo.val() < self.base_lo.val();
        self.up_equal.next = self.up.val() == self.base_up.val();
        self.up_above.next = self.up_before.val() == self.base_up.val();
        self.at_last.next = self.distance.val() == self.base_last.val();
        self.in_range.next = ((self.up_equal.val() && !self.borrow.val()) || (self.up_above.val() && self.borrow.val()))
            && (bit_cast::<CW, MW>(self.distance.val()) < self.base_count.val())
            && (!self.at_last.val() || (self.offset.val() < self.base_last_length.val()));
        self.position.next = self.distance.val();
        self.length_ok.next =
            (self.at_last.val() && (self.length.val() == self.base_last_length.val())) || (!self.at_last.val() && self.full_length.val());
        self.same_start.next = self.up_equal.val()
            && (self.lo.val() == self.base_lo.val())
            && (self.op_bytes.val() == self.base_op_bytes.val())
            && (self.count.val() == self.base_count.val());
    }
}
