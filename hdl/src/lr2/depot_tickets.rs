use crate::primitives::{FindFirst, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which flows of a Depot have something under way: an event, or what its step changes in the pools.
///
/// A ticket is taken with an event. It comes back when the step is done and the orders that the step has given are, in each of both
/// pools.
/// Latency: 0 clocks to the answers, a change is seen 1 clock later. Throughput: one ticket out, and one of each kind of end, per clock.
/// Reset: nothing is under way.
/// Spec: LR2, "Must reach": one packet header per clock.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotTickets {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an event's flow
    pub first_flow: Signal<In, Bits<FLOW_BITS>>,
    /// has something under way
    pub first_waits: Signal<Out, Bit>,
    /// another flow
    pub second_flow: Signal<In, Bits<FLOW_BITS>>,
    /// has
    pub second_waits: Signal<Out, Bit>,
    /// some flow has
    pub busy: Signal<Out, Bit>,
    /// a ticket is free
    pub free: Signal<Out, Bit>,
    /// which
    pub number: Signal<Out, Bits<TICKET_BITS>>,
    /// it is taken
    pub take: Signal<In, Bit>,
    /// for this flow
    pub take_flow: Signal<In, Bits<FLOW_BITS>>,
    /// a step is done
    pub step_done: Signal<In, Bit>,
    /// whose
    pub step_ticket: Signal<In, Bits<TICKET_BITS>>,
    /// it orders something of the reordering pool
    pub step_held: Signal<In, Bit>,
    /// and of the backup pool
    pub step_copies: Signal<In, Bit>,
    /// an order of the reordering pool is done
    pub held_done: Signal<In, Bit>,
    /// whose
    pub held_ticket: Signal<In, Bits<TICKET_BITS>>,
    /// an order of the backup pool is done
    pub copies_done: Signal<In, Bit>,
    /// whose
    pub copies_ticket: Signal<In, Bits<TICKET_BITS>>,

    flows: [Reg<Bits<FLOW_BITS>>; TICKETS],
    stepping: State<Bits<TICKETS>>,
    held: State<Bits<TICKETS>>,
    copies: State<Bits<TICKETS>>,
    taken: Signal<Local, Bits<TICKETS>>,
    first: FindFirst<TICKETS, TICKET_BITS>,
    step_bit: Signal<Local, Bits<TICKETS>>,
    held_bit: Signal<Local, Bits<TICKETS>>,
    copies_bit: Signal<Local, Bits<TICKETS>>,
    take_bit: Signal<Local, Bits<TICKETS>>,
}

impl Logic for DepotTickets {
    #[kernel]
    fn update(&mut self) {
        self.taken.next = self.stepping.q.val() | self.held.q.val() | self.copies.q.val();
        self.busy.next = self.taken.val().any();
        self.first.request.next = !self.taken.val();
        self.free.next = self.first.any.val();
        self.number.next = self.first.index.val();
        self.first_waits.next = false;
        self.second_waits.next = false;
        for i in 0..TICKETS {
            if self.taken.val().get_bit(i) && self.flows[i].q.val() == self.first_flow.val() {
                self.first_waits.next = true;
            }
            if self.taken.val().get_bit(i) && self.flows[i].q.val() == self.second_flow.val() {
                self.second_waits.next = true;
            }
            if self.take.val() && self.first.index.val() == i.to_bits::<TICKET_BITS>() {
                self.flows[i].d.next = self.take_flow.val();
            }
        }

        self.take_bit.next = bits::<TICKETS>(0);
        if self.take.val() {
            self.take_bit.next = bits::<TICKETS>(1) << self.first.index.val();
        }
        self.step_bit.next = bits::<TICKETS>(0);
        if self.step_done.val() {
            self.step_bit.next = bits::<TICKETS>(1) << self.step_ticket.val();
        }
        self.held_bit.next = bits::<TICKETS>(0);
        if self.held_done.val() {
            self.held_bit.next = bits::<TICKETS>(1) << self.held_ticket.val();
        }
        self.copies_bit.next = bits::<TICKETS>(0);
        if self.copies_done.val() {
            self.copies_bit.next = bits::<TICKETS>(1) << self.copies_ticket.val();
        }
        self.stepping.d.next = (self.stepping.q.val() & !self.step_bit.val()) | self.take_bit.val();
        self.held.d.next = self.held.q.val() & !self.held_bit.val();
        if self.step_held.val() {
            self.held.d.next = (self.held.q.val() & !self.held_bit.val()) | self.step_bit.val();
        }
        self.copies.d.next = self.copies.q.val() & !self.copies_bit.val();
        if self.step_copies.val() {
            self.copies.d.next = (self.copies.q.val() & !self.copies_bit.val()) | self.step_bit.val();
        }
    }
}
