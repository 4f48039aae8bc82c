use crate::primitives::{ClearedRam, Reg, State, Subtract};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Done table: how the last finished operation of each (source, op index) ended.
///
/// One block-RAM word per (source, index): valid, generation, status, tick of the end, tick of the last notification. It is read with the
/// header that enters stage 1, looked at in stage 2 and answers in stage 3, where the packet also writes. A word that one of the four
/// packets before has just written is taken from those packets, so the answer is that of one packet at a time.
/// `DONE_KEY_BITS` = `NODE_BITS` + `OP_INDEX_BITS`, `DONE_BITS` = `GENERATION_BITS` + 70.
/// Latency: 3 clocks from `read_*` to the answer. Throughput: one read and one write per clock.
/// Reset: `ready` is low until every word is cleared, `2^DONE_KEY_BITS` clocks.
/// Spec: receive registry, "Done table".
#[derive(Default, Described, LogicBlock)]
pub struct DoneTable {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// every word is cleared
    pub ready: Signal<Out, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks between two notifications of one op
    pub cfg_renotify: Signal<In, Bits<32>>,
    /// ticks that a word lives
    pub cfg_t_life: Signal<In, Bits<32>>,

    /// entering stage 1: index ++ source
    pub read_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// stage 1: source and op index
    pub s1_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// stage 2: key
    pub s2_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// stage 2: generation
    pub s2_generation: Signal<In, Bits<GENERATION_BITS>>,
    /// stage 3: key
    pub s3_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// stage 3: generation
    pub s3_generation: Signal<In, Bits<GENERATION_BITS>>,

    /// stage 3: the stored generation is the packet's
    pub equal: Signal<Out, Bit>,
    /// ... or newer
    pub known: Signal<Out, Bit>,
    /// stage 3: stored status
    pub status: Signal<Out, Bits<5>>,
    /// stage 3: the sender may be notified again
    pub renotify_due: Signal<Out, Bit>,
    /// stage 3: the word is older than `cfg_t_life`
    pub old: Signal<Out, Bit>,

    /// stage 3: write the word
    pub write: Signal<In, Bit>,
    /// valid afterwards
    pub write_valid: Signal<In, Bit>,
    /// stage 4: status of the word that is written
    pub s4_status: Signal<In, Bits<5>>,
    /// keep the stored tick and status: only the notified tick changes
    pub write_notified_only: Signal<In, Bit>,
    /// one clock after `write`: take `s4_generation` instead of the packet's
    pub s4_other_generation: Signal<In, Bit>,
    /// generation of the operation that was superseded
    pub s4_generation: Signal<In, Bits<GENERATION_BITS>>,

    memory: ClearedRam<DONE_BITS, DONE_KEY_BITS, 0>,
    q2_word: Reg<Bits<DONE_BITS>>,

    // Stage 2: what the word says, and which of the packets before wrote it since.
    newest_valid: Signal<Local, Bit>,
    newest_generation: Signal<Local, Bits<GENERATION_BITS>>,
    distance: Signal<Local, Bits<GENERATION_BITS>>,
    same_generation: Signal<Local, Bit>,
    notify_behind: Subtract<32, 16>,
    life_behind: Subtract<32, 16>,
    notified_high: Signal<Local, Bits<16>>,
    notified_low: Signal<Local, Bits<16>>,
    notified_limit_high: Signal<Local, Bits<16>>,
    notified_limit_low: Signal<Local, Bits<16>>,
    notified_difference: Signal<Local, Bits<16>>,
    written_high: Signal<Local, Bits<16>>,
    written_low: Signal<Local, Bits<16>>,
    written_limit_high: Signal<Local, Bits<16>>,
    written_limit_low: Signal<Local, Bits<16>>,
    written_difference: Signal<Local, Bits<16>>,
    q3_equal: Reg<Bit>,
    q3_known: Reg<Bit>,
    fresh_write: Signal<Local, Bit>,
    q3_due: Reg<Bit>,
    q3_notified_before: Reg<Bit>,
    q3_notified_equal: Reg<Bit>,
    q3_notified_borrow: Reg<Bit>,
    q3_written_before: Reg<Bit>,
    q3_written_equal: Reg<Bit>,
    q3_written_borrow: Reg<Bit>,
    q3_old: Reg<Bit>,
    q3_status: Reg<Bits<5>>,
    q3_tick: Reg<Bits<32>>,
    distance_1: Signal<Local, Bits<GENERATION_BITS>>,
    q3_meets_1: Reg<Bit>,
    q3_equal_1: Reg<Bit>,
    q3_known_1: Reg<Bit>,
    same_2: Reg<Bit>,
    meets_2: Signal<Local, Bit>,
    same_3: Signal<Local, Bit>,
    same_4: Signal<Local, Bit>,
    // Of what the third and the fourth packet in front wrote, chosen in stage 1.
    meets_older: State<Bit>,
    older_valid: Reg<Bit>,
    older_generation: Reg<Bits<GENERATION_BITS>>,
    older_status: Reg<Bits<5>>,

