use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The verdict of one packet, and what it changes: combinational. What else follows from it is `FollowUp`'s.
///
/// What is at stage 3 comes as one bit per kind, so that every output is a sum of few products of facts: at most four levels of logic.
/// Facts come in as the tables tell them; actions go out, at most one of each.
/// Latency: 0 clocks. Spec: receive registry, all of it; the order of the checks is that of its "Decided".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CommitLogic {
    /// a body of a source that exists
    pub body: Signal<In, Bit>,
    /// a start of a source that exists
    pub start: Signal<In, Bit>,
    /// a data arrival of a source that exists
    pub arrival: Signal<In, Bit>,
    /// an abort of a source that exists
    pub aborts: Signal<In, Bit>,
    /// any of the four
    pub packet: Signal<In, Bit>,
    /// one of a source that does not exist
    pub unknown_source: Signal<In, Bit>,
    /// an op timeout
    pub timeout: Signal<In, Bit>,
    /// a sweep of a done word
    pub sweep: Signal<In, Bit>,
    /// a write error of an operation that was told complete
    pub rewrite: Signal<In, Bit>,
    /// it has a payload
    pub payload: Signal<In, Bit>,
    /// it comes from the escape channel
    pub replay: Signal<In, Bit>,
    /// its time there is up
    pub expired: Signal<In, Bit>,
    /// the operation has one packet
    pub single: Signal<In, Bit>,
    /// a check of a start fails
    pub bad: Signal<In, Bit>,
    /// address is not a multiple of P
    pub misaligned: Signal<In, Bit>,
    /// an entry with the same (source, op) is live
    pub live: Signal<In, Bit>,
    /// ... and the first byte is in its range
    pub in_range: Signal<In, Bit>,
    /// ... and the payload is what the position carries
    pub length_ok: Signal<In, Bit>,
    /// ... and the start says the same as the one that registered it
    pub same_start: Signal<In, Bit>,
    /// ... and the packet was here before
    pub duplicate: Signal<In, Bit>,
    /// ... and no other packet is missing
    pub last: Signal<In, Bit>,
    /// ... and it had progress since the timer looked
    pub fresh: Signal<In, Bit>,
    /// an entry of the same (source, index) is live with another generation
    pub other_live: Signal<In, Bit>,
    /// a newer one is live
    pub live_behind: Signal<In, Bit>,
    /// the done word has the same generation, or a newer one
    pub done_known: Signal<In, Bit>,
    /// it has the same generation
    pub done_equal: Signal<In, Bit>,
    /// ... and the sender may be told again
    pub renotify_due: Signal<In, Bit>,
    /// the done word has outlived its time
    pub done_old: Signal<In, Bit>,
    /// the range meets another live operation of the source
    pub overlap: Signal<In, Bit>,
    /// no entry is free
    pub full: Signal<In, Bit>,
    /// the source is at its entry quota
    pub at_quota: Signal<In, Bit>,
    /// an older start waits because the registry was full
    pub full_waiter: Signal<In, Bit>,
    /// an older start of the source waits
    pub source_waiter: Signal<In, Bit>,
    /// no escape slot is free
    pub escape_full: Signal<In, Bit>,
    /// the source is at its escape quota
    pub at_escape_quota: Signal<In, Bit>,

    /// the packet is a duplicate
    pub duplicate_packet: Signal<Out, Bit>,
    /// the packet is rejected: not at a multiple of P
    pub off_grid: Signal<Out, Bit>,
    /// ... rejected: not the bytes of its position
    pub off_length: Signal<Out, Bit>,
    /// ... rejected: a check of a start
    pub bad_start: Signal<Out, Bit>,
    /// ... rejected: same op, other values
    pub conflict: Signal<Out, Bit>,
    /// ... rejected: overlap
    pub overlapping: Signal<Out, Bit>,
    /// ... dropped: it may not wait
    pub dropped: Signal<Out, Bit>,
    /// write the payload
    pub write: Signal<Out, Bit>,
    /// the start becomes an entry
    pub register: Signal<Out, Bit>,
    /// the packet enters the mask of its entry
    pub accept: Signal<Out, Bit>,
    /// the entry of the same op ends without being complete
    pub release: Signal<Out, Bit>,
    /// the older entry of the same (source, index) ends
    pub supersede: Signal<Out, Bit>,
    /// go to, or stay in, the escape channel
    pub waits: Signal<Out, Bit>,
    /// ... because the registry is full
    pub waits_full: Signal<Out, Bit>,
    /// write the done word
    pub done_write: Signal<Out, Bit>,
    /// valid afterwards
    pub done_write_valid: Signal<Out, Bit>,
    /// only the notified tick changes
    pub done_notified_only: Signal<Out, Bit>,
    /// the word is for the superseded operation
    pub done_superseded: Signal<Out, Bit>,
    /// the operation is complete with this packet
    pub completed: Signal<Out, Bit>,
    /// one pulse each for the counters that are not plain verdicts
    pub stale: Signal<Out, Bit>,
    /// an op timeout takes effect
    pub timed_out: Signal<Out, Bit>,
    /// an abort takes effect
    pub aborted: Signal<Out, Bit>,
    /// a data arrival takes effect
    pub arrived: Signal<Out, Bit>,
    /// a done word is swept
    pub swept: Signal<Out, Bit>,
    /// a done word becomes write_error
    pub write_error: Signal<Out, Bit>,

    unseen: Signal<Local, Bit>,
    stale_packet: Signal<Local, Bit>,
    renotify: Signal<Local, Bit>,
    match_: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    complete: Signal<Local, Bit>,
    body_lost: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    start_again: Signal<Local, Bit>,
    one_packet: Signal<Local, Bit>,
    entry: Signal<Local, Bit>,
    blocked_full: Signal<Local, Bit>,
    blocked: Signal<Local, Bit>,
    start_lost: Signal<Local, Bit>,
    stays: Signal<Local, Bit>,
    aborts_entry: Signal<Local, Bit>,
}

