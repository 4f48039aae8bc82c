use crate::bitmap::AdvanceRequests;
use crate::bus::{PacketRunsSink, SentNumbersSink};
use crate::primitives::{BlockRam, FifoLut, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which packet of which operation each packet sequence number is: between `SendBitmap`, which knows numbers, and the packet engine, which
/// knows operations.
///
/// A word for every number of every window says the operation, its packet, and whether it is the operation's last; it is written when the
/// number is given. A run of numbers that are to be sent again comes out as packets, in order. When the base of a queue pair has moved, the
/// words that it has passed are looked at: of each operation whose last number lies below it, all numbers are acknowledged, and it is told
/// once. Bases of one queue pair that wait merge into the newest. Both ways share the memory, a clock each in turn while both want it and
/// their outputs have room. A number waits while its word is that of one that has not been looked at. One that is acknowledged while its
/// run waits may come out as the packet that has its word by then: a copy that nobody needs. Open a queue pair with its first number before
/// it sends, when nothing of an earlier life is under way; to close one, let its base move to its next number first. `with_ends` tells
/// besides of each operation whether its numbers were acknowledged or given up: those of a queue pair are given up from the first base with
/// `moved_ends` on until it is opened.
/// Latency: 3 clocks from a run to its first packet; a walk to a base takes a clock for each number. Throughput: one number given per
/// clock; one packet per clock or, beside a walk, per 2 clocks. Reset: nothing is under way; `ready` comes `2^NODE_BITS` clocks after it.
/// Spec: overview, "Who acknowledges what"; bitmap loss detection, "Sender"; send path, "DMA operation table".
///
/// `2^NODE_BITS` queue pairs, `NODE_COUNT_BITS` = `NODE_BITS + 1`; `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS`
/// = `NODE_QUEUE_BITS + 1`; windows of `2^WINDOW_BITS` packets, `WINDOW_ADDRESS_BITS` = `NODE_BITS + WINDOW_BITS`; `POSITION_BITS` bits of
/// a packet's number, `SENT_ENTRY_BITS` = `POSITION_BITS + 17`, `SENT_BITS` = `POSITION_BITS + 16`.
#[derive(Default, Described, LogicBlock)]
pub struct SentPackets {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    pub sent: SentNumbersSink<NODE_BITS, POSITION_BITS>,
    /// a queue pair is opened
    pub open_valid: Signal<In, Bit>,
    /// it is
    pub open_ready: Signal<Out, Bit>,
    /// queue pair of `open`
    pub open_qp: Signal<In, Bits<NODE_BITS>>,
    /// first number of `open`
    pub open_psn: Signal<In, Bits<24>>,
    pub rtx: PacketRunsSink<NODE_BITS>,
    /// a packet is to be sent again
    pub again_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `again_valid` is high too
    pub again_ready: Signal<In, Bit>,
    /// operation of `again`
    pub again_op: Signal<Out, Bits<OP_BITS>>,
    /// its number there
    pub again_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// a base has moved
    pub moved_valid: Signal<In, Bit>,
    /// of this queue pair
    pub moved_qp: Signal<In, Bits<NODE_BITS>>,
    /// first number that is not acknowledged
    pub moved_base: Signal<In, Bits<24>>,
    /// no number below it is waited for any more, and not all are acknowledged
    pub moved_ends: Vec<Signal<In, Bit>>,
    /// all numbers of an operation are acknowledged
    pub acked_valid: Signal<Out, Bit>,
    /// it is known
    pub acked_ready: Signal<In, Bit>,
    /// the operation
    pub acked_op: Signal<Out, Bits<OP_BITS>>,
    /// they were given up
    pub acked_ends: Vec<Signal<Out, Bit>>,

    #[variant]
    _ends: usize,
    // By queue pair: given up. And of each operation in `acked`.
    ended: Vec<LutRam<1, NODE_BITS>>,
    acked_ended: Vec<FifoLut<1, 4, 5>>,
    // Low bits first: operation, packet, last.
    places: BlockRam<SENT_ENTRY_BITS, WINDOW_ADDRESS_BITS, 0>,
    bases: LutRam<24, NODE_BITS>,
    released: LutRam<24, NODE_BITS>,
    released_in: LutRam<24, NODE_BITS>,
    ahead: Signal<Local, Bits<24>>,
    requests: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    again: FifoLut<SENT_BITS, 4, 5>,
    acked: FifoLut<OP_BITS, 4, 5>,

    moved1: State<Bit>,
    moved_qp1: Reg<Bits<NODE_BITS>>,
    // 0 idle, 1 looks up the way, 2 walks, 3 has arrived.
    step: State<Bits<2>>,
    qp: Reg<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    end: Reg<Bits<24>>,
    arrives: Signal<Local, Bit>,
    busy: State<Bit>,
    rtx_qp1: Reg<Bits<NODE_BITS>>,
    rtx_psn: Reg<Bits<24>>,
    left: Reg<Bits<16>>,
    turn: State<Bit>,
    again_wants: Signal<Local, Bit>,
    walk_wants: Signal<Local, Bit>,
    reads_again: Signal<Local, Bit>,
    reads_walk: Signal<Local, Bit>,
    place: Signal<Local, Bits<WINDOW_ADDRESS_BITS>>,
    is_again1: State<Bit>,
    is_walk1: State<Bit>,
}

impl SentPackets {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }

    /// As `new`, and `moved_ends` and `acked_ends`.
    pub fn with_ends() -> Self {
        Self {
            _ends: 1,
            moved_ends: vec![Default::default()],
            acked_ends: vec![Default::default()],
            ended: vec![Default::default()],
            acked_ended: vec![Default::default()],
            ..Self::new()
        }
    }
}

