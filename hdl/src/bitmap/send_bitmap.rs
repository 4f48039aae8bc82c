use super::{DedupPeriods, FeedbackCheck, PacketStates, RetryTimers, RtxCoordinator, STATE_KINDS, SendWindow, TokenBucket};
use crate::bus::{FeedbackMessagesSink, PacketRuns};
use crate::primitives::{BlockRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

#[path = "send_bitmap/begin.rs"]
mod begin;
#[path = "send_bitmap/results.rs"]
mod results;
#[path = "send_bitmap/walk.rs"]
mod walk;

const _: () = assert!(
    WINDOW_BITS > SEGMENT_BITS && WINDOW_BITS <= 14 && SEGMENT_BITS >= 3,
    "a window has at least two segments: raise `window`, or lower `segment`"
);

/// What the operation under way is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SendState {
    /// tables are cleared
    Clear,
    /// no operation
    Idle,
    /// its queue pair is read
    Read,
    /// what it may do
    Check,
    /// the walk's bounds
    Load,
    /// one segment per clock
    Walk,
    /// the last ones pass
    Drain,
    /// packets that go together are counted
    Scan,
    /// a segment for that
    Fetch,
    /// results
    Settle,
    /// tables are written
    Commit,
}

/// Send bitmaps of many queue pairs: what has become of every packet that was sent, and which are to be sent again.
///
/// Numbers are given out by `SendWindow`, one per clock. Everything else is an operation on one queue pair, one after the other: feedback
/// (0 acknowledgement of everything up to `psn`, 1 range acknowledgement with base `psn`, 2 of a range alone, 3 feedback message with
/// window base `psn`, 4 management), commands that open and close, a timer that has run out, packets that are sent again. Commands go
/// first, then timers; feedback and packets to be sent again take turns. An operation reads the queue pair, checks (`FeedbackCheck`), walks
/// over the segments from that of the base on (`PacketStates`), and writes everything back in one clock; `done` tells of it in the next. An
/// acknowledgement takes 20 clocks, and one for each segment after that of the base up to the last one that it names or the one that the
/// base comes to lie in; feedback that moves no base and names no packet of its segment begins with the first segment that it names, and
/// takes as long wherever that is. No number is given out for the queue pair of a feedback message, a command or a timer meanwhile; with
/// acknowledgements and retransmissions sending goes on. While packets may be sent again, as far as the last look at who waits has shown,
/// and there is a limit of the rate, no new packet of any queue pair takes its tokens. What was sent again may be asked for by feedback
/// again after more than `cfg_dedup` ticks, and at most half as many and four more, see `DedupPeriods`; a timer that runs out before leaves
/// it alone, but for the first and the last packet, for it may be on its way. A queue pair in error keeps its states and takes
/// acknowledgements; it sends nothing until it is opened again. Ticks count changes of `now`, by one at a time.
/// Reset: all queue pairs are closed; `ready` comes `2^NODE_BITS` clocks after it. Spec: bitmap loss detection, "Sender".
///
/// `NODE_QUEUE_BITS` is `NODE_BITS` and at least 2, `NODE_QUEUE_COUNT_BITS` = `NODE_QUEUE_BITS + 1`, `WINDOW_BITS` the width of an offset
/// in the window, `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`; `SEGMENT_ADDRESS_BITS` = `NODE_BITS + WINDOW_SEGMENTS_BITS`; others see
/// `PacketStates`.
#[derive(Default, Described, LogicBlock)]
pub struct SendBitmap {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks for which a packet that was sent again is not asked for again
    pub cfg_dedup: Signal<In, Bits<32>>,
    /// retransmissions: 0 single, 1 interval, 2 aggregated
    pub cfg_rtx_mode: Signal<In, Bits<2>>,
    /// ticks for which more packets may come, in mode 2
    pub cfg_aggregate: Signal<In, Bits<32>>,
    /// packets between two that go together, in mode 2
    pub cfg_merge: Signal<In, Bits<8>>,
    /// packets of a queue pair sent again and not acknowledged
    pub cfg_rtx_window: Signal<In, Bits<16>>,
    /// packets of a queue pair that may be open while the receiver has not told its window, 0: all of the window
    pub cfg_untold_window: Signal<In, Bits<16>>,
    /// ticks until a timer runs out
    pub cfg_rto: Signal<In, Bits<32>>,
    /// most of them
    pub cfg_rto_cap: Signal<In, Bits<32>>,
    /// times that it may run out in a row
    pub cfg_retry_limit: Signal<In, Bits<8>>,
    /// there is a limit of the rate
    pub cfg_limit: Signal<In, Bit>,
    /// bytes per tick
    pub cfg_rate: Signal<In, Bits<24>>,
    /// packets that may be saved up
    pub cfg_burst: Signal<In, Bits<16>>,
    /// bytes of a packet
    pub cfg_packet: Signal<In, Bits<16>>,

