use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What decides about ops, one after the other: acknowledgements in the order in which they come, and between them the failures that the
/// table itself found.
///
/// Acknowledgements go first. A failure goes when none waits, or when it has waited for 8 clocks: an acknowledgement then waits instead of
/// it, in a queue of 16 that clocks without an acknowledgement empty. If the queue is full, because acknowledgements have come in every
/// clock for long, a failure waits for 64 clocks, and the acknowledgement that then finds no room is dropped and counted: as if the network
/// had lost it.
/// Latency: 2 clocks. Throughput: one per clock. Reset: nothing waits.
#[derive(Default, Described, LogicBlock)]
pub struct AckIntake {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an acknowledgement; always taken
    pub ack_valid: Signal<In, Bit>,
    /// 0: op acknowledgement, 1: remote completion
    pub ack_kind: Signal<In, Bit>,
    /// op number
    pub ack_op: Signal<In, Bits<OP_BITS>>,
    /// first packet of the mask
    pub ack_first: Signal<In, Bits<16>>,
    /// status code, 0 is positive
    pub ack_status: Signal<In, Bits<8>>,
    /// packets, from the first
    pub ack_mask: Signal<In, Bits<64>>,
    /// the tries of packets are used up
    pub kill_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `kill_valid` is high too
    pub kill_ready: Signal<Out, Bit>,
    /// op number
    pub kill_op: Signal<In, Bits<OP_BITS>>,
    /// word of eight packets in the op
    pub kill_word: Signal<In, Bits<POSITION_OCTET_BITS>>,
    /// which of them
    pub kill_lanes: Signal<In, Bits<8>>,
    /// the payload of an op was not fetched
    pub fail_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `fail_valid` is high too
    pub fail_ready: Signal<Out, Bit>,
    /// op number
    pub fail_op: Signal<In, Bits<OP_BITS>>,
    /// status of its end
    pub fail_status: Signal<In, Bits<8>>,
    /// counts acknowledgements that found no room
    pub evt_dropped: Signal<Out, Bit>,
    /// something passes
    pub out_valid: Signal<Out, Bit>,
    /// 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub out_what: Signal<Out, Bits<2>>,
    /// op number
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// mask word of the op
    pub out_word: Signal<Out, Bits<MASK_WORD_NUMBER_BITS>>,
    /// status code
    pub out_status: Signal<Out, Bits<8>>,
    /// packets of that word
    pub out_bits: Signal<Out, Bits<MASK_WORD_BITS>>,

    word: Signal<Local, Bits<MASK_WORD_NUMBER_BITS>>,
    bits_in: Signal<Local, Bits<MASK_WORD_BITS>>,
    // low bits first: kind, status, mask word, bits, op number
    queue: FifoLut<TABLE_ACK_QUEUE_BITS, 4, 5>,
    dropped: State<Bit>,
    waited: State<Bits<6>>,
    kill_place: Signal<Local, Bits<12>>,
    kill_bits: Signal<Local, Bits<MASK_WORD_BITS>>,
    wants: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    valid: State<Bit>,
    what: Reg<Bits<2>>,
    op: Reg<Bits<OP_BITS>>,
    place: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status: Reg<Bits<8>>,
    packets: Reg<Bits<MASK_WORD_BITS>>,
}

