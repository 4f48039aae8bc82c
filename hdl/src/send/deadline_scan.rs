use super::{NackQueue, ScanHits, TRY_BITS};
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Finds packets whose deadline has passed, eight per clock.
///
/// A visit reads a word of eight deadlines, what is known of their op, and the scanner's own bit of each packet. A timer runs while its
/// epoch differs from that bit; a packet that was sent, is not acknowledged and whose timer has run out is told once: its bit then takes
/// the epoch, and only the transmitter, by sending it again, starts another timer. Every clock visits the next word. Packets of a negative
/// acknowledgement are visited out of turn, in every other clock at most: a running timer counts as run out. Negative acknowledgements wait
/// in a queue of 16; those that find it full are dropped, and their packets wait for their timers. Two visits of one word are at least five
/// clocks apart, so the second sees what the first has changed. What is found waits in a queue of 16 words with room for all that is under
/// way; the scan waits while it holds eight or more. Scan period: `2^DEADLINE_ADDRESS_BITS` clocks, twice that while negative
/// acknowledgements come all the time, and as long as the consumer takes. Latency: 8 clocks from a visit to `out_valid`. Reset: the scan
/// begins at word 0 when `clear` has passed over all words.
#[derive(Default, Described, LogicBlock)]
pub struct DeadlineScan {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is cleared in this clock; nothing is visited
    pub clear: Signal<In, Bit>,
    /// word of `clear`
    pub clear_word: Signal<In, Bits<DEADLINE_ADDRESS_BITS>>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// tries after the first
    pub cfg_retry_limit: Signal<In, Bits<TRY_BITS>>,
    /// deadlines of a word that change
    pub write_lanes: Signal<In, Bits<8>>,
    /// which word
    pub write_word: Signal<In, Bits<DEADLINE_ADDRESS_BITS>>,
    /// the deadline: `{epoch, try 5, tick 30}`
    pub write_deadline: Signal<In, Bits<36>>,
    /// an index has been given out
    pub record_write: Signal<In, Bit>,
    /// index of `record`
    pub record_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// `{generation, base, phase}`
    pub record_data: Signal<In, Bits<GENERATION_STATE_BITS>>,
    /// the count of sent packets of an index changes
    pub count_write: Signal<In, Bit>,
    /// of which
    pub count_index: Signal<In, Bits<OP_INDEX_BITS>>,
    /// `{packets, phase}`
    pub count_data: Signal<In, Bits<POSITION_SUM_BITS>>,
    /// mask word to read
    pub mask_address: Signal<Out, Bits<MASK_ADDRESS_BITS>>,
    /// that word, one clock later
    pub mask: Signal<In, Bits<MASK_WORD_BITS>>,
    /// state of its op
    pub state: Signal<In, Bits<MASK_STATE_BITS>>,
    /// packets are to be repeated at once
    pub nack_valid: Signal<In, Bit>,
    /// op number
    pub nack_op: Signal<In, Bits<OP_BITS>>,
    /// mask word
    pub nack_word: Signal<In, Bits<MASK_WORD_NUMBER_BITS>>,
    /// packets of it
    pub nack_bits: Signal<In, Bits<MASK_WORD_BITS>>,
    /// counts negative acknowledgements that found their queue full
    pub evt_nacks_dropped: Signal<Out, Bit>,
    /// the scanner's bits of a word change
    pub fired_write: Signal<Out, Bit>,
    /// word of `fired`
    pub fired_word: Signal<Out, Bits<DEADLINE_ADDRESS_BITS>>,
    /// they are then
    pub fired_bits: Signal<Out, Bits<8>>,
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

    nacks: NackQueue,

    scan: State<Bits<DEADLINE_ADDRESS_BITS>>,
    valid0: State<Bit>,
    word0: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    lanes0: Reg<Bits<8>>,
    generation0: Reg<Bits<GENERATION_BITS>>,
    next: Signal<Local, Bit>,
    meets: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    visit: Signal<Local, Bit>,

    valid1: State<Bit>,
    word1: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    lanes1: Reg<Bits<8>>,
    generation1: Reg<Bits<GENERATION_BITS>>,
    deadlines: [BlockRam<36, DEADLINE_ADDRESS_BITS, 0>; 8],
    fired: BlockRam<8, DEADLINE_ADDRESS_BITS, 0>,
    records: BlockRam<GENERATION_STATE_BITS, OP_INDEX_BITS, 0>,
    counts: BlockRam<POSITION_SUM_BITS, OP_INDEX_BITS, 0>,
    place1: Signal<Local, Bits<12>>,

    valid2: State<Bit>,
    word2: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    lanes2: Reg<Bits<8>>,
    generation2: Reg<Bits<GENERATION_BITS>>,