    /// a packet is to be sent
    pub send_valid: Signal<In, Bit>,
    /// the request is taken
    pub send_ready: Signal<Out, Bit>,
    /// queue pair
    pub send_qp: Signal<In, Bits<NODE_BITS>>,
    /// an answer, 2 clocks later
    pub answer_valid: Signal<Out, Bit>,
    /// queue pair
    pub answer_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number
    pub answer_psn: Signal<Out, Bits<24>>,
    /// 0: it may be sent, else why not, see `SendWindow`
    pub answer_reason: Signal<Out, Bits<3>>,

    /// a command is offered
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// index of the queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `command`
    pub command_psn: Signal<In, Bits<24>>,

    pub feedback: FeedbackMessagesSink<NODE_BITS>,

    pub rtx: PacketRuns<NODE_BITS>,
    /// what has asked for packets of this queue pair, since none was pending: bit 0 feedback, 1 management, 2 a timer
    pub rtx_reason: Signal<Out, Bits<3>>,

    /// the retry limit of a queue pair has been reached
    pub error_valid: Signal<Out, Bit>,
    /// it is known
    pub error_ready: Signal<In, Bit>,
    /// index of the queue pair
    pub error_qp: Signal<Out, Bits<NODE_BITS>>,

    /// an operation has been carried out
    pub done_valid: Signal<Out, Bit>,
    /// which: 0 to 4 feedback, 5 open, 6 close, 7 timer, 8 packets sent again
    pub done_kind: Signal<Out, Bits<4>>,
    /// index of the queue pair
    pub done_qp: Signal<Out, Bits<NODE_BITS>>,
    /// it was possible
    pub done_accepted: Signal<Out, Bit>,
    /// first packet that is not acknowledged
    pub done_base: Signal<Out, Bits<24>>,
    /// it has moved
    pub done_moved: Signal<Out, Bit>,
    /// packets that have become pending, or are sent again; of a timer: that count as sent again no more
    pub done_count: Signal<Out, Bits<16>>,
    /// counts acknowledgements that name what they cannot
    pub evt_bad_ack: Signal<Out, Bit>,
    /// counts packets that were asked for and are not sent again for it: so many more
    pub evt_suppressed: Signal<Out, Bits<24>>,
    /// counts timers that have run out
    pub evt_timeout: Signal<Out, Bit>,

    /// packets that the rate allows now
    pub tokens: Signal<Out, Bits<16>>,
    /// they are kept for packets that are to be sent again
    pub tokens_kept: Signal<Out, Bit>,

    window: SendWindow,
    check: FeedbackCheck,
    states: PacketStates,
    coordinator: RtxCoordinator,
    timers: RetryTimers,
    bucket: TokenBucket,
    periods: DedupPeriods,
    memory: BlockRam<119, NODE_BITS, 0>,

