use super::TRY_BITS;
use crate::bus::Frames;
use crate::primitives::{Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Head and payload as one frame, with zeros for pad and ICRC behind the payload.
///
/// A head has one of six lengths, so the payload is moved by one of six distances. A close goes with the frame under way, unless that has
/// one beat or a close already; every other job without a frame passes in a clock of its own and shows nothing. When the last beat of a
/// frame has been taken, or a job without frame has passed, the outside is told what that means: a packet was sent, a first transmission is
/// over, an operation is closed.
/// Latency: 4 clocks from head and payload to the first beat; 1 from the last beat to `sent_valid`, `op_done_valid`, `closed_valid`.
/// Throughput: one beat per clock, frames back to back, as long as payload comes. Reset: empty; a frame under way ends there.
/// Spec: wire format.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct FrameJoin {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a job
    pub head_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `head_valid` is high too
    pub head_ready: Signal<Out, Bit>,
    /// it has a frame
    pub head_frame: Signal<In, Bit>,
    /// it counts as sent
    pub head_sent: Signal<In, Bit>,
    /// it ends a first transmission
    pub head_last: Signal<In, Bit>,
    /// nothing of its operation follows any more
    pub head_closed: Signal<In, Bit>,
    /// operation of `head`
    pub head_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub head_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub head_try: Signal<In, Bits<TRY_BITS>>,
    /// bytes of its head, one of six: 78, 82, 86, 98, 102, 106; without OpETH 8 less
    pub head_form: Signal<In, Bits<6>>,
    /// bytes of its frame, ICRC included
    pub head_total: Signal<In, Bits<13>>,
    /// bytes of its payload
    pub head_bytes: Signal<In, Bits<13>>,
    /// head of `head`, first byte in the lowest bits; zero behind it
    pub head_data: Signal<In, Bits<848>>,
    /// a beat of payload, in the order of the heads
    pub payload_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `payload_valid` is high too
    pub payload_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits; behind the payload anything
    pub payload_data: Signal<In, Bits<DATA_WIDTH>>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// one clock: a packet has been sent
    pub sent_valid: Signal<Out, Bit>,
    /// operation of `sent`; also that of the next one
    pub sent_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub sent_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it was
    pub sent_try: Signal<Out, Bits<TRY_BITS>>,
    /// one clock: the first transmission of all packets of `sent_op` is over
    pub op_done_valid: Signal<Out, Bit>,
    /// one clock: nothing here names `closed_op` any more
    pub closed_valid: Signal<Out, Bit>,
    /// an operation that was closed
    pub closed_op: Signal<Out, Bits<OP_BITS>>,
    /// one clock: a close has been taken that goes with the frame under way
    pub absorbed: Signal<Out, Bit>,
    /// one clock: a job is over
    pub done: Signal<Out, Bit>,
    /// counts frames
    pub evt_frame: Signal<Out, Bit>,

    // The job under way: what is left of its head, frame and payload.
    busy: State<Bit>,
    first: Reg<Bit>,
    frame: Reg<Bit>,
    sent: Reg<Bit>,
    over: Reg<Bit>,
    closes: Reg<Bit>,
    close_op: Reg<Bits<OP_BITS>>,
    absorbs: Signal<Local, Bit>,
    op: Reg<Bits<OP_BITS>>,
    packet: Reg<Bits<POSITION_BITS>>,
    tries: Reg<Bits<TRY_BITS>>,
    form: Reg<Bits<6>>,
    head: Reg<Bits<848>>,
    left: Reg<Bits<13>>,
    bytes: Reg<Bits<13>>,
    // Beats of head alone.
    skip: Reg<Bits<4>>,
    whole: Vec<Constant<Bits<4>>>,
    skips: Vec<Signal<Local, Bits<4>>>,
    beat: Signal<Local, Bits<13>>,
    wants: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,

    // A beat: its part of the head, its payload before it is moved.
    valid1: State<Bit>,
    first1: Reg<Bit>,
    last1: Reg<Bit>,
    frame1: Reg<Bit>,
    sent1: Reg<Bit>,
    over1: Reg<Bit>,
    closes1: Reg<Bit>,
    op1: Reg<Bits<OP_BITS>>,
    close_op1: Reg<Bits<OP_BITS>>,
    packet1: Reg<Bits<POSITION_BITS>>,
    tries1: Reg<Bits<TRY_BITS>>,
    form1: Reg<Bits<6>>,
    head1: Reg<Bits<DATA_WIDTH>>,
    payload1: Reg<Bits<DATA_WIDTH>>,
    own1: Reg<Bits<LANE_COUNT_BITS>>,
    kept1: Reg<Bits<LANE_COUNT_BITS>>,
    beyond: ThermometerMask<DATA_WIDTH, LANE_SHIFT_BITS, 0>,

    // Payload alone, this beat's and the one's before it.
    valid2: State<Bit>,
    last2: Reg<Bit>,
    frame2: Reg<Bit>,
    sent2: Reg<Bit>,
    over2: Reg<Bit>,
    closes2: Reg<Bit>,
    op2: Reg<Bits<OP_BITS>>,
    close_op2: Reg<Bits<OP_BITS>>,
    packet2: Reg<Bits<POSITION_BITS>>,
    tries2: Reg<Bits<TRY_BITS>>,
    form2: Reg<Bits<6>>,
    head2: Reg<Bits<DATA_WIDTH>>,
    payload2: Reg<Bits<DATA_WIDTH>>,
    before2: Reg<Bits<DATA_WIDTH>>,
    kept2: Reg<Bits<LANE_COUNT_BITS>>,
    #[variant]
    _plain: usize,
    up: Vec<Constant<Bits<12>>>,
    down: Vec<Constant<Bits<12>>>,
    joined: Vec<Signal<Local, Bits<DATA_WIDTH>>>,
    unkept: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,

    valid3: State<Bit>,
    last3: Reg<Bit>,
    frame3: Reg<Bit>,
    sent3: Reg<Bit>,
    over3: Reg<Bit>,
    closes3: Reg<Bit>,
    op3: Reg<Bits<OP_BITS>>,
    close_op3: Reg<Bits<OP_BITS>>,
    packet3: Reg<Bits<POSITION_BITS>>,
    tries3: Reg<Bits<TRY_BITS>>,
    data3: Reg<Bits<DATA_WIDTH>>,
    keep3: Reg<Bits<DATA_BYTES>>,
    leaves: Signal<Local, Bit>,

    told_sent: State<Bit>,
    told_over: State<Bit>,
    told_closed: State<Bit>,
    told_done: State<Bit>,
    told_frame: State<Bit>,
    told_op: Reg<Bits<OP_BITS>>,
    told_close_op: Reg<Bits<OP_BITS>>,
    told_packet: Reg<Bits<POSITION_BITS>>,
    told_try: Reg<Bits<TRY_BITS>>,
}

