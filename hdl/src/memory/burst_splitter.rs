use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A write of up to 4096 bytes at any address as AXI4 bursts: none longer than 256 beats, none over a 4 KB boundary.
///
/// The address space is cut into blocks of `2^(LANE_BITS + BURST_BLOCK_BITS)` bytes, the smaller of 4 KB and 256 beats; what lies in one
/// block is one burst. Its address is that of its first beat, also where the first byte is inside of the beat. A write of 0 bytes is a
/// burst of one beat.
/// Latency: 2 clocks. Throughput: one burst per clock, writes back to back. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct BurstSplitter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a write is there
    pub write_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `write_valid` is high too
    pub write_ready: Signal<Out, Bit>,
    /// tag of `write`
    pub write_tag: Signal<In, Bits<WRITE_BITS>>,
    /// where its bytes are
    pub write_slot: Signal<In, Bits<SLOT_BITS>>,
    /// where they go
    pub write_addr: Signal<In, Bits<64>>,
    /// how many, at most 4096
    pub write_bytes: Signal<In, Bits<16>>,
    /// a burst is there
    pub burst_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `burst_valid` is high too
    pub burst_ready: Signal<In, Bit>,
    /// tag of its write
    pub burst_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// number of the burst in its write
    pub burst_index: Signal<Out, Bits<2>>,
    /// address of its first beat
    pub burst_addr: Signal<Out, Bits<64>>,
    /// beats less one
    pub burst_len: Signal<Out, Bits<8>>,
    /// slot of its write
    pub burst_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// the last of its write
    pub burst_final: Signal<Out, Bit>,
    /// first byte of the write in its first beat
    pub burst_offset: Signal<Out, Bits<LANE_BITS>>,
    /// bytes up to the end of the write in its last beat, from byte 0 of the beat
    pub burst_end: Signal<Out, Bits<LANE_COUNT_BITS>>,
    /// no write is under way
    pub idle: Signal<Out, Bit>,

    valid1: State<Bit>,
    tag1: Reg<Bits<WRITE_BITS>>,
    slot1: Reg<Bits<SLOT_BITS>>,
    addr1: Reg<Bits<64>>,
    total1: Reg<Bits<17>>,
    nothing1: Reg<Bit>,
    before_end: Signal<Local, Bits<17>>,
    end_bytes: Signal<Local, Bits<LANE_BITS>>,

    valid2: State<Bit>,
    tag2: Reg<Bits<WRITE_BITS>>,
    slot2: Reg<Bits<SLOT_BITS>>,
    index2: Reg<Bits<2>>,
    block2: Reg<Bits<BURST_BLOCK_NUMBER_BITS>>,
    // Beats from here to the end of the block, and of the write, each less one.
    room2: Reg<Bits<BURST_BLOCK_BITS>>,
    left2: Reg<Bits<BURST_COUNT_BITS>>,
    offset2: Reg<Bits<LANE_BITS>>,
    end2: Reg<Bits<LANE_COUNT_BITS>>,
    fits: Signal<Local, Bit>,
    length: Signal<Local, Bits<BURST_BLOCK_BITS>>,
    beat: Signal<Local, Bits<BURST_BLOCK_BITS>>,
    goes: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
}

impl BurstSplitter {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for BurstSplitter {
    #[kernel]
    fn update(&mut self) {
        self.fits.next = self.left2.q.val() <= bit_cast::<BURST_COUNT_BITS, BURST_BLOCK_BITS>(self.room2.q.val());
        self.goes.next = self.valid2.q.val() && self.burst_ready.val();
        self.loads.next = !self.valid2.q.val() || (self.goes.val() && self.fits.val());
        self.write_ready.next = !self.valid1.q.val() || self.loads.val();
        if !self.valid1.q.val() || self.loads.val() {
            self.valid1.d.next = self.write_valid.val();
            self.tag1.d.next = self.write_tag.val();
            self.slot1.d.next = self.write_slot.val();
            self.addr1.d.next = self.write_addr.val();
            self.total1.d.next =
                bit_cast::<17, 16>(self.write_bytes.val()) + bit_cast::<17, LANE_BITS>(self.write_addr.val().get_bits::<LANE_BITS>(0));
            self.nothing1.d.next = !self.write_bytes.val().any();
        }
        self.before_end.next = self.total1.q.val() + !bits::<17>(0);
        self.end_bytes.next = self.total1.q.val().get_bits::<LANE_BITS>(0);
        if self.loads.val() {
            self.valid2.d.next = self.valid1.q.val();
            self.tag2.d.next = self.tag1.q.val();
            self.slot2.d.next = self.slot1.q.val();
            self.index2.d.next = bits::<2>(0);
            self.block2.d.next = self.addr1.q.val().get_bits::<BURST_BLOCK_NUMBER_BITS>(LANE_BITS + BURST_BLOCK_BITS);
            self.room2.d.next = !self.addr1.q.val().get_bits::<BURST_BLOCK_BITS>(LANE_BITS);
            self.left2.d.next = self.before_end.val().get_bits::<BURST_COUNT_BITS>(LANE_BITS);
            self.offset2.d.next = self.addr1.q.val().get_bits::<LANE_BITS>(0);
            self.end2.d.next = bit_cast::<LANE_COUNT_BITS, LANE_BITS>(self.end_bytes.val());
            if self.nothing1.q.val() {
                self.left2.d.next = bits::<BURST_COUNT_BITS>(0);
            } else if !self.end_bytes.val().any() {
                self.end2.d.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
            }
        } else if self.goes.val() {
            self.index2.d.next = self.index2.q.val() + 1;
            self.block2.d.next = self.block2.q.val() + 1;
            self.room2.d.next = !bits::<BURST_BLOCK_BITS>(0);
            // Less the beats of this burst: plus the complement of one less than they are.
            self.left2.d.next = self.left2.q.val() + !bit_cast::<BURST_COUNT_BITS, BURST_BLOCK_BITS>(self.room2.q.val());
        }
        self.length.next = self.room2.q.val();
        if self.fits.val() {
            self.length.next = self.left2.q.val().get_bits::<BURST_BLOCK_BITS>(0);
        }
        self.beat.next = !self.room2.q.val();
        self.burst_valid.next = self.valid2.q.val();
        self.burst_tag.next = self.tag2.q.val();
        self.burst_index.next = self.index2.q.val();
        self.burst_addr.next = (bit_cast::<64, BURST_BLOCK_NUMBER_BITS>(self.block2.q.val())
            << (LANE_BITS + BURST_BLOCK_BITS).to_bits::<5>())
            | (bit_cast::<64, BURST_BLOCK_BITS>(self.beat.val()) << LANE_BITS.to_bits::<5>());
        self.burst_len.next = bit_cast::<8, BURST_BLOCK_BITS>(self.length.val());
        self.burst_slot.next = self.slot2.q.val();
        self.burst_final.next = self.fits.val();
        self.burst_offset.next = self.offset2.q.val();
        self.burst_end.next = self.end2.q.val();
        self.idle.next = !self.valid1.q.val() && !self.valid2.q.val();
    }
}
