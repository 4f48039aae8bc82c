use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Samples of the round trip become an estimate of it, and that a timeout, per node.
///
/// The first sample R makes the smoothed round trip R and the deviation R / 2. Each one more: the deviation is 3/4 of what it was and 1/4
/// of the distance from R to the smoothed round trip, that is then 7/8 of what it was and 1/8 of R. The smoothed one is kept in eighths of
/// a tick, the deviation in quarters; what is left of them is rounded up, and the distance is that from the whole ticks. The timeout is the
/// smoothed round trip, in whole ticks, and four deviations, which count as one tick if there is none; it is `cfg_floor` at least, is then
/// doubled as often as `doubles` has said since the last sample, up to seven times, and is `cfg_cap` at most. Before the first sample it is
/// `cfg_initial`; once that is doubled it has these limits, too.
///
/// Samples of one node are six clocks apart at least; `forgets` ends those of the node that are under way. A sample of fewer ticks than
/// `2^SAMPLE_BITS` is what it is, a longer one is the longest of these.
/// Latency: timeout 2 clocks; a sample shows in reads six clocks behind it, `doubles` and `forgets` in the next clock. Throughput: one of
/// each per clock. Reset: no samples.
/// Spec: RFC 6298, section 2; the scales are those of the kernels since BSD.
#[derive(Default, Described, LogicBlock)]
pub struct RoundTripEstimate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// ticks of the timeout before the first sample
    pub cfg_initial: Signal<In, Bits<TICK_BITS>>,
    /// ticks that it has at least otherwise
    pub cfg_floor: Signal<In, Bits<TICK_BITS>>,
    /// ticks that it has at most otherwise
    pub cfg_cap: Signal<In, Bits<TICK_BITS>>,
    /// a sample
    pub sample_valid: Signal<In, Bit>,
    /// of this node
    pub sample_node: Signal<In, Bits<NODE_BITS>>,
    /// the tick in which it began
    pub sample_begun: Signal<In, Bits<TICK_BITS>>,
    /// that in which it ended
    pub sample_now: Signal<In, Bits<TICK_BITS>>,
    /// nodes whose sample counts from the next clock on
    pub landed: Signal<Out, Bits<NODES>>,
    /// nodes whose timeout is doubled
    pub doubles: Signal<In, Bits<NODES>>,
    /// a node is forgotten
    pub forget_valid: Signal<In, Bit>,
    /// this one
    pub forget_node: Signal<In, Bits<NODE_BITS>>,
    /// the same, one bit for each node
    pub forgets: Signal<In, Bits<NODES>>,
    /// whose timeout is asked for
    pub read_node: Signal<In, Bits<NODE_BITS>>,
    /// ticks
    pub timeout: Signal<Out, Bits<TICK_BITS>>,

    // Nodes that have had a sample.
    known: State<Bits<NODES>>,
    // How often each timeout is doubled, low bits of all nodes first.
    ones: State<Bits<NODES>>,
    twos: State<Bits<NODES>>,
    fours: State<Bits<NODES>>,
    more: Signal<Local, Bits<NODES>>,
    over: Signal<Local, Bits<NODES>>,
    // Low bits first: the smoothed round trip in eighths, the deviation in quarters.
    estimates: LutRam<ESTIMATE_BITS, NODE_BITS>,
    // Timeouts without their limits.
    sums: LutRam<SMOOTHED_BITS, NODE_BITS>,

    valid1: State<Bit>,
    valid2: State<Bit>,
    valid3: State<Bit>,
    valid4: State<Bit>,
    node1: Reg<Bits<NODE_BITS>>,
    node2: Reg<Bits<NODE_BITS>>,
    node3: Reg<Bits<NODE_BITS>>,
    node4: Reg<Bits<NODE_BITS>>,
    node5: Reg<Bits<NODE_BITS>>,
    ticks1: Reg<Bits<TICK_BITS>>,
    length2: Reg<Bits<SAMPLE_BITS>>,
    word2: Reg<Bits<ESTIMATE_BITS>>,
    first2: Reg<Bit>,
    old_smoothed: Signal<Local, Bits<SMOOTHED_BITS>>,
    old_deviation: Signal<Local, Bits<DEVIATION_BITS>>,
    // Whole ticks from the smoothed round trip to the sample, with their sign.
    error3: Reg<Bits<ERROR_BITS>>,
    smoothed3: Reg<Bits<SMOOTHED_BITS>>,
    deviation3: Reg<Bits<DEVIATION_BITS>>,
    correction: Signal<Local, Bits<SMOOTHED_BITS>>,
    inverse: Signal<Local, Bits<ERROR_BITS>>,
    // Twice the deviation and twice what is added to it, with a carry for an error that is negative.
    carried: Signal<Local, Bits<SMOOTHED_BITS>>,
    twice: Signal<Local, Bits<SMOOTHED_BITS>>,
    smoothed4: Reg<Bits<SMOOTHED_BITS>>,
    deviation4: Reg<Bits<DEVIATION_BITS>>,
    spread: Signal<Local, Bits<DEVIATION_BITS>>,
    sum5: Reg<Bits<SMOOTHED_BITS>>,
    landed5: State<Bits<NODES>>,

    is_known: Signal<Local, Bit>,
    times: Signal<Local, Bits<3>>,
    sum: Signal<Local, Bits<TICK_BITS>>,
    base1: Reg<Bits<TICK_BITS>>,
    times1: Reg<Bits<3>>,
    exact1: Reg<Bit>,
    cap1: Reg<Bits<TICK_BITS>>,
    doubled: Signal<Local, Bits<DOUBLED_BITS>>,
    timeout2: Reg<Bits<TICK_BITS>>,
}

