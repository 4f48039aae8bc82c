use crate::primitives::{LutRam, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Synchronous FIFO in distributed RAM, first-word fall-through: `2^ADDRESS_BITS` words of `WIDTH` bits.
/// `COUNT_BITS` is `ADDRESS_BITS + 1`.
///
/// `out_data` is read from the memory in the same clock (one level behind a register): for wide logic behind it, or for more than 64
/// words, take `FifoBlock`; for two words `SkidBuffer`. `in_ready` and `out_valid` depend on registers only.
/// Latency: 1 clock from `in` to `out`. Throughput: one per clock, also when full is left and entered. Reset: empty; words offered
/// during `rst` are lost. All `2^ADDRESS_BITS` words can be used.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct FifoLut<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the word
    pub in_data: Signal<In, Bits<WIDTH>>,
    /// the oldest word is there
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the oldest word
    pub out_data: Signal<Out, Bits<WIDTH>>,
    /// words held, 0 to `2^ADDRESS_BITS`
    pub count: Signal<Out, Bits<COUNT_BITS>>,
    memory: LutRam<WIDTH, ADDRESS_BITS>,
    write: State<Bits<ADDRESS_BITS>>,
    read: State<Bits<ADDRESS_BITS>>,
    held: State<Bits<COUNT_BITS>>,
    filled: State<Bit>,
    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    step: Signal<Local, Bits<COUNT_BITS>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> Default for FifoLut<WIDTH, ADDRESS_BITS, COUNT_BITS> {
    fn default() -> Self {
        assert!(
            COUNT_BITS == ADDRESS_BITS + 1,
            "FifoLut: COUNT_BITS = {COUNT_BITS} with ADDRESS_BITS = {ADDRESS_BITS}, must be ADDRESS_BITS + 1 = {}: the width of `count`",
            ADDRESS_BITS + 1
        );
        Self::blank()
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> Logic for FifoLut<WIDTH, ADDRESS_BITS, COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        // Full is 2^ADDRESS_BITS, the only count with its top bit set. (A loop of one pass: a kernel has no other way to say
        // `ADDRESS_BITS`.)
        for top in ADDRESS_BITS..COUNT_BITS {
            self.full.next = self.held.q.val().get_bit(top);
        }
        self.in_ready.next = !self.full.val();
        self.push.next = self.in_valid.val() && !self.full.val();
        self.pop.next = self.out_ready.val() && self.filled.q.val();
        self.count.next = self.held.q.val();
        self.out_valid.next = self.filled.q.val();
        self.out_data.next = self.memory.read_data.val();

        self.memory.write_enable.next = self.push.val();
        self.memory.write_address.next = self.write.q.val();
        self.memory.write_data.next = self.in_data.val();
        self.memory.read_address.next = self.read.q.val();

        if self.push.val() {
            self.write.d.next = self.write.q.val() + 1;
        }
        if self.pop.val() {
            self.read.d.next = self.read.q.val() + 1;
        }
        // One adder for both directions: plus one, or plus all ones.
        self.step.next = bits::<COUNT_BITS>(1);
        if self.pop.val() {
            self.step.next = !bits::<COUNT_BITS>(0);
        }
        if self.push.val() != self.pop.val() {
            self.held.d.next = self.held.q.val() + self.step.val();
            self.filled.d.next = self.push.val() || self.held.q.val() != bits::<COUNT_BITS>(1);
        }
    }
}
