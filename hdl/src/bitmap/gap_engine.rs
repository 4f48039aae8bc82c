use super::{
    FeedbackQueue, GapEventSink, GapLevels, GapPatrol, GapRecords, GapScan, GapWalk, LagLook, LossMessages, RelaxedLimits, ScanLag,
    TriggerCheck, TriggerWrite, have,
};
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

#[path = "gap_engine/groups.rs"]
mod groups;
#[path = "gap_engine/paths.rs"]
mod paths;
#[path = "gap_engine/region.rs"]
mod region;
#[path = "gap_engine/scan.rs"]
mod scan;
#[path = "gap_engine/told.rs"]
mod told;

/// Keeps the gap records of all queue pairs, finds those that reordering can no longer explain, and tells of them.
///
/// Takes one queue pair after the other through the steps of `GapRecords`, 4 clocks for each: for an event of `GapEvents`, and again while
/// there is more to tell of the same one. A scan of all queue pairs looks at one every 4 clocks. If it finds a record that is too old, or
/// is to be told or told again, a stall at the base, or a queue pair that lags, that is queued as an event too, and the scan waits for it:
/// then the records know what had arrived when it was found, and no gap is lost for packets that are still in the queue. Depth is judged by
/// the highest number there is, which may count a packet more for a gap whose first packet waits in the queue, or by the accepted packets
/// as of the event, or of an earlier one that knows of more: what the scan has queued is as old as its look. While gaps are lost that are
/// not enough to be told, an event takes 2 clocks more. A queue pair that lags: every record may hold packets that have arrived, and all
/// from the last gap seen to the highest number is one gap; the ends of all are then searched in the bitmap. Such records are told with all
/// they cover. A reported record gives way to a gap that is seen when all are in use: what is missing up to its end is the told region
/// of the queue pair, see `told_regions`; with several paths or groups the last record covers more instead. With groups of packets the ends
/// of every gap that is seen, shrinks or splits are searched, which takes an event so much longer. Without a region the base is the first
/// packet of the first record. Times are those at which the engine comes to an event. Feedback messages wait in a queue of 8. While it is
/// full what is to be told waits in its record, where it goes on to shrink, and goes out when the scan finds it. Latency: 9 clocks, event
/// to message. Throughput: one event per 4 clocks; one more clock for each 1/5 segment searched. Reset: no records; `ready` comes
/// `2^NODE_BITS` clocks after it.
///
/// `RECORDS` records per queue pair. `SEGMENT_BITS` is the width of a position in a segment, `2^SEGMENT_BITS` = `SEGMENT`;
/// `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`, `WINDOW_SEGMENTS_BITS` the width of a segment's number in the window, `SEGMENT_ADDRESS_BITS`
/// = `NODE_BITS + WINDOW_SEGMENTS_BITS`.
#[derive(Default, Described, LogicBlock)]
pub struct GapEngine {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,

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
    /// ticks
    pub now: Signal<In, Bits<32>>,

    pub event: GapEventSink<NODE_BITS>,
    pub look: LagLook<NODE_BITS>,
    /// a clear is carried out
    pub cleared: Signal<Out, Bit>,
    pub trigger: TriggerWrite<NODE_BITS>,
    /// a judge event of the trigger's queue pair is answered
    pub judge_done: Signal<Out, Bit>,
    /// queue pair of the event that was taken
    pub lag_qp: Signal<Out, Bits<NODE_BITS>>,
    /// it lags, same clock
    pub lags: Signal<In, Bit>,
    /// it does not any more
    pub lag_done: Signal<Out, Bit>,
    #[port = "scan"]
    pub scan_lag: ScanLag<NODE_BITS>,
    #[port = "live"]
    pub levels: GapLevels<NODE_BITS>,
    #[port = "check"]
    pub late_levels: GapLevels<NODE_BITS>,

    /// queue pair whose base and bits are read
    pub read_qp: Signal<Out, Bits<NODE_BITS>>,
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

