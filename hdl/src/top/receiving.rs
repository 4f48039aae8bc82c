//! Of a top that receives: what its receive side is connected to. Queue pairs are opened there before they are on the send side.

macro_rules! receiving {
    ($($before:tt)*) => {
        $crate::top::sending! {
            $($before)*
            {
                if RECEIVES {
                    self.receive.payload_valid.next = self.parser.payload_valid.val();
                    self.receive.payload_data.next = self.parser.payload_data.val();
                    self.receive.payload_last.next = self.parser.payload_last.val();
                    self.receive.payload_drop.next = self.parser.payload_drop.val();
                    self.parser.payload_ready.next = self.receive.payload_ready.val();
                } else {
                    self.parser.payload_ready.next = true;
                    self.parser.header.ready.next = true;
                }

                if RECEIVES && !SENDS {
                    self.receive.header_valid.next = self.parser.header.valid.val();
                    self.parser.header.ready.next = self.receive.header_ready.val();
                }
                if RECEIVES && REGISTRY {
                    self.receive.header_registry.next = self.parser.header.registry.val();
                    self.receive.header_kind.next = self.parser.header.kind.val();
                    self.receive.header_src.next = self.parser.header.src.val();
                    self.receive.header_op.next = self.parser.header.op.val();
                    self.receive.header_op_bytes.next = self.parser.header.op_bytes.val();
                    self.receive.header_count.next = self.parser.header.count.val();
                    self.receive.header_rkey.next = self.parser.header.rkey.val();
                }
                if RECEIVES && !REGISTRY {
                    // What can be served is an RDMA WRITE ONLY that says as many bytes as it has, and has no more than a packet may.
                    // Requests are the opcodes below 0x20 that the parser knows, but for 0x0d to 0x12: what those answer was asked with
                    // numbers of the other direction.
                    self.fits.next = bit_cast::<32, 16>(self.parser.header.bytes.val()) == self.parser.header.op_bytes.val()
                        && self.parser.header.bytes.val() <= (bits::<16>(1) << PACKET_BITS.to_bits::<5>());
                    self.request.next = !(self.parser.header.opcode.val() >> 5).any()
                        && (self.parser.header.opcode.val() < bits::<8>(0x0d) || self.parser.header.opcode.val() > bits::<8>(0x12));
                    self.receive.header_refused.next = (self.parser.header.opcode.val() >> 1) != bits::<8>(0x05) || !self.fits.val();
                    self.receive.header_registry.next = self.request.val()
                        && (self.parser.header.dest_qp.val() >> NODE_BITS.to_bits::<5>())
                            == (self.registers.cfg_data_qp.val() >> NODE_BITS.to_bits::<5>());
                    self.receive.header_qp.next = self.parser.header.dest_qp.val().get_bits::<NODE_BITS>(0);
                }
                if RECEIVES {
                    self.receive.header_addr.next = self.parser.header.addr.val();
                    self.receive.header_bytes.next = self.parser.header.bytes.val();
                    self.receive.header_imm_valid.next = self.parser.header.imm_valid.val();
                    self.receive.header_imm.next = self.parser.header.imm.val();
                }
                if RECEIVES && NUMBERS {
                    self.receive.header_psn.next = self.parser.header.psn.val();
                    self.receive.header_path.next = self.parser.header.reserved7.val().get_bits::<4>(0);
                    self.receive.header_retransmission.next = self.parser.header.reserved6.val().get_bit(0);
                }

                // Queue pairs, one command after the other: the receive side before the send side.
                if NUMBERS {
                    self.known.next = !(self.registers.cfg_connection_index.val() >> NODE_BITS.to_bits::<4>()).any();
                    if (self.registers.do_connection_open.val() || self.registers.do_connection_close.val())
                        && self.known.val()
                        && !self.commanded.q.val()
                    {
                        self.commanded.d.next = true;
                        if RECEIVES {
                            self.receive_offered.d.next = true;
                        } else {
                            self.send_offered.d.next = true;
                        }
                        self.opening.d.next = self.registers.do_connection_open.val();
                    }
                    self.registers.status_connection_state_busy.next = self.commanded.q.val();
                }
                if NUMBERS && RECEIVES {
                    self.receive.command_valid.next = self.receive_offered.q.val();
                    self.receive.command_open.next = self.opening.q.val();
                    self.receive.command_qp.next = self.registers.cfg_connection_index.val().get_bits::<NODE_BITS>(0);
                    self.receive.command_psn.next = self.registers.cfg_connection_psn.val();
                    if self.receive_offered.q.val() && self.receive.command_ready.val() {
                        self.receive_offered.d.next = false;
                    }
                    if self.receive.command_done.val() {
                        if SENDS {
                            self.send_offered.d.next = true;
                        } else {
                            self.commanded.d.next = false;
                        }
                    }
                }
                if NUMBERS && RECEIVES && !REGISTRY {
                    if self.receive.failed_valid.val() {
                        self.failed.d.next = bit_cast::<8, NODE_BITS>(self.receive.failed_qp.val());
                        if SENDS {
                            self.write_failed.d.next = bit_cast::<8, NODE_BITS>(self.receive.failed_qp.val());
                        }
                    }
                    if SENDS {
                        self.registers.status_write_failed.next = self.write_failed.q.val();
                        self.registers.set_interrupt_status_connection_failed.next =
                            self.send.connect_error.val() || self.receive.failed_valid.val();
                    } else {
                        self.registers.set_interrupt_status_connection_failed.next = self.receive.failed_valid.val();
                        self.registers.status_connection_failed.next = self.failed.q.val();
                    }
                }

                // How the receive side is set.
                if RECEIVES {
                    self.receive.cfg_prescale.next = self.registers.cfg_prescale.val();
                }
                if RECEIVES && REGISTRY {
                    self.receive.cfg_repeat_completion.next = self.registers.cfg_repeat_completion.val();
                    RegistryConfigSource::join(&mut self.registers.cfg_registry, &mut self.receive.cfg_registry);
                    self.receive.cfg_t_life.next = self.registers.cfg_t_life.val();
                    self.receive.cfg_region_write.next = self.registers.do_region_load.val();
                }
                if RECEIVES && NUMBERS {
                    GapConfigSource::join(&mut self.registers.cfg_gap, &mut self.receive.cfg_gap);
                    self.receive.cfg_by_arrivals.next = self.registers.cfg_depth_mode.val();
                    self.registers.status_pool_free.next = bits::<16>(0);
                    self.registers.status_pool_refused.next = self.refused.q.val();
                    self.registers.evt_psn_pool_exhausted.next = false;
                    self.registers.evt_psn_window_shrunk.next = false;
                    for w in 0..self._fixed {
                        self.receive.cfg_slide_step[w].next = self.registers.cfg_slide_step.val();
                    }
                    for w in 0..self._pools {
                        self.receive.cfg_base_length[w].next = self.registers.cfg_window_length_base.val();
                        self.receive.cfg_max_length[w].next = self.registers.cfg_window_length_most.val();
                        self.receive.cfg_bandwidth[w].next = self.registers.cfg_bandwidth.val();
                        self.receive.cfg_rtt[w].next = self.registers.cfg_round_trip.val();
                        self.receive.cfg_headroom[w].next = self.registers.cfg_window_factors_headroom.val();
                        self.receive.cfg_load[w].next = self.registers.cfg_window_factors_load.val();
                        self.receive.cfg_congestion[w].next = self.registers.cfg_window_factors_congestion.val();
                        self.receive.cfg_qp_limit[w].next = self.registers.cfg_qp_limit.val();
                        self.receive.cfg_packet_bits[w].next = PACKET_BITS.to_bits::<4>();
                        self.registers.status_pool_free.next = self.receive.pool_free[w].val();
                        if self.receive.command_done.val() {
                            self.refused.d.next = self.receive.command_refused[w].val();
                        }
                        self.registers.evt_psn_pool_exhausted.next = self.receive.evt_psn_pool_exhausted[w].val();
                        self.registers.evt_psn_window_shrunk.next = self.receive.evt_psn_window_shrunk[w].val();
                    }
                }

                // Who is told what.
                if RECEIVES {
                    self.receive.cfg_local.mac.next = self.registers.cfg_local_mac.val();
                    self.receive.cfg_local.ip4.next = self.registers.cfg_local_ip_3.val();
                    self.receive.cfg_local.ip6.next = (bit_cast::<128, 32>(self.registers.cfg_local_ip_0.val()) << 96)
                        | (bit_cast::<128, 32>(self.registers.cfg_local_ip_1.val()) << 64)
                        | (bit_cast::<128, 32>(self.registers.cfg_local_ip_2.val()) << 32)
                        | bit_cast::<128, 32>(self.registers.cfg_local_ip_3.val());
                    self.receive.cfg_local.vlan_on.next = self.registers.cfg_local_vlan_on.val();
                    self.receive.cfg_local.vlan.next = self.registers.cfg_local_vlan_tag.val();
                    self.receive.cfg_local.traffic_class.next = self.registers.cfg_local_udp_traffic_class.val();
                    self.receive.cfg_local.hop_limit.next = self.registers.cfg_local_udp_hop_limit.val();
                    self.receive.cfg_local.udp_source.next = self.registers.cfg_local_udp_source_port.val();
                    self.receive.cfg_partition_key.next = self.registers.cfg_local_pkey.val();
                    self.receive.cfg_node.write.next =
                        self.registers.do_node_load.val() && !(self.registers.cfg_node_index.val() >> NODE_BITS.to_bits::<4>()).any();
                    self.receive.cfg_node.index.next = self.registers.cfg_node_index.val().get_bits::<NODE_BITS>(0);
                    self.receive.cfg_node.valid.next = self.registers.cfg_node_qp_valid.val();
                    self.receive.cfg_node.mac.next = self.registers.cfg_node_mac.val();
                    self.receive.cfg_node.six.next = self.registers.cfg_node_qp_ipv6.val();
                    self.receive.cfg_node.ip.next = (bit_cast::<128, 32>(self.registers.cfg_node_ip_0.val()) << 96)
                        | (bit_cast::<128, 32>(self.registers.cfg_node_ip_1.val()) << 64)
                        | (bit_cast::<128, 32>(self.registers.cfg_node_ip_2.val()) << 32)
                        | bit_cast::<128, 32>(self.registers.cfg_node_ip_3.val());
                    self.receive.cfg_node_qp.next = self.registers.cfg_node_qp_number.val();
                }
            }
        }
    };
}

pub(crate) use receiving;
