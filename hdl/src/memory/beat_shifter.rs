use crate::primitives::{Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Beats of a slot shifted to where their bytes go: from byte 0 of a beat on in, from any byte on out.
///
/// Each beat is rotated by the offset, two bits of it per clock, the largest first; what has come round goes out with the next beat. The
/// strobe leaves out what is before the first byte and behind the last.
/// Latency: `BYTE_SHIFT_STEP + 2` clocks from `in_valid`, the beat itself comes one clock later than that. Throughput: one beat per clock;
/// it never stalls.
/// Reset: empty.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct BeatShifter {
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
    pub in_offset: Signal<In, Bits<LANE_BITS>>,
    /// bytes up to the end of the write in its last beat
    pub in_end: Signal<In, Bits<LANE_COUNT_BITS>>,
    /// the beat, one clock later
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// a beat goes out
    pub out_valid: Signal<Out, Bit>,
    /// its bytes in their places
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// those that count
    pub out_strobe: Signal<Out, Bits<DATA_BYTES>>,
    /// it ends a burst
    pub out_last: Signal<Out, Bit>,

    // What is known of a beat: element 0 beside the beat itself, one more per clock.
    valid: Vec<State<Bit>>,
    last: Vec<Reg<Bit>>,
    head: Vec<Reg<Bit>>,
    tail: Vec<Reg<Bit>>,
    offset: Vec<Reg<Bits<BYTE_SHIFT_STEPS_BITS>>>,
    end: Vec<Reg<Bits<LANE_COUNT_BITS>>>,

    from: Vec<Signal<Local, Bits<DATA_WIDTH>>>,
    turned: Vec<Reg<Bits<DATA_WIDTH>>>,
    once: Vec<Constant<Bits<12>>>,
    once_back: Vec<Constant<Bits<12>>>,
    twice: Vec<Constant<Bits<12>>>,
    twice_back: Vec<Constant<Bits<12>>>,
    thrice: Vec<Constant<Bits<12>>>,
    thrice_back: Vec<Constant<Bits<12>>>,

    place: Signal<Local, Bits<LANE_BITS>>,
    own: ThermometerMask<DATA_WIDTH, LANE_SHIFT_BITS, 0>,
    begun: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    ended: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    own_bits: Reg<Bits<DATA_WIDTH>>,
    head_strobe: Reg<Bits<DATA_BYTES>>,
    tail_strobe: Reg<Bits<DATA_BYTES>>,
    before: Reg<Bits<DATA_WIDTH>>,
    q_data: Reg<Bits<DATA_WIDTH>>,
    q_strobe: Reg<Bits<DATA_BYTES>>,
    q_valid: State<Bit>,
    q_last: Reg<Bit>,
}

