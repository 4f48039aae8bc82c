use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Arrival mask of one operation.
///
/// `start` loads the initial mask; `arrival` sets the bits of the packets that arrive.
/// Latency: `duplicate` and `complete` in the same clock, mask one clock later. Throughput: one per clock.
/// Spec: receive registry, "Matching".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct MaskUnit<const M: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high: mask is all ones (idle)
    pub rst: Signal<In, Bit>,
    /// load `start_mask`
    pub start_valid: Signal<In, Bit>,
    /// mask of the new operation
    pub start_mask: Signal<In, Bits<M>>,
    /// set the bits of `arrival_bits`
    pub arrival_valid: Signal<In, Bit>,
    /// one-hot position
    pub arrival_bits: Signal<In, Bits<M>>,
    /// a bit of `arrival_bits` was set before; counts whether or not `arrival_valid`
    pub duplicate: Signal<Out, Bit>,
    /// with `arrival_bits` every bit is set; counts whether or not `arrival_valid`
    pub complete: Signal<Out, Bit>,
    /// current mask
    pub mask: Signal<Out, Bits<M>>,
    with_arrival: Signal<Local, Bits<M>>,
    bits: Reg<Bits<M>>,
}

impl<const M: usize> Logic for MaskUnit<M> {
    #[kernel]
    fn update(&mut self) {
        self.with_arrival.next = self.bits.q.val() | self.arrival_bits.val();
        self.duplicate.next = (self.bits.q.val() & self.arrival_bits.val()).any();
        self.complete.next = self.with_arrival.val().all();
        self.mask.next = self.bits.q.val();
        if self.start_valid.val() {
            self.bits.d.next = self.start_mask.val();
        } else if self.arrival_valid.val() {
            self.bits.d.next = self.with_arrival.val();
        }
        if self.rst.val() {
            self.bits.d.next = !bits::<M>(0);
        }
    }
}
