use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Lowest set bit of `WIDTH` bits as one bit, combinational: `request` without all its higher bits, zero if none is set.
///
/// A subtraction whose carry runs over `WIDTH` bits: small, and fast to about 64 bits. For the number of the bit take `FindFirst`.
/// Latency: 0 clocks.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct OneHotFirst<const WIDTH: usize> {
    /// where to look
    pub request: Signal<In, Bits<WIDTH>>,
    /// its lowest set bit alone
    pub first: Signal<Out, Bits<WIDTH>>,
}

impl<const WIDTH: usize> Logic for OneHotFirst<WIDTH> {
    #[kernel]
    fn update(&mut self) {
        self.first.next = self.request.val() & !(self.request.val() - 1);
    }
}
