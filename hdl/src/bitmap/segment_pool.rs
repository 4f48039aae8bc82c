use super::AdvanceRequests;
use crate::primitives::{BlockRam, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the pool is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum PoolState {
    /// every segment is cleared and free
    Fill,
    /// what comes next
    Idle,
    /// a queue pair is read
    Load,
    /// it is on its way
    Read,
    /// it is there
    Have,
    /// lengths are compared
    Judge,
    /// the segment in front is on its way
    Wait,
    /// it is given back, or another one taken
    Act,
    /// a segment becomes the last of the window
    Map,
    /// a segment becomes free
    Push,
    /// a segment of a queue pair that is closed waits for its clearing
    Clear,
    /// the last clearing passes
    Settle,
    /// the first segment of a queue pair that is opened waits for its clearing
    First,
}

/// Segments of all windows from one pool: which one each part of a window lies in, and where each window ends.
///
/// A window holds the segments from that of its base to its edge, `length` of them beyond that of the base, so that it is never shorter
/// than `length` segments while the pool has them. The edge moves over whole segments and never back. A segment that the base has passed
/// goes to the edge again, or back to the pool if the window is longer than it is to be; a window that is shorter takes one from the pool.
/// `limit` is the most that one queue pair may hold. Who asks for a segment while there is none keeps the length that it has. Nothing is
/// cleared while windows move: a segment that the base has passed has one value in all of its bits, and so has every free one; with its
/// next place in a window that value means "not arrived". `flip` says so: a packet has arrived if its bit differs from `flip` in the way
/// that it differs from zero where every segment has its own place, see `HeadRun`. Only what a queue pair that is closed leaves behind is
/// cleared, and the first segment of one that is opened, in clocks without a header. A place that no segment belongs to reads as `flip` in
/// all bits. Who has asked is served first, then commands, then all queue pairs in turn.
/// Latency: 3 clocks from a header's queue pair to its place, 2 for readers; 14 clocks from the base that leaves a segment to the edge, and
/// 4 for each further segment. Reset: every segment is free; `ready` comes `2^AREA_BITS` clocks after it.
///
/// `AREA_BITS` is the width of a segment's number in the pool, not less than `NODE_BITS`; `AREA_ENTRY_BITS` = `AREA_BITS + 2`,
/// `AREA_COUNT_BITS` = `AREA_BITS + 1`. The others are those of `BitmapPipeline`.
#[derive(Default, Described, LogicBlock)]
pub struct SegmentPool<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every segment is free
    pub ready: Signal<Out, Bit>,
    /// segments that a window is to have beyond that of its base
    pub length: Signal<In, Bits<16>>,
    /// segments that a queue pair may hold, 0: any number
    pub limit: Signal<In, Bits<16>>,

    /// queue pair of a header
    pub header_qp: Signal<In, Bits<NODE_BITS>>,
    /// segment of `header`
    pub header_segment: Signal<In, Bits<WINDOW_SEGMENTS_BITS>>,
    /// where it lies, 2 clocks later
    pub header_place: Signal<Out, Bits<AREA_BITS>>,
    /// the bits of `header` mean the opposite
    pub header_flip: Signal<Out, Bit>,
    /// first segment beyond the window
    pub header_edge: Signal<Out, Bits<SEGMENT_REST_BITS>>,
    /// a segment that is to be read
    pub read_segment: Signal<In, Bits<SEGMENT_ADDRESS_BITS>>,
    /// where it lies, 2 clocks later
    pub read_place: Signal<Out, Bits<AREA_BITS>>,
    /// it lies somewhere
    pub read_mapped: Signal<Out, Bit>,
    /// the bits of `read` mean the opposite; without a place, what all of them are
    pub read_flip: Signal<Out, Bit>,

    /// a base is written that has left its segment
    pub base_write: Signal<In, Bit>,
    /// queue pair
    pub base_qp: Signal<In, Bits<NODE_BITS>>,
    /// segment of `base`
    pub base_segment: Signal<In, Bits<SEGMENT_REST_BITS>>,

    /// a command is under way
    pub command_busy: Signal<In, Bit>,
    /// for this queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// which is closed, and nothing is under way for it
    pub drained: Signal<In, Bit>,
    /// its segments have yet to come back
    pub hold: Signal<Out, Bit>,
    /// a segment of the queue pair that is opened
    pub sweep_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `sweep_valid` is high too
    pub sweep_ready: Signal<Out, Bit>,
    /// segment of `sweep`
    pub sweep_segment: Signal<In, Bits<SEGMENT_REST_BITS>>,
    /// it is the first of the window, and the last of these
    pub sweep_last: Signal<In, Bit>,
    /// the queue pair has its segments
    pub opened: Signal<Out, Bit>,
    /// it has none
    pub refused: Signal<Out, Bit>,

    /// a segment is to be cleared
    pub begin_valid: Signal<Out, Bit>,
    /// it is
    pub begin_ready: Signal<In, Bit>,
    /// where it lies
    pub begin_place: Signal<Out, Bits<AREA_BITS>>,
    /// it is the first of a window, else all of it is cleared
    pub begin_first: Signal<Out, Bit>,

    /// an edge moves
    pub edge_valid: Signal<Out, Bit>,
    /// of this queue pair
    pub edge_qp: Signal<Out, Bits<NODE_BITS>>,
    /// first segment beyond the window
    pub edge_segment: Signal<Out, Bits<SEGMENT_REST_BITS>>,
    /// free segments
    pub free: Signal<Out, Bits<16>>,
    /// a queue pair that asks stays shorter than it is to be
    pub evt_exhausted: Signal<Out, Bit>,
    /// a window has become shorter
    pub evt_shrunk: Signal<Out, Bit>,

    // Of each place: a segment belongs to it, flip, which segment. One for headers, one for readers, one for the pool.
    header_table: BlockRam<AREA_ENTRY_BITS, SEGMENT_ADDRESS_BITS, 1>,
    read_table: BlockRam<AREA_ENTRY_BITS, SEGMENT_ADDRESS_BITS, 1>,
    own_table: BlockRam<AREA_ENTRY_BITS, SEGMENT_ADDRESS_BITS, 1>,
    header_edges: BlockRam<SEGMENT_REST_BITS, NODE_BITS, 1>,
    edges: BlockRam<SEGMENT_REST_BITS, NODE_BITS, 1>,
    heads: BlockRam<SEGMENT_REST_BITS, NODE_BITS, 1>,
    bases: BlockRam<SEGMENT_REST_BITS, NODE_BITS, 1>,
    used: LutRam<1, NODE_BITS>,
    // Value of its bits and number of every free segment.
    stack: BlockRam<AREA_COUNT_BITS, AREA_BITS, 1>,
    requests: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,

    state: State<PoolState>,
    timer: Reg<Bits<4>>,
    fill: State<Bits<AREA_BITS>>,
    level: Reg<Bits<AREA_COUNT_BITS>>,
    capped: Reg<Bits<16>>,
    limit1: Reg<Bits<16>>,
    wanted: Reg<Bits<16>>,
    qp: Reg<Bits<NODE_BITS>>,
    patrol: State<Bits<NODE_BITS>>,
    head: Reg<Bits<SEGMENT_REST_BITS>>,
    last: Reg<Bits<SEGMENT_REST_BITS>>,
    base: Reg<Bits<SEGMENT_REST_BITS>>,
    asked: Reg<Bit>,
    barred: Reg<Bit>,
    closing: State<Bit>,
    opening: State<Bit>,
    closed: State<Bit>,
    is_open: State<Bit>,
    is_refused: State<Bit>,
    passed: Reg<Bit>,
    short: Reg<Bit>,
    keeps: Reg<Bit>,
    place: Reg<Bits<AREA_BITS>>,
    // Value of all bits of the segment at `place`.
    value: Reg<Bit>,
    held: Signal<Local, Bits<16>>,
    has_free: Signal<Local, Bit>,
    others: Signal<Local, Bit>,
    ours: Signal<Local, Bit>,
    write: Signal<Local, Bit>,
    write_segment: Signal<Local, Bits<WINDOW_SEGMENTS_BITS>>,
    write_mapped: Signal<Local, Bit>,
    write_flip: Signal<Local, Bit>,
    write_place: Signal<Local, Bits<AREA_BITS>>,
    write_qp: Signal<Local, Bits<NODE_BITS>>,
    entry: Signal<Local, Bits<AREA_ENTRY_BITS>>,
    edge_write: Signal<Local, Bit>,
    edge_data: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    head_write: Signal<Local, Bit>,
    head_data: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    front_flip: Signal<Local, Bit>,
}

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize>
    SegmentPool<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize> Logic
    for SegmentPool<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        // What is looked up.
        self.header_table.read_address.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.header_qp.val())
            << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.header_segment.val());
        self.header_place.next = self.header_table.read_data.val().get_bits::<AREA_BITS>(0);
        self.header_flip.next = self.header_table.read_data.val().get_bit(AREA_BITS);
        self.header_edges.read_address.next = self.header_qp.val();
        self.header_edge.next = self.header_edges.read_data.val();
        self.read_table.read_address.next = self.read_segment.val();
        self.read_place.next = self.read_table.read_data.val().get_bits::<AREA_BITS>(0);
        self.read_flip.next = self.read_table.read_data.val().get_bit(AREA_BITS);
        self.read_mapped.next = self.read_table.read_data.val().get_bit(AREA_BITS + 1);
        self.edges.read_address.next = self.qp.q.val();
        self.heads.read_address.next = self.qp.q.val();
        self.bases.read_address.next = self.qp.q.val();
        self.used.read_address.next = self.qp.q.val();
        self.own_table.read_address.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.qp.q.val())
            << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.head.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.stack.read_address.next = self.level.q.val().get_bits::<AREA_BITS>(0) - 1;

        // Who asks.
        self.bases.write_enable.next = self.base_write.val();
        self.bases.write_address.next = self.base_qp.val();
        self.bases.write_data.next = self.base_segment.val();
        self.requests.ask.next = self.base_write.val();
        self.requests.ask_qp.next = self.base_qp.val();
        self.requests.out_ready.next = self.state.q.val() == PoolState::Idle;

        // How many segments a queue pair is to hold, that of the base among them.
        self.capped.d.next = self.length.val();
        if self.length.val() >= (1usize << WINDOW_SEGMENTS_BITS).to_bits::<16>() {
            self.capped.d.next = (1usize << WINDOW_SEGMENTS_BITS).to_bits::<16>() - 1;
        }
        self.wanted.d.next = self.capped.q.val() + 1;
        self.limit1.d.next = self.limit.val();
        if self.limit1.q.val().any() && (self.limit1.q.val() <= self.capped.q.val()) {
            self.wanted.d.next = self.limit1.q.val();
        }

        self.held.next = bit_cast::<16, SEGMENT_REST_BITS>(self.last.q.val() - self.head.q.val());
        self.has_free.next = self.level.q.val().any();
        self.others.next = self.requests.out_valid.val() || self.sweep_valid.val() || (self.drained.val() && !self.closed.q.val());
        self.ours.next = self.command_busy.val() && (self.command_qp.val() == self.qp.q.val());
        self.front_flip.next = self.own_table.read_data.val().get_bit(AREA_BITS);
        self.passed.d.next = (self.base.q.val() != self.head.q.val()) && !self.opening.q.val();
        if self.closing.q.val() {
            self.passed.d.next = self.last.q.val() != self.head.q.val();
        }
        self.short.d.next = self.held.val() < self.wanted.q.val();
        self.keeps.d.next = self.held.val() <= self.wanted.q.val();
        self.timer.d.next = self.timer.q.val() + 1;

        self.hold.next = self.drained.val() && !self.closed.q.val();
        self.opened.next = self.is_open.q.val();
        self.refused.next = self.is_refused.q.val();
        self.free.next = bit_cast::<16, AREA_COUNT_BITS>(self.level.q.val());
        self.ready.next = (self.state.q.val() != PoolState::Fill) && self.requests.ready.val();
        self.sweep_ready.next = false;
        self.begin_valid.next = false;
        self.begin_place.next = self.place.q.val();
        self.begin_first.next = false;
        self.evt_exhausted.next = false;
        self.evt_shrunk.next = false;
        self.write.next = false;
        self.write_qp.next = self.qp.q.val();
        self.write_segment.next = self.last.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0);
        self.write_mapped.next = true;
        self.write_place.next = self.place.q.val();
        self.write_flip.next = self.value.q.val() == self.last.q.val().get_bit(WINDOW_SEGMENTS_BITS);
        self.edge_write.next = false;
        self.edge_data.next = self.last.q.val() + 1;
        self.head_write.next = false;
        self.head_data.next = self.head.q.val() + 1;
        self.used.write_enable.next = false;
        self.used.write_address.next = self.qp.q.val();
        self.used.write_data.next = bits::<1>(0);
        self.stack.write_enable.next = false;
        self.stack.write_address.next = self.level.q.val().get_bits::<AREA_BITS>(0);
        self.stack.write_data.next = bit_cast::<AREA_COUNT_BITS, AREA_BITS>(self.place.q.val())
            | (bit_cast::<AREA_COUNT_BITS, 1>(self.value.q.val().into()) << AREA_BITS.to_bits::<5>());
        if !self.drained.val() {
            self.closed.d.next = false;
        }
        if !self.command_busy.val() {
            self.is_open.d.next = false;
            self.is_refused.d.next = false;
        }

        match self.state.q.val() {
            PoolState::Fill => {
                self.begin_valid.next = true;
                self.begin_place.next = self.fill.q.val();
                self.used.write_enable.next = true;
                self.used.write_address.next = self.fill.q.val().get_bits::<NODE_BITS>(0);
                self.stack.write_enable.next = true;
                self.stack.write_address.next = self.fill.q.val();
                self.stack.write_data.next = bit_cast::<AREA_COUNT_BITS, AREA_BITS>(self.fill.q.val());
                self.level.d.next = (1usize << AREA_BITS).to_bits::<AREA_COUNT_BITS>();
                if self.begin_ready.val() {
                    self.fill.d.next = self.fill.q.val() + 1;
                    if self.fill.q.val().all() {
                        self.state.d.next = PoolState::Idle;
                    }
                }
            }
            PoolState::Load => {
                self.barred.d.next = self.ours.val();
                self.state.d.next = PoolState::Read;
            }
            PoolState::Read => {
                self.state.d.next = PoolState::Have;
            }
            PoolState::Have => {
                self.head.d.next = self.heads.read_data.val();
                self.last.d.next = self.edges.read_data.val();
                self.base.d.next = self.bases.read_data.val();
                self.state.d.next = PoolState::Judge;
                // Closed, or about to be, or opened while it was read; one that has nothing to give back is done with that.
                if !self.used.read_data.val().any() || ((self.ours.val() || self.barred.q.val()) && !self.closing.q.val()) {
                    self.closed.d.next = self.closing.q.val();
                    self.closing.d.next = false;
                    self.state.d.next = PoolState::Idle;
                }
            }
            PoolState::Judge => {
                self.state.d.next = PoolState::Wait;
            }
            PoolState::Wait => {
                self.state.d.next = PoolState::Act;
            }
            PoolState::Act => {
                self.timer.d.next = bits::<4>(4);
                if self.passed.q.val() {
                    // All bits have the value that means "arrived"; for a reader from below the window they still do.
                    self.place.d.next = self.own_table.read_data.val().get_bits::<AREA_BITS>(0);
                    self.value.d.next = self.front_flip.val() != self.head.q.val().get_bit(WINDOW_SEGMENTS_BITS);
                    self.state.d.next = PoolState::Clear;
                    if !self.closing.q.val() {
                        self.write.next = true;
                        self.write_segment.next = self.head.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0);
                        self.write_mapped.next = false;
                        self.write_flip.next = self.head.q.val().get_bit(WINDOW_SEGMENTS_BITS);
                        self.head_write.next = true;
                        self.head.d.next = self.head_data.val();
                        self.state.d.next = PoolState::Push;
                        if self.keeps.q.val() {
                            self.state.d.next = PoolState::Map;
                        }
                    }
                } else if self.closing.q.val() {
                    self.used.write_enable.next = true;
                    self.state.d.next = PoolState::Settle;
                } else if self.short.q.val() && self.has_free.val() {
                    self.place.d.next = self.stack.read_data.val().get_bits::<AREA_BITS>(0);
                    self.value.d.next = self.stack.read_data.val().get_bit(AREA_BITS);
                    self.level.d.next = self.level.q.val() - 1;
                    self.state.d.next = PoolState::Map;
                } else {
                    self.evt_exhausted.next = self.short.q.val() && self.asked.q.val();
                    if self.opening.q.val() {
                        self.is_open.d.next = true;
                    }
                    self.opening.d.next = false;
                    self.state.d.next = PoolState::Idle;
                }
            }
            PoolState::Map => {
                self.write.next = true;
                self.edge_write.next = true;
                self.last.d.next = self.edge_data.val();
                self.state.d.next = PoolState::Judge;
                if !self.passed.q.val() && !self.opening.q.val() && self.others.val() {
                    self.state.d.next = PoolState::Idle;
                }
            }
            PoolState::Push => {
                self.stack.write_enable.next = true;
                self.level.d.next = self.level.q.val() + 1;
                self.evt_shrunk.next = !self.closing.q.val();
                self.state.d.next = PoolState::Judge;
            }
            PoolState::Clear => {
                self.begin_valid.next = true;
                self.value.d.next = false;
                if self.begin_ready.val() {
                    self.head_write.next = true;
                    self.head.d.next = self.head_data.val();
                    self.state.d.next = PoolState::Push;
                } else if self.requests.out_valid.val() {
                    self.closing.d.next = false;
                    self.state.d.next = PoolState::Idle;
                }
            }
            PoolState::Settle => {
                if self.timer.q.val().all() {
                    self.closed.d.next = true;
                    self.closing.d.next = false;
                    self.state.d.next = PoolState::Idle;
                }
            }
            PoolState::First => {
                self.begin_valid.next = self.has_free.val();
                self.begin_first.next = true;
                self.begin_place.next = self.stack.read_data.val().get_bits::<AREA_BITS>(0);
                self.head.d.next = self.sweep_segment.val();
                self.last.d.next = self.sweep_segment.val() + 1;
                self.write_segment.next = self.sweep_segment.val().get_bits::<WINDOW_SEGMENTS_BITS>(0);
                self.write_flip.next = false;
                self.write_place.next = self.stack.read_data.val().get_bits::<AREA_BITS>(0);
                self.edge_data.next = self.sweep_segment.val() + 1;
                self.head_data.next = self.sweep_segment.val();
                self.used.write_data.next = bits::<1>(1);
                if !self.has_free.val() {
                    self.sweep_ready.next = true;
                    self.evt_exhausted.next = true;
                    self.is_refused.d.next = true;
                    self.is_open.d.next = true;
                    self.state.d.next = PoolState::Idle;
                } else if self.begin_ready.val() {
                    self.sweep_ready.next = true;
                    self.write.next = true;
                    self.edge_write.next = true;
                    self.head_write.next = true;
                    self.used.write_enable.next = true;
                    self.level.d.next = self.level.q.val() - 1;
                    self.opening.d.next = true;
                    self.state.d.next = PoolState::Judge;
                } else if self.requests.out_valid.val() {
                    self.state.d.next = PoolState::Idle;
                }
            }
            _ => {
                self.qp.d.next = self.patrol.q.val();
                self.asked.d.next = false;
                self.state.d.next = PoolState::Load;
                if self.requests.out_valid.val() {
                    self.qp.d.next = self.requests.out_qp.val();
                    self.asked.d.next = true;
                } else if self.sweep_valid.val() {
                    self.qp.d.next = self.command_qp.val();
                    self.asked.d.next = true;
                    // A place of the window that is yet to get its segment.
                    self.write_qp.next = self.command_qp.val();
                    self.write_segment.next = self.sweep_segment.val().get_bits::<WINDOW_SEGMENTS_BITS>(0);
                    self.write_mapped.next = false;
                    self.write_flip.next = !self.sweep_segment.val().get_bit(WINDOW_SEGMENTS_BITS);
                    self.write.next = true;
                    self.sweep_ready.next = !self.sweep_last.val();
                    self.state.d.next = PoolState::Idle;
                    if self.sweep_last.val() {
                        self.state.d.next = PoolState::First;
                    }
                } else if self.drained.val() && !self.closed.q.val() {
                    self.qp.d.next = self.command_qp.val();
                    self.closing.d.next = true;
                } else {
                    self.patrol.d.next = self.patrol.q.val() + 1;
                }
            }
        }

        self.entry.next = bit_cast::<AREA_ENTRY_BITS, AREA_BITS>(self.write_place.val())
            | (bit_cast::<AREA_ENTRY_BITS, 1>(self.write_flip.val().into()) << AREA_BITS.to_bits::<5>())
            | (bit_cast::<AREA_ENTRY_BITS, 1>(self.write_mapped.val().into()) << (AREA_BITS + 1).to_bits::<5>());
        self.own_table.write_enable.next = self.write.val();
        self.own_table.write_address.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.write_qp.val())
            << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.write_segment.val());
        self.own_table.write_data.next = self.entry.val();
        self.header_table.write_enable.next = self.write.val();
        self.header_table.write_address.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.write_qp.val())
            << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.write_segment.val());
        self.header_table.write_data.next = self.entry.val();
        self.read_table.write_enable.next = self.write.val();
        self.read_table.write_address.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.write_qp.val())
            << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.write_segment.val());
        self.read_table.write_data.next = self.entry.val();
        self.edges.write_enable.next = self.edge_write.val();
        self.edges.write_address.next = self.qp.q.val();
        self.edges.write_data.next = self.edge_data.val();
        self.header_edges.write_enable.next = self.edge_write.val();
        self.header_edges.write_address.next = self.qp.q.val();
        self.header_edges.write_data.next = self.edge_data.val();
        self.heads.write_enable.next = self.head_write.val();
        self.heads.write_address.next = self.qp.q.val();
        self.heads.write_data.next = self.head_data.val();
        self.edge_valid.next = self.edge_write.val();
        self.edge_qp.next = self.qp.q.val();
        self.edge_segment.next = self.edge_data.val();
    }
}
