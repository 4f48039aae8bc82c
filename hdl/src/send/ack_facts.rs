use crate::primitives::{BlockRam, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First half of an acknowledgement's way: what the allocator and the transmitter know of its op, and which of its bits name packets that
/// were sent.
///
/// Words are read in stage 3: what was sent in an earlier clock than the acknowledgement came has then reached its memory.
/// Latency: 4 clocks. Throughput: one per clock. Reset: nothing is under way.
#[derive(Default, Described, LogicBlock)]
pub struct AckFacts {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 2: something passes
    pub s2_valid: Signal<In, Bit>,
    /// stage 2: 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub s2_what: Signal<In, Bits<2>>,
    /// stage 2: op number
    pub s2_op: Signal<In, Bits<OP_BITS>>,
    /// stage 2: mask word of the op
    pub s2_word: Signal<In, Bits<MASK_WORD_NUMBER_BITS>>,
    /// stage 2: status code
    pub s2_status: Signal<In, Bits<8>>,
    /// stage 2: packets of that word
    pub s2_bits: Signal<In, Bits<MASK_WORD_BITS>>,
    /// an index has been given out
    pub record_write: Signal<In, Bit>,
    /// index of `record`
    pub record_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// `{command, count, generation, kind, base, phase}`
    pub record_data: Signal<In, Bits<TABLE_RECORD_BITS>>,
    /// the count of sent packets of an index changes
    pub count_write: Signal<In, Bit>,
    /// of which
    pub count_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// `{packets, phase}`
    pub count_data: Signal<In, Bits<POSITION_SUM_BITS>>,

    /// stage 5: index
    pub s5_index: Signal<Out, Bits<OP_INDEX_BITS>>,
    /// stage 5: mask word of the op
    pub s5_word: Signal<Out, Bits<MASK_WORD_NUMBER_BITS>>,
    /// stage 6: something passes
    pub s6_valid: Signal<Out, Bit>,
    /// stage 6: 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub s6_what: Signal<Out, Bits<2>>,
    /// stage 6: op number
    pub s6_op: Signal<Out, Bits<OP_BITS>>,
    /// stage 6: mask word of the op
    pub s6_word: Signal<Out, Bits<MASK_WORD_NUMBER_BITS>>,
    /// stage 6: status code
    pub s6_status: Signal<Out, Bits<8>>,
    /// stage 6: the generation is the current one
    pub s6_current: Signal<Out, Bit>,
    /// stage 6: phase of the op
    pub s6_phase: Signal<Out, Bit>,
    /// stage 6: kind of the op
    pub s6_kind: Signal<Out, Bit>,
    /// stage 6: its command
    pub s6_command: Signal<Out, Bits<COMMAND_BITS>>,
    /// stage 6: packets that are named and were sent
    pub s6_bits: Signal<Out, Bits<MASK_WORD_BITS>>,
    /// stage 6: bits of the word that are no packet of the op
    pub s6_outside: Signal<Out, Bits<MASK_WORD_BITS>>,
    /// stage 6: mask words that the op does not need
    pub s6_unneeded: Signal<Out, Bits<MASK_WORDS>>,
    /// stage 6: all packets have been sent
    pub s6_all_sent: Signal<Out, Bit>,

    records: BlockRam<TABLE_RECORD_BITS, OP_INDEX_BITS, 0>,
    counts: BlockRam<POSITION_SUM_BITS, OP_INDEX_BITS, 0>,

    valid3: State<Bit>,
    what3: Reg<Bits<2>>,
    op3: Reg<Bits<OP_BITS>>,
    word3: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status3: Reg<Bits<8>>,
    bits3: Reg<Bits<MASK_WORD_BITS>>,
    valid4: State<Bit>,
    what4: Reg<Bits<2>>,
    op4: Reg<Bits<OP_BITS>>,
    word4: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status4: Reg<Bits<8>>,
    bits4: Reg<Bits<MASK_WORD_BITS>>,
    valid5: State<Bit>,
    what5: Reg<Bits<2>>,
    op5: Reg<Bits<OP_BITS>>,
    word5: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status5: Reg<Bits<8>>,
    bits5: Reg<Bits<MASK_WORD_BITS>>,
    current5: Reg<Bit>,
    phase5: Reg<Bit>,
    kind5: Reg<Bit>,
    command5: Reg<Bits<COMMAND_BITS>>,
    count5: Reg<Bits<POSITION_COUNT_BITS>>,
    sent5: Reg<Bits<POSITION_COUNT_BITS>>,
    unsent: ThermometerMask<MASK_WORD_BITS, MASK_PLACE_COUNT_BITS, 0>,
    beyond: ThermometerMask<MASK_WORD_BITS, MASK_PLACE_COUNT_BITS, 0>,
    sent_high: Signal<Local, Bits<MASK_WORD_COUNT_BITS>>,
    count_high: Signal<Local, Bits<MASK_WORD_COUNT_BITS>>,
    place: Signal<Local, Bits<MASK_WORD_COUNT_BITS>>,
    unneeded: Signal<Local, Bits<MASK_WORDS>>,
    valid6: State<Bit>,
    what6: Reg<Bits<2>>,
    op6: Reg<Bits<OP_BITS>>,
    word6: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status6: Reg<Bits<8>>,
    bits6: Reg<Bits<MASK_WORD_BITS>>,
    current6: Reg<Bit>,
    phase6: Reg<Bit>,
    kind6: Reg<Bit>,
    command6: Reg<Bits<COMMAND_BITS>>,
    outside6: Reg<Bits<MASK_WORD_BITS>>,
    unneeded6: Reg<Bits<MASK_WORDS>>,
    all_sent6: Reg<Bit>,
}

impl AckFacts {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for AckFacts {
    #[kernel]
    fn update(&mut self) {
        self.valid3.d.next = self.s2_valid.val();
        self.what3.d.next = self.s2_what.val();
        self.op3.d.next = self.s2_op.val();
        self.word3.d.next = self.s2_word.val();
        self.status3.d.next = self.s2_status.val();
        self.bits3.d.next = self.s2_bits.val();
        self.valid4.d.next = self.valid3.q.val();
        self.what4.d.next = self.what3.q.val();
        self.op4.d.next = self.op3.q.val();
        self.word4.d.next = self.word3.q.val();
        self.status4.d.next = self.status3.q.val();
        self.bits4.d.next = self.bits3.q.val();
        self.records.write_enable.next = self.record_write.val();
        self.records.write_address.next = self.record_index.val();
        self.records.write_data.next = self.record_data.val();
        self.records.read_address.next = self.op3.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.counts.write_enable.next = self.count_write.val();
        self.counts.write_address.next = self.count_index.val();
        self.counts.write_data.next = self.count_data.val();
        self.counts.read_address.next = self.op3.q.val().get_bits::<OP_INDEX_BITS>(0);

        // Stage 4. Record, low bits first: phase 1, base 1, kind 1, generation, count, command.
        self.valid5.d.next = self.valid4.q.val();
        self.what5.d.next = self.what4.q.val();
        self.op5.d.next = self.op4.q.val();
        self.word5.d.next = self.word4.q.val();
        self.status5.d.next = self.status4.q.val();
        self.bits5.d.next = self.bits4.q.val();
        self.phase5.d.next = self.records.read_data.val().get_bit(0);
        self.kind5.d.next = self.records.read_data.val().get_bit(2);
        self.current5.d.next =
            self.records.read_data.val().get_bits::<GENERATION_BITS>(3) == self.op4.q.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.count5.d.next = self.records.read_data.val().get_bits::<POSITION_COUNT_BITS>(3 + GENERATION_BITS);
        self.command5.d.next = self.records.read_data.val().get_bits::<COMMAND_BITS>(3 + GENERATION_BITS + POSITION_COUNT_BITS);
        self.sent5.d.next = bits::<POSITION_COUNT_BITS>(0);
        if self.counts.read_data.val().get_bit(0) != self.records.read_data.val().get_bit(1) {
            self.sent5.d.next = self.counts.read_data.val().get_bits::<POSITION_COUNT_BITS>(1);
        }

        // Stage 5. Of the word: what was not sent, and what is no packet of the op.
        self.place.next = bit_cast::<MASK_WORD_COUNT_BITS, MASK_WORD_NUMBER_BITS>(self.word5.q.val());
        self.sent_high.next = self.sent5.q.val().get_bits::<MASK_WORD_COUNT_BITS>(MASK_PLACE_BITS);
        self.count_high.next = self.count5.q.val().get_bits::<MASK_WORD_COUNT_BITS>(MASK_PLACE_BITS);
        self.unsent.count.next = bits::<MASK_PLACE_COUNT_BITS>(0);
        if self.place.val() < self.sent_high.val() {
            self.unsent.count.next = bits::<MASK_PLACE_COUNT_BITS>(1) << MASK_PLACE_BITS.to_bits::<4>();
        } else if self.place.val() == self.sent_high.val() {
            self.unsent.count.next = bit_cast::<MASK_PLACE_COUNT_BITS, MASK_PLACE_BITS>(self.sent5.q.val().get_bits::<MASK_PLACE_BITS>(0));
        }
        self.beyond.count.next = bits::<MASK_PLACE_COUNT_BITS>(0);
        if self.place.val() < self.count_high.val() {
            self.beyond.count.next = bits::<MASK_PLACE_COUNT_BITS>(1) << MASK_PLACE_BITS.to_bits::<4>();
        } else if self.place.val() == self.count_high.val() {
            self.beyond.count.next = bit_cast::<MASK_PLACE_COUNT_BITS, MASK_PLACE_BITS>(self.count5.q.val().get_bits::<MASK_PLACE_BITS>(0));
        }
        self.unneeded.next = bits::<MASK_WORDS>(0);
        for i in 0..MASK_WORDS {
            if (self.count_high.val() < i.to_bits::<MASK_WORD_COUNT_BITS>())
                || ((self.count_high.val() == i.to_bits::<MASK_WORD_COUNT_BITS>())
                    && !self.count5.q.val().get_bits::<MASK_PLACE_BITS>(0).any())
            {
                self.unneeded.next = self.unneeded.val().replace_bit(i, true);
            }
        }
        self.s5_index.next = self.op5.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.s5_word.next = self.word5.q.val();
        self.valid6.d.next = self.valid5.q.val();
        self.what6.d.next = self.what5.q.val();
        self.op6.d.next = self.op5.q.val();
        self.word6.d.next = self.word5.q.val();
        self.status6.d.next = self.status5.q.val();
        self.bits6.d.next = self.bits5.q.val() & !self.unsent.mask.val();
        self.current6.d.next = self.current5.q.val();
        self.phase6.d.next = self.phase5.q.val();
        self.kind6.d.next = self.kind5.q.val();
        self.command6.d.next = self.command5.q.val();
        self.outside6.d.next = self.beyond.mask.val();
        self.unneeded6.d.next = self.unneeded.val();
        self.all_sent6.d.next = self.sent5.q.val() == self.count5.q.val();

        self.s6_valid.next = self.valid6.q.val();
        self.s6_what.next = self.what6.q.val();
        self.s6_op.next = self.op6.q.val();
        self.s6_word.next = self.word6.q.val();
        self.s6_status.next = self.status6.q.val();
        self.s6_current.next = self.current6.q.val();
        self.s6_phase.next = self.phase6.q.val();
        self.s6_kind.next = self.kind6.q.val();
        self.s6_command.next = self.command6.q.val();
        self.s6_bits.next = self.bits6.q.val();
        self.s6_outside.next = self.outside6.q.val();
        self.s6_unneeded.next = self.unneeded6.q.val();
        self.s6_all_sent.next = self.all_sent6.q.val();
    }
}
