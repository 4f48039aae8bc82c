use crate::primitives::{Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Payload of each frame from byte 0 of a beat on. Headers always end at an even number of bytes that is no multiple of four, so the shift
/// is a number of words and two bytes more.
///
/// Each beat waits for the next one of its frame and leaves with it as one double word, which is shifted right: two bits of the number of
/// words per clock, the largest first. One beat out for each in at most, because a payload is shorter than its frame. Beats go out as they
/// come; the one in which the payload ends stays until the frame has ended and the verdict is known. A frame that ends before its payload
/// does ends its stream there, with whatever is in the beat.
/// Latency: `3 + WORD_SHIFT_STEP` clocks from the next beat of the frame. Throughput: one beat per clock; it never stalls.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct PayloadAlign {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// number of the beat in its frame
    pub in_index: Signal<In, Bits<FRAME_PLACE_BITS>>,
    /// the frame has payload to pass on
    pub in_payload: Signal<In, Bit>,
    /// where the payload begins in the frame
    pub in_start: Signal<In, Bits<8>>,
    /// number of the beat that is first of the two in which the payload ends
    pub in_end_beat: Signal<In, Bits<FRAME_PLACE_BITS>>,
    /// bytes in the last beat of the payload, 0: all
    pub in_end_bytes: Signal<In, Bits<LANE_BITS>>,
    /// three clocks behind the last beat: the frame is dropped
    pub in_drop: Signal<In, Bit>,
    /// a beat of payload
    pub out_valid: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of this payload
    pub out_last: Signal<Out, Bit>,
    /// with the last beat: the frame is dropped
    pub out_drop: Signal<Out, Bit>,

    data0: Reg<Bits<DATA_WIDTH>>,
    valid0: State<Bit>,
    last0: Reg<Bit>,
    index0: Reg<Bits<FRAME_PLACE_BITS>>,
    payload0: Reg<Bit>,
    first0: Reg<Bits<FRAME_PLACE_BITS>>,
    shift0: Reg<Bits<WORD_SHIFT_STEPS_BITS>>,
    end_beat0: Reg<Bits<FRAME_PLACE_BITS>>,
    end_bytes0: Reg<Bits<LANE_BITS>>,

    data1: Reg<Bits<DATA_WIDTH>>,
    valid1: State<Bit>,
    last1: Reg<Bit>,
    whole1: Reg<Bit>,
    ends1: Reg<Bit>,
    shift1: Reg<Bits<WORD_SHIFT_STEPS_BITS>>,
    end_bytes1: Reg<Bits<LANE_BITS>>,
    leaves: Signal<Local, Bit>,

    // A double word and what it is, a step of the shift further in each element.
    pair: Vec<Reg<Bits<DOUBLE_DATA_WIDTH>>>,
    moving_valid: Vec<State<Bit>>,
    moving_last: Vec<Reg<Bit>>,
    moving_whole: Vec<Reg<Bit>>,
    moving_ends: Vec<Reg<Bit>>,
    moving_shift: Vec<Reg<Bits<WORD_SHIFT_STEPS_BITS>>>,
    moving_bytes: Vec<Reg<Bits<LANE_COUNT_BITS>>>,
    moving_drop: Vec<Reg<Bit>>,
    dropped: Vec<Signal<Local, Bit>>,
    from: Vec<Signal<Local, Bits<DOUBLE_DATA_WIDTH>>>,
    by: Vec<Signal<Local, Bits<WORD_SHIFT_STEPS_BITS>>>,
    once: Vec<Constant<Bits<12>>>,
    twice: Vec<Constant<Bits<12>>>,
    thrice: Vec<Constant<Bits<12>>>,
    beyond: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,

    pending: State<Bit>,
    q_data: Reg<Bits<DATA_WIDTH>>,
    q_keep: Reg<Bits<DATA_BYTES>>,
    q_valid: State<Bit>,
    q_last: Reg<Bit>,
    q_drop: Reg<Bit>,
}

