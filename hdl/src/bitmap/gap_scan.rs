use crate::primitives::{FindFirst, PriorityEncoder, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a search is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum GapScanState {
    /// none
    Idle,
    /// the base is read
    Peek,
    /// it is compared with the range
    Clamp,
    /// a segment is asked for
    Ask,
    /// its bits are on their way
    Wait,
    /// bits outside of the range are taken away
    Mask,
    /// first or last of the others
    Find,
    /// it is taken, or the next segment
    Take,
    /// the base is read again, if it was not with the last word
    Check,
    /// it is compared with what was found
    Judge,
}

/// First and last packet of a range that has not arrived, read from the bitmap's replica segment by segment.
///
/// A slot below the base may have been given to a packet of the next round and then looks as if its own had not arrived. So the search
/// begins at the base if that lies in the range, and what was found counts if it is not below the base as it is afterwards; else the search
/// is made again from there. The first packet may arrive while the last is looked for, and the base be told later than bits are set: then
/// what looks like the last may lie below it, and the search is made again too.
/// Latency: about 10 clocks and 5 for each segment that is read, up from the first and, unless that is the last too, down again; more while
/// others read.
/// Reset: no search.
///
/// `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`; `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`,
/// `WINDOW_SEGMENTS_BITS` the width of a segment's number in the window, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct GapScan {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a search begins; ignored during one
    pub starts: Signal<In, Bit>,
    /// queue pair
    pub qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet of the range, two clocks later; this and the others stay as they are until `done`
    pub first: Signal<In, Bits<24>>,
    /// last packet of the range
    pub last: Signal<In, Bits<24>>,
    /// the search is over
    pub done: Signal<Out, Bit>,
    /// a packet has not arrived
    pub found: Signal<Out, Bit>,
    /// the first of them
    pub found_first: Signal<Out, Bits<24>>,
    /// the last of them
    pub found_last: Signal<Out, Bits<24>>,
    /// the base is to be read
    pub peek_valid: Signal<Out, Bit>,
    /// it is
    pub peek_ready: Signal<In, Bit>,
    /// the base, 3 clocks later
    pub peek_base: Signal<In, Bits<24>>,
    /// a segment is to be read
    pub word_valid: Signal<Out, Bit>,
    /// it can be
    pub word_ready: Signal<In, Bit>,
    /// segment of `word`
    pub word_segment: Signal<Out, Bits<SEGMENT_ADDRESS_BITS>>,
    /// its bits, 2 clocks later
    pub word: Signal<In, Bits<SEGMENT>>,

    state: State<GapScanState>,
    timer: Reg<Bits<2>>,
    from: Reg<Bits<24>>,
    base: Reg<Bits<24>>,
    down: Reg<Bit>,
    segment: Reg<Bits<SEGMENT_REST_BITS>>,
    is_first: Reg<Bit>,
    is_last: Reg<Bit>,
    clear: Signal<Local, Bits<SEGMENT>>,
    inside: Signal<Local, Bits<SEGMENT>>,
    open: Reg<Bits<SEGMENT>>,
    lowest: FindFirst<SEGMENT, SEGMENT_BITS>,
    highest: PriorityEncoder<SEGMENT, SEGMENT_BITS>,
    low: Reg<Bits<SEGMENT_BITS>>,
    high: Reg<Bits<SEGMENT_BITS>>,
    any: Reg<Bit>,
    place: Signal<Local, Bits<24>>,
    // Signs of differences.
    to_last: Signal<Local, Bits<24>>,
    to_from: Signal<Local, Bits<24>>,
    to_first: Signal<Local, Bits<24>>,
    to_found: Signal<Local, Bits<24>>,
    first_found: Reg<Bits<24>>,
    last_found: Reg<Bits<24>>,
    is_found: Reg<Bit>,
    is_done: State<Bit>,
    checked: Reg<Bit>,
}

