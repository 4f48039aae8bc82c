use super::*;

impl GapRecords {
    /// Steps 2 and 3: which gaps are lost, and which of them is told.
    #[kernel]
    pub(super) fn judges(&mut self) {
        // Step 2: missing packets of lost gaps.
        for i in 0..RECORDS {
            self.length[i].d.next = bits::<16>(0);
            if self.cells[i].record.val().get_bit(117)
                && (self.cells[i].record.val().get_bit(114) != self.cells[i].record.val().get_bit(115))
            {
                self.length[i].d.next = self.cells[i].record.val().get_bits::<16>(24) - self.cells[i].record.val().get_bits::<16>(0) + 1;
            }
        }
        self.late.next = bits::<RECORDS>(0);
        for i in 0..RECORDS {
            self.late.next = self.late.val().replace_bit(i, self.cells[i].is_late.val());
        }
        self.single.d.next = !(self.threshold.val() >> 1).any();
        self.tell3.d.next = self.single.q.val() || self.s2_enough.val() || self.late.val().any();

        // Step 3: once enough is lost, or long enough, everything is told that is lost then.
        self.newly.next = bits::<RECORDS>(0);
        self.open.next = bits::<RECORDS>(0);
        self.due.next = bits::<RECORDS>(0);
        self.wanted.next = bits::<RECORDS>(0);
        self.total.next = bits::<16>(0);
        for i in 0..RECORDS {
            self.newly.next = self.newly.val().replace_bit(i, self.cells[i].newly_lost.val());
            self.open.next = self.open.val().replace_bit(i, self.cells[i].is_open.val());
            self.wanted.next = self.wanted.val().replace_bit(i, self.cells[i].is_wanted.val());
            self.due.next = self.due.val().replace_bit(i, self.cells[i].is_due.val());
            self.total.next = self.total.val() + self.length[i].q.val();
        }
        self.total4.d.next = self.total.val();
        self.tell.next = self.tell3.q.val();
        // The first of those that are due, and of all that are wanted once enough is lost.
        self.due_near.next = self.due.val() | (self.due.val() << 1);
        self.due_wide.next = self.due_near.val() | (self.due_near.val() << 2) | (self.due_near.val() << 4);
        self.wanted_near.next = self.wanted.val() | (self.wanted.val() << 1);
        self.wanted_wide.next = self.wanted_near.val() | (self.wanted_near.val() << 2) | (self.wanted_near.val() << 4);
        self.pick.next = bits::<RECORDS>(0);
        self.rest.next = self.due.val();
        if self.s3_room.val() {
            self.pick.next = self.due.val() & !((self.due_wide.val() | (self.due_wide.val() << 6) | (self.due_wide.val() << 10)) << 1);
        }
        if self.tell.val() {
            self.rest.next = self.wanted.val();
            if self.s3_room.val() {
                self.pick.next =
                    self.wanted.val() & !((self.wanted_wide.val() | (self.wanted_wide.val() << 6) | (self.wanted_wide.val() << 10)) << 1);
            }
        }
        for i in 0..RECORDS {
            self.cells[i].s3_tell.next = self.tell.val();
            self.cells[i].s3_pick.next = self.pick.val().get_bit(i);
        }
        self.pick4.d.next = bits::<RECORDS>(0);
        self.more4.d.next = false;
        self.count4.d.next = false;
        self.held4.d.next = false;
        self.newly4.d.next = bits::<RECORDS>(0);
        if self.s3_judge.val() {
            self.newly4.d.next = self.newly.val();
            self.pick4.d.next = self.pick.val();
            self.more4.d.next = (self.rest.val() & !self.pick.val()).any();
            self.count4.d.next = !self.tell.val() && self.newly.val().any();
            self.held4.d.next = !self.tell.val() && self.open.val().any();
        }
    }
}
