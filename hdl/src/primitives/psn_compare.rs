use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Order of two packet sequence numbers in serial arithmetic modulo 2^24.
///
/// `a` is before `b` when `distance`, `(b - a) mod 2^24`, is in `1 ..= 2^23 - 1`. Exactly half the circle apart neither is
/// before the other: such a pair is outside every legal window, and a block that can meet one says what it does. To add, take `PsnAdd`.
/// Latency: 0 clocks, one 24-bit subtraction and a comparison with zero. Spec: Terms, "PSN".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PsnCompare {
    /// packet sequence number
    pub a: Signal<In, Bits<24>>,
    /// packet sequence number
    pub b: Signal<In, Bits<24>>,
    /// `(b - a) mod 2^24`
    pub distance: Signal<Out, Bits<24>>,
    /// `a` is before `b`
    pub is_before: Signal<Out, Bit>,
    /// `a` is `b`
    pub is_same: Signal<Out, Bit>,
    /// `b` is before `a`
    pub is_after: Signal<Out, Bit>,
    difference: Signal<Local, Bits<24>>,
    low_bits: Signal<Local, Bit>,
}

impl Logic for PsnCompare {
    #[kernel]
    fn update(&mut self) {
        self.difference.next = self.b.val() - self.a.val();
        self.distance.next = self.difference.val();
        self.low_bits.next = self.difference.val().get_bits::<23>(0).any();
        self.is_before.next = !self.difference.val().get_bit(23) && self.low_bits.val();
        self.is_same.next = !self.difference.val().get_bit(23) && !self.low_bits.val();
        self.is_after.next = self.difference.val().get_bit(23) && self.low_bits.val();
    }
}
