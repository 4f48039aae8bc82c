use crate::bitmap::AdvanceRequests;
use crate::bus::{AnswerHeadersSink, FeedbackMessages};
use crate::primitives::{FifoLut, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a receiver tells in frames, as feedback for `SendBitmap`: acknowledgements (0x11), range acknowledgements (0xc5), fast feedback
/// messages (0xc0).
///
/// Headers of good frames come from `FrameParser` and never wait. Acknowledgements of one queue pair that wait merge into the newest: it is
/// looked up when one goes out. Of the others 16 wait, and 8 of these are not range acknowledgements; one more is dropped and counted, for
/// the receiver tells again what is still missing, and most of what has arrived. So a feedback message is not lost for the range
/// acknowledgements behind a gap, of which there may be one for each packet.
/// Both kinds go in turn. A negative acknowledgement changes nothing and is counted: the timers of the sender find what it is about. So is
/// a message that names a packet by more than 24 bits. Other opcodes are ignored. Our queue pairs have the numbers from `cfg_number` on, a
/// multiple of `2^NODE_BITS`; messages for others are counted. An opened queue pair forgets the acknowledgements that it has had.
/// Latency: 8 clocks for an acknowledgement, 4 for the others, and what goes first in its turn. Throughput: one header per clock. Reset:
/// nothing waits; `ready` comes `2^NODE_BITS` clocks after it, headers before are ignored. Open each queue pair before its first
/// acknowledgement: until then what is newest is unknown.
/// Spec: wire format, "Control packets"; bitmap loss detection, "Sender".
#[derive(Default, Described, LogicBlock)]
pub struct FeedbackIntake {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// number of our queue pair 0; the low bits do not count
    pub cfg_number: Signal<In, Bits<24>>,
    pub header: AnswerHeadersSink,
    /// a queue pair is opened
    pub open_valid: Signal<In, Bit>,
    /// it is known: no header comes in this clock
    pub open_ready: Signal<Out, Bit>,
    /// queue pair of `open`
    pub open_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `open`
    pub open_psn: Signal<In, Bits<24>>,
    pub feedback: FeedbackMessages<NODE_BITS>,
    /// counts acknowledgements
    pub evt_ack: Signal<Out, Bit>,
    /// counts range acknowledgements
    pub evt_range: Signal<Out, Bit>,
    /// counts feedback messages
    pub evt_ffm: Signal<Out, Bit>,
    /// counts negative acknowledgements
    pub evt_negative: Signal<Out, Bit>,
    /// counts messages with a packet sequence number that is none
    pub evt_malformed: Signal<Out, Bit>,
    /// counts messages for queue pairs that are not ours
    pub evt_unknown_qp: Signal<Out, Bit>,
    /// counts messages for which there was no room
    pub evt_dropped: Signal<Out, Bit>,

    requests: AdvanceRequests<NODE_BITS, NODE_COUNT_BITS, NODE_QUEUE_BITS, NODE_QUEUE_COUNT_BITS>,
    // Low bits first: packet sequence number, credits; twice, for who comes and for who goes.
    newest: LutRam<29, NODE_BITS>,
    newest_out: LutRam<29, NODE_BITS>,
    others: FifoLut<FEEDBACK_BITS, 4, 5>,

    valid1: State<Bit>,
    open1: State<Bit>,
    opcode1: Reg<Bits<8>>,
    qp1: Reg<Bits<NODE_BITS>>,
    ours1: Reg<Bit>,
    psn1: Reg<Bits<24>>,
    // The first three words, and what of them must be zero.
    body1: Reg<Bits<96>>,
    base1: Reg<Bits<32>>,
    is_ack1: Signal<Local, Bit>,
    is_range1: Signal<Local, Bit>,
    is_ffm1: Signal<Local, Bit>,
    negative1: Signal<Local, Bit>,
    bad1: Signal<Local, Bit>,
    base_high1: Signal<Local, Bits<8>>,
    start_high1: Signal<Local, Bits<8>>,

    ack2: State<Bit>,
    range2: State<Bit>,
    ffm2: State<Bit>,
    open2: State<Bit>,
    negative2: State<Bit>,
    malformed2: State<Bit>,
    unknown2: State<Bit>,
    qp2: Reg<Bits<NODE_BITS>>,
    heard2: Reg<Bits<29>>,
    stored2: Reg<Bits<24>>,
    other2: Reg<Bits<FEEDBACK_BITS>>,
    behind: Signal<Local, Bits<24>>,
    is_newer: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    few: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    dropped: State<Bit>,

    held: State<Bit>,
    held_qp: Reg<Bits<NODE_BITS>>,
    turn: State<Bit>,
    free: Signal<Local, Bit>,
    takes_ack: Signal<Local, Bit>,
    takes_other: Signal<Local, Bit>,
    out_valid: State<Bit>,
    out_kind: Reg<Bits<3>>,
    out_qp: Reg<Bits<NODE_BITS>>,
    out_psn: Reg<Bits<24>>,
    out_start: Reg<Bits<24>>,
    out_length: Reg<Bits<32>>,
    out_credits: Reg<Bits<5>>,
}

impl FeedbackIntake {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FeedbackIntake {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.requests.ready.val();

        // Clock 1: a header, or a queue pair that is opened.
        self.open_ready.next = self.requests.ready.val() && !self.header.valid.val();
        self.valid1.d.next = self.header.valid.val() && self.requests.ready.val();
        self.open1.d.next = self.open_valid.val() && self.requests.ready.val() && !self.header.valid.val();
        self.opcode1.d.next = self.header.opcode.val();
        self.qp1.d.next = self.header.dest_qp.val().get_bits::<NODE_BITS>(0);
        self.ours1.d.next = self.header.dest_qp.val().get_bits::<QUEUE_PAIR_REST_BITS>(NODE_BITS)
            == self.cfg_number.val().get_bits::<QUEUE_PAIR_REST_BITS>(NODE_BITS);
        self.psn1.d.next = self.header.psn.val();
        if !self.header.valid.val() {
            self.qp1.d.next = self.open_qp.val();
            self.psn1.d.next = self.open_psn.val() - 1;
        }
        self.body1.d.next = self.header.body.val().get_bits::<96>(128);
        self.base1.d.next = self.header.body.val().get_bits::<32>(96);

        // Clock 2: what it is, and what is known. AETH and the first word of the other messages are the highest 32 bits.
        self.is_ack1.next = self.valid1.q.val() && self.opcode1.q.val() == bits::<8>(0x11);
        self.is_range1.next = self.valid1.q.val() && self.opcode1.q.val() == bits::<8>(0xc5);
        self.is_ffm1.next = self.valid1.q.val() && self.opcode1.q.val() == bits::<8>(0xc0);
        self.negative1.next = self.body1.q.val().get_bits::<3>(93).any();
        // A range acknowledgement: base, start, length. A feedback message: start, length, edge, base.
        self.base_high1.next = self.body1.q.val().get_bits::<8>(88);
        self.start_high1.next = self.body1.q.val().get_bits::<8>(56);
        if self.is_ffm1.val() {
            self.base_high1.next = self.base1.q.val().get_bits::<8>(24);
            self.start_high1.next = self.body1.q.val().get_bits::<8>(88);
        }
        self.bad1.next = self.base_high1.val().any() || self.start_high1.val().any();
        self.ack2.d.next = self.is_ack1.val() && self.ours1.q.val() && !self.negative1.val();
        self.negative2.d.next = self.is_ack1.val() && self.ours1.q.val() && self.negative1.val();
        self.range2.d.next = self.is_range1.val() && self.ours1.q.val() && !self.bad1.val();
        self.ffm2.d.next = self.is_ffm1.val() && self.ours1.q.val() && !self.bad1.val();
        self.malformed2.d.next = (self.is_range1.val() || self.is_ffm1.val()) && self.ours1.q.val() && self.bad1.val();
        self.unknown2.d.next = (self.is_ack1.val() || self.is_range1.val() || self.is_ffm1.val()) && !self.ours1.q.val();
        self.open2.d.next = self.open1.q.val();
        self.qp2.d.next = self.qp1.q.val();
        self.heard2.d.next = bit_cast::<29, 24>(self.psn1.q.val()) | (bit_cast::<29, 5>(self.body1.q.val().get_bits::<5>(88)) << 24);
        if self.open1.q.val() {
            self.heard2.d.next = bit_cast::<29, 24>(self.psn1.q.val()) | (bit_cast::<29, 5>(bits::<5>(31)) << 24);
        }
        self.other2.d.next = bit_cast::<FEEDBACK_BITS, 24>(self.body1.q.val().get_bits::<24>(64))
            | (bit_cast::<FEEDBACK_BITS, 24>(self.body1.q.val().get_bits::<24>(32)) << 24)
            | (bit_cast::<FEEDBACK_BITS, 32>(self.body1.q.val().get_bits::<32>(0)) << 48)
            | (bit_cast::<FEEDBACK_BITS, NODE_BITS>(self.qp1.q.val()) << 81);
        if self.is_ffm1.val() {
            self.other2.d.next = bit_cast::<FEEDBACK_BITS, 24>(self.base1.q.val().get_bits::<24>(0))
                | (bit_cast::<FEEDBACK_BITS, 24>(self.body1.q.val().get_bits::<24>(64)) << 24)
                | (bit_cast::<FEEDBACK_BITS, 32>(self.body1.q.val().get_bits::<32>(32)) << 48)
                | (bit_cast::<FEEDBACK_BITS, 1>(bits::<1>(1)) << 80)
                | (bit_cast::<FEEDBACK_BITS, NODE_BITS>(self.qp1.q.val()) << 81);
        }
        self.newest.read_address.next = self.qp1.q.val();
        self.stored2.d.next = self.newest.read_data.val().get_bits::<24>(0);
        if self.writes.val() && self.qp1.q.val() == self.qp2.q.val() {
            self.stored2.d.next = self.heard2.q.val().get_bits::<24>(0);
        }

        // Clock 3: the newest stays.
        self.behind.next = self.heard2.q.val().get_bits::<24>(0) - self.stored2.q.val();
        self.is_newer.next = self.ack2.q.val() && !self.behind.val().get_bit(23);
        self.writes.next = self.open2.q.val() || self.is_newer.val();
        self.newest.write_enable.next = self.writes.val();
        self.newest.write_address.next = self.qp2.q.val();
        self.newest.write_data.next = self.heard2.q.val();
        self.newest_out.write_enable.next = self.writes.val();
        self.newest_out.write_address.next = self.qp2.q.val();
        self.newest_out.write_data.next = self.heard2.q.val();
        self.requests.ask.next = self.is_newer.val();
        self.requests.ask_qp.next = self.qp2.q.val();
        self.few.next = !(self.others.count.val().get_bit(3) || self.others.count.val().get_bit(4));
        self.comes.next = self.ffm2.q.val() || (self.range2.q.val() && self.few.val());
        self.others.in_valid.next = self.comes.val();
        self.others.in_data.next = self.other2.q.val();
        self.dropped.d.next = (self.range2.q.val() || self.ffm2.q.val()) && !(self.comes.val() && self.others.in_ready.val());

        // One of either kind in turn. What a queue pair has heard is read when it has left the queue: nothing that came before is missed.
        self.requests.out_ready.next = !self.held.q.val();
        if self.requests.out_valid.val() && !self.held.q.val() {
            self.held.d.next = true;
            self.held_qp.d.next = self.requests.out_qp.val();
        }
        self.newest_out.read_address.next = self.held_qp.q.val();
        self.free.next = !self.out_valid.q.val() || self.feedback.ready.val();
        self.takes_ack.next = self.free.val() && self.held.q.val() && (self.turn.q.val() || !self.others.out_valid.val());
        self.takes_other.next = self.free.val() && self.others.out_valid.val() && !(self.turn.q.val() && self.held.q.val());
        self.others.out_ready.next = self.takes_other.val();
        if self.feedback.ready.val() {
            self.out_valid.d.next = false;
        }
        if self.takes_ack.val() {
            self.turn.d.next = false;
            self.held.d.next = false;
            self.out_valid.d.next = true;
            self.out_kind.d.next = bits::<3>(0);
            self.out_qp.d.next = self.held_qp.q.val();
            self.out_psn.d.next = self.newest_out.read_data.val().get_bits::<24>(0);
            self.out_credits.d.next = self.newest_out.read_data.val().get_bits::<5>(24);
        }
        if self.takes_other.val() {
            self.turn.d.next = true;
            self.out_valid.d.next = true;
            self.out_kind.d.next = bits::<3>(1) | (bit_cast::<3, 1>(self.others.out_data.val().get_bits::<1>(80)) << 1);
            self.out_psn.d.next = self.others.out_data.val().get_bits::<24>(0);
            self.out_start.d.next = self.others.out_data.val().get_bits::<24>(24);
            self.out_length.d.next = self.others.out_data.val().get_bits::<32>(48);
            self.out_qp.d.next = self.others.out_data.val().get_bits::<NODE_BITS>(81);
            self.out_credits.d.next = bits::<5>(31);
        }
        self.feedback.valid.next = self.out_valid.q.val();
        self.feedback.kind.next = self.out_kind.q.val();
        self.feedback.qp.next = self.out_qp.q.val();
        self.feedback.psn.next = self.out_psn.q.val();
        self.feedback.start.next = self.out_start.q.val();
        self.feedback.length.next = self.out_length.q.val();
        self.feedback.credits.next = self.out_credits.q.val();
        self.evt_ack.next = self.ack2.q.val();
        self.evt_range.next = self.range2.q.val();
        self.evt_ffm.next = self.ffm2.q.val();
        self.evt_negative.next = self.negative2.q.val();
        self.evt_malformed.next = self.malformed2.q.val();
        self.evt_unknown_qp.next = self.unknown2.q.val();
        self.evt_dropped.next = self.dropped.q.val();
    }
}
