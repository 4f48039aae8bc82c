use super::EscapeQueue;
use crate::primitives::{BlockRam, FifoLut, LutRam, Reg, State, Subtract};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Escape channel: headers of packets that match nothing yet, and the one that is offered for another try.
///
/// Headers of `ESCAPE_HEADER_BITS` bits lie in block RAM, `ESCAPE_SLOTS` at most; `EscapeQueue` knows their order. One slot's timer is
/// looked at per clock: scan period `ESCAPE_SLOTS` clocks. `ESCAPE_SLOTS` = `2^ESCAPE_BITS`, `ESCAPE_COUNT_BITS` = `ESCAPE_BITS` + 1,
/// `DONE_KEY_BITS` = source bits + op index bits.
/// Latency: 8 clocks from `wake` or `room` to `replay_valid` when no pass runs and the packet is the oldest, see `EscapeQueue`.
/// Throughput: one push per clock; one replay per 8 clocks if each is taken one clock after the offer, which is the registry's earliest,
/// and settled 4 clocks later, and per 9 clocks if it wakes others or makes room.
/// Reset: `ready` rises `ESCAPE_SLOTS` clocks later.
/// Spec: receive registry, "Escape channel", "Decided".
#[derive(Default, Described, LogicBlock)]
pub struct EscapeChannel {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// slots are free
    pub ready: Signal<Out, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that a packet may wait
    pub cfg_escape_timeout: Signal<In, Bits<32>>,
    /// a packet comes to wait; never more than `ESCAPE_SLOTS`
    pub push: Signal<In, Bit>,
    /// header of `push`
    pub push_header: Signal<In, Bits<ESCAPE_HEADER_BITS>>,
    /// source and op index of the packet that comes, wakes others or makes room
    pub push_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// it is a start that waits for an entry
    pub push_start: Signal<In, Bit>,
    /// ... because the registry is full
    pub push_full: Signal<In, Bit>,
    /// the replayed packet has its verdict
    pub settle: Signal<In, Bit>,
    /// it stays
    pub settle_stays: Signal<In, Bit>,
    /// it stays as a start that waits because the registry is full
    pub settle_full: Signal<In, Bit>,
    /// something happened to `push_key`
    pub wake: Signal<In, Bit>,
    /// starts may find an entry now: those that wait because the registry is full, and those of the source of `push_key`
    pub room: Signal<In, Bit>,
    /// a packet is offered
    pub replay_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `replay_valid` is high too
    pub replay_take: Signal<In, Bit>,
    /// header of `replay`
    pub replay_header: Signal<Out, Bits<ESCAPE_HEADER_BITS>>,
    /// its time is up: it leaves whatever the verdict
    pub replay_expired: Signal<Out, Bit>,
    /// it is a start that waits because the registry is full
    pub replay_full: Signal<Out, Bit>,

    queue: EscapeQueue,
    headers: BlockRam<ESCAPE_HEADER_BITS, ESCAPE_BITS, 1>,
    arrivals: LutRam<32, ESCAPE_BITS>,
    free: FifoLut<ESCAPE_BITS, ESCAPE_BITS, ESCAPE_COUNT_BITS>,
    filled: State<Bit>,
    fill: State<Bits<ESCAPE_BITS>>,
    leave: Signal<Local, Bit>,

    scan: Reg<Bits<ESCAPE_BITS>>,
    scanned_1: Reg<Bits<ESCAPE_BITS>>,
    scanned_arrival: Reg<Bits<32>>,
    scanned: Reg<Bits<ESCAPE_BITS>>,
    since_arrival: Subtract<32, 16>,
    scanned_age: Reg<Bits<32>>,
    scanned_2: Reg<Bits<ESCAPE_BITS>>,
    reused_1: Reg<Bit>,
    reused_2: Reg<Bit>,
    scanned_reused: Reg<Bit>,
    overdue: State<Bit>,
    overdue_slot: Reg<Bits<ESCAPE_BITS>>,

    picked: State<Bit>,
    offered: State<Bit>,
    // What comes to the queue, one clock later; what becomes of its pick, one.
    push_1: State<Bit>,
    slot_1: Reg<Bits<ESCAPE_BITS>>,
    key_1: Reg<Bits<DONE_KEY_BITS>>,
    start_1: Reg<Bit>,
    full_1: Reg<Bit>,
    wake_1: State<Bit>,
    room_1: State<Bit>,
    settle_1: State<Bit>,
    stays_1: Reg<Bit>,
    stays_full_1: Reg<Bit>,
}

