use crate::primitives::{LutRam, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// One counter per source, compared with a quota for the packet at stage 3 as if packets passed one at a time.
///
/// The count is read at stage 1; what the three packets in front do to it (`s4_*`, one clock after their stage 3) is added on the way.
/// `SOURCES` is `2^SOURCE_BITS`; a count never exceeds `2^COUNT_BITS - 4`. A new quota counts two clocks later.
/// Latency: 2 clocks from `s1_src` to `at_quota`. Throughput: one per clock. Reset: every count is zero.
/// Spec: receive registry, quotas.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct SourceCounter<const SOURCE_BITS: usize, const SOURCES: usize, const COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 1: source
    pub s1_src: Signal<In, Bits<SOURCE_BITS>>,
    /// stage 2: source
    pub s2_src: Signal<In, Bits<SOURCE_BITS>>,
    /// stage 3: source
    pub s3_src: Signal<In, Bits<SOURCE_BITS>>,
    /// stage 4: source
    pub s4_src: Signal<In, Bits<SOURCE_BITS>>,
    /// stage 4: one more
    pub s4_add: Signal<In, Bit>,
    /// stage 4: one less; never together with `s4_add`
    pub s4_remove: Signal<In, Bit>,
    /// limit
    pub quota: Signal<In, Bits<16>>,
    /// stage 3: the source holds `quota` or more
    pub at_quota: Signal<Out, Bit>,

    counts: LutRam<COUNT_BITS, SOURCE_BITS>,
    // Counts that have been written since the reset; the others are zero.
    counted: Reg<Bits<SOURCES>>,
    steps: Signal<Local, Bit>,
    read: Signal<Local, Bits<COUNT_BITS>>,
    step: Signal<Local, Bits<COUNT_BITS>>,
    q2_count: Reg<Bits<COUNT_BITS>>,
    q3_count: Reg<Bits<COUNT_BITS>>,
    q4_count: Reg<Bits<COUNT_BITS>>,
    updated: Signal<Local, Bits<COUNT_BITS>>,
    // The limit, and its neighbours as far as two packets can move a count.
    limit: Reg<Bits<COUNT_BITS>>,
    odd_limit: Signal<Local, Bits<COUNT_BITS>>,
    less_2: Reg<Bits<COUNT_BITS>>,
    less_1: Reg<Bits<COUNT_BITS>>,
    exact: Reg<Bits<COUNT_BITS>>,
    more_1: Reg<Bits<COUNT_BITS>>,
    more_2: Reg<Bits<COUNT_BITS>>,
    at_less_2: Signal<Local, Bit>,
    at_less_1: Signal<Local, Bit>,
    at_exact: Signal<Local, Bit>,
    at_more_1: Signal<Local, Bit>,
    at_more_2: Signal<Local, Bit>,
    // With one more, as it is, with one less.
    q3_at_added: Reg<Bit>,
    q3_at: Reg<Bit>,
    q3_at_removed: Reg<Bit>,
    q3_same: Reg<Bit>,
    ones: Constant<Bits<COUNT_BITS>>,
}

impl<const SOURCE_BITS: usize, const SOURCES: usize, const COUNT_BITS: usize> Default for SourceCounter<SOURCE_BITS, SOURCES, COUNT_BITS> {
    fn default() -> Self {
        assert!(
            SOURCES == 1 << SOURCE_BITS,
            "SourceCounter: SOURCES = {SOURCES} with SOURCE_BITS = {SOURCE_BITS}, must be {}",
            1 << SOURCE_BITS
        );
        Self { ones: Constant::new(Bits::<COUNT_BITS>::mask()), ..Self::blank() }
    }
}

