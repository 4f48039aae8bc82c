use crate::primitives::{Reg, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which packets of a segment an operation is about.
///
/// Bounds are packets counted from the start of the segment of the base, and are loaded once; the segment's number `k` from there comes
/// with every clock, one for each segment. Segment `L / SEGMENT` lies in the word of segment 0, whose packets before the base are of the
/// round to come: `lap` says for every packet which of the two values of the number's bit `LB` it has, `visible` which of them lie at or
/// after the base.
/// Latency: `lap` 2 clocks from `k`, `below`, `range` and `window` 3, `visible` 4. Throughput: one segment per clock.
///
/// `SEGMENT_BITS` is the width of a position in a segment, `SEGMENT_COUNT_BITS` = `SEGMENT_BITS + 1`, `WINDOW_SEGMENTS_BITS` that of a
/// segment's number in the window, `WINDOW_SEGMENTS_COUNT_BITS` = `WINDOW_SEGMENTS_BITS + 1`, `WINDOW_COUNT_BITS` =
/// `SEGMENT_BITS + WINDOW_SEGMENTS_COUNT_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct SegmentMasks {
    /// clock
    pub clk: Signal<In, Clock>,
    /// bounds are taken over
    pub load: Signal<In, Bit>,
    /// base
    pub base: Signal<In, Bits<SEGMENT_BITS>>,
    /// end of what is acknowledged from the base on
    pub edge_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// first packet that is named
    pub range_start: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// end of these
    pub range_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// next packet to be sent
    pub window_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// segment
    pub k: Signal<In, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// bit `LB` of its numbers
    pub k_lap: Signal<In, Bit>,
    /// that of each packet in its word
    pub lap: Signal<Out, Bits<SEGMENT>>,
    /// packets before `edge_end`
    pub below: Signal<Out, Bits<SEGMENT>>,
    /// packets that are named
    pub range: Signal<Out, Bits<SEGMENT>>,
    /// packets that have been sent
    pub window: Signal<Out, Bits<SEGMENT>>,
    /// packets of the segment, in the first from the base on
    pub visible: Signal<Out, Bits<SEGMENT>>,
    mask: [ThermometerMask<SEGMENT, SEGMENT_COUNT_BITS, 1>; 5],
    from: [Reg<Bits<SEGMENT>>; 5],
    segment: [Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>; 5],
    after0: Signal<Local, Bits<5>>,
    same0: Signal<Local, Bits<5>>,
    // Segments after the one that a bound lies in, and that one.
    after1: Reg<Bits<5>>,
    same1: Reg<Bits<5>>,
    after2: Reg<Bits<5>>,
    same2: Reg<Bits<5>>,
    is_wrap1: Reg<Bit>,
    is_first3: Reg<Bit>,
    lap1: Reg<Bit>,
    lap2: Reg<Bits<SEGMENT>>,
    below3: Reg<Bits<SEGMENT>>,
    range3: Reg<Bits<SEGMENT>>,
    window3: Reg<Bits<SEGMENT>>,
    visible4: Reg<Bits<SEGMENT>>,
    at_or_after: [Signal<Local, Bits<SEGMENT>>; 5],
}

impl Logic for SegmentMasks {
    #[kernel]
    fn update(&mut self) {
        self.mask[0].count.next = bit_cast::<SEGMENT_COUNT_BITS, SEGMENT_BITS>(self.base.val());
        self.mask[1].count.next = bit_cast::<SEGMENT_COUNT_BITS, SEGMENT_BITS>(self.edge_end.val().get_bits::<SEGMENT_BITS>(0));
        self.mask[2].count.next = bit_cast::<SEGMENT_COUNT_BITS, SEGMENT_BITS>(self.range_start.val().get_bits::<SEGMENT_BITS>(0));
        self.mask[3].count.next = bit_cast::<SEGMENT_COUNT_BITS, SEGMENT_BITS>(self.range_end.val().get_bits::<SEGMENT_BITS>(0));
        self.mask[4].count.next = bit_cast::<SEGMENT_COUNT_BITS, SEGMENT_BITS>(self.window_end.val().get_bits::<SEGMENT_BITS>(0));
        for i in 0..5 {
            self.from[i].d.next = self.from[i].q.val();
            self.segment[i].d.next = self.segment[i].q.val();
            if self.load.val() {
                self.from[i].d.next = self.mask[i].mask.val();
            }
        }
        if self.load.val() {
            self.segment[0].d.next = bits::<WINDOW_SEGMENTS_COUNT_BITS>(0);
            self.segment[1].d.next = self.edge_end.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
            self.segment[2].d.next = self.range_start.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
            self.segment[3].d.next = self.range_end.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
            self.segment[4].d.next = self.window_end.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
        }

        // 0: where the segment lies.
        self.after0.next = bits::<5>(0);
        self.same0.next = bits::<5>(0);
        for i in 0..5 {
            if self.segment[i].q.val() < self.k.val() {
                self.after0.next = self.after0.val().replace_bit(i, true);
            }
            if self.segment[i].q.val() == self.k.val() {
                self.same0.next = self.same0.val().replace_bit(i, true);
            }
        }
        self.after1.d.next = self.after0.val();
        self.same1.d.next = self.same0.val();
        self.is_wrap1.d.next = self.k.val().get_bit(WINDOW_SEGMENTS_BITS);
        self.lap1.d.next = self.k_lap.val();

        // 1: the round of each packet.
        self.after2.d.next = self.after1.q.val();
        self.same2.d.next = self.same1.q.val();
        self.lap2.d.next = bits::<SEGMENT>(0);
        if self.same1.q.val().get_bit(0) {
            self.lap2.d.next = !self.from[0].q.val();
        } else if self.is_wrap1.q.val() {
            self.lap2.d.next = self.from[0].q.val();
        }
        if self.lap1.q.val() {
            self.lap2.d.next = !bits::<SEGMENT>(0);
            if self.same1.q.val().get_bit(0) {
                self.lap2.d.next = self.from[0].q.val();
            } else if self.is_wrap1.q.val() {
                self.lap2.d.next = !self.from[0].q.val();
            }
        }
        self.lap.next = self.lap2.q.val();

        // 2: the bounds.
        for i in 0..5 {
            self.at_or_after[i].next = bits::<SEGMENT>(0);
            if self.after2.q.val().get_bit(i) {
                self.at_or_after[i].next = !bits::<SEGMENT>(0);
            } else if self.same2.q.val().get_bit(i) {
                self.at_or_after[i].next = self.from[i].q.val();
            }
        }
        self.below3.d.next = self.at_or_after[0].val() & !self.at_or_after[1].val();
        self.range3.d.next = self.at_or_after[2].val() & !self.at_or_after[3].val();
        self.window3.d.next = self.at_or_after[0].val() & !self.at_or_after[4].val();
        self.is_first3.d.next = self.same2.q.val().get_bit(0);
        self.below.next = self.below3.q.val();
        self.range.next = self.range3.q.val();
        self.window.next = self.window3.q.val();

        // 3.
        self.visible4.d.next = !bits::<SEGMENT>(0);
        if self.is_first3.q.val() {
            self.visible4.d.next = self.from[0].q.val();
        }
        self.visible.next = self.visible4.q.val();
    }
}
