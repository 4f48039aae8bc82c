use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Commands under way: how many segments of each are outstanding, whether it is cut to its end, and how it ends, once.
///
/// A command is over when it is cut to its end, or discarded, and as many of its segments have ended as were cut: `over` tells the host,
/// with the status of the first segment that failed, or 0. One that ended well and wants it is then handed to `arrival`; its place is
/// `freed` when that operation has ended, well or not. The places of all others are free at once. Two counters per place, one written by
/// what cuts and one by what ends, go on from one command to the next modulo `2^OUTSTANDING_BITS`; they are equal between two commands.
/// Limits: fewer than `2^OUTSTANDING_BITS` segments outstanding; what ends has been cut, at least two clocks before.
/// Latency: 3 clocks from `ended` to `over`, `failed`, `arrival` and `freed`. Throughput: one segment cut and one ended per clock; a
/// discarded command takes the place of an ended segment for one clock. Reset: `ready` after `2^COMMAND_BITS` clocks, all places free.
/// Spec: send path, "Decided".
///
/// Parameters: `COMMAND_BITS` bits of a place, `OUTSTANDING_BITS` bits of a count, `OUTSTANDING_PAIR_BITS` = `2 OUTSTANDING_BITS + 2`,
/// `OUTSTANDING_END_BITS` = `OUTSTANDING_BITS + 10`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CommandTable<
    const COMMAND_BITS: usize,
    const OUTSTANDING_BITS: usize,
    const OUTSTANDING_PAIR_BITS: usize,
    const OUTSTANDING_END_BITS: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the table has been cleared
    pub ready: Signal<Out, Bit>,
    /// what a command that is taken says
    pub put_valid: Signal<In, Bit>,
    /// place of `put`
    pub put_index: Signal<In, Bits<COMMAND_BITS>>,
    /// number of `put`
    pub put_id: Signal<In, Bits<16>>,
    /// bytes of `put`
    pub put_total: Signal<In, Bits<32>>,
    /// a segment of data is cut
    pub cut_valid: Signal<In, Bit>,
    /// place of its command
    pub cut_index: Signal<In, Bits<COMMAND_BITS>>,
    /// it is the last one
    pub cut_last: Signal<In, Bit>,
    /// the receiver's host is to be told when the command has ended
    pub cut_wants: Signal<In, Bit>,
    /// no more segments of a command will be cut
    pub discard_valid: Signal<In, Bit>,
    /// place of `discard`
    pub discard_index: Signal<In, Bits<COMMAND_BITS>>,
    /// an operation has ended
    pub ended_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `ended_valid` is high too
    pub ended_ready: Signal<Out, Bit>,
    /// place of its command
    pub ended_index: Signal<In, Bits<COMMAND_BITS>>,
    /// 0 data, 1 data arrival
    pub ended_kind: Signal<In, Bit>,
    /// 0 done, else why not
    pub ended_status: Signal<In, Bits<8>>,
    /// a segment has failed, the first of its command
    pub failed_valid: Signal<Out, Bit>,
    /// a command is over
    pub over_valid: Signal<Out, Bit>,
    /// number of `over`
    pub over_id: Signal<Out, Bits<16>>,
    /// 0 done, else the first failure
    pub over_status: Signal<Out, Bits<8>>,
    /// bytes of `over`
    pub over_total: Signal<Out, Bits<32>>,
    /// it is over, ended well, and the receiver's host is to be told
    pub arrival_valid: Signal<Out, Bit>,
    /// a place is free
    pub freed_valid: Signal<Out, Bit>,
    /// the place that `failed`, `over`, `arrival` and `freed` speak of
    pub event_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// a data arrival was not acknowledged
    pub evt_arrival_failed: Signal<Out, Bit>,

    // Low bits first: segments cut, the same less one, cut to the end, wants an arrival. Two copies, for two readers.
    cuts: LutRam<OUTSTANDING_PAIR_BITS, COMMAND_BITS>,
    cuts_again: LutRam<OUTSTANDING_PAIR_BITS, COMMAND_BITS>,
    // Low bits first: segments ended, failed, status, discarded.
    ends: LutRam<OUTSTANDING_END_BITS, COMMAND_BITS>,
    // number 16, bytes 32
    names: LutRam<48, COMMAND_BITS>,
    cleared: State<Bit>,
    clearing: State<Bits<COMMAND_BITS>>,
    cut_word: Signal<Local, Bits<OUTSTANDING_PAIR_BITS>>,

    valid0: State<Bit>,
    index0: Reg<Bits<COMMAND_BITS>>,
    discard0: Reg<Bit>,
    kind0: Reg<Bit>,
    status0: Reg<Bits<8>>,
    known: Signal<Local, Bits<OUTSTANDING_END_BITS>>,

    valid1: State<Bit>,
    index1: Reg<Bits<COMMAND_BITS>>,
    discard1: Reg<Bit>,
    kind1: Reg<Bit>,
    bad1: Reg<Bit>,
    status1: Reg<Bits<8>>,
    word1: Reg<Bits<OUTSTANDING_END_BITS>>,
    goal1: Reg<Bits<OUTSTANDING_BITS>>,
    last1: Reg<Bit>,
    wants1: Reg<Bit>,
    data: Signal<Local, Bit>,
    fails: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    status: Signal<Local, Bits<8>>,
    closed: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    count: Signal<Local, Bits<OUTSTANDING_BITS>>,
    word: Signal<Local, Bits<OUTSTANDING_END_BITS>>,

    index2: Reg<Bits<COMMAND_BITS>>,
    failed2: State<Bit>,
    over2: State<Bit>,
    status2: Reg<Bits<8>>,
    name2: Reg<Bits<48>>,
    arrival2: State<Bit>,
    freed2: State<Bit>,
    missed2: State<Bit>,
}

