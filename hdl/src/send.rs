//! The send side: from segments to acknowledged packets.

pub mod ack_facts;
pub mod ack_intake;
pub mod ack_mask;
pub mod backoff_table;
pub mod deadline_scan;
pub mod deadline_writer;
pub mod life_clock;
pub mod nack_queue;
pub mod op_allocator;
pub mod op_ends;
pub mod op_table;
pub mod retry_queue;
pub mod scan_hits;

pub use ack_facts::AckFacts;
pub use ack_intake::AckIntake;
pub use ack_mask::AckMask;
pub use backoff_table::BackoffTable;
pub use deadline_scan::DeadlineScan;
pub use deadline_writer::DeadlineWriter;
pub use life_clock::LifeClock;
pub use nack_queue::NackQueue;
pub use op_allocator::OpAllocator;
pub use op_ends::OpEnds;
pub use op_table::OpTable;
pub use retry_queue::RetryQueue;
pub use scan_hits::ScanHits;
