use super::{HeadRun, some};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Moves windows over whole segments: reads one segment per clock from the base on until a packet is missing, and writes the base.
///
/// One queue pair at a time, in passes: base, segments, new base. A packet that entered the pipeline before a new base was written may have
/// marked a bit that the pass did not see, and did not move the base itself because it took it to be in another segment; the next pass
/// begins its reading when the last of those is in the memory. The queue pair is done with a pass that moves nothing. Who asks while
/// nothing is to be done may bring its base along, and the reading begins at once; such a pass counts only if the base is found to be that
/// one still, and is never the last.
/// Latency: 6 clocks and one per segment that is read, request to base; 5 more without the base. Where segments are looked up before they
/// are read, see `with_lookup`, 2 more. Reset: nothing is under way.
///
/// `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`; `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`,
/// `WINDOW_SEGMENTS_BITS` the width of a segment's number in the window, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct AdvanceEngine {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a queue pair asks
    pub request_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `request_valid` is high too
    pub request_ready: Signal<Out, Bit>,
    /// queue pair of `request`
    pub request_qp: Signal<In, Bits<NODE_BITS>>,
    /// a queue pair asks and knows its base; counts while `request_ready` and no other asks
    pub direct: Signal<In, Bit>,
    /// queue pair of `direct`
    pub direct_qp: Signal<In, Bits<NODE_BITS>>,
    /// base of `direct`
    pub direct_base: Signal<In, Bits<24>>,
    /// a queue pair is being opened or closed: its base is none of ours
    pub cancel: Signal<In, Bit>,
    /// queue pair of `cancel`
    pub cancel_qp: Signal<In, Bits<NODE_BITS>>,
    /// queue pair whose base is read
    pub base_qp: Signal<Out, Bits<NODE_BITS>>,
    /// it is needed in this clock
    pub base_needed: Signal<Out, Bit>,
    /// 2 clocks later
    pub base_first: Signal<In, Bits<24>>,
    /// 2 clocks later
    pub base_second: Signal<In, Bits<24>>,
    /// `base_second` counts
    pub base_second_counts: Signal<In, Bit>,
    /// segment that is read
    pub segment: Signal<Out, Bits<SEGMENT_ADDRESS_BITS>>,
    /// it is needed in this clock
    pub segment_needed: Signal<Out, Bit>,
    /// its bits, 2 clocks later
    pub word: Signal<In, Bits<SEGMENT>>,
    /// a base is written
    pub write: Signal<Out, Bit>,
    /// queue pair
    pub write_qp: Signal<Out, Bits<NODE_BITS>>,
    /// base of `write`
    pub write_base: Signal<Out, Bits<24>>,
    /// it has moved
    pub moved: Signal<Out, Bit>,
    run: HeadRun<SEGMENT, SEGMENT_BITS>,
    busy: State<Bit>,
    step: State<Bits<4>>,
    qp: Reg<Bits<NODE_BITS>>,
    cancelled: State<Bit>,
    first3: Reg<Bits<24>>,
    second3: Reg<Bits<24>>,
    counts3: Reg<Bit>,
    // Compared with the base that came along, which stays while these are read.
    first_differs3: Reg<Bit>,
    second_differs3: Reg<Bit>,
    outdated: Signal<Local, Bit>,
    later: Signal<Local, Bits<24>>,
    base: Reg<Bits<24>>,
    is_direct: Reg<Bit>,
    start_direct: Signal<Local, Bit>,
    reading: Reg<Bits<SEGMENT_REST_BITS>>,
    lap5: Reg<Bit>,
    lap6: Reg<Bit>,
    found: Reg<Bits<SEGMENT_REST_BITS>>,
    // `found` is the segment of the base; known when the result is.
    in_segment: Reg<Bit>,
    position: Reg<Bits<SEGMENT_BITS>>,
    settle: State<Bits<2>>,
    result: Signal<Local, Bits<24>>,
    differs: Signal<Local, Bit>,
    start: Signal<Local, Bit>,
    ours: Signal<Local, Bit>,
    held: Vec<Reg<Bits<2>>>,
    lap7: Vec<Reg<Bit>>,
    lap8: Vec<Reg<Bit>>,
    #[variant]
    _lookups: usize,
}

impl AdvanceEngine {
    /// One whose words come 4 clocks after their segment.
    pub fn with_lookup() -> Self {
        Self { held: some(1), lap7: some(1), lap8: some(1), _lookups: 1, ..Self::default() }
    }
}

