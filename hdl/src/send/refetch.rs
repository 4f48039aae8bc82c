use super::TRY_BITS;
use crate::primitives::{BlockRam, FifoLut, FindFirst, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Packets that are sent again, pulled from the host's memory again: between what decides that they go again and the packet engine.
///
/// ```text
///  keep ─▶ addresses of the operation
///                │
///  wanted ─┬─▶ place, pieces ─▶ load (CDMA) ─▶ loaded ─▶ again (packet engine) ─▶ done, dropped: the place is free
///  abort  ─┤                                   └ not ─▶ fail (op table): the place is free
///  close  ─┴─▶ behind all that was wanted before ─▶ abort_out, close_out
/// ```
///
/// The last slot of the send buffer is for these packets, each in a place of its own, from which the packet engine reads it. `keep` says
/// where an operation comes from. Of a packet that is wanted the
/// bytes from `packet` times the packet size on are found in its four pieces, and loaded to its place. A packet without payload, and one of
/// an operation that is closed, goes on without a load: its
/// place stays as it is, and the packet engine knows what to do with it.
/// Aborts and closes come out when all packets that came in before have gone on or failed: an operation whose close was taken has no pull
/// under way, and its memory may be used for something else.
/// A pull that fails ends its operation as a first load does.
/// Latency: 7 clocks from a packet to its load, 1 from the answer to `again`, 2 from a close to `close_out`. Throughput: one packet per 7
/// clocks, one of everything else per clock. Reset: every place is
/// free, nothing is kept.
/// Spec: send path, "Where payload lives", "DMA operation table". Decided here: an operation's pull and its close.
#[derive(Default, Described, LogicBlock)]
pub struct Refetch {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// address of slot 0 as the CDMA sees it, a multiple of the size of all slots
    pub cfg_buffer_base: Signal<In, Bits<64>>,
    /// an operation begins; always taken
    pub keep_valid: Signal<In, Bit>,
    /// the operation
    pub keep_op: Signal<In, Bits<OP_BITS>>,
    /// 0 data, 1 data arrival: it has no payload
    pub keep_kind: Signal<In, Bit>,
    /// addresses of four pieces, first one lowest
    pub keep_sources: Signal<In, Bits<256>>,
    /// their bytes, 0: there is none
    pub keep_lengths: Signal<In, Bits<128>>,
    /// a packet is to be sent again
    pub wanted_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `wanted_valid` is high too
    pub wanted_ready: Signal<Out, Bit>,
    /// operation of `wanted`
    pub wanted_op: Signal<In, Bits<OP_BITS>>,
    /// its number in the operation
    pub wanted_packet: Signal<In, Bits<POSITION_BITS>>,
    /// which try it is
    pub wanted_try: Signal<In, Bits<TRY_BITS>>,
    /// the receiver is to be told that an operation will not go on
    pub abort_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `abort_valid` is high too
    pub abort_ready: Signal<Out, Bit>,
    /// the operation
    pub abort_op: Signal<In, Bits<OP_BITS>>,
    /// an operation is over
    pub close_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `close_valid` is high too
    pub close_ready: Signal<Out, Bit>,
    /// the operation
    pub close_op: Signal<In, Bits<OP_BITS>>,
    /// bytes are to be fetched
    pub load_valid: Signal<Out, Bit>,
    /// the load is taken
    pub load_ready: Signal<In, Bit>,
    /// place of `load`
    pub load_place: Signal<Out, Bits<PULL_PLACE_BITS>>,
    /// addresses of four pieces
    pub load_sources: Signal<Out, Bits<256>>,
    /// their bytes
    pub load_lengths: Signal<Out, Bits<128>>,
    /// where the first byte goes
    pub load_destination: Signal<Out, Bits<64>>,
    /// a load has ended
    pub loaded_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `loaded_valid` is high too
    pub loaded_ready: Signal<Out, Bit>,
    /// place of `loaded`
    pub loaded_place: Signal<In, Bits<PULL_PLACE_BITS>>,
    /// 0: every byte is in its place
    pub loaded_status: Signal<In, Bits<8>>,
    /// a packet is sent again, its payload is there
    pub again_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `again_valid` is high too
    pub again_ready: Signal<In, Bit>,
    /// operation of `again`
    pub again_op: Signal<Out, Bits<OP_BITS>>,
    /// its number in the operation
    pub again_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// which try it is
    pub again_try: Signal<Out, Bits<TRY_BITS>>,
    /// where its payload lies in the last slot
    pub again_place: Signal<Out, Bits<PULL_PLACE_BITS>>,
    /// one clock: the wire has taken a packet that was sent again
    pub done_valid: Signal<In, Bit>,
    /// its place
    pub done_place: Signal<In, Bits<PULL_PLACE_BITS>>,
    /// one clock: the packet engine has thrown one away
    pub dropped_valid: Signal<In, Bit>,
    /// its place
    pub dropped_place: Signal<In, Bits<PULL_PLACE_BITS>>,
    /// a packet could not be pulled
    pub fail_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `fail_valid` is high too
    pub fail_ready: Signal<In, Bit>,
    /// its operation
    pub fail_op: Signal<Out, Bits<OP_BITS>>,
    /// status code
    pub fail_status: Signal<Out, Bits<8>>,
    /// an abort, behind what was wanted before it
    pub abort_out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `abort_out_valid` is high too
    pub abort_out_ready: Signal<In, Bit>,
    /// a close, behind what was wanted before it
    pub close_out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `close_out_valid` is high too
    pub close_out_ready: Signal<In, Bit>,
    /// operation of `abort_out` and `close_out`
    pub end_op: Signal<Out, Bits<OP_BITS>>,
    /// counts packets that are pulled again
    pub evt_pulls: Signal<Out, Bit>,
    /// nothing waits, every place is free
    pub idle: Signal<Out, Bit>,

    // Low bits first: sources, lengths, data arrival, generation.
    kept: BlockRam<KEPT_BITS, OP_INDEX_BITS, 0>,
    // By index: its operation is closed.
    closed: LutRam<1, OP_INDEX_BITS>,
    // Low bits first: operation, try, packet, kind: 0 packet, 1 abort, 2 close.
    queue: FifoLut<WANTED_BITS, 4, 5>,
    // The one before was a packet.
    turn: State<Bit>,
    others: Signal<Local, Bit>,
    takes_other: Signal<Local, Bit>,
    is_packet: Signal<Local, Bit>,
    is_close: Signal<Local, Bit>,
    head_op: Signal<Local, Bits<OP_BITS>>,

    used: State<Bits<PULL_PLACES>>,
    unused: Signal<Local, Bits<PULL_PLACES>>,
    first: FindFirst<PULL_PLACES, PULL_PLACE_BITS>,
    starts: Signal<Local, Bit>,
    started: Signal<Local, Bits<PULL_PLACES>>,
    // Neither gone on nor failed.
    under_way: State<Bits<PULL_PLACES>>,
    handed: Signal<Local, Bits<PULL_PLACES>>,
    failed: Signal<Local, Bits<PULL_PLACES>>,
    left_over: Signal<Local, Bits<PULL_PLACES>>,
    done: Signal<Local, Bits<PULL_PLACES>>,
    dropped: Signal<Local, Bits<PULL_PLACES>>,
    freed: Signal<Local, Bits<PULL_PLACES>>,

    // 0 none, 1 is looked up, 2 to 5 one piece each, 6 its load is offered, 7 it goes on without one.
    step: State<Bits<3>>,
    op: Reg<Bits<OP_BITS>>,
    packet: Reg<Bits<POSITION_BITS>>,
    place: Reg<Bits<PULL_PLACE_BITS>>,
    is_closed: Reg<Bit>,
    pulls: Signal<Local, Bit>,
    walks: Signal<Local, Bit>,
    sources: Reg<Bits<256>>,
    lengths: Reg<Bits<128>>,
    skip: Reg<Bits<OPERATION_COUNT_BITS>>,
    left: Reg<Bits<OPERATION_COUNT_BITS>>,
    length: Signal<Local, Bits<OPERATION_COUNT_BITS>>,
    beyond: Signal<Local, Bits<OPERATION_DIFFERENCE_BITS>>,
    rest: Signal<Local, Bits<OPERATION_COUNT_BITS>>,
    cut: Signal<Local, Bits<OPERATION_COUNT_BITS>>,
    address: Signal<Local, Bits<64>>,
    found_sources: Reg<Bits<256>>,
    found_lengths: Reg<Bits<128>>,

    // What a place is for, for each of two readers.
    pulled: LutRam<PULL_BITS, PULL_PLACE_BITS>,
    failing: LutRam<OP_BITS, PULL_PLACE_BITS>,
    good: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    // Places whose packets may go on: each is in it once at most.
    there: FifoLut<PULL_PLACE_BITS, PULL_PLACE_BITS, PULL_PLACE_COUNT_BITS>,

    ending: State<Bit>,
    aborts: Reg<Bit>,
    ended: Reg<Bits<OP_BITS>>,
    awaited: State<Bits<PULL_PLACES>>,
    takes_end: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
}

impl Refetch {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for Refetch {
    #[kernel]
    fn update(&mut self) {
        self.kept.write_enable.next = self.keep_valid.val();
        self.kept.write_address.next = self.keep_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.kept.write_data.next = bit_cast::<KEPT_BITS, 256>(self.keep_sources.val())
            | (bit_cast::<KEPT_BITS, 128>(self.keep_lengths.val()) << 256)
            | (bit_cast::<KEPT_BITS, 1>(self.keep_kind.val().into()) << 384)
            | (bit_cast::<KEPT_BITS, GENERATION_BITS>(self.keep_op.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS)) << 385);

        // One queue for all three: none comes before what was there before it.
        self.others.next = self.abort_valid.val() || self.close_valid.val();
        self.takes_other.next = self.others.val() && (self.turn.q.val() || !self.wanted_valid.val());
        self.queue.in_valid.next = self.wanted_valid.val() || self.others.val();
        self.wanted_ready.next = self.queue.in_ready.val() && !self.takes_other.val();
        self.abort_ready.next = self.queue.in_ready.val() && self.takes_other.val();
        self.close_ready.next = self.queue.in_ready.val() && self.takes_other.val() && !self.abort_valid.val();
        self.queue.in_data.next = bit_cast::<WANTED_BITS, OP_BITS>(self.wanted_op.val())
            | (bit_cast::<WANTED_BITS, TRY_BITS>(self.wanted_try.val()) << 24)
            | (bit_cast::<WANTED_BITS, POSITION_BITS>(self.wanted_packet.val()) << 29);
        if self.takes_other.val() {
            self.queue.in_data.next =
                bit_cast::<WANTED_BITS, OP_BITS>(self.close_op.val()) | (bits::<WANTED_BITS>(2) << PULL_BITS.to_bits::<6>());
            if self.abort_valid.val() {
                self.queue.in_data.next =
                    bit_cast::<WANTED_BITS, OP_BITS>(self.abort_op.val()) | (bits::<WANTED_BITS>(1) << PULL_BITS.to_bits::<6>());
            }
        }
        if self.queue.in_valid.val() && self.queue.in_ready.val() {
            self.turn.d.next = !self.takes_other.val();
        }

        // A packet takes a place, and the memories are read.
        self.head_op.next = self.queue.out_data.val().get_bits::<OP_BITS>(0);
        self.is_packet.next = self.queue.out_valid.val() && !self.queue.out_data.val().get_bits::<2>(PULL_BITS).any();
        self.is_close.next = self.queue.out_data.val().get_bit(PULL_BITS + 1);
        self.unused.next = !self.used.q.val();
        self.first.request.next = self.unused.val();
        self.starts.next = self.is_packet.val() && self.first.any.val() && !self.step.q.val().any();
        self.started.next = bits::<PULL_PLACES>(0);
        self.kept.read_address.next = self.head_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.closed.read_address.next = self.head_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.pulled.write_enable.next = self.starts.val();
        self.pulled.write_address.next = self.first.index.val();
        self.pulled.write_data.next = self.queue.out_data.val().get_bits::<PULL_BITS>(0);
        self.failing.write_enable.next = self.starts.val();
        self.failing.write_address.next = self.first.index.val();
        self.failing.write_data.next = self.head_op.val();
        if self.starts.val() {
            self.started.next = bits::<PULL_PLACES>(1) << self.first.index.val();
            self.step.d.next = bits::<3>(1);
            self.op.d.next = self.head_op.val();
            self.packet.d.next = self.queue.out_data.val().get_bits::<POSITION_BITS>(29);
            self.place.d.next = self.first.index.val();
            self.is_closed.d.next = self.closed.read_data.val().any();
        }

        // Its bytes: pieces before them are skipped, the last one is cut.
        self.pulls.next = !self.is_closed.q.val()
            && !self.kept.read_data.val().get_bit(384)
            && self.kept.read_data.val().get_bits::<GENERATION_BITS>(385) == self.op.q.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.walks.next = self.step.q.val().get_bits::<2>(1) == bits::<2>(1) || self.step.q.val().get_bits::<2>(1) == bits::<2>(2);
        self.length.next = self.lengths.q.val().get_bits::<OPERATION_COUNT_BITS>(0);
        self.beyond.next = bit_cast::<OPERATION_DIFFERENCE_BITS, OPERATION_COUNT_BITS>(self.skip.q.val())
            - bit_cast::<OPERATION_DIFFERENCE_BITS, OPERATION_COUNT_BITS>(self.length.val());
        self.rest.next = self.length.val() - self.skip.q.val();
        self.address.next = self.sources.q.val().get_bits::<64>(0) + bit_cast::<64, OPERATION_COUNT_BITS>(self.skip.q.val());
        self.cut.next = bits::<OPERATION_COUNT_BITS>(0);
        if self.beyond.val().get_bit(OPERATION_COUNT_BITS) {
            self.cut.next = self.left.q.val();
            if self.rest.val() < self.left.q.val() {
                self.cut.next = self.rest.val();
            }
        }
        if self.step.q.val() == bits::<3>(1) {
            self.sources.d.next = self.kept.read_data.val().get_bits::<256>(0);
            self.lengths.d.next = self.kept.read_data.val().get_bits::<128>(256);
            self.skip.d.next = bit_cast::<OPERATION_COUNT_BITS, POSITION_BITS>(self.packet.q.val()) << PACKET_BITS.to_bits::<4>();
            self.left.d.next = bits::<OPERATION_COUNT_BITS>(1) << PACKET_BITS.to_bits::<4>();
            self.step.d.next = bits::<3>(7);
            if self.pulls.val() {
                self.step.d.next = bits::<3>(2);
            }
        }
        if self.walks.val() {
            self.step.d.next = self.step.q.val() + 1;
            self.sources.d.next = self.sources.q.val() >> 64;
            self.lengths.d.next = self.lengths.q.val() >> 32;
            self.skip.d.next = bits::<OPERATION_COUNT_BITS>(0);
            if !self.beyond.val().get_bit(OPERATION_COUNT_BITS) {
                self.skip.d.next = self.beyond.val().get_bits::<OPERATION_COUNT_BITS>(0);
            }
            self.left.d.next = self.left.q.val() - self.cut.val();
            self.found_sources.d.next = (self.found_sources.q.val() >> 64) | (bit_cast::<256, 64>(self.address.val()) << 192);
            self.found_lengths.d.next = (self.found_lengths.q.val() >> 32) | (bit_cast::<128, OPERATION_COUNT_BITS>(self.cut.val()) << 96);
        }
        self.load_valid.next = self.step.q.val() == bits::<3>(6);
        self.load_place.next = self.place.q.val();
        self.load_sources.next = self.found_sources.q.val();
        self.load_lengths.next = self.found_lengths.q.val();
        self.load_destination.next = self.cfg_buffer_base.val()
            + ((bits::<64>(1) << (SEND_SLOT_BITS + OPERATION_BITS).to_bits::<6>()) - (bits::<64>(1) << OPERATION_BITS.to_bits::<6>()))
            + (bit_cast::<64, PULL_PLACE_BITS>(self.place.q.val()) << PACKET_BITS.to_bits::<6>());
        self.evt_pulls.next = self.load_valid.val() && self.load_ready.val();
        if self.load_valid.val() && self.load_ready.val() {
            self.step.d.next = bits::<3>(0);
        }

        // Answers go first; what needs no load goes on between them.
        self.good.next = self.loaded_valid.val() && !self.loaded_status.val().any();
        self.passes.next = self.step.q.val().all() && !self.good.val();
        if self.passes.val() {
            self.step.d.next = bits::<3>(0);
        }
        self.there.in_valid.next = self.good.val() || self.passes.val();
        self.there.in_data.next = self.place.q.val();
        if self.good.val() {
            self.there.in_data.next = self.loaded_place.val();
        }
        self.failing.read_address.next = self.loaded_place.val();
        self.fail_valid.next = self.loaded_valid.val() && self.loaded_status.val().any();
        self.fail_op.next = self.failing.read_data.val();
        self.fail_status.next = self.loaded_status.val();
        self.loaded_ready.next = self.good.val() || self.fail_ready.val();
        self.pulled.read_address.next = self.there.out_data.val();
        self.there.out_ready.next = self.again_ready.val();
        self.again_valid.next = self.there.out_valid.val();
        self.again_place.next = self.there.out_data.val();
        self.again_op.next = self.pulled.read_data.val().get_bits::<OP_BITS>(0);
        self.again_try.next = self.pulled.read_data.val().get_bits::<TRY_BITS>(24);
        self.again_packet.next = self.pulled.read_data.val().get_bits::<POSITION_BITS>(29);

        // Places: who has one, and who has neither gone on nor failed.
        self.handed.next = bits::<PULL_PLACES>(0);
        if self.there.out_valid.val() && self.again_ready.val() {
            self.handed.next = bits::<PULL_PLACES>(1) << self.there.out_data.val();
        }
        self.failed.next = bits::<PULL_PLACES>(0);
        if self.fail_valid.val() && self.fail_ready.val() {
            self.failed.next = bits::<PULL_PLACES>(1) << self.loaded_place.val();
        }
        self.done.next = bits::<PULL_PLACES>(0);
        if self.done_valid.val() {
            self.done.next = bits::<PULL_PLACES>(1) << self.done_place.val();
        }
        self.dropped.next = bits::<PULL_PLACES>(0);
        if self.dropped_valid.val() {
            self.dropped.next = bits::<PULL_PLACES>(1) << self.dropped_place.val();
        }
        self.freed.next = self.done.val() | self.dropped.val() | self.failed.val();
        self.left_over.next = self.handed.val() | self.failed.val();
        self.used.d.next = (self.used.q.val() & !self.freed.val()) | self.started.val();
        self.under_way.d.next = (self.under_way.q.val() & !self.left_over.val()) | self.started.val();

        // An abort or a close, once the places that were under way before it are not any more.
        self.leaves.next = !self.awaited.q.val().any()
            && ((self.aborts.q.val() && self.abort_out_ready.val()) || (!self.aborts.q.val() && self.close_out_ready.val()));
        self.takes_end.next =
            self.queue.out_valid.val() && !self.is_packet.val() && !self.keep_valid.val() && (!self.ending.q.val() || self.leaves.val());
        self.queue.out_ready.next = self.starts.val() || self.takes_end.val();
        self.closed.write_enable.next = self.keep_valid.val() || (self.takes_end.val() && self.is_close.val());
        self.closed.write_address.next = self.head_op.val().get_bits::<OP_INDEX_BITS>(0);
        self.closed.write_data.next = bits::<1>(1);
        if self.keep_valid.val() {
            self.closed.write_address.next = self.keep_op.val().get_bits::<OP_INDEX_BITS>(0);
            self.closed.write_data.next = bits::<1>(0);
        }
        self.awaited.d.next = self.awaited.q.val() & !self.left_over.val();
        if self.leaves.val() {
            self.ending.d.next = false;
        }
        if self.takes_end.val() {
            self.ending.d.next = true;
            self.aborts.d.next = !self.is_close.val();
            self.ended.d.next = self.head_op.val();
            self.awaited.d.next = self.under_way.q.val() & !self.left_over.val();
        }
        self.abort_out_valid.next = self.ending.q.val() && self.aborts.q.val() && !self.awaited.q.val().any();
        self.close_out_valid.next = self.ending.q.val() && !self.aborts.q.val() && !self.awaited.q.val().any();
        self.end_op.next = self.ended.q.val();
        self.idle.next = !self.queue.out_valid.val() && !self.ending.q.val() && !self.used.q.val().any();
    }
}