    // The last writes, the newest first.
    notify_limit: Reg<Bits<32>>,
    life_limit: Reg<Bits<32>>,
    w1: State<Bit>,
    w1_key: Reg<Bits<DONE_KEY_BITS>>,
    w1_generation: Reg<Bits<GENERATION_BITS>>,
    w1_valid: Reg<Bit>,
    w1_status: Signal<Local, Bits<5>>,
    w1_kept_status: Reg<Bits<5>>,
    w1_notified_only: Reg<Bit>,
    w1_tick: Reg<Bits<32>>,
    w1_notified: Reg<Bits<32>>,
    w2: State<Bit>,
    w2_key: Reg<Bits<DONE_KEY_BITS>>,
    w2_generation: Reg<Bits<GENERATION_BITS>>,
    w2_valid: Reg<Bit>,
    w2_status: Reg<Bits<5>>,
    stored_generation: Signal<Local, Bits<GENERATION_BITS>>,
}

impl DoneTable {
    /// Checks the derived widths.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for DoneTable {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.memory.ready.val();
        self.memory.read_address.next = self.read_key.val();
        self.q2_word.d.next = self.memory.read_data.val();

        // Stage 2. Word, low bits first: valid 1, status 5, tick 32, notified 32, generation.
        // More than n ticks have passed if a tick lies before the one n ticks ago. Ticks are less than half of the circle apart.
        self.notify_behind.a.next = self.now.val();
        self.notify_behind.b.next = self.cfg_renotify.val();
        self.notify_limit.d.next = self.notify_behind.difference.val();
        self.life_behind.a.next = self.now.val();
        self.life_behind.b.next = self.cfg_t_life.val();
        self.life_limit.d.next = self.life_behind.difference.val();
        // word - limit is negative: the sign of the upper halves, and where they are equal but for the sign a borrow turns it.
        self.notified_high.next = self.q2_word.q.val().get_bits::<16>(54);
        self.notified_low.next = self.q2_word.q.val().get_bits::<16>(38);
        self.notified_limit_high.next = self.notify_limit.q.val().get_bits::<16>(16);
        self.notified_limit_low.next = self.notify_limit.q.val().get_bits::<16>(0);
        self.notified_difference.next = self.notified_high.val() - self.notified_limit_high.val();
        self.q3_notified_before.d.next = self.notified_difference.val().get_bit(15);
        self.q3_notified_equal.d.next = self.notified_high.val().get_bits::<15>(0) == self.notified_limit_high.val().get_bits::<15>(0);
        self.q3_notified_borrow.d.next = self.notified_low.val() < self.notified_limit_low.val();
        self.written_high.next = self.q2_word.q.val().get_bits::<16>(22);
        self.written_low.next = self.q2_word.q.val().get_bits::<16>(6);
        self.written_limit_high.next = self.life_limit.q.val().get_bits::<16>(16);
        self.written_limit_low.next = self.life_limit.q.val().get_bits::<16>(0);
        self.written_difference.next = self.written_high.val() - self.written_limit_high.val();
        self.q3_written_before.d.next = self.written_difference.val().get_bit(15);
        self.q3_written_equal.d.next = self.written_high.val().get_bits::<15>(0) == self.written_limit_high.val().get_bits::<15>(0);
        self.q3_written_borrow.d.next = self.written_low.val() < self.written_limit_low.val();
        self.same_2.d.next = self.s1_key.val() == self.s3_key.val();
        self.meets_2.next = self.w1.q.val() && self.same_2.q.val();
        self.same_3.next = self.w1.q.val() && (self.s1_key.val() == self.w1_key.q.val());
        self.same_4.next = self.w2.q.val() && (self.s1_key.val() == self.w2_key.q.val());
        self.meets_older.d.next = self.same_3.val() || self.same_4.val();
        self.older_valid.d.next = self.w2_valid.q.val();
        self.older_generation.d.next = self.w2_generation.q.val();
        self.older_status.d.next = self.w2_status.q.val();
        if self.same_3.val() {
            self.older_valid.d.next = self.w1_valid.q.val();
            self.older_generation.d.next = self.stored_generation.val();
            self.older_status.d.next = self.w1_status.val();
        }
        self.q3_tick.d.next = self.q2_word.q.val().get_bits::<32>(6);

