use super::*;

impl SendBitmap {
    /// Which operation is next.
    #[kernel]
    pub(super) fn begins(&mut self) {
        self.command_ready.next = self.state.q.val() == SendState::Idle;
        self.takes_fire.next = (self.state.q.val() == SendState::Idle) && !self.command_valid.val() && !self.fault_valid.q.val();
        self.timers.fire_ready.next = self.takes_fire.val();
        self.rtx_first.next =
            self.coordinator.turn_valid.val() && !self.out_valid.q.val() && (self.turn.q.val() || !self.feedback.valid.val());
        self.takes_turn.next = (self.state.q.val() == SendState::Idle)
            && !self.command_valid.val()
            && !(self.timers.fire_valid.val() && !self.fault_valid.q.val())
            && self.rtx_first.val();
        self.takes_feedback.next = (self.state.q.val() == SendState::Idle)
            && !self.command_valid.val()
            && !(self.timers.fire_valid.val() && !self.fault_valid.q.val())
            && !self.rtx_first.val();
        self.feedback.ready.next = self.takes_feedback.val();
        self.coordinator.turn_ready.next = self.takes_turn.val();
        if self.state.q.val() == SendState::Idle {
            self.is_ack.d.next = false;
            self.is_feedback.d.next = false;
            self.is_timer.d.next = false;
            self.is_rtx.d.next = false;
            self.is_open.d.next = false;
            self.is_close.d.next = false;
            self.count.d.next = bits::<3>(0);
            self.again_phase.d.next = false;
            self.psn.d.next = self.feedback.psn.val();
            self.start.d.next = self.feedback.start.val();
            self.length.d.next = self.feedback.length.val();
            self.credits.d.next = self.feedback.credits.val();
            self.last_time.d.next = self.timers.fire_last.val();
            if self.command_valid.val() {
                self.kind.d.next = bits::<4>(6);
                self.is_open.d.next = self.command_open.val();
                self.is_close.d.next = !self.command_open.val();
                if self.command_open.val() {
                    self.kind.d.next = bits::<4>(5);
                }
                self.qp.d.next = self.command_qp.val();
                self.psn.d.next = self.command_psn.val();
                self.state.d.next = SendState::Read;
            } else if self.timers.fire_valid.val() && !self.fault_valid.q.val() {
                self.kind.d.next = bits::<4>(7);
                self.is_timer.d.next = true;
                self.qp.d.next = self.timers.fire_qp.val();
                self.state.d.next = SendState::Read;
            } else if self.rtx_first.val() {
                self.kind.d.next = bits::<4>(8);
                self.is_rtx.d.next = true;
                self.qp.d.next = self.coordinator.turn_qp.val();
                self.turn.d.next = false;
                self.state.d.next = SendState::Read;
            } else if self.feedback.valid.val() {
                self.kind.d.next = bit_cast::<4, 3>(self.feedback.kind.val());
                self.is_feedback.d.next = true;
                self.is_ack.d.next = self.feedback.kind.val() < bits::<3>(3);
                // There is no such kind: as a range of nothing.
                if bits::<3>(4) < self.feedback.kind.val() {
                    self.kind.d.next = bits::<4>(2);
                    self.is_ack.d.next = true;
                    self.length.d.next = bits::<32>(0);
                }
                self.qp.d.next = self.feedback.qp.val();
                self.turn.d.next = true;
                self.state.d.next = SendState::Read;
            }
        }
    }
}
