use super::RegistryRow;
use crate::Described;
use crate::primitives::{PopCount, Reg};
use rust_hdl::prelude::*;

/// The rows of the receive registry, and what they say together about the packet at stage 3.
///
/// `ROWS` is E + 4: starts take a row as they pass stage 1, so there must be one for each that is on its way. `live` never holds more than E.
/// Comparisons of a packet with the row that the start right in front of it took count if that start registered (`taken_by_previous`).
/// Latency: 2 clocks from `s1_*` to the facts; `ended_*` one clock after the action. Throughput: one packet per clock.
/// Reset: no row is live. Spec: receive registry, "Matching", "Decided", quotas.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct RegistryTable<
    const SW: usize,
    const GW: usize,
    const IW: usize,
    const UP: usize,
    const MW: usize,
    const CW: usize,
    const LW: usize,
    const M: usize,
    const ROWS: usize,
    const NODES: usize,
    const RW: usize,
    const RC: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// entries that one source may hold
    pub cfg_entry_quota: Signal<In, Bits<8>>,
    /// stage 1: the packet is a start and takes a row
    pub s1_start: Signal<In, Bit>,
    /// stage 1: source
    pub s1_src: Signal<In, Bits<SW>>,
    /// stage 1: generation
    pub s1_generation: Signal<In, Bits<GW>>,
    /// stage 1: op index
    pub s1_index: Signal<In, Bits<IW>>,
    /// stage 1: block number, upper bits
    pub s1_up: Signal<In, Bits<UP>>,
    /// stage 1: block number, lower bits
    pub s1_lo: Signal<In, Bits<MW>>,
    /// stage 1: bytes behind the start of the block
    pub s1_offset: Signal<In, Bits<LW>>,
    /// stage 1: payload bytes, all ones if they do not fit
    pub s1_length: Signal<In, Bits<LW>>,
    /// stage 1: the payload is P bytes
    pub s1_full_length: Signal<In, Bit>,
    /// stage 1: packets of the operation
    pub s1_count: Signal<In, Bits<CW>>,
    /// stage 1: bytes of the last packet
    pub s1_last_length: Signal<In, Bits<LW>>,
    /// stage 1: bytes of the operation
    pub s1_op_bytes: Signal<In, Bits<32>>,
    /// stage 3: initial mask of the start
    pub s3_initial_mask: Signal<In, Bits<M>>,
    /// stage 3: the start registers
    pub register: Signal<In, Bit>,
    /// stage 3: the packet enters the mask
    pub accept: Signal<In, Bit>,
    /// stage 3: the operation of the same op ends
    pub release: Signal<In, Bit>,
    /// stage 3: the older operation of the same index ends
    pub supersede: Signal<In, Bit>,
    /// stage 3: the packet carries an immediate
    pub imm_valid: Signal<In, Bit>,
    /// stage 3: the immediate
    pub imm: Signal<In, Bits<32>>,
    /// rows with progress since the timer looked
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
    /// ... the packet is the last that was missing
    pub last: Signal<Out, Bit>,
    /// ... it had progress since the timer looked
    pub fresh: Signal<Out, Bit>,
    /// stage 3: position of the packet
    pub position: Signal<Out, Bits<MW>>,
    /// stage 3: an operation of the same source and index, other generation
    pub other_live: Signal<Out, Bit>,
    /// ... which is newer
    pub live_behind: Signal<Out, Bit>,
    /// stage 3: the range meets another operation of the source
    pub overlap: Signal<Out, Bit>,
    /// stage 3: every entry is in use
    pub full: Signal<Out, Bit>,
    /// stage 3: the source is at its quota
    pub at_quota: Signal<Out, Bit>,

    /// rows in use
    pub live_rows: Signal<Out, Bits<ROWS>>,
    /// rows in use, number
    pub live_count: Signal<Out, Bits<RC>>,
    /// rows that get a new packet in this clock
    pub progress: Signal<Out, Bits<ROWS>>,
    /// one clock later: a row got a new packet
    pub touch: Signal<Out, Bit>,
    /// one clock later: the row of the packet
    pub item_row: Signal<Out, Bits<RW>>,
    /// one clock later: the row that ended
    pub ended_row: Signal<Out, Bits<RW>>,
    /// its generation
    pub ended_generation: Signal<Out, Bits<GW>>,
    /// its base, block number
    pub ended_up: Signal<Out, Bits<UP>>,
    /// its base, block number, lower bits
    pub ended_lo: Signal<Out, Bits<MW>>,
    /// its packets
    pub ended_count: Signal<Out, Bits<CW>>,
    /// its bytes
    pub ended_op_bytes: Signal<Out, Bits<32>>,
    /// its immediate is valid
    pub ended_imm_valid: Signal<Out, Bit>,
    /// its immediate
    pub ended_imm: Signal<Out, Bits<32>>,
    /// its mask
    pub ended_mask: Signal<Out, Bits<M>>,

    /// row that the timer looks at
    pub timer_row: Signal<In, Bits<RW>>,
    /// its source, one clock later
    pub timer_src: Signal<Out, Bits<SW>>,
    /// its generation
    pub timer_generation: Signal<Out, Bits<GW>>,
    /// its op index
    pub timer_index: Signal<Out, Bits<IW>>,

    row: [RegistryRow<SW, GW, IW, UP, MW, CW, LW, M>; ROWS],
    live_total: PopCount<ROWS, RC, NODES>,
    source_total: PopCount<ROWS, RC, NODES>,
    entries: Constant<Bits<RC>>,

    up_next: Signal<Local, Bits<UP>>,
    last_position: Signal<Local, Bits<CW>>,
    up_next_2: Reg<Bits<UP>>,
    count_2: Reg<Bits<CW>>,
    src_2: Reg<Bits<SW>>,
    src_3: Reg<Bits<SW>>,
    same_src_3: Reg<Bit>,
    next_row: Reg<Bits<ROWS>>,
    row_1: Signal<Local, Bits<ROWS>>,
    row_2: Reg<Bits<ROWS>>,
    row_3: Reg<Bits<ROWS>>,
    free_rows: Signal<Local, Bits<ROWS>>,
    live_bits: Signal<Local, Bits<ROWS>>,
    source_bits: Signal<Local, Bits<ROWS>>,

    // Stage 2, of the live row and of the row that the start in front took.
    range_a: Signal<Local, Bit>,
    length_a: Signal<Local, Bit>,
    same_a: Signal<Local, Bit>,
    position_a: Signal<Local, Bits<MW>>,
    range_b: Signal<Local, Bit>,
    length_b: Signal<Local, Bit>,
    same_b: Signal<Local, Bit>,
    position_b: Signal<Local, Bits<MW>>,
    meets_previous: Signal<Local, Bit>,
    q3_range_a: Reg<Bit>,
    q3_length_a: Reg<Bit>,
    q3_same_a: Reg<Bit>,
    q3_position_a: Reg<Bits<MW>>,
    q3_arrival_a: Reg<Bits<M>>,
    q3_range_b: Reg<Bit>,
    q3_length_b: Reg<Bit>,
    q3_same_b: Reg<Bit>,
    q3_position_b: Reg<Bits<MW>>,
    q3_arrival_b: Reg<Bits<M>>,
    q3_meets_previous: Reg<Bit>,
    registered: Reg<Bit>,
    taken_by_previous: Signal<Local, Bit>,
    arrival: Signal<Local, Bits<M>>,
    q3_total: Reg<Bits<RC>>,
    q3_source_total: Reg<Bits<RC>>,
    one_more: Reg<Bit>,
    one_less: Reg<Bit>,
    total: Signal<Local, Bits<RC>>,
    source_now: Signal<Local, Bits<RC>>,

    q4_item: Reg<Bits<ROWS>>,
    q4_ended: Reg<Bits<ROWS>>,
    q4_touch: Reg<Bit>,
    item_bits: Signal<Local, Bits<ROWS>>,
    ended_bits: Signal<Local, Bits<ROWS>>,
    q_timer_src: Reg<Bits<SW>>,
    q_timer_generation: Reg<Bits<GW>>,
    q_timer_index: Reg<Bits<IW>>,
}
impl<
    const SW: usize,
    const GW: usize,
    const IW: usize,
    const UP: usize,
    const MW: usize,
    const CW: usize,
    const LW: usize,
    const M: usize,
    const ROWS: usize,
    const NODES: usize,
    const RW: usize,
    const RC: usize,
