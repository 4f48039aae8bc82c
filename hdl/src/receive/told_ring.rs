use super::WriteAnswers;
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What is to be told, in verdict order: an item leaves when its write, and those of all items before it, have been answered.
///
/// The position of an item, counted from 0 after reset, is the tag of its write. An item whose write failed marks the operation of its row;
/// the end of that operation then is told as `write_error`, whichever of its writes failed. Room for `2^WRITE_BITS` items; the owner keeps
/// `push` within it. A write may be answered in the clock of its `push`, or any later one. Item, low bits first: has_write 1, ack 1, final
/// 1, host 1, superseded 1, arrival 1, in_row 1, ends 1, status 5, rest `TOLD_ROW_BITS - 13`, row `ROW_BITS` on top.
/// Latency: 2 clocks from the answer to `out_valid`. Throughput: one per clock. Reset: empty.
/// Spec: receive registry, "What is sent, and when".
#[derive(Default, Described, LogicBlock)]
pub struct ToldRing {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// append an item
    pub push: Signal<In, Bit>,
    /// the item
    pub push_item: Signal<In, Bits<TOLD_ROW_BITS>>,
    pub done: WriteAnswers,
    /// items held
    pub held: Signal<Out, Bits<WRITE_COUNT_BITS>>,
    /// the oldest item may be told
    pub out_valid: Signal<Out, Bit>,
    /// it has been told
    pub out_ready: Signal<In, Bit>,
    /// the item
    pub out_item: Signal<Out, Bits<TOLD_ROW_BITS>>,
    /// the sender is told: it is no plain acknowledgement of a write that failed
    pub out_tells: Signal<Out, Bit>,
    /// the operation that it superseded has not been told yet
    pub out_superseded: Signal<Out, Bit>,
    /// a write of its operation failed, and this is its end
    pub out_error: Signal<Out, Bit>,
    /// what the oldest item superseded is told: its row has ended
    pub clear: Signal<In, Bit>,
    /// row
    pub clear_row: Signal<In, Bits<ROW_BITS>>,

    items: LutRam<TOLD_ROW_BITS, WRITE_BITS>,
    write: State<Bits<WRITE_BITS>>,
    read: State<Bits<WRITE_BITS>>,
    count: State<Bits<WRITE_COUNT_BITS>>,
    filled: Signal<Local, Bit>,
    waiting: State<Bits<WRITES>>,
    failed: State<Bits<WRITES>>,
    push_bit: Signal<Local, Bits<WRITES>>,
    done_bit: Signal<Local, Bits<WRITES>>,
    answered: Signal<Local, Bit>,
    next_answered: Signal<Local, Bit>,
    several: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    ready_here: State<Bit>,
    ready_behind: State<Bit>,
    advanced: State<Bit>,
    after: Reg<Bits<WRITE_BITS>>,
    advance: Signal<Local, Bit>,
    head_valid: State<Bit>,
    head: Reg<Bits<TOLD_ROW_BITS>>,
    head_failed: Reg<Bit>,
    head_final: Reg<Bit>,
    head_tells: Reg<Bit>,
    head_superseded: State<Bit>,
    read_failed: Signal<Local, Bit>,
    row_failed: State<Bits<ROWS>>,
    row_bit: Signal<Local, Bits<ROWS>>,
    clear_bit: Signal<Local, Bits<ROWS>>,
    leaves: Signal<Local, Bit>,
    marked: Signal<Local, Bit>,
    flips: Signal<Local, Bits<WRITE_COUNT_BITS>>,
    ones: Signal<Local, Bit>,
    zeros: Signal<Local, Bit>,
}