impl Logic for SentPackets {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.requests.ready.val();

        // A number is given: its word, by queue pair and low bits.
        self.released_in.read_address.next = self.sent.qp.val();
        self.ahead.next = self.sent.psn.val() - self.released_in.read_data.val();
        self.sent.ready.next = !(self.ahead.val() >> WINDOW_BITS.to_bits::<5>()).any();
        self.places.write_enable.next = self.sent.valid.val() && !(self.ahead.val() >> WINDOW_BITS.to_bits::<5>()).any();
        self.places.write_address.next = bit_cast::<WINDOW_ADDRESS_BITS, WINDOW_BITS>(self.sent.psn.val().get_bits::<WINDOW_BITS>(0))
            | (bit_cast::<WINDOW_ADDRESS_BITS, NODE_BITS>(self.sent.qp.val()) << WINDOW_BITS.to_bits::<5>());
        self.places.write_data.next = bit_cast::<SENT_ENTRY_BITS, OP_BITS>(self.sent.op.val())
            | (bit_cast::<SENT_ENTRY_BITS, POSITION_BITS>(self.sent.packet.val()) << OP_BITS.to_bits::<6>())
            | (bit_cast::<SENT_ENTRY_BITS, 1>(self.sent.last.val().into()) << (POSITION_BITS + OP_BITS).to_bits::<6>());

        // A base has moved: the queue pair asks when it can be read.
        self.bases.write_enable.next = self.moved_valid.val();
        self.bases.write_address.next = self.moved_qp.val();
        self.bases.write_data.next = self.moved_base.val();
        self.moved1.d.next = self.moved_valid.val();
        self.moved_qp1.d.next = self.moved_qp.val();
        self.requests.ask.next = self.moved1.q.val();
        self.requests.ask_qp.next = self.moved_qp1.q.val();

        // The way from where the last one ended to the base.
        self.requests.out_ready.next = !self.step.q.val().any();
        self.bases.read_address.next = self.qp.q.val();
        self.released.read_address.next = self.qp.q.val();
        self.arrives.next = self.psn.q.val() == self.end.q.val();
        if self.step.q.val() == bits::<2>(0) {
            self.qp.d.next = self.requests.out_qp.val();
            if self.requests.out_valid.val() {
                self.step.d.next = bits::<2>(1);
            }
        } else if self.step.q.val() == bits::<2>(1) {
            self.psn.d.next = self.released.read_data.val();
            self.end.d.next = self.bases.read_data.val();
            self.step.d.next = bits::<2>(2);
        } else if self.step.q.val() == bits::<2>(2) {
            if self.arrives.val() {
                self.step.d.next = bits::<2>(3);
            }
        } else {
            self.step.d.next = bits::<2>(0);
        }
        self.open_ready.next = self.requests.ready.val() && self.step.q.val() != bits::<2>(3);
        self.released.write_enable.next = self.open_valid.val();
        self.released.write_address.next = self.open_qp.val();
        self.released.write_data.next = self.open_psn.val();
        if self.step.q.val() == bits::<2>(3) {
            self.released.write_enable.next = true;
            self.released.write_address.next = self.qp.q.val();
            self.released.write_data.next = self.end.q.val();
        }
        self.released_in.write_enable.next = self.released.write_enable.val();
        self.released_in.write_address.next = self.released.write_address.val();
        self.released_in.write_data.next = self.released.write_data.val();

