use super::MaskUnit;
use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// One row of the receive registry: the operation that lives there, and everything that is compared with it in parallel.
///
/// A start packet writes its values into a free row as it passes stage 1 (`take`), before it is known whether it registers; at stage 3
/// the row becomes live or is free again. Packets behind it compare with the row like with any other, so the pipeline needs no
/// forwarding of half-registered operations: only `live`, read at stage 3, tells which comparisons count.
///
/// Addresses are compared in blocks of P: `up` and `lo` are the block number's upper `UP` and lower `MW` bits, `up_next` is `up + 1`. A block
/// lies `D < M` behind the base exactly if the upper halves are equal, or differ by one when the lower halves borrow.
///
/// Stage 1 results leave registered (prefix `r2_`), stage 2 results too (`r3_`); masks change at stage 3.
/// Latency: comparison results 1 and 2 clocks, mask 1 clock. Throughput: one packet per clock.
/// Spec: receive registry, "Registering", "Matching", "Decided".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RegistryRow<
    const SW: usize,
    const GW: usize,
    const IW: usize,
    const UP: usize,
    const MW: usize,
    const CW: usize,
    const LW: usize,
    const M: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high: the row is free
    pub rst: Signal<In, Bit>,

    /// stage 1: a start packet writes its values here
    pub take: Signal<In, Bit>,
    /// stage 1 packet: source
    pub s1_src: Signal<In, Bits<SW>>,
    /// stage 1 packet: generation of its op
    pub s1_generation: Signal<In, Bits<GW>>,
    /// stage 1 packet: index of its op
    pub s1_index: Signal<In, Bits<IW>>,
    /// stage 1 packet: block number, upper bits
    pub s1_up: Signal<In, Bits<UP>>,
    /// `s1_up + 1`
    pub s1_up_next: Signal<In, Bits<UP>>,
    /// stage 1 packet: block number, lower bits
    pub s1_lo: Signal<In, Bits<MW>>,
    /// stage 1 packet: bytes behind the start of its block
    pub s1_offset: Signal<In, Bits<LW>>,
    /// stage 1 packet: payload bytes, all ones if they do not fit
    pub s1_length: Signal<In, Bits<LW>>,
    /// stage 1 packet: its payload is exactly P bytes
    pub s1_full_length: Signal<In, Bit>,
    /// stage 1 start: packets
    pub s1_count: Signal<In, Bits<CW>>,
    /// stage 1 start: position of the last packet, `count - 1`
    pub s1_last: Signal<In, Bits<MW>>,
    /// stage 1 start: bytes of the last packet
    pub s1_last_length: Signal<In, Bits<LW>>,
    /// stage 1 start: bytes of the operation
    pub s1_op_bytes: Signal<In, Bits<32>>,

    /// stage 2 packet: `up + 1`
    pub s2_up_next: Signal<In, Bits<UP>>,
    /// stage 2 start: packets
    pub s2_count: Signal<In, Bits<CW>>,

    /// stage 3: the start that took this row registers
    pub register: Signal<In, Bit>,
    /// stage 3: initial mask of that start
    pub initial_mask: Signal<In, Bits<M>>,
    /// stage 3: set the bits of `arrival` in the mask
    pub accept: Signal<In, Bit>,
    /// stage 3: one-hot position of the packet
    pub arrival: Signal<In, Bits<M>>,
    /// stage 3: the operation ends here without being complete
    pub release: Signal<In, Bit>,
    /// stage 3: the accepted packet carries an immediate
    pub imm_valid: Signal<In, Bit>,
    /// stage 3: the immediate
    pub imm: Signal<In, Bits<32>>,

    /// same source, op
    pub r2_op_equal: Signal<Out, Bit>,
    /// first byte inside the operation's range
    pub r2_in_range: Signal<Out, Bit>,
    /// position in the operation
    pub r2_position: Signal<Out, Bits<MW>>,
    /// payload is what that position carries
    pub r2_length_ok: Signal<Out, Bit>,
    /// a start with the same base, bytes and count
    pub r2_same_start: Signal<Out, Bit>,
    /// same source
    pub r2_src_equal: Signal<Out, Bit>,
    /// same source, op
    pub r3_op_equal: Signal<Out, Bit>,
    /// same source and op index
    pub r3_index_equal: Signal<Out, Bit>,
    /// same source and op index, and the packet's generation is older
    pub r3_behind: Signal<Out, Bit>,
    /// the range of the start meets this operation of the same source
    pub r3_overlap: Signal<Out, Bit>,
    /// an operation lives here
    pub live: Signal<Out, Bit>,
    /// arrival mask
    pub mask: Signal<Out, Bits<M>>,
    /// the packet at stage 3 was here before
    pub duplicate: Signal<Out, Bit>,
    /// with `arrival` every bit is set
    pub complete: Signal<Out, Bit>,
    /// generation of the operation
    pub generation: Signal<Out, Bits<GW>>,
    /// index of the operation
    pub index: Signal<Out, Bits<IW>>,
    /// source
    pub src: Signal<Out, Bits<SW>>,
    /// base, upper bits of its block number
    pub up: Signal<Out, Bits<UP>>,
    /// base, lower bits of its block number
    pub lo: Signal<Out, Bits<MW>>,
    /// packets
    pub count: Signal<Out, Bits<CW>>,
    /// bytes
    pub op_bytes: Signal<Out, Bits<32>>,
    /// an immediate has come
    pub imm_seen: Signal<Out, Bit>,
    /// the immediate
    pub imm_value: Signal<Out, Bits<32>>,

    // The operation.
    q_src: Reg<Bits<SW>>,
    q_generation: Reg<Bits<GW>>,
    q_index: Reg<Bits<IW>>,
    q_up: Reg<Bits<UP>>,
    q_up_next: Reg<Bits<UP>>,
    q_lo: Reg<Bits<MW>>,
    q_count: Reg<Bits<CW>>,
    q_last: Reg<Bits<MW>>,
    q_last_length: Reg<Bits<LW>>,
    q_op_bytes: Reg<Bits<32>>,
    q_live: Reg<Bit>,
    q_imm_seen: Reg<Bit>,
    q_imm: Reg<Bits<32>>,

    // Stage 1.
    src_equal: Signal<Local, Bit>,
    index_equal: Signal<Local, Bit>,
    generation_equal: Signal<Local, Bit>,
    generation_distance: Signal<Local, Bits<GW>>,
    distance: Signal<Local, Bits<MW>>,
    borrow: Signal<Local, Bit>,
    up_equal: Signal<Local, Bit>,
    up_next_equal: Signal<Local, Bit>,
    block_in_range: Signal<Local, Bit>,
    at_last: Signal<Local, Bit>,
    q2_src_equal: Reg<Bit>,
    q2_index_equal: Reg<Bit>,
    q2_op_equal: Reg<Bit>,
    q2_behind: Reg<Bit>,
    q2_block_in_range: Reg<Bit>,
    q2_in_range: Reg<Bit>,
    q2_position: Reg<Bits<MW>>,
    q2_length_ok: Reg<Bit>,
    q2_same_start: Reg<Bit>,
    q2_up_equal: Reg<Bit>,
    q2_not_before: Reg<Bit>,

    // Stage 2.
    reach: Signal<Local, Bits<MW>>,
    met_from_before: Signal<Local, Bit>,
    q3_op_equal: Reg<Bit>,
    q3_index_equal: Reg<Bit>,
    q3_behind: Reg<Bit>,
    q3_overlap: Reg<Bit>,

    // Stage 3.
    arrivals: MaskUnit<M>,
}

