use super::*;

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize>
    BitmapPipeline<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    /// Windows of variable length: places of segments, edges of windows.
    #[kernel]
    pub(super) fn takes_from_pool(&mut self) {
        for w in 0..self._pools {
            self.pool[w].length.next = self.length[w].val();
            self.pool[w].limit.next = self.limit[w].val();
            self.command_refused[w].next = self.opener.command_done.val() && self.pool[w].refused.val();
            self.edge_valid[w].next = self.pool[w].edge_valid.val();
            self.edge_qp[w].next = self.pool[w].edge_qp.val();
            self.edge_segment[w].next = self.pool[w].edge_segment.val();
            self.free[w].next = self.pool[w].free.val();
            self.evt_exhausted[w].next = self.pool[w].evt_exhausted.val();
            self.evt_shrunk[w].next = self.pool[w].evt_shrunk.val();
            self.ready.next = self.flags.ready.val() && self.requests.ready.val() && self.pool[w].ready.val();
            self.opener.command_valid.next = self.command_valid.val() && self.flags.ready.val() && self.pool[w].ready.val();
            self.command_ready.next = self.opener.command_ready.val() && self.flags.ready.val() && self.pool[w].ready.val();

            // Commands: segments come and go with them, when nobody reads them any more.
            self.pool[w].command_busy.next = self.opener.busy.val();
            self.pool[w].command_qp.next = self.opener.qp.val();
            self.pool[w].drained.next = self.opener.drained.val() && !self.hold.val();
            self.opener.hold.next = self.hold.val() || self.pool[w].hold.val();
            self.pool[w].sweep_valid.next = self.opener.begin_valid.val();
            self.pool[w].sweep_segment.next = self.opener.begin_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.pool[w].sweep_last.next = self.opener.begin_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS)
                == self.opener.first.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.opener.begin_ready.next = self.pool[w].sweep_ready.val();
            self.opener.base_ready.next = !self.engine.write.val() && self.pool[w].opened.val();
            self.flags.write_data.next = (self.opener.flag.val() && !self.pool[w].refused.val()).into();
            self.pool[w].base_write.next = self.opener.base_write.val() || self.engine.write.val();
            self.pool[w].base_qp.next = self.opener.qp.val();
            self.pool[w].base_segment.next = self.opener.first.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            if self.engine.write.val() {
                self.pool[w].base_qp.next = self.engine.write_qp.val();
                self.pool[w].base_segment.next = self.engine.write_base.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            }

            // Stage 0: what is to be cleared has its place with it, and nothing but the first segment of a window has a number.
            self.slot[w].next = !self.header_valid.val() || !self.pool[w].ready.val();
            self.header1.d.next = self.header_valid.val() && self.flags.ready.val() && self.pool[w].ready.val();
            self.begin1.d.next = self.pool[w].begin_valid.val() && self.slot[w].val();
            self.pool[w].begin_ready.next = self.slot[w].val();
            self.psn1[w].d.next = self.header_psn.val().get_bits::<WINDOW_SEGMENTS_BITS>(SEGMENT_BITS);
            if self.slot[w].val() {
                self.stages.qp0.next = self.opener.qp.val();
                self.stages.psn0.next = self.opener.begin_psn.val();
                if !self.pool[w].begin_first.val() {
                    self.stages.psn0.next = bits::<24>(0);
                }
            }
            self.cleared1[w].d.next = !self.pool[w].begin_first.val();
            self.cleared2[w].d.next = self.cleared1[w].q.val();
            self.cleared3[w].d.next = self.cleared2[w].q.val();
            self.place1[w].d.next = self.pool[w].begin_place.val();
            self.place2[w].d.next = self.place1[w].q.val();
            self.place3[w].d.next = self.place2[w].q.val();

            // Stages 1 to 3: place and edge are read.
            self.pool[w].header_qp.next = self.stages.qp1.val();
            self.pool[w].header_segment.next = self.psn1[w].q.val();
            self.from_edge3[w].next = self.stages.psn3.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS) - self.pool[w].header_edge.val();
            self.below_edge4[w].d.next = self.from_edge3[w].val().get_bit(SEGMENT_REST_BITS - 1);
            self.segments.s3_segment.next = self.pool[w].header_place.val();
            self.flip4[w].d.next = self.pool[w].header_flip.val();
            if self.begin3.q.val() {
                self.segments.s3_segment.next = self.place3[w].q.val();
                self.flip4[w].d.next = self.cleared3[w].q.val();
            }

            // Stage 4 to 6: the window ends at its edge. What does not lie in it has no place, and writes nothing.
            self.inside5.d.next =
                self.header4.q.val() && self.open4.q.val() && !self.beyond4.val().get_bit(23) && self.below_edge4[w].q.val();
            self.flip5[w].d.next = self.flip4[w].q.val();
            self.flip6[w].d.next = self.flip5[w].q.val();
            self.segments.s5_valid.next = self.inside5.q.val();
            self.segments.s5_lap.next = self.stages.psn5.val().get_bit(WINDOW_PSN_BITS) != self.flip5[w].q.val();
            self.run.lap.next = self.stages.psn6.val().get_bit(WINDOW_PSN_BITS) != self.flip6[w].q.val();

            // Readers: the place, and then its bits. One that waits is asked for until it is known where it lies.
            self.pool[w].read_segment.next = self.word_segment.val();
            if self.engine.segment_needed.val() {
                self.pool[w].read_segment.next = self.engine.segment.val();
            }
            self.asked1[w].d.next = self.word_segment.val();
            self.asked2[w].d.next = self.asked1[w].q.val();
            self.free1[w].d.next = !self.engine.segment_needed.val();
            self.free2[w].d.next = self.free1[w].q.val();
            self.segments.replica_segment.next = self.pool[w].read_place.val();
            self.word_ready.next = self.free2[w].q.val() && (self.asked2[w].q.val() == self.word_segment.val());
            self.mapped3[w].d.next = self.pool[w].read_mapped.val();
            self.mapped4[w].d.next = self.mapped3[w].q.val();
            self.read_flip3[w].d.next = self.pool[w].read_flip.val();
            self.read_flip4[w].d.next = self.read_flip3[w].q.val();
            self.read_word[w].next = bits::<SEGMENT>(0);
            if self.mapped4[w].q.val() {
                self.read_word[w].next = self.segments.replica_word.val();
            }
            self.word.next = self.read_word[w].val();
            self.engine.word.next = self.read_word[w].val();
            if self.read_flip4[w].q.val() {
                self.word.next = !self.read_word[w].val();
                self.engine.word.next = !self.read_word[w].val();
            }
        }
    }
}