        // A run.
        self.rtx.ready.next = !self.busy.q.val();
        if !self.busy.q.val() {
            self.busy.d.next = self.rtx.valid.val() && self.rtx.count.val().any();
            self.rtx_qp1.d.next = self.rtx.qp.val();
            self.rtx_psn.d.next = self.rtx.start.val();
            self.left.d.next = self.rtx.count.val();
        }

        // The memory is for one of both. What is read finds room.
        self.again_wants.next = self.busy.q.val() && !self.again.count.val().get_bits::<2>(3).any();
        self.walk_wants.next = self.step.q.val() == bits::<2>(2) && !self.arrives.val() && !self.acked.count.val().get_bits::<2>(3).any();
        self.reads_again.next = self.again_wants.val() && !(self.walk_wants.val() && self.turn.q.val());
        self.reads_walk.next = self.walk_wants.val() && !self.reads_again.val();
        self.place.next = bit_cast::<WINDOW_ADDRESS_BITS, WINDOW_BITS>(self.psn.q.val().get_bits::<WINDOW_BITS>(0))
            | (bit_cast::<WINDOW_ADDRESS_BITS, NODE_BITS>(self.qp.q.val()) << WINDOW_BITS.to_bits::<5>());
        if self.reads_again.val() {
            self.place.next = bit_cast::<WINDOW_ADDRESS_BITS, WINDOW_BITS>(self.rtx_psn.q.val().get_bits::<WINDOW_BITS>(0))
                | (bit_cast::<WINDOW_ADDRESS_BITS, NODE_BITS>(self.rtx_qp1.q.val()) << WINDOW_BITS.to_bits::<5>());
            self.turn.d.next = true;
            self.rtx_psn.d.next = self.rtx_psn.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
            self.busy.d.next = self.left.q.val() != bits::<16>(1);
        }
        if self.reads_walk.val() {
            self.turn.d.next = false;
            self.psn.d.next = self.psn.q.val() + 1;
        }
        self.places.read_address.next = self.place.val();
        self.is_again1.d.next = self.reads_again.val();
        self.is_walk1.d.next = self.reads_walk.val();

        // What they are.
        self.again.in_valid.next = self.is_again1.q.val();
        self.again.in_data.next = self.places.read_data.val().get_bits::<SENT_BITS>(0);
        self.again_valid.next = self.again.out_valid.val();
        self.again.out_ready.next = self.again_ready.val();
        self.again_op.next = self.again.out_data.val().get_bits::<OP_BITS>(0);
        self.again_packet.next = self.again.out_data.val().get_bits::<POSITION_BITS>(OP_BITS);
        self.acked.in_valid.next = self.is_walk1.q.val() && self.places.read_data.val().get_bit(POSITION_BITS + OP_BITS);
        self.acked.in_data.next = self.places.read_data.val().get_bits::<OP_BITS>(0);
        self.acked_valid.next = self.acked.out_valid.val();
        self.acked.out_ready.next = self.acked_ready.val();
        self.acked_op.next = self.acked.out_data.val();
        for e in 0..self._ends {
            self.ended[e].write_enable.next = self.open_valid.val();
            self.ended[e].write_address.next = self.open_qp.val();
            self.ended[e].write_data.next = bits::<1>(0);
            if self.moved_valid.val() && self.moved_ends[e].val() {
                self.ended[e].write_enable.next = true;
                self.ended[e].write_address.next = self.moved_qp.val();
                self.ended[e].write_data.next = bits::<1>(1);
            }
            self.ended[e].read_address.next = self.qp.q.val();
            self.acked_ended[e].in_valid.next = self.acked.in_valid.val();
            self.acked_ended[e].in_data.next = self.ended[e].read_data.val();
            self.acked_ended[e].out_ready.next = self.acked_ready.val();
            self.acked_ends[e].next = self.acked_ended[e].out_data.val().any();
        }
    }
}