impl Logic for AckIntake {
    #[kernel]
    fn update(&mut self) {
        // A mask that does not begin at a word of the op names no packet.
        self.word.next = self.ack_first.val().get_bits::<MASK_WORD_NUMBER_BITS>(6);
        self.bits_in.next = self.ack_mask.val().get_bits::<MASK_WORD_BITS>(0);
        if self.ack_first.val().get_bits::<6>(0).any() || (self.ack_first.val() >> POSITION_BITS.to_bits::<5>()).any() {
            self.bits_in.next = bits::<MASK_WORD_BITS>(0);
        }
        // A remote completion looks at packet 0: whether it was sent, whether it is acknowledged.
        if self.ack_kind.val() {
            self.word.next = bits::<MASK_WORD_NUMBER_BITS>(0);
            self.bits_in.next = bits::<MASK_WORD_BITS>(1);
        }
        self.queue.in_valid.next = self.ack_valid.val();
        self.queue.in_data.next = bit_cast::<TABLE_ACK_QUEUE_BITS, 1>(self.ack_kind.val().into())
            | (bit_cast::<TABLE_ACK_QUEUE_BITS, 8>(self.ack_status.val()) << 1)
            | (bit_cast::<TABLE_ACK_QUEUE_BITS, MASK_WORD_NUMBER_BITS>(self.word.val()) << 9)
            | (bit_cast::<TABLE_ACK_QUEUE_BITS, MASK_WORD_BITS>(self.bits_in.val()) << (9 + MASK_WORD_NUMBER_BITS).to_bits::<5>())
            | (bit_cast::<TABLE_ACK_QUEUE_BITS, OP_BITS>(self.ack_op.val()) << (9 + MASK_WORD_NUMBER_BITS + MASK_WORD_BITS).to_bits::<7>());
        self.dropped.d.next = self.ack_valid.val() && !self.queue.in_ready.val();
        self.evt_dropped.next = self.dropped.q.val();

        self.kill_place.next = bit_cast::<12, POSITION_OCTET_BITS>(self.kill_word.val());
        self.kill_bits.next = bit_cast::<MASK_WORD_BITS, 8>(self.kill_lanes.val())
            << (bit_cast::<6, MASK_OCTET_BITS>(self.kill_word.val().get_bits::<MASK_OCTET_BITS>(0)) << 3);
        self.wants.next = self.kill_valid.val() || self.fail_valid.val();
        self.goes.next = !self.queue.out_valid.val()
            || (self.wants.val() && (self.waited.q.val().all() || (self.waited.q.val().get_bit(3) && self.queue.in_ready.val())));
        self.kill_ready.next = self.goes.val();
        self.fail_ready.next = self.goes.val() && !self.kill_valid.val();
        self.queue.out_ready.next = !self.goes.val();
        if !self.wants.val() || self.goes.val() {
            self.waited.d.next = bits::<6>(0);
        } else if !self.waited.q.val().all() {
            self.waited.d.next = self.waited.q.val() + 1;
        }
        self.valid.d.next = self.queue.out_valid.val() || self.wants.val();
        self.what.d.next = bit_cast::<2, 1>(self.queue.out_data.val().get_bits::<1>(0));
        self.status.d.next = self.queue.out_data.val().get_bits::<8>(1);
        self.place.d.next = self.queue.out_data.val().get_bits::<MASK_WORD_NUMBER_BITS>(9);
        self.packets.d.next = self.queue.out_data.val().get_bits::<MASK_WORD_BITS>(9 + MASK_WORD_NUMBER_BITS);
        self.op.d.next = self.queue.out_data.val().get_bits::<OP_BITS>(9 + MASK_WORD_NUMBER_BITS + MASK_WORD_BITS);
        if self.goes.val() && self.kill_valid.val() {
            self.what.d.next = bits::<2>(2);
            self.status.d.next = bits::<8>(32);
            self.place.d.next = self.kill_place.val().get_bits::<MASK_WORD_NUMBER_BITS>(MASK_OCTET_BITS);
            self.packets.d.next = self.kill_bits.val();
            self.op.d.next = self.kill_op.val();
        } else if self.goes.val() {
            self.what.d.next = bits::<2>(3);
            self.status.d.next = self.fail_status.val();
            self.place.d.next = bits::<MASK_WORD_NUMBER_BITS>(0);
            self.packets.d.next = bits::<MASK_WORD_BITS>(0);
            self.op.d.next = self.fail_op.val();
        }
        self.out_valid.next = self.valid.q.val();
        self.out_what.next = self.what.q.val();
        self.out_op.next = self.op.q.val();
        self.out_word.next = self.place.q.val();
        self.out_status.next = self.status.q.val();
        self.out_bits.next = self.packets.q.val();
    }
}
