//! Send side: commands, operations, payload from host memory to the wire.

pub mod buffer_write;
pub mod frame_join;
pub mod op_records;
pub mod packet_engine;
pub mod packet_headers;
pub mod packet_scheduler;
pub mod send_buffer;

pub use buffer_write::BufferWrite;
pub use frame_join::FrameJoin;
pub use op_records::OpRecords;
pub use packet_engine::PacketEngine;
pub use packet_headers::PacketHeaders;
pub use packet_scheduler::PacketScheduler;
pub use send_buffer::SendBuffer;
