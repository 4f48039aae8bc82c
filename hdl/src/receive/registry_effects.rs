//! Of the receive registry: stage 4, which does what stage 3 has decided. Verdict and trace, the escape channel, payloads, what is told,
//! and what is counted.

macro_rules! registry_effects {
    ($(#$attribute:tt)* pub struct $name:ident { $($fields:tt)* } { $($statements:tt)* }) => {
        $crate::given! {
            [] of []
            { $(#$attribute)* pub struct $name }
            { $($fields)* }
            { $($statements)* }
            {
                // Stage 4: verdict, trace, counters.
                self.follow.packet.next = self.packet4.q.val();
                self.follow.payload.next = self.payload4.q.val();
                self.follow.waits.next = self.waits4.q.val();
                self.follow.write.next = self.write4.q.val();
                self.follow.duplicate_packet.next = self.duplicate4.q.val();
                self.follow.off_grid.next = self.off_grid4.q.val();
                self.follow.off_length.next = self.off_length4.q.val();
                self.follow.bad_start.next = self.bad_start4.q.val();
                self.follow.conflict.next = self.conflict4.q.val();
                self.follow.overlapping.next = self.overlapping4.q.val();
                self.follow.register.next = self.register4.q.val();
                self.follow.accept.next = self.accept4.q.val();
                self.follow.release.next = self.release4.q.val();
                self.follow.completed.next = self.completed4.q.val();
                self.follow.arrived.next = self.arrived4.q.val();
                self.follow.aborted.next = self.aborted4.q.val();
                self.follow.timed_out.next = self.timed_out4.q.val();
                self.follow.renotify.next = self.due4.q.val();
                self.follow.write_error.next = self.write_error4.q.val();
                self.code.duplicate.next = self.duplicate4.q.val();
                self.code.stale.next = self.stale4.q.val();
                self.code.renotify.next = self.due4.q.val();
                self.code.done_status.next = self.done_status4.q.val();
                self.code.unknown_source.next = self.unknown4.q.val();
                self.code.misaligned_offset.next = self.off_grid4.q.val();
                self.code.wrong_length.next = self.off_length4.q.val();
                self.code.bad_start.next = self.bad_start4.q.val();
                self.code.check.next = self.check4.q.val();
                self.code.conflict.next = self.conflict4.q.val();
                self.code.overlap.next = self.overlapping4.q.val();
                self.code.dropped.next = self.dropped4.q.val();
                self.code.expired.next = self.replay4.q.val();
                self.code.quota.next = self.quota4.q.val();
                self.code.timed_out.next = self.timed_out4.q.val();
                self.code.write_error.next = self.write_error4.q.val();
                self.code.aborted.next = self.aborted4.q.val();
                self.verdict_word.next = bit_cast::<VERDICT_BITS, 16>(self.tag4.val())
                    | (bit_cast::<VERDICT_BITS, 3>(self.code.verdict.val()) << 16)
                    | (bit_cast::<VERDICT_BITS, 8>(self.code.reason.val()) << 19)
                    | (bit_cast::<VERDICT_BITS, 1>(self.replay4.q.val().into()) << 27);
                self.v_bypass.next = !self.verdicts.out_valid.val() && self.verdict.ready.val();
                self.verdicts.in_valid.next = self.follow.verdict_final.val() && !self.v_bypass.val();
                self.verdicts.in_data.next = self.verdict_word.val();
                self.verdicts.out_ready.next = self.verdict.ready.val();
                self.verdict.valid.next = self.follow.verdict_final.val() || self.verdicts.out_valid.val();
                self.v_out.next = self.verdict_word.val();
                if self.verdicts.out_valid.val() {
                    self.v_out.next = self.verdicts.out_data.val();
                }
                self.verdict.tag.next = self.v_out.val().get_bits::<16>(0);
                self.verdict.code.next = self.v_out.val().get_bits::<3>(16);
                self.verdict.reason.next = self.v_out.val().get_bits::<8>(19);
                self.verdict.escaped.next = self.v_out.val().get_bit(27);
                self.trace.valid.next = self.v4.q.val();
                self.trace.src.next = self.src4.val();
                self.trace.op.next = self.op4.val();
                self.trace.tag.next = self.tag4.val();
                self.trace.kind.next = bits::<3>(7);
                if self.follow.verdict_final.val() {
                    if self.replay4.q.val() {
                        self.trace.kind.next = bits::<3>(2);
                    } else {
                        self.trace.kind.next = bits::<3>(0);
                    }
                }
                if self.waits4.q.val() {
                    if self.replay4.q.val() {
                        self.trace.kind.next = bits::<3>(3);
                    } else {
                        self.trace.kind.next = bits::<3>(1);
                    }
                }
                if self.timed_out4.q.val() {
                    self.trace.kind.next = bits::<3>(4);
                }
                if self.swept4.q.val() {
                    self.trace.kind.next = bits::<3>(5);
                }
                if self.write_error4.q.val() {
                    self.trace.kind.next = bits::<3>(6);
                }
                self.evt_registry.accepted.next = self.write4.q.val();
                self.evt_registry.duplicate.next = self.follow.verdict_final.val() && (self.code.verdict.val() == bits::<3>(1));
                self.evt_registry.completed.next = self.completed4.q.val();
                self.evt_registry.registered.next = self.register4.q.val();
                self.evt_registry.escaped.next = self.push4.q.val();
                self.evt_registry.replayed.next = self.leave4.q.val() && (self.code.verdict.val() != bits::<3>(4));
                self.evt_registry.escape_timeout.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(32));
                self.evt_registry.escape_full.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(33));
                self.evt_registry.quota.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(34));
                self.evt_registry.op_timeout.next = self.timed_out4.q.val();
                self.evt_registry.stale.next = self.stale4.q.val();
                self.evt_registry.renotified.next = self.due4.q.val();
                self.evt_registry.superseded.next = self.supersede4.q.val();
                self.evt_registry.aborted.next = self.aborted4.q.val();
                self.evt_registry.arrivals.next = self.arrived4.q.val();
                self.evt_registry.write_error.next = self.write_error4.q.val();
                // From the cases, of which at most one is set: the reason itself comes through all of them.
                self.refused4.next = self.follow.verdict_final.val() && self.bad_start4.q.val();
                self.evt_registry.reject_count_zero.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(1));
                self.evt_registry.reject_bytes_zero.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(2));
                self.evt_registry.reject_count_mismatch.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(3));
                self.evt_registry.reject_oversize.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(4));
                self.evt_registry.reject_misaligned_base.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(5));
                self.evt_registry.reject_wraps.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(6));
                self.evt_registry.reject_overlap.next = self.follow.verdict_final.val() && self.overlapping4.q.val();
                self.evt_registry.reject_misaligned_offset.next = self.follow.verdict_final.val() && self.off_grid4.q.val();
                self.evt_registry.reject_wrong_length.next =
                    (self.follow.verdict_final.val() && self.off_length4.q.val())
                        || (self.refused4.val() && (self.check4.q.val() == bits::<5>(9)));
                self.evt_registry.reject_unknown_source.next = self.follow.verdict_final.val() && self.unknown4.q.val();
                self.evt_registry.reject_conflict.next = self.follow.verdict_final.val() && self.conflict4.q.val();
                self.evt_registry.reject_access.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(16));

                // Stage 4: the escape channel.
                self.push4.d.next = self.commit.waits.val() && !self.replay3.q.val();
                self.leave4.d.next = self.v3.q.val() && self.replay3.q.val() && !self.commit.waits.val();
                self.start_push4.d.next = self.commit.waits.val() && !self.replay3.q.val() && self.start3.q.val();
                self.start_leave4.d.next = self.v3.q.val() && self.replay3.q.val() && !self.commit.waits.val() && self.start3.q.val();
                self.full_step.d.next = self.commit.waits.val() && self.commit.waits_full.val() && !self.waited_full3.q.val();
                self.unstep.d.next =
                    self.v3.q.val() && self.waited_full3.q.val() && !(self.commit.waits.val() && self.commit.waits_full.val());
                self.start4.d.next = self.kind3.val() == bits::<3>(1);
                self.escape.now.next = self.ticks.now.val();
                self.escape.cfg_escape_timeout.next = self.cfg_registry.escape_timeout.val();
                self.escape.push.next = self.push4.q.val();
                self.escape.push_header.next = self.header4.q.val();
                self.escape.push_key.next = self.key4.val();
                self.escape.push_start.next = self.start4.q.val();
                self.escape.push_full.next = self.full4.q.val();
                self.escape.settle.next = self.settles4.q.val();
                self.escape.settle_stays.next = self.waits4.q.val();
                self.escape.settle_full.next = self.full4.q.val();
                self.escape.wake.next = self.follow.wake.val();
                // An entry became free, or a waiting start left or now waits for its quota only: the next one may try.
                self.escape.room.next = self.follow.row_ended.val()
                    || self.supersede4.q.val()
                    || self.start_leave4.q.val()
                    || (self.waits4.q.val() && self.start4.q.val() && self.waited_full4.q.val() && !self.full4.q.val());

                self.used_now.next = self.used.q.val();
                if self.push4.q.val() {
                    self.used_now.next = self.used.q.val() + 1;
                }
                if self.leave4.q.val() {
                    self.used_now.next = self.used.q.val() - 1;
                }
                self.used.d.next = self.used_now.val();
                if self.push4.q.val() {
                    self.escape_at_limit.d.next = self.escape_below_limit.q.val();
                    self.escape_below_limit.d.next = (self.used.q.val() + 2) == bits::<ESCAPE_COUNT_BITS>(1) << ESCAPE_BITS.to_bits::<4>();
                }
                if self.leave4.q.val() {
                    self.escape_at_limit.d.next = false;
                    self.escape_below_limit.d.next = self.escape_at_limit.q.val();
                }
                self.escape_used.next = self.used.q.val();
                self.full_waiter.next =
                    self.full_step.q.val() || (self.any_waits_full.q.val() && !(self.unstep.q.val() && self.one_waits_full.q.val()));
                self.waiting_full_now.next = self.waiting_full.q.val();
                if self.full_step.q.val() {
                    self.waiting_full_now.next = self.waiting_full.q.val() + 1;
                }
                if self.unstep.q.val() {
                    self.waiting_full_now.next = self.waiting_full.q.val() - 1;
                }
                self.waiting_full.d.next = self.waiting_full_now.val();
                self.any_waits_full.d.next = self.waiting_full.q.val().any();
                self.one_waits_full.d.next = self.waiting_full.q.val() == bits::<ESCAPE_COUNT_BITS>(1);
                if self.full_step.q.val() {
                    self.any_waits_full.d.next = true;
                    self.one_waits_full.d.next = !self.waiting_full.q.val().any();
                }
                if self.unstep.q.val() {
                    self.any_waits_full.d.next = (self.waiting_full.q.val() >> 1).any();
                    self.one_waits_full.d.next = self.waiting_full.q.val() == bits::<ESCAPE_COUNT_BITS>(2);
                }
                self.escape_quota.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
                self.escape_quota.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
                self.escape_quota.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
                self.escape_quota.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
                self.escape_quota.s4_add.next = self.push4.q.val();
                self.escape_quota.s4_remove.next = self.leave4.q.val();
                self.escape_quota.quota.next = self.cfg_registry.escape_quota.val();
                self.entry_quota.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
                self.entry_quota.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
                self.entry_quota.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
                self.entry_quota.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
                self.entry_quota.s4_add.next = self.table.one_more.val();
                self.entry_quota.s4_remove.next = self.table.one_less.val();
                self.entry_quota.quota.next = bit_cast::<16, 8>(self.cfg_registry.entry_quota.val());
                self.start_waiters.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
                self.start_waiters.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
                self.start_waiters.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
                self.start_waiters.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
                self.start_waiters.s4_add.next = self.start_push4.q.val();
                self.start_waiters.s4_remove.next = self.start_leave4.q.val();
                self.start_waiters.quota.next = bits::<16>(1);

                // Stage 4: payloads, and what is to be told.
                self.writes.in_valid.next = self.write4.q.val();
                self.writes.in_data.next = bit_cast::<WRITE_REQUEST_BITS, 64>(self.addr4.val())
                    | (bit_cast::<WRITE_REQUEST_BITS, 16>(self.bytes4.val()) << 64)
                    | (bit_cast::<WRITE_REQUEST_BITS, WRITE_BITS>(self.told.push_tag.val()) << 80)
                    | (bit_cast::<WRITE_REQUEST_BITS, SLOT_BITS>(self.slot4.val()) << (WRITE_BITS.to_bits::<8>() + 80));
                self.writes.out_ready.next = self.write.ready.val();
                self.write.valid.next = self.writes.out_valid.val();
                self.write.addr.next = self.writes.out_data.val().get_bits::<64>(0);
                self.write.bytes.next = self.writes.out_data.val().get_bits::<16>(64);
                self.write.tag.next = self.writes.out_data.val().get_bits::<WRITE_BITS>(80);
                self.write.slot.next = self.writes.out_data.val().get_bits::<SLOT_BITS>(80 + WRITE_BITS);
                self.slots.in_valid.next = self.follow.slot_free.val();
                self.slots.in_data.next = self.slot4.val();
                self.slots.out_ready.next = self.slot_free.ready.val();
                self.slot_free.valid.next = self.slots.out_valid.val();
                self.slot_free.slot.next = self.slots.out_data.val();

                self.told.now.next = self.ticks.now.val();
                self.told.cfg_ack_wait.next = self.cfg_registry.ack_wait.val();
                self.told.write.next = self.write4.q.val();
                self.told.ack.next = self.follow.tell_ack.val();
                self.told.finish.next = self.follow.tell_final.val();
                self.told.host.next = self.follow.tell_host.val();
                self.told.supersede.next = self.supersede4.q.val();
                self.told.arrived.next = self.arrived4.q.val();
                self.told.in_row.next = self.register4.q.val() || self.accept4.q.val() || self.release4.q.val();
                self.told.row_ended.next = self.follow.row_ended.val();
                self.told.from_row.next = self.follow.from_row.val();
                self.told.status.next = self.code.status.val();
                self.told.src.next = self.src4.val();
                self.told.op.next = self.op4.val();
                self.told.position.next = self.position4.q.val();
                self.told.addr.next = self.addr4.val();
                self.told.op_bytes.next = self.op_bytes4.val();
                self.told.count.next = self.count4.val();
                self.told.imm_valid.next = self.imm_valid4.val();
                self.told.imm.next = self.imm4.val();
                self.told.item_row.next = self.table.item_row.val();
                EndedEntry::join(&mut self.table.ended_entry, &mut self.told.ended_entry);
                WriteAnswers::link(&mut self.write_done, &mut self.told.done);
                OperationsTold::link(&mut self.complete, &mut self.told.complete);
                Notifications::link(&mut self.notify, &mut self.told.notify);

                // Levels for software.
                self.entries_live.next = self.table.live_count.val();
                if self.table.live_count.val() > self.most_entries.q.val() {
                    self.most_entries.d.next = self.table.live_count.val();
                }
                if self.used.q.val() > self.most_escape.q.val() {
                    self.most_escape.d.next = self.used.q.val();
                }
                self.high_water_entries.next = self.most_entries.q.val();
                self.high_water_escape.next = self.most_escape.q.val();
                self.idle.next = self.started.val()
                    && !(self.v1.q.val() && (self.kind1.val() != bits::<3>(5)))
                    && !(self.v2.q.val() && (self.kind2.val() != bits::<3>(5)))
                    && !(self.v3.q.val() && (self.kind3.val() != bits::<3>(5)))
                    && !(self.v4.q.val() && (self.kind4.val() != bits::<3>(5)))
                    && self.injector.idle.val()
                    && self.told.idle.val()
                    && !self.verdicts.out_valid.val()
                    && !self.writes.out_valid.val()
                    && !self.slots.out_valid.val();
            }
        }
    };
}

pub(crate) use registry_effects;
