use crate::primitives::{QueueRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Whole frames in block RAM: the first beat of a frame leaves when the last one has come, and no beat of a frame that has no room.
///
/// What is made of it: in front of a MAC, a frame that has begun has all its beats at hand, so that it never pauses; behind a MAC that
/// knows no `ready`, a frame that finds the store full is lost as a whole and counted, never cut. A beat is a word; what is in it is up to
/// the owner.
///
/// * `in_waits` low: `in_ready` is always high. A beat that finds no room makes the frame a lost one.
/// * `in_waits` high: a beat waits for room as long as whole frames are inside, which will leave. Where there is none the frame is longer
///   than the store, and is lost.
/// * `in_drop` with the last beat throws the frame away; `cut` throws away what has come of a frame whose rest will not come, and the
///   beat of that clock.
///
/// Latency: 3 clocks from the last beat of a frame to its first one at the output. Throughput: one beat per clock, frames back to back.
/// Reset: empty. All `2^MAC_STORE_BITS` words can be used, and one more waits at the output. Spec: ready for a wire, "On the board".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FrameStore {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat waits for room that whole frames will give
    pub in_waits: Signal<In, Bit>,
    /// a beat of a frame
    pub in_valid: Signal<In, Bit>,
    /// a beat transfers in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the beat
    pub in_word: Signal<In, Bits<MAC_BEAT_BITS>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// with the last beat: the frame is thrown away
    pub in_drop: Signal<In, Bit>,
    /// the frame that has begun ends here, and is thrown away
    pub cut: Signal<In, Bit>,
    /// a beat of a frame that is whole
    pub out_valid: Signal<Out, Bit>,
    /// a beat transfers in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the beat
    pub out_word: Signal<Out, Bits<MAC_BEAT_BITS>>,
    /// in the clock after its last beat: a frame was lost for want of room
    pub evt_lost: Signal<Out, Bit>,
    memory: QueueRam<MAC_BEAT_BITS, MAC_STORE_BITS>,
    // The word to write, and the first one of a frame that is not whole yet: what is before it may leave.
    write: State<Bits<MAC_STORE_COUNT_BITS>>,
    whole: State<Bits<MAC_STORE_COUNT_BITS>>,
    // A beat of this frame found no room.
    lost: State<Bit>,
    was_lost: State<Bit>,
    // The word that the memory shows; `shown` says that it is of a whole frame.
    read: State<Bits<MAC_STORE_COUNT_BITS>>,
    shown: State<Bit>,
    oldest: Reg<Bits<MAC_BEAT_BITS>>,
    oldest_valid: State<Bit>,
    full: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    next_write: Signal<Local, Bits<MAC_STORE_COUNT_BITS>>,
    room: Signal<Local, Bit>,
    advance: Signal<Local, Bit>,
    next_read: Signal<Local, Bits<MAC_STORE_COUNT_BITS>>,
}

impl FrameStore {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FrameStore {
    #[kernel]
    fn update(&mut self) {
        self.full.next = (self.write.q.val() ^ self.read.q.val()) == bits::<MAC_STORE_COUNT_BITS>(1 << MAC_STORE_BITS);
        self.ready.next = !self.full.val() || !self.in_waits.val() || self.whole.q.val() == self.read.q.val();
        self.in_ready.next = self.ready.val();
        self.takes.next = self.in_valid.val() && self.ready.val();
        self.fails.next = self.full.val() || self.lost.q.val();
        self.next_write.next = self.write.q.val() + 1;
        self.memory.write_enable.next = self.takes.val() && !self.fails.val();
        self.memory.write_address.next = self.write.q.val().get_bits::<MAC_STORE_BITS>(0);
        self.memory.write_data.next = self.in_word.val();
        self.was_lost.d.next = false;
        if self.takes.val() {
            if !self.in_last.val() {
                self.lost.d.next = self.fails.val();
                if !self.fails.val() {
                    self.write.d.next = self.next_write.val();
                }
            } else {
                self.lost.d.next = false;
                if self.fails.val() || self.in_drop.val() {
                    self.write.d.next = self.whole.q.val();
                    self.was_lost.d.next = !self.in_drop.val();
                } else {
                    self.write.d.next = self.next_write.val();
                    self.whole.d.next = self.next_write.val();
                }
            }
        }
        if self.cut.val() {
            self.lost.d.next = false;
            self.was_lost.d.next = false;
            self.write.d.next = self.whole.q.val();
            self.whole.d.next = self.whole.q.val();
        }
        self.evt_lost.next = self.was_lost.q.val();

        self.room.next = self.out_ready.val() || !self.oldest_valid.q.val();
        self.advance.next = self.shown.q.val() && self.room.val();
        self.next_read.next = self.read.q.val() + bit_cast::<MAC_STORE_COUNT_BITS, 1>(self.advance.val().into());
        self.read.d.next = self.next_read.val();
        self.memory.read_address.next = self.next_read.val().get_bits::<MAC_STORE_BITS>(0);
        // `whole` counts a word a clock after it was written: the read finds it.
        self.shown.d.next = self.next_read.val() != self.whole.q.val();
        if self.room.val() {
            self.oldest.d.next = self.memory.read_data.val();
            self.oldest_valid.d.next = self.shown.q.val();
        }
        self.out_valid.next = self.oldest_valid.q.val();
        self.out_word.next = self.oldest.q.val();
    }
}
