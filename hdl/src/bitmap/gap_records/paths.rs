use super::*;

impl GapRecords {
    /// Several paths: which limits count for a gap, and gaps that no path can bring any more.
    #[kernel]
    pub(super) fn several_paths(&mut self) {
        for w in 0..self._ways {
            self.paths[w].read_address.next = self.read_address.val();
            self.paths[w].write.next = self.write.val();
            self.paths[w].write_address.next = self.write_address.val();
            self.paths[w].compare.next = self.compare.val();
            self.paths[w].same.next = self.same.val();
            self.paths[w].stripe.next = self.stripe[w].val();
            self.paths[w].mode.next = self.mode[w].val();
            self.paths[w].delivered.next = self.delivered[w].val();
            for k in 0..self._paths {
                self.paths[w].edges[k].next = self.edges[k].val();
            }
            self.paths[w].active.next = self.active[w].val();
            self.paths[w].s0_start.next = self.s0_start.val();
            self.paths[w].s0_load.next = self.s0_load.val();
            self.paths[w].s1_up.next = self.up.val();
            self.paths[w].s1_down.next = self.under.val();
            self.paths[w].s1_fresh.next = self.fresh1.q.val();
            for g in 0..self._groups {
                self.paths[w].s1_fresh.next = self.fresh1.q.val() | self.again_fresh[g].val();
            }
            self.paths[w].s1_first.next = self.s1_first.val();
            self.paths[w].s1_next.next = self.s1_next[w].val();
            self.paths[w].s1_path.next = self.s1_path[w].val();
            self.paths[w].s1_marks.next = self.s1_marks[w].val();
            self.s1_gap_path[w].next = self.paths[w].s1_gap_path.val();
            self.paths[w].s2_stalled.next = self.s2_stalled.val();
            self.paths[w].s3_judge.next = self.s3_judge.val();
            self.paths[w].s3_newly.next = self.newly.val();
            self.paths[w].relaxed_edge.next = self.relaxed_wait[w].val();
            self.paths[w].wait_edge.next = self.wait_edge.val();
            self.first_crossed[w].next = self.paths[w].crossed.val().get_bit(0);
            self.memory_crossed[w].next = self.paths[w].first_crossed1.val();
            self.memory_waits[w].next = bits::<RECORDS>(0);
            self.set_first[w].next = bits::<RECORDS>(0);
            self.set_last[w].next = bits::<RECORDS>(0);
            for i in 0..RECORDS {
                self.paths[w].memory_first[i].next = self.memories[i].read_data.val().get_bits::<24>(0);
                self.paths[w].memory_last[i].next = self.memories[i].read_data.val().get_bits::<24>(24);
                self.paths[w].memory_since[i].next = self.memories[i].read_data.val().get_bits::<32>(72);
                self.memory_waits[w].next = self.memory_waits[w].val().replace_bit(
                    i,
                    self.memories[i].read_data.val().get_bit(117) && !self.memories[i].read_data.val().get_bits::<2>(114).any(),
                );
                self.paths[w].own_first[i].next = self.cells[i].record.val().get_bits::<24>(0);
                self.paths[w].own_last[i].next = self.cells[i].record.val().get_bits::<24>(24);
                self.set_first[w].next = self.set_first[w].val().replace_bit(i, self.cells[i].s1_set_first.val());
                self.set_last[w].next = self.set_last[w].val().replace_bit(i, self.cells[i].s1_set_last.val());
                if self.paths[w].crossed.val().get_bit(i) {
                    self.cells[i].depth_edge.next = self.relaxed_depth[w].val();
                    self.cells[i].wait_edge.next = self.relaxed_wait[w].val();
                }
                if self.paths[w].overtaken.val().get_bit(i) {
                    self.cells[i].s2_stalled.next = true;
                }
            }
            self.paths[w].memory_waits.next = self.memory_waits[w].val();
            self.paths[w].s1_set_first.next = self.set_first[w].val();
            self.paths[w].s1_set_last.next = self.set_last[w].val();
            // Who waits is looked at by what counts for it, which is not what counts for the record in the steps.
            self.overdue.next = (self.overdues.val() & !self.paths[w].waits1.val()).any() || self.paths[w].overdue1.val().any();

            // Step 4: the cause of a gap that was overtaken is one more than that of a stall.
            self.crossed4[w].d.next = self.paths[w].crossed.val();
            self.plain_waiting[w].next = self.waiting.val() & !self.crossed4[w].q.val();
            self.crossed_waiting[w].next = self.waiting.val() & self.crossed4[w].q.val();
            self.first_plain[w].next = self.plain_waiting[w].val() & (!self.plain_waiting[w].val() + 1);
            self.first_crossed4[w].next = self.crossed_waiting[w].val() & (!self.crossed_waiting[w].val() + 1);
            self.s4_waits.next = self.plain_waiting[w].val().any();
            self.s4_crossed_waits[w].next = self.crossed_waiting[w].val().any();
            self.s4_measure.next = bits::<24>(0);
            self.s4_crossed_measure[w].next = bits::<24>(0);
            for i in 0..RECORDS {
                if self.first_plain[w].val().get_bit(i) {
                    if self.by_arrivals.val() {
                        self.s4_measure.next = self.s4_measure.val() | self.cells[i].record.val().get_bits::<24>(48);
                    } else {
                        self.s4_measure.next = self.s4_measure.val() | self.cells[i].record.val().get_bits::<24>(0);
                    }
                }
                if self.first_crossed4[w].val().get_bit(i) {
                    if self.by_arrivals.val() {
                        self.s4_crossed_measure[w].next = self.s4_crossed_measure[w].val() | self.cells[i].record.val().get_bits::<24>(48);
                    } else {
                        self.s4_crossed_measure[w].next = self.s4_crossed_measure[w].val() | self.cells[i].record.val().get_bits::<24>(0);
                    }
                }
            }
            self.s4_path[w].next = bits::<4>(0);
            for i in 0..RECORDS {
                if self.pick4.q.val().get_bit(i) {
                    self.s4_path[w].next = self.s4_path[w].val() | self.paths[w].path[i].val();
                }
            }
            if (self.pick4.q.val() & self.paths[w].early.val()).any() && self.sent_word.val().get_bit(113) {
                self.s4_record.next = self.sent_word.val().replace_bit(112, true);
            }
        }
        for w in 0..self._ways {
            self.path_lost[w].next = bits::<80>(0);
            for k in 0..self._paths {
                self.lost[k].next = bits::<16>(0);
                for i in 0..RECORDS {
                    self.lost[k].next = self.lost[k]
                        .val()
                        .replace_bit(i, self.newly4.q.val().get_bit(i) && (self.paths[w].path[i].val() == k.to_bits::<4>()));
                }
                self.lost_count_of[k].bits_in.next = self.lost[k].val();
                self.path_lost5[k].d.next = self.lost_count_of[k].count.val();
                for b in 0..5 {
                    self.path_lost[w].next = self.path_lost[w].val().replace_bit(5 * k + b, self.path_lost5[k].q.val().get_bit(b));
                }
            }
        }
    }
}
