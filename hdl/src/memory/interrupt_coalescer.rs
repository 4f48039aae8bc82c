use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// When what waits for software is enough, or old enough, to interrupt it.
///
/// `due` is a level: high while `cfg_count` or more wait, or while something waits and at least `cfg_delay` full ticks have passed since
/// the queue was last empty; at most one tick more, and 3 clocks. It falls when software has taken what there is. A `cfg_count` of 0
/// switches the first off, a `cfg_delay` of 0 the second.
/// Latency: 2 clocks from `waiting` to `due` by count. Reset: low.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct InterruptCoalescer {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// how many wait
    pub waiting: Signal<In, Bits<32>>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// as many interrupt
    pub cfg_count: Signal<In, Bits<16>>,
    /// ticks after which one interrupts; less than 2^31
    pub cfg_delay: Signal<In, Bits<32>>,
    /// interrupt now
    pub due: Signal<Out, Bit>,

    held: State<Bits<32>>,
    any: State<Bit>,
    since: Reg<Bits<32>>,
    age: Reg<Bits<32>>,
    aging: State<Bit>,
    enough: State<Bit>,
    old: State<Bit>,
}

impl Logic for InterruptCoalescer {
    #[kernel]
    fn update(&mut self) {
        self.held.d.next = self.waiting.val();
        self.any.d.next = self.waiting.val().any();
        self.enough.d.next = self.cfg_count.val().any() && self.held.q.val() >= bit_cast::<32, 16>(self.cfg_count.val());
        if !self.any.q.val() {
            self.since.d.next = self.now.val();
        }
        self.aging.d.next = self.any.q.val();
        self.age.d.next = self.now.val() - self.since.q.val();
        self.old.d.next = self.aging.q.val() && self.any.q.val() && self.cfg_delay.val().any() && self.age.q.val() > self.cfg_delay.val();
        self.due.next = self.enough.q.val() || self.old.q.val();
    }
}
