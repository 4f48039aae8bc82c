use crate::primitives::ThermometerMask;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Arrival mask of a new operation of `count` packets: the bits of packets that are not expected are set, and bit 0, because the
/// start packet itself has arrived.
///
/// `(all ones << count) | 1` for a count from 0 to `MASK_BITS`; `COUNT_BITS` bits number 0 to `MASK_BITS`. A count of `MASK_BITS` gives bit
/// 0 alone, 0 and 1 give all ones. `FORM` chooses between shift (0) and thermometer (1) as in `ThermometerMask`, which is also the block to
/// take where bit 0 is not to be set. Latency: 0 clocks. Spec: receive registry, "Registering".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct InitialMask<const MASK_BITS: usize, const COUNT_BITS: usize, const FORM: usize> {
    /// packets of the operation, 0 to `MASK_BITS`
    pub count: Signal<In, Bits<COUNT_BITS>>,
    /// its mask with the start packet in
    pub mask: Signal<Out, Bits<MASK_BITS>>,
    absent: ThermometerMask<MASK_BITS, COUNT_BITS, FORM>,
}

impl<const MASK_BITS: usize, const COUNT_BITS: usize, const FORM: usize> Logic for InitialMask<MASK_BITS, COUNT_BITS, FORM> {
    #[kernel]
    fn update(&mut self) {
        self.absent.count.next = self.count.val();
        self.mask.next = self.absent.mask.val() | 1;
    }
}
