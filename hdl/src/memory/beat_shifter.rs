use crate::primitives::{Reg, State, ThermometerMask};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Beats of a slot shifted to where their bytes go: from byte 0 of a beat on in, from any byte on out.
///
/// Each beat is rotated by the offset, two bits of it per clock, the largest first; what has come round goes out with the next beat. The strobe leaves out
/// what is before the first byte and behind the last.
/// Latency: `GS + 2` clocks from `in_valid`, the beat itself comes one clock later than that. Throughput: one beat per clock; it never stalls.
/// Reset: empty.
///
/// Parameters: `W` bits and `KB` = `2^LB` bytes of a beat, `LC` = `LB + 1`, `WC` = `LB + 4`, `GS` = `LB / 2` rounded up, `GA` = `2 * GS`, `GE` = `GS + 1`.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct BeatShifter<
    const W: usize,
    const KB: usize,
    const LB: usize,
    const LC: usize,
    const WC: usize,
    const GS: usize,
    const GA: usize,
    const GE: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes in the next clock
    pub in_valid: Signal<In, Bit>,
    /// it begins a write
    pub in_head: Signal<In, Bit>,
    /// it ends a write
    pub in_tail: Signal<In, Bit>,
    /// it ends a burst
    pub in_last: Signal<In, Bit>,
    /// place of the write's first byte
    pub in_offset: Signal<In, Bits<LB>>,
    /// bytes up to the end of the write in its last beat
    pub in_end: Signal<In, Bits<LC>>,
    /// the beat, one clock later
    pub in_data: Signal<In, Bits<W>>,
    /// a beat goes out
    pub out_valid: Signal<Out, Bit>,
    /// its bytes in their places
    pub out_data: Signal<Out, Bits<W>>,
    /// those that count
    pub out_strobe: Signal<Out, Bits<KB>>,
    /// it ends a burst
    pub out_last: Signal<Out, Bit>,

    // What is known of a beat: element 0 beside the beat itself, one more per clock.
    valid: Vec<State<Bit>>,
    last: Vec<Reg<Bit>>,
    head: Vec<Reg<Bit>>,
    tail: Vec<Reg<Bit>>,
    offset: Vec<Reg<Bits<GA>>>,
    end: Vec<Reg<Bits<LC>>>,

    from: Vec<Signal<Local, Bits<W>>>,
    turned: Vec<Reg<Bits<W>>>,
    once: Vec<Constant<Bits<12>>>,
    once_back: Vec<Constant<Bits<12>>>,
    twice: Vec<Constant<Bits<12>>>,
    twice_back: Vec<Constant<Bits<12>>>,
    thrice: Vec<Constant<Bits<12>>>,
    thrice_back: Vec<Constant<Bits<12>>>,

    place: Signal<Local, Bits<LB>>,
    own: ThermometerMask<W, WC, 0>,
    begun: ThermometerMask<KB, LC, 1>,
    ended: ThermometerMask<KB, LC, 1>,
    own_bits: Reg<Bits<W>>,
    head_strobe: Reg<Bits<KB>>,
    tail_strobe: Reg<Bits<KB>>,
    before: Reg<Bits<W>>,
    q_data: Reg<Bits<W>>,
    q_strobe: Reg<Bits<KB>>,
    q_valid: State<Bit>,
    q_last: Reg<Bit>,
}

impl<const W: usize, const KB: usize, const LB: usize, const LC: usize, const WC: usize, const GS: usize, const GA: usize, const GE: usize>
    Default for BeatShifter<W, KB, LB, LC, WC, GS, GA, GE>
{
    fn default() -> Self {
        for (name, value, must) in [
            ("KB", KB, W / 8),
            ("2^LB", 1 << LB, W / 8),
            ("LC", LC, LB + 1),
            ("WC", WC, LB + 4),
            ("GS", GS, LB.div_ceil(2)),
            ("GA", GA, 2 * GS),
            ("GE", GE, GS + 1),
        ] {
            assert!(value == must, "BeatShifter: {name} = {value} with W = {W}, must be {must}");
        }
        // The last step but `i` turns by multiples of so many bits; a multiple of the whole word is no turn at all.
        let turn = |times: usize| move |i: usize| Constant::new(bits::<12>((times * (8 << (GA - 2 - 2 * i)) % W) as u64));
        let back = |times: usize| move |i: usize| Constant::new(bits::<12>(((W - times * (8 << (GA - 2 - 2 * i)) % W) % W) as u64));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_head: Default::default(),
            in_tail: Default::default(),
            in_last: Default::default(),
            in_offset: Default::default(),
            in_end: Default::default(),
            in_data: Default::default(),
            out_valid: Default::default(),
            out_data: Default::default(),
            out_strobe: Default::default(),
            out_last: Default::default(),
            valid: (0..GE).map(|_| Default::default()).collect(),
            last: (0..GE).map(|_| Default::default()).collect(),
            head: (0..GS).map(|_| Default::default()).collect(),
            tail: (0..GS).map(|_| Default::default()).collect(),
            offset: (0..GS).map(|_| Default::default()).collect(),
            end: (0..GS).map(|_| Default::default()).collect(),
            from: (0..GS).map(|_| Default::default()).collect(),
            turned: (0..GS).map(|_| Default::default()).collect(),
            once: (0..GS).map(turn(1)).collect(),
            once_back: (0..GS).map(back(1)).collect(),
            twice: (0..GS).map(turn(2)).collect(),
            twice_back: (0..GS).map(back(2)).collect(),
            thrice: (0..GS).map(turn(3)).collect(),
            thrice_back: (0..GS).map(back(3)).collect(),
            place: Default::default(),
            own: Default::default(),
            begun: Default::default(),
            ended: Default::default(),
            own_bits: Default::default(),
            head_strobe: Default::default(),
            tail_strobe: Default::default(),
            before: Default::default(),
            q_data: Default::default(),
            q_strobe: Default::default(),
            q_valid: Default::default(),
            q_last: Default::default(),
        }
    }
}

