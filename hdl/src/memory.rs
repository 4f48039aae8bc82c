//! Payload on its way to memory, and what the host is told in memory.

pub mod beat_shifter;
pub mod burst_splitter;
pub mod memory_writer;
pub mod packet_buffer;
pub mod slot_pool;
pub mod write_responses;

pub use beat_shifter::BeatShifter;
pub use burst_splitter::BurstSplitter;
pub use memory_writer::MemoryWriter;
pub use packet_buffer::PacketBuffer;
pub use slot_pool::SlotPool;
pub use write_responses::WriteResponses;
