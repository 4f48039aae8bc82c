use super::*;

impl GapEngine {
    /// Several paths: which limits count, and the paths of gaps and packets.
    #[kernel]
    pub(super) fn several_paths(&mut self) {
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
    }
}
