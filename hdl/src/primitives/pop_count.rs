use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Number of set bits: a tree of adders over `WIDTH` bits, `WIDTH` at least 2; `COUNT_BITS` bits hold the count, `2^COUNT_BITS > WIDTH`.
///
/// Combinational. `TREE_NODES` is `2 * WIDTH`.
/// Latency: 0 clocks. Depth grows with log2(`WIDTH`).
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct PopCount<const WIDTH: usize, const COUNT_BITS: usize, const TREE_NODES: usize> {
    /// bits
    pub bits_in: Signal<In, Bits<WIDTH>>,
    /// how many are set
    pub count: Signal<Out, Bits<COUNT_BITS>>,
    // Node i adds nodes 2i and 2i + 1; the bits are nodes `WIDTH` to `2 * WIDTH - 1`.
    node: [Signal<Local, Bits<COUNT_BITS>>; TREE_NODES],
}

impl<const WIDTH: usize, const COUNT_BITS: usize, const TREE_NODES: usize> Default for PopCount<WIDTH, COUNT_BITS, TREE_NODES> {
    fn default() -> Self {
        assert!(WIDTH >= 2 && TREE_NODES == 2 * WIDTH, "PopCount: TREE_NODES = {TREE_NODES} with WIDTH = {WIDTH}, must be {}", 2 * WIDTH);
        assert!((1usize << COUNT_BITS) > WIDTH, "PopCount: COUNT_BITS = {COUNT_BITS} bits do not hold {WIDTH}");
        Self { bits_in: Default::default(), count: Default::default(), node: std::array::from_fn(|_| Default::default()) }
    }
}

impl<const WIDTH: usize, const COUNT_BITS: usize, const TREE_NODES: usize> Logic for PopCount<WIDTH, COUNT_BITS, TREE_NODES> {
    #[kernel]
    fn update(&mut self) {
        self.node[0].next = bits::<COUNT_BITS>(0);
        for i in 0..WIDTH {
            self.node[WIDTH + i].next = bits::<COUNT_BITS>(0);
            if self.bits_in.val().get_bit(i) {
                self.node[WIDTH + i].next = bits::<COUNT_BITS>(1);
            }
        }
        for i in 1..WIDTH {
            self.node[WIDTH - i].next = self.node[WIDTH - i + WIDTH - i].val() + self.node[WIDTH - i + WIDTH - i + 1].val();
        }
        self.count.next = self.node[1].val();
    }
}
