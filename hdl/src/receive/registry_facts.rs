//! Of the rows of the receive registry: what they say of the packet at stages 2 and 3, with what the packets in front have done, and
//! what stage 4 stores.

macro_rules! registry_facts {
    ($(#$attribute:tt)* pub struct $name:ident { $($fields:tt)* } { $($statements:tt)* }) => {
        $crate::given! {
            [] of []
            { $(#$attribute)* pub struct $name }
            { $($fields)* }
            { $($statements)* }
            {
                // Stage 2. What the packet before the one in front did is known now, and goes into `a`.
                self.take_2.next = self.key_2_2.q.val() && self.q_register.q.val();
                self.held_2.next = self.any_2.val() && !(self.key_2_2.q.val() && self.q_ends.q.val());
                self.held.up_equal.next = self.up_equal.val();
                self.held.up_above.next = self.up_above.val();
                self.held.lo.next = self.lo_2.q.val();
                self.held.offset.next = self.offset_2.q.val();
                self.held.length.next = self.length_2.q.val();
                self.held.full_length.next = self.full_length_2.q.val();
                self.held.count.next = self.count_2.q.val();
                self.held.op_bytes.next = self.op_bytes_2.q.val();
                self.held_generation.next = self.stored.read_data.val().get_bits::<GENERATION_BITS>(0);
                self.held.base_lo.next = self.stored.read_data.val().get_bits::<POSITION_BITS>(GENERATION_BITS);
                self.held.base_count.next = self.stored.read_data.val().get_bits::<POSITION_COUNT_BITS>(GENERATION_BITS + POSITION_BITS);
                self.held.base_wraps.next = self
                    .stored
                    .read_data
                    .val()
                    .get_bit(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS + 32 + BLOCK_BITS);
                self.held.base_end.next =
                    self.stored.read_data.val().get_bits::<POSITION_BITS>(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS);
                self.held.base_last_length.next = self
                    .stored
                    .read_data
                    .val()
                    .get_bits::<PACKET_COUNT_BITS>(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS);
                self.held.base_op_bytes.next = self
                    .stored
                    .read_data
                    .val()
                    .get_bits::<32>(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS);
                self.generation_equal.next = self.generation_2.q.val() == self.held_generation.val();
                self.generation_distance.next = self.generation_2.q.val() - self.held_generation.val();
                self.up_equal.next = false;
                self.up_above.next = false;
                self.present.next = false;
                self.one_left.next = false;
                self.two_left.next = false;
                self.three_left.next = false;
                self.row_fresh.next = false;
                self.any_2.next = false;
                self.meets_other.next = false;
                self.meets_key.next = false;
                self.row_a.next = bits::<ROWS>(0);
                for i in 0..ROWS {
                    self.row_a.next = self.row_a.val().replace_bit(
                        i,
                        (self.take_2.val() && self.row_4.q.val().get_bit(i)) || (!self.take_2.val() && self.row[i].r2_hit.val()),
                    );
                    self.any_2.next = self.any_2.val() || self.row[i].r2_hit.val();
                    self.up_equal.next = self.up_equal.val() || (self.row[i].r2_hit.val() && self.row[i].r2_equal.val());
                    self.up_above.next = self.up_above.val() || (self.row[i].r2_hit.val() && self.row[i].r2_above.val());
                    self.present.next = self.present.val() || (self.row[i].r2_hit.val() && self.row[i].r2_present.val());
                    self.one_left.next = self.one_left.val() || (self.row[i].r2_hit.val() && self.row[i].one_missing.val());
                    self.two_left.next = self.two_left.val() || (self.row[i].r2_hit.val() && self.row[i].two_missing.val());
                    self.three_left.next = self.three_left.val() || (self.row[i].r2_hit.val() && self.row[i].three_missing.val());
                    self.row_fresh.next = self.row_fresh.val() || (self.row[i].r2_hit.val() && self.fresh_rows.val().get_bit(i));
                    // Overlap with the operation that the packet in front may end, and with all others.
                    self.meets_key.next =
                        self.meets_key.val() || (self.row[i].r2_overlap.val() && self.row[i].live.val() && self.key_row.val().get_bit(i));
                    self.meets_other.next = self.meets_other.val()
                        || (self.row[i].r2_overlap.val() && self.row[i].live.val() && !self.key_row.val().get_bit(i));
                }
                // The upper half of the circle is older, its middle included.
                self.a_live.d.next = self.held_2.val() && self.generation_equal.val();
                self.a_other.d.next = self.held_2.val() && !self.generation_equal.val();
                self.a_behind.d.next = self.held_2.val() && self.generation_distance.val().get_bit(GENERATION_BITS - 1);
                // An operation that the newer one has superseded is the older reference still.
                self.distance_c.next = self.generation_2.q.val() - self.generation_4.q.val();
                if self.take_2.val() {
                    self.a_live.d.next = self.generation_2.q.val() == self.generation_4.q.val();
                    self.a_other.d.next = self.generation_2.q.val() != self.generation_4.q.val();
                    self.a_behind.d.next = self.distance_c.val().get_bit(GENERATION_BITS - 1)
                        || (self.any_2.val() && self.generation_distance.val().get_bit(GENERATION_BITS - 1));
                }
                self.second.up_equal.next = self.up_2_2.val();
                self.second.up_above.next = self.place_second.above.val();
                self.second.lo.next = self.lo_2.q.val();
                self.second.offset.next = self.offset_2.q.val();
                self.second.length.next = self.length_2.q.val();
                self.second.full_length.next = self.full_length_2.q.val();
                self.second.count.next = self.count_2.q.val();
                self.second.op_bytes.next = self.op_bytes_2.q.val();
                self.second.base_lo.next = self.lo_4.q.val();
                self.second.base_count.next = self.count_4.q.val();
                self.second.base_end.next = self.end_4.q.val();
                self.second.base_wraps.next = self.wraps_4.q.val();
                self.second.base_last_length.next = self.last_length_4.q.val();
                self.second.base_op_bytes.next = self.op_bytes_4.q.val();
                self.a_past.d.next = self.held.past.val();
                self.a_wraps.d.next = self
                    .stored
                    .read_data
                    .val()
                    .get_bit(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS + 32 + BLOCK_BITS);
                self.a_up_equal.d.next = self.up_equal.val();
                self.a_up_above.d.next = self.up_above.val();
                self.a_before.d.next = self.held.before.val();
                self.a_before_end.d.next = self.held.before_end.val();
                self.a_length_ok.d.next = self.held.length_ok.val();
                self.a_same_place.d.next = self.held.same_place.val();
                self.a_same_bytes_low.d.next = self.held.same_bytes_low.val();
                self.a_same_bytes_high.d.next = self.held.same_bytes_high.val();
                self.a_position.d.next = self.held.position.val();
                self.a_takes_c.d.next = self.take_2.val();
                self.c_right_up.d.next = self.second.right_up.val();
                self.c_in_block.d.next = self.second.fits.val() && self.second.before_end.val();
                self.c_length_ok.d.next = self.second.length_ok.val();
                self.c_same.d.next =
                    self.second.same_place.val() && self.up_2_2.val()
                        && self.second.same_bytes_low.val() && self.second.same_bytes_high.val();
                self.c_position.d.next = self.second.position.val();
                // The third packet in front entered the mask of the operation that a start behind it has taken the place of, if one has.
                self.a_duplicate.d.next = (!self.take_2.val() && self.present.val())
                    || (self.key_2_2.q.val() && self.up_2_2.val() && self.lo_2_2.q.val()
                        && (self.q_register.q.val() || self.q_accept.q.val()))
                    || (!self.take_2.val() && self.key_3_2.q.val() && self.up_3_2.val() && self.lo_3_2.q.val() && self.q5_accept.q.val());
                self.a_one.d.next = self.one_left.val();
                self.a_two.d.next = self.two_left.val();
                // The packet before the one in front enters the mask in this clock.
                if self.key_2_2.q.val() && self.q_accept.q.val() {
                    self.a_one.d.next = self.two_left.val();
                    self.a_two.d.next = self.three_left.val();
                }
                if self.take_2.val() {
                    self.a_one.d.next = self.one_4.q.val();
                    self.a_two.d.next = self.two_4.q.val();
                }
                self.a_fresh.d.next = self.row_fresh.val() || (self.key_2_2.q.val() && (self.q_register.q.val() || self.q_accept.q.val()));
                self.a_row.d.next = self.row_a.val();
                self.a_number.d.next = self.a_number_2.q.val();
                if self.take_2.val() {
                    self.a_number.d.next = self.number_4.q.val();
                }
                self.front.up_equal.next = self.up_1_2.val();
                self.front.up_above.next = self.place_front.above.val();
                self.front.lo.next = self.lo_2.q.val();
                self.front.offset.next = self.offset_2.q.val();
                self.front.length.next = self.length_2.q.val();
                self.front.full_length.next = self.full_length_2.q.val();
                self.front.count.next = self.count_2.q.val();
                self.front.op_bytes.next = self.op_bytes_2.q.val();
                self.front.base_lo.next = self.lo_3.q.val();
                self.front.base_count.next = self.count_3.q.val();
                self.front.base_end.next = self.end_3.q.val();
                self.front.base_wraps.next = self.wraps_3.q.val();
                self.front.base_last_length.next = self.last_length_3.q.val();
                self.front.base_op_bytes.next = self.op_bytes_3.q.val();
                self.b_length_ok.d.next = self.front.length_ok.val();
                self.b_position.d.next = self.front.position.val();
                self.b_right_up.d.next = self.front.right_up.val();
                self.b_in_block.d.next = self.front.fits.val() && self.front.before_end.val();
                self.b_same.d.next =
                    self.front.same_place.val() && self.up_1_2.val() && self.front.same_bytes_low.val() && self.front.same_bytes_high.val();
                self.distance_b.next = self.generation_2.q.val() - self.generation_3.q.val();
                self.b_key.d.next = self.key_1_2.q.val();
                self.b_op.d.next = self.key_1_2.q.val() && (self.generation_2.q.val() == self.generation_3.q.val());
                self.b_behind.d.next = self.distance_b.val().get_bit(GENERATION_BITS - 1);
                self.b_block.d.next = self.key_1_2.q.val() && self.up_1_2.val() && self.lo_1_2.q.val();
                self.b_two.d.next = self.count_3.q.val() == bits::<POSITION_COUNT_BITS>(2);
                self.q3_meets_other.d.next = self.meets_other.val();
                self.q3_meets_key.d.next = self.meets_key.val();
                // ... and with the one that it may register.
                self.q3_meets_front.d.next = self.other_1_2.q.val() && self.place_front.meets.val();

                // Stage 3: with what the packet in front did.
                self.ended.next = self.b_key.q.val() && self.q_ends.q.val();
                self.takes_b.next = self.b_op.q.val() && self.q_register.q.val();
                self.live.next = self.a_live.q.val() && !self.ended.val();
                self.other_live.next = self.a_other.q.val() && !self.ended.val();
                self.live_behind.next = self.a_behind.q.val() && !self.ended.val();
                if self.registered.val() {
                    self.live.next = self.b_op.q.val();
                    self.other_live.next = !self.b_op.q.val();
                    self.live_behind.next = self.b_behind.q.val() || self.a_behind.q.val();
                }
                self.a_fits.next = (!self.a_before.q.val() && !self.a_past.q.val())
                    || (self.a_wraps.q.val() && (!self.a_before.q.val() || !self.a_past.q.val()));
                self.in_range.next = self.a_fits.val()
                    && self.a_before_end.q.val()
                    && ((self.a_up_equal.q.val() && !self.a_before.q.val()) || (self.a_up_above.q.val() && self.a_before.q.val()));
                self.length_ok.next = self.a_length_ok.q.val();
                self.same_start.next =
                    self.a_same_place.q.val() && self.a_up_equal.q.val() && self.a_same_bytes_low.q.val() && self.a_same_bytes_high.q.val();
                self.position.next = self.a_position.q.val();
                if self.a_takes_c.q.val() {
                    self.in_range.next = self.c_right_up.q.val() && self.c_in_block.q.val();
                    self.length_ok.next = self.c_length_ok.q.val();
                    self.same_start.next = self.c_same.q.val();
                    self.position.next = self.c_position.q.val();
                }
                self.last.next = self.a_one.q.val();
                if self.b_key.q.val() && self.q_accept.q.val() {
                    self.last.next = self.a_two.q.val();
                }
                if self.takes_b.val() {
                    self.in_range.next = self.b_right_up.q.val() && self.b_in_block.q.val();
                    self.length_ok.next = self.b_length_ok.q.val();
                    self.same_start.next = self.b_same.q.val();
                    self.position.next = self.b_position.q.val();
                    self.last.next = self.b_two.q.val();
                }
                self.duplicate.next = (!self.registered.val() && self.a_duplicate.q.val())
                    || (self.b_block.q.val() && (self.q_register.q.val() || self.q_accept.q.val()));
                self.fresh.next = self.a_fresh.q.val() || (self.b_key.q.val() && (self.q_register.q.val() || self.q_accept.q.val()));
                self.overlap.next = self.q3_meets_other.q.val()
                    || (self.q3_meets_key.q.val() && !self.q_ends.q.val())
                    || (self.q3_meets_front.q.val() && self.q_register.q.val());
                self.ends.next = self.completes.val() || self.release.val() || self.supersede.val();
                self.q4_position.d.next = self.position.val();
                self.arrival.next = bits::<MASK_BITS>(1) << self.q4_position.q.val();
                for i in 0..ROWS {
                    self.row[i].load.next = self.row_3.q.val().get_bit(i);
                    self.row[i].register.next = self.register.val() && self.row_3.q.val().get_bit(i);
                    self.row[i].start_mask.next = self.s3_initial_mask.val();
                    self.row[i].start_missing.next = self.last_3.q.val();
                    self.row[i].accept.next = self.q_accept.q.val() && self.q4_row.q.val().get_bit(i);
                    self.row[i].arrival.next = self.arrival.val();
                    self.row[i].ends.next = self.ends.val() && self.key_row.val().get_bit(i);
                }
                self.q_register.d.next = self.register.val();
                self.q_accept.d.next = self.accept.val();
                self.q_ends.d.next = self.ends.val();
                self.q_more.d.next = self.register.val() && !self.supersede.val();
                self.q_less.d.next = self.ends.val() && !self.register.val();

                // Entries, without and with what the packet in front did.
                self.total_next.next = self.total.q.val();
                if self.q_more.q.val() {
                    self.total_next.next = self.total.q.val() + 1;
                }
                if self.q_less.q.val() {
                    self.total_next.next = self.total.q.val() - 1;
                }
                self.total.d.next = self.total_next.val();
                self.at_limit.d.next = self.total_next.val() == self.entries.val();
                self.below_limit.d.next = (self.total_next.val() + 1) == self.entries.val();
                self.full.next = (self.at_limit.q.val() && !self.q_less.q.val()) || (self.below_limit.q.val() && self.q_more.q.val());
                self.live_count.next = self.total.q.val();
                self.one_more.next = self.q_more.q.val();
                self.one_less.next = self.q_less.q.val();

                // Stage 4: what is stored of a row that has ended stays readable for this clock.
                self.q4_item.d.next = self.key_number.val();
                if self.register.val() {
                    self.q4_item.d.next = self.number_3.q.val();
                }
                self.q4_number.d.next = self.key_number.val();
                self.q4_row.d.next = self.key_row.val();
                self.touch.next = self.q_register.q.val() || self.q_accept.q.val();
                self.item_row.next = self.q4_item.q.val();
                self.ended_entry.row.next = self.q4_number.q.val();
                self.ended_entry.generation.next = self.stored_ended.read_data.val().get_bits::<GENERATION_BITS>(0);
                self.ended_entry.lo.next = self.stored_ended.read_data.val().get_bits::<POSITION_BITS>(GENERATION_BITS);
                self.ended_entry.count.next =
                    self.stored_ended.read_data.val().get_bits::<POSITION_COUNT_BITS>(GENERATION_BITS + POSITION_BITS);
                self.ended_entry.op_bytes.next = self
                    .stored_ended
                    .read_data
                    .val()
                    .get_bits::<32>(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS);
                self.ended_entry.up.next = self
                    .stored_ended
                    .read_data
                    .val()
                    .get_bits::<BLOCK_BITS>(GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS + 32);
                self.immediates.write_enable.next = self.q_register.q.val() || (self.q_accept.q.val() && self.s4_imm_valid.val());
                self.immediates.write_address.next = self.q4_item.q.val();
                self.immediates.write_data.next =
                    bit_cast::<33, 32>(self.s4_imm.val()) | (bit_cast::<33, 1>(self.s4_imm_valid.val().into()) << 32);
                self.immediates.read_address.next = self.q4_number.q.val();
                self.ended_entry.imm.next = self.immediates.read_data.val().get_bits::<32>(0);
                self.ended_entry.imm_valid.next = self.immediates.read_data.val().get_bit(32);
                // A packet that ends its operation brings its own.
                if self.q_accept.q.val() && self.s4_imm_valid.val() {
                    self.ended_entry.imm.next = self.s4_imm.val();
                    self.ended_entry.imm_valid.next = true;
                }
                // ... and its own bit.
                self.ended_entry.mask.next = bits::<MASK_BITS>(0);
                if self.q_accept.q.val() {
                    self.ended_entry.mask.next = self.arrival.val();
                }
                for i in 0..ROWS {
                    if self.q4_row.q.val().get_bit(i) {
                        self.ended_entry.mask.next = self.ended_entry.mask.val() | self.row[i].mask.val();
                    }
                }

                // The timer's row.
                self.sources.write_enable.next = self.start_2.q.val();
                self.sources.write_address.next = self.number_2.q.val();
                self.sources.write_data.next = self.src_2.q.val();
                self.sources.read_address.next = self.timer_row.val();
                self.generations.write_enable.next = self.start_2.q.val();
                self.generations.write_address.next = self.number_2.q.val();
                self.generations.write_data.next = self.generation_2.q.val();
                self.generations.read_address.next = self.timer_row.val();
                self.indices.write_enable.next = self.start_2.q.val();
                self.indices.write_address.next = self.number_2.q.val();
                self.indices.write_data.next = self.index_2.q.val();
                self.indices.read_address.next = self.timer_row.val();
                self.q_timer_src.d.next = self.sources.read_data.val();
                self.q_timer_generation.d.next = self.generations.read_data.val();
                self.q_timer_index.d.next = self.indices.read_data.val();
                self.timer.src.next = self.q_timer_src.q.val();
                self.timer.generation.next = self.q_timer_generation.q.val();
                self.timer.index.next = self.q_timer_index.q.val();
                if self.rst.val() {
                    self.next_row.d.next = bits::<ROWS>(1);
                }
            }
        }
    };
}

pub(crate) use registry_facts;
