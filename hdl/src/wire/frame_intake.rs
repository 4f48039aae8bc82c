use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First register of the frame path: numbers the beats of each frame and counts its bytes.
///
/// `in_keep` counts on the last beat alone and is contiguous from bit 0; a last beat without a byte is allowed. A frame of 2^17 bytes and
/// more counts as one whose length is larger than any IP packet's.
/// Latency: 1 clock. Throughput: one beat per clock; it never stalls. Reset: the next beat begins a frame.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct FrameIntake {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// with the last beat: the CRC of the frame held
    pub in_crc_ok: Signal<In, Bit>,
    /// a beat is there
    pub out_valid: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// with the last beat: the CRC of the frame held
    pub out_crc_ok: Signal<Out, Bit>,
    /// number of the beat in its frame, from 0; stays at its largest
    pub out_index: Signal<Out, Bits<FRAME_PLACE_BITS>>,
    /// bytes of the frame up to and with this beat
    pub out_length: Signal<Out, Bits<18>>,
    valid: State<Bit>,
    data: Reg<Bits<DATA_WIDTH>>,
    last: Reg<Bit>,
    crc_ok: Reg<Bit>,
    index: Reg<Bits<FRAME_PLACE_BITS>>,
    bytes: Reg<Bits<LANE_COUNT_BITS>>,
    coming: State<Bits<FRAME_PLACE_BITS>>,
    // Bit k of a thermometer's count is the parity of its bits 2^k - 1, 2 * 2^k - 1 and so on.
    every: Vec<Constant<Bits<DATA_BYTES>>>,
    one: Vec<Constant<Bits<LANE_COUNT_BITS>>>,
    counted: Vec<Signal<Local, Bits<LANE_COUNT_BITS>>>,
}

impl Default for FrameIntake {
    fn default() -> Self {
        let every = |k: usize| {
            (1..=DATA_BYTES >> k).map(|m| (m << k) - 1).fold(Bits::default(), |mask: Bits<DATA_BYTES>, bit| mask.replace_bit(bit, true))
        };
        Self {
            every: (0..LANE_COUNT_BITS).map(|k| Constant::new(every(k))).collect(),
            one: (0..LANE_COUNT_BITS).map(|k| Constant::new(bits::<LANE_COUNT_BITS>(1 << k))).collect(),
            counted: (0..=LANE_COUNT_BITS).map(|_| Default::default()).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for FrameIntake {
    #[kernel]
    fn update(&mut self) {
        self.valid.d.next = self.in_valid.val();
        self.data.d.next = self.in_data.val();
        self.last.d.next = self.in_last.val();
        self.crc_ok.d.next = self.in_crc_ok.val();
        self.index.d.next = self.coming.q.val();
        self.counted[0].next = bits::<LANE_COUNT_BITS>(0);
        for k in 0..LANE_COUNT_BITS {
            self.counted[k + 1].next = self.counted[k].val();
            if (self.in_keep.val() & self.every[k].val()).xor() {
                self.counted[k + 1].next = self.counted[k].val() | self.one[k].val();
            }
        }
        self.bytes.d.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
        if self.in_last.val() {
            self.bytes.d.next = self.counted[LANE_COUNT_BITS].val();
        }
        if self.in_valid.val() {
            if self.in_last.val() {
                self.coming.d.next = bits::<FRAME_PLACE_BITS>(0);
            } else if !self.coming.q.val().all() {
                self.coming.d.next = self.coming.q.val() + 1;
            }
        }
        self.out_valid.next = self.valid.q.val();
        self.out_data.next = self.data.q.val();
        self.out_last.next = self.last.q.val();
        self.out_crc_ok.next = self.crc_ok.q.val();
        self.out_index.next = self.index.q.val();
        self.out_length.next = (bit_cast::<18, FRAME_PLACE_BITS>(self.index.q.val()) << LANE_BITS.to_bits::<4>())
            + bit_cast::<18, LANE_COUNT_BITS>(self.bytes.q.val());
    }
}
