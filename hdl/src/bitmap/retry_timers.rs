use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// One timer per queue pair, looked at in turn.
///
/// A timer runs while packets are out, from when the base last moved or, if there were none then, from the first look after one was sent.
/// It runs out after more than `cfg_rto` ticks, twice as many the next time, and so on up to `cfg_rto_cap`; `fire_last` says that it is the
/// `cfg_retry_limit`th time in a row. It is offered until it is taken, which it may not be in a clock with a notice, or a notice says that
/// the base has moved; whoever takes it answers with a notice. Notices: 0 nothing is out, 1 the base has moved, 2 the timer that ran out
/// has been acted on. Scan period: 4 clocks per queue pair, and what is done for each timer that runs out. Throughput: one notice per
/// clock. Reset: entries are unknown until each queue pair has had a notice; `enable` then. Spec: bitmap loss detection, "Sender".
#[derive(Default, Described, LogicBlock)]
pub struct RetryTimers {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every queue pair has had a notice
    pub enable: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks until a timer runs out
    pub cfg_rto: Signal<In, Bits<32>>,
    /// most of them, less than 2^31
    pub cfg_rto_cap: Signal<In, Bits<32>>,
    /// times that it may run out in a row
    pub cfg_retry_limit: Signal<In, Bits<8>>,
    /// queue pair that is looked at
    pub next_qp: Signal<Out, Bits<NODE_BITS>>,
    /// next number of `next`, one clock later
    pub next_psn: Signal<In, Bits<24>>,
    /// a notice
    pub notice: Signal<In, Bit>,
    /// what has happened
    pub notice_kind: Signal<In, Bits<2>>,
    /// to which queue pair
    pub notice_qp: Signal<In, Bits<NODE_BITS>>,
    /// base of `notice`
    pub notice_base: Signal<In, Bits<24>>,
    /// a timer has run out
    pub fire_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `fire_valid` is high too
    pub fire_ready: Signal<In, Bit>,
    /// of this queue pair
    pub fire_qp: Signal<Out, Bits<NODE_BITS>>,
    /// for the last time
    pub fire_last: Signal<Out, Bit>,
    memory: BlockRam<73, NODE_BITS, 0>,
    bases: BlockRam<24, NODE_BITS, 0>,
    at: State<Bits<NODE_BITS>>,
    step: State<Bits<3>>,
    armed: Reg<Bit>,
    deadline: Reg<Bits<32>>,
    patience: Reg<Bits<32>>,
    expiries: Reg<Bits<8>>,
    is_out: Reg<Bit>,
    is_late: Reg<Bit>,
    is_last: Reg<Bit>,
    past: Signal<Local, Bits<32>>,
    more: Signal<Local, Bits<8>>,
    meets: Signal<Local, Bit>,
    arm: Signal<Local, Bit>,
    first: Reg<Bits<32>>,
    twice: Reg<Bits<32>>,
    shifted: Signal<Local, Bits<32>>,
    first_deadline: Reg<Bits<32>>,
    twice_deadline: Reg<Bits<32>>,
    notice1: State<Bit>,
    kind1: Reg<Bits<2>>,
    qp1: Reg<Bits<NODE_BITS>>,
    base1: Reg<Bits<24>>,
    notice2: State<Bit>,
    kind2: Reg<Bits<2>>,
    qp2: Reg<Bits<NODE_BITS>>,
    base2: Reg<Bits<24>>,
    new_armed: Signal<Local, Bits<1>>,
    new_expiries: Signal<Local, Bits<8>>,
    new_patience: Signal<Local, Bits<32>>,
    new_deadline: Signal<Local, Bits<32>>,
}

