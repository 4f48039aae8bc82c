use crate::primitives::{FifoLut, Reg, RoundRobinArbiter, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Commands that wait to be cut, and which segment is cut next: large commands, regular ones, and data arrivals, one segment of each in
/// turn.
///
/// A regular command and a data arrival are one segment. The first of the large ones stays in front until its last segment, and moves on by
/// a segment each time it has its turn. When a segment of it has failed (`failed`) it is cut no more: `discard` tells so, and the next one
/// takes its place. Its segments are those of the size that it came with. Each queue holds `2^COMMAND_BITS` commands, which is all there
/// are: nothing waits for room in them.
/// Latency: 2 clocks from a regular command to its token, 3 from a large one; 2 from `failed` to `discard`. Throughput: one token per clock
/// while `room` is high, also of one command. Reset: empty.
/// Spec: send path, "Commands and the splitter".
#[derive(Default, Described, LogicBlock)]
pub struct SegmentQueues {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a command joins; there is room
    pub add_valid: Signal<In, Bit>,
    /// it is large
    pub add_large: Signal<In, Bit>,
    /// place of `add`
    pub add_index: Signal<In, Bits<COMMAND_BITS>>,
    /// the receiver's host is to be told of its end
    pub add_wants: Signal<In, Bit>,
    /// if it is large: one segment holds it
    pub add_single: Signal<In, Bit>,
    /// bytes of `add`
    pub add_total: Signal<In, Bits<32>>,
    /// if it is large: packets of a segment
    pub add_packets: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// the data of a command has arrived: tell the receiver
    pub arrival_valid: Signal<In, Bit>,
    /// place of `arrival`
    pub arrival_index: Signal<In, Bits<COMMAND_BITS>>,
    /// bytes of `arrival`
    pub arrival_total: Signal<In, Bits<32>>,
    /// a segment of a command has failed, the first of it
    pub failed_valid: Signal<In, Bit>,
    /// place of `failed`
    pub failed_index: Signal<In, Bits<COMMAND_BITS>>,
    /// a command is not cut to its end; taken at once
    pub discard_valid: Signal<Out, Bit>,
    /// place of `discard`
    pub discard_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// a segment may be cut
    pub room: Signal<In, Bit>,
    /// one is cut
    pub token_valid: Signal<Out, Bit>,
    /// place of its command
    pub token_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub token_kind: Signal<Out, Bit>,
    /// of a large command
    pub token_large: Signal<Out, Bit>,
    /// last of its command
    pub token_last: Signal<Out, Bit>,
    /// the receiver's host is to be told when its command has ended
    pub token_wants: Signal<Out, Bit>,
    /// bytes of the command before it
    pub token_position: Signal<Out, Bits<32>>,
    /// bytes of `token`
    pub token_bytes: Signal<Out, Bits<32>>,

    large: FifoLut<SEGMENT_UNDER_WAY_BITS, COMMAND_BITS, COMMAND_COUNT_BITS>,
    regular: FifoLut<COMMAND_RESULT_BITS, COMMAND_BITS, COMMAND_COUNT_BITS>,
    arrivals: FifoLut<COMMAND_LENGTH_BITS, COMMAND_BITS, COMMAND_COUNT_BITS>,
    turns: RoundRobinArbiter<3, 2>,
    next: Signal<Local, Bits<SEGMENT_UNDER_WAY_BITS>>,

    // The large command in front.
    there: State<Bit>,
    stopped: State<Bit>,
    index: Reg<Bits<COMMAND_BITS>>,
    wants: Reg<Bit>,
    last: Reg<Bit>,
    position: Reg<Bits<32>>,
    left: Reg<Bits<32>>,
    packets: Reg<Bits<POSITION_COUNT_BITS>>,
    whole: Signal<Local, Bits<32>>,
    twice: Signal<Local, Bits<34>>,
    cut: Signal<Local, Bits<32>>,
    goes: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,

    q_discard: State<Bit>,
    q_discarded: Reg<Bits<COMMAND_BITS>>,
    q_valid: State<Bit>,
    q_index: Reg<Bits<COMMAND_BITS>>,
    q_kind: Reg<Bit>,
    q_large: Reg<Bit>,
    q_last: Reg<Bit>,
    q_wants: Reg<Bit>,
    q_position: Reg<Bits<32>>,
    q_bytes: Reg<Bits<32>>,
}

impl SegmentQueues {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for SegmentQueues {
    #[kernel]
    fn update(&mut self) {
        self.large.in_valid.next = self.add_valid.val() && self.add_large.val();
        self.large.in_data.next = bit_cast::<SEGMENT_UNDER_WAY_BITS, 32>(self.add_total.val())
            | (bit_cast::<SEGMENT_UNDER_WAY_BITS, 1>(self.add_single.val().into()) << 32)
            | (bit_cast::<SEGMENT_UNDER_WAY_BITS, 1>(self.add_wants.val().into()) << 33)
            | (bit_cast::<SEGMENT_UNDER_WAY_BITS, POSITION_COUNT_BITS>(self.add_packets.val()) << 34)
            | (bit_cast::<SEGMENT_UNDER_WAY_BITS, COMMAND_BITS>(self.add_index.val()) << (34 + POSITION_COUNT_BITS).to_bits::<6>());
        self.regular.in_valid.next = self.add_valid.val() && !self.add_large.val();
        self.regular.in_data.next = bit_cast::<COMMAND_RESULT_BITS, 32>(self.add_total.val())
            | (bit_cast::<COMMAND_RESULT_BITS, 1>(self.add_wants.val().into()) << 32)
            | (bit_cast::<COMMAND_RESULT_BITS, COMMAND_BITS>(self.add_index.val()) << 33);
        self.arrivals.in_valid.next = self.arrival_valid.val();
        self.arrivals.in_data.next = bit_cast::<COMMAND_LENGTH_BITS, 32>(self.arrival_total.val())
            | (bit_cast::<COMMAND_LENGTH_BITS, COMMAND_BITS>(self.arrival_index.val()) << 32);

        self.turns.accept.next = self.room.val();
        self.turns.request.next = bit_cast::<3, 1>((self.there.q.val() && !self.stopped.q.val()).into())
            | (bit_cast::<3, 1>(self.regular.out_valid.val().into()) << 1)
            | (bit_cast::<3, 1>(self.arrivals.out_valid.val().into()) << 2);
        self.goes.next = self.turns.grant.val().get_bit(0) && self.room.val();
        self.regular.out_ready.next = self.turns.grant.val().get_bit(1) && self.room.val();
        self.arrivals.out_ready.next = self.turns.grant.val().get_bit(2) && self.room.val();

        // The large command in front: one segment on, or the next one.
        self.next.next = self.large.out_data.val();
        self.whole.next = bit_cast::<32, POSITION_COUNT_BITS>(self.packets.q.val()) << PACKET_BITS.to_bits::<5>();
        self.twice.next = bit_cast::<34, 32>(self.whole.val()) << 1;
        self.cut.next = self.whole.val();
        if self.last.q.val() {
            self.cut.next = self.left.q.val();
        }
        self.drops.next = self.there.q.val() && self.stopped.q.val();
        self.takes.next = !self.there.q.val() || self.drops.val() || (self.goes.val() && self.last.q.val());
        self.large.out_ready.next = self.takes.val();
        self.hit.next = self.failed_valid.val() && (self.failed_index.val() == self.index.q.val());
        if self.goes.val() {
            self.position.d.next = self.position.q.val() + self.whole.val();
            self.left.d.next = self.left.q.val() - self.whole.val();
            self.last.d.next = bit_cast::<34, 32>(self.left.q.val()) <= self.twice.val();
        }
        if self.hit.val() {
            self.stopped.d.next = true;
        }
        if self.takes.val() {
            self.there.d.next = self.large.out_valid.val();
            self.stopped.d.next = false;
            self.index.d.next = self.next.val().get_bits::<COMMAND_BITS>(34 + POSITION_COUNT_BITS);
            self.wants.d.next = self.next.val().get_bit(33);
            self.last.d.next = self.next.val().get_bit(32);
            self.position.d.next = bits::<32>(0);
            self.left.d.next = self.next.val().get_bits::<32>(0);
            self.packets.d.next = self.next.val().get_bits::<POSITION_COUNT_BITS>(34);
        }
        self.q_discard.d.next = self.drops.val();
        self.q_discarded.d.next = self.index.q.val();
        self.discard_valid.next = self.q_discard.q.val();
        self.discard_index.next = self.q_discarded.q.val();

        self.q_valid.d.next = self.turns.any.val() && self.room.val();
        self.q_index.d.next = self.index.q.val();
        self.q_wants.d.next = self.wants.q.val();
        self.q_kind.d.next = self.turns.grant.val().get_bit(2);
        self.q_large.d.next = self.turns.grant.val().get_bit(0);
        self.q_last.d.next = self.last.q.val();
        self.q_position.d.next = self.position.q.val();
        self.q_bytes.d.next = self.cut.val();
        if self.turns.grant.val().get_bit(1) {
            self.q_index.d.next = self.regular.out_data.val().get_bits::<COMMAND_BITS>(33);
            self.q_wants.d.next = self.regular.out_data.val().get_bit(32);
            self.q_last.d.next = true;
            self.q_position.d.next = bits::<32>(0);
            self.q_bytes.d.next = self.regular.out_data.val().get_bits::<32>(0);
        }
        if self.turns.grant.val().get_bit(2) {
            self.q_index.d.next = self.arrivals.out_data.val().get_bits::<COMMAND_BITS>(32);
            self.q_wants.d.next = false;
            self.q_last.d.next = true;
            self.q_position.d.next = bits::<32>(0);
            self.q_bytes.d.next = self.arrivals.out_data.val().get_bits::<32>(0);
        }
        self.token_valid.next = self.q_valid.q.val();
        self.token_index.next = self.q_index.q.val();
        self.token_kind.next = self.q_kind.q.val();
        self.token_large.next = self.q_large.q.val();
        self.token_last.next = self.q_last.q.val();
        self.token_wants.next = self.q_wants.q.val();
        self.token_position.next = self.q_position.q.val();
        self.token_bytes.next = self.q_bytes.q.val();
    }
}