        // The newest word counts, and is chosen before it is compared. One written a few clocks ago is neither old nor due.
        self.newest_valid.next = self.q2_word.q.val().get_bit(0);
        self.newest_generation.next = self.q2_word.q.val().get_bits::<GENERATION_BITS>(70);
        self.q3_status.d.next = self.q2_word.q.val().get_bits::<5>(1);
        if self.meets_2.val() {
            self.newest_valid.next = self.w1_valid.q.val();
            self.newest_generation.next = self.w1_generation.q.val();
            self.q3_status.d.next = self.w1_status.val();
        } else if self.meets_older.q.val() {
            self.newest_valid.next = self.older_valid.q.val();
            self.newest_generation.next = self.older_generation.q.val();
            self.q3_status.d.next = self.older_status.q.val();
        }
        self.distance.next = self.s2_generation.val() - self.newest_generation.val();
        self.same_generation.next = self.s2_generation.val() == self.newest_generation.val();
        self.q3_equal.d.next = self.newest_valid.val() && self.same_generation.val();
        self.q3_known.d.next = self.newest_valid.val() && (self.distance.val().get_bit(GENERATION_BITS - 1) || self.same_generation.val());
        self.fresh_write.next = self.meets_2.val() || self.meets_older.q.val();
        self.q3_due.d.next = self.newest_valid.val() && self.same_generation.val() && !self.fresh_write.val();
        self.q3_old.d.next = self.q2_word.q.val().get_bit(0) && !self.fresh_write.val();

        // The packet in front is at stage 3 and may write now; whether it did is known in the next clock (`w1`).
        self.distance_1.next = self.s2_generation.val() - self.s3_generation.val();
        self.q3_meets_1.d.next = self.s2_key.val() == self.s3_key.val();
        self.q3_equal_1.d.next = self.s2_generation.val() == self.s3_generation.val();
        self.q3_known_1.d.next =
            self.distance_1.val().get_bit(GENERATION_BITS - 1) || (self.s2_generation.val() == self.s3_generation.val());

        // Stage 3.
        self.equal.next = self.q3_equal.q.val();
        self.known.next = self.q3_known.q.val();
        self.status.next = self.q3_status.q.val();
        self.renotify_due.next =
            self.q3_due.q.val() && (self.q3_notified_before.q.val() ^ (self.q3_notified_equal.q.val() && self.q3_notified_borrow.q.val()));
        self.old.next =
            self.q3_old.q.val() && (self.q3_written_before.q.val() ^ (self.q3_written_equal.q.val() && self.q3_written_borrow.q.val()));
        if self.w1.q.val() && self.q3_meets_1.q.val() {
            self.equal.next = self.w1_valid.q.val() && self.q3_equal_1.q.val();
            self.known.next = self.w1_valid.q.val() && self.q3_known_1.q.val();
            self.status.next = self.w1_status.val();
            self.renotify_due.next = false;
            self.old.next = false;
        }

        self.w1.d.next = self.write.val();
        self.w1_key.d.next = self.s3_key.val();
        self.w1_generation.d.next = self.s3_generation.val();
        self.w1_valid.d.next = self.write_valid.val();
        self.w1_notified.d.next = self.now.val();
        self.w1_notified_only.d.next = self.write_notified_only.val();
        self.w1_kept_status.d.next = self.q3_status.q.val();
        self.w1_tick.d.next = self.now.val();
        if self.write_notified_only.val() {
            self.w1_tick.d.next = self.q3_tick.q.val();
        }
        self.w1_status.next = self.s4_status.val();
        if self.w1_notified_only.q.val() {
            self.w1_status.next = self.w1_kept_status.q.val();
        }
        self.stored_generation.next = self.w1_generation.q.val();
        if self.s4_other_generation.val() {
            self.stored_generation.next = self.s4_generation.val();
        }
        self.memory.write_enable.next = self.w1.q.val();
        self.memory.write_address.next = self.w1_key.q.val();
        self.memory.write_data.next = bit_cast::<DONE_BITS, 1>(self.w1_valid.q.val().into())
            | (bit_cast::<DONE_BITS, 5>(self.w1_status.val()) << 1)
            | (bit_cast::<DONE_BITS, 32>(self.w1_tick.q.val()) << 6)
            | (bit_cast::<DONE_BITS, 32>(self.w1_notified.q.val()) << 38)
            | (bit_cast::<DONE_BITS, GENERATION_BITS>(self.stored_generation.val()) << 70);
        self.w2.d.next = self.w1.q.val();
        self.w2_key.d.next = self.w1_key.q.val();
        self.w2_generation.d.next = self.stored_generation.val();
        self.w2_valid.d.next = self.w1_valid.q.val();
        self.w2_status.d.next = self.w1_status.val();
    }
}
