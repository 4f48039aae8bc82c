use super::{DoneRewritesSink, TimedEntryReader};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What passes the pipeline besides headers: replays from the escape channel, op timeouts, write errors, sweeps of the done table.
///
/// They use clocks that no header wants; what has waited takes one from the headers, at most 1 in 8. Sweeps never do. One word is swept in
/// 64 clocks at most. What goes next is chosen anew in every clock and held in registers, so that a header waits for no choice and the
/// addresses behind it are one of two registers. Who offers it goes on offering until it is taken.
/// Latency: 2 clocks from an offer. Throughput: one in two clocks. Reset: nothing waits. Spec: receive registry, "Decided", header stalls;
/// "Done table", sweeper.
#[derive(Default, Described, LogicBlock)]
pub struct Injector {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// room for all that a packet may cause
    pub space: Signal<In, Bit>,
    /// room but for what is to be told: a write error tells nothing, and what is told may wait for it
    pub output_room: Signal<In, Bit>,
    /// a header wants the clock
    pub header_valid: Signal<In, Bit>,
    /// the header waits in this clock: a register
    pub must_stall: Signal<Out, Bit>,
    /// the escape channel offers a packet
    pub replay_valid: Signal<In, Bit>,
    /// kind of `replay`
    pub replay_kind: Signal<In, Bits<3>>,
    /// source of `replay`
    pub replay_src: Signal<In, Bits<16>>,
    /// op of `replay`
    pub replay_op: Signal<In, Bits<OP_BITS>>,
    /// what is held takes this clock
    pub take: Signal<Out, Bit>,
    /// it is the replay, and takes this clock
    pub take_replay: Signal<Out, Bit>,
    /// it is the replay
    pub holds_replay: Signal<Out, Bit>,
    /// kind of a header, 4 op timeout, 5 sweep, 6 write error
    pub held_kind: Signal<Out, Bits<3>>,
    /// source
    pub held_src: Signal<Out, Bits<16>>,
    /// op; a sweep has only its index
    pub held_op: Signal<Out, Bits<OP_BITS>>,
    pub rewrite: DoneRewritesSink,
    /// an entry is overdue
    pub timer_offer: Signal<In, Bit>,
    /// it has been dealt with
    pub timer_settled: Signal<In, Bit>,
    pub timer: TimedEntryReader,
    /// nothing waits but sweeps
    pub idle: Signal<Out, Bit>,

    timeout: State<Bit>,
    sweep: State<Bit>,
    // What is held: at most one of the four.
    replays: State<Bit>,
    rewrites: State<Bit>,
    times_out: State<Bit>,
    sweeps: State<Bit>,
    kind: Reg<Bits<3>>,
    source: Reg<Bits<16>>,
    number: Reg<Bits<OP_BITS>>,
    stall: State<Bit>,
    src: Reg<Bits<16>>,
    op: Reg<Bits<OP_BITS>>,
    timer_loaded: State<Bit>,
    sweep_clock: State<Bits<6>>,
    sweep_key: State<Bits<DONE_KEY_BITS>>,
    since_stall: State<Bits<3>>,
    turn: State<Bit>,
    stolen: State<Bit>,
    due: State<Bit>,
    stall_next: Signal<Local, Bits<3>>,
    stolen_now: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    free_clock: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
}

