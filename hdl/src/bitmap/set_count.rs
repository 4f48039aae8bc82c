use crate::primitives::{PopCount, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Number of set bits of a segment, in two steps: of each eight, then of all.
///
/// `SEGMENT` is 16, 32 or 64. `PopCount` does it at once.
/// Latency: 2 clocks. Throughput: one per clock.
#[derive(Described, LogicBlock)]
pub struct SetCount {
    /// clock
    pub clk: Signal<In, Clock>,
    /// bits
    pub bits_in: Signal<In, Bits<SEGMENT>>,
    /// how many are set, 2 clocks later
    pub count: Signal<Out, Bits<8>>,
    eights: Vec<PopCount<8, 8, 16>>,
    eight1: Vec<Reg<Bits<8>>>,
    // Node i adds nodes 2i and 2i + 1; the eights are the last ones.
    node: Vec<Signal<Local, Bits<8>>>,
    total2: Reg<Bits<8>>,
    _eights: usize,
    _eights_end: usize,
}

impl Default for SetCount {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            bits_in: Default::default(),
            count: Default::default(),
            eights: (0..SEGMENT / 8).map(|_| Default::default()).collect(),
            eight1: (0..SEGMENT / 8).map(|_| Default::default()).collect(),
            node: (0..SEGMENT / 4).map(|_| Default::default()).collect(),
            total2: Default::default(),
            _eights: SEGMENT / 8,
            _eights_end: SEGMENT / 8 + 1,
        }
    }
}

impl Logic for SetCount {
    #[kernel]
    fn update(&mut self) {
        self.node[0].next = bits::<8>(0);
        // A loop of one pass: the only way for a kernel to have a derived number in an index.
        for many in self._eights..self._eights_end {
            for i in 0..self._eights {
                self.eights[i].bits_in.next = self.bits_in.val().get_bits::<8>(8 * i);
                self.eight1[i].d.next = self.eights[i].count.val();
                self.node[many + i].next = self.eight1[i].q.val();
            }
            for i in 1..self._eights {
                self.node[many - i].next = self.node[many - i + many - i].val() + self.node[many - i + many - i + 1].val();
            }
        }
        self.total2.d.next = self.node[1].val();
        self.count.next = self.total2.q.val();
    }
}
