use super::TRY_BITS;
use crate::bus::{OpNumbers, OpNumbersSink};
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Between op table and packet engine where a send bitmap decides what is sent again: which of the op table's wishes still count.
///
/// Packets are asked for again by their sequence numbers; the op table alone knows that an operation has not ended. So of its
/// retransmissions only that of a start goes on, and only when all numbers of the operation are acknowledged, or when the receiver has
/// refused the start because its range meets another operation's. One that comes before is kept. When the numbers have been acknowledged
/// its timer starts anew: `restart` goes to the op table as if it had been sent. A close waits until the numbers are acknowledged: until
/// then a slot may be read again. A data arrival has no number: everything of it goes on at once. `begin_valid` comes with the operation's
/// way to the packet engine, before anything else of it; it is taken always, and before others. Then come acknowledgements, then refusals;
/// what is wanted and closes take turns. Of refusals that come while one waits the last one is known; a start that is refused is sent again
/// by its number, and is refused again.
/// Latency: 2 clocks. Throughput: one event per clock while what goes on is taken. Reset: nothing goes on; operations have to begin.
/// Spec: overview, "Who acknowledges what", profile combined; send path, "DMA operation table".
///
/// `2^OP_INDEX_BITS` operations, `POSITION_BITS` bits of a packet's number.
#[derive(Default, Described, LogicBlock)]
pub struct OpGate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an operation goes to the packet engine
    pub begin_valid: Signal<In, Bit>,
    /// number of `begin`
    pub begin_op: Signal<In, Bits<OP_BITS>>,
    /// it is a data arrival
    pub begin_kind: Signal<In, Bit>,
    /// all numbers of an operation are acknowledged
    pub acked_valid: Signal<In, Bit>,
    /// it is known
    pub acked_ready: Signal<Out, Bit>,
    /// the operation
    pub acked_op: Signal<In, Bits<OP_BITS>>,
    /// a start was refused because of another operation
    pub overlap_valid: Signal<In, Bit>,
    /// operation of `overlap`
    pub overlap_op: Signal<In, Bits<OP_BITS>>,
    /// the op table wants a packet to be sent again
    pub wanted_valid: Signal<In, Bit>,
    /// it is known
    pub wanted_ready: Signal<Out, Bit>,
    /// operation of `wanted`
    pub wanted_op: Signal<In, Bits<OP_BITS>>,
    /// its number there
    pub wanted_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub wanted_try: Signal<In, Bits<TRY_BITS>>,
    pub close: OpNumbersSink,
    /// a start is to be sent again
    pub again_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `again_valid` is high too
    pub again_ready: Signal<In, Bit>,
    /// operation of `again`
    pub again_op: Signal<Out, Bits<OP_BITS>>,
    /// which try it is
    pub again_try: Signal<Out, Bits<TRY_BITS>>,
    /// the timer of a start begins anew
    pub restart_valid: Signal<Out, Bit>,
    /// it does
    pub restart_ready: Signal<In, Bit>,
    /// operation of `restart`
    pub restart_op: Signal<Out, Bits<OP_BITS>>,
    /// which try it is
    pub restart_try: Signal<Out, Bits<TRY_BITS>>,
    pub closed: OpNumbers,

    // Low bits first: all numbers acknowledged, start kept, start refused, close waits, try.
    states: LutRam<9, OP_INDEX_BITS>,
    refused: State<Bit>,
    refused_op: Reg<Bits<OP_BITS>>,
    // What is chosen: 0 begin, 1 acked, 2 overlap, 3 wanted, 4 close.
    valid1: State<Bit>,
    what1: Reg<Bits<3>>,
    op1: Reg<Bits<OP_BITS>>,
    try1: Reg<Bits<TRY_BITS>>,
    moves: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    // A close goes before what is wanted.
    turn: State<Bit>,
    takes_close: Signal<Local, Bit>,
    index: Signal<Local, Bits<OP_INDEX_BITS>>,
    state: Signal<Local, Bits<9>>,
    is_acked: Signal<Local, Bit>,
    is_kept: Signal<Local, Bit>,
    is_refused: Signal<Local, Bit>,
    waits_close: Signal<Local, Bit>,
    kept_try: Signal<Local, Bits<TRY_BITS>>,
    new_state: Signal<Local, Bits<9>>,
    goes_again: Signal<Local, Bit>,
    restarts: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    again_full: State<Bit>,
    restart_full: State<Bit>,
    close_full: State<Bit>,
    again_op1: Reg<Bits<OP_BITS>>,
    again_try1: Reg<Bits<TRY_BITS>>,
    restart_op1: Reg<Bits<OP_BITS>>,
    restart_try1: Reg<Bits<TRY_BITS>>,
    closed_op1: Reg<Bits<OP_BITS>>,
}

