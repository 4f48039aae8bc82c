use super::*;

impl SendBitmap {
    /// The walk over the segments, and the packets that go together.
    #[kernel]
    pub(super) fn walk(&mut self) {
        // The walk.
        self.states.period.next = self.periods.period.val();
        self.states.start.next = (self.state.q.val() == SendState::Load) || (self.state.q.val() == SendState::Read);
        self.states.kind.next = self.walk_kind.q.val();
        self.states.base.next = self.base.q.val().get_bits::<SEGMENT_BITS>(0);
        self.states.edge_end.next = self.edge_end.q.val();
        self.states.range_start.next = self.range_start.q.val();
        self.states.range_end.next = self.range_end.q.val();
        self.states.window_end.next = self.check.window_end.val();
        self.states.k.next = self.k.q.val();
        self.states.k_lap.next = self.number.q.val().get_bit(WINDOW_SEGMENTS_BITS);
        self.states.segment.next = (bit_cast::<SEGMENT_ADDRESS_BITS, NODE_BITS>(self.qp.q.val()) << WINDOW_SEGMENTS_BITS.to_bits::<4>())
            | bit_cast::<SEGMENT_ADDRESS_BITS, WINDOW_SEGMENTS_BITS>(self.number.q.val().get_bits::<WINDOW_SEGMENTS_BITS>(0));
        self.is_found.next = (self.walk_kind.q.val() == bits::<STATE_KINDS>(4))
            || ((self.walk_kind.q.val() == bits::<STATE_KINDS>(6)) && self.states.is_pending.val())
            || (self.is_feedback.q.val() && (self.states.is_open.val() || self.skips.q.val()));
        self.is_enough.next = self.is_found.val()
            && (self.edge_end.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS) < self.k.q.val())
            && (self.range_end.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS) < self.k.q.val());
        self.go.next = false;
        self.range_k.next = self.range_start.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
        self.range_number.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
            + bit_cast::<SEGMENT_REST_BITS, WINDOW_SEGMENTS_COUNT_BITS>(self.range_k.val());
        if self.state.q.val() == SendState::Load {
            self.state.d.next = SendState::Walk;
            if self.skips.q.val() {
                self.k.d.next = self.range_k.val();
                self.number.d.next = self.range_number.val();
            }
        }
        // Results of what follows would be nothing new, and are gone before the next walk begins.
        self.is_known.next = self.is_feedback.q.val()
            && (self.states.is_open.val() || self.skips.q.val())
            && self.states.passed.val()
            && !(self.states.passed_k.val() < self.edge_end.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS))
            && !(self.states.passed_k.val() < self.range_end.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS));
        if self.state.q.val() == SendState::Walk {
            // The word of the base has the window's last packets too.
            if self.is_known.val() {
                self.state.d.next = SendState::Settle;
            } else if self.is_enough.val() {
                self.state.d.next = SendState::Drain;
            } else if !(self.k.q.val().get_bit(WINDOW_SEGMENTS_BITS) && self.states.busy.val()) {
                self.go.next = true;
                self.k.d.next = self.k.q.val() + 1;
                self.number.d.next = self.number.q.val() + 1;
                if self.k.q.val() == self.last_k.q.val() {
                    self.state.d.next = SendState::Drain;
                }
            }
        }
        self.first_pending.next = (bit_cast::<WINDOW_COUNT_BITS, WINDOW_SEGMENTS_COUNT_BITS>(self.states.pending_k.val())
            << SEGMENT_BITS.to_bits::<3>())
            | bit_cast::<WINDOW_COUNT_BITS, SEGMENT_BITS>(self.states.pending_at.val());
        self.coordinator.scan.next = self.scans.q.val();
        self.scans.d.next = false;
        self.coordinator.scan_from.next = self.range_start.q.val();
        self.coordinator.scan_end.next = self.check.window_end.val();
        self.coordinator.scan_most.next = self.most.q.val();
        self.coordinator.word_valid.next = self.states.word_valid.val();
        self.coordinator.high.next = self.states.high.val();
        self.coordinator.middle.next = self.states.middle.val();
        self.coordinator.low.next = self.states.low.val();
        if (self.state.q.val() == SendState::Drain) && (self.is_known.val() || !self.states.busy.val()) {
            self.state.d.next = SendState::Settle;
            if self.is_rtx.q.val() && !self.again_phase.q.val() && self.states.is_pending.val() {
                self.scans.d.next = true;
                self.again_phase.d.next = true;
                self.range_start.d.next = self.first_pending.val();
                self.sent_from.d.next = (bit_cast::<24, SEGMENT_REST_BITS>(self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS))
                    << SEGMENT_BITS.to_bits::<3>())
                    + bit_cast::<24, WINDOW_COUNT_BITS>(self.first_pending.val());
                self.state.d.next = SendState::Scan;
            }
        }

        // Packets that go together, and their segments once more.
        if self.state.q.val() == SendState::Scan {
            self.k.d.next = self.range_k.val();
            self.number.d.next = self.range_number.val();
            self.range_end.d.next = self.range_start.q.val() + self.coordinator.length.val().get_bits::<WINDOW_COUNT_BITS>(0);
            self.sent_again.d.next = self.coordinator.length.val();
            if self.coordinator.fetch.val() {
                self.k.d.next = self.coordinator.fetch_k.val();
                self.number.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
                    + bit_cast::<SEGMENT_REST_BITS, WINDOW_SEGMENTS_COUNT_BITS>(self.coordinator.fetch_k.val());
                self.state.d.next = SendState::Fetch;
            } else if self.coordinator.done.val() {
                self.walk_kind.d.next = bits::<STATE_KINDS>(4);
                self.state.d.next = SendState::Load;
            }
        }
        if self.state.q.val() == SendState::Fetch {
            self.go.next = true;
            self.state.d.next = SendState::Scan;
        }
        self.states.go.next = self.go.val();
    }
}