    pub ffm: LossMessages<NODE_BITS>,

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
    /// a queue pair lagged, and its records are read from the bitmap
    pub evt_rebuilt: Signal<Out, Bit>,
    /// ... this one
    pub rebuilt_qp: Signal<Out, Bits<NODE_BITS>>,
    /// ... up to its highest packet
    pub rebuilt_edge: Signal<Out, Bits<24>>,

    /// told region: the base of `read_qp` is read for the scan if the engine does not want to read one
    pub glance_ready: Vec<Signal<In, Bit>>,
    /// told region: the first record gives way to the gap that is seen, of the queue pair `rebuilt_qp`
    pub evt_spilled: Vec<Signal<Out, Bit>>,
    /// told region: its last packet, the new edge
    pub spilled_edge: Vec<Signal<Out, Bits<24>>>,
    /// told region: with `evt_report`, what is told lies in it
    pub told_walk: Vec<Signal<Out, Bit>>,

    /// several paths: the factor by which limits are relaxed, 1 to 16
    pub relax: Vec<Signal<In, Bits<5>>>,
    /// several paths: 2 to the power of this are the numbers of a path in turn
    pub stripe: Vec<Signal<In, Bits<4>>>,
    /// several paths: path of the event's packet 4, active paths then 16
    pub event_paths: Vec<Signal<In, Bits<20>>>,
    /// several paths: mode of the queue pair whose state is read
    pub live_mode: Vec<Signal<In, Bits<2>>>,
    /// its paths that have delivered enough
    pub live_delivered: Vec<Signal<In, Bits<16>>>,
    /// from here on
    pub live_edges: Vec<Signal<In, Bits<16>>>,
    /// its active paths
    pub live_active: Vec<Signal<In, Bits<16>>>,
    /// path of the feedback message
    pub ffm_path: Vec<Signal<Out, Bits<4>>>,
    /// path of a gap that is seen
    pub gap_path: Vec<Signal<Out, Bits<4>>>,
    /// path of a packet that was misjudged
    pub misjudged_path: Vec<Signal<Out, Bits<4>>>,
    /// gaps of each path that are found lost, 5 bits for each
    pub path_lost: Vec<Signal<Out, Bits<80>>>,

    /// groups: the event's packet has completed its group
    pub event_complete: Vec<Signal<In, Bit>>,
    /// groups: last packet of the highest group that is complete, of the queue pair whose state is read
    pub live_edge: Vec<Signal<In, Bits<24>>>,
    /// groups: phase of the queue pair whose base and bits are read
    pub phase: Vec<Signal<In, Bits<3>>>,
    /// groups: `peek_base` less that
    pub peek_inner: Vec<Signal<In, Bits<24>>>,

    records: GapRecords,
    scan: GapScan,
    late: TriggerCheck,
    patrol: GapPatrol,
    feedback: FeedbackQueue,
    // Horizon 24, time of the last advance 32, accepted packets then 24, misjudgements 24, accepted packets as of the last event 24.
    totals: BlockRam<128, NODE_BITS, 1>,
    filled: State<Bit>,
    next_word: State<Bits<NODE_BITS>>,

    n_valid: State<Bit>,
    n_kind: Reg<Bits<3>>,
    n_qp: Reg<Bits<NODE_BITS>>,
    n_psn: Reg<Bits<24>>,
    n_before: Reg<Bits<24>>,
    n_count: Reg<Bits<24>>,
    n_again: Reg<Bit>,
    n_age: Reg<Bits<3>>,
    n_lags: Reg<Bit>,
    n_fill: Reg<Bit>,
    n_append: Reg<Bit>,
    n_free: Signal<Local, Bit>,
    n_settled: Signal<Local, Bit>,

