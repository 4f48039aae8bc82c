use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First register of the frame path: numbers the beats of each frame and counts its bytes.
///
/// `in_keep` counts on the last beat alone and is contiguous from bit 0; a last beat without a byte is allowed. A frame of 2^17 bytes and more
/// counts as one whose length is larger than any IP packet's.
/// Latency: 1 clock. Throughput: one beat per clock; it never stalls. Reset: the next beat begins a frame.
///
/// Parameters: `W` bits and `KB` = `W / 8` = `2^LB` bytes of a beat, `LC` = `LB + 1`, `NB` = `17 - LB` bits of a beat's number.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct FrameIntake<const W: usize, const KB: usize, const LB: usize, const LC: usize, const NB: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<W>>,
    /// bytes that count
    pub in_keep: Signal<In, Bits<KB>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// with the last beat: the CRC of the frame held
    pub in_crc_ok: Signal<In, Bit>,
    /// a beat is there
    pub out_valid: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<W>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// with the last beat: the CRC of the frame held
    pub out_crc_ok: Signal<Out, Bit>,
    /// number of the beat in its frame, from 0; stays at its largest
    pub out_index: Signal<Out, Bits<NB>>,
    /// bytes of the frame up to and with this beat
    pub out_length: Signal<Out, Bits<18>>,
    valid: State<Bit>,
    data: Reg<Bits<W>>,
    last: Reg<Bit>,
    crc_ok: Reg<Bit>,
    index: Reg<Bits<NB>>,
    bytes: Reg<Bits<LC>>,
    coming: State<Bits<NB>>,
    // Bit k of a thermometer's count is the parity of its bits 2^k - 1, 2 * 2^k - 1 and so on.
    every: Vec<Constant<Bits<KB>>>,
    one: Vec<Constant<Bits<LC>>>,
    counted: Vec<Signal<Local, Bits<LC>>>,
}

impl<const W: usize, const KB: usize, const LB: usize, const LC: usize, const NB: usize> Default for FrameIntake<W, KB, LB, LC, NB> {
    fn default() -> Self {
        assert!((6..=11).any(|log2| W == 1 << log2), "FrameIntake: W = {W}, allowed are 64, 128, 256, 512, 1024, 2048");
        for (name, value, must) in [("KB", KB, W / 8), ("2^LB", 1 << LB, W / 8), ("LC", LC, LB + 1), ("NB", NB, 17 - LB)] {
            assert!(value == must, "FrameIntake: {name} = {value} with W = {W}, must be {must}");
        }
        let every = |k: usize| (1..=KB >> k).map(|m| (m << k) - 1).fold(Bits::default(), |mask: Bits<KB>, bit| mask.replace_bit(bit, true));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_data: Default::default(),
            in_keep: Default::default(),
            in_last: Default::default(),
            in_crc_ok: Default::default(),
            out_valid: Default::default(),
            out_data: Default::default(),
            out_last: Default::default(),
            out_crc_ok: Default::default(),
            out_index: Default::default(),
            out_length: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            last: Default::default(),
            crc_ok: Default::default(),
            index: Default::default(),
            bytes: Default::default(),
            coming: Default::default(),
            every: (0..LC).map(|k| Constant::new(every(k))).collect(),
            one: (0..LC).map(|k| Constant::new(bits::<LC>(1 << k))).collect(),
            counted: (0..=LC).map(|_| Default::default()).collect(),
        }
    }
}

impl<const W: usize, const KB: usize, const LB: usize, const LC: usize, const NB: usize> Logic for FrameIntake<W, KB, LB, LC, NB> {
    #[kernel]
    fn update(&mut self) {
        self.valid.d.next = self.in_valid.val();
        self.data.d.next = self.in_data.val();
        self.last.d.next = self.in_last.val();
        self.crc_ok.d.next = self.in_crc_ok.val();
        self.index.d.next = self.coming.q.val();
        self.counted[0].next = bits::<LC>(0);
        for k in 0..LC {
            self.counted[k + 1].next = self.counted[k].val();
            if (self.in_keep.val() & self.every[k].val()).xor() {
                self.counted[k + 1].next = self.counted[k].val() | self.one[k].val();
            }
        }
        self.bytes.d.next = bits::<LC>(1) << LB.to_bits::<4>();
        if self.in_last.val() {
            self.bytes.d.next = self.counted[LC].val();
        }
        if self.in_valid.val() {
            if self.in_last.val() {
                self.coming.d.next = bits::<NB>(0);
            } else if !self.coming.q.val().all() {
                self.coming.d.next = self.coming.q.val() + 1;
            }
        }
        self.out_valid.next = self.valid.q.val();
        self.out_data.next = self.data.q.val();
        self.out_last.next = self.last.q.val();
        self.out_crc_ok.next = self.crc_ok.q.val();
        self.out_index.next = self.index.q.val();
        self.out_length.next = (bit_cast::<18, NB>(self.index.q.val()) << LB.to_bits::<4>()) + bit_cast::<18, LC>(self.bytes.q.val());
    }
}
