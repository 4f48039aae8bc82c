use crate::primitives::{BlockRam, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Block RAM that clears itself: `2^ADDRESS_BITS` words of `WIDTH` bits, every one zero when `ready` rises after power-up or reset.
///
/// It writes zero to one word per clock, and takes no other writes meanwhile: `write_enable` counts only with `ready`, and
/// `read_data` means nothing for addresses read before. After that it behaves as `BlockRam` with the same `OUTPUT_REGISTER`: a read that
/// meets a write of the same word returns the old one. Use `BlockRam` where stale words do no harm, for clearing costs a multiplexer in
/// front of the write port.
/// Latency: read 1 clock (2 with `OUTPUT_REGISTER` = 1); `ready` comes `2^ADDRESS_BITS` clocks after the last clock with `rst`. Throughput:
/// one read and one write per clock. Reset: starts the clearing again.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct ClearedRam<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every word has been cleared, writes count
    pub ready: Signal<Out, Bit>,
    /// write enable, ignored without `ready`
    pub write_enable: Signal<In, Bit>,
    /// word to write
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// new value of `write`
    pub write_data: Signal<In, Bits<WIDTH>>,
    /// word to read
    pub read_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// the word, after the latency
    pub read_data: Signal<Out, Bits<WIDTH>>,
    ram: BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>,
    // Low at power-up: a part that starts without a reset clears all the same.
    cleared: State<Bit>,
    next_word: State<Bits<ADDRESS_BITS>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> Default
    for ClearedRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>
{
    fn default() -> Self {
        Self::blank()
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> Logic
    for ClearedRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>
{
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
            self.ram.write_data.next = bits::<WIDTH>(0);
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.cleared.d.next = self.next_word.q.val().all();
        }
    }
}
