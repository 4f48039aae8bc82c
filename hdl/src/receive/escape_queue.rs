use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Who waits in the escape channel, oldest first, and who of them may be tried again.
///
/// A waiting packet is `N` positions of a shifting array: what leaves closes the gap, so position is age. A packet becomes eligible when
/// something happens to its (source, op index), a waiting start when an entry may be free, and any when its time is up. The oldest
/// eligible one is picked, flies through the match path, and then leaves or stays.
/// One settles at a time: `settle` comes at least 4 clocks after the one before, `settle_slot` one clock ahead of it. `KW` = `SW` + index bits, source in the low bits.
/// Latency: 3 clocks from eligible to `pick_valid`. Throughput: one push per clock. Reset: empty.
/// Spec: receive registry, "Escape channel".
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct EscapeQueue<const N: usize, const SW: usize, const KW: usize, const XW: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet comes to wait
    pub push: Signal<In, Bit>,
    /// its slot
    pub push_slot: Signal<In, Bits<XW>>,
    /// its source and op index
    pub push_key: Signal<In, Bits<KW>>,
    /// it is a start that waits for an entry
    pub push_start: Signal<In, Bit>,
    /// ... because the registry is full
    pub push_full: Signal<In, Bit>,
    /// slot of a packet that has its verdict in the next clock
    pub settle_slot: Signal<In, Bits<XW>>,
    /// a packet that was tried has its verdict
    pub settle: Signal<In, Bit>,
    /// it stays
    pub settle_stays: Signal<In, Bit>,
    /// it stays as a start that waits because the registry is full
    pub settle_full: Signal<In, Bit>,
    /// source and op index of the packet that may wake others in the next clock
    pub wake_key: Signal<In, Bits<KW>>,
    /// something happened to what was `wake_key` one clock before
    pub wake: Signal<In, Bit>,
    /// starts may find an entry now
    pub room: Signal<In, Bit>,
    /// also those of this source that wait for its quota
    pub room_src: Signal<In, Bits<SW>>,
    /// the time of `expire_slot` is up
    pub expire: Signal<In, Bit>,
    /// slot
    pub expire_slot: Signal<In, Bits<XW>>,
    /// pick the oldest eligible packet
    pub pick: Signal<In, Bit>,
    /// one clock: a packet has been picked
    pub pick_valid: Signal<Out, Bit>,
    /// its slot
    pub pick_slot: Signal<Out, Bits<XW>>,
    /// its time is up
    pub pick_expired: Signal<Out, Bit>,
    /// it is a start that waits because the registry is full
    pub pick_full: Signal<Out, Bit>,

    valid: [Reg<Bit>; N],
    slot: [Reg<Bits<XW>>; N],
    key: [Reg<Bits<KW>>; N],
    start: [Reg<Bit>; N],
    full: [Reg<Bit>; N],
    eligible: [Reg<Bit>; N],
    expired: [Reg<Bit>; N],
    picked: [Reg<Bit>; N],
    flying: [Reg<Bit>; N],
    woken: [Reg<Bit>; N],
    m_woken: [Signal<Local, Bit>; N],

    settling: Reg<Bit>,
    settling_stays: Reg<Bit>,
    settling_full: Reg<Bit>,
    found_settled: Reg<Bits<N>>,
    settled: Reg<Bits<N>>,
    hits: Signal<Local, Bits<N>>,
    behind: Reg<Bits<N>>,
    shift: Signal<Local, Bit>,
    candidates: Signal<Local, Bits<N>>,
    q_candidates: Reg<Bits<N>>,
    looking: Reg<Bit>,
    oldest: Signal<Local, Bits<N>>,
    picking: Reg<Bit>,
    found: Reg<Bit>,
    found_slot: Reg<Bits<XW>>,
    found_expired: Reg<Bit>,
    found_full: Reg<Bit>,
    chosen_slot: Signal<Local, Bits<XW>>,
    chosen_expired: Signal<Local, Bit>,
    chosen_full: Signal<Local, Bit>,
    chosen: Signal<Local, Bit>,
    // The element with what happens to it in this clock, before the gap closes.
    m_full: [Signal<Local, Bit>; N],
    m_eligible: [Signal<Local, Bit>; N],
    m_expired: [Signal<Local, Bit>; N],
    m_picked: [Signal<Local, Bit>; N],
    m_flying: [Signal<Local, Bit>; N],
    load: [Signal<Local, Bit>; N],
    // Neighbours of the ends.
    before: [Signal<Local, Bit>; N],
    after: [Signal<Local, Bit>; N],
}

