use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Unit of the hardware timers: one tick per `prescale` clocks, counted in `now`.
///
/// One per top level: every timer compares with the same `now`, modulo 2^32, so deadlines must lie less than 2^31 ticks ahead.
/// `prescale` is a runtime value; 0 behaves as 1, and a new value counts for the tick under way.
/// Latency: `tick` and the new `now` come together, `prescale` clocks after the ones before. Reset: `now` is zero and a whole tick
/// begins with the first clock without `rst`. Spec: Terms, "Tick".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct TickCounter {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// clocks per tick, 0 as 1
    pub prescale: Signal<In, Bits<16>>,
    /// one clock, the first with a new `now`
    pub tick: Signal<Out, Bit>,
    /// ticks since reset, modulo 2^32
    pub now: Signal<Out, Bits<32>>,
    // of the tick under way, this one included
    clocks: Reg<Bits<16>>,
    fired: State<Bit>,
    low: State<Bits<16>>,
    high: State<Bits<16>>,
}

impl Logic for TickCounter {
    #[kernel]
    fn update(&mut self) {
        self.tick.next = self.fired.q.val();
        self.now.next = bit_cast::<32, 16>(self.low.q.val()) | (bit_cast::<32, 16>(self.high.q.val()) << 16);
        // Cannot wrap: it grows only while it is below `prescale`.
        self.clocks.d.next = self.clocks.q.val() + 1;
        self.fired.d.next = false;
        if self.clocks.q.val() >= self.prescale.val() {
            self.clocks.d.next = bits::<16>(1);
            self.fired.d.next = true;
            self.low.d.next = self.low.q.val() + 1;
            // No carry runs through both halves.
            if self.low.q.val().all() {
                self.high.d.next = self.high.q.val() + 1;
            }
        }
        if self.rst.val() {
            self.clocks.d.next = bits::<16>(1);
        }
    }
}
