use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Some bits of the neighbour of a number on the side of its lowest bit, that is one more if that bit is 1, one less if it is 0:
/// combinational.
///
/// Such a step turns every bit below which all are as the lowest one. What is said here of a part holds if all bits below it turn. A tree
/// of logarithmic depth over few bits, for a carry, or a tree, over all would be long.
/// Latency: 0 clocks. Spec: receive registry, "Decided" (overlap).
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct BesidePart<const PART_BITS: usize> {
    /// bits of the number
    pub part: Signal<In, Bits<PART_BITS>>,
    /// its lowest bit
    pub lowest: Signal<In, Bit>,
    /// the same bits of the neighbour
    pub beside: Signal<Out, Bits<PART_BITS>>,
    /// all of them turn
    pub all_turn: Signal<Out, Bit>,

    unlike: Signal<Local, Bits<PART_BITS>>,
    stays: Signal<Local, Bits<PART_BITS>>,
}

impl<const PART_BITS: usize> Logic for BesidePart<PART_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.unlike.next = self.part.val();
        if self.lowest.val() {
            self.unlike.next = !self.part.val();
        }
        self.stays.next = self.unlike.val() << 1;
        self.stays.next = self.stays.val() | (self.stays.val() << 1);
        self.stays.next = self.stays.val() | (self.stays.val() << 2);
        self.stays.next = self.stays.val() | (self.stays.val() << 4);
        self.stays.next = self.stays.val() | (self.stays.val() << 8);
        self.beside.next = self.part.val() ^ !self.stays.val();
        self.all_turn.next = !self.unlike.val().any();
    }
}
