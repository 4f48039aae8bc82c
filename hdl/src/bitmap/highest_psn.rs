use crate::primitives::{BlockRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Highest packet sequence number that each queue pair has received.
///
/// Read in stage 3, seen and raised in stage 5, written in stage 6; stage 5 takes what the three packets in front of it have made of the
/// same queue pair, so that packets back to back are taken one at a time.
/// Latency: stage 6. Throughput: one per clock. Reset: nothing is under way; contents are unknown until written.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HighestPsn<const NODE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 3: queue pair
    pub s3_qp: Signal<In, Bits<NODE_BITS>>,
    /// stage 5: a packet
    pub s5_valid: Signal<In, Bit>,
    /// stage 5: it lies in the window
    pub s5_inside: Signal<In, Bit>,
    /// stage 5: its number
    pub s5_psn: Signal<In, Bits<24>>,
    /// stage 5: the queue pair begins with `begin_with` as its highest number
    pub s5_begin: Signal<In, Bit>,
    /// that number
    pub begin_with: Signal<In, Bits<24>>,
    /// stage 6: highest number, the packet's included
    pub s6_highest: Signal<Out, Bits<24>>,
    /// stage 6: the one before
    pub s6_before: Signal<Out, Bits<24>>,
    memory: BlockRam<24, NODE_BITS, 1>,
    qp4: Reg<Bits<NODE_BITS>>,
    qp5: Reg<Bits<NODE_BITS>>,
    qp6: Reg<Bits<NODE_BITS>>,
    qp7: Reg<Bits<NODE_BITS>>,
    valid6: State<Bit>,
    valid7: State<Bit>,
    begin6: State<Bit>,
    same6: Reg<Bit>,
    same7: Reg<Bit>,
    same8: Reg<Bit>,
    now: Signal<Local, Bits<24>>,
    beyond: Signal<Local, Bits<24>>,
    before6: Reg<Bits<24>>,
    highest6: Reg<Bits<24>>,
    highest7: Reg<Bits<24>>,
    highest8: Reg<Bits<24>>,
}

impl<const NODE_BITS: usize> Logic for HighestPsn<NODE_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.memory.read_address.next = self.s3_qp.val();
        self.qp4.d.next = self.s3_qp.val();
        self.qp5.d.next = self.qp4.q.val();
        self.qp6.d.next = self.qp5.q.val();
        self.qp7.d.next = self.qp6.q.val();
        // Stage 4: which of the three in front will be of the same queue pair when this one is in stage 5.
        self.same6.d.next = self.s5_valid.val() && (self.qp4.q.val() == self.qp5.q.val());
        self.same7.d.next = self.valid6.q.val() && (self.qp4.q.val() == self.qp6.q.val());
        self.same8.d.next = self.valid7.q.val() && (self.qp4.q.val() == self.qp7.q.val());

        // Stage 5.
        self.now.next = self.memory.read_data.val();
        if self.same6.q.val() {
            self.now.next = self.highest6.q.val();
        } else if self.same7.q.val() {
            self.now.next = self.highest7.q.val();
        } else if self.same8.q.val() {
            self.now.next = self.highest8.q.val();
        }
        // Nothing in the window is half the circle away: as far behind as it is not ahead.
        self.beyond.next = self.now.val() - self.s5_psn.val();
        self.before6.d.next = self.now.val();
        self.highest6.d.next = self.now.val();
        if self.s5_inside.val() && self.beyond.val().get_bit(23) {
            self.highest6.d.next = self.s5_psn.val();
        }
        self.valid6.d.next = self.s5_valid.val();
        self.begin6.d.next = self.s5_begin.val();

        // Stage 6. Who begins is followed by no packet of the same queue pair for long: only the memory has to know.
        self.s6_highest.next = self.highest6.q.val();
        self.s6_before.next = self.before6.q.val();
        self.memory.write_enable.next = self.valid6.q.val() || self.begin6.q.val();
        self.memory.write_address.next = self.qp6.q.val();
        self.memory.write_data.next = self.highest6.q.val();
        if self.begin6.q.val() {
            self.memory.write_data.next = self.begin_with.val();
        }
        self.valid7.d.next = self.valid6.q.val();
        self.highest7.d.next = self.highest6.q.val();
        self.highest8.d.next = self.highest7.q.val();
    }
}
