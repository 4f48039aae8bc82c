//! Of both send paths: commands to segments, segments to operations with their payload in a slot, and packets out of the slots.

macro_rules! loading {
    ($path:ident $($own:tt)*) => {
        $crate::given! {
            [] of []
            $path
            {
                // Commands to segments.
                CommandsSink::link(&mut self.command, &mut self.splitter.command);
                CommandResults::link(&mut self.completion, &mut self.splitter.completion);
                self.splitter.cfg_threshold.next = self.cfg_send.threshold.val();
                self.splitter.cfg_segment.next = self.cfg_send.segment.val();
                self.config_error.next = self.splitter.config_error.val();
                self.status_commands.next = self.splitter.status_commands.val();
                self.evt_send.commands.next = self.splitter.evt_commands.val();
                self.evt_send.segments.next = self.splitter.evt_segments.val();
                self.evt_send.arrival_failed.next = self.splitter.evt_arrival_failed.val();
                self.evt_send.refused_bytes_zero.next = self.splitter.evt_refused_bytes_zero.val();
                self.evt_send.refused_misaligned_target.next = self.splitter.evt_refused_misaligned_target.val();
                self.evt_send.refused_wraps.next = self.splitter.evt_refused_wraps.val();
                self.evt_send.refused_misaligned_source.next = self.splitter.evt_refused_misaligned_source.val();
                self.evt_send.refused_bad_configuration.next = self.splitter.evt_refused_bad_configuration.val();
                self.evt_send.refused_too_long.next = self.splitter.evt_refused_too_long.val();

                // A segment, its op number and its slot.
                Segments::join(&mut self.splitter.segment, &mut self.loader.segment);
                self.loader.cfg_buffer_base.next = self.cfg_send.buffer_base.val();
                self.buffer.cfg_base.next = self.cfg_send.buffer_base.val();
                NumberRequests::join(&mut self.loader.number, &mut self.table.segment);
                OpNumbers::join(&mut self.table.allocated, &mut self.loader.allocated);

                // Payload from the host to its slot.
                self.driver.cfg_ring_base.next = self.cfg_ring_base.val();
                self.driver.cfg_wide.next = self.cfg_wide.val();
                self.driver.cfg_irq_threshold.next = self.cfg_send.irq_threshold.val();
                self.driver.cfg_irq_delay.next = self.cfg_send.irq_delay.val();
                self.driver.cfg_reset_timeout.next = self.cfg_send.reset_timeout.val();
                self.driver.cfg_load_timeout.next = self.cfg_send.load_timeout.val();
                self.driver.cfg_cdma_error_limit.next = self.cfg_send.cdma_error_limit.val();
                self.status_cdma_config_error.next = self.driver.status_config_error.val();
                self.status_cdma_dead.next = self.driver.status_dead.val();
                self.status_descriptors_out.next = self.driver.status_outstanding.val();
                self.evt_send.descriptors.next = self.driver.evt_descriptors.val();
                self.evt_send.cdma_errors.next = self.driver.evt_cdma_errors.val();
                self.evt_send.cdma_resets.next = self.driver.evt_cdma_resets.val();
                self.evt_send.refused_loads.next = self.driver.evt_refused_loads.val();
                self.set_interrupt_status_loaded.next = self.driver.set_interrupt_status_loaded.val();
                DescriptorBus::link(&mut self.s_axi_sg, &mut self.driver.s_axi_sg);
                CdmaBus::link(&mut self.m_axi_lite, &mut self.driver.m_axi_lite);
                self.driver.tick.next = self.ticks.tick.val();
                self.driver.load_valid.next = self.loader.load_valid.val() && !self.cfg_pause.val();
                self.loader.load_ready.next = self.driver.load_ready.val() && !self.cfg_pause.val();
                self.driver.load_tag.next = bit_cast::<TAG_BITS, SEND_SLOT_BITS>(self.loader.load_tag.val());
                self.driver.load_sources.next = self.loader.load_sources.val();
                self.driver.load_lengths.next = self.loader.load_lengths.val();
                self.driver.load_destination.next = self.loader.load_destination.val();
                self.loader.loaded_valid.next = self.driver.loaded_valid.val();
                // A packet engine that the wire holds back would keep the answers of the last loads, and the driver from its rest.
                self.driver.loaded_ready.next = self.loader.loaded_ready.val() || self.cfg_pause.val();
                self.loader.loaded_tag.next = self.driver.loaded_tag.val().get_bits::<SEND_SLOT_BITS>(0);
                self.loader.loaded_status.next = self.driver.loaded_status.val();
                BufferBus::link(&mut self.s_axi_buffer, &mut self.buffer.s_axi);
                self.evt_send.buffer_write_refused.next = self.buffer.evt_write_refused.val();
                self.evt_send.buffer_read_refused.next = self.buffer.evt_read_refused.val();

                // Packets out of the slots.
                Operations::join(&mut self.loader.op, &mut self.engine.op);
                SlotReads::join(&mut self.engine.read, &mut self.buffer.read);
                SlotPayload::join(&mut self.buffer.payload, &mut self.engine.payload);
                Frames::link(&mut self.out, &mut self.engine.out);
                self.engine.cfg_src.next = self.cfg_src.val();
                self.engine.cfg_src_each.next = self.cfg_send.source_each.val();
                LocalAddress::link(&mut self.cfg_local, &mut self.engine.cfg_local);
                self.engine.cfg_partition_key.next = self.cfg_partition_key.val();
                NodeEntry::link(&mut self.cfg_node, &mut self.engine.cfg_node);
                self.evt_send.data_frames.next = self.engine.evt_frame.val();
                self.evt_send.stale_packets.next = self.engine.evt_stale.val();
                self.evt_send.unknown_node.next = self.engine.evt_unknown_node.val();
            }
            $($own)*
            {
                // Packets that go again are pulled from the host's memory again: beside the loads at the driver, before the packet
                // engine.
                for r in 0..REFETCH {
                    self.refetch[r].cfg_buffer_base.next = self.cfg_send.buffer_base.val();
                    self.refetch[r].keep_valid.next = self.splitter.segment.valid.val() && self.loader.segment.ready.val();
                    self.refetch[r].keep_op.next = self.table.allocated.op.val();
                    self.refetch[r].keep_kind.next = self.splitter.segment.kind.val();
                    self.refetch[r].keep_sources.next = self.splitter.segment.sources.val();
                    self.refetch[r].keep_lengths.next = self.splitter.segment.lengths.val();
                    self.engine.retransmit_valid.next = self.refetch[r].again_valid.val();
                    self.refetch[r].again_ready.next = self.engine.retransmit_ready.val();
                    self.engine.retransmit_op.next = self.refetch[r].again_op.val();
                    self.engine.retransmit_packet.next = self.refetch[r].again_packet.val();
                    self.engine.retransmit_try.next = self.refetch[r].again_try.val();
                    self.engine.retransmit_place[r].next = self.refetch[r].again_place.val();
                    self.refetch[r].done_valid.next = self.engine.done_valid[r].val();
                    self.refetch[r].done_place.next = self.engine.done_place[r].val();
                    self.refetch[r].dropped_valid.next = self.engine.dropped_valid[r].val();
                    self.refetch[r].dropped_place.next = self.engine.dropped_place[r].val();
                    self.loader.first_done_valid[r].next = self.engine.op_done_valid.val();
                    self.loader.first_done_op[r].next = self.engine.sent_op.val();
                    self.engine.abort.valid.next = self.refetch[r].abort_out_valid.val();
                    self.refetch[r].abort_out_ready.next = self.engine.abort.ready.val();
                    self.engine.abort.op.next = self.refetch[r].end_op.val();
                    self.engine.close.valid.next = self.refetch[r].close_out_valid.val();
                    self.refetch[r].close_out_ready.next = self.engine.close.ready.val();
                    self.engine.close.op.next = self.refetch[r].end_op.val();

                    // A pull goes before a load; the driver looks at what it takes alone.
                    self.driver.load_valid.next =
                        (self.loader.load_valid.val() || self.refetch[r].load_valid.val()) && !self.cfg_pause.val();
                    self.loader.load_ready.next =
                        self.driver.load_ready.val() && !self.refetch[r].load_valid.val() && !self.cfg_pause.val();
                    self.refetch[r].load_ready.next = self.driver.load_ready.val() && !self.cfg_pause.val();
                    if self.refetch[r].load_valid.val() {
                        self.driver.load_tag.next = bit_cast::<TAG_BITS, PULL_PLACE_BITS>(self.refetch[r].load_place.val())
                            | (bits::<TAG_BITS>(1) << (TAG_BITS - 1).to_bits::<6>());
                        self.driver.load_sources.next = self.refetch[r].load_sources.val();
                        self.driver.load_lengths.next = self.refetch[r].load_lengths.val();
                        self.driver.load_destination.next = self.refetch[r].load_destination.val();
                    }
                    // First packets that wait for a number wait for what is pulled again: the answers of their loads, one per slot at
                    // most, are out of the way.
                    self.is_pull[r].next = self.driver.loaded_tag.val().get_bit(TAG_BITS - 1);
                    self.answers[r].in_valid.next = self.driver.loaded_valid.val() && !self.is_pull[r].val();
                    self.answers[r].in_data.next =
                        bit_cast::<LOADED_BITS, SEND_SLOT_BITS>(self.driver.loaded_tag.val().get_bits::<SEND_SLOT_BITS>(0))
                            | (bit_cast::<LOADED_BITS, 8>(self.driver.loaded_status.val()) << SEND_SLOT_BITS.to_bits::<5>());
                    self.answers[r].out_ready.next = self.loader.loaded_ready.val();
                    self.loader.loaded_valid.next = self.answers[r].out_valid.val();
                    self.loader.loaded_tag.next = self.answers[r].out_data.val().get_bits::<SEND_SLOT_BITS>(0);
                    self.loader.loaded_status.next = self.answers[r].out_data.val().get_bits::<8>(SEND_SLOT_BITS);
                    self.refetch[r].loaded_valid.next = self.driver.loaded_valid.val() && self.is_pull[r].val();
                    self.refetch[r].loaded_place.next = self.driver.loaded_tag.val().get_bits::<PULL_PLACE_BITS>(0);
                    self.refetch[r].loaded_status.next = self.driver.loaded_status.val();
                    self.driver.loaded_ready.next = !self.is_pull[r].val() || self.refetch[r].loaded_ready.val() || self.cfg_pause.val();
                }
            }
        }
    };
}

pub(crate) use loading;
