use super::*;

impl GapEngine {
    /// Groups of packets: what is searched has the numbers of the bitmap; the search leaves nothing of a group that is complete.
    #[kernel]
    pub(super) fn groups(&mut self) {
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
