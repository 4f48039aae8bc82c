use super::*;

impl<const AREA_BITS: usize, const AREA_ENTRY_BITS: usize, const AREA_COUNT_BITS: usize>
    BitmapPipeline<AREA_BITS, AREA_ENTRY_BITS, AREA_COUNT_BITS>
{
    /// Groups of packets. The phase of a queue pair is written before it is open.
    #[kernel]
    pub(super) fn groups(&mut self) {
        for g in 0..self._groups {
            self.header_phases[g].write_enable.next = self.opener.base_write.val();
            self.header_phases[g].write_address.next = self.opener.qp.val();
            self.header_phases[g].write_data.next = self.opened[g].q.val();
            self.peek_phases[g].write_enable.next = self.opener.base_write.val();
            self.peek_phases[g].write_address.next = self.opener.qp.val();
            self.peek_phases[g].write_data.next = self.opened[g].q.val();
            self.move_phases[g].write_enable.next = self.opener.base_write.val();
            self.move_phases[g].write_address.next = self.opener.qp.val();
            self.move_phases[g].write_data.next = self.opened[g].q.val();
            self.word_phases[g].write_enable.next = self.opener.base_write.val();
            self.word_phases[g].write_address.next = self.opener.qp.val();
            self.word_phases[g].write_data.next = self.opened[g].q.val();
            self.range_phases[g].write_enable.next = self.opener.base_write.val();
            self.range_phases[g].write_address.next = self.opener.qp.val();
            self.range_phases[g].write_data.next = self.opened[g].q.val();
            self.low[g].next = bits::<3>(0);
            self.aligned[g].next = self.command_psn.val();
            for b in 0..self._shift {
                self.low[g].next = self.low[g].val().replace_bit(b, self.command_psn.val().get_bit(b));
                self.aligned[g].next = self.aligned[g].val().replace_bit(b, false);
            }
            self.opened[g].d.next = self.opened[g].q.val();
            if !self.opener.busy.val() {
                self.opened[g].d.next = self.low[g].val();
            }
            self.move_phases[g].read_address.next = self.engine.write_qp.val();
            self.opened_wide[g].next = bits::<24>(0);
            self.move_wide[g].next = bits::<24>(0);
            self.peek_wide[g].next = bits::<24>(0);
            for b in 0..3 {
                self.opened_wide[g].next = self.opened_wide[g].val().replace_bit(b, self.opened[g].q.val().get_bit(b));
                self.move_wide[g].next = self.move_wide[g].val().replace_bit(b, self.move_phases[g].read_data.val().get_bit(b));
                self.peek_wide[g].next = self.peek_wide[g].val().replace_bit(b, self.peek_phase3[g].q.val().get_bit(b));
            }
            self.opener.command_psn.next = self.aligned[g].val();
            self.drained_psn.next = self.opener.first.val() | self.opened_wide[g].val();

            // What clears a segment has numbers of the inside.
            self.header_phases[g].read_address.next = self.stages.qp1.val();
            self.stages.phase1[g].next = self.header_phases[g].read_data.val();
            if self.begin1.q.val() {
                self.stages.phase1[g].next = bits::<3>(0);
            }

            // Stage 3: the window begins with the base's group.
            self.start_first3[g].next = self.bases.first.val();
            self.start_second3[g].next = self.bases.second.val();
            for b in 0..self._shift {
                self.start_first3[g].next = self.start_first3[g].val().replace_bit(b, false);
                self.start_second3[g].next = self.start_second3[g].val().replace_bit(b, false);
            }
            self.beyond_first4.d.next = self.stages.psn3.val() - self.start_first3[g].val();
            self.beyond_second4.d.next = self.stages.psn3.val() - self.start_second3[g].val();
            self.steps[g].first3.next = self.start_first3[g].val();
            self.steps[g].second3.next = self.start_second3[g].val();

            // Stage 6: whether the group is complete. Stages 5 to 8: the highest that is.
            self.live6[g].d.next = self.live5.q.val();
            self.live7[g].d.next = self.live6[g].q.val();
            self.check[g].word.next = self.segments.s6_word.val();
            self.check[g].lap.next = self.stages.psn6.val().get_bit(WINDOW_PSN_BITS);
            self.check[g].position.next = self.stages.psn6.val().get_bits::<SEGMENT_BITS>(0);
            self.complete7[g].d.next = self.check[g].complete.val() && self.inside6.q.val();
            self.complete8[g].d.next = self.complete7[g].q.val();
            self.complete9[g].d.next = self.complete8[g].q.val();
            self.group_last7[g].next = self.stages.psn7[g].val();
            for b in 0..self._shift {
                self.group_last7[g].next = self.group_last7[g].val().replace_bit(b, true);
            }
            self.edges[g].s3_qp.next = self.stages.qp5[g].val();
            self.edges[g].s5_valid.next = self.live7[g].q.val();
            self.edges[g].s5_inside.next = self.complete7[g].q.val();
            self.edges[g].s5_psn.next = self.group_last7[g].val();
            self.edges[g].s5_begin.next = self.begin7.q.val();
            self.edges[g].begin_with.next = self.opener.below.val();

            // Stages 8 and 9: the numbers that those outside know.
            self.outer9[g].d.next = self.now8.val() + self.stages.phase8[g].val();
            self.from9.d.next = self.base8.q.val() + self.stages.phase8[g].val();
            self.max9.d.next = self.max8.q.val() + self.stages.phase8[g].val();
            self.before9.d.next = self.before8.q.val() + self.stages.phase8[g].val();
            self.edge9[g].d.next = self.edges[g].s6_highest.val() + self.stages.phase8[g].val();
            self.prior9[g].d.next = self.edges[g].s6_before.val() + self.stages.phase8[g].val();
            self.verdict_base.next = self.outer9[g].q.val();
            self.verdict_complete[g].next = self.complete9[g].q.val();
            self.verdict_edge[g].next = self.edge9[g].q.val();
            self.verdict_prior[g].next = self.prior9[g].q.val();
            self.verdict_phase[g].next = self.stages.phase9[g].val();
            self.advance_base1.d.next = self.engine.write_base.val() + self.move_wide[g].val();

            // What is read beside the packets.
            self.peek_phases[g].read_address.next = self.peek_qp.val();
            self.peek_phase1[g].d.next = self.peek_phases[g].read_data.val();
            self.peek_phase2[g].d.next = self.peek_phase1[g].q.val();
            self.peek_phase3[g].d.next = self.peek_phase2[g].q.val();
            self.peek_inner[g].next = self.peeked.q.val();
            self.peek_base.next = self.peeked.q.val() + self.peek_wide[g].val();
            self.word_phases[g].read_address.next = self.phase_qp[g].val();
            self.phase[g].next = self.word_phases[g].read_data.val();
            self.range_phases[g].read_address.next = self.range_qp[g].val();
            self.range_phase[g].next = self.range_phases[g].read_data.val();
            if self.rst.val() {
                self.live6[g].d.next = false;
                self.live7[g].d.next = false;
                self.complete7[g].d.next = false;
            }
        }
    }
}
