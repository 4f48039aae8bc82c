use super::*;

impl GapEngine {
    /// What the next event waits for before it is compared; with told regions also the base, which a look needs.
    #[kernel]
    pub(super) fn settles(&mut self) {
        // The highest number that a queue pair which lags is read up to is that of all that was dropped.
        self.n_settled.next = (self.n_kind.q.val() != bits::<3>(4)) || self.n_age.q.val().get_bit(2);
        for t in 0..self._tells {
            self.regions[t].read_address.next = self.reading.val();
            self.memory_region[t].next = self.regions[t].read_data.val().get_bit(80);
            self.memory_edge[t].next = self.regions[t].read_data.val().get_bits::<24>(0);
            if self.same.q.val() {
                self.memory_region[t].next = self.region[t].q.val();
                self.memory_edge[t].next = self.region_edge[t].q.val();
            }

            // A look at a queue pair that has a region waits for its base.
            self.n_look[t].next = self.n_valid.q.val() && (self.n_kind.q.val() == bits::<3>(5));
            self.n_peeks[t].next = self.n_look[t].val() && !self.n_peeked[t].q.val();
            self.n_peeked[t].d.next = (self.n_peeked[t].q.val()
                || (self.n_peeks[t].val() && self.peek_ready.val() && !self.scan.peek_valid.val()))
                && !self.n_free.val();
            self.n_base1[t].d.next = self.n_peeks[t].val() && self.peek_ready.val() && !self.scan.peek_valid.val() && !self.n_free.val();
            self.n_base2[t].d.next = self.n_base1[t].q.val() && !self.n_free.val();
            self.n_base3[t].d.next = self.n_base2[t].q.val() && !self.n_free.val();
            self.n_based[t].d.next = (self.n_based[t].q.val() || self.n_base3[t].q.val()) && !self.n_free.val();
            if self.n_base3[t].q.val() {
                self.n_base[t].d.next = self.peek_base.val();
            }
            if self.n_look[t].val() && self.memory_region[t].val() && !self.n_based[t].q.val() {
                self.n_settled.next = false;
            }
        }
    }

