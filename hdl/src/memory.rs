//! Payload on its way to memory, and what the host is told in memory.

pub mod completion_entry;
pub mod completion_merge;
pub mod completion_stream;
pub mod interrupt_coalescer;
pub mod slot_pool;
pub mod write_responses;

pub use completion_entry::CompletionEntry;
pub use completion_merge::CompletionMerge;
pub use completion_stream::CompletionStream;
pub use interrupt_coalescer::InterruptCoalescer;
pub use slot_pool::SlotPool;
pub use write_responses::WriteResponses;