/// Bytes of a head, by the bit of its form: two optional words and 20 bytes more with IPv6.
const HEADS: [usize; 6] = [78, 82, 86, 98, 102, 106];

/// Bytes of OpETH, which heads lack where packets say nothing of operations.
const OP_ETH: usize = 8;

impl FrameJoin {
    /// One for heads without OpETH: each is 8 bytes shorter.
    pub fn plain() -> Self {
        let heads = HEADS.map(|bytes| bytes - OP_ETH);
        Self {
            _plain: 1,
            whole: heads.iter().map(|bytes| Constant::new(bits::<4>((bytes / DATA_BYTES) as u64))).collect(),
            up: heads.iter().map(|bytes| Constant::new(bits::<12>((8 * (bytes % DATA_BYTES)) as u64))).collect(),
            down: heads.iter().map(|bytes| Constant::new(bits::<12>((DATA_WIDTH - 8 * (bytes % DATA_BYTES)) as u64))).collect(),
            ..Self::default()
        }
    }
}

impl Default for FrameJoin {
    fn default() -> Self {
        Self {
            _plain: 0,
            whole: HEADS.iter().map(|bytes| Constant::new(bits::<4>((bytes / DATA_BYTES) as u64))).collect(),
            skips: (0..=HEADS.len()).map(|_| Default::default()).collect(),
            up: HEADS.iter().map(|bytes| Constant::new(bits::<12>((8 * (bytes % DATA_BYTES)) as u64))).collect(),
            down: HEADS.iter().map(|bytes| Constant::new(bits::<12>((DATA_WIDTH - 8 * (bytes % DATA_BYTES)) as u64))).collect(),
            joined: (0..=HEADS.len()).map(|_| Default::default()).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for FrameJoin {
    #[kernel]
    fn update(&mut self) {
        // The job, one beat after the other.
        self.beat.next = bits::<13>(1) << LANE_BITS.to_bits::<4>();
        self.moves.next = self.out.ready.val() || !self.valid3.q.val() || !self.frame3.q.val();
        self.wants.next = !self.skip.q.val().any() && self.bytes.q.val().any();
        self.goes.next = self.busy.q.val() && self.moves.val() && (self.payload_valid.val() || !self.wants.val());
        self.payload_ready.next = self.busy.q.val() && self.moves.val() && self.wants.val();
        self.ends.next = self.left.q.val() <= self.beat.val();
        self.loads.next = !self.busy.q.val() || (self.goes.val() && self.ends.val());
        self.absorbs.next = self.head_valid.val()
            && self.head_closed.val()
            && !self.head_frame.val()
            && !self.head_sent.val()
            && !self.closes.q.val()
            && !self.loads.val();
        self.head_ready.next = self.loads.val() || self.absorbs.val();
        self.absorbed.next = self.absorbs.val();
        if self.absorbs.val() {
            self.closes.d.next = true;
            self.close_op.d.next = self.head_op.val();
        }
        if self.goes.val() {
            self.first.d.next = false;
            self.head.d.next = self.head.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.left.d.next = self.left.q.val() - self.beat.val();
            if self.skip.q.val().any() {
                self.skip.d.next = self.skip.q.val() - 1;
            } else if self.bytes.q.val() <= self.beat.val() {
                self.bytes.d.next = bits::<13>(0);
            } else {
                self.bytes.d.next = self.bytes.q.val() - self.beat.val();
            }
        }
        self.skips[0].next = bits::<4>(0);
        for i in 0..6 {
            self.skips[i + 1].next = self.skips[i].val();
            if self.head_form.val().get_bit(i) {
                self.skips[i + 1].next = self.skips[i].val() | self.whole[i].val();
            }
        }
        if self.loads.val() {
            self.busy.d.next = self.head_valid.val();
            self.first.d.next = true;
            self.frame.d.next = self.head_frame.val();
            self.sent.d.next = self.head_sent.val();
            self.over.d.next = self.head_last.val();
            self.closes.d.next = self.head_closed.val();
            self.close_op.d.next = self.head_op.val();
            self.op.d.next = self.head_op.val();
            self.packet.d.next = self.head_packet.val();
            self.tries.d.next = self.head_try.val();
            self.form.d.next = self.head_form.val();
            self.head.d.next = self.head_data.val();
            self.left.d.next = bits::<13>(0);
            if self.head_frame.val() {
                self.left.d.next = self.head_total.val();
            }
            self.bytes.d.next = self.head_bytes.val();
            self.skip.d.next = self.skips[6].val();
        }

        if self.moves.val() {
            self.valid1.d.next = self.goes.val();
            self.first1.d.next = self.first.q.val();
            self.last1.d.next = self.ends.val();
            self.frame1.d.next = self.frame.q.val();
            self.sent1.d.next = self.sent.q.val();
            self.over1.d.next = self.over.q.val();
            self.closes1.d.next = self.closes.q.val();
            self.op1.d.next = self.op.q.val();
            self.close_op1.d.next = self.close_op.q.val();
            self.packet1.d.next = self.packet.q.val();
            self.tries1.d.next = self.tries.q.val();
            self.form1.d.next = self.form.q.val();
            self.head1.d.next = bit_cast::<DATA_WIDTH, 848>(self.head.q.val());
            self.payload1.d.next = self.payload_data.val();
            self.own1.d.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
            if !self.wants.val() {
                self.own1.d.next = bits::<LANE_COUNT_BITS>(0);
            } else if self.bytes.q.val() <= self.beat.val() {
                self.own1.d.next = self.bytes.q.val().get_bits::<LANE_COUNT_BITS>(0);
            }
            self.kept1.d.next = bits::<LANE_COUNT_BITS>(1) << LANE_BITS.to_bits::<4>();
            if self.ends.val() {
                self.kept1.d.next = self.left.q.val().get_bits::<LANE_COUNT_BITS>(0);
            }
        }

        // What is not payload becomes zero.
        self.beyond.count.next = bit_cast::<LANE_SHIFT_BITS, LANE_COUNT_BITS>(self.own1.q.val()) << 3;
        if self.moves.val() {
            self.valid2.d.next = self.valid1.q.val();
            if self.valid1.q.val() {
                self.last2.d.next = self.last1.q.val();
                self.frame2.d.next = self.frame1.q.val();
                self.sent2.d.next = self.sent1.q.val();
                self.over2.d.next = self.over1.q.val();
                self.closes2.d.next = self.closes1.q.val();
                self.op2.d.next = self.op1.q.val();
                self.close_op2.d.next = self.close_op1.q.val();
                self.packet2.d.next = self.packet1.q.val();
                self.tries2.d.next = self.tries1.q.val();
                self.form2.d.next = self.form1.q.val();
                self.head2.d.next = self.head1.q.val();
                self.payload2.d.next = self.payload1.q.val() & !self.beyond.mask.val();
                self.before2.d.next = self.payload2.q.val();
                if self.first1.q.val() {
                    self.before2.d.next = bits::<DATA_WIDTH>(0);
                }
                self.kept2.d.next = self.kept1.q.val();
            }
        }

        // Payload behind the head.
        self.joined[0].next = self.head2.q.val();
        for i in 0..6 {
            self.joined[i + 1].next = self.joined[i].val();
            if self.form2.q.val().get_bit(i) {
                self.joined[i + 1].next =
                    self.joined[i].val() | (self.payload2.q.val() << self.up[i].val()) | (self.before2.q.val() >> self.down[i].val());
            }
        }
        self.unkept.count.next = self.kept2.q.val();
        if self.moves.val() {
            self.valid3.d.next = self.valid2.q.val();
            self.last3.d.next = self.last2.q.val();
            self.frame3.d.next = self.frame2.q.val();
            self.sent3.d.next = self.sent2.q.val();
            self.over3.d.next = self.over2.q.val();
            self.closes3.d.next = self.closes2.q.val();
            self.op3.d.next = self.op2.q.val();
            self.close_op3.d.next = self.close_op2.q.val();
            self.packet3.d.next = self.packet2.q.val();
            self.tries3.d.next = self.tries2.q.val();
            self.data3.d.next = self.joined[6].val();
            self.keep3.d.next = !self.unkept.mask.val();
        }
        self.out.valid.next = self.valid3.q.val() && self.frame3.q.val();
        self.out.data.next = self.data3.q.val();
        self.out.keep.next = self.keep3.q.val();
        self.out.last.next = self.last3.q.val();

        self.leaves.next = self.valid3.q.val() && self.moves.val() && self.last3.q.val();
        self.told_sent.d.next = self.leaves.val() && self.sent3.q.val();
        self.told_over.d.next = self.leaves.val() && self.over3.q.val();
        self.told_closed.d.next = self.leaves.val() && self.closes3.q.val();
        self.told_done.d.next = self.leaves.val();
        self.told_frame.d.next = self.leaves.val() && self.frame3.q.val();
        self.told_op.d.next = self.op3.q.val();
        self.told_close_op.d.next = self.close_op3.q.val();
        self.told_packet.d.next = self.packet3.q.val();
        self.told_try.d.next = self.tries3.q.val();
        self.sent_valid.next = self.told_sent.q.val();
        self.sent_op.next = self.told_op.q.val();
        self.sent_packet.next = self.told_packet.q.val();
        self.sent_try.next = self.told_try.q.val();
        self.op_done_valid.next = self.told_over.q.val();
        self.closed_valid.next = self.told_closed.q.val();
        self.closed_op.next = self.told_close_op.q.val();
        self.done.next = self.told_done.q.val();
        self.evt_frame.next = self.told_frame.q.val();
    }
}
