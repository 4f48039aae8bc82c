use crate::bus::DescriptorBus;
use crate::primitives::{FifoLut, QueueRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// `2^DESCRIPTOR_BITS` descriptors of 32 bytes, each at a multiple of 64, behind an AXI4 port of 32 bits: the DMA engine reads them and
/// writes their status.
///
/// Reads are INCR bursts of any length; the upper half of each 64 bytes does not exist and repeats the lower one. Of writes only those of a
/// whole status word (offset 0x1c) count, any other one is answered with SLVERR and changes nothing. Every write of a status word, from the
/// bus and from `put_*`, is told in the clock in which it takes effect.
/// Latency: 3 clocks from an address to its first beat, 3 from a status beat to its response. Throughput: one beat of a burst per clock,
/// one put per clock in which no beat from the bus is written. Reset: nothing under way; descriptors are unknown until put.
///
/// Parameters: `DESCRIPTOR_BITS`, `DESCRIPTOR_WORD_BITS` = `DESCRIPTOR_BITS + 3` bits of a word's address, `DESCRIPTOR_BYTE_BITS` =
/// `DESCRIPTOR_BITS + 6` of a byte's.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DescriptorRing<const DESCRIPTOR_BITS: usize, const DESCRIPTOR_WORD_BITS: usize, const DESCRIPTOR_BYTE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word of a descriptor
    pub put_valid: Signal<In, Bit>,
    /// it is written
    pub put_ready: Signal<Out, Bit>,
    /// descriptor, and word of it in the low three bits
    pub put_word: Signal<In, Bits<DESCRIPTOR_WORD_BITS>>,
    /// value of `put`
    pub put_data: Signal<In, Bits<32>>,
    /// a status word is written
    pub status_valid: Signal<Out, Bit>,
    /// of which descriptor
    pub status_index: Signal<Out, Bits<DESCRIPTOR_BITS>>,
    /// upper bits of `status`: completed, decode error, slave error, internal error
    pub status_code: Signal<Out, Bits<4>>,
    /// no write from the bus is under way
    pub quiet: Signal<Out, Bit>,
    /// descriptor ring
    pub s_axi_sg: DescriptorBus<DESCRIPTOR_BYTE_BITS>,

    memory: QueueRam<32, DESCRIPTOR_WORD_BITS>,
    beats: FifoLut<33, 2, 3>,
    reading: State<Bit>,
    // descriptor, word of it
    read_index: Reg<Bits<DESCRIPTOR_BITS>>,
    read_part: Reg<Bits<4>>,
    left: Reg<Bits<8>>,
    room: Signal<Local, Bit>,
    issues: Signal<Local, Bit>,
    issued: State<Bit>,
    issued_last: Reg<Bit>,

    writing: State<Bit>,
    write_index: Reg<Bits<DESCRIPTOR_BITS>>,
    write_part: Reg<Bits<4>>,
    takes_w: Signal<Local, Bit>,
    beat: State<Bit>,
    beat_counts: Reg<Bit>,
    beat_last: Reg<Bit>,
    beat_index: Reg<Bits<DESCRIPTOR_BITS>>,
    beat_data: Reg<Bits<32>>,
    refused: Reg<Bit>,
    answers: State<Bit>,
    bad: Reg<Bit>,
    counts: Signal<Local, Bit>,
    enable: Signal<Local, Bit>,
    word: Signal<Local, Bits<DESCRIPTOR_WORD_BITS>>,
    data: Signal<Local, Bits<32>>,
}

impl<const DESCRIPTOR_BITS: usize, const DESCRIPTOR_WORD_BITS: usize, const DESCRIPTOR_BYTE_BITS: usize>
    DescriptorRing<DESCRIPTOR_BITS, DESCRIPTOR_WORD_BITS, DESCRIPTOR_BYTE_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(
            (1..=8).contains(&DESCRIPTOR_BITS),
            "DescriptorRing: DESCRIPTOR_BITS = {DESCRIPTOR_BITS}, allowed are 1 to 8: rings of up to 256 descriptors"
        );
        assert!(
            DESCRIPTOR_WORD_BITS == DESCRIPTOR_BITS + 3 && DESCRIPTOR_BYTE_BITS == DESCRIPTOR_BITS + 6,
            "DescriptorRing: DESCRIPTOR_WORD_BITS = {DESCRIPTOR_WORD_BITS}, DESCRIPTOR_BYTE_BITS = {DESCRIPTOR_BYTE_BITS} with DESCRIPTOR_BITS = {DESCRIPTOR_BITS}, must be DESCRIPTOR_BITS + 3 and DESCRIPTOR_BITS + 6"
        );
        Self::default()
    }
}

