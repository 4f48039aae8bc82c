//! What bitmaps are compared with: the same packets, recovered in the ways that are usual without them.
//!
//! One packet, message or tick at a time, as the bitmaps' own models; nothing of it is hardware here.

pub mod go_back_n;
pub mod timers;

#[cfg(test)]
mod tests;

/// Runtime registers that both have. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// packets that may be sent and not acknowledged
    pub window: u32,
    pub rto: u32,
    /// most that a timer waits, doubled with each try
    pub rto_cap: u32,
}

impl Config {
    /// Ticks until a timer runs out that has run out `tries` times.
    fn patience(&self, tries: u32) -> u64 {
        (u128::from(self.rto) << tries.min(64)).min(self.rto_cap.into()) as u64
    }
}