impl<const COMMAND_BITS: usize, const OUTSTANDING_BITS: usize, const OUTSTANDING_PAIR_BITS: usize, const OUTSTANDING_END_BITS: usize>
    CommandTable<COMMAND_BITS, OUTSTANDING_BITS, OUTSTANDING_PAIR_BITS, OUTSTANDING_END_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter does not follow from the others.
    pub fn new() -> Self {
        for (name, value, must) in
            [("UW", OUTSTANDING_PAIR_BITS, 2 * OUTSTANDING_BITS + 2), ("TW", OUTSTANDING_END_BITS, OUTSTANDING_BITS + 10)]
        {
            assert!(value == must, "CommandTable: {name} = {value} with OUTSTANDING_BITS = {OUTSTANDING_BITS}, must be {must}");
        }
        Self::default()
    }
}

impl<const COMMAND_BITS: usize, const OUTSTANDING_BITS: usize, const OUTSTANDING_PAIR_BITS: usize, const OUTSTANDING_END_BITS: usize> Logic
    for CommandTable<COMMAND_BITS, OUTSTANDING_BITS, OUTSTANDING_PAIR_BITS, OUTSTANDING_END_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.cleared.q.val();
        self.names.write_enable.next = self.put_valid.val();
        self.names.write_address.next = self.put_index.val();
        self.names.write_data.next = bit_cast::<48, 16>(self.put_id.val()) | (bit_cast::<48, 32>(self.put_total.val()) << 16);

        // What is cut.
        self.cuts.read_address.next = self.cut_index.val();
        self.cut_word.next =
            bit_cast::<OUTSTANDING_PAIR_BITS, OUTSTANDING_BITS>(self.cuts.read_data.val().get_bits::<OUTSTANDING_BITS>(0) + 1)
                | (bit_cast::<OUTSTANDING_PAIR_BITS, OUTSTANDING_BITS>(self.cuts.read_data.val().get_bits::<OUTSTANDING_BITS>(0))
                    << OUTSTANDING_BITS.to_bits::<6>())
                | (bit_cast::<OUTSTANDING_PAIR_BITS, 1>(self.cut_last.val().into()) << (2 * OUTSTANDING_BITS).to_bits::<6>())
                | (bit_cast::<OUTSTANDING_PAIR_BITS, 1>(self.cut_wants.val().into()) << (2 * OUTSTANDING_BITS + 1).to_bits::<6>());
        self.cuts.write_enable.next = self.cut_valid.val();
        self.cuts.write_address.next = self.cut_index.val();
        self.cuts.write_data.next = self.cut_word.val();
        self.cuts_again.write_enable.next = self.cut_valid.val();
        self.cuts_again.write_address.next = self.cut_index.val();
        self.cuts_again.write_data.next = self.cut_word.val();

        // What ends, or is discarded: first its word, with what the one in front is about to write.
        self.ended_ready.next = !self.discard_valid.val();
        self.valid0.d.next = self.discard_valid.val() || self.ended_valid.val();
        self.discard0.d.next = self.discard_valid.val();
        self.index0.d.next = self.ended_index.val();
        self.kind0.d.next = self.ended_kind.val();
        self.status0.d.next = self.ended_status.val();
        if self.discard_valid.val() {
            self.index0.d.next = self.discard_index.val();
            self.kind0.d.next = false;
            self.status0.d.next = bits::<8>(0);
        }
        self.ends.read_address.next = self.index0.q.val();
        self.cuts_again.read_address.next = self.index0.q.val();
        self.known.next = self.ends.read_data.val();
        if self.data.val() && (self.index0.q.val() == self.index1.q.val()) {
            self.known.next = self.word.val();
        }
        self.valid1.d.next = self.valid0.q.val();
        self.index1.d.next = self.index0.q.val();
        self.discard1.d.next = self.discard0.q.val();
        self.kind1.d.next = self.kind0.q.val();
        self.bad1.d.next = self.status0.q.val().any();
        self.status1.d.next = self.status0.q.val();
        self.word1.d.next = self.known.val();
        // An ended segment is the last one if all but one of those that were cut had ended before.
        self.goal1.d.next = self.cuts_again.read_data.val().get_bits::<OUTSTANDING_BITS>(OUTSTANDING_BITS);
        if self.discard0.q.val() {
            self.goal1.d.next = self.cuts_again.read_data.val().get_bits::<OUTSTANDING_BITS>(0);
        }
        self.last1.d.next = self.cuts_again.read_data.val().get_bit(2 * OUTSTANDING_BITS);
        self.wants1.d.next = self.cuts_again.read_data.val().get_bit(2 * OUTSTANDING_BITS + 1);

        // Then what follows.
        self.data.next = self.valid1.q.val() && !self.kind1.q.val();
        self.fails.next = self.bad1.q.val() && !self.word1.q.val().get_bit(OUTSTANDING_BITS);
        self.bad.next = self.bad1.q.val() || self.word1.q.val().get_bit(OUTSTANDING_BITS);
        self.status.next = self.status1.q.val();
        if self.word1.q.val().get_bit(OUTSTANDING_BITS) {
            self.status.next = self.word1.q.val().get_bits::<8>(OUTSTANDING_BITS + 1);
        }
        self.closed.next = self.discard1.q.val() || self.word1.q.val().get_bit(OUTSTANDING_BITS + 9);
        self.over.next = self.data.val()
            && (self.last1.q.val() || self.closed.val())
            && (self.word1.q.val().get_bits::<OUTSTANDING_BITS>(0) == self.goal1.q.val());
        self.count.next = self.word1.q.val().get_bits::<OUTSTANDING_BITS>(0) + 1;
        if self.discard1.q.val() {
            self.count.next = self.word1.q.val().get_bits::<OUTSTANDING_BITS>(0);
        }
        self.word.next = bit_cast::<OUTSTANDING_END_BITS, OUTSTANDING_BITS>(self.count.val());
        if !self.over.val() {
            self.word.next = bit_cast::<OUTSTANDING_END_BITS, OUTSTANDING_BITS>(self.count.val())
                | (bit_cast::<OUTSTANDING_END_BITS, 1>(self.bad.val().into()) << OUTSTANDING_BITS.to_bits::<6>())
                | (bit_cast::<OUTSTANDING_END_BITS, 8>(self.status.val()) << (OUTSTANDING_BITS + 1).to_bits::<6>())
                | (bit_cast::<OUTSTANDING_END_BITS, 1>(self.closed.val().into()) << (OUTSTANDING_BITS + 9).to_bits::<6>());
        }
        self.ends.write_enable.next = self.data.val();
        self.ends.write_address.next = self.index1.q.val();
        self.ends.write_data.next = self.word.val();
        self.names.read_address.next = self.index1.q.val();
        self.index2.d.next = self.index1.q.val();
        self.failed2.d.next = self.data.val() && self.fails.val();
        self.over2.d.next = self.over.val();
        self.status2.d.next = bits::<8>(0);
        if self.bad.val() {
            self.status2.d.next = self.status.val();
        }
        self.name2.d.next = self.names.read_data.val();
        self.arrival2.d.next = self.over.val() && !self.bad.val() && self.wants1.q.val();
        self.freed2.d.next = (self.over.val() && (self.bad.val() || !self.wants1.q.val())) || (self.valid1.q.val() && self.kind1.q.val());
        self.missed2.d.next = self.valid1.q.val() && self.kind1.q.val() && self.bad1.q.val();
        self.event_index.next = self.index2.q.val();
        self.failed_valid.next = self.failed2.q.val();
        self.over_valid.next = self.over2.q.val();
        self.over_status.next = self.status2.q.val();
        self.over_id.next = self.name2.q.val().get_bits::<16>(0);
        self.over_total.next = self.name2.q.val().get_bits::<32>(16);
        self.arrival_valid.next = self.arrival2.q.val();
        self.freed_valid.next = self.freed2.q.val();
        self.evt_arrival_failed.next = self.missed2.q.val();

        // Nothing is cut and nothing ends before the last word is zero.
        if !self.cleared.q.val() {
            self.cuts.write_enable.next = true;
            self.cuts.write_address.next = self.clearing.q.val();
            self.cuts.write_data.next = bits::<OUTSTANDING_PAIR_BITS>(0);
            self.cuts_again.write_enable.next = true;
            self.cuts_again.write_address.next = self.clearing.q.val();
            self.cuts_again.write_data.next = bits::<OUTSTANDING_PAIR_BITS>(0);
            self.ends.write_enable.next = true;
            self.ends.write_address.next = self.clearing.q.val();
            self.ends.write_data.next = bits::<OUTSTANDING_END_BITS>(0);
            self.clearing.d.next = self.clearing.q.val() + 1;
            self.cleared.d.next = self.clearing.q.val().all();
        }
    }
}
