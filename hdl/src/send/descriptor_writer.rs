use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Loads to descriptors of a ring: one for each piece that is not empty, word by word, its status zero; at most `2^DESCRIPTOR_BITS - 1` of
/// them are out.
///
/// The pieces lie one behind the other at the destination. A load that the DMA engine cannot do is refused and writes nothing: no bytes at
/// all, a piece of more than `2^BTT_BITS - 1` bytes (never truncated, and zero is never written), or without `cfg_wide` an address of more
/// than 32 bits. `clear` sets the status of every descriptor that is out to zero, oldest first, and holds what is being written.
/// Latency: 2 clocks from a load to its first word. Throughput: a descriptor in 8 clocks, an empty piece in 1. Reset: empty, the next
/// descriptor is the first of the ring.
/// Spec: send path, "Xilinx AXI CDMA in scatter-gather mode".
#[derive(Default, Described, LogicBlock)]
pub struct DescriptorWriter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bytes are to be fetched
    pub load_valid: Signal<In, Bit>,
    /// the load is taken
    pub load_ready: Signal<Out, Bit>,
    /// comes back with its answer
    pub load_tag: Signal<In, Bits<TAG_BITS>>,
    /// addresses of up to four pieces, 64 bits each, first one lowest
    pub load_sources: Signal<In, Bits<256>>,
    /// their bytes, 32 bits each; 0: there is none
    pub load_lengths: Signal<In, Bits<128>>,
    /// where the first byte goes
    pub load_destination: Signal<In, Bits<64>>,
    /// address of the ring, a multiple of its size
    pub cfg_ring_base: Signal<In, Bits<64>>,
    /// the DMA engine has addresses of more than 32 bits
    pub cfg_wide: Signal<In, Bit>,
    /// oldest descriptor that is out
    pub head: Signal<In, Bits<DESCRIPTOR_BITS>>,
    /// the one to be written next
    pub fill: Signal<Out, Bits<DESCRIPTOR_BITS>>,
    /// set the status of those between to zero, one clock
    pub clear: Signal<In, Bit>,
    /// it is being done
    pub clearing: Signal<Out, Bit>,
    /// a word of a descriptor
    pub put_valid: Signal<Out, Bit>,
    /// it is written
    pub put_ready: Signal<In, Bit>,
    /// descriptor and word
    pub put_word: Signal<Out, Bits<DESCRIPTOR_WORD_BITS>>,
    /// value
    pub put_data: Signal<Out, Bits<32>>,
    /// descriptor `fill` is complete
    pub entry_valid: Signal<Out, Bit>,
    /// whose it is
    pub entry_tag: Signal<Out, Bits<TAG_BITS>>,
    /// its load has no further one
    pub entry_last: Signal<Out, Bit>,
    /// a load is refused
    pub refused_valid: Signal<Out, Bit>,
    /// it has been told
    pub refused_ready: Signal<In, Bit>,
    /// tag of `refused`
    pub refused_tag: Signal<Out, Bits<TAG_BITS>>,
    /// no load is inside
    pub idle: Signal<Out, Bit>,

    held: State<Bit>,
    checked: State<Bit>,
    bad: Reg<Bit>,
    tag: Reg<Bits<TAG_BITS>>,
    sources: Reg<Bits<256>>,
    lengths: Reg<Bits<128>>,
    destination: Reg<Bits<64>>,
    part: State<Bits<3>>,
    next_fill: Reg<Bits<DESCRIPTOR_BITS>>,
    filled: State<Bits<DESCRIPTOR_BITS>>,
    clears: State<Bit>,
    cleared: Reg<Bits<DESCRIPTOR_BITS>>,
    too_long: Signal<Local, Bit>,
    too_far: Signal<Local, Bit>,
    used: Signal<Local, Bit>,
    length: Signal<Local, Bits<32>>,
    works: Signal<Local, Bit>,
    puts: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    skips: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    clear_now: Signal<Local, Bit>,
    next_address: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<32>>,
}

