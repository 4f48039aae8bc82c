//! Benches of the memory side: payload slots, writes, completions.

pub mod packet_buffer;
