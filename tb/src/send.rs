//! Benches of the send side.

pub mod packet_engine;
pub mod send_buffer;
