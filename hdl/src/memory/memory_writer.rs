use super::{BeatShifter, BurstSplitter, WriteResponses};
use crate::bus::TaggedWrites;
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Payload from its slot to memory: writes of up to 4096 bytes to any address, as AXI4 bursts.
///
/// ```text
///  write ─▶ splitter ─┬─▶ FIFO ─▶ AW
///                     └─▶ FIFO ─▶ beats ─▶ slot ─▶ shifter ─▶ FIFO ─▶ W
///  write_done ◀─ responses ◀─ B
/// ```
///
/// Bursts are INCR, of whole beats (there is no `awsize`: AXI4 then takes the width of the bus, and has no number for 2048 bits), up to 256
/// of them, never over a 4 KB boundary; an address is that of a beat, and strobes leave out what is not the write's. The ID of a burst is
/// the tag of its write, so responses may come in any order. `write_done` comes when every burst of a write has been answered, `ok` low if
/// one of them was an error; each error is told by `evt_memory_errors` too, with tag and code beside it. A slot goes back as soon as its
/// last beat is read. A write of 0 bytes writes nothing and is answered like any other. Two writes of one tag must not be under way at
/// once.
///
/// Data may come before its address on the bus, as AXI4 allows. At most `2^BURSTS_BITS` bursts are without response.
/// Latency: 4 clocks from a write to its address, `BYTE_SHIFT_STEP + 10` to its first beat, 2 from its last response to `write_done`.
/// Throughput: one beat per clock, across bursts and writes, and one write per clock. Reset: empty; `write_ready` is low for `2^WRITE_BITS`
/// clocks. What the bus has of bursts before a reset must be gone before the first write after it.
/// Spec: receive registry, "Ports".
#[derive(Default, Described, LogicBlock)]
pub struct MemoryWriter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a payload goes to memory
    pub write_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `write_valid` is high too
    pub write_ready: Signal<Out, Bit>,
    /// comes back with the answer
    pub write_tag: Signal<In, Bits<WRITE_BITS>>,
    /// payload
    pub write_slot: Signal<In, Bits<SLOT_BITS>>,
    /// where
    pub write_addr: Signal<In, Bits<64>>,
    /// how many bytes
    pub write_bytes: Signal<In, Bits<16>>,
    /// a write has been answered; always taken
    pub write_done_valid: Signal<Out, Bit>,
    /// tag of `write_done`
    pub write_done_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// it succeeded
    pub write_done_ok: Signal<Out, Bit>,
    /// slot to read
    pub read_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// beat in the slot
    pub read_beat: Signal<Out, Bits<SLOT_PLACE_BITS>>,
    /// the beat, two clocks later
    pub read_data: Signal<In, Bits<DATA_WIDTH>>,
    /// a payload has been read
    pub slot_read_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `slot_read_valid` is high too
    pub slot_read_ready: Signal<In, Bit>,
    /// slot of `slot_read`
    pub slot_read_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// writes to memory
    pub m_axi: TaggedWrites<WRITE_BITS, DATA_WIDTH, DATA_BYTES>,
    /// 1: INCR
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// counts bursts answered
    pub evt_memory_bursts: Signal<Out, Bit>,
    /// counts responses that are errors
    pub evt_memory_errors: Signal<Out, Bit>,
    /// with an error: tag of the write
    pub error_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// with an error: the response
    pub error_code: Signal<Out, Bits<2>>,
    /// bursts without response, those included that wait for the bus
    pub bursts_open: Signal<Out, Bits<BURSTS_COUNT_BITS>>,
    /// nothing is under way
    pub idle: Signal<Out, Bit>,

    splitter: BurstSplitter,
    responses: WriteResponses<WRITE_BITS, WRITE_COUNT_BITS>,
    shifter: BeatShifter,
    addresses: FifoLut<BURST_ADDRESS_BITS, 4, 5>,
    bursts: FifoLut<BURST_BITS, 4, 5>,
    beats: FifoLut<WRITE_BEAT_BITS, 5, 6>,
    slots: FifoLut<SLOT_BITS, 4, 5>,

    open: State<Bits<BURSTS_COUNT_BITS>>,
    step: Signal<Local, Bits<BURSTS_COUNT_BITS>>,
    issues: Signal<Local, Bit>,

    // The burst whose beats are being read.
    burst: Reg<Bits<BURST_BITS>>,
    burst_valid: State<Bit>,
    left: Reg<Bits<8>>,
    at_last: Reg<Bit>,
    at_first: Reg<Bit>,
    beat: Reg<Bits<SLOT_PLACE_BITS>>,
    q_room: State<Bit>,
    next_burst: Signal<Local, Bits<BURST_BITS>>,
    ends_write: Signal<Local, Bit>,
    steps: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    tail: Signal<Local, Bit>,

    // A beat on its way through the slot's memory.
    valid0: State<Bit>,
    slot0: Reg<Bits<SLOT_BITS>>,
    beat0: Reg<Bits<SLOT_PLACE_BITS>>,
    head0: Reg<Bit>,
    tail0: Reg<Bit>,
    last0: Reg<Bit>,
    offset0: Reg<Bits<LANE_BITS>>,
    end0: Reg<Bits<LANE_COUNT_BITS>>,
    valid1: State<Bit>,
    head1: Reg<Bit>,
    tail1: Reg<Bit>,
    last1: Reg<Bit>,
    offset1: Reg<Bits<LANE_BITS>>,
    end1: Reg<Bits<LANE_COUNT_BITS>>,

    aw: Reg<Bits<BURST_ADDRESS_BITS>>,
    aw_valid: State<Bit>,
    w: Reg<Bits<WRITE_BEAT_BITS>>,
    w_valid: State<Bit>,
}

