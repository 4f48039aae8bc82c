//! Bitmap loss detection: which packets of each queue pair have arrived, and which are missing.

pub mod ack_stream;
pub mod advance_engine;
pub mod advance_requests;
pub mod base_pair;
pub mod bitmap_pipeline;
pub mod dedup_periods;
pub mod feedback_check;
pub mod feedback_queue;
pub mod gap_cell;
pub mod gap_engine;
pub mod gap_events;
pub mod gap_paths;
pub mod gap_patrol;
pub mod gap_records;
pub mod gap_scan;
pub mod group_check;
pub mod head_run;
pub mod header_stages;
pub mod highest_psn;
pub mod packet_states;
pub mod path_arrivals;
pub mod path_rule;
pub mod path_tracker;
pub mod range_requests;
pub mod range_stream;
pub mod receive_bitmap;
pub mod relaxed_limits;
pub mod retry_timers;
pub mod rtx_coordinator;
pub mod segment_bits;
pub mod segment_masks;
pub mod segment_pool;
pub mod send_bitmap;
pub mod send_window;
pub mod set_count;
pub mod state_ages;
pub mod state_change;
pub mod stripe_path;
pub mod token_bucket;
pub mod trigger_check;
pub mod window_credits;
pub mod window_length;
pub mod window_opener;
pub mod window_steps;

pub use ack_stream::AckStream;
pub use advance_engine::AdvanceEngine;
pub use advance_requests::AdvanceRequests;
pub use base_pair::BasePair;
pub use bitmap_pipeline::BitmapPipeline;
pub use dedup_periods::DedupPeriods;
pub use feedback_check::FeedbackCheck;
pub use feedback_queue::FeedbackQueue;
pub use gap_cell::GapCell;
pub use gap_engine::GapEngine;
pub use gap_events::GapEvents;
pub use gap_paths::GapPaths;
pub use gap_patrol::GapPatrol;
pub use gap_records::GapRecords;
pub use gap_scan::GapScan;
pub use group_check::GroupCheck;
pub use head_run::HeadRun;
pub use header_stages::HeaderStages;
pub use highest_psn::HighestPsn;
pub use packet_states::PacketStates;
pub use path_arrivals::PathArrivals;
pub use path_rule::PathRule;
pub use path_tracker::PathTracker;
pub use range_requests::RangeRequests;
pub use range_stream::RangeStream;
pub use receive_bitmap::ReceiveBitmap;
pub use relaxed_limits::RelaxedLimits;
pub use retry_timers::RetryTimers;
pub use rtx_coordinator::RtxCoordinator;
pub use segment_bits::SegmentBits;
pub use segment_masks::SegmentMasks;
pub use segment_pool::SegmentPool;
pub use send_bitmap::SendBitmap;
pub use send_window::SendWindow;
pub use set_count::SetCount;
pub use state_ages::StateAges;
pub use state_change::StateChange;
pub use stripe_path::StripePath;
pub use token_bucket::TokenBucket;
pub use trigger_check::TriggerCheck;
pub use window_credits::WindowCredits;
pub use window_length::WindowLength;
pub use window_opener::WindowOpener;
pub use window_steps::WindowSteps;

/// Width of a gap record, see `GapCell`.
pub const GAP_BITS: usize = 118;

/// Width of the number of a period of time, see `DedupPeriods`.
pub const PERIOD_BITS: usize = 24;

/// Width of what happens to packets, see `StateChange`.
pub const STATE_KINDS: usize = 3;

/// As many as a block has: none of what it can do without.
pub(crate) fn some<T: Default>(many: usize) -> Vec<T> {
    (0..many).map(|_| T::default()).collect()
}
