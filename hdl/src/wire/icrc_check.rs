use super::IcrcSyndrome;
use super::crc_advance::advanced;
use crate::bus::{Frames, FramesSink};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Checks the ICRC of frames on their way: one that fails leaves with `out_user` high in its last beat. Not a bit of a frame is changed.
///
/// Ethernet without preamble and FCS, one VLAN tag, IPv4 with options or IPv6, UDP port 4791. What is none of this, and every fragment,
/// passes as it is. A frame of RoCEv2 that ends before its IP packet does, or whose IP packet has no room for BTH and ICRC, fails. What
/// follows the IP packet is padding and does not count. `in_user` of each beat goes on: what was bad stays bad. `in_keep` is read with the
/// last beat alone, and contiguous from bit 0 there.
///
/// Latency: `7 + CRC_LEVELS` clocks of every beat (11 at 512 bits), below 256 bits `ICRC_WINDOW_BEATS - 1` more; a beat that came late at
/// one of the first 32 bytes counts for those before it. A frame whose beats come without a pause leaves without one. Throughput: one
/// beat per clock, frames of any length back to back; `in_ready` falls only when the output stalls. Reset: empty; the next beat begins a
/// frame. Spec: wire format, "ICRC"; ready for a wire, "ICRC".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct IcrcCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// from the MAC
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    /// somebody before has found the frame bad
    pub in_user: Signal<In, Bit>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
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
    residue: [Constant<Bits<32>>; DATA_BYTES],
    lane: [Constant<Bits<LANE_BITS>>; DATA_BYTES],
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
            residue: std::array::from_fn(residue),
            lane: std::array::from_fn(|lane| Constant::new(bits::<LANE_BITS>(lane as u64))),
            ..Self::blank()
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
        self.frames.ready.next = self.q_ready.q.val();
        self.take.next = self.frames.valid.val() && self.q_ready.q.val();
        self.beats.in_valid.next = self.take.val();
        self.beats.in_data.next = bit_cast::<FRAME_BEAT_BITS, DATA_WIDTH>(self.frames.data.val())
            | (bit_cast::<FRAME_BEAT_BITS, DATA_BYTES>(self.frames.keep.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.frames.last.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.in_user.val().into()) << (DATA_WIDTH + DATA_BYTES + 1).to_bits::<12>());
        self.syndrome.in_valid.next = self.take.val();
        self.syndrome.in_data.next = self.frames.data.val();
        self.syndrome.in_keep.next = self.frames.keep.val();
        self.syndrome.in_last.next = self.frames.last.val();

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

        self.out.valid.next = self.beats.out_valid.val() && self.verdicts.out_valid.val();
        self.beats.out_ready.next = self.out.ready.val() && self.verdicts.out_valid.val();
        self.verdicts.out_ready.next = self.out.ready.val() && self.beats.out_valid.val();
        self.out.data.next = self.beats.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.out.keep.next = self.beats.out_data.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.out.last.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES);
        self.out_user.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES + 1) || self.verdicts.out_data.val().get_bit(0);
    }
}
