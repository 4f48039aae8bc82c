use super::crc_advance::advanced;
use super::{CrcAdvance, IcrcFields, IcrcWindow};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The CRC of each frame up to the end of its IP packet, and what else there is to know of its ICRC.
///
/// Bytes that the ICRC does not cover are zero here. A CRC is linear: what the masked fields and the beginning add to it depends on the
/// form of the headers alone, is a constant for each form, and comes in with the first beat. So no form has a path of its own, and a last
/// beat is a whole one with zeros behind the end. `out_state` is the register four bytes before its usual place: with a good ICRC and the
/// end in the last lane it is all ones, with the end `z` lanes before that it is what all ones become after `z` bytes of zero.
///
/// ```text
/// frame ─▶ window ─▶ fields ─▶ words, cleared ─▶ pairs ─▶ pairs of pairs ─▶ ... ─▶ register
/// ```
///
/// Latency: `5 + CRC_LEVELS` clocks, below 256 bits `ICRC_WINDOW_BEATS - 1` more, if beats come one per clock; see `IcrcWindow`.
/// Throughput: one beat per clock; it never stalls. Reset: the next beat begins a frame. Spec: wire format, "ICRC"; ready for a wire,
/// "ICRC".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct IcrcSyndrome {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count; read with the last beat alone
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// a beat has been taken in
    pub out_valid: Signal<Out, Bit>,
    /// the register
    pub out_state: Signal<Out, Bits<32>>,
    /// first beat of its frame
    pub out_first: Signal<Out, Bit>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// the IP packet ends in this beat
    pub out_ends: Signal<Out, Bit>,
    /// the lane of its last byte
    pub out_end: Signal<Out, Bits<LANE_BITS>>,
    /// it ends there, but the frame does before it
    pub out_short: Signal<Out, Bit>,
    /// the IP packet has room for UDP, BTH and ICRC
    pub out_room: Signal<Out, Bit>,
    /// RoCEv2, as far as the beats up to this one tell
    pub out_roce: Signal<Out, Bit>,

    window: IcrcWindow,
    fields: IcrcFields,
    // Leaves are the words of a beat, from `CRC_WORDS - 1` on; a node is the sum of its two.
    node: [Reg<Bits<32>>; CRC_NODES],
    step: [CrcAdvance; CRC_WORDS - 1],
    kept: [Signal<Local, Bits<32>>; CRC_WORDS],
    valid: [State<Bit>; CRC_LEVELS + 1],
    beat: [Reg<Bits<ICRC_BEAT_BITS>>; CRC_LEVELS + 1],
    start: Signal<Local, Bits<32>>,
    started: Reg<Bits<32>>,
    register: CrcAdvance,
    state: Reg<Bits<32>>,
    state_valid: State<Bit>,
    state_beat: Reg<Bits<ICRC_BEAT_BITS>>,
    // What the first beat adds, for the tag and the version and for the words before UDP.
    fixed: [Constant<Bits<32>>; 4],
    moving: [Constant<Bits<32>>; 12],
    count: [Constant<Bits<5>>; 12],
}

/// What `value`, read as four bytes from byte `place` of the frame on, adds to the register with the first beat, wherever it lies.
fn added(value: u32, place: usize) -> u32 {
    advanced(value, DATA_BYTES as isize - 4 - place as isize)
}

/// The same of bytes of ones.
fn ones(places: impl Iterator<Item = usize>) -> u32 {
    places.fold(0, |sum, place| sum ^ added(0xff, place))
}

impl Default for IcrcSyndrome {
    fn default() -> Self {
        // In the order of the tag, then the version. The register begins with ones, and eight bytes of ones stand before the IP header.
        let fixed = |kind: usize| {
            let ip = 14 + 4 * (kind & 1);
            let begin = added((0..2).fold(u32::MAX, |state, _| advanced(!state, 4)), ip);
            let masked = if kind < 2 {
                ones([1, 8, 10, 11].into_iter().map(|byte| ip + byte))
            } else {
                added(0x6f, ip) ^ ones([1, 2, 3, 7].into_iter().map(|byte| ip + byte))
            };
            Constant::new(bits::<32>(u64::from(begin ^ masked)))
        };
        let moving = |words: usize| Constant::new(bits::<32>(u64::from(ones([6, 7, 12].into_iter().map(|byte| 14 + 4 * words + byte)))));
        // Node 0 is the root; each level has half the bytes of the one above behind its left part.
        let step = |node: usize| CrcAdvance::by((DATA_BYTES >> ((node + 1).ilog2() + 1)) as isize);
        Self {
            step: std::array::from_fn(step),
            register: CrcAdvance::by(DATA_BYTES as isize),
            fixed: std::array::from_fn(fixed),
            moving: std::array::from_fn(|at| moving(at + 5)),
            count: std::array::from_fn(|at| Constant::new(bits::<5>(at as u64 + 5))),
            ..Self::blank()
        }
    }
}

