use super::TRY_BITS;
use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Ticks that each try of a packet waits for its acknowledgement: `cfg_timeout`, doubled with each try, `cfg_backoff_cap` at most.
///
/// The values are worked out again all the time, one in four clocks: a new configuration counts after 256 clocks.
/// Latency: 0 clocks from `try_number` to `ticks`. Reset: none; 128 clocks after power-up the values are there.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct BackoffTable {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// ticks of the first try
    pub cfg_timeout: Signal<In, Bits<32>>,
    /// ticks of any try, at most
    pub cfg_backoff_cap: Signal<In, Bits<32>>,
    /// number of a try, 0 is the first
    pub try_number: Signal<In, Bits<TRY_BITS>>,
    /// its ticks
    pub ticks: Signal<Out, Bits<32>>,

    values: LutRam<32, TRY_BITS>,
    step: State<Bits<7>>,
    value: Reg<Bits<32>>,
    over: Reg<Bit>,
}

impl Logic for BackoffTable {
    #[kernel]
    fn update(&mut self) {
        self.values.read_address.next = self.try_number.val();
        self.ticks.next = self.values.read_data.val();
        self.step.d.next = self.step.q.val() + 1;
        // Low bits of the step: doubled, compared, capped, written.
        if self.step.q.val().get_bits::<2>(0) == bits::<2>(0) {
            self.value.d.next = self.value.q.val() << 1;
            if self.value.q.val().get_bit(31) {
                self.value.d.next = !bits::<32>(0);
            }
            if !self.step.q.val().any() {
                self.value.d.next = self.cfg_timeout.val();
            }
        }
        self.over.d.next = self.value.q.val() > self.cfg_backoff_cap.val();
        if self.step.q.val().get_bits::<2>(0) == bits::<2>(2) && self.over.q.val() {
            self.value.d.next = self.cfg_backoff_cap.val();
        }
        self.values.write_enable.next = self.step.q.val().get_bits::<2>(0).all();
        self.values.write_address.next = self.step.q.val().get_bits::<TRY_BITS>(2);
        self.values.write_data.next = self.value.q.val();
    }
}
