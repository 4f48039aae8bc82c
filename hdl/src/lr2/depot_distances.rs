use super::DepotPlacesWriter;
use crate::primitives::Reg;
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where the PSNs of an event lie among the registers of its flow.
///
/// `a` is before `b`, and `b` behind `a`, if `b - a` modulo 2^24 is 1 to 2^23 - 1: half the space apart neither is.
/// Latency: 2 clocks, and 3 of `later`. Throughput: one per clock. No reset: what leaves is what entered.
/// Spec: LR2, "Flows", "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotDistances {
    /// clock
    pub clk: Signal<In, Clock>,
    /// first PSN that the receiving card has not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// `ePSN`
    pub expected: Signal<In, Bits<24>>,
    /// `ePSN_D`
    pub border: Signal<In, Bits<24>>,
    /// the PSN behind the highest one that was ever let on
    pub top: Signal<In, Bits<24>>,
    /// PSN of the copy that is sent again next
    pub replay_next: Signal<In, Bits<24>>,
    /// where that ends
    pub replay_end: Signal<In, Bits<24>>,
    /// where it began
    pub replay_from: Signal<In, Bits<24>>,
    /// the PSN behind the last one whose acknowledgement was asked for
    pub retry_end: Signal<In, Bits<24>>,
    /// PSN of the packet, or of what is looked at
    pub psn: Signal<In, Bits<24>>,
    /// `number` is the PSN behind it
    pub behind: Signal<In, Bit>,
    /// PSNs that the packet consumes
    pub span: Signal<In, Bits<24>>,

    /// where they lie
    pub places: DepotPlacesWriter,
    /// where those of the event before lie
    pub later: DepotPlacesWriter,

    number1: Reg<Bits<24>>,
    end1: Reg<Bits<24>>,
    una1: Reg<Bits<24>>,
    expected1: Reg<Bits<24>>,
    border1: Reg<Bits<24>>,
    top1: Reg<Bits<24>>,
    replay_next1: Reg<Bits<24>>,
    replay_end1: Reg<Bits<24>>,
    replay_from1: Reg<Bits<24>>,
    retry_end1: Reg<Bits<24>>,
    small1: Reg<Bit>,
    una_top1: Reg<Bits<24>>,

    // How far the second is ahead of the first.
    expected_number: Signal<Local, Bits<24>>,
    number_to_expected: Signal<Local, Bits<24>>,
    number_una: Signal<Local, Bits<24>>,
    una_number: Signal<Local, Bits<24>>,
    border_to_number: Signal<Local, Bits<24>>,
    number_retry_end: Signal<Local, Bits<24>>,
    number_replay_end: Signal<Local, Bits<24>>,
    replay_next_number: Signal<Local, Bits<24>>,
    expected_end: Signal<Local, Bits<24>>,
    border_end: Signal<Local, Bits<24>>,
    top_end: Signal<Local, Bits<24>>,
    end_replay_end: Signal<Local, Bits<24>>,

    number2: Reg<Bits<24>>,
    end2: Reg<Bits<24>>,
    before_expected2: Reg<Bit>,
    at_expected2: Reg<Bit>,
    past_expected2: Reg<Bit>,
    in_reach2: Reg<Bit>,
    fits2: Reg<Bit>,
    far_ahead2: Reg<Bit>,
    before_una2: Reg<Bit>,
    at_una2: Reg<Bit>,
    far_behind2: Reg<Bit>,
    overtakes2: Reg<Bit>,
    copy_fits2: Reg<Bit>,
    past_border2: Reg<Bit>,
    at_border2: Reg<Bit>,
    border_number2: Reg<Bits<24>>,
    number_expected2: Reg<Bits<24>>,
    before_retry_end2: Reg<Bit>,
    before_replay_end2: Reg<Bit>,
    past_next2: Reg<Bit>,
    at_replay_from2: Reg<Bit>,
    end_in_reach2: Reg<Bit>,
    end_past_expected2: Reg<Bit>,
    end_past_border2: Reg<Bit>,
    end_at_border2: Reg<Bit>,
    end_past_top2: Reg<Bit>,
    end_before_replay_end2: Reg<Bit>,
    open2: Reg<Bit>,
    held_end2: Reg<Bits<REACH_COUNT_BITS>>,
    held_number2: Reg<Bits<REACH_COUNT_BITS>>,
    back2: Reg<Bits<REACH_COUNT_BITS>>,
    acked2: Reg<Bits<REACH_COUNT_BITS>>,
    lowered2: Reg<Bits<REACH_COUNT_BITS>>,
    number3: Reg<Bits<24>>,
    end3: Reg<Bits<24>>,
    before_expected3: Reg<Bit>,
    at_expected3: Reg<Bit>,
    past_expected3: Reg<Bit>,
    in_reach3: Reg<Bit>,
    fits3: Reg<Bit>,
    far_ahead3: Reg<Bit>,
    before_una3: Reg<Bit>,
    at_una3: Reg<Bit>,
    far_behind3: Reg<Bit>,
    overtakes3: Reg<Bit>,
    copy_fits3: Reg<Bit>,
    past_border3: Reg<Bit>,
    at_border3: Reg<Bit>,
    border_number3: Reg<Bits<24>>,
    number_expected3: Reg<Bits<24>>,
    before_retry_end3: Reg<Bit>,
    before_replay_end3: Reg<Bit>,
    past_next3: Reg<Bit>,
    at_replay_from3: Reg<Bit>,
    end_in_reach3: Reg<Bit>,
    end_past_expected3: Reg<Bit>,
    end_past_border3: Reg<Bit>,
    end_at_border3: Reg<Bit>,
    end_past_top3: Reg<Bit>,
    end_before_replay_end3: Reg<Bit>,
    open3: Reg<Bit>,
    held_end3: Reg<Bits<REACH_COUNT_BITS>>,
    held_number3: Reg<Bits<REACH_COUNT_BITS>>,
    back3: Reg<Bits<REACH_COUNT_BITS>>,
    acked3: Reg<Bits<REACH_COUNT_BITS>>,
    lowered3: Reg<Bits<REACH_COUNT_BITS>>,
}

