use super::TRY_BITS;
use crate::primitives::{BlockRam, ClearedRam, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(NODE_BITS <= OP_INDEX_BITS, "there must be as many operations as nodes: raise `ops`, or lower `nodes`");

/// What is known of every operation in the packet engine: what its packets say, its packet sequence numbers, how far it is.
///
/// A record is written when an operation comes. Its state is written by its jobs alone: the first packet takes sequence numbers for all
/// packets of the operation from its node's counter (a data arrival none); the last one ends its first transmission; a close ends the
/// operation. A job that is not a first transmission counts if the operation of that number has begun and is not closed; other
/// retransmissions and aborts become no frame and count in `evt_stale`. `out_closed` comes with the job behind which nothing of a closed
/// operation follows: its close, or, if that came before, the last packet of its first transmission. A first transmission without a frame
/// (`job_void`) ends what is sent again of its operation, that of packets that had one included; if it is the operation's first it takes no
/// numbers. The next number of a node can be set; a job that takes numbers goes first.
/// Latency: 2 clocks. Throughput: one job per clock, any mixture of operations. Reset: no operation has begun, all sequence numbers begin
/// with 0; `ready` comes `2^OP_INDEX_BITS` clocks later.
/// Spec: send path, "DMA operation table"; the sequence numbers of a node are consecutive over its operations.
#[derive(Default, Described, LogicBlock)]
pub struct OpRecords {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// operations and jobs may come
    pub ready: Signal<Out, Bit>,
    /// an operation comes
    pub write_valid: Signal<In, Bit>,
    /// number of `write`
    pub write_op: Signal<In, Bits<OP_BITS>>,
    /// what its packets say
    pub write_record: Signal<In, Bits<OP_RECORD_BITS>>,
    /// the next sequence number of a node is set
    pub number_valid: Signal<In, Bit>,
    /// it is
    pub number_ready: Signal<Out, Bit>,
    /// node of `number`
    pub number_node: Signal<In, Bits<NODE_BITS>>,
    /// to this
    pub number_psn: Signal<In, Bits<24>>,
    /// a job
    pub job_valid: Signal<In, Bit>,
    /// 0 first transmission, 1 again, 2 abort, 3 close
    pub job_kind: Signal<In, Bits<2>>,
    /// operation of `job`
    pub job_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub job_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub job_try: Signal<In, Bits<TRY_BITS>>,
    /// first transmission: first packet of its operation
    pub job_opens: Signal<In, Bit>,
    /// first transmission: last packet of its operation
    pub job_last: Signal<In, Bit>,
    /// first transmission: packets of its operation
    pub job_count: Signal<In, Bits<POSITION_COUNT_BITS>>,
    /// first transmission: a data arrival
    pub job_arrival: Signal<In, Bit>,
    /// first transmission: the node that it is for
    pub job_node: Signal<In, Bits<16>>,
    /// first transmission: without a frame
    pub job_void: Signal<In, Bit>,
    /// a job
    pub out_valid: Signal<Out, Bit>,
    /// it becomes a frame
    pub out_frame: Signal<Out, Bit>,
    /// it is an abort
    pub out_abort: Signal<Out, Bit>,
    /// it has been sent before
    pub out_again: Signal<Out, Bit>,
    /// it ends a first transmission
    pub out_last: Signal<Out, Bit>,
    /// nothing of its operation follows any more
    pub out_closed: Signal<Out, Bit>,
    /// operation of `out`
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub out_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it is
    pub out_try: Signal<Out, Bits<TRY_BITS>>,
    /// packet sequence number of the operation's first packet
    pub out_psn: Signal<Out, Bits<24>>,
    /// what its packets say
    pub out_record: Signal<Out, Bits<OP_RECORD_BITS>>,
    /// counts retransmissions and aborts thrown away: no such operation, it is over, or not all of it went
    pub evt_stale: Signal<Out, Bit>,

    records: BlockRam<OP_RECORD_BITS, OP_INDEX_BITS, 0>,
    // Low bits first: first sequence number 24, generation GB, closed, sent once, begun, torn: a packet has gone without a frame.
    states: ClearedRam<OP_STATE_BITS, OP_INDEX_BITS, 0>,
    // Next sequence number of each node, cleared beside the states.
    numbers: LutRam<24, NODE_BITS>,
    sweep: State<Bits<NODE_BITS>>,
    node: Signal<Local, Bits<NODE_BITS>>,
    takes: Signal<Local, Bit>,

    valid2: State<Bit>,
    kind2: Reg<Bits<2>>,
    op2: Reg<Bits<OP_BITS>>,
    packet2: Reg<Bits<POSITION_BITS>>,
    try2: Reg<Bits<TRY_BITS>>,
    opens2: Reg<Bit>,
    last2: Reg<Bit>,
    void2: Reg<Bit>,
    base2: Reg<Bits<24>>,
    // The state that was written last, for a job right behind it.
    wrote: State<Bit>,
    wrote_index: Reg<Bits<OP_INDEX_BITS>>,
    wrote_state: Reg<Bits<OP_STATE_BITS>>,
    state: Signal<Local, Bits<OP_STATE_BITS>>,
    index: Signal<Local, Bits<OP_INDEX_BITS>>,
    generation: Signal<Local, Bits<GENERATION_BITS>>,
    live: Signal<Local, Bit>,
    inside: Signal<Local, Bit>,
    // A retransmission or an abort counts.
    counts: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    closes: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    new_state: Signal<Local, Bits<OP_STATE_BITS>>,

    valid3: State<Bit>,
    frame3: Reg<Bit>,
    abort3: Reg<Bit>,
    again3: Reg<Bit>,
    last3: Reg<Bit>,
    closed3: Reg<Bit>,
    op3: Reg<Bits<OP_BITS>>,
    packet3: Reg<Bits<POSITION_BITS>>,
    try3: Reg<Bits<TRY_BITS>>,
    psn3: Reg<Bits<24>>,
    record3: Reg<Bits<OP_RECORD_BITS>>,
    stale3: State<Bit>,
}

impl OpRecords {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for OpRecords {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.states.ready.val();
        self.records.write_enable.next = self.write_valid.val();
        self.records.write_address.next = self.write_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.records.write_data.next = self.write_record.val();

        // Clock 1: memories are read, sequence numbers taken.
        self.records.read_address.next = self.job_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.states.read_address.next = self.job_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.node.next = self.job_node.val().get_bits::<NODE_BITS>(0);
        self.takes.next = self.job_valid.val() && self.job_opens.val();
        self.numbers.read_address.next = self.node.val();
        // A node beyond the table has no counter.
        self.numbers.write_enable.next =
            self.takes.val() && !self.job_arrival.val() && !self.job_void.val() && !(self.job_node.val() >> NODE_BITS.to_bits::<5>()).any();
        self.numbers.write_address.next = self.node.val();
        self.numbers.write_data.next = self.numbers.read_data.val() + bit_cast::<24, POSITION_COUNT_BITS>(self.job_count.val());
        self.number_ready.next = self.states.ready.val() && !self.takes.val();
        if self.number_valid.val() && !self.takes.val() {
            self.numbers.write_enable.next = true;
            self.numbers.write_address.next = self.number_node.val();
            self.numbers.write_data.next = self.number_psn.val();
        }
        if !self.states.ready.val() {
            self.numbers.write_enable.next = true;
            self.numbers.write_address.next = self.sweep.q.val();
            self.numbers.write_data.next = bits::<24>(0);
            self.sweep.d.next = self.sweep.q.val() + 1;
        }
        if self.takes.val() {
            self.base2.d.next = self.numbers.read_data.val();
        }
        self.valid2.d.next = self.job_valid.val();
        self.kind2.d.next = self.job_kind.val();
        self.op2.d.next = self.job_op.val();
        self.packet2.d.next = self.job_packet.val();
        self.try2.d.next = self.job_try.val();
        self.opens2.d.next = self.job_opens.val();
        self.last2.d.next = self.job_last.val();
        self.void2.d.next = self.job_void.val();

        // Clock 2: state of the operation, before and after.
        self.index.next = self.op2.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.generation.next = self.op2.q.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.state.next = self.states.read_data.val();
        if self.wrote.q.val() && self.wrote_index.q.val() == self.index.val() {
            self.state.next = self.wrote_state.q.val();
        }
        self.first.next = self.kind2.q.val() == bits::<2>(0);
        self.live.next = self.state.val().get_bit(GENERATION_BITS + 26)
            && !self.state.val().get_bit(GENERATION_BITS + 24)
            && self.state.val().get_bits::<GENERATION_BITS>(24) == self.generation.val();
        self.inside.next = bit_cast::<POSITION_COUNT_BITS, POSITION_BITS>(self.packet2.q.val())
            < self.records.read_data.val().get_bits::<POSITION_COUNT_BITS>(OP_RECORD_BITS - POSITION_COUNT_BITS);
        self.counts.next =
            self.live.val() && self.inside.val() && !(self.kind2.q.val() == bits::<2>(1) && self.state.val().get_bit(GENERATION_BITS + 27));
        self.closes.next = self.live.val() && self.kind2.q.val() == bits::<2>(3);
        self.writes.next = self.valid2.q.val()
            && ((self.first.val() && (self.opens2.q.val() || self.last2.q.val() || self.void2.q.val())) || self.closes.val());
        self.new_state.next = self.state.val() | (bits::<OP_STATE_BITS>(1) << (GENERATION_BITS + 24).to_bits::<6>());
        if self.first.val() {
            self.new_state.next = self.state.val()
                | (bit_cast::<OP_STATE_BITS, 1>(self.last2.q.val().into()) << (GENERATION_BITS + 25).to_bits::<6>())
                | (bit_cast::<OP_STATE_BITS, 1>(self.void2.q.val().into()) << (GENERATION_BITS + 27).to_bits::<6>());
            if self.opens2.q.val() {
                self.new_state.next = bit_cast::<OP_STATE_BITS, 24>(self.base2.q.val())
                    | (bit_cast::<OP_STATE_BITS, GENERATION_BITS>(self.generation.val()) << 24)
                    | (bit_cast::<OP_STATE_BITS, 1>(self.last2.q.val().into()) << (GENERATION_BITS + 25).to_bits::<6>())
                    | (bits::<OP_STATE_BITS>(1) << (GENERATION_BITS + 26).to_bits::<6>())
                    | (bit_cast::<OP_STATE_BITS, 1>(self.void2.q.val().into()) << (GENERATION_BITS + 27).to_bits::<6>());
            }
        }
        self.states.write_enable.next = self.writes.val();
        self.states.write_address.next = self.index.val();
        self.states.write_data.next = self.new_state.val();
        self.wrote.d.next = self.writes.val();
        self.wrote_index.d.next = self.index.val();
        self.wrote_state.d.next = self.new_state.val();

        self.valid3.d.next = self.valid2.q.val();
        // Of a first transmission `void` alone decides: its operation is live as soon as its first packet has come by.
        if self.first.val() {
            self.frame3.d.next = !self.void2.q.val();
        } else {
            self.frame3.d.next = self.counts.val() && self.kind2.q.val() != bits::<2>(3);
        }
        self.abort3.d.next = self.kind2.q.val() == bits::<2>(2);
        self.again3.d.next = self.kind2.q.val() == bits::<2>(1);
        self.last3.d.next = self.valid2.q.val() && self.last2.q.val();
        self.closed3.d.next = (self.closes.val() && self.state.val().get_bit(GENERATION_BITS + 25))
            || (self.first.val() && self.last2.q.val() && !self.opens2.q.val() && self.state.val().get_bit(GENERATION_BITS + 24));
        self.op3.d.next = self.op2.q.val();
        self.packet3.d.next = self.packet2.q.val();
        self.try3.d.next = self.try2.q.val();
        self.psn3.d.next = self.state.val().get_bits::<24>(0);
        if self.first.val() {
            self.psn3.d.next = self.base2.q.val();
        }
        self.record3.d.next = self.records.read_data.val();
        self.stale3.d.next = self.valid2.q.val() && !self.first.val() && self.kind2.q.val() != bits::<2>(3) && !self.counts.val();

        self.out_valid.next = self.valid3.q.val();
        self.out_frame.next = self.frame3.q.val();
        self.out_abort.next = self.abort3.q.val();
        self.out_again.next = self.again3.q.val();
        self.out_last.next = self.last3.q.val();
        self.out_closed.next = self.closed3.q.val();
        self.out_op.next = self.op3.q.val();
        self.out_packet.next = self.packet3.q.val();
        self.out_try.next = self.try3.q.val();
        self.out_psn.next = self.psn3.q.val();
        self.out_record.next = self.record3.q.val();
        self.evt_stale.next = self.stale3.q.val();
    }
}
