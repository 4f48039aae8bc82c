use crate::Described;
use crate::memory::BeatShifter;
use crate::primitives::{ByteReverse, FifoLut, Reg, ThermometerMask};
use rust_hdl::prelude::*;

/// Frames as beats: a header, the payload of a packet from its slot behind it, padding, and four bytes of zero for the ICRC, which the MAC side writes.
///
/// What is no frame (`in_nothing`) passes between the frames without a beat. When the last beat of a frame is taken, or what is no frame has its turn, `gone` says
/// so in the next clock.
/// Latency: 13 clocks at 512 bits from a header to its first beat. Throughput: one beat per clock, frames back to back; one clock for what is no frame.
/// `room` falls when eight headers wait, and eight more may be on their way. Reset: empty, a frame under way ends there.
/// Spec: wire format.
///
/// Parameters: `W` bits and `KB` = `2^LB` bytes of a beat, `LC` = `LB + 1`, `WC` = `LB + 4`, `GS` = `LB / 2` rounded up, `GA` = `2 GS`, `GE` = `GS + 1`, `IW` bits of a beat's number in a
/// packet, `SW` bits of a slot, `PC` bits of the bytes of a packet, widths of queues `HF` = `SW + 2 PC + 882`, `DF` = `W + LB + LC + 3`, `TF` = `LC + 28`, `BF` = `W + TF`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FrameBeats<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const IW: usize,
    const SW: usize,
    const PC: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// headers may be made
    pub room: Signal<Out, Bit>,
    /// a header
    pub in_valid: Signal<In, Bit>,
    /// its operation
    pub in_op: Signal<In, Bits<16>>,
    /// packet of the operation
    pub in_packet: Signal<In, Bits<8>>,
    /// kind of its job
    pub in_kind: Signal<In, Bits<2>>,
    /// it is no frame
    pub in_nothing: Signal<In, Bit>,
    /// slot of its payload
    pub in_slot: Signal<In, Bits<SW>>,
    /// bytes of its payload
    pub in_bytes: Signal<In, Bits<PC>>,
    /// the same with padding
    pub in_padded: Signal<In, Bits<PC>>,
    /// bytes of the header
    pub in_length: Signal<In, Bits<7>>,
    /// the header, first byte in the highest bits
    pub in_header: Signal<In, Bits<1024>>,
    /// slot that is read
    pub read_slot: Signal<Out, Bits<SW>>,
    /// packet in it
    pub read_packet: Signal<Out, Bits<8>>,
    /// beat of the packet
    pub read_beat: Signal<Out, Bits<IW>>,
    /// the beat, two clocks later
    pub read_data: Signal<In, Bits<W>>,
    /// a beat of a frame
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<W>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<KB>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// a frame has gone, or what is no frame
    pub gone_valid: Signal<Out, Bit>,
    /// its operation
    pub gone_op: Signal<Out, Bits<16>>,
    /// packet of the operation
    pub gone_packet: Signal<Out, Bits<8>>,
    /// kind of its job
    pub gone_kind: Signal<Out, Bits<2>>,
    /// it was no frame
    pub gone_nothing: Signal<Out, Bit>,

    headers: FifoLut<HF, 4, 5>,
    reverse: ByteReverse<1024, 7>,
    shifter: BeatShifter<W, KB, LB, LC, WC, GS, GA, GE>,
    // Low bits first: header W, place of the payload's first byte LB, end of it LC, some payload, its first beat, its last beat.
    beside: FifoLut<DF, 4, 5>,
    // What is told of each beat, low bits first: op 16, packet 8, kind 2, no frame, last of its frame, bytes LC.
    tags: FifoLut<TF, 4, 5>,
    beats: FifoLut<BF, 5, 6>,

    // The next frame, with its lengths.
    front: Signal<Local, Bits<HF>>,
    next_valid: Reg<Bit>,
    next_word: Reg<Bits<HF>>,
    next_total: Reg<Bits<PC>>,
    next_end: Reg<Bits<PC>>,
    next_length: Signal<Local, Bits<PC>>,

    // The frame whose beats are under way: beats up to the payload's first and last and to its own last, each from where it stands.
    busy: Reg<Bit>,
    header: Reg<Bits<1024>>,
    tag: Reg<Bits<27>>,
    slot: Reg<Bits<SW>>,
    some: Reg<Bit>,
    offset: Reg<Bits<LB>>,
    end: Reg<Bits<LC>>,
    rest: Reg<Bits<LC>>,
    to_head: Reg<Bits<PC>>,
    to_tail: Reg<Bits<PC>>,
    to_last: Reg<Bits<PC>>,
    past_head: Reg<Bit>,
    past_tail: Reg<Bit>,
    beat: Reg<Bits<IW>>,
    q_room: Reg<Bit>,
    head: Signal<Local, Bit>,
    tail: Signal<Local, Bit>,
    inside_: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    length16: Signal<Local, Bits<16>>,
    steps: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,

    valid0: Reg<Bit>,
    slot0: Reg<Bits<SW>>,
    packet0: Reg<Bits<8>>,
    beat0: Reg<Bits<IW>>,
    valid1: Reg<Bit>,
    offset0: Reg<Bits<LB>>,
    offset1: Reg<Bits<LB>>,

    aside: Signal<Local, Bits<DF>>,
    from: ThermometerMask<W, WC, 0>,
    upto: ThermometerMask<W, WC, 0>,
    valid2: Reg<Bit>,
    header2: Reg<Bits<W>>,
    data2: Reg<Bits<W>>,
    from2: Reg<Bits<W>>,
    upto2: Reg<Bits<W>>,
    tag2: Reg<Bits<TF>>,
    valid3: Reg<Bit>,
    data3: Reg<Bits<W>>,
    tag3: Reg<Bits<TF>>,

    full: Reg<Bit>,
    word: Reg<Bits<BF>>,
    passes: Signal<Local, Bit>,
    beyond: ThermometerMask<KB, LC, 1>,
    gone: Reg<Bit>,
    gone_tag: Reg<Bits<27>>,
}

