//! Static parameters and runtime registers of both boxes. Times are in ticks, 0 switches what has a time off.

use super::fault::Fault;

/// What the boxes are: ours, or what is known of the paper's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    #[default]
    Ours,
    /// A packet below what the receiving card has acknowledged sets the Depot's registers to that acknowledgement and empties the
    /// reordering pool; while it recovers locally every arriving packet is held until the acknowledgement reaches what had been sent. The
    /// Sentry knows a replay by the retransmission flag of the card. Nobody asks twice: `renack` has to be 0.
    Paper,
}

/// Static parameters of a Depot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepotParams {
    pub flows: usize,
    /// slots of the reordering pool, one frame each
    pub slots: usize,
    /// slots of the backup pool
    pub backups: usize,
    /// `R`: how far past `ePSN` a packet can be held
    pub reach: u32,
    /// segments of the slot map, 64 PSNs each
    pub segments: usize,
    pub variant: Variant,
    /// what is wrong on purpose
    pub fault: Option<Fault>,
}

impl Default for DepotParams {
    /// 1 MB and 50 KB in slots of 1 KB of payload, as in the source.
    fn default() -> DepotParams {
        DepotParams { flows: 64, slots: 1024, backups: 48, reach: 4096, segments: 1024, variant: Variant::Ours, fault: None }
    }
}

/// Runtime registers of a Depot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepotConfig {
    /// A gap is told after this many packets beyond it and
    pub tolerance_packets: u32,
    /// this long.
    pub tolerance: u64,
    /// 2 x the round trip of the long haul
    pub renack: u64,
    pub renack_max: u32,
    /// `T_out`: 2 x the round trip of the receiving data centre
    pub retry: u64,
    /// `depot_retries`
    pub retries: u32,
    /// least time between two acknowledgements of `una - 1`
    pub reack: u64,
    /// most slots of one flow, 0: all
    pub quota: usize,
    /// after this long without a packet the slots of a flow are flushed
    pub idle: u64,
    /// Ticks per byte, 16 bits of it a fraction: of everything that leaves the pools,
    pub pace: u64,
    /// of what leaves the pools of one flow,
    pub flow_pace: u64,
    /// and of the output itself, which packets in order use first. 0: as fast as it is asked.
    pub line: u64,
}

impl Default for DepotConfig {
    fn default() -> DepotConfig {
        DepotConfig {
            tolerance_packets: 0,
            tolerance: 0,
            renack: 0,
            renack_max: 8,
            retry: 0,
            retries: 7,
            reack: 0,
            quota: 0,
            idle: 0,
            pace: 0,
            flow_pace: 0,
            line: 0,
        }
    }
}

/// Static parameters of a Sentry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentryParams {
    pub flows: usize,
    /// `F`: bits per flow, a power of two from 1024 to 32768
    pub bits: u32,
    pub variant: Variant,
    pub fault: Option<Fault>,
}

impl Default for SentryParams {
    fn default() -> SentryParams {
        SentryParams { flows: 64, bits: 4096, variant: Variant::Ours, fault: None }
    }
}

/// Runtime registers of a Sentry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentryConfig {
    /// `t_local`: how long a NACK that was passed on keeps others back
    pub local: u64,
    /// `t_filter`: how long an episode lasts after its last NACK
    pub filter: u64,
    /// `renack_s`: least time between two Sentry-NACKs
    pub renack: u64,
    /// `t_probe`
    pub probe: u64,
    /// An episode follows the card. Its bound is `ePSN_s` when the card answers, for what the card sends before it has heard is repeated
    /// too. `t_filter` counts from the last packet of the pass that answers, for a slow pass takes longer than `t_filter`. A return to
    /// which no NACK led is the card's own time-out and ends the episode. Off: the bound is `ePSN_s` at the moment of the NACK and
    /// `t_filter` counts from the NACK, as the contract has it.
    pub follow: bool,
    /// Least time between two CNPs for packets that are dropped with a mark, 0: marks are lost with the packets.
    pub cnp: u64,
    /// Least time between two NACKs to a standard card that say the same: cards count a NAK without progress as one of their tries.
    pub spare: u64,
    /// replays pass whole: to see what the filter is worth
    pub unfiltered: bool,
    pub idle: u64,
}

impl DepotParams {
    /// # Errors
    /// The parameter that has a value that it cannot have.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=1024).contains(&self.flows) {
            return Err(format!("Depot flows {}; from 1 to 1024 are possible", self.flows));
        }
        if !self.reach.is_power_of_two() || !(64..=1 << 20).contains(&self.reach) {
            return Err(format!("Depot reach {}; powers of two from 64 to 1048576 are possible", self.reach));
        }
        Ok(())
    }
}

impl SentryParams {
    /// # Errors
    /// The parameter that has a value that it cannot have.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=1024).contains(&self.flows) {
            return Err(format!("Sentry flows {}; from 1 to 1024 are possible", self.flows));
        }
        if !self.bits.is_power_of_two() || !(1024..=32768).contains(&self.bits) {
            return Err(format!("Sentry bits {}; powers of two from 1024 to 32768 are possible", self.bits));
        }
        Ok(())
    }
}
