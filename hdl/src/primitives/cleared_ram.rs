use crate::primitives::{BlockRam, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Block RAM that clears itself: `2^A` words of `W` bits, every one zero when `ready` rises after power-up or reset.
///
/// It writes zero to one word per clock, and takes no other writes meanwhile: `write_enable` counts only with `ready`, and
/// `read_data` means nothing for addresses read before. After that it behaves as `BlockRam` with the same `OUT`: a read that meets a
/// write of the same word returns the old one. Use `BlockRam` where stale words do no harm, for clearing costs a multiplexer
/// in front of the write port.
/// Latency: read 1 clock (2 with `OUT` = 1); `ready` comes `2^A` clocks after the last clock with `rst`. Throughput: one read and one
/// write per clock. Reset: starts the clearing again.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct ClearedRam<const W: usize, const A: usize, const OUT: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every word has been cleared, writes count
    pub ready: Signal<Out, Bit>,
    /// write enable, ignored without `ready`
    pub write_enable: Signal<In, Bit>,
    /// word to write
    pub write_address: Signal<In, Bits<A>>,
    /// new value of `write`
    pub write_data: Signal<In, Bits<W>>,
    /// word to read
    pub read_address: Signal<In, Bits<A>>,
    /// the word, after the latency
    pub read_data: Signal<Out, Bits<W>>,
    ram: BlockRam<W, A, OUT>,
    // Low at power-up: a part that starts without a reset clears all the same.
    cleared: State<Bit>,
    next_word: State<Bits<A>>,
}

impl<const W: usize, const A: usize, const OUT: usize> Default for ClearedRam<W, A, OUT> {
    fn default() -> Self {
        Self::blank()
    }
}

impl<const W: usize, const A: usize, const OUT: usize> Logic for ClearedRam<W, A, OUT> {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.cleared.q.val();
        self.ram.read_address.next = self.read_address.val();
        self.read_data.next = self.ram.read_data.val();
        self.ram.write_enable.next = self.write_enable.val();
        self.ram.write_address.next = self.write_address.val();
        self.ram.write_data.next = self.write_data.val();
        if !self.cleared.q.val() {
            self.ram.write_enable.next = true;
            self.ram.write_address.next = self.next_word.q.val();
            self.ram.write_data.next = bits::<W>(0);
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.cleared.d.next = self.next_word.q.val().all();
        }
    }
}
