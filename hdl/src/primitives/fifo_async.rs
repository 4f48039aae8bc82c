use crate::primitives::{LutRam, Reg, Synchronizer};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// FIFO between two clocks, in distributed RAM, first-word fall-through: `2^ADDRESS_BITS` words of `WIDTH` bits. `COUNT_BITS` is
/// `ADDRESS_BITS + 1`.
///
/// Positions cross as Gray codes, so that whenever they are looked at they are an old position or a new one; each side believes what it
/// sees, and so may find the FIFO fuller or emptier than it is, never the other way. `out_valid` and `out_data` come from registers,
/// `in_ready` from one comparison. Both clocks may be anything to each other. Where there is one clock, take `FifoLut`.
/// Its constraints are `constraints/fifo_async.xdc`, scoped to the module.
/// Latency: 1 clock of `write_clk`, then `STAGES + 1` of `read_clk`, one more or less as the edges fall. Throughput: one per clock of the
/// slower, given `2^ADDRESS_BITS` of 8 or more. Reset: `write_rst` and `read_rst` together, each for `STAGES + 2` clocks of the slower
/// clock at least; empty; words offered meanwhile are lost. All `2^ADDRESS_BITS` words can be used, and one more waits at the output.
///
/// Parameters: `STAGES` flip-flops of each synchronizer, see there.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct FifoAsync<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize, const STAGES: usize> {
    /// clock of what goes in
    pub write_clk: Signal<In, Clock>,
    /// synchronous to `write_clk`, active high
    pub write_rst: Signal<In, Bit>,
    /// a word is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the word
    pub in_data: Signal<In, Bits<WIDTH>>,
    /// clock of what comes out
    pub read_clk: Signal<In, Clock>,
    /// synchronous to `read_clk`, active high
    pub read_rst: Signal<In, Bit>,
    /// the oldest word is there
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the oldest word
    pub out_data: Signal<Out, Bits<WIDTH>>,
    memory: LutRam<WIDTH, ADDRESS_BITS>,
    read_seen: Synchronizer<COUNT_BITS, STAGES>,
    write_seen: Synchronizer<COUNT_BITS, STAGES>,
    write: Reg<Bits<COUNT_BITS>>,
    write_gray: Reg<Bits<COUNT_BITS>>,
    read: Reg<Bits<COUNT_BITS>>,
    read_gray: Reg<Bits<COUNT_BITS>>,
    valid: Reg<Bit>,
    word: Reg<Bits<WIDTH>>,
    next_write: Signal<Local, Bits<COUNT_BITS>>,
    next_read: Signal<Local, Bits<COUNT_BITS>>,
    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    half_way: Constant<Bits<COUNT_BITS>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize, const STAGES: usize> Default
    for FifoAsync<WIDTH, ADDRESS_BITS, COUNT_BITS, STAGES>
{
    fn default() -> Self {
        assert!((2..=8).contains(&ADDRESS_BITS), "FifoAsync: ADDRESS_BITS = {ADDRESS_BITS}, allowed are 2 to 8 address bits");
        assert!(
            COUNT_BITS == ADDRESS_BITS + 1,
            "FifoAsync: COUNT_BITS = {COUNT_BITS} with ADDRESS_BITS = {ADDRESS_BITS}, must be one more, {}: the width of a position",
            ADDRESS_BITS + 1
        );
        Self { half_way: Constant::new(bits::<COUNT_BITS>(3 << (ADDRESS_BITS - 1))), ..Self::blank() }
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize, const STAGES: usize> Logic
    for FifoAsync<WIDTH, ADDRESS_BITS, COUNT_BITS, STAGES>
{
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, write_clk, write, write_gray);
        dff_setup!(self, read_clk, read, read_gray, valid, word);
        self.read_seen.clk.next = self.write_clk.val();
        self.read_seen.d.next = self.read_gray.q.val();
        self.write_seen.clk.next = self.read_clk.val();
        self.write_seen.d.next = self.write_gray.q.val();

        // Positions 2^ADDRESS_BITS apart differ in the two highest bits of their Gray codes, and in no other.
        self.full.next = self.write_gray.q.val() == (self.read_seen.q.val() ^ self.half_way.val());
        self.in_ready.next = !self.full.val();
        self.push.next = self.in_valid.val() && !self.full.val();
        self.next_write.next = self.write.q.val() + 1;
        if self.push.val() {
            self.write.d.next = self.next_write.val();
            self.write_gray.d.next = self.next_write.val() ^ (self.next_write.val() >> bits::<COUNT_BITS>(1));
        }
        self.memory.clk.next = self.write_clk.val();
        self.memory.write_enable.next = self.push.val();
        self.memory.write_address.next = self.write.q.val().get_bits::<ADDRESS_BITS>(0);
        self.memory.write_data.next = self.in_data.val();

        self.memory.read_address.next = self.read.q.val().get_bits::<ADDRESS_BITS>(0);
        self.pop.next = (self.read_gray.q.val() != self.write_seen.q.val()) && (!self.valid.q.val() || self.out_ready.val());
        self.next_read.next = self.read.q.val() + 1;
        if self.out_ready.val() {
            self.valid.d.next = false;
        }
        if self.pop.val() {
            self.read.d.next = self.next_read.val();
            self.read_gray.d.next = self.next_read.val() ^ (self.next_read.val() >> bits::<COUNT_BITS>(1));
            self.valid.d.next = true;
            self.word.d.next = self.memory.read_data.val();
        }
        self.out_valid.next = self.valid.q.val();
        self.out_data.next = self.word.q.val();

        if self.write_rst.val() {
            self.write.d.next = bits::<COUNT_BITS>(0);
            self.write_gray.d.next = bits::<COUNT_BITS>(0);
        }
        if self.read_rst.val() {
            self.read.d.next = bits::<COUNT_BITS>(0);
            self.read_gray.d.next = bits::<COUNT_BITS>(0);
            self.valid.d.next = false;
        }
    }
}
