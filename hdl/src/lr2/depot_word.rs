use super::{DepotState, DepotStateWriter};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// A flow's state as a word of memory, and back: combinational.
///
/// Fields in the word, low bits first: flags, `credits` 5, `retries` 8, PSNs of 24, ticks of 32, in the order of the kernel.
/// Latency: 0 clocks. Spec: LR2, "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotWord {
    /// a flow
    pub state: DepotState,
    /// its word
    pub word: Signal<Out, Bits<DEPOT_STATE_BITS>>,
    /// a word
    pub stored: Signal<In, Bits<DEPOT_STATE_BITS>>,
    /// its flow
    pub kept: DepotStateWriter,
}

impl Logic for DepotWord {
    #[kernel]
    fn update(&mut self) {
        self.word.next = bit_cast::<DEPOT_STATE_BITS, 1>(self.state.begun.val().into())
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.sure.val().into()) << 1)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.bypass.val().into()) << 2)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.strange.val().into()) << 3)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.drains.val().into()) << 4)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.replaying.val().into()) << 5)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.retry.val().into()) << 6)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.renack.val().into()) << 7)
            | (bit_cast::<DEPOT_STATE_BITS, 1>(self.state.reacked.val().into()) << 8)
            | (bit_cast::<DEPOT_STATE_BITS, 5>(self.state.credits.val()) << 9)
            | (bit_cast::<DEPOT_STATE_BITS, 8>(self.state.retries.val()) << 14)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.una.val()) << 22)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.expected.val()) << 46)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.border.val()) << 70)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.top.val()) << 94)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.msn.val()) << 118)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.replay_next.val()) << 142)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.replay_end.val()) << 166)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.replay_from.val()) << 190)
            | (bit_cast::<DEPOT_STATE_BITS, 24>(self.state.retry_end.val()) << 214)
            | (bit_cast::<DEPOT_STATE_BITS, 32>(self.state.retry_since.val()) << 238)
            | (bit_cast::<DEPOT_STATE_BITS, 32>(self.state.renack_since.val()) << 270)
            | (bit_cast::<DEPOT_STATE_BITS, 32>(self.state.reacked_since.val()) << 302)
            | (bit_cast::<DEPOT_STATE_BITS, 32>(self.state.seen.val()) << 334);
        self.kept.begun.next = self.stored.val().get_bit(0);
        self.kept.sure.next = self.stored.val().get_bit(1);
        self.kept.bypass.next = self.stored.val().get_bit(2);
        self.kept.strange.next = self.stored.val().get_bit(3);
        self.kept.drains.next = self.stored.val().get_bit(4);
        self.kept.replaying.next = self.stored.val().get_bit(5);
        self.kept.retry.next = self.stored.val().get_bit(6);
        self.kept.renack.next = self.stored.val().get_bit(7);
        self.kept.reacked.next = self.stored.val().get_bit(8);
        self.kept.credits.next = self.stored.val().get_bits::<5>(9);
        self.kept.retries.next = self.stored.val().get_bits::<8>(14);
        self.kept.una.next = self.stored.val().get_bits::<24>(22);
        self.kept.expected.next = self.stored.val().get_bits::<24>(46);
        self.kept.border.next = self.stored.val().get_bits::<24>(70);
        self.kept.top.next = self.stored.val().get_bits::<24>(94);
        self.kept.msn.next = self.stored.val().get_bits::<24>(118);
        self.kept.replay_next.next = self.stored.val().get_bits::<24>(142);
        self.kept.replay_end.next = self.stored.val().get_bits::<24>(166);
        self.kept.replay_from.next = self.stored.val().get_bits::<24>(190);
        self.kept.retry_end.next = self.stored.val().get_bits::<24>(214);
        self.kept.retry_since.next = self.stored.val().get_bits::<32>(238);
        self.kept.renack_since.next = self.stored.val().get_bits::<32>(270);
        self.kept.reacked_since.next = self.stored.val().get_bits::<32>(302);
        self.kept.seen.next = self.stored.val().get_bits::<32>(334);
    }
}
