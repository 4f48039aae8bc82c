use super::{AdvanceRequests, HoldGate};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Acknowledgements: for each queue pair whose base has moved, or that has received something from below its window again, the packet
/// before its base.
///
/// Those of one queue pair that wait merge into the newest: the base is read when one goes out. With `hold` they wait, see `HoldGate`. What
/// is lost is told by feedback messages, which this does not hold. Two queues, for packets and for the engine that moves windows, in turn;
/// a queue pair that is in both is acknowledged twice. One that is closed while it waits is acknowledged all the same, by what it had, or
/// by the number before its new first one. Latency: 9 clocks, with `hold` 0. Throughput: one per 6 clocks, while the bases can be read.
/// Reset: nobody waits; `ready` comes `2^NODE_BITS` clocks after it. `NODE_COUNT_BITS` = `NODE_BITS + 1`; `NODE_QUEUE_BITS` is `NODE_BITS`
/// and at least 2, `NODE_QUEUE_COUNT_BITS` =
/// `NODE_QUEUE_BITS + 1`.
#[derive(Default, Described, LogicBlock)]
pub struct AckStream {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// the tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that acknowledgements wait, less than 2^15; 0: none waits
    pub hold: Signal<In, Bits<16>>,
    /// a packet was new, or has come again
    pub packet: Signal<In, Bit>,
    /// of this queue pair
    pub packet_qp: Signal<In, Bits<NODE_BITS>>,
    /// number of `packet`
    pub packet_psn: Signal<In, Bits<24>>,
    /// first missing packet after it
    pub packet_base: Signal<In, Bits<24>>,
    /// first missing packet before it, as far as it knew
    pub packet_from: Signal<In, Bits<24>>,
    /// the engine has moved a window
    pub advance: Signal<In, Bit>,
    /// of this queue pair
    pub advance_qp: Signal<In, Bits<NODE_BITS>>,
    /// a base is to be read
    pub peek_valid: Signal<Out, Bit>,
    /// it can be
    pub peek_ready: Signal<In, Bit>,
    /// of this queue pair
    pub peek_qp: Signal<Out, Bits<NODE_BITS>>,
    /// the base, 3 clocks later
    pub peek_base: Signal<In, Bits<24>>,
    /// an acknowledgement
    pub ack_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `ack_valid` is high too
    pub ack_ready: Signal<In, Bit>,
    /// queue pair
    pub ack_qp: Signal<Out, Bits<NODE_BITS>>,
    /// last packet before the first that is missing
    pub ack_psn: Signal<Out, Bits<24>>,
    packets: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    advances: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    below: Signal<Local, Bits<24>>,
    moved: Signal<Local, Bit>,
    ask1: State<Bit>,
    ask_qp1: Reg<Bits<NODE_BITS>>,
    turn: State<Bit>,
    // 0 idle, 1 asks for the base, 2 and 3 wait for it, 4 has it.
    step: State<Bits<3>>,
    qp: Reg<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    full: State<Bit>,
    any: Signal<Local, Bit>,
    gate: HoldGate,
    takes_advance: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

impl Logic for AckStream {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.packets.ready.val() && self.advances.ready.val();
        // A packet that has come again from below the window. One that moves the base may lie above it: the engine that moves windows had
        // yet to come there.
        self.below.next = self.packet_psn.val() - self.packet_base.val();
        self.moved.next = self.packet_base.val() != self.packet_from.val();
        self.ask1.d.next = self.packet.val() && (self.below.val().get_bit(23) || self.moved.val());
        self.ask_qp1.d.next = self.packet_qp.val();
        self.packets.ask.next = self.ask1.q.val();
        self.packets.ask_qp.next = self.ask_qp1.q.val();
        self.advances.ask.next = self.advance.val();
        self.advances.ask_qp.next = self.advance_qp.val();

        self.any.next = self.packets.out_valid.val() || self.advances.out_valid.val();
        self.gate.now.next = self.now.val();
        self.gate.hold.next = self.hold.val();
        self.gate.any.next = self.any.val();

        self.takes.next = !self.step.q.val().any() && !self.full.q.val() && !self.gate.is_closed.val();
        self.takes_advance.next = self.advances.out_valid.val() && (self.turn.q.val() || !self.packets.out_valid.val());
        self.advances.out_ready.next = self.takes.val() && self.takes_advance.val();
        self.packets.out_ready.next = self.takes.val() && !self.takes_advance.val();
        self.peek_valid.next = self.step.q.val() == bits::<3>(1);
        self.peek_qp.next = self.qp.q.val();
        if self.takes.val() {
            self.qp.d.next = self.packets.out_qp.val();
            if self.takes_advance.val() {
                self.qp.d.next = self.advances.out_qp.val();
            }
            if self.takes_advance.val() || self.packets.out_valid.val() {
                self.turn.d.next = !self.takes_advance.val();
                self.step.d.next = bits::<3>(1);
            }
        } else if self.step.q.val() == bits::<3>(1) {
            if self.peek_ready.val() {
                self.step.d.next = bits::<3>(2);
            }
        } else if self.step.q.val().any() {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.full.q.val() && self.ack_ready.val() {
            self.full.d.next = false;
        }
        if self.step.q.val() == bits::<3>(4) {
            self.step.d.next = bits::<3>(0);
            self.full.d.next = true;
            self.psn.d.next = self.peek_base.val() - 1;
        }
        self.ack_valid.next = self.full.q.val();
        self.ack_qp.next = self.qp.q.val();
        self.ack_psn.next = self.psn.q.val();
    }
}
