use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Who waits in the escape channel, in the order in which they came, and who of them is tried again.
///
/// A packet is a slot number in one of two lists: `aged`, oldest first, and `young`, what came since the last pass. A pass takes every
/// number from both, oldest first, one per clock, and puts it back at the end of `aged`; at a packet whose turn it is, it stops until that
/// one has been tried, and forgets the number if it does not stay. So the lists hold each waiting packet once, in order of age.
///
/// Something that happens to a packet's (source, op index), an entry that may be free for a waiting start, and the end of its time make it
/// want a try. A pass starts when one wants it. A packet's turn comes in the same pass if the pass has not come to it yet, else in the next
/// one. Nobody overtakes an older packet of its kind: when the pass has left an older one of the (source, op index) behind that wants a
/// try, the others of that kind wait for the next pass too; and if it is an older start that may have an entry, the next start. Who is
/// found to be in front of an older one in the clock after its turn came is not tried, and all behind it wait with it. The oldest of a kind
/// is tried in every pass, so nothing is put off for good.
///
/// So a packet is tried behind every older one of its kind for which something happened up to the verdict of the try before. What happens
/// later may find it on its way.
///
/// `ESCAPE_SLOTS` = `2^ESCAPE_BITS` slots, `ESCAPE_COUNT_BITS` = `ESCAPE_BITS` + 1, `DONE_KEY_BITS` = `NODE_BITS` + index bits, source in
/// the low bits.
/// Latency: 6 clocks from `wake`, `room` or `expire` to `pick_valid` when no pass runs and the packet is the oldest. A pass over `n`
/// packets takes `n + 3` clocks, and for each packet that is tried as many more as lie between its `pick_valid` and its `settle`, and one
/// more if it wakes others or makes room.
/// Throughput: one push per clock. Reset: empty.
/// Spec: receive registry, "Escape channel".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct EscapeQueue {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet comes to wait
    pub push: Signal<In, Bit>,
    /// slot of `push`, in which no packet waits
    pub push_slot: Signal<In, Bits<ESCAPE_BITS>>,
    /// source and op index, of the packet that comes, wakes others or makes room
    pub push_key: Signal<In, Bits<DONE_KEY_BITS>>,
    /// it is a start that waits for an entry
    pub push_start: Signal<In, Bit>,
    /// ... because the registry is full
    pub push_full: Signal<In, Bit>,
    /// something happened to `push_key`
    pub wake: Signal<In, Bit>,
    /// starts may find an entry now: those that wait because the registry is full, and those of the source of `push_key`
    pub room: Signal<In, Bit>,
    /// the time of `expire_slot` is up
    pub expire: Signal<In, Bit>,
    /// slot
    pub expire_slot: Signal<In, Bits<ESCAPE_BITS>>,
    /// a packet is to be tried, until `settle`
    pub pick_valid: Signal<Out, Bit>,
    /// slot of `pick`
    pub pick_slot: Signal<Out, Bits<ESCAPE_BITS>>,
    /// `pick_slot` of the next clock: its header can be read a clock early
    pub pick_slot_next: Signal<Out, Bits<ESCAPE_BITS>>,
    /// its time is up
    pub pick_expired: Signal<Out, Bit>,
    /// it is a start that waits because the registry is full
    pub pick_full: Signal<Out, Bit>,
    /// `settle` of the next clock
    pub settle_next: Signal<In, Bit>,
    /// it has its verdict
    pub settle: Signal<In, Bit>,
    /// it stays
    pub settle_stays: Signal<In, Bit>,
    /// it stays as a start that waits because the registry is full
    pub settle_full: Signal<In, Bit>,

    aged: FifoLut<ESCAPE_BITS, ESCAPE_BITS, ESCAPE_COUNT_BITS>,
    young: FifoLut<ESCAPE_BITS, ESCAPE_BITS, ESCAPE_COUNT_BITS>,

    // What happens, one clock later: slots as one bit each, keys compared.
    pushes: State<Bit>,
    new_slot: Reg<Bits<ESCAPE_BITS>>,
    new_key: Reg<Bits<DONE_KEY_BITS>>,
    new_start: Reg<Bit>,
    new_full: Reg<Bit>,
    wakes: State<Bit>,
    makes_room: State<Bit>,
    pushed: [Reg<Bit>; ESCAPE_SLOTS],
    due: [Reg<Bit>; ESCAPE_SLOTS],
    taken_at: [Signal<Local, Bit>; ESCAPE_SLOTS],
    next_slot: Signal<Local, Bits<ESCAPE_BITS>>,
    valid: [Reg<Bit>; ESCAPE_SLOTS],
    key: [Reg<Bits<DONE_KEY_BITS>>; ESCAPE_SLOTS],
    start: [Reg<Bit>; ESCAPE_SLOTS],
    full: [Reg<Bit>; ESCAPE_SLOTS],
    expired: [Reg<Bit>; ESCAPE_SLOTS],
    wants: [Reg<Bit>; ESCAPE_SLOTS],
    turn: [Reg<Bit>; ESCAPE_SLOTS],
    same_src: [Reg<Bit>; ESCAPE_SLOTS],
    same_key: [Reg<Bit>; ESCAPE_SLOTS],
    same_key_1: [Reg<Bit>; ESCAPE_SLOTS],
    ahead: [Reg<Bit>; ESCAPE_SLOTS],
    chosen: [Reg<Bit>; ESCAPE_SLOTS],
    src_equal: [Signal<Local, Bit>; ESCAPE_SLOTS],
    settled: [Signal<Local, Bit>; ESCAPE_SLOTS],
    overdue: [Signal<Local, Bit>; ESCAPE_SLOTS],
    woken: [Signal<Local, Bit>; ESCAPE_SLOTS],
    looked: [Signal<Local, Bit>; ESCAPE_SLOTS],
    entry_free: [Signal<Local, Bit>; ESCAPE_SLOTS],
    event: [Signal<Local, Bit>; ESCAPE_SLOTS],
    demoted: [Signal<Local, Bit>; ESCAPE_SLOTS],
    deferred: [Signal<Local, Bit>; ESCAPE_SLOTS],
    withdrawn: [Signal<Local, Bit>; ESCAPE_SLOTS],

    waiting: Signal<Local, Bits<ESCAPE_SLOTS>>,
    turns: Signal<Local, Bits<ESCAPE_SLOTS>>,
    times_up: Signal<Local, Bits<ESCAPE_SLOTS>>,
    fulls: Signal<Local, Bits<ESCAPE_SLOTS>>,
    starts: Signal<Local, Bits<ESCAPE_SLOTS>>,
    wanting: Signal<Local, Bits<ESCAPE_SLOTS>>,
    passed_start: Signal<Local, Bits<ESCAPE_SLOTS>>,
    passed_key: Signal<Local, Bits<ESCAPE_SLOTS>>,
    passed: Reg<Bit>,
    hold: Reg<Bit>,
    demote: Reg<Bit>,
    deferring: Reg<Bit>,
    its_kind: Signal<Local, Bits<ESCAPE_SLOTS>>,
    withdraws: Signal<Local, Bit>,
    taken_turn: Signal<Local, Bit>,
    taken_start: Signal<Local, Bit>,
    skips_start: Signal<Local, Bit>,
    wanted: State<Bit>,
    started: State<Bit>,
    begins: Signal<Local, Bit>,
    pauses: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    hit_next: Signal<Local, Bit>,
    moving: Reg<Bit>,
    take_aged: Signal<Local, Bit>,
    take_young: Signal<Local, Bit>,
    aged_left: State<Bits<ESCAPE_COUNT_BITS>>,
    young_left: State<Bits<ESCAPE_COUNT_BITS>>,
    any_aged: State<Bit>,
    any_young: State<Bit>,
    aged_next: Signal<Local, Bits<ESCAPE_COUNT_BITS>>,
    young_next: Signal<Local, Bits<ESCAPE_COUNT_BITS>>,
    // The number that was taken, and the one whose turn is known.
    taken: State<Bit>,
    taken_slot: Reg<Bits<ESCAPE_BITS>>,
    known: State<Bit>,
    known_slot: Reg<Bits<ESCAPE_BITS>>,
    hit: State<Bit>,
    fresh: State<Bit>,
    hit_start: Reg<Bit>,
    hit_expired: Reg<Bit>,
    hit_full: Reg<Bit>,
}

