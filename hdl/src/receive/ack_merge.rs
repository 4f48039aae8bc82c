use crate::primitives::{Reg, SkidBuffer, State, Subtract};
use crate::wire::OP_BITS;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Turns told items into notifications, and merges op acknowledgements (0xc3) that follow each other.
///
/// While the packets of an operation are answered in order from its first on, an acknowledgement waits up to `cfg_ack_wait` ticks for more
/// of the same (source, op, group of 64 packets); anything else that comes flushes it first, so the order stays. Behind a packet that is
/// missing none waits: the sender is about to find out. An acknowledgement says once more what the last one said, if that was of the same
/// group: the network may have lost it. The remote completion (0xc1, status 0) of the same operation says all that an acknowledgement of it
/// could, and takes its place. With `cfg_ack_wait` = 0 each packet has its own acknowledgement. Every item passes the one place in which
/// acknowledgements collect; it is compared with the one before as it comes in.
/// Latency: 3 clocks, and up to `cfg_ack_wait` ticks for an acknowledgement that may merge. Throughput: one per clock.
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
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// 1: remote completion (0xc1), 0: op acknowledgement (0xc3)
    pub in_final: Signal<In, Bit>,
    /// source
    pub in_src: Signal<In, Bits<16>>,
    /// op
    pub in_op: Signal<In, Bits<OP_BITS>>,
    /// packet that is acknowledged
    pub in_position: Signal<In, Bits<16>>,
    /// status code
    pub in_status: Signal<In, Bits<5>>,
    /// packets of a finished operation
    pub in_packets: Signal<In, Bits<16>>,
    /// a notification
    pub notify_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `notify_valid` is high too
    pub notify_ready: Signal<In, Bit>,
    /// 0xc1 or 0xc3
    pub notify_kind: Signal<Out, Bits<8>>,
    /// source: where it goes
    pub notify_src: Signal<Out, Bits<16>>,
    /// op
    pub notify_op: Signal<Out, Bits<OP_BITS>>,
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

    // What came last, for the comparison with what comes.
    last_src: Reg<Bits<16>>,
    last_op: Reg<Bits<OP_BITS>>,
    last_group: Reg<Bits<10>>,
    last_behind: Reg<Bits<16>>,
    // Its packets have been acknowledged in order from the first on.
    ordered: State<Bit>,
    // It was a positive acknowledgement.
    positive: State<Bit>,
    // Low bits first: final, waits, same source as the last, src 16, op 24, position 16, status 5, packets 16, same op, same group, whole,
    // acknowledges the same group as the last.
    queue: SkidBuffer<84>,
    offered: Signal<Local, Bits<84>>,
    next: Signal<Local, Bits<84>>,
    bit: Signal<Local, Bits<64>>,
    q_held: State<Bit>,
    q_open: Reg<Bit>,
    q_due: Reg<Bit>,
    q_final: Reg<Bit>,
    q_src: Reg<Bits<16>>,
    q_op: Reg<Bits<OP_BITS>>,
    q_group: Reg<Bits<10>>,
    q_status: Reg<Bits<5>>,
    q_mask: Reg<Bits<64>>,
    q_packets: Reg<Bits<16>>,
    q_since: Reg<Bits<32>>,
    out: State<Bit>,
    out_final: Reg<Bit>,
    out_src: Reg<Bits<16>>,
    out_op: Reg<Bits<OP_BITS>>,
    out_group: Reg<Bits<10>>,
    out_status: Reg<Bits<5>>,
    out_mask: Reg<Bits<64>>,
    out_packets: Reg<Bits<16>>,
    since: Subtract<32, 16>,
    age: Reg<Bits<32>>,
    ages: Reg<Bit>,
    aged: Reg<Bit>,
    room: Signal<Local, Bit>,
    joins: Signal<Local, Bit>,
    merges: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    follows: Signal<Local, Bit>,
    replaces: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

