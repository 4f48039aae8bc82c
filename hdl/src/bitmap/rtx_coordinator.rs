use crate::primitives::{FifoBlock, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Retransmission coordinator: which queue pair sends again next, whether it may now, and how many packets go together.
///
/// Queue pairs with pending packets wait in a queue, each once; who has looked at one puts it back while packets of it are pending: so they
/// take turns. `cfg_mode` 0, single: each packet by itself; 1, interval: a run of pending packets; 2, aggregated: pending packets that are
/// at most `cfg_merge` apart go together with what lies between them, unless that has arrived or has been sent again already; and a queue
/// pair waits for more than `cfg_aggregate` ticks after its first packet has become pending. At most `cfg_window` packets of a queue pair
/// are sent again and not acknowledged. The scan looks at one packet per clock, from the first one that is pending on, and asks for the
/// segments' states.
/// Latency: `ready` and `room` 3 clocks from what they depend on; a scan 9 clocks for each segment and one for each packet. Reset: the
/// queue is empty.
/// Spec: bitmap loss detection, "Retransmission coordinator". `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` =
/// `NODE_QUEUE_BITS + 1`; `WINDOW_COUNT_BITS`, `WINDOW_SEGMENTS_COUNT_BITS`, `SEGMENT_BITS` see `SegmentMasks`.
#[derive(Default, Described, LogicBlock)]
pub struct RtxCoordinator {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// 0 single, 1 interval, 2 aggregated
    pub cfg_mode: Signal<In, Bits<2>>,
    /// ticks for which more packets may come
    pub cfg_aggregate: Signal<In, Bits<32>>,
    /// packets between two that go together
    pub cfg_merge: Signal<In, Bits<8>>,
    /// packets sent again and not acknowledged
    pub cfg_window: Signal<In, Bits<16>>,
    /// a queue pair waits from now on
    pub enqueue: Signal<In, Bit>,
    /// queue pair of `enqueue`
    pub enqueue_qp: Signal<In, Bits<NODE_BITS>>,
    /// one waits
    pub turn_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `turn_valid` is high too
    pub turn_ready: Signal<In, Bit>,
    /// queue pair of `turn`
    pub turn_qp: Signal<Out, Bits<NODE_BITS>>,
    /// tick in which the first packet of a queue pair became pending
    pub since: Signal<In, Bits<32>>,
    /// packets of it that are sent again and not acknowledged
    pub again: Signal<In, Bits<16>>,
    /// it has waited for long enough, 3 clocks later
    pub waited: Signal<Out, Bit>,
    /// packets that it may send again
    pub room: Signal<Out, Bits<16>>,
    /// a scan begins
    pub scan: Signal<In, Bit>,
    /// first packet, from the start of the segment of the base
    pub scan_from: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// next packet to be sent
    pub scan_end: Signal<In, Bits<WINDOW_COUNT_BITS>>,
    /// packets that may go together
    pub scan_most: Signal<In, Bits<16>>,
    /// a segment's states are needed
    pub fetch: Signal<Out, Bit>,
    /// k of `fetch`
    pub fetch_k: Signal<Out, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    /// they are there
    pub word_valid: Signal<In, Bit>,
    /// upper bits
    pub high: Signal<In, Bits<SEGMENT>>,
    /// middle bits
    pub middle: Signal<In, Bits<SEGMENT>>,
    /// lower bits
    pub low: Signal<In, Bits<SEGMENT>>,
    /// the scan has ended
    pub done: Signal<Out, Bit>,
    /// packets that go together
    pub length: Signal<Out, Bits<16>>,
    waiting: FifoBlock<NODE_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    passed1: Reg<Bits<32>>,
    waited2: Reg<Bit>,
    room1: Reg<Bits<16>>,
    room2: Reg<Bits<16>>,
    is_over1: Signal<Local, Bit>,
    // 0 idle, 1 asks, 2 waits for the word, 3 looks, 4 lets the last ones pass, 5 whether there is another word.
    step: State<Bits<3>>,
    at: Reg<Bits<WINDOW_COUNT_BITS>>,
    limit: Reg<Bits<WINDOW_COUNT_BITS>>,
    most: Reg<Bits<16>>,
    reach: Reg<Bits<8>>,
    word_high: Reg<Bits<SEGMENT>>,
    word_middle: Reg<Bits<SEGMENT>>,
    word_low: Reg<Bits<SEGMENT>>,
    position: Signal<Local, Bits<SEGMENT_BITS>>,
    is_high: Signal<Local, Bit>,
    is_middle: Signal<Local, Bit>,
    is_low: Signal<Local, Bit>,
    look: Signal<Local, Bit>,
    is_end: Signal<Local, Bit>,
    look1: State<Bit>,
    pending1: Reg<Bit>,
    first1: Reg<Bit>,
    seen: Reg<Bits<16>>,
    apart: Reg<Bits<8>>,
    counted: Reg<Bits<16>>,
    stopped: Reg<Bit>,
    stop: Signal<Local, Bit>,
    ended: State<Bit>,
}

impl Logic for RtxCoordinator {
    #[kernel]
    fn update(&mut self) {
        self.waiting.in_valid.next = self.enqueue.val();
        self.waiting.in_data.next = self.enqueue_qp.val();
        self.turn_valid.next = self.waiting.out_valid.val();
        self.turn_qp.next = self.waiting.out_data.val();
        self.waiting.out_ready.next = self.turn_ready.val();

        // Whether it may.
        self.passed1.d.next = self.now.val() - self.since.val();
        self.room1.d.next = self.cfg_window.val() - self.again.val();
        self.is_over1.next = self.cfg_window.val() < self.again.val();
        if self.is_over1.val() {
            self.room1.d.next = bits::<16>(0);
        }
        self.waited2.d.next = (self.cfg_mode.val() != bits::<2>(2)) || (self.cfg_aggregate.val() < self.passed1.q.val());
        self.room2.d.next = self.room1.q.val();
        self.waited.next = self.waited2.q.val();
        self.room.next = self.room2.q.val();

        // How many.
        self.reach.d.next = bits::<8>(0);
        if self.cfg_mode.val() == bits::<2>(2) {
            self.reach.d.next = self.cfg_merge.val();
        }
        self.fetch.next = self.step.q.val() == bits::<3>(1);
        self.fetch_k.next = self.at.q.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS);
        self.position.next = self.at.q.val().get_bits::<SEGMENT_BITS>(0);
        self.is_end.next = self.at.q.val() == self.limit.q.val();
        self.look.next = (self.step.q.val() == bits::<3>(3)) && !self.is_end.val();
        self.look1.d.next = self.look.val();
        self.is_high.next = ((self.word_high.q.val() >> self.position.val()) & 1).any();
        self.is_middle.next = ((self.word_middle.q.val() >> self.position.val()) & 1).any();
        self.is_low.next = ((self.word_low.q.val() >> self.position.val()) & 1).any();
        self.pending1.d.next = !self.is_high.val() && self.is_middle.val() && !self.is_low.val();
        self.first1.d.next = !self.is_high.val() && !self.is_middle.val();

        // The packet that was looked at: one more of them, one between them, or the end.
        self.stop.next = false;
        if self.look1.q.val() && !self.stopped.q.val() {
            self.seen.d.next = self.seen.q.val() + 1;
            if self.seen.q.val() == self.most.q.val() {
                self.stop.next = true;
            } else if self.pending1.q.val() {
                self.counted.d.next = self.seen.q.val() + 1;
                self.apart.d.next = bits::<8>(0);
            } else if self.first1.q.val() && (self.apart.q.val() < self.reach.q.val()) {
                self.apart.d.next = self.apart.q.val() + 1;
            } else {
                self.stop.next = true;
            }
        }
        if self.stop.val() {
            self.stopped.d.next = true;
        }
        self.done.next = self.ended.q.val();
        self.length.next = self.counted.q.val();
        self.ended.d.next = false;
        if self.step.q.val() == bits::<3>(1) {
            self.step.d.next = bits::<3>(2);
        } else if self.step.q.val() == bits::<3>(2) {
            if self.word_valid.val() {
                self.step.d.next = bits::<3>(3);
                self.word_high.d.next = self.high.val();
                self.word_middle.d.next = self.middle.val();
                self.word_low.d.next = self.low.val();
            }
        } else if self.step.q.val() == bits::<3>(3) {
            if self.look.val() {
                self.at.d.next = self.at.q.val() + 1;
                if self.position.val().all() {
                    self.step.d.next = bits::<3>(5);
                }
            }
            if self.is_end.val() || self.stopped.q.val() {
                self.step.d.next = bits::<3>(4);
            }
        } else if self.step.q.val() == bits::<3>(5) {
            self.step.d.next = bits::<3>(1);
            if self.is_end.val() || self.stopped.q.val() {
                self.step.d.next = bits::<3>(4);
            }
        } else if self.step.q.val() == bits::<3>(4) {
            self.ended.d.next = true;
            self.step.d.next = bits::<3>(0);
        }
        if self.scan.val() {
            self.at.d.next = self.scan_from.val();
            self.limit.d.next = self.scan_end.val();
            self.most.d.next = self.scan_most.val();
            self.seen.d.next = bits::<16>(0);
            self.apart.d.next = bits::<8>(0);
            self.counted.d.next = bits::<16>(0);
            self.stopped.d.next = false;
            self.step.d.next = bits::<3>(1);
        }
    }
}
