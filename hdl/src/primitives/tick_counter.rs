use crate::Described;
use crate::primitives::Reg;
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
    passed: Reg<Bits<16>>,
    fired: Reg<Bit>,
    ticks: Reg<Bits<32>>,
    passed_next: Signal<Local, Bits<16>>,
}

impl Logic for TickCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, passed, fired, ticks);
        self.tick.next = self.fired.q.val();
        self.now.next = self.ticks.q.val();
        // Cannot wrap: `passed` stays below `prescale` or 1.
        self.passed_next.next = self.passed.q.val() + 1;
        self.passed.d.next = self.passed_next.val();
        self.fired.d.next = false;
        if self.passed_next.val() >= self.prescale.val() {
            self.passed.d.next = bits::<16>(0);
            self.fired.d.next = true;
            self.ticks.d.next = self.ticks.q.val() + 1;
        }
        if self.rst.val() {
            self.passed.d.next = bits::<16>(0);
            self.fired.d.next = false;
            self.ticks.d.next = bits::<32>(0);
        }
    }
}
