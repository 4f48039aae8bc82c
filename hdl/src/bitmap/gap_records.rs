use super::{GAP_BITS, GapCell};
use crate::Described;
use crate::primitives::{BlockRam, Reg};
use rust_hdl::prelude::*;

/// Gap records of all queue pairs, `R` of each in the order of their packets, and the steps in which those of one queue pair are changed and judged.
///
/// Step 0 compares the packet with all records, step 1 changes them: a gap shrinks from an end, splits, ends; or another is seen. If none is left for
/// that, the last one covers more, or the split record stays whole, and is coarse from then on: packets in it may have arrived, so that its ends are
/// searched in the bitmap after each change (`search` until `s1_fix`). Step 2 compares with the limits, step 3 judges and chooses the record that is
/// told, step 4 has its fields and writes. A lost gap counts with its whole length until it is told.
/// Latency: 4 clocks, the word of memory 2 before that. Throughput: one queue pair per 4 clocks, step 4 with step 0 of the next. No reset:
/// `s1_clear`.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct GapRecords<const A: usize, const R: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// queue pair to read
    pub read_address: Signal<In, Bits<A>>,
    /// records are written
    pub write: Signal<In, Bit>,
    /// queue pair
    pub write_address: Signal<In, Bits<A>>,

    /// step 0: the queue pair that was read 2 clocks ago takes the place of the other
    pub s0_load: Signal<In, Bit>,
    /// step 0: packet
    pub s0_psn: Signal<In, Bits<24>>,
    /// step 1: the packet has arrived
    pub s1_fill: Signal<In, Bit>,
    /// step 1: a gap is seen, from `s1_first` to `s1_last`
    pub s1_append: Signal<In, Bit>,
    /// step 1: all records end
    pub s1_clear: Signal<In, Bit>,
    /// step 1: packets may have arrived in any record, and in the gap that is seen
    pub s1_doubt: Signal<In, Bit>,
    /// step 1: what has been searched goes from `s1_first` to `s1_last`
    pub s1_fix: Signal<In, Bit>,
    /// step 1: or has nothing missing
    pub s1_fix_empty: Signal<In, Bit>,
    /// step 1: first packet
    pub s1_first: Signal<In, Bits<24>>,
    /// step 1: last packet
    pub s1_last: Signal<In, Bits<24>>,
    /// step 1: reference of a gap that is seen
    pub s1_reference: Signal<In, Bits<24>>,
    /// step 1: the packet lies in a record that has been reported
    pub s1_reported: Signal<Out, Bit>,
    /// step 1: the packet is the first that is missing
    pub s1_at_base: Signal<Out, Bit>,
    /// step 1: a record was missing, and another covers more instead
    pub s1_folded: Signal<Out, Bit>,
    /// a record's ends are to be searched
    pub search: Signal<Out, Bit>,
    /// from here, one clock later
    pub search_first: Signal<Out, Bits<24>>,
    /// to here, one clock later
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

    /// step 3: records are judged
    pub s3_judge: Signal<In, Bit>,
    /// step 3: the gap at the base has stalled
    pub s3_stalled: Signal<In, Bit>,
    /// step 3: enough is lost, as `s4_enough` has said
    pub s3_enough: Signal<In, Bit>,
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
    /// step 4: missing packets in lost gaps have become enough
    pub s4_enough: Signal<Out, Bit>,
    /// step 4: gaps that have been found lost
    pub s4_lost: Signal<Out, Bits<5>>,
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

    memories: [BlockRam<GAP_BITS, A, 1>; R],
    cells: [GapCell; R],
    valid: Signal<Local, Bits<R>>,
    follows: Signal<Local, Bits<R>>,
    hits: Signal<Local, Bits<R>>,
    near: Signal<Local, Bits<R>>,
    wide: Signal<Local, Bits<R>>,
    upto: Signal<Local, Bits<R>>,
    under: Signal<Local, Bits<R>>,
    at_first: Signal<Local, Bits<R>>,
    at_last: Signal<Local, Bits<R>>,
    reported: Signal<Local, Bits<R>>,
    coarse: Signal<Local, Bits<R>>,
    room: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    splits: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    edge_hit: Signal<Local, Bit>,
    place: Signal<Local, Bits<R>>,
    fresh: Signal<Local, Bits<GAP_BITS>>,
    todo: Reg<Bits<R>>,
    left: Signal<Local, Bits<R>>,
    higher: Signal<Local, Bits<R>>,
    higher_near: Signal<Local, Bits<R>>,
    higher_wide: Signal<Local, Bits<R>>,
    top: Signal<Local, Bits<R>>,
    chosen_first: Signal<Local, Bits<24>>,
    chosen_last: Signal<Local, Bits<24>>,
    first_held: Reg<Bits<24>>,
    last_held: Reg<Bits<24>>,
    length: [Reg<Bits<16>>; R],
    total: Signal<Local, Bits<16>>,
    total4: Reg<Bits<16>>,
    newly: Signal<Local, Bits<R>>,
    lost: Signal<Local, Bits<R>>,
    late: Signal<Local, Bits<R>>,
    due: Signal<Local, Bits<R>>,
    single: Reg<Bit>,
    tell: Signal<Local, Bit>,
    wanted: Signal<Local, Bits<R>>,
    pick: Signal<Local, Bits<R>>,
    pick4: Reg<Bits<R>>,
    more4: Reg<Bit>,
    count4: Reg<Bit>,
    held4: Reg<Bit>,
    lost_count: Signal<Local, Bits<5>>,
    lost4: Reg<Bits<5>>,
    waiting: Signal<Local, Bits<R>>,
    first_waiting: Signal<Local, Bits<R>>,
    sent_word: Signal<Local, Bits<GAP_BITS>>,
    again: Signal<Local, Bits<R>>,
    measure: Signal<Local, Bits<24>>,
    overdues: Signal<Local, Bits<R>>,
    pendings: Signal<Local, Bits<R>>,
    _inner: usize,
}

