use crate::primitives::{LutRam, PriorityEncoder, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an acknowledgement says of a window of variable length: the code `c` of the largest `2^c` packets that lie between its base and the
/// window's edge.
///
/// Edges only move on, so that what is told stays open. No code says that nothing is open: an acknowledgement whose base is at the edge
/// waits until that has followed, as it does soon; after 3072 clocks it goes with code 0, for its queue pair may have been closed.
/// Latency: 4 clocks. Throughput: one acknowledgement per 5 clocks. Reset: none is under way; edges are unknown until told.
/// Spec: bitmap loss detection, "Large windows", advertised window.
///
/// A segment has `2^SEGMENT_BITS` packets, `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct WindowCredits {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the edge of a window moves
    pub edge_valid: Signal<In, Bit>,
    /// of this queue pair
    pub edge_qp: Signal<In, Bits<NODE_BITS>>,
    /// to before this segment
    pub edge_segment: Signal<In, Bits<SEGMENT_REST_BITS>>,
    /// an acknowledgement
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// queue pair of `in`
    pub in_qp: Signal<In, Bits<NODE_BITS>>,
    /// last packet before the base
    pub in_psn: Signal<In, Bits<24>>,
    /// an acknowledgement
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// queue pair of `out`
    pub out_qp: Signal<Out, Bits<NODE_BITS>>,
    /// last packet before the base
    pub out_psn: Signal<Out, Bits<24>>,
    /// `2^credits` packets from the base on may be sent
    pub out_credits: Signal<Out, Bits<5>>,
    edges: LutRam<SEGMENT_REST_BITS, NODE_BITS>,
    // 0 idle, 1 reads the edge, 2 has it, 3 knows what is open, 4 tells.
    step: State<Bits<3>>,
    qp: Reg<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    segment: Reg<Bits<SEGMENT_REST_BITS>>,
    open: Reg<Bits<24>>,
    tries: Reg<Bits<10>>,
    highest: PriorityEncoder<24, 5>,
    code: Reg<Bits<5>>,
}

impl Logic for WindowCredits {
    #[kernel]
    fn update(&mut self) {
        self.edges.write_enable.next = self.edge_valid.val();
        self.edges.write_address.next = self.edge_qp.val();
        self.edges.write_data.next = self.edge_segment.val();
        self.edges.read_address.next = self.qp.q.val();
        self.segment.d.next = self.edges.read_data.val();
        self.open.d.next = (bit_cast::<24, SEGMENT_REST_BITS>(self.segment.q.val()) << SEGMENT_BITS.to_bits::<4>()) + !self.psn.q.val();
        self.highest.request.next = self.open.q.val();
        self.in_ready.next = !self.step.q.val().any();
        self.out_valid.next = self.step.q.val() == bits::<3>(4);
        self.out_qp.next = self.qp.q.val();
        self.out_psn.next = self.psn.q.val();
        self.out_credits.next = self.code.q.val();
        if self.step.q.val() == bits::<3>(0) {
            self.qp.d.next = self.in_qp.val();
            self.psn.d.next = self.in_psn.val();
            self.tries.d.next = bits::<10>(0);
            if self.in_valid.val() {
                self.step.d.next = bits::<3>(1);
            }
        } else if self.step.q.val() == bits::<3>(3) {
            self.code.d.next = bits::<5>(0);
            self.step.d.next = bits::<3>(4);
            // With the highest bit it is less than nothing.
            if self.highest.any.val() && !self.open.q.val().get_bit(23) {
                self.code.d.next = self.highest.index.val();
            } else if !self.tries.q.val().all() {
                self.tries.d.next = self.tries.q.val() + 1;
                self.step.d.next = bits::<3>(1);
            }
        } else if self.step.q.val() == bits::<3>(4) {
            if self.out_ready.val() {
                self.step.d.next = bits::<3>(0);
            }
        } else {
            self.step.d.next = self.step.q.val() + 1;
        }
    }
}
