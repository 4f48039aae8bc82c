use super::{CrcAdvance, IcrcSyndrome};
use crate::bus::{Frames, FramesSink};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Writes the ICRC into the last four bytes of the IP packet of each frame of RoCEv2; whatever was there is lost. No frame grows.
///
/// Ethernet without preamble and FCS, one VLAN tag, IPv4 with options or IPv6, UDP port 4791. What is none of this, every fragment, and a
/// frame that has no place for it, because it ends before its IP packet does or has no room for BTH and ICRC, passes as it is. `in_keep` is
/// read with the last beat alone, and contiguous from bit 0 there.
///
/// The register of the frame as it came is taken back by the bytes behind its end. What differs from all ones then is what differs
/// between the four bytes that are there and those that should be, and is added to them. They may lie in two beats, which both need it:
/// so each beat waits for the next one of its frame.
///
/// Latency: `9 + CRC_LEVELS + ICRC_BACK_STEPS` clocks of every beat (16 at 512 bits), below 256 bits `ICRC_WINDOW_BEATS - 1` more; a beat
/// whose next one came late as many more. A frame whose beats come without a pause leaves without one. Throughput: one beat per clock,
/// frames of any length back to back; `in_ready` falls only when the output stalls. Reset: empty; the next beat begins a frame. Spec:
/// wire format, "ICRC"; ready for a wire, "ICRC".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct IcrcInsert {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// from the builders
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,

    beats: FifoLut<WRITE_BEAT_BITS, 5, 6>,
    patches: FifoLut<ICRC_PATCH_BITS, 5, 6>,
    syndrome: IcrcSyndrome,
    q_ready: State<Bit>,
    take: Signal<Local, Bit>,

    // For each two bits of the number of bytes behind the end, from the lowest: back by one, two and three times their weight.
    back: [CrcAdvance; 3 * ICRC_BACK_STEPS],
    before: [Signal<Local, Bits<32>>; ICRC_BACK_STEPS],
    going: [Signal<Local, Bits<ICRC_BACK_BITS>>; ICRC_BACK_STEPS],
    state: [Reg<Bits<32>>; ICRC_BACK_STEPS],
    valid: [State<Bit>; ICRC_BACK_STEPS],
    beat: [Reg<Bits<ICRC_BACK_BITS>>; ICRC_BACK_STEPS],

    // The word to add, turned to the lanes where it goes.
    difference: Signal<Local, Bits<32>>,
    next_word: Reg<Bits<32>>,
    next_valid: State<Bit>,
    next_beat: Reg<Bits<ICRC_BACK_BITS>>,
    this_word: Reg<Bits<32>>,
    this_valid: State<Bit>,
    this_beat: Reg<Bits<ICRC_BACK_BITS>>,
    leaves: Signal<Local, Bit>,
    spills: Signal<Local, Bit>,
    word: Signal<Local, Bits<32>>,
    ending: Signal<Local, Bits<LANE_BITS>>,

    // The patch of the beat that leaves.
    moves: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    patch: Signal<Local, Bits<32>>,
    here: Signal<Local, Bit>,
    spilled: Signal<Local, Bit>,
    place: Signal<Local, Bits<LANE_BITS>>,
    distance: [Signal<Local, Bits<LANE_BITS>>; DATA_BYTES],
    lane: [Constant<Bits<LANE_BITS>>; DATA_BYTES],
    near: Signal<Local, Bits<DATA_BYTES>>,
    added: [Signal<Local, Bits<32>>; CRC_WORDS],
    joined: [Signal<Local, Bits<DATA_WIDTH>>; CRC_WORDS],
    shift: [Constant<Bits<12>>; CRC_WORDS],
    q_valid: State<Bit>,
    q_data: Reg<Bits<DATA_WIDTH>>,
    q_keep: Reg<Bits<DATA_BYTES>>,
    q_last: Reg<Bit>,
}

impl Default for IcrcInsert {
    fn default() -> Self {
        Self {
            back: std::array::from_fn(|of| CrcAdvance::by(-((of as isize % 3 + 1) << (of / 3 * 2)))),
            lane: std::array::from_fn(|lane| Constant::new(bits::<LANE_BITS>(lane as u64))),
            shift: std::array::from_fn(|word| Constant::new(bits::<12>(32 * word as u64))),
            ..Self::blank()
        }
    }
}