impl<const A: usize, const R: usize> Default for GapRecords<A, R> {
    fn default() -> Self {
        assert!((2..=16).contains(&R), "GapRecords: R = {R}, 2 to 16 are possible");
        Self {
            clk: Default::default(),
            read_address: Default::default(),
            write: Default::default(),
            write_address: Default::default(),
            s0_load: Default::default(),
            s0_psn: Default::default(),
            s1_fill: Default::default(),
            s1_append: Default::default(),
            s1_clear: Default::default(),
            s1_doubt: Default::default(),
            s1_fix: Default::default(),
            s1_fix_empty: Default::default(),
            s1_first: Default::default(),
            s1_last: Default::default(),
            s1_reference: Default::default(),
            s1_reported: Default::default(),
            s1_at_base: Default::default(),
            s1_folded: Default::default(),
            search: Default::default(),
            search_first: Default::default(),
            search_last: Default::default(),
            by_arrivals: Default::default(),
            depth_edge: Default::default(),
            now: Default::default(),
            wait_edge: Default::default(),
            feedback_edge: Default::default(),
            repeat_edge: Default::default(),
            threshold: Default::default(),
            lowest: Default::default(),
            memory_lowest: Default::default(),
            s3_judge: Default::default(),
            s3_stalled: Default::default(),
            s3_enough: Default::default(),
            s3_room: Default::default(),
            s4_sent: Default::default(),
            s4_record: Default::default(),
            s4_again: Default::default(),
            s4_more: Default::default(),
            s4_enough: Default::default(),
            s4_lost: Default::default(),
            s4_count: Default::default(),
            s4_waits: Default::default(),
            s4_measure: Default::default(),
            overdue: Default::default(),
            pending: Default::default(),
            memories: std::array::from_fn(|_| Default::default()),
            cells: std::array::from_fn(|_| Default::default()),
            valid: Default::default(),
            follows: Default::default(),
            hits: Default::default(),
            near: Default::default(),
            wide: Default::default(),
            upto: Default::default(),
            under: Default::default(),
            at_first: Default::default(),
            at_last: Default::default(),
            reported: Default::default(),
            coarse: Default::default(),
            room: Default::default(),
            ends: Default::default(),
            splits: Default::default(),
            whole: Default::default(),
            edge_hit: Default::default(),
            place: Default::default(),
            fresh: Default::default(),
            todo: Default::default(),
            left: Default::default(),
            higher: Default::default(),
            higher_near: Default::default(),
            higher_wide: Default::default(),
            top: Default::default(),
            chosen_first: Default::default(),
            chosen_last: Default::default(),
            first_held: Default::default(),
            last_held: Default::default(),
            length: std::array::from_fn(|_| Default::default()),
            total: Default::default(),
            total4: Default::default(),
            newly: Default::default(),
            lost: Default::default(),
            late: Default::default(),
            due: Default::default(),
            single: Default::default(),
            tell: Default::default(),
            wanted: Default::default(),
            pick: Default::default(),
            pick4: Default::default(),
            more4: Default::default(),
            count4: Default::default(),
            held4: Default::default(),
            lost_count: Default::default(),
            lost4: Default::default(),
            waiting: Default::default(),
            first_waiting: Default::default(),
            sent_word: Default::default(),
            again: Default::default(),
            measure: Default::default(),
            overdues: Default::default(),
            pendings: Default::default(),
            _inner: R - 1,
        }
    }
}

