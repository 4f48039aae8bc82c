use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Whether all packets of a group have arrived: `G` successive ones, 2, 4 or 8, whose places in their segment begin at a multiple of `G`.
///
/// A bit stands for a packet that has arrived when it has the value `lap`, see `HeadRun`.
/// Latency: 0 clocks. `SEGMENT_BITS` is the width of a position, `2^SEGMENT_BITS` = `SEGMENT`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct GroupCheck<const SEGMENT: usize, const SEGMENT_BITS: usize> {
    /// a segment's bits
    pub word: Signal<In, Bits<SEGMENT>>,
    /// value of a bit whose packet has arrived
    pub lap: Signal<In, Bit>,
    /// place of a packet of the group
    pub position: Signal<In, Bits<SEGMENT_BITS>>,
    /// all have arrived
    pub complete: Signal<Out, Bit>,
    arrived: Signal<Local, Bits<SEGMENT>>,
    // From each place on, as many as are in a group.
    full: Signal<Local, Bits<SEGMENT>>,
    first: Signal<Local, Bits<SEGMENT_BITS>>,
    hot: Signal<Local, Bits<SEGMENT>>,
    #[variant]
    _shift: usize,
    _fours: usize,
    _eights: usize,
}

impl<const SEGMENT: usize, const SEGMENT_BITS: usize> GroupCheck<SEGMENT, SEGMENT_BITS> {
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

impl<const SEGMENT: usize, const SEGMENT_BITS: usize> Logic for GroupCheck<SEGMENT, SEGMENT_BITS> {
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
        self.hot.next = bits::<SEGMENT>(0);
        for i in 0..SEGMENT {
            if self.first.val() == i.to_bits::<SEGMENT_BITS>() {
                self.hot.next = self.hot.val().replace_bit(i, true);
            }
        }
        self.complete.next = (self.full.val() & self.hot.val()).any();
    }
}