> Default for RegistryTable<SW, GW, IW, UP, MW, CW, LW, M, ROWS, NODES, RW, RC>
{
    fn default() -> Self {
        assert!(ROWS > 4 && NODES == 2 * ROWS, "RegistryTable: ROWS = {ROWS}, NODES = {NODES}, must be E + 4 and twice that");
        assert!(CW == MW + 1 && M == 1 << MW, "RegistryTable: MW = {MW}, CW = {CW} do not fit M = {M}");
        assert!(UP + MW + LW == 65, "RegistryTable: UP = {UP}, must be 65 - MW - LW = {}", 65 - MW - LW);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_entry_quota: Default::default(),
            s1_start: Default::default(),
            s1_src: Default::default(),
            s1_generation: Default::default(),
            s1_index: Default::default(),
            s1_up: Default::default(),
            s1_lo: Default::default(),
            s1_offset: Default::default(),
            s1_length: Default::default(),
            s1_full_length: Default::default(),
            s1_count: Default::default(),
            s1_last_length: Default::default(),
            s1_op_bytes: Default::default(),
            s3_initial_mask: Default::default(),
            register: Default::default(),
            accept: Default::default(),
            release: Default::default(),
            supersede: Default::default(),
            imm_valid: Default::default(),
            imm: Default::default(),
            fresh_rows: Default::default(),
            live: Default::default(),
            in_range: Default::default(),
            length_ok: Default::default(),
            same_start: Default::default(),
            duplicate: Default::default(),
            last: Default::default(),
            fresh: Default::default(),
            position: Default::default(),
            other_live: Default::default(),
            live_behind: Default::default(),
            overlap: Default::default(),
            full: Default::default(),
            at_quota: Default::default(),
            live_rows: Default::default(),
            live_count: Default::default(),
            progress: Default::default(),
            touch: Default::default(),
            item_row: Default::default(),
            ended_row: Default::default(),
            ended_generation: Default::default(),
            ended_up: Default::default(),
            ended_lo: Default::default(),
            ended_count: Default::default(),
            ended_op_bytes: Default::default(),
            ended_imm_valid: Default::default(),
            ended_imm: Default::default(),
            ended_mask: Default::default(),
            timer_row: Default::default(),
            timer_src: Default::default(),
            timer_generation: Default::default(),
            timer_index: Default::default(),
            row: std::array::from_fn(|_| Default::default()),
            live_total: Default::default(),
            source_total: Default::default(),
            entries: Constant::new(((ROWS - 4) as u64).to_bits()),
            up_next: Default::default(),
            last_position: Default::default(),
            up_next_2: Default::default(),
            count_2: Default::default(),
            src_2: Default::default(),
            src_3: Default::default(),
            same_src_3: Default::default(),
            next_row: Default::default(),
            row_1: Default::default(),
            row_2: Default::default(),
            row_3: Default::default(),
            free_rows: Default::default(),
            live_bits: Default::default(),
            source_bits: Default::default(),
            range_a: Default::default(),
            length_a: Default::default(),
            same_a: Default::default(),
            position_a: Default::default(),
            range_b: Default::default(),
            length_b: Default::default(),
            same_b: Default::default(),
            position_b: Default::default(),
            meets_previous: Default::default(),
            q3_range_a: Default::default(),
            q3_length_a: Default::default(),
            q3_same_a: Default::default(),
            q3_position_a: Default::default(),
            q3_arrival_a: Default::default(),
            q3_range_b: Default::default(),
            q3_length_b: Default::default(),
            q3_same_b: Default::default(),
            q3_position_b: Default::default(),
            q3_arrival_b: Default::default(),
            q3_meets_previous: Default::default(),
            registered: Default::default(),
            taken_by_previous: Default::default(),
            arrival: Default::default(),
            q3_total: Default::default(),
            q3_source_total: Default::default(),
            one_more: Default::default(),
            one_less: Default::default(),
            total: Default::default(),
            source_now: Default::default(),
            q4_item: Default::default(),
            q4_ended: Default::default(),
            q4_touch: Default::default(),
            item_bits: Default::default(),
            ended_bits: Default::default(),
            q_timer_src: Default::default(),
            q_timer_generation: Default::default(),
            q_timer_index: Default::default(),
        }
    }
}

