use super::{
    AckStream, BitmapPipeline, GapEngine, GapEvent, GapEvents, GapLevels, LagLook, LossMessages, PathTracker, RangeMessages, RangeStream,
    ScanLag, TriggerWrite, some,
};
use crate::primitives::{Reg, State, TickCounter};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

#[path = "receive_bitmap/paths.rs"]
mod paths;

/// Receive bitmaps with what follows from them: verdicts on packets, gaps that are losses told in feedback messages, acknowledgements.
///
/// `BitmapPipeline` decides on each packet and is never stalled; `GapEvents` and `GapEngine` keep the gap records behind it, `AckStream`
/// acknowledges. From the header that makes a gap too deep, by distance, to its feedback message 32 clocks at most, while the wire is free
/// and events come of one queue pair, one per 4 clocks or fewer; by arrivals and of several queue pairs in turn it is longer. A queue pair
/// whose events come faster for long lags: what it missed is read from the bitmap when its turn comes. Age and stall of every gap are
/// looked at every 4 clocks per queue pair, and 4 more for each one found. Configuration counts from the next look on. With `range_ack`,
/// `RangeStream` tells what has arrived above the base; it reads bitmap and bases when nobody else does, acknowledgements excepted. Windows
/// have one length, or, with a pool, the length that is asked for, see `BitmapPipeline`. One path, or as many as `with` is told; then a gap
/// that crosses paths is given more, and one that all have passed is lost early. Packets one by one, or in groups of 2, 4 or 8: then a gap
/// is seen once a later group is complete, and its message is later by the search of its ends. Made `with_settled`, it knows two facts of a
/// packet: *present*, it has come, which is what `header` says and what gaps are made of, and *settled*, nothing is open about it any more,
/// which is what `settle` says later and what is acknowledged. Each has a bitmap of its own, and the verdicts are those of what is settled.
/// A present packet is never asked for here: who drops it after all asks for it himself.
/// Latency: 9 clocks, header to verdict. Throughput: one header per clock. Reset: all queue pairs are closed; `ready` comes `2^NODE_BITS`
/// clocks after it.
/// Spec: bitmap loss detection, "Receiver".
///
/// `RECORDS` gap records per queue pair, 118 bits of block RAM each. The others are those of `BitmapPipeline`.
#[derive(Default, Described, LogicBlock)]
pub struct ReceiveBitmap {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear; headers before are ignored
    pub ready: Signal<Out, Bit>,

    /// clocks per tick, 0 as 1
    pub prescale: Signal<In, Bits<16>>,
    /// ticks since reset, modulo 2^32
    pub now: Signal<Out, Bits<32>>,
    /// packets that a gap may be deep
    pub depth: Signal<In, Bits<22>>,
    /// depth is the later packets since the gap was seen, else highest number less the gap's first
    pub by_arrivals: Signal<In, Bit>,
    /// ticks that a gap may be open, less than 2^31
    pub wait_ticks: Signal<In, Bits<32>>,
    /// ticks that the gap at the base may hold it, less than 2^31
    pub stall: Signal<In, Bits<32>>,
    /// packets that may be accepted meanwhile, 0: any number
    pub stall_packets: Signal<In, Bits<22>>,
    /// missing packets in lost gaps from which on they are told
    pub feedback_threshold: Signal<In, Bits<16>>,
    /// ticks after which they are told all the same, less than 2^31
    pub feedback_wait: Signal<In, Bits<32>>,
    /// ticks after which a gap that is still open is told again, less than 2^31
    pub refeedback: Signal<In, Bits<32>>,

    /// what has arrived above the base is told
    pub range_ack: Signal<In, Bit>,
    /// ticks that acknowledgements and ranges wait for the next packets of their queue pairs, less than 2^15; 0: none waits
    pub ack_hold: Signal<In, Bits<16>>,

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

    /// settled: a packet is
    pub settle_valid: Vec<Signal<In, Bit>>,
    /// settled: index of its queue pair
    pub settle_qp: Vec<Signal<In, Bits<NODE_BITS>>>,
    /// settled: its packet sequence number
    pub settle_psn: Vec<Signal<In, Bits<24>>>,
    /// settled: it has been sent before
    pub settle_retransmission: Vec<Signal<In, Bit>>,

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
    /// highest packet that has arrived
    pub verdict_max: Signal<Out, Bits<24>>,

