use super::{AddressSum, SplitConfig};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(
    DMA_LANE_BITS > 0 && DMA_LANE_BITS <= PACKET_BITS,
    "segments end at multiples of a packet, which must be at least a beat of the CDMA: lower `dma_width`, or raise `packet_size`"
);

/// Checks of a command, where each of its source blocks ends in the whole, and whether it is a large one.
///
/// `checked_reason` is the first check that fails: 0 bytes_zero (a listed block, or all, is empty), 1 misaligned_target (not a multiple of
/// a packet), 2 wraps (target or a source past 2^64, or more than 2^32 - 1 bytes), 3 misaligned_source (source, or length of a block but
/// the last, is not a multiple of the DMA engine's data width; not looked at with `REALIGN`), 4 bad_configuration, 5 too_long (a segment is
/// more than the DMA engine takes in one descriptor). A range may end at 2^64. More than 4 listed blocks count as 4.
///
/// While the configuration is bad (`SplitConfig`), commands are refused. The configuration of the clock in which a command is taken counts.
/// Latency: 2 clocks to `sums`, 5 to `checked`. Throughput: one per clock, never stalls. Reset: nothing under way, configuration bad.
/// Spec: send path, "Decided".
#[derive(Default, Described, LogicBlock)]
pub struct CommandCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a command is taken
    pub accept: Signal<In, Bit>,
    /// its place
    pub index: Signal<In, Bits<COMMAND_BITS>>,
    /// the host's number of it
    pub id: Signal<In, Bits<16>>,
    /// target address
    pub target: Signal<In, Bits<64>>,
    /// the receiver's host is to be told of its end
    pub arrival: Signal<In, Bit>,
    /// source addresses, 64 bits each, first block lowest
    pub sources: Signal<In, Bits<256>>,
    /// bytes of each block, 32 bits each
    pub lengths: Signal<In, Bits<128>>,
    /// blocks listed
    pub blocks: Signal<In, Bits<3>>,
    /// bytes above which a command is large
    pub cfg_threshold: Signal<In, Bits<32>>,
    /// bytes of a segment of a large command
    pub cfg_segment: Signal<In, Bits<32>>,
    /// threshold and segment are not allowed
    pub config_error: Signal<Out, Bit>,
    /// the sums of a command
    pub sums_valid: Signal<Out, Bit>,
    /// place of `sums`
    pub sums_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// number of `sums`
    pub sums_id: Signal<Out, Bits<16>>,
    /// bytes up to the end of the first, the second and the third block
    pub sums_ends: Signal<Out, Bits<96>>,
    /// bytes of all
    pub sums_total: Signal<Out, Bits<32>>,
    /// a command has been looked at
    pub checked_valid: Signal<Out, Bit>,
    /// place of `checked`
    pub checked_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// number of `checked`
    pub checked_id: Signal<Out, Bits<16>>,
    /// it is refused
    pub checked_refused: Signal<Out, Bit>,
    /// why
    pub checked_reason: Signal<Out, Bits<3>>,
    /// bytes exceed the threshold of `checked`
    pub checked_large: Signal<Out, Bit>,
    /// it is large, and yet one segment holds it
    pub checked_single: Signal<Out, Bit>,
    /// packets of its segments if it is large
    pub checked_packets: Signal<Out, Bits<POSITION_COUNT_BITS>>,
    /// bytes of `checked`
    pub checked_total: Signal<Out, Bits<32>>,
    /// the receiver's host is to be told of its end
    pub checked_arrival: Signal<Out, Bit>,

    setting: SplitConfig<PACKET_BITS, POSITION_COUNT_BITS, OPERATION_COUNT_BITS>,
    source_end: [AddressSum; 4],
    target_end: AddressSum,

    used: Signal<Local, Bits<4>>,
    inner: Signal<Local, Bits<4>>,
    source: [Signal<Local, Bits<64>>; 4],
    listed: [Signal<Local, Bits<32>>; 4],
    length: [Signal<Local, Bits<32>>; 4],
    odd_source: [Signal<Local, Bit>; 4],
    empty_block: [Signal<Local, Bit>; 4],

    valid1: State<Bit>,
    index1: Reg<Bits<COMMAND_BITS>>,
    id1: Reg<Bits<16>>,
    arrival1: Reg<Bit>,
    target1: Reg<Bits<64>>,
    first1: Reg<Bits<32>>,
    third1: Reg<Bits<32>>,
    first_two1: Reg<Bits<33>>,
    last_two1: Reg<Bits<33>>,
    empty1: Reg<Bit>,
    odd_target1: Reg<Bit>,
    odd_source1: Reg<Bit>,

    valid2: State<Bit>,
    index2: Reg<Bits<COMMAND_BITS>>,
    id2: Reg<Bits<16>>,
    arrival2: Reg<Bit>,
    target2: Reg<Bits<64>>,
    end_first2: Reg<Bits<32>>,
    end_second2: Reg<Bits<32>>,
    end_third2: Reg<Bits<32>>,
    total2: Reg<Bits<34>>,
    empty2: Reg<Bit>,
    odd_target2: Reg<Bit>,
    odd_source2: Reg<Bit>,
    segment: Signal<Local, Bits<34>>,
    realigns: Signal<Local, Bits<1>>,

    valid3: State<Bit>,
    index3: Reg<Bits<COMMAND_BITS>>,
    id3: Reg<Bits<16>>,
    arrival3: Reg<Bit>,
    total3: Reg<Bits<32>>,
    packets3: Reg<Bits<POSITION_COUNT_BITS>>,
    large3: Reg<Bit>,
    single3: Reg<Bit>,
    empty3: Reg<Bit>,
    odd_target3: Reg<Bit>,
    wraps3: Reg<Bit>,
    odd_source3: Reg<Bit>,
    bad3: Reg<Bit>,
    long_total3: Reg<Bit>,
    long_segment3: Reg<Bit>,

    valid4: State<Bit>,
    index4: Reg<Bits<COMMAND_BITS>>,
    id4: Reg<Bits<16>>,
    arrival4: Reg<Bit>,
    total4: Reg<Bits<32>>,
    packets4: Reg<Bits<POSITION_COUNT_BITS>>,
    large4: Reg<Bit>,
    single4: Reg<Bit>,
    empty4: Reg<Bit>,
    odd_target4: Reg<Bit>,
    wraps4: Reg<Bit>,
    odd_source4: Reg<Bit>,
    bad4: Reg<Bit>,
    long4: Reg<Bit>,

    valid5: State<Bit>,
    index5: Reg<Bits<COMMAND_BITS>>,
    id5: Reg<Bits<16>>,
    arrival5: Reg<Bit>,
    total5: Reg<Bits<32>>,
    packets5: Reg<Bits<POSITION_COUNT_BITS>>,
    large5: Reg<Bit>,
    single5: Reg<Bit>,
    refused5: Reg<Bit>,
    reason5: Reg<Bits<3>>,
}