impl Logic for EscapeChannel {
    #[kernel]
    fn update(&mut self) {
        // After reset every slot number goes into the list of free ones.
        self.ready.next = self.filled.q.val();
        self.leave.next = self.settle.val() && !self.settle_stays.val();
        self.free.in_valid.next = self.leave.val();
        self.free.in_data.next = self.queue.pick_slot.val();
        if !self.filled.q.val() {
            self.free.in_valid.next = true;
            self.free.in_data.next = self.fill.q.val();
            self.fill.d.next = self.fill.q.val() + 1;
            self.filled.d.next = self.fill.q.val().all();
        }
        self.free.out_ready.next = self.push.val();

        self.headers.write_enable.next = self.push.val();
        self.headers.write_address.next = self.free.out_data.val();
        self.headers.write_data.next = self.push_header.val();
        self.arrivals.write_enable.next = self.push.val();
        self.arrivals.write_address.next = self.free.out_data.val();
        self.arrivals.write_data.next = self.now.val();
        self.push_1.d.next = self.push.val();
        self.slot_1.d.next = self.free.out_data.val();
        self.key_1.d.next = self.push_key.val();
        self.start_1.d.next = self.push_start.val();
        self.full_1.d.next = self.push_full.val();
        self.wake_1.d.next = self.wake.val();
        self.room_1.d.next = self.room.val();
        self.settle_1.d.next = self.settle.val();
        self.stays_1.d.next = self.settle_stays.val();
        self.stays_full_1.d.next = self.settle_full.val();
        self.queue.push.next = self.push_1.q.val();
        self.queue.push_slot.next = self.slot_1.q.val();
        self.queue.push_key.next = self.key_1.q.val();
        self.queue.push_start.next = self.start_1.q.val();
        self.queue.push_full.next = self.full_1.q.val();
        self.queue.wake.next = self.wake_1.q.val();
        self.queue.room.next = self.room_1.q.val();
        self.queue.settle_next.next = self.settle.val();
        self.queue.settle.next = self.settle_1.q.val();
        self.queue.settle_stays.next = self.stays_1.q.val();
        self.queue.settle_full.next = self.stays_full_1.q.val();

        // Timers: a slot that nobody uses expires in vain.
        self.scan.d.next = self.scan.q.val() + 1;
        self.arrivals.read_address.next = self.scan.q.val();
        self.scanned_1.d.next = self.scan.q.val();
        self.scanned_arrival.d.next = self.arrivals.read_data.val();
        self.scanned_2.d.next = self.scanned_1.q.val();
        self.scanned.d.next = self.scanned_2.q.val();
        self.since_arrival.a.next = self.now.val();
        self.since_arrival.b.next = self.scanned_arrival.q.val();
        self.scanned_age.d.next = self.since_arrival.difference.val();
        // A slot that gets a new packet while its age is looked at is not overdue.
        self.reused_1.d.next = self.push.val() && (self.free.out_data.val() == self.scan.q.val());
        self.reused_2.d.next = self.reused_1.q.val() || (self.push.val() && (self.free.out_data.val() == self.scanned_1.q.val()));
        self.scanned_reused.d.next = self.reused_2.q.val() || (self.push.val() && (self.free.out_data.val() == self.scanned_2.q.val()));
        self.overdue.d.next = (self.scanned_age.q.val() > self.cfg_escape_timeout.val())
            && !self.scanned_reused.q.val()
            && !(self.push.val() && (self.free.out_data.val() == self.scanned.q.val()));
        self.overdue_slot.d.next = self.scanned.q.val();
        self.queue.expire.next = self.overdue.q.val();
        self.queue.expire_slot.next = self.overdue_slot.q.val();

        // One packet at a time: read while it is picked, offered, settled.
        self.headers.read_address.next = self.queue.pick_slot_next.val();
        self.picked.d.next = self.queue.pick_valid.val() && !self.settle_1.q.val();
        if self.queue.pick_valid.val() && !self.picked.q.val() {
            self.offered.d.next = true;
        }
        if self.replay_take.val() {
            self.offered.d.next = false;
        }
        self.replay_valid.next = self.offered.q.val();
        self.replay_header.next = self.headers.read_data.val();
        self.replay_expired.next = self.queue.pick_expired.val();
        self.replay_full.next = self.queue.pick_full.val();
    }
}