    late_goes: Signal<Local, Bit>,
    late_went: State<Bit>,
    reading: Signal<Local, Bits<NODE_BITS>>,
    port_free: Signal<Local, Bit>,
    asked1: Reg<Bit>,
    here: Reg<Bit>,
    compares: Signal<Local, Bit>,
    compared: State<Bit>,
    idle: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    same: Reg<Bit>,
    weighs: State<Bit>,
    loaded: State<Bit>,
    p1: State<Bit>,
    p2: State<Bit>,
    p3: State<Bit>,
    p4: State<Bit>,
    p5: State<Bit>,
    kind: Reg<Bits<3>>,
    asked: Reg<Bit>,
    repeated: Reg<Bit>,
    enough: Reg<Bit>,
    qp: Reg<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    sent_before: Reg<Bit>,
    counted: Reg<Bits<24>>,
    reference: Reg<Bits<24>>,
    first: Reg<Bits<24>>,
    last: Reg<Bits<24>>,
    below: Signal<Local, Bits<24>>,
    above: Signal<Local, Bits<24>>,
    beyond: Signal<Local, Bits<24>>,
    is_new: Reg<Bit>,
    known_count: Signal<Local, Bits<24>>,
    back: Signal<Local, Bits<24>>,
    is_older: Reg<Bit>,
    max: Reg<Bits<24>>,
    count: Reg<Bits<24>>,
    horizon: Reg<Bits<24>>,
    old_horizon: Signal<Local, Bits<24>>,
    advanced: Reg<Bits<32>>,
    moved: Reg<Bits<24>>,
    misjudged: Reg<Bits<24>>,
    fix: Signal<Local, Bit>,
    searches: State<Bit>,
    searching: State<Bit>,
    fixed: State<Bit>,

    depth_edge: Reg<Bits<24>>,
    wait_edge: Reg<Bits<32>>,
    stall_edge: Reg<Bits<32>>,
    feedback_edge: Reg<Bits<32>>,
    repeat_edge: Reg<Bits<32>>,
    packets_on: Reg<Bit>,
    packets_plus: Reg<Bits<24>>,
    seen_packets: Reg<Bits<24>>,
    moved_packets: Reg<Bits<24>>,
    past_seen: Signal<Local, Bits<24>>,
    past_moved: Signal<Local, Bits<24>>,
    stalled_since: Signal<Local, Bits<32>>,
    stalled_moved: Signal<Local, Bits<32>>,
    stalled: Signal<Local, Bit>,

