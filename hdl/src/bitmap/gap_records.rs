use super::{GAP_BITS, GapCell, GapPaths, have};
use crate::primitives::{BlockRam, PopCount, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

#[path = "gap_records/judge.rs"]
mod judge;
#[path = "gap_records/paths.rs"]
mod paths;
#[path = "gap_records/search.rs"]
mod search;

const _: () = assert!(RECORDS >= 2 && RECORDS <= 16, "2 to 16 gap records");

/// Gap records of all queue pairs, `RECORDS` of each in the order of their packets, and the steps in which those of one queue pair are
/// changed and judged.
///
/// A packet is compared with all records in the clock before step 0. Step 0 decides what becomes of each, step 1 changes them: a gap
/// shrinks from an end, splits, ends; or another is seen. If none is left for that, the last one covers more, or the split record stays
/// whole, and is coarse from then on: packets in it may have arrived, so that its ends are searched in the bitmap after each change
/// (`search` until the clock after `s0_fix`). With `_tells`, the first record gives way to a gap that is seen if it has been reported
/// (`s1_spills`): those behind it move down. Step 2 compares with the limits, step 3 judges and chooses the record that is told, step 4
/// has its fields and writes. A lost gap counts with its whole length until it is told. With groups of packets, every record is coarse: a
/// packet in its middle splits it if that completes a group, and the ends of a gap that is seen are searched.
/// Latency: 5 clocks, the word of memory 2 before that. Throughput: one queue pair per 4 clocks, step 4 with step 0 of the next and step 3
/// with its compare: what that needs of a record is not changed in step 3. No reset: `s1_clear`.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct GapRecords {
    /// clock
    pub clk: Signal<In, Clock>,
    /// queue pair to read
    pub read_address: Signal<In, Bits<NODE_BITS>>,
    /// records are written
    pub write: Signal<In, Bit>,
    /// queue pair
    pub write_address: Signal<In, Bits<NODE_BITS>>,

    /// packet
    pub psn: Signal<In, Bits<24>>,
    /// it is compared
    pub compare: Signal<In, Bit>,
    /// with the records that are there, not with those read 2 clocks ago
    pub same: Signal<In, Bit>,
    /// step 0: the packet is taken
    pub s0_start: Signal<In, Bit>,
    /// step 0: the queue pair that was read 2 clocks ago takes the place of the other
    pub s0_load: Signal<In, Bit>,
    /// step 0: the packet has arrived
    pub s0_fill: Signal<In, Bit>,
    /// step 0: a gap is seen, from `s1_first` to `s1_last`
    pub s0_append: Signal<In, Bit>,
    /// step 0: what has been searched goes from `s1_first` to `s1_last`
    pub s0_fix: Signal<In, Bit>,
    /// step 0: it has nothing missing
    pub s0_fix_empty: Signal<In, Bit>,
    /// step 1: all records end
    pub s1_clear: Signal<In, Bit>,
    /// step 1: packets may have arrived in any record, and in the gap that is seen
    pub s1_doubt: Signal<In, Bit>,
    /// step 1: first packet
    pub s1_first: Signal<In, Bits<24>>,
    /// step 1: last packet
    pub s1_last: Signal<In, Bits<24>>,
    /// step 1: reference of a gap that is seen
    pub s1_reference: Signal<In, Bits<24>>,
    /// step 1: a gap is seen
    pub s1_append: Signal<Out, Bit>,
    /// step 1: the packet lies in a record that has been reported
    pub s1_reported: Signal<Out, Bit>,
    /// step 1: the packet is the first that is missing
    pub s1_at_base: Signal<Out, Bit>,
    /// step 1: a record was missing, and another covers more instead
    pub s1_folded: Signal<Out, Bit>,
    /// a record's ends are to be searched
    pub search: Signal<Out, Bit>,
    /// from here, two clocks later
    pub search_first: Signal<Out, Bits<24>>,
    /// to here, two clocks later
    pub search_last: Signal<Out, Bits<24>>,

    /// depth is counted in later packets
    pub by_arrivals: Signal<In, Bit>,
    /// records from before it are too deep
    pub depth_edge: Signal<In, Bits<24>>,
    /// now
    pub now: Signal<In, Bits<32>>,
    /// waiting since before it is too long
    pub wait_edge: Signal<In, Bits<32>>,
    /// lost since before it is too long
    pub feedback_edge: Signal<In, Bits<32>>,
    /// reported since before it is to be repeated
    pub repeat_edge: Signal<In, Bits<32>>,
    /// missing packets in lost gaps from which on they are told
    pub threshold: Signal<In, Bits<16>>,
    /// first record of the queue pair, in the steps
    pub lowest: Signal<Out, Bits<GAP_BITS>>,
    /// first record of the queue pair that was read 2 clocks ago
    pub memory_lowest: Signal<Out, Bits<GAP_BITS>>,

    /// step 2: the gap at the base has stalled
    pub s2_stalled: Signal<In, Bit>,
    /// step 2: enough is lost, as `s4_enough` has said
    pub s2_enough: Signal<In, Bit>,
    /// step 3: records are judged
    pub s3_judge: Signal<In, Bit>,
    /// step 3: there is room for a message
    pub s3_room: Signal<In, Bit>,
    /// step 4: a message goes out
    pub s4_sent: Signal<Out, Bit>,
    /// step 4: about this record
    pub s4_record: Signal<Out, Bits<GAP_BITS>>,
    /// step 4: not the first about it
    pub s4_again: Signal<Out, Bit>,
    /// step 4: there is more to be told
    pub s4_more: Signal<Out, Bit>,
    /// step 4: gaps are lost and not told, and there may be enough of them
    pub s4_held: Signal<Out, Bit>,
    /// step 4: missing packets in lost gaps have become enough
    pub s4_enough: Signal<Out, Bit>,
    /// gaps that have been found lost, one clock after step 4
    pub lost_now: Signal<Out, Bits<5>>,
    /// step 4: a gap has been found lost, and it is not known yet if that makes enough
    pub s4_count: Signal<Out, Bit>,
    /// step 4: a gap waits
    pub s4_waits: Signal<Out, Bit>,
    /// step 4: the first that does: its first packet, or its reference
    pub s4_measure: Signal<Out, Bits<24>>,

    /// a record read 2 clocks ago is to be judged, one clock later
    pub overdue: Signal<Out, Bit>,
    /// a record read 2 clocks ago is to be told, one clock later
    pub pending: Signal<Out, Bit>,

    /// several paths: 2 to the power of this are the numbers of a path in turn
    pub stripe: Vec<Signal<In, Bits<4>>>,
    /// several paths: mode of the queue pair that was read 2 clocks ago
    pub mode: Vec<Signal<In, Bits<2>>>,
    /// its paths that have delivered enough
    pub delivered: Vec<Signal<In, Bits<16>>>,
    /// from here on
    pub edges: Vec<Signal<In, Bits<16>>>,
    /// its active paths
    pub active: Vec<Signal<In, Bits<16>>>,
    /// step 1: the packet behind `s1_last`
    pub s1_next: Vec<Signal<In, Bits<24>>>,
    /// step 1: path of the event's packet
    pub s1_path: Vec<Signal<In, Bits<4>>>,
    /// step 1: paths that are active as of the event
    pub s1_marks: Vec<Signal<In, Bits<16>>>,
    /// step 1: path of a gap that is seen
    pub s1_gap_path: Vec<Signal<Out, Bits<4>>>,
    /// `depth_edge` of gaps that are crossed
    pub relaxed_depth: Vec<Signal<In, Bits<24>>>,
    /// `wait_edge` of gaps that are crossed
    pub relaxed_wait: Vec<Signal<In, Bits<32>>>,
    /// step 2: the first gap is crossed
    pub first_crossed: Vec<Signal<Out, Bit>>,
    /// step 4: a gap that is crossed waits; `s4_waits` speaks of the others
    pub s4_crossed_waits: Vec<Signal<Out, Bit>>,
    /// step 4: the first that does, as `s4_measure`
    pub s4_crossed_measure: Vec<Signal<Out, Bits<24>>>,
    /// step 4: path of the gap that is told
    pub s4_path: Vec<Signal<Out, Bits<4>>>,
    /// gaps of each path that have been found lost, 5 bits for each, with `lost_now`
    pub path_lost: Vec<Signal<Out, Bits<80>>>,
    /// the first record read 2 clocks ago is crossed, one clock later
    pub memory_crossed: Vec<Signal<Out, Bit>>,

    /// told region, step 1: the first record, `lowest` still, gives way
    pub s1_spills: Vec<Signal<Out, Bit>>,

    /// groups, step 0: the packet has completed its group
    pub s0_complete: Vec<Signal<In, Bit>>,
    /// groups, step 1: the first packet of a gap that was seen is known, or is that of a record that covers it
    pub s1_seen: Vec<Signal<Out, Bit>>,

    memories: [BlockRam<GAP_BITS, NODE_BITS, 1>; RECORDS],
    cells: [GapCell; RECORDS],
    // Step 0.
    found: Signal<Local, Bits<RECORDS>>,
    follows: Signal<Local, Bits<RECORDS>>,
    hits: Signal<Local, Bits<RECORDS>>,
    near: Signal<Local, Bits<RECORDS>>,
    wide: Signal<Local, Bits<RECORDS>>,
    upto: Signal<Local, Bits<RECORDS>>,
    at_first: Signal<Local, Bits<RECORDS>>,
    at_last: Signal<Local, Bits<RECORDS>>,
    passes: Signal<Local, Bits<RECORDS>>,
    room: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    splits: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    edge_hit: Signal<Local, Bit>,
    place: Signal<Local, Bits<RECORDS>>,
    // Step 1: what becomes of each record.
    fill1: Reg<Bit>,
    fix1: Reg<Bit>,
    append1: Reg<Bit>,
    crowded1: Reg<Bit>,
    splits1: Reg<Bit>,
    hits1: Reg<Bits<RECORDS>>,
    ends1: Reg<Bit>,
    upto1: Reg<Bits<RECORDS>>,
    first_hit1: Reg<Bits<RECORDS>>,
    last_hit1: Reg<Bits<RECORDS>>,
    spills: Signal<Local, Bit>,
    folds: Signal<Local, Bit>,
    up: Signal<Local, Bits<RECORDS>>,
    under: Signal<Local, Bits<RECORDS>>,
    cut: Signal<Local, Bits<RECORDS>>,
    split: Signal<Local, Bits<RECORDS>>,
    pass1: Reg<Bits<RECORDS>>,
    fresh1: Reg<Bits<RECORDS>>,
    whole1: Reg<Bit>,
    valid: Signal<Local, Bits<RECORDS>>,
    reported: Signal<Local, Bits<RECORDS>>,
    coarse: Signal<Local, Bits<RECORDS>>,
    todo: Reg<Bits<RECORDS>>,
    left: Signal<Local, Bits<RECORDS>>,
    higher: Signal<Local, Bits<RECORDS>>,
    higher_near: Signal<Local, Bits<RECORDS>>,
    higher_wide: Signal<Local, Bits<RECORDS>>,
    top: Reg<Bits<RECORDS>>,
    top_near: Signal<Local, Bits<RECORDS>>,
    top_wide: Signal<Local, Bits<RECORDS>>,
    top_upto: Reg<Bits<RECORDS>>,
    chosen_first: Signal<Local, Bits<24>>,
    chosen_last: Signal<Local, Bits<24>>,
    first_held: Reg<Bits<24>>,
    last_held: Reg<Bits<24>>,
    length: [Reg<Bits<16>>; RECORDS],
    total: Signal<Local, Bits<16>>,
    total4: Reg<Bits<16>>,
    newly: Signal<Local, Bits<RECORDS>>,
    open: Signal<Local, Bits<RECORDS>>,
    late: Signal<Local, Bits<RECORDS>>,
    due: Signal<Local, Bits<RECORDS>>,
    single: Reg<Bit>,
    tell3: Reg<Bit>,
    tell: Signal<Local, Bit>,
    wanted: Signal<Local, Bits<RECORDS>>,
    due_near: Signal<Local, Bits<RECORDS>>,
    due_wide: Signal<Local, Bits<RECORDS>>,
    rest: Signal<Local, Bits<RECORDS>>,
    wanted_near: Signal<Local, Bits<RECORDS>>,
    wanted_wide: Signal<Local, Bits<RECORDS>>,
    pick: Signal<Local, Bits<RECORDS>>,
    pick4: Reg<Bits<RECORDS>>,
    more4: Reg<Bit>,
    count4: Reg<Bit>,
    held4: Reg<Bit>,
    newly4: Reg<Bits<RECORDS>>,
    pairs: Signal<Local, Bits<16>>,
    fours: Signal<Local, Bits<16>>,
    eights: Signal<Local, Bits<16>>,
    lost_count: Signal<Local, Bits<5>>,
    lost5: Reg<Bits<5>>,
    waiting: Signal<Local, Bits<RECORDS>>,
    first_waiting: Signal<Local, Bits<RECORDS>>,
    sent_word: Signal<Local, Bits<GAP_BITS>>,
    again: Signal<Local, Bits<RECORDS>>,
    measure: Signal<Local, Bits<24>>,
    overdues: Signal<Local, Bits<RECORDS>>,
    pendings: Signal<Local, Bits<RECORDS>>,
    // Of several paths.
    paths: Vec<GapPaths>,
    crossed4: Vec<Reg<Bits<RECORDS>>>,
    plain_waiting: Vec<Signal<Local, Bits<RECORDS>>>,
    crossed_waiting: Vec<Signal<Local, Bits<RECORDS>>>,
    first_plain: Vec<Signal<Local, Bits<RECORDS>>>,
    first_crossed4: Vec<Signal<Local, Bits<RECORDS>>>,
    memory_waits: Vec<Signal<Local, Bits<RECORDS>>>,
    set_first: Vec<Signal<Local, Bits<RECORDS>>>,
    set_last: Vec<Signal<Local, Bits<RECORDS>>>,
    lost: Vec<Signal<Local, Bits<16>>>,
    lost_count_of: Vec<PopCount<16, 5, 32>>,
    path_lost5: Vec<Reg<Bits<5>>>,
    // Of groups: the record of a gap that is seen, until it has been searched.
    searched: Vec<Reg<Bits<RECORDS>>>,
    again_fresh: Vec<Signal<Local, Bits<RECORDS>>>,
    #[variant]
    _groups: usize,
    #[variant]
    _ways: usize,
    #[variant]
    _paths: usize,
    #[variant]
    _tells: usize,
    _inner: usize,
}

