use super::AddressSum;
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A segment from its place in its command: which piece of each source block lies in it, where it goes, and how many packets it is.
///
/// What a command said is kept here under its place, written when it is taken (`put`) and two clocks later (`sums`), and read while its
/// segments pass. A piece is the overlap of a block with the segment: it begins at the later of both begins and ends at the earlier of both
/// ends. A block without overlap has a piece of zero bytes, whose address means nothing.
/// Latency: 4 clocks. Throughput: one segment per clock, never stalls. Reset: no segment under way.
/// Spec: send path, "Decided".
#[derive(Default, Described, LogicBlock)]
pub struct SegmentCut {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a command is taken
    pub put_valid: Signal<In, Bit>,
    /// place of `put`
    pub put_index: Signal<In, Bits<COMMAND_BITS>>,
    /// source addresses, 64 bits each, first block lowest
    pub put_sources: Signal<In, Bits<256>>,
    /// target address
    pub put_target: Signal<In, Bits<64>>,
    /// target node
    pub put_node: Signal<In, Bits<16>>,
    /// queue pair
    pub put_qp: Signal<In, Bits<24>>,
    /// remote key
    pub put_rkey: Signal<In, Bits<32>>,
    /// it has an immediate
    pub put_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub put_imm: Signal<In, Bits<32>>,
    /// the sums of a command
    pub sums_valid: Signal<In, Bit>,
    /// place of `sums`
    pub sums_index: Signal<In, Bits<COMMAND_BITS>>,
    /// bytes up to the end of the first, the second and the third block
    pub sums_ends: Signal<In, Bits<96>>,
    /// a segment is cut
    pub token_valid: Signal<In, Bit>,
    /// place of its command
    pub token_index: Signal<In, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub token_kind: Signal<In, Bit>,
    /// of a large command
    pub token_large: Signal<In, Bit>,
    /// last of its command
    pub token_last: Signal<In, Bit>,
    /// bytes of the command before it
    pub token_position: Signal<In, Bits<32>>,
    /// bytes of `token`
    pub token_bytes: Signal<In, Bits<32>>,
    /// a segment
    pub out_valid: Signal<Out, Bit>,
    /// the segment
    pub out_data: Signal<Out, Bits<COMMAND_SEGMENT_BITS>>,

    ends: LutRam<96, COMMAND_BITS>,
    // target 64, sources 4 x 64
    places: LutRam<320, COMMAND_BITS>,
    // node 16, queue pair 24, remote key 32, immediate 32, immediate valid
    rest: LutRam<105, COMMAND_BITS>,

    // Sources and target, two clocks each.
    source_sum: [AddressSum; 4],
    target_sum: AddressSum,

    valid1: State<Bit>,
    index1: Reg<Bits<COMMAND_BITS>>,
    flags1: Reg<Bits<3>>,
    position1: Reg<Bits<32>>,
    bytes1: Reg<Bits<32>>,
    end1: Reg<Bits<32>>,
    ends1: Reg<Bits<96>>,
    border: [Signal<Local, Bits<32>>; 3],

    valid2: State<Bit>,
    index2: Reg<Bits<COMMAND_BITS>>,
    flags2: Reg<Bits<3>>,
    position2: Reg<Bits<32>>,
    bytes2: Reg<Bits<32>>,
    packets2: Reg<Bits<POSITION_COUNT_BITS>>,
    places2: Reg<Bits<320>>,
    // Of the three inner borders between blocks: at or before the segment's begin, before its end, and the distances.
    behind2: [Reg<Bit>; 3],
    inside2: [Reg<Bit>; 3],
    back2: [Reg<Bits<32>>; 3],
    upto2: [Reg<Bits<OPERATION_COUNT_BITS>>; 3],
    from2: [Reg<Bits<OPERATION_COUNT_BITS>>; 3],
    second2: Reg<Bits<OPERATION_COUNT_BITS>>,
    third2: Reg<Bits<OPERATION_COUNT_BITS>>,
    piece: [Signal<Local, Bits<OPERATION_COUNT_BITS>>; 4],
    skip: [Signal<Local, Bits<32>>; 4],
    source: [Signal<Local, Bits<64>>; 4],
    some: [Signal<Local, Bit>; 4],

    valid3: State<Bit>,
    index3: Reg<Bits<COMMAND_BITS>>,
    flags3: Reg<Bits<3>>,
    bytes3: Reg<Bits<32>>,
    packets3: Reg<Bits<POSITION_COUNT_BITS>>,
    piece3: [Reg<Bits<OPERATION_COUNT_BITS>>; 4],