    trigger_any5: Reg<Bit>,
    trigger_value5: Reg<Bits<24>>,
    trigger_qp5: Reg<Bits<NODE_BITS>>,
    asked5: State<Bit>,
    // Of told regions: edge 24, base 24, since 32, valid 1.
    regions: Vec<BlockRam<81, NODE_BITS, 1>>,
    walk: Vec<GapWalk>,
    region: Vec<Reg<Bit>>,
    region_edge: Vec<Reg<Bits<24>>>,
    region_base: Vec<Reg<Bits<24>>>,
    region_since: Vec<Reg<Bits<32>>>,
    walk_wait: Vec<Signal<Local, Bits<32>>>,
    walk_edge: Vec<Reg<Bits<32>>>,
    memory_region: Vec<Signal<Local, Bit>>,
    memory_edge: Vec<Signal<Local, Bits<24>>>,
    from_packet: Vec<Signal<Local, Bits<24>>>,
    from_base: Vec<Signal<Local, Bits<24>>>,
    in_region: Vec<Reg<Bit>>,
    past_region: Vec<Reg<Bit>>,
    hits_region: Vec<Reg<Bit>>,
    leaves_region: Vec<Reg<Bit>>,
    forgets: Vec<Signal<Local, Bit>>,
    n_look: Vec<Signal<Local, Bit>>,
    n_peeks: Vec<Signal<Local, Bit>>,
    n_peeked: Vec<State<Bit>>,
    n_base1: Vec<State<Bit>>,
    n_base2: Vec<State<Bit>>,
    n_base3: Vec<State<Bit>>,
    n_based: Vec<State<Bit>>,
    n_base: Vec<Reg<Bits<24>>>,
    region_elapsed: Vec<Signal<Local, Bits<32>>>,
    walks: Vec<Signal<Local, Bit>>,
    // Of several paths.
    limits: Vec<RelaxedLimits>,
    n_paths: Vec<Reg<Bits<20>>>,
    packet_path: Vec<Reg<Bits<4>>>,
    marks: Vec<Reg<Bits<16>>>,
    next: Vec<Reg<Bits<24>>>,
    relaxed_depth: Vec<Reg<Bits<24>>>,
    relaxed_wait: Vec<Reg<Bits<32>>>,
    relaxed_stall: Vec<Reg<Bits<32>>>,
    relaxed_plus: Vec<Reg<Bits<24>>>,
    relaxed_seen: Vec<Reg<Bits<24>>>,
    relaxed_moved: Vec<Reg<Bits<24>>>,
    relaxed_stalled_since: Vec<Signal<Local, Bits<32>>>,
    relaxed_stalled_moved: Vec<Signal<Local, Bits<32>>>,
    relaxed_past_seen: Vec<Signal<Local, Bits<24>>>,
    relaxed_past_moved: Vec<Signal<Local, Bits<24>>>,
    extra: Vec<Reg<Bits<24>>>,
    crossed_any5: Vec<Reg<Bit>>,
    crossed_value5: Vec<Reg<Bits<24>>>,
    crossed_any6: Vec<Reg<Bit>>,
    crossed_value6: Vec<Reg<Bits<24>>>,
    earlier6: Vec<Signal<Local, Bits<24>>>,
    trigger6: Vec<Signal<Local, Bits<24>>>,
    p6: Vec<Reg<Bit>>,
    trigger_any6: Vec<Reg<Bit>>,
    trigger_value6: Vec<Reg<Bits<24>>>,
    trigger_qp6: Vec<Reg<Bits<NODE_BITS>>>,
    asked6: Vec<Reg<Bit>>,
    // Of groups.
    n_complete: Vec<Reg<Bit>>,
    wide: Vec<Signal<Local, Bits<24>>>,
    scan_first: Vec<Reg<Bits<24>>>,
    scan_last: Vec<Reg<Bits<24>>>,
    outer_last: Vec<Signal<Local, Bits<24>>>,
    found_first: Vec<Reg<Bits<24>>>,
    found_last: Vec<Reg<Bits<24>>>,
    #[variant]
    _ways: usize,
    #[variant]
    _paths: usize,
    #[variant]
    _groups: usize,
    #[variant]
    _tells: usize,
}

impl GapEngine {
    /// For as many paths, 1 to 16, and groups of so many packets, 1 to 8.
    pub fn with(paths: usize, granularity: usize) -> Self {
        let (ways, groups) = (usize::from(paths > 1), usize::from(granularity > 1));
        let tells = 1 - ways.max(groups);
        let mut block = Self {
            records: GapRecords::with(paths, granularity),
            patrol: GapPatrol::with(paths, tells),
            feedback: FeedbackQueue::with(paths, tells),
            _tells: tells,
            _ways: ways,
            _paths: ways * paths,
            _groups: groups,
            ..Self::default()
        };
        have! {
            block:
            ways => relax, stripe, event_paths, live_mode, live_delivered, live_active, ffm_path, gap_path, misjudged_path,
                path_lost, limits, n_paths, packet_path, marks, next, relaxed_depth, relaxed_wait, relaxed_stall, relaxed_plus,
                relaxed_seen, relaxed_moved, relaxed_stalled_since, relaxed_stalled_moved, relaxed_past_seen,
                relaxed_past_moved, extra, crossed_any5, crossed_value5, crossed_any6, crossed_value6, earlier6, trigger6, p6,
                trigger_any6, trigger_value6, trigger_qp6, asked6;
            ways * paths => live_edges;
            groups => event_complete, live_edge, phase, peek_inner, n_complete, wide, scan_first, scan_last, outer_last,
                found_first, found_last;
            tells => glance_ready, evt_spilled, spilled_edge, told_walk, regions, walk, region, region_edge, region_base, region_since,
                walk_wait, walk_edge, memory_region, memory_edge, from_packet, from_base, in_region, past_region, hits_region,
                leaves_region, forgets, n_look, n_peeks, n_peeked, n_base1, n_base2, n_base3, n_based, n_base, region_elapsed, walks;
        }
        block
    }
}

