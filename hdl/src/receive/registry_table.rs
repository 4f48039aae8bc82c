use super::{BesidePart, EndedEntry, PositionCheck, RangeMeet, RegistryRow, TimedEntry};
use crate::Described;
use crate::primitives::{LutRam, OneHotFirst, Reg, State};
use crate::sizes::*;
use rust_hdl::prelude::*;

const _: () = assert!(BLOCK_BITS <= 52 && BLOCK_BITS + POSITION_BITS + PACKET_COUNT_BITS == 65, "an operation has at least 4096 bytes");

super::registry_facts! {
    /// The rows of the receive registry, and what they say together about the packet at stage 3.
    ///
    /// At most one live row has a source and index, so a packet is compared with one operation: stage 1 finds the row and reads its mask,
    /// stage 2 reads what is stored of it and compares. What stage 3 decides of a packet makes a row live or ends it; the packet enters the
    /// mask, and the number of missing packets, at stage 4. So three packets in front are compared with each packet at stage 1, and what
    /// they did is added: of the third, its bit at stage 2; of the second, all at stage 2 (`a`); of the first, all at stage 3 (`b`). Should
    /// the second or the first register the packet's operation, its own header is what the packet is compared with (`c`, `b`).
    /// `ROWS` is E + 4: a start gets a row as it passes stage 1, so there must be one for each that is on its way. `live` never holds more
    /// than E.
    /// `ENTRY_BITS` = `GENERATION_BITS + BLOCK_BITS + 2 * POSITION_BITS + POSITION_COUNT_BITS + PACKET_COUNT_BITS + 33` bits are stored of
    /// an operation.
    /// Latency: 2 clocks from `s1_*` to the facts; `ended_*` one clock after the action. Throughput: one packet per clock.
    /// Reset: no row is live. Spec: receive registry, "Matching", "Decided".
    #[derive(Described, LogicBlock)]
    #[described(blank)]
    pub struct RegistryTable {
        /// clock
        pub clk: Signal<In, Clock>,
        /// synchronous, active high
        pub rst: Signal<In, Bit>,
        /// stage 1: the packet is a start and gets a row
        pub s1_start: Signal<In, Bit>,
        /// stage 1: source
        pub s1_src: Signal<In, Bits<NODE_BITS>>,
        /// stage 1: generation
        pub s1_generation: Signal<In, Bits<GENERATION_BITS>>,
        /// stage 1: op index
        pub s1_index: Signal<In, Bits<OP_INDEX_BITS>>,
        /// stage 1: block number, upper bits
        pub s1_up: Signal<In, Bits<BLOCK_BITS>>,
        /// stage 1: block number, lower bits
        pub s1_lo: Signal<In, Bits<POSITION_BITS>>,
        /// stage 1: bytes behind the start of the block
        pub s1_offset: Signal<In, Bits<PACKET_COUNT_BITS>>,
        /// stage 1: payload bytes, all ones if they do not fit
        pub s1_length: Signal<In, Bits<PACKET_COUNT_BITS>>,
        /// stage 1: the payload is P bytes
        pub s1_full_length: Signal<In, Bit>,
        /// stage 1: packets of the operation
        pub s1_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
        /// stage 1: bytes of the last packet
        pub s1_last_length: Signal<In, Bits<PACKET_COUNT_BITS>>,
        /// stage 1: bytes of the operation
        pub s1_op_bytes: Signal<In, Bits<32>>,
        /// stage 3: initial mask of the start
        pub s3_initial_mask: Signal<In, Bits<MASK_BITS>>,
        /// stage 3: the start registers
        pub register: Signal<In, Bit>,
        /// stage 3: the packet is accepted; it enters the mask one clock later
        pub accept: Signal<In, Bit>,
        /// stage 3: ... and completes it
        pub completes: Signal<In, Bit>,
        /// stage 3: the operation of the same op ends
        pub release: Signal<In, Bit>,
        /// stage 3: the older operation of the same index ends
        pub supersede: Signal<In, Bit>,
        /// stage 4: the packet carries an immediate
        pub s4_imm_valid: Signal<In, Bit>,
        /// stage 4: the immediate
        pub s4_imm: Signal<In, Bits<32>>,
        /// rows with progress since the timer looked, one clock behind `touch`
        pub fresh_rows: Signal<In, Bits<ROWS>>,

        /// stage 3: an operation of the same source and op
        pub live: Signal<Out, Bit>,
        /// ... the first byte is in its range
        pub in_range: Signal<Out, Bit>,
        /// ... the payload is what the position carries
        pub length_ok: Signal<Out, Bit>,
        /// ... the start is the one that registered it
        pub same_start: Signal<Out, Bit>,
        /// ... the packet was here before
        pub duplicate: Signal<Out, Bit>,
        /// ... no other packet is missing
        pub last: Signal<Out, Bit>,
        /// ... it had progress since the timer looked
        pub fresh: Signal<Out, Bit>,
        /// stage 3: position of the packet
        pub position: Signal<Out, Bits<POSITION_BITS>>,
        /// stage 3: an operation of the same source and index, other generation
        pub other_live: Signal<Out, Bit>,
        /// ... which is newer
        pub live_behind: Signal<Out, Bit>,
        /// stage 3: the range meets another operation of the source
        pub overlap: Signal<Out, Bit>,
        /// stage 3: every entry is in use
        pub full: Signal<Out, Bit>,

        /// rows in use
        pub live_rows: Signal<Out, Bits<ROWS>>,
        /// rows in use, number, one clock ago
        pub live_count: Signal<Out, Bits<ROW_COUNT_BITS>>,
        /// stage 4: a row got a new packet
        pub touch: Signal<Out, Bit>,
        /// stage 4: there is one entry more
        pub one_more: Signal<Out, Bit>,
        /// stage 4: there is one entry less
        pub one_less: Signal<Out, Bit>,
        /// stage 4: the row of the packet
        pub item_row: Signal<Out, Bits<ROW_BITS>>,
        #[port = "ended"]
        pub ended_entry: EndedEntry,

        /// row that the timer looks at
        pub timer_row: Signal<In, Bits<ROW_BITS>>,
        pub timer: TimedEntry,

        row: [RegistryRow; ROWS],
        stored: LutRam<ENTRY_BITS, ROW_BITS>,
        stored_ended: LutRam<ENTRY_BITS, ROW_BITS>,
        sources: LutRam<NODE_BITS, ROW_BITS>,
        generations: LutRam<GENERATION_BITS, ROW_BITS>,
        indices: LutRam<OP_INDEX_BITS, ROW_BITS>,
        immediates: LutRam<33, ROW_BITS>,
        held: PositionCheck<POSITION_BITS, POSITION_COUNT_BITS, PACKET_COUNT_BITS>,
        front: PositionCheck<POSITION_BITS, POSITION_COUNT_BITS, PACKET_COUNT_BITS>,
        second: PositionCheck<POSITION_BITS, POSITION_COUNT_BITS, PACKET_COUNT_BITS>,
        place_front: RangeMeet<BLOCK_BITS, POSITION_BITS, POSITION_COUNT_BITS>,
        place_second: RangeMeet<BLOCK_BITS, POSITION_BITS, POSITION_COUNT_BITS>,
        entries: Constant<Bits<ROW_COUNT_BITS>>,
        // The row of the next start, as one bit and as a number.
        free_rows: Signal<Local, Bits<ROWS>>,
        first_free: OneHotFirst<ROWS>,
        next_row: Reg<Bits<ROWS>>,
        next_index: Signal<Local, Bits<ROW_BITS>>,
        next_number: Signal<Local, Bits<ROW_BITS>>,
        start_2: State<Bit>,
        row_1: Signal<Local, Bits<ROWS>>,
        row_2: State<Bits<ROWS>>,
        row_3: State<Bits<ROWS>>,
        // `row_2` or `row_3`, for the choice of the next.
        coming: State<Bits<ROWS>>,
        row_4: Reg<Bits<ROWS>>,
        number_2: Reg<Bits<ROW_BITS>>,
        number_3: Reg<Bits<ROW_BITS>>,
        number_4: Reg<Bits<ROW_BITS>>,
        // The packets in the pipeline.
        src_2: Reg<Bits<NODE_BITS>>,
        index_2: Reg<Bits<OP_INDEX_BITS>>,
        src_3: Reg<Bits<NODE_BITS>>,
        index_3: Reg<Bits<OP_INDEX_BITS>>,
        generation_2: Reg<Bits<GENERATION_BITS>>,
        up_2: Reg<Bits<BLOCK_BITS>>,
        lo_2: Reg<Bits<POSITION_BITS>>,
        count_2: Reg<Bits<POSITION_COUNT_BITS>>,
        last_2: Reg<Bits<POSITION_BITS>>,
        end_2: Reg<Bits<POSITION_BITS>>,
        wraps_2: Reg<Bit>,
        wraps_3: Reg<Bit>,
        wraps_4: Reg<Bit>,
        last_length_2: Reg<Bits<PACKET_COUNT_BITS>>,
        op_bytes_2: Reg<Bits<32>>,
        generation_3: Reg<Bits<GENERATION_BITS>>,
        up_3: Reg<Bits<BLOCK_BITS>>,
        lo_3: Reg<Bits<POSITION_BITS>>,
        count_3: Reg<Bits<POSITION_COUNT_BITS>>,
        last_3: Reg<Bits<POSITION_BITS>>,
        end_3: Reg<Bits<POSITION_BITS>>,
        last_length_3: Reg<Bits<PACKET_COUNT_BITS>>,
        op_bytes_3: Reg<Bits<32>>,
        generation_4: Reg<Bits<GENERATION_BITS>>,
        up_4: Reg<Bits<BLOCK_BITS>>,
        lo_4: Reg<Bits<POSITION_BITS>>,
        count_4: Reg<Bits<POSITION_COUNT_BITS>>,
        one_4: Reg<Bit>,
        two_4: Reg<Bit>,
        end_4: Reg<Bits<POSITION_BITS>>,
        last_length_4: Reg<Bits<PACKET_COUNT_BITS>>,
        op_bytes_4: Reg<Bits<32>>,
        offset_2: Reg<Bits<PACKET_COUNT_BITS>>,
        length_2: Reg<Bits<PACKET_COUNT_BITS>>,
        full_length_2: Reg<Bit>,
        last_1: Signal<Local, Bits<POSITION_COUNT_BITS>>,
        part_0: BesidePart<13>,
        part_1: BesidePart<13>,
        part_2: BesidePart<13>,
        part_3: BesidePart<13>,
        beside_0_2: Reg<Bits<13>>,
        beside_1_2: Reg<Bits<13>>,
        beside_2_2: Reg<Bits<13>>,
        beside_3_2: Reg<Bits<13>>,
        turn_0_2: Reg<Bit>,
        turn_1_2: Reg<Bit>,
        turn_2_2: Reg<Bit>,
        kept_1: Signal<Local, Bits<13>>,
        kept_2: Signal<Local, Bits<13>>,
        kept_3: Signal<Local, Bits<13>>,
        beside_2: Signal<Local, Bits<BLOCK_BITS>>,
        beside_3: Reg<Bits<BLOCK_BITS>>,
        end_1: Signal<Local, Bits<POSITION_COUNT_BITS>>,
        last_low: Signal<Local, Bits<POSITION_BITS>>,
        end_low: Signal<Local, Bits<POSITION_BITS>>,
        // Stage 1: the row of the packet's source and index, and the packets in front.
        hit_index: Signal<Local, Bits<ROW_BITS>>,
        hit_number: Signal<Local, Bits<ROW_BITS>>,
        entry: Signal<Local, Bits<ENTRY_BITS>>,
        any_2: Signal<Local, Bit>,
        a_number_2: Reg<Bits<ROW_BITS>>,
        src_1_2: Signal<Local, Bit>,
        index_1_2: Signal<Local, Bit>,
        key_1_2: Reg<Bit>,
        other_1_2: Reg<Bit>,
        key_2_2: Reg<Bit>,
        up_1_2: Signal<Local, Bit>,
        up_2_2: Signal<Local, Bit>,
        lo_1_2: Reg<Bit>,
        lo_2_2: Reg<Bit>,
        // the packet that was at stage 4 when this one was at stage 1: it entered the mask then
        src_4: Reg<Bits<NODE_BITS>>,
        index_4: Reg<Bits<OP_INDEX_BITS>>,
        key_3_2: Reg<Bit>,
        up_3_2: Signal<Local, Bit>,
        low_3_2: Reg<Bit>,
        middle_3_2: Reg<Bit>,
        high_3_2: Reg<Bit>,
        lo_3_2: Reg<Bit>,
        q5_accept: Reg<Bit>,
        // Stage 2: the row as the packet before the one in front left it (`a`), or as that one registered it (`c`); and what the one in
        // front would register (`b`).
        take_2: Signal<Local, Bit>,
        held_2: Signal<Local, Bit>,
        row_a: Signal<Local, Bits<ROWS>>,
        held_generation: Signal<Local, Bits<GENERATION_BITS>>,
        generation_equal: Signal<Local, Bit>,
        generation_distance: Signal<Local, Bits<GENERATION_BITS>>,
        up_equal: Signal<Local, Bit>,
        up_above: Signal<Local, Bit>,
        present: Signal<Local, Bit>,
        one_left: Signal<Local, Bit>,
        two_left: Signal<Local, Bit>,
        three_left: Signal<Local, Bit>,
        row_fresh: Signal<Local, Bit>,
        meets_other: Signal<Local, Bit>,
        meets_key: Signal<Local, Bit>,
        distance_b: Signal<Local, Bits<GENERATION_BITS>>,
        distance_c: Signal<Local, Bits<GENERATION_BITS>>,
        a_live: Reg<Bit>,
        a_other: Reg<Bit>,
        a_behind: Reg<Bit>,
        a_past: Reg<Bit>,
        a_wraps: Reg<Bit>,
        a_fits: Signal<Local, Bit>,
        a_up_equal: Reg<Bit>,
        a_up_above: Reg<Bit>,
        a_before: Reg<Bit>,
        a_before_end: Reg<Bit>,
        a_length_ok: Reg<Bit>,
        a_same_place: Reg<Bit>,
        a_same_bytes_low: Reg<Bit>,
        a_same_bytes_high: Reg<Bit>,
        a_position: Reg<Bits<POSITION_BITS>>,
        a_takes_c: Reg<Bit>,
        c_right_up: Reg<Bit>,
        c_in_block: Reg<Bit>,
        c_length_ok: Reg<Bit>,
        c_same: Reg<Bit>,
        c_position: Reg<Bits<POSITION_BITS>>,
        a_duplicate: Reg<Bit>,
        a_one: Reg<Bit>,
        a_two: Reg<Bit>,
        a_fresh: Reg<Bit>,
        a_row: Reg<Bits<ROWS>>,
        a_number: Reg<Bits<ROW_BITS>>,
        b_key: Reg<Bit>,
        b_op: Reg<Bit>,
        b_behind: Reg<Bit>,
        b_block: Reg<Bit>,
        b_two: Reg<Bit>,
        b_length_ok: Reg<Bit>,
        b_position: Reg<Bits<POSITION_BITS>>,
        b_right_up: Reg<Bit>,
        b_in_block: Reg<Bit>,
        b_same: Reg<Bit>,
        q3_meets_other: Reg<Bit>,
        q3_meets_key: Reg<Bit>,
        q3_meets_front: Reg<Bit>,
        // Stage 3: with what the packet in front did.
        q_register: State<Bit>,
        q_accept: State<Bit>,
        q_ends: State<Bit>,
        q_more: State<Bit>,
        q_less: State<Bit>,
        registered: Signal<Local, Bit>,
        takes_b: Signal<Local, Bit>,
        ended: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        key_row: Signal<Local, Bits<ROWS>>,
        key_number: Signal<Local, Bits<ROW_BITS>>,
        arrival: Signal<Local, Bits<MASK_BITS>>,
        total: State<Bits<ROW_COUNT_BITS>>,
        total_next: Signal<Local, Bits<ROW_COUNT_BITS>>,
        at_limit: State<Bit>,
        below_limit: State<Bit>,
        // Stage 4.
        q4_item: Reg<Bits<ROW_BITS>>,
        q4_number: Reg<Bits<ROW_BITS>>,
        q4_row: Reg<Bits<ROWS>>,
        q4_position: Reg<Bits<POSITION_BITS>>,
        q_timer_src: Reg<Bits<NODE_BITS>>,
        q_timer_generation: Reg<Bits<GENERATION_BITS>>,
        q_timer_index: Reg<Bits<OP_INDEX_BITS>>,
    }

    {
        // The row of the next start is chosen when a start takes the one before: one that is neither live nor on its way.
        self.live_rows.next = bits::<ROWS>(0);
        for i in 0..ROWS {
            self.live_rows.next = self.live_rows.val().replace_bit(i, self.row[i].live.val());
        }
        self.row_1.next = bits::<ROWS>(0);
        if self.s1_start.val() {
            self.row_1.next = self.next_row.q.val();
        }
        self.free_rows.next = !(self.live_rows.val() | self.next_row.q.val() | self.coming.q.val());
        self.first_free.request.next = self.free_rows.val();
        if self.s1_start.val() {
            self.next_row.d.next = self.first_free.first.val();
        }
        self.row_2.d.next = self.row_1.val();
        self.row_3.d.next = self.row_2.q.val();
        self.coming.d.next = self.row_1.val() | self.row_2.q.val();
        self.row_4.d.next = self.row_3.q.val();
        self.start_2.d.next = self.s1_start.val();
        self.next_number.next = bits::<ROW_BITS>(0);
        for i in 0..ROWS {
            self.next_index.next = bits::<ROW_BITS>(0);
            if self.next_row.q.val().get_bit(i) {
                self.next_index.next = i.to_bits::<ROW_BITS>();
            }
            self.next_number.next = self.next_number.val() | self.next_index.val();
        }
        self.number_2.d.next = self.next_number.val();
        self.number_3.d.next = self.number_2.q.val();
        self.number_4.d.next = self.number_3.q.val();

        // The packets in the pipeline.
        self.last_1.next = self.s1_count.val() - 1;
        // The neighbour on the side of the lowest bit, in four parts; a part is that of the neighbour if all below it turn.
        self.part_0.part.next = bit_cast::<13, BLOCK_BITS>(self.s1_up.val());
        self.part_0.lowest.next = self.s1_up.val().get_bit(0);
        self.part_1.part.next = bit_cast::<13, BLOCK_BITS>(self.s1_up.val() >> 13);
        self.part_1.lowest.next = self.s1_up.val().get_bit(0);
        self.part_2.part.next = bit_cast::<13, BLOCK_BITS>(self.s1_up.val() >> 26);
        self.part_2.lowest.next = self.s1_up.val().get_bit(0);
        self.part_3.part.next = bit_cast::<13, BLOCK_BITS>(self.s1_up.val() >> 39);
        self.part_3.lowest.next = self.s1_up.val().get_bit(0);
        self.beside_0_2.d.next = self.part_0.beside.val();
        self.beside_1_2.d.next = self.part_1.beside.val();
        self.beside_2_2.d.next = self.part_2.beside.val();
        self.beside_3_2.d.next = self.part_3.beside.val();
        self.turn_0_2.d.next = self.part_0.all_turn.val();
        self.turn_1_2.d.next = self.part_1.all_turn.val();
        self.turn_2_2.d.next = self.part_2.all_turn.val();
        self.kept_1.next = bit_cast::<13, BLOCK_BITS>(self.up_2.q.val() >> 13);
        self.kept_2.next = bit_cast::<13, BLOCK_BITS>(self.up_2.q.val() >> 26);
        self.kept_3.next = bit_cast::<13, BLOCK_BITS>(self.up_2.q.val() >> 39);
        if self.turn_0_2.q.val() {
            self.kept_1.next = self.beside_1_2.q.val();
        }
        if self.turn_0_2.q.val() && self.turn_1_2.q.val() {
            self.kept_2.next = self.beside_2_2.q.val();
        }
        if self.turn_0_2.q.val() && self.turn_1_2.q.val() && self.turn_2_2.q.val() {
            self.kept_3.next = self.beside_3_2.q.val();
        }
        self.beside_2.next = bit_cast::<BLOCK_BITS, 13>(self.beside_0_2.q.val())
            | (bit_cast::<BLOCK_BITS, 13>(self.kept_1.val()) << 13)
            | (bit_cast::<BLOCK_BITS, 13>(self.kept_2.val()) << 26)
            | (bit_cast::<BLOCK_BITS, 13>(self.kept_3.val()) << 39);
        self.src_2.d.next = self.s1_src.val();
        self.index_2.d.next = self.s1_index.val();
        self.src_3.d.next = self.src_2.q.val();
        self.index_3.d.next = self.index_2.q.val();
        self.generation_2.d.next = self.s1_generation.val();
        self.up_2.d.next = self.s1_up.val();
        self.beside_3.d.next = self.beside_2.val();
        self.lo_2.d.next = self.s1_lo.val();
        self.offset_2.d.next = self.s1_offset.val();
        self.length_2.d.next = self.s1_length.val();
        self.full_length_2.d.next = self.s1_full_length.val();
        self.count_2.d.next = self.s1_count.val();
        self.last_2.d.next = bit_cast::<POSITION_BITS, POSITION_COUNT_BITS>(self.last_1.val());
        self.last_low.next = bit_cast::<POSITION_BITS, POSITION_COUNT_BITS>(self.last_1.val());
        self.end_1.next = bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.s1_lo.val())
            + bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.last_low.val());
        self.end_low.next = bit_cast::<POSITION_BITS, POSITION_COUNT_BITS>(self.end_1.val());
        self.end_2.d.next = self.end_low.val();
        self.wraps_2.d.next = self.end_1.val().get_bit(POSITION_BITS);
        self.wraps_3.d.next = self.wraps_2.q.val();
        self.wraps_4.d.next = self.wraps_3.q.val();
        self.last_length_2.d.next = self.s1_last_length.val();
        self.op_bytes_2.d.next = self.s1_op_bytes.val();
        self.generation_3.d.next = self.generation_2.q.val();
        self.up_3.d.next = self.up_2.q.val();
        self.lo_3.d.next = self.lo_2.q.val();
        self.count_3.d.next = self.count_2.q.val();
        self.last_3.d.next = self.last_2.q.val();
        self.end_3.d.next = self.end_2.q.val();
        self.last_length_3.d.next = self.last_length_2.q.val();
        self.op_bytes_3.d.next = self.op_bytes_2.q.val();
        self.generation_4.d.next = self.generation_3.q.val();
        self.up_4.d.next = self.up_3.q.val();
        self.lo_4.d.next = self.lo_3.q.val();
        self.count_4.d.next = self.count_3.q.val();
        self.one_4.d.next = self.last_3.q.val() == bits::<POSITION_BITS>(1);
        self.two_4.d.next = self.last_3.q.val() == bits::<POSITION_BITS>(2);
        self.end_4.d.next = self.end_3.q.val();
        self.last_length_4.d.next = self.last_length_3.q.val();
        self.op_bytes_4.d.next = self.op_bytes_3.q.val();

        // Stage 1.
        self.hit_number.next = bits::<ROW_BITS>(0);
        for i in 0..ROWS {
            self.row[i].take.next = self.row_2.q.val().get_bit(i);
            self.row[i].s1_src.next = self.s1_src.val();
            self.row[i].s1_index.next = self.s1_index.val();
            self.row[i].s1_up.next = self.s1_up.val();
            self.row[i].s1_lo.next = self.s1_lo.val();
            self.row[i].s1_count.next = self.s1_count.val();
            self.row[i].s2_src.next = self.src_2.q.val();
            self.row[i].s2_index.next = self.index_2.q.val();
            self.row[i].s2_up.next = self.up_2.q.val();
            self.row[i].s2_beside.next = self.beside_2.val();
            self.row[i].s2_lo.next = self.lo_2.q.val();
            self.row[i].s2_count.next = self.count_2.q.val();
            self.hit_index.next = bits::<ROW_BITS>(0);
            if self.row[i].s1_hit.val() {
                self.hit_index.next = i.to_bits::<ROW_BITS>();
            }
            self.hit_number.next = self.hit_number.val() | self.hit_index.val();
        }
        // Stored at stage 2: nobody reads it before the start has passed stage 3. Low bits first: generation, lo, count, end,
        // last_length, op_bytes, up, wraps.
        self.entry.next = bit_cast::<ENTRY_BITS, GENERATION_BITS>(self.generation_2.q.val())
            | (bit_cast::<ENTRY_BITS, POSITION_BITS>(self.lo_2.q.val()) << GENERATION_BITS.to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, POSITION_COUNT_BITS>(self.count_2.q.val()) << (GENERATION_BITS + POSITION_BITS).to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, POSITION_BITS>(self.end_2.q.val())
                << (GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS).to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, PACKET_COUNT_BITS>(self.last_length_2.q.val())
                << (GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS).to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, 32>(self.op_bytes_2.q.val())
                << (GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS).to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, BLOCK_BITS>(self.up_2.q.val())
                << (GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS + 32).to_bits::<8>())
            | (bit_cast::<ENTRY_BITS, 1>(self.wraps_2.q.val().into())
                << (GENERATION_BITS + POSITION_BITS + POSITION_COUNT_BITS + POSITION_BITS + PACKET_COUNT_BITS + 32 + BLOCK_BITS)
                    .to_bits::<8>());
        self.stored.write_enable.next = self.start_2.q.val();
        self.stored.write_address.next = self.number_2.q.val();
        self.stored.write_data.next = self.entry.val();
        self.stored.read_address.next = self.a_number_2.q.val();
        self.stored_ended.write_enable.next = self.start_2.q.val();
        self.stored_ended.write_address.next = self.number_2.q.val();
        self.stored_ended.write_data.next = self.entry.val();
        self.stored_ended.read_address.next = self.q4_number.q.val();
        self.a_number_2.d.next = self.hit_number.val();
        self.src_1_2.next = self.s1_src.val() == self.src_2.q.val();
        self.index_1_2.next = self.s1_index.val() == self.index_2.q.val();
        self.key_1_2.d.next = self.src_1_2.val() && self.index_1_2.val();
        self.other_1_2.d.next = self.src_1_2.val() && !self.index_1_2.val();
        self.key_2_2.d.next = (self.s1_src.val() == self.src_3.q.val()) && (self.s1_index.val() == self.index_3.q.val());
        self.src_4.d.next = self.src_3.q.val();
        self.index_4.d.next = self.index_3.q.val();
        self.key_3_2.d.next = (self.s1_src.val() == self.src_4.q.val()) && (self.s1_index.val() == self.index_4.q.val());
        self.lo_3_2.d.next = self.s1_lo.val() == self.lo_4.q.val();
        self.q5_accept.d.next = self.q_accept.q.val();
        // The packet in front has not taken its row yet, and the one before it is compared as if it had none.
        self.place_front.s1_up.next = self.s1_up.val();
        self.place_front.s1_lo.next = self.s1_lo.val();
        self.place_front.s1_count.next = self.s1_count.val();
        self.place_front.up.next = self.up_2.q.val();
        self.place_front.beside.next = self.beside_2.val();
        self.place_front.lo.next = self.lo_2.q.val();
        self.place_front.count.next = self.count_2.q.val();
        self.up_1_2.next = self.place_front.equal.val();
        self.place_second.s1_up.next = self.s1_up.val();
        self.place_second.s1_lo.next = self.s1_lo.val();
        self.place_second.s1_count.next = self.s1_count.val();
        self.place_second.up.next = self.up_3.q.val();
        self.place_second.beside.next = self.beside_3.q.val();
        self.place_second.lo.next = self.lo_3.q.val();
        self.place_second.count.next = self.count_3.q.val();
        self.up_2_2.next = self.place_second.equal.val();
        // In three parts, as there.
        self.low_3_2.d.next = bit_cast::<17, BLOCK_BITS>(self.s1_up.val()) == bit_cast::<17, BLOCK_BITS>(self.up_4.q.val());
        self.middle_3_2.d.next = bit_cast::<16, BLOCK_BITS>(self.s1_up.val() >> 17) == bit_cast::<16, BLOCK_BITS>(self.up_4.q.val() >> 17);
        self.high_3_2.d.next = (self.s1_up.val() >> 33) == (self.up_4.q.val() >> 33);
        self.up_3_2.next = self.low_3_2.q.val() && self.middle_3_2.q.val() && self.high_3_2.q.val();
        self.lo_1_2.d.next = self.s1_lo.val() == self.lo_2.q.val();
        self.lo_2_2.d.next = self.s1_lo.val() == self.lo_3.q.val();

        // Stage 3: the row of the packet's source and index.
        self.registered.next = self.b_key.q.val() && self.q_register.q.val();
        self.key_row.next = self.a_row.q.val();
        self.key_number.next = self.a_number.q.val();
        if self.registered.val() {
            self.key_row.next = self.row_4.q.val();
            self.key_number.next = self.number_4.q.val();
        }

        // Stages 2 to 4 are in `registry_facts`.
    }
}

impl Default for RegistryTable {
    fn default() -> Self {
        Self { row: std::array::from_fn(|_| Default::default()), entries: Constant::new(((ROWS - 4) as u64).to_bits()), ..Self::blank() }
    }
}
