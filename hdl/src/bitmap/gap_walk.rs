use crate::primitives::{FindFirst, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a walk is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum GapWalkState {
    /// none
    Idle,
    /// the base is read
    Peek,
    /// it is on its way
    Base,
    /// a run is compared with it
    Judge,
    /// a message needs room
    Room,
    /// a segment is asked for
    Ask,
    /// its bits are on their way
    Wait,
    /// bits beyond the edge are taken away
    Bits,
    /// what lies before the place that was reached is taken away
    Mask,
    /// the next end of a run
    Find,
    /// it is taken, or the next segment
    Take,
    /// the run is told
    Tell,
    /// behind it
    Next,
}

/// The missing packets of a queue pair from its base to an edge, one run of them after the other, read from the bitmap.
///
/// A run ends with its segment. Its segment is read anew for each run, once there is room for a message: then what has arrived while the
/// wire was taken is not asked for. The base is read behind the segment, and what lies below it is left out: a slot there may have been
/// given to a packet of the next round. So what is told had not arrived some 20 clocks before, but for what the bitmap's writes are late.
/// Who shares the ports goes first: nothing waits for a walk. Latency: 8 clocks to the first segment, 6 for each, and 12 for each run.
/// Reset: no walk.
///
/// `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`; `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`,
/// `WINDOW_SEGMENTS_BITS` the width of a segment's number in the window, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct GapWalk {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a walk begins; ignored during one
    pub starts: Signal<In, Bit>,
    /// of this queue pair
    pub start_qp: Signal<In, Bits<NODE_BITS>>,
    /// to this packet
    pub start_edge: Signal<In, Bits<24>>,
    /// highest number, for its messages
    pub start_max: Signal<In, Bits<24>>,
    /// misjudgements, for its messages
    pub start_misjudged: Signal<In, Bits<24>>,
    /// it is given up
    pub ends: Signal<In, Bit>,
    /// there is one
    pub busy: Signal<Out, Bit>,
    /// of this queue pair
    pub qp: Signal<Out, Bits<NODE_BITS>>,
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
    /// there is room for a message
    pub room: Signal<In, Bit>,
    /// nobody else has one in this clock
    pub free: Signal<In, Bit>,
    /// a message
    pub tells: Signal<Out, Bit>,
    /// from this packet
    pub run_first: Signal<Out, Bits<24>>,
    /// to this one
    pub run_last: Signal<Out, Bits<24>>,
    /// first missing packet
    pub base: Signal<Out, Bits<24>>,
    /// highest number
    pub max: Signal<Out, Bits<24>>,
    /// misjudgements
    pub misjudged: Signal<Out, Bits<24>>,

    state: State<GapWalkState>,
    timer: Reg<Bits<2>>,
    walk_qp: Reg<Bits<NODE_BITS>>,
    reach: Reg<Bits<24>>,
    highest: Reg<Bits<24>>,
    misjudgements: Reg<Bits<24>>,
    position: Reg<Bits<24>>,
    lowest: Reg<Bits<24>>,
    segment: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    next_segment: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    ones: Signal<Local, Bits<SEGMENT_BITS>>,
    is_last: Reg<Bit>,
    clear: Signal<Local, Bits<SEGMENT>>,
    missing: Reg<Bits<SEGMENT>>,
    from: Reg<Bits<SEGMENT_BITS>>,
    in_run: Reg<Bit>,
    has_run: Reg<Bit>,
    wanted: Signal<Local, Bits<SEGMENT>>,
    open: Reg<Bits<SEGMENT>>,
    find: FindFirst<SEGMENT, SEGMENT_BITS>,
    any: Reg<Bit>,
    place: Reg<Bits<SEGMENT_BITS>>,
    whole: Signal<Local, Bits<24>>,
    here: Signal<Local, Bits<24>>,
    first: Reg<Bits<24>>,
    last: Reg<Bits<24>>,
    // Signs of differences.
    to_edge: Signal<Local, Bits<24>>,
    to_first: Signal<Local, Bits<24>>,
    to_last: Signal<Local, Bits<24>>,
}

