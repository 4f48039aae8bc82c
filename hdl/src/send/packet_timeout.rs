use super::{RoundTrip, TRY_BITS};
use crate::primitives::{LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// How long each packet waits for its acknowledgement: stands between the packet engine and the op table, and gives every packet that the
/// wire has taken its ticks.
///
/// The round trip of each node is measured by `RoundTrip`, whose keys are op numbers: from the first packet of an op to its answer. An
/// answer is an op acknowledgement that names this packet, or the op's end. An op of which anything is sent again is no sample. The timeout
/// of the node is doubled with each try of the packet, seven times and to `cfg_cap` at most, and `cfg_delay` added. What an op number's
/// index says of its node counts from `open`, which comes before the first packet of the op is sent.
/// Latency: 6 clocks from a packet to its ticks. Throughput: one of each per clock. Reset: nothing is under way, no node has a sample.
/// Spec: send path, "DMA operation table", timers; RFC 6298; RFC 9002, 6.2.1, for the delay of answers.
#[derive(Default, Described, LogicBlock)]
pub struct PacketTimeout {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<TICK_BITS>>,
    /// ticks of the first try before a node has answered, less than 2^29
    pub cfg_initial: Signal<In, Bits<TICK_BITS>>,
    /// ticks of any try afterwards, at least
    pub cfg_floor: Signal<In, Bits<TICK_BITS>>,
    /// ticks of any try, at most, less than 2^29
    pub cfg_cap: Signal<In, Bits<TICK_BITS>>,
    /// ticks that every try waits beside all that: for so long a receiver may hold an answer back
    pub cfg_delay: Signal<In, Bits<16>>,
    /// an op goes to the packet engine
    pub open_valid: Signal<In, Bit>,
    /// op number
    pub open_op: Signal<In, Bits<OP_BITS>>,
    /// node of `open`; of one that the node table does not have the low bits count
    pub open_node: Signal<In, Bits<16>>,
    /// the wire took the last beat of a packet
    pub in_valid: Signal<In, Bit>,
    /// op number
    pub in_op: Signal<In, Bits<OP_BITS>>,
    /// packet of the op
    pub in_packet: Signal<In, Bits<POSITION_BITS>>,
    /// number of the try; 0 is the first
    pub in_try: Signal<In, Bits<TRY_BITS>>,
    /// a packet is to be sent again
    pub again_valid: Signal<In, Bit>,
    /// op number
    pub again_op: Signal<In, Bits<OP_BITS>>,
    /// because its time was over
    pub again_expired: Signal<In, Bit>,
    /// an acknowledgement
    pub ack_valid: Signal<In, Bit>,
    /// 0: op acknowledgement (0xc3), 1: remote completion (0xc1)
    pub ack_kind: Signal<In, Bit>,
    /// op number
    pub ack_op: Signal<In, Bits<OP_BITS>>,
    /// 0xc3: first packet of the mask
    pub ack_first: Signal<In, Bits<16>>,
    /// 0xc3: the mask has this packet
    pub ack_names_first: Signal<In, Bit>,
    /// what is known of a node is forgotten
    pub forget_valid: Signal<In, Bit>,
    /// of this one
    pub forget_node: Signal<In, Bits<NODE_BITS>>,
    /// the same packet
    pub out_valid: Signal<Out, Bit>,
    /// op number
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// packet of the op
    pub out_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// number of the try
    pub out_try: Signal<Out, Bits<TRY_BITS>>,
    /// it waits so many ticks
    pub out_ticks: Signal<Out, Bits<TICK_BITS>>,

    // The node of each op, for each who asks.
    node_in: LutRam<NODE_BITS, OP_INDEX_BITS>,
    node_again: LutRam<NODE_BITS, OP_INDEX_BITS>,
    node_ack: LutRam<NODE_BITS, OP_INDEX_BITS>,
    round_trip: RoundTrip,

    valid: [State<Bit>; 6],
    op: [Reg<Bits<OP_BITS>>; 6],
    packet: [Reg<Bits<POSITION_BITS>>; 6],
    tries: [Reg<Bits<TRY_BITS>>; 6],
    now1: Reg<Bits<TICK_BITS>>,
    node1: Reg<Bits<NODE_BITS>>,
    begins1: State<Bit>,
    again1: State<Bit>,
    again_op1: Reg<Bits<OP_BITS>>,
    again_node1: Reg<Bits<NODE_BITS>>,
    again_expired1: Reg<Bit>,
    ack1: State<Bit>,
    ack_op1: Reg<Bits<OP_BITS>>,
    ack_node1: Reg<Bits<NODE_BITS>>,
    forget1: State<Bit>,
    forget_node1: Reg<Bits<NODE_BITS>>,
    shift: Signal<Local, Bits<3>>,
    doubled4: Reg<Bits<DOUBLED_BITS>>,
    ticks5: Reg<Bits<TICK_BITS>>,
    ticks6: Reg<Bits<TICK_BITS>>,
}

impl Logic for PacketTimeout {
    #[kernel]
    fn update(&mut self) {
        self.node_in.write_enable.next = self.open_valid.val();
        self.node_in.write_address.next = self.open_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.node_in.write_data.next = self.open_node.val().get_bits::<NODE_BITS>(0);
        self.node_again.write_enable.next = self.open_valid.val();
        self.node_again.write_address.next = self.open_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.node_again.write_data.next = self.open_node.val().get_bits::<NODE_BITS>(0);
        self.node_ack.write_enable.next = self.open_valid.val();
        self.node_ack.write_address.next = self.open_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.node_ack.write_data.next = self.open_node.val().get_bits::<NODE_BITS>(0);

        // The node of what comes.
        self.node_in.read_address.next = self.in_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.node1.d.next = self.node_in.read_data.val();
        self.begins1.d.next = self.in_valid.val() && !self.in_packet.val().any() && !self.in_try.val().any();
        self.node_again.read_address.next = self.again_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.again1.d.next = self.again_valid.val();
        self.again_op1.d.next = self.again_op.val();
        self.again_node1.d.next = self.node_again.read_data.val();
        self.again_expired1.d.next = self.again_expired.val();
        self.node_ack.read_address.next = self.ack_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.ack1.d.next = self.ack_valid.val() && (self.ack_kind.val() || (self.ack_names_first.val() && !self.ack_first.val().any()));
        self.ack_op1.d.next = self.ack_op.val();
        self.ack_node1.d.next = self.node_ack.read_data.val();

        self.now1.d.next = self.now.val();
        self.forget1.d.next = self.forget_valid.val();
        self.forget_node1.d.next = self.forget_node.val();

        self.round_trip.now.next = self.now1.q.val();
        self.round_trip.cfg_initial.next = self.cfg_initial.val();
        self.round_trip.cfg_floor.next = self.cfg_floor.val();
        self.round_trip.cfg_cap.next = self.cfg_cap.val();
        self.round_trip.sent_valid.next = self.begins1.q.val();
        self.round_trip.sent_node.next = self.node1.q.val();
        self.round_trip.sent_key.next = self.op[0].q.val();
        self.round_trip.again_valid.next = self.again1.q.val();
        self.round_trip.again_node.next = self.again_node1.q.val();
        self.round_trip.again_key.next = self.again_op1.q.val();
        self.round_trip.again_expired.next = self.again_expired1.q.val();
        self.round_trip.acked_valid.next = self.ack1.q.val();
        self.round_trip.acked_node.next = self.ack_node1.q.val();
        self.round_trip.acked_key.next = self.ack_op1.q.val();
        self.round_trip.acked_edge.next = false;
        self.round_trip.forget_valid.next = self.forget1.q.val();
        self.round_trip.forget_node.next = self.forget_node1.q.val();
        self.round_trip.read_node.next = self.node1.q.val();

        // The packets, while their ticks are worked out.
        self.valid[0].d.next = self.in_valid.val();
        self.op[0].d.next = self.in_op.val();
        self.packet[0].d.next = self.in_packet.val();
        self.tries[0].d.next = self.in_try.val();
        for i in 1..6 {
            self.valid[i].d.next = self.valid[i - 1].q.val();
            self.op[i].d.next = self.op[i - 1].q.val();
            self.packet[i].d.next = self.packet[i - 1].q.val();
            self.tries[i].d.next = self.tries[i - 1].q.val();
        }
        self.shift.next = self.tries[2].q.val().get_bits::<3>(0);
        if self.tries[2].q.val() > bits::<TRY_BITS>(7) {
            self.shift.next = bits::<3>(7);
        }
        self.doubled4.d.next = bit_cast::<DOUBLED_BITS, TICK_BITS>(self.round_trip.timeout.val()) << self.shift.val();
        self.ticks5.d.next = self.doubled4.q.val().get_bits::<TICK_BITS>(0);
        if self.doubled4.q.val() > bit_cast::<DOUBLED_BITS, TICK_BITS>(self.cfg_cap.val()) && self.tries[3].q.val().any() {
            self.ticks5.d.next = self.cfg_cap.val();
        }
        self.ticks6.d.next = self.ticks5.q.val() + bit_cast::<TICK_BITS, 16>(self.cfg_delay.val());
        self.out_valid.next = self.valid[5].q.val();
        self.out_op.next = self.op[5].q.val();
        self.out_packet.next = self.packet[5].q.val();
        self.out_try.next = self.tries[5].q.val();
        self.out_ticks.next = self.ticks6.q.val();
    }
}
