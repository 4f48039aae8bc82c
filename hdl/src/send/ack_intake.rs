use crate::primitives::{FifoLut, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What decides about ops, one after the other: acknowledgements in the order in which they come, and between them the failures that the table itself found.
///
/// Acknowledgements go first. A failure goes when none waits, or when it has waited for 8 clocks: an acknowledgement then waits instead of it, in a queue
/// of 16 that clocks without an acknowledgement empty. If the queue is full, because acknowledgements have come in every clock for long, a failure
/// waits for 64 clocks, and the acknowledgement that then finds no room is dropped and counted: as if the network had lost it.
/// Latency: 2 clocks. Throughput: one per clock. Reset: nothing waits.
///
/// Parameters as of `AckFacts`; `QW` = `OW + RB + MW + 9`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AckIntake<const OW: usize, const PB: usize, const WB: usize, const MW: usize, const VB: usize, const RB: usize, const QW: usize>
{
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an acknowledgement; always taken
    pub ack_valid: Signal<In, Bit>,
    /// 0: op acknowledgement, 1: remote completion
    pub ack_kind: Signal<In, Bit>,
    /// op number
    pub ack_op: Signal<In, Bits<OW>>,
    /// first packet of the mask
    pub ack_first: Signal<In, Bits<16>>,
    /// status code, 0 is positive
    pub ack_status: Signal<In, Bits<8>>,
    /// packets, from the first
    pub ack_mask: Signal<In, Bits<64>>,
    /// the tries of packets are used up
    pub kill_valid: Signal<In, Bit>,
    /// it is taken
    pub kill_ready: Signal<Out, Bit>,
    /// op number
    pub kill_op: Signal<In, Bits<OW>>,
    /// word of eight packets in the op
    pub kill_word: Signal<In, Bits<WB>>,
    /// which of them
    pub kill_lanes: Signal<In, Bits<8>>,
    /// the payload of an op was not fetched
    pub fail_valid: Signal<In, Bit>,
    /// it is taken
    pub fail_ready: Signal<Out, Bit>,
    /// op number
    pub fail_op: Signal<In, Bits<OW>>,
    /// status of its end
    pub fail_status: Signal<In, Bits<8>>,
    /// counts acknowledgements that found no room
    pub evt_dropped: Signal<Out, Bit>,
    /// something passes
    pub out_valid: Signal<Out, Bit>,
    /// 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub out_what: Signal<Out, Bits<2>>,
    /// op number
    pub out_op: Signal<Out, Bits<OW>>,
    /// mask word of the op
    pub out_word: Signal<Out, Bits<RB>>,
    /// status code
    pub out_status: Signal<Out, Bits<8>>,
    /// packets of that word
    pub out_bits: Signal<Out, Bits<MW>>,

    word: Signal<Local, Bits<RB>>,
    bits_in: Signal<Local, Bits<MW>>,
    // low bits first: kind, status, mask word, bits, op number
    queue: FifoLut<QW, 4, 5>,
    dropped: State<Bit>,
    waited: State<Bits<6>>,
    kill_place: Signal<Local, Bits<12>>,
    kill_bits: Signal<Local, Bits<MW>>,
    wants: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    valid: State<Bit>,
    what: Reg<Bits<2>>,
    op: Reg<Bits<OW>>,
    place: Reg<Bits<RB>>,
    status: Reg<Bits<8>>,
    packets: Reg<Bits<MW>>,
}

impl<const OW: usize, const PB: usize, const WB: usize, const MW: usize, const VB: usize, const RB: usize, const QW: usize> Logic
    for AckIntake<OW, PB, WB, MW, VB, RB, QW>
{
    #[kernel]
    fn update(&mut self) {
        // A mask that does not begin at a word of the op names no packet.
        self.word.next = self.ack_first.val().get_bits::<RB>(6);
        self.bits_in.next = self.ack_mask.val().get_bits::<MW>(0);
        if self.ack_first.val().get_bits::<6>(0).any() || (self.ack_first.val() >> PB.to_bits::<5>()).any() {
            self.bits_in.next = bits::<MW>(0);
        }
        // A remote completion looks at packet 0: whether it was sent, whether it is acknowledged.
        if self.ack_kind.val() {
            self.word.next = bits::<RB>(0);
            self.bits_in.next = bits::<MW>(1);
        }
        self.queue.in_valid.next = self.ack_valid.val();
        self.queue.in_data.next = bit_cast::<QW, 1>(self.ack_kind.val().into())
            | (bit_cast::<QW, 8>(self.ack_status.val()) << 1)
            | (bit_cast::<QW, RB>(self.word.val()) << 9)
            | (bit_cast::<QW, MW>(self.bits_in.val()) << (9 + RB).to_bits::<5>())
            | (bit_cast::<QW, OW>(self.ack_op.val()) << (9 + RB + MW).to_bits::<7>());
        self.dropped.d.next = self.ack_valid.val() && !self.queue.in_ready.val();
        self.evt_dropped.next = self.dropped.q.val();

        self.kill_place.next = bit_cast::<12, WB>(self.kill_word.val());
        self.kill_bits.next = bit_cast::<MW, 8>(self.kill_lanes.val()) << (bit_cast::<6, VB>(self.kill_word.val().get_bits::<VB>(0)) << 3);
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
        self.place.d.next = self.queue.out_data.val().get_bits::<RB>(9);
        self.packets.d.next = self.queue.out_data.val().get_bits::<MW>(9 + RB);
        self.op.d.next = self.queue.out_data.val().get_bits::<OW>(9 + RB + MW);
        if self.goes.val() && self.kill_valid.val() {
            self.what.d.next = bits::<2>(2);
            self.status.d.next = bits::<8>(32);
            self.place.d.next = self.kill_place.val().get_bits::<RB>(VB);
            self.packets.d.next = self.kill_bits.val();
            self.op.d.next = self.kill_op.val();
        } else if self.goes.val() {
            self.what.d.next = bits::<2>(3);
            self.status.d.next = self.fail_status.val();
            self.place.d.next = bits::<RB>(0);
            self.packets.d.next = bits::<MW>(0);
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
