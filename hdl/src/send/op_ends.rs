use crate::primitives::{FifoBlock, FifoLut, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Ends of ops on their way out, and the way of their indices back to the allocator.
///
/// Every op ends once, so the queue has room for all. An end waits while the retransmit output offers a packet of the index: when it is
/// offered, no retransmission of the op will be. What the retry limit ended has an abort besides; the next end waits until both are taken.
/// An index is free when its end has been taken and it was released, whichever comes first: each of the two turns a bit of its own, and the
/// one that finds the bits equal afterwards gives the index back.
/// Latency: 4 clocks to the end, 3 clocks from the second of both until `back_valid`. Throughput: one per clock. Reset: nothing is under
/// way; `clear` passes over all indices.
#[derive(Default, Described, LogicBlock)]
pub struct OpEnds {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an index is cleared in this clock
    pub clear: Signal<In, Bit>,
    /// index of `clear`
    pub clear_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// an op has ended
    pub end_valid: Signal<In, Bit>,
    /// `{abort, status 8, kind, command, op}`
    pub end_data: Signal<In, Bits<OP_END_BITS>>,
    /// the retransmit output offers a packet
    pub retry_valid: Signal<In, Bit>,
    /// of this index
    pub retry_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// an end is told
    pub ended_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `ended_valid` is high too
    pub ended_ready: Signal<In, Bit>,
    /// op number
    pub ended_op: Signal<Out, Bits<OP_BITS>>,
    /// command
    pub ended_command: Signal<Out, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub ended_kind: Signal<Out, Bit>,
    /// 0 done, or why not
    pub ended_status: Signal<Out, Bits<8>>,
    /// the receiver is to be told
    pub abort_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `abort_valid` is high too
    pub abort_ready: Signal<In, Bit>,
    /// op number
    pub abort_op: Signal<Out, Bits<OP_BITS>>,
    /// nobody names the op of an index any more
    pub release_valid: Signal<In, Bit>,
    /// index of `release`
    pub release_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// an index is free
    pub back_valid: Signal<Out, Bit>,
    /// index of `back`
    pub back_index: Signal<Out, Bits<OP_INDEX_BITS>>,

    queue: FifoBlock<OP_END_BITS, OP_INDEX_BITS, OP_COUNT_BITS>,
    tells: State<Bit>,
    aborts: State<Bit>,
    entry: Reg<Bits<OP_END_BITS>>,
    free: Signal<Local, Bit>,
    clear_of_retry: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,

    // A bit per index that its end turns, and one that its release turns, each readable from both sides.
    ends_by_end: LutRam<1, OP_INDEX_BITS>,
    ends_by_release: LutRam<1, OP_INDEX_BITS>,
    releases_by_end: LutRam<1, OP_INDEX_BITS>,
    releases_by_release: LutRam<1, OP_INDEX_BITS>,
    taken: State<Bit>,
    taken_index: Reg<Bits<OP_INDEX_BITS>>,
    taken_turned: Signal<Local, Bit>,
    taken_last: Signal<Local, Bit>,
    released: State<Bit>,
    released_index: Reg<Bits<OP_INDEX_BITS>>,
    released_turned: Signal<Local, Bit>,
    released_last: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    end_write: Signal<Local, Bit>,
    end_index: Signal<Local, Bits<OP_INDEX_BITS>>,
    end_bit: Signal<Local, Bits<1>>,
    release_write: Signal<Local, Bit>,
    release_at: Signal<Local, Bits<OP_INDEX_BITS>>,
    release_bit: Signal<Local, Bits<1>>,
    // Indices that their end gave back; those of a release go first.
    waiting: FifoLut<OP_INDEX_BITS, 2, 3>,
    back: State<Bit>,
    back_at: Reg<Bits<OP_INDEX_BITS>>,
}

impl Logic for OpEnds {
    #[kernel]
    fn update(&mut self) {
        self.queue.in_valid.next = self.end_valid.val();
        self.queue.in_data.next = self.end_data.val();
        self.free.next = (!self.tells.q.val() || self.ended_ready.val()) && (!self.aborts.q.val() || self.abort_ready.val());
        self.clear_of_retry.next =
            !self.retry_valid.val() || (self.retry_index.val() != self.queue.out_data.val().get_bits::<OP_INDEX_BITS>(0));
        // Of the four places of indices that wait, one may be filled and two be on their way.
        self.loads.next = self.queue.out_valid.val()
            && self.free.val()
            && self.clear_of_retry.val()
            && !self.waiting.count.val().get_bit(1)
            && !self.waiting.count.val().get_bit(2);
        self.queue.out_ready.next = self.loads.val();
        if self.ended_ready.val() {
            self.tells.d.next = false;
        }
        if self.abort_ready.val() {
            self.aborts.d.next = false;
        }
        if self.loads.val() {
            self.tells.d.next = true;
            self.aborts.d.next = self.queue.out_data.val().get_bit(OP_BITS + COMMAND_BITS + 9);
            self.entry.d.next = self.queue.out_data.val();
        }
        self.ended_valid.next = self.tells.q.val();
        self.ended_op.next = self.entry.q.val().get_bits::<OP_BITS>(0);
        self.ended_command.next = self.entry.q.val().get_bits::<COMMAND_BITS>(OP_BITS);
        self.ended_kind.next = self.entry.q.val().get_bit(OP_BITS + COMMAND_BITS);
        self.ended_status.next = self.entry.q.val().get_bits::<8>(OP_BITS + COMMAND_BITS + 1);
        self.abort_valid.next = self.aborts.q.val();
        self.abort_op.next = self.entry.q.val().get_bits::<OP_BITS>(0);

        self.taken.d.next = self.tells.q.val() && self.ended_ready.val();
        self.taken_index.d.next = self.entry.q.val().get_bits::<OP_INDEX_BITS>(0);
        self.released.d.next = self.release_valid.val();
        self.released_index.d.next = self.release_index.val();
        self.ends_by_end.read_address.next = self.taken_index.q.val();
        self.releases_by_end.read_address.next = self.taken_index.q.val();
        self.ends_by_release.read_address.next = self.released_index.q.val();
        self.releases_by_release.read_address.next = self.released_index.q.val();
        self.taken_turned.next = !self.ends_by_end.read_data.val().get_bit(0);
        self.released_turned.next = !self.releases_by_release.read_data.val().get_bit(0);
        // If both come for one index, the end is the one that finds the other.
        self.same.next = self.released.q.val() && (self.released_index.q.val() == self.taken_index.q.val());
        self.taken_last.next =
            self.taken.q.val() && ((self.taken_turned.val() == self.releases_by_end.read_data.val().get_bit(0)) ^ self.same.val());
        self.released_last.next = self.released.q.val() && (self.released_turned.val() == self.ends_by_release.read_data.val().get_bit(0));
        self.end_write.next = self.taken.q.val();
        self.end_index.next = self.taken_index.q.val();
        self.end_bit.next = self.taken_turned.val().into();
        self.release_write.next = self.released.q.val();
        self.release_at.next = self.released_index.q.val();
        self.release_bit.next = self.released_turned.val().into();
        if self.clear.val() {
            self.end_write.next = true;
            self.end_index.next = self.clear_index.val();
            self.end_bit.next = bits::<1>(0);
            self.release_write.next = true;
            self.release_at.next = self.clear_index.val();
            self.release_bit.next = bits::<1>(0);
        }
        self.ends_by_end.write_enable.next = self.end_write.val();
        self.ends_by_end.write_address.next = self.end_index.val();
        self.ends_by_end.write_data.next = self.end_bit.val();
        self.ends_by_release.write_enable.next = self.end_write.val();
        self.ends_by_release.write_address.next = self.end_index.val();
        self.ends_by_release.write_data.next = self.end_bit.val();
        self.releases_by_end.write_enable.next = self.release_write.val();
        self.releases_by_end.write_address.next = self.release_at.val();
        self.releases_by_end.write_data.next = self.release_bit.val();
        self.releases_by_release.write_enable.next = self.release_write.val();
        self.releases_by_release.write_address.next = self.release_at.val();
        self.releases_by_release.write_data.next = self.release_bit.val();

        self.waiting.in_valid.next = self.taken_last.val();
        self.waiting.in_data.next = self.taken_index.q.val();
        self.waiting.out_ready.next = !self.released_last.val();
        self.back.d.next = self.released_last.val() || self.waiting.out_valid.val();
        self.back_at.d.next = self.waiting.out_data.val();
        if self.released_last.val() {
            self.back_at.d.next = self.released_index.q.val();
        }
        self.back_valid.next = self.back.q.val();
        self.back_index.next = self.back_at.q.val();
    }
}
