use crate::primitives::{ClearedRam, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which packets of each flow were asked for again: `FILTER_BITS` bits of each of `FLOWS` flows, that of a PSN at its lower bits.
///
/// A change clears bits, then sets bits, each from a PSN on; it takes the words of a flow one by one, and the owner asks nothing meanwhile.
/// A flow whose entry is written anew has all of its bits cleared.
/// Latency: 1 clock from a question to its answer; `ready` rises `words + 2` clocks after a change of one range, and `words` of the other
/// and 1 later with both.
/// Throughput: one question per clock; a change takes a clock per word of 64 bits that it touches, and 2.
/// Reset: every bit is cleared, `ready` comes `2^FILTER_ADDRESS_BITS` clocks after it.
/// Spec: LR2, "Sentry": "Bits below `una` are cleared one 64-bit segment per clock."
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryBits {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a question counts, and a change is taken
    pub ready: Signal<Out, Bit>,
    /// question: flow
    pub ask_flow: Signal<In, Bits<FLOW_BITS>>,
    /// and PSN
    pub ask_psn: Signal<In, Bits<24>>,
    /// the packet was asked for: a change that came with the question is not seen
    pub answer: Signal<Out, Bit>,
    /// a change
    pub change: Signal<In, Bit>,
    /// flow
    pub change_flow: Signal<In, Bits<FLOW_BITS>>,
    /// bits are cleared
    pub clear: Signal<In, Bit>,
    /// from this PSN on
    pub clear_start: Signal<In, Bits<24>>,
    /// so many: 1 to `FILTER_BITS`
    pub clear_length: Signal<In, Bits<FILTER_COUNT_BITS>>,
    /// bits are set, afterwards
    pub mark: Signal<In, Bit>,
    /// from this PSN on
    pub mark_start: Signal<In, Bits<24>>,
    /// so many: 1 to `FILTER_BITS`
    pub mark_length: Signal<In, Bits<FILTER_COUNT_BITS>>,

    ram: ClearedRam<FILTER_WORD, FILTER_ADDRESS_BITS, 0>,
    place: Reg<Bits<FILTER_WORD_BITS>>,
    free: Signal<Local, Bit>,
    // The range at work, and one that waits.
    active: State<Bit>,
    flow: Reg<Bits<FLOW_BITS>>,
    at: Reg<Bits<FILTER_PLACE_BITS>>,
    left: Reg<Bits<FILTER_COUNT_BITS>>,
    value: Reg<Bit>,
    waiting: State<Bit>,
    waiting_at: Reg<Bits<FILTER_PLACE_BITS>>,
    waiting_left: Reg<Bits<FILTER_COUNT_BITS>>,
    word: Signal<Local, Bits<FILTER_WORDS_BITS>>,
    offset: Signal<Local, Bits<FILTER_WORD_BITS>>,
    room: Signal<Local, Bits<FILTER_WORD_COUNT_BITS>>,
    last: Signal<Local, Bit>,
    address: Signal<Local, Bits<FILTER_ADDRESS_BITS>>,
    // What is written a clock later: bits `begin` to `end` of the word.
    write: State<Bit>,
    write_address: Reg<Bits<FILTER_ADDRESS_BITS>>,
    write_value: Reg<Bit>,
    begin: Reg<Bits<FILTER_WORD_BITS>>,
    end: Reg<Bits<FILTER_WORD_COUNT_BITS>>,
    from_begin: ThermometerMask<FILTER_WORD, FILTER_WORD_COUNT_BITS, 1>,
    from_end: ThermometerMask<FILTER_WORD, FILTER_WORD_COUNT_BITS, 1>,
    mask: Signal<Local, Bits<FILTER_WORD>>,
}

impl Logic for SentryBits {
    #[kernel]
    fn update(&mut self) {
        self.free.next = self.ram.ready.val() && !self.active.q.val() && !self.write.q.val() && !self.waiting.q.val();
        self.ready.next = self.free.val();

        // A word of the range in each clock, from its place to its end or the range's.
        self.word.next = self.at.q.val().get_bits::<FILTER_WORDS_BITS>(FILTER_WORD_BITS);
        self.offset.next = self.at.q.val().get_bits::<FILTER_WORD_BITS>(0);
        self.room.next =
            FILTER_WORD.to_bits::<FILTER_WORD_COUNT_BITS>() - bit_cast::<FILTER_WORD_COUNT_BITS, FILTER_WORD_BITS>(self.offset.val());
        self.last.next = self.left.q.val() <= bit_cast::<FILTER_COUNT_BITS, FILTER_WORD_COUNT_BITS>(self.room.val());
        self.address.next = bit_cast::<FILTER_ADDRESS_BITS, FILTER_WORDS_BITS>(self.word.val())
            | (bit_cast::<FILTER_ADDRESS_BITS, FLOW_BITS>(self.flow.q.val()) << FILTER_WORDS_BITS.to_bits::<6>());
        self.write.d.next = self.active.q.val();
        self.write_address.d.next = self.address.val();
        self.write_value.d.next = self.value.q.val();
        self.begin.d.next = self.offset.val();
        self.end.d.next = FILTER_WORD.to_bits::<FILTER_WORD_COUNT_BITS>();
        if self.last.val() {
            self.end.d.next = bit_cast::<FILTER_WORD_COUNT_BITS, FILTER_WORD_BITS>(self.offset.val())
                + self.left.q.val().get_bits::<FILTER_WORD_COUNT_BITS>(0);
        }
        if self.active.q.val() {
            self.at.d.next = bit_cast::<FILTER_PLACE_BITS, FILTER_WORDS_BITS>(self.word.val() + 1) << FILTER_WORD_BITS.to_bits::<4>();
            self.left.d.next = self.left.q.val() - bit_cast::<FILTER_COUNT_BITS, FILTER_WORD_COUNT_BITS>(self.room.val());
            self.active.d.next = !self.last.val();
        }
        // A range that waits begins when the last word of the one before is written: they may share it.
        if self.waiting.q.val() && !self.active.q.val() {
            self.active.d.next = true;
            self.at.d.next = self.waiting_at.q.val();
            self.left.d.next = self.waiting_left.q.val();
            self.value.d.next = true;
            self.waiting.d.next = false;
        }
        if self.free.val() && self.change.val() {
            self.flow.d.next = self.change_flow.val();
            self.active.d.next = self.clear.val();
            self.value.d.next = false;
            self.at.d.next = self.clear_start.val().get_bits::<FILTER_PLACE_BITS>(0);
            self.left.d.next = self.clear_length.val();
            self.waiting.d.next = self.mark.val();
            self.waiting_at.d.next = self.mark_start.val().get_bits::<FILTER_PLACE_BITS>(0);
            self.waiting_left.d.next = self.mark_length.val();
        }

        self.from_begin.count.next = bit_cast::<FILTER_WORD_COUNT_BITS, FILTER_WORD_BITS>(self.begin.q.val());
        self.from_end.count.next = self.end.q.val();
        self.mask.next = self.from_begin.mask.val() & !self.from_end.mask.val();
        self.ram.write_enable.next = self.write.q.val();
        self.ram.write_address.next = self.write_address.q.val();
        self.ram.write_data.next = self.ram.read_data.val() & !self.mask.val();
        if self.write_value.q.val() {
            self.ram.write_data.next = self.ram.read_data.val() | self.mask.val();
        }

        self.ram.read_address.next =
            bit_cast::<FILTER_ADDRESS_BITS, FILTER_WORDS_BITS>(self.ask_psn.val().get_bits::<FILTER_WORDS_BITS>(FILTER_WORD_BITS))
                | (bit_cast::<FILTER_ADDRESS_BITS, FLOW_BITS>(self.ask_flow.val()) << FILTER_WORDS_BITS.to_bits::<6>());
        if self.active.q.val() {
            self.ram.read_address.next = self.address.val();
        }
        self.place.d.next = self.ask_psn.val().get_bits::<FILTER_WORD_BITS>(0);
        self.answer.next = ((self.ram.read_data.val() >> self.place.q.val()) & 1).any();
    }
}
