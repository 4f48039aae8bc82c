//! What a receiver counts.

use super::Receiver;

/// How often things happened to a queue pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub arrivals: u64,
    pub accepted: u64,
    pub duplicates: u64,
    pub out_of_window: u64,
    pub gaps: u64,
    /// gaps that were found lost
    pub losses: u64,
    /// feedback messages, repeated ones among them
    pub reports: u64,
    pub repeats: u64,
    /// packets that filled a reported gap and were no retransmissions
    pub misjudged: u64,
    /// records were missing
    pub folded: u64,
    /// reported records that have given way to others
    pub spilled: u64,
}

/// How often things happened on a path of a queue pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathStatistics {
    pub arrivals: u64,
    pub duplicates: u64,
    pub gaps: u64,
    pub losses: u64,
    pub misjudged: u64,
}

impl Receiver {
    pub fn statistics(&self, qp: u32) -> Option<&Statistics> {
        self.queue_pairs.get(&qp).map(|at| &at.statistics)
    }

    pub fn path_statistics(&self, qp: u32) -> &[PathStatistics] {
        self.queue_pairs.get(&qp).map_or(&[], |at| &at.paths)
    }

    /// Packets of queue pairs that are not open.
    pub fn unknown_qp(&self) -> u64 {
        self.unknown_qp
    }

    /// Wishes for segments that the pool could not fulfil.
    pub fn pool_exhausted(&self) -> u64 {
        self.pool_exhausted
    }

    /// Queue pair, PSN, path and time of the last duplicate.
    pub fn last_duplicate(&self) -> Option<(u32, u32, u8, u64)> {
        self.last_duplicate
    }
}