impl Logic for IcrcSyndrome {
    #[kernel]
    fn update(&mut self) {
        self.window.in_valid.next = self.in_valid.val();
        self.window.in_data.next = self.in_data.val();
        self.window.in_keep.next = self.in_keep.val();
        self.window.in_last.next = self.in_last.val();
        self.fields.in_valid.next = self.window.out_valid.val();
        self.fields.in_data.next = self.window.out_data.val();
        self.fields.in_keep.next = self.window.out_keep.val();
        self.fields.in_first.next = self.window.out_first.val();
        self.fields.in_last.next = self.window.out_last.val();
        self.fields.in_head.next = self.window.out_head.val();

        // Words without what is not covered; from each pair of neighbours one, the left one moved by the bytes of the right one.
        for w in 0..CRC_WORDS {
            self.kept[w].next = self.fields.out_data.val().get_bits::<32>(32 * w);
            if self.fields.out_zero.val().get_bit(4 * w) {
                self.kept[w].next = self.kept[w].val() & 0xffff_ff00;
            }
            if self.fields.out_zero.val().get_bit(4 * w + 1) {
                self.kept[w].next = self.kept[w].val() & 0xffff_00ff;
            }
            if self.fields.out_zero.val().get_bit(4 * w + 2) {
                self.kept[w].next = self.kept[w].val() & 0xff00_ffff;
            }
            if self.fields.out_zero.val().get_bit(4 * w + 3) {
                self.kept[w].next = self.kept[w].val() & 0x00ff_ffff;
            }
            self.node[CRC_WORDS - 1 + w].d.next = self.kept[w].val();
        }
        for n in 0..CRC_WORDS - 1 {
            self.step[n].state.next = self.node[2 * n + 1].q.val();
            self.node[n].d.next = self.step[n].moved.val() ^ self.node[2 * n + 2].q.val();
        }

        // What is known of a beat goes beside it.
        self.valid[0].d.next = self.fields.out_valid.val();
        self.beat[0].d.next = bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_first.val().into())
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_last.val().into()) << 1)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_ends.val().into()) << 2)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_short.val().into()) << 3)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_room.val().into()) << 4)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_roce.val().into()) << 5)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_tagged.val().into()) << 6)
            | (bit_cast::<ICRC_BEAT_BITS, 1>(self.fields.out_six.val().into()) << 7)
            | (bit_cast::<ICRC_BEAT_BITS, 5>(self.fields.out_words.val()) << 8)
            | (bit_cast::<ICRC_BEAT_BITS, LANE_BITS>(self.fields.out_end.val()) << 13);
        for k in 0..CRC_LEVELS {
            self.valid[k + 1].d.next = self.valid[k].q.val();
            self.beat[k + 1].d.next = self.beat[k].q.val();
        }

        self.start.next = self.fixed[0].val();
        if self.beat[CRC_LEVELS - 1].q.val().get_bits::<2>(6) == bits::<2>(1) {
            self.start.next = self.fixed[1].val();
        }
        if self.beat[CRC_LEVELS - 1].q.val().get_bits::<2>(6) == bits::<2>(2) {
            self.start.next = self.fixed[2].val();
        }
        if self.beat[CRC_LEVELS - 1].q.val().get_bits::<2>(6) == bits::<2>(3) {
            self.start.next = self.fixed[3].val();
        }
        for k in 0..12 {
            if self.beat[CRC_LEVELS - 1].q.val().get_bits::<5>(8) == self.count[k].val() {
                self.start.next = self.start.val() ^ self.moving[k].val();
            }
        }
        self.started.d.next = self.start.val();

        self.register.state.next = self.state.q.val();
        self.state_valid.d.next = self.valid[CRC_LEVELS].q.val();
        if self.valid[CRC_LEVELS].q.val() {
            self.state_beat.d.next = self.beat[CRC_LEVELS].q.val();
            self.state.d.next = self.node[0].q.val() ^ self.register.moved.val();
            if self.beat[CRC_LEVELS].q.val().get_bit(0) {
                self.state.d.next = self.node[0].q.val() ^ self.started.q.val();
            }
        }
        self.out_valid.next = self.state_valid.q.val();
        self.out_state.next = self.state.q.val();
        self.out_first.next = self.state_beat.q.val().get_bit(0);
        self.out_last.next = self.state_beat.q.val().get_bit(1);
        self.out_ends.next = self.state_beat.q.val().get_bit(2);
        self.out_short.next = self.state_beat.q.val().get_bit(3);
        self.out_room.next = self.state_beat.q.val().get_bit(4);
        self.out_roce.next = self.state_beat.q.val().get_bit(5);
        self.out_end.next = self.state_beat.q.val().get_bits::<LANE_BITS>(13);
    }
}
