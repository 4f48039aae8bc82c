use super::TokenGain;
use crate::primitives::{ClearedRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(TOKEN_TIME_BITS <= 24 && TOKEN_TIME_BITS > RATE_PAIR_BITS + 2, "every queue pair is visited before its time wraps");

/// A token bucket for each queue pair: whether a packet of so many bytes may go now.
///
/// Tokens are bytes with 20 bits behind the binary point and come in with every clock, at the queue pair's rate: 2.46 kb/s to 660 Gb/s at
/// 322.27 MHz. At most `cfg_burst` bytes are saved up. A packet goes when its bytes are there, and takes them: no window of any length has
/// more than rate x length + `cfg_burst`. One of more than `cfg_burst` bytes goes from a full bucket and empties it. So `cfg_burst` is at
/// least the largest packet, and with the bytes of a turn of whoever asks more the rate is kept. New packets and those that are sent again
/// ask here alike. Who reserves for several packets asks for all of their bytes, and gives `back` what it has not used; an `ask` for no
/// bytes tells what is there. Queue pairs do not touch each other: fair is whoever asks for them in turn. `TokenBucket` is one bucket for
/// all of them, in packets. One operation of a queue pair per clock: `set` goes before `back`, that before `ask`. What is kept is the time
/// of a bucket's last operation and what was missing then, so that a cleared word is a full bucket. A time wraps; so every queue pair is
/// visited once in `2^(TOKEN_TIME_BITS - 1)` clocks, in a clock in which nobody asks, or in one of each `2^PATROL_BITS` at the latest.
/// Without `cfg_limit` every packet goes, and takes nothing.
/// Latency: 9 clocks from `ask` to `answer`, which counts what came in up to the clock of the `ask`; what was set or asked for in one clock
/// counts in the next. Throughput: one operation per clock, but for visits. Reset: buckets are full, rates are 0; `ready` comes
/// `2^RATE_PAIR_BITS` clocks after it.
/// Spec: congestion state on the acknowledgement, "Sender". Decided here: exact tokens, what is given back.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct QueuePairBuckets {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the memories are clear
    pub ready: Signal<Out, Bit>,
    /// there is a limit at all
    pub cfg_limit: Signal<In, Bit>,
    /// bytes that a queue pair may save up
    pub cfg_burst: Signal<In, Bits<16>>,
    /// a queue pair's rate is set
    pub set_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `set_valid` is high too
    pub set_ready: Signal<Out, Bit>,
    /// queue pair of `set`
    pub set_qp: Signal<In, Bits<RATE_PAIR_BITS>>,
    /// bytes per clock, 20 bits of them behind the binary point
    pub set_rate: Signal<In, Bits<28>>,
    /// bytes that were granted are not sent
    pub back_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `back_valid` is high too
    pub back_ready: Signal<Out, Bit>,
    /// queue pair of `back`
    pub back_qp: Signal<In, Bits<RATE_PAIR_BITS>>,
    /// so many
    pub back_bytes: Signal<In, Bits<16>>,
    /// a packet is to go
    pub ask_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `ask_valid` is high too
    pub ask_ready: Signal<Out, Bit>,
    /// queue pair of `ask`
    pub ask_qp: Signal<In, Bits<RATE_PAIR_BITS>>,
    /// its bytes
    pub ask_bytes: Signal<In, Bits<16>>,
    /// an answer, 9 clocks after each `ask`
    pub answer_valid: Signal<Out, Bit>,
    /// queue pair of `answer`
    pub answer_qp: Signal<Out, Bits<RATE_PAIR_BITS>>,
    /// the packet may go, its bytes are taken
    pub answer_granted: Signal<Out, Bit>,
    /// whole bytes that are left then; without a limit all ones
    pub answer_left: Signal<Out, Bits<16>>,

    // Rate and time of the last operation; what was missing then.
    words: ClearedRam<RATE_WORD_BITS, RATE_PAIR_BITS, 0>,
    missing: ClearedRam<36, RATE_PAIR_BITS, 0>,
    gain: TokenGain,

    // Stages 1 to 9.
    valid: [State<Bit>; 9],
    qp: [Reg<Bits<RATE_PAIR_BITS>>; 9],
    asks: [Reg<Bit>; 9],
    gives: [Reg<Bit>; 5],
    want: [Reg<Bits<16>>; 5],

    now: State<Bits<TOKEN_TIME_BITS>>,
    period: State<Bits<PATROL_BITS>>,
    due: State<Bit>,
    visited: State<Bits<RATE_PAIR_BITS>>,
    open: Signal<Local, Bit>,
    late: Signal<Local, Bit>,
    sets: Signal<Local, Bit>,
    visits: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<RATE_PAIR_BITS>>,

    sets1: Reg<Bit>,
    rate1: Reg<Bits<28>>,
    now1: Reg<Bits<TOKEN_TIME_BITS>>,
    word1: Signal<Local, Bits<RATE_WORD_BITS>>,
    word2: Reg<Bits<RATE_WORD_BITS>>,
    sets2: Reg<Bit>,
    rate2: Reg<Bits<28>>,
    now2: Reg<Bits<TOKEN_TIME_BITS>>,
    old2: Signal<Local, Bits<28>>,
    since2: Signal<Local, Bits<TOKEN_TIME_BITS>>,
    written2: Signal<Local, Bits<RATE_WORD_BITS>>,
    written3: Reg<Bits<RATE_WORD_BITS>>,
    rate3: Reg<Bits<28>>,
    elapsed3: Reg<Bits<TOKEN_TIME_BITS>>,

    takes6: Reg<Bits<16>>,
    gives6: Reg<Bits<16>>,
    change6: Reg<Bits<16>>,
    room6: Reg<Bits<16>>,
    high6: Signal<Local, Bits<16>>,
    fraction7: Reg<Bits<20>>,
    // What goes off what is missing: in time and by what is given back, also by the packet, and so that the packet just goes.
    less7: Reg<Bits<17>>,
    with7: Reg<Bits<16>>,
    most7: Reg<Bits<17>>,
    takes7: Reg<Bits<16>>,
    read7: Reg<Bits<36>>,
    same7: Reg<Bit>,
    missing7: Signal<Local, Bits<36>>,
    without7: Signal<Local, Bits<38>>,
    charged7: Signal<Local, Bits<36>>,
    goes7: Signal<Local, Bit>,
    missing8: Reg<Bits<36>>,
    granted8: Reg<Bit>,
    left8: Signal<Local, Bits<17>>,
    missing9: Reg<Bits<36>>,
    granted9: Reg<Bit>,
    left9: Reg<Bits<16>>,
}

