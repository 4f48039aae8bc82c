use super::*;

impl GapEngine {
    /// Step 4: what is written, and what is told.
    #[kernel]
    pub(super) fn tells(&mut self) {
        self.records.write.next = self.p4.q.val() || !self.filled.q.val();
        self.records.write_address.next = self.qp.q.val();
        self.totals.write_enable.next = self.p4.q.val() || !self.filled.q.val();
        self.totals.write_address.next = self.qp.q.val();
        if !self.filled.q.val() {
            self.records.write_address.next = self.next_word.q.val();
            self.totals.write_address.next = self.next_word.q.val();
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.filled.d.next = self.next_word.q.val().all();
        }
        self.totals.write_data.next = bit_cast::<128, 24>(self.horizon.q.val())
            | (bit_cast::<128, 32>(self.advanced.q.val()) << 24)
            | (bit_cast::<128, 24>(self.moved.q.val()) << 56)
            | (bit_cast::<128, 24>(self.misjudged.q.val()) << 80)
            | (bit_cast::<128, 24>(self.count.q.val()) << 104);
        self.cleared.next = self.p4.q.val() && (self.kind.q.val() == bits::<3>(3));
        self.p5.d.next = self.p4.q.val();
        self.trigger_any5.d.next = self.records.s4_waits.val();
        self.trigger_value5.d.next = self.records.s4_measure.val();
        self.trigger_qp5.d.next = self.qp.q.val();
        self.asked5.d.next = self.p4.q.val() && self.asked.q.val();
        self.trigger.write.next = self.p5.q.val();
        self.trigger.qp.next = self.trigger_qp5.q.val();
        self.trigger.any.next = self.trigger_any5.q.val();
        self.trigger.value.next = self.trigger_value5.q.val();
        self.judge_done.next = self.asked5.q.val();
        self.late.write.next = self.p5.q.val();
        self.late.qp.next = self.trigger_qp5.q.val();
        self.late.any.next = self.trigger_any5.q.val();
        self.late.value.next = self.trigger_value5.q.val();
        self.late.depth.next = self.depth.val();
        self.late.by_arrivals.next = self.by_arrivals.val();
        self.late_levels.qp.next = self.late.check_qp.val();
        self.late.check_max.next = self.late_levels.max.val();
        self.late.check_count.next = self.late_levels.count.val();

        self.feedback.by_arrivals.next = self.by_arrivals.val();
        self.feedback.now.next = self.now.val();
        self.feedback.send.next = self.p4.q.val() && self.records.s4_sent.val();
        self.feedback.qp.next = self.qp.q.val();
        self.feedback.record.next = self.records.s4_record.val();
        self.feedback.again.next = self.records.s4_again.val();
        self.feedback.base.next = self.records.lowest.val().get_bits::<24>(0);
        self.feedback.max.next = self.max.q.val();
        self.feedback.count.next = self.count.q.val();
        self.feedback.misjudged.next = self.misjudged.q.val();
        self.evt_lost.next = self.records.lost_now.val();
        self.evt_report.next = self.feedback.told.val();
        self.evt_repeat.next = self.feedback.told_again.val();
        self.told_qp.next = self.feedback.told_qp.val();
        self.told_start.next = self.feedback.told_start.val();
        self.told_end.next = self.feedback.told_end.val();
        LossMessages::link(&mut self.ffm, &mut self.feedback.ffm);
    }
}
