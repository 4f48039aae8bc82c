use super::AdvanceRequests;
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Queue pairs that have received something above their base which their sender has not been told of, each at most once, in the order in
/// which they asked, with the first and the last segment of what that is.
///
/// What comes while a queue pair waits joins what waits: nothing is lost and nobody is stalled. Numbers further apart than a quarter of all
/// are of different lives of a queue pair, and the later one counts alone. First and last are those of a queue pair that has been taken
/// exactly two clocks after that: then whoever came too late to begin anew has joined, and who begins anew has not written yet.
/// Latency: 4 clocks. Throughput: one in and one out per clock. Reset: empty; `ready` comes `2^NODE_BITS` clocks after it.
/// `NODE_COUNT_BITS` = `NODE_BITS + 1`; `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`;
/// `SEGMENT_REST_BITS` is the width of a segment's number.
#[derive(Default, Described, LogicBlock)]
pub struct RangeRequests {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// a queue pair asks
    pub ask: Signal<In, Bit>,
    /// queue pair of `ask`
    pub ask_qp: Signal<In, Bits<NODE_BITS>>,
    /// from this segment
    pub ask_first: Signal<In, Bits<SEGMENT_REST_BITS>>,
    /// to this one
    pub ask_last: Signal<In, Bits<SEGMENT_REST_BITS>>,
    /// one waits
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// queue pair of `out`
    pub out_qp: Signal<Out, Bits<NODE_BITS>>,
    /// queue pair that was taken two clocks ago
    pub read_qp: Signal<In, Bits<NODE_BITS>>,
    /// its first segment, same clock
    pub first: Signal<Out, Bits<SEGMENT_REST_BITS>>,
    /// its last one
    pub last: Signal<Out, Bits<SEGMENT_REST_BITS>>,
    requests: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    firsts: LutRam<SEGMENT_REST_BITS, NODE_BITS>,
    lasts: LutRam<SEGMENT_REST_BITS, NODE_BITS>,
    firsts_out: LutRam<SEGMENT_REST_BITS, NODE_BITS>,
    lasts_out: LutRam<SEGMENT_REST_BITS, NODE_BITS>,
    ask1: State<Bit>,
    qp1: Reg<Bits<NODE_BITS>>,
    ask_first1: Reg<Bits<SEGMENT_REST_BITS>>,
    ask_last1: Reg<Bits<SEGMENT_REST_BITS>>,
    first1: Reg<Bits<SEGMENT_REST_BITS>>,
    last1: Reg<Bits<SEGMENT_REST_BITS>>,
    // The one in front was of the same queue pair: what it has written.
    behind1: State<Bit>,
    first2: Reg<Bits<SEGMENT_REST_BITS>>,
    last2: Reg<Bits<SEGMENT_REST_BITS>>,
    old_first: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    old_last: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    from_first: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    from_last: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    joins: Signal<Local, Bit>,
    new_first: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    new_last: Signal<Local, Bits<SEGMENT_REST_BITS>>,
}

impl Logic for RangeRequests {
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
        self.joins.next = self.requests.waits.val()
            && (self.from_last.val().get_bit(SEGMENT_REST_BITS - 1) == self.from_last.val().get_bit(SEGMENT_REST_BITS - 2));
        self.new_first.next = self.ask_first1.q.val();
        self.new_last.next = self.ask_last1.q.val();
        if self.joins.val() && !self.from_first.val().get_bit(SEGMENT_REST_BITS - 1) {
            self.new_first.next = self.old_first.val();
        }
        if self.joins.val() && self.from_last.val().get_bit(SEGMENT_REST_BITS - 1) {
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
