use crate::primitives::{FifoBlock, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The numbers of `SLOTS` slots, each given out at most once until it comes back.
///
/// Numbers that were never given out come from a counter, so that nothing has to be filled in after reset; those that came back from a
/// queue in block RAM. Three sides give back: `internal` goes first and never waits, the other two take turns. A number that is given back
/// must have been given out: the pool does not look.
/// Latency: a number that is taken back is offered again 4 clocks later, if no other is offered before. Throughput: one number out and one
/// back per clock. Reset: every slot is free, at once.
///
/// Parameters: `SLOTS` slots, `ADDRESS_BITS` bits of a number, `COUNT_BITS` = `ADDRESS_BITS + 1`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SlotPool<const SLOTS: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a slot is free
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// number of `out`
    pub out_slot: Signal<Out, Bits<ADDRESS_BITS>>,
    /// a slot comes back, and is taken
    pub internal_valid: Signal<In, Bit>,
    /// number of `internal`
    pub internal_slot: Signal<In, Bits<ADDRESS_BITS>>,
    /// a slot comes back
    pub first_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `first_valid` is high too
    pub first_ready: Signal<Out, Bit>,
    /// number of `first`
    pub first_slot: Signal<In, Bits<ADDRESS_BITS>>,
    /// a slot comes back
    pub second_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `second_valid` is high too
    pub second_ready: Signal<Out, Bit>,
    /// number of `second`
    pub second_slot: Signal<In, Bits<ADDRESS_BITS>>,

    returned: FifoBlock<ADDRESS_BITS, ADDRESS_BITS, COUNT_BITS>,
    never_used: State<Bits<ADDRESS_BITS>>,
    all_used: State<Bit>,
    // Whose turn it is if both come.
    turn: State<Bit>,
    take_first: Signal<Local, Bit>,
    take_second: Signal<Local, Bit>,
    // What comes back, on its way to the queue.
    back: Reg<Bits<ADDRESS_BITS>>,
    back_valid: State<Bit>,
}

impl<const SLOTS: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> SlotPool<SLOTS, ADDRESS_BITS, COUNT_BITS> {
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(
            SLOTS >= 3 && ADDRESS_BITS == clog2(SLOTS),
            "SlotPool: ADDRESS_BITS = {ADDRESS_BITS} with SLOTS = {SLOTS}, must be {}, SLOTS at least 3",
            clog2(SLOTS)
        );
        Self::default()
    }
}

impl<const SLOTS: usize, const ADDRESS_BITS: usize, const COUNT_BITS: usize> Logic for SlotPool<SLOTS, ADDRESS_BITS, COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.returned.in_valid.next = self.back_valid.q.val();
        self.returned.in_data.next = self.back.q.val();

        self.out_valid.next = !self.all_used.q.val() || self.returned.out_valid.val();
        self.out_slot.next = self.never_used.q.val();
        if self.all_used.q.val() {
            self.out_slot.next = self.returned.out_data.val();
        }
        self.returned.out_ready.next = self.out_ready.val() && self.all_used.q.val();
        if self.out_ready.val() && !self.all_used.q.val() {
            self.never_used.d.next = self.never_used.q.val() + 1;
            self.all_used.d.next = self.never_used.q.val() == (SLOTS - 1).to_bits::<ADDRESS_BITS>();
        }

        self.take_first.next = !self.internal_valid.val() && !(self.turn.q.val() && self.second_valid.val());
        self.take_second.next = !self.internal_valid.val() && !(!self.turn.q.val() && self.first_valid.val());
        self.first_ready.next = self.take_first.val();
        self.second_ready.next = self.take_second.val();
        self.back_valid.d.next = self.internal_valid.val() || self.first_valid.val() || self.second_valid.val();
        self.back.d.next = self.second_slot.val();
        if self.internal_valid.val() {
            self.back.d.next = self.internal_slot.val();
        } else if self.first_valid.val() && self.take_first.val() {
            self.back.d.next = self.first_slot.val();
            self.turn.d.next = true;
        } else if self.second_valid.val() {
            self.turn.d.next = false;
        }
    }
}
