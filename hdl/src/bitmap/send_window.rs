use crate::primitives::{BlockRam, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Gives out packet sequence numbers: one request per clock, of any queue pair, the same one back to back too.
///
/// Each queue pair has its next number and a gate, which the owner of the windows writes: the edge, the first number that may not be sent,
/// whether the queue pair is open, and whether packets that are to be sent again go first. An answer says which number it is, or why there
/// is none: 1 closed or in error, 2 an operation on the queue pair is under way, 3 retransmissions go first, 4 the window is full, 5 the
/// rate. A refusal changes nothing.
/// Latency: 2 clocks. Throughput: one request per clock, but for the clocks with `insert`. Reset: nothing is under way; gates are unknown
/// until written.
/// Spec: bitmap loss detection, "Sender".
#[derive(Default, Described, LogicBlock)]
pub struct SendWindow {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet is to be sent
    pub send_valid: Signal<In, Bit>,
    /// the request is taken
    pub send_ready: Signal<Out, Bit>,
    /// queue pair
    pub send_qp: Signal<In, Bits<NODE_BITS>>,
    /// an answer, 2 clocks later
    pub answer_valid: Signal<Out, Bit>,
    /// queue pair
    pub answer_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number, if there is one
    pub answer_psn: Signal<Out, Bits<24>>,
    /// 0: it may be sent, else why not
    pub answer_reason: Signal<Out, Bits<3>>,
    /// there is a token for a packet
    pub token: Signal<In, Bit>,
    /// `token` is taken in this clock
    pub token_take: Signal<Out, Bit>,
    /// an operation is under way
    pub block: Signal<In, Bit>,
    /// on this queue pair
    pub block_qp: Signal<In, Bits<NODE_BITS>>,
    /// a gate is written
    pub gate_write: Signal<In, Bit>,
    /// of this queue pair
    pub gate_qp: Signal<In, Bits<NODE_BITS>>,
    /// first number that may not be sent
    pub gate_edge: Signal<In, Bits<24>>,
    /// it is open and not in error
    pub gate_open: Signal<In, Bit>,
    /// retransmissions go first
    pub gate_hold: Signal<In, Bit>,
    /// a next number is written
    pub insert: Signal<In, Bit>,
    /// of this queue pair
    pub insert_qp: Signal<In, Bits<NODE_BITS>>,
    /// that number
    pub insert_psn: Signal<In, Bits<24>>,
    /// next number to read
    pub next_qp: Signal<In, Bits<NODE_BITS>>,
    /// that number, one clock later
    pub next_psn: Signal<Out, Bits<24>>,
    /// next number to read for the timers
    pub timer_qp: Signal<In, Bits<NODE_BITS>>,
    /// that number, one clock later
    pub timer_psn: Signal<Out, Bits<24>>,
    next_numbers: LutRam<24, NODE_BITS>,
    copy: BlockRam<24, NODE_BITS, 0>,
    timer_copy: BlockRam<24, NODE_BITS, 0>,
    gates: LutRam<26, NODE_BITS>,
    qp0: Signal<Local, Bits<NODE_BITS>>,
    valid1: State<Bit>,
    insert1: State<Bit>,
    insert_psn1: Reg<Bits<24>>,
    qp1: Reg<Bits<NODE_BITS>>,
    next1: Reg<Bits<24>>,
    gate1: Reg<Bits<26>>,
    blocked1: Reg<Bit>,
    may1: Signal<Local, Bit>,
    is_full1: Signal<Local, Bit>,
    grant1: Signal<Local, Bit>,
    write1: Signal<Local, Bit>,
    write_data1: Signal<Local, Bits<24>>,
    valid2: State<Bit>,
    qp2: Reg<Bits<NODE_BITS>>,
    psn2: Reg<Bits<24>>,
    reason2: Reg<Bits<3>>,
}

impl Logic for SendWindow {
    #[kernel]
    fn update(&mut self) {
        self.gates.write_enable.next = self.gate_write.val();
        self.gates.write_address.next = self.gate_qp.val();
        self.gates.write_data.next = bit_cast::<26, 24>(self.gate_edge.val())
            | (bit_cast::<26, 1>(self.gate_open.val().into()) << 24)
            | (bit_cast::<26, 1>(self.gate_hold.val().into()) << 25);

        // Stage 0. The one in front, of the same queue pair, has not written yet.
        self.send_ready.next = !self.insert.val();
        self.qp0.next = self.send_qp.val();
        if self.insert.val() {
            self.qp0.next = self.insert_qp.val();
        }
        self.next_numbers.read_address.next = self.qp0.val();
        self.gates.read_address.next = self.qp0.val();
        self.valid1.d.next = self.send_valid.val() && !self.insert.val();
        self.insert1.d.next = self.insert.val();
        self.insert_psn1.d.next = self.insert_psn.val();
        self.qp1.d.next = self.qp0.val();
        self.gate1.d.next = self.gates.read_data.val();
        self.blocked1.d.next = self.block.val() && (self.block_qp.val() == self.qp0.val());
        self.next1.d.next = self.next_numbers.read_data.val();
        if self.write1.val() && (self.qp0.val() == self.qp1.q.val()) {
            self.next1.d.next = self.write_data1.val();
        }

        // Stage 1.
        self.may1.next = self.gate1.q.val().get_bit(24) && !self.gate1.q.val().get_bit(25) && !self.blocked1.q.val() && self.token.val();
        self.is_full1.next = self.next1.q.val() == self.gate1.q.val().get_bits::<24>(0);
        self.grant1.next = self.valid1.q.val() && self.may1.val() && !self.is_full1.val();
        self.token_take.next = self.grant1.val();
        self.write1.next = self.grant1.val() || self.insert1.q.val();
        self.write_data1.next = self.next1.q.val() + 1;
        if self.insert1.q.val() {
            self.write_data1.next = self.insert_psn1.q.val();
        }
        self.next_numbers.write_enable.next = self.write1.val();
        self.next_numbers.write_address.next = self.qp1.q.val();
        self.next_numbers.write_data.next = self.write_data1.val();
        self.copy.write_enable.next = self.write1.val();
        self.copy.write_address.next = self.qp1.q.val();
        self.copy.write_data.next = self.write_data1.val();
        self.copy.read_address.next = self.next_qp.val();
        self.next_psn.next = self.copy.read_data.val();
        self.timer_copy.write_enable.next = self.write1.val();
        self.timer_copy.write_address.next = self.qp1.q.val();
        self.timer_copy.write_data.next = self.write_data1.val();
        self.timer_copy.read_address.next = self.timer_qp.val();
        self.timer_psn.next = self.timer_copy.read_data.val();
        self.valid2.d.next = self.valid1.q.val();
        self.qp2.d.next = self.qp1.q.val();
        self.psn2.d.next = self.next1.q.val();
        self.reason2.d.next = bits::<3>(0);
        if !self.gate1.q.val().get_bit(24) {
            self.reason2.d.next = bits::<3>(1);
        } else if self.blocked1.q.val() {
            self.reason2.d.next = bits::<3>(2);
        } else if self.gate1.q.val().get_bit(25) {
            self.reason2.d.next = bits::<3>(3);
        } else if self.is_full1.val() {
            self.reason2.d.next = bits::<3>(4);
        } else if !self.token.val() {
            self.reason2.d.next = bits::<3>(5);
        }

        // Stage 2.
        self.answer_valid.next = self.valid2.q.val();
        self.answer_qp.next = self.qp2.q.val();
        self.answer_psn.next = self.psn2.q.val();
        self.answer_reason.next = self.reason2.q.val();
    }
}