impl CommandCheck {
    /// A new one.
    pub fn new() -> Self {
        Self { setting: SplitConfig::new(), ..Default::default() }
    }
}

impl Logic for CommandCheck {
    #[kernel]
    fn update(&mut self) {
        self.setting.cfg_threshold.next = self.cfg_threshold.val();
        self.setting.cfg_segment.next = self.cfg_segment.val();
        self.config_error.next = self.setting.config_error.val();

        // Clock 1: what one adder can say.
        self.realigns.next = REALIGN.to_bits::<1>();
        self.used.next = !(bits::<4>(15) << self.blocks.val());
        self.inner.next = self.used.val() >> 1;
        self.source[0].next = self.sources.val().get_bits::<64>(0);
        self.listed[0].next = self.lengths.val().get_bits::<32>(0);
        self.source[1].next = self.sources.val().get_bits::<64>(64);
        self.listed[1].next = self.lengths.val().get_bits::<32>(32);
        self.source[2].next = self.sources.val().get_bits::<64>(128);
        self.listed[2].next = self.lengths.val().get_bits::<32>(64);
        self.source[3].next = self.sources.val().get_bits::<64>(192);
        self.listed[3].next = self.lengths.val().get_bits::<32>(96);
        for i in 0..4 {
            self.length[i].next = bits::<32>(0);
            self.odd_source[i].next = false;
            self.empty_block[i].next = false;
            if self.used.val().get_bit(i) {
                self.length[i].next = self.listed[i].val();
                self.odd_source[i].next = self.source[i].val().get_bits::<DMA_LANE_BITS>(0).any();
                self.empty_block[i].next = !self.listed[i].val().any();
            }
            if self.inner.val().get_bit(i) && self.listed[i].val().get_bits::<DMA_LANE_BITS>(0).any() {
                self.odd_source[i].next = true;
            }
            self.source_end[i].start.next = self.source[i].val();
            self.source_end[i].bytes.next = self.length[i].val();
        }
        self.valid1.d.next = self.accept.val();
        self.index1.d.next = self.index.val();
        self.id1.d.next = self.id.val();
        self.arrival1.d.next = self.arrival.val();
        self.target1.d.next = self.target.val();
        self.first1.d.next = self.length[0].val();
        self.third1.d.next = self.length[2].val();
        self.first_two1.d.next = bit_cast::<33, 32>(self.length[0].val()) + bit_cast::<33, 32>(self.length[1].val());
        self.last_two1.d.next = bit_cast::<33, 32>(self.length[2].val()) + bit_cast::<33, 32>(self.length[3].val());
        self.empty1.d.next = !self.used.val().any()
            || self.empty_block[0].val()
            || self.empty_block[1].val()
            || self.empty_block[2].val()
            || self.empty_block[3].val();
        self.odd_target1.d.next = self.target.val().get_bits::<PACKET_BITS>(0).any();
        self.odd_source1.d.next = !self.realigns.val().any()
            && (self.odd_source[0].val() || self.odd_source[1].val() || self.odd_source[2].val() || self.odd_source[3].val());

        // Clock 2: the sums.
        self.end_first2.d.next = self.first1.q.val();
        self.end_second2.d.next = self.first_two1.q.val().get_bits::<32>(0);
        self.end_third2.d.next = self.first_two1.q.val().get_bits::<32>(0) + self.third1.q.val();
        self.total2.d.next = bit_cast::<34, 33>(self.first_two1.q.val()) + bit_cast::<34, 33>(self.last_two1.q.val());
        self.valid2.d.next = self.valid1.q.val();
        self.index2.d.next = self.index1.q.val();
        self.id2.d.next = self.id1.q.val();
        self.arrival2.d.next = self.arrival1.q.val();
        self.target2.d.next = self.target1.q.val();
        self.empty2.d.next = self.empty1.q.val();
        self.odd_target2.d.next = self.odd_target1.q.val();
        self.odd_source2.d.next = self.odd_source1.q.val();
        self.sums_valid.next = self.valid2.q.val();
        self.sums_index.next = self.index2.q.val();
        self.sums_id.next = self.id2.q.val();
        self.sums_ends.next = bit_cast::<96, 32>(self.end_first2.q.val())
            | (bit_cast::<96, 32>(self.end_second2.q.val()) << 32)
            | (bit_cast::<96, 32>(self.end_third2.q.val()) << 64);
        self.sums_total.next = self.total2.q.val().get_bits::<32>(0);

        // Clock 3: comparisons.
        self.segment.next = bit_cast::<34, POSITION_COUNT_BITS>(self.setting.packets.val()) << PACKET_BITS.to_bits::<6>();
        self.valid3.d.next = self.valid2.q.val();
        self.index3.d.next = self.index2.q.val();
        self.id3.d.next = self.id2.q.val();
        self.arrival3.d.next = self.arrival2.q.val();
        self.total3.d.next = self.total2.q.val().get_bits::<32>(0);
        self.packets3.d.next = self.setting.packets.val();
        self.large3.d.next = self.total2.q.val() > bit_cast::<34, OPERATION_COUNT_BITS>(self.setting.threshold.val());
        self.single3.d.next = self.total2.q.val() <= self.segment.val();
        self.target_end.start.next = self.target2.q.val();
        self.target_end.bytes.next = self.total2.q.val().get_bits::<32>(0);
        self.empty3.d.next = self.empty2.q.val();
        self.odd_target3.d.next = self.odd_target2.q.val();
        self.wraps3.d.next = self.total2.q.val().get_bits::<2>(32).any()
            || self.source_end[0].past.val()
            || self.source_end[1].past.val()
            || self.source_end[2].past.val()
            || self.source_end[3].past.val();
        self.odd_source3.d.next = self.odd_source2.q.val();
        self.bad3.d.next = self.setting.refused.val();
        self.long_total3.d.next = (self.total2.q.val() >> BTT_BITS.to_bits::<6>()).any();
        self.long_segment3.d.next = (self.segment.val() >> BTT_BITS.to_bits::<6>()).any();

        // Clock 4: the end of the target is being found.
        self.valid4.d.next = self.valid3.q.val();
        self.index4.d.next = self.index3.q.val();
        self.id4.d.next = self.id3.q.val();
        self.arrival4.d.next = self.arrival3.q.val();
        self.total4.d.next = self.total3.q.val();
        self.packets4.d.next = self.packets3.q.val();
        self.large4.d.next = self.large3.q.val();
        self.single4.d.next = self.single3.q.val();
        self.empty4.d.next = self.empty3.q.val();
        self.odd_target4.d.next = self.odd_target3.q.val();
        self.wraps4.d.next = self.wraps3.q.val();
        self.odd_source4.d.next = self.odd_source3.q.val();
        self.bad4.d.next = self.bad3.q.val();
        // One segment of a large command is no longer than all of it.
        self.long4.d.next = self.long_total3.q.val() && (!self.large3.q.val() || self.single3.q.val() || self.long_segment3.q.val());

        // Clock 5: the first that fails.
        self.valid5.d.next = self.valid4.q.val();
        self.index5.d.next = self.index4.q.val();
        self.id5.d.next = self.id4.q.val();
        self.arrival5.d.next = self.arrival4.q.val();
        self.total5.d.next = self.total4.q.val();
        self.packets5.d.next = self.packets4.q.val();
        self.large5.d.next = self.large4.q.val();
        self.single5.d.next = self.single4.q.val();
        self.refused5.d.next = self.empty4.q.val()
            || self.odd_target4.q.val()
            || self.wraps4.q.val()
            || self.target_end.past.val()
            || self.odd_source4.q.val()
            || self.bad4.q.val()
            || self.long4.q.val();
        self.reason5.d.next = bits::<3>(5);
        if self.bad4.q.val() {
            self.reason5.d.next = bits::<3>(4);
        }
        if self.odd_source4.q.val() {
            self.reason5.d.next = bits::<3>(3);
        }
        if self.wraps4.q.val() || self.target_end.past.val() {
            self.reason5.d.next = bits::<3>(2);
        }
        if self.odd_target4.q.val() {
            self.reason5.d.next = bits::<3>(1);
        }
        if self.empty4.q.val() {
            self.reason5.d.next = bits::<3>(0);
        }
        self.checked_valid.next = self.valid5.q.val();
        self.checked_index.next = self.index5.q.val();
        self.checked_id.next = self.id5.q.val();
        self.checked_refused.next = self.refused5.q.val();
        self.checked_reason.next = self.reason5.q.val();
        self.checked_large.next = self.large5.q.val();
        self.checked_single.next = self.single5.q.val();
        self.checked_packets.next = self.packets5.q.val();
        self.checked_total.next = self.total5.q.val();
        self.checked_arrival.next = self.arrival5.q.val();
    }
}
