//! Of every top: what the host is told, over one bus, and what software reads.

macro_rules! telling {
    // With commands, their completions and those of the receive side are merged.
    ($($before:tt)*) => {
        $crate::top::told! { [(SENDS) merged.receive, (!SENDS) queue.complete] $($before)* }
    };
}

/// `[(facts) where completions of the receive side go, ...] parts before`
macro_rules! told {
    ([$($facts:tt $taker:ident.$stream:ident),+] $($before:tt)*) => {
        $crate::given! {
            $($before)*
            {
                // What the host is told.
                $(if RECEIVES && $facts {
                    if REGISTRY {
                        Completions::join(&mut self.receive.complete, &mut self.$taker.$stream);
                    } else {
                        self.$taker.$stream.valid.next = self.receive.complete_valid.val();
                        self.receive.complete_ready.next = self.$taker.$stream.ready.val();
                        self.$taker.$stream.kind.next = bits::<2>(0);
                        self.$taker.$stream.src.next = self.receive.complete_src.val();
                        self.$taker.$stream.op.next = bits::<OP_BITS>(0);
                        self.$taker.$stream.base.next = self.receive.complete_base.val();
                        self.$taker.$stream.bytes.next = self.receive.complete_bytes.val();
                        self.$taker.$stream.packets.next = bits::<16>(1);
                        self.$taker.$stream.status.next = bits::<8>(0);
                        self.$taker.$stream.imm_valid.next = true;
                        self.$taker.$stream.imm.next = self.receive.complete_imm.val();
                        self.$taker.$stream.mask.next = bits::<32>(0);
                    }
                })+
                if RECEIVES && SENDS {
                    self.merged.command_valid.next = self.commands.out_valid.val();
                    self.commands.out_ready.next = self.merged.command_ready.val();
                    self.merged.command_id.next = self.commands.out_data.val().get_bits::<16>(0);
                    self.merged.command_status.next = self.commands.out_data.val().get_bits::<8>(16);
                    self.merged.command_bytes.next = self.commands.out_data.val().get_bits::<32>(24);
                    self.merged.cfg_source_node.next = self.registers.cfg_source_node.val();
                    Completions::join(&mut self.merged.complete, &mut self.queue.complete);
                }
                if !RECEIVES {
                    self.queue.complete.valid.next = self.commands.out_valid.val();
                    self.commands.out_ready.next = self.queue.complete.ready.val();
                    self.queue.complete.kind.next = bits::<2>(2);
                    self.queue.complete.src.next = self.registers.cfg_source_node.val();
                    self.queue.complete.op.next = bit_cast::<OP_BITS, 16>(self.commands.out_data.val().get_bits::<16>(0));
                    self.queue.complete.base.next = bits::<64>(0);
                    self.queue.complete.bytes.next = self.commands.out_data.val().get_bits::<32>(24);
                    self.queue.complete.packets.next = bits::<16>(0);
                    self.queue.complete.status.next = self.commands.out_data.val().get_bits::<8>(16);
                    self.queue.complete.imm_valid.next = false;
                    self.queue.complete.imm.next = bits::<32>(0);
                    self.queue.complete.mask.next = bits::<32>(0);
                }
                self.queue.cfg_ring_base.next = self.registers.cfg_ring_base.val();
                self.queue.cfg_ring_size_log2.next = self.registers.cfg_ring_size_log2.val();
                self.queue.cfg_ring_consumer.next = self.registers.cfg_ring_consumer.val();
                self.queue.cfg_coalesce_count.next = self.registers.cfg_coalesce_count.val();
                self.queue.cfg_coalesce_delay.next = self.registers.cfg_coalesce_delay.val();

                self.m_axi_awsize.next = AXI_SIZE.to_bits::<3>();
                self.m_axi_awcache.next = bits::<4>(3);
                self.m_axi_awprot.next = bits::<3>(0);
                if RECEIVES {
                    // One bus. While it drains no address passes, so no burst begins.
                    self.merge.a_axi.awvalid.next = self.receive.m_axi.awvalid.val() && !self.drain.draining.val();
                    self.receive.m_axi.awready.next = self.merge.a_axi.awready.val() && !self.drain.draining.val();
                    self.merge.a_axi.awid.next = self.receive.m_axi.awid.val();
                    self.merge.a_axi.awaddr.next = self.receive.m_axi.awaddr.val();
                    self.merge.a_axi.awlen.next = self.receive.m_axi.awlen.val();
                    self.merge.a_axi.wvalid.next = self.receive.m_axi.wvalid.val();
                    self.merge.a_axi.wdata.next = self.receive.m_axi.wdata.val();
                    self.merge.a_axi.wstrb.next = self.receive.m_axi.wstrb.val();
                    self.merge.a_axi.wlast.next = self.receive.m_axi.wlast.val();
                    self.merge.a_axi.bready.next = self.receive.m_axi.bready.val();
                    self.receive.m_axi.wready.next = self.merge.a_axi.wready.val();
                    self.receive.m_axi.bvalid.next = self.merge.a_axi.bvalid.val();
                    self.receive.m_axi.bid.next = self.merge.a_axi.bid.val();
                    self.receive.m_axi.bresp.next = self.merge.a_axi.bresp.val();
                    self.merge.b_axi.awvalid.next = self.queue.m_axi.awvalid.val() && !self.drain.draining.val();
                    self.queue.m_axi.awready.next = self.merge.b_axi.awready.val() && !self.drain.draining.val();
                    self.merge.b_axi.awaddr.next = self.queue.m_axi.awaddr.val();
                    self.merge.b_axi.awlen.next = self.queue.m_axi.awlen.val();
                    self.merge.b_axi.wvalid.next = self.queue.m_axi.wvalid.val();
                    self.merge.b_axi.wdata.next = self.queue.m_axi.wdata.val();
                    self.merge.b_axi.wstrb.next = self.queue.m_axi.wstrb.val();
                    self.merge.b_axi.wlast.next = self.queue.m_axi.wlast.val();
                    self.merge.b_axi.bready.next = self.queue.m_axi.bready.val();
                    self.queue.m_axi.wready.next = self.merge.b_axi.wready.val();
                    self.queue.m_axi.bvalid.next = self.merge.b_axi.bvalid.val();
                    self.queue.m_axi.bresp.next = self.merge.b_axi.bresp.val();
                    TaggedWrites::gate(&mut self.m_axi, &mut self.merge.m_axi, !self.reset.q.val());
                    self.m_axi_awburst.next = self.merge.m_axi_awburst.val();
                    self.drain.begins.next = (self.merge.a_axi.awvalid.val() && self.merge.a_axi.awready.val())
                        || (self.merge.b_axi.awvalid.val() && self.merge.b_axi.awready.val());
                    self.drain.answered.next = self.m_axi.bvalid.val() && self.merge.m_axi.bready.val();
                    if SENDS {
                        self.drain.hold.next = !self.send.bus_idle.val();
                    } else {
                        self.drain.hold.next = false;
                    }
                } else {
                    // A burst whose address the bus has seen goes on, and its data do not go before that: data without an address would be
                    // the next burst's.
                    self.begun.next = self.queue.m_axi.awvalid.val() && (self.seen.q.val() || !self.drain.draining.val());
                    self.seen.d.next = self.begun.val() && !self.m_axi.awready.val();
                    self.m_axi.awvalid.next = self.begun.val() && !self.reset.q.val();
                    self.queue.m_axi.awready.next = self.m_axi.awready.val() && self.begun.val();
                    self.m_axi.awaddr.next = self.queue.m_axi.awaddr.val();
                    self.m_axi.awlen.next = self.queue.m_axi.awlen.val();
                    self.m_axi_awburst.next = self.queue.m_axi_awburst.val();
                    self.flows.next = self.begun.val() || !self.queue.m_axi.awvalid.val();
                    self.m_axi.wvalid.next = self.queue.m_axi.wvalid.val() && self.flows.val() && !self.reset.q.val();
                    self.queue.m_axi.wready.next = self.m_axi.wready.val() && self.flows.val();
                    self.m_axi.wdata.next = self.queue.m_axi.wdata.val();
                    self.m_axi.wstrb.next = self.queue.m_axi.wstrb.val();
                    self.m_axi.wlast.next = self.queue.m_axi.wlast.val();
                    self.queue.m_axi.bvalid.next = self.m_axi.bvalid.val();
                    self.m_axi.bready.next = self.queue.m_axi.bready.val();
                    self.queue.m_axi.bresp.next = self.m_axi.bresp.val();
                    self.drain.begins.next = self.begun.val() && self.m_axi.awready.val();
                    self.drain.answered.next = self.m_axi.bvalid.val() && self.queue.m_axi.bready.val();
                    self.drain.hold.next = !self.send.bus_idle.val() || self.seen.q.val();
                }
                self.drain.request.next = self.registers.do_control_soft_reset.val();

                // Registers.
                RegisterBus::gate(&mut self.s_axi_ctrl, &mut self.registers.s_axi, !self.reset.q.val());
                self.irq.next = self.registers.irq.val();
                self.registers.status_ring_producer.next = self.queue.status_ring_producer.val();
                self.registers.set_interrupt_status_completion.next = self.queue.set_interrupt_status_completion.val();
                self.registers.set_interrupt_status_ring_full.next = self.queue.set_interrupt_status_ring_full.val();
                self.registers.set_interrupt_status_ring_error.next = self.queue.set_interrupt_status_ring_error.val();
                self.registers.evt_frames.next = self.gate.passed.val();
                self.registers.evt_frame_not_udp_4791.next = self.parser.evt_not_rocev2.val();
                self.registers.evt_frame_truncated.next = self.parser.evt_truncated.val();
                self.registers.evt_frame_bad_version.next = self.parser.evt_bad_version.val();
                self.registers.evt_frame_unknown_opcode.next = self.parser.evt_bad_opcode.val();
                self.registers.evt_frame_bad_pad.next = self.parser.evt_bad_pad.val();
                self.registers.evt_frame_bad_length.next = self.parser.evt_bad_length.val();
                self.registers.evt_frame_icrc.next = self.parser.evt_bad_icrc.val();
                self.registers.evt_frame_bad_extension.next = self.parser.evt_bad_extension.val();
                self.registers.evt_frame_not_our_qp.next = self.parser.evt_unknown_qp.val();
                self.registers.evt_frame_mac_error.next = self.gate.out_valid.val()
                    && self.parser.in_ready.val()
                    && self.s_axis_rx.tlast.val()
                    && self.s_axis_rx.tuser.val().get_bit(0);
                self.registers.evt_completions.next = self.queue.evt_completions.val();
                if RECEIVES {
                    self.queue.now.next = self.receive.now.val();
                    self.registers.status_now.next = self.receive.now.val();
                    self.registers.set_interrupt_status_write_error.next = self.receive.evt_memory_errors.val();
                    self.registers.set_interrupt_status_frame_dropped.next = self.receive.evt_frame_no_slot.val();
                    self.registers.evt_frame_no_slot.next = self.receive.evt_frame_no_slot.val();
                    self.registers.evt_frame_foreign.next = self.receive.evt_frame_foreign.val();
                    self.registers.evt_memory_bursts.next = self.receive.evt_memory_bursts.val();
                    self.registers.evt_memory_errors.next = self.receive.evt_memory_errors.val();
                    if REGISTRY {
                        self.registers.status_high_water_entries.next =
                            bit_cast::<16, ROW_COUNT_BITS>(self.receive.high_water_entries.val());
                        self.registers.status_entries_live.next = bit_cast::<16, ROW_COUNT_BITS>(self.receive.entries_live.val());
                        self.registers.status_high_water_escape.next =
                            bit_cast::<16, ESCAPE_COUNT_BITS>(self.receive.high_water_escape.val());
                        self.registers.status_escape_used.next = bit_cast::<16, ESCAPE_COUNT_BITS>(self.receive.escape_used.val());
                        RegistryEvents::join(&mut self.receive.evt_registry, &mut self.registers.evt_registry);
                        self.registers.evt_control_frames.next = self.receive.evt_control_frames.val();
                        self.registers.evt_control_unknown_node.next = self.receive.evt_control_unknown_node.val();
                    } else {
                        self.registers.evt_accepted.next = self.receive.evt_accepted.val();
                        self.registers.evt_duplicate.next = self.receive.evt_duplicate.val();
                        self.registers.evt_immediate_full.next = self.receive.evt_immediate_full.val();
                    }
                    if NUMBERS {
                        PsnEvents::join(&mut self.receive.evt_psn, &mut self.registers.evt_psn);
                    }

                    // A frame in the parser, or a notification in the builder, shows within 64 clocks.
                    self.busy.next = self.gate.out_valid.val()
                        || self.parser.payload_valid.val()
                        || self.parser.header.valid.val()
                        || self.receive.busy.val();
                    if !self.quiet.q.val().all() {
                        self.quiet.d.next = self.quiet.q.val() + 1;
                    }
                    if self.busy.val() {
                        self.quiet.d.next = bits::<6>(0);
                    }
                    // Headers are taken once the tables are clear.
                    if self.receive.ready.val() {
                        self.up.d.next = true;
                    }
                    if SENDS {
                        self.registers.status_state_idle.next = self.quiet.q.val().all()
                            && self.receive.writes_idle.val()
                            && self.queue.idle.val()
                            && self.send.idle.val()
                            && !self.intake.busy.val()
                            && !self.commands.out_valid.val();
                        self.registers.status_state_ready.next = self.up.q.val() && self.send.ready.val() && !self.drain.draining.val();
                    } else {
                        self.registers.status_state_idle.next =
                            self.quiet.q.val().all() && self.receive.writes_idle.val() && self.queue.idle.val();
                        self.registers.status_state_ready.next = self.up.q.val() && !self.drain.draining.val();
                    }
                } else {
                    self.queue.now.next = self.send.now.val();
                    self.registers.status_now.next = self.send.now.val();
                    self.registers.evt_frame_foreign.next = self.parser.header.valid.val() && !self.ack.val() && !self.remote.val();
                    self.registers.status_state_idle.next =
                        self.send.idle.val() && !self.intake.busy.val() && !self.commands.out_valid.val() && self.queue.idle.val();
                    self.registers.status_state_ready.next = self.send.ready.val() && !self.drain.draining.val();
                }
                if self.drain.restart.val() {
                    if RECEIVES {
                        self.quiet.d.next = bits::<6>(0);
                        self.up.d.next = false;
                    }
                    if RECEIVES && NUMBERS {
                        self.refused.d.next = false;
                        self.receive_offered.d.next = false;
                    }
                    if SENDS && NUMBERS {
                        self.send_offered.d.next = false;
                    }
                    if NUMBERS {
                        self.commanded.d.next = false;
                    }
                }
            }
        }
    };
}

pub(crate) use {telling, told};
