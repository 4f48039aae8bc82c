use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Where a packet lies in an operation.
///
/// Addresses are block numbers, one block is P bytes, and the bytes behind the start of the block; `MW` are the lower bits of the number. An
/// operation has at most `2^MW` blocks, so the upper bits of its blocks are those of its base or one more: whoever knows the operation says
/// which. `LW` bits hold 0 to P.
/// Latency: 1 clock, and one level of logic behind it. Throughput: one packet per clock. Spec: receive registry, "Matching", "Decided".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PositionCheck<const MW: usize, const CW: usize, const LW: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// the upper bits of the block numbers of packet and base are equal
    pub up_equal: Signal<In, Bit>,
    /// those of the packet are one more
    pub up_above: Signal<In, Bit>,
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
    /// operation: block number of its base, lower bits
    pub base_lo: Signal<In, Bits<MW>>,
    /// operation: packets
    pub base_count: Signal<In, Bits<CW>>,
    /// operation: block number of its last packet, lower bits
    pub base_end: Signal<In, Bits<MW>>,
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

    before: Signal<Local, Bit>,
    behind: Signal<Local, Bit>,
    q_distance: Reg<Bits<MW>>,
    q_borrow: Reg<Bit>,
    q_up_equal: Reg<Bit>,
    q_up_above: Reg<Bit>,
    q_lo_equal: Reg<Bit>,
    q_fits: Reg<Bit>,
    q_at_last: Reg<Bit>,
    q_offset_fits: Reg<Bit>,
    q_full_length: Reg<Bit>,
    q_last_length: Reg<Bit>,
    q_bytes_equal: Reg<Bit>,
    q_count_equal: Reg<Bit>,
}

impl<const MW: usize, const CW: usize, const LW: usize> Logic for PositionCheck<MW, CW, LW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            q_distance,
            q_borrow,
            q_up_equal,
            q_up_above,
            q_lo_equal,
            q_fits,
            q_at_last,
            q_offset_fits,
            q_full_length,
            q_last_length,
            q_bytes_equal,
            q_count_equal
        );
        self.q_distance.d.next = self.lo.val() - self.base_lo.val();
        self.before.next = self.lo.val() < self.base_lo.val();
        self.behind.next = self.lo.val() > self.base_end.val();
        self.q_borrow.d.next = self.before.val();
        self.q_up_equal.d.next = self.up_equal.val();
        self.q_up_above.d.next = self.up_above.val();
        self.q_lo_equal.d.next = self.lo.val() == self.base_lo.val();
        // The lower bits of an operation's blocks may wrap.
        self.q_fits.d.next = !self.before.val() && !self.behind.val();
        if self.base_end.val() < self.base_lo.val() {
            self.q_fits.d.next = !self.before.val() || !self.behind.val();
        }
        self.q_at_last.d.next = self.lo.val() == self.base_end.val();
        self.q_offset_fits.d.next = self.offset.val() < self.base_last_length.val();
        self.q_full_length.d.next = self.full_length.val();
        self.q_last_length.d.next = self.length.val() == self.base_last_length.val();
        self.q_bytes_equal.d.next = self.op_bytes.val() == self.base_op_bytes.val();
        self.q_count_equal.d.next = self.count.val() == self.base_count.val();

        self.in_range.next = ((self.q_up_equal.q.val() && !self.q_borrow.q.val()) || (self.q_up_above.q.val() && self.q_borrow.q.val()))
            && self.q_fits.q.val()
            && (!self.q_at_last.q.val() || self.q_offset_fits.q.val());
        self.position.next = self.q_distance.q.val();
        self.length_ok.next =
            (self.q_at_last.q.val() && self.q_last_length.q.val()) || (!self.q_at_last.q.val() && self.q_full_length.q.val());
        self.same_start.next =
            self.q_up_equal.q.val() && self.q_lo_equal.q.val() && self.q_bytes_equal.q.val() && self.q_count_equal.q.val();
    }
}