impl<const SOURCE_BITS: usize, const SOURCES: usize, const COUNT_BITS: usize> Logic for SourceCounter<SOURCE_BITS, SOURCES, COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        // A quota that no count reaches is all ones.
        self.limit.d.next = self.quota.val().get_bits::<COUNT_BITS>(0);
        if (self.quota.val() >> COUNT_BITS.to_bits::<5>()).any() {
            self.limit.d.next = self.ones.val();
        }
        self.exact.d.next = self.limit.q.val();
        self.less_1.d.next = self.limit.q.val() - 1;
        self.less_2.d.next = self.limit.q.val() - 2;
        self.more_1.d.next = self.limit.q.val() + 1;
        self.more_2.d.next = self.limit.q.val() + 2;
        if !self.limit.q.val().any() {
            self.less_1.d.next = bits::<COUNT_BITS>(0);
        }
        if !(self.limit.q.val() >> 1).any() {
            self.less_2.d.next = bits::<COUNT_BITS>(0);
        }
        if self.limit.q.val().all() {
            self.more_1.d.next = self.ones.val();
        }
        self.odd_limit.next = self.limit.q.val() | 1;
        if self.odd_limit.val().all() {
            self.more_2.d.next = self.ones.val();
        }

        self.step.next = bits::<COUNT_BITS>(0);
        if self.s4_add.val() {
            self.step.next = bits::<COUNT_BITS>(1);
        }
        if self.s4_remove.val() {
            self.step.next = self.ones.val();
        }
        // The count travels with its packet, so that one adder is enough.
        self.updated.next = self.q4_count.q.val() + self.step.val();
        self.q3_count.d.next = self.q2_count.q.val();
        if self.s2_src.val() == self.s4_src.val() {
            self.q3_count.d.next = self.updated.val();
        }
        self.q4_count.d.next = self.q3_count.q.val();
        if self.s3_src.val() == self.s4_src.val() {
            self.q4_count.d.next = self.updated.val();
        }
        self.steps.next = self.s4_add.val() || self.s4_remove.val();
        self.counts.write_enable.next = self.steps.val();
        self.counts.write_address.next = self.s4_src.val();
        self.counts.write_data.next = self.updated.val();
        self.counts.read_address.next = self.s1_src.val();
        if self.steps.val() {
            self.counted.d.next = self.counted.q.val() | (bits::<SOURCES>(1) << self.s4_src.val());
        }
        if self.rst.val() {
            self.counted.d.next = bits::<SOURCES>(0);
        }
        self.read.next = bits::<COUNT_BITS>(0);
        if ((self.counted.q.val() >> self.s1_src.val()) & 1).any() {
            self.read.next = self.counts.read_data.val();
        }
        self.q2_count.d.next = self.read.val();
        if self.s1_src.val() == self.s4_src.val() {
            self.q2_count.d.next = self.updated.val();
        }

        // The count is compared before it is known what the packet in front does.
        self.at_less_2.next = self.q2_count.q.val() >= self.less_2.q.val();
        self.at_less_1.next = self.q2_count.q.val() >= self.less_1.q.val();
        self.at_exact.next = self.q2_count.q.val() >= self.exact.q.val();
        self.at_more_1.next = self.q2_count.q.val() >= self.more_1.q.val();
        self.at_more_2.next = self.q2_count.q.val() >= self.more_2.q.val();
        self.q3_at_added.d.next = self.at_less_1.val();
        self.q3_at.d.next = self.at_exact.val();
        self.q3_at_removed.d.next = self.at_more_1.val();
        if self.s4_add.val() && (self.s2_src.val() == self.s4_src.val()) {
            self.q3_at_added.d.next = self.at_less_2.val();
            self.q3_at.d.next = self.at_less_1.val();
            self.q3_at_removed.d.next = self.at_exact.val();
        }
        if self.s4_remove.val() && (self.s2_src.val() == self.s4_src.val()) {
            self.q3_at_added.d.next = self.at_exact.val();
            self.q3_at.d.next = self.at_more_1.val();
            self.q3_at_removed.d.next = self.at_more_2.val();
        }
        self.q3_same.d.next = self.s2_src.val() == self.s3_src.val();

        self.at_quota.next = self.q3_at.q.val();
        if self.q3_same.q.val() && self.s4_add.val() {
            self.at_quota.next = self.q3_at_added.q.val();
        }
        if self.q3_same.q.val() && self.s4_remove.val() {
            self.at_quota.next = self.q3_at_removed.q.val();
        }
    }
}
