//! Bitmap loss detection: which packets of each queue pair have arrived, and which are missing.

pub mod ack_stream;
pub mod advance_engine;
pub mod advance_requests;
pub mod base_pair;
pub mod bitmap_pipeline;
pub mod feedback_queue;
pub mod gap_cell;
pub mod gap_engine;
pub mod gap_events;
pub mod gap_patrol;
pub mod gap_records;
pub mod gap_scan;
pub mod head_run;
pub mod header_stages;
pub mod highest_psn;
pub mod receive_bitmap;
pub mod segment_bits;
pub mod trigger_check;
pub mod window_opener;

pub use ack_stream::AckStream;
pub use advance_engine::AdvanceEngine;
pub use advance_requests::AdvanceRequests;
pub use base_pair::BasePair;
pub use bitmap_pipeline::BitmapPipeline;
pub use feedback_queue::FeedbackQueue;
pub use gap_cell::GapCell;
pub use gap_engine::GapEngine;
pub use gap_events::GapEvents;
pub use gap_patrol::GapPatrol;
pub use gap_records::GapRecords;
pub use gap_scan::GapScan;
pub use head_run::HeadRun;
pub use header_stages::HeaderStages;
pub use highest_psn::HighestPsn;
pub use receive_bitmap::ReceiveBitmap;
pub use segment_bits::SegmentBits;
pub use trigger_check::TriggerCheck;
pub use window_opener::WindowOpener;

/// Width of a gap record, see `GapCell`.
pub const GAP_BITS: usize = 118;
