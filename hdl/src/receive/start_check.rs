use crate::primitives::Reg;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Checks of a start packet that need nothing but the packet, and its access to memory regions.
///
/// Results are the status code of the first check that fails, 0 if none does: 16 access, 1 count_zero, 2 bytes_zero, 3 count_mismatch, 4
/// oversize, 5 misaligned_base, 6 wraps, 9 wrong_length. `REGIONS` regions are loaded one at a time; with `REGIONS` = 0 every address is
/// accessible. `MASK_BITS` packets are the largest operation; `PACKET_BITS` is log2 of the packet size, `PACKET_LENGTH_REST_BITS` is 32 -
/// `PACKET_BITS`.
/// Latency: 2 clocks. Throughput: one per clock. Reset: no region is loaded.
/// Spec: receive registry, "Decided", checks of a start.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct StartCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// target address
    pub addr: Signal<In, Bits<64>>,
    /// payload bytes of the packet
    pub bytes: Signal<In, Bits<16>>,
    /// bytes of the operation
    pub op_bytes: Signal<In, Bits<32>>,
    /// packets of the operation
    pub count: Signal<In, Bits<16>>,
    /// remote key
    pub rkey: Signal<In, Bits<32>>,
    /// load one region
    pub region_write: Signal<In, Bit>,
    /// index of `region`
    pub region_index: Signal<In, Bits<4>>,
    /// remote key of `region`
    pub region_rkey: Signal<In, Bits<32>>,
    /// first address of `region`
    pub region_base: Signal<In, Bits<64>>,
    /// bytes of `region`, 0: matches nothing
    pub region_length: Signal<In, Bits<64>>,
    /// a check fails
    pub bad: Signal<Out, Bit>,
    /// status code of the first one that fails, 0: none
    pub code: Signal<Out, Bits<5>>,

    largest_count: Constant<Bits<16>>,
    packet_size: Constant<Bits<16>>,
    no_regions: Constant<Bit>,

    range_end: Signal<Local, Bits<65>>,
    partial: Signal<Local, Bit>,
    full: Signal<Local, Bits<PACKET_LENGTH_REST_BITS>>,
    unlike: Signal<Local, Bits<PACKET_LENGTH_REST_BITS>>,
    changed: Signal<Local, Bits<PACKET_LENGTH_REST_BITS>>,
    blocks_behind: Signal<Local, Bits<64>>,
    blocks: Signal<Local, Bits<16>>,
    q_end: Reg<Bits<65>>,
    q_partial: Reg<Bit>,
    q_unlike: Reg<Bit>,
    q_unlike_more: Reg<Bit>,
    mismatch: Signal<Local, Bit>,
    q_count_zero: Reg<Bit>,
    q_bytes_zero: Reg<Bit>,
    q_oversize: Reg<Bit>,
    q_misaligned: Reg<Bit>,
    q_far: Reg<Bit>,
    q_short: Reg<Bit>,
    q_just: Reg<Bit>,
    wraps: Signal<Local, Bit>,
    q_long: Reg<Bit>,
    q_not_full: Reg<Bit>,
    q_not_all: Reg<Bit>,
    wrong_length: Signal<Local, Bit>,

    region_valid: [Reg<Bit>; REGIONS],
    region_key: [Reg<Bits<32>>; REGIONS],
    region_first: [Reg<Bits<64>>; REGIONS],
    region_end: [Reg<Bits<65>>; REGIONS],
    region_start_ok: [Reg<Bit>; REGIONS],
    accessible: Signal<Local, Bit>,
    q_bad: Reg<Bit>,
    q_code: Reg<Bits<5>>,
}

impl Default for StartCheck {
    fn default() -> Self {
        Self {
            largest_count: Constant::new((MASK_BITS as u64).to_bits()),
            packet_size: Constant::new((1u64 << PACKET_BITS).to_bits()),
            no_regions: Constant::new(REGIONS == 0),
            region_valid: std::array::from_fn(|_| Default::default()),
            region_key: std::array::from_fn(|_| Default::default()),
            region_first: std::array::from_fn(|_| Default::default()),
            region_end: std::array::from_fn(|_| Default::default()),
            region_start_ok: std::array::from_fn(|_| Default::default()),
            ..Self::blank()
        }
    }
}