    /// the engine has moved a window
    pub advance_valid: Signal<Out, Bit>,
    /// index of its queue pair
    pub advance_qp: Signal<Out, Bits<NODE_BITS>>,
    /// first missing packet
    pub advance_base: Signal<Out, Bits<24>>,

    pub ffm: LossMessages<NODE_BITS>,

    /// an acknowledgement
    pub ack_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `ack_valid` is high too
    pub ack_ready: Signal<In, Bit>,
    /// index of the queue pair
    pub ack_qp: Signal<Out, Bits<NODE_BITS>>,
    /// last packet before the first that is missing
    pub ack_psn: Signal<Out, Bits<24>>,

    pub range: RangeMessages<NODE_BITS>,

    /// a gap is seen
    pub evt_gap: Signal<Out, Bit>,
    /// gaps that are found lost in this clock, several of a queue pair at once
    pub evt_lost: Signal<Out, Bits<5>>,
    /// a gap is told
    pub evt_report: Signal<Out, Bit>,
    /// ... and has been before
    pub evt_repeat: Signal<Out, Bit>,
    /// ... of this queue pair
    pub told_qp: Signal<Out, Bits<NODE_BITS>>,
    /// ... from this packet
    pub told_start: Signal<Out, Bits<24>>,
    /// ... to this one
    pub told_end: Signal<Out, Bits<24>>,
    /// a packet that was not sent again fills a gap that was reported
    pub evt_misjudged: Signal<Out, Bit>,
    /// a record was missing, and another covers more instead
    pub evt_folded: Signal<Out, Bit>,
    /// an event was dropped: its queue pair lags
    pub evt_dropped: Signal<Out, Bit>,
    /// ... since this event
    pub evt_falls_behind: Signal<Out, Bit>,
    /// ... of this queue pair
    pub dropped_qp: Signal<Out, Bits<NODE_BITS>>,
    /// a queue pair lagged, and its records are read from the bitmap
    pub evt_rebuilt: Signal<Out, Bit>,
    /// ... this one
    pub rebuilt_qp: Signal<Out, Bits<NODE_BITS>>,
    /// ... up to its highest packet; what follows is seen packet by packet again
    pub rebuilt_edge: Signal<Out, Bits<24>>,

    /// told region: a reported record gives way to a gap that is seen, of `rebuilt_qp`
    pub evt_spilled: Vec<Signal<Out, Bit>>,
    /// told region: its last packet
    pub spilled_edge: Vec<Signal<Out, Bits<24>>>,
    /// told region: with `evt_report`, of what has no record any more
    pub told_walk: Vec<Signal<Out, Bit>>,

    /// several paths: the mode of a queue pair that is opened, 0 off, 1 striped, 2 tagged
    pub command_path_mode: Vec<Signal<In, Bits<2>>>,
    /// several paths: 2 to the power of this are the numbers of a path before the next one has its turn
    pub stripe: Vec<Signal<In, Bits<4>>>,
    /// several paths: limits of the tolerance times this, 1 to 16, where packets may have overtaken each other on different paths
    pub relax: Vec<Signal<In, Bits<5>>>,
    /// several paths: later packets, 1 to 4, that a path must have delivered so that it cannot bring a gap any more
    pub overtake: Vec<Signal<In, Bits<3>>>,
    /// several paths: ticks for which a path stays active, less than 2^31
    pub path_idle: Vec<Signal<In, Bits<32>>>,
    /// path of the feedback message
    pub ffm_path: Vec<Signal<Out, Bits<4>>>,
    /// several paths: a packet of an open queue pair
    pub evt_arrival: Vec<Signal<Out, Bit>>,
    /// ... which is a duplicate
    pub evt_duplicate: Vec<Signal<Out, Bit>>,
    /// ... over this path
    pub arrival_path: Vec<Signal<Out, Bits<4>>>,
    /// path of the gap that is seen
    pub gap_path: Vec<Signal<Out, Bits<4>>>,
    /// path of the packet that is misjudged
    pub misjudged_path: Vec<Signal<Out, Bits<4>>>,
    /// gaps of each path that are found lost, 5 bits for each
    pub path_lost: Vec<Signal<Out, Bits<80>>>,

