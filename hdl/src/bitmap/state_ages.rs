use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// States of the packets of a segment, brought up to date: what was sent again is older by as many periods as have passed since the segment
/// was written. For states see `StateChange`; the oldest age stays.
///
/// Combinational, one level and a half.
#[derive(Default, Described, LogicBlock)]
pub struct StateAges {
    /// periods that have passed, 3: three or more
    pub periods: Signal<In, Bits<2>>,
    /// states, upper bits
    pub high: Signal<In, Bits<SEGMENT>>,
    /// middle bits
    pub middle: Signal<In, Bits<SEGMENT>>,
    /// lower bits
    pub low: Signal<In, Bits<SEGMENT>>,
    /// states now, upper bits
    pub new_high: Signal<Out, Bits<SEGMENT>>,
    /// middle bits
    pub new_middle: Signal<Out, Bits<SEGMENT>>,
    /// lower bits
    pub new_low: Signal<Out, Bits<SEGMENT>>,
    age0: Signal<Local, Bits<SEGMENT>>,
    age1: Signal<Local, Bits<SEGMENT>>,
    age2: Signal<Local, Bits<SEGMENT>>,
    age3: Signal<Local, Bits<SEGMENT>>,
    other: Signal<Local, Bits<SEGMENT>>,
    now0: Signal<Local, Bits<SEGMENT>>,
    now1: Signal<Local, Bits<SEGMENT>>,
    now2: Signal<Local, Bits<SEGMENT>>,
    now3: Signal<Local, Bits<SEGMENT>>,
}

impl Logic for StateAges {
    #[kernel]
    fn update(&mut self) {
        self.age0.next = !self.high.val() & self.middle.val() & self.low.val();
        self.age1.next = self.high.val() & !self.middle.val() & !self.low.val();
        self.age2.next = self.high.val() & !self.middle.val() & self.low.val();
        self.age3.next = self.high.val() & self.middle.val() & !self.low.val();
        self.other.next = !(self.age0.val() | self.age1.val() | self.age2.val() | self.age3.val());
        self.now0.next = bits::<SEGMENT>(0);
        self.now1.next = bits::<SEGMENT>(0);
        self.now2.next = bits::<SEGMENT>(0);
        self.now3.next = self.age0.val() | self.age1.val() | self.age2.val() | self.age3.val();
        if self.periods.val() == bits::<2>(0) {
            self.now0.next = self.age0.val();
            self.now1.next = self.age1.val();
            self.now2.next = self.age2.val();
            self.now3.next = self.age3.val();
        } else if self.periods.val() == bits::<2>(1) {
            self.now1.next = self.age0.val();
            self.now2.next = self.age1.val();
            self.now3.next = self.age2.val() | self.age3.val();
        } else if self.periods.val() == bits::<2>(2) {
            self.now2.next = self.age0.val();
            self.now3.next = self.age1.val() | self.age2.val() | self.age3.val();
        }
        self.new_high.next = (self.high.val() & self.other.val()) | self.now1.val() | self.now2.val() | self.now3.val();
        self.new_middle.next = (self.middle.val() & self.other.val()) | self.now0.val() | self.now3.val();
        self.new_low.next = (self.low.val() & self.other.val()) | self.now0.val() | self.now2.val();
    }
}
