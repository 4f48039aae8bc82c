use super::TRY_BITS;
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Between op table and packet engine where timers decide what is sent again: no packet goes again for its timer while nothing of its
/// operation is acknowledged, but the start.
///
/// A receiver acknowledges nothing of an operation before its start has come; until then the other packets wait there. So a lost start
/// makes all their timers run out, and says nothing of them. A packet whose time is over before that begins its timer anew (`restart`,
/// which goes to the op table as if it had been sent; it counts as a try, so that its timer doubles). The start itself, what a negative
/// acknowledgement asks for, and everything behind the first positive acknowledgement go on. An acknowledgement counts for what comes two
/// clocks later, and for its generation of the index alone.
/// Latency: 1 clock. Throughput: one per clock while what goes on transfers. Reset: nothing waits; acknowledgements count `2^OP_INDEX_BITS`
/// clocks after it.
/// Spec: receive registry, "What is sent, and when"; send path, "DMA operation table". Decided here: which timers count.
#[derive(Default, Described, LogicBlock)]
pub struct StartGate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// packets of an operation are acknowledged
    pub ack_valid: Signal<In, Bit>,
    /// the operation
    pub ack_op: Signal<In, Bits<OP_BITS>>,
    /// the op table wants a packet to be sent again
    pub wanted_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `wanted_valid` is high too
    pub wanted_ready: Signal<Out, Bit>,
    /// operation of `wanted`
    pub wanted_op: Signal<In, Bits<OP_BITS>>,
    /// the packet, 0 is the start
    pub wanted_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub wanted_try: Signal<In, Bits<TRY_BITS>>,
    /// its time was over
    pub wanted_expired: Signal<In, Bit>,
    /// a packet is to be sent again
    pub again_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `again_valid` is high too
    pub again_ready: Signal<In, Bit>,
    /// the timer of a packet begins anew
    pub restart_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `restart_valid` is high too
    pub restart_ready: Signal<In, Bit>,
    /// operation of `again` and `restart`
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// the packet
    pub out_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it is
    pub out_try: Signal<Out, Bits<TRY_BITS>>,
    /// its time was over
    pub out_expired: Signal<Out, Bit>,
    /// nothing waits: what an operation's end must come behind has gone on
    pub idle: Signal<Out, Bit>,

    // Of each index the complement of the generation whose start has arrived: a cleared word is of the last generation that there is.
    arrived: LutRam<GENERATION_BITS, OP_INDEX_BITS>,
    cleared: State<Bit>,
    word: State<Bits<OP_INDEX_BITS>>,
    // What is written there, from registers: an address that came through logic would lengthen the way to what is read.
    write: State<Bit>,
    write_index: Reg<Bits<OP_INDEX_BITS>>,
    write_data: Reg<Bits<GENERATION_BITS>>,
    full: State<Bit>,
    restarts: Reg<Bit>,
    op: Reg<Bits<OP_BITS>>,
    packet: Reg<Bits<POSITION_BITS>>,
    attempt: Reg<Bits<TRY_BITS>>,
    expired: Reg<Bit>,
    acked: Signal<Local, Bits<GENERATION_BITS>>,
    wanted: Signal<Local, Bits<GENERATION_BITS>>,
    is_known: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

impl Logic for StartGate {
    #[kernel]
    fn update(&mut self) {
        self.acked.next = self.ack_op.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.write.d.next = self.ack_valid.val();
        self.write_index.d.next = self.ack_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.write_data.d.next = !self.acked.val();
        if !self.cleared.q.val() {
            self.write.d.next = true;
            self.write_index.d.next = self.word.q.val();
            self.write_data.d.next = bits::<GENERATION_BITS>(0);
            self.word.d.next = self.word.q.val() + 1;
            self.cleared.d.next = self.word.q.val().all();
        }
        self.arrived.write_enable.next = self.write.q.val();
        self.arrived.write_address.next = self.write_index.q.val();
        self.arrived.write_data.next = self.write_data.q.val();

        self.wanted.next = self.wanted_op.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.arrived.read_address.next = self.wanted_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.is_known.next = (self.arrived.read_data.val() ^ self.wanted.val()).all();
        self.leaves.next = (!self.restarts.q.val() && self.again_ready.val()) || (self.restarts.q.val() && self.restart_ready.val());
        self.takes.next = !self.full.q.val() || self.leaves.val();
        self.wanted_ready.next = self.takes.val();
        if self.takes.val() {
            self.full.d.next = self.wanted_valid.val();
            self.restarts.d.next = self.wanted_expired.val() && self.wanted_packet.val().any() && !self.is_known.val();
            self.op.d.next = self.wanted_op.val();
            self.packet.d.next = self.wanted_packet.val();
            self.attempt.d.next = self.wanted_try.val();
            self.expired.d.next = self.wanted_expired.val();
        }
        self.again_valid.next = self.full.q.val() && !self.restarts.q.val();
        self.restart_valid.next = self.full.q.val() && self.restarts.q.val();
        self.out_op.next = self.op.q.val();
        self.out_packet.next = self.packet.q.val();
        self.out_try.next = self.attempt.q.val();
        self.out_expired.next = self.expired.q.val();
        self.idle.next = !self.full.q.val();
    }
}
