//! Benches of the send side.

pub mod cdma_driver;
