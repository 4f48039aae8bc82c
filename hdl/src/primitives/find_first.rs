use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Lowest set bit of `N` bits, combinational, in a binary tree. `A` is the width of its number: the least with `2^A >= N`.
///
/// `N` is any number from 2. For the highest set bit take `PriorityEncoder`, for the bit itself instead of its number `OneHotFirst`,
/// for a fair choice `RoundRobinArbiter`.
/// Latency: 0 clocks, about `A` levels of logic.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct FindFirst<const N: usize, const A: usize> {
    /// where to look
    pub request: Signal<In, Bits<N>>,
    /// some bit is set
    pub any: Signal<Out, Bit>,
    /// number of the lowest set bit; without `any` it means nothing
    pub index: Signal<Out, Bits<A>>,
    // The tree: leaves at 0..2^A, then the pair (2k, 2k + 1) meets in 2^A + k, the last one is the root.
    found: Vec<Signal<Local, Bit>>,
    number: Vec<Signal<Local, Bits<A>>>,
    _leaves: usize,
    _leaves_end: usize,
    _inner: usize,
}

impl<const N: usize, const A: usize> Default for FindFirst<N, A> {
    fn default() -> Self {
        assert!(N >= 2, "FindFirst: N = {N}, must be 2 or more");
        let a = N.next_power_of_two().trailing_zeros();
        assert!(A == a as usize, "FindFirst: A = {A} with N = {N}, must be {a}: the bits that number {N} positions");
        let leaves = 1 << A;
        Self {
            request: Default::default(),
            any: Default::default(),
            index: Default::default(),
            found: (1..2 * leaves).map(|_| Default::default()).collect(),
            number: (1..2 * leaves).map(|_| Default::default()).collect(),
            _leaves: leaves,
            _leaves_end: leaves + 1,
            _inner: leaves - 1,
        }
    }
}

impl<const N: usize, const A: usize> Logic for FindFirst<N, A> {
    #[kernel]
    fn update(&mut self) {
        for i in 0..N {
            self.found[i].next = self.request.val().get_bit(i);
            self.number[i].next = i.to_bits();
        }
        for i in N..self._leaves {
            self.found[i].next = false;
            self.number[i].next = i.to_bits();
        }
        // A loop of one pass: the only way for a kernel to have a derived number in an index.
        for leaves in self._leaves..self._leaves_end {
            for k in 0..self._inner {
                self.found[leaves + k].next = self.found[2 * k].val() || self.found[2 * k + 1].val();
                self.number[leaves + k].next = self.number[2 * k + 1].val();
                if self.found[2 * k].val() {
                    self.number[leaves + k].next = self.number[2 * k].val();
                }
            }
            for root in self._inner..self._leaves {
                self.any.next = self.found[leaves + root - 1].val();
                self.index.next = self.number[leaves + root - 1].val();
            }
        }
    }
}
