use crate::Described;
use rust_hdl::prelude::*;

/// The verdict of one packet, and everything that follows from it: combinational.
///
/// Kinds: 0 body, 1 start, 2 data arrival, 3 abort; 4 op timeout, 5 sweep of a done word, 6 write error of a finished operation.
/// Facts come in as the tables tell them; actions go out, at most one of each.
/// Latency: 0 clocks. Spec: receive registry, all of it; the order of the checks is the order of the branches here.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CommitLogic {
    /// a packet is at stage 3
    pub valid: Signal<In, Bit>,
    /// kind, see above
    pub kind: Signal<In, Bits<3>>,
    /// it comes from the escape channel
    pub replay: Signal<In, Bit>,
    /// its time there is up
    pub expired: Signal<In, Bit>,
    /// its source does not exist
    pub unknown_source: Signal<In, Bit>,
    /// the operation has one packet
    pub single: Signal<In, Bit>,
    /// first failing check of a start, 0: none
    pub check: Signal<In, Bits<5>>,
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
    /// ... and the packet would be the last
    pub last: Signal<In, Bit>,
    /// ... and it had progress since the timer looked
    pub fresh: Signal<In, Bit>,
    /// an entry of the same (source, index) is live with another generation
    pub other_live: Signal<In, Bit>,
    /// ... which is newer
    pub live_behind: Signal<In, Bit>,
    /// the done word has the same generation
    pub done_equal: Signal<In, Bit>,
    /// ... or a newer one
    pub done_behind: Signal<In, Bit>,
    /// stored status
    pub done_status: Signal<In, Bits<5>>,
    /// the sender may be told again
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

    /// the packet has its final verdict
    pub verdict_final: Signal<Out, Bit>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub verdict: Signal<Out, Bits<3>>,
    /// reason of a rejection or a drop
    pub reason: Signal<Out, Bits<8>>,
    /// write the payload
    pub write: Signal<Out, Bit>,
    /// give the payload slot back
    pub slot_free: Signal<Out, Bit>,
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
    /// tell the sender by 0xc3
    pub tell_ack: Signal<Out, Bit>,
    /// tell the sender by 0xc1
    pub tell_final: Signal<Out, Bit>,
    /// tell the host
    pub tell_host: Signal<Out, Bit>,
    /// status for all of them and for the done word
    pub status: Signal<Out, Bits<5>>,
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

    payload: Signal<Local, Bit>,
    stale_packet: Signal<Local, Bit>,
    blocked_full: Signal<Local, Bit>,
    blocked: Signal<Local, Bit>,
    no_match: Signal<Local, Bit>,
    reject: Signal<Local, Bit>,
}

