use crate::primitives::{QueueRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Synchronous FIFO in block RAM, first-word fall-through: `2^ADDRESS_BITS` words of `WIDTH` bits.
/// `COUNT_BITS` is `ADDRESS_BITS + 1`.
///
/// Behind the memory is a register for the oldest word, so `out_data`, `out_valid`, `in_ready` and `count` come from registers.
/// The memory needs no read enable: its read address stays where it is while the register behind it cannot take the word. For few or
/// narrow words, or a latency of one clock, take `FifoLut`.
/// Latency: 3 clocks from `in` to `out`. Throughput: one per clock, also when full is left and entered. Reset: empty; words offered
/// during `rst` are lost. All `2^ADDRESS_BITS` words can be used, the one in the output register among them.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct FifoBlock<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> {
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
    memory: QueueRam<WIDTH, ADDRESS_BITS>,
    write: State<Bits<ADDRESS_BITS>>,
    // The word that the memory shows; `shown` says that it had been written when it was read.
    read: State<Bits<ADDRESS_BITS>>,
    shown: State<Bit>,
    oldest: Reg<Bits<WIDTH>>,
    oldest_valid: State<Bit>,
    held: State<Bits<COUNT_BITS>>,
    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    advance: Signal<Local, Bit>,
    read_next: Signal<Local, Bits<ADDRESS_BITS>>,
    step: Signal<Local, Bits<COUNT_BITS>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> Default for FifoBlock<WIDTH, ADDRESS_BITS, COUNT_BITS> {
    fn default() -> Self {
        assert!(
            COUNT_BITS == ADDRESS_BITS + 1,
            "FifoBlock: COUNT_BITS = {COUNT_BITS} with ADDRESS_BITS = {ADDRESS_BITS}, must be ADDRESS_BITS + 1 = {}: the width of `count`",
            ADDRESS_BITS + 1
        );
        assert!(
            ADDRESS_BITS >= 2,
            "FifoBlock: ADDRESS_BITS = {ADDRESS_BITS}, must be 2 or more: three words are under way between the two ends"
        );
        Self::blank()
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> Logic for FifoBlock<WIDTH, ADDRESS_BITS, COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        // Full is 2^ADDRESS_BITS, the only count with its top bit set. (A loop of one pass: a kernel has no other way to say
        // `ADDRESS_BITS`.)
        for top in ADDRESS_BITS..COUNT_BITS {
            self.full.next = self.held.q.val().get_bit(top);
        }
        self.in_ready.next = !self.full.val();
        self.push.next = self.in_valid.val() && !self.full.val();
        self.out_valid.next = self.oldest_valid.q.val();
        self.out_data.next = self.oldest.q.val();
        self.count.next = self.held.q.val();
        self.pop.next = self.out_ready.val() && self.oldest_valid.q.val();
        self.room.next = self.out_ready.val() || !self.oldest_valid.q.val();
        self.advance.next = self.shown.q.val() && self.room.val();

        self.read_next.next = self.read.q.val() + bit_cast::<ADDRESS_BITS, 1>(self.advance.val().into());
        self.read.d.next = self.read_next.val();
        self.memory.write_enable.next = self.push.val();
        self.memory.write_address.next = self.write.q.val();
        self.memory.write_data.next = self.in_data.val();
        self.memory.read_address.next = self.read_next.val();
        if self.push.val() {
            self.write.d.next = self.write.q.val() + 1;
        }

        // `held` words are written and not yet gone. The next read finds one if more are held than stand before it: one in the output
        // register, one that leaves the memory in this clock. A word that is being written in this clock is not among them.
        self.shown.d.next = self.held.q.val() != bits::<COUNT_BITS>(0);
        if self.oldest_valid.q.val() && self.advance.val() {
            self.shown.d.next = self.held.q.val() > bits::<COUNT_BITS>(2);
        } else if self.oldest_valid.q.val() || self.advance.val() {
            self.shown.d.next = self.held.q.val() > bits::<COUNT_BITS>(1);
        }
        if self.room.val() {
            self.oldest.d.next = self.memory.read_data.val();
            self.oldest_valid.d.next = self.shown.q.val();
        }
        // One adder for both directions: plus one, or plus all ones.
        self.step.next = bits::<COUNT_BITS>(1);
        if self.pop.val() {
            self.step.next = !bits::<COUNT_BITS>(0);
        }
        if self.push.val() != self.pop.val() {
            self.held.d.next = self.held.q.val() + self.step.val();
        }
    }
}
