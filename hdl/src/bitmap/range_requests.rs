use super::AdvanceRequests;
use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Queue pairs that have received something above their base which their sender has not been told of, each at most once, in the order in which they
/// asked, with the first and the last segment of what that is.
///
/// What comes while a queue pair waits joins what waits: nothing is lost and nobody is stalled. Numbers further apart than a quarter of all are of
/// different lives of a queue pair, and the later one counts alone. First and last are those of a queue pair that has been taken exactly two clocks after that:
/// then whoever came too late to begin anew has joined, and who begins anew has not written yet.
/// Latency: 4 clocks. Throughput: one in and one out per clock. Reset: empty; `ready` comes `2^A` clocks after it.
/// `C` = `A + 1`; `QA` is `A` and at least 2, `QC` = `QA + 1`; `HB` is the width of a segment's number.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RangeRequests<const A: usize, const C: usize, const QA: usize, const QC: usize, const HB: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// a queue pair asks
    pub ask: Signal<In, Bit>,
    /// which
    pub ask_qp: Signal<In, Bits<A>>,
    /// from this segment
    pub ask_first: Signal<In, Bits<HB>>,
    /// to this one
    pub ask_last: Signal<In, Bits<HB>>,
    /// one waits
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// which
    pub out_qp: Signal<Out, Bits<A>>,
    /// queue pair that was taken two clocks ago
    pub read_qp: Signal<In, Bits<A>>,
    /// its first segment, same clock
    pub first: Signal<Out, Bits<HB>>,
    /// its last one
    pub last: Signal<Out, Bits<HB>>,
    requests: AdvanceRequests<A, C, QA, QC>,
    firsts: LutRam<HB, A>,
    lasts: LutRam<HB, A>,
    firsts_out: LutRam<HB, A>,
    lasts_out: LutRam<HB, A>,
    ask1: State<Bit>,
    qp1: Reg<Bits<A>>,
    ask_first1: Reg<Bits<HB>>,
    ask_last1: Reg<Bits<HB>>,
    first1: Reg<Bits<HB>>,
    last1: Reg<Bits<HB>>,
    // The one in front was of the same queue pair: what it has written.
    behind1: State<Bit>,
    first2: Reg<Bits<HB>>,
    last2: Reg<Bits<HB>>,
    old_first: Signal<Local, Bits<HB>>,
    old_last: Signal<Local, Bits<HB>>,
    from_first: Signal<Local, Bits<HB>>,
    from_last: Signal<Local, Bits<HB>>,
    joins: Signal<Local, Bit>,
    new_first: Signal<Local, Bits<HB>>,
    new_last: Signal<Local, Bits<HB>>,
}

impl<const A: usize, const C: usize, const QA: usize, const QC: usize, const HB: usize> Logic for RangeRequests<A, C, QA, QC, HB> {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.requests.ready.val();
        self.requests.ask.next = self.ask.val();
        self.requests.ask_qp.next = self.ask_qp.val();
        self.out_valid.next = self.requests.out_valid.val();
        self.out_qp.next = self.requests.out_qp.val();
        self.requests.out_ready.next = self.out_ready.val();

        self.firsts.read_address.next = self.ask_qp.val();
        self.lasts.read_address.next = self.ask_qp.val();
        self.ask1.d.next = self.ask.val();
        self.qp1.d.next = self.ask_qp.val();
        self.ask_first1.d.next = self.ask_first.val();
        self.ask_last1.d.next = self.ask_last.val();
        self.first1.d.next = self.firsts.read_data.val();
        self.last1.d.next = self.lasts.read_data.val();
        self.behind1.d.next = self.ask1.q.val() && (self.ask_qp.val() == self.qp1.q.val());

        self.old_first.next = self.first1.q.val();
        self.old_last.next = self.last1.q.val();
        if self.behind1.q.val() {
            self.old_first.next = self.first2.q.val();
            self.old_last.next = self.last2.q.val();
        }
        self.from_first.next = self.ask_first1.q.val() - self.old_first.val();
        self.from_last.next = self.ask_last1.q.val() - self.old_last.val();
        self.joins.next = self.requests.waits.val() && (self.from_last.val().get_bit(HB - 1) == self.from_last.val().get_bit(HB - 2));
        self.new_first.next = self.ask_first1.q.val();
        self.new_last.next = self.ask_last1.q.val();
        if self.joins.val() && !self.from_first.val().get_bit(HB - 1) {
            self.new_first.next = self.old_first.val();
        }
        if self.joins.val() && self.from_last.val().get_bit(HB - 1) {
            self.new_last.next = self.old_last.val();
        }
        self.first2.d.next = self.new_first.val();
        self.last2.d.next = self.new_last.val();
        self.firsts.write_enable.next = self.ask1.q.val();
        self.firsts.write_address.next = self.qp1.q.val();
        self.firsts.write_data.next = self.new_first.val();
        self.lasts.write_enable.next = self.ask1.q.val();
        self.lasts.write_address.next = self.qp1.q.val();
        self.lasts.write_data.next = self.new_last.val();
        self.firsts_out.write_enable.next = self.ask1.q.val();
        self.firsts_out.write_address.next = self.qp1.q.val();
        self.firsts_out.write_data.next = self.new_first.val();
        self.lasts_out.write_enable.next = self.ask1.q.val();
        self.lasts_out.write_address.next = self.qp1.q.val();
        self.lasts_out.write_data.next = self.new_last.val();
        self.firsts_out.read_address.next = self.read_qp.val();
        self.lasts_out.read_address.next = self.read_qp.val();
        self.first.next = self.firsts_out.read_data.val();
        self.last.next = self.lasts_out.read_data.val();
    }
}
