use super::TRY_BITS;
use crate::primitives::{BlockRam, FifoBlock, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Packets that are to be sent again, each checked when it is taken out: what has been acknowledged meanwhile, or belongs to an op that has
/// ended, is dropped.
///
/// The check of the oldest is made anew in every clock until it goes, on words that are two clocks old at that moment. What has gone to the
/// output stays there until it is taken.
/// Latency: 6 clocks. Throughput: one in per clock, one out or dropped per 3 clocks. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct RetryQueue {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet is to be sent again
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// `{timer, try 5, packet, op}`
    pub in_data: Signal<In, Bits<RETRY_BITS>>,
    /// an index has been given out
    pub record_write: Signal<In, Bit>,
    /// index of `record`
    pub record_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// `{generation, phase}`
    pub record_data: Signal<In, Bits<GENERATION_COUNT_BITS>>,
    /// mask word to read
    pub mask_address: Signal<Out, Bits<MASK_ADDRESS_BITS>>,
    /// that word, one clock later
    pub mask: Signal<In, Bits<MASK_WORD_BITS>>,
    /// state of its op
    pub state: Signal<In, Bits<MASK_STATE_BITS>>,
    /// a packet is to be sent again, and nothing speaks against it
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// op number
    pub out_op: Signal<Out, Bits<OP_BITS>>,
    /// packet
    pub out_packet: Signal<Out, Bits<POSITION_BITS>>,
    /// number of the try, 1 is the first repetition
    pub out_try: Signal<Out, Bits<TRY_BITS>>,
    /// its time was over
    pub out_expired: Signal<Out, Bit>,
    /// counts those whose timer has run out
    pub evt_timeouts: Signal<Out, Bit>,

    queue: FifoBlock<RETRY_BITS, RETRIES_BITS, RETRIES_COUNT_BITS>,
    records: BlockRam<GENERATION_COUNT_BITS, OP_INDEX_BITS, 0>,
    index: Signal<Local, Bits<OP_INDEX_BITS>>,
    packet: Signal<Local, Bits<POSITION_BITS>>,
    word: Signal<Local, Bits<12>>,
    touched: Signal<Local, Bit>,
    acked: Signal<Local, Bit>,
    // Clocks for which the oldest has been looked at, 2 at most; what was found.
    looked: State<Bits<2>>,
    good: Reg<Bit>,
    decides: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    full: State<Bit>,
    entry: Reg<Bits<RETRY_BITS>>,
    timeout: State<Bit>,
}

impl Logic for RetryQueue {
    #[kernel]
    fn update(&mut self) {
        self.queue.in_valid.next = self.in_valid.val();
        self.in_ready.next = self.queue.in_ready.val();
        self.queue.in_data.next = self.in_data.val();

        // Entry, low bits first: op number, packet, try 5, timer 1. State: phase 1, touched, full.
        self.index.next = self.queue.out_data.val().get_bits::<OP_INDEX_BITS>(0);
        self.packet.next = self.queue.out_data.val().get_bits::<POSITION_BITS>(OP_BITS);
        self.word.next = bit_cast::<12, POSITION_BITS>(self.packet.val()) >> MASK_PLACE_BITS.to_bits::<4>();
        self.mask_address.next = (bit_cast::<MASK_ADDRESS_BITS, OP_INDEX_BITS>(self.index.val()) << MASK_WORD_NUMBER_BITS.to_bits::<3>())
            | bit_cast::<MASK_ADDRESS_BITS, MASK_WORD_NUMBER_BITS>(self.word.val().get_bits::<MASK_WORD_NUMBER_BITS>(0));
        self.records.write_enable.next = self.record_write.val();
        self.records.write_address.next = self.record_index.val();
        self.records.write_data.next = self.record_data.val();
        self.records.read_address.next = self.index.val();
        self.touched.next = ((self.state.val().get_bits::<MASK_WORDS>(1) >> self.word.val()) & 1).any();
        self.acked.next = self.touched.val() && ((self.mask.val() >> self.packet.val().get_bits::<MASK_PLACE_BITS>(0)) & 1).any();
        self.good.d.next = !self.acked.val()
            && (self.records.read_data.val().get_bit(0) != self.state.val().get_bit(0))
            && (self.records.read_data.val().get_bits::<GENERATION_BITS>(1)
                == self.queue.out_data.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS));

        self.decides.next = self.queue.out_valid.val() && self.looked.q.val().get_bit(1);
        self.room.next = !self.full.q.val() || self.out_ready.val();
        self.leaves.next = self.decides.val() && (self.room.val() || !self.good.q.val());
        self.queue.out_ready.next = self.leaves.val();
        if !self.queue.out_valid.val() || self.leaves.val() {
            self.looked.d.next = bits::<2>(0);
        } else if !self.looked.q.val().get_bit(1) {
            self.looked.d.next = self.looked.q.val() + 1;
        }
        if self.room.val() {
            self.full.d.next = self.decides.val() && self.good.q.val();
            self.entry.d.next = self.queue.out_data.val();
        }
        self.timeout.d.next =
            self.room.val() && self.decides.val() && self.good.q.val() && self.queue.out_data.val().get_bit(OP_BITS + POSITION_BITS + 5);
        self.evt_timeouts.next = self.timeout.q.val();
        self.out_valid.next = self.full.q.val();
        self.out_op.next = self.entry.q.val().get_bits::<OP_BITS>(0);
        self.out_packet.next = self.entry.q.val().get_bits::<POSITION_BITS>(OP_BITS);
        self.out_try.next = self.entry.q.val().get_bits::<TRY_BITS>(OP_BITS + POSITION_BITS);
        self.out_expired.next = self.entry.q.val().get_bit(OP_BITS + POSITION_BITS + 5);
    }
}