impl DescriptorWriter {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for DescriptorWriter {
    #[kernel]
    fn update(&mut self) {
        self.load_ready.next = !self.held.q.val();
        if !self.held.q.val() {
            self.held.d.next = self.load_valid.val();
            self.checked.d.next = false;
            self.tag.d.next = self.load_tag.val();
            self.sources.d.next = self.load_sources.val();
            self.lengths.d.next = self.load_lengths.val();
            self.destination.d.next = self.load_destination.val();
        }
        self.too_long.next = false;
        self.too_far.next = self.destination.q.val().get_bits::<32>(32).any();
        for i in 0..4 {
            if self.lengths.q.val().get_bits::<BTT_REST_BITS>(32 * i + BTT_BITS).any() {
                self.too_long.next = true;
            }
            if self.lengths.q.val().get_bits::<32>(32 * i).any() && self.sources.q.val().get_bits::<32>(64 * i + 32).any() {
                self.too_far.next = true;
            }
        }
        self.checked.d.next = self.held.q.val();
        if !self.checked.q.val() {
            self.bad.d.next = self.too_long.val() || (self.too_far.val() && !self.cfg_wide.val()) || !self.lengths.q.val().any();
        }
        self.refused_valid.next = self.held.q.val() && self.checked.q.val() && self.bad.q.val();
        self.refused_tag.next = self.tag.q.val();

        // The piece in front; those behind it move up when it is done.
        self.length.next = self.lengths.q.val().get_bits::<32>(0);
        self.used.next = self.length.val().any();
        self.last.next = !self.lengths.q.val().get_bits::<96>(32).any();
        self.works.next = self.held.q.val() && self.checked.q.val() && !self.bad.q.val() && !self.clears.q.val();
        self.skips.next = self.works.val() && !self.used.val();
        self.puts.next = self.works.val() && self.used.val() && (self.next_fill.q.val() != self.head.val());
        self.ends.next = self.puts.val() && self.put_ready.val() && self.part.q.val().all();
        if self.puts.val() && self.put_ready.val() {
            self.part.d.next = self.part.q.val() + 1;
        }
        if self.skips.val() || self.ends.val() {
            self.sources.d.next = self.sources.q.val() >> 64;
            self.lengths.d.next = self.lengths.q.val() >> 32;
        }
        if self.ends.val() {
            self.destination.d.next = self.destination.q.val() + bit_cast::<64, 32>(self.length.val());
            self.filled.d.next = self.next_fill.q.val();
            self.next_fill.d.next = self.next_fill.q.val() + 1;
            if self.last.val() {
                self.held.d.next = false;
                self.checked.d.next = false;
            }
        }
        if self.refused_valid.val() && self.refused_ready.val() {
            self.held.d.next = false;
            self.checked.d.next = false;
        }

        // Everything but the place in the ring is above its size.
        self.next_address.next = (self.cfg_ring_base.val().get_bits::<32>(0)
            & !bit_cast::<32, DESCRIPTOR_BYTE_BITS>(!bits::<DESCRIPTOR_BYTE_BITS>(0)))
            | (bit_cast::<32, DESCRIPTOR_BITS>(self.next_fill.q.val()) << 6);
        self.word.next = bits::<32>(0);
        match self.part.q.val().index() {
            0 => self.word.next = self.next_address.val(),
            1 => self.word.next = self.cfg_ring_base.val().get_bits::<32>(32),
            2 => self.word.next = self.sources.q.val().get_bits::<32>(0),
            3 => self.word.next = self.sources.q.val().get_bits::<32>(32),
            4 => self.word.next = self.destination.q.val().get_bits::<32>(0),
            5 => self.word.next = self.destination.q.val().get_bits::<32>(32),
            6 => self.word.next = self.length.val(),
            _ => self.word.next = bits::<32>(0),
        }
        if self.clear.val() {
            self.clears.d.next = true;
            self.cleared.d.next = self.head.val();
        }
        self.clear_now.next = self.clears.q.val() && (self.cleared.q.val() != self.filled.q.val());
        if self.clear_now.val() && self.put_ready.val() {
            self.cleared.d.next = self.cleared.q.val() + 1;
        }
        if self.clears.q.val() && !self.clear_now.val() {
            self.clears.d.next = false;
        }
        self.put_valid.next = self.puts.val() || self.clear_now.val();
        self.put_word.next = (bit_cast::<DESCRIPTOR_WORD_BITS, DESCRIPTOR_BITS>(self.filled.q.val()) << 3)
            | bit_cast::<DESCRIPTOR_WORD_BITS, 3>(self.part.q.val());
        self.put_data.next = self.word.val();
        if self.clears.q.val() {
            self.put_word.next =
                (bit_cast::<DESCRIPTOR_WORD_BITS, DESCRIPTOR_BITS>(self.cleared.q.val()) << 3) | bits::<DESCRIPTOR_WORD_BITS>(7);
            self.put_data.next = bits::<32>(0);
        }
        self.clearing.next = self.clears.q.val();
        self.fill.next = self.filled.q.val();
        self.entry_valid.next = self.ends.val();
        self.entry_tag.next = self.tag.q.val();
        self.entry_last.next = self.last.val();
        self.idle.next = !self.held.q.val();
        if self.rst.val() {
            self.next_fill.d.next = bits::<DESCRIPTOR_BITS>(1);
        }
    }
}
