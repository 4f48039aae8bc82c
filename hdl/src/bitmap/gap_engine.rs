use super::{
    FeedbackQueue, GapEventSink, GapLevels, GapPatrol, GapRecords, GapScan, LagLook, LossMessages, RelaxedLimits, ScanLag, TriggerCheck,
    TriggerWrite, some,
};
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Keeps the gap records of all queue pairs, finds those that reordering can no longer explain, and tells of them.
///
/// Takes one queue pair after the other through the steps of `GapRecords`, 4 clocks for each: for an event of `GapEvents`, and again while there is
/// more to tell of the same one. A scan of all queue pairs looks at one every 4 clocks. If it finds a record that is too old, or is to be told or
/// told again, a stall at the base, or a queue pair that lags, that is
/// queued as an event too, and the scan waits for it: then the records know what had arrived when it was found, and no gap is lost for packets that
/// are still in the queue. Depth is judged by the highest number there is, which may count a packet more for a gap whose first packet waits in the
/// queue, or by the accepted packets as of the event, or of an earlier one that knows of more: what the scan has queued is as old as its look. While gaps
/// are lost that are not enough to be told, an event takes 2 clocks more. A queue pair that lags: every record may hold packets that have arrived, and all from the last
/// gap seen to the highest number is one gap; the ends of all
/// are then searched in the bitmap. Such records are told with all they cover.
/// With groups of packets the ends of every gap that is seen, shrinks or splits are searched, which takes an event so much longer.
/// The base is the first packet of the first record. Times are those at which the engine comes to an event.
/// Feedback messages wait in a queue of 8. While it is full what is to be told waits in its record, where it goes on to shrink, and goes out when
/// the scan finds it. Latency: 9 clocks, event to message. Throughput: one event per 4 clocks; one more clock for each 1/5 segment searched. Reset:
/// no records; `ready` comes `2^NODE_BITS` clocks after it.
///
/// `RECORDS` records per queue pair. `SEGMENT_BITS` is the width of a position in a segment, `2^SEGMENT_BITS` = `SEGMENT`; `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`, `WINDOW_SEGMENTS_BITS` the width of a segment's number in
/// the window, `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`.
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
}

