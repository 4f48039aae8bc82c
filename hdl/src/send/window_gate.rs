use crate::bus::{FirstPacketsSink, SentNumbers};
use crate::primitives::{Reg, State};
use crate::wire::OP_BITS;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First transmissions get their packet sequence numbers from a send bitmap before they go: between packet scheduler, `SendBitmap` and
/// `SentPackets`.
///
/// The packet that is to go next is shown until it is taken. Its number is asked for, again and again while the window, the rate or what is
/// to be sent again holds it back; then its word is written, and it may go. A data arrival has no number and goes at once. What is for a
/// queue pair that is closed or in error, or for a node that has none, goes without a frame (`first_void`), and so does the rest of its
/// operation; with its last packet the operation fails in the op table, and no number of it is waited for any more. While one packet waits
/// all others do: they go in order.
/// Latency: 5 clocks to a number that is given at once. Throughput: one packet per 6 clocks. Reset: nothing is asked.
/// Spec: send path, "DMA operation table": PSNs are given at first transmission; bitmap loss detection, "Sender".
///
/// `2^NODE_BITS` queue pairs, those of the nodes with the same numbers; `POSITION_BITS` bits of a packet's number.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct WindowGate<const NODE_BITS: usize, const POSITION_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub first: FirstPacketsSink<POSITION_BITS>,
    /// a number is asked for
    pub send_valid: Signal<Out, Bit>,
    /// the request is taken
    pub send_ready: Signal<In, Bit>,
    /// of this queue pair
    pub send_qp: Signal<Out, Bits<NODE_BITS>>,
    /// the answer
    pub answer_valid: Signal<In, Bit>,
    /// the number
    pub answer_psn: Signal<In, Bits<24>>,
    /// 0: it is given; 1: the queue pair is closed or in error; others: not now
    pub answer_reason: Signal<In, Bits<3>>,
    pub sent: SentNumbers<NODE_BITS, POSITION_BITS>,
    /// an operation is to fail: not all of it went
    pub fail_valid: Signal<Out, Bit>,
    /// it does
    pub fail_ready: Signal<In, Bit>,
    /// op of `fail`
    pub fail_op: Signal<Out, Bits<OP_BITS>>,
    /// no number of an operation is waited for any more
    pub acked_valid: Signal<Out, Bit>,
    /// it is known
    pub acked_ready: Signal<In, Bit>,
    /// the operation
    pub acked_op: Signal<Out, Bits<OP_BITS>>,
    /// counts packets that went without a frame
    pub evt_void: Signal<Out, Bit>,
    /// counts clocks in which a packet waits after it was told: not now
    pub evt_held: Signal<Out, Bit>,

    // 0 looks, 1 asks, 2 waits for the answer, 3 writes the word, 4 goes, 5 goes without a frame.
    step: State<Bits<3>>,
    beyond: Signal<Local, Bit>,
    psn: Reg<Bits<24>>,
    failing: State<Bit>,
    ending: State<Bit>,
    over_op: Reg<Bits<OP_BITS>>,
    voided: State<Bit>,
    held: State<Bit>,
    // A packet of the operation has gone without a frame: so do all that follow.
    torn: State<Bit>,
    is_arrival: Signal<Local, Bit>,
    is_void: Signal<Local, Bit>,
}

impl<const NODE_BITS: usize, const POSITION_BITS: usize> Logic for WindowGate<NODE_BITS, POSITION_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.beyond.next = (self.first.node.val() >> NODE_BITS.to_bits::<5>()).any();
        self.is_arrival.next = self.first.valid.val() && self.first.kind.val();
        self.is_void.next = self.step.q.val() == bits::<3>(5);
        self.first.go.next = self.is_arrival.val() || self.step.q.val() == bits::<3>(4) || self.is_void.val();
        self.first.void.next = self.is_void.val();
        self.send_valid.next = self.step.q.val() == bits::<3>(1);
        self.send_qp.next = self.first.node.val().get_bits::<NODE_BITS>(0);
        self.sent.valid.next = self.step.q.val() == bits::<3>(3);
        self.sent.qp.next = self.first.node.val().get_bits::<NODE_BITS>(0);
        self.sent.psn.next = self.psn.q.val();
        self.sent.op.next = self.first.op.val();
        self.sent.packet.next = self.first.packet.val();
        self.sent.last.next = self.first.last.val();
        self.voided.d.next = false;
        if self.answer_valid.val() {
            self.psn.d.next = self.answer_psn.val();
        }
        if self.step.q.val() == bits::<3>(0) {
            // What is told of the last one comes first.
            if self.first.valid.val() && !self.first.kind.val() && !self.failing.q.val() && !self.ending.q.val() {
                self.step.d.next = bits::<3>(1);
                if self.beyond.val() || self.torn.q.val() {
                    self.step.d.next = bits::<3>(5);
                }
            }
        } else if self.step.q.val() == bits::<3>(1) {
            if self.send_ready.val() {
                self.step.d.next = bits::<3>(2);
            }
        } else if self.step.q.val() == bits::<3>(2) {
            if self.answer_valid.val() {
                self.step.d.next = bits::<3>(1);
                self.held.d.next = true;
                if self.answer_reason.val() == bits::<3>(0) {
                    self.step.d.next = bits::<3>(3);
                    self.held.d.next = false;
                } else if self.answer_reason.val() == bits::<3>(1) {
                    self.step.d.next = bits::<3>(5);
                    self.held.d.next = false;
                }
            }
        } else if self.step.q.val() == bits::<3>(3) {
            if self.sent.ready.val() {
                self.step.d.next = bits::<3>(4);
            }
        } else if self.first.take.val() {
            self.step.d.next = bits::<3>(0);
        }
        if self.fail_ready.val() {
            self.failing.d.next = false;
        }
        if self.acked_ready.val() && !self.failing.q.val() {
            self.ending.d.next = false;
        }
        if self.is_void.val() && self.first.take.val() {
            self.voided.d.next = true;
            self.over_op.d.next = self.first.op.val();
            self.torn.d.next = !self.first.last.val();
            self.failing.d.next = self.first.last.val();
            self.ending.d.next = self.first.last.val();
        }
        self.fail_valid.next = self.failing.q.val();
        self.fail_op.next = self.over_op.q.val();
        self.acked_valid.next = self.ending.q.val() && !self.failing.q.val();
        self.acked_op.next = self.over_op.q.val();
        self.evt_void.next = self.voided.q.val();
        self.evt_held.next = self.held.q.val();
    }
}