impl<const SW: usize, const GW: usize, const IW: usize, const UP: usize, const MW: usize, const CW: usize, const LW: usize, const M: usize>
    Logic for RegistryRow<SW, GW, IW, UP, MW, CW, LW, M>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            q_src,
            q_generation,
            q_index,
            q_up,
            q_up_next,
            q_lo,
            q_count,
            q_last,
            q_last_length,
            q_op_bytes,
            q_live,
            q_imm_seen,
            q_imm,
            q2_src_equal,
            q2_index_equal,
            q2_op_equal,
            q2_behind,
            q2_block_in_range,
            q2_in_range,
            q2_position,
            q2_length_ok,
            q2_same_start,
            q2_up_equal,
            q2_not_before,
            q3_op_equal,
            q3_index_equal,
            q3_behind,
            q3_overlap
        );

        // A start writes its values before it is known whether it registers.
        if self.take.val() {
            self.q_src.d.next = self.s1_src.val();
            self.q_generation.d.next = self.s1_generation.val();
            self.q_index.d.next = self.s1_index.val();
            self.q_up.d.next = self.s1_up.val();
            self.q_up_next.d.next = self.s1_up_next.val();
            self.q_lo.d.next = self.s1_lo.val();
            self.q_count.d.next = self.s1_count.val();
            self.q_last.d.next = self.s1_last.val();
            self.q_last_length.d.next = self.s1_last_length.val();
            self.q_op_bytes.d.next = self.s1_op_bytes.val();
        }

        // Stage 1: who is it, and where in the operation.
        self.src_equal.next = self.s1_src.val() == self.q_src.q.val();
        self.index_equal.next = self.src_equal.val() && (self.s1_index.val() == self.q_index.q.val());
        self.generation_equal.next = self.s1_generation.val() == self.q_generation.q.val();
        self.generation_distance.next = self.s1_generation.val() - self.q_generation.q.val();
        self.distance.next = self.s1_lo.val() - self.q_lo.q.val();
        self.borrow.next = self.s1_lo.val() < self.q_lo.q.val();
        self.up_equal.next = self.s1_up.val() == self.q_up.q.val();
        self.up_next_equal.next = self.s1_up.val() == self.q_up_next.q.val();
        self.block_in_range.next = ((self.up_equal.val() && !self.borrow.val()) || (self.up_next_equal.val() && self.borrow.val()))
            && (bit_cast::<CW, MW>(self.distance.val()) < self.q_count.q.val());
        self.at_last.next = self.distance.val() == self.q_last.q.val();
        self.q2_src_equal.d.next = self.src_equal.val();
        self.q2_index_equal.d.next = self.index_equal.val();
        self.q2_op_equal.d.next = self.index_equal.val() && self.generation_equal.val();
        // The upper half of the circle is older, its middle included.
        self.q2_behind.d.next = self.index_equal.val() && !self.generation_equal.val() && self.generation_distance.val().get_bit(GW - 1);
        self.q2_block_in_range.d.next = self.block_in_range.val();
        self.q2_in_range.d.next = self.block_in_range.val() && (!self.at_last.val() || (self.s1_offset.val() < self.q_last_length.q.val()));
        self.q2_position.d.next = self.distance.val();
        self.q2_length_ok.d.next = (self.at_last.val() && (self.s1_length.val() == self.q_last_length.q.val()))
            || (!self.at_last.val() && self.s1_full_length.val());
        self.q2_same_start.d.next = self.up_equal.val()
            && (self.s1_lo.val() == self.q_lo.q.val())
            && (self.s1_op_bytes.val() == self.q_op_bytes.q.val())
            && (self.s1_count.val() == self.q_count.q.val());
        self.q2_up_equal.d.next = self.up_equal.val();
        self.q2_not_before.d.next = self.borrow.val() || (self.s1_lo.val() == self.q_lo.q.val());

        // Stage 2: does a start that begins before this operation reach into it?
        self.reach.next = bits::<MW>(0) - self.q2_position.q.val();
        self.met_from_before.next = ((self.q2_not_before.q.val() && self.q2_up_equal.q.val())
            || (!self.q2_not_before.q.val() && (self.s2_up_next.val() == self.q_up.q.val())))
            && (bit_cast::<CW, MW>(self.reach.val()) < self.s2_count.val());
        self.q3_op_equal.d.next = self.q2_op_equal.q.val();
        self.q3_index_equal.d.next = self.q2_index_equal.q.val();
        self.q3_behind.d.next = self.q2_behind.q.val();
        self.q3_overlap.d.next =
            self.q2_src_equal.q.val() && !self.q2_index_equal.q.val() && (self.q2_block_in_range.q.val() || self.met_from_before.val());

        // Stage 3: the loop of the mask is an OR with what comes.
        self.arrivals.clk.next = self.clk.val();
        self.arrivals.rst.next = self.rst.val();
        self.arrivals.start_valid.next = self.register.val();
        self.arrivals.start_mask.next = self.initial_mask.val();
        self.arrivals.arrival_valid.next = self.accept.val();
        self.arrivals.arrival_bits.next = self.arrival.val();
        self.duplicate.next = self.arrivals.duplicate.val();
        self.complete.next = self.arrivals.complete.val();
        if self.accept.val() {
            if self.arrivals.complete.val() {
                self.q_live.d.next = false;
            }
            if self.imm_valid.val() {
                self.q_imm_seen.d.next = true;
                self.q_imm.d.next = self.imm.val();
            }
        }
        if self.release.val() {
            self.q_live.d.next = false;
        }
        if self.register.val() {
            self.q_live.d.next = true;
            self.q_imm_seen.d.next = self.imm_valid.val();
            self.q_imm.d.next = self.imm.val();
        }
        if self.rst.val() {
            self.q_live.d.next = false;
        }

        self.r2_op_equal.next = self.q2_op_equal.q.val();
        self.r2_in_range.next = self.q2_in_range.q.val();
        self.r2_position.next = self.q2_position.q.val();
        self.r2_length_ok.next = self.q2_length_ok.q.val();
        self.r2_same_start.next = self.q2_same_start.q.val();
        self.r2_src_equal.next = self.q2_src_equal.q.val();
        self.r3_op_equal.next = self.q3_op_equal.q.val();
        self.r3_index_equal.next = self.q3_index_equal.q.val();
        self.r3_behind.next = self.q3_behind.q.val();
        self.r3_overlap.next = self.q3_overlap.q.val();
        self.live.next = self.q_live.q.val();
        self.mask.next = self.arrivals.mask.val();
        self.generation.next = self.q_generation.q.val();
        self.index.next = self.q_index.q.val();
        self.src.next = self.q_src.q.val();
        self.up.next = self.q_up.q.val();
        self.lo.next = self.q_lo.q.val();
        self.count.next = self.q_count.q.val();
        self.op_bytes.next = self.q_op_bytes.q.val();
        self.imm_seen.next = self.q_imm_seen.q.val();
        self.imm_value.next = self.q_imm.q.val();
    }
}
