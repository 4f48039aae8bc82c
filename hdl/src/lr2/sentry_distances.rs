use super::SentryPlacesWriter;
use crate::primitives::Reg;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where the PSNs of an event lie among the registers of its flow.
///
/// `a` is before `b` if `b - a` modulo 2^24 is 1 to 2^23 - 1: half the space apart neither is.
/// Latency: 2 clocks. Throughput: one per clock. No reset: what leaves is what entered.
/// Spec: LR2, "Flows", "Sentry".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryDistances {
    /// clock
    pub clk: Signal<In, Clock>,
    /// first PSN that the receiving card has not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// `ePSN_s`
    pub expected: Signal<In, Bits<24>>,
    /// the PSN behind the card's most recent packet
    pub last: Signal<In, Bits<24>>,
    /// where marks end
    pub marks_end: Signal<In, Bits<24>>,
    /// first PSN of the episode
    pub from: Signal<In, Bits<24>>,
    /// the PSN behind its last one
    pub until: Signal<In, Bits<24>>,
    /// PSN of the packet
    pub psn: Signal<In, Bits<24>>,
    /// `number` is the PSN behind it
    pub behind: Signal<In, Bit>,
    /// PSNs that the packet consumes
    pub span: Signal<In, Bits<24>>,
    /// first PSN of the gap that a Depot-NACK names
    pub gap_start: Signal<In, Bits<24>>,
    /// length of `gap`
    pub gap_length: Signal<In, Bits<24>>,

    /// where they lie
    pub places: SentryPlacesWriter,
    /// the PSN behind the packet
    pub past: Signal<Out, Bits<24>>,
    /// it is before `last`
    pub before_last: Signal<Out, Bit>,
    /// it is not before `from`
    pub from_on: Signal<Out, Bit>,
    /// it is before `until`
    pub before_until: Signal<Out, Bit>,
    /// `end` is before `until`
    pub end_before_until: Signal<Out, Bit>,
    /// it is `until`
    pub end_at_until: Signal<Out, Bit>,
    /// it is before `expected`
    pub end_before_expected: Signal<Out, Bit>,
    /// it is `expected`
    pub end_at_expected: Signal<Out, Bit>,
    /// it is behind `expected`
    pub end_past_expected: Signal<Out, Bit>,

    number1: Reg<Bits<24>>,
    end1: Reg<Bits<24>>,
    gap_start1: Reg<Bits<24>>,
    gap_end1: Reg<Bits<24>>,
    una1: Reg<Bits<24>>,
    expected1: Reg<Bits<24>>,
    last1: Reg<Bits<24>>,
    edge1: Reg<Bits<24>>,
    from1: Reg<Bits<24>>,
    until1: Reg<Bits<24>>,
    una_expected1: Reg<Bits<24>>,

    // How far the second is ahead of the first.
    expected_number: Signal<Local, Bits<24>>,
    number_to_expected: Signal<Local, Bits<24>>,
    una_number: Signal<Local, Bits<24>>,
    number_una: Signal<Local, Bits<24>>,
    number_last: Signal<Local, Bits<24>>,
    number_edge: Signal<Local, Bits<24>>,
    number_from: Signal<Local, Bits<24>>,
    number_until: Signal<Local, Bits<24>>,
    end_until: Signal<Local, Bits<24>>,
    end_expected: Signal<Local, Bits<24>>,
    expected_end: Signal<Local, Bits<24>>,
    expected_gap_end: Signal<Local, Bits<24>>,
    gap_to_expected: Signal<Local, Bits<24>>,

    number2: Reg<Bits<24>>,
    end2: Reg<Bits<24>>,
    before_expected2: Reg<Bit>,
    at_expected2: Reg<Bit>,
    far_ahead2: Reg<Bit>,
    before_una2: Reg<Bit>,
    far_behind2: Reg<Bit>,
    within2: Reg<Bit>,
    overtakes2: Reg<Bit>,
    before_last2: Reg<Bit>,
    before_edge2: Reg<Bit>,
    from_on2: Reg<Bit>,
    before_until2: Reg<Bit>,
    end_before_until2: Reg<Bit>,
    end_at_until2: Reg<Bit>,
    end_before_expected2: Reg<Bit>,
    end_at_expected2: Reg<Bit>,
    end_past_expected2: Reg<Bit>,
    open2: Reg<Bit>,
    acked2: Reg<Bits<24>>,
    marks2: Reg<Bits<24>>,
    gap_open2: Reg<Bit>,
    gap_past2: Reg<Bit>,
    una_start2: Reg<Bits<24>>,
    una_end2: Reg<Bits<24>>,
    una_expected2: Reg<Bits<24>>,
    number_start2: Reg<Bits<24>>,
    number_end2: Reg<Bits<24>>,
    number_expected2: Reg<Bits<24>>,
    start_expected2: Reg<Bits<24>>,
}

