use crate::primitives::{FindFirst, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First packet of a segment, from a position on, that has not arrived.
///
/// A bit stands for a packet that has arrived when it has the value `lap`: the window's slots change their meaning with each round, so that nothing has
/// to be cleared. Bits below `offset` belong to the next round and are passed over.
/// Latency: 2 clocks. Throughput: one per clock. `SB` is the width of a position, `2^SB` = `S`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HeadRun<const S: usize, const SB: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// the segment's bits
    pub word: Signal<In, Bits<S>>,
    /// value of a bit whose packet has arrived
    pub lap: Signal<In, Bit>,
    /// first position that counts
    pub offset: Signal<In, Bits<SB>>,
    /// bits below `offset`, same clock
    pub below: Signal<Out, Bits<S>>,
    /// one has not arrived, 2 clocks later
    pub missing: Signal<Out, Bit>,
    /// its position
    pub position: Signal<Out, Bits<SB>>,
    clear: Signal<Local, Bits<S>>,
    lower: Signal<Local, Bits<S>>,
    open: Reg<Bits<S>>,
    find: FindFirst<S, SB>,
    missing2: Reg<Bit>,
    position2: Reg<Bits<SB>>,
}

impl<const S: usize, const SB: usize> Logic for HeadRun<S, SB> {
    #[kernel]
    fn update(&mut self) {
        self.clear.next = self.word.val();
        if self.lap.val() {
            self.clear.next = !self.word.val();
        }
        self.lower.next = bits::<S>(0);
        for i in 0..S {
            if self.offset.val() > i.to_bits::<SB>() {
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
