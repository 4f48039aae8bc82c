//! Of every top: reset, and the way of frames in and out.

macro_rules! frames {
    ($($before:tt)*) => {
        $crate::top::receiving! {
            $($before)*
            {
                // One register inverts the reset: the registers, the gate and the drain have it, everything else the drain. It is late by a
                // clock, in which no handshake may happen; so it also stands before every `valid`, and every `ready` that may be high.
                self.reset.d.next = !self.aresetn.val();
                self.drain.rst.next = self.reset.q.val();
                self.gate.rst.next = self.reset.q.val();
                self.registers.rst.next = self.reset.q.val();

                // Frames in.
                self.gate.enable.next = self.registers.cfg_control_enable.val() && !self.drain.draining.val();
                self.gate.cut.next = self.drain.draining.val();
                self.gate.in_valid.next = self.s_axis_rx.tvalid.val() && !self.reset.q.val();
                self.s_axis_rx.tready.next = self.gate.in_ready.val() && !self.reset.q.val();
                self.gate.in_last.next = self.s_axis_rx.tlast.val();
                self.gate.out_ready.next = self.parser.in_ready.val();
                self.parser.in_valid.next = self.gate.out_valid.val();
                self.parser.in_data.next = self.s_axis_rx.tdata.val();
                self.parser.in_keep.next = self.s_axis_rx.tkeep.val();
                self.parser.in_last.next = self.s_axis_rx.tlast.val();
                self.parser.in_crc_ok.next = !self.s_axis_rx.tuser.val().any();
                self.parser.cfg_qp_write.next =
                    self.registers.do_qp_load.val() && !(self.registers.cfg_qp_index.val() >> QUEUE_PAIR_BITS.to_bits::<4>()).any();
                self.parser.cfg_qp_index.next = self.registers.cfg_qp_index.val().get_bits::<QUEUE_PAIR_BITS>(0);
                self.parser.cfg_qp_number.next = self.registers.cfg_qp_entry_number.val();
                self.parser.cfg_qp_valid.next = self.registers.cfg_qp_entry_valid.val();

                // Frames out: of two sides in turn.
                self.drain.frame_ready.next = self.m_axis_tx.tready.val();
                self.m_axis_tx.tvalid.next = self.drain.frame_passes.val() && !self.reset.q.val();
                if RECEIVES && SENDS {
                    Frames::join(&mut self.receive.out, &mut self.frames.a);
                    Frames::join(&mut self.send.out, &mut self.frames.b_frames);
                    self.drain.frame_valid.next = self.frames.out.valid.val();
                    self.drain.frame_last.next = self.frames.out.last.val();
                    self.frames.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
                    self.m_axis_tx.tdata.next = self.frames.out.data.val();
                    self.m_axis_tx.tkeep.next = self.frames.out.keep.val();
                    self.m_axis_tx.tlast.next = self.frames.out.last.val();
                }
                if !SENDS {
                    self.drain.frame_valid.next = self.receive.out.valid.val();
                    self.drain.frame_last.next = self.receive.out.last.val();
                    self.receive.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
                    self.m_axis_tx.tdata.next = self.receive.out.data.val();
                    self.m_axis_tx.tkeep.next = self.receive.out.keep.val();
                    self.m_axis_tx.tlast.next = self.receive.out.last.val();
                }
                if !RECEIVES {
                    self.drain.frame_valid.next = self.send.out.valid.val();
                    self.drain.frame_last.next = self.send.out.last.val();
                    self.send.out.ready.next = self.m_axis_tx.tready.val() && self.drain.frame_passes.val();
                    self.m_axis_tx.tdata.next = self.send.out.data.val();
                    self.m_axis_tx.tkeep.next = self.send.out.keep.val();
                    self.m_axis_tx.tlast.next = self.send.out.last.val();
                }
            }
        }
    };
}

pub(crate) use frames;
