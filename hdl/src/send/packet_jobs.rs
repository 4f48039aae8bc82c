use crate::Described;
use crate::primitives::{QueueRam, Reg, RoundRobinArbiter};
use rust_hdl::prelude::*;

/// Which frame is made next: the packets of the operation that has begun, packets to be sent again, aborts, and fences, one of each in turn.
///
/// What an operation says is kept under its index from its start on. A fence says that nothing of an index is behind it: it waits while the
/// operation of that index is being sent, and whatever was taken before it is in front of it.
/// Latency: 2 clocks from an operation to its first job, 2 from one of the others. Throughput: one job per clock while `room` is high. Reset: nothing under way.
/// Spec: send path, "DMA operation table".
///
/// Parameters: `IW` bits of an operation's index, `SW` bits of a slot, `MC` bits of a number of packets, `RW` = `SW + MC + 203` bits of a record. Low bits first:
/// target 64, bytes 32, remote key 32, immediate 32, queue pair 24, node 16, immediate valid, large, kind, slot SW, packets MC.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PacketJobs<const IW: usize, const SW: usize, const MC: usize, const RW: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an operation begins
    pub start_valid: Signal<In, Bit>,
    /// it is taken
    pub start_ready: Signal<Out, Bit>,
    /// its number
    pub start_op: Signal<In, Bits<16>>,
    /// its packets
    pub start_count: Signal<In, Bits<MC>>,
    /// what it says
    pub start_record: Signal<In, Bits<RW>>,
    /// a packet is to be sent again
    pub again_valid: Signal<In, Bit>,
    /// it is taken
    pub again_ready: Signal<Out, Bit>,
    /// its operation
    pub again_op: Signal<In, Bits<16>>,
    /// its number in the operation
    pub again_packet: Signal<In, Bits<8>>,
    /// the receiver is to forget an operation
    pub abort_valid: Signal<In, Bit>,
    /// it is taken
    pub abort_ready: Signal<Out, Bit>,
    /// the operation
    pub abort_op: Signal<In, Bits<16>>,
    /// somebody wants to know when an index is not named any more
    pub fence_valid: Signal<In, Bit>,
    /// it is taken
    pub fence_ready: Signal<Out, Bit>,
    /// the index
    pub fence_index: Signal<In, Bits<IW>>,
    /// a job may begin
    pub room: Signal<In, Bit>,
    /// a job
    pub job_valid: Signal<Out, Bit>,
    /// its operation
    pub job_op: Signal<Out, Bits<16>>,
    /// packet of the operation
    pub job_packet: Signal<Out, Bits<8>>,
    /// 0 packet, 1 packet sent again, 2 abort, 3 fence
    pub job_kind: Signal<Out, Bits<2>>,
    /// what the operation says
    pub job_record: Signal<Out, Bits<RW>>,

    records: QueueRam<RW, IW>,
    turns: RoundRobinArbiter<4, 2>,
    active: Reg<Bit>,
    op: Reg<Bits<16>>,
    next: Reg<Bits<8>>,
    left: Reg<Bits<MC>>,
    own: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    meets: Signal<Local, Bit>,

    valid1: Reg<Bit>,
    op1: Reg<Bits<16>>,
    packet1: Reg<Bits<8>>,
    kind1: Reg<Bits<2>>,
    valid2: Reg<Bit>,
    op2: Reg<Bits<16>>,
    packet2: Reg<Bits<8>>,
    kind2: Reg<Bits<2>>,
}

impl<const IW: usize, const SW: usize, const MC: usize, const RW: usize> PacketJobs<IW, SW, MC, RW> {
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(RW == SW + MC + 203 && MC <= 9, "PacketJobs: RW = {RW} with SW = {SW}, MC = {MC}, must be {}, MC at most 9", SW + MC + 203);
        Self::default()
    }
}

impl<const IW: usize, const SW: usize, const MC: usize, const RW: usize> Logic for PacketJobs<IW, SW, MC, RW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, active, op, next, left, valid1, op1, packet1, kind1, valid2, op2, packet2, kind2);
        self.turns.clk.next = self.clk.val();
        self.turns.rst.next = self.rst.val();
        self.turns.accept.next = self.room.val();
        self.meets.next = self.active.q.val() && (self.op.q.val().get_bits::<IW>(0) == self.fence_index.val());
        self.turns.request.next = bit_cast::<4, 1>(self.active.q.val().into())
            | (bit_cast::<4, 1>(self.again_valid.val().into()) << 1)
            | (bit_cast::<4, 1>(self.abort_valid.val().into()) << 2)
            | (bit_cast::<4, 1>((self.fence_valid.val() && !self.meets.val()).into()) << 3);
        self.own.next = self.turns.grant.val().get_bit(0) && self.room.val();
        self.again_ready.next = self.turns.grant.val().get_bit(1) && self.room.val();
        self.abort_ready.next = self.turns.grant.val().get_bit(2) && self.room.val();
        self.fence_ready.next = self.turns.grant.val().get_bit(3) && self.room.val();

        // The operation that is being sent.
        self.takes.next = !self.active.q.val() || (self.own.val() && (self.left.q.val() == bits::<MC>(1)));
        self.start_ready.next = self.takes.val();
        if self.own.val() {
            self.next.d.next = self.next.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.takes.val() {
            self.active.d.next = self.start_valid.val();
            self.op.d.next = self.start_op.val();
            self.next.d.next = bits::<8>(0);
            self.left.d.next = self.start_count.val();
        }
        self.records.clk.next = self.clk.val();
        self.records.write_enable.next = self.takes.val() && self.start_valid.val();
        self.records.write_address.next = self.start_op.val().get_bits::<IW>(0);
        self.records.write_data.next = self.start_record.val();

        self.valid1.d.next = self.turns.any.val() && self.room.val();
        self.kind1.d.next = self.turns.index.val();
        self.op1.d.next = self.op.q.val();
        self.packet1.d.next = self.next.q.val();
        if self.turns.grant.val().get_bit(1) {
            self.op1.d.next = self.again_op.val();
            self.packet1.d.next = self.again_packet.val();
        }
        if self.turns.grant.val().get_bit(2) {
            self.op1.d.next = self.abort_op.val();
            self.packet1.d.next = bits::<8>(0);
        }
        if self.turns.grant.val().get_bit(3) {
            self.op1.d.next = bit_cast::<16, IW>(self.fence_index.val());
            self.packet1.d.next = bits::<8>(0);
        }
        self.records.read_address.next = self.op1.q.val().get_bits::<IW>(0);
        self.valid2.d.next = self.valid1.q.val();
        self.op2.d.next = self.op1.q.val();
        self.packet2.d.next = self.packet1.q.val();
        self.kind2.d.next = self.kind1.q.val();
        self.job_valid.next = self.valid2.q.val();
        self.job_op.next = self.op2.q.val();
        self.job_packet.next = self.packet2.q.val();
        self.job_kind.next = self.kind2.q.val();
        self.job_record.next = self.records.read_data.val();
        if self.rst.val() {
            self.active.d.next = false;
            self.valid1.d.next = false;
            self.valid2.d.next = false;
        }
    }
}