    now1: Reg<Bits<32>>,
    tick1: Reg<Bit>,
    state: State<SendState>,
    count: Reg<Bits<3>>,
    turn: State<Bit>,
    again_phase: Reg<Bit>,
    starved: State<Bit>,
    kind: Reg<Bits<4>>,
    qp: State<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    start: Reg<Bits<24>>,
    length: Reg<Bits<32>>,
    credits: Reg<Bits<5>>,
    last_time: Reg<Bit>,
    takes_fire: Signal<Local, Bit>,
    takes_feedback: Signal<Local, Bit>,
    takes_turn: Signal<Local, Bit>,
    rtx_first: Signal<Local, Bit>,
    is_ack: State<Bit>,
    is_feedback: State<Bit>,
    is_timer: State<Bit>,
    is_rtx: State<Bit>,
    is_open: State<Bit>,
    is_close: Reg<Bit>,

    // The queue pair.
    base: Reg<Bits<24>>,
    next_psn: State<Bits<24>>,
    limit: Reg<Bits<24>>,
    since: Reg<Bits<32>>,
    pending: Reg<Bits<16>>,
    again: Reg<Bits<16>>,
    reasons: Reg<Bits<3>>,
    opened: Reg<Bit>,
    failed: Reg<Bit>,
    told: Reg<Bit>,
    queued: Reg<Bit>,

    // The walk.
    most: Reg<Bits<16>>,
    may_send: Reg<Bit>,
    claims: Signal<Local, Bit>,
    reserved: Reg<Bit>,
    walks: Signal<Local, Bit>,
    walk_kind: Reg<Bits<STATE_KINDS>>,
    edge_end: Reg<Bits<WINDOW_COUNT_BITS>>,
    range_start: Reg<Bits<WINDOW_COUNT_BITS>>,
    range_end: Reg<Bits<WINDOW_COUNT_BITS>>,
    k: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    last_k: Reg<Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    number: Reg<Bits<SEGMENT_REST_BITS>>,
    go: Signal<Local, Bit>,
    is_found: Signal<Local, Bit>,
    is_enough: Signal<Local, Bit>,
    is_known: Signal<Local, Bit>,
    first_pending: Signal<Local, Bits<WINDOW_COUNT_BITS>>,
    // The segment in which the range begins.
    range_k: Signal<Local, Bits<WINDOW_SEGMENTS_COUNT_BITS>>,
    range_number: Signal<Local, Bits<SEGMENT_REST_BITS>>,
    // The base stays, and so does what lies before the range.
    skip: Signal<Local, Bit>,
    skips: Reg<Bit>,

    // Results.
    kept: Signal<Local, Bits<16>>,
    reason: Signal<Local, Bits<3>>,
    new_pending: Reg<Bits<16>>,
    new_again: Reg<Bits<16>>,
    new_base: Reg<Bits<24>>,
    found_base: Signal<Local, Bits<24>>,
    new_since: Reg<Bits<32>>,
    new_reasons: Reg<Bits<3>>,
    new_failed: Reg<Bit>,
    moved: Reg<Bit>,
    waited: Reg<Bit>,
    sent_again: Reg<Bits<16>>,
    sent_from: Reg<Bits<24>>,
    begun: Reg<Bits<16>>,
    done_ok: Reg<Bit>,
    // One clock after the gate, so that requests meet registers only.
    insert: State<Bit>,
    insert_qp: Reg<Bits<NODE_BITS>>,
    insert_psn: Reg<Bits<24>>,
    notices: Reg<Bit>,
    walked: Reg<Bit>,
    scans: State<Bit>,
    new_moved: Signal<Local, Bit>,
    is_live: Signal<Local, Bit>,
    wants: Signal<Local, Bit>,
    hold: Signal<Local, Bit>,
    new_queued: Signal<Local, Bit>,
    commit: Signal<Local, Bit>,
    clearing: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    suppressed: Signal<Local, Bits<24>>,

    out_valid: State<Bit>,
    out_qp: Reg<Bits<NODE_BITS>>,
    out_start: Reg<Bits<24>>,
    out_count: Reg<Bits<16>>,
    out_reason: Reg<Bits<3>>,
    fault_valid: State<Bit>,
    fault_qp: Reg<Bits<NODE_BITS>>,
    told_valid: State<Bit>,
    told_kind: Reg<Bits<4>>,
    told_qp: Reg<Bits<NODE_BITS>>,
    told_accepted: Reg<Bit>,
    told_base: Reg<Bits<24>>,
    told_moved: Reg<Bit>,
    told_count: Reg<Bits<16>>,
    bad_ack: State<Bit>,
    suppressed1: State<Bits<24>>,
    timeout: State<Bit>,
}