    /// one length: a window moves in steps of so many packets, see `BitmapPipeline`
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

    pipeline: BitmapPipeline<POOL_ADDRESS_BITS, POOL_ENTRY_BITS, POOL_FREE_BITS>,
    ticks: TickCounter,
    events: GapEvents,
    engine: GapEngine,
    acks: AckStream,
    ranges: RangeStream,
    all_ready: Signal<Local, Bit>,
    tracker: Vec<PathTracker>,
    mode: Vec<Reg<Bits<2>>>,
    // Phase of a packet's queue pair.
    phase: Vec<Signal<Local, Bits<24>>>,
    _groups: usize,
    settled: Vec<BitmapPipeline<POOL_ADDRESS_BITS, POOL_ENTRY_BITS, POOL_FREE_BITS>>,
    // Of a command, what one of both bitmaps has carried out and the other has not.
    present_done: Vec<State<Bit>>,
    settled_done: Vec<State<Bit>>,
    both_done: Vec<Signal<Local, Bit>>,
    #[variant]
    _settles: usize,
    forgotten: Vec<Reg<Bit>>,
    _ways: usize,
    _paths: usize,
    _tells: usize,
    _pools: usize,
    _fixed: usize,
}

impl ReceiveBitmap {
    /// A new one.
    pub fn new() -> Self {
        Self::with(1, 1, 0)
    }

    /// A new one for 1, 2, 4, 8 or 16 paths, groups of 1, 2, 4 or 8 packets, and windows of variable length from a pool of so
    /// many segments, 0: of one length. It has no port that speaks of what it does not have.
    pub fn with(paths: usize, granularity: usize, pool: usize) -> Self {
        let (ways, groups, pools) = (usize::from(paths != 1), usize::from(granularity != 1), usize::from(pool != 0));
        let tells = 1 - ways.max(groups);
        Self {
            evt_spilled: some(tells),
            spilled_edge: some(tells),
            told_walk: some(tells),
            command_path_mode: some(ways),
            stripe: some(ways),
            relax: some(ways),
            overtake: some(ways),
            path_idle: some(ways),
            ffm_path: some(ways),
            evt_arrival: some(ways),
            evt_duplicate: some(ways),
            arrival_path: some(ways),
            gap_path: some(ways),
            misjudged_path: some(ways),
            path_lost: some(ways),
            slide_step: some(1 - pools),
            length: some(pools),
            limit: some(pools),
            command_refused: some(pools),
            edge_valid: some(pools),
            edge_qp: some(pools),
            edge_segment: some(pools),
            free: some(pools),
            evt_exhausted: some(pools),
            evt_shrunk: some(pools),
            pipeline: BitmapPipeline::with(granularity, pool),
            events: GapEvents::with(paths, granularity),
            engine: GapEngine::with(paths, granularity),
            ranges: RangeStream::with_groups(groups),
            tracker: (0..ways).map(|_| PathTracker::with_paths(paths)).collect(),
            mode: some(ways),
            forgotten: some(pools),
            phase: some(groups),
            _groups: groups,
            _settles: 0,
            _ways: ways,
            _paths: ways * paths,
            _tells: tells,
            _pools: pools,
            _fixed: 1 - pools,
            ..Self::default()
        }
    }

    /// A new one that knows of a packet when it is present and when it is settled. One path, windows of one length.
    pub fn with_settled() -> Self {
        Self {
            settle_valid: some(1),
            settle_qp: some(1),
            settle_psn: some(1),
            settle_retransmission: some(1),
            settled: vec![BitmapPipeline::with(1, 0)],
            present_done: some(1),
            settled_done: some(1),
            both_done: some(1),
            _settles: 1,
            ..Self::new()
        }
    }
}

