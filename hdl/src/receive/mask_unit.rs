use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Arrival mask of one operation.
///
/// `start` loads the initial mask; `arrival` sets the bits of the packets that arrive.
/// Latency: `duplicate` and `complete` in the same clock, mask one clock later. Throughput: one per clock.
/// Spec: receive registry, "Matching".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct MaskUnit<const MASK_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high: mask is all ones (idle)
    pub rst: Signal<In, Bit>,
    /// load `start_mask`
    pub start_valid: Signal<In, Bit>,
    /// mask of the new operation
    pub start_mask: Signal<In, Bits<MASK_BITS>>,
    /// set the bits of `arrival_bits`
    pub arrival_valid: Signal<In, Bit>,
    /// one-hot position
    pub arrival_bits: Signal<In, Bits<MASK_BITS>>,
    /// a bit of `arrival_bits` was set before; counts whether or not `arrival_valid`
    pub duplicate: Signal<Out, Bit>,
    /// with `arrival_bits` every bit is set; counts whether or not `arrival_valid`
    pub complete: Signal<Out, Bit>,
    /// current mask
    pub mask: Signal<Out, Bits<MASK_BITS>>,
    with_arrival: Signal<Local, Bits<MASK_BITS>>,
    bits: Reg<Bits<MASK_BITS>>,
}

impl<const MASK_BITS: usize> Logic for MaskUnit<MASK_BITS> {
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
            self.bits.d.next = !bits::<MASK_BITS>(0);
        }
    }
}
