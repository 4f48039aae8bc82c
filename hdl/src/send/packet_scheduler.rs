use super::TRY_BITS;
use crate::bus::{FirstPackets, OpNumbersSink};
use crate::primitives::{FifoLut, Reg, SkidBuffer, State};
use crate::wire::OP_BITS;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which packet goes next: those of the operations in their order, and between them what is sent again, aborted or closed.
///
/// Of a packet that is sent for the first time and one of the others, each goes in turn while both wait; the others go first after a pause.
/// Among those aborts go first, one per operation that fails, so that none comes after its close; a retransmission and a close each go in
/// turn. The packet that is to be sent for the first time next is shown, and waits for `first_go`; with `first_void` it goes without a
/// frame and does not count as sent.
/// Latency: 2 clocks from any input to its job. Throughput: one job per clock while `room` is high. Reset: nothing waits, nothing is under
/// way.
/// Spec: send path, "DMA operation table".
///
/// Parameters: `POSITION_BITS` bits of a packet's number, `POSITION_COUNT_BITS` = `POSITION_BITS + 1` of a count, `FIRST_PASS_BITS` =
/// `POSITION_COUNT_BITS + 33`, `AGAIN_BITS` = `POSITION_BITS + 21`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PacketScheduler<
    const POSITION_BITS: usize,
    const POSITION_COUNT_BITS: usize,
    const FIRST_PASS_BITS: usize,
    const AGAIN_BITS: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an operation whose payload is there
    pub op_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `op_valid` is high too
    pub op_ready: Signal<Out, Bit>,
    /// number of `op`
    pub op_op: Signal<In, Bits<OP_BITS>>,
    /// packets of `op`
    pub op_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// it is a data arrival
    pub op_kind: Signal<In, Bit>,
    /// the node that it is for
    pub op_node: Signal<In, Bits<16>>,
    /// a packet is to be sent again
    pub retransmit_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `retransmit_valid` is high too
    pub retransmit_ready: Signal<Out, Bit>,
    /// operation of `retransmit`
    pub retransmit_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub retransmit_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub retransmit_try: Signal<In, Bits<TRY_BITS>>,
    pub abort: OpNumbersSink,
    pub close: OpNumbersSink,
    pub first: FirstPackets<POSITION_BITS>,
    /// there is room for one more job
    pub room: Signal<In, Bit>,
    /// one is chosen: it comes in the next clock
    pub chosen: Signal<Out, Bit>,
    /// a job
    pub job_valid: Signal<Out, Bit>,
    /// 0 first transmission, 1 again, 2 abort, 3 close
    pub job_kind: Signal<Out, Bits<2>>,
    /// operation of `job`
    pub job_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub job_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it is, 0 the first
    pub job_try: Signal<Out, Bits<TRY_BITS>>,
    /// first transmission: first packet of its operation
    pub job_opens: Signal<Out, Bit>,
    /// first transmission: last packet of its operation
    pub job_last: Signal<Out, Bit>,
    /// first transmission: packets of its operation
    pub job_count: Signal<Out, Bits<POSITION_COUNT_BITS>>,
    /// first transmission: a data arrival
    pub job_arrival: Signal<Out, Bit>,
    /// first transmission: the node that it is for
    pub job_node: Signal<Out, Bits<16>>,
    /// first transmission: without a frame
    pub job_void: Signal<Out, Bit>,
    /// nothing waits and nothing is under way
    pub idle: Signal<Out, Bit>,

    // Low bits first: operation, node, arrival, count.
    ops: FifoLut<FIRST_PASS_BITS, 4, 5>,
    again: SkidBuffer<AGAIN_BITS>,
    aborts: SkidBuffer<OP_BITS>,
    closes: SkidBuffer<OP_BITS>,
    packet: State<Bits<POSITION_BITS>>,
    following: Signal<Local, Bits<POSITION_COUNT_BITS>>,
    count: Signal<Local, Bits<POSITION_COUNT_BITS>>,
    last: Signal<Local, Bit>,
    others: Signal<Local, Bit>,
    // The one before was one of the others.
    turn: State<Bit>,
    // A close goes before a retransmission.
    close_turn: State<Bit>,
    closing: Signal<Local, Bit>,
    take_first: Signal<Local, Bit>,
    take_other: Signal<Local, Bit>,
    valid: State<Bit>,
    kind: Reg<Bits<2>>,
    op: Reg<Bits<OP_BITS>>,
    number: Reg<Bits<POSITION_BITS>>,
    tries: Reg<Bits<TRY_BITS>>,
    opens: Reg<Bit>,
    ends: Reg<Bit>,
    packets: Reg<Bits<POSITION_COUNT_BITS>>,
    arrival: Reg<Bit>,
    node: Reg<Bits<16>>,
    void: Reg<Bit>,
    goes: Signal<Local, Bit>,
}

impl<const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize, const FIRST_PASS_BITS: usize, const AGAIN_BITS: usize>
    PacketScheduler<POSITION_BITS, POSITION_COUNT_BITS, FIRST_PASS_BITS, AGAIN_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        for (name, value, must) in [
            ("CB", POSITION_COUNT_BITS, POSITION_BITS + 1),
            ("FW", FIRST_PASS_BITS, POSITION_COUNT_BITS + OP_BITS + 17),
            ("AW", AGAIN_BITS, POSITION_BITS + OP_BITS + TRY_BITS),
        ] {
            assert!(value == must, "PacketScheduler: {name} = {value} with POSITION_BITS = {POSITION_BITS}, must be {must}");
        }
        Self::default()
    }
}

