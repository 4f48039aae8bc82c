use crate::primitives::{BlockRam, FifoBlock, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(
    VERDICT_RING_BITS >= 5 && SLOT_BITS <= 15,
    "eight words of the ring are kept for what is on its way: 16 to 32768 payload slots"
);

/// Between a receive registry and a receive bitmap: the packet sequence number of each packet that has its final verdict, in the order of
/// the verdicts, once the memory has answered the write of its payload and of all before it.
///
/// A packet goes by the number of its payload slot, which no other packet has until its verdict. Written, duplicate, stale and rejected
/// packets are reported; a dropped one is not, and is told as such a clock after its verdict; nor is a start that was rejected for the
/// range of another operation, which may be gone when it comes again: they stay missing. A packet without payload, a data arrival and an
/// abort have no sequence number: `packet_counts` is low, and nothing is kept of them. A duplicate waits for the writes before it: it never
/// overtakes that of its original. `room` falls while all words but eight may be needed by packets that are under way: the owner gives the
/// registry no packet then. With more words than escape slots and these eight it always rises again. A write comes a clock after its
/// verdict or later, and its answer two clocks after the write or later.
/// Latency: 5 clocks from a verdict to its report, 3 from the answer of the write that it waits for. Throughput: one packet, verdict,
/// write, answer and report per clock.
/// Reset: nothing is under way; `ready` comes `2^VERDICT_RING_BITS` clocks after it.
/// Spec: overview, "Who acknowledges what", profile combined.
///
/// `2^NODE_BITS` queue pairs, `SLOT_BITS` bits of a slot's number, `WRITE_BITS` of a write's tag, `2^VERDICT_RING_BITS` words,
/// `VERDICT_RING_COUNT_BITS` = `VERDICT_RING_BITS + 1`, `RING_VERDICT_BITS` = `NODE_BITS + 29`.
#[derive(Default, Described, LogicBlock)]
pub struct VerdictRing {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// packets may come
    pub ready: Signal<Out, Bit>,
    /// one more packet may be given to the registry, and three that are on their way
    pub room: Signal<Out, Bit>,
    /// the registry takes a packet
    pub packet_valid: Signal<In, Bit>,
    /// it has a packet sequence number
    pub packet_counts: Signal<In, Bit>,
    /// payload slot of `packet`
    pub packet_slot: Signal<In, Bits<SLOT_BITS>>,
    /// index of its queue pair
    pub packet_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number of `packet`
    pub packet_psn: Signal<In, Bits<24>>,
    /// path that it took
    pub packet_path: Signal<In, Bits<4>>,
    /// it has been sent before
    pub packet_retransmission: Signal<In, Bit>,
    /// for `header_tag` of the registry
    pub packet_tag: Signal<Out, Bits<16>>,
    /// final verdict of a packet
    pub verdict_valid: Signal<In, Bit>,
    /// the tag that came with the packet
    pub verdict_tag: Signal<In, Bits<16>>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub verdict_code: Signal<In, Bits<3>>,
    /// rejected: status code
    pub verdict_reason: Signal<In, Bits<8>>,
    /// the memory writer takes a write
    pub write_valid: Signal<In, Bit>,
    /// tag of `write`
    pub write_tag: Signal<In, Bits<WRITE_BITS>>,
    /// payload slot of `write`
    pub write_slot: Signal<In, Bits<SLOT_BITS>>,
    /// a write has been answered
    pub write_done_valid: Signal<In, Bit>,
    /// tag of `write_done`
    pub write_done_tag: Signal<In, Bits<WRITE_BITS>>,
    /// a packet is reported
    pub report_valid: Signal<Out, Bit>,
    /// index of its queue pair
    pub report_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number of `report`
    pub report_psn: Signal<Out, Bits<24>>,
    /// path that it took
    pub report_path: Signal<Out, Bits<4>>,
    /// it has been sent before
    pub report_retransmission: Signal<Out, Bit>,
    /// a packet was dropped
    pub dropped_valid: Signal<Out, Bit>,
    /// index of its queue pair
    pub dropped_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number of `dropped`
    pub dropped_psn: Signal<Out, Bits<24>>,
    /// packets under way
    pub held: Signal<Out, Bits<VERDICT_RING_COUNT_BITS>>,

    // By slot. Low bits first: sequence number, path, retransmission, queue pair.
    contexts: BlockRam<RING_VERDICT_BITS, SLOT_BITS, 0>,
    // By slot: place in the ring. By tag: the same.
    places: LutRam<VERDICT_RING_BITS, SLOT_BITS>,
    write_places: LutRam<VERDICT_RING_BITS, WRITE_BITS>,
    ring: FifoBlock<RING_VERDICT_BITS, VERDICT_RING_BITS, VERDICT_RING_COUNT_BITS>,
    // A place waits while its bits differ; each memory has one writer and is there once for each reader.
    asked: LutRam<1, VERDICT_RING_BITS>,
    asked_out: LutRam<1, VERDICT_RING_BITS>,
    answered: LutRam<1, VERDICT_RING_BITS>,
    answered_out: LutRam<1, VERDICT_RING_BITS>,
    cleared: State<Bit>,
    next_word: State<Bits<VERDICT_RING_BITS>>,

    count: State<Bits<VERDICT_RING_COUNT_BITS>>,
    in_counts: Signal<Local, Bit>,
    q_room: State<Bit>,
    valid1: State<Bit>,
    kept1: Reg<Bit>,
    drops1: Reg<Bit>,
    waits1: Reg<Bit>,
    slot1: Reg<Bits<SLOT_BITS>>,
    push: Signal<Local, Bit>,
    lost: Signal<Local, Bit>,
    write: State<Bits<VERDICT_RING_BITS>>,
    read: State<Bits<VERDICT_RING_BITS>>,
    write1: State<Bit>,
    write_tag1: Reg<Bits<WRITE_BITS>>,
    write_slot1: Reg<Bits<SLOT_BITS>>,
    done1: State<Bit>,
    done_place1: Reg<Bits<VERDICT_RING_BITS>>,
    leaves: Signal<Local, Bit>,
    report: State<Bit>,
    context: Reg<Bits<RING_VERDICT_BITS>>,
}

impl VerdictRing {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for VerdictRing {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.cleared.q.val();

        // A packet.
        self.in_counts.next = self.packet_valid.val() && self.packet_counts.val();
        self.packet_tag.next =
            bit_cast::<16, SLOT_BITS>(self.packet_slot.val()) | (bit_cast::<16, 1>(self.packet_counts.val().into()) << 15);
        self.contexts.write_enable.next = self.in_counts.val();
        self.contexts.write_address.next = self.packet_slot.val();
        self.contexts.write_data.next = bit_cast::<RING_VERDICT_BITS, 24>(self.packet_psn.val())
            | (bit_cast::<RING_VERDICT_BITS, 4>(self.packet_path.val()) << 24)
            | (bit_cast::<RING_VERDICT_BITS, 1>(self.packet_retransmission.val().into()) << 28)
            | (bit_cast::<RING_VERDICT_BITS, NODE_BITS>(self.packet_qp.val()) << 29);

        // Its verdict, and a clock later what is known of it.
        self.contexts.read_address.next = self.verdict_tag.val().get_bits::<SLOT_BITS>(0);
        self.valid1.d.next = self.verdict_valid.val() && self.verdict_tag.val().get_bit(15);
        self.kept1.d.next =
            !self.verdict_code.val().get_bit(2) && !(self.verdict_code.val() == bits::<3>(3) && self.verdict_reason.val() == bits::<8>(7));
        self.drops1.d.next = self.verdict_code.val().get_bit(2);
        self.waits1.d.next = !self.verdict_code.val().any();
        self.slot1.d.next = self.verdict_tag.val().get_bits::<SLOT_BITS>(0);
        self.push.next = self.valid1.q.val() && self.kept1.q.val();
        self.lost.next = self.valid1.q.val() && !self.kept1.q.val();
        self.dropped_valid.next = self.valid1.q.val() && self.drops1.q.val();
        self.dropped_psn.next = self.contexts.read_data.val().get_bits::<24>(0);
        self.dropped_qp.next = self.contexts.read_data.val().get_bits::<NODE_BITS>(29);
        self.ring.in_valid.next = self.push.val();
        self.ring.in_data.next = self.contexts.read_data.val();
        self.answered.read_address.next = self.write.q.val();
        self.asked.write_enable.next = self.push.val();
        self.asked.write_address.next = self.write.q.val();
        self.asked.write_data.next = self.answered.read_data.val();
        if self.waits1.q.val() {
            self.asked.write_data.next = !self.answered.read_data.val();
        }
        self.asked_out.write_enable.next = self.push.val();
        self.asked_out.write_address.next = self.write.q.val();
        self.asked_out.write_data.next = self.asked.write_data.val();
        self.places.write_enable.next = self.push.val();
        self.places.write_address.next = self.slot1.q.val();
        self.places.write_data.next = self.write.q.val();
        if self.push.val() {
            self.write.d.next = self.write.q.val() + 1;
        }

        // Its write, and the answer.
        self.write1.d.next = self.write_valid.val();
        self.write_tag1.d.next = self.write_tag.val();
        self.write_slot1.d.next = self.write_slot.val();
        self.places.read_address.next = self.write_slot1.q.val();
        self.write_places.write_enable.next = self.write1.q.val();
        self.write_places.write_address.next = self.write_tag1.q.val();
        self.write_places.write_data.next = self.places.read_data.val();
        self.write_places.read_address.next = self.write_done_tag.val();
        self.done1.d.next = self.write_done_valid.val();
        self.done_place1.d.next = self.write_places.read_data.val();
        self.asked.read_address.next = self.done_place1.q.val();
        self.answered.write_enable.next = self.done1.q.val();
        self.answered.write_address.next = self.done_place1.q.val();
        self.answered.write_data.next = self.asked.read_data.val();
        if !self.cleared.q.val() {
            self.answered.write_enable.next = true;
            self.answered.write_address.next = self.next_word.q.val();
            self.answered.write_data.next = bits::<1>(0);
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.cleared.d.next = self.next_word.q.val().all();
        }
        self.answered_out.write_enable.next = self.answered.write_enable.val();
        self.answered_out.write_address.next = self.answered.write_address.val();
        self.answered_out.write_data.next = self.answered.write_data.val();

        // The oldest.
        self.asked_out.read_address.next = self.read.q.val();
        self.answered_out.read_address.next = self.read.q.val();
        self.leaves.next = self.ring.out_valid.val() && self.asked_out.read_data.val() == self.answered_out.read_data.val();
        self.ring.out_ready.next = self.leaves.val();
        self.report.d.next = self.leaves.val();
        self.context.d.next = self.ring.out_data.val();
        if self.leaves.val() {
            self.read.d.next = self.read.q.val() + 1;
        }
        self.report_valid.next = self.report.q.val();
        self.report_psn.next = self.context.q.val().get_bits::<24>(0);
        self.report_path.next = self.context.q.val().get_bits::<4>(24);
        self.report_retransmission.next = self.context.q.val().get_bit(28);
        self.report_qp.next = self.context.q.val().get_bits::<NODE_BITS>(29);

        // Every packet that is counted comes here again, or is dropped.
        self.count.d.next = self.count.q.val() + bit_cast::<VERDICT_RING_COUNT_BITS, 1>(self.in_counts.val().into())
            - bit_cast::<VERDICT_RING_COUNT_BITS, 1>(self.lost.val().into())
            - bit_cast::<VERDICT_RING_COUNT_BITS, 1>(self.leaves.val().into());
        self.q_room.d.next = false;
        for top in 3..VERDICT_RING_BITS {
            if !self.count.q.val().get_bit(VERDICT_RING_BITS) && !self.count.q.val().get_bit(top) {
                self.q_room.d.next = self.cleared.q.val();
            }
        }
        self.room.next = self.q_room.q.val();
        self.held.next = self.count.q.val();
    }
}
