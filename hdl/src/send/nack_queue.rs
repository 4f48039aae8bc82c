use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Negative acknowledgements that wait for the scanner, taken apart into words of eight packets.
///
/// Room for 16 and the one at work; those that find it full are dropped, and their packets wait for their timers. Words without a packet
/// are passed over, one per clock.
/// Latency: 3 clocks from `in_valid` to `wants`. Throughput: one word in two clocks. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct NackQueue {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// packets are to be repeated at once
    pub in_valid: Signal<In, Bit>,
    /// op number
    pub in_op: Signal<In, Bits<OP_BITS>>,
    /// mask word
    pub in_word: Signal<In, Bits<MASK_WORD_NUMBER_BITS>>,
    /// packets of it
    pub in_bits: Signal<In, Bits<MASK_WORD_BITS>>,
    /// counts negative acknowledgements that found the queue full
    pub evt_dropped: Signal<Out, Bit>,
    /// a word is to be visited
    pub wants: Signal<Out, Bit>,
    /// it is visited
    pub goes: Signal<In, Bit>,
    /// which
    pub place: Signal<Out, Bits<DEADLINE_ADDRESS_BITS>>,
    /// its packets
    pub lanes: Signal<Out, Bits<8>>,
    /// generation of the op
    pub generation: Signal<Out, Bits<GENERATION_BITS>>,

    // low bits first: bits, mask word, op number
    queue: FifoLut<TABLE_ACK_BITS, 4, 5>,
    busy: State<Bit>,
    current: Reg<Bits<TABLE_ACK_BITS>>,
    left: Reg<Bits<MASK_WORD_BITS>>,
    eighth: Reg<Bits<MASK_OCTET_BITS>>,
    any: Signal<Local, Bit>,
    steps: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    dropped: State<Bit>,
    offers: State<Bit>,
    out_lanes: Reg<Bits<8>>,
    out_generation: Reg<Bits<GENERATION_BITS>>,
    out_place: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
}

impl Logic for NackQueue {
    #[kernel]
    fn update(&mut self) {
        self.queue.in_valid.next = self.in_valid.val();
        self.queue.in_data.next = bit_cast::<TABLE_ACK_BITS, MASK_WORD_BITS>(self.in_bits.val())
            | (bit_cast::<TABLE_ACK_BITS, MASK_WORD_NUMBER_BITS>(self.in_word.val()) << MASK_WORD_BITS.to_bits::<7>())
            | (bit_cast::<TABLE_ACK_BITS, OP_BITS>(self.in_op.val()) << (MASK_WORD_BITS + MASK_WORD_NUMBER_BITS).to_bits::<7>());
        self.dropped.d.next = self.in_valid.val() && !self.queue.in_ready.val();
        self.evt_dropped.next = self.dropped.q.val();

        // The word that is offered; the next one follows in the clock after it has gone.
        self.any.next = self.left.q.val().get_bits::<8>(0).any();
        self.steps.next = self.busy.q.val() && (!self.offers.q.val() || !self.any.val());
        self.loads.next = !self.busy.q.val() || (self.steps.val() && !(self.left.q.val() >> 8).any());
        if self.goes.val() {
            self.offers.d.next = false;
        }
        if self.busy.q.val() && !self.offers.q.val() {
            self.offers.d.next = self.any.val();
            self.out_lanes.d.next = self.left.q.val().get_bits::<8>(0);
            self.out_generation.d.next =
                self.current.q.val().get_bits::<GENERATION_BITS>(MASK_WORD_BITS + MASK_WORD_NUMBER_BITS + OP_INDEX_BITS);
            self.out_place.d.next = (bit_cast::<DEADLINE_ADDRESS_BITS, OP_INDEX_BITS>(
                self.current.q.val().get_bits::<OP_INDEX_BITS>(MASK_WORD_BITS + MASK_WORD_NUMBER_BITS),
            ) << POSITION_OCTET_BITS.to_bits::<4>())
                | (bit_cast::<DEADLINE_ADDRESS_BITS, MASK_WORD_NUMBER_BITS>(
                    self.current.q.val().get_bits::<MASK_WORD_NUMBER_BITS>(MASK_WORD_BITS),
                ) << MASK_OCTET_BITS.to_bits::<3>())
                | bit_cast::<DEADLINE_ADDRESS_BITS, MASK_OCTET_BITS>(self.eighth.q.val());
        }
        self.wants.next = self.offers.q.val();
        self.lanes.next = self.out_lanes.q.val();
        self.generation.next = self.out_generation.q.val();
        self.place.next = self.out_place.q.val();
        self.queue.out_ready.next = self.loads.val();
        if self.steps.val() {
            self.left.d.next = self.left.q.val() >> 8;
            self.eighth.d.next = self.eighth.q.val() + 1;
        }
        if self.loads.val() {
            self.busy.d.next = self.queue.out_valid.val();
            self.current.d.next = self.queue.out_data.val();
            self.left.d.next = self.queue.out_data.val().get_bits::<MASK_WORD_BITS>(0);
            self.eighth.d.next = bits::<MASK_OCTET_BITS>(0);
        }
    }
}