    valid3: State<Bit>,
    word3: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    lanes3: Reg<Bits<8>>,
    deadline3: [Reg<Bits<36>>; 8],
    fired3: Reg<Bits<8>>,
    op_generation3: Reg<Bits<GENERATION_BITS>>,
    live3: Reg<Bit>,
    touched3: Reg<Bit>,
    mask3: Reg<Bits<MASK_WORD_BITS>>,
    sent3: Reg<Bits<POSITION_COUNT_BITS>>,
    eighth3: Signal<Local, Bits<MASK_OCTET_BITS>>,
    acked3: Signal<Local, Bits<8>>,
    sent_eighth3: Signal<Local, Bits<8>>,
    high3: [Signal<Local, Bits<14>>; 8],
    armed3: Signal<Local, Bits<8>>,
    before3: Signal<Local, Bits<8>>,
    equal3: Signal<Local, Bits<8>>,
    borrow3: Signal<Local, Bits<8>>,
    used_up3: Signal<Local, Bits<8>>,
    attempt3: Signal<Local, Bits<TRY_BITS>>,
    tries3: Signal<Local, Bits<40>>,

    valid4: State<Bit>,
    word4: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    lanes4: Reg<Bits<8>>,
    generation4: Reg<Bits<GENERATION_BITS>>,
    open4: Reg<Bits<8>>,
    before4: Reg<Bits<8>>,
    equal4: Reg<Bits<8>>,
    borrow4: Reg<Bits<8>>,
    used_up4: Reg<Bits<8>>,
    tries4: Reg<Bits<40>>,
    fired4: Reg<Bits<8>>,
    expired4: Signal<Local, Bits<8>>,

    valid5: State<Bit>,
    word5: Reg<Bits<DEADLINE_ADDRESS_BITS>>,
    generation5: Reg<Bits<GENERATION_BITS>>,
    fire5: Reg<Bits<8>>,
    timer5: Reg<Bits<8>>,
    used_up5: Reg<Bits<8>>,
    tries5: Reg<Bits<40>>,
    fired5: Reg<Bits<8>>,
    hits: ScanHits,
    _eighths: usize,
}

impl DeadlineScan {
    /// A new one.
    pub fn new() -> Self {
        Self { _eighths: 1 << MASK_OCTET_BITS, ..Default::default() }
    }
}

