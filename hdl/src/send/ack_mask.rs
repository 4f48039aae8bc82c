use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Second half of an acknowledgement's way: the mask of acknowledged packets of each op, whether it is live, and how it ends.
///
/// The only writer of both. The state of an op is a phase, and for each word of its mask whether any bit in it counts (`touched`) and
/// whether all do (`full`). An op is live while the phase in its record differs from that in its state: the end of an op, by whatever
/// cause, writes the record's phase and forgets the mask, and so the next op of the index, whose record has the other phase, begins live
/// and with nothing acknowledged. Words are read in stage 5, seen in stage 6, changed in stage 7 and written in stage 8; stage 6 takes what
/// the three in front of it have made of the same word, so one acknowledgement after the other of the same op is processed as if alone.
/// Latency: 4 clocks from stage 5 to an event. Throughput: one per clock. Reset: nothing is under way; `clear` passes over all states.
#[derive(Default, Described, LogicBlock)]
pub struct AckMask {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a state is cleared in this clock
    pub clear: Signal<In, Bit>,
    /// index of `clear`
    pub clear_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// stage 5: index
    pub s5_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// stage 5: mask word of the op
    pub s5_word: Signal<In, Bits<MASK_WORD_NUMBER_BITS>>,
    /// stage 6: something passes
    pub s6_valid: Signal<In, Bit>,
    /// stage 6: 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub s6_what: Signal<In, Bits<2>>,
    /// stage 6: op number
    pub s6_op: Signal<In, Bits<OP_BITS>>,
    /// stage 6: mask word of the op
    pub s6_word: Signal<In, Bits<MASK_WORD_NUMBER_BITS>>,
    /// stage 6: status code
    pub s6_status: Signal<In, Bits<8>>,
    /// stage 6: the generation is the current one
    pub s6_current: Signal<In, Bit>,
    /// stage 6: phase of the op
    pub s6_phase: Signal<In, Bit>,
    /// stage 6: kind of the op
    pub s6_kind: Signal<In, Bit>,
    /// stage 6: its command
    pub s6_command: Signal<In, Bits<COMMAND_BITS>>,
    /// stage 6: packets that are named and were sent
    pub s6_bits: Signal<In, Bits<MASK_WORD_BITS>>,
    /// stage 6: bits of the word that are no packet of the op
    pub s6_outside: Signal<In, Bits<MASK_WORD_BITS>>,
    /// stage 6: mask words that the op does not need
    pub s6_unneeded: Signal<In, Bits<MASK_WORDS>>,
    /// stage 6: all packets have been sent
    pub s6_all_sent: Signal<In, Bit>,

    /// mask word that the scanner reads
    pub scan_address: Signal<In, Bits<MASK_ADDRESS_BITS>>,
    /// that word, one clock later
    pub scan_mask: Signal<Out, Bits<MASK_WORD_BITS>>,
    /// state of its op
    pub scan_state: Signal<Out, Bits<MASK_STATE_BITS>>,
    /// mask word that the retransmit queue reads
    pub retry_address: Signal<In, Bits<MASK_ADDRESS_BITS>>,
    /// that word, one clock later
    pub retry_mask: Signal<Out, Bits<MASK_WORD_BITS>>,
    /// state of its op
    pub retry_state: Signal<Out, Bits<MASK_STATE_BITS>>,

    /// an op has ended
    pub end_valid: Signal<Out, Bit>,
    /// `{abort, status 8, kind, command, op}`
    pub end_data: Signal<Out, Bits<OP_END_BITS>>,
    /// packets are to be repeated at once
    pub nack_valid: Signal<Out, Bit>,
    /// op number
    pub nack_op: Signal<Out, Bits<OP_BITS>>,
    /// mask word
    pub nack_word: Signal<Out, Bits<MASK_WORD_NUMBER_BITS>>,
    /// packets of it
    pub nack_bits: Signal<Out, Bits<MASK_WORD_BITS>>,
    /// counts messages that acknowledged something new
    pub evt_acks: Signal<Out, Bit>,
    /// counts messages about packets that were acknowledged before
    pub evt_duplicate_acks: Signal<Out, Bit>,
    /// counts negative messages about packets that were not acknowledged
    pub evt_nacks: Signal<Out, Bit>,
    /// counts messages about anything else; they change nothing
    pub evt_stale_acks: Signal<Out, Bit>,
    /// counts operations that failed
    pub evt_failures: Signal<Out, Bit>,