impl Logic for GapEngine {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.filled.q.val();

        // Limits as points in time, and packets, before which something is too old.
        self.wait_edge.d.next = self.now.val() - self.wait_ticks.val();
        self.stall_edge.d.next = self.now.val() - self.stall.val();
        self.feedback_edge.d.next = self.now.val() - self.feedback_wait.val();
        self.repeat_edge.d.next = self.now.val() - self.refeedback.val();
        self.packets_on.d.next = self.stall_packets.val().any();
        self.packets_plus.d.next = bit_cast::<24, 22>(self.stall_packets.val()) + 1;
        self.records.now.next = self.now.val();
        self.records.wait_edge.next = self.wait_edge.q.val();
        self.records.feedback_edge.next = self.feedback_edge.q.val();
        self.records.repeat_edge.next = self.repeat_edge.q.val();
        self.records.threshold.next = self.feedback_threshold.val();
        self.records.by_arrivals.next = self.by_arrivals.val();

        // The next event. What a pass finds to be told begins another one; whether that is enough is known a clock later.
        self.more.next = self.p4.q.val() && ((self.records.s4_more.val() && self.feedback.room.val()) || self.records.s4_count.val());
        self.weighs.d.next = self.p4.q.val() && self.records.s4_held.val() && !self.more.val();
        self.again.next = self.more.val() || (self.weighs.q.val() && self.enough.q.val());
        self.idle.next = !self.p1.q.val()
            && !self.p2.q.val()
            && !self.p3.q.val()
            && !(self.p4.q.val() && self.records.s4_held.val())
            && !self.again.val();
        self.starts.next = self.idle.val() && self.compared.q.val() && self.here.q.val();
        self.n_free.next = self.filled.q.val() && (!self.n_valid.q.val() || self.starts.val());
        self.event.ready.next = self.n_free.val();
        if self.n_age.q.val() != bits::<3>(5) {
            self.n_age.d.next = self.n_age.q.val() + 1;
        }
        // Who has been cleared meanwhile does not lag any more. Events of a queue pair that lags are dropped until a clock after
        // `lag_done`.
        self.lag_qp.next = self.n_qp.q.val();
        self.n_lags.d.next = self.lags.val();
        self.lag_done.next = self.n_valid.q.val()
            && (self.n_age.q.val() == bits::<3>(1))
            && ((self.n_kind.q.val() == bits::<3>(3)) || ((self.n_kind.q.val() == bits::<3>(4)) && self.n_lags.q.val()));
        if (self.n_age.q.val() == bits::<3>(1)) && (self.n_kind.q.val() == bits::<3>(4)) && !self.n_lags.q.val() {
            self.n_kind.d.next = bits::<3>(5);
        }
        self.n_fill.d.next = self.n_kind.q.val() == bits::<3>(2);
        self.n_append.d.next = (self.n_kind.q.val() == bits::<3>(1)) || (self.n_kind.q.val() == bits::<3>(4));
        if self.n_free.val() {
            self.n_valid.d.next = self.event.valid.val();
            self.n_age.d.next = bits::<3>(0);
            self.n_kind.d.next = self.event.kind.val();
            self.n_qp.d.next = self.event.qp.val();
            self.n_psn.d.next = self.event.psn.val();
            self.n_before.d.next = self.event.before.val();
            self.n_count.d.next = self.event.count.val();
            self.n_again.d.next = self.event.retransmission.val();
        }

        self.settles();
        self.scans();

        // Before step 0: whether a gap lies beyond all that are known, and whether more packets were accepted as of an event that has been
        // taken: what the scan has queued is as old as its look.
        self.old_horizon.next = self.totals.read_data.val().get_bits::<24>(0);
        self.known_count.next = self.totals.read_data.val().get_bits::<24>(104);
        if self.same.q.val() {
            self.old_horizon.next = self.horizon.q.val();
            self.known_count.next = self.count.q.val();
        }
        self.beyond.next = self.old_horizon.val() - self.n_psn.q.val();
        if self.n_kind.q.val() == bits::<3>(4) {
            self.beyond.next = self.old_horizon.val() - self.levels.max.val();
        }
        for g in 0..self._groups {
            if self.n_kind.q.val() == bits::<3>(4) {
                self.beyond.next = self.old_horizon.val() - self.live_edge[g].val();
            }
        }
        self.back.next = self.n_count.q.val() - self.known_count.val();
        if self.compares.val() {
            self.is_new.d.next = self.beyond.val().get_bit(23);
            self.is_older.d.next = self.back.val().get_bit(23);
        }

