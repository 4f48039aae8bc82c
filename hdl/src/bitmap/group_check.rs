use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Whether all packets of a group have arrived: `G` successive ones, 2, 4 or 8, whose places in their segment begin at a multiple of `G`.
///
/// A bit stands for a packet that has arrived when it has the value `lap`, see `HeadRun`.
/// Latency: 0 clocks. `SB` is the width of a position, `2^SB` = `S`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct GroupCheck<const S: usize, const SB: usize> {
    /// a segment's bits
    pub word: Signal<In, Bits<S>>,
    /// value of a bit whose packet has arrived
    pub lap: Signal<In, Bit>,
    /// place of a packet of the group
    pub position: Signal<In, Bits<SB>>,
    /// all have arrived
    pub complete: Signal<Out, Bit>,
    arrived: Signal<Local, Bits<S>>,
    // From each place on, as many as are in a group.
    full: Signal<Local, Bits<S>>,
    first: Signal<Local, Bits<SB>>,
    hot: Signal<Local, Bits<S>>,
    #[variant]
    _shift: usize,
    _fours: usize,
    _eights: usize,
}

impl<const S: usize, const SB: usize> GroupCheck<S, SB> {
    /// For groups of so many packets.
    pub fn with_granularity(granularity: usize) -> Self {
        Self {
            _shift: granularity.trailing_zeros() as usize,
            _fours: usize::from(granularity > 2),
            _eights: usize::from(granularity > 4),
            ..Self::default()
        }
    }
}

impl<const S: usize, const SB: usize> Logic for GroupCheck<S, SB> {
    #[kernel]
    fn update(&mut self) {
        self.arrived.next = !self.word.val();
        if self.lap.val() {
            self.arrived.next = self.word.val();
        }
        self.full.next = self.arrived.val() & (self.arrived.val() >> 1);
        for _w in 0..self._fours {
            self.full.next = self.full.val() & (self.full.val() >> 2);
        }
        for _w in 0..self._eights {
            self.full.next = self.full.val() & (self.full.val() >> 4);
        }
        self.first.next = self.position.val();
        for b in 0..self._shift {
            self.first.next = self.first.val().replace_bit(b, false);
        }
        self.hot.next = bits::<S>(0);
        for i in 0..S {
            if self.first.val() == i.to_bits::<SB>() {
                self.hot.next = self.hot.val().replace_bit(i, true);
            }
        }
        self.complete.next = (self.full.val() & self.hot.val()).any();
    }
}
