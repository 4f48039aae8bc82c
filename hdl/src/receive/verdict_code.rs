use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Codes for what passed stage 3: verdict, reason and status, from one bit per case. Combinational.
///
/// At most one of the cases is set. They are registers of stage 4, so that the numbers are not made behind the decision itself.
/// Latency: 0 clocks. Spec: receive registry; wire format, status codes.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct VerdictCode {
    /// the packet was here before
    pub duplicate: Signal<In, Bit>,
    /// the packet belongs to an operation that is over
    pub stale: Signal<In, Bit>,
    /// ... and the sender is told again
    pub renotify: Signal<In, Bit>,
    /// stored status of `done`
    pub done_status: Signal<In, Bits<5>>,
    /// source does not exist
    pub unknown_source: Signal<In, Bit>,
    /// a body is not at a multiple of P
    pub misaligned_offset: Signal<In, Bit>,
    /// a body has not the bytes of its position
    pub wrong_length: Signal<In, Bit>,
    /// a check of a start fails
    pub bad_start: Signal<In, Bit>,
    /// which one
    pub check: Signal<In, Bits<5>>,
    /// same op with other values
    pub conflict: Signal<In, Bit>,
    /// the range meets another operation
    pub overlap: Signal<In, Bit>,
    /// it may not wait
    pub dropped: Signal<In, Bit>,
    /// ... any longer
    pub expired: Signal<In, Bit>,
    /// ... because of the quota of its source
    pub quota: Signal<In, Bit>,
    /// an op timeout
    pub timed_out: Signal<In, Bit>,
    /// a write error of an operation that is over
    pub write_error: Signal<In, Bit>,
    /// an abort
    pub aborted: Signal<In, Bit>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub verdict: Signal<Out, Bits<3>>,
    /// reason of a rejection or a drop
    pub reason: Signal<Out, Bits<8>>,
    /// status for sender, host and done word
    pub status: Signal<Out, Bits<5>>,
    reject_status: Signal<Local, Bits<5>>,
}

impl Logic for VerdictCode {
    #[kernel]
    fn update(&mut self) {
        self.reject_status.next = bits::<5>(0);
        if self.misaligned_offset.val() {
            self.reject_status.next = bits::<5>(8);
        }
        if self.wrong_length.val() {
            self.reject_status.next = bits::<5>(9);
        }
        if self.bad_start.val() {
            self.reject_status.next = self.check.val();
        }
        if self.conflict.val() {
            self.reject_status.next = bits::<5>(11);
        }
        if self.overlap.val() {
            self.reject_status.next = bits::<5>(7);
        }
        self.status.next = self.reject_status.val();
        if self.renotify.val() {
            self.status.next = self.done_status.val();
        }
        if self.timed_out.val() {
            self.status.next = bits::<5>(14);
        }
        if self.write_error.val() {
            self.status.next = bits::<5>(13);
        }
        if self.aborted.val() {
            self.status.next = bits::<5>(15);
        }
        self.verdict.next = bits::<3>(0);
        self.reason.next = bit_cast::<8, 5>(self.reject_status.val());
        if self.reject_status.val().any() || self.unknown_source.val() {
            self.verdict.next = bits::<3>(3);
        }
        if self.unknown_source.val() {
            self.reason.next = bits::<8>(10);
        }
        if self.duplicate.val() {
            self.verdict.next = bits::<3>(1);
        }
        if self.stale.val() {
            self.verdict.next = bits::<3>(2);
        }
        if self.dropped.val() {
            self.verdict.next = bits::<3>(4);
            if self.expired.val() {
                self.reason.next = bits::<8>(32);
            } else if self.quota.val() {
                self.reason.next = bits::<8>(34);
            } else {
                self.reason.next = bits::<8>(33);
            }
        }
    }
}
