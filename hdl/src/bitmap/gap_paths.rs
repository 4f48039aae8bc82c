use super::{PathRule, StripePath, some};
use crate::primitives::{BlockRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the gap records of `GapRecords` have besides where there are several paths, in the same steps: which paths were active when each
/// gap was seen, over which it came to be seen, and what `PathRule` says of it.
///
/// A gap is found overtaken as it was before its event, in the clock of the compare: what shrinks since stays so, and what becomes so
/// through the event is found by the scan. Whether it is crossed follows from what the event has made of it. The scan finds gaps that are
/// too old by the limit that counts for them, overtaken, or not crossed any more although their trigger was written for the relaxed limit.
/// A record as a word, low bits first: paths that were active 16, path 4, lost because it was overtaken 1, crossed when it was written 1.
/// No reset: who begins has no records.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct GapPaths {
    /// clock
    pub clk: Signal<In, Clock>,
    /// queue pair to read
    pub read_address: Signal<In, Bits<NODE_BITS>>,
    /// records are written
    pub write: Signal<In, Bit>,
    /// queue pair
    pub write_address: Signal<In, Bits<NODE_BITS>>,
    /// first packets of the records in memory
    pub memory_first: [Signal<In, Bits<24>>; RECORDS],
    /// last packets of the records in memory
    pub memory_last: [Signal<In, Bits<24>>; RECORDS],
    /// since when those wait
    pub memory_since: [Signal<In, Bits<32>>; RECORDS],
    /// records in memory that wait
    pub memory_waits: Signal<In, Bits<RECORDS>>,
    /// first packets of the records
    pub own_first: [Signal<In, Bits<24>>; RECORDS],
    /// last packets of the records
    pub own_last: [Signal<In, Bits<24>>; RECORDS],
    /// the next event is compared
    pub compare: Signal<In, Bit>,
    /// with the records that are there
    pub same: Signal<In, Bit>,
    /// 2 to the power of this are the numbers of a path in turn
    pub stripe: Signal<In, Bits<4>>,
    /// mode of the queue pair that was read
    pub mode: Signal<In, Bits<2>>,
    /// its paths that have delivered enough
    pub delivered: Signal<In, Bits<16>>,
    /// from here on
    pub edges: Vec<Signal<In, Bits<16>>>,
    /// its active paths
    pub active: Signal<In, Bits<16>>,
    /// step 0: the event is taken
    pub s0_start: Signal<In, Bit>,
    /// step 0: with what is in memory
    pub s0_load: Signal<In, Bit>,
    /// step 1: records become the ones above
    pub s1_up: Signal<In, Bits<RECORDS>>,
    /// step 1: records become the ones below
    pub s1_down: Signal<In, Bits<RECORDS>>,
    /// step 1: a gap is seen
    pub s1_fresh: Signal<In, Bits<RECORDS>>,
    /// step 1: other first packets
    pub s1_set_first: Signal<In, Bits<RECORDS>>,
    /// step 1: other last packets
    pub s1_set_last: Signal<In, Bits<RECORDS>>,
    /// step 1: first packet
    pub s1_first: Signal<In, Bits<24>>,
    /// step 1: the packet behind the last one
    pub s1_next: Signal<In, Bits<24>>,
    /// step 1: path of the event's packet
    pub s1_path: Signal<In, Bits<4>>,
    /// step 1: paths that are active as of the event
    pub s1_marks: Signal<In, Bits<16>>,
    /// step 1: path of a gap that is seen
    pub s1_gap_path: Signal<Out, Bits<4>>,
    /// step 2: later packets may be ahead of the gap because they took another path
    pub crossed: Signal<Out, Bits<RECORDS>>,
    /// step 2: no path can bring it any more
    pub overtaken: Signal<Out, Bits<RECORDS>>,
    /// step 2: the first gap has stalled
    pub s2_stalled: Signal<In, Bit>,
    /// step 3: records are judged
    pub s3_judge: Signal<In, Bit>,
    /// step 3: these become lost
    pub s3_newly: Signal<In, Bits<RECORDS>>,
    /// step 4: lost because they were overtaken, if for nothing else
    pub early: Signal<Out, Bits<RECORDS>>,
    /// path of each gap
    pub path: [Signal<Out, Bits<4>>; RECORDS],
    /// waiting since before it is too long for a gap that is crossed
    pub relaxed_edge: Signal<In, Bits<32>>,
    /// waiting since before it is too long
    pub wait_edge: Signal<In, Bits<32>>,
    /// records in memory that wait, one clock later
    pub waits1: Signal<Out, Bits<RECORDS>>,
    /// those of them that are to be judged
    pub overdue1: Signal<Out, Bits<RECORDS>>,
    /// the first record in memory is crossed, one clock later
    pub first_crossed1: Signal<Out, Bit>,

    memories: [BlockRam<22, NODE_BITS, 1>; RECORDS],
    first_stripes: Vec<StripePath>,
    last_stripes: Vec<StripePath>,
    next_stripes: Vec<StripePath>,
    new_first: StripePath,
    new_next: StripePath,
    rules: Vec<PathRule>,
    scan_rules: Vec<PathRule>,
    word: Signal<Local, Bits<22>>,
    // Compare.
    own: Signal<Local, Bit>,
    first: [Signal<Local, Bits<24>>; RECORDS],
    last: [Signal<Local, Bits<24>>; RECORDS],
    after: [Signal<Local, Bits<24>>; RECORDS],
    length: [Signal<Local, Bits<24>>; RECORDS],
    beyond: [Signal<Local, Bits<24>>; RECORDS],
    behind: [Signal<Local, Bits<16>>; RECORDS],
    passed: [Signal<Local, Bits<16>>; RECORDS],
    marks0: [Signal<Local, Bits<16>>; RECORDS],
    first_path1: [Reg<Bits<4>>; RECORDS],
    last_path1: [Reg<Bits<4>>; RECORDS],
    next_path1: [Reg<Bits<4>>; RECORDS],
    passed1: [Reg<Bits<16>>; RECORDS],
    marks1: [Reg<Bits<16>>; RECORDS],
    wide1: [Reg<Bit>; RECORDS],
    mode1: Reg<Bits<2>>,
    active1: Reg<Bits<16>>,
    // The records.
    mode_now: Reg<Bits<2>>,
    active_now: Reg<Bits<16>>,
    marks: [Reg<Bits<16>>; RECORDS],
    paths: [Reg<Bits<4>>; RECORDS],
    is_early: Reg<Bits<RECORDS>>,
    first_path: [Reg<Bits<4>>; RECORDS],
    next_path: [Reg<Bits<4>>; RECORDS],
    is_over: Reg<Bits<RECORDS>>,
    is_crossed: Reg<Bits<RECORDS>>,
    live: [Signal<Local, Bits<16>>; RECORDS],
    crossing: Signal<Local, Bits<RECORDS>>,
    over3: Reg<Bits<RECORDS>>,
    marks_next: [Signal<Local, Bits<16>>; RECORDS],
    first_next: [Signal<Local, Bits<4>>; RECORDS],
    next_next: [Signal<Local, Bits<4>>; RECORDS],
    over_next: Signal<Local, Bits<RECORDS>>,
    early_next: Signal<Local, Bits<RECORDS>>,
    most: Reg<Bits<24>>,
    others: Constant<Bits<24>>,
    // The scan.
    relaxed_next: Signal<Local, Bits<RECORDS>>,
    old_next: Signal<Local, Bits<RECORDS>>,
    older_next: Signal<Local, Bits<RECORDS>>,
    scan_first: [Reg<Bits<4>>; RECORDS],
    scan_last: [Reg<Bits<4>>; RECORDS],
    scan_next: [Reg<Bits<4>>; RECORDS],
    scan_passed: [Reg<Bits<16>>; RECORDS],
    scan_marks: [Reg<Bits<16>>; RECORDS],
    scan_wide: [Reg<Bit>; RECORDS],
    scan_relaxed: Reg<Bits<RECORDS>>,
    scan_waits: Reg<Bits<RECORDS>>,
    scan_old: Reg<Bits<RECORDS>>,
    scan_older: Reg<Bits<RECORDS>>,
    scan_mode: Reg<Bits<2>>,
    scan_active: Reg<Bits<16>>,
    elapsed: [Signal<Local, Bits<32>>; RECORDS],
    relaxed_elapsed: [Signal<Local, Bits<32>>; RECORDS],
    #[variant]
    _paths: usize,
    _inner: usize,
}