    /// Told regions: where they end, who lies in them, and when they are walked.
    ///
    /// A region has one time for all of its packets, which is when the last walk began, at first when its first gap was reported. A walk
    /// begins a quarter of `refeedback` later. No time of a single packet is needed: the sender sends it again once in `dedup` ticks at
    /// most, and `refeedback` is at least those and a round trip, so that of the walks in that time one comes behind them. A late packet of
    /// a region whose event is looked at behind the end of the region is not counted as misjudged.
    #[kernel]
    pub(super) fn told_regions(&mut self) {
        for t in 0..self._tells {
            self.walk_wait[t].next = self.refeedback.val() >> 2;
            self.walk_edge[t].d.next = self.now.val() - self.walk_wait[t].val();

            // Before step 0.
            self.from_packet[t].next = self.memory_edge[t].val() - self.n_psn.q.val();
            self.from_base[t].next = self.memory_edge[t].val() - self.n_base[t].q.val();
            if self.compares.val() {
                self.in_region[t].d.next = self.memory_region[t].val() && self.n_fill.q.val() && !self.from_packet[t].val().get_bit(23);
                self.past_region[t].d.next = self.memory_region[t].val() && self.n_look[t].val() && self.from_base[t].val().get_bit(23);
            }

            // Step 0.
            self.hits_region[t].d.next = self.starts.val() && self.in_region[t].q.val();
            self.leaves_region[t].d.next = self.starts.val() && self.past_region[t].q.val();
            if self.starts.val() {
                if !self.same.q.val() {
                    self.region[t].d.next = self.regions[t].read_data.val().get_bit(80);
                    self.region_edge[t].d.next = self.regions[t].read_data.val().get_bits::<24>(0);
                    self.region_base[t].d.next = self.regions[t].read_data.val().get_bits::<24>(24);
                    self.region_since[t].d.next = self.regions[t].read_data.val().get_bits::<32>(48);
                }
                if self.n_look[t].val() && self.n_based[t].q.val() {
                    self.region_base[t].d.next = self.n_base[t].q.val();
                }
            }

            // Step 1. What begins a region is the first record, which is at the base then.
            self.region_elapsed[t].next = self.region_since[t].q.val() - self.walk_edge[t].q.val();
            self.walks[t].next = self.p1.q.val()
                && (self.kind.q.val() == bits::<3>(5))
                && self.region[t].q.val()
                && !self.leaves_region[t].q.val()
                && self.region_elapsed[t].val().get_bit(31)
                && !self.walk[t].busy.val();
            if self.walks[t].val() {
                self.region_since[t].d.next = self.now.val();
            }
            self.evt_spilled[t].next = self.records.s1_spills[t].val();
            self.spilled_edge[t].next = self.records.lowest.val().get_bits::<24>(24);
            if self.records.s1_spills[t].val() {
                self.region[t].d.next = true;
                self.region_edge[t].d.next = self.records.lowest.val().get_bits::<24>(24);
                if !self.region[t].q.val() {
                    self.region_base[t].d.next = self.records.lowest.val().get_bits::<24>(0);
                    self.region_since[t].d.next = self.records.lowest.val().get_bits::<32>(72);
                }
            }
            if self.leaves_region[t].q.val() {
                self.region[t].d.next = false;
                self.advanced.d.next = self.now.val();
                self.moved.d.next = self.counted.q.val();
            }
            self.forgets[t].next = self.records.s1_clear.val();
            if self.forgets[t].val() {
                self.region[t].d.next = false;
            }
            if self.hits_region[t].q.val() && !self.sent_before.q.val() {
                self.evt_misjudged.next = true;
                if !self.misjudged.q.val().all() {
                    self.misjudged.d.next = self.misjudged.q.val() + 1;
                }
            }

            // Step 2: the first record is not at the base.
            if self.region[t].q.val() {
                self.records.s2_stalled.next = false;
            }

            // Step 4.
            self.regions[t].write_enable.next = self.p4.q.val() || !self.filled.q.val();
            self.regions[t].write_address.next = self.totals.write_address.val();
            self.regions[t].write_data.next = bit_cast::<81, 24>(self.region_edge[t].q.val())
                | (bit_cast::<81, 24>(self.region_base[t].q.val()) << 24)
                | (bit_cast::<81, 32>(self.region_since[t].q.val()) << 48)
                | (bit_cast::<81, 1>(self.region[t].q.val().into()) << 80);
            if self.region[t].q.val() {
                self.feedback.base.next = self.region_base[t].q.val();
            }

            // Bases are read for searches first, then for looks, for the walk, and for the scan.
            self.walk[t].starts.next = self.walks[t].val();
            self.walk[t].start_qp.next = self.qp.q.val();
            self.walk[t].start_edge.next = self.region_edge[t].q.val();
            self.walk[t].start_max.next = self.max.q.val();
            self.walk[t].start_misjudged.next = self.misjudged.q.val();
            self.walk[t].ends.next = self.p1.q.val() && (self.kind.q.val() == bits::<3>(3)) && (self.walk[t].qp.val() == self.qp.q.val());
            self.walk[t].peek_ready.next = self.peek_ready.val() && !self.scan.peek_valid.val() && !self.n_peeks[t].val();
            self.walk[t].peek_base.next = self.peek_base.val();
            self.walk[t].word_ready.next = self.word_ready.val() && !self.scan.word_valid.val();
            self.walk[t].word.next = self.word.val();
            self.walk[t].room.next = self.feedback.room.val();
            self.walk[t].free.next = !self.p4.q.val();
            self.peek_valid.next = self.scan.peek_valid.val() || self.n_peeks[t].val() || self.walk[t].peek_valid.val();
            self.read_qp.next = self.patrol.read_qp.val();
            if self.scan.peek_valid.val() {
                self.read_qp.next = self.qp.q.val();
            } else if self.n_peeks[t].val() {
                self.read_qp.next = self.n_qp.q.val();
            } else if self.walk[t].peek_valid.val() {
                self.read_qp.next = self.walk[t].qp.val();
            }
            self.word_valid.next = self.scan.word_valid.val() || self.walk[t].word_valid.val();
            if !self.scan.word_valid.val() {
                self.word_segment.next = self.walk[t].word_segment.val();
            }
            self.patrol.glance_ready[t].next = self.glance_ready[t].val() && !self.peek_valid.val();
            self.patrol.glance_base[t].next = self.peek_base.val();
            self.patrol.region[t].next = self.regions[t].read_data.val();
            self.patrol.walk_edge[t].next = self.walk_edge[t].q.val();
            self.patrol.walk_ready[t].next = !self.walk[t].busy.val();

            self.feedback.walk_tells[t].next = self.walk[t].tells.val();
            self.feedback.walk_qp[t].next = self.walk[t].qp.val();
            self.feedback.walk_start[t].next = self.walk[t].run_first.val();
            self.feedback.walk_end[t].next = self.walk[t].run_last.val();
            self.feedback.walk_base[t].next = self.walk[t].base.val();
            self.feedback.walk_max[t].next = self.walk[t].max.val();
            self.feedback.walk_misjudged[t].next = self.walk[t].misjudged.val();
            self.told_walk[t].next = self.feedback.told_walk[t].val();
        }
    }
}
