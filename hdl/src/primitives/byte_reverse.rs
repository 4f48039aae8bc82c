use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The bytes of a word in the opposite order: `2^S` bytes, `W` = `8 * 2^S` bits. Wires only.
///
/// A stream has its first byte in the lowest bits, network fields have it in the highest: behind this block every field is a slice.
/// Latency: 0 clocks, no logic.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct ByteReverse<const W: usize, const S: usize> {
    /// first byte in the lowest bits
    pub data: Signal<In, Bits<W>>,
    /// first byte in the highest bits
    pub reversed: Signal<Out, Bits<W>>,
    stage: Vec<Signal<Local, Bits<W>>>,
    // The lower of each pair of groups that a stage swaps, and how far apart they are.
    lower: Vec<Constant<Bits<W>>>,
    apart: Vec<Constant<Bits<16>>>,
}

impl<const W: usize, const S: usize> Default for ByteReverse<W, S> {
    fn default() -> Self {
        assert!(W == 8 << S, "ByteReverse: W = {W} with S = {S}, must be 8 * 2^S = {}", 8 << S);
        let lower =
            |s: usize| (0..W).filter(|bit| bit >> (3 + s) & 1 == 0).fold(Bits::default(), |mask: Bits<W>, bit| mask.replace_bit(bit, true));
        Self {
            data: Default::default(),
            reversed: Default::default(),
            stage: (0..=S).map(|_| Default::default()).collect(),
            lower: (0..S).map(|s| Constant::new(lower(s))).collect(),
            apart: (0..S).map(|s| Constant::new(bits::<16>(8 << s))).collect(),
        }
    }
}

impl<const W: usize, const S: usize> Logic for ByteReverse<W, S> {
    #[kernel]
    fn update(&mut self) {
        self.stage[0].next = self.data.val();
        for s in 0..S {
            self.stage[s + 1].next = ((self.stage[s].val() & self.lower[s].val()) << self.apart[s].val())
                | ((self.stage[s].val() >> self.apart[s].val()) & self.lower[s].val());
        }
        self.reversed.next = self.stage[S].val();
    }
}
