//! Payload on its way to memory, and what the host is told in memory.

pub mod packet_buffer;
pub mod slot_pool;

pub use packet_buffer::PacketBuffer;
pub use slot_pool::SlotPool;
