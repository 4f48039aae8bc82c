use super::IcrcSyndrome;
use super::crc_advance::advanced;
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Checks the ICRC of frames on their way: one that fails leaves with `out_user` high in its last beat. Not a bit of a frame is changed.
///
/// Ethernet without preamble and FCS, one VLAN tag, IPv4 with options or IPv6, UDP port 4791. What is none of this, and every fragment,
/// passes as it is. A frame of RoCEv2 that ends before its IP packet does, or whose IP packet has no room for BTH and ICRC, fails. What
/// follows the IP packet is padding and does not count. `in_user` of each beat goes on: what was bad stays bad.
///
/// Latency: `7 + CRC_LEVELS` clocks of every beat (11 at 512 bits), below 256 bits `ICRC_WINDOW_BEATS - 1` more; a beat that came late at
/// one of the first 32 bytes counts for those before it. A frame whose beats come without a pause leaves without one. Throughput: one
/// beat per clock, frames of any length back to back; `in_ready` falls only when the output stalls. Reset: empty; the next beat begins a
/// frame. Spec: wire format, "ICRC"; ready for a wire, "ICRC".
#[derive(Described, LogicBlock)]
pub struct IcrcCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat of a frame
    pub in_valid: Signal<In, Bit>,
    /// it is taken
    pub in_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count: contiguous from bit 0; read with the last beat alone
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// somebody before has found the frame bad
    pub in_user: Signal<In, Bit>,
    /// a beat of a frame
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// with the last beat: the ICRC does not hold, or `in_user` was high
    pub out_user: Signal<Out, Bit>,
    /// counts frames whose ICRC holds
    pub evt_good: Signal<Out, Bit>,
    /// counts frames whose ICRC does not hold
    pub evt_bad: Signal<Out, Bit>,

    beats: FifoLut<FRAME_BEAT_BITS, 5, 6>,
    verdicts: FifoLut<1, 5, 6>,
    syndrome: IcrcSyndrome,
    q_ready: State<Bit>,
    take: Signal<Local, Bit>,
    // What the register is with a good ICRC, for each lane in which the packet may end.
    expected: Signal<Local, Bits<32>>,
    residue: Vec<Constant<Bits<32>>>,
    lane: Vec<Constant<Bits<LANE_BITS>>>,
    valid: State<Bit>,
    first: Reg<Bit>,
    last: Reg<Bit>,
    ends: Reg<Bit>,
    differs: Reg<Bit>,
    room: Reg<Bit>,
    roce: Reg<Bit>,
    // The packet of the frame has ended, and well.
    held: State<Bit>,
    holds: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
}

impl Default for IcrcCheck {
    fn default() -> Self {
        let residue = |lane: usize| Constant::new(bits::<32>(u64::from(advanced(u32::MAX, (DATA_BYTES - 1 - lane) as isize))));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_data: Default::default(),
            in_keep: Default::default(),
            in_last: Default::default(),
            in_user: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_data: Default::default(),
            out_keep: Default::default(),
            out_last: Default::default(),
            out_user: Default::default(),
            evt_good: Default::default(),
            evt_bad: Default::default(),
            beats: Default::default(),
            verdicts: Default::default(),
            syndrome: Default::default(),
            q_ready: Default::default(),
            take: Default::default(),
            expected: Default::default(),
            residue: (0..DATA_BYTES).map(residue).collect(),
            lane: (0..DATA_BYTES).map(|lane| Constant::new(bits::<LANE_BITS>(lane as u64))).collect(),
            valid: Default::default(),
            first: Default::default(),
            last: Default::default(),
            ends: Default::default(),
            differs: Default::default(),
            room: Default::default(),
            roce: Default::default(),
            held: Default::default(),
            holds: Default::default(),
            wrong: Default::default(),
        }
    }
}

impl IcrcCheck {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for IcrcCheck {
    #[kernel]
    fn update(&mut self) {
        // Beats wait for what is said of them. It comes once for each, so that one FIFO cannot overflow while the other does not.
        self.q_ready.d.next = !self.beats.count.val().get_bit(5) && !self.beats.count.val().get_bits::<2>(3).all();
        self.in_ready.next = self.q_ready.q.val();
        self.take.next = self.in_valid.val() && self.q_ready.q.val();
        self.beats.in_valid.next = self.take.val();
        self.beats.in_data.next = bit_cast::<FRAME_BEAT_BITS, DATA_WIDTH>(self.in_data.val())
            | (bit_cast::<FRAME_BEAT_BITS, DATA_BYTES>(self.in_keep.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.in_last.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.in_user.val().into()) << (DATA_WIDTH + DATA_BYTES + 1).to_bits::<12>());
        self.syndrome.in_valid.next = self.take.val();
        self.syndrome.in_data.next = self.in_data.val();
        self.syndrome.in_keep.next = self.in_keep.val();
        self.syndrome.in_last.next = self.in_last.val();

        self.expected.next = bits::<32>(0);
        for l in 0..DATA_BYTES {
            if self.syndrome.out_end.val() == self.lane[l].val() {
                self.expected.next = self.residue[l].val();
            }
        }
        self.valid.d.next = self.syndrome.out_valid.val();
        self.first.d.next = self.syndrome.out_first.val();
        self.last.d.next = self.syndrome.out_last.val();
        self.ends.d.next = self.syndrome.out_ends.val();
        self.differs.d.next = self.syndrome.out_state.val() != self.expected.val() || self.syndrome.out_short.val();
        self.room.d.next = self.syndrome.out_room.val();
        self.roce.d.next = self.syndrome.out_roce.val();

        self.holds.next = self.held.q.val() && !self.first.q.val();
        if self.ends.q.val() {
            self.holds.next = !self.differs.q.val();
        }
        if self.valid.q.val() {
            self.held.d.next = self.holds.val();
        }
        self.wrong.next = self.last.q.val() && self.roce.q.val() && (!self.room.q.val() || !self.holds.val());
        self.verdicts.in_valid.next = self.valid.q.val();
        self.verdicts.in_data.next = self.wrong.val().into();
        self.evt_bad.next = self.valid.q.val() && self.wrong.val();
        self.evt_good.next = self.valid.q.val() && self.last.q.val() && self.roce.q.val() && !self.wrong.val();

        self.out_valid.next = self.beats.out_valid.val() && self.verdicts.out_valid.val();
        self.beats.out_ready.next = self.out_ready.val() && self.verdicts.out_valid.val();
        self.verdicts.out_ready.next = self.out_ready.val() && self.beats.out_valid.val();
        self.out_data.next = self.beats.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.out_keep.next = self.beats.out_data.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.out_last.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES);
        self.out_user.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES + 1) || self.verdicts.out_data.val().get_bit(0);
    }
}