impl Default for EscapeQueue {
    fn default() -> Self {
        Self {
            pushed: std::array::from_fn(|_| Default::default()),
            due: std::array::from_fn(|_| Default::default()),
            taken_at: std::array::from_fn(|_| Default::default()),
            valid: std::array::from_fn(|_| Default::default()),
            key: std::array::from_fn(|_| Default::default()),
            start: std::array::from_fn(|_| Default::default()),
            full: std::array::from_fn(|_| Default::default()),
            expired: std::array::from_fn(|_| Default::default()),
            wants: std::array::from_fn(|_| Default::default()),
            turn: std::array::from_fn(|_| Default::default()),
            same_src: std::array::from_fn(|_| Default::default()),
            same_key: std::array::from_fn(|_| Default::default()),
            same_key_1: std::array::from_fn(|_| Default::default()),
            ahead: std::array::from_fn(|_| Default::default()),
            chosen: std::array::from_fn(|_| Default::default()),
            src_equal: std::array::from_fn(|_| Default::default()),
            settled: std::array::from_fn(|_| Default::default()),
            overdue: std::array::from_fn(|_| Default::default()),
            woken: std::array::from_fn(|_| Default::default()),
            looked: std::array::from_fn(|_| Default::default()),
            entry_free: std::array::from_fn(|_| Default::default()),
            event: std::array::from_fn(|_| Default::default()),
            demoted: std::array::from_fn(|_| Default::default()),
            deferred: std::array::from_fn(|_| Default::default()),
            withdrawn: std::array::from_fn(|_| Default::default()),
            ..Self::blank()
        }
    }
}

