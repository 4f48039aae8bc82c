use super::{HoldGate, RangeMessages, RangeRequests, some};
use crate::primitives::{FindFirst, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What is done for a queue pair.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum RangeState {
    /// none
    Idle,
    /// one has been taken
    Load,
    /// its first and last segment are there
    Limits,
    /// the base is read
    Peek,
    /// the window goes from it on
    Measure,
    /// what lies in it
    Clamp,
    /// a segment is asked for
    Ask,
    /// its bits are on their way
    Wait,
    /// what has arrived of it
    Bits,
    /// what lies before the place that was reached is taken away
    Mask,
    /// the next end of a run
    Find,
    /// it is taken, or the next segment
    Take,
    /// the base is read again
    Check,
    /// the run lies above it
    Judge,
    /// the run is told
    Tell,
}

/// Range acknowledgements: the runs of packets that have arrived above the base, of each queue pair that has received one there, new or
/// again.
///
/// Those of one queue pair that wait merge, with `hold` until the first has waited for so many ticks (`HoldGate`), and nothing stalls: what
/// is told are all runs of the segments in question, read from the bitmap's replica when their turn comes. So most of what was told by a
/// message that the network lost is told again by the following ones; the first 8 packets of a segment have the one before told as well. A
/// run is told whole in one message as far as those segments reach, with the base as it is then; what the base has passed meanwhile is not
/// told. What is done for a queue pair that is opened or closed meanwhile is given up; a message that waits for the wire goes out all the
/// same. With groups of packets, all numbers that come in are less by the phase of their queue pair, as the bitmap's; those that go out are
/// not.
/// Latency: 29 clocks from a packet to its range if nobody else waits, 6 more per further segment and 21 per run before it. Throughput: one
/// message per 21 clocks, so that a sender, which takes about 20 for each, keeps up. Reset: nobody waits; `ready` comes `2^NODE_BITS`
/// clocks after it.
///
/// `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`; `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`,
/// `WINDOW_SEGMENTS_BITS` the width of a segment's number in the window, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`;
/// `NODE_COUNT_BITS` = `NODE_BITS + 1`; `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`.
#[derive(Default, Described, LogicBlock)]
pub struct RangeStream {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// what arrives is to be told
    pub enable: Signal<In, Bit>,
    /// the tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that ranges wait, less than 2^15; 0: none waits
    pub hold: Signal<In, Bits<16>>,
    /// a packet was new, or has come again
    pub packet: Signal<In, Bit>,
    /// of this queue pair
    pub packet_qp: Signal<In, Bits<NODE_BITS>>,
    /// number of `packet`
    pub packet_psn: Signal<In, Bits<24>>,
    /// first missing packet after it
    pub packet_base: Signal<In, Bits<24>>,
    /// a queue pair begins to be opened or closed
    pub command: Signal<In, Bit>,
    /// queue pair of `command`
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// it is
    pub command_done: Signal<In, Bit>,
    /// a base is to be read
    pub peek_valid: Signal<Out, Bit>,
    /// it is
    pub peek_ready: Signal<In, Bit>,
    /// of this queue pair
    pub peek_qp: Signal<Out, Bits<NODE_BITS>>,
    /// the base, 3 clocks later
    pub peek_base: Signal<In, Bits<24>>,
    /// a segment is to be read
    pub word_valid: Signal<Out, Bit>,
    /// it is
    pub word_ready: Signal<In, Bit>,
    /// segment of `word`
    pub word_segment: Signal<Out, Bits<SEGMENT_ADDRESS_BITS>>,
    /// its bits, 2 clocks later
    pub word: Signal<In, Bits<SEGMENT>>,
    pub range: RangeMessages<NODE_BITS>,
    /// groups: phase of the queue pair whose base is read
    pub phase: Vec<Signal<In, Bits<3>>>,

    requests: RangeRequests,
    gate: HoldGate,
    takes: Signal<Local, Bit>,
    above: Signal<Local, Bits<24>>,
    ask1: State<Bit>,
    ask_qp1: Reg<Bits<NODE_BITS>>,
    ask_first1: Reg<Bits<SEGMENT_REST_BITS>>,
    ask_last1: Reg<Bits<SEGMENT_REST_BITS>>,
    before: Signal<Local, Bits<24>>,
    busy: State<Bit>,
    busy_qp: Reg<Bits<NODE_BITS>>,
    state: State<RangeState>,
    timer: Reg<Bits<2>>,
    qp: Reg<Bits<NODE_BITS>>,
    first: Reg<Bits<SEGMENT_REST_BITS>>,
    last: Reg<Bits<SEGMENT_REST_BITS>>,
    base: Reg<Bits<24>>,
    // Segments from that of the base on.
    ahead_first: Reg<Bits<SEGMENT_REST_BITS>>,
    ahead_last: Reg<Bits<SEGMENT_REST_BITS>>,
    shared: Reg<Bits<SEGMENT_REST_BITS>>,
    segment: Reg<Bits<SEGMENT_REST_BITS>>,
    // The window's last packets lie in the slots before its first ones.
    beyond: Reg<Bit>,
    is_last: Reg<Bit>,
    offset: Reg<Bits<SEGMENT_BITS>>,
    arrived: Signal<Local, Bits<SEGMENT>>,
    bits: Reg<Bits<SEGMENT>>,
    position: Reg<Bits<SEGMENT_BITS>>,
    in_run: Reg<Bit>,
    wanted: Signal<Local, Bits<SEGMENT>>,
    open: Reg<Bits<SEGMENT>>,
    find: FindFirst<SEGMENT, SEGMENT_BITS>,
    found: Reg<Bit>,
    place: Reg<Bits<SEGMENT_BITS>>,
    here: Signal<Local, Bits<24>>,
    start: Reg<Bits<24>>,
    stop: Reg<Bits<24>>,
    ends: Reg<Bit>,
    start_ahead: Signal<Local, Bits<24>>,
    room: Signal<Local, Bit>,
    pace: State<Bits<4>>,
    full: State<Bit>,
    out_qp: Reg<Bits<NODE_BITS>>,
    out_base: Reg<Bits<24>>,
    out_start: Reg<Bits<24>>,
    out_length: Reg<Bits<24>>,
    wide: Vec<Signal<Local, Bits<24>>>,
    #[variant]
    _groups: usize,
}

impl RangeStream {
    /// With groups of packets (1) or without (0).
    pub fn with_groups(groups: usize) -> Self {
        Self { phase: some(groups), wide: some(groups), _groups: groups, ..Self::default() }
    }
}

impl Logic for RangeStream {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.requests.ready.val();

        // A packet that has come again may do so because its range was lost.
        self.above.next = self.packet_base.val() - self.packet_psn.val();
        self.ask1.d.next = self.packet.val() && self.enable.val() && self.above.val().get_bit(23);
        self.ask_qp1.d.next = self.packet_qp.val();
        self.before.next = self.packet_psn.val() - 8;
        self.ask_first1.d.next = self.before.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.ask_last1.d.next = self.packet_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.requests.ask.next = self.ask1.q.val();
        self.requests.ask_qp.next = self.ask_qp1.q.val();
        self.requests.ask_first.next = self.ask_first1.q.val();
        self.requests.ask_last.next = self.ask_last1.q.val();
        self.requests.read_qp.next = self.qp.q.val();
        self.gate.now.next = self.now.val();
        self.gate.hold.next = self.hold.val();
        self.gate.any.next = self.requests.out_valid.val();
        self.takes.next = (self.state.q.val() == RangeState::Idle) && !self.gate.is_closed.val();
        self.requests.out_ready.next = self.takes.val();

        if self.command_done.val() {
            self.busy.d.next = false;
        }
        if self.command.val() {
            self.busy.d.next = true;
            self.busy_qp.d.next = self.command_qp.val();
        }

        self.peek_qp.next = self.qp.q.val();
        self.room.next = !self.full.q.val() && !self.pace.q.val().any();
        self.peek_valid.next = (self.state.q.val() == RangeState::Peek) || ((self.state.q.val() == RangeState::Check) && self.room.val());
        self.word_valid.next = self.state.q.val() == RangeState::Ask;
        self.word_segment.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.qp.q.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.segment.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.timer.d.next = self.timer.q.val() + 1;

        // From the first segment to the last one, both in the window.
        self.ahead_first.d.next = self.first.q.val() - self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.ahead_last.d.next = self.last.q.val() - self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);

        // The segment that shares its word with that of the base.
        self.shared.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
            + (bits::<SEGMENT_REST_BITS>(1) << WINDOW_SEGMENTS_BITS.to_bits::<4>());

        // A bit stands for a packet that has arrived when it has the value of its round; those before the base are of the next round.
        self.arrived.next = !self.word.val();
        if self.segment.q.val().get_bit(WINDOW_SEGMENTS_BITS) {
            self.arrived.next = self.word.val();
        }
        self.wanted.next = !self.bits.q.val();
        if !self.in_run.q.val() {
            self.wanted.next = self.bits.q.val();
        }
        for i in 0..SEGMENT {
            if self.beyond.q.val() && (self.offset.q.val() <= i.to_bits::<SEGMENT_BITS>()) {
                self.arrived.next = self.arrived.val().replace_bit(i, false);
            }
            if self.position.q.val() > i.to_bits::<SEGMENT_BITS>() {
                self.wanted.next = self.wanted.val().replace_bit(i, false);
            }
        }
        self.find.request.next = self.open.q.val();
        self.found.d.next = self.find.any.val();
        self.place.d.next = self.find.index.val();
        self.here.next = (bit_cast::<24, SEGMENT_REST_BITS>(self.segment.q.val()) << SEGMENT_BITS.to_bits::<4>())
            | bit_cast::<24, SEGMENT_BITS>(self.place.q.val());
        self.start_ahead.next = self.base.q.val() - self.start.q.val();
        if self.pace.q.val().any() {
            self.pace.d.next = self.pace.q.val() - 1;
        }
        if self.range.ready.val() {
            self.full.d.next = false;
        }

        match self.state.q.val() {
            RangeState::Load => {
                self.state.d.next = RangeState::Limits;
            }
            RangeState::Limits => {
                self.first.d.next = self.requests.first.val();
                self.last.d.next = self.requests.last.val();
                self.state.d.next = RangeState::Peek;
            }
            RangeState::Peek => {
                self.timer.d.next = bits::<2>(0);
                if self.peek_ready.val() {
                    self.state.d.next = RangeState::Measure;
                }
            }
            RangeState::Measure => {
                self.base.d.next = self.peek_base.val();
                // The base has come with the third clock, and the distances with the fifth.
                if self.timer.q.val().all() {
                    self.base.d.next = self.base.q.val();
                    self.state.d.next = RangeState::Clamp;
                }
            }
            RangeState::Clamp => {
                self.offset.d.next = self.base.q.val().get_bits::<SEGMENT_BITS>(0);
                self.segment.d.next = self.first.q.val();
                self.position.d.next = bits::<SEGMENT_BITS>(0);
                self.in_run.d.next = false;
                self.state.d.next = RangeState::Ask;
                if (self.ahead_first.q.val() > (bits::<SEGMENT_REST_BITS>(1) << WINDOW_SEGMENTS_BITS.to_bits::<4>()))
                    || !self.ahead_first.q.val().any()
                {
                    self.segment.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
                    self.position.d.next = self.base.q.val().get_bits::<SEGMENT_BITS>(0);
                }
                if self.ahead_last.q.val() > (bits::<SEGMENT_REST_BITS>(1) << WINDOW_SEGMENTS_BITS.to_bits::<4>()) {
                    self.last.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
                        + (bits::<SEGMENT_REST_BITS>(1) << WINDOW_SEGMENTS_BITS.to_bits::<4>());
                }
                if self.ahead_last.q.val().get_bit(SEGMENT_REST_BITS - 1) {
                    self.state.d.next = RangeState::Idle;
                }
            }
            RangeState::Ask => {
                self.is_last.d.next = self.segment.q.val() == self.last.q.val();
                self.beyond.d.next = self.segment.q.val() == self.shared.q.val();
                if self.word_ready.val() {
                    self.state.d.next = RangeState::Wait;
                }
            }
            RangeState::Wait => {
                self.state.d.next = RangeState::Bits;
            }
            RangeState::Bits => {
                self.bits.d.next = self.arrived.val();
                self.state.d.next = RangeState::Mask;
            }
            RangeState::Mask => {
                self.open.d.next = self.wanted.val();
                self.state.d.next = RangeState::Find;
            }
            RangeState::Find => {
                self.state.d.next = RangeState::Take;
            }
            RangeState::Take => {
                self.stop.d.next = self.here.val();
                self.ends.d.next = false;
                self.position.d.next = self.place.q.val();
                if self.found.q.val() {
                    if self.in_run.q.val() {
                        self.state.d.next = RangeState::Check;
                    } else {
                        self.start.d.next = self.here.val();
                        self.in_run.d.next = true;
                        self.state.d.next = RangeState::Mask;
                    }
                } else {
                    // A run may go on in the next segment.
                    self.position.d.next = bits::<SEGMENT_BITS>(0);
                    self.segment.d.next = self.segment.q.val() + 1;
                    self.state.d.next = RangeState::Ask;
                    if self.is_last.q.val() {
                        self.stop.d.next = bit_cast::<24, SEGMENT_REST_BITS>(self.segment.q.val() + 1) << SEGMENT_BITS.to_bits::<4>();
                        self.ends.d.next = true;
                        self.state.d.next = RangeState::Idle;
                        if self.in_run.q.val() {
                            self.state.d.next = RangeState::Check;
                        }
                    }
                }
            }
            RangeState::Check => {
                // As late as can be: with a base that is behind an acknowledgement the sender could not use it.
                self.timer.d.next = bits::<2>(0);
                if self.peek_ready.val() && self.room.val() {
                    self.state.d.next = RangeState::Judge;
                }
            }
            RangeState::Judge => {
                self.base.d.next = self.peek_base.val();
                if self.timer.q.val().all() {
                    self.base.d.next = self.base.q.val();
                    self.state.d.next = RangeState::Tell;
                }
            }
            RangeState::Tell => {
                if self.start_ahead.val().get_bit(23) {
                    self.pace.d.next = bits::<4>(15);
                    self.full.d.next = true;
                    self.out_qp.d.next = self.qp.q.val();
                    self.out_base.d.next = self.base.q.val();
                    self.out_start.d.next = self.start.q.val();
                    self.out_length.d.next = self.stop.q.val() - self.start.q.val();
                }
                self.in_run.d.next = false;
                self.state.d.next = RangeState::Mask;
                if self.ends.q.val() {
                    self.state.d.next = RangeState::Idle;
                }
            }
            _ => {
                self.qp.d.next = self.requests.out_qp.val();
                if self.requests.out_valid.val() && self.takes.val() {
                    self.state.d.next = RangeState::Load;
                }
            }
        }
        if self.busy.q.val() && (self.busy_qp.q.val() == self.qp.q.val()) && (self.state.q.val() != RangeState::Idle) {
            self.state.d.next = RangeState::Idle;
        }
        for g in 0..self._groups {
            self.wide[g].next = bits::<24>(0);
            for b in 0..3 {
                self.wide[g].next = self.wide[g].val().replace_bit(b, self.phase[g].val().get_bit(b));
            }
            if (self.state.q.val() == RangeState::Tell) && self.start_ahead.val().get_bit(23) {
                self.out_base.d.next = self.base.q.val() + self.wide[g].val();
                self.out_start.d.next = self.start.q.val() + self.wide[g].val();
            }
        }
        self.range.valid.next = self.full.q.val();
        self.range.qp.next = self.out_qp.q.val();
        self.range.base.next = self.out_base.q.val();
        self.range.start.next = self.out_start.q.val();
        self.range.length.next = self.out_length.q.val();
    }
}