        // Step 0. Records that are there already count, not those in memory.
        self.p1.d.next = self.starts.val() || self.again.val();
        self.records.s0_start.next = self.starts.val();
        self.records.s0_load.next = self.starts.val() && !self.same.q.val();
        self.records.s0_fill.next = self.n_fill.q.val();
        self.records.s0_append.next = self.is_new.q.val() && self.n_append.q.val();
        self.records.s0_fix.next = self.p2.q.val() && self.scan.done.val();
        self.records.s0_fix_empty.next = !self.scan.found.val();
        self.below.next = self.n_psn.q.val();
        self.above.next = self.n_psn.q.val();
        if self.n_kind.q.val() == bits::<3>(1) {
            self.above.next = self.n_before.q.val();
        }
        if self.n_kind.q.val() == bits::<3>(4) {
            self.above.next = self.old_horizon.val();
        }
        if self.starts.val() {
            self.loaded.d.next = true;
            self.kind.d.next = self.n_kind.q.val();
            self.asked.d.next = !self.n_kind.q.val().any();
            self.repeated.d.next = false;
            self.qp.d.next = self.n_qp.q.val();
            self.psn.d.next = self.n_psn.q.val();
            self.sent_before.d.next = self.n_again.q.val();
            self.counted.d.next = self.n_count.q.val();
            self.reference.d.next = self.n_count.q.val() - 1;
            self.first.d.next = self.above.val() + 1;
            self.last.d.next = self.below.val() - 1;
            // The highest number is newer than the event, the count is the event's: packets that wait in the queue may lie before a gap.
            self.max.d.next = self.levels.max.val();
            self.count.d.next = self.n_count.q.val();
            if self.is_older.q.val() && (self.n_kind.q.val() == bits::<3>(5)) {
                self.count.d.next = self.known_count.val();
            }
            if self.n_kind.q.val() == bits::<3>(4) {
                self.count.d.next = self.levels.count.val();
                self.last.d.next = self.levels.max.val();
                self.psn.d.next = self.levels.max.val();
                self.reference.d.next = self.levels.count.val();
                self.counted.d.next = self.levels.count.val();
            }
            if !self.same.q.val() {
                self.horizon.d.next = self.totals.read_data.val().get_bits::<24>(0);
                self.advanced.d.next = self.totals.read_data.val().get_bits::<32>(24);
                self.moved.d.next = self.totals.read_data.val().get_bits::<24>(56);
                self.misjudged.d.next = self.totals.read_data.val().get_bits::<24>(80);
            }
        }
        if self.again.val() {
            self.kind.d.next = bits::<3>(5);
            self.asked.d.next = false;
            self.repeated.d.next = true;
        }
        if self.p4.q.val() {
            self.enough.d.next = self.records.s4_enough.val();
        }