impl Default for GapRecords {
    fn default() -> Self {
        Self::with(1, 1)
    }
}

impl GapRecords {
    /// For as many paths, 1 to 16, and groups of so many packets, 1 to 8.
    pub fn with(paths: usize, granularity: usize) -> Self {
        let (ways, groups) = (usize::from(paths > 1), usize::from(granularity > 1));
        let tells = 1 - ways.max(groups);
        let mut block = Self {
            paths: (0..ways).map(|_| GapPaths::with_paths(paths)).collect(),
            _groups: groups,
            _ways: ways,
            _paths: ways * paths,
            _tells: tells,
            memories: std::array::from_fn(|_| Default::default()),
            cells: std::array::from_fn(|_| Default::default()),
            length: std::array::from_fn(|_| Default::default()),
            _inner: RECORDS - 1,
            ..Self::blank()
        };
        have! {
            block:
            ways => stripe, mode, delivered, active, s1_next, s1_path, s1_marks, s1_gap_path, relaxed_depth, relaxed_wait,
                first_crossed, s4_crossed_waits, s4_crossed_measure, s4_path, path_lost, memory_crossed, crossed4,
                plain_waiting, crossed_waiting, first_plain, first_crossed4, memory_waits, set_first, set_last;
            ways * paths => edges, lost, lost_count_of, path_lost5;
            groups => s0_complete, s1_seen, searched, again_fresh;
            tells => s1_spills;
        }
        block
    }
}