impl Logic for RoundTripEstimate {
    #[kernel]
    fn update(&mut self) {
        // Clock 1: the sample.
        self.valid1.d.next = self.sample_valid.val() && !(self.forget_valid.val() && self.forget_node.val() == self.sample_node.val());
        self.node1.d.next = self.sample_node.val();
        self.ticks1.d.next = self.sample_now.val() - self.sample_begun.val();

        // Clock 2: not too long; the estimate so far.
        self.valid2.d.next = self.valid1.q.val() && !(self.forget_valid.val() && self.forget_node.val() == self.node1.q.val());
        self.node2.d.next = self.node1.q.val();
        self.length2.d.next = self.ticks1.q.val().get_bits::<SAMPLE_BITS>(0);
        if (self.ticks1.q.val() >> SAMPLE_BITS.to_bits::<5>()).any() {
            self.length2.d.next = !bits::<SAMPLE_BITS>(0);
        }
        self.estimates.read_address.next = self.node1.q.val();
        self.word2.d.next = self.estimates.read_data.val();
        self.first2.d.next = !((self.known.q.val() >> self.node1.q.val()) & 1).any();

        // Clock 3: how far they are from each other. A first sample is not far from itself.
        self.valid3.d.next = self.valid2.q.val() && !(self.forget_valid.val() && self.forget_node.val() == self.node2.q.val());
        self.node3.d.next = self.node2.q.val();
        self.old_smoothed.next = self.word2.q.val().get_bits::<SMOOTHED_BITS>(0);
        self.old_deviation.next = self.word2.q.val().get_bits::<DEVIATION_BITS>(SMOOTHED_BITS);
        self.smoothed3.d.next = self.old_smoothed.val();
        self.deviation3.d.next = self.old_deviation.val() - (self.old_deviation.val() >> 2);
        self.error3.d.next = bit_cast::<ERROR_BITS, SAMPLE_BITS>(self.length2.q.val())
            - bit_cast::<ERROR_BITS, SAMPLE_BITS>(self.old_smoothed.val().get_bits::<SAMPLE_BITS>(3));
        if self.first2.q.val() {
            self.smoothed3.d.next = bit_cast::<SMOOTHED_BITS, SAMPLE_BITS>(self.length2.q.val()) << 3;
            self.deviation3.d.next = bit_cast::<DEVIATION_BITS, SAMPLE_BITS>(self.length2.q.val()) << 1;
            self.error3.d.next = bits::<ERROR_BITS>(0);
        }

        // Clock 4: the estimate moves there.
        self.valid4.d.next = self.valid3.q.val() && !(self.forget_valid.val() && self.forget_node.val() == self.node3.q.val());
        self.node4.d.next = self.node3.q.val();
        self.inverse.next = !self.error3.q.val();
        self.correction.next = bit_cast::<SMOOTHED_BITS, ERROR_BITS>(self.error3.q.val());
        self.carried.next = bit_cast::<SMOOTHED_BITS, ERROR_BITS>(self.error3.q.val()) << 1;
        if self.error3.q.val().get_bit(SAMPLE_BITS) {
            self.correction.next =
                bit_cast::<SMOOTHED_BITS, ERROR_BITS>(self.error3.q.val()) | (!bits::<SMOOTHED_BITS>(0) << ERROR_BITS.to_bits::<5>());
            self.carried.next = (bit_cast::<SMOOTHED_BITS, ERROR_BITS>(self.inverse.val()) << 1) | 1;
        }
        self.smoothed4.d.next = self.smoothed3.q.val() + self.correction.val();
        self.twice.next = ((bit_cast::<SMOOTHED_BITS, DEVIATION_BITS>(self.deviation3.q.val()) << 1) | 1) + self.carried.val();
        self.deviation4.d.next = self.twice.val().get_bits::<DEVIATION_BITS>(1);

        // Clock 5: it is kept, and the timeout follows.
        self.estimates.write_enable.next = self.valid4.q.val();
        self.estimates.write_address.next = self.node4.q.val();
        self.estimates.write_data.next = bit_cast::<ESTIMATE_BITS, SMOOTHED_BITS>(self.smoothed4.q.val())
            | (bit_cast::<ESTIMATE_BITS, DEVIATION_BITS>(self.deviation4.q.val()) << SMOOTHED_BITS.to_bits::<5>());
        self.spread.next = self.deviation4.q.val();
        if !self.deviation4.q.val().any() {
            self.spread.next = bits::<DEVIATION_BITS>(1);
        }
        self.sum5.d.next = bit_cast::<SMOOTHED_BITS, SAMPLE_BITS>(self.smoothed4.q.val().get_bits::<SAMPLE_BITS>(3))
            + bit_cast::<SMOOTHED_BITS, DEVIATION_BITS>(self.spread.val());
        self.node5.d.next = self.node4.q.val();
        self.landed5.d.next = bits::<NODES>(0);
        if self.valid4.q.val() && !(self.forget_valid.val() && self.forget_node.val() == self.node4.q.val()) {
            self.landed5.d.next = bits::<NODES>(1) << self.node4.q.val();
        }

        // Clock 6: the timeout is kept.
        self.sums.write_enable.next = self.landed5.q.val().any();
        self.sums.write_address.next = self.node5.q.val();
        self.sums.write_data.next = self.sum5.q.val();
        self.landed.next = self.landed5.q.val();
        self.known.d.next = (self.known.q.val() | self.landed5.q.val()) & !self.forgets.val();
        self.more.next = self.doubles.val() & !(self.ones.q.val() & self.twos.q.val() & self.fours.q.val());
        self.over.next = self.landed5.q.val() | self.forgets.val();
        self.ones.d.next = (self.ones.q.val() ^ self.more.val()) & !self.over.val();
        self.twos.d.next = (self.twos.q.val() ^ (self.more.val() & self.ones.q.val())) & !self.over.val();
        self.fours.d.next = (self.fours.q.val() ^ (self.more.val() & self.ones.q.val() & self.twos.q.val())) & !self.over.val();

        // A read, clock 1: the timeout and its lower limit.
        self.sums.read_address.next = self.read_node.val();
        self.is_known.next = ((self.known.q.val() >> self.read_node.val()) & 1).any();
        self.times.next = bits::<3>(0);
        self.times.next = self.times.val().replace_bit(0, ((self.ones.q.val() >> self.read_node.val()) & 1).any());
        self.times.next = self.times.val().replace_bit(1, ((self.twos.q.val() >> self.read_node.val()) & 1).any());
        self.times.next = self.times.val().replace_bit(2, ((self.fours.q.val() >> self.read_node.val()) & 1).any());
        self.sum.next = bit_cast::<TICK_BITS, SMOOTHED_BITS>(self.sums.read_data.val());
        self.base1.d.next = self.cfg_initial.val();
        if self.is_known.val() {
            self.base1.d.next = self.sum.val();
            if self.sum.val() < self.cfg_floor.val() {
                self.base1.d.next = self.cfg_floor.val();
            }
        } else if self.times.val().any() && self.cfg_initial.val() < self.cfg_floor.val() {
            self.base1.d.next = self.cfg_floor.val();
        }
        self.exact1.d.next = !self.is_known.val() && !self.times.val().any();
        self.times1.d.next = self.times.val();
        self.cap1.d.next = self.cfg_cap.val();

        // Clock 2: doubled, and the upper limit.
        self.doubled.next = bit_cast::<DOUBLED_BITS, TICK_BITS>(self.base1.q.val()) << self.times1.q.val();
        self.timeout2.d.next = self.doubled.val().get_bits::<TICK_BITS>(0);
        if !self.exact1.q.val() && self.doubled.val() > bit_cast::<DOUBLED_BITS, TICK_BITS>(self.cap1.q.val()) {
            self.timeout2.d.next = self.cap1.q.val();
        }
        self.timeout.next = self.timeout2.q.val();
    }
}
