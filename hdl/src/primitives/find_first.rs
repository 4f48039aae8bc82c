use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// An encoder of a priority, in a binary tree: of each pair the place that is named first wins, 0 the lower one, 1 the higher one.
macro_rules! encoder {
    ($(#[$doc:meta])* $encoder:ident: $first:tt before $last:tt, $(#[$index:meta])* index) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Described, LogicBlock)]
        pub struct $encoder<const WIDTH: usize, const INDEX_BITS: usize> {
            /// where to look
            pub request: Signal<In, Bits<WIDTH>>,
            /// some bit is set
            pub any: Signal<Out, Bit>,
            $(#[$index])*
            pub index: Signal<Out, Bits<INDEX_BITS>>,
            // The tree: leaves at 0..2^INDEX_BITS, then the pair (2k, 2k + 1) meets in 2^INDEX_BITS + k, the last one is the root.
            found: Vec<Signal<Local, Bit>>,
            number: Vec<Signal<Local, Bits<INDEX_BITS>>>,
            _leaves: usize,
            _leaves_end: usize,
            _inner: usize,
        }

        impl<const WIDTH: usize, const INDEX_BITS: usize> Default for $encoder<WIDTH, INDEX_BITS> {
            fn default() -> Self {
                let name = stringify!($encoder);
                assert!(WIDTH >= 2, "{name}: WIDTH = {WIDTH}, must be 2 or more");
                let a = WIDTH.next_power_of_two().trailing_zeros();
                assert!(
                    INDEX_BITS == a as usize,
                    "{name}: INDEX_BITS = {INDEX_BITS} with WIDTH = {WIDTH}, must be {a}: the bits that number {WIDTH} positions"
                );
                let leaves = 1 << INDEX_BITS;
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

        impl<const WIDTH: usize, const INDEX_BITS: usize> Logic for $encoder<WIDTH, INDEX_BITS> {
            #[kernel]
            fn update(&mut self) {
                for i in 0..WIDTH {
                    self.found[i].next = self.request.val().get_bit(i);
                    self.number[i].next = i.to_bits();
                }
                for i in WIDTH..self._leaves {
                    self.found[i].next = false;
                    self.number[i].next = i.to_bits();
                }
                // A loop of one pass: the only way for a kernel to have a derived number in an index.
                for leaves in self._leaves..self._leaves_end {
                    for k in 0..self._inner {
                        self.found[leaves + k].next = self.found[2 * k].val() || self.found[2 * k + 1].val();
                        self.number[leaves + k].next = self.number[2 * k + $last].val();
                        if self.found[2 * k + $first].val() {
                            self.number[leaves + k].next = self.number[2 * k + $first].val();
                        }
                    }
                    for root in self._inner..self._leaves {
                        self.any.next = self.found[leaves + root - 1].val();
                        self.index.next = self.number[leaves + root - 1].val();
                    }
                }
            }
        }
    };
}
pub(crate) use encoder;

encoder! {
    /// Lowest set bit of `WIDTH` bits, combinational, in a binary tree. `INDEX_BITS` is the width of its number: the least with
    /// `2^INDEX_BITS >= WIDTH`.
    ///
    /// `WIDTH` is any number from 2. For the highest set bit take `PriorityEncoder`, for the bit itself instead of its number
    /// `OneHotFirst`, for a fair choice `RoundRobinArbiter`.
    /// Latency: 0 clocks, about `INDEX_BITS` levels of logic.
    FindFirst: 0 before 1,
    /// number of the lowest set bit; without `any` it means nothing
    index
}
