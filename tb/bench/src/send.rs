//! Benches of the send side.

pub mod cdma_driver;
pub mod load_turns;
pub mod op_gate;
pub mod op_loader;
pub mod op_table;
pub mod packet_engine;
pub mod packet_timeout;
pub mod refetch;
pub mod round_trip;
pub mod send_buffer;
pub mod sent_packets;
pub mod splitter;
pub mod start_gate;
pub mod together;
pub mod window_gate;