impl<const DESCRIPTOR_BITS: usize, const DESCRIPTOR_WORD_BITS: usize, const DESCRIPTOR_BYTE_BITS: usize> Logic
    for DescriptorRing<DESCRIPTOR_BITS, DESCRIPTOR_WORD_BITS, DESCRIPTOR_BYTE_BITS>
{
    #[kernel]
    fn update(&mut self) {
        // Reads: a beat goes out of the memory when the FIFO has room for it and for the one on its way.
        self.s_axi_sg.arready.next = !self.reading.q.val();
        self.room.next = !self.beats.count.val().get_bit(2) && !self.beats.count.val().get_bits::<2>(0).all();
        self.issues.next = self.reading.q.val() && self.room.val();
        if !self.reading.q.val() {
            self.reading.d.next = self.s_axi_sg.arvalid.val();
            self.read_index.d.next = self.s_axi_sg.araddr.val().get_bits::<DESCRIPTOR_BITS>(6);
            self.read_part.d.next = self.s_axi_sg.araddr.val().get_bits::<4>(2);
            self.left.d.next = self.s_axi_sg.arlen.val();
        }
        if self.issues.val() {
            self.read_part.d.next = self.read_part.q.val() + 1;
            if self.read_part.q.val().all() {
                self.read_index.d.next = self.read_index.q.val() + 1;
            }
            self.left.d.next = self.left.q.val() - 1;
            self.reading.d.next = self.left.q.val().any();
        }
        self.issued.d.next = self.issues.val();
        self.issued_last.d.next = !self.left.q.val().any();
        self.memory.read_address.next = (bit_cast::<DESCRIPTOR_WORD_BITS, DESCRIPTOR_BITS>(self.read_index.q.val()) << 3)
            | bit_cast::<DESCRIPTOR_WORD_BITS, 3>(self.read_part.q.val().get_bits::<3>(0));
        self.beats.in_valid.next = self.issued.q.val();
        self.beats.in_data.next =
            bit_cast::<33, 32>(self.memory.read_data.val()) | (bit_cast::<33, 1>(self.issued_last.q.val().into()) << 32);
        self.beats.out_ready.next = self.s_axi_sg.rready.val();
        self.s_axi_sg.rvalid.next = self.beats.out_valid.val();
        self.s_axi_sg.rdata.next = self.beats.out_data.val().get_bits::<32>(0);
        self.s_axi_sg.rlast.next = self.beats.out_data.val().get_bit(32);
        self.s_axi_sg.rresp.next = bits::<2>(0);

        // Writes: one burst, whose beats take effect one clock after they came.
        self.s_axi_sg.awready.next = !self.writing.q.val();
        if !self.writing.q.val() {
            self.writing.d.next = self.s_axi_sg.awvalid.val();
            self.write_index.d.next = self.s_axi_sg.awaddr.val().get_bits::<DESCRIPTOR_BITS>(6);
            self.write_part.d.next = self.s_axi_sg.awaddr.val().get_bits::<4>(2);
            self.refused.d.next = false;
        }
        self.takes_w.next = self.writing.q.val() && !self.beat.q.val() && !self.answers.q.val();
        self.s_axi_sg.wready.next = self.takes_w.val();
        self.counts.next = self.write_part.q.val() == bits::<4>(7) && self.s_axi_sg.wstrb.val().all();
        self.beat.d.next = self.takes_w.val() && self.s_axi_sg.wvalid.val();
        if self.takes_w.val() && self.s_axi_sg.wvalid.val() {
            self.beat_counts.d.next = self.counts.val();
            self.beat_last.d.next = self.s_axi_sg.wlast.val();
            self.beat_index.d.next = self.write_index.q.val();
            self.beat_data.d.next = self.s_axi_sg.wdata.val();
            self.write_part.d.next = self.write_part.q.val() + 1;
            if self.write_part.q.val().all() {
                self.write_index.d.next = self.write_index.q.val() + 1;
            }
            if !self.counts.val() {
                self.refused.d.next = true;
            }
        }
        if self.beat.q.val() && self.beat_last.q.val() {
            self.answers.d.next = true;
            self.bad.d.next = self.refused.q.val();
        }
        if self.answers.q.val() && self.s_axi_sg.bready.val() {
            self.answers.d.next = false;
            self.writing.d.next = false;
        }
        self.s_axi_sg.bvalid.next = self.answers.q.val();
        self.s_axi_sg.bresp.next = bit_cast::<2, 1>(self.bad.q.val().into()) << 1;
        self.quiet.next = !self.writing.q.val();

        // One port of the memory for both: the bus first.
        self.put_ready.next = !self.beat.q.val();
        self.enable.next = self.put_valid.val();
        self.word.next = self.put_word.val();
        self.data.next = self.put_data.val();
        if self.beat.q.val() {
            self.enable.next = self.beat_counts.q.val();
            self.word.next =
                (bit_cast::<DESCRIPTOR_WORD_BITS, DESCRIPTOR_BITS>(self.beat_index.q.val()) << 3) | bits::<DESCRIPTOR_WORD_BITS>(7);
            self.data.next = self.beat_data.q.val();
        }
        self.memory.write_enable.next = self.enable.val();
        self.memory.write_address.next = self.word.val();
        self.memory.write_data.next = self.data.val();
        self.status_valid.next = self.enable.val() && self.word.val().get_bits::<3>(0).all();
        self.status_index.next = self.word.val().get_bits::<DESCRIPTOR_BITS>(3);
        self.status_code.next = self.data.val().get_bits::<4>(28);
    }
}
