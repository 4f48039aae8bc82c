use super::{
    AdvanceEngine, AdvanceRequests, BasePair, GroupCheck, HeadRun, HeaderStages, HighestPsn, SegmentBits, SegmentPool, WindowOpener,
    WindowSteps, have,
};
use crate::primitives::{ClearedRam, LutRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

#[path = "bitmap_pipeline/advance.rs"]
mod advance;
#[path = "bitmap_pipeline/groups.rs"]
mod groups;
#[path = "bitmap_pipeline/pool.rs"]
mod pool;

const _: () = assert!(
    WINDOW_PSN_BITS > SEGMENT_BITS && WINDOW_PSN_BITS < 23,
    "a window has at least two segments: raise `window`, or lower `segment`"
);

const _: () = assert!(
    POOL == 0 || (clog2(POOL) >= NODE_BITS && clog2(POOL) <= SEGMENT_ADDRESS_BITS),
    "a pool has a segment for each queue pair and no more than all windows have together: change `pool`"
);

/// Receive bitmaps of many queue pairs: what every packet is, and how far each window has come. One header per clock, never stalled.
///
/// Each queue pair has a window of `L` = `2^WINDOW_PSN_BITS` packets from its base, the first packet that is missing, on, and one bit per
/// packet of it in segments of `SEGMENT` = `2^SEGMENT_BITS` bits. A packet sets its bit in passing. If its segment is that of the base, the
/// same word tells how far the base goes; a base that reaches the end of its segment is left to `AdvanceEngine`, which goes on by one
/// segment per clock. `PSN mod L` is the place of a packet's bit, 2^24 being a multiple of 2 `L`, and the value that means "arrived"
/// changes with each round: nothing has to be cleared behind the base. What the base is compared with may be 10 clocks old, and older while
/// the engine is on its way; such a base lies below what it will be, behind it everything has arrived, and a packet that is refused for it
/// would have been sent more than a window ahead of an acknowledgement that can have been sent. The window may move in steps of
/// `slide_step` packets from its first number on: then it begins up to a step before the base, and ends as much earlier. A step is set
/// while no queue pair is open. Commands open and close queue pairs, see `WindowOpener`. With groups of `G` = 2, 4 or 8 packets, see
/// `with_granularity`, the window begins at a multiple of `G` from the first number, at the base's group, and each packet still has its
/// bit. Inside, numbers are less by the phase of their queue pair, its first number modulo `G`: so no group goes over the end of a segment,
/// and the word that tells how far the base goes tells whether a packet completes its group. All that is for windows of one length. Made
/// `with_pool`, it has windows of variable length from a pool of segments, see `SegmentPool`: `L` is the longest, a packet is outside from
/// the window's edge on, and closing a queue pair takes as many clocks without a header as it has segments; opening, one.
/// Latency: 9 clocks, header to verdict, at every `L`. Throughput: one header per clock. Reset: all queue pairs are closed; `ready` comes
/// `2^NODE_BITS` clocks after it. Block RAM: twice the bits of the windows. Spec: bitmap loss detection, "Receiver" and "Large windows".
///
/// `NODE_COUNT_BITS` = `NODE_BITS + 1`, `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`,
/// `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`, `WINDOW_REST_BITS` = `24 - WINDOW_PSN_BITS`, `WINDOW_SEGMENTS_BITS` =
/// `WINDOW_PSN_BITS - SEGMENT_BITS`, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`. `AREA_BITS` is `SEGMENT_ADDRESS_BITS`;
/// with a pool the width of a segment's number in it, and then `AREA_ENTRY_BITS` = `AREA_BITS + 2` and `AREA_COUNT_BITS` = `AREA_BITS + 1`.
#[derive(Default, Described, LogicBlock)]
pub struct BitmapPipeline<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear; headers before are ignored
    pub ready: Signal<Out, Bit>,

    /// a header
    pub header_valid: Signal<In, Bit>,
    /// index of its queue pair
    pub header_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number
    pub header_psn: Signal<In, Bits<24>>,
    /// path that it took
    pub header_path: Signal<In, Bits<4>>,
    /// it has been sent before
    pub header_retransmission: Signal<In, Bit>,

    /// a command is offered
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// index of the queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `command`
    pub command_psn: Signal<In, Bits<24>>,
    /// the command that was taken has been carried out
    pub command_done: Signal<Out, Bit>,

    /// a packet, 9 clocks after its header
    pub verdict_valid: Signal<Out, Bit>,
    /// 0 new, 1 duplicate, 2 out of window, 3 unknown queue pair
    pub verdict_code: Signal<Out, Bits<2>>,
    /// index of its queue pair
    pub verdict_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number
    pub verdict_psn: Signal<Out, Bits<24>>,
    /// path that it took
    pub verdict_path: Signal<Out, Bits<4>>,
    /// it has been sent before
    pub verdict_retransmission: Signal<Out, Bit>,
    /// first missing packet, as far as the window has come
    pub verdict_base: Signal<Out, Bits<24>>,
    /// what that was when the packet came to it
    pub verdict_from: Signal<Out, Bits<24>>,
    /// highest packet that has arrived
    pub verdict_max: Signal<Out, Bits<24>>,
    /// highest packet that had arrived before it
    pub verdict_before: Signal<Out, Bits<24>>,

    /// the engine has moved a window
    pub advance_valid: Signal<Out, Bit>,
    /// index of its queue pair
    pub advance_qp: Signal<Out, Bits<NODE_BITS>>,
    /// first missing packet
    pub advance_base: Signal<Out, Bits<24>>,

    /// the queue pair of the command is closed, and there are no verdicts on it any more
    pub drained: Signal<Out, Bit>,
    /// queue pair of `drained`
    pub drained_qp: Signal<Out, Bits<NODE_BITS>>,
    /// the number that it is to begin with
    pub drained_psn: Signal<Out, Bits<24>>,
    /// it is to stay closed for others who have to forget it
    pub hold: Signal<In, Bit>,
    /// a base can be read
    pub peek_ready: Signal<Out, Bit>,
    /// of which queue pair
    pub peek_qp: Signal<In, Bits<NODE_BITS>>,
    /// the base, 3 clocks later
    pub peek_base: Signal<Out, Bits<24>>,
    /// a segment can be read
    pub word_ready: Signal<Out, Bit>,
    /// segment of `word`
    pub word_segment: Signal<In, Bits<SEGMENT_ADDRESS_BITS>>,
    /// its bits, 2 clocks later
    pub word: Signal<Out, Bits<SEGMENT>>,

    /// groups: all packets of the packet's group have arrived
    pub verdict_complete: Vec<Signal<Out, Bit>>,
    /// groups: last packet of the highest group that is complete
    pub verdict_edge: Vec<Signal<Out, Bits<24>>>,
    /// groups: what that was before the packet
    pub verdict_prior: Vec<Signal<Out, Bits<24>>>,
    /// groups: phase of the packet's queue pair
    pub verdict_phase: Vec<Signal<Out, Bits<3>>>,
    /// groups: `peek_base` less the phase, as `word_segment` counts
    pub peek_inner: Vec<Signal<Out, Bits<24>>>,
    /// groups: queue pair whose phase is read
    pub phase_qp: Vec<Signal<In, Bits<NODE_BITS>>>,
    /// groups: the phase, same clock
    pub phase: Vec<Signal<Out, Bits<3>>>,
    /// groups: another queue pair whose phase is read
    pub range_qp: Vec<Signal<In, Bits<NODE_BITS>>>,
    /// groups: the phase, same clock
    pub range_phase: Vec<Signal<Out, Bits<3>>>,
    /// one length: a window moves in steps of so many packets from its first number on, a power of two up to `SEGMENT`, else the one below;
    /// at most `G`: by packets, or groups
    pub slide_step: Vec<Signal<In, Bits<7>>>,

    /// pool: segments that a window is to have beyond that of its base
    pub length: Vec<Signal<In, Bits<16>>>,
    /// pool: segments that a queue pair may hold, 0: any number
    pub limit: Vec<Signal<In, Bits<16>>>,
    /// pool: the command that was carried out has opened nothing, for there was no segment
    pub command_refused: Vec<Signal<Out, Bit>>,
    /// pool: the edge of a window moves; it counts for headers from this clock on
    pub edge_valid: Vec<Signal<Out, Bit>>,
    /// ... of this queue pair
    pub edge_qp: Vec<Signal<Out, Bits<NODE_BITS>>>,
    /// ... to before this segment
    pub edge_segment: Vec<Signal<Out, Bits<SEGMENT_REST_BITS>>>,
    /// pool: segments that no window has
    pub free: Vec<Signal<Out, Bits<16>>>,
    /// pool: a queue pair stays shorter than it is to be
    pub evt_exhausted: Vec<Signal<Out, Bit>>,
    /// pool: a window has become shorter
    pub evt_shrunk: Vec<Signal<Out, Bit>>,

    opener: WindowOpener<NODE_BITS, SEGMENT_BITS, SEGMENT_REST_BITS, WINDOW_SEGMENTS_BITS>,
    flags: ClearedRam<1, NODE_BITS, 1>,
    bases: BasePair<NODE_BITS>,
    engine_bases: BasePair<NODE_BITS>,
    highest: HighestPsn<NODE_BITS>,
    segments: SegmentBits<AREA_BITS, SEGMENT, SEGMENT_BITS>,
    run: HeadRun<SEGMENT, SEGMENT_BITS>,
    requests: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    engine: AdvanceEngine,

    header1: Reg<Bit>,
    header2: Reg<Bit>,
    header3: Reg<Bit>,
    header4: Reg<Bit>,
    header5: Reg<Bit>,
    header6: Reg<Bit>,
    header7: Reg<Bit>,
    header8: Reg<Bit>,
    header9: Reg<Bit>,
    begin1: Reg<Bit>,
    begin2: Reg<Bit>,
    begin3: Reg<Bit>,
    begin4: Reg<Bit>,
    begin5: Reg<Bit>,
    begin6: Reg<Bit>,
    begin7: Reg<Bit>,
    begin8: Reg<Bit>,
    stages: HeaderStages<NODE_BITS>,

    // Stage 4: both bases, and how far the packet lies beyond each.
    open4: Reg<Bit>,
    first4: Reg<Bits<24>>,
    second4: Reg<Bits<24>>,
    second_counts4: Reg<Bit>,
    beyond_first4: Reg<Bits<24>>,
    beyond_second4: Reg<Bits<24>>,
    base4: Signal<Local, Bits<24>>,
    beyond4: Signal<Local, Bits<24>>,

    live5: Reg<Bit>,
    open5: Reg<Bit>,
    inside5: Reg<Bit>,
    below5: Reg<Bit>,
    head5: Reg<Bit>,
    base5: Reg<Bits<24>>,
    open6: Reg<Bit>,
    inside6: Reg<Bit>,
    below6: Reg<Bit>,
    head6: Reg<Bit>,
    base6: Reg<Bits<24>>,
    code7: Reg<Bits<2>>,
    head7: Reg<Bit>,
    base7: Reg<Bits<24>>,
    max7: Reg<Bits<24>>,
    before7: Reg<Bits<24>>,
    next_segment8: Reg<Bits<SEGMENT_REST_BITS>>,
    code8: Reg<Bits<2>>,
    head8: Reg<Bit>,
    base8: Reg<Bits<24>>,
    max8: Reg<Bits<24>>,
    before8: Reg<Bits<24>>,
    now8: Signal<Local, Bits<24>>,
    code9: Reg<Bits<2>>,
    base9: Reg<Bits<24>>,
    from9: Reg<Bits<24>>,
    max9: Reg<Bits<24>>,
    before9: Reg<Bits<24>>,
    peeked: Reg<Bits<24>>,
    ask9: Reg<Bit>,
    advance_valid1: Reg<Bit>,
    advance_qp1: Reg<Bits<NODE_BITS>>,
    advance_base1: Reg<Bits<24>>,

    steps: Vec<WindowSteps<NODE_BITS, SEGMENT_BITS, WINDOW_PSN_BITS>>,

    // Of groups. The phase of each queue pair, for everybody who reads it.
    header_phases: Vec<LutRam<3, NODE_BITS>>,
    peek_phases: Vec<LutRam<3, NODE_BITS>>,
    move_phases: Vec<LutRam<3, NODE_BITS>>,
    word_phases: Vec<LutRam<3, NODE_BITS>>,
    range_phases: Vec<LutRam<3, NODE_BITS>>,
    low: Vec<Signal<Local, Bits<3>>>,
    aligned: Vec<Signal<Local, Bits<24>>>,
    opened: Vec<Reg<Bits<3>>>,
    opened_wide: Vec<Signal<Local, Bits<24>>>,
    move_wide: Vec<Signal<Local, Bits<24>>>,
    peek_wide: Vec<Signal<Local, Bits<24>>>,
    start_first3: Vec<Signal<Local, Bits<24>>>,
    start_second3: Vec<Signal<Local, Bits<24>>>,
    check: Vec<GroupCheck<SEGMENT, SEGMENT_BITS>>,
    live6: Vec<Reg<Bit>>,
    live7: Vec<Reg<Bit>>,
    complete7: Vec<Reg<Bit>>,
    complete8: Vec<Reg<Bit>>,
    complete9: Vec<Reg<Bit>>,
    group_last7: Vec<Signal<Local, Bits<24>>>,
    edges: Vec<HighestPsn<NODE_BITS>>,
    edge9: Vec<Reg<Bits<24>>>,
    prior9: Vec<Reg<Bits<24>>>,
    // The base as those outside know it.
    outer9: Vec<Reg<Bits<24>>>,
    peek_phase1: Vec<Reg<Bits<3>>>,
    peek_phase2: Vec<Reg<Bits<3>>>,
    peek_phase3: Vec<Reg<Bits<3>>>,
    #[variant]
    _groups: usize,
    #[variant]
    _shift: usize,
    pool: Vec<SegmentPool<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>>,
    slot: Vec<Signal<Local, Bit>>,
    psn1: Vec<Reg<Bits<WINDOW_SEGMENTS_BITS>>>,
    cleared1: Vec<Reg<Bit>>,
    cleared2: Vec<Reg<Bit>>,
    cleared3: Vec<Reg<Bit>>,
    place1: Vec<Reg<Bits<AREA_BITS>>>,
    place2: Vec<Reg<Bits<AREA_BITS>>>,
    place3: Vec<Reg<Bits<AREA_BITS>>>,
    flip4: Vec<Reg<Bit>>,
    flip5: Vec<Reg<Bit>>,
    flip6: Vec<Reg<Bit>>,
    below_edge4: Vec<Reg<Bit>>,
    from_edge3: Vec<Signal<Local, Bits<SEGMENT_REST_BITS>>>,
    // What is read, from its segment to its bits.
    asked1: Vec<Reg<Bits<SEGMENT_ADDRESS_BITS>>>,
    asked2: Vec<Reg<Bits<SEGMENT_ADDRESS_BITS>>>,
    free1: Vec<Reg<Bit>>,
    free2: Vec<Reg<Bit>>,
    mapped3: Vec<Reg<Bit>>,
    mapped4: Vec<Reg<Bit>>,
    read_flip3: Vec<Reg<Bit>>,
    read_flip4: Vec<Reg<Bit>>,
    read_word: Vec<Signal<Local, Bits<SEGMENT>>>,
    _pools: usize,
    _fixed: usize,
}

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize>
    BitmapPipeline<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    /// A new one.
    pub fn new() -> Self {
        Self::with_granularity(1)
    }

    /// A new one for groups of 1, 2, 4 or 8 packets; with 1 it has no port that speaks of them.
    pub fn with_granularity(granularity: usize) -> Self {
        assert!([1, 2, 4, 8].contains(&granularity), "BitmapPipeline: granularity {granularity}; 1, 2, 4 and 8 are possible");
        let groups = usize::from(granularity > 1);
        let mut block = Self {
            stages: HeaderStages::with_groups(groups),
            check: (0..groups).map(|_| GroupCheck::with_granularity(granularity)).collect(),
            _groups: groups,
            _fixed: 1,
            _shift: granularity.trailing_zeros() as usize,
            ..Self::default()
        };
        have! {
            block:
            1 => slide_step, steps;
            groups => verdict_complete, verdict_edge, verdict_prior, verdict_phase, peek_inner, phase_qp, phase, range_qp,
                range_phase, header_phases, peek_phases, move_phases, word_phases, range_phases, low, aligned, opened,
                opened_wide, move_wide, peek_wide, start_first3, start_second3, live6, live7, complete7, complete8, complete9,
                group_last7, edges, edge9, prior9, outer9, peek_phase1, peek_phase2, peek_phase3;
        }
        block
    }

    /// For groups of so many packets, or with a pool of so many segments; 1 and 0 are neither.
    /// # Panics
    /// As `with_granularity` and `with_pool`, and if it is to have both.
    pub fn with(granularity: usize, pool: usize) -> Self {
        assert!(granularity == 1 || pool == 0, "BitmapPipeline: granularity {granularity} with a pool of {pool}; one of them is possible");
        if pool == 0 { Self::with_granularity(granularity) } else { Self::with_pool(pool) }
    }

    /// A new one with windows of variable length, from a pool of as many segments; with 0 that of `new`.
    pub fn with_pool(pool: usize) -> Self {
        let pools = usize::from(pool != 0);
        if pool == 0 {
            return Self::new();
        }
        let mut block =
            Self { engine: AdvanceEngine::with_lookup(), pool: vec![SegmentPool::new()], _pools: pools, _fixed: 0, ..Self::new() };
        have! {
            block:
            0 => slide_step, steps;
            1 => length, limit, command_refused, edge_valid, edge_qp, edge_segment, free, evt_exhausted, evt_shrunk, slot, psn1,
                cleared1, cleared2, cleared3, place1, place2, place3, flip4, flip5, flip6, below_edge4, from_edge3, asked1,
                asked2, free1, free2, mapped3, mapped4, read_flip3, read_flip4, read_word;
        }
        block
    }
}

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize> Logic
    for BitmapPipeline<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.flags.ready.val() && self.requests.ready.val();

        self.opener.command_valid.next = self.command_valid.val() && self.flags.ready.val();
        self.command_ready.next = self.opener.command_ready.val() && self.flags.ready.val();
        self.opener.command_open.next = self.command_open.val();
        self.opener.command_qp.next = self.command_qp.val();
        self.opener.command_psn.next = self.command_psn.val();
        self.command_done.next = self.opener.command_done.val();
        self.opener.hold.next = self.hold.val();
        self.drained.next = self.opener.drained.val();
        self.drained_qp.next = self.opener.qp.val();
        self.drained_psn.next = self.opener.first.val();

        // Stage 0: a header, or else a segment to be cleared.
        self.header1.d.next = self.header_valid.val() && self.flags.ready.val();
        self.begin1.d.next = self.opener.begin_valid.val() && !self.header_valid.val();
        self.opener.begin_ready.next = !self.header_valid.val();
        self.stages.qp0.next = self.opener.qp.val();
        self.stages.psn0.next = self.opener.begin_psn.val();
        if self.header_valid.val() {
            self.stages.qp0.next = self.header_qp.val();
            self.stages.psn0.next = self.header_psn.val();
        }
        self.stages.tag0.next = bit_cast::<5, 4>(self.header_path.val()) | (bit_cast::<5, 1>(self.header_retransmission.val().into()) << 4);

        // Stages 1 to 3: base and flag are read.
        self.bases.read_address.next = self.stages.qp1.val();
        self.flags.read_address.next = self.stages.qp1.val();
        self.flags.write_enable.next = self.opener.flag_write.val();
        self.flags.write_address.next = self.opener.qp.val();
        self.flags.write_data.next = self.opener.flag.val().into();
        self.open4.d.next = self.flags.read_data.val().any();
        self.first4.d.next = self.bases.first.val();
        self.second4.d.next = self.bases.second.val();
        self.second_counts4.d.next = self.bases.second_counts.val();
        self.beyond_first4.d.next = self.stages.psn3.val() - self.bases.first.val();
        self.beyond_second4.d.next = self.stages.psn3.val() - self.bases.second.val();
        for _w in 0..self._fixed {
            self.segments.s3_segment.next = bit_cast::<AREA_BITS, SEGMENT_ADDRESS_BITS>(
                (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.stages.qp3.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
                    | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(
                        self.stages.psn3.val().get_bits::<WINDOW_SEGMENTS_BITS>(SEGMENT_BITS),
                    ),
            );
        }
        self.highest.s3_qp.next = self.stages.qp3.val();

        // Stage 4: where the packet lies. Half of all numbers ahead is above.
        self.base4.next = self.first4.q.val();
        self.beyond4.next = self.beyond_first4.q.val();
        if self.second_counts4.q.val() {
            self.base4.next = self.second4.q.val();
            self.beyond4.next = self.beyond_second4.q.val();
        }
        self.segments.s4_position.next = self.stages.psn4.val().get_bits::<SEGMENT_BITS>(0);
        self.live5.d.next = self.header4.q.val() && self.open4.q.val();
        self.open5.d.next = self.open4.q.val();
        self.below5.d.next = self.beyond4.val().get_bit(23) && self.beyond4.val().get_bits::<23>(0).any();
        self.head5.d.next = self.stages.psn4.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
            == self.base4.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
        self.base5.d.next = self.base4.val();
        if self.begin4.q.val() {
            self.base5.d.next = self.stages.psn4.val();
        }

        // Stage 5: bit and highest number.
        self.segments.s5_valid.next = self.live5.q.val();
        self.segments.s5_inside.next = self.inside5.q.val();
        self.segments.s5_lap.next = self.stages.psn5.val().get_bit(WINDOW_PSN_BITS);
        self.segments.s5_begin.next = self.begin5.q.val();
        self.highest.s5_valid.next = self.live5.q.val();
        self.highest.s5_inside.next = self.inside5.q.val();
        self.highest.s5_psn.next = self.stages.psn5.val();
        self.highest.s5_begin.next = self.begin5.q.val();
        self.highest.begin_with.next = self.opener.below.val();
        self.open6.d.next = self.open5.q.val();
        self.inside6.d.next = self.inside5.q.val();
        self.below6.d.next = self.below5.q.val();
        self.head6.d.next = self.head5.q.val() && self.inside5.q.val();
        self.base6.d.next = self.base5.q.val();

        // Stage 6: the verdict; where the base's segment has its first missing packet is known in stage 8.
        self.run.word.next = self.segments.s6_word.val();
        self.segments.s6_below.next = self.run.below.val();
        self.run.lap.next = self.stages.psn6.val().get_bit(WINDOW_PSN_BITS);
        self.run.offset.next = self.base6.q.val().get_bits::<SEGMENT_BITS>(0);
        self.code7.d.next = bits::<2>(2);
        if !self.open6.q.val() {
            self.code7.d.next = bits::<2>(3);
        } else if self.inside6.q.val() && !self.segments.s6_was_set.val() {
            self.code7.d.next = bits::<2>(0);
        } else if self.inside6.q.val() || self.below6.q.val() {
            self.code7.d.next = bits::<2>(1);
        }
        self.head7.d.next = self.head6.q.val();
        self.base7.d.next = self.base6.q.val();
        self.max7.d.next = self.highest.s6_highest.val();
        self.before7.d.next = self.highest.s6_before.val();

        // Stage 7.
        self.next_segment8.d.next = self.base7.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS) + 1;
        self.code8.d.next = self.code7.q.val();
        self.head8.d.next = self.head7.q.val();
        self.base8.d.next = self.base7.q.val();
        self.max8.d.next = self.max7.q.val();
        self.before8.d.next = self.before7.q.val();

        // Stage 8: the base moves to that packet, or to the next segment.
        self.now8.next = self.base8.q.val();
        if self.head8.q.val() {
            self.now8.next = bit_cast::<24, SEGMENT_REST_BITS>(self.next_segment8.q.val()) << SEGMENT_BITS.to_bits::<4>();
            if self.run.missing.val() {
                self.now8.next = (bit_cast::<24, SEGMENT_REST_BITS>(self.base8.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS))
                    << SEGMENT_BITS.to_bits::<4>())
                    | bit_cast::<24, SEGMENT_BITS>(self.run.position.val());
            }
        }
        self.ask9.d.next = self.head8.q.val() && !self.run.missing.val();
        self.code9.d.next = self.code8.q.val();
        self.base9.d.next = self.now8.val();
        self.from9.d.next = self.base8.q.val();
        self.max9.d.next = self.max8.q.val();
        self.before9.d.next = self.before8.q.val();
        self.bases.first_write.next = self.head8.q.val() || self.begin8.q.val();
        self.bases.first_address.next = self.stages.qp8.val();
        self.bases.first_data.next = self.now8.val();
        self.engine_bases.first_write.next = self.head8.q.val() || self.begin8.q.val();
        self.engine_bases.first_address.next = self.stages.qp8.val();
        self.engine_bases.first_data.next = self.now8.val();

        // Stage 9.
        self.verdict_valid.next = self.header9.q.val();
        self.verdict_code.next = self.code9.q.val();
        self.verdict_qp.next = self.stages.qp9.val();
        self.verdict_psn.next = self.stages.psn9.val();
        self.verdict_path.next = self.stages.tag9.val().get_bits::<4>(0);
        self.verdict_retransmission.next = self.stages.tag9.val().get_bit(4);
        self.verdict_base.next = self.base9.q.val();
        self.verdict_from.next = self.from9.q.val();
        self.verdict_max.next = self.max9.q.val();
        self.verdict_before.next = self.before9.q.val();
        self.engine.direct.next = self.ask9.q.val();
        self.engine.direct_qp.next = self.stages.qp9.val();
        self.engine.direct_base.next = self.base9.q.val();
        self.requests.ask.next = self.ask9.q.val() && (self.requests.out_valid.val() || !self.engine.request_ready.val());
        self.requests.ask_qp.next = self.stages.qp9.val();

        self.advances();

        for w in 0..self._fixed {
            self.steps[w].step.next = self.slide_step[w].val();
            self.steps[w].open.next = self.opener.base_write.val();
            self.steps[w].open_qp.next = self.opener.qp.val();
            self.steps[w].open_psn.next = self.opener.first.val();
            self.steps[w].qp1.next = self.stages.qp1.val();
            self.steps[w].first3.next = self.bases.first.val();
            self.steps[w].second3.next = self.bases.second.val();
            self.steps[w].second_counts4.next = self.second_counts4.q.val();
            self.steps[w].beyond_first4.next = self.beyond_first4.q.val();
            self.steps[w].beyond_second4.next = self.beyond_second4.q.val();
            self.inside5.d.next = self.header4.q.val()
                && self.open4.q.val()
                && !self.beyond4.val().get_bits::<WINDOW_REST_BITS>(WINDOW_PSN_BITS).any()
                && self.steps[w].inside4.val();
        }

        self.takes_from_pool();

        // What passes along.
        self.header2.d.next = self.header1.q.val();
        self.header3.d.next = self.header2.q.val();
        self.header4.d.next = self.header3.q.val();
        self.header5.d.next = self.header4.q.val();
        self.header6.d.next = self.header5.q.val();
        self.header7.d.next = self.header6.q.val();
        self.header8.d.next = self.header7.q.val();
        self.header9.d.next = self.header8.q.val();
        self.begin2.d.next = self.begin1.q.val();
        self.begin3.d.next = self.begin2.q.val();
        self.begin4.d.next = self.begin3.q.val();
        self.begin5.d.next = self.begin4.q.val();
        self.begin6.d.next = self.begin5.q.val();
        self.begin7.d.next = self.begin6.q.val();
        self.begin8.d.next = self.begin7.q.val();
        if self.rst.val() {
            self.header1.d.next = false;
            self.header2.d.next = false;
            self.header3.d.next = false;
            self.header4.d.next = false;
            self.header5.d.next = false;
            self.header6.d.next = false;
            self.header7.d.next = false;
            self.header8.d.next = false;
            self.header9.d.next = false;
            self.begin1.d.next = false;
            self.begin2.d.next = false;
            self.begin3.d.next = false;
            self.begin4.d.next = false;
            self.begin5.d.next = false;
            self.begin6.d.next = false;
            self.begin7.d.next = false;
            self.begin8.d.next = false;
            self.live5.d.next = false;
            self.inside5.d.next = false;
            self.inside6.d.next = false;
            self.head6.d.next = false;
            self.head7.d.next = false;
            self.head8.d.next = false;
            self.ask9.d.next = false;
            self.advance_valid1.d.next = false;
        }

        self.groups();
    }
}
