//! Of a top that sends: what its send side is connected to.

macro_rules! sending {
    ($($before:tt)*) => {
        $crate::top::telling! {
            $($before)*
            {
                // What receivers tell goes to the send side, everything else to the receive side; where there is none it passes by.
                if SENDS && REGISTRY {
                    self.ack.next = self.parser.header.opcode.val() == bits::<8>(0xc3);
                }
                if SENDS && !NUMBERS {
                    self.remote.next = self.parser.header.opcode.val() == bits::<8>(0xc1);
                    self.send.ack_valid.next = self.parser.header.valid.val() && (self.ack.val() || self.remote.val());
                    self.send.ack_kind.next = self.remote.val();
                    self.send.ack_op.next = self.parser.header.body.val().get_bits::<OP_BITS>(200);
                    self.send.ack_first.next = self.parser.header.body.val().get_bits::<16>(176);
                    self.send.ack_status.next = self.parser.header.body.val().get_bits::<8>(192);
                    self.send.ack_mask.next = self.parser.header.body.val().get_bits::<64>(96);
                }
                if SENDS && NUMBERS {
                    if REGISTRY {
                        self.remote.next = self.parser.header.opcode.val() == bits::<8>(0xc1)
                            || self.parser.header.opcode.val() == bits::<8>(0x11)
                            || self.parser.header.opcode.val() == bits::<8>(0xc0)
                            || self.parser.header.opcode.val() == bits::<8>(0xc5);
                    } else {
                        self.remote.next = self.parser.header.opcode.val() == bits::<8>(0x11)
                            || self.parser.header.opcode.val() == bits::<8>(0xc0)
                            || self.parser.header.opcode.val() == bits::<8>(0xc5);
                    }
                    if RECEIVES {
                        self.send.header.valid.next = self.parser.header.valid.val() && self.remote.val();
                    } else {
                        self.send.header.valid.next = self.parser.header.valid.val();
                    }
                    self.send.header.opcode.next = self.parser.header.opcode.val();
                    self.send.header.dest_qp.next = self.parser.header.dest_qp.val();
                    self.send.header.psn.next = self.parser.header.psn.val();
                    self.send.header.body.next = self.parser.header.body.val();
                }
                if RECEIVES && SENDS && REGISTRY {
                    self.acknowledges.next = self.ack.val() || self.remote.val();
                    self.receive.header_valid.next = self.parser.header.valid.val() && !self.acknowledges.val();
                    self.parser.header.ready.next = self.receive.header_ready.val() || self.acknowledges.val();
                }
                if RECEIVES && SENDS && !REGISTRY {
                    self.receive.header_valid.next = self.parser.header.valid.val() && !self.remote.val();
                    self.parser.header.ready.next = self.receive.header_ready.val() || self.remote.val();
                }

                if NUMBERS && SENDS {
                    self.send.connect_valid.next = self.send_offered.q.val();
                    self.send.connect_open.next = self.opening.q.val();
                    self.send.connect_qp.next = self.registers.cfg_connection_index.val().get_bits::<NODE_BITS>(0);
                    self.send.connect_psn.next = self.registers.cfg_connection_psn.val();
                    if self.send_offered.q.val() && self.send.connect_ready.val() {
                        self.send_offered.d.next = false;
                    }
                    if self.send.connect_done.val() {
                        self.commanded.d.next = false;
                    }
                    if self.send.connect_error.val() {
                        self.failed.d.next = bit_cast::<8, NODE_BITS>(self.send.connect_error_qp.val());
                    }
                    self.registers.status_connection_failed.next = self.failed.q.val();
                    if REGISTRY {
                        self.registers.set_interrupt_status_connection_failed.next = self.send.connect_error.val();
                    }
                }

                if SENDS {
                    // Commands, of software and of a stream.
                    self.intake.post.next = self.registers.do_command_post.val();
                    self.intake.post_data.next = bit_cast::<608, 16>(self.registers.cfg_command_id.val())
                        | (bit_cast::<608, 16>(self.registers.cfg_command_node.val()) << 16)
                        | (bit_cast::<608, 24>(self.registers.cfg_command_qp.val()) << 32)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_rkey.val()) << 64)
                        | (bit_cast::<608, 64>(self.registers.cfg_command_target.val()) << 96)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_imm.val()) << 160)
                        | (bit_cast::<608, 1>(self.registers.cfg_command_options_imm_valid.val().into()) << 192)
                        | (bit_cast::<608, 1>(self.registers.cfg_command_options_arrival.val().into()) << 193)
                        | (bit_cast::<608, 3>(self.registers.cfg_command_options_blocks.val()) << 200)
                        | (bit_cast::<608, 64>(self.registers.cfg_command_source_0.val()) << 224)
                        | (bit_cast::<608, 64>(self.registers.cfg_command_source_1.val()) << 288)
                        | (bit_cast::<608, 64>(self.registers.cfg_command_source_2.val()) << 352)
                        | (bit_cast::<608, 64>(self.registers.cfg_command_source_3.val()) << 416)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_0.val()) << 480)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_1.val()) << 512)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_2.val()) << 544)
                        | (bit_cast::<608, 32>(self.registers.cfg_command_bytes_3.val()) << 576);
                    self.intake.in_valid.next = self.s_axis_command.tvalid.val() && !self.reset.q.val();
                    self.s_axis_command.tready.next = self.intake.in_ready.val() && !self.reset.q.val();
                    self.intake.in_data.next = self.s_axis_command.tdata.val();

                    // Nothing new begins while the buses come to rest.
                    self.opens.next = self.registers.cfg_control_enable.val() && !self.drain.draining.val();
                    self.send.command.valid.next = self.intake.command_valid.val() && self.opens.val();
                    self.intake.command_ready.next = self.send.command.ready.val() && self.opens.val();
                    self.send.command.id.next = self.intake.command_id.val();
                    self.send.command.target.next = self.intake.command_target.val();
                    self.send.command.node.next = self.intake.command_node.val();
                    self.send.command.qp.next = self.intake.command_qp.val();
                    self.send.command.rkey.next = self.intake.command_rkey.val();
                    self.send.command.imm_valid.next = self.intake.command_imm_valid.val();
                    self.send.command.imm.next = self.intake.command_imm.val();
                    self.send.command.arrival.next = self.intake.command_arrival.val();
                    self.send.command.sources.next = self.intake.command_sources.val();
                    self.send.command.lengths.next = self.intake.command_lengths.val();
                    self.send.command.blocks.next = self.intake.command_blocks.val();
                    self.registers.status_command_state_busy.next = self.intake.busy.val();
                    self.registers.set_interrupt_status_post_dropped.next = self.intake.evt_posts_dropped.val();
                    self.registers.evt_posts_dropped.next = self.intake.evt_posts_dropped.val();

                    // The buses of the CDMA.
                    DescriptorBus::gate(&mut self.s_axi_sg, &mut self.send.s_axi_sg, !self.reset.q.val());
                    CdmaBus::gate(&mut self.m_axi_cdma, &mut self.send.m_axi_lite, !self.reset.q.val());
                    BufferBus::gate(&mut self.s_axi_buffer, &mut self.send.s_axi_buffer, !self.reset.q.val());
                    self.send.cfg_pause.next = self.drain.draining.val();

                    // What the host is told of commands.
                    self.commands.in_valid.next = self.send.completion.valid.val();
                    self.send.completion.ready.next = self.commands.in_ready.val();
                    self.commands.in_data.next = bit_cast::<56, 16>(self.send.completion.id.val())
                        | (bit_cast::<56, 8>(self.send.completion.status.val()) << 16)
                        | (bit_cast::<56, 32>(self.send.completion.bytes.val()) << 24);
                }

                if SENDS {
                    self.send.cfg_local.mac.next = self.registers.cfg_local_mac.val();
                    self.send.cfg_local.ip4.next = self.registers.cfg_local_ip_3.val();
                    self.send.cfg_local.ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
                        | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
                        | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
                        | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
                    self.send.cfg_local.vlan_on.next = self.registers.cfg_local_vlan_on.val();
                    self.send.cfg_local.vlan.next = self.registers.cfg_local_vlan_tag.val();
                    self.send.cfg_local.traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
                    self.send.cfg_local.hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
                    self.send.cfg_local.udp_source.next = self.registers.cfg_local_udp_source_port.val();
                    self.send.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
                    self.send.cfg_node.write.next =
                        self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
                    self.send.cfg_node.index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
                    self.send.cfg_node.valid.next = self.registers.cfg_node_qp_valid.val();
                    self.send.cfg_node.mac.next = self.registers.cfg_node_mac.val();
                    self.send.cfg_node.six.next = self.registers.cfg_node_qp_ipv6.val();
                    self.send.cfg_node.ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
                        | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
                        | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
                        | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());

                    // What software sets of the send side, and sees.
                    self.send.cfg_prescale.next = self.registers.cfg_prescale.val();
                    SendConfigSource::join(&mut self.registers.cfg_send, &mut self.send.cfg_send);
                    self.send.cfg_t_life.next = self.registers.cfg_t_life.val();
                    self.send.cfg_ring_base.next = self.registers.cfg_sg_base.val();
                    self.send.cfg_wide.next = self.registers.cfg_cdma_wide.val();
                    self.send.cfg_src.next = self.registers.cfg_source_node.val();
                    SendEvents::join(&mut self.send.evt_send, &mut self.registers.evt_send);
                    self.registers.status_commands_live.next = bit_cast::<16, COMMAND_COUNT_BITS>(self.send.status_commands.val());
                    self.registers.status_ops_live.next = bit_cast::<16, OP_COUNT_BITS>(self.send.status_ops_live.val());
                    self.registers.status_ops_live_max.next = bit_cast::<16, OP_COUNT_BITS>(self.send.status_ops_live_max.val());
                    self.registers.status_descriptors_out.next = bit_cast::<16, DESCRIPTOR_BITS>(self.send.status_descriptors_out.val());
                    self.registers.status_send_state_config_error.next = self.send.config_error.val();
                    self.registers.status_send_state_cdma_config_error.next = self.send.status_cdma_config_error.val();
                    self.registers.status_send_state_cdma_dead.next = self.send.status_cdma_dead.val();
                    self.registers.set_interrupt_status_cdma_dead.next = self.send.status_cdma_dead.val();
                    self.registers.set_interrupt_status_config_error.next =
                        self.send.config_error.val() || self.send.status_cdma_config_error.val();
                }
                if SENDS && NUMBERS {
                    NumberConfigSource::join(&mut self.registers.cfg_number, &mut self.send.cfg_number);
                    self.send.cfg_limit.next = self.registers.cfg_rate_limit_on.val();
                    self.send.cfg_burst.next = self.registers.cfg_rate_limit_burst.val();
                    self.send.cfg_packet.next = self.registers.cfg_rate_packet.val();
                    NumberEvents::join(&mut self.send.evt_number, &mut self.registers.evt_number);
                }
            }
        }
    };
}

pub(crate) use sending;
