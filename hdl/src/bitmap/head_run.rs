use crate::primitives::{FindFirst, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First packet of a segment, from a position on, that has not arrived.
///
/// A bit stands for a packet that has arrived when it has the value `lap`: the window's slots change their meaning with each round, so that
/// nothing has to be cleared. Bits below `offset` belong to the next round and are passed over.
/// Latency: 2 clocks. Throughput: one per clock. `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HeadRun<const SEGMENT: usize, const SEGMENT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// the segment's bits
    pub word: Signal<In, Bits<SEGMENT>>,
    /// value of a bit whose packet has arrived
    pub lap: Signal<In, Bit>,
    /// first position that counts
    pub offset: Signal<In, Bits<SEGMENT_BITS>>,
    /// bits below `offset`, same clock
    pub below: Signal<Out, Bits<SEGMENT>>,
    /// one has not arrived, 2 clocks later
    pub missing: Signal<Out, Bit>,
    /// its position
    pub position: Signal<Out, Bits<SEGMENT_BITS>>,
    clear: Signal<Local, Bits<SEGMENT>>,
    lower: Signal<Local, Bits<SEGMENT>>,
    open: Reg<Bits<SEGMENT>>,
    find: FindFirst<SEGMENT, SEGMENT_BITS>,
    missing2: Reg<Bit>,
    position2: Reg<Bits<SEGMENT_BITS>>,
}

impl<const SEGMENT: usize, const SEGMENT_BITS: usize> Logic for HeadRun<SEGMENT, SEGMENT_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.clear.next = self.word.val();
        if self.lap.val() {
            self.clear.next = !self.word.val();
        }
        self.lower.next = bits::<SEGMENT>(0);
        for i in 0..SEGMENT {
            if self.offset.val() > i.to_bits::<SEGMENT_BITS>() {
                self.lower.next = self.lower.val().replace_bit(i, true);
            }
        }
        self.below.next = self.lower.val();
        self.open.d.next = self.clear.val() & !self.lower.val();
        self.find.request.next = self.open.q.val();
        self.missing2.d.next = self.find.any.val();
        self.position2.d.next = self.find.index.val();
        self.missing.next = self.missing2.q.val();
        self.position.next = self.position2.q.val();
    }
}