impl Logic for DepotDistances {
    #[kernel]
    fn update(&mut self) {
        self.number1.d.next = self.psn.val();
        if self.behind.val() {
            self.number1.d.next = self.psn.val() + 1;
        }
        self.end1.d.next = self.psn.val() + self.span.val();
        self.small1.d.next = self.span.val() <= REACH.to_bits::<24>();
        self.una_top1.d.next = self.top.val() - self.una.val();
        self.una1.d.next = self.una.val();
        self.expected1.d.next = self.expected.val();
        self.border1.d.next = self.border.val();
        self.top1.d.next = self.top.val();
        self.replay_next1.d.next = self.replay_next.val();
        self.replay_end1.d.next = self.replay_end.val();
        self.replay_from1.d.next = self.replay_from.val();
        self.retry_end1.d.next = self.retry_end.val();

        self.expected_number.next = self.number1.q.val() - self.expected1.q.val();
        self.number_to_expected.next = self.expected1.q.val() - self.number1.q.val();
        self.number_una.next = self.una1.q.val() - self.number1.q.val();
        self.una_number.next = self.number1.q.val() - self.una1.q.val();
        self.border_to_number.next = self.number1.q.val() - self.border1.q.val();
        self.number_retry_end.next = self.retry_end1.q.val() - self.number1.q.val();
        self.number_replay_end.next = self.replay_end1.q.val() - self.number1.q.val();
        self.replay_next_number.next = self.number1.q.val() - self.replay_next1.q.val();
        self.expected_end.next = self.end1.q.val() - self.expected1.q.val();
        self.border_end.next = self.end1.q.val() - self.border1.q.val();
        self.top_end.next = self.end1.q.val() - self.top1.q.val();
        self.end_replay_end.next = self.replay_end1.q.val() - self.end1.q.val();
        self.number2.d.next = self.number1.q.val();
        self.end2.d.next = self.end1.q.val();
        self.before_expected2.d.next = self.number_to_expected.val().any() && !self.number_to_expected.val().get_bit(23);
        self.at_expected2.d.next = !self.number_to_expected.val().any();
        self.past_expected2.d.next = self.expected_number.val().any() && !self.expected_number.val().get_bit(23);
        self.in_reach2.d.next = self.expected_number.val() < REACH.to_bits::<24>();
        self.fits2.d.next =
            self.small1.q.val() && self.expected_number.val() < REACH.to_bits::<24>() && self.expected_end.val() <= REACH.to_bits::<24>();
        self.far_ahead2.d.next = (!self.border_to_number.val().get_bit(23) || !self.border_to_number.val().get_bits::<23>(0).any())
            && self.border_to_number.val() > REACH.to_bits::<24>();
        self.before_una2.d.next = self.number_una.val().any() && !self.number_una.val().get_bit(23);
        self.at_una2.d.next = !self.number_una.val().any();
        self.far_behind2.d.next = self.number_una.val() > REACH.to_bits::<24>();
        self.overtakes2.d.next = self.una_number.val() > self.una_top1.q.val();
        self.copy_fits2.d.next = self.una_number.val() < REACH.to_bits::<24>();
        self.past_border2.d.next = self.border_to_number.val().any() && !self.border_to_number.val().get_bit(23);
        self.at_border2.d.next = !self.border_to_number.val().any();
        self.border_number2.d.next = self.border_to_number.val();
        self.number_expected2.d.next = self.number_to_expected.val();
        self.before_retry_end2.d.next = self.number_retry_end.val().any() && !self.number_retry_end.val().get_bit(23);
        self.before_replay_end2.d.next = self.number_replay_end.val().any() && !self.number_replay_end.val().get_bit(23);
        self.past_next2.d.next = self.replay_next_number.val().any() && !self.replay_next_number.val().get_bit(23);
        self.at_replay_from2.d.next = self.number1.q.val() == self.replay_from1.q.val();
        self.end_in_reach2.d.next = self.small1.q.val() && self.expected_end.val() < REACH.to_bits::<24>();
        self.end_past_expected2.d.next = self.expected_end.val().any() && !self.expected_end.val().get_bit(23);
        self.end_past_border2.d.next = self.border_end.val().any() && !self.border_end.val().get_bit(23);
        self.end_at_border2.d.next = !self.border_end.val().any();
        self.end_past_top2.d.next = self.top_end.val().any() && !self.top_end.val().get_bit(23);
        self.end_before_replay_end2.d.next = self.end_replay_end.val().any() && !self.end_replay_end.val().get_bit(23);
        self.open2.d.next = self.expected1.q.val() != self.border1.q.val();
        self.held_end2.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        if self.expected_end.val() < REACH.to_bits::<24>() {
            self.held_end2.d.next = self.expected_end.val().get_bits::<REACH_COUNT_BITS>(0);
        }
        self.held_number2.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        if self.expected_number.val() < REACH.to_bits::<24>() {
            self.held_number2.d.next = self.expected_number.val().get_bits::<REACH_COUNT_BITS>(0);
        }
        self.back2.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        if self.number_to_expected.val() < REACH.to_bits::<24>() {
            self.back2.d.next = self.number_to_expected.val().get_bits::<REACH_COUNT_BITS>(0);
        }
        self.acked2.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        if self.una_number.val() < REACH.to_bits::<24>() {
            self.acked2.d.next = self.una_number.val().get_bits::<REACH_COUNT_BITS>(0);
        }
        self.lowered2.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
        if self.number_una.val() < REACH.to_bits::<24>() {
            self.lowered2.d.next = self.number_una.val().get_bits::<REACH_COUNT_BITS>(0);
        }

        self.places.number.next = self.number2.q.val();
        self.places.end.next = self.end2.q.val();
        self.places.before_expected.next = self.before_expected2.q.val();
        self.places.at_expected.next = self.at_expected2.q.val();
        self.places.past_expected.next = self.past_expected2.q.val();
        self.places.in_reach.next = self.in_reach2.q.val();
        self.places.fits.next = self.fits2.q.val();
        self.places.far_ahead.next = self.far_ahead2.q.val();
        self.places.before_una.next = self.before_una2.q.val();
        self.places.at_una.next = self.at_una2.q.val();
        self.places.far_behind.next = self.far_behind2.q.val();
        self.places.overtakes.next = self.overtakes2.q.val();
        self.places.copy_fits.next = self.copy_fits2.q.val();
        self.places.past_border.next = self.past_border2.q.val();
        self.places.at_border.next = self.at_border2.q.val();
        self.places.border_number.next = self.border_number2.q.val();
        self.places.number_expected.next = self.number_expected2.q.val();
        self.places.before_retry_end.next = self.before_retry_end2.q.val();
        self.places.before_replay_end.next = self.before_replay_end2.q.val();
        self.places.past_next.next = self.past_next2.q.val();
        self.places.at_replay_from.next = self.at_replay_from2.q.val();
        self.places.end_in_reach.next = self.end_in_reach2.q.val();
        self.places.end_past_expected.next = self.end_past_expected2.q.val();
        self.places.end_past_border.next = self.end_past_border2.q.val();
        self.places.end_at_border.next = self.end_at_border2.q.val();
        self.places.end_past_top.next = self.end_past_top2.q.val();
        self.places.end_before_replay_end.next = self.end_before_replay_end2.q.val();
        self.places.open.next = self.open2.q.val();
        self.places.held_end.next = self.held_end2.q.val();
        self.places.held_number.next = self.held_number2.q.val();
        self.places.back.next = self.back2.q.val();
        self.places.acked.next = self.acked2.q.val();
        self.places.lowered.next = self.lowered2.q.val();
        self.number3.d.next = self.number2.q.val();
        self.end3.d.next = self.end2.q.val();
        self.before_expected3.d.next = self.before_expected2.q.val();
        self.at_expected3.d.next = self.at_expected2.q.val();
        self.past_expected3.d.next = self.past_expected2.q.val();
        self.in_reach3.d.next = self.in_reach2.q.val();
        self.fits3.d.next = self.fits2.q.val();
        self.far_ahead3.d.next = self.far_ahead2.q.val();
        self.before_una3.d.next = self.before_una2.q.val();
        self.at_una3.d.next = self.at_una2.q.val();
        self.far_behind3.d.next = self.far_behind2.q.val();
        self.overtakes3.d.next = self.overtakes2.q.val();
        self.copy_fits3.d.next = self.copy_fits2.q.val();
        self.past_border3.d.next = self.past_border2.q.val();
        self.at_border3.d.next = self.at_border2.q.val();
        self.border_number3.d.next = self.border_number2.q.val();
        self.number_expected3.d.next = self.number_expected2.q.val();
        self.before_retry_end3.d.next = self.before_retry_end2.q.val();
        self.before_replay_end3.d.next = self.before_replay_end2.q.val();
        self.past_next3.d.next = self.past_next2.q.val();
        self.at_replay_from3.d.next = self.at_replay_from2.q.val();
        self.end_in_reach3.d.next = self.end_in_reach2.q.val();
        self.end_past_expected3.d.next = self.end_past_expected2.q.val();
        self.end_past_border3.d.next = self.end_past_border2.q.val();
        self.end_at_border3.d.next = self.end_at_border2.q.val();
        self.end_past_top3.d.next = self.end_past_top2.q.val();
        self.end_before_replay_end3.d.next = self.end_before_replay_end2.q.val();
        self.open3.d.next = self.open2.q.val();
        self.held_end3.d.next = self.held_end2.q.val();
        self.held_number3.d.next = self.held_number2.q.val();
        self.back3.d.next = self.back2.q.val();
        self.acked3.d.next = self.acked2.q.val();
        self.lowered3.d.next = self.lowered2.q.val();
        self.later.number.next = self.number3.q.val();
        self.later.end.next = self.end3.q.val();
        self.later.before_expected.next = self.before_expected3.q.val();
        self.later.at_expected.next = self.at_expected3.q.val();
        self.later.past_expected.next = self.past_expected3.q.val();
        self.later.in_reach.next = self.in_reach3.q.val();
        self.later.fits.next = self.fits3.q.val();
        self.later.far_ahead.next = self.far_ahead3.q.val();
        self.later.before_una.next = self.before_una3.q.val();
        self.later.at_una.next = self.at_una3.q.val();
        self.later.far_behind.next = self.far_behind3.q.val();
        self.later.overtakes.next = self.overtakes3.q.val();
        self.later.copy_fits.next = self.copy_fits3.q.val();
        self.later.past_border.next = self.past_border3.q.val();
        self.later.at_border.next = self.at_border3.q.val();
        self.later.border_number.next = self.border_number3.q.val();
        self.later.number_expected.next = self.number_expected3.q.val();
        self.later.before_retry_end.next = self.before_retry_end3.q.val();
        self.later.before_replay_end.next = self.before_replay_end3.q.val();
        self.later.past_next.next = self.past_next3.q.val();
        self.later.at_replay_from.next = self.at_replay_from3.q.val();
        self.later.end_in_reach.next = self.end_in_reach3.q.val();
        self.later.end_past_expected.next = self.end_past_expected3.q.val();
        self.later.end_past_border.next = self.end_past_border3.q.val();
        self.later.end_at_border.next = self.end_at_border3.q.val();
        self.later.end_past_top.next = self.end_past_top3.q.val();
        self.later.end_before_replay_end.next = self.end_before_replay_end3.q.val();
        self.later.open.next = self.open3.q.val();
        self.later.held_end.next = self.held_end3.q.val();
        self.later.held_number.next = self.held_number3.q.val();
        self.later.back.next = self.back3.q.val();
        self.later.acked.next = self.acked3.q.val();
        self.later.lowered.next = self.lowered3.q.val();
    }
}
