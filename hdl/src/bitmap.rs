//! Bitmap loss detection: which packets of each queue pair have arrived, and which are missing.

pub mod advance_requests;
pub mod base_pair;
pub mod dedup_periods;
pub mod gap_cell;
pub mod group_check;
pub mod head_run;
pub mod header_stages;
pub mod highest_psn;
pub mod path_rule;
pub mod relaxed_limits;
pub mod segment_bits;
pub mod state_change;
pub mod stripe_path;
pub mod token_bucket;
pub mod window_opener;
pub mod window_steps;

pub use advance_requests::AdvanceRequests;
pub use base_pair::BasePair;
pub use dedup_periods::DedupPeriods;
pub use gap_cell::GapCell;
pub use group_check::GroupCheck;
pub use head_run::HeadRun;
pub use header_stages::HeaderStages;
pub use highest_psn::HighestPsn;
pub use path_rule::PathRule;
pub use relaxed_limits::RelaxedLimits;
pub use segment_bits::SegmentBits;
pub use state_change::StateChange;
pub use stripe_path::StripePath;
pub use token_bucket::TokenBucket;
pub use window_opener::WindowOpener;
pub use window_steps::WindowSteps;

/// Width of a gap record, see `GapCell`.
pub const GAP_BITS: usize = 118;

/// Width of the number of a period of time, see `DedupPeriods`.
pub const PERIOD_BITS: usize = 24;

/// Width of what happens to packets, see `StateChange`.
pub const STATE_KINDS: usize = 3;

/// As many as a block has: none of what it can do without.
pub fn some<T: Default>(many: usize) -> Vec<T> {
    (0..many).map(|_| T::default()).collect()
}

/// Gives a block as many of each of these fields as it has: `have! { block: ways => relax, stripe; groups => phase; }`.
#[macro_export]
macro_rules! have {
    ($block:ident: $($many:expr => $($field:ident),+;)+) => {
        $($($block.$field = $crate::bitmap::some($many);)+)+
    };
}
pub use crate::have;