impl Logic for CommitLogic {
    #[hdl_gen]
    fn update(&mut self) {
        self.verdict_final.next = false;
        self.verdict.next = bits::<3>(0);
        self.write.next = false;
        self.register.next = false;
        self.accept.next = false;
        self.release.next = false;
        self.supersede.next = false;
        self.waits.next = false;
        self.waits_full.next = false;
        self.done_write.next = false;
        self.done_write_valid.next = true;
        self.done_notified_only.next = false;
        self.done_superseded.next = false;
        self.tell_ack.next = false;
        self.tell_final.next = false;
        self.tell_host.next = false;
        self.status.next = bits::<5>(0);
        self.completed.next = false;
        self.stale.next = false;
        self.timed_out.next = false;
        self.aborted.next = false;
        self.arrived.next = false;
        self.swept.next = false;
        self.write_error.next = false;
        self.no_match.next = false;
        self.reject.next = false;
        self.reason.next = bits::<8>(0);

        self.payload.next = !self.kind.val().get_bit(1) && !self.kind.val().get_bit(2);
        self.stale_packet.next =
            !self.live.val() && (self.done_equal.val() || self.done_behind.val() || (self.other_live.val() && self.live_behind.val()));
        // A start that waits is older than the ones behind it, so a replay does not look at who waits.
        self.blocked_full.next = self.full.val() || (!self.replay.val() && self.full_waiter.val());
        self.blocked.next =
            !self.other_live.val() && (self.blocked_full.val() || self.at_quota.val() || (!self.replay.val() && self.source_waiter.val()));

        if self.valid.val() {
            if self.kind.val() == bits::<3>(4) {
                if self.live.val() && !self.fresh.val() {
                    self.timed_out.next = true;
                    self.release.next = true;
                    self.done_write.next = true;
                    self.tell_final.next = true;
                    self.tell_host.next = true;
                    self.status.next = bits::<5>(14);
                }
            } else if self.kind.val() == bits::<3>(5) {
                if self.done_old.val() {
                    self.swept.next = true;
                    self.done_write.next = true;
                    self.done_write_valid.next = false;
                }
            } else if self.kind.val() == bits::<3>(6) {
                if self.done_equal.val() {
                    self.write_error.next = true;
                    self.done_write.next = true;
                    self.status.next = bits::<5>(13);
                }
            } else if self.unknown_source.val() {
                self.verdict_final.next = true;
                self.verdict.next = bits::<3>(3);
                self.reason.next = bits::<8>(10);
            } else if self.stale_packet.val() {
                self.verdict_final.next = true;
                self.verdict.next = bits::<3>(2);
                self.stale.next = true;
                if self.done_equal.val() && self.renotify_due.val() {
                    self.tell_final.next = true;
                    self.status.next = self.done_status.val();
                    self.done_write.next = true;
                    self.done_notified_only.next = true;
                }
            } else if self.kind.val() == bits::<3>(0) {
                if !self.live.val() || !self.in_range.val() {
                    self.no_match.next = true;
                } else if self.misaligned.val() {
                    self.reject.next = true;
                    self.status.next = bits::<5>(8);
                    self.tell_ack.next = true;
                } else if !self.length_ok.val() {
                    self.reject.next = true;
                    self.status.next = bits::<5>(9);
                    self.tell_ack.next = true;
                } else if self.duplicate.val() {
                    self.verdict_final.next = true;
                    self.verdict.next = bits::<3>(1);
                    self.tell_ack.next = true;
                } else {
                    self.verdict_final.next = true;
                    self.write.next = true;
                    self.accept.next = true;
                    self.completed.next = self.last.val();
                    self.done_write.next = self.last.val();
                    self.tell_host.next = self.last.val();
                    self.tell_final.next = self.last.val();
                    self.tell_ack.next = !self.last.val();
                }
            } else if self.kind.val() == bits::<3>(1) {
                if self.check.val().any() {
                    self.reject.next = true;
                    self.status.next = self.check.val();
                    self.tell_final.next = true;
                    self.done_write.next = true;
                } else if self.live.val() {
                    if self.same_start.val() {
                        self.verdict_final.next = true;
                        self.verdict.next = bits::<3>(1);
                        self.tell_ack.next = true;
                    } else {
                        self.reject.next = true;
                        self.status.next = bits::<5>(11);
                        self.tell_final.next = true;
                    }
                } else if self.overlap.val() {
                    self.reject.next = true;
                    self.status.next = bits::<5>(7);
                    self.tell_final.next = true;
                } else if self.single.val() {
                    self.verdict_final.next = true;
                    self.write.next = true;
                    self.completed.next = true;
                    self.done_write.next = true;
                    self.tell_host.next = true;
                    self.tell_final.next = true;
                    self.supersede.next = self.other_live.val();
                } else if self.blocked.val() {
                    self.no_match.next = true;
                    self.waits_full.next = self.blocked_full.val();
                } else {
                    self.verdict_final.next = true;
                    self.write.next = true;
                    self.register.next = true;
                    self.tell_ack.next = true;
                    self.supersede.next = self.other_live.val();
                    self.done_write.next = self.other_live.val();
                    self.done_superseded.next = self.other_live.val();
                }
            } else if self.live.val() && (self.kind.val() == bits::<3>(2)) {
                self.reject.next = true;
                self.status.next = bits::<5>(11);
                self.tell_final.next = true;
            } else if self.kind.val() == bits::<3>(2) {
                self.verdict_final.next = true;
                self.arrived.next = true;
                self.done_write.next = true;
                self.tell_host.next = true;
                self.tell_final.next = true;
            } else {
                self.verdict_final.next = true;
                self.aborted.next = true;
                self.release.next = self.live.val();
                self.tell_host.next = self.live.val();
                self.done_write.next = true;
                self.tell_final.next = true;
                self.status.next = bits::<5>(15);
            }
        }
        if self.reject.val() {
            self.verdict_final.next = true;
            self.verdict.next = bits::<3>(3);
            self.reason.next = bit_cast::<8, 5>(self.status.val());
        }
        if self.no_match.val() {
            if self.replay.val() && self.expired.val() {
                self.verdict_final.next = true;
                self.verdict.next = bits::<3>(4);
                self.reason.next = bits::<8>(32);
            } else if !self.replay.val() && self.at_escape_quota.val() {
                self.verdict_final.next = true;
                self.verdict.next = bits::<3>(4);
                self.reason.next = bits::<8>(34);
            } else if !self.replay.val() && self.escape_full.val() {
                self.verdict_final.next = true;
                self.verdict.next = bits::<3>(4);
                self.reason.next = bits::<8>(33);
            } else {
                self.waits.next = true;
            }
        }
        self.slot_free.next = self.verdict_final.val() && self.payload.val() && !self.write.val();
    }
}
