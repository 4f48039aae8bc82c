//! Benches of the send side.

pub mod op_table;
