use crate::primitives::{BlockRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The receive bitmaps: a segment per word, read, marked and written back, one packet per clock.
///
/// Read in stage 3, seen and marked in stage 5, written in stage 6; stage 5 takes what the three packets in front of it have made of the
/// same segment, so that packets back to back in one segment are taken one at a time. What marks is that the packet lies in the window: a
/// bit that is set already is set again, and so nothing here waits for the verdict. A bit is set when it has the value `lap`, see
/// `HeadRun`.
/// A replica has the same contents and a read port of its own, for the engine that moves windows.
/// Latency: stage 6; replica 2 clocks. Throughput: one packet and one replica read per clock. Contents are unknown until written.
/// Reset: nothing is under way. `AREA_BITS` is the width of a segment's address.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SegmentBits<const AREA_BITS: usize, const SEGMENT: usize, const SEGMENT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 3: segment
    pub s3_segment: Signal<In, Bits<AREA_BITS>>,
    /// stage 4: position in it
    pub s4_position: Signal<In, Bits<SEGMENT_BITS>>,
    /// stage 5: a packet
    pub s5_valid: Signal<In, Bit>,
    /// stage 5: it lies in the window
    pub s5_inside: Signal<In, Bit>,
    /// stage 5: value of a set bit
    pub s5_lap: Signal<In, Bit>,
    /// stage 5: the segment is cleared instead
    pub s5_begin: Signal<In, Bit>,
    /// stage 6: bits that are cleared for the next lap, the others for this one
    pub s6_below: Signal<In, Bits<SEGMENT>>,
    /// stage 6: the bit was set before
    pub s6_was_set: Signal<Out, Bit>,
    /// stage 6: the segment with the bit set
    pub s6_word: Signal<Out, Bits<SEGMENT>>,
    /// segment that the replica reads
    pub replica_segment: Signal<In, Bits<AREA_BITS>>,
    /// bits of `replica`, 2 clocks later
    pub replica_word: Signal<Out, Bits<SEGMENT>>,
    memory: BlockRam<SEGMENT, AREA_BITS, 1>,
    replica: BlockRam<SEGMENT, AREA_BITS, 1>,
    segment4: Reg<Bits<AREA_BITS>>,
    segment5: Reg<Bits<AREA_BITS>>,
    segment6: Reg<Bits<AREA_BITS>>,
    segment7: Reg<Bits<AREA_BITS>>,
    valid6: State<Bit>,
    valid7: State<Bit>,
    same6: Reg<Bit>,
    same7: Reg<Bit>,
    same8: Reg<Bit>,
    hot4: Signal<Local, Bits<SEGMENT>>,
    hot5: Reg<Bits<SEGMENT>>,
    hot6: Reg<Bits<SEGMENT>>,
    seen: Signal<Local, Bits<SEGMENT>>,
    marked: Signal<Local, Bits<SEGMENT>>,
    seen6: Reg<Bits<SEGMENT>>,
    word6: Reg<Bits<SEGMENT>>,
    word7: Reg<Bits<SEGMENT>>,
    word8: Reg<Bits<SEGMENT>>,
    lap6: Reg<Bit>,
    begin6: State<Bit>,
    is_one: Signal<Local, Bit>,
    write: Signal<Local, Bit>,
    write_word: Signal<Local, Bits<SEGMENT>>,
}

impl<const AREA_BITS: usize, const SEGMENT: usize, const SEGMENT_BITS: usize> Logic for SegmentBits<AREA_BITS, SEGMENT, SEGMENT_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.memory.read_address.next = self.s3_segment.val();
        self.replica.read_address.next = self.replica_segment.val();
        self.replica_word.next = self.replica.read_data.val();
        self.segment4.d.next = self.s3_segment.val();
        self.segment5.d.next = self.segment4.q.val();
        self.segment6.d.next = self.segment5.q.val();
        self.segment7.d.next = self.segment6.q.val();

        // Stage 4: which of the three in front will be of the same segment when this one is in stage 5.
        self.same6.d.next = self.s5_valid.val() && (self.segment4.q.val() == self.segment5.q.val());
        self.same7.d.next = self.valid6.q.val() && (self.segment4.q.val() == self.segment6.q.val());
        self.same8.d.next = self.valid7.q.val() && (self.segment4.q.val() == self.segment7.q.val());
        self.hot4.next = bits::<SEGMENT>(0);
        for i in 0..SEGMENT {
            if self.s4_position.val() == i.to_bits::<SEGMENT_BITS>() {
                self.hot4.next = self.hot4.val().replace_bit(i, true);
            }
        }
        self.hot5.d.next = self.hot4.val();

        // Stage 5.
        self.seen.next = self.memory.read_data.val();
        if self.same6.q.val() {
            self.seen.next = self.word6.q.val();
        } else if self.same7.q.val() {
            self.seen.next = self.word7.q.val();
        } else if self.same8.q.val() {
            self.seen.next = self.word8.q.val();
        }
        self.marked.next = self.seen.val();
        if self.s5_inside.val() {
            self.marked.next = self.seen.val() & !self.hot5.q.val();
            if self.s5_lap.val() {
                self.marked.next = self.seen.val() | self.hot5.q.val();
            }
        }
        self.seen6.d.next = self.seen.val();
        self.word6.d.next = self.marked.val();
        self.hot6.d.next = self.hot5.q.val();
        self.lap6.d.next = self.s5_lap.val();
        self.valid6.d.next = self.s5_valid.val();
        self.begin6.d.next = self.s5_begin.val();

        // Stage 6. What is cleared is followed by no packet of the same queue pair for long: only the memory has to know.
        self.is_one.next = (self.seen6.q.val() & self.hot6.q.val()).any();
        self.s6_was_set.next = self.is_one.val() == self.lap6.q.val();
        self.s6_word.next = self.word6.q.val();
        self.write.next = self.valid6.q.val() || self.begin6.q.val();
        self.write_word.next = self.word6.q.val();
        if self.begin6.q.val() {
            self.write_word.next = !self.s6_below.val();
            if self.lap6.q.val() {
                self.write_word.next = self.s6_below.val();
            }
        }
        self.memory.write_enable.next = self.write.val();
        self.memory.write_address.next = self.segment6.q.val();
        self.memory.write_data.next = self.write_word.val();
        self.replica.write_enable.next = self.write.val();
        self.replica.write_address.next = self.segment6.q.val();
        self.replica.write_data.next = self.write_word.val();
        self.valid7.d.next = self.valid6.q.val();
        self.word7.d.next = self.word6.q.val();
        self.word8.d.next = self.word7.q.val();
    }
}
