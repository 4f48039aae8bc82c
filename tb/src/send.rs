//! Benches of the send side.

pub mod splitter;