impl Default for BeatShifter {
    fn default() -> Self {
        // The last step but `i` turns by multiples of so many bits; a multiple of the whole word is no turn at all.
        let turn = |times: usize| {
            move |i: usize| Constant::new(bits::<12>((times * (8 << (BYTE_SHIFT_STEPS_BITS - 2 - 2 * i)) % DATA_WIDTH) as u64))
        };
        let back = |times: usize| {
            move |i: usize| {
                Constant::new(bits::<12>(
                    ((DATA_WIDTH - times * (8 << (BYTE_SHIFT_STEPS_BITS - 2 - 2 * i)) % DATA_WIDTH) % DATA_WIDTH) as u64,
                ))
            }
        };
        Self {
            valid: (0..BYTE_SHIFT_COUNT_BITS).map(|_| Default::default()).collect(),
            last: (0..BYTE_SHIFT_COUNT_BITS).map(|_| Default::default()).collect(),
            head: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            tail: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            offset: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            end: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            from: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            turned: (0..BYTE_SHIFT_STEP).map(|_| Default::default()).collect(),
            once: (0..BYTE_SHIFT_STEP).map(turn(1)).collect(),
            once_back: (0..BYTE_SHIFT_STEP).map(back(1)).collect(),
            twice: (0..BYTE_SHIFT_STEP).map(turn(2)).collect(),
            twice_back: (0..BYTE_SHIFT_STEP).map(back(2)).collect(),
            thrice: (0..BYTE_SHIFT_STEP).map(turn(3)).collect(),
            thrice_back: (0..BYTE_SHIFT_STEP).map(back(3)).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for BeatShifter {
    #[kernel]
    fn update(&mut self) {
        self.valid[0].d.next = self.in_valid.val();
        self.last[0].d.next = self.in_last.val();
        self.head[0].d.next = self.in_head.val();
        self.tail[0].d.next = self.in_tail.val();
        self.offset[0].d.next = bit_cast::<BYTE_SHIFT_STEPS_BITS, LANE_BITS>(self.in_offset.val());
        self.end[0].d.next = self.in_end.val();
        for i in 1..BYTE_SHIFT_COUNT_BITS {
            self.valid[i].d.next = self.valid[i - 1].q.val();
            self.last[i].d.next = self.last[i - 1].q.val();
        }
        self.from[0].next = self.in_data.val();
        for i in 1..BYTE_SHIFT_STEP {
            self.head[i].d.next = self.head[i - 1].q.val();
            self.tail[i].d.next = self.tail[i - 1].q.val();
            self.offset[i].d.next = self.offset[i - 1].q.val();
            self.end[i].d.next = self.end[i - 1].q.val();
            self.from[i].next = self.turned[i - 1].q.val();
        }
        for i in 0..BYTE_SHIFT_STEP {
            self.turned[i].d.next = self.from[i].val();
            if self.offset[i].q.val().get_bit(BYTE_SHIFT_STEPS_BITS - 1 - 2 * i) {
                self.turned[i].d.next = (self.from[i].val() << self.twice[i].val()) | (self.from[i].val() >> self.twice_back[i].val());
                if self.offset[i].q.val().get_bit(BYTE_SHIFT_STEPS_BITS - 2 - 2 * i) {
                    self.turned[i].d.next =
                        (self.from[i].val() << self.thrice[i].val()) | (self.from[i].val() >> self.thrice_back[i].val());
                }
            } else if self.offset[i].q.val().get_bit(BYTE_SHIFT_STEPS_BITS - 2 - 2 * i) {
                self.turned[i].d.next = (self.from[i].val() << self.once[i].val()) | (self.from[i].val() >> self.once_back[i].val());
            }
        }

        // Beside the last turn: which bits are the beat's own, and which bytes count.
        self.place.next = self.offset[BYTE_SHIFT_STEP - 1].q.val().get_bits::<LANE_BITS>(0);
        self.own.count.next = bit_cast::<LANE_SHIFT_BITS, LANE_BITS>(self.place.val()) << 3;
        self.begun.count.next = bit_cast::<LANE_COUNT_BITS, LANE_BITS>(self.place.val());
        self.ended.count.next = self.end[BYTE_SHIFT_STEP - 1].q.val();
        self.own_bits.d.next = self.own.mask.val();
        self.head_strobe.d.next = !bits::<DATA_BYTES>(0);
        if self.head[BYTE_SHIFT_STEP - 1].q.val() {
            self.head_strobe.d.next = self.begun.mask.val();
        }
        self.tail_strobe.d.next = !bits::<DATA_BYTES>(0);
        if self.tail[BYTE_SHIFT_STEP - 1].q.val() {
            self.tail_strobe.d.next = !self.ended.mask.val();
        }

        if self.valid[BYTE_SHIFT_STEP].q.val() {
            self.before.d.next = self.turned[BYTE_SHIFT_STEP - 1].q.val();
        }
        self.q_data.d.next =
            (self.turned[BYTE_SHIFT_STEP - 1].q.val() & self.own_bits.q.val()) | (self.before.q.val() & !self.own_bits.q.val());
        self.q_strobe.d.next = self.head_strobe.q.val() & self.tail_strobe.q.val();
        self.q_valid.d.next = self.valid[BYTE_SHIFT_STEP].q.val();
        self.q_last.d.next = self.last[BYTE_SHIFT_STEP].q.val();
        self.out_valid.next = self.q_valid.q.val();
        self.out_data.next = self.q_data.q.val();
        self.out_strobe.next = self.q_strobe.q.val();
        self.out_last.next = self.q_last.q.val();
    }
}
