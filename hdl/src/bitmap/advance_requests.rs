use crate::primitives::{FifoBlock, LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Queue pairs whose window may move over whole segments, each at most once, in the order in which they asked.
///
/// A queue pair waits while its bit in `asked` differs from that in `answered`; each memory has one writer. One that asks while it waits is
/// answered with the first time, for whoever takes it out looks at what is there then. So as many words as there are queue pairs are
/// enough.
/// Latency: 4 clocks. Throughput: one in and one out per clock. Reset: empty; `ready` comes `2^NODE_BITS` clocks after it.
/// `NODE_COUNT_BITS` = `NODE_BITS + 1`; `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AdvanceRequests<
    const NODE_BITS: usize,
    const NODE_COUNT_BITS: usize,
    const NODE_QUEUE_BITS: usize,
    const NODE_QUEUE_COUNT_BITS: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// all bits have been cleared
    pub ready: Signal<Out, Bit>,
    /// a queue pair asks
    pub ask: Signal<In, Bit>,
    /// queue pair of `ask`
    pub ask_qp: Signal<In, Bits<NODE_BITS>>,
    /// who asked a clock ago waits already
    pub waits: Signal<Out, Bit>,
    /// one waits
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// queue pair of `out`
    pub out_qp: Signal<Out, Bits<NODE_BITS>>,
    asked: LutRam<1, NODE_BITS>,
    answered: LutRam<1, NODE_BITS>,
    cleared: State<Bit>,
    next_word: State<Bits<NODE_BITS>>,
    ask1: State<Bit>,
    qp1: Reg<Bits<NODE_BITS>>,
    asked1: Reg<Bits<1>>,
    waits1: Reg<Bit>,
    // The one in front, of the same queue pair, has entered just now.
    entered1: State<Bit>,
    enter: Signal<Local, Bit>,
    leave: Signal<Local, Bit>,
    queue: FifoBlock<NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
}

impl<const NODE_BITS: usize, const NODE_COUNT_BITS: usize, const NODE_QUEUE_BITS: usize, const NODE_QUEUE_COUNT_BITS: usize> Logic
    for AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.cleared.q.val();

        // One that is taken out between the two stages looks at the queue pair after this, and so sees what this one asks for.
        self.asked.read_address.next = self.ask_qp.val();
        self.answered.read_address.next = self.ask_qp.val();
        self.ask1.d.next = self.ask.val() && self.cleared.q.val();
        self.qp1.d.next = self.ask_qp.val();
        self.asked1.d.next = self.asked.read_data.val();
        self.waits1.d.next = self.asked.read_data.val() != self.answered.read_data.val();
        self.entered1.d.next = self.enter.val() && (self.ask_qp.val() == self.qp1.q.val());
        self.waits.next = self.waits1.q.val() || self.entered1.q.val();
        self.enter.next = self.ask1.q.val() && !self.waits.val();
        // The new value of `asked` goes along, to become that of `answered`.
        self.queue.in_valid.next = self.enter.val();
        self.queue.in_data.next = bit_cast::<NODE_COUNT_BITS, NODE_BITS>(self.qp1.q.val())
            | (bit_cast::<NODE_COUNT_BITS, 1>(!self.asked1.q.val()) << NODE_BITS.to_bits::<4>());
        self.asked.write_enable.next = self.enter.val();
        self.asked.write_address.next = self.qp1.q.val();
        self.asked.write_data.next = !self.asked1.q.val();

        self.out_valid.next = self.queue.out_valid.val();
        self.out_qp.next = self.queue.out_data.val().get_bits::<NODE_BITS>(0);
        self.queue.out_ready.next = self.out_ready.val();
        self.leave.next = self.queue.out_valid.val() && self.out_ready.val();
        self.answered.write_enable.next = self.leave.val();
        self.answered.write_address.next = self.queue.out_data.val().get_bits::<NODE_BITS>(0);
        self.answered.write_data.next = self.queue.out_data.val().get_bits::<1>(NODE_BITS);

        if !self.cleared.q.val() {
            self.asked.write_enable.next = true;
            self.asked.write_address.next = self.next_word.q.val();
            self.asked.write_data.next = bits::<1>(0);
            self.answered.write_enable.next = true;
            self.answered.write_address.next = self.next_word.q.val();
            self.answered.write_data.next = bits::<1>(0);
            self.next_word.d.next = self.next_word.q.val() + 1;
            self.cleared.d.next = self.next_word.q.val().all();
        }
    }
}