impl Logic for DeadlineScan {
    #[kernel]
    fn update(&mut self) {
        self.nacks.in_valid.next = self.nack_valid.val();
        self.nacks.in_op.next = self.nack_op.val();
        self.nacks.in_word.next = self.nack_word.val();
        self.nacks.in_bits.next = self.nack_bits.val();
        self.evt_nacks_dropped.next = self.nacks.evt_dropped.val();

        // Which word is next, and whether it may be visited: one that is under way must have changed its word first.
        self.room.next = !self.clear.val() && !self.hits.count.val().get_bit(3) && !self.hits.count.val().get_bit(4);
        self.meets.next = (self.valid1.q.val() && (self.word1.q.val() == self.word0.q.val()))
            || (self.valid2.q.val() && (self.word2.q.val() == self.word0.q.val()))
            || (self.valid3.q.val() && (self.word3.q.val() == self.word0.q.val()))
            || (self.valid4.q.val() && (self.word4.q.val() == self.word0.q.val()));
        self.visit.next = self.valid0.q.val() && self.room.val() && !self.meets.val();
        self.next.next = !self.valid0.q.val() || self.visit.val();
        self.nacks.goes.next = self.next.val();
        if self.next.val() {
            self.valid0.d.next = true;
            self.word0.d.next = self.scan.q.val();
            self.lanes0.d.next = bits::<8>(0);
            self.generation0.d.next = self.nacks.generation.val();
            if self.nacks.wants.val() {
                self.word0.d.next = self.nacks.place.val();
                self.lanes0.d.next = self.nacks.lanes.val();
            } else {
                self.scan.d.next = self.scan.q.val() + 1;
            }
        }
        self.valid1.d.next = self.visit.val();
        self.word1.d.next = self.word0.q.val();
        self.lanes1.d.next = self.lanes0.q.val();
        self.generation1.d.next = self.generation0.q.val();

        // Stage 1: addresses. The mask word of a packet is its number without the bits of a place in the word.
        for i in 0..8 {
            self.deadlines[i].write_enable.next = self.write_lanes.val().get_bit(i);
            self.deadlines[i].write_address.next = self.write_word.val();
            self.deadlines[i].write_data.next = self.write_deadline.val();
            self.deadlines[i].read_address.next = self.word1.q.val();
        }
        self.fired.read_address.next = self.word1.q.val();
        self.records.write_enable.next = self.record_write.val();
        self.records.write_address.next = self.record_index.val();
        self.records.write_data.next = self.record_data.val();
        self.records.read_address.next = self.word1.q.val().get_bits::<OP_INDEX_BITS>(POSITION_OCTET_BITS);
        self.counts.write_enable.next = self.count_write.val();
        self.counts.write_address.next = self.count_index.val();
        self.counts.write_data.next = self.count_data.val();
        self.counts.read_address.next = self.word1.q.val().get_bits::<OP_INDEX_BITS>(POSITION_OCTET_BITS);
        self.place1.next =
            bit_cast::<12, POSITION_OCTET_BITS>(self.word1.q.val().get_bits::<POSITION_OCTET_BITS>(0)) >> MASK_OCTET_BITS.to_bits::<3>();
        self.mask_address.next =
            (bit_cast::<MASK_ADDRESS_BITS, OP_INDEX_BITS>(self.word1.q.val().get_bits::<OP_INDEX_BITS>(POSITION_OCTET_BITS))
                << MASK_WORD_NUMBER_BITS.to_bits::<3>())
                | bit_cast::<MASK_ADDRESS_BITS, MASK_WORD_NUMBER_BITS>(self.place1.val().get_bits::<MASK_WORD_NUMBER_BITS>(0));
        self.valid2.d.next = self.valid1.q.val();
        self.word2.d.next = self.word1.q.val();
        self.lanes2.d.next = self.lanes1.q.val();
        self.generation2.d.next = self.generation1.q.val();

        // Stage 2: words. Bits of a negative acknowledgement count for its own generation only.
        self.valid3.d.next = self.valid2.q.val();
        self.word3.d.next = self.word2.q.val();
        self.lanes3.d.next = bits::<8>(0);
        if self.generation2.q.val() == self.records.read_data.val().get_bits::<GENERATION_BITS>(2) {
            self.lanes3.d.next = self.lanes2.q.val();
        }
        for i in 0..8 {
            self.deadline3[i].d.next = self.deadlines[i].read_data.val();
        }
        self.fired3.d.next = self.fired.read_data.val();
        self.op_generation3.d.next = self.records.read_data.val().get_bits::<GENERATION_BITS>(2);
        self.live3.d.next = self.records.read_data.val().get_bit(0) != self.state.val().get_bit(0);
        self.touched3.d.next = ((self.state.val().get_bits::<MASK_WORDS>(1)
            >> (bit_cast::<12, POSITION_OCTET_BITS>(self.word2.q.val().get_bits::<POSITION_OCTET_BITS>(0))
                >> MASK_OCTET_BITS.to_bits::<3>()))
            & 1)
        .any();
        self.mask3.d.next = self.mask.val();
        self.sent3.d.next = bits::<POSITION_COUNT_BITS>(0);
        if self.counts.read_data.val().get_bit(0) != self.records.read_data.val().get_bit(1) {
            self.sent3.d.next = self.counts.read_data.val().get_bits::<POSITION_COUNT_BITS>(1);
        }

        // Stage 3: each of the eight.
        self.eighth3.next = self.word3.q.val().get_bits::<MASK_OCTET_BITS>(0);
        self.acked3.next = bits::<8>(0);
        for e in 0..self._eighths {
            if self.touched3.q.val() && (self.eighth3.val() == e.to_bits::<MASK_OCTET_BITS>()) {
                self.acked3.next = self.mask3.q.val().get_bits::<8>(8 * e);
            }
        }
        self.sent_eighth3.next = bits::<8>(0);
        self.armed3.next = bits::<8>(0);
        self.before3.next = bits::<8>(0);
        self.equal3.next = bits::<8>(0);
        self.borrow3.next = bits::<8>(0);
        self.used_up3.next = bits::<8>(0);
        self.tries3.next = bits::<40>(0);
        self.attempt3.next = bits::<TRY_BITS>(0);
        for i in 0..8 {
            if (bit_cast::<POSITION_COUNT_BITS, POSITION_OCTET_BITS>(self.word3.q.val().get_bits::<POSITION_OCTET_BITS>(0))
                < (self.sent3.q.val() >> 3))
                || ((bit_cast::<POSITION_COUNT_BITS, POSITION_OCTET_BITS>(self.word3.q.val().get_bits::<POSITION_OCTET_BITS>(0))
                    == (self.sent3.q.val() >> 3))
                    && (i.to_bits::<3>() < self.sent3.q.val().get_bits::<3>(0)))
            {
                self.sent_eighth3.next = self.sent_eighth3.val().replace_bit(i, true);
            }
            if self.deadline3[i].q.val().get_bit(35) != self.fired3.q.val().get_bit(i) {
                self.armed3.next = self.armed3.val().replace_bit(i, true);
            }
            // The deadline lies before now: the sign of the difference of the upper halves, turned by a borrow where they are equal but for
            // it.
            self.high3[i].next = self.deadline3[i].q.val().get_bits::<14>(16) - self.now.val().get_bits::<14>(16);
            if self.high3[i].val().get_bit(13) {
                self.before3.next = self.before3.val().replace_bit(i, true);
            }
            if self.deadline3[i].q.val().get_bits::<13>(16) == self.now.val().get_bits::<13>(16) {
                self.equal3.next = self.equal3.val().replace_bit(i, true);
            }
            if self.deadline3[i].q.val().get_bits::<16>(0) < self.now.val().get_bits::<16>(0) {
                self.borrow3.next = self.borrow3.val().replace_bit(i, true);
            }
            if !(self.deadline3[i].q.val().get_bits::<TRY_BITS>(30) < self.cfg_retry_limit.val()) {
                self.used_up3.next = self.used_up3.val().replace_bit(i, true);
            }
            // Eight shifts bring the tries of packet 0 to the bottom.
            self.attempt3.next = self.deadline3[i].q.val().get_bits::<TRY_BITS>(30);
            self.tries3.next = (self.tries3.val() >> 5) | (bit_cast::<40, TRY_BITS>(self.attempt3.val()) << 35);
        }
        self.valid4.d.next = self.valid3.q.val();
        self.word4.d.next = self.word3.q.val();
        self.lanes4.d.next = self.lanes3.q.val();
        self.generation4.d.next = self.op_generation3.q.val();
        self.open4.d.next = bits::<8>(0);
        if self.live3.q.val() {
            self.open4.d.next = self.armed3.val() & self.sent_eighth3.val() & !self.acked3.val();
        }
        self.before4.d.next = self.before3.val();
        self.equal4.d.next = self.equal3.val();
        self.borrow4.d.next = self.borrow3.val();
        self.used_up4.d.next = self.used_up3.val();
        self.tries4.d.next = self.tries3.val();
        self.fired4.d.next = self.fired3.q.val();

        // Stage 4: which of them.
        self.expired4.next = self.before4.q.val() ^ (self.equal4.q.val() & self.borrow4.q.val());
        self.valid5.d.next = self.valid4.q.val() && (self.open4.q.val() & (self.expired4.val() | self.lanes4.q.val())).any();
        self.word5.d.next = self.word4.q.val();
        self.generation5.d.next = self.generation4.q.val();
        self.fire5.d.next = self.open4.q.val() & (self.expired4.val() | self.lanes4.q.val());
        self.timer5.d.next = self.expired4.val();
        self.used_up5.d.next = self.used_up4.q.val();
        self.tries5.d.next = self.tries4.q.val();
        self.fired5.d.next = self.fired4.q.val();

        // Stage 5: told once. A timer that runs has the other epoch, so taking it over turns the bit.
        self.fired_write.next = self.valid5.q.val();
        self.fired_word.next = self.word5.q.val();
        self.fired_bits.next = self.fired5.q.val() ^ self.fire5.q.val();
        if self.clear.val() {
            self.fired_write.next = true;
            self.fired_word.next = self.clear_word.val();
            self.fired_bits.next = bits::<8>(0);
        }
        self.fired.write_enable.next = self.fired_write.val();
        self.fired.write_address.next = self.fired_word.val();
        self.fired.write_data.next = self.fired_bits.val();
        self.hits.in_valid.next = self.valid5.q.val();
        self.hits.in_data.next = bit_cast::<DEADLINE_HIT_BITS, 8>(self.fire5.q.val())
            | (bit_cast::<DEADLINE_HIT_BITS, 8>(self.timer5.q.val()) << 8)
            | (bit_cast::<DEADLINE_HIT_BITS, 8>(self.used_up5.q.val()) << 16)
            | (bit_cast::<DEADLINE_HIT_BITS, 40>(self.tries5.q.val()) << 24)
            | (bit_cast::<DEADLINE_HIT_BITS, POSITION_OCTET_BITS>(self.word5.q.val().get_bits::<POSITION_OCTET_BITS>(0)) << 64)
            | (bit_cast::<DEADLINE_HIT_BITS, OP_INDEX_BITS>(self.word5.q.val().get_bits::<OP_INDEX_BITS>(POSITION_OCTET_BITS))
                << (64 + POSITION_OCTET_BITS).to_bits::<7>())
            | (bit_cast::<DEADLINE_HIT_BITS, GENERATION_BITS>(self.generation5.q.val())
                << (64 + POSITION_OCTET_BITS + OP_INDEX_BITS).to_bits::<7>());

        self.hits.out_ready.next = self.out_ready.val();
        self.out_valid.next = self.hits.out_valid.val();
        self.out_data.next = self.hits.out_data.val();
        self.hits.kill_ready.next = self.kill_ready.val();
        self.kill_valid.next = self.hits.kill_valid.val();
        self.kill_op.next = self.hits.kill_op.val();
        self.kill_word.next = self.hits.kill_word.val();
        self.kill_lanes.next = self.hits.kill_lanes.val();
    }
}