impl<const N: usize, const SW: usize, const KW: usize, const XW: usize> Default for EscapeQueue<N, SW, KW, XW> {
    fn default() -> Self {
        assert!(N >= 2 && (1 << XW) > N, "EscapeQueue: N = {N} with XW = {XW} bits of slot number, more slots than N are needed");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            push: Default::default(),
            push_slot: Default::default(),
            push_key: Default::default(),
            push_start: Default::default(),
            push_full: Default::default(),
            settle: Default::default(),
            settle_slot: Default::default(),
            settle_stays: Default::default(),
            settle_full: Default::default(),
            wake: Default::default(),
            wake_key: Default::default(),
            room: Default::default(),
            room_src: Default::default(),
            expire: Default::default(),
            expire_slot: Default::default(),
            pick: Default::default(),
            pick_valid: Default::default(),
            pick_slot: Default::default(),
            pick_expired: Default::default(),
            pick_full: Default::default(),
            valid: std::array::from_fn(|_| Default::default()),
            slot: std::array::from_fn(|_| Default::default()),
            key: std::array::from_fn(|_| Default::default()),
            start: std::array::from_fn(|_| Default::default()),
            full: std::array::from_fn(|_| Default::default()),
            eligible: std::array::from_fn(|_| Default::default()),
            expired: std::array::from_fn(|_| Default::default()),
            picked: std::array::from_fn(|_| Default::default()),
            flying: std::array::from_fn(|_| Default::default()),
            woken: std::array::from_fn(|_| Default::default()),
            m_woken: std::array::from_fn(|_| Default::default()),
            settling: Default::default(),
            settling_stays: Default::default(),
            settling_full: Default::default(),
            found_settled: Default::default(),
            settled: Default::default(),
            hits: Default::default(),
            behind: Default::default(),
            shift: Default::default(),
            candidates: Default::default(),
            q_candidates: Default::default(),
            looking: Default::default(),
            oldest: Default::default(),
            picking: Default::default(),
            found: Default::default(),
            found_slot: Default::default(),
            found_expired: Default::default(),
            found_full: Default::default(),
            chosen_slot: Default::default(),
            chosen_expired: Default::default(),
            chosen_full: Default::default(),
            chosen: Default::default(),
            m_full: std::array::from_fn(|_| Default::default()),
            m_eligible: std::array::from_fn(|_| Default::default()),
            m_expired: std::array::from_fn(|_| Default::default()),
            m_picked: std::array::from_fn(|_| Default::default()),
            m_flying: std::array::from_fn(|_| Default::default()),
            load: std::array::from_fn(|_| Default::default()),
            before: std::array::from_fn(|_| Default::default()),
            after: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const N: usize, const SW: usize, const KW: usize, const XW: usize> Logic for EscapeQueue<N, SW, KW, XW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            settling,
            settling_stays,
            settling_full,
            found_settled,
            settled,
            behind,
            q_candidates,
            looking,
            picking,
            found,
            found_slot,
            found_expired,
            found_full
        );
        for i in 0..N {
            self.valid[i].clock.next = self.clk.val();
            self.slot[i].clock.next = self.clk.val();
            self.key[i].clock.next = self.clk.val();
            self.start[i].clock.next = self.clk.val();
            self.full[i].clock.next = self.clk.val();
            self.eligible[i].clock.next = self.clk.val();
            self.expired[i].clock.next = self.clk.val();
            self.picked[i].clock.next = self.clk.val();
            self.flying[i].clock.next = self.clk.val();
            self.woken[i].clock.next = self.clk.val();
        }

        // The position is found before the verdict comes; the packet stays, or the gap closes, in the clock after.
        self.hits.next = bits::<N>(0);
        for i in 0..N {
            if self.valid[i].q.val() && (self.slot[i].q.val() == self.settle_slot.val()) {
                self.hits.next = self.hits.val().replace_bit(i, true);
            }
        }
        self.found_settled.d.next = self.hits.val();
        self.settled.d.next = self.found_settled.q.val();
        self.settling.d.next = self.settle.val();
        self.settling_stays.d.next = self.settle_stays.val();
        self.settling_full.d.next = self.settle_full.val();
        self.shift.next = self.settling.q.val() && !self.settling_stays.q.val();
        // All positions from the settled one on.
        self.behind.d.next = !(self.found_settled.q.val() - 1);

        // Oldest candidate first: the lowest set bit, unless the gap that closes has moved them.
        self.candidates.next = bits::<N>(0);
        for i in 0..N {
            if self.valid[i].q.val() && !self.flying[i].q.val() && (self.eligible[i].q.val() || self.expired[i].q.val()) {
                self.candidates.next = self.candidates.val().replace_bit(i, true);
            }
        }
        self.q_candidates.d.next = self.candidates.val();
        self.looking.d.next =
            self.pick.val() && !self.looking.q.val() && !self.picking.q.val() && !self.shift.val() && self.candidates.val().any();
        self.oldest.next = bits::<N>(0);
        if self.looking.q.val() {
            self.oldest.next = self.q_candidates.q.val() & (bits::<N>(0) - self.q_candidates.q.val());
        }
        self.picking.d.next = self.looking.q.val();

