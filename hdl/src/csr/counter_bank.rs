use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `COUNTERS` counters of 64 bits, each of which may count in every clock. Their values lie in LUT RAM; each has a small count of its own,
/// of `FRESH_BITS` bits, that is added to it once in `2^COUNTER_BITS` clocks. No event is lost.
///
/// `COUNTER_BITS` bits number the counters, and `4 <= 2^COUNTER_BITS`; `FRESH_BITS` is `COUNTER_BITS + 1`, `WORD_ADDRESS_BITS` is
/// `COUNTER_BITS + 1`: the address of a 32-bit word, low word first. Reading a low word keeps the high word of the same moment; reading a
/// high word, of whichever counter, gives what was kept. A value that is read lacks at most the events of the last `2^COUNTER_BITS + 4`
/// clocks. `clear` sets every counter to zero: what happens in its clock and before is forgotten, and reads give zero for
/// `2^COUNTER_BITS + 3` clocks.
/// Latency: 1 clock from `read` to `read_data`. Throughput: one read per clock, one event per counter and clock. Reset: as `clear`.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct CounterBank<const COUNTERS: usize, const COUNTER_BITS: usize, const FRESH_BITS: usize, const WORD_ADDRESS_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every counter to zero
    pub clear: Signal<In, Bit>,
    /// which counters count
    pub events: Signal<In, Bits<COUNTERS>>,
    /// a word is read
    pub read: Signal<In, Bit>,
    /// counter and, in bit 0, which word of it
    pub read_word: Signal<In, Bits<WORD_ADDRESS_BITS>>,
    /// the word, one clock later
    pub read_data: Signal<Out, Bits<32>>,
    // What each counter has not yet in its words.
    fresh: [Reg<Bits<FRESH_BITS>>; COUNTERS],
    turn: [Reg<Bit>; COUNTERS],
    chosen: Vec<Signal<Local, Bits<FRESH_BITS>>>,
    // Stage 0: whose turn it is; 1: its words are read; 2: low sum; 3: high sum; then they are written.
    visit: Reg<Bits<COUNTER_BITS>>,
    visit_1: Reg<Bits<COUNTER_BITS>>,
    visit_2: Reg<Bits<COUNTER_BITS>>,
    visit_3: Reg<Bits<COUNTER_BITS>>,
    clearing: Reg<Bit>,
    clearing_1: Reg<Bit>,
    clearing_2: Reg<Bit>,
    clearing_3: Reg<Bit>,
    add_2: Reg<Bits<FRESH_BITS>>,
    low_2: Reg<Bits<32>>,
    high_2: Reg<Bits<32>>,
    sum: Signal<Local, Bits<33>>,
    low_3: Reg<Bits<33>>,
    high_3: Reg<Bits<32>>,
    high_sum: Signal<Local, Bits<32>>,
    low: LutRam<32, COUNTER_BITS>,
    high: LutRam<32, COUNTER_BITS>,
    // The same words once more, for the reader.
    low_shown: LutRam<32, COUNTER_BITS>,
    high_shown: LutRam<32, COUNTER_BITS>,
    masked: Signal<Local, Bit>,
    read_1: State<Bit>,
    is_high_1: Reg<Bit>,
    low_read: Reg<Bits<32>>,
    high_read: Reg<Bits<32>>,
    kept: State<Bits<32>>,
    _end: usize,
}

impl<const COUNTERS: usize, const COUNTER_BITS: usize, const FRESH_BITS: usize, const WORD_ADDRESS_BITS: usize> Default
    for CounterBank<COUNTERS, COUNTER_BITS, FRESH_BITS, WORD_ADDRESS_BITS>
{
    fn default() -> Self {
        assert!((2..=8).contains(&COUNTER_BITS), "CounterBank: COUNTER_BITS = {COUNTER_BITS}, allowed are 2 to 8");
        assert!(
            COUNTERS >= 1 && COUNTERS <= 1 << COUNTER_BITS,
            "CounterBank: COUNTERS = {COUNTERS} with COUNTER_BITS = {COUNTER_BITS}, allowed are 1 to {}",
            1 << COUNTER_BITS
        );
        let one_more = COUNTER_BITS + 1;
        assert!(FRESH_BITS == one_more, "CounterBank: FRESH_BITS = {FRESH_BITS} with COUNTER_BITS = {COUNTER_BITS}, must be {one_more}");
        assert!(
            WORD_ADDRESS_BITS == one_more,
            "CounterBank: WORD_ADDRESS_BITS = {WORD_ADDRESS_BITS} with COUNTER_BITS = {COUNTER_BITS}, must be {one_more}"
        );
        Self {
            fresh: std::array::from_fn(|_| Default::default()),
            turn: std::array::from_fn(|_| Default::default()),
            chosen: (0..=COUNTERS).map(|_| Default::default()).collect(),
            _end: COUNTERS + 1,
            ..Self::blank()
        }
    }
}