impl Logic for SentryDistances {
    #[kernel]
    fn update(&mut self) {
        self.number1.d.next = self.psn.val();
        if self.behind.val() {
            self.number1.d.next = self.psn.val() + 1;
        }
        self.end1.d.next = self.psn.val() + self.span.val();
        self.gap_start1.d.next = self.gap_start.val();
        self.gap_end1.d.next = self.gap_start.val() + self.gap_length.val();
        self.una1.d.next = self.una.val();
        self.expected1.d.next = self.expected.val();
        self.last1.d.next = self.last.val();
        self.edge1.d.next = self.marks_end.val();
        self.from1.d.next = self.from.val();
        self.until1.d.next = self.until.val();
        self.una_expected1.d.next = self.expected.val() - self.una.val();

        self.expected_number.next = self.number1.q.val() - self.expected1.q.val();
        self.number_to_expected.next = self.expected1.q.val() - self.number1.q.val();
        self.una_number.next = self.number1.q.val() - self.una1.q.val();
        self.number_una.next = self.una1.q.val() - self.number1.q.val();
        self.number_last.next = self.last1.q.val() - self.number1.q.val();
        self.number_edge.next = self.edge1.q.val() - self.number1.q.val();
        self.number_from.next = self.from1.q.val() - self.number1.q.val();
        self.number_until.next = self.until1.q.val() - self.number1.q.val();
        self.end_until.next = self.until1.q.val() - self.end1.q.val();
        self.end_expected.next = self.expected1.q.val() - self.end1.q.val();
        self.expected_end.next = self.end1.q.val() - self.expected1.q.val();
        self.expected_gap_end.next = self.gap_end1.q.val() - self.expected1.q.val();
        self.gap_to_expected.next = self.expected1.q.val() - self.gap_start1.q.val();

        self.number2.d.next = self.number1.q.val();
        self.end2.d.next = self.end1.q.val();
        self.before_expected2.d.next = self.number_to_expected.val().any() && !self.number_to_expected.val().get_bit(23);
        self.at_expected2.d.next = !self.number_to_expected.val().any();
        self.far_ahead2.d.next = !(self.number_to_expected.val().any() && !self.number_to_expected.val().get_bit(23))
            && self.expected_number.val() > FILTER_BITS.to_bits::<24>();
        self.before_una2.d.next = self.number_una.val().any() && !self.number_una.val().get_bit(23);
        self.far_behind2.d.next = !self.number_una.val().get_bit(23) && self.number_una.val() > FILTER_BITS.to_bits::<24>();
        self.within2.d.next = self.una_number.val() < FILTER_BITS.to_bits::<24>();
        self.overtakes2.d.next = self.una_number.val() > self.una_expected1.q.val();
        self.before_last2.d.next = self.number_last.val().any() && !self.number_last.val().get_bit(23);
        self.before_edge2.d.next = self.number_edge.val().any() && !self.number_edge.val().get_bit(23);
        self.from_on2.d.next = !(self.number_from.val().any() && !self.number_from.val().get_bit(23));
        self.before_until2.d.next = self.number_until.val().any() && !self.number_until.val().get_bit(23);
        self.end_before_until2.d.next = self.end_until.val().any() && !self.end_until.val().get_bit(23);
        self.end_at_until2.d.next = !self.end_until.val().any();
        self.end_before_expected2.d.next = self.end_expected.val().any() && !self.end_expected.val().get_bit(23);
        self.end_at_expected2.d.next = !self.end_expected.val().any();
        self.end_past_expected2.d.next = self.expected_end.val().any() && !self.expected_end.val().get_bit(23);
        self.open2.d.next = self.una_expected1.q.val().any() && !self.una_expected1.q.val().get_bit(23);
        self.acked2.d.next = self.una_number.val();
        self.marks2.d.next = self.edge1.q.val() - self.una1.q.val();
        self.gap_open2.d.next = self.gap_to_expected.val().any() && !self.gap_to_expected.val().get_bit(23);
        self.gap_past2.d.next = self.expected_gap_end.val().any() && !self.expected_gap_end.val().get_bit(23);
        self.una_start2.d.next = self.gap_start1.q.val() - self.una1.q.val();
        self.una_end2.d.next = self.gap_end1.q.val() - self.una1.q.val();
        self.una_expected2.d.next = self.una_expected1.q.val();
        self.number_start2.d.next = self.gap_start1.q.val() - self.number1.q.val();
        self.number_end2.d.next = self.gap_end1.q.val() - self.number1.q.val();
        self.number_expected2.d.next = self.number_to_expected.val();
        self.start_expected2.d.next = self.gap_to_expected.val();

        self.places.number.next = self.number2.q.val();
        self.past.next = self.end2.q.val();
        self.places.before_expected.next = self.before_expected2.q.val();
        self.places.at_expected.next = self.at_expected2.q.val();
        self.places.far_ahead.next = self.far_ahead2.q.val();
        self.places.before_una.next = self.before_una2.q.val();
        self.places.far_behind.next = self.far_behind2.q.val();
        self.places.within.next = self.within2.q.val();
        self.places.overtakes.next = self.overtakes2.q.val();
        self.before_last.next = self.before_last2.q.val();
        self.places.before_edge.next = self.before_edge2.q.val();
        self.from_on.next = self.from_on2.q.val();
        self.before_until.next = self.before_until2.q.val();
        self.end_before_until.next = self.end_before_until2.q.val();
        self.end_at_until.next = self.end_at_until2.q.val();
        self.end_before_expected.next = self.end_before_expected2.q.val();
        self.end_at_expected.next = self.end_at_expected2.q.val();
        self.end_past_expected.next = self.end_past_expected2.q.val();
        self.places.open.next = self.open2.q.val();
        self.places.acked.next = self.acked2.q.val();
        self.places.marks.next = self.marks2.q.val();
        self.places.gap_open.next = self.gap_open2.q.val();
        self.places.gap_past.next = self.gap_past2.q.val();
        self.places.una_start.next = self.una_start2.q.val();
        self.places.una_end.next = self.una_end2.q.val();
        self.places.una_expected.next = self.una_expected2.q.val();
        self.places.number_start.next = self.number_start2.q.val();
        self.places.number_end.next = self.number_end2.q.val();
        self.places.number_expected.next = self.number_expected2.q.val();
        self.places.start_expected.next = self.start_expected2.q.val();
    }
}
