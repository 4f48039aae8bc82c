//! Payload on its way to memory, and what the host is told in memory.

pub mod axi_write_merge;
pub mod beat_shifter;
pub mod burst_splitter;
pub mod completion_entry;
pub mod completion_merge;
pub mod completion_queue;
pub mod completion_stream;
pub mod interrupt_coalescer;
pub mod memory_writer;
pub mod packet_buffer;
pub mod slot_pool;
pub mod write_responses;

pub use axi_write_merge::AxiWriteMerge;
pub use beat_shifter::BeatShifter;
pub use burst_splitter::BurstSplitter;
pub use completion_entry::CompletionEntry;
pub use completion_merge::CompletionMerge;
pub use completion_queue::CompletionQueue;
pub use completion_stream::CompletionStream;
pub use interrupt_coalescer::InterruptCoalescer;
pub use memory_writer::MemoryWriter;
pub use packet_buffer::PacketBuffer;
pub use slot_pool::SlotPool;
pub use write_responses::WriteResponses;