impl<const W: usize, const KB: usize, const LB: usize, const LC: usize, const WC: usize, const GS: usize, const GA: usize, const GE: usize>
    Logic for BeatShifter<W, KB, LB, LC, WC, GS, GA, GE>
{
    #[kernel]
    fn update(&mut self) {
        self.valid[0].d.next = self.in_valid.val();
        self.last[0].d.next = self.in_last.val();
        self.head[0].d.next = self.in_head.val();
        self.tail[0].d.next = self.in_tail.val();
        self.offset[0].d.next = bit_cast::<GA, LB>(self.in_offset.val());
        self.end[0].d.next = self.in_end.val();
        for i in 1..GE {
            self.valid[i].d.next = self.valid[i - 1].q.val();
            self.last[i].d.next = self.last[i - 1].q.val();
        }
        self.from[0].next = self.in_data.val();
        for i in 1..GS {
            self.head[i].d.next = self.head[i - 1].q.val();
            self.tail[i].d.next = self.tail[i - 1].q.val();
            self.offset[i].d.next = self.offset[i - 1].q.val();
            self.end[i].d.next = self.end[i - 1].q.val();
            self.from[i].next = self.turned[i - 1].q.val();
        }
        for i in 0..GS {
            self.turned[i].d.next = self.from[i].val();
            if self.offset[i].q.val().get_bit(GA - 1 - 2 * i) {
                self.turned[i].d.next = (self.from[i].val() << self.twice[i].val()) | (self.from[i].val() >> self.twice_back[i].val());
                if self.offset[i].q.val().get_bit(GA - 2 - 2 * i) {
                    self.turned[i].d.next =
                        (self.from[i].val() << self.thrice[i].val()) | (self.from[i].val() >> self.thrice_back[i].val());
                }
            } else if self.offset[i].q.val().get_bit(GA - 2 - 2 * i) {
                self.turned[i].d.next = (self.from[i].val() << self.once[i].val()) | (self.from[i].val() >> self.once_back[i].val());
            }
        }

        // Beside the last turn: which bits are the beat's own, and which bytes count.
        self.place.next = self.offset[GS - 1].q.val().get_bits::<LB>(0);
        self.own.count.next = bit_cast::<WC, LB>(self.place.val()) << 3;
        self.begun.count.next = bit_cast::<LC, LB>(self.place.val());
        self.ended.count.next = self.end[GS - 1].q.val();
        self.own_bits.d.next = self.own.mask.val();
        self.head_strobe.d.next = !bits::<KB>(0);
        if self.head[GS - 1].q.val() {
            self.head_strobe.d.next = self.begun.mask.val();
        }
        self.tail_strobe.d.next = !bits::<KB>(0);
        if self.tail[GS - 1].q.val() {
            self.tail_strobe.d.next = !self.ended.mask.val();
        }

        if self.valid[GS].q.val() {
            self.before.d.next = self.turned[GS - 1].q.val();
        }
        self.q_data.d.next = (self.turned[GS - 1].q.val() & self.own_bits.q.val()) | (self.before.q.val() & !self.own_bits.q.val());
        self.q_strobe.d.next = self.head_strobe.q.val() & self.tail_strobe.q.val();
        self.q_valid.d.next = self.valid[GS].q.val();
        self.q_last.d.next = self.last[GS].q.val();
        self.out_valid.next = self.q_valid.q.val();
        self.out_data.next = self.q_data.q.val();
        self.out_strobe.next = self.q_strobe.q.val();
        self.out_last.next = self.q_last.q.val();
    }
}