impl GapEngine {
    /// For as many paths, 1 to 16, and groups of so many packets, 1 to 8.
    pub fn with(paths: usize, granularity: usize) -> Self {
        let (ways, groups) = (usize::from(paths > 1), usize::from(granularity > 1));
        Self {
            relax: some(ways),
            stripe: some(ways),
            event_paths: some(ways),
            live_mode: some(ways),
            live_delivered: some(ways),
            live_edges: some(ways * paths),
            live_active: some(ways),
            ffm_path: some(ways),
            gap_path: some(ways),
            misjudged_path: some(ways),
            path_lost: some(ways),
            records: GapRecords::with(paths, granularity),
            patrol: GapPatrol::with_paths(paths),
            feedback: FeedbackQueue::with_paths(paths),
            limits: some(ways),
            n_paths: some(ways),
            packet_path: some(ways),
            marks: some(ways),
            next: some(ways),
            relaxed_depth: some(ways),
            relaxed_wait: some(ways),
            relaxed_stall: some(ways),
            relaxed_plus: some(ways),
            relaxed_seen: some(ways),
            relaxed_moved: some(ways),
            relaxed_stalled_since: some(ways),
            relaxed_stalled_moved: some(ways),
            relaxed_past_seen: some(ways),
            relaxed_past_moved: some(ways),
            extra: some(ways),
            crossed_any5: some(ways),
            crossed_value5: some(ways),
            crossed_any6: some(ways),
            crossed_value6: some(ways),
            earlier6: some(ways),
            trigger6: some(ways),
            p6: some(ways),
            trigger_any6: some(ways),
            trigger_value6: some(ways),
            trigger_qp6: some(ways),
            asked6: some(ways),
            event_complete: some(groups),
            live_edge: some(groups),
            phase: some(groups),
            peek_inner: some(groups),
            n_complete: some(groups),
            wide: some(groups),
            scan_first: some(groups),
            scan_last: some(groups),
            outer_last: some(groups),
            found_first: some(groups),
            found_last: some(groups),
            _ways: ways,
            _paths: ways * paths,
            _groups: groups,
            ..Self::default()
        }
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
        // Who has been cleared meanwhile does not lag any more. Events of a queue pair that lags are dropped until a clock after `lag_done`.
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

        // Memory is read for it, but for the third clock: then, and while there is a search or no event, the scan has the port. What has been read is
        // `here`, and compared until the event starts: with the records that are there from their step 3 on, when it does not change them any more.
        self.port_free.next = !self.n_valid.q.val()
            || (self.p3.q.val() && (self.n_age.q.val() == bits::<3>(2)) && (self.n_kind.q.val() != bits::<3>(4)))
            || self.searches.q.val();
        self.asked1.d.next = !self.port_free.val() && !self.n_free.val();
        self.here.d.next = self.asked1.q.val() && !self.n_free.val();
        self.same.d.next = self.loaded.q.val() && (self.n_qp.q.val() == self.qp.q.val());
        // The highest number that a queue pair which lags is read up to is that of all that was dropped.
        self.n_settled.next = (self.n_kind.q.val() != bits::<3>(4)) || self.n_age.q.val().get_bit(2);
        self.compares.next = self.here.q.val() && self.n_settled.val();
        self.compared.d.next = (self.compares.val() || self.compared.q.val()) && !self.n_free.val() && !self.p2.q.val();
        self.records.psn.next = self.n_psn.q.val();
        self.records.compare.next = self.compares.val();
        self.records.same.next = self.same.q.val();
        self.reading.next = self.patrol.read_qp.val();
        if !self.port_free.val() {
            self.reading.next = self.n_qp.q.val();
        }
        self.records.read_address.next = self.reading.val();
        self.totals.read_address.next = self.reading.val();
        self.levels.qp.next = self.reading.val();
        self.scan_lag.qp.next = self.patrol.read_qp.val();
        self.patrol.enable.next = self.filled.q.val() && self.port_free.val();
        self.patrol.lags.next = self.scan_lag.lags.val();
        self.scan_lag.begins.next = self.patrol.begins.val();
        self.patrol.record.next = self.records.memory_lowest.val();
        self.patrol.advanced.next = self.totals.read_data.val().get_bits::<32>(24);
        self.patrol.moved.next = self.totals.read_data.val().get_bits::<24>(56);
        self.patrol.count.next = self.levels.count.val();
        self.patrol.overdue.next = self.records.overdue.val();
        self.patrol.pending.next = self.records.pending.val() && self.feedback.room.val();
        self.patrol.stall_edge.next = self.stall_edge.q.val();
        self.patrol.stall_packets.next = self.stall_packets.val();
        // Triggers that came too late go first, unless one has just gone before what the scan has found.
        self.late_goes.next = self.late.out_valid.val() && !(self.late_went.q.val() && self.patrol.look_valid.val());
        self.late.out_ready.next = self.look.ready.val() && self.late_goes.val();
        self.patrol.look_ready.next = self.look.ready.val() && !self.late_goes.val();
        if self.look.ready.val() {
            self.late_went.d.next = self.late_goes.val();
        }
        self.look.valid.next = self.late.out_valid.val() || self.patrol.look_valid.val();
        self.look.late.next = self.late_goes.val();
        self.look.lag.next = !self.late_goes.val() && self.patrol.look_lag.val();
        self.look.qp.next = self.patrol.look_qp.val();
        self.look.count.next = self.patrol.look_count.val();
        if self.late_goes.val() {
            self.look.qp.next = self.late.out_qp.val();
            self.look.count.next = self.late.out_count.val();
        }

        // Before step 0: whether a gap lies beyond all that are known, and whether more packets were accepted as of an event that has been taken: what the
        // scan has queued is as old as its look.
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

        // Step 4: written, and told.
        self.records.write.next = self.p4.q.val() || !self.filled.q.val();
        self.records.write_address.next = self.qp.q.val();
        self.totals.write_enable.next = self.p4.q.val() || !self.filled.q.val();
        self.totals.write_address.next = self.qp.q.val();
        if !self.filled.q.val() {
            self.records.write_address.next = self.next_word.q.val();
            self.totals.write_address.next = self.next_word.q.val();
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.filled.d.next = self.next_word.q.val().all();
        }
        self.totals.write_data.next = bit_cast::<128, 24>(self.horizon.q.val())
            | (bit_cast::<128, 32>(self.advanced.q.val()) << 24)
            | (bit_cast::<128, 24>(self.moved.q.val()) << 56)
            | (bit_cast::<128, 24>(self.misjudged.q.val()) << 80)
            | (bit_cast::<128, 24>(self.count.q.val()) << 104);
        self.cleared.next = self.p4.q.val() && (self.kind.q.val() == bits::<3>(3));
        self.p5.d.next = self.p4.q.val();
        self.trigger_any5.d.next = self.records.s4_waits.val();
        self.trigger_value5.d.next = self.records.s4_measure.val();
        self.trigger_qp5.d.next = self.qp.q.val();
        self.asked5.d.next = self.p4.q.val() && self.asked.q.val();
        self.trigger.write.next = self.p5.q.val();
        self.trigger.qp.next = self.trigger_qp5.q.val();
        self.trigger.any.next = self.trigger_any5.q.val();
        self.trigger.value.next = self.trigger_value5.q.val();
        self.judge_done.next = self.asked5.q.val();
        self.late.write.next = self.p5.q.val();
        self.late.qp.next = self.trigger_qp5.q.val();
        self.late.any.next = self.trigger_any5.q.val();
        self.late.value.next = self.trigger_value5.q.val();
        self.late.depth.next = self.depth.val();
        self.late.by_arrivals.next = self.by_arrivals.val();
        self.late_levels.qp.next = self.late.check_qp.val();
        self.late.check_max.next = self.late_levels.max.val();
        self.late.check_count.next = self.late_levels.count.val();

        self.feedback.by_arrivals.next = self.by_arrivals.val();
        self.feedback.now.next = self.now.val();
        self.feedback.send.next = self.p4.q.val() && self.records.s4_sent.val();
        self.feedback.qp.next = self.qp.q.val();
        self.feedback.record.next = self.records.s4_record.val();
        self.feedback.again.next = self.records.s4_again.val();
        self.feedback.base.next = self.records.lowest.val().get_bits::<24>(0);
        self.feedback.max.next = self.max.q.val();
        self.feedback.count.next = self.count.q.val();
        self.feedback.misjudged.next = self.misjudged.q.val();
        self.evt_lost.next = self.records.lost_now.val();
        self.evt_report.next = self.feedback.told.val();
        self.evt_repeat.next = self.feedback.told_again.val();
        self.told_qp.next = self.feedback.told_qp.val();
        self.told_start.next = self.feedback.told_start.val();
        self.told_end.next = self.feedback.told_end.val();
        LossMessages::link(&mut self.ffm, &mut self.feedback.ffm);

        // Several paths.
        for k in 0..self._paths {
            self.records.edges[k].next = self.live_edges[k].val();
        }
        for w in 0..self._ways {
            self.n_paths[w].d.next = self.n_paths[w].q.val();
            self.packet_path[w].d.next = self.packet_path[w].q.val();
            self.marks[w].d.next = self.marks[w].q.val();
            self.next[w].d.next = self.next[w].q.val();

            // Limits, relaxed, as points before which something is too old.
            self.limits[w].relax.next = self.relax[w].val();
            self.limits[w].depth.next = self.depth.val();
            self.limits[w].wait_ticks.next = self.wait_ticks.val();
            self.limits[w].stall.next = self.stall.val();
            self.limits[w].stall_packets.next = self.stall_packets.val();
            self.relaxed_wait[w].d.next = self.now.val() - self.limits[w].relaxed_wait.val();
            self.relaxed_stall[w].d.next = self.now.val() - self.limits[w].relaxed_stall.val();
            self.relaxed_plus[w].d.next = self.limits[w].relaxed_packets.val() + 1;
            self.relaxed_depth[w].d.next = self.max.q.val() - self.limits[w].relaxed_depth.val();
            if self.by_arrivals.val() {
                self.relaxed_depth[w].d.next = self.count.q.val() - self.limits[w].relaxed_depth.val();
            }
            self.relaxed_moved[w].d.next = self.count.q.val() - self.limits[w].relaxed_packets.val();
            self.relaxed_seen[w].d.next = self.count.q.val() - self.relaxed_plus[w].q.val();

            // The event's packet and the active paths go with it; who is read anew has those of now.
            if self.n_free.val() {
                self.n_paths[w].d.next = self.event_paths[w].val();
            }
            if self.starts.val() {
                self.packet_path[w].d.next = self.n_paths[w].q.val().get_bits::<4>(0);
                self.marks[w].d.next = self.n_paths[w].q.val().get_bits::<16>(4);
                self.next[w].d.next = self.n_psn.q.val();
                if self.n_kind.q.val() == bits::<3>(4) {
                    self.packet_path[w].d.next = bits::<4>(0);
                    self.marks[w].d.next = self.live_active[w].val();
                    self.next[w].d.next = self.levels.max.val() + 1;
                }
            }
            if self.searching.q.val() {
                self.next[w].d.next = self.scan.found_last.val() + 1;
            }
            self.records.stripe[w].next = self.stripe[w].val();
            self.records.mode[w].next = self.live_mode[w].val();
            self.records.delivered[w].next = self.live_delivered[w].val();
            self.records.active[w].next = self.live_active[w].val();
            self.records.s1_next[w].next = self.next[w].q.val();
            self.records.s1_path[w].next = self.packet_path[w].q.val();
            self.records.s1_marks[w].next = self.marks[w].q.val();
            self.records.relaxed_depth[w].next = self.relaxed_depth[w].q.val();
            self.records.relaxed_wait[w].next = self.relaxed_wait[w].q.val();
            self.gap_path[w].next = self.records.s1_gap_path[w].val();
            self.misjudged_path[w].next = self.packet_path[w].q.val();

            // Step 2: a stall by the limits that count.
            self.relaxed_stalled_since[w].next = self.records.lowest.val().get_bits::<32>(72) - self.relaxed_stall[w].q.val();
            self.relaxed_stalled_moved[w].next = self.advanced.q.val() - self.relaxed_stall[w].q.val();
            self.relaxed_past_seen[w].next = self.records.lowest.val().get_bits::<24>(48) - self.relaxed_seen[w].q.val();
            self.relaxed_past_moved[w].next = self.moved.q.val() - self.relaxed_moved[w].q.val();
            if self.records.first_crossed[w].val() {
                self.records.s2_stalled.next = (self.relaxed_stalled_since[w].val().get_bit(31)
                    && self.relaxed_stalled_moved[w].val().get_bit(31))
                    || (self.packets_on.q.val()
                        && self.relaxed_past_seen[w].val().get_bit(23)
                        && self.relaxed_past_moved[w].val().get_bit(23));
            }
            self.patrol.crossed[w].next = self.records.memory_crossed[w].val();
            self.patrol.relaxed_stall[w].next = self.relaxed_stall[w].q.val();
            self.patrol.relaxed_packets[w].next = self.limits[w].relaxed_packets.val();

            // A gap that is crossed may be deeper by what is added here: which gap is the next one is known a clock later.
            self.extra[w].d.next = self.limits[w].relaxed_depth.val() - bit_cast::<24, 22>(self.depth.val());
            self.crossed_any5[w].d.next = self.records.s4_crossed_waits[w].val();
            self.crossed_value5[w].d.next = self.records.s4_crossed_measure[w].val();
            self.p6[w].d.next = self.p5.q.val();
            self.asked6[w].d.next = self.asked5.q.val();
            self.trigger_qp6[w].d.next = self.trigger_qp5.q.val();
            self.trigger_any6[w].d.next = self.trigger_any5.q.val();
            self.trigger_value6[w].d.next = self.trigger_value5.q.val();
            self.crossed_any6[w].d.next = self.crossed_any5[w].q.val();
            self.crossed_value6[w].d.next = self.crossed_value5[w].q.val() + self.extra[w].q.val();
            self.earlier6[w].next = self.crossed_value6[w].q.val() - self.trigger_value6[w].q.val();
            self.trigger6[w].next = self.trigger_value6[w].q.val();
            if !self.trigger_any6[w].q.val() || (self.crossed_any6[w].q.val() && self.earlier6[w].val().get_bit(23)) {
                self.trigger6[w].next = self.crossed_value6[w].q.val();
            }
            self.trigger.write.next = self.p6[w].q.val();
            self.trigger.qp.next = self.trigger_qp6[w].q.val();
            self.trigger.any.next = self.trigger_any6[w].q.val() || self.crossed_any6[w].q.val();
            self.trigger.value.next = self.trigger6[w].val();
            self.judge_done.next = self.asked6[w].q.val();
            self.late.write.next = self.p6[w].q.val();
            self.late.qp.next = self.trigger_qp6[w].q.val();
            self.late.any.next = self.trigger_any6[w].q.val() || self.crossed_any6[w].q.val();
            self.late.value.next = self.trigger6[w].val();

            self.feedback.path[w].next = self.records.s4_path[w].val();
            self.path_lost[w].next = self.records.path_lost[w].val();
            self.ffm_path[w].next = self.feedback.ffm_path[w].val();
            if self.rst.val() {
                self.p6[w].d.next = false;
                self.asked6[w].d.next = false;
            }
        }

        // Groups of packets: what is searched has the numbers of the bitmap; the search leaves nothing of a group that is complete.
        for g in 0..self._groups {
            self.n_complete[g].d.next = self.n_complete[g].q.val();
            if self.n_free.val() {
                self.n_complete[g].d.next = self.event_complete[g].val();
            }
            self.records.s0_complete[g].next = self.n_complete[g].q.val();
            if self.starts.val() && (self.n_kind.q.val() == bits::<3>(4)) {
                self.last.d.next = self.live_edge[g].val();
                self.psn.d.next = self.live_edge[g].val();
            }
            self.evt_gap.next = self.records.s1_seen[g].val();

            self.wide[g].next = bits::<24>(0);
            for b in 0..3 {
                self.wide[g].next = self.wide[g].val().replace_bit(b, self.phase[g].val().get_bit(b));
            }
            self.scan_first[g].d.next = self.records.search_first.val() - self.wide[g].val();
            self.scan_last[g].d.next = self.records.search_last.val() - self.wide[g].val();
            self.scan.first.next = self.scan_first[g].q.val();
            self.scan.last.next = self.scan_last[g].q.val();
            self.scan.peek_base.next = self.peek_inner[g].val();
            self.outer_last[g].next = self.scan.found_last.val() + self.wide[g].val();
            self.found_first[g].d.next = self.first.q.val();
            if self.scan.found.val() {
                self.found_first[g].d.next = self.scan.found_first.val() + self.wide[g].val();
            }
            self.found_last[g].d.next = self.outer_last[g].val();
            if self.p2.q.val() {
                self.records.s1_first.next = self.found_first[g].q.val();
                self.records.s1_last.next = self.found_last[g].q.val();
            }
            for w in 0..self._ways {
                if self.searching.q.val() {
                    self.next[w].d.next = self.outer_last[g].val() + 1;
                }
            }
        }
    }
}