impl MemoryWriter {
    /// A new one.
    pub fn new() -> Self {
        Self { splitter: BurstSplitter::new(), ..Default::default() }
    }
}

impl Logic for MemoryWriter {
    #[kernel]
    fn update(&mut self) {
        // Writes to bursts; of each burst an address and a task to read its beats.
        self.splitter.write_valid.next = self.write_valid.val() && self.responses.ready.val();
        self.splitter.write_tag.next = self.write_tag.val();
        self.splitter.write_slot.next = self.write_slot.val();
        self.splitter.write_addr.next = self.write_addr.val();
        self.splitter.write_bytes.next = self.write_bytes.val();
        self.write_ready.next = self.splitter.write_ready.val() && self.responses.ready.val();
        self.splitter.burst_ready.next =
            self.addresses.in_ready.val() && self.bursts.in_ready.val() && !self.open.q.val().get_bit(BURSTS_BITS);
        self.issues.next = self.splitter.burst_valid.val()
            && self.addresses.in_ready.val()
            && self.bursts.in_ready.val()
            && !self.open.q.val().get_bit(BURSTS_BITS);
        self.addresses.in_valid.next = self.issues.val();
        self.addresses.in_data.next = bit_cast::<BURST_ADDRESS_BITS, 64>(self.splitter.burst_addr.val() >> LANE_BITS.to_bits::<4>())
            | (bit_cast::<BURST_ADDRESS_BITS, 8>(self.splitter.burst_len.val()) << (64 - LANE_BITS).to_bits::<7>())
            | (bit_cast::<BURST_ADDRESS_BITS, WRITE_BITS>(self.splitter.burst_tag.val()) << (72 - LANE_BITS).to_bits::<7>());
        self.bursts.in_valid.next = self.issues.val();
        self.bursts.in_data.next = bit_cast::<BURST_BITS, 8>(self.splitter.burst_len.val())
            | (bit_cast::<BURST_BITS, 1>(self.splitter.burst_final.val().into()) << 8)
            | (bit_cast::<BURST_BITS, 1>((!self.splitter.burst_index.val().any()).into()) << 9)
            | (bit_cast::<BURST_BITS, LANE_BITS>(self.splitter.burst_offset.val()) << 10)
            | (bit_cast::<BURST_BITS, LANE_COUNT_BITS>(self.splitter.burst_end.val()) << (10 + LANE_BITS).to_bits::<6>())
            | (bit_cast::<BURST_BITS, SLOT_BITS>(self.splitter.burst_slot.val()) << (10 + LANE_BITS + LANE_COUNT_BITS).to_bits::<6>());

        // One adder for both directions: plus one, or plus all ones.
        self.step.next = bits::<BURSTS_COUNT_BITS>(1);
        if self.responses.seen.val() {
            self.step.next = !bits::<BURSTS_COUNT_BITS>(0);
        }
        if self.issues.val() != self.responses.seen.val() {
            self.open.d.next = self.open.q.val() + self.step.val();
        }
        self.bursts_open.next = self.open.q.val();

        // Beats, one per clock while there is room for all that are on their way.
        self.next_burst.next = self.bursts.out_data.val();
        self.q_room.d.next = !self.beats.count.val().get_bits::<2>(4).any();
        self.ends_write.next = self.burst.q.val().get_bit(8);
        self.tail.next = self.at_last.q.val() && self.ends_write.val();
        self.steps.next = self.burst_valid.q.val() && self.q_room.q.val() && self.slots.in_ready.val();
        self.loads.next = !self.burst_valid.q.val() || (self.steps.val() && self.at_last.q.val());
        self.bursts.out_ready.next = self.loads.val();
        if self.steps.val() {
            self.beat.d.next = self.beat.q.val() + 1;
            self.left.d.next = self.left.q.val() + !bits::<8>(0);
            self.at_last.d.next = self.left.q.val() == bits::<8>(1);
            self.at_first.d.next = false;
        }
        if self.loads.val() {
            self.burst_valid.d.next = self.bursts.out_valid.val();
            self.burst.d.next = self.next_burst.val();
            self.left.d.next = self.next_burst.val().get_bits::<8>(0);
            self.at_last.d.next = !self.next_burst.val().get_bits::<8>(0).any();
            self.at_first.d.next = self.next_burst.val().get_bit(9);
            // The second burst of a write goes on where the first one stopped.
            if self.bursts.out_valid.val() && self.next_burst.val().get_bit(9) {
                self.beat.d.next = bits::<SLOT_PLACE_BITS>(0);
            }
        }
        self.slots.in_valid.next = self.steps.val() && self.tail.val();
        self.slots.in_data.next = self.burst.q.val().get_bits::<SLOT_BITS>(10 + LANE_BITS + LANE_COUNT_BITS);
        self.slot_read_valid.next = self.slots.out_valid.val();
        self.slot_read_slot.next = self.slots.out_data.val();
        self.slots.out_ready.next = self.slot_read_ready.val();

        self.valid0.d.next = self.steps.val();
        self.slot0.d.next = self.burst.q.val().get_bits::<SLOT_BITS>(10 + LANE_BITS + LANE_COUNT_BITS);
        self.beat0.d.next = self.beat.q.val();
        self.head0.d.next = self.at_first.q.val();
        self.tail0.d.next = self.tail.val();
        self.last0.d.next = self.at_last.q.val();
        self.offset0.d.next = self.burst.q.val().get_bits::<LANE_BITS>(10);
        self.end0.d.next = self.burst.q.val().get_bits::<LANE_COUNT_BITS>(10 + LANE_BITS);
        self.read_slot.next = self.slot0.q.val();
        self.read_beat.next = self.beat0.q.val();
        self.valid1.d.next = self.valid0.q.val();
        self.head1.d.next = self.head0.q.val();
        self.tail1.d.next = self.tail0.q.val();
        self.last1.d.next = self.last0.q.val();
        self.offset1.d.next = self.offset0.q.val();
        self.end1.d.next = self.end0.q.val();

        self.shifter.in_valid.next = self.valid1.q.val();
        self.shifter.in_head.next = self.head1.q.val();
        self.shifter.in_tail.next = self.tail1.q.val();
        self.shifter.in_last.next = self.last1.q.val();
        self.shifter.in_offset.next = self.offset1.q.val();
        self.shifter.in_end.next = self.end1.q.val();
        self.shifter.in_data.next = self.read_data.val();
        self.beats.in_valid.next = self.shifter.out_valid.val();
        self.beats.in_data.next = bit_cast::<WRITE_BEAT_BITS, DATA_WIDTH>(self.shifter.out_data.val())
            | (bit_cast::<WRITE_BEAT_BITS, DATA_BYTES>(self.shifter.out_strobe.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<WRITE_BEAT_BITS, 1>(self.shifter.out_last.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>());

        // To the bus, from registers.
        self.addresses.out_ready.next = !self.aw_valid.q.val() || self.m_axi.awready.val();
        if !self.aw_valid.q.val() || self.m_axi.awready.val() {
            self.aw_valid.d.next = self.addresses.out_valid.val();
            self.aw.d.next = self.addresses.out_data.val();
        }
        self.m_axi.awvalid.next = self.aw_valid.q.val();
        self.m_axi.awaddr.next = self.aw.q.val().get_bits::<64>(0) << LANE_BITS.to_bits::<4>();
        self.m_axi.awlen.next = self.aw.q.val().get_bits::<8>(64 - LANE_BITS);
        self.m_axi.awid.next = self.aw.q.val().get_bits::<WRITE_BITS>(72 - LANE_BITS);
        self.m_axi_awburst.next = bits::<2>(1);
        self.beats.out_ready.next = !self.w_valid.q.val() || self.m_axi.wready.val();
        if !self.w_valid.q.val() || self.m_axi.wready.val() {
            self.w_valid.d.next = self.beats.out_valid.val();
            self.w.d.next = self.beats.out_data.val();
        }
        self.m_axi.wvalid.next = self.w_valid.q.val();
        self.m_axi.wdata.next = self.w.q.val().get_bits::<DATA_WIDTH>(0);
        self.m_axi.wstrb.next = self.w.q.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.m_axi.wlast.next = self.w.q.val().get_bit(DATA_WIDTH + DATA_BYTES);

        self.responses.issue_valid.next = self.issues.val();
        self.responses.issue_tag.next = self.splitter.burst_tag.val();
        self.responses.issue_index.next = self.splitter.burst_index.val();
        self.responses.issue_final.next = self.splitter.burst_final.val();
        self.m_axi.bready.next = true;
        self.responses.response_valid.next = self.m_axi.bvalid.val();
        self.responses.response_tag.next = self.m_axi.bid.val();
        self.responses.response_code.next = self.m_axi.bresp.val();
        self.write_done_valid.next = self.responses.done_valid.val();
        self.write_done_tag.next = self.responses.done_tag.val();
        self.write_done_ok.next = self.responses.done_ok.val();
        self.evt_memory_bursts.next = self.responses.seen.val();
        self.evt_memory_errors.next = self.responses.error.val();
        self.error_tag.next = self.responses.error_tag.val();
        self.error_code.next = self.responses.error_code.val();
        self.idle.next = self.splitter.idle.val()
            && !self.open.q.val().any()
            && !self.responses.done_valid.val()
            && !self.slots.out_valid.val()
            && self.responses.ready.val();
    }
}