impl Logic for QueuePairBuckets {
    #[kernel]
    fn update(&mut self) {
        // Stage 0: whose operation it is. A visit is one without bytes.
        self.now.d.next = self.now.q.val() + 1;
        self.period.d.next = self.period.q.val() + 1;
        self.open.next = self.words.ready.val() && self.missing.ready.val();
        self.ready.next = self.open.val();
        self.late.next = self.due.q.val() && self.period.q.val().all();
        self.visits.next =
            self.due.q.val() && (self.late.val() || (!self.set_valid.val() && !self.back_valid.val() && !self.ask_valid.val()));
        self.set_ready.next = self.open.val() && !self.late.val();
        self.back_ready.next = self.open.val() && !self.late.val() && !self.set_valid.val();
        self.ask_ready.next = self.open.val() && !self.late.val() && !self.set_valid.val() && !self.back_valid.val();
        self.sets.next = self.set_valid.val() && !self.late.val();
        self.chosen.next = self.ask_qp.val();
        if self.visits.val() {
            self.chosen.next = self.visited.q.val();
            self.visited.d.next = self.visited.q.val() + 1;
            self.due.d.next = false;
        } else if self.set_valid.val() {
            self.chosen.next = self.set_qp.val();
        } else if self.back_valid.val() {
            self.chosen.next = self.back_qp.val();
        }
        if self.period.q.val().all() {
            self.due.d.next = true;
        }
        self.words.read_address.next = self.chosen.val();
        for i in 0..8 {
            self.valid[i + 1].d.next = self.valid[i].q.val();
            self.qp[i + 1].d.next = self.qp[i].q.val();
            self.asks[i + 1].d.next = self.asks[i].q.val();
        }
        for i in 0..4 {
            self.gives[i + 1].d.next = self.gives[i].q.val();
            self.want[i + 1].d.next = self.want[i].q.val();
        }
        self.valid[0].d.next =
            self.open.val() && (self.visits.val() || self.set_valid.val() || self.back_valid.val() || self.ask_valid.val());
        self.qp[0].d.next = self.chosen.val();
        self.asks[0].d.next = self.ask_valid.val() && !self.late.val() && !self.set_valid.val() && !self.back_valid.val();
        self.gives[0].d.next = self.back_valid.val() && !self.late.val() && !self.set_valid.val();
        self.want[0].d.next = self.ask_bytes.val();
        if self.back_valid.val() {
            self.want[0].d.next = self.back_bytes.val();
        }
        if self.visits.val() || self.set_valid.val() || !self.cfg_limit.val() {
            self.want[0].d.next = bits::<16>(0);
        }
        self.sets1.d.next = self.sets.val();
        self.rate1.d.next = self.set_rate.val();
        self.now1.d.next = self.now.q.val();

        // Stage 2: the word as it is from now on.
        self.old2.next = self.word2.q.val().get_bits::<28>(0);
        self.since2.next = self.word2.q.val().get_bits::<TOKEN_TIME_BITS>(28);
        self.written2.next =
            bit_cast::<RATE_WORD_BITS, 28>(self.old2.val()) | (bit_cast::<RATE_WORD_BITS, TOKEN_TIME_BITS>(self.now2.q.val()) << 28);
        if self.sets2.q.val() {
            self.written2.next =
                bit_cast::<RATE_WORD_BITS, 28>(self.rate2.q.val()) | (bit_cast::<RATE_WORD_BITS, TOKEN_TIME_BITS>(self.now2.q.val()) << 28);
        }
        // Stage 1: the word. Those of the two operations before are not in the memory when it is read.
        self.word1.next = self.words.read_data.val();
        if self.valid[1].q.val() && (self.qp[1].q.val() == self.qp[0].q.val()) {
            self.word1.next = self.written2.val();
        } else if self.valid[2].q.val() && (self.qp[2].q.val() == self.qp[0].q.val()) {
            self.word1.next = self.written3.q.val();
        }
        self.word2.d.next = self.word1.val();
        self.sets2.d.next = self.sets1.q.val();
        self.rate2.d.next = self.rate1.q.val();
        self.now2.d.next = self.now1.q.val();
        // A packet beyond the burst takes all of it.
        if self.asks[0].q.val() && (self.cfg_burst.val() < self.want[0].q.val()) {
            self.want[1].d.next = self.cfg_burst.val();
        }

        // Stage 2: the time, at the rate that it had.
        self.words.write_enable.next = self.valid[1].q.val();
        self.words.write_address.next = self.qp[1].q.val();
        self.words.write_data.next = self.written2.val();
        self.written3.d.next = self.written2.val();
        self.rate3.d.next = self.old2.val();
        self.elapsed3.d.next = self.now2.q.val() - self.since2.val();

        // Stages 3 to 5: what came in.
        self.gain.rate.next = self.rate3.q.val();
        self.gain.elapsed.next = bit_cast::<24, TOKEN_TIME_BITS>(self.elapsed3.q.val());
        self.missing.read_address.next = self.qp[4].q.val();
        self.takes6.d.next = bits::<16>(0);
        self.gives6.d.next = bits::<16>(0);
        self.change6.d.next = bits::<16>(0) - self.want[4].q.val();
        self.room6.d.next = self.cfg_burst.val() - self.want[4].q.val();
        if self.gives[4].q.val() {
            self.gives6.d.next = self.want[4].q.val();
            self.change6.d.next = self.want[4].q.val();
            self.room6.d.next = self.cfg_burst.val();
        } else {
            self.takes6.d.next = self.want[4].q.val();
        }

        // Stage 6: what is missing is read, and what goes off it.
        self.high6.next = self.gain.gained.val().get_bits::<16>(20);
        self.fraction7.d.next = self.gain.gained.val().get_bits::<20>(0);
        self.less7.d.next = bit_cast::<17, 16>(self.high6.val()) + bit_cast::<17, 16>(self.gives6.q.val());
        self.with7.d.next = self.high6.val() + self.change6.q.val();
        self.most7.d.next = bit_cast::<17, 16>(self.high6.val()) + bit_cast::<17, 16>(self.room6.q.val());
        self.takes7.d.next = self.takes6.q.val();
        self.same7.d.next = self.valid[6].q.val() && (self.qp[6].q.val() == self.qp[5].q.val());
        self.read7.d.next = self.missing.read_data.val();
        if self.valid[7].q.val() && (self.qp[7].q.val() == self.qp[5].q.val()) {
            self.read7.d.next = self.missing8.q.val();
        } else if self.valid[8].q.val() && (self.qp[8].q.val() == self.qp[5].q.val()) {
            self.read7.d.next = self.missing9.q.val();
        }

        // Stage 7: the one in front has its result in this clock.
        self.missing7.next = self.read7.q.val();
        if self.same7.q.val() {
            self.missing7.next = self.missing8.q.val();
        }
        self.without7.next = bit_cast::<38, 36>(self.missing7.val())
            - (bit_cast::<38, 20>(self.fraction7.q.val()) | (bit_cast::<38, 17>(self.less7.q.val()) << 20));
        self.charged7.next =
            self.missing7.val() - (bit_cast::<36, 20>(self.fraction7.q.val()) | (bit_cast::<36, 16>(self.with7.q.val()) << 20));
        self.goes7.next = !((bit_cast::<37, 20>(self.fraction7.q.val()) | (bit_cast::<37, 17>(self.most7.q.val()) << 20))
            < bit_cast::<37, 36>(self.missing7.val()));
        if self.without7.val().get_bit(37) {
            // More came in than was missing.
            self.missing8.d.next = bit_cast::<36, 16>(self.takes7.q.val()) << 20;
        } else if self.goes7.val() {
            self.missing8.d.next = self.charged7.val();
        } else {
            self.missing8.d.next = self.without7.val().get_bits::<36>(0);
        }
        self.granted8.d.next = self.goes7.val() || !self.cfg_limit.val();

        // Stage 8: what is missing is written, what is left is told.
        self.missing.write_enable.next = self.valid[7].q.val();
        self.missing.write_address.next = self.qp[7].q.val();
        self.missing.write_data.next = self.missing8.q.val();
        self.missing9.d.next = self.missing8.q.val();
        self.granted9.d.next = self.granted8.q.val();
        self.left8.next = bit_cast::<17, 16>(self.cfg_burst.val()) - bit_cast::<17, 16>(self.missing8.q.val().get_bits::<16>(20));
        if self.missing8.q.val().get_bits::<20>(0).any() {
            self.left8.next = bit_cast::<17, 16>(self.cfg_burst.val()) - bit_cast::<17, 16>(self.missing8.q.val().get_bits::<16>(20)) - 1;
        }
        self.left9.d.next = self.left8.val().get_bits::<16>(0);
        if self.left8.val().get_bit(16) {
            self.left9.d.next = bits::<16>(0);
        }
        if !self.cfg_limit.val() {
            self.left9.d.next = bits::<16>(65535);
        }
        self.answer_valid.next = self.valid[8].q.val() && self.asks[8].q.val();
        self.answer_qp.next = self.qp[8].q.val();
        self.answer_granted.next = self.granted9.q.val();
        self.answer_left.next = self.left9.q.val();
    }
}