        // Step 1.
        self.p2.d.next = self.p1.q.val();
        self.records.s1_clear.next = !self.filled.q.val() || (self.p1.q.val() && (self.kind.q.val() == bits::<3>(3)));
        self.records.s1_doubt.next = self.p1.q.val() && (self.kind.q.val() == bits::<3>(4));
        self.records.s1_first.next = self.first.q.val();
        self.records.s1_last.next = self.last.q.val();
        if self.p2.q.val() {
            self.records.s1_first.next = self.scan.found_first.val();
            self.records.s1_last.next = self.scan.found_last.val();
        }
        self.records.s1_reference.next = self.reference.q.val();
        self.evt_gap.next = self.records.s1_append.val();
        self.evt_folded.next = self.records.s1_folded.val();
        self.evt_rebuilt.next = self.records.s1_doubt.val();
        self.rebuilt_qp.next = self.qp.q.val();
        self.rebuilt_edge.next = self.psn.q.val();
        self.evt_misjudged.next = self.records.s1_reported.val() && !self.sent_before.q.val();
        if self.records.s1_append.val() {
            self.horizon.d.next = self.psn.q.val();
        }
        if self.records.s1_at_base.val() || self.records.s1_doubt.val() {
            self.advanced.d.next = self.now.val();
            self.moved.d.next = self.counted.q.val();
        }
        if self.records.s1_reported.val() && !self.sent_before.q.val() && !self.misjudged.q.val().all() {
            self.misjudged.d.next = self.misjudged.q.val() + 1;
        }
        if !self.filled.q.val() {
            self.count.d.next = bits::<24>(0);
        }
        if self.records.s1_clear.val() {
            self.horizon.d.next = self.last.q.val();
            self.advanced.d.next = self.now.val();
            self.moved.d.next = bits::<24>(0);
            self.misjudged.d.next = bits::<24>(0);
        }
        self.depth_edge.d.next = self.max.q.val() - bit_cast::<24, 22>(self.depth.val());
        if self.by_arrivals.val() {
            self.depth_edge.d.next = self.count.q.val() - bit_cast::<24, 22>(self.depth.val());
        }
        self.moved_packets.d.next = self.count.q.val() - bit_cast::<24, 22>(self.stall_packets.val());
        self.seen_packets.d.next = self.count.q.val() - self.packets_plus.q.val();

        // Step 2, and before it the search of ends, which has its range two clocks later.
        self.fixed.d.next = self.records.s0_fix.val();
        self.scan.qp.next = self.qp.q.val();
        self.scan.first.next = self.records.search_first.val();
        self.scan.last.next = self.records.search_last.val();
        self.fix.next = self.scan.done.val() || self.fixed.q.val();
        self.searches.d.next = self.p2.q.val() && self.records.search.val() && !self.fix.val();
        self.scan.starts.next = self.p2.q.val() && self.records.search.val() && !self.fix.val() && !self.searching.q.val();
        self.searching.d.next = (self.searching.q.val() || self.scan.starts.val()) && !self.fixed.q.val();
        if self.p2.q.val() && self.records.search.val() {
            self.p2.d.next = true;
        }
        self.p3.d.next = self.p2.q.val() && !self.records.search.val();
        self.records.depth_edge.next = self.depth_edge.q.val();
        self.stalled_since.next = self.records.lowest.val().get_bits::<32>(72) - self.stall_edge.q.val();
        self.stalled_moved.next = self.advanced.q.val() - self.stall_edge.q.val();
        self.past_seen.next = self.records.lowest.val().get_bits::<24>(48) - self.seen_packets.q.val();
        self.past_moved.next = self.moved.q.val() - self.moved_packets.q.val();
        self.stalled.next = (self.stalled_since.val().get_bit(31) && self.stalled_moved.val().get_bit(31))
            || (self.packets_on.q.val() && self.past_seen.val().get_bit(23) && self.past_moved.val().get_bit(23));
        self.records.s2_stalled.next = self.stalled.val();
        self.read_qp.next = self.qp.q.val();
        self.peek_valid.next = self.scan.peek_valid.val();
        self.scan.peek_ready.next = self.peek_ready.val();
        self.scan.peek_base.next = self.peek_base.val();
        self.scan.word_ready.next = self.word_ready.val();
        self.word_valid.next = self.scan.word_valid.val();
        self.word_segment.next = self.scan.word_segment.val();
        self.scan.word.next = self.word.val();

        // Step 3.
        self.p4.d.next = self.p3.q.val();
        self.records.s3_judge.next = self.p3.q.val();
        self.records.s2_enough.next = self.repeated.q.val() && self.enough.q.val();
        self.records.s3_room.next = self.feedback.room.val();

        self.tells();
        self.told_regions();
        self.several_paths();
        self.groups();
    }
}