impl Logic for StartCheck {
    #[kernel]
    fn update(&mut self) {
        for i in 0..REGIONS {
            self.region_valid[i].d.next = self.region_valid[i].q.val();
            self.region_key[i].d.next = self.region_key[i].q.val();
            self.region_first[i].d.next = self.region_first[i].q.val();
            self.region_end[i].d.next = self.region_end[i].q.val();
        }

        // First clock: sums and comparisons with constants.
        self.range_end.next = bit_cast::<65, 64>(self.addr.val()) + bit_cast::<65, 32>(self.op_bytes.val());
        self.partial.next = self.op_bytes.val().get_bits::<PACKET_BITS>(0).any();
        // The count is that of the full packets, or one more if there is a partial one. A sum of one more changes all ones at the low end
        // and the zero above them: so no carry is needed to compare with it. Without a count another check fails, and before this one.
        self.full.next = self.op_bytes.val().get_bits::<PACKET_LENGTH_REST_BITS>(PACKET_BITS);
        self.unlike.next = self.full.val() ^ bit_cast::<PACKET_LENGTH_REST_BITS, 16>(self.count.val());
        self.changed.next = ((self.unlike.val() & self.full.val()) << 1) | 1;
        self.q_partial.d.next = self.partial.val();
        self.q_unlike.d.next = self.unlike.val().any();
        self.q_unlike_more.d.next = self.unlike.val() != self.changed.val();
        self.q_end.d.next = self.range_end.val();
        self.q_count_zero.d.next = !self.count.val().any();
        self.q_bytes_zero.d.next = !self.op_bytes.val().any();
        self.q_oversize.d.next = self.count.val() > self.largest_count.val();
        self.q_misaligned.d.next = self.addr.val().get_bits::<PACKET_BITS>(0).any();
        // Counts only if the checks before have passed: then the address is a multiple of P and `count` is the number of blocks.
        self.blocks_behind.next = !self.addr.val() >> PACKET_BITS.to_bits::<6>();
        self.q_far.d.next = (self.blocks_behind.val() >> 16).any();
        self.q_short.d.next = self.blocks_behind.val().get_bits::<16>(0) < self.count.val();
        // The address and the count are 0 together: in such a sum a carry leaves every bit in which either is 1, so none is needed here
        // either.
        self.blocks.next = bit_cast::<16, 64>(self.addr.val() >> PACKET_BITS.to_bits::<6>());
        self.q_just.d.next = (self.blocks.val() ^ self.count.val()) == ((self.blocks.val() | self.count.val()) << 1);
        self.q_long.d.next = self.op_bytes.val().get_bits::<PACKET_LENGTH_REST_BITS>(PACKET_BITS).any();
        self.q_not_full.d.next = self.bytes.val() != self.packet_size.val();
        self.q_not_all.d.next = self.bytes.val() != self.op_bytes.val().get_bits::<16>(0);

        // Regions: the start is compared in the first clock, the end in the second.
        self.accessible.next = self.no_regions.val();
        for i in 0..REGIONS {
            self.region_start_ok[i].d.next = self.region_valid[i].q.val()
                && (self.rkey.val() == self.region_key[i].q.val())
                && (self.addr.val() >= self.region_first[i].q.val());
            self.accessible.next =
                self.accessible.val() || (self.region_start_ok[i].q.val() && (self.q_end.q.val() <= self.region_end[i].q.val()));
            if self.region_write.val() && (self.region_index.val() == i.to_bits::<4>()) {
                self.region_valid[i].d.next = self.region_length.val().any();
                self.region_key[i].d.next = self.region_rkey.val();
                self.region_first[i].d.next = self.region_base.val();
                self.region_end[i].d.next = bit_cast::<65, 64>(self.region_base.val()) + bit_cast::<65, 64>(self.region_length.val());
            }
        }

        // Second clock: the first failure wins.
        self.wraps.next = !self.q_far.q.val() && self.q_short.q.val() && !self.q_just.q.val();
        self.mismatch.next = (self.q_partial.q.val() && self.q_unlike_more.q.val()) || (!self.q_partial.q.val() && self.q_unlike.q.val());
        self.wrong_length.next = (self.q_long.q.val() && self.q_not_full.q.val()) || (!self.q_long.q.val() && self.q_not_all.q.val());
        self.q_bad.d.next = self.wrong_length.val()
            || self.wraps.val()
            || self.q_misaligned.q.val()
            || self.q_oversize.q.val()
            || self.q_bytes_zero.q.val()
            || self.q_count_zero.q.val()
            || self.mismatch.val()
            || !self.accessible.val();
        self.bad.next = self.q_bad.q.val();
        self.q_code.d.next = bits::<5>(0);
        if self.wrong_length.val() {
            self.q_code.d.next = bits::<5>(9);
        }
        if self.wraps.val() {
            self.q_code.d.next = bits::<5>(6);
        }
        if self.q_misaligned.q.val() {
            self.q_code.d.next = bits::<5>(5);
        }
        if self.q_oversize.q.val() {
            self.q_code.d.next = bits::<5>(4);
        }
        if self.mismatch.val() {
            self.q_code.d.next = bits::<5>(3);
        }
        if self.q_bytes_zero.q.val() {
            self.q_code.d.next = bits::<5>(2);
        }
        if self.q_count_zero.q.val() {
            self.q_code.d.next = bits::<5>(1);
        }
        if !self.accessible.val() {
            self.q_code.d.next = bits::<5>(16);
        }
        self.code.next = self.q_code.q.val();
        for i in 0..REGIONS {
            if self.rst.val() {
                self.region_valid[i].d.next = false;
            }
        }
    }
}
