use crate::bitmap::some;
use crate::bus::{EndedOpsSink, EndedSegments, NumberRequests, OpNumbers, OpNumbersSink, Operations, SegmentsSink};
use crate::memory::SlotPool;
use crate::primitives::{BlockRam, FifoLut, LutRam, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The life of an operation around its payload slot: segment, op number and slot, fetch, packets, end, and only then the slot and the
/// number are free.
///
/// ```text
///  segment ─▶ number (op table) + slot ─▶ load (CDMA) ─▶ loaded ─▶ op (packet engine)
///                                                        └ not ─▶ fail (op table)
///  ended ─▶ told (splitter), close (packet engine) ─▶ closed ─▶ release (op table), slot free, told of what failed
/// ```
///
/// A segment is taken when its op number and its slot are there and its load is taken; a data arrival has no slot and goes to the packet
/// engine at once. While no slot is free, segments with payload wait. What the CDMA could not fetch fails in the op table and never comes
/// to the packet engine; when its end has been told, that frees everything. The end of any other op is followed by its close, behind its
/// abort if there is one; `closed` then frees number and slot. Both leave in the order of the ends. What ended well (`ended_status` 0) is
/// told at once. A failure is told when its number is released: no frame of an operation leaves after its host knows that it failed. While
/// as many failures wait as there are op numbers no further one is taken; those that wait go first.
/// Latency: 1 clock from a segment to its load, which is the op table's, 0 from `loaded` to the op, 1 from an end to its close, 2 from a
/// release to the failure that is told. Throughput: one segment per 2 clocks, one `loaded`, one end and one `closed` per clock. Reset:
/// every slot is free.
/// Spec: send path, "Where payload lives".
// With `refetch` a slot is free when the wire has taken all its packets once (`first_done`), and the last slot is never given out: it is
// for packets that are pulled again. A pull may be under way when its operation ends, so every end is told when the number is released, as
// a failure is: only then the host may use the memory for something else.
#[derive(Default, Described, LogicBlock)]
pub struct OpLoader {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// address of slot 0 as the CDMA sees it, a multiple of the size of all slots
    pub cfg_buffer_base: Signal<In, Bits<64>>,
    pub segment: SegmentsSink<COMMAND_BITS>,
    pub number: NumberRequests<COMMAND_BITS, POSITION_COUNT_BITS>,
    pub allocated: OpNumbersSink,
    /// bytes are to be fetched
    pub load_valid: Signal<Out, Bit>,
    /// the load is taken
    pub load_ready: Signal<In, Bit>,
    /// slot of `load`
    pub load_tag: Signal<Out, Bits<SEND_SLOT_BITS>>,
    /// addresses of four pieces
    pub load_sources: Signal<Out, Bits<256>>,
    /// their bytes
    pub load_lengths: Signal<Out, Bits<128>>,
    /// where the first byte goes
    pub load_destination: Signal<Out, Bits<64>>,
    /// a load has ended
    pub loaded_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `loaded_valid` is high too
    pub loaded_ready: Signal<Out, Bit>,
    /// slot of `loaded`
    pub loaded_tag: Signal<In, Bits<SEND_SLOT_BITS>>,
    /// 0: every byte is in the slot
    pub loaded_status: Signal<In, Bits<8>>,
    pub op: Operations<SEND_SLOT_BITS, POSITION_COUNT_BITS>,
    /// the payload of an op was not fetched
    pub fail_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `fail_valid` is high too
    pub fail_ready: Signal<In, Bit>,
    /// the op
    pub fail_op: Signal<Out, Bits<OP_BITS>>,
    /// status code
    pub fail_status: Signal<Out, Bits<8>>,
    pub ended: EndedOpsSink<COMMAND_BITS>,
    pub told: EndedSegments<COMMAND_BITS>,
    /// the op table has an abort for the packet engine
    pub abort_valid: Signal<In, Bit>,
    pub close: OpNumbers,
    /// the packet engine has forgotten an op; always taken
    pub closed_valid: Signal<In, Bit>,
    /// the op
    pub closed_op: Signal<In, Bits<OP_BITS>>,
    /// refetch: the wire has taken every packet of an op once, or it went without a frame; always taken
    pub first_done_valid: Vec<Signal<In, Bit>>,
    /// refetch: the op
    pub first_done_op: Vec<Signal<In, Bits<OP_BITS>>>,
    /// nobody names an op any more
    pub release_valid: Signal<Out, Bit>,
    /// its place in the op table
    pub release_index: Signal<Out, Bits<OP_INDEX_BITS>>,
    /// no op that has ended waits here for its close
    pub idle: Signal<Out, Bit>,

    slots: SlotPool<LOAD_SLOTS, SEND_SLOT_BITS, SEND_SLOT_COUNT_BITS>,
    // What the packet engine is told of an op when its payload is there, by slot.
    records: LutRam<LOAD_BITS, SEND_SLOT_BITS>,
    // Slot of an op and whether it has one, for each of two readers.
    slot_of_over: LutRam<SEND_SLOT_COUNT_BITS, OP_INDEX_BITS>,
    slot_of_closed: LutRam<SEND_SLOT_COUNT_BITS, OP_INDEX_BITS>,
    // By slot: its payload was not fetched.
    failed: State<Bits<SLOTS>>,
    // The same by the index of its op, whose slot may be another one's by its end.
    failed_op: Vec<LutRam<1, OP_INDEX_BITS>>,
    // The number of this segment has been asked for.
    asked: State<Bit>,
    // A data arrival is offered to the packet engine and not taken: no fetched op takes its place.
    arriving: State<Bit>,
    // Ops whose end was told, oldest first.
    over: FifoLut<OP_BITS, OP_INDEX_BITS, OP_COUNT_BITS>,
    // How each op ended: low bits first status 8, kind, command, op number. Those that failed wait for their release, and are told then.
    ends: BlockRam<OP_END_BITS, OP_INDEX_BITS, 0>,
    released: State<Bit>,
    failures: FifoLut<OP_END_BITS, OP_INDEX_BITS, OP_COUNT_BITS>,
    // Failures that were taken and are not told.
    owed: State<Bits<OP_COUNT_BITS>>,
    well: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    failure: Signal<Local, Bit>,
    tells: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    // An end is offered as it comes, and not taken: no failure takes its place.
    telling: State<Bit>,
    // Its close is offered and not taken: no abort of another op takes it back.
    closing: State<Bit>,
    data: Signal<Local, Bit>,
    may: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    arrival: Signal<Local, Bit>,
    arrives: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    fetched: Signal<Local, Bit>,
    record: Signal<Local, Bits<LOAD_BITS>>,
    slot_entry: Signal<Local, Bits<SEND_SLOT_COUNT_BITS>>,
    given: Signal<Local, Bits<SLOTS>>,
    fails: Signal<Local, Bits<SLOTS>>,
    failed_here: Signal<Local, Bits<SLOTS>>,
    over_slot: Signal<Local, Bits<SEND_SLOT_COUNT_BITS>>,
    closed_slot: Signal<Local, Bits<SEND_SLOT_COUNT_BITS>>,
    never_sent: Signal<Local, Bit>,
    forgets: Signal<Local, Bit>,
}

impl OpLoader {
    /// A new one.
    pub fn new() -> Self {
        Self {
            slots: SlotPool::new(),
            first_done_valid: some(REFETCH),
            first_done_op: some(REFETCH),
            failed_op: some(REFETCH),
            ..Default::default()
        }
    }
}

impl Logic for OpLoader {
    #[kernel]
    fn update(&mut self) {
        // A segment waits where it is until it has its number, and its load or its way to the packet engine is free.
        self.data.next = !self.segment.kind.val();
        self.may.next = !self.data.val() || self.slots.out_valid.val();
        self.number.valid.next = self.segment.valid.val() && self.may.val() && !self.asked.q.val();
        self.number.command.next = self.segment.command.val();
        self.number.kind.next = self.segment.kind.val();
        self.number.count.next = self.segment.count.val().get_bits::<POSITION_COUNT_BITS>(0);
        self.load_valid.next = self.asked.q.val() && self.allocated.valid.val() && self.data.val();
        self.load_tag.next = self.slots.out_slot.val();
        self.load_sources.next = self.segment.sources.val();
        self.load_lengths.next = self.segment.lengths.val();
        self.load_destination.next =
            self.cfg_buffer_base.val() + (bit_cast::<64, SEND_SLOT_BITS>(self.slots.out_slot.val()) << OPERATION_BITS.to_bits::<6>());
        self.loads.next = self.load_valid.val() && self.load_ready.val();
        // An op whose payload is there goes first, but what is offered stays.
        self.fetched.next = self.loaded_valid.val() && !self.loaded_status.val().any() && !self.arriving.q.val();
        self.arrival.next = self.asked.q.val() && self.allocated.valid.val() && !self.data.val() && !self.fetched.val();
        self.arrives.next = self.arrival.val() && self.op.ready.val();
        self.arriving.d.next = self.arrival.val() && !self.op.ready.val();
        self.taken.next = self.loads.val() || self.arrives.val();
        self.segment.ready.next = self.taken.val();
        self.allocated.ready.next = self.taken.val();
        self.slots.out_ready.next = self.loads.val();
        if self.number.valid.val() && self.number.ready.val() {
            self.asked.d.next = true;
        }
        if self.taken.val() {
            self.asked.d.next = false;
        }
        self.record.next = bit_cast::<LOAD_BITS, OP_BITS>(self.allocated.op.val())
            | (bit_cast::<LOAD_BITS, 64>(self.segment.target.val()) << 24)
            | (bit_cast::<LOAD_BITS, 16>(self.segment.node.val()) << 88)
            | (bit_cast::<LOAD_BITS, 24>(self.segment.qp.val()) << 104)
            | (bit_cast::<LOAD_BITS, 32>(self.segment.rkey.val()) << 128)
            | (bit_cast::<LOAD_BITS, 32>(self.segment.imm.val()) << 160)
            | (bit_cast::<LOAD_BITS, 32>(self.segment.bytes.val()) << 192)
            | (bit_cast::<LOAD_BITS, 1>(self.segment.imm_valid.val().into()) << 224)
            | (bit_cast::<LOAD_BITS, 1>(self.segment.large.val().into()) << 225)
            | (bit_cast::<LOAD_BITS, POSITION_COUNT_BITS>(self.segment.count.val().get_bits::<POSITION_COUNT_BITS>(0)) << 226);
        self.records.write_enable.next = self.loads.val();
        self.records.write_address.next = self.slots.out_slot.val();
        self.records.write_data.next = self.record.val();
        self.slot_of_over.write_enable.next = self.taken.val();
        self.slot_of_over.write_address.next = self.allocated.op.val().get_bits::<OP_INDEX_BITS>(0);
        self.slot_of_over.write_data.next = self.slot_entry.val();
        self.slot_entry.next = bit_cast::<SEND_SLOT_COUNT_BITS, SEND_SLOT_BITS>(self.slots.out_slot.val())
            | (bit_cast::<SEND_SLOT_COUNT_BITS, 1>(self.data.val().into()) << SEND_SLOT_BITS.to_bits::<3>());
        self.slot_of_closed.write_enable.next = self.taken.val();
        self.slot_of_closed.write_address.next = self.allocated.op.val().get_bits::<OP_INDEX_BITS>(0);
        self.slot_of_closed.write_data.next = self.slot_entry.val();

        // What the CDMA has fetched, and what it has not.
        self.records.read_address.next = self.loaded_tag.val();
        self.op.valid.next = self.fetched.val() || self.arrival.val();
        self.op.slot.next = bits::<SEND_SLOT_BITS>(0);
        self.op.kind.next = !self.fetched.val();
        self.op.op.next = self.record.val().get_bits::<OP_BITS>(0);
        self.op.target.next = self.record.val().get_bits::<64>(24);
        self.op.node.next = self.record.val().get_bits::<16>(88);
        self.op.qp.next = self.record.val().get_bits::<24>(104);
        self.op.rkey.next = self.record.val().get_bits::<32>(128);
        self.op.imm.next = self.record.val().get_bits::<32>(160);
        self.op.bytes.next = self.record.val().get_bits::<32>(192);
        self.op.imm_valid.next = self.record.val().get_bit(224);
        self.op.large.next = self.record.val().get_bit(225);
        self.op.count.next = self.record.val().get_bits::<POSITION_COUNT_BITS>(226);
        if self.fetched.val() {
            self.op.slot.next = self.loaded_tag.val();
            self.op.op.next = self.records.read_data.val().get_bits::<OP_BITS>(0);
            self.op.target.next = self.records.read_data.val().get_bits::<64>(24);
            self.op.node.next = self.records.read_data.val().get_bits::<16>(88);
            self.op.qp.next = self.records.read_data.val().get_bits::<24>(104);
            self.op.rkey.next = self.records.read_data.val().get_bits::<32>(128);
            self.op.imm.next = self.records.read_data.val().get_bits::<32>(160);
            self.op.bytes.next = self.records.read_data.val().get_bits::<32>(192);
            self.op.imm_valid.next = self.records.read_data.val().get_bit(224);
            self.op.large.next = self.records.read_data.val().get_bit(225);
            self.op.count.next = self.records.read_data.val().get_bits::<POSITION_COUNT_BITS>(226);
        }
        self.fail_valid.next = self.loaded_valid.val() && self.loaded_status.val().any();
        self.fail_op.next = self.records.read_data.val().get_bits::<OP_BITS>(0);
        self.fail_status.next = self.loaded_status.val();
        self.loaded_ready.next = self.op.ready.val() && !self.arriving.q.val();
        if self.fail_valid.val() {
            self.loaded_ready.next = self.fail_ready.val();
        }
        // The slot of a load that ends is none that is being given out.
        self.given.next = bits::<SLOTS>(0);
        if self.loads.val() {
            self.given.next = bits::<SLOTS>(1) << self.slots.out_slot.val();
        }
        self.fails.next = bits::<SLOTS>(0);
        if self.fail_valid.val() && self.fail_ready.val() {
            self.fails.next = bits::<SLOTS>(1) << self.loaded_tag.val();
        }
        self.failed.d.next = (self.failed.q.val() & !self.given.val()) | self.fails.val();
        for r in 0..REFETCH {
            self.failed_op[r].write_enable.next = self.loaded_valid.val() && self.loaded_ready.val();
            self.failed_op[r].write_address.next = self.records.read_data.val().get_bits::<OP_INDEX_BITS>(0);
            self.failed_op[r].write_data.next = self.fail_valid.val().into();
        }

        // Ends: those that are well go on, the others when their number is released. Of what was never sent nobody else knows; it waits for
        // a clock in which nothing else is released.
        self.well.next = !self.ended.status.val().any();
        for _late in 0..REFETCH {
            self.well.next = false;
        }
        self.failure.next = self.failures.out_valid.val() && !self.telling.q.val();
        self.good.next = self.ended.valid.val() && self.well.val() && !self.failure.val();
        self.telling.d.next = self.good.val() && !self.told.ready.val();
        self.told.valid.next = self.failure.val() || self.good.val();
        self.told.status.next = bits::<8>(0);
        self.told.kind.next = self.ended.kind.val();
        self.told.command.next = self.ended.command.val();
        if self.failure.val() {
            self.told.status.next = self.failures.out_data.val().get_bits::<8>(0);
            self.told.kind.next = self.failures.out_data.val().get_bit(8);
            self.told.command.next = self.failures.out_data.val().get_bits::<COMMAND_BITS>(9);
        }
        self.failures.out_ready.next = self.failure.val() && self.told.ready.val();
        self.takes.next = self.ended.valid.val() && !self.well.val() && !self.owed.q.val().get_bit(OP_INDEX_BITS);
        self.tells.next = self.failure.val() && self.told.ready.val();
        if self.takes.val() && !self.tells.val() {
            self.owed.d.next = self.owed.q.val() + 1;
        }
        if self.tells.val() && !self.takes.val() {
            self.owed.d.next = self.owed.q.val() - 1;
        }
        self.ended.ready.next = self.takes.val() || (self.good.val() && self.told.ready.val());
        self.over.in_valid.next = self.takes.val() || (self.good.val() && self.told.ready.val());
        self.ends.write_enable.next = self.takes.val() || (self.good.val() && self.told.ready.val());
        self.ends.write_address.next = self.ended.op.val().get_bits::<OP_INDEX_BITS>(0);
        self.ends.write_data.next = bit_cast::<OP_END_BITS, 8>(self.ended.status.val())
            | (bit_cast::<OP_END_BITS, 1>(self.ended.kind.val().into()) << 8)
            | (bit_cast::<OP_END_BITS, COMMAND_BITS>(self.ended.command.val()) << 9)
            | (bit_cast::<OP_END_BITS, OP_BITS>(self.ended.op.val()) << (9 + COMMAND_BITS).to_bits::<6>());
        self.ends.read_address.next = self.release_index.val();
        self.released.d.next = self.release_valid.val();
        self.failures.in_valid.next = self.released.q.val() && self.ends.read_data.val().get_bits::<8>(0).any();
        for _late in 0..REFETCH {
            self.failures.in_valid.next = self.released.q.val();
        }
        self.failures.in_data.next = self.ends.read_data.val();
        self.over.in_data.next = self.ended.op.val();
        self.slot_of_over.read_address.next = self.over.out_data.val().get_bits::<OP_INDEX_BITS>(0);
        self.over_slot.next = self.slot_of_over.read_data.val();
        self.failed_here.next = self.failed.q.val() >> self.over_slot.val().get_bits::<SEND_SLOT_BITS>(0);
        self.never_sent.next = self.over_slot.val().get_bit(SEND_SLOT_BITS) && self.failed_here.val().get_bit(0);
        for r in 0..REFETCH {
            self.failed_op[r].read_address.next = self.over.out_data.val().get_bits::<OP_INDEX_BITS>(0);
            self.never_sent.next = self.over_slot.val().get_bit(SEND_SLOT_BITS) && self.failed_op[r].read_data.val().any();
        }
        self.forgets.next = self.over.out_valid.val() && self.never_sent.val() && !self.closed_valid.val();
        for r in 0..REFETCH {
            self.forgets.next =
                self.over.out_valid.val() && self.never_sent.val() && !self.closed_valid.val() && !self.first_done_valid[r].val();
        }
        self.close.valid.next = self.over.out_valid.val() && !self.never_sent.val() && (!self.abort_valid.val() || self.closing.q.val());
        self.close.op.next = self.over.out_data.val();
        self.closing.d.next = self.close.valid.val() && !self.close.ready.val();
        self.over.out_ready.next = self.forgets.val() || (self.close.valid.val() && self.close.ready.val());

        self.slot_of_closed.read_address.next = self.closed_op.val().get_bits::<OP_INDEX_BITS>(0);
        for r in 0..REFETCH {
            self.slot_of_closed.read_address.next = self.first_done_op[r].val().get_bits::<OP_INDEX_BITS>(0);
        }
        self.closed_slot.next = self.slot_of_closed.read_data.val();
        self.release_valid.next = self.closed_valid.val() || self.forgets.val();
        self.release_index.next = self.over.out_data.val().get_bits::<OP_INDEX_BITS>(0);
        if self.closed_valid.val() {
            self.release_index.next = self.closed_op.val().get_bits::<OP_INDEX_BITS>(0);
        }
        self.slots.internal_valid.next = (self.closed_valid.val() && self.closed_slot.val().get_bit(SEND_SLOT_BITS)) || self.forgets.val();
        self.slots.internal_slot.next = self.over_slot.val().get_bits::<SEND_SLOT_BITS>(0);
        if self.closed_valid.val() {
            self.slots.internal_slot.next = self.closed_slot.val().get_bits::<SEND_SLOT_BITS>(0);
        }
        for r in 0..REFETCH {
            self.slots.internal_valid.next =
                (self.first_done_valid[r].val() && self.closed_slot.val().get_bit(SEND_SLOT_BITS)) || self.forgets.val();
            self.slots.internal_slot.next = self.over_slot.val().get_bits::<SEND_SLOT_BITS>(0);
            if self.first_done_valid[r].val() {
                self.slots.internal_slot.next = self.closed_slot.val().get_bits::<SEND_SLOT_BITS>(0);
            }
        }
        self.slots.first_valid.next = false;
        self.slots.first_slot.next = bits::<SEND_SLOT_BITS>(0);
        self.slots.second_valid.next = false;
        self.slots.second_slot.next = bits::<SEND_SLOT_BITS>(0);
        self.idle.next = !self.over.out_valid.val();
    }
}
