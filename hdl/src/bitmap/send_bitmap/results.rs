use super::*;

impl SendBitmap {
    /// What the walk has found. What has become pending when nothing was waits from now on.
    #[kernel]
    pub(super) fn results(&mut self) {
        self.found_base.next = self.next_psn.q.val();
        if self.skips.q.val() {
            self.found_base.next = self.base.q.val();
        } else if self.states.is_open.val() {
            self.found_base.next = ((bit_cast::<24, SEGMENT_REST_BITS>(self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS))
                + bit_cast::<24, WINDOW_SEGMENTS_COUNT_BITS>(self.states.open_k.val()))
                << SEGMENT_BITS.to_bits::<3>())
                | bit_cast::<24, SEGMENT_BITS>(self.states.open_at.val());
        }
        self.kept.next = self.pending.q.val() - self.states.ceased_count.val();
        self.bucket.settle.next = self.commit.val() && self.reserved.q.val();
        self.bucket.settle_count.next = self.sent_again.q.val();
        self.asks.next = (self.kind.q.val() == bits::<4>(3)) || (self.kind.q.val() == bits::<4>(4));
        self.reason.next = bits::<3>(0);
        if self.states.begun_count.val().any() {
            if self.is_timer.q.val() {
                self.reason.next = bits::<3>(4);
            } else if self.kind.q.val() == bits::<4>(4) {
                self.reason.next = bits::<3>(2);
            } else {
                self.reason.next = bits::<3>(1);
            }
        }
        self.new_moved.next = self.is_feedback.q.val()
            && self.walked.q.val()
            && !self.skips.q.val()
            && (!self.states.is_open.val()
                || self.states.open_k.val().any()
                || (self.states.open_at.val() != self.base.q.val().get_bits::<SEGMENT_BITS>(0)));
        if self.state.q.val() == SendState::Settle {
            self.state.d.next = SendState::Commit;
            self.begun.d.next = self.states.begun_count.val();
            self.new_pending.d.next = self.kept.val() + self.states.begun_count.val();
            self.new_again.d.next = self.again.q.val() - self.states.again_count.val();
            if self.is_rtx.q.val() {
                self.new_again.d.next = self.again.q.val() + self.states.again_count.val();
            }
            self.new_base.d.next = self.base.q.val();
            self.moved.d.next = self.new_moved.val();
            self.notices.d.next = self.new_moved.val() || self.is_timer.q.val() || self.is_open.q.val() || self.is_close.q.val();
            if self.is_feedback.q.val() && self.walked.q.val() {
                self.new_base.d.next = self.found_base.val();
            }
            self.new_since.d.next = self.since.q.val();
            self.new_reasons.d.next = self.reasons.q.val() | self.reason.val();
            if !self.kept.val().any() {
                self.new_since.d.next = self.now1.q.val();
                self.new_reasons.d.next = self.reason.val();
                self.waited.d.next = self.cfg_rtx_mode.val() != bits::<2>(2);
            }
            self.new_failed.d.next =
                self.failed.q.val() || (self.is_timer.q.val() && self.last_time.q.val() && !self.check.empty.val() && self.opened.q.val());
            self.done_ok.d.next = self.check.accepted.val();
            if self.is_open.q.val() || self.is_close.q.val() {
                self.new_pending.d.next = bits::<16>(0);
                self.new_again.d.next = bits::<16>(0);
                self.new_failed.d.next = false;
                self.done_ok.d.next = true;
            }
            if self.is_timer.q.val() {
                self.done_ok.d.next = self.opened.q.val() && !self.check.empty.val() && !self.failed.q.val();
            }
        }
    }
}