impl<const POSITION_BITS: usize, const POSITION_COUNT_BITS: usize, const FIRST_PASS_BITS: usize, const AGAIN_BITS: usize> Logic
    for PacketScheduler<POSITION_BITS, POSITION_COUNT_BITS, FIRST_PASS_BITS, AGAIN_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.ops.in_valid.next = self.op_valid.val();
        self.op_ready.next = self.ops.in_ready.val();
        self.ops.in_data.next = bit_cast::<FIRST_PASS_BITS, OP_BITS>(self.op_op.val())
            | (bit_cast::<FIRST_PASS_BITS, 16>(self.op_node.val()) << 24)
            | (bit_cast::<FIRST_PASS_BITS, 1>(self.op_kind.val().into()) << 40)
            | (bit_cast::<FIRST_PASS_BITS, POSITION_COUNT_BITS>(self.op_count.val()) << 41);
        self.again.in_valid.next = self.retransmit_valid.val();
        self.retransmit_ready.next = self.again.in_ready.val();
        self.again.in_data.next = bit_cast::<AGAIN_BITS, OP_BITS>(self.retransmit_op.val())
            | (bit_cast::<AGAIN_BITS, TRY_BITS>(self.retransmit_try.val()) << 24)
            | (bit_cast::<AGAIN_BITS, POSITION_BITS>(self.retransmit_packet.val()) << 29);
        self.aborts.in_valid.next = self.abort.valid.val();
        self.abort.ready.next = self.aborts.in_ready.val();
        self.aborts.in_data.next = self.abort.op.val();
        self.closes.in_valid.next = self.close.valid.val();
        self.close.ready.next = self.closes.in_ready.val();
        self.closes.in_data.next = self.close.op.val();

        self.count.next = self.ops.out_data.val().get_bits::<POSITION_COUNT_BITS>(41);
        self.following.next = bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.packet.q.val()) + 1;
        self.last.next = self.following.val() >= self.count.val();
        self.others.next = self.closes.out_valid.val() || self.aborts.out_valid.val() || self.again.out_valid.val();
        self.first.valid.next = self.ops.out_valid.val();
        self.first.op.next = self.ops.out_data.val().get_bits::<OP_BITS>(0);
        self.first.node.next = self.ops.out_data.val().get_bits::<16>(24);
        self.first.kind.next = self.ops.out_data.val().get_bit(40);
        self.first.packet.next = self.packet.q.val();
        self.first.last.next = self.last.val();
        self.goes.next = self.ops.out_valid.val() && self.first.go.val();
        self.take_first.next = self.room.val() && self.goes.val() && (self.turn.q.val() || !self.others.val());
        self.take_other.next = self.room.val() && self.others.val() && !(self.goes.val() && self.turn.q.val());
        self.first.take.next = self.take_first.val();
        self.chosen.next = self.take_first.val() || self.take_other.val();
        self.ops.out_ready.next = self.take_first.val() && self.last.val();
        self.aborts.out_ready.next = self.take_other.val();
        self.closing.next = self.closes.out_valid.val() && (self.close_turn.q.val() || !self.again.out_valid.val());
        self.closes.out_ready.next = self.take_other.val() && !self.aborts.out_valid.val() && self.closing.val();
        self.again.out_ready.next = self.take_other.val() && !self.aborts.out_valid.val() && !self.closing.val();

        self.valid.d.next = self.take_first.val() || self.take_other.val();
        self.packets.d.next = self.count.val();
        self.arrival.d.next = self.ops.out_data.val().get_bit(40);
        self.node.d.next = self.ops.out_data.val().get_bits::<16>(24);
        self.opens.d.next = false;
        self.ends.d.next = false;
        self.void.d.next = self.take_first.val() && self.first.void.val();
        if self.take_first.val() {
            self.turn.d.next = false;
            self.kind.d.next = bits::<2>(0);
            self.op.d.next = self.ops.out_data.val().get_bits::<OP_BITS>(0);
            self.number.d.next = self.packet.q.val();
            self.tries.d.next = bits::<TRY_BITS>(0);
            self.opens.d.next = !self.packet.q.val().any();
            self.ends.d.next = self.last.val();
            self.packet.d.next = self.packet.q.val() + 1;
            if self.last.val() {
                self.packet.d.next = bits::<POSITION_BITS>(0);
            }
        }
        if self.take_other.val() {
            self.turn.d.next = true;
            self.tries.d.next = bits::<TRY_BITS>(0);
            self.number.d.next = bits::<POSITION_BITS>(0);
            if self.aborts.out_valid.val() {
                self.kind.d.next = bits::<2>(2);
                self.op.d.next = self.aborts.out_data.val();
            } else if self.closing.val() {
                self.close_turn.d.next = false;
                self.kind.d.next = bits::<2>(3);
                self.op.d.next = self.closes.out_data.val();
            } else {
                self.close_turn.d.next = true;
                self.kind.d.next = bits::<2>(1);
                self.op.d.next = self.again.out_data.val().get_bits::<OP_BITS>(0);
                self.tries.d.next = self.again.out_data.val().get_bits::<TRY_BITS>(24);
                self.number.d.next = self.again.out_data.val().get_bits::<POSITION_BITS>(29);
            }
        }
        self.job_valid.next = self.valid.q.val();
        self.job_kind.next = self.kind.q.val();
        self.job_op.next = self.op.q.val();
        self.job_packet.next = self.number.q.val();
        self.job_try.next = self.tries.q.val();
        self.job_opens.next = self.opens.q.val();
        self.job_last.next = self.ends.q.val();
        self.job_count.next = self.packets.q.val();
        self.job_arrival.next = self.arrival.q.val();
        self.job_node.next = self.node.q.val();
        self.job_void.next = self.void.q.val();
        self.idle.next = !self.valid.q.val() && !self.others.val() && !self.ops.out_valid.val();
    }
}