impl IcrcInsert {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for IcrcInsert {
    #[kernel]
    fn update(&mut self) {
        // Beats wait for their patches. One comes for each, so that one FIFO cannot overflow while the other does not.
        self.q_ready.d.next = !self.beats.count.val().get_bit(5) && !self.beats.count.val().get_bits::<2>(3).all();
        self.frames.ready.next = self.q_ready.q.val();
        self.take.next = self.frames.valid.val() && self.q_ready.q.val();
        self.beats.in_valid.next = self.take.val();
        self.beats.in_data.next = bit_cast::<WRITE_BEAT_BITS, DATA_WIDTH>(self.frames.data.val())
            | (bit_cast::<WRITE_BEAT_BITS, DATA_BYTES>(self.frames.keep.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<WRITE_BEAT_BITS, 1>(self.frames.last.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>());
        self.syndrome.in_valid.next = self.take.val();
        self.syndrome.in_data.next = self.frames.data.val();
        self.syndrome.in_keep.next = self.frames.keep.val();
        self.syndrome.in_last.next = self.frames.last.val();

        // Back by as many bytes as lie behind the end, which is the complement of its lane: two bits per clock, the lowest first. A bit
        // that the lane does not have is 1.
        self.before[0].next = self.syndrome.out_state.val();
        self.going[0].next = bit_cast::<ICRC_BACK_BITS, 1>(self.syndrome.out_last.val().into())
            | (bit_cast::<ICRC_BACK_BITS, 1>(
                (self.syndrome.out_ends.val()
                    && self.syndrome.out_roce.val()
                    && self.syndrome.out_room.val()
                    && !self.syndrome.out_short.val())
                .into(),
            ) << 1)
            | (bit_cast::<ICRC_BACK_BITS, LANE_BITS>(self.syndrome.out_end.val()) << 2)
            | ICRC_BACK_ONES.to_bits::<ICRC_BACK_BITS>();
        self.valid[0].d.next = self.syndrome.out_valid.val();
        for k in 1..ICRC_BACK_STEPS {
            self.before[k].next = self.state[k - 1].q.val();
            self.going[k].next = self.beat[k - 1].q.val();
            self.valid[k].d.next = self.valid[k - 1].q.val();
        }
        for k in 0..ICRC_BACK_STEPS {
            for j in 0..3 {
                self.back[3 * k + j].state.next = self.before[k].val();
            }
            self.beat[k].d.next = self.going[k].val();
            self.state[k].d.next = self.before[k].val();
            if self.going[k].val().get_bits::<2>(2 + 2 * k) == bits::<2>(2) {
                self.state[k].d.next = self.back[3 * k].moved.val();
            }
            if self.going[k].val().get_bits::<2>(2 + 2 * k) == bits::<2>(1) {
                self.state[k].d.next = self.back[3 * k + 1].moved.val();
            }
            if self.going[k].val().get_bits::<2>(2 + 2 * k) == bits::<2>(0) {
                self.state[k].d.next = self.back[3 * k + 2].moved.val();
            }
        }

        // The four bytes end at any lane: byte 0 of the word goes to a lane whose number is a multiple of four.
        self.difference.next = !self.state[ICRC_BACK_STEPS - 1].q.val();
        self.next_word.d.next = self.difference.val();
        if self.beat[ICRC_BACK_STEPS - 1].q.val().get_bits::<2>(2) == bits::<2>(0) {
            self.next_word.d.next = (self.difference.val() << 8) | (self.difference.val() >> 24);
        }
        if self.beat[ICRC_BACK_STEPS - 1].q.val().get_bits::<2>(2) == bits::<2>(1) {
            self.next_word.d.next = (self.difference.val() << 16) | (self.difference.val() >> 16);
        }
        if self.beat[ICRC_BACK_STEPS - 1].q.val().get_bits::<2>(2) == bits::<2>(2) {
            self.next_word.d.next = (self.difference.val() << 24) | (self.difference.val() >> 8);
        }
        self.next_valid.d.next = self.valid[ICRC_BACK_STEPS - 1].q.val();
        self.next_beat.d.next = self.beat[ICRC_BACK_STEPS - 1].q.val();

        // A beat waits for the next one of its frame: the ICRC may end there and begin here. The next one may be of another frame if this
        // one is a last one; the first 57 bytes of a frame are none of an ICRC's end, so nothing of it is said to begin here.
        self.leaves.next = self.this_valid.q.val() && (self.this_beat.q.val().get_bit(0) || self.next_valid.q.val());
        if self.next_valid.q.val() {
            self.this_word.d.next = self.next_word.q.val();
            self.this_beat.d.next = self.next_beat.q.val();
        }
        self.this_valid.d.next = self.next_valid.q.val() || (self.this_valid.q.val() && !self.leaves.val());
        self.spills.next = self.next_valid.q.val() && self.next_beat.q.val().get_bit(1);
        self.word.next = self.next_word.q.val();
        self.ending.next = self.next_beat.q.val().get_bits::<LANE_BITS>(2);
        if self.this_beat.q.val().get_bit(1) {
            self.word.next = self.this_word.q.val();
            self.ending.next = self.this_beat.q.val().get_bits::<LANE_BITS>(2);
        }
        self.patches.in_valid.next = self.leaves.val();
        self.patches.in_data.next = bit_cast::<ICRC_PATCH_BITS, 32>(self.word.val())
            | (bit_cast::<ICRC_PATCH_BITS, 1>(self.this_beat.q.val().get_bit(1).into()) << 32)
            | (bit_cast::<ICRC_PATCH_BITS, 1>((self.spills.val() && !self.this_beat.q.val().get_bit(1)).into()) << 33)
            | (bit_cast::<ICRC_PATCH_BITS, LANE_BITS>(self.ending.val()) << 34);

        // A lane belongs to the ICRC if it is the end or one of three before it. Where the end is in the next beat, the distance goes
        // around.
        self.patch.next = self.patches.out_data.val().get_bits::<32>(0);
        self.here.next = self.patches.out_data.val().get_bit(32);
        self.spilled.next = self.patches.out_data.val().get_bit(33);
        self.place.next = self.patches.out_data.val().get_bits::<LANE_BITS>(34);
        self.near.next = bits::<DATA_BYTES>(0);
        for l in 0..DATA_BYTES {
            self.distance[l].next = self.place.val() - self.lane[l].val();
            self.near.next = self.near.val().replace_bit(l, self.here.val() && self.distance[l].val() < bits::<LANE_BITS>(4));
        }
        for l in DATA_BYTES - 3..DATA_BYTES {
            if !self.place.val().get_bit(LANE_BITS - 1) {
                self.near.next = self.near.val().replace_bit(l, self.spilled.val() && self.distance[l].val() < bits::<LANE_BITS>(4));
            }
        }
        for w in 0..CRC_WORDS {
            self.added[w].next = bits::<32>(0);
            if self.near.val().get_bit(4 * w) {
                self.added[w].next = self.patch.val() & 0x0000_00ff;
            }
            if self.near.val().get_bit(4 * w + 1) {
                self.added[w].next = self.added[w].val() | (self.patch.val() & 0x0000_ff00);
            }
            if self.near.val().get_bit(4 * w + 2) {
                self.added[w].next = self.added[w].val() | (self.patch.val() & 0x00ff_0000);
            }
            if self.near.val().get_bit(4 * w + 3) {
                self.added[w].next = self.added[w].val() | (self.patch.val() & 0xff00_0000);
            }
        }
        self.joined[0].next = bit_cast::<DATA_WIDTH, 32>(self.added[0].val());
        for w in 1..CRC_WORDS {
            self.joined[w].next = self.joined[w - 1].val() | (bit_cast::<DATA_WIDTH, 32>(self.added[w].val()) << self.shift[w].val());
        }

        self.goes.next = !self.q_valid.q.val() || self.out.ready.val();
        self.moves.next = self.goes.val() && self.beats.out_valid.val() && self.patches.out_valid.val();
        self.beats.out_ready.next = self.goes.val() && self.patches.out_valid.val();
        self.patches.out_ready.next = self.goes.val() && self.beats.out_valid.val();
        if self.goes.val() {
            self.q_valid.d.next = self.moves.val();
        }
        if self.moves.val() {
            self.q_data.d.next = self.beats.out_data.val().get_bits::<DATA_WIDTH>(0) ^ self.joined[CRC_WORDS - 1].val();
            self.q_keep.d.next = self.beats.out_data.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
            self.q_last.d.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES);
        }
        self.out.valid.next = self.q_valid.q.val();
        self.out.data.next = self.q_data.q.val();
        self.out.keep.next = self.q_keep.q.val();
        self.out.last.next = self.q_last.q.val();
    }
}
