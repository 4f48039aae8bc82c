use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Triggers of `GapEvents` that came too late: a packet that was on its way past them while they were written has reached the depth
/// already.
///
/// Looks at the queue pair 5 clocks after its trigger was written, when the last packet that saw the old one has left its number.
/// Latency: 9 clocks. Throughput: one trigger per clock, until 4 queue pairs wait. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct TriggerCheck {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a trigger is written
    pub write: Signal<In, Bit>,
    /// queue pair
    pub qp: Signal<In, Bits<NODE_BITS>>,
    /// a gap waits
    pub any: Signal<In, Bit>,
    /// its first number, or its reference
    pub value: Signal<In, Bits<24>>,
    /// packets that a gap may be deep
    pub depth: Signal<In, Bits<22>>,
    /// depth is counted in later packets
    pub by_arrivals: Signal<In, Bit>,
    /// queue pair whose state is read
    pub check_qp: Signal<Out, Bits<NODE_BITS>>,
    /// highest number of `check`, 2 clocks later
    pub check_max: Signal<In, Bits<24>>,
    /// accepted packets of `check`
    pub check_count: Signal<In, Bits<24>>,
    /// a queue pair is to be judged
    pub out_valid: Signal<Out, Bit>,
    /// it is
    pub out_ready: Signal<In, Bit>,
    /// queue pair of `out`
    pub out_qp: Signal<Out, Bits<NODE_BITS>>,
    /// accepted packets of `out`
    pub out_count: Signal<Out, Bits<24>>,
    on: [State<Bit>; 7],
    pair: [Reg<Bits<NODE_BITS>>; 7],
    number: [Reg<Bits<24>>; 7],
    now: Signal<Local, Bits<24>>,
    limit: Reg<Bits<24>>,
    count: Reg<Bits<24>>,
    deeper: Signal<Local, Bits<24>>,
    queue: FifoLut<NODE_BITS, 2, 3>,
    values: FifoLut<24, 2, 3>,
}

impl Logic for TriggerCheck {
    #[kernel]
    fn update(&mut self) {
        self.on[0].d.next = self.write.val() && self.any.val();
        self.pair[0].d.next = self.qp.val();
        self.number[0].d.next = self.value.val();
        for i in 0..6 {
            self.on[i + 1].d.next = self.on[i].q.val();
            self.pair[i + 1].d.next = self.pair[i].q.val();
            self.number[i + 1].d.next = self.number[i].q.val();
        }
        self.check_qp.next = self.pair[3].q.val();
        self.now.next = self.check_max.val();
        if self.by_arrivals.val() {
            self.now.next = self.check_count.val();
        }
        self.limit.d.next = self.now.val() - bit_cast::<24, 22>(self.depth.val());
        self.deeper.next = self.number[6].q.val() - self.limit.q.val();
        self.queue.in_valid.next = self.on[6].q.val() && self.deeper.val().get_bit(23);
        self.queue.in_data.next = self.pair[6].q.val();
        self.count.d.next = self.check_count.val();
        self.values.in_valid.next = self.on[6].q.val() && self.deeper.val().get_bit(23);
        self.values.in_data.next = self.count.q.val();
        self.out_valid.next = self.queue.out_valid.val();
        self.queue.out_ready.next = self.out_ready.val();
        self.out_qp.next = self.queue.out_data.val();
        self.values.out_ready.next = self.out_ready.val();
        self.out_count.next = self.values.out_data.val();
    }
}
