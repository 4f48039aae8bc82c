//! Of both receive paths with a registry: from a packet's header to its verdict, to memory and to the host.

macro_rules! delivering {
    ($path:ident $($own:tt)*) => {
        $crate::given! {
            [] of []
            $path
            {
                self.registry.header.kind.next = self.packets.out_data.val().get_bits::<2>(0);
                self.registry.header.src.next = self.packets.out_data.val().get_bits::<16>(2);
                self.registry.header.op.next = self.packets.out_data.val().get_bits::<OP_BITS>(18);
                self.registry.header.addr.next = self.packets.out_data.val().get_bits::<64>(42);
                self.registry.header.bytes.next = self.packets.out_data.val().get_bits::<16>(106);
                self.registry.header.op_bytes.next = self.packets.out_data.val().get_bits::<32>(122);
                self.registry.header.count.next = self.packets.out_data.val().get_bits::<16>(154);
                self.registry.header.rkey.next = self.packets.out_data.val().get_bits::<32>(170);
                self.registry.header.imm_valid.next = self.packets.out_data.val().get_bit(202);
                self.registry.header.imm.next = self.packets.out_data.val().get_bits::<32>(203);
                self.registry.verdict.ready.next = true;
                self.registry.cfg_prescale.next = self.cfg_prescale.val();
                RegistryConfig::link(&mut self.cfg_registry, &mut self.registry.cfg_registry);
                self.registry.cfg_t_life.next = self.cfg_t_life.val();
                self.registry.cfg_region_write.next = self.cfg_region_write.val();
                self.buffer.slot_free_valid.next = self.registry.slot_free.valid.val();
                self.registry.slot_free.ready.next = self.buffer.slot_free_ready.val();
                self.buffer.slot_free_slot.next = self.registry.slot_free.slot.val();
                self.buffer.slot_read_valid.next = self.writer.slot_read_valid.val();
                self.writer.slot_read_ready.next = self.buffer.slot_read_ready.val();
                self.buffer.slot_read_slot.next = self.writer.slot_read_slot.val();

                // Payload to memory.
                self.writer.write_valid.next = self.registry.write.valid.val();
                self.writer.write_tag.next = self.registry.write.tag.val();
                self.writer.write_slot.next = self.registry.write.slot.val();
                self.writer.write_addr.next = self.registry.write.addr.val();
                self.writer.write_bytes.next = self.registry.write.bytes.val();
                self.registry.write.ready.next = self.writer.write_ready.val();
                self.registry.write_done.valid.next = self.writer.write_done_valid.val();
                self.registry.write_done.tag.next = self.writer.write_done_tag.val();
                self.registry.write_done.ok.next = self.writer.write_done_ok.val();
                self.buffer.read_slot.next = self.writer.read_slot.val();
                self.buffer.read_beat.next = self.writer.read_beat.val();
                self.writer.read_data.next = self.buffer.read_data.val();

                // What the host is told.
                self.completions.in_valid.next = self.registry.complete.valid.val();
                self.registry.complete.ready.next = self.completions.in_ready.val();
                self.completions.in_data.next = bit_cast::<COMPLETION_BITS, 1>(self.registry.complete.kind.val().into())
                    | (bit_cast::<COMPLETION_BITS, 16>(self.registry.complete.src.val()) << 1)
                    | (bit_cast::<COMPLETION_BITS, OP_BITS>(self.registry.complete.op.val()) << 17)
                    | (bit_cast::<COMPLETION_BITS, 64>(self.registry.complete.base.val()) << 41)
                    | (bit_cast::<COMPLETION_BITS, 32>(self.registry.complete.bytes.val()) << 105)
                    | (bit_cast::<COMPLETION_BITS, 16>(self.registry.complete.packets.val()) << 137)
                    | (bit_cast::<COMPLETION_BITS, 8>(self.registry.complete.status.val()) << 153)
                    | (bit_cast::<COMPLETION_BITS, 1>(self.registry.complete.imm_valid.val().into()) << 161)
                    | (bit_cast::<COMPLETION_BITS, 32>(self.registry.complete.imm.val()) << 162)
                    | (bit_cast::<COMPLETION_BITS, MASK_BITS>(self.registry.complete.mask.val()) << 194);
                self.completions.out_ready.next = self.complete.ready.val();
                self.complete.kind.next = bit_cast::<2, 1>(self.completions.out_data.val().get_bits::<1>(0));
                self.complete.src.next = self.completions.out_data.val().get_bits::<16>(1);
                self.complete.op.next = self.completions.out_data.val().get_bits::<OP_BITS>(17);
                self.complete.base.next = self.completions.out_data.val().get_bits::<64>(41);
                self.complete.bytes.next = self.completions.out_data.val().get_bits::<32>(105);
                self.complete.packets.next = self.completions.out_data.val().get_bits::<16>(137);
                self.complete.status.next = self.completions.out_data.val().get_bits::<8>(153);
                self.complete.imm_valid.next = self.completions.out_data.val().get_bit(161);
                self.complete.imm.next = self.completions.out_data.val().get_bits::<32>(162);
                self.complete.mask.next = self.completions.out_data.val().get_bits::<MASK_BITS>(194);

                // The bus of the memory writer.
                TaggedWrites::link(&mut self.m_axi, &mut self.writer.m_axi);
            }
            $($own)*
        }
    };
}

pub(crate) use delivering;
