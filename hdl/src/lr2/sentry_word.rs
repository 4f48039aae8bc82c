use super::{SentryState, SentryStateWriter};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A flow's state as a word of memory, and back: combinational.
///
/// Fields in the word, low bits first: flags, `excuse` 2, `owed` 8, PSNs of 24, ticks of 32, in the order of the kernel.
/// Latency: 0 clocks. Spec: LR2, "Flows".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryWord {
    /// a flow
    pub state: SentryState,
    /// its word
    pub word: Signal<Out, Bits<SENTRY_STATE_BITS>>,
    /// a word
    pub stored: Signal<In, Bits<SENTRY_STATE_BITS>>,
    /// its flow
    pub kept: SentryStateWriter,
}

impl Logic for SentryWord {
    #[kernel]
    fn update(&mut self) {
        self.word.next = bit_cast::<SENTRY_STATE_BITS, 1>(self.state.begun.val().into())
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.sure.val().into()) << 1)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.bypass.val().into()) << 2)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.strange.val().into()) << 3)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.marked.val().into()) << 4)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.episode.val().into()) << 5)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.answered.val().into()) << 6)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.pending.val().into()) << 7)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.told.val().into()) << 8)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.nacked.val().into()) << 9)
            | (bit_cast::<SENTRY_STATE_BITS, 1>(self.state.notified.val().into()) << 10)
            | (bit_cast::<SENTRY_STATE_BITS, 2>(self.state.excuse.val()) << 11)
            | (bit_cast::<SENTRY_STATE_BITS, 8>(self.state.owed.val()) << 13)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.una.val()) << 21)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.expected.val()) << 45)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.last.val()) << 69)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.msn.val()) << 93)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.marks_end.val()) << 117)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.from.val()) << 141)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.until.val()) << 165)
            | (bit_cast::<SENTRY_STATE_BITS, 24>(self.state.told_psn.val()) << 189)
            | (bit_cast::<SENTRY_STATE_BITS, 32>(self.state.since.val()) << 213)
            | (bit_cast::<SENTRY_STATE_BITS, 32>(self.state.told_since.val()) << 245)
            | (bit_cast::<SENTRY_STATE_BITS, 32>(self.state.nacked_since.val()) << 277)
            | (bit_cast::<SENTRY_STATE_BITS, 32>(self.state.notified_since.val()) << 309)
            | (bit_cast::<SENTRY_STATE_BITS, 32>(self.state.seen.val()) << 341);
        self.kept.begun.next = self.stored.val().get_bit(0);
        self.kept.sure.next = self.stored.val().get_bit(1);
        self.kept.bypass.next = self.stored.val().get_bit(2);
        self.kept.strange.next = self.stored.val().get_bit(3);
        self.kept.marked.next = self.stored.val().get_bit(4);
        self.kept.episode.next = self.stored.val().get_bit(5);
        self.kept.answered.next = self.stored.val().get_bit(6);
        self.kept.pending.next = self.stored.val().get_bit(7);
        self.kept.told.next = self.stored.val().get_bit(8);
        self.kept.nacked.next = self.stored.val().get_bit(9);
        self.kept.notified.next = self.stored.val().get_bit(10);
        self.kept.excuse.next = self.stored.val().get_bits::<2>(11);
        self.kept.owed.next = self.stored.val().get_bits::<8>(13);
        self.kept.una.next = self.stored.val().get_bits::<24>(21);
        self.kept.expected.next = self.stored.val().get_bits::<24>(45);
        self.kept.last.next = self.stored.val().get_bits::<24>(69);
        self.kept.msn.next = self.stored.val().get_bits::<24>(93);
        self.kept.marks_end.next = self.stored.val().get_bits::<24>(117);
        self.kept.from.next = self.stored.val().get_bits::<24>(141);
        self.kept.until.next = self.stored.val().get_bits::<24>(165);
        self.kept.told_psn.next = self.stored.val().get_bits::<24>(189);
        self.kept.since.next = self.stored.val().get_bits::<32>(213);
        self.kept.told_since.next = self.stored.val().get_bits::<32>(245);
        self.kept.nacked_since.next = self.stored.val().get_bits::<32>(277);
        self.kept.notified_since.next = self.stored.val().get_bits::<32>(309);
        self.kept.seen.next = self.stored.val().get_bits::<32>(341);
    }
}
