use super::{MaskUnit, RangeMeet};
use crate::primitives::Reg;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// One row of the receive registry: whose operation it is, where it lies for the overlap of starts, and which packets have arrived.
///
/// What only the row that a packet belongs to has to say (generation, bytes, immediate) lies in the table's memories. A start takes its row
/// as it passes stage 2, so that the packets behind it are compared with it, but for the one right behind; the row counts once it is
/// `live`.
/// Latency: 1 clock from `s1_*` to `r2_*`. Throughput: one packet per clock.
/// Reset: not live. Spec: receive registry, "Registering", "Matching", "Decided".
#[derive(Default, Described, LogicBlock)]
pub struct RegistryRow {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,

    /// stage 2: the packet is a start and takes this row
    pub take: Signal<In, Bit>,
    /// stage 2: source
    pub s2_src: Signal<In, Bits<NODE_BITS>>,
    /// stage 2: op index
    pub s2_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// stage 2: block number, upper bits
    pub s2_up: Signal<In, Bits<BLOCK_BITS>>,
    /// stage 2: of the neighbours of `s2_up`, the one that differs in more than the lowest bit
    pub s2_beside: Signal<In, Bits<BLOCK_BITS>>,
    /// stage 2: block number, lower bits
    pub s2_lo: Signal<In, Bits<POSITION_BITS>>,
    /// stage 2: packets of the operation
    pub s2_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// stage 1: source
    pub s1_src: Signal<In, Bits<NODE_BITS>>,
    /// stage 1: op index
    pub s1_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// stage 1: block number, upper bits
    pub s1_up: Signal<In, Bits<BLOCK_BITS>>,
    /// stage 1: block number, lower bits
    pub s1_lo: Signal<In, Bits<POSITION_BITS>>,
    /// stage 1: packets of the operation
    pub s1_count: Signal<In, Bits<POSITION_COUNT_BITS>>,

    /// stage 3: the start that took this row is there
    pub load: Signal<In, Bit>,
    /// stage 3: it registers
    pub register: Signal<In, Bit>,
    /// stage 3: initial mask
    pub start_mask: Signal<In, Bits<MASK_BITS>>,
    /// stage 3: packets to come
    pub start_missing: Signal<In, Bits<POSITION_BITS>>,
    /// stage 4: a packet enters the mask
    pub accept: Signal<In, Bit>,
    /// stage 4: its bit
    pub arrival: Signal<In, Bits<MASK_BITS>>,
    /// stage 3: the operation ends
    pub ends: Signal<In, Bit>,

    /// stage 1: the operation is live and has the packet's source and index
    pub s1_hit: Signal<Out, Bit>,
    /// stage 2: the same
    pub r2_hit: Signal<Out, Bit>,
    /// stage 2: the mask had the packet's bit one clock ago
    pub r2_present: Signal<Out, Bit>,
    /// stage 2: the upper bits of the packet's block number are those of the base
    pub r2_equal: Signal<Out, Bit>,
    /// stage 2: they are one more
    pub r2_above: Signal<Out, Bit>,
    /// stage 2: a start meets this operation of the same source and another index
    pub r2_overlap: Signal<Out, Bit>,
    /// an operation is registered
    pub live: Signal<Out, Bit>,
    /// which packets have arrived
    pub mask: Signal<Out, Bits<MASK_BITS>>,
    /// one packet is missing
    pub one_missing: Signal<Out, Bit>,
    /// two packets are missing
    pub two_missing: Signal<Out, Bit>,
    /// three packets are missing
    pub three_missing: Signal<Out, Bit>,

    // The operation.
    q_src: Reg<Bits<NODE_BITS>>,
    q_index: Reg<Bits<OP_INDEX_BITS>>,
    q_up: Reg<Bits<BLOCK_BITS>>,
    q_beside: Reg<Bits<BLOCK_BITS>>,
    q_lo: Reg<Bits<POSITION_BITS>>,
    q_count: Reg<Bits<POSITION_COUNT_BITS>>,
    q_live: Reg<Bit>,
    q_missing: Reg<Bits<POSITION_BITS>>,
    q_one: Reg<Bit>,
    q_two: Reg<Bit>,
    q_three: Reg<Bit>,