impl<const COUNTERS: usize, const COUNTER_BITS: usize, const FRESH_BITS: usize, const WORD_ADDRESS_BITS: usize> Logic
    for CounterBank<COUNTERS, COUNTER_BITS, FRESH_BITS, WORD_ADDRESS_BITS>
{
    #[kernel]
    fn update(&mut self) {
        // Stage 0.
        self.visit.d.next = self.visit.q.val() + 1;
        if self.visit.q.val().all() {
            self.clearing.d.next = false;
        }
        self.visit_1.d.next = self.visit.q.val();
        self.clearing_1.d.next = self.clearing.q.val();

        // Stage 1: what has been counted since its last turn leaves the small count, an event of this clock begins the next.
        self.chosen[0].next = bits::<FRESH_BITS>(0);
        for i in 0..COUNTERS {
            self.turn[i].d.next = self.visit.q.val() == i.to_bits::<COUNTER_BITS>();
            self.fresh[i].d.next = self.fresh[i].q.val();
            self.chosen[i + 1].next = self.chosen[i].val();
            if self.turn[i].q.val() {
                self.chosen[i + 1].next = self.chosen[i].val() | self.fresh[i].q.val();
                self.fresh[i].d.next = bits::<FRESH_BITS>(0);
                if self.events.val().get_bit(i) {
                    self.fresh[i].d.next = bits::<FRESH_BITS>(1);
                }
            } else if self.events.val().get_bit(i) {
                self.fresh[i].d.next = self.fresh[i].q.val() + 1;
            }
            if self.clear.val() || self.rst.val() {
                self.fresh[i].d.next = bits::<FRESH_BITS>(0);
            }
        }
        self.low.read_address.next = self.visit_1.q.val();
        self.high.read_address.next = self.visit_1.q.val();
        self.low_2.d.next = self.low.read_data.val();
        self.high_2.d.next = self.high.read_data.val();
        if self.clearing_1.q.val() {
            self.low_2.d.next = bits::<32>(0);
            self.high_2.d.next = bits::<32>(0);
        }
        for end in COUNTERS..self._end {
            self.add_2.d.next = self.chosen[end].val();
        }
        self.visit_2.d.next = self.visit_1.q.val();
        self.clearing_2.d.next = self.clearing_1.q.val();

        // Stages 2 and 3.
        self.sum.next = bit_cast::<33, 32>(self.low_2.q.val()) + bit_cast::<33, FRESH_BITS>(self.add_2.q.val());
        self.low_3.d.next = self.sum.val();
        self.high_3.d.next = self.high_2.q.val();
        self.visit_3.d.next = self.visit_2.q.val();
        self.clearing_3.d.next = self.clearing_2.q.val();
        self.high_sum.next = self.high_3.q.val() + bit_cast::<32, 1>(self.low_3.q.val().get_bits::<1>(32));

        self.low.write_enable.next = true;
        self.low.write_address.next = self.visit_3.q.val();
        self.low.write_data.next = self.low_3.q.val().get_bits::<32>(0);
        self.high.write_enable.next = true;
        self.high.write_address.next = self.visit_3.q.val();
        self.high.write_data.next = self.high_sum.val();
        self.low_shown.write_enable.next = true;
        self.low_shown.write_address.next = self.visit_3.q.val();
        self.low_shown.write_data.next = self.low_3.q.val().get_bits::<32>(0);
        self.high_shown.write_enable.next = true;
        self.high_shown.write_address.next = self.visit_3.q.val();
        self.high_shown.write_data.next = self.high_sum.val();

        // The reader.
        self.masked.next = self.clearing.q.val() || self.clearing_1.q.val() || self.clearing_2.q.val() || self.clearing_3.q.val();
        self.low_shown.read_address.next = self.read_word.val().get_bits::<COUNTER_BITS>(1);
        self.high_shown.read_address.next = self.read_word.val().get_bits::<COUNTER_BITS>(1);
        self.low_read.d.next = self.low_shown.read_data.val();
        self.high_read.d.next = self.high_shown.read_data.val();
        if self.masked.val() {
            self.low_read.d.next = bits::<32>(0);
            self.high_read.d.next = bits::<32>(0);
        }
        self.read_1.d.next = self.read.val();
        self.is_high_1.d.next = self.read_word.val().get_bit(0);
        self.read_data.next = self.low_read.q.val();
        if self.is_high_1.q.val() {
            self.read_data.next = self.kept.q.val();
        } else if self.read_1.q.val() {
            self.kept.d.next = self.high_read.q.val();
        }

        if self.clear.val() || self.rst.val() {
            self.visit.d.next = bits::<COUNTER_BITS>(0);
            self.clearing.d.next = true;
        }
    }
}
