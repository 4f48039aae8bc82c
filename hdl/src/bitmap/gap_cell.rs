use super::GAP_BITS;
use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// One gap record of the queue pair that `GapRecords` is at: compared with a packet, changed, judged.
///
/// A record as a word, low bits first: first packet 24, last packet 24, reference 24, since 32, repeat 8, cause 2, state 2, coarse 1,
/// valid 1. State: 0 waiting, 1 lost, 2 lost and to be told, 3 reported. `since` is when it came into its state, for a lost one that is to
/// be told when it was lost. The reference is such that the packets accepted by the queue pair less it are the later packets since the gap
/// was seen. A coarse record may hold packets that have arrived, but not at its ends. Compare (with the record in memory, or this one if
/// `same`), decide what changes, which is for `GapRecords` (step 0), change (1), compare with the limits (2), judge (3): a step per clock.
/// The next packet is compared in step 3 of this one, which changes nothing that it looks at. Latency: 5 clocks. No reset.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct GapCell {
    /// clock
    pub clk: Signal<In, Clock>,
    /// record in memory
    pub memory: Signal<In, Bits<GAP_BITS>>,
    /// packet
    pub psn: Signal<In, Bits<24>>,
    /// it is compared, else what was found stays
    pub compare: Signal<In, Bit>,
    /// with this record, not with the one in memory
    pub same: Signal<In, Bit>,
    /// step 0: another queue pair begins, with what is in memory
    pub s0_load: Signal<In, Bit>,
    /// step 0: there is a record
    pub found: Signal<Out, Bit>,
    /// step 0: the packet lies in the record
    pub holds: Signal<Out, Bit>,
    /// step 0: it is the first of it
    pub at_first: Signal<Out, Bit>,
    /// step 0: it is the last of it
    pub at_last: Signal<Out, Bit>,
    /// step 0: it is the first of it, or lies before it
    pub passes: Signal<Out, Bit>,
    /// the record
    pub record: Signal<Out, Bits<GAP_BITS>>,
    /// step 1: the record, its reference one more with `s1_count`
    pub passed: Signal<Out, Bits<GAP_BITS>>,

    /// step 1: one more for the reference
    pub s1_count: Signal<In, Bit>,
    /// step 1: it is so for this record
    pub s1_pass: Signal<In, Bit>,
    /// step 1: the record becomes the one above
    pub s1_up: Signal<In, Bit>,
    /// step 1: that one, passed
    pub above: Signal<In, Bits<GAP_BITS>>,
    /// step 1: the record becomes the one below
    pub s1_down: Signal<In, Bit>,
    /// step 1: that one, passed
    pub below: Signal<In, Bits<GAP_BITS>>,
    /// step 1: a gap is seen, and this is its record
    pub s1_fresh: Signal<In, Bit>,
    /// step 1: its reference
    pub s1_reference: Signal<In, Bits<24>>,
    /// step 1: another first packet
    pub s1_set_first: Signal<In, Bit>,
    /// step 1: that one
    pub s1_first: Signal<In, Bits<24>>,
    /// step 1: another last packet
    pub s1_set_last: Signal<In, Bit>,
    /// step 1: that one
    pub s1_last: Signal<In, Bits<24>>,
    /// step 1: it is coarse
    pub s1_set_coarse: Signal<In, Bit>,
    /// step 1: it is not reported any more
    pub s1_unreport: Signal<In, Bit>,
    /// step 1: it ends
    pub s1_clear: Signal<In, Bit>,

    /// step 2: depth is counted in later packets
    pub by_arrivals: Signal<In, Bit>,
    /// step 2: records from before it are too deep
    pub depth_edge: Signal<In, Bits<24>>,
    /// now
    pub now: Signal<In, Bits<32>>,
    /// waiting since before it is too long
    pub wait_edge: Signal<In, Bits<32>>,
    /// lost since before it is too long
    pub feedback_edge: Signal<In, Bits<32>>,
    /// reported since before it is to be repeated
    pub repeat_edge: Signal<In, Bits<32>>,

    /// step 2: the gap at the base has stalled, and this is it
    pub s2_stalled: Signal<In, Bit>,
    /// step 2: it is lost and has waited for others long enough
    pub is_late: Signal<Out, Bit>,
    /// step 3: records are judged
    pub s3_judge: Signal<In, Bit>,
    /// step 3: what is lost is to be told
    pub s3_tell: Signal<In, Bit>,
    /// step 3: this one is told now
    pub s3_pick: Signal<In, Bit>,
    /// step 3: it becomes lost
    pub newly_lost: Signal<Out, Bit>,
    /// step 3: it is lost, now or before, and is not yet to be told
    pub is_open: Signal<Out, Bit>,
    /// step 3: that, or due
    pub is_wanted: Signal<Out, Bit>,
    /// step 3: it is to be told, also without `s3_tell`
    pub is_due: Signal<Out, Bit>,

    /// it has been told before
    pub again: Signal<Out, Bit>,
    /// the record in memory is to be judged because of its age, one clock later
    pub overdue: Signal<Out, Bit>,
    /// the record in memory is to be told, or told again, one clock later
    pub pending: Signal<Out, Bit>,

    first: Reg<Bits<24>>,
    last: Reg<Bits<24>>,
    reference: Reg<Bits<24>>,
    since: Reg<Bits<32>>,
    repeats: Reg<Bits<8>>,
    cause: Reg<Bits<2>>,
    state: Reg<Bits<2>>,
    coarse: Reg<Bit>,
    valid: Reg<Bit>,
    own: Signal<Local, Bits<GAP_BITS>>,
    source: Signal<Local, Bits<GAP_BITS>>,
    plus: Signal<Local, Bits<24>>,
    from_first: Signal<Local, Bits<24>>,
    to_last: Signal<Local, Bits<24>>,
    lower1: Reg<Bit>,
    holds1: Reg<Bit>,
    first1: Reg<Bit>,
    last1: Reg<Bit>,
    valid1: Reg<Bit>,
    // Where a field comes from: 0 memory, 1 above, 2 below, 3 what is new.
    first_from: Signal<Local, Bits<2>>,
    last_from: Signal<Local, Bits<2>>,
    reference_from: Signal<Local, Bits<2>>,
    since_from: Signal<Local, Bits<2>>,
    rest_from: Signal<Local, Bits<2>>,
    reference_new: Signal<Local, Bits<24>>,
    renewed: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    measure: Signal<Local, Bits<24>>,
    deeper: Signal<Local, Bits<24>>,
    limit: Signal<Local, Bits<32>>,
    elapsed: Signal<Local, Bits<32>>,
    memory_edge: Signal<Local, Bits<32>>,
    memory_elapsed: Signal<Local, Bits<32>>,
    waits: Signal<Local, Bit>,
    old: Signal<Local, Bit>,
    reported: Signal<Local, Bit>,
    deep3: Reg<Bit>,
    old3: Reg<Bit>,
    loses3: Reg<Bit>,
    loses: Signal<Local, Bit>,
    open3: Reg<Bit>,
    due: Signal<Local, Bit>,
    due3: Reg<Bit>,
    wanted3: Reg<Bit>,
    again4: Reg<Bit>,
    overdue1: Reg<Bit>,
    pending1: Reg<Bit>,
}

