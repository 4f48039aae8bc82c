use crate::bus::RegisterBus;
use crate::primitives::{FifoLut, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// AXI4-Lite slave of 32-bit data and `ADDRESS_BITS` bits of byte address, in front of a register bank; `WORD_ADDRESS_BITS` is
/// `ADDRESS_BITS - 2`, the bits of a word's address.
///
/// Reads and writes become one stream of commands, reads and writes in turn where both wait. The bank answers each command in order, a
/// fixed number of clocks later, and has no way to say no: up to 8 reads and 8 writes are under way, and there is room for the answer
/// of each before it is issued. Address and data of a write may come in any order and at any distance. Unaligned addresses mean the
/// word that they lie in. An answer with `answer_error` is SLVERR. `awprot` and `arprot` are not looked at.
///
/// `command_data` is zero and `command_mask` clear in the bytes that the strobes leave out.
/// Latency: 2 clocks from the last of `awvalid`, `wvalid`, `arvalid` to the command, 1 from the answer to `bvalid`, `rvalid`.
/// Throughput: one read per 2 clocks and one write per 2 clocks at the same time. Reset: nothing is under way; a bank must answer
/// nothing from before.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct AxiLiteSlave<const ADDRESS_BITS: usize, const WORD_ADDRESS_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub s_axi: RegisterBus<ADDRESS_BITS>,
    /// to the bank, one clock
    pub command_valid: Signal<Out, Bit>,
    /// write, else read
    pub command_write: Signal<Out, Bit>,
    /// word address
    pub command_word: Signal<Out, Bits<WORD_ADDRESS_BITS>>,
    /// bits to write
    pub command_data: Signal<Out, Bits<32>>,
    /// which bits to write
    pub command_mask: Signal<Out, Bits<32>>,
    /// the oldest command is done
    pub answer_valid: Signal<In, Bit>,
    /// it was a write
    pub answer_write: Signal<In, Bit>,
    /// it could not be done
    pub answer_error: Signal<In, Bit>,
    /// value read
    pub answer_data: Signal<In, Bits<32>>,
    aw_full: State<Bit>,
    aw_word: Reg<Bits<WORD_ADDRESS_BITS>>,
    w_full: State<Bit>,
    w_data: Reg<Bits<32>>,
    w_strobe: Reg<Bits<4>>,
    ar_full: State<Bit>,
    ar_word: Reg<Bits<WORD_ADDRESS_BITS>>,
    writes_open: State<Bits<4>>,
    reads_open: State<Bits<4>>,
    read_next: State<Bit>,
    valid: State<Bit>,
    write: Reg<Bit>,
    word: Reg<Bits<WORD_ADDRESS_BITS>>,
    data: Reg<Bits<32>>,
    mask: Reg<Bits<32>>,
    can_write: Signal<Local, Bit>,
    can_read: Signal<Local, Bit>,
    go_write: Signal<Local, Bit>,
    go_read: Signal<Local, Bit>,
    strobe_mask: Signal<Local, Bits<32>>,
    answer_bit: Signal<Local, Bits<1>>,
    read_word: Signal<Local, Bits<33>>,
    written: FifoLut<1, 3, 4>,
    reads: FifoLut<33, 3, 4>,
}

impl<const ADDRESS_BITS: usize, const WORD_ADDRESS_BITS: usize> Default for AxiLiteSlave<ADDRESS_BITS, WORD_ADDRESS_BITS> {
    fn default() -> Self {
        assert!(
            WORD_ADDRESS_BITS + 2 == ADDRESS_BITS,
            "AxiLiteSlave: WORD_ADDRESS_BITS = {WORD_ADDRESS_BITS} with ADDRESS_BITS = {ADDRESS_BITS}, must be 2 less: a word's address"
        );
        Self::blank()
    }
}