impl Logic for GapRecords {
    #[kernel]
    fn update(&mut self) {
        for i in 0..RECORDS {
            self.memories[i].read_address.next = self.read_address.val();
            self.memories[i].write_enable.next = self.write.val();
            self.memories[i].write_address.next = self.write_address.val();
            self.memories[i].write_data.next = self.cells[i].record.val();
            self.cells[i].memory.next = self.memories[i].read_data.val();
            self.cells[i].psn.next = self.psn.val();
            self.cells[i].compare.next = self.compare.val();
            self.cells[i].same.next = self.same.val();
            self.cells[i].s0_load.next = self.s0_load.val();
            self.cells[i].by_arrivals.next = self.by_arrivals.val();
            self.cells[i].depth_edge.next = self.depth_edge.val();
            self.cells[i].now.next = self.now.val();
            self.cells[i].wait_edge.next = self.wait_edge.val();
            self.cells[i].feedback_edge.next = self.feedback_edge.val();
            self.cells[i].repeat_edge.next = self.repeat_edge.val();
            self.cells[i].s2_stalled.next = false;
            self.cells[i].s3_judge.next = self.s3_judge.val();
        }
        self.cells[0].s2_stalled.next = self.s2_stalled.val();
        self.lowest.next = self.cells[0].record.val();
        self.memory_lowest.next = self.memories[0].read_data.val();

        // Step 0: which record it is about, and what becomes of it and of those above.
        self.found.next = bits::<RECORDS>(0);
        self.at_first.next = bits::<RECORDS>(0);
        self.at_last.next = bits::<RECORDS>(0);
        self.passes.next = bits::<RECORDS>(0);
        self.hits.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.found.next = self.found.val().replace_bit(i, self.cells[i].found.val());
            self.at_first.next = self.at_first.val().replace_bit(i, self.cells[i].at_first.val());
            self.at_last.next = self.at_last.val().replace_bit(i, self.cells[i].at_last.val());
            self.passes.next = self.passes.val().replace_bit(i, self.cells[i].passes.val());
            self.hits.next = self.hits.val().replace_bit(i, self.cells[i].holds.val());
        }
        self.follows.next = (self.found.val() << 1) | 1;
        self.place.next = self.follows.val() & !self.found.val();
        self.room.next = self.place.val().any();
        self.near.next = self.hits.val() | (self.hits.val() << 1);
        self.wide.next = self.near.val() | (self.near.val() << 2) | (self.near.val() << 4);
        self.upto.next = self.wide.val() | (self.wide.val() << 6) | (self.wide.val() << 10);
        self.edge_hit.next = (self.hits.val() & (self.at_first.val() | self.at_last.val())).any();
        self.ends.next = (self.hits.val() & self.at_first.val() & self.at_last.val()).any();
        self.splits.next = self.hits.val().any() && !self.edge_hit.val() && self.room.val();
        self.whole.next = self.hits.val().any() && !self.edge_hit.val() && !self.room.val();
        for g in 0..self._groups {
            self.splits.next = self.hits.val().any() && !self.edge_hit.val() && self.s0_complete[g].val() && self.room.val();
            self.whole.next = self.hits.val().any() && !self.edge_hit.val() && self.s0_complete[g].val() && !self.room.val();
        }
        self.fill1.d.next = self.s0_start.val() && self.s0_fill.val();
        self.fix1.d.next = self.s0_fix.val();
        self.append1.d.next = self.s0_start.val() && self.s0_append.val();
        self.crowded1.d.next = self.s0_start.val() && self.s0_append.val() && !self.room.val();
        self.splits1.d.next = self.splits.val();
        self.whole1.d.next = self.whole.val();
        self.ends1.d.next = self.ends.val();
        self.hits1.d.next = self.hits.val();
        self.upto1.d.next = self.upto.val();
        self.first_hit1.d.next = self.hits.val() & self.at_first.val();
        self.last_hit1.d.next = self.hits.val() & self.at_last.val();
        self.pass1.d.next = self.passes.val();
        if !self.s0_start.val() || !self.s0_fill.val() {
            self.splits1.d.next = false;
            self.whole1.d.next = false;
            self.ends1.d.next = false;
            self.hits1.d.next = bits::<RECORDS>(0);
            self.upto1.d.next = bits::<RECORDS>(0);
            self.first_hit1.d.next = bits::<RECORDS>(0);
            self.last_hit1.d.next = bits::<RECORDS>(0);
            self.pass1.d.next = bits::<RECORDS>(0);
        }
        // Another gap is seen.
        self.fresh1.d.next = bits::<RECORDS>(0);
        if self.s0_start.val() && self.s0_append.val() {
            self.fresh1.d.next = self.place.val();
        }
        // What has been searched.
        if self.s0_fix.val() {
            self.hits1.d.next = self.top.q.val();
            self.upto1.d.next = self.top_upto.q.val();
            self.first_hit1.d.next = self.top.q.val();
            self.last_hit1.d.next = self.top.q.val();
            self.ends1.d.next = self.s0_fix_empty.val();
        }