impl Logic for GapWalk {
    #[kernel]
    fn update(&mut self) {
        self.busy.next = self.state.q.val() != GapWalkState::Idle;
        self.qp.next = self.walk_qp.q.val();
        self.peek_valid.next = self.state.q.val() == GapWalkState::Peek;
        self.word_valid.next = self.state.q.val() == GapWalkState::Ask;
        self.segment.next = self.position.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.next_segment.next = self.segment.val() + 1;
        self.ones.next = !bits::<SEGMENT_BITS>(0);
        self.word_segment.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.walk_qp.q.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.segment.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.tells.next = (self.state.q.val() == GapWalkState::Tell) && self.room.val() && self.free.val();
        self.run_first.next = self.first.q.val();
        self.run_last.next = self.last.q.val();
        self.base.next = self.lowest.q.val();
        self.max.next = self.highest.q.val();
        self.misjudged.next = self.misjudgements.q.val();

        // Bits of the segment that have not arrived, and of these those up to the edge.
        self.is_last.d.next = self.segment.val() == self.reach.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.clear.next = self.word.val();
        if self.segment.val().get_bit(WINDOW_SEGMENTS_BITS) {
            self.clear.next = !self.word.val();
        }
        self.wanted.next = self.missing.q.val();
        if self.in_run.q.val() {
            self.wanted.next = !self.missing.q.val();
        }
        for i in 0..SEGMENT {
            if self.is_last.q.val() && (self.reach.q.val().get_bits::<SEGMENT_BITS>(0) < i.to_bits::<SEGMENT_BITS>()) {
                self.clear.next = self.clear.val().replace_bit(i, false);
            }
            if self.from.q.val() > i.to_bits::<SEGMENT_BITS>() {
                self.wanted.next = self.wanted.val().replace_bit(i, false);
            }
        }
        self.find.request.next = self.open.q.val();
        self.any.d.next = self.find.any.val();
        self.place.d.next = self.find.index.val();
        self.whole.next = bit_cast::<24, SEGMENT_REST_BITS>(self.segment.val()) << SEGMENT_BITS.to_bits::<4>();
        self.here.next = self.whole.val() | bit_cast::<24, SEGMENT_BITS>(self.place.q.val());
        self.to_edge.next = self.reach.q.val() - self.position.q.val();
        self.to_first.next = self.first.q.val() - self.lowest.q.val();
        self.to_last.next = self.last.q.val() - self.lowest.q.val();
        self.timer.d.next = self.timer.q.val() + 1;

        match self.state.q.val() {
            GapWalkState::Peek => {
                self.timer.d.next = bits::<2>(0);
                if self.peek_ready.val() {
                    self.state.d.next = GapWalkState::Base;
                }
            }
            GapWalkState::Base => {
                self.lowest.d.next = self.peek_base.val();
                // The base has come with the third clock.
                if self.timer.q.val().all() {
                    self.lowest.d.next = self.lowest.q.val();
                    self.state.d.next = GapWalkState::Judge;
                }
            }
            GapWalkState::Judge => {
                self.state.d.next = GapWalkState::Tell;
                if self.to_first.val().get_bit(23) {
                    self.first.d.next = self.lowest.q.val();
                }
                if self.to_last.val().get_bit(23) {
                    self.state.d.next = GapWalkState::Next;
                }
                if !self.has_run.q.val() {
                    self.position.d.next = self.lowest.q.val();
                    self.state.d.next = GapWalkState::Room;
                }
            }
            GapWalkState::Room => {
                if self.room.val() {
                    self.state.d.next = GapWalkState::Ask;
                }
                if self.to_edge.val().get_bit(23) {
                    self.state.d.next = GapWalkState::Idle;
                }
            }
            GapWalkState::Ask => {
                if self.word_ready.val() {
                    self.state.d.next = GapWalkState::Wait;
                }
            }
            GapWalkState::Wait => {
                self.state.d.next = GapWalkState::Bits;
            }
            GapWalkState::Bits => {
                self.missing.d.next = self.clear.val();
                self.from.d.next = self.position.q.val().get_bits::<SEGMENT_BITS>(0);
                self.in_run.d.next = false;
                self.state.d.next = GapWalkState::Mask;
            }
            GapWalkState::Mask => {
                self.open.d.next = self.wanted.val();
                self.state.d.next = GapWalkState::Find;
            }
            GapWalkState::Find => {
                self.state.d.next = GapWalkState::Take;
            }
            GapWalkState::Take => {
                self.in_run.d.next = true;
                self.has_run.d.next = true;
                self.from.d.next = self.place.q.val();
                if self.in_run.q.val() {
                    // Up to the end of the segment, if nothing behind it has arrived.
                    self.last.d.next = self.whole.val() | bit_cast::<24, SEGMENT_BITS>(self.ones.val());
                    if self.any.q.val() {
                        self.last.d.next = self.here.val() - 1;
                    }
                    self.state.d.next = GapWalkState::Peek;
                } else if self.any.q.val() {
                    self.first.d.next = self.here.val();
                    self.state.d.next = GapWalkState::Mask;
                } else {
                    self.position.d.next = bit_cast::<24, SEGMENT_REST_BITS>(self.next_segment.val()) << SEGMENT_BITS.to_bits::<4>();
                    self.state.d.next = GapWalkState::Room;
                }
            }
            GapWalkState::Tell => {
                if !self.room.val() {
                    self.state.d.next = GapWalkState::Room;
                } else if self.free.val() {
                    self.state.d.next = GapWalkState::Next;
                }
            }
            GapWalkState::Next => {
                self.position.d.next = self.last.q.val() + 1;
                self.state.d.next = GapWalkState::Room;
            }
            _ => {
                self.walk_qp.d.next = self.start_qp.val();
                self.reach.d.next = self.start_edge.val();
                self.highest.d.next = self.start_max.val();
                self.misjudgements.d.next = self.start_misjudged.val();
                self.has_run.d.next = false;
                if self.starts.val() {
                    self.state.d.next = GapWalkState::Peek;
                }
            }
        }
        if self.ends.val() {
            self.state.d.next = GapWalkState::Idle;
        }
    }
}
