use super::STATE_KINDS;
use crate::Described;
use rust_hdl::prelude::*;

/// What an operation makes of the packets of one segment.
///
/// A state is three bits, one in each plane: 000 sent (or free, beyond the last one sent), 001 suspected, 010 pending, 011 to 110 sent again in this period
/// of time, one before, two before, longer ago, 111 acknowledged. `kind`:
/// - 0: `below` and `range` are acknowledged;
/// - 1: `below` is acknowledged; of `range`, what was sent, is suspected, or was sent again long ago becomes pending;
/// - 2: of `range`, everything becomes pending that is not acknowledged;
/// - 3: `below` and `range` as with 2; what else is in the `window` and was sent, for the first time or again, becomes suspected;
/// - 4: `range` has been sent again now;
/// - 5: everything is free; 6: nothing happens.
///
/// Combinational. Spec: bitmap loss detection, "Sender".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct StateChange<const S: usize> {
    /// what happens
    pub kind: Signal<In, Bits<STATE_KINDS>>,
    /// packets below an acknowledged edge
    pub below: Signal<In, Bits<S>>,
    /// packets that are named
    pub range: Signal<In, Bits<S>>,
    /// packets from the base on that have been sent
    pub window: Signal<In, Bits<S>>,
    /// states, upper bits
    pub high: Signal<In, Bits<S>>,
    /// middle bits
    pub middle: Signal<In, Bits<S>>,
    /// lower bits
    pub low: Signal<In, Bits<S>>,
    /// new states, upper bits
    pub new_high: Signal<Out, Bits<S>>,
    /// middle bits
    pub new_middle: Signal<Out, Bits<S>>,
    /// lower bits
    pub new_low: Signal<Out, Bits<S>>,
    /// packets that are pending now and were not
    pub begun: Signal<Out, Bits<S>>,
    /// packets that were pending and are not
    pub ceased: Signal<Out, Bits<S>>,
    /// packets that count as sent again now and did not, or did and do not
    pub again_change: Signal<Out, Bits<S>>,
    acknowledged: Signal<Local, Bits<S>>,
    pending: Signal<Local, Bits<S>>,
    first: Signal<Local, Bits<S>>,
    long_ago: Signal<Local, Bits<S>>,
    again: Signal<Local, Bits<S>>,
    to_acknowledged: Signal<Local, Bits<S>>,
    to_pending: Signal<Local, Bits<S>>,
    to_suspected: Signal<Local, Bits<S>>,
    to_again: Signal<Local, Bits<S>>,
    stays: Signal<Local, Bits<S>>,
}

impl<const S: usize> Logic for StateChange<S> {
    #[hdl_gen]
    fn update(&mut self) {
        self.acknowledged.next = self.high.val() & self.middle.val() & self.low.val();
        self.pending.next = !self.high.val() & self.middle.val() & !self.low.val();
        self.first.next = !self.high.val() & !self.middle.val();
        self.long_ago.next = self.high.val() & self.middle.val() & !self.low.val();
        self.again.next =
            (self.high.val() & !(self.middle.val() & self.low.val())) | (!self.high.val() & self.middle.val() & self.low.val());

        self.to_acknowledged.next = bits::<S>(0);
        self.to_pending.next = bits::<S>(0);
        self.to_suspected.next = bits::<S>(0);
        self.to_again.next = bits::<S>(0);
        if self.kind.val() == bits::<STATE_KINDS>(0) {
            self.to_acknowledged.next = self.below.val() | self.range.val();
        } else if self.kind.val() == bits::<STATE_KINDS>(1) {
            self.to_acknowledged.next = self.below.val();
            self.to_pending.next = self.range.val() & !self.below.val() & (self.first.val() | self.long_ago.val());
        } else if self.kind.val() == bits::<STATE_KINDS>(2) {
            self.to_pending.next = self.range.val() & !self.acknowledged.val() & !self.pending.val();
        } else if self.kind.val() == bits::<STATE_KINDS>(3) {
            self.to_pending.next = (self.below.val() | self.range.val()) & !self.acknowledged.val() & !self.pending.val();
            self.to_suspected.next = self.window.val() & !(self.below.val() | self.range.val()) & (self.first.val() | self.again.val());
        } else if self.kind.val() == bits::<STATE_KINDS>(4) {
            self.to_again.next = self.range.val();
        }

        self.stays.next = !(self.to_acknowledged.val() | self.to_pending.val() | self.to_suspected.val() | self.to_again.val());
        if self.kind.val() == bits::<STATE_KINDS>(5) {
            self.stays.next = bits::<S>(0);
        }
        self.new_high.next = (self.high.val() & self.stays.val()) | self.to_acknowledged.val();
        self.new_middle.next =
            (self.middle.val() & self.stays.val()) | self.to_acknowledged.val() | self.to_pending.val() | self.to_again.val();
        self.new_low.next =
            (self.low.val() & self.stays.val()) | self.to_acknowledged.val() | self.to_suspected.val() | self.to_again.val();
        self.begun.next = self.to_pending.val();
        self.ceased.next = self.pending.val() & !self.stays.val();
        self.again_change.next = self.again.val() ^ ((self.again.val() & self.stays.val()) | self.to_again.val());
    }
}