impl Logic for AdvanceEngine {
    #[kernel]
    fn update(&mut self) {
        self.request_ready.next = !self.busy.q.val();
        self.base_qp.next = self.qp.q.val();
        // A base that came along is compared in step 7 with what is read in steps 4 and 5.
        self.base_needed.next = self.busy.q.val()
            && (!self.step.q.val().any() || (self.is_direct.q.val() && (self.step.q.val().get_bits::<3>(1) == bits::<3>(2))));
        self.segment_needed.next = self.busy.q.val() && self.step.q.val().get_bits::<2>(2).any();
        self.start.next = self.request_valid.val() && !self.busy.q.val();
        self.start_direct.next = self.direct.val() && !self.request_valid.val() && !self.busy.q.val();
        self.ours.next = self.cancel.val() && (self.cancel_qp.val() == self.qp.q.val());

        // Steps of a pass: 0 reads the base, 2 has it, 3 chooses, 4 reads the first segment, 6 has it, 8 knows its first missing packet.
        if self.busy.q.val() && (self.step.q.val() != bits::<4>(8)) {
            self.step.d.next = self.step.q.val() + 1;
        }
        for w in 0..self._lookups {
            self.held[w].d.next = bits::<2>(0);
            if (self.step.q.val() == bits::<4>(5)) && !self.held[w].q.val().get_bit(1) {
                self.held[w].d.next = self.held[w].q.val() + 1;
                self.step.d.next = self.step.q.val();
            }
        }
        if self.ours.val() {
            self.cancelled.d.next = true;
        }
        self.first3.d.next = self.base_first.val();
        self.second3.d.next = self.base_second.val();
        self.counts3.d.next = self.base_second_counts.val();
        self.first_differs3.d.next = self.base_first.val() != self.base.q.val();
        self.second_differs3.d.next = self.base_second.val() != self.base.q.val();
        self.later.next = self.first3.q.val();
        self.outdated.next = self.first_differs3.q.val();
        if self.counts3.q.val() {
            self.later.next = self.second3.q.val();
            self.outdated.next = self.second_differs3.q.val();
        }
        self.reading.d.next = self.reading.q.val() + 1;
        if self.step.q.val() == bits::<4>(3) {
            self.base.d.next = self.later.val();
            self.reading.d.next = self.later.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        }
        self.segment.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.qp.q.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.reading.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.lap5.d.next = self.reading.q.val().get_bit(WINDOW_SEGMENTS_BITS);
        self.lap6.d.next = self.lap5.q.val();
        self.run.word.next = self.word.val();
        self.run.lap.next = self.lap6.q.val();
        for w in 0..self._lookups {
            self.lap7[w].d.next = self.lap6.q.val();
            self.lap8[w].d.next = self.lap7[w].q.val();
            self.run.lap.next = self.lap8[w].q.val();
        }
        self.run.offset.next = bits::<SEGMENT_BITS>(0);
        if self.step.q.val() == bits::<4>(6) {
            self.run.offset.next = self.base.q.val().get_bits::<SEGMENT_BITS>(0);
        }
        if self.step.q.val() == bits::<4>(7) {
            self.found.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        }
        self.position.d.next = self.run.position.val();

        // The result is there one clock after the segment that has a missing packet, and is written; two clocks more, and the next pass may
        // begin.
        self.result.next = (bit_cast::<24, SEGMENT_REST_BITS>(self.found.q.val()) << SEGMENT_BITS.to_bits::<4>())
            | bit_cast::<24, SEGMENT_BITS>(self.position.q.val());
        self.in_segment.d.next = self.found.q.val() == self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.differs.next = !self.in_segment.q.val() || (self.position.q.val() != self.base.q.val().get_bits::<SEGMENT_BITS>(0));
        self.write.next = (self.settle.q.val() == bits::<2>(1)) && !self.cancelled.q.val();
        self.write_qp.next = self.qp.q.val();
        self.write_base.next = self.result.val();
        self.moved.next = (self.settle.q.val() == bits::<2>(1)) && !self.cancelled.q.val() && self.differs.val();
        if (self.step.q.val() == bits::<4>(8)) && (self.settle.q.val() == bits::<2>(0)) {
            if self.run.missing.val() {
                self.settle.d.next = bits::<2>(1);
            } else {
                self.found.d.next = self.found.q.val() + 1;
            }
        }
        if self.settle.q.val() == bits::<2>(1) {
            self.settle.d.next = bits::<2>(2);
            if (!self.differs.val() && !self.is_direct.q.val()) || self.cancelled.q.val() {
                self.settle.d.next = bits::<2>(0);
                self.step.d.next = bits::<4>(0);
                self.busy.d.next = false;
            }
        }
        // Who looks segments up is done with a pass that stays in the segment of its base: packets move a base in their own segment
        // themselves, and one whose packets come close behind each other would else move in every pass, and keep all others waiting.
        for _w in 0..self._lookups {
            if (self.settle.q.val() == bits::<2>(1)) && !self.is_direct.q.val() && self.in_segment.q.val() {
                self.settle.d.next = bits::<2>(0);
                self.step.d.next = bits::<4>(0);
                self.busy.d.next = false;
            }
        }
        if self.settle.q.val() == bits::<2>(2) {
            self.settle.d.next = bits::<2>(0);
            self.step.d.next = bits::<4>(0);
            self.is_direct.d.next = false;
        }
        // The base that came along is as old as the packet that brought it.
        if self.is_direct.q.val() && (self.step.q.val() == bits::<4>(7)) && self.outdated.val() {
            self.step.d.next = bits::<4>(0);
            self.is_direct.d.next = false;
        }
        // A queue pair that is opened or closed is so for longer than a clock: it is found later.
        if !self.busy.q.val() {
            self.qp.d.next = self.direct_qp.val();
            self.step.d.next = bits::<4>(4);
            self.is_direct.d.next = true;
            self.base.d.next = self.direct_base.val();
            self.reading.d.next = self.direct_base.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.cancelled.d.next = false;
            self.busy.d.next = self.start.val() || self.start_direct.val();
            if self.request_valid.val() {
                self.qp.d.next = self.request_qp.val();
                self.step.d.next = bits::<4>(0);
                self.is_direct.d.next = false;
            }
        }
    }
}
