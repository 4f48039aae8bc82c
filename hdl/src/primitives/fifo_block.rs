use crate::primitives::{QueueRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Synchronous FIFO in block RAM, first-word fall-through: `2^A` words of `W` bits. `C` is `A + 1`.
///
/// Behind the memory is a register for the oldest word, so `out_data`, `out_valid`, `in_ready` and `count` come from registers.
/// The memory needs no read enable: its read address stays where it is while the register behind it cannot take the word. For few or
/// narrow words, or a latency of one clock, take `FifoLut`.
/// Latency: 3 clocks from `in` to `out`. Throughput: one per clock, also when full is left and entered. Reset: empty; words offered
/// during `rst` are lost. All `2^A` words can be used, the one in the output register among them.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct FifoBlock<const W: usize, const A: usize, const C: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the word
    pub in_data: Signal<In, Bits<W>>,
    /// the oldest word is there
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the oldest word
    pub out_data: Signal<Out, Bits<W>>,
    /// words held, 0 to `2^A`
    pub count: Signal<Out, Bits<C>>,
    memory: QueueRam<W, A>,
    write: State<Bits<A>>,
    // The word that the memory shows; `shown` says that it had been written when it was read.
    read: State<Bits<A>>,
    shown: State<Bit>,
    oldest: Reg<Bits<W>>,
    oldest_valid: State<Bit>,
    held: State<Bits<C>>,
    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    advance: Signal<Local, Bit>,
    read_next: Signal<Local, Bits<A>>,
    step: Signal<Local, Bits<C>>,
}

impl<const W: usize, const A: usize, const C: usize> Default for FifoBlock<W, A, C> {
    fn default() -> Self {
        assert!(C == A + 1, "FifoBlock: C = {C} with A = {A}, must be A + 1 = {}: the width of `count`", A + 1);
        assert!(A >= 2, "FifoBlock: A = {A}, must be 2 or more: three words are under way between the two ends");
        Self::blank()
    }
}

impl<const W: usize, const A: usize, const C: usize> Logic for FifoBlock<W, A, C> {
    #[kernel]
    fn update(&mut self) {
        // Full is 2^A, the only count with its top bit set. (A loop of one pass: a kernel has no other way to say `A`.)
        for top in A..C {
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

        self.read_next.next = self.read.q.val() + bit_cast::<A, 1>(self.advance.val().into());
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
        self.shown.d.next = self.held.q.val() != bits::<C>(0);
        if self.oldest_valid.q.val() && self.advance.val() {
            self.shown.d.next = self.held.q.val() > bits::<C>(2);
        } else if self.oldest_valid.q.val() || self.advance.val() {
            self.shown.d.next = self.held.q.val() > bits::<C>(1);
        }
        if self.room.val() {
            self.oldest.d.next = self.memory.read_data.val();
            self.oldest_valid.d.next = self.shown.q.val();
        }
        // One adder for both directions: plus one, or plus all ones.
        self.step.next = bits::<C>(1);
        if self.pop.val() {
            self.step.next = !bits::<C>(0);
        }
        if self.push.val() != self.pop.val() {
            self.held.d.next = self.held.q.val() + self.step.val();
        }
    }
}