impl Logic for AckMerge {
    #[kernel]
    fn update(&mut self) {
        self.good.next = !self.in_final.val() && !self.in_status.val().any() && self.cfg_ack_wait.val().any();
        self.same.next = self.last_src.q.val() == self.in_src.val() && self.last_op.q.val() == self.in_op.val();
        self.follows.next = self.good.val()
            && (!self.in_position.val().any()
                || (self.ordered.q.val() && self.same.val() && self.last_behind.q.val() == self.in_position.val()));
        self.offered.next = bit_cast::<84, 1>(self.in_final.val().into())
            | (bit_cast::<84, 1>(self.follows.val().into()) << 1)
            | (bit_cast::<84, 1>((self.last_src.q.val() == self.in_src.val()).into()) << 2)
            | (bit_cast::<84, 16>(self.in_src.val()) << 3)
            | (bit_cast::<84, OP_BITS>(self.in_op.val()) << 19)
            | (bit_cast::<84, 16>(self.in_position.val()) << 43)
            | (bit_cast::<84, 5>(self.in_status.val()) << 59)
            | (bit_cast::<84, 16>(self.in_packets.val()) << 64)
            | (bit_cast::<84, 1>((self.last_op.q.val() == self.in_op.val()).into()) << 80)
            | (bit_cast::<84, 1>((self.last_group.q.val() == self.in_position.val().get_bits::<10>(6)).into()) << 81)
            | (bit_cast::<84, 1>((self.in_final.val() && !self.in_status.val().any()).into()) << 82)
            | (bit_cast::<84, 1>((self.good.val() && self.positive.q.val()).into()) << 83);
        self.queue.in_valid.next = self.in_valid.val();
        self.queue.in_data.next = self.offered.val();
        self.in_ready.next = self.queue.in_ready.val();
        if self.in_valid.val() && self.queue.in_ready.val() {
            self.last_src.d.next = self.in_src.val();
            self.last_op.d.next = self.in_op.val();
            self.last_group.d.next = self.in_position.val().get_bits::<10>(6);
            self.last_behind.d.next = self.in_position.val() + 1;
            self.ordered.d.next = self.follows.val();
            self.positive.d.next = self.good.val();
        }

        // The place: it is left when it cannot collect more, and nothing else comes before that.
        self.next.next = self.queue.out_data.val();
        self.room.next = !self.out.q.val() || self.notify_ready.val();
        // Three comparisons, so that the longest path ends with one of them.
        self.joins.next =
            self.next.val().get_bit(1) && self.next.val().get_bit(2) && self.next.val().get_bit(80) && self.next.val().get_bit(81);
        self.merges.next =
            self.queue.out_valid.val() && self.q_held.q.val() && self.q_open.q.val() && !self.q_due.q.val() && self.joins.val();
        self.replaces.next = self.queue.out_valid.val()
            && self.q_held.q.val()
            && self.q_open.q.val()
            && self.next.val().get_bit(2)
            && self.next.val().get_bit(80)
            && self.next.val().get_bit(82);
        self.leaves.next = self.room.val()
            && self.q_held.q.val()
            && (!self.q_open.q.val() || self.q_due.q.val() || (self.queue.out_valid.val() && !self.joins.val() && !self.replaces.val()));
        self.takes.next = self.queue.out_valid.val() && (!self.q_held.q.val() || self.leaves.val() || self.replaces.val());
        self.queue.out_ready.next = self.merges.val() || !self.q_held.q.val() || self.leaves.val() || self.replaces.val();
        self.bit.next = bits::<64>(1) << self.next.val().get_bits::<6>(43);
        // In the first two clocks the age is still that of the one before.
        self.since.a.next = self.now.val();
        self.since.b.next = self.q_since.q.val();
        self.age.d.next = self.since.difference.val();
        self.ages.d.next = !self.takes.val();
        self.aged.d.next = !self.takes.val() && self.ages.q.val();
        self.q_due.d.next = !self.takes.val() && self.aged.q.val() && (self.age.q.val() >= self.cfg_ack_wait.val());
        if self.leaves.val() {
            self.q_held.d.next = false;
        }
        if self.merges.val() {
            self.q_mask.d.next = self.q_mask.q.val() | self.bit.val();
        }
        if self.takes.val() {
            self.q_held.d.next = true;
            self.q_final.d.next = self.next.val().get_bit(0);
            self.q_open.d.next = self.next.val().get_bit(1);
            self.q_src.d.next = self.next.val().get_bits::<16>(3);
            self.q_op.d.next = self.next.val().get_bits::<OP_BITS>(19);
            self.q_group.d.next = self.next.val().get_bits::<10>(49);
            self.q_status.d.next = self.next.val().get_bits::<5>(59);
            self.q_packets.d.next = self.next.val().get_bits::<16>(64);
            // What was taken last is still in the mask, told or not.
            self.q_mask.d.next = self.bit.val();
            if self.next.val().get_bit(2) && self.next.val().get_bit(80) && self.next.val().get_bit(81) && self.next.val().get_bit(83) {
                self.q_mask.d.next = self.q_mask.q.val() | self.bit.val();
            }
            self.q_since.d.next = self.now.val();
        }

        if self.room.val() {
            self.out.d.next = self.leaves.val();
            self.out_final.d.next = self.q_final.q.val();
            self.out_src.d.next = self.q_src.q.val();
            self.out_op.d.next = self.q_op.q.val();
            self.out_group.d.next = self.q_group.q.val();
            self.out_status.d.next = self.q_status.q.val();
            self.out_mask.d.next = self.q_mask.q.val();
            self.out_packets.d.next = self.q_packets.q.val();
        }
        self.notify_valid.next = self.out.q.val();
        self.notify_src.next = self.out_src.q.val();
        self.notify_op.next = self.out_op.q.val();
        self.notify_status.next = bit_cast::<8, 5>(self.out_status.q.val());
        if self.out_final.q.val() {
            self.notify_kind.next = bits::<8>(0xc1);
            self.notify_index.next = bits::<16>(0);
            self.notify_mask.next = bits::<64>(0);
            self.notify_packets.next = self.out_packets.q.val();
        } else {
            self.notify_kind.next = bits::<8>(0xc3);
            self.notify_index.next = bit_cast::<16, 10>(self.out_group.q.val()) << 6;
            self.notify_mask.next = self.out_mask.q.val();
            self.notify_packets.next = bits::<16>(0);
        }
        self.idle.next = !self.queue.out_valid.val() && !self.q_held.q.val() && !self.out.q.val();
    }
}
