use crate::primitives::{FifoLut, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// AXI4-Lite slave of 32-bit data and `A` bits of byte address, in front of a register bank; `WA` is `A - 2`, the bits of a word's address.
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
pub struct AxiLiteSlave<const A: usize, const WA: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// write address is there
    pub s_axi_awvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_awready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_awaddr: Signal<In, Bits<A>>,
    /// not used
    pub s_axi_awprot: Signal<In, Bits<3>>,
    /// write data is there
    pub s_axi_wvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_wready: Signal<Out, Bit>,
    /// value
    pub s_axi_wdata: Signal<In, Bits<32>>,
    /// which bytes count
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    /// a write is done
    pub s_axi_bvalid: Signal<Out, Bit>,
    /// that is taken
    pub s_axi_bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    /// read address is there
    pub s_axi_arvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_arready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_araddr: Signal<In, Bits<A>>,
    /// not used
    pub s_axi_arprot: Signal<In, Bits<3>>,
    /// a value is there
    pub s_axi_rvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_rready: Signal<In, Bit>,
    /// the value
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    /// to the bank, one clock
    pub command_valid: Signal<Out, Bit>,
    /// write, else read
    pub command_write: Signal<Out, Bit>,
    /// word address
    pub command_word: Signal<Out, Bits<WA>>,
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
    aw_word: Reg<Bits<WA>>,
    w_full: State<Bit>,
    w_data: Reg<Bits<32>>,
    w_strobe: Reg<Bits<4>>,
    ar_full: State<Bit>,
    ar_word: Reg<Bits<WA>>,
    writes_open: State<Bits<4>>,
    reads_open: State<Bits<4>>,
    read_next: State<Bit>,
    valid: State<Bit>,
    write: Reg<Bit>,
    word: Reg<Bits<WA>>,
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

impl<const A: usize, const WA: usize> Default for AxiLiteSlave<A, WA> {
    fn default() -> Self {
        assert!(WA + 2 == A, "AxiLiteSlave: WA = {WA} with A = {A}, must be A - 2: the address of a word");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_axi_awvalid: Default::default(),
            s_axi_awready: Default::default(),
            s_axi_awaddr: Default::default(),
            s_axi_awprot: Default::default(),
            s_axi_wvalid: Default::default(),
            s_axi_wready: Default::default(),
            s_axi_wdata: Default::default(),
            s_axi_wstrb: Default::default(),
            s_axi_bvalid: Default::default(),
            s_axi_bready: Default::default(),
            s_axi_bresp: Default::default(),
            s_axi_arvalid: Default::default(),
            s_axi_arready: Default::default(),
            s_axi_araddr: Default::default(),
            s_axi_arprot: Default::default(),
            s_axi_rvalid: Default::default(),
            s_axi_rready: Default::default(),
            s_axi_rdata: Default::default(),
            s_axi_rresp: Default::default(),
            command_valid: Default::default(),
            command_write: Default::default(),
            command_word: Default::default(),
            command_data: Default::default(),
            command_mask: Default::default(),
            answer_valid: Default::default(),
            answer_write: Default::default(),
            answer_error: Default::default(),
            answer_data: Default::default(),
            aw_full: Default::default(),
            aw_word: Default::default(),
            w_full: Default::default(),
            w_data: Default::default(),
            w_strobe: Default::default(),
            ar_full: Default::default(),
            ar_word: Default::default(),
            writes_open: Default::default(),
            reads_open: Default::default(),
            read_next: Default::default(),
            valid: Default::default(),
            write: Default::default(),
            word: Default::default(),
            data: Default::default(),
            mask: Default::default(),
            can_write: Default::default(),
            can_read: Default::default(),
            go_write: Default::default(),
            go_read: Default::default(),
            strobe_mask: Default::default(),
            answer_bit: Default::default(),
            read_word: Default::default(),
            written: Default::default(),
            reads: Default::default(),
        }
    }
}

impl<const A: usize, const WA: usize> Logic for AxiLiteSlave<A, WA> {
    #[kernel]
    fn update(&mut self) {
        // One place per channel.
        self.s_axi_awready.next = !self.aw_full.q.val();
        self.s_axi_wready.next = !self.w_full.q.val();
        self.s_axi_arready.next = !self.ar_full.q.val();
        if !self.aw_full.q.val() {
            self.aw_full.d.next = self.s_axi_awvalid.val();
            self.aw_word.d.next = self.s_axi_awaddr.val().get_bits::<WA>(2);
        }
        if !self.w_full.q.val() {
            self.w_full.d.next = self.s_axi_wvalid.val();
            self.w_data.d.next = self.s_axi_wdata.val();
            self.w_strobe.d.next = self.s_axi_wstrb.val();
        }
        if !self.ar_full.q.val() {
            self.ar_full.d.next = self.s_axi_arvalid.val();
            self.ar_word.d.next = self.s_axi_araddr.val().get_bits::<WA>(2);
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
        self.written.out_ready.next = self.s_axi_bready.val();
        self.s_axi_bvalid.next = self.written.out_valid.val();
        self.s_axi_bresp.next = bit_cast::<2, 1>(self.written.out_data.val()) << 1;
        self.reads.in_valid.next = self.answer_valid.val() && !self.answer_write.val();
        self.read_word.next = bit_cast::<33, 32>(self.answer_data.val());
        self.read_word.next = self.read_word.val().replace_bit(32, self.answer_error.val());
        self.reads.in_data.next = self.read_word.val();
        self.reads.out_ready.next = self.s_axi_rready.val();
        self.s_axi_rvalid.next = self.reads.out_valid.val();
        self.s_axi_rdata.next = self.reads.out_data.val().get_bits::<32>(0);
        self.s_axi_rresp.next = bit_cast::<2, 1>(self.reads.out_data.val().get_bits::<1>(32)) << 1;

        if self.go_write.val() && !(self.written.out_valid.val() && self.s_axi_bready.val()) {
            self.writes_open.d.next = self.writes_open.q.val() + 1;
        } else if !self.go_write.val() && self.written.out_valid.val() && self.s_axi_bready.val() {
            self.writes_open.d.next = self.writes_open.q.val() - 1;
        }
        if self.go_read.val() && !(self.reads.out_valid.val() && self.s_axi_rready.val()) {
            self.reads_open.d.next = self.reads_open.q.val() + 1;
        } else if !self.go_read.val() && self.reads.out_valid.val() && self.s_axi_rready.val() {
            self.reads_open.d.next = self.reads_open.q.val() - 1;
        }
    }
}
