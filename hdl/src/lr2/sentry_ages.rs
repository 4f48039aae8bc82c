use super::SentryConfig;
use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What of a flow's state has not run out yet.
///
/// Ticks wrap: a time is right for 2^32 ticks, and whoever keeps the state shows it here at least as often. What has run out is cleared in
/// the state after the step.
/// Latency: 2 clocks. Throughput: one per clock. No reset: what leaves is what entered.
/// Spec: LR2, "Sentry": `t_local`, `t_filter`, `renack_s`, `t_probe`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SentryAges {
    /// clock
    pub clk: Signal<In, Clock>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// an episode was open
    pub was_episode: Signal<In, Bit>,
    /// since when
    pub since: Signal<In, Bits<32>>,
    /// the last NACK waited for its answer
    pub was_pending: Signal<In, Bit>,
    /// it was too new to say the same again
    pub was_told: Signal<In, Bit>,
    /// when it was sent
    pub told_since: Signal<In, Bits<32>>,
    /// the last Sentry-NACK was too new for another one
    pub was_nacked: Signal<In, Bit>,
    /// when it was sent
    pub nacked_since: Signal<In, Bits<32>>,
    /// the last CNP was too new for another one
    pub was_notified: Signal<In, Bit>,
    /// when it was sent
    pub notified_since: Signal<In, Bits<32>>,
    /// tick of the last packet
    pub seen: Signal<In, Bits<32>>,
    /// the periods
    pub settings: SentryConfig,
    /// the episode goes on
    pub episode: Signal<Out, Bit>,
    /// the last NACK keeps others back
    pub pending: Signal<Out, Bit>,
    /// the last NACK is too new to say the same again to a standard card
    pub told: Signal<Out, Bit>,
    /// the last Sentry-NACK for this loss is too new for another one
    pub nacked: Signal<Out, Bit>,
    /// the last CNP is too new for another one
    pub notified: Signal<Out, Bit>,
    /// the flow is idle
    pub idle: Signal<Out, Bit>,
    /// a probe is due
    pub probe: Signal<Out, Bit>,

    episode1: Reg<Bit>,
    pending1: Reg<Bit>,
    told1: Reg<Bit>,
    nacked1: Reg<Bit>,
    notified1: Reg<Bit>,
    episode_age: Reg<Bits<32>>,
    told_age: Reg<Bits<32>>,
    nacked_age: Reg<Bits<32>>,
    notified_age: Reg<Bits<32>>,
    seen_age: Reg<Bits<32>>,
    episode2: Reg<Bit>,
    pending2: Reg<Bit>,
    told2: Reg<Bit>,
    nacked2: Reg<Bit>,
    notified2: Reg<Bit>,
    idle2: Reg<Bit>,
    probe2: Reg<Bit>,
}

impl Logic for SentryAges {
    #[kernel]
    fn update(&mut self) {
        self.episode1.d.next = self.was_episode.val();
        self.pending1.d.next = self.was_pending.val();
        self.told1.d.next = self.was_told.val();
        self.nacked1.d.next = self.was_nacked.val();
        self.notified1.d.next = self.was_notified.val();
        self.episode_age.d.next = self.tick.val() - self.since.val();
        self.told_age.d.next = self.tick.val() - self.told_since.val();
        self.nacked_age.d.next = self.tick.val() - self.nacked_since.val();
        self.notified_age.d.next = self.tick.val() - self.notified_since.val();
        self.seen_age.d.next = self.tick.val() - self.seen.val();

        // An episode without `t_filter` ends at its bound alone; the others have no time at all when it is 0.
        self.episode2.d.next =
            self.episode1.q.val() && (!self.settings.filter.val().any() || self.episode_age.q.val() < self.settings.filter.val());
        self.pending2.d.next = self.pending1.q.val() && self.told_age.q.val() < self.settings.local.val();
        self.told2.d.next = self.told1.q.val() && self.told_age.q.val() < self.settings.spare.val();
        self.nacked2.d.next = self.nacked1.q.val() && self.nacked_age.q.val() < self.settings.renack.val();
        self.notified2.d.next = self.notified1.q.val() && self.notified_age.q.val() < self.settings.cnp.val();
        self.idle2.d.next = self.settings.idle.val().any() && self.seen_age.q.val() >= self.settings.idle.val();
        self.probe2.d.next = self.settings.probe.val().any() && self.seen_age.q.val() >= self.settings.probe.val();

        self.episode.next = self.episode2.q.val();
        self.pending.next = self.pending2.q.val();
        self.told.next = self.told2.q.val();
        self.nacked.next = self.nacked2.q.val();
        self.notified.next = self.notified2.q.val();
        self.idle.next = self.idle2.q.val();
        self.probe.next = self.probe2.q.val();
    }
}
