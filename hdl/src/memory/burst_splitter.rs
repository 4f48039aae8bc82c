use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A write of up to 4096 bytes at any address as AXI4 bursts: none longer than 256 beats, none over a 4 KB boundary.
///
/// The address space is cut into blocks of `2^(LB + BB)` bytes, the smaller of 4 KB and 256 beats; what lies in one block is one burst. Its address is that of
/// its first beat, also where the first byte is inside of the beat. A write of 0 bytes is a burst of one beat.
/// Latency: 2 clocks. Throughput: one burst per clock, writes back to back. Reset: empty.
///
/// Parameters: beats of `2^LB` bytes, `2^BB` beats in a block, `LC` = `LB + 1`, `RB` = `13 - LB`, `PB` = `64 - LB - BB` bits of a block's number, `TW` bits of a
/// tag, `SW` bits of a slot.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct BurstSplitter<
    const LB: usize,
    const LC: usize,
    const BB: usize,
    const RB: usize,
    const PB: usize,
    const TW: usize,
    const SW: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a write is there
    pub write_valid: Signal<In, Bit>,
    /// it is taken
    pub write_ready: Signal<Out, Bit>,
    /// its tag
    pub write_tag: Signal<In, Bits<TW>>,
    /// where its bytes are
    pub write_slot: Signal<In, Bits<SW>>,
    /// where they go
    pub write_addr: Signal<In, Bits<64>>,
    /// how many, at most 4096
    pub write_bytes: Signal<In, Bits<16>>,
    /// a burst is there
    pub burst_valid: Signal<Out, Bit>,
    /// it is taken
    pub burst_ready: Signal<In, Bit>,
    /// tag of its write
    pub burst_tag: Signal<Out, Bits<TW>>,
    /// number of the burst in its write
    pub burst_index: Signal<Out, Bits<2>>,
    /// address of its first beat
    pub burst_addr: Signal<Out, Bits<64>>,
    /// beats less one
    pub burst_len: Signal<Out, Bits<8>>,
    /// slot of its write
    pub burst_slot: Signal<Out, Bits<SW>>,
    /// the last of its write
    pub burst_final: Signal<Out, Bit>,
    /// first byte of the write in its first beat
    pub burst_offset: Signal<Out, Bits<LB>>,
    /// bytes up to the end of the write in its last beat, from byte 0 of the beat
    pub burst_end: Signal<Out, Bits<LC>>,
    /// no write is under way
    pub idle: Signal<Out, Bit>,

    valid1: State<Bit>,
    tag1: Reg<Bits<TW>>,
    slot1: Reg<Bits<SW>>,
    addr1: Reg<Bits<64>>,
    total1: Reg<Bits<17>>,
    nothing1: Reg<Bit>,
    before_end: Signal<Local, Bits<17>>,
    end_bytes: Signal<Local, Bits<LB>>,

    valid2: State<Bit>,
    tag2: Reg<Bits<TW>>,
    slot2: Reg<Bits<SW>>,
    index2: Reg<Bits<2>>,
    block2: Reg<Bits<PB>>,
    // Beats from here to the end of the block, and of the write, each less one.
    room2: Reg<Bits<BB>>,
    left2: Reg<Bits<RB>>,
    offset2: Reg<Bits<LB>>,
    end2: Reg<Bits<LC>>,
    fits: Signal<Local, Bit>,
    length: Signal<Local, Bits<BB>>,
    beat: Signal<Local, Bits<BB>>,
    goes: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
}

impl<const LB: usize, const LC: usize, const BB: usize, const RB: usize, const PB: usize, const TW: usize, const SW: usize>
    BurstSplitter<LB, LC, BB, RB, PB, TW, SW>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!((3..=8).contains(&LB), "BurstSplitter: LB = {LB}, allowed are 3 to 8: beats of 8 to 256 bytes");
        for (name, value, must) in [("LC", LC, LB + 1), ("BB", BB, 8.min(12 - LB)), ("RB", RB, 13 - LB), ("PB", PB, 64 - LB - BB)] {
            assert!(value == must, "BurstSplitter: {name} = {value} with LB = {LB}, must be {must}");
        }
        Self::default()
    }
}

