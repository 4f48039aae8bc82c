use super::*;

impl ReceiveBitmap {
    /// Several paths: who delivers over which, and what is told of each.
    #[kernel]
    pub(super) fn several_paths(&mut self) {
        for w in 0..self._ways {
            self.mode[w].d.next = self.mode[w].q.val();
            if self.command_valid.val() && self.pipeline.command_ready.val() && self.all_ready.val() {
                self.mode[w].d.next = self.command_path_mode[w].val();
            }
            self.tracker[w].stripe.next = self.stripe[w].val();
            self.tracker[w].overtake.next = self.overtake[w].val();
            self.tracker[w].path_idle.next = self.path_idle[w].val();
            self.tracker[w].now.next = self.ticks.now.val();
            self.tracker[w].verdict.next = self.pipeline.verdict_valid.val();
            self.tracker[w].code.next = self.pipeline.verdict_code.val();
            self.tracker[w].qp.next = self.pipeline.verdict_qp.val();
            self.tracker[w].psn.next = self.pipeline.verdict_psn.val();
            self.tracker[w].max.next = self.pipeline.verdict_max.val();
            self.tracker[w].tag.next = self.pipeline.verdict_path.val();
            self.tracker[w].clear.next = self.pipeline.drained.val();
            self.tracker[w].clear_qp.next = self.pipeline.drained_qp.val();
            self.tracker[w].clear_mode.next = self.mode[w].q.val();
            self.tracker[w].live_qp.next = self.engine.levels.qp.val();
            self.events.clear.next = self.pipeline.drained.val() && self.tracker[w].cleared.val();
            self.events.paths4[w].next = self.tracker[w].paths4.val();
            self.engine.event_paths[w].next = self.events.event_paths[w].val();
            self.engine.relax[w].next = self.relax[w].val();
            self.engine.stripe[w].next = self.stripe[w].val();
            self.engine.live_mode[w].next = self.tracker[w].live_mode.val();
            self.engine.live_delivered[w].next = self.tracker[w].live_delivered.val();
            for k in 0..self._paths {
                self.engine.live_edges[k].next = self.tracker[w].live_edges[k].val();
            }
            self.engine.live_active[w].next = self.tracker[w].live_active.val();
            self.ffm_path[w].next = self.engine.ffm_path[w].val();
            self.evt_arrival[w].next = self.tracker[w].arrival.val();
            self.evt_duplicate[w].next = self.tracker[w].duplicate.val();
            self.arrival_path[w].next = self.tracker[w].arrival_path.val();
            self.gap_path[w].next = self.engine.gap_path[w].val();
            self.misjudged_path[w].next = self.engine.misjudged_path[w].val();
            self.path_lost[w].next = self.engine.path_lost[w].val();
        }
    }
}