impl Logic for CommitLogic {
    #[kernel]
    fn update(&mut self) {
        // Of the operation: neither live, nor done, nor older than one that is.
        self.unseen.next = !self.live.val() && !self.done_known.val() && !self.live_behind.val();
        self.stale_packet.next = self.packet.val() && !self.live.val() && (self.done_known.val() || self.live_behind.val());
        self.renotify.next = self.packet.val() && !self.live.val() && self.renotify_due.val();

        // A body.
        self.match_.next = self.body.val() && self.live.val() && self.in_range.val();
        self.off_grid.next = self.match_.val() && self.misaligned.val();
        self.off_length.next = self.match_.val() && !self.misaligned.val() && !self.length_ok.val();
        self.again.next = self.match_.val() && !self.misaligned.val() && self.length_ok.val() && self.duplicate.val();
        self.accept.next = self.match_.val() && !self.misaligned.val() && self.length_ok.val() && !self.duplicate.val();
        self.complete.next = self.accept.val() && self.last.val();
        self.body_lost.next = self.body.val() && ((self.live.val() && !self.in_range.val()) || self.unseen.val());

        // A start. One that waits is older than those behind it, so a replay does not look at who waits.
        self.good.next = self.start.val() && !self.bad.val();
        self.bad_start.next = self.start.val() && self.bad.val() && (self.live.val() || self.unseen.val());
        self.start_again.next = self.good.val() && self.live.val() && self.same_start.val();
        self.conflict.next = self.live.val() && (self.arrival.val() || (self.good.val() && !self.same_start.val()));
        self.overlapping.next = self.good.val() && self.unseen.val() && self.overlap.val();
        self.one_packet.next = self.good.val() && self.unseen.val() && self.single.val() && !self.overlap.val();
        self.entry.next = self.good.val() && self.unseen.val() && !self.single.val() && !self.overlap.val();
        self.blocked_full.next = self.full.val() || (!self.replay.val() && self.full_waiter.val());
        self.blocked.next =
            !self.other_live.val() && (self.blocked_full.val() || self.at_quota.val() || (!self.replay.val() && self.source_waiter.val()));
        self.start_lost.next = self.entry.val() && self.blocked.val();
        self.register.next = self.entry.val() && !self.blocked.val();

        // The others.
        self.arrived.next = self.arrival.val() && self.unseen.val();
        self.aborts_entry.next = self.aborts.val() && self.live.val();
        self.aborted.next = self.aborts.val() && (self.live.val() || self.unseen.val());
        self.timed_out.next = self.timeout.val() && self.live.val() && !self.fresh.val();
        self.swept.next = self.sweep.val() && self.done_old.val();
        self.write_error.next = self.rewrite.val() && self.done_equal.val();

        // Whoever finds no operation, or no entry, waits if it may.
        self.stays.next =
            (self.replay.val() && !self.expired.val()) || (!self.replay.val() && !self.at_escape_quota.val() && !self.escape_full.val());
        self.waits.next = (self.body_lost.val() || self.start_lost.val()) && self.stays.val();
        self.dropped.next = (self.body_lost.val() || self.start_lost.val()) && !self.stays.val();
        self.waits_full.next = self.start_lost.val() && self.blocked_full.val();

        self.duplicate_packet.next = self.again.val() || self.start_again.val();
        self.write.next = self.accept.val() || self.one_packet.val() || self.register.val();
        self.release.next = self.timed_out.val() || self.aborts_entry.val();
        self.supersede.next = self.other_live.val() && (self.register.val() || self.one_packet.val());
        self.completed.next = self.complete.val() || self.one_packet.val();
        self.stale.next = self.stale_packet.val();

        self.done_superseded.next = self.register.val() && self.other_live.val();
        self.done_notified_only.next = self.renotify.val();
        self.done_write_valid.next = !self.swept.val();
        self.done_write.next = self.renotify.val()
            || self.complete.val()
            || self.bad_start.val()
            || self.one_packet.val()
            || (self.register.val() && self.other_live.val())
            || self.arrived.val()
            || self.aborted.val()
            || self.timed_out.val()
            || self.swept.val()
            || self.write_error.val();
    }
}