impl Logic for RetryTimers {
    #[kernel]
    fn update(&mut self) {
        // Time: from a clock after the notice on, so never too early.
        self.first.d.next = self.cfg_rto.val();
        if self.cfg_rto_cap.val() < self.cfg_rto.val() {
            self.first.d.next = self.cfg_rto_cap.val();
        }
        self.shifted.next = self.patience.q.val() << 1;
        self.twice.d.next = self.shifted.val();
        if self.patience.q.val().get_bit(31) || (self.cfg_rto_cap.val() < self.shifted.val()) {
            self.twice.d.next = self.cfg_rto_cap.val();
        }
        self.first_deadline.d.next = self.now.val() + self.first.q.val();
        self.twice_deadline.d.next = self.now.val() + self.twice.q.val();

        // A look: 0 and 1 read, 2 compares, 3 acts; 4 offers, 5 waits for the answer. A notice on the way makes it begin again.
        self.next_qp.next = self.at.q.val();
        self.memory.read_address.next = self.at.q.val();
        self.bases.read_address.next = self.at.q.val();
        self.meets.next = (self.notice.val() && (self.notice_qp.val() == self.at.q.val()))
            || (self.notice1.q.val() && (self.qp1.q.val() == self.at.q.val()))
            || (self.notice2.q.val() && (self.qp2.q.val() == self.at.q.val()));
        self.deadline.d.next = self.memory.read_data.val().get_bits::<32>(0);
        self.patience.d.next = self.memory.read_data.val().get_bits::<32>(32);
        self.expiries.d.next = self.memory.read_data.val().get_bits::<8>(64);
        self.armed.d.next = self.memory.read_data.val().get_bit(72);
        self.past.next = self.deadline.q.val() - self.now.val();
        self.more.next = self.expiries.q.val() + 1;
        self.is_late.d.next = self.past.val().get_bit(31);
        self.is_out.d.next = self.next_psn.val() != self.bases.read_data.val();
        self.is_last.d.next = !(self.more.val() < self.cfg_retry_limit.val()) || self.expiries.q.val().all();
        self.fire_valid.next = self.step.q.val() == bits::<3>(4);
        self.fire_qp.next = self.at.q.val();
        self.fire_last.next = self.is_last.q.val();
        self.arm.next = false;
        self.step.d.next = self.step.q.val() + 1;
        if self.step.q.val() == bits::<3>(0) {
            if !self.enable.val() {
                self.step.d.next = bits::<3>(0);
            }
        } else if self.step.q.val() == bits::<3>(3) {
            self.step.d.next = bits::<3>(0);
            if self.armed.q.val() && self.is_out.q.val() && self.is_late.q.val() {
                self.step.d.next = bits::<3>(4);
            } else if self.is_out.q.val() && !self.armed.q.val() {
                self.arm.next = !self.notice2.q.val();
                if !self.notice2.q.val() {
                    self.at.d.next = self.at.q.val() + 1;
                }
            } else {
                self.at.d.next = self.at.q.val() + 1;
            }
        } else if self.step.q.val() == bits::<3>(4) {
            self.step.d.next = bits::<3>(4);
            if self.fire_ready.val() {
                self.step.d.next = bits::<3>(5);
            }
        }
        if self.meets.val() {
            self.step.d.next = bits::<3>(0);
            self.arm.next = false;
            self.at.d.next = self.at.q.val();
        }
        if self.step.q.val() == bits::<3>(5) {
            // What was read stays until the answer has been written.
            self.step.d.next = bits::<3>(5);
            if self.notice2.q.val() && (self.qp2.q.val() == self.at.q.val()) {
                self.step.d.next = bits::<3>(0);
                self.at.d.next = self.at.q.val() + 1;
            }
        }
        // The table's output is that of `at` in every step but the first; with the answer it would be taken over too soon.
        if (self.step.q.val() == bits::<3>(4)) || (self.step.q.val() == bits::<3>(5)) {
            self.patience.d.next = self.patience.q.val();
            self.expiries.d.next = self.expiries.q.val();
        }

        self.notice1.d.next = self.notice.val();
        self.kind1.d.next = self.notice_kind.val();
        self.qp1.d.next = self.notice_qp.val();
        self.base1.d.next = self.notice_base.val();
        self.notice2.d.next = self.notice1.q.val();
        self.kind2.d.next = self.kind1.q.val();
        self.qp2.d.next = self.qp1.q.val();
        self.base2.d.next = self.base1.q.val();
        self.new_armed.next = bits::<1>(1);
        self.new_expiries.next = bits::<8>(0);
        self.new_patience.next = self.first.q.val();
        self.new_deadline.next = self.first_deadline.q.val();
        if self.notice2.q.val() && (self.kind2.q.val() == bits::<2>(0)) {
            self.new_armed.next = bits::<1>(0);
        } else if self.notice2.q.val() && (self.kind2.q.val() == bits::<2>(2)) {
            self.new_expiries.next = self.more.val();
            self.new_patience.next = self.twice.q.val();
            self.new_deadline.next = self.twice_deadline.q.val();
        }
        self.memory.write_enable.next = self.notice2.q.val() || self.arm.val();
        self.memory.write_address.next = self.at.q.val();
        if self.notice2.q.val() {
            self.memory.write_address.next = self.qp2.q.val();
        }
        self.memory.write_data.next = bit_cast::<73, 32>(self.new_deadline.val())
            | (bit_cast::<73, 32>(self.new_patience.val()) << 32)
            | (bit_cast::<73, 8>(self.new_expiries.val()) << 64)
            | (bit_cast::<73, 1>(self.new_armed.val()) << 72);
        self.bases.write_enable.next = self.notice2.q.val();
        self.bases.write_address.next = self.qp2.q.val();
        self.bases.write_data.next = self.base2.q.val();
    }
}
