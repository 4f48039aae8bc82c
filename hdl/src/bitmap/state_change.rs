use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an operation makes of the packets of one segment.
///
/// A state is three bits, one in each plane: 000 sent (or free, beyond the last one sent), 001 suspected, 010 pending, 011 to 110 sent
/// again in this period of time, one before, two before, longer ago, 111 acknowledged. Of the masks each packet is in one at most.
///
/// Combinational, three levels. Spec: bitmap loss detection, "Sender".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct StateChange<const SEGMENT: usize> {
    /// packets that are acknowledged
    pub acknowledge: Signal<In, Bits<SEGMENT>>,
    /// packets that become pending if they were sent, are suspected, or were sent again long ago
    pub ask: Signal<In, Bits<SEGMENT>>,
    /// packets that become pending if they are not acknowledged
    pub demand: Signal<In, Bits<SEGMENT>>,
    /// packets that become suspected if they were sent, or were sent again long ago
    pub suspect: Signal<In, Bits<SEGMENT>>,
    /// packets that are sent again now
    pub resend: Signal<In, Bits<SEGMENT>>,
    /// everything becomes free
    pub clear: Signal<In, Bit>,
    /// states, upper bits
    pub high: Signal<In, Bits<SEGMENT>>,
    /// middle bits
    pub middle: Signal<In, Bits<SEGMENT>>,
    /// lower bits
    pub low: Signal<In, Bits<SEGMENT>>,
    /// new states, upper bits
    pub new_high: Signal<Out, Bits<SEGMENT>>,
    /// middle bits
    pub new_middle: Signal<Out, Bits<SEGMENT>>,
    /// lower bits
    pub new_low: Signal<Out, Bits<SEGMENT>>,
    /// packets that are pending now and were not
    pub begun: Signal<Out, Bits<SEGMENT>>,
    /// packets that were pending and are not
    pub ceased: Signal<Out, Bits<SEGMENT>>,
    /// packets that count as sent again now and did not, or did and do not
    pub again_change: Signal<Out, Bits<SEGMENT>>,
    acknowledged: Signal<Local, Bits<SEGMENT>>,
    pending: Signal<Local, Bits<SEGMENT>>,
    first: Signal<Local, Bits<SEGMENT>>,
    long_ago: Signal<Local, Bits<SEGMENT>>,
    again: Signal<Local, Bits<SEGMENT>>,
    to_pending: Signal<Local, Bits<SEGMENT>>,
    to_suspected: Signal<Local, Bits<SEGMENT>>,
    stays: Signal<Local, Bits<SEGMENT>>,
}

impl<const SEGMENT: usize> Logic for StateChange<SEGMENT> {
    #[kernel]
    fn update(&mut self) {
        self.acknowledged.next = self.high.val() & self.middle.val() & self.low.val();
        self.pending.next = !self.high.val() & self.middle.val() & !self.low.val();
        self.first.next = !self.high.val() & !self.middle.val();
        self.long_ago.next = self.high.val() & self.middle.val() & !self.low.val();
        self.again.next =
            (self.high.val() & !(self.middle.val() & self.low.val())) | (!self.high.val() & self.middle.val() & self.low.val());

        self.to_pending.next = (self.ask.val() & (self.first.val() | self.long_ago.val()))
            | (self.demand.val() & !self.acknowledged.val() & !self.pending.val());
        self.to_suspected.next = self.suspect.val() & (self.first.val() | self.long_ago.val());
        self.stays.next = !(self.acknowledge.val() | self.to_pending.val() | self.to_suspected.val() | self.resend.val());
        if self.clear.val() {
            self.stays.next = bits::<SEGMENT>(0);
        }
        self.new_high.next = (self.high.val() & self.stays.val()) | self.acknowledge.val();
        self.new_middle.next = (self.middle.val() & self.stays.val()) | self.acknowledge.val() | self.to_pending.val() | self.resend.val();
        self.new_low.next = (self.low.val() & self.stays.val()) | self.acknowledge.val() | self.to_suspected.val() | self.resend.val();
        self.begun.next = self.to_pending.val();
        self.ceased.next = self.pending.val() & !self.stays.val();
        self.again_change.next = self.again.val() ^ ((self.again.val() & self.stays.val()) | self.resend.val());
    }
}