impl<
    const SW: usize,
    const GW: usize,
    const IW: usize,
    const UP: usize,
    const MW: usize,
    const CW: usize,
    const LW: usize,
    const M: usize,
    const ROWS: usize,
    const NODES: usize,
    const RW: usize,
    const RC: usize,
> Logic for RegistryTable<SW, GW, IW, UP, MW, CW, LW, M, ROWS, NODES, RW, RC>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            up_next_2,
            count_2,
            src_2,
            src_3,
            same_src_3,
            next_row,
            row_2,
            row_3,
            q3_range_a,
            q3_length_a,
            q3_same_a,
            q3_position_a,
            q3_arrival_a,
            q3_range_b,
            q3_length_b,
            q3_same_b,
            q3_position_b,
            q3_arrival_b,
            q3_meets_previous,
            registered,
            q3_total,
            q3_source_total,
            one_more,
            one_less,
            q4_item,
            q4_ended,
            q4_touch,
            q_timer_src,
            q_timer_generation,
            q_timer_index
        );
        // Stage 1. The row of the next start is chosen one clock ahead: one that is neither live nor on its way.
        self.up_next.next = self.s1_up.val() + 1;
        self.last_position.next = self.s1_count.val() - 1;
        self.up_next_2.d.next = self.up_next.val();
        self.count_2.d.next = self.s1_count.val();
        self.src_2.d.next = self.s1_src.val();
        self.src_3.d.next = self.src_2.q.val();
        self.same_src_3.d.next = self.src_2.q.val() == self.src_3.q.val();
        self.row_1.next = bits::<ROWS>(0);
        if self.s1_start.val() {
            self.row_1.next = self.next_row.q.val();
        }
        self.row_2.d.next = self.row_1.val();
        self.row_3.d.next = self.row_2.q.val();
        self.live_bits.next = bits::<ROWS>(0);
        self.source_bits.next = bits::<ROWS>(0);
        for i in 0..ROWS {
            self.live_bits.next = self.live_bits.val().replace_bit(i, self.row[i].live.val());
            self.source_bits.next = self.source_bits.val().replace_bit(i, self.row[i].live.val() && self.row[i].r2_src_equal.val());
        }
        self.free_rows.next = !(self.live_bits.val() | self.row_1.val() | self.row_2.q.val() | self.row_3.q.val());
        self.next_row.d.next = self.free_rows.val() & (bits::<ROWS>(0) - self.free_rows.val());
        for i in 0..ROWS {
            self.row[i].clk.next = self.clk.val();
            self.row[i].rst.next = self.rst.val();
            self.row[i].take.next = self.row_1.val().get_bit(i);
            self.row[i].s1_src.next = self.s1_src.val();
            self.row[i].s1_generation.next = self.s1_generation.val();
            self.row[i].s1_index.next = self.s1_index.val();
            self.row[i].s1_up.next = self.s1_up.val();
            self.row[i].s1_up_next.next = self.up_next.val();
            self.row[i].s1_lo.next = self.s1_lo.val();
            self.row[i].s1_offset.next = self.s1_offset.val();
            self.row[i].s1_length.next = self.s1_length.val();
            self.row[i].s1_full_length.next = self.s1_full_length.val();
            self.row[i].s1_count.next = self.s1_count.val();
            self.row[i].s1_last.next = bit_cast::<MW, CW>(self.last_position.val());
            self.row[i].s1_last_length.next = self.s1_last_length.val();
            self.row[i].s1_op_bytes.next = self.s1_op_bytes.val();
            self.row[i].s2_up_next.next = self.up_next_2.q.val();
            self.row[i].s2_count.next = self.count_2.q.val();
        }

        // Stage 2.
        self.range_a.next = false;
        self.length_a.next = false;
        self.same_a.next = false;
        self.position_a.next = bits::<MW>(0);
        self.range_b.next = false;
        self.length_b.next = false;
        self.same_b.next = false;
        self.position_b.next = bits::<MW>(0);
        self.meets_previous.next = false;
        for i in 0..ROWS {
            if self.row[i].r2_op_equal.val() && self.row[i].live.val() {
                self.range_a.next = self.range_a.val() || self.row[i].r2_in_range.val();
                self.length_a.next = self.length_a.val() || self.row[i].r2_length_ok.val();
                self.same_a.next = self.same_a.val() || self.row[i].r2_same_start.val();
                self.position_a.next = self.position_a.val() | self.row[i].r2_position.val();
            }
            if self.row_3.q.val().get_bit(i) {
                self.meets_previous.next = self.meets_previous.val() || self.row[i].r2_op_equal.val();
                self.range_b.next = self.range_b.val() || self.row[i].r2_in_range.val();
                self.length_b.next = self.length_b.val() || self.row[i].r2_length_ok.val();
                self.same_b.next = self.same_b.val() || self.row[i].r2_same_start.val();
                self.position_b.next = self.position_b.val() | self.row[i].r2_position.val();
            }
        }
        self.q3_range_a.d.next = self.range_a.val();
        self.q3_length_a.d.next = self.length_a.val();
        self.q3_same_a.d.next = self.same_a.val();
        self.q3_position_a.d.next = self.position_a.val();
        self.q3_arrival_a.d.next = bits::<M>(1) << self.position_a.val();
        self.q3_range_b.d.next = self.range_b.val();
        self.q3_length_b.d.next = self.length_b.val();
        self.q3_same_b.d.next = self.same_b.val();
        self.q3_position_b.d.next = self.position_b.val();
        self.q3_arrival_b.d.next = bits::<M>(1) << self.position_b.val();
        self.q3_meets_previous.d.next = self.meets_previous.val();
        self.live_total.bits_in.next = self.live_bits.val();
        self.source_total.bits_in.next = self.source_bits.val();
        self.q3_total.d.next = self.live_total.count.val();
        self.q3_source_total.d.next = self.source_total.count.val();
        self.live_count.next = self.q3_total.q.val();

        // Stage 3.
        self.taken_by_previous.next = self.q3_meets_previous.q.val() && self.registered.q.val();
        self.registered.d.next = self.register.val();
        self.arrival.next = self.q3_arrival_a.q.val();
        self.in_range.next = self.q3_range_a.q.val();
        self.length_ok.next = self.q3_length_a.q.val();
        self.same_start.next = self.q3_same_a.q.val();
        self.position.next = self.q3_position_a.q.val();
        if self.taken_by_previous.val() {
            self.arrival.next = self.q3_arrival_b.q.val();
            self.in_range.next = self.q3_range_b.q.val();
            self.length_ok.next = self.q3_length_b.q.val();
            self.same_start.next = self.q3_same_b.q.val();
            self.position.next = self.q3_position_b.q.val();
        }
        self.live.next = false;
        self.duplicate.next = false;
        self.last.next = false;
        self.fresh.next = false;
        self.other_live.next = false;
        self.live_behind.next = false;
        self.overlap.next = false;
        self.progress.next = bits::<ROWS>(0);
        self.item_bits.next = bits::<ROWS>(0);
        self.ended_bits.next = bits::<ROWS>(0);
        for i in 0..ROWS {
            if self.row[i].live.val() {
                self.live.next = self.live.val() || self.row[i].r3_op_equal.val();
                self.duplicate.next = self.duplicate.val() || (self.row[i].r3_op_equal.val() && self.row[i].duplicate.val());
                self.last.next = self.last.val() || (self.row[i].r3_op_equal.val() && self.row[i].complete.val());
                self.fresh.next = self.fresh.val() || (self.row[i].r3_op_equal.val() && self.fresh_rows.val().get_bit(i));
                self.other_live.next = self.other_live.val() || (self.row[i].r3_index_equal.val() && !self.row[i].r3_op_equal.val());
                self.live_behind.next = self.live_behind.val() || self.row[i].r3_behind.val();
                self.overlap.next = self.overlap.val() || self.row[i].r3_overlap.val();
            }
            self.row[i].arrival.next = self.arrival.val();
            self.row[i].initial_mask.next = self.s3_initial_mask.val();
            self.row[i].imm_valid.next = self.imm_valid.val();
            self.row[i].imm.next = self.imm.val();
            self.row[i].register.next = self.register.val() && self.row_3.q.val().get_bit(i);
            self.row[i].accept.next = self.accept.val() && self.row[i].r3_op_equal.val() && self.row[i].live.val();
            self.row[i].release.next = self.row[i].live.val()
                && ((self.release.val() && self.row[i].r3_op_equal.val()) || (self.supersede.val() && self.row[i].r3_index_equal.val()));
            self.progress.next = self.progress.val().replace_bit(
                i,
                (self.register.val() && self.row_3.q.val().get_bit(i))
                    || (self.accept.val() && self.row[i].r3_op_equal.val() && self.row[i].live.val()),
            );
            self.item_bits.next = self.item_bits.val().replace_bit(
                i,
                (self.register.val() && self.row_3.q.val().get_bit(i))
                    || (!self.register.val() && self.row[i].r3_op_equal.val() && self.row[i].live.val()),
            );
            self.ended_bits.next = self.ended_bits.val().replace_bit(i, self.row[i].live.val() && self.row[i].r3_index_equal.val());
        }
        self.one_more.d.next = self.register.val() && !self.supersede.val();
        self.one_less.d.next =
            self.release.val() || (self.accept.val() && self.last.val()) || (self.supersede.val() && !self.register.val());
        self.total.next = self.q3_total.q.val();
        self.source_now.next = self.q3_source_total.q.val();
        if self.one_more.q.val() {
            self.total.next = self.q3_total.q.val() + 1;
            if self.same_src_3.q.val() {
                self.source_now.next = self.q3_source_total.q.val() + 1;
            }
        }
        if self.one_less.q.val() {
            self.total.next = self.q3_total.q.val() - 1;
            if self.same_src_3.q.val() {
                self.source_now.next = self.q3_source_total.q.val() - 1;
            }
        }
        self.full.next = self.total.val() == self.entries.val();
        self.at_quota.next = bit_cast::<8, RC>(self.source_now.val()) >= self.cfg_entry_quota.val();
        self.live_rows.next = self.live_bits.val();

        // Stage 4: what lived in the row stays readable for this clock.
        self.q4_item.d.next = self.item_bits.val();
        self.q4_ended.d.next = self.ended_bits.val();
        self.q4_touch.d.next = self.register.val() || self.accept.val();
        self.touch.next = self.q4_touch.q.val();
        self.item_row.next = bits::<RW>(0);
        self.ended_row.next = bits::<RW>(0);
        self.ended_generation.next = bits::<GW>(0);
        self.ended_up.next = bits::<UP>(0);
        self.ended_lo.next = bits::<MW>(0);
        self.ended_count.next = bits::<CW>(0);
        self.ended_op_bytes.next = bits::<32>(0);
        self.ended_imm_valid.next = false;
        self.ended_imm.next = bits::<32>(0);
        self.ended_mask.next = bits::<M>(0);
        self.q_timer_src.d.next = bits::<SW>(0);
        self.q_timer_generation.d.next = bits::<GW>(0);
        self.q_timer_index.d.next = bits::<IW>(0);
        for i in 0..ROWS {
            if self.q4_item.q.val().get_bit(i) {
                self.item_row.next = self.item_row.val() | i.to_bits::<RW>();
            }
            if self.q4_ended.q.val().get_bit(i) {
                self.ended_row.next = self.ended_row.val() | i.to_bits::<RW>();
                self.ended_generation.next = self.ended_generation.val() | self.row[i].generation.val();
                self.ended_up.next = self.ended_up.val() | self.row[i].up.val();
                self.ended_lo.next = self.ended_lo.val() | self.row[i].lo.val();
                self.ended_count.next = self.ended_count.val() | self.row[i].count.val();
                self.ended_op_bytes.next = self.ended_op_bytes.val() | self.row[i].op_bytes.val();
                self.ended_imm_valid.next = self.ended_imm_valid.val() || self.row[i].imm_seen.val();
                self.ended_imm.next = self.ended_imm.val() | self.row[i].imm_value.val();
                self.ended_mask.next = self.ended_mask.val() | self.row[i].mask.val();
            }
            if self.timer_row.val() == i.to_bits::<RW>() {
                self.q_timer_src.d.next = self.row[i].src.val();
                self.q_timer_generation.d.next = self.row[i].generation.val();
                self.q_timer_index.d.next = self.row[i].index.val();
            }
        }
        self.timer_src.next = self.q_timer_src.q.val();
        self.timer_generation.next = self.q_timer_generation.q.val();
        self.timer_index.next = self.q_timer_index.q.val();
        if self.rst.val() {
            self.row_2.d.next = bits::<ROWS>(0);
            self.row_3.d.next = bits::<ROWS>(0);
            self.registered.d.next = false;
            self.one_more.d.next = false;
            self.one_less.d.next = false;
        }
    }
}
