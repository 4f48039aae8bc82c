use super::DepotConfig;
use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What of a flow's state has run out.
///
/// Ticks wrap: a time is right for 2^32 ticks, and whoever keeps the state shows it here at least as often.
/// Latency: 2 clocks. Throughput: one per clock. No reset: what leaves is what entered.
/// Spec: LR2, "Depot": `renack`, `T_out`, `reack`, `idle`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotAges {
    /// clock
    pub clk: Signal<In, Clock>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// an acknowledgement is awaited
    pub was_retry: Signal<In, Bit>,
    /// since when
    pub retry_since: Signal<In, Bits<32>>,
    /// something is missing
    pub was_renack: Signal<In, Bit>,
    /// since when
    pub renack_since: Signal<In, Bits<32>>,
    /// a packet below `una` was answered
    pub was_reacked: Signal<In, Bit>,
    /// when
    pub reacked_since: Signal<In, Bits<32>>,
    /// tick of the last packet
    pub seen: Signal<In, Bits<32>>,
    /// the periods
    pub settings: DepotConfig,
    /// what is not acknowledged is sent again
    pub retry: Signal<Out, Bit>,
    /// what is missing is asked for again
    pub renack: Signal<Out, Bit>,
    /// the last answer is too new for another one
    pub reacked: Signal<Out, Bit>,
    /// the flow is idle
    pub idle: Signal<Out, Bit>,

    retry1: Reg<Bit>,
    renack1: Reg<Bit>,
    reacked1: Reg<Bit>,
    retry_age: Reg<Bits<32>>,
    renack_age: Reg<Bits<32>>,
    reacked_age: Reg<Bits<32>>,
    seen_age: Reg<Bits<32>>,
    retry2: Reg<Bit>,
    renack2: Reg<Bit>,
    reacked2: Reg<Bit>,
    idle2: Reg<Bit>,
}

impl Logic for DepotAges {
    #[kernel]
    fn update(&mut self) {
        self.retry1.d.next = self.was_retry.val();
        self.renack1.d.next = self.was_renack.val();
        self.reacked1.d.next = self.was_reacked.val();
        self.retry_age.d.next = self.tick.val() - self.retry_since.val();
        self.renack_age.d.next = self.tick.val() - self.renack_since.val();
        self.reacked_age.d.next = self.tick.val() - self.reacked_since.val();
        self.seen_age.d.next = self.tick.val() - self.seen.val();

        self.retry2.d.next = self.retry1.q.val() && self.retry_age.q.val() >= self.settings.retry.val();
        self.renack2.d.next = self.renack1.q.val() && self.renack_age.q.val() >= self.settings.renack.val();
        self.reacked2.d.next = self.reacked1.q.val() && self.reacked_age.q.val() < self.settings.reack.val();
        self.idle2.d.next = self.settings.idle.val().any() && self.seen_age.q.val() >= self.settings.idle.val();

        self.retry.next = self.retry2.q.val();
        self.renack.next = self.renack2.q.val();
        self.reacked.next = self.reacked2.q.val();
        self.idle.next = self.idle2.q.val();
    }
}
