use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `N` counters of 64 bits, each of which may count in every clock. Their values lie in LUT RAM; each has a small count of its own, of
/// `K` bits, that is added to it once in `2^S` clocks. No event is lost.
///
/// `S` bits number the counters, and `4 <= 2^S`; `K` is `S + 1`, `RW` is `S + 1`: the address of a 32-bit word, low word first. Reading a
/// low word keeps the high word of the same moment; reading a high word, of whichever counter, gives what was kept. A value that is
/// read lacks at most the events of the last `2^S + 4` clocks. `clear` sets every counter to zero: what happens in its clock and before
/// is forgotten, and reads give zero for `2^S + 3` clocks.
/// Latency: 1 clock from `read` to `read_data`. Throughput: one read per clock, one event per counter and clock. Reset: as `clear`.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct CounterBank<const N: usize, const S: usize, const K: usize, const RW: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every counter to zero
    pub clear: Signal<In, Bit>,
    /// which counters count
    pub events: Signal<In, Bits<N>>,
    /// a word is read
    pub read: Signal<In, Bit>,
    /// counter and, in bit 0, which word of it
    pub read_word: Signal<In, Bits<RW>>,
    /// the word, one clock later
    pub read_data: Signal<Out, Bits<32>>,
    // What each counter has not yet in its words.
    fresh: [Reg<Bits<K>>; N],
    turn: [Reg<Bit>; N],
    chosen: Vec<Signal<Local, Bits<K>>>,
    // Stage 0: whose turn it is; 1: its words are read; 2: low sum; 3: high sum; then they are written.
    visit: Reg<Bits<S>>,
    visit_1: Reg<Bits<S>>,
    visit_2: Reg<Bits<S>>,
    visit_3: Reg<Bits<S>>,
    clearing: Reg<Bit>,
    clearing_1: Reg<Bit>,
    clearing_2: Reg<Bit>,
    clearing_3: Reg<Bit>,
    add_2: Reg<Bits<K>>,
    low_2: Reg<Bits<32>>,
    high_2: Reg<Bits<32>>,
    sum: Signal<Local, Bits<33>>,
    low_3: Reg<Bits<33>>,
    high_3: Reg<Bits<32>>,
    high_sum: Signal<Local, Bits<32>>,
    low: LutRam<32, S>,
    high: LutRam<32, S>,
    // The same words once more, for the reader.
    low_shown: LutRam<32, S>,
    high_shown: LutRam<32, S>,
    masked: Signal<Local, Bit>,
    read_1: State<Bit>,
    is_high_1: Reg<Bit>,
    low_read: Reg<Bits<32>>,
    high_read: Reg<Bits<32>>,
    kept: State<Bits<32>>,
    _end: usize,
}

impl<const N: usize, const S: usize, const K: usize, const RW: usize> Default for CounterBank<N, S, K, RW> {
    fn default() -> Self {
        assert!((2..=8).contains(&S), "CounterBank: S = {S}, allowed are 2 to 8");
        assert!(N >= 1 && N <= 1 << S, "CounterBank: N = {N} with S = {S}, allowed are 1 to {}", 1 << S);
        assert!(K == S + 1 && RW == S + 1, "CounterBank: K = {K}, RW = {RW} with S = {S}, both must be {}", S + 1);
        Self {
            fresh: std::array::from_fn(|_| Default::default()),
            turn: std::array::from_fn(|_| Default::default()),
            chosen: (0..=N).map(|_| Default::default()).collect(),
            _end: N + 1,
            ..Self::blank()
        }
    }
}

impl<const N: usize, const S: usize, const K: usize, const RW: usize> Logic for CounterBank<N, S, K, RW> {
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
        self.chosen[0].next = bits::<K>(0);
        for i in 0..N {
            self.turn[i].d.next = self.visit.q.val() == i.to_bits::<S>();
            self.fresh[i].d.next = self.fresh[i].q.val();
            self.chosen[i + 1].next = self.chosen[i].val();
            if self.turn[i].q.val() {
                self.chosen[i + 1].next = self.chosen[i].val() | self.fresh[i].q.val();
                self.fresh[i].d.next = bits::<K>(0);
                if self.events.val().get_bit(i) {
                    self.fresh[i].d.next = bits::<K>(1);
                }
            } else if self.events.val().get_bit(i) {
                self.fresh[i].d.next = self.fresh[i].q.val() + 1;
            }
            if self.clear.val() || self.rst.val() {
                self.fresh[i].d.next = bits::<K>(0);
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
        for end in N..self._end {
            self.add_2.d.next = self.chosen[end].val();
        }
        self.visit_2.d.next = self.visit_1.q.val();
        self.clearing_2.d.next = self.clearing_1.q.val();

        // Stages 2 and 3.
        self.sum.next = bit_cast::<33, 32>(self.low_2.q.val()) + bit_cast::<33, K>(self.add_2.q.val());
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
        self.low_shown.read_address.next = self.read_word.val().get_bits::<S>(1);
        self.high_shown.read_address.next = self.read_word.val().get_bits::<S>(1);
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
            self.visit.d.next = bits::<S>(0);
            self.clearing.d.next = true;
        }
    }
}
