use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// What passes the pipeline besides headers: replays from the escape channel, op timeouts, write errors, sweeps of the done table.
///
/// They use clocks that no header wants; what has waited takes one from the headers, at most 1 in 8. Sweeps never do. One word is swept in 64
/// clocks at most.
/// Latency: 1 clock from an offer. Reset: nothing waits. Spec: receive registry, "Decided", header stalls; "Done table", sweeper.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Injector<const SW: usize, const GW: usize, const IW: usize, const KW: usize> {
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
    /// the header waits in this clock
    pub must_stall: Signal<Out, Bit>,
    /// the escape channel offers a packet
    pub replay_valid: Signal<In, Bit>,
    /// it takes this clock
    pub take_replay: Signal<Out, Bit>,
    /// if not a header, a replay may take this clock, and not `pseudo_*`
    pub replay_first: Signal<Out, Bit>,
    /// `pseudo_*` takes this clock
    pub take_pseudo: Signal<Out, Bit>,
    /// 4 op timeout, 5 sweep, 6 write error
    pub pseudo_kind: Signal<Out, Bits<3>>,
    /// source
    pub pseudo_src: Signal<Out, Bits<16>>,
    /// op; a sweep has only its index
    pub pseudo_op: Signal<Out, Bits<16>>,
    /// a done word becomes write_error
    pub rewrite_valid: Signal<In, Bit>,
    /// it is taken
    pub rewrite_take: Signal<Out, Bit>,
    /// source
    pub rewrite_src: Signal<In, Bits<16>>,
    /// op
    pub rewrite_op: Signal<In, Bits<16>>,
    /// an entry is overdue
    pub timer_offer: Signal<In, Bit>,
    /// it has been dealt with
    pub timer_settled: Signal<In, Bit>,
    /// its source
    pub timer_src: Signal<In, Bits<SW>>,
    /// its generation
    pub timer_generation: Signal<In, Bits<GW>>,
    /// its op index
    pub timer_index: Signal<In, Bits<IW>>,
    /// nothing waits but sweeps
    pub idle: Signal<Out, Bit>,

    timeout: Reg<Bit>,
    sweep: Reg<Bit>,
    src: Reg<Bits<16>>,
    op: Reg<Bits<16>>,
    timer_loaded: Reg<Bit>,
    sweep_clock: Reg<Bits<6>>,
    sweep_key: Reg<Bits<KW>>,
    since_stall: Reg<Bits<3>>,
    turn: Reg<Bit>,
    stolen: Reg<Bit>,
    due: Reg<Bit>,
    stall_next: Signal<Local, Bits<3>>,
    waits: Signal<Local, Bit>,
    pseudo_wants: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    free_clock: Signal<Local, Bit>,
    replays: Signal<Local, Bit>,
    injects: Signal<Local, Bit>,
}

impl<const SW: usize, const GW: usize, const IW: usize, const KW: usize> Logic for Injector<SW, GW, IW, KW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, timeout, sweep, src, op, timer_loaded, sweep_clock, sweep_key, since_stall, stolen, due, turn);
        // Two that wait take turns.
        // The clock after one that a header lost counts already.
        self.waits.next =
            self.due.q.val() && !self.stolen.q.val() && (self.replay_valid.val() || self.rewrite_valid.val() || self.timeout.q.val());
        self.must_stall.next = self.waits.val();
        self.free_clock.next = self.waits.val() || !self.header_valid.val();
        // Who goes first is known before anybody knows whether there is room: what enters is chosen early, and counts late. A sweep may not hold
        // up a replay for which a header waits.
        self.first.next = self.replay_valid.val()
            && (self.turn.q.val() || !(self.rewrite_valid.val() || self.timeout.q.val() || (self.sweep.q.val() && !self.due.q.val())));
        self.replay_first.next = self.first.val();
        self.pseudo_wants.next = self.rewrite_valid.val() || self.timeout.q.val() || (self.sweep.q.val() && !self.header_valid.val());
        self.replays.next = self.space.val() && self.free_clock.val() && self.first.val();
        self.injects.next = (self.space.val() || (self.output_room.val() && self.rewrite_valid.val()))
            && self.free_clock.val()
            && self.pseudo_wants.val()
            && !self.first.val();
        self.take_replay.next = self.replays.val();
        self.take_pseudo.next = self.injects.val();
        if self.replays.val() {
            self.turn.d.next = false;
        }
        if self.injects.val() {
            self.turn.d.next = true;
        }
        // What is told waits for the write error, and whoever is first may wait for what is told.
        if self.rewrite_valid.val() && !self.space.val() {
            self.turn.d.next = false;
        }
        self.stolen.d.next = self.header_valid.val() && (self.replays.val() || self.injects.val());
        self.stall_next.next = self.since_stall.q.val();
        if self.stolen.q.val() {
            self.stall_next.next = bits::<3>(1);
        } else if !self.since_stall.q.val().all() {
            self.stall_next.next = self.since_stall.q.val() + 1;
        }
        self.since_stall.d.next = self.stall_next.val();
        self.due.d.next = self.stall_next.val().all();

        // An op timeout goes before a sweep, which may wait for long.
        self.sweep_clock.d.next = self.sweep_clock.q.val() + 1;
        if self.injects.val() && !self.rewrite_valid.val() {
            self.timeout.d.next = false;
            if !self.timeout.q.val() {
                self.sweep.d.next = false;
                self.sweep_key.d.next = self.sweep_key.q.val() + 1;
            }
        }
        if self.sweep_clock.q.val().all() {
            self.sweep.d.next = true;
        }
        if self.timer_settled.val() {
            self.timer_loaded.d.next = false;
        }
        self.rewrite_take.next = self.injects.val() && self.rewrite_valid.val();
        if !self.timeout.q.val() && self.timer_offer.val() && !self.timer_loaded.q.val() && !self.timer_settled.val() {
            self.timeout.d.next = true;
            self.src.d.next = bit_cast::<16, SW>(self.timer_src.val());
            self.op.d.next =
                bit_cast::<16, IW>(self.timer_index.val()) | (bit_cast::<16, GW>(self.timer_generation.val()) << IW.to_bits::<5>());
            self.timer_loaded.d.next = true;
        }
        // A write error has no place of its own here: what is told waits until it has passed.
        self.pseudo_kind.next = bits::<3>(5);
        self.pseudo_src.next = bit_cast::<16, SW>(self.sweep_key.q.val().get_bits::<SW>(0));
        self.pseudo_op.next = bit_cast::<16, IW>(self.sweep_key.q.val().get_bits::<IW>(SW));
        if self.timeout.q.val() {
            self.pseudo_kind.next = bits::<3>(4);
            self.pseudo_src.next = self.src.q.val();
            self.pseudo_op.next = self.op.q.val();
        }
        if self.rewrite_valid.val() {
            self.pseudo_kind.next = bits::<3>(6);
            self.pseudo_src.next = self.rewrite_src.val();
            self.pseudo_op.next = self.rewrite_op.val();
        }
        self.idle.next = !self.timeout.q.val();
        if self.rst.val() {
            self.timeout.d.next = false;
            self.sweep.d.next = false;
            self.stolen.d.next = false;
            self.due.d.next = false;
            self.timer_loaded.d.next = false;
            self.sweep_clock.d.next = bits::<6>(0);
            self.sweep_key.d.next = bits::<KW>(0);
            self.since_stall.d.next = bits::<3>(0);
            self.turn.d.next = false;
        }
    }
}
