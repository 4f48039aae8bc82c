use super::{
    AdvanceEngine, AdvanceRequests, BasePair, GroupCheck, HeadRun, HeaderStages, HighestPsn, SegmentBits, SegmentPool, WindowOpener,
    WindowSteps, some,
};
use crate::primitives::{ClearedRam, LutRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

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
/// Each queue pair has a window of `L` = `2^WINDOW_PSN_BITS` packets from its base, the first packet that is missing, on, and one bit per packet of it in segments
/// of `SEGMENT` = `2^SEGMENT_BITS` bits. A packet sets its bit in passing. If its segment is that of the base, the same word tells how far the base goes; a base that
/// reaches the end of its segment is left to `AdvanceEngine`, which goes on by one segment per clock. `PSN mod L` is the place of a
/// packet's bit, 2^24 being a multiple of 2 `L`, and the value that means "arrived" changes with each round: nothing has to be cleared behind the base.
/// What the base is compared with may be 10 clocks old, and older while the engine is on its way; such a base lies below what it will be, behind it
/// everything has arrived, and a packet that is refused for it would have been sent more than a window ahead of an acknowledgement that can have been sent.
/// The window may move in steps of `slide_step` packets from its first number on: then it begins up to a step before the base, and ends as much earlier. A step is set
/// while no queue pair is open.
/// Commands open and close queue pairs, see `WindowOpener`.
/// With groups of `G` = 2, 4 or 8 packets, see `with_granularity`, the window begins at a multiple of `G` from the first number, at the base's group, and each
/// packet still has its bit. Inside, numbers are less by the phase of their queue pair, its first number modulo `G`: so no group goes over the end of a segment,
/// and the word that tells how far the base goes tells whether a packet completes its group.
/// All that is for windows of one length. Made `with_pool`, it has windows of variable length from a pool of segments, see `SegmentPool`: `L` is the longest, a packet
/// is outside from the window's edge on, and closing a queue pair takes as many clocks without a header as it has segments; opening, one.
/// Latency: 9 clocks, header to verdict, at every `L`. Throughput: one header per clock. Reset: all queue pairs are closed; `ready`
/// comes `2^NODE_BITS` clocks after it. Block RAM: twice the bits of the windows. Spec: bitmap loss detection, "Receiver" and "Large windows".
///
/// `NODE_COUNT_BITS` = `NODE_BITS + 1`, `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`, `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`, `WINDOW_REST_BITS` = `24 - WINDOW_PSN_BITS`, `WINDOW_SEGMENTS_BITS` = `WINDOW_PSN_BITS - SEGMENT_BITS`, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`. `AREA_BITS` is `SEGMENT_ADDRESS_BITS`; with a
/// pool the width of a segment's number in it, and then `AREA_ENTRY_BITS` = `AREA_BITS + 2` and `AREA_COUNT_BITS` = `AREA_BITS + 1`.
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
    /// one length: a window moves in steps of so many packets from its first number on, a power of two up to `SEGMENT`, else the one below; at most `G`: by packets, or groups
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
        Self {
            slide_step: some(1),
            steps: some(1),
            stages: HeaderStages::with_groups(groups),
            verdict_complete: some(groups),
            verdict_edge: some(groups),
            verdict_prior: some(groups),
            verdict_phase: some(groups),
            peek_inner: some(groups),
            phase_qp: some(groups),
            phase: some(groups),
            range_qp: some(groups),
            range_phase: some(groups),
            header_phases: some(groups),
            peek_phases: some(groups),
            move_phases: some(groups),
            word_phases: some(groups),
            range_phases: some(groups),
            low: some(groups),
            aligned: some(groups),
            opened: some(groups),
            opened_wide: some(groups),
            move_wide: some(groups),
            peek_wide: some(groups),
            start_first3: some(groups),
            start_second3: some(groups),
            check: (0..groups).map(|_| GroupCheck::with_granularity(granularity)).collect(),
            live6: some(groups),
            live7: some(groups),
            complete7: some(groups),
            complete8: some(groups),
            complete9: some(groups),
            group_last7: some(groups),
            edges: some(groups),
            edge9: some(groups),
            prior9: some(groups),
            outer9: some(groups),
            peek_phase1: some(groups),
            peek_phase2: some(groups),
            peek_phase3: some(groups),
            _groups: groups,
            _fixed: 1,
            _shift: granularity.trailing_zeros() as usize,
            ..Self::default()
        }
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
        Self {
            slide_step: some(0),
            steps: some(0),
            length: some(1),
            limit: some(1),
            command_refused: some(1),
            edge_valid: some(1),
            edge_qp: some(1),
            edge_segment: some(1),
            free: some(1),
            evt_exhausted: some(1),
            evt_shrunk: some(1),
            engine: AdvanceEngine::with_lookup(),
            pool: vec![SegmentPool::new()],
            slot: some(1),
            psn1: some(1),
            cleared1: some(1),
            cleared2: some(1),
            cleared3: some(1),
            place1: some(1),
            place2: some(1),
            place3: some(1),
            flip4: some(1),
            flip5: some(1),
            flip6: some(1),
            below_edge4: some(1),
            from_edge3: some(1),
            asked1: some(1),
            asked2: some(1),
            free1: some(1),
            free2: some(1),
            mapped3: some(1),
            mapped4: some(1),
            read_flip3: some(1),
            read_flip4: some(1),
            read_word: some(1),
            _pools: pools,
            _fixed: 0,
            ..Self::new()
        }
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

        // The engine, and the opener in its place.
        self.engine.request_valid.next = self.requests.out_valid.val();
        self.requests.out_ready.next = self.engine.request_ready.val();
        self.engine.request_qp.next = self.requests.out_qp.val();
        self.engine.cancel.next = self.opener.busy.val();
        self.engine.cancel_qp.next = self.opener.qp.val();
        self.engine_bases.read_address.next = self.peek_qp.val();
        if self.engine.base_needed.val() {
            self.engine_bases.read_address.next = self.engine.base_qp.val();
        }
        self.peek_ready.next = !self.engine.base_needed.val();
        self.peeked.d.next = self.engine_bases.first.val();
        if self.engine_bases.second_counts.val() {
            self.peeked.d.next = self.engine_bases.second.val();
        }
        self.peek_base.next = self.peeked.q.val();
        self.engine.base_first.next = self.engine_bases.first.val();
        self.engine.base_second.next = self.engine_bases.second.val();
        self.engine.base_second_counts.next = self.engine_bases.second_counts.val();
        for _w in 0..self._fixed {
            self.segments.replica_segment.next = bit_cast::<AREA_BITS, SEGMENT_ADDRESS_BITS>(self.word_segment.val());
            if self.engine.segment_needed.val() {
                self.segments.replica_segment.next = bit_cast::<AREA_BITS, SEGMENT_ADDRESS_BITS>(self.engine.segment.val());
            }
        }
        self.word_ready.next = !self.engine.segment_needed.val();
        self.word.next = self.segments.replica_word.val();
        self.engine.word.next = self.segments.replica_word.val();
        self.opener.base_ready.next = !self.engine.write.val();
        self.bases.second_write.next = self.opener.base_write.val() || self.engine.write.val();
        self.bases.second_address.next = self.opener.qp.val();
        self.bases.second_data.next = self.opener.first.val();
        self.engine_bases.second_write.next = self.opener.base_write.val() || self.engine.write.val();
        self.engine_bases.second_address.next = self.opener.qp.val();
        self.engine_bases.second_data.next = self.opener.first.val();
        if self.engine.write.val() {
            self.bases.second_address.next = self.engine.write_qp.val();
            self.bases.second_data.next = self.engine.write_base.val();
            self.engine_bases.second_address.next = self.engine.write_qp.val();
            self.engine_bases.second_data.next = self.engine.write_base.val();
        }
        self.advance_valid1.d.next = self.engine.moved.val();
        self.advance_qp1.d.next = self.engine.write_qp.val();
        self.advance_base1.d.next = self.engine.write_base.val();
        self.advance_valid.next = self.advance_valid1.q.val();
        self.advance_qp.next = self.advance_qp1.q.val();
        self.advance_base.next = self.advance_base1.q.val();

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

        for w in 0..self._pools {
            self.pool[w].length.next = self.length[w].val();
            self.pool[w].limit.next = self.limit[w].val();
            self.command_refused[w].next = self.opener.command_done.val() && self.pool[w].refused.val();
            self.edge_valid[w].next = self.pool[w].edge_valid.val();
            self.edge_qp[w].next = self.pool[w].edge_qp.val();
            self.edge_segment[w].next = self.pool[w].edge_segment.val();
            self.free[w].next = self.pool[w].free.val();
            self.evt_exhausted[w].next = self.pool[w].evt_exhausted.val();
            self.evt_shrunk[w].next = self.pool[w].evt_shrunk.val();
            self.ready.next = self.flags.ready.val() && self.requests.ready.val() && self.pool[w].ready.val();
            self.opener.command_valid.next = self.command_valid.val() && self.flags.ready.val() && self.pool[w].ready.val();
            self.command_ready.next = self.opener.command_ready.val() && self.flags.ready.val() && self.pool[w].ready.val();

            // Commands: segments come and go with them, when nobody reads them any more.
            self.pool[w].command_busy.next = self.opener.busy.val();
            self.pool[w].command_qp.next = self.opener.qp.val();
            self.pool[w].drained.next = self.opener.drained.val() && !self.hold.val();
            self.opener.hold.next = self.hold.val() || self.pool[w].hold.val();
            self.pool[w].sweep_valid.next = self.opener.begin_valid.val();
            self.pool[w].sweep_segment.next = self.opener.begin_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.pool[w].sweep_last.next = self.opener.begin_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
                == self.opener.first.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.opener.begin_ready.next = self.pool[w].sweep_ready.val();
            self.opener.base_ready.next = !self.engine.write.val() && self.pool[w].opened.val();
            self.flags.write_data.next = (self.opener.flag.val() && !self.pool[w].refused.val()).into();
            self.pool[w].base_write.next = self.opener.base_write.val() || self.engine.write.val();
            self.pool[w].base_qp.next = self.opener.qp.val();
            self.pool[w].base_segment.next = self.opener.first.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            if self.engine.write.val() {
                self.pool[w].base_qp.next = self.engine.write_qp.val();
                self.pool[w].base_segment.next = self.engine.write_base.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            }

            // Stage 0: what is to be cleared has its place with it, and nothing but the first segment of a window has a number.
            self.slot[w].next = !self.header_valid.val() || !self.pool[w].ready.val();
            self.header1.d.next = self.header_valid.val() && self.flags.ready.val() && self.pool[w].ready.val();
            self.begin1.d.next = self.pool[w].begin_valid.val() && self.slot[w].val();
            self.pool[w].begin_ready.next = self.slot[w].val();
            self.psn1[w].d.next = self.header_psn.val().get_bits::<WINDOW_SEGMENTS_BITS>(SEGMENT_BITS);
            if self.slot[w].val() {
                self.stages.qp0.next = self.opener.qp.val();
                self.stages.psn0.next = self.opener.begin_psn.val();
                if !self.pool[w].begin_first.val() {
                    self.stages.psn0.next = bits::<24>(0);
                }
            }
            self.cleared1[w].d.next = !self.pool[w].begin_first.val();
            self.cleared2[w].d.next = self.cleared1[w].q.val();
            self.cleared3[w].d.next = self.cleared2[w].q.val();
            self.place1[w].d.next = self.pool[w].begin_place.val();
            self.place2[w].d.next = self.place1[w].q.val();
            self.place3[w].d.next = self.place2[w].q.val();

            // Stages 1 to 3: place and edge are read.
            self.pool[w].header_qp.next = self.stages.qp1.val();
            self.pool[w].header_segment.next = self.psn1[w].q.val();
            self.from_edge3[w].next = self.stages.psn3.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS) - self.pool[w].header_edge.val();
            self.below_edge4[w].d.next = self.from_edge3[w].val().get_bit(SEGMENT_REST_BITS - 1);
            self.segments.s3_segment.next = self.pool[w].header_place.val();
            self.flip4[w].d.next = self.pool[w].header_flip.val();
            if self.begin3.q.val() {
                self.segments.s3_segment.next = self.place3[w].q.val();
                self.flip4[w].d.next = self.cleared3[w].q.val();
            }

            // Stage 4 to 6: the window ends at its edge. What does not lie in it has no place, and writes nothing.
            self.inside5.d.next =
                self.header4.q.val() && self.open4.q.val() && !self.beyond4.val().get_bit(23) && self.below_edge4[w].q.val();
            self.flip5[w].d.next = self.flip4[w].q.val();
            self.flip6[w].d.next = self.flip5[w].q.val();
            self.segments.s5_valid.next = self.inside5.q.val();
            self.segments.s5_lap.next = self.stages.psn5.val().get_bit(WINDOW_PSN_BITS) != self.flip5[w].q.val();
            self.run.lap.next = self.stages.psn6.val().get_bit(WINDOW_PSN_BITS) != self.flip6[w].q.val();

            // Readers: the place, and then its bits. One that waits is asked for until it is known where it lies.
            self.pool[w].read_segment.next = self.word_segment.val();
            if self.engine.segment_needed.val() {
                self.pool[w].read_segment.next = self.engine.segment.val();
            }
            self.asked1[w].d.next = self.word_segment.val();
            self.asked2[w].d.next = self.asked1[w].q.val();
            self.free1[w].d.next = !self.engine.segment_needed.val();
            self.free2[w].d.next = self.free1[w].q.val();
            self.segments.replica_segment.next = self.pool[w].read_place.val();
            self.word_ready.next = self.free2[w].q.val() && (self.asked2[w].q.val() == self.word_segment.val());
            self.mapped3[w].d.next = self.pool[w].read_mapped.val();
            self.mapped4[w].d.next = self.mapped3[w].q.val();
            self.read_flip3[w].d.next = self.pool[w].read_flip.val();
            self.read_flip4[w].d.next = self.read_flip3[w].q.val();
            self.read_word[w].next = bits::<SEGMENT>(0);
            if self.mapped4[w].q.val() {
                self.read_word[w].next = self.segments.replica_word.val();
            }
            self.word.next = self.read_word[w].val();
            self.engine.word.next = self.read_word[w].val();
            if self.read_flip4[w].q.val() {
                self.word.next = !self.read_word[w].val();
                self.engine.word.next = !self.read_word[w].val();
            }
        }

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

        // Groups of packets. The phase of a queue pair is written before it is open.
        for g in 0..self._groups {
            self.header_phases[g].write_enable.next = self.opener.base_write.val();
            self.header_phases[g].write_address.next = self.opener.qp.val();
            self.header_phases[g].write_data.next = self.opened[g].q.val();
            self.peek_phases[g].write_enable.next = self.opener.base_write.val();
            self.peek_phases[g].write_address.next = self.opener.qp.val();
            self.peek_phases[g].write_data.next = self.opened[g].q.val();
            self.move_phases[g].write_enable.next = self.opener.base_write.val();
            self.move_phases[g].write_address.next = self.opener.qp.val();
            self.move_phases[g].write_data.next = self.opened[g].q.val();
            self.word_phases[g].write_enable.next = self.opener.base_write.val();
            self.word_phases[g].write_address.next = self.opener.qp.val();
            self.word_phases[g].write_data.next = self.opened[g].q.val();
            self.range_phases[g].write_enable.next = self.opener.base_write.val();
            self.range_phases[g].write_address.next = self.opener.qp.val();
            self.range_phases[g].write_data.next = self.opened[g].q.val();
            self.low[g].next = bits::<3>(0);
            self.aligned[g].next = self.command_psn.val();
            for b in 0..self._shift {
                self.low[g].next = self.low[g].val().replace_bit(b, self.command_psn.val().get_bit(b));
                self.aligned[g].next = self.aligned[g].val().replace_bit(b, false);
            }
            self.opened[g].d.next = self.opened[g].q.val();
            if !self.opener.busy.val() {
                self.opened[g].d.next = self.low[g].val();
            }
            self.move_phases[g].read_address.next = self.engine.write_qp.val();
            self.opened_wide[g].next = bits::<24>(0);
            self.move_wide[g].next = bits::<24>(0);
            self.peek_wide[g].next = bits::<24>(0);
            for b in 0..3 {
                self.opened_wide[g].next = self.opened_wide[g].val().replace_bit(b, self.opened[g].q.val().get_bit(b));
                self.move_wide[g].next = self.move_wide[g].val().replace_bit(b, self.move_phases[g].read_data.val().get_bit(b));
                self.peek_wide[g].next = self.peek_wide[g].val().replace_bit(b, self.peek_phase3[g].q.val().get_bit(b));
            }
            self.opener.command_psn.next = self.aligned[g].val();
            self.drained_psn.next = self.opener.first.val() | self.opened_wide[g].val();

            // What clears a segment has numbers of the inside.
            self.header_phases[g].read_address.next = self.stages.qp1.val();
            self.stages.phase1[g].next = self.header_phases[g].read_data.val();
            if self.begin1.q.val() {
                self.stages.phase1[g].next = bits::<3>(0);
            }

            // Stage 3: the window begins with the base's group.
            self.start_first3[g].next = self.bases.first.val();
            self.start_second3[g].next = self.bases.second.val();
            for b in 0..self._shift {
                self.start_first3[g].next = self.start_first3[g].val().replace_bit(b, false);
                self.start_second3[g].next = self.start_second3[g].val().replace_bit(b, false);
            }
            self.beyond_first4.d.next = self.stages.psn3.val() - self.start_first3[g].val();
            self.beyond_second4.d.next = self.stages.psn3.val() - self.start_second3[g].val();
            self.steps[g].first3.next = self.start_first3[g].val();
            self.steps[g].second3.next = self.start_second3[g].val();

            // Stage 6: whether the group is complete. Stages 5 to 8: the highest that is.
            self.live6[g].d.next = self.live5.q.val();
            self.live7[g].d.next = self.live6[g].q.val();
            self.check[g].word.next = self.segments.s6_word.val();
            self.check[g].lap.next = self.stages.psn6.val().get_bit(WINDOW_PSN_BITS);
            self.check[g].position.next = self.stages.psn6.val().get_bits::<SEGMENT_BITS>(0);
            self.complete7[g].d.next = self.check[g].complete.val() && self.inside6.q.val();
            self.complete8[g].d.next = self.complete7[g].q.val();
            self.complete9[g].d.next = self.complete8[g].q.val();
            self.group_last7[g].next = self.stages.psn7[g].val();
            for b in 0..self._shift {
                self.group_last7[g].next = self.group_last7[g].val().replace_bit(b, true);
            }
            self.edges[g].s3_qp.next = self.stages.qp5[g].val();
            self.edges[g].s5_valid.next = self.live7[g].q.val();
            self.edges[g].s5_inside.next = self.complete7[g].q.val();
            self.edges[g].s5_psn.next = self.group_last7[g].val();
            self.edges[g].s5_begin.next = self.begin7.q.val();
            self.edges[g].begin_with.next = self.opener.below.val();

            // Stages 8 and 9: the numbers that those outside know.
            self.outer9[g].d.next = self.now8.val() + self.stages.phase8[g].val();
            self.from9.d.next = self.base8.q.val() + self.stages.phase8[g].val();
            self.max9.d.next = self.max8.q.val() + self.stages.phase8[g].val();
            self.before9.d.next = self.before8.q.val() + self.stages.phase8[g].val();
            self.edge9[g].d.next = self.edges[g].s6_highest.val() + self.stages.phase8[g].val();
            self.prior9[g].d.next = self.edges[g].s6_before.val() + self.stages.phase8[g].val();
            self.verdict_base.next = self.outer9[g].q.val();
            self.verdict_complete[g].next = self.complete9[g].q.val();
            self.verdict_edge[g].next = self.edge9[g].q.val();
            self.verdict_prior[g].next = self.prior9[g].q.val();
            self.verdict_phase[g].next = self.stages.phase9[g].val();
            self.advance_base1.d.next = self.engine.write_base.val() + self.move_wide[g].val();

            // What is read beside the packets.
            self.peek_phases[g].read_address.next = self.peek_qp.val();
            self.peek_phase1[g].d.next = self.peek_phases[g].read_data.val();
            self.peek_phase2[g].d.next = self.peek_phase1[g].q.val();
            self.peek_phase3[g].d.next = self.peek_phase2[g].q.val();
            self.peek_inner[g].next = self.peeked.q.val();
            self.peek_base.next = self.peeked.q.val() + self.peek_wide[g].val();
            self.word_phases[g].read_address.next = self.phase_qp[g].val();
            self.phase[g].next = self.word_phases[g].read_data.val();
            self.range_phases[g].read_address.next = self.range_qp[g].val();
            self.range_phase[g].next = self.range_phases[g].read_data.val();
            if self.rst.val() {
                self.live6[g].d.next = false;
                self.live7[g].d.next = false;
                self.complete7[g].d.next = false;
            }
        }
    }
}