impl Logic for Injector {
    #[kernel]
    fn update(&mut self) {
        // What is held enters when there is room for what it may cause. A write error tells nothing.
        self.free_clock.next = self.stall.q.val() || !self.header_valid.val();
        self.enters.next = self.free_clock.val()
            && ((self.space.val() && (self.replays.q.val() || self.times_out.q.val() || self.sweeps.q.val()))
                || (self.output_room.val() && self.rewrites.q.val()));
        self.take.next = self.enters.val();
        self.take_replay.next = self.enters.val() && self.replays.q.val();
        self.rewrite.take.next = self.enters.val() && self.rewrites.q.val();
        self.holds_replay.next = self.replays.q.val();
        self.held_kind.next = self.kind.q.val();
        self.held_src.next = self.source.q.val();
        self.held_op.next = self.number.q.val();
        self.must_stall.next = self.stall.q.val();

        // What is held next. A write error, or else an op timeout, takes turns with a replay; a sweep, which may not hold up a replay for
        // which a header waits, comes last. In the clock behind one that entered nothing is held, for its offer is still there.
        self.first.next = self.replay_valid.val() && (self.turn.q.val() || !(self.rewrite.valid.val() || self.timeout.q.val()));
        self.replays.d.next = !self.enters.val() && self.first.val();
        self.rewrites.d.next = !self.enters.val() && !self.first.val() && self.rewrite.valid.val();
        self.times_out.d.next = !self.enters.val() && !self.first.val() && !self.rewrite.valid.val() && self.timeout.q.val();
        self.sweeps.d.next =
            !self.enters.val() && !self.replay_valid.val() && !self.rewrite.valid.val() && !self.timeout.q.val() && self.sweep.q.val();
        self.kind.d.next = bits::<3>(5);
        self.source.d.next = bit_cast::<16, NODE_BITS>(self.sweep_key.q.val().get_bits::<NODE_BITS>(0));
        self.number.d.next = bit_cast::<OP_BITS, OP_INDEX_BITS>(self.sweep_key.q.val().get_bits::<OP_INDEX_BITS>(NODE_BITS));
        if self.timeout.q.val() {
            self.kind.d.next = bits::<3>(4);
            self.source.d.next = self.src.q.val();
            self.number.d.next = self.op.q.val();
        }
        if self.rewrite.valid.val() {
            self.kind.d.next = bits::<3>(6);
            self.source.d.next = self.rewrite.src.val();
            self.number.d.next = self.rewrite.op.val();
        }
        if self.first.val() {
            self.kind.d.next = self.replay_kind.val();
            self.source.d.next = self.replay_src.val();
            self.number.d.next = self.replay_op.val();
        }
        if self.enters.val() {
            self.turn.d.next = !self.replays.q.val();
        }
        // What is told waits for the write error, and whoever is first may wait for what is told.
        if self.rewrite.valid.val() && !self.space.val() {
            self.turn.d.next = false;
        }

        // The clock after one that a header lost counts already.
        self.stolen_now.next = self.header_valid.val() && self.enters.val();
        self.stolen.d.next = self.stolen_now.val();
        self.stall_next.next = self.since_stall.q.val();
        if self.stolen.q.val() {
            self.stall_next.next = bits::<3>(1);
        } else if !self.since_stall.q.val().all() {
            self.stall_next.next = self.since_stall.q.val() + 1;
        }
        self.since_stall.d.next = self.stall_next.val();
        self.due.d.next = self.stall_next.val().all();
        // Whatever is offered in a clock in which nothing enters is held in the next one, but for a sweep.
        self.stall.d.next = self.stall_next.val().all()
            && !self.enters.val()
            && (self.replay_valid.val() || self.rewrite.valid.val() || self.timeout.q.val());

        // A sweep may wait for long.
        self.sweep_clock.d.next = self.sweep_clock.q.val() + 1;
        if self.enters.val() && self.times_out.q.val() {
            self.timeout.d.next = false;
        }
        if self.enters.val() && self.sweeps.q.val() {
            self.sweep.d.next = false;
            self.sweep_key.d.next = self.sweep_key.q.val() + 1;
        }
        if self.sweep_clock.q.val().all() {
            self.sweep.d.next = true;
        }
        if self.timer_settled.val() {
            self.timer_loaded.d.next = false;
        }
        if !self.timeout.q.val() && self.timer_offer.val() && !self.timer_loaded.q.val() && !self.timer_settled.val() {
            self.timeout.d.next = true;
            self.src.d.next = bit_cast::<16, NODE_BITS>(self.timer.src.val());
            self.op.d.next = bit_cast::<OP_BITS, OP_INDEX_BITS>(self.timer.index.val())
                | (bit_cast::<OP_BITS, GENERATION_BITS>(self.timer.generation.val()) << OP_INDEX_BITS.to_bits::<5>());
            self.timer_loaded.d.next = true;
        }
        self.idle.next = !self.timeout.q.val();
    }
}