impl GapPaths {
    /// For as many paths, 2 to 16.
    pub fn with_paths(paths: usize) -> Self {
        let stripes = || (0..RECORDS).map(|_| StripePath::with_paths(paths)).collect();
        let rules = || (0..RECORDS).map(|_| PathRule::with_paths(paths)).collect();
        Self {
            edges: some(paths),
            first_stripes: stripes(),
            last_stripes: stripes(),
            next_stripes: stripes(),
            new_first: StripePath::with_paths(paths),
            new_next: StripePath::with_paths(paths),
            rules: rules(),
            scan_rules: rules(),
            others: Constant::new(bits::<24>(paths as LiteralType - 1)),
            _paths: paths,
            _inner: RECORDS - 1,
            ..Self::blank()
        }
    }
}

impl Logic for GapPaths {
    #[kernel]
    fn update(&mut self) {
        // Compare, and the same of what the scan reads.
        self.own.next = self.compare.val() && self.same.val();
        for i in 0..RECORDS {
            self.first_path1[i].d.next = self.first_path1[i].q.val();
            self.last_path1[i].d.next = self.last_path1[i].q.val();
            self.next_path1[i].d.next = self.next_path1[i].q.val();
            self.passed1[i].d.next = self.passed1[i].q.val();
            self.marks1[i].d.next = self.marks1[i].q.val();
            self.wide1[i].d.next = self.wide1[i].q.val();
            self.paths[i].d.next = self.paths[i].q.val();
            self.memories[i].read_address.next = self.read_address.val();
            self.memories[i].write_enable.next = self.write.val();
            self.memories[i].write_address.next = self.write_address.val();
            self.word.next = bits::<22>(0);
            for b in 0..16 {
                self.word.next = self.word.val().replace_bit(b, self.marks[i].q.val().get_bit(b));
            }
            for b in 0..4 {
                self.word.next = self.word.val().replace_bit(16 + b, self.paths[i].q.val().get_bit(b));
            }
            self.memories[i].write_data.next =
                self.word.val().replace_bit(20, self.is_early.q.val().get_bit(i)).replace_bit(21, self.is_crossed.q.val().get_bit(i));

            self.first[i].next = self.memory_first[i].val();
            self.last[i].next = self.memory_last[i].val();
            self.marks0[i].next = self.memories[i].read_data.val().get_bits::<16>(0);
            if self.own.val() {
                self.first[i].next = self.own_first[i].val();
                self.last[i].next = self.own_last[i].val();
                self.marks0[i].next = self.marks[i].q.val();
            }
            self.after[i].next = self.last[i].val() + 1;
            self.first_stripes[i].number.next = self.first[i].val();
            self.first_stripes[i].stripe.next = self.stripe.val();
            self.last_stripes[i].number.next = self.last[i].val();
            self.last_stripes[i].stripe.next = self.stripe.val();
            self.next_stripes[i].number.next = self.after[i].val();
            self.next_stripes[i].stripe.next = self.stripe.val();
            // As many packets as all paths but one have in turn, and more.
            self.length[i].next = self.last[i].val() - self.first[i].val();
            self.beyond[i].next = self.most.q.val() - self.length[i].val();
            self.passed[i].next = bits::<16>(0);
            for k in 0..self._paths {
                self.behind[i].next = self.last[i].val().get_bits::<16>(0) - self.edges[k].val();
                self.passed[i].next =
                    self.passed[i].val().replace_bit(k, self.delivered.val().get_bit(k) && self.behind[i].val().get_bit(15));
            }
            if self.compare.val() {
                self.first_path1[i].d.next = self.first_stripes[i].path.val();
                self.last_path1[i].d.next = self.last_stripes[i].path.val();
                self.next_path1[i].d.next = self.next_stripes[i].path.val();
                self.passed1[i].d.next = self.passed[i].val();
                self.marks1[i].d.next = self.marks0[i].val();
                self.wide1[i].d.next = self.beyond[i].val().get_bit(23);
            }
        }
        if self.compare.val() {
            self.mode1.d.next = self.mode.val();
            self.active1.d.next = self.active.val();
        }

        // Step 0.
        self.most.d.next = (self.others.val() << bit_cast::<24, 4>(self.stripe.val())) - 1;
        self.over_next.next = self.is_over.q.val();
        self.early_next.next = self.is_early.q.val();
        for i in 0..RECORDS {
            self.marks_next[i].next = self.marks[i].q.val();
            self.first_next[i].next = self.first_path[i].q.val();
            self.next_next[i].next = self.next_path[i].q.val();
            self.rules[i].mode.next = self.mode1.q.val();
            self.rules[i].marks.next = self.marks1[i].q.val();
            self.rules[i].active.next = self.active1.q.val();
            self.rules[i].passed.next = self.passed1[i].q.val();
            self.rules[i].first_path.next = self.first_path1[i].q.val();
            self.rules[i].last_path.next = self.last_path1[i].q.val();
            self.rules[i].next_path.next = self.next_path1[i].q.val();
            self.rules[i].wide.next = self.wide1[i].q.val();
            if self.s0_start.val() {
                self.first_next[i].next = self.first_path1[i].q.val();
                self.next_next[i].next = self.next_path1[i].q.val();
                self.over_next.next = self.over_next.val().replace_bit(i, self.rules[i].overtaken.val());
            }
            if self.s0_load.val() {
                self.marks_next[i].next = self.memories[i].read_data.val().get_bits::<16>(0);
                self.paths[i].d.next = self.memories[i].read_data.val().get_bits::<4>(16);
                self.early_next.next = self.early_next.val().replace_bit(i, self.memories[i].read_data.val().get_bit(20));
            }
        }
        if self.s0_start.val() {
            self.mode_now.d.next = self.mode1.q.val();
            // Of the same time as the highest number: who has made the gap too deep may have made another path active.
            self.active_now.d.next = self.active.val();
        }

        // Step 1.
        self.new_first.number.next = self.s1_first.val();
        self.new_first.stripe.next = self.stripe.val();
        self.new_next.number.next = self.s1_next.val();
        self.new_next.stripe.next = self.stripe.val();
        self.s1_gap_path.next = self.s1_path.val();
        if self.mode_now.q.val() == bits::<2>(1) {
            self.s1_gap_path.next = self.new_first.path.val();
        }
        for i in 0..self._inner {
            if self.s1_up.val().get_bit(i) {
                self.marks_next[i].next = self.marks[i + 1].q.val();
                self.paths[i].d.next = self.paths[i + 1].q.val();
                self.first_next[i].next = self.first_path[i + 1].q.val();
                self.next_next[i].next = self.next_path[i + 1].q.val();
                self.over_next.next = self.over_next.val().replace_bit(i, self.is_over.q.val().get_bit(i + 1));
                self.early_next.next = self.early_next.val().replace_bit(i, self.is_early.q.val().get_bit(i + 1));
            }
            if self.s1_down.val().get_bit(i + 1) {
                self.marks_next[i + 1].next = self.marks[i].q.val();
                self.paths[i + 1].d.next = self.paths[i].q.val();
                self.first_next[i + 1].next = self.first_path[i].q.val();
                self.next_next[i + 1].next = self.next_path[i].q.val();
                self.over_next.next = self.over_next.val().replace_bit(i + 1, self.is_over.q.val().get_bit(i));
                self.early_next.next = self.early_next.val().replace_bit(i + 1, self.is_early.q.val().get_bit(i));
            }
        }
        for i in 0..RECORDS {
            if self.s1_set_first.val().get_bit(i) && !self.s1_up.val().get_bit(i) {
                self.first_next[i].next = self.new_first.path.val();
            }
            if self.s1_set_last.val().get_bit(i) && !self.s1_up.val().get_bit(i) {
                self.next_next[i].next = self.new_next.path.val();
            }
            if self.s1_fresh.val().get_bit(i) {
                self.marks_next[i].next = self.s1_marks.val();
                self.paths[i].d.next = self.s1_gap_path.val();
                self.over_next.next = self.over_next.val().replace_bit(i, false);
                self.early_next.next = self.early_next.val().replace_bit(i, false);
            }
        }
        for i in 0..RECORDS {
            self.marks[i].d.next = self.marks_next[i].val();
            self.first_path[i].d.next = self.first_next[i].val();
            self.next_path[i].d.next = self.next_next[i].val();
        }
        self.is_over.d.next = self.over_next.val();
        // What has been made of it, for the next clock.
        self.crossing.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.live[i].next = self.marks_next[i].val() | self.active_now.q.val();
            if self.mode_now.q.val() == bits::<2>(1) {
                self.crossing.next = self.crossing.val().replace_bit(i, self.first_next[i].val() != self.next_next[i].val());
            }
            if self.mode_now.q.val() == bits::<2>(2) {
                self.crossing.next = self.crossing.val().replace_bit(i, (self.live[i].val() & (self.live[i].val() - 1)).any());
            }
        }
        self.is_crossed.d.next = self.crossing.val();