impl<const LB: usize, const LC: usize, const BB: usize, const RB: usize, const PB: usize, const TW: usize, const SW: usize> Logic
    for BurstSplitter<LB, LC, BB, RB, PB, TW, SW>
{
    #[kernel]
    fn update(&mut self) {
        self.fits.next = self.left2.q.val() <= bit_cast::<RB, BB>(self.room2.q.val());
        self.goes.next = self.valid2.q.val() && self.burst_ready.val();
        self.loads.next = !self.valid2.q.val() || (self.goes.val() && self.fits.val());
        self.write_ready.next = !self.valid1.q.val() || self.loads.val();
        if !self.valid1.q.val() || self.loads.val() {
            self.valid1.d.next = self.write_valid.val();
            self.tag1.d.next = self.write_tag.val();
            self.slot1.d.next = self.write_slot.val();
            self.addr1.d.next = self.write_addr.val();
            self.total1.d.next = bit_cast::<17, 16>(self.write_bytes.val()) + bit_cast::<17, LB>(self.write_addr.val().get_bits::<LB>(0));
            self.nothing1.d.next = !self.write_bytes.val().any();
        }
        self.before_end.next = self.total1.q.val() + !bits::<17>(0);
        self.end_bytes.next = self.total1.q.val().get_bits::<LB>(0);
        if self.loads.val() {
            self.valid2.d.next = self.valid1.q.val();
            self.tag2.d.next = self.tag1.q.val();
            self.slot2.d.next = self.slot1.q.val();
            self.index2.d.next = bits::<2>(0);
            self.block2.d.next = self.addr1.q.val().get_bits::<PB>(LB + BB);
            self.room2.d.next = !self.addr1.q.val().get_bits::<BB>(LB);
            self.left2.d.next = self.before_end.val().get_bits::<RB>(LB);
            self.offset2.d.next = self.addr1.q.val().get_bits::<LB>(0);
            self.end2.d.next = bit_cast::<LC, LB>(self.end_bytes.val());
            if self.nothing1.q.val() {
                self.left2.d.next = bits::<RB>(0);
            } else if !self.end_bytes.val().any() {
                self.end2.d.next = bits::<LC>(1) << LB.to_bits::<4>();
            }
        } else if self.goes.val() {
            self.index2.d.next = self.index2.q.val() + 1;
            self.block2.d.next = self.block2.q.val() + 1;
            self.room2.d.next = !bits::<BB>(0);
            // Less the beats of this burst: plus the complement of one less than they are.
            self.left2.d.next = self.left2.q.val() + !bit_cast::<RB, BB>(self.room2.q.val());
        }
        self.length.next = self.room2.q.val();
        if self.fits.val() {
            self.length.next = self.left2.q.val().get_bits::<BB>(0);
        }
        self.beat.next = !self.room2.q.val();
        self.burst_valid.next = self.valid2.q.val();
        self.burst_tag.next = self.tag2.q.val();
        self.burst_index.next = self.index2.q.val();
        self.burst_addr.next = (bit_cast::<64, PB>(self.block2.q.val()) << (LB + BB).to_bits::<5>())
            | (bit_cast::<64, BB>(self.beat.val()) << LB.to_bits::<5>());
        self.burst_len.next = bit_cast::<8, BB>(self.length.val());
        self.burst_slot.next = self.slot2.q.val();
        self.burst_final.next = self.fits.val();
        self.burst_offset.next = self.offset2.q.val();
        self.burst_end.next = self.end2.q.val();
        self.idle.next = !self.valid1.q.val() && !self.valid2.q.val();
    }
}
