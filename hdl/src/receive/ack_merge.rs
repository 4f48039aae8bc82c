use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Turns told items into notifications, and merges op acknowledgements (0xc3) that follow each other.
///
/// A positive acknowledgement waits up to `cfg_ack_wait` ticks for more of the same (source, op, group of 64 packets); anything else that
/// comes flushes it first, so the order stays. With `cfg_ack_wait` = 0 none waits.
/// Latency: 1 clock, and up to `cfg_ack_wait` ticks for an acknowledgement that may merge. Throughput: one per clock.
/// Reset: nothing is held. Spec: receive registry, "What is sent, and when"; wire format, 0xc1 and 0xc3.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AckMerge {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that an acknowledgement may wait
    pub cfg_ack_wait: Signal<In, Bits<32>>,
    /// an item is offered
    pub in_valid: Signal<In, Bit>,
    /// it is taken
    pub in_ready: Signal<Out, Bit>,
    /// 1: remote completion (0xc1), 0: op acknowledgement (0xc3)
    pub in_final: Signal<In, Bit>,
    /// source
    pub in_src: Signal<In, Bits<16>>,
    /// op
    pub in_op: Signal<In, Bits<16>>,
    /// packet that is acknowledged
    pub in_position: Signal<In, Bits<16>>,
    /// status code
    pub in_status: Signal<In, Bits<5>>,
    /// packets of a finished operation
    pub in_packets: Signal<In, Bits<16>>,
    /// a notification
    pub notify_valid: Signal<Out, Bit>,
    /// it is taken
    pub notify_ready: Signal<In, Bit>,
    /// 0xc1 or 0xc3
    pub notify_kind: Signal<Out, Bits<8>>,
    /// source: where it goes
    pub notify_src: Signal<Out, Bits<16>>,
    /// op
    pub notify_op: Signal<Out, Bits<16>>,
    /// first packet of `notify_mask`
    pub notify_index: Signal<Out, Bits<16>>,
    /// status code
    pub notify_status: Signal<Out, Bits<8>>,
    /// packets from `notify_index` on
    pub notify_mask: Signal<Out, Bits<64>>,
    /// packets of a finished operation
    pub notify_packets: Signal<Out, Bits<16>>,
    /// nothing is held
    pub idle: Signal<Out, Bit>,

    held: Reg<Bit>,
    held_src: Reg<Bits<16>>,
    held_op: Reg<Bits<16>>,
    held_group: Reg<Bits<10>>,
    held_mask: Reg<Bits<64>>,
    held_since: Reg<Bits<32>>,
    out: Reg<Bit>,
    out_final: Reg<Bit>,
    out_src: Reg<Bits<16>>,
    out_op: Reg<Bits<16>>,
    out_group: Reg<Bits<10>>,
    out_status: Reg<Bits<5>>,
    out_mask: Reg<Bits<64>>,
    out_packets: Reg<Bits<16>>,
    bit: Signal<Local, Bits<64>>,
    age: Signal<Local, Bits<32>>,
    room: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    merge: Signal<Local, Bit>,
    flush: Signal<Local, Bit>,
    hold: Signal<Local, Bit>,
    pass: Signal<Local, Bit>,
}

impl Logic for AckMerge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            held,
            held_src,
            held_op,
            held_group,
            held_mask,
            held_since,
            out,
            out_final,
            out_src,
            out_op,
            out_group,
            out_status,
            out_mask,
            out_packets
        );
        self.bit.next = bits::<64>(1) << self.in_position.val().get_bits::<6>(0);
        self.age.next = self.now.val() - self.held_since.q.val();
        self.room.next = !self.out.q.val() || self.notify_ready.val();
        self.waits.next = !self.in_final.val() && !self.in_status.val().any() && self.cfg_ack_wait.val().any();
        self.same.next = self.held.q.val()
            && self.waits.val()
            && (self.held_src.q.val() == self.in_src.val())
            && (self.held_op.q.val() == self.in_op.val())
            && (self.held_group.q.val() == self.in_position.val().get_bits::<10>(6));
        self.due.next = self.age.val() >= self.cfg_ack_wait.val();
        self.merge.next = self.in_valid.val() && self.same.val() && !self.due.val();
        self.flush.next = self.room.val() && self.held.q.val() && (self.due.val() || (self.in_valid.val() && !self.same.val()));
        self.hold.next = self.in_valid.val() && self.waits.val() && !self.merge.val() && (!self.held.q.val() || self.flush.val());
        self.pass.next = self.in_valid.val() && !self.waits.val() && !self.held.q.val() && self.room.val();
        self.in_ready.next = self.merge.val() || self.hold.val() || self.pass.val();

        if self.room.val() {
            self.out.d.next = self.flush.val() || self.pass.val();
        }
        if self.flush.val() {
            self.out_final.d.next = false;
            self.out_src.d.next = self.held_src.q.val();
            self.out_op.d.next = self.held_op.q.val();
            self.out_group.d.next = self.held_group.q.val();
            self.out_status.d.next = bits::<5>(0);
            self.out_mask.d.next = self.held_mask.q.val();
            self.out_packets.d.next = bits::<16>(0);
        } else if self.pass.val() {
            self.out_final.d.next = self.in_final.val();
            self.out_src.d.next = self.in_src.val();
            self.out_op.d.next = self.in_op.val();
            self.out_status.d.next = self.in_status.val();
            if self.in_final.val() {
                self.out_group.d.next = bits::<10>(0);
                self.out_mask.d.next = bits::<64>(0);
                self.out_packets.d.next = self.in_packets.val();
            } else {
                self.out_group.d.next = self.in_position.val().get_bits::<10>(6);
                self.out_mask.d.next = self.bit.val();
                self.out_packets.d.next = bits::<16>(0);
            }
        }
        if self.flush.val() {
            self.held.d.next = false;
        }
        if self.merge.val() {
            self.held_mask.d.next = self.held_mask.q.val() | self.bit.val();
        }
        if self.hold.val() {
            self.held.d.next = true;
            self.held_src.d.next = self.in_src.val();
            self.held_op.d.next = self.in_op.val();
            self.held_group.d.next = self.in_position.val().get_bits::<10>(6);
            self.held_mask.d.next = self.bit.val();
            self.held_since.d.next = self.now.val();
        }
        self.notify_valid.next = self.out.q.val();
        if self.out_final.q.val() {
            self.notify_kind.next = bits::<8>(0xc1);
        } else {
            self.notify_kind.next = bits::<8>(0xc3);
        }
        self.notify_src.next = self.out_src.q.val();
        self.notify_op.next = self.out_op.q.val();
        self.notify_index.next = bit_cast::<16, 10>(self.out_group.q.val()) << 6;
        self.notify_status.next = bit_cast::<8, 5>(self.out_status.q.val());
        self.notify_mask.next = self.out_mask.q.val();
        self.notify_packets.next = self.out_packets.q.val();
        self.idle.next = !self.held.q.val() && !self.out.q.val();
        if self.rst.val() {
            self.held.d.next = false;
            self.out.d.next = false;
        }
    }
}