impl Logic for ToldRing {
    #[kernel]
    fn update(&mut self) {
        self.items.write_enable.next = self.push.val();
        self.items.write_address.next = self.write.q.val();
        self.items.write_data.next = self.push_item.val();
        self.items.read_address.next = self.read.q.val();
        self.held.next = self.count.q.val();

        // Answers come in any order.
        self.push_bit.next = bits::<WRITES>(0);
        self.done_bit.next = bits::<WRITES>(0);
        for i in 0..WRITES {
            if self.push.val() && self.push_item.val().get_bit(0) && (self.write.q.val() == i.to_bits::<WRITE_BITS>()) {
                self.push_bit.next = self.push_bit.val().replace_bit(i, true);
            }
            if self.done.valid.val() && (self.done.tag.val() == i.to_bits::<WRITE_BITS>()) {
                self.done_bit.next = self.done_bit.val().replace_bit(i, true);
            }
        }
        // The owner may append an item one clock after its write has left, so the answer may come with it.
        self.waiting.d.next = (self.waiting.q.val() | self.push_bit.val()) & !self.done_bit.val();
        if self.done.ok.val() {
            self.failed.d.next = self.failed.q.val() & !self.push_bit.val();
        } else {
            self.failed.d.next = (self.failed.q.val() & !self.push_bit.val()) | self.done_bit.val();
        }
        // Whether the oldest item is answered is looked up one clock ahead, for it and for the one behind it.
        self.answered.next = !((self.waiting.q.val() >> self.read.q.val()) & 1).any();
        self.next_answered.next = !((self.waiting.q.val() >> self.after.q.val()) & 1).any();
        self.filled.next = self.count.q.val().any() && !(self.advanced.q.val() && (self.count.q.val() == bits::<WRITE_COUNT_BITS>(1)));
        self.several.next =
            (self.count.q.val() >> 1).any() && !(self.advanced.q.val() && (self.count.q.val() == bits::<WRITE_COUNT_BITS>(2)));
        self.leaves.next = self.head_valid.q.val() && self.out_ready.val();
        self.ready_here.d.next = self.filled.val() && self.answered.val();
        self.ready_behind.d.next = self.several.val() && self.next_answered.val();
        self.ready.next = self.ready_here.q.val();
        if self.advanced.q.val() {
            self.ready.next = self.ready_behind.q.val();
        }
        self.read_failed.next = ((self.failed.q.val() >> self.read.q.val()) & 1).any();
        self.advance.next = self.ready.val() && (!self.head_valid.q.val() || self.out_ready.val());
        self.advanced.d.next = self.advance.val();
        if self.advance.val() {
            self.head_valid.d.next = true;
            self.head.d.next = self.items.read_data.val();
            // A write error makes something of it: the end of a done operation with a write of its own.
            self.head_final.d.next = self.items.read_data.val().get_bit(0)
                && self.items.read_data.val().get_bit(2)
                && (self.items.read_data.val().get_bits::<5>(8) == bits::<5>(0));
            self.head_failed.d.next = self.read_failed.val();
            self.head_tells.d.next = self.items.read_data.val().get_bit(2)
                || (self.items.read_data.val().get_bit(1) && !(self.items.read_data.val().get_bit(0) && self.read_failed.val()));
            self.head_superseded.d.next = self.items.read_data.val().get_bit(4);
            self.read.d.next = self.after.q.val();
            self.after.d.next = self.after.q.val() + 1;
        } else if self.out_ready.val() {
            self.head_valid.d.next = false;
        }
        if self.clear.val() {
            self.head_superseded.d.next = false;
        }
        if self.push.val() {
            self.write.d.next = self.write.q.val() + 1;
        }
        // An item that has left is counted for one clock more. `push` comes late, and chooses between what the bits make of it: a carry
        // chain behind it would be the longest path of the registry.
        self.flips.next = bits::<WRITE_COUNT_BITS>(0);
        self.ones.next = true;
        self.zeros.next = true;
        for i in 0..WRITE_COUNT_BITS {
            if (self.push.val() && !self.advanced.q.val() && self.ones.val())
                || (self.advanced.q.val() && !self.push.val() && self.zeros.val())
            {
                self.flips.next = self.flips.val().replace_bit(i, true);
            }
            self.ones.next = self.ones.val() && self.count.q.val().get_bit(i);
            self.zeros.next = self.zeros.val() && !self.count.q.val().get_bit(i);
        }
        self.count.d.next = self.count.q.val() ^ self.flips.val();

        // A failed write marks the row until the operation in it ends.
        self.row_bit.next = bits::<ROWS>(0);
        self.clear_bit.next = bits::<ROWS>(0);
        for i in 0..ROWS {
            if self.head.q.val().get_bits::<ROW_BITS>(TOLD_BITS) == i.to_bits::<ROW_BITS>() {
                self.row_bit.next = self.row_bit.val().replace_bit(i, true);
            }
            if self.clear.val() && (self.clear_row.val() == i.to_bits::<ROW_BITS>()) {
                self.clear_bit.next = self.clear_bit.val().replace_bit(i, true);
            }
        }
        self.marked.next =
            self.head.q.val().get_bit(6) && ((self.row_failed.q.val() >> self.head.q.val().get_bits::<ROW_BITS>(TOLD_BITS)) & 1).any();
        self.row_failed.d.next = self.row_failed.q.val() & !self.clear_bit.val();
        if self.leaves.val() && self.head.q.val().get_bit(6) {
            if self.head.q.val().get_bit(7) {
                self.row_failed.d.next = self.row_failed.q.val() & !self.row_bit.val() & !self.clear_bit.val();
            } else if self.head_failed.q.val() {
                self.row_failed.d.next = (self.row_failed.q.val() & !self.clear_bit.val()) | self.row_bit.val();
            }
        }
        self.out_valid.next = self.head_valid.q.val();
        self.out_item.next = self.head.q.val();
        self.out_tells.next = self.head_tells.q.val();
        self.out_superseded.next = self.head_superseded.q.val();
        self.out_error.next = self.head_final.q.val() && (self.head_failed.q.val() || self.marked.val());
        if self.rst.val() {
            self.after.d.next = bits::<WRITE_BITS>(1);
        }
    }
}
