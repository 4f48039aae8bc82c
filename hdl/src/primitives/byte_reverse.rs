use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The bytes of a word in the opposite order: `2^BYTE_BITS` bytes, `WIDTH` = `8 * 2^BYTE_BITS` bits. Wires only.
///
/// A stream has its first byte in the lowest bits, network fields have it in the highest: behind this block every field is a slice.
/// Latency: 0 clocks, no logic.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct ByteReverse<const WIDTH: usize, const BYTE_BITS: usize> {
    /// first byte in the lowest bits
    pub data: Signal<In, Bits<WIDTH>>,
    /// first byte in the highest bits
    pub reversed: Signal<Out, Bits<WIDTH>>,
    stage: Vec<Signal<Local, Bits<WIDTH>>>,
    // The lower of each pair of groups that a stage swaps, and how far apart they are.
    lower: Vec<Constant<Bits<WIDTH>>>,
    apart: Vec<Constant<Bits<16>>>,
}

impl<const WIDTH: usize, const BYTE_BITS: usize> Default for ByteReverse<WIDTH, BYTE_BITS> {
    fn default() -> Self {
        assert!(
            WIDTH == 8 << BYTE_BITS,
            "ByteReverse: WIDTH = {WIDTH} with BYTE_BITS = {BYTE_BITS}, must be 8 * 2^BYTE_BITS = {}",
            8 << BYTE_BITS
        );
        let lower = |s: usize| {
            (0..WIDTH).filter(|bit| bit >> (3 + s) & 1 == 0).fold(Bits::default(), |mask: Bits<WIDTH>, bit| mask.replace_bit(bit, true))
        };
        Self {
            data: Default::default(),
            reversed: Default::default(),
            stage: (0..=BYTE_BITS).map(|_| Default::default()).collect(),
            lower: (0..BYTE_BITS).map(|s| Constant::new(lower(s))).collect(),
            apart: (0..BYTE_BITS).map(|s| Constant::new(bits::<16>(8 << s))).collect(),
        }
    }
}

impl<const WIDTH: usize, const BYTE_BITS: usize> Logic for ByteReverse<WIDTH, BYTE_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.stage[0].next = self.data.val();
        for s in 0..BYTE_BITS {
            self.stage[s + 1].next = ((self.stage[s].val() & self.lower[s].val()) << self.apart[s].val())
                | ((self.stage[s].val() >> self.apart[s].val()) & self.lower[s].val());
        }
        self.reversed.next = self.stage[BYTE_BITS].val();
    }
}