        self.chosen.next = false;
        self.chosen_slot.next = bits::<XW>(0);
        self.chosen_expired.next = false;
        self.chosen_full.next = false;
        for i in 0..N {
            if self.picked[i].q.val() {
                self.chosen.next = true;
                self.chosen_slot.next = self.chosen_slot.val() | self.slot[i].q.val();
                self.chosen_expired.next = self.chosen_expired.val() | self.expired[i].q.val();
                self.chosen_full.next = self.chosen_full.val() | (self.start[i].q.val() && self.full[i].q.val());
            }
        }
        self.found.d.next = self.chosen.val();
        self.found_slot.d.next = self.chosen_slot.val();
        self.found_expired.d.next = self.chosen_expired.val();
        self.found_full.d.next = self.chosen_full.val();
        self.pick_valid.next = self.found.q.val();
        self.pick_slot.next = self.found_slot.q.val();
        self.pick_expired.next = self.found_expired.q.val();
        self.pick_full.next = self.found_full.q.val();

        for i in 0..N {
            self.m_full[i].next = self.full[i].q.val();
            self.m_woken[i].next = self.key[i].q.val() == self.wake_key.val();
            self.m_eligible[i].next = self.eligible[i].q.val();
            self.m_expired[i].next = self.expired[i].q.val();
            self.m_picked[i].next = self.oldest.val().get_bit(i);
            self.m_flying[i].next = self.flying[i].q.val() || self.picked[i].q.val();
            if self.settling.q.val() && self.settled.q.val().get_bit(i) {
                self.m_flying[i].next = false;
                self.m_eligible[i].next = false;
                self.m_full[i].next = self.settling_full.q.val();
            }
            // Later than the verdict, so it wins; what the packet waits for is what that verdict says.
            if (self.wake.val() && self.woken[i].q.val())
                || (self.room.val()
                    && self.start[i].q.val()
                    && (self.m_full[i].val() || (self.key[i].q.val().get_bits::<SW>(0) == self.room_src.val())))
            {
                self.m_eligible[i].next = true;
            }
            if self.expire.val() && (self.slot[i].q.val() == self.expire_slot.val()) {
                self.m_expired[i].next = true;
            }
        }

        for i in 0..N {
            self.before[i].next = true;
            self.after[i].next = false;
        }
        for i in 1..N {
            self.before[i].next = self.valid[i - 1].q.val();
            self.after[i - 1].next = self.valid[i].q.val();
        }
        for i in 0..N {
            // The end of the queue moves down when a gap closes in the same clock.
            self.load[i].next = (!self.shift.val() && !self.valid[i].q.val() && self.before[i].val())
                || (self.shift.val() && self.valid[i].q.val() && !self.after[i].val());
            self.valid[i].d.next = self.valid[i].q.val();
            if self.shift.val() && !self.after[i].val() {
                self.valid[i].d.next = false;
            }
            self.slot[i].d.next = self.slot[i].q.val();
            self.key[i].d.next = self.key[i].q.val();
            self.start[i].d.next = self.start[i].q.val();
            self.full[i].d.next = self.m_full[i].val();
            self.eligible[i].d.next = self.m_eligible[i].val();
            self.expired[i].d.next = self.m_expired[i].val();
            self.picked[i].d.next = self.m_picked[i].val();
            self.flying[i].d.next = self.m_flying[i].val();
            self.woken[i].d.next = self.m_woken[i].val();
        }
        for i in 1..N {
            if self.shift.val() && self.behind.q.val().get_bit(i - 1) {
                self.slot[i - 1].d.next = self.slot[i].q.val();
                self.key[i - 1].d.next = self.key[i].q.val();
                self.start[i - 1].d.next = self.start[i].q.val();
                self.full[i - 1].d.next = self.m_full[i].val();
                self.eligible[i - 1].d.next = self.m_eligible[i].val();
                self.expired[i - 1].d.next = self.m_expired[i].val();
                self.picked[i - 1].d.next = self.m_picked[i].val();
                self.flying[i - 1].d.next = self.m_flying[i].val();
                self.woken[i - 1].d.next = self.m_woken[i].val();
            }
        }
        for i in 0..N {
            if self.push.val() && self.load[i].val() {
                self.valid[i].d.next = true;
                self.slot[i].d.next = self.push_slot.val();
                self.key[i].d.next = self.push_key.val();
                self.start[i].d.next = self.push_start.val();
                self.full[i].d.next = self.push_full.val();
                self.eligible[i].d.next = false;
                self.expired[i].d.next = false;
                self.picked[i].d.next = false;
                self.flying[i].d.next = false;
                self.woken[i].d.next = self.push_key.val() == self.wake_key.val();
            }
            if self.rst.val() {
                self.valid[i].d.next = false;
                self.flying[i].d.next = false;
                self.picked[i].d.next = false;
            }
        }
        if self.rst.val() {
            self.settling.d.next = false;
            self.looking.d.next = false;
            self.picking.d.next = false;
            self.found.d.next = false;
        }
    }
}