impl SendBitmap {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for SendBitmap {
    #[kernel]
    fn update(&mut self) {
        self.now1.d.next = self.now.val();
        self.tick1.d.next = self.now.val() != self.now1.q.val();
        self.periods.tick.next = self.tick1.q.val();
        self.periods.cfg_dedup.next = self.cfg_dedup.val();
        self.clearing.next = self.state.q.val() == SendState::Clear;
        self.commit.next = self.state.q.val() == SendState::Commit;
        self.ready.next = !self.clearing.val();
        self.count.d.next = self.count.q.val() + 1;

        // Numbers.
        self.window.send_valid.next = self.send_valid.val();
        self.send_ready.next = self.window.send_ready.val();
        self.window.send_qp.next = self.send_qp.val();
        self.answer_valid.next = self.window.answer_valid.val();
        self.answer_qp.next = self.window.answer_qp.val();
        self.answer_psn.next = self.window.answer_psn.val();
        self.answer_reason.next = self.window.answer_reason.val();
        self.bucket.tick.next = self.tick1.q.val();
        self.bucket.cfg_limit.next = self.cfg_limit.val();
        self.bucket.cfg_rate.next = self.cfg_rate.val();
        self.bucket.cfg_burst.next = self.cfg_burst.val();
        self.bucket.cfg_packet.next = self.cfg_packet.val();
        self.bucket.take.next = self.window.token_take.val();
        self.window.block.next = (self.state.q.val() != SendState::Idle) && !self.is_ack.q.val() && !self.is_rtx.q.val();
        self.window.block_qp.next = self.qp.q.val();
        // What is to be sent again has the first right to the tokens, and counts them undisturbed.
        self.claims.next = self.is_rtx.q.val()
            && (((self.state.q.val() == SendState::Check) && self.may_send.q.val() && (bits::<3>(2) < self.count.q.val()))
                || ((self.state.q.val() == SendState::Load) && !self.again_phase.q.val()));
        self.window.token.next = self.bucket.token.val() && (!self.cfg_limit.val() || (!self.starved.q.val() && !self.claims.val()));

        self.tokens.next = self.bucket.available.val();
        self.tokens_kept.next = self.starved.q.val() || self.claims.val();

        self.begins();

        // The queue pair. Numbers that are on their way when an operation begins count for it, except with acknowledgements.
        self.memory.read_address.next = self.qp.q.val();
        self.window.next_qp.next = self.qp.q.val();
        if self.state.q.val() == SendState::Read {
            self.limit.d.next = self.memory.read_data.val().get_bits::<24>(0);
            self.base.d.next = self.memory.read_data.val().get_bits::<24>(24);
            self.since.d.next = self.memory.read_data.val().get_bits::<32>(48);
            self.again.d.next = self.memory.read_data.val().get_bits::<16>(80);
            self.pending.d.next = self.memory.read_data.val().get_bits::<16>(96);
            self.reasons.d.next = self.memory.read_data.val().get_bits::<3>(112);
            self.opened.d.next = self.memory.read_data.val().get_bit(115);
            self.failed.d.next = self.memory.read_data.val().get_bit(116);
            self.told.d.next = self.memory.read_data.val().get_bit(117);
            self.queued.d.next = self.memory.read_data.val().get_bit(118) && !self.is_rtx.q.val();
            self.next_psn.d.next = self.window.next_psn.val();
            if self.is_open.q.val() {
                self.base.d.next = self.psn.q.val();
            }
            if (self.count.q.val() == bits::<3>(2)) || (self.is_ack.q.val() && (self.count.q.val() == bits::<3>(1))) {
                self.count.d.next = bits::<3>(0);
                self.state.d.next = SendState::Check;
            }
        }

        // What it may do.
        self.check.kind.next = self.kind.q.val();
        self.check.psn.next = self.psn.q.val();
        self.check.start.next = self.start.q.val();
        self.check.length.next = self.length.q.val();
        self.check.credits.next = self.credits.q.val();
        self.check.untold.next = self.cfg_untold_window.val();
        self.check.open.next = self.opened.q.val();
        self.check.base.next = self.base.q.val();
        self.check.next_psn.next = self.next_psn.q.val();
        self.check.limit.next = self.limit.q.val();
        self.check.told.next = self.told.q.val();
        self.coordinator.now.next = self.now1.q.val();
        self.coordinator.cfg_mode.next = self.cfg_rtx_mode.val();
        self.coordinator.cfg_aggregate.next = self.cfg_aggregate.val();
        self.coordinator.cfg_merge.next = self.cfg_merge.val();
        self.coordinator.cfg_window.next = self.cfg_rtx_window.val();
        self.coordinator.since.next = self.since.q.val();
        self.coordinator.again.next = self.again.q.val();
        if (self.state.q.val() == SendState::Check) && (self.count.q.val() == bits::<3>(3)) {
            self.most.d.next = self.coordinator.room.val();
            if self.cfg_rtx_mode.val() == bits::<2>(0) {
                self.most.d.next = bits::<16>(1);
            } else if self.bucket.available.val() < self.coordinator.room.val() {
                self.most.d.next = self.bucket.available.val();
            }
        }
        self.may_send.d.next = self.opened.q.val()
            && !self.failed.q.val()
            && self.pending.q.val().any()
            && self.coordinator.waited.val()
            && self.coordinator.room.val().any();
        self.walks.next = self.opened.q.val() && !self.check.empty.val();
        if self.is_ack.q.val() {
            self.walks.next = self.check.accepted.val() && !self.check.empty.val();
        } else if self.is_timer.q.val() {
            self.walks.next = self.opened.q.val() && !self.check.empty.val() && !self.last_time.q.val() && !self.failed.q.val();
        } else if self.is_rtx.q.val() {
            self.walks.next = self.may_send.q.val() && self.bucket.token.val();
        }
        if self.is_open.q.val() {
            self.walks.next = true;
        } else if self.is_close.q.val() {
            self.walks.next = false;
        }
        self.skip.next = self.is_feedback.q.val()
            && (self.check.edge_end.val() == bit_cast::<WINDOW_COUNT_BITS, SEGMENT_BITS>(self.base.q.val().get_bits::<SEGMENT_BITS>(0)))
            && self.check.range_start.val().get_bits::<WINDOW_SEGMENTS_COUNT_BITS>(SEGMENT_BITS).any();
        self.bucket.reserve.next = (self.state.q.val() == SendState::Load) && self.reserved.q.val() && !self.again_phase.q.val();
        self.bucket.reserve_count.next = self.most.q.val();
        if self.state.q.val() == SendState::Check {
            self.edge_end.d.next = self.check.edge_end.val();
            self.range_start.d.next = self.check.range_start.val();
            self.range_end.d.next = self.check.range_end.val();
            self.last_k.d.next = self.check.last_k.val();
            self.k.d.next = bits::<WINDOW_SEGMENTS_COUNT_BITS>(0);
            self.number.d.next = self.base.q.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS);
            self.waited.d.next = self.coordinator.waited.val();
            self.walk_kind.d.next = bits::<STATE_KINDS>(0);
            if self.kind.q.val() == bits::<4>(3) {
                self.walk_kind.d.next = bits::<STATE_KINDS>(1);
            } else if self.kind.q.val() == bits::<4>(4) {
                self.walk_kind.d.next = bits::<STATE_KINDS>(2);
            } else if self.is_timer.q.val() {
                self.walk_kind.d.next = bits::<STATE_KINDS>(3);
            } else if self.is_rtx.q.val() {
                self.walk_kind.d.next = bits::<STATE_KINDS>(6);
            } else if self.is_open.q.val() {
                self.walk_kind.d.next = bits::<STATE_KINDS>(5);
                self.last_k.d.next = (bits::<WINDOW_SEGMENTS_COUNT_BITS>(1) << WINDOW_SEGMENTS_BITS.to_bits::<4>()) - 1;
            }
            self.walked.d.next = self.walks.val();
            self.skips.d.next = self.skip.val();
            self.reserved.d.next = false;
            self.sent_again.d.next = bits::<16>(0);
            if self.count.q.val() == bits::<3>(4) {
                self.state.d.next = SendState::Settle;
                if self.walks.val() {
                    self.state.d.next = SendState::Load;
                    self.reserved.d.next = self.is_rtx.q.val();
                }
            }
        }