        // Step 1.
        self.valid.next = bits::<RECORDS>(0);
        self.reported.next = bits::<RECORDS>(0);
        self.coarse.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.valid.next = self.valid.val().replace_bit(i, self.cells[i].record.val().get_bit(117));
            self.coarse.next = self.coarse.val().replace_bit(i, self.cells[i].record.val().get_bit(116));
            self.reported.next = self.reported.val().replace_bit(i, self.cells[i].record.val().get_bits::<2>(114).all());
        }
        self.s1_append.next = self.append1.q.val();
        self.s1_reported.next = (self.hits1.q.val() & self.reported.val()).any() && self.fill1.q.val();
        self.s1_at_base.next = self.fill1.q.val() && self.first_hit1.q.val().get_bit(0);
        for _g in 0..self._groups {
            // A search that finds another first packet has seen the base move before the event that tells it, which lies below the first
            // record then.
            self.s1_at_base.next = (self.fill1.q.val() && self.pass1.q.val().get_bit(0))
                || (self.fix1.q.val()
                    && self.hits1.q.val().get_bit(0)
                    && (self.ends1.q.val() || (self.s1_first.val() != self.cells[0].record.val().get_bits::<24>(0))));
        }
        self.spills.next = false;
        for t in 0..self._tells {
            self.spills.next = self.crowded1.q.val() && self.reported.val().get_bit(0);
            self.s1_spills[t].next = self.spills.val();
        }
        self.folds.next = self.crowded1.q.val() && !self.spills.val();
        self.s1_folded.next = self.whole1.q.val() || self.folds.val();
        // The record above comes down, or the one below goes up, and is split there.
        self.up.next = bits::<RECORDS>(0);
        if self.ends1.q.val() {
            self.up.next = self.upto1.q.val();
        }
        if self.spills.val() {
            self.up.next = !bits::<RECORDS>(0);
        }
        self.under.next = bits::<RECORDS>(0);
        self.cut.next = bits::<RECORDS>(0);
        self.split.next = bits::<RECORDS>(0);
        if self.splits1.q.val() {
            self.under.next = self.upto1.q.val() << 1;
            self.cut.next = self.hits1.q.val() << 1;
            self.split.next = self.hits1.q.val();
        }
        for i in 0..RECORDS {
            self.cells[i].s1_count.next = self.pass1.q.val().get_bit(i) || self.split.val().get_bit(i);
            self.cells[i].s1_pass.next = self.pass1.q.val().get_bit(i);
            self.cells[i].s1_up.next = self.up.val().get_bit(i);
            self.cells[i].above.next = bits::<GAP_BITS>(0);
            self.cells[i].s1_down.next = self.under.val().get_bit(i);
            self.cells[i].below.next = bits::<GAP_BITS>(0);
            self.cells[i].s1_fresh.next = self.fresh1.q.val().get_bit(i);
            self.cells[i].s1_reference.next = self.s1_reference.val();
            self.cells[i].s1_set_first.next =
                self.first_hit1.q.val().get_bit(i) || self.cut.val().get_bit(i) || self.fresh1.q.val().get_bit(i);
            self.cells[i].s1_first.next = self.s1_first.val();
            self.cells[i].s1_set_last.next =
                self.last_hit1.q.val().get_bit(i) || self.split.val().get_bit(i) || self.fresh1.q.val().get_bit(i);
            self.cells[i].s1_last.next = self.s1_last.val();
            self.cells[i].s1_set_coarse.next = self.s1_doubt.val() || (self.whole1.q.val() && self.hits1.q.val().get_bit(i));
            self.cells[i].s1_unreport.next = false;
            self.cells[i].s1_clear.next = self.s1_clear.val();
        }
        for i in 0..self._inner {
            self.cells[i].above.next = self.cells[i + 1].passed.val();
            self.cells[i + 1].below.next = self.cells[i].passed.val();
        }
        for i in self._inner..RECORDS {
            self.cells[i].s1_up.next = false;
            self.cells[i].s1_fresh.next = self.fresh1.q.val().get_bit(i) || self.spills.val();
            self.cells[i].s1_set_first.next =
                self.first_hit1.q.val().get_bit(i) || self.cut.val().get_bit(i) || self.fresh1.q.val().get_bit(i) || self.spills.val();
            self.cells[i].s1_set_last.next =
                self.last_hit1.q.val().get_bit(i) || self.split.val().get_bit(i) || self.fresh1.q.val().get_bit(i) || self.crowded1.q.val();
            self.cells[i].s1_set_coarse.next =
                self.s1_doubt.val() || self.folds.val() || (self.whole1.q.val() && self.hits1.q.val().get_bit(i));
            self.cells[i].s1_unreport.next = self.folds.val();
            self.cells[i].s1_clear.next = self.s1_clear.val() || (self.ends1.q.val() && self.upto1.q.val().get_bit(i));
        }

        for _g in 0..self._groups {
            for i in 0..RECORDS {
                self.cells[i].s1_set_coarse.next = true;
            }
        }

        self.searches();
        self.judges();

        // Step 4.
        self.pairs.next =
            (bit_cast::<16, RECORDS>(self.newly4.q.val()) & 0x5555) + ((bit_cast::<16, RECORDS>(self.newly4.q.val()) >> 1) & 0x5555);
        self.fours.next = (self.pairs.val() & 0x3333) + ((self.pairs.val() >> 2) & 0x3333);
        self.eights.next = (self.fours.val() & 0x0f0f) + ((self.fours.val() >> 4) & 0x0f0f);
        self.lost_count.next = self.eights.val().get_bits::<5>(0) + self.eights.val().get_bits::<5>(8);
        self.lost5.d.next = self.lost_count.val();
        self.lost_now.next = self.lost5.q.val();
        self.sent_word.next = bits::<GAP_BITS>(0);
        self.again.next = bits::<RECORDS>(0);
        self.waiting.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            if self.pick4.q.val().get_bit(i) {
                self.sent_word.next = self.sent_word.val() | self.cells[i].record.val();
            }
            self.again.next = self.again.val().replace_bit(i, self.cells[i].again.val());
            self.waiting.next = self
                .waiting
                .val()
                .replace_bit(i, self.cells[i].record.val().get_bit(117) && !self.cells[i].record.val().get_bits::<2>(114).any());
        }
        self.first_waiting.next = self.waiting.val() & (!self.waiting.val() + 1);
        self.measure.next = bits::<24>(0);
        for i in 0..RECORDS {
            if self.first_waiting.val().get_bit(i) {
                if self.by_arrivals.val() {
                    self.measure.next = self.measure.val() | self.cells[i].record.val().get_bits::<24>(48);
                } else {
                    self.measure.next = self.measure.val() | self.cells[i].record.val().get_bits::<24>(0);
                }
            }
        }
        self.s4_sent.next = self.pick4.q.val().any();
        self.s4_record.next = self.sent_word.val();
        self.s4_again.next = (self.again.val() & self.pick4.q.val()).any();
        self.s4_more.next = self.more4.q.val();
        self.s4_held.next = self.held4.q.val();
        self.s4_count.next = self.count4.q.val();
        self.s4_enough.next = self.held4.q.val() && (self.total4.q.val() >= self.threshold.val());
        self.s4_waits.next = self.waiting.val().any();
        self.s4_measure.next = self.measure.val();

        // The scan.
        self.overdues.next = bits::<RECORDS>(0);
        self.pendings.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.overdues.next = self.overdues.val().replace_bit(i, self.cells[i].overdue.val());
            self.pendings.next = self.pendings.val().replace_bit(i, self.cells[i].pending.val());
        }
        self.overdue.next = self.overdues.val().any();
        self.pending.next = self.pendings.val().any();

        self.several_paths();
    }
}
