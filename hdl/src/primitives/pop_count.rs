use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Number of set bits: a tree of adders over `N` bits, `N` at least 2; `C` bits hold the count, `2^C > N`.
///
/// Combinational. `NODES` is `2 * N`.
/// Latency: 0 clocks. Depth grows with log2(N).
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct PopCount<const N: usize, const C: usize, const NODES: usize> {
    /// bits
    pub bits_in: Signal<In, Bits<N>>,
    /// how many are set
    pub count: Signal<Out, Bits<C>>,
    // Node i adds nodes 2i and 2i + 1; the bits are nodes N to 2N - 1.
    node: [Signal<Local, Bits<C>>; NODES],
}

impl<const N: usize, const C: usize, const NODES: usize> Default for PopCount<N, C, NODES> {
    fn default() -> Self {
        assert!(N >= 2 && NODES == 2 * N, "PopCount: NODES = {NODES} with N = {N}, must be {}", 2 * N);
        assert!((1usize << C) > N, "PopCount: C = {C} bits do not hold {N}");
        Self { bits_in: Default::default(), count: Default::default(), node: std::array::from_fn(|_| Default::default()) }
    }
}

impl<const N: usize, const C: usize, const NODES: usize> Logic for PopCount<N, C, NODES> {
    #[kernel]
    fn update(&mut self) {
        self.node[0].next = bits::<C>(0);
        for i in 0..N {
            self.node[N + i].next = bits::<C>(0);
            if self.bits_in.val().get_bit(i) {
                self.node[N + i].next = bits::<C>(1);
            }
        }
        for i in 1..N {
            self.node[N - i].next = self.node[N - i + N - i].val() + self.node[N - i + N - i + 1].val();
        }
        self.count.next = self.node[1].val();
    }
}
