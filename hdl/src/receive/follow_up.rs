use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What follows from what `CommitLogic` decided one clock before: combinational.
///
/// Nothing here changes an operation; so it is kept out of the clock in which operations change.
/// Latency: 0 clocks, one or two levels of logic. Spec: receive registry, "What is sent, and when", "Escape channel".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FollowUp {
    /// a packet was there
    pub packet: Signal<In, Bit>,
    /// it has a payload
    pub payload: Signal<In, Bit>,
    /// it waits
    pub waits: Signal<In, Bit>,
    /// its payload is written
    pub write: Signal<In, Bit>,
    /// it was here before
    pub duplicate_packet: Signal<In, Bit>,
    /// rejected: not at a multiple of P
    pub off_grid: Signal<In, Bit>,
    /// rejected: not the bytes of its position
    pub off_length: Signal<In, Bit>,
    /// rejected: a check of a start
    pub bad_start: Signal<In, Bit>,
    /// rejected: same op, other values
    pub conflict: Signal<In, Bit>,
    /// rejected: overlap
    pub overlapping: Signal<In, Bit>,
    /// the start became an entry
    pub register: Signal<In, Bit>,
    /// the packet entered the mask of its entry
    pub accept: Signal<In, Bit>,
    /// the entry ended without being complete
    pub release: Signal<In, Bit>,
    /// the operation is complete with this packet
    pub completed: Signal<In, Bit>,
    /// a data arrival took effect
    pub arrived: Signal<In, Bit>,
    /// an abort took effect
    pub aborted: Signal<In, Bit>,
    /// an op timeout took effect
    pub timed_out: Signal<In, Bit>,
    /// the sender is told again
    pub renotify: Signal<In, Bit>,
    /// a done word became write_error
    pub write_error: Signal<In, Bit>,

    /// the packet has its final verdict
    pub verdict_final: Signal<Out, Bit>,
    /// give the payload slot back
    pub slot_free: Signal<Out, Bit>,
    /// tell the sender by 0xc3
    pub tell_ack: Signal<Out, Bit>,
    /// tell the sender by 0xc1
    pub tell_final: Signal<Out, Bit>,
    /// tell the host
    pub tell_host: Signal<Out, Bit>,
    /// an entry ended with this packet, but for one that was superseded
    pub row_ended: Signal<Out, Bit>,
    /// what is told is that of an entry
    pub from_row: Signal<Out, Bit>,
    /// packets that wait for this op index may be tried again
    pub wake: Signal<Out, Bit>,
}

impl Logic for FollowUp {
    #[kernel]
    fn update(&mut self) {
        self.verdict_final.next = self.packet.val() && !self.waits.val();
        self.slot_free.next = self.packet.val() && !self.waits.val() && self.payload.val() && !self.write.val();
        self.tell_ack.next = self.off_grid.val()
            || self.off_length.val()
            || self.duplicate_packet.val()
            || self.register.val()
            || (self.accept.val() && !self.completed.val());
        self.tell_final.next = self.renotify.val()
            || self.completed.val()
            || self.bad_start.val()
            || self.conflict.val()
            || self.overlapping.val()
            || self.arrived.val()
            || self.aborted.val()
            || self.timed_out.val();
        self.tell_host.next = self.completed.val() || self.arrived.val() || self.release.val();
        self.row_ended.next = self.release.val() || (self.accept.val() && self.completed.val());
        self.from_row.next = self.release.val() || self.accept.val();
        // That the sender is told again changes nothing for what waits, and would put off the packets behind the one that caused it.
        self.wake.next = self.register.val()
            || self.completed.val()
            || self.bad_start.val()
            || self.arrived.val()
            || self.aborted.val()
            || self.timed_out.val()
            || self.write_error.val();
    }
}