impl<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const IW: usize,
    const SW: usize,
    const PC: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> FrameBeats<W, KB, LB, LC, WC, GS, GA, GE, IW, SW, PC, HF, DF, TF, BF>
{
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!((6..=11).any(|log2| W == 1 << log2), "FrameBeats: W = {W}, allowed are 64, 128, 256, 512, 1024, 2048");
        for (name, value, must) in
            [("HF", HF, SW + 2 * PC + 882), ("DF", DF, W + LB + LC + 3), ("TF", TF, LC + 28), ("BF", BF, W + TF), ("WC", WC, LB + 4)]
        {
            assert!(value == must, "FrameBeats: {name} = {value} with W = {W}, SW = {SW}, PC = {PC}, must be {must}");
        }
        Self::default()
    }
}

impl<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
    const IW: usize,
    const SW: usize,
    const PC: usize,
    const HF: usize,
    const DF: usize,
    const TF: usize,
    const BF: usize,
> Logic for FrameBeats<W, KB, LB, LC, WC, GS, GA, GE, IW, SW, PC, HF, DF, TF, BF>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, next_valid, next_word, next_total, next_end, busy, header, tag, slot, some, offset, end);
        dff_setup!(self, clk, rest, to_head, to_tail, to_last, past_head, past_tail, beat, q_room, valid0, slot0, packet0);
        dff_setup!(self, clk, beat0, valid1, offset0, offset1, valid2, header2, data2, from2, upto2, tag2, valid3);
        dff_setup!(self, clk, data3, tag3, full, word, gone, gone_tag);
        self.headers.clk.next = self.clk.val();
        self.headers.rst.next = self.rst.val();
        self.shifter.clk.next = self.clk.val();
        self.shifter.rst.next = self.rst.val();
        self.beside.clk.next = self.clk.val();
        self.beside.rst.next = self.rst.val();
        self.tags.clk.next = self.clk.val();
        self.tags.rst.next = self.rst.val();
        self.beats.clk.next = self.clk.val();
        self.beats.rst.next = self.rst.val();

        // Low bits first: op 16, packet 8, kind 2, no frame, length 7, bytes, padded, slot, header 848.
        self.room.next = !self.headers.count.val().get_bits::<2>(3).any();
        self.headers.in_valid.next = self.in_valid.val();
        self.headers.in_data.next = bit_cast::<HF, 16>(self.in_op.val())
            | (bit_cast::<HF, 8>(self.in_packet.val()) << 16)
            | (bit_cast::<HF, 2>(self.in_kind.val()) << 24)
            | (bit_cast::<HF, 1>(self.in_nothing.val().into()) << 26)
            | (bit_cast::<HF, 7>(self.in_length.val()) << 27)
            | (bit_cast::<HF, PC>(self.in_bytes.val()) << 34)
            | (bit_cast::<HF, PC>(self.in_padded.val()) << (34 + PC).to_bits::<7>())
            | (bit_cast::<HF, SW>(self.in_slot.val()) << (34 + 2 * PC).to_bits::<7>())
            | (bit_cast::<HF, 848>(self.in_header.val().get_bits::<848>(176)) << (34 + 2 * PC + SW).to_bits::<7>());

        // The next frame: number of its last byte, and of the payload's.
        self.front.next = self.headers.out_data.val();
        self.headers.out_ready.next = !self.next_valid.q.val() || self.loads.val();
        self.next_length.next = bit_cast::<PC, 7>(self.front.val().get_bits::<7>(27));
        if !self.next_valid.q.val() || self.loads.val() {
            self.next_valid.d.next = self.headers.out_valid.val();
            self.next_word.d.next = self.front.val();
            self.next_total.d.next = self.next_length.val() + self.front.val().get_bits::<PC>(34 + PC) + 3;
            self.next_end.d.next = self.next_length.val() + self.front.val().get_bits::<PC>(34) - 1;
        }
        self.reverse.data.next = bit_cast::<1024, 848>(self.next_word.q.val().get_bits::<848>(34 + 2 * PC + SW)) << 176;

        // A beat may have more bytes than seven bits count.
        self.length16.next = bit_cast::<16, 7>(self.next_word.q.val().get_bits::<7>(27));

        // Its beats, one per clock while there is room for all that are on their way.
        self.q_room.d.next = !self.beats.count.val().get_bits::<2>(4).any();
        self.last.next = !self.to_last.q.val().any() || self.tag.q.val().get_bit(26);
        self.head.next = self.some.q.val() && !self.past_head.q.val() && !self.to_head.q.val().any();
        self.tail.next = self.some.q.val() && !self.past_tail.q.val() && !self.to_tail.q.val().any();
        self.inside_.next = self.head.val() || (self.some.q.val() && self.past_head.q.val() && !self.past_tail.q.val());
        self.steps.next = self.busy.q.val() && self.q_room.q.val();
        self.loads.next = !self.busy.q.val() || (self.steps.val() && self.last.val());
        if self.steps.val() {
            self.header.d.next = self.header.q.val() >> W.to_bits::<12>();
            self.to_head.d.next = self.to_head.q.val() - 1;
            self.to_tail.d.next = self.to_tail.q.val() - 1;
            self.to_last.d.next = self.to_last.q.val() - 1;
            self.past_head.d.next = self.past_head.q.val() || self.head.val();
            self.past_tail.d.next = self.past_tail.q.val() || self.tail.val();
            if self.inside_.val() {
                self.beat.d.next = self.beat.q.val() + 1;
            }
        }
        if self.loads.val() {
            self.busy.d.next = self.next_valid.q.val();
            self.header.d.next = self.reverse.reversed.val();
            self.tag.d.next = self.next_word.q.val().get_bits::<27>(0);
            self.slot.d.next = self.next_word.q.val().get_bits::<SW>(34 + 2 * PC);
            self.some.d.next = self.next_word.q.val().get_bits::<PC>(34).any() && !self.next_word.q.val().get_bit(26);
            self.offset.d.next = self.length16.val().get_bits::<LB>(0);
            self.end.d.next = bit_cast::<LC, LB>(self.next_end.q.val().get_bits::<LB>(0)) + 1;
            self.rest.d.next = bit_cast::<LC, LB>(self.next_total.q.val().get_bits::<LB>(0)) + 1;
            self.to_head.d.next = bit_cast::<PC, 7>(self.next_word.q.val().get_bits::<7>(27)) >> LB.to_bits::<4>();
            self.to_tail.d.next = self.next_end.q.val() >> LB.to_bits::<4>();
            self.to_last.d.next = self.next_total.q.val() >> LB.to_bits::<4>();
            self.past_head.d.next = false;
            self.past_tail.d.next = false;
            self.beat.d.next = bits::<IW>(0);
        }
        self.beside.in_valid.next = self.steps.val();
        self.beside.in_data.next = bit_cast::<DF, W>(self.header.q.val().get_bits::<W>(0))
            | (bit_cast::<DF, LB>(self.offset.q.val()) << W.to_bits::<12>())
            | (bit_cast::<DF, LC>(self.end.q.val()) << (W + LB).to_bits::<12>())
            | (bit_cast::<DF, 1>(self.inside_.val().into()) << (W + LB + LC).to_bits::<12>())
            | (bit_cast::<DF, 1>(self.head.val().into()) << (W + LB + LC + 1).to_bits::<12>())
            | (bit_cast::<DF, 1>(self.tail.val().into()) << (W + LB + LC + 2).to_bits::<12>());
        self.tags.in_valid.next = self.steps.val();
        self.tags.in_data.next = bit_cast::<TF, 27>(self.tag.q.val()) | (bit_cast::<TF, LC>(bits::<LC>(1)) << (28 + LB).to_bits::<6>());
        if self.last.val() {
            self.tags.in_data.next = bit_cast::<TF, 27>(self.tag.q.val())
                | (bit_cast::<TF, 1>(bits::<1>(1)) << 27)
                | (bit_cast::<TF, LC>(self.rest.q.val()) << 28);
        }

        // Through the slot's memory and the shifter.
        self.valid0.d.next = self.steps.val();
        self.slot0.d.next = self.slot.q.val();
        self.packet0.d.next = self.tag.q.val().get_bits::<8>(16);
        self.beat0.d.next = self.beat.q.val();
        self.offset0.d.next = self.offset.q.val();
        self.read_slot.next = self.slot0.q.val();
        self.read_packet.next = self.packet0.q.val();
        self.read_beat.next = self.beat0.q.val();
        self.valid1.d.next = self.valid0.q.val();
        self.offset1.d.next = self.offset0.q.val();
        self.shifter.in_valid.next = self.valid1.q.val();
        self.shifter.in_head.next = false;
        self.shifter.in_tail.next = false;
        self.shifter.in_last.next = false;
        self.shifter.in_offset.next = self.offset1.q.val();
        self.shifter.in_end.next = bits::<LC>(0);
        self.shifter.in_data.next = self.read_data.val();

        // Header and payload together.
        self.aside.next = self.beside.out_data.val();
        self.beside.out_ready.next = self.shifter.out_valid.val();
        self.tags.out_ready.next = self.shifter.out_valid.val();
        self.from.count.next = bit_cast::<WC, LB>(self.aside.val().get_bits::<LB>(W)) << 3;
        self.upto.count.next = bit_cast::<WC, LC>(self.aside.val().get_bits::<LC>(W + LB)) << 3;
        self.valid2.d.next = self.shifter.out_valid.val();
        self.header2.d.next = self.aside.val().get_bits::<W>(0);
        self.data2.d.next = self.shifter.out_data.val();
        self.tag2.d.next = self.tags.out_data.val();
        self.from2.d.next = !bits::<W>(0);
        if self.aside.val().get_bit(W + LB + LC + 1) {
            self.from2.d.next = self.from.mask.val();
        }
        self.upto2.d.next = !bits::<W>(0);
        if self.aside.val().get_bit(W + LB + LC + 2) {
            self.upto2.d.next = !self.upto.mask.val();
        }
        if !self.aside.val().get_bit(W + LB + LC) {
            self.upto2.d.next = bits::<W>(0);
        }
        self.valid3.d.next = self.valid2.q.val();
        self.data3.d.next = self.header2.q.val() | (self.data2.q.val() & self.from2.q.val() & self.upto2.q.val());
        self.tag3.d.next = self.tag2.q.val();
        self.beats.in_valid.next = self.valid3.q.val();
        self.beats.in_data.next = bit_cast::<BF, W>(self.data3.q.val()) | (bit_cast::<BF, TF>(self.tag3.q.val()) << W.to_bits::<12>());

        // To the wire, from a register. What is no frame passes it by.
        self.passes.next = self.full.q.val() && (self.out_ready.val() || self.word.q.val().get_bit(W + 26));
        self.beats.out_ready.next = !self.full.q.val() || self.passes.val();
        if !self.full.q.val() || self.passes.val() {
            self.full.d.next = self.beats.out_valid.val();
            self.word.d.next = self.beats.out_data.val();
        }
        self.out_valid.next = self.full.q.val() && !self.word.q.val().get_bit(W + 26);
        self.out_data.next = self.word.q.val().get_bits::<W>(0);
        self.beyond.count.next = self.word.q.val().get_bits::<LC>(W + 28);
        self.out_keep.next = !self.beyond.mask.val();
        self.out_last.next = self.word.q.val().get_bit(W + 27);
        self.gone.d.next = self.passes.val() && self.word.q.val().get_bit(W + 27);
        self.gone_tag.d.next = self.word.q.val().get_bits::<27>(W);
        self.gone_valid.next = self.gone.q.val();
        self.gone_op.next = self.gone_tag.q.val().get_bits::<16>(0);
        self.gone_packet.next = self.gone_tag.q.val().get_bits::<8>(16);
        self.gone_kind.next = self.gone_tag.q.val().get_bits::<2>(24);
        self.gone_nothing.next = self.gone_tag.q.val().get_bit(26);
        if self.rst.val() {
            self.next_valid.d.next = false;
            self.busy.d.next = false;
            self.q_room.d.next = false;
            self.valid0.d.next = false;
            self.valid1.d.next = false;
            self.valid2.d.next = false;
            self.valid3.d.next = false;
            self.full.d.next = false;
            self.gone.d.next = false;
        }
    }
}