        // Steps 2 and 3.
        self.crossed.next = self.is_crossed.q.val();
        self.overtaken.next = self.is_over.q.val();
        self.over3.d.next = self.is_over.q.val() & !bit_cast::<RECORDS, 1>(self.s2_stalled.val().into());
        if self.s3_judge.val() {
            self.early_next.next = (self.is_early.q.val() & !self.s3_newly.val()) | (self.over3.q.val() & self.s3_newly.val());
        }
        self.is_early.d.next = self.early_next.val();
        self.early.next = self.is_early.q.val();
        for i in 0..RECORDS {
            self.path[i].next = self.paths[i].q.val();
        }

        // The scan.
        self.scan_mode.d.next = self.mode.val();
        self.scan_active.d.next = self.active.val();
        self.scan_waits.d.next = self.memory_waits.val();
        self.waits1.next = self.scan_waits.q.val();
        self.relaxed_next.next = bits::<RECORDS>(0);
        self.old_next.next = bits::<RECORDS>(0);
        self.older_next.next = bits::<RECORDS>(0);
        self.overdue1.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.scan_first[i].d.next = self.first_stripes[i].path.val();
            self.scan_last[i].d.next = self.last_stripes[i].path.val();
            self.scan_next[i].d.next = self.next_stripes[i].path.val();
            self.scan_passed[i].d.next = self.passed[i].val();
            self.scan_marks[i].d.next = self.marks0[i].val();
            self.scan_wide[i].d.next = self.beyond[i].val().get_bit(23);
            self.relaxed_next.next = self.relaxed_next.val().replace_bit(i, self.memories[i].read_data.val().get_bit(21));
            self.elapsed[i].next = self.memory_since[i].val() - self.wait_edge.val();
            self.relaxed_elapsed[i].next = self.memory_since[i].val() - self.relaxed_edge.val();
            self.old_next.next = self.old_next.val().replace_bit(i, self.elapsed[i].val().get_bit(31));
            self.older_next.next = self.older_next.val().replace_bit(i, self.relaxed_elapsed[i].val().get_bit(31));
            self.scan_rules[i].mode.next = self.scan_mode.q.val();
            self.scan_rules[i].marks.next = self.scan_marks[i].q.val();
            self.scan_rules[i].active.next = self.scan_active.q.val();
            self.scan_rules[i].passed.next = self.scan_passed[i].q.val();
            self.scan_rules[i].first_path.next = self.scan_first[i].q.val();
            self.scan_rules[i].last_path.next = self.scan_last[i].q.val();
            self.scan_rules[i].next_path.next = self.scan_next[i].q.val();
            self.scan_rules[i].wide.next = self.scan_wide[i].q.val();
            if self.scan_rules[i].crossed.val() {
                self.overdue1.next = self.overdue1.val().replace_bit(
                    i,
                    self.scan_waits.q.val().get_bit(i) && (self.scan_older.q.val().get_bit(i) || self.scan_rules[i].overtaken.val()),
                );
            } else {
                self.overdue1.next = self.overdue1.val().replace_bit(
                    i,
                    self.scan_waits.q.val().get_bit(i)
                        && (self.scan_old.q.val().get_bit(i) || self.scan_relaxed.q.val().get_bit(i) || self.scan_rules[i].overtaken.val()),
                );
            }
        }
        self.scan_relaxed.d.next = self.relaxed_next.val();
        self.scan_old.d.next = self.old_next.val();
        self.scan_older.d.next = self.older_next.val();
        self.first_crossed1.next = self.scan_rules[0].crossed.val();
    }
}
