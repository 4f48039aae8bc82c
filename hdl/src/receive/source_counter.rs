use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// One counter per source, compared with a quota for the packet at stage 3 as if packets passed one at a time.
///
/// The count is read at stage 1; what the three packets in front do to it (`s4_*`, one clock after their stage 3) is added on the way.
/// `N` is `2^SW`; a count never exceeds `2^C - 1`.
/// Latency: 2 clocks from `s1_src` to `at_quota`. Throughput: one per clock. Reset: every count is zero.
/// Spec: receive registry, quotas.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct SourceCounter<const SW: usize, const N: usize, const C: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 1: source
    pub s1_src: Signal<In, Bits<SW>>,
    /// stage 2: source
    pub s2_src: Signal<In, Bits<SW>>,
    /// stage 3: source
    pub s3_src: Signal<In, Bits<SW>>,
    /// stage 4: source
    pub s4_src: Signal<In, Bits<SW>>,
    /// stage 4: one more
    pub s4_add: Signal<In, Bit>,
    /// stage 4: one less
    pub s4_remove: Signal<In, Bit>,
    /// limit
    pub quota: Signal<In, Bits<16>>,
    /// stage 3: the source holds `quota` or more
    pub at_quota: Signal<Out, Bit>,

    counts: [Reg<Bits<C>>; N],
    read: Signal<Local, Bits<C>>,
    q2_count: Reg<Bits<C>>,
    q2_add: Reg<Bit>,
    q2_remove: Reg<Bit>,
    step_2: Signal<Local, Bits<C>>,
    step_4: Signal<Local, Bits<C>>,
    count_2: Signal<Local, Bits<C>>,
    more_2: Signal<Local, Bits<C>>,
    q3_at: Reg<Bit>,
    q3_at_more: Reg<Bit>,
    q3_at_less: Reg<Bit>,
    q3_same: Reg<Bit>,
    ones: Constant<Bits<C>>,
}

impl<const SW: usize, const N: usize, const C: usize> Default for SourceCounter<SW, N, C> {
    fn default() -> Self {
        assert!(N == 1 << SW, "SourceCounter: N = {N} with SW = {SW}, must be {}", 1 << SW);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s1_src: Default::default(),
            s2_src: Default::default(),
            s3_src: Default::default(),
            s4_src: Default::default(),
            s4_add: Default::default(),
            s4_remove: Default::default(),
            quota: Default::default(),
            at_quota: Default::default(),
            counts: std::array::from_fn(|_| Default::default()),
            read: Default::default(),
            q2_count: Default::default(),
            q2_add: Default::default(),
            q2_remove: Default::default(),
            step_2: Default::default(),
            step_4: Default::default(),
            count_2: Default::default(),
            more_2: Default::default(),
            q3_at: Default::default(),
            q3_at_more: Default::default(),
            q3_at_less: Default::default(),
            q3_same: Default::default(),
            ones: Constant::new(Bits::<C>::mask()),
        }
    }
}

impl<const SW: usize, const N: usize, const C: usize> Logic for SourceCounter<SW, N, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, q2_count, q2_add, q2_remove, q3_at, q3_at_more, q3_at_less, q3_same);
        self.step_4.next = bits::<C>(0);
        if self.s4_add.val() && !self.s4_remove.val() {
            self.step_4.next = bits::<C>(1);
        }
        if self.s4_remove.val() && !self.s4_add.val() {
            self.step_4.next = self.ones.val();
        }
        self.read.next = bits::<C>(0);
        for i in 0..N {
            self.counts[i].clock.next = self.clk.val();
            self.counts[i].d.next = self.counts[i].q.val();
            if self.s4_src.val() == i.to_bits::<SW>() {
                self.counts[i].d.next = self.counts[i].q.val() + self.step_4.val();
            }
            if self.s1_src.val() == i.to_bits::<SW>() {
                self.read.next = self.read.val() | self.counts[i].q.val();
            }
            if self.rst.val() {
                self.counts[i].d.next = bits::<C>(0);
            }
        }
        self.q2_count.d.next = self.read.val();
        self.q2_add.d.next = self.s4_add.val() && !self.s4_remove.val() && (self.s1_src.val() == self.s4_src.val());
        self.q2_remove.d.next = self.s4_remove.val() && !self.s4_add.val() && (self.s1_src.val() == self.s4_src.val());

        self.step_2.next = bits::<C>(0);
        if self.q2_add.q.val() {
            self.step_2.next = bits::<C>(1);
        }
        if self.q2_remove.q.val() {
            self.step_2.next = self.ones.val();
        }
        if self.s2_src.val() == self.s4_src.val() {
            self.count_2.next = self.q2_count.q.val() + (self.step_2.val() + self.step_4.val());
        } else {
            self.count_2.next = self.q2_count.q.val() + self.step_2.val();
        }
        // The quota is compared before it is known what the packet in front does.
        self.more_2.next = self.count_2.val() + 1;
        self.q3_at.d.next = bit_cast::<16, C>(self.count_2.val()) >= self.quota.val();
        self.q3_at_more.d.next = bit_cast::<16, C>(self.more_2.val()) >= self.quota.val();
        self.q3_at_less.d.next = !self.quota.val().any() || (bit_cast::<16, C>(self.count_2.val()) > self.quota.val());
        self.q3_same.d.next = self.s2_src.val() == self.s3_src.val();

        self.at_quota.next = self.q3_at.q.val();
        if self.q3_same.q.val() && self.s4_add.val() && !self.s4_remove.val() {
            self.at_quota.next = self.q3_at_more.q.val();
        }
        if self.q3_same.q.val() && self.s4_remove.val() && !self.s4_add.val() {
            self.at_quota.next = self.q3_at_less.q.val();
        }
    }
}