impl Logic for GapScan {
    #[kernel]
    fn update(&mut self) {
        // With each word the base is read again: then what was found there can be judged at once.
        self.peek_valid.next = (self.state.q.val() == GapScanState::Peek)
            || (self.state.q.val() == GapScanState::Check)
            || (self.state.q.val() == GapScanState::Wait);
        self.word_valid.next = self.state.q.val() == GapScanState::Ask;
        self.word_segment.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.qp.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.segment.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.is_done.d.next = false;
        self.done.next = self.is_done.q.val();
        self.found.next = self.is_found.q.val();
        self.found_first.next = self.first_found.q.val();
        self.found_last.next = self.last_found.q.val();

        // Bits of the segment that have not arrived, and of these those in the range.
        self.is_first.d.next = self.segment.q.val() == self.from.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.is_last.d.next = self.segment.q.val() == self.last.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.clear.next = self.word.val();
        if self.segment.q.val().get_bit(WINDOW_SEGMENTS_BITS) {
            self.clear.next = !self.word.val();
        }
        self.inside.next = !bits::<SEGMENT>(0);
        for i in 0..SEGMENT {
            if self.is_first.q.val() && (self.from.q.val().get_bits::<SEGMENT_BITS>(0) > i.to_bits::<SEGMENT_BITS>()) {
                self.inside.next = self.inside.val().replace_bit(i, false);
            }
            if self.is_last.q.val() && (self.last.val().get_bits::<SEGMENT_BITS>(0) < i.to_bits::<SEGMENT_BITS>()) {
                self.inside.next = self.inside.val().replace_bit(i, false);
            }
        }
        self.lowest.request.next = self.open.q.val();
        self.highest.request.next = self.open.q.val();
        self.any.d.next = self.lowest.any.val();
        self.low.d.next = self.lowest.index.val();
        self.high.d.next = self.highest.index.val();
        self.place.next = bit_cast::<24, SEGMENT_REST_BITS>(self.segment.q.val()) << SEGMENT_BITS.to_bits::<4>();
        self.to_last.next = self.last.val() - self.base.q.val();
        self.to_from.next = self.from.q.val() - self.base.q.val();
        self.to_first.next = self.first_found.q.val() - self.base.q.val();
        self.to_found.next = self.last_found.q.val() - self.first_found.q.val();
        self.timer.d.next = self.timer.q.val() + 1;

        match self.state.q.val() {
            GapScanState::Peek => {
                self.from.d.next = self.first.val();
                if self.peek_ready.val() {
                    self.state.d.next = GapScanState::Clamp;
                }
                self.timer.d.next = bits::<2>(0);
            }
            GapScanState::Clamp => {
                self.base.d.next = self.peek_base.val();
                self.from.d.next = self.first.val();
                // The base has come with the third clock.
                if self.timer.q.val().all() {
                    self.state.d.next = GapScanState::Ask;
                    self.from.d.next = self.from.q.val();
                    self.segment.d.next = self.from.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
                    if self.to_from.val().get_bit(23) {
                        self.from.d.next = self.base.q.val();
                        self.segment.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
                    }
                    if self.to_last.val().get_bit(23) {
                        self.is_found.d.next = false;
                        self.is_done.d.next = true;
                        self.state.d.next = GapScanState::Idle;
                    }
                }
                self.down.d.next = false;
            }
            GapScanState::Ask => {
                if self.word_ready.val() {
                    self.state.d.next = GapScanState::Wait;
                }
            }
            GapScanState::Wait => {
                self.checked.d.next = self.peek_ready.val();
                self.state.d.next = GapScanState::Mask;
            }
            GapScanState::Mask => {
                self.open.d.next = self.clear.val() & self.inside.val();
                self.state.d.next = GapScanState::Find;
            }
            GapScanState::Find => {
                self.state.d.next = GapScanState::Take;
            }
            GapScanState::Take => {
                self.state.d.next = GapScanState::Ask;
                if self.any.q.val() {
                    self.last_found.d.next = self.place.val() | bit_cast::<24, SEGMENT_BITS>(self.high.q.val());
                    if !self.down.q.val() {
                        // Down again from the end, if that lies in another segment.
                        self.first_found.d.next = self.place.val() | bit_cast::<24, SEGMENT_BITS>(self.low.q.val());
                        self.down.d.next = true;
                        self.segment.d.next = self.last.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
                    }
                    if self.down.q.val() || self.is_last.q.val() {
                        self.state.d.next = GapScanState::Check;
                        if self.checked.q.val() {
                            self.base.d.next = self.peek_base.val();
                            self.timer.d.next = bits::<2>(3);
                            self.state.d.next = GapScanState::Judge;
                        }
                    }
                } else if self.down.q.val() {
                    self.segment.d.next = self.segment.q.val() - 1;
                    if self.is_first.q.val() {
                        self.is_found.d.next = false;
                        self.is_done.d.next = true;
                        self.state.d.next = GapScanState::Idle;
                    }
                } else {
                    self.segment.d.next = self.segment.q.val() + 1;
                    if self.is_last.q.val() {
                        self.is_found.d.next = false;
                        self.is_done.d.next = true;
                        self.state.d.next = GapScanState::Idle;
                    }
                }
            }
            GapScanState::Check => {
                if self.peek_ready.val() {
                    self.state.d.next = GapScanState::Judge;
                }
                self.timer.d.next = bits::<2>(0);
            }
            GapScanState::Judge => {
                self.base.d.next = self.peek_base.val();
                if self.timer.q.val().all() {
                    if self.to_first.val().get_bit(23) || self.to_found.val().get_bit(23) {
                        self.state.d.next = GapScanState::Peek;
                    } else {
                        self.is_found.d.next = true;
                        self.is_done.d.next = true;
                        self.state.d.next = GapScanState::Idle;
                    }
                }
            }
            _ => {
                if self.starts.val() && !self.is_done.q.val() {
                    self.state.d.next = GapScanState::Peek;
                }
            }
        }
    }
}
