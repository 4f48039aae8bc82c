//! Bitmap loss detection: which packets of each queue pair have arrived.

pub mod advance_engine;
pub mod advance_requests;
pub mod base_pair;
pub mod bitmap_pipeline;
pub mod head_run;
pub mod header_stages;
pub mod highest_psn;
pub mod segment_bits;
pub mod window_opener;

pub use advance_engine::AdvanceEngine;
pub use advance_requests::AdvanceRequests;
pub use base_pair::BasePair;
pub use bitmap_pipeline::BitmapPipeline;
pub use head_run::HeadRun;
pub use header_stages::HeaderStages;
pub use highest_psn::HighestPsn;
pub use segment_bits::SegmentBits;
pub use window_opener::WindowOpener;
