use super::PERIOD_BITS;
use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Numbers periods of time of half of `cfg_dedup` and a tick: what lies three of them back lies more than `cfg_dedup` ticks back, and one
/// and a half times that and four ticks at most.
///
/// Reset: period 0. A new `cfg_dedup` counts from the next period on.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DedupPeriods {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a tick
    pub tick: Signal<In, Bit>,
    /// ticks
    pub cfg_dedup: Signal<In, Bits<32>>,
    /// number of the period
    pub period: Signal<Out, Bits<PERIOD_BITS>>,
    number: State<Bits<PERIOD_BITS>>,
    left: State<Bits<32>>,
}

impl Logic for DedupPeriods {
    #[kernel]
    fn update(&mut self) {
        self.period.next = self.number.q.val();
        if self.tick.val() {
            self.left.d.next = self.left.q.val() - 1;
            if !self.left.q.val().any() {
                self.left.d.next = self.cfg_dedup.val() >> 1;
                self.number.d.next = self.number.q.val() + 1;
            }
        }
    }
}
