use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Holds back who waits until the first of them has waited for `hold` ticks, and is open then until none waits.
///
/// At a packet in `t` ticks a queue pair is told of `hold / t` packets at once, and nobody is told more than `hold` ticks late. With `hold`
/// 0 nobody waits.
/// Latency: 2 clocks from the tick with which the time is up. Reset: closed for a clock.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HoldGate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tick
    pub now: Signal<In, Bits<32>>,
    /// ticks, less than 2^15; 0: none waits
    pub hold: Signal<In, Bits<16>>,
    /// somebody waits
    pub any: Signal<In, Bit>,
    /// nobody goes
    pub is_closed: Signal<Out, Bit>,

    closed: State<Bit>,
    waits: State<Bit>,
    since: Reg<Bits<16>>,
    waited: Signal<Local, Bits<16>>,
    elapsed: State<Bit>,
}

impl Logic for HoldGate {
    #[kernel]
    fn update(&mut self) {
        self.waits.d.next = self.any.val();
        if !self.waits.q.val() {
            self.since.d.next = self.now.val().get_bits::<16>(0);
        }
        self.waited.next = self.now.val().get_bits::<16>(0) - self.since.q.val();
        self.elapsed.d.next = self.any.val() && self.waits.q.val() && self.waited.val() >= self.hold.val();
        self.closed.d.next = self.hold.val().any() && !(self.any.val() && (self.elapsed.q.val() || !self.closed.q.val()));
        self.is_closed.next = self.closed.q.val();
    }
}