impl Logic for ReceiveBitmap {
    #[kernel]
    fn update(&mut self) {
        self.all_ready.next = self.pipeline.ready.val()
            && self.events.ready.val()
            && self.engine.ready.val()
            && self.acks.ready.val()
            && self.ranges.ready.val();
        for s in 0..self._settles {
            self.all_ready.next = self.pipeline.ready.val()
                && self.events.ready.val()
                && self.engine.ready.val()
                && self.acks.ready.val()
                && self.ranges.ready.val()
                && self.settled[s].ready.val();
        }
        self.ready.next = self.all_ready.val();
        self.ticks.prescale.next = self.prescale.val();
        self.now.next = self.ticks.now.val();

        self.pipeline.header_valid.next = self.header_valid.val() && self.all_ready.val();
        self.pipeline.header_qp.next = self.header_qp.val();
        self.pipeline.header_psn.next = self.header_psn.val();
        self.pipeline.header_path.next = self.header_path.val();
        self.pipeline.header_retransmission.next = self.header_retransmission.val();
        self.pipeline.command_valid.next = self.command_valid.val() && self.all_ready.val();
        self.command_ready.next = self.pipeline.command_ready.val() && self.all_ready.val();
        self.pipeline.command_open.next = self.command_open.val();
        self.pipeline.command_qp.next = self.command_qp.val();
        self.pipeline.command_psn.next = self.command_psn.val();
        self.command_done.next = self.pipeline.command_done.val();
        self.verdict_valid.next = self.pipeline.verdict_valid.val();
        self.verdict_code.next = self.pipeline.verdict_code.val();
        self.verdict_qp.next = self.pipeline.verdict_qp.val();
        self.verdict_psn.next = self.pipeline.verdict_psn.val();
        self.verdict_path.next = self.pipeline.verdict_path.val();
        self.verdict_retransmission.next = self.pipeline.verdict_retransmission.val();
        self.verdict_base.next = self.pipeline.verdict_base.val();
        self.verdict_max.next = self.pipeline.verdict_max.val();
        self.advance_valid.next = self.pipeline.advance_valid.val();
        self.advance_qp.next = self.pipeline.advance_qp.val();
        self.advance_base.next = self.pipeline.advance_base.val();

        // A queue pair that is opened or closed waits until its records have ended.
        self.events.clear.next = self.pipeline.drained.val();
        self.events.clear_qp.next = self.pipeline.drained_qp.val();
        self.events.clear_psn.next = self.pipeline.drained_psn.val();
        self.pipeline.hold.next = !self.engine.cleared.val();
        self.events.accepted.next = self.pipeline.verdict_valid.val() && !self.pipeline.verdict_code.val().any();
        self.events.qp.next = self.pipeline.verdict_qp.val();
        self.events.psn.next = self.pipeline.verdict_psn.val();
        self.events.prior.next = self.pipeline.verdict_before.val();
        self.events.max.next = self.pipeline.verdict_max.val();
        self.events.retransmission.next = self.pipeline.verdict_retransmission.val();
        self.events.depth.next = self.depth.val();
        self.events.by_arrivals.next = self.by_arrivals.val();
        GapEvent::join(&mut self.events.event, &mut self.engine.event);
        ScanLag::join(&mut self.engine.scan_lag, &mut self.events.scan_lag);
        GapLevels::join(&mut self.engine.levels, &mut self.events.levels);
        GapLevels::join(&mut self.engine.late_levels, &mut self.events.late_levels);
        LagLook::join(&mut self.engine.look, &mut self.events.look);
        TriggerWrite::join(&mut self.engine.trigger, &mut self.events.trigger);
        self.events.judge_done.next = self.engine.judge_done.val();
        self.engine.lags.next = self.events.lags.val();
        self.events.lag_done.next = self.engine.lag_done.val();
        self.events.lag_qp.next = self.engine.lag_qp.val();
        self.events.judge_qp.next = self.engine.trigger.qp.val();
        self.evt_dropped.next = self.events.dropped.val();
        self.evt_falls_behind.next = self.events.falls_behind.val();
        self.dropped_qp.next = self.events.dropped_qp.val();
        self.engine.depth.next = self.depth.val();
        self.engine.by_arrivals.next = self.by_arrivals.val();
        self.engine.wait_ticks.next = self.wait_ticks.val();
        self.engine.stall.next = self.stall.val();
        self.engine.stall_packets.next = self.stall_packets.val();
        self.engine.feedback_threshold.next = self.feedback_threshold.val();
        self.engine.feedback_wait.next = self.feedback_wait.val();
        self.engine.refeedback.next = self.refeedback.val();
        self.engine.now.next = self.ticks.now.val();

        // Bases are read for the engine first, then for ranges, which seldom do; segments for the engine first.
        self.pipeline.peek_qp.next = self.acks.peek_qp.val();
        if self.engine.peek_valid.val() {
            self.pipeline.peek_qp.next = self.engine.read_qp.val();
        } else if self.ranges.peek_valid.val() {
            self.pipeline.peek_qp.next = self.ranges.peek_qp.val();
        }
        self.engine.peek_ready.next = self.pipeline.peek_ready.val();
        self.ranges.peek_ready.next = self.pipeline.peek_ready.val() && !self.engine.peek_valid.val();
        self.acks.peek_ready.next = self.pipeline.peek_ready.val() && !self.engine.peek_valid.val() && !self.ranges.peek_valid.val();
        for t in 0..self._tells {
            // The scan of the gap records has what is left.
            self.engine.glance_ready[t].next =
                self.pipeline.peek_ready.val() && !self.ranges.peek_valid.val() && !self.acks.peek_valid.val();
            if !self.ranges.peek_valid.val() && !self.acks.peek_valid.val() {
                self.pipeline.peek_qp.next = self.engine.read_qp.val();
            }
            self.evt_spilled[t].next = self.engine.evt_spilled[t].val();
            self.spilled_edge[t].next = self.engine.spilled_edge[t].val();
            self.told_walk[t].next = self.engine.told_walk[t].val();
        }
        self.engine.peek_base.next = self.pipeline.peek_base.val();
        self.ranges.peek_base.next = self.pipeline.peek_base.val();
        self.acks.peek_base.next = self.pipeline.peek_base.val();
        self.pipeline.word_segment.next = self.engine.word_segment.val();
        if !self.engine.word_valid.val() {
            self.pipeline.word_segment.next = self.ranges.word_segment.val();
        }
        self.engine.word_ready.next = self.pipeline.word_ready.val();
        self.ranges.word_ready.next = self.pipeline.word_ready.val() && !self.engine.word_valid.val();
        self.engine.word.next = self.pipeline.word.val();
        self.ranges.word.next = self.pipeline.word.val();
        self.acks.now.next = self.ticks.now.val();
        self.acks.hold.next = self.ack_hold.val();
        self.ranges.now.next = self.ticks.now.val();
        self.ranges.hold.next = self.ack_hold.val();
        self.acks.packet.next = self.pipeline.verdict_valid.val() && !self.pipeline.verdict_code.val().get_bit(1);
        self.acks.packet_qp.next = self.pipeline.verdict_qp.val();
        self.acks.packet_psn.next = self.pipeline.verdict_psn.val();
        self.acks.packet_base.next = self.pipeline.verdict_base.val();
        self.acks.packet_from.next = self.pipeline.verdict_from.val();
        self.ranges.enable.next = self.range_ack.val();
        self.ranges.packet.next = self.pipeline.verdict_valid.val() && !self.pipeline.verdict_code.val().get_bit(1);
        self.ranges.packet_qp.next = self.pipeline.verdict_qp.val();
        self.ranges.packet_psn.next = self.pipeline.verdict_psn.val();
        self.ranges.packet_base.next = self.pipeline.verdict_base.val();
        self.ranges.command.next = self.command_valid.val() && self.pipeline.command_ready.val() && self.all_ready.val();
        self.ranges.command_qp.next = self.command_qp.val();
        self.ranges.command_done.next = self.pipeline.command_done.val();
        self.acks.advance.next = self.pipeline.advance_valid.val();
        self.acks.advance_qp.next = self.pipeline.advance_qp.val();

        LossMessages::link(&mut self.ffm, &mut self.engine.ffm);
        self.ack_valid.next = self.acks.ack_valid.val();
        self.ack_qp.next = self.acks.ack_qp.val();
        self.ack_psn.next = self.acks.ack_psn.val();
        self.acks.ack_ready.next = self.ack_ready.val();
        RangeMessages::link(&mut self.range, &mut self.ranges.range);
        self.evt_gap.next = self.engine.evt_gap.val();
        self.evt_lost.next = self.engine.evt_lost.val();
        self.evt_report.next = self.engine.evt_report.val();
        self.evt_repeat.next = self.engine.evt_repeat.val();
        self.told_qp.next = self.engine.told_qp.val();
        self.told_start.next = self.engine.told_start.val();
        self.told_end.next = self.engine.told_end.val();
        self.evt_misjudged.next = self.engine.evt_misjudged.val();
        self.evt_folded.next = self.engine.evt_folded.val();
        self.evt_rebuilt.next = self.engine.evt_rebuilt.val();
        self.rebuilt_qp.next = self.engine.rebuilt_qp.val();
        self.rebuilt_edge.next = self.engine.rebuilt_edge.val();

        for w in 0..self._fixed {
            self.pipeline.slide_step[w].next = self.slide_step[w].val();
        }

        // Gaps are those of the bitmap of what is present; acknowledgements, ranges and verdicts those of the other.
        for s in 0..self._settles {
            self.settled[s].header_valid.next = self.settle_valid[s].val() && self.all_ready.val();
            self.settled[s].header_qp.next = self.settle_qp[s].val();
            self.settled[s].header_psn.next = self.settle_psn[s].val();
            self.settled[s].header_path.next = bits::<4>(0);
            self.settled[s].header_retransmission.next = self.settle_retransmission[s].val();
            for w in 0..self._fixed {
                self.settled[s].slide_step[w].next = self.slide_step[w].val();
            }
            // Both take a command in one clock, and it is done when both have carried it out.
            self.pipeline.command_valid.next = self.command_valid.val() && self.all_ready.val() && self.settled[s].command_ready.val();
            self.settled[s].command_valid.next = self.command_valid.val() && self.all_ready.val() && self.pipeline.command_ready.val();
            self.settled[s].command_open.next = self.command_open.val();
            self.settled[s].command_qp.next = self.command_qp.val();
            self.settled[s].command_psn.next = self.command_psn.val();
            self.settled[s].hold.next = false;
            self.command_ready.next = self.pipeline.command_ready.val() && self.settled[s].command_ready.val() && self.all_ready.val();
            self.ranges.command.next = self.command_valid.val() && self.command_ready.val();
            self.ranges.command_done.next = self.settled[s].command_done.val();
            self.both_done[s].next = (self.present_done[s].q.val() || self.pipeline.command_done.val())
                && (self.settled_done[s].q.val() || self.settled[s].command_done.val());
            self.present_done[s].d.next = (self.present_done[s].q.val() || self.pipeline.command_done.val()) && !self.both_done[s].val();
            self.settled_done[s].d.next = (self.settled_done[s].q.val() || self.settled[s].command_done.val()) && !self.both_done[s].val();
            self.command_done.next = self.both_done[s].val();
            self.verdict_valid.next = self.settled[s].verdict_valid.val();
            self.verdict_code.next = self.settled[s].verdict_code.val();
            self.verdict_qp.next = self.settled[s].verdict_qp.val();
            self.verdict_psn.next = self.settled[s].verdict_psn.val();
            self.verdict_path.next = self.settled[s].verdict_path.val();
            self.verdict_retransmission.next = self.settled[s].verdict_retransmission.val();
            self.verdict_base.next = self.settled[s].verdict_base.val();
            self.verdict_max.next = self.settled[s].verdict_max.val();
            self.advance_valid.next = self.settled[s].advance_valid.val();
            self.advance_qp.next = self.settled[s].advance_qp.val();
            self.advance_base.next = self.settled[s].advance_base.val();
            self.pipeline.peek_qp.next = self.engine.read_qp.val();
            for t in 0..self._tells {
                self.engine.glance_ready[t].next = self.pipeline.peek_ready.val();
            }
            self.settled[s].peek_qp.next = self.acks.peek_qp.val();
            if self.ranges.peek_valid.val() {
                self.settled[s].peek_qp.next = self.ranges.peek_qp.val();
            }
            self.ranges.peek_ready.next = self.settled[s].peek_ready.val();
            self.acks.peek_ready.next = self.settled[s].peek_ready.val() && !self.ranges.peek_valid.val();
            self.ranges.peek_base.next = self.settled[s].peek_base.val();
            self.acks.peek_base.next = self.settled[s].peek_base.val();
            self.pipeline.word_segment.next = self.engine.word_segment.val();
            self.settled[s].word_segment.next = self.ranges.word_segment.val();
            self.ranges.word_ready.next = self.settled[s].word_ready.val();
            self.ranges.word.next = self.settled[s].word.val();
            self.acks.packet.next = self.settled[s].verdict_valid.val() && !self.settled[s].verdict_code.val().get_bit(1);
            self.acks.packet_qp.next = self.settled[s].verdict_qp.val();
            self.acks.packet_psn.next = self.settled[s].verdict_psn.val();
            self.acks.packet_base.next = self.settled[s].verdict_base.val();
            self.acks.packet_from.next = self.settled[s].verdict_from.val();
            self.ranges.packet.next = self.settled[s].verdict_valid.val() && !self.settled[s].verdict_code.val().get_bit(1);
            self.ranges.packet_qp.next = self.settled[s].verdict_qp.val();
            self.ranges.packet_psn.next = self.settled[s].verdict_psn.val();
            self.ranges.packet_base.next = self.settled[s].verdict_base.val();
            self.acks.advance.next = self.settled[s].advance_valid.val();
            self.acks.advance_qp.next = self.settled[s].advance_qp.val();
        }

        for w in 0..self._pools {
            // Its segments come back after that.
            self.forgotten[w].d.next = self.pipeline.drained.val() && (self.forgotten[w].q.val() || self.engine.cleared.val());
            self.pipeline.hold.next = !self.forgotten[w].q.val();
            self.pipeline.length[w].next = self.length[w].val();
            self.pipeline.limit[w].next = self.limit[w].val();
            self.command_refused[w].next = self.pipeline.command_refused[w].val();
            self.edge_valid[w].next = self.pipeline.edge_valid[w].val();
            self.edge_qp[w].next = self.pipeline.edge_qp[w].val();
            self.edge_segment[w].next = self.pipeline.edge_segment[w].val();
            self.free[w].next = self.pipeline.free[w].val();
            self.evt_exhausted[w].next = self.pipeline.evt_exhausted[w].val();
            self.evt_shrunk[w].next = self.pipeline.evt_shrunk[w].val();
        }

        self.several_paths();

        for g in 0..self._groups {
            self.events.complete[g].next = self.pipeline.verdict_complete[g].val();
            self.events.last_edge[g].next = self.pipeline.verdict_edge[g].val();
            self.events.prior_edge[g].next = self.pipeline.verdict_prior[g].val();
            self.engine.event_complete[g].next = self.events.event_complete[g].val();
            self.engine.live_edge[g].next = self.events.live_edge[g].val();
            self.pipeline.phase_qp[g].next = self.engine.read_qp.val();
            self.engine.phase[g].next = self.pipeline.phase[g].val();
            self.engine.peek_inner[g].next = self.pipeline.peek_inner[g].val();
            self.phase[g].next = bits::<24>(0);
            for b in 0..3 {
                self.phase[g].next = self.phase[g].val().replace_bit(b, self.pipeline.verdict_phase[g].val().get_bit(b));
            }
            self.ranges.packet_psn.next = self.pipeline.verdict_psn.val() - self.phase[g].val();
            self.ranges.packet_base.next = self.pipeline.verdict_base.val() - self.phase[g].val();
            self.ranges.peek_base.next = self.pipeline.peek_inner[g].val();
            self.pipeline.range_qp[g].next = self.ranges.peek_qp.val();
            self.ranges.phase[g].next = self.pipeline.range_phase[g].val();
        }
    }
}
