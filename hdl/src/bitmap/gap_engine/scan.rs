use super::*;

impl GapEngine {
    /// The memory of records, which the next event and the scan share, and what is to be looked at.
    #[kernel]
    pub(super) fn scans(&mut self) {
        // Memory is read for the next event, but for the third clock: then, and while there is a search or no event, the scan has the port.
        // What has been read is `here`, and compared until the event starts: with the records that are there from their step 3 on, when it
        // does not change them any more.
        self.port_free.next = !self.n_valid.q.val()
            || (self.p3.q.val() && (self.n_age.q.val() == bits::<3>(2)) && (self.n_kind.q.val() != bits::<3>(4)))
            || self.searches.q.val();
        self.asked1.d.next = !self.port_free.val() && !self.n_free.val();
        self.here.d.next = self.asked1.q.val() && !self.n_free.val();
        self.same.d.next = self.loaded.q.val() && (self.n_qp.q.val() == self.qp.q.val());
        self.compares.next = self.here.q.val() && self.n_settled.val();
        self.compared.d.next = (self.compares.val() || self.compared.q.val()) && !self.n_free.val() && !self.p2.q.val();
        self.records.psn.next = self.n_psn.q.val();
        self.records.compare.next = self.compares.val();
        self.records.same.next = self.same.q.val();
        self.reading.next = self.patrol.read_qp.val();
        if !self.port_free.val() {
            self.reading.next = self.n_qp.q.val();
        }
        self.records.read_address.next = self.reading.val();
        self.totals.read_address.next = self.reading.val();
        self.levels.qp.next = self.reading.val();
        self.scan_lag.qp.next = self.patrol.read_qp.val();
        self.patrol.enable.next = self.filled.q.val() && self.port_free.val();
        self.patrol.lags.next = self.scan_lag.lags.val();
        self.scan_lag.begins.next = self.patrol.begins.val();
        self.patrol.record.next = self.records.memory_lowest.val();
        self.patrol.advanced.next = self.totals.read_data.val().get_bits::<32>(24);
        self.patrol.moved.next = self.totals.read_data.val().get_bits::<24>(56);
        self.patrol.count.next = self.levels.count.val();
        self.patrol.overdue.next = self.records.overdue.val();
        self.patrol.pending.next = self.records.pending.val() && self.feedback.room.val();
        self.patrol.stall_edge.next = self.stall_edge.q.val();
        self.patrol.stall_packets.next = self.stall_packets.val();
        // Triggers that came too late go first, unless one has just gone before what the scan has found.
        self.late_goes.next = self.late.out_valid.val() && !(self.late_went.q.val() && self.patrol.look_valid.val());
        self.late.out_ready.next = self.look.ready.val() && self.late_goes.val();
        self.patrol.look_ready.next = self.look.ready.val() && !self.late_goes.val();
        if self.look.ready.val() {
            self.late_went.d.next = self.late_goes.val();
        }
        self.look.valid.next = self.late.out_valid.val() || self.patrol.look_valid.val();
        self.look.late.next = self.late_goes.val();
        self.look.lag.next = !self.late_goes.val() && self.patrol.look_lag.val();
        self.look.qp.next = self.patrol.look_qp.val();
        self.look.count.next = self.patrol.look_count.val();
        if self.late_goes.val() {
            self.look.qp.next = self.late.out_qp.val();
            self.look.count.next = self.late.out_count.val();
        }
    }
}