    // Stage 1.
    src_equal: Signal<Local, Bit>,
    key_equal: Signal<Local, Bit>,
    distance: Signal<Local, Bits<POSITION_BITS>>,
    place: RangeMeet<BLOCK_BITS, POSITION_BITS, POSITION_COUNT_BITS>,
    q2_hit: Reg<Bit>,
    q2_present: Reg<Bit>,
    q2_other: Reg<Bit>,

    // Stage 3.
    arrivals: MaskUnit<MASK_BITS>,
}

impl Logic for RegistryRow {
    #[kernel]
    fn update(&mut self) {
        // A start writes its values before it is known whether it registers.
        if self.take.val() {
            self.q_src.d.next = self.s2_src.val();
            self.q_index.d.next = self.s2_index.val();
            self.q_up.d.next = self.s2_up.val();
            self.q_beside.d.next = self.s2_beside.val();
            self.q_lo.d.next = self.s2_lo.val();
            self.q_count.d.next = self.s2_count.val();
        }

        // Stage 1: who is it, and did its packet arrive before.
        self.src_equal.next = self.s1_src.val() == self.q_src.q.val();
        self.key_equal.next = self.src_equal.val() && (self.s1_index.val() == self.q_index.q.val());
        self.s1_hit.next = self.key_equal.val() && self.q_live.q.val();
        self.distance.next = self.s1_lo.val() - self.q_lo.q.val();
        self.q2_hit.d.next = self.key_equal.val() && self.q_live.q.val();
        self.q2_present.d.next = ((self.arrivals.mask.val() >> self.distance.val()) & 1).any();

        self.place.s1_up.next = self.s1_up.val();
        self.place.s1_lo.next = self.s1_lo.val();
        self.place.s1_count.next = self.s1_count.val();
        self.place.up.next = self.q_up.q.val();
        self.place.beside.next = self.q_beside.q.val();
        self.place.lo.next = self.q_lo.q.val();
        self.place.count.next = self.q_count.q.val();
        self.q2_other.d.next = self.src_equal.val() && !self.key_equal.val();
        self.r2_overlap.next = self.q2_other.q.val() && self.place.meets.val();
        self.r2_equal.next = self.place.equal.val();
        self.r2_above.next = self.place.above.val();

        // The loop of the mask is an OR with what comes. A packet enters it at stage 4, where nothing depends on it any more.
        self.arrivals.start_valid.next = self.load.val();
        self.arrivals.start_mask.next = self.start_mask.val();
        self.arrivals.arrival_valid.next = self.accept.val();
        self.arrivals.arrival_bits.next = self.arrival.val();
        if self.accept.val() {
            self.q_missing.d.next = self.q_missing.q.val() - 1;
            self.q_one.d.next = self.q_two.q.val();
            self.q_two.d.next = self.q_three.q.val();
            self.q_three.d.next = self.q_missing.q.val() == bits::<POSITION_BITS>(4);
        }
        if self.ends.val() {
            self.q_live.d.next = false;
        }
        // Whether it registers makes no difference to a row that is not live.
        if self.load.val() {
            self.q_missing.d.next = self.start_missing.val();
            self.q_one.d.next = self.start_missing.val() == bits::<POSITION_BITS>(1);
            self.q_two.d.next = self.start_missing.val() == bits::<POSITION_BITS>(2);
            self.q_three.d.next = self.start_missing.val() == bits::<POSITION_BITS>(3);
        }
        if self.register.val() {
            self.q_live.d.next = true;
        }
        if self.rst.val() {
            self.q_live.d.next = false;
        }

        self.r2_hit.next = self.q2_hit.q.val();
        self.r2_present.next = self.q2_present.q.val();
        self.live.next = self.q_live.q.val();
        self.mask.next = self.arrivals.mask.val();
        self.one_missing.next = self.q_one.q.val();
        self.two_missing.next = self.q_two.q.val();
        self.three_missing.next = self.q_three.q.val();
    }
}