    masks: BlockRam<MASK_WORD_BITS, MASK_ADDRESS_BITS, 0>,
    scan_masks: BlockRam<MASK_WORD_BITS, MASK_ADDRESS_BITS, 0>,
    retry_masks: BlockRam<MASK_WORD_BITS, MASK_ADDRESS_BITS, 0>,
    states: BlockRam<MASK_STATE_BITS, OP_INDEX_BITS, 0>,
    scan_states: BlockRam<MASK_STATE_BITS, OP_INDEX_BITS, 0>,
    retry_states: BlockRam<MASK_STATE_BITS, OP_INDEX_BITS, 0>,

    // Stage 6: the one at stage 7, 8, 9 is of the same op, of the same word.
    index6: Reg<Bits<OP_INDEX_BITS>>,
    word6: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    same7: Reg<Bit>,
    same8: Reg<Bit>,
    same9: Reg<Bit>,
    word_same7: Reg<Bit>,
    word_same8: Reg<Bit>,
    word_same9: Reg<Bit>,

    valid7: State<Bit>,
    what7: Reg<Bits<2>>,
    op7: Reg<Bits<OP_BITS>>,
    word7: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    status7: Reg<Bits<8>>,
    good7: Reg<Bit>,
    overlap7: Reg<Bit>,
    current7: Reg<Bit>,
    phase7: Reg<Bit>,
    kind7: Reg<Bit>,
    command7: Reg<Bits<COMMAND_BITS>>,
    bits7: Reg<Bits<MASK_WORD_BITS>>,
    named7: Reg<Bit>,
    cover7: Reg<Bits<MASK_WORD_BITS>>,
    unneeded7: Reg<Bits<MASK_WORDS>>,
    all_sent7: Reg<Bit>,
    select7: Signal<Local, Bits<MASK_WORDS>>,
    seen7: Reg<Bits<MASK_WORD_BITS>>,
    state7: Reg<Bits<MASK_STATE_BITS>>,

    filled: Signal<Local, Bits<MASK_WORDS>>,
    read_select: Signal<Local, Bits<MASK_WORDS>>,
    fresh: Signal<Local, Bits<MASK_WORD_BITS>>,
    any_fresh: Signal<Local, Bit>,
    word_full: Signal<Local, Bit>,
    rest_full: Signal<Local, Bit>,
    live: Signal<Local, Bit>,
    positive: Signal<Local, Bit>,
    counted: Signal<Local, Bit>,
    completes: Signal<Local, Bit>,
    remote: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    next_mask: Signal<Local, Bits<MASK_WORD_BITS>>,
    next_state: Signal<Local, Bits<MASK_STATE_BITS>>,

    valid8: State<Bit>,
    write8: State<Bit>,
    index8: Reg<Bits<OP_INDEX_BITS>>,
    word8: Reg<Bits<MASK_WORD_NUMBER_BITS>>,
    mask8: Reg<Bits<MASK_WORD_BITS>>,
    state8: Reg<Bits<MASK_STATE_BITS>>,
    end8: State<Bit>,
    end_data8: Reg<Bits<OP_END_BITS>>,
    repeat8: State<Bit>,
    op8: Reg<Bits<OP_BITS>>,
    fresh8: Reg<Bits<MASK_WORD_BITS>>,
    ack8: State<Bit>,
    duplicate8: State<Bit>,
    nack8: State<Bit>,
    stale8: State<Bit>,
    failure8: State<Bit>,
    mask9: Reg<Bits<MASK_WORD_BITS>>,
    state9: Reg<Bits<MASK_STATE_BITS>>,
    state_write: Signal<Local, Bit>,
    state_index: Signal<Local, Bits<OP_INDEX_BITS>>,
    state_data: Signal<Local, Bits<MASK_STATE_BITS>>,
    mask_address: Signal<Local, Bits<MASK_ADDRESS_BITS>>,
}

