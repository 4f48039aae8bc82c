use super::TRY_BITS;
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What follows from a packet that the wire has taken: its deadline, and the number of packets of its op that have been sent.
///
/// The only writer of both. A deadline is `{epoch 1, try 5, tick 30}`; with an epoch other than the scanner's bit of the packet its timer
/// runs. A count is `{phase, packets}`; it counts while its phase differs from the one that the allocator found when the op began, so that
/// the count of an earlier use is none. Packets of an op are sent for the first time in order. What names an op number that is not the
/// current one is ignored.
/// Latency: 3 clocks, both written in the same one. Throughput: one per clock. Reset: nothing is under way.
#[derive(Default, Described, LogicBlock)]
pub struct DeadlineWriter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// the wire took the last beat of a packet
    pub sent_valid: Signal<In, Bit>,
    /// op number
    pub sent_op: Signal<In, Bits<OP_BITS>>,
    /// packet of the op
    pub sent_packet: Signal<In, Bits<POSITION_BITS>>,
    /// number of the try; 0 is the first
    pub sent_try: Signal<In, Bits<TRY_BITS>>,
    /// it waits so many ticks for its acknowledgement
    pub sent_ticks: Signal<In, Bits<TICK_BITS>>,
    /// an index has been given out
    pub record_write: Signal<In, Bit>,
    /// index of `record`
    pub record_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// generation of `record`
    pub record_generation: Signal<In, Bits<GENERATION_BITS>>,
    /// phase of the count of its use before
    pub record_base: Signal<In, Bit>,
    /// the scanner's bits of a word change
    pub fired_write: Signal<In, Bit>,
    /// word of `fired`
    pub fired_word: Signal<In, Bits<DEADLINE_ADDRESS_BITS>>,
    /// they are then
    pub fired_bits: Signal<In, Bits<8>>,
    /// deadlines of a word that change
    pub write_lanes: Signal<Out, Bits<8>>,
    /// which word
    pub write_word: Signal<Out, Bits<DEADLINE_ADDRESS_BITS>>,
    /// the deadline
    pub write_deadline: Signal<Out, Bits<36>>,
    /// a count changes
    pub count_write: Signal<Out, Bit>,
    /// of which index
    pub count_index: Signal<Out, Bits<OP_INDEX_BITS>>,
    /// phase
    pub count_phase: Signal<Out, Bit>,
    /// packets sent
    pub count_packets: Signal<Out, Bits<POSITION_COUNT_BITS>>,

    records: BlockRam<GENERATION_COUNT_BITS, OP_INDEX_BITS, 0>,
    fired: BlockRam<8, DEADLINE_ADDRESS_BITS, 0>,
    valid1: State<Bit>,
    op1: Reg<Bits<OP_BITS>>,
    packet1: Reg<Bits<POSITION_BITS>>,
    try1: Reg<Bits<TRY_BITS>>,
    ticks1: Reg<Bits<TICK_BITS>>,
    fired1: Signal<Local, Bit>,
    valid2: State<Bit>,
    index2: Reg<Bits<OP_INDEX_BITS>>,
    packet2: Reg<Bits<POSITION_BITS>>,
    try2: Reg<Bits<TRY_BITS>>,
    phase2: Reg<Bit>,
    epoch2: Reg<Bit>,
    ticks2: Reg<Bits<TICK_BITS>>,
    lane2: Signal<Local, Bits<8>>,
    deadline2: Signal<Local, Bits<32>>,
    lanes3: State<Bits<8>>,
    word3: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    deadline3: Reg<Bits<36>>,
    first3: State<Bit>,
    index3: Reg<Bits<OP_INDEX_BITS>>,
    phase3: Reg<Bit>,
    packets3: Reg<Bits<POSITION_COUNT_BITS>>,
}

impl Logic for DeadlineWriter {
    #[kernel]
    fn update(&mut self) {
        self.records.write_enable.next = self.record_write.val();
        self.records.write_address.next = self.record_index.val();
        self.records.write_data.next = bit_cast::<GENERATION_COUNT_BITS, 1>(self.record_base.val().into())
            | (bit_cast::<GENERATION_COUNT_BITS, GENERATION_BITS>(self.record_generation.val()) << 1);
        self.records.read_address.next = self.sent_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.fired.write_enable.next = self.fired_write.val();
        self.fired.write_address.next = self.fired_word.val();
        self.fired.write_data.next = self.fired_bits.val();
        self.fired.read_address.next = (bit_cast::<DEADLINE_ADDRESS_BITS, OP_INDEX_BITS>(self.sent_op.val().get_bits::<OP_INDEX_BITS>(0))
            << (POSITION_BITS - 3).to_bits::<4>())
            | bit_cast::<DEADLINE_ADDRESS_BITS, POSITION_BITS>(self.sent_packet.val() >> 3);
        self.valid1.d.next = self.sent_valid.val();
        self.op1.d.next = self.sent_op.val();
        self.packet1.d.next = self.sent_packet.val();
        self.try1.d.next = self.sent_try.val();
        self.ticks1.d.next = self.sent_ticks.val();

        self.fired1.next = ((self.fired.read_data.val() >> self.packet1.q.val().get_bits::<3>(0)) & 1).any();
        self.valid2.d.next = self.valid1.q.val()
            && (self.records.read_data.val().get_bits::<GENERATION_BITS>(1) == self.op1.q.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS));
        self.index2.d.next = self.op1.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.packet2.d.next = self.packet1.q.val();
        self.try2.d.next = self.try1.q.val();
        self.phase2.d.next = !self.records.read_data.val().get_bit(0);
        self.epoch2.d.next = !self.fired1.val();
        self.ticks2.d.next = self.ticks1.q.val();

        self.deadline2.next = self.now.val() + self.ticks2.q.val();
        self.lane2.next = bits::<8>(1) << self.packet2.q.val().get_bits::<3>(0);
        self.lanes3.d.next = bits::<8>(0);
        if self.valid2.q.val() {
            self.lanes3.d.next = self.lane2.val();
        }
        self.word3.d.next = (bit_cast::<DEADLINE_ADDRESS_BITS, OP_INDEX_BITS>(self.index2.q.val()) << (POSITION_BITS - 3).to_bits::<4>())
            | bit_cast::<DEADLINE_ADDRESS_BITS, POSITION_BITS>(self.packet2.q.val() >> 3);
        self.deadline3.d.next = bit_cast::<36, 30>(self.deadline2.val().get_bits::<30>(0))
            | (bit_cast::<36, TRY_BITS>(self.try2.q.val()) << 30)
            | (bit_cast::<36, 1>(self.epoch2.q.val().into()) << 35);
        self.first3.d.next = self.valid2.q.val() && !self.try2.q.val().any();
        self.index3.d.next = self.index2.q.val();
        self.phase3.d.next = self.phase2.q.val();
        self.packets3.d.next = bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.packet2.q.val()) + 1;

        self.write_lanes.next = self.lanes3.q.val();
        self.write_word.next = self.word3.q.val();
        self.write_deadline.next = self.deadline3.q.val();
        self.count_write.next = self.first3.q.val();
        self.count_index.next = self.index3.q.val();
        self.count_phase.next = self.phase3.q.val();
        self.count_packets.next = self.packets3.q.val();
    }
}
