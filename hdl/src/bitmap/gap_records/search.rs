use super::*;

impl GapRecords {
    /// Coarse records whose ends may have arrived, searched from the top down: one that ends moves only those above it.
    #[kernel]
    pub(super) fn searches(&mut self) {
        self.left.next = self.todo.q.val();
        if self.fill1.q.val() {
            self.left.next = bits::<RECORDS>(0);
            if (self.hits1.q.val() & self.coarse.val()).any() && !self.whole1.q.val() && !self.ends1.q.val() {
                self.left.next = self.hits1.q.val();
                if self.splits1.q.val() {
                    self.left.next = self.hits1.q.val() | (self.hits1.q.val() << 1);
                }
            }
        }
        for _g in 0..self._groups {
            if self.fill1.q.val() {
                self.left.next = bits::<RECORDS>(0);
                if !self.ends1.q.val() {
                    self.left.next = self.first_hit1.q.val() | self.last_hit1.q.val();
                }
                if self.splits1.q.val() {
                    self.left.next = self.hits1.q.val() | (self.hits1.q.val() << 1);
                }
            }
            if self.append1.q.val() {
                self.left.next = self.fresh1.q.val();
            }
            if self.crowded1.q.val() {
                for i in self._inner..RECORDS {
                    self.left.next = self.left.val().replace_bit(i, true);
                }
            }
        }
        if self.s1_doubt.val() {
            self.left.next = self.valid.val() | self.fresh1.q.val();
        }
        if self.fix1.q.val() {
            self.left.next = self.todo.q.val() & !self.hits1.q.val();
        }
        if self.s1_clear.val() {
            self.left.next = bits::<RECORDS>(0);
        }
        self.todo.d.next = self.left.val();
        self.higher.next = self.todo.q.val() >> 1;
        self.higher_near.next = self.higher.val() | (self.higher.val() >> 1);
        self.higher_wide.next = self.higher_near.val() | (self.higher_near.val() >> 2) | (self.higher_near.val() >> 4);
        self.top.d.next = self.todo.q.val() & !(self.higher_wide.val() | (self.higher_wide.val() >> 6) | (self.higher_wide.val() >> 10));
        self.top_near.next = self.top.q.val() | (self.top.q.val() << 1);
        self.top_wide.next = self.top_near.val() | (self.top_near.val() << 2) | (self.top_near.val() << 4);
        self.top_upto.d.next = self.top_wide.val() | (self.top_wide.val() << 6) | (self.top_wide.val() << 10);
        self.chosen_first.next = bits::<24>(0);
        self.chosen_last.next = bits::<24>(0);
        for i in 0..RECORDS {
            if self.top.q.val().get_bit(i) {
                self.chosen_first.next = self.chosen_first.val() | self.cells[i].record.val().get_bits::<24>(0);
                self.chosen_last.next = self.chosen_last.val() | self.cells[i].record.val().get_bits::<24>(24);
            }
        }
        self.first_held.d.next = self.chosen_first.val();
        self.last_held.d.next = self.chosen_last.val();
        self.search.next = self.todo.q.val().any();
        self.search_first.next = self.first_held.q.val();
        self.search_last.next = self.last_held.q.val();

        for g in 0..self._groups {
            self.searched[g].d.next = self.searched[g].q.val();
            self.again_fresh[g].next = bits::<RECORDS>(0);
            if self.fix1.q.val() {
                self.searched[g].d.next = self.searched[g].q.val() & !self.hits1.q.val();
                self.again_fresh[g].next = self.searched[g].q.val() & self.hits1.q.val();
            }
            if self.append1.q.val() {
                self.searched[g].d.next = self.fresh1.q.val();
            }
            self.s1_seen[g].next = self.crowded1.q.val() || self.again_fresh[g].val().any();
        }
    }
}