impl<const A: usize, const R: usize> Logic for GapRecords<A, R> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, todo, first_held, last_held, total4, single, pick4, more4, count4, held4, lost4);
        for i in 0..R {
            self.length[i].clock.next = self.clk.val();
            self.memories[i].clk.next = self.clk.val();
            self.memories[i].read_address.next = self.read_address.val();
            self.memories[i].write_enable.next = self.write.val();
            self.memories[i].write_address.next = self.write_address.val();
            self.memories[i].write_data.next = self.cells[i].record.val();
            self.cells[i].clk.next = self.clk.val();
            self.cells[i].memory.next = self.memories[i].read_data.val();
            self.cells[i].s0_load.next = self.s0_load.val();
            self.cells[i].s0_psn.next = self.s0_psn.val();
            self.cells[i].by_arrivals.next = self.by_arrivals.val();
            self.cells[i].depth_edge.next = self.depth_edge.val();
            self.cells[i].now.next = self.now.val();
            self.cells[i].wait_edge.next = self.wait_edge.val();
            self.cells[i].feedback_edge.next = self.feedback_edge.val();
            self.cells[i].repeat_edge.next = self.repeat_edge.val();
            self.cells[i].s3_judge.next = self.s3_judge.val();
            self.cells[i].s3_stalled.next = false;
        }
        self.cells[0].s3_stalled.next = self.s3_stalled.val();
        self.lowest.next = self.cells[0].record.val();
        self.memory_lowest.next = self.memories[0].read_data.val();

        // Step 1: which record it is about, and what becomes of it.
        self.valid.next = bits::<R>(0);
        self.at_first.next = bits::<R>(0);
        self.at_last.next = bits::<R>(0);
        self.reported.next = bits::<R>(0);
        self.coarse.next = bits::<R>(0);
        self.hits.next = bits::<R>(0);
        for i in 0..R {
            self.valid.next = self.valid.val().replace_bit(i, self.cells[i].record.val().get_bit(117));
            self.coarse.next = self.coarse.val().replace_bit(i, self.cells[i].record.val().get_bit(116));
            self.reported.next = self.reported.val().replace_bit(i, self.cells[i].record.val().get_bits::<2>(114).all());
            self.at_first.next = self.at_first.val().replace_bit(i, self.cells[i].at_first.val());
            self.at_last.next = self.at_last.val().replace_bit(i, self.cells[i].at_last.val());
            self.hits.next = self.hits.val().replace_bit(i, self.cells[i].holds.val() && self.s1_fill.val());
        }
        self.follows.next = (self.valid.val() << 1) | 1;
        self.place.next = self.follows.val() & !self.valid.val();
        self.room.next = self.place.val().any();
        if self.s1_fix.val() {
            self.hits.next = self.top.val();
        }
        self.near.next = self.hits.val() | (self.hits.val() << 1);
        self.wide.next = self.near.val() | (self.near.val() << 2) | (self.near.val() << 4);
        self.upto.next = self.wide.val() | (self.wide.val() << 6) | (self.wide.val() << 10);
        self.under.next = self.upto.val() << 1;
        self.ends.next =
            (self.s1_fill.val() && (self.hits.val() & self.at_first.val() & self.at_last.val()).any()) || self.s1_fix_empty.val();
        self.edge_hit.next = (self.hits.val() & (self.at_first.val() | self.at_last.val())).any();
        self.splits.next = self.s1_fill.val() && self.hits.val().any() && !self.edge_hit.val() && self.room.val();
        self.whole.next = self.s1_fill.val() && self.hits.val().any() && !self.edge_hit.val() && !self.room.val();
        self.s1_reported.next = (self.hits.val() & self.reported.val()).any() && self.s1_fill.val();
        self.s1_at_base.next = self.s1_fill.val() && self.hits.val().get_bit(0) && self.at_first.val().get_bit(0);
        self.s1_folded.next = self.whole.val() || (self.s1_append.val() && !self.room.val());
        self.fresh.next = bit_cast::<GAP_BITS, 24>(self.s1_first.val())
            | (bit_cast::<GAP_BITS, 24>(self.s1_last.val()) << 24)
            | (bit_cast::<GAP_BITS, 24>(self.s1_reference.val()) << 48)
            | (bit_cast::<GAP_BITS, 32>(self.now.val()) << 72)
            | (bits::<GAP_BITS>(1) << 117);
        for i in 0..R {
            self.cells[i].s1_change.next = self.s1_fill.val() || self.s1_clear.val() || self.s1_doubt.val() || self.s1_fix.val();
            self.cells[i].s1_first.next = self.s1_first.val();
            self.cells[i].s1_last.next = self.s1_last.val();
            self.cells[i].s1_record.next = self.cells[i].record.val();
            if self.s1_fill.val() {
                self.cells[i].s1_record.next = self.cells[i].passed.val();
            }
            self.cells[i].s1_set_coarse.next = self.s1_doubt.val() || (self.whole.val() && self.hits.val().get_bit(i));
            self.cells[i].s1_unreport.next = false;
            self.cells[i].s1_set_first.next = (self.s1_fill.val() && self.hits.val().get_bit(i) && self.at_first.val().get_bit(i))
                || (self.s1_fix.val() && self.hits.val().get_bit(i));
            self.cells[i].s1_set_last.next =
                (self.s1_fill.val() && self.hits.val().get_bit(i) && (self.at_last.val().get_bit(i) || self.splits.val()))
                    || (self.s1_fix.val() && self.hits.val().get_bit(i));
            if self.s1_append.val() && self.place.val().get_bit(i) {
                self.cells[i].s1_change.next = true;
                self.cells[i].s1_record.next = self.fresh.val();
            }
            if self.s1_clear.val() {
                self.cells[i].s1_record.next = bits::<GAP_BITS>(0);
            }
        }
        // The record above comes down, or the one below goes up.
        for i in 0..self._inner {
            if self.ends.val() && self.upto.val().get_bit(i) {
                self.cells[i].s1_record.next = self.cells[i + 1].record.val();
                if self.s1_fill.val() {
                    self.cells[i].s1_record.next = self.cells[i + 1].passed.val();
                }
                self.cells[i].s1_set_first.next = false;
                self.cells[i].s1_set_last.next = false;
            }
            if self.splits.val() && self.under.val().get_bit(i + 1) {
                self.cells[i + 1].s1_record.next = self.cells[i].passed.val();
                if self.hits.val().get_bit(i) {
                    self.cells[i + 1].s1_record.next = self.cells[i].behind.val();
                    self.cells[i + 1].s1_set_first.next = true;
                }
            }
        }
        for i in self._inner..R {
            if self.ends.val() && self.upto.val().get_bit(i) {
                self.cells[i].s1_record.next = bits::<GAP_BITS>(0);
                self.cells[i].s1_set_first.next = false;
                self.cells[i].s1_set_last.next = false;
            }
            if self.s1_append.val() && !self.room.val() {
                self.cells[i].s1_change.next = true;
                self.cells[i].s1_set_last.next = true;
                self.cells[i].s1_set_coarse.next = true;
                self.cells[i].s1_unreport.next = true;
            }
        }

        // Coarse records whose ends may have arrived, searched from the top down: one that ends moves only those above it.
        self.left.next = self.todo.q.val();
        if self.s1_fill.val() {
            self.left.next = bits::<R>(0);
            if (self.hits.val() & self.coarse.val()).any() && (self.edge_hit.val() || self.splits.val()) && !self.ends.val() {
                self.left.next = self.hits.val();
                if self.splits.val() {
                    self.left.next = self.hits.val() | (self.hits.val() << 1);
                }
            }
        }
        if self.s1_doubt.val() {
            self.left.next = self.valid.val();
            if self.s1_append.val() {
                self.left.next = self.valid.val() | self.place.val();
            }
        }
        if self.s1_fix.val() {
            self.left.next = self.todo.q.val() & !self.top.val();
        }
        if self.s1_clear.val() {
            self.left.next = bits::<R>(0);
        }
        self.todo.d.next = self.left.val();
        self.higher.next = self.todo.q.val() >> 1;
        self.higher_near.next = self.higher.val() | (self.higher.val() >> 1);
        self.higher_wide.next = self.higher_near.val() | (self.higher_near.val() >> 2) | (self.higher_near.val() >> 4);
        self.top.next = self.todo.q.val() & !(self.higher_wide.val() | (self.higher_wide.val() >> 6) | (self.higher_wide.val() >> 10));
        self.chosen_first.next = bits::<24>(0);
        self.chosen_last.next = bits::<24>(0);
        for i in 0..R {
            if self.top.val().get_bit(i) {
                self.chosen_first.next = self.chosen_first.val() | self.cells[i].record.val().get_bits::<24>(0);
                self.chosen_last.next = self.chosen_last.val() | self.cells[i].record.val().get_bits::<24>(24);
            }
        }
        self.first_held.d.next = self.chosen_first.val();
        self.last_held.d.next = self.chosen_last.val();
        self.search.next = self.todo.q.val().any();
        self.search_first.next = self.first_held.q.val();
        self.search_last.next = self.last_held.q.val();

        // Step 2: missing packets of lost gaps.
        for i in 0..R {
            self.length[i].d.next = bits::<16>(0);
            if self.cells[i].record.val().get_bit(117)
                && (self.cells[i].record.val().get_bit(114) != self.cells[i].record.val().get_bit(115))
            {
                self.length[i].d.next = self.cells[i].record.val().get_bits::<16>(24) - self.cells[i].record.val().get_bits::<16>(0) + 1;
            }
        }
        self.single.d.next = !(self.threshold.val() >> 1).any();

        // Step 3: once enough is lost, or long enough, everything is told that is lost then.
        self.newly.next = bits::<R>(0);
        self.lost.next = bits::<R>(0);
        self.late.next = bits::<R>(0);
        self.due.next = bits::<R>(0);
        self.total.next = bits::<16>(0);
        for i in 0..R {
            self.newly.next = self.newly.val().replace_bit(i, self.cells[i].newly_lost.val());
            self.lost.next = self.lost.val().replace_bit(i, self.cells[i].is_lost.val());
            self.late.next = self.late.val().replace_bit(i, self.cells[i].is_late.val());
            self.due.next = self.due.val().replace_bit(i, self.cells[i].is_due.val());
            self.total.next = self.total.val() + self.length[i].q.val();
        }
        self.total4.d.next = self.total.val();
        self.lost_count.next = bits::<5>(0);
        for i in 0..R {
            if self.newly.val().get_bit(i) {
                self.lost_count.next = self.lost_count.val() + 1;
            }
        }
        self.tell.next = self.single.q.val() || self.s3_enough.val() || self.late.val().any();
        self.wanted.next = self.due.val();
        if self.tell.val() {
            self.wanted.next = self.due.val() | self.newly.val() | self.lost.val();
        }
        self.pick.next = bits::<R>(0);
        if self.s3_room.val() {
            self.pick.next = self.wanted.val() & (!self.wanted.val() + 1);
        }
        for i in 0..R {
            self.cells[i].s3_tell.next = self.tell.val();
            self.cells[i].s3_pick.next = self.pick.val().get_bit(i);
        }
        self.pick4.d.next = bits::<R>(0);
        self.more4.d.next = false;
        self.count4.d.next = false;
        self.held4.d.next = false;
        self.lost4.d.next = bits::<5>(0);
        if self.s3_judge.val() {
            self.lost4.d.next = self.lost_count.val();
            self.pick4.d.next = self.pick.val();
            self.more4.d.next = (self.wanted.val() & !self.pick.val()).any();
            self.count4.d.next = !self.tell.val() && self.newly.val().any();
            self.held4.d.next = !self.tell.val() && (self.newly.val() | self.lost.val()).any();
        }

        // Step 4.
        self.sent_word.next = bits::<GAP_BITS>(0);
        self.again.next = bits::<R>(0);
        self.waiting.next = bits::<R>(0);
        for i in 0..R {
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
        for i in 0..R {
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
        self.s4_lost.next = self.lost4.q.val();
        self.s4_count.next = self.count4.q.val();
        self.s4_enough.next = self.held4.q.val() && (self.total4.q.val() >= self.threshold.val());
        self.s4_waits.next = self.waiting.val().any();
        self.s4_measure.next = self.measure.val();

        // The scan.
        self.overdues.next = bits::<R>(0);
        self.pendings.next = bits::<R>(0);
        for i in 0..R {
            self.overdues.next = self.overdues.val().replace_bit(i, self.cells[i].overdue.val());
            self.pendings.next = self.pendings.val().replace_bit(i, self.cells[i].pending.val());
        }
        self.overdue.next = self.overdues.val().any();
        self.pending.next = self.pendings.val().any();
    }
}
