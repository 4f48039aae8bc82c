use super::TRY_BITS;
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Words with packets to repeat: those whose tries are used up together, as a reason to end their op, the others one by one to the
/// retransmit queue.
///
/// Room for 16 words and the one at work. Packets of a word go from the lowest.
/// Latency: 3 clocks. Throughput: one packet per clock, of one word or of several. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct ScanHits {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word with packets; there is room
    pub in_valid: Signal<In, Bit>,
    /// low bits first: packets 8, by timer 8, tries used up 8, tries 40, word in the op, op number
    pub in_data: Signal<In, Bits<DEADLINE_HIT_BITS>>,
    /// words that wait
    pub count: Signal<Out, Bits<5>>,
    /// a packet is to be sent again
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// `{timer, try 5, packet, op}`
    pub out_data: Signal<Out, Bits<RETRY_BITS>>,
    /// the tries of packets are used up
    pub kill_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `kill_valid` is high too
    pub kill_ready: Signal<In, Bit>,
    /// op number
    pub kill_op: Signal<Out, Bits<OP_BITS>>,
    /// word of eight packets in the op
    pub kill_word: Signal<Out, Bits<POSITION_OCTET_BITS>>,
    /// which of them
    pub kill_lanes: Signal<Out, Bits<8>>,

    queue: FifoLut<DEADLINE_HIT_BITS, 4, 5>,
    hit: Reg<Bits<DEADLINE_HIT_BITS>>,
    left: State<Bits<8>>,
    used_up: State<Bits<8>>,
    first: Signal<Local, Bits<8>>,
    rest: Signal<Local, Bits<8>>,
    lane: Signal<Local, Bits<3>>,
    attempt: Signal<Local, Bits<TRY_BITS>>,
    moves: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    full: State<Bit>,
    kills: Signal<Local, Bit>,
    kill_full: State<Bit>,
    killed_op: Reg<Bits<OP_BITS>>,
    killed_word: Reg<Bits<POSITION_OCTET_BITS>>,
    op: Reg<Bits<OP_BITS>>,
    packet: Reg<Bits<POSITION_BITS>>,
    lanes: Reg<Bits<8>>,
    attempted: Reg<Bits<TRY_BITS>>,
    timer: Reg<Bit>,
}

impl Logic for ScanHits {
    #[kernel]
    fn update(&mut self) {
        self.queue.in_valid.next = self.in_valid.val();
        self.queue.in_data.next = self.in_data.val();
        self.count.next = self.queue.count.val();

        self.moves.next = !self.full.q.val() || self.out_ready.val();
        self.rest.next = self.left.q.val() & (self.left.q.val() - 1);
        self.first.next = self.left.q.val() & !self.rest.val();
        self.lane.next = bits::<3>(0);
        self.attempt.next = bits::<TRY_BITS>(0);
        for i in 0..8 {
            if self.first.val().get_bit(i) {
                self.lane.next = self.lane.val() | i.to_bits::<3>();
                self.attempt.next = self.attempt.val() | self.hit.q.val().get_bits::<TRY_BITS>(24 + 5 * i);
            }
        }
        if self.moves.val() {
            self.left.d.next = self.rest.val();
            self.full.d.next = self.left.q.val().any();
            self.timer.d.next = (self.first.val() & self.hit.q.val().get_bits::<8>(8)).any();
            self.attempted.d.next = self.attempt.val() + 1;
            self.packet.d.next = bit_cast::<POSITION_BITS, 3>(self.lane.val())
                | (bit_cast::<POSITION_BITS, POSITION_OCTET_BITS>(self.hit.q.val().get_bits::<POSITION_OCTET_BITS>(64)) << 3);
            self.op.d.next = self.hit.q.val().get_bits::<OP_BITS>(64 + POSITION_OCTET_BITS);
        }
        // What ends an op has a register of its own, and the word at work stays until both are through.
        self.kills.next = self.used_up.q.val().any();
        if self.kill_ready.val() {
            self.kill_full.d.next = false;
        }
        if !self.kill_full.q.val() {
            self.kill_full.d.next = self.kills.val();
            self.lanes.d.next = self.used_up.q.val();
            self.killed_word.d.next = self.hit.q.val().get_bits::<POSITION_OCTET_BITS>(64);
            self.killed_op.d.next = self.hit.q.val().get_bits::<OP_BITS>(64 + POSITION_OCTET_BITS);
            self.used_up.d.next = bits::<8>(0);
        }
        self.loads.next =
            (!self.kills.val() || !self.kill_full.q.val()) && (!self.left.q.val().any() || (self.moves.val() && !self.rest.val().any()));
        self.queue.out_ready.next = self.loads.val();
        if self.loads.val() {
            self.hit.d.next = self.queue.out_data.val();
            self.left.d.next = bits::<8>(0);
            self.used_up.d.next = bits::<8>(0);
            if self.queue.out_valid.val() {
                self.left.d.next = self.queue.out_data.val().get_bits::<8>(0) & !self.queue.out_data.val().get_bits::<8>(16);
                self.used_up.d.next = self.queue.out_data.val().get_bits::<8>(0) & self.queue.out_data.val().get_bits::<8>(16);
            }
        }
        self.out_valid.next = self.full.q.val();
        self.out_data.next = bit_cast::<RETRY_BITS, OP_BITS>(self.op.q.val())
            | (bit_cast::<RETRY_BITS, POSITION_BITS>(self.packet.q.val()) << OP_BITS.to_bits::<6>())
            | (bit_cast::<RETRY_BITS, TRY_BITS>(self.attempted.q.val()) << (OP_BITS + POSITION_BITS).to_bits::<6>())
            | (bit_cast::<RETRY_BITS, 1>(self.timer.q.val().into()) << (OP_BITS + POSITION_BITS + 5).to_bits::<6>());
        self.kill_valid.next = self.kill_full.q.val();
        self.kill_op.next = self.killed_op.q.val();
        self.kill_word.next = self.killed_word.q.val();
        self.kill_lanes.next = self.lanes.q.val();
    }
}
