use crate::primitives::{LutRam, Reg, State, Subtract};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Finds live entries without progress for `cfg_op_timeout` ticks, one at a time.
///
/// One row is looked at in 8 clocks. Its `fresh` bit is cleared first and read last, and once more when the timeout commits: any progress
/// between sets it, so a packet in the same clock wins.
/// Scan period: `8 * ROWS` clocks. Latency: an offered row stays offered until `settle`. Reset: nothing is offered.
/// Spec: receive registry, op timeout.
#[derive(Default, Described, LogicBlock)]
pub struct EntryTimer {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks without progress
    pub cfg_op_timeout: Signal<In, Bits<32>>,
    /// rows in use
    pub live: Signal<In, Bits<ROWS>>,
    /// one clock later: the row's number, if there is one
    pub touch: Signal<In, Bit>,
    /// row
    pub touch_row: Signal<In, Bits<ROW_BITS>>,
    /// a row is overdue
    pub offer: Signal<Out, Bit>,
    /// row that is looked at
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// the offered row has been dealt with
    pub settle: Signal<In, Bit>,
    /// rows with progress since they were last looked at
    pub fresh: Signal<Out, Bits<ROWS>>,

    last: LutRam<32, ROW_BITS>,
    q_fresh: State<Bits<ROWS>>,
    q_row: State<Bits<ROW_BITS>>,
    phase: State<Bits<3>>,
    touched_at: Reg<Bits<32>>,
    since_touched: Subtract<32, 16>,
    age: Reg<Bits<32>>,
    overdue: Reg<Bit>,
    offered: State<Bit>,
    touched: Signal<Local, Bits<ROWS>>,
    row_select: Signal<Local, Bits<ROWS>>,
    row_bit: Reg<Bits<ROWS>>,
    still: Reg<Bit>,
    found: Signal<Local, Bit>,
}

impl Logic for EntryTimer {
    #[kernel]
    fn update(&mut self) {
        self.last.write_enable.next = self.touch.val();
        self.last.write_address.next = self.touch_row.val();
        self.last.write_data.next = self.now.val();
        self.last.read_address.next = self.q_row.q.val();

        self.touched.next = bits::<ROWS>(0);
        self.row_select.next = bits::<ROWS>(0);
        for i in 0..ROWS {
            if self.touch.val() && (self.touch_row.val() == i.to_bits::<ROW_BITS>()) {
                self.touched.next = self.touched.val().replace_bit(i, true);
            }
            if self.q_row.q.val() == i.to_bits::<ROW_BITS>() {
                self.row_select.next = self.row_select.val().replace_bit(i, true);
            }
        }
        self.row_bit.d.next = self.row_select.val();
        // Progress in the last clocks is found out when the time-out is dealt with.
        self.still.d.next = (self.live.val() & self.row_bit.q.val() & !self.q_fresh.q.val()).any();
        self.found.next = !self.offered.q.val() && self.overdue.q.val() && self.still.q.val();

        self.touched_at.d.next = self.last.read_data.val();
        self.since_touched.a.next = self.now.val();
        self.since_touched.b.next = self.touched_at.q.val();
        self.age.d.next = self.since_touched.difference.val();
        self.overdue.d.next = self.age.q.val() > self.cfg_op_timeout.val();
        self.phase.d.next = self.phase.q.val() + 1;
        self.q_fresh.d.next = self.q_fresh.q.val() | self.touched.val();
        // In phase 0 `row_bit` is still that of the row before.
        if self.phase.q.val() == bits::<3>(1) {
            self.q_fresh.d.next = (self.q_fresh.q.val() & !self.row_bit.q.val()) | self.touched.val();
        }
        if self.phase.q.val() == bits::<3>(7) {
            if self.found.val() || (self.offered.q.val() && !self.settle.val()) {
                self.phase.d.next = bits::<3>(7);
                self.offered.d.next = true;
            } else {
                self.offered.d.next = false;
                self.q_row.d.next = self.q_row.q.val() + 1;
                if self.row_bit.q.val().get_bit(ROWS - 1) {
                    self.q_row.d.next = bits::<ROW_BITS>(0);
                }
            }
        }
        self.offer.next = self.offered.q.val();
        self.row.next = self.q_row.q.val();
        self.fresh.next = self.q_fresh.q.val();
    }
}
