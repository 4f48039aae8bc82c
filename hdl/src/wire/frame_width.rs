use crate::bus::{Frames, FramesSink};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Frames with beats of another width: narrower ones, wider ones, or the same.
///
/// A frame begins at the start of a beat and ends with its own last beat on both sides, so nothing of two frames shares a beat. `in_keep`
/// is read with the last beat alone, and contiguous from bit 0 there; `out_keep` is right with every beat. `in_mark` of the last beat goes
/// along with it.
/// Latency: 1 clock from the beat with which the output beat is complete. Throughput: one beat per clock of the narrower side; `in_ready`
/// depends on registers and `out_ready`. Reset: empty; the next beat begins a frame. Spec: ready for a wire, "On the board".
///
/// Parameters: `FROM` and `TO` bits of a beat, one of them a multiple of the other by at most 32, `FROM_BYTES` and `TO_BYTES` bytes. Each
/// of the `MAC_WIDE` bits of the wider one is a flip-flop, and a LUT where the widths differ.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct FrameWidth<const FROM: usize, const FROM_BYTES: usize, const TO: usize, const TO_BYTES: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    #[port = "in"]
    pub frames: FramesSink<FROM, FROM_BYTES>,
    /// with the last beat: goes along with the frame
    pub in_mark: Signal<In, Bit>,
    pub out: Frames<TO, TO_BYTES>,
    /// with the last beat: `in_mark` of the frame
    pub out_mark: Signal<Out, Bit>,
    // A beat of the wider side, from its low end; `full` says that it is complete.
    data: Reg<Bits<MAC_WIDE>>,
    keep: Reg<Bits<MAC_WIDE_BYTES>>,
    last: Reg<Bit>,
    mark: Reg<Bit>,
    full: State<Bit>,
    // Narrow beats in it.
    place: State<Bits<5>>,
    more: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    kept: Signal<Local, Bits<FROM_BYTES>>,
    before: Signal<Local, Bits<MAC_WIDE>>,
    before_keep: Signal<Local, Bits<MAC_WIDE_BYTES>>,
    joined: Signal<Local, Bits<MAC_WIDE>>,
    joined_keep: Signal<Local, Bits<MAC_WIDE_BYTES>>,
    completes: Signal<Local, Bit>,
    lane: Vec<Constant<Bits<5>>>,
    bit_place: Vec<Constant<Bits<12>>>,
    byte_place: Vec<Constant<Bits<12>>>,
    _lanes: usize,
    // Behind the bytes of an output beat there are others: bits of `keep` that say so, one or none.
    _more_end: usize,
}

impl<const FROM: usize, const FROM_BYTES: usize, const TO: usize, const TO_BYTES: usize> Default
    for FrameWidth<FROM, FROM_BYTES, TO, TO_BYTES>
{
    fn default() -> Self {
        let (wide, narrow) = (FROM.max(TO), FROM.min(TO));
        assert!(
            narrow >= 16 && narrow % 8 == 0 && wide % narrow == 0 && wide / narrow <= 32,
            "FrameWidth: FROM = {FROM}, TO = {TO}: whole bytes, and one a multiple of the other by at most 32"
        );
        assert!(
            (MAC_WIDE, FROM_BYTES, TO_BYTES, MAC_WIDE_BYTES) == (wide, FROM / 8, TO / 8, wide / 8),
            "FrameWidth: MAC_WIDE = {MAC_WIDE} must be {wide}, FROM_BYTES, TO_BYTES and MAC_WIDE_BYTES an eighth of FROM, TO and MAC_WIDE"
        );
        let lanes = MAC_WIDE / FROM;
        let place = |unit: usize| (0..lanes).map(|lane| Constant::new(bits::<12>((lane * unit) as u64))).collect();
        Self {
            lane: (0..lanes).map(|lane| Constant::new(bits::<5>(lane as u64))).collect(),
            bit_place: place(FROM),
            byte_place: place(FROM_BYTES),
            _lanes: lanes,
            _more_end: if MAC_WIDE > TO { TO_BYTES + 1 } else { TO_BYTES },
            ..Self::blank()
        }
    }
}

impl<const FROM: usize, const FROM_BYTES: usize, const TO: usize, const TO_BYTES: usize> Logic
    for FrameWidth<FROM, FROM_BYTES, TO, TO_BYTES>
{
    #[kernel]
    fn update(&mut self) {
        self.more.next = false;
        // A loop of one pass where beats become narrower, of none elsewhere.
        for first in TO_BYTES..self._more_end {
            self.more.next = self.keep.q.val().get_bit(first);
        }
        self.leaves.next = self.full.q.val() && self.out.ready.val();
        self.room.next = !self.full.q.val() || (self.out.ready.val() && !self.more.val());
        self.takes.next = self.frames.valid.val() && self.room.val();
        self.frames.ready.next = self.room.val();
        self.out.valid.next = self.full.q.val();
        self.out.data.next = self.data.q.val().get_bits::<TO>(0);
        self.out.keep.next = self.keep.q.val().get_bits::<TO_BYTES>(0);
        self.out.last.next = self.last.q.val() && !self.more.val();
        self.out_mark.next = self.mark.q.val();

        self.kept.next = !bits::<FROM_BYTES>(0);
        if self.frames.last.val() {
            self.kept.next = self.frames.keep.val();
        }
        self.before.next = self.data.q.val();
        self.before_keep.next = self.keep.q.val();
        if !self.place.q.val().any() {
            self.before.next = bits::<MAC_WIDE>(0);
            self.before_keep.next = bits::<MAC_WIDE_BYTES>(0);
        }
        self.joined.next = self.before.val();
        self.joined_keep.next = self.before_keep.val();
        self.completes.next = self.frames.last.val();
        for i in 0..self._lanes {
            if self.place.q.val() == self.lane[i].val() {
                self.joined.next = self.before.val() | (bit_cast::<MAC_WIDE, FROM>(self.frames.data.val()) << self.bit_place[i].val());
                self.joined_keep.next =
                    self.before_keep.val() | (bit_cast::<MAC_WIDE_BYTES, FROM_BYTES>(self.kept.val()) << self.byte_place[i].val());
            }
        }
        for i in 0..self._lanes {
            self.completes.next = self.frames.last.val() || self.place.q.val() == self.lane[i].val();
        }

        if self.leaves.val() {
            self.full.d.next = self.more.val();
            for _rest in TO_BYTES..self._more_end {
                self.data.d.next = self.data.q.val() >> TO.to_bits::<12>();
                self.keep.d.next = self.keep.q.val() >> TO_BYTES.to_bits::<12>();
            }
        }
        if self.takes.val() {
            self.data.d.next = self.joined.val();
            self.keep.d.next = self.joined_keep.val();
            self.last.d.next = self.frames.last.val();
            self.mark.d.next = self.in_mark.val();
            self.full.d.next = self.completes.val();
            self.place.d.next = self.place.q.val() + 1;
            if self.completes.val() {
                self.place.d.next = bits::<5>(0);
            }
        }
    }
}