impl Logic for GapCell {
    #[kernel]
    fn update(&mut self) {
        self.own.next = bit_cast::<GAP_BITS, 24>(self.first.q.val())
            | (bit_cast::<GAP_BITS, 24>(self.last.q.val()) << 24)
            | (bit_cast::<GAP_BITS, 24>(self.reference.q.val()) << 48)
            | (bit_cast::<GAP_BITS, 32>(self.since.q.val()) << 72)
            | (bit_cast::<GAP_BITS, 8>(self.repeats.q.val()) << 104)
            | (bit_cast::<GAP_BITS, 2>(self.cause.q.val()) << 112)
            | (bit_cast::<GAP_BITS, 2>(self.state.q.val()) << 114)
            | (bit_cast::<GAP_BITS, 1>(self.coarse.q.val().into()) << 116)
            | (bit_cast::<GAP_BITS, 1>(self.valid.q.val().into()) << 117);
        self.record.next = self.own.val();

        // Where the packet lies.
        self.source.next = self.memory.val();
        if self.same.val() {
            self.source.next = self.own.val();
        }
        self.from_first.next = self.psn.val() - self.source.val().get_bits::<24>(0);
        self.to_last.next = self.source.val().get_bits::<24>(24) - self.psn.val();
        if self.compare.val() {
            self.lower1.d.next = self.from_first.val().get_bit(23);
            self.holds1.d.next = self.source.val().get_bit(117) && !self.from_first.val().get_bit(23) && !self.to_last.val().get_bit(23);
            self.first1.d.next = self.source.val().get_bits::<24>(0) == self.psn.val();
            self.last1.d.next = self.source.val().get_bits::<24>(24) == self.psn.val();
            self.valid1.d.next = self.source.val().get_bit(117);
        }

        // Step 0.
        self.found.next = self.valid1.q.val();
        self.holds.next = self.holds1.q.val();
        self.at_first.next = self.first1.q.val();
        self.at_last.next = self.last1.q.val();
        self.passes.next = self.lower1.q.val() || self.first1.q.val();

        // Step 1. A record moves with all its fields; some have a new value then, or without that.
        self.plus.next = self.reference.q.val() + bit_cast::<24, 1>(self.s1_count.val().into());
        self.passed.next = (self.own.val() & !(bits::<GAP_BITS>(0xff_ffff) << 48)) | (bit_cast::<GAP_BITS, 24>(self.plus.val()) << 48);
        self.moves.next = self.s0_load.val() || self.s1_up.val() || self.s1_down.val();
        self.rest_from.next = bits::<2>(0);
        if self.s1_up.val() {
            self.rest_from.next = bits::<2>(1);
        }
        if self.s1_down.val() {
            self.rest_from.next = bits::<2>(2);
        }
        self.first_from.next = self.rest_from.val();
        if self.s1_set_first.val() && !self.s1_up.val() {
            self.first_from.next = bits::<2>(3);
        }
        if self.moves.val() || self.s1_set_first.val() {
            self.first.d.next = self.memory.val().get_bits::<24>(0);
            if self.first_from.val() == bits::<2>(1) {
                self.first.d.next = self.above.val().get_bits::<24>(0);
            } else if self.first_from.val() == bits::<2>(2) {
                self.first.d.next = self.below.val().get_bits::<24>(0);
            } else if self.first_from.val() == bits::<2>(3) {
                self.first.d.next = self.s1_first.val();
            }
        }
        self.last_from.next = self.rest_from.val();
        if self.s1_set_last.val() && !self.s1_up.val() {
            self.last_from.next = bits::<2>(3);
        }
        if self.moves.val() || self.s1_set_last.val() {
            self.last.d.next = self.memory.val().get_bits::<24>(24);
            if self.last_from.val() == bits::<2>(1) {
                self.last.d.next = self.above.val().get_bits::<24>(24);
            } else if self.last_from.val() == bits::<2>(2) {
                self.last.d.next = self.below.val().get_bits::<24>(24);
            } else if self.last_from.val() == bits::<2>(3) {
                self.last.d.next = self.s1_last.val();
            }
        }
        self.reference_new.next = self.plus.val();
        if self.s1_fresh.val() {
            self.reference_new.next = self.s1_reference.val();
        }
        self.reference_from.next = self.rest_from.val();
        if (self.s1_pass.val() || self.s1_fresh.val()) && !self.s1_up.val() && !self.s1_down.val() {
            self.reference_from.next = bits::<2>(3);
        }
        if self.moves.val() || self.s1_pass.val() || self.s1_fresh.val() {
            self.reference.d.next = self.memory.val().get_bits::<24>(48);
            if self.reference_from.val() == bits::<2>(1) {
                self.reference.d.next = self.above.val().get_bits::<24>(48);
            } else if self.reference_from.val() == bits::<2>(2) {
                self.reference.d.next = self.below.val().get_bits::<24>(48);
            } else if self.reference_from.val() == bits::<2>(3) {
                self.reference.d.next = self.reference_new.val();
            }
        }
        if self.moves.val() || self.s1_fresh.val() {
            self.repeats.d.next = self.memory.val().get_bits::<8>(104);
            self.cause.d.next = self.memory.val().get_bits::<2>(112);
            self.state.d.next = self.memory.val().get_bits::<2>(114);
            self.coarse.d.next = self.memory.val().get_bit(116);
            self.valid.d.next = self.memory.val().get_bit(117);
            if self.s1_up.val() {
                self.repeats.d.next = self.above.val().get_bits::<8>(104);
                self.cause.d.next = self.above.val().get_bits::<2>(112);
                self.state.d.next = self.above.val().get_bits::<2>(114);
                self.coarse.d.next = self.above.val().get_bit(116);
                self.valid.d.next = self.above.val().get_bit(117);
            }
            if self.s1_down.val() {
                self.repeats.d.next = self.below.val().get_bits::<8>(104);
                self.cause.d.next = self.below.val().get_bits::<2>(112);
                self.state.d.next = self.below.val().get_bits::<2>(114);
                self.coarse.d.next = self.below.val().get_bit(116);
                self.valid.d.next = self.below.val().get_bit(117);
            }
            if self.s1_fresh.val() {
                self.repeats.d.next = bits::<8>(0);
                self.cause.d.next = bits::<2>(0);
                self.state.d.next = bits::<2>(0);
                self.coarse.d.next = false;
                self.valid.d.next = true;
            }
        }
        if self.s1_set_coarse.val() {
            self.coarse.d.next = true;
        }
        if self.s1_unreport.val() && self.state.q.val().all() {
            self.state.d.next = bits::<2>(1);
        }
        if self.s1_clear.val() {
            self.valid.d.next = false;
        }

        // Step 2: what is before a limit is beyond it. To be told is as good as told too late.
        self.measure.next = self.first.q.val();
        if self.by_arrivals.val() {
            self.measure.next = self.reference.q.val();
        }
        self.deeper.next = self.measure.val() - self.depth_edge.val();
        self.limit.next = self.wait_edge.val();
        if self.state.q.val().all() {
            self.limit.next = self.repeat_edge.val();
        } else if self.state.q.val().any() {
            self.limit.next = self.feedback_edge.val();
        }
        self.elapsed.next = self.since.q.val() - self.limit.val();
        self.old.next = self.elapsed.val().get_bit(31);
        self.waits.next = self.valid.q.val() && !self.state.q.val().any();
        self.reported.next = self.valid.q.val() && self.state.q.val().all();
        self.is_late.next = self.valid.q.val() && (self.state.q.val() == bits::<2>(1)) && self.old.val();
        self.deep3.d.next = self.deeper.val().get_bit(23);
        self.old3.d.next = self.old.val();
        self.loses.next = self.waits.val() && (self.deeper.val().get_bit(23) || self.old.val() || self.s2_stalled.val());
        self.loses3.d.next = self.loses.val();
        self.open3.d.next = self.loses.val() || (self.valid.q.val() && (self.state.q.val() == bits::<2>(1)));
        self.due.next = (self.valid.q.val() && (self.state.q.val() == bits::<2>(2))) || (self.reported.val() && self.old.val());
        self.due3.d.next = self.due.val();
        self.wanted3.d.next = self.due.val() || self.loses.val() || (self.valid.q.val() && (self.state.q.val() == bits::<2>(1)));

        // Step 3.
        self.newly_lost.next = self.loses3.q.val();
        self.is_open.next = self.open3.q.val();
        self.is_due.next = self.due3.q.val();
        self.is_wanted.next = self.wanted3.q.val();
        self.again.next = self.again4.q.val();
        self.renewed.next = self.s1_fresh.val() || (self.s1_unreport.val() && self.state.q.val().all());
        if self.s3_judge.val() {
            if self.loses3.q.val() {
                self.state.d.next = bits::<2>(1);
                self.renewed.next = true;
                self.cause.d.next = bits::<2>(2);
                if self.deep3.q.val() {
                    self.cause.d.next = bits::<2>(0);
                } else if self.old3.q.val() {
                    self.cause.d.next = bits::<2>(1);
                }
            }
            if self.s3_tell.val() && self.open3.q.val() {
                self.state.d.next = bits::<2>(2);
            }
            self.again4.d.next = self.reported.val();
            if self.s3_pick.val() {
                self.state.d.next = bits::<2>(3);
                self.renewed.next = true;
                if self.reported.val() && !self.repeats.q.val().all() {
                    self.repeats.d.next = self.repeats.q.val() + 1;
                }
            }
        }
        self.since_from.next = self.rest_from.val();
        if self.s1_fresh.val() || self.s1_unreport.val() || self.s3_judge.val() {
            self.since_from.next = bits::<2>(3);
        }
        if self.moves.val() || self.renewed.val() {
            self.since.d.next = self.memory.val().get_bits::<32>(72);
            if self.since_from.val() == bits::<2>(1) {
                self.since.d.next = self.above.val().get_bits::<32>(72);
            } else if self.since_from.val() == bits::<2>(2) {
                self.since.d.next = self.below.val().get_bits::<32>(72);
            } else if self.since_from.val() == bits::<2>(3) {
                self.since.d.next = self.now.val();
            }
        }

        // The scan.
        self.memory_edge.next = self.wait_edge.val();
        if self.memory.val().get_bits::<2>(114).all() {
            self.memory_edge.next = self.repeat_edge.val();
        } else if self.memory.val().get_bits::<2>(114).any() {
            self.memory_edge.next = self.feedback_edge.val();
        }
        self.memory_elapsed.next = self.memory.val().get_bits::<32>(72) - self.memory_edge.val();
        self.overdue1.d.next = self.memory.val().get_bit(117) && !self.memory.val().get_bit(115) && self.memory_elapsed.val().get_bit(31);
        self.pending1.d.next = self.memory.val().get_bit(117)
            && self.memory.val().get_bit(115)
            && (!self.memory.val().get_bit(114) || self.memory_elapsed.val().get_bit(31));
        self.overdue.next = self.overdue1.q.val();
        self.pending.next = self.pending1.q.val();
    }
}