        self.walk();
        self.results();

        // Everything is written.
        self.is_live.next = self.is_open.q.val() || (self.opened.q.val() && !self.is_close.q.val());
        self.wants.next = self.is_live.val() && !self.new_failed.q.val() && self.new_pending.q.val().any();
        self.hold.next = self.wants.val() && self.waited.q.val() && (self.new_again.q.val() < self.cfg_rtx_window.val());
        self.new_queued.next = self.queued.q.val() || self.wants.val();
        self.coordinator.enqueue.next = self.commit.val() && self.wants.val() && !self.queued.q.val();
        self.coordinator.enqueue_qp.next = self.qp.q.val();
        self.memory.write_enable.next = self.commit.val() || self.clearing.val();
        self.memory.write_address.next = self.qp.q.val();
        self.memory.write_data.next = bits::<119>(0);
        self.window.gate_write.next = self.commit.val() || self.clearing.val();
        self.window.gate_qp.next = self.qp.q.val();
        self.window.gate_edge.next = self.check.new_limit.val();
        self.window.gate_open.next = self.commit.val() && self.is_live.val() && !self.new_failed.q.val();
        self.window.gate_hold.next = self.hold.val();
        self.insert.d.next = (self.commit.val() && self.is_open.q.val()) || self.clearing.val();
        self.insert_qp.d.next = self.qp.q.val();
        self.insert_psn.d.next = bits::<24>(0);
        self.window.insert.next = self.insert.q.val();
        self.window.insert_qp.next = self.insert_qp.q.val();
        self.window.insert_psn.next = self.insert_psn.q.val();
        self.timers.enable.next = !self.clearing.val();
        self.timers.now.next = self.now1.q.val();
        self.timers.cfg_rto.next = self.cfg_rto.val();
        self.timers.cfg_rto_cap.next = self.cfg_rto_cap.val();
        self.timers.cfg_retry_limit.next = self.cfg_retry_limit.val();
        self.window.timer_qp.next = self.timers.next_qp.val();
        self.timers.next_psn.next = self.window.timer_psn.val();
        self.timers.notice.next = (self.commit.val() && self.notices.q.val()) || self.clearing.val();
        self.timers.notice_kind.next = bits::<2>(1);
        self.timers.notice_qp.next = self.qp.q.val();
        self.timers.notice_base.next = self.new_base.q.val();
        if self.is_timer.q.val() {
            self.timers.notice_kind.next = bits::<2>(2);
        }
        if self.new_base.q.val() == self.next_psn.q.val() {
            self.timers.notice_kind.next = bits::<2>(0);
        }
        if !self.is_live.val() || self.new_failed.q.val() {
            // Nothing is waited for any more.
            self.timers.notice_kind.next = bits::<2>(0);
            self.timers.notice_base.next = self.next_psn.q.val();
        }
        if self.is_open.q.val() {
            self.timers.notice_kind.next = bits::<2>(0);
        }
        self.suppressed.next = bits::<24>(0);
        if self.asks.val() {
            self.suppressed.next = bits::<24>(1);
            if self.done_ok.q.val() {
                self.suppressed.next = self.length.q.val().get_bits::<24>(0) - bit_cast::<24, 16>(self.begun.q.val());
            }
        }
        self.told_valid.d.next = self.commit.val() && (!self.is_rtx.q.val() || self.sent_again.q.val().any());
        self.told_kind.d.next = self.kind.q.val();
        self.told_qp.d.next = self.qp.q.val();
        self.told_accepted.d.next = self.done_ok.q.val();
        self.told_base.d.next = self.new_base.q.val();
        self.told_moved.d.next = self.moved.q.val();
        self.told_count.d.next = self.begun.q.val();
        if self.is_rtx.q.val() {
            self.told_count.d.next = self.sent_again.q.val();
        } else if self.is_timer.q.val() {
            self.told_count.d.next = self.states.again_count.val();
        }
        self.bad_ack.d.next = self.commit.val() && self.is_ack.q.val() && !self.done_ok.q.val();
        self.suppressed1.d.next = bits::<24>(0);
        self.timeout.d.next = self.commit.val() && self.is_timer.q.val() && self.done_ok.q.val();
        if self.rtx.ready.val() {
            self.out_valid.d.next = false;
        }
        if self.error_ready.val() {
            self.fault_valid.d.next = false;
        }
        if self.commit.val() {
            self.state.d.next = SendState::Idle;
            self.suppressed1.d.next = self.suppressed.val();
            self.insert_psn.d.next = self.psn.q.val();
            self.memory.write_data.next = bit_cast::<119, 24>(self.check.new_limit.val())
                | (bit_cast::<119, 24>(self.new_base.q.val()) << 24)
                | (bit_cast::<119, 32>(self.new_since.q.val()) << 48)
                | (bit_cast::<119, 16>(self.new_again.q.val()) << 80)
                | (bit_cast::<119, 16>(self.new_pending.q.val()) << 96)
                | (bit_cast::<119, 3>(self.new_reasons.q.val()) << 112)
                | (bit_cast::<119, 1>(self.is_live.val().into()) << 115)
                | (bit_cast::<119, 1>(self.new_failed.q.val().into()) << 116)
                | (bit_cast::<119, 1>(self.check.new_told.val().into()) << 117)
                | (bit_cast::<119, 1>(self.new_queued.val().into()) << 118);
            if self.is_rtx.q.val() {
                self.starved.d.next = self.hold.val();
            }
            if self.sent_again.q.val().any() {
                self.out_valid.d.next = true;
                self.out_qp.d.next = self.qp.q.val();
                self.out_start.d.next = self.sent_from.q.val();
                self.out_count.d.next = self.sent_again.q.val();
                self.out_reason.d.next = self.reasons.q.val();
            }
            if self.is_timer.q.val() && self.new_failed.q.val() && !self.failed.q.val() {
                self.fault_valid.d.next = true;
                self.fault_qp.d.next = self.qp.q.val();
            }
        }
        if self.clearing.val() {
            self.qp.d.next = self.qp.q.val() + 1;
            if self.qp.q.val().all() {
                self.state.d.next = SendState::Idle;
            }
        }
        self.rtx.valid.next = self.out_valid.q.val();
        self.rtx.qp.next = self.out_qp.q.val();
        self.rtx.start.next = self.out_start.q.val();
        self.rtx.count.next = self.out_count.q.val();
        self.rtx_reason.next = self.out_reason.q.val();
        self.error_valid.next = self.fault_valid.q.val();
        self.error_qp.next = self.fault_qp.q.val();
        self.done_valid.next = self.told_valid.q.val();
        self.done_kind.next = self.told_kind.q.val();
        self.done_qp.next = self.told_qp.q.val();
        self.done_accepted.next = self.told_accepted.q.val();
        self.done_base.next = self.told_base.q.val();
        self.done_moved.next = self.told_moved.q.val();
        self.done_count.next = self.told_count.q.val();
        self.evt_bad_ack.next = self.bad_ack.q.val();
        self.evt_suppressed.next = self.suppressed1.q.val();
        self.evt_timeout.next = self.timeout.q.val();
        if self.rst.val() {
            self.kind.d.next = bits::<4>(6);
            self.is_close.d.next = true;
        }
    }
}