impl AckMask {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for AckMask {
    #[kernel]
    fn update(&mut self) {
        // Stage 5.
        self.masks.read_address.next = (bit_cast::<MASK_ADDRESS_BITS, OP_INDEX_BITS>(self.s5_index.val())
            << MASK_WORD_NUMBER_BITS.to_bits::<3>())
            | bit_cast::<MASK_ADDRESS_BITS, MASK_WORD_NUMBER_BITS>(self.s5_word.val());
        self.states.read_address.next = self.s5_index.val();
        self.index6.d.next = self.s5_index.val();
        self.word6.d.next = self.s5_word.val();
        self.same7.d.next = self.s6_valid.val() && (self.s5_index.val() == self.index6.q.val());
        self.same8.d.next = self.valid7.q.val() && (self.s5_index.val() == self.op7.q.val().get_bits::<OP_INDEX_BITS>(0));
        self.same9.d.next = self.valid8.q.val() && (self.s5_index.val() == self.index8.q.val());
        self.word_same7.d.next =
            self.s6_valid.val() && (self.s5_index.val() == self.index6.q.val()) && (self.s5_word.val() == self.word6.q.val());
        self.word_same8.d.next = self.valid7.q.val()
            && (self.s5_index.val() == self.op7.q.val().get_bits::<OP_INDEX_BITS>(0))
            && (self.s5_word.val() == self.word7.q.val());
        self.word_same9.d.next =
            self.valid8.q.val() && (self.s5_index.val() == self.index8.q.val()) && (self.s5_word.val() == self.word8.q.val());

        // Stage 6. What passes without changing anything carries the value on that it found.
        self.valid7.d.next = self.s6_valid.val();
        self.what7.d.next = self.s6_what.val();
        self.op7.d.next = self.s6_op.val();
        self.word7.d.next = self.s6_word.val();
        self.status7.d.next = self.s6_status.val();
        self.good7.d.next = !self.s6_status.val().any();
        self.overlap7.d.next = self.s6_status.val() == bits::<8>(7);
        self.current7.d.next = self.s6_current.val();
        self.phase7.d.next = self.s6_phase.val();
        self.kind7.d.next = self.s6_kind.val();
        self.command7.d.next = self.s6_command.val();
        self.bits7.d.next = self.s6_bits.val();
        self.named7.d.next = self.s6_bits.val().any();
        self.cover7.d.next = self.s6_bits.val() | self.s6_outside.val();
        self.unneeded7.d.next = self.s6_unneeded.val();
        self.all_sent7.d.next = self.s6_all_sent.val();
        self.state7.d.next = self.states.read_data.val();
        if self.same7.q.val() {
            self.state7.d.next = self.next_state.val();
        } else if self.same8.q.val() {
            self.state7.d.next = self.state8.q.val();
        } else if self.same9.q.val() {
            self.state7.d.next = self.state9.q.val();
        }
        // What does not count is no part of the mask. A word that one of the three has touched comes from it.
        self.read_select.next = bits::<MASK_WORDS>(0);
        for i in 0..MASK_WORDS {
            if self.s6_word.val() == i.to_bits::<MASK_WORD_NUMBER_BITS>() {
                self.read_select.next = self.read_select.val().replace_bit(i, true);
            }
        }
        self.seen7.d.next = bits::<MASK_WORD_BITS>(0);
        if (self.states.read_data.val().get_bits::<MASK_WORDS>(1) & self.read_select.val()).any() {
            self.seen7.d.next = self.masks.read_data.val();
        }
        if self.word_same7.q.val() {
            self.seen7.d.next = self.next_mask.val();
        } else if self.word_same8.q.val() {
            self.seen7.d.next = self.mask8.q.val();
        } else if self.word_same9.q.val() {
            self.seen7.d.next = self.mask9.q.val();
        }

        // Stage 7. State, low bits first: phase 1, touched, full.
        self.select7.next = bits::<MASK_WORDS>(0);
        for i in 0..MASK_WORDS {
            if self.word7.q.val() == i.to_bits::<MASK_WORD_NUMBER_BITS>() {
                self.select7.next = self.select7.val().replace_bit(i, true);
            }
        }
        self.filled.next = self.state7.q.val().get_bits::<MASK_WORDS>(1 + MASK_WORDS);
        self.fresh.next = self.bits7.q.val() & !self.seen7.q.val();
        self.any_fresh.next = self.fresh.val().any();
        self.word_full.next = (self.seen7.q.val() | self.cover7.q.val()).all();
        self.rest_full.next = (self.filled.val() | self.select7.val() | self.unneeded7.q.val()).all();
        self.live.next = self.valid7.q.val() && self.current7.q.val() && (self.phase7.q.val() != self.state7.q.val().get_bit(0));
        self.positive.next = (self.what7.q.val() == bits::<2>(0)) && self.good7.q.val() && self.named7.q.val();
        self.counted.next = self.live.val() && self.positive.val();
        self.completes.next = self.positive.val() && self.word_full.val() && self.rest_full.val();
        self.remote.next = (self.what7.q.val() == bits::<2>(1)) && self.good7.q.val() && self.all_sent7.q.val();
        self.refused.next = (self.what7.q.val() == bits::<2>(1)) && !self.good7.q.val() && !self.overlap7.q.val() && self.named7.q.val();
        self.ends.next = self.live.val()
            && (self.completes.val()
                || self.remote.val()
                || self.refused.val()
                || (self.what7.q.val() == bits::<2>(3))
                || ((self.what7.q.val() == bits::<2>(2)) && self.any_fresh.val()));
        // Nothing of the mask of an op that has ended goes on, or a chain of late acknowledgements would bring it to the next op of the
        // index.
        self.next_mask.next = bits::<MASK_WORD_BITS>(0);
        if self.phase7.q.val() != self.state7.q.val().get_bit(0) {
            self.next_mask.next = self.seen7.q.val();
            if self.counted.val() {
                self.next_mask.next = self.seen7.q.val() | self.bits7.q.val();
            }
        }
        self.next_state.next = self.state7.q.val();
        if self.counted.val() {
            self.next_state.next = self.state7.q.val() | (bit_cast::<MASK_STATE_BITS, MASK_WORDS>(self.select7.val()) << 1);
            if self.word_full.val() {
                self.next_state.next = self.state7.q.val()
                    | (bit_cast::<MASK_STATE_BITS, MASK_WORDS>(self.select7.val()) << 1)
                    | (bit_cast::<MASK_STATE_BITS, MASK_WORDS>(self.select7.val()) << (MASK_WORDS + 1).to_bits::<4>());
            }
        }
        if self.ends.val() {
            self.next_state.next = bit_cast::<MASK_STATE_BITS, 1>(self.phase7.q.val().into());
        }

        // Stage 8.
        self.valid8.d.next = self.valid7.q.val();
        self.write8.d.next = self.counted.val() || self.ends.val();
        self.index8.d.next = self.op7.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.word8.d.next = self.word7.q.val();
        self.mask8.d.next = self.next_mask.val();
        self.state8.d.next = self.next_state.val();
        self.end8.d.next = self.ends.val();
        self.end_data8.d.next = bit_cast::<OP_END_BITS, OP_BITS>(self.op7.q.val())
            | (bit_cast::<OP_END_BITS, COMMAND_BITS>(self.command7.q.val()) << OP_BITS.to_bits::<6>())
            | (bit_cast::<OP_END_BITS, 1>(self.kind7.q.val().into()) << (OP_BITS + COMMAND_BITS).to_bits::<6>())
            | (bit_cast::<OP_END_BITS, 8>(self.status7.q.val()) << (OP_BITS + COMMAND_BITS + 1).to_bits::<6>())
            | (bit_cast::<OP_END_BITS, 1>((self.what7.q.val() == bits::<2>(2)).into()) << (OP_BITS + COMMAND_BITS + 9).to_bits::<6>());
        self.op8.d.next = self.op7.q.val();
        self.fresh8.d.next = self.fresh.val();
        self.repeat8.d.next = self.live.val() && (self.what7.q.val() == bits::<2>(0)) && !self.good7.q.val() && self.any_fresh.val();
        // An acknowledgement is one of four.
        self.ack8.d.next = self.live.val() && ((self.positive.val() && self.any_fresh.val()) || self.remote.val());
        self.nack8.d.next = self.live.val()
            && !self.what7.q.val().get_bit(1)
            && !self.good7.q.val()
            && (self.any_fresh.val() || (self.refused.val() && self.named7.q.val()));
        self.duplicate8.d.next = self.live.val()
            && !self.what7.q.val().get_bit(1)
            && self.named7.q.val()
            && !self.any_fresh.val()
            && !self.refused.val()
            && !((self.what7.q.val() == bits::<2>(1)) && self.good7.q.val());
        self.stale8.d.next = self.valid7.q.val()
            && !self.what7.q.val().get_bit(1)
            && (!self.live.val()
                || !self.named7.q.val()
                || ((self.what7.q.val() == bits::<2>(1)) && self.good7.q.val() && !self.all_sent7.q.val()));
        self.failure8.d.next = self.ends.val() && !self.completes.val() && !self.remote.val();
        self.mask9.d.next = self.mask8.q.val();
        self.state9.d.next = self.state8.q.val();

        self.mask_address.next = (bit_cast::<MASK_ADDRESS_BITS, OP_INDEX_BITS>(self.index8.q.val())
            << MASK_WORD_NUMBER_BITS.to_bits::<3>())
            | bit_cast::<MASK_ADDRESS_BITS, MASK_WORD_NUMBER_BITS>(self.word8.q.val());
        self.masks.write_enable.next = self.write8.q.val();
        self.masks.write_address.next = self.mask_address.val();
        self.masks.write_data.next = self.mask8.q.val();
        self.scan_masks.write_enable.next = self.write8.q.val();
        self.scan_masks.write_address.next = self.mask_address.val();
        self.scan_masks.write_data.next = self.mask8.q.val();
        self.scan_masks.read_address.next = self.scan_address.val();
        self.scan_mask.next = self.scan_masks.read_data.val();
        self.retry_masks.write_enable.next = self.write8.q.val();
        self.retry_masks.write_address.next = self.mask_address.val();
        self.retry_masks.write_data.next = self.mask8.q.val();
        self.retry_masks.read_address.next = self.retry_address.val();
        self.retry_mask.next = self.retry_masks.read_data.val();
        self.state_write.next = self.write8.q.val();
        self.state_index.next = self.index8.q.val();
        self.state_data.next = self.state8.q.val();
        if self.clear.val() {
            self.state_write.next = true;
            self.state_index.next = self.clear_index.val();
            self.state_data.next = bits::<MASK_STATE_BITS>(0);
        }
        self.states.write_enable.next = self.state_write.val();
        self.states.write_address.next = self.state_index.val();
        self.states.write_data.next = self.state_data.val();
        self.scan_states.write_enable.next = self.state_write.val();
        self.scan_states.write_address.next = self.state_index.val();
        self.scan_states.write_data.next = self.state_data.val();
        self.scan_states.read_address.next = self.scan_address.val().get_bits::<OP_INDEX_BITS>(MASK_WORD_NUMBER_BITS);
        self.scan_state.next = self.scan_states.read_data.val();
        self.retry_states.write_enable.next = self.state_write.val();
        self.retry_states.write_address.next = self.state_index.val();
        self.retry_states.write_data.next = self.state_data.val();
        self.retry_states.read_address.next = self.retry_address.val().get_bits::<OP_INDEX_BITS>(MASK_WORD_NUMBER_BITS);
        self.retry_state.next = self.retry_states.read_data.val();

        self.end_valid.next = self.end8.q.val();
        self.end_data.next = self.end_data8.q.val();
        self.nack_valid.next = self.repeat8.q.val();
        self.nack_op.next = self.op8.q.val();
        self.nack_word.next = self.word8.q.val();
        self.nack_bits.next = self.fresh8.q.val();
        self.evt_acks.next = self.ack8.q.val();
        self.evt_duplicate_acks.next = self.duplicate8.q.val();
        self.evt_nacks.next = self.nack8.q.val();
        self.evt_stale_acks.next = self.stale8.q.val();
        self.evt_failures.next = self.failure8.q.val();
    }
}
