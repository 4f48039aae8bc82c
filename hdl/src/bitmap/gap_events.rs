use super::{GapEvent, GapLevelsSink, LagLookSink, ScanLagSink, TriggerWriteSink, some};
use crate::primitives::{BlockRam, ClearedRam, FifoLut, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Verdicts of the pipeline to what the gap records have to know: gaps that are seen, packets below the highest, the depth that is reached.
///
/// A packet is an event if it is beyond the next one after the highest (1: gap), or below the highest (2: fill), or if the depth of the
/// first gap that waits goes with it beyond the limit (0: judge). For the last of these the records leave a trigger per queue pair here:
/// number or reference of that gap; it fires once until they have answered. A queue pair that is opened or closed sends 3: clear, behind
/// everything of its old life. What the records want to look at goes through the same queue (5: look, 4: rebuild), so that they know all
/// that has arrived before; one look waits here for its place. Events wait in a queue of 64. One that finds it full is dropped, with all
/// that follow of its queue pair until `lag_done`: the queue pair lags, and what it missed is read from the bitmap, by one rebuild at a
/// time. Accepted packets are counted per queue pair, modulo 2^24; the count never starts anew. With groups of packets, a packet shows a
/// gap if it completes a group beyond the next one after the highest that is complete, and is a fill if it lies below that; the event of a
/// gap has the last packet of its group. What comes above and completes nothing is no event, and is found in the bitmap when a gap is seen.
/// Latency: 5 clocks from verdict to event. Throughput: one verdict per clock, never stalled. Reset: the queue is empty, nobody lags;
/// `ready` comes `2^NODE_BITS` clocks after it.
#[derive(Default, Described, LogicBlock)]
pub struct GapEvents {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// a packet has been accepted
    pub accepted: Signal<In, Bit>,
    /// queue pair
    pub qp: Signal<In, Bits<NODE_BITS>>,
    /// its number
    pub psn: Signal<In, Bits<24>>,
    /// highest number before it
    pub prior: Signal<In, Bits<24>>,
    /// highest number with it
    pub max: Signal<In, Bits<24>>,
    /// it has been sent before
    pub retransmission: Signal<In, Bit>,
    /// a queue pair is to be cleared; until it is
    pub clear: Signal<In, Bit>,
    /// queue pair of `clear`
    pub clear_qp: Signal<In, Bits<NODE_BITS>>,
    /// the number that it is to begin with
    pub clear_psn: Signal<In, Bits<24>>,
    pub look: LagLookSink<NODE_BITS>,
    /// packets that a gap may be deep
    pub depth: Signal<In, Bits<22>>,
    /// depth is counted in later packets
    pub by_arrivals: Signal<In, Bit>,

    pub event: GapEvent<NODE_BITS>,
    /// an event was dropped
    pub dropped: Signal<Out, Bit>,
    /// ... and its queue pair lags from now on
    pub falls_behind: Signal<Out, Bit>,
    /// ... of this queue pair
    pub dropped_qp: Signal<Out, Bits<NODE_BITS>>,

    pub trigger: TriggerWriteSink<NODE_BITS>,
    /// a judge event is answered
    pub judge_done: Signal<In, Bit>,
    /// of this queue pair
    pub judge_qp: Signal<In, Bits<NODE_BITS>>,
    /// queue pair of the event that was taken
    pub lag_qp: Signal<In, Bits<NODE_BITS>>,
    /// it lags, same clock
    pub lags: Signal<Out, Bit>,
    /// it does not any more
    pub lag_done: Signal<In, Bit>,
    #[port = "scan"]
    pub scan_lag: ScanLagSink<NODE_BITS>,
    #[port = "live"]
    pub levels: GapLevelsSink<NODE_BITS>,
    #[port = "check"]
    pub late_levels: GapLevelsSink<NODE_BITS>,

    /// several paths: path and active paths of the packet whose verdict was 4 clocks ago
    pub paths4: Vec<Signal<In, Bits<20>>>,
    /// several paths: of the event
    pub event_paths: Vec<Signal<Out, Bits<20>>>,

    /// groups: the packet has completed its group
    pub complete: Vec<Signal<In, Bit>>,
    /// groups: last packet of the highest that is complete
    pub last_edge: Vec<Signal<In, Bits<24>>>,
    /// groups: what that was before, `event_before` then
    pub prior_edge: Vec<Signal<In, Bits<24>>>,
    /// groups: of the event
    pub event_complete: Vec<Signal<Out, Bit>>,
    /// groups: last packet of the highest group that is complete, with `live_max`
    pub live_edge: Vec<Signal<Out, Bits<24>>>,

    counts: ClearedRam<24, NODE_BITS, 1>,
    triggers: BlockRam<25, NODE_BITS, 1>,
    live: BlockRam<48, NODE_BITS, 1>,
    check: BlockRam<48, NODE_BITS, 1>,
    judge_asked: LutRam<1, NODE_BITS>,
    judge_answered: LutRam<1, NODE_BITS>,
    lag_set: LutRam<1, NODE_BITS>,
    lag_answered: LutRam<1, NODE_BITS>,
    lag_set_seen: LutRam<1, NODE_BITS>,
    lag_asked: LutRam<1, NODE_BITS>,
    lag_set_done: LutRam<1, NODE_BITS>,
    lag_answered_done: LutRam<1, NODE_BITS>,
    judge_asked_done: LutRam<1, NODE_BITS>,
    judge_asked_late: LutRam<1, NODE_BITS>,
    judge_answered_late: LutRam<1, NODE_BITS>,
    asked_late: Signal<Local, Bit>,
    look_held: State<Bit>,
    look_lag_held: Reg<Bit>,
    look_qp_held: Reg<Bits<NODE_BITS>>,
    look_count_held: Reg<Bits<24>>,
    cleared: State<Bit>,
    next_word: State<Bits<NODE_BITS>>,

    new1: State<Bit>,
    new2: State<Bit>,
    new3: State<Bit>,
    new4: State<Bit>,
    qp1: Reg<Bits<NODE_BITS>>,
    qp2: Reg<Bits<NODE_BITS>>,
    qp3: Reg<Bits<NODE_BITS>>,
    qp4: Reg<Bits<NODE_BITS>>,
    psn1: Reg<Bits<24>>,
    psn2: Reg<Bits<24>>,
    psn3: Reg<Bits<24>>,
    psn4: Reg<Bits<24>>,
    before1: Reg<Bits<24>>,
    before2: Reg<Bits<24>>,
    before3: Reg<Bits<24>>,
    before4: Reg<Bits<24>>,
    max1: Reg<Bits<24>>,
    max2: Reg<Bits<24>>,
    max3: Reg<Bits<24>>,
    again1: Reg<Bit>,
    again2: Reg<Bit>,
    again3: Reg<Bit>,
    again4: Reg<Bit>,
    next1: Signal<Local, Bits<24>>,
    top2: Reg<Bit>,
    top3: Reg<Bit>,
    top4: Reg<Bit>,
    jump2: Reg<Bit>,
    jump3: Reg<Bit>,
    jump4: Reg<Bit>,
    same3: Reg<Bit>,
    same4: Reg<Bit>,
    same5: Reg<Bit>,
    now2: Signal<Local, Bits<24>>,
    count3: Reg<Bits<24>>,
    count4: Reg<Bits<24>>,
    count5: Reg<Bits<24>>,
    short: Reg<Bits<24>>,
    edge_max3: Reg<Bits<24>>,
    edge_count3: Reg<Bits<24>>,
    any3: Reg<Bit>,
    value3: Reg<Bits<24>>,
    edge3: Signal<Local, Bits<24>>,
    deeper3: Signal<Local, Bits<24>>,
    deep3: Signal<Local, Bit>,
    seen4: State<Bit>,
    trips4: State<Bit>,
    near4: State<Bit>,
    lagged4: Reg<Bit>,
    lag_answer4: Reg<Bits<1>>,
    judged4: Reg<Bit>,
    judge_answer4: Reg<Bits<1>>,
    judged5: State<Bit>,
    gap4: Signal<Local, Bit>,
    fill4: Signal<Local, Bit>,
    judge4: Signal<Local, Bit>,
    judges4: Signal<Local, Bit>,
    event4: Signal<Local, Bit>,
    lags4: Signal<Local, Bit>,
    push4: Signal<Local, Bit>,
    drop4: Signal<Local, Bit>,
    clear1: Reg<Bit>,
    clear2: Reg<Bit>,
    clear_sent: State<Bit>,
    starved: State<Bit>,
    turn: State<Bit>,
    others: Signal<Local, Bit>,
    looks: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
    wants_clear: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    dropped1: State<Bit>,
    first1: State<Bit>,
    dropped_qp1: Reg<Bits<NODE_BITS>>,
    kind4: Signal<Local, Bits<3>>,
    words: FifoLut<76, 6, 7>,
    pairs: FifoLut<NODE_BITS, 6, 7>,
    paths: Vec<FifoLut<20, 6, 7>>,
    // Of groups.
    edges: Vec<BlockRam<24, NODE_BITS, 1>>,
    group: Vec<FifoLut<1, 6, 7>>,
    many: Vec<Constant<Bits<24>>>,
    complete1: Vec<Reg<Bit>>,
    complete2: Vec<Reg<Bit>>,
    complete3: Vec<Reg<Bit>>,
    complete4: Vec<Reg<Bit>>,
    last_edge1: Vec<Reg<Bits<24>>>,
    last_edge2: Vec<Reg<Bits<24>>>,
    last_edge3: Vec<Reg<Bits<24>>>,
    down1: Vec<Signal<Local, Bits<24>>>,
    next_edge1: Vec<Signal<Local, Bits<24>>>,
    #[variant]
    _ways: usize,
    #[variant]
    _groups: usize,
    /// packets of a group, where there are groups
    #[variant]
    _of: usize,
}

impl GapEvents {
    /// For as many paths, 1 to 16, and groups of so many packets, 1 to 8.
    pub fn with(paths: usize, granularity: usize) -> Self {
        let (ways, groups) = (usize::from(paths > 1), usize::from(granularity > 1));
        Self {
            paths4: some(ways),
            event_paths: some(ways),
            paths: some(ways),
            complete: some(groups),
            last_edge: some(groups),
            prior_edge: some(groups),
            event_complete: some(groups),
            live_edge: some(groups),
            edges: some(groups),
            group: some(groups),
            many: (0..groups).map(|_| Constant::new(bits::<24>(granularity as LiteralType))).collect(),
            complete1: some(groups),
            complete2: some(groups),
            complete3: some(groups),
            complete4: some(groups),
            last_edge1: some(groups),
            last_edge2: some(groups),
            last_edge3: some(groups),
            down1: some(groups),
            next_edge1: some(groups),
            _ways: ways,
            _groups: groups,
            _of: groups * granularity,
            ..Self::default()
        }
    }
}

impl Logic for GapEvents {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.cleared.q.val() && self.counts.ready.val();

        // Clock 0: count and trigger are read.
        self.new1.d.next = self.accepted.val();
        self.qp1.d.next = self.qp.val();
        self.psn1.d.next = self.psn.val();
        self.before1.d.next = self.prior.val();
        self.max1.d.next = self.max.val();
        self.again1.d.next = self.retransmission.val();
        self.counts.read_address.next = self.qp.val();
        self.triggers.read_address.next = self.qp.val();
        self.triggers.write_enable.next = self.trigger.write.val();
        self.triggers.write_address.next = self.trigger.qp.val();
        self.triggers.write_data.next =
            bit_cast::<25, 24>(self.trigger.value.val()) | (bit_cast::<25, 1>(self.trigger.any.val().into()) << 24);

        // Clock 1: which of the three in front are of the same queue pair.
        self.new2.d.next = self.new1.q.val();
        self.qp2.d.next = self.qp1.q.val();
        self.psn2.d.next = self.psn1.q.val();
        self.before2.d.next = self.before1.q.val();
        self.max2.d.next = self.max1.q.val();
        self.again2.d.next = self.again1.q.val();
        self.next1.next = self.before1.q.val() + 1;
        self.top2.d.next = self.psn1.q.val() == self.max1.q.val();
        self.jump2.d.next = self.psn1.q.val() != self.next1.val();
        self.same3.d.next = self.new2.q.val() && (self.qp1.q.val() == self.qp2.q.val());
        self.same4.d.next = self.new3.q.val() && (self.qp1.q.val() == self.qp3.q.val());
        self.same5.d.next = self.new4.q.val() && (self.qp1.q.val() == self.qp4.q.val());

        // Clock 2.
        self.new3.d.next = self.new2.q.val();
        self.qp3.d.next = self.qp2.q.val();
        self.psn3.d.next = self.psn2.q.val();
        self.before3.d.next = self.before2.q.val();
        self.max3.d.next = self.max2.q.val();
        self.again3.d.next = self.again2.q.val();
        self.top3.d.next = self.top2.q.val();
        self.jump3.d.next = self.jump2.q.val();
        self.now2.next = self.counts.read_data.val();
        if self.same3.q.val() {
            self.now2.next = self.count3.q.val();
        } else if self.same4.q.val() {
            self.now2.next = self.count4.q.val();
        } else if self.same5.q.val() {
            self.now2.next = self.count5.q.val();
        }
        self.count3.d.next = self.now2.val() + 1;
        self.short.d.next = bits::<24>(1) - bit_cast::<24, 22>(self.depth.val());
        self.edge_count3.d.next = self.now2.val() + self.short.q.val();
        self.edge_max3.d.next = self.max2.q.val() - bit_cast::<24, 22>(self.depth.val());
        self.any3.d.next = self.triggers.read_data.val().get_bit(24);
        self.value3.d.next = self.triggers.read_data.val().get_bits::<24>(0);

        // Clock 3.
        self.counts.write_enable.next = self.new3.q.val();
        self.counts.write_address.next = self.qp3.q.val();
        self.counts.write_data.next = self.count3.q.val();
        self.live.write_enable.next = self.new3.q.val();
        self.live.write_address.next = self.qp3.q.val();
        self.live.write_data.next = bit_cast::<48, 24>(self.max3.q.val()) | (bit_cast::<48, 24>(self.count3.q.val()) << 24);
        self.check.write_enable.next = self.new3.q.val();
        self.check.write_address.next = self.qp3.q.val();
        self.check.write_data.next = bit_cast::<48, 24>(self.max3.q.val()) | (bit_cast::<48, 24>(self.count3.q.val()) << 24);
        self.live.read_address.next = self.levels.qp.val();
        self.levels.max.next = self.live.read_data.val().get_bits::<24>(0);
        self.levels.count.next = self.live.read_data.val().get_bits::<24>(24);
        self.check.read_address.next = self.late_levels.qp.val();
        self.late_levels.max.next = self.check.read_data.val().get_bits::<24>(0);
        self.late_levels.count.next = self.check.read_data.val().get_bits::<24>(24);
        self.new4.d.next = self.new3.q.val();
        self.qp4.d.next = self.qp3.q.val();
        self.psn4.d.next = self.psn3.q.val();
        self.before4.d.next = self.before3.q.val();
        self.again4.d.next = self.again3.q.val();
        self.top4.d.next = self.top3.q.val();
        self.jump4.d.next = self.jump3.q.val();
        self.count4.d.next = self.count3.q.val();
        self.edge3.next = self.edge_max3.q.val();
        if self.by_arrivals.val() {
            self.edge3.next = self.edge_count3.q.val();
        }
        self.deeper3.next = self.value3.q.val() - self.edge3.val();
        self.deep3.next = self.any3.q.val() && self.deeper3.val().get_bit(23);
        self.seen4.d.next = self.new3.q.val() && (self.jump3.q.val() || !self.top3.q.val());
        self.trips4.d.next = self.new3.q.val() && self.deep3.val();
        // Who asks and who answers has a bit of its own; one waits while the two differ. What the packet in front is about to write is not
        // seen here.
        self.near4.d.next = self.new4.q.val() && (self.qp3.q.val() == self.qp4.q.val());
        self.judge_asked.read_address.next = self.qp3.q.val();
        self.judge_answered.read_address.next = self.qp3.q.val();
        self.lag_set.read_address.next = self.qp3.q.val();
        self.lag_answered.read_address.next = self.qp3.q.val();
        self.lagged4.d.next = self.lag_set.read_data.val() != self.lag_answered.read_data.val();
        self.lag_answer4.d.next = self.lag_answered.read_data.val();
        self.judged4.d.next = self.judge_asked.read_data.val() != self.judge_answered.read_data.val();
        self.judge_answer4.d.next = self.judge_answered.read_data.val();

        // Clock 4: queued, or dropped.
        self.count5.d.next = self.count4.q.val();
        self.gap4.next = self.top4.q.val() && self.jump4.q.val();
        self.fill4.next = !self.top4.q.val();
        self.judge4.next = self.trips4.q.val() && !self.judged4.q.val() && !(self.near4.q.val() && self.judged5.q.val());
        self.event4.next = self.seen4.q.val() || self.judge4.val();
        self.lags4.next = self.lagged4.q.val() || (self.near4.q.val() && self.first1.q.val());
        self.room.next = self.words.in_ready.val();
        self.clear1.d.next = self.clear.val();
        self.clear2.d.next = self.clear1.q.val();
        self.wants_clear.next = self.clear1.q.val() && self.clear2.q.val() && !self.clear_sent.q.val();
        // While the queue is full, packets and the others have the next room in turn.
        self.others.next = self.wants_clear.val() || self.look_held.q.val();
        self.starved.d.next = self.others.val() && !self.room.val() && self.turn.q.val();
        self.enters.next = self.room.val() && (!self.event4.val() || self.lags4.val() || self.starved.q.val());
        self.clears.next = self.wants_clear.val() && self.enters.val();
        self.looks.next = self.look_held.q.val() && !self.wants_clear.val() && self.enters.val();
        self.clear_sent.d.next = self.clear.val() && (self.clear_sent.q.val() || self.clears.val());
        self.push4.next = self.event4.val() && !self.lags4.val() && self.room.val() && !(self.starved.q.val() && self.others.val());
        self.judges4.next = self.push4.val() && !self.seen4.q.val();
        self.judged5.d.next = self.judges4.val();
        if self.clears.val() || self.looks.val() {
            self.turn.d.next = false;
        } else if self.push4.val() {
            self.turn.d.next = true;
        }
        // A look waits here.
        self.judge_asked_late.read_address.next = self.look.qp.val();
        self.judge_answered_late.read_address.next = self.look.qp.val();
        self.asked_late.next = self.look.late.val() && (self.judge_asked_late.read_data.val() != self.judge_answered_late.read_data.val());
        self.look.ready.next = !self.look_held.q.val();
        if !self.look_held.q.val() {
            self.look_held.d.next = self.look.valid.val() && !self.asked_late.val();
            self.look_lag_held.d.next = self.look.lag.val();
            self.look_qp_held.d.next = self.look.qp.val();
            self.look_count_held.d.next = self.look.count.val();
        }
        if self.looks.val() {
            self.look_held.d.next = false;
        }
        self.drop4.next = self.event4.val() && !self.push4.val();
        self.dropped1.d.next = self.drop4.val();
        self.dropped.next = self.dropped1.q.val();
        self.first1.d.next = self.drop4.val() && !self.lags4.val();
        self.falls_behind.next = self.first1.q.val();
        self.dropped_qp1.d.next = self.qp4.q.val();
        self.dropped_qp.next = self.dropped_qp1.q.val();
        self.kind4.next = bits::<3>(0);
        if self.clears.val() {
            self.kind4.next = bits::<3>(3);
        } else if self.looks.val() {
            self.kind4.next = bits::<3>(5);
            if self.look_lag_held.q.val() {
                self.kind4.next = bits::<3>(4);
            }
        } else if self.gap4.val() {
            self.kind4.next = bits::<3>(1);
        } else if self.fill4.val() {
            self.kind4.next = bits::<3>(2);
        }
        self.words.in_valid.next = (self.event4.val() && !self.lags4.val()) || self.others.val();
        self.pairs.in_valid.next = (self.event4.val() && !self.lags4.val()) || self.others.val();
        self.pairs.in_data.next = self.qp4.q.val();
        self.words.in_data.next = bit_cast::<76, 3>(self.kind4.val())
            | (bit_cast::<76, 1>(self.again4.q.val().into()) << 3)
            | (bit_cast::<76, 24>(self.psn4.q.val()) << 4)
            | (bit_cast::<76, 24>(self.before4.q.val()) << 28)
            | (bit_cast::<76, 24>(self.count4.q.val()) << 52);
        if self.clears.val() {
            self.pairs.in_data.next = self.clear_qp.val();
            self.words.in_data.next = bit_cast::<76, 3>(self.kind4.val()) | (bit_cast::<76, 24>(self.clear_psn.val()) << 4);
        }
        if self.looks.val() {
            self.pairs.in_data.next = self.look_qp_held.q.val();
            self.words.in_data.next = bit_cast::<76, 3>(self.kind4.val()) | (bit_cast::<76, 24>(self.look_count_held.q.val()) << 52);
        }
        self.judge_asked.write_enable.next = self.judges4.val();
        self.judge_asked.write_address.next = self.qp4.q.val();
        self.judge_asked.write_data.next = !self.judge_answer4.q.val();
        self.judge_asked_done.write_enable.next = self.judges4.val();
        self.judge_asked_late.write_enable.next = self.judges4.val();
        self.judge_asked_done.write_address.next = self.qp4.q.val();
        self.judge_asked_late.write_address.next = self.qp4.q.val();
        self.judge_asked_done.write_data.next = !self.judge_answer4.q.val();
        self.judge_asked_late.write_data.next = !self.judge_answer4.q.val();
        self.lag_set.write_enable.next = self.drop4.val() && !self.lags4.val();
        self.lag_set.write_address.next = self.qp4.q.val();
        self.lag_set.write_data.next = !self.lag_answer4.q.val();
        self.lag_set_seen.write_enable.next = self.drop4.val() && !self.lags4.val();
        self.lag_set_seen.write_address.next = self.qp4.q.val();
        self.lag_set_seen.write_data.next = !self.lag_answer4.q.val();
        self.lag_set_done.write_enable.next = self.drop4.val() && !self.lags4.val();
        self.lag_set_done.write_address.next = self.qp4.q.val();
        self.lag_set_done.write_data.next = !self.lag_answer4.q.val();

        self.event.valid.next = self.words.out_valid.val();
        self.words.out_ready.next = self.event.ready.val();
        self.pairs.out_ready.next = self.event.ready.val();
        self.event.kind.next = self.words.out_data.val().get_bits::<3>(0);
        self.event.retransmission.next = self.words.out_data.val().get_bit(3);
        self.event.psn.next = self.words.out_data.val().get_bits::<24>(4);
        self.event.before.next = self.words.out_data.val().get_bits::<24>(28);
        self.event.count.next = self.words.out_data.val().get_bits::<24>(52);
        self.event.qp.next = self.pairs.out_data.val();

        for w in 0..self._ways {
            self.paths[w].in_valid.next = (self.event4.val() && !self.lags4.val()) || self.others.val();
            self.paths[w].in_data.next = self.paths4[w].val();
            self.paths[w].out_ready.next = self.event.ready.val();
            self.event_paths[w].next = self.paths[w].out_data.val();
        }

        for g in 0..self._groups {
            self.complete1[g].d.next = self.complete[g].val();
            self.last_edge1[g].d.next = self.last_edge[g].val();
            self.before1.d.next = self.prior_edge[g].val();

            // Clock 1: below the highest group, or one beyond the next has become complete.
            self.down1[g].next = self.before1.q.val() - self.psn1.q.val();
            self.next_edge1[g].next = self.before1.q.val() + self.many[g].val();
            self.top2.d.next = self.down1[g].val().get_bit(23);
            self.jump2.d.next =
                (self.last_edge1[g].q.val() != self.before1.q.val()) && (self.last_edge1[g].q.val() != self.next_edge1[g].val());
            self.complete2[g].d.next = self.complete1[g].q.val();
            self.complete3[g].d.next = self.complete2[g].q.val();
            self.complete4[g].d.next = self.complete3[g].q.val();
            self.last_edge2[g].d.next = self.last_edge1[g].q.val();
            self.last_edge3[g].d.next = self.last_edge2[g].q.val();

            // Clock 3. What shows a gap stands for the whole of its group.
            if self.top3.q.val() && self.jump3.q.val() {
                self.psn4.d.next = self.last_edge3[g].q.val();
            }
            self.edges[g].write_enable.next = self.new3.q.val();
            self.edges[g].write_address.next = self.qp3.q.val();
            self.edges[g].write_data.next = self.last_edge3[g].q.val();
            self.edges[g].read_address.next = self.levels.qp.val();
            self.live_edge[g].next = self.edges[g].read_data.val();

            // Clock 4.
            self.group[g].in_data.next = self.complete4[g].q.val().into();
            self.group[g].in_valid.next = (self.event4.val() && !self.lags4.val()) || self.others.val();
            self.group[g].out_ready.next = self.event.ready.val();
            self.event_complete[g].next = self.group[g].out_data.val().any();
        }

        // Answers.
        self.judge_asked_done.read_address.next = self.judge_qp.val();
        self.judge_answered.write_enable.next = self.judge_done.val();
        self.judge_answered_late.write_enable.next = self.judge_done.val();
        self.judge_answered.write_address.next = self.judge_qp.val();
        self.judge_answered_late.write_address.next = self.judge_qp.val();
        self.judge_answered.write_data.next = self.judge_asked_done.read_data.val();
        self.judge_answered_late.write_data.next = self.judge_asked_done.read_data.val();
        self.lag_set_done.read_address.next = self.lag_qp.val();
        self.lag_answered_done.read_address.next = self.lag_qp.val();
        self.lags.next = self.lag_set_done.read_data.val() != self.lag_answered_done.read_data.val();
        self.lag_answered.write_enable.next = self.lag_done.val();
        self.lag_answered.write_address.next = self.lag_qp.val();
        self.lag_answered.write_data.next = self.lag_set_done.read_data.val();
        self.lag_answered_done.write_enable.next = self.lag_done.val();
        self.lag_answered_done.write_address.next = self.lag_qp.val();
        self.lag_answered_done.write_data.next = self.lag_set_done.read_data.val();
        self.lag_set_seen.read_address.next = self.scan_lag.qp.val();
        self.lag_asked.read_address.next = self.scan_lag.qp.val();
        self.scan_lag.lags.next = self.lag_set_seen.read_data.val() != self.lag_asked.read_data.val();
        // A second rebuild behind one that waits would find nothing new, and take the places of events whose want makes others lag.
        self.lag_asked.write_enable.next = self.scan_lag.begins.val() || self.lag_done.val();
        self.lag_asked.write_address.next = self.scan_lag.qp.val();
        self.lag_asked.write_data.next = self.lag_set_seen.read_data.val();
        if self.lag_done.val() {
            self.lag_asked.write_address.next = self.lag_qp.val();
            self.lag_asked.write_data.next = self.lag_set_done.read_data.val();
        }

        if !self.cleared.q.val() {
            self.judge_asked.write_enable.next = true;
            self.judge_asked.write_address.next = self.next_word.q.val();
            self.judge_asked.write_data.next = bits::<1>(0);
            self.judge_asked_done.write_enable.next = true;
            self.judge_asked_late.write_enable.next = true;
            self.judge_asked_done.write_address.next = self.next_word.q.val();
            self.judge_asked_late.write_address.next = self.next_word.q.val();
            self.judge_asked_done.write_data.next = bits::<1>(0);
            self.judge_asked_late.write_data.next = bits::<1>(0);
            self.judge_answered.write_enable.next = true;
            self.judge_answered_late.write_enable.next = true;
            self.judge_answered.write_address.next = self.next_word.q.val();
            self.judge_answered_late.write_address.next = self.next_word.q.val();
            self.judge_answered.write_data.next = bits::<1>(0);
            self.judge_answered_late.write_data.next = bits::<1>(0);
            self.lag_set.write_enable.next = true;
            self.lag_set.write_address.next = self.next_word.q.val();
            self.lag_set.write_data.next = bits::<1>(0);
            self.lag_set_seen.write_enable.next = true;
            self.lag_set_seen.write_address.next = self.next_word.q.val();
            self.lag_set_seen.write_data.next = bits::<1>(0);
            self.lag_set_done.write_enable.next = true;
            self.lag_set_done.write_address.next = self.next_word.q.val();
            self.lag_set_done.write_data.next = bits::<1>(0);
            self.lag_answered.write_enable.next = true;
            self.lag_answered.write_address.next = self.next_word.q.val();
            self.lag_answered.write_data.next = bits::<1>(0);
            self.lag_asked.write_enable.next = true;
            self.lag_answered_done.write_enable.next = true;
            self.lag_asked.write_address.next = self.next_word.q.val();
            self.lag_answered_done.write_address.next = self.next_word.q.val();
            self.lag_asked.write_data.next = bits::<1>(0);
            self.lag_answered_done.write_data.next = bits::<1>(0);
            self.triggers.write_enable.next = true;
            self.triggers.write_address.next = self.next_word.q.val();
            self.triggers.write_data.next = bits::<25>(0);
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.cleared.d.next = self.next_word.q.val().all();
        }
    }
}