impl Logic for OpGate {
    #[kernel]
    fn update(&mut self) {
        // Clock 1: one event. What comes before it has been carried out a clock earlier.
        self.moves.next = !self.begin_valid.val()
            && (!self.again_full.q.val() || self.again_ready.val())
            && (!self.restart_full.q.val() || self.restart_ready.val())
            && (!self.close_full.q.val() || self.closed.ready.val());
        if self.overlap_valid.val() {
            self.refused.d.next = true;
            self.refused_op.d.next = self.overlap_op.val();
        }
        self.free.next = self.moves.val() && !self.acked_valid.val() && !self.refused.q.val();
        self.takes_close.next = self.close.valid.val() && (self.turn.q.val() || !self.wanted_valid.val());
        self.acked_ready.next = self.moves.val();
        self.wanted_ready.next = self.free.val() && !self.takes_close.val();
        self.close.ready.next = self.free.val() && self.takes_close.val();
        if self.moves.val() {
            self.try1.d.next = self.wanted_try.val();
            if self.acked_valid.val() {
                self.valid1.d.next = true;
                self.what1.d.next = bits::<3>(1);
                self.op1.d.next = self.acked_op.val();
            } else if self.refused.q.val() {
                self.valid1.d.next = true;
                self.what1.d.next = bits::<3>(2);
                self.op1.d.next = self.refused_op.q.val();
                self.refused.d.next = self.overlap_valid.val();
            } else if self.takes_close.val() {
                self.turn.d.next = false;
                self.valid1.d.next = true;
                self.what1.d.next = bits::<3>(4);
                self.op1.d.next = self.close.op.val();
            } else {
                // What is no start is asked for by its number.
                self.turn.d.next = true;
                self.valid1.d.next = self.wanted_valid.val() && !self.wanted_packet.val().any();
                self.what1.d.next = bits::<3>(3);
                self.op1.d.next = self.wanted_op.val();
            }
        }

        // Clock 2: what becomes of it.
        self.index.next = self.op1.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.states.read_address.next = self.index.val();
        self.state.next = self.states.read_data.val();
        self.is_acked.next = self.state.val().get_bit(0);
        self.is_kept.next = self.state.val().get_bit(1);
        self.is_refused.next = self.state.val().get_bit(2);
        self.waits_close.next = self.state.val().get_bit(3);
        self.kept_try.next = self.state.val().get_bits::<TRY_BITS>(4);
        self.new_state.next = self.state.val();
        self.goes_again.next = false;
        self.restarts.next = false;
        self.closes.next = false;
        if self.what1.q.val() == bits::<3>(1) {
            self.restarts.next = self.is_kept.val();
            self.closes.next = self.waits_close.val();
            self.new_state.next = bits::<9>(1);
        } else if self.what1.q.val() == bits::<3>(2) {
            self.goes_again.next = self.is_kept.val();
            self.new_state.next = (self.state.val() & 0x1f9) | bits::<9>(4);
            if self.is_kept.val() {
                self.new_state.next = self.state.val() & 0x1f9;
            }
        } else if self.what1.q.val() == bits::<3>(3) {
            self.goes_again.next = self.is_acked.val() || self.is_refused.val();
            self.new_state.next = self.state.val() & 0x1fb;
            if !self.is_acked.val() && !self.is_refused.val() {
                self.new_state.next = (self.state.val() & 0x00d) | (bit_cast::<9, TRY_BITS>(self.try1.q.val()) << 4) | bits::<9>(2);
            }
        } else {
            self.closes.next = self.is_acked.val();
            self.new_state.next = self.state.val() | bits::<9>(8);
        }
        self.states.write_enable.next = self.begin_valid.val() || (self.valid1.q.val() && self.moves.val());
        self.states.write_address.next = self.index.val();
        self.states.write_data.next = self.new_state.val();
        if self.begin_valid.val() {
            self.states.write_address.next = self.begin_op.val().get_bits::<OP_INDEX_BITS>(0);
            self.states.write_data.next = bit_cast::<9, 1>(self.begin_kind.val().into());
        }
        if self.again_ready.val() {
            self.again_full.d.next = false;
        }
        if self.restart_ready.val() {
            self.restart_full.d.next = false;
        }
        if self.closed.ready.val() {
            self.close_full.d.next = false;
        }
        if self.valid1.q.val() && self.moves.val() {
            if self.goes_again.val() {
                self.again_full.d.next = true;
                self.again_op1.d.next = self.op1.q.val();
                self.again_try1.d.next = self.try1.q.val();
                if self.what1.q.val() == bits::<3>(2) {
                    self.again_try1.d.next = self.kept_try.val();
                }
            }
            if self.restarts.val() {
                self.restart_full.d.next = true;
                self.restart_op1.d.next = self.op1.q.val();
                self.restart_try1.d.next = self.kept_try.val();
            }
            if self.closes.val() {
                self.close_full.d.next = true;
                self.closed_op1.d.next = self.op1.q.val();
            }
        }
        self.again_valid.next = self.again_full.q.val();
        self.again_op.next = self.again_op1.q.val();
        self.again_try.next = self.again_try1.q.val();
        self.restart_valid.next = self.restart_full.q.val();
        self.restart_op.next = self.restart_op1.q.val();
        self.restart_try.next = self.restart_try1.q.val();
        self.closed.valid.next = self.close_full.q.val();
        self.closed.op.next = self.closed_op1.q.val();
    }
}
