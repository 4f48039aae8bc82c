//! Runtime registers and counters of the sender.

/// What becomes of packets that are to be sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// each by itself
    #[default]
    Single,
    /// a run at a time
    Interval,
    /// what comes together for a while, and what lies close together
    Aggregated,
}

/// Runtime registers. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub dedup: u32,
    pub aggregate: u32,
    /// packets apart that are joined all the same
    pub merge: u32,
    pub mode: Mode,
    /// packets sent again and not acknowledged, of one queue pair
    pub rtx_window: u32,
    /// packets of a window whose size the receiver has not told, 0: as many as there can be
    pub base_length: u32,
    pub rto: u32,
    pub rto_cap: u32,
    pub retry_limit: u32,
    /// bytes that a packet costs
    pub mtu: u32,
}

impl Config {
    /// The defaults of the spec.
    pub const DEFAULT: Config = Config {
        dedup: 50,
        aggregate: 2,
        merge: 4,
        mode: Mode::Single,
        rtx_window: 64,
        base_length: 0,
        rto: 200,
        rto_cap: 10_000,
        retry_limit: 7,
        mtu: 1024,
    };

    /// Ticks until the timer runs out that has run out `expiries` times without an advance.
    pub fn patience(&self, expiries: u32) -> u64 {
        (u128::from(self.rto) << expiries.min(64)).min(self.rto_cap.into()) as u64
    }
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// new packets
    pub sent: u64,
    /// packets sent again
    pub retransmitted: u64,
    /// operations that they were sent by
    pub operations: u64,
    pub feedback: u64,
    /// packets that were named and not sent again for it
    pub suppressed: u64,
    pub bad_ack: u64,
    pub timeouts: u64,
    pub errors: u64,
}