impl Logic for EscapeQueue {
    #[kernel]
    fn update(&mut self) {
        self.pushes.d.next = self.push.val();
        self.new_slot.d.next = self.push_slot.val();
        self.new_key.d.next = self.push_key.val();
        self.new_start.d.next = self.push_start.val();
        self.new_full.d.next = self.push_full.val();
        self.wakes.d.next = self.wake.val();
        self.makes_room.d.next = self.room.val();
        self.young.in_valid.next = self.pushes.q.val();
        self.young.in_data.next = self.new_slot.q.val();

        // A pass takes what was there when it began.
        // When a settled packet wakes others or makes room, it looks at nobody for a clock: who comes next may be of their kind.
        self.pauses.next = self.settle.val() && (self.wake.val() || self.room.val());
        self.moves.next = self.moving.q.val() && !self.pauses.val();
        self.take_aged.next = self.any_aged.q.val() && self.moves.val();
        self.take_young.next = !self.any_aged.q.val() && self.any_young.q.val() && self.moves.val();
        self.begins.next = self.wanted.q.val()
            && !self.started.q.val()
            && !self.any_aged.q.val()
            && !self.any_young.q.val()
            && !self.taken.q.val()
            && !self.known.q.val();
        self.started.d.next = self.begins.val();
        self.aged.out_ready.next = self.take_aged.val();
        self.young.out_ready.next = self.take_young.val();
        self.aged_next.next = self.aged_left.q.val();
        self.young_next.next = self.young_left.q.val();
        if self.take_aged.val() {
            self.aged_next.next = self.aged_left.q.val() - 1;
        }
        if self.take_young.val() {
            self.young_next.next = self.young_left.q.val() - 1;
        }
        if self.begins.val() {
            self.aged_next.next = self.aged.count.val();
            self.young_next.next = self.young.count.val();
        }
        self.aged_left.d.next = self.aged_next.val();
        self.young_left.d.next = self.young_next.val();
        self.any_aged.d.next = self.aged_next.val().any();
        self.any_young.d.next = self.young_next.val().any();

        self.turns.next = bits::<ESCAPE_SLOTS>(0);
        self.times_up.next = bits::<ESCAPE_SLOTS>(0);
        self.fulls.next = bits::<ESCAPE_SLOTS>(0);
        self.waiting.next = bits::<ESCAPE_SLOTS>(0);
        self.starts.next = bits::<ESCAPE_SLOTS>(0);
        self.wanting.next = bits::<ESCAPE_SLOTS>(0);
        self.passed_start.next = bits::<ESCAPE_SLOTS>(0);
        self.passed_key.next = bits::<ESCAPE_SLOTS>(0);
        self.its_kind.next = bits::<ESCAPE_SLOTS>(0);
        for i in 0..ESCAPE_SLOTS {
            self.turns.next = self.turns.val().replace_bit(i, self.turn[i].q.val() && !self.demoted[i].val());
            self.times_up.next = self.times_up.val().replace_bit(i, self.expired[i].q.val());
            self.fulls.next = self.fulls.val().replace_bit(i, self.full[i].q.val());
            self.waiting.next = self.waiting.val().replace_bit(i, self.valid[i].q.val() && (self.wants[i].q.val() || self.turn[i].q.val()));
            self.starts.next = self.starts.val().replace_bit(i, self.start[i].q.val());
            self.wanting.next = self.wanting.val().replace_bit(i, self.wants[i].q.val() || self.demoted[i].val());
            self.passed_start.next =
                self.passed_start.val().replace_bit(i, self.entry_free[i].val() && (!self.ahead[i].q.val() || self.looked[i].val()));
            self.passed_key.next =
                self.passed_key.val().replace_bit(i, self.woken[i].val() && (!self.ahead[i].q.val() || self.looked[i].val()));
            self.its_kind.next = self.its_kind.val().replace_bit(i, self.chosen[i].q.val() && self.same_key_1[i].q.val());
        }
        self.wanted.d.next = self.waiting.val().any();
        self.taken_turn.next = ((self.turns.val() >> self.taken_slot.q.val()) & 1).any();
        self.taken_start.next = ((self.starts.val() >> self.taken_slot.q.val()) & 1).any();
        self.skips_start.next = self.taken.q.val()
            && self.moves.val()
            && !self.taken_turn.val()
            && self.taken_start.val()
            && ((self.wanting.val() >> self.taken_slot.q.val()) & 1).any();
        self.passed.d.next = !self.begins.val() && self.passed_start.val().any();
        self.hold.d.next = !self.begins.val() && (self.hold.q.val() || self.passed.q.val() || self.skips_start.val());
        self.demote.d.next = !self.begins.val() && self.passed_key.val().any();
        // An older one that wants a try was left behind, as is known in the clock after the turn came: it and all behind it wait for the
        // next pass.
        self.withdraws.next = self.fresh.q.val()
            && ((self.hit_start.q.val() && (self.hold.q.val() || self.passed.q.val()))
                || (self.demote.q.val() && self.its_kind.val().any()));
        self.deferring.d.next = !self.begins.val() && (self.deferring.q.val() || self.withdraws.val());
        self.next_slot.next = self.young.out_data.val();
        if self.any_aged.q.val() {
            self.next_slot.next = self.aged.out_data.val();
        }
        self.pick_slot_next.next = self.known_slot.q.val();
        if self.moves.val() {
            self.pick_slot_next.next = self.taken_slot.q.val();
        }
        self.known_slot.d.next = self.pick_slot_next.val();
        if self.moves.val() {
            self.taken.d.next = self.take_aged.val() || self.take_young.val();
            self.taken_slot.d.next = self.next_slot.val();
            self.known.d.next = self.taken.q.val();
            self.hit_expired.d.next = ((self.times_up.val() >> self.taken_slot.q.val()) & 1).any();
            self.hit_full.d.next = ((self.fulls.val() >> self.taken_slot.q.val()) & 1).any();
            self.hit_start.d.next = self.taken_start.val();
        }
        self.hit_next.next = self.hit.q.val() && !self.withdraws.val();
        self.fresh.d.next = false;
        if self.moves.val() {
            self.hit_next.next = self.taken.q.val() && self.taken_turn.val() && !self.deferring.q.val();
            self.fresh.d.next = self.hit_next.val();
        }
        if self.pauses.val() {
            self.hit_next.next = false;
            self.known.d.next = false;
        }
        self.hit.d.next = self.hit_next.val();
        self.moving.d.next = !self.hit_next.val() || self.settle_next.val();
        self.aged.in_valid.next = self.known.q.val() && (!self.hit.q.val() || (self.settle.val() && self.settle_stays.val()));
        self.aged.in_data.next = self.known_slot.q.val();
        self.pick_valid.next = self.hit.q.val() && !self.withdraws.val();
        self.pick_slot.next = self.known_slot.q.val();
        self.pick_expired.next = self.hit_expired.q.val();
        self.pick_full.next = self.hit_full.q.val();

        for i in 0..ESCAPE_SLOTS {
            self.pushed[i].d.next = self.push.val() && (self.push_slot.val() == i.to_bits::<ESCAPE_BITS>());
            self.due[i].d.next = self.expire.val() && (self.expire_slot.val() == i.to_bits::<ESCAPE_BITS>());
            self.taken_at[i].next = self.taken.q.val() && (self.taken_slot.q.val() == i.to_bits::<ESCAPE_BITS>());
            self.looked[i].next = self.taken_at[i].val() && self.moves.val();
            self.settled[i].next = self.settle.val() && self.chosen[i].q.val();
            self.overdue[i].next = self.due[i].q.val() && !self.expired[i].q.val();
            self.src_equal[i].next = self.key[i].q.val().get_bits::<NODE_BITS>(0) == self.push_key.val().get_bits::<NODE_BITS>(0);
            self.same_src[i].d.next = self.src_equal[i].val();
            self.same_key[i].d.next = self.key[i].q.val() == self.push_key.val();
            self.woken[i].next = self.wakes.q.val() && self.valid[i].q.val() && self.same_key[i].q.val();
            self.same_key_1[i].d.next = self.same_key[i].q.val();
            self.demoted[i].next = self.demote.q.val() && self.same_key_1[i].q.val() && self.turn[i].q.val();
            self.entry_free[i].next = self.makes_room.q.val()
                && self.valid[i].q.val()
                && self.start[i].q.val()
                && (self.full[i].q.val() || self.same_src[i].q.val());
            self.event[i].next = self.woken[i].val() || self.entry_free[i].val() || self.overdue[i].val();
            self.deferred[i].next = self.looked[i].val() && self.turn[i].q.val() && self.deferring.q.val();
            self.withdrawn[i].next = self.withdraws.val() && self.chosen[i].q.val();

            self.valid[i].d.next = self.valid[i].q.val();
            self.key[i].d.next = self.key[i].q.val();
            self.start[i].d.next = self.start[i].q.val();
            self.full[i].d.next = self.full[i].q.val();
            self.expired[i].d.next = self.expired[i].q.val() || self.overdue[i].val();
            self.ahead[i].d.next = self.begins.val() || (self.ahead[i].q.val() && !self.looked[i].val());
            if self.moves.val() {
                self.chosen[i].d.next = self.looked[i].val();
            } else {
                self.chosen[i].d.next = self.chosen[i].q.val();
            }
            // One whose time was up while it was tried is tried again.
            self.wants[i].d.next = (self.wants[i].q.val() && !self.begins.val() && !self.settled[i].val())
                || (self.event[i].val() && !self.begins.val() && (!self.ahead[i].q.val() || self.looked[i].val()))
                || self.deferred[i].val()
                || self.demoted[i].val()
                || self.withdrawn[i].val()
                || (self.settled[i].val() && self.expired[i].q.val());
            self.turn[i].d.next = !self.looked[i].val()
                && !self.demoted[i].val()
                && (self.turn[i].q.val()
                    || (self.event[i].val() && self.ahead[i].q.val() && !self.wants[i].q.val())
                    || (self.begins.val() && (self.wants[i].q.val() || self.event[i].val())));
            if self.settled[i].val() {
                self.valid[i].d.next = self.settle_stays.val();
                self.full[i].d.next = self.settle_full.val();
            }
            if self.pushed[i].q.val() {
                self.valid[i].d.next = true;
                self.key[i].d.next = self.new_key.q.val();
                self.start[i].d.next = self.new_start.q.val();
                self.full[i].d.next = self.new_full.q.val();
                self.expired[i].d.next = false;
                self.wants[i].d.next = false;
                self.turn[i].d.next = false;
                self.ahead[i].d.next = true;
                self.same_src[i].d.next = self.new_key.q.val().get_bits::<NODE_BITS>(0) == self.push_key.val().get_bits::<NODE_BITS>(0);
                self.same_key[i].d.next = self.new_key.q.val() == self.push_key.val();
            }
            if self.rst.val() {
                self.valid[i].d.next = false;
                self.pushed[i].d.next = false;
            }
        }
        if self.rst.val() {
            self.moving.d.next = true;
        }
    }
}
