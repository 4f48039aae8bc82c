use crate::primitives::ThermometerMask;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Arrival mask of a new operation of `count` packets: the bits of packets that are not expected are set, and bit 0, because the
/// start packet itself has arrived.
///
/// `(all ones << count) | 1` for a count from 0 to `M`; `C` bits number 0 to `M`. A count of `M` gives bit 0 alone, 0 and 1 give all
/// ones. `FORM` chooses between shift (0) and thermometer (1) as in `ThermometerMask`, which is also the block to take where bit 0 is
/// not to be set. Latency: 0 clocks. Spec: receive registry, "Registering".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct InitialMask<const M: usize, const C: usize, const FORM: usize> {
    /// packets of the operation, 0 to `M`
    pub count: Signal<In, Bits<C>>,
    /// its mask with the start packet in
    pub mask: Signal<Out, Bits<M>>,
    absent: ThermometerMask<M, C, FORM>,
}

impl<const M: usize, const C: usize, const FORM: usize> Logic for InitialMask<M, C, FORM> {
    #[kernel]
    fn update(&mut self) {
        self.absent.count.next = self.count.val();
        self.mask.next = self.absent.mask.val() | 1;
    }
}