    valid4: State<Bit>,
    index4: Reg<Bits<COMMAND_BITS>>,
    flags4: Reg<Bits<3>>,
    bytes4: Reg<Bits<32>>,
    packets4: Reg<Bits<POSITION_COUNT_BITS>>,
    piece4: [Reg<Bits<OPERATION_COUNT_BITS>>; 4],
    rest4: Reg<Bits<105>>,
    imm_valid: Signal<Local, Bit>,
}

impl SegmentCut {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for SegmentCut {
    #[kernel]
    fn update(&mut self) {
        self.places.write_enable.next = self.put_valid.val();
        self.places.write_address.next = self.put_index.val();
        self.places.write_data.next = bit_cast::<320, 64>(self.put_target.val()) | (bit_cast::<320, 256>(self.put_sources.val()) << 64);
        self.rest.write_enable.next = self.put_valid.val();
        self.rest.write_address.next = self.put_index.val();
        self.rest.write_data.next = bit_cast::<105, 16>(self.put_node.val())
            | (bit_cast::<105, 24>(self.put_qp.val()) << 16)
            | (bit_cast::<105, 32>(self.put_rkey.val()) << 40)
            | (bit_cast::<105, 32>(self.put_imm.val()) << 72)
            | (bit_cast::<105, 1>(self.put_imm_valid.val().into()) << 104);
        self.ends.write_enable.next = self.sums_valid.val();
        self.ends.write_address.next = self.sums_index.val();
        self.ends.write_data.next = self.sums_ends.val();

        // Clock 1: the segment's end, and where the blocks end.
        self.valid1.d.next = self.token_valid.val();
        self.index1.d.next = self.token_index.val();
        self.flags1.d.next = bit_cast::<3, 1>(self.token_kind.val().into())
            | (bit_cast::<3, 1>(self.token_large.val().into()) << 1)
            | (bit_cast::<3, 1>(self.token_last.val().into()) << 2);
        self.position1.d.next = self.token_position.val();
        self.bytes1.d.next = self.token_bytes.val();
        self.end1.d.next = self.token_position.val() + self.token_bytes.val();
        self.ends.read_address.next = self.token_index.val();
        self.ends1.d.next = self.ends.read_data.val();

        // Clock 2: begin and end against the borders between blocks.
        self.valid2.d.next = self.valid1.q.val();
        self.index2.d.next = self.index1.q.val();
        self.flags2.d.next = self.flags1.q.val();
        self.position2.d.next = self.position1.q.val();
        self.bytes2.d.next = self.bytes1.q.val();
        self.packets2.d.next = self.bytes1.q.val().get_bits::<POSITION_COUNT_BITS>(PACKET_BITS);
        if self.flags1.q.val().get_bit(0) {
            self.packets2.d.next = bits::<POSITION_COUNT_BITS>(1);
        } else if self.bytes1.q.val().get_bits::<PACKET_BITS>(0).any() {
            self.packets2.d.next = self.bytes1.q.val().get_bits::<POSITION_COUNT_BITS>(PACKET_BITS) + 1;
        }
        self.places.read_address.next = self.index1.q.val();
        self.places2.d.next = self.places.read_data.val();
        self.border[0].next = self.ends1.q.val().get_bits::<32>(0);
        self.border[1].next = self.ends1.q.val().get_bits::<32>(32);
        self.border[2].next = self.ends1.q.val().get_bits::<32>(64);
        for i in 0..3 {
            self.behind2[i].d.next = self.border[i].val() <= self.position1.q.val();
            self.inside2[i].d.next = self.border[i].val() < self.end1.q.val();
            self.back2[i].d.next = self.position1.q.val() - self.border[i].val();
            self.upto2[i].d.next =
                self.border[i].val().get_bits::<OPERATION_COUNT_BITS>(0) - self.position1.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
            self.from2[i].d.next =
                self.end1.q.val().get_bits::<OPERATION_COUNT_BITS>(0) - self.border[i].val().get_bits::<OPERATION_COUNT_BITS>(0);
        }
        self.second2.d.next =
            self.border[1].val().get_bits::<OPERATION_COUNT_BITS>(0) - self.border[0].val().get_bits::<OPERATION_COUNT_BITS>(0);
        self.third2.d.next =
            self.border[2].val().get_bits::<OPERATION_COUNT_BITS>(0) - self.border[1].val().get_bits::<OPERATION_COUNT_BITS>(0);

        // Clock 3: the pieces. What is not used may be anything, the distances are right where they are chosen.
        self.skip[0].next = self.position2.q.val();
        self.some[0].next = !self.behind2[0].q.val();
        self.some[1].next = self.inside2[0].q.val() && !self.behind2[1].q.val();
        self.some[2].next = self.inside2[1].q.val() && !self.behind2[2].q.val();
        self.some[3].next = self.inside2[2].q.val();
        for i in 0..3 {
            self.skip[i + 1].next = bits::<32>(0);
            if self.behind2[i].q.val() {
                self.skip[i + 1].next = self.back2[i].q.val();
            }
        }
        // The first block begins no later than the segment, the last one ends no earlier.
        self.piece[0].next = self.bytes2.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
        if self.inside2[0].q.val() {
            self.piece[0].next = self.upto2[0].q.val();
        }
        self.piece[1].next = self.from2[0].q.val();
        if self.behind2[0].q.val() && self.inside2[1].q.val() {
            self.piece[1].next = self.upto2[1].q.val();
        } else if self.behind2[0].q.val() {
            self.piece[1].next = self.bytes2.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
        } else if self.inside2[1].q.val() {
            self.piece[1].next = self.second2.q.val();
        }
        self.piece[2].next = self.from2[1].q.val();
        if self.behind2[1].q.val() && self.inside2[2].q.val() {
            self.piece[2].next = self.upto2[2].q.val();
        } else if self.behind2[1].q.val() {
            self.piece[2].next = self.bytes2.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
        } else if self.inside2[2].q.val() {
            self.piece[2].next = self.third2.q.val();
        }
        self.piece[3].next = self.from2[2].q.val();
        if self.behind2[2].q.val() {
            self.piece[3].next = self.bytes2.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
        }
        self.source[0].next = self.places2.q.val().get_bits::<64>(64);
        self.source[1].next = self.places2.q.val().get_bits::<64>(128);
        self.source[2].next = self.places2.q.val().get_bits::<64>(192);
        self.source[3].next = self.places2.q.val().get_bits::<64>(256);
        for i in 0..4 {
            self.piece3[i].d.next = bits::<OPERATION_COUNT_BITS>(0);
            if self.some[i].val() && !self.flags2.q.val().get_bit(0) {
                self.piece3[i].d.next = self.piece[i].val();
            }
            self.source_sum[i].start.next = self.source[i].val();
            self.source_sum[i].bytes.next = self.skip[i].val();
        }
        self.target_sum.start.next = self.places2.q.val().get_bits::<64>(0);
        self.target_sum.bytes.next = self.position2.q.val();
        self.valid3.d.next = self.valid2.q.val();
        self.index3.d.next = self.index2.q.val();
        self.flags3.d.next = self.flags2.q.val();
        self.bytes3.d.next = self.bytes2.q.val();
        self.packets3.d.next = self.packets2.q.val();

        // Clock 4: carries into the high halves, and what the command says besides.
        self.valid4.d.next = self.valid3.q.val();
        self.index4.d.next = self.index3.q.val();
        self.flags4.d.next = self.flags3.q.val();
        self.bytes4.d.next = self.bytes3.q.val();
        self.packets4.d.next = self.packets3.q.val();
        self.rest.read_address.next = self.index3.q.val();
        self.rest4.d.next = self.rest.read_data.val();
        for i in 0..4 {
            self.piece4[i].d.next = self.piece3[i].q.val();
        }

        self.imm_valid.next = self.rest4.q.val().get_bit(104) && self.flags4.q.val().get_bit(2) && !self.flags4.q.val().get_bit(0);
        self.out_valid.next = self.valid4.q.val();
        self.out_data.next = bit_cast::<COMMAND_SEGMENT_BITS, 64>(self.source_sum[0].sum.val())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 64>(self.source_sum[1].sum.val()) << 64)
            | (bit_cast::<COMMAND_SEGMENT_BITS, 64>(self.source_sum[2].sum.val()) << 128)
            | (bit_cast::<COMMAND_SEGMENT_BITS, 64>(self.source_sum[3].sum.val()) << 192)
            | (bit_cast::<COMMAND_SEGMENT_BITS, OPERATION_COUNT_BITS>(self.piece4[0].q.val()) << 256)
            | (bit_cast::<COMMAND_SEGMENT_BITS, OPERATION_COUNT_BITS>(self.piece4[1].q.val())
                << (256 + OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, OPERATION_COUNT_BITS>(self.piece4[2].q.val())
                << (256 + 2 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, OPERATION_COUNT_BITS>(self.piece4[3].q.val())
                << (256 + 3 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 64>(self.target_sum.sum.val()) << (256 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 32>(self.bytes4.q.val()) << (320 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 104>(self.rest4.q.val().get_bits::<104>(0))
                << (352 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 1>(self.imm_valid.val().into()) << (456 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, 3>(self.flags4.q.val()) << (457 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, POSITION_COUNT_BITS>(self.packets4.q.val())
                << (460 + 4 * OPERATION_COUNT_BITS).to_bits::<10>())
            | (bit_cast::<COMMAND_SEGMENT_BITS, COMMAND_BITS>(self.index4.q.val())
                << (460 + POSITION_COUNT_BITS + 4 * OPERATION_COUNT_BITS).to_bits::<10>());
    }
}