impl Default for PayloadAlign {
    fn default() -> Self {
        let step = |times: u64| move |i: usize| Constant::new(bits::<12>(times * (32 << (WORD_SHIFT_STEPS_BITS - 2 - 2 * i))));
        Self {
            pair: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_valid: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_last: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_whole: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_ends: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_shift: (1..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_bytes: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            moving_drop: (1..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            dropped: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            from: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            by: (0..WORD_SHIFT_STEP).map(|_| Default::default()).collect(),
            once: (0..WORD_SHIFT_STEP).map(step(1)).collect(),
            twice: (0..WORD_SHIFT_STEP).map(step(2)).collect(),
            thrice: (0..WORD_SHIFT_STEP).map(step(3)).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for PayloadAlign {
    #[kernel]
    fn update(&mut self) {
        self.valid0.d.next = self.in_valid.val();
        self.data0.d.next = self.in_data.val();
        self.last0.d.next = self.in_last.val();
        self.index0.d.next = self.in_index.val();
        self.payload0.d.next = self.in_payload.val();
        self.first0.d.next = bit_cast::<17, 8>(self.in_start.val()).get_bits::<FRAME_PLACE_BITS>(LANE_BITS);
        self.shift0.d.next = bit_cast::<WORD_SHIFT_STEPS_BITS, WORD_SHIFT_BITS>(self.in_start.val().get_bits::<WORD_SHIFT_BITS>(2));
        self.end_beat0.d.next = self.in_end_beat.val();
        self.end_bytes0.d.next = self.in_end_bytes.val();

        // A beat waits here for the next one of its frame.
        self.leaves.next = self.valid1.q.val() && (self.last1.q.val() || self.valid0.q.val());
        if self.valid0.q.val() {
            self.data1.d.next = self.data0.q.val();
            self.last1.d.next = self.last0.q.val();
            self.whole1.d.next =
                self.payload0.q.val() && self.index0.q.val() >= self.first0.q.val() && self.index0.q.val() < self.end_beat0.q.val();
            self.ends1.d.next = self.payload0.q.val() && self.index0.q.val() == self.end_beat0.q.val();
            self.shift1.d.next = self.shift0.q.val();
            self.end_bytes1.d.next = self.end_bytes0.q.val();
        }
        self.valid1.d.next = self.valid0.q.val() || (self.valid1.q.val() && !self.leaves.val());

        self.from[0].next = bit_cast::<DOUBLE_DATA_WIDTH, DATA_WIDTH>(self.data1.q.val())
            | (bit_cast::<DOUBLE_DATA_WIDTH, DATA_WIDTH>(self.data0.q.val()) << DATA_WIDTH.to_bits::<12>());
        self.by[0].next = self.shift1.q.val();
        self.dropped[0].next = self.in_drop.val();
        for i in 1..WORD_SHIFT_STEP {
            self.from[i].next = self.pair[i - 1].q.val();
            self.by[i].next = self.moving_shift[i - 1].q.val();
            self.moving_shift[i - 1].clock.next = self.clk.val();
            self.moving_shift[i - 1].d.next = self.by[i - 1].val();
            self.moving_drop[i - 1].clock.next = self.clk.val();
            self.moving_drop[i - 1].d.next = self.dropped[i - 1].val();
            self.dropped[i].next = self.moving_drop[i - 1].q.val();
            self.moving_valid[i].d.next = self.moving_valid[i - 1].q.val();
            self.moving_last[i].d.next = self.moving_last[i - 1].q.val();
            self.moving_whole[i].d.next = self.moving_whole[i - 1].q.val();
            self.moving_ends[i].d.next = self.moving_ends[i - 1].q.val();
            self.moving_bytes[i].d.next = self.moving_bytes[i - 1].q.val();
        }
        self.moving_valid[0].d.next = self.leaves.val();
        self.moving_last[0].d.next = self.last1.q.val();
        self.moving_whole[0].d.next = self.whole1.q.val();
        self.moving_ends[0].d.next = self.ends1.q.val();
        self.moving_bytes[0].d.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
        if self.ends1.q.val() && self.end_bytes1.q.val().any() {
            self.moving_bytes[0].d.next = bit_cast::<LANE_COUNT_BITS, LANE_BITS>(self.end_bytes1.q.val());
        }
        for i in 0..WORD_SHIFT_STEP {
            self.pair[i].d.next = self.from[i].val();
            if self.by[i].val().get_bit(WORD_SHIFT_STEPS_BITS - 1 - 2 * i) {
                self.pair[i].d.next = self.from[i].val() >> self.twice[i].val();
                if self.by[i].val().get_bit(WORD_SHIFT_STEPS_BITS - 2 - 2 * i) {
                    self.pair[i].d.next = self.from[i].val() >> self.thrice[i].val();
                }
            } else if self.by[i].val().get_bit(WORD_SHIFT_STEPS_BITS - 2 - 2 * i) {
                self.pair[i].d.next = self.from[i].val() >> self.once[i].val();
            }
        }

        // The end of a payload stays here until its frame has ended. Nothing of that frame comes behind it, and nothing of the next frame
        // sooner than two clocks after.
        self.beyond.count.next = self.moving_bytes[WORD_SHIFT_STEP - 1].q.val();
        self.q_valid.d.next = false;
        if self.moving_valid[WORD_SHIFT_STEP - 1].q.val() {
            if self.moving_whole[WORD_SHIFT_STEP - 1].q.val() || self.moving_ends[WORD_SHIFT_STEP - 1].q.val() {
                self.q_data.d.next = self.pair[WORD_SHIFT_STEP - 1].q.val().get_bits::<DATA_WIDTH>(16);
                self.q_keep.d.next = !self.beyond.mask.val();
            }
            self.q_valid.d.next = self.moving_whole[WORD_SHIFT_STEP - 1].q.val()
                || (self.moving_last[WORD_SHIFT_STEP - 1].q.val()
                    && (self.moving_ends[WORD_SHIFT_STEP - 1].q.val() || self.pending.q.val()));
            self.q_last.d.next = self.moving_last[WORD_SHIFT_STEP - 1].q.val();
            self.q_drop.d.next = self.moving_last[WORD_SHIFT_STEP - 1].q.val() && self.dropped[WORD_SHIFT_STEP - 1].val();
            if self.moving_last[WORD_SHIFT_STEP - 1].q.val() {
                self.pending.d.next = false;
            } else if self.moving_ends[WORD_SHIFT_STEP - 1].q.val() {
                self.pending.d.next = true;
            }
        }
        self.out_valid.next = self.q_valid.q.val();
        self.out_data.next = self.q_data.q.val();
        self.out_keep.next = self.q_keep.q.val();
        self.out_last.next = self.q_last.q.val();
        self.out_drop.next = self.q_drop.q.val();
    }
}
