use super::LifeClock;
use crate::primitives::{BlockRam, FifoBlock, FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(OP_INDEX_BITS >= 2 && GENERATION_BITS >= 4, "4 to 4096 operations");

/// Op numbers: the index that has been free the longest, and its next generation.
///
/// Indices that were never used come from a counter, the others from a queue. The next generation of an index stands in a memory, and so
/// does, for each of the last four eighths of its generations, the quarter of `t_life` in which the first of them was used. Into a new
/// eighth goes an index only when the first use of the eighth three before it is more than `t_life` old: then no
/// `2^(GENERATION_BITS-1) - 1` uses ever lie within `t_life`, and at least three eighths of all generations may. An index that has to wait
/// holds those behind it. An index that was not used for `2^17` quarters of `t_life` may wait for one and a quarter of it without need.
/// Latency: 9 clocks from `back_valid` until the index is offered, if no other is free. Throughput: one out, one back per clock. Reset:
/// every index is free, generation 0 is next, once `clear` has passed over all words.
/// Spec: send path, "DMA operation table".
#[derive(Default, Described, LogicBlock)]
pub struct OpAllocator {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is cleared in this clock; nothing is given out
    pub clear: Signal<In, Bit>,
    /// word of `clear`
    pub clear_word: Signal<In, Bits<OUTSTANDING_BITS>>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that a packet may live in the network
    pub cfg_t_life: Signal<In, Bits<32>>,
    /// an index is free again; always taken
    pub back_valid: Signal<In, Bit>,
    /// index of `back`
    pub back_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// the count of sent packets of an index changes
    pub count_write: Signal<In, Bit>,
    /// of which
    pub count_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// phase of `count`
    pub count_phase: Signal<In, Bit>,
    /// an op number is free
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// index
    pub out_index: Signal<Out, Bits<OP_INDEX_BITS>>,
    /// generation
    pub out_generation: Signal<Out, Bits<GENERATION_BITS>>,
    /// phase of the count of sent packets of the use before
    pub out_base: Signal<Out, Bit>,

    life: LifeClock<17>,
    returned: FifoBlock<OP_INDEX_BITS, OP_INDEX_BITS, OP_COUNT_BITS>,
    never_used: State<Bits<OP_INDEX_BITS>>,
    all_used: State<Bit>,
    generations: BlockRam<GENERATION_BITS, OP_INDEX_BITS, 0>,
    // valid, quarter
    firsts: BlockRam<18, OUTSTANDING_BITS, 0>,
    phases: BlockRam<1, OP_INDEX_BITS, 0>,
    look: Signal<Local, Bits<OP_INDEX_BITS>>,
    gives: Signal<Local, Bit>,
    issue: Signal<Local, Bit>,

    valid1: State<Bit>,
    index1: Reg<Bits<OP_INDEX_BITS>>,
    before: Signal<Local, Bits<2>>,
    valid2: State<Bit>,
    index2: Reg<Bits<OP_INDEX_BITS>>,
    generation2: Reg<Bits<GENERATION_BITS>>,
    base2: Reg<Bit>,
    valid3: State<Bit>,
    index3: Reg<Bits<OP_INDEX_BITS>>,
    generation3: Reg<Bits<GENERATION_BITS>>,
    base3: Reg<Bit>,
    first3: Reg<Bits<18>>,
    age3: Signal<Local, Bits<17>>,
    may3: Signal<Local, Bit>,
    looked: FifoLut<FREE_OP_BITS, 3, 4>,
    // The oldest of those looked up, and whether it may go.
    head_valid: State<Bit>,
    head: Reg<Bits<FREE_OP_BITS>>,
    age: Signal<Local, Bits<17>>,
    aged: State<Bit>,
    leaves: Signal<Local, Bit>,
    full: State<Bit>,
    index: Reg<Bits<OP_INDEX_BITS>>,
    generation: Reg<Bits<GENERATION_BITS>>,
    base: Reg<Bit>,
    taken: Signal<Local, Bit>,
}

impl OpAllocator {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for OpAllocator {
    #[kernel]
    fn update(&mut self) {
        self.life.now.next = self.now.val();
        self.life.cfg_t_life.next = self.cfg_t_life.val();

        // The queue of looked-up indices has room for three more than are let in when it holds four.
        self.issue.next = !self.clear.val() && !self.looked.count.val().get_bit(2) && !self.looked.count.val().get_bit(3);
        self.gives.next = self.issue.val() && (!self.all_used.q.val() || self.returned.out_valid.val());
        self.returned.in_valid.next = self.back_valid.val();
        self.returned.in_data.next = self.back_index.val();
        self.returned.out_ready.next = self.issue.val() && self.all_used.q.val();
        self.look.next = self.never_used.q.val();
        if self.all_used.q.val() {
            self.look.next = self.returned.out_data.val();
        }
        if self.issue.val() && !self.all_used.q.val() {
            self.never_used.d.next = self.never_used.q.val() + 1;
            self.all_used.d.next = self.never_used.q.val().all();
        }
        self.generations.read_address.next = self.look.val();
        self.phases.write_enable.next = self.count_write.val();
        self.phases.write_address.next = self.count_index.val();
        self.phases.write_data.next = self.count_phase.val().into();
        self.phases.read_address.next = self.look.val();
        self.valid1.d.next = self.gives.val();
        self.index1.d.next = self.look.val();

        self.before.next = self.generations.read_data.val().get_bits::<2>(GENERATION_LIFE_BITS) + 1;
        self.firsts.read_address.next =
            (bit_cast::<OUTSTANDING_BITS, OP_INDEX_BITS>(self.index1.q.val()) << 2) | bit_cast::<OUTSTANDING_BITS, 2>(self.before.val());
        self.valid2.d.next = self.valid1.q.val();
        self.index2.d.next = self.index1.q.val();
        self.generation2.d.next = self.generations.read_data.val();
        self.base2.d.next = self.phases.read_data.val().get_bit(0);

        // Whether it may go now; if not, that is looked at again when it is the oldest.
        self.valid3.d.next = self.valid2.q.val();
        self.index3.d.next = self.index2.q.val();
        self.generation3.d.next = self.generation2.q.val();
        self.base3.d.next = self.base2.q.val();
        self.first3.d.next = self.firsts.read_data.val();
        self.age3.next = self.life.quarter.val() - self.first3.q.val().get_bits::<17>(0);
        self.may3.next = self.generation3.q.val().get_bits::<GENERATION_LIFE_BITS>(0).any()
            || !self.first3.q.val().get_bit(17)
            || (self.age3.val() > bits::<17>(4));
        self.looked.in_valid.next = self.valid3.q.val();
        self.looked.in_data.next = bit_cast::<FREE_OP_BITS, 17>(self.first3.q.val().get_bits::<17>(0))
            | (bit_cast::<FREE_OP_BITS, 1>(self.may3.val().into()) << 17)
            | (bit_cast::<FREE_OP_BITS, 1>(self.base3.q.val().into()) << 18)
            | (bit_cast::<FREE_OP_BITS, GENERATION_BITS>(self.generation3.q.val()) << 19)
            | (bit_cast::<FREE_OP_BITS, OP_INDEX_BITS>(self.index3.q.val()) << (GENERATION_BITS + 19).to_bits::<6>());
        self.leaves.next =
            self.head_valid.q.val() && (self.head.q.val().get_bit(17) || self.aged.q.val()) && (!self.full.q.val() || self.out_ready.val());
        self.looked.out_ready.next = !self.head_valid.q.val() || self.leaves.val();
        if !self.head_valid.q.val() || self.leaves.val() {
            self.head_valid.d.next = self.looked.out_valid.val();
            self.head.d.next = self.looked.out_data.val();
        }
        self.age.next = self.life.quarter.val() - self.head.q.val().get_bits::<17>(0);
        self.aged.d.next = self.head_valid.q.val() && !self.leaves.val() && (self.age.val() > bits::<17>(4));

        self.taken.next = self.full.q.val() && self.out_ready.val();
        if self.leaves.val() {
            self.full.d.next = true;
            self.index.d.next = self.head.q.val().get_bits::<OP_INDEX_BITS>(GENERATION_BITS + 19);
            self.generation.d.next = self.head.q.val().get_bits::<GENERATION_BITS>(19);
            self.base.d.next = self.head.q.val().get_bit(18);
        } else if self.out_ready.val() {
            self.full.d.next = false;
        }
        self.out_valid.next = self.full.q.val();
        self.out_index.next = self.index.q.val();
        self.out_generation.next = self.generation.q.val();
        self.out_base.next = self.base.q.val();

        self.generations.write_enable.next = self.taken.val();
        self.generations.write_address.next = self.index.q.val();
        self.generations.write_data.next = self.generation.q.val() + 1;
        self.firsts.write_enable.next = self.taken.val() && !self.generation.q.val().get_bits::<GENERATION_LIFE_BITS>(0).any();
        self.firsts.write_address.next = (bit_cast::<OUTSTANDING_BITS, OP_INDEX_BITS>(self.index.q.val()) << 2)
            | bit_cast::<OUTSTANDING_BITS, 2>(self.generation.q.val().get_bits::<2>(GENERATION_LIFE_BITS));
        self.firsts.write_data.next = bit_cast::<18, 17>(self.life.quarter.val()) | (bits::<18>(1) << 17);
        if self.clear.val() {
            self.generations.write_enable.next = true;
            self.generations.write_address.next = self.clear_word.val().get_bits::<OP_INDEX_BITS>(0);
            self.generations.write_data.next = bits::<GENERATION_BITS>(0);
            self.firsts.write_enable.next = true;
            self.firsts.write_address.next = self.clear_word.val();
            self.firsts.write_data.next = bits::<18>(0);
        }
    }
}
