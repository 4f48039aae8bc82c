use super::*;

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize>
    BitmapPipeline<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    /// The engine that moves a base by whole segments, and the opener in its place.
    #[kernel]
    pub(super) fn advances(&mut self) {
        self.engine.request_valid.next = self.requests.out_valid.val();
        self.requests.out_ready.next = self.engine.request_ready.val();
        self.engine.request_qp.next = self.requests.out_qp.val();
        self.engine.cancel.next = self.opener.busy.val();
        self.engine.cancel_qp.next = self.opener.qp.val();
        self.engine_bases.read_address.next = self.peek_qp.val();
        if self.engine.base_needed.val() {
            self.engine_bases.read_address.next = self.engine.base_qp.val();
        }
        self.peek_ready.next = !self.engine.base_needed.val();
        self.peeked.d.next = self.engine_bases.first.val();
        if self.engine_bases.second_counts.val() {
            self.peeked.d.next = self.engine_bases.second.val();
        }
        self.peek_base.next = self.peeked.q.val();
        self.engine.base_first.next = self.engine_bases.first.val();
        self.engine.base_second.next = self.engine_bases.second.val();
        self.engine.base_second_counts.next = self.engine_bases.second_counts.val();
        for _w in 0..self._fixed {
            self.segments.replica_segment.next = bit_cast::<AREA_BITS, SEGMENT_ADDRESS_BITS>(self.word_segment.val());
            if self.engine.segment_needed.val() {
                self.segments.replica_segment.next = bit_cast::<AREA_BITS, SEGMENT_ADDRESS_BITS>(self.engine.segment.val());
            }
        }
        self.word_ready.next = !self.engine.segment_needed.val();
        self.word.next = self.segments.replica_word.val();
        self.engine.word.next = self.segments.replica_word.val();
        self.opener.base_ready.next = !self.engine.write.val();
        self.bases.second_write.next = self.opener.base_write.val() || self.engine.write.val();
        self.bases.second_address.next = self.opener.qp.val();
        self.bases.second_data.next = self.opener.first.val();
        self.engine_bases.second_write.next = self.opener.base_write.val() || self.engine.write.val();
        self.engine_bases.second_address.next = self.opener.qp.val();
        self.engine_bases.second_data.next = self.opener.first.val();
        if self.engine.write.val() {
            self.bases.second_address.next = self.engine.write_qp.val();
            self.bases.second_data.next = self.engine.write_base.val();
            self.engine_bases.second_address.next = self.engine.write_qp.val();
            self.engine_bases.second_data.next = self.engine.write_base.val();
        }
        self.advance_valid1.d.next = self.engine.moved.val();
        self.advance_qp1.d.next = self.engine.write_qp.val();
        self.advance_base1.d.next = self.engine.write_base.val();
        self.advance_valid.next = self.advance_valid1.q.val();
        self.advance_qp.next = self.advance_qp1.q.val();
        self.advance_base.next = self.advance_base1.q.val();
    }
}