impl<const ADDRESS_BITS: usize, const WORD_ADDRESS_BITS: usize> Logic for AxiLiteSlave<ADDRESS_BITS, WORD_ADDRESS_BITS> {
    #[kernel]
    fn update(&mut self) {
        // One place per channel.
        self.s_axi.awready.next = !self.aw_full.q.val();
        self.s_axi.wready.next = !self.w_full.q.val();
        self.s_axi.arready.next = !self.ar_full.q.val();
        if !self.aw_full.q.val() {
            self.aw_full.d.next = self.s_axi.awvalid.val();
            self.aw_word.d.next = self.s_axi.awaddr.val().get_bits::<WORD_ADDRESS_BITS>(2);
        }
        if !self.w_full.q.val() {
            self.w_full.d.next = self.s_axi.wvalid.val();
            self.w_data.d.next = self.s_axi.wdata.val();
            self.w_strobe.d.next = self.s_axi.wstrb.val();
        }
        if !self.ar_full.q.val() {
            self.ar_full.d.next = self.s_axi.arvalid.val();
            self.ar_word.d.next = self.s_axi.araddr.val().get_bits::<WORD_ADDRESS_BITS>(2);
        }

        // A command goes out when its answer has a place: 8 are under way with the top bit set.
        self.can_write.next = self.aw_full.q.val() && self.w_full.q.val() && !self.writes_open.q.val().get_bit(3);
        self.can_read.next = self.ar_full.q.val() && !self.reads_open.q.val().get_bit(3);
        self.go_read.next = self.can_read.val() && (self.read_next.q.val() || !self.can_write.val());
        self.go_write.next = self.can_write.val() && (!self.read_next.q.val() || !self.can_read.val());
        self.strobe_mask.next = bits::<32>(0);
        for byte in 0..4 {
            for i in 0..8 {
                self.strobe_mask.next = self.strobe_mask.val().replace_bit(8 * byte + i, self.w_strobe.q.val().get_bit(byte));
            }
        }
        self.valid.d.next = self.go_read.val() || self.go_write.val();
        self.write.d.next = self.go_write.val();
        self.word.d.next = self.aw_word.q.val();
        self.data.d.next = self.w_data.q.val() & self.strobe_mask.val();
        self.mask.d.next = self.strobe_mask.val();
        if self.go_read.val() {
            self.word.d.next = self.ar_word.q.val();
            self.ar_full.d.next = false;
            self.read_next.d.next = false;
        }
        if self.go_write.val() {
            self.aw_full.d.next = false;
            self.w_full.d.next = false;
            self.read_next.d.next = true;
        }
        self.command_valid.next = self.valid.q.val();
        self.command_write.next = self.write.q.val();
        self.command_word.next = self.word.q.val();
        self.command_data.next = self.data.q.val();
        self.command_mask.next = self.mask.q.val();

        // Answers.
        self.written.in_valid.next = self.answer_valid.val() && self.answer_write.val();
        self.answer_bit.next = bits::<1>(0);
        self.answer_bit.next = self.answer_bit.val().replace_bit(0, self.answer_error.val());
        self.written.in_data.next = self.answer_bit.val();
        self.written.out_ready.next = self.s_axi.bready.val();
        self.s_axi.bvalid.next = self.written.out_valid.val();
        self.s_axi.bresp.next = bit_cast::<2, 1>(self.written.out_data.val()) << 1;
        self.reads.in_valid.next = self.answer_valid.val() && !self.answer_write.val();
        self.read_word.next = bit_cast::<33, 32>(self.answer_data.val());
        self.read_word.next = self.read_word.val().replace_bit(32, self.answer_error.val());
        self.reads.in_data.next = self.read_word.val();
        self.reads.out_ready.next = self.s_axi.rready.val();
        self.s_axi.rvalid.next = self.reads.out_valid.val();
        self.s_axi.rdata.next = self.reads.out_data.val().get_bits::<32>(0);
        self.s_axi.rresp.next = bit_cast::<2, 1>(self.reads.out_data.val().get_bits::<1>(32)) << 1;

        if self.go_write.val() && !(self.written.out_valid.val() && self.s_axi.bready.val()) {
            self.writes_open.d.next = self.writes_open.q.val() + 1;
        } else if !self.go_write.val() && self.written.out_valid.val() && self.s_axi.bready.val() {
            self.writes_open.d.next = self.writes_open.q.val() - 1;
        }
        if self.go_read.val() && !(self.reads.out_valid.val() && self.s_axi.rready.val()) {
            self.reads_open.d.next = self.reads_open.q.val() + 1;
        } else if !self.go_read.val() && self.reads.out_valid.val() && self.s_axi.rready.val() {
            self.reads_open.d.next = self.reads_open.q.val() - 1;
        }
    }
}
